/* Lanes of a half, eight at a time. For files that are built twice (sim/wide.h). */
#ifndef INDIUM_AMD_SIM_EXEC_LANES_H
#define INDIUM_AMD_SIM_EXEC_LANES_H

#include <string.h>

#include "amd/sim/wave/exec_private.h"
#include "amd/sim/wave/wave_float.h"
#include "sim/wide.h"
#ifdef __F16C__
#include <immintrin.h>
#endif

static inline v8u
lanes_load(const uint32_t *from)
{
   v8u v;
   memcpy(&v, from, sizeof(v));
   return v;
}

static inline void
lanes_store(uint32_t *to, v8u v)
{
   memcpy(to, &v, sizeof(v));
}

/* To the other half of the lanes, if the kernel has that to do, too. */
static inline bool
lanes_next(struct lanes *x)
{
   const bool more = x->more;
   if (more) {
      x->a += x->step[0];
      x->b += x->step[1];
      x->c += x->step[2];
      x->d += HALF;
      x->old += HALF;
      x->more = false;
   }
   return more;
}

static inline void
lanes_broadcast(uint32_t *to, uint32_t value)
{
   for (int i = 0; i < HALF; i++)
      to[i] = value;
}

/* A VGPR in the lanes of a half. Both halves have the same of a shared one. */
static inline uint32_t *
lanes_of(struct wave_state *s, unsigned reg, unsigned half)
{
   return state_vgpr(s, reg) + (reg - AMD_VGPR0 < s->first_shared ? half * HALF : 0);
}

static inline v8u
lanes_fma(v8u a, v8u b, v8u c)
{
#ifdef __FMA__
   return (v8u)_mm256_fmadd_ps((__m256)a, (__m256)b, (__m256)c);
#else
   for (unsigned i = 0; i < 8; i++)
      c[i] = float_bits(__builtin_fmaf(bits_float(a[i]), bits_float(b[i]), bits_float(c[i])));
   return c;
#endif
}

/* Those under EXEC. */
static inline void
lanes_write(const struct wave_state *s, unsigned half, uint32_t *to, const uint32_t *from)
{
   const uint32_t *mask = s->exec_mask[half];
   WIDE_LOOP for (int i = 0; i < HALF; i++) to[i] = (int32_t)mask[i] < 0 ? from[i] : to[i];
}

/* Lanes whose source is not active read 0. Returns them. */
static inline uint32_t
lanes_drop_inactive(const struct exec_words *words, uint32_t exec, uint32_t *lanes)
{
   uint32_t dropped = 0;
   for (unsigned l = 0; l < HALF; l++) {
      bool active = exec >> ((l & 16) + words->row_source[l & 15]) & 1;
      lanes[l] = active ? lanes[l] : 0;
      dropped |= (uint32_t)!active << l;
   }
   return dropped;
}

/* DPP within rows of 16 lanes. Returns the lanes that are not written. */
static inline uint32_t
lanes_move(const struct code *c, unsigned half, uint32_t exec, const uint32_t *from, uint32_t *to)
{
   const struct exec_words *words = &c->words;
   for (unsigned row = 0; row < HALF; row += 16) {
      const v8u low = lanes_load(from + row), high = lanes_load(from + row + 8);
      for (unsigned i = 0; i < 2; i++) {
         const v8u source = lanes_load(words->row_source + 8 * i), reads = lanes_load(words->row_reads + 8 * i);
         lanes_store(to + row + 8 * i, wide_pick(low, high, source) & reads);
      }
   }
   uint32_t invalid = words->outside;
   if (!c->in.fetch_inactive && exec != UINT32_MAX)
      invalid |= lanes_drop_inactive(words, exec, to);
   return (c->in.modifier == AMD_MOD_DPP16 && !c->in.bound_ctrl ? invalid : 0) | words->masked[half];
}

/* Those of words->shuffles, where inactive lanes are read or there are none. */
static inline void
lanes_shuffle(const struct exec_words *words, const uint32_t *from, uint32_t *to)
{
   for (unsigned l = 0; l < HALF; l += 8) {
      const v8u lanes = lanes_load(from + l);
      lanes_store(to + l, wide_pick(lanes, lanes, lanes_load(words->row_source + l % 16) & 7));
   }
}

/* Those lanes of the mask that are not off. */
static inline void
lanes_write_some(uint32_t *to, const uint32_t *from, uint32_t bits)
{
   for (int i = 0; i < HALF; i++)
      to[i] = bits >> i & 1 ? from[i] : to[i];
}

/* OMOD and CLAMP of single precision. OMOD makes -0 a 0 ("RDNA 3" ISA, 7.2.3.1). */
static inline void
lanes_scale_and_clamp(const struct code *c, uint32_t mode, uint32_t *lanes)
{
   static const float scales[4] = {1, 2, 4, 0.5f};
   const unsigned omod = wave_float_omod(c->in.omod, mode, true);
   const float scale = scales[omod];
   const bool clamp = c->in.clamp;
   const uint32_t nan = mode & WAVE_DX10_CLAMP ? 0 : UINT32_MAX, zero = omod ? 0 : UINT32_MAX;
   for (int l = 0; l < HALF; l++) {
      float v = bits_float(lanes[l]);
      v *= scale; /* also by 1: denormals may count as 0 */
      v = bits_float(float_bits(v) & (v == 0 ? zero : UINT32_MAX));
      float inside = v < 0 ? 0 : v > 1 ? 1 : v;
      inside = bits_float(float_bits(inside) & (v == v ? UINT32_MAX : nan));
      lanes[l] = float_bits(clamp ? inside : v);
   }
}

typedef uint16_t v8u16 __attribute__((vector_size(16)));

/* Of half precision, in the lower 16 bits of the lanes. */
static inline v8f
lanes_from_half(v8u v)
{
   const v8u16 bits = __builtin_convertvector(v, v8u16);
#ifdef __F16C__
   return (v8f)_mm256_cvtph_ps((__m128i)bits);
#else
   v8f r;
   for (unsigned i = 0; i < 8; i++) {
      const uint16_t b = bits[i];
      _Float16 h;
      memcpy(&h, &b, 2);
      r[i] = (float)h;
   }
   return r;
#endif
}

static inline v8u
lanes_to_half(v8f v)
{
#ifdef __F16C__
   return __builtin_convertvector((v8u16)_mm256_cvtps_ph((__m256)v, _MM_FROUND_CUR_DIRECTION), v8u);
#else
   v8u r;
   for (unsigned i = 0; i < 8; i++) {
      const _Float16 h = (_Float16)v[i];
      uint16_t b;
      memcpy(&b, &h, 2);
      r[i] = b;
   }
   return r;
#endif
}

#endif
