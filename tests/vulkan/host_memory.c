/* Memory and the process: pages of the process's own as memory of the device, mappings at a place of the
 * application's choice, priorities, and reports of what is allocated; with --fails 1 also of what cannot be
 * (RADV 26.1.6 crashes). */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#include "vkt.h"

enum { WORDS = 4096 };

static VkDeviceSize
page_B(void)
{
   return (VkDeviceSize)sysconf(_SC_PAGESIZE);
}

/* Anywhere; NULL: nobody has it. */
static uint32_t *
pages(VkDeviceSize size_B, int protection)
{
   void *map = mmap(NULL, size_B, protection, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
   return map == MAP_FAILED ? NULL : map;
}

/* A buffer on the memory from its start on. */
static VkBuffer
buffer_on(struct vkx *vkx, VkDeviceMemory memory, VkDeviceSize size_B, const void *next)
{
   const VkBufferCreateInfo info = {.sType = VK_STRUCTURE_TYPE_BUFFER_CREATE_INFO,
                                    .pNext = next,
                                    .size = size_B,
                                    .usage = VK_BUFFER_USAGE_TRANSFER_SRC_BIT | VK_BUFFER_USAGE_TRANSFER_DST_BIT};
   VkBuffer buffer;
   vkx_check(vkCreateBuffer(vkx->device, &info, NULL, &buffer), "vkCreateBuffer");
   vkx_check(vkBindBufferMemory(vkx->device, buffer, memory, 0), "vkBindBufferMemory");
   return buffer;
}

static void
copy(struct vkx *vkx, VkBuffer from, VkBuffer to)
{
   VkCommandBuffer cmd = vkx_begin(vkx);
   vkCmdCopyBuffer(cmd, from, to, 1, &(VkBufferCopy){0, 0, WORDS * 4});
   vkt_barrier(cmd);
   vkx_submit_and_wait(vkx, cmd);
}

static void
fill(uint32_t *words, uint32_t from)
{
   for (uint32_t i = 0; i < WORDS; i++)
      words[i] = from + i * 2654435761u;
}

static void
check(const uint32_t *words, uint32_t from, const char *what)
{
   uint32_t wrong = 0;
   for (uint32_t i = 0; i < WORDS; i++)
      wrong += words[i] != from + i * 2654435761u;
   vkt_expect(!wrong, "%s: %u of %u words are wrong", what, wrong, (uint32_t)WORDS);
}

static uint32_t
memory_type(struct vkx *vkx, uint32_t among, VkMemoryPropertyFlags flags)
{
   for (uint32_t i = 0; i < vkx->memory.memoryTypeCount; i++) {
      if (among >> i & 1 && (vkx->memory.memoryTypes[i].propertyFlags & flags) == flags)
         return i;
   }
   return UINT32_MAX;
}

/* ---- pages of the process ---- */

static const VkExternalMemoryHandleTypeFlagBits host = VK_EXTERNAL_MEMORY_HANDLE_TYPE_HOST_ALLOCATION_BIT_EXT;

static void
check_host_support(struct vkx *vkx, VkDeviceSize *alignment_B)
{
   VkPhysicalDeviceExternalMemoryHostPropertiesEXT limits = {
      .sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_EXTERNAL_MEMORY_HOST_PROPERTIES_EXT};
   VkPhysicalDeviceProperties2 properties = {VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_PROPERTIES_2, &limits, {0}};
   const VkPhysicalDeviceExternalBufferInfo info = {.sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_EXTERNAL_BUFFER_INFO,
                                                    .usage = VK_BUFFER_USAGE_TRANSFER_DST_BIT,
                                                    .handleType = host};
   VkExternalBufferProperties external = {.sType = VK_STRUCTURE_TYPE_EXTERNAL_BUFFER_PROPERTIES};
   vkGetPhysicalDeviceProperties2(vkx->physical, &properties);
   vkGetPhysicalDeviceExternalBufferProperties(vkx->physical, &info, &external);
   *alignment_B = limits.minImportedHostPointerAlignment;
   vkt_expect(*alignment_B >= 4096 && !(*alignment_B & (*alignment_B - 1)), "an alignment of %llu",
              (unsigned long long)*alignment_B);
   vkt_expect(external.externalMemoryProperties.externalMemoryFeatures == VK_EXTERNAL_MEMORY_FEATURE_IMPORTABLE_BIT &&
                 external.externalMemoryProperties.compatibleHandleTypes & host,
              "buffers on pages of the process: features %x",
              external.externalMemoryProperties.externalMemoryFeatures);
}

static void
check_host(struct vkx *vkx)
{
   VkDeviceSize alignment_B;
   check_host_support(vkx, &alignment_B);
   const VkDeviceSize size_B = (WORDS * 4 + alignment_B - 1) / alignment_B * alignment_B;
   uint32_t *words = pages(size_B, PROT_READ | PROT_WRITE);
   VkMemoryHostPointerPropertiesEXT properties = {.sType = VK_STRUCTURE_TYPE_MEMORY_HOST_POINTER_PROPERTIES_EXT};
   fill(words, 1);
   vkx_check(VKT_PROC(vkx, vkGetMemoryHostPointerPropertiesEXT)(vkx->device, host, words, &properties),
             "vkGetMemoryHostPointerPropertiesEXT");
   const uint32_t type = memory_type(vkx, properties.memoryTypeBits, VK_MEMORY_PROPERTY_HOST_VISIBLE_BIT);
   if (!vkt_expect(type != UINT32_MAX, "types of pages: %x", properties.memoryTypeBits))
      return;
   const VkImportMemoryHostPointerInfoEXT import = {
      .sType = VK_STRUCTURE_TYPE_IMPORT_MEMORY_HOST_POINTER_INFO_EXT, .handleType = host, .pHostPointer = words};
   const VkMemoryAllocateInfo info = {VK_STRUCTURE_TYPE_MEMORY_ALLOCATE_INFO, &import, size_B, type};
   const VkExternalMemoryBufferCreateInfo external = {.sType = VK_STRUCTURE_TYPE_EXTERNAL_MEMORY_BUFFER_CREATE_INFO,
                                                      .handleTypes = host};
   VkDeviceMemory memory;
   void *map;
   vkx_check(vkAllocateMemory(vkx->device, &info, NULL, &memory), "memory of pages of the process");
   VkBuffer buffer = buffer_on(vkx, memory, WORDS * 4, &external);
   struct vkx_buffer other = vkt_buffer_create(vkx, WORDS * 4, 0);
   copy(vkx, buffer, other.buffer);
   check(other.map, 1, "from pages of the process");
   fill(words, 2);
   copy(vkx, buffer, other.buffer);
   check(other.map, 2, "from pages that were written again");
   fill(other.map, 3);
   copy(vkx, other.buffer, buffer);
   check(words, 3, "into pages of the process");
   vkt_expect(vkMapMemory(vkx->device, memory, 0, VK_WHOLE_SIZE, 0, &map) == VK_SUCCESS && map == words,
              "the mapping is the pages");
   vkx_buffer_destroy(vkx, &other);
   vkDestroyBuffer(vkx->device, buffer, NULL);
   vkFreeMemory(vkx->device, memory, NULL);
   check(words, 3, "pages behind the end of their memory");
   munmap(words, size_B);
}

/* ---- mappings in their place ---- */

static void
check_placed(struct vkx *vkx)
{
   PFN_vkMapMemory2KHR map_memory = VKT_PROC(vkx, vkMapMemory2KHR);
   PFN_vkUnmapMemory2KHR unmap_memory = VKT_PROC(vkx, vkUnmapMemory2KHR);
   const VkDeviceSize size_B = WORDS * 4 > page_B() ? WORDS * 4 : page_B();
   struct vkx_buffer source = vkt_buffer_create(vkx, size_B, 0);
   for (uint32_t type = 0; type < vkx->memory.memoryTypeCount; type++) {
      if (!(vkx->memory.memoryTypes[type].propertyFlags & VK_MEMORY_PROPERTY_HOST_COHERENT_BIT) ||
          vkx->memory.memoryTypes[type].propertyFlags & VK_MEMORY_PROPERTY_DEVICE_COHERENT_BIT_AMD)
         continue;
      const VkMemoryAllocateInfo info = {VK_STRUCTURE_TYPE_MEMORY_ALLOCATE_INFO, NULL, size_B, type};
      VkDeviceMemory memory;
      vkx_check(vkAllocateMemory(vkx->device, &info, NULL, &memory), "vkAllocateMemory");
      VkBuffer buffer = buffer_on(vkx, memory, WORDS * 4, NULL);
      uint32_t *place = pages(4 * size_B, PROT_NONE);
      for (unsigned round = 0; round < 3; round++) {
         char *at = (char *)place + round * page_B();
         const VkMemoryMapPlacedInfoEXT placed = {VK_STRUCTURE_TYPE_MEMORY_MAP_PLACED_INFO_EXT, NULL, at};
         const VkMemoryMapInfoKHR map_info = {
            VK_STRUCTURE_TYPE_MEMORY_MAP_INFO_KHR, &placed, VK_MEMORY_MAP_PLACED_BIT_EXT, memory, 0, VK_WHOLE_SIZE};
         void *map = NULL;
         vkt_expect(map_memory(vkx->device, &map_info, &map) == VK_SUCCESS && map == at, "type %u: %p, not %p", type,
                    map, (void *)at);
         fill(source.map, 10 * type + round);
         copy(vkx, source.buffer, buffer);
         check(map, 10 * type + round, "written by the device");
         fill(map, 7 + round);
         copy(vkx, buffer, source.buffer);
         check(source.map, 7 + round, "written in its place");
         const VkMemoryUnmapInfoKHR unmap = {VK_STRUCTURE_TYPE_MEMORY_UNMAP_INFO_KHR, NULL,
                                             round == 2 ? 0 : VK_MEMORY_UNMAP_RESERVE_BIT_EXT, memory};
         vkt_expect(unmap_memory(vkx->device, &unmap) == VK_SUCCESS, "vkUnmapMemory2KHR");
         /* Reserved pages stay taken: whoever wants them, and not others, does not get them. */
         void *other = mmap(at, page_B(), PROT_READ, MAP_PRIVATE | MAP_ANONYMOUS | MAP_FIXED_NOREPLACE, -1, 0);
         vkt_expect((other == MAP_FAILED) == (round < 2), "pages behind mapping %u", round);
      }
      munmap(place, 4 * size_B);
      vkDestroyBuffer(vkx->device, buffer, NULL);
      vkFreeMemory(vkx->device, memory, NULL);
   }
   vkx_buffer_destroy(vkx, &source);
}

/* ---- priorities ---- */

static void
check_priorities(struct vkx *vkx)
{
   struct vkx_buffer other = vkt_buffer_create(vkx, WORDS * 4, 0);
   for (unsigned i = 0; i < 5; i++) {
      const VkMemoryPriorityAllocateInfoEXT priority = {VK_STRUCTURE_TYPE_MEMORY_PRIORITY_ALLOCATE_INFO_EXT, NULL,
                                                        (float)i / 4};
      const VkMemoryAllocateInfo info = {VK_STRUCTURE_TYPE_MEMORY_ALLOCATE_INFO, &priority, WORDS * 4,
                                         memory_type(vkx, UINT32_MAX, VK_MEMORY_PROPERTY_HOST_COHERENT_BIT)};
      VkDeviceMemory memory;
      void *map;
      vkx_check(vkAllocateMemory(vkx->device, &info, NULL, &memory), "memory with a priority");
      vkx_check(vkMapMemory(vkx->device, memory, 0, VK_WHOLE_SIZE, 0, &map), "vkMapMemory");
      VkBuffer buffer = buffer_on(vkx, memory, WORDS * 4, NULL);
      fill(map, 20 + i);
      copy(vkx, buffer, other.buffer);
      check(other.map, 20 + i, "memory with a priority");
      vkDestroyBuffer(vkx->device, buffer, NULL);
      vkFreeMemory(vkx->device, memory, NULL);
   }
   vkx_buffer_destroy(vkx, &other);
}

/* ---- reports ---- */

struct reports {
   unsigned count[5]; /* by type */
   uint64_t id;       /* of the memory that is watched */
   VkDeviceSize size_B;
   uint64_t handle;
   uint32_t heap;
};

static void VKAPI_PTR
report(const VkDeviceMemoryReportCallbackDataEXT *data, void *user)
{
   struct reports *reports = user;
   if (data->objectType != VK_OBJECT_TYPE_DEVICE_MEMORY || (reports->id && data->memoryObjectId != reports->id))
      return;
   reports->count[data->type]++;
   reports->size_B = data->size;
   reports->handle = data->objectHandle;
   reports->heap = data->heapIndex;
   if (data->type == VK_DEVICE_MEMORY_REPORT_EVENT_TYPE_ALLOCATE_EXT)
      reports->id = data->memoryObjectId;
}

static bool fails;

static bool
offers_reports(struct vkx *vkx)
{
   VkExtensionProperties all[512];
   uint32_t count = 512;
   vkEnumerateDeviceExtensionProperties(vkx->physical, NULL, &count, all);
   for (uint32_t i = 0; i < count; i++) {
      if (!strcmp(all[i].extensionName, "VK_EXT_device_memory_report"))
         return true;
   }
   return false;
}

static void
check_reports(struct vkx *vkx)
{
   static const char *const names[] = {"VK_EXT_device_memory_report"};
   struct reports reports[2];
   VkDeviceDeviceMemoryReportCreateInfoEXT asked[2];
   memset(reports, 0, sizeof(reports));
   const float priority = 1;
   const VkDeviceQueueCreateInfo queue = {
      VK_STRUCTURE_TYPE_DEVICE_QUEUE_CREATE_INFO, NULL, 0, vkx->family, 1, &priority};
   for (unsigned i = 0; i < 2; i++)
      asked[i] = (VkDeviceDeviceMemoryReportCreateInfoEXT){
         VK_STRUCTURE_TYPE_DEVICE_DEVICE_MEMORY_REPORT_CREATE_INFO_EXT, i ? NULL : &asked[1], 0, report, &reports[i]};
   const VkPhysicalDeviceDeviceMemoryReportFeaturesEXT features = {
      VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_DEVICE_MEMORY_REPORT_FEATURES_EXT, &asked[0], VK_TRUE};
   const VkDeviceCreateInfo info = {.sType = VK_STRUCTURE_TYPE_DEVICE_CREATE_INFO,
                                    .pNext = &features,
                                    .queueCreateInfoCount = 1,
                                    .pQueueCreateInfos = &queue,
                                    .enabledExtensionCount = 1,
                                    .ppEnabledExtensionNames = names};
   VkDevice device;
   VkDeviceMemory memory;
   vkx_check(vkCreateDevice(vkx->physical, &info, NULL, &device), "a device that reports");
   const uint32_t type = memory_type(vkx, UINT32_MAX, VK_MEMORY_PROPERTY_HOST_VISIBLE_BIT);
   VkMemoryAllocateInfo allocate = {VK_STRUCTURE_TYPE_MEMORY_ALLOCATE_INFO, NULL, 1 << 20, type};
   memset(reports, 0, sizeof(reports));
   vkx_check(vkAllocateMemory(device, &allocate, NULL, &memory), "vkAllocateMemory");
   for (unsigned i = 0; i < 2; i++)
      vkt_expect(reports[i].count[VK_DEVICE_MEMORY_REPORT_EVENT_TYPE_ALLOCATE_EXT] == 1 && reports[i].id &&
                    reports[i].size_B >= 1 << 20 && reports[i].handle == (uint64_t)(uintptr_t)memory &&
                    reports[i].heap == vkx->memory.memoryTypes[type].heapIndex,
                 "callback %u: %u allocations of %llu bytes, heap %u", i, reports[i].count[0],
                 (unsigned long long)reports[i].size_B, reports[i].heap);
   vkFreeMemory(device, memory, NULL);
   for (unsigned i = 0; i < 2; i++)
      vkt_expect(reports[i].count[VK_DEVICE_MEMORY_REPORT_EVENT_TYPE_FREE_EXT] == 1, "callback %u: %u are freed", i,
                 reports[i].count[VK_DEVICE_MEMORY_REPORT_EVENT_TYPE_FREE_EXT]);
   if (!fails)
      goto done;
   memset(reports, 0, sizeof(reports));
   allocate.allocationSize = vkx->memory.memoryHeaps[vkx->memory.memoryTypes[type].heapIndex].size * 2;
   VkResult result = vkAllocateMemory(device, &allocate, NULL, &memory);
   vkt_expect(result != VK_SUCCESS && reports[0].count[VK_DEVICE_MEMORY_REPORT_EVENT_TYPE_ALLOCATION_FAILED_EXT] == 1,
              "twice a heap: %d, %u reports", result,
              reports[0].count[VK_DEVICE_MEMORY_REPORT_EVENT_TYPE_ALLOCATION_FAILED_EXT]);
done:
   vkDestroyDevice(device, NULL);
}

int
main(int argc, char **argv)
{
   static const struct {
      const char *extension;
      void (*check)(struct vkx *vkx);
   } checks[] = {
      {"VK_EXT_external_memory_host", check_host},
      {"VK_EXT_map_memory_placed", check_placed},
      {"VK_EXT_memory_priority", check_priorities},
   };
   fails = *vkx_option(argc, argv, "--fails", "0") == '1';
   struct vkx vkx = vkt_create("host_memory");
   for (unsigned i = 0; i < sizeof(checks) / sizeof(checks[0]); i++) {
      if (vkt_has(checks[i].extension))
         checks[i].check(&vkx);
      else
         vkt_skip(checks[i].extension);
   }
   if (offers_reports(&vkx))
      check_reports(&vkx);
   else
      vkt_skip("VK_EXT_device_memory_report");
   return vkt_finish(&vkx);
}
