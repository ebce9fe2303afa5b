/* Dynamic rendering: attachments that are named when rendering begins, without a render pass. */
#include "gallium/frontends/vulkan/vk_barrier.h"
#include "util/macros.h"

static struct pipe_image_view *
view_of(VkImageView handle)
{
   VK_FROM(vk_image_view, view, handle);
   return view ? view->planes[0] : NULL;
}

static struct pipe_attachment
color_attachment(const VkRenderingAttachmentInfo *from, uint32_t view_mask)
{
   struct pipe_attachment color = {
      .view = view_of(from->imageView),
      .resolve = vk_resolve_mode(from->resolveMode) ? view_of(from->resolveImageView) : NULL,
      .load = vk_load_op(from->loadOp),
      .clear_views = view_mask,
      .uses = vk_layout_uses(from->imageLayout, PIPE_ASPECT_COLOR),
   };
   memcpy(&color.clear, &from->clearValue.color, sizeof(color.clear));
   return color;
}

/* An aspect that is not attached keeps its contents, even if the image has it. */
static void
fill_depth(struct pipe_rendering *rendering, const VkRenderingAttachmentInfo *from)
{
   rendering->depth_load = PIPE_LOAD;
   rendering->no_depth = !from || !from->imageView;
   if (rendering->no_depth)
      return;
   rendering->depth_stencil = view_of(from->imageView);
   rendering->depth_load = vk_load_op(from->loadOp);
   rendering->depth_uses = vk_layout_uses(from->imageLayout, PIPE_ASPECT_DEPTH);
   rendering->clear_depth = from->clearValue.depthStencil.depth;
   rendering->depth_resolve = vk_resolve_mode(from->resolveMode);
   if (rendering->depth_resolve)
      rendering->depth_stencil_resolve = view_of(from->resolveImageView);
}

static void
fill_stencil(struct pipe_rendering *rendering, const VkRenderingAttachmentInfo *from)
{
   rendering->stencil_load = PIPE_LOAD;
   rendering->no_stencil = !from || !from->imageView;
   if (rendering->no_stencil)
      return;
   rendering->depth_stencil = view_of(from->imageView);
   rendering->stencil_load = vk_load_op(from->loadOp);
   rendering->stencil_uses = vk_layout_uses(from->imageLayout, PIPE_ASPECT_STENCIL);
   rendering->clear_stencil = (uint8_t)from->clearValue.depthStencil.stencil;
   rendering->stencil_resolve = vk_resolve_mode(from->resolveMode);
   if (rendering->stencil_resolve)
      rendering->depth_stencil_resolve = view_of(from->resolveImageView);
}

static uint32_t
format_of(const VkRenderingAttachmentInfo *attachment)
{
   return attachment && attachment->imageView ? ((const struct vk_image_view *)attachment->imageView)->format : 0;
}

/* For shader objects. */
static void
set_targets(struct vk_command_buffer *cmd, const VkRenderingInfo *from, bool shading_rate_attachment)
{
   struct pipe_targets targets = {
      .num_colors = from->colorAttachmentCount,
      .depth_format = format_of(from->pDepthAttachment),
      .stencil_format = format_of(from->pStencilAttachment),
   };
   for (uint32_t i = 0; i < from->colorAttachmentCount; i++)
      targets.color_formats[i] = format_of(&from->pColorAttachments[i]);
   vk_cmd_set_targets(cmd, &targets, from->viewMask, shading_rate_attachment);
}

VKAPI_ATTR void VKAPI_CALL
indium_CmdBeginRendering(VkCommandBuffer commandBuffer, const VkRenderingInfo *pRenderingInfo)
{
   VK_FROM(vk_command_buffer, cmd, commandBuffer);
   const VkRenderingInfo *from = pRenderingInfo;
   struct pipe_rendering rendering = {
      .x = (uint32_t)from->renderArea.offset.x,
      .y = (uint32_t)from->renderArea.offset.y,
      .width = from->renderArea.extent.width,
      .height = from->renderArea.extent.height,
      .layers = from->viewMask ? log2_floor(from->viewMask) + 1 : from->layerCount,
      .view_mask = from->viewMask,
      .num_colors = from->colorAttachmentCount,
      .depth_stencil_clear_views = from->viewMask,
      .suspending = from->flags & VK_RENDERING_SUSPENDING_BIT,
      .resuming = from->flags & VK_RENDERING_RESUMING_BIT,
   };
   const VkRenderingFragmentShadingRateAttachmentInfoKHR *rate =
      vk_find_struct(from->pNext, VK_STRUCTURE_TYPE_RENDERING_FRAGMENT_SHADING_RATE_ATTACHMENT_INFO_KHR);
   if (rate)
      rendering.shading_rate = view_of(rate->imageView);
   for (uint32_t i = 0; i < from->colorAttachmentCount; i++)
      rendering.colors[i] = color_attachment(&from->pColorAttachments[i], from->viewMask);
   fill_depth(&rendering, from->pDepthAttachment);
   fill_stencil(&rendering, from->pStencilAttachment);
   cmd->view_mask = from->viewMask;
   set_targets(cmd, from, rendering.shading_rate != NULL);
   vk_custom_resolve_note(cmd, from, &rendering);
   cmd->pipe->begin_rendering(cmd->pipe, &rendering);
}

VKAPI_ATTR void VKAPI_CALL
indium_CmdEndRendering(VkCommandBuffer commandBuffer)
{
   VK_FROM(vk_command_buffer, cmd, commandBuffer);
   cmd->pipe->end_rendering(cmd->pipe);
   vk_custom_resolve_drop(cmd);
   cmd->view_mask = 0;
}

VKAPI_ATTR void VKAPI_CALL
indium_CmdEndRendering2KHR(VkCommandBuffer commandBuffer, const VkRenderingEndInfoKHR *pRenderingEndInfo)
{
   indium_CmdEndRendering(commandBuffer);
}

/* For shader objects: pipelines have it themselves. */
VKAPI_ATTR void VKAPI_CALL
indium_CmdSetRenderingAttachmentLocations(VkCommandBuffer commandBuffer,
                                          const VkRenderingAttachmentLocationInfo *pLocationInfo)
{
   VK_FROM(vk_command_buffer, cmd, commandBuffer);
   cmd->loose.color_targets = vk_color_targets(pLocationInfo);
   if (cmd->graphics == &cmd->loose)
      cmd->changed |= cmd->pool->device->program_states;
}

/* Shaders read input attachments by their descriptors. */
VKAPI_ATTR void VKAPI_CALL
indium_CmdSetRenderingInputAttachmentIndices(VkCommandBuffer commandBuffer,
                                             const VkRenderingInputAttachmentIndexInfo *pInputAttachmentIndexInfo)
{
}
