/* What a graphics pipeline is made of: the four parts of VK_EXT_graphics_pipeline_library, copied out of the API's
 * structures. Pipelines have all of them, libraries some. */
#ifndef INDIUM_VK_GRAPHICS_STATE_H
#define INDIUM_VK_GRAPHICS_STATE_H

#include <string.h>

#include "compiler/nir/nir_stage.h"
#include "gallium/frontends/vulkan/vk_object.h"
#include "gallium/include/pipe/p_state.h"

#define VK_PART_VERTEX_INPUT VK_GRAPHICS_PIPELINE_LIBRARY_VERTEX_INPUT_INTERFACE_BIT_EXT
#define VK_PART_PRE_RASTER VK_GRAPHICS_PIPELINE_LIBRARY_PRE_RASTERIZATION_SHADERS_BIT_EXT
#define VK_PART_FRAGMENT VK_GRAPHICS_PIPELINE_LIBRARY_FRAGMENT_SHADER_BIT_EXT
#define VK_PART_OUTPUT VK_GRAPHICS_PIPELINE_LIBRARY_FRAGMENT_OUTPUT_INTERFACE_BIT_EXT
#define VK_ALL_PARTS (VK_PART_VERTEX_INPUT | VK_PART_PRE_RASTER | VK_PART_FRAGMENT | VK_PART_OUTPUT)

/* The part that has a stage. */
static inline VkGraphicsPipelineLibraryFlagsEXT
vk_part_of_stage(enum nir_stage stage)
{
   return 1u << stage & NIR_STAGES_PRE_RASTER ? VK_PART_PRE_RASTER : VK_PART_FRAGMENT;
}

/* The structures that describe a pipeline; NULL: not there. */
struct vk_graphics_infos {
   const VkPipelineVertexInputStateCreateInfo *vertices;
   const VkPipelineInputAssemblyStateCreateInfo *input;
   const VkPipelineTessellationStateCreateInfo *tessellation;
   const VkPipelineViewportStateCreateInfo *viewport;
   const VkPipelineRasterizationStateCreateInfo *raster;
   const VkPipelineMultisampleStateCreateInfo *multisample;
   const VkPipelineDepthStencilStateCreateInfo *tests;
   const VkPipelineColorBlendStateCreateInfo *blend;
   const VkPipelineFragmentShadingRateStateCreateInfoKHR *rate;
   const VkPipelineDiscardRectangleStateCreateInfoEXT *discard;
   const VkPipelineRasterizationStateStreamCreateInfoEXT *stream;
};

struct vk_graphics_state {
   VkGraphicsPipelineLibraryFlagsEXT parts;
   uint64_t
      dynamic; /* bits of enum pipe_state that the application sets; what the parts say of them does not count */
   uint64_t described; /* likewise: those that create infos describe; binding does not change the others */
   struct pipe_graphics_state state;
   bool reads_color, reads_depth_stencil; /* the subpass, as input attachments */
   bool without_pass;                     /* dynamic rendering: only shaders know of input attachments */
   bool any_targets;                      /* renderings may lack some of the targets, or have others */
   bool shading_rate_attachment;
   uint32_t color_targets; /* nir_shader_info.color_targets */
   uint32_t view_mask;
   VkGraphicsPipelineLibraryFlagsEXT
      device_index_views; /* parts whose shaders see the device's index as the view's */
};

/* The parts of a description, into a state that has none. What rasterizer discard or an absent attachment lets the
 * application leave out is not looked at. stages: those of the device. False, after a line in the log, for what it
 * does not have. */
bool vk_graphics_state_fill(struct vk_graphics_state *state, const VkGraphicsPipelineCreateInfo *info,
                            VkGraphicsPipelineLibraryFlagsEXT parts, uint32_t stages);
/* Whether a device with these stages draws it. */
bool vk_has_topology(uint32_t stages, VkPrimitiveTopology topology);

/* The parts of a library besides those that are there. */
void vk_graphics_state_add(struct vk_graphics_state *state, const struct vk_graphics_state *library);

/* What parts mean for each other; of a state that has all it needs. */
void vk_graphics_state_complete(struct vk_graphics_state *state);

/* color_targets of dynamic rendering. NULL: each location is its target's. */
uint32_t vk_color_targets(const VkRenderingAttachmentLocationInfo *info);

/* Values in the contract's words (graphics_state.txt). */
void vk_fill_strides(struct pipe_graphics_state *state, const VkPipelineVertexInputStateCreateInfo *vertices);
void vk_fill_attributes(struct pipe_graphics_state *state, const VkPipelineVertexInputStateCreateInfo *vertices);
void vk_fill_viewports(struct pipe_graphics_state *state, const VkPipelineViewportStateCreateInfo *viewport);
void vk_fill_discard_rectangles(struct pipe_graphics_state *state,
                                const VkPipelineDiscardRectangleStateCreateInfoEXT *discard);
void vk_fill_scissors(struct pipe_graphics_state *state, const VkPipelineViewportStateCreateInfo *viewport);
void vk_fill_equations(struct pipe_graphics_state *state, const VkPipelineColorBlendStateCreateInfo *blend);
uint8_t vk_blend_enables(const VkPipelineColorBlendStateCreateInfo *blend);
uint32_t vk_color_write_masks(const VkPipelineColorBlendStateCreateInfo *blend);
uint8_t vk_color_write_off(const VkPipelineColorBlendStateCreateInfo *blend);

static inline struct pipe_blend_equation
vk_blend_equation(const VkColorBlendEquationEXT *from)
{
   struct pipe_blend_equation equation;
   memset(&equation, 0, sizeof(equation)); /* whole words are stored and compared */
   equation.src_rgb = (uint32_t)from->srcColorBlendFactor;
   equation.dst_rgb = (uint32_t)from->dstColorBlendFactor;
   equation.op_rgb = (uint32_t)from->colorBlendOp;
   equation.src_alpha = (uint32_t)from->srcAlphaBlendFactor;
   equation.dst_alpha = (uint32_t)from->dstAlphaBlendFactor;
   equation.op_alpha = (uint32_t)from->alphaBlendOp;
   return equation;
}

struct pipe_blend_equation vk_advanced_equation(const VkColorBlendAdvancedEXT *from);
struct pipe_stencil_face vk_stencil_face(const VkStencilOpState *from);
enum pipe_conservative vk_conservative(const VkPipelineRasterizationStateCreateInfo *raster);
/* vk_sample_locations.c */
bool vk_has_sample_locations(const VkPipelineMultisampleStateCreateInfo *multisample);
struct pipe_sample_locations vk_sample_locations_of(const VkPipelineMultisampleStateCreateInfo *multisample);
struct pipe_sample_locations vk_sample_locations(const VkSampleLocationsInfoEXT *info);
float vk_sample_shading(const VkPipelineMultisampleStateCreateInfo *multisample);
bool vk_has_lower_left_domain(const VkPipelineTessellationStateCreateInfo *info);
bool vk_depth_from_minus_one(const VkPipelineViewportStateCreateInfo *viewport);
struct pipe_depth_clamp_range vk_depth_clamp_range(VkDepthClampModeEXT mode, const VkDepthClampRangeEXT *range);
struct pipe_depth_clamp_range vk_depth_clamp_range_of(const VkPipelineViewportStateCreateInfo *viewport);
enum pipe_bias_unit vk_bias_unit(const void *chain);
struct pipe_depth_bias vk_depth_bias_of(const VkPipelineRasterizationStateCreateInfo *raster);
enum pipe_line_mode vk_line_mode(const VkPipelineRasterizationStateCreateInfo *raster);
bool vk_line_is_stippled(const VkPipelineRasterizationStateCreateInfo *raster);
struct pipe_line_stipple vk_line_stipple(const VkPipelineRasterizationStateCreateInfo *raster);
bool vk_provoking_last(const VkPipelineRasterizationStateCreateInfo *raster);
enum pipe_depth_clip vk_depth_clip(const VkPipelineRasterizationStateCreateInfo *raster);
bool vk_has_relaxed_order(const VkPipelineRasterizationStateCreateInfo *raster);
struct pipe_shading_rate vk_shading_rate(const VkExtent2D *size, const VkFragmentShadingRateCombinerOpKHR ops[2]);

/* For the driver's programs; points to the state. The layout, and what the device says, are the caller's. */
void vk_graphics_state_options(const struct vk_graphics_state *state, struct pipe_graphics_options *options);

#endif
