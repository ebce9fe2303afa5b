/* Depth and colour of a tile's pixels, as loops that compilers make vectors of. The rules are those of
 * sim/numeric.h. */
#include "amd/sim/rb/tile_wide.h"

#include <math.h>
#include <string.h>

#include "sim/texel/compare.h"
#include "sim/texel/numeric.h"
#include "sim/wide.h"
#include "util/macros.h"

/* 1.5 * 2^52: what is added rounds to an integer, to nearest even. */
#define MAGIC 6755399441055744.0

static inline void
plane_depths(const struct tile_plane *p, float f[AMD_TILE_PIXELS])
{
   double ax[AMD_TILE_PX];
   for (int i = 0; i < AMD_TILE_PX; i++)
      ax[i] = p->a * (p->x + i);
   for (int row = 0; row < AMD_TILE_PX; row++) {
      const double by = p->b * (p->y + row);
      for (int i = 0; i < AMD_TILE_PX; i++)
         f[row * AMD_TILE_PX + i] = (float)(ax[i] + by + p->c);
   }
}

void
WIDE(tile_depths)(const struct tile_plane *p, uint32_t z[AMD_TILE_PIXELS])
{
   _Alignas(32) float f[AMD_TILE_PIXELS];
   const float low = p->low, high = p->high;
   plane_depths(p, f);
   for (int i = 0; p->clamp && i < AMD_TILE_PIXELS; i++) {
      float clamped = f[i] > high ? high : f[i];
      f[i] = clamped > low ? clamped : low;
   }
   if (!p->unorm_bits) {
      memcpy(z, f, sizeof(f));
      return;
   }
   const uint32_t max = (uint32_t)bit_mask(p->unorm_bits);
#ifdef __FMA__
   /* The product is exact, and rounded once. */
   for (int i = 0; i < AMD_TILE_PIXELS && max <= UINT16_MAX; i++)
      z[i] = float_bits(__builtin_fmaf(f[i], (float)max, 12582912.0f)) & UINT16_MAX; /* 1.5 * 2^23 */
   for (int i = 0; i < AMD_TILE_PIXELS && max > UINT16_MAX; i++)
#else
   for (int i = 0; i < AMD_TILE_PIXELS; i++)
#endif
      z[i] = (uint32_t)double_bits((double)f[i] * (double)max + MAGIC);
   for (int i = 0; i < AMD_TILE_PIXELS; i++) {
      const uint32_t code = f[i] >= 1.0f ? max : z[i];
      z[i] = f[i] > 0.0f ? code : 0;
   }
}

uint64_t
WIDE(tile_compare)(unsigned function, bool is_float, const uint32_t z[AMD_TILE_PIXELS],
                   const uint32_t stored[AMD_TILE_PIXELS])
{
   uint64_t less = 0, equal = 0, greater = 0;
   for (unsigned i = 0; i < AMD_TILE_PIXELS; i += 8) {
      v8u a, b;
      v8f f, g;
      memcpy(&a, z + i, sizeof(a));
      memcpy(&b, stored + i, sizeof(b));
      memcpy(&f, z + i, sizeof(f));
      memcpy(&g, stored + i, sizeof(g));
      less |= (uint64_t)wide_signs(is_float ? (v8u)(f < g) : (v8u)(a < b)) << i;
      equal |= (uint64_t)wide_signs(is_float ? (v8u)(f == g) : (v8u)(a == b)) << i;
      greater |= (uint64_t)wide_signs(is_float ? (v8u)(f > g) : (v8u)(a > b)) << i;
   }
   /* Nothing is true of NaN but "always" and "not equal". */
   const bool of_nan = function == SIM_COMPARE_ALWAYS || function == SIM_COMPARE_NOT_EQUAL;
   return (function & SIM_COMPARE_LESS ? less : 0) | (function & SIM_COMPARE_EQUAL ? equal : 0) |
          (function & SIM_COMPARE_GREATER ? greater : 0) | (of_nan ? ~(less | equal | greater) : 0);
}

static inline float
least_of(float a, float b)
{
   return a < b ? a : b;
}

static inline float
most_of(float a, float b)
{
   return a > b ? a : b;
}

void
WIDE(tile_range)(const uint8_t depths[4 * AMD_TILE_PIXELS], float *low, float *high)
{
   enum { HALF = AMD_TILE_PIXELS / 2 };
   _Alignas(32) float z[AMD_TILE_PIXELS], least[HALF], most[HALF];
   memcpy(z, depths, sizeof(z));
   /* What is compared with a NaN first is the second. */
   for (int i = 0; i < HALF; i++) {
      least[i] = least_of(z[i + HALF], least_of(z[i], INFINITY));
      most[i] = most_of(z[i + HALF], most_of(z[i], -INFINITY));
   }
   for (int i = 0; i < HALF / 2; i++) {
      least[i] = least_of(least[i], least[i + HALF / 2]);
      most[i] = most_of(most[i], most[i + HALF / 2]);
   }
   float own_low = *low, own_high = *high;
   for (int i = 0; i < HALF / 2; i++) {
      own_low = least_of(least[i], own_low);
      own_high = most_of(most[i], own_high);
   }
   *low = own_low;
   *high = own_high;
}

void
WIDE(tile_range16)(const uint8_t depths[2 * AMD_TILE_PIXELS], uint32_t *low, uint32_t *high)
{
   uint16_t z[AMD_TILE_PIXELS], least = UINT16_MAX, most = 0;
   memcpy(z, depths, sizeof(z));
   for (int i = 0; i < AMD_TILE_PIXELS; i++) {
      least = MIN2(least, z[i]);
      most = MAX2(most, z[i]);
   }
   *low = least;
   *high = most;
}

void
WIDE(tile_range24)(const uint8_t depths[4 * AMD_TILE_PIXELS], uint32_t *low, uint32_t *high)
{
   uint32_t z[AMD_TILE_PIXELS], least = UINT32_MAX, most = 0;
   memcpy(z, depths, sizeof(z));
   for (int i = 0; i < AMD_TILE_PIXELS; i++) {
      least = MIN2(least, z[i] & 0xffffff);
      most = MAX2(most, z[i] & 0xffffff);
   }
   *low = least;
   *high = most;
}

static inline uint32_t
half_to_float(uint32_t half)
{
   uint32_t sign = (half & 0x8000) << 16, magnitude = half & 0x7fff;
   uint32_t small = float_bits((float)(int32_t)magnitude * 0x1p-24f);
   uint32_t bias = magnitude >= 0x7c00 ? 224u << 23 : 112u << 23;
   return sign | (magnitude < 0x400 ? small : (magnitude << 13) + bias);
}

void
WIDE(tile_halves)(const uint32_t *pairs, unsigned count, uint32_t *low, uint32_t *high)
{
   WIDE_LOOP
   for (unsigned i = 0; i < (count & ~7u); i++) {
      low[i] = half_to_float(pairs[i] & 0xffff);
      high[i] = half_to_float(pairs[i] >> 16);
   }
}

/* The product is exact, and rounded once. */
static inline uint32_t
unorm8(float value)
{
   value = value > 0.0f ? value : 0.0f;
   value = value < 1.0f ? value : 1.0f;
#ifdef __FMA__
   return float_bits(__builtin_fmaf(value, 255.0f, 12582912.0f)) & 0xff; /* 1.5 * 2^23 */
#else
   return (uint32_t)double_bits((double)value * 255.0 + MAGIC);
#endif
}

void
WIDE(tile_unorm8x4)(const uint32_t *const memory[4], unsigned count, uint32_t *texels)
{
   const uint32_t *m0 = memory[0], *m1 = memory[1], *m2 = memory[2], *m3 = memory[3];
   WIDE_LOOP
   for (unsigned i = 0; i < (count & ~7u); i++)
      texels[i] = unorm8(bits_float(m0[i])) | unorm8(bits_float(m1[i])) << 8 | unorm8(bits_float(m2[i])) << 16 |
                  unorm8(bits_float(m3[i])) << 24;
}

/* Of a half: above 1 it is as 1, and below 2^-14, of which all is 0, as that; NaN is below. 11 bits times 255 are
 * exact. */
static inline uint32_t
unorm8_of_half(uint32_t half)
{
   enum { NORMAL = 0x400, ONE = 0x3c00, INF = 0x7c00 };
   int32_t known = (int32_t)half <= INF ? (int32_t)half : 0;
   known = MAX2(MIN2(known, ONE), NORMAL);
   return float_bits(bits_float((uint32_t)known << 13) * (255.0f * 0x1p112f) + 12582912.0f) & 0xff; /* 1.5 * 2^23 */
}

void
WIDE(tile_halves_unorm8x4)(const uint32_t *low, const uint32_t *high, const uint8_t to[4], unsigned count,
                           uint32_t *texels)
{
   const unsigned to0 = to[0], to1 = to[1], to2 = to[2], to3 = to[3];
   WIDE_LOOP
   for (unsigned i = 0; i < (count & ~7u); i++)
      texels[i] = unorm8_of_half(low[i] & 0xffff) << to0 | unorm8_of_half(low[i] >> 16) << to1 |
                  unorm8_of_half(high[i] & 0xffff) << to2 | unorm8_of_half(high[i] >> 16) << to3;
}

/* sim_srgb_from_float() */
static inline uint32_t
srgb8(const struct sim_srgb_codes *codes, float value)
{
   value = value > 0x1p-13f ? value : 0x1p-13f;
   value = value < 1.0f ? value : 0x1.fffffep-1f;
   uint32_t code = codes->of_bucket[(float_bits(value) >> 16) - SIM_SRGB_FIRST_BUCKET];
   return code + (value >= codes->step[code] ? 1 : 0);
}

void
WIDE(tile_srgb8x4)(const uint32_t *const memory[4], unsigned count, uint32_t *texels)
{
   const struct sim_srgb_codes *codes = sim_srgb_codes;
   const uint32_t *m0 = memory[0], *m1 = memory[1], *m2 = memory[2], *m3 = memory[3];
   WIDE_LOOP
   for (unsigned i = 0; i < (count & ~7u); i++)
      texels[i] = srgb8(codes, bits_float(m0[i])) | srgb8(codes, bits_float(m1[i])) << 8 |
                  srgb8(codes, bits_float(m2[i])) << 16 | unorm8(bits_float(m3[i])) << 24;
}
