#include "orders.h"

#include <stddef.h>

static bool
compare(VkCompareOp op, float a, float b)
{
   switch (op) {
   case VK_COMPARE_OP_NEVER:
      return false;
   case VK_COMPARE_OP_LESS:
      return a < b;
   case VK_COMPARE_OP_EQUAL:
      return !(a < b) && !(b < a);
   case VK_COMPARE_OP_LESS_OR_EQUAL:
      return a <= b;
   case VK_COMPARE_OP_GREATER:
      return a > b;
   case VK_COMPARE_OP_NOT_EQUAL:
      return a < b || b < a;
   case VK_COMPARE_OP_GREATER_OR_EQUAL:
      return a >= b;
   case VK_COMPARE_OP_ALWAYS:
   case VK_COMPARE_OP_MAX_ENUM:
      return true;
   }
   return true;
}

static unsigned
changed(VkStencilOp op, unsigned s, unsigned reference)
{
   switch (op) {
   case VK_STENCIL_OP_ZERO:
      return 0;
   case VK_STENCIL_OP_REPLACE:
      return reference;
   case VK_STENCIL_OP_INCREMENT_AND_CLAMP:
      return s < 255 ? s + 1 : 255;
   case VK_STENCIL_OP_DECREMENT_AND_CLAMP:
      return s ? s - 1 : 0;
   case VK_STENCIL_OP_INVERT:
      return s ^ 255;
   case VK_STENCIL_OP_INCREMENT_AND_WRAP:
      return s + 1;
   case VK_STENCIL_OP_DECREMENT_AND_WRAP:
      return s - 1;
   case VK_STENCIL_OP_KEEP:
   case VK_STENCIL_OP_MAX_ENUM:
      return s;
   }
   return s;
}

static uint8_t
blended(enum orders_blend blend, uint8_t source, uint8_t stored)
{
   switch (blend) {
   case ORDERS_REPLACE:
      return source;
   case ORDERS_MAX:
      return source > stored ? source : stored;
   case ORDERS_ADD:
      return (uint8_t)(source + stored < 255 ? source + stored : 255);
   case ORDERS_XOR:
      return source ^ stored;
   case ORDERS_NOTHING:
   case ORDERS_BLENDS:
      return stored;
   }
   return stored;
}

/* Vulkan 1.3, "Fragment Operations": bounds, stencil, depth, in that order. Whether it passes. */
static bool
test(const struct orders_case *c, const struct orders_triangle *t, struct orders_result *r)
{
   const VkStencilOpState *face = &c->faces[!t->front];
   if (c->bounds && !(r->z >= c->low && r->z <= c->high))
      return false;
   const bool stencil = !c->stencil || compare(face->compareOp, (float)(face->reference & face->compareMask),
                                               (float)(r->s & face->compareMask));
   const bool depth = !c->depth_test || compare(c->depth_func, t->z, r->z);
   if (c->stencil) {
      const VkStencilOp op = !stencil ? face->failOp : depth ? face->passOp : face->depthFailOp;
      r->s = (uint8_t)((r->s & ~face->writeMask) | (changed(op, r->s, face->reference) & face->writeMask));
   }
   if (stencil && depth && c->depth_test && c->depth_write)
      r->z = t->z;
   return stencil && depth;
}

struct orders_result
orders_run(const struct orders_case *c, const uint8_t order[ORDERS_TRIANGLES])
{
   struct orders_result r = {.z = ORDERS_CLEAR_Z, .s = ORDERS_CLEAR_S, .c = ORDERS_CLEAR_C};
   for (unsigned i = 0; i < c->count; i++) {
      const struct orders_triangle *t = &c->triangles[order[i]];
      if (!test(c, t, &r))
         continue;
      r.passed++;
      r.c = blended(c->blend, t->gray, r.c);
   }
   r.stores = c->stores ? r.passed : 0;
   r.passed = c->query == ORDERS_PRECISE ? r.passed : c->query == ORDERS_BOOLEAN ? r.passed > 0 : 0;
   return r;
}

bool
orders_equal(const struct orders_result *a, const struct orders_result *b)
{
   return !(a->z < b->z) && !(b->z < a->z) && a->s == b->s && a->c == b->c && a->passed == b->passed &&
          a->stores == b->stores;
}

static void
swap(uint8_t *a, uint8_t *b)
{
   const uint8_t old = *a;
   *a = *b;
   *b = old;
}

/* Orders whose first n places stand; counts those that give `result`, and the others. */
static void
count(const struct orders_case *c, uint8_t order[ORDERS_TRIANGLES], unsigned n, const struct orders_result *result,
      unsigned counts[2])
{
   if (n >= c->count || n >= ORDERS_TRIANGLES) {
      const struct orders_result r = orders_run(c, order);
      counts[orders_equal(&r, result)]++;
      return;
   }
   for (unsigned i = n; i < c->count; i++) {
      swap(&order[n], &order[i]);
      count(c, order, n + 1, result, counts);
      swap(&order[n], &order[i]);
   }
}

bool
orders_are_free(const struct orders_case *c)
{
   uint8_t order[ORDERS_TRIANGLES] = {0, 1, 2, 3, 4, 5};
   unsigned counts[2] = {0, 0};
   const struct orders_result first = orders_run(c, order);
   count(c, order, 0, &first, counts);
   return !counts[0];
}

bool
orders_give(const struct orders_case *c, const struct orders_result *result)
{
   uint8_t order[ORDERS_TRIANGLES] = {0, 1, 2, 3, 4, 5};
   unsigned counts[2] = {0, 0};
   count(c, order, 0, result, counts);
   return counts[1];
}
