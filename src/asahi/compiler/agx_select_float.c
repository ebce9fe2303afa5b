/* Selection of arithmetic on floats. Sources of 16 and 32 bits mix; the operation has the size of the result. */
#include "asahi/compiler/agx_select.h"

#include <math.h>

static struct agx_ref
bits_of(struct sel *c, unsigned size, float value)
{
   union nir_const_value bits = {.f32 = value};
   if (size == 32)
      return sel_imm(c, 32, bits.u32);
   /* Powers of two and sums of few of them: the half has the same digits. */
   const uint32_t half = (bits.u32 >> 16 & 0x8000) | ((bits.u32 >> 23 & 0xff) - 112) << 10 | (bits.u32 >> 13 & 0x3ff);
   return sel_imm(c, 16, value == 0 ? 0 : half);
}

static struct agx_ref
add_floats(struct sel *c, unsigned size, struct agx_ref x, struct agx_ref y)
{
   return size == 16 ? agx_hadd(&c->b, 16, x, y) : agx_fadd(&c->b, size, x, y);
}

static struct agx_ref
multiply(struct sel *c, unsigned size, struct agx_ref x, struct agx_ref y)
{
   return size == 16 ? agx_hmul(&c->b, 16, x, y) : agx_fmul(&c->b, size, x, y);
}

static struct agx_ref
multiply_add(struct sel *c, unsigned size, struct agx_ref x, struct agx_ref y, struct agx_ref z)
{
   return size == 16 ? agx_hfma(&c->b, 16, x, y, z) : agx_ffma(&c->b, size, x, y, z);
}

static const struct {
   uint8_t nir;
   struct agx_ref (*build)(struct agx_builder *b, unsigned size, struct agx_ref src);
} unary[] = {
   {NIR_OP_ffloor, agx_floor},     {NIR_OP_fceil, agx_ceil},       {NIR_OP_ftrunc, agx_trunc},
   {NIR_OP_fround_even, agx_rint}, {NIR_OP_frcp, agx_rcp},         {NIR_OP_frsq, agx_rsqrt},
   {NIR_OP_fexp2, agx_exp2},       {NIR_OP_flog2, agx_log2},       {NIR_OP_fddx, agx_dfdx},
   {NIR_OP_fddx_fine, agx_dfdx},   {NIR_OP_fddx_coarse, agx_dfdx}, {NIR_OP_fddy, agx_dfdy},
   {NIR_OP_fddy_fine, agx_dfdy},   {NIR_OP_fddy_coarse, agx_dfdy},
};

/* Quarters of a turn, then the two steps of the hardware: sinr brings the angle into the first quadrant with a sign,
 * sinc of that times that is the sine. */
static struct agx_ref
sine(struct sel *c, struct agx_ref x, bool cosine)
{
   struct agx_builder *b = &c->b;
   const struct agx_ref turns_of = bits_of(c, 32, 0.15915494309189535f);
   const struct agx_ref turns =
      cosine ? agx_ffma(b, 32, x, turns_of, bits_of(c, 32, 0.25f)) : agx_fmul(b, 32, x, turns_of);
   const struct agx_ref whole = agx_floor(b, 32, turns);
   const struct agx_ref part = agx_fadd(b, 32, turns, agx_neg(whole));
   const struct agx_ref reduced = agx_sinr(b, 32, agx_fmul(b, 32, part, bits_of(c, 32, 4)));
   return agx_fmul(b, 32, agx_sinc(b, 32, reduced), reduced);
}

/* Operations whose 32-bit results and sources are never denormal. */
static bool
flushes(enum nir_op op)
{
   switch ((int)op) {
   case NIR_OP_fadd:
   case NIR_OP_fsub:
   case NIR_OP_fmul:
   case NIR_OP_ffma:
   case NIR_OP_fsat:
   case NIR_OP_ffloor:
   case NIR_OP_fceil:
   case NIR_OP_ftrunc:
   case NIR_OP_fround_even:
   case NIR_OP_ffract:
   case NIR_OP_frcp:
   case NIR_OP_frsq:
   case NIR_OP_fsqrt:
   case NIR_OP_fexp2:
   case NIR_OP_flog2:
   case NIR_OP_fsin:
   case NIR_OP_fcos:
   case NIR_OP_fdot2:
   case NIR_OP_fdot3:
   case NIR_OP_fdot4:
   case NIR_OP_f2f32:
   case NIR_OP_i2f32:
   case NIR_OP_u2f32:
      return true;
   default: /* others: bits as they are */
      return false;
   }
}

static bool
may_be_denormal(const struct nir_alu_src *src, unsigned i)
{
   const struct nir_instr *parent = src->src.def->parent;
   if (nir_src_is_const(src->src)) {
      const uint32_t bits = (uint32_t)nir_src_comp_as_uint(src->src, src->swizzle[i]);
      return !(bits & 0x7f800000) && bits & 0x7fffff;
   }
   return parent->type != NIR_INSTR_ALU || !flushes(nir_as_alu(parent)->op);
}

/* Conversions to integers and comparisons take a denormal for a zero, and give no float. */
static bool
ignores_denormals(enum nir_op op)
{
   switch ((int)op) {
   case NIR_OP_f2i16:
   case NIR_OP_f2i32:
   case NIR_OP_f2u16:
   case NIR_OP_f2u32:
   case NIR_OP_flt:
   case NIR_OP_fge:
   case NIR_OP_feq:
   case NIR_OP_fneu:
      return true;
   default: /* others: as they say of their results */
      return flushes(op);
   }
}

static bool
is_read_by_bits(const struct nir_def *def)
{
   nir_foreach_use(use, def) {
      if (!use->parent_instr || use->parent_instr->type != NIR_INSTR_ALU ||
          !ignores_denormals(nir_as_alu(use->parent_instr)->op))
         return true;
   }
   return false;
}

/* Comparison takes denormals for zero, so of a zero and a denormal either is chosen: what is chosen is made zero
 * where somebody would see it. */
static struct agx_ref
minmax(struct sel *c, struct nir_alu_instr *alu, unsigned i)
{
   struct agx_ref x = sel_alu_src(c, alu, 0, i), y = sel_alu_src(c, alu, 1, i);
   const struct sel_condition cond = {
      .a = x, .b = y, .is_float = true, .code = alu->op == NIR_OP_fmin ? AGX_FCOND_FLTN : AGX_FCOND_FGTN};
   const struct agx_ref chosen = sel_csel(c, alu->def.bit_size, &cond, x, y);
   const bool denormal = may_be_denormal(&alu->src[0], i) || may_be_denormal(&alu->src[1], i);
   if (alu->def.bit_size != 32 || !denormal || !is_read_by_bits(&alu->def))
      return chosen;
   return agx_fadd(&c->b, 32, chosen, agx_fimm(AGX_FIMM_NEG_ZERO));
}

/* Zero times anything is zero. */
static struct agx_ref
multiply_zero(struct sel *c, struct nir_alu_instr *alu, unsigned i)
{
   const struct agx_ref zero = sel_imm(c, 32, 0);
   struct agx_ref product = multiply(c, 32, sel_float_src(c, alu, 0, i), sel_float_src(c, alu, 1, i));
   for (unsigned n = 0; n < 2; n++) {
      const struct sel_condition cond = {
         .a = sel_alu_src(c, alu, n, i), .b = zero, .is_float = true, .code = AGX_FCOND_FEQ};
      product = sel_csel(c, 32, &cond, zero, product);
   }
   return product;
}

static struct agx_ref
dot(struct sel *c, struct nir_alu_instr *alu, unsigned count)
{
   const unsigned size = alu->def.bit_size;
   struct agx_ref sum = multiply(c, size, sel_float_src(c, alu, 0, 0), sel_float_src(c, alu, 1, 0));
   for (unsigned i = 1; i < count; i++) {
      const struct agx_ref x = sel_float_src(c, alu, 0, i), y = sel_float_src(c, alu, 1, i);
      if (alu->exact || c->options->no_contract)
         sum = add_floats(c, size, sum, multiply(c, size, x, y));
      else
         sum = multiply_add(c, size, x, y, sum);
   }
   return sum;
}

static struct agx_ref
sign(struct sel *c, struct nir_alu_instr *alu, unsigned i)
{
   const unsigned size = alu->def.bit_size;
   const struct agx_ref x = sel_alu_src(c, alu, 0, i), zero = bits_of(c, size, 0);
   struct sel_condition cond = {.a = x, .b = zero, .is_float = true, .code = AGX_FCOND_FGT};
   const struct agx_ref neither = add_floats(c, size, x, agx_fimm(AGX_FIMM_NEG_ZERO)); /* no denormal */
   const struct agx_ref above = sel_csel(c, size, &cond, bits_of(c, size, 1), neither);
   cond.code = AGX_FCOND_FLT;
   return sel_csel(c, size, &cond, bits_of(c, size, -1), above);
}

static struct agx_ref
component(struct sel *c, struct nir_alu_instr *alu, unsigned i)
{
   /* size: a flat switch */
   struct agx_builder *b = &c->b;
   const unsigned size = alu->def.bit_size;
   const struct agx_ref minus_zero = agx_fimm(AGX_FIMM_NEG_ZERO), none = agx_none();
#define SRC(n) sel_float_src(c, alu, n, i)
   switch ((int)alu->op) {
   case NIR_OP_fadd:
      return add_floats(c, size, SRC(0), SRC(1));
   case NIR_OP_fsub:
      return add_floats(c, size, SRC(0), agx_neg(SRC(1)));
   case NIR_OP_fmul:
      return multiply(c, size, SRC(0), SRC(1));
   case NIR_OP_fmulz:
      return multiply_zero(c, alu, i);
   case NIR_OP_ffma:
      return multiply_add(c, size, SRC(0), SRC(1), SRC(2));
   case NIR_OP_fneg: /* changes only the sign: a sum would quiet NaNs and flush denormals */
      return agx_xor(b, size, sel_alu_src(c, alu, 0, i), sel_imm(c, size, 1u << (size - 1)));
   case NIR_OP_fabs:
      return agx_and(b, size, sel_alu_src(c, alu, 0, i), sel_imm(c, size, (1u << (size - 1)) - 1));
   case NIR_OP_fsat: {
      const struct agx_ref result = add_floats(c, size, SRC(0), minus_zero);
      b->last->mod.sat = 1;
      return result;
   }
   case NIR_OP_fsign:
      return sign(c, alu, i);
   case NIR_OP_fmin:
   case NIR_OP_fmax:
      return minmax(c, alu, i);
   case NIR_OP_ffract: {
      const struct agx_ref x = SRC(0);
      return add_floats(c, size, x, agx_neg(agx_floor(b, size, x)));
   }
   case NIR_OP_fsqrt: {
      const struct agx_ref x = SRC(0);
      return agx_fmul(b, size, x, agx_rsqrts(b, 32, x));
   }
   case NIR_OP_fsin:
   case NIR_OP_fcos: {
      const struct agx_ref result = sine(c, SRC(0), alu->op == NIR_OP_fcos);
      return size == 16 ? agx_fadd(b, 16, result, minus_zero) : result;
   }
   case NIR_OP_fdot2:
      return dot(c, alu, 2);
   case NIR_OP_fdot3:
      return dot(c, alu, 3);
   case NIR_OP_fdot4:
      return dot(c, alu, 4);
   default: /* others: of the table, or no floats */
      break;
   }
   if (nir_op_infos[alu->op].flags & NIR_OP_FLAG_DERIVATIVE)
      c->out->fs.disables_tri_merging = true; /* the quad is one primitive's */
   for (unsigned n = 0; n < ARRAY_SIZE(unary); n++) {
      if (unary[n].nir == alu->op)
         return unary[n].build(b, size, SRC(0));
   }
   return none;
#undef SRC
}

static bool
takes_saturation(const struct agx_instr *instr)
{
   return instr->op == AGX_OP_FADD || instr->op == AGX_OP_FMUL || instr->op == AGX_OP_FFMA ||
          instr->op == AGX_OP_HADD || instr->op == AGX_OP_HMUL || instr->op == AGX_OP_HFMA;
}

bool
sel_alu_float(struct sel *c, struct nir_alu_instr *alu)
{
   if (alu->def.bit_size == 64 || (nir_op_infos[alu->op].num_srcs && alu->src[0].src.def->bit_size == 64) ||
       nir_op_infos[alu->op].dest_base != NIR_TYPE_FLOAT)
      return false;
   const bool done = c->values[alu->def.index].comp[0].kind != AGX_NONE; /* with the saturation of its source */
   if (done)
      return true;
   struct nir_alu_instr *saturation = sel_only_user(&alu->def, NIR_OP_fsat);
   for (unsigned i = 0; i < alu->def.num_components; i++) {
      const struct agx_ref result = component(c, alu, i);
      if (result.kind == AGX_NONE)
         return false;
      c->b.last->exact |= alu->exact;
      sel_set(c, &alu->def, i, result);
   }
   if (saturation && alu->def.num_components == 1 && saturation->def.num_components == 1 &&
       saturation->def.bit_size == alu->def.bit_size && takes_saturation(c->b.last) &&
       c->b.last->dsts[0].value == c->values[alu->def.index].comp[0].value) {
      c->b.last->mod.sat = 1;
      sel_set(c, &saturation->def, 0, c->values[alu->def.index].comp[0]);
   }
   return true;
}
