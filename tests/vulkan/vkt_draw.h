/* Drawing in the API tests: targets that are read back, pipelines with defaults, quads. */
#ifndef VKT_DRAW_H
#define VKT_DRAW_H

#include "vkt.h"

/* A colour and maybe a depth image, both in layout GENERAL outside of the pass; the pass clears both. */
struct vkt_target {
   struct vkt_image color, depth;
   VkImageView views[2];
   VkRenderPass pass, load_pass; /* load_pass keeps what is there */
   VkFramebuffer framebuffer;
   VkExtent2D extent;
   uint32_t layers;
};

/* depth: VK_FORMAT_UNDEFINED for none. */
struct vkt_target vkt_target_create(struct vkx *vkx, VkFormat color, VkFormat depth, VkExtent2D extent,
                                    uint32_t layers, VkSampleCountFlagBits samples);
void vkt_target_destroy(struct vkx *vkx, struct vkt_target *target);

/* Begins `pass` (of the target) over all of it; clears to zeros and depth 1. Sets viewport and scissor if the
 * contents are inline. */
void vkt_target_begin(VkCommandBuffer cmd, const struct vkt_target *target, VkRenderPass pass,
                      VkSubpassContents contents);
void vkt_set_viewport(VkCommandBuffer cmd, VkExtent2D extent);

/* Copies an aspect of a level, all layers or slices, without padding to the start of a buffer, and waits. The image
 * is in layout GENERAL. */
void vkt_read(struct vkx *vkx, const struct vkt_image *image, VkImageAspectFlags aspect, uint32_t level,
              const struct vkx_buffer *buffer);

/* How many bytes differ by more than the tolerance. */
unsigned vkt_different(const uint8_t *a, const uint8_t *b, size_t size_B, int tolerance);

/* A secondary command buffer that runs inside of the target's pass, more than once; viewport and scissor are set. */
VkCommandBuffer vkt_secondary_begin(struct vkx *vkx, const struct vkt_target *target, VkQueryControlFlags query,
                                    bool in_query);

/* The same for a subpass. */
VkCommandBuffer vkt_secondary_begin_subpass(struct vkx *vkx, const struct vkt_target *target, uint32_t subpass);

struct vkt_code {
   const uint32_t *words;
   size_t size_B;
};
#define VKT_CODE(array) ((struct vkt_code){(array), sizeof(array)})

/* Members that are 0 have defaults: one sample, a triangle strip, no vertex input, one colour target that is written
 * without blending, no depth test, viewport and scissor dynamic. */
struct vkt_pipeline_info {
   const void *next; /* pNext: formats of dynamic rendering; parts of a library */
   VkPipelineCreateFlags flags;
   VkRenderPass pass;
   uint32_t subpass, colors; /* colors: of the subpass; 0: 1 */
   VkPipelineLayout layout;
   struct vkt_code vertex, fragment, control, evaluation, geometry, task, mesh; /* none: no such stage */
   const VkPipelineTessellationStateCreateInfo *tessellation;
   const VkSpecializationInfo *specialization; /* of both stages */
   VkPrimitiveTopology topology;
   VkSampleCountFlagBits samples;
   const VkSampleMask *sample_mask; /* NULL: all */
   const void *multisample_next;    /* pNext of VkPipelineMultisampleStateCreateInfo */
   bool no_color, restart, points, alpha_to_coverage, alpha_to_one; /* points: topology */
   const VkPipelineVertexInputStateCreateInfo *vertex_input;
   const VkPipelineDepthStencilStateCreateInfo *depth_stencil;
   const VkPipelineColorBlendAttachmentState *blend;  /* of all targets */
   const VkPipelineColorBlendAttachmentState *blends; /* of each target, instead */
   const void *blend_next;                            /* pNext of VkPipelineColorBlendStateCreateInfo */
   bool logic_op_enable;
   VkLogicOp logic_op; /* of all targets */
   const VkPipelineRasterizationStateCreateInfo *raster;
   const void *viewport_next; /* pNext of VkPipelineViewportStateCreateInfo */
   uint32_t viewports;        /* 0: 1 */
   uint32_t num_dynamic;      /* besides viewport and scissor */
   const VkDynamicState *dynamic;
};

/* Of whole pipelines; at first there is none. */
extern VkPipelineCache vkt_cache;

/* A whole pipeline, or if vkt_parts is set the next one. */
VkPipeline vkt_graphics_pipeline_create(struct vkx *vkx, const VkGraphicsPipelineCreateInfo *info);

/* The same pipeline, linked from four libraries of a part each, which are gone then. */
VkPipeline vkt_parts_create(struct vkx *vkx, const VkGraphicsPipelineCreateInfo *whole);

VkPipeline vkt_pipeline_create(struct vkx *vkx, const struct vkt_pipeline_info *info);

/* What shaders/quad.vert and quad.frag take as push constants: a rectangle in clip coordinates, its colour and depth.
 */
struct vkt_quad {
   float x0, y0, x1, y1;
   float color[4];
   float depth;
};
#define VKT_QUAD_STAGES (VK_SHADER_STAGE_VERTEX_BIT | VK_SHADER_STAGE_FRAGMENT_BIT)

/* Push constants for the quad shaders and no sets. */
VkPipelineLayout vkt_quad_layout_create(struct vkx *vkx);

/* Draws with the bound pipeline of the quad shaders: 4 vertices of a strip, pixels [x0, x1) x [y0, y1) of the extent.
 */
void vkt_draw_quad(VkCommandBuffer cmd, VkPipelineLayout layout, VkExtent2D extent, uint32_t x0, uint32_t y0,
                   uint32_t x1, uint32_t y1, float depth, const float color[4]); /* size: fields of a draw */

#endif
