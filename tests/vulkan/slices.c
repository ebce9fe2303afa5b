/* Parts of 3D images: a slice as an image of 2D, some slices as an image of 3D; loaded, stored to, changed. */
#include <stdio.h>
#include <string.h>

#include "vkt_draw.h"

static const uint32_t slice_code[] = {
#include "slices_2.inc"
};
static const uint32_t part_code[] = {
#include "slices_3.inc"
};
static const uint32_t fetch_code[] = {
#include "slices_1.inc"
};

enum { LANES = 64, HEADER = 4, LOOK = LANES + HEADER, SIZE = 4, DEPTH = 7, LEVELS = 3, TEXELS = SIZE * SIZE * DEPTH };
enum shader { SLICE, PART, FETCH, NUM_SHADERS };
enum what { LOAD, STORE, ADD };

struct push {
   uint32_t at, what, value;
};

static struct vkx *vkx;
static struct vkx_buffer results, texels;
static VkDescriptorSetLayout set_layouts[2]; /* of storage images, of sampled ones */
static VkPipelineLayout layouts[2];
static VkPipeline pipelines[NUM_SHADERS];
static VkDescriptorPool pool;
static VkSampler sampler;

static VkDescriptorSet
create_set(VkImageView view, bool fetches)
{
   const struct vkt_descriptor descriptors[2] = {
      {VK_DESCRIPTOR_TYPE_STORAGE_BUFFER, .buffer = results.buffer},
      {fetches ? VK_DESCRIPTOR_TYPE_COMBINED_IMAGE_SAMPLER : VK_DESCRIPTOR_TYPE_STORAGE_IMAGE, .view = view,
       .sampler = sampler}};
   vkx_check(vkResetDescriptorPool(vkx->device, pool, 0), "vkResetDescriptorPool");
   return vkt_bindings_create(vkx, &pool, set_layouts[fetches], 2, descriptors);
}

/* The results: size, then texels. */
static const uint32_t *
look(enum shader shader, VkImageView view, enum what what, uint32_t value)
{
   VkDescriptorSet set = create_set(view, shader == FETCH);
   const struct push push = {0, what, value};
   VkCommandBuffer cmd = vkx_begin(vkx);
   vkCmdBindPipeline(cmd, VK_PIPELINE_BIND_POINT_COMPUTE, pipelines[shader]);
   vkCmdBindDescriptorSets(cmd, VK_PIPELINE_BIND_POINT_COMPUTE, layouts[shader == FETCH], 0, 1, &set, 0, NULL);
   vkCmdPushConstants(cmd, layouts[shader == FETCH], VK_SHADER_STAGE_COMPUTE_BIT, 0, sizeof(push), &push);
   vkCmdDispatch(cmd, 1, 1, 1);
   vkt_barrier(cmd);
   memset(results.map, 0xee, LOOK * 4);
   vkx_submit_and_wait(vkx, cmd);
   return results.map;
}

static uint32_t
extent_of(uint32_t size, uint32_t level)
{
   return size >> level ? size >> level : 1;
}

/* What the image should hold. */
static uint32_t model[LEVELS][TEXELS];

static struct vkt_image
create_image(VkImageCreateFlags flags)
{
   struct vkt_image image = vkt_image_create(
      vkx,
      (VkImageCreateInfo){.flags = flags,
                          .imageType = VK_IMAGE_TYPE_3D,
                          .format = VK_FORMAT_R32_UINT,
                          .extent = {SIZE, SIZE, DEPTH},
                          .mipLevels = LEVELS,
                          .usage = VK_IMAGE_USAGE_STORAGE_BIT | VK_IMAGE_USAGE_SAMPLED_BIT |
                                   VK_IMAGE_USAGE_TRANSFER_SRC_BIT | VK_IMAGE_USAGE_TRANSFER_DST_BIT},
      false);
   VkCommandBuffer cmd = vkx_begin(vkx);
   vkt_transition(cmd, &image, VK_IMAGE_LAYOUT_UNDEFINED, VK_IMAGE_LAYOUT_GENERAL);
   for (uint32_t level = 0; level < LEVELS; level++) {
      const VkBufferImageCopy copy = {
         .bufferOffset = level * sizeof(model[0]),
         .imageSubresource = {VK_IMAGE_ASPECT_COLOR_BIT, level, 0, 1},
         .imageExtent = {extent_of(SIZE, level), extent_of(SIZE, level), extent_of(DEPTH, level)}};
      for (uint32_t i = 0; i < TEXELS; i++)
         model[level][i] = vkt_random();
      vkCmdCopyBufferToImage(cmd, texels.buffer, image.image, VK_IMAGE_LAYOUT_GENERAL, 1, &copy);
   }
   memcpy(texels.map, model, sizeof(model));
   vkt_barrier(cmd);
   vkx_submit_and_wait(vkx, cmd);
   return image;
}

/* Whether all levels are as the model. */
static bool
is_right(const struct vkt_image *image)
{
   bool right = true;
   for (uint32_t level = 0; level < LEVELS; level++) {
      const uint32_t size = extent_of(SIZE, level), count = size * size * extent_of(DEPTH, level);
      vkt_read(vkx, image, VK_IMAGE_ASPECT_COLOR_BIT, level, &texels);
      right &= !memcmp(texels.map, model[level], count * 4);
   }
   return right;
}

/* Loads, stores and adds through a view of slices of a level. */
static void
check_view(const struct vkt_image *image, enum shader shader, VkImageView view, uint32_t level, uint32_t first,
           uint32_t slices)
{
   const uint32_t size = extent_of(SIZE, level), count = size * size * slices;
   const char *name = shader == PART ? "a part" : shader == SLICE ? "a slice" : "a slice that is fetched";
   uint32_t *texel = &model[level][size * size * first];
   const uint32_t *got = look(shader, view, LOAD, 0);
   vkt_expect(got[0] == size && got[1] == size && (shader != PART || got[2] == slices),
              "level %u, slice %u: size of %s is %ux%ux%u", level, first, name, got[0], got[1], got[2]);
   vkt_expect(!memcmp(got + HEADER, texel, count * 4), "level %u, slice %u: loads of %s", level, first, name);
   if (shader == FETCH)
      return;
   const uint32_t value = vkt_random();
   look(shader, view, STORE, value);
   for (uint32_t i = 0; i < count; i++)
      texel[i] = value + i;
   vkt_expect(is_right(image), "level %u, slice %u: stores to %s", level, first, name);
   got = look(shader, view, ADD, 5 * value);
   vkt_expect(!memcmp(got + HEADER, texel, count * 4), "level %u, slice %u: values before atomics of %s", level,
              first, name);
   for (uint32_t i = 0; i < count; i++)
      texel[i] += 5 * value + i;
   vkt_expect(is_right(image), "level %u, slice %u: atomics of %s", level, first, name);
}

static VkImageView
create_view(const struct vkt_image *image, const void *next, VkImageViewType type, uint32_t level, uint32_t slice)
{
   const VkImageViewCreateInfo info = {.sType = VK_STRUCTURE_TYPE_IMAGE_VIEW_CREATE_INFO,
                                       .pNext = next,
                                       .image = image->image,
                                       .viewType = type,
                                       .format = image->info.format,
                                       .subresourceRange = {VK_IMAGE_ASPECT_COLOR_BIT, level, 1, slice, 1}};
   VkImageView view;
   vkx_check(vkCreateImageView(vkx->device, &info, NULL, &view), "vkCreateImageView");
   return view;
}

static void
check_slices(void)
{
   VkPhysicalDeviceImage2DViewOf3DFeaturesEXT features = {
      .sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_IMAGE_2D_VIEW_OF_3D_FEATURES_EXT};
   VkPhysicalDeviceFeatures2 all = {VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_FEATURES_2, &features, {0}};
   if (!vkt_has("VK_EXT_image_2d_view_of_3d")) {
      vkt_skip("VK_EXT_image_2d_view_of_3d");
      return;
   }
   vkGetPhysicalDeviceFeatures2(vkx->physical, &all);
   struct vkt_image image = create_image(VK_IMAGE_CREATE_2D_VIEW_COMPATIBLE_BIT_EXT);
   for (uint32_t level = 0; level < LEVELS; level++) {
      for (uint32_t slice = 0; slice < extent_of(DEPTH, level); slice++) {
         const VkImageViewUsageCreateInfo usage = {.sType = VK_STRUCTURE_TYPE_IMAGE_VIEW_USAGE_CREATE_INFO,
                                                   .usage = VK_IMAGE_USAGE_STORAGE_BIT};
         VkImageView view =
            create_view(&image, features.sampler2DViewOf3D ? NULL : &usage, VK_IMAGE_VIEW_TYPE_2D, level, slice);
         check_view(&image, SLICE, view, level, slice, 1);
         if (features.sampler2DViewOf3D)
            check_view(&image, FETCH, view, level, slice, 1);
         vkDestroyImageView(vkx->device, view, NULL);
      }
   }
   vkt_image_destroy(vkx, &image);
}

static void
check_parts(void)
{
   if (!vkt_has("VK_EXT_image_sliced_view_of_3d")) {
      vkt_skip("VK_EXT_image_sliced_view_of_3d");
      return;
   }
   struct vkt_image image = create_image(0);
   for (uint32_t level = 0; level < LEVELS; level++) {
      const uint32_t depth = extent_of(DEPTH, level);
      for (uint32_t first = 0; first < depth; first++) {
         const uint32_t count = vkt_random() % 3 ? 1 + vkt_random_below(depth - first) : VK_REMAINING_3D_SLICES_EXT;
         const VkImageViewUsageCreateInfo usage = {.sType = VK_STRUCTURE_TYPE_IMAGE_VIEW_USAGE_CREATE_INFO,
                                                   .usage = VK_IMAGE_USAGE_STORAGE_BIT};
         const VkImageViewSlicedCreateInfoEXT sliced = {.sType = VK_STRUCTURE_TYPE_IMAGE_VIEW_SLICED_CREATE_INFO_EXT,
                                                        .pNext = &usage,
                                                        .sliceOffset = first,
                                                        .sliceCount = count};
         VkImageView view = create_view(&image, &sliced, VK_IMAGE_VIEW_TYPE_3D, level, 0);
         const uint32_t slices = count == VK_REMAINING_3D_SLICES_EXT ? depth - first : count;
         if (slices <= LANES / (SIZE * SIZE) || level)
            check_view(&image, PART, view, level, first, slices);
         vkDestroyImageView(vkx->device, view, NULL);
      }
   }
   vkt_image_destroy(vkx, &image);
}

static void
create_objects(void)
{
   static const struct vkt_code codes[NUM_SHADERS] = {
      {slice_code, sizeof(slice_code)}, {part_code, sizeof(part_code)}, {fetch_code, sizeof(fetch_code)}};
   const VkDescriptorType types[3] = {VK_DESCRIPTOR_TYPE_STORAGE_BUFFER, VK_DESCRIPTOR_TYPE_STORAGE_IMAGE,
                                      VK_DESCRIPTOR_TYPE_COMBINED_IMAGE_SAMPLER};
   const VkDescriptorPoolSize sizes[3] = {{types[0], 1}, {types[1], 1}, {types[2], 1}};
   const VkDescriptorPoolCreateInfo info = {
      .sType = VK_STRUCTURE_TYPE_DESCRIPTOR_POOL_CREATE_INFO, .maxSets = 1, .poolSizeCount = 3, .pPoolSizes = sizes};
   const VkSamplerCreateInfo sampler_info = {.sType = VK_STRUCTURE_TYPE_SAMPLER_CREATE_INFO};
   results = vkt_buffer_create(vkx, LOOK * 4, 0);
   texels = vkt_buffer_create(vkx, sizeof(model), 0);
   vkx_check(vkCreateDescriptorPool(vkx->device, &info, NULL, &pool), "vkCreateDescriptorPool");
   vkx_check(vkCreateSampler(vkx->device, &sampler_info, NULL, &sampler), "vkCreateSampler");
   for (unsigned i = 0; i < 2; i++) {
      const VkDescriptorType pair[2] = {types[0], types[1 + i]};
      set_layouts[i] = vkx_set_layout_create(vkx, 2, pair, VK_SHADER_STAGE_COMPUTE_BIT);
      layouts[i] = vkx_pipeline_layout_create(vkx, set_layouts[i], VK_SHADER_STAGE_COMPUTE_BIT, sizeof(struct push));
   }
   for (unsigned i = 0; i < NUM_SHADERS; i++)
      pipelines[i] = vkx_compute_pipeline_create(vkx, layouts[i == FETCH],
                                                 vkx_shader_create(vkx, codes[i].words, codes[i].size_B));
}

static void
destroy_objects(void)
{
   for (unsigned i = 0; i < NUM_SHADERS; i++)
      vkDestroyPipeline(vkx->device, pipelines[i], NULL);
   for (unsigned i = 0; i < 2; i++) {
      vkDestroyPipelineLayout(vkx->device, layouts[i], NULL);
      vkDestroyDescriptorSetLayout(vkx->device, set_layouts[i], NULL);
   }
   vkDestroySampler(vkx->device, sampler, NULL);
   vkDestroyDescriptorPool(vkx->device, pool, NULL);
   vkx_buffer_destroy(vkx, &results);
   vkx_buffer_destroy(vkx, &texels);
}

int
main(void)
{
   vkt_samplers = true;
   struct vkx device = vkt_create("slices");
   vkx = &device;
   create_objects();
   check_slices();
   check_parts();
   destroy_objects();
   vkt_expect(true, "the device");
   return vkt_finish(vkx);
}
