/* What becomes of several texels. */
#ifndef INDIUM_SIM_FILTER_H
#define INDIUM_SIM_FILTER_H

#include <stdbool.h>
#include <stdint.h>

#include "sim/texel/vec4.h"

enum sim_reduction {
   SIM_REDUCTION_BLEND,
   SIM_REDUCTION_MIN,
   SIM_REDUCTION_MAX,
};

/* A blend that is no number: of which texels, does not show. */
#define SIM_FILTERED_NAN 0x7fc00000u

/* A blend as it leaves the filter. */
static inline v4f
sim_filtered(v4f blend)
{
   return v4_select(blend == blend, blend, (v4f)v4_splat_bits(SIM_FILTERED_NAN));
}

/* Two texels combined: weighted, or the smaller or larger of those that have a weight. */
static inline v4f
sim_filter(enum sim_reduction reduction, v4f a, v4f b, float weight)
{
   if (reduction == SIM_REDUCTION_BLEND)
      return sim_filtered(a + (b - a) * weight);
   if (weight == 0.0f)
      return a;
   v4f result;
   for (unsigned i = 0; i < 4; i++)
      result[i] = (reduction == SIM_REDUCTION_MIN) == (a[i] < b[i]) ? a[i] : b[i];
   return result;
}

/* The same of integers, which are not weighted: a blend is the first. */
static inline v4u
sim_filter_integers(enum sim_reduction reduction, bool is_signed, v4u a, v4u b, float weight)
{
   const uint32_t bias = is_signed ? 0x80000000 : 0;
   if (reduction == SIM_REDUCTION_BLEND || weight == 0.0f)
      return a;
   for (unsigned i = 0; i < 4; i++)
      a[i] = (reduction == SIM_REDUCTION_MIN) == ((a[i] ^ bias) < (b[i] ^ bias)) ? a[i] : b[i];
   return a;
}

#endif
