/* Null descriptors of every kind (nullDescriptor): loads and sizes are zero, stores change nothing, and descriptors
 * of others in the same set work. */
#include <string.h>

#include "vkt_dispatch.h"
#include "vkt_sets.h"

static const uint32_t code[] = {
#include "nulls.comp.inc"
};

#define ARRAY_SIZE(a) (sizeof(a) / sizeof((a)[0]))
#define COMPUTE VK_SHADER_STAGE_COMPUTE_BIT
enum { LANES = 64, WORDS = 32, RESULTS = 21, VALUES_B = 4096, SIZE_PX = 4 };

static struct vkx *vkx;
static struct vkx_buffer values, output; /* values: word i is 100 + i */

static const struct binding {
   VkDescriptorType type;
   uint32_t count;
} bindings[] = {
   {VK_DESCRIPTOR_TYPE_STORAGE_BUFFER, 1},       {VK_DESCRIPTOR_TYPE_UNIFORM_BUFFER, 2},
   {VK_DESCRIPTOR_TYPE_STORAGE_BUFFER, 2},       {VK_DESCRIPTOR_TYPE_UNIFORM_TEXEL_BUFFER, 2},
   {VK_DESCRIPTOR_TYPE_STORAGE_TEXEL_BUFFER, 2}, {VK_DESCRIPTOR_TYPE_COMBINED_IMAGE_SAMPLER, 2},
   {VK_DESCRIPTOR_TYPE_SAMPLED_IMAGE, 2},        {VK_DESCRIPTOR_TYPE_SAMPLER, 1},
   {VK_DESCRIPTOR_TYPE_STORAGE_IMAGE, 2},        {VK_DESCRIPTOR_TYPE_SAMPLED_IMAGE, 1},
   {VK_DESCRIPTOR_TYPE_SAMPLED_IMAGE, 1},        {VK_DESCRIPTOR_TYPE_UNIFORM_BUFFER_DYNAMIC, 1},
};
enum { BINDINGS = ARRAY_SIZE(bindings) };

struct scene {
   VkSampler sampler;
   struct vkt_image images[2]; /* RGBA8 of the colour (1, 2, 3); R32_UINT of 5 */
   VkImageView views[3];       /* the third is the first as an array */
   VkBufferView texels;
   VkDescriptorSetLayout set_layout;
   VkPipelineLayout layout;
   VkDescriptorPool pool;
   VkDescriptorSet set;
};

static void
create_images(struct scene *s)
{
   static const VkFormat formats[2] = {VK_FORMAT_R8G8B8A8_UNORM, VK_FORMAT_R32_UINT};
   const VkClearColorValue colors[2] = {{.float32 = {1.0f / 255, 2.0f / 255, 3.0f / 255, 1}}, {.uint32 = {5}}};
   const VkImageSubresourceRange range = {VK_IMAGE_ASPECT_COLOR_BIT, 0, 1, 0, 1};
   VkCommandBuffer cmd = vkx_begin(vkx);
   for (unsigned i = 0; i < 2; i++) {
      s->images[i] =
         vkt_image_create(vkx,
                          (VkImageCreateInfo){.imageType = VK_IMAGE_TYPE_2D,
                                              .format = formats[i],
                                              .extent = {SIZE_PX, SIZE_PX, 1},
                                              .usage = VK_IMAGE_USAGE_TRANSFER_DST_BIT |
                                                       (i ? VK_IMAGE_USAGE_STORAGE_BIT : VK_IMAGE_USAGE_SAMPLED_BIT)},
                          false);
      vkt_transition(cmd, &s->images[i], VK_IMAGE_LAYOUT_UNDEFINED, VK_IMAGE_LAYOUT_GENERAL);
      vkCmdClearColorImage(cmd, s->images[i].image, VK_IMAGE_LAYOUT_GENERAL, &colors[i], 1, &range);
   }
   vkt_barrier(cmd);
   vkx_submit_and_wait(vkx, cmd);
   for (unsigned i = 0; i < 3; i++)
      s->views[i] =
         vkt_view_create(vkx, &s->images[i % 2], i == 2 ? VK_IMAGE_VIEW_TYPE_2D_ARRAY : VK_IMAGE_VIEW_TYPE_2D,
                         VK_IMAGE_ASPECT_COLOR_BIT, 0, 0, 1);
   const VkBufferViewCreateInfo info = {.sType = VK_STRUCTURE_TYPE_BUFFER_VIEW_CREATE_INFO,
                                        .buffer = values.buffer,
                                        .format = VK_FORMAT_R32_UINT,
                                        .range = 64};
   vkx_check(vkCreateBufferView(vkx->device, &info, NULL, &s->texels), "vkCreateBufferView");
   const VkSamplerCreateInfo sampler = {.sType = VK_STRUCTURE_TYPE_SAMPLER_CREATE_INFO};
   vkx_check(vkCreateSampler(vkx->device, &sampler, NULL, &s->sampler), "vkCreateSampler");
}

static void
create_set(struct scene *s)
{
   VkDescriptorSetLayoutBinding list[BINDINGS];
   VkDescriptorPoolSize sizes[BINDINGS];
   for (uint32_t i = 0; i < BINDINGS; i++) {
      list[i] = (VkDescriptorSetLayoutBinding){i, bindings[i].type, bindings[i].count, COMPUTE, NULL};
      sizes[i] = (VkDescriptorPoolSize){bindings[i].type, bindings[i].count};
   }
   s->set_layout = vkt_set_layout_create(vkx, NULL, 0, BINDINGS, list);
   s->pool = vkt_pool_create(vkx, NULL, 0, 1, BINDINGS, sizes);
   vkt_sets_allocate(vkx, NULL, s->pool, 1, &s->set_layout, &s->set);
   s->layout = vkx_pipeline_layout_create(vkx, s->set_layout, 0, 0);
}

/* Element 0 of an array is something, all others and lone images and dynamic buffers are null. */
static void
write_set(const struct scene *s)
{
   for (uint32_t i = 0; i < BINDINGS; i++) {
      for (uint32_t j = 0; j < bindings[i].count; j++) {
         const bool real = !j && i < 9;
         const VkImageView view = i == 6 ? s->views[2] : i == 8 ? s->views[1] : s->views[0];
         const struct vkt_descriptor descriptor = {.type = bindings[i].type,
                                                   .buffer = !real ? VK_NULL_HANDLE
                                                             : i   ? values.buffer
                                                                   : output.buffer,
                                                   .range_B = !real || !i ? VK_WHOLE_SIZE : 1024,
                                                   .view = real ? view : VK_NULL_HANDLE,
                                                   .sampler = s->sampler,
                                                   .texels = real ? s->texels : VK_NULL_HANDLE};
         vkt_descriptor_write(vkx, s->set, i, j, &descriptor);
      }
   }
}

/* Of each word: for a descriptor, and what it is for a null descriptor is 0. */
static uint32_t
expected_word(uint32_t lane, uint32_t word)
{
   const uint32_t size = SIZE_PX | SIZE_PX << 16;
   const uint32_t real[RESULTS] = {101, 0,        100, 101 + lane, 255,  101, 16, 101, 16, 0x030201, size,
                                   1,   0x030201, 1,   5,          size, 0,   0,  0,   0,  0};
   return lane % 2 ? 0 : real[word];
}

static void
check_results(void)
{
   for (uint32_t word = 0; word < RESULTS; word++) {
      uint32_t wrong = 0;
      for (uint32_t lane = 0; lane < LANES; lane++) {
         const uint32_t got = ((uint32_t *)output.map)[lane * WORDS + word], wanted = expected_word(lane, word);
         if (word == 13 && lane % 2 && got == 1) /* RADV's null image has a layer */
            continue;
         if (got != wanted && !wrong++)
            vkt_expect(false, "word %u of invocation %u is %x, not %x", word, lane, got, wanted);
      }
      vkt_expect(!wrong, "word %u: %u of %u wrong", word, wrong, LANES);
   }
   uint32_t changed = 0;
   for (uint32_t i = 0; i < VALUES_B / 4; i++)
      changed += ((uint32_t *)values.map)[i] != 100 + i;
   vkt_expect(!changed, "%u words changed", changed);
}

static bool
has_nulls(void)
{
   VkPhysicalDeviceRobustness2FeaturesEXT two = {.sType =
                                                    VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_ROBUSTNESS_2_FEATURES_EXT};
   VkPhysicalDeviceFeatures2 features = {.sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_FEATURES_2, .pNext = &two};
   if (!vkt_has("VK_EXT_robustness2") || !vkt_has("VK_EXT_descriptor_indexing"))
      return false;
   vkGetPhysicalDeviceFeatures2(vkx->physical, &features);
   return two.nullDescriptor;
}

int
main(void)
{
   struct vkx device = vkt_create("nulls");
   struct scene s = {0};
   vkx = &device;
   if (!has_nulls()) {
      vkt_skip("nullDescriptor");
      vkt_expect(true, "nothing");
      return vkt_finish(vkx);
   }
   values = vkt_buffer_create(vkx, VALUES_B, 0);
   output = vkt_buffer_create(vkx, LANES * WORDS * 4, 0xaa);
   for (uint32_t i = 0; i < VALUES_B / 4; i++)
      ((uint32_t *)values.map)[i] = 100 + i;
   create_images(&s);
   create_set(&s);
   write_set(&s);
   VkPipeline pipeline = vkx_compute_pipeline_create(vkx, s.layout, vkx_shader_create(vkx, code, sizeof(code)));
   VkCommandBuffer cmd = vkx_begin(vkx);
   vkCmdBindPipeline(cmd, VK_PIPELINE_BIND_POINT_COMPUTE, pipeline);
   vkCmdBindDescriptorSets(cmd, VK_PIPELINE_BIND_POINT_COMPUTE, s.layout, 0, 1, &s.set, 1, &(uint32_t){0});
   vkCmdDispatch(cmd, 1, 1, 1);
   vkt_barrier(cmd);
   vkx_submit_and_wait(vkx, cmd);
   check_results();
   vkDestroyPipeline(vkx->device, pipeline, NULL);
   vkDestroyPipelineLayout(vkx->device, s.layout, NULL);
   vkDestroyDescriptorPool(vkx->device, s.pool, NULL);
   vkDestroyDescriptorSetLayout(vkx->device, s.set_layout, NULL);
   vkDestroyBufferView(vkx->device, s.texels, NULL);
   vkDestroySampler(vkx->device, s.sampler, NULL);
   for (unsigned i = 0; i < 3; i++)
      vkDestroyImageView(vkx->device, s.views[i], NULL);
   for (unsigned i = 0; i < 2; i++)
      vkt_image_destroy(vkx, &s.images[i]);
   vkx_buffer_destroy(vkx, &values);
   vkx_buffer_destroy(vkx, &output);
   return vkt_finish(vkx);
}
