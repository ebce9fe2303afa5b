/* What the drawing examples share: render passes, graphics pipelines, pictures. */
#ifndef RENDER_H
#define RENDER_H

#include "vkx.h"

#define COLOR_FORMAT VK_FORMAT_R8G8B8A8_UNORM
#define DEPTH_FORMAT VK_FORMAT_D32_SFLOAT

/* One subpass: a colour attachment, cleared; with more than one sample also a depth attachment and a resolve target.
 * Ends in the layout for a copy of the single-sampled picture. */
VkRenderPass render_pass_create(struct vkx *vkx, VkSampleCountFlagBits samples);

struct pipeline_info {
   VkRenderPass pass;
   VkPipelineLayout layout;
   VkShaderModule vertex, fragment; /* destroyed */
   VkSampleCountFlagBits samples;
   VkExtent2D extent;
   const VkViewport *viewport; /* NULL: as extent */
   const VkRect2D *scissor;    /* NULL: as extent */
   const VkPipelineVertexInputStateCreateInfo *vertex_input;
   VkPrimitiveTopology topology;
   bool depth_test, depth_write, blend;
   VkCullModeFlags cull;
};

VkPipeline render_pipeline_create(struct vkx *vkx, const struct pipeline_info *info);
/* The same for those who expect an error; the shader modules live on. */
VkResult render_pipeline_try(struct vkx *vkx, const struct pipeline_info *info, VkPipeline *pipeline);

VkFramebuffer render_framebuffer_create(struct vkx *vkx, VkRenderPass pass, uint32_t count, const VkImageView *views,
                                        VkExtent2D extent);

/* Copies an image in TRANSFER_SRC layout to the buffer and makes it visible to the host. */
void render_read_back(VkCommandBuffer cmd, const struct vkx_image *image, const struct vkx_buffer *buffer);

#endif
