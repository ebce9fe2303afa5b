/* Binaries of pipelines (VK_KHR_pipeline_binary): a saved program, or the stages as they were described where
 * programs are made later. */
#ifndef INDIUM_VK_PIPELINE_BINARY_H
#define INDIUM_VK_PIPELINE_BINARY_H

#include "gallium/frontends/vulkan/vk_cache.h"

/* That of a chain; NULL: it has none. Whoever made it has checked it. */
const struct vk_saved *vk_pipeline_binary_of(const void *chain);

/* Whether the pipeline's program is in it; else it has its stages. */
bool vk_pipeline_binary_has_program(const struct vk_saved *binary);

/* The pipeline's program, and which stages it has. */
enum pipe_result vk_pipeline_binary_load(struct vk_device *device, const struct vk_saved *binary,
                                         struct vk_pipeline *pipeline);

/* The stages that are in it, each with a reference; false when out of memory, or if they are damaged. */
bool vk_pipeline_binary_stages(struct vk_device *device, const struct vk_saved *binary,
                               struct vk_stage_copy *stages[NIR_STAGES]);

/* Keeps with the pipeline what it was made of: a binary; a saved program; or, where there is neither, the stages. */
enum pipe_result vk_pipeline_binary_capture(struct vk_device *device, struct vk_pipeline *pipeline,
                                            const struct vk_saved *binary, const struct vk_saved *program,
                                            const VkPipelineShaderStageCreateInfo *const stages[NIR_STAGES]);

/* Keys of pipelines by their descriptions: vk_pipeline_graphics.c, vk_pipeline_compute.c. *simple: a binary would be
 * the saved program of that key. False: it cannot be one. */
bool vk_graphics_pipeline_key(struct vk_device *device, const VkGraphicsPipelineCreateInfo *info,
                              struct vk_cache_key *key, bool *simple);
bool vk_compute_pipeline_key(struct vk_device *device, const VkComputePipelineCreateInfo *info,
                             struct vk_cache_key *key);

#endif
