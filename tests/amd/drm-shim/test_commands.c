/* Commands that need no shader, recorded by a Vulkan driver and run by the model: copies, events, timestamps, waits.
 * The driver is Debian's RADV unless the environment names another one. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>
#include <vulkan/vulkan.h>

#include <cmocka.h>

#define SIZE_B 2048 /* small: larger fills and copies are compute shaders in RADV */

static VkPhysicalDevice gpu;
static VkDevice device;
static VkQueue queue;
static VkBuffer buffer;
static uint32_t *map;
static VkCommandPool pool;
static float timestamp_period_ns;

static int
create_device(void)
{
   VkInstance instance;
   uint32_t count = 1;
   const VkApplicationInfo app = {.sType = VK_STRUCTURE_TYPE_APPLICATION_INFO, .apiVersion = VK_API_VERSION_1_3};
   const VkInstanceCreateInfo instance_info = {.sType = VK_STRUCTURE_TYPE_INSTANCE_CREATE_INFO,
                                               .pApplicationInfo = &app};
   const VkDeviceQueueCreateInfo queue_info = {
      .sType = VK_STRUCTURE_TYPE_DEVICE_QUEUE_CREATE_INFO, .queueCount = 1, .pQueuePriorities = &(float){1}};
   const VkPhysicalDeviceVulkan12Features features = {.sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_VULKAN_1_2_FEATURES,
                                                      .timelineSemaphore = VK_TRUE};
   const VkDeviceCreateInfo device_info = {.sType = VK_STRUCTURE_TYPE_DEVICE_CREATE_INFO,
                                           .pNext = &features,
                                           .queueCreateInfoCount = 1,
                                           .pQueueCreateInfos = &queue_info};
   if (vkCreateInstance(&instance_info, NULL, &instance) || vkEnumeratePhysicalDevices(instance, &count, &gpu) < 0 ||
       !count || vkCreateDevice(gpu, &device_info, NULL, &device))
      return -1;
   VkPhysicalDeviceProperties properties;
   vkGetPhysicalDeviceProperties(gpu, &properties);
   timestamp_period_ns = properties.limits.timestampPeriod;
   vkGetDeviceQueue(device, 0, 0, &queue);
   const VkCommandPoolCreateInfo pool_info = {.sType = VK_STRUCTURE_TYPE_COMMAND_POOL_CREATE_INFO};
   return vkCreateCommandPool(device, &pool_info, NULL, &pool);
}

static int
setup(void **state)
{
   VkPhysicalDeviceMemoryProperties types;
   VkMemoryRequirements needs;
   VkDeviceMemory memory;
   if (create_device())
      return -1;
   const VkBufferCreateInfo buffer_info = {
      .sType = VK_STRUCTURE_TYPE_BUFFER_CREATE_INFO,
      .size = 4 * SIZE_B,
      .usage = VK_BUFFER_USAGE_TRANSFER_SRC_BIT | VK_BUFFER_USAGE_TRANSFER_DST_BIT,
   };
   vkCreateBuffer(device, &buffer_info, NULL, &buffer);
   vkGetBufferMemoryRequirements(device, buffer, &needs);
   vkGetPhysicalDeviceMemoryProperties(gpu, &types);
   uint32_t type = 0;
   while (!(types.memoryTypes[type].propertyFlags & VK_MEMORY_PROPERTY_HOST_COHERENT_BIT))
      type++;
   const VkMemoryAllocateInfo memory_info = {
      .sType = VK_STRUCTURE_TYPE_MEMORY_ALLOCATE_INFO, .allocationSize = needs.size, .memoryTypeIndex = type};
   return vkAllocateMemory(device, &memory_info, NULL, &memory) || vkBindBufferMemory(device, buffer, memory, 0) ||
          vkMapMemory(device, memory, 0, VK_WHOLE_SIZE, 0, (void **)&map);
}

static VkCommandBuffer
begin(void)
{
   VkCommandBuffer commands;
   const VkCommandBufferAllocateInfo info = {
      .sType = VK_STRUCTURE_TYPE_COMMAND_BUFFER_ALLOCATE_INFO, .commandPool = pool, .commandBufferCount = 1};
   const VkCommandBufferBeginInfo begin_info = {.sType = VK_STRUCTURE_TYPE_COMMAND_BUFFER_BEGIN_INFO};
   assert_int_equal(vkAllocateCommandBuffers(device, &info, &commands), VK_SUCCESS);
   assert_int_equal(vkBeginCommandBuffer(commands, &begin_info), VK_SUCCESS);
   return commands;
}

static void
submit(VkCommandBuffer commands)
{
   const VkSubmitInfo info = {
      .sType = VK_STRUCTURE_TYPE_SUBMIT_INFO, .commandBufferCount = 1, .pCommandBuffers = &commands};
   assert_int_equal(vkEndCommandBuffer(commands), VK_SUCCESS);
   assert_int_equal(vkQueueSubmit(queue, 1, &info, VK_NULL_HANDLE), VK_SUCCESS);
}

static void
barrier(VkCommandBuffer commands)
{
   const VkMemoryBarrier all = {.sType = VK_STRUCTURE_TYPE_MEMORY_BARRIER,
                                .srcAccessMask = VK_ACCESS_MEMORY_WRITE_BIT,
                                .dstAccessMask = VK_ACCESS_MEMORY_READ_BIT | VK_ACCESS_MEMORY_WRITE_BIT};
   vkCmdPipelineBarrier(commands, VK_PIPELINE_STAGE_ALL_COMMANDS_BIT,
                        VK_PIPELINE_STAGE_ALL_COMMANDS_BIT | VK_PIPELINE_STAGE_HOST_BIT, 0, 1, &all, 0, NULL, 0,
                        NULL);
}

static void
copies(void **state)
{
   uint32_t words[64];
   for (unsigned i = 0; i < 64; i++)
      words[i] = 0x1000 + i;
   memset(map, 0x77, 4 * SIZE_B);
   VkCommandBuffer commands = begin();
   vkCmdUpdateBuffer(commands, buffer, 0, sizeof(words), words);
   vkCmdFillBuffer(commands, buffer, SIZE_B, SIZE_B, 0xabcdef01);
   barrier(commands);
   vkCmdCopyBuffer(commands, buffer, buffer, 1,
                   &(VkBufferCopy){.srcOffset = 12, .dstOffset = 2 * SIZE_B, .size = 100});
   vkCmdCopyBuffer(commands, buffer, buffer, 1,
                   &(VkBufferCopy){.srcOffset = SIZE_B + 3, .dstOffset = 3 * SIZE_B, .size = 4});
   barrier(commands);
   submit(commands);
   assert_int_equal(vkQueueWaitIdle(queue), VK_SUCCESS);
   for (unsigned i = 0; i < SIZE_B / 4; i++) {
      assert_int_equal(map[i], i < 64 ? 0x1000 + i : 0x77777777);
      assert_int_equal(map[SIZE_B / 4 + i], 0xabcdef01);
      assert_int_equal(map[2 * SIZE_B / 4 + i], i < 25 ? 0x1003 + i : 0x77777777);
      assert_int_equal(map[3 * SIZE_B / 4 + i], i < 1 ? 0xcdef01ab : 0x77777777);
   }
}

/* The GPU waits for the host's event, then sets one of its own. */
static void
events(void **state)
{
   VkEvent host, gpu_event;
   const VkEventCreateInfo info = {.sType = VK_STRUCTURE_TYPE_EVENT_CREATE_INFO};
   assert_int_equal(vkCreateEvent(device, &info, NULL, &host), VK_SUCCESS);
   assert_int_equal(vkCreateEvent(device, &info, NULL, &gpu_event), VK_SUCCESS);
   map[0] = 0;
   VkCommandBuffer commands = begin();
   vkCmdWaitEvents(commands, 1, &host, VK_PIPELINE_STAGE_HOST_BIT, VK_PIPELINE_STAGE_ALL_COMMANDS_BIT, 0, NULL, 0,
                   NULL, 0, NULL);
   vkCmdUpdateBuffer(commands, buffer, 0, 4, &(uint32_t){5});
   barrier(commands);
   vkCmdSetEvent(commands, gpu_event, VK_PIPELINE_STAGE_ALL_COMMANDS_BIT);
   submit(commands);
   assert_int_equal(vkGetEventStatus(device, gpu_event), VK_EVENT_RESET);
   assert_int_equal(map[0], 0);
   assert_int_equal(vkSetEvent(device, host), VK_SUCCESS);
   assert_int_equal(vkQueueWaitIdle(queue), VK_SUCCESS);
   assert_int_equal(vkGetEventStatus(device, gpu_event), VK_EVENT_SET);
   assert_int_equal(map[0], 5);
   vkDestroyEvent(device, host, NULL);
   vkDestroyEvent(device, gpu_event, NULL);
}

static void
timestamps(void **state)
{
   VkQueryPool queries;
   uint64_t results[4];
   const VkQueryPoolCreateInfo info = {
      .sType = VK_STRUCTURE_TYPE_QUERY_POOL_CREATE_INFO, .queryType = VK_QUERY_TYPE_TIMESTAMP, .queryCount = 2};
   assert_int_equal(vkCreateQueryPool(device, &info, NULL, &queries), VK_SUCCESS);
   assert_float_equal(timestamp_period_ns, 10, 0.001); /* 100 MHz */
   VkCommandBuffer commands = begin();
   vkCmdResetQueryPool(commands, queries, 0, 2);
   vkCmdWriteTimestamp(commands, VK_PIPELINE_STAGE_TOP_OF_PIPE_BIT, queries, 0);
   vkCmdUpdateBuffer(commands, buffer, 0, 4, &(uint32_t){6});
   vkCmdWriteTimestamp(commands, VK_PIPELINE_STAGE_BOTTOM_OF_PIPE_BIT, queries, 1);
   submit(commands);
   const VkQueryResultFlags flags =
      VK_QUERY_RESULT_64_BIT | VK_QUERY_RESULT_WAIT_BIT | VK_QUERY_RESULT_WITH_AVAILABILITY_BIT;
   assert_int_equal(vkGetQueryPoolResults(device, queries, 0, 2, sizeof(results), results, 16, flags), VK_SUCCESS);
   assert_int_equal(results[1], 1);
   assert_int_equal(results[3], 1);
   assert_true(results[2] >= results[0]);
   assert_int_equal(vkQueueWaitIdle(queue), VK_SUCCESS);
   vkDestroyQueryPool(device, queries, NULL);
}

/* A submit waits for a point of a timeline that the host signals after submission. */
static void
timeline(void **state)
{
   VkSemaphore semaphore;
   const VkSemaphoreTypeCreateInfo type = {.sType = VK_STRUCTURE_TYPE_SEMAPHORE_TYPE_CREATE_INFO,
                                           .semaphoreType = VK_SEMAPHORE_TYPE_TIMELINE};
   const VkSemaphoreCreateInfo info = {.sType = VK_STRUCTURE_TYPE_SEMAPHORE_CREATE_INFO, .pNext = &type};
   assert_int_equal(vkCreateSemaphore(device, &info, NULL, &semaphore), VK_SUCCESS);
   map[0] = 0;
   VkCommandBuffer commands = begin();
   vkCmdUpdateBuffer(commands, buffer, 0, 4, &(uint32_t){7});
   barrier(commands);
   assert_int_equal(vkEndCommandBuffer(commands), VK_SUCCESS);
   const VkTimelineSemaphoreSubmitInfo points = {.sType = VK_STRUCTURE_TYPE_TIMELINE_SEMAPHORE_SUBMIT_INFO,
                                                 .waitSemaphoreValueCount = 1,
                                                 .pWaitSemaphoreValues = &(uint64_t){1},
                                                 .signalSemaphoreValueCount = 1,
                                                 .pSignalSemaphoreValues = &(uint64_t){2}};
   const VkSubmitInfo submit_info = {.sType = VK_STRUCTURE_TYPE_SUBMIT_INFO,
                                     .pNext = &points,
                                     .waitSemaphoreCount = 1,
                                     .pWaitSemaphores = &semaphore,
                                     .pWaitDstStageMask = &(VkPipelineStageFlags){VK_PIPELINE_STAGE_ALL_COMMANDS_BIT},
                                     .commandBufferCount = 1,
                                     .pCommandBuffers = &commands,
                                     .signalSemaphoreCount = 1,
                                     .pSignalSemaphores = &semaphore};
   assert_int_equal(vkQueueSubmit(queue, 1, &submit_info, VK_NULL_HANDLE), VK_SUCCESS);
   uint64_t value;
   assert_int_equal(vkGetSemaphoreCounterValue(device, semaphore, &value), VK_SUCCESS);
   assert_int_equal(value, 0);
   assert_int_equal(map[0], 0);
   const VkSemaphoreSignalInfo signal = {
      .sType = VK_STRUCTURE_TYPE_SEMAPHORE_SIGNAL_INFO, .semaphore = semaphore, .value = 1};
   assert_int_equal(vkSignalSemaphore(device, &signal), VK_SUCCESS);
   const VkSemaphoreWaitInfo wait = {.sType = VK_STRUCTURE_TYPE_SEMAPHORE_WAIT_INFO,
                                     .semaphoreCount = 1,
                                     .pSemaphores = &semaphore,
                                     .pValues = &(uint64_t){2}};
   assert_int_equal(vkWaitSemaphores(device, &wait, UINT64_MAX), VK_SUCCESS);
   assert_int_equal(map[0], 7);
   assert_int_equal(vkQueueWaitIdle(queue), VK_SUCCESS);
   vkDestroySemaphore(device, semaphore, NULL);
}

int
main(void)
{
   const struct CMUnitTest tests[] = {
      cmocka_unit_test(copies),
      cmocka_unit_test(events),
      cmocka_unit_test(timestamps),
      cmocka_unit_test(timeline),
   };
   return cmocka_run_group_tests(tests, setup, NULL);
}
