#include "vkt_sets.h"

#include "vkt.h"

VkDescriptorSetLayout
vkt_set_layout_create(struct vkx *vkx, const void *next, VkDescriptorSetLayoutCreateFlags flags, uint32_t count,
                      const VkDescriptorSetLayoutBinding *bindings)
{
   const VkDescriptorSetLayoutCreateInfo info = {.sType = VK_STRUCTURE_TYPE_DESCRIPTOR_SET_LAYOUT_CREATE_INFO,
                                                 .pNext = next,
                                                 .flags = flags,
                                                 .bindingCount = count,
                                                 .pBindings = bindings};
   VkDescriptorSetLayoutSupport support = {.sType = VK_STRUCTURE_TYPE_DESCRIPTOR_SET_LAYOUT_SUPPORT};
   VkDescriptorSetLayout layout;
   vkGetDescriptorSetLayoutSupport(vkx->device, &info, &support);
   vkt_expect(support.supported, "vkGetDescriptorSetLayoutSupport");
   vkx_check(vkCreateDescriptorSetLayout(vkx->device, &info, NULL, &layout), "vkCreateDescriptorSetLayout");
   return layout;
}

VkPipelineLayout
vkt_pipeline_layout_create(struct vkx *vkx, VkPipelineLayoutCreateFlags flags, uint32_t count,
                           const VkDescriptorSetLayout *sets, uint32_t push_B)
{
   const VkPushConstantRange range = {VK_SHADER_STAGE_COMPUTE_BIT, 0, push_B};
   const VkPipelineLayoutCreateInfo info = {.sType = VK_STRUCTURE_TYPE_PIPELINE_LAYOUT_CREATE_INFO,
                                            .flags = flags,
                                            .setLayoutCount = count,
                                            .pSetLayouts = sets,
                                            .pushConstantRangeCount = push_B != 0,
                                            .pPushConstantRanges = &range};
   VkPipelineLayout layout;
   vkx_check(vkCreatePipelineLayout(vkx->device, &info, NULL, &layout), "vkCreatePipelineLayout");
   return layout;
}

VkDescriptorPool
vkt_pool_create(struct vkx *vkx, const void *next, VkDescriptorPoolCreateFlags flags, uint32_t sets, uint32_t count,
                const VkDescriptorPoolSize *sizes)
{
   const VkDescriptorPoolCreateInfo info = {.sType = VK_STRUCTURE_TYPE_DESCRIPTOR_POOL_CREATE_INFO,
                                            .pNext = next,
                                            .flags = flags,
                                            .maxSets = sets,
                                            .poolSizeCount = count,
                                            .pPoolSizes = sizes};
   VkDescriptorPool pool;
   vkx_check(vkCreateDescriptorPool(vkx->device, &info, NULL, &pool), "vkCreateDescriptorPool");
   return pool;
}

VkResult
vkt_sets_try(struct vkx *vkx, const void *next, VkDescriptorPool pool, uint32_t count,
             const VkDescriptorSetLayout *layouts, VkDescriptorSet *sets)
{
   const VkDescriptorSetAllocateInfo info = {.sType = VK_STRUCTURE_TYPE_DESCRIPTOR_SET_ALLOCATE_INFO,
                                             .pNext = next,
                                             .descriptorPool = pool,
                                             .descriptorSetCount = count,
                                             .pSetLayouts = layouts};
   return vkAllocateDescriptorSets(vkx->device, &info, sets);
}

void
vkt_sets_allocate(struct vkx *vkx, const void *next, VkDescriptorPool pool, uint32_t count,
                  const VkDescriptorSetLayout *layouts, VkDescriptorSet *sets)
{
   vkx_check(vkt_sets_try(vkx, next, pool, count, layouts, sets), "vkAllocateDescriptorSets");
}

void
vkt_descriptor_write(struct vkx *vkx, VkDescriptorSet set, uint32_t binding, uint32_t element,
                     const struct vkt_descriptor *d)
{
   const VkDescriptorBufferInfo buffer = {d->buffer, d->offset_B, d->range_B ? d->range_B : VK_WHOLE_SIZE};
   const VkDescriptorImageInfo image = {d->sampler, d->view, d->layout ? d->layout : VK_IMAGE_LAYOUT_GENERAL};
   const VkWriteDescriptorSet write = {.sType = VK_STRUCTURE_TYPE_WRITE_DESCRIPTOR_SET,
                                       .dstSet = set,
                                       .dstBinding = binding,
                                       .dstArrayElement = element,
                                       .descriptorCount = 1,
                                       .descriptorType = d->type,
                                       .pBufferInfo = &buffer,
                                       .pImageInfo = &image,
                                       .pTexelBufferView = &d->texels};
   vkUpdateDescriptorSets(vkx->device, 1, &write, 0, NULL);
}

/* ---- sets of one buffer ---- */

static VkDescriptorPool sets_pool;

VkDescriptorSet
vkt_set_create(struct vkx *vkx, VkDescriptorSetLayout layout, VkDescriptorType type, const struct vkx_buffer *buffer)
{
   if (!sets_pool) {
      const VkDescriptorPoolSize sizes[] = {{VK_DESCRIPTOR_TYPE_STORAGE_BUFFER, 64},
                                            {VK_DESCRIPTOR_TYPE_UNIFORM_BUFFER, 64}};
      const VkDescriptorPoolCreateInfo info = {.sType = VK_STRUCTURE_TYPE_DESCRIPTOR_POOL_CREATE_INFO,
                                               .maxSets = 64,
                                               .poolSizeCount = 2,
                                               .pPoolSizes = sizes};
      vkx_check(vkCreateDescriptorPool(vkx->device, &info, NULL, &sets_pool), "vkCreateDescriptorPool");
   }
   const struct vkt_descriptor descriptor = {type, .buffer = buffer->buffer};
   return vkt_bindings_create(vkx, &sets_pool, layout, 1, &descriptor);
}

void
vkt_sets_destroy(struct vkx *vkx)
{
   vkDestroyDescriptorPool(vkx->device, sets_pool, NULL);
   sets_pool = VK_NULL_HANDLE;
}
