/* Where metadata of GFX9 lies: a rule instead of patterns. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdlib.h>
#include <cmocka.h>

#include "amd/hw/chips.h"
#include "amd/sim/surface/meta.h"
#include "util/macros.h"

#include "meta_rule_addresses.h"

static const uint64_t base = UINT64_C(0x200000000);

static struct amd_surface_desc
desc_of(const struct amd_chip *chip, unsigned mode, unsigned element_log2, bool is_3d, uint32_t w, uint32_t h,
        uint32_t slices)
{
   /* size: fields of a surface */
   return (struct amd_surface_desc){.gen = chip->gen,
                                    .gb_addr_config = chip->gb_addr_config,
                                    .mode = (uint8_t)mode,
                                    .element_log2 = (uint8_t)element_log2,
                                    .element_B = (uint8_t)(1 << element_log2),
                                    .levels = 1,
                                    .texel_px = 1,
                                    .is_3d = is_3d,
                                    .width_px = w,
                                    .height_px = h,
                                    .slices = slices};
}

static void
addresses_are_those_of_the_address_library(void **state)
{
   static struct amd_meta meta;
   static const struct amd_surface unused;
   struct sim_fault fault = {0};
   for (unsigned i = 0; i < ARRAY_SIZE(rule_addresses); i++) {
      const uint16_t *at = rule_addresses[i].at;
      const struct amd_meta_align align = {rule_addresses[i].aligned[0], rule_addresses[i].aligned[1]};
      struct amd_surface_desc desc = desc_of(
         amd_chip_by_name(rule_addresses[i].chip), rule_addresses[i].mode, rule_addresses[i].element_log2,
         rule_addresses[i].is_3d, rule_addresses[i].width, rule_addresses[i].height, rule_addresses[i].slices);
      desc.samples_log2 = rule_addresses[i].samples_log2;
      assert_true(amd_meta_init(
         &meta,
         &(struct amd_meta_desc){(enum amd_meta_kind)rule_addresses[i].kind, align, &desc, &unused, 0, base >> 8},
         &fault));
      uint64_t got = amd_meta_offset(&meta, at[0], at[1], at[2], at[3]);
      if (got != rule_addresses[i].address)
         fail_msg("row %u: 0x%lx, not 0x%x", i, (long)got, rule_addresses[i].address);
      assert_true(got >> meta.halves < meta.size_B);
   }
}

static void
levels_are_those_of_the_address_library(void **state)
{
   static struct amd_meta meta;
   static const struct amd_surface unused;
   struct sim_fault fault = {0};
   for (unsigned i = 0; i < ARRAY_SIZE(rule_levels); i++) {
      const uint16_t *start = rule_levels[i].start;
      struct amd_surface_desc desc =
         desc_of(amd_chip_by_name(rule_levels[i].chip), rule_levels[i].mode, rule_levels[i].element_log2,
                 rule_levels[i].is_3d, rule_levels[i].width, rule_levels[i].height, rule_levels[i].slices);
      desc.levels = rule_levels[i].levels;
      assert_true(amd_meta_init(
         &meta,
         &(struct amd_meta_desc){
            (enum amd_meta_kind)rule_levels[i].kind, {true, true}, &desc, &unused, rule_levels[i].level, base >> 8},
         &fault));
      if (meta.start_x != start[0] || meta.start_y != start[1] || meta.start_z != start[2])
         fail_msg("row %u: %u %u %u, not %u %u %u", i, meta.start_x, meta.start_y, meta.start_z, start[0], start[1],
                  start[2]);
      assert_int_equal(meta.blocks_per_row, rule_levels[i].blocks_per_row);
      assert_int_equal(meta.blocks_per_slice, rule_levels[i].blocks_per_slice);
   }
}

/* Every entry of a block of colour has a byte to itself, samples that are not compressed too. */
static void
samples_have_bytes_of_their_own(void **state)
{
   static const char *const chips[] = {"vega10", "raven", "renoir"};
   static struct amd_meta meta;
   static const struct amd_surface unused;
   struct sim_fault fault = {0};
   for (unsigned chip = 0; chip < ARRAY_SIZE(chips); chip++) {
      for (unsigned samples_log2 = 0; samples_log2 < 4; samples_log2++) {
         struct amd_surface_desc desc = desc_of(amd_chip_by_name(chips[chip]), 27, 2, false, 600, 500, 2);
         desc.samples_log2 = (uint8_t)samples_log2;
         assert_true(amd_meta_init(
            &meta, &(struct amd_meta_desc){AMD_META_DCC, {true, true}, &desc, &unused, 0, base >> 8}, &fault));
         uint8_t *seen = calloc(1, meta.size_B);
         for (uint32_t i = 0; i < 600 / 8 * (500 / 8) * 2u << samples_log2; i++) {
            uint32_t rest = i >> samples_log2, x = rest % 75 * 8, y = rest / 75 % 62 * 8, z = rest / (75 * 62);
            uint64_t at = amd_meta_offset(&meta, x, y, z, i & (uint32_t)bit_mask(samples_log2));
            assert_true(at < meta.size_B);
            assert_int_equal(seen[at]++, 0);
         }
         free(seen);
      }
   }
}

/* The base's low bits pick pipes, and nothing else. */
static void
swizzle_of_the_base_picks_pipes(void **state)
{
   static struct amd_meta plain, swizzled;
   static const struct amd_surface unused;
   struct sim_fault fault = {0};
   const struct amd_surface_desc desc = desc_of(amd_chip_by_name("vega10"), 27, 2, false, 600, 500, 2);
   const struct amd_meta_align align = {true, true};
   assert_true(
      amd_meta_init(&plain, &(struct amd_meta_desc){AMD_META_DCC, align, &desc, &unused, 0, base >> 8}, &fault));
   assert_true(amd_meta_init(
      &swizzled, &(struct amd_meta_desc){AMD_META_DCC, align, &desc, &unused, 0, base >> 8 | 0x3a}, &fault));
   assert_int_equal(swizzled.base.va, base);
   assert_int_equal(amd_meta_offset(&plain, 300, 200, 1, 0) ^ amd_meta_offset(&swizzled, 300, 200, 1, 0), 0xa00);
}

int
main(void)
{
   const struct CMUnitTest tests[] = {
      cmocka_unit_test(addresses_are_those_of_the_address_library),
      cmocka_unit_test(levels_are_those_of_the_address_library),
      cmocka_unit_test(samples_have_bytes_of_their_own),
      cmocka_unit_test(swizzle_of_the_base_picks_pipes),
   };
   return cmocka_run_group_tests(tests, NULL, NULL);
}
