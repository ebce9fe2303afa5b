/* Memory that the processor maps, of every type: by vkMapMemory and by VK_KHR_map_memory2, at offsets, again after it
 * was unmapped by either. What the GPU wrote is there, and what the processor wrote through one mapping is there in
 * the next. Pages of placed mappings stay reserved if vkUnmapMemory2 says so, and else are anybody's. */
#include <errno.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#include "vkt.h"

#define SIZE_B 65536
#define OFFSETS 6

static PFN_vkMapMemory2KHR map_2;
static PFN_vkUnmapMemory2KHR unmap_2;

static uint32_t *
map(struct vkx *vkx, VkDeviceMemory memory, bool second, VkDeviceSize offset_B, VkDeviceSize size_B)
{
   const VkMemoryMapInfoKHR info = {
      .sType = VK_STRUCTURE_TYPE_MEMORY_MAP_INFO_KHR, .memory = memory, .offset = offset_B, .size = size_B};
   void *words = NULL;
   const VkResult result =
      second ? map_2(vkx->device, &info, &words) : vkMapMemory(vkx->device, memory, offset_B, size_B, 0, &words);
   const bool ok = vkt_expect(result == VK_SUCCESS, "%s: %d", second ? "vkMapMemory2KHR" : "vkMapMemory", result);
   return ok ? words : NULL;
}

static void
unmap(struct vkx *vkx, VkDeviceMemory memory, bool second)
{
   const VkMemoryUnmapInfoKHR info = {.sType = VK_STRUCTURE_TYPE_MEMORY_UNMAP_INFO_KHR, .memory = memory};
   if (second)
      vkt_expect(unmap_2(vkx->device, &info) == VK_SUCCESS, "vkUnmapMemory2KHR");
   else
      vkUnmapMemory(vkx->device, memory);
}

/* Words hold what the GPU filled in, or what an earlier mapping wrote. */
static void
check_type(struct vkx *vkx, uint32_t type)
{
   const VkMemoryAllocateInfo info = {
      .sType = VK_STRUCTURE_TYPE_MEMORY_ALLOCATE_INFO, .allocationSize = SIZE_B, .memoryTypeIndex = type};
   VkDeviceMemory memory;
   VkBuffer buffer;
   const VkBufferCreateInfo buffer_info = {
      .sType = VK_STRUCTURE_TYPE_BUFFER_CREATE_INFO, .size = SIZE_B, .usage = VK_BUFFER_USAGE_TRANSFER_DST_BIT};
   VkMemoryRequirements needs;
   vkx_check(vkCreateBuffer(vkx->device, &buffer_info, NULL, &buffer), "vkCreateBuffer");
   vkGetBufferMemoryRequirements(vkx->device, buffer, &needs);
   if (!(needs.memoryTypeBits >> type & 1)) {
      vkDestroyBuffer(vkx->device, buffer, NULL);
      return;
   }
   vkx_check(vkAllocateMemory(vkx->device, &info, NULL, &memory), "vkAllocateMemory");
   vkx_check(vkBindBufferMemory(vkx->device, buffer, memory, 0), "vkBindBufferMemory");
   VkCommandBuffer cmd = vkx_begin(vkx);
   vkCmdFillBuffer(cmd, buffer, 0, SIZE_B, 0x5eed0000u + type);
   vkx_memory_barrier(cmd, VK_PIPELINE_STAGE_TRANSFER_BIT, VK_ACCESS_TRANSFER_WRITE_BIT, VK_PIPELINE_STAGE_HOST_BIT,
                      VK_ACCESS_HOST_READ_BIT | VK_ACCESS_HOST_WRITE_BIT);
   vkx_submit_and_wait(vkx, cmd);
   static uint32_t wanted[SIZE_B / 4];
   for (uint32_t i = 0; i < SIZE_B / 4; i++)
      wanted[i] = 0x5eed0000u + type;
   for (unsigned round = 0; round < 4 * OFFSETS; round++) {
      const bool second_map = round & 1, second_unmap = round >> 1 & 1;
      const uint32_t first = round / 4 ? vkt_random_below(SIZE_B / 4 - 64) & ~15u : 0, count = 64;
      uint32_t *words = map(vkx, memory, second_map, first * 4, round / 4 % 2 ? count * 4 : VK_WHOLE_SIZE);
      unsigned wrong = 0;
      for (uint32_t i = 0; words && i < count; i++) {
         wrong += words[i] != wanted[first + i];
         words[i] = wanted[first + i] = vkt_random();
      }
      vkt_expect(!wrong, "type %u, round %u: %u words at %u are wrong", type, round, wrong, first * 4);
      if (words)
         unmap(vkx, memory, second_unmap);
   }
   vkDestroyBuffer(vkx->device, buffer, NULL);
   vkFreeMemory(vkx->device, memory, NULL);
}

/* ---- VK_EXT_map_memory_placed ---- */

/* Do the pages belong to nobody? They then do again. */
static bool
is_free(void *place)
{
   void *got = mmap(place, SIZE_B, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_FIXED_NOREPLACE, -1, 0);
   if (got != MAP_FAILED)
      munmap(got, SIZE_B);
   return got == place;
}

/* Can the processor read there? The kernel reads in its place. */
static bool
is_readable(const void *place)
{
   int ends[2];
   if (pipe(ends))
      return false;
   const bool readable = write(ends[1], place, 1) == 1;
   close(ends[0]);
   close(ends[1]);
   return readable;
}

static bool
map_at(struct vkx *vkx, VkDeviceMemory memory, void *place)
{
   const VkMemoryMapPlacedInfoEXT placed = {.sType = VK_STRUCTURE_TYPE_MEMORY_MAP_PLACED_INFO_EXT,
                                            .pPlacedAddress = place};
   const VkMemoryMapInfoKHR info = {.sType = VK_STRUCTURE_TYPE_MEMORY_MAP_INFO_KHR,
                                    .pNext = &placed,
                                    .flags = VK_MEMORY_MAP_PLACED_BIT_EXT,
                                    .memory = memory,
                                    .size = VK_WHOLE_SIZE};
   void *got = NULL;
   const VkResult result = map_2(vkx->device, &info, &got);
   return vkt_expect(result == VK_SUCCESS && got == place, "a placed mapping: %d", result);
}

static void
test_reserved(struct vkx *vkx, uint32_t type)
{
   const VkMemoryAllocateInfo info = {
      .sType = VK_STRUCTURE_TYPE_MEMORY_ALLOCATE_INFO, .allocationSize = SIZE_B, .memoryTypeIndex = type};
   VkDeviceMemory memory;
   vkx_check(vkAllocateMemory(vkx->device, &info, NULL, &memory), "vkAllocateMemory");
   VkMemoryUnmapInfoKHR unmap_info = {.sType = VK_STRUCTURE_TYPE_MEMORY_UNMAP_INFO_KHR, .memory = memory};
   char *place = mmap(NULL, SIZE_B, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
   for (unsigned round = 0; round < 4 && map_at(vkx, memory, place); round++) {
      const bool reserve = !(round & 1);
      vkt_expect(!round || place[5] == (char)round, "type %u: what was written is not there", type);
      place[5] = (char)(round + 1);
      unmap_info.flags = reserve ? VK_MEMORY_UNMAP_RESERVE_BIT_EXT : 0;
      vkt_expect(unmap_2(vkx->device, &unmap_info) == VK_SUCCESS, "vkUnmapMemory2KHR");
      vkt_expect(!is_readable(place), "type %u: unmapped pages are readable", type);
      vkt_expect(is_free(place) != reserve, "type %u: pages are %s", type, reserve ? "not reserved" : "reserved");
   }
   vkFreeMemory(vkx->device, memory, NULL);
   munmap(place, SIZE_B);
}

static bool
reserves(struct vkx *vkx)
{
   VkPhysicalDeviceMapMemoryPlacedFeaturesEXT placed = {
      .sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_MAP_MEMORY_PLACED_FEATURES_EXT};
   VkPhysicalDeviceFeatures2 features = {.sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_FEATURES_2, .pNext = &placed};
   if (vkt_has("VK_EXT_map_memory_placed"))
      vkGetPhysicalDeviceFeatures2(vkx->physical, &features);
   return placed.memoryMapPlaced && placed.memoryUnmapReserve;
}

int
main(void)
{
   const VkMemoryPropertyFlags flags = VK_MEMORY_PROPERTY_HOST_VISIBLE_BIT | VK_MEMORY_PROPERTY_HOST_COHERENT_BIT;
   struct vkx vkx = vkt_create("mappings");
   if (!vkt_has("VK_KHR_map_memory2")) {
      vkt_skip("VK_KHR_map_memory2");
      return vkt_finish(&vkx);
   }
   map_2 = VKT_PROC(&vkx, vkMapMemory2KHR);
   unmap_2 = VKT_PROC(&vkx, vkUnmapMemory2KHR);
   if (vkt_expect(map_2 && unmap_2, "the commands of VK_KHR_map_memory2")) {
      for (uint32_t i = 0; i < vkx.memory.memoryTypeCount; i++) {
         if ((vkx.memory.memoryTypes[i].propertyFlags & flags) == flags)
            check_type(&vkx, i);
      }
   }
   if (!reserves(&vkx))
      vkt_skip("memoryUnmapReserve");
   for (uint32_t i = 0; i < vkx.memory.memoryTypeCount && reserves(&vkx); i++) {
      if ((vkx.memory.memoryTypes[i].propertyFlags & flags) == flags)
         test_reserved(&vkx, i);
   }
   return vkt_finish(&vkx);
}
