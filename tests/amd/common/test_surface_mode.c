/* The tiling of images: mode and size are those that RADV takes, addresses those of the model, which others
 * have written; and layers of blocks seen as images of their own. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include "amd/common/ac_block_view.h"
#include "amd/common/ac_meta.h"
#include "amd/common/ac_surface.h"
#include "amd/hw/chips.h"
#include "amd/sim/surface/surface.h"
#include "util/macros.h"

#include "depth_modes_gfx9.h"
#include "choices.h"
#include "surface_modes.h"
#include "surface_modes_gfx9.h"

static const char *const chips[] = {"navi10", "navi21", "vangogh", "navi31", "gfx1150", "vega10", "raven"};

static struct ac_surface_desc
description(const struct amd_chip *chip, unsigned row)
{
   bool is_3d = surface_modes[row].dimension == 2;

   return (struct ac_surface_desc){.gen = chip->gen,
                                   .gb_addr_config = chip->gb_addr_config,
                                   .width_px = surface_modes[row].width_px,
                                   .height_px = surface_modes[row].height_px,
                                   .slices = is_3d ? surface_modes[row].depth_px : surface_modes[row].layers,
                                   .levels = surface_modes[row].levels,
                                   .element_B = surface_modes[row].element_B,
                                   .block_width_px = surface_modes[row].block_px,
                                   .block_height_px = surface_modes[row].block_px,
                                   .samples = 1,
                                   .is_1d = surface_modes[row].dimension == 0,
                                   .is_3d = is_3d,
                                   .slices_are_targets = surface_modes[row].targets,
                                   .tiling = AC_TILING_BEST};
}

static void
compare_level(const struct amd_chip *chip, const struct ac_surface_desc *ours, const struct ac_surface *surface,
              unsigned level)
{
   struct amd_surface_desc desc = {.gen = chip->gen,
                                   .gb_addr_config = chip->gb_addr_config,
                                   .base_256B = 1 << 24,
                                   .mode = surface->mode,
                                   .element_log2 = surface->element_log2,
                                   .element_B = ours->element_B,
                                   .levels = surface->num_levels,
                                   .texel_px = ours->block_width_px,
                                   .is_3d = ours->is_3d,
                                   .width_px = ours->width_px,
                                   .height_px = ours->height_px,
                                   .slices = ours->slices};
   uint32_t w = surface->levels[level].width_el, h = surface->levels[level].height_el;
   uint32_t slices = ours->is_3d ? MAX2(ours->slices >> level, 1u) : ours->slices;
   struct sim_fault fault = {0};
   struct amd_surface model;

   assert_true(amd_surface_init(&model, &desc, level, &fault));
   assert_int_equal(model.width_el, w);
   assert_int_equal(model.height_el, h);
   for (unsigned i = 0; i < 200; i++) {
      uint32_t x = i < 4 ? (i & 1) * (w - 1) : i * 37 % w, y = i < 4 ? (i >> 1) * (h - 1) : i * 61 % h;
      uint32_t slice = i % 8 ? i * 7 % slices : slices - 1;

      assert_int_equal(ac_surface_offset_B(surface, level, x, y, slice, 0),
                       amd_surface_offset(&model, x, y, slice, 0));
   }
}

static void
modes_of_radv(void **state)
{
   for (unsigned i = 0; i < ARRAY_SIZE(chips) * ARRAY_SIZE(surface_modes); i++) {
      const struct amd_chip *chip = amd_chip_by_name(chips[i % ARRAY_SIZE(chips)]);
      unsigned row = i / ARRAY_SIZE(chips);
      struct ac_surface_desc desc = description(chip, row);
      bool gfx9 = chip->gen == AMD_GFX9;
      uint8_t mode = gfx9 ? surface_modes_gfx9[row].mode : surface_modes[row].mode;
      uint32_t size_B = gfx9 ? surface_modes_gfx9[row].size_B : surface_modes[row].size_B;
      struct ac_surface surface;

      assert_true(ac_surface_init(&surface, &desc));
      if (surface.mode != mode || align_up(surface.size_B, surface.alignment_B) != size_B)
         fail_msg("row %u on %s: mode %u, %u bytes", row, chip->name, surface.mode, (unsigned)surface.size_B);
      for (unsigned level = 0; level < surface.num_levels; level++)
         compare_level(chip, &desc, &surface, level);
   }
}

/* Depth and stencil on GFX9. RADV has no HTILE for textures of 16 bits of four samples, none with levels, and none of
 * stencil. */
static void
depth_of_radv(void **state)
{
   static const char *const gfx9[] = {"vega10", "raven"};

   for (unsigned i = 0; i < ARRAY_SIZE(gfx9) * ARRAY_SIZE(depth_modes_gfx9); i++) {
      const struct amd_chip *chip = amd_chip_by_name(gfx9[i % ARRAY_SIZE(gfx9)]);
      unsigned row = i / ARRAY_SIZE(gfx9), samples = depth_modes_gfx9[row].samples;
      uint8_t element_B = depth_modes_gfx9[row].element_B, levels = depth_modes_gfx9[row].levels;
      struct ac_surface_desc desc = {.gen = chip->gen,
                                     .gb_addr_config = chip->gb_addr_config,
                                     .width_px = depth_modes_gfx9[row].width_px,
                                     .height_px = depth_modes_gfx9[row].height_px,
                                     .slices = depth_modes_gfx9[row].layers,
                                     .levels = levels,
                                     .element_B = element_B,
                                     .block_width_px = 1,
                                     .block_height_px = 1,
                                     .samples = (uint8_t)samples,
                                     .depth_stencil = true,
                                     .htile = element_B > 1 && levels == 1 && !(element_B == 2 && samples == 4),
                                     .tiling = AC_TILING_BEST};
      struct ac_surface surface;

      assert_true(ac_surface_init(&surface, &desc));
      if (surface.mode != depth_modes_gfx9[row].mode || surface.size_B != depth_modes_gfx9[row].size_B)
         fail_msg("row %u: mode %u, %u bytes", row, surface.mode, (unsigned)surface.size_B);
   }
}

/* Metadata of the image, which is as large as RADV's. */
static struct ac_meta
compare_meta(const char *name, enum amd_meta_kind kind, struct ac_surface_desc desc, uint32_t size_B)
{
   const struct amd_chip *chip = amd_chip_by_name(name);
   struct ac_surface surface;
   struct ac_meta meta;

   desc.gen = chip->gen;
   desc.gb_addr_config = chip->gb_addr_config;
   desc.block_width_px = desc.block_height_px = 1;
   desc.samples = MAX2(desc.samples, 1);
   desc.depth_stencil = desc.htile = kind == AMD_META_HTILE;
   desc.tiling = desc.depth_stencil ? desc.tiling : AC_TILING_BEST;
   assert_true(ac_surface_init(&surface, &desc));
   assert_true(
      ac_meta_init(&meta, kind, chip->gen, chip->gb_addr_config, &surface, desc.width_px, desc.height_px, 0));
   assert_int_equal(align_up(ac_meta_size_B(&meta, desc.slices), meta.alignment_B), size_B);
   return meta;
}

/* HTILE of 32-bit depth, as RADV prints it. */
static void
htile_of_radv(void **state)
{
   static const struct {
      const char *chip;
      uint16_t width_px, height_px;
      uint8_t levels, layers;
      uint32_t size_B;
   } rows[] = {
      {"navi10", 16, 16, 1, 1, 32768},      {"navi10", 256, 256, 3, 1, 98304},   {"navi10", 1000, 600, 1, 1, 65536},
      {"navi10", 1000, 600, 1, 3, 196608},  {"navi10", 1000, 600, 3, 1, 131072}, {"navi21", 16, 16, 1, 1, 65536},
      {"navi21", 1000, 600, 3, 1, 196608},  {"navi21", 1000, 600, 1, 3, 196608}, {"vangogh", 64, 64, 1, 3, 24576},
      {"vangogh", 1000, 600, 1, 1, 49152},  {"vangogh", 1000, 600, 3, 1, 73728}, {"vangogh", 1000, 600, 1, 3, 147456},
      {"navi31", 1000, 600, 3, 1, 393216},  {"navi31", 16, 16, 1, 1, 131072},    {"gfx1150", 1000, 600, 1, 1, 65536},
      {"gfx1150", 1000, 600, 3, 1, 98304},  {"gfx1150", 256, 256, 3, 1, 49152},  {"vega10", 1000, 600, 1, 1, 65536},
      {"vega10", 1024, 1024, 1, 3, 196608}, {"raven", 1000, 600, 1, 1, 65536},   {"raven", 1024, 1024, 1, 3, 196608},
      {"renoir", 1024, 1024, 1, 3, 196608},
   };

   for (unsigned i = 0; i < ARRAY_SIZE(rows); i++) {
      const struct ac_surface_desc desc = {.width_px = rows[i].width_px,
                                           .height_px = rows[i].height_px,
                                           .slices = rows[i].layers,
                                           .levels = rows[i].levels,
                                           .element_B = 4};
      const struct ac_meta htile = compare_meta(rows[i].chip, AMD_META_HTILE, desc, rows[i].size_B);
      /* Level 0 is the last of its slice. */
      assert_int_equal(htile.first_block + htile.level_blocks, htile.slice_blocks);
   }
}

/* The same of several samples, which change its size only on GFX9. */
static void
htile_of_samples(void **state)
{
   static const struct {
      const char *chip;
      uint8_t element_B, samples;
      uint16_t width_px, height_px;
      uint8_t layers;
      uint32_t size_B;
   } rows[] = {
      {"raven", 2, 2, 8, 8, 3, 24576},         {"raven", 2, 2, 64, 64, 3, 24576},
      {"raven", 2, 2, 1000, 600, 3, 196608},   {"raven", 2, 8, 8, 8, 3, 24576},
      {"raven", 2, 8, 200, 200, 1, 8192},      {"raven", 2, 8, 1000, 600, 3, 196608},
      {"raven", 4, 2, 8, 8, 3, 24576},         {"raven", 4, 2, 1000, 600, 3, 196608},
      {"raven", 4, 4, 1000, 600, 3, 196608},   {"raven", 4, 8, 8, 8, 3, 24576},
      {"raven", 4, 8, 64, 64, 3, 65536},       {"raven", 4, 8, 200, 200, 1, 65536},
      {"raven", 4, 8, 1000, 600, 3, 196608},   {"vega10", 2, 2, 64, 64, 3, 196608},
      {"vega10", 2, 2, 200, 200, 1, 65536},    {"vega10", 2, 8, 64, 64, 3, 524288},
      {"vega10", 2, 8, 200, 200, 1, 524288},   {"vega10", 4, 2, 64, 64, 3, 524288},
      {"vega10", 4, 2, 1000, 600, 3, 524288},  {"vega10", 4, 4, 64, 64, 3, 524288},
      {"vega10", 4, 8, 8, 8, 3, 524288},       {"vega10", 4, 8, 64, 64, 3, 524288},
      {"vega10", 4, 8, 200, 200, 1, 524288},   {"vega10", 4, 8, 1000, 600, 3, 524288},
      {"navi10", 4, 8, 1000, 600, 3, 196608},  {"navi21", 4, 4, 1000, 600, 3, 196608},
      {"vangogh", 4, 2, 1000, 600, 3, 147456}, {"gfx1150", 2, 8, 1000, 600, 3, 196608},
   };

   for (unsigned i = 0; i < ARRAY_SIZE(rows); i++) {
      const struct ac_surface_desc desc = {.width_px = rows[i].width_px,
                                           .height_px = rows[i].height_px,
                                           .slices = rows[i].layers,
                                           .levels = 1,
                                           .samples = rows[i].samples,
                                           .element_B = rows[i].element_B};
      compare_meta(rows[i].chip, AMD_META_HTILE, desc, rows[i].size_B);
   }
}

/* DCC of colour with one sample, as RADV prints it. */
static void
dcc_of_radv(void **state)
{
   static const struct {
      const char *chip;
      uint8_t element_B;
      uint16_t width_px, height_px;
      uint8_t levels, layers;
      uint32_t size_B;
   } rows[] = {
      {"navi10", 1, 1024, 1024, 1, 1, 4096},   {"navi10", 2, 1024, 1024, 1, 1, 8192},
      {"navi10", 4, 1024, 1024, 1, 1, 16384},  {"navi10", 8, 1024, 1024, 1, 1, 32768},
      {"navi10", 16, 1024, 1024, 1, 1, 65536}, {"navi10", 4, 1024, 1024, 1, 3, 49152},
      {"navi10", 4, 1024, 1024, 11, 1, 32768}, {"navi10", 4, 1000, 600, 3, 1, 24576},
      {"navi21", 4, 1024, 1024, 11, 1, 49152}, {"navi21", 4, 1000, 600, 3, 1, 32768},
      {"navi21", 4, 520, 512, 1, 1, 8192},     {"vangogh", 4, 1024, 1024, 11, 1, 32768},
      {"navi31", 1, 1024, 1024, 1, 1, 16384},  {"navi31", 4, 1024, 1024, 11, 1, 81920},
      {"gfx1150", 1, 1024, 1024, 1, 1, 4096},  {"gfx1150", 4, 1024, 1024, 11, 1, 32768},
      {"vega10", 4, 520, 512, 1, 1, 65536},    {"vega10", 1, 1024, 1024, 1, 1, 65536},
      {"raven", 4, 1024, 1024, 1, 1, 65536},
   };

   for (unsigned i = 0; i < ARRAY_SIZE(rows); i++) {
      const struct ac_surface_desc desc = {.width_px = rows[i].width_px,
                                           .height_px = rows[i].height_px,
                                           .slices = rows[i].layers,
                                           .levels = rows[i].levels,
                                           .element_B = rows[i].element_B};
      compare_meta(rows[i].chip, AMD_META_DCC, desc, rows[i].size_B);
   }
}

/* A layer of a level of blocks, seen as texels, is as large and lies in the same place. */
static void
check_layer(const struct ac_surface *image, unsigned level, unsigned layer)
{
   uint32_t w = image->levels[level].width_el, h = image->levels[level].height_el;
   struct ac_block_view view;

   ac_block_view_init_layer(&view, image, level, layer);
   assert_int_equal(MAX2(view.width_px >> view.level, 1u), w);
   assert_int_equal(MAX2(view.height_px >> view.level, 1u), h);
   for (unsigned i = 0; i < 64; i++) {
      uint32_t x = i < 4 ? (i & 1) * (w - 1) : i * 37 % w, y = i < 4 ? (i >> 1) * (h - 1) : i * 61 % h;
      uint64_t at = ac_surface_offset_B(&view.surface, view.level, x, y, 0, 0);

      assert_int_equal((at ^ view.address_xor) + view.offset_B, ac_surface_offset_B(image, level, x, y, layer, 0));
   }
}

static void
layers_of_blocks(void **state)
{
   enum { CHIP, SIZE, LARGE, LAYER };
   static const struct choice table[] = {
      [CHIP] = {.name = "chip", .values = ARRAY_SIZE(chips)},
      [SIZE] = {.name = "size", .values = 4}, /* 1: large, 2, 3: just above whole blocks of memory */
      [LARGE] = {.name = "16 bytes", .values = 2},
      [LAYER] = {.name = "layer", .values = 3},
   };
   static struct choices choices = {.table = table, .count = ARRAY_SIZE(table)};
   uint64_t random = 5;
   unsigned tiled = 0;

   for (unsigned n = 0; n < 2000; n++) {
      choices_draw(&choices, n);
      choices_count(&choices);
      const struct amd_chip *chip = amd_chip_by_name(chips[choices.now[CHIP]]);
      uint32_t size[2];

      for (unsigned i = 0; i < 2; i++) {
         size[i] = 1 + choices_below(&random, choices.now[SIZE] & 1 ? 5000 : 300);
         if (choices.now[SIZE] & 2)
            size[i] = 4 * (size[i] / 512 + 1) * 128 + choices_below(&random, 32);
      }
      struct ac_surface_desc desc = {.gen = chip->gen,
                                     .gb_addr_config = chip->gb_addr_config,
                                     .width_px = size[0],
                                     .height_px = size[1],
                                     .slices = 3,
                                     .levels = log2_floor(MAX2(size[0], size[1])) + 1,
                                     .element_B = choices.now[LARGE] ? 16 : 8,
                                     .block_width_px = 4,
                                     .block_height_px = 4,
                                     .samples = 1,
                                     .tiling = AC_TILING_BEST};
      struct ac_surface image;

      assert_true(ac_surface_init(&image, &desc));
      for (unsigned level = 0; image.equation && level < desc.levels; level++)
         check_layer(&image, level, choices.now[LAYER]);
      tiled += image.equation != NULL;
   }
   assert_true(tiled > 1900);
   assert_int_equal(choices_missing(&choices, stderr), 0);
}

int
main(void)
{
   const struct CMUnitTest tests[] = {
      cmocka_unit_test(modes_of_radv),    cmocka_unit_test(depth_of_radv), cmocka_unit_test(htile_of_radv),
      cmocka_unit_test(htile_of_samples), cmocka_unit_test(dcc_of_radv),   cmocka_unit_test(layers_of_blocks),
   };

   return cmocka_run_group_tests(tests, NULL, NULL);
}
