/* Instances and devices: the memory of the marks, and what the loader asks for. */
#include <pthread.h>
#include <stdlib.h>
#include <string.h>

#include "amd/hw/order_mark.h"
#include "tools/order_layer/order_layer.h"
#include "util/dynarray.h"
#include "util/log.h"
#include "util/macros.h"

struct instance {
   const void *key;
   VkInstance handle;
   PFN_vkGetInstanceProcAddr next;
   /* Asked for when it was made: later the loader answers with the start of the chain. */
   PFN_vkDestroyInstance destroy;
   PFN_vkGetPhysicalDeviceMemoryProperties memory;
};

/* Devices do not move. */
struct device_row {
   struct order_layer_device *device;
};

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static struct dynarray instances; /* struct instance */
static struct dynarray devices;   /* struct device_row */

const void *
order_layer_key(const void *handle)
{
   return *(void *const *)handle;
}

const struct order_layer_device *
order_layer_device(const void *handle)
{
   const struct order_layer_device *found = NULL;
   pthread_mutex_lock(&lock);
   dynarray_for_each(const struct device_row, it, &devices) {
      if (it->device->key == order_layer_key(handle))
         found = it->device;
   }
   pthread_mutex_unlock(&lock);
   return found;
}

static struct instance
find_instance(const void *handle)
{
   struct instance found = {0};
   pthread_mutex_lock(&lock);
   dynarray_for_each(const struct instance, it, &instances) {
      if (it->key == order_layer_key(handle))
         found = *it;
   }
   pthread_mutex_unlock(&lock);
   return found;
}

/* The link to the next layer; advanced for that layer. NULL: the loader is another one. */
static VkLayerInstanceLink *
next_instance(const void *chain)
{
   for (VkLayerInstanceCreateInfo *it = (void *)chain; it; it = (void *)it->pNext) {
      if (it->sType != VK_STRUCTURE_TYPE_LOADER_INSTANCE_CREATE_INFO || it->function != VK_LAYER_LINK_INFO)
         continue;
      VkLayerInstanceLink *link = it->u.pLayerInfo;
      it->u.pLayerInfo = link->pNext;
      return link;
   }
   return NULL;
}

static VkLayerDeviceLink *
next_device(const void *chain)
{
   for (VkLayerDeviceCreateInfo *it = (void *)chain; it; it = (void *)it->pNext) {
      if (it->sType != VK_STRUCTURE_TYPE_LOADER_DEVICE_CREATE_INFO || it->function != VK_LAYER_LINK_INFO)
         continue;
      VkLayerDeviceLink *link = it->u.pLayerInfo;
      it->u.pLayerInfo = link->pNext;
      return link;
   }
   return NULL;
}

static VKAPI_ATTR VkResult VKAPI_CALL
create_instance(const VkInstanceCreateInfo *info, const VkAllocationCallbacks *allocator, VkInstance *made)
{
   const VkLayerInstanceLink *link = next_instance(info->pNext);
   if (!link)
      return VK_ERROR_INITIALIZATION_FAILED;
   PFN_vkGetInstanceProcAddr next = link->pfnNextGetInstanceProcAddr;
   PFN_vkCreateInstance create = (PFN_vkCreateInstance)next(NULL, "vkCreateInstance");
   VkResult result = create(info, allocator, made);
   if (result)
      return result;
   const struct instance row = {
      .key = order_layer_key(*made),
      .handle = *made,
      .next = next,
      .destroy = (PFN_vkDestroyInstance)next(*made, "vkDestroyInstance"),
      .memory = (PFN_vkGetPhysicalDeviceMemoryProperties)next(*made, "vkGetPhysicalDeviceMemoryProperties")};
   pthread_mutex_lock(&lock);
   dynarray_append(&instances, struct instance, row);
   pthread_mutex_unlock(&lock);
   return VK_SUCCESS;
}

static VKAPI_ATTR void VKAPI_CALL
destroy_instance(VkInstance instance, const VkAllocationCallbacks *allocator)
{
   if (!instance)
      return;
   PFN_vkDestroyInstance next = find_instance(instance).destroy;
   pthread_mutex_lock(&lock);
   dynarray_for_each(struct instance, it, &instances) {
      if (it->handle == instance)
         it->key = NULL;
   }
   pthread_mutex_unlock(&lock);
   next(instance, allocator);
}

static VkResult
write_marks(const struct order_layer_device *device)
{
   const VkDrawIndirectCommand marks[2] = {{.vertexCount = AMD_ORDER_MARK, .firstVertex = AMD_ORDER_MARK_STRICT},
                                           {.vertexCount = AMD_ORDER_MARK, .firstVertex = AMD_ORDER_MARK_RELAXED}};
   void *map;
   PFN_vkMapMemory map_memory = (PFN_vkMapMemory)device->next(device->handle, "vkMapMemory");
   PFN_vkUnmapMemory unmap = (PFN_vkUnmapMemory)device->next(device->handle, "vkUnmapMemory");
   VkResult result = map_memory(device->handle, device->memory, 0, VK_WHOLE_SIZE, 0, &map);
   if (result)
      return result;
   memcpy(map, marks, sizeof(marks));
   unmap(device->handle, device->memory);
   return VK_SUCCESS;
}

static uint32_t
memory_type(VkPhysicalDevice physical, uint32_t types)
{
   const VkMemoryPropertyFlags need = VK_MEMORY_PROPERTY_HOST_VISIBLE_BIT | VK_MEMORY_PROPERTY_HOST_COHERENT_BIT;
   VkPhysicalDeviceMemoryProperties memory;
   find_instance(physical).memory(physical, &memory);
   uint32_t i = 0;
   while (i < memory.memoryTypeCount && !(types >> i & 1 && (memory.memoryTypes[i].propertyFlags & need) == need))
      i++;
   return i;
}

static VkResult
create_marks(VkPhysicalDevice physical, struct order_layer_device *device)
{
   const VkBufferCreateInfo buffer = {.sType = VK_STRUCTURE_TYPE_BUFFER_CREATE_INFO,
                                      .size = 2 * sizeof(VkDrawIndirectCommand),
                                      .usage = VK_BUFFER_USAGE_INDIRECT_BUFFER_BIT};
   VkMemoryRequirements needs;
   PFN_vkCreateBuffer create = (PFN_vkCreateBuffer)device->next(device->handle, "vkCreateBuffer");
   PFN_vkGetBufferMemoryRequirements get_needs =
      (PFN_vkGetBufferMemoryRequirements)device->next(device->handle, "vkGetBufferMemoryRequirements");
   PFN_vkAllocateMemory allocate = (PFN_vkAllocateMemory)device->next(device->handle, "vkAllocateMemory");
   PFN_vkBindBufferMemory bind = (PFN_vkBindBufferMemory)device->next(device->handle, "vkBindBufferMemory");
   VkResult result = create(device->handle, &buffer, NULL, &device->marks);
   if (result)
      return result;
   get_needs(device->handle, device->marks, &needs);
   const VkMemoryAllocateInfo info = {.sType = VK_STRUCTURE_TYPE_MEMORY_ALLOCATE_INFO,
                                      .allocationSize = needs.size,
                                      .memoryTypeIndex = memory_type(physical, needs.memoryTypeBits)};
   result = allocate(device->handle, &info, NULL, &device->memory);
   if (!result)
      result = bind(device->handle, device->marks, device->memory, 0);
   return result ? result : write_marks(device);
}

static void
destroy_marks(struct order_layer_device *device)
{
   PFN_vkDestroyBuffer destroy = (PFN_vkDestroyBuffer)device->next(device->handle, "vkDestroyBuffer");
   PFN_vkFreeMemory free_memory = (PFN_vkFreeMemory)device->next(device->handle, "vkFreeMemory");
   destroy(device->handle, device->marks, NULL);
   free_memory(device->handle, device->memory, NULL);
   device->marks = VK_NULL_HANDLE;
   device->memory = VK_NULL_HANDLE;
}

static VKAPI_ATTR VkResult VKAPI_CALL
create_device(VkPhysicalDevice physical, const VkDeviceCreateInfo *info, const VkAllocationCallbacks *allocator,
              VkDevice *made)
{
   const VkLayerDeviceLink *link = next_device(info->pNext);
   struct order_layer_device *device = calloc(1, sizeof(*device));
   if (!device)
      return VK_ERROR_OUT_OF_HOST_MEMORY;
   PFN_vkCreateDevice create =
      link ? (PFN_vkCreateDevice)link->pfnNextGetInstanceProcAddr(find_instance(physical).handle, "vkCreateDevice")
           : NULL;
   PFN_vkGetDeviceProcAddr next = link ? link->pfnNextGetDeviceProcAddr : NULL;
   VkResult result = create ? create(physical, info, allocator, made) : VK_ERROR_INITIALIZATION_FAILED;
   if (result) {
      free(device);
      return result;
   }
   *device = (struct order_layer_device){.key = order_layer_key(*made), .handle = *made, .next = next};
   if (create_marks(physical, device)) {
      log_error("order --check: no memory for marks: draws in relaxed order count as others");
      destroy_marks(device);
   }
   pthread_mutex_lock(&lock);
   dynarray_append(&devices, struct device_row, (struct device_row){device});
   pthread_mutex_unlock(&lock);
   return VK_SUCCESS;
}

static VKAPI_ATTR void VKAPI_CALL
destroy_device(VkDevice handle, const VkAllocationCallbacks *allocator)
{
   struct order_layer_device *device = handle ? (struct order_layer_device *)order_layer_device(handle) : NULL;
   if (!device)
      return;
   PFN_vkDestroyDevice next = (PFN_vkDestroyDevice)device->next(handle, "vkDestroyDevice");
   destroy_marks(device);
   pthread_mutex_lock(&lock);
   device->key = NULL; /* stays in the list */
   pthread_mutex_unlock(&lock);
   next(handle, allocator);
}

static VKAPI_ATTR PFN_vkVoidFunction VKAPI_CALL get_instance_proc_addr(VkInstance instance, const char *name);
static VKAPI_ATTR PFN_vkVoidFunction VKAPI_CALL get_device_proc_addr(VkDevice device, const char *name);

PFN_vkVoidFunction
order_layer_device_hook(const char *name)
{
   static const struct order_layer_hook hooks[] = {
      {"vkGetInstanceProcAddr", (PFN_vkVoidFunction)get_instance_proc_addr},
      {"vkGetDeviceProcAddr", (PFN_vkVoidFunction)get_device_proc_addr},
      {"vkCreateInstance", (PFN_vkVoidFunction)create_instance},
      {"vkDestroyInstance", (PFN_vkVoidFunction)destroy_instance},
      {"vkCreateDevice", (PFN_vkVoidFunction)create_device},
      {"vkDestroyDevice", (PFN_vkVoidFunction)destroy_device},
   };
   for (unsigned i = 0; i < ARRAY_SIZE(hooks); i++)
      if (!strcmp(name, hooks[i].name))
         return hooks[i].function;
   return NULL;
}

/* Commands that the driver lacks, the layer does not have either. */
static VKAPI_ATTR PFN_vkVoidFunction VKAPI_CALL
get_instance_proc_addr(VkInstance instance, const char *name)
{
   PFN_vkVoidFunction own = order_layer_device_hook(name);
   if (own || !instance)
      return own;
   PFN_vkVoidFunction next = find_instance(instance).next(instance, name);
   own = order_layer_command_hook(name);
   return next && own ? own : next;
}

static VKAPI_ATTR PFN_vkVoidFunction VKAPI_CALL
get_device_proc_addr(VkDevice device, const char *name)
{
   PFN_vkVoidFunction own = order_layer_device_hook(name);
   PFN_vkVoidFunction next = order_layer_device(device)->next(device, name);
   own = own ? own : order_layer_command_hook(name);
   return next && own ? own : next;
}

/* The manifest names it to the loader. */
__attribute__((visibility("default"))) VKAPI_ATTR VkResult VKAPI_CALL
order_layer_negotiate(VkNegotiateLayerInterface *versions);

VKAPI_ATTR VkResult VKAPI_CALL
order_layer_negotiate(VkNegotiateLayerInterface *versions)
{
   versions->loaderLayerInterfaceVersion = 2;
   versions->pfnGetInstanceProcAddr = get_instance_proc_addr;
   versions->pfnGetDeviceProcAddr = get_device_proc_addr;
   versions->pfnGetPhysicalDeviceProcAddr = NULL;
   return VK_SUCCESS;
}
