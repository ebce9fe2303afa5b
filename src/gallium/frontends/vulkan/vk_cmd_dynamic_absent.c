/* Commands of extended dynamic states whose features no device here has. They have an address, as all commands of an
 * extension do; to call them is an error of the application, of which a line in the log tells. */
#include "gallium/frontends/vulkan/vk_private.h"
#include "util/log.h"

#define ABSENT(command, ...)                                                                                         \
   VKAPI_ATTR void VKAPI_CALL indium_##command(VkCommandBuffer commandBuffer, __VA_ARGS__)                           \
   {                                                                                                                 \
      log_error("vk" #command ": the device has no such state");                                                     \
   }

ABSENT(CmdSetPatchControlPointsEXT, uint32_t patchControlPoints)
ABSENT(CmdSetTessellationDomainOriginEXT, VkTessellationDomainOrigin domainOrigin)
ABSENT(CmdSetRasterizationStreamEXT, uint32_t rasterizationStream)
ABSENT(CmdSetConservativeRasterizationModeEXT, VkConservativeRasterizationModeEXT conservativeRasterizationMode)
ABSENT(CmdSetExtraPrimitiveOverestimationSizeEXT, float extraPrimitiveOverestimationSize)
ABSENT(CmdSetDepthClipEnableEXT, VkBool32 depthClipEnable)
ABSENT(CmdSetSampleLocationsEnableEXT, VkBool32 sampleLocationsEnable)
ABSENT(CmdSetColorBlendAdvancedEXT, uint32_t firstAttachment, uint32_t attachmentCount,
       const VkColorBlendAdvancedEXT *pColorBlendAdvanced)
ABSENT(CmdSetProvokingVertexModeEXT, VkProvokingVertexModeEXT provokingVertexMode)
ABSENT(CmdSetLineRasterizationModeEXT, VkLineRasterizationModeEXT lineRasterizationMode)
ABSENT(CmdSetLineStippleEnableEXT, VkBool32 stippledLineEnable)
ABSENT(CmdSetDepthClipNegativeOneToOneEXT, VkBool32 negativeOneToOne)
ABSENT(CmdSetViewportWScalingEnableNV, VkBool32 viewportWScalingEnable)
ABSENT(CmdSetViewportSwizzleNV, uint32_t firstViewport, uint32_t viewportCount,
       const VkViewportSwizzleNV *pViewportSwizzles)
ABSENT(CmdSetCoverageToColorEnableNV, VkBool32 coverageToColorEnable)
ABSENT(CmdSetCoverageToColorLocationNV, uint32_t coverageToColorLocation)
ABSENT(CmdSetCoverageModulationModeNV, VkCoverageModulationModeNV coverageModulationMode)
ABSENT(CmdSetCoverageModulationTableEnableNV, VkBool32 coverageModulationTableEnable)
ABSENT(CmdSetCoverageModulationTableNV, uint32_t coverageModulationTableCount, const float *pCoverageModulationTable)
ABSENT(CmdSetShadingRateImageEnableNV, VkBool32 shadingRateImageEnable)
ABSENT(CmdSetRepresentativeFragmentTestEnableNV, VkBool32 representativeFragmentTestEnable)
ABSENT(CmdSetCoverageReductionModeNV, VkCoverageReductionModeNV coverageReductionMode)
