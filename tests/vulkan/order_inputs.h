/* Draws of a few triangles over each other, for each thing that decides whether their order matters. Of each case one
 * value is known by the rules of Vulkan: as the triangles were submitted, and as the last one of each draw came
 * first. These differ, so a decision by wrong facts shows. */
#ifndef ORDER_INPUTS_H
#define ORDER_INPUTS_H

#include <stdbool.h>
#include <stdint.h>
#include <vulkan/vulkan.h>

enum { ORDER_PX = 8, ORDER_DRAWS = 3, ORDER_TRIANGLES = 4 };
#define ORDER_CLEAR_Z 0.5f
#define ORDER_CLEAR_GRAY (16.0f / 255.0f)
#define ORDER_CLEAR_S 5

/* Fragment shaders: shaders/order_inputs.frag. */
enum order_kind {
   ORDER_PLAIN,
   ORDER_EARLY,   /* early tests */
   ORDER_DISCARD, /* discards the samples that are dropped, after early tests */
   ORDER_MASK,    /* the same by an exported mask */
   ORDER_EXPORT,  /* exports its gray as stencil reference */
   ORDER_COUNTS,  /* after early tests, adds 1 */
   ORDER_STORES,  /* after early tests, stores 1 in a slot of its own */
   ORDER_ORDERED, /* doubles a word of the pixel and adds its number, in an ordered section */
   ORDER_KINDS,
};

enum order_query { ORDER_NO_QUERY, ORDER_BOOLEAN, ORDER_PRECISE, ORDER_INVOCATIONS, ORDER_QUERIES };

/* What a case is known by: a channel of a target, as its bits are stored; eighths of depth; stencil; the result of
 * the query of the last draw that has one, of a pixel; what shaders stored, of a pixel: the sum of the words. */
enum order_seen {
   ORDER_SEEN_COLOR,
   ORDER_SEEN_SECOND,
   ORDER_SEEN_DEPTH,
   ORDER_SEEN_STENCIL,
   ORDER_SEEN_QUERY,
   ORDER_SEEN_MEMORY,
};

struct order_triangle {
   float z, gray;
   bool back, dropped;
};

/* All of it is dynamic state. */
struct order_state {
   VkBool32 depth_test, depth_write, bounds;
   VkCompareOp compare;
   VkBool32 stencil;
   VkStencilOpState faces[2]; /* front, back */
   VkBool32 logic, blend[2];
   VkLogicOp logic_op;
   VkColorBlendEquationEXT equations[2];
};

struct order_draw {
   enum order_kind kind;
   enum order_query query;
   bool relaxed;   /* the pipeline asks for it */
   bool secondary; /* in a secondary command buffer */
   struct order_state state;
   unsigned count;
   struct order_triangle triangles[ORDER_TRIANGLES];
};

struct order_case {
   const char *name;
   VkFormat formats[2]; /* the first: RGBA of 8 bits if 0; the second: none if 0 */
   bool coverage;       /* alpha to coverage, 4 samples */
   enum order_seen seen;
   uint32_t right, other;
   unsigned draws;
   struct order_draw draw[ORDER_DRAWS];
};

/* NULL after the last. */
const struct order_case *order_case(unsigned i);

#endif
