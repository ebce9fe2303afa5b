/* Blending, logic operations, masks and component order of pixels against double arithmetic. */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <string.h>
#include <cmocka.h>

#include "amd/hw/registers.h"
#include "amd/sim/rb/rb.h"
#include "amd/sim/surface/formats.h"
#include "util/macros.h"

static uint8_t memory[4096];

static struct amd_color_state
one_target(unsigned format, unsigned number)
{
   struct amd_color_state c = {.mode = V_CB_NORMAL, .count = 1, .constant = {0.1f, 0.6f, 0.3f, 0.8f}};
   struct amd_target_state *t = &c.target[0];
   t->enable = true;
   t->write_mask = 15;
   t->format = amd_format_color(format, number);
   assert_true(t->format.size_B);
   for (unsigned i = 0; i < 4; i++)
      t->component[i] = (uint8_t)i;
   t->logic = 12;
   t->blend_clamp = t->format.numeric != SIM_FLOAT;
   t->surface = (struct amd_surface){
      .linear = true, .element_B = t->format.size_B, .pitch_el = 16, .width_el = 16, .height_el = 16};
   t->host = memory;
   t->run_B = sizeof(memory);
   return c;
}

/* One pixel of four: `memory` is the first one's. */
static void
write_pixel(const struct amd_color_state *c, const float src[4], const float src1[4])
{
   struct amd_cb_colors colors = {0};
   for (unsigned i = 0; i < 4; i++) {
      colors.rgba[0][i] = (v4u){float_bits(src[i]), 17, 18, 19};
      colors.rgba[1][i] = (v4u){src1 ? float_bits(src1[i]) : 0, 27, 28, 29};
   }
   struct amd_color_state color = *c;
   color.dual_source = src1;
   amd_cb_encode(&color, &colors);
   amd_cb_write(&color, &(struct amd_pixels){0, 0, {1, 0, 0, 0}}, 0, &colors);
}

/* Factor of channel c by the words of the Vulkan specification, 29.1.1. */
static double
reference_factor(unsigned code, unsigned c, const float *s, const float *d, const float *s1, const float *k)
{
   switch (code) { /* others: ONE_MINUS_CONSTANT_ALPHA */
   case AMD_FACTOR_ZERO:
      return 0;
   case AMD_FACTOR_ONE:
      return 1;
   case AMD_FACTOR_SRC_COLOR:
      return s[c];
   case AMD_FACTOR_ONE_MINUS_SRC_COLOR:
      return 1 - (double)s[c];
   case AMD_FACTOR_SRC_ALPHA:
      return s[3];
   case AMD_FACTOR_ONE_MINUS_SRC_ALPHA:
      return 1 - (double)s[3];
   case AMD_FACTOR_DST_ALPHA:
      return d[3];
   case AMD_FACTOR_ONE_MINUS_DST_ALPHA:
      return 1 - (double)d[3];
   case AMD_FACTOR_DST_COLOR:
      return d[c];
   case AMD_FACTOR_ONE_MINUS_DST_COLOR:
      return 1 - (double)d[c];
   case AMD_FACTOR_SRC_ALPHA_SATURATE:
      return c == 3 ? 1 : fmin((double)s[3], 1 - (double)d[3]);
   case AMD_FACTOR_CONSTANT_COLOR:
      return k[c];
   case AMD_FACTOR_ONE_MINUS_CONSTANT_COLOR:
      return 1 - (double)k[c];
   case AMD_FACTOR_SRC1_COLOR:
      return s1[c];
   case AMD_FACTOR_ONE_MINUS_SRC1_COLOR:
      return 1 - (double)s1[c];
   case AMD_FACTOR_SRC1_ALPHA:
      return s1[3];
   case AMD_FACTOR_ONE_MINUS_SRC1_ALPHA:
      return 1 - (double)s1[3];
   case AMD_FACTOR_CONSTANT_ALPHA:
      return k[3];
   default:
      return 1 - (double)k[3];
   }
}

static double
reference_blend(unsigned func, double s, double sf, double d, double df)
{
   switch (func) {
   case 0:
      return s * sf + d * df;
   case 1:
      return s * sf - d * df;
   case 2:
      return fmin(s, d);
   case 3:
      return fmax(s, d);
   default:
      return d * df - s * sf;
   }
}

static void
every_factor_and_function(void **state)
{
   const float src[4] = {0.9f, 0.2f, 0.5f, 0.7f}, src1[4] = {0.3f, 0.8f, 0.1f, 0.4f},
               dst[4] = {0.25f, 0.5f, 0.75f, 0.625f};
   struct amd_color_state c = one_target(V_COLOR_32_32_32_32, V_NUMBER_FLOAT);
   struct amd_blend_state *b = &c.target[0].blend;
   c.target[0].reads_target = true;
   b->enable = b->separate_alpha = true;
   for (unsigned i = 0; i < AMD_FACTOR_UNKNOWN; i++) {
      for (unsigned j = 0; j < AMD_FACTOR_UNKNOWN; j++) {
         for (unsigned func = 0; func < 5; func++) {
            float out[4];
            b->src[0] = b->dst[1] = (uint8_t)i;
            b->dst[0] = b->src[1] = (uint8_t)j;
            b->func[0] = (uint8_t)func;
            b->func[1] = (uint8_t)(4 - func);
            memcpy(memory, dst, 16);
            write_pixel(&c, src, src1);
            memcpy(out, memory, 16);
            for (unsigned k = 0; k < 4; k++) {
               unsigned alpha = k == 3;
               double sf = reference_factor(b->src[alpha], k, src, dst, src1, c.constant);
               double df = reference_factor(b->dst[alpha], k, src, dst, src1, c.constant);
               assert_true(fabs((double)out[k] - reference_blend(b->func[alpha], src[k], sf, dst[k], df)) < 1e-6);
            }
         }
      }
   }
}

static double
srgb_decode(double v)
{
   return v <= 0.04045 ? v / 12.92 : pow((v + 0.055) / 1.055, 2.4);
}

static double
srgb_encode(double v)
{
   return v <= 0.0031308 ? v * 12.92 : 1.055 * pow(v, 1 / 2.4) - 0.055;
}

/* Over 8 bits, for every destination: the nearest code of the exact result, in sRGB through linear space. */
static void
over_in_8_bits(void **state)
{
   for (unsigned srgb = 0; srgb < 2; srgb++) {
      struct amd_color_state c = one_target(V_COLOR_8_8_8_8, srgb ? V_NUMBER_SRGB : V_NUMBER_UNORM);
      c.target[0].reads_target = true;
      c.target[0].blend = (struct amd_blend_state){.enable = true, .src = {4, 4}, .dst = {5, 5}};
      for (unsigned alpha = 0; alpha <= 16; alpha++) {
         const float src[4] = {0.9f, 0.1f, 1.7f, (float)alpha / 16.0f};
         for (unsigned d = 0; d < 256; d++) {
            memset(memory, (int)d, 4);
            write_pixel(&c, src, NULL);
            for (unsigned k = 0; k < 3; k++) {
               double s = fmin((double)src[k], 1.0), a = (double)src[3];
               double dst = srgb ? srgb_decode(d / 255.0) : d / 255.0, exact = s * a + dst * (1 - a);
               double code = 255.0 * (srgb ? srgb_encode(exact) : exact);
               assert_true(fabs(memory[k] - code) < 0.501);
            }
         }
      }
   }
}

static void
logic_operations(void **state)
{
   static const uint8_t expected[16] = {/* source 0xc, destination 0xa */
                                        0x0, 0x1, 0x2, 0x3, 0x4, 0x5, 0x6, 0x7,
                                        0x8, 0x9, 0xa, 0xb, 0xc, 0xd, 0xe, 0xf};
   struct amd_color_state c = one_target(V_COLOR_8, V_NUMBER_UINT);
   c.target[0].reads_target = true;
   for (unsigned rop = 0; rop < 16; rop++) {
      struct amd_cb_colors colors = {.rgba = {{{0xcc}}}};
      c.target[0].logic = (uint8_t)rop;
      memory[0] = 0xaa;
      amd_cb_encode(&c, &colors);
      amd_cb_write(&c, &(struct amd_pixels){0, 0, {1, 0, 0, 0}}, 0, &colors);
      assert_int_equal(memory[0], expected[rop] * 0x11);
   }
}

static void
masks_and_order(void **state)
{
   const float src[4] = {1.0f, 0.0f, 0.2f, 0.4f};
   struct amd_color_state c = one_target(V_COLOR_8_8_8_8, V_NUMBER_UNORM);
   memset(memory, 0x99, 4);
   c.target[0].component[0] = 2;
   c.target[0].component[2] = 0;
   write_pixel(&c, src, NULL);
   assert_memory_equal(memory, ((const uint8_t[4]){51, 0, 255, 102}), 4);
   c.target[0].reads_target = true;
   c.target[0].write_mask = 2 | 8; /* green and alpha */
   memset(memory, 0x99, 4);
   write_pixel(&c, src, NULL);
   assert_memory_equal(memory, ((const uint8_t[4]){0x99, 0, 0x99, 102}), 4);
   struct amd_color_state packed = one_target(V_COLOR_5_6_5, V_NUMBER_UNORM);
   write_pixel(&packed, src, NULL);
   assert_int_equal(memory[0] | memory[1] << 8, 31 | 0 << 5 | 6 << 11);
}

/* Of four pixels in the corner of a target of 15 x 16, three are covered and two of those lie inside. */
static void
each_pixel_is_its_own(void **state)
{
   struct amd_color_state c = one_target(V_COLOR_8_8_8_8, V_NUMBER_UNORM);
   c.target[0].surface.width_el = 15;
   c.target[0].blend =
      (struct amd_blend_state){.enable = true,
                               .src = {AMD_FACTOR_SRC_ALPHA, AMD_FACTOR_SRC_ALPHA},
                               .dst = {AMD_FACTOR_ONE_MINUS_SRC_ALPHA, AMD_FACTOR_ONE_MINUS_SRC_ALPHA}};
   c.target[0].reads_target = true;
   struct amd_cb_colors colors = {0};
   const v4f alpha = {0.0f, 0.2f, 0.4f, 0.6f};
   for (unsigned i = 0; i < 4; i++)
      colors.rgba[0][i] = (v4u)(i < 3 ? v4_splat(1.0f) : alpha);
   memset(memory, 51, sizeof(memory));
   amd_cb_encode(&c, &colors);
   amd_cb_write(&c, &(struct amd_pixels){14, 10, {1, 1, 1, 0}}, 0, &colors);
   /* 0.2 under 1.0 of the pixel's alpha; alpha over alpha. */
   for (unsigned at = 0; at < sizeof(memory); at++) {
      unsigned pixel = at / 4, channel = at % 4;
      double a = pixel == 10 * 16 + 14 ? 0.0 : pixel == 11 * 16 + 14 ? 0.4 : -1.0;
      double expected = a < 0.0 ? 51.0 : 255.0 * ((channel < 3 ? a : a * a) + 0.2 * (1.0 - a));
      assert_true(fabs(memory[at] - expected) <= 0.51);
   }
}

int
main(void)
{
   const struct CMUnitTest tests[] = {
      cmocka_unit_test(every_factor_and_function), cmocka_unit_test(over_in_8_bits),
      cmocka_unit_test(logic_operations),          cmocka_unit_test(masks_and_order),
      cmocka_unit_test(each_pixel_is_its_own),
   };
   return cmocka_run_group_tests(tests, NULL, NULL);
}
