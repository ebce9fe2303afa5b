/* Every integer operation in 8 to 64 bits, as scalars and as vectors; every conversion between types of numbers. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "vkt_dispatch.h"

#define CODE(name) static const uint32_t name[] =
CODE(int_8_1){
#include "math_int_8_1.inc"
};
CODE(int_8_4){
#include "math_int_8_4.inc"
};
CODE(int_16_1){
#include "math_int_16_1.inc"
};
CODE(int_16_4){
#include "math_int_16_4.inc"
};
CODE(int_32_1){
#include "math_int_32_1.inc"
};
CODE(int_32_4){
#include "math_int_32_4.inc"
};
CODE(int_64_1){
#include "math_int_64_1.inc"
};
CODE(int_64_4){
#include "math_int_64_4.inc"
};
CODE(convert_0){
#include "math_convert_0.inc"
};
CODE(convert_1){
#include "math_convert_1.inc"
};
CODE(convert_2){
#include "math_convert_2.inc"
};
CODE(convert_3){
#include "math_convert_3.inc"
};
CODE(convert_4){
#include "math_convert_4.inc"
};
CODE(convert_5){
#include "math_convert_5.inc"
};
CODE(convert_6){
#include "math_convert_6.inc"
};
CODE(convert_7){
#include "math_convert_7.inc"
};
CODE(convert_8){
#include "math_convert_8.inc"
};
CODE(convert_9){
#include "math_convert_9.inc"
};
CODE(convert_10){
#include "math_convert_10.inc"
};
CODE(convert_11){
#include "math_convert_11.inc"
};
CODE(double_0){
#include "math_convert_double_0.inc"
};
CODE(double_1){
#include "math_convert_double_1.inc"
};
CODE(double_2){
#include "math_convert_double_2.inc"
};
CODE(double_3){
#include "math_convert_double_3.inc"
};
CODE(double_4){
#include "math_convert_double_4.inc"
};
CODE(double_5){
#include "math_convert_double_5.inc"
};
CODE(double_6){
#include "math_convert_double_6.inc"
};
CODE(double_7){
#include "math_convert_double_7.inc"
};
CODE(double_8){
#include "math_convert_double_8.inc"
};
CODE(double_9){
#include "math_convert_double_9.inc"
};
CODE(double_11){
#include "math_convert_double_11.inc"
};

enum { LANES = 1024, MAX_ROWS = 80, NUM_TYPES = 12, DOUBLE = 10 };

struct row {
   const char *text;
   bool defined;
   uint64_t value;
};

/* ---- integers ---- */

static int64_t
sign_extend(uint64_t x, unsigned bits)
{
   return (int64_t)(x << (64 - bits)) >> (64 - bits);
}

static int64_t
divide(int64_t a, int64_t b)
{
   return b == 0 || (b == -1 && a == INT64_MIN) ? 0 : a / b;
}

static int64_t
remainder_of(int64_t a, int64_t b)
{
   return b == 0 || b == -1 ? 0 : a % b;
}

static int64_t
modulo_of(int64_t a, int64_t b)
{
   const int64_t r = remainder_of(a, b);
   return r && (r < 0) != (b < 0) ? r + b : r;
}

/* findMSB of a signed number of 32 bits. */
static uint64_t
highest(int64_t a)
{
   const uint64_t x = a < 0 ? ~(uint64_t)a : (uint64_t)a;
   return x ? (uint64_t)(63 - __builtin_clzll(x)) : UINT64_MAX;
}

static uint64_t
reverse(uint64_t x)
{
   uint64_t r = 0;
   for (unsigned i = 0; i < 32; i++)
      r |= (x >> i & 1) << (31 - i);
   return r;
}

static unsigned
expect(unsigned bits, unsigned vector, const uint64_t in[3], struct row *rows)
{
   const uint64_t mask = bits == 64 ? UINT64_MAX : (UINT64_C(1) << bits) - 1, u = in[0], v = in[1], s = in[2];
   const int64_t a = sign_extend(u, bits), b = sign_extend(v, bits);
   const int64_t MOST_NEGATIVE = sign_extend(UINT64_C(1) << (bits - 1), bits);
   unsigned n = 0;
#define narrow(x) ((x) & mask)
#define R(d, glsl, c) rows[n++] = (struct row){#glsl, d, narrow((uint64_t)(c))};
#define O(glsl, c) rows[n++] = (struct row){#glsl, true, c};
/* A shift that differs between lanes is no operand of the vector forms: there it is 0. */
#define W(d, glsl, c)                                                                                                \
   if (bits == 32)                                                                                                   \
      rows[n++] = (struct row){#glsl, (d) && (vector == 1 || !strstr(#glsl, "BITS_OF_LANE")), narrow((uint64_t)(c))};
#include "shaders/math_int.inl"
   return n;
}

static void
run_int(struct vkx *vkx, unsigned bits, unsigned vector, struct vkt_code code)
{
   /* clang-format off */
   static const uint64_t remarkable[] = {
      0, 1, 2, 3, 5, 7, 10, 0x55, 0x7f, 0x80, 0x81, 0xfe, 0xff, 0x100, 0x7fff, 0x8000, 0x8001, 0xffff, 0x10000,
      0x12345678, 0x7fffffff, 0x80000000, 0x80000001, 0xffffffff, 0x100000000, 0x7fffffffffffffff,
      0x8000000000000000, 0xfffffffffffffffe, 0xffffffffffffffff, 0x123456789abcdef, 0xfffffffffffffff0, 1000};
   /* clang-format on */
   const uint64_t mask = bits == 64 ? UINT64_MAX : (UINT64_C(1) << bits) - 1;
   struct vkx_buffer buffers[2] = {vkt_buffer_create(vkx, (LANES + 512) * 24, 0),
                                   vkt_buffer_create(vkx, MAX_ROWS * LANES * 8, 0xaa)};
   uint64_t *in = buffers[0].map;
   const uint64_t *out = buffers[1].map;
   unsigned wrong[MAX_ROWS] = {0}, count = 0;
   struct row rows[MAX_ROWS];
   for (unsigned lane = 0; lane < LANES; lane++) {
      for (unsigned i = 0; i < 2; i++)
         in[3 * lane + i] =
            mask & (lane < 900 ? remarkable[(i ? lane / 32 : lane) % 32]
                               : (vkt_random() | (uint64_t)vkt_random() << 32) >> vkt_random_below(bits));
      in[3 * lane + 2] = vkt_random_below(bits);
   }
   vkt_dispatch(vkx, &(struct vkt_dispatch){code, 2, buffers, .groups = LANES / 64 / vector});
   for (unsigned lane = 0; lane < LANES; lane++) {
      count = expect(bits, vector, in + 3 * lane, rows);
      for (unsigned i = 0; i < count; i++) {
         const uint64_t got = out[i * LANES + lane] & mask;
         if (!rows[i].defined || got == rows[i].value || wrong[i]++ > 1)
            continue;
         printf("   int%u x%u, %s: u %#llx v %#llx s %llu: %#llx, not %#llx\n", bits, vector, rows[i].text,
                (unsigned long long)in[3 * lane], (unsigned long long)in[3 * lane + 1],
                (unsigned long long)in[3 * lane + 2], (unsigned long long)got, (unsigned long long)rows[i].value);
      }
   }
   for (unsigned i = 0; i < count; i++)
      vkt_expect(!wrong[i], "int%u x%u: %s: %u of %u results", bits, vector, rows[i].text, wrong[i], LANES);
   vkx_buffer_destroy(vkx, &buffers[0]);
   vkx_buffer_destroy(vkx, &buffers[1]);
}

/* ---- conversions ---- */

/* RADV 22.3.6 puts the mantissa of a large float into the wrong half of a uint64, is one off for -2^63, and takes the
 * low half or less of large integers that become float16. */
static bool
is_wrong_in_radv(const char *from, const char *to)
{
   static const char *const pairs[][2] = {
      {"uint32", "float16"}, {"int64", "float16"}, {"uint64", "float16"}, {"float", "int64"}, {"float", "uint64"}};
   for (unsigned i = 0; i < 5; i++) {
      if (!strcmp(pairs[i][0], from) && !strcmp(pairs[i][1], to))
         return true;
   }
   return false;
}

enum kind { SIGNED, UNSIGNED, FLOATING, BOOLEAN };

static const struct type {
   const char *name;
   enum kind kind;
   unsigned bits;
} types[NUM_TYPES] = {{"int8", SIGNED, 8},      {"uint8", UNSIGNED, 8},   {"int16", SIGNED, 16},
                      {"uint16", UNSIGNED, 16}, {"int32", SIGNED, 32},    {"uint32", UNSIGNED, 32},
                      {"int64", SIGNED, 64},    {"uint64", UNSIGNED, 64}, {"float16", FLOATING, 16},
                      {"float", FLOATING, 32},  {"double", FLOATING, 64}, {"bool", BOOLEAN, 1}};

union number {
   uint64_t bits;
   double d;
   float f;
   _Float16 h;
};

static long double
decode(const struct type *type, uint64_t bits)
{
   const union number n = {.bits = bits};
   switch (type->kind) {
   case SIGNED:
      return (long double)sign_extend(bits, type->bits);
   case UNSIGNED:
      return (long double)(type->bits == 64 ? bits : bits & ((UINT64_C(1) << type->bits) - 1));
   case FLOATING:
      return type->bits == 16 ? (long double)n.h : type->bits == 32 ? (long double)n.f : (long double)n.d;
   case BOOLEAN:
      return bits & 1;
   }
   abort();
}

static uint64_t
encode_float(unsigned bits, long double x)
{
   union number n = {.bits = 0};
   if (bits == 16)
      n.h = (_Float16)x;
   else if (bits == 32)
      n.f = (float)x;
   else
      n.d = (double)x;
   return n.bits;
}

static long double
smallest_normal(const struct type *type)
{
   return ldexpl(1, type->bits == 16 ? -14 : type->bits == 32 ? -126 : -1022);
}

/* Rounded either way; denormals may become 0. */
static bool
is_float_right(const struct type *to, long double x, long double got)
{
   const int mantissa = to->bits == 16 ? 10 : to->bits == 32 ? 23 : 52;
   const int exponents = to->bits == 16 ? 16 : to->bits == 32 ? 128 : 1024;
   const long double smallest = smallest_normal(to),
                     largest = ldexpl(1, exponents) - ldexpl(1, exponents - mantissa - 1);
   if (isnan(x))
      return isnan(got);
   if (isinf(x) || fabsl(x) > largest)
      return fabsl(got) >= largest && got * x > 0;
   if (fabsl(x) < smallest && got == 0)
      return true;
   int exponent;
   frexpl(fmaxl(fabsl(x), smallest), &exponent);
   return fabsl(got - x) < ldexpl(1, exponent - 1 - mantissa);
}

static bool
is_conversion_right(const struct type *from, const struct type *to, uint64_t in, uint64_t out)
{
   const long double x = decode(from, in), got = decode(to, out);
   if (to->kind == BOOLEAN)
      return isnan(x) || (out & 1) == (x != 0) || (from->kind == FLOATING && fabsl(x) < 1e-4L);
   if (to->kind == FLOATING)
      return is_float_right(to, x, got) || (from->kind == FLOATING && fabsl(x) < smallest_normal(from) && got == 0);
   if (from->kind == FLOATING) {
      const long double t = truncl(x), low = to->kind == SIGNED ? -ldexpl(1, (int)to->bits - 1) : 0;
      const long double high = ldexpl(1, (int)to->bits - (to->kind == SIGNED));
      return !(t >= low && t < high) || got == t;
   }
   const uint64_t wide = from->kind == SIGNED    ? (uint64_t)sign_extend(in, from->bits)
                         : from->kind == BOOLEAN ? in & 1
                         : from->bits == 64      ? in
                                                 : in & ((UINT64_C(1) << from->bits) - 1);
   return got == decode(to, wide);
}

/* From a type to those from `first` on before `end`; to doubles only if these are all, or the source. */
static void
run_conversions(struct vkx *vkx, unsigned source, struct vkt_code code, unsigned first, unsigned end, bool radv)
{
   const struct type *from = &types[source];
   /* clang-format off */
   static const long double floats[] = {
      0, -0.0L, 1, -1, 0.5L, 0.99L, 1.5L, 2.5L, -2.5L, 127, 127.9L, -128, -128.5L, 255, 256, 2047.5L, 2049, 4097,
      32767, -32768, 65504, 65535, 65519, 65520, 16777217, 2147483520, -2147483648.0L, 2147483648.0L, 4294967040.0L,
      0x1p53L, 0x1p62L, -0x1p63L, 0x1p63L, 1e-5L, 1e-7L, 1e-40L, 1e30L, INFINITY, -INFINITY, NAN, 3.14159265358979L,
      0.1L, 1.0009765625L, 1.00048828125L, 1.00146484375L, 5.9e-8L, 6.1e-5L};
   /* clang-format on */
   struct vkx_buffer buffers[2] = {vkt_buffer_create(vkx, LANES * 8, 0),
                                   vkt_buffer_create(vkx, NUM_TYPES * LANES * 8, 0xaa)};
   uint64_t *in = buffers[0].map;
   const uint64_t *out = buffers[1].map;
   const unsigned count = sizeof(floats) / sizeof(*floats);
   for (unsigned i = 0; i < LANES; i++) {
      const uint64_t random = (vkt_random() | (uint64_t)vkt_random() << 32) >> vkt_random_below(64);
      in[i] = i % 3 ? random : i % 2 ? ~random : (UINT64_C(1) << i / 6 % 64) - (i % 5);
      if (from->kind == FLOATING)
         in[i] =
            encode_float(from->bits, i < count ? floats[i] : ((long double)(int64_t)in[i]) / (i % 7 ? 1000 : 1e15L));
   }
   vkt_dispatch(vkx, &(struct vkt_dispatch){code, 2, buffers, .groups = LANES / 64});
   for (unsigned t = first; t < end; t++) {
      unsigned wrong = 0;
      if (t == DOUBLE && source != DOUBLE && end - first > 1)
         continue;
      if (radv && is_wrong_in_radv(from->name, types[t].name))
         continue;
      for (unsigned i = 0; i < LANES; i++) {
         const uint64_t bits = out[t * LANES + i];
         if (is_conversion_right(from, &types[t], in[i], bits) || wrong++ > 1)
            continue;
         printf("   %s to %s: %#llx (%Lg) gives %#llx (%Lg)\n", from->name, types[t].name, (unsigned long long)in[i],
                decode(from, in[i]), (unsigned long long)bits, decode(&types[t], bits));
      }
      vkt_expect(!wrong, "%s to %s: %u of %u", from->name, types[t].name, wrong, LANES);
   }
   vkx_buffer_destroy(vkx, &buffers[0]);
   vkx_buffer_destroy(vkx, &buffers[1]);
}

/* math_int [--quirks radv] */
int
main(int argc, char **argv)
{
   static const struct {
      unsigned bits;
      struct vkt_code scalar, vector;
   } sizes[] = {{32, VKT_CODE(int_32_1), VKT_CODE(int_32_4)},
                {64, VKT_CODE(int_64_1), VKT_CODE(int_64_4)},
                {16, VKT_CODE(int_16_1), VKT_CODE(int_16_4)},
                {8, VKT_CODE(int_8_1), VKT_CODE(int_8_4)}};
   static const struct vkt_code conversions[NUM_TYPES] = {
      VKT_CODE(convert_0), VKT_CODE(convert_1), VKT_CODE(convert_2),  VKT_CODE(convert_3),
      VKT_CODE(convert_4), VKT_CODE(convert_5), VKT_CODE(convert_6),  VKT_CODE(convert_7),
      VKT_CODE(convert_8), VKT_CODE(convert_9), VKT_CODE(convert_10), VKT_CODE(convert_11)};
   static const struct vkt_code to_doubles[NUM_TYPES] = {VKT_CODE(double_0), VKT_CODE(double_1), VKT_CODE(double_2),
                                                         VKT_CODE(double_3), VKT_CODE(double_4), VKT_CODE(double_5),
                                                         VKT_CODE(double_6), VKT_CODE(double_7), VKT_CODE(double_8),
                                                         VKT_CODE(double_9), {NULL, 0},          VKT_CODE(double_11)};
   struct vkx vkx = vkt_create("math_int");
   const bool offered[4] = {true, vkt_features.shaderInt64, vkt_features.shaderInt16, vkt_int8};
   const bool radv = !strcmp(vkx_option(argc, argv, "--quirks", ""), "radv"), doubles = vkt_features.shaderFloat64;
   bool all = vkt_float16;
   for (unsigned i = 0; i < 4; i++) {
      all &= offered[i];
      if (offered[i]) {
         run_int(&vkx, sizes[i].bits, 1, sizes[i].scalar);
         run_int(&vkx, sizes[i].bits, 4, sizes[i].vector);
      } else {
         vkt_skip("a size of integers");
      }
   }
   for (unsigned i = 0; i < NUM_TYPES && all; i++) {
      if (i != DOUBLE || doubles)
         run_conversions(&vkx, i, conversions[i], 0, NUM_TYPES, radv);
      if (i != DOUBLE && doubles)
         run_conversions(&vkx, i, to_doubles[i], DOUBLE, DOUBLE + 1, radv);
   }
   if (!all || !doubles)
      vkt_skip(all ? "conversions from and to 64-bit floats" : "conversions");
   return vkt_finish(&vkx);
}
