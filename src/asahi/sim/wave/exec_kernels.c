/* What arithmetic computes: one function an operation over 32 lanes, in loops that the compiler vectorises. Built
 * twice, KERNELS names what it exports: portable and with AVX2.
 *
 * Floats of 32 bits flush denormals, of sources and results, and have one NaN (applegpu); the host's float unit is
 * set to that (exec_run.c). A result goes to single precision first, and to half precision then if its register has
 * 16 bits: twice rounded, as measured on hardware (applegpu, its change 65). Functions of F1 are those of the host in
 * double precision: nobody has published what the hardware's give.
 *
 * size: one flat list of operations */
#include <assert.h>
#include <math.h>
#include <string.h>

#include "asahi/sim/wave/exec.h"
#include "sim/texel/numeric.h"
#include "util/macros.h"

#if defined(__F16C__)
#include <immintrin.h>
#endif

#define LOOP for (int i = 0; i < LANES; i++)
#define FLOAT_NAN 0x7fc00000u
#define SMALLEST_NORMAL 0x1p-126f

/* clang-format off */

static inline float
f(uint32_t bits)
{
   float value;
   memcpy(&value, &bits, 4);
   return value;
}

static inline uint32_t
u(float value)
{
   uint32_t bits;
   memcpy(&bits, &value, 4);
   return bits;
}

/* Denormals are zeros, also where the host's float unit is not asked. */
static inline float
flushed(uint32_t bits)
{
   return f(bits & 0x7f800000 ? bits : bits & 0x80000000);
}

static void
halves_to_floats(uint32_t *x)
{
#if defined(__F16C__)
   for (int i = 0; i < LANES; i += 8) {
      __m256i v = _mm256_load_si256((const __m256i *)(const void *)(x + i));
      __m128i packed = _mm_packus_epi32(_mm256_castsi256_si128(v), _mm256_extracti128_si256(v, 1));
      _mm256_store_ps((float *)(void *)(x + i), _mm256_cvtph_ps(packed));
   }
#else
   LOOP x[i] = u(sim_half_to_float((uint16_t)x[i]));
#endif
}

static void
floats_to_halves(uint32_t *x)
{
#if defined(__F16C__)
   for (int i = 0; i < LANES; i += 8) {
      __m128i h = _mm256_cvtps_ph(_mm256_load_ps((const float *)(const void *)(x + i)), _MM_FROUND_TO_NEAREST_INT);
      _mm256_store_si256((__m256i *)(void *)(x + i), _mm256_cvtepu16_epi32(h));
   }
#else
   LOOP x[i] = sim_half_from_float(f(x[i]));
#endif
}

static const uint32_t *
fetch(const struct wave *w, const struct alu_source *s, uint32_t x[LANES])
{
   const uint32_t *r = w->state.r[s->half / 2 % REGISTERS];
   uint32_t same = s->value;
   switch ((enum load)s->load) {
   case LOAD_LANES:
      return r;
   case LOAD_WORD:
      LOOP x[i] = (r[i] & s->keep) ^ s->flip;
      return x;
   case LOAD_LOW:
      if (s->as == AS_SIGNED)
         LOOP x[i] = (uint32_t)(int32_t)(int16_t)r[i];
      else
         LOOP x[i] = r[i] & 0xffff;
      break;
   case LOAD_HIGH:
      if (s->as == AS_SIGNED)
         LOOP x[i] = (uint32_t)((int32_t)r[i] >> 16);
      else
         LOOP x[i] = r[i] >> 16;
      break;
   case LOAD_UNIFORM_WORD:
      same = exec_uniform(w, s->half) | exec_uniform(w, s->half + 1u) << 16;
      same = (same & s->keep) ^ s->flip;
      LOOP x[i] = same;
      return x;
   case LOAD_UNIFORM_HALF:
      same = exec_uniform(w, s->half);
      if (s->as == AS_SIGNED)
         same = (uint32_t)(int32_t)(int16_t)same;
      else if (s->as == AS_FLOAT)
         same = (u(sim_half_to_float((uint16_t)same)) & s->keep) ^ s->flip;
      LOOP x[i] = same;
      return x;
   case LOAD_CONST:
   case LOAD_NONE:
      LOOP x[i] = same;
      return x;
   }
   if (s->as == AS_FLOAT) {
      halves_to_floats(x);
      LOOP x[i] = (x[i] & s->keep) ^ s->flip;
   }
   return x;
}

/* Bits that are not active stay. */
static void
put(struct wave *w, const struct alu *alu, const uint32_t *x)
{
   uint32_t *r = w->state.r[alu->dst / 2];
   const uint32_t *mask = w->state.mask;
   if (alu->dst_size != 16)
      LOOP r[i] = (r[i] & ~mask[i]) | (x[i] & mask[i]);
   else if (alu->dst % 2)
      LOOP r[i] = (r[i] & ~(mask[i] << 16)) | (x[i] << 16 & mask[i]);
   else
      LOOP r[i] = (r[i] & ~(mask[i] >> 16)) | (x[i] & mask[i] >> 16);
}

static void
finish_float(const struct alu *alu, uint32_t *x)
{
   if (alu->sat)
      LOOP x[i] = f(x[i]) > 0.0f ? f(x[i]) < 1.0f ? x[i] : 0x3f800000u : 0;
   else
      LOOP x[i] = (x[i] & 0x7fffffff) > 0x7f800000 ? FLOAT_NAN : x[i];
   if (alu->dst_size == 16)
      floats_to_halves(x);
}

static inline const uint32_t *
lanes_of(const struct wave *w, const struct alu_source *s, uint32_t x[LANES])
{
   return s->load == LOAD_LANES ? w->state.r[s->half / 2] : s->load ? fetch(w, s, x) : NULL;
}

static enum step
run_alu(struct wave *w, const struct code *c)
{
   _Alignas(64) uint32_t scratch[4][LANES], out[LANES];
   const struct alu *alu = &c->alu;
   struct lanes x = {.code = c, .out = out};
   x.a = lanes_of(w, &alu->src[0], scratch[0]);
   x.b = lanes_of(w, &alu->src[1], scratch[1]);
   x.c = lanes_of(w, &alu->src[2], scratch[2]);
   x.d = lanes_of(w, &alu->src[3], scratch[3]);
   alu->kernel(&x);
   if (alu->is_float)
      finish_float(alu, out);
   put(w, alu, out);
   return STEP_NEXT;
}

/* Integers: modulo 2^32. */

static inline uint32_t shift_of(const struct lanes *x) { return x->code->in.mod.shift; }
static void iadd(const struct lanes *x) { uint32_t s = shift_of(x); LOOP x->out[i] = x->a[i] + (x->b[i] << s); }
static void isub(const struct lanes *x) { uint32_t s = shift_of(x); LOOP x->out[i] = x->a[i] - (x->b[i] << s); }
static void imul(const struct lanes *x) { LOOP x->out[i] = x->a[i] * x->b[i]; }
static void
imadd(const struct lanes *x)
{
   uint32_t s = shift_of(x);
   LOOP x->out[i] = x->a[i] * x->b[i] + (x->c[i] << s);
}
static void
imsub(const struct lanes *x)
{
   uint32_t s = shift_of(x);
   LOOP x->out[i] = x->a[i] * x->b[i] - (x->c[i] << s);
}

/* A source of 64 bits, or of fewer and extended to them, as its flag says. */
static __int128
wide_source(const struct wave *w, const struct agx_operand *o, unsigned lane)
{
   uint64_t value = exec_value(w, o, lane);
   unsigned bits = o->kind == AGX_IMM ? 64 : o->size;
   if (o->sext && bits < 64)
      return (int64_t)(value << (64 - bits)) >> (64 - bits);
   return o->sext ? (__int128)(int64_t)value : (__int128)value;
}

static __int128
saturated(__int128 value, unsigned bits, bool is_signed)
{
   __int128 one = 1, low = is_signed ? -(one << (bits - 1)) : 0, high = (one << (is_signed ? bits - 1 : bits)) - 1;
   return value < low ? low : value > high ? high : value;
}

static enum step
run_wide(struct wave *w, const struct code *c)
{
   const struct agx_inst *in = &c->in;
   bool adds = in->op == AGX_OP_IADD || in->op == AGX_OP_ISUB;
   bool minus = in->op == AGX_OP_ISUB || in->op == AGX_OP_IMSUB;
   const struct agx_operand *last = in->op == AGX_OP_IMUL ? NULL : &in->src[adds ? 1 : 2];
   bool is_signed = false, small = in->dst.size <= 32 && !in->mod.shift;
   for (unsigned i = 0; i < 3; i++) {
      is_signed |= in->src[i].sext;
      small &= in->src[i].size <= 32;
   }
   uint64_t result[LANES];
   for (unsigned l = 0; l < LANES; l++) {
      __int128 value = wide_source(w, &in->src[0], l);
      if (!adds)
         value *= wide_source(w, &in->src[1], l);
      /* Multiplied: a negative number shifted left is not defined in C. */
      __int128 more = last ? wide_source(w, last, l) * ((__int128)1 << in->mod.shift) : 0;
      value = minus ? value - more : value + more;
      result[l] = (uint64_t)(in->mod.sat && small ? saturated(value, in->dst.size, is_signed) : value);
   }
   for (unsigned l = 0; l < LANES; l++) {
      if (!(w->state.exec >> l & 1))
         continue;
      state_put(&w->state, c->alu.dst, in->dst.size, l, (uint32_t)result[l]);
      if (in->dst.size == 64)
         w->state.r[c->alu.dst / 2 + 1][l] = (uint32_t)(result[l] >> 32);
   }
   return STEP_NEXT;
}

/* Shifts and fields: of two words where the name says so. */

static inline uint32_t
mask_of(const struct lanes *x)
{
   uint32_t m = x->code->in.mod.bitmask;
   return m && m < 32 ? (1u << m) - 1 : UINT32_MAX;
}
static inline uint32_t left(uint32_t v, uint32_t by) { return by < 32 ? v << by : 0; }
static inline uint32_t right(uint32_t v, uint32_t by) { return by < 32 ? v >> by : 0; }
static inline uint64_t right64(uint64_t v, uint32_t by) { return by < 64 ? v >> by : 0; }

static void shl(const struct lanes *x) { LOOP x->out[i] = left(x->b[i], x->c[i] & 127); }
static void shr(const struct lanes *x) { LOOP x->out[i] = right(x->b[i], x->c[i] & 127); }
static void bfi(const struct lanes *x)
{
   uint32_t m = mask_of(x);
   LOOP x->out[i] = (x->a[i] & ~left(m, x->c[i] & 127)) | left(x->b[i] & m, x->c[i] & 127);
}
static void bfeil(const struct lanes *x)
{
   uint32_t m = mask_of(x);
   LOOP x->out[i] = (x->a[i] & ~m) | (right(x->b[i], x->c[i] & 127) & m);
}
static void extr(const struct lanes *x)
{
   uint32_t m = mask_of(x);
   LOOP x->out[i] = (uint32_t)right64(x->a[i] | (uint64_t)x->b[i] << 32, x->c[i] & 127) & m;
}
static void shlhi(const struct lanes *x)
{
   uint32_t m = mask_of(x);
   LOOP {
      uint32_t by = x->c[i] & 127, keep = left(m, by > 32 ? by - 32 : 0);
      uint32_t high = by < 64 ? (uint32_t)((uint64_t)x->b[i] << by >> 32) : 0;
      /* What the shift drops above 64 bits is above the result's 32, too. */
      x->out[i] = (high & keep) | (x->a[i] & ~keep);
   }
}
static void shrhi(const struct lanes *x)
{
   uint32_t m = mask_of(x);
   LOOP {
      uint32_t by = x->c[i] & 127, keep = (uint32_t)(((uint64_t)m << 32) >> (by > 32 ? 32 : by));
      x->out[i] = ((uint32_t)right64((uint64_t)x->b[i] << 32, by) & keep) | (x->a[i] & ~keep);
   }
}
/* Of a with its sign; the third source and the mask are not known to do anything. */
static void asr(const struct lanes *x)
{
   LOOP {
      uint32_t by = x->b[i] & 127;
      x->out[i] = (uint32_t)((int32_t)x->a[i] >> (by < 31 ? by : 31));
   }
}
static void asrh(const struct lanes *x)
{
   LOOP {
      uint32_t by = x->b[i] & 127;
      x->out[i] = (uint32_t)((int64_t)((uint64_t)x->a[i] << 32) >> (by < 63 ? by : 63));
   }
}

#define BITOP(name, expression)                                                                                      \
   static void name(const struct lanes *x)                                                                           \
   {                                                                                                                 \
      LOOP {                                                                                                         \
         uint32_t a = x->a[i], b = x->b[i];                                                                          \
         x->out[i] = expression;                                                                                     \
      }                                                                                                              \
   }
static void mov(const struct lanes *x) { LOOP x->out[i] = x->a[i]; }
static void not_(const struct lanes *x) { LOOP x->out[i] = ~x->a[i]; }
static void zero(const struct lanes *x) { LOOP x->out[i] = 0; }
static void one(const struct lanes *x) { LOOP x->out[i] = UINT32_MAX; }
BITOP(and_, a & b)
BITOP(andn1, ~a & b)
BITOP(andn2, a & ~b)
BITOP(xor_, a ^ b)
BITOP(or_, a | b)
BITOP(nor, ~(a | b))
BITOP(xnor, ~(a ^ b))
BITOP(orn1, ~a | b)
BITOP(orn2, a | ~b)
BITOP(nand, ~(a & b))

static inline uint32_t
reversed(uint32_t v)
{
   v = (v >> 1 & 0x55555555) | (v & 0x55555555) << 1;
   v = (v >> 2 & 0x33333333) | (v & 0x33333333) << 2;
   v = (v >> 4 & 0x0f0f0f0f) | (v & 0x0f0f0f0f) << 4;
   return __builtin_bswap32(v);
}
static void bitrev(const struct lanes *x) { LOOP x->out[i] = reversed(x->a[i]); }
static void popcnt(const struct lanes *x) { LOOP x->out[i] = (uint32_t)__builtin_popcount(x->a[i]); }
static void ffs_(const struct lanes *x)
{
   LOOP x->out[i] = x->a[i] ? 31u - (uint32_t)__builtin_clz(x->a[i]) : UINT32_MAX;
}

static inline uint32_t
spread(uint32_t v)
{
   v = (v | v << 8) & 0x00ff00ff;
   v = (v | v << 4) & 0x0f0f0f0f;
   v = (v | v << 2) & 0x33333333;
   return (v | v << 1) & 0x55555555;
}
static void intl(const struct lanes *x) { LOOP x->out[i] = spread(x->a[i] & 0xffff) | spread(x->b[i] & 0xffff) << 1; }

/* Floats. */

static void fadd_(const struct lanes *x) { LOOP x->out[i] = u(f(x->a[i]) + f(x->b[i])); }
static void fmul_(const struct lanes *x) { LOOP x->out[i] = u(f(x->a[i]) * f(x->b[i])); }
#if defined(__FMA__)
static void ffma_(const struct lanes *x) { LOOP x->out[i] = u(__builtin_fmaf(f(x->a[i]), f(x->b[i]), f(x->c[i]))); }
#else
static void
ffma_(const struct lanes *x)
{
   LOOP x->out[i] = u(fmaf(flushed(x->a[i]), flushed(x->b[i]), flushed(x->c[i])));
}
#endif

/* a * b + c of halves as a float that rounds to the right half: exact but for its last bit, which is set if anything
 * is missing ("round to odd"). */
static inline uint32_t
odd_fma(float fa, float fb, float fc)
{
   double p = (double)fa * (double)fb, c = (double)fc, s = p + c; /* the product is exact */
   double back = s - p, missing = (p - (s - back)) + (c - back);
   uint64_t bits = double_bits(s);
   if (missing != 0 && s - s == 0 && !(bits & 1))
      bits += (missing > 0) == (s > 0) ? 1 : UINT64_MAX;
   /* The float's exponents reach further than those of any such sum. */
   double odd = bits_double(bits & ~UINT64_C(0x1fffffff));
   return u((float)odd) | ((bits & 0x1fffffff) != 0);
}
static void
hfma(const struct lanes *x)
{
   LOOP {
      float sum = f(x->a[i]) * f(x->b[i]) + f(x->c[i]);
      x->out[i] = sum - sum == 0 && sum != 0 ? odd_fma(f(x->a[i]), f(x->b[i]), f(x->c[i])) : u(sum);
   }
}

static void floor_(const struct lanes *x) { LOOP x->out[i] = u(floorf(flushed(x->a[i]))); }
static void ceil_(const struct lanes *x) { LOOP x->out[i] = u(ceilf(flushed(x->a[i]))); }
static void trunc_(const struct lanes *x) { LOOP x->out[i] = u(truncf(flushed(x->a[i]))); }
static void rint_(const struct lanes *x) { LOOP x->out[i] = u(rintf(flushed(x->a[i]))); }

/* A result in double precision, with denormals flushed. */
static inline uint32_t
narrow(double value)
{
   float n = (float)value;
   return fabsf(n) < SMALLEST_NORMAL ? u(copysignf(0, n)) : u(n);
}

static void rcp(const struct lanes *x) { LOOP x->out[i] = narrow(1.0 / (double)flushed(x->a[i])); }
static void rsqrt(const struct lanes *x) { LOOP x->out[i] = narrow(1.0 / sqrt((double)flushed(x->a[i]))); }
/* For square roots, x * rsqrts(x): finite where that would be 0 * inf or inf * 0 (assumed: 0 of 0, 1 of inf). */
static void
rsqrts(const struct lanes *x)
{
   LOOP {
      float v = flushed(x->a[i]);
      x->out[i] = v == 0 ? 0 : v == INFINITY ? u(1.0f) : narrow(1.0 / sqrt((double)v));
   }
}
static void log2_(const struct lanes *x) { LOOP x->out[i] = narrow(log2((double)flushed(x->a[i]))); }
static void exp2_(const struct lanes *x) { LOOP x->out[i] = narrow(exp2((double)flushed(x->a[i]))); }

/* sin is sinr(q) * sinc(sinr(q)), q in quarters of a turn, 0 to 4. What goes between them is not known; here it is
 * the angle, in quarters, folded into -1 to 1. */
static void
sinr(const struct lanes *x)
{
   LOOP {
      float q = flushed(x->a[i]);
      q -= 4 * floorf(q * 0.25f);
      x->out[i] = u(q < 1 ? q : q < 3 ? 2 - q : q - 4);
   }
}
static void
sinc(const struct lanes *x)
{
   const double half_pi = 1.57079632679489661923;
   LOOP {
      double v = (double)flushed(x->a[i]);
      x->out[i] = narrow(v == 0 ? half_pi : sin(v * half_pi) / v);
   }
}

static void dfdx(const struct lanes *x) { LOOP x->out[i] = u(f(x->a[i | 1]) - f(x->a[i & ~1])); }
static void dfdy(const struct lanes *x) { LOOP x->out[i] = u(f(x->a[i | 2]) - f(x->a[i & ~2])); }

/* Numbers of bits 16 or 32 from floats and back. Floats that do not fit give the nearest that does, NaN gives 0. */

static void
f_to_i(const struct lanes *x, double low, double high)
{
   bool even = x->code->in.mod.round == AGX_ROUND_RTE;
   LOOP {
      double v = (double)flushed(x->a[i]);
      v = even ? nearbyint(v) : trunc(v);
      v = v > low ? v : low; /* NaN becomes the lower end, too */
      v = v < high ? v : high;
      x->out[i] = f(x->a[i]) != f(x->a[i]) ? 0 : (uint32_t)(int64_t)v;
   }
}
static void f_to_u16(const struct lanes *x) { f_to_i(x, 0, UINT16_MAX); }
static void f_to_s16(const struct lanes *x) { f_to_i(x, INT16_MIN, INT16_MAX); }
static void f_to_u32(const struct lanes *x) { f_to_i(x, 0, UINT32_MAX); }
static void f_to_s32(const struct lanes *x) { f_to_i(x, INT32_MIN, INT32_MAX); }

/* An integer as the float bits of the result's size: once rounded. */
static uint32_t
i_to_f(int64_t value, bool to_zero, bool half)
{
   double exact = (double)value;
   unsigned drop = half ? 42 : 29; /* bits of the double that the result lacks */
   if (to_zero)
      exact = bits_double(double_bits(exact) & ~bit_mask(drop));
   if (!half)
      return u((float)exact);
   if (to_zero)
      exact = exact > 65504 ? 65504 : exact < -65504 ? -65504 : exact;
   else if (double_bits(exact) & 0x1fffffff) /* odd in single precision, then rounded */
      exact = bits_double((double_bits(exact) & ~UINT64_C(0x1fffffff)) | 0x20000000);
   return sim_half_from_float((float)exact);
}
static inline bool to_zero(const struct lanes *x) { return x->code->in.mod.round == AGX_ROUND_RTZ; }
static inline bool to_half(const struct lanes *x) { return x->code->alu.dst_size == 16; }
#define I_TO_F(name, type)                                                                                           \
   static void name(const struct lanes *x)                                                                           \
   {                                                                                                                 \
      bool zero = to_zero(x), half = to_half(x);                                                                     \
      LOOP x->out[i] = i_to_f((type)x->a[i], zero, half);                                                            \
   }
I_TO_F(u8_to_f, uint8_t)
I_TO_F(s8_to_f, int8_t)
I_TO_F(u16_to_f, uint16_t)
I_TO_F(s16_to_f, int16_t)
I_TO_F(u32_to_f, uint32_t)
I_TO_F(s32_to_f, int32_t)

/* Comparisons: a mask of all bits where they hold. */

#define WHERE(expression)                                                                                            \
   LOOP {                                                                                                            \
      uint32_t a = a_[i], b = b_[i];                                                                                 \
      out[i] = (expression) ? UINT32_MAX : 0;                                                                        \
   }
#define SIGNED(condition) (int32_t)a condition (int32_t)b

static void
compare_int(const uint32_t *a_, const uint32_t *b_, unsigned condition, uint32_t *out)
{
   switch ((enum agx_icond)condition) {
   case AGX_ICOND_IEQ: case AGX_ICOND_SEQ: WHERE(a == b) break;
   case AGX_ICOND_ULT: WHERE(a < b) break;
   case AGX_ICOND_UGT: WHERE(a > b) break;
   case AGX_ICOND_SLT: WHERE(SIGNED(<)) break;
   case AGX_ICOND_SGT: WHERE(SIGNED(>)) break;
   case AGX_ICOND_INE: case AGX_ICOND_NSEQ: WHERE(a != b) break;
   case AGX_ICOND_UGTE: WHERE(a >= b) break;
   case AGX_ICOND_ULTE: WHERE(a <= b) break;
   case AGX_ICOND_SGTE: WHERE(SIGNED(>=)) break;
   case AGX_ICOND_SLTE: WHERE(SIGNED(<=)) break;
   }
}

static void
compare_float(const uint32_t *a_, const uint32_t *b_, unsigned condition, uint32_t *out)
{
   /* The names of ...n: of two numbers of which one is NaN the other one wins. */
   switch ((enum agx_fcond)condition) {
   case AGX_FCOND_FEQ: WHERE(f(a) == f(b)) break;
   case AGX_FCOND_FLT: WHERE(f(a) < f(b)) break;
   case AGX_FCOND_FGT: WHERE(f(a) > f(b)) break;
   case AGX_FCOND_FLTN: WHERE(f(a) < f(b) || f(b) != f(b)) break;
   case AGX_FCOND_FGTE: WHERE(f(a) >= f(b)) break;
   case AGX_FCOND_FLTE: WHERE(f(a) <= f(b)) break;
   case AGX_FCOND_FGTN: WHERE(f(a) > f(b) || f(b) != f(b)) break;
   case AGX_FCOND_FNEQ: WHERE(!(f(a) == f(b))) break;
   case AGX_FCOND_FNLT: WHERE(!(f(a) < f(b))) break;
   case AGX_FCOND_FNGT: WHERE(!(f(a) > f(b))) break;
   case AGX_FCOND_FNLTN: WHERE(!(f(a) < f(b) || f(b) != f(b))) break;
   case AGX_FCOND_FNGTE: WHERE(!(f(a) >= f(b))) break;
   case AGX_FCOND_FNLTE: WHERE(!(f(a) <= f(b))) break;
   case AGX_FCOND_FNGTN: WHERE(!(f(a) > f(b) || f(b) != f(b))) break;
   }
}

static uint32_t
compare(const uint32_t *a, const uint32_t *b, unsigned condition, bool is_float)
{
   _Alignas(64) uint32_t out[LANES];
   (is_float ? compare_float : compare_int)(a, b, condition, out);
   uint32_t lanes = 0;
   LOOP lanes |= out[i] & 1u << i;
   return lanes;
}

/* v: a lane's counter. */
#define COUNTERS(expression)                                                                                         \
   LOOP {                                                                                                            \
      uint32_t v = r0[i] & 0xffff, yes = holds >> i & 1;                                                             \
      (void)yes;                                                                                                     \
      r0[i] = (r0[i] & 0xffff0000) | ((expression) & 0xffff);                                                        \
   }

static uint32_t
nest(uint32_t *r0, enum agx_op op, uint32_t n, uint32_t holds)
{
   uint32_t lanes = 0;
   switch ((unsigned)op) {
   case AGX_OP_IF_ICMP:
   case AGX_OP_IF_FCMP:
      COUNTERS(v ? v + n : !yes)
      break;
   case AGX_OP_ELSE_ICMP:
   case AGX_OP_ELSE_FCMP:
      COUNTERS(v == 0 ? n : v == 1 ? !yes : v)
      break;
   case AGX_OP_WHILE_ICMP:
   case AGX_OP_WHILE_FCMP:
      COUNTERS(v < n ? (yes ? 0 : n) : v)
      break;
   case AGX_OP_POP_EXEC:
      COUNTERS(v > n ? v - n : 0)
      break;
   case AGX_OP_UPDATE_EXEC: /* looks at them and no more */
      break;
   default: /* others: do not nest */
      assert(!"an instruction that counts how deep threads are nested");
   }
   LOOP lanes |= (r0[i] & 0xffff ? 0u : 1u) << i;
   return lanes;
}

static void
icsel(const struct lanes *x)
{
   _Alignas(64) uint32_t where[LANES];
   compare_int(x->a, x->b, x->code->in.mod.icond, where);
   LOOP x->out[i] = (x->c[i] & where[i]) | (x->d[i] & ~where[i]);
}

static void
fcsel(const struct lanes *x)
{
   _Alignas(64) uint32_t where[LANES];
   compare_float(x->a, x->b, x->code->in.mod.fcond, where);
   LOOP x->out[i] = (x->c[i] & where[i]) | (x->d[i] & ~where[i]);
}

static const kernel_fn kernels[AGX_OP_COUNT] = {
   [AGX_OP_LDIMM16] = mov, [AGX_OP_LDIMM32] = mov,
   [AGX_OP_IADD] = iadd, [AGX_OP_ISUB] = isub, [AGX_OP_IMUL] = imul, [AGX_OP_IMADD] = imadd, [AGX_OP_IMSUB] = imsub,
   [AGX_OP_U8_TO_F] = u8_to_f, [AGX_OP_S8_TO_F] = s8_to_f, [AGX_OP_F_TO_U16] = f_to_u16, [AGX_OP_F_TO_S16] = f_to_s16,
   [AGX_OP_U16_TO_F] = u16_to_f, [AGX_OP_S16_TO_F] = s16_to_f, [AGX_OP_F_TO_U32] = f_to_u32,
   [AGX_OP_F_TO_S32] = f_to_s32,
   [AGX_OP_U32_TO_F] = u32_to_f, [AGX_OP_S32_TO_F] = s32_to_f,
   [AGX_OP_SHL] = shl, [AGX_OP_SHR] = shr, [AGX_OP_BFI] = bfi, [AGX_OP_BFEIL] = bfeil, [AGX_OP_EXTR] = extr,
   [AGX_OP_SHLHI] = shlhi, [AGX_OP_SHRHI] = shrhi, [AGX_OP_ASR] = asr, [AGX_OP_ASRH] = asrh,
   [AGX_OP_FFMA] = ffma_, [AGX_OP_HFMA] = hfma, [AGX_OP_FADD] = fadd_, [AGX_OP_FMUL] = fmul_,
   [AGX_OP_HADD] = fadd_, [AGX_OP_HMUL] = fmul_,
   [AGX_OP_MOV] = mov, [AGX_OP_NOT] = not_, [AGX_OP_ZERO] = zero,
   [AGX_OP_AND] = and_, [AGX_OP_ANDN1] = andn1, [AGX_OP_ANDN2] = andn2, [AGX_OP_XOR] = xor_, [AGX_OP_OR] = or_,
   [AGX_OP_NOR] = nor, [AGX_OP_XNOR] = xnor, [AGX_OP_ORN1] = orn1, [AGX_OP_ORN2] = orn2, [AGX_OP_NAND] = nand,
   [AGX_OP_ONE] = one,
   [AGX_OP_BITREV] = bitrev, [AGX_OP_POPCNT] = popcnt, [AGX_OP_FFS] = ffs_, [AGX_OP_INTL] = intl,
   [AGX_OP_FLOOR] = floor_, [AGX_OP_RSQRTS] = rsqrts, [AGX_OP_DFDX] = dfdx, [AGX_OP_DFDY] = dfdy, [AGX_OP_RCP] = rcp,
   [AGX_OP_RSQRT] = rsqrt, [AGX_OP_SINR] = sinr, [AGX_OP_LOG2] = log2_, [AGX_OP_EXP2] = exp2_, [AGX_OP_SINC] = sinc,
   [AGX_OP_CEIL] = ceil_, [AGX_OP_TRUNC] = trunc_, [AGX_OP_RINT] = rint_,
   [AGX_OP_ICSEL] = icsel, [AGX_OP_FCSEL] = fcsel,
};

static kernel_fn find(enum agx_op op) { return kernels[op]; }

const struct exec_kernels KERNELS = {
   .find = find, .run = run_alu, .run_wide = run_wide, .fetch = fetch, .compare = compare, .nest = nest};
