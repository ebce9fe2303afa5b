/* Render passes: each subpass becomes one rendering of the driver. */
#include "gallium/frontends/vulkan/vk_barrier.h"
#include "util/macros.h"

/* A view is loaded as the attachment says in the first subpass that uses it. */
static enum pipe_load_op
load_of(const struct vk_command_buffer *cmd, struct vk_attachment_ref ref, bool stencil)
{
   const struct vk_attachment *from = &cmd->render_pass->attachments[ref.attachment];
   if (!ref.new_views)
      return PIPE_LOAD;
   return stencil ? from->stencil_load : from->load;
}

static struct pipe_image_view *
view_of(const struct vk_command_buffer *cmd, struct vk_attachment_ref ref)
{
   return ref.attachment == VK_ATTACHMENT_UNUSED ? NULL : cmd->attachments[ref.attachment]->planes[0];
}

/* Without attachments. */
static struct pipe_rendering
empty_rendering(const struct vk_command_buffer *cmd, uint32_t view_mask)
{
   return (struct pipe_rendering){
      .x = (uint32_t)cmd->render_area.offset.x,
      .y = (uint32_t)cmd->render_area.offset.y,
      .width = cmd->render_area.extent.width,
      .height = cmd->render_area.extent.height,
      .layers = view_mask ? log2_floor(view_mask) + 1 : cmd->layers,
      .view_mask = view_mask,
   };
}

static void
fill_color(struct vk_command_buffer *cmd, struct pipe_attachment *color, struct vk_attachment_ref ref)
{
   color->view = view_of(cmd, ref);
   if (!color->view)
      return;
   color->load = load_of(cmd, ref, false);
   color->uses = vk_layout_uses(ref.layouts.main, PIPE_ASPECT_COLOR);
   color->clear_views = ref.new_views;
   memcpy(&color->clear, &cmd->clear_values[ref.attachment].color, sizeof(color->clear));
}

static void
fill_depth_stencil(struct vk_command_buffer *cmd, struct pipe_rendering *rendering, struct vk_attachment_ref ref)
{
   rendering->depth_stencil = view_of(cmd, ref);
   if (!rendering->depth_stencil)
      return;
   rendering->depth_load = load_of(cmd, ref, false);
   rendering->stencil_load = load_of(cmd, ref, true);
   rendering->depth_uses = vk_layout_uses(ref.layouts.main, PIPE_ASPECT_DEPTH);
   rendering->stencil_uses = vk_layout_uses(ref.layouts.stencil, PIPE_ASPECT_STENCIL);
   rendering->depth_stencil_clear_views = ref.new_views;
   rendering->clear_depth = cmd->clear_values[ref.attachment].depthStencil.depth;
   rendering->clear_stencil = (uint8_t)cmd->clear_values[ref.attachment].depthStencil.stencil;
}

/* Attachments of one subpass may be read by the next in any way. */
static void
subpass_barrier(struct vk_command_buffer *cmd)
{
   const struct pipe_barrier barrier = {
      .src_stages = PIPE_STAGE_COLOR | PIPE_STAGE_FRAGMENT,
      .dst_stages = PIPE_STAGE_COLOR | PIPE_STAGE_FRAGMENT,
      .src_access = PIPE_ACCESS_COLOR_WRITE | PIPE_ACCESS_DEPTH_WRITE | PIPE_ACCESS_SHADER_WRITE,
      .dst_access = PIPE_ACCESS_COLOR_READ | PIPE_ACCESS_COLOR_WRITE | PIPE_ACCESS_DEPTH_READ |
                    PIPE_ACCESS_DEPTH_WRITE | PIPE_ACCESS_SHADER_READ,
   };
   cmd->pipe->barrier(cmd->pipe, &barrier);
}

/* An aspect that is not resolved keeps what loading left in the attachment; the others are overwritten. */
static void
clear_resolve(struct vk_command_buffer *cmd, const struct vk_subpass *subpass)
{
   struct vk_attachment_ref ref = subpass->depth_stencil_resolve;
   struct pipe_rendering rendering = empty_rendering(cmd, subpass->view_mask);
   if (ref.attachment == VK_ATTACHMENT_UNUSED || (subpass->depth_resolve && subpass->stencil_resolve))
      return;
   fill_depth_stencil(cmd, &rendering, ref);
   if (rendering.depth_load != PIPE_LOAD_CLEAR && rendering.stencil_load != PIPE_LOAD_CLEAR)
      return;
   cmd->pipe->begin_rendering(cmd->pipe, &rendering);
   cmd->pipe->end_rendering(cmd->pipe);
   subpass_barrier(cmd);
}

static unsigned
transition_attachment(const struct vk_command_buffer *cmd, const struct vk_pass_transition *from,
                      struct pipe_image_barrier *out)
{
   const struct vk_image_view *view = cmd->attachments[from->attachment];
   struct vk_transition transition = {
      .image = view->image,
      .planes = ((1u << view->num_planes) - 1) << view->first_plane,
      .range = view->range,
      .from = from->from,
      .to = from->to,
      .src_family = cmd->pool->family,
      .dst_family = cmd->pool->family,
   };
   transition.range.aspects = vk_format_aspects(cmd->render_pass->attachments[from->attachment].format);
   return vk_image_barriers(&transition, out);
}

/* A dependency of the pass, with transitions. */
static void
pass_barrier(struct vk_command_buffer *cmd, struct pipe_barrier barrier, uint32_t count,
             const struct vk_pass_transition *transitions)
{
   barrier.images = cmd->image_barriers;
   for (uint32_t i = 0; i < count; i++)
      barrier.num_images += transition_attachment(cmd, &transitions[i], cmd->image_barriers + barrier.num_images);
   if (barrier.src_stages || barrier.num_images)
      cmd->pipe->barrier(cmd->pipe, &barrier);
}

static void
begin_subpass(struct vk_command_buffer *cmd)
{
   const struct vk_subpass *subpass = &cmd->render_pass->subpasses[cmd->subpass];
   struct pipe_rendering rendering = empty_rendering(cmd, subpass->view_mask);
   rendering.num_colors = subpass->num_colors;
   cmd->view_mask = subpass->view_mask;
   for (uint32_t i = 0; i < subpass->num_colors; i++) {
      fill_color(cmd, &rendering.colors[i], subpass->colors[i]);
      rendering.colors[i].resolve = view_of(cmd, subpass->resolves[i]);
   }
   fill_depth_stencil(cmd, &rendering, subpass->depth_stencil);
   rendering.shading_rate = view_of(cmd, subpass->shading_rate);
   rendering.depth_stencil_resolve = view_of(cmd, subpass->depth_stencil_resolve);
   rendering.depth_resolve = subpass->depth_resolve;
   rendering.stencil_resolve = subpass->stencil_resolve;
   pass_barrier(cmd, subpass->before, subpass->num_transitions, subpass->transitions);
   clear_resolve(cmd, subpass);
   cmd->pipe->begin_rendering(cmd->pipe, &rendering);
   /* Loading happens before any command that reads the attachment. */
   if (subpass->reads_color || subpass->reads_depth_stencil)
      subpass_barrier(cmd);
}

VKAPI_ATTR void VKAPI_CALL
indium_CmdBeginRenderPass2(VkCommandBuffer commandBuffer, const VkRenderPassBeginInfo *pRenderPassBegin,
                           const VkSubpassBeginInfo *pSubpassBeginInfo)
{
   VK_FROM(vk_command_buffer, cmd, commandBuffer);
   VK_FROM(vk_render_pass, pass, pRenderPassBegin->renderPass);
   VK_FROM(vk_framebuffer, framebuffer, pRenderPassBegin->framebuffer);
   const VkRenderPassAttachmentBeginInfo *imageless =
      vk_find_struct(pRenderPassBegin->pNext, VK_STRUCTURE_TYPE_RENDER_PASS_ATTACHMENT_BEGIN_INFO);
   size_t views_B = pass->num_attachments * sizeof(struct vk_image_view *);
   size_t barriers_B = VK_MAX_IMAGE_BARRIERS * pass->num_attachments * sizeof(*cmd->image_barriers);
   struct vk_image_view **attachments = vk_alloc(
      &cmd->pool->device->alloc, NULL, views_B + barriers_B + pass->num_attachments * sizeof(VkClearValue) + 1);
   if (!attachments) {
      cmd->result = VK_ERROR_OUT_OF_HOST_MEMORY;
      return;
   }
   cmd->attachments = attachments;
   cmd->image_barriers = (struct pipe_image_barrier *)((char *)attachments + views_B);
   cmd->clear_values = (VkClearValue *)((char *)cmd->image_barriers + barriers_B);
   for (uint32_t i = 0; i < pass->num_attachments; i++)
      attachments[i] = imageless ? (struct vk_image_view *)imageless->pAttachments[i] : framebuffer->attachments[i];
   uint32_t clears = MIN2(pRenderPassBegin->clearValueCount, pass->num_attachments);
   if (clears)
      memcpy(cmd->clear_values, pRenderPassBegin->pClearValues, clears * sizeof(VkClearValue));
   cmd->render_pass = pass;
   cmd->subpass = 0;
   cmd->render_area = pRenderPassBegin->renderArea;
   cmd->layers = framebuffer->layers;
   begin_subpass(cmd);
}

VKAPI_ATTR void VKAPI_CALL
indium_CmdNextSubpass2(VkCommandBuffer commandBuffer, const VkSubpassBeginInfo *pSubpassBeginInfo,
                       const VkSubpassEndInfo *pSubpassEndInfo)
{
   VK_FROM(vk_command_buffer, cmd, commandBuffer);
   if (!cmd->render_pass)
      return; /* begin ran out of memory */
   cmd->pipe->end_rendering(cmd->pipe);
   subpass_barrier(cmd);
   cmd->subpass++;
   begin_subpass(cmd);
}

VKAPI_ATTR void VKAPI_CALL
indium_CmdEndRenderPass2(VkCommandBuffer commandBuffer, const VkSubpassEndInfo *pSubpassEndInfo)
{
   VK_FROM(vk_command_buffer, cmd, commandBuffer);
   if (!cmd->render_pass)
      return;
   cmd->pipe->end_rendering(cmd->pipe);
   pass_barrier(cmd, cmd->render_pass->after, cmd->render_pass->num_transitions, cmd->render_pass->transitions);
   vk_free(&cmd->pool->device->alloc, NULL, cmd->attachments);
   cmd->attachments = NULL;
   cmd->render_pass = NULL;
   cmd->view_mask = 0;
}

VKAPI_ATTR void VKAPI_CALL
indium_CmdBeginRenderPass(VkCommandBuffer commandBuffer, const VkRenderPassBeginInfo *pRenderPassBegin,
                          VkSubpassContents contents)
{
   indium_CmdBeginRenderPass2(commandBuffer, pRenderPassBegin, NULL);
}

VKAPI_ATTR void VKAPI_CALL
indium_CmdNextSubpass(VkCommandBuffer commandBuffer, VkSubpassContents contents)
{
   indium_CmdNextSubpass2(commandBuffer, NULL, NULL);
}

VKAPI_ATTR void VKAPI_CALL
indium_CmdEndRenderPass(VkCommandBuffer commandBuffer)
{
   indium_CmdEndRenderPass2(commandBuffer, NULL);
}
