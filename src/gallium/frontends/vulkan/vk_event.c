/* Events: a word of host-visible memory each. */
#include "gallium/frontends/vulkan/vk_event.h"

void
vk_event_finish(struct vk_device *device, struct vk_event *event)
{
   if (event->buffer)
      device->screen->resource_destroy(device->screen, event->buffer);
   if (event->memory)
      device->screen->memory_destroy(device->screen, event->memory);
}

enum pipe_result
vk_event_init(struct pipe_screen *screen, struct vk_event *event)
{
   enum pipe_result result = screen->buffer_create(screen, VK_EVENT_B, &event->buffer);
   if (result == PIPE_OK)
      result = screen->memory_create(screen, PIPE_MEMORY_TYPE_DESCRIPTORS,
                                     screen->resource_requirements(event->buffer).size_B, -1, &event->memory);
   if (result != PIPE_OK)
      return result;
   screen->resource_bind(event->buffer, event->memory, 0);
   event->value = screen->memory_map(screen, event->memory);
   if (!event->value)
      return PIPE_OUT_OF_DEVICE_MEMORY;
   memset((void *)event->value, 0, VK_EVENT_B);
   return PIPE_OK;
}

VKAPI_ATTR VkResult VKAPI_CALL
indium_CreateEvent(VkDevice _device, const VkEventCreateInfo *pCreateInfo, const VkAllocationCallbacks *pAllocator,
                   VkEvent *pEvent)
{
   VK_FROM(vk_device, device, _device);
   struct vk_event *event = vk_alloc(&device->alloc, pAllocator, sizeof(*event));
   if (!event)
      return VK_ERROR_OUT_OF_HOST_MEMORY;
   enum pipe_result result = vk_event_init(device->screen, event);
   if (result != PIPE_OK) {
      vk_event_finish(device, event);
      vk_free(&device->alloc, pAllocator, event);
      return vk_result(result);
   }
   *pEvent = VK_TO(VkEvent, event);
   return VK_SUCCESS;
}

VKAPI_ATTR void VKAPI_CALL
indium_DestroyEvent(VkDevice _device, VkEvent _event, const VkAllocationCallbacks *pAllocator)
{
   VK_FROM(vk_device, device, _device);
   VK_FROM(vk_event, event, _event);
   if (!event)
      return;
   vk_event_finish(device, event);
   vk_free(&device->alloc, pAllocator, event);
}

VKAPI_ATTR VkResult VKAPI_CALL
indium_GetEventStatus(VkDevice _device, VkEvent _event)
{
   VK_FROM(vk_device, device, _device);
   VK_FROM(vk_event, event, _event);
   if (vk_device_lost(device))
      return VK_ERROR_DEVICE_LOST;
   return __atomic_load_n(event->value, __ATOMIC_ACQUIRE) ? VK_EVENT_SET : VK_EVENT_RESET;
}

VKAPI_ATTR VkResult VKAPI_CALL
indium_SetEvent(VkDevice device, VkEvent _event)
{
   VK_FROM(vk_event, event, _event);
   __atomic_store_n(event->value, 1, __ATOMIC_RELEASE);
   return VK_SUCCESS;
}

VKAPI_ATTR VkResult VKAPI_CALL
indium_ResetEvent(VkDevice device, VkEvent _event)
{
   VK_FROM(vk_event, event, _event);
   __atomic_store_n(event->value, 0, __ATOMIC_RELEASE);
   return VK_SUCCESS;
}
