/* Denormals, rounding and signs of zeros as VK_KHR_shader_float_controls lets shaders choose them, against C. */
#include <fenv.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "vkt_dispatch.h"

#define CODE(name) static const uint32_t name[] =
CODE(flush_even_16){
#include "float_flush_even_16.inc"
};
CODE(flush_even_32){
#include "float_flush_even_32.inc"
};
CODE(flush_even_64){
#include "float_flush_even_64.inc"
};
CODE(flush_zero_16){
#include "float_flush_zero_16.inc"
};
CODE(flush_zero_32){
#include "float_flush_zero_32.inc"
};
CODE(flush_zero_64){
#include "float_flush_zero_64.inc"
};
CODE(preserve_even_16){
#include "float_preserve_even_16.inc"
};
CODE(preserve_even_32){
#include "float_preserve_even_32.inc"
};
CODE(preserve_even_64){
#include "float_preserve_even_64.inc"
};
CODE(preserve_zero_16){
#include "float_preserve_zero_16.inc"
};
CODE(preserve_zero_32){
#include "float_preserve_zero_32.inc"
};
CODE(preserve_zero_64){
#include "float_preserve_zero_64.inc"
};

enum { COUNT = 1024 };
enum row { SUM, PRODUCT, DIFFERENCE, NEGATIVE, ABSOLUTE, PLUS_ZERO, TIMES_ONE, MINIMUM, MAXIMUM, ROWS };
static const char *const names[ROWS] = {"sum",      "product", "difference", "negative", "absolute",
                                        "plus 0.0", "times 1", "minimum",    "maximum"};

static unsigned
mantissa_bits(unsigned bits)
{
   return bits == 16 ? 10 : bits == 32 ? 23 : 52;
}

static double
to_double(uint64_t word, unsigned bits)
{
   union {
      uint64_t word;
      double d;
      float f;
      _Float16 h;
   } u = {.word = word};
   return bits == 64 ? u.d : bits == 32 ? (double)u.f : (double)u.h;
}

/* A half from a double that is exact. */
static uint64_t
to_half(double x, bool to_zero)
{
   const uint64_t sign = signbit(x) ? 0x8000 : 0;
   const double magnitude = fabs(x), step = magnitude < 0x1p-14 ? 0x1p-24 : ldexp(1, ilogb(magnitude) - 10);
   const double whole = magnitude / step, rounded = (to_zero ? floor(whole) : rint(whole)) * step;
   if (magnitude == 0)
      return sign;
   if (rounded >= 65536)
      return sign | (to_zero ? 0x7bff : 0x7c00);
   if (rounded < 0x1p-14)
      return sign | (uint64_t)(rounded * 0x1p24);
   const int exponent = ilogb(rounded);
   return sign | (uint64_t)(exponent + 15) << 10 | (uint64_t)((ldexp(rounded, -exponent) - 1) * 1024);
}

static uint64_t
flushed(uint64_t word, unsigned bits)
{
   const uint64_t sign = UINT64_C(1) << (bits - 1),
                  exponent = (sign - 1) & ~((UINT64_C(1) << mantissa_bits(bits)) - 1);
   return word & exponent ? word : word & sign;
}

static uint64_t
arithmetic(enum row row, uint64_t a, uint64_t b, unsigned bits, bool to_zero)
{
   const double x = to_double(a, bits), y = row == PLUS_ZERO ? 0.0 : row == TIMES_ONE ? 1.0 : to_double(b, bits);
   const bool product = row == PRODUCT || row == TIMES_ONE;
   uint64_t word = 0;
   if (bits == 16) /* sums and products of halves are exact */
      return to_half(product ? x * y : row == DIFFERENCE ? x - y : x + y, to_zero);
   fesetround(to_zero ? FE_TOWARDZERO : FE_TONEAREST);
   if (bits == 32) {
      volatile float m = (float)x, n = (float)y;
      volatile float r = product ? m * n : row == DIFFERENCE ? m - n : m + n;
      memcpy(&word, (const void *)&r, 4);
   } else {
      volatile double m = x, n = y, r = product ? m * n : row == DIFFERENCE ? m - n : m + n;
      memcpy(&word, (const void *)&r, 8);
   }
   fesetround(FE_TONEAREST);
   return word;
}

static uint64_t
expected(enum row row, uint64_t a, uint64_t b, unsigned bits, bool to_zero)
{
   const uint64_t sign = UINT64_C(1) << (bits - 1);
   const bool less = to_double(a, bits) < to_double(b, bits);
   switch ((int)row) {
   case NEGATIVE:
      return a ^ sign;
   case ABSOLUTE:
      return a & ~sign;
   case MINIMUM:
      return less ? a : b;
   case MAXIMUM:
      return less ? b : a;
   default: /* others: are rounded */
      return arithmetic(row, a, b, bits, to_zero);
   }
}

/* Small numbers, denormals, zeros, large ones; pairs that are close to each other. */
static uint64_t
number(unsigned bits, uint64_t other)
{
   const unsigned mantissa = mantissa_bits(bits), all = (1u << (bits - 1 - mantissa)) - 1;
   const uint64_t fraction = (vkt_random() | (uint64_t)vkt_random() << 32) & ((UINT64_C(1) << mantissa) - 1);
   uint64_t exponent = vkt_random_below(4) ? (all >> 1) - 4 + vkt_random_below(8) : vkt_random_below(8) / 4;
   if (vkt_random_below(3) == 0)
      exponent = other >> mantissa & all ? other >> mantissa & all : 1;
   if (vkt_random_below(12) == 0)
      return (uint64_t)vkt_random_below(2) << (bits - 1);
   return fraction | exponent << mantissa | (uint64_t)vkt_random_below(2) << (bits - 1);
}

struct test {
   const char *name;
   unsigned bits;
   bool flush, to_zero, offered;
   struct vkt_code code;
};

static void
run_case(struct vkx *vkx, const struct test *t)
{
   if (!t->offered) {
      vkt_skip(t->name);
      return;
   }
   struct vkx_buffer buffers[2] = {vkt_buffer_create(vkx, COUNT * 16, 0),
                                   vkt_buffer_create(vkx, ROWS * COUNT * 8, 0)};
   uint64_t *in = buffers[0].map;
   for (unsigned i = 0; i < COUNT; i++) {
      in[2 * i] = number(t->bits, 0);
      in[2 * i + 1] = number(t->bits, in[2 * i]);
   }
   vkt_dispatch(vkx, &(struct vkt_dispatch){t->code, 2, buffers, .groups = COUNT / 64});
   const uint64_t *results = buffers[1].map;
   for (enum row row = 0; row < ROWS; row++) {
      unsigned wrong = 0;
      for (unsigned i = 0; i < COUNT; i++) {
         const uint64_t a = t->flush ? flushed(in[2 * i], t->bits) : in[2 * i];
         const uint64_t b = t->flush ? flushed(in[2 * i + 1], t->bits) : in[2 * i + 1];
         uint64_t want = expected(row, a, b, t->bits, t->to_zero), got = results[row * COUNT + i];
         want = t->flush ? flushed(want, t->bits) : want;
         if (row >= MINIMUM && to_double(want, t->bits) == to_double(got, t->bits))
            continue; /* of zeros either is the smaller one */
         if (got != want && wrong++ < 2)
            printf("   %s, %s of %#llx, %#llx: %#llx, not %#llx\n", t->name, names[row],
                   (unsigned long long)in[2 * i], (unsigned long long)in[2 * i + 1], (unsigned long long)got,
                   (unsigned long long)want);
      }
      vkt_expect(!wrong, "%s: %u %s are wrong", t->name, wrong, names[row]);
   }
   for (unsigned i = 0; i < 2; i++)
      vkx_buffer_destroy(vkx, &buffers[i]);
}

int
main(void)
{
   struct vkx vkx = vkt_create("float_modes");
   VkPhysicalDeviceFloatControlsProperties p = {0};
   p.sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_FLOAT_CONTROLS_PROPERTIES;
   VkPhysicalDeviceProperties2 properties = {.sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_PROPERTIES_2, .pNext = &p};
   if (vkt_has("VK_KHR_shader_float_controls"))
      vkGetPhysicalDeviceProperties2(vkx.physical, &properties);
   const bool special[] = {p.shaderSignedZeroInfNanPreserveFloat16 && vkt_float16,
                           p.shaderSignedZeroInfNanPreserveFloat32,
                           p.shaderSignedZeroInfNanPreserveFloat64 && vkt_features.shaderFloat64};
   const bool flush[] = {p.shaderDenormFlushToZeroFloat16, p.shaderDenormFlushToZeroFloat32,
                         p.shaderDenormFlushToZeroFloat64};
   const bool preserve[] = {p.shaderDenormPreserveFloat16, p.shaderDenormPreserveFloat32,
                            p.shaderDenormPreserveFloat64};
   const bool even[] = {p.shaderRoundingModeRTEFloat16, p.shaderRoundingModeRTEFloat32,
                        p.shaderRoundingModeRTEFloat64};
   const bool zero[] = {p.shaderRoundingModeRTZFloat16, p.shaderRoundingModeRTZFloat32,
                        p.shaderRoundingModeRTZFloat64};
#define TEST(denormals, rounding, bits)                                                                              \
   {#denormals ", " #rounding ", " #bits,                                                                            \
    bits,                                                                                                            \
    #denormals[0] == 'f',                                                                                            \
    #rounding[0] == 'z',                                                                                             \
    special[bits / 32] && denormals[bits / 32] && rounding[bits / 32],                                               \
    VKT_CODE(denormals##_##rounding##_##bits)}
   const struct test tests[] = {
      TEST(flush, even, 16),    TEST(flush, even, 32),    TEST(flush, even, 64),    TEST(flush, zero, 16),
      TEST(flush, zero, 32),    TEST(flush, zero, 64),    TEST(preserve, even, 16), TEST(preserve, even, 32),
      TEST(preserve, even, 64), TEST(preserve, zero, 16), TEST(preserve, zero, 32), TEST(preserve, zero, 64),
   };
   vkt_expect(true, "the device is there");
   for (unsigned i = 0; i < sizeof(tests) / sizeof(*tests); i++)
      run_case(&vkx, &tests[i]);
   return vkt_finish(&vkx);
}
