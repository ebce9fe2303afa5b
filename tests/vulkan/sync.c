/* Fences, semaphores of both kinds, events, the second versions of the commands; between the host, the queue and
 * threads. */
#include <pthread.h>
#include <string.h>
#include <unistd.h>

#include "vkt.h"

#define MS 1000000ull
#define LONG (20 * 1000 * MS)

static struct vkx *vkx;
static struct vkx_buffer buffer;
static bool validation;

static VkFence
fence_create(bool signaled)
{
   const VkFenceCreateInfo info = {.sType = VK_STRUCTURE_TYPE_FENCE_CREATE_INFO,
                                   .flags = signaled ? VK_FENCE_CREATE_SIGNALED_BIT : 0};
   VkFence fence;
   vkx_check(vkCreateFence(vkx->device, &info, NULL, &fence), "vkCreateFence");
   return fence;
}

static VkSemaphore
semaphore_create(bool timeline, uint64_t value)
{
   const VkSemaphoreTypeCreateInfo type = {.sType = VK_STRUCTURE_TYPE_SEMAPHORE_TYPE_CREATE_INFO,
                                           .semaphoreType = VK_SEMAPHORE_TYPE_TIMELINE,
                                           .initialValue = value};
   const VkSemaphoreCreateInfo info = {.sType = VK_STRUCTURE_TYPE_SEMAPHORE_CREATE_INFO,
                                       .pNext = timeline ? &type : NULL};
   VkSemaphore semaphore;
   vkx_check(vkCreateSemaphore(vkx->device, &info, NULL, &semaphore), "vkCreateSemaphore");
   return semaphore;
}

/* A command buffer that copies word `from` of the buffer to word `to`, and one that fills word `to`. */
static VkCommandBuffer
copy_word(uint32_t from, uint32_t to)
{
   VkCommandBuffer cmd = vkx_begin(vkx);
   vkt_barrier(cmd);
   vkCmdCopyBuffer(cmd, buffer.buffer, buffer.buffer, 1, &(VkBufferCopy){from * 4, to * 4, 4});
   vkt_barrier(cmd);
   vkx_check(vkEndCommandBuffer(cmd), "vkEndCommandBuffer");
   return cmd;
}

static VkCommandBuffer
fill_word(uint32_t to, uint32_t value)
{
   VkCommandBuffer cmd = vkx_begin(vkx);
   vkt_barrier(cmd);
   vkCmdFillBuffer(cmd, buffer.buffer, to * 4, 4, value);
   vkt_barrier(cmd);
   vkx_check(vkEndCommandBuffer(cmd), "vkEndCommandBuffer");
   return cmd;
}

static const VkPipelineStageFlags all_stages[4] = {
   VK_PIPELINE_STAGE_ALL_COMMANDS_BIT, VK_PIPELINE_STAGE_ALL_COMMANDS_BIT, VK_PIPELINE_STAGE_ALL_COMMANDS_BIT,
   VK_PIPELINE_STAGE_ALL_COMMANDS_BIT};

static void
submit(VkCommandBuffer cmd, VkSemaphore wait, uint64_t wait_value, VkSemaphore signal, uint64_t signal_value,
       VkFence fence)
{
   const VkTimelineSemaphoreSubmitInfo values = {.sType = VK_STRUCTURE_TYPE_TIMELINE_SEMAPHORE_SUBMIT_INFO,
                                                 .waitSemaphoreValueCount = wait ? 1 : 0,
                                                 .pWaitSemaphoreValues = wait_value ? &wait_value : NULL,
                                                 .signalSemaphoreValueCount = signal ? 1 : 0,
                                                 .pSignalSemaphoreValues = signal_value ? &signal_value : NULL};
   const VkSubmitInfo info = {.sType = VK_STRUCTURE_TYPE_SUBMIT_INFO,
                              .pNext = wait_value || signal_value ? &values : NULL,
                              .waitSemaphoreCount = wait ? 1 : 0,
                              .pWaitSemaphores = &wait,
                              .pWaitDstStageMask = all_stages,
                              .signalSemaphoreCount = signal ? 1 : 0,
                              .pSignalSemaphores = &signal,
                              .commandBufferCount = cmd ? 1 : 0,
                              .pCommandBuffers = &cmd};
   vkx_check(vkQueueSubmit(vkx->queue, 1, &info, fence), "vkQueueSubmit");
}

static uint32_t
word(uint32_t index)
{
   return ((volatile uint32_t *)buffer.map)[index];
}

/* ---- fences ---- */

static VkResult
wait_fences(uint32_t count, const VkFence *fences, bool all, uint64_t timeout)
{
   return vkWaitForFences(vkx->device, count, fences, all, timeout);
}

static void
test_fences(void)
{
   VkFence fences[2] = {fence_create(true), fence_create(false)};
   vkt_expect(vkGetFenceStatus(vkx->device, fences[0]) == VK_SUCCESS, "status of a signaled fence");
   vkt_expect(vkGetFenceStatus(vkx->device, fences[1]) == VK_NOT_READY, "status of a fence");
   vkt_expect(wait_fences(2, fences, false, 0) == VK_SUCCESS, "wait for any of two fences");
   vkt_expect(wait_fences(2, fences, true, 0) == VK_TIMEOUT, "wait for two fences, no time");
   vkt_expect(wait_fences(2, fences, true, 5 * MS) == VK_TIMEOUT, "wait for two fences, some time");
   vkx_check(vkResetFences(vkx->device, 2, fences), "vkResetFences");
   vkt_expect(wait_fences(2, fences, false, 0) == VK_TIMEOUT, "wait for any of two fences that were reset");
   submit(VK_NULL_HANDLE, VK_NULL_HANDLE, 0, VK_NULL_HANDLE, 0, fences[0]);
   vkx_check(vkQueueSubmit(vkx->queue, 0, NULL, fences[1]), "vkQueueSubmit");
   vkt_expect(wait_fences(2, fences, true, LONG) == VK_SUCCESS, "fences of empty submits");
   vkDestroyFence(vkx->device, fences[0], NULL);
   vkDestroyFence(vkx->device, fences[1], NULL);
}

/* ---- binary semaphores: each link copies a word from the one before ---- */

static void
test_binary(void)
{
   VkSemaphore semaphores[4];
   VkFence fence = fence_create(false);
   memset(buffer.map, 0, 64);
   for (unsigned round = 0; round < 2; round++) {
      for (unsigned i = 0; i < 4 && !round; i++)
         semaphores[i] = semaphore_create(false, 0);
      submit(fill_word(0, 7 + round), VK_NULL_HANDLE, 0, semaphores[0], 0, VK_NULL_HANDLE);
      for (uint32_t i = 0; i < 3; i++)
         submit(copy_word(i, i + 1), semaphores[i], 0, semaphores[i + 1], 0, VK_NULL_HANDLE);
      submit(copy_word(3, 4), semaphores[3], 0, VK_NULL_HANDLE, 0, fence);
      vkt_expect(wait_fences(1, &fence, true, LONG) == VK_SUCCESS && word(4) == 7 + round, "a chain of semaphores");
      vkx_check(vkResetFences(vkx->device, 1, &fence), "vkResetFences");
   }
   for (unsigned i = 0; i < 4; i++)
      vkDestroySemaphore(vkx->device, semaphores[i], NULL);
   vkDestroyFence(vkx->device, fence, NULL);
}

/* ---- timelines ---- */

static PFN_vkGetSemaphoreCounterValueKHR counter_value;
static PFN_vkWaitSemaphoresKHR wait_semaphores;
static PFN_vkSignalSemaphoreKHR signal_semaphore;

static uint64_t
value_of(VkSemaphore semaphore)
{
   uint64_t value = UINT64_MAX;
   vkx_check(counter_value(vkx->device, semaphore, &value), "vkGetSemaphoreCounterValueKHR");
   return value;
}

static VkResult
wait_values(uint32_t count, const VkSemaphore *semaphores, const uint64_t *values, bool any, uint64_t timeout)
{
   const VkSemaphoreWaitInfo info = {.sType = VK_STRUCTURE_TYPE_SEMAPHORE_WAIT_INFO,
                                     .flags = any ? VK_SEMAPHORE_WAIT_ANY_BIT : 0,
                                     .semaphoreCount = count,
                                     .pSemaphores = semaphores,
                                     .pValues = values};
   return wait_semaphores(vkx->device, &info, timeout);
}

static VkResult
signal_value(VkSemaphore semaphore, uint64_t value)
{
   const VkSemaphoreSignalInfo info = {
      .sType = VK_STRUCTURE_TYPE_SEMAPHORE_SIGNAL_INFO, .semaphore = semaphore, .value = value};
   return signal_semaphore(vkx->device, &info);
}

static void *
signal_late(void *semaphore)
{
   usleep(20000);
   signal_value(*(VkSemaphore *)semaphore, 10);
   return NULL;
}

static void
test_timeline_host(void)
{
   VkSemaphore two[2] = {semaphore_create(true, 0), semaphore_create(true, 5)};
   vkt_expect(value_of(two[0]) == 0 && value_of(two[1]) == 5, "initial values: %lu, %lu",
              (unsigned long)value_of(two[0]), (unsigned long)value_of(two[1]));
   vkt_expect(wait_values(2, two, (uint64_t[]){0, 5}, false, 0) == VK_SUCCESS, "values that are there");
   vkt_expect(wait_values(2, two, (uint64_t[]){1, 5}, false, 2 * MS) == VK_TIMEOUT, "one value is not there");
   vkt_expect(wait_values(2, two, (uint64_t[]){1, 5}, true, 0) == VK_SUCCESS, "any of two values");
   vkt_expect(wait_values(2, two, (uint64_t[]){1, 6}, true, 2 * MS) == VK_TIMEOUT, "none of two values");
   vkt_expect(signal_value(two[0], 3) == VK_SUCCESS && value_of(two[0]) == 3, "a signal of the host");
   vkt_expect(wait_values(1, two, (uint64_t[]){2}, false, 0) == VK_SUCCESS, "a value that was passed");
   /* The validation layer loses sight of semaphores that another thread signals. */
   pthread_t thread;
   if (validation)
      signal_value(two[1], 10);
   else
      pthread_create(&thread, NULL, signal_late, &two[1]);
   vkt_expect(wait_values(1, &two[1], (uint64_t[]){10}, false, UINT64_MAX) == VK_SUCCESS && value_of(two[1]) == 10,
              "a signal of another thread");
   if (!validation)
      pthread_join(thread, NULL);
   vkDestroySemaphore(vkx->device, two[0], NULL);
   vkDestroySemaphore(vkx->device, two[1], NULL);
}

/* Submits that wait for what nobody has signaled yet; the host lets them go one by one. */
static void
test_timeline_queue(void)
{
   VkSemaphore semaphore = semaphore_create(true, 0), other = semaphore_create(true, 0);
   VkFence fence = fence_create(false);
   memset(buffer.map, 0, 64);
   ((uint32_t *)buffer.map)[0] = 1234;
   submit(copy_word(0, 1), semaphore, 1, semaphore, 2, VK_NULL_HANDLE);
   submit(copy_word(1, 2), semaphore, 5, other, 7, VK_NULL_HANDLE);
   submit(copy_word(2, 3), other, 7, semaphore, 9, fence);
   vkt_expect(wait_fences(1, &fence, true, 5 * MS) == VK_TIMEOUT && word(1) == 0 && value_of(semaphore) == 0,
              "submits that wait");
   vkx_check(signal_value(semaphore, 1), "vkSignalSemaphoreKHR");
   vkt_expect(wait_values(1, &semaphore, (uint64_t[]){2}, false, LONG) == VK_SUCCESS && word(1) == 1234,
              "the first of them");
   vkt_expect(word(2) == 0 && value_of(other) == 0, "the second still waits");
   vkx_check(signal_value(semaphore, 6), "vkSignalSemaphoreKHR");
   vkt_expect(wait_values(1, &other, (uint64_t[]){7}, false, LONG) == VK_SUCCESS && word(2) == 1234,
              "the second of them");
   vkt_expect(wait_fences(1, &fence, true, LONG) == VK_SUCCESS && word(3) == 1234 && value_of(semaphore) == 9,
              "the third of them");
   vkx_check(vkDeviceWaitIdle(vkx->device), "vkDeviceWaitIdle");
   vkDestroySemaphore(vkx->device, semaphore, NULL);
   vkDestroySemaphore(vkx->device, other, NULL);
   vkDestroyFence(vkx->device, fence, NULL);
}

/* A submit waits for a binary semaphore, which is signaled, and for a value that is not there yet. */
static void
test_late_consumption(void)
{
   VkSemaphore timeline = semaphore_create(true, 0), binary = semaphore_create(false, 0);
   VkFence fence = fence_create(false);
   VkCommandBuffer cmd = copy_word(0, 1);
   const uint64_t wait_values_[2] = {0, 1};
   const VkSemaphore waits[2] = {binary, timeline};
   const VkTimelineSemaphoreSubmitInfo values = {.sType = VK_STRUCTURE_TYPE_TIMELINE_SEMAPHORE_SUBMIT_INFO,
                                                 .waitSemaphoreValueCount = 2,
                                                 .pWaitSemaphoreValues = wait_values_};
   const VkSubmitInfo info = {.sType = VK_STRUCTURE_TYPE_SUBMIT_INFO,
                              .pNext = &values,
                              .waitSemaphoreCount = 2,
                              .pWaitSemaphores = waits,
                              .pWaitDstStageMask = all_stages,
                              .commandBufferCount = 1,
                              .pCommandBuffers = &cmd};
   memset(buffer.map, 0, 64);
   submit(fill_word(0, 55), VK_NULL_HANDLE, 0, binary, 0, VK_NULL_HANDLE);
   vkx_check(vkQueueSubmit(vkx->queue, 1, &info, fence), "vkQueueSubmit");
   vkt_expect(wait_fences(1, &fence, true, 5 * MS) == VK_TIMEOUT && word(1) == 0, "a value that is not there");
   vkx_check(signal_value(timeline, 1), "vkSignalSemaphoreKHR");
   vkt_expect(wait_fences(1, &fence, true, LONG) == VK_SUCCESS && word(1) == 55,
              "a binary semaphore that is consumed late");
   vkx_check(vkResetFences(vkx->device, 1, &fence), "vkResetFences");
   submit(copy_word(1, 2), VK_NULL_HANDLE, 0, binary, 0, VK_NULL_HANDLE);
   submit(copy_word(2, 3), binary, 0, VK_NULL_HANDLE, 0, fence);
   vkt_expect(wait_fences(1, &fence, true, LONG) == VK_SUCCESS && word(3) == 55, "the same semaphore again");
   vkDestroySemaphore(vkx->device, timeline, NULL);
   vkDestroySemaphore(vkx->device, binary, NULL);
   vkDestroyFence(vkx->device, fence, NULL);
}

/* Two batches of one call, each with several semaphores of both kinds. */
static void
test_batches(void)
{
   VkSemaphore timeline = semaphore_create(true, 0), binary = semaphore_create(false, 0);
   VkCommandBuffer cmds[3] = {fill_word(0, 99), copy_word(0, 1), copy_word(1, 2)};
   const uint64_t signal_values[2] = {1, 0}, wait_values_[2] = {0, 1}, last = 4;
   const VkTimelineSemaphoreSubmitInfo values[2] = {{.sType = VK_STRUCTURE_TYPE_TIMELINE_SEMAPHORE_SUBMIT_INFO,
                                                     .signalSemaphoreValueCount = 2,
                                                     .pSignalSemaphoreValues = signal_values},
                                                    {.sType = VK_STRUCTURE_TYPE_TIMELINE_SEMAPHORE_SUBMIT_INFO,
                                                     .waitSemaphoreValueCount = 2,
                                                     .pWaitSemaphoreValues = wait_values_,
                                                     .signalSemaphoreValueCount = 1,
                                                     .pSignalSemaphoreValues = &last}};
   const VkSemaphore signals[2] = {timeline, binary}, waits[2] = {binary, timeline};
   const VkSubmitInfo infos[2] = {{.sType = VK_STRUCTURE_TYPE_SUBMIT_INFO,
                                   .pNext = &values[0],
                                   .commandBufferCount = 2,
                                   .pCommandBuffers = cmds,
                                   .signalSemaphoreCount = 2,
                                   .pSignalSemaphores = signals},
                                  {.sType = VK_STRUCTURE_TYPE_SUBMIT_INFO,
                                   .pNext = &values[1],
                                   .commandBufferCount = 1,
                                   .pCommandBuffers = &cmds[2],
                                   .waitSemaphoreCount = 2,
                                   .pWaitSemaphores = waits,
                                   .pWaitDstStageMask = all_stages,
                                   .signalSemaphoreCount = 1,
                                   .pSignalSemaphores = &timeline}};
   memset(buffer.map, 0, 64);
   vkx_check(vkQueueSubmit(vkx->queue, 2, infos, VK_NULL_HANDLE), "vkQueueSubmit");
   vkt_expect(wait_values(1, &timeline, &last, false, LONG) == VK_SUCCESS && word(2) == 99, "two batches");
   vkDestroySemaphore(vkx->device, timeline, NULL);
   vkDestroySemaphore(vkx->device, binary, NULL);
}

/* ---- events ---- */

static void
test_events(void)
{
   const VkEventCreateInfo info = {.sType = VK_STRUCTURE_TYPE_EVENT_CREATE_INFO};
   VkEvent events[2];
   for (unsigned i = 0; i < 2; i++)
      vkx_check(vkCreateEvent(vkx->device, &info, NULL, &events[i]), "vkCreateEvent");
   vkt_expect(vkGetEventStatus(vkx->device, events[0]) == VK_EVENT_RESET, "status of an event");
   vkx_check(vkSetEvent(vkx->device, events[0]), "vkSetEvent");
   vkt_expect(vkGetEventStatus(vkx->device, events[0]) == VK_EVENT_SET, "status of an event that the host set");
   vkx_check(vkResetEvent(vkx->device, events[0]), "vkResetEvent");
   vkt_expect(vkGetEventStatus(vkx->device, events[0]) == VK_EVENT_RESET, "status of an event that the host reset");
   /* The queue waits for the host's event and sets its own. */
   VkFence fence = fence_create(false);
   VkCommandBuffer cmd = vkx_begin(vkx);
   memset(buffer.map, 0, 64);
   const VkMemoryBarrier host = {.sType = VK_STRUCTURE_TYPE_MEMORY_BARRIER,
                                 .srcAccessMask = VK_ACCESS_HOST_WRITE_BIT,
                                 .dstAccessMask = VK_ACCESS_TRANSFER_READ_BIT | VK_ACCESS_TRANSFER_WRITE_BIT};
   vkCmdWaitEvents(cmd, 1, &events[0], VK_PIPELINE_STAGE_HOST_BIT, VK_PIPELINE_STAGE_TRANSFER_BIT, 1, &host, 0, NULL,
                   0, NULL);
   vkCmdCopyBuffer(cmd, buffer.buffer, buffer.buffer, 1, &(VkBufferCopy){0, 4, 4});
   vkt_barrier(cmd);
   vkCmdResetEvent(cmd, events[0], VK_PIPELINE_STAGE_TRANSFER_BIT);
   vkCmdSetEvent(cmd, events[1], VK_PIPELINE_STAGE_TRANSFER_BIT);
   const VkMemoryBarrier transfer = {.sType = VK_STRUCTURE_TYPE_MEMORY_BARRIER,
                                     .srcAccessMask = VK_ACCESS_TRANSFER_WRITE_BIT,
                                     .dstAccessMask = VK_ACCESS_TRANSFER_READ_BIT};
   vkCmdWaitEvents(cmd, 1, &events[1], VK_PIPELINE_STAGE_TRANSFER_BIT, VK_PIPELINE_STAGE_TRANSFER_BIT, 1, &transfer,
                   0, NULL, 0, NULL);
   vkCmdCopyBuffer(cmd, buffer.buffer, buffer.buffer, 1, &(VkBufferCopy){4, 8, 4});
   vkt_barrier(cmd);
   vkx_check(vkEndCommandBuffer(cmd), "vkEndCommandBuffer");
   submit(cmd, VK_NULL_HANDLE, 0, VK_NULL_HANDLE, 0, fence);
   vkt_expect(wait_fences(1, &fence, true, 5 * MS) == VK_TIMEOUT, "the queue waits for an event");
   *(uint32_t *)buffer.map = 4711;
   vkx_check(vkSetEvent(vkx->device, events[0]), "vkSetEvent");
   vkt_expect(wait_fences(1, &fence, true, LONG) == VK_SUCCESS && word(1) == 4711 && word(2) == 4711,
              "an event of the host, then one of the queue");
   vkt_expect(vkGetEventStatus(vkx->device, events[0]) == VK_EVENT_RESET &&
                 vkGetEventStatus(vkx->device, events[1]) == VK_EVENT_SET,
              "status of events of the queue");
   for (unsigned i = 0; i < 2; i++)
      vkDestroyEvent(vkx->device, events[i], NULL);
   vkDestroyFence(vkx->device, fence, NULL);
}

/* ---- the second versions ---- */

static VkCommandBuffer
record_sync2(VkEvent event)
{
   PFN_vkCmdPipelineBarrier2KHR barrier2 = VKT_PROC(vkx, vkCmdPipelineBarrier2KHR);
   PFN_vkCmdSetEvent2KHR set2 = VKT_PROC(vkx, vkCmdSetEvent2KHR);
   PFN_vkCmdResetEvent2KHR reset2 = VKT_PROC(vkx, vkCmdResetEvent2KHR);
   PFN_vkCmdWaitEvents2KHR wait2 = VKT_PROC(vkx, vkCmdWaitEvents2KHR);
   const VkMemoryBarrier2 memory = {.sType = VK_STRUCTURE_TYPE_MEMORY_BARRIER_2,
                                    .srcStageMask = VK_PIPELINE_STAGE_2_ALL_TRANSFER_BIT,
                                    .srcAccessMask = VK_ACCESS_2_TRANSFER_WRITE_BIT,
                                    .dstStageMask = VK_PIPELINE_STAGE_2_COPY_BIT,
                                    .dstAccessMask = VK_ACCESS_2_TRANSFER_READ_BIT | VK_ACCESS_2_TRANSFER_WRITE_BIT};
   const VkDependencyInfo dependency = {
      .sType = VK_STRUCTURE_TYPE_DEPENDENCY_INFO, .memoryBarrierCount = 1, .pMemoryBarriers = &memory};
   VkCommandBuffer cmd = vkx_begin(vkx);
   vkCmdFillBuffer(cmd, buffer.buffer, 0, 4, 31);
   barrier2(cmd, &dependency);
   vkCmdCopyBuffer(cmd, buffer.buffer, buffer.buffer, 1, &(VkBufferCopy){0, 4, 4});
   set2(cmd, event, &dependency);
   wait2(cmd, 1, &event, &dependency);
   vkCmdCopyBuffer(cmd, buffer.buffer, buffer.buffer, 1, &(VkBufferCopy){4, 8, 4});
   vkt_barrier(cmd);
   reset2(cmd, event, VK_PIPELINE_STAGE_2_ALL_COMMANDS_BIT);
   vkt_barrier(cmd);
   vkx_check(vkEndCommandBuffer(cmd), "vkEndCommandBuffer");
   return cmd;
}

static void
test_sync2(void)
{
   PFN_vkQueueSubmit2KHR submit2 = VKT_PROC(vkx, vkQueueSubmit2KHR);
   const VkEventCreateInfo info = {.sType = VK_STRUCTURE_TYPE_EVENT_CREATE_INFO};
   VkEvent event;
   VkFence fence = fence_create(false);
   VkSemaphore timeline = semaphore_create(true, 0), binary = semaphore_create(false, 0);
   vkx_check(vkCreateEvent(vkx->device, &info, NULL, &event), "vkCreateEvent");
   memset(buffer.map, 0, 64);
   VkCommandBuffer cmd = record_sync2(event);
   const VkCommandBufferSubmitInfo cmds[2] = {
      {.sType = VK_STRUCTURE_TYPE_COMMAND_BUFFER_SUBMIT_INFO, .commandBuffer = cmd},
      {.sType = VK_STRUCTURE_TYPE_COMMAND_BUFFER_SUBMIT_INFO, .commandBuffer = copy_word(2, 3)}};
   const VkSemaphoreSubmitInfo points[3] = {{.sType = VK_STRUCTURE_TYPE_SEMAPHORE_SUBMIT_INFO,
                                             .semaphore = timeline,
                                             .value = 3,
                                             .stageMask = VK_PIPELINE_STAGE_2_ALL_COMMANDS_BIT},
                                            {.sType = VK_STRUCTURE_TYPE_SEMAPHORE_SUBMIT_INFO,
                                             .semaphore = binary,
                                             .stageMask = VK_PIPELINE_STAGE_2_ALL_COMMANDS_BIT},
                                            {.sType = VK_STRUCTURE_TYPE_SEMAPHORE_SUBMIT_INFO,
                                             .semaphore = timeline,
                                             .value = 8,
                                             .stageMask = VK_PIPELINE_STAGE_2_ALL_COMMANDS_BIT}};
   const VkSubmitInfo2 batches[2] = {{.sType = VK_STRUCTURE_TYPE_SUBMIT_INFO_2,
                                      .commandBufferInfoCount = 1,
                                      .pCommandBufferInfos = &cmds[0],
                                      .signalSemaphoreInfoCount = 2,
                                      .pSignalSemaphoreInfos = points},
                                     {.sType = VK_STRUCTURE_TYPE_SUBMIT_INFO_2,
                                      .waitSemaphoreInfoCount = 2,
                                      .pWaitSemaphoreInfos = points,
                                      .commandBufferInfoCount = 1,
                                      .pCommandBufferInfos = &cmds[1],
                                      .signalSemaphoreInfoCount = 1,
                                      .pSignalSemaphoreInfos = &points[2]}};
   vkx_check(submit2(vkx->queue, 2, batches, fence), "vkQueueSubmit2KHR");
   vkt_expect(wait_fences(1, &fence, true, LONG) == VK_SUCCESS && word(3) == 31 && value_of(timeline) == 8,
              "batches of the second version: %u", word(3));
   vkt_expect(vkGetEventStatus(vkx->device, event) == VK_EVENT_RESET, "status of an event of the second version");
   vkx_check(vkResetFences(vkx->device, 1, &fence), "vkResetFences");
   vkx_check(submit2(vkx->queue, 0, NULL, fence), "vkQueueSubmit2KHR");
   vkt_expect(wait_fences(1, &fence, true, LONG) == VK_SUCCESS, "a fence alone, second version");
   vkDestroyEvent(vkx->device, event, NULL);
   vkDestroyFence(vkx->device, fence, NULL);
   vkDestroySemaphore(vkx->device, timeline, NULL);
   vkDestroySemaphore(vkx->device, binary, NULL);
}

int
main(int argc, char **argv)
{
   validation = !strcmp(vkx_option(argc, argv, "--quirks", ""), "validation");
   struct vkx device = vkt_create("sync");
   vkx = &device;
   buffer = vkt_buffer_create(vkx, 4096, 0);
   test_fences();
   test_binary();
   test_events();
   if (vkt_has("VK_KHR_timeline_semaphore")) {
      counter_value = VKT_PROC(vkx, vkGetSemaphoreCounterValueKHR);
      wait_semaphores = VKT_PROC(vkx, vkWaitSemaphoresKHR);
      signal_semaphore = VKT_PROC(vkx, vkSignalSemaphoreKHR);
      test_timeline_host();
      test_timeline_queue();
      test_late_consumption();
      test_batches();
      if (vkt_has("VK_KHR_synchronization2"))
         test_sync2();
   }
   vkx_check(vkDeviceWaitIdle(vkx->device), "vkDeviceWaitIdle");
   vkx_buffer_destroy(vkx, &buffer);
   return vkt_finish(vkx);
}
