/* Instances, physical device enumeration and the functions that the loader looks for in the library. */
#include <stdlib.h>

#include "gallium/frontends/vulkan/pipe_loader.h"
#include "gallium/frontends/vulkan/vk_private.h"
#include "util/conformance_version.h"
#include "util/log.h"
#include "util/macros.h"

/* Index of the extension in the table, or -1. */
static int
find_extension(const VkExtensionProperties *table, int count, const char *name)
{
   for (int i = 0; i < count; i++) {
      if (!strcmp(table[i].extensionName, name))
         return i;
   }
   return -1;
}

VKAPI_ATTR VkResult VKAPI_CALL
indium_EnumerateInstanceVersion(uint32_t *pApiVersion)
{
   *pApiVersion = INDIUM_API_VERSION;
   return VK_SUCCESS;
}

VKAPI_ATTR VkResult VKAPI_CALL
indium_EnumerateInstanceExtensionProperties(const char *pLayerName, uint32_t *pPropertyCount,
                                            VkExtensionProperties *pProperties)
{
   VkResult result = VK_SUCCESS;
   if (pLayerName)
      return VK_ERROR_LAYER_NOT_PRESENT;
   VK_ENUMERATE(pProperties, pPropertyCount, (uint32_t)INDIUM_INSTANCE_EXTENSIONS, vk_instance_extensions, result);
   return result;
}

VKAPI_ATTR VkResult VKAPI_CALL
indium_EnumerateInstanceLayerProperties(uint32_t *pPropertyCount, VkLayerProperties *pProperties)
{
   *pPropertyCount = 0;
   return VK_SUCCESS;
}

VKAPI_ATTR VkResult VKAPI_CALL
indium_EnumerateDeviceLayerProperties(VkPhysicalDevice physicalDevice, uint32_t *pPropertyCount,
                                      VkLayerProperties *pProperties)
{
   *pPropertyCount = 0;
   return VK_SUCCESS;
}

VKAPI_ATTR VkResult VKAPI_CALL
indium_EnumerateDeviceExtensionProperties(VkPhysicalDevice physicalDevice, const char *pLayerName,
                                          uint32_t *pPropertyCount, VkExtensionProperties *pProperties)
{
   VK_FROM(vk_physical_device, device, physicalDevice);
   VkExtensionProperties offered[INDIUM_DEVICE_EXTENSIONS];
   uint32_t count = 0;
   VkResult result = VK_SUCCESS;
   if (pLayerName)
      return VK_ERROR_LAYER_NOT_PRESENT;
   for (int i = 0; i < INDIUM_DEVICE_EXTENSIONS; i++) {
      if (device->extensions[i])
         offered[count++] = vk_device_extensions[i];
   }
   VK_ENUMERATE(pProperties, pPropertyCount, count, offered, result);
   return result;
}

/* 0.0.0.0, held to none, unless the environment names a release. Not one of an older Vulkan than the driver offers:
 * the CTS itself takes that for an error. */
static bool
read_conformance_version(VkConformanceVersion *conformance)
{
   const char *text = getenv("INDIUM_CONFORMANCE_VERSION");
   const uint32_t major = VK_API_VERSION_MAJOR(INDIUM_API_VERSION);
   const uint32_t minor = VK_API_VERSION_MINOR(INDIUM_API_VERSION);
   uint8_t v[4] = {0};
   if (text && !conformance_version_parse(text, v)) {
      log_error("INDIUM_CONFORMANCE_VERSION=%s: not " CONFORMANCE_VERSION_FORM, text);
      return false;
   }
   if (text && VK_MAKE_API_VERSION(0, v[0], v[1], 0) < VK_MAKE_API_VERSION(0, major, minor, 0)) {
      log_error("INDIUM_CONFORMANCE_VERSION=%s: older than Vulkan %u.%u, which is offered", text, major, minor);
      return false;
   }
   *conformance = (VkConformanceVersion){v[0], v[1], v[2], v[3]};
   return true;
}

VKAPI_ATTR VkResult VKAPI_CALL
indium_CreateInstance(const VkInstanceCreateInfo *pCreateInfo, const VkAllocationCallbacks *pAllocator,
                      VkInstance *pInstance)
{
   VkConformanceVersion conformance;
   if (!read_conformance_version(&conformance))
      return VK_ERROR_INITIALIZATION_FAILED;
   struct vk_instance *instance = vk_alloc(&vk_default_allocator, pAllocator, sizeof(*instance));
   if (!instance)
      return VK_ERROR_OUT_OF_HOST_MEMORY;
   instance->conformance = conformance;
   const VkApplicationInfo *app = pCreateInfo->pApplicationInfo;
   instance->api_version = app && app->apiVersion ? app->apiVersion : VK_API_VERSION_1_0;
   set_loader_magic_value(instance);
   instance->alloc = pAllocator ? *pAllocator : vk_default_allocator;
   for (uint32_t i = 0; i < pCreateInfo->enabledExtensionCount; i++) {
      int index =
         find_extension(vk_instance_extensions, INDIUM_INSTANCE_EXTENSIONS, pCreateInfo->ppEnabledExtensionNames[i]);
      if (index < 0) {
         vk_free(&vk_default_allocator, pAllocator, instance);
         return VK_ERROR_EXTENSION_NOT_PRESENT;
      }
      instance->extensions[index] = true;
   }
   pthread_mutex_init(&instance->lock, NULL);
   pthread_mutex_init(&instance->messengers_lock, NULL);
   *pInstance = VK_TO(VkInstance, instance);
   return VK_SUCCESS;
}

VKAPI_ATTR void VKAPI_CALL
indium_DestroyInstance(VkInstance _instance, const VkAllocationCallbacks *pAllocator)
{
   VK_FROM(vk_instance, instance, _instance);
   if (!instance)
      return;
   for (uint32_t i = 0; i < instance->num_devices; i++)
      instance->devices[i].screen->destroy(instance->devices[i].screen);
   pthread_mutex_destroy(&instance->lock);
   pthread_mutex_destroy(&instance->messengers_lock);
   VkAllocationCallbacks alloc = instance->alloc;
   vk_free(&alloc, NULL, instance);
}

static void
enumerate(struct vk_instance *instance)
{
   pthread_mutex_lock(&instance->lock);
   if (!instance->enumerated) {
      struct pipe_screen *screens[VK_MAX_PHYSICAL_DEVICES];
      instance->num_devices = pipe_loader_probe(loader_drivers, screens, VK_MAX_PHYSICAL_DEVICES);
      for (uint32_t i = 0; i < instance->num_devices; i++) {
         struct vk_physical_device *device = &instance->devices[i];
         set_loader_magic_value(device);
         device->instance = instance;
         device->screen = screens[i];
         device->api_version = vk_supported_version(&screens[i]->caps);
         vk_supported_extensions(&screens[i]->caps, device->extensions);
         vk_supported_features(&screens[i]->caps, device->extensions, &device->features);
      }
      instance->enumerated = true;
   }
   pthread_mutex_unlock(&instance->lock);
}

VKAPI_ATTR VkResult VKAPI_CALL
indium_EnumeratePhysicalDevices(VkInstance _instance, uint32_t *pPhysicalDeviceCount,
                                VkPhysicalDevice *pPhysicalDevices)
{
   VK_FROM(vk_instance, instance, _instance);
   VkPhysicalDevice handles[VK_MAX_PHYSICAL_DEVICES];
   VkResult result = VK_SUCCESS;
   enumerate(instance);
   for (uint32_t i = 0; i < instance->num_devices; i++)
      handles[i] = VK_TO(VkPhysicalDevice, &instance->devices[i]);
   VK_ENUMERATE(pPhysicalDevices, pPhysicalDeviceCount, instance->num_devices, handles, result);
   return result;
}

VKAPI_ATTR VkResult VKAPI_CALL
indium_EnumeratePhysicalDeviceGroups(VkInstance _instance, uint32_t *pPhysicalDeviceGroupCount,
                                     VkPhysicalDeviceGroupProperties *pPhysicalDeviceGroupProperties)
{
   VK_FROM(vk_instance, instance, _instance);
   enumerate(instance);
   if (!pPhysicalDeviceGroupProperties) {
      *pPhysicalDeviceGroupCount = instance->num_devices;
      return VK_SUCCESS;
   }
   uint32_t count = MIN2(*pPhysicalDeviceGroupCount, instance->num_devices);
   for (uint32_t i = 0; i < count; i++) {
      pPhysicalDeviceGroupProperties[i].physicalDeviceCount = 1;
      pPhysicalDeviceGroupProperties[i].physicalDevices[0] = VK_TO(VkPhysicalDevice, &instance->devices[i]);
      pPhysicalDeviceGroupProperties[i].subsetAllocation = VK_FALSE;
   }
   *pPhysicalDeviceGroupCount = count;
   return count < instance->num_devices ? VK_INCOMPLETE : VK_SUCCESS;
}

static int
compare_name(const void *key, const void *entry)
{
   return strcmp(key, ((const struct vk_entrypoint *)entry)->name);
}

static const struct vk_entrypoint *
find_entrypoint(const char *name)
{
   return bsearch(name, vk_entrypoints, vk_num_entrypoints, sizeof(*vk_entrypoints), compare_name);
}

VKAPI_ATTR PFN_vkVoidFunction VKAPI_CALL
indium_GetInstanceProcAddr(VkInstance _instance, const char *pName)
{
   VK_FROM(vk_instance, instance, _instance);
   const struct vk_entrypoint *entry = pName ? find_entrypoint(pName) : NULL;
   if (!entry || (!instance && entry->level != VK_ENTRYPOINT_GLOBAL))
      return NULL;
   bool offered = !instance || entry->offered;
   for (uint32_t i = 0; i < entry->num_owners && !offered; i++) {
      const struct vk_owner *owner = &vk_owners[entry->first_owner + i];
      offered = !owner->instance || instance->extensions[owner->extension];
   }
   return offered ? entry->function : NULL;
}

VKAPI_ATTR PFN_vkVoidFunction VKAPI_CALL
indium_GetDeviceProcAddr(VkDevice _device, const char *pName)
{
   VK_FROM(vk_device, device, _device);
   const struct vk_entrypoint *entry = pName ? find_entrypoint(pName) : NULL;
   if (!device || !entry || entry->level != VK_ENTRYPOINT_DEVICE)
      return NULL;
   bool offered = entry->core <= MIN2(device->physical->api_version, device->physical->instance->api_version);
   for (uint32_t i = 0; i < entry->num_owners && !offered; i++) {
      const struct vk_owner *owner = &vk_owners[entry->first_owner + i];
      offered = owner->instance || device->extensions[owner->extension];
   }
   return offered ? entry->function : NULL;
}

/* ---- exported to the loader ---- */

PUBLIC VKAPI_ATTR PFN_vkVoidFunction VKAPI_CALL
vk_icdGetInstanceProcAddr(VkInstance instance, const char *pName)
{
   return indium_GetInstanceProcAddr(instance, pName);
}

PUBLIC VKAPI_ATTR PFN_vkVoidFunction VKAPI_CALL
vk_icdGetPhysicalDeviceProcAddr(VkInstance instance, const char *pName)
{
   const struct vk_entrypoint *entry = pName ? find_entrypoint(pName) : NULL;
   if (!entry || entry->level != VK_ENTRYPOINT_PHYSICAL_DEVICE || !(entry->offered || entry->num_owners))
      return NULL;
   return entry->function;
}

PUBLIC VKAPI_ATTR VkResult VKAPI_CALL
vk_icdNegotiateLoaderICDInterfaceVersion(uint32_t *pVersion)
{
   if (*pVersion < 2)
      return VK_ERROR_INCOMPATIBLE_DRIVER;
   *pVersion = MIN2(*pVersion, 5);
   return VK_SUCCESS;
}
