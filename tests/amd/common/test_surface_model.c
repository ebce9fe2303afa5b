/* Addresses of ac_surface against those of the model, which others have written and which the rows of AMD's address
 * library hold: all levels of many small surfaces, with the pitch that GFX9's registers take and without. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include "amd/common/ac_surface.h"
#include "amd/hw/chips.h"
#include "amd/hw/descriptors.h"
#include "amd/sim/surface/surface.h"
#include "util/macros.h"

#include "../sim/surface_addresses.h"

static const char *const chips[] = {"vega10", "raven", "navi10", "navi21", "vangogh"};

static bool
layout(struct ac_surface *surface, const struct amd_chip *chip, uint32_t width, uint32_t height, unsigned slices,
       unsigned levels, unsigned element_log2, unsigned samples_log2, bool depth)
{
   /* size: fields of a surface */
   return ac_surface_init(surface, &(struct ac_surface_desc){.gen = chip->gen,
                                                             .gb_addr_config = chip->gb_addr_config,
                                                             .width_px = width,
                                                             .height_px = height,
                                                             .slices = slices,
                                                             .levels = levels,
                                                             .element_B = (uint8_t)(1u << element_log2),
                                                             .block_width_px = 1,
                                                             .block_height_px = 1,
                                                             .samples = (uint8_t)(1u << samples_log2),
                                                             .depth_stencil = depth});
}

static void
compare(const struct ac_surface *ours, const struct amd_chip *chip, uint32_t width, uint32_t height, bool pitch)
{
   struct amd_surface_desc desc = {.gen = chip->gen,
                                   .gb_addr_config = chip->gb_addr_config,
                                   .base_256B = 1 << 24,
                                   .mode = ours->mode,
                                   .element_log2 = ours->element_log2,
                                   .element_B = (uint8_t)(1u << ours->element_log2),
                                   .samples_log2 = ours->samples_log2,
                                   .levels = ours->num_levels,
                                   .texel_px = 1,
                                   .width_px = width,
                                   .height_px = height,
                                   .slices = ours->slices,
                                   .pitch_el = pitch ? ours->epitch_el : 0};

   for (unsigned level = 0; level < ours->num_levels; level++) {
      struct sim_fault fault = {0};
      struct amd_surface model;
      uint32_t w = ours->levels[level].width_el, h = ours->levels[level].height_el, last = ours->slices - 1;

      assert_true(amd_surface_init(&model, &desc, level, &fault));
      assert_int_equal(model.size_B, ours->size_B);
      for (unsigned i = 0; i < 64; i++) {
         uint32_t x = i < 4 ? (i & 1) * (w - 1) : i * 37 % w, y = i < 4 ? (i >> 1) * (h - 1) : i * 61 % h;
         uint32_t slice = i & 4 ? last : 0, sample = i % (1u << ours->samples_log2);

         assert_int_equal(ac_surface_offset_B(ours, level, x, y, slice, sample),
                          amd_surface_offset(&model, x, y, slice, sample));
      }
   }
}

static void
check_size(const struct amd_chip *chip, uint32_t width, uint32_t height)
{
   struct ac_surface surface;
   unsigned most = log2_floor(MAX2(width, height)) + 1;

   for (unsigned element = 0; element < 5; element++) {
      for (unsigned samples = 0; samples < 4; samples++) {
         for (unsigned levels = 1; levels <= (samples ? 1 : most); levels++) {
            for (unsigned depth = 0; depth < 1 + (element < 3); depth++) {
               assert_true(layout(&surface, chip, width, height, 3, levels, element, samples, depth));
               compare(&surface, chip, width, height, false);
               compare(&surface, chip, width, height, true);
            }
         }
      }
   }
}

static void
small_surfaces(void **state)
{
   static const uint16_t sizes[] = {1, 2, 3, 5, 16, 31, 64, 65, 127, 128, 129, 200, 256, 257, 300, 512, 513, 1025};

   for (unsigned c = 0; c < ARRAY_SIZE(chips); c++) {
      for (unsigned i = 0; i < ARRAY_SIZE(sizes) * ARRAY_SIZE(sizes); i++)
         check_size(amd_chip_by_name(chips[c]), sizes[i % ARRAY_SIZE(sizes)], sizes[i / ARRAY_SIZE(sizes)]);
   }
}

/* The rows of AMD's address library that are in a mode of ours. */
static void
rows_of_the_library(void **state)
{
   unsigned found = 0;

   for (unsigned i = 0; i < ARRAY_SIZE(addresses); i++) {
      const struct amd_chip *chip = amd_chip_by_name(addresses[i].chip);
      const uint16_t *at = addresses[i].at;
      struct ac_surface surface;

      if (addresses[i].is_3d || chip->gen >= AMD_GFX11 || addresses[i].element_log2 > 4)
         continue;
      if (!layout(&surface, chip, addresses[i].width, addresses[i].height, addresses[i].slices, addresses[i].levels,
                  addresses[i].element_log2, addresses[i].samples_log2, addresses[i].mode == V_SW_64KB_Z_X) ||
          surface.mode != addresses[i].mode)
         continue;
      assert_int_equal(ac_surface_offset_B(&surface, addresses[i].level, at[0], at[1], at[2], at[3]),
                       addresses[i].address);
      found += chip->gen == AMD_GFX9;
   }
   assert_true(found >= 5);
}

int
main(void)
{
   const struct CMUnitTest tests[] = {
      cmocka_unit_test(small_surfaces),
      cmocka_unit_test(rows_of_the_library),
   };

   return cmocka_run_group_tests(tests, NULL, NULL);
}
