/* Where the texels beyond the edge of an image come from. */
#ifndef INDIUM_SIM_WRAP_H
#define INDIUM_SIM_WRAP_H

#include <stdbool.h>
#include <stdint.h>

/* To the edge: of the last texel. To the border: of the border colour. Half: to the middle between the two. Mirror
 * once: the image and its mirror at 0, and no more of them. */
enum sim_wrap {
   SIM_WRAP_REPEAT,
   SIM_WRAP_MIRROR,
   SIM_WRAP_EDGE,
   SIM_WRAP_MIRROR_ONCE_EDGE,
   SIM_WRAP_HALF_BORDER,
   SIM_WRAP_MIRROR_ONCE_HALF_BORDER,
   SIM_WRAP_BORDER,
   SIM_WRAP_MIRROR_ONCE_BORDER,
};

enum { SIM_TEXEL_BORDER = -1 };

static inline int
sim_floor(float f)
{
   int i = (int)f;
   return i - ((float)i > f);
}

/* Index of a texel of `size`, or SIM_TEXEL_BORDER. */
static inline int
sim_wrap_texel(enum sim_wrap mode, int i, int size)
{
   if ((unsigned)i < (unsigned)size)
      return i;
   switch (mode) {
   case SIM_WRAP_REPEAT:
      i %= size;
      return i < 0 ? i + size : i;
   case SIM_WRAP_MIRROR:
      i %= 2 * size;
      i = i < 0 ? i + 2 * size : i;
      return i < size ? i : 2 * size - 1 - i;
   case SIM_WRAP_EDGE:
      return i < 0 ? 0 : size - 1;
   case SIM_WRAP_MIRROR_ONCE_EDGE:
      i = i < 0 ? -1 - i : i;
      return i < size ? i : size - 1;
   case SIM_WRAP_MIRROR_ONCE_HALF_BORDER:
   case SIM_WRAP_MIRROR_ONCE_BORDER:
      i = i < 0 ? -1 - i : i;
      return i < size ? i : SIM_TEXEL_BORDER;
   case SIM_WRAP_HALF_BORDER:
   case SIM_WRAP_BORDER:
      break;
   }
   return SIM_TEXEL_BORDER;
}

static inline bool
sim_wrap_is_half(enum sim_wrap mode)
{
   return mode == SIM_WRAP_HALF_BORDER || mode == SIM_WRAP_MIRROR_ONCE_HALF_BORDER;
}

/* The texel `offset` texels from the one that holds the coordinate u, in texels. Clamped half way to the border it is
 * one of the image's. */
static inline int
sim_wrap_nearest(enum sim_wrap mode, float u, int offset, uint32_t size)
{
   int i = sim_floor(u) + offset;
   return sim_wrap_is_half(mode) && i == (int)size ? i - 1 : i;
}

/* A coordinate in texels of an image of `size`. normalized: it runs from 0 to 1. offset: what is added to it later,
 * in texels: where that ends is what is clamped half way. */
static inline float
sim_wrap_coordinate(enum sim_wrap mode, bool normalized, float coordinate, int offset, uint32_t size)
{
   /* Whole turns of a repeating image go first: most footprints then lie inside of it. */
   if (mode == SIM_WRAP_REPEAT && normalized && coordinate > -4194304.0f && coordinate < 4194304.0f)
      coordinate -= (float)sim_floor(coordinate);
   float u = normalized ? coordinate * (float)size : coordinate;
   if (sim_wrap_is_half(mode)) {
      float low = mode == SIM_WRAP_HALF_BORDER ? 0.0f : -(float)size, end = u + (float)offset;
      u = end > (float)size ? (float)size - (float)offset : end < low ? low - (float)offset : u;
   }
   if (!(u > -16777216.0f)) /* NaN too */
      return u == u ? -16777216.0f : 0.0f;
   return u < 16777216.0f ? u : 16777216.0f;
}

#endif
