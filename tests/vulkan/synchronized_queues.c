/* VK_KHR_internally_synchronized_queues: threads submit to one queue, with no lock of theirs. */
#include <pthread.h>

#include "vkt.h"

enum { THREADS = 4, SUBMITS = 40 };

static struct vkx vkx;
static struct vkx_buffer words; /* SUBMITS of each thread */

static VkCommandBuffer
record(VkCommandPool pool, uint32_t thread)
{
   const VkCommandBufferAllocateInfo info = {
      .sType = VK_STRUCTURE_TYPE_COMMAND_BUFFER_ALLOCATE_INFO, .commandPool = pool, .commandBufferCount = 1};
   const VkCommandBufferBeginInfo begin = {.sType = VK_STRUCTURE_TYPE_COMMAND_BUFFER_BEGIN_INFO};
   VkCommandBuffer cmd;
   vkx_check(vkAllocateCommandBuffers(vkx.device, &info, &cmd), "vkAllocateCommandBuffers");
   vkBeginCommandBuffer(cmd, &begin);
   vkCmdFillBuffer(cmd, words.buffer, thread * SUBMITS * 4, SUBMITS * 4, thread + 1);
   vkt_barrier(cmd);
   vkEndCommandBuffer(cmd);
   return cmd;
}

/* Each thread has its own pools and fences; the queue is all that they share. */
static void *
submit(void *data)
{
   const uint32_t thread = (uint32_t)(uintptr_t)data;
   const VkCommandPoolCreateInfo pool_info = {.sType = VK_STRUCTURE_TYPE_COMMAND_POOL_CREATE_INFO,
                                              .queueFamilyIndex = vkx.family};
   const VkFenceCreateInfo fence_info = {.sType = VK_STRUCTURE_TYPE_FENCE_CREATE_INFO};
   VkCommandPool pool;
   VkFence fence;
   uintptr_t failed = 0;
   vkx_check(vkCreateCommandPool(vkx.device, &pool_info, NULL, &pool), "vkCreateCommandPool");
   vkx_check(vkCreateFence(vkx.device, &fence_info, NULL, &fence), "vkCreateFence");
   const VkCommandBuffer cmd = record(pool, thread);
   const VkSubmitInfo info = {
      .sType = VK_STRUCTURE_TYPE_SUBMIT_INFO, .commandBufferCount = 1, .pCommandBuffers = &cmd};
   for (uint32_t i = 0; i < SUBMITS; i++) {
      failed += vkQueueSubmit(vkx.queue, 1, &info, fence) != VK_SUCCESS;
      if (i % 8 == thread)
         failed += vkQueueWaitIdle(vkx.queue) != VK_SUCCESS;
      failed += vkWaitForFences(vkx.device, 1, &fence, VK_TRUE, UINT64_MAX) != VK_SUCCESS;
      failed += vkResetFences(vkx.device, 1, &fence) != VK_SUCCESS;
   }
   vkDestroyFence(vkx.device, fence, NULL);
   vkDestroyCommandPool(vkx.device, pool, NULL);
   return (void *)failed;
}

/* A queue is found by the flags that it was created with. */
static bool
find_queue(VkDevice device, uint32_t family)
{
   VkDeviceQueueInfo2 info = {.sType = VK_STRUCTURE_TYPE_DEVICE_QUEUE_INFO_2,
                              .flags = VK_DEVICE_QUEUE_CREATE_INTERNALLY_SYNCHRONIZED_BIT_KHR,
                              .queueFamilyIndex = family};
   vkGetDeviceQueue2(device, &info, &vkx.queue);
   return vkx.queue != VK_NULL_HANDLE;
}

/* vkx, with the first device's queue synchronized: `vkx_create_with` creates one without flags. */
static void
create(void)
{
   VkPhysicalDeviceInternallySynchronizedQueuesFeaturesKHR feature = {
      .sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_INTERNALLY_SYNCHRONIZED_QUEUES_FEATURES_KHR,
      .internallySynchronizedQueues = VK_TRUE};
   const char *name = "VK_KHR_internally_synchronized_queues";
   const float priority = 1;
   vkx = vkx_create_with("synchronized_queues", name, &feature);
   vkDestroyCommandPool(vkx.device, vkx.pool, NULL);
   vkDestroyDevice(vkx.device, NULL);
   const VkDeviceQueueCreateInfo queue = {.sType = VK_STRUCTURE_TYPE_DEVICE_QUEUE_CREATE_INFO,
                                          .flags = VK_DEVICE_QUEUE_CREATE_INTERNALLY_SYNCHRONIZED_BIT_KHR,
                                          .queueFamilyIndex = vkx.family,
                                          .queueCount = 1,
                                          .pQueuePriorities = &priority};
   const VkDeviceCreateInfo info = {.sType = VK_STRUCTURE_TYPE_DEVICE_CREATE_INFO,
                                    .pNext = &feature,
                                    .queueCreateInfoCount = 1,
                                    .pQueueCreateInfos = &queue,
                                    .enabledExtensionCount = 1,
                                    .ppEnabledExtensionNames = &name};
   const VkCommandPoolCreateInfo pool = {.sType = VK_STRUCTURE_TYPE_COMMAND_POOL_CREATE_INFO,
                                         .queueFamilyIndex = vkx.family};
   feature.pNext = NULL;
   vkx_check(vkCreateDevice(vkx.physical, &info, NULL, &vkx.device), "vkCreateDevice");
   vkx_check(vkCreateCommandPool(vkx.device, &pool, NULL, &vkx.pool), "vkCreateCommandPool");
}

int
main(void)
{
   pthread_t threads[THREADS];
   void *failed;
   create();
   words = vkt_buffer_create(&vkx, THREADS * SUBMITS * 4, 0);
   if (vkt_expect(find_queue(vkx.device, vkx.family), "a queue with flags")) {
      for (uintptr_t i = 0; i < THREADS; i++)
         pthread_create(&threads[i], NULL, submit, (void *)i);
      for (uint32_t i = 0; i < THREADS; i++) {
         pthread_join(threads[i], &failed);
         vkt_expect(!failed, "%u calls of thread %u failed", (unsigned)(uintptr_t)failed, i);
      }
   }
   for (uint32_t i = 0; i < THREADS * SUBMITS; i++)
      vkt_expect(((uint32_t *)words.map)[i] == i / SUBMITS + 1, "word %u is %u", i, ((uint32_t *)words.map)[i]);
   vkx_buffer_destroy(&vkx, &words);
   return vkt_finish(&vkx);
}
