#include "orders.h"

#include <stddef.h>

#include "choices.h"

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
   /* What each single operation does not change, two do. */
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
   {"stores after early tests", {NEAR, NEARER}, 2, 1, LESS, WRITE, .stores = true},
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

/* ---- random cases ---- */

enum {
   TRIANGLES,
   DRAWS,
   NO_DEPTH_TEST,
   DEPTH_WRITE,
   DEPTH_FUNC,
   STENCIL,
   COMPARE,
   SIDES_DIFFER,
   BLEND,
   QUERY,
   STORES,
   BOUNDS,
   CHOICES
};

static const struct choice table[CHOICES] = {
   [TRIANGLES] = {"triangles", ORDERS_TRIANGLES - 1},
   [DRAWS] = {"several draws", 2},
   [NO_DEPTH_TEST] = {"no depth test", 2, .one_in = 4},
   [DEPTH_WRITE] = {"depth write", 2},
   [DEPTH_FUNC] = {"depth function", 8, .one_in = 2},
   [STENCIL] = {"stencil", 2},
   [COMPARE] = {"stencil function", 2, .one_in = 3},
   [SIDES_DIFFER] = {"stencil of the back", 2},
   [BLEND] = {"blending", ORDERS_BLENDS, .one_in = 2},
   [QUERY] = {"query", 3},
   [STORES] = {"stores", 2, .one_in = 4},
   [BOUNDS] = {"depth bounds", 2, .one_in = 4},
};
static struct choices choices = {.table = table, .count = CHOICES};

static VkStencilOpState
random_face(uint32_t (*random)(uint32_t limit), bool compare)
{
   static const uint8_t masks[] = {255, 255, 255, 15, 5, 1};
   /* One operation for several results: else nearly everything depends on the order. */
   const VkStencilOp op = (VkStencilOp)random(8), other = random(3) ? VK_STENCIL_OP_KEEP : (VkStencilOp)random(8);
   return (VkStencilOpState){.failOp = random(2) ? op : VK_STENCIL_OP_KEEP,
                             .passOp = random(2) ? op : other,
                             .depthFailOp = random(2) ? op : other,
                             .compareOp = compare ? (VkCompareOp)random(8) : VK_COMPARE_OP_ALWAYS,
                             .compareMask = masks[random(6)],
                             .writeMask = masks[random(6)],
                             .reference = random(8)};
}

static const VkCompareOp funcs[8] = {VK_COMPARE_OP_LESS,
                                     VK_COMPARE_OP_NEVER,
                                     VK_COMPARE_OP_EQUAL,
                                     VK_COMPARE_OP_LESS_OR_EQUAL,
                                     VK_COMPARE_OP_GREATER,
                                     VK_COMPARE_OP_NOT_EQUAL,
                                     VK_COMPARE_OP_GREATER_OR_EQUAL,
                                     VK_COMPARE_OP_ALWAYS};

/* Counts what the case has. COMPARE and SIDES_DIFFER stay as drawn: random faces may be equal. */
static void
count_case(const struct orders_case *c)
{
   unsigned *now = choices.now;
   now[TRIANGLES] = c->count - 2;
   now[DRAWS] = c->draws > 1;
   now[NO_DEPTH_TEST] = !c->depth_test;
   now[DEPTH_WRITE] = c->depth_write;
   for (unsigned i = 0; i < 8; i++)
      now[DEPTH_FUNC] = funcs[i] == c->depth_func ? i : now[DEPTH_FUNC];
   now[STENCIL] = c->stencil;
   now[BLEND] = c->blend;
   now[QUERY] = c->query;
   now[STORES] = c->stores;
   now[BOUNDS] = c->bounds;
   choices_count(&choices);
}

struct orders_case
orders_random(uint64_t seed, uint32_t (*random)(uint32_t limit))
{
   const unsigned *now = choices.now;
   choices_draw_new(&choices, seed, 64);
   struct orders_case c = {.name = "random",
                           .count = 2 + now[TRIANGLES],
                           .draws = 1,
                           .depth_test = !now[NO_DEPTH_TEST],
                           .depth_write = now[DEPTH_WRITE],
                           .bounds = now[BOUNDS],
                           .stencil = now[STENCIL],
                           .stores = now[STORES],
                           .depth_func = funcs[now[DEPTH_FUNC]],
                           .low = (float)random(4) / 8.0f,
                           .blend = (enum orders_blend)now[BLEND],
                           .query = (enum orders_query)now[QUERY]};
   if (now[DRAWS])
      c.draws = 2 + random(c.count - 1);
   c.high = c.low + (float)random(4) / 8.0f;
   for (unsigned i = 0; i < c.count; i++)
      c.triangles[i] = (struct orders_triangle){(float)random(8) / 8.0f, random(2), (uint8_t)random(256)};
   c.faces[0] = random_face(random, now[COMPARE]);
   c.faces[1] = now[SIDES_DIFFER] ? random_face(random, now[COMPARE]) : c.faces[0];
   count_case(&c);
   return c;
}

unsigned
orders_missing_pairs(void)
{
   return choices_missing(&choices, stdout);
}
