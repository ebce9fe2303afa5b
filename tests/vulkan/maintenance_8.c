/* VK_KHR_maintenance8: copies between depth or stencil and colour, blits between layers and slices, offsets of
 * samples that are no constants, caches that merges need not guard, changes of the queue family that keep their
 * stages. */
#include <string.h>

#include "vkt.h"

enum { SIDE = 16, TEXELS = SIDE * SIDE, LAYERS = 4 };
#define GENERAL VK_IMAGE_LAYOUT_GENERAL
#define COLOR VK_IMAGE_ASPECT_COLOR_BIT
#define DEPTH VK_IMAGE_ASPECT_DEPTH_BIT
#define STENCIL VK_IMAGE_ASPECT_STENCIL_BIT
#define TRANSFER (VK_IMAGE_USAGE_TRANSFER_SRC_BIT | VK_IMAGE_USAGE_TRANSFER_DST_BIT)

static struct vkt_image
create(struct vkx *vkx, VkFormat format, VkImageType type, uint32_t layers, VkImageUsageFlags usage)
{
   const bool is_3d = type == VK_IMAGE_TYPE_3D;
   return vkt_image_create(vkx,
                           (VkImageCreateInfo){.imageType = type,
                                               .format = format,
                                               .extent = {SIDE, SIDE, is_3d ? layers : 1},
                                               .arrayLayers = is_3d ? 1 : layers,
                                               .usage = TRANSFER | usage},
                           false);
}

static VkBufferImageCopy
whole(const struct vkt_image *image, VkImageAspectFlags aspect)
{
   return (VkBufferImageCopy){.imageSubresource = {aspect, 0, 0, image->info.arrayLayers},
                              .imageExtent = image->info.extent};
}

/* ---- copies of other aspects ---- */

static const struct pair {
   VkFormat depth, color;
   VkImageAspectFlags aspect;
   uint32_t texel_B;
} pairs[] = {
   {VK_FORMAT_D16_UNORM, VK_FORMAT_R16_UINT, DEPTH, 2},
   {VK_FORMAT_D16_UNORM, VK_FORMAT_R16_UNORM, DEPTH, 2},
   {VK_FORMAT_D32_SFLOAT, VK_FORMAT_R32_SFLOAT, DEPTH, 4},
   {VK_FORMAT_D32_SFLOAT, VK_FORMAT_R32_UINT, DEPTH, 4},
   {VK_FORMAT_D32_SFLOAT_S8_UINT, VK_FORMAT_R32_SINT, DEPTH, 4},
   {VK_FORMAT_D32_SFLOAT_S8_UINT, VK_FORMAT_R8_UINT, STENCIL, 1},
   {VK_FORMAT_S8_UINT, VK_FORMAT_R8_UNORM, STENCIL, 1},
};

/* Depths between 0 and 1, or bytes, of texels in rows; inverted: other ones. */
static void
fill(const struct pair *pair, void *bytes, bool inverted)
{
   for (uint32_t i = 0; i < TEXELS; i++) {
      const uint32_t number = inverted ? TEXELS - 1 - i : i;
      const float depth = (float)number / TEXELS;
      if (pair->texel_B == 4)
         ((float *)bytes)[i] = depth;
      else if (pair->texel_B == 2)
         ((uint16_t *)bytes)[i] = (uint16_t)(number * 251);
      else
         ((uint8_t *)bytes)[i] = (uint8_t)number;
   }
}

/* A part of one image to another place of the other one. */
static void
copy(VkCommandBuffer cmd, const struct vkt_image *from, VkImageAspectFlags from_aspect, const struct vkt_image *to,
     VkImageAspectFlags to_aspect)
{
   const VkImageCopy region = {.srcSubresource = {from_aspect, 0, 0, 1},
                               .srcOffset = {4, 2, 0},
                               .dstSubresource = {to_aspect, 0, 0, 1},
                               .dstOffset = {1, 6, 0},
                               .extent = {10, 8, 1}};
   vkCmdCopyImage(cmd, from->image, GENERAL, to->image, GENERAL, 1, &region);
   vkt_barrier(cmd);
}

static void
test_copy(struct vkx *vkx, const struct pair *pair, bool to_color)
{
   VkFormatProperties offered;
   vkGetPhysicalDeviceFormatProperties(vkx->physical, pair->depth, &offered);
   if (!(offered.optimalTilingFeatures & VK_FORMAT_FEATURE_DEPTH_STENCIL_ATTACHMENT_BIT)) {
      vkt_skip("a format of depth");
      return;
   }
   struct vkt_image depth =
      create(vkx, pair->depth, VK_IMAGE_TYPE_2D, 1, VK_IMAGE_USAGE_DEPTH_STENCIL_ATTACHMENT_BIT);
   struct vkt_image color = create(vkx, pair->color, VK_IMAGE_TYPE_2D, 1, VK_IMAGE_USAGE_SAMPLED_BIT);
   struct vkt_image *from = to_color ? &depth : &color, *to = to_color ? &color : &depth;
   const VkImageAspectFlags from_aspect = to_color ? pair->aspect : COLOR,
                            to_aspect = to_color ? COLOR : pair->aspect;
   const VkDeviceSize size_B = TEXELS * pair->texel_B;
   struct vkx_buffer src = vkt_buffer_create(vkx, size_B, 0), old = vkt_buffer_create(vkx, size_B, 0),
                     got = vkt_buffer_create(vkx, size_B, 0x55);
   const VkBufferImageCopy from_all = whole(from, from_aspect), to_all = whole(to, to_aspect);
   bool same = true;
   fill(pair, src.map, false);
   fill(pair, old.map, true);
   VkCommandBuffer cmd = vkx_begin(vkx);
   vkt_transition(cmd, from, VK_IMAGE_LAYOUT_UNDEFINED, GENERAL);
   vkt_transition(cmd, to, VK_IMAGE_LAYOUT_UNDEFINED, GENERAL);
   vkCmdCopyBufferToImage(cmd, src.buffer, from->image, GENERAL, 1, &from_all);
   vkCmdCopyBufferToImage(cmd, old.buffer, to->image, GENERAL, 1, &to_all);
   vkt_barrier(cmd);
   copy(cmd, from, from_aspect, to, to_aspect);
   vkCmdCopyImageToBuffer(cmd, to->image, GENERAL, got.buffer, 1, &to_all);
   vkt_barrier(cmd);
   vkx_submit_and_wait(vkx, cmd);
   for (uint32_t i = 0; i < TEXELS; i++) {
      const uint32_t x = i % SIDE, y = i / SIDE;
      const bool copied = x >= 1 && x < 11 && y >= 6 && y < 14;
      const uint8_t *wanted = copied ? (uint8_t *)src.map + ((y - 4) * SIDE + x + 3) * pair->texel_B
                                     : (uint8_t *)old.map + i * pair->texel_B;
      same &= !memcmp((uint8_t *)got.map + i * pair->texel_B, wanted, pair->texel_B);
   }
   vkt_expect(same, "format %u, aspect %u, %s format %u", pair->depth, pair->aspect, to_color ? "to" : "from",
              pair->color);
   vkx_buffer_destroy(vkx, &src);
   vkx_buffer_destroy(vkx, &old);
   vkx_buffer_destroy(vkx, &got);
   vkt_image_destroy(vkx, &depth);
   vkt_image_destroy(vkx, &color);
}

/* ---- blits ---- */

/* Slices 1 and 2 of 3D to layers 1 to 2 of an array or the reverse, upside down. */
static void
test_blit(struct vkx *vkx, bool from_3d)
{
   const VkImageType types[2] = {from_3d ? VK_IMAGE_TYPE_3D : VK_IMAGE_TYPE_2D,
                                 from_3d ? VK_IMAGE_TYPE_2D : VK_IMAGE_TYPE_3D};
   struct vkt_image from = create(vkx, VK_FORMAT_R8G8B8A8_UNORM, types[0], LAYERS, VK_IMAGE_USAGE_SAMPLED_BIT);
   struct vkt_image to = create(vkx, VK_FORMAT_R8G8B8A8_UNORM, types[1], LAYERS, VK_IMAGE_USAGE_SAMPLED_BIT);
   struct vkx_buffer src = vkt_buffer_create(vkx, LAYERS * TEXELS * 4, 0),
                     got = vkt_buffer_create(vkx, LAYERS * TEXELS * 4, 0);
   const VkImageSubresourceLayers one = {COLOR, 0, 0, 1}, two = {COLOR, 0, 1, 2};
   const VkImageBlit blit = {
      .srcSubresource = from_3d ? one : two,
      .srcOffsets = {{0, 0, from_3d ? 1 : 0}, {SIDE, SIDE, from_3d ? 3 : 1}},
      .dstSubresource = from_3d ? two : one,
      .dstOffsets = {{0, SIDE, from_3d ? 0 : 1}, {SIDE, 0, from_3d ? 1 : 3}},
   };
   const VkClearColorValue zero = {.uint32 = {0}};
   const VkImageSubresourceRange range = {COLOR, 0, 1, 0, VK_REMAINING_ARRAY_LAYERS};
   const VkBufferImageCopy from_all = whole(&from, COLOR), to_all = whole(&to, COLOR);
   bool same = true;
   for (uint32_t i = 0; i < LAYERS * TEXELS; i++)
      ((uint32_t *)src.map)[i] = 0x01020304 + i * 0x10101;
   VkCommandBuffer cmd = vkx_begin(vkx);
   vkt_transition(cmd, &from, VK_IMAGE_LAYOUT_UNDEFINED, GENERAL);
   vkt_transition(cmd, &to, VK_IMAGE_LAYOUT_UNDEFINED, GENERAL);
   vkCmdClearColorImage(cmd, to.image, GENERAL, &zero, 1, &range);
   vkCmdCopyBufferToImage(cmd, src.buffer, from.image, GENERAL, 1, &from_all);
   vkt_barrier(cmd);
   vkCmdBlitImage(cmd, from.image, GENERAL, to.image, GENERAL, 1, &blit, VK_FILTER_NEAREST);
   vkt_barrier(cmd);
   vkCmdCopyImageToBuffer(cmd, to.image, GENERAL, got.buffer, 1, &to_all);
   vkt_barrier(cmd);
   vkx_submit_and_wait(vkx, cmd);
   for (uint32_t i = 0; i < LAYERS * TEXELS; i++) {
      const uint32_t layer = i / TEXELS, x = i % SIDE, y = i / SIDE % SIDE;
      const uint32_t at = layer * TEXELS + (SIDE - 1 - y) * SIDE + x;
      same &= ((uint32_t *)got.map)[i] == (layer == 1 || layer == 2 ? ((uint32_t *)src.map)[at] : 0);
   }
   vkt_expect(same, "a blit %s slices", from_3d ? "from" : "to");
   vkx_buffer_destroy(vkx, &src);
   vkx_buffer_destroy(vkx, &got);
   vkt_image_destroy(vkx, &from);
   vkt_image_destroy(vkx, &to);
}

/* ---- offsets ---- */

static const int32_t offsets[8][2] = {{0, 0}, {-8, 0}, {7, 0}, {0, -8}, {0, 7}, {-8, 7}, {3, -5}, {-1, -1}};
static const uint32_t code[] = {
#include "loaded_offsets.inc"
};

static void
test_offsets(struct vkx *vkx)
{
   const VkDescriptorType types[] = {VK_DESCRIPTOR_TYPE_COMBINED_IMAGE_SAMPLER, VK_DESCRIPTOR_TYPE_STORAGE_BUFFER};
   struct vkt_image image = create(vkx, VK_FORMAT_R8_UNORM, VK_IMAGE_TYPE_2D, 1, VK_IMAGE_USAGE_SAMPLED_BIT);
   struct vkx_buffer texels = vkt_buffer_create(vkx, TEXELS, 0), data = vkt_buffer_create(vkx, 64 + 8 * 16, 0);
   const VkSamplerCreateInfo nearest = {.sType = VK_STRUCTURE_TYPE_SAMPLER_CREATE_INFO,
                                        .addressModeU = VK_SAMPLER_ADDRESS_MODE_CLAMP_TO_EDGE,
                                        .addressModeV = VK_SAMPLER_ADDRESS_MODE_CLAMP_TO_EDGE};
   VkSampler sampler;
   vkx_check(vkCreateSampler(vkx->device, &nearest, NULL, &sampler), "vkCreateSampler");
   VkImageView view = vkt_view_create(vkx, &image, VK_IMAGE_VIEW_TYPE_2D, COLOR, 0, 0, 1);
   VkDescriptorSetLayout set_layout = vkx_set_layout_create(vkx, 2, types, VK_SHADER_STAGE_COMPUTE_BIT);
   VkPipelineLayout layout = vkx_pipeline_layout_create(vkx, set_layout, 0, 0);
   VkShaderModule shader = vkx_shader_create(vkx, code, sizeof(code));
   VkPipeline pipeline = vkx_compute_pipeline_create(vkx, layout, shader);
   VkDescriptorPool pool = VK_NULL_HANDLE;
   VkDescriptorSet set =
      vkt_bindings_create(vkx, &pool, set_layout, 2,
                          (struct vkt_descriptor[]){{.type = types[0], .view = view, .sampler = sampler},
                                                    {.type = types[1], .buffer = data.buffer}});
   const VkBufferImageCopy all = whole(&image, COLOR);
   for (uint32_t i = 0; i < TEXELS; i++)
      ((uint8_t *)texels.map)[i] = (uint8_t)i;
   memcpy(data.map, offsets, sizeof(offsets));
   VkCommandBuffer cmd = vkx_begin(vkx);
   vkt_transition(cmd, &image, VK_IMAGE_LAYOUT_UNDEFINED, GENERAL);
   vkCmdCopyBufferToImage(cmd, texels.buffer, image.image, GENERAL, 1, &all);
   vkt_barrier(cmd);
   vkCmdBindPipeline(cmd, VK_PIPELINE_BIND_POINT_COMPUTE, pipeline);
   vkCmdBindDescriptorSets(cmd, VK_PIPELINE_BIND_POINT_COMPUTE, layout, 0, 1, &set, 0, NULL);
   vkCmdDispatch(cmd, 1, 1, 1);
   vkt_barrier(cmd);
   vkx_submit_and_wait(vkx, cmd);
   for (unsigned i = 0; i < 8; i++) {
      const float got = ((float *)data.map)[16 + 4 * i];
      const int32_t wanted = (8 + offsets[i][1]) * SIDE + 8 + offsets[i][0];
      vkt_expect(got > ((float)wanted - 0.5f) / 255 && got < ((float)wanted + 0.5f) / 255,
                 "offset %d, %d: texel %f, not %d", offsets[i][0], offsets[i][1], (double)got * 255, wanted);
   }
   vkDestroyDescriptorPool(vkx->device, pool, NULL);
   vkDestroyPipeline(vkx->device, pipeline, NULL);
   vkDestroyPipelineLayout(vkx->device, layout, NULL);
   vkDestroyDescriptorSetLayout(vkx->device, set_layout, NULL);
   vkDestroyImageView(vkx->device, view, NULL);
   vkDestroySampler(vkx->device, sampler, NULL);
   vkx_buffer_destroy(vkx, &texels);
   vkx_buffer_destroy(vkx, &data);
   vkt_image_destroy(vkx, &image);
}

/* ---- the rest ---- */

static void
test_cache(struct vkx *vkx)
{
   const VkPipelineCacheCreateInfo info = {.sType = VK_STRUCTURE_TYPE_PIPELINE_CACHE_CREATE_INFO,
                                           .flags = VK_PIPELINE_CACHE_CREATE_INTERNALLY_SYNCHRONIZED_MERGE_BIT_KHR};
   VkPipelineCache caches[2];
   for (unsigned i = 0; i < 2; i++)
      vkx_check(vkCreatePipelineCache(vkx->device, &info, NULL, &caches[i]), "vkCreatePipelineCache");
   vkt_expect(vkMergePipelineCaches(vkx->device, caches[0], 1, &caches[1]) == VK_SUCCESS, "caches merge");
   for (unsigned i = 0; i < 2; i++)
      vkDestroyPipelineCache(vkx->device, caches[i], NULL);
}

/* From the queue's family to that of others and back, with what the copies before and after do. */
static void
test_families(struct vkx *vkx)
{
   enum { SIZE_B = 4096 };
   struct vkx_buffer buffers[3];
   const VkMemoryBarrierAccessFlags3KHR none = {.sType = VK_STRUCTURE_TYPE_MEMORY_BARRIER_ACCESS_FLAGS_3_KHR};
   const VkBufferCopy region = {.size = SIZE_B};
   for (unsigned i = 0; i < 3; i++)
      buffers[i] = vkt_buffer_create(vkx, SIZE_B, (int)i);
   VkCommandBuffer cmd = vkx_begin(vkx);
   vkCmdCopyBuffer(cmd, buffers[1].buffer, buffers[0].buffer, 1, &region);
   for (unsigned back = 0; back < 2; back++) {
      const VkBufferMemoryBarrier barrier = {.sType = VK_STRUCTURE_TYPE_BUFFER_MEMORY_BARRIER,
                                             .pNext = &none,
                                             .srcAccessMask = back ? 0 : VK_ACCESS_TRANSFER_WRITE_BIT,
                                             .dstAccessMask = back ? VK_ACCESS_TRANSFER_READ_BIT : 0,
                                             .srcQueueFamilyIndex = back ? VK_QUEUE_FAMILY_EXTERNAL : vkx->family,
                                             .dstQueueFamilyIndex = back ? vkx->family : VK_QUEUE_FAMILY_EXTERNAL,
                                             .buffer = buffers[0].buffer,
                                             .size = VK_WHOLE_SIZE};
      vkCmdPipelineBarrier(cmd, VK_PIPELINE_STAGE_TRANSFER_BIT, VK_PIPELINE_STAGE_TRANSFER_BIT,
                           VK_DEPENDENCY_QUEUE_FAMILY_OWNERSHIP_TRANSFER_USE_ALL_STAGES_BIT_KHR, 0, NULL, 1, &barrier,
                           0, NULL);
   }
   vkCmdCopyBuffer(cmd, buffers[0].buffer, buffers[2].buffer, 1, &region);
   vkt_barrier(cmd);
   vkx_submit_and_wait(vkx, cmd);
   vkt_expect(!memcmp(buffers[2].map, buffers[1].map, SIZE_B), "a buffer that left and came back");
   for (unsigned i = 0; i < 3; i++)
      vkx_buffer_destroy(vkx, &buffers[i]);
}

int
main(int argc, char **argv)
{
   vkx_expect_options(argc, argv, (const char *const[]){NULL}, "maintenance_8");
   struct vkx vkx = vkt_create("maintenance_8");
   if (!vkt_has("VK_KHR_maintenance8")) {
      vkt_skip("VK_KHR_maintenance8");
      vkt_expect(true, "nothing");
      return vkt_finish(&vkx);
   }
   for (unsigned i = 0; i < sizeof(pairs) / sizeof(pairs[0]); i++) {
      test_copy(&vkx, &pairs[i], true);
      test_copy(&vkx, &pairs[i], false);
   }
   test_blit(&vkx, true);
   test_blit(&vkx, false);
   test_offsets(&vkx);
   test_cache(&vkx);
   test_families(&vkx);
   return vkt_finish(&vkx);
}
