/* What the API tests share: a Vulkan 1.1 device with everything it offers, checks that count, images of all kinds.
 * The programs name no driver: they run on any Vulkan 1.1 device and skip what it does not offer. */
#ifndef VKT_H
#define VKT_H

#include "vkx.h"

/* A Vulkan 1.1 device with every feature (robust access: if vkt_robust), and every extension of the list in vkt.c
 * that it has. Its queue is of the first family; VKT_FAMILY=1 in the environment runs programs that need no graphics
 * on another family, VKT_PARTS=1 sets vkt_parts. */
struct vkx vkt_create(const char *program);

/* A second device of the same physical device. */
struct vkx vkt_create_second(const struct vkx *first);

/* Is the extension enabled? */
bool vkt_has(const char *extension);

/* The features that were enabled. */
extern VkPhysicalDeviceFeatures vkt_features;
/* Whether the driver is this tree's. */
bool vkt_is_indium(struct vkx *vkx);
/* Set before vkt_create: robustBufferAccess too; robustBufferAccess2 too. */
extern bool vkt_robust, vkt_robust2;
extern bool vkt_float16, vkt_int8; /* in shaders */
/* Set before vkt_create: mesh shaders too, and what they need. */
extern bool vkt_mesh_shaders;
extern bool vkt_libraries;      /* the same of pipelines' libraries */
extern bool vkt_shading_rates;  /* and of shading rates */
extern bool vkt_shader_objects; /* and of shader objects, which Debian's validation layer does not know */
extern bool vkt_samplers; /* and of samplers and views: borders, cubes with edges, min/max, Y'CbCr, parts of 3D */
extern bool vkt_parts;    /* pipelines are linked from libraries (vkt_draw.h), which the device must have */

extern bool vkt_unrestricted_depth; /* and depth beyond 0 and 1 */
extern bool vkt_level_stores;       /* and stores to levels of images, which some drivers do not compress then */

extern bool vkt_generated_commands; /* and commands that the device generates */
extern bool vkt_legacy_attributes;  /* and vertex attributes at any address */
extern bool vkt_address_reports;    /* and reports of addresses, with VK_EXT_debug_utils of the instance */

/* One of them: devices with both features are not valid. */
extern bool vkt_fragment_masks, vkt_descriptor_buffers;

/* Set before vkt_create: buffers may lack memory. Without it AMD's shaders may use scalar loads. */
extern bool vkt_generated_query; /* false: programs do not count for it */
extern bool vkt_sparse_buffers;

/* Set before vkt_create: the device has all queues of all families, otherwise one of the first. Here is the list. */
extern bool vkt_all_queues;
#define VKT_MAX_QUEUES 32
struct vkt_queue {
   VkQueue queue;
   uint32_t family;
   VkQueueFlags flags;
};
extern struct vkt_queue vkt_queues[VKT_MAX_QUEUES];
extern uint32_t vkt_num_queues;

/* A device-level command, or NULL. */
#define VKT_PROC(vkx, name) ((PFN_##name)vkGetDeviceProcAddr((vkx)->device, #name))

/* Counts; prints a line if it failed. Returns ok. */
bool vkt_expect(bool ok, const char *format, ...) __attribute__((format(printf, 2, 3)));
void vkt_skip(const char *what);

/* Prints the counts and destroys the device (NULL: none); the exit status. */
int vkt_finish(struct vkx *vkx);

/* The next number of a fixed sequence; vkt_random_below: below a limit that is not 0; vkt_seed: another sequence. */
uint32_t vkt_random(void);
void vkt_seed(uint32_t sequence);
uint32_t vkt_random_below(uint32_t limit);

struct vkt_image {
   VkImage image;
   VkDeviceMemory memory;
   VkImageCreateInfo info;
};

/* Fills in sType and what is 0: one level, one layer, one sample, depth 1. host_visible: for linear images. */
struct vkt_image vkt_image_create(struct vkx *vkx, VkImageCreateInfo info, bool host_visible);
void vkt_image_destroy(struct vkx *vkx, struct vkt_image *image);

/* One level, `layers` layers. */
VkImageView vkt_view_create(struct vkx *vkx, const struct vkt_image *image, VkImageViewType type,
                            VkImageAspectFlags aspects, uint32_t level, uint32_t first_layer, uint32_t layers);
/* size: fields of VkImageViewCreateInfo */

VkImageAspectFlags vkt_aspects(VkFormat format);

/* Everything before, and all it wrote, before everything after. */
void vkt_barrier(VkCommandBuffer cmd);

/* The same, and the whole image goes from one layout to another. */
void vkt_transition(VkCommandBuffer cmd, const struct vkt_image *image, VkImageLayout from, VkImageLayout to);

/* Begins conditional rendering by a 32-bit word of a buffer. */
void vkt_begin_condition(struct vkx *vkx, VkCommandBuffer cmd, const struct vkx_buffer *words, uint32_t word,
                         bool inverted);

/* A host-visible buffer for everything, filled with a byte. */
struct vkx_buffer vkt_buffer_create(struct vkx *vkx, VkDeviceSize size_B, int fill);

/* The same at an offset of its memory, with an address: where shaders find it. The device has
 * VK_KHR_buffer_device_address. */
struct vkx_buffer vkt_addressed_create(struct vkx *vkx, VkDeviceSize size_B, int fill);
uint64_t vkt_address(struct vkx *vkx, const struct vkx_buffer *buffer);

/* One descriptor; only the members of its type count. */
struct vkt_descriptor {
   VkDescriptorType type;
   VkBuffer buffer;
   VkDeviceSize offset_B, range_B; /* range_B 0: to the end */
   VkImageView view;
   VkImageLayout layout; /* UNDEFINED: GENERAL */
   VkSampler sampler;
   VkBufferView texels;
};

/* A set whose bindings 0 to count - 1 have one descriptor each. *pool: where it comes from; VK_NULL_HANDLE becomes a
 * new pool that has room for this set only. */
VkDescriptorSet vkt_bindings_create(struct vkx *vkx, VkDescriptorPool *pool, VkDescriptorSetLayout layout,
                                    uint32_t count, const struct vkt_descriptor *descriptors);

/* Writes the descriptors of such a set again. */
void vkt_bindings_write(struct vkx *vkx, VkDescriptorSet set, uint32_t count,
                        const struct vkt_descriptor *descriptors);

/* A set of one binding: the whole buffer. All of them live until vkt_sets_destroy. */
VkDescriptorSet vkt_set_create(struct vkx *vkx, VkDescriptorSetLayout layout, VkDescriptorType type,
                               const struct vkx_buffer *buffer);
void vkt_sets_destroy(struct vkx *vkx);

#endif
