/* Selection of float arithmetic: on the vector unit, also for uniform values where the scalar unit has no floats
 * (before GFX11.5) or not this operation. */
#include "amd/compiler/aco_select.h"

struct float_row {
   uint16_t op16, op32, op64; /* AMD_OP_COUNT: none */
};
#define NONE AMD_OP_COUNT
#define ROW3(name) {AMD_OP_##name##_f16, AMD_OP_##name##_f32, AMD_OP_##name##_f64}
#define ROW2(name) {AMD_OP_##name##_f16, AMD_OP_##name##_f32, NONE}

/* By operation: what is one instruction. */
static const struct float_row rows[NIR_OP_COUNT] = {
   [NIR_OP_fadd] = ROW3(v_add),
   [NIR_OP_fsub] = {AMD_OP_v_sub_f16, AMD_OP_v_sub_f32, AMD_OP_v_add_f64},
   [NIR_OP_fmul] = ROW3(v_mul),
   [NIR_OP_ffma] = ROW3(v_fma),
   [NIR_OP_fmin] = ROW3(v_min),
   [NIR_OP_fmax] = ROW3(v_max),
   [NIR_OP_ffloor] = ROW3(v_floor),
   [NIR_OP_fceil] = ROW3(v_ceil),
   [NIR_OP_ftrunc] = ROW3(v_trunc),
   [NIR_OP_fround_even] = ROW3(v_rndne),
   [NIR_OP_frcp] = ROW3(v_rcp),
   [NIR_OP_frsq] = ROW3(v_rsq),
   [NIR_OP_fsqrt] = ROW3(v_sqrt),
   [NIR_OP_fexp2] = ROW2(v_exp),
   [NIR_OP_flog2] = ROW2(v_log),
   [NIR_OP_ffrexp_sig] = ROW3(v_frexp_mant),
   [NIR_OP_fmulz] = {NONE, AMD_OP_v_mul_legacy_f32, NONE},
};

static unsigned
pick(const struct float_row *row, unsigned bits)
{
   return bits == 16 ? row->op16 : bits == 64 ? row->op64 : row->op32;
}

/* A float constant of this size as operand (64 bits: in SGPRs). */
static struct aco_operand
kf(struct isel *c, float value, unsigned bits)
{
   if (bits == 32)
      return k(float_bits(value));
   if (bits == 16) {
      static const struct {
         float value;
         uint16_t half;
      } halves[] = {{0, 0}, {1, 0x3c00}, {-1, 0xbc00}, {0.5f, 0x3800}};
      for (unsigned i = 0; i < ARRAY_SIZE(halves); i++) {
         if (halves[i].value == value)
            return k(halves[i].half);
      }
      assert(!"no such half constant");
   }
   uint64_t word = double_bits(value);
   if (!word)
      return k(0);
   return isel_vector(c, ACO_S2, 2, (struct aco_operand[]){k((uint32_t)word), k((uint32_t)(word >> 32))});
}

/* Sign bit operations on the high dword, or on the only one. */
static struct aco_operand
sign_op(struct isel *c, unsigned op, uint32_t mask32, struct aco_operand x, unsigned bits)
{
   if (bits == 16)
      mask32 >>= 16;
   if (bits < 64)
      return isel_v2(c, op, ACO_V1, k(mask32), isel_as_v(c, x, 1));
   struct aco_operand parts[2];
   isel_split64(c, x, &parts[0], &parts[1]);
   parts[1] = isel_v2(c, op, ACO_V1, k(mask32), isel_as_v(c, parts[1], 1));
   return isel_vector(c, ACO_V2, 2, parts);
}

static struct aco_operand
clamp01(struct isel *c, struct aco_operand x, unsigned bits)
{
   static const struct float_row max = ROW3(v_max);
   struct aco_operand ops[2] = {x, x};
   struct aco_instr *instr = isel_valu(c, pick(&max, bits), bits == 64 ? ACO_V2 : ACO_V1, 2, ops);
   instr->clamp = true;
   return isel_result(c, instr, 0);
}

static struct aco_operand
fsign(struct isel *c, struct aco_operand x, unsigned bits)
{
   static const struct float_row less = ROW3(v_cmp_lt), greater = ROW3(v_cmp_gt);
   x = isel_as_v(c, x, bits == 64 ? 2 : 1);
   struct aco_operand positive = isel_v2(c, pick(&less, bits), c->program->lm, k(0), x);
   struct aco_operand negative = isel_v2(c, pick(&greater, bits), c->program->lm, k(0), x);
   if (bits < 64) {
      struct aco_operand one = kf(c, 1, bits), minus = kf(c, -1, bits);
      if (bits == 16) /* a plain 32-bit select: the constants are literals there */
         minus = isel_as_v(c, minus, 1);
      return isel_v3(c, AMD_OP_v_cndmask_b32, ACO_V1, isel_v3(c, AMD_OP_v_cndmask_b32, ACO_V1, x, one, positive),
                     minus, negative);
   }
   struct aco_operand parts[2];
   isel_split64(c, x, &parts[0], &parts[1]);
   struct aco_operand any = isel_s2(c, ISEL_LM(c, s_or), c->program->lm, positive, negative);
   parts[0] = isel_v3(c, AMD_OP_v_cndmask_b32, ACO_V1, parts[0], k(0), any);
   parts[1] = isel_v3(c, AMD_OP_v_cndmask_b32, ACO_V1, parts[1], k(0x3ff00000), positive);
   parts[1] = isel_v3(c, AMD_OP_v_cndmask_b32, ACO_V1, parts[1], k(0xbff00000), negative);
   return isel_vector(c, ACO_V2, 2, parts);
}

/* v_sin and v_cos take turns and want them small (RDNA 2 ISA: valid range -256 to 256). */
static struct aco_operand
trigonometry(struct isel *c, bool cosine, struct aco_operand x, unsigned bits)
{
   if (bits == 16)
      x = isel_v1(c, AMD_OP_v_cvt_f32_f16, ACO_V1, x);
   if (bits == 64)
      x = isel_v1(c, AMD_OP_v_cvt_f32_f64, ACO_V1, isel_as_v(c, x, 2));
   x = isel_v2(c, AMD_OP_v_mul_f32, ACO_V1, k(0x3e22f983), x);
   x = isel_v1(c, AMD_OP_v_fract_f32, ACO_V1, x);
   x = isel_v1(c, cosine ? AMD_OP_v_cos_f32 : AMD_OP_v_sin_f32, ACO_V1, x);
   if (bits == 64)
      return isel_v1(c, AMD_OP_v_cvt_f64_f32, ACO_V2, x);
   return bits == 16 ? isel_v1(c, AMD_OP_v_cvt_f16_f32, ACO_V1, x) : x;
}

/* q(ctrl) is the value of the lane of the quad that each lane is told: q(to) - q(from). */
static struct aco_operand
derivative(struct isel *c, struct aco_operand x, unsigned from, unsigned to, unsigned bits)
{
   struct aco_operand a, b;
   x = isel_as_v(c, x, 1);
   isel_quad_swizzle(c, x, from, &a);
   isel_quad_swizzle(c, x, to, &b);
   return isel_v2(c, bits == 16 ? AMD_OP_v_sub_f16 : AMD_OP_v_sub_f32, ACO_V1, b, a);
}

#define QUAD(a, b, d, e) ((a) | (b) << 2 | (d) << 4 | (e) << 6)

static struct aco_operand
quantize(struct isel *c, struct aco_operand x)
{
   struct aco_operand half = isel_v1(c, AMD_OP_v_cvt_f16_f32, ACO_V1, isel_as_v(c, x, 1));
   struct aco_operand back = isel_v1(c, AMD_OP_v_cvt_f32_f16, ACO_V1, half);
   struct aco_operand magnitude = isel_v2(c, AMD_OP_v_and_b32, ACO_V1, k(0x7fffffff), back);
   struct aco_operand sign = isel_v2(c, AMD_OP_v_and_b32, ACO_V1, k(0x80000000), back);
   /* smallest normal half: 2^-14 */
   struct aco_operand small = isel_v2(c, AMD_OP_v_cmp_gt_f32, c->program->lm, k(0x38800000), magnitude);
   return isel_v3(c, AMD_OP_v_cndmask_b32, ACO_V1, back, sign, small);
}

static bool
single(struct isel *c, struct nir_alu_instr *alu, unsigned comp, struct aco_operand *result)
{
   /* size: a flat switch */
   unsigned bits = alu->src[0].src.def->bit_size;
   struct aco_operand x = isel_alu_src(c, alu, 0, comp);
   aco_rc rc = isel_rc_of(&alu->def, true);
   static const struct float_row rcp = ROW3(v_rcp), mul = ROW3(v_mul), floor_row = ROW3(v_floor), add = ROW3(v_add);
   switch ((int)alu->op) {
   case NIR_OP_fneg:
      *result = sign_op(c, AMD_OP_v_xor_b32, 0x80000000, x, bits);
      return true;
   case NIR_OP_fabs:
      *result = sign_op(c, AMD_OP_v_and_b32, 0x7fffffff, x, bits);
      return true;
   case NIR_OP_fsat:
      *result = clamp01(c, x, bits);
      return true;
   case NIR_OP_fsign:
      *result = fsign(c, x, bits);
      return true;
   case NIR_OP_fdiv: {
      struct aco_operand y = isel_v1(c, pick(&rcp, bits), rc, isel_alu_src(c, alu, 1, comp));
      *result = isel_v2(c, pick(&mul, bits), rc, x, y);
      return bits < 64; /* 64 bits are lowered before */
   }
   case NIR_OP_ffract: {
      x = isel_as_v(c, x, bits == 64 ? 2 : 1);
      struct aco_operand ops[2] = {x, isel_v1(c, pick(&floor_row, bits), rc, x)};
      struct aco_instr *instr = isel_valu(c, pick(&add, bits), rc, 2, ops);
      instr->neg = 2;
      instr->exact = true;
      *result = isel_result(c, instr, 0);
      return true;
   }
   case NIR_OP_fsin:
   case NIR_OP_fcos:
      *result = trigonometry(c, alu->op == NIR_OP_fcos, x, bits);
      return true;
   case NIR_OP_fldexp: {
      struct aco_operand e = isel_alu_src(c, alu, 1, comp);
      if (bits == 16) { /* the exponent of v_ldexp_f16 has 16 bits */
         e = isel_v3(c, AMD_OP_v_med3_i32, ACO_V1, isel_as_v(c, e, 1), k((uint32_t)-64), k(64));
         *result = isel_v2(c, AMD_OP_v_ldexp_f16, ACO_V1, x, e);
      } else {
         *result = isel_v2(c, bits == 64 ? AMD_OP_v_ldexp_f64 : AMD_OP_v_ldexp_f32, rc, x, e);
      }
      return true;
   }
   case NIR_OP_ffrexp_exp: {
      unsigned op = bits == 16   ? AMD_OP_v_frexp_exp_i16_f16
                    : bits == 64 ? AMD_OP_v_frexp_exp_i32_f64
                                 : AMD_OP_v_frexp_exp_i32_f32;
      *result = isel_v1(c, op, ACO_V1, x);
      if (bits == 16)
         *result = isel_extend(c, *result, 16, true);
      return true;
   }
   case NIR_OP_fquantize2f16:
      *result = quantize(c, x);
      return true;
   case NIR_OP_fddx:
   case NIR_OP_fddx_coarse:
      *result = derivative(c, x, QUAD(0, 0, 0, 0), QUAD(1, 1, 1, 1), bits);
      return bits < 64;
   case NIR_OP_fddy:
   case NIR_OP_fddy_coarse:
      *result = derivative(c, x, QUAD(0, 0, 0, 0), QUAD(2, 2, 2, 2), bits);
      return bits < 64;
   case NIR_OP_fddx_fine:
      *result = derivative(c, x, QUAD(0, 0, 2, 2), QUAD(1, 1, 3, 3), bits);
      return bits < 64;
   case NIR_OP_fddy_fine:
      *result = derivative(c, x, QUAD(0, 1, 0, 1), QUAD(2, 3, 2, 3), bits);
      return bits < 64;
   default: /* others: no floats */
      return false;
   }
}

static const struct float_row comparisons[NIR_OP_COUNT] = {
   [NIR_OP_flt] = ROW3(v_cmp_lt),   [NIR_OP_fge] = ROW3(v_cmp_ge),       [NIR_OP_feq] = ROW3(v_cmp_eq),
   [NIR_OP_fneu] = ROW3(v_cmp_neq), [NIR_OP_ford] = ROW3(v_cmp_o),       [NIR_OP_funord] = ROW3(v_cmp_u),
   [NIR_OP_fisnan] = ROW3(v_cmp_u), [NIR_OP_fisinf] = ROW3(v_cmp_class),
};

static bool
compare(struct isel *c, struct nir_alu_instr *alu, unsigned comp)
{
   const struct float_row *row = &comparisons[alu->op];
   if (!row->op32)
      return false;
   unsigned bits = alu->src[0].src.def->bit_size;
   struct aco_operand a = isel_alu_src(c, alu, 0, comp), b = a;
   if (alu->op == NIR_OP_fisinf)
      b = isel_as_v(c, k(1 << 2 | 1 << 9), 1); /* -inf, +inf */
   else if (alu->op != NIR_OP_fisnan)
      b = isel_alu_src(c, alu, 1, comp);
   if (bits == 64 && a.kind == ACO_OP_CONST)
      a = isel_as_v(c, a, 2);
   if (bits == 64 && b.kind == ACO_OP_CONST)
      b = isel_as_v(c, b, 2);
   isel_set_mask(c, &alu->def, comp, isel_v2(c, pick(row, bits), c->program->lm, a, b));
   return true;
}

/* On the scalar unit, of 32 bits; 0: none. Sums of products are not there: s_fmac takes one register for two values.
 */
static const uint16_t scalar_ops[NIR_OP_COUNT] = {
   [NIR_OP_fadd] = AMD_OP_s_add_f32,          [NIR_OP_fsub] = AMD_OP_s_sub_f32,
   [NIR_OP_fmul] = AMD_OP_s_mul_f32,          [NIR_OP_fmin] = AMD_OP_s_min_f32,
   [NIR_OP_fmax] = AMD_OP_s_max_f32,          [NIR_OP_ffloor] = AMD_OP_s_floor_f32,
   [NIR_OP_fceil] = AMD_OP_s_ceil_f32,        [NIR_OP_ftrunc] = AMD_OP_s_trunc_f32,
   [NIR_OP_fround_even] = AMD_OP_s_rndne_f32, [NIR_OP_flt] = AMD_OP_s_cmp_lt_f32,
   [NIR_OP_fge] = AMD_OP_s_cmp_ge_f32,        [NIR_OP_feq] = AMD_OP_s_cmp_eq_f32,
   [NIR_OP_fneu] = AMD_OP_s_cmp_neq_f32,      [NIR_OP_ford] = AMD_OP_s_cmp_o_f32,
   [NIR_OP_funord] = AMD_OP_s_cmp_u_f32,      [NIR_OP_fneg] = AMD_OP_s_xor_b32,
   [NIR_OP_fabs] = AMD_OP_s_and_b32,
};

/* Uniform values that lie in SGPRs: where they are. */
static bool
scalar(struct isel *c, struct nir_alu_instr *alu, unsigned comp)
{
   const unsigned op = scalar_ops[alu->op], count = nir_op_infos[alu->op].num_srcs;
   struct aco_operand ops[2] = {{0},
                                alu->op == NIR_OP_fneg ? k(0x80000000) : k(0x7fffffff)}; /* second: of the sign */
   if (!op || alu->def.divergent || alu->src[0].src.def->bit_size != 32 ||
       !aco_info(c->program, AMD_OP_s_add_f32)->encs)
      return false;
   for (unsigned s = 0; s < count; s++) {
      ops[s] = isel_alu_src(c, alu, s, comp);
      if (aco_is_v(&ops[s]))
         return false;
   }
   if (alu->def.bit_size == 1) {
      isel_scmp(c, op, ops[0], ops[1]);
      isel_set_scc(c, &alu->def, comp);
      return true;
   }
   const bool one = count == 1 && alu->op != NIR_OP_fneg && alu->op != NIR_OP_fabs;
   isel_set(c, &alu->def, comp, one ? isel_s1(c, op, ACO_S1, ops[0]) : isel_s2(c, op, ACO_S1, ops[0], ops[1]));
   return true;
}

bool
isel_alu_float(struct isel *c, struct nir_alu_instr *alu)
{
   const struct float_row *row = &rows[alu->op];
   bool plain = row->op32;
   unsigned bits = alu->def.bit_size, count = nir_op_infos[alu->op].num_srcs;
   bool narrow = plain && pick(row, bits) == NONE; /* exp2, log2 of 64 bits: in 32 */
   for (unsigned i = 0; i < alu->def.num_components; i++) {
      struct aco_operand result, ops[3];
      if (scalar(c, alu, i) || compare(c, alu, i))
         continue;
      if (plain) {
         for (unsigned s = 0; s < count; s++) {
            ops[s] = isel_alu_src(c, alu, s, i);
            if (bits == 64 && ops[s].kind == ACO_OP_CONST && ops[s].value) /* the constant is an integer's bits */
               ops[s] = isel_as_v(c, ops[s], 2);
         }
         if (narrow) {
            result = isel_v1(c, row->op32, ACO_V1, isel_v1(c, AMD_OP_v_cvt_f32_f64, ACO_V1, isel_as_v(c, ops[0], 2)));
            isel_set(c, &alu->def, i, isel_v1(c, AMD_OP_v_cvt_f64_f32, ACO_V2, result));
            continue;
         }
         struct aco_instr *instr = isel_valu(c, pick(row, bits), isel_rc_of(&alu->def, true), count, ops);
         instr->exact = alu->exact;
         if (alu->op == NIR_OP_fsub && bits == 64)
            instr->neg = 2;
         result = isel_result(c, instr, 0);
      } else if (!single(c, alu, i, &result)) {
         return false;
      }
      isel_set(c, &alu->def, i, result);
   }
   return true;
}
