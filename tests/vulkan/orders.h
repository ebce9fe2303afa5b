/* Draws of a few triangles over each other, and what one pixel of them is in the end, by the rules of Vulkan. */
#ifndef ORDERS_H
#define ORDERS_H

#include <stdbool.h>
#include <stdint.h>
#include <vulkan/vulkan.h>

enum { ORDERS_TRIANGLES = 6, ORDERS_CLEAR_S = 5, ORDERS_CLEAR_C = 16, ORDERS_PX = 8 };
#define ORDERS_CLEAR_Z 0.5f

enum orders_blend {
   ORDERS_NOTHING, /* is written */
   ORDERS_REPLACE,
   ORDERS_MAX,
   ORDERS_ADD,
   ORDERS_XOR,
   ORDERS_BLENDS,
};

enum orders_query {
   ORDERS_NO_QUERY,
   ORDERS_BOOLEAN,
   ORDERS_PRECISE,
};

struct orders_triangle {
   float z; /* eighths: exact everywhere */
   bool front;
   uint8_t gray;
};

struct orders_case {
   const char *name;
   struct orders_triangle triangles[ORDERS_TRIANGLES];
   unsigned count, draws; /* draws: they are parted into so many */
   bool depth_test, depth_write, bounds, stencil, stores;
   VkCompareOp depth_func;
   float low, high;
   VkStencilOpState faces[2]; /* front, back */
   enum orders_blend blend;
   enum orders_query query;
};

struct orders_result {
   float z;
   uint8_t s, c;
   uint32_t passed, stores; /* of the pixel; passed: of boolean queries 0 or 1 */
};

/* NULL after the last. */
const struct orders_case *orders_fixed(unsigned i);
/* A case of random state and triangles. random: numbers below. */
struct orders_case orders_random(uint64_t seed, uint32_t (*random)(uint32_t limit));
/* How many pairs of choices no random case had; each has a line. */
unsigned orders_missing_pairs(void);

/* order: of the triangles. */
struct orders_result orders_run(const struct orders_case *c, const uint8_t order[ORDERS_TRIANGLES]);
bool orders_equal(const struct orders_result *a, const struct orders_result *b);
/* Whether all orders give the same. */
bool orders_are_free(const struct orders_case *c);
/* Whether some order gives it. */
bool orders_give(const struct orders_case *c, const struct orders_result *result);

#endif
