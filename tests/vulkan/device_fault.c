/* VK_EXT_device_fault: which address a shader read or wrote that has no memory, by a device for each. The program
 * ends what it broke: the model loses the context. */
#include <stdio.h>
#include <string.h>

#include "vkt.h"

static const uint32_t code[] = {
#include "faults.comp.inc"
};

struct push {
   uint64_t at, to;
   uint32_t writes;
};

/* Dispatches and waits; whatever comes of it. */
static VkResult
run(struct vkx *vkx, VkPipelineLayout layout, VkPipeline pipeline, struct push push)
{
   const VkCommandBufferAllocateInfo info = {VK_STRUCTURE_TYPE_COMMAND_BUFFER_ALLOCATE_INFO, NULL, vkx->pool,
                                             VK_COMMAND_BUFFER_LEVEL_PRIMARY, 1};
   const VkCommandBufferBeginInfo begin = {.sType = VK_STRUCTURE_TYPE_COMMAND_BUFFER_BEGIN_INFO};
   VkCommandBuffer cmd;
   vkx_check(vkAllocateCommandBuffers(vkx->device, &info, &cmd), "vkAllocateCommandBuffers");
   vkx_check(vkBeginCommandBuffer(cmd, &begin), "vkBeginCommandBuffer");
   vkCmdBindPipeline(cmd, VK_PIPELINE_BIND_POINT_COMPUTE, pipeline);
   vkCmdPushConstants(cmd, layout, VK_SHADER_STAGE_COMPUTE_BIT, 0, sizeof(push), &push);
   vkCmdDispatch(cmd, 1, 1, 1);
   vkx_check(vkEndCommandBuffer(cmd), "vkEndCommandBuffer");
   const VkSubmitInfo submit = {
      .sType = VK_STRUCTURE_TYPE_SUBMIT_INFO, .commandBufferCount = 1, .pCommandBuffers = &cmd};
   VkResult result = vkQueueSubmit(vkx->queue, 1, &submit, VK_NULL_HANDLE);
   if (result == VK_SUCCESS)
      result = vkQueueWaitIdle(vkx->queue);
   if (result == VK_SUCCESS)
      result = vkDeviceWaitIdle(vkx->device);
   if (result == VK_SUCCESS)
      result = vkQueueSubmit(vkx->queue, 1, &submit, VK_NULL_HANDLE); /* some drivers tell now */
   return result;
}

/* Behind the last byte of a buffer that has gone. */
static uint64_t
nowhere(struct vkx *vkx)
{
   struct vkx_buffer buffer = vkt_addressed_create(vkx, 1 << 20, 0);
   const uint64_t address = vkt_address(vkx, &buffer);
   vkx_buffer_destroy(vkx, &buffer);
   return address + 0x12344;
}

static void
check(bool writes)
{
   struct vkx vkx = vkt_create("device_fault");
   PFN_vkGetDeviceFaultInfoEXT get = VKT_PROC(&vkx, vkGetDeviceFaultInfoEXT);
   VkDeviceFaultCountsEXT counts = {.sType = VK_STRUCTURE_TYPE_DEVICE_FAULT_COUNTS_EXT};
   VkDeviceFaultAddressInfoEXT address = {0};
   VkDeviceFaultInfoEXT info = {.sType = VK_STRUCTURE_TYPE_DEVICE_FAULT_INFO_EXT, .pAddressInfos = &address};
   VkPipelineLayout layout =
      vkx_pipeline_layout_create(&vkx, VK_NULL_HANDLE, VK_SHADER_STAGE_COMPUTE_BIT, sizeof(struct push));
   VkPipeline pipeline = vkx_compute_pipeline_create(&vkx, layout, vkx_shader_create(&vkx, code, sizeof(code)));
   struct vkx_buffer to = vkt_addressed_create(&vkx, 4, 0);
   const struct push push = {nowhere(&vkx), vkt_address(&vkx, &to), writes};
   VkResult result = run(&vkx, layout, pipeline, push);
   vkt_expect(result == VK_ERROR_DEVICE_LOST, "%s: %d", writes ? "a write" : "a read", result);
   result = get(vkx.device, &counts, NULL);
   vkt_expect(result == VK_SUCCESS && counts.addressInfoCount == 1, "counts: %d, %u addresses", result,
              counts.addressInfoCount);
   counts.vendorInfoCount = 0;
   counts.vendorBinarySize = 0;
   result = get(vkx.device, &counts, &info);
   vkt_expect(result == VK_SUCCESS && counts.addressInfoCount == 1 && *info.description, "info: %d, %u addresses",
              result, counts.addressInfoCount);
   const uint64_t page = push.at & ~(address.addressPrecision - 1) & UINT64_C(0xffffffffffff);
   vkt_expect((address.reportedAddress & ~(address.addressPrecision - 1) & UINT64_C(0xffffffffffff)) == page,
              "0x%llx by 0x%llx, not 0x%llx", (unsigned long long)address.reportedAddress,
              (unsigned long long)address.addressPrecision, (unsigned long long)push.at);
   vkt_expect(address.addressType == (writes ? VK_DEVICE_FAULT_ADDRESS_TYPE_WRITE_INVALID_EXT
                                             : VK_DEVICE_FAULT_ADDRESS_TYPE_READ_INVALID_EXT),
              "type %d", address.addressType);
   printf("%s\n", info.description);
}

int
main(void)
{
   check(true);
   check(false);
   struct vkx vkx = vkt_create("device_fault");
   VkDeviceFaultCountsEXT counts = {.sType = VK_STRUCTURE_TYPE_DEVICE_FAULT_COUNTS_EXT};
   PFN_vkGetDeviceFaultInfoEXT get = VKT_PROC(&vkx, vkGetDeviceFaultInfoEXT);
   vkt_expect(get(vkx.device, &counts, NULL) == VK_SUCCESS && !counts.vendorInfoCount && !counts.vendorBinarySize,
              "a device that works");
   return vkt_finish(&vkx);
}
