/* A walk over a floor whose texture is larger than its memory: a sparse image, a pool of blocks, and three steps a
 * frame. A kernel shows the floor, falls back to coarser levels where a block is not there, and notes which it
 * wanted; vkQueueBindSparse takes memory from blocks that nobody wanted and gives it to those (with Indium's driver
 * of AGX a kernel on the device writes the page table); a kernel fills them, behind a semaphore of the bind. Then the
 * frame is shown again. --check compares both pictures of each frame with the CPU, bit for bit. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "virtual_texture.h"

static const uint32_t virtual_texture_code[] = {
#include "virtual_texture.comp.inc"
};

enum { WIDTH = 512, HEIGHT = 384, WISHES = 32 };

struct app {
   struct vkx vkx;
   struct vt vt;
   VkImage image;
   VkMemoryRequirements needs;
   VkSparseImageMemoryRequirements sparse;
   VkDeviceMemory pool, tail;
   VkImageView whole, level_view[VT_MAX_LEVELS];
   VkSampler sampler;
   VkDescriptorSetLayout set_layout;
   VkPipelineLayout layout;
   VkPipeline pipeline;
   VkDescriptorPool descriptor_pool;
   VkDescriptorSet set[VT_MAX_LEVELS];
   VkSemaphore bound;
   struct vkx_buffer wishes, pixels;
   uint32_t frame, binds;
};

/* ---- the image ---- */

static void
require(bool has, const char *what)
{
   if (has)
      return;
   fprintf(stderr, "virtual_texture: the device has no %s\n", what);
   exit(77);
}

static void
check_device(const struct vkx *vkx)
{
   VkPhysicalDeviceFeatures features;
   VkQueueFamilyProperties families[16];
   uint32_t count = 16;
   vkGetPhysicalDeviceFeatures(vkx->physical, &features);
   vkGetPhysicalDeviceQueueFamilyProperties(vkx->physical, &count, families);
   require(features.sparseBinding && features.sparseResidencyImage2D, "sparse images");
   require(features.shaderResourceResidency, "residency in shaders");
   require(families[vkx->family].queueFlags & VK_QUEUE_SPARSE_BINDING_BIT, "sparse binding in its first queue");
}

static void
create_image(struct app *app, uint32_t size)
{
   struct vkx *vkx = &app->vkx;
   uint32_t count = 1;
   struct vt *vt = &app->vt;
   vt->size = size;
   while (size >> vt->levels)
      vt->levels++;
   const VkImageCreateInfo info = {.sType = VK_STRUCTURE_TYPE_IMAGE_CREATE_INFO,
                                   .flags = VK_IMAGE_CREATE_SPARSE_BINDING_BIT | VK_IMAGE_CREATE_SPARSE_RESIDENCY_BIT,
                                   .imageType = VK_IMAGE_TYPE_2D,
                                   .format = VK_FORMAT_R32_UINT,
                                   .extent = {size, size, 1},
                                   .mipLevels = vt->levels,
                                   .arrayLayers = 1,
                                   .samples = VK_SAMPLE_COUNT_1_BIT,
                                   .usage = VK_IMAGE_USAGE_SAMPLED_BIT | VK_IMAGE_USAGE_STORAGE_BIT};
   vkx_check(vkCreateImage(vkx->device, &info, NULL, &app->image), "vkCreateImage");
   vkGetImageMemoryRequirements(vkx->device, app->image, &app->needs);
   vkGetImageSparseMemoryRequirements(vkx->device, app->image, &count, &app->sparse);
   vt->block_w = app->sparse.formatProperties.imageGranularity.width;
   vt->block_h = app->sparse.formatProperties.imageGranularity.height;
   vt->tail = app->sparse.imageMipTailFirstLod;
   for (uint32_t l = 0; l < vt->levels; l++) {
      struct vt_level *level = &vt->level[l];
      level->size = size >> l;
      if (l >= vt->tail)
         continue;
      level->first = vt->blocks;
      level->columns = (level->size + vt->block_w - 1) / vt->block_w;
      level->rows = (level->size + vt->block_h - 1) / vt->block_h;
      vt->blocks += level->columns * level->rows;
   }
}

static VkDeviceMemory
allocate(struct app *app, VkDeviceSize size_B)
{
   VkMemoryAllocateInfo info = {.sType = VK_STRUCTURE_TYPE_MEMORY_ALLOCATE_INFO, .allocationSize = size_B};
   VkDeviceMemory memory;
   while (!(app->needs.memoryTypeBits >> info.memoryTypeIndex & 1))
      info.memoryTypeIndex++;
   vkx_check(vkAllocateMemory(app->vkx.device, &info, NULL, &memory), "vkAllocateMemory");
   return memory;
}

/* The pool, and the tail, which stays. */
static void
create_memory(struct app *app, uint32_t pool)
{
   struct vt *vt = &app->vt;
   vt->pool = pool;
   vt->slot = malloc(vt->blocks * sizeof(*vt->slot));
   vt->used = calloc(vt->blocks, sizeof(*vt->used));
   vt->owner = malloc(pool * sizeof(*vt->owner));
   memset(vt->slot, 0xff, vt->blocks * sizeof(*vt->slot));
   memset(vt->owner, 0xff, pool * sizeof(*vt->owner));
   app->pool = allocate(app, pool * app->needs.alignment);
   if (!app->sparse.imageMipTailSize)
      return;
   app->tail = allocate(app, app->sparse.imageMipTailSize);
   const VkSparseMemoryBind bind = {app->sparse.imageMipTailOffset, app->sparse.imageMipTailSize, app->tail, 0, 0};
   const VkSparseImageOpaqueMemoryBindInfo of_image = {app->image, 1, &bind};
   const VkBindSparseInfo info = {
      .sType = VK_STRUCTURE_TYPE_BIND_SPARSE_INFO, .imageOpaqueBindCount = 1, .pImageOpaqueBinds = &of_image};
   vkx_check(vkQueueBindSparse(app->vkx.queue, 1, &info, VK_NULL_HANDLE), "vkQueueBindSparse");
   vkx_check(vkQueueWaitIdle(app->vkx.queue), "vkQueueWaitIdle");
}

static VkImageView
create_view(struct app *app, uint32_t level, uint32_t levels)
{
   const VkImageViewCreateInfo info = {.sType = VK_STRUCTURE_TYPE_IMAGE_VIEW_CREATE_INFO,
                                       .image = app->image,
                                       .viewType = VK_IMAGE_VIEW_TYPE_2D,
                                       .format = VK_FORMAT_R32_UINT,
                                       .subresourceRange = {VK_IMAGE_ASPECT_COLOR_BIT, level, levels, 0, 1}};
   VkImageView view;
   vkx_check(vkCreateImageView(app->vkx.device, &info, NULL, &view), "vkCreateImageView");
   return view;
}

/* ---- the program ---- */

/* One set a level: what it fills. */
static void
create_sets(struct app *app, const VkDescriptorType types[4])
{
   struct vkx *vkx = &app->vkx;
   const VkDescriptorPoolSize sizes[3] = {
      {types[0], VT_MAX_LEVELS}, {types[1], VT_MAX_LEVELS}, {types[2], 2 * VT_MAX_LEVELS}};
   const VkDescriptorPoolCreateInfo pool = {.sType = VK_STRUCTURE_TYPE_DESCRIPTOR_POOL_CREATE_INFO,
                                            .maxSets = VT_MAX_LEVELS,
                                            .poolSizeCount = 3,
                                            .pPoolSizes = sizes};
   vkx_check(vkCreateDescriptorPool(vkx->device, &pool, NULL, &app->descriptor_pool), "vkCreateDescriptorPool");
   for (uint32_t l = 0; l < app->vt.levels; l++) {
      const VkDescriptorSetAllocateInfo info = {.sType = VK_STRUCTURE_TYPE_DESCRIPTOR_SET_ALLOCATE_INFO,
                                                .descriptorPool = app->descriptor_pool,
                                                .descriptorSetCount = 1,
                                                .pSetLayouts = &app->set_layout};
      vkx_check(vkAllocateDescriptorSets(vkx->device, &info, &app->set[l]), "vkAllocateDescriptorSets");
      app->level_view[l] = create_view(app, l, 1);
      for (uint32_t i = 0; i < 4; i++) {
         const VkDescriptorImageInfo image = {app->sampler, i ? app->level_view[l] : app->whole,
                                              VK_IMAGE_LAYOUT_GENERAL};
         const VkDescriptorBufferInfo buffer = {i == 2 ? app->wishes.buffer : app->pixels.buffer, 0, VK_WHOLE_SIZE};
         const VkWriteDescriptorSet write = {.sType = VK_STRUCTURE_TYPE_WRITE_DESCRIPTOR_SET,
                                             .dstSet = app->set[l],
                                             .dstBinding = i,
                                             .descriptorCount = 1,
                                             .descriptorType = types[i],
                                             .pImageInfo = &image,
                                             .pBufferInfo = &buffer};
         vkUpdateDescriptorSets(vkx->device, 1, &write, 0, NULL);
      }
   }
}

static void
create_program(struct app *app)
{
   struct vkx *vkx = &app->vkx;
   const VkDescriptorType types[4] = {VK_DESCRIPTOR_TYPE_COMBINED_IMAGE_SAMPLER, VK_DESCRIPTOR_TYPE_STORAGE_IMAGE,
                                      VK_DESCRIPTOR_TYPE_STORAGE_BUFFER, VK_DESCRIPTOR_TYPE_STORAGE_BUFFER};
   const VkSamplerCreateInfo sampler = {.sType = VK_STRUCTURE_TYPE_SAMPLER_CREATE_INFO, .maxLod = VT_MAX_LEVELS};
   const VkSemaphoreCreateInfo semaphore = {.sType = VK_STRUCTURE_TYPE_SEMAPHORE_CREATE_INFO};
   vkx_check(vkCreateSampler(vkx->device, &sampler, NULL, &app->sampler), "vkCreateSampler");
   vkx_check(vkCreateSemaphore(vkx->device, &semaphore, NULL, &app->bound), "vkCreateSemaphore");
   app->wishes = vkx_buffer_create(vkx, 4ull * (WISHES + app->vt.blocks), VK_BUFFER_USAGE_STORAGE_BUFFER_BIT, true);
   app->pixels = vkx_buffer_create(vkx, 4ull * WIDTH * HEIGHT, VK_BUFFER_USAGE_STORAGE_BUFFER_BIT, true);
   for (uint32_t l = 0; l < VT_MAX_LEVELS; l++) {
      ((uint32_t *)app->wishes.map)[2 * l] = app->vt.level[l].first;
      ((uint32_t *)app->wishes.map)[2 * l + 1] = app->vt.level[l].columns;
   }
   app->whole = create_view(app, 0, app->vt.levels);
   app->set_layout = vkx_set_layout_create(vkx, 4, types, VK_SHADER_STAGE_COMPUTE_BIT);
   app->layout =
      vkx_pipeline_layout_create(vkx, app->set_layout, VK_SHADER_STAGE_COMPUTE_BIT, sizeof(struct vt_push));
   app->pipeline = vkx_compute_pipeline_create(
      vkx, app->layout, vkx_shader_create(vkx, virtual_texture_code, sizeof(virtual_texture_code)));
   create_sets(app, types);
}

static struct vt_push
push_of(const struct app *app)
{
   return (struct vt_push){.size = app->vt.size,
                           .levels = app->vt.levels,
                           .tail = app->vt.tail,
                           .block_w = app->vt.block_w,
                           .block_h = app->vt.block_h};
}

static void
dispatch(struct app *app, VkCommandBuffer cmd, const struct vt_push *push)
{
   vkCmdBindPipeline(cmd, VK_PIPELINE_BIND_POINT_COMPUTE, app->pipeline);
   vkCmdBindDescriptorSets(cmd, VK_PIPELINE_BIND_POINT_COMPUTE, app->layout, 0, 1, &app->set[push->level], 0, NULL);
   vkCmdPushConstants(cmd, app->layout, VK_SHADER_STAGE_COMPUTE_BIT, 0, sizeof(*push), push);
   vkCmdDispatch(cmd, (push->width + 7) / 8, (push->height + 7) / 8, 1);
}

static void
barrier(VkCommandBuffer cmd)
{
   vkx_memory_barrier(cmd, VK_PIPELINE_STAGE_COMPUTE_SHADER_BIT, VK_ACCESS_SHADER_WRITE_BIT,
                      VK_PIPELINE_STAGE_COMPUTE_SHADER_BIT | VK_PIPELINE_STAGE_HOST_BIT,
                      VK_ACCESS_SHADER_READ_BIT | VK_ACCESS_HOST_READ_BIT);
}

static void
fill(struct app *app, VkCommandBuffer cmd, uint32_t level, uint32_t x, uint32_t y, uint32_t width, uint32_t height)
{
   /* size: a rectangle of a level */
   struct vt_push push = push_of(app);
   push.kind = VT_FILL;
   push.level = level;
   push.x = x;
   push.y = y;
   push.width = width;
   push.height = height;
   dispatch(app, cmd, &push);
}

static void
fill_tail(struct app *app)
{
   VkCommandBuffer cmd = vkx_begin(&app->vkx);
   vkx_image_barrier(cmd, app->image, VK_IMAGE_ASPECT_COLOR_BIT, 0, app->vt.levels, VK_IMAGE_LAYOUT_UNDEFINED,
                     VK_IMAGE_LAYOUT_GENERAL, VK_PIPELINE_STAGE_TOP_OF_PIPE_BIT, 0,
                     VK_PIPELINE_STAGE_COMPUTE_SHADER_BIT, VK_ACCESS_SHADER_WRITE_BIT);
   for (uint32_t l = app->vt.tail; l < app->vt.levels; l++)
      fill(app, cmd, l, 0, 0, app->vt.level[l].size, app->vt.level[l].size);
   barrier(cmd);
   vkx_submit_and_wait(&app->vkx, cmd);
}

/* ---- residency ---- */

static uint32_t
level_of(const struct vt *vt, uint32_t block)
{
   uint32_t l = 0;
   while (l + 1 < vt->tail && l + 1 < vt->levels && block >= vt->level[l + 1].first)
      l++;
   return l;
}

/* A slot of nobody, or of the block that was wanted the longest time ago; -1: all are wanted now. */
static int32_t
find_slot(const struct app *app)
{
   const struct vt *vt = &app->vt;
   int32_t oldest = -1;
   for (uint32_t s = 0; s < vt->pool; s++) {
      if (vt->owner[s] < 0)
         return (int32_t)s;
      uint32_t used = vt->used[vt->owner[s]];
      if (used < app->frame && (oldest < 0 || used < vt->used[vt->owner[oldest]]))
         oldest = (int32_t)s;
   }
   return oldest;
}

static VkSparseImageMemoryBind
bind_of(const struct app *app, uint32_t block, int32_t slot)
{
   const struct vt *vt = &app->vt;
   uint32_t l = level_of(vt, block), at = block - vt->level[l].first, size = vt->level[l].size;
   uint32_t x = at % vt->level[l].columns * vt->block_w, y = at / vt->level[l].columns * vt->block_h;
   return (VkSparseImageMemoryBind){
      .subresource = {VK_IMAGE_ASPECT_COLOR_BIT, l, 0},
      .offset = {(int32_t)x, (int32_t)y, 0},
      .extent = {size - x < vt->block_w ? size - x : vt->block_w, size - y < vt->block_h ? size - y : vt->block_h, 1},
      .memory = slot < 0 ? VK_NULL_HANDLE : app->pool,
      .memoryOffset = slot < 0 ? 0 : (VkDeviceSize)slot * app->needs.alignment,
   };
}

/* Memory for the blocks that were wished for, as far as it goes. Those that it is taken from come first in `binds`.
 */
static uint32_t
choose(struct app *app, VkSparseImageMemoryBind *binds, uint32_t *given)
{
   struct vt *vt = &app->vt;
   const uint32_t *wishes = (const uint32_t *)app->wishes.map + WISHES;
   uint32_t taken = 0, count = 0;
   for (uint32_t b = 0; b < vt->blocks; b++)
      vt->used[b] = wishes[b] ? app->frame : vt->used[b];
   for (uint32_t b = 0; b < vt->blocks; b++) {
      int32_t slot = wishes[b] && vt->slot[b] < 0 ? find_slot(app) : -1;
      if (slot < 0)
         continue;
      if (vt->owner[slot] >= 0) {
         vt->slot[vt->owner[slot]] = -1;
         binds[taken++] = bind_of(app, (uint32_t)vt->owner[slot], -1);
      }
      vt->owner[slot] = (int32_t)b;
      vt->slot[b] = slot;
      given[count++] = b;
   }
   for (uint32_t i = 0; i < count; i++)
      binds[taken + i] = bind_of(app, given[i], vt->slot[given[i]]);
   app->binds += taken + count;
   return count | taken << 16;
}

/* Binds, and fills what was bound behind it. */
static void
bind_wishes(struct app *app)
{
   struct vkx *vkx = &app->vkx;
   VkSparseImageMemoryBind *binds = malloc(2 * app->vt.pool * sizeof(*binds));
   uint32_t *given = malloc(app->vt.pool * sizeof(*given)), counts = choose(app, binds, given);
   const VkSparseImageMemoryBindInfo of_image = {app->image, (counts & 0xffff) + (counts >> 16), binds};
   const VkBindSparseInfo info = {.sType = VK_STRUCTURE_TYPE_BIND_SPARSE_INFO,
                                  .imageBindCount = 1,
                                  .pImageBinds = &of_image,
                                  .signalSemaphoreCount = 1,
                                  .pSignalSemaphores = &app->bound};
   VkCommandBuffer cmd = vkx_begin(vkx);
   for (uint32_t i = 0; i < (counts & 0xffff); i++) {
      const VkSparseImageMemoryBind *bind = &binds[(counts >> 16) + i];
      fill(app, cmd, bind->subresource.mipLevel, (uint32_t)bind->offset.x, (uint32_t)bind->offset.y,
           bind->extent.width, bind->extent.height);
   }
   barrier(cmd);
   vkx_check(vkEndCommandBuffer(cmd), "vkEndCommandBuffer");
   if (counts) {
      const VkPipelineStageFlags stage = VK_PIPELINE_STAGE_ALL_COMMANDS_BIT;
      const VkSubmitInfo submit = {.sType = VK_STRUCTURE_TYPE_SUBMIT_INFO,
                                   .waitSemaphoreCount = 1,
                                   .pWaitSemaphores = &app->bound,
                                   .pWaitDstStageMask = &stage,
                                   .commandBufferCount = 1,
                                   .pCommandBuffers = &cmd};
      vkx_check(vkQueueBindSparse(vkx->queue, 1, &info, VK_NULL_HANDLE), "vkQueueBindSparse");
      vkx_check(vkQueueSubmit(vkx->queue, 1, &submit, VK_NULL_HANDLE), "vkQueueSubmit");
      vkx_check(vkQueueWaitIdle(vkx->queue), "vkQueueWaitIdle");
   }
   vkFreeCommandBuffers(vkx->device, vkx->pool, 1, &cmd);
   free(binds);
   free(given);
}

/* ---- frames ---- */

/* Pixels that are not what the CPU makes of the same residency. */
static uint32_t
show(struct app *app, bool check)
{
   struct vt_push push = push_of(app);
   push.kind = VT_SHOW;
   push.width = WIDTH;
   push.height = HEIGHT;
   push.at_x = (int32_t)(700 * app->frame);
   push.at_y = 1000 - (int32_t)(450 * app->frame);
   memset((uint32_t *)app->wishes.map + WISHES, 0, 4 * app->vt.blocks);
   memset(app->pixels.map, 0, app->pixels.size);
   VkCommandBuffer cmd = vkx_begin(&app->vkx);
   dispatch(app, cmd, &push);
   barrier(cmd);
   vkx_submit_and_wait(&app->vkx, cmd);
   uint32_t wrong = 0, *reference = check ? malloc(4 * WIDTH * HEIGHT) : NULL;
   if (check)
      vt_reference(&app->vt, &push, reference);
   for (uint32_t i = 0; check && i < WIDTH * HEIGHT; i++)
      wrong += ((const uint32_t *)app->pixels.map)[i] != reference[i];
   free(reference);
   return wrong;
}

static uint32_t
count_wishes(const struct app *app)
{
   uint32_t count = 0;
   for (uint32_t b = 0; b < app->vt.blocks; b++)
      count += ((const uint32_t *)app->wishes.map)[WISHES + b] == 1;
   return count;
}

static uint32_t
run(struct app *app, uint32_t frames, bool check)
{
   uint32_t wrong = 0;
   for (app->frame = 1; app->frame <= frames; app->frame++) {
      wrong += show(app, check);
      uint32_t wished = count_wishes(app);
      bind_wishes(app);
      wrong += show(app, check);
      printf("frame %u: %u blocks wished for, %u still\n", app->frame, wished, count_wishes(app));
   }
   return wrong;
}

static void
destroy(struct app *app)
{
   VkDevice device = app->vkx.device;
   for (uint32_t l = 0; l < app->vt.levels; l++)
      vkDestroyImageView(device, app->level_view[l], NULL);
   vkDestroyImageView(device, app->whole, NULL);
   vkDestroySampler(device, app->sampler, NULL);
   vkDestroySemaphore(device, app->bound, NULL);
   vkDestroyPipeline(device, app->pipeline, NULL);
   vkDestroyPipelineLayout(device, app->layout, NULL);
   vkDestroyDescriptorPool(device, app->descriptor_pool, NULL);
   vkDestroyDescriptorSetLayout(device, app->set_layout, NULL);
   vkDestroyImage(device, app->image, NULL);
   vkFreeMemory(device, app->pool, NULL);
   vkFreeMemory(device, app->tail, NULL);
   vkx_buffer_destroy(&app->vkx, &app->wishes);
   vkx_buffer_destroy(&app->vkx, &app->pixels);
   free(app->vt.slot);
   free(app->vt.used);
   free(app->vt.owner);
   vkx_destroy(&app->vkx);
}

/* A number between two; anything else ends the program. */
static uint32_t
number(int argc, char **argv, const char *name, const char *otherwise, uint32_t least, uint32_t most)
{
   const char *text = vkx_option(argc, argv, name, otherwise);
   char *end;
   unsigned long value = strtoul(text, &end, 10);
   if (*text < '0' || *text > '9' || *end || value < least || value > most) {
      fprintf(stderr, "virtual_texture: %s is a number from %u to %u\n", name, least, most);
      exit(2);
   }
   return (uint32_t)value;
}

int
main(int argc, char **argv)
{
   /* --check stands alone: it comes first. */
   bool check = argc > 1 && !strcmp(argv[1], "--check");
   vkx_expect_options(argc - check, argv + check, (const char *const[]){"--frames", "--size", "--pool", "-o", NULL},
                      "virtual_texture [--check] [--frames N] [--size TEXELS] [--pool BLOCKS] [-o FILE.png]");
   const uint32_t frames = number(argc, argv, "--frames", "4", 1, 1000);
   const uint32_t size = number(argc, argv, "--size", "8192", 1024, 16384);
   const uint32_t pool = number(argc, argv, "--pool", "96", 1, 4096);
   const char *path = vkx_option(argc, argv, "-o", NULL);
   if (size & (size - 1)) {
      fprintf(stderr, "virtual_texture: --size is a power of two\n");
      return 2;
   }
   struct app app = {.vkx = vkx_create("virtual_texture")};
   check_device(&app.vkx);
   create_image(&app, size);
   create_memory(&app, pool);
   create_program(&app);
   fill_tail(&app);
   printf("%u blocks of %llu KiB, memory for %u\n", app.vt.blocks, (unsigned long long)app.needs.alignment / 1024,
          pool);
   const double start = vkx_seconds();
   const uint32_t wrong = run(&app, frames, check);
   printf("%u binds in %.3f s\n", app.binds, vkx_seconds() - start);
   if (check)
      printf(wrong ? "FAILED: %u wrong pixels\n" : "ok: every pixel is right\n", wrong);
   if (path)
      vkx_write_png(path, WIDTH, HEIGHT, app.pixels.map);
   destroy(&app);
   return wrong != 0;
}
