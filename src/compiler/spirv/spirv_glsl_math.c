#include "compiler/spirv/spirv_glsl_math.h"

#include <math.h>
#include <spirv/unified1/GLSL.std.450.h>

#include "util/macros.h"

bool
spirv_glsl_is_math(uint32_t instruction)
{
   switch (instruction) {
   case GLSLstd450Radians:
   case GLSLstd450Degrees:
   case GLSLstd450Tan:
   case GLSLstd450Asin:
   case GLSLstd450Acos:
   case GLSLstd450Atan:
   case GLSLstd450Sinh:
   case GLSLstd450Cosh:
   case GLSLstd450Tanh:
   case GLSLstd450Asinh:
   case GLSLstd450Acosh:
   case GLSLstd450Atanh:
   case GLSLstd450Atan2:
   case GLSLstd450Exp:
   case GLSLstd450Log:
      return true;
   default: /* others: not of this file */
      return false;
   }
}

/* c[0] + c[1] t + ... by Horner's rule. */
static struct nir_def *
polynomial(struct nir_builder *b, struct nir_def *t, const double *c, unsigned count)
{
   struct nir_def *sum = nir_imm_float(b, (float)c[count - 1]);
   for (unsigned i = count - 1; i-- > 0;)
      sum = nir_ffma(b, sum, t, nir_imm_float(b, (float)c[i]));
   return sum;
}

/* atan(t) for t in [0, 1]: t P(t^2), minimax for the relative error (1e-7). */
static struct nir_def *
atan_unit(struct nir_builder *b, struct nir_def *t)
{
   static const double c[] = {0.999999901,  -0.333319907,  0.199697239,  -0.140194807,
                              0.0991429233, -0.0594863869, 0.0242523992, -0.00469327507};
   return nir_fmul(b, t, polynomial(b, nir_fmul(b, t, t), c, ARRAY_SIZE(c)));
}

/* Of a zero, too. */
static struct nir_def *
with_sign_of(struct nir_builder *b, struct nir_def *magnitude, struct nir_def *sign)
{
   return nir_ior(b, magnitude, nir_iand_imm(b, sign, UINT64_C(1) << (sign->bit_size - 1)));
}

static struct nir_def *
atan_1(struct nir_builder *b, struct nir_def *x)
{
   struct nir_def *a = nir_fabs(b, x), *steep = nir_flt(b, nir_imm_float(b, 1), a);
   struct nir_def *angle = atan_unit(b, nir_bcsel(b, steep, nir_frcp(b, a), a));
   return with_sign_of(b, nir_bcsel(b, steep, nir_fsub(b, nir_imm_float(b, (float)M_PI_2), angle), angle), x);
}

/* The angle of the point (x, y). Both are scaled down where the quotient's reciprocal would underflow; two infinities
 * lie on a diagonal; the origin has the angle 0 or pi. */
static struct nir_def *
atan_2(struct nir_builder *b, struct nir_def *y, struct nir_def *x)
{
   struct nir_def *ax = nir_fabs(b, x), *ay = nir_fabs(b, y);
   struct nir_def *large = nir_fmax(b, ax, ay), *small = nir_fmin(b, ax, ay);
   struct nir_def *scale =
      nir_bcsel(b, nir_fge_imm(b, large, 0x1p100), nir_imm_float(b, 0x1p-32f), nir_imm_float(b, 1));
   struct nir_def *slope = nir_fdiv(b, nir_fmul(b, small, scale), nir_fmul(b, large, scale));
   slope = nir_bcsel(b, nir_feq_imm(b, large, 0), nir_imm_float(b, 0), slope);
   slope = nir_bcsel(b, nir_feq(b, small, large), nir_bcsel(b, nir_feq_imm(b, large, 0), slope, nir_imm_float(b, 1)),
                     slope);
   struct nir_def *angle = atan_unit(b, slope);
   angle = nir_bcsel(b, nir_flt(b, ax, ay), nir_fsub(b, nir_imm_float(b, (float)M_PI_2), angle), angle);
   angle = nir_bcsel(b, nir_flt_imm(b, x, 0), nir_fsub(b, nir_imm_float(b, (float)M_PI), angle), angle);
   if (b->exact) /* fmin and fmax lose NaNs */
      angle = nir_bcsel(b, nir_funord(b, x, y), nir_fadd(b, x, y), angle);
   return with_sign_of(b, angle, y);
}

/* asin(x) for x in [0, 1/2]: x + x^3 P(x^2), minimax (5e-9). */
static struct nir_def *
asin_half(struct nir_builder *b, struct nir_def *x)
{
   static const double c[] = {0.166667525, 0.0749529775, 0.0454703647, 0.0241795639, 0.0421662325};
   struct nir_def *square = nir_fmul(b, x, x);
   return nir_ffma(b, nir_fmul(b, x, square), polynomial(b, square, c, ARRAY_SIZE(c)), x);
}

/* asin(|x|) near 0; 2 asin(sqrt((1 - |x|) / 2)) = acos(|x|) near 1. */
static struct nir_def *
asin_or_acos(struct nir_builder *b, struct nir_def *x, bool is_acos)
{
   struct nir_def *a = nir_fabs(b, x), *outer = nir_flt(b, nir_imm_float(b, 0.5f), a);
   struct nir_def *root = nir_fsqrt(b, nir_fmul_imm(b, nir_fsub(b, nir_imm_float(b, 1), a), 0.5));
   struct nir_def *angle = asin_half(b, nir_bcsel(b, outer, root, a));
   struct nir_def *half_pi = nir_imm_float(b, (float)M_PI_2), *twice = nir_fmul_imm(b, angle, 2);
   if (!is_acos)
      return with_sign_of(b, nir_bcsel(b, outer, nir_fsub(b, half_pi, twice), angle), x);
   struct nir_def *mirrored =
      nir_bcsel(b, nir_flt_imm(b, x, 0), nir_fsub(b, nir_imm_float(b, (float)M_PI), twice), twice);
   return nir_bcsel(b, outer, mirrored, nir_fsub(b, half_pi, with_sign_of(b, angle, x)));
}

static struct nir_def *
exp_(struct nir_builder *b, struct nir_def *x)
{
   return nir_fexp2(b, nir_fmul_imm(b, x, M_LOG2E));
}

static struct nir_def *
log_(struct nir_builder *b, struct nir_def *x)
{
   return nir_fmul_imm(b, nir_flog2(b, x), M_LN2);
}

static struct nir_def *
hyperbolic(struct nir_builder *b, uint32_t instruction, struct nir_def *x)
{
   /* Beyond 10 tanh is 1 in 32 bits, and the quotient would become infinity over infinity. */
   if (instruction == GLSLstd450Tanh)
      x = nir_fmin(b, nir_fmax(b, x, nir_imm_float(b, -10)), nir_imm_float(b, 10));
   struct nir_def *up = exp_(b, x), *down = exp_(b, nir_fneg(b, x));
   if (instruction == GLSLstd450Sinh)
      return nir_fmul_imm(b, nir_fsub(b, up, down), 0.5);
   if (instruction == GLSLstd450Cosh)
      return nir_fmul_imm(b, nir_fadd(b, up, down), 0.5);
   return nir_fdiv(b, nir_fsub(b, up, down), nir_fadd(b, up, down));
}

static struct nir_def *
inverse_hyperbolic(struct nir_builder *b, uint32_t instruction, struct nir_def *x)
{
   struct nir_def *one = nir_imm_float(b, 1), *a = nir_fabs(b, x);
   switch (instruction) {
   case GLSLstd450Asinh:
      return with_sign_of(b, log_(b, nir_fadd(b, a, nir_fsqrt(b, nir_ffma(b, a, a, one)))), x);
   case GLSLstd450Acosh:
      return log_(b, nir_fadd(b, x, nir_fsqrt(b, nir_fsub(b, nir_fmul(b, x, x), one))));
   default: /* others: Atanh */
      return nir_fmul_imm(b, log_(b, nir_fdiv(b, nir_fadd(b, one, x), nir_fsub(b, one, x))), 0.5);
   }
}

static struct nir_def *
function(struct nir_builder *b, uint32_t instruction, struct nir_def *x, struct nir_def *y)
{
   switch (instruction) {
   case GLSLstd450Radians:
      return nir_fmul_imm(b, x, M_PI / 180);
   case GLSLstd450Degrees:
      return nir_fmul_imm(b, x, 180 / M_PI);
   case GLSLstd450Tan:
      return nir_fdiv(b, nir_fsin(b, x), nir_fcos(b, x));
   case GLSLstd450Asin:
      return asin_or_acos(b, x, false);
   case GLSLstd450Acos:
      return asin_or_acos(b, x, true);
   case GLSLstd450Atan:
      return atan_1(b, x);
   case GLSLstd450Atan2:
      return atan_2(b, x, y);
   case GLSLstd450Exp:
      return exp_(b, x);
   case GLSLstd450Log:
      return log_(b, x);
   case GLSLstd450Sinh:
   case GLSLstd450Cosh:
   case GLSLstd450Tanh:
      return hyperbolic(b, instruction, x);
   default: /* others: Asinh, Acosh, Atanh */
      return inverse_hyperbolic(b, instruction, x);
   }
}

struct nir_def *
spirv_glsl_math(struct nir_builder *b, uint32_t instruction, struct nir_def *x, struct nir_def *y)
{
   unsigned bits = x->bit_size;
   struct nir_def *result = function(b, instruction, nir_f2fN(b, x, 32), y ? nir_f2fN(b, y, 32) : NULL);
   return nir_f2fN(b, result, bits);
}
