/* What the members of struct pipe_graphics_state are made of (graphics_state.txt). Formats are VkFormat values. */
#ifndef INDIUM_P_STATE_PARTS_H
#define INDIUM_P_STATE_PARTS_H

#include <stdbool.h>
#include <stdint.h>

#include "gallium/include/pipe/p_defines.h"

struct pipe_vertex_attribute {
   uint32_t format;
   uint32_t offset_B;
   uint8_t location;
   uint8_t binding;
   bool per_instance;
   uint32_t divisor;    /* per_instance: instances per step; 0: never steps */
   uint32_t stride_B;   /* of its binding, as vertex_strides_B will have it */
   bool dynamic_stride; /* only vertex_strides_B has it */
};

struct pipe_vertex_attributes {
   uint32_t count;
   struct pipe_vertex_attribute of[PIPE_MAX_VERTEX_ATTRIBUTES];
};

struct pipe_viewport {
   float x, y, width, height, min_depth, max_depth;
};

struct pipe_viewports {
   uint32_t count;
   struct pipe_viewport of[PIPE_MAX_VIEWPORTS];
};

struct pipe_scissor {
   int32_t x, y;
   uint32_t width, height;
};

struct pipe_scissors {
   uint32_t count;
   struct pipe_scissor of[PIPE_MAX_VIEWPORTS];
};

/* Pixels in any of them are discarded, or those in none. */
struct pipe_discard_rectangles {
   uint32_t count;
   struct pipe_scissor of[PIPE_MAX_DISCARD_RECTANGLES];
};

struct pipe_depth_bias {
   float constant, clamp, slope;
   enum pipe_bias_unit unit; /* caps.depth_bias_units */
};

/* Of depth that is clamped. */
struct pipe_depth_clamp_range {
   uint32_t is_set; /* 0: that of each viewport */
   float min, max;
};

struct pipe_line_stipple {
   uint32_t factor;
   uint32_t pattern; /* 16 bits: the lowest first */
};

/* Where samples lie in a pixel, in 1/16 pixel: x in the low four bits, y in the high ones. Pixels with even and odd
 * x and y have their own: (0, 0) (1, 0) (0, 1) (1, 1). */
struct pipe_sample_locations {
   uint32_t samples;
   uint8_t at[4][PIPE_MAX_SAMPLES];
};

struct pipe_depth_bounds {
   float min, max;
};

/* Pixels for which fragment shaders run once. */
struct pipe_shading_rate {
   uint8_t width_log2, height_log2;
   enum pipe_rate_op with_primitive, with_attachment; /* 1x1 where a primitive or the rendering brings none */
};

struct pipe_stencil_face {
   enum pipe_stencil_op fail, depth_fail, pass;
   enum pipe_compare compare;
};

/* How the colours of a target are blended: enum pipe_blend_factor and pipe_blend_op. With an enum pipe_advanced,
 * op_rgb has bits of enum pipe_straight instead, op_alpha is enum pipe_overlap, and factors are 0. */
struct pipe_blend_equation {
   uint32_t src_rgb : 5, dst_rgb : 5, op_rgb : 3, src_alpha : 5, dst_alpha : 5, op_alpha : 3, advanced : 6;
};

/* 0: there is no such target. What is passed over is a target of the rendering that draws neither test nor change,
 * although it is there. */
struct pipe_targets {
   uint32_t num_colors;
   uint32_t color_formats[PIPE_MAX_COLOR_TARGETS];
   uint32_t depth_format, stencil_format;
   uint32_t passed_over;                        /* bit per colour target */
   uint32_t pass_depth_over, pass_stencil_over; /* words: targets are compared by bytes */
};

#endif
