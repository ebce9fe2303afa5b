/* Submits of both versions and binds of sparse resources: what a driver gets of them. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <cmocka.h>

#include "gallium/frontends/vulkan/vk_sparse.h"
#include "util/macros.h"

#define MOST 6

/* What has been called since reset(). */
struct calls {
   unsigned submits, destroyed;
   struct pipe_submit last;
   struct pipe_sync_point waits[MOST], signals[MOST + 1];
   struct pipe_context *contexts[MOST];
};

static struct calls calls;
static enum pipe_result result_of_submit;
static struct pipe_screen screen;
static struct vk_device device;
static struct vk_queue queue_body;
static VkQueue queue;
static struct vk_semaphore semaphores[2 * MOST];
static struct vk_fence fence_body;
static struct vk_command_buffer buffers[MOST];
static char bodies[6 * MOST]; /* of objects of the driver: handles that nobody looks into */
static uint32_t seed;

/* ---- what the file under test needs of others ---- */

VkResult
vk_device_check(struct vk_device *of, enum pipe_result result)
{
   if (result == PIPE_DEVICE_LOST)
      of->lost = true;
   return vk_result(result);
}

uint32_t
vk_sparse_binds(const struct pipe_screen *screen, const VkBindSparseInfo *info, struct pipe_bind *binds)
{
   for (uint32_t i = 0; i < info->bufferBindCount && binds; i++)
      binds[i] = (struct pipe_bind){.offset_B = i};
   return info->bufferBindCount;
}

/* ---- the driver ---- */

static enum pipe_result
queue_submit(struct pipe_queue *of, const struct pipe_submit *submit)
{
   assert_ptr_equal(of, queue_body.queue);
   calls.submits++;
   calls.last = *submit;
   for (uint32_t i = 0; i < submit->num_waits; i++)
      calls.waits[i] = submit->waits[i];
   for (uint32_t i = 0; i < submit->num_signals; i++)
      calls.signals[i] = submit->signals[i];
   for (uint32_t i = 0; i < submit->num_contexts; i++)
      calls.contexts[i] = submit->contexts[i];
   for (uint32_t i = 0; i < submit->num_binds; i++)
      assert_int_equal(submit->binds[i].offset_B, i);
   return result_of_submit;
}

static void
sync_destroy(struct pipe_screen *of, struct pipe_sync *sync)
{
   calls.destroyed++;
}

static void
reset(void)
{
   memset(&calls, 0, sizeof(calls));
}

static struct pipe_sync *
sync_of(unsigned number)
{
   return (struct pipe_sync *)&bodies[number];
}

static int
set_up(void **state)
{
   screen = (struct pipe_screen){.queue_submit = queue_submit, .sync_destroy = sync_destroy};
   screen.caps.sparse_binding = true;
   device.alloc = vk_default_allocator;
   device.screen = &screen;
   device.lost = false;
   queue_body = (struct vk_queue){.device = &device, .queue = (struct pipe_queue *)&bodies[0]};
   pthread_mutex_init(&queue_body.lock, NULL);
   queue = VK_TO(VkQueue, &queue_body);
   for (unsigned i = 0; i < 2 * MOST; i++)
      semaphores[i] = (struct vk_semaphore){.sync = sync_of(i), .timeline = i & 1};
   fence_body = (struct vk_fence){.sync = sync_of(2 * MOST)};
   for (unsigned i = 0; i < MOST; i++)
      buffers[i].pipe = (struct pipe_context *)&bodies[3 * MOST + i];
   result_of_submit = PIPE_OK;
   seed = 1;
   reset();
   return 0;
}

static int
tear_down(void **state)
{
   pthread_mutex_destroy(&queue_body.lock);
   return 0;
}

static uint32_t
random_below(uint32_t limit)
{
   seed = seed * 1664525u + 1013904223u;
   return (seed >> 8) % limit;
}

/* ---- batches ---- */

/* Waits and signals as numbers of semaphores, of which the odd ones are timelines. */
struct batch {
   uint32_t num_waits, num_signals, num_buffers, num_points;
   unsigned waits[MOST], signals[MOST];
   uint64_t wait_points[MOST], signal_points[MOST];
};

static void
make_batch(struct batch *b)
{
   *b = (struct batch){.num_waits = random_below(MOST + 1),
                       .num_signals = random_below(MOST + 1),
                       .num_buffers = random_below(MOST + 1)};
   for (unsigned i = 0; i < MOST; i++) {
      b->waits[i] = 2 * i + random_below(2);
      b->signals[i] = 2 * i + random_below(2);
      b->wait_points[i] = random_below(3);
      b->signal_points[i] = 1 + random_below(3);
   }
}

/* A wait for point 0 of a timeline is over before it begins. */
static void
check_batch(const struct batch *b, bool has_fence)
{
   uint32_t waits = 0;

   for (uint32_t i = 0; i < b->num_waits; i++) {
      bool timeline = b->waits[i] & 1;

      if (timeline && !b->wait_points[i])
         continue;
      assert_true(waits < calls.last.num_waits);
      assert_ptr_equal(calls.waits[waits].sync, sync_of(b->waits[i]));
      assert_int_equal(calls.waits[waits].point, timeline ? b->wait_points[i] : 0);
      assert_false(calls.waits[waits++].is_dropped);
   }
   assert_int_equal(calls.last.num_waits, waits);
   assert_int_equal(calls.last.num_signals, b->num_signals + has_fence);
   for (uint32_t i = 0; i < b->num_signals; i++) {
      assert_ptr_equal(calls.signals[i].sync, sync_of(b->signals[i]));
      assert_int_equal(calls.signals[i].point, b->signals[i] & 1 ? b->signal_points[i] : 0);
   }
   if (has_fence)
      assert_ptr_equal(calls.signals[b->num_signals].sync, fence_body.sync);
   assert_int_equal(calls.last.num_contexts, b->num_buffers);
   for (uint32_t i = 0; i < b->num_buffers; i++)
      assert_ptr_equal(calls.contexts[i], buffers[i].pipe);
}

/* The lists of the first version, of submits and of binds. */
struct lists {
   VkSemaphore waits[MOST], signals[MOST];
   VkPipelineStageFlags stages[MOST];
   VkCommandBuffer buffers[MOST];
   VkTimelineSemaphoreSubmitInfo points;
};

static void
fill_lists(struct lists *l, const struct batch *b)
{
   for (unsigned i = 0; i < MOST; i++) {
      l->waits[i] = VK_TO(VkSemaphore, &semaphores[b->waits[i]]);
      l->signals[i] = VK_TO(VkSemaphore, &semaphores[b->signals[i]]);
      l->stages[i] = VK_PIPELINE_STAGE_ALL_COMMANDS_BIT;
      l->buffers[i] = VK_TO(VkCommandBuffer, &buffers[i]);
   }
   l->points = (VkTimelineSemaphoreSubmitInfo){.sType = VK_STRUCTURE_TYPE_TIMELINE_SEMAPHORE_SUBMIT_INFO,
                                               .waitSemaphoreValueCount = b->num_waits,
                                               .pWaitSemaphoreValues = b->wait_points,
                                               .signalSemaphoreValueCount = b->num_signals,
                                               .pSignalSemaphoreValues = b->signal_points};
}

static void
submit_first(const struct batch *b, VkFence fence)
{
   struct lists l;

   fill_lists(&l, b);
   const VkSubmitInfo infos[] = {
      {.sType = VK_STRUCTURE_TYPE_SUBMIT_INFO},
      {.sType = VK_STRUCTURE_TYPE_SUBMIT_INFO,
       .pNext = &l.points,
       .waitSemaphoreCount = b->num_waits,
       .pWaitSemaphores = l.waits,
       .pWaitDstStageMask = l.stages,
       .commandBufferCount = b->num_buffers,
       .pCommandBuffers = l.buffers,
       .signalSemaphoreCount = b->num_signals,
       .pSignalSemaphores = l.signals},
   };

   assert_int_equal(indium_QueueSubmit(queue, 2, infos, fence), VK_SUCCESS);
   assert_int_equal(calls.submits, 2);
}

static void
submit_second(const struct batch *b, VkFence fence)
{
   VkSemaphoreSubmitInfo waits[MOST] = {0}, signals[MOST] = {0};
   VkCommandBufferSubmitInfo commands[MOST] = {0};

   for (unsigned i = 0; i < MOST; i++) {
      waits[i].semaphore = VK_TO(VkSemaphore, &semaphores[b->waits[i]]);
      waits[i].value = b->wait_points[i];
      signals[i].semaphore = VK_TO(VkSemaphore, &semaphores[b->signals[i]]);
      signals[i].value = b->signal_points[i];
      commands[i].commandBuffer = VK_TO(VkCommandBuffer, &buffers[i]);
   }
   const VkSubmitInfo2 info = {.waitSemaphoreInfoCount = b->num_waits,
                               .pWaitSemaphoreInfos = waits,
                               .commandBufferInfoCount = b->num_buffers,
                               .pCommandBufferInfos = commands,
                               .signalSemaphoreInfoCount = b->num_signals,
                               .pSignalSemaphoreInfos = signals};

   assert_int_equal(indium_QueueSubmit2(queue, 1, &info, fence), VK_SUCCESS);
   assert_int_equal(calls.submits, 1);
}

static void
test_versions(void **state)
{
   struct batch b;

   for (unsigned i = 0; i < 300; i++) {
      VkFence fence = i % 3 ? VK_TO(VkFence, &fence_body) : VK_NULL_HANDLE;

      make_batch(&b);
      reset();
      submit_first(&b, fence);
      check_batch(&b, fence);
      reset();
      submit_second(&b, fence);
      check_batch(&b, fence);
   }
}

static void
test_binds(void **state)
{
   struct batch b;
   struct lists l;

   for (unsigned i = 0; i < 100; i++) {
      make_batch(&b);
      b.num_buffers = 0;
      fill_lists(&l, &b);
      const VkBindSparseInfo info = {.pNext = &l.points,
                                     .waitSemaphoreCount = b.num_waits,
                                     .pWaitSemaphores = l.waits,
                                     .bufferBindCount = i % 5,
                                     .signalSemaphoreCount = b.num_signals,
                                     .pSignalSemaphores = l.signals};

      reset();
      assert_int_equal(indium_QueueBindSparse(queue, 1, &info, VK_NULL_HANDLE), VK_SUCCESS);
      check_batch(&b, false);
      assert_int_equal(calls.last.num_binds, i % 5);
   }
}

/* Only a fence is a submit; nothing at all is none. */
static void
test_empty(void **state)
{
   assert_int_equal(indium_QueueSubmit(queue, 0, NULL, VK_NULL_HANDLE), VK_SUCCESS);
   assert_int_equal(calls.submits, 0);
   assert_int_equal(indium_QueueSubmit(queue, 0, NULL, VK_TO(VkFence, &fence_body)), VK_SUCCESS);
   assert_int_equal(calls.submits, 1);
   assert_int_equal(calls.last.num_signals, 1);
}

/* The wait takes a temporary payload: the driver destroys it, or, if the device is lost, the front end does. */
static void
test_temporary(void **state)
{
   const struct batch b = {.num_waits = 2, .waits = {0, 2}};

   semaphores[2].temporary = sync_of(20);
   submit_second(&b, VK_NULL_HANDLE);
   assert_false(calls.waits[0].is_dropped);
   assert_ptr_equal(calls.waits[1].sync, sync_of(20));
   assert_true(calls.waits[1].is_dropped);
   assert_null(semaphores[2].temporary);
   assert_int_equal(calls.destroyed, 0);
   result_of_submit = PIPE_DEVICE_LOST;
   assert_int_equal(indium_QueueSubmit(queue, 0, NULL, VK_TO(VkFence, &fence_body)), VK_ERROR_DEVICE_LOST);
   reset();
   semaphores[2].temporary = sync_of(20);
   const VkSemaphore wait = VK_TO(VkSemaphore, &semaphores[2]);
   const VkPipelineStageFlags stage = VK_PIPELINE_STAGE_ALL_COMMANDS_BIT;
   const VkSubmitInfo info = {.waitSemaphoreCount = 1, .pWaitSemaphores = &wait, .pWaitDstStageMask = &stage};

   assert_int_equal(indium_QueueSubmit(queue, 1, &info, VK_NULL_HANDLE), VK_ERROR_DEVICE_LOST);
   assert_int_equal(calls.submits, 0);
   assert_int_equal(calls.destroyed, 1);
}

int
main(void)
{
   const struct CMUnitTest tests[] = {
      cmocka_unit_test_setup_teardown(test_versions, set_up, tear_down),
      cmocka_unit_test_setup_teardown(test_binds, set_up, tear_down),
      cmocka_unit_test_setup_teardown(test_empty, set_up, tear_down),
      cmocka_unit_test_setup_teardown(test_temporary, set_up, tear_down),
   };
   return cmocka_run_group_tests(tests, NULL, NULL);
}
