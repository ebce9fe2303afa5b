/* v_div_scale and v_div_fmas: the steps of a division that keep it in range, and right to the last bit. Source:
 * "RDNA 3.5" ISA, these operations. Where the quotient is too small and the denominator large, too, the denominator
 * is made smaller: the document makes it larger, which overflows. v_div_fmas multiplies by what the exponent of its
 * addend asks for; documents name one direction only. Both are assumed: LLVM's divisions are exact so
 * (tests/amd/sim/test_divide.c). */
#include <math.h>
#include <string.h>

#include "amd/sim/wave/exec_private.h"
#include "util/macros.h"

/* 113 bits, of what the ABI of each host has. */
#if defined(__x86_64__)
typedef __float128 quad;
#else
typedef long double quad;
#endif

/* Biased exponents. */
struct format {
   int mantissa_bits, exponent_mask, bias;
   int far; /* as much larger is a numerator whose quotient may overflow */
   int tiny, scale;
};

static const struct format single = {23, 0xff, 127, 96, 23, 64}, twice = {52, 0x7ff, 1023, 768, 53, 128};

static int
exponent_of(const struct format *f, uint64_t bits)
{
   return (int)(bits >> f->mantissa_bits) & f->exponent_mask;
}

static bool
is_denormal(const struct format *f, uint64_t bits)
{
   return !exponent_of(f, bits) && bits & bit_mask(f->mantissa_bits);
}

static uint64_t
bits_of(const struct format *f, double value)
{
   return f == &single ? float_bits((float)value) : double_bits(value);
}

static double
value_of(const struct format *f, uint64_t bits)
{
   return f == &single ? (double)bits_float((uint32_t)bits) : bits_double(bits);
}

/* Below what a normal number is. */
static bool
is_small(const struct format *f, double value)
{
   return fabs(value) < ldexp(1, 1 - f->bias);
}

/* Of the operand, which is the numerator or the denominator; *unscale: v_div_fmas has something to undo. */
static uint64_t
scaled(const struct format *f, uint64_t operand, uint64_t den, uint64_t num, bool *unscale)
{
   double d = value_of(f, den), n = value_of(f, num), value = value_of(f, operand);
   bool small_inverse = is_small(f, 1 / d), small = is_small(f, n / d);
   bool is_den = operand == den;
   int by = 0;
   *unscale = false;
   if (d == 0 || n == 0)
      return bits_of(f, (double)NAN);
   if (exponent_of(f, num) - exponent_of(f, den) >= f->far) {
      *unscale = true;
      by = is_den ? f->scale : 0;
   } else if (is_denormal(f, den)) {
      by = f->scale;
   } else if (small_inverse && small) {
      *unscale = true;
      by = is_den ? -f->scale : 0;
   } else if (small_inverse) {
      by = -f->scale;
   } else if (small) {
      *unscale = true;
      by = operand == num ? f->scale : 0;
   } else if (exponent_of(f, num) <= f->tiny) {
      by = f->scale;
   }
   return bits_of(f, ldexp(value, by));
}

static void
div_scale_f32(struct lanes *x)
{
   x->mask = 0;
   for (int i = 0; i < HALF; i++) {
      bool unscale;
      x->d[i] = (uint32_t)scaled(&single, x->a[i], x->b[i], x->c[i], &unscale);
      x->mask |= (uint32_t)unscale << i;
   }
}

static uint64_t
join(uint32_t low, uint32_t high)
{
   return low | (uint64_t)high << 32;
}

static void
div_scale_f64(struct lanes *x)
{
   x->mask = 0;
   for (int i = 0; i < HALF; i++) {
      bool unscale;
      uint64_t r =
         scaled(&twice, join(x->a[i], x->a_hi[i]), join(x->b[i], x->b_hi[i]), join(x->c[i], x->c_hi[i]), &unscale);
      x->d[i] = (uint32_t)r;
      x->d_hi[i] = (uint32_t)(r >> 32);
      x->mask |= (uint32_t)unscale << i;
   }
}

/* Rounded once. */
static quad
unscaled(const struct format *f, double a, double b, double c, uint64_t c_bits)
{
   bool large = exponent_of(f, c_bits) > f->bias;
   quad sum = (quad)a * b + c;
   return large ? sum * ldexp(1, f->scale) : sum * ldexp(1, -f->scale);
}

static void
div_fmas_f32(struct lanes *x)
{
   for (int i = 0; i < HALF; i++) {
      float a = bits_float(x->a[i]), b = bits_float(x->b[i]), c = bits_float(x->c[i]);
      bool scales = x->carry_in >> i & 1;
      x->d[i] =
         float_bits(scales ? (float)unscaled(&single, (double)a, (double)b, (double)c, x->c[i]) : fmaf(a, b, c));
   }
}

static void
div_fmas_f64(struct lanes *x)
{
   for (int i = 0; i < HALF; i++) {
      uint64_t c_bits = join(x->c[i], x->c_hi[i]);
      double a = bits_double(join(x->a[i], x->a_hi[i])), b = bits_double(join(x->b[i], x->b_hi[i]));
      double c = bits_double(c_bits);
      uint64_t r = double_bits(x->carry_in >> i & 1 ? (double)unscaled(&twice, a, b, c, c_bits) : fma(a, b, c));
      x->d[i] = (uint32_t)r;
      x->d_hi[i] = (uint32_t)(r >> 32);
   }
}

kernel_fn
exec_division(enum amd_op op)
{
   switch ((int)op) { /* others: none */
   case AMD_OP_v_div_scale_f32:
      return div_scale_f32;
   case AMD_OP_v_div_scale_f64:
      return div_scale_f64;
   case AMD_OP_v_div_fmas_f32:
      return div_fmas_f32;
   case AMD_OP_v_div_fmas_f64:
      return div_fmas_f64;
   }
   return NULL;
}
