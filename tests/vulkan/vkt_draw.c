#include "vkt_draw.h"

#include <stdlib.h>
#include <string.h>

static VkRenderPass
create_pass(struct vkx *vkx, VkFormat color, VkFormat depth, VkSampleCountFlagBits samples, bool clear)
{
   const VkAttachmentLoadOp load = clear ? VK_ATTACHMENT_LOAD_OP_CLEAR : VK_ATTACHMENT_LOAD_OP_LOAD;
   const VkImageLayout before = clear ? VK_IMAGE_LAYOUT_UNDEFINED : VK_IMAGE_LAYOUT_GENERAL;
   const VkAttachmentDescription attachments[2] = {
      {0, color, samples, load, VK_ATTACHMENT_STORE_OP_STORE, load, VK_ATTACHMENT_STORE_OP_STORE, before,
       VK_IMAGE_LAYOUT_GENERAL},
      {0, depth, samples, load, VK_ATTACHMENT_STORE_OP_STORE, load, VK_ATTACHMENT_STORE_OP_STORE, before,
       VK_IMAGE_LAYOUT_GENERAL},
   };
   const VkAttachmentReference refs[2] = {{0, VK_IMAGE_LAYOUT_GENERAL}, {1, VK_IMAGE_LAYOUT_GENERAL}};
   const VkSubpassDescription subpass = {
      .colorAttachmentCount = 1, .pColorAttachments = &refs[0], .pDepthStencilAttachment = depth ? &refs[1] : NULL};
   const VkPipelineStageFlags all = VK_PIPELINE_STAGE_ALL_COMMANDS_BIT, inside = VK_PIPELINE_STAGE_ALL_GRAPHICS_BIT;
   const VkAccessFlags access = VK_ACCESS_MEMORY_READ_BIT | VK_ACCESS_MEMORY_WRITE_BIT;
   const VkSubpassDependency dependencies[2] = {
      {VK_SUBPASS_EXTERNAL, 0, all, inside, access, access, 0},
      {0, VK_SUBPASS_EXTERNAL, inside, all, access, access, 0},
   };
   const VkRenderPassCreateInfo info = {.sType = VK_STRUCTURE_TYPE_RENDER_PASS_CREATE_INFO,
                                        .attachmentCount = depth ? 2 : 1,
                                        .pAttachments = attachments,
                                        .subpassCount = 1,
                                        .pSubpasses = &subpass,
                                        .dependencyCount = 2,
                                        .pDependencies = dependencies};
   VkRenderPass pass;
   vkx_check(vkCreateRenderPass(vkx->device, &info, NULL, &pass), "vkCreateRenderPass");
   return pass;
}

static struct vkt_image
create_image(struct vkx *vkx, const struct vkt_target *target, VkFormat format, VkSampleCountFlagBits samples,
             VkImageUsageFlags usage)
{
   return vkt_image_create(vkx,
                           (VkImageCreateInfo){
                              .imageType = VK_IMAGE_TYPE_2D,
                              .format = format,
                              .extent = {target->extent.width, target->extent.height, 1},
                              .arrayLayers = target->layers,
                              .samples = samples,
                              .usage = usage | VK_IMAGE_USAGE_TRANSFER_SRC_BIT | VK_IMAGE_USAGE_TRANSFER_DST_BIT,
                           },
                           false);
}

struct vkt_target
vkt_target_create(struct vkx *vkx, VkFormat color, VkFormat depth, VkExtent2D extent, uint32_t layers,
                  VkSampleCountFlagBits samples)
{
   struct vkt_target target = {.extent = extent, .layers = layers};
   const VkImageViewType type = layers > 1 ? VK_IMAGE_VIEW_TYPE_2D_ARRAY : VK_IMAGE_VIEW_TYPE_2D;
   target.color = create_image(vkx, &target, color, samples, VK_IMAGE_USAGE_COLOR_ATTACHMENT_BIT);
   target.views[0] = vkt_view_create(vkx, &target.color, type, VK_IMAGE_ASPECT_COLOR_BIT, 0, 0, layers);
   if (depth) {
      target.depth = create_image(vkx, &target, depth, samples, VK_IMAGE_USAGE_DEPTH_STENCIL_ATTACHMENT_BIT);
      target.views[1] = vkt_view_create(vkx, &target.depth, type, vkt_aspects(depth), 0, 0, layers);
   }
   target.pass = create_pass(vkx, color, depth, samples, true);
   target.load_pass = create_pass(vkx, color, depth, samples, false);
   const VkFramebufferCreateInfo info = {
      .sType = VK_STRUCTURE_TYPE_FRAMEBUFFER_CREATE_INFO,
      .renderPass = target.pass,
      .attachmentCount = depth ? 2 : 1,
      .pAttachments = target.views,
      .width = extent.width,
      .height = extent.height,
      .layers = layers,
   };
   vkx_check(vkCreateFramebuffer(vkx->device, &info, NULL, &target.framebuffer), "vkCreateFramebuffer");
   return target;
}

void
vkt_target_destroy(struct vkx *vkx, struct vkt_target *target)
{
   vkDestroyFramebuffer(vkx->device, target->framebuffer, NULL);
   vkDestroyRenderPass(vkx->device, target->pass, NULL);
   vkDestroyRenderPass(vkx->device, target->load_pass, NULL);
   vkDestroyImageView(vkx->device, target->views[0], NULL);
   vkDestroyImageView(vkx->device, target->views[1], NULL);
   vkt_image_destroy(vkx, &target->color);
   vkt_image_destroy(vkx, &target->depth);
}

void
vkt_set_viewport(VkCommandBuffer cmd, VkExtent2D extent)
{
   vkCmdSetViewport(cmd, 0, 1, &(VkViewport){0, 0, (float)extent.width, (float)extent.height, 0, 1});
   vkCmdSetScissor(cmd, 0, 1, &(VkRect2D){{0, 0}, extent});
}

void
vkt_target_begin(VkCommandBuffer cmd, const struct vkt_target *target, VkRenderPass pass, VkSubpassContents contents)
{
   const VkClearValue clear[2] = {{.color = {{0, 0, 0, 0}}}, {.depthStencil = {1, 0}}};
   const VkRenderPassBeginInfo begin = {
      .sType = VK_STRUCTURE_TYPE_RENDER_PASS_BEGIN_INFO,
      .renderPass = pass,
      .framebuffer = target->framebuffer,
      .renderArea = {{0, 0}, target->extent},
      .clearValueCount = target->views[1] ? 2 : 1,
      .pClearValues = clear,
   };
   vkCmdBeginRenderPass(cmd, &begin, contents);
   if (contents == VK_SUBPASS_CONTENTS_INLINE)
      vkt_set_viewport(cmd, target->extent);
}

static uint32_t
minify(uint32_t size, uint32_t level)
{
   return size >> level ? size >> level : 1;
}

unsigned
vkt_different(const uint8_t *a, const uint8_t *b, size_t size_B, int tolerance)
{
   unsigned count = 0;
   for (size_t i = 0; i < size_B; i++)
      count += abs(a[i] - b[i]) > tolerance;
   return count;
}

void
vkt_read(struct vkx *vkx, const struct vkt_image *image, VkImageAspectFlags aspect, uint32_t level,
         const struct vkx_buffer *buffer)
{
   const VkExtent3D size = image->info.extent;
   const VkBufferImageCopy copy = {
      .imageSubresource = {aspect, level, 0, image->info.arrayLayers},
      .imageExtent = {minify(size.width, level), minify(size.height, level), minify(size.depth, level)},
   };
   VkCommandBuffer cmd = vkx_begin(vkx);
   vkt_barrier(cmd);
   vkCmdCopyImageToBuffer(cmd, image->image, VK_IMAGE_LAYOUT_GENERAL, buffer->buffer, 1, &copy);
   vkt_barrier(cmd);
   vkx_submit_and_wait(vkx, cmd);
}

static const VkPipelineRasterizationStateCreateInfo default_raster = {
   .sType = VK_STRUCTURE_TYPE_PIPELINE_RASTERIZATION_STATE_CREATE_INFO, .lineWidth = 1};

static VkPipeline
create(struct vkx *vkx, const struct vkt_pipeline_info *info, const VkPipelineShaderStageCreateInfo *stages,
       uint32_t count)
{ /* size: states of a pipeline */
   VkPipelineColorBlendAttachmentState blend[8];
   for (unsigned i = 0; i < 8; i++)
      blend[i] = info->blend ? *info->blend : (VkPipelineColorBlendAttachmentState){.colorWriteMask = 0xf};
   VkDynamicState dynamic[64] = {VK_DYNAMIC_STATE_VIEWPORT, VK_DYNAMIC_STATE_SCISSOR};
   for (uint32_t i = 0; i < info->num_dynamic; i++)
      dynamic[2 + i] = info->dynamic[i];
   const VkGraphicsPipelineCreateInfo create = {
      .sType = VK_STRUCTURE_TYPE_GRAPHICS_PIPELINE_CREATE_INFO,
      .pNext = info->next,
      .flags = info->flags,
      .stageCount = count,
      .pStages = stages,
      .pVertexInputState =
         info->vertex_input
            ? info->vertex_input
            : &(VkPipelineVertexInputStateCreateInfo){.sType =
                                                         VK_STRUCTURE_TYPE_PIPELINE_VERTEX_INPUT_STATE_CREATE_INFO},
      .pInputAssemblyState = &(
         VkPipelineInputAssemblyStateCreateInfo){.sType = VK_STRUCTURE_TYPE_PIPELINE_INPUT_ASSEMBLY_STATE_CREATE_INFO,
                                                 .topology = info->points     ? VK_PRIMITIVE_TOPOLOGY_POINT_LIST
                                                             : info->topology ? info->topology
                                                                              : VK_PRIMITIVE_TOPOLOGY_TRIANGLE_STRIP,
                                                 .primitiveRestartEnable = info->restart},
      .pTessellationState = info->tessellation,
      .pViewportState =
         &(VkPipelineViewportStateCreateInfo){.sType = VK_STRUCTURE_TYPE_PIPELINE_VIEWPORT_STATE_CREATE_INFO,
                                              .pNext = info->viewport_next,
                                              .viewportCount = info->viewports ? info->viewports : 1,
                                              .scissorCount = info->viewports ? info->viewports : 1},
      .pRasterizationState = info->raster ? info->raster : &default_raster,
      .pMultisampleState =
         &(VkPipelineMultisampleStateCreateInfo){.sType = VK_STRUCTURE_TYPE_PIPELINE_MULTISAMPLE_STATE_CREATE_INFO,
                                                 .pNext = info->multisample_next,
                                                 .rasterizationSamples =
                                                    info->samples ? info->samples : VK_SAMPLE_COUNT_1_BIT,
                                                 .pSampleMask = info->sample_mask,
                                                 .alphaToCoverageEnable = info->alpha_to_coverage,
                                                 .alphaToOneEnable = info->alpha_to_one},
      .pDepthStencilState =
         info->depth_stencil
            ? info->depth_stencil
            : &(VkPipelineDepthStencilStateCreateInfo){.sType =
                                                          VK_STRUCTURE_TYPE_PIPELINE_DEPTH_STENCIL_STATE_CREATE_INFO},
      .pColorBlendState =
         &(VkPipelineColorBlendStateCreateInfo){.sType = VK_STRUCTURE_TYPE_PIPELINE_COLOR_BLEND_STATE_CREATE_INFO,
                                                .pNext = info->blend_next,
                                                .logicOpEnable = info->logic_op_enable,
                                                .logicOp = info->logic_op,
                                                .attachmentCount = info->no_color ? 0 : info->colors + !info->colors,
                                                .pAttachments = info->blends ? info->blends : blend},
      .pDynamicState =
         &(VkPipelineDynamicStateCreateInfo){.sType = VK_STRUCTURE_TYPE_PIPELINE_DYNAMIC_STATE_CREATE_INFO,
                                             .dynamicStateCount = 2 + info->num_dynamic,
                                             .pDynamicStates = dynamic},
      .layout = info->layout,
      .renderPass = info->pass,
      .subpass = info->subpass,
   };
   return vkt_graphics_pipeline_create(vkx, &create);
}

VkPipeline
vkt_pipeline_create(struct vkx *vkx, const struct vkt_pipeline_info *info)
{
   static const VkShaderStageFlagBits bits[] = {VK_SHADER_STAGE_VERTEX_BIT,
                                                VK_SHADER_STAGE_TESSELLATION_CONTROL_BIT,
                                                VK_SHADER_STAGE_TESSELLATION_EVALUATION_BIT,
                                                VK_SHADER_STAGE_GEOMETRY_BIT,
                                                VK_SHADER_STAGE_TASK_BIT_EXT,
                                                VK_SHADER_STAGE_MESH_BIT_EXT,
                                                VK_SHADER_STAGE_FRAGMENT_BIT};
   const struct vkt_code *codes[] = {&info->vertex, &info->control, &info->evaluation, &info->geometry,
                                     &info->task,   &info->mesh,    &info->fragment};
   VkPipelineShaderStageCreateInfo stages[7] = {{0}};
   uint32_t count = 0;
   for (unsigned i = 0; i < 7; i++) {
      if (codes[i]->words)
         stages[count++] = (VkPipelineShaderStageCreateInfo){
            .sType = VK_STRUCTURE_TYPE_PIPELINE_SHADER_STAGE_CREATE_INFO,
            .stage = bits[i],
            .module = vkx_shader_create(vkx, codes[i]->words, codes[i]->size_B),
            .pName = "main",
            .pSpecializationInfo = info->specialization,
         };
   }
   VkPipeline pipeline = create(vkx, info, stages, count);
   for (uint32_t i = 0; i < count; i++)
      vkDestroyShaderModule(vkx->device, stages[i].module, NULL);
   return pipeline;
}

VkPipelineLayout
vkt_quad_layout_create(struct vkx *vkx)
{
   return vkx_pipeline_layout_create(vkx, VK_NULL_HANDLE, VKT_QUAD_STAGES, sizeof(struct vkt_quad));
}

void
vkt_draw_quad(VkCommandBuffer cmd, VkPipelineLayout layout, VkExtent2D extent, uint32_t x0, uint32_t y0, uint32_t x1,
              uint32_t y1, float depth, const float color[4])
{
   const float w = (float)extent.width / 2, h = (float)extent.height / 2;
   const struct vkt_quad quad = {
      (float)x0 / w - 1,
      (float)y0 / h - 1,
      (float)x1 / w - 1,
      (float)y1 / h - 1,
      {color[0], color[1], color[2], color[3]},
      depth,
   };
   vkCmdPushConstants(cmd, layout, VKT_QUAD_STAGES, 0, sizeof(quad), &quad);
   vkCmdDraw(cmd, 4, 1, 0, 0);
}

static VkCommandBuffer
begin_secondary(struct vkx *vkx, const struct vkt_target *target, uint32_t subpass, VkQueryControlFlags query,
                bool in_query)
{
   const VkCommandBufferAllocateInfo info = {.sType = VK_STRUCTURE_TYPE_COMMAND_BUFFER_ALLOCATE_INFO,
                                             .commandPool = vkx->pool,
                                             .level = VK_COMMAND_BUFFER_LEVEL_SECONDARY,
                                             .commandBufferCount = 1};
   const VkCommandBufferInheritanceInfo inheritance = {
      .sType = VK_STRUCTURE_TYPE_COMMAND_BUFFER_INHERITANCE_INFO,
      .renderPass = target->pass,
      .subpass = subpass,
      .framebuffer = target->framebuffer,
      .occlusionQueryEnable = in_query,
      .queryFlags = query,
      .pipelineStatistics = in_query && vkt_features.pipelineStatisticsQuery ? 0x4e7 : 0};
   const VkCommandBufferBeginInfo begin = {.sType = VK_STRUCTURE_TYPE_COMMAND_BUFFER_BEGIN_INFO,
                                           .flags = VK_COMMAND_BUFFER_USAGE_RENDER_PASS_CONTINUE_BIT |
                                                    VK_COMMAND_BUFFER_USAGE_SIMULTANEOUS_USE_BIT,
                                           .pInheritanceInfo = &inheritance};
   VkCommandBuffer cmd;
   vkx_check(vkAllocateCommandBuffers(vkx->device, &info, &cmd), "vkAllocateCommandBuffers");
   vkx_check(vkBeginCommandBuffer(cmd, &begin), "vkBeginCommandBuffer");
   vkt_set_viewport(cmd, target->extent);
   return cmd;
}

VkCommandBuffer
vkt_secondary_begin(struct vkx *vkx, const struct vkt_target *target, VkQueryControlFlags query, bool in_query)
{
   return begin_secondary(vkx, target, 0, query, in_query);
}

VkCommandBuffer
vkt_secondary_begin_subpass(struct vkx *vkx, const struct vkt_target *target, uint32_t subpass)
{
   return begin_secondary(vkx, target, subpass, 0, false);
}
