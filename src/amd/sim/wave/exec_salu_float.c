/* The scalar unit's floats of GFX11.5. MODE rounds and flushes them as it does those of the vector unit. */
#include <math.h>
#include <string.h>

#include "amd/sim/wave/exec_salu_private.h"
#include "amd/sim/wave/wave_float.h"
#include "util/macros.h"

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

/* Inlined into each operation. compute: of the sources, which are not moved across changes of MODE. */
static inline enum step
arithmetic(struct wave *w, const struct code *c, float (*compute)(float a, float b, float c))
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
   float r = compute(wave_float_source(v[0]), v[1], v[2]);
   state_write(&w->state, c->in.dst, half ? half_result(w, r) : float_bits(r));
   if (half)
      wave_float_mode(w->state.mode);
   return STEP_NEXT;
}

static float
add_of(float a, float b, float c)
{
   return a + b;
}

static enum step
s_add(struct wave *w, const struct code *c)
{
   return arithmetic(w, c, add_of);
}

static float
sub_of(float a, float b, float c)
{
   return a - b;
}

static enum step
s_sub(struct wave *w, const struct code *c)
{
   return arithmetic(w, c, sub_of);
}

static float
mul_of(float a, float b, float c)
{
   return a * b;
}

static enum step
s_mul(struct wave *w, const struct code *c)
{
   return arithmetic(w, c, mul_of);
}

static float
min_of(float a, float b, float c)
{
   return wave_float_one() * least(a, b);
}

static enum step
s_min(struct wave *w, const struct code *c)
{
   return arithmetic(w, c, min_of);
}

static float
max_of(float a, float b, float c)
{
   return wave_float_one() * greatest(a, b);
}

static enum step
s_max(struct wave *w, const struct code *c)
{
   return arithmetic(w, c, max_of);
}

static float
ceil_of(float a, float b, float c)
{
   return ceilf(a);
}

static enum step
s_ceil(struct wave *w, const struct code *c)
{
   return arithmetic(w, c, ceil_of);
}

static float
floor_of(float a, float b, float c)
{
   return floorf(a);
}

static enum step
s_floor(struct wave *w, const struct code *c)
{
   return arithmetic(w, c, floor_of);
}

static float
trunc_of(float a, float b, float c)
{
   return truncf(a);
}

static enum step
s_trunc(struct wave *w, const struct code *c)
{
   return arithmetic(w, c, trunc_of);
}

static float
rndne_of(float a, float b, float c)
{
   return (float)__builtin_roundeven((double)a);
}

static enum step
s_rndne(struct wave *w, const struct code *c)
{
   return arithmetic(w, c, rndne_of);
}

static float
fma_of(float a, float b, float c)
{
   return fmaf(a, b, c);
}

static enum step
s_fma(struct wave *w, const struct code *c)
{
   return arithmetic(w, c, fma_of);
}

static enum step
s_cvt_f32_i32(struct wave *w, const struct code *c)
{
   return scalar_write(w, c, float_bits((float)(int32_t)scalar_low(w, c, 0)));
}

static enum step
s_cvt_f32_u32(struct wave *w, const struct code *c)
{
   return scalar_write(w, c, float_bits((float)scalar_low(w, c, 0)));
}

static enum step
s_cvt_i32_f32(struct wave *w, const struct code *c)
{
   double v = trunc((double)bits_float(scalar_low(w, c, 0)));
   return scalar_write(w, c, (uint32_t)(int32_t)saturate(v, -2147483648.0, 2147483647.0));
}

static enum step
s_cvt_u32_f32(struct wave *w, const struct code *c)
{
   double v = trunc((double)bits_float(scalar_low(w, c, 0)));
   return scalar_write(w, c, (uint32_t)saturate(v, 0, 4294967295.0));
}

static enum step
s_cvt_f16_f32(struct wave *w, const struct code *c)
{
   uint32_t a = scalar_low(w, c, 0);
   wave_float_mode(wave_float_other_mode(w->state.mode));
   uint32_t r = half_result(w, bits_float(a));
   wave_float_mode(w->state.mode);
   return scalar_write(w, c, r);
}

static enum step
s_cvt_f32_f16(struct wave *w, const struct code *c)
{
   return scalar_write(w, c, float_bits(half_source(w, scalar_low(w, c, 0))));
}

static enum step
s_cvt_hi_f32_f16(struct wave *w, const struct code *c)
{
   return scalar_write(w, c, float_bits(half_source(w, scalar_low(w, c, 0) >> 16)));
}

static enum step
s_cvt_pk_rtz_f16_f32(struct wave *w, const struct code *c)
{
   float low = bits_float(scalar_low(w, c, 0)), high = bits_float(scalar_low(w, c, 1));
   return scalar_write(w, c, flush_result(w, half_towards_zero(low) | half_towards_zero(high) << 16));
}

/* In the order of the rows: lt eq le gt lg ge o u, and what is not so. */
static enum step
s_cmp_float(struct wave *w, const struct code *c)
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

static const scalar_fn handlers[] = {
   [AMD_OP_s_add_f32] = s_add,
   [AMD_OP_s_add_f16] = s_add,
   [AMD_OP_s_sub_f32] = s_sub,
   [AMD_OP_s_sub_f16] = s_sub,
   [AMD_OP_s_mul_f32] = s_mul,
   [AMD_OP_s_mul_f16] = s_mul,
   [AMD_OP_s_min_f32] = s_min,
   [AMD_OP_s_min_f16] = s_min,
   [AMD_OP_s_max_f32] = s_max,
   [AMD_OP_s_max_f16] = s_max,
   [AMD_OP_s_ceil_f32] = s_ceil,
   [AMD_OP_s_ceil_f16] = s_ceil,
   [AMD_OP_s_floor_f32] = s_floor,
   [AMD_OP_s_floor_f16] = s_floor,
   [AMD_OP_s_trunc_f32] = s_trunc,
   [AMD_OP_s_trunc_f16] = s_trunc,
   [AMD_OP_s_rndne_f32] = s_rndne,
   [AMD_OP_s_rndne_f16] = s_rndne,
   [AMD_OP_s_fmac_f32] = s_fma,
   [AMD_OP_s_fmac_f16] = s_fma,
   [AMD_OP_s_fmaak_f32] = s_fma,
   [AMD_OP_s_fmamk_f32] = s_fma,
   [AMD_OP_s_cvt_f32_i32] = s_cvt_f32_i32,
   [AMD_OP_s_cvt_f32_u32] = s_cvt_f32_u32,
   [AMD_OP_s_cvt_i32_f32] = s_cvt_i32_f32,
   [AMD_OP_s_cvt_u32_f32] = s_cvt_u32_f32,
   [AMD_OP_s_cvt_f16_f32] = s_cvt_f16_f32,
   [AMD_OP_s_cvt_f32_f16] = s_cvt_f32_f16,
   [AMD_OP_s_cvt_hi_f32_f16] = s_cvt_hi_f32_f16,
   [AMD_OP_s_cvt_pk_rtz_f16_f32] = s_cvt_pk_rtz_f16_f32,
   [AMD_OP_s_cmp_lt_f32] = s_cmp_float,
   [AMD_OP_s_cmp_eq_f32] = s_cmp_float,
   [AMD_OP_s_cmp_le_f32] = s_cmp_float,
   [AMD_OP_s_cmp_gt_f32] = s_cmp_float,
   [AMD_OP_s_cmp_lg_f32] = s_cmp_float,
   [AMD_OP_s_cmp_ge_f32] = s_cmp_float,
   [AMD_OP_s_cmp_o_f32] = s_cmp_float,
   [AMD_OP_s_cmp_u_f32] = s_cmp_float,
   [AMD_OP_s_cmp_nge_f32] = s_cmp_float,
   [AMD_OP_s_cmp_nlg_f32] = s_cmp_float,
   [AMD_OP_s_cmp_ngt_f32] = s_cmp_float,
   [AMD_OP_s_cmp_nle_f32] = s_cmp_float,
   [AMD_OP_s_cmp_neq_f32] = s_cmp_float,
   [AMD_OP_s_cmp_nlt_f32] = s_cmp_float,
   [AMD_OP_s_cmp_lt_f16] = s_cmp_float,
   [AMD_OP_s_cmp_eq_f16] = s_cmp_float,
   [AMD_OP_s_cmp_le_f16] = s_cmp_float,
   [AMD_OP_s_cmp_gt_f16] = s_cmp_float,
   [AMD_OP_s_cmp_lg_f16] = s_cmp_float,
   [AMD_OP_s_cmp_ge_f16] = s_cmp_float,
   [AMD_OP_s_cmp_o_f16] = s_cmp_float,
   [AMD_OP_s_cmp_u_f16] = s_cmp_float,
   [AMD_OP_s_cmp_nge_f16] = s_cmp_float,
   [AMD_OP_s_cmp_nlg_f16] = s_cmp_float,
   [AMD_OP_s_cmp_ngt_f16] = s_cmp_float,
   [AMD_OP_s_cmp_nle_f16] = s_cmp_float,
   [AMD_OP_s_cmp_neq_f16] = s_cmp_float,
   [AMD_OP_s_cmp_nlt_f16] = s_cmp_float,
};

bool
exec_salu_float_bind(struct code *c)
{
   return scalar_bind(c, handlers, ARRAY_SIZE(handlers));
}
