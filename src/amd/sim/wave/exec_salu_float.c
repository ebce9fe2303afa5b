/* The scalar unit's floats of GFX11.5. MODE rounds and flushes them as it does those of the vector unit. */
#include <math.h>
#include <string.h>

#include "amd/sim/wave/exec_private.h"
#include "amd/sim/wave/wave_float.h"

static float
half_value(uint64_t bits)
{
   uint16_t b = (uint16_t)bits;
   _Float16 v;
   memcpy(&v, &b, sizeof(v));
   return (float)v;
}

static uint32_t
half_of(float v)
{
   _Float16 n = (_Float16)v;
   uint16_t b;
   memcpy(&b, &n, sizeof(b));
   return b;
}

static float
half_source(const struct wave *w, uint32_t bits)
{
   return half_value(wave_float_flushed(w->state.mode) & WAVE_FLUSH_SOURCES ? wave_flush_halves(bits) : bits);
}

static uint32_t
flush_result(const struct wave *w, uint32_t bits)
{
   return wave_float_flushed(w->state.mode) & WAVE_FLUSH_RESULTS ? wave_flush_halves(bits) : bits;
}

static uint32_t
half_result(const struct wave *w, float v)
{
   return flush_result(w, half_of(v));
}

/* Towards zero: what nearest rounds up steps back. */
static uint32_t
half_towards_zero(float v)
{
   uint32_t n = half_of(v);
   bool away = fabsf(half_value(n)) > fabsf(v) && v == v;
   return away ? n - 1 : n;
}

/* A number wins over NaN, -0 is below +0. */
static float
least(float a, float b)
{
   return a != a ? b : b != b ? a : a < b || (a == b && signbit(a)) ? a : b;
}

static float
greatest(float a, float b)
{
   return a != a ? b : b != b ? a : a > b || (a == b && !signbit(a)) ? a : b;
}

static double
saturate(double v, double low, double high)
{
   return v != v ? 0 : v < low ? low : v > high ? high : v;
}

static float
compute(unsigned op, float a, float b, float c)
{
   const float one = wave_float_one();
   a = wave_float_source(a);
   switch ((int)op) {
   case AMD_OP_s_add_f32:
   case AMD_OP_s_add_f16:
      return a + b;
   case AMD_OP_s_sub_f32:
   case AMD_OP_s_sub_f16:
      return a - b;
   case AMD_OP_s_mul_f32:
   case AMD_OP_s_mul_f16:
      return a * b;
   case AMD_OP_s_min_f32:
   case AMD_OP_s_min_f16:
      return one * least(a, b);
   case AMD_OP_s_max_f32:
   case AMD_OP_s_max_f16:
      return one * greatest(a, b);
   case AMD_OP_s_ceil_f32:
   case AMD_OP_s_ceil_f16:
      return ceilf(a);
   case AMD_OP_s_floor_f32:
   case AMD_OP_s_floor_f16:
      return floorf(a);
   case AMD_OP_s_trunc_f32:
   case AMD_OP_s_trunc_f16:
      return truncf(a);
   case AMD_OP_s_rndne_f32:
   case AMD_OP_s_rndne_f16:
      return (float)__builtin_roundeven((double)a);
   default: /* others: s_fmac, s_fmaak and s_fmamk multiply and add */
      return fmaf(a, b, c);
   }
}

static enum step
run_arithmetic(struct wave *w, const struct code *c)
{
   bool half = c->info->dst.type == AMD_TYPE_F16;
   uint32_t sources[3];
   float v[3];
   for (unsigned i = 0; i < 3; i++) {
      bool adds = i == 2 && c->info->flags & AMD_FLAG_READS_DST;
      sources[i] = adds ? w->state.sgpr[c->in.dst] : i < c->info->src_count ? (uint32_t)exec_scalar(w, c, i) : 0;
      v[i] = half ? half_source(w, sources[i]) : bits_float(sources[i]);
   }
   if (half)
      wave_float_mode(wave_float_other_mode(w->state.mode));
   float r = compute(c->in.op, v[0], v[1], v[2]);
   state_write(&w->state, c->in.dst, half ? half_result(w, r) : float_bits(r));
   if (half)
      wave_float_mode(w->state.mode);
   return STEP_NEXT;
}

static enum step
run_conversion(struct wave *w, const struct code *c)
{
   uint32_t a = (uint32_t)exec_scalar(w, c, 0), r = 0;
   switch ((int)c->in.op) {
   case AMD_OP_s_cvt_f32_i32:
      r = float_bits((float)(int32_t)a);
      break;
   case AMD_OP_s_cvt_f32_u32:
      r = float_bits((float)a);
      break;
   case AMD_OP_s_cvt_i32_f32:
      r = (uint32_t)(int32_t)saturate(trunc((double)bits_float(a)), -2147483648.0, 2147483647.0);
      break;
   case AMD_OP_s_cvt_u32_f32:
      r = (uint32_t)saturate(trunc((double)bits_float(a)), 0, 4294967295.0);
      break;
   case AMD_OP_s_cvt_f16_f32:
      wave_float_mode(wave_float_other_mode(w->state.mode));
      r = half_result(w, bits_float(a));
      wave_float_mode(w->state.mode);
      break;
   case AMD_OP_s_cvt_f32_f16:
      r = float_bits(half_source(w, a));
      break;
   case AMD_OP_s_cvt_hi_f32_f16:
      r = float_bits(half_source(w, a >> 16));
      break;
   default: /* others: s_cvt_pk_rtz_f16_f32 */
      r = half_towards_zero(bits_float(a)) | half_towards_zero(bits_float((uint32_t)exec_scalar(w, c, 1))) << 16;
      r = flush_result(w, r);
   }
   state_write(&w->state, c->in.dst, r);
   return STEP_NEXT;
}

/* In the order of the rows: lt eq le gt lg ge o u, and what is not so. */
static enum step
run_comparison(struct wave *w, const struct code *c)
{
   bool half = c->in.op >= AMD_OP_s_cmp_lt_f16;
   unsigned kind = c->in.op - (half ? AMD_OP_s_cmp_lt_f16 : AMD_OP_s_cmp_lt_f32);
   uint32_t x = (uint32_t)exec_scalar(w, c, 0), y = (uint32_t)exec_scalar(w, c, 1);
   float a = half ? half_source(w, x) : bits_float(x), b = half ? half_source(w, y) : bits_float(y);
   const bool lt = a < b, eq = a == b, gt = a > b, u = a != a || b != b;
   const bool results[] = {lt, eq,          lt || eq,    gt,  lt || gt,    gt || eq, !u,
                           u,  !(gt || eq), !(lt || gt), !gt, !(lt || eq), !eq,      !lt};
   w->state.scc = results[kind];
   return STEP_NEXT;
}

bool
exec_salu_float_bind(struct code *c)
{
   unsigned op = c->in.op;
   if (op < AMD_OP_s_ceil_f32 || op > AMD_OP_s_cmp_nlt_f16)
      return false;
   bool converts = (op >= AMD_OP_s_cvt_f32_i32 && op <= AMD_OP_s_cvt_hi_f32_f16) || op == AMD_OP_s_cvt_pk_rtz_f16_f32;
   c->run = op >= AMD_OP_s_cmp_lt_f32 ? run_comparison : converts ? run_conversion : run_arithmetic;
   return true;
}
