/* The number rules of numeric.h for four values at once. */
#ifndef INDIUM_SIM_NUMERIC4_H
#define INDIUM_SIM_NUMERIC4_H

#include "sim/texel/vec4.h"
#include "util/macros.h"

/* bits in [1, 32]. */
static inline v4u
sim_unorm_from_float4(v4f value, unsigned bits)
{
   const double magic = 6755399441055744.0; /* 1.5 * 2^52: what sim_round_even() adds */
   uint32_t max = (uint32_t)bit_mask(bits);
   union {
      v4d sum;
      uint32_t words[8];
   } rounded = {.sum = __builtin_convertvector(value, v4d) * (double)max + magic};
   v4u code = {rounded.words[0], rounded.words[2], rounded.words[4], rounded.words[6]};
   code = v4_select_bits(value >= v4_splat(1.0f), v4_splat_bits(max), code);
   return code & (v4u)(value > v4_splat(0.0f));
}

/* In the low 16 bits of each value. Zero and subnormal ones are exact as integers. */
static inline v4f
sim_half_to_float4(v4u half)
{
   v4u sign = (half & 0x8000) << 16, magnitude = half & 0x7fff;
   v4u small = (v4u)(__builtin_convertvector((v4i)magnitude, v4f) * 0x1p-24f);
   v4u bias = v4_select_bits(magnitude >= 0x7c00, v4_splat_bits(224u << 23), v4_splat_bits(112u << 23));
   return (v4f)(sign | v4_select_bits(magnitude < 0x400, small, (magnitude << 13) + bias));
}

#endif
