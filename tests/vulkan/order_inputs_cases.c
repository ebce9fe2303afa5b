#include "order_inputs.h"

#include <stddef.h>

#define GRAY(value) ((value) / 255.0f)
#define FAR(...) {.z = 0.375f, .gray = GRAY(64), __VA_ARGS__}
#define NEAR(...) {.z = 0.25f, .gray = GRAY(128), __VA_ARGS__}
#define TWO .count = 2, .triangles = {FAR(0), NEAR(0)}
#define TWO_GRAYS(first, second) .count = 2, .triangles = {{.z = 0.25f, .gray = first}, {.z = 0.25f, .gray = second}}
#define TWO_SIDES .count = 2, .triangles = {NEAR(0), NEAR(.back = true)}
/* Of these the second one is gone after the tests that it passes. */
#define TWO_OF_ONE .count = 2, .triangles = {FAR(0), NEAR(.dropped = true)}

#define LESS_WRITTEN .depth_test = VK_TRUE, .depth_write = VK_TRUE, .compare = VK_COMPARE_OP_LESS
#define ALWAYS_WRITTEN .depth_test = VK_TRUE, .depth_write = VK_TRUE, .compare = VK_COMPARE_OP_ALWAYS

#define LOGIC(op) .logic = VK_TRUE, .logic_op = VK_LOGIC_OP_##op
#define EQUATION(op, src, dst)                                                                                       \
   {VK_BLEND_FACTOR_##src, VK_BLEND_FACTOR_##dst, VK_BLEND_OP_##op,                                                  \
    VK_BLEND_FACTOR_##src, VK_BLEND_FACTOR_##dst, VK_BLEND_OP_##op}
#define BLEND(...) .blend = {VK_TRUE}, .equations = {EQUATION(__VA_ARGS__)}
#define MAX_BLEND BLEND(MAX, ONE, ONE)

#define FACE(pass_op, compare_op, compare_mask, write_mask, ref)                                                     \
   {.passOp = VK_STENCIL_OP_##pass_op,                                                                               \
    .compareOp = VK_COMPARE_OP_##compare_op,                                                                         \
    .compareMask = compare_mask,                                                                                     \
    .writeMask = write_mask,                                                                                         \
    .reference = ref}
#define FACES(front, back) .stencil = VK_TRUE, .faces = {front, back}
#define REPLACED(front, back)                                                                                        \
   FACES(FACE(REPLACE, ALWAYS, 255, 255, front), FACE(REPLACE, ALWAYS, 255, 255, back))
#define COUNTED(back_mask)                                                                                           \
   FACES(FACE(INCREMENT_AND_WRAP, ALWAYS, 255, 255, 0), FACE(DECREMENT_AND_WRAP, ALWAYS, 255, back_mask, 0))
#define COMPARED(mask)                                                                                               \
   FACES(FACE(INCREMENT_AND_WRAP, EQUAL, mask, 255, 7), FACE(INCREMENT_AND_WRAP, ALWAYS, 255, 255, 0))

/* What is free, with nothing to see of it where the next draw is looked at. */
#define FREE_MAX {.state = {MAX_BLEND}, TWO_GRAYS(0, GRAY(8))}
#define ONE_DRAW(...) .draws = 1, .draw = {{__VA_ARGS__}}
#define TWO_DRAWS(...) .draws = 2, .draw = {__VA_ARGS__}

enum { HALF_0 = 0, HALF_QUARTER = 0x3400, HALF_HALF = 0x3800, HALF_MINUS = 0x8000 };

static const struct order_case cases[] = {
   /* Of the shader. */
   {"discard after early tests", .right = 255, .other = 16,
    ONE_DRAW(.kind = ORDER_DISCARD, .state = {LESS_WRITTEN, LOGIC(SET)}, TWO_OF_ONE)},
   {"mask after early tests", .right = 255, .other = 16,
    ONE_DRAW(.kind = ORDER_MASK, .state = {LESS_WRITTEN, LOGIC(SET)}, TWO_OF_ONE)},
   {"coverage after early tests", .coverage = true, .right = 255, .other = 16,
    ONE_DRAW(.kind = ORDER_EARLY, .state = {LESS_WRITTEN, LOGIC(SET)}, TWO_OF_ONE)},
   {"exported references", .seen = ORDER_SEEN_STENCIL, .right = 128, .other = 64,
    ONE_DRAW(.kind = ORDER_EXPORT, .state = {REPLACED(1, 1), LOGIC(NO_OP)}, TWO)},
   {"atomics after early tests", .seen = ORDER_SEEN_MEMORY, .right = 2, .other = 1,
    ONE_DRAW(.kind = ORDER_COUNTS, .state = {LESS_WRITTEN, LOGIC(NO_OP)}, TWO)},
   {"stores after early tests", .seen = ORDER_SEEN_MEMORY, .right = 2, .other = 1,
    ONE_DRAW(.kind = ORDER_STORES, .state = {LESS_WRITTEN, LOGIC(NO_OP)}, TWO)},
   {"ordered sections", .seen = ORDER_SEEN_MEMORY, .right = 1, .other = 2,
    ONE_DRAW(.kind = ORDER_ORDERED, .state = {LOGIC(NO_OP)}, TWO)},
   /* Of colour. */
   {"colour replaced", .right = 128, .other = 64, ONE_DRAW(.kind = ORDER_PLAIN, TWO)},
   {"difference with signs",
    {VK_FORMAT_R8G8B8A8_SNORM},
    .right = 256 - 32,
    .other = 256 - 64,
    ONE_DRAW(.state = {BLEND(REVERSE_SUBTRACT, ONE, ZERO)}, TWO_GRAYS(64 / 127.0f, 32 / 127.0f))},
   {"difference of floats",
    {VK_FORMAT_R16G16B16A16_SFLOAT},
    .right = HALF_MINUS | HALF_QUARTER,
    .other = HALF_MINUS | HALF_HALF,
    ONE_DRAW(.state = {BLEND(REVERSE_SUBTRACT, ONE, ZERO)}, TWO_GRAYS(0.5f, 0.25f))},
   {"floats, which logic leaves out",
    {VK_FORMAT_R16G16B16A16_SFLOAT},
    .right = HALF_QUARTER,
    .other = HALF_HALF,
    ONE_DRAW(.state = {LOGIC(XOR)}, TWO_GRAYS(0.5f, 0.25f))},
   {"sRGB, which logic leaves out",
    {VK_FORMAT_R8G8B8A8_SRGB},
    .right = 0,
    .other = 255,
    ONE_DRAW(.state = {LOGIC(XOR)}, TWO_GRAYS(1, 0))},
   {"under what is there, by its alpha", .right = 255, .other = 16,
    ONE_DRAW(.state = {BLEND(ADD, ONE_MINUS_DST_ALPHA, ONE)}, TWO_GRAYS(1, 0))},
   {"second target replaced",
    {0, VK_FORMAT_R8G8B8A8_UNORM},
    .seen = ORDER_SEEN_SECOND,
    .right = 128,
    .other = 64,
    ONE_DRAW(.state = {MAX_BLEND}, TWO)},
   {"second target with signs",
    {0, VK_FORMAT_R8G8B8A8_SNORM},
    .seen = ORDER_SEEN_SECOND,
    .right = 256 - 32,
    .other = 256 - 64,
    ONE_DRAW(.state = {.blend = {VK_TRUE, VK_TRUE},
                       .equations = {EQUATION(MAX, ONE, ONE), EQUATION(REVERSE_SUBTRACT, ONE, ZERO)}},
             TWO_GRAYS(64 / 127.0f, 32 / 127.0f))},
   {"logic in place of blending", .right = 128, .other = 64, ONE_DRAW(.state = {MAX_BLEND, LOGIC(COPY)}, TWO)},
   {"logic that does not commute", .right = 0x1c, .other = 0xd0,
    ONE_DRAW(.state = {LOGIC(AND_REVERSE)}, TWO_GRAYS(GRAY(0xf0), GRAY(0x3c)))},
   {"products, rounded", .right = 2, .other = 1,
    ONE_DRAW(.state = {BLEND(ADD, ZERO, SRC_COLOR)}, TWO_GRAYS(0.22f, 0.4f))},
   /* Of the tests. */
   {"depth of the last", .seen = ORDER_SEEN_DEPTH, .right = 2, .other = 3,
    ONE_DRAW(.state = {ALWAYS_WRITTEN, LOGIC(NO_OP)}, TWO)},
   {"two references", .seen = ORDER_SEEN_STENCIL, .right = 2, .other = 1,
    ONE_DRAW(.state = {REPLACED(1, 2), LOGIC(NO_OP)}, TWO_SIDES)},
   {"masks of writes", .seen = ORDER_SEEN_STENCIL, .right = 4, .other = 6,
    ONE_DRAW(.state = {COUNTED(14), LOGIC(NO_OP)}, TWO_SIDES)},
   {"equal depths", .right = 128, .other = 64,
    ONE_DRAW(.state = {.depth_test = VK_TRUE, .depth_write = VK_TRUE, .compare = VK_COMPARE_OP_LESS_OR_EQUAL},
             TWO_GRAYS(GRAY(64), GRAY(128)))},
   /* Of queries. */
   {"precise query", .seen = ORDER_SEEN_QUERY, .right = 2, .other = 1,
    ONE_DRAW(.query = ORDER_PRECISE, .state = {LESS_WRITTEN, LOGIC(NO_OP)}, TWO)},
   {"invocations after early tests", .seen = ORDER_SEEN_QUERY, .right = 2, .other = 1,
    ONE_DRAW(.kind = ORDER_EARLY, .query = ORDER_INVOCATIONS, .state = {LESS_WRITTEN, LOGIC(NO_OP)}, TWO)},
   /* The same in secondary command buffers, where targets and queries are those of the primary one. */
   {"colour replaced in a secondary", .right = 128, .other = 64, ONE_DRAW(.secondary = true, TWO)},
   {"depth of the last in a secondary", .seen = ORDER_SEEN_DEPTH, .right = 2, .other = 3,
    ONE_DRAW(.secondary = true, .state = {ALWAYS_WRITTEN, LOGIC(NO_OP)}, TWO)},
   {"two references in a secondary", .seen = ORDER_SEEN_STENCIL, .right = 2, .other = 1,
    ONE_DRAW(.secondary = true, .state = {REPLACED(1, 2), LOGIC(NO_OP)}, TWO_SIDES)},
   {"precise query around a secondary", .seen = ORDER_SEEN_QUERY, .right = 2, .other = 1,
    ONE_DRAW(.secondary = true, .query = ORDER_PRECISE, .state = {LESS_WRITTEN, LOGIC(NO_OP)}, TWO)},
   {"invocations around a secondary", .seen = ORDER_SEEN_QUERY, .right = 2, .other = 1,
    ONE_DRAW(.secondary = true, .kind = ORDER_EARLY, .query = ORDER_INVOCATIONS,
             .state = {LESS_WRITTEN, LOGIC(NO_OP)}, TWO)},
   /* A draw that is free, and one that is not: between them one thing changes. */
   {"then another equation", .right = 128, .other = 64, TWO_DRAWS(FREE_MAX, {.state = {BLEND(ADD, ONE, ZERO)}, TWO})},
   {"then another logic", .right = 128, .other = 64,
    TWO_DRAWS({.state = {LOGIC(XOR)}, TWO}, {.state = {LOGIC(COPY)}, TWO})},
   {"then another comparison", .seen = ORDER_SEEN_DEPTH, .right = 2, .other = 3,
    TWO_DRAWS({.state = {LESS_WRITTEN, MAX_BLEND, LOGIC(NO_OP)}, TWO},
              {.state = {ALWAYS_WRITTEN, MAX_BLEND, LOGIC(NO_OP)}, TWO})},
   {"then another reference", .seen = ORDER_SEEN_STENCIL, .right = 2, .other = 1,
    TWO_DRAWS({.state = {REPLACED(1, 1), LOGIC(NO_OP)}, TWO_SIDES},
              {.state = {REPLACED(1, 2), LOGIC(NO_OP)}, TWO_SIDES})},
   {"then another mask of writes", .seen = ORDER_SEEN_STENCIL, .right = 4, .other = 6,
    TWO_DRAWS({.state = {COUNTED(255), LOGIC(NO_OP)}, TWO_SIDES}, {.state = {COUNTED(14), LOGIC(NO_OP)}, TWO_SIDES})},
   {"then another mask of comparisons", .seen = ORDER_SEEN_STENCIL, .right = 9, .other = 8,
    TWO_DRAWS({.state = {COMPARED(0), LOGIC(NO_OP)}, TWO_SIDES},
              {.state = {COMPARED(255), LOGIC(NO_OP)}, TWO_SIDES})},
   {"then another shader", .seen = ORDER_SEEN_MEMORY, .right = 2, .other = 1,
    TWO_DRAWS({.state = {LESS_WRITTEN, LOGIC(NO_OP)}, .count = 1, .triangles = {{.z = 0.4375f}}},
              {.kind = ORDER_COUNTS, .state = {LESS_WRITTEN, LOGIC(NO_OP)}, TWO})},
   {"then a precise query", .seen = ORDER_SEEN_QUERY, .right = 2, .other = 1,
    TWO_DRAWS({.state = {LESS_WRITTEN, LOGIC(NO_OP)}, .count = 1, .triangles = {{.z = 0.4375f}}},
              {.query = ORDER_PRECISE, .state = {LESS_WRITTEN, LOGIC(NO_OP)}, TWO})},
   {"then a query of invocations", .seen = ORDER_SEEN_QUERY, .right = 2, .other = 1,
    TWO_DRAWS({.kind = ORDER_EARLY, .state = {LESS_WRITTEN, LOGIC(NO_OP)}, .count = 1, .triangles = {{.z = 0.4375f}}},
              {.kind = ORDER_EARLY, .query = ORDER_INVOCATIONS, .state = {LESS_WRITTEN, LOGIC(NO_OP)}, TWO})},
   {"then no relaxed order", .right = 128, .other = 64,
    TWO_DRAWS({.relaxed = true, .count = 1, .triangles = {FAR(0)}}, {TWO})},
   /* What the API asked for ends with the draw (tests/tools/test_order_check.py). */
   {"relaxed, then free, then in order", .right = 128, .other = 64, .draws = 3,
    .draw = {{.relaxed = true, .count = 1, .triangles = {FAR(0)}},
             {.state = {MAX_BLEND}, TWO_GRAYS(0, GRAY(8))},
             {TWO}}},
   {"relaxed secondary, then free, then in order", .right = 128, .other = 64, .draws = 3,
    .draw = {{.relaxed = true, .secondary = true, .count = 1, .triangles = {FAR(0)}},
             {.state = {MAX_BLEND}, TWO_GRAYS(0, GRAY(8))},
             {TWO}}},
   {"in order, then a free secondary, then in order", .right = 128, .other = 64, .draws = 3,
    .draw = {{TWO}, {.secondary = true, .state = {MAX_BLEND}, TWO_GRAYS(0, GRAY(8))}, {TWO}}},
};

const struct order_case *
order_case(unsigned i)
{
   return i < sizeof(cases) / sizeof(*cases) ? &cases[i] : NULL;
}
