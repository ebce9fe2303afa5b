/* Four components, or one component of four pixels, at once. */
#ifndef INDIUM_SIM_VEC4_H
#define INDIUM_SIM_VEC4_H

#include <stdint.h>

typedef float v4f __attribute__((vector_size(16)));
typedef uint32_t v4u __attribute__((vector_size(16)));
typedef int32_t v4i __attribute__((vector_size(16)));
typedef double v4d __attribute__((vector_size(32)));

static inline v4f
v4_splat(float f)
{
   return (v4f){f, f, f, f};
}

static inline v4u
v4_splat_bits(uint32_t u)
{
   return (v4u){u, u, u, u};
}

/* Of each element: a where the mask is set, else b. Masks are what comparisons give. */
static inline v4u
v4_select_bits(v4i mask, v4u a, v4u b)
{
   return ((v4u)mask & a) | (~(v4u)mask & b);
}

static inline v4f
v4_select(v4i mask, v4f a, v4f b)
{
   return (v4f)v4_select_bits(mask, (v4u)a, (v4u)b);
}

#endif
