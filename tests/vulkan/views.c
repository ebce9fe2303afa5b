/* Views of one layer and one level of array images of both tilings: rendered to, sampled from, read by the host.
 * Border colours through views that change the order of components. */
#include <stdio.h>
#include <string.h>

#include "vkt_draw.h"

static const uint32_t quad_vert[] = {
#include "quad.vert.inc"
};
static const uint32_t quad_frag[] = {
#include "quad.frag.inc"
};
static const uint32_t float_code[] = {
#include "views_float.inc"
};
static const uint32_t int_code[] = {
#include "views_int.inc"
};
static const uint32_t uint_code[] = {
#include "views_uint.inc"
};
static const uint32_t layers_code[] = {
#include "views_layers.inc"
};

static const uint32_t line_code[] = {
#include "views_line.inc"
};

#define ARRAY_SIZE(a) (sizeof(a) / sizeof((a)[0]))
#define BYTES(r, g, b, a) ((uint32_t)(r) | (uint32_t)(g) << 8 | (uint32_t)(b) << 16 | (uint32_t)(a) << 24)
enum { LANES = 64, MAX_SETS = 1024 };
enum shader { FLOAT, INT, UINT, LAYERS, LINE, NUM_SHADERS };

struct push {
   uint32_t at;
   int32_t layer;
};

static struct vkx *vkx;
static struct vkx_buffer results, texels;
static VkDescriptorSetLayout set_layout;
static VkPipelineLayout layout, quad_layout;
static VkPipeline pipelines[NUM_SHADERS];
static VkDescriptorPool pool;

static VkDescriptorSet
create_set(VkSampler sampler, VkImageView view)
{
   const struct vkt_descriptor descriptors[2] = {
      {VK_DESCRIPTOR_TYPE_STORAGE_BUFFER, .buffer = results.buffer},
      {VK_DESCRIPTOR_TYPE_COMBINED_IMAGE_SAMPLER, .view = view, .sampler = sampler}};
   return vkt_bindings_create(vkx, &pool, set_layout, 2, descriptors);
}

/* Writes LANES results from `at` on. layer < 0: next to the image. */
static void
look(VkCommandBuffer cmd, enum shader shader, VkSampler sampler, VkImageView view, uint32_t at, int32_t layer)
{
   VkDescriptorSet set = create_set(sampler, view);
   const struct push push = {at, layer};
   vkCmdBindPipeline(cmd, VK_PIPELINE_BIND_POINT_COMPUTE, pipelines[shader]);
   vkCmdBindDescriptorSets(cmd, VK_PIPELINE_BIND_POINT_COMPUTE, layout, 0, 1, &set, 0, NULL);
   vkCmdPushConstants(cmd, layout, VK_SHADER_STAGE_COMPUTE_BIT, 0, sizeof(push), &push);
   vkCmdDispatch(cmd, 1, 1, 1);
}

static VkSampler
create_sampler(VkFilter filter, VkBorderColor border, bool unnormalized)
{
   const VkSamplerCreateInfo info = {.sType = VK_STRUCTURE_TYPE_SAMPLER_CREATE_INFO,
                                     .magFilter = filter,
                                     .minFilter = filter,
                                     .addressModeU = VK_SAMPLER_ADDRESS_MODE_CLAMP_TO_BORDER,
                                     .addressModeV = VK_SAMPLER_ADDRESS_MODE_CLAMP_TO_BORDER,
                                     .addressModeW = VK_SAMPLER_ADDRESS_MODE_CLAMP_TO_BORDER,
                                     .borderColor = border,
                                     .unnormalizedCoordinates = unnormalized};
   VkSampler sampler;
   vkx_check(vkCreateSampler(vkx->device, &info, NULL, &sampler), "vkCreateSampler");
   return sampler;
}

/* ---- one layer, one level ---- */

enum { WIDTH = 72, HEIGHT = 40, COUNT_LAYERS = 5, MAX_LEVELS = 3 };

static bool lines; /* the image is 1D */

static VkExtent2D
extent_of(uint32_t level)
{
   return (VkExtent2D){WIDTH >> level, lines ? 1 : HEIGHT >> level};
}

/* A colour for each quadrant. */
static uint32_t
color_of(uint32_t layer, uint32_t level, uint32_t quadrant)
{
   return BYTES(layer * 40 + 10, level * 60 + 20, quadrant * 70 + 5, 255 - layer);
}

static uint32_t
color_at(uint32_t layer, uint32_t level, uint32_t x, uint32_t y)
{
   const VkExtent2D extent = extent_of(level);
   return color_of(layer, level, (x >= extent.width / 2) + 2 * (y >= extent.height / 2));
}

static void
draw_layer(const struct vkt_image *image, VkRenderPass pass, VkPipeline pipeline, uint32_t layer, uint32_t level)
{
   VkImageView view = vkt_view_create(vkx, image, lines ? VK_IMAGE_VIEW_TYPE_1D : VK_IMAGE_VIEW_TYPE_2D,
                                      VK_IMAGE_ASPECT_COLOR_BIT, level, layer, 1);
   const VkExtent2D extent = extent_of(level);
   const VkFramebufferCreateInfo info = {.sType = VK_STRUCTURE_TYPE_FRAMEBUFFER_CREATE_INFO,
                                         .renderPass = pass,
                                         .attachmentCount = 1,
                                         .pAttachments = &view,
                                         .width = extent.width,
                                         .height = extent.height,
                                         .layers = 1};
   VkFramebuffer framebuffer;
   vkx_check(vkCreateFramebuffer(vkx->device, &info, NULL, &framebuffer), "vkCreateFramebuffer");
   const VkRenderPassBeginInfo begin = {.sType = VK_STRUCTURE_TYPE_RENDER_PASS_BEGIN_INFO,
                                        .renderPass = pass,
                                        .framebuffer = framebuffer,
                                        .renderArea = {{0, 0}, extent}};
   VkCommandBuffer cmd = vkx_begin(vkx);
   vkCmdBeginRenderPass(cmd, &begin, VK_SUBPASS_CONTENTS_INLINE);
   vkt_set_viewport(cmd, extent);
   vkCmdBindPipeline(cmd, VK_PIPELINE_BIND_POINT_GRAPHICS, pipeline);
   for (uint32_t i = lines ? 2 : 0; i < 4; i++) { /* the lower quadrants of a line */
      const uint32_t x = i % 2 * extent.width / 2, y = i / 2 * (extent.height / 2), bytes = color_of(layer, level, i);
      const float color[4] = {(float)(bytes & 255) / 255, (float)(bytes >> 8 & 255) / 255,
                              (float)(bytes >> 16 & 255) / 255, (float)(bytes >> 24) / 255};
      vkt_draw_quad(cmd, quad_layout, extent, x, y, x + extent.width / 2, lines ? 1 : y + extent.height / 2, 0,
                    color);
   }
   vkCmdEndRenderPass(cmd);
   vkt_barrier(cmd);
   vkx_submit_and_wait(vkx, cmd);
   vkDestroyFramebuffer(vkx->device, framebuffer, NULL);
   vkDestroyImageView(vkx->device, view, NULL);
}

/* What LANES lanes saw of a layer and a level. */
static bool
saw(uint32_t at, uint32_t layer, uint32_t level)
{
   const VkExtent2D extent = extent_of(level);
   for (uint32_t lane = 0; lane < LANES; lane++) {
      const float *got = (float *)results.map + 4 * (at + lane);
      const uint32_t bytes = color_at(layer, level, lane % 8 * extent.width / 8, lane / 8 * extent.height / 8);
      for (unsigned c = 0; c < 4; c++) {
         if (got[c] < ((float)(bytes >> 8 * c & 255) - 0.25f) / 255 ||
             got[c] > ((float)(bytes >> 8 * c & 255) + 0.25f) / 255)
            return false;
      }
   }
   return true;
}

/* Through a view of only the layer, and through an array that begins with the layer before it. */
static void
check_views(const struct vkt_image *image, const char *name)
{
   VkImageView views[2 * COUNT_LAYERS * MAX_LEVELS];
   uint32_t count = 0;
   const uint32_t levels = image->info.mipLevels;
   VkSampler sampler = create_sampler(VK_FILTER_NEAREST, VK_BORDER_COLOR_FLOAT_OPAQUE_WHITE, false);
   VkSampler texels_sampler = create_sampler(VK_FILTER_LINEAR, VK_BORDER_COLOR_FLOAT_OPAQUE_WHITE, true);
   VkCommandBuffer cmd = vkx_begin(vkx);
   for (uint32_t i = 0; i < COUNT_LAYERS * levels; i++) {
      const uint32_t layer = i / levels, level = i % levels, first = layer ? layer - 1 : 0;
      views[count] = vkt_view_create(vkx, image, lines ? VK_IMAGE_VIEW_TYPE_1D : VK_IMAGE_VIEW_TYPE_2D,
                                     VK_IMAGE_ASPECT_COLOR_BIT, level, layer, 1);
      look(cmd, lines ? LINE : FLOAT, sampler, views[count], LANES * (i * 3), 0);
      if (lines) {
         count++;
         continue;
      }
      look(cmd, FLOAT, texels_sampler, views[count], LANES * (i * 3 + 1), -3);
      count++;
      views[count] = vkt_view_create(vkx, image, VK_IMAGE_VIEW_TYPE_2D_ARRAY, VK_IMAGE_ASPECT_COLOR_BIT, level, first,
                                     COUNT_LAYERS - first);
      look(cmd, LAYERS, sampler, views[count], LANES * (i * 3 + 2), (int32_t)(layer - first));
      count++;
   }
   vkt_barrier(cmd);
   vkx_submit_and_wait(vkx, cmd);
   for (uint32_t i = 0; i < COUNT_LAYERS * levels; i++) {
      const uint32_t layer = i / levels, level = i % levels;
      vkt_expect(saw(LANES * 3 * i, layer, level), "%s: a view of layer %u, level %u", name, layer, level);
      if (lines)
         continue;
      vkt_expect(saw(LANES * (3 * i + 1), layer, level), "%s: layer %u, level %u by texels", name, layer, level);
      vkt_expect(saw(LANES * (3 * i + 2), layer, level), "%s: layer %u, level %u in an array", name, layer, level);
   }
   for (uint32_t i = 0; i < count; i++)
      vkDestroyImageView(vkx->device, views[i], NULL);
   vkDestroySampler(vkx->device, sampler, NULL);
   vkDestroySampler(vkx->device, texels_sampler, NULL);
}

static void
check_bytes(const struct vkt_image *image, const char *name)
{
   const bool linear = image->info.tiling == VK_IMAGE_TILING_LINEAR;
   const uint8_t *map = NULL;
   if (linear)
      vkx_check(vkMapMemory(vkx->device, image->memory, 0, VK_WHOLE_SIZE, 0, (void **)&map), "vkMapMemory");
   for (uint32_t level = 0; level < image->info.mipLevels; level++) {
      const VkExtent2D extent = extent_of(level);
      bool copied = true, mapped = true;
      vkt_read(vkx, image, VK_IMAGE_ASPECT_COLOR_BIT, level, &texels);
      for (uint32_t i = 0; i < extent.width * extent.height * COUNT_LAYERS; i++) {
         const uint32_t x = i % extent.width, y = i / extent.width % extent.height;
         const uint32_t layer = i / extent.width / extent.height, want = color_at(layer, level, x, y);
         copied &= ((uint32_t *)texels.map)[i] == want;
         if (!linear)
            continue;
         const VkImageSubresource place = {VK_IMAGE_ASPECT_COLOR_BIT, level, layer};
         VkSubresourceLayout where;
         vkGetImageSubresourceLayout(vkx->device, image->image, &place, &where);
         uint32_t word;
         memcpy(&word, map + where.offset + y * where.rowPitch + 4 * x, 4);
         mapped &= word == want;
      }
      vkt_expect(copied, "%s: copy of level %u", name, level);
      vkt_expect(mapped, "%s: the host's view", name);
   }
   if (linear)
      vkUnmapMemory(vkx->device, image->memory);
}

static void
check_layers(VkImageType type, VkImageTiling tiling, uint32_t levels, VkRenderPass pass, VkPipeline pipeline)
{
   const VkImageUsageFlags usage =
      VK_IMAGE_USAGE_COLOR_ATTACHMENT_BIT | VK_IMAGE_USAGE_SAMPLED_BIT | VK_IMAGE_USAGE_TRANSFER_SRC_BIT;
   lines = type == VK_IMAGE_TYPE_1D;
   const bool linear = tiling == VK_IMAGE_TILING_LINEAR;
   const char *name = lines ? (linear ? "1D linear" : "1D") : linear ? "linear" : "optimal";
   VkImageFormatProperties limits;
   if (vkGetPhysicalDeviceImageFormatProperties(vkx->physical, VK_FORMAT_R8G8B8A8_UNORM, type, tiling, usage, 0,
                                                &limits) != VK_SUCCESS ||
       limits.maxArrayLayers < COUNT_LAYERS || limits.maxMipLevels < levels) {
      vkt_skip("linear images with layers");
      return;
   }
   struct vkt_image image = vkt_image_create(vkx,
                                             (VkImageCreateInfo){.imageType = type,
                                                                 .format = VK_FORMAT_R8G8B8A8_UNORM,
                                                                 .extent = {WIDTH, lines ? 1 : HEIGHT, 1},
                                                                 .mipLevels = levels,
                                                                 .arrayLayers = COUNT_LAYERS,
                                                                 .tiling = tiling,
                                                                 .usage = usage},
                                             linear);
   VkCommandBuffer cmd = vkx_begin(vkx);
   vkt_transition(cmd, &image, VK_IMAGE_LAYOUT_UNDEFINED, VK_IMAGE_LAYOUT_GENERAL);
   vkx_submit_and_wait(vkx, cmd);
   for (uint32_t i = 0; i < COUNT_LAYERS * levels; i++)
      draw_layer(&image, pass, pipeline, i / levels, i % levels);
   check_bytes(&image, name);
   check_views(&image, name);
   vkt_image_destroy(vkx, &image);
}

/* ---- border colours ---- */

static const struct format {
   VkFormat format;
   const char *name;
   unsigned components;
   enum shader shader;
} formats[] = {
   {VK_FORMAT_R8G8B8A8_UNORM, "R8G8B8A8_UNORM", 4, FLOAT},
   {VK_FORMAT_B8G8R8A8_UNORM, "B8G8R8A8_UNORM", 4, FLOAT},
   {VK_FORMAT_B8G8R8A8_SRGB, "B8G8R8A8_SRGB", 4, FLOAT},
   {VK_FORMAT_A8B8G8R8_SNORM_PACK32, "A8B8G8R8_SNORM_PACK32", 4, FLOAT},
   {VK_FORMAT_A2B10G10R10_UNORM_PACK32, "A2B10G10R10_UNORM_PACK32", 4, FLOAT},
   {VK_FORMAT_A2R10G10B10_UNORM_PACK32, "A2R10G10B10_UNORM_PACK32", 4, FLOAT},
   {VK_FORMAT_A1R5G5B5_UNORM_PACK16, "A1R5G5B5_UNORM_PACK16", 4, FLOAT},
   {VK_FORMAT_B5G5R5A1_UNORM_PACK16, "B5G5R5A1_UNORM_PACK16", 4, FLOAT},
   {VK_FORMAT_R5G5B5A1_UNORM_PACK16, "R5G5B5A1_UNORM_PACK16", 4, FLOAT},
   {VK_FORMAT_R4G4B4A4_UNORM_PACK16, "R4G4B4A4_UNORM_PACK16", 4, FLOAT},
   {VK_FORMAT_B4G4R4A4_UNORM_PACK16, "B4G4R4A4_UNORM_PACK16", 4, FLOAT},
   {VK_FORMAT_R16G16B16A16_SFLOAT, "R16G16B16A16_SFLOAT", 4, FLOAT},
   {VK_FORMAT_R32G32B32A32_SFLOAT, "R32G32B32A32_SFLOAT", 4, FLOAT},
   {VK_FORMAT_BC1_RGBA_UNORM_BLOCK, "BC1_RGBA_UNORM_BLOCK", 4, FLOAT},
   {VK_FORMAT_BC7_UNORM_BLOCK, "BC7_UNORM_BLOCK", 4, FLOAT},
   {VK_FORMAT_R5G6B5_UNORM_PACK16, "R5G6B5_UNORM_PACK16", 3, FLOAT},
   {VK_FORMAT_B5G6R5_UNORM_PACK16, "B5G6R5_UNORM_PACK16", 3, FLOAT},
   {VK_FORMAT_B10G11R11_UFLOAT_PACK32, "B10G11R11_UFLOAT_PACK32", 3, FLOAT},
   {VK_FORMAT_E5B9G9R9_UFLOAT_PACK32, "E5B9G9R9_UFLOAT_PACK32", 3, FLOAT},
   {VK_FORMAT_BC1_RGB_UNORM_BLOCK, "BC1_RGB_UNORM_BLOCK", 3, FLOAT},
   {VK_FORMAT_R8G8_UNORM, "R8G8_UNORM", 2, FLOAT},
   {VK_FORMAT_R32G32_SFLOAT, "R32G32_SFLOAT", 2, FLOAT},
   {VK_FORMAT_BC5_UNORM_BLOCK, "BC5_UNORM_BLOCK", 2, FLOAT},
   {VK_FORMAT_R8_UNORM, "R8_UNORM", 1, FLOAT},
   {VK_FORMAT_R16_SFLOAT, "R16_SFLOAT", 1, FLOAT},
   {VK_FORMAT_BC4_UNORM_BLOCK, "BC4_UNORM_BLOCK", 1, FLOAT},
   {VK_FORMAT_R8G8B8A8_UINT, "R8G8B8A8_UINT", 4, UINT},
   {VK_FORMAT_A2B10G10R10_UINT_PACK32, "A2B10G10R10_UINT_PACK32", 4, UINT},
   {VK_FORMAT_R32G32B32A32_UINT, "R32G32B32A32_UINT", 4, UINT},
   {VK_FORMAT_R16G16_UINT, "R16G16_UINT", 2, UINT},
   {VK_FORMAT_R8_UINT, "R8_UINT", 1, UINT},
   {VK_FORMAT_R16G16B16A16_SINT, "R16G16B16A16_SINT", 4, INT},
   {VK_FORMAT_R32_SINT, "R32_SINT", 1, INT},
};

#define S(x) VK_COMPONENT_SWIZZLE_##x
static const VkComponentMapping mappings[] = {{S(IDENTITY), S(IDENTITY), S(IDENTITY), S(IDENTITY)},
                                              {S(B), S(G), S(R), S(A)},
                                              {S(A), S(B), S(G), S(R)},
                                              {S(G), S(B), S(A), S(R)},
                                              {S(ONE), S(A), S(ZERO), S(R)},
                                              {S(A), S(A), S(A), S(A)},
                                              {S(R), S(R), S(R), S(ONE)}};

/* What component c of a colour is after a view: 0: transparent black, 1: opaque black, 2: white, 3: red and blue
 * without alpha. */
static float
component_of_view(const struct format *format, const VkComponentMapping *mapping, unsigned color, unsigned c)
{
   const VkComponentSwizzle list[4] = {mapping->r, mapping->g, mapping->b, mapping->a};
   const unsigned from = list[c] == VK_COMPONENT_SWIZZLE_IDENTITY ? c : (unsigned)(list[c] - VK_COMPONENT_SWIZZLE_R);
   if (list[c] == VK_COMPONENT_SWIZZLE_ONE || list[c] == VK_COMPONENT_SWIZZLE_ZERO)
      return list[c] == VK_COMPONENT_SWIZZLE_ONE;
   if (from >= format->components)
      return from == 3;
   return color == 2 || (color == 1 && from == 3) || (color == 3 && from % 2 == 0);
}

/* In a gather, all of a lane's words are one component of the view; its first lanes look into the image. */
static bool
is_border_right(const struct format *format, const VkComponentMapping *mapping, unsigned color, bool gather,
                uint32_t at)
{
   const bool compressed = format->name[0] == 'B' && format->name[1] == 'C'; /* not cleared */
   for (unsigned i = gather && compressed ? LANES * 2 : 0; i < LANES * 4; i++) {
      const uint32_t *word = (uint32_t *)results.map + 4 * at + i;
      const float want =
         component_of_view(format, mapping, gather && i < LANES * 2 ? 3 : color, gather ? i / 4 % 4 : i % 4);
      float got = (float)*word;
      if (format->shader == FLOAT)
         memcpy(&got, word, 4);
      if (got != want) {
         printf("   component %u of lane %u: %g, not %g\n", i % 4, i / 4, (double)got, (double)want);
         return false;
      }
   }
   return true;
}

/* Red and blue are 1, green and alpha 0. */
static void
clear(VkCommandBuffer cmd, const struct format *format, const struct vkt_image *image)
{
   const VkImageSubresourceRange range = {VK_IMAGE_ASPECT_COLOR_BIT, 0, 1, 0, 1};
   VkClearColorValue color = {.float32 = {1, 0, 1, 0}};
   if (format->shader != FLOAT)
      color = (VkClearColorValue){.uint32 = {1, 0, 1, 0}};
   if (format->name[0] != 'B' || format->name[1] != 'C')
      vkCmdClearColorImage(cmd, image->image, VK_IMAGE_LAYOUT_GENERAL, &color, 1, &range);
   vkt_barrier(cmd);
}

static void
check_border(const struct format *format, VkFilter filter)
{
   VkImageView views[ARRAY_SIZE(mappings)];
   VkSampler samplers[3];
   struct vkt_image image =
      vkt_image_create(vkx,
                       (VkImageCreateInfo){.imageType = VK_IMAGE_TYPE_2D,
                                           .format = format->format,
                                           .extent = {16, 16, 1},
                                           .usage = VK_IMAGE_USAGE_SAMPLED_BIT | VK_IMAGE_USAGE_TRANSFER_DST_BIT},
                       false);
   VkCommandBuffer cmd = vkx_begin(vkx);
   vkt_transition(cmd, &image, VK_IMAGE_LAYOUT_UNDEFINED, VK_IMAGE_LAYOUT_GENERAL);
   clear(cmd, format, &image);
   for (unsigned color = 0; color < 3; color++)
      samplers[color] = create_sampler(filter, (VkBorderColor)(2 * color + (format->shader != FLOAT)), false);
   for (unsigned m = 0; m < ARRAY_SIZE(mappings); m++) {
      const VkImageViewCreateInfo info = {.sType = VK_STRUCTURE_TYPE_IMAGE_VIEW_CREATE_INFO,
                                          .image = image.image,
                                          .viewType = VK_IMAGE_VIEW_TYPE_2D,
                                          .format = format->format,
                                          .components = mappings[m],
                                          .subresourceRange = {VK_IMAGE_ASPECT_COLOR_BIT, 0, 1, 0, 1}};
      vkx_check(vkCreateImageView(vkx->device, &info, NULL, &views[m]), "vkCreateImageView");
      for (unsigned i = 0; i < 6; i++)
         look(cmd, format->shader, samplers[i / 2], views[m], LANES * (6 * m + i), i % 2 ? -2 : -1);
   }
   vkt_barrier(cmd);
   vkx_submit_and_wait(vkx, cmd);
   for (unsigned m = 0; m < ARRAY_SIZE(mappings); m++) {
      for (unsigned i = 0; i < 6; i++)
         vkt_expect(is_border_right(format, &mappings[m], i / 2, i % 2, LANES * (6 * m + i)),
                    "%s, mapping %u, border colour %u, %s%s", format->name, m, i / 2,
                    filter == VK_FILTER_LINEAR ? "linear" : "nearest", i % 2 ? ", gathered" : "");
      vkDestroyImageView(vkx->device, views[m], NULL);
   }
   for (unsigned color = 0; color < 3; color++)
      vkDestroySampler(vkx->device, samplers[color], NULL);
   vkt_image_destroy(vkx, &image);
   vkx_check(vkResetDescriptorPool(vkx->device, pool, 0), "vkResetDescriptorPool");
}

/* ---- */

static void
create_objects(void)
{
   static const struct vkt_code codes[NUM_SHADERS] = {{float_code, sizeof(float_code)},
                                                      {int_code, sizeof(int_code)},
                                                      {uint_code, sizeof(uint_code)},
                                                      {layers_code, sizeof(layers_code)},
                                                      {line_code, sizeof(line_code)}};
   const VkDescriptorType types[2] = {VK_DESCRIPTOR_TYPE_STORAGE_BUFFER, VK_DESCRIPTOR_TYPE_COMBINED_IMAGE_SAMPLER};
   const VkDescriptorPoolSize sizes[2] = {{types[0], MAX_SETS}, {types[1], MAX_SETS}};
   const VkDescriptorPoolCreateInfo info = {.sType = VK_STRUCTURE_TYPE_DESCRIPTOR_POOL_CREATE_INFO,
                                            .maxSets = MAX_SETS,
                                            .poolSizeCount = 2,
                                            .pPoolSizes = sizes};
   results = vkt_buffer_create(vkx, 64 * LANES * 16, 0xff);
   texels = vkt_buffer_create(vkx, WIDTH * HEIGHT * COUNT_LAYERS * 4, 0);
   set_layout = vkx_set_layout_create(vkx, 2, types, VK_SHADER_STAGE_COMPUTE_BIT);
   layout = vkx_pipeline_layout_create(vkx, set_layout, VK_SHADER_STAGE_COMPUTE_BIT, sizeof(struct push));
   quad_layout = vkt_quad_layout_create(vkx);
   vkx_check(vkCreateDescriptorPool(vkx->device, &info, NULL, &pool), "vkCreateDescriptorPool");
   for (unsigned i = 0; i < NUM_SHADERS; i++)
      pipelines[i] =
         vkx_compute_pipeline_create(vkx, layout, vkx_shader_create(vkx, codes[i].words, codes[i].size_B));
}

static void
destroy_objects(void)
{
   for (unsigned i = 0; i < NUM_SHADERS; i++)
      vkDestroyPipeline(vkx->device, pipelines[i], NULL);
   vkDestroyDescriptorPool(vkx->device, pool, NULL);
   vkDestroyPipelineLayout(vkx->device, layout, NULL);
   vkDestroyPipelineLayout(vkx->device, quad_layout, NULL);
   vkDestroyDescriptorSetLayout(vkx->device, set_layout, NULL);
   vkx_buffer_destroy(vkx, &results);
   vkx_buffer_destroy(vkx, &texels);
}

/* views [--quirks lavapipe] */
int
main(int argc, char **argv)
{
   struct vkx device = vkt_create("views");
   /* lavapipe compiles a program for each sampler and view. */
   const bool slow = !strcmp(vkx_option(argc, argv, "--quirks", ""), "lavapipe");
   vkx = &device;
   create_objects();
   /* A target only for its pass, which keeps what is there. */
   struct vkt_target target = vkt_target_create(vkx, VK_FORMAT_R8G8B8A8_UNORM, VK_FORMAT_UNDEFINED,
                                                (VkExtent2D){16, 16}, 1, VK_SAMPLE_COUNT_1_BIT);
   VkPipeline pipeline = vkt_pipeline_create(vkx, &(struct vkt_pipeline_info){.pass = target.load_pass,
                                                                              .layout = quad_layout,
                                                                              .vertex = VKT_CODE(quad_vert),
                                                                              .fragment = VKT_CODE(quad_frag)});
   check_layers(VK_IMAGE_TYPE_2D, VK_IMAGE_TILING_LINEAR, 1, target.load_pass, pipeline);
   check_layers(VK_IMAGE_TYPE_1D, VK_IMAGE_TILING_LINEAR, 1, target.load_pass, pipeline);
   check_layers(VK_IMAGE_TYPE_2D, VK_IMAGE_TILING_OPTIMAL, MAX_LEVELS, target.load_pass, pipeline);
   check_layers(VK_IMAGE_TYPE_1D, VK_IMAGE_TILING_OPTIMAL, MAX_LEVELS, target.load_pass, pipeline);
   for (unsigned i = 0; i < ARRAY_SIZE(formats); i++) {
      VkFormatProperties properties;
      vkGetPhysicalDeviceFormatProperties(vkx->physical, formats[i].format, &properties);
      if (properties.optimalTilingFeatures & VK_FORMAT_FEATURE_SAMPLED_IMAGE_BIT)
         check_border(&formats[i], VK_FILTER_NEAREST);
      else
         vkt_skip(formats[i].name);
      if (properties.optimalTilingFeatures & VK_FORMAT_FEATURE_SAMPLED_IMAGE_FILTER_LINEAR_BIT && !slow)
         check_border(&formats[i], VK_FILTER_LINEAR);
   }
   vkDestroyPipeline(vkx->device, pipeline, NULL);
   vkt_target_destroy(vkx, &target);
   destroy_objects();
   return vkt_finish(vkx);
}
