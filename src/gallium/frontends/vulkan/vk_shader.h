/* From pipeline stages to nir. */
#ifndef INDIUM_VK_SHADER_H
#define INDIUM_VK_SHADER_H

#include "compiler/nir/nir.h"
#include "gallium/frontends/vulkan/vk_private.h"

/* The stage's entry point in the arena; NULL, with one log line, if it cannot be translated. */
struct nir_shader *vk_shader_to_nir(struct vk_device *device, struct arena *arena,
                                    const VkPipelineShaderStageCreateInfo *stage);

/* Where the view index of a multiview pipeline lies among the push constants. */
#define VK_VIEW_INDEX_OFFSET_B 256

#endif
