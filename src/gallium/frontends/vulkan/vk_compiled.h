/* Shaders that were compiled separately; libraries share them. */
#ifndef INDIUM_VK_COMPILED_H
#define INDIUM_VK_COMPILED_H

#include "gallium/frontends/vulkan/vk_private.h"

/* Takes the shader, with one reference; NULL when out of memory, and the shader is destroyed. */
struct vk_compiled *vk_compiled(struct vk_device *device, struct pipe_shader *shader, bool incomplete);

struct vk_compiled *vk_compiled_ref(struct vk_compiled *compiled);

/* NULL is fine. */
void vk_compiled_unref(struct vk_device *device, struct vk_compiled *compiled);

#endif
