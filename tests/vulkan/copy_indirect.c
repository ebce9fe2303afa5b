/* VK_KHR_copy_memory_indirect: copies that a dispatch before, or the processor, has described in memory. */
#include <string.h>

#include "vkt.h"

enum { COPIES = 21, STRIDE_B = 40, BUFFER_B = 1 << 20, NOTHING = 0x11 };

static struct vkx *vkx;

struct piece {
   uint32_t from_B, to_B, size_B;
};

static struct vkx_buffer
buffer_create(VkDeviceSize size_B, int fill)
{
   struct vkx_buffer buffer = {.size = size_B};
   const VkBufferCreateInfo info = {.sType = VK_STRUCTURE_TYPE_BUFFER_CREATE_INFO,
                                    .size = size_B,
                                    .usage = VK_BUFFER_USAGE_TRANSFER_SRC_BIT | VK_BUFFER_USAGE_TRANSFER_DST_BIT |
                                             VK_BUFFER_USAGE_INDIRECT_BUFFER_BIT |
                                             VK_BUFFER_USAGE_SHADER_DEVICE_ADDRESS_BIT};
   vkx_check(vkCreateBuffer(vkx->device, &info, NULL, &buffer.buffer), "vkCreateBuffer");
   VkMemoryRequirements needs;
   vkGetBufferMemoryRequirements(vkx->device, buffer.buffer, &needs);
   const VkMemoryPropertyFlags wanted = VK_MEMORY_PROPERTY_HOST_VISIBLE_BIT | VK_MEMORY_PROPERTY_HOST_COHERENT_BIT;
   uint32_t type = 0;
   while (!(needs.memoryTypeBits >> type & 1) || (vkx->memory.memoryTypes[type].propertyFlags & wanted) != wanted)
      type++;
   const VkMemoryAllocateFlagsInfo flags = {.sType = VK_STRUCTURE_TYPE_MEMORY_ALLOCATE_FLAGS_INFO,
                                            .flags = VK_MEMORY_ALLOCATE_DEVICE_ADDRESS_BIT};
   const VkMemoryAllocateInfo allocate = {.sType = VK_STRUCTURE_TYPE_MEMORY_ALLOCATE_INFO,
                                          .pNext = &flags,
                                          .allocationSize = needs.size,
                                          .memoryTypeIndex = type};
   vkx_check(vkAllocateMemory(vkx->device, &allocate, NULL, &buffer.memory), "vkAllocateMemory");
   vkx_check(vkBindBufferMemory(vkx->device, buffer.buffer, buffer.memory, 0), "vkBindBufferMemory");
   vkx_check(vkMapMemory(vkx->device, buffer.memory, 0, VK_WHOLE_SIZE, 0, &buffer.map), "vkMapMemory");
   memset(buffer.map, fill, size_B);
   return buffer;
}

/* Pieces that do not meet: nothing, a word, up to many; the last is the rest. */
static void
choose(struct piece pieces[COPIES])
{
   uint32_t to_B = 64;
   for (unsigned i = 0; i < COPIES; i++) {
      const uint32_t words = i < 2 ? i : i + 1 < COPIES ? vkt_random_below(1 << (i % 12)) : 150000;
      pieces[i] = (struct piece){4 * vkt_random_below(BUFFER_B / 4 - words), to_B, 4 * words};
      to_B += 4 * words + 4 * vkt_random_below(9);
   }
   vkt_expect(to_B <= BUFFER_B, "pieces end at %u", to_B);
}

static void
describe(const struct piece *pieces, uint64_t from, uint64_t to, char *commands)
{
   for (unsigned i = 0; i < COPIES; i++) {
      const VkCopyMemoryIndirectCommandKHR command = {from + pieces[i].from_B, to + pieces[i].to_B, pieces[i].size_B};
      memcpy(commands + i * STRIDE_B, &command, sizeof(command));
   }
}

/* upload: the commands come to their place by a copy of the same command buffer. */
static void
check(bool upload)
{
   struct vkx_buffer from = buffer_create(BUFFER_B, 0), to = buffer_create(BUFFER_B, NOTHING);
   struct vkx_buffer first = buffer_create(COPIES * STRIDE_B, 0), commands = buffer_create(COPIES * STRIDE_B, 0);
   const VkCopyMemoryIndirectInfoKHR info = {
      .sType = VK_STRUCTURE_TYPE_COPY_MEMORY_INDIRECT_INFO_KHR,
      .copyCount = COPIES,
      .copyAddressRange = {vkt_address(vkx, &commands), COPIES * STRIDE_B, STRIDE_B}};
   const VkBufferCopy whole = {0, 0, COPIES * STRIDE_B};
   struct piece pieces[COPIES];
   static uint8_t expected[BUFFER_B];
   for (uint32_t i = 0; i < BUFFER_B / 4; i++)
      ((uint32_t *)from.map)[i] = vkt_random();
   choose(pieces);
   describe(pieces, vkt_address(vkx, &from), vkt_address(vkx, &to), upload ? first.map : commands.map);
   memset(expected, NOTHING, BUFFER_B);
   for (unsigned i = 0; i < COPIES; i++)
      memcpy(expected + pieces[i].to_B, (const char *)from.map + pieces[i].from_B, pieces[i].size_B);
   VkCommandBuffer cmd = vkx_begin(vkx);
   if (upload) {
      vkCmdCopyBuffer(cmd, first.buffer, commands.buffer, 1, &whole);
      vkt_barrier(cmd);
   }
   VKT_PROC(vkx, vkCmdCopyMemoryIndirectKHR)(cmd, &info);
   vkt_barrier(cmd);
   vkx_submit_and_wait(vkx, cmd);
   uint32_t wrong = BUFFER_B;
   for (uint32_t i = BUFFER_B; i-- > 0;)
      wrong = ((const uint8_t *)to.map)[i] != expected[i] ? i : wrong;
   vkt_expect(wrong == BUFFER_B, "%s: byte %u is %02x, not %02x", upload ? "uploaded commands" : "commands", wrong,
              ((const uint8_t *)to.map)[wrong % BUFFER_B], expected[wrong % BUFFER_B]);
   vkx_buffer_destroy(vkx, &from);
   vkx_buffer_destroy(vkx, &to);
   vkx_buffer_destroy(vkx, &first);
   vkx_buffer_destroy(vkx, &commands);
}

int
main(void)
{
   struct vkx device = vkt_create("copy_indirect");
   vkx = &device;
   if (!vkt_has("VK_KHR_copy_memory_indirect")) {
      vkt_skip("VK_KHR_copy_memory_indirect");
      vkt_expect(true, "nothing");
      return vkt_finish(vkx);
   }
   check(false);
   check(true);
   return vkt_finish(vkx);
}
