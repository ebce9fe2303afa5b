/* Where texels lie: no two in one place, and levels where the address library has them. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>
#include <cmocka.h>

#include "amd/hw/chips.h"
#include "amd/hw/descriptors.h"
#include "amd/hw/swizzle.h"
#include "amd/sim/state/layouts.h"
#include "util/macros.h"

#include "surface_addresses.h"

enum { NAVI21_CONFIG = 0x444 };

static const uint64_t base = UINT64_C(0x200000000);

/* Chips whose patterns the table has; navi21's were also collected separately. */
static const char *const chips[] = {"vega10",  "raven",  "renoir",  "navi10", "navi21",
                                    "vangogh", "navi31", "phoenix", "gfx1150"};

static bool
owns(const struct amd_chip *chip, const struct amd_swizzle_equation *e)
{
   return e->gen == chip->gen && e->config == amd_swizzle_config(chip->gen, chip->gb_addr_config);
}

/* Chips of a generation have the same patterns, and equal numbers in another generation do not pass for a chip's. */
static void
chips_have_the_same_modes(void **state)
{
   const struct amd_swizzle_equation *e;
   static const unsigned per_generation[AMD_GEN_COUNT] = {
      [AMD_GFX9] = 429, [AMD_GFX10] = 123, [AMD_GFX10_3] = 121, [AMD_GFX11] = 134, [AMD_GFX11_5] = 134};
   unsigned per_chip[ARRAY_SIZE(chips)] = {0};
   for (unsigned n = 0; (e = amd_swizzle_at(n)); n++) {
      unsigned owners = 0;
      for (unsigned i = 0; i < ARRAY_SIZE(chips); i++) {
         const struct amd_chip *chip = amd_chip_by_name(chips[i]);
         uint32_t config = chip->gb_addr_config;
         const struct amd_swizzle_equation *found =
            e->is_3d ? amd_swizzle_find_3d(chip->gen, config, e->mode, e->element_log2)
                     : amd_swizzle_find(chip->gen, config, e->mode, e->element_log2, e->samples_log2);
         assert_int_equal(found == e, owns(chip, e));
         assert_true(chip->gen != e->gen || found);
         per_chip[i] += owns(chip, e);
         owners += owns(chip, e);
      }
      assert_true(owners);
   }
   for (unsigned i = 0; i < ARRAY_SIZE(chips); i++) {
      const struct amd_chip *chip = amd_chip_by_name(chips[i]);
      assert_int_equal(per_chip[i], per_generation[chip->gen]);
   }
}

/* A pixel's place is the same among the four of its quad. */
static void
check_quad(const struct amd_surface *s, uint32_t x, uint32_t y, uint32_t slice, uint32_t sample, uint64_t expected)
{
   uint64_t quad[4];
   amd_surface_quad(s, x & ~1u, y & ~1u, slice, quad);
   assert_int_equal(quad[(y & 1) * 2 + (x & 1)] ^ s->s[sample], expected);
}

/* Every tiled pattern maps the texels and samples of a block one to one. */
static void
tiled_blocks_are_bijections(void **state)
{
   static uint8_t seen[1 << 18];
   unsigned patterns = 0;
   const struct amd_swizzle_equation *e;
   for (unsigned n = 0; (e = amd_swizzle_at(n)); n++) {
      struct sim_fault fault = {0};
      struct amd_surface s;
      const struct amd_surface_desc desc = {.gen = e->gen,
                                            .gb_addr_config = e->config,
                                            .base_256B = base >> 8,
                                            .mode = e->mode,
                                            .element_log2 = e->element_log2,
                                            .element_B = (uint8_t)(1 << e->element_log2),
                                            .samples_log2 = e->samples_log2,
                                            .levels = 1,
                                            .texel_px = 1,
                                            .width_px = 1024,
                                            .height_px = 1024,
                                            .slices = 256,
                                            .is_3d = e->is_3d};
      assert_true(amd_surface_init(&s, &desc, 0, &fault));
      memset(seen, 0, sizeof(seen));
      unsigned w = 1u << s.block_w_log2, h = 1u << s.block_h_log2;
      for (unsigned y = h; y < 2 * h; y++) { /* the block at (2, 1) */
         for (unsigned x = 2 * w; x < 3 * w; x++) {
            unsigned inner = 1u << (e->thick_log2[2] ? e->thick_log2[2] : e->samples_log2);
            for (unsigned k = 0; k < inner; k++) {
               uint64_t at = amd_surface_offset(&s, x, y, e->thick_log2[2] ? k : 0, e->thick_log2[2] ? 0 : k);
               check_quad(&s, x, y, e->thick_log2[2] ? k : 0, e->thick_log2[2] ? 0 : k, at);
               assert_int_equal(at >> e->block_log2, s.blocks_per_row + 2);
               assert_int_equal(seen[at & bit_mask(e->block_log2)]++, 0);
            }
         }
      }
      patterns++;
   }
   assert_true(patterns >= 120 * ARRAY_SIZE(chips));
}

/* Marks the texels of all levels; one place for two, or one beyond the end, fails. */
static void
check_levels(const struct amd_surface_desc *desc)
{
   struct sim_fault fault = {0};
   struct amd_surface s;
   assert_true(amd_surface_init(&s, desc, 0, &fault));
   uint8_t *seen = calloc(1, s.size_B);
   for (unsigned level = 0; level < desc->levels; level++) {
      assert_true(amd_surface_init(&s, desc, level, &fault));
      uint32_t slices = desc->is_3d ? MAX2(desc->slices >> level, 1u) : desc->slices;
      for (uint32_t slice = 0; slice < slices; slice++) {
         for (uint32_t y = 0; y < s.height_el; y++) {
            for (uint32_t x = 0; x < s.width_el; x++) {
               uint64_t at = amd_surface_offset(&s, x, y, slice, 0);
               check_quad(&s, x, y, slice, 0, at);
               assert_true(at + desc->element_B <= s.size_B);
               assert_int_equal(seen[at]++, 0);
            }
         }
      }
   }
   free(seen);
}

/* Every level of 3D images in every pattern, thick ones and those of a slice a block, also with a long tail. */
static void
levels_of_3d_images_do_not_overlap(void **state)
{
   static const uint16_t sizes[][4] = {/* width, height, depth, levels */
                                       {16, 16, 16, 5}, {70, 33, 9, 7},  {33, 70, 40, 7}, {130, 65, 3, 8},
                                       {5, 3, 129, 8},  {64, 32, 32, 3}, {31, 200, 2, 8}};
   const struct amd_swizzle_equation *e;
   unsigned thick = 0;
   for (unsigned n = 0; (e = amd_swizzle_at(n)); n++) {
      if (e->samples_log2 || e->block_log2 == 8)
         continue;
      for (unsigned i = 0; i < ARRAY_SIZE(sizes); i++) {
         check_levels(&(struct amd_surface_desc){.gen = e->gen,
                                                 .gb_addr_config = e->config,
                                                 .base_256B = base >> 8,
                                                 .mode = e->mode,
                                                 .element_log2 = e->element_log2,
                                                 .element_B = (uint8_t)(1 << e->element_log2),
                                                 .levels = (uint8_t)sizes[i][3],
                                                 .texel_px = e->element_log2 >= 3 && n & 1 ? 4 : 1,
                                                 .width_px = sizes[i][0],
                                                 .height_px = sizes[i][1],
                                                 .slices = sizes[i][2],
                                                 .is_3d = true});
         thick += e->thick_log2[2] != 0;
      }
   }
   assert_true(thick >= 6 * 5 * ARRAY_SIZE(chips) * ARRAY_SIZE(sizes));
}

/* Where levels of odd sizes lie, by hand: their room is rounded up. 37x23, 19x12 and 10x6 texels, smallest first. */
static void
rooms_of_levels_are_rounded_up(void **state)
{
   struct sim_fault fault = {0};
   struct amd_surface s;
   struct amd_surface_desc desc = {.gen = AMD_GFX10_3,
                                   .gb_addr_config = NAVI21_CONFIG,
                                   .base_256B = base >> 8,
                                   .mode = V_SW_LINEAR,
                                   .element_log2 = 2,
                                   .element_B = 4,
                                   .levels = 3,
                                   .texel_px = 1,
                                   .width_px = 37,
                                   .height_px = 23,
                                   .slices = 1};
   const uint32_t starts[3] = {(6 + 12) * 256, 6 * 256, 0}, widths[3] = {37, 18, 9}, heights[3] = {23, 11, 5};
   for (unsigned level = 0; level < 3; level++) {
      assert_true(amd_surface_init(&s, &desc, level, &fault));
      assert_int_equal(amd_surface_offset(&s, 0, 0, 0, 0), starts[level]);
      assert_int_equal(s.width_el, widths[level]);
      assert_int_equal(s.height_el, heights[level]);
      assert_int_equal(s.slice_B, (6 + 12 + 23) * 256);
   }
   /* 65 texels leave 33 for level 1: more than half of a block of 64, so that the tail begins with level 2. */
   desc.mode = V_SW_64KB_R_X;
   desc.element_log2 = 4;
   desc.element_B = 16;
   desc.width_px = 65;
   assert_true(amd_surface_init(&s, &desc, 1, &fault));
   assert_int_equal(amd_surface_offset(&s, 0, 0, 0, 0), 1 << 16);
}

static void
addresses_are_those_of_the_address_library(void **state)
{
   static struct amd_surface s;
   struct sim_fault fault = {0};
   for (unsigned i = 0; i < ARRAY_SIZE(addresses); i++) {
      const struct amd_chip *chip = amd_chip_by_name(addresses[i].chip);
      const uint16_t *at = addresses[i].at;
      const struct amd_surface_desc desc = {.gen = chip->gen,
                                            .gb_addr_config = chip->gb_addr_config,
                                            .base_256B = base >> 8,
                                            .mode = addresses[i].mode,
                                            .element_log2 = addresses[i].element_log2,
                                            .element_B = (uint8_t)(1 << addresses[i].element_log2),
                                            .samples_log2 = addresses[i].samples_log2,
                                            .levels = (uint8_t)addresses[i].levels,
                                            .texel_px = 1,
                                            .width_px = addresses[i].width,
                                            .height_px = addresses[i].height,
                                            .slices = addresses[i].slices,
                                            .is_3d = addresses[i].is_3d};
      assert_true(amd_surface_init(&s, &desc, addresses[i].level, &fault));
      assert_int_equal(amd_surface_offset(&s, at[0], at[1], at[2], at[3]), addresses[i].address);
   }
}

/* A draw's layouts from those of others, in any order: each field of what they are made from counts. */
static void
layouts_are_kept(void **state)
{
   static const struct amd_surface_desc first = {.gen = AMD_GFX10_3,
                                                 .gb_addr_config = NAVI21_CONFIG,
                                                 .base_256B = base >> 8,
                                                 .mode = V_SW_64KB_R_X,
                                                 .element_log2 = 2,
                                                 .element_B = 4,
                                                 .levels = 4,
                                                 .texel_px = 1,
                                                 .width_px = 300,
                                                 .height_px = 200,
                                                 .slices = 3};
   struct amd_surface_desc list[8] = {first, first, first, first, first, first, first, first};
   struct amd_layouts *layouts = calloc(1, sizeof(*layouts));
   const struct amd_meta_align aligns[2] = {{true, true}, {false, true}};
   list[1].base_256B += 256;
   list[2].width_px = 301;
   list[3].slices = 5;
   list[4].element_log2 = 3, list[4].element_B = 8;
   list[5].samples_log2 = 2, list[5].levels = 1;
   list[6].mode = V_SW_64KB_S_X;
   list[7].levels = 2;
   for (unsigned n = 0; n < 4000; n++) {
      const unsigned i = n * n % 61 % 8, level = n / 8 % list[i].levels, b = n % 3;
      struct sim_fault fault = {0};
      struct amd_surface kept, plain;
      struct amd_meta kept_meta, meta;
      memset(&kept, 0, sizeof(kept));
      memset(&plain, 0, sizeof(plain));
      memset(&kept_meta, 0, sizeof(meta));
      memset(&meta, 0, sizeof(meta));
      assert_true(amd_layouts_surface(layouts, &kept, &list[i], level, &fault));
      assert_true(amd_surface_init(&plain, &list[i], level, &fault));
      assert_memory_equal(&kept, &plain, sizeof(plain));
      const bool has = amd_meta_has_level(&list[i], &plain, level) && list[i].mode == V_SW_64KB_R_X;
      const struct amd_meta_desc from = {AMD_META_DCC, aligns[n & 1], &list[i], &plain, level, base + b};
      if (has && amd_meta_init(&meta, &from, &fault)) {
         assert_true(amd_layouts_meta(layouts, &kept_meta, &from, &fault));
         assert_memory_equal(&kept_meta, &meta, sizeof(meta));
      }
   }
   assert_true(layouts->surface_count > AMD_LAYOUTS && layouts->meta_count > AMD_LAYOUTS);
   assert_true(layouts->surface_count < 4000);
   free(layouts);
}

int
main(void)
{
   const struct CMUnitTest tests[] = {
      cmocka_unit_test(chips_have_the_same_modes),
      cmocka_unit_test(tiled_blocks_are_bijections),
      cmocka_unit_test(levels_of_3d_images_do_not_overlap),
      cmocka_unit_test(rooms_of_levels_are_rounded_up),
      cmocka_unit_test(addresses_are_those_of_the_address_library),
      cmocka_unit_test(layouts_are_kept),
   };
   return cmocka_run_group_tests(tests, NULL, NULL);
}
