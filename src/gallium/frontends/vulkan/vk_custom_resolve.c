/* VK_EXT_custom_resolve with dynamic rendering: the draws of an application resolve its attachments. They are a
 * rendering of their own, to the single-sampled images, which begins where the first one has ended: shaders read its
 * attachments by their descriptors. In render passes these are subpasses like others. */
#include "gallium/frontends/vulkan/vk_barrier.h"

struct vk_custom_resolve {
   struct pipe_rendering rendering;
   struct pipe_targets targets;
};

static bool
is_custom(const VkRenderingAttachmentInfo *attachment)
{
   return attachment && attachment->imageView && attachment->resolveMode == VK_RESOLVE_MODE_CUSTOM_BIT_EXT;
}

static bool
any_custom(const VkRenderingInfo *info)
{
   bool any = is_custom(info->pDepthAttachment) || is_custom(info->pStencilAttachment);
   for (uint32_t i = 0; i < info->colorAttachmentCount; i++)
      any |= is_custom(&info->pColorAttachments[i]);
   return any;
}

/* What was there before is undefined. */
static void
set_color(struct vk_custom_resolve *to, uint32_t i, const VkRenderingAttachmentInfo *from)
{
   VK_FROM(vk_image_view, view, is_custom(from) ? from->resolveImageView : VK_NULL_HANDLE);
   to->rendering.colors[i] = (struct pipe_attachment){
      .view = view ? view->planes[0] : NULL,
      .load = PIPE_LOAD_DONT_CARE,
      .uses = vk_layout_uses(from->resolveImageLayout, PIPE_ASPECT_COLOR),
   };
   to->targets.color_formats[i] = view ? view->format : 0;
}

static void
set_depth_stencil(struct vk_custom_resolve *to, const VkRenderingInfo *from)
{
   const VkRenderingAttachmentInfo *depth = from->pDepthAttachment, *stencil = from->pStencilAttachment;
   VK_FROM(vk_image_view, depth_view, is_custom(depth) ? depth->resolveImageView : VK_NULL_HANDLE);
   VK_FROM(vk_image_view, stencil_view, is_custom(stencil) ? stencil->resolveImageView : VK_NULL_HANDLE);
   const struct vk_image_view *any = depth_view ? depth_view : stencil_view;
   to->rendering.depth_stencil = any ? any->planes[0] : NULL;
   to->rendering.no_depth = !depth_view;
   to->rendering.no_stencil = !stencil_view;
   to->rendering.depth_load = depth_view ? PIPE_LOAD_DONT_CARE : PIPE_LOAD;
   to->rendering.stencil_load = stencil_view ? PIPE_LOAD_DONT_CARE : PIPE_LOAD;
   to->rendering.depth_uses = depth_view ? vk_layout_uses(depth->resolveImageLayout, PIPE_ASPECT_DEPTH) : 0;
   to->rendering.stencil_uses = stencil_view ? vk_layout_uses(stencil->resolveImageLayout, PIPE_ASPECT_STENCIL) : 0;
   to->targets.depth_format = depth_view ? depth_view->format : 0;
   to->targets.stencil_format = stencil_view ? stencil_view->format : 0;
}

void
vk_custom_resolve_note(struct vk_command_buffer *cmd, const VkRenderingInfo *info,
                       const struct pipe_rendering *rendering)
{
   vk_custom_resolve_drop(cmd);
   if (!any_custom(info))
      return;
   struct vk_custom_resolve *to = vk_alloc(&cmd->pool->device->alloc, NULL, sizeof(*to));
   cmd->custom_resolve = to;
   if (!to) {
      cmd->result = VK_ERROR_OUT_OF_HOST_MEMORY;
      return;
   }
   to->rendering.x = rendering->x;
   to->rendering.y = rendering->y;
   to->rendering.width = rendering->width;
   to->rendering.height = rendering->height;
   to->rendering.layers = rendering->layers;
   to->rendering.view_mask = rendering->view_mask;
   to->rendering.num_colors = to->targets.num_colors = info->colorAttachmentCount;
   for (uint32_t i = 0; i < info->colorAttachmentCount; i++)
      set_color(to, i, &info->pColorAttachments[i]);
   set_depth_stencil(to, info);
}

void
vk_custom_resolve_drop(struct vk_command_buffer *cmd)
{
   vk_free(&cmd->pool->device->alloc, NULL, cmd->custom_resolve);
   cmd->custom_resolve = NULL;
}

VKAPI_ATTR void VKAPI_CALL
indium_CmdBeginCustomResolveEXT(VkCommandBuffer commandBuffer,
                                const VkBeginCustomResolveInfoEXT *pBeginCustomResolveInfo)
{
   VK_FROM(vk_command_buffer, cmd, commandBuffer);
   const struct vk_custom_resolve *custom = cmd->custom_resolve;
   const VkPipelineStageFlags2 tests =
      VK_PIPELINE_STAGE_2_EARLY_FRAGMENT_TESTS_BIT | VK_PIPELINE_STAGE_2_LATE_FRAGMENT_TESTS_BIT;
   const struct pipe_barrier barrier =
      vk_barrier(VK_PIPELINE_STAGE_2_COLOR_ATTACHMENT_OUTPUT_BIT | tests, VK_PIPELINE_STAGE_2_FRAGMENT_SHADER_BIT,
                 VK_ACCESS_2_COLOR_ATTACHMENT_WRITE_BIT | VK_ACCESS_2_DEPTH_STENCIL_ATTACHMENT_WRITE_BIT,
                 VK_ACCESS_2_INPUT_ATTACHMENT_READ_BIT | VK_ACCESS_2_SHADER_READ_BIT);
   if (!custom)
      return; /* memory has run out, or no attachment has the mode */
   cmd->pipe->end_rendering(cmd->pipe);
   cmd->pipe->barrier(cmd->pipe, &barrier);
   vk_cmd_set_targets(cmd, &custom->targets, cmd->view_mask, false);
   cmd->pipe->begin_rendering(cmd->pipe, &custom->rendering);
}
