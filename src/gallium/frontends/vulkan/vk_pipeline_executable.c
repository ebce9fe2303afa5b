/* What pipelines became (VK_KHR_pipeline_executable_properties): each shader is an executable. Statistics are always
 * there, texts only if the pipeline was created to keep them. */
#include <inttypes.h>
#include <stdio.h>

#include "gallium/frontends/vulkan/vk_pipeline.h"
#include "gallium/frontends/vulkan/vk_shader.h"
#include "util/log.h"
#include "util/macros.h"

static struct pipe_shader_info
shader_info(struct vk_device *device, const struct vk_pipeline *pipeline, enum nir_stage stage)
{
   return device->screen->program_shader_info(device->screen, pipeline->program, stage);
}

/* The executable that the application means; false after logging one line. */
static bool
find_executable(struct vk_device *device, const struct vk_pipeline *pipeline, uint32_t number,
                struct pipe_shader_info *info)
{
   VkShaderStageFlags stages = pipeline->stages;
   for (uint32_t i = 0; i < number && stages; i++)
      stages &= stages - 1;
   if (!stages) {
      log_error("executable %u of a pipeline that has %d", number, __builtin_popcount(pipeline->stages));
      return false;
   }
   *info = shader_info(device, pipeline, vk_shader_stage(stages));
   return true;
}

VKAPI_ATTR VkResult VKAPI_CALL
indium_GetPipelineExecutablePropertiesKHR(VkDevice _device, const VkPipelineInfoKHR *pPipelineInfo,
                                          uint32_t *pExecutableCount, VkPipelineExecutablePropertiesKHR *pProperties)
{
   VK_FROM(vk_device, device, _device);
   VK_FROM(vk_pipeline, pipeline, pPipelineInfo->pipeline);
   uint32_t room = pProperties ? *pExecutableCount : UINT32_MAX, count = 0;
   for (VkShaderStageFlags stages = pipeline->stages; stages; stages &= stages - 1) {
      enum nir_stage stage = vk_shader_stage(stages);
      if (count == room)
         return VK_INCOMPLETE;
      if (pProperties) {
         VkPipelineExecutablePropertiesKHR *to = &pProperties[count];
         to->stages = 1u << stage;
         const struct pipe_shader_info info = shader_info(device, pipeline, stage);
         to->subgroupSize = info.wave_size;
         snprintf(to->name, sizeof(to->name), "%s shader", nir_stage_names[stage]);
         snprintf(to->description, sizeof(to->description), "Code of the %s shader, hash %016" PRIx64,
                  nir_stage_names[stage], info.stats.code_hash);
      }
      *pExecutableCount = ++count;
   }
   return VK_SUCCESS;
}

/* ---- statistics ---- */

#define STATISTIC(member, name, description) {offsetof(struct pipe_shader_stats, member), name, description}
static const struct {
   size_t member_B;
   const char *name, *description;
} statistics[] = {
   STATISTIC(instructions, "Instructions", "Instructions of the hardware"),
   STATISTIC(code_B, "Code size", "Bytes of the instructions"),
   STATISTIC(sgprs, "SGPRs", "Scalar registers that are used"),
   STATISTIC(vgprs, "VGPRs", "Vector registers that are used"),
   STATISTIC(spilled_sgprs, "Spilled SGPRs", "Scalar registers' worth of values that are kept in lanes of VGPRs"),
   STATISTIC(spilled_vgprs, "Spilled VGPRs", "Vector registers' worth of values that are kept in scratch memory"),
   STATISTIC(scratch_B, "Scratch size", "Bytes of private memory of an invocation"),
   STATISTIC(lds_B, "LDS size", "Bytes of shared memory of a workgroup"),
   STATISTIC(waves, "Waves", "Waves that fit into a SIMD by their vector registers"),
   STATISTIC(valu, "VALU", "Vector arithmetic instructions"),
   STATISTIC(salu, "SALU", "Scalar arithmetic and control instructions"),
   STATISTIC(smem, "SMEM", "Scalar memory instructions"),
   STATISTIC(vmem, "VMEM", "Vector memory instructions"),
   STATISTIC(lds, "LDS", "Shared memory instructions"),
   STATISTIC(branches, "Branches", "Branch instructions"),
   STATISTIC(copies, "Copies", "Instructions that only move values between registers"),
   STATISTIC(loops, "Loops", "Loops of the code"),
   STATISTIC(preamble, "Preamble instructions", "Instructions that run once a draw or dispatch, besides the others"),
};

VKAPI_ATTR VkResult VKAPI_CALL
indium_GetPipelineExecutableStatisticsKHR(VkDevice _device, const VkPipelineExecutableInfoKHR *pExecutableInfo,
                                          uint32_t *pStatisticCount, VkPipelineExecutableStatisticKHR *pStatistics)
{
   VK_FROM(vk_device, device, _device);
   VK_FROM(vk_pipeline, pipeline, pExecutableInfo->pipeline);
   bool captured = pipeline->capture & VK_PIPELINE_CREATE_CAPTURE_STATISTICS_BIT_KHR;
   uint32_t all = captured ? ARRAY_SIZE(statistics) : 0, count = MIN2(*pStatisticCount, all);
   if (!pStatistics) {
      *pStatisticCount = all;
      return VK_SUCCESS;
   }
   struct pipe_shader_info info;
   if (!find_executable(device, pipeline, pExecutableInfo->executableIndex, &info))
      return VK_ERROR_UNKNOWN;
   for (uint32_t i = 0; i < count; i++) {
      VkPipelineExecutableStatisticKHR *to = &pStatistics[i];
      snprintf(to->name, sizeof(to->name), "%s", statistics[i].name);
      snprintf(to->description, sizeof(to->description), "%s", statistics[i].description);
      to->format = VK_PIPELINE_EXECUTABLE_STATISTIC_FORMAT_UINT64_KHR;
      to->value.u64 = *(const uint32_t *)((const char *)&info.stats + statistics[i].member_B);
   }
   *pStatisticCount = count;
   return count < all ? VK_INCOMPLETE : VK_SUCCESS;
}

/* ---- texts ---- */

#define TEXT(member, name, description) {offsetof(struct pipe_shader_info, member), name, description}
static const struct {
   size_t member_B;
   const char *name, *description;
} texts[] = {
   TEXT(nir, "nir", "The shader as the compiler's back end gets it"),
   TEXT(machine_ir, "machine IR", "Selected instructions, and these with their registers"),
   TEXT(assembly, "assembly", "Instructions of the hardware"),
};

/* False if the text was cut: to as many whole bytes as fit, the end of the string among them. */
static bool
give_text(VkPipelineExecutableInternalRepresentationKHR *to, const char *text)
{
   size_t size_B = strlen(text) + 1, room_B = to->dataSize;
   to->isText = VK_TRUE;
   to->dataSize = size_B;
   if (!to->pData)
      return true;
   to->dataSize = MIN2(size_B, room_B);
   if (to->dataSize)
      snprintf(to->pData, to->dataSize, "%s", text);
   return room_B >= size_B;
}

VKAPI_ATTR VkResult VKAPI_CALL
indium_GetPipelineExecutableInternalRepresentationsKHR(
   VkDevice _device, const VkPipelineExecutableInfoKHR *pExecutableInfo, uint32_t *pInternalRepresentationCount,
   VkPipelineExecutableInternalRepresentationKHR *pInternalRepresentations)
{
   VK_FROM(vk_device, device, _device);
   VK_FROM(vk_pipeline, pipeline, pExecutableInfo->pipeline);
   uint32_t all = vk_pipeline_captures_text(pipeline) ? ARRAY_SIZE(texts) : 0;
   uint32_t count = MIN2(*pInternalRepresentationCount, all);
   if (!pInternalRepresentations) {
      *pInternalRepresentationCount = all;
      return VK_SUCCESS;
   }
   struct pipe_shader_info info;
   if (!find_executable(device, pipeline, pExecutableInfo->executableIndex, &info))
      return VK_ERROR_UNKNOWN;
   bool whole = count == all;
   for (uint32_t i = 0; i < count; i++) {
      VkPipelineExecutableInternalRepresentationKHR *to = &pInternalRepresentations[i];
      const char *text = *(const char *const *)((const char *)&info + texts[i].member_B);
      snprintf(to->name, sizeof(to->name), "%s", texts[i].name);
      snprintf(to->description, sizeof(to->description), "%s", texts[i].description);
      whole &= give_text(to, text ? text : "");
   }
   *pInternalRepresentationCount = count;
   return whole ? VK_SUCCESS : VK_INCOMPLETE;
}
