/* Private data: 64 bits of the application's for each pair of an object and a slot. */
#include <stdlib.h>

#include "gallium/frontends/vulkan/vk_private.h"

struct vk_private_data_slot {
   uint64_t number; /* no two slots of a device ever have the same */
};

VKAPI_ATTR VkResult VKAPI_CALL
indium_CreatePrivateDataSlot(VkDevice _device, const VkPrivateDataSlotCreateInfo *pCreateInfo,
                             const VkAllocationCallbacks *pAllocator, VkPrivateDataSlot *pPrivateDataSlot)
{
   VK_FROM(vk_device, device, _device);
   struct vk_private_data_slot *slot = vk_alloc(&device->alloc, pAllocator, sizeof(*slot));
   if (!slot)
      return VK_ERROR_OUT_OF_HOST_MEMORY;
   slot->number = __atomic_add_fetch(&device->private_slots, 1, __ATOMIC_RELAXED);
   *pPrivateDataSlot = VK_TO(VkPrivateDataSlot, slot);
   return VK_SUCCESS;
}

VKAPI_ATTR void VKAPI_CALL
indium_DestroyPrivateDataSlot(VkDevice _device, VkPrivateDataSlot privateDataSlot,
                              const VkAllocationCallbacks *pAllocator)
{
   VK_FROM(vk_device, device, _device);
   vk_free(&device->alloc, pAllocator, (void *)privateDataSlot);
}

static struct vk_private_value **
values_of(VkObjectType type, uint64_t handle)
{
   if (type == VK_OBJECT_TYPE_QUEUE)
      return &((struct vk_queue *)handle)->private_values;
   if (type == VK_OBJECT_TYPE_DESCRIPTOR_SET)
      return &((struct vk_descriptor_set *)handle)->private_values;
   return vk_private_values((void *)handle);
}

static struct vk_private_value *
find(struct vk_private_value *values, uint64_t slot)
{
   while (values && values->slot != slot)
      values = values->next;
   return values;
}

VKAPI_ATTR VkResult VKAPI_CALL
indium_SetPrivateData(VkDevice _device, VkObjectType objectType, uint64_t objectHandle,
                      VkPrivateDataSlot privateDataSlot, uint64_t data)
{
   VK_FROM(vk_device, device, _device);
   VK_FROM(vk_private_data_slot, slot, privateDataSlot);
   struct vk_private_value **values = values_of(objectType, objectHandle);
   VkResult result = VK_SUCCESS;
   pthread_mutex_lock(&device->private_lock);
   struct vk_private_value *value = find(*values, slot->number);
   if (!value && (value = malloc(sizeof(*value)))) {
      *value = (struct vk_private_value){.next = *values, .slot = slot->number};
      *values = value;
   }
   if (value)
      value->value = data;
   else
      result = VK_ERROR_OUT_OF_HOST_MEMORY;
   pthread_mutex_unlock(&device->private_lock);
   return result;
}

VKAPI_ATTR void VKAPI_CALL
indium_GetPrivateData(VkDevice _device, VkObjectType objectType, uint64_t objectHandle,
                      VkPrivateDataSlot privateDataSlot, uint64_t *pData)
{
   VK_FROM(vk_device, device, _device);
   VK_FROM(vk_private_data_slot, slot, privateDataSlot);
   pthread_mutex_lock(&device->private_lock);
   const struct vk_private_value *value = find(*values_of(objectType, objectHandle), slot->number);
   *pData = value ? value->value : 0;
   pthread_mutex_unlock(&device->private_lock);
}
