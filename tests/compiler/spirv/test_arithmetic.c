/* Arithmetic, conversions and GLSL.std.450: what the translated shader computes against C. */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdlib.h>

#include <cmocka.h>

#include "spirv_test.h"
#include "util/macros.h"

#pragma GCC diagnostic ignored "-Wparentheses"
#pragma GCC diagnostic ignored "-Wunused-variable"
#pragma GCC diagnostic ignored "-Wunused-but-set-variable"

#define LANES 64
#define STRIDE 512
#define RESULTS 16

struct expectation {
   char kind; /* 0: no row */
   uint64_t bits;
   float about;
};

static int32_t
floor_mod(int32_t a, int32_t b)
{
   int32_t r = a % b;
   return r && (r < 0) != (b < 0) ? r + b : r;
}

static uint32_t
reverse(uint32_t x)
{
   uint32_t r = 0;
   for (unsigned i = 0; i < 32; i++)
      r |= (x >> i & 1) << (31 - i);
   return r;
}

static uint32_t
bits(float x)
{
   return float_bits(x);
}

static float
smooth(float x)
{
   float t = fminf(fmaxf((x + 4) / 8, 0), 1);
   return t * t * (3 - 2 * t);
}

static uint32_t
snorm(float x, float scale, uint32_t mask)
{
   return (uint32_t)(int32_t)rintf(fminf(fmaxf(x, -1), 1) * scale) & mask;
}

static uint32_t
unorm(float x, float scale)
{
   return (uint32_t)rintf(fminf(fmaxf(x, 0), 1) * scale);
}

static int
msb(uint32_t x)
{
   return x ? 31 - __builtin_clz(x) : -1;
}

static int
power_of(float x)
{
   int power;
   frexpf(x, &power);
   return power;
}

static void
expect(const uint32_t *in, struct expectation *out)
{
   /* size: one line per row of the table */
   const float fa = bits_float(in[0]), fb = bits_float(in[1]), fc = bits_float(in[2]);
   const int32_t ia = (int32_t)in[3], ib = (int32_t)in[4];
   const uint32_t ua = in[5], ub = in[6];
   const uint64_t qa = in[8] | (uint64_t)in[9] << 32, qb = in[10] | (uint64_t)in[11] << 32;
   const int64_t la = (int64_t)qa, lb = (int64_t)qb;
   const double da = bits_double(in[12] | (uint64_t)in[13] << 32), db = fb;
   int ignored;
#define F(n, glsl, c) out[n] = (struct expectation){'F', float_bits(c), 0};
#define A(n, glsl, c) out[n] = (struct expectation){'A', 0, c};
#define U(n, glsl, c) out[n] = (struct expectation){'U', (uint32_t)(c), 0};
#define L(n, glsl, c) out[n] = (struct expectation){'L', (uint64_t)(c), 0};
#define D(n, glsl, c) out[n] = (struct expectation){'D', double_bits(c), 0};
#include "shaders/arithmetic.inl"
}

static const char *const texts[] = {
#undef F
#undef A
#undef U
#undef L
#undef D
#define F(n, glsl, c) [n] = #glsl,
#define A F
#define U F
#define L F
#define D F
#include "shaders/arithmetic.inl"
};

static uint32_t
next(uint64_t *seed)
{
   *seed = *seed * 6364136223846793005u + 1442695040888963407u;
   return (uint32_t)(*seed >> 32);
}

static void
fill(uint32_t *in, uint64_t *seed, unsigned lane)
{
   in[0] = float_bits(lane ? (float)((int32_t)next(seed) >> 16) / 4096 : 0.0f);
   in[1] = float_bits((float)((int32_t)next(seed) >> 20 | 1) / 512);
   in[2] = float_bits((float)((int32_t)next(seed) >> 16) / 40000);
   in[3] = lane % 4 ? (uint32_t)((int32_t)next(seed) >> (lane % 16)) : lane;
   in[4] = (uint32_t)((int32_t)next(seed) >> (lane % 29)) | 1;
   in[5] = lane == 1 ? 0 : next(seed) >> (lane % 20);
   in[6] = (next(seed) >> (lane % 31)) | 1;
   if (lane % 8 == 5)
      in[6] = in[5] | 1, in[4] = in[3] | 1;
   in[8] = next(seed);
   in[9] = (uint32_t)((int32_t)next(seed) >> 4);
   in[10] = next(seed) | 1;
   in[11] = lane % 2 ? 0 : (uint32_t)((int32_t)next(seed) >> 12);
   uint64_t d = double_bits((double)(int32_t)next(seed) / 1000);
   in[12] = (uint32_t)d;
   in[13] = (uint32_t)(d >> 32);
}

static bool
is_near(float is, float want)
{
   return fabsf(is - want) <= 4e-6f * fabsf(want) + 4e-6f || (isnan(is) && isnan(want)) || is == want;
}

static void
check_lane(unsigned lane, const uint32_t *data, bool exact)
{
   struct expectation rows[ARRAY_SIZE(texts)] = {0};
   expect(data, rows);
   for (unsigned i = 0; i < ARRAY_SIZE(texts); i++) {
      const uint32_t *result = data + RESULTS + 2 * i;
      uint64_t is = rows[i].kind == 'L' || rows[i].kind == 'D' ? result[0] | (uint64_t)result[1] << 32 : result[0];
      if (!rows[i].kind)
         continue;
      float number = bits_float(result[0]);
      bool ok = rows[i].kind == 'A' ? is_near(number, rows[i].about)
                : rows[i].kind == 'F' && !exact
                   ? is_near(number, bits_float((uint32_t)rows[i].bits))
                   : is == rows[i].bits || (rows[i].kind == 'F' && number == bits_float((uint32_t)rows[i].bits));
      if (!ok)
         fail_msg("lane %u row %u: %s is %#llx (%g), not %#llx (%g)", lane, i, texts[i], (unsigned long long)is,
                  (double)number, (unsigned long long)rows[i].bits,
                  (double)(rows[i].kind == 'A' ? rows[i].about : bits_float((uint32_t)rows[i].bits)));
   }
}

static void
against_c(bool optimize)
{
   static uint32_t data[LANES * STRIDE];
   uint64_t seed = 1;
   struct spirv_test_module module = spirv_test_load("arithmetic.comp.spv");
   const struct spirv_options options = {.stage = NIR_STAGE_COMPUTE, .features = SPIRV_FEATURE_ALL};
   for (unsigned lane = 0; lane < LANES; lane++)
      fill(data + lane * STRIDE, &seed, lane);
   spirv_test_run(&module, &options, optimize, LANES, data, sizeof(data));
   for (unsigned lane = 0; lane < LANES; lane++)
      check_lane(lane, data + lane * STRIDE, !optimize);
   free(module.words);
}

static void
as_translated(void **state)
{
   against_c(false);
}

static void
optimized(void **state)
{
   against_c(true);
}

int
main(void)
{
   const struct CMUnitTest tests[] = {cmocka_unit_test(as_translated), cmocka_unit_test(optimized)};
   return cmocka_run_group_tests(tests, NULL, NULL);
}
