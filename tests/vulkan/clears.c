/* Clears of images and attachments, blits and resolves; the expected texels are computed here. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "color_texels.h"
#include "vkt.h"

#define BUFFER_B (1u << 18)
#define TRANSFER (VK_IMAGE_USAGE_TRANSFER_SRC_BIT | VK_IMAGE_USAGE_TRANSFER_DST_BIT)
#define ARRAY_SIZE(a) (sizeof(a) / sizeof((a)[0]))

/* Reads one aspect of a level, all layers or slices, to the start of the buffer. */
static void
read_level(struct vkx *vkx, const struct vkt_image *image, VkImageAspectFlags aspect, uint32_t level,
           struct vkx_buffer *buffer)
{
   const VkExtent3D size = image->info.extent;
   const VkBufferImageCopy copy = {
      .imageSubresource = {aspect, level, 0, image->info.arrayLayers},
      .imageExtent = {size.width >> level, size.height >> level, size.depth >> level ? size.depth >> level : 1}};
   VkCommandBuffer cmd = vkx_begin(vkx);
   memset(buffer->map, 0xcc, BUFFER_B);
   vkCmdCopyImageToBuffer(cmd, image->image, VK_IMAGE_LAYOUT_GENERAL, buffer->buffer, 1, &copy);
   vkt_barrier(cmd);
   vkx_submit_and_wait(vkx, cmd);
}

/* ---- clears of images ---- */

/* The first two words of the value are one number. */
static const struct color_clear wide_clears[] = {
   {VK_FORMAT_R64_UINT, {.uint32 = {0xdeadbeef, 5}}, 8, {0xef, 0xbe, 0xad, 0xde, 5, 0, 0, 0}},
   {VK_FORMAT_R64_SINT, {.int32 = {-2, -1}}, 8, {0xfe, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff}},
};

static const struct clear_shape {
   const char *name;
   VkImageType type;
   VkExtent3D extent;
   uint32_t levels, layers;
   VkImageTiling tiling;
   VkImageSubresourceRange range; /* of the second clear */
} clear_shapes[] = {
   {"array", VK_IMAGE_TYPE_2D, {36, 20, 1}, 3, 4, VK_IMAGE_TILING_OPTIMAL, {0, 1, 1, 1, 2}},
   {"rest of array",
    VK_IMAGE_TYPE_2D,
    {36, 20, 1},
    3,
    4,
    VK_IMAGE_TILING_OPTIMAL,
    {0, 1, VK_REMAINING_MIP_LEVELS, 3, VK_REMAINING_ARRAY_LAYERS}},
   {"1d", VK_IMAGE_TYPE_1D, {64, 1, 1}, 1, 2, VK_IMAGE_TILING_OPTIMAL, {0, 0, 1, 1, 1}},
   {"3d", VK_IMAGE_TYPE_3D, {12, 10, 5}, 1, 1, VK_IMAGE_TILING_OPTIMAL, {0, 0, 1, 0, 1}},
   {"linear", VK_IMAGE_TYPE_2D, {36, 20, 1}, 1, 1, VK_IMAGE_TILING_LINEAR, {0, 0, 1, 0, 1}},
};

static bool
in_range(uint32_t at, uint32_t first, uint32_t count)
{
   return at >= first && at - first < count;
}

/* Do the level's texels hold `inside` where the range is and zeros elsewhere? */
static bool
check_level(const struct vkx_buffer *buffer, const struct vkt_image *image, uint32_t level,
            const VkImageSubresourceRange *range, const uint8_t *inside, uint32_t size_B)
{
   static const uint8_t zero[16];
   const VkExtent3D size = image->info.extent;
   uint32_t depth = size.depth >> level ? size.depth >> level : 1;
   uint32_t per_layer = (size.width >> level) * (size.height >> level) * depth;
   const uint8_t *texel = buffer->map;
   for (uint32_t i = 0; i < per_layer * image->info.arrayLayers; i++, texel += size_B) {
      bool in = in_range(level, range->baseMipLevel, range->levelCount) &&
                in_range(i / per_layer, range->baseArrayLayer, range->layerCount);
      if (memcmp(texel, in ? inside : zero, size_B))
         return false;
   }
   return true;
}

static void
test_color_clear(struct vkx *vkx, const struct color_clear *row, const struct clear_shape *shape,
                 struct vkx_buffer *buffer)
{
   VkImageFormatProperties properties;
   if (vkGetPhysicalDeviceImageFormatProperties(vkx->physical, row->format, shape->type, shape->tiling, TRANSFER, 0,
                                                &properties) != VK_SUCCESS)
      return;
   struct vkt_image image = vkt_image_create(vkx,
                                             (VkImageCreateInfo){.imageType = shape->type,
                                                                 .format = row->format,
                                                                 .extent = shape->extent,
                                                                 .mipLevels = shape->levels,
                                                                 .arrayLayers = shape->layers,
                                                                 .tiling = shape->tiling,
                                                                 .usage = TRANSFER},
                                             false);
   const VkClearColorValue black = {.uint32 = {0, 0, 0, 0}};
   const VkImageSubresourceRange all = {VK_IMAGE_ASPECT_COLOR_BIT, 0, VK_REMAINING_MIP_LEVELS, 0,
                                        VK_REMAINING_ARRAY_LAYERS};
   VkImageSubresourceRange range = shape->range;
   range.aspectMask = VK_IMAGE_ASPECT_COLOR_BIT;
   VkCommandBuffer cmd = vkx_begin(vkx);
   vkt_transition(cmd, &image, VK_IMAGE_LAYOUT_UNDEFINED, VK_IMAGE_LAYOUT_GENERAL);
   vkCmdClearColorImage(cmd, image.image, VK_IMAGE_LAYOUT_GENERAL, &black, 1, &all);
   vkt_barrier(cmd);
   vkCmdClearColorImage(cmd, image.image, VK_IMAGE_LAYOUT_GENERAL, &row->color, 1, &range);
   vkt_barrier(cmd);
   vkx_submit_and_wait(vkx, cmd);
   for (uint32_t level = 0; level < shape->levels; level++) {
      read_level(vkx, &image, VK_IMAGE_ASPECT_COLOR_BIT, level, buffer);
      vkt_expect(check_level(buffer, &image, level, &range, row->bytes, row->size_B),
                 "clear of format %d, %s, level %u", row->format, shape->name, level);
   }
   vkt_image_destroy(vkx, &image);
}

static void
test_depth_clear(struct vkx *vkx, VkFormat format, const struct clear_shape *shape, struct vkx_buffer *buffer)
{
   struct vkt_image image =
      vkt_image_create(vkx,
                       (VkImageCreateInfo){.imageType = shape->type,
                                           .format = format,
                                           .extent = shape->extent,
                                           .mipLevels = shape->levels,
                                           .arrayLayers = shape->layers,
                                           .usage = TRANSFER | VK_IMAGE_USAGE_DEPTH_STENCIL_ATTACHMENT_BIT},
                       false);
   const VkImageAspectFlags aspects = vkt_aspects(format);
   const VkClearDepthStencilValue zero = {0, 0}, value = {0.25f, 0x5a};
   const uint8_t quarter16[2] = {0x00, 0x40}, quarter32[4] = {0, 0, 0x80, 0x3e}, stencil = 0x5a;
   const VkImageSubresourceRange all = {aspects, 0, VK_REMAINING_MIP_LEVELS, 0, VK_REMAINING_ARRAY_LAYERS};
   for (VkImageAspectFlags cleared = aspects; cleared; cleared = (cleared - 1) & aspects) {
      VkImageSubresourceRange range = shape->range;
      range.aspectMask = cleared;
      VkCommandBuffer cmd = vkx_begin(vkx);
      vkt_transition(cmd, &image, VK_IMAGE_LAYOUT_UNDEFINED, VK_IMAGE_LAYOUT_GENERAL);
      vkCmdClearDepthStencilImage(cmd, image.image, VK_IMAGE_LAYOUT_GENERAL, &zero, 1, &all);
      vkt_barrier(cmd);
      vkCmdClearDepthStencilImage(cmd, image.image, VK_IMAGE_LAYOUT_GENERAL, &value, 1, &range);
      vkt_barrier(cmd);
      vkx_submit_and_wait(vkx, cmd);
      for (uint32_t level = 0; level < shape->levels; level++) {
         for (VkImageAspectFlags bit = VK_IMAGE_ASPECT_DEPTH_BIT; bit <= VK_IMAGE_ASPECT_STENCIL_BIT; bit <<= 1) {
            if (!(aspects & bit))
               continue;
            bool depth16 = format == VK_FORMAT_D16_UNORM;
            const uint8_t *inside = bit == VK_IMAGE_ASPECT_STENCIL_BIT ? &stencil : depth16 ? quarter16 : quarter32;
            uint32_t size_B = bit == VK_IMAGE_ASPECT_STENCIL_BIT ? 1 : depth16 ? 2 : 4;
            VkImageSubresourceRange changed = range;
            if (!(cleared & bit))
               changed.levelCount = 0;
            read_level(vkx, &image, bit, level, buffer);
            vkt_expect(check_level(buffer, &image, level, &changed, inside, size_B),
                       "clear of aspects %u of format %d, %s, level %u, aspect %u", cleared, format, shape->name,
                       level, bit);
         }
      }
   }
   vkt_image_destroy(vkx, &image);
}

/* ---- blits ---- */

/* Formats that are read and written here. */
enum kind { UNORM8, BGRA8, SRGB8, FLOAT32, FLOAT32x1, UINT8, UINT32 };

static const struct blit_format {
   VkFormat format;
   enum kind kind;
   uint32_t size_B;
} blit_formats[] = {
   [UNORM8] = {VK_FORMAT_R8G8B8A8_UNORM, UNORM8, 4},     [BGRA8] = {VK_FORMAT_B8G8R8A8_UNORM, BGRA8, 4},
   [SRGB8] = {VK_FORMAT_R8G8B8A8_SRGB, SRGB8, 4},        [FLOAT32] = {VK_FORMAT_R32G32B32A32_SFLOAT, FLOAT32, 16},
   [FLOAT32x1] = {VK_FORMAT_R32_SFLOAT, FLOAT32x1, 4},   [UINT8] = {VK_FORMAT_R8G8B8A8_UINT, UINT8, 4},
   [UINT32] = {VK_FORMAT_R32G32B32A32_UINT, UINT32, 16},
};

/* As linear numbers. */
static void
texel_read(enum kind kind, const uint8_t *texel, double rgba[4])
{
   float f[4] = {0, 0, 0, 1};
   uint32_t u[4];
   memcpy(f, texel, kind == FLOAT32 ? 16 : kind == FLOAT32x1 ? 4 : 0);
   memcpy(u, texel, kind == UINT32 ? 16 : 0);
   for (unsigned i = 0; i < 4; i++) {
      double unorm = texel[kind == BGRA8 && i < 3 ? 2 - i : i % (kind == FLOAT32x1 ? 1 : 4)] / 255.0;
      if (kind == FLOAT32 || kind == FLOAT32x1)
         rgba[i] = f[i];
      else if (kind == UINT32)
         rgba[i] = u[i];
      else if (kind == UINT8)
         rgba[i] = texel[i];
      else if (kind == SRGB8 && i < 3)
         rgba[i] = unorm <= 0.04045 ? unorm / 12.92 : pow((unorm + 0.055) / 1.055, 2.4);
      else
         rgba[i] = unorm;
   }
}

/* Whether the texel is what these numbers are rounded to. */
static bool
texel_matches(enum kind kind, const uint8_t *texel, const double rgba[4], bool filtered)
{
   double got[4];
   texel_read(kind, texel, got);
   for (unsigned i = 0; i < (kind == FLOAT32x1 ? 1u : 4u); i++) {
      double a = got[i], b = rgba[i], slack = 1e-6;
      if (kind == SRGB8 && i < 3) {
         a = a <= 0.0031308 ? a * 12.92 : 1.055 * pow(a, 1 / 2.4) - 0.055;
         b = b <= 0.0031308 ? b * 12.92 : 1.055 * pow(b, 1 / 2.4) - 0.055;
      }
      if (kind == UNORM8 || kind == BGRA8 || kind == SRGB8)
         slack = (filtered ? 2.1 : 0.6) / 255;
      else if (filtered)
         slack = 0.02; /* weights may have 8 bits */
      if (fabs(a - b) > slack)
         return false;
   }
   return true;
}

static const struct blit {
   const char *name;
   enum kind src, dst;
   VkImageType src_type, dst_type;
   VkExtent3D src_extent, dst_extent; /* of level 0; depth counts layers of 2D images */
   uint32_t src_level, dst_level;
   VkOffset3D src_at[2], dst_at[2]; /* z: of layers too */
   VkFilter filter;
} blits[] = {
#define D2 VK_IMAGE_TYPE_2D
#define D3 VK_IMAGE_TYPE_3D
   {"one to one",
    UNORM8,
    UNORM8,
    D2,
    D2,
    {17, 9, 1},
    {17, 9, 1},
    0,
    0,
    {{0, 0, 0}, {17, 9, 1}},
    {{0, 0, 0}, {17, 9, 1}},
    0},
   {"larger",
    UNORM8,
    UNORM8,
    D2,
    D2,
    {7, 5, 1},
    {30, 24, 1},
    0,
    0,
    {{0, 0, 0}, {7, 5, 1}},
    {{1, 2, 0}, {29, 22, 1}},
    0},
   {"smaller",
    UNORM8,
    BGRA8,
    D2,
    D2,
    {35, 27, 1},
    {16, 16, 1},
    0,
    0,
    {{2, 3, 0}, {35, 26, 1}},
    {{0, 0, 0}, {16, 10, 1}},
    0},
   {"mirrored x",
    BGRA8,
    UNORM8,
    D2,
    D2,
    {15, 9, 1},
    {20, 20, 1},
    0,
    0,
    {{14, 0, 0}, {1, 9, 1}},
    {{2, 2, 0}, {18, 20, 1}},
    0},
   {"mirrored y",
    UNORM8,
    UNORM8,
    D2,
    D2,
    {15, 9, 1},
    {20, 20, 1},
    0,
    0,
    {{0, 0, 0}, {15, 9, 1}},
    {{2, 20, 0}, {18, 2, 1}},
    0},
   {"mirrored twice",
    UNORM8,
    UNORM8,
    D2,
    D2,
    {15, 9, 1},
    {20, 20, 1},
    0,
    0,
    {{15, 0, 0}, {0, 9, 1}},
    {{18, 2, 0}, {2, 20, 1}},
    0},
   {"levels and layers",
    UNORM8,
    UNORM8,
    D2,
    D2,
    {28, 20, 3},
    {40, 40, 4},
    2,
    1,
    {{0, 0, 1}, {7, 5, 3}},
    {{2, 2, 2}, {18, 20, 4}},
    0},
   {"to sRGB", FLOAT32, SRGB8, D2, D2, {9, 9, 1}, {9, 9, 1}, 0, 0, {{0, 0, 0}, {9, 9, 1}}, {{0, 0, 0}, {9, 9, 1}}, 0},
   {"from sRGB",
    SRGB8,
    UNORM8,
    D2,
    D2,
    {9, 9, 1},
    {9, 9, 1},
    0,
    0,
    {{0, 0, 0}, {9, 9, 1}},
    {{0, 0, 0}, {9, 9, 1}},
    0},
   {"float to unorm",
    FLOAT32,
    UNORM8,
    D2,
    D2,
    {9, 9, 1},
    {9, 9, 1},
    0,
    0,
    {{0, 0, 0}, {9, 9, 1}},
    {{0, 0, 0}, {9, 9, 1}},
    0},
   {"unorm to float",
    UNORM8,
    FLOAT32x1,
    D2,
    D2,
    {9, 9, 1},
    {9, 9, 1},
    0,
    0,
    {{0, 0, 0}, {9, 9, 1}},
    {{0, 0, 0}, {9, 9, 1}},
    0},
   {"integers",
    UINT8,
    UINT32,
    D2,
    D2,
    {9, 9, 1},
    {20, 20, 1},
    0,
    0,
    {{0, 0, 0}, {9, 9, 1}},
    {{0, 0, 0}, {20, 20, 1}},
    0},
   {"large integers",
    UINT32,
    UINT32,
    D2,
    D2,
    {9, 9, 1},
    {9, 9, 1},
    0,
    0,
    {{0, 0, 0}, {9, 9, 1}},
    {{0, 0, 0}, {9, 9, 1}},
    0},
   {"linear larger",
    UNORM8,
    UNORM8,
    D2,
    D2,
    {7, 5, 1},
    {30, 24, 1},
    0,
    0,
    {{0, 0, 0}, {7, 5, 1}},
    {{1, 2, 0}, {29, 22, 1}},
    1},
   {"linear smaller",
    UNORM8,
    BGRA8,
    D2,
    D2,
    {35, 27, 1},
    {16, 16, 1},
    0,
    0,
    {{2, 3, 0}, {35, 26, 1}},
    {{0, 0, 0}, {16, 10, 1}},
    1},
   {"linear part",
    UNORM8,
    FLOAT32,
    D2,
    D2,
    {21, 17, 1},
    {16, 16, 1},
    0,
    0,
    {{6, 5, 0}, {11, 12, 1}},
    {{0, 0, 0}, {16, 16, 1}},
    1},
   {"linear mirrored",
    SRGB8,
    SRGB8,
    D2,
    D2,
    {21, 17, 1},
    {16, 16, 1},
    0,
    0,
    {{11, 5, 0}, {6, 12, 1}},
    {{0, 16, 0}, {16, 0, 1}},
    1},
   {"3d", UNORM8, UNORM8, D3, D3, {9, 7, 5}, {12, 10, 8}, 0, 0, {{0, 0, 0}, {9, 7, 5}}, {{0, 0, 0}, {12, 10, 8}}, 0},
   {"3d mirrored",
    UNORM8,
    FLOAT32,
    D3,
    D3,
    {9, 7, 5},
    {12, 10, 8},
    0,
    0,
    {{0, 0, 5}, {9, 7, 0}},
    {{0, 10, 0}, {12, 0, 8}},
    0},
   {"3d linear",
    UNORM8,
    UNORM8,
    D3,
    D3,
    {9, 7, 5},
    {12, 10, 8},
    0,
    0,
    {{0, 0, 0}, {9, 7, 5}},
    {{0, 0, 0}, {12, 10, 8}},
    1},
   {"3d part linear",
    FLOAT32,
    UNORM8,
    D3,
    D3,
    {9, 7, 7},
    {12, 10, 8},
    0,
    0,
    {{1, 1, 1}, {8, 6, 6}},
    {{0, 0, 8}, {12, 10, 2}},
    1},
};

struct blit_side {
   const struct blit_format *format;
   struct vkt_image image;
   bool is_3d;
   uint32_t level, size[3]; /* of the level; [2]: depth or layers */
   uint8_t *bytes;
};

static void
side_create(struct vkx *vkx, struct blit_side *side, enum kind kind, VkImageType type, VkExtent3D extent,
            uint32_t level)
{
   side->format = &blit_formats[kind];
   side->is_3d = type == VK_IMAGE_TYPE_3D;
   side->level = level;
   side->size[0] = extent.width >> level;
   side->size[1] = extent.height >> level;
   side->size[2] = extent.depth;
   uint32_t layers = side->is_3d ? 1 : extent.depth;
   if (!side->is_3d)
      extent.depth = 1;
   side->image = vkt_image_create(vkx,
                                  (VkImageCreateInfo){.imageType = type,
                                                      .format = side->format->format,
                                                      .extent = extent,
                                                      .mipLevels = level + 1,
                                                      .arrayLayers = layers,
                                                      .usage = TRANSFER},
                                  false);
}

static void
fill_source(struct blit_side *src, struct vkx_buffer *buffer)
{
   size_t texels = (size_t)src->size[0] * src->size[1] * src->size[2];
   src->bytes = malloc(texels * src->format->size_B);
   for (size_t i = 0; i < texels * src->format->size_B / 4; i++) {
      uint32_t word = vkt_random();
      if (src->format->kind == FLOAT32 || src->format->kind == FLOAT32x1) {
         float f = (float)(word >> 8) / 16777216.0f;
         memcpy(&word, &f, 4);
      }
      memcpy(src->bytes + i * 4, &word, 4);
   }
   memcpy(buffer->map, src->bytes, texels * src->format->size_B);
}

/* The texels of the source around a point in texels, filtered. */
static void
sample(const struct blit_side *src, const double at[3], bool linear, double rgba[4])
{
   memset(rgba, 0, 4 * sizeof(double));
   for (unsigned corner = 0; corner < (linear ? 8u : 1u); corner++) {
      double weight = 1, texel[4];
      long index[3];
      for (unsigned i = 0; i < 3; i++) {
         bool filters = linear && (i < 2 || src->is_3d);
         double base = filters ? floor(at[i] - 0.5) : floor(at[i]), part = filters ? at[i] - 0.5 - base : 0;
         bool upper = corner >> i & 1;
         weight *= upper ? part : 1 - part;
         index[i] = (long)base + upper;
         index[i] = index[i] < 0 ? 0 : index[i] >= src->size[i] ? src->size[i] - 1 : index[i];
      }
      texel_read(src->format->kind,
                 src->bytes + ((size_t)(index[2] * src->size[1] + index[1]) * src->size[0] + (size_t)index[0]) *
                                 src->format->size_B,
                 texel);
      for (unsigned i = 0; i < 4; i++)
         rgba[i] += weight > 0 ? weight * texel[i] : 0;
   }
}

/* Source coordinate of the centre of destination texel i, or false if it is outside of the region. */
static bool
source_of(int32_t i, int32_t dst0, int32_t dst1, int32_t src0, int32_t src1, double *at)
{
   double t = (i + 0.5 - dst0) / (dst1 - dst0);
   *at = src0 + t * (src1 - src0);
   return t > 0 && t < 1;
}

static void
check_blit(const struct blit *blit, const struct blit_side *src, const struct blit_side *dst, const uint8_t *texel)
{
   unsigned bad = 0;
   for (uint32_t z = 0; z < dst->size[2]; z++) {
      for (uint32_t y = 0; y < dst->size[1]; y++) {
         for (uint32_t x = 0; x < dst->size[0]; x++, texel += dst->format->size_B) {
            double at[3], rgba[4] = {0};
            const VkOffset3D *s = blit->src_at, *d = blit->dst_at;
            bool inside = source_of((int32_t)x, d[0].x, d[1].x, s[0].x, s[1].x, &at[0]);
            inside &= source_of((int32_t)y, d[0].y, d[1].y, s[0].y, s[1].y, &at[1]);
            inside &= source_of((int32_t)z, d[0].z, d[1].z, s[0].z, s[1].z, &at[2]);
            if (inside)
               sample(src, at, blit->filter == VK_FILTER_LINEAR, rgba);
            bad += !texel_matches(dst->format->kind, texel, rgba, blit->filter == VK_FILTER_LINEAR);
         }
      }
   }
   vkt_expect(!bad, "blit %s: %u texels", blit->name, bad);
}

static void
test_blit(struct vkx *vkx, const struct blit *blit, struct vkx_buffer *buffer)
{
   const VkImageSubresourceRange all = {VK_IMAGE_ASPECT_COLOR_BIT, 0, VK_REMAINING_MIP_LEVELS, 0,
                                        VK_REMAINING_ARRAY_LAYERS};
   struct blit_side src, dst;
   VkClearColorValue black = {.uint32 = {0, 0, 0, 0}};
   side_create(vkx, &src, blit->src, blit->src_type, blit->src_extent, blit->src_level);
   side_create(vkx, &dst, blit->dst, blit->dst_type, blit->dst_extent, blit->dst_level);
   fill_source(&src, buffer);
   VkImageBlit region = {
      .srcSubresource = {VK_IMAGE_ASPECT_COLOR_BIT, src.level, 0, 1},
      .srcOffsets = {blit->src_at[0], blit->src_at[1]},
      .dstSubresource = {VK_IMAGE_ASPECT_COLOR_BIT, dst.level, 0, 1},
      .dstOffsets = {blit->dst_at[0], blit->dst_at[1]},
   };
   if (!src.is_3d) {
      region.srcSubresource.baseArrayLayer = (uint32_t)blit->src_at[0].z;
      region.dstSubresource.baseArrayLayer = (uint32_t)blit->dst_at[0].z;
      region.srcSubresource.layerCount = region.dstSubresource.layerCount =
         (uint32_t)(blit->src_at[1].z - blit->src_at[0].z);
      region.srcOffsets[0].z = region.dstOffsets[0].z = 0;
      region.srcOffsets[1].z = region.dstOffsets[1].z = 1;
   }
   const VkBufferImageCopy upload = {
      .imageSubresource = {VK_IMAGE_ASPECT_COLOR_BIT, src.level, 0, src.image.info.arrayLayers},
      .imageExtent = {src.size[0], src.size[1], src.is_3d ? src.size[2] : 1}};
   VkCommandBuffer cmd = vkx_begin(vkx);
   vkt_transition(cmd, &src.image, VK_IMAGE_LAYOUT_UNDEFINED, VK_IMAGE_LAYOUT_GENERAL);
   vkt_transition(cmd, &dst.image, VK_IMAGE_LAYOUT_UNDEFINED, VK_IMAGE_LAYOUT_GENERAL);
   vkCmdCopyBufferToImage(cmd, buffer->buffer, src.image.image, VK_IMAGE_LAYOUT_GENERAL, 1, &upload);
   vkCmdClearColorImage(cmd, dst.image.image, VK_IMAGE_LAYOUT_GENERAL, &black, 1, &all);
   vkt_barrier(cmd);
   vkCmdBlitImage(cmd, src.image.image, VK_IMAGE_LAYOUT_GENERAL, dst.image.image, VK_IMAGE_LAYOUT_GENERAL, 1, &region,
                  blit->filter);
   vkt_barrier(cmd);
   vkx_submit_and_wait(vkx, cmd);
   read_level(vkx, &dst.image, VK_IMAGE_ASPECT_COLOR_BIT, dst.level, buffer);
   check_blit(blit, &src, &dst, buffer->map);
   free(src.bytes);
   vkt_image_destroy(vkx, &src.image);
   vkt_image_destroy(vkx, &dst.image);
}

/* Blocks of one colour each: red, green, blue, black. */
static void
test_compressed_blit(struct vkx *vkx, struct vkx_buffer *buffer)
{
   static const uint16_t colors[4] = {0xf800, 0x07e0, 0x001f, 0};
   static const uint32_t expected[4] = {0xff0000ff, 0xff00ff00, 0xffff0000, 0xff000000};
   if (!vkt_features.textureCompressionBC)
      return;
   struct blit_side dst;
   struct vkt_image src = vkt_image_create(vkx,
                                           (VkImageCreateInfo){.imageType = VK_IMAGE_TYPE_2D,
                                                               .format = VK_FORMAT_BC1_RGB_UNORM_BLOCK,
                                                               .extent = {8, 8, 1},
                                                               .usage = TRANSFER},
                                           false);
   side_create(vkx, &dst, UNORM8, D2, (VkExtent3D){16, 8, 1}, 0);
   for (unsigned i = 0; i < 4; i++) {
      const uint16_t block[4] = {colors[i], colors[i], 0, 0};
      memcpy((char *)buffer->map + 8 * i, block, 8);
   }
   const VkBufferImageCopy upload = {.imageSubresource = {VK_IMAGE_ASPECT_COLOR_BIT, 0, 0, 1},
                                     .imageExtent = {8, 8, 1}};
   const VkImageBlit blit = {.srcSubresource = {VK_IMAGE_ASPECT_COLOR_BIT, 0, 0, 1},
                             .srcOffsets = {{0}, {8, 8, 1}},
                             .dstSubresource = {VK_IMAGE_ASPECT_COLOR_BIT, 0, 0, 1},
                             .dstOffsets = {{0}, {16, 8, 1}}};
   VkCommandBuffer cmd = vkx_begin(vkx);
   vkt_transition(cmd, &src, VK_IMAGE_LAYOUT_UNDEFINED, VK_IMAGE_LAYOUT_GENERAL);
   vkt_transition(cmd, &dst.image, VK_IMAGE_LAYOUT_UNDEFINED, VK_IMAGE_LAYOUT_GENERAL);
   vkCmdCopyBufferToImage(cmd, buffer->buffer, src.image, VK_IMAGE_LAYOUT_GENERAL, 1, &upload);
   vkt_barrier(cmd);
   vkCmdBlitImage(cmd, src.image, VK_IMAGE_LAYOUT_GENERAL, dst.image.image, VK_IMAGE_LAYOUT_GENERAL, 1, &blit, 0);
   vkt_barrier(cmd);
   vkx_submit_and_wait(vkx, cmd);
   read_level(vkx, &dst.image, VK_IMAGE_ASPECT_COLOR_BIT, 0, buffer);
   unsigned bad = 0;
   for (unsigned i = 0; i < 128; i++)
      bad += ((uint32_t *)buffer->map)[i] != expected[i / 64 * 2 + i % 16 / 8];
   vkt_expect(!bad, "blit of a compressed image: %u texels", bad);
   vkt_image_destroy(vkx, &src);
   vkt_image_destroy(vkx, &dst.image);
}

/* --quirks radv: RADV 22.3.6 crashes in clears of 64-bit numbers. */
int
main(int argc, char **argv)
{
   const bool wide = strcmp(vkx_option(argc, argv, "--quirks", ""), "radv") != 0;
   struct vkx vkx = vkt_create("clears");
   struct vkx_buffer buffer = vkt_buffer_create(&vkx, BUFFER_B, 0);
   static const VkFormat depth_formats[] = {VK_FORMAT_D16_UNORM, VK_FORMAT_D32_SFLOAT, VK_FORMAT_S8_UINT,
                                            VK_FORMAT_D32_SFLOAT_S8_UINT};
   for (unsigned s = 0; s < ARRAY_SIZE(clear_shapes); s++) {
      for (unsigned i = 0; i < ARRAY_SIZE(color_clears); i++)
         test_color_clear(&vkx, &color_clears[i], &clear_shapes[s], &buffer);
      for (unsigned i = 0; wide && i < ARRAY_SIZE(wide_clears); i++)
         test_color_clear(&vkx, &wide_clears[i], &clear_shapes[s], &buffer);
   }
   for (unsigned i = 0; i < ARRAY_SIZE(depth_formats) * 2; i++)
      test_depth_clear(&vkx, depth_formats[i / 2], &clear_shapes[i % 2], &buffer);
   for (unsigned i = 0; i < ARRAY_SIZE(blits); i++)
      test_blit(&vkx, &blits[i], &buffer);
   test_compressed_blit(&vkx, &buffer);
   vkx_buffer_destroy(&vkx, &buffer);
   return vkt_finish(&vkx);
}
