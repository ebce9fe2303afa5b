/* Comparisons of depth, stencil and texels. */
#ifndef INDIUM_SIM_COMPARE_H
#define INDIUM_SIM_COMPARE_H

#include <stdbool.h>
#include <stdint.h>

/* A set of outcomes: bit 0 less, bit 1 equal, bit 2 greater. The hardware of both vendors has the same numbers. */
enum sim_compare {
   SIM_COMPARE_NEVER,
   SIM_COMPARE_LESS,
   SIM_COMPARE_EQUAL,
   SIM_COMPARE_LESS_EQUAL,
   SIM_COMPARE_GREATER,
   SIM_COMPARE_NOT_EQUAL,
   SIM_COMPARE_GREATER_EQUAL,
   SIM_COMPARE_ALWAYS,
};

static inline bool
sim_compare_u32(unsigned function, uint32_t a, uint32_t b)
{
   return function >> (a < b ? 0 : a == b ? 1 : 2) & 1;
}

static inline bool
sim_compare_float(unsigned function, float a, float b)
{
   unsigned outcome = (unsigned)(a < b) | (unsigned)(a == b) << 1 | (unsigned)(a > b) << 2;
   /* Nothing is true of NaN but "always" and "not equal". */
   return (function & outcome) || (!outcome && (function == SIM_COMPARE_ALWAYS || function == SIM_COMPARE_NOT_EQUAL));
}

#endif
