/* Images of integers: a linear filter with a reduction gives the smallest or largest of the texels that have a
 * weight, over both levels, compared as the format's integers; one without gives the nearest. Random images, samplers
 * and places, against arithmetic in whole 256ths of a texel. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <cmocka.h>

#include "sim/texel/sample.h"
#include "util/macros.h"

enum { LEVELS = 3, MAX_SIZE = 16, SLICES = 16, IMAGES = 400, PLACES = 40, ONE = 256 };

static uint32_t texels[LEVELS][SLICES][MAX_SIZE][MAX_SIZE][4];
static uint32_t seed = 11;

static uint32_t
rnd(uint32_t below)
{
   seed = seed * 1664525u + 1013904223u;
   return (seed >> 8) % below;
}

/* Also numbers that would be NaN, denormals or of another sign. */
static uint32_t
any_integer(void)
{
   static const uint32_t corners[] = {0, 1, 0x7fffffff, 0x80000000, 0xffffffff, 0x7fc00000, 0xffc00000};
   const uint32_t low = rnd(1 << 16), high = rnd(1 << 16);
   return rnd(4) ? low | high << 16 : rnd(2) ? corners[rnd(ARRAY_SIZE(corners))] : low & 255;
}

static v4u
read_texel(struct sim_image *image, unsigned level, uint32_t x, uint32_t y, uint32_t slice)
{
   const uint32_t *t = texels[level][slice][y][x];
   return (v4u){t[0], t[1], t[2], t[3]};
}

static struct sim_image
any_image(void)
{
   static const enum sim_image_kind kinds[] = {SIM_IMAGE_1D, SIM_IMAGE_2D, SIM_IMAGE_3D, SIM_IMAGE_CUBE};
   struct sim_image image = {.kind = kinds[rnd(4)],
                             .is_int = true,
                             .is_signed = rnd(2),
                             .width = 1u << rnd(5),
                             .height = 1u << rnd(5),
                             .depth = 1u << rnd(5),
                             .last_level = LEVELS - 1,
                             .texel = read_texel};
   image.height = image.kind == SIM_IMAGE_1D ? 1 : image.kind == SIM_IMAGE_CUBE ? image.width : image.height;
   image.depth = image.kind == SIM_IMAGE_3D ? image.depth : 1;
   for (size_t i = 0; i < sizeof(texels) / sizeof(uint32_t); i++)
      (&texels[0][0][0][0][0])[i] = any_integer();
   return image;
}

static struct sim_sampler
any_sampler(void)
{
   static const enum sim_wrap wraps[] = {SIM_WRAP_REPEAT, SIM_WRAP_MIRROR, SIM_WRAP_EDGE, SIM_WRAP_BORDER};
   static const enum sim_reduction reductions[] = {SIM_REDUCTION_BLEND, SIM_REDUCTION_MIN, SIM_REDUCTION_MAX};
   static const enum sim_mip mips[] = {SIM_MIP_NONE, SIM_MIP_NEAREST, SIM_MIP_LINEAR};
   return (struct sim_sampler){
      .wrap = {wraps[rnd(4)], wraps[rnd(4)], wraps[rnd(4)]},
      .reduction = reductions[rnd(3)],
      .mag_linear = rnd(2),
      .min_linear = rnd(2),
      .mip = (uint8_t)mips[rnd(3)],
      .max_anisotropy = 1,
      .weights = ONE,
      .border_bits = (v4u){any_integer(), any_integer(), any_integer(), any_integer()},
   };
}

/* ---- what is expected ---- */

static int64_t
floor_div(int64_t a, int64_t b)
{
   return a / b - (a % b < 0);
}

/* -1: the border */
static int64_t
wrapped(enum sim_wrap wrap, int64_t i, int64_t size)
{
   if (wrap == SIM_WRAP_EDGE)
      return i < 0 ? 0 : i >= size ? size - 1 : i;
   if (wrap == SIM_WRAP_BORDER)
      return i < 0 || i >= size ? -1 : i;
   i -= floor_div(i, 2 * size) * 2 * size;
   return i < size ? i : wrap == SIM_WRAP_REPEAT ? i - size : 2 * size - 1 - i;
}

/* The texels of a level that have a weight along one axis: at 256ths of level 0. Returns how many. */
static unsigned
along(int64_t at, int64_t base_size, unsigned level, bool linear, int64_t out[2])
{
   const int64_t size = MAX2(base_size >> level, 1);
   if (!linear) {
      out[0] = floor_div(at * size, ONE * base_size);
      return 1;
   }
   const int64_t corner = floor_div(2 * at * size + base_size, 2 * base_size) - ONE / 2; /* nearest 256th */
   out[0] = floor_div(corner, ONE);
   out[1] = out[0] + 1;
   return corner == out[0] * ONE ? 1 : 2;
}

struct expected {
   uint32_t value[4];
   unsigned count;
};

static void
add_texel(struct expected *e, const struct sim_image *image, const struct sim_sampler *s, const uint32_t texel[4])
{
   for (unsigned c = 0; c < 4; c++) {
      const int64_t is = image->is_signed ? (int32_t)e->value[c] : (int64_t)e->value[c];
      const int64_t next = image->is_signed ? (int32_t)texel[c] : (int64_t)texel[c];
      if (!e->count || (s->reduction == SIM_REDUCTION_MIN ? next < is : next > is))
         e->value[c] = texel[c];
   }
   e->count++;
}

static void
add_level(struct expected *e, const struct sim_image *image, const struct sim_sampler *s,
          const struct sim_sample_point *p, const int64_t at[3], unsigned level, bool linear)
{
   /* size: a level and the point in it */
   const uint32_t sizes[3] = {image->width, image->height, image->depth};
   const unsigned axes = image->kind == SIM_IMAGE_1D ? 1 : image->kind == SIM_IMAGE_3D ? 3 : 2;
   int64_t i[3][2] = {{0}};
   unsigned counts[3] = {1, 1, 1};
   for (unsigned a = 0; a < axes; a++) {
      const enum sim_wrap wrap = image->kind == SIM_IMAGE_CUBE ? SIM_WRAP_EDGE : s->wrap[a];
      counts[a] = along(at[a], sizes[a], level, linear && s->reduction != SIM_REDUCTION_BLEND, i[a]);
      for (unsigned n = 0; n < counts[a]; n++)
         i[a][n] = wrapped(wrap, i[a][n], MAX2(sizes[a] >> level, 1));
   }
   for (unsigned n = 0; n < counts[0] * counts[1] * counts[2]; n++) {
      const int64_t x = i[0][n % counts[0]], y = i[1][n / counts[0] % counts[1]], z = i[2][n / counts[0] / counts[1]];
      const uint32_t border[4] = {s->border_bits[0], s->border_bits[1], s->border_bits[2], s->border_bits[3]};
      const int64_t slice = image->kind == SIM_IMAGE_3D ? z : p->slice + p->face;
      add_texel(e, image, s, x < 0 || y < 0 || z < 0 ? border : texels[level][slice][y][x]);
   }
}

/* lod_4: in quarters of a level. */
static struct expected
expect(const struct sim_image *image, const struct sim_sampler *s, const struct sim_sample_point *p,
       const int64_t at[3], int lod_4)
{
   struct expected e = {.count = 0};
   const bool linear = lod_4 > 0 ? s->min_linear : s->mag_linear;
   const int level_4 = s->mip == SIM_MIP_NONE || lod_4 < 0 ? 0 : MIN2(lod_4, 4 * (LEVELS - 1));
   const unsigned first = s->mip == SIM_MIP_NEAREST ? (unsigned)(level_4 + 1) / 4 : (unsigned)level_4 / 4;
   add_level(&e, image, s, p, at, first, linear);
   if (s->mip == SIM_MIP_LINEAR && level_4 % 4 && s->reduction != SIM_REDUCTION_BLEND)
      add_level(&e, image, s, p, at, first + 1, linear);
   return e;
}

static void
integers_are_reduced(void **state)
{
   unsigned wrong = 0, most = 0;
   for (unsigned n = 0; n < IMAGES; n++) {
      struct sim_image image = any_image();
      const bool is_cube = image.kind == SIM_IMAGE_CUBE;
      for (unsigned k = 0; k < PLACES; k++) {
         const struct sim_sampler sampler = any_sampler();
         const uint32_t sizes[3] = {image.width, image.height, image.depth};
         struct sim_sample_point p = {.slice = image.kind == SIM_IMAGE_3D ? 0 : rnd(4), .face = is_cube ? rnd(6) : 0};
         float *const places[3] = {&p.s, &p.t, &p.r};
         int64_t at[3];
         for (unsigned a = 0; a < 3; a++) {
            const uint32_t size = sizes[a] * ONE;
            at[a] = is_cube ? rnd(size + 1) : (int64_t)rnd(4 * size) - size;
            at[a] = rnd(4) ? at[a] : floor_div(at[a], ONE / 2) * (ONE / 2);
            *places[a] = (float)at[a] / (float)size;
         }
         const int lod_4 = (int)rnd(14) - 2;
         const struct sim_footprint footprint = {.probes = 1};
         const v4u got = sim_sample(&image, &sampler, &p, &footprint, (float)lod_4 / 4.0f);
         const struct expected e = expect(&image, &sampler, &p, at, lod_4);
         most = MAX2(most, e.count);
         for (unsigned c = 0; c < 4; c++)
            if (got[c] != e.value[c] && !wrong++)
               printf("image %u, kind %u, %ux%ux%u, %ssigned, reduction %u, lod %d/4, at %d %d %d: %#x and not %#x\n",
                      n, image.kind, image.width, image.height, image.depth, image.is_signed ? "" : "un",
                      sampler.reduction, lod_4, (int)at[0], (int)at[1], (int)at[2], got[c], e.value[c]);
      }
   }
   assert_int_equal(wrong, 0);
   assert_int_equal(most, 16);
}

int
main(void)
{
   const struct CMUnitTest tests[] = {cmocka_unit_test(integers_are_reduced)};
   return cmocka_run_group_tests(tests, NULL, NULL);
}
