/* Layouts, pools and sets of descriptors. */
#ifndef INDIUM_VK_DESCRIPTOR_H
#define INDIUM_VK_DESCRIPTOR_H

#include "compiler/nir/nir_passes.h"
#include "gallium/frontends/vulkan/vk_object.h"
#include "gallium/include/pipe/p_context.h"
#include "util/max_tree.h"

struct vk_device;

#define VK_MAX_DESCRIPTOR_BUFFERS 32 /* bound at once */
#define VK_MAX_DESCRIPTORS (1u << 20) /* of each kind, in sets and stages */
#define VK_MAX_SET_B (UINT32_C(1) << 29)
#define VK_MAX_INLINE_BLOCK_B (4u << 20)
#define VK_MAX_INLINE_BLOCKS 64
#define VK_DESCRIPTOR_ALIGNMENT_B 16 /* of all that is in a set */

struct vk_set_layout {
   uint32_t references; /* the layout itself, pipeline layouts and sets keep it */
   VkAllocationCallbacks allocator_copy;
   bool has_allocator;
   uint32_t num_samplers;
   struct pipe_sampler **samplers; /* storage of the immutable ones */
   uint64_t samplers_hash;         /* of those of vk_sampler; 0: of too much */
   uint32_t num_conversions;
   struct nir_ycbcr_binding *conversions; /* bindings with samplers that convert; the set's number is not known */
   struct nir_ycbcr *converting;          /* storage of their elements */
   struct pipe_set_layout layout;         /* the bindings follow the struct */
};

struct vk_pipeline_layout {
   uint32_t references; /* the layout itself, and libraries */
   VkAllocationCallbacks allocator_copy;
   bool has_allocator;
   struct pipe_pipeline_layout layout;
   struct vk_set_layout *sets[PIPE_MAX_SETS];
};

struct vk_descriptor_pool {
   struct vk_device *device;
   bool individual_free;
   uint8_t fill; /* what sets consist of before they are written: nulls, or what is no descriptor */
   uint32_t max_sets;
   struct pipe_memory *memory;
   struct pipe_resource *buffer;
   uint8_t *map;
   uint64_t size_B, used_B;
   struct vk_descriptor_set *sets; /* max_sets slots, and one that stands for the end of the buffer */
   uint32_t num_used, num_touched; /* slots: with sets; the first ones, which have been used since the last reset */
   uint32_t first_free;            /* of those touched, by `after`; UINT32_MAX: none */
   struct max_tree gaps;           /* with individual_free: bytes before the set of each slot */
};

struct vk_descriptor_set {
   struct vk_descriptor_pool *pool;
   struct vk_set_layout *layout; /* NULL: the slot is free */
   struct vk_private_value *private_values;
   struct pipe_descriptor_set set;
   uint64_t size_B;
   uint32_t before, after; /* slots of its neighbours in the buffer; those of the first and the last: the end's */
   uint8_t *words;
   struct pipe_dynamic_buffer *dynamic; /* layout->num_dynamic, without the dynamic offsets */
};

struct vk_update_template {
   VkPipelineBindPoint point; /* of templates of push descriptors */
   uint32_t count;
   VkDescriptorUpdateTemplateEntry entries[];
};

/* PIPE_DESCRIPTOR_KINDS: of an extension that is not offered. */
enum pipe_descriptor vk_descriptor_kind(VkDescriptorType type);
/* Bytes in a set; of mutable ones the largest of list `index`, or of all kinds if there is none. */
uint32_t vk_descriptor_size_B(const struct pipe_caps *caps, VkDescriptorType type,
                              const VkMutableDescriptorTypeCreateInfoEXT *lists, uint32_t index);

/* vk_descriptor_update.c: what a write or a template says, into the set (of a pool or pushed). */
void vk_write_descriptors(const struct pipe_screen *screen, const struct vk_descriptor_set *set,
                          const VkWriteDescriptorSet *write);
void vk_write_by_template(const struct pipe_screen *screen, const struct vk_descriptor_set *set,
                          const struct vk_update_template *template, const void *data);
/* Immutable samplers never get an update; images that are combined with them stay. */
enum pipe_bind_point vk_bind_point(VkPipelineBindPoint point);
void vk_write_immutable_samplers(const struct pipe_screen *screen, const struct vk_descriptor_set *set);
/* Binds a set of nothing else, whose descriptors go to the command buffer's memory. */
void vk_push_immutable_samplers(struct vk_command_buffer *cmd, VkPipelineBindPoint point, VkPipelineLayout layout,
                                uint32_t set);

#endif
