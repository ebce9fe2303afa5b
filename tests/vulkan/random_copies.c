/* Random transfers: each seed fills two images of random shape and does a few copies, blits, clears and resolves. Run
 * it on two drivers and compare: see random_tile.h. */
#include <stdio.h>
#include <string.h>

#include "random_lanes.h"
#include "random_sparse.h"
#include "random_tile.h"
#include "vkt_draw.h"

#define GENERAL VK_IMAGE_LAYOUT_GENERAL
#define BUFFER_B (1u << 20)
#define COLOR VK_IMAGE_ASPECT_COLOR_BIT

/* Formats by what may be blitted into each other. */
static const VkFormat formats[3][16] = {
   {VK_FORMAT_R8G8B8A8_UNORM, VK_FORMAT_B8G8R8A8_UNORM, VK_FORMAT_R8G8B8A8_SRGB, VK_FORMAT_R8_UNORM,
    VK_FORMAT_R8G8_UNORM, VK_FORMAT_R5G6B5_UNORM_PACK16, VK_FORMAT_A1R5G5B5_UNORM_PACK16,
    VK_FORMAT_A2B10G10R10_UNORM_PACK32, VK_FORMAT_R16_SFLOAT, VK_FORMAT_R16G16_SFLOAT, VK_FORMAT_R16G16B16A16_SFLOAT,
    VK_FORMAT_R32_SFLOAT, VK_FORMAT_R32G32_SFLOAT, VK_FORMAT_R32G32B32A32_SFLOAT, VK_FORMAT_R8G8B8A8_SNORM,
    VK_FORMAT_B8G8R8A8_SRGB},
   {VK_FORMAT_R8_UINT, VK_FORMAT_R8G8_UINT, VK_FORMAT_R8G8B8A8_UINT, VK_FORMAT_R16_UINT, VK_FORMAT_R16G16_UINT,
    VK_FORMAT_R16G16B16A16_UINT, VK_FORMAT_R32_UINT, VK_FORMAT_R32G32_UINT, VK_FORMAT_R32G32B32A32_UINT,
    VK_FORMAT_R8_UINT, VK_FORMAT_R8G8_UINT, VK_FORMAT_R8G8B8A8_UINT, VK_FORMAT_R16_UINT, VK_FORMAT_R32_UINT,
    VK_FORMAT_R32G32_UINT, VK_FORMAT_R16G16_UINT},
   {VK_FORMAT_R8_SINT, VK_FORMAT_R8G8_SINT, VK_FORMAT_R8G8B8A8_SINT, VK_FORMAT_R16_SINT, VK_FORMAT_R16G16_SINT,
    VK_FORMAT_R16G16B16A16_SINT, VK_FORMAT_R32_SINT, VK_FORMAT_R32G32_SINT, VK_FORMAT_R32G32B32A32_SINT,
    VK_FORMAT_R8_SINT, VK_FORMAT_R8G8_SINT, VK_FORMAT_R8G8B8A8_SINT, VK_FORMAT_R16_SINT, VK_FORMAT_R32_SINT,
    VK_FORMAT_R32G32_SINT, VK_FORMAT_R16G16_SINT}};

enum shape { ONE, PLAIN, ARRAY, CUBE, VOLUME, SHAPES };
enum operation { FROM_IMAGE, TO_IMAGE, COPY, BLIT, CLEAR, RESOLVE, BUFFERS, OPERATIONS };

enum {
   OPERATION,
   FIRST_SHAPE,
   SECOND_SHAPE,
   CLASS,
   FIRST_TARGET,
   SECOND_TARGET,
   FIRST_LEVELS,
   SECOND_LEVELS,
   FIRST_PAGES,
   SECOND_PAGES,
   QUEUE,
   CHOICES
};

static const struct choice table[CHOICES] = {
   [OPERATION] = {"operation", OPERATIONS, .found = true},
   [FIRST_SHAPE] = {"first shape", SHAPES, .found = true},
   [SECOND_SHAPE] = {"second shape", SHAPES, .found = true},
   [CLASS] = {"class of formats", 3, .found = true},
   [FIRST_TARGET] = {"first image is a target", 2, .found = true},
   [SECOND_TARGET] = {"second image is a target", 2, .found = true},
   [FIRST_LEVELS] = {"first image has levels", 2, .found = true},
   [SECOND_LEVELS] = {"second image has levels", 2, .found = true},
   [FIRST_PAGES] = {"first image is bound by pages", 2, .found = true},
   [SECOND_PAGES] = {"second image is bound by pages", 2, .found = true},
   [QUEUE] = {"queue", LANE_KINDS, .found = true},
};
static const struct choices_never never[] = {
   {OPERATION, RESOLVE, CLASS, 1},
   {OPERATION, RESOLVE, CLASS, 2},
   {OPERATION, RESOLVE, SECOND_SHAPE, ONE},
   {FIRST_SHAPE, VOLUME, FIRST_LEVELS, 1},
   {SECOND_SHAPE, VOLUME, SECOND_LEVELS, 1},
   {OPERATION, BLIT, QUEUE, LANE_COMPUTE},
   {OPERATION, BLIT, QUEUE, LANE_TRANSFER},
   {OPERATION, RESOLVE, QUEUE, LANE_COMPUTE},
   {OPERATION, RESOLVE, QUEUE, LANE_TRANSFER},
   {OPERATION, CLEAR, QUEUE, LANE_TRANSFER},
};
static struct choices pairs = {
   .table = table, .count = CHOICES, .never = never, .never_count = sizeof(never) / sizeof(never[0])};

/* A box of a level: layers or slices. */
struct box {
   VkOffset3D offset;
   VkExtent3D extent;
   VkImageSubresourceLayers layers;
};

static struct vkx *vkx;
static struct vkx_buffer buffers[3]; /* read, written, results */
static bool has_lanes;

static uint32_t
minify(uint32_t size, uint32_t level)
{
   return size >> level ? size >> level : 1;
}

static VkExtent3D
level_extent(const VkImageCreateInfo *info, uint32_t level)
{
   return (VkExtent3D){minify(info->extent.width, level), minify(info->extent.height, level),
                       minify(info->extent.depth, level)};
}

static VkImageCreateInfo
choose_image(struct random_tile *tile, VkFormat format)
{
   const uint32_t shape = rnd(tile, SHAPES), size = 1 + rnd(tile, 40);
   VkImageCreateInfo info = {
      .imageType = shape == ONE      ? VK_IMAGE_TYPE_1D
                   : shape == VOLUME ? VK_IMAGE_TYPE_3D
                                     : VK_IMAGE_TYPE_2D,
      .flags = shape == CUBE ? VK_IMAGE_CREATE_CUBE_COMPATIBLE_BIT : 0,
      .format = format,
      .extent = {size,
                 shape == ONE    ? 1
                 : shape == CUBE ? size
                                 : 1 + rnd(tile, 40),
                 shape == VOLUME ? 1 + rnd(tile, 9) : 1},
      .mipLevels = 1,
      .arrayLayers = shape == CUBE                    ? 6
                     : shape == ARRAY || shape == ONE ? 1 + rnd(tile, 4)
                                                      : 1,
      .tiling = chance(tile, 10) && shape == PLAIN ? VK_IMAGE_TILING_LINEAR : VK_IMAGE_TILING_OPTIMAL,
      .usage = VK_IMAGE_USAGE_TRANSFER_SRC_BIT | VK_IMAGE_USAGE_TRANSFER_DST_BIT,
   };
   while (shape != VOLUME && info.tiling == VK_IMAGE_TILING_OPTIMAL && chance(tile, 40) &&
          (size >> info.mipLevels || info.extent.height >> info.mipLevels))
      info.mipLevels++;
   if (chance(tile, 30))
      info.usage |= VK_IMAGE_USAGE_SAMPLED_BIT;
   /* Drivers may keep targets in other ways: compressed. */
   if (chance(tile, 50) && random_format_has(vkx, format, VK_FORMAT_FEATURE_COLOR_ATTACHMENT_BIT) && !info.tiling)
      info.usage |= VK_IMAGE_USAGE_COLOR_ATTACHMENT_BIT;
   VkImageFormatProperties properties;
   need(tile, vkGetPhysicalDeviceImageFormatProperties(vkx->physical, format, info.imageType, info.tiling, info.usage,
                                                       info.flags, &properties) == VK_SUCCESS &&
                 properties.maxMipLevels >= info.mipLevels && properties.maxArrayLayers >= info.arrayLayers);
   say(tile, " [%d %uD%s %ux%ux%u levels %u layers %u%s]", format, info.imageType + 1, shape == CUBE ? " cube" : "",
       info.extent.width, info.extent.height, info.extent.depth, info.mipLevels, info.arrayLayers,
       info.tiling ? " linear" : "");
   return info;
}

static void
choose_range(struct random_tile *tile, uint32_t whole, int32_t *offset, uint32_t *size)
{
   *offset = chance(tile, 40) ? 0 : (int32_t)rnd(tile, whole);
   *size = chance(tile, 40) ? whole - (uint32_t)*offset : 1 + rnd(tile, whole - (uint32_t)*offset);
}

static struct box
choose_box(struct random_tile *tile, const VkImageCreateInfo *info)
{
   struct box box = {.layers = {COLOR, rnd(tile, info->mipLevels), 0, 1}};
   const VkExtent3D whole = level_extent(info, box.layers.mipLevel);
   int32_t first;
   choose_range(tile, whole.width, &box.offset.x, &box.extent.width);
   choose_range(tile, whole.height, &box.offset.y, &box.extent.height);
   choose_range(tile, whole.depth, &box.offset.z, &box.extent.depth);
   choose_range(tile, info->arrayLayers, &first, &box.layers.layerCount);
   box.layers.baseArrayLayer = (uint32_t)first;
   return box;
}

static void
say_box(struct random_tile *tile, const struct box *box)
{
   say(tile, " (level %u layers %u+%u %d,%d,%d %ux%ux%u)", box->layers.mipLevel, box->layers.baseArrayLayer,
       box->layers.layerCount, box->offset.x, box->offset.y, box->offset.z, box->extent.width, box->extent.height,
       box->extent.depth);
}

/* Whole numbers that all formats have, or numbers below 1: no NaN. */
static void
fill_texels(struct random_tile *tile, VkFormat format, uint8_t *bytes, uint32_t size_B)
{
   const bool half =
      format == VK_FORMAT_R16_SFLOAT || format == VK_FORMAT_R16G16_SFLOAT || format == VK_FORMAT_R16G16B16A16_SFLOAT;
   const bool single =
      format == VK_FORMAT_R32_SFLOAT || format == VK_FORMAT_R32G32_SFLOAT || format == VK_FORMAT_R32G32B32A32_SFLOAT;
   const uint32_t step_B = format >= VK_FORMAT_R32_UINT ? 4 : format >= VK_FORMAT_R16_UNORM ? 2 : 1;
   for (uint32_t at = 0; at + step_B <= size_B; at += step_B) {
      const uint32_t k = rnd(tile, step_B == 1 ? 256 : 64);
      if (single)
         memcpy(bytes + at, &(float){(float)k / 64}, 4);
      else if (half)
         memcpy(bytes + at, &(_Float16){(_Float16)((float)k / 64)}, 2);
      else
         memcpy(bytes + at, &k, step_B);
   }
}

/* From the first buffer, which holds texels of the first image, or into the second. */
static void
do_buffer_copy(struct random_tile *tile, VkCommandBuffer cmd, const struct vkt_image *image,
               const VkImageCreateInfo *info, bool to_image)
{
   const struct box box = choose_box(tile, info);
   const uint32_t texel_B = texel_size_B(info->format, COLOR), aligned = texel_B < 4 ? 4 : texel_B;
   const bool tight = chance(tile, 40);
   const VkBufferImageCopy copy = {
      .bufferOffset = rnd(tile, 9) * aligned,
      .bufferRowLength = tight ? 0 : box.extent.width + rnd(tile, 9),
      .bufferImageHeight = tight ? 0 : box.extent.height + rnd(tile, 5),
      .imageSubresource = box.layers,
      .imageOffset = box.offset,
      .imageExtent = box.extent,
   };
   /* takes the image height for 1 */
   tile->radv_fails |= info->imageType == VK_IMAGE_TYPE_1D && !tight && box.layers.layerCount > 1;
   say(tile, "\n    buffer %s image at %u rows %u heights %u", to_image ? "to" : "from", (unsigned)copy.bufferOffset,
       copy.bufferRowLength, copy.bufferImageHeight);
   say_box(tile, &box);
   if (cmd && to_image)
      vkCmdCopyBufferToImage(cmd, buffers[0].buffer, image->image, GENERAL, 1, &copy);
   else if (cmd)
      vkCmdCopyImageToBuffer(cmd, image->image, GENERAL, buffers[1].buffer, 1, &copy);
}

static uint32_t
smaller(uint32_t a, uint32_t b)
{
   return a < b ? a : b;
}

/* Slices of volumes are layers of the other image. Returns whether such images can be copied. */
static bool
do_image_copy(struct random_tile *tile, VkCommandBuffer cmd, const struct vkt_image *images,
              const VkImageCreateInfo *infos)
{
   struct box from = choose_box(tile, &infos[0]), to = choose_box(tile, &infos[1]);
   const bool volumes[2] = {infos[0].imageType == VK_IMAGE_TYPE_3D, infos[1].imageType == VK_IMAGE_TYPE_3D};
   const uint32_t from_slices = volumes[0] ? from.extent.depth : from.layers.layerCount;
   const uint32_t slices = smaller(from_slices, volumes[1] ? to.extent.depth : to.layers.layerCount);
   const bool same_size = texel_size_B(infos[0].format, COLOR) == texel_size_B(infos[1].format, COLOR);
   from.layers.layerCount = volumes[0] ? 1 : slices;
   to.layers.layerCount = volumes[1] ? 1 : slices;
   const VkImageCopy copy = {
      .srcSubresource = from.layers,
      .srcOffset = from.offset,
      .dstSubresource = to.layers,
      .dstOffset = to.offset,
      .extent = {smaller(from.extent.width, to.extent.width), smaller(from.extent.height, to.extent.height),
                 volumes[0] || volumes[1] ? slices : 1},
   };
   const bool one_d = (infos[0].imageType == VK_IMAGE_TYPE_1D) != (infos[1].imageType == VK_IMAGE_TYPE_1D);
   if (!same_size || one_d)
      return false;
   from.extent = copy.extent;
   tile->radv_fails |= volumes[1] && !volumes[0] && slices > 1; /* copies one */
   say(tile, "\n    copy");
   say_box(tile, &from);
   say_box(tile, &to);
   if (cmd)
      vkCmdCopyImage(cmd, images[0].image, GENERAL, images[1].image, GENERAL, 1, &copy);
   return true;
}

/* Would the centre of a texel fall between two of the source? */
static bool
ties(uint32_t from, uint32_t to)
{
   for (uint32_t i = 0; i < to; i++) {
      if ((2 * i + 1) * from % (2 * to) == 0)
         return true;
   }
   return false;
}

/* Swaps the ends now and then. */
static void
corners(struct random_tile *tile, const struct box *box, VkOffset3D ends[2], uint32_t dimensions)
{
   int32_t *low = &ends[0].x, *high = &ends[1].x;
   const int32_t *offset = &box->offset.x;
   const uint32_t *extent = &box->extent.width;
   for (unsigned i = 0; i < 3; i++) {
      low[i] = offset[i];
      high[i] = offset[i] + (int32_t)extent[i];
      if (chance(tile, 30) && i < dimensions) {
         high[i] = offset[i];
         low[i] = offset[i] + (int32_t)extent[i];
      }
   }
}

static void
do_blit(struct random_tile *tile, VkCommandBuffer cmd, const struct vkt_image *images, const VkImageCreateInfo *infos,
        unsigned class)
{
   struct box boxes[2] = {choose_box(tile, &infos[0]), choose_box(tile, &infos[1])};
   const bool volumes[2] = {infos[0].imageType == VK_IMAGE_TYPE_3D, infos[1].imageType == VK_IMAGE_TYPE_3D};
   const VkFilter filter = !class && chance(tile, 50) ? VK_FILTER_LINEAR : VK_FILTER_NEAREST;
   uint32_t *from = &boxes[0].extent.width, *to = &boxes[1].extent.width;
   /* Only volumes scale from slice to slice. */
   if (volumes[0] != volumes[1])
      boxes[0].extent.depth = boxes[1].extent.depth = 1;
   if (tile->strict && !volumes[0])
      boxes[1].offset.z = 0; /* lavapipe forgets it */
   boxes[0].layers.layerCount = boxes[1].layers.layerCount =
      smaller(boxes[0].layers.layerCount, boxes[1].layers.layerCount);
   for (unsigned i = 0; i < 2 && (volumes[0] || volumes[1]); i++) {
      boxes[i].layers.baseArrayLayer = 0;
      boxes[i].layers.layerCount = 1;
   }
   for (unsigned i = 0; i < 3; i++) {
      if (filter == VK_FILTER_NEAREST && ties(from[i], to[i]))
         from[i] = to[i] = smaller(from[i], to[i]);
   }
   VkImageBlit blit = {.srcSubresource = boxes[0].layers, .dstSubresource = boxes[1].layers};
   for (unsigned i = 0; i < 2; i++) /* RADV reads another layer if a slice is mirrored */
      corners(tile, &boxes[i], i ? blit.dstOffsets : blit.srcOffsets,
              infos[i].imageType == VK_IMAGE_TYPE_1D ? 1
              : volumes[0] && volumes[1]             ? 3
                                                     : 2);
   const VkFormatFeatureFlags linear = filter ? VK_FORMAT_FEATURE_SAMPLED_IMAGE_FILTER_LINEAR_BIT : 0;
   need(tile, random_format_has(vkx, infos[0].format, VK_FORMAT_FEATURE_BLIT_SRC_BIT | linear) &&
                 random_format_has(vkx, infos[1].format, VK_FORMAT_FEATURE_BLIT_DST_BIT) && !infos[0].tiling &&
                 !infos[1].tiling);
   say(tile, "\n    blit%s", filter ? " linear" : "");
   for (unsigned i = 0; i < 2; i++) {
      const VkOffset3D *ends = i ? blit.dstOffsets : blit.srcOffsets;
      say(tile, " (level %u layers %u+%u %d,%d,%d to %d,%d,%d)", boxes[i].layers.mipLevel,
          boxes[i].layers.baseArrayLayer, boxes[i].layers.layerCount, ends[0].x, ends[0].y, ends[0].z, ends[1].x,
          ends[1].y, ends[1].z);
   }
   tile->slack += filter ? 0.012f : 0.005f; /* lavapipe goes through eight bits */
   if (cmd)
      vkCmdBlitImage(cmd, images[0].image, GENERAL, images[1].image, GENERAL, 1, &blit, filter);
}

static void
do_clear(struct random_tile *tile, VkCommandBuffer cmd, const struct vkt_image *image, const VkImageCreateInfo *info,
         unsigned class)
{
   VkClearColorValue color;
   VkImageSubresourceRange range = {COLOR, rnd(tile, info->mipLevels), 1, rnd(tile, info->arrayLayers), 1};
   if (chance(tile, 50))
      range.levelCount = VK_REMAINING_MIP_LEVELS;
   if (chance(tile, 50))
      range.layerCount = VK_REMAINING_ARRAY_LAYERS;
   for (unsigned i = 0; i < 4; i++) {
      const uint32_t k = rnd(tile, 64);
      if (class)
         color.uint32[i] = k;
      else
         color.float32[i] = (float)k / 63;
   }
   tile->slack += class ? 0 : 1e-6f; /* ten bits may go through a half float */
   say(tile, "\n    clear level %u+%d layer %u+%d", range.baseMipLevel, (int)range.levelCount, range.baseArrayLayer,
       (int)range.layerCount);
   if (cmd)
      vkCmdClearColorImage(cmd, image->image, GENERAL, &color, 1, &range);
}

/* An image of four samples is cleared and resolved into a box. */
static void
do_resolve(struct random_tile *tile, VkCommandBuffer cmd, const struct vkt_image *image,
           const VkImageCreateInfo *info, struct vkt_image *samples)
{
   const struct box box = choose_box(tile, info);
   const VkImageCreateInfo create = {.imageType = VK_IMAGE_TYPE_2D,
                                     .format = info->format,
                                     .extent = {64, 64, 1},
                                     .samples = VK_SAMPLE_COUNT_4_BIT,
                                     .arrayLayers = 4,
                                     .usage = VK_IMAGE_USAGE_TRANSFER_SRC_BIT | VK_IMAGE_USAGE_TRANSFER_DST_BIT |
                                              VK_IMAGE_USAGE_COLOR_ATTACHMENT_BIT};
   const VkClearColorValue color = {{(float)rnd(tile, 256) / 255, 0.5f, 0.25f, 1}};
   VkImageFormatProperties properties;
   need(tile, random_format_has(vkx, info->format, VK_FORMAT_FEATURE_COLOR_ATTACHMENT_BIT) && !info->tiling &&
                 vkGetPhysicalDeviceImageFormatProperties(vkx->physical, info->format, VK_IMAGE_TYPE_2D, 0,
                                                          create.usage, 0, &properties) == VK_SUCCESS &&
                 properties.sampleCounts & create.samples && info->imageType != VK_IMAGE_TYPE_1D);
   const bool volume = info->imageType == VK_IMAGE_TYPE_3D;
   tile->radv_fails |= volume; /* resolves into slice 0 */
   VkImageResolve resolve = {.srcSubresource = {COLOR, 0, 0, box.layers.layerCount},
                             .srcOffset = {(int32_t)rnd(tile, 8), (int32_t)rnd(tile, 8), 0},
                             .dstSubresource = box.layers,
                             .dstOffset = box.offset,
                             .extent = {box.extent.width, box.extent.height, 1}};
   resolve.srcSubresource.layerCount = resolve.dstSubresource.layerCount =
      smaller(volume ? 1 : 4, box.layers.layerCount);
   say(tile, "\n    resolve");
   say_box(tile, &box);
   tile->slack += 0.005f;
   if (!cmd)
      return;
   *samples = vkt_image_create(vkx, create, false);
   const VkImageSubresourceRange all = {COLOR, 0, 1, 0, 4};
   vkt_transition(cmd, samples, VK_IMAGE_LAYOUT_UNDEFINED, GENERAL);
   vkCmdClearColorImage(cmd, samples->image, GENERAL, &color, 1, &all);
   vkt_barrier(cmd);
   vkCmdResolveImage(cmd, samples->image, GENERAL, image->image, GENERAL, 1, &resolve);
}

static void
do_buffers(struct random_tile *tile, VkCommandBuffer cmd)
{
   const VkDeviceSize from = rnd(tile, 4096), to = rnd(tile, 4096), size_B = 1 + rnd(tile, 9000);
   const VkBufferCopy copy = {from, to, size_B};
   const uint32_t words[4] = {rnd(tile, 4096), rnd(tile, 4096), 7, 9};
   const uint32_t kind = rnd(tile, 3);
   say(tile, "\n    buffer kind %u %u to %u, %u bytes", kind, (unsigned)from, (unsigned)to, (unsigned)size_B);
   if (cmd && kind == 0)
      vkCmdCopyBuffer(cmd, buffers[0].buffer, buffers[1].buffer, 1, &copy);
   else if (cmd && kind == 1)
      vkCmdFillBuffer(cmd, buffers[1].buffer, to & ~UINT64_C(3), (size_B + 3) & ~UINT64_C(3), words[0]);
   else if (cmd)
      vkCmdUpdateBuffer(cmd, buffers[1].buffer, to & ~UINT64_C(3), sizeof(words), words);
}

static unsigned
shape_of(const VkImageCreateInfo *info)
{
   if (info->imageType != VK_IMAGE_TYPE_2D)
      return info->imageType == VK_IMAGE_TYPE_1D ? ONE : VOLUME;
   return info->flags ? CUBE : info->arrayLayers > 1 ? ARRAY : PLAIN;
}

/* What only the device that runs it knows: other numbers than those of the tile, which are the same on all. */
struct run {
   VkCommandBuffer cmd; /* of all operations; NULL: each has its own, on any queue */
   bool pages[2];       /* of the images */
   uint32_t state;
};

static uint32_t
own_rnd(struct run *run, uint32_t limit)
{
   struct random_tile own = {.state = run->state};
   const uint32_t number = rnd(&own, limit);
   run->state = own.state;
   return number;
}

static enum lane_kind
choose_lane(struct run *run, enum operation operation)
{
   const uint32_t kinds = operation == BLIT || operation == RESOLVE ? 1 : operation == CLEAR ? 2 : LANE_KINDS;
   return run->cmd ? LANE_GRAPHICS : random_lane_kind((enum lane_kind)own_rnd(run, kinds));
}

static void
count(const struct run *run, enum lane_kind lane, enum operation operation, const VkImageCreateInfo infos[2],
      unsigned class)
{
   pairs.now[QUEUE] = lane;
   pairs.now[OPERATION] = operation;
   pairs.now[CLASS] = class;
   for (unsigned i = 0; i < 2; i++) {
      pairs.now[FIRST_SHAPE + i] = shape_of(&infos[i]);
      pairs.now[FIRST_TARGET + i] = (infos[i].usage & VK_IMAGE_USAGE_COLOR_ATTACHMENT_BIT) != 0;
      pairs.now[FIRST_LEVELS + i] = infos[i].mipLevels > 1;
      pairs.now[FIRST_PAGES + i] = run->pages[i];
   }
   choices_count(&pairs);
}

static enum operation
choose_operation(struct random_tile *tile, unsigned class)
{
   static const uint8_t below[] = {
      [FROM_IMAGE] = 15, [TO_IMAGE] = 30, [COPY] = 50, [BLIT] = 75, [CLEAR] = 82, [RESOLVE] = 93, [BUFFERS] = 100};
   const uint32_t kind = rnd(tile, 100);
   enum operation operation = FROM_IMAGE;
   while (kind >= below[operation])
      operation++;
   return operation == RESOLVE && class ? BUFFERS : operation;
}

/* Chooses again what it chose before when it runs. run: NULL: only chooses. */
static void
do_all(struct random_tile *tile, struct run *run, const struct vkt_image images[2], const VkImageCreateInfo infos[2],
       unsigned class, struct vkt_image samples[6])
{
   const uint32_t operations = 1 + rnd(tile, 6);
   for (uint32_t i = 0; i < operations; i++) {
      const uint32_t which = rnd(tile, 2);
      const enum operation operation = choose_operation(tile, class);
      const enum lane_kind lane = run ? choose_lane(run, operation) : LANE_GRAPHICS;
      VkCommandBuffer cmd = !run ? VK_NULL_HANDLE : run->cmd ? run->cmd : random_lane_begin(lane);
      bool done = true;
      switch (operation) {
      case FROM_IMAGE:
         do_buffer_copy(tile, cmd, &images[which], &infos[which], false);
         break;
      case TO_IMAGE:
         do_buffer_copy(tile, cmd, &images[0], &infos[0], true);
         break;
      case COPY:
         done = do_image_copy(tile, cmd, images, infos);
         break;
      case BLIT:
         do_blit(tile, cmd, images, infos, class);
         break;
      case CLEAR:
         do_clear(tile, cmd, &images[which], &infos[which], class);
         break;
      case RESOLVE:
         do_resolve(tile, cmd, &images[1], &infos[1], &samples[i]);
         break;
      case BUFFERS:
      case OPERATIONS:
         do_buffers(tile, cmd);
         break;
      }
      if (run && done)
         count(run, lane, operation, infos, class);
      if (run && run->cmd)
         vkt_barrier(cmd);
      else if (run)
         random_lane_submit(lane, cmd);
   }
}

static struct vkt_image
create_image(struct run *run, VkImageCreateInfo info, bool shared, bool *pages)
{
   if (shared) {
      info.sharingMode = VK_SHARING_MODE_CONCURRENT;
      info.pQueueFamilyIndices = random_lane_families(&info.queueFamilyIndexCount);
   }
   *pages = own_rnd(run, 100) < 40 && random_can_be_sparse(vkx, &info);
   return *pages ? random_sparse_create(vkx, info) : vkt_image_create(vkx, info, false);
}

/* Both images whole from the buffer, level by level, then the random part. */
static void
copy_random(struct random_tile *tile, const VkImageCreateInfo infos[2], unsigned class, struct vkt_image images[2])
{
   struct vkt_image samples[6] = {{0}};
   struct run run = {.state = tile->state * 0x9e3779b1u | 1};
   const bool spreads = has_lanes && own_rnd(&run, 2);
   VkCommandBuffer cmd = vkx_begin(vkx);
   for (unsigned i = 0; i < 2; i++) {
      images[i] = create_image(&run, infos[i], spreads, &run.pages[i]);
      vkt_transition(cmd, &images[i], VK_IMAGE_LAYOUT_UNDEFINED, GENERAL);
      for (uint32_t level = 0; level < infos[i].mipLevels; level++) {
         const VkBufferImageCopy copy = {.bufferOffset = level * 16,
                                         .imageSubresource = {COLOR, level, 0, infos[i].arrayLayers},
                                         .imageExtent = level_extent(&infos[i], level)};
         vkCmdCopyBufferToImage(cmd, buffers[i].buffer, images[i].image, GENERAL, 1, &copy);
      }
   }
   vkt_barrier(cmd);
   run.cmd = spreads ? VK_NULL_HANDLE : cmd;
   if (spreads)
      vkx_submit_and_wait(vkx, cmd);
   do_all(tile, &run, images, infos, class, samples);
   if (spreads) {
      random_lanes_wait();
   } else {
      vkt_barrier(cmd);
      vkx_submit_and_wait(vkx, cmd);
   }
   for (unsigned i = 0; i < 6; i++)
      vkt_image_destroy(vkx, &samples[i]);
}

static void
report(struct random_tile *tile, const VkImageCreateInfo *info, const struct vkt_image *image, const char *name)
{
   for (uint32_t level = 0; level < info->mipLevels; level++) {
      const VkExtent3D size = level_extent(info, level);
      char what[32];
      snprintf(what, sizeof(what), "%s level %u", name, level);
      if (!tile->unsupported)
         vkt_read(vkx, image, COLOR, level, &buffers[2]);
      tile_result(tile, what, info->format, COLOR, size.width,
                  size.width * size.height * size.depth * info->arrayLayers, buffers[2].map);
   }
}

static void
make(struct vkx *device, struct random_tile *tile)
{
   vkx = device;
   if (!buffers[0].buffer) {
      /* RADV 22.3.6 copies one slice of several to layers on compute queues. */
      has_lanes = vkt_is_indium(vkx) && random_lanes_create(vkx);
      pairs.count = has_lanes ? CHOICES : QUEUE; /* the last */
   }
   const unsigned class = chance(tile, 60) ? 0 : 1 + rnd(tile, 2);
   VkFormat pair[2] = {PICK(tile, formats[class]), PICK(tile, formats[class])};
   if (chance(tile, 40))
      pair[1] = pair[0];
   const VkImageCreateInfo infos[2] = {choose_image(tile, pair[0]), choose_image(tile, pair[1])};
   struct vkt_image images[2] = {{0}};
   for (unsigned i = 0; i < 3; i++) {
      if (!buffers[i].buffer)
         buffers[i] = vkt_buffer_create(vkx, BUFFER_B, 0);
      if (i < 2)
         fill_texels(tile, infos[i].format, buffers[i].map, BUFFER_B / 4);
   }
   /* Once to see what it needs, and once more to do it. */
   const struct random_tile before = *tile;
   do_all(tile, NULL, images, infos, class, NULL);
   if (!tile->unsupported) {
      *tile = before;
      copy_random(tile, infos, class, images);
   }
   report(tile, &infos[0], &images[0], "first image");
   report(tile, &infos[1], &images[1], "second image");
   if (tile->slack > before.slack)
      tile->pixels = BUFFER_B; /* it may hold what was blitted */
   tile_result(tile, "buffer", VK_FORMAT_UNDEFINED, COLOR, 64, BUFFER_B / 16, buffers[1].map);
   for (unsigned i = 0; i < 2; i++)
      vkt_image_destroy(vkx, &images[i]);
}

static void
finish(void)
{
   for (unsigned i = 0; i < 3; i++)
      vkx_buffer_destroy(vkx, &buffers[i]);
   random_lanes_destroy();
}

int
main(int argc, char **argv)
{
   vkt_all_queues = true;
   return random_tiles_main(argc, argv, &(struct random_program){"random_copies", make, finish, &pairs});
}
