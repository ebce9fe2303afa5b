#include "orders.h"

#include <stddef.h>

enum {
   KEEP = VK_STENCIL_OP_KEEP,
   ZERO = VK_STENCIL_OP_ZERO,
   REPLACE = VK_STENCIL_OP_REPLACE,
   INVERT = VK_STENCIL_OP_INVERT,
   INCR = VK_STENCIL_OP_INCREMENT_AND_WRAP,
   DECR = VK_STENCIL_OP_DECREMENT_AND_WRAP,
};

#define NEAR {.z = 0.25f, .front = true, .gray = 64}
#define NEARER {.z = 0.125f, .front = true, .gray = 128}
#define FAR {.z = 0.75f, .front = true, .gray = 192}
#define BRIGHT {.z = 0.375f, .front = true, .gray = 250}
#define BACK {.z = 0.25f, .front = false, .gray = 32}
#define BACK_FAR {.z = 0.75f, .front = false, .gray = 40}

#define FACE(zfail, zpass, mask)                                                                                     \
   {VK_STENCIL_OP_KEEP, (VkStencilOp)(zpass), (VkStencilOp)(zfail), VK_COMPARE_OP_ALWAYS, 255, mask, 5}
#define LESS .depth_test = true, .depth_func = VK_COMPARE_OP_LESS
#define WRITE .depth_write = true
#define BOTH(zfail, zpass)                                                                                           \
   .stencil = true, .faces = {FACE(zfail, zpass, 255), FACE(zfail, zpass, 255)}
#define SIDES(front, back) .stencil = true, .faces = {FACE(KEEP, front, 255), FACE(KEEP, back, 255)}

static const struct orders_case cases[] = {
   /* The review's example: nothing is written by the tests, and several pass. */
   {"mail", {NEARER, NEAR}, 2, 1, LESS, .blend = ORDERS_REPLACE},
   {"mail, two draws", {NEARER, NEAR}, 2, 2, LESS, .blend = ORDERS_REPLACE},
   /* What each operation leaves invariant alone, two do not. */
   {"ZERO, INCR_WRAP", {NEAR, FAR, NEARER}, 3, 1, LESS, BOTH(ZERO, INCR)},
   {"ZERO, DECR_WRAP", {NEAR, FAR, NEARER}, 3, 1, LESS, BOTH(ZERO, DECR)},
   {"ZERO, INVERT", {NEAR, FAR, NEARER}, 3, 1, LESS, BOTH(ZERO, INVERT)},
   {"ZERO, REPLACE", {NEAR, NEARER, FAR}, 3, 1, LESS, BOTH(ZERO, REPLACE)},
   {"INVERT, INCR_WRAP", {NEAR, FAR, NEARER}, 3, 1, LESS, BOTH(INVERT, INCR)},
   {"INVERT, DECR_WRAP", {NEAR, FAR, NEARER}, 3, 1, LESS, BOTH(INVERT, DECR)},
   {"REPLACE, INCR_WRAP", {NEAR, FAR, NEARER}, 3, 1, LESS, BOTH(REPLACE, INCR)},
   {"REPLACE, INVERT", {NEAR, FAR, NEARER}, 3, 1, LESS, BOTH(REPLACE, INVERT)},
   {"faces ZERO, INCR_WRAP", {NEAR, BACK, NEAR}, 3, 1, LESS, SIDES(INCR, ZERO)},
   {"faces INVERT, INCR_WRAP", {NEAR, BACK, NEAR}, 3, 1, LESS, SIDES(INCR, INVERT)},
   {"masks of faces",
    {NEAR, BACK},
    2,
    1,
    LESS,
    .stencil = true,
    .faces = {FACE(KEEP, INCR, 255), FACE(KEEP, DECR, 14)}},
   {"function that looks at what it writes",
    {NEAR, BACK},
    2,
    1,
    LESS,
    .stencil = true,
    .faces = {{VK_STENCIL_OP_KEEP, VK_STENCIL_OP_ZERO, VK_STENCIL_OP_KEEP, VK_COMPARE_OP_EQUAL, 255, 255, 5},
              {VK_STENCIL_OP_KEEP, VK_STENCIL_OP_INVERT, VK_STENCIL_OP_KEEP, VK_COMPARE_OP_EQUAL, 255, 255, 5}}},
   {"faces of which one compares",
    {{.z = 0.25f, .front = true, .gray = 200}, BACK},
    2,
    1,
    LESS,
    .stencil = true,
    .faces = {{VK_STENCIL_OP_KEEP, VK_STENCIL_OP_KEEP, VK_STENCIL_OP_KEEP, VK_COMPARE_OP_EQUAL, 255, 0, 5},
              FACE(KEEP, ZERO, 255)},
    .blend = ORDERS_MAX},
   {"bounds", {BRIGHT, NEAR, NEARER}, 3, 1, LESS, WRITE, .bounds = true, .low = 0.4375f, .high = 0.625f},
   {"depth ALWAYS", {NEAR, NEARER}, 2, 1, .depth_test = true, .depth_func = VK_COMPARE_OP_ALWAYS, WRITE},
   {"colour behind depth that is written",
    {NEAR, {.z = 0.25f, .front = true, .gray = 7}},
    2,
    1,
    .depth_test = true,
    .depth_func = VK_COMPARE_OP_LESS_OR_EQUAL,
    WRITE,
    .blend = ORDERS_REPLACE},
   {"maximum behind depth that is written", {BRIGHT, NEARER}, 2, 1, LESS, WRITE, .blend = ORDERS_MAX},
   {"exclusive or behind depth that is written", {NEAR, NEARER}, 2, 1, LESS, WRITE, .blend = ORDERS_XOR},
   {"precise query", {NEAR, NEARER}, 2, 1, LESS, WRITE, .query = ORDERS_PRECISE},
   {"stores behind early tests", {NEAR, NEARER}, 2, 1, LESS, WRITE, .stores = true},
   /* Free. */
   {"prepass", {NEAR, NEARER, FAR}, 3, 3, LESS, WRITE},
   {"shadow volume",
    {NEAR, BACK_FAR, FAR, BACK_FAR, FAR, BACK_FAR},
    6,
    2,
    LESS,
    .stencil = true,
    .faces = {FACE(DECR, KEEP, 255), FACE(INCR, KEEP, 255)}},
   {"maximum", {NEAR, NEARER, FAR}, 3, 1, LESS, .blend = ORDERS_MAX},
   {"exclusive or", {NEAR, NEARER, FAR}, 3, 2, LESS, .blend = ORDERS_XOR},
   {"boolean query", {NEAR, NEARER}, 2, 1, LESS, WRITE, .query = ORDERS_BOOLEAN},
   {"precise query, depth that is kept", {NEAR, NEARER, FAR}, 3, 1, LESS, .query = ORDERS_PRECISE},
   {"stores, depth that is kept", {NEAR, NEARER, FAR}, 3, 1, LESS, .stores = true},
   {"nothing at all", {NEAR, NEARER}, 2, 1, .depth_test = false},
};

const struct orders_case *
orders_fixed(unsigned i)
{
   return i < sizeof(cases) / sizeof(*cases) ? &cases[i] : NULL;
}

static VkStencilOpState
random_face(uint32_t (*random)(uint32_t limit))
{
   static const uint8_t masks[] = {255, 255, 255, 15, 5, 1};
   /* One operation for several results: else nearly everything depends on the order. */
   const VkStencilOp op = (VkStencilOp)random(8), other = random(3) ? VK_STENCIL_OP_KEEP : (VkStencilOp)random(8);
   return (VkStencilOpState){.failOp = random(2) ? op : VK_STENCIL_OP_KEEP,
                             .passOp = random(2) ? op : other,
                             .depthFailOp = random(2) ? op : other,
                             .compareOp = random(3) ? VK_COMPARE_OP_ALWAYS : (VkCompareOp)random(8),
                             .compareMask = masks[random(6)],
                             .writeMask = masks[random(6)],
                             .reference = random(8)};
}

struct orders_case
orders_random(uint32_t (*random)(uint32_t limit))
{
   struct orders_case c = {.name = "random",
                           .count = 2 + random(ORDERS_TRIANGLES - 1),
                           .depth_test = random(4),
                           .depth_write = random(2),
                           .stencil = random(2),
                           .depth_func = random(2) ? VK_COMPARE_OP_LESS : (VkCompareOp)random(8),
                           .blend = random(2) ? ORDERS_NOTHING : (enum orders_blend)random(ORDERS_BLENDS),
                           .query = (enum orders_query)random(3),
                           .stores = !random(4)};
   c.draws = 1 + random(c.count);
   c.bounds = !random(4);
   c.low = (float)random(4) / 8.0f;
   c.high = c.low + (float)random(4) / 8.0f;
   for (unsigned i = 0; i < c.count; i++)
      c.triangles[i] = (struct orders_triangle){(float)random(8) / 8.0f, random(2), (uint8_t)random(256)};
   c.faces[0] = random_face(random);
   c.faces[1] = random(2) ? c.faces[0] : random_face(random);
   return c;
}
