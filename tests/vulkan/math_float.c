/* Every floating-point operation of SPIR-V and GLSL.std.450 in 16, 32 and 64 bits, as scalars and as vectors, on all
 * pairs of remarkable numbers; compared with long doubles within the precision that Vulkan demands. */
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "vkt_dispatch.h"

#define CODE(name) static const uint32_t name[] =
CODE(half_scalar){
#include "math_float_16_1.inc"
};
CODE(half_vector){
#include "math_float_16_4.inc"
};
CODE(single_scalar){
#include "math_float_32_1.inc"
};
CODE(single_vector){
#include "math_float_32_4.inc"
};
CODE(double_scalar){
#include "math_float_64_1.inc"
};
CODE(double_vector){
#include "math_float_64_4.inc"
};

/* A binary format. */
static const struct format {
   const char *name;
   unsigned bits, mantissa; /* explicit bits */
   int max_exponent;        /* largest number: just below 2^max_exponent */
} formats[3] = {{"half", 16, 10, 16}, {"float", 32, 23, 128}, {"double", 64, 52, 1024}};

/* RADV 22 gives NaN for a power of 0 whose base is 0 or infinite: GLSL leaves it undefined. */
static bool ours;

struct row {
   const char *text;
   bool defined, is_int;
   long double value, ulps, error;
};

enum { MAX_ROWS = 160, LANES = 4096, NUM_REMARKABLE = 40 };

static long double
smallest_normal(const struct format *format)
{
   return ldexpl(1, 2 - format->max_exponent);
}

static long double
decode(const struct format *format, uint64_t bits)
{
   const int bias = format->max_exponent - 1;
   const uint64_t fraction = bits & ((UINT64_C(1) << format->mantissa) - 1);
   const int exponent = (int)(bits >> format->mantissa & (uint64_t)(2 * bias + 1));
   const bool negative = bits >> (format->bits - 1) & 1;
   long double x = exponent == 2 * bias + 1 ? (fraction ? NAN : INFINITY)
                   : exponent               ? ldexpl((long double)(fraction | UINT64_C(1) << format->mantissa),
                                                     exponent - bias - (int)format->mantissa)
                                            : ldexpl((long double)fraction, 1 - bias - (int)format->mantissa);
   return negative ? -x : x;
}

static uint64_t
encode(unsigned size, long double x)
{
   union {
      _Float16 h;
      float f;
      double d;
      uint64_t bits;
   } u = {.bits = 0};
   if (size == 0)
      u.h = (_Float16)x;
   else if (size == 1)
      u.f = (float)x;
   else
      u.d = (double)x;
   return u.bits;
}

/* Distance of neighbours at x. */
static long double
ulp_of(const struct format *format, long double x)
{
   int exponent;
   frexpl(fmaxl(fabsl(x), smallest_normal(format)), &exponent);
   return ldexpl(1, exponent - 1 - (int)format->mantissa);
}

static long double
smooth(long double low, long double high, long double x)
{
   long double t = fminl(fmaxl((x - low) / (high - low), 0), 1);
   return t * t * (3 - 2 * t);
}

static int
power_of(long double x)
{
   int power;
   frexpl(x, &power);
   return x == 0 ? 0 : power;
}

static long double
determinant3(const long double m[9])
{
   return m[0] * (m[4] * m[8] - m[5] * m[7]) - m[1] * (m[3] * m[8] - m[5] * m[6]) +
          m[2] * (m[3] * m[7] - m[4] * m[6]);
}

static long double
determinant4(long double a, long double b, long double c)
{
   const long double m[4][4] = {{a, b, c, 1}, {b, 2, c, a}, {0, c, 3, b}, {1, 0, a, 4}};
   long double sum = 0;
   for (unsigned skip = 0; skip < 4; skip++) {
      long double minor[9];
      for (unsigned i = 0, n = 0; i < 12; i++) {
         if (i % 4 != skip)
            minor[n++] = m[1 + i / 4][i % 4];
      }
      sum += (skip % 2 ? -1 : 1) * m[0][skip] * determinant3(minor);
   }
   return sum;
}

/* The rows of a triple of operands; returns how many there are. */
static unsigned
expect(const struct format *format, unsigned vector, const long double *in, struct row *rows)
{
   /* size: a flat table */
   const long double a = in[0], b = in[1], c = in[2], EPSILON = ldexpl(1, -(int)format->mantissa);
   const long double LARGEST = ldexpl(2 - EPSILON, format->max_exponent - 1);
   const long double T = format->bits == 16 ? ldexpl(1, -7) : ldexpl(1, -11);
   unsigned n = 0;
   int ignored;
#define NORMAL(x) (fabsl(x) >= smallest_normal(format) && fabsl(x) <= LARGEST)
#define FINITE(x) ((x) == 0 || NORMAL(x))
#define MODERATE(x) ((x) == 0 || (fabsl(x) < (format->bits == 16 ? 32 : 65536) && fabsl(x) > 1e-3L))
#define SMALL(x) (fabsl(x) <= 2.5L && ((x) == 0 || fabsl(x) > 1e-3L))
#define SQUARES (a * a + b * b + c * c > 0.01L)
#define UNORDERED(x, y) (isnan(x) || isnan(y))
#define E(x) (format->bits == 16 ? 1 + 2 * fabsl(x) : 3 + 2 * fabsl(x))
#define L(x) ((x) >= 0.5L && (x) <= 2 ? (format->bits == 16 ? ldexpl(1, -7) : ldexpl(1, -21)) : 0)
#define F(d, u, e, glsl, v) rows[n++] = (struct row){#glsl, d, false, v, u, e};
#define I(d, glsl, v) rows[n++] = (struct row){#glsl, d, true, v, 0, 0};
#define FT (long double)
#define TINY smallest_normal(format)
#define BITS_OF format->bits
#define M(d, u, e, glsl, v)                                                                                          \
   if (format->bits < 64)                                                                                            \
      rows[n++] = (struct row){#glsl, d, false, v, u, e};
#define S(d, u, e, glsl, v)                                                                                          \
   if (vector == 1)                                                                                                  \
      rows[n++] = (struct row){#glsl, d, false, v, u, e};
#include "shaders/math_float.inl"
   return n;
}

/* A result that is right for one reading of the operands (denormals may be zeros). */
static bool
is_right(const struct format *format, const struct row *row, uint64_t bits)
{
   if (!row->defined)
      return true;
   if (row->is_int)
      return (int32_t)bits == (int32_t)row->value;
   const long double got = decode(format, bits), want = row->value;
   if (isnan(want))
      return isnan(got);
   const long double largest = ldexpl(2 - ldexpl(1, -(int)format->mantissa), format->max_exponent - 1);
   const long double error = row->error + (row->ulps + 1e-3L) * ulp_of(format, want);
   if (isinf(want) || fabsl(want) + error >= largest + ulp_of(format, largest) / 2) {
      if (isinf(got) && got * want > 0)
         return true;
   }
   if (isnan(got) || isinf(got) || isinf(want))
      return false;
   if (fabsl(want) < smallest_normal(format) && got == 0)
      return true;
   return fabsl(got - want) <= error;
}

/* Remarkable numbers of a format, some of the last being random. */
static void
fill_numbers(unsigned size, long double *numbers)
{
   const struct format *format = &formats[size];
   const long double normal = smallest_normal(format), epsilon = ldexpl(1, -(int)format->mantissa);
   const long double largest = ldexpl(2 - epsilon, format->max_exponent - 1), integers = 1 / epsilon;
   /* clang-format off */
   const long double list[] = {
      0, -0.0L, 1, -1, 0.5L, -0.5L, 2, -2.5L, 3, 3.5L, 1.5L, 0.1L, -0.3L, M_PI, 10, -7.75L, 100.7L, 0.99999L, 0.25L,
      1 + epsilon, 1 - epsilon / 2, integers, 1.5L * integers, integers / 2 - 0.5L, -integers / 4 - 0.25L,
      normal, normal / 4, -3 * normal, largest, -largest / 2, INFINITY, -INFINITY, NAN, 2 * normal * integers,
      1.25L, -0.75L};
   /* clang-format on */
   const unsigned count = sizeof(list) / sizeof(*list);
   for (unsigned i = 0; i < NUM_REMARKABLE; i++)
      numbers[i] = i < count ? list[i] : ((long double)vkt_random() / 0x1p28L - 8);
   for (unsigned i = 0; i < NUM_REMARKABLE; i++)
      numbers[i] = decode(format, encode(size, numbers[i]));
}

static void
fill_operands(unsigned size, uint64_t *words)
{
   long double numbers[NUM_REMARKABLE];
   fill_numbers(size, numbers);
   for (unsigned lane = 0; lane < LANES; lane++) {
      const unsigned pair = lane % (NUM_REMARKABLE * NUM_REMARKABLE);
      const bool remarkable = lane < NUM_REMARKABLE * NUM_REMARKABLE;
      const long double triple[3] = {numbers[pair % NUM_REMARKABLE], numbers[pair / NUM_REMARKABLE],
                                     numbers[vkt_random_below(NUM_REMARKABLE)]};
      const long double range = lane % 3 ? 4 : 100;
      for (unsigned i = 0; i < 3; i++)
         words[lane * 3 + i] =
            encode(size, remarkable ? triple[i] : ((long double)vkt_random() / 0x1p31L - 1) * range);
   }
}

static void
check_lane(unsigned size, unsigned vector, unsigned lane, const uint64_t *operands, const uint64_t *results,
           unsigned *wrong)
{
   const struct format *format = &formats[size];
   struct row rows[2][MAX_ROWS];
   long double in[2][3];
   unsigned count = 0;
   for (unsigned i = 0; i < 3; i++) {
      in[0][i] = decode(format, operands[lane * 3 + i]);
      in[1][i] = fabsl(in[0][i]) < smallest_normal(format) ? 0 : in[0][i];
   }
   for (unsigned flushed = 0; flushed < 2; flushed++)
      count = expect(format, vector, in[flushed], rows[flushed]);
   for (unsigned i = 0; i < count; i++) {
      const uint64_t bits = results[i * LANES + lane];
      if (is_right(format, &rows[0][i], bits) || is_right(format, &rows[1][i], bits) || wrong[i]++ > 2)
         continue;
      printf("   %s x%u, %s: a %Lg b %Lg c %Lg: %Lg (%#llx), not %Lg\n", format->name, vector, rows[0][i].text,
             in[0][0], in[0][1], in[0][2], rows[0][i].is_int ? (long double)(int32_t)bits : decode(format, bits),
             (unsigned long long)bits, rows[0][i].value);
   }
}

static void
run_math(struct vkx *vkx, unsigned size, unsigned vector, struct vkt_code code)
{
   struct vkx_buffer buffers[2] = {vkt_buffer_create(vkx, LANES * 3 * 8, 0),
                                   vkt_buffer_create(vkx, MAX_ROWS * LANES * 8, 0xaa)};
   unsigned wrong[MAX_ROWS] = {0};
   struct row rows[MAX_ROWS];
   fill_operands(size, buffers[0].map);
   vkt_dispatch(vkx, &(struct vkt_dispatch){code, 2, buffers, .groups = LANES / 64 / vector});
   for (unsigned lane = 0; lane < LANES; lane++)
      check_lane(size, vector, lane, buffers[0].map, buffers[1].map, wrong);
   const unsigned count = expect(&formats[size], vector, (const long double[3]){1, 1, 1}, rows);
   for (unsigned i = 0; i < count; i++)
      vkt_expect(!wrong[i], "%s x%u: %s: %u of %u results", formats[size].name, vector, rows[i].text, wrong[i],
                 LANES);
   vkx_buffer_destroy(vkx, &buffers[0]);
   vkx_buffer_destroy(vkx, &buffers[1]);
}

int
main(void)
{
   struct vkx vkx = vkt_create("math_float");
   ours = vkt_is_indium(&vkx);
   run_math(&vkx, 1, 1, VKT_CODE(single_scalar));
   run_math(&vkx, 1, 4, VKT_CODE(single_vector));
   if (vkt_float16) {
      run_math(&vkx, 0, 1, VKT_CODE(half_scalar));
      run_math(&vkx, 0, 4, VKT_CODE(half_vector));
   } else {
      vkt_skip("16-bit floats");
   }
   if (vkt_features.shaderFloat64) {
      run_math(&vkx, 2, 1, VKT_CODE(double_scalar));
      run_math(&vkx, 2, 4, VKT_CODE(double_vector));
   } else {
      vkt_skip("64-bit floats");
   }
   return vkt_finish(&vkx);
}
