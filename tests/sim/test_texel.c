/* Texel conversions against double arithmetic: the nearest code wins, and every code survives the round trip. */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include "../util/half_cases.h"
#include "sim/texel/numeric.h"
#include "sim/texel/numeric4.h"
#include "sim/texel/texel.h"
#include "sim/texel/texel4.h"

static uint32_t seed;

static uint32_t
next_random(void)
{
   seed = seed * 1664525u + 1013904223u;
   return seed >> 4;
}

/* Waves convert while the host rounds as MODE says. */
static void
halves_round_to_even(void **state)
{
   static const int modes[] = {FE_TONEAREST, FE_TOWARDZERO, FE_UPWARD, FE_DOWNWARD};
   for (unsigned i = 0; i < sizeof(modes) / sizeof(modes[0]); i++)
      assert_int_equal(half_check(sim_half_from_float, sim_half_to_float, modes[i]), 0);
}

static void
unorm_is_nearest(void **state)
{
   static const unsigned widths[] = {1, 2, 4, 5, 6, 8, 10, 16, 24};
   seed = 7;
   for (unsigned w = 0; w < sizeof(widths) / sizeof(widths[0]); w++) {
      unsigned bits = widths[w];
      double max = ldexp(1.0, (int)bits) - 1.0;
      for (unsigned n = 0; n < 5000; n++) {
         float f = (float)next_random() / 134217728.0f - 0.25f;
         double expected = f < 0.0f ? 0.0 : f > 1.0f ? max : (double)f * max;
         assert_true(fabs((double)sim_unorm_from_float(f, bits) - expected) <= 0.5);
      }
      for (unsigned n = 0; n < 4096; n++) {
         uint32_t code = (uint32_t)((uint64_t)n * (uint64_t)max / 4095);
         assert_int_equal(sim_unorm_from_float(sim_unorm_to_float(code, bits), bits), code);
      }
   }
   assert_int_equal(sim_unorm_from_float(NAN, 8), 0);
   assert_int_equal(sim_unorm_from_float(INFINITY, 8), 255);
   assert_int_equal(sim_unorm_from_float(-INFINITY, 8), 0);
}

static void
snorm_is_nearest(void **state)
{
   for (int code = -127; code <= 127; code++)
      assert_int_equal(sim_snorm_from_float(sim_snorm_to_float((uint8_t)code, 8), 8), (uint8_t)code);
   assert_true(sim_snorm_to_float(0x80, 8) == -1.0f);
   assert_int_equal(sim_snorm_from_float(-2.0f, 8), 0x81);
   assert_int_equal(sim_snorm_from_float(NAN, 16), 0);
   assert_int_equal(sim_snorm_from_float(0.5f / 127.0f + 1e-6f, 8), 1);
}

static double
exact_srgb(double linear)
{
   return 255.0 * (linear <= 0.0031308 ? 12.92 * linear : 1.055 * pow(linear, 1.0 / 2.4) - 0.055);
}

static void
srgb_is_nearest(void **state)
{
   for (unsigned code = 0; code < 256; code++)
      assert_int_equal(sim_srgb_from_float(sim_srgb_to_float[code]), code);
   for (unsigned n = 0; n <= 100000; n++) {
      float f = (float)n / 100000.0f;
      assert_true(fabs((double)sim_srgb_from_float(f) - exact_srgb((double)f)) < 0.5002);
   }
   /* Around all codes' limits, and some of all magnitudes. */
   for (uint32_t bits = float_bits(0x1p-15f); bits < float_bits(1.0f); bits += 997)
      assert_true(fabs((double)sim_srgb_from_float(bits_float(bits)) - exact_srgb((double)bits_float(bits))) <
                  0.5002);
   for (unsigned code = 0; code < 255; code++) {
      float step = sim_srgb_codes->step[code];
      assert_int_equal(sim_srgb_from_float(step), code + 1);
      assert_int_equal(sim_srgb_from_float(nextafterf(step, 0.0f)), code);
   }
   assert_int_equal(sim_srgb_from_float(7.0f), 255);
   assert_int_equal(sim_srgb_from_float(-7.0f), 0);
   assert_int_equal(sim_srgb_from_float(1e-40f), 0);
   assert_int_equal(sim_srgb_from_float(INFINITY), 255);
   assert_int_equal(sim_srgb_from_float(NAN), 0);
}

static void
small_floats(void **state)
{
   for (unsigned mantissa = 5; mantissa <= 6; mantissa++) {
      for (uint32_t code = 0; code < 31u << mantissa; code++) {
         unsigned e = code >> mantissa, m = code & ((1u << mantissa) - 1);
         double expected =
            e ? ldexp(1.0 + ldexp((double)m, -(int)mantissa), (int)e - 15) : ldexp((double)m, -14 - (int)mantissa);
         float f = sim_small_float_to_float(code, mantissa);
         assert_true((double)f == expected);
         assert_int_equal(sim_small_float_from_float(f, mantissa), code);
         if (code + 1 < 31u << mantissa) {
            float next = sim_small_float_to_float(code + 1, mantissa);
            assert_int_equal(sim_small_float_from_float(f + (next - f) * 0.49f, mantissa), code);
            assert_int_equal(sim_small_float_from_float(f + (next - f) * 0.51f, mantissa), code + 1);
            assert_int_equal(sim_small_float_from_float(f + (next - f) * 0.5f, mantissa), code + (code & 1));
         }
      }
      assert_int_equal(sim_small_float_from_float(-1.0f, mantissa), 0);
      assert_int_equal(sim_small_float_from_float(1e30f, mantissa), (31u << mantissa) - 1);
      assert_true(isinf(sim_small_float_to_float(sim_small_float_from_float(INFINITY, mantissa), mantissa)));
      assert_true(isnan(sim_small_float_to_float(sim_small_float_from_float(NAN, mantissa), mantissa)));
   }
}

static void
shared_exponent(void **state)
{
   seed = 9;
   for (unsigned n = 0; n < 20000; n++) {
      float rgb[3], back[3];
      for (unsigned i = 0; i < 3; i++)
         rgb[i] = ldexpf((float)(next_random() % 65536) / 65536.0f, (int)(next_random() % 24) - 12);
      uint32_t code = sim_shared_exponent_from_float(rgb);
      sim_shared_exponent_to_float(code, back);
      double unit = ldexp(1.0, (int)(code >> 27) - 24);
      for (unsigned i = 0; i < 3; i++)
         assert_true(fabs((double)back[i] - (double)rgb[i]) <= unit * 0.5);
      float max = fmaxf(rgb[0], fmaxf(rgb[1], rgb[2]));
      if (max > 1e-3f) /* the exponent is not larger than needed */
         assert_true((double)max > unit * 255.0);
   }
}

static void
plain_fields(void **state)
{
   const struct sim_texel_format b10 = sim_texel_plain(SIM_UNORM, 4, (const uint8_t[4]){10, 10, 10, 2});
   uint32_t texel = 1023u | 512u << 10 | 0u << 20 | 1u << 30, value[4];
   sim_texel_decode(&b10, &texel, value);
   assert_true(bits_float(value[0]) == 1.0f && bits_float(value[2]) == 0.0f);
   assert_true(fabsf(bits_float(value[1]) - 512.0f / 1023.0f) < 1e-7f &&
               fabsf(bits_float(value[3]) - 1.0f / 3.0f) < 1e-7f);
   uint32_t back = 0;
   sim_texel_encode(&b10, value, &back);
   assert_int_equal(back, texel);

   const struct sim_texel_format r16s = sim_texel_plain(SIM_SINT, 1, (const uint8_t[4]){16});
   int16_t s = -5;
   sim_texel_decode(&r16s, &s, value);
   assert_int_equal((int32_t)value[0], -5);
   assert_int_equal(value[1], 0);
   assert_int_equal(value[3], 1);
   const uint32_t big[4] = {40000, 0, 0, 0};
   sim_texel_encode(&r16s, big, &s);
   assert_int_equal(s, 32767);

   const struct sim_texel_format h4 = sim_texel_plain(SIM_FLOAT, 4, (const uint8_t[4]){16, 16, 16, 16});
   const uint32_t in[4] = {float_bits(1.5f), float_bits(-2.0f), float_bits(0.25f), float_bits(65504.0f)};
   uint16_t halves[4];
   sim_texel_encode(&h4, in, halves);
   assert_int_equal(halves[0], 0x3e00);
   assert_int_equal(halves[1], 0xc000);
   sim_texel_decode(&h4, halves, value);
   assert_memory_equal(value, in, 16);

   const struct sim_texel_format rgba8 = sim_texel_plain(SIM_UNORM, 4, (const uint8_t[4]){8, 8, 8, 8});
   const uint8_t bytes[4] = {0, 51, 255, 128};
   sim_texel_decode(&rgba8, bytes, value);
   assert_true(bits_float(value[1]) == 0.2f && bits_float(value[3]) == 128.0f / 255.0f);
}

/* Four at once are each as a single one. */
static void
four_texels(void **state)
{
   static const struct {
      enum sim_numeric numeric;
      unsigned components;
      uint8_t bits[4];
   } formats[] = {{SIM_UNORM, 4, {8, 8, 8, 8}},     {SIM_SRGB, 4, {8, 8, 8, 8}}, {SIM_UINT, 4, {8, 8, 8, 8}},
                  {SIM_FLOAT, 4, {32, 32, 32, 32}}, {SIM_FLOAT, 2, {16, 16}},    {SIM_UNORM, 4, {10, 10, 10, 2}},
                  {SIM_SINT, 2, {32, 32}},          {SIM_SNORM, 1, {8}},         {SIM_UNORM, 3, {5, 6, 5}},
                  {SIM_FLOAT, 4, {16, 16, 16, 16}}};
   static const float odd[] = {0.0f, -0.0f, 1.0f, -1.0f, 0.5f, 1e-40f, 3.0f, -1e30f, 0.49803922f};
   seed = 31;
   for (unsigned f = 0; f < sizeof(formats) / sizeof(formats[0]); f++) {
      const struct sim_texel_format format =
         sim_texel_plain(formats[f].numeric, formats[f].components, formats[f].bits);
      for (unsigned n = 0; n < 2000; n++) {
         v4u value[4], words[4] = {{0}}, back[4] = {{0}};
         for (unsigned i = 0; i < 16; i++)
            value[i / 4][i % 4] =
               n & 1 ? next_random() * 17
                     : float_bits(n & 2 ? (float)next_random() / 134217728.0f : odd[next_random() % 9]);
         sim_texel_encode4(&format, value, words);
         sim_texel_decode4(&format, words, back);
         for (unsigned i = 0; i < 4; i++) {
            const uint32_t one[4] = {value[0][i], value[1][i], value[2][i], value[3][i]};
            uint32_t texel[4] = {0}, stored[4] = {0}, again[4];
            sim_texel_encode(&format, one, texel);
            sim_texel_store4(words, i, stored, format.size_B);
            assert_memory_equal(stored, texel, format.size_B);
            sim_texel_decode(&format, texel, again);
            for (unsigned c = 0; c < formats[f].components; c++)
               assert_int_equal(back[c][i], again[c]);
            v4u loaded[4] = {{0}};
            sim_texel_load4(loaded, i, texel, format.size_B);
            for (unsigned w = 0; w < 4; w++)
               assert_int_equal(loaded[w][i], texel[w]);
         }
      }
   }
   for (uint32_t code = 0; code < 256; code++)
      assert_int_equal(sim_unorm_from_float4(v4_splat(sim_unorm_to_float(code, 8)), 8)[code & 3], code);
   for (uint32_t half = 0; half < 65536; half++) {
      v4f wide = sim_half_to_float4((v4u){half, 65535 - half, half, 0});
      assert_int_equal(float_bits(wide[0]), float_bits(sim_half_to_float((uint16_t)half)));
   }
}

/* Blocks made by hand from the definition. */
static void
compressed_blocks(void **state)
{
   uint32_t value[4];
   const struct sim_texel_format bc1 = sim_texel_packed(SIM_TEXEL_BC1, SIM_UNORM);
   const uint8_t red_blue[8] = {0x00, 0xf8, 0x1f, 0x00, 0xe4, 0, 0, 0}; /* ends red > blue; codes 0 1 2 3 */
   const float expected_r[4] = {1.0f, 0.0f, 2.0f / 3.0f, 1.0f / 3.0f};
   for (unsigned x = 0; x < 4; x++) {
      sim_texel_decode_block(&bc1, red_blue, x, 0, value);
      assert_true(fabsf(bits_float(value[0]) - expected_r[x]) < 1e-6f);
      assert_true(fabsf(bits_float(value[2]) - (1.0f - expected_r[x])) < 1e-6f);
      assert_true(bits_float(value[3]) == 1.0f);
   }
   const uint8_t punched[8] = {0x1f, 0x00, 0x00, 0xf8, 0xff, 0, 0, 0};
   sim_texel_decode_block(&bc1, punched, 1, 0, value);
   assert_true(bits_float(value[0]) == 0.0f && bits_float(value[3]) == 0.0f);
   const struct sim_texel_format bc4 = sim_texel_packed(SIM_TEXEL_BC4, SIM_UNORM);
   const uint8_t ramp[8] = {255, 0, 0x88, 0xc6, 0xfa, 0, 0, 0}; /* codes 0 1 2 3 4 5 6 7 */
   const float expected_ramp[8] = {7, 0, 6, 5, 4, 3, 2, 1};
   for (unsigned i = 0; i < 8; i++) {
      sim_texel_decode_block(&bc4, ramp, i % 4, i / 4, value);
      assert_true(fabsf(bits_float(value[0]) - expected_ramp[i] / 7.0f) < 1e-6f);
   }
}

/* Mode 6 by hand: one subset, 7-bit endpoints with a low bit, 4-bit indices, the first without its highest bit. */
static void
put_bits(uint8_t block[16], unsigned *at, unsigned bits, unsigned value)
{
   for (unsigned i = 0; i < bits; i++, ++*at)
      block[*at / 8] |= (uint8_t)((value >> i & 1) << (*at % 8));
}

static void
bc7_mode_6(void **state)
{
   static const unsigned weights[16] = {0, 4, 9, 13, 17, 21, 26, 30, 34, 38, 43, 47, 51, 55, 60, 64};
   const unsigned ends[2][4] = {{0x10, 0x7f, 0x00, 0x7f}, {0x7f, 0x00, 0x33, 0x40}};
   const struct sim_texel_format bc7 = sim_texel_packed(SIM_TEXEL_BC7, SIM_UNORM);
   uint8_t block[16] = {0};
   unsigned at = 0;
   put_bits(block, &at, 7, 0x40);
   for (unsigned c = 0; c < 4; c++) {
      for (unsigned e = 0; e < 2; e++)
         put_bits(block, &at, 7, ends[e][c]);
   }
   put_bits(block, &at, 2, 2); /* low bits 0 and 1 */
   for (unsigned i = 0; i < 16; i++)
      put_bits(block, &at, i ? 4 : 3, i);
   assert_int_equal(at, 128);
   for (unsigned i = 0; i < 16; i++) {
      uint32_t value[4];
      sim_texel_decode_block(&bc7, block, i % 4, i / 4, value);
      for (unsigned c = 0; c < 4; c++) {
         unsigned a = ends[0][c] * 2, b = ends[1][c] * 2 + 1;
         unsigned expected = (a * (64 - weights[i]) + b * weights[i] + 32) / 64;
         assert_true(fabsf(bits_float(value[c]) * 255.0f - (float)expected) < 1e-3f);
      }
   }
}

/* The mode of two plain endpoints of 10 bits, by hand: one subset, 4-bit indices, the first without its top bit. */
static void
bc6h_plain_mode(void **state)
{
   static const int weights[16] = {0, 4, 9, 13, 17, 21, 26, 30, 34, 38, 43, 47, 51, 55, 60, 64};
   static const unsigned ends[2][3] = {{0, 0x3ff, 0x155}, {0x3ff, 0x200, 0x0aa}};
   uint8_t block[16] = {0};
   unsigned at = 0;
   put_bits(block, &at, 5, 3);
   for (unsigned i = 0; i < 6; i++)
      put_bits(block, &at, 10, ends[i / 3][i % 3]);
   for (unsigned i = 0; i < 16; i++)
      put_bits(block, &at, i ? 4 : 3, i);
   assert_int_equal(at, 128);
   for (unsigned is_signed = 0; is_signed < 2; is_signed++) {
      const struct sim_texel_format bc6h = sim_texel_packed(SIM_TEXEL_BC6H, is_signed ? SIM_FLOAT : SIM_UNORM);
      /* The same endpoints in 16 bits: 0x3ff is -1 and 0x200 the most negative of ten bits. */
      static const double wide[2][2][3] = {{{0, 65535, 0x5560}, {65535, 0x8020, 0x2aa0}},
                                           {{0, -96, 0x5560}, {-96, -32767, 0x2aa0}}};
      for (unsigned i = 0; i < 16; i++) {
         uint32_t value[4];
         sim_texel_decode_block(&bc6h, block, i % 4, i / 4, value);
         for (unsigned c = 0; c < 3; c++) {
            double mixed = (wide[is_signed][0][c] * (64 - weights[i]) + wide[is_signed][1][c] * weights[i] + 32) / 64;
            int code = (int)floor(fabs(floor(mixed)) * 31 / (is_signed ? 32 : 64));
            float expected = sim_half_to_float((uint16_t)code);
            assert_true(bits_float(value[c]) == (mixed < 0 ? -expected : expected));
         }
         assert_true(bits_float(value[3]) == 1.0f);
      }
   }
   static const uint8_t reserved[16] = {0x13, 0xff, 0xff, 0xff, 0xff, 0xff};
   uint32_t value[4];
   const struct sim_texel_format bc6h = sim_texel_packed(SIM_TEXEL_BC6H, SIM_UNORM);
   sim_texel_decode_block(&bc6h, reserved, 3, 1, value);
   assert_true(!value[0] && !value[1] && !value[2] && bits_float(value[3]) == 1.0f);
}

int
main(void)
{
   const struct CMUnitTest tests[] = {
      cmocka_unit_test(halves_round_to_even), cmocka_unit_test(unorm_is_nearest),  cmocka_unit_test(snorm_is_nearest),
      cmocka_unit_test(srgb_is_nearest),      cmocka_unit_test(small_floats),      cmocka_unit_test(shared_exponent),
      cmocka_unit_test(plain_fields),         cmocka_unit_test(compressed_blocks), cmocka_unit_test(bc7_mode_6),
      cmocka_unit_test(bc6h_plain_mode),      cmocka_unit_test(four_texels),
   };
   return cmocka_run_group_tests(tests, NULL, NULL);
}
