/* Private data: 64 bits of the application's for each pair of an object and a slot. */
#include <pthread.h>
#include <stdlib.h>

#include "gallium/frontends/vulkan/vk_private.h"

struct vk_private_data_slot {
   struct vk_private_value *values;
};

/* Of all lists: objects that go do not know their device. */
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;

/* ---- lists; with the lock ---- */

#define LINK(value, which, head)                                                                                     \
   do {                                                                                                              \
      (value)->which = (struct vk_private_link){*(head), (head)};                                                    \
      if (*(head))                                                                                                   \
         (*(head))->which.from = &(value)->which.next;                                                               \
      *(head) = (value);                                                                                             \
   } while (0)

#define UNLINK(value, which)                                                                                         \
   do {                                                                                                              \
      *(value)->which.from = (value)->which.next;                                                                    \
      if ((value)->which.next)                                                                                       \
         (value)->which.next->which.from = (value)->which.from;                                                      \
   } while (0)

static void
drop(struct vk_private_value *value)
{
   UNLINK(value, of_object);
   UNLINK(value, of_slot);
   free(value);
}

void
vk_private_values_free(struct vk_private_value **values)
{
   /* Nobody adds values to an object that goes. */
   if (!__atomic_load_n(values, __ATOMIC_RELAXED))
      return;
   pthread_mutex_lock(&lock);
   while (*values)
      drop(*values);
   pthread_mutex_unlock(&lock);
}

/* ---- commands ---- */

VKAPI_ATTR VkResult VKAPI_CALL
indium_CreatePrivateDataSlot(VkDevice _device, const VkPrivateDataSlotCreateInfo *pCreateInfo,
                             const VkAllocationCallbacks *pAllocator, VkPrivateDataSlot *pPrivateDataSlot)
{
   VK_FROM(vk_device, device, _device);
   struct vk_private_data_slot *slot = vk_alloc(&device->alloc, pAllocator, sizeof(*slot));
   if (!slot)
      return VK_ERROR_OUT_OF_HOST_MEMORY;
   *pPrivateDataSlot = VK_TO(VkPrivateDataSlot, slot);
   return VK_SUCCESS;
}

VKAPI_ATTR void VKAPI_CALL
indium_DestroyPrivateDataSlot(VkDevice _device, VkPrivateDataSlot privateDataSlot,
                              const VkAllocationCallbacks *pAllocator)
{
   VK_FROM(vk_device, device, _device);
   VK_FROM(vk_private_data_slot, slot, privateDataSlot);
   if (!slot)
      return;
   pthread_mutex_lock(&lock);
   while (slot->values)
      drop(slot->values);
   pthread_mutex_unlock(&lock);
   vk_free(&device->alloc, pAllocator, slot);
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
find(struct vk_private_value *values, const struct vk_private_data_slot *slot)
{
   while (values && values->slot != slot)
      values = values->of_object.next;
   return values;
}

VKAPI_ATTR VkResult VKAPI_CALL
indium_SetPrivateData(VkDevice device, VkObjectType objectType, uint64_t objectHandle,
                      VkPrivateDataSlot privateDataSlot, uint64_t data)
{
   VK_FROM(vk_private_data_slot, slot, privateDataSlot);
   struct vk_private_value **values = values_of(objectType, objectHandle);
   VkResult result = VK_SUCCESS;
   pthread_mutex_lock(&lock);
   struct vk_private_value *value = find(*values, slot);
   if (!value && (value = malloc(sizeof(*value)))) {
      value->slot = slot;
      LINK(value, of_object, values);
      LINK(value, of_slot, &slot->values);
   }
   if (value)
      value->value = data;
   else
      result = VK_ERROR_OUT_OF_HOST_MEMORY;
   pthread_mutex_unlock(&lock);
   return result;
}

VKAPI_ATTR void VKAPI_CALL
indium_GetPrivateData(VkDevice device, VkObjectType objectType, uint64_t objectHandle,
                      VkPrivateDataSlot privateDataSlot, uint64_t *pData)
{
   VK_FROM(vk_private_data_slot, slot, privateDataSlot);
   pthread_mutex_lock(&lock);
   const struct vk_private_value *value = find(*values_of(objectType, objectHandle), slot);
   *pData = value ? value->value : 0;
   pthread_mutex_unlock(&lock);
}
