/* Render passes of one subpass as dynamic rendering, for shader objects. */
#include <stdlib.h>
#include <string.h>

#include "vkt_objects.h"

enum { ATTACHMENTS = 2 };

struct pass {
   VkAttachmentDescription attachments[ATTACHMENTS];
   uint32_t color, depth; /* VK_ATTACHMENT_UNUSED: none */
   uint32_t view_mask;
};

struct framebuffer {
   VkImageView views[ATTACHMENTS];
   uint32_t layers;
};

VKAPI_ATTR VkResult VKAPI_CALL
vkCreateRenderPass(VkDevice device, const VkRenderPassCreateInfo *info, const VkAllocationCallbacks *allocator,
                   VkRenderPass *pass)
{
   const VkResult result = VKT_LOADER(vkCreateRenderPass)(device, info, allocator, pass);
   if (!vkt_shader_objects || result != VK_SUCCESS || info->subpassCount != 1 || info->attachmentCount > ATTACHMENTS)
      return result;
   const VkSubpassDescription *subpass = info->pSubpasses;
   struct pass kept = {.color = VK_ATTACHMENT_UNUSED, .depth = VK_ATTACHMENT_UNUSED};
   memcpy(kept.attachments, info->pAttachments, info->attachmentCount * sizeof(kept.attachments[0]));
   if (subpass->colorAttachmentCount)
      kept.color = subpass->pColorAttachments[0].attachment;
   if (subpass->pDepthStencilAttachment)
      kept.depth = subpass->pDepthStencilAttachment->attachment;
   for (const VkBaseInStructure *next = info->pNext; next; next = next->pNext) {
      if (next->sType == VK_STRUCTURE_TYPE_RENDER_PASS_MULTIVIEW_CREATE_INFO)
         kept.view_mask = ((const VkRenderPassMultiviewCreateInfo *)next)->pViewMasks[0];
   }
   vkt_remember(VKT_PASS, VKT_HANDLE(*pass), &kept, sizeof(kept));
   return result;
}

VKAPI_ATTR VkResult VKAPI_CALL
vkCreateFramebuffer(VkDevice device, const VkFramebufferCreateInfo *info, const VkAllocationCallbacks *allocator,
                    VkFramebuffer *framebuffer)
{
   const VkResult result = VKT_LOADER(vkCreateFramebuffer)(device, info, allocator, framebuffer);
   if (!vkt_shader_objects || result != VK_SUCCESS || info->attachmentCount > ATTACHMENTS)
      return result;
   struct framebuffer kept = {.layers = info->layers};
   memcpy(kept.views, info->pAttachments, info->attachmentCount * sizeof(kept.views[0]));
   vkt_remember(VKT_FRAMEBUFFER, VKT_HANDLE(*framebuffer), &kept, sizeof(kept));
   return result;
}

static VkRenderingAttachmentInfo
attachment_of(const struct pass *pass, const struct framebuffer *framebuffer, const VkRenderPassBeginInfo *info,
              uint32_t number)
{
   VkRenderingAttachmentInfo attachment = {.sType = VK_STRUCTURE_TYPE_RENDERING_ATTACHMENT_INFO};
   if (number == VK_ATTACHMENT_UNUSED)
      return attachment;
   attachment.imageView = framebuffer->views[number];
   attachment.imageLayout = VK_IMAGE_LAYOUT_GENERAL;
   attachment.loadOp = pass->attachments[number].loadOp;
   attachment.storeOp = pass->attachments[number].storeOp;
   if (number < info->clearValueCount)
      attachment.clearValue = info->pClearValues[number];
   return attachment;
}

static bool
has_stencil(VkFormat format)
{
   return vkt_aspects(format) & VK_IMAGE_ASPECT_STENCIL_BIT;
}

VKAPI_ATTR void VKAPI_CALL
vkCmdBeginRenderPass(VkCommandBuffer cmd, const VkRenderPassBeginInfo *info, VkSubpassContents contents)
{
   const struct pass *pass = vkt_objects ? vkt_recall(VKT_PASS, VKT_HANDLE(info->renderPass)) : NULL;
   const struct framebuffer *framebuffer = vkt_recall(VKT_FRAMEBUFFER, VKT_HANDLE(info->framebuffer));
   if (!pass || !framebuffer) {
      VKT_LOADER(vkCmdBeginRenderPass)(cmd, info, contents);
      return;
   }
   const VkRenderingAttachmentInfo color = attachment_of(pass, framebuffer, info, pass->color),
                                   depth = attachment_of(pass, framebuffer, info, pass->depth);
   const bool has_depth = pass->depth != VK_ATTACHMENT_UNUSED;
   const VkRenderingInfo rendering = {
      .sType = VK_STRUCTURE_TYPE_RENDERING_INFO,
      .flags = contents == VK_SUBPASS_CONTENTS_INLINE ? 0 : VK_RENDERING_CONTENTS_SECONDARY_COMMAND_BUFFERS_BIT,
      .renderArea = info->renderArea,
      .layerCount = framebuffer->layers,
      .viewMask = pass->view_mask,
      .colorAttachmentCount = pass->color != VK_ATTACHMENT_UNUSED,
      .pColorAttachments = &color,
      .pDepthAttachment = has_depth ? &depth : NULL,
      .pStencilAttachment = has_depth && has_stencil(pass->attachments[pass->depth].format) ? &depth : NULL};
   vkt_barrier(cmd);
   VKT_DEVICE(vkCmdBeginRenderingKHR)(cmd, &rendering);
}

VKAPI_ATTR void VKAPI_CALL
vkCmdEndRenderPass(VkCommandBuffer cmd)
{
   if (!vkt_objects) {
      VKT_LOADER(vkCmdEndRenderPass)(cmd);
      return;
   }
   VKT_DEVICE(vkCmdEndRenderingKHR)(cmd);
   vkt_barrier(cmd);
}

/* Secondary command buffers inherit formats. */
VKAPI_ATTR VkResult VKAPI_CALL
vkBeginCommandBuffer(VkCommandBuffer cmd, const VkCommandBufferBeginInfo *info)
{
   const VkCommandBufferInheritanceInfo *inherits = info->pInheritanceInfo;
   const struct pass *pass = inherits && vkt_objects ? vkt_recall(VKT_PASS, VKT_HANDLE(inherits->renderPass)) : NULL;
   if (!pass)
      return VKT_LOADER(vkBeginCommandBuffer)(cmd, info);
   VkFormat color = 0, depth = 0;
   if (pass->color != VK_ATTACHMENT_UNUSED)
      color = pass->attachments[pass->color].format;
   if (pass->depth != VK_ATTACHMENT_UNUSED)
      depth = pass->attachments[pass->depth].format;
   const VkCommandBufferInheritanceRenderingInfo rendering = {
      .sType = VK_STRUCTURE_TYPE_COMMAND_BUFFER_INHERITANCE_RENDERING_INFO,
      .pNext = inherits->pNext,
      .viewMask = pass->view_mask,
      .colorAttachmentCount = color != VK_FORMAT_UNDEFINED,
      .pColorAttachmentFormats = &color,
      .depthAttachmentFormat = depth,
      .stencilAttachmentFormat = has_stencil(depth) ? depth : VK_FORMAT_UNDEFINED,
      .rasterizationSamples = pass->attachments[0].samples};
   VkCommandBufferInheritanceInfo inheritance = *inherits;
   inheritance.pNext = &rendering;
   inheritance.renderPass = VK_NULL_HANDLE;
   inheritance.framebuffer = VK_NULL_HANDLE;
   VkCommandBufferBeginInfo begin = *info;
   begin.pInheritanceInfo = &inheritance;
   return VKT_LOADER(vkBeginCommandBuffer)(cmd, &begin);
}
