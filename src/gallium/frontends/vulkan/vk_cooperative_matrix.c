/* VK_KHR_cooperative_matrix: the products that are offered, which are those of nir's matrix_multiply_add. */
#include "compiler/nir/nir_matrix.h"
#include "gallium/frontends/vulkan/vk_private.h"
#include "util/macros.h"

enum {
   U8 = VK_COMPONENT_TYPE_UINT8_KHR,
   S8 = VK_COMPONENT_TYPE_SINT8_KHR,
   U32 = VK_COMPONENT_TYPE_UINT32_KHR,
   S32 = VK_COMPONENT_TYPE_SINT32_KHR,
   F16 = VK_COMPONENT_TYPE_FLOAT16_KHR,
   F32 = VK_COMPONENT_TYPE_FLOAT32_KHR,
};

static const struct {
   int a, b, c; /* c: of the result, too */
   bool saturates;
} products[] = {
   {U8, U8, U32, false}, {U8, U8, S32, false}, {U8, U8, S32, true},    {U8, S8, U32, false},   {U8, S8, S32, false},
   {U8, S8, S32, true},  {S8, U8, U32, false}, {S8, U8, S32, false},   {S8, U8, S32, true},    {S8, S8, U32, false},
   {S8, S8, S32, false}, {S8, S8, S32, true},  {F16, F16, F16, false}, {F16, F16, F32, false},
};

static VkCooperativeMatrixPropertiesKHR
product_at(uint32_t index)
{
   return (VkCooperativeMatrixPropertiesKHR){
      .sType = VK_STRUCTURE_TYPE_COOPERATIVE_MATRIX_PROPERTIES_KHR,
      .MSize = NIR_MATRIX_SIDE,
      .NSize = NIR_MATRIX_SIDE,
      .KSize = NIR_MATRIX_SIDE,
      .AType = (VkComponentTypeKHR)products[index].a,
      .BType = (VkComponentTypeKHR)products[index].b,
      .CType = (VkComponentTypeKHR)products[index].c,
      .ResultType = (VkComponentTypeKHR)products[index].c,
      .saturatingAccumulation = products[index].saturates,
      .scope = VK_SCOPE_SUBGROUP_KHR,
   };
}

VKAPI_ATTR VkResult VKAPI_CALL
indium_GetPhysicalDeviceCooperativeMatrixPropertiesKHR(VkPhysicalDevice physicalDevice, uint32_t *pPropertyCount,
                                                       VkCooperativeMatrixPropertiesKHR *pProperties)
{
   VK_FROM(vk_physical_device, device, physicalDevice);
   const uint32_t count = device->screen->caps.matrix_products ? (uint32_t)ARRAY_SIZE(products) : 0;
   const uint32_t room = *pPropertyCount;
   *pPropertyCount = pProperties ? MIN2(room, count) : count;
   for (uint32_t i = 0; pProperties && i < *pPropertyCount; i++) {
      void *next = pProperties[i].pNext;
      pProperties[i] = product_at(i);
      pProperties[i].pNext = next;
   }
   return pProperties && room < count ? VK_INCOMPLETE : VK_SUCCESS;
}
