/* Features of a physical device: vk_device_table.txt lists them. */
#include "gallium/frontends/vulkan/vk_private.h"

/* Structs of extensions that are not offered stay as they are. */
static void
fill_struct(const struct vk_features *features, VkBaseOutStructure *out)
{
   VkBool32 *bits = (VkBool32 *)(out + 1);
   for (uint32_t i = 0; i < vk_num_feature_structs; i++) {
      const struct vk_feature_struct *known = &vk_feature_structs[i];
      for (uint32_t j = 0; known->s_type == out->sType && j < known->count; j++)
         bits[j] = *(const bool *)((const char *)features + known->features[j]);
   }
}

VKAPI_ATTR void VKAPI_CALL
indium_GetPhysicalDeviceFeatures2(VkPhysicalDevice physicalDevice, VkPhysicalDeviceFeatures2 *pFeatures)
{
   VK_FROM(vk_physical_device, device, physicalDevice);
   for (VkBaseOutStructure *it = (VkBaseOutStructure *)pFeatures; it; it = it->pNext)
      fill_struct(&device->features, it);
}

VKAPI_ATTR void VKAPI_CALL
indium_GetPhysicalDeviceFeatures(VkPhysicalDevice physicalDevice, VkPhysicalDeviceFeatures *pFeatures)
{
   VkPhysicalDeviceFeatures2 all = {.sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_FEATURES_2};
   indium_GetPhysicalDeviceFeatures2(physicalDevice, &all);
   *pFeatures = all.features;
}
