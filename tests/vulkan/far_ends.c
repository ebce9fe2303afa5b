/* Texel buffers and 3D images as long as the limits allow (maxTexelBufferElements, maxImageDimension3D): fetches,
 * loads, stores and copies at both ends and in the middle, and what queries of the size say. */
#include <string.h>

#include "vkt_draw.h"

static const uint32_t buffer_code[] = {
#include "far_ends_buffer.inc"
};
static const uint32_t solid_code[] = {
#include "far_ends_solid.inc"
};

enum { PLACES = 8, WRITTEN = 4, RESULTS = 20, CLEARED = 5, FIRST_VALUE = 11, STORED = 100 };

static struct vkx *vkx;
static bool few_layers;          /* exported layers have 11 bits (docs/quirks.md), by which RADV clears slices */
static struct vkx_buffer places; /* PLACES numbers, then results */

/* Half of the places were written before, the shader stores to the other half. */
static void
choose_places(uint32_t length)
{
   const uint32_t at[PLACES] = {0, length / 2, length - 2, length - 1, 1, length / 2 - 1, length - 4, length - 3};
   memcpy(places.map, at, sizeof(at));
   memset((uint32_t *)places.map + PLACES, 0xcc, 4 * RESULTS);
}

static void
dispatch(struct vkt_code code, VkDescriptorType sampled, VkDescriptorType storage, struct vkt_descriptor *image,
         const uint32_t *axis)
{
   const VkDescriptorType types[3] = {VK_DESCRIPTOR_TYPE_STORAGE_BUFFER, sampled, storage};
   VkDescriptorPool pool = VK_NULL_HANDLE;
   VkDescriptorSetLayout set_layout = vkx_set_layout_create(vkx, 3, types, VK_SHADER_STAGE_COMPUTE_BIT);
   VkPipelineLayout layout = vkx_pipeline_layout_create(vkx, set_layout, VK_SHADER_STAGE_COMPUTE_BIT, 4);
   VkPipeline pipeline = vkx_compute_pipeline_create(vkx, layout, vkx_shader_create(vkx, code.words, code.size_B));
   struct vkt_descriptor descriptors[3] = {{types[0], .buffer = places.buffer}, image[0], image[0]};
   descriptors[1].type = sampled;
   descriptors[2].type = storage;
   VkDescriptorSet set = vkt_bindings_create(vkx, &pool, set_layout, 3, descriptors);
   VkCommandBuffer cmd = vkx_begin(vkx);
   vkCmdBindPipeline(cmd, VK_PIPELINE_BIND_POINT_COMPUTE, pipeline);
   vkCmdBindDescriptorSets(cmd, VK_PIPELINE_BIND_POINT_COMPUTE, layout, 0, 1, &set, 0, NULL);
   vkCmdPushConstants(cmd, layout, VK_SHADER_STAGE_COMPUTE_BIT, 0, 4, axis);
   vkCmdDispatch(cmd, 1, 1, 1);
   vkt_barrier(cmd);
   vkx_submit_and_wait(vkx, cmd);
   vkDestroyPipeline(vkx->device, pipeline, NULL);
   vkDestroyPipelineLayout(vkx->device, layout, NULL);
   vkDestroyDescriptorPool(vkx->device, pool, NULL);
   vkDestroyDescriptorSetLayout(vkx->device, set_layout, NULL);
}

/* texels: of all places, afterwards. */
static void
check(const char *what, uint32_t length, const uint8_t texels[PLACES])
{
   const uint32_t *at = places.map, *results = at + PLACES;
   for (uint32_t i = 0; i < PLACES; i++) {
      const uint32_t value = FIRST_VALUE + i;
      if (i < WRITTEN)
         vkt_expect(results[2 * i] == value && results[2 * i + 1] == value,
                    "%s: texel %u is %u for fetches, %u for loads, not %u", what, at[i], results[2 * i],
                    results[2 * i + 1], value);
      else if (!few_layers)
         vkt_expect(results[2 * i + 1] == CLEARED, "%s: texel %u is %u for loads, not %u", what, at[i],
                    results[2 * i + 1], CLEARED);
      const uint32_t wanted = i < WRITTEN ? value : STORED + i;
      vkt_expect(texels[i] == wanted, "%s: texel %u is %u, not %u", what, at[i], texels[i], wanted);
   }
   vkt_expect(results[16] == length && results[17] == length, "%s: queries say %u and %u of %u", what, results[16],
              results[17], length);
}

/* ---- texel buffers ---- */

static void
test_buffer(uint32_t length)
{
   struct vkx_buffer texels = vkx_buffer_create(
      vkx, length, VK_BUFFER_USAGE_UNIFORM_TEXEL_BUFFER_BIT | VK_BUFFER_USAGE_STORAGE_TEXEL_BUFFER_BIT, true);
   VkBufferView view;
   uint8_t found[PLACES];
   const VkBufferViewCreateInfo view_info = {.sType = VK_STRUCTURE_TYPE_BUFFER_VIEW_CREATE_INFO,
                                             .buffer = texels.buffer,
                                             .format = VK_FORMAT_R8_UINT,
                                             .range = VK_WHOLE_SIZE};
   vkx_check(vkCreateBufferView(vkx->device, &view_info, NULL, &view), "vkCreateBufferView");
   choose_places(length);
   for (uint32_t i = 0; i < PLACES; i++)
      ((uint8_t *)texels.map)[((uint32_t *)places.map)[i]] = (uint8_t)(i < WRITTEN ? FIRST_VALUE + i : CLEARED);
   dispatch(VKT_CODE(buffer_code), VK_DESCRIPTOR_TYPE_UNIFORM_TEXEL_BUFFER, VK_DESCRIPTOR_TYPE_STORAGE_TEXEL_BUFFER,
            &(struct vkt_descriptor){.texels = view}, &(uint32_t){0});
   for (uint32_t i = 0; i < PLACES; i++)
      found[i] = ((uint8_t *)texels.map)[((uint32_t *)places.map)[i]];
   check("a texel buffer", length, found);
   vkDestroyBufferView(vkx->device, view, NULL);
   vkx_buffer_destroy(vkx, &texels);
}

/* ---- 3D images ---- */

/* Texels of all places, one after the other in the buffer. */
static void
set_regions(unsigned axis, VkBufferImageCopy regions[PLACES])
{
   for (uint32_t i = 0; i < PLACES; i++) {
      int32_t at[3] = {0};
      at[axis] = (int32_t)((uint32_t *)places.map)[i];
      regions[i] = (VkBufferImageCopy){.bufferOffset = 4 * i,
                                       .imageSubresource = {VK_IMAGE_ASPECT_COLOR_BIT, 0, 0, 1},
                                       .imageOffset = {at[0], at[1], at[2]},
                                       .imageExtent = {1, 1, 1}};
   }
}

static void
test_image(unsigned axis, uint32_t length)
{
   static const char *const names[3] = {"a wide 3D image", "a high 3D image", "a deep 3D image"};
   uint32_t size[3] = {1, 1, 1};
   VkBufferImageCopy regions[PLACES];
   uint8_t found[PLACES];
   size[axis] = length;
   struct vkt_image image = vkt_image_create(
      vkx,
      (VkImageCreateInfo){.imageType = VK_IMAGE_TYPE_3D,
                          .format = VK_FORMAT_R8_UINT,
                          .extent = {size[0], size[1], size[2]},
                          .usage = VK_IMAGE_USAGE_SAMPLED_BIT | VK_IMAGE_USAGE_STORAGE_BIT |
                                   VK_IMAGE_USAGE_TRANSFER_SRC_BIT | VK_IMAGE_USAGE_TRANSFER_DST_BIT},
      false);
   struct vkx_buffer texels = vkt_buffer_create(vkx, 4 * PLACES, 0);
   for (uint32_t i = 0; i < WRITTEN; i++)
      ((uint32_t *)texels.map)[i] = FIRST_VALUE + i;
   choose_places(length);
   set_regions(axis, regions);
   VkCommandBuffer cmd = vkx_begin(vkx);
   vkt_transition(cmd, &image, VK_IMAGE_LAYOUT_UNDEFINED, VK_IMAGE_LAYOUT_GENERAL);
   vkCmdClearColorImage(cmd, image.image, VK_IMAGE_LAYOUT_GENERAL, &(VkClearColorValue){.uint32 = {CLEARED}}, 1,
                        &(VkImageSubresourceRange){VK_IMAGE_ASPECT_COLOR_BIT, 0, 1, 0, 1});
   vkt_barrier(cmd);
   vkCmdCopyBufferToImage(cmd, texels.buffer, image.image, VK_IMAGE_LAYOUT_GENERAL, WRITTEN, regions);
   vkt_barrier(cmd);
   vkx_submit_and_wait(vkx, cmd);
   VkImageView view = vkt_view_create(vkx, &image, VK_IMAGE_VIEW_TYPE_3D, VK_IMAGE_ASPECT_COLOR_BIT, 0, 0, 1);
   dispatch(VKT_CODE(solid_code), VK_DESCRIPTOR_TYPE_SAMPLED_IMAGE, VK_DESCRIPTOR_TYPE_STORAGE_IMAGE,
            &(struct vkt_descriptor){.view = view}, &axis);
   cmd = vkx_begin(vkx);
   vkCmdCopyImageToBuffer(cmd, image.image, VK_IMAGE_LAYOUT_GENERAL, texels.buffer, PLACES, regions);
   vkt_barrier(cmd);
   vkx_submit_and_wait(vkx, cmd);
   for (uint32_t i = 0; i < PLACES; i++)
      found[i] = ((uint8_t *)texels.map)[4 * i];
   check(names[axis], length, found);
   vkDestroyImageView(vkx->device, view, NULL);
   vkx_buffer_destroy(vkx, &texels);
   vkt_image_destroy(vkx, &image);
}

int
main(int argc, char **argv)
{
   struct vkx device = vkt_create("far_ends");
   VkPhysicalDeviceProperties properties;
   vkx = &device;
   vkGetPhysicalDeviceProperties(vkx->physical, &properties);
   vkt_expect(true, "the device is there");
   few_layers = !strcmp(vkx_option(argc, argv, "--quirks", ""), "radv");
   if (!vkt_features.shaderStorageImageExtendedFormats) {
      vkt_skip("storage images of 8 bits");
      return vkt_finish(vkx);
   }
   places = vkt_buffer_create(vkx, 4 * (PLACES + RESULTS), 0);
   test_buffer(properties.limits.maxTexelBufferElements);
   for (unsigned axis = 0; axis < 3; axis++)
      test_image(axis, properties.limits.maxImageDimension3D);
   vkx_buffer_destroy(vkx, &places);
   return vkt_finish(vkx);
}
