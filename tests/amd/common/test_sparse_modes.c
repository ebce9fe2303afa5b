/* Images with residency: size, blocks and tail are what RADV says, and each block is one piece of the addresses. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include "amd/common/ac_surface_mode.h"
#include "amd/hw/chips.h"
#include "util/macros.h"

#include "sparse_modes.h"

static void
init(const struct amd_chip *chip, const struct sparse_mode *row, struct ac_surface *surface)
{
   const struct ac_surface_desc desc = {.gen = chip->gen,
                                        .gb_addr_config = chip->gb_addr_config,
                                        .width_px = row->width_px,
                                        .height_px = row->height_px,
                                        .slices = row->is_3d ? row->depth_px : row->layers,
                                        .levels = row->levels,
                                        .element_B = row->element_B,
                                        .block_width_px = row->block_px,
                                        .block_height_px = row->block_px,
                                        .samples = 1,
                                        .is_3d = row->is_3d,
                                        .tiling = AC_TILING_MODE,
                                        .mode = ac_surface_sparse_mode(chip->gen, row->is_3d)};

   assert_true(ac_surface_init(surface, &desc));
}

static void
check_row(const struct amd_chip *chip, const struct sparse_mode *row)
{
   struct ac_surface surface;

   init(chip, row, &surface);
   assert_int_equal(surface.size_B, row->size_B);
   assert_int_equal(row->block_px << surface.block_width_log2, row->granularity_px[0]);
   assert_int_equal(row->block_px << surface.block_height_log2, row->granularity_px[1]);
   assert_int_equal(1 << surface.slab_log2, row->granularity_px[2]);
   assert_int_equal(surface.first_tail_level, row->tail_level);
   if (row->is_3d || row->tail_level == row->levels)
      return;
   assert_int_equal(surface.levels[row->tail_level].offset_B, row->tail_at_B);
   assert_int_equal(surface.slice_B, row->tail_stride_B);
}

static void
layouts_of_radv(void **state)
{
   static const char *const chips[] = {"navi10", "navi21", "navi31", "gfx1150", "vega10"};

   for (unsigned c = 0; c < ARRAY_SIZE(chips); c++) {
      const struct amd_chip *chip = amd_chip_by_name(chips[c]);
      const struct sparse_mode *rows = chip->gen == AMD_GFX9 ? sparse_modes_gfx9 : sparse_modes;

      for (unsigned i = 0; i < ARRAY_SIZE(sparse_modes); i++)
         check_row(chip, &rows[i]);
   }
}

/* All texels of a block lie in one piece of 64 KiB, the same piece as its first one. */
static void
check_blocks(const struct ac_surface *surface, unsigned level, uint32_t slices)
{
   const struct ac_surface_level *l = &surface->levels[level];
   uint32_t columns = 1u << surface->block_width_log2, rows = 1u << surface->block_height_log2;

   for (unsigned i = 0; i < 500; i++) {
      uint32_t x = i * 7919 % l->width_el, y = i * 104729 % l->height_el, slice = i * 31 % slices;
      uint64_t at_B = ac_surface_offset_B(surface, level, x, y, slice, 0);
      uint64_t first_B = ac_surface_offset_B(surface, level, x / columns * columns, y / rows * rows,
                                             slice >> surface->slab_log2 << surface->slab_log2, 0);

      assert_int_equal(at_B >> 16, first_B >> 16);
   }
}

/* What a texel's place inside a block is, does not depend on the block. */
static void
check_places(const struct ac_surface *surface, uint32_t slices)
{
   const struct ac_surface_level *l = &surface->levels[0];
   uint32_t columns = 1u << surface->block_width_log2, rows = 1u << surface->block_height_log2;
   uint32_t slab = 1u << surface->slab_log2;

   for (unsigned i = 0; i < 500; i++) {
      uint32_t x = i * 7919 % l->width_el, y = i * 104729 % l->height_el, slice = i * 31 % slices;

      assert_int_equal(ac_surface_offset_B(surface, 0, x, y, slice, 0) & 0xffff,
                       ac_surface_offset_B(surface, 0, x % columns, y % rows, slice % slab, 0) & 0xffff);
   }
}

static void
blocks_are_pieces(void **state)
{
   static const char *const chips[] = {"navi10", "navi21", "navi31", "gfx1150", "vega10"};

   for (unsigned c = 0; c < ARRAY_SIZE(chips); c++) {
      for (unsigned i = 0; i < ARRAY_SIZE(sparse_modes); i++) {
         const struct sparse_mode *row = &sparse_modes[i];
         struct ac_surface surface;

         init(amd_chip_by_name(chips[c]), row, &surface);
         for (unsigned level = 0; level < surface.first_tail_level; level++)
            check_blocks(&surface, level, (uint32_t)(row->is_3d ? MAX2(row->depth_px >> level, 1) : row->layers));
         if (surface.first_tail_level)
            check_places(&surface, row->is_3d ? row->depth_px : row->layers);
      }
   }
}

int
main(void)
{
   const struct CMUnitTest tests[] = {
      cmocka_unit_test(layouts_of_radv),
      cmocka_unit_test(blocks_are_pieces),
   };

   return cmocka_run_group_tests(tests, NULL, NULL);
}
