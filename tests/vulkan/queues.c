/* Work on all queues of the device: chains of steps that go from queue to queue after semaphores of both kinds,
 * queues that do not wait for each other, private memory, images that change hands. */
#include <string.h>

#include "vkt.h"

static const uint32_t step_comp[] = {
#include "step.comp.inc"
};
static const uint32_t private_comp[] = {
#include "private.comp.inc"
};

#define LONG (20 * 1000 * 1000000ull)
#define CHAIN 120 /* steps */
#define WORDS 1024

static struct vkx *vkx;
static struct vkx_buffer buffer;
static bool old_radv;
static VkPipelineLayout layout;
static VkPipeline pipeline, private_pipeline;
static VkDescriptorSet set;

/* A queue that can run compute, and where its commands come from. */
struct lane {
   struct vkx vkx;
   bool graphics;
};
static struct lane lanes[VKT_MAX_QUEUES], transfers[VKT_MAX_QUEUES]; /* the latter: queues that only copy */
static uint32_t num_lanes, num_transfers;

static const VkPipelineStageFlags all_stages[2] = {VK_PIPELINE_STAGE_ALL_COMMANDS_BIT,
                                                   VK_PIPELINE_STAGE_ALL_COMMANDS_BIT};

static VkSemaphore
semaphore_create(bool timeline)
{
   const VkSemaphoreTypeCreateInfo type = {.sType = VK_STRUCTURE_TYPE_SEMAPHORE_TYPE_CREATE_INFO,
                                           .semaphoreType = VK_SEMAPHORE_TYPE_TIMELINE};
   const VkSemaphoreCreateInfo info = {.sType = VK_STRUCTURE_TYPE_SEMAPHORE_CREATE_INFO,
                                       .pNext = timeline ? &type : NULL};
   VkSemaphore semaphore;
   vkx_check(vkCreateSemaphore(vkx->device, &info, NULL, &semaphore), "vkCreateSemaphore");
   return semaphore;
}

/* Value 0: binary. */
struct point {
   VkSemaphore semaphore;
   uint64_t value;
};

static void
submit(const struct lane *lane, VkCommandBuffer cmd, struct point wait, struct point signal, VkFence fence)
{
   const VkTimelineSemaphoreSubmitInfo values = {.sType = VK_STRUCTURE_TYPE_TIMELINE_SEMAPHORE_SUBMIT_INFO,
                                                 .waitSemaphoreValueCount = wait.semaphore ? 1 : 0,
                                                 .pWaitSemaphoreValues = &wait.value,
                                                 .signalSemaphoreValueCount = signal.semaphore ? 1 : 0,
                                                 .pSignalSemaphoreValues = &signal.value};
   const VkSubmitInfo info = {.sType = VK_STRUCTURE_TYPE_SUBMIT_INFO,
                              .pNext = wait.value || signal.value ? &values : NULL,
                              .waitSemaphoreCount = wait.semaphore ? 1 : 0,
                              .pWaitSemaphores = &wait.semaphore,
                              .pWaitDstStageMask = all_stages,
                              .signalSemaphoreCount = signal.semaphore ? 1 : 0,
                              .pSignalSemaphores = &signal.semaphore,
                              .commandBufferCount = 1,
                              .pCommandBuffers = &cmd};
   vkx_check(vkEndCommandBuffer(cmd), "vkEndCommandBuffer");
   vkx_check(vkQueueSubmit(lane->vkx.queue, 1, &info, fence), "vkQueueSubmit");
}

static const struct point none;

static VkFence
fence_create(void)
{
   const VkFenceCreateInfo info = {.sType = VK_STRUCTURE_TYPE_FENCE_CREATE_INFO};
   VkFence fence;
   vkx_check(vkCreateFence(vkx->device, &info, NULL, &fence), "vkCreateFence");
   return fence;
}

static bool
wait_and_destroy(VkFence fence)
{
   bool done = vkWaitForFences(vkx->device, 1, &fence, true, LONG) == VK_SUCCESS;
   vkDestroyFence(vkx->device, fence, NULL);
   return done;
}

static uint32_t *
words(void)
{
   return buffer.map;
}

struct step {
   uint32_t from, to, factor, term;
};

static void
dispatch_step(VkCommandBuffer cmd, const struct step *step)
{
   vkCmdBindPipeline(cmd, VK_PIPELINE_BIND_POINT_COMPUTE, pipeline);
   vkCmdBindDescriptorSets(cmd, VK_PIPELINE_BIND_POINT_COMPUTE, layout, 0, 1, &set, 0, NULL);
   vkCmdPushConstants(cmd, layout, VK_SHADER_STAGE_COMPUTE_BIT, 0, sizeof(*step), step);
}

/* One step in a command buffer of the lane, still being recorded: a dispatch, direct or not, or a transfer. *next:
 * what becomes of the word, by the C language's arithmetic. */
static VkCommandBuffer
record_step(struct lane *lane, uint32_t from, uint32_t to, uint32_t *next)
{
   const struct step step = {from, to, vkt_random() | 1, vkt_random()};
   const uint32_t groups[3] = {1, 1, 1};
   VkCommandBuffer cmd = vkx_begin(&lane->vkx);
   vkt_barrier(cmd);
   switch (vkt_random_below(5)) {
   case 0:
      vkCmdCopyBuffer(cmd, buffer.buffer, buffer.buffer, 1, &(VkBufferCopy){from * 4, to * 4, 4});
      break;
   case 1: /* the arguments of an indirect dispatch are written by the queue too */
      vkCmdUpdateBuffer(cmd, buffer.buffer, (WORDS - 4) * 4, sizeof(groups), groups);
      vkt_barrier(cmd);
      dispatch_step(cmd, &step);
      vkCmdDispatchIndirect(cmd, buffer.buffer, (WORDS - 4) * 4);
      *next = *next * step.factor + step.term;
      break;
   default:
      dispatch_step(cmd, &step);
      vkCmdDispatch(cmd, 1, 1, 1);
      *next = *next * step.factor + step.term;
      break;
   }
   vkt_barrier(cmd);
   return cmd;
}

static bool
chain_is_right(const uint32_t *expected)
{
   for (uint32_t i = 0; i <= CHAIN; i++) {
      if (words()[i] != expected[i])
         return vkt_expect(false, "step %u of a chain: %08x, not %08x", i, words()[i], expected[i]);
   }
   return vkt_expect(true, "a chain");
}

/* Each step on a random queue, after the one before it: by a binary semaphore, a value of the timeline, or the order
 * only of the queue. */
static void
test_chain(VkSemaphore timeline)
{
   VkSemaphore binary[CHAIN] = {VK_NULL_HANDLE};
   VkFence fence = fence_create();
   uint32_t expected[CHAIN + 1] = {4711}, next = vkt_random_below(num_lanes);
   struct point last = none;
   memset(buffer.map, 0, WORDS * 4);
   words()[0] = expected[0];
   for (uint32_t i = 0; i < CHAIN; i++) {
      struct lane *lane = &lanes[next];
      struct point signal = none;
      next = vkt_random_below(num_lanes);
      if (timeline && vkt_random_below(2))
         signal = (struct point){timeline, i + 1};
      else if (i + 1 < CHAIN && (lane != &lanes[next] || vkt_random_below(2)))
         signal.semaphore = binary[i] = semaphore_create(false);
      expected[i + 1] = expected[i];
      VkCommandBuffer cmd = record_step(lane, i, i + 1, &expected[i + 1]);
      submit(lane, cmd, last, signal, i + 1 == CHAIN ? fence : VK_NULL_HANDLE);
      last = signal;
   }
   vkt_expect(wait_and_destroy(fence), "the end of a chain");
   chain_is_right(expected);
   for (uint32_t i = 0; i < CHAIN; i++)
      vkDestroySemaphore(vkx->device, binary[i], NULL);
}

/* Neighbours in the chain are on different queues, and the later one is submitted first. */
static void
test_reversed(VkSemaphore timeline)
{
   VkFence fence = fence_create();
   uint32_t expected[CHAIN + 1] = {815};
   memset(buffer.map, 0, WORDS * 4);
   words()[0] = expected[0];
   for (uint32_t i = 0; i < CHAIN; i += 2) {
      struct lane *first = &lanes[i % num_lanes], *second = &lanes[(i + 1) % num_lanes];
      expected[i + 1] = expected[i];
      VkCommandBuffer one = record_step(first, i, i + 1, &expected[i + 1]);
      expected[i + 2] = expected[i + 1];
      VkCommandBuffer two = record_step(second, i + 1, i + 2, &expected[i + 2]);
      submit(second, two, (struct point){timeline, i + 1}, (struct point){timeline, i + 2},
             i + 2 == CHAIN ? fence : VK_NULL_HANDLE);
      submit(first, one, i ? (struct point){timeline, i} : none, (struct point){timeline, i + 1}, VK_NULL_HANDLE);
   }
   vkt_expect(wait_and_destroy(fence), "the end of a chain");
   chain_is_right(expected);
}

/* One binary semaphore for all: each step waits for it and signals it again. */
static void
test_reused(void)
{
   VkSemaphore semaphore = semaphore_create(false);
   VkFence fence = fence_create();
   uint32_t expected[CHAIN + 1] = {99};
   memset(buffer.map, 0, WORDS * 4);
   words()[0] = expected[0];
   for (uint32_t i = 0; i < CHAIN; i++) {
      struct lane *lane = &lanes[vkt_random_below(num_lanes)];
      expected[i + 1] = expected[i];
      VkCommandBuffer cmd = record_step(lane, i, i + 1, &expected[i + 1]);
      submit(lane, cmd, (struct point){i ? semaphore : VK_NULL_HANDLE, 0},
             (struct point){i + 1 < CHAIN ? semaphore : VK_NULL_HANDLE, 0}, i + 1 < CHAIN ? VK_NULL_HANDLE : fence);
   }
   vkt_expect(wait_and_destroy(fence), "the end of a chain");
   chain_is_right(expected);
   vkDestroySemaphore(vkx->device, semaphore, NULL);
}

/* The first queue waits for the host; meanwhile the others work and become idle. */
static void
test_separate(VkSemaphore timeline)
{
   PFN_vkSignalSemaphoreKHR signal = VKT_PROC(vkx, vkSignalSemaphoreKHR);
   const VkSemaphoreSignalInfo info = {
      .sType = VK_STRUCTURE_TYPE_SEMAPHORE_SIGNAL_INFO, .semaphore = timeline, .value = 1};
   uint32_t expected[VKT_MAX_QUEUES];
   memset(buffer.map, 0, WORDS * 4);
   for (uint32_t i = 0; i < num_lanes; i++) {
      words()[2 * i] = expected[i] = 1000 + i;
      submit(&lanes[i], record_step(&lanes[i], 2 * i, 2 * i + 1, &expected[i]),
             i ? none : (struct point){timeline, 1}, none, VK_NULL_HANDLE);
   }
   for (uint32_t i = 1; i < num_lanes; i++) {
      vkx_check(vkQueueWaitIdle(lanes[i].vkx.queue), "vkQueueWaitIdle");
      vkt_expect(words()[2 * i + 1] == expected[i], "queue %u works while the first one waits", i);
   }
   vkt_expect(words()[1] == 0, "the first queue waits");
   vkx_check(signal(vkx->device, &info), "vkSignalSemaphore");
   vkx_check(vkDeviceWaitIdle(vkx->device), "vkDeviceWaitIdle");
   vkt_expect(words()[1] == expected[0], "the first queue works");
}

/* ---- memory of invocations ---- */

enum { PRIVATE_COUNT = 300, PRIVATE_INVOCATIONS = 128 };

static uint32_t
private_sum(uint32_t invocation, const struct step *step)
{
   uint32_t own[PRIVATE_COUNT], value = invocation * step->factor + step->term, sum = 0;
   for (uint32_t i = 0; i < PRIVATE_COUNT; i++) {
      own[i * 7 % PRIVATE_COUNT] = value;
      value = value * 1664525 + 1013904223;
   }
   for (uint32_t i = 0; i < PRIVATE_COUNT; i++)
      sum = sum * 3 + own[i];
   return sum;
}

/* All queues at once, each to words of its own. */
static void
test_private(void)
{
   struct step steps[VKT_MAX_QUEUES];
   unsigned wrong = 0;
   memset(buffer.map, 0, buffer.size);
   for (uint32_t i = 0; i < num_lanes; i++) {
      VkCommandBuffer cmd = vkx_begin(&lanes[i].vkx);
      steps[i] = (struct step){0, i * PRIVATE_INVOCATIONS, vkt_random(), vkt_random()};
      dispatch_step(cmd, &steps[i]);
      vkCmdBindPipeline(cmd, VK_PIPELINE_BIND_POINT_COMPUTE, private_pipeline);
      vkCmdDispatch(cmd, PRIVATE_INVOCATIONS / 64, 1, 1);
      vkt_barrier(cmd);
      submit(&lanes[i], cmd, none, none, VK_NULL_HANDLE);
   }
   vkx_check(vkDeviceWaitIdle(vkx->device), "vkDeviceWaitIdle");
   for (uint32_t i = 0; i < num_lanes * PRIVATE_INVOCATIONS; i++)
      wrong += words()[i] != private_sum(i % PRIVATE_INVOCATIONS, &steps[i / PRIVATE_INVOCATIONS]);
   vkt_expect(!wrong, "%u sums of arrays in private memory are wrong", wrong);
}

/* ---- images that change hands ---- */

static const struct {
   VkFormat format;
   VkClearColorValue color;
   uint32_t texel_B;
   uint32_t texel[4]; /* in memory */
} clears[] = {
   {VK_FORMAT_R8G8B8A8_UNORM, {.float32 = {1, 0, 0.2f, 0.4f}}, 4, {0x663300ff}},
   {VK_FORMAT_R8_UINT, {.uint32 = {0xa5}}, 1, {0xa5}},
   {VK_FORMAT_R16G16_SINT, {.int32 = {-2, 3}}, 4, {0x0003fffe}},
   {VK_FORMAT_R32_SFLOAT, {.float32 = {0.1f}}, 4, {0x3dcccccd}},
   {VK_FORMAT_R16G16B16A16_SFLOAT, {.float32 = {1, 0.5f, -2, 0}}, 8, {0x38003c00, 0x0000c000}},
   {VK_FORMAT_R32G32B32A32_UINT, {.uint32 = {1, 2, 3, UINT32_MAX}}, 16, {1, 2, 3, UINT32_MAX}},
   {VK_FORMAT_R8G8B8A8_SRGB, {.float32 = {1, 0, 0.2158605f, 0.2f}}, 4, {0x338000ff}},
   {VK_FORMAT_A2B10G10R10_UNORM_PACK32, {.float32 = {1, 0, 1, 1}}, 4, {0xfff003ff}},
   {VK_FORMAT_E5B9G9R9_UFLOAT_PACK32, {.float32 = {1, 0.5f, 0}}, 4, {0x80010100}},
};
enum { WIDTH = 24, HEIGHT = 10 };

static void
hand_over(VkCommandBuffer cmd, VkImage image, const struct lane *from, const struct lane *to, bool acquire)
{
   const VkImageMemoryBarrier barrier = {.sType = VK_STRUCTURE_TYPE_IMAGE_MEMORY_BARRIER,
                                         .srcAccessMask = acquire ? 0 : VK_ACCESS_TRANSFER_WRITE_BIT,
                                         .dstAccessMask = acquire ? VK_ACCESS_TRANSFER_READ_BIT : 0,
                                         .oldLayout = VK_IMAGE_LAYOUT_TRANSFER_DST_OPTIMAL,
                                         .newLayout = VK_IMAGE_LAYOUT_TRANSFER_SRC_OPTIMAL,
                                         .srcQueueFamilyIndex = from->vkx.family,
                                         .dstQueueFamilyIndex = to->vkx.family,
                                         .image = image,
                                         .subresourceRange = {VK_IMAGE_ASPECT_COLOR_BIT, 0, 2, 0, 2}};
   if (from->vkx.family != to->vkx.family || !acquire)
      vkCmdPipelineBarrier(cmd, VK_PIPELINE_STAGE_TRANSFER_BIT, VK_PIPELINE_STAGE_TRANSFER_BIT, 0, 0, NULL, 0, NULL,
                           1, &barrier);
}

/* Two levels of two layers, cleared by one queue and read by another; the second clear is of one subresource. */
static void
test_image(unsigned which, struct lane *from, struct lane *to)
{
   struct vkt_image image = vkt_image_create(
      vkx,
      (VkImageCreateInfo){.imageType = VK_IMAGE_TYPE_2D,
                          .format = clears[which].format,
                          .extent = {WIDTH, HEIGHT, 1},
                          .mipLevels = 2,
                          .arrayLayers = 2,
                          .usage = VK_IMAGE_USAGE_TRANSFER_SRC_BIT | VK_IMAGE_USAGE_TRANSFER_DST_BIT},
      false);
   const VkImageSubresourceRange all = {VK_IMAGE_ASPECT_COLOR_BIT, 0, 2, 0, 2};
   const VkImageSubresourceRange one = {VK_IMAGE_ASPECT_COLOR_BIT, 1, 1, 1, 1};
   const VkDeviceSize layer_B = WIDTH * HEIGHT * clears[which].texel_B;
   VkSemaphore semaphore = semaphore_create(false);
   VkFence fence = fence_create();
   VkCommandBuffer cmd = vkx_begin(&from->vkx);
   vkt_transition(cmd, &image, VK_IMAGE_LAYOUT_UNDEFINED, VK_IMAGE_LAYOUT_TRANSFER_DST_OPTIMAL);
   vkCmdClearColorImage(cmd, image.image, VK_IMAGE_LAYOUT_TRANSFER_DST_OPTIMAL, &(VkClearColorValue){0}, 1, &all);
   vkt_barrier(cmd);
   vkCmdClearColorImage(cmd, image.image, VK_IMAGE_LAYOUT_TRANSFER_DST_OPTIMAL, &clears[which].color, 1, &one);
   hand_over(cmd, image.image, from, to, false);
   submit(from, cmd, none, (struct point){semaphore, 0}, VK_NULL_HANDLE);

   memset(buffer.map, 0xcc, buffer.size);
   cmd = vkx_begin(&to->vkx);
   hand_over(cmd, image.image, from, to, true);
   for (uint32_t level = 0; level < 2; level++) {
      const VkBufferImageCopy copy = {.bufferOffset = level * 2 * layer_B,
                                      .imageSubresource = {VK_IMAGE_ASPECT_COLOR_BIT, level, 0, 2},
                                      .imageExtent = {WIDTH >> level, HEIGHT >> level, 1}};
      vkCmdCopyImageToBuffer(cmd, image.image, VK_IMAGE_LAYOUT_TRANSFER_SRC_OPTIMAL, buffer.buffer, 1, &copy);
   }
   vkt_barrier(cmd);
   submit(to, cmd, (struct point){semaphore, 0}, none, fence);
   vkt_expect(wait_and_destroy(fence), "an image that changes hands");
   const char *at = buffer.map;
   unsigned wrong = 0;
   for (uint32_t i = 0; i < 2 * WIDTH * HEIGHT + 2 * WIDTH * HEIGHT / 4; i++, at += clears[which].texel_B) {
      bool cleared = i >= 2 * WIDTH * HEIGHT + WIDTH * HEIGHT / 4;
      wrong += memcmp(at, cleared ? clears[which].texel : (const uint32_t[4]){0}, clears[which].texel_B) != 0;
   }
   vkt_expect(!wrong, "format %d, cleared by a queue of family %u, read by one of %u: %u texels are wrong",
              (int)clears[which].format, from->vkx.family, to->vkx.family, wrong);
   vkDestroySemaphore(vkx->device, semaphore, NULL);
   vkt_image_destroy(vkx, &image);
}

/* ---- images that a queue for transfers reads and writes ---- */

enum { SIDE = 128 };

static void
hand_over_whole(VkCommandBuffer cmd, VkImage image, const struct lane *from, const struct lane *to)
{
   const VkImageMemoryBarrier barrier = {.sType = VK_STRUCTURE_TYPE_IMAGE_MEMORY_BARRIER,
                                         .srcAccessMask = VK_ACCESS_TRANSFER_WRITE_BIT,
                                         .dstAccessMask = VK_ACCESS_TRANSFER_READ_BIT,
                                         .oldLayout = VK_IMAGE_LAYOUT_TRANSFER_DST_OPTIMAL,
                                         .newLayout = VK_IMAGE_LAYOUT_TRANSFER_SRC_OPTIMAL,
                                         .srcQueueFamilyIndex = from->vkx.family,
                                         .dstQueueFamilyIndex = to->vkx.family,
                                         .image = image,
                                         .subresourceRange = {VK_IMAGE_ASPECT_COLOR_BIT, 0, 1, 0, 1}};
   vkCmdPipelineBarrier(cmd, VK_PIPELINE_STAGE_TRANSFER_BIT, VK_PIPELINE_STAGE_TRANSFER_BIT, 0, 0, NULL, 0, NULL, 1,
                        &barrier);
}

/* One queue clears a target, which may be compressed, or (from a buffer) writes it; the other reads it. */
static void
test_transfer(struct lane *from, struct lane *to, bool clears_it)
{
   const VkImageSubresourceRange all = {VK_IMAGE_ASPECT_COLOR_BIT, 0, 1, 0, 1};
   const VkBufferImageCopy copy = {.imageSubresource = {VK_IMAGE_ASPECT_COLOR_BIT, 0, 0, 1},
                                   .imageExtent = {SIDE, SIDE, 1}};
   const uint32_t factor = vkt_random() | 1;
   struct vkt_image image = vkt_image_create(vkx,
                                             (VkImageCreateInfo){.imageType = VK_IMAGE_TYPE_2D,
                                                                 .format = VK_FORMAT_R8G8B8A8_UNORM,
                                                                 .extent = {SIDE, SIDE, 1},
                                                                 .mipLevels = 1,
                                                                 .arrayLayers = 1,
                                                                 .usage = VK_IMAGE_USAGE_TRANSFER_SRC_BIT |
                                                                          VK_IMAGE_USAGE_TRANSFER_DST_BIT |
                                                                          VK_IMAGE_USAGE_COLOR_ATTACHMENT_BIT},
                                             false);
   VkSemaphore semaphore = semaphore_create(false);
   unsigned wrong = 0;
   for (uint32_t i = 0; i < SIDE * SIDE; i++)
      words()[i] = i * factor;
   VkCommandBuffer cmd = vkx_begin(&from->vkx);
   vkt_transition(cmd, &image, VK_IMAGE_LAYOUT_UNDEFINED, VK_IMAGE_LAYOUT_TRANSFER_DST_OPTIMAL);
   if (clears_it)
      vkCmdClearColorImage(cmd, image.image, VK_IMAGE_LAYOUT_TRANSFER_DST_OPTIMAL, &clears[0].color, 1, &all);
   else
      vkCmdCopyBufferToImage(cmd, buffer.buffer, image.image, VK_IMAGE_LAYOUT_TRANSFER_DST_OPTIMAL, 1, &copy);
   hand_over_whole(cmd, image.image, from, to);
   submit(from, cmd, none, (struct point){semaphore, 0}, VK_NULL_HANDLE);
   vkx_check(vkQueueWaitIdle(from->vkx.queue), "vkQueueWaitIdle");
   memset(buffer.map, 0xcc, buffer.size);
   cmd = vkx_begin(&to->vkx);
   hand_over_whole(cmd, image.image, from, to);
   vkCmdCopyImageToBuffer(cmd, image.image, VK_IMAGE_LAYOUT_TRANSFER_SRC_OPTIMAL, buffer.buffer, 1, &copy);
   vkt_barrier(cmd);
   submit(to, cmd, (struct point){semaphore, 0}, none, VK_NULL_HANDLE);
   vkx_check(vkQueueWaitIdle(to->vkx.queue), "vkQueueWaitIdle");
   for (uint32_t i = 0; i < SIDE * SIDE; i++)
      wrong += words()[i] != (clears_it ? clears[0].texel[0] : i * factor);
   vkt_expect(!wrong, "%s by a queue of family %u, read by one of %u: %u texels are wrong",
              clears_it ? "cleared" : "written", from->vkx.family, to->vkx.family, wrong);
   vkDestroySemaphore(vkx->device, semaphore, NULL);
   vkt_image_destroy(vkx, &image);
}

static void
test_transfers(void)
{
   for (uint32_t i = 0; i < num_lanes; i++) {
      for (uint32_t j = 0; j < num_transfers; j++) {
         test_transfer(&lanes[i], &transfers[j], true);
         test_transfer(&transfers[j], &lanes[i], false);
         for (unsigned which = 0; which < sizeof(clears) / sizeof(clears[0]); which++)
            test_image(which, &lanes[i], &transfers[j]);
      }
   }
}

/* A copy, a marker after it, and one at once. */
static void
test_marker(struct lane *lane)
{
   PFN_vkCmdWriteBufferMarkerAMD write = VKT_PROC(vkx, vkCmdWriteBufferMarkerAMD);
   const VkBufferCopy copy = {0, 256, 64};
   memset(buffer.map, 0, WORDS * 4);
   memset(buffer.map, 0x5a, 64);
   VkCommandBuffer cmd = vkx_begin(&lane->vkx);
   vkCmdCopyBuffer(cmd, buffer.buffer, buffer.buffer, 1, &copy);
   write(cmd, VK_PIPELINE_STAGE_TRANSFER_BIT, buffer.buffer, 512, 0xabc00001);
   write(cmd, VK_PIPELINE_STAGE_TOP_OF_PIPE_BIT, buffer.buffer, 520, 0xabc00002);
   vkt_barrier(cmd);
   vkx_submit_and_wait(&lane->vkx, cmd);
   vkt_expect(words()[64] == 0x5a5a5a5a && words()[79] == 0x5a5a5a5a, "a copy by family %u", lane->vkx.family);
   vkt_expect(words()[128] == 0xabc00001 && words()[129] == 0 && words()[130] == 0xabc00002, "markers by family %u",
              lane->vkx.family);
}

static void
test_markers(void)
{
   for (uint32_t i = 0; i < num_lanes; i++)
      test_marker(&lanes[i]);
   for (uint32_t i = 0; i < num_transfers; i++)
      test_marker(&transfers[i]);
}

static void
test_images(void)
{
   for (uint32_t i = 0; i < num_lanes; i++) {
      for (uint32_t j = 0; j < num_lanes; j++) {
         for (unsigned which = 0; which < sizeof(clears) / sizeof(clears[0]); which++)
            test_image(which, &lanes[i], &lanes[j]);
      }
   }
}

/* ---- queries ---- */

static VkQueryPool
pool_create(VkQueryType type)
{
   const VkQueryPoolCreateInfo info = {.sType = VK_STRUCTURE_TYPE_QUERY_POOL_CREATE_INFO,
                                       .queryType = type,
                                       .queryCount = 2,
                                       .pipelineStatistics =
                                          VK_QUERY_PIPELINE_STATISTIC_COMPUTE_SHADER_INVOCATIONS_BIT};
   VkQueryPool pool;
   vkx_check(vkCreateQueryPool(vkx->device, &info, NULL, &pool), "vkCreateQueryPool");
   return pool;
}

/* Times around a dispatch, and how many invocations it had; the results are also copied by the queue. */
static void
test_queries(struct lane *lane, uint32_t groups)
{
   const VkQueryResultFlags flags = VK_QUERY_RESULT_64_BIT | VK_QUERY_RESULT_WAIT_BIT;
   VkQueryPool times = pool_create(VK_QUERY_TYPE_TIMESTAMP);
   VkQueryPool counts = vkt_features.pipelineStatisticsQuery ? pool_create(VK_QUERY_TYPE_PIPELINE_STATISTICS) : NULL;
   uint64_t time[2], count = groups, *copied = (uint64_t *)((char *)buffer.map + 512);
   memset(buffer.map, 0, WORDS * 4);
   VkCommandBuffer cmd = vkx_begin(&lane->vkx);
   vkCmdResetQueryPool(cmd, times, 0, 2);
   if (counts)
      vkCmdResetQueryPool(cmd, counts, 0, 2);
   vkCmdWriteTimestamp(cmd, VK_PIPELINE_STAGE_TOP_OF_PIPE_BIT, times, 0);
   if (counts)
      vkCmdBeginQuery(cmd, counts, 0, 0);
   dispatch_step(cmd, &(struct step){64, 0, 1, 7});
   vkCmdDispatch(cmd, groups, 1, 1);
   if (counts)
      vkCmdEndQuery(cmd, counts, 0);
   vkCmdWriteTimestamp(cmd, VK_PIPELINE_STAGE_BOTTOM_OF_PIPE_BIT, times, 1);
   vkt_barrier(cmd);
   vkCmdCopyQueryPoolResults(cmd, times, 0, 2, buffer.buffer, 512, 8, flags);
   if (counts)
      vkCmdCopyQueryPoolResults(cmd, counts, 0, 1, buffer.buffer, 528, 8, flags);
   vkt_barrier(cmd);
   vkx_submit_and_wait(&lane->vkx, cmd);
   vkx_check(vkGetQueryPoolResults(vkx->device, times, 0, 2, 16, time, 8, flags), "vkGetQueryPoolResults");
   if (counts)
      vkx_check(vkGetQueryPoolResults(vkx->device, counts, 0, 1, 8, &count, 8, flags), "vkGetQueryPoolResults");
   vkt_expect(time[0] && time[0] <= time[1], "times of family %u: %lu, %lu", lane->vkx.family, (unsigned long)time[0],
              (unsigned long)time[1]);
   /* RADV 22.3.6 has the compute engine write its counter where the first one belongs. */
   vkt_expect(count == groups || (old_radv && lane->vkx.family), "invocations of family %u: %lu", lane->vkx.family,
              (unsigned long)count);
   vkt_expect(copied[0] == time[0] && copied[1] == time[1] && (!counts || copied[2] == count),
              "results of family %u, copied", lane->vkx.family);
   for (uint32_t i = 0; i < groups; i++)
      vkt_expect(words()[i] == 7, "a dispatch on family %u", lane->vkx.family);
   vkDestroyQueryPool(vkx->device, times, NULL);
   vkDestroyQueryPool(vkx->device, counts, NULL);
}

/* More command buffers in one submit than a kernel takes at once (amdgpu: 48), each after the one before. */
static void
test_many_buffers(struct lane *lane, bool copies_only)
{
   enum { MANY = 130 };
   VkCommandBuffer cmds[MANY];
   VkFence fence = fence_create();
   uint32_t expected = words()[0] = vkt_random();
   for (uint32_t i = 0; i < MANY; i++) {
      if (!copies_only) {
         cmds[i] = record_step(lane, i, i + 1, &expected);
      } else {
         cmds[i] = vkx_begin(&lane->vkx);
         vkCmdCopyBuffer(cmds[i], buffer.buffer, buffer.buffer, 1, &(VkBufferCopy){i * 4, (i + 1) * 4, 4});
         vkt_barrier(cmds[i]);
      }
      vkx_check(vkEndCommandBuffer(cmds[i]), "vkEndCommandBuffer");
   }
   const VkSubmitInfo info = {
      .sType = VK_STRUCTURE_TYPE_SUBMIT_INFO, .commandBufferCount = MANY, .pCommandBuffers = cmds};
   vkx_check(vkQueueSubmit(lane->vkx.queue, 1, &info, fence), "vkQueueSubmit");
   vkt_expect(wait_and_destroy(fence) && words()[MANY] == expected, "%u command buffers on family %u: %08x, not %08x",
              MANY, lane->vkx.family, words()[MANY], expected);
   vkFreeCommandBuffers(vkx->device, lane->vkx.pool, MANY, cmds);
}

static void
create_lanes(void)
{
   for (uint32_t i = 0; i < vkt_num_queues; i++) {
      const bool copies_only = !(vkt_queues[i].flags & VK_QUEUE_COMPUTE_BIT);
      struct lane *lane = copies_only ? &transfers[num_transfers] : &lanes[num_lanes];
      const VkCommandPoolCreateInfo info = {.sType = VK_STRUCTURE_TYPE_COMMAND_POOL_CREATE_INFO,
                                            .queueFamilyIndex = vkt_queues[i].family};
      if (copies_only && !(vkt_queues[i].flags & VK_QUEUE_TRANSFER_BIT))
         continue;
      *lane = (struct lane){*vkx, vkt_queues[i].flags & VK_QUEUE_GRAPHICS_BIT};
      lane->vkx.queue = vkt_queues[i].queue;
      lane->vkx.family = vkt_queues[i].family;
      vkx_check(vkCreateCommandPool(vkx->device, &info, NULL, &lane->vkx.pool), "vkCreateCommandPool");
      for (uint32_t j = 0; j < (copies_only ? 0 : num_lanes); j++)
         vkt_expect(lanes[j].vkx.queue != lane->vkx.queue, "queues %u and %u are two", j, num_lanes);
      num_lanes += !copies_only;
      num_transfers += copies_only;
   }
   vkt_expect(num_lanes >= 1, "a queue for compute");
}

static void
create_pipeline(void)
{
   const VkDescriptorType type = VK_DESCRIPTOR_TYPE_STORAGE_BUFFER;
   VkDescriptorSetLayout set_layout = vkx_set_layout_create(vkx, 1, &type, VK_SHADER_STAGE_COMPUTE_BIT);
   layout = vkx_pipeline_layout_create(vkx, set_layout, VK_SHADER_STAGE_COMPUTE_BIT, sizeof(struct step));
   pipeline = vkx_compute_pipeline_create(vkx, layout, vkx_shader_create(vkx, step_comp, sizeof(step_comp)));
   private_pipeline =
      vkx_compute_pipeline_create(vkx, layout, vkx_shader_create(vkx, private_comp, sizeof(private_comp)));
   set = vkt_set_create(vkx, set_layout, type, &buffer);
   vkDestroyDescriptorSetLayout(vkx->device, set_layout, NULL);
}

int
main(int argc, char **argv)
{
   old_radv = !strcmp(vkx_option(argc, argv, "--quirks", ""), "radv");
   vkt_all_queues = true;
   struct vkx device = vkt_create("queues");
   vkx = &device;
   buffer = vkt_buffer_create(vkx, 65536, 0);
   create_lanes();
   create_pipeline();
   test_chain(VK_NULL_HANDLE);
   test_reused();
   if (vkt_has("VK_KHR_timeline_semaphore")) {
      VkSemaphore timelines[3] = {semaphore_create(true), semaphore_create(true), semaphore_create(true)};
      test_chain(timelines[0]);
      if (num_lanes > 1)
         test_reversed(timelines[1]);
      test_separate(timelines[2]);
      for (unsigned i = 0; i < 3; i++)
         vkDestroySemaphore(vkx->device, timelines[i], NULL);
   }
   test_private();
   test_images();
   test_transfers();
   test_many_buffers(&lanes[0], false);
   if (num_lanes > 1)
      test_many_buffers(&lanes[num_lanes - 1], false);
   if (num_transfers)
      test_many_buffers(&transfers[0], true);
   if (vkt_has("VK_AMD_buffer_marker"))
      test_markers();
   for (uint32_t i = 0; i < num_lanes; i++)
      test_queries(&lanes[i], 5 + i);
   vkx_check(vkDeviceWaitIdle(vkx->device), "vkDeviceWaitIdle");
   for (uint32_t i = 0; i < num_lanes; i++)
      vkDestroyCommandPool(vkx->device, lanes[i].vkx.pool, NULL);
   for (uint32_t i = 0; i < num_transfers; i++)
      vkDestroyCommandPool(vkx->device, transfers[i].vkx.pool, NULL);
   vkDestroyPipeline(vkx->device, pipeline, NULL);
   vkDestroyPipeline(vkx->device, private_pipeline, NULL);
   vkDestroyPipelineLayout(vkx->device, layout, NULL);
   vkt_sets_destroy(vkx);
   vkx_buffer_destroy(vkx, &buffer);
   return vkt_finish(vkx);
}
