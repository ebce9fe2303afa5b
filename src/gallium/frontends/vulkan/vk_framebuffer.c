/* Framebuffers. */
#include "gallium/frontends/vulkan/vk_private.h"

VKAPI_ATTR VkResult VKAPI_CALL
indium_CreateFramebuffer(VkDevice _device, const VkFramebufferCreateInfo *pCreateInfo,
                         const VkAllocationCallbacks *pAllocator, VkFramebuffer *pFramebuffer)
{
   VK_FROM(vk_device, device, _device);
   uint32_t count = pCreateInfo->flags & VK_FRAMEBUFFER_CREATE_IMAGELESS_BIT ? 0 : pCreateInfo->attachmentCount;
   struct vk_framebuffer *framebuffer =
      vk_alloc(&device->alloc, pAllocator, sizeof(*framebuffer) + count * sizeof(struct vk_image_view *));
   if (!framebuffer)
      return VK_ERROR_OUT_OF_HOST_MEMORY;
   framebuffer->width = pCreateInfo->width;
   framebuffer->height = pCreateInfo->height;
   framebuffer->layers = pCreateInfo->layers;
   framebuffer->num_attachments = count;
   for (uint32_t i = 0; i < count; i++)
      framebuffer->attachments[i] = (struct vk_image_view *)pCreateInfo->pAttachments[i];
   *pFramebuffer = VK_TO(VkFramebuffer, framebuffer);
   return VK_SUCCESS;
}

VKAPI_ATTR void VKAPI_CALL
indium_DestroyFramebuffer(VkDevice _device, VkFramebuffer framebuffer, const VkAllocationCallbacks *pAllocator)
{
   VK_FROM(vk_device, device, _device);
   vk_free(&device->alloc, pAllocator, (void *)framebuffer);
}
