/* Descriptor sets of test programs, step by step; vkt_bindings_create() (vkt.h) does all of it for one set. What
 * fails ends the program. next: the chain of the create info. */
#ifndef VKT_SETS_H
#define VKT_SETS_H

#include "vkt.h"

/* Also expects that vkGetDescriptorSetLayoutSupport() allows it. */
VkDescriptorSetLayout vkt_set_layout_create(struct vkx *vkx, const void *next, VkDescriptorSetLayoutCreateFlags flags,
                                            uint32_t count, const VkDescriptorSetLayoutBinding *bindings);
/* push_B: bytes of push constants of the compute stage, from 0 on. */
VkPipelineLayout vkt_pipeline_layout_create(struct vkx *vkx, VkPipelineLayoutCreateFlags flags, uint32_t count,
                                            const VkDescriptorSetLayout *sets, uint32_t push_B);
VkDescriptorPool vkt_pool_create(struct vkx *vkx, const void *next, VkDescriptorPoolCreateFlags flags, uint32_t sets,
                                 uint32_t count, const VkDescriptorPoolSize *sizes);
void vkt_sets_allocate(struct vkx *vkx, const void *next, VkDescriptorPool pool, uint32_t count,
                       const VkDescriptorSetLayout *layouts, VkDescriptorSet *sets);
/* The same, but returns what fails. */
VkResult vkt_sets_try(struct vkx *vkx, const void *next, VkDescriptorPool pool, uint32_t count,
                      const VkDescriptorSetLayout *layouts, VkDescriptorSet *sets);
void vkt_descriptor_write(struct vkx *vkx, VkDescriptorSet set, uint32_t binding, uint32_t element,
                          const struct vkt_descriptor *descriptor);

#endif
