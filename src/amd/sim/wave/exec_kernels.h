/* What kernels share: sources as numbers of their types. For files that are built twice (sim/wide.h). */
#ifndef INDIUM_AMD_SIM_EXEC_KERNELS_H
#define INDIUM_AMD_SIM_EXEC_KERNELS_H

#include <string.h>

#include "amd/sim/wave/exec_lanes.h"

static inline float
f(uint32_t u)
{
   float v;
   memcpy(&v, &u, 4);
   return v;
}

static inline uint32_t
u(float v)
{
   uint32_t r;
   memcpy(&r, &v, 4);
   return r;
}

static inline float
h(uint32_t bits)
{
   uint16_t b = (uint16_t)bits;
   _Float16 v;
   memcpy(&v, &b, 2);
   return (float)v;
}

static inline uint32_t
uh(float v)
{
   _Float16 n = (_Float16)v;
   uint16_t b;
   memcpy(&b, &n, 2);
   return b;
}

static inline double
d(uint32_t lo, uint32_t hi)
{
   uint64_t bits = lo | (uint64_t)hi << 32;
   double v;
   memcpy(&v, &bits, 8);
   return v;
}

#define LOOP WIDE_LOOP for (int i = 0; i < HALF; i++)
/* 64 bits, as floats and as integers. */
#define DA d(A[i], x->a_hi[i])
#define DB d(B[i], x->b_hi[i])
#define DC d(C[i], x->c_hi[i])
#define A64 (A[i] | (uint64_t)x->a_hi[i] << 32)
#define B64 (B[i] | (uint64_t)x->b_hi[i] << 32)

kernel_fn WIDE(exec_compare_kernel)(enum amd_op op); /* NULL: no comparison */

#endif
