/* What is drawn with random states, for tests of states that are set while commands are recorded. */
#ifndef DYNAMIC_STATES_H
#define DYNAMIC_STATES_H

#include "vkt_draw.h"

enum { DYNAMIC_STRIDES = 3, DYNAMIC_VERTICES = 9 };

struct dynamic_state {
   VkPrimitiveTopology topology;
   bool restart, indexed, ahead; /* ahead: set before the pipeline is bound */
   unsigned stride, fragment;    /* fragment: 0 or 1 */
   VkPipelineRasterizationStateCreateInfo raster;
   VkPipelineDepthStencilStateCreateInfo tests;
   VkLogicOp logic_op;
   VkBool32 logic_op_enable;
   VkPipelineColorBlendAttachmentState blend;
   VkSampleMask sample_mask;
   VkFormat format;        /* of places */
   VkBool32 provokes_last; /* VK_EXT_provoking_vertex */
   uint32_t depth_clip;    /* 0: unless depth is clamped; 1: no, 2: yes (VK_EXT_depth_clip_enable) */
   VkBool32 color_written; /* VK_EXT_color_write_enable */
   bool bresenham;         /* VK_EXT_line_rasterization */
   VkBool32 alpha_to_one;
};

struct dynamic_state dynamic_state_random(void);

/* Expects that the states so far had all pairs of choices. */
void dynamic_states_expect_pairs(void);

/* Of VK_EXT_extended_dynamic_state and 2 but for the logic operation; after them the others, of 3 too. */
enum { DYNAMIC_FIRST = 14, DYNAMIC_ALL = 31 };

/* With the first num_dynamic states dynamic, besides what they are given. formats: of dynamic rendering, or NULL. */
VkPipeline dynamic_state_pipeline(struct vkx *vkx, VkRenderPass pass, const void *formats, VkPipelineLayout layout,
                                  struct vkt_code vertex, struct vkt_code fragment, const struct dynamic_state *s,
                                  uint32_t num_dynamic); /* size: fields of a pipeline */

/* Sets the first states, and if `all` the others. */
void dynamic_state_set(VkCommandBuffer cmd, const struct dynamic_state *s, bool all);

/* Vertices of each stride, and indices that restart. */
struct dynamic_shapes {
   struct vkx_buffer vertices[DYNAMIC_STRIDES], indices;
};
struct dynamic_shapes dynamic_shapes_create(struct vkx *vkx);
void dynamic_shapes_destroy(struct vkx *vkx, struct dynamic_shapes *shapes);

/* Binds vertices, with their stride if that is dynamic, and indices; draws. */
void dynamic_state_draw(VkCommandBuffer cmd, const struct dynamic_shapes *shapes, const struct dynamic_state *s,
                        bool dynamic);

/* Of a pipeline with its own stride, which counts: the vertices are bound with another one. Old validation layers
 * complain. */
void dynamic_state_draw_other_stride(VkCommandBuffer cmd, const struct dynamic_shapes *shapes,
                                     const struct dynamic_state *s);

/* Whether there are the extensions of all states. */
bool dynamic_states_has_all(void);

/* Finds the commands; ahead of what records. */
void dynamic_states_init(struct vkx *vkx);

#endif
