/* VK_EXT_debug_utils: messages to the application's callbacks, names of objects. Labels have no effect: commands are
 * encoded when they are recorded, and nothing reads labels then. Tags are for layers. */
#include "gallium/frontends/vulkan/vk_debug.h"

#include <stdlib.h>

struct vk_messenger {
   struct vk_messenger *next;
   VkDebugUtilsMessengerCreateInfoEXT info;
};

/* ---- messages ---- */

VKAPI_ATTR VkResult VKAPI_CALL
indium_CreateDebugUtilsMessengerEXT(VkInstance _instance, const VkDebugUtilsMessengerCreateInfoEXT *pCreateInfo,
                                    const VkAllocationCallbacks *pAllocator, VkDebugUtilsMessengerEXT *pMessenger)
{
   VK_FROM(vk_instance, instance, _instance);
   struct vk_messenger *messenger = vk_alloc(&instance->alloc, pAllocator, sizeof(*messenger));
   if (!messenger)
      return VK_ERROR_OUT_OF_HOST_MEMORY;
   messenger->info = *pCreateInfo;
   pthread_mutex_lock(&instance->messengers_lock);
   messenger->next = instance->messengers;
   instance->messengers = messenger;
   pthread_mutex_unlock(&instance->messengers_lock);
   *pMessenger = VK_TO(VkDebugUtilsMessengerEXT, messenger);
   return VK_SUCCESS;
}

VKAPI_ATTR void VKAPI_CALL
indium_DestroyDebugUtilsMessengerEXT(VkInstance _instance, VkDebugUtilsMessengerEXT _messenger,
                                     const VkAllocationCallbacks *pAllocator)
{
   VK_FROM(vk_instance, instance, _instance);
   VK_FROM(vk_messenger, messenger, _messenger);
   if (!messenger)
      return;
   pthread_mutex_lock(&instance->messengers_lock);
   struct vk_messenger **at = &instance->messengers;
   while (*at != messenger)
      at = &(*at)->next;
   *at = messenger->next;
   pthread_mutex_unlock(&instance->messengers_lock);
   vk_free(&instance->alloc, pAllocator, messenger);
}

void
vk_debug_message(struct vk_instance *instance, VkDebugUtilsMessageSeverityFlagBitsEXT severity,
                 VkDebugUtilsMessageTypeFlagsEXT types, const VkDebugUtilsMessengerCallbackDataEXT *data)
{
   pthread_mutex_lock(&instance->messengers_lock);
   for (const struct vk_messenger *it = instance->messengers; it; it = it->next) {
      if (it->info.messageSeverity & severity && it->info.messageType & types)
         it->info.pfnUserCallback(severity, types, data, it->info.pUserData);
   }
   pthread_mutex_unlock(&instance->messengers_lock);
}

VKAPI_ATTR void VKAPI_CALL
indium_SubmitDebugUtilsMessageEXT(VkInstance instance, VkDebugUtilsMessageSeverityFlagBitsEXT messageSeverity,
                                  VkDebugUtilsMessageTypeFlagsEXT messageTypes,
                                  const VkDebugUtilsMessengerCallbackDataEXT *pCallbackData)
{
   vk_debug_message((struct vk_instance *)instance, messageSeverity, messageTypes, pCallbackData);
}

/* ---- names ---- */

/* Whether vk_alloc() made the object: not those that others have in an array, or that the loader made. */
static bool
has_name(VkObjectType type)
{
   return type != VK_OBJECT_TYPE_QUEUE && type != VK_OBJECT_TYPE_DESCRIPTOR_SET &&
          type != VK_OBJECT_TYPE_PHYSICAL_DEVICE && type != VK_OBJECT_TYPE_INSTANCE &&
          type != VK_OBJECT_TYPE_SURFACE_KHR && type != VK_OBJECT_TYPE_DISPLAY_KHR &&
          type != VK_OBJECT_TYPE_DISPLAY_MODE_KHR && type != VK_OBJECT_TYPE_DEBUG_UTILS_MESSENGER_EXT &&
          type != VK_OBJECT_TYPE_DEBUG_REPORT_CALLBACK_EXT && type != VK_OBJECT_TYPE_UNKNOWN;
}

const char *
vk_debug_name(VkObjectType type, uint64_t handle)
{
   return has_name(type) && handle ? *vk_object_name((void *)(uintptr_t)handle) : NULL;
}

VKAPI_ATTR VkResult VKAPI_CALL
indium_SetDebugUtilsObjectNameEXT(VkDevice device, const VkDebugUtilsObjectNameInfoEXT *pNameInfo)
{
   const char *text = pNameInfo->pObjectName;
   if (!has_name(pNameInfo->objectType) || !pNameInfo->objectHandle)
      return VK_SUCCESS;
   char **name = vk_object_name((void *)(uintptr_t)pNameInfo->objectHandle);
   char *copy = text && *text ? strdup(text) : NULL;
   if (text && *text && !copy)
      return VK_ERROR_OUT_OF_HOST_MEMORY;
   free(*name);
   *name = copy;
   return VK_SUCCESS;
}

VKAPI_ATTR VkResult VKAPI_CALL
indium_SetDebugUtilsObjectTagEXT(VkDevice device, const VkDebugUtilsObjectTagInfoEXT *pTagInfo)
{
   return VK_SUCCESS;
}

/* ---- labels: nothing shows them ---- */

VKAPI_ATTR void VKAPI_CALL
indium_QueueBeginDebugUtilsLabelEXT(VkQueue queue, const VkDebugUtilsLabelEXT *pLabelInfo)
{
}

VKAPI_ATTR void VKAPI_CALL
indium_QueueEndDebugUtilsLabelEXT(VkQueue queue)
{
}

VKAPI_ATTR void VKAPI_CALL
indium_QueueInsertDebugUtilsLabelEXT(VkQueue queue, const VkDebugUtilsLabelEXT *pLabelInfo)
{
}

VKAPI_ATTR void VKAPI_CALL
indium_CmdBeginDebugUtilsLabelEXT(VkCommandBuffer commandBuffer, const VkDebugUtilsLabelEXT *pLabelInfo)
{
}

VKAPI_ATTR void VKAPI_CALL
indium_CmdEndDebugUtilsLabelEXT(VkCommandBuffer commandBuffer)
{
}

VKAPI_ATTR void VKAPI_CALL
indium_CmdInsertDebugUtilsLabelEXT(VkCommandBuffer commandBuffer, const VkDebugUtilsLabelEXT *pLabelInfo)
{
}
