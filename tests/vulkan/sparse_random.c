/* Random binds: blocks of images and pages of a buffer get memory, pass it on and lose it, while copies write and
 * read them on another queue. Nothing waits on the processor: timelines order binds and copies. What each read finds
 * is known from what was done. sparse_random [--seed N] [--count N] */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "sparse_binds.h"

enum {
   PIECES = 12,     /* memory of so many blocks */
   PAGES = 24,      /* and pages */
   VIEW_PAGES = 40, /* of the buffer */
   MAX_BLOCKS = 256,
   PIECE_WORDS = 16384,
   STEPS = 48,
   SUBMITS = STEPS + PIECES + 1,
};

#define GENERAL VK_IMAGE_LAYOUT_GENERAL

struct block {
   uint32_t level, layer;
   VkOffset3D at;
   VkExtent3D size; /* in the level */
   int piece;       /* -1: none */
};

struct read {
   uint32_t first, count; /* words of the read buffer, and of what they should be */
};

static struct vkx *vkx;
static struct sparse sparse;
static VkSemaphore timeline;
static uint64_t point; /* of the last submit */
static struct vkx_buffer from, to;
static uint32_t from_words, to_words; /* used */
static uint32_t wanted[SUBMITS * PIECE_WORDS];
static struct read reads[STEPS];
static uint32_t num_reads;
static VkCommandBuffer commands[SUBMITS];
static uint32_t num_commands;

/* ---- submits ---- */

static void
bind(VkBindSparseInfo info)
{
   const uint64_t wait = point, signal = ++point;
   const VkTimelineSemaphoreSubmitInfo values = {.sType = VK_STRUCTURE_TYPE_TIMELINE_SEMAPHORE_SUBMIT_INFO,
                                                 .waitSemaphoreValueCount = 1,
                                                 .pWaitSemaphoreValues = &wait,
                                                 .signalSemaphoreValueCount = 1,
                                                 .pSignalSemaphoreValues = &signal};
   info.sType = VK_STRUCTURE_TYPE_BIND_SPARSE_INFO;
   info.pNext = &values;
   info.waitSemaphoreCount = info.signalSemaphoreCount = 1;
   info.pWaitSemaphores = info.pSignalSemaphores = &timeline;
   vkx_check(vkQueueBindSparse(sparse.queue, 1, &info, VK_NULL_HANDLE), "vkQueueBindSparse");
}

static void
submit(VkCommandBuffer cmd)
{
   const VkPipelineStageFlags stages = VK_PIPELINE_STAGE_ALL_COMMANDS_BIT;
   const uint64_t wait = point, signal = ++point;
   const VkTimelineSemaphoreSubmitInfo values = {.sType = VK_STRUCTURE_TYPE_TIMELINE_SEMAPHORE_SUBMIT_INFO,
                                                 .waitSemaphoreValueCount = 1,
                                                 .pWaitSemaphoreValues = &wait,
                                                 .signalSemaphoreValueCount = 1,
                                                 .pSignalSemaphoreValues = &signal};
   const VkSubmitInfo info = {.sType = VK_STRUCTURE_TYPE_SUBMIT_INFO,
                              .pNext = &values,
                              .waitSemaphoreCount = 1,
                              .pWaitSemaphores = &timeline,
                              .pWaitDstStageMask = &stages,
                              .commandBufferCount = 1,
                              .pCommandBuffers = &cmd,
                              .signalSemaphoreCount = 1,
                              .pSignalSemaphores = &timeline};
   vkt_barrier(cmd);
   vkx_check(vkEndCommandBuffer(cmd), "vkEndCommandBuffer");
   vkx_check(vkQueueSubmit(vkx->queue, 1, &info, VK_NULL_HANDLE), "vkQueueSubmit");
   commands[num_commands++] = cmd;
}

/* Random words in the buffer that copies read; where they begin: at an element of any size. */
static uint32_t
draw_words(uint32_t count)
{
   uint32_t first = from_words, *words = from.map;
   for (uint32_t i = 0; i < count; i++)
      words[first + i] = vkt_random();
   from_words += (count + 3) & ~3u;
   return first;
}

static void
start(void)
{
   const VkSemaphoreTypeCreateInfo type = {.sType = VK_STRUCTURE_TYPE_SEMAPHORE_TYPE_CREATE_INFO,
                                           .semaphoreType = VK_SEMAPHORE_TYPE_TIMELINE};
   const VkSemaphoreCreateInfo info = {.sType = VK_STRUCTURE_TYPE_SEMAPHORE_CREATE_INFO, .pNext = &type};
   vkx_check(vkCreateSemaphore(vkx->device, &info, NULL, &timeline), "vkCreateSemaphore");
   from = vkt_buffer_create(vkx, sizeof(wanted), 0);
   to = vkt_buffer_create(vkx, sizeof(wanted), 0xee);
   point = num_reads = num_commands = from_words = to_words = 0;
}

/* Waits, and compares. */
static void
finish(const char *what, uint32_t seed)
{
   const uint32_t *found = to.map;
   uint32_t wrong = 0, first = 0;
   vkx_check(vkDeviceWaitIdle(vkx->device), "vkDeviceWaitIdle");
   for (uint32_t r = 0; r < num_reads; r++) {
      for (uint32_t i = reads[r].first; i < reads[r].first + reads[r].count; i++) {
         first = found[i] != wanted[i] && !wrong ? r : first;
         wrong += found[i] != wanted[i];
      }
   }
   vkt_expect(!wrong, "%s, seed %u: %u words of %u, first in read %u of %u", what, seed, wrong, to_words, first,
              num_reads);
   if (num_commands)
      vkFreeCommandBuffers(vkx->device, vkx->pool, num_commands, commands);
   vkx_buffer_destroy(vkx, &from);
   vkx_buffer_destroy(vkx, &to);
   vkDestroySemaphore(vkx->device, timeline, NULL);
   for (; sparse.num_memories; sparse.num_memories--)
      vkFreeMemory(vkx->device, sparse.memories[sparse.num_memories - 1], NULL);
}

static void
add_read(uint32_t count)
{
   reads[num_reads++] = (struct read){to_words, count};
   to_words += (count + 3) & ~3u;
}

/* ---- images ---- */

static const struct format {
   VkFormat format;
   uint32_t element_B, side_px; /* of a block of texels */
} formats[] = {
   {VK_FORMAT_R8_UINT, 1, 1},          {VK_FORMAT_R16_UINT, 2, 1},           {VK_FORMAT_R32_UINT, 4, 1},
   {VK_FORMAT_R32G32_UINT, 8, 1},      {VK_FORMAT_R32G32B32A32_UINT, 16, 1}, {VK_FORMAT_BC1_RGBA_UNORM_BLOCK, 8, 4},
   {VK_FORMAT_BC7_UNORM_BLOCK, 16, 4},
};

struct image {
   struct vkt_image vkt;
   struct format format;
   VkExtent3D block;
   VkMemoryRequirements needs;
   VkSparseImageMemoryRequirements sparse;
   VkDeviceMemory memory;
   struct block blocks[MAX_BLOCKS];
   uint32_t num_blocks;
};
static struct image image;
static uint8_t pieces[PIECES][4 * PIECE_WORDS]; /* what the memory has, by rows of elements, then slices */

static uint32_t
minify(uint32_t size, uint32_t level)
{
   return size >> level ? size >> level : 1;
}

static uint32_t
least(uint32_t a, uint32_t b)
{
   return a < b ? a : b;
}

/* All blocks of the levels above the tail, in the order in which boxes take memory. */
static void
list_blocks(void)
{
   const VkImageCreateInfo *info = &image.vkt.info;
   const VkExtent3D *block = &image.block;
   image.num_blocks = 0;
   for (uint32_t level = 0; level < least(info->mipLevels, image.sparse.imageMipTailFirstLod); level++) {
      const uint32_t w = minify(info->extent.width, level), h = minify(info->extent.height, level);
      const uint32_t d = minify(info->extent.depth, level);
      for (uint32_t layer = 0; layer < info->arrayLayers; layer++) {
         for (uint32_t z = 0; z < d; z += block->depth) {
            for (uint32_t y = 0; y < h; y += block->height) {
               for (uint32_t x = 0; x < w && image.num_blocks < MAX_BLOCKS; x += block->width)
                  image.blocks[image.num_blocks++] = (struct block){
                     level,
                     layer,
                     {(int32_t)x, (int32_t)y, (int32_t)z},
                     {least(w - x, block->width), least(h - y, block->height), least(d - z, block->depth)},
                     -1};
            }
         }
      }
   }
}

/* False: the device has no such images. */
static bool
create_image(VkImageType type)
{
   image = (struct image){.num_blocks = 0};
   const uint32_t count_formats = vkt_features.textureCompressionBC ? 7 : 5;
   const struct format format = formats[vkt_random_below(count_formats)];
   VkSparseImageFormatProperties properties;
   uint32_t count = 1;
   VkImageCreateInfo info = {.sType = VK_STRUCTURE_TYPE_IMAGE_CREATE_INFO,
                             .flags = VK_IMAGE_CREATE_SPARSE_BINDING_BIT | VK_IMAGE_CREATE_SPARSE_RESIDENCY_BIT |
                                      VK_IMAGE_CREATE_SPARSE_ALIASED_BIT,
                             .imageType = type,
                             .format = format.format,
                             .samples = VK_SAMPLE_COUNT_1_BIT,
                             .usage = VK_IMAGE_USAGE_TRANSFER_SRC_BIT | VK_IMAGE_USAGE_TRANSFER_DST_BIT |
                                      VK_IMAGE_USAGE_SAMPLED_BIT};
   vkGetPhysicalDeviceSparseImageFormatProperties(vkx->physical, format.format, type, info.samples, info.usage,
                                                  info.tiling, &count, &properties);
   if (!count)
      return false;
   image = (struct image){.block = properties.imageGranularity, .format = format};
   const bool is_3d = type == VK_IMAGE_TYPE_3D;
   info.extent.width = image.block.width + vkt_random_below((is_3d ? 20 : 3) * image.block.width);
   info.extent.height = image.block.height + vkt_random_below(2 * image.block.height);
   info.extent.depth = is_3d ? 1 + vkt_random_below(3 * image.block.depth) : 1;
   info.mipLevels = 1 + vkt_random_below(4);
   info.arrayLayers = is_3d ? 1 : 1 + vkt_random_below(3);
   image.vkt.info = info;
   vkx_check(vkCreateImage(vkx->device, &info, NULL, &image.vkt.image), "vkCreateImage");
   vkGetImageMemoryRequirements(vkx->device, image.vkt.image, &image.needs);
   vkGetImageSparseMemoryRequirements(vkx->device, image.vkt.image, &count, &image.sparse);
   image.memory = sparse_memory(&sparse, &image.needs, PIECES * image.needs.alignment);
   list_blocks();
   return image.num_blocks != 0;
}

static VkSparseImageMemoryBind
bind_of(const struct block *block)
{
   return (VkSparseImageMemoryBind){
      .subresource = {VK_IMAGE_ASPECT_COLOR_BIT, block->level, block->layer},
      .offset = block->at,
      .extent = block->size,
      .memory = block->piece < 0 ? VK_NULL_HANDLE : image.memory,
      .memoryOffset = block->piece < 0 ? 0 : (VkDeviceSize)block->piece * image.needs.alignment,
   };
}

static struct block *
owner_of(int piece)
{
   for (uint32_t i = 0; i < image.num_blocks; i++)
      if (image.blocks[i].piece == piece)
         return &image.blocks[i];
   return NULL;
}

/* A few blocks get or lose memory, each at most once; what had it before loses it. */
static void
bind_some_blocks(void)
{
   enum { MOST = 6 };
   VkSparseImageMemoryBind binds[2 * MOST];
   bool touched[MAX_BLOCKS] = {false};
   uint32_t count = 0, wanted_count = 1 + vkt_random_below(MOST);
   for (uint32_t i = 0; i < wanted_count; i++) {
      struct block *block = &image.blocks[vkt_random_below(image.num_blocks)];
      const int piece = (int)vkt_random_below(PIECES + PIECES / 2);
      struct block *owner = piece < PIECES ? owner_of(piece) : NULL;
      if (touched[block - image.blocks] || owner == block || (owner && touched[owner - image.blocks]))
         continue;
      if (owner) {
         owner->piece = -1;
         touched[owner - image.blocks] = true;
         binds[count++] = bind_of(owner);
      }
      block->piece = piece < PIECES ? piece : -1;
      touched[block - image.blocks] = true;
      binds[count++] = bind_of(block);
   }
   const VkSparseImageMemoryBindInfo of_image = {image.vkt.image, count, binds};
   if (!count)
      return;
   bind((VkBindSparseInfo){.imageBindCount = 1, .pImageBinds = &of_image});
}

static uint32_t
elements(uint32_t texels)
{
   return (texels + image.format.side_px - 1) / image.format.side_px;
}

/* The bytes of an element of a block in its piece. */
static uint8_t *
element_of(const struct block *block, uint32_t i)
{
   const uint32_t w = elements(block->size.width), h = elements(block->size.height), z = i / w / h;
   const uint32_t row = z * elements(image.block.height) + i / w % h;
   return &pieces[block->piece][(row * elements(image.block.width) + i % w) * image.format.element_B];
}

static void
copy_block(const struct block *block, bool writes)
{
   const uint32_t element_B = image.format.element_B;
   const uint32_t count = elements(block->size.width) * elements(block->size.height) * block->size.depth;
   const uint32_t words = (count * element_B + 3) / 4;
   VkBufferImageCopy copy = {.imageSubresource = {VK_IMAGE_ASPECT_COLOR_BIT, block->level, block->layer, 1},
                             .imageOffset = block->at,
                             .imageExtent = block->size};
   VkCommandBuffer cmd = vkx_begin(vkx);
   vkt_barrier(cmd);
   if (writes) {
      const uint32_t first = draw_words(words);
      copy.bufferOffset = 4ull * first;
      vkCmdCopyBufferToImage(cmd, from.buffer, image.vkt.image, GENERAL, 1, &copy);
      for (uint32_t i = 0; i < count && block->piece >= 0; i++)
         memcpy(element_of(block, i), (char *)from.map + 4ull * first + i * element_B, element_B);
   } else {
      copy.bufferOffset = 4ull * to_words;
      vkCmdCopyImageToBuffer(cmd, image.vkt.image, GENERAL, to.buffer, 1, &copy);
      memset(&wanted[to_words], 0, 4ull * words);
      memset((uint32_t *)to.map + to_words, 0, 4ull * words);
      for (uint32_t i = 0; i < count && block->piece >= 0; i++)
         memcpy((char *)&wanted[to_words] + i * element_B, element_of(block, i), element_B);
      add_read(words);
   }
   submit(cmd);
}

/* All of the memory has known words: the first block, which is whole, gets each piece in turn. */
static void
fill_pieces(void)
{
   struct block *block = &image.blocks[0];
   VkCommandBuffer cmd = vkx_begin(vkx);
   vkt_transition(cmd, &image.vkt, VK_IMAGE_LAYOUT_UNDEFINED, GENERAL);
   submit(cmd);
   for (block->piece = 0; block->piece < PIECES; block->piece++) {
      const VkSparseImageMemoryBind one = bind_of(block);
      const VkSparseImageMemoryBindInfo of_image = {image.vkt.image, 1, &one};
      bind((VkBindSparseInfo){.imageBindCount = 1, .pImageBinds = &of_image});
      copy_block(block, true);
   }
   block->piece = PIECES - 1;
}

static void
test_image(VkImageType type, uint32_t seed)
{
   static const char *const names[] = {"1D", "2D", "3D"};
   vkt_seed(seed);
   start();
   if (create_image(type)) {
      fill_pieces();
      for (uint32_t step = 1; step < STEPS; step++) {
         const uint32_t kind = vkt_random_below(3);
         if (kind == 0)
            bind_some_blocks();
         else
            copy_block(&image.blocks[vkt_random_below(image.num_blocks)], kind == 1);
      }
   }
   char what[40];
   snprintf(what, sizeof(what), "%s, format %d", names[type], image.vkt.info.format);
   finish(what, seed);
   vkDestroyImage(vkx->device, image.vkt.image, NULL);
}

/* ---- buffers ---- */

static VkDeviceSize page_B;
static int page_of[VIEW_PAGES]; /* of the memory; -1: none */
static uint32_t *page_words;    /* of PAGES pages */

static void
bind_pages(VkBuffer buffer, VkDeviceMemory memory, uint32_t at, uint32_t first, uint32_t count)
{
   const bool takes = !memory;
   const VkSparseMemoryBind one = {at * page_B, count * page_B, takes ? VK_NULL_HANDLE : memory,
                                   takes ? 0 : first * page_B, 0};
   const VkSparseBufferMemoryBindInfo of_buffer = {buffer, 1, &one};
   for (uint32_t i = 0; i < count; i++)
      page_of[at + i] = takes ? -1 : (int)(first + i);
   bind((VkBindSparseInfo){.bufferBindCount = 1, .pBufferBinds = &of_buffer});
}

static void
bind_some_pages(VkBuffer buffer, VkDeviceMemory memory)
{
   const uint32_t at = vkt_random_below(VIEW_PAGES), count = 1 + vkt_random_below(least(VIEW_PAGES - at, 8));
   const bool takes = vkt_random_below(3) == 0;
   bind_pages(buffer, takes ? VK_NULL_HANDLE : memory, at, vkt_random_below(PAGES - count + 1), count);
}

static uint32_t *
buffer_word(uint32_t at)
{
   const uint32_t words = (uint32_t)(page_B / 4);
   return page_of[at / words] < 0 ? NULL : &page_words[(uint32_t)page_of[at / words] * words + at % words];
}

/* A copy into two pages of one memory has no order. */
static bool
shows_twice(uint32_t at, uint32_t count)
{
   const uint32_t words = (uint32_t)(page_B / 4), end = (at + count - 1) / words;
   for (uint32_t i = at / words; i <= end; i++)
      for (uint32_t k = i + 1; k <= end; k++)
         if (page_of[i] >= 0 && page_of[i] == page_of[k])
            return true;
   return false;
}

static void
copy_words(VkBuffer buffer, uint32_t at, uint32_t count, bool writes)
{
   VkBufferCopy copy = {.size = 4ull * count};
   if (writes && shows_twice(at, count))
      return;
   VkCommandBuffer cmd = vkx_begin(vkx);
   vkt_barrier(cmd);
   if (writes) {
      const uint32_t first = draw_words(count), *drawn = from.map;
      copy.srcOffset = 4ull * first;
      copy.dstOffset = 4ull * at;
      vkCmdCopyBuffer(cmd, from.buffer, buffer, 1, &copy);
      for (uint32_t i = 0; i < count; i++)
         if (buffer_word(at + i))
            *buffer_word(at + i) = drawn[first + i];
   } else {
      copy.srcOffset = 4ull * at;
      copy.dstOffset = 4ull * to_words;
      vkCmdCopyBuffer(cmd, buffer, to.buffer, 1, &copy);
      for (uint32_t i = 0; i < count; i++)
         wanted[to_words + i] = buffer_word(at + i) ? *buffer_word(at + i) : 0;
      add_read(count);
   }
   submit(cmd);
}

static void
copy_some_words(VkBuffer buffer, bool writes)
{
   const uint32_t all = VIEW_PAGES * (uint32_t)(page_B / 4), at = vkt_random_below(all);
   copy_words(buffer, at, 1 + vkt_random_below(least(all - at, PIECE_WORDS)), writes);
}

/* All of the memory has known words. */
static void
fill_pages(VkBuffer buffer, VkDeviceMemory memory)
{
   for (uint32_t i = 0; i < VIEW_PAGES; i++)
      page_of[i] = -1;
   bind_pages(buffer, memory, 0, 0, PAGES);
   copy_words(buffer, 0, PAGES * (uint32_t)(page_B / 4), true);
}

static void
test_buffer(uint32_t seed)
{
   VkBufferCreateInfo info = {.sType = VK_STRUCTURE_TYPE_BUFFER_CREATE_INFO,
                              .flags = VK_BUFFER_CREATE_SPARSE_BINDING_BIT | VK_BUFFER_CREATE_SPARSE_RESIDENCY_BIT |
                                       VK_BUFFER_CREATE_SPARSE_ALIASED_BIT,
                              .size = 1,
                              .usage = VK_BUFFER_USAGE_TRANSFER_SRC_BIT | VK_BUFFER_USAGE_TRANSFER_DST_BIT};
   VkMemoryRequirements needs;
   VkBuffer buffer;
   vkt_seed(seed);
   start();
   vkx_check(vkCreateBuffer(vkx->device, &info, NULL, &buffer), "vkCreateBuffer");
   vkGetBufferMemoryRequirements(vkx->device, buffer, &needs);
   vkDestroyBuffer(vkx->device, buffer, NULL);
   page_B = needs.alignment;
   info.size = VIEW_PAGES * page_B;
   vkx_check(vkCreateBuffer(vkx->device, &info, NULL, &buffer), "vkCreateBuffer");
   VkDeviceMemory memory = sparse_memory(&sparse, &needs, PAGES * page_B);
   page_words = calloc(PAGES, page_B);
   fill_pages(buffer, memory);
   for (uint32_t step = 0; step < STEPS; step++) {
      const uint32_t kind = vkt_random_below(3);
      if (kind == 0)
         bind_some_pages(buffer, memory);
      else
         copy_some_words(buffer, kind == 1);
   }
   finish("a buffer", seed);
   free(page_words);
   vkDestroyBuffer(vkx->device, buffer, NULL);
}

int
main(int argc, char **argv)
{
   const uint32_t seed = (uint32_t)strtoul(vkx_option(argc, argv, "--seed", "1"), NULL, 0);
   const uint32_t count = (uint32_t)strtoul(vkx_option(argc, argv, "--count", "4"), NULL, 0);
   vkt_all_queues = vkt_sparse_buffers = true;
   struct vkx device = vkt_create("sparse_random");
   vkx = &device;
   if (!sparse_start(&sparse, vkx) || !sparse.strict || !vkt_features.sparseResidencyAliased)
      return vkt_finish(vkx);
   for (uint32_t i = seed; i < seed + count; i++) {
      test_buffer(i);
      test_image(VK_IMAGE_TYPE_2D, i);
      if (vkt_features.sparseResidencyImage3D)
         test_image(VK_IMAGE_TYPE_3D, i);
   }
   sparse_finish(&sparse);
   return vkt_finish(vkx);
}
