/* What a graphics pipeline is made of: the four parts of VK_EXT_graphics_pipeline_library, copied out of the API's
 * structures. Pipelines have all of them, libraries some. */
#ifndef INDIUM_VK_GRAPHICS_STATE_H
#define INDIUM_VK_GRAPHICS_STATE_H

#include "gallium/frontends/vulkan/vk_object.h"
#include "gallium/include/pipe/p_state.h"

#define VK_PART_VERTEX_INPUT VK_GRAPHICS_PIPELINE_LIBRARY_VERTEX_INPUT_INTERFACE_BIT_EXT
#define VK_PART_PRE_RASTER VK_GRAPHICS_PIPELINE_LIBRARY_PRE_RASTERIZATION_SHADERS_BIT_EXT
#define VK_PART_FRAGMENT VK_GRAPHICS_PIPELINE_LIBRARY_FRAGMENT_SHADER_BIT_EXT
#define VK_PART_OUTPUT VK_GRAPHICS_PIPELINE_LIBRARY_FRAGMENT_OUTPUT_INTERFACE_BIT_EXT
#define VK_ALL_PARTS (VK_PART_VERTEX_INPUT | VK_PART_PRE_RASTER | VK_PART_FRAGMENT | VK_PART_OUTPUT)

/* What the application may set while recording, as bits of vk_graphics_state.dynamic. */
enum vk_dynamic {
   VK_DYNAMIC_VIEWPORT,
   VK_DYNAMIC_SCISSOR,
   VK_DYNAMIC_LINE_WIDTH,
   VK_DYNAMIC_DEPTH_BIAS,
   VK_DYNAMIC_BLEND_CONSTANTS,
   VK_DYNAMIC_DEPTH_BOUNDS,
   VK_DYNAMIC_STENCIL_COMPARE_MASK,
   VK_DYNAMIC_STENCIL_WRITE_MASK,
   VK_DYNAMIC_STENCIL_REFERENCE,
   VK_DYNAMIC_SHADING_RATE,
   VK_DYNAMIC_CULL_MODE,
   VK_DYNAMIC_FRONT_FACE,
   VK_DYNAMIC_DISCARD,
   VK_DYNAMIC_DEPTH_BIAS_ENABLE,
   VK_DYNAMIC_TOPOLOGY,
   VK_DYNAMIC_RESTART,
   VK_DYNAMIC_STRIDES,
   VK_DYNAMIC_DEPTH_TEST,
   VK_DYNAMIC_DEPTH_WRITE,
   VK_DYNAMIC_DEPTH_COMPARE,
   VK_DYNAMIC_DEPTH_BOUNDS_TEST,
   VK_DYNAMIC_STENCIL_TEST,
   VK_DYNAMIC_STENCIL_OP,
   VK_DYNAMIC_LOGIC_OP,
   VK_DYNAMIC_VERTEX_INPUT, /* attributes, and strides too */
   VK_DYNAMIC_DEPTH_CLAMP,
   VK_DYNAMIC_POLYGON_MODE,
   VK_DYNAMIC_SAMPLES,
   VK_DYNAMIC_SAMPLE_MASK,
   VK_DYNAMIC_ALPHA_TO_COVERAGE,
   VK_DYNAMIC_ALPHA_TO_ONE,
   VK_DYNAMIC_LOGIC_OP_ENABLE,
   VK_DYNAMIC_BLEND_ENABLE,
   VK_DYNAMIC_BLEND_EQUATION,
   VK_DYNAMIC_WRITE_MASK,
};

#define VK_DYNAMIC_BIT(state) (UINT64_C(1) << VK_DYNAMIC_##state)
/* Those that are parts of a driver's state objects. */
#define VK_DYNAMIC_RASTERIZER                                                                                        \
   (VK_DYNAMIC_BIT(CULL_MODE) | VK_DYNAMIC_BIT(FRONT_FACE) | VK_DYNAMIC_BIT(DISCARD) |                               \
    VK_DYNAMIC_BIT(DEPTH_BIAS_ENABLE) | VK_DYNAMIC_BIT(DEPTH_CLAMP) | VK_DYNAMIC_BIT(POLYGON_MODE) |                 \
    VK_DYNAMIC_BIT(SAMPLES) | VK_DYNAMIC_BIT(SAMPLE_MASK))
#define VK_DYNAMIC_DEPTH_STENCIL                                                                                     \
   (VK_DYNAMIC_BIT(DEPTH_TEST) | VK_DYNAMIC_BIT(DEPTH_WRITE) | VK_DYNAMIC_BIT(DEPTH_COMPARE) |                       \
    VK_DYNAMIC_BIT(DEPTH_BOUNDS_TEST) | VK_DYNAMIC_BIT(STENCIL_TEST) | VK_DYNAMIC_BIT(STENCIL_OP))
#define VK_DYNAMIC_BLEND_TARGETS                                                                                     \
   (VK_DYNAMIC_BIT(BLEND_ENABLE) | VK_DYNAMIC_BIT(BLEND_EQUATION) | VK_DYNAMIC_BIT(WRITE_MASK))
#define VK_DYNAMIC_BLEND                                                                                             \
   (VK_DYNAMIC_BIT(LOGIC_OP) | VK_DYNAMIC_BIT(LOGIC_OP_ENABLE) | VK_DYNAMIC_BLEND_TARGETS |                          \
    VK_DYNAMIC_BIT(ALPHA_TO_COVERAGE) | VK_DYNAMIC_BIT(ALPHA_TO_ONE))

struct vk_vertex_input {
   enum pipe_topology topology;
   bool primitive_restart;
   uint32_t num_attributes, num_strides;
   struct pipe_vertex_attribute attributes[PIPE_MAX_VERTEX_ATTRIBUTES];
   uint32_t strides_B[PIPE_MAX_VERTEX_BUFFERS];
};

/* Samples and shading of the rasterizer are of other parts. */
struct vk_pre_raster {
   struct pipe_rasterizer_desc rasterizer;
   float depth_bias[3], line_width;
   uint32_t num_viewports, num_scissors;
   struct pipe_viewport viewports[PIPE_MAX_VIEWPORTS];
   struct pipe_scissor scissors[PIPE_MAX_VIEWPORTS];
};

/* As the application gave it: what of it counts depends on the targets. */
struct vk_fragment_tests {
   struct pipe_depth_stencil_desc desc;
   uint8_t stencil_compare_mask[2], stencil_write_mask[2], stencil_reference[2];
   float depth_bounds[2];
};

struct vk_fragment_output {
   uint32_t num_colors;
   uint32_t color_formats[PIPE_MAX_COLOR_TARGETS], depth_format, stencil_format; /* 0: none */
   bool reads_color, reads_depth_stencil; /* the subpass, as input attachments */
   struct pipe_blend_desc blend;
   float blend_constants[4];
   uint8_t samples;
   uint32_t sample_mask;
   bool pixel_rate, sample_shading; /* as of pipe_graphics_options; pixel_rate: shading by samples is asked for */
   float min_sample_shading;        /* if it is, the least part of the samples */
};

struct vk_graphics_state {
   VkGraphicsPipelineLibraryFlagsEXT parts;
   /* Of several parts: */
   uint64_t
      dynamic; /* bits of enum vk_dynamic that the application sets; what the parts say of them does not count */
   bool shading_rate_attachment;
   struct pipe_shading_rate shading_rate;
   uint32_t view_mask;
   VkGraphicsPipelineLibraryFlagsEXT
      device_index_views;    /* parts whose shaders see the device's index as the view's */
   bool fragment_per_sample; /* what a fragment part without output says of sample shading */
   struct vk_vertex_input vertex_input;
   struct vk_pre_raster pre_raster;
   struct vk_fragment_tests tests;
   struct vk_fragment_output output;
};

/* The parts of a description, into a state that has none. What rasterizer discard or an absent attachment lets the
 * application leave out is not looked at. False, after a line in the log, for what no device has. */
bool vk_graphics_state_fill(struct vk_graphics_state *state, const VkGraphicsPipelineCreateInfo *info,
                            VkGraphicsPipelineLibraryFlagsEXT parts);

/* The parts of a library beside those that are there. */
void vk_graphics_state_add(struct vk_graphics_state *state, const struct vk_graphics_state *library);

/* What parts mean for each other; of a state that has all it needs. */
void vk_graphics_state_complete(struct vk_graphics_state *state);

/* Of tests, without those that lack a target. Where some are dynamic, that is for whoever has their values. */
void vk_graphics_state_complete_tests(struct pipe_depth_stencil_desc *tests, const struct vk_fragment_output *output);

/* In the contract's words. */
struct pipe_blend_target vk_blend_target(const VkPipelineColorBlendAttachmentState *from);

/* Whether fragments are shaded once a sample, with so many. */
static inline bool
vk_shades_samples(const struct vk_fragment_output *output, unsigned samples)
{
   return output->pixel_rate && output->min_sample_shading * (float)samples > 1;
}

/* Whether the state is dynamic. */
static inline bool
vk_is_dynamic(const struct vk_graphics_state *state, enum vk_dynamic which)
{
   return state->dynamic >> which & 1;
}

/* For the driver's programs; pointers go into the state. The layout, and what the device says, are the caller's. */
void vk_graphics_state_options(const struct vk_graphics_state *state, struct pipe_graphics_options *options);

#endif
