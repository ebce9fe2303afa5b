/* What the examples share: a device, memory, and a way to run commands. Any failure prints one line and exits with 1.
 * Nothing here names a driver: the examples run on any Vulkan 1.0 device. */
#ifndef VKX_H
#define VKX_H

#include <stdbool.h>
#include <stddef.h>
#include <vulkan/vulkan.h>

struct vkx {
   VkInstance instance;
   VkPhysicalDevice physical;
   VkPhysicalDeviceProperties properties;
   VkPhysicalDeviceMemoryProperties memory;
   VkDevice device;
   uint32_t family;
   VkQueue queue;
   VkCommandPool pool;
};

struct vkx_buffer {
   VkBuffer buffer;
   VkDeviceMemory memory;
   VkDeviceSize size;
   void *map; /* host-visible buffers only */
};

struct vkx_image {
   VkImage image;
   VkDeviceMemory memory;
   VkImageView view; /* of all levels */
   VkFormat format;
   VkExtent2D extent;
   uint32_t levels;
};

/* The first device with a queue for graphics and compute, with every feature it offers but robust access; prints its
 * name. */
struct vkx vkx_create(const char *program);
/* The same on Vulkan 1.1 with a device extension, NULL for none, and its features behind pNext. Ends the program with
 * one line if the device lacks the extension. */
struct vkx vkx_create_with(const char *program, const char *extension, const void *features);
void vkx_destroy(struct vkx *vkx);

/* Ends the program when the result is an error. */
void vkx_check(VkResult result, const char *what);

struct vkx_buffer vkx_buffer_create(struct vkx *vkx, VkDeviceSize size, VkBufferUsageFlags usage, bool host_visible);
void vkx_buffer_destroy(struct vkx *vkx, struct vkx_buffer *buffer);

struct vkx_image vkx_image_create(struct vkx *vkx, VkFormat format, VkExtent2D extent, uint32_t levels,
                                  VkSampleCountFlagBits samples, VkImageUsageFlags usage, VkImageAspectFlags aspect);
/* size: fields of VkImageCreateInfo */
VkImageView vkx_view_create(struct vkx *vkx, const struct vkx_image *image, uint32_t level, uint32_t levels,
                            VkImageAspectFlags aspect);
void vkx_image_destroy(struct vkx *vkx, struct vkx_image *image);

VkShaderModule vkx_shader_create(struct vkx *vkx, const uint32_t *code, size_t size);
/* Up to 32 bindings. */
VkDescriptorSetLayout vkx_set_layout_create(struct vkx *vkx, uint32_t count, const VkDescriptorType *types,
                                            VkShaderStageFlags stages);
VkPipelineLayout vkx_pipeline_layout_create(struct vkx *vkx, VkDescriptorSetLayout set_layout,
                                            VkShaderStageFlags stages, uint32_t push_constant_size);
/* Destroys the shader module. */
VkPipeline vkx_compute_pipeline_create(struct vkx *vkx, VkPipelineLayout layout, VkShaderModule shader);

VkCommandBuffer vkx_begin(struct vkx *vkx);
/* Ends, submits and waits; frees the command buffer. */
void vkx_submit_and_wait(struct vkx *vkx, VkCommandBuffer cmd);
/* Ends the program if the device was lost. Fences do not tell with every driver, the next submission does. */
void vkx_expect_device(struct vkx *vkx);

void vkx_memory_barrier(VkCommandBuffer cmd, VkPipelineStageFlags src_stages, VkAccessFlags src_access,
                        VkPipelineStageFlags dst_stages, VkAccessFlags dst_access);
void vkx_image_barrier(VkCommandBuffer cmd, VkImage image, VkImageAspectFlags aspect, uint32_t level, uint32_t levels,
                       VkImageLayout old_layout, VkImageLayout new_layout, VkPipelineStageFlags src_stages,
                       VkAccessFlags src_access, VkPipelineStageFlags dst_stages, VkAccessFlags dst_access);
/* size: fields of VkImageMemoryBarrier */

/* 8-bit RGBA rows without padding. */
void vkx_write_png(const char *path, uint32_t width, uint32_t height, const void *rgba);

/* The argument behind `name`, or `otherwise`. */
const char *vkx_option(int argc, char **argv, const char *name, const char *otherwise);

/* Ends the program with the usage and status 2 if an argument is none of `names` (up to NULL), or has no value. */
void vkx_expect_options(int argc, char **argv, const char *const *names, const char *usage);

double vkx_seconds(void);

#endif
