/* Every capability of SPIR-V that vk.xml knows: if the device offers what enables it, a module that declares it
 * becomes a pipeline; if not, it is refused, where the API would allow anything. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "vkt.h"

struct capability {
   uint32_t number;
   const char *name;
};

static bool
has_extension(struct vkx *vkx, const char *name)
{
   uint32_t count = 0;
   bool found = false;
   vkEnumerateDeviceExtensionProperties(vkx->physical, NULL, &count, NULL);
   VkExtensionProperties *list = calloc(count + 1, sizeof(*list));
   vkEnumerateDeviceExtensionProperties(vkx->physical, NULL, &count, list);
   for (uint32_t i = 0; i < count; i++)
      found |= !strcmp(list[i].extensionName, name);
   free(list);
   return found;
}

static VkSubgroupFeatureFlags
subgroup_operations(struct vkx *vkx)
{
   VkPhysicalDeviceSubgroupProperties subgroup = {.sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_SUBGROUP_PROPERTIES};
   VkPhysicalDeviceProperties2 properties = {.sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_PROPERTIES_2,
                                             .pNext = &subgroup};
   vkGetPhysicalDeviceProperties2(vkx->physical, &properties);
   return subgroup.supportedOperations;
}

/* The extension does not say that shaders may ask. */
static bool
knows_fully_covered(struct vkx *vkx)
{
   VkPhysicalDeviceConservativeRasterizationPropertiesEXT conservative = {
      .sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_CONSERVATIVE_RASTERIZATION_PROPERTIES_EXT};
   VkPhysicalDeviceProperties2 two = {.sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_PROPERTIES_2,
                                      .pNext = &conservative};
   if (!has_extension(vkx, "VK_EXT_conservative_rasterization"))
      return false;
   vkGetPhysicalDeviceProperties2(vkx->physical, &two);
   return conservative.fullyCoveredFragmentShaderInputVariable;
}

/* All false without VK_KHR_shader_float_controls. */
static VkPhysicalDeviceFloatControlsProperties
float_controls(struct vkx *vkx)
{
   VkPhysicalDeviceFloatControlsProperties controls = {
      .sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_FLOAT_CONTROLS_PROPERTIES};
   VkPhysicalDeviceProperties2 properties = {.sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_PROPERTIES_2,
                                             .pNext = &controls};
   vkGetPhysicalDeviceProperties2(vkx->physical, &properties);
   return controls;
}

#define FEATURE(type, s_type, member)                                                                                \
   ({                                                                                                                \
      type feature = {.sType = s_type};                                                                              \
      VkPhysicalDeviceFeatures2 features = {.sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_FEATURES_2,                   \
                                            .pNext = &feature};                                                      \
      vkGetPhysicalDeviceFeatures2(vkx->physical, &features);                                                        \
      feature.member;                                                                                                \
   })
#include "capabilities.inc"

/* What a compute shader that does nothing makes of it. */
static VkResult
declare(struct vkx *vkx, VkPipelineLayout layout, uint32_t capability)
{
#define OP(number, words) ((uint32_t)(words) << 16 | number)
   const uint32_t words[] = {0x07230203,
                             0x10300,
                             0,
                             5,
                             0,
                             OP(17, 2),
                             1 /* Shader */,
                             OP(17, 2),
                             capability,
                             OP(14, 3),
                             0,
                             1 /* OpMemoryModel Logical GLSL450 */,
                             OP(15, 5),
                             5,
                             1,
                             0x6e69616d,
                             0 /* GLCompute %1 "main" */,
                             OP(16, 6),
                             1,
                             17,
                             1,
                             1,
                             1 /* LocalSize */,
                             OP(19, 2),
                             2,
                             OP(33, 3),
                             3,
                             2,
                             OP(54, 5),
                             2,
                             1,
                             0,
                             3,
                             OP(248, 2),
                             4,
                             OP(253, 1),
                             OP(56, 1)};
   const VkShaderModuleCreateInfo module_info = {
      .sType = VK_STRUCTURE_TYPE_SHADER_MODULE_CREATE_INFO, .codeSize = sizeof(words), .pCode = words};
   VkShaderModule module;
   if (vkCreateShaderModule(vkx->device, &module_info, NULL, &module) != VK_SUCCESS)
      return VK_ERROR_UNKNOWN;
   const VkComputePipelineCreateInfo info = {.sType = VK_STRUCTURE_TYPE_COMPUTE_PIPELINE_CREATE_INFO,
                                             .stage = {.sType = VK_STRUCTURE_TYPE_PIPELINE_SHADER_STAGE_CREATE_INFO,
                                                       .stage = VK_SHADER_STAGE_COMPUTE_BIT,
                                                       .module = module,
                                                       .pName = "main"},
                                             .layout = layout};
   VkPipeline pipeline = VK_NULL_HANDLE;
   const VkResult result = vkCreateComputePipelines(vkx->device, VK_NULL_HANDLE, 1, &info, NULL, &pipeline);
   vkDestroyPipeline(vkx->device, pipeline, NULL);
   vkDestroyShaderModule(vkx->device, module, NULL);
   return result;
}

int
main(void)
{
   enum { COUNT = sizeof(capabilities) / sizeof(capabilities[0]) };
   vkt_shading_rates = true;
   struct vkx vkx = vkt_create("capabilities");
   const VkPipelineLayoutCreateInfo info = {.sType = VK_STRUCTURE_TYPE_PIPELINE_LAYOUT_CREATE_INFO};
   VkPipelineLayout layout;
   vkx_check(vkCreatePipelineLayout(vkx.device, &info, NULL, &layout), "vkCreatePipelineLayout");
   unsigned total = 0;
   for (unsigned i = 0; i < COUNT; i++) {
      bool offered = false; /* by any name of that number */
      for (unsigned j = 0; j < COUNT; j++)
         offered |= capabilities[j].number == capabilities[i].number && is_offered(&vkx, j);
      total += offered;
      vkt_expect((declare(&vkx, layout, capabilities[i].number) == VK_SUCCESS) == offered, "%s is %s",
                 capabilities[i].name, offered ? "offered and refused" : "taken but not offered");
   }
   printf("%u of %u capabilities are offered\n", total, COUNT);
   vkDestroyPipelineLayout(vkx.device, layout, NULL);
   return vkt_finish(&vkx);
}
