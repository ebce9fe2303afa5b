/* What becomes of several texels, and of a texel and a reference. */
#ifndef INDIUM_SIM_FILTER_H
#define INDIUM_SIM_FILTER_H

#include <stdbool.h>

#include "sim/vec4.h"

enum sim_reduction {
   SIM_REDUCTION_BLEND,
   SIM_REDUCTION_MIN,
   SIM_REDUCTION_MAX,
};

/* Two texels combined: weighted, or the smaller or larger of those that have a weight. */
static inline v4f
sim_filter(enum sim_reduction reduction, v4f a, v4f b, float weight)
{
   if (reduction == SIM_REDUCTION_BLEND)
      return a + (b - a) * weight;
   if (weight == 0.0f)
      return a;
   v4f result;
   for (unsigned i = 0; i < 4; i++)
      result[i] = (reduction == SIM_REDUCTION_MIN) == (a[i] < b[i]) ? a[i] : b[i];
   return result;
}

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
sim_compare(enum sim_compare function, float reference, float texel)
{
   switch (function) {
   case SIM_COMPARE_LESS:
      return reference < texel;
   case SIM_COMPARE_EQUAL:
      return reference == texel;
   case SIM_COMPARE_LESS_EQUAL:
      return reference <= texel;
   case SIM_COMPARE_GREATER:
      return reference > texel;
   case SIM_COMPARE_NOT_EQUAL:
      return reference != texel;
   case SIM_COMPARE_GREATER_EQUAL:
      return reference >= texel;
   case SIM_COMPARE_ALWAYS:
      return true;
   case SIM_COMPARE_NEVER:
      break;
   }
   return false;
}

#endif
