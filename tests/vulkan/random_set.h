/* The set of a random pass: an input attachment, as a descriptor set or in a descriptor buffer. */
#ifndef RANDOM_SET_H
#define RANDOM_SET_H

#include "vkt.h"

struct random_set {
   bool in_buffer;
   VkDescriptorSetLayout layout;
   VkDescriptorPool pool;
   struct vkx_buffer buffer;
};

/* Does this tree's driver run, on a device that has descriptor buffers? */
bool random_has_descriptor_buffers(struct vkx *vkx);

/* Creates the layout; in_buffer is set. */
void random_set_create(struct vkx *vkx, struct random_set *set);
void random_set_bind(struct vkx *vkx, VkCommandBuffer cmd, struct random_set *set, VkPipelineLayout layout,
                     VkImageView view);
void random_set_destroy(struct vkx *vkx, struct random_set *set);

#endif
