/* Draws, and whether their fragments may come in any order: written by hand. The first part is who differs from whom
 * in what Mesa's and PAL's drivers and the review of the first patch decide ("right" is the column for that), the
 * rest is what none of them looks at. */
#ifndef INDIUM_TESTS_SI_ORDER_ROWS_H
#define INDIUM_TESTS_SI_ORDER_ROWS_H

#include "gallium/drivers/radeonsi/order/si_out_of_order.h"
#include "util/format_enum.h"

struct order_row {
   const char *name;
   bool right;
   bool has_depth, has_stencil;
   struct pipe_graphics_state tests; /* those of depth and stencil */
   uint8_t reference, write_mask;    /* of both faces; all bits are compared */
   struct si_order_blending blend;   /* targets with a format are there */
   struct si_order_shader shader;
   enum si_order_occlusion occlusion;
   bool statistics, relaxed;
   bool assume_no_z_fights, commutative_blend_add;
};

#define DEPTH(compare, write)                                                                                        \
   .has_depth = true, .tests = {.depth_test = true, .depth_write = write, .depth_compare = PIPE_COMPARE_##compare}
#define READ_ONLY false
#define WRITE     true
#define FACE(compare_, fail_, depth_fail_, pass_)                                                                    \
   {                                                                                                                 \
      .compare = PIPE_COMPARE_##compare_, .fail = PIPE_STENCIL_##fail_, .depth_fail = PIPE_STENCIL_##depth_fail_,    \
      .pass = PIPE_STENCIL_##pass_                                                                                   \
   }
#define STENCIL(front_, back_)                                                                                       \
   .has_stencil = true, .write_mask = 0xff, .reference = 5,                                                          \
   .tests = {.stencil_test = true, .stencil = {front_, back_}}
/* After a depth test that some pass, and that writes nothing. */
#define VOLUME(front_, back_)                                                                                        \
   .has_depth = true, .has_stencil = true, .write_mask = 0xff, .reference = 5,                                       \
   .tests = {.depth_test = true, .depth_compare = PIPE_COMPARE_LESS, .stencil_test = true,                           \
             .stencil = {front_, back_}}
#define TARGET(format, ...) .blend = {.formats = {FORMAT_##format}, .targets = {{.write_mask = 0xf, __VA_ARGS__}}}
#define PLAIN               TARGET(R8G8B8A8_UNORM)
#define BLEND(op, src, dst)                                                                                          \
   .enable = true, .op_rgb = PIPE_BLEND_##op, .op_alpha = PIPE_BLEND_##op, .src_rgb = PIPE_FACTOR_##src,             \
   .src_alpha = PIPE_FACTOR_##src, .dst_rgb = PIPE_FACTOR_##dst, .dst_alpha = PIPE_FACTOR_##dst
#define MAXIMUM BLEND(MAX, ONE, ONE)
#define LOGIC(op)                                                                                                    \
   .blend = {.formats = {FORMAT_R8G8B8A8_UINT}, .targets = {{.write_mask = 0xf}}, .logic_op_enable = true,           \
             .logic_op = PIPE_LOGIC_##op}

static const struct order_row order_rows[] = {
   {.name = "nothing at all", .right = true},
   {.name = "no colour, depth LESS written", .right = true, DEPTH(LESS, WRITE)},
   {.name = "no colour, no depth buffer, stores", .right = true, .shader = {.writes_memory = true}},
   {.name = "no colour, depth LESS written, stores after early tests",
    .right = false,
    DEPTH(LESS, WRITE),
    .shader = {.writes_memory = true, .early_tests = true}},
   {.name = "colour replaced, depth LESS written", .right = false, DEPTH(LESS, WRITE), PLAIN},
   {.name = "colour replaced, depth LESS read", .right = false, DEPTH(LESS, READ_ONLY), PLAIN},
   {.name = "colour MAX, depth LESS read", .right = true, DEPTH(LESS, READ_ONLY), TARGET(R8G8B8A8_UNORM, MAXIMUM)},
   {.name = "colour MAX, depth LESS written", .right = false, DEPTH(LESS, WRITE), TARGET(R8G8B8A8_UNORM, MAXIMUM)},
   {.name = "colour added", .right = false, DEPTH(LESS, READ_ONLY), TARGET(R8G8B8A8_UNORM, BLEND(ADD, ONE, ONE))},
   {.name = "colour blended by alpha",
    .right = false,
    TARGET(R8G8B8A8_UNORM, BLEND(ADD, SRC_ALPHA, ONE_MINUS_SRC_ALPHA))},
   {.name = "logic XOR of integers",
    .right = true,
    LOGIC(XOR)}, /* right, if not yet done by the others: exact, and commutes */
   {.name = "samples counted, depth LESS written",
    .right = false,
    DEPTH(LESS, WRITE),
    .occlusion = SI_OCCLUSION_PRECISE},
   {.name = "boolean query, depth LESS written",
    .right = true,
    DEPTH(LESS, WRITE),
    .occlusion = SI_OCCLUSION_BOOLEAN},
   {.name = "shadow volume, counting that wraps",
    .right = true,
    VOLUME(FACE(ALWAYS, KEEP, DECREMENT_WRAP, KEEP), FACE(ALWAYS, KEEP, INCREMENT_WRAP, KEEP))},
   {.name = "stencil zero and invert",
    .right = false,
    VOLUME(FACE(ALWAYS, KEEP, ZERO, INVERT), FACE(ALWAYS, KEEP, ZERO, INVERT))},
   {.name = "ordered sections", .right = false, .shader = {.writes_memory = true, .ordered_interlock = true}},
   {.name = "unordered sections", .right = true, .shader = {.writes_memory = true}},
   {.name = "relaxed order and ordered sections",
    .right = true,
    .relaxed = true,
    .shader = {.writes_memory = true, .ordered_interlock = true}},

   /* the truth table of only depth */
   {.name = "depth NEVER written, colour", .right = true, DEPTH(NEVER, WRITE), PLAIN},
   {.name = "depth EQUAL written", .right = true, DEPTH(EQUAL, WRITE)},
   {.name = "depth EQUAL written, samples counted",
    .right = true,
    DEPTH(EQUAL, WRITE),
    .occlusion = SI_OCCLUSION_PRECISE},
   {.name = "depth EQUAL written, colour", .right = false, DEPTH(EQUAL, WRITE), PLAIN},
   {.name = "depth GREATER_OR_EQUAL written", .right = true, DEPTH(GREATER_OR_EQUAL, WRITE)},
   {.name = "depth NOT_EQUAL written", .right = false, DEPTH(NOT_EQUAL, WRITE)},
   {.name = "depth ALWAYS written", .right = false, DEPTH(ALWAYS, WRITE)},
   {.name = "depth ALWAYS written, but there is no depth",
    .right = true,
    .tests = {.depth_test = true, .depth_write = true, .depth_compare = PIPE_COMPARE_ALWAYS}},

   /* the list */
   {.name = "depth bounds, depth LESS written",
    .right = false,
    .has_depth = true,
    .tests =
       {.depth_test = true, .depth_write = true, .depth_compare = PIPE_COMPARE_LESS, .depth_bounds_test = true}},
   {.name = "depth bounds, depth read",
    .right = true,
    .has_depth = true,
    .tests = {.depth_test = true, .depth_compare = PIPE_COMPARE_LESS, .depth_bounds_test = true}},
   {.name = "depth bounds without depth", .right = true, .has_stencil = true, .tests = {.depth_bounds_test = true}},
   {.name = "stores with late tests, depth LESS written",
    .right = true,
    DEPTH(LESS, WRITE),
    .shader = {.writes_memory = true}},
   {.name = "stores after early tests, depth LESS read",
    .right = true,
    DEPTH(LESS, READ_ONLY),
    .shader = {.writes_memory = true, .early_tests = true}},
   {.name = "invocations counted after early tests, depth LESS written",
    .right = false,
    DEPTH(LESS, WRITE),
    .statistics = true,
    .shader = {.early_tests = true}},
   {.name = "invocations counted after early tests, depth LESS read",
    .right = true,
    DEPTH(LESS, READ_ONLY),
    .statistics = true,
    .shader = {.early_tests = true}},
   {.name = "invocations counted, depth LESS written", .right = true, DEPTH(LESS, WRITE), .statistics = true},
   {.name = "discard, depth LESS written", .right = true, DEPTH(LESS, WRITE), .shader = {.drops_samples = true}},
   {.name = "discard after early tests, MAX, depth LESS read",
    .right = true,
    DEPTH(LESS, READ_ONLY),
    TARGET(R8G8B8A8_UNORM, MAXIMUM),
    .shader = {.drops_samples = true, .early_tests = true}},
   /* The nearest stays, and where it is dropped the colour is that of whoever came last of the others. */
   {.name = "discard after early tests, no equal depths",
    .right = false,
    DEPTH(LESS, WRITE),
    PLAIN,
    .assume_no_z_fights = true,
    .shader = {.drops_samples = true, .early_tests = true}},
   {.name = "discard, no equal depths",
    .right = true,
    DEPTH(LESS, WRITE),
    PLAIN,
    .assume_no_z_fights = true,
    .shader = {.drops_samples = true}},
   /* One passes for certain, who is dropped perhaps and perhaps not. */
   {.name = "discard after early tests, boolean query, depth LESS written",
    .right = false,
    DEPTH(LESS, WRITE),
    .occlusion = SI_OCCLUSION_BOOLEAN,
    .shader = {.drops_samples = true, .early_tests = true}},
   {.name = "reads its target, MAX",
    .right = false,
    TARGET(R8G8B8A8_UNORM, MAXIMUM),
    .shader = {.reads_targets = true}},
   {.name = "reads its target, nobody passes",
    .right = true,
    DEPTH(NEVER, WRITE),
    PLAIN,
    .shader = {.reads_targets = true}},
   {.name = "stencil replaced by the state's reference",
    .right = true,
    STENCIL(FACE(ALWAYS, KEEP, KEEP, REPLACE), FACE(ALWAYS, KEEP, KEEP, REPLACE))},
   {.name = "stencil replaced by what shaders export",
    .right = false,
    STENCIL(FACE(ALWAYS, KEEP, KEEP, REPLACE), FACE(ALWAYS, KEEP, KEEP, REPLACE)),
    .shader = {.exports_stencil = true}},
   {.name = "the same, but there is no stencil",
    .right = true,
    .write_mask = 0xff,
    .tests = {.stencil_test = true,
              .stencil = {FACE(ALWAYS, KEEP, KEEP, REPLACE), FACE(ALWAYS, KEEP, KEEP, REPLACE)}},
    .shader = {.exports_stencil = true}},
   {.name = "stencil counted, colour MAX",
    .right = true,
    STENCIL(FACE(ALWAYS, KEEP, KEEP, INCREMENT_WRAP), FACE(ALWAYS, KEEP, KEEP, INCREMENT_WRAP)),
    TARGET(R8G8B8A8_UNORM, MAXIMUM)},
   {.name = "stencil tested and marked, colour MAX",
    .right = false,
    STENCIL(FACE(NOT_EQUAL, KEEP, KEEP, REPLACE), FACE(NOT_EQUAL, KEEP, KEEP, REPLACE)),
    TARGET(R8G8B8A8_UNORM, MAXIMUM)},
   {.name = "stencil tested, not written, colour MAX",
    .right = true,
    STENCIL(FACE(EQUAL, KEEP, KEEP, KEEP), FACE(EQUAL, KEEP, KEEP, KEEP)),
    TARGET(R8G8B8A8_UNORM, MAXIMUM)},

   /* colour */
   {.name = "colour replaced", .right = false, PLAIN},
   {.name = "colour replaced in a target of integers, with blending", .right = false, TARGET(R8G8B8A8_UINT, MAXIMUM)},
   {.name = "colour MAX of floats", .right = false, TARGET(R16G16B16A16_SFLOAT, MAXIMUM)},
   {.name = "nothing written", .right = true, .blend = {.formats = {FORMAT_R8G8B8A8_UNORM}}},
   {.name = "logic COPY", .right = false, LOGIC(COPY)},
   {.name = "logic INVERT", .right = true, LOGIC(INVERT)},
   {.name = "logic INVERT, depth LESS written", .right = false, DEPTH(LESS, WRITE), LOGIC(INVERT)},
   {.name = "logic CLEAR, depth LESS written", .right = true, DEPTH(LESS, WRITE), LOGIC(CLEAR)},
   {.name = "MAX in one target, replaced in another",
    .right = false,
    .blend = {.formats = {FORMAT_R8G8B8A8_UNORM, 0, FORMAT_R8G8B8A8_UNORM},
              .targets = {{.write_mask = 0xf, MAXIMUM}, {0}, {.write_mask = 0x1}}}},
   {.name = "replaced in one target, MAX in another",
    .right = false,
    .blend = {.formats = {FORMAT_R8G8B8A8_UNORM, 0, FORMAT_R8G8B8A8_UNORM},
              .targets = {{.write_mask = 0x1}, {0}, {.write_mask = 0xf, MAXIMUM}}}},
   {.name = "MAX in one target, MIN in another",
    .right = true,
    .blend = {.formats = {FORMAT_R8G8B8A8_UNORM, 0, FORMAT_R16_UNORM},
              .targets = {{.write_mask = 0xf, MAXIMUM}, {0}, {.write_mask = 0x1, BLEND(MIN, ONE, ONE)}}}},
   {.name = "MAX in one target, the other is not there",
    .right = true,
    .blend = {.formats = {FORMAT_R8G8B8A8_UNORM}, .targets = {{.write_mask = 0xf, MAXIMUM}, {.write_mask = 0xf}}}},
   {.name = "alpha replaced, where there is none",
    .right = true,
    .blend = {.formats = {FORMAT_B5G6R5_UNORM_PACK16},
              .targets = {{.write_mask = 0xf,
                           .enable = true,
                           .op_rgb = PIPE_BLEND_MAX,
                           .op_alpha = PIPE_BLEND_ADD,
                           .src_alpha = PIPE_FACTOR_ONE}}}},

   /* options */
   {.name = "colour replaced, depth LESS written, no equal depths",
    .right = true,
    DEPTH(LESS, WRITE),
    PLAIN,
    .assume_no_z_fights = true},
   {.name = "colour replaced, depth LESS read, no equal depths",
    .right = false,
    DEPTH(LESS, READ_ONLY),
    PLAIN,
    .assume_no_z_fights = true},
   {.name = "colour replaced, depth EQUAL read, no equal depths",
    .right = true,
    DEPTH(EQUAL, READ_ONLY),
    PLAIN,
    .assume_no_z_fights = true},
   {.name = "colour added, rounded as it comes",
    .right = true,
    TARGET(R8G8B8A8_UNORM, BLEND(ADD, ONE, ONE)),
    .commutative_blend_add = true},
   {.name = "colour multiplied, rounded as it comes",
    .right = true,
    TARGET(R8G8B8A8_UNORM, BLEND(ADD, ZERO, SRC_COLOR)),
    .commutative_blend_add = true},
   {.name = "colour blended by alpha, rounded as it comes",
    .right = false,
    TARGET(R8G8B8A8_UNORM, BLEND(ADD, SRC_ALPHA, ONE_MINUS_SRC_ALPHA)),
    .commutative_blend_add = true},
   {.name = "relaxed order, alpha blending",
    .right = true,
    .relaxed = true,
    TARGET(R8G8B8A8_UNORM, BLEND(ADD, SRC_ALPHA, ONE_MINUS_SRC_ALPHA))},
   {.name = "relaxed order, depth ALWAYS written", .right = true, .relaxed = true, DEPTH(ALWAYS, WRITE)},
};

/* What a draw of the row sets. */
static inline struct pipe_graphics_state
order_row_state(const struct order_row *row)
{
   struct pipe_graphics_state state = row->tests;

   state.samples = 1;
   state.relaxed_order = row->relaxed;
   state.targets.num_colors = PIPE_MAX_COLOR_TARGETS;
   state.logic_op_enable = row->blend.logic_op_enable;
   state.logic_op = row->blend.logic_op;
   for (unsigned face = 0; face < 2; face++) {
      state.stencil_reference[face] = row->reference;
      state.stencil_compare_mask[face] = 0xff;
      state.stencil_write_mask[face] = row->write_mask;
   }
   for (unsigned i = 0; i < PIPE_MAX_COLOR_TARGETS; i++) {
      const struct si_order_blend *b = &row->blend.targets[i];

      state.targets.color_formats[i] = row->blend.formats[i];
      state.blend[i] = (struct pipe_blend_equation){
         (uint8_t)b->src_rgb,
         (uint8_t)b->dst_rgb,
         (uint8_t)b->op_rgb,
         (uint8_t)b->src_alpha,
         (uint8_t)b->dst_alpha,
         (uint8_t)b->op_alpha,
         0, /* advanced */
      };
      state.blend_enable |= (uint8_t)(b->enable << i);
      state.color_write_mask |= (uint32_t)b->write_mask << (4 * i);
   }
   return state;
}

#endif
