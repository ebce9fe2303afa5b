/* What becomes of several texels. */
#ifndef INDIUM_SIM_FILTER_H
#define INDIUM_SIM_FILTER_H

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

#endif
