/* What stencil operations make of stored values, in bytes, for loops without branches. */
#ifndef INDIUM_SI_ORDER_STENCIL_H
#define INDIUM_SI_ORDER_STENCIL_H

#include <stdint.h>

#include "gallium/include/pipe/p_defines.h"

/* ((s & keep) ^ flip) + add, and back again where s is the end that the operation stops at. */
struct si_order_operation {
   uint8_t keep, flip, add, back, end;
};

static inline struct si_order_operation
si_order_operation(enum pipe_stencil_op op, uint8_t reference, uint8_t max)
{
   switch (op) {
   case PIPE_STENCIL_KEEP:
      return (struct si_order_operation){.keep = 0xff};
   case PIPE_STENCIL_ZERO:
      return (struct si_order_operation){0};
   case PIPE_STENCIL_REPLACE:
      return (struct si_order_operation){.flip = reference};
   case PIPE_STENCIL_INCREMENT_CLAMP:
      return (struct si_order_operation){.keep = 0xff, .add = 1, .back = 0xff, .end = max};
   case PIPE_STENCIL_DECREMENT_CLAMP:
      return (struct si_order_operation){.keep = 0xff, .add = 0xff, .back = 1, .end = 0};
   case PIPE_STENCIL_INVERT:
      return (struct si_order_operation){.keep = 0xff, .flip = 0xff};
   case PIPE_STENCIL_INCREMENT_WRAP:
      return (struct si_order_operation){.keep = 0xff, .add = 1};
   case PIPE_STENCIL_DECREMENT_WRAP:
      return (struct si_order_operation){.keep = 0xff, .add = 0xff};
   }
   return (struct si_order_operation){0};
}

static inline uint8_t
si_order_operate(const struct si_order_operation *op, uint8_t s)
{
   return (uint8_t)(((s & op->keep) ^ op->flip) + op->add + (op->back & -(s == op->end)));
}

#endif
