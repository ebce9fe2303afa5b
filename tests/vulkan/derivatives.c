/* VK_KHR_compute_shader_derivatives: which invocations are a quad, their derivatives, swaps and implicit levels of
 * detail, in groups of both kinds. */
#include <math.h>
#include <stdio.h>

#include "vkt_dispatch.h"

static const uint32_t linear_code[] = {
#include "derivatives_linear.inc"
};
static const uint32_t quads_code[] = {
#include "derivatives_quads.inc"
};

enum { GROUPS = 8, STRIDE = 96, ROWS = 11, LEVELS = 4, SIZE_PX = 64 };

/* What shaders/derivatives.comp says of the workgroup, and where it keeps results. */
static const struct kind {
   const char *name;
   struct vkt_code code;
   unsigned size[3];
   bool linear;
} kinds[] = {{"linear", VKT_CODE(linear_code), {12, 3, 2}, true}, {"quads", VKT_CODE(quads_code), {12, 4, 2}, false}};

/* The invocation that is corner c of the quad of i; *corner: which one i is. */
static unsigned
corner_of(const struct kind *kind, unsigned i, unsigned c, unsigned *corner)
{
   const unsigned x = i % kind->size[0], row = i / kind->size[0];
   *corner = kind->linear ? i & 3 : (x & 1) | (row & 1) << 1;
   if (kind->linear)
      return (i & ~3u) + c;
   return ((row & ~1u) + (c >> 1)) * kind->size[0] + (x & ~1u) + (c & 1);
}

/* Levels are numbers from 0 on. */
static void
fill_levels(struct vkx *vkx, const struct vkt_image *image)
{
   VkCommandBuffer cmd = vkx_begin(vkx);
   vkt_transition(cmd, image, VK_IMAGE_LAYOUT_UNDEFINED, VK_IMAGE_LAYOUT_GENERAL);
   for (uint32_t level = 0; level < LEVELS; level++) {
      const VkClearColorValue color = {.float32 = {(float)level, 0, 0, 0}};
      const VkImageSubresourceRange range = {VK_IMAGE_ASPECT_COLOR_BIT, level, 1, 0, 1};
      vkCmdClearColorImage(cmd, image->image, VK_IMAGE_LAYOUT_GENERAL, &color, 1, &range);
   }
   vkt_barrier(cmd);
   vkx_submit_and_wait(vkx, cmd);
}

static bool
is_one_of(float got, float a, float b)
{
   return got == a || got == b;
}

/* In bits the rows that are wrong. */
static unsigned
check(const struct kind *kind, const float *input, const float *results, unsigned group, unsigned i)
{
   const unsigned count = GROUPS * STRIDE, at = group * STRIDE;
   float got[ROWS], v[4];
   unsigned corner = 0, wrong = 0;
   for (unsigned c = 0; c < 4; c++)
      v[c] = input[at + corner_of(kind, i, c, &corner)];
   for (unsigned row = 0; row < ROWS; row++)
      got[row] = results[row * count + at + i];
   const float dx[2] = {v[1] - v[0], v[3] - v[2]}, dy[2] = {v[2] - v[0], v[3] - v[1]};
   /* A texture of 64 texels, steps of 2^n / 64: level n, and with the bias one more. */
   const float level = (float)(group % 4), biased = level + 1 > LEVELS - 1 ? LEVELS - 1 : level + 1;
   wrong |= (got[0] != 0) << 0 | (got[1] != dx[corner >> 1]) << 1 | (unsigned)(got[2] != dy[corner & 1]) << 2;
   wrong |= (unsigned)!is_one_of(got[3], dx[0], dx[1]) << 3 | (unsigned)!is_one_of(got[4], dy[0], dy[1]) << 4;
   wrong |= (unsigned)!is_one_of(got[5], dx[0], dx[1]) << 5 | (unsigned)!is_one_of(got[6], dy[0], dy[1]) << 6;
   wrong |= (unsigned)(got[7] != v[3 - corner]) << 7 | (unsigned)(fabsf(got[8] - level) > 0.02f) << 8;
   wrong |= (unsigned)(fabsf(got[9] - level) > 0.02f) << 9 | (unsigned)(fabsf(got[10] - biased) > 0.02f) << 10;
   return wrong;
}

static void
test(struct vkx *vkx, const struct kind *kind, const VkDescriptorImageInfo *levels)
{
   const unsigned used = kind->size[0] * kind->size[1] * kind->size[2];
   struct vkx_buffer buffers[2] = {vkt_buffer_create(vkx, GROUPS * STRIDE * 4, 0),
                                   vkt_buffer_create(vkx, ROWS * GROUPS * STRIDE * 4, 0xcc)};
   float *input = buffers[0].map;
   for (unsigned i = 0; i < GROUPS * STRIDE; i++)
      input[i] = (float)vkt_random_below(1000);
   vkt_dispatch(vkx, &(struct vkt_dispatch){.code = kind->code,
                                            .num_buffers = 2,
                                            .buffers = buffers,
                                            .image = levels,
                                            .image_type = VK_DESCRIPTOR_TYPE_COMBINED_IMAGE_SAMPLER,
                                            .image_binding = 2,
                                            .groups = GROUPS});
   unsigned wrong = 0, count = 0;
   for (unsigned group = 0; group < GROUPS; group++) {
      for (unsigned i = 0; i < used; i++) {
         const unsigned one = check(kind, input, buffers[1].map, group, i);
         wrong |= one;
         count += one != 0;
      }
   }
   vkt_expect(!wrong, "%s: %u invocations, rows %#x", kind->name, count, wrong);
   for (unsigned i = 0; i < 2; i++)
      vkx_buffer_destroy(vkx, &buffers[i]);
}

int
main(void)
{
   struct vkx vkx = vkt_create("derivatives");
   vkt_expect(true, "the device is there");
   if (!vkt_has("VK_KHR_compute_shader_derivatives")) {
      vkt_skip("VK_KHR_compute_shader_derivatives");
      return vkt_finish(&vkx);
   }
   const VkSamplerCreateInfo sampler_info = {.sType = VK_STRUCTURE_TYPE_SAMPLER_CREATE_INFO,
                                             .mipmapMode = VK_SAMPLER_MIPMAP_MODE_LINEAR,
                                             .maxLod = VK_LOD_CLAMP_NONE};
   struct vkt_image image =
      vkt_image_create(&vkx,
                       (VkImageCreateInfo){.imageType = VK_IMAGE_TYPE_2D,
                                           .format = VK_FORMAT_R32_SFLOAT,
                                           .extent = {SIZE_PX, SIZE_PX, 1},
                                           .mipLevels = LEVELS,
                                           .usage = VK_IMAGE_USAGE_SAMPLED_BIT | VK_IMAGE_USAGE_TRANSFER_DST_BIT},
                       false);
   const VkImageViewCreateInfo view_info = {.sType = VK_STRUCTURE_TYPE_IMAGE_VIEW_CREATE_INFO,
                                            .image = image.image,
                                            .viewType = VK_IMAGE_VIEW_TYPE_2D,
                                            .format = VK_FORMAT_R32_SFLOAT,
                                            .subresourceRange = {VK_IMAGE_ASPECT_COLOR_BIT, 0, LEVELS, 0, 1}};
   VkDescriptorImageInfo levels = {.imageLayout = VK_IMAGE_LAYOUT_GENERAL};
   vkx_check(vkCreateSampler(vkx.device, &sampler_info, NULL, &levels.sampler), "vkCreateSampler");
   vkx_check(vkCreateImageView(vkx.device, &view_info, NULL, &levels.imageView), "vkCreateImageView");
   fill_levels(&vkx, &image);
   for (unsigned i = 0; i < sizeof(kinds) / sizeof(*kinds); i++)
      test(&vkx, &kinds[i], &levels);
   vkDestroySampler(vkx.device, levels.sampler, NULL);
   vkDestroyImageView(vkx.device, levels.imageView, NULL);
   vkt_image_destroy(&vkx, &image);
   return vkt_finish(&vkx);
}
