#include "render.h"

VkRenderPass
render_pass_create(struct vkx *vkx, VkSampleCountFlagBits samples)
{
   const bool multisampled = samples != VK_SAMPLE_COUNT_1_BIT;
   const VkAttachmentDescription attachments[3] = {
      {.format = COLOR_FORMAT,
       .samples = samples,
       .loadOp = VK_ATTACHMENT_LOAD_OP_CLEAR,
       .storeOp = multisampled ? VK_ATTACHMENT_STORE_OP_DONT_CARE : VK_ATTACHMENT_STORE_OP_STORE,
       .stencilLoadOp = VK_ATTACHMENT_LOAD_OP_DONT_CARE,
       .stencilStoreOp = VK_ATTACHMENT_STORE_OP_DONT_CARE,
       .finalLayout = multisampled ? VK_IMAGE_LAYOUT_COLOR_ATTACHMENT_OPTIMAL : VK_IMAGE_LAYOUT_TRANSFER_SRC_OPTIMAL},
      {.format = DEPTH_FORMAT,
       .samples = samples,
       .loadOp = VK_ATTACHMENT_LOAD_OP_CLEAR,
       .storeOp = VK_ATTACHMENT_STORE_OP_DONT_CARE,
       .stencilLoadOp = VK_ATTACHMENT_LOAD_OP_DONT_CARE,
       .stencilStoreOp = VK_ATTACHMENT_STORE_OP_DONT_CARE,
       .finalLayout = VK_IMAGE_LAYOUT_DEPTH_STENCIL_ATTACHMENT_OPTIMAL},
      {.format = COLOR_FORMAT,
       .samples = VK_SAMPLE_COUNT_1_BIT,
       .loadOp = VK_ATTACHMENT_LOAD_OP_DONT_CARE,
       .storeOp = VK_ATTACHMENT_STORE_OP_STORE,
       .stencilLoadOp = VK_ATTACHMENT_LOAD_OP_DONT_CARE,
       .stencilStoreOp = VK_ATTACHMENT_STORE_OP_DONT_CARE,
       .finalLayout = VK_IMAGE_LAYOUT_TRANSFER_SRC_OPTIMAL},
   };
   const VkAttachmentReference color = {0, VK_IMAGE_LAYOUT_COLOR_ATTACHMENT_OPTIMAL};
   const VkAttachmentReference depth = {1, VK_IMAGE_LAYOUT_DEPTH_STENCIL_ATTACHMENT_OPTIMAL};
   const VkAttachmentReference resolve = {2, VK_IMAGE_LAYOUT_COLOR_ATTACHMENT_OPTIMAL};
   const VkSubpassDescription subpass = {
      .pipelineBindPoint = VK_PIPELINE_BIND_POINT_GRAPHICS,
      .colorAttachmentCount = 1,
      .pColorAttachments = &color,
      .pResolveAttachments = multisampled ? &resolve : NULL,
      .pDepthStencilAttachment = multisampled ? &depth : NULL,
   };
   const VkSubpassDependency copy = {
      .srcSubpass = 0,
      .dstSubpass = VK_SUBPASS_EXTERNAL,
      .srcStageMask = VK_PIPELINE_STAGE_COLOR_ATTACHMENT_OUTPUT_BIT,
      .srcAccessMask = VK_ACCESS_COLOR_ATTACHMENT_WRITE_BIT,
      .dstStageMask = VK_PIPELINE_STAGE_TRANSFER_BIT,
      .dstAccessMask = VK_ACCESS_TRANSFER_READ_BIT,
   };
   const VkRenderPassCreateInfo info = {
      .sType = VK_STRUCTURE_TYPE_RENDER_PASS_CREATE_INFO,
      .attachmentCount = multisampled ? 3 : 1,
      .pAttachments = attachments,
      .subpassCount = 1,
      .pSubpasses = &subpass,
      .dependencyCount = 1,
      .pDependencies = &copy,
   };
   VkRenderPass pass;
   vkx_check(vkCreateRenderPass(vkx->device, &info, NULL, &pass), "vkCreateRenderPass");
   return pass;
}

static const VkPipelineColorBlendAttachmentState blend_over = {
   .blendEnable = VK_TRUE,
   .srcColorBlendFactor = VK_BLEND_FACTOR_SRC_ALPHA,
   .dstColorBlendFactor = VK_BLEND_FACTOR_ONE_MINUS_SRC_ALPHA,
   .srcAlphaBlendFactor = VK_BLEND_FACTOR_ONE,
   .dstAlphaBlendFactor = VK_BLEND_FACTOR_ONE_MINUS_SRC_ALPHA,
   .colorWriteMask = 0xf,
};
static const VkPipelineColorBlendAttachmentState blend_off = {.colorWriteMask = 0xf};

VkResult
render_pipeline_try(struct vkx *vkx, const struct pipeline_info *info, VkPipeline *pipeline)
{
   const VkPipelineShaderStageCreateInfo stages[2] = {
      {.sType = VK_STRUCTURE_TYPE_PIPELINE_SHADER_STAGE_CREATE_INFO,
       .stage = VK_SHADER_STAGE_VERTEX_BIT,
       .module = info->vertex,
       .pName = "main"},
      {.sType = VK_STRUCTURE_TYPE_PIPELINE_SHADER_STAGE_CREATE_INFO,
       .stage = VK_SHADER_STAGE_FRAGMENT_BIT,
       .module = info->fragment,
       .pName = "main"},
   };
   const VkViewport viewport = {0, 0, (float)info->extent.width, (float)info->extent.height, 0, 1};
   const VkRect2D scissor = {{0, 0}, info->extent};
   const VkGraphicsPipelineCreateInfo create = {
      .sType = VK_STRUCTURE_TYPE_GRAPHICS_PIPELINE_CREATE_INFO,
      .stageCount = 2,
      .pStages = stages,
      .pVertexInputState = info->vertex_input,
      .pInputAssemblyState =
         &(VkPipelineInputAssemblyStateCreateInfo){
            .sType = VK_STRUCTURE_TYPE_PIPELINE_INPUT_ASSEMBLY_STATE_CREATE_INFO, .topology = info->topology},
      .pViewportState =
         &(VkPipelineViewportStateCreateInfo){.sType = VK_STRUCTURE_TYPE_PIPELINE_VIEWPORT_STATE_CREATE_INFO,
                                              .viewportCount = 1,
                                              .pViewports = info->viewport ? info->viewport : &viewport,
                                              .scissorCount = 1,
                                              .pScissors = info->scissor ? info->scissor : &scissor},
      .pRasterizationState = &(
         VkPipelineRasterizationStateCreateInfo){.sType = VK_STRUCTURE_TYPE_PIPELINE_RASTERIZATION_STATE_CREATE_INFO,
                                                 .cullMode = info->cull,
                                                 .frontFace = VK_FRONT_FACE_COUNTER_CLOCKWISE,
                                                 .lineWidth = 1},
      .pMultisampleState =
         &(VkPipelineMultisampleStateCreateInfo){.sType = VK_STRUCTURE_TYPE_PIPELINE_MULTISAMPLE_STATE_CREATE_INFO,
                                                 .rasterizationSamples = info->samples},
      .pDepthStencilState =
         &(VkPipelineDepthStencilStateCreateInfo){.sType = VK_STRUCTURE_TYPE_PIPELINE_DEPTH_STENCIL_STATE_CREATE_INFO,
                                                  .depthTestEnable = info->depth_test,
                                                  .depthWriteEnable = info->depth_write,
                                                  .depthCompareOp = VK_COMPARE_OP_LESS},
      .pColorBlendState =
         &(VkPipelineColorBlendStateCreateInfo){.sType = VK_STRUCTURE_TYPE_PIPELINE_COLOR_BLEND_STATE_CREATE_INFO,
                                                .attachmentCount = 1,
                                                .pAttachments = info->blend ? &blend_over : &blend_off},
      .layout = info->layout,
      .renderPass = info->pass,
   };
   return vkCreateGraphicsPipelines(vkx->device, VK_NULL_HANDLE, 1, &create, NULL, pipeline);
}

VkPipeline
render_pipeline_create(struct vkx *vkx, const struct pipeline_info *info)
{
   VkPipeline pipeline;
   vkx_check(render_pipeline_try(vkx, info, &pipeline), "vkCreateGraphicsPipelines");
   vkDestroyShaderModule(vkx->device, info->vertex, NULL);
   vkDestroyShaderModule(vkx->device, info->fragment, NULL);
   return pipeline;
}

VkFramebuffer
render_framebuffer_create(struct vkx *vkx, VkRenderPass pass, uint32_t count, const VkImageView *views,
                          VkExtent2D extent)
{
   const VkFramebufferCreateInfo info = {
      .sType = VK_STRUCTURE_TYPE_FRAMEBUFFER_CREATE_INFO,
      .renderPass = pass,
      .attachmentCount = count,
      .pAttachments = views,
      .width = extent.width,
      .height = extent.height,
      .layers = 1,
   };
   VkFramebuffer framebuffer;
   vkx_check(vkCreateFramebuffer(vkx->device, &info, NULL, &framebuffer), "vkCreateFramebuffer");
   return framebuffer;
}

void
render_read_back(VkCommandBuffer cmd, const struct vkx_image *image, const struct vkx_buffer *buffer)
{
   const VkBufferImageCopy region = {.imageSubresource = {VK_IMAGE_ASPECT_COLOR_BIT, 0, 0, 1},
                                     .imageExtent = {image->extent.width, image->extent.height, 1}};
   vkCmdCopyImageToBuffer(cmd, image->image, VK_IMAGE_LAYOUT_TRANSFER_SRC_OPTIMAL, buffer->buffer, 1, &region);
   vkx_memory_barrier(cmd, VK_PIPELINE_STAGE_TRANSFER_BIT, VK_ACCESS_TRANSFER_WRITE_BIT, VK_PIPELINE_STAGE_HOST_BIT,
                      VK_ACCESS_HOST_READ_BIT);
}
