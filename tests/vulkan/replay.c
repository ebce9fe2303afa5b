/* bufferDeviceAddressCaptureReplay: memory and sparse buffers get the address that they had, as long as nothing else
 * has it; what asks for none does not take it. */
#include <string.h>

#include "vkt.h"

enum { SIZE_B = 1 << 20, OFFSET_B = 1 << 16, GUARD_B = 1 << 14, OTHERS = 24, WORD = 0x1234abcd };

static struct vkx *vkx;
/* Honeykrisp binds its guard page, too, so that memory must go on after a buffer; only buffers have addresses to
 * capture, others may take them, and then there is no code that says so (found.md). */
static bool honeykrisp;

struct placed {
   VkBuffer buffer;
   VkDeviceMemory memory;
   uint64_t memory_address, buffer_address;
   VkResult result;
};

static VkBuffer
buffer_create(VkBufferCreateFlags flags, uint64_t address, VkResult *result)
{
   const VkBufferOpaqueCaptureAddressCreateInfo wanted = {
      .sType = VK_STRUCTURE_TYPE_BUFFER_OPAQUE_CAPTURE_ADDRESS_CREATE_INFO, .opaqueCaptureAddress = address};
   const VkBufferCreateInfo info = {.sType = VK_STRUCTURE_TYPE_BUFFER_CREATE_INFO,
                                    .pNext = address ? &wanted : NULL,
                                    .flags = VK_BUFFER_CREATE_DEVICE_ADDRESS_CAPTURE_REPLAY_BIT | flags,
                                    .size = SIZE_B,
                                    .usage = VK_BUFFER_USAGE_SHADER_DEVICE_ADDRESS_BIT |
                                             VK_BUFFER_USAGE_TRANSFER_DST_BIT | VK_BUFFER_USAGE_STORAGE_BUFFER_BIT};
   VkBuffer buffer = VK_NULL_HANDLE;
   *result = vkCreateBuffer(vkx->device, &info, NULL, &buffer);
   return buffer;
}

static uint64_t
buffer_address(VkBuffer buffer, bool opaque)
{
   const VkBufferDeviceAddressInfo info = {.sType = VK_STRUCTURE_TYPE_BUFFER_DEVICE_ADDRESS_INFO, .buffer = buffer};
   return opaque ? VKT_PROC(vkx, vkGetBufferOpaqueCaptureAddressKHR)(vkx->device, &info)
                 : VKT_PROC(vkx, vkGetBufferDeviceAddressKHR)(vkx->device, &info);
}

static uint32_t
visible_type(uint32_t bits)
{
   const VkMemoryPropertyFlags wanted = VK_MEMORY_PROPERTY_HOST_VISIBLE_BIT | VK_MEMORY_PROPERTY_HOST_COHERENT_BIT;
   uint32_t type = 0;
   while (!(bits >> type & 1) || (vkx->memory.memoryTypes[type].propertyFlags & wanted) != wanted)
      type++;
   return type;
}

/* A buffer in the middle of memory. before: as which it is to be placed, or NULL. */
static struct placed
place(const struct placed *before)
{
   struct placed p = {0};
   p.buffer = buffer_create(0, before ? before->buffer_address : 0, &p.result);
   vkx_check(p.result, "vkCreateBuffer");
   VkMemoryRequirements needs;
   vkGetBufferMemoryRequirements(vkx->device, p.buffer, &needs);
   const VkMemoryOpaqueCaptureAddressAllocateInfo wanted = {
      .sType = VK_STRUCTURE_TYPE_MEMORY_OPAQUE_CAPTURE_ADDRESS_ALLOCATE_INFO,
      .opaqueCaptureAddress = before ? before->memory_address : 0};
   const VkMemoryAllocateFlagsInfo flags = {.sType = VK_STRUCTURE_TYPE_MEMORY_ALLOCATE_FLAGS_INFO,
                                            .pNext = &wanted,
                                            .flags = VK_MEMORY_ALLOCATE_DEVICE_ADDRESS_BIT |
                                                     VK_MEMORY_ALLOCATE_DEVICE_ADDRESS_CAPTURE_REPLAY_BIT};
   const VkMemoryAllocateInfo info = {.sType = VK_STRUCTURE_TYPE_MEMORY_ALLOCATE_INFO,
                                      .pNext = &flags,
                                      .allocationSize = needs.size + OFFSET_B + (honeykrisp ? GUARD_B : 0),
                                      .memoryTypeIndex = visible_type(needs.memoryTypeBits)};
   p.result = vkAllocateMemory(vkx->device, &info, NULL, &p.memory);
   if (p.result != VK_SUCCESS)
      return p;
   vkx_check(vkBindBufferMemory(vkx->device, p.buffer, p.memory, OFFSET_B), "vkBindBufferMemory");
   const VkDeviceMemoryOpaqueCaptureAddressInfo of = {
      .sType = VK_STRUCTURE_TYPE_DEVICE_MEMORY_OPAQUE_CAPTURE_ADDRESS_INFO, .memory = p.memory};
   p.memory_address = VKT_PROC(vkx, vkGetDeviceMemoryOpaqueCaptureAddressKHR)(vkx->device, &of);
   p.buffer_address = buffer_address(p.buffer, false);
   vkt_expect((p.memory_address || honeykrisp) && buffer_address(p.buffer, true),
              "memory and buffer have an address to capture");
   return p;
}

static void
release(struct placed *p)
{
   vkDestroyBuffer(vkx->device, p->buffer, NULL);
   vkFreeMemory(vkx->device, p->memory, NULL);
}

/* The GPU writes there. */
static void
check_words(const struct placed *p)
{
   void *map;
   vkx_check(vkMapMemory(vkx->device, p->memory, 0, VK_WHOLE_SIZE, 0, &map), "vkMapMemory");
   VkCommandBuffer cmd = vkx_begin(vkx);
   vkCmdFillBuffer(cmd, p->buffer, 0, SIZE_B, WORD);
   vkt_barrier(cmd);
   vkx_submit_and_wait(vkx, cmd);
   const uint32_t *words = (const uint32_t *)((const char *)map + OFFSET_B);
   vkt_expect(words[0] == WORD && words[SIZE_B / 4 - 1] == WORD, "the buffer has %08x to %08x", words[0],
              words[SIZE_B / 4 - 1]);
   vkUnmapMemory(vkx->device, p->memory);
}

static void
test_memory(void)
{
   const unsigned others_count = honeykrisp ? 0 : OTHERS;
   struct vkx_buffer others[OTHERS];
   struct placed first = place(NULL), second = place(NULL);
   vkx_check(first.result, "vkAllocateMemory");
   release(&first);
   release(&second);
   for (unsigned i = 0; i < others_count; i++)
      others[i] = vkt_buffer_create(vkx, SIZE_B, 0);
   struct placed again = place(&second), both = place(&first);
   vkt_expect(again.result == VK_SUCCESS && again.buffer_address == second.buffer_address,
              "a buffer at %#llx, not at %#llx", (unsigned long long)again.buffer_address,
              (unsigned long long)second.buffer_address);
   vkt_expect(both.result == VK_SUCCESS && both.buffer_address == first.buffer_address,
              "another at %#llx, not at %#llx", (unsigned long long)both.buffer_address,
              (unsigned long long)first.buffer_address);
   check_words(&again);
   check_words(&both);
   if (!honeykrisp) {
      struct placed taken = place(&first);
      vkt_expect(taken.result == VK_ERROR_INVALID_OPAQUE_CAPTURE_ADDRESS, "an address that is taken: VkResult %d",
                 taken.result);
      release(&taken);
   }
   release(&again);
   release(&both);
   for (unsigned i = 0; i < others_count; i++)
      vkx_buffer_destroy(vkx, &others[i]);
}

static void
test_sparse(void)
{
   VkResult result;
   if (!vkt_features.sparseBinding)
      return vkt_skip("sparse buffers");
   VkBuffer first = buffer_create(VK_BUFFER_CREATE_SPARSE_BINDING_BIT, 0, &result);
   vkx_check(result, "vkCreateBuffer");
   const uint64_t address = buffer_address(first, true), place = buffer_address(first, false);
   vkDestroyBuffer(vkx->device, first, NULL);
   VkBuffer other = buffer_create(VK_BUFFER_CREATE_SPARSE_BINDING_BIT, 0, &result);
   if (other && buffer_address(other, true) == address) {
      vkDestroyBuffer(vkx->device, other, NULL); /* nothing says that it may not */
      other = VK_NULL_HANDLE;
   }
   VkBuffer again = buffer_create(VK_BUFFER_CREATE_SPARSE_BINDING_BIT, address, &result);
   vkt_expect(result == VK_SUCCESS && buffer_address(again, false) == place, "a sparse buffer at its address");
   VkBuffer taken = buffer_create(VK_BUFFER_CREATE_SPARSE_BINDING_BIT, address, &result);
   vkt_expect((result == VK_ERROR_INVALID_OPAQUE_CAPTURE_ADDRESS || (honeykrisp && result < 0)) && !taken,
              "a sparse buffer where one is: VkResult %d", result);
   vkDestroyBuffer(vkx->device, taken, NULL);
   vkDestroyBuffer(vkx->device, again, NULL);
   vkDestroyBuffer(vkx->device, other, NULL);
}

int
main(int argc, char **argv)
{
   static const char *const names[] = {"--quirks", NULL};
   vkx_expect_options(argc, argv, names, "replay [--quirks honeykrisp]");
   honeykrisp = !strcmp(vkx_option(argc, argv, "--quirks", ""), "honeykrisp");
   struct vkx device = vkt_create("replay");
   vkx = &device;
   VkPhysicalDeviceBufferDeviceAddressFeatures offered = {
      .sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_BUFFER_DEVICE_ADDRESS_FEATURES};
   VkPhysicalDeviceFeatures2 features = {.sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_FEATURES_2, .pNext = &offered};
   vkGetPhysicalDeviceFeatures2(vkx->physical, &features);
   if (!offered.bufferDeviceAddressCaptureReplay) {
      vkt_skip("bufferDeviceAddressCaptureReplay");
      vkt_expect(true, "nothing");
      return vkt_finish(vkx);
   }
   test_memory();
   test_sparse();
   return vkt_finish(vkx);
}
