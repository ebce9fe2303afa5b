/* Commands of extended dynamic states whose features no device here has. They have an address, as all commands of an
 * extension do; to call them is an error of the application, of which a line in the log tells. */
#include "gallium/frontends/vulkan/vk_private.h"
#include "util/log.h"

static void
absent(const char *command)
{
   log_error("%s: the device has no such state", command);
}

VKAPI_ATTR void VKAPI_CALL
indium_CmdSetPatchControlPointsEXT(VkCommandBuffer commandBuffer, uint32_t patchControlPoints)
{
   absent("vkCmdSetPatchControlPointsEXT");
}

VKAPI_ATTR void VKAPI_CALL
indium_CmdSetTessellationDomainOriginEXT(VkCommandBuffer commandBuffer, VkTessellationDomainOrigin domainOrigin)
{
   absent("vkCmdSetTessellationDomainOriginEXT");
}

VKAPI_ATTR void VKAPI_CALL
indium_CmdSetRasterizationStreamEXT(VkCommandBuffer commandBuffer, uint32_t rasterizationStream)
{
   absent("vkCmdSetRasterizationStreamEXT");
}

VKAPI_ATTR void VKAPI_CALL
indium_CmdSetConservativeRasterizationModeEXT(VkCommandBuffer commandBuffer,
                                              VkConservativeRasterizationModeEXT conservativeRasterizationMode)
{
   absent("vkCmdSetConservativeRasterizationModeEXT");
}

VKAPI_ATTR void VKAPI_CALL
indium_CmdSetExtraPrimitiveOverestimationSizeEXT(VkCommandBuffer commandBuffer,
                                                 float extraPrimitiveOverestimationSize)
{
   absent("vkCmdSetExtraPrimitiveOverestimationSizeEXT");
}

VKAPI_ATTR void VKAPI_CALL
indium_CmdSetDepthClipEnableEXT(VkCommandBuffer commandBuffer, VkBool32 depthClipEnable)
{
   absent("vkCmdSetDepthClipEnableEXT");
}

VKAPI_ATTR void VKAPI_CALL
indium_CmdSetSampleLocationsEnableEXT(VkCommandBuffer commandBuffer, VkBool32 sampleLocationsEnable)
{
   absent("vkCmdSetSampleLocationsEnableEXT");
}

VKAPI_ATTR void VKAPI_CALL
indium_CmdSetColorBlendAdvancedEXT(VkCommandBuffer commandBuffer, uint32_t firstAttachment, uint32_t attachmentCount,
                                   const VkColorBlendAdvancedEXT *pColorBlendAdvanced)
{
   absent("vkCmdSetColorBlendAdvancedEXT");
}

VKAPI_ATTR void VKAPI_CALL
indium_CmdSetProvokingVertexModeEXT(VkCommandBuffer commandBuffer, VkProvokingVertexModeEXT provokingVertexMode)
{
   absent("vkCmdSetProvokingVertexModeEXT");
}

VKAPI_ATTR void VKAPI_CALL
indium_CmdSetLineRasterizationModeEXT(VkCommandBuffer commandBuffer, VkLineRasterizationModeEXT lineRasterizationMode)
{
   absent("vkCmdSetLineRasterizationModeEXT");
}

VKAPI_ATTR void VKAPI_CALL
indium_CmdSetLineStippleEnableEXT(VkCommandBuffer commandBuffer, VkBool32 stippledLineEnable)
{
   absent("vkCmdSetLineStippleEnableEXT");
}

VKAPI_ATTR void VKAPI_CALL
indium_CmdSetDepthClipNegativeOneToOneEXT(VkCommandBuffer commandBuffer, VkBool32 negativeOneToOne)
{
   absent("vkCmdSetDepthClipNegativeOneToOneEXT");
}

VKAPI_ATTR void VKAPI_CALL
indium_CmdSetViewportWScalingEnableNV(VkCommandBuffer commandBuffer, VkBool32 viewportWScalingEnable)
{
   absent("vkCmdSetViewportWScalingEnableNV");
}

VKAPI_ATTR void VKAPI_CALL
indium_CmdSetViewportSwizzleNV(VkCommandBuffer commandBuffer, uint32_t firstViewport, uint32_t viewportCount,
                               const VkViewportSwizzleNV *pViewportSwizzles)
{
   absent("vkCmdSetViewportSwizzleNV");
}

VKAPI_ATTR void VKAPI_CALL
indium_CmdSetCoverageToColorEnableNV(VkCommandBuffer commandBuffer, VkBool32 coverageToColorEnable)
{
   absent("vkCmdSetCoverageToColorEnableNV");
}

VKAPI_ATTR void VKAPI_CALL
indium_CmdSetCoverageToColorLocationNV(VkCommandBuffer commandBuffer, uint32_t coverageToColorLocation)
{
   absent("vkCmdSetCoverageToColorLocationNV");
}

VKAPI_ATTR void VKAPI_CALL
indium_CmdSetCoverageModulationModeNV(VkCommandBuffer commandBuffer,
                                      VkCoverageModulationModeNV coverageModulationMode)
{
   absent("vkCmdSetCoverageModulationModeNV");
}

VKAPI_ATTR void VKAPI_CALL
indium_CmdSetCoverageModulationTableEnableNV(VkCommandBuffer commandBuffer, VkBool32 coverageModulationTableEnable)
{
   absent("vkCmdSetCoverageModulationTableEnableNV");
}

VKAPI_ATTR void VKAPI_CALL
indium_CmdSetCoverageModulationTableNV(VkCommandBuffer commandBuffer, uint32_t coverageModulationTableCount,
                                       const float *pCoverageModulationTable)
{
   absent("vkCmdSetCoverageModulationTableNV");
}

VKAPI_ATTR void VKAPI_CALL
indium_CmdSetShadingRateImageEnableNV(VkCommandBuffer commandBuffer, VkBool32 shadingRateImageEnable)
{
   absent("vkCmdSetShadingRateImageEnableNV");
}

VKAPI_ATTR void VKAPI_CALL
indium_CmdSetRepresentativeFragmentTestEnableNV(VkCommandBuffer commandBuffer,
                                                VkBool32 representativeFragmentTestEnable)
{
   absent("vkCmdSetRepresentativeFragmentTestEnableNV");
}

VKAPI_ATTR void VKAPI_CALL
indium_CmdSetCoverageReductionModeNV(VkCommandBuffer commandBuffer, VkCoverageReductionModeNV coverageReductionMode)
{
   absent("vkCmdSetCoverageReductionModeNV");
}
