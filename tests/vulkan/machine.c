/* What the device says of the machine: its DRM nodes, its place on the bus, memory in use, clocks; and queues of
 * other priorities, which the kernel may refuse. */
#include <string.h>
#include <sys/stat.h>
#include <sys/sysmacros.h>
#include <time.h>

#include "vkt.h"

static void
fill_properties(struct vkx *vkx, void *chain)
{
   VkPhysicalDeviceProperties2 properties = {.sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_PROPERTIES_2, .pNext = chain};
   vkGetPhysicalDeviceProperties2(vkx->physical, &properties);
}

/* The model has one device. */
static void
check_nodes(struct vkx *vkx)
{
   VkPhysicalDeviceDrmPropertiesEXT drm = {.sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_DRM_PROPERTIES_EXT};
   struct stat at;
   fill_properties(vkx, &drm);
   if (vkt_expect(drm.hasRender && !stat("/dev/dri/renderD128", &at), "a render node"))
      vkt_expect(drm.renderMajor == major(at.st_rdev) && drm.renderMinor == minor(at.st_rdev), "renderer %lld:%lld",
                 (long long)drm.renderMajor, (long long)drm.renderMinor);
   if (drm.hasPrimary && vkt_expect(!stat("/dev/dri/card0", &at), "a primary node"))
      vkt_expect(drm.primaryMajor == major(at.st_rdev) && drm.primaryMinor == minor(at.st_rdev),
                 "primary node %lld:%lld", (long long)drm.primaryMajor, (long long)drm.primaryMinor);
}

static void
check_bus(struct vkx *vkx)
{
   VkPhysicalDevicePCIBusInfoPropertiesEXT pci = {.sType =
                                                     VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_PCI_BUS_INFO_PROPERTIES_EXT};
   pci.pciBus = 0xbad;
   fill_properties(vkx, &pci);
   vkt_expect(pci.pciDomain <= 0xffff && pci.pciBus <= 255 && pci.pciDevice <= 31 && pci.pciFunction <= 7,
              "PCI %x:%x:%x.%x", pci.pciDomain, pci.pciBus, pci.pciDevice, pci.pciFunction);
}

/* ---- memory ---- */

static VkPhysicalDeviceMemoryBudgetPropertiesEXT
budget_of(struct vkx *vkx)
{
   VkPhysicalDeviceMemoryBudgetPropertiesEXT budget = {
      .sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_MEMORY_BUDGET_PROPERTIES_EXT};
   VkPhysicalDeviceMemoryProperties2 memory = {.sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_MEMORY_PROPERTIES_2,
                                               .pNext = &budget};
   memset(budget.heapUsage, 0xcc, sizeof(budget.heapUsage));
   vkGetPhysicalDeviceMemoryProperties2(vkx->physical, &memory);
   return budget;
}

static void
check_budget(struct vkx *vkx)
{
   enum { SIZE_B = 8 << 20 };
   for (uint32_t type = 0; type < vkx->memory.memoryTypeCount; type++) {
      const uint32_t heap = vkx->memory.memoryTypes[type].heapIndex;
      const VkMemoryAllocateInfo info = {
         .sType = VK_STRUCTURE_TYPE_MEMORY_ALLOCATE_INFO, .allocationSize = SIZE_B, .memoryTypeIndex = type};
      VkDeviceMemory memory;
      const VkPhysicalDeviceMemoryBudgetPropertiesEXT before = budget_of(vkx);
      if (vkAllocateMemory(vkx->device, &info, NULL, &memory) != VK_SUCCESS)
         continue; /* protected, say */
      const VkPhysicalDeviceMemoryBudgetPropertiesEXT with = budget_of(vkx);
      vkFreeMemory(vkx->device, memory, NULL);
      const VkPhysicalDeviceMemoryBudgetPropertiesEXT after = budget_of(vkx);
      vkt_expect(with.heapUsage[heap] - before.heapUsage[heap] >= SIZE_B, "type %u: %llu bytes more are in use", type,
                 (unsigned long long)(with.heapUsage[heap] - before.heapUsage[heap]));
      vkt_expect(after.heapUsage[heap] < with.heapUsage[heap], "type %u: fewer are in use", type);
      vkt_expect(with.heapBudget[heap] >= with.heapUsage[heap] &&
                    with.heapBudget[heap] <= vkx->memory.memoryHeaps[heap].size,
                 "type %u: a budget of %llu", type, (unsigned long long)with.heapBudget[heap]);
   }
   const VkPhysicalDeviceMemoryBudgetPropertiesEXT budget = budget_of(vkx);
   for (uint32_t heap = vkx->memory.memoryHeapCount; heap < VK_MAX_MEMORY_HEAPS; heap++)
      vkt_expect(!budget.heapBudget[heap] && !budget.heapUsage[heap], "heap %u is not there", heap);
}

/* ---- clocks ---- */

static uint64_t
monotonic_ns(void)
{
   struct timespec now;
   clock_gettime(CLOCK_MONOTONIC, &now);
   return (uint64_t)now.tv_sec * 1000000000u + (uint64_t)now.tv_nsec;
}

static void
check_clocks(struct vkx *vkx)
{
   PFN_vkGetPhysicalDeviceCalibrateableTimeDomainsEXT get_domains =
      (PFN_vkGetPhysicalDeviceCalibrateableTimeDomainsEXT)vkGetInstanceProcAddr(
         vkx->instance, "vkGetPhysicalDeviceCalibrateableTimeDomainsEXT");
   PFN_vkGetCalibratedTimestampsEXT get = VKT_PROC(vkx, vkGetCalibratedTimestampsEXT);
   VkTimeDomainEXT domains[8];
   VkCalibratedTimestampInfoEXT infos[8];
   uint64_t first[8], second[8], deviation_ns = 0;
   uint32_t all = 8, count = 0;
   vkx_check(get_domains(vkx->physical, &all, domains), "time domains");
   for (uint32_t i = 0; i < all; i++) {
      if (domains[i] > VK_TIME_DOMAIN_CLOCK_MONOTONIC_RAW_EXT)
         continue; /* of a swapchain, say */
      domains[count] = domains[i];
      infos[count++] = (VkCalibratedTimestampInfoEXT){.sType = VK_STRUCTURE_TYPE_CALIBRATED_TIMESTAMP_INFO_EXT,
                                                      .timeDomain = domains[i]};
   }
   vkx_check(get(vkx->device, count, infos, first, &deviation_ns), "vkGetCalibratedTimestampsEXT");
   const uint64_t before_ns = monotonic_ns();
   vkx_check(get(vkx->device, count, infos, second, &deviation_ns), "vkGetCalibratedTimestampsEXT");
   const uint64_t after_ns = monotonic_ns();
   bool device = false;
   for (uint32_t i = 0; i < count; i++) {
      device |= domains[i] == VK_TIME_DOMAIN_DEVICE_EXT;
      vkt_expect(second[i] >= first[i], "domain %u goes back", domains[i]);
      if (domains[i] == VK_TIME_DOMAIN_CLOCK_MONOTONIC_EXT)
         vkt_expect(second[i] >= before_ns && second[i] <= after_ns, "CLOCK_MONOTONIC");
   }
   vkt_expect(device, "the device's clock");
   vkt_expect(deviation_ns > 0 && deviation_ns < UINT64_C(60000000000), "deviation %llu ns",
              (unsigned long long)deviation_ns);
}

/* ---- priorities ---- */

static void
check_priority(struct vkx *vkx, VkQueueGlobalPriorityEXT global)
{
   const float priority = 1;
   const VkDeviceQueueGlobalPriorityCreateInfoEXT asked = {
      .sType = VK_STRUCTURE_TYPE_DEVICE_QUEUE_GLOBAL_PRIORITY_CREATE_INFO_EXT, .globalPriority = global};
   const VkDeviceQueueCreateInfo queue = {.sType = VK_STRUCTURE_TYPE_DEVICE_QUEUE_CREATE_INFO,
                                          .pNext = &asked,
                                          .queueCount = 1,
                                          .pQueuePriorities = &priority};
   static const char *const name = "VK_EXT_global_priority";
   const VkDeviceCreateInfo info = {.sType = VK_STRUCTURE_TYPE_DEVICE_CREATE_INFO,
                                    .queueCreateInfoCount = 1,
                                    .pQueueCreateInfos = &queue,
                                    .enabledExtensionCount = 1,
                                    .ppEnabledExtensionNames = &name};
   VkDevice device = VK_NULL_HANDLE;
   const VkResult result = vkCreateDevice(vkx->physical, &info, NULL, &device);
   /* The kernel of the model gives the higher ones to nobody. */
   const bool may_fail = global > VK_QUEUE_GLOBAL_PRIORITY_MEDIUM_EXT;
   vkt_expect(result == VK_SUCCESS || (may_fail && result == VK_ERROR_NOT_PERMITTED_EXT), "priority %u: %d", global,
              result);
   if (result == VK_SUCCESS)
      vkDestroyDevice(device, NULL);
}

static void
check_priorities(struct vkx *vkx)
{
   VkQueueFamilyGlobalPriorityPropertiesEXT priorities[8];
   VkQueueFamilyProperties2 families[8];
   uint32_t count = 8;
   for (unsigned i = 0; i < 8; i++) {
      priorities[i] = (VkQueueFamilyGlobalPriorityPropertiesEXT){
         .sType = VK_STRUCTURE_TYPE_QUEUE_FAMILY_GLOBAL_PRIORITY_PROPERTIES_EXT};
      families[i] =
         (VkQueueFamilyProperties2){.sType = VK_STRUCTURE_TYPE_QUEUE_FAMILY_PROPERTIES_2, .pNext = &priorities[i]};
   }
   vkGetPhysicalDeviceQueueFamilyProperties2(vkx->physical, &count, families);
   for (uint32_t i = 0; i < count; i++) {
      bool medium = false;
      for (uint32_t j = 0; j < priorities[i].priorityCount; j++) {
         medium |= priorities[i].priorities[j] == VK_QUEUE_GLOBAL_PRIORITY_MEDIUM_EXT;
         if (i == 0)
            check_priority(vkx, priorities[i].priorities[j]);
      }
      vkt_expect(medium && priorities[i].priorityCount <= VK_MAX_GLOBAL_PRIORITY_SIZE_EXT, "priorities of family %u",
                 i);
   }
}

int
main(void)
{
   static const struct {
      const char *extension;
      void (*check)(struct vkx *vkx);
   } checks[] = {
      {"VK_EXT_physical_device_drm", check_nodes},
      {"VK_EXT_pci_bus_info", check_bus},
      {"VK_EXT_memory_budget", check_budget},
      {"VK_EXT_calibrated_timestamps", check_clocks},
      {"VK_EXT_global_priority_query", check_priorities},
   };
   struct vkx vkx = vkt_create("machine");
   for (unsigned i = 0; i < sizeof(checks) / sizeof(checks[0]); i++) {
      if (vkt_has(checks[i].extension))
         checks[i].check(&vkx);
      else
         vkt_skip(checks[i].extension);
   }
   return vkt_finish(&vkx);
}
