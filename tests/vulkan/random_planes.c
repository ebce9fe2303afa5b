/* Random copies into and between planes of multi-planar images and images of one plane, on queues of all kinds. What
 * each plane has then is computed here. */
#include <stdlib.h>
#include <string.h>

#include "random_lanes.h"
#include "vkt_draw.h"

enum { ROUNDS = 40, IMAGES = 3, PLANES = 3, OPERATIONS = 10, BUFFER_B = 1 << 16 };
enum { NOT_10_BITS, TEN_BITS };

/* Its texels' bytes by plane; by how much planes after the first are smaller. */
static const struct format {
   VkFormat format;
   uint32_t planes, texel_B[PLANES], width_log2, height_log2, bits;
} formats[] = {
   {VK_FORMAT_G8_B8R8_2PLANE_420_UNORM, 2, {1, 2}, 1, 1, NOT_10_BITS},
   {VK_FORMAT_G8_B8_R8_3PLANE_420_UNORM, 3, {1, 1, 1}, 1, 1, NOT_10_BITS},
   {VK_FORMAT_G8_B8R8_2PLANE_422_UNORM, 2, {1, 2}, 1, 0, NOT_10_BITS},
   {VK_FORMAT_G8_B8_R8_3PLANE_422_UNORM, 3, {1, 1, 1}, 1, 0, NOT_10_BITS},
   {VK_FORMAT_G8_B8_R8_3PLANE_444_UNORM, 3, {1, 1, 1}, 0, 0, NOT_10_BITS},
   {VK_FORMAT_G10X6_B10X6R10X6_2PLANE_420_UNORM_3PACK16, 2, {2, 4}, 1, 1, TEN_BITS},
   {VK_FORMAT_G16_B16R16_2PLANE_420_UNORM, 2, {2, 4}, 1, 1, NOT_10_BITS},
   {VK_FORMAT_G16_B16_R16_3PLANE_422_UNORM, 3, {2, 2, 2}, 1, 0, NOT_10_BITS},
   {VK_FORMAT_R8_UNORM, 1, {1}, 0, 0, NOT_10_BITS},
   {VK_FORMAT_R8G8_UNORM, 1, {2}, 0, 0, NOT_10_BITS},
   {VK_FORMAT_R16_UINT, 1, {2}, 0, 0, NOT_10_BITS},
   {VK_FORMAT_R16G16_UINT, 1, {4}, 0, 0, NOT_10_BITS},
};
enum { FIRST_OF_ONE = 8 };

struct plane {
   uint32_t width, height, texel_B;
   VkImageAspectFlags aspect;
   uint8_t *texels; /* that it is to have */
};

struct image {
   struct vkt_image image;
   const struct format *format;
   struct plane planes[PLANES];
};

static struct vkx *vkx;
static struct vkx_buffer source, result;
static bool has_lanes;

static bool
is_offered(VkImageCreateInfo *info)
{
   VkImageFormatProperties properties;
   VkFormatProperties format;
   const VkFormatFeatureFlags wanted = VK_FORMAT_FEATURE_TRANSFER_SRC_BIT | VK_FORMAT_FEATURE_TRANSFER_DST_BIT;
   vkGetPhysicalDeviceFormatProperties(vkx->physical, info->format, &format);
   const VkFormatFeatureFlags has = info->tiling ? format.linearTilingFeatures : format.optimalTilingFeatures;
   return (has & wanted) == wanted &&
          vkGetPhysicalDeviceImageFormatProperties(vkx->physical, info->format, info->imageType, info->tiling,
                                                   info->usage, 0, &properties) == VK_SUCCESS;
}

/* A copy fills each plane later. */
static struct image
create_image(bool is_planar)
{
   const uint32_t first = is_planar ? 0 : FIRST_OF_ONE, count = sizeof(formats) / sizeof(formats[0]);
   struct image image = {.format = &formats[first + vkt_random_below((is_planar ? FIRST_OF_ONE : count) - first)]};
   VkImageCreateInfo info = {.imageType = VK_IMAGE_TYPE_2D,
                             .format = image.format->format,
                             .extent = {2 + 2 * vkt_random_below(30), 2 + 2 * vkt_random_below(30), 1},
                             .tiling = vkt_random_below(4) ? VK_IMAGE_TILING_OPTIMAL : VK_IMAGE_TILING_LINEAR,
                             .usage = VK_IMAGE_USAGE_TRANSFER_SRC_BIT | VK_IMAGE_USAGE_TRANSFER_DST_BIT};
   if (!is_offered(&info))
      info.tiling = VK_IMAGE_TILING_OPTIMAL;
   if (!is_offered(&info)) {
      image.format = &formats[FIRST_OF_ONE];
      info.format = image.format->format;
   }
   if (has_lanes) {
      info.sharingMode = VK_SHARING_MODE_CONCURRENT;
      info.pQueueFamilyIndices = random_lane_families(&info.queueFamilyIndexCount);
   }
   image.image = vkt_image_create(vkx, info, false);
   for (uint32_t i = 0; i < image.format->planes; i++) {
      struct plane *plane = &image.planes[i];
      plane->width = info.extent.width >> (i ? image.format->width_log2 : 0);
      plane->height = info.extent.height >> (i ? image.format->height_log2 : 0);
      plane->texel_B = image.format->texel_B[i];
      plane->aspect = image.format->planes == 1 ? VK_IMAGE_ASPECT_COLOR_BIT : VK_IMAGE_ASPECT_PLANE_0_BIT << i;
      plane->texels = calloc(plane->width * plane->height, plane->texel_B);
   }
   return image;
}

static void
destroy_image(struct image *image)
{
   for (uint32_t i = 0; i < PLANES; i++)
      free(image->planes[i].texels);
   vkt_image_destroy(vkx, &image->image);
}

/* ---- what becomes of texels ---- */

static uint8_t *
texel_of(const struct plane *plane, uint32_t x, uint32_t y)
{
   return plane->texels + (y * plane->width + x) * plane->texel_B;
}

struct box {
   uint32_t x, y, width, height;
};

/* Within a plane, no larger than so much. */
static struct box
random_box(const struct plane *plane, uint32_t width, uint32_t height)
{
   struct box box = {.x = vkt_random_below(plane->width), .y = vkt_random_below(plane->height)};
   const uint32_t w = plane->width - box.x, h = plane->height - box.y;
   box.width = 1 + vkt_random_below(w < width ? w : width);
   box.height = 1 + vkt_random_below(h < height ? h : height);
   return box;
}

/* From the buffer of random bytes; whole: all of the plane. */
static void
fill_plane(VkCommandBuffer cmd, struct image *image, uint32_t number, bool whole)
{
   struct plane *plane = &image->planes[number];
   const struct box box =
      whole ? (struct box){0, 0, plane->width, plane->height} : random_box(plane, plane->width, plane->height);
   const uint32_t row = box.width + vkt_random_below(9), offset_B = 4 * vkt_random_below(2000);
   const VkBufferImageCopy copy = {.bufferOffset = offset_B,
                                   .bufferRowLength = row,
                                   .imageSubresource = {plane->aspect, 0, 0, 1},
                                   .imageOffset = {(int32_t)box.x, (int32_t)box.y, 0},
                                   .imageExtent = {box.width, box.height, 1}};
   vkCmdCopyBufferToImage(cmd, source.buffer, image->image.image, VK_IMAGE_LAYOUT_GENERAL, 1, &copy);
   for (uint32_t y = 0; y < box.height; y++)
      memcpy(texel_of(plane, box.x, box.y + y),
             (const uint8_t *)source.map + offset_B + (size_t)y * row * plane->texel_B, box.width * plane->texel_B);
}

/* From plane to plane, if their texels have as many bytes. */
static void
copy_plane(VkCommandBuffer cmd, struct image *from, uint32_t from_number, struct image *to, uint32_t to_number)
{
   const struct plane *source_plane = &from->planes[from_number];
   struct plane *plane = &to->planes[to_number];
   if (source_plane->texel_B != plane->texel_B || source_plane == plane ||
       (to->format->bits == TEN_BITS && from->format->bits != TEN_BITS))
      return;
   const struct box at = random_box(plane, source_plane->width, source_plane->height);
   const uint32_t x = vkt_random_below(source_plane->width - at.width + 1),
                  y = vkt_random_below(source_plane->height - at.height + 1);
   const VkImageCopy copy = {.srcSubresource = {source_plane->aspect, 0, 0, 1},
                             .srcOffset = {(int32_t)x, (int32_t)y, 0},
                             .dstSubresource = {plane->aspect, 0, 0, 1},
                             .dstOffset = {(int32_t)at.x, (int32_t)at.y, 0},
                             .extent = {at.width, at.height, 1}};
   vkCmdCopyImage(cmd, from->image.image, VK_IMAGE_LAYOUT_GENERAL, to->image.image, VK_IMAGE_LAYOUT_GENERAL, 1,
                  &copy);
   for (uint32_t row = 0; row < at.height; row++)
      memcpy(texel_of(plane, at.x, at.y + row), texel_of(source_plane, x, y + row), at.width * plane->texel_B);
}

/* ---- a round ---- */

static void
record_operation(VkCommandBuffer cmd, struct image images[IMAGES])
{
   struct image *from = &images[vkt_random_below(IMAGES)], *to = &images[vkt_random_below(IMAGES)];
   const uint32_t from_number = vkt_random_below(from->format->planes),
                  to_number = vkt_random_below(to->format->planes);
   if (!vkt_random_below(4))
      fill_plane(cmd, to, to_number, false);
   else
      copy_plane(cmd, from, from_number, to, to_number);
}

static void
fill_all(struct image images[IMAGES])
{
   VkCommandBuffer cmd = vkx_begin(vkx);
   for (uint32_t i = 0; i < IMAGES; i++) {
      vkt_transition(cmd, &images[i].image, VK_IMAGE_LAYOUT_UNDEFINED, VK_IMAGE_LAYOUT_GENERAL);
      for (uint32_t k = 0; k < images[i].format->planes; k++)
         fill_plane(cmd, &images[i], k, true);
   }
   vkx_submit_and_wait(vkx, cmd);
}

static void
check(const struct image *image, uint32_t round, uint32_t number)
{
   for (uint32_t i = 0; i < image->format->planes; i++) {
      const struct plane *plane = &image->planes[i];
      const VkBufferImageCopy copy = {.imageSubresource = {plane->aspect, 0, 0, 1},
                                      .imageExtent = {plane->width, plane->height, 1}};
      VkCommandBuffer cmd = vkx_begin(vkx);
      vkCmdCopyImageToBuffer(cmd, image->image.image, VK_IMAGE_LAYOUT_GENERAL, result.buffer, 1, &copy);
      vkt_barrier(cmd);
      vkx_submit_and_wait(vkx, cmd);
      vkt_expect(!memcmp(result.map, plane->texels, plane->width * plane->height * plane->texel_B),
                 "round %u, image %u of format %d, %ux%u: plane %u", round, number, image->format->format,
                 image->planes[0].width, image->planes[0].height, i);
   }
}

static void
do_round(uint32_t round)
{
   struct image images[IMAGES];
   const bool spreads = has_lanes && vkt_random_below(2);
   /* Ten bits are the upper ones, and what the others have is open. */
   for (uint32_t i = 0; i < BUFFER_B / 2; i++)
      ((uint16_t *)source.map)[i] = (uint16_t)(vkt_random() >> 16 & 0xffc0);
   for (uint32_t i = 0; i < IMAGES; i++)
      images[i] = create_image(i < 2);
   fill_all(images);
   VkCommandBuffer all = spreads ? VK_NULL_HANDLE : vkx_begin(vkx);
   for (uint32_t i = 0; i < OPERATIONS; i++) {
      const enum lane_kind kind = spreads ? random_lane_kind((enum lane_kind)vkt_random_below(LANE_KINDS)) : 0;
      VkCommandBuffer cmd = spreads ? random_lane_begin(kind) : all;
      record_operation(cmd, images);
      vkt_barrier(cmd);
      if (spreads)
         random_lane_submit(kind, cmd);
   }
   if (spreads)
      random_lanes_wait();
   else
      vkx_submit_and_wait(vkx, all);
   for (uint32_t i = 0; i < IMAGES; i++) {
      check(&images[i], round, i);
      destroy_image(&images[i]);
   }
}

int
main(void)
{
   vkt_samplers = vkt_all_queues = true;
   struct vkx device = vkt_create("random_planes");
   vkx = &device;
   vkt_expect(true, "the device is there");
   if (!vkt_has("VK_KHR_sampler_ycbcr_conversion")) {
      vkt_skip("multi-planar images");
      return vkt_finish(vkx);
   }
   has_lanes = random_lanes_create(vkx);
   source = vkt_buffer_create(vkx, BUFFER_B, 0);
   result = vkt_buffer_create(vkx, BUFFER_B, 0);
   for (uint32_t i = 0; i < ROUNDS; i++)
      do_round(i);
   vkx_buffer_destroy(vkx, &source);
   vkx_buffer_destroy(vkx, &result);
   random_lanes_destroy();
   return vkt_finish(vkx);
}
