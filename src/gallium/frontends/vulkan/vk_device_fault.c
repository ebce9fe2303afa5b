/* VK_EXT_device_fault: what the kernel tells of a lost device. It knows an address and whether something was written
 * there; the rest of the story is in its own log, which drivers cannot read. */
#include <stdio.h>

#include "gallium/frontends/vulkan/vk_private.h"

static bool
find_fault(struct vk_device *device, struct pipe_fault *fault)
{
   return device->screen->last_fault && device->screen->last_fault(device->screen, fault);
}

VKAPI_ATTR VkResult VKAPI_CALL
indium_GetDeviceFaultInfoEXT(VkDevice _device, VkDeviceFaultCountsEXT *pFaultCounts, VkDeviceFaultInfoEXT *pFaultInfo)
{
   VK_FROM(vk_device, device, _device);
   struct pipe_fault fault;
   const uint32_t room = pFaultInfo && pFaultInfo->pAddressInfos ? pFaultCounts->addressInfoCount : 0;
   const bool found = find_fault(device, &fault);
   pFaultCounts->vendorInfoCount = 0;
   pFaultCounts->vendorBinarySize = 0;
   pFaultCounts->addressInfoCount = pFaultInfo && !room ? 0 : found;
   if (!pFaultInfo)
      return VK_SUCCESS;
   if (!found) {
      snprintf(pFaultInfo->description, sizeof(pFaultInfo->description), "%s",
               vk_device_lost(device)
                  ? "The kernel reset the context, and tells no more: a hang, or what its log says"
                  : "The device is not lost");
      return VK_SUCCESS;
   }
   snprintf(pFaultInfo->description, sizeof(pFaultInfo->description), "A page fault of the GPU: %s at 0x%llx (%s)",
            fault.writes ? "a write" : "a read", (unsigned long long)fault.address, fault.source);
   if (room)
      pFaultInfo->pAddressInfos[0] = (VkDeviceFaultAddressInfoEXT){
         .addressType = fault.writes ? VK_DEVICE_FAULT_ADDRESS_TYPE_WRITE_INVALID_EXT
                                     : VK_DEVICE_FAULT_ADDRESS_TYPE_READ_INVALID_EXT,
         .reportedAddress = fault.address,
         .addressPrecision = fault.page_B,
      };
   return room ? VK_SUCCESS : VK_INCOMPLETE;
}
