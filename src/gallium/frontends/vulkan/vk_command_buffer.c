/* Command pools and the life of command buffers. */
#include "gallium/frontends/vulkan/vk_private.h"
#include "util/macros.h"

VKAPI_ATTR VkResult VKAPI_CALL
indium_CreateCommandPool(VkDevice _device, const VkCommandPoolCreateInfo *pCreateInfo,
                         const VkAllocationCallbacks *pAllocator, VkCommandPool *pCommandPool)
{
   VK_FROM(vk_device, device, _device);
   struct vk_command_pool *pool = vk_alloc(&device->alloc, pAllocator, sizeof(*pool));
   if (!pool)
      return VK_ERROR_OUT_OF_HOST_MEMORY;
   pool->device = device;
   pool->family = pCreateInfo->queueFamilyIndex;
   *pCommandPool = VK_TO(VkCommandPool, pool);
   return VK_SUCCESS;
}

static void
end_render_pass_state(struct vk_command_buffer *cmd)
{
   vk_free(&cmd->pool->device->alloc, NULL, cmd->attachments);
   cmd->attachments = NULL;
   cmd->render_pass = NULL;
   vk_custom_resolve_drop(cmd);
   cmd->view_mask = 0;
}

static void
destroy(struct vk_command_buffer *cmd)
{
   struct vk_command_pool *pool = cmd->pool;
   *(cmd->prev ? &cmd->prev->next : &pool->buffers) = cmd->next;
   if (cmd->next)
      cmd->next->prev = cmd->prev;
   end_render_pass_state(cmd);
   for (unsigned i = 0; i < PIPE_BIND_POINTS; i++)
      vk_free(&pool->device->alloc, NULL, cmd->push_sets[i].words);
   cmd->pipe->destroy(cmd->pipe);
   vk_free(&pool->device->alloc, NULL, cmd);
}

static void
reset(struct vk_command_buffer *cmd)
{
   end_render_pass_state(cmd);
   cmd->pipe->reset(cmd->pipe);
   cmd->result = VK_SUCCESS;
   cmd->graphics = NULL;
   cmd->pipeline = NULL;
   memset(cmd->shaders, 0, sizeof(cmd->shaders));
   cmd->state = cmd->loose.state = vk_default_states;
   cmd->variant = NULL;
   memset(cmd->next_variants, 0, sizeof(cmd->next_variants));
   cmd->changed = PIPE_ALL_STATES;
}

VKAPI_ATTR void VKAPI_CALL
indium_DestroyCommandPool(VkDevice _device, VkCommandPool commandPool, const VkAllocationCallbacks *pAllocator)
{
   VK_FROM(vk_device, device, _device);
   VK_FROM(vk_command_pool, pool, commandPool);
   if (!pool)
      return;
   while (pool->buffers)
      destroy(pool->buffers);
   vk_free(&device->alloc, pAllocator, pool);
}

VKAPI_ATTR VkResult VKAPI_CALL
indium_ResetCommandPool(VkDevice device, VkCommandPool commandPool, VkCommandPoolResetFlags flags)
{
   VK_FROM(vk_command_pool, pool, commandPool);
   for (struct vk_command_buffer *cmd = pool->buffers; cmd; cmd = cmd->next)
      reset(cmd);
   return VK_SUCCESS;
}

VKAPI_ATTR void VKAPI_CALL
indium_TrimCommandPool(VkDevice device, VkCommandPool commandPool, VkCommandPoolTrimFlags flags)
{
   /* Memory goes back when a command buffer is reset. */
}

static VkResult
create(struct vk_command_pool *pool, VkCommandBufferLevel level, VkCommandBuffer *handle)
{
   struct vk_device *device = pool->device;
   struct vk_command_buffer *cmd = vk_alloc(&device->alloc, NULL, sizeof(*cmd));
   if (!cmd)
      return VK_ERROR_OUT_OF_HOST_MEMORY;
   cmd->pipe = device->screen->context_create(device->screen, pool->family);
   if (!cmd->pipe) {
      vk_free(&device->alloc, NULL, cmd);
      return VK_ERROR_OUT_OF_HOST_MEMORY;
   }
   cmd->pipe->unrestricted_depth = device->extensions[INDIUM_EXT_EXT_DEPTH_RANGE_UNRESTRICTED];
   set_loader_magic_value(cmd);
   cmd->pool = pool;
   cmd->level = level;
   cmd->next = pool->buffers;
   if (cmd->next)
      cmd->next->prev = cmd;
   pool->buffers = cmd;
   *handle = VK_TO(VkCommandBuffer, cmd);
   return VK_SUCCESS;
}

VKAPI_ATTR VkResult VKAPI_CALL
indium_AllocateCommandBuffers(VkDevice device, const VkCommandBufferAllocateInfo *pAllocateInfo,
                              VkCommandBuffer *pCommandBuffers)
{
   VK_FROM(vk_command_pool, pool, pAllocateInfo->commandPool);
   for (uint32_t i = 0; i < pAllocateInfo->commandBufferCount; i++) {
      VkResult result = create(pool, pAllocateInfo->level, &pCommandBuffers[i]);
      if (result != VK_SUCCESS) {
         indium_FreeCommandBuffers(device, pAllocateInfo->commandPool, i, pCommandBuffers);
         memset(pCommandBuffers, 0, pAllocateInfo->commandBufferCount * sizeof(*pCommandBuffers));
         return result;
      }
   }
   return VK_SUCCESS;
}

VKAPI_ATTR void VKAPI_CALL
indium_FreeCommandBuffers(VkDevice device, VkCommandPool commandPool, uint32_t commandBufferCount,
                          const VkCommandBuffer *pCommandBuffers)
{
   for (uint32_t i = 0; i < commandBufferCount; i++) {
      VK_FROM(vk_command_buffer, cmd, pCommandBuffers[i]);
      if (cmd)
         destroy(cmd);
   }
}

VKAPI_ATTR VkResult VKAPI_CALL
indium_ResetCommandBuffer(VkCommandBuffer commandBuffer, VkCommandBufferResetFlags flags)
{
   VK_FROM(vk_command_buffer, cmd, commandBuffer);
   reset(cmd);
   return VK_SUCCESS;
}

static struct pipe_inheritance
inheritance_of_rendering(const VkCommandBufferInheritanceRenderingInfo *info)
{
   struct pipe_inheritance inheritance = {
      .in_rendering = true,
      .num_colors = info->colorAttachmentCount,
      .depth_format = info->depthAttachmentFormat,
      .stencil_format = info->stencilAttachmentFormat,
      .samples = (uint8_t)info->rasterizationSamples,
   };
   const VkAttachmentSampleCountInfoAMD *samples =
      vk_find_struct(info->pNext, VK_STRUCTURE_TYPE_ATTACHMENT_SAMPLE_COUNT_INFO_AMD);
   if (samples)
      inheritance.samples = MAX2(inheritance.samples, (uint8_t)samples->depthStencilAttachmentSamples);
   for (uint32_t i = 0; i < info->colorAttachmentCount; i++)
      inheritance.color_formats[i] = vk_stored_format(info->pColorAttachmentFormats[i]);
   return inheritance;
}

/* The rendering to the images that vkCmdBeginCustomResolveEXT begins. */
static void
inherit_custom_resolve(struct pipe_inheritance *inheritance, const VkCustomResolveCreateInfoEXT *info)
{
   if (!info || !info->customResolve)
      return;
   inheritance->samples = 1;
   inheritance->num_colors = info->colorAttachmentCount;
   inheritance->depth_format = info->depthAttachmentFormat;
   inheritance->stencil_format = info->stencilAttachmentFormat;
   for (uint32_t i = 0; i < info->colorAttachmentCount; i++)
      inheritance->color_formats[i] = vk_stored_format(info->pColorAttachmentFormats[i]);
}

static struct pipe_inheritance
inheritance_of_subpass(const VkCommandBufferInheritanceInfo *info)
{
   const struct vk_render_pass *pass = (const struct vk_render_pass *)info->renderPass;
   const struct vk_subpass *subpass = &pass->subpasses[info->subpass];
   struct pipe_inheritance inheritance = {
      .in_rendering = true, .num_colors = subpass->num_colors, .samples = subpass->samples};
   for (uint32_t i = 0; i < subpass->num_colors; i++) {
      if (subpass->colors[i].attachment != VK_ATTACHMENT_UNUSED)
         inheritance.color_formats[i] = pass->attachments[subpass->colors[i].attachment].format;
   }
   if (subpass->depth_stencil.attachment != VK_ATTACHMENT_UNUSED) {
      uint32_t format = pass->attachments[subpass->depth_stencil.attachment].format;
      uint32_t aspects = vk_format_aspects(format);
      inheritance.depth_format = aspects & PIPE_ASPECT_DEPTH ? format : 0;
      inheritance.stencil_format = aspects & PIPE_ASPECT_STENCIL ? format : 0;
   }
   return inheritance;
}

/* For shader objects. */
static void
inherit_targets(struct vk_command_buffer *cmd, const struct pipe_inheritance *inheritance)
{
   struct pipe_targets targets = {
      .num_colors = inheritance->num_colors,
      .depth_format = inheritance->depth_format,
      .stencil_format = inheritance->stencil_format,
   };
   memcpy(targets.color_formats, inheritance->color_formats, sizeof(targets.color_formats));
   vk_cmd_set_targets(cmd, &targets, cmd->view_mask, false);
}

/* inside: the secondary runs inside of a subpass or of dynamic rendering. */
static struct pipe_inheritance
inherit(struct vk_command_buffer *cmd, const VkCommandBufferInheritanceInfo *info, bool inside)
{
   const VkCommandBufferInheritanceRenderingInfo *rendering =
      vk_find_struct(info->pNext, VK_STRUCTURE_TYPE_COMMAND_BUFFER_INHERITANCE_RENDERING_INFO);
   struct pipe_inheritance inheritance = {0};
   if (inside && info->renderPass) {
      inheritance = inheritance_of_subpass(info);
      cmd->view_mask = ((const struct vk_render_pass *)info->renderPass)->subpasses[info->subpass].view_mask;
   } else if (inside && rendering) {
      inheritance = inheritance_of_rendering(rendering);
      inherit_custom_resolve(&inheritance,
                             vk_find_struct(info->pNext, VK_STRUCTURE_TYPE_CUSTOM_RESOLVE_CREATE_INFO_EXT));
      cmd->view_mask = rendering->viewMask;
      inherit_targets(cmd, &inheritance);
      cmd->loose.color_targets =
         vk_color_targets(vk_find_struct(info->pNext, VK_STRUCTURE_TYPE_RENDERING_ATTACHMENT_LOCATION_INFO));
   }
   const VkCommandBufferInheritanceConditionalRenderingInfoEXT *conditional =
      vk_find_struct(info->pNext, VK_STRUCTURE_TYPE_COMMAND_BUFFER_INHERITANCE_CONDITIONAL_RENDERING_INFO_EXT);
   inheritance.in_conditional = conditional && conditional->conditionalRenderingEnable;
   inheritance.in_occlusion_query = info->occlusionQueryEnable;
   inheritance.in_statistics_query = info->pipelineStatistics != 0;
   return inheritance;
}

VKAPI_ATTR VkResult VKAPI_CALL
indium_BeginCommandBuffer(VkCommandBuffer commandBuffer, const VkCommandBufferBeginInfo *pBeginInfo)
{
   VK_FROM(vk_command_buffer, cmd, commandBuffer);
   struct pipe_inheritance inheritance;
   bool secondary = cmd->level == VK_COMMAND_BUFFER_LEVEL_SECONDARY;
   reset(cmd);
   if (secondary)
      inheritance = inherit(cmd, pBeginInfo->pInheritanceInfo,
                            pBeginInfo->flags & VK_COMMAND_BUFFER_USAGE_RENDER_PASS_CONTINUE_BIT);
   bool reusable = pBeginInfo->flags & VK_COMMAND_BUFFER_USAGE_SIMULTANEOUS_USE_BIT;
   return vk_result(cmd->pipe->begin(cmd->pipe, secondary ? &inheritance : NULL, reusable));
}

VKAPI_ATTR VkResult VKAPI_CALL
indium_EndCommandBuffer(VkCommandBuffer commandBuffer)
{
   VK_FROM(vk_command_buffer, cmd, commandBuffer);
   VkResult result = vk_result(cmd->pipe->end(cmd->pipe));
   return result == VK_SUCCESS ? cmd->result : result;
}

VKAPI_ATTR void VKAPI_CALL
indium_CmdExecuteCommands(VkCommandBuffer commandBuffer, uint32_t commandBufferCount,
                          const VkCommandBuffer *pCommandBuffers)
{
   VK_FROM(vk_command_buffer, cmd, commandBuffer);
   for (uint32_t i = 0; i < commandBufferCount; i++)
      cmd->pipe->execute(cmd->pipe, ((struct vk_command_buffer *)pCommandBuffers[i])->pipe);
   cmd->variant = NULL;
   cmd->changed = PIPE_ALL_STATES;
}

VKAPI_ATTR void VKAPI_CALL
indium_CmdSetDeviceMask(VkCommandBuffer commandBuffer, uint32_t deviceMask)
{
   /* A group is one device. */
}
