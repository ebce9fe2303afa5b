/* VK_AMD_shader_image_load_store_lod, VK_AMD_texture_gather_bias_lod and VK_AMD_shader_fragment_mask: levels that are
 * stored to and loaded, gathers from levels, fragments of samples. */
#include "vkt_dispatch.h"

static const uint32_t levels_code[] = {
#include "amd_images_levels.inc"
};
static const uint32_t gather_code[] = {
#include "amd_images_gather.inc"
};
static const uint32_t mask_code[] = {
#include "amd_images_mask.inc"
};

enum { SIZE_PX = 8, LEVELS = 3, RESULTS = 3 * SIZE_PX * SIZE_PX };

static const struct part {
   const char *extension;
   struct vkt_code code;
   VkDescriptorType type;
   uint32_t levels;
   VkSampleCountFlagBits samples;
} parts[] = {
   {"VK_AMD_shader_image_load_store_lod", VKT_CODE(levels_code), VK_DESCRIPTOR_TYPE_STORAGE_IMAGE, LEVELS,
    VK_SAMPLE_COUNT_1_BIT},
   {"VK_AMD_texture_gather_bias_lod", VKT_CODE(gather_code), VK_DESCRIPTOR_TYPE_COMBINED_IMAGE_SAMPLER, LEVELS,
    VK_SAMPLE_COUNT_1_BIT},
   {"VK_AMD_shader_fragment_mask", VKT_CODE(mask_code), VK_DESCRIPTOR_TYPE_COMBINED_IMAGE_SAMPLER, 1,
    VK_SAMPLE_COUNT_4_BIT},
};

/* Level n of images that shaders only read has the number 7 + n. */
static uint32_t
expected(const struct part *part, unsigned x, unsigned y, unsigned n)
{
   if (part->type == VK_DESCRIPTOR_TYPE_STORAGE_IMAGE)
      return 1 + 100 * n + 10 * (y >> n) + (x >> n);
   return part->levels > 1 ? 7 + n : 7;
}

static void
fill(struct vkx *vkx, const struct vkt_image *image, uint32_t levels)
{
   VkCommandBuffer cmd = vkx_begin(vkx);
   vkt_transition(cmd, image, VK_IMAGE_LAYOUT_UNDEFINED, VK_IMAGE_LAYOUT_GENERAL);
   for (uint32_t level = 0; level < levels; level++) {
      const VkClearColorValue color = {.uint32 = {7 + level, 0, 0, 0}};
      const VkImageSubresourceRange range = {VK_IMAGE_ASPECT_COLOR_BIT, level, 1, 0, 1};
      vkCmdClearColorImage(cmd, image->image, VK_IMAGE_LAYOUT_GENERAL, &color, 1, &range);
   }
   vkt_barrier(cmd);
   vkx_submit_and_wait(vkx, cmd);
}

static void
check(const struct part *part, const uint32_t (*results)[4])
{
   const bool gathers = part->levels > 1 && part->type != VK_DESCRIPTOR_TYPE_STORAGE_IMAGE;
   unsigned wrong = 0;
   for (unsigned i = 0; i < SIZE_PX * SIZE_PX; i++) {
      for (unsigned n = 0; n < 3; n++) {
         const uint32_t want = expected(part, i % SIZE_PX, i / SIZE_PX, n);
         for (unsigned c = 0; c < 4; c++)
            wrong += results[3 * i + n][c] != (c == 0 || gathers ? want : c == 3);
      }
   }
   vkt_expect(!wrong, "%s: %u of %u components are wrong; the first: %u %u %u", part->extension, wrong, 4 * RESULTS,
              results[0][0], results[1][0], results[2][0]);
}

static void
test(struct vkx *vkx, const struct part *part, VkSampler sampler)
{
   const bool storage = part->type == VK_DESCRIPTOR_TYPE_STORAGE_IMAGE;
   const VkImageUsageFlags usage = storage ? VK_IMAGE_USAGE_STORAGE_BIT : VK_IMAGE_USAGE_SAMPLED_BIT;
   struct vkt_image image = vkt_image_create(vkx,
                                             (VkImageCreateInfo){.imageType = VK_IMAGE_TYPE_2D,
                                                                 .format = VK_FORMAT_R32_UINT,
                                                                 .extent = {SIZE_PX, SIZE_PX, 1},
                                                                 .mipLevels = part->levels,
                                                                 .samples = part->samples,
                                                                 .usage = usage | VK_IMAGE_USAGE_TRANSFER_DST_BIT},
                                             false);
   const VkImageViewCreateInfo view_info = {.sType = VK_STRUCTURE_TYPE_IMAGE_VIEW_CREATE_INFO,
                                            .image = image.image,
                                            .viewType = VK_IMAGE_VIEW_TYPE_2D,
                                            .format = VK_FORMAT_R32_UINT,
                                            .subresourceRange = {VK_IMAGE_ASPECT_COLOR_BIT, 0, part->levels, 0, 1}};
   VkDescriptorImageInfo info = {.sampler = sampler, .imageLayout = VK_IMAGE_LAYOUT_GENERAL};
   vkx_check(vkCreateImageView(vkx->device, &view_info, NULL, &info.imageView), "vkCreateImageView");
   fill(vkx, &image, part->levels);
   struct vkx_buffer out = vkt_buffer_create(vkx, RESULTS * 16, 0xcc);
   vkt_dispatch(vkx, &(struct vkt_dispatch){.code = part->code,
                                            .num_buffers = 1,
                                            .buffers = &out,
                                            .image = &info,
                                            .image_type = part->type,
                                            .groups = 1});
   check(part, out.map);
   vkDestroyImageView(vkx->device, info.imageView, NULL);
   vkx_buffer_destroy(vkx, &out);
   vkt_image_destroy(vkx, &image);
}

int
main(void)
{
   vkt_level_stores = vkt_fragment_masks = true;
   struct vkx vkx = vkt_create("amd_images");
   const VkSamplerCreateInfo sampler_info = {.sType = VK_STRUCTURE_TYPE_SAMPLER_CREATE_INFO,
                                             .maxLod = VK_LOD_CLAMP_NONE};
   VkSampler sampler;
   vkt_expect(true, "the device is there");
   vkx_check(vkCreateSampler(vkx.device, &sampler_info, NULL, &sampler), "vkCreateSampler");
   for (unsigned i = 0; i < sizeof(parts) / sizeof(*parts); i++) {
      if (vkt_has(parts[i].extension))
         test(&vkx, &parts[i], sampler);
      else
         vkt_skip(parts[i].extension);
   }
   vkDestroySampler(vkx.device, sampler, NULL);
   return vkt_finish(&vkx);
}
