/* From pipeline stages to nir. */
#ifndef INDIUM_VK_SHADER_H
#define INDIUM_VK_SHADER_H

#include "compiler/nir/nir_shader_info.h"
#include "gallium/frontends/vulkan/vk_private.h"

/* VkShaderStageFlagBits are those of sets of enum nir_stage. */
_Static_assert(VK_SHADER_STAGE_VERTEX_BIT == 1 << NIR_STAGE_VERTEX &&
                  VK_SHADER_STAGE_TESSELLATION_CONTROL_BIT == 1 << NIR_STAGE_TESS_CTRL &&
                  VK_SHADER_STAGE_TESSELLATION_EVALUATION_BIT == 1 << NIR_STAGE_TESS_EVAL &&
                  VK_SHADER_STAGE_GEOMETRY_BIT == 1 << NIR_STAGE_GEOMETRY &&
                  VK_SHADER_STAGE_FRAGMENT_BIT == 1 << NIR_STAGE_FRAGMENT &&
                  VK_SHADER_STAGE_COMPUTE_BIT == 1 << NIR_STAGE_COMPUTE &&
                  VK_SHADER_STAGE_TASK_BIT_EXT == 1 << NIR_STAGE_TASK &&
                  VK_SHADER_STAGE_MESH_BIT_EXT == 1 << NIR_STAGE_MESH && NIR_STAGES == NIR_STAGE_MESH + 1,
               "the order of enum nir_stage");

/* The first stage of a set that is not empty. */
static inline enum nir_stage
vk_shader_stage(VkShaderStageFlags stages)
{
   return (enum nir_stage)__builtin_ctz(stages);
}

struct vk_spirv {
   const uint32_t *code;
   size_t words;
};

/* Of the stage's module or, where it has none, of the description of one that stands in its chain. */
struct vk_spirv vk_stage_code(const VkPipelineShaderStageCreateInfo *stage);

/* within_memory() for what translates or compiles such modules, with the stack that they want. */
bool vk_within_memory(const struct vk_spirv *code, uint32_t count, void (*run)(void *data), void *data);

/* A stage with what its pipeline says of robustness. */
struct vk_robust_stage {
   VkPipelineShaderStageCreateInfo stage;
   VkPipelineRobustnessCreateInfo robustness;
};

/* The stage, or one in the room that has the robustness of the pipeline's chain, if its own chain has none. */
const VkPipelineShaderStageCreateInfo *vk_robust_stage(const VkPipelineShaderStageCreateInfo *stage,
                                                       const void *of_pipeline, struct vk_robust_stage *room);

/* False, with a log line: it has no shaders of this stage. */
bool vk_device_has_stage(const struct vk_device *device, const VkPipelineShaderStageCreateInfo *stage);

/* The stage's entry point in the arena; NULL, with one log line, if the device has no such stage or it cannot be
 * translated. */
struct nir_shader *vk_shader_to_nir(struct vk_device *device, struct arena *arena,
                                    const VkPipelineShaderStageCreateInfo *stage);

/* Where the view index of a multiview pipeline lies among the push constants. */
#define VK_VIEW_INDEX_OFFSET_B 256

#endif
