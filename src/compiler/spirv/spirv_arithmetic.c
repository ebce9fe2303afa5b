/* Arithmetic, logic and comparisons on scalars and vectors. */
#include "compiler/spirv/spirv_alu.h"
#include "compiler/spirv/spirv_emit.h"

/* ---- one nir opcode ---- */

static struct nir_def *
row_operand(struct spirv_emit *e, const struct spirv_alu_row *row, uint32_t id, const struct spirv_type *result)
{
   const struct spirv_ssa *ssa = spirv_ssa(e, id);
   const struct spirv_type *type = ssa->type;
   bool fits = row->flags & SPIRV_ALU_INT     ? spirv_is_int(type)
               : row->flags & SPIRV_ALU_FLOAT ? spirv_is_float(type)
                                              : spirv_is_bool(type);
   spirv_require(e->m, fits && type->components == result->components, "operand %%%u has the wrong type", id);
   spirv_require(e->m, !(row->flags & SPIRV_ALU_UNSIGNED) || !type->is_signed, "operand %%%u must be unsigned", id);
   spirv_require(e->m, !(row->flags & SPIRV_ALU_32) || type->bit_size == 32, "operand %%%u must have 32 bits", id);
   return ssa->def;
}

static void
table_row(struct spirv_emit *e, const uint32_t *w, const struct spirv_alu_row *row)
{
   const struct spirv_type *type = spirv_result_type(e, w);
   struct nir_def *src[2] = {NULL};
   uint32_t count = nir_op_infos[row->nir].num_srcs;
   for (uint32_t i = 0; i < count; i++)
      src[i] = row_operand(e, row, w[3 + i], type);
   if (row->flags & SPIRV_ALU_SHIFT)
      src[1] = nir_u2uN(&e->b, src[1], 32);
   else if (count == 2)
      spirv_require(e->m, src[0]->bit_size == src[1]->bit_size, "the operands have different sizes");
   if (row->flags & SPIRV_ALU_COMPARE)
      spirv_require(e->m, spirv_is_bool(type), "the result of a comparison is boolean");
   else
      spirv_require(e->m, row->flags & SPIRV_ALU_FLOAT ? spirv_is_float(type) : spirv_is_int(type),
                    "the result has the wrong type");
   if (nir_op_infos[row->nir].flags & NIR_OP_FLAG_DERIVATIVE)
      spirv_require(e->m, spirv_has_derivatives(e), "a derivative in a shader that has none");
   if (row->flags & SPIRV_ALU_SWAP) {
      struct nir_def *first = src[0];
      src[0] = src[1];
      src[1] = first;
   }
   struct nir_def *result = nir_build_alu(&e->b, (enum nir_op)row->nir, src[0], src[1], NULL, NULL);
   spirv_set_def(e, w, row->flags & SPIRV_ALU_NOT ? nir_inot(&e->b, result) : result);
}

/* ---- several ---- */

static struct nir_def *
float_operand(struct spirv_emit *e, const uint32_t *w, uint32_t index)
{
   const struct spirv_type *type = spirv_result_type(e, w);
   spirv_require(e->m, spirv_is_float(type), "the result is no float");
   return spirv_def_of(e, w[index], type);
}

/* x - y * floor(x / y), with the sign of y; or x - y * trunc(x / y), with the sign of x. */
static void
float_remainder(struct spirv_emit *e, const uint32_t *w)
{
   struct nir_builder *b = &e->b;
   struct nir_def *x = float_operand(e, w, 3), *y = float_operand(e, w, 4), *quotient = nir_fdiv(b, x, y);
   quotient = spirv_opcode(w) == SpvOpFMod ? nir_ffloor(b, quotient) : nir_ftrunc(b, quotient);
   spirv_set_def(e, w, nir_fsub(b, x, nir_fmul(b, y, quotient)));
}

/* FOrdNotEqual is false for a NaN, FUnordEqual true. */
static void
float_equality(struct spirv_emit *e, const uint32_t *w)
{
   struct nir_builder *b = &e->b;
   const struct spirv_ssa *x = spirv_ssa(e, w[3]), *y = spirv_ssa(e, w[4]);
   spirv_require(e->m, spirv_is_float(x->type) && x->type == y->type && spirv_is_bool(spirv_result_type(e, w)),
                 "the types do not fit");
   if (spirv_opcode(w) == SpvOpFOrdNotEqual)
      spirv_set_def(e, w, nir_iand(b, nir_ford(b, x->def, y->def), nir_fneu(b, x->def, y->def)));
   else
      spirv_set_def(e, w, nir_ior(b, nir_funord(b, x->def, y->def), nir_feq(b, x->def, y->def)));
}

static void
any_all(struct spirv_emit *e, const uint32_t *w)
{
   const struct spirv_ssa *x = spirv_ssa(e, w[3]);
   spirv_require(e->m, x->type->kind == SPIRV_TYPE_VECTOR && spirv_is_bool(x->type), "%%%u is no boolean vector",
                 w[3]);
   struct nir_def *result = nir_channel(&e->b, x->def, 0);
   for (uint32_t i = 1; i < x->type->components; i++) {
      struct nir_def *next = nir_channel(&e->b, x->def, i);
      result = spirv_opcode(w) == SpvOpAny ? nir_ior(&e->b, result, next) : nir_iand(&e->b, result, next);
   }
   spirv_set_def(e, w, result);
}

static void
dot(struct spirv_emit *e, const uint32_t *w)
{
   const struct spirv_ssa *x = spirv_ssa(e, w[3]), *y = spirv_ssa(e, w[4]);
   spirv_require(e->m,
                 x->type->kind == SPIRV_TYPE_VECTOR && spirv_is_float(x->type) && x->type == y->type &&
                    spirv_result_type(e, w) == x->type->element,
                 "the types do not fit");
   spirv_set_def(e, w, nir_fdot(&e->b, x->def, y->def));
}

/* High half of a product of any size. */
static struct nir_def *
multiply_high(struct nir_builder *b, struct nir_def *x, struct nir_def *y, bool is_signed)
{
   unsigned bits = x->bit_size;
   if (bits == 32)
      return is_signed ? nir_imul_high(b, x, y) : nir_umul_high(b, x, y);
   if (bits < 32) {
      struct nir_def *wide_x = is_signed ? nir_i2iN(b, x, 32) : nir_u2uN(b, x, 32);
      struct nir_def *wide_y = is_signed ? nir_i2iN(b, y, 32) : nir_u2uN(b, y, 32);
      return nir_u2uN(b, nir_ushr_imm(b, nir_imul(b, wide_x, wide_y), bits), bits);
   }
   /* Schoolbook in halves of 32 bits; the signed result follows from the unsigned one. */
   struct nir_def *mask = nir_imm_int64(b, UINT32_MAX);
   struct nir_def *x0 = nir_iand(b, x, mask), *x1 = nir_ushr_imm(b, x, 32);
   struct nir_def *y0 = nir_iand(b, y, mask), *y1 = nir_ushr_imm(b, y, 32);
   struct nir_def *middle = nir_iadd(b, nir_imul(b, x1, y0), nir_ushr_imm(b, nir_imul(b, x0, y0), 32));
   struct nir_def *cross = nir_iadd(b, nir_imul(b, x0, y1), nir_iand(b, middle, mask));
   struct nir_def *high =
      nir_iadd(b, nir_imul(b, x1, y1), nir_iadd(b, nir_ushr_imm(b, middle, 32), nir_ushr_imm(b, cross, 32)));
   if (!is_signed)
      return high;
   high = nir_isub(b, high, nir_iand(b, nir_ishr_imm(b, x, 63), y));
   return nir_isub(b, high, nir_iand(b, nir_ishr_imm(b, y, 63), x));
}

/* Operations with two results, a structure. */
static void
extended(struct spirv_emit *e, const uint32_t *w)
{
   struct nir_builder *b = &e->b;
   const struct spirv_type *type = spirv_result_type(e, w);
   spirv_require(e->m,
                 type->kind == SPIRV_TYPE_STRUCT && type->length == 2 &&
                    type->members[0].type == type->members[1].type && spirv_is_int(type->members[0].type),
                 "the result is no structure of two equal integers");
   const struct spirv_type *member = type->members[0].type;
   struct nir_def *x = spirv_def_of(e, w[3], member), *y = spirv_def_of(e, w[4], member), *low, *high;
   switch (spirv_opcode(w)) {
   case SpvOpIAddCarry:
      low = nir_iadd(b, x, y);
      high = nir_uadd_carry(b, x, y);
      break;
   case SpvOpISubBorrow:
      low = nir_isub(b, x, y);
      high = nir_usub_borrow(b, x, y);
      break;
   default: /* others: UMulExtended, SMulExtended */
      low = nir_imul(b, x, y);
      high = multiply_high(b, x, y, spirv_opcode(w) == SpvOpSMulExtended);
   }
   struct spirv_ssa *result = spirv_ssa_new(e, type);
   spirv_ssa_put(e, result, 0, spirv_ssa_of_def(e, member, low));
   spirv_ssa_put(e, result, 1, spirv_ssa_of_def(e, member, high));
   spirv_set_ssa(e, w, result);
}

static void
width(struct spirv_emit *e, const uint32_t *w)
{
   struct nir_builder *b = &e->b;
   struct nir_def *x = float_operand(e, w, 3);
   spirv_require(e->m, spirv_has_derivatives(e), "a derivative in a shader that has none");
   spirv_require(e->m, x->bit_size == 32, "a derivative takes 32-bit floats");
   struct nir_def *dx, *dy;
   if (spirv_opcode(w) == SpvOpFwidthFine) {
      dx = nir_fddx_fine(b, x);
      dy = nir_fddy_fine(b, x);
   } else if (spirv_opcode(w) == SpvOpFwidthCoarse) {
      dx = nir_fddx_coarse(b, x);
      dy = nir_fddy_coarse(b, x);
   } else {
      dx = nir_fddx(b, x);
      dy = nir_fddy(b, x);
   }
   spirv_set_def(e, w, nir_fadd(b, nir_fabs(b, dx), nir_fabs(b, dy)));
}

static bool
special(struct spirv_emit *e, const uint32_t *w)
{
   switch (spirv_opcode(w)) {
   case SpvOpFMod:
   case SpvOpFRem:
      float_remainder(e, w);
      return true;
   case SpvOpFOrdNotEqual:
   case SpvOpFUnordEqual:
      float_equality(e, w);
      return true;
   case SpvOpAny:
   case SpvOpAll:
      any_all(e, w);
      return true;
   case SpvOpDot:
      dot(e, w);
      return true;
   case SpvOpIAddCarry:
   case SpvOpISubBorrow:
   case SpvOpUMulExtended:
   case SpvOpSMulExtended:
      extended(e, w);
      return true;
   case SpvOpFwidth:
   case SpvOpFwidthFine:
   case SpvOpFwidthCoarse:
      width(e, w);
      return true;
   default: /* others: not of this file */
      return false;
   }
}

bool
spirv_emit_arithmetic(struct spirv_emit *e, const uint32_t *w)
{
   const struct spirv_alu_row *row = spirv_alu_row(spirv_opcode(w));
   if (!row)
      return special(e, w);
   table_row(e, w, row);
   return true;
}
