/* Vector instructions on a strip of eight lanes. They compute the bytes that the kernels (exec_kernels.c) compute,
 * with the same instructions of the host where these round. */
#include <float.h>

#include "amd/sim/wave/jit_private.h"
#include "amd/sim/wave/wave_float.h"

enum { ROUND_EVEN = 8, ROUND_DOWN = 9, ROUND_UP = 10, ROUND_ZERO = 11 };
enum { SIGN = INT32_MIN, SIZE = INT32_MAX };
static const uint32_t ONE = 0x3f800000, TWO_TO_31 = 0x4f000000, TWO_TO_32 = 0x4f800000, TWO_TO_16 = 0x47800000,
                      SMALLEST_NORMAL = 0x00800000, ALL = UINT32_MAX;

struct row;
typedef unsigned (*emit_fn)(struct jit_builder *b, const struct code *c, const struct row *row);

/* How an operation is emitted; returns the register of the result. */
struct row {
   emit_fn emit;
   enum x86_vector op;
   uint32_t number;
};

/* ---- pieces ---- */

static unsigned
two(struct jit_builder *b, enum x86_vector op, unsigned first, struct x86_operand last)
{
   const unsigned to = jit_temp(b);
   x86_vector(&b->x86, op, to, first, last);
   return to;
}

static unsigned
one(struct jit_builder *b, enum x86_vector op, unsigned from)
{
   return two(b, op, 0, x86_reg(from));
}

static unsigned
with_number(struct jit_builder *b, enum x86_vector op, unsigned first, uint32_t number)
{
   return two(b, op, first, x86_constant(&b->x86, number));
}

static unsigned
shift(struct jit_builder *b, enum x86_shift by, unsigned from, unsigned bits)
{
   const unsigned to = jit_temp(b);
   x86_vector_shift(&b->x86, X86_PSHIFTD, by, to, from, (uint8_t)bits);
   return to;
}

static unsigned
compare(struct jit_builder *b, unsigned first, struct x86_operand last, enum x86_compare how)
{
   const unsigned to = jit_temp(b);
   x86_vector_byte(&b->x86, X86_CMPPS, to, first, last, (uint8_t)how);
   return to;
}

/* mask ? last : first, to a register that may be one of them. */
static void
select_to(struct jit_builder *b, unsigned to, unsigned first, struct x86_operand last, unsigned mask)
{
   x86_vector_byte(&b->x86, X86_BLENDVPS, to, first, last, (uint8_t)(mask << 4));
}

static unsigned
copy(struct jit_builder *b, unsigned from)
{
   return one(b, X86_MOVEPS, from);
}

/* ---- rows ---- */

static unsigned
emit_two(struct jit_builder *b, const struct code *c, const struct row *row)
{
   const unsigned first = jit_source(b, c, 0);
   return two(b, row->op, first, jit_last_source(b, c, 1));
}

static unsigned
emit_reversed(struct jit_builder *b, const struct code *c, const struct row *row)
{
   const unsigned first = jit_source(b, c, 1);
   return two(b, row->op, first, jit_last_source(b, c, 0));
}

static unsigned
emit_one(struct jit_builder *b, const struct code *c, const struct row *row)
{
   return two(b, row->op, 0, jit_last_source(b, c, 0));
}

static unsigned
emit_move(struct jit_builder *b, const struct code *c, const struct row *row)
{
   return two(b, X86_LOADPS, 0, jit_last_source(b, c, 0));
}

/* a * b + the third source, or the old result. */
static unsigned
emit_fma(struct jit_builder *b, const struct code *c, const struct row *row)
{
   const bool adds_old = c->info->src_count == 2;
   const unsigned first = jit_source(b, c, 0), third = adds_old ? jit_vgpr(b, c->in.dst) : jit_source(b, c, 2);
   const unsigned to = copy(b, third);
   x86_vector(&b->x86, X86_FMADD231PS, to, first, jit_last_source(b, c, 1));
   return to;
}

/* Minimum and maximum of exec_kernels.c: less(a, b) ? a : less(b, a) ? b : both, a number ahead of NaN. */
static unsigned
extreme(struct jit_builder *b, bool is_maximum, unsigned first, unsigned second)
{
   const unsigned to = two(b, is_maximum ? X86_ANDPS : X86_ORPS, first, x86_reg(second)), mask = jit_temp(b);
   const enum x86_compare how = is_maximum ? X86_GT : X86_LT;
   struct x86 *x = &b->x86;
   x86_vector_byte(x, X86_CMPPS, mask, second, x86_reg(first), (uint8_t)how);
   select_to(b, to, to, x86_reg(second), mask);
   x86_vector_byte(x, X86_CMPPS, mask, first, x86_reg(second), (uint8_t)how);
   select_to(b, to, to, x86_reg(first), mask);
   x86_vector_byte(x, X86_CMPPS, mask, second, x86_reg(second), X86_UNORDERED);
   select_to(b, to, to, x86_reg(first), mask);
   x86_vector_byte(x, X86_CMPPS, mask, first, x86_reg(first), X86_UNORDERED);
   select_to(b, to, to, x86_reg(second), mask);
   jit_drop(b, mask);
   return to;
}

/* Of two or three sources; number: the maximum. MODE flushes the result. */
static unsigned
emit_extreme(struct jit_builder *b, const struct code *c, const struct row *row)
{
   const unsigned first = jit_source(b, c, 0), second = jit_source(b, c, 1);
   unsigned to = extreme(b, row->number, first, second);
   if (c->info->src_count == 3)
      to = extreme(b, row->number, to, jit_source(b, c, 2));
   x86_vector(&b->x86, X86_MULPS, to, to, x86_constant(&b->x86, ONE));
   return to;
}

/* Of three numbers the one between; the minimum if one is NaN. */
static unsigned
emit_median(struct jit_builder *b, const struct code *c, const struct row *row)
{
   struct x86 *x = &b->x86;
   const unsigned first = jit_source(b, c, 0), second = jit_source(b, c, 1), third = jit_source(b, c, 2);
   const unsigned low = extreme(b, false, first, second), high = extreme(b, true, first, second);
   const unsigned least = extreme(b, false, low, third), upper = extreme(b, false, high, third);
   const unsigned to = extreme(b, true, low, upper), mask = high;
   x86_vector_byte(x, X86_CMPPS, mask, first, x86_reg(second), X86_UNORDERED);
   select_to(b, to, to, x86_reg(least), mask);
   x86_vector_byte(x, X86_CMPPS, mask, third, x86_reg(third), X86_UNORDERED);
   select_to(b, to, to, x86_reg(least), mask);
   x86_vector(x, X86_MULPS, to, to, x86_constant(x, ONE));
   return to;
}

/* The same of words; op, number: minimum and maximum. */
static unsigned
emit_median_words(struct jit_builder *b, const struct code *c, const struct row *row)
{
   struct x86 *x = &b->x86;
   const enum x86_vector maximum = (enum x86_vector)row->number;
   const unsigned first = jit_source(b, c, 0), second = jit_source(b, c, 1);
   const unsigned low = two(b, row->op, first, x86_reg(second)), high = two(b, maximum, first, x86_reg(second));
   x86_vector(x, row->op, high, high, jit_last_source(b, c, 2));
   x86_vector(x, maximum, low, low, x86_reg(high));
   return low;
}

static unsigned
emit_round(struct jit_builder *b, const struct code *c, const struct row *row)
{
   const struct x86_operand from = jit_last_source(b, c, 0);
   const unsigned to = jit_temp(b);
   x86_vector_byte(&b->x86, X86_ROUNDPS, to, 0, from, (uint8_t)row->number);
   return to;
}

/* Below 1, or NaN. */
static unsigned
emit_fract(struct jit_builder *b, const struct code *c, const struct row *row)
{
   const unsigned from = jit_source(b, c, 0), to = jit_temp(b);
   x86_vector_byte(&b->x86, X86_ROUNDPS, to, 0, x86_reg(from), ROUND_DOWN);
   x86_vector(&b->x86, X86_SUBPS, to, from, x86_reg(to));
   const unsigned mask = compare(b, to, x86_constant(&b->x86, ONE), X86_GE);
   select_to(b, to, to, x86_constant(&b->x86, 0x3f7fffff), mask);
   return to;
}

/* Denormals become zeros, whatever MODE says. */
static unsigned
flushed(struct jit_builder *b, unsigned from)
{
   const unsigned size = with_number(b, X86_ANDPS, from, (uint32_t)SIZE);
   const unsigned mask = compare(b, size, x86_constant(&b->x86, SMALLEST_NORMAL), X86_LT);
   x86_vector(&b->x86, X86_ANDPS, size, from, x86_constant(&b->x86, (uint32_t)SIGN));
   select_to(b, size, from, x86_reg(size), mask);
   return size;
}

static unsigned
emit_rcp(struct jit_builder *b, const struct code *c, const struct row *row)
{
   const unsigned from = flushed(b, jit_source(b, c, 0)), unity = jit_number(b, ONE);
   return flushed(b, two(b, X86_DIVPS, unity, x86_reg(from)));
}

static unsigned
emit_sqrt(struct jit_builder *b, const struct code *c, const struct row *row)
{
   return one(b, X86_SQRTPS, flushed(b, jit_source(b, c, 0)));
}

/* Rounded twice: four lanes in double precision, then the other four. */
static unsigned
emit_rsq(struct jit_builder *b, const struct code *c, const struct row *row)
{
   static const uint32_t ones[JIT_STRIP] = {0, 0x3ff00000, 0, 0x3ff00000, 0, 0x3ff00000, 0, 0x3ff00000};
   struct x86 *x = &b->x86;
   const unsigned from = flushed(b, jit_source(b, c, 0)), halves[2] = {jit_temp(b), jit_temp(b)},
                  one_64 = jit_temp(b);
   x86_vector(x, X86_LOADPS, one_64, 0, x86_constants(x, ones));
   x86_vector_byte(x, X86_EXTRACTF128, from, 0, x86_reg(halves[1]), 1);
   x86_vector(x, X86_CVTPS2PD, halves[1], 0, x86_reg(halves[1]));
   x86_vector(x, X86_CVTPS2PD, halves[0], 0, x86_reg(from));
   for (unsigned i = 0; i < 2; i++) {
      x86_vector(x, X86_SQRTPD, halves[i], 0, x86_reg(halves[i]));
      x86_vector(x, X86_DIVPD, halves[i], one_64, x86_reg(halves[i]));
      x86_vector(x, X86_CVTPD2PS, halves[i], 0, x86_reg(halves[i]));
   }
   x86_vector_byte(x, X86_INSERTF128, halves[0], halves[0], x86_reg(halves[1]), 1);
   return halves[0];
}

/* Halves whose exponent is 0 become zeros. */
static void
flush_halves(struct jit_builder *b, unsigned to)
{
   struct x86 *x = &b->x86;
   const unsigned mask = with_number(b, X86_ANDPS, to, 0x7c007c00);
   x86_vector(x, X86_PCMPEQW, mask, mask, x86_constant(x, 0));
   x86_vector(x, X86_ANDPS, mask, mask, x86_constant(x, 0x7fff7fff));
   x86_vector(x, X86_ANDNPS, to, mask, x86_reg(to));
}

static unsigned
emit_pack_halves(struct jit_builder *b, const struct code *c, const struct row *row)
{
   enum { TOWARD_ZERO = 3 };
   struct x86 *x = &b->x86;
   const unsigned first = jit_source(b, c, 0), second = jit_source(b, c, 1), to = jit_temp(b), high = jit_temp(b);
   x86_vector_byte(x, X86_CVTPS2PH, first, 0, x86_reg(to), TOWARD_ZERO);
   x86_vector_byte(x, X86_CVTPS2PH, second, 0, x86_reg(high), TOWARD_ZERO);
   x86_vector(x, X86_PMOVZXWD, to, 0, x86_reg(to));
   x86_vector(x, X86_PMOVZXWD, high, 0, x86_reg(high));
   x86_vector_shift(x, X86_PSHIFTD, X86_SHIFT_LEFT, high, high, 16);
   x86_vector(x, X86_ORPS, to, to, x86_reg(high));
   if (wave_float_flushed(b->mode) & WAVE_FLUSH_RESULTS)
      flush_halves(b, to);
   return to;
}

/* OMOD and CLAMP, as lanes_scale_and_clamp() has them. */
static void
scale_and_clamp(struct jit_builder *b, const struct code *c, unsigned to)
{
   static const uint32_t scales[4] = {0x3f800000, 0x40000000, 0x40800000, 0x3f000000};
   struct x86 *x = &b->x86;
   const unsigned omod = wave_float_omod(c->in.omod, b->mode, true), mask = jit_temp(b);
   x86_vector(x, X86_MULPS, to, to, x86_constant(x, scales[omod]));
   if (omod) {
      x86_vector_byte(x, X86_CMPPS, mask, to, x86_constant(x, 0), X86_NOT_EQ);
      x86_vector(x, X86_ANDPS, to, to, x86_reg(mask));
   }
   if (!c->in.clamp)
      return;
   if (b->mode & WAVE_DX10_CLAMP) {
      x86_vector_byte(x, X86_CMPPS, mask, to, x86_reg(to), X86_ORDERED);
      x86_vector(x, X86_ANDPS, to, to, x86_reg(mask));
   }
   x86_vector_byte(x, X86_CMPPS, mask, to, x86_constant(x, 0), X86_LT);
   x86_vector(x, X86_ANDNPS, to, mask, x86_reg(to));
   x86_vector_byte(x, X86_CMPPS, mask, to, x86_constant(x, ONE), X86_GT);
   select_to(b, to, to, x86_constant(x, ONE), mask);
}

static unsigned
emit_cndmask(struct jit_builder *b, const struct code *c, const struct row *row)
{
   const unsigned mask = jit_mask(b, c->src[2].reg), first = jit_source(b, c, 0);
   const struct x86_operand last = jit_last_source(b, c, 1);
   const unsigned to = jit_temp(b);
   select_to(b, to, first, last, mask);
   return to;
}

/* Bits 4:0 of a shift. */
static struct x86_operand
distance(struct jit_builder *b, const struct code *c, unsigned i)
{
   if (c->src[i].kind == SOURCE_CONST)
      return x86_constant(&b->x86, c->src[i].lo & 31);
   return x86_reg(with_number(b, X86_ANDPS, jit_source(b, c, i), 31));
}

/* number: enum x86_shift */
static unsigned
emit_shift(struct jit_builder *b, const struct code *c, const struct row *row)
{
   if (c->src[0].kind == SOURCE_CONST)
      return shift(b, (enum x86_shift)row->number, jit_source(b, c, 1), c->src[0].lo & 31);
   const unsigned from = jit_source(b, c, 1);
   return two(b, row->op, from, distance(b, c, 0));
}

static unsigned
shift_left(struct jit_builder *b, const struct code *c, unsigned from, unsigned by)
{
   if (c->src[by].kind == SOURCE_CONST)
      return shift(b, X86_SHIFT_LEFT, from, c->src[by].lo & 31);
   return two(b, X86_PSLLVD, from, distance(b, c, by));
}

/* (a << b) op c */
static unsigned
emit_shift_then(struct jit_builder *b, const struct code *c, const struct row *row)
{
   const unsigned shifted = shift_left(b, c, jit_source(b, c, 0), 1);
   return two(b, row->op, shifted, jit_last_source(b, c, 2));
}

/* (a op b) << c */
static unsigned
emit_then_shift(struct jit_builder *b, const struct code *c, const struct row *row)
{
   return shift_left(b, c, emit_two(b, c, row), 2);
}

/* (a op b) number c; number: an operation, too */
static unsigned
emit_three(struct jit_builder *b, const struct code *c, const struct row *row)
{
   const unsigned of_two = emit_two(b, c, row);
   return two(b, (enum x86_vector)row->number, of_two, jit_last_source(b, c, 2));
}

static unsigned
emit_not(struct jit_builder *b, const struct code *c, const struct row *row)
{
   const unsigned from = row->op ? emit_two(b, c, row) : jit_source(b, c, 0);
   return with_number(b, X86_XORPS, from, ALL);
}

/* 24 bits of both, and a third source. */
static unsigned
emit_multiply_24(struct jit_builder *b, const struct code *c, const struct row *row)
{
   unsigned from[2];
   for (unsigned i = 0; i < 2; i++) {
      from[i] = jit_source(b, c, i);
      if (row->number)
         from[i] = shift(b, X86_SHIFT_RIGHT_SIGNED, shift(b, X86_SHIFT_LEFT, from[i], 8), 8);
      else
         from[i] = with_number(b, X86_ANDPS, from[i], 0xffffff);
   }
   const unsigned product = two(b, X86_PMULLD, from[0], x86_reg(from[1]));
   return row->op ? two(b, row->op, product, jit_last_source(b, c, 2)) : product;
}

/* The upper halves of products: of even lanes, and of odd ones. */
static unsigned
emit_multiply_high(struct jit_builder *b, const struct code *c, const struct row *row)
{
   struct x86 *x = &b->x86;
   const unsigned first = jit_source(b, c, 0), second = jit_source(b, c, 1);
   const unsigned even = two(b, X86_PMULUDQ, first, x86_reg(second)), odd = jit_temp(b), other = jit_temp(b);
   x86_vector_shift(x, X86_PSHIFTQ, X86_SHIFT_RIGHT, even, even, 32);
   x86_vector_shift(x, X86_PSHIFTQ, X86_SHIFT_RIGHT, odd, first, 32);
   x86_vector_shift(x, X86_PSHIFTQ, X86_SHIFT_RIGHT, other, second, 32);
   x86_vector(x, X86_PMULUDQ, odd, odd, x86_reg(other));
   x86_vector_byte(x, X86_PBLENDD, even, even, x86_reg(odd), 0xaa);
   return even;
}

static unsigned
emit_bfe(struct jit_builder *b, const struct code *c, const struct row *row)
{
   const unsigned from = jit_source(b, c, 0), shifted = two(b, X86_PSRLVD, from, distance(b, c, 1));
   const unsigned above = two(b, X86_PSLLVD, jit_number(b, ALL), distance(b, c, 2));
   x86_vector(&b->x86, X86_ANDNPS, above, above, x86_reg(shifted));
   return above;
}

static unsigned
emit_bfi(struct jit_builder *b, const struct code *c, const struct row *row)
{
   const unsigned mask = jit_source(b, c, 0), in = two(b, X86_ANDPS, mask, jit_last_source(b, c, 1));
   const unsigned out = two(b, X86_ANDNPS, mask, jit_last_source(b, c, 2));
   x86_vector(&b->x86, X86_ORPS, out, out, x86_reg(in));
   return out;
}

/* Halves of 16 bits are exact: their sum is rounded once. */
static unsigned
emit_from_u32(struct jit_builder *b, const struct code *c, const struct row *row)
{
   struct x86 *x = &b->x86;
   const unsigned from = jit_source(b, c, 0), high = shift(b, X86_SHIFT_RIGHT, from, 16);
   const unsigned low = with_number(b, X86_ANDPS, from, 0xffff);
   x86_vector(x, X86_CVTDQ2PS, high, 0, x86_reg(high));
   x86_vector(x, X86_CVTDQ2PS, low, 0, x86_reg(low));
   x86_vector(x, X86_MULPS, high, high, x86_constant(x, TWO_TO_16));
   x86_vector(x, X86_ADDPS, low, high, x86_reg(low));
   return low;
}

/* A byte of the source; number: which. */
static unsigned
emit_from_byte(struct jit_builder *b, const struct code *c, const struct row *row)
{
   const unsigned shifted = shift(b, X86_SHIFT_RIGHT, jit_source(b, c, 0), 8 * row->number);
   const unsigned byte = with_number(b, X86_ANDPS, shifted, 255);
   return one(b, X86_CVTDQ2PS, byte);
}

/* The host makes 0x80000000 of what does not fit. */
static unsigned
emit_to_i32(struct jit_builder *b, const struct code *c, const struct row *row)
{
   struct x86 *x = &b->x86;
   const unsigned from = jit_source(b, c, 0), to = one(b, X86_CVTTPS2DQ, from);
   const unsigned mask = compare(b, from, x86_constant(x, TWO_TO_31), X86_GE);
   x86_vector(x, X86_XORPS, to, to, x86_reg(mask));
   x86_vector_byte(x, X86_CMPPS, mask, from, x86_reg(from), X86_ORDERED);
   x86_vector(x, X86_ANDPS, to, to, x86_reg(mask));
   return to;
}

static unsigned
emit_to_u32(struct jit_builder *b, const struct code *c, const struct row *row)
{
   struct x86 *x = &b->x86;
   /* NaN becomes 0: the second source of the host's maximum. */
   const unsigned from = with_number(b, X86_MAXPS, jit_source(b, c, 0), 0);
   const unsigned large = compare(b, from, x86_constant(x, TWO_TO_31), X86_GE);
   const unsigned less = with_number(b, X86_ANDPS, large, TWO_TO_31);
   const unsigned over = compare(b, from, x86_constant(x, TWO_TO_32), X86_GE);
   x86_vector(x, X86_SUBPS, less, from, x86_reg(less));
   x86_vector(x, X86_CVTTPS2DQ, less, 0, x86_reg(less));
   x86_vector(x, X86_ANDPS, large, large, x86_constant(x, (uint32_t)SIGN));
   x86_vector(x, X86_XORPS, less, less, x86_reg(large));
   x86_vector(x, X86_ORPS, less, less, x86_reg(over));
   return less;
}

/* clang-format off */
static const struct row rows[AMD_OP_COUNT] = {
#define ROW(name, ...) [AMD_OP_v_##name] = {__VA_ARGS__}
   ROW(mov_b32, emit_move),
   ROW(add_f32, emit_two, X86_ADDPS),
   ROW(sub_f32, emit_two, X86_SUBPS),
   ROW(subrev_f32, emit_reversed, X86_SUBPS),
   ROW(mul_f32, emit_two, X86_MULPS),
   ROW(fma_f32, emit_fma),
   ROW(fmac_f32, emit_fma),
   ROW(fmamk_f32, emit_fma),
   ROW(fmaak_f32, emit_fma),
   ROW(min_f32, emit_extreme, 0, 0),
   ROW(max_f32, emit_extreme, 0, 1),
   ROW(min3_f32, emit_extreme, 0, 0),
   ROW(max3_f32, emit_extreme, 0, 1),
   ROW(med3_f32, emit_median),
   ROW(trunc_f32, emit_round, 0, ROUND_ZERO),
   ROW(ceil_f32, emit_round, 0, ROUND_UP),
   ROW(floor_f32, emit_round, 0, ROUND_DOWN),
   ROW(rndne_f32, emit_round, 0, ROUND_EVEN),
   ROW(fract_f32, emit_fract),
   ROW(rcp_f32, emit_rcp),
   ROW(sqrt_f32, emit_sqrt),
   ROW(rsq_f32, emit_rsq),
   ROW(cvt_pkrtz_f16_f32, emit_pack_halves),
   ROW(cndmask_b32, emit_cndmask),
   ROW(add_nc_u32, emit_two, X86_PADDD),
   ROW(sub_nc_u32, emit_two, X86_PSUBD),
   ROW(subrev_nc_u32, emit_reversed, X86_PSUBD),
   ROW(mul_lo_u32, emit_two, X86_PMULLD),
   ROW(mul_lo_i32, emit_two, X86_PMULLD),
   ROW(mul_hi_u32, emit_multiply_high),
   ROW(mul_u32_u24, emit_multiply_24, 0, 0),
   ROW(mul_i32_i24, emit_multiply_24, 0, 1),
   ROW(mad_u32_u24, emit_multiply_24, X86_PADDD, 0),
   ROW(mad_i32_i24, emit_multiply_24, X86_PADDD, 1),
   ROW(min_i32, emit_two, X86_PMINSD),
   ROW(max_i32, emit_two, X86_PMAXSD),
   ROW(min_u32, emit_two, X86_PMINUD),
   ROW(max_u32, emit_two, X86_PMAXUD),
   ROW(min3_i32, emit_three, X86_PMINSD, X86_PMINSD),
   ROW(max3_i32, emit_three, X86_PMAXSD, X86_PMAXSD),
   ROW(min3_u32, emit_three, X86_PMINUD, X86_PMINUD),
   ROW(max3_u32, emit_three, X86_PMAXUD, X86_PMAXUD),
   ROW(med3_i32, emit_median_words, X86_PMINSD, X86_PMAXSD),
   ROW(med3_u32, emit_median_words, X86_PMINUD, X86_PMAXUD),
   ROW(lshlrev_b32, emit_shift, X86_PSLLVD, X86_SHIFT_LEFT),
   ROW(lshrrev_b32, emit_shift, X86_PSRLVD, X86_SHIFT_RIGHT),
   ROW(ashrrev_i32, emit_shift, X86_PSRAVD, X86_SHIFT_RIGHT_SIGNED),
   ROW(and_b32, emit_two, X86_ANDPS),
   ROW(or_b32, emit_two, X86_ORPS),
   ROW(xor_b32, emit_two, X86_XORPS),
   ROW(xnor_b32, emit_not, X86_XORPS),
   ROW(not_b32, emit_not),
   ROW(bfe_u32, emit_bfe),
   ROW(bfi_b32, emit_bfi),
   ROW(xor3_b32, emit_three, X86_XORPS, X86_XORPS),
   ROW(xad_u32, emit_three, X86_XORPS, X86_PADDD),
   ROW(add3_u32, emit_three, X86_PADDD, X86_PADDD),
   ROW(and_or_b32, emit_three, X86_ANDPS, X86_ORPS),
   ROW(or3_b32, emit_three, X86_ORPS, X86_ORPS),
   ROW(lshl_add_u32, emit_shift_then, X86_PADDD),
   ROW(lshl_or_b32, emit_shift_then, X86_ORPS),
   ROW(add_lshl_u32, emit_then_shift, X86_PADDD),
   ROW(cvt_f32_i32, emit_one, X86_CVTDQ2PS),
   ROW(cvt_f32_u32, emit_from_u32),
   ROW(cvt_i32_f32, emit_to_i32),
   ROW(cvt_u32_f32, emit_to_u32),
   ROW(cvt_f32_ubyte0, emit_from_byte, 0, 0),
   ROW(cvt_f32_ubyte1, emit_from_byte, 0, 1),
   ROW(cvt_f32_ubyte2, emit_from_byte, 0, 2),
   ROW(cvt_f32_ubyte3, emit_from_byte, 0, 3),
#undef ROW
};
/* clang-format on */

static bool
has_known_sources(const struct code *c)
{
   bool known = true;
   for (unsigned i = 0; i < c->info->src_count; i++) {
      const unsigned kind = c->src[i].kind;
      if (c->info->src[i].cls == AMD_CLASS_MASK)
         known &= kind == SOURCE_MASK;
      else
         known &= kind == SOURCE_VGPR || kind == SOURCE_SGPR || kind == SOURCE_CONST;
   }
   return known;
}

/* Of one strip it would change what others read. */
static bool
writes_own_source(const struct code *c)
{
   const unsigned mask = jit_mask_written(c);
   bool writes = false;
   for (unsigned i = 0; i < c->info->src_count && mask != AMD_OPERAND_NONE; i++)
      writes |= c->src[i].kind == SOURCE_SGPR && c->src[i].reg - mask < 2;
   return writes;
}

static bool
is_swap(const struct code *c)
{
   return c->in.op == AMD_OP_v_swap_b32;
}

/* As exec_words.c would run it, without what moves lanes or changes the result. */
static bool
is_plain(const struct code *c, const void *run)
{
   const struct amd_inst *in = &c->in;
   const bool is_compare = jit_has_compare((enum amd_op)in->op);
   if (c->info->dst.cls == AMD_CLASS_MASK && c->info->flags & AMD_FLAG_WRITES_EXEC) /* GFX9: two masks */
      return false;
   if (run != (const void *)exec_wide()->words || c->words.moves || !has_known_sources(c) || writes_own_source(c) ||
       ((in->clamp || in->omod) && (is_compare || !c->words.scales)))
      return false;
   return rows[in->op].emit || is_compare;
}

bool
jit_has_vector(const struct code *c)
{
   if (c->second)
      return is_plain(c, (const void *)c->run_first) && is_plain(c->second, (const void *)c->second->run);
   return is_swap(c) || is_plain(c, (const void *)c->run_checked);
}

static unsigned
result(struct jit_builder *b, const struct code *c)
{
   const struct row *row = &rows[c->in.op];
   const unsigned to = row->emit(b, c, row);
   if (c->words.scales)
      scale_and_clamp(b, c, to);
   return to;
}

static void
emit_swap(struct jit_builder *b, const struct code *c)
{
   const unsigned first = copy(b, jit_vgpr(b, c->in.dst)), second = copy(b, jit_vgpr(b, c->in.src[0]));
   jit_set_vgpr(b, c->in.dst, second);
   jit_set_vgpr(b, c->in.src[0], first);
}

void
jit_emit_vector(struct jit_builder *b, const struct code *c)
{
   if (is_swap(c)) {
      emit_swap(b, c);
   } else if (jit_has_compare((enum amd_op)c->in.op)) {
      jit_emit_compare(b, c);
   } else {
      const unsigned first = result(b, c), second = c->second ? result(b, c->second) : 0;
      jit_set_vgpr(b, c->in.dst, first);
      if (c->second)
         jit_set_vgpr(b, c->second->in.dst, second);
   }
   jit_unlock(b);
}
