/* The extended instruction set GLSL.std.450 (but for trigonometry, spirv_glsl_math.c). Operands start at w[5]. */
#include <spirv/unified1/GLSL.std.450.h>

#include "compiler/nir/nir_deref.h"
#include "compiler/spirv/spirv_emit.h"
#include "compiler/spirv/spirv_glsl_math.h"
#include "util/macros.h"

enum {
   INT = 1,        /* operands and result: integers, else floats */
   SIZE_32 = 2,    /* of 32 bits only */
   SIZE_16_32 = 4, /* not of 64 bits */
};

/* Those that are one nir opcode. */
static const struct {
   uint16_t nir;
   uint8_t exists, flags;
} rows[] = {
   [GLSLstd450Round] = {NIR_OP_fround_even, 1, 0},
   [GLSLstd450RoundEven] = {NIR_OP_fround_even, 1, 0},
   [GLSLstd450Trunc] = {NIR_OP_ftrunc, 1, 0},
   [GLSLstd450FAbs] = {NIR_OP_fabs, 1, 0},
   [GLSLstd450SAbs] = {NIR_OP_iabs, 1, INT},
   [GLSLstd450FSign] = {NIR_OP_fsign, 1, 0},
   [GLSLstd450SSign] = {NIR_OP_isign, 1, INT},
   [GLSLstd450Floor] = {NIR_OP_ffloor, 1, 0},
   [GLSLstd450Ceil] = {NIR_OP_fceil, 1, 0},
   [GLSLstd450Fract] = {NIR_OP_ffract, 1, 0},
   [GLSLstd450Sin] = {NIR_OP_fsin, 1, SIZE_16_32},
   [GLSLstd450Cos] = {NIR_OP_fcos, 1, SIZE_16_32},
   [GLSLstd450Pow] = {NIR_OP_fpow, 1, SIZE_16_32},
   [GLSLstd450Exp2] = {NIR_OP_fexp2, 1, SIZE_16_32},
   [GLSLstd450Log2] = {NIR_OP_flog2, 1, SIZE_16_32},
   [GLSLstd450Sqrt] = {NIR_OP_fsqrt, 1, 0},
   [GLSLstd450InverseSqrt] = {NIR_OP_frsq, 1, 0},
   [GLSLstd450FMin] = {NIR_OP_fmin, 1, 0},
   [GLSLstd450UMin] = {NIR_OP_umin, 1, INT},
   [GLSLstd450SMin] = {NIR_OP_imin, 1, INT},
   [GLSLstd450FMax] = {NIR_OP_fmax, 1, 0},
   [GLSLstd450UMax] = {NIR_OP_umax, 1, INT},
   [GLSLstd450SMax] = {NIR_OP_imax, 1, INT},
   [GLSLstd450NMin] = {NIR_OP_fmin, 1, 0},
   [GLSLstd450NMax] = {NIR_OP_fmax, 1, 0},
   [GLSLstd450Fma] = {NIR_OP_ffma, 1, 0},
   [GLSLstd450FindILsb] = {NIR_OP_find_lsb, 1, INT | SIZE_32},
   [GLSLstd450FindSMsb] = {NIR_OP_ifind_msb, 1, INT | SIZE_32},
   [GLSLstd450FindUMsb] = {NIR_OP_ufind_msb, 1, INT | SIZE_32},
};

/* Operand i, of the same shape as the result. */
static struct nir_def *
operand(struct spirv_emit *e, const uint32_t *w, unsigned i, unsigned flags)
{
   const struct spirv_type *type = spirv_result_type(e, w);
   const struct spirv_ssa *ssa = spirv_ssa(e, w[5 + i]);
   bool is_int = flags & INT;
   spirv_require(e->m,
                 is_int ? spirv_is_int(type) && spirv_is_int(ssa->type) : spirv_is_float(type) && type == ssa->type,
                 "operand %%%u has the wrong type", w[5 + i]);
   spirv_require(e->m, type->components == ssa->type->components && type->bit_size == ssa->type->bit_size,
                 "operand %%%u has the wrong size", w[5 + i]);
   spirv_require(e->m, !(flags & SIZE_32) || type->bit_size == 32, "the type must have 32 bits");
   spirv_require(e->m, !(flags & SIZE_16_32) || type->bit_size <= 32, "the type must have 16 or 32 bits");
   return ssa->def;
}

static struct nir_def *
float_operand(struct spirv_emit *e, const uint32_t *w, unsigned i)
{
   return operand(e, w, i, 0);
}

/* ---- mixtures of arithmetic ---- */

static bool
clamps(struct spirv_emit *e, const uint32_t *w)
{
   struct nir_builder *b = &e->b;
   unsigned flags = w[4] == GLSLstd450UClamp || w[4] == GLSLstd450SClamp ? INT : 0;
   if (w[4] != GLSLstd450FClamp && w[4] != GLSLstd450NClamp && !flags)
      return false;
   struct nir_def *x = operand(e, w, 0, flags), *low = operand(e, w, 1, flags), *high = operand(e, w, 2, flags);
   if (w[4] == GLSLstd450UClamp)
      x = nir_umin(b, nir_umax(b, x, low), high);
   else if (w[4] == GLSLstd450SClamp)
      x = nir_imin(b, nir_imax(b, x, low), high);
   else
      x = nir_fmin(b, nir_fmax(b, x, low), high);
   spirv_set_def(e, w, x);
   return true;
}

static struct nir_def *
smooth_step(struct nir_builder *b, struct nir_def *low, struct nir_def *high, struct nir_def *x)
{
   struct nir_def *t = nir_fsat(b, nir_fdiv(b, nir_fsub(b, x, low), nir_fsub(b, high, low)));
   struct nir_def *rest = nir_fsub(b, nir_imm_floatN(b, 3, t->bit_size), nir_fmul_imm(b, t, 2));
   return nir_fmul(b, nir_fmul(b, t, t), rest);
}

static bool
blends(struct spirv_emit *e, const uint32_t *w)
{
   struct nir_builder *b = &e->b;
   struct nir_def *result, *x, *y, *a;
   switch (w[4]) {
   case GLSLstd450FMix:
      x = float_operand(e, w, 0), y = float_operand(e, w, 1), a = float_operand(e, w, 2);
      result = nir_fadd(b, nir_fmul(b, x, nir_fsub(b, nir_imm_floatN(b, 1, a->bit_size), a)), nir_fmul(b, y, a));
      break;
   case GLSLstd450Step:
      x = float_operand(e, w, 0), y = float_operand(e, w, 1);
      result = nir_b2fN(b, nir_inot(b, nir_flt(b, y, x)), x->bit_size);
      break;
   case GLSLstd450SmoothStep:
      x = float_operand(e, w, 0), y = float_operand(e, w, 1), a = float_operand(e, w, 2);
      result = smooth_step(b, x, y, a);
      break;
   default: /* others: not of this function */
      return false;
   }
   spirv_set_def(e, w, result);
   return true;
}

/* ---- geometry ---- */

static struct nir_def *
cross(struct nir_builder *b, struct nir_def *x, struct nir_def *y)
{
   static const unsigned yzx[3] = {1, 2, 0}, zxy[3] = {2, 0, 1};
   return nir_fsub(b, nir_fmul(b, nir_swizzle(b, x, yzx, 3), nir_swizzle(b, y, zxy, 3)),
                   nir_fmul(b, nir_swizzle(b, x, zxy, 3), nir_swizzle(b, y, yzx, 3)));
}

static struct nir_def *
refract(struct nir_builder *b, struct nir_def *i, struct nir_def *n, struct nir_def *eta)
{
   unsigned bits = i->bit_size;
   struct nir_def *one = nir_imm_floatN(b, 1, bits), *d = nir_fdot(b, n, i);
   struct nir_def *k = nir_fsub(b, one, nir_fmul(b, nir_fmul(b, eta, eta), nir_fsub(b, one, nir_fmul(b, d, d))));
   struct nir_def *along = nir_fadd(b, nir_fmul(b, eta, d), nir_fsqrt(b, nir_fmax(b, k, nir_imm_floatN(b, 0, bits))));
   struct nir_def *result = nir_fsub(b, nir_fmul(b, i, eta), nir_fmul(b, n, along));
   return nir_bcsel(b, nir_flt_imm(b, k, 0), nir_imm_zero(b, result->num_components, bits), result);
}

/* The result is a scalar, the operands are vectors or scalars of one type. */
static bool
lengths(struct spirv_emit *e, const uint32_t *w)
{
   struct nir_builder *b = &e->b;
   if (w[4] != GLSLstd450Length && w[4] != GLSLstd450Distance)
      return false;
   const struct spirv_ssa *x = spirv_ssa(e, w[5]);
   spirv_require(e->m, spirv_is_float(x->type) && spirv_result_type(e, w)->components == 1, "the types do not fit");
   struct nir_def *v = x->def;
   if (w[4] == GLSLstd450Distance)
      v = nir_fsub(b, v, spirv_def_of(e, w[6], x->type));
   spirv_set_def(e, w, v->num_components == 1 ? nir_fabs(b, v) : nir_fsqrt(b, nir_fdot(b, v, v)));
   return true;
}

static bool
geometry(struct spirv_emit *e, const uint32_t *w)
{
   struct nir_builder *b = &e->b;
   struct nir_def *x, *y, *z, *result;
   switch (w[4]) {
   case GLSLstd450Cross:
      x = float_operand(e, w, 0), y = float_operand(e, w, 1);
      spirv_require(e->m, x->num_components == 3, "a cross product takes vectors of 3");
      result = cross(b, x, y);
      break;
   case GLSLstd450Normalize:
      x = float_operand(e, w, 0);
      result = nir_fmul(b, x, nir_frsq(b, nir_fdot(b, x, x)));
      break;
   case GLSLstd450FaceForward:
      x = float_operand(e, w, 0), y = float_operand(e, w, 1), z = float_operand(e, w, 2);
      result = nir_bcsel(b, nir_flt_imm(b, nir_fdot(b, z, y), 0), x, nir_fneg(b, x));
      break;
   case GLSLstd450Reflect:
      x = float_operand(e, w, 0), y = float_operand(e, w, 1);
      result = nir_fsub(b, x, nir_fmul(b, y, nir_fmul_imm(b, nir_fdot(b, y, x), 2)));
      break;
   case GLSLstd450Refract: {
      const struct spirv_type *eta = spirv_type_of(e, w[7]);
      x = float_operand(e, w, 0), y = float_operand(e, w, 1);
      spirv_require(e->m, spirv_is_float(eta) && eta->components == 1, "eta is no scalar");
      result = refract(b, x, y, nir_f2fN(b, spirv_def(e, w[7]), x->bit_size));
      break;
   }
   default: /* others: not of this file */
      return false;
   }
   spirv_set_def(e, w, result);
   return true;
}

static bool
matrices(struct spirv_emit *e, const uint32_t *w)
{
   if (w[4] != GLSLstd450Determinant && w[4] != GLSLstd450MatrixInverse)
      return false;
   const struct spirv_ssa *m = spirv_ssa(e, w[5]);
   spirv_require(e->m, m->type->kind == SPIRV_TYPE_MATRIX && m->type->columns == m->type->components,
                 "%%%u is no square matrix", w[5]);
   if (w[4] == GLSLstd450Determinant)
      spirv_set_def(e, w, spirv_determinant(e, m));
   else
      spirv_set_ssa(e, w, spirv_inverse(e, m));
   return true;
}

/* ---- two results ---- */

/* An exponent has the width that its type says: 16 bits too. */
static struct nir_def *
fitted(struct spirv_emit *e, const struct spirv_type *type, struct nir_def *value)
{
   bool narrower = spirv_is_int(type) && type->bit_size != value->bit_size;
   return narrower ? nir_i2iN(&e->b, value, type->bit_size) : value;
}

/* The second result goes through a pointer, or both are a structure. */
static void
two_results(struct spirv_emit *e, const uint32_t *w, bool is_struct, struct nir_def *first, struct nir_def *second)
{
   const struct spirv_type *type = spirv_result_type(e, w);
   if (is_struct) {
      spirv_require(e->m, type->kind == SPIRV_TYPE_STRUCT && type->length == 2, "the result is no structure of two");
      struct spirv_ssa *result = spirv_ssa_new(e, type);
      spirv_ssa_put(e, result, 0, spirv_ssa_of_def(e, type->members[0].type, first));
      second = fitted(e, type->members[1].type, second);
      spirv_ssa_put(e, result, 1, spirv_ssa_of_def(e, type->members[1].type, second));
      spirv_set_ssa(e, w, result);
      return;
   }
   const struct spirv_pointer *pointer = spirv_pointer(e, w[6]);
   spirv_store(e, pointer, spirv_ssa_of_def(e, pointer->type, fitted(e, pointer->type, second)), 0);
   spirv_set_def(e, w, first);
}

static bool
splits(struct spirv_emit *e, const uint32_t *w)
{
   struct nir_builder *b = &e->b;
   bool is_modf = w[4] == GLSLstd450Modf || w[4] == GLSLstd450ModfStruct;
   if (!is_modf && w[4] != GLSLstd450Frexp && w[4] != GLSLstd450FrexpStruct)
      return false;
   const struct spirv_ssa *x = spirv_ssa(e, w[5]);
   spirv_require(e->m, spirv_is_float(x->type), "%%%u is no float", w[5]);
   bool is_struct = w[4] == GLSLstd450ModfStruct || w[4] == GLSLstd450FrexpStruct;
   if (is_modf) {
      struct nir_def *whole = nir_ftrunc(b, x->def);
      /* x - trunc(x) would be NaN for an infinity, and the fraction keeps the sign. */
      struct nir_def *rest =
         nir_bcsel(b, nir_fisinf(b, x->def), nir_imm_zero(b, x->type->components, x->def->bit_size),
                   nir_fsub(b, x->def, whole));
      rest = nir_ior(b, rest, nir_iand_imm(b, x->def, UINT64_C(1) << (x->def->bit_size - 1)));
      two_results(e, w, is_struct, rest, whole);
   } else {
      two_results(e, w, is_struct, nir_ffrexp_sig(b, x->def), nir_ffrexp_exp(b, x->def));
   }
   return true;
}

static void
ldexp_(struct spirv_emit *e, const uint32_t *w)
{
   const struct spirv_ssa *exponent = spirv_ssa(e, w[6]);
   struct nir_def *x = float_operand(e, w, 0);
   spirv_require(e->m, spirv_is_int(exponent->type) && exponent->type->components == x->num_components,
                 "%%%u is no integer of the same shape", w[6]);
   spirv_set_def(e, w, nir_fldexp(&e->b, x, nir_i2iN(&e->b, exponent->def, 32)));
}

/* ---- packing ---- */

static bool
packing(struct spirv_emit *e, const uint32_t *w)
{
   static const struct {
      uint16_t instruction, nir;
      uint8_t components, bits; /* of the operand */
   } packs[] = {
      {GLSLstd450PackSnorm4x8, NIR_OP_pack_snorm_4x8, 4, 32},
      {GLSLstd450PackUnorm4x8, NIR_OP_pack_unorm_4x8, 4, 32},
      {GLSLstd450PackSnorm2x16, NIR_OP_pack_snorm_2x16, 2, 32},
      {GLSLstd450PackUnorm2x16, NIR_OP_pack_unorm_2x16, 2, 32},
      {GLSLstd450PackHalf2x16, NIR_OP_pack_half_2x16, 2, 32},
      {GLSLstd450PackDouble2x32, NIR_OP_pack_64_2x32, 2, 32},
      {GLSLstd450UnpackSnorm4x8, NIR_OP_unpack_snorm_4x8, 1, 32},
      {GLSLstd450UnpackUnorm4x8, NIR_OP_unpack_unorm_4x8, 1, 32},
      {GLSLstd450UnpackSnorm2x16, NIR_OP_unpack_snorm_2x16, 1, 32},
      {GLSLstd450UnpackUnorm2x16, NIR_OP_unpack_unorm_2x16, 1, 32},
      {GLSLstd450UnpackHalf2x16, NIR_OP_unpack_half_2x16, 1, 32},
      {GLSLstd450UnpackDouble2x32, NIR_OP_unpack_64_2x32, 1, 64},
   };
   for (unsigned i = 0; i < ARRAY_SIZE(packs); i++) {
      if (packs[i].instruction != w[4])
         continue;
      const struct spirv_ssa *x = spirv_ssa(e, w[5]);
      bool from_float =
         nir_op_infos[packs[i].nir].src_base[0] == NIR_TYPE_FLOAT || w[4] == GLSLstd450UnpackDouble2x32;
      spirv_require(e->m,
                    x->def && x->type->components == packs[i].components && x->type->bit_size == packs[i].bits &&
                       (from_float ? spirv_is_float(x->type) : spirv_is_int(x->type)),
                    "%%%u has the wrong type", w[5]);
      spirv_set_def(e, w, nir_build_alu(&e->b, (enum nir_op)packs[i].nir, x->def, NULL, NULL, NULL));
      return true;
   }
   return false;
}

/* ---- interpolation ---- */

static bool
interpolation(struct spirv_emit *e, const uint32_t *w)
{
   if (w[4] < GLSLstd450InterpolateAtCentroid || w[4] > GLSLstd450InterpolateAtOffset)
      return false;
   struct nir_builder *b = &e->b;
   const struct spirv_pointer *pointer = spirv_pointer(e, w[5]);
   const struct spirv_type *type = spirv_result_type(e, w);
   spirv_require(
      e->m, pointer->deref && pointer->deref->mode == NIR_VAR_SHADER_IN && e->shader->stage == NIR_STAGE_FRAGMENT,
      "%%%u is no input of a fragment shader", w[5]);
   spirv_require(e->m, !nir_deref_variable(pointer->deref)->per_vertex, "%%%u is not interpolated", w[5]);
   spirv_require(e->m, pointer->type == type && spirv_is_float(type) && type->bit_size == 32, "the types do not fit");
   struct nir_def *deref = &pointer->deref->def;
   if (w[4] == GLSLstd450InterpolateAtCentroid) {
      spirv_set_def(e, w, nir_interp_deref_at_centroid(b, type->components, 32, deref));
   } else if (w[4] == GLSLstd450InterpolateAtSample) {
      spirv_set_def(e, w, nir_interp_deref_at_sample(b, type->components, 32, deref, spirv_index(e, w[6])));
   } else {
      struct nir_def *offset = spirv_def(e, w[6]);
      spirv_require(e->m,
                    spirv_is_float(spirv_type_of(e, w[6])) && offset->num_components == 2 && offset->bit_size == 32,
                    "the offset is no vector of 2 floats");
      spirv_set_def(e, w, nir_interp_deref_at_offset(b, type->components, 32, deref, offset));
   }
   return true;
}

static bool
mathematics(struct spirv_emit *e, const uint32_t *w)
{
   if (!spirv_glsl_is_math(w[4]))
      return false;
   struct nir_def *x = operand(e, w, 0, SIZE_16_32);
   struct nir_def *y = spirv_length(w) > 6 ? operand(e, w, 1, SIZE_16_32) : NULL;
   spirv_set_def(e, w, spirv_glsl_math(&e->b, w[4], x, y));
   return true;
}

void
spirv_emit_glsl(struct spirv_emit *e, const uint32_t *w)
{
   if (w[4] < ARRAY_SIZE(rows) && rows[w[4]].exists) {
      struct nir_def *src[3] = {NULL};
      for (unsigned i = 0; i < nir_op_infos[rows[w[4]].nir].num_srcs; i++)
         src[i] = operand(e, w, i, rows[w[4]].flags);
      struct nir_def *result = nir_build_alu(&e->b, (enum nir_op)rows[w[4]].nir, src[0], src[1], src[2], NULL);
      if (w[4] == GLSLstd450FSign && e->b.exact) /* a NaN has some sign, or none */
         result = nir_bcsel(&e->b, nir_fisnan(&e->b, src[0]),
                            nir_imm_zero(&e->b, result->num_components, result->bit_size), result);
      spirv_set_def(e, w, result);
   } else if (w[4] == GLSLstd450Ldexp) {
      ldexp_(e, w);
   } else if (!clamps(e, w) && !blends(e, w) && !lengths(e, w) && !geometry(e, w) && !matrices(e, w) &&
              !splits(e, w) && !packing(e, w) && !interpolation(e, w) && !mathematics(e, w)) {
      spirv_fail(e->m, "%s is not supported", spirv_glsl_infos[w[4]].name);
   }
}
