/* What pixels mean in each format, read by smpi and written by imgw, against the format table. */
#include <math.h>

#include "asahi/sim/tex/tex.h"
#include "image.h"

static double
srgb_to_linear(double c)
{
   return c <= 0.04045 ? c / 12.92 : pow((c + 0.055) / 1.055, 2.4);
}

static double
small_float(uint32_t field, unsigned mantissa_bits, bool has_sign)
{
   uint32_t mantissa = field & ((1u << mantissa_bits) - 1), exponent = field >> mantissa_bits & 31;
   double sign = has_sign && field >> (mantissa_bits + 5) & 1 ? -1.0 : 1.0;
   if (exponent == 31)
      return mantissa ? NAN : sign * INFINITY;
   double value = exponent ? ldexp(1.0 + ldexp(mantissa, -(int)mantissa_bits), (int)exponent - 15)
                           : ldexp(mantissa, -14 - (int)mantissa_bits);
   return sign * value;
}

static uint32_t
field_of(const uint8_t *texel, const struct format_component *c)
{
   uint32_t field = 0;
   for (unsigned bit = 0; bit < c->bits; bit++)
      field |= (uint32_t)(texel[(c->shift + bit) / 8] >> (c->shift + bit) % 8 & 1) << bit;
   return field;
}

/* What a component is, as a number; integers as themselves. */
static double
meaning(const struct format_component *c, uint32_t field)
{
   double max = pow(2.0, c->bits) - 1.0, half = pow(2.0, c->bits - 1);
   double is_signed = field >= half ? (double)field - 2.0 * half : (double)field;
   switch (c->numeric) {
   case FORMAT_UNORM:
      return field / max;
   case FORMAT_SRGB:
      return c->name == FORMAT_A ? field / max : srgb_to_linear(field / max);
   case FORMAT_SNORM:
      return MAX2(is_signed / (half - 1.0), -1.0);
   case FORMAT_UINT:
      return field;
   case FORMAT_SINT:
      return is_signed;
   case FORMAT_SFLOAT:
      return c->bits == 32 ? (double)bits_float(field) : small_float(field, 10, true);
   default: /* others: of the formats that are asked for, UFLOAT */
      return small_float(field, c->bits - 5, false);
   }
}

static bool
is_integer(const struct format_info *info)
{
   return info->components[0].numeric == FORMAT_UINT || info->components[0].numeric == FORMAT_SINT;
}

/* Formats that the hardware has as they are, component i being the i-th from the lowest bit. */
static bool
is_plain(const struct format_info *info)
{
   if (!info || info->compression || info->planes > 1 || ail_format_channels(info->format) < 0 ||
       info->block_width_el > 1 || info->format == FORMAT_E5B9G9R9_UFLOAT_PACK32)
      return false;
   unsigned numeric = info->components[0].numeric, bits = info->components[0].bits;
   bool is_known = numeric == FORMAT_UNORM || numeric == FORMAT_SNORM || numeric == FORMAT_UINT ||
                   numeric == FORMAT_SINT || numeric == FORMAT_SFLOAT || numeric == FORMAT_UFLOAT ||
                   numeric == FORMAT_SRGB;
   for (unsigned i = 1; i < info->component_count; i++)
      is_known &= info->components[i].numeric == numeric || info->components[i].name == FORMAT_A;
   /* Alpha of sRGB is the last component, so formats that begin with it have no sRGB. */
   return is_known && bits <= 32 && info->components[0].name != FORMAT_A &&
          info->components[0].name != FORMAT_STENCIL;
}

static void
check_texel(const struct format_info *info, const uint8_t *texel, const struct agx_tex_result *result, unsigned lane)
{
   for (unsigned i = 0; i < info->component_count; i++) {
      double want = meaning(&info->components[i], field_of(texel, &info->components[i]));
      uint32_t is = result->value[i][lane];
      if (is_integer(info))
         assert_int_equal(is, (uint32_t)(int64_t)want);
      else if (isnan(want))
         assert_true(isnan(bits_float(is)));
      else if (isinf(want))
         assert_true(want == (double)bits_float(is));
      else
         assert_true(fabs((double)bits_float(is) - want) <= 1e-6 * fabs(want));
   }
   uint32_t one = is_integer(info) ? 1 : float_bits(1.0f);
   for (unsigned i = info->component_count; i < 4; i++)
      assert_int_equal(result->value[i][lane], i == 3 ? one : 0);
}

static void
test_reading_formats(void **state)
{
   struct random random = {7};
   unsigned formats = 0;
   for (uint32_t format = 1; format < 185; format++) {
      const struct format_info *info = format_info(format);
      if (!is_plain(info))
         continue;
      struct ail_image image = plain_image;
      image.format = format;
      struct picture p;
      make_picture(&p, &image);
      struct agx_tex_request r = request_of(&p, true, AGX_DIM_2D_ARRAY, &fetch_sampler);
      for (unsigned lane = 0; lane < 32; lane++) {
         r.coords[0][lane] = lane % 16;
         r.coords[1][lane] = lane / 16 * 9;
         uint8_t *texel = picture_element(&p, lane % 16, lane / 16 * 9, 0, 0, 0);
         for (unsigned b = 0; b < info->block_size_B; b++)
            texel[b] = (uint8_t)random_below(&random, 256);
      }
      struct agx_tex_result result;
      run_request(&p, &r, &result);
      for (unsigned lane = 0; lane < 32; lane++)
         check_texel(info, picture_element(&p, lane % 16, lane / 16 * 9, 0, 0, 0), &result, lane);
      image_unmap(&p.memory);
      formats++;
   }
   assert_true(formats >= 45);
}

/* The nearest value of the format: none of the neighbours is nearer. */
static void
check_written(const struct format_component *c, uint32_t field, double value)
{
   double low = c->numeric == FORMAT_SNORM ? -1.0 : 0.0;
   bool is_float = c->numeric == FORMAT_SFLOAT || c->numeric == FORMAT_UFLOAT;
   if (!is_float)
      value = value < low ? low : value > 1.0 ? 1.0 : value;
   else if (c->numeric == FORMAT_UFLOAT && value < 0.0)
      value = 0.0;
   struct format_component as_code = *c; /* sRGB is rounded to the nearest code */
   if (c->numeric == FORMAT_SRGB && c->name != FORMAT_A) {
      as_code.numeric = FORMAT_UNORM;
      value = value <= 0.0031308 ? value * 12.92 : 1.055 * pow(value, 1.0 / 2.4) - 0.055;
   }
   c = &as_code;
   double is = meaning(c, field), error = fabs(is - value);
   if (is_float && c->bits == 32) {
      assert_true(is == value);
      return;
   }
   uint32_t mask = c->bits == 32 ? ~0u : (1u << c->bits) - 1;
   for (int step = -1; step <= 1; step += 2) {
      double other = meaning(c, (field + (uint32_t)step) & mask);
      if (!isnan(other))
         assert_true(error <= fabs(other - value) * (1 + 1e-6) + 1e-9);
   }
   assert_true(error <= 0.5);
}

static void
write_format(struct random *random, const struct format_info *info, bool is_16)
{
   struct ail_image image = plain_image;
   image.format = info->format;
   struct picture p;
   make_picture(&p, &image);
   struct agx_tex_write w = {.data_16 = is_16, .dim = AGX_DIM_2D_ARRAY, .exec = ~0u};
   image_pbe(&p.layout, 0, w.pbe);
   double value[4][32];
   for (unsigned lane = 0; lane < 32; lane++) {
      w.coords[0][lane] = lane;
      w.coords[1][lane] = 3;
      w.coords[2][lane] = 0;
      for (unsigned c = 0; c < 4; c++) {
         float f = (float)random_below(random, 3072) / 1024.0f - 1.5f; /* a half float, too */
         uint32_t bits = random_below(random, 100);
         if (!is_integer(info))
            bits = is_16 ? (uint32_t)(uint16_t)((union {
                              _Float16 h;
                              uint16_t u;
                           }){.h = (_Float16)f})
                              .u
                         : float_bits(f);
         w.data[c][lane] = bits;
         value[c][lane] = is_integer(info) ? bits : (double)f;
      }
   }
   struct sim_fault fault = {0};
   assert_true(agx_tex_write(p.memory.vm, &w, &fault));
   for (unsigned lane = 0; lane < 16; lane++) {
      for (unsigned i = 0; i < info->component_count; i++) {
         const struct format_component *c = &info->components[i];
         uint32_t field = field_of(picture_element(&p, lane, 3, 0, 0, 0), c);
         if (is_integer(info))
            assert_int_equal(field, MIN2((uint32_t)value[i][lane], c->bits < 7 ? (1u << c->bits) - 1 : ~0u));
         else
            check_written(c, field, value[i][lane]);
      }
   }
   image_unmap(&p.memory);
}

static void
test_writing_formats(void **state)
{
   struct random random = {8};
   unsigned formats = 0;
   for (uint32_t format = 1; format < 185; format++) {
      const struct format_info *info = format_info(format);
      if (!is_plain(info) || info->components[0].name == FORMAT_DEPTH)
         continue;
      /* Two bits, signed: 1 and more saturate to 1. */
      if (info->components[0].numeric == FORMAT_SINT && info->packed_bits)
         continue;
      write_format(&random, info, false);
      write_format(&random, info, true);
      formats++;
   }
   assert_true(formats >= 40);
}

int
main(void)
{
   const struct CMUnitTest tests[] = {cmocka_unit_test(test_reading_formats), cmocka_unit_test(test_writing_formats)};
   return cmocka_run_group_tests(tests, NULL, NULL);
}
