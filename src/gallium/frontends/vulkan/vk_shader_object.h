/* Shader objects (VK_EXT_shader_object): a stage with all that the application may destroy, and the programs of those
 * that are bound together. */
#ifndef INDIUM_VK_SHADER_OBJECT_H
#define INDIUM_VK_SHADER_OBJECT_H

#include "gallium/frontends/vulkan/vk_private.h"
#include "gallium/frontends/vulkan/vk_variants.h"

struct vk_shader_object {
   enum nir_stage stage;
   VkShaderCreateFlagsEXT flags;
   struct vk_stage_copy *source;
   struct pipe_pipeline_layout layout; /* with a reference of each set's */
   struct vk_compiled *compiled;       /* without what draws bring; NULL: the driver cannot */
   struct pipe_program *program;       /* of compute shaders */
};

/* The programs of shaders that draw together, NULL for stages without one; made at the first call, and kept until one
 * of the shaders is forgotten. From any thread; NULL when out of memory. */
struct vk_variants *vk_shader_set(struct vk_device *device, const struct vk_shader_object *const shaders[NIR_STAGES]);
void vk_shader_sets_forget(struct vk_device *device, const struct vk_shader_object *shader);

/* ---- binaries (vk_shader_binary.c) ---- */

#define VK_SHADER_BINARY_VERSION 1
/* VkPhysicalDeviceShaderObjectPropertiesEXT.shaderBinaryUUID. */
const uint8_t *vk_shader_binary_uuid(const struct pipe_caps *caps);

/* Bytes that vk_shader_binary_write fills. */
size_t vk_shader_binary_size(const struct vk_shader_object *shader);
void vk_shader_binary_write(const struct vk_device *device, const struct vk_shader_object *shader, void *data);

/* The stage that a binary holds. False with *result: it is another version's, another device's, another stage's, or
 * damaged; or memory is short. */
struct vk_stage_copy *vk_shader_binary_read(struct vk_device *device, const VkShaderCreateInfoEXT *info,
                                            VkResult *result);

#endif
