/* What of a draw does not depend on the order of its fragments, and what of that its results need: the pure functions
 * behind out-of-order rasterisation (docs/drivers/amd/out-of-order.md).
 *
 * The fragments of a sample are a sequence. Every order of it can be made of exchanges of neighbours, so whatever two
 * neighbours leave the same in both orders, from each state that memory can be in, no order changes. Depth and
 * stencil tests tell what they leave the same (si_order_kept), everything that follows from who passed needs some of
 * it (si_order_color_need and others), and the order is free if nothing is needed that is not kept. */
#ifndef INDIUM_SI_ORDER_H
#define INDIUM_SI_ORDER_H

#include <stdbool.h>
#include <stdint.h>

#include "gallium/include/pipe/p_state.h"

/* Of the fragments of one sample. Each but SI_ORDER_DEPTH_STENCIL is of those that pass all tests. */
enum si_order {
   SI_ORDER_DEPTH_STENCIL = 1 << 0, /* what depth and stencil are in the end */
   SI_ORDER_ANY = 1 << 1,           /* whether there are any */
   SI_ORDER_COUNT = 1 << 2,         /* how many there are */
   SI_ORDER_SET = 1 << 3,           /* which these are */
   SI_ORDER_LAST = 1 << 4,          /* which is the last */
   SI_ORDER_SEQUENCE = 1 << 5,      /* in which order they come */
   SI_ORDER_ALL = (1 << 6) - 1,
};

struct si_order_tests {
   bool depth_test, depth_write, depth_bounds, stencil_test;
   enum pipe_compare depth_compare;
   struct {
      struct pipe_stencil_face face;
      uint8_t reference, compare_mask, write_mask;
   } faces[2];
   uint8_t stencil_max;     /* 0xff; tests use fewer bits */
   bool stencil_export;     /* the shader gives each fragment a reference of its own */
   bool assume_no_z_fights; /* no two fragments of a sample have the same depth */
};

/* What is the same in every order: enum si_order bits. */
unsigned si_order_kept(const struct si_order_tests *tests);

/* Blending of colour targets as a draw has it. */
struct si_order_blend {
   bool enable;
   enum pipe_blend_factor src_rgb, dst_rgb, src_alpha, dst_alpha;
   enum pipe_blend_op op_rgb, op_alpha;
   uint8_t write_mask; /* bit 0 red .. bit 3 alpha */
};

struct si_order_blending {
   struct si_order_blend targets[PIPE_MAX_COLOR_TARGETS];
   uint32_t formats[PIPE_MAX_COLOR_TARGETS]; /* 0: there is no such target */
   bool logic_op_enable;
   enum pipe_logic_op logic_op;
};

/* One colour target as a draw writes it. commutative_add: sums and products may be rounded as their order has it, and
 * comparisons of floats take any of equals. */
struct si_order_color {
   const struct si_order_blend *blend;
   bool logic_op_enable;
   enum pipe_logic_op logic_op;
   bool is_float, is_integer; /* the format's numbers; otherwise fixed point, from 0 to 1, or */
   bool is_signed;            /* from -1 to 1 */
   bool has_alpha;            /* without, what is stored has an alpha of 1 */
   bool commutative_add;
};

/* What it needs: enum si_order bits. */
unsigned si_order_color_need(const struct si_order_color *color);

/* The same of a target of a draw. 0: it has no format. */
unsigned si_order_target_need(const struct si_order_blending *blending, unsigned target, bool commutative_add);
unsigned si_order_gfx_need(const struct pipe_graphics_state *gfx, unsigned target, bool commutative_add);

#endif
