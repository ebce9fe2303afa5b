/* Render passes. */
#include "gallium/frontends/vulkan/vk_barrier.h"
#include "util/arena.h"
#include "util/macros.h"
#include "util/within_memory.h"

enum pipe_load_op
vk_load_op(VkAttachmentLoadOp op)
{
   switch ((uint32_t)op) {
   case VK_ATTACHMENT_LOAD_OP_LOAD:
   case VK_ATTACHMENT_LOAD_OP_NONE: /* what is not drawn to stays */
      return PIPE_LOAD;
   case VK_ATTACHMENT_LOAD_OP_CLEAR:
      return PIPE_LOAD_CLEAR;
   default: /* others: don't care */
      return PIPE_LOAD_DONT_CARE;
   }
}

/* Notes the change of an attachment to `to`, if it is one. */
static void
change_layouts(struct vk_render_pass *pass, uint32_t attachment, struct vk_layouts to,
               struct vk_pass_transition *transitions, uint32_t *count)
{
   struct vk_layouts *now = &pass->attachments[attachment].layouts;
   if (now->main != to.main || now->stencil != to.stencil)
      transitions[(*count)++] = (struct vk_pass_transition){attachment, *now, to};
   *now = to;
}

static struct vk_layouts
reference_layouts(const VkAttachmentReference2 *from)
{
   const VkAttachmentReferenceStencilLayout *stencil =
      vk_find_struct(from->pNext, VK_STRUCTURE_TYPE_ATTACHMENT_REFERENCE_STENCIL_LAYOUT);
   return (struct vk_layouts){from->layout, stencil ? stencil->stencilLayout : from->layout};
}

static struct vk_attachment_ref
reference(struct vk_render_pass *pass, uint32_t subpass, const VkAttachmentReference2 *from)
{
   struct vk_attachment_ref ref = {.attachment = from ? from->attachment : VK_ATTACHMENT_UNUSED};
   if (ref.attachment == VK_ATTACHMENT_UNUSED)
      return ref;
   ref.layouts = reference_layouts(from);
   struct vk_attachment *attachment = &pass->attachments[ref.attachment];
   change_layouts(pass, ref.attachment, reference_layouts(from), pass->subpasses[subpass].transitions,
                  &pass->subpasses[subpass].num_transitions);
   uint32_t views = pass->subpasses[subpass].view_mask ? pass->subpasses[subpass].view_mask : 1;
   ref.new_views = views & ~attachment->seen_views;
   attachment->seen_views |= views;
   ref.aspects = vk_aspects(from->aspectMask);
   return ref;
}

enum pipe_resolve
vk_resolve_mode(VkResolveModeFlagBits mode)
{
   switch ((uint32_t)mode) {
   case VK_RESOLVE_MODE_NONE:
   case VK_RESOLVE_MODE_CUSTOM_BIT_EXT: /* draws do it */
      return PIPE_RESOLVE_NONE;
   case VK_RESOLVE_MODE_AVERAGE_BIT:
      return PIPE_RESOLVE_AVERAGE;
   case VK_RESOLVE_MODE_MIN_BIT:
      return PIPE_RESOLVE_MIN;
   case VK_RESOLVE_MODE_MAX_BIT:
      return PIPE_RESOLVE_MAX;
   default: /* others: not offered, but sample 0 */
      return PIPE_RESOLVE_SAMPLE_ZERO;
   }
}

static void
fill_depth_stencil_resolve(struct vk_render_pass *pass, uint32_t index, const VkSubpassDescription2 *from)
{
   const VkSubpassDescriptionDepthStencilResolve *resolve =
      vk_find_struct(from->pNext, VK_STRUCTURE_TYPE_SUBPASS_DESCRIPTION_DEPTH_STENCIL_RESOLVE);
   struct vk_subpass *subpass = &pass->subpasses[index];
   subpass->depth_stencil_resolve = reference(pass, index, resolve ? resolve->pDepthStencilResolveAttachment : NULL);
   if (subpass->depth_stencil_resolve.attachment == VK_ATTACHMENT_UNUSED)
      return;
   uint32_t aspects = vk_format_aspects(pass->attachments[subpass->depth_stencil_resolve.attachment].format);
   if (aspects & PIPE_ASPECT_DEPTH)
      subpass->depth_resolve = vk_resolve_mode(resolve->depthResolveMode);
   if (aspects & PIPE_ASPECT_STENCIL)
      subpass->stencil_resolve = vk_resolve_mode(resolve->stencilResolveMode);
}

static struct vk_attachment
describe(const VkAttachmentDescription2 *from)
{
   const VkAttachmentDescriptionStencilLayout *stencil =
      vk_find_struct(from->pNext, VK_STRUCTURE_TYPE_ATTACHMENT_DESCRIPTION_STENCIL_LAYOUT);
   return (struct vk_attachment){
      .format = vk_stored_format(from->format),
      .samples = (uint8_t)from->samples,
      .load = vk_load_op(from->loadOp),
      .stencil_load = vk_load_op(from->stencilLoadOp),
      .layouts = {from->initialLayout, stencil ? stencil->stencilInitialLayout : from->initialLayout},
   };
}

static struct vk_layouts
final_layouts(const VkAttachmentDescription2 *from)
{
   const VkAttachmentDescriptionStencilLayout *stencil =
      vk_find_struct(from->pNext, VK_STRUCTURE_TYPE_ATTACHMENT_DESCRIPTION_STENCIL_LAYOUT);
   return (struct vk_layouts){from->finalLayout, stencil ? stencil->stencilFinalLayout : from->finalLayout};
}

static void
fill_subpass(struct vk_render_pass *pass, uint32_t index, const VkSubpassDescription2 *from)
{
   struct vk_subpass *subpass = &pass->subpasses[index];
   subpass->num_colors = from->colorAttachmentCount;
   subpass->view_mask = from->viewMask;
   subpass->samples = 1;
   for (uint32_t i = 0; i < from->colorAttachmentCount; i++) {
      subpass->colors[i] = reference(pass, index, &from->pColorAttachments[i]);
      subpass->resolves[i] = reference(pass, index, from->pResolveAttachments ? &from->pResolveAttachments[i] : NULL);
      if (subpass->colors[i].attachment != VK_ATTACHMENT_UNUSED)
         subpass->samples = MAX2(subpass->samples, pass->attachments[subpass->colors[i].attachment].samples);
   }
   subpass->depth_stencil = reference(pass, index, from->pDepthStencilAttachment);
   if (subpass->depth_stencil.attachment != VK_ATTACHMENT_UNUSED)
      subpass->samples = MAX2(subpass->samples, pass->attachments[subpass->depth_stencil.attachment].samples);
   fill_depth_stencil_resolve(pass, index, from);
   const VkFragmentShadingRateAttachmentInfoKHR *rate =
      vk_find_struct(from->pNext, VK_STRUCTURE_TYPE_FRAGMENT_SHADING_RATE_ATTACHMENT_INFO_KHR);
   subpass->shading_rate = reference(pass, index, rate ? rate->pFragmentShadingRateAttachment : NULL);
   for (uint32_t i = 0; i < from->inputAttachmentCount; i++) {
      uint32_t input = reference(pass, index, &from->pInputAttachments[i]).attachment;
      if (input == VK_ATTACHMENT_UNUSED)
         continue;
      subpass->reads_depth_stencil |= input == subpass->depth_stencil.attachment;
      for (uint32_t j = 0; j < from->colorAttachmentCount; j++)
         subpass->reads_color |= input == subpass->colors[j].attachment;
   }
}

/* A dependency of a subpass on itself belongs to barriers inside of it. */
static void
add_dependency(struct vk_render_pass *pass, const VkSubpassDependency2 *from)
{
   const VkMemoryBarrier2 *precise = vk_find_struct(from->pNext, VK_STRUCTURE_TYPE_MEMORY_BARRIER_2);
   if (from->srcSubpass == from->dstSubpass)
      return;
   vk_barrier_merge(
      from->dstSubpass == VK_SUBPASS_EXTERNAL ? &pass->after : &pass->subpasses[from->dstSubpass].before,
      precise
         ? vk_barrier(precise->srcStageMask, precise->dstStageMask, precise->srcAccessMask, precise->dstAccessMask)
         : vk_barrier(from->srcStageMask, from->dstStageMask, from->srcAccessMask, from->dstAccessMask));
}

/* Of one subpass at most: colours and what they are resolved to, inputs, depth/stencil and its resolve, the rate. */
static size_t
num_references(const VkSubpassDescription2 *from)
{
   return 2 * (size_t)from->colorAttachmentCount + from->inputAttachmentCount + 3;
}

/* The lists of transitions follow each other; an attachment is in each at most once. */
static void
fill_subpasses(struct vk_render_pass *pass, const VkRenderPassCreateInfo2 *from, struct vk_pass_transition *next)
{
   for (uint32_t i = 0; i < pass->num_subpasses; i++) {
      pass->subpasses[i].transitions = next;
      fill_subpass(pass, i, &from->pSubpasses[i]);
      next += pass->subpasses[i].num_transitions;
   }
   pass->transitions = next;
   for (uint32_t i = 0; i < pass->num_attachments; i++)
      change_layouts(pass, i, final_layouts(&from->pAttachments[i]), pass->transitions, &pass->num_transitions);
}

VKAPI_ATTR VkResult VKAPI_CALL
indium_CreateRenderPass2(VkDevice _device, const VkRenderPassCreateInfo2 *pCreateInfo,
                         const VkAllocationCallbacks *pAllocator, VkRenderPass *pRenderPass)
{
   VK_FROM(vk_device, device, _device);
   size_t attachments_B = pCreateInfo->attachmentCount * sizeof(struct vk_attachment);
   size_t subpasses_B = pCreateInfo->subpassCount * sizeof(struct vk_subpass);
   size_t transitions = pCreateInfo->attachmentCount;
   for (uint32_t i = 0; i < pCreateInfo->subpassCount; i++)
      transitions += num_references(&pCreateInfo->pSubpasses[i]);
   struct vk_render_pass *pass =
      vk_alloc(&device->alloc, pAllocator,
               sizeof(*pass) + attachments_B + subpasses_B + transitions * sizeof(struct vk_pass_transition));
   if (!pass)
      return VK_ERROR_OUT_OF_HOST_MEMORY;
   pass->num_attachments = pCreateInfo->attachmentCount;
   pass->num_subpasses = pCreateInfo->subpassCount;
   pass->subpasses = (struct vk_subpass *)(pass + 1);
   pass->attachments = (struct vk_attachment *)((char *)pass->subpasses + subpasses_B);
   for (uint32_t i = 0; i < pass->num_attachments; i++)
      pass->attachments[i] = describe(&pCreateInfo->pAttachments[i]);
   fill_subpasses(pass, pCreateInfo, (struct vk_pass_transition *)((char *)pass->attachments + attachments_B));
   for (uint32_t i = 0; i < pCreateInfo->dependencyCount; i++)
      add_dependency(pass, &pCreateInfo->pDependencies[i]);
   *pRenderPass = VK_TO(VkRenderPass, pass);
   return VK_SUCCESS;
}

static VkAttachmentReference2 *
upgrade_references(struct arena *arena, const VkAttachmentReference *from, uint32_t count)
{
   VkAttachmentReference2 *to = arena_array(arena, VkAttachmentReference2, count);
   for (uint32_t i = 0; i < count; i++)
      to[i] = (VkAttachmentReference2){.attachment = from[i].attachment, .layout = from[i].layout};
   return to;
}

static VkSubpassDescription2
upgrade_subpass(struct arena *arena, const VkSubpassDescription *from)
{
   return (VkSubpassDescription2){
      .inputAttachmentCount = from->inputAttachmentCount,
      .pInputAttachments = upgrade_references(arena, from->pInputAttachments, from->inputAttachmentCount),
      .colorAttachmentCount = from->colorAttachmentCount,
      .pColorAttachments = upgrade_references(arena, from->pColorAttachments, from->colorAttachmentCount),
      .pResolveAttachments = from->pResolveAttachments
                                ? upgrade_references(arena, from->pResolveAttachments, from->colorAttachmentCount)
                                : NULL,
      .pDepthStencilAttachment =
         from->pDepthStencilAttachment ? upgrade_references(arena, from->pDepthStencilAttachment, 1) : NULL,
   };
}

struct upgrade {
   const VkRenderPassCreateInfo *from;
   struct arena arena;
   VkRenderPassCreateInfo2 to;
};

static void
upgrade_pass(void *data)
{
   struct upgrade *u = data;
   const VkRenderPassCreateInfo *info = u->from;
   const VkRenderPassMultiviewCreateInfo *multiview =
      vk_find_struct(info->pNext, VK_STRUCTURE_TYPE_RENDER_PASS_MULTIVIEW_CREATE_INFO);
   VkAttachmentDescription2 *attachments = arena_array(&u->arena, VkAttachmentDescription2, info->attachmentCount);
   for (uint32_t i = 0; i < info->attachmentCount; i++) {
      const VkAttachmentDescription *from = &info->pAttachments[i];
      attachments[i] = (VkAttachmentDescription2){.format = from->format,
                                                  .samples = from->samples,
                                                  .loadOp = from->loadOp,
                                                  .stencilLoadOp = from->stencilLoadOp,
                                                  .initialLayout = from->initialLayout,
                                                  .finalLayout = from->finalLayout};
   }
   VkSubpassDescription2 *subpasses = arena_array(&u->arena, VkSubpassDescription2, info->subpassCount);
   for (uint32_t i = 0; i < info->subpassCount; i++) {
      subpasses[i] = upgrade_subpass(&u->arena, &info->pSubpasses[i]);
      subpasses[i].viewMask = multiview && multiview->subpassCount ? multiview->pViewMasks[i] : 0;
   }
   VkSubpassDependency2 *dependencies = arena_array(&u->arena, VkSubpassDependency2, info->dependencyCount);
   for (uint32_t i = 0; i < info->dependencyCount; i++) {
      const VkSubpassDependency *from = &info->pDependencies[i];
      dependencies[i] = (VkSubpassDependency2){.srcSubpass = from->srcSubpass,
                                               .dstSubpass = from->dstSubpass,
                                               .srcStageMask = from->srcStageMask,
                                               .dstStageMask = from->dstStageMask,
                                               .srcAccessMask = from->srcAccessMask,
                                               .dstAccessMask = from->dstAccessMask};
   }
   u->to = (VkRenderPassCreateInfo2){
      .attachmentCount = info->attachmentCount,
      .pAttachments = attachments,
      .subpassCount = info->subpassCount,
      .pSubpasses = subpasses,
      .dependencyCount = info->dependencyCount,
      .pDependencies = dependencies,
   };
}

VKAPI_ATTR VkResult VKAPI_CALL
indium_CreateRenderPass(VkDevice device, const VkRenderPassCreateInfo *pCreateInfo,
                        const VkAllocationCallbacks *pAllocator, VkRenderPass *pRenderPass)
{
   struct upgrade upgrade = {.from = pCreateInfo};
   VkResult result = VK_ERROR_OUT_OF_HOST_MEMORY;
   if (within_memory(upgrade_pass, &upgrade))
      result = indium_CreateRenderPass2(device, &upgrade.to, pAllocator, pRenderPass);
   arena_free(&upgrade.arena);
   return result;
}

VKAPI_ATTR void VKAPI_CALL
indium_DestroyRenderPass(VkDevice _device, VkRenderPass renderPass, const VkAllocationCallbacks *pAllocator)
{
   VK_FROM(vk_device, device, _device);
   vk_free(&device->alloc, pAllocator, (void *)renderPass);
}

VKAPI_ATTR void VKAPI_CALL
indium_GetRenderingAreaGranularity(VkDevice device, const VkRenderingAreaInfo *pRenderingAreaInfo,
                                   VkExtent2D *pGranularity)
{
   *pGranularity = (VkExtent2D){1, 1};
}

VKAPI_ATTR void VKAPI_CALL
indium_GetRenderAreaGranularity(VkDevice device, VkRenderPass renderPass, VkExtent2D *pGranularity)
{
   *pGranularity = (VkExtent2D){1, 1};
}
