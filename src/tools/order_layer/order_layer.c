/* Pipelines in relaxed order, and marks among draws. */
#include "tools/order_layer/order_layer.h"

#include <pthread.h>
#include <stdbool.h>
#include <stdint.h>
#include <string.h>

#include "util/dynarray.h"
#include "util/macros.h"

struct command_buffer {
   VkCommandBuffer handle;
   bool relaxed; /* the pipeline is */
   bool marked;  /* the last mark was the relaxed one */
};

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static struct dynarray command_buffers; /* struct command_buffer */
static struct dynarray pipelines;       /* VkPipeline, the relaxed ones */

/* Called with the lock held. */
static struct command_buffer *
find_command_buffer(VkCommandBuffer handle)
{
   dynarray_for_each(struct command_buffer, it, &command_buffers) {
      if (it->handle == handle)
         return it;
   }
   return NULL;
}

/* Called with the lock held. */
static bool
is_relaxed(VkPipeline pipeline)
{
   dynarray_for_each(const VkPipeline, it, &pipelines) {
      if (*it == pipeline)
         return true;
   }
   return false;
}

static void
set_order(VkCommandBuffer handle, bool draws)
{
   const struct order_layer_device *device = order_layer_device(handle);
   pthread_mutex_lock(&lock);
   struct command_buffer *cmd = find_command_buffer(handle);
   const bool relaxed = cmd && draws && cmd->relaxed;
   if (cmd && cmd->marked != relaxed && device->marks) {
      PFN_vkCmdDrawIndirect draw = (PFN_vkCmdDrawIndirect)device->next(device->handle, "vkCmdDrawIndirect");
      draw(handle, device->marks, relaxed * sizeof(VkDrawIndirectCommand), 1, sizeof(VkDrawIndirectCommand));
      cmd->marked = relaxed;
   }
   pthread_mutex_unlock(&lock);
}

static PFN_vkVoidFunction
next_of(const void *handle, const char *name)
{
   const struct order_layer_device *device = order_layer_device(handle);
   return device->next(device->handle, name);
}

static PFN_vkVoidFunction
order_layer_draw(VkCommandBuffer handle, const char *name)
{
   set_order(handle, true);
   return next_of(handle, name);
}

static PFN_vkVoidFunction
order_layer_end(VkCommandBuffer handle, const char *name)
{
   set_order(handle, false);
   return next_of(handle, name);
}

#include "tools/order_layer/order_hooks.h"

static VKAPI_ATTR VkResult VKAPI_CALL
begin_command_buffer(VkCommandBuffer handle, const VkCommandBufferBeginInfo *info)
{
   pthread_mutex_lock(&lock);
   struct command_buffer *cmd = find_command_buffer(handle);
   if (cmd)
      *cmd = (struct command_buffer){.handle = handle};
   else
      dynarray_append(&command_buffers, struct command_buffer, (struct command_buffer){.handle = handle});
   pthread_mutex_unlock(&lock);
   return ((PFN_vkBeginCommandBuffer)next_of(handle, "vkBeginCommandBuffer"))(handle, info);
}

static VKAPI_ATTR VkResult VKAPI_CALL
end_command_buffer(VkCommandBuffer handle)
{
   return ((PFN_vkEndCommandBuffer)order_layer_end(handle, "vkEndCommandBuffer"))(handle);
}

/* The strict mark needs a pipeline of vertices, which the next may not be. */
static void
bind(VkCommandBuffer handle, VkPipeline pipeline)
{
   set_order(handle, false);
   pthread_mutex_lock(&lock);
   struct command_buffer *cmd = find_command_buffer(handle);
   if (cmd)
      cmd->relaxed = pipeline && is_relaxed(pipeline);
   pthread_mutex_unlock(&lock);
}

static VKAPI_ATTR void VKAPI_CALL
bind_pipeline(VkCommandBuffer handle, VkPipelineBindPoint point, VkPipeline pipeline)
{
   if (point == VK_PIPELINE_BIND_POINT_GRAPHICS)
      bind(handle, pipeline);
   ((PFN_vkCmdBindPipeline)next_of(handle, "vkCmdBindPipeline"))(handle, point, pipeline);
}

typedef void(VKAPI_PTR *bind_shaders_function)(VkCommandBuffer, uint32_t, const VkShaderStageFlagBits *,
                                               const uint64_t *);

/* Shader objects have no relaxed order. */
static VKAPI_ATTR void VKAPI_CALL
bind_shaders(VkCommandBuffer handle, uint32_t count, const VkShaderStageFlagBits *stages, const uint64_t *shaders)
{
   for (uint32_t i = 0; i < count; i++) {
      if (stages[i] != VK_SHADER_STAGE_COMPUTE_BIT)
         bind(handle, VK_NULL_HANDLE);
   }
   ((bind_shaders_function)next_of(handle, "vkCmdBindShadersEXT"))(handle, count, stages, shaders);
}

static const void *
find_struct(const void *chain, VkStructureType type)
{
   const VkBaseInStructure *it = chain;
   while (it && it->sType != type)
      it = it->pNext;
   return it;
}

/* The rasterisation state is the pipeline's own where it is no library of other parts, and has none for it. */
static bool
asks_for_relaxed(const VkGraphicsPipelineCreateInfo *info)
{
   const VkGraphicsPipelineLibraryCreateInfoEXT *part =
      find_struct(info->pNext, VK_STRUCTURE_TYPE_GRAPHICS_PIPELINE_LIBRARY_CREATE_INFO_EXT);
   const VkPipelineLibraryCreateInfoKHR *libraries =
      find_struct(info->pNext, VK_STRUCTURE_TYPE_PIPELINE_LIBRARY_CREATE_INFO_KHR);
   for (uint32_t i = 0; libraries && i < libraries->libraryCount; i++) {
      if (is_relaxed(libraries->pLibraries[i]))
         return true;
   }
   const bool own = part ? part->flags & VK_GRAPHICS_PIPELINE_LIBRARY_PRE_RASTERIZATION_SHADERS_BIT_EXT
                         : !libraries || !libraries->libraryCount;
   const VkPipelineRasterizationStateRasterizationOrderAMD *order =
      own && info->pRasterizationState
         ? find_struct(info->pRasterizationState->pNext,
                       VK_STRUCTURE_TYPE_PIPELINE_RASTERIZATION_STATE_RASTERIZATION_ORDER_AMD)
         : NULL;
   return order && order->rasterizationOrder == VK_RASTERIZATION_ORDER_RELAXED_AMD;
}

static VKAPI_ATTR VkResult VKAPI_CALL
create_graphics_pipelines(VkDevice device, VkPipelineCache cache, uint32_t count,
                          const VkGraphicsPipelineCreateInfo *infos, const VkAllocationCallbacks *allocator,
                          VkPipeline *made)
{
   PFN_vkCreateGraphicsPipelines next = (PFN_vkCreateGraphicsPipelines)next_of(device, "vkCreateGraphicsPipelines");
   VkResult result = next(device, cache, count, infos, allocator, made);
   pthread_mutex_lock(&lock);
   for (uint32_t i = 0; i < count; i++) {
      if (made[i] && asks_for_relaxed(&infos[i]) && !is_relaxed(made[i]))
         dynarray_append(&pipelines, VkPipeline, made[i]);
   }
   pthread_mutex_unlock(&lock);
   return result;
}

static VKAPI_ATTR void VKAPI_CALL
destroy_pipeline(VkDevice device, VkPipeline pipeline, const VkAllocationCallbacks *allocator)
{
   pthread_mutex_lock(&lock);
   dynarray_for_each(VkPipeline, it, &pipelines) {
      if (*it == pipeline)
         *it = VK_NULL_HANDLE;
   }
   pthread_mutex_unlock(&lock);
   ((PFN_vkDestroyPipeline)next_of(device, "vkDestroyPipeline"))(device, pipeline, allocator);
}

PFN_vkVoidFunction
order_layer_command_hook(const char *name)
{
   static const struct order_layer_hook hooks[] = {
      {"vkBeginCommandBuffer", (PFN_vkVoidFunction)begin_command_buffer},
      {"vkEndCommandBuffer", (PFN_vkVoidFunction)end_command_buffer},
      {"vkCmdBindPipeline", (PFN_vkVoidFunction)bind_pipeline},
      {"vkCmdBindShadersEXT", (PFN_vkVoidFunction)bind_shaders},
      {"vkCreateGraphicsPipelines", (PFN_vkVoidFunction)create_graphics_pipelines},
      {"vkDestroyPipeline", (PFN_vkVoidFunction)destroy_pipeline},
   };
   for (unsigned i = 0; i < ARRAY_SIZE(hooks); i++)
      if (!strcmp(name, hooks[i].name))
         return hooks[i].function;
   for (unsigned i = 0; i < ARRAY_SIZE(generated_hooks); i++)
      if (!strcmp(name, generated_hooks[i].name))
         return generated_hooks[i].function;
   return NULL;
}
