/* Pipeline layouts. */
#include "gallium/frontends/vulkan/vk_private.h"
#include "util/macros.h"

VKAPI_ATTR VkResult VKAPI_CALL
indium_CreatePipelineLayout(VkDevice _device, const VkPipelineLayoutCreateInfo *pCreateInfo,
                            const VkAllocationCallbacks *pAllocator, VkPipelineLayout *pPipelineLayout)
{
   VK_FROM(vk_device, device, _device);
   struct vk_pipeline_layout *layout = vk_alloc(&device->alloc, pAllocator, sizeof(*layout));
   if (!layout)
      return VK_ERROR_OUT_OF_HOST_MEMORY;
   layout->references = 1;
   layout->has_allocator = pAllocator;
   if (pAllocator)
      layout->allocator_copy = *pAllocator;
   struct pipe_pipeline_layout *pipe = &layout->layout;
   pipe->num_sets = pCreateInfo->setLayoutCount;
   for (uint32_t i = 0; i < pipe->num_sets; i++) {
      layout->sets[i] = (struct vk_set_layout *)pCreateInfo->pSetLayouts[i];
      pipe->dynamic_base[i] = pipe->num_dynamic;
      if (!layout->sets[i])
         continue;
      __atomic_add_fetch(&layout->sets[i]->references, 1, __ATOMIC_RELAXED);
      pipe->sets[i] = &layout->sets[i]->layout;
      pipe->num_dynamic += pipe->sets[i]->num_dynamic;
   }
   for (uint32_t i = 0; i < pCreateInfo->pushConstantRangeCount; i++) {
      const VkPushConstantRange *range = &pCreateInfo->pPushConstantRanges[i];
      pipe->push_constant_B = MAX2(pipe->push_constant_B, range->offset + range->size);
   }
   *pPipelineLayout = VK_TO(VkPipelineLayout, layout);
   return VK_SUCCESS;
}

static struct vk_set_layout *
set_layout(const struct pipe_pipeline_layout *layout, uint32_t set)
{
   return layout->sets[set] ? container_of(layout->sets[set], struct vk_set_layout, layout) : NULL;
}

void
vk_layout_sets_ref(const struct pipe_pipeline_layout *layout)
{
   for (uint32_t i = 0; i < layout->num_sets; i++) {
      if (layout->sets[i])
         __atomic_add_fetch(&set_layout(layout, i)->references, 1, __ATOMIC_RELAXED);
   }
}

void
vk_layout_sets_unref(struct vk_device *device, const struct pipe_pipeline_layout *layout)
{
   for (uint32_t i = 0; i < layout->num_sets; i++)
      vk_set_layout_unref(device, set_layout(layout, i), 1);
}

void
vk_pipeline_layout_unref(struct vk_device *device, struct vk_pipeline_layout *layout)
{
   if (!layout || __atomic_sub_fetch(&layout->references, 1, __ATOMIC_ACQ_REL))
      return;
   for (uint32_t i = 0; i < layout->layout.num_sets; i++)
      vk_set_layout_unref(device, layout->sets[i], 1);
   VkAllocationCallbacks allocator = layout->allocator_copy;
   vk_free(&device->alloc, layout->has_allocator ? &allocator : NULL, layout);
}

VKAPI_ATTR void VKAPI_CALL
indium_DestroyPipelineLayout(VkDevice _device, VkPipelineLayout pipelineLayout,
                             const VkAllocationCallbacks *pAllocator)
{
   VK_FROM(vk_device, device, _device);
   vk_pipeline_layout_unref(device, (struct vk_pipeline_layout *)pipelineLayout);
}
