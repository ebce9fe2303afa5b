/* Selection of integer arithmetic. 8 and 16-bit integers are 32-bit registers with undefined high bits. */
#include "amd/compiler/aco_select.h"

struct int_row {
   uint16_t scalar, vector; /* 32 bits; AMD_OP_COUNT: none */
   bool swap;               /* vector form takes the operands the other way round (shifts) */
   uint8_t extend;          /* small sizes: 0 high bits do not matter, 1 zero-extend, 2 sign-extend */
   uint16_t scalar64;       /* or AMD_OP_COUNT */
};
#define NONE AMD_OP_COUNT

/* By operation: what is one instruction. */
static const struct int_row rows[NIR_OP_COUNT] = {
   [NIR_OP_iadd] = {AMD_OP_s_add_u32, AMD_OP_v_add_nc_u32, false, 0, NONE},
   [NIR_OP_isub] = {AMD_OP_s_sub_u32, AMD_OP_v_sub_nc_u32, false, 0, NONE},
   [NIR_OP_imul] = {AMD_OP_s_mul_i32, AMD_OP_v_mul_lo_u32, false, 0, NONE},
   [NIR_OP_imul_high] = {AMD_OP_s_mul_hi_i32, AMD_OP_v_mul_hi_i32, false, 0, NONE},
   [NIR_OP_umul_high] = {AMD_OP_s_mul_hi_u32, AMD_OP_v_mul_hi_u32, false, 0, NONE},
   [NIR_OP_imin] = {AMD_OP_s_min_i32, AMD_OP_v_min_i32, false, 2, NONE},
   [NIR_OP_imax] = {AMD_OP_s_max_i32, AMD_OP_v_max_i32, false, 2, NONE},
   [NIR_OP_umin] = {AMD_OP_s_min_u32, AMD_OP_v_min_u32, false, 1, NONE},
   [NIR_OP_umax] = {AMD_OP_s_max_u32, AMD_OP_v_max_u32, false, 1, NONE},
   [NIR_OP_iand] = {AMD_OP_s_and_b32, AMD_OP_v_and_b32, false, 0, AMD_OP_s_and_b64},
   [NIR_OP_ior] = {AMD_OP_s_or_b32, AMD_OP_v_or_b32, false, 0, AMD_OP_s_or_b64},
   [NIR_OP_ixor] = {AMD_OP_s_xor_b32, AMD_OP_v_xor_b32, false, 0, AMD_OP_s_xor_b64},
   [NIR_OP_ishl] = {AMD_OP_s_lshl_b32, AMD_OP_v_lshlrev_b32, true, 0, AMD_OP_s_lshl_b64},
   [NIR_OP_ishr] = {AMD_OP_s_ashr_i32, AMD_OP_v_ashrrev_i32, true, 2, AMD_OP_s_ashr_i64},
   [NIR_OP_ushr] = {AMD_OP_s_lshr_b32, AMD_OP_v_lshrrev_b32, true, 1, AMD_OP_s_lshr_b64},
};

static bool
is_shift(enum nir_op op)
{
   return op == NIR_OP_ishl || op == NIR_OP_ishr || op == NIR_OP_ushr;
}

static void
simple(struct isel *c, struct nir_alu_instr *alu, unsigned comp, const struct int_row *row)
{
   struct aco_operand a = isel_alu_src(c, alu, 0, comp), b = isel_alu_src(c, alu, 1, comp);
   unsigned bits = alu->def.bit_size;
   bool scalar = !aco_is_v(&a) && !aco_is_v(&b);
   if (bits < 32) {
      if (row->extend)
         a = isel_extend(c, a, bits, row->extend == 2);
      if (is_shift(alu->op))
         b = scalar ? isel_s2(c, AMD_OP_s_and_b32, ACO_S1, b, k(bits - 1))
                    : isel_v2(c, AMD_OP_v_and_b32, ACO_V1, b, k(bits - 1));
      else if (row->extend)
         b = isel_extend(c, b, bits, row->extend == 2);
   }
   struct aco_operand result;
   if (scalar)
      result = isel_s2(c, row->scalar, ACO_S1, a, b);
   else
      result = row->swap ? isel_v2(c, row->vector, ACO_V1, b, a) : isel_v2(c, row->vector, ACO_V1, a, b);
   isel_set(c, &alu->def, comp, result);
}

/* ---- 64 bits ---- */

struct aco_operand
isel_add_halves(struct isel *c, bool subtract, const struct aco_operand *a, const struct aco_operand *b)
{
   aco_rc lm = c->program->lm;
   struct aco_instr *low = isel_emit(c, subtract ? AMD_OP_v_sub_co_u32 : AMD_OP_v_add_co_u32, 2, 2);
   low->ops[0] = a[0];
   low->ops[1] = b[0];
   low->defs[0] = (struct aco_def){.temp = aco_temp(c->program, ACO_V1), .rc = ACO_V1};
   low->defs[1] = (struct aco_def){.temp = aco_temp(c->program, lm), .rc = lm};
   struct aco_instr *high = isel_emit(c, subtract ? AMD_OP_v_sub_co_ci_u32 : AMD_OP_v_add_co_ci_u32, 2, 3);
   high->ops[0] = a[1];
   high->ops[1] = b[1];
   high->ops[2] = isel_result(c, low, 1);
   high->defs[0] = (struct aco_def){.temp = aco_temp(c->program, ACO_V1), .rc = ACO_V1};
   high->defs[1] = (struct aco_def){.temp = aco_temp(c->program, lm), .rc = lm};
   return isel_vector(c, ACO_V2, 2, (struct aco_operand[]){isel_result(c, low, 0), isel_result(c, high, 0)});
}

/* a + b or a - b. */
static struct aco_operand
add64(struct isel *c, struct aco_operand a, struct aco_operand b, bool subtract)
{
   struct aco_operand pa[2], pb[2], parts[2];
   bool scalar = !aco_is_v(&a) && !aco_is_v(&b);
   isel_split64(c, a, &pa[0], &pa[1]);
   isel_split64(c, b, &pb[0], &pb[1]);
   if (scalar) {
      /* operands first: nothing may come between the two halves */
      for (unsigned i = 0; i < 2; i++) {
         if (pa[i].kind == ACO_OP_CONST && pb[i].kind == ACO_OP_CONST)
            pa[i] = isel_as_s(c, pa[i], 1);
      }
      parts[0] = isel_s2(c, subtract ? AMD_OP_s_sub_u32 : AMD_OP_s_add_u32, ACO_S1, pa[0], pb[0]);
      isel_use_scc(c);
      parts[1] = isel_s2(c, subtract ? AMD_OP_s_subb_u32 : AMD_OP_s_addc_u32, ACO_S1, pa[1], pb[1]);
      return isel_vector(c, ACO_S2, 2, parts);
   }
   for (unsigned i = 0; i < 2; i++) {
      pa[i] = isel_as_v(c, pa[i], 1);
      pb[i] = isel_as_v(c, pb[i], 1);
   }
   return isel_add_halves(c, subtract, pa, pb);
}

static struct aco_operand
mad_wide(struct isel *c, unsigned op, struct aco_operand a, struct aco_operand b)
{
   struct aco_operand ops[3] = {isel_as_v(c, a, 1), isel_as_v(c, b, 1), k(0)};
   struct aco_instr *instr = isel_emit(c, op, 2, 3);
   for (unsigned i = 0; i < 3; i++)
      instr->ops[i] = ops[i];
   instr->defs[0] = (struct aco_def){.temp = aco_temp(c->program, ACO_V2), .rc = ACO_V2};
   instr->defs[1] = (struct aco_def){.temp = aco_temp(c->program, c->program->lm), .rc = c->program->lm};
   return isel_result(c, instr, 0);
}

static struct aco_operand
mul64(struct isel *c, struct aco_operand a, struct aco_operand b)
{
   struct aco_operand pa[2], pb[2], low[2];
   isel_split64(c, a, &pa[0], &pa[1]);
   isel_split64(c, b, &pb[0], &pb[1]);
   struct aco_operand product = mad_wide(c, AMD_OP_v_mad_u64_u32, pa[0], pb[0]);
   isel_split(c, product, 2, low);
   struct aco_operand cross = isel_v2(c, AMD_OP_v_mul_lo_u32, ACO_V1, isel_as_v(c, pa[0], 1), pb[1]);
   struct aco_operand cross2 = isel_v2(c, AMD_OP_v_mul_lo_u32, ACO_V1, isel_as_v(c, pa[1], 1), pb[0]);
   low[1] = isel_v3(c, AMD_OP_v_add3_u32, ACO_V1, low[1], cross, cross2);
   return isel_vector(c, ACO_V2, 2, low);
}

static struct aco_operand
select64(struct isel *c, struct aco_operand mask, struct aco_operand yes, struct aco_operand no)
{
   struct aco_operand py[2], pn[2], parts[2];
   isel_split64(c, yes, &py[0], &py[1]);
   isel_split64(c, no, &pn[0], &pn[1]);
   for (unsigned i = 0; i < 2; i++)
      parts[i] = isel_v3(c, AMD_OP_v_cndmask_b32, ACO_V1, pn[i], py[i], mask);
   return isel_vector(c, ACO_V2, 2, parts);
}

static struct aco_operand
compare64(struct isel *c, unsigned op, struct aco_operand a, struct aco_operand b)
{
   return isel_v2(c, op, c->program->lm, a, isel_as_v(c, b, 2));
}

/* Leading or trailing zeros of both halves as one number, all ones if the value is 0. */
static struct aco_operand
zeros64(struct isel *c, unsigned op, struct aco_operand near, struct aco_operand far)
{
   struct aco_operand n = isel_v1(c, op, ACO_V1, near), f = isel_v1(c, op, ACO_V1, far);
   struct aco_instr *sum = isel_valu(c, AMD_OP_v_add_nc_u32, ACO_V1, 2, (struct aco_operand[]){f, k(32)});
   sum->clamp = true;
   return isel_v2(c, AMD_OP_v_min_u32, ACO_V1, n, isel_result(c, sum, 0));
}

struct aco_operand
isel_int64(struct isel *c, enum nir_op op, struct aco_operand a, struct aco_operand b)
{
   struct aco_operand pa[2], pb[2], parts[2];
   switch ((int)op) { /* others: not for this function, whose end says so */
   case NIR_OP_iadd:
   case NIR_OP_isub:
      return add64(c, a, b, op == NIR_OP_isub);
   case NIR_OP_imul:
      return mul64(c, a, b);
   case NIR_OP_imin:
      return select64(c, compare64(c, AMD_OP_v_cmp_lt_i64, a, b), a, b);
   case NIR_OP_imax:
      return select64(c, compare64(c, AMD_OP_v_cmp_gt_i64, a, b), a, b);
   case NIR_OP_umin:
      return select64(c, compare64(c, AMD_OP_v_cmp_lt_u64, a, b), a, b);
   case NIR_OP_umax:
      return select64(c, compare64(c, AMD_OP_v_cmp_gt_u64, a, b), a, b);
   case NIR_OP_iand:
   case NIR_OP_ior:
   case NIR_OP_ixor:
      if (!aco_is_v(&a) && !aco_is_v(&b))
         return isel_s2(c, rows[op].scalar64, ACO_S2, a, b);
      isel_split64(c, a, &pa[0], &pa[1]);
      isel_split64(c, b, &pb[0], &pb[1]);
      for (unsigned i = 0; i < 2; i++)
         parts[i] = isel_v2(c, rows[op].vector, ACO_V1, pa[i], pb[i]);
      return isel_vector(c, ACO_V2, 2, parts);
   }
   assert(!"not one of the operations of isel_int64");
   return a;
}

static bool
int64_op(struct isel *c, struct nir_alu_instr *alu, unsigned comp, struct aco_operand *result)
{
   /* size: a flat switch */
   struct aco_operand a = isel_alu_src(c, alu, 0, comp), b = {0}, pa[2], parts[2];
   if (nir_op_infos[alu->op].num_srcs > 1)
      b = isel_alu_src(c, alu, 1, comp);
   bool scalar = !aco_is_v(&a) && !aco_is_v(&b);
   switch ((int)alu->op) {
   case NIR_OP_iadd:
   case NIR_OP_isub:
   case NIR_OP_imul:
   case NIR_OP_iand:
   case NIR_OP_ior:
   case NIR_OP_ixor:
   case NIR_OP_imin:
   case NIR_OP_imax:
   case NIR_OP_umin:
   case NIR_OP_umax:
      *result = isel_int64(c, alu->op, a, b);
      return true;
   case NIR_OP_ineg:
      *result = add64(c, k(0), a, true);
      return true;
   case NIR_OP_inot:
      if (scalar) {
         *result = isel_s1(c, AMD_OP_s_not_b64, ACO_S2, a);
         return true;
      }
      isel_split64(c, a, &pa[0], &pa[1]);
      for (unsigned i = 0; i < 2; i++)
         parts[i] = isel_v1(c, AMD_OP_v_not_b32, ACO_V1, pa[i]);
      *result = isel_vector(c, ACO_V2, 2, parts);
      return true;
   case NIR_OP_ishl:
   case NIR_OP_ishr:
   case NIR_OP_ushr:
      if (scalar)
         *result = isel_s2(c, rows[alu->op].scalar64, ACO_S2, a, b);
      else
         *result = isel_v2(c,
                           alu->op == NIR_OP_ishl   ? AMD_OP_v_lshlrev_b64
                           : alu->op == NIR_OP_ishr ? AMD_OP_v_ashrrev_i64
                                                    : AMD_OP_v_lshrrev_b64,
                           ACO_V2, b, isel_as_v(c, a, 2));
      return true;
   case NIR_OP_iabs:
      a = isel_as_v(c, a, 2);
      *result = select64(c, compare64(c, AMD_OP_v_cmp_gt_i64, k(0), a), add64(c, k(0), a, true), a);
      return true;
   case NIR_OP_isign:
      a = isel_as_v(c, a, 2);
      *result = select64(c, compare64(c, AMD_OP_v_cmp_lt_i64, k(0), a), k(1),
                         select64(c, compare64(c, AMD_OP_v_cmp_gt_i64, k(0), a), k(UINT32_MAX), k(0)));
      return true;
   case NIR_OP_uadd_carry:
      a = isel_as_v(c, a, 2);
      *result = select64(c, compare64(c, AMD_OP_v_cmp_lt_u64, add64(c, a, b, false), a), k(1), k(0));
      return true;
   case NIR_OP_usub_borrow:
      *result = select64(c, compare64(c, AMD_OP_v_cmp_lt_u64, a, b), k(1), k(0));
      return true;
   default: /* others: no integers of 64 bits */
      return false;
   }
}

/* Operations on 64-bit sources with a 32-bit result, and 32 x 32 -> 64. */
static bool
mixed64_op(struct isel *c, struct nir_alu_instr *alu, unsigned comp, struct aco_operand *result)
{
   struct aco_operand a = isel_alu_src(c, alu, 0, comp), p[2], bits;
   switch ((int)alu->op) {
   case NIR_OP_imul_2x32_64:
   case NIR_OP_umul_2x32_64:
      *result = mad_wide(c, alu->op == NIR_OP_imul_2x32_64 ? AMD_OP_v_mad_i64_i32 : AMD_OP_v_mad_u64_u32, a,
                         isel_alu_src(c, alu, 1, comp));
      return true;
   case NIR_OP_bit_count:
      isel_split64(c, a, &p[0], &p[1]);
      bits = isel_v2(c, AMD_OP_v_bcnt_u32_b32, ACO_V1, p[0], k(0));
      *result = isel_v2(c, AMD_OP_v_bcnt_u32_b32, ACO_V1, p[1], bits);
      return true;
   case NIR_OP_find_lsb:
      isel_split64(c, a, &p[0], &p[1]);
      *result = zeros64(c, AMD_OP_v_ffbl_b32, p[0], p[1]);
      return true;
   case NIR_OP_ufind_msb:
      isel_split64(c, a, &p[0], &p[1]);
      bits = zeros64(c, AMD_OP_v_ffbh_u32, p[1], p[0]);
      *result = isel_v3(c, AMD_OP_v_cndmask_b32, ACO_V1, isel_v2(c, AMD_OP_v_sub_nc_u32, ACO_V1, k(63), bits),
                        k(UINT32_MAX), isel_v2(c, AMD_OP_v_cmp_eq_u32, c->program->lm, k(UINT32_MAX), bits));
      return true;
   default: /* others: not of two sizes */
      return false;
   }
}

/* ---- 32 bits and less, one by one ---- */

static struct aco_operand
msb(struct isel *c, unsigned vector_op, struct aco_operand x)
{
   struct aco_operand zeros = isel_v1(c, vector_op, ACO_V1, x);
   return isel_v3(c, AMD_OP_v_cndmask_b32, ACO_V1, isel_v2(c, AMD_OP_v_sub_nc_u32, ACO_V1, k(31), zeros),
                  k(UINT32_MAX), isel_v2(c, AMD_OP_v_cmp_eq_u32, c->program->lm, k(UINT32_MAX), zeros));
}

/* mask of `bits` ones; 32 gives all ones (v_bfm would take 0). */
static struct aco_operand
field_select(struct isel *c, struct aco_operand bits, struct aco_operand normal, struct aco_operand whole)
{
   if (bits.kind == ACO_OP_CONST)
      return bits.value == 32 ? whole : normal;
   struct aco_operand mask = isel_v2(c, AMD_OP_v_cmp_eq_u32, c->program->lm, k(32), isel_as_v(c, bits, 1));
   return isel_v3(c, AMD_OP_v_cndmask_b32, ACO_V1, normal, whole, mask);
}

static struct aco_operand
bitfield_insert(struct isel *c, const struct aco_operand *src)
{
   struct aco_operand ones =
      field_select(c, src[3], isel_v2(c, AMD_OP_v_bfm_b32, ACO_V1, src[3], k(0)), k(UINT32_MAX));
   struct aco_operand mask = isel_v2(c, AMD_OP_v_lshlrev_b32, ACO_V1, src[2], ones);
   struct aco_operand insert = isel_v2(c, AMD_OP_v_lshlrev_b32, ACO_V1, src[2], isel_as_v(c, src[1], 1));
   return isel_v3(c, AMD_OP_v_bfi_b32, ACO_V1, mask, insert, src[0]);
}

static struct aco_operand
bitfield_extract(struct isel *c, const struct aco_operand *src, bool is_signed)
{
   struct aco_operand field =
      isel_v3(c, is_signed ? AMD_OP_v_bfe_i32 : AMD_OP_v_bfe_u32, ACO_V1, src[0], src[1], src[2]);
   struct aco_operand whole =
      isel_v2(c, is_signed ? AMD_OP_v_ashrrev_i32 : AMD_OP_v_lshrrev_b32, ACO_V1, src[1], isel_as_v(c, src[0], 1));
   return field_select(c, src[2], field, whole);
}

static bool
int32_op(struct isel *c, struct nir_alu_instr *alu, unsigned comp, struct aco_operand *result)
{
   /* size: a flat switch */
   struct aco_operand src[4] = {0};
   unsigned bits = alu->def.bit_size, count = nir_op_infos[alu->op].num_srcs;
   bool scalar = true;
   for (unsigned i = 0; i < count; i++) {
      src[i] = isel_alu_src(c, alu, i, comp);
      scalar &= !aco_is_v(&src[i]);
   }
   unsigned src_bits = alu->src[0].src.def->bit_size;
   struct aco_operand x = src[0];
   switch ((int)alu->op) {
   case NIR_OP_inot:
      *result = scalar ? isel_s1(c, AMD_OP_s_not_b32, ACO_S1, x) : isel_v1(c, AMD_OP_v_not_b32, ACO_V1, x);
      return true;
   case NIR_OP_ineg:
      *result =
         scalar ? isel_s2(c, AMD_OP_s_sub_u32, ACO_S1, k(0), x) : isel_v2(c, AMD_OP_v_sub_nc_u32, ACO_V1, k(0), x);
      return true;
   case NIR_OP_iabs:
      x = isel_extend(c, x, bits, true);
      *result = scalar ? isel_s1(c, AMD_OP_s_abs_i32, ACO_S1, x)
                       : isel_v2(c, AMD_OP_v_max_i32, ACO_V1, x, isel_v2(c, AMD_OP_v_sub_nc_u32, ACO_V1, k(0), x));
      return true;
   case NIR_OP_isign:
      x = isel_extend(c, x, bits, true);
      if (scalar)
         *result = isel_s2(c, AMD_OP_s_max_i32, ACO_S1, isel_s2(c, AMD_OP_s_min_i32, ACO_S1, x, k(1)), k(UINT32_MAX));
      else
         *result = isel_v3(c, AMD_OP_v_med3_i32, ACO_V1, k(UINT32_MAX), x, k(1));
      return true;
   case NIR_OP_uadd_carry:
   case NIR_OP_usub_borrow: {
      src[0] = isel_extend(c, src[0], bits, false);
      src[1] = isel_extend(c, src[1], bits, false);
      bool add = alu->op == NIR_OP_uadd_carry;
      if (bits < 32 && add) {
         struct aco_operand sum = isel_v2(c, AMD_OP_v_add_nc_u32, ACO_V1, src[0], src[1]);
         *result = isel_v2(c, AMD_OP_v_lshrrev_b32, ACO_V1, k(bits), sum);
         return true;
      }
      struct aco_operand mask;
      if (add) {
         struct aco_operand sum = isel_v2(c, AMD_OP_v_add_nc_u32, ACO_V1, src[0], src[1]);
         mask = isel_v2(c, AMD_OP_v_cmp_gt_u32, c->program->lm, src[0], sum);
      } else {
         mask = isel_v2(c, AMD_OP_v_cmp_lt_u32, c->program->lm, src[0], isel_as_v(c, src[1], 1));
      }
      *result = isel_v3(c, AMD_OP_v_cndmask_b32, ACO_V1, k(0), k(1), mask);
      return true;
   }
   case NIR_OP_bitfield_reverse:
      *result = scalar ? isel_s1(c, AMD_OP_s_brev_b32, ACO_S1, x) : isel_v1(c, AMD_OP_v_bfrev_b32, ACO_V1, x);
      return true;
   case NIR_OP_bit_count:
      x = isel_extend(c, x, src_bits, false);
      *result =
         scalar ? isel_s1(c, AMD_OP_s_bcnt1_i32_b32, ACO_S1, x) : isel_v2(c, AMD_OP_v_bcnt_u32_b32, ACO_V1, x, k(0));
      return true;
   case NIR_OP_find_lsb:
      x = isel_extend(c, x, src_bits, false);
      *result = scalar ? isel_s1(c, AMD_OP_s_ff1_i32_b32, ACO_S1, x) : isel_v1(c, AMD_OP_v_ffbl_b32, ACO_V1, x);
      return true;
   case NIR_OP_ufind_msb:
      *result = msb(c, AMD_OP_v_ffbh_u32, isel_extend(c, x, src_bits, false));
      return true;
   case NIR_OP_ifind_msb:
      *result = msb(c, AMD_OP_v_ffbh_i32, x);
      return true;
   case NIR_OP_bitfield_insert:
      *result = bitfield_insert(c, src);
      return true;
   case NIR_OP_ubitfield_extract:
   case NIR_OP_ibitfield_extract:
      *result = bitfield_extract(c, src, alu->op == NIR_OP_ibitfield_extract);
      return true;
   default: /* others: no integers of 32 bits */
      return false;
   }
}

/* ---- dot products ---- */

static bool
dot_product(struct isel *c, struct nir_alu_instr *alu, unsigned comp, struct aco_operand *result)
{
   const struct aco_target *target = c->program->target;
   unsigned op, neg = 0;
   switch ((int)alu->op) {
   case NIR_OP_sdot_4x8_iadd:
   case NIR_OP_sdot_4x8_iadd_sat:
      op = target->dots_4x8_mixed ? AMD_OP_v_dot4_i32_iu8 : AMD_OP_v_dot4_i32_i8;
      neg = target->dots_4x8_mixed ? 3 : 0; /* both have signs */
      break;
   case NIR_OP_sudot_4x8_iadd:
   case NIR_OP_sudot_4x8_iadd_sat:
      op = AMD_OP_v_dot4_i32_iu8;
      neg = 1;
      break;
   case NIR_OP_udot_4x8_uadd:
   case NIR_OP_udot_4x8_uadd_sat:
      op = AMD_OP_v_dot4_u32_u8;
      break;
   case NIR_OP_sdot_2x16_iadd:
   case NIR_OP_sdot_2x16_iadd_sat:
      op = AMD_OP_v_dot2_i32_i16;
      break;
   case NIR_OP_udot_2x16_uadd:
   case NIR_OP_udot_2x16_uadd_sat:
      op = AMD_OP_v_dot2_u32_u16;
      break;
   default: /* others: no dot products of integers */
      return false;
   }
   struct aco_operand ops[3];
   for (unsigned i = 0; i < 3; i++)
      ops[i] = isel_as_v(c, isel_alu_src(c, alu, i, comp), 1);
   struct aco_instr *instr = isel_valu(c, op, ACO_V1, 3, ops);
   instr->vop3p = true;
   instr->neg = (uint8_t)neg;
   instr->opsel_hi = 7;
   instr->clamp = alu->op >= NIR_OP_sdot_4x8_iadd_sat && alu->op <= NIR_OP_udot_2x16_uadd_sat;
   *result = isel_result(c, instr, 0);
   return true;
}

/* ---- comparisons ---- */

static const struct comparison {
   uint16_t scalar, vector, vector64;
   bool is_signed;
   uint16_t scalar64; /* 0: none */
} comparisons[NIR_OP_COUNT] = {
   [NIR_OP_ilt] = {AMD_OP_s_cmp_lt_i32, AMD_OP_v_cmp_lt_i32, AMD_OP_v_cmp_lt_i64, true, 0},
   [NIR_OP_ige] = {AMD_OP_s_cmp_ge_i32, AMD_OP_v_cmp_ge_i32, AMD_OP_v_cmp_ge_i64, true, 0},
   [NIR_OP_ult] = {AMD_OP_s_cmp_lt_u32, AMD_OP_v_cmp_lt_u32, AMD_OP_v_cmp_lt_u64, false, 0},
   [NIR_OP_uge] = {AMD_OP_s_cmp_ge_u32, AMD_OP_v_cmp_ge_u32, AMD_OP_v_cmp_ge_u64, false, 0},
   [NIR_OP_ieq] = {AMD_OP_s_cmp_eq_u32, AMD_OP_v_cmp_eq_u32, AMD_OP_v_cmp_eq_u64, false, AMD_OP_s_cmp_eq_u64},
   [NIR_OP_ine] = {AMD_OP_s_cmp_lg_u32, AMD_OP_v_cmp_ne_u32, AMD_OP_v_cmp_ne_u64, false, AMD_OP_s_cmp_lg_u64},
};

static bool
compare(struct isel *c, struct nir_alu_instr *alu, unsigned comp)
{
   const struct comparison *row = &comparisons[alu->op];
   if (!row->vector)
      return false;
   struct aco_operand a = isel_alu_src(c, alu, 0, comp), b = isel_alu_src(c, alu, 1, comp);
   unsigned bits = alu->src[0].src.def->bit_size;
   bool scalar = !aco_is_v(&a) && !aco_is_v(&b);
   if (bits == 64) {
      if (scalar && row->scalar64) {
         isel_scmp(c, row->scalar64, a, b);
         isel_set_scc(c, &alu->def, comp);
      } else {
         isel_set_mask(c, &alu->def, comp, isel_v2(c, row->vector64, c->program->lm, a, isel_as_v(c, b, 2)));
      }
      return true;
   }
   a = isel_extend(c, a, bits, row->is_signed);
   b = isel_extend(c, b, bits, row->is_signed);
   if (scalar) {
      isel_scmp(c, row->scalar, a, b);
      isel_set_scc(c, &alu->def, comp);
   } else {
      isel_set_mask(c, &alu->def, comp, isel_v2(c, row->vector, c->program->lm, a, b));
   }
   return true;
}

bool
isel_alu_int(struct isel *c, struct nir_alu_instr *alu)
{
   bool wide_src = alu->src[0].src.def->bit_size == 64, wide = alu->def.bit_size == 64;
   for (unsigned i = 0; i < alu->def.num_components; i++) {
      struct aco_operand result;
      if (compare(c, alu, i))
         continue;
      if (alu->op == NIR_OP_imul_2x32_64 || alu->op == NIR_OP_umul_2x32_64 || (wide_src && !wide)) {
         if (!mixed64_op(c, alu, i, &result))
            return false;
      } else if (wide) {
         if (!wide_src || !int64_op(c, alu, i, &result))
            return false;
      } else if (rows[alu->op].vector) {
         simple(c, alu, i, &rows[alu->op]);
         continue;
      } else if (!dot_product(c, alu, i, &result) && !int32_op(c, alu, i, &result)) {
         return false;
      }
      isel_set(c, &alu->def, i, result);
   }
   return true;
}
