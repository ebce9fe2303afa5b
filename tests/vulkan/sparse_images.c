/* Images that get memory block by block: layers, levels and their tails, slices, targets, samples, memory that two
 * images share. What is written to each level comes back from the blocks that are there; the others read as 0. */
#include <string.h>

#include "sparse_binds.h"

static struct vkx *vkx;
static struct sparse sparse;

struct image {
   struct vkt_image vkt;
   VkExtent3D block;
   VkMemoryRequirements needs;
   VkSparseImageMemoryRequirements sparse;
};

static uint32_t
minify(uint32_t size, uint32_t level)
{
   return size >> level ? size >> level : 1;
}

static VkExtent3D
size_of(const struct image *image, uint32_t level)
{
   const VkExtent3D *size = &image->vkt.info.extent;
   return (VkExtent3D){minify(size->width, level), minify(size->height, level), minify(size->depth, level)};
}

/* blocks: of level 0 in each direction. False, and a line: the device has no such images. */
static bool
create(struct image *image, VkImageCreateInfo info, VkExtent3D blocks, const char *what)
{
   VkSparseImageFormatProperties properties;
   uint32_t count = 1;
   info.sType = VK_STRUCTURE_TYPE_IMAGE_CREATE_INFO;
   info.flags |= VK_IMAGE_CREATE_SPARSE_BINDING_BIT | VK_IMAGE_CREATE_SPARSE_RESIDENCY_BIT;
   info.usage |= VK_IMAGE_USAGE_TRANSFER_SRC_BIT | VK_IMAGE_USAGE_TRANSFER_DST_BIT;
   vkGetPhysicalDeviceSparseImageFormatProperties(vkx->physical, info.format, info.imageType, info.samples,
                                                  info.usage, info.tiling, &count, &properties);
   if (!count) {
      vkt_skip(what);
      return false;
   }
   *image = (struct image){.block = properties.imageGranularity};
   info.extent = (VkExtent3D){blocks.width * image->block.width, blocks.height * image->block.height,
                              blocks.depth * image->block.depth};
   image->vkt.info = info;
   vkx_check(vkCreateImage(vkx->device, &info, NULL, &image->vkt.image), "vkCreateImage");
   vkGetImageMemoryRequirements(vkx->device, image->vkt.image, &image->needs);
   vkGetImageSparseMemoryRequirements(vkx->device, image->vkt.image, &count, &image->sparse);
   bool single = image->sparse.formatProperties.flags & VK_SPARSE_IMAGE_FORMAT_SINGLE_MIPTAIL_BIT;
   vkt_expect(image->sparse.imageMipTailSize % image->needs.alignment == 0 &&
                 (single || info.arrayLayers == 1 || image->sparse.imageMipTailStride % image->needs.alignment == 0),
              "%s: a tail of %llu bytes, alignment %llu", what, (unsigned long long)image->sparse.imageMipTailSize,
              (unsigned long long)image->needs.alignment);
   return true;
}

static void
destroy(struct image *image)
{
   vkDestroyImage(vkx->device, image->vkt.image, NULL);
}

static uint32_t
blocks_in(uint32_t size, uint32_t block)
{
   return (size + block - 1) / block;
}

/* Blocks of a level, from `first` on, get memory of their own, or that of `memory`. */
static void
bind_blocks(const struct image *image, uint32_t level, uint32_t layer, VkExtent3D first, VkExtent3D count,
            VkDeviceMemory memory)
{
   const VkExtent3D *block = &image->block, size = size_of(image, level);
   VkSparseImageMemoryBind bind = {
      .subresource = {VK_IMAGE_ASPECT_COLOR_BIT, level, layer},
      .offset = {(int32_t)(first.width * block->width), (int32_t)(first.height * block->height),
                 (int32_t)(first.depth * block->depth)},
      .extent = {count.width * block->width, count.height * block->height, count.depth * block->depth},
      .memory = memory,
   };
   if (!memory)
      bind.memory =
         sparse_memory(&sparse, &image->needs, image->needs.alignment * count.width * count.height * count.depth);
   /* Only the last blocks end with the level. */
   bind.extent.width = bind.extent.width > size.width ? size.width : bind.extent.width;
   bind.extent.height = bind.extent.height > size.height ? size.height : bind.extent.height;
   bind.extent.depth = bind.extent.depth > size.depth ? size.depth : bind.extent.depth;
   sparse_bind_box(&sparse, image->vkt.image, &bind);
}

static void
bind_tails(const struct image *image)
{
   bool single = image->sparse.formatProperties.flags & VK_SPARSE_IMAGE_FORMAT_SINGLE_MIPTAIL_BIT;
   for (uint32_t layer = 0; layer < (single ? 1 : image->vkt.info.arrayLayers); layer++)
      sparse_bind_opaque(
         &sparse, image->vkt.image, image->sparse.imageMipTailOffset + layer * image->sparse.imageMipTailStride,
         image->sparse.imageMipTailSize, sparse_memory(&sparse, &image->needs, image->sparse.imageMipTailSize));
}

static uint32_t
value_of(uint32_t level, uint32_t layer, uint32_t texel)
{
   return (level + 1) << 28 ^ (layer + 1) << 22 ^ texel * 2654435761u >> 4 ^ 1;
}

static uint32_t
texels_of(const struct image *image, uint32_t level)
{
   const VkExtent3D size = size_of(image, level);
   return size.width * size.height * size.depth;
}

/* All layers of a level, one after another. */
static void
copy_level(const struct image *image, struct vkx_buffer *buffer, uint32_t level, bool to_image)
{
   const VkBufferImageCopy copy = {
      .imageSubresource = {VK_IMAGE_ASPECT_COLOR_BIT, level, 0, image->vkt.info.arrayLayers},
      .imageExtent = size_of(image, level)};
   VkCommandBuffer cmd = vkx_begin(vkx);
   vkt_transition(cmd, &image->vkt, VK_IMAGE_LAYOUT_GENERAL, VK_IMAGE_LAYOUT_GENERAL);
   if (to_image)
      vkCmdCopyBufferToImage(cmd, buffer->buffer, image->vkt.image, VK_IMAGE_LAYOUT_GENERAL, 1, &copy);
   else
      vkCmdCopyImageToBuffer(cmd, image->vkt.image, VK_IMAGE_LAYOUT_GENERAL, buffer->buffer, 1, &copy);
   vkt_barrier(cmd);
   vkx_submit_and_wait(vkx, cmd);
}

static void
start_layout(const struct image *image)
{
   VkCommandBuffer cmd = vkx_begin(vkx);
   vkt_transition(cmd, &image->vkt, VK_IMAGE_LAYOUT_UNDEFINED, VK_IMAGE_LAYOUT_GENERAL);
   vkx_submit_and_wait(vkx, cmd);
}

static void
write_all(const struct image *image, struct vkx_buffer *buffer)
{
   for (uint32_t level = 0; level < image->vkt.info.mipLevels; level++) {
      uint32_t texels = texels_of(image, level), *values = buffer->map;
      for (uint32_t i = 0; i < texels * image->vkt.info.arrayLayers; i++)
         values[i] = value_of(level, i / texels, i % texels);
      copy_level(image, buffer, level, true);
   }
}

/* there: whether the block of a level that is not in the tail has memory. */
static void
check_all(const struct image *image, struct vkx_buffer *buffer,
          bool (*there)(uint32_t level, uint32_t layer, uint32_t x, uint32_t y, uint32_t z), const char *what)
{
   for (uint32_t level = 0; level < image->vkt.info.mipLevels; level++) {
      const VkExtent3D size = size_of(image, level);
      uint32_t texels = texels_of(image, level), wrong = 0, *values = buffer->map;
      memset(values, 0xee, buffer->size);
      copy_level(image, buffer, level, false);
      for (uint32_t i = 0; i < texels * image->vkt.info.arrayLayers; i++) {
         uint32_t layer = i / texels, at = i % texels;
         bool resident =
            level >= image->sparse.imageMipTailFirstLod || there(level, layer, at % size.width / image->block.width,
                                                                 at / size.width % size.height / image->block.height,
                                                                 at / size.width / size.height / image->block.depth);
         wrong += resident ? values[i] != value_of(level, layer, at) : sparse.strict && values[i];
      }
      vkt_expect(!wrong, "%s: %u of %u texels of level %u", what, wrong, texels * image->vkt.info.arrayLayers, level);
   }
}

/* ---- layers and levels ---- */

/* Of an array the last layer's blocks on a diagonal, and all of level 1. */
static bool
in_array(uint32_t level, uint32_t layer, uint32_t x, uint32_t y, uint32_t z)
{
   return level || (layer == 2 && x == y);
}

static void
test_array(VkFormat format, const char *what)
{
   struct image image;
   if (!create(&image,
               (VkImageCreateInfo){.imageType = VK_IMAGE_TYPE_2D,
                                   .format = format,
                                   .mipLevels = 5,
                                   .arrayLayers = 3,
                                   .samples = VK_SAMPLE_COUNT_1_BIT,
                                   .usage = VK_IMAGE_USAGE_SAMPLED_BIT | VK_IMAGE_USAGE_STORAGE_BIT},
               (VkExtent3D){2, 2, 1}, what))
      return;
   struct vkx_buffer buffer = vkt_buffer_create(vkx, 4ull * 3 * texels_of(&image, 0), 0);
   const VkExtent3D one = {1, 1, 1};
   start_layout(&image);
   for (uint32_t i = 0; i < 2; i++)
      bind_blocks(&image, 0, 2, (VkExtent3D){i, i, 0}, one, VK_NULL_HANDLE);
   for (uint32_t level = 1; level < image.sparse.imageMipTailFirstLod && level < 5; level++) {
      const VkExtent3D size = size_of(&image, level), count = {blocks_in(size.width, image.block.width),
                                                               blocks_in(size.height, image.block.height), 1};
      for (uint32_t layer = 0; layer < 3; layer++)
         bind_blocks(&image, level, layer, (VkExtent3D){0}, count, VK_NULL_HANDLE);
   }
   if (image.sparse.imageMipTailFirstLod < 5)
      bind_tails(&image);
   write_all(&image, &buffer);
   check_all(&image, &buffer, in_array, what);
   vkx_buffer_destroy(vkx, &buffer);
   destroy(&image);
}

static bool
in_volume(uint32_t level, uint32_t layer, uint32_t x, uint32_t y, uint32_t z)
{
   return level || (x == 1 && z == 1);
}

static void
test_volume(void)
{
   struct image image;
   if (!vkt_features.sparseResidencyImage3D || !create(&image,
                                                       (VkImageCreateInfo){.imageType = VK_IMAGE_TYPE_3D,
                                                                           .format = VK_FORMAT_R32_UINT,
                                                                           .mipLevels = 4,
                                                                           .arrayLayers = 1,
                                                                           .samples = VK_SAMPLE_COUNT_1_BIT,
                                                                           .usage = VK_IMAGE_USAGE_SAMPLED_BIT},
                                                       (VkExtent3D){2, 2, 2}, "3D"))
      return;
   struct vkx_buffer buffer = vkt_buffer_create(vkx, 4ull * texels_of(&image, 0), 0);
   start_layout(&image);
   bind_blocks(&image, 0, 0, (VkExtent3D){1, 0, 1}, (VkExtent3D){1, 2, 1}, VK_NULL_HANDLE);
   for (uint32_t level = 1; level < image.sparse.imageMipTailFirstLod && level < 4; level++) {
      const VkExtent3D size = size_of(&image, level);
      bind_blocks(&image, level, 0, (VkExtent3D){0},
                  (VkExtent3D){blocks_in(size.width, image.block.width), blocks_in(size.height, image.block.height),
                               blocks_in(size.depth, image.block.depth)},
                  VK_NULL_HANDLE);
   }
   if (image.sparse.imageMipTailFirstLod < 4)
      bind_tails(&image);
   write_all(&image, &buffer);
   check_all(&image, &buffer, in_volume, "3D");
   vkx_buffer_destroy(vkx, &buffer);
   destroy(&image);
}

/* ---- memory ---- */

static bool
everywhere(uint32_t level, uint32_t layer, uint32_t x, uint32_t y, uint32_t z)
{
   return true;
}

static bool
on_the_left(uint32_t level, uint32_t layer, uint32_t x, uint32_t y, uint32_t z)
{
   return x == 0;
}

/* What one image writes, another shows; a block that is taken away reads as 0 at once. */
static void
test_alias(void)
{
   struct image image[2];
   VkImageCreateInfo info = {.flags = VK_IMAGE_CREATE_SPARSE_ALIASED_BIT,
                             .imageType = VK_IMAGE_TYPE_2D,
                             .format = VK_FORMAT_R32_UINT,
                             .mipLevels = 1,
                             .arrayLayers = 1,
                             .samples = VK_SAMPLE_COUNT_1_BIT,
                             .usage = VK_IMAGE_USAGE_SAMPLED_BIT};
   const VkExtent3D blocks = {2, 1, 1};
   if (!vkt_features.sparseResidencyAliased || !create(&image[0], info, blocks, "aliased"))
      return;
   create(&image[1], info, blocks, "aliased");
   struct vkx_buffer buffer = vkt_buffer_create(vkx, 4ull * texels_of(&image[0], 0), 0);
   VkDeviceMemory memory = sparse_memory(&sparse, &image[0].needs, 2 * image[0].needs.alignment);
   for (uint32_t i = 0; i < 2; i++) {
      start_layout(&image[i]);
      bind_blocks(&image[i], 0, 0, (VkExtent3D){0}, blocks, memory);
   }
   write_all(&image[0], &buffer);
   check_all(&image[1], &buffer, everywhere, "aliased");
   const VkSparseImageMemoryBind none = {.subresource = {VK_IMAGE_ASPECT_COLOR_BIT, 0, 0},
                                         .offset = {(int32_t)image[1].block.width, 0, 0},
                                         .extent = image[1].block};
   sparse_bind_box(&sparse, image[1].vkt.image, &none);
   check_all(&image[1], &buffer, on_the_left, "taken away");
   check_all(&image[0], &buffer, everywhere, "left alone");
   vkx_buffer_destroy(vkx, &buffer);
   destroy(&image[0]);
   destroy(&image[1]);
}

/* ---- many blocks ---- */

enum { MANY_SIDE = 56, PIECES = 7 };

/* The piece of memory of a block of the large image, 0 none. */
static uint32_t
piece_of(uint32_t block)
{
   return (block * 2654435761u >> 16) % (PIECES + 1);
}

static VkOffset3D
place_of(const struct image *image, uint32_t block)
{
   return (VkOffset3D){(int32_t)(block % MANY_SIDE * image->block.width),
                       (int32_t)(block / MANY_SIDE * image->block.height), 0};
}

/* All pieces get texels with their number, through the first block that each has. */
static void
fill_pieces(const struct image *image)
{
   const uint32_t texels = image->block.width * image->block.height;
   struct vkx_buffer buffer = vkt_buffer_create(vkx, 4ull * PIECES * texels, 0);
   VkBufferImageCopy regions[PIECES];
   uint32_t *values = buffer.map;
   for (uint32_t i = 0; i < PIECES * texels; i++)
      values[i] = (i / texels + 1) << 24 | i % texels;
   for (uint32_t piece = 1; piece <= PIECES; piece++) {
      uint32_t block = 0;
      while (piece_of(block) != piece)
         block++;
      regions[piece - 1] = (VkBufferImageCopy){.bufferOffset = 4ull * (piece - 1) * texels,
                                               .imageSubresource = {VK_IMAGE_ASPECT_COLOR_BIT, 0, 0, 1},
                                               .imageOffset = place_of(image, block),
                                               .imageExtent = image->block};
   }
   VkCommandBuffer cmd = vkx_begin(vkx);
   vkCmdCopyBufferToImage(cmd, buffer.buffer, image->vkt.image, VK_IMAGE_LAYOUT_GENERAL, PIECES, regions);
   vkt_barrier(cmd);
   vkx_submit_and_wait(vkx, cmd);
   vkx_buffer_destroy(vkx, &buffer);
}

/* One texel of each block, another one in each. */
static void
check_pieces(const struct image *image)
{
   static VkBufferImageCopy regions[MANY_SIDE * MANY_SIDE];
   const uint32_t texels = image->block.width * image->block.height;
   struct vkx_buffer buffer = vkt_buffer_create(vkx, sizeof(uint32_t) * MANY_SIDE * MANY_SIDE, 0xee);
   uint32_t wrong = 0, first = 0;
   for (uint32_t i = 0; i < MANY_SIDE * MANY_SIDE; i++) {
      const uint32_t at = i * 40503u % texels;
      regions[i] = (VkBufferImageCopy){.bufferOffset = 4ull * i,
                                       .imageSubresource = {VK_IMAGE_ASPECT_COLOR_BIT, 0, 0, 1},
                                       .imageOffset = place_of(image, i),
                                       .imageExtent = {1, 1, 1}};
      regions[i].imageOffset.x += (int32_t)(at % image->block.width);
      regions[i].imageOffset.y += (int32_t)(at / image->block.width);
   }
   VkCommandBuffer cmd = vkx_begin(vkx);
   vkCmdCopyImageToBuffer(cmd, image->vkt.image, VK_IMAGE_LAYOUT_GENERAL, buffer.buffer, MANY_SIDE * MANY_SIDE,
                          regions);
   vkt_barrier(cmd);
   vkx_submit_and_wait(vkx, cmd);
   const uint32_t *values = buffer.map;
   for (uint32_t i = 0; i < MANY_SIDE * MANY_SIDE; i++) {
      const uint32_t piece = piece_of(i), at = i * 40503u % texels;
      const bool is_wrong = piece ? values[i] != (piece << 24 | at) : sparse.strict && values[i];
      first = is_wrong && !wrong ? i : first;
      wrong += is_wrong;
   }
   vkt_expect(!wrong, "many blocks: %u of %u, the first is block %u", wrong, MANY_SIDE * MANY_SIDE, first);
   vkx_buffer_destroy(vkx, &buffer);
}

/* More blocks in one submit than a driver may write into a page table at once: over 10,000 pages of 16 KiB. Many have
 * the same memory. */
static void
test_many(void)
{
   static VkSparseImageMemoryBind binds[MANY_SIDE * MANY_SIDE];
   struct image image;
   const VkImageCreateInfo info = {.flags = VK_IMAGE_CREATE_SPARSE_ALIASED_BIT,
                                   .imageType = VK_IMAGE_TYPE_2D,
                                   .format = VK_FORMAT_R32_UINT,
                                   .mipLevels = 1,
                                   .arrayLayers = 1,
                                   .samples = VK_SAMPLE_COUNT_1_BIT,
                                   .usage = VK_IMAGE_USAGE_SAMPLED_BIT};
   const VkExtent3D blocks = {MANY_SIDE, MANY_SIDE, 1};
   if (!vkt_features.sparseResidencyAliased || !create(&image, info, blocks, "many blocks"))
      return;
   VkDeviceMemory memory = sparse_memory(&sparse, &image.needs, PIECES * image.needs.alignment);
   uint32_t count = 0;
   for (uint32_t i = 0; i < MANY_SIDE * MANY_SIDE; i++) {
      if (piece_of(i))
         binds[count++] = (VkSparseImageMemoryBind){.subresource = {VK_IMAGE_ASPECT_COLOR_BIT, 0, 0},
                                                    .offset = place_of(&image, i),
                                                    .extent = image.block,
                                                    .memory = memory,
                                                    .memoryOffset = (piece_of(i) - 1) * image.needs.alignment};
   }
   const VkSparseImageMemoryBindInfo of_image = {image.vkt.image, count, binds};
   start_layout(&image);
   sparse_bind(&sparse, &(VkBindSparseInfo){.sType = VK_STRUCTURE_TYPE_BIND_SPARSE_INFO,
                                            .imageBindCount = 1,
                                            .pImageBinds = &of_image});
   fill_pieces(&image);
   check_pieces(&image);
   destroy(&image);
}

/* The processor writes what is there, where a device lets it; and no others are written. */
static void
test_host(void)
{
   struct image image;
   VkImageCreateInfo info = {.imageType = VK_IMAGE_TYPE_2D,
                             .format = VK_FORMAT_R32_UINT,
                             .mipLevels = 1,
                             .arrayLayers = 1,
                             .samples = VK_SAMPLE_COUNT_1_BIT,
                             .usage = VK_IMAGE_USAGE_SAMPLED_BIT | VK_IMAGE_USAGE_HOST_TRANSFER_BIT_EXT};
   if (!create(&image, info, (VkExtent3D){2, 1, 1}, "the processor"))
      return;
   struct vkx_buffer buffer = vkt_buffer_create(vkx, 4ull * texels_of(&image, 0), 0);
   start_layout(&image);
   bind_blocks(&image, 0, 0, (VkExtent3D){0}, (VkExtent3D){1, 1, 1}, VK_NULL_HANDLE);
   for (uint32_t i = 0; i < texels_of(&image, 0); i++)
      ((uint32_t *)buffer.map)[i] = value_of(0, 0, i);
   const VkMemoryToImageCopyEXT region = {.sType = VK_STRUCTURE_TYPE_MEMORY_TO_IMAGE_COPY_EXT,
                                          .pHostPointer = buffer.map,
                                          .imageSubresource = {VK_IMAGE_ASPECT_COLOR_BIT, 0, 0, 1},
                                          .imageExtent = size_of(&image, 0)};
   const VkCopyMemoryToImageInfoEXT copy = {.sType = VK_STRUCTURE_TYPE_COPY_MEMORY_TO_IMAGE_INFO_EXT,
                                            .dstImage = image.vkt.image,
                                            .dstImageLayout = VK_IMAGE_LAYOUT_GENERAL,
                                            .regionCount = 1,
                                            .pRegions = &region};
   vkx_check(VKT_PROC(vkx, vkCopyMemoryToImageEXT)(vkx->device, &copy), "vkCopyMemoryToImageEXT");
   check_all(&image, &buffer, on_the_left, "the processor");
   vkx_buffer_destroy(vkx, &buffer);
   destroy(&image);
}

/* ---- targets ---- */

static void
clear_target(const struct image *image, VkImageView view, VkImageView resolve)
{
   const VkRenderingAttachmentInfo color = {
      .sType = VK_STRUCTURE_TYPE_RENDERING_ATTACHMENT_INFO,
      .imageView = view,
      .imageLayout = VK_IMAGE_LAYOUT_GENERAL,
      .resolveMode = resolve ? VK_RESOLVE_MODE_AVERAGE_BIT : VK_RESOLVE_MODE_NONE,
      .resolveImageView = resolve,
      .resolveImageLayout = VK_IMAGE_LAYOUT_GENERAL,
      .loadOp = VK_ATTACHMENT_LOAD_OP_CLEAR,
      .storeOp = VK_ATTACHMENT_STORE_OP_STORE,
      .clearValue.color.float32 = {1, 0, 1, 1},
   };
   const VkRenderingInfo rendering = {
      .sType = VK_STRUCTURE_TYPE_RENDERING_INFO,
      .renderArea.extent = {image->vkt.info.extent.width, image->vkt.info.extent.height},
      .layerCount = 1,
      .colorAttachmentCount = 1,
      .pColorAttachments = &color};
   VkCommandBuffer cmd = vkx_begin(vkx);
   VKT_PROC(vkx, vkCmdBeginRenderingKHR)(cmd, &rendering);
   VKT_PROC(vkx, vkCmdEndRenderingKHR)(cmd);
   vkt_barrier(cmd);
   vkx_submit_and_wait(vkx, cmd);
}

static void
check_target(const struct image *image, uint32_t bound_width, const char *what)
{
   uint32_t width = image->vkt.info.extent.width, texels = texels_of(image, 0), wrong = 0;
   struct vkx_buffer buffer = vkt_buffer_create(vkx, 4ull * texels, 0xee);
   const uint32_t *values = buffer.map;
   copy_level(image, &buffer, 0, false);
   for (uint32_t i = 0; i < texels; i++)
      wrong += i % width < bound_width ? values[i] != 0xffff00ff : sparse.strict && values[i];
   vkt_expect(!wrong, "%s: %u of %u pixels", what, wrong, texels);
   vkx_buffer_destroy(vkx, &buffer);
}

/* Two blocks side by side, of which the left one has memory. With samples both have, and are resolved. */
static void
test_target(VkSampleCountFlagBits samples)
{
   struct image image;
   const VkImageCreateInfo info = {.imageType = VK_IMAGE_TYPE_2D,
                                   .format = VK_FORMAT_R8G8B8A8_UNORM,
                                   .mipLevels = 1,
                                   .arrayLayers = 1,
                                   .samples = samples,
                                   .usage = VK_IMAGE_USAGE_COLOR_ATTACHMENT_BIT};
   if (!create(&image, info, (VkExtent3D){2, 1, 1}, samples > 1 ? "targets of samples" : "targets"))
      return;
   start_layout(&image);
   bind_blocks(&image, 0, 0, (VkExtent3D){0}, (VkExtent3D){samples > 1 ? 2 : 1, 1, 1}, VK_NULL_HANDLE);
   VkImageView view = vkt_view_create(vkx, &image.vkt, VK_IMAGE_VIEW_TYPE_2D, VK_IMAGE_ASPECT_COLOR_BIT, 0, 0, 1);
   if (samples == VK_SAMPLE_COUNT_1_BIT) {
      clear_target(&image, view, VK_NULL_HANDLE);
      check_target(&image, image.block.width, "a target");
   } else {
      struct image plain = {.vkt = vkt_image_create(vkx,
                                                    (VkImageCreateInfo){.imageType = VK_IMAGE_TYPE_2D,
                                                                        .format = info.format,
                                                                        .extent = image.vkt.info.extent,
                                                                        .usage = VK_IMAGE_USAGE_TRANSFER_SRC_BIT |
                                                                                 VK_IMAGE_USAGE_COLOR_ATTACHMENT_BIT},
                                                    false)};
      VkImageView resolve =
         vkt_view_create(vkx, &plain.vkt, VK_IMAGE_VIEW_TYPE_2D, VK_IMAGE_ASPECT_COLOR_BIT, 0, 0, 1);
      start_layout(&plain);
      clear_target(&image, view, resolve);
      check_target(&plain, plain.vkt.info.extent.width, samples == 2 ? "2 samples" : "4 samples");
      vkDestroyImageView(vkx->device, resolve, NULL);
      vkt_image_destroy(vkx, &plain.vkt);
   }
   vkDestroyImageView(vkx->device, view, NULL);
   destroy(&image);
}

/* Binds of layers, levels and boxes that the image does not have: they change nothing of it, nor of its neighbours.
 */
static void
bind_outside(const struct image *image, VkDeviceMemory memory)
{
   const VkExtent3D block = image->block;
   const int32_t w = (int32_t)block.width;
   for (uint32_t layer = 0; layer < 64; layer++) {
      const VkImageSubresource of = {VK_IMAGE_ASPECT_COLOR_BIT, 0, layer < 2 ? UINT32_MAX - layer : layer + 1};
      sparse_bind_box(&sparse, image->vkt.image, &(VkSparseImageMemoryBind){of, {0, 0, 0}, block, memory, 0, 0});
   }
   const VkSparseImageMemoryBind others[] = {
      {{VK_IMAGE_ASPECT_COLOR_BIT, 99, 0}, {0, 0, 0}, block, memory, 0, 0},
      {{VK_IMAGE_ASPECT_COLOR_BIT, 0, 0}, {-w, 0, 0}, block, memory, 0, 0},
      {{VK_IMAGE_ASPECT_COLOR_BIT, 0, 0}, {8 * w, 0, 0}, block, memory, 0, 0},
      {{VK_IMAGE_ASPECT_COLOR_BIT, 0, 0}, {0, 0, 0}, {UINT32_MAX, UINT32_MAX, UINT32_MAX}, memory, 0, 0}};
   for (unsigned i = 0; i < sizeof(others) / sizeof(others[0]); i++)
      sparse_bind_box(&sparse, image->vkt.image, &others[i]);
}

static void
test_outside(void)
{
   const VkImageCreateInfo info = {.imageType = VK_IMAGE_TYPE_2D,
                                   .format = VK_FORMAT_R32_UINT,
                                   .mipLevels = 1,
                                   .arrayLayers = 2,
                                   .samples = VK_SAMPLE_COUNT_1_BIT,
                                   .usage = VK_IMAGE_USAGE_SAMPLED_BIT};
   struct image images[3];
   struct vkx_buffer buffer;
   for (unsigned i = 0; i < 3; i++) {
      if (!create(&images[i], info, (VkExtent3D){2, 2, 1}, "an array"))
         return;
   }
   buffer = vkt_buffer_create(vkx, 4ull * 2 * texels_of(&images[0], 0), 0);
   const VkDeviceMemory memory = sparse_memory(&sparse, &images[0].needs, images[0].needs.alignment);
   for (unsigned i = 0; i < 3; i++) {
      start_layout(&images[i]);
      for (uint32_t layer = 0; layer < 2; layer++)
         bind_blocks(&images[i], 0, layer, (VkExtent3D){0}, (VkExtent3D){2, 2, 1}, VK_NULL_HANDLE);
      write_all(&images[i], &buffer);
   }
   /* The one in the middle; at first what is there is taken away. */
   bind_outside(&images[1], VK_NULL_HANDLE);
   bind_outside(&images[1], memory);
   for (unsigned i = 0; i < 3; i++)
      check_all(&images[i], &buffer, everywhere, "binds outside of an image");
   for (unsigned i = 0; i < 3; i++)
      destroy(&images[i]);
   vkx_buffer_destroy(vkx, &buffer);
}

int
main(int argc, char **argv)
{
   const bool outside = *vkx_option(argc, argv, "--outside", "0") == '1';
   vkt_all_queues = true;
   struct vkx device = vkt_create("sparse_images");
   vkx = &device;
   if (!sparse_start(&sparse, vkx) || !vkt_features.sparseResidencyImage2D)
      return vkt_finish(vkx);
   if (outside)
      test_outside();
   test_array(VK_FORMAT_R32_UINT, "an array");
   test_array(VK_FORMAT_R8G8B8A8_UNORM, "an array of bytes");
   test_volume();
   test_alias();
   test_many();
   if (vkt_has("VK_EXT_host_image_copy"))
      test_host();
   if (vkt_has("VK_KHR_dynamic_rendering")) {
      test_target(VK_SAMPLE_COUNT_1_BIT);
      if (vkt_features.sparseResidency2Samples)
         test_target(VK_SAMPLE_COUNT_2_BIT);
      if (vkt_features.sparseResidency4Samples)
         test_target(VK_SAMPLE_COUNT_4_BIT);
   }
   sparse_finish(&sparse);
   return vkt_finish(vkx);
}
