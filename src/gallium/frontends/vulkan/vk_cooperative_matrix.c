/* VK_KHR_cooperative_matrix: the products that are offered, which are those of nir's matrix_multiply_add. */
#include "gallium/frontends/vulkan/vk_private.h"
#include "util/macros.h"

enum { SIDE = 16, INTEGERS = 12, FLOATS = 2 };

static VkCooperativeMatrixPropertiesKHR
product(VkComponentTypeKHR a, VkComponentTypeKHR b, VkComponentTypeKHR c, bool saturates)
{
   return (VkCooperativeMatrixPropertiesKHR){
      .sType = VK_STRUCTURE_TYPE_COOPERATIVE_MATRIX_PROPERTIES_KHR,
      .MSize = SIDE,
      .NSize = SIDE,
      .KSize = SIDE,
      .AType = a,
      .BType = b,
      .CType = c,
      .ResultType = c,
      .saturatingAccumulation = saturates,
      .scope = VK_SCOPE_SUBGROUP_KHR,
   };
}

static VkComponentTypeKHR
byte_type(bool has_sign)
{
   return has_sign ? VK_COMPONENT_TYPE_SINT8_KHR : VK_COMPONENT_TYPE_UINT8_KHR;
}

/* Of integers the signs of A and B, and of the sum: without one, with one, with one and saturation. Then halves with
 * sums of halves and of floats. */
static VkCooperativeMatrixPropertiesKHR
product_at(uint32_t index)
{
   const VkComponentTypeKHR half = VK_COMPONENT_TYPE_FLOAT16_KHR;
   const uint32_t sum = index % 3;
   if (index >= INTEGERS)
      return product(half, half, index == INTEGERS ? half : VK_COMPONENT_TYPE_FLOAT32_KHR, false);
   return product(byte_type(index / 6), byte_type(index / 3 & 1),
                  sum ? VK_COMPONENT_TYPE_SINT32_KHR : VK_COMPONENT_TYPE_UINT32_KHR, sum == 2);
}

VKAPI_ATTR VkResult VKAPI_CALL
indium_GetPhysicalDeviceCooperativeMatrixPropertiesKHR(VkPhysicalDevice physicalDevice, uint32_t *pPropertyCount,
                                                       VkCooperativeMatrixPropertiesKHR *pProperties)
{
   VK_FROM(vk_physical_device, device, physicalDevice);
   const uint32_t count = device->screen->caps.matrix_products ? FLOATS + INTEGERS : 0;
   const uint32_t room = *pPropertyCount;
   *pPropertyCount = pProperties ? MIN2(room, count) : count;
   for (uint32_t i = 0; pProperties && i < *pPropertyCount; i++) {
      void *next = pProperties[i].pNext;
      pProperties[i] = product_at(i);
      pProperties[i].pNext = next;
   }
   return pProperties && room < count ? VK_INCOMPLETE : VK_SUCCESS;
}
