/* Programs of graphics pipelines: compiled together, or linked from shaders that libraries have compiled separately.
 */
#ifndef INDIUM_VK_GRAPHICS_PROGRAM_H
#define INDIUM_VK_GRAPHICS_PROGRAM_H

#include "gallium/frontends/vulkan/vk_pipeline.h"

struct vk_graphics_program {
   struct vk_device *device;
   const struct vk_graphics_state *state; /* complete */
   const struct pipe_pipeline_layout *layout;
   bool capture_text;
   const VkPipelineShaderStageCreateInfo *stages[NIR_STAGES]; /* NULL: not there */
   struct vk_compiled *compiled[NIR_STAGES];                  /* those of them, NULL: not compiled; borrowed */
   struct vk_cache_use *cache;                                /* vk_cache.h; or NULL */
};

/* Of all stages. optimize: compiled together, even if it need not be. */
enum pipe_result vk_graphics_program_create(const struct vk_graphics_program *from, bool optimize,
                                            struct pipe_program **program);

/* Compiles a stage, or completes it, as far as the parts that it depends on are there, if a driver can compile it
 * separately; else *out is NULL. */
enum pipe_result vk_graphics_program_compile(const struct vk_graphics_program *from, enum nir_stage stage,
                                             struct vk_compiled **out);

/* Where what a stage depends on is there without it: compiles what completing any will need. */
enum pipe_result vk_graphics_program_prepare(const struct vk_graphics_program *from, enum nir_stage stage);

#endif
