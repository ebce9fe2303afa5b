/* Integer division. x / 0 = 0 and x rem 0 = 0 as the opcode table says. */
#include "compiler/nir/nir_lower_division.h"

#include "compiler/nir/nir_cf.h"
#include "util/macros.h"

/* n / d and n % d of 32 bits, d != 0. The reciprocal of the divisor scaled to 2^32, rounded down, is refined once;
 * the quotient is then at most two too small. 0x4f7ffffe is the largest float scale for which it cannot be too large
 * even when the hardware's reciprocal is off by one unit. */
static void
divide_32(struct nir_builder *b, struct nir_def *n, struct nir_def *d, struct nir_def **quotient,
          struct nir_def **rest)
{
   struct nir_def *estimate = nir_fmul(b, nir_frcp(b, nir_u2f32(b, d)), nir_imm_int(b, 0x4f7ffffe));
   struct nir_def *reciprocal = nir_f2u32(b, estimate);
   struct nir_def *error = nir_imul(b, nir_ineg(b, d), reciprocal);
   reciprocal = nir_iadd(b, reciprocal, nir_umul_high(b, reciprocal, error));
   struct nir_def *q = nir_umul_high(b, n, reciprocal);
   struct nir_def *r = nir_iadd(b, n, nir_ineg(b, nir_imul(b, q, d)));
   for (unsigned i = 0; i < 2; i++) {
      struct nir_def *more = nir_uge(b, r, d);
      q = nir_bcsel(b, more, nir_iadd_imm(b, q, 1), q);
      r = nir_bcsel(b, more, nir_iadd(b, r, nir_ineg(b, d)), r);
   }
   *quotient = q;
   *rest = r;
}

/* The same of numbers up to 2^16: the reciprocal is two units more than the float says, so that even if that is one
 * too small the product is no less than n / d, and no more by 2^-21 of it: less than the 1 / d up to the next number.
 */
static void
divide_16(struct nir_builder *b, struct nir_def *n, struct nir_def *d, struct nir_def **quotient,
          struct nir_def **rest)
{
   struct nir_def *reciprocal = nir_iadd_imm(b, nir_frcp(b, nir_u2f32(b, d)), 2);
   *quotient = nir_f2u32(b, nir_fmul(b, nir_u2f32(b, n), reciprocal));
   *rest = nir_isub(b, n, nir_imul(b, *quotient, d));
}

/* M and S with n / d = n * M >> (32 + S) for all n up to `most`: M = (2^(32+S) + e) / d, and n * e < 2^(32+S). False:
 * M would have 33 bits. */
static bool
choose_multiplier(uint32_t d, uint64_t most, uint32_t *multiplier, unsigned *shift)
{
   for (*shift = 0; *shift < 32; (*shift)++) {
      const uint64_t power = UINT64_C(1) << (32 + *shift), m = (power + d - 1) / d;
      if (m > UINT32_MAX)
         return false;
      *multiplier = (uint32_t)m;
      if (most * (m * d - power) < power)
         return true;
   }
   return false;
}

/* n / d by a multiplication with the reciprocal, d constant and > 1, n up to `most`. If M has 33 bits, an even d
 * leaves shorter ones after a shift of both. Else, with 2^(L-1) < d <= 2^L and M = 2^32 + floor(2^32 * (2^L - d) /
 * d) + 1, the quotient is n * M >> (32 + L) for every n of 32 bits, and the product is put together without the top
 * bit of M. Source: Granlund, Montgomery, "Division by Invariant Integers using Multiplication", 1994, figures 4.1
 * and 6.2. */
static struct nir_def *
quotient_by_constant(struct nir_builder *b, struct nir_def *n, uint32_t d, uint64_t most)
{
   const unsigned even = (unsigned)__builtin_ctz(d);
   uint32_t multiplier;
   unsigned shift;
   if (is_power_of_two(d))
      return nir_ushr_imm(b, n, even);
   if (choose_multiplier(d, most, &multiplier, &shift))
      return nir_ushr_imm(b, nir_umul_high(b, n, nir_imm_int(b, (int32_t)multiplier)), shift);
   if (even && choose_multiplier(d >> even, most >> even, &multiplier, &shift)) {
      n = nir_ushr_imm(b, n, even);
      return nir_ushr_imm(b, nir_umul_high(b, n, nir_imm_int(b, (int32_t)multiplier)), shift);
   }
   const unsigned log2 = log2_ceil(d);
   multiplier = (uint32_t)(((((UINT64_C(1) << log2) - d) << 32) / d) + 1);
   struct nir_def *t = nir_umul_high(b, n, nir_imm_int(b, (int32_t)multiplier));
   struct nir_def *sum = nir_iadd(b, t, nir_ushr_imm(b, nir_isub(b, n, t), 1));
   return nir_ushr_imm(b, sum, log2 - 1);
}

static void
divide_by_constant(struct nir_builder *b, struct nir_def *n, uint32_t d, uint64_t most, struct nir_def **quotient,
                   struct nir_def **rest)
{
   *quotient = quotient_by_constant(b, n, d, most);
   *rest = nir_isub(b, n, nir_imul_imm(b, *quotient, d));
}

/* One component of 64 bits, bit by bit: in round i the remainder takes bit 63 - i of n. */
static void
divide_64(struct nir_builder *b, struct nir_def *n, struct nir_def *d, struct nir_def **quotient,
          struct nir_def **rest)
{
   struct nir_def *zero = nir_imm_int64(b, 0), *start = nir_imm_int(b, 63);
   struct nir_loop *loop = nir_push_loop(b);
   struct nir_block *before = nir_cf_block_before(&loop->cf);
   struct nir_phi_instr *i = nir_build_phi(b, 1, 32), *q = nir_build_phi(b, 1, 64), *r = nir_build_phi(b, 1, 64);
   b->cursor = nir_before_block(b->cursor.block);
   nir_phi_add_src(b->shader, i, before, start);
   nir_phi_add_src(b->shader, q, before, zero);
   nir_phi_add_src(b->shader, r, before, zero);
   struct nir_if *done = nir_push_if(b, nir_ilt_imm(b, &i->def, 0));
   nir_break(b);
   nir_pop_if(b, done);
   struct nir_def *carry = nir_ilt_imm(b, &r->def, 0); /* the remainder of 65 bits is surely not less than d */
   struct nir_def *shifted = nir_ior(b, nir_ishl_imm(b, &r->def, 1), nir_iand_imm(b, nir_ushr(b, n, &i->def), 1));
   struct nir_def *more = nir_ior(b, carry, nir_uge(b, shifted, d));
   struct nir_def *r_next = nir_bcsel(b, more, nir_iadd(b, shifted, nir_ineg(b, d)), shifted);
   struct nir_def *q_next =
      nir_ior(b, nir_ishl_imm(b, &q->def, 1), nir_bcsel(b, more, nir_imm_int64(b, 1), nir_imm_int64(b, 0)));
   struct nir_def *i_next = nir_iadd_imm(b, &i->def, -1);
   nir_phi_add_src(b->shader, i, b->cursor.block, i_next);
   nir_phi_add_src(b->shader, q, b->cursor.block, q_next);
   nir_phi_add_src(b->shader, r, b->cursor.block, r_next);
   nir_pop_loop(b, loop);
   *quotient = &q->def;
   *rest = &r->def;
}

static struct nir_def *
negate_if(struct nir_builder *b, struct nir_def *condition, struct nir_def *x)
{
   return nir_bcsel(b, condition, nir_ineg(b, x), x);
}

/* The magnitude of a constant divisor, 0 if it is not constant or below 2. */
static uint32_t
constant_divisor(const struct nir_def *d, bool is_signed)
{
   if (d->parent->type != NIR_INSTR_LOAD_CONST || d->bit_size != 32)
      return 0;
   uint32_t value = nir_as_load_const(d->parent)->value[0].u32;
   if (is_signed && value >> 31)
      value = -value;
   return value > 1 ? value : 0;
}

/* One component of 32 or 64 bits, which had `bits` at first. */
static struct nir_def *
divide(struct nir_builder *b, enum nir_op op, struct nir_def *n, struct nir_def *d, unsigned bits)
{
   bool is_signed = op == NIR_OP_idiv || op == NIR_OP_irem || op == NIR_OP_imod;
   struct nir_def *n_negative = NULL, *d_negative = NULL, *un = n, *ud = d, *quotient, *rest;
   if (is_signed) {
      n_negative = nir_ilt_imm(b, n, 0);
      d_negative = nir_ilt_imm(b, d, 0);
      un = negate_if(b, n_negative, n);
      ud = negate_if(b, d_negative, d);
   }
   uint32_t constant = constant_divisor(d, is_signed);
   if (n->bit_size == 64)
      divide_64(b, un, ud, &quotient, &rest);
   else if (constant)
      divide_by_constant(b, un, constant, (UINT64_C(1) << (bits - is_signed)) - !is_signed, &quotient, &rest);
   else if (bits < 32)
      divide_16(b, un, ud, &quotient, &rest);
   else
      divide_32(b, un, ud, &quotient, &rest);
   struct nir_def *result = op == NIR_OP_udiv || op == NIR_OP_idiv ? quotient : rest;
   if (op == NIR_OP_idiv)
      result = negate_if(b, nir_ixor(b, n_negative, d_negative), result);
   if (op == NIR_OP_irem || op == NIR_OP_imod)
      result = negate_if(b, n_negative, result);
   if (op == NIR_OP_imod) { /* the sign of the divisor */
      struct nir_def *other = nir_iand(b, nir_ixor(b, n_negative, d_negative), nir_ine_imm(b, result, 0));
      result = nir_bcsel(b, other, nir_iadd(b, result, d), result);
   }
   return nir_bcsel(b, nir_ieq_imm(b, d, 0), nir_imm_intN(b, 0, n->bit_size), result);
}

struct nir_def *
nir_lower_division(struct nir_builder *b, enum nir_op op, struct nir_def *n, struct nir_def *d)
{
   bool is_signed = op == NIR_OP_idiv || op == NIR_OP_irem || op == NIR_OP_imod;
   unsigned bits = n->bit_size;
   struct nir_def *channels[NIR_MAX_COMPONENTS];
   for (unsigned c = 0; c < n->num_components; c++) {
      struct nir_def *x = nir_channel(b, n, c), *y = nir_channel(b, d, c);
      if (bits < 32) {
         x = is_signed ? nir_i2i32(b, x) : nir_u2u32(b, x);
         y = is_signed ? nir_i2i32(b, y) : nir_u2u32(b, y);
      }
      channels[c] = nir_u2uN(b, divide(b, op, x, y, bits), bits);
   }
   return nir_vec(b, channels, n->num_components);
}
