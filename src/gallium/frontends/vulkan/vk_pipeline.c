/* What all pipelines share. */
#include "gallium/frontends/vulkan/vk_pipeline.h"
#include "gallium/frontends/vulkan/vk_cache.h"
#include "gallium/frontends/vulkan/vk_compiled.h"
#include "gallium/frontends/vulkan/vk_stage_copy.h"
#include "gallium/frontends/vulkan/vk_variants.h"
#include "util/macros.h"

void
vk_pipeline_destroy(struct vk_device *device, struct vk_pipeline *pipeline, const VkAllocationCallbacks *allocator)
{
   struct pipe_screen *screen = device->screen;
   if (pipeline->variants)
      vk_variants_destroy(pipeline->variants);
   else if (pipeline->program)
      screen->program_destroy(screen, pipeline->program);
   vk_variants_destroy(pipeline->for_others);
   for (unsigned i = 0; i < NIR_STAGES; i++) {
      vk_stage_copy_unref(device, pipeline->library.stages[i]);
      vk_compiled_unref(device, pipeline->library.compiled[i]);
   }
   for (unsigned i = 0; i < ARRAY_SIZE(pipeline->library.layouts); i++)
      vk_pipeline_layout_unref(device, pipeline->library.layouts[i]);
   vk_saved_unref(pipeline->captured);
   vk_free(&device->alloc, allocator, pipeline);
}

VKAPI_ATTR void VKAPI_CALL
indium_DestroyPipeline(VkDevice _device, VkPipeline _pipeline, const VkAllocationCallbacks *pAllocator)
{
   VK_FROM(vk_device, device, _device);
   VK_FROM(vk_pipeline, pipeline, _pipeline);
   if (pipeline)
      vk_pipeline_destroy(device, pipeline, pAllocator);
}
