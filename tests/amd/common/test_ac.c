/* amd/common: layouts map every texel to memory of its own, rows of the fact list of tiled layouts, formats and
 * descriptor fields read back through the register tables. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <cmocka.h>

#include "amd/common/ac_block_view.h"
#include "amd/common/ac_descriptor.h"
#include "amd/common/ac_format.h"
#include "amd/common/ac_gpu_info.h"
#include "amd/common/ac_surface.h"
#include "amd/hw/descriptors.h"
#include "amd/hw/registers.h"
#include "choices.h"
#include "util/format_enum.h"
#include "util/macros.h"

#define NAVI21_GB_ADDR_CONFIG 0x444

/* Chips with layouts of tiled images: navi21, navi10, vangogh. */
static const struct {
   enum amd_gen gen;
   uint32_t gb_addr_config;
} chips[] = {{AMD_GFX10_3, NAVI21_GB_ADDR_CONFIG}, {AMD_GFX10, 0x00100044}, {AMD_GFX10_3, 0x142}};

/* Marks every texel's element; two texels in one place or one outside the surface fail. */
static void
check_injective(const struct ac_surface_desc *desc)
{
   struct ac_surface surface;

   assert_true(ac_surface_init(&surface, desc));
   uint8_t *seen = calloc(1, surface.size_B);
   for (unsigned level = 0; level < desc->levels; level++) {
      for (uint32_t slice = 0; slice < desc->slices; slice++) {
         for (uint32_t y = 0; y < surface.levels[level].height_el; y++) {
            for (uint32_t x = 0; x < surface.levels[level].width_el; x++) {
               for (uint32_t s = 0; s < desc->samples; s++) {
                  uint64_t at = ac_surface_offset_B(&surface, level, x, y, slice, s);

                  assert_true(at + desc->element_B <= surface.size_B);
                  assert_int_equal(at % desc->element_B, 0);
                  assert_int_equal(seen[at], 0);
                  seen[at] = 1;
               }
            }
         }
      }
   }
   free(seen);
}

static void
test_surfaces_are_injective(void **state)
{
   for (unsigned n = 0; n < 5 * ARRAY_SIZE(chips); n++) {
      unsigned element_B = 1u << n % 5;
      enum amd_gen gen = chips[n / 5].gen;
      uint32_t config = chips[n / 5].gb_addr_config;
      for (unsigned samples = 1; samples <= 8; samples *= 2) {
         struct ac_surface_desc desc = {.gen = gen,
                                        .gb_addr_config = config,
                                        .width_px = 150,
                                        .height_px = 70,
                                        .slices = 2,
                                        .levels = 1,
                                        .element_B = (uint8_t)element_B,
                                        .block_width_px = 1,
                                        .block_height_px = 1,
                                        .samples = (uint8_t)samples};
         check_injective(&desc);
         desc.depth_stencil = true;
         if (element_B <= 4)
            check_injective(&desc);
      }
      struct ac_surface_desc mips = {.gen = gen,
                                     .gb_addr_config = config,
                                     .width_px = 300,
                                     .height_px = 130,
                                     .slices = 2,
                                     .levels = 9,
                                     .element_B = (uint8_t)element_B,
                                     .block_width_px = 1,
                                     .block_height_px = 1,
                                     .samples = 1};
      check_injective(&mips);
      mips.depth_stencil = true;
      if (element_B <= 4)
         check_injective(&mips);
   }
}

static void
test_linear_levels(void **state)
{
   struct ac_surface surface;
   struct ac_surface_desc desc = {.gen = AMD_GFX10_3,
                                  .gb_addr_config = NAVI21_GB_ADDR_CONFIG,
                                  .width_px = 100,
                                  .height_px = 50,
                                  .slices = 3,
                                  .levels = 3,
                                  .element_B = 4,
                                  .block_width_px = 1,
                                  .block_height_px = 1,
                                  .samples = 1};

   assert_true(ac_surface_init(&surface, &desc));
   /* Room for 25x13, then 50x25, then 100x50 texels with pitches of 64, 64 and 128. */
   assert_int_equal(surface.levels[2].offset_B, 0);
   assert_int_equal(surface.levels[1].offset_B, 13 * 256);
   assert_int_equal(surface.levels[0].offset_B, (13 + 25) * 256);
   assert_int_equal(surface.slice_B, (13 + 25) * 256 + 50 * 512);
   assert_int_equal(ac_surface_offset_B(&surface, 0, 7, 3, 1, 0), surface.slice_B + 38 * 256 + 3 * 512 + 28);
   /* Rooms of odd sizes are rounded up: 10x6, 19x12, 37x23. */
   desc.width_px = 37;
   desc.height_px = 23;
   assert_true(ac_surface_init(&surface, &desc));
   assert_int_equal(surface.levels[1].offset_B, 6 * 256);
   assert_int_equal(surface.levels[0].offset_B, (6 + 12) * 256);
   assert_int_equal(surface.levels[1].width_el, 18);
   assert_int_equal(surface.slice_B, (6 + 12 + 23) * 256);
   desc.element_B = 12;
   assert_false(ac_surface_init(&surface, &desc));
}

/* Each level of a 3D image of blocks is a level of the image that stands for it: as large, in the same place. */
static void
check_block_views(struct ac_surface_desc desc)
{
   struct ac_surface image;

   assert_true(ac_surface_init(&image, &desc));
   for (unsigned level = 0; level < desc.levels; level++) {
      uint32_t width = image.levels[level].width_el, height = image.levels[level].height_el;
      struct ac_block_view view;

      assert_true(ac_block_view_init(&view, &image, level, desc.slices));
      assert_int_equal(MAX2(view.width_px >> view.level, 1u), width);
      assert_int_equal(MAX2(view.height_px >> view.level, 1u), height);
      assert_int_equal(MAX2(view.depth_px >> view.level, 1u), MAX2(desc.slices >> level, 1u));
      assert_true(view.width_px <= 16384 && view.height_px <= 16384 && view.depth_px <= 8192);
      for (uint32_t z = 0; z < MAX2(desc.slices >> level, 1u); z++) {
         for (uint32_t y = 0; y < height; y++) {
            for (uint32_t x = 0; x < width; x++) {
               uint64_t at = ac_surface_offset_B(&view.surface, view.level, x, y, z, 0);
               assert_int_equal((at ^ view.address_xor) + view.offset_B,
                                ac_surface_offset_B(&image, level, x, y, z, 0));
            }
         }
      }
   }
}

static void
test_block_views(void **state)
{
   enum { CHIP, SIZE, FEW_LEVELS, LARGE };
   static const struct choice table[] = {
      [CHIP] = {.name = "chip", .values = ARRAY_SIZE(chips)},
      [SIZE] = {.name = "size", .values = 3}, /* any, small, just above 64 and 128 blocks */
      [FEW_LEVELS] = {.name = "a level less", .values = 2, .one_in = 3},
      [LARGE] = {.name = "16 bytes", .values = 2},
   };
   static struct choices choices = {.table = table, .count = ARRAY_SIZE(table)};
   uint64_t random = 5;

   for (unsigned n = 0; n < 300; n++) {
      uint32_t size[3];
      choices_draw(&choices, n);
      choices_count(&choices);
      for (unsigned i = 0; i < 3; i++) {
         size[i] = 1 + choices_below(&random, i == 2 ? 6 : choices.now[SIZE] == 1 ? 70 : AC_BLOCK_VIEW_MAX_PX);
         if (choices.now[SIZE] == 2 && i < 2)
            size[i] = (256 << choices_below(&random, 2)) - 8 + choices_below(&random, 40);
         size[i] = MIN2(size[i], AC_BLOCK_VIEW_MAX_PX);
      }
      check_block_views((struct ac_surface_desc){.gen = chips[choices.now[CHIP]].gen,
                                                 .gb_addr_config = chips[choices.now[CHIP]].gb_addr_config,
                                                 .width_px = size[0],
                                                 .height_px = size[1],
                                                 .slices = size[2],
                                                 .levels = log2_floor(MAX2(MAX2(size[0], size[1]), size[2])) + 1 -
                                                           (choices.now[FEW_LEVELS] && MAX2(size[0], size[1]) > 2),
                                                 .element_B = choices.now[LARGE] ? 16 : 8,
                                                 .block_width_px = 4,
                                                 .block_height_px = 4,
                                                 .samples = 1,
                                                 .is_3d = true,
                                                 .tiling = AC_TILING_MODE,
                                                 .mode = V_SW_64KB_R_X});
   }
   assert_int_equal(choices_missing(&choices, stderr), 0);
}

/* Addresses worked out by hand from the Navi21 rows for 4-byte texels. */
static void
test_tiled_addresses(void **state)
{
   struct ac_surface surface;
   struct ac_surface_desc desc = {.gen = AMD_GFX10_3,
                                  .gb_addr_config = NAVI21_GB_ADDR_CONFIG,
                                  .width_px = 256,
                                  .height_px = 256,
                                  .slices = 2,
                                  .levels = 1,
                                  .element_B = 4,
                                  .block_width_px = 1,
                                  .block_height_px = 1,
                                  .samples = 1,
                                  .depth_stencil = true};

   assert_true(ac_surface_init(&surface, &desc));
   assert_int_equal(surface.mode, V_SW_64KB_Z_X);
   assert_int_equal(surface.size_B, 2 * 4 * 65536);
   assert_int_equal(ac_surface_offset_B(&surface, 0, 1, 0, 0, 0), 1 << 2);
   assert_int_equal(ac_surface_offset_B(&surface, 0, 0, 1, 0, 0), 1 << 3);
   assert_int_equal(ac_surface_offset_B(&surface, 0, 0, 16, 0, 0), (1 << 8) | (1 << 9));
   assert_int_equal(ac_surface_offset_B(&surface, 0, 64, 0, 0, 0), (1 << 14) | (1 << 15));
   /* the second block: X7 goes into bit 10 */
   assert_int_equal(ac_surface_offset_B(&surface, 0, 128, 0, 0, 0), 65536 | 1 << 10);
   /* slice 1: Z0 in bit 10 */
   assert_int_equal(ac_surface_offset_B(&surface, 0, 0, 0, 1, 0), 4 * 65536 + (1 << 10));
   desc.depth_stencil = false;
   desc.samples = 4;
   assert_true(ac_surface_init(&surface, &desc));
   assert_int_equal(surface.mode, V_SW_64KB_R_X);
   assert_int_equal(ac_surface_offset_B(&surface, 0, 0, 0, 0, 3), 3 << 14);
   assert_int_equal(ac_surface_offset_B(&surface, 0, 0, 1, 0, 0), 1 << 4);
}

static void
test_formats(void **state)
{
   static const struct {
      uint32_t format, image, buffer, color, number, swap, export;
   } rows[] = {
      {FORMAT_R8G8B8A8_UNORM, 56, 56, 10, 0, 0, V_SPI_SHADER_FP16_ABGR},
      {FORMAT_B8G8R8A8_SRGB, 130, 0, 10, 6, 1, V_SPI_SHADER_FP16_ABGR},
      {FORMAT_A8B8G8R8_UINT_PACK32, 60, 60, 10, 4, 0, V_SPI_SHADER_UINT16_ABGR},
      {FORMAT_A2B10G10R10_UNORM_PACK32, 50, 50, 9, 0, 0, V_SPI_SHADER_FP16_ABGR},
      {FORMAT_B10G11R11_UFLOAT_PACK32, 36, 36, 6, 7, 0, V_SPI_SHADER_FP16_ABGR},
      {FORMAT_R32_SFLOAT, 22, 22, 4, 7, 0, V_SPI_SHADER_32_R},
      {FORMAT_R32G32_UINT, 62, 62, 11, 4, 0, V_SPI_SHADER_32_GR},
      {FORMAT_R16G16B16A16_SFLOAT, 71, 71, 12, 7, 0, V_SPI_SHADER_FP16_ABGR},
      {FORMAT_R16G16B16A16_UNORM, 65, 65, 12, 0, 0, V_SPI_SHADER_32_ABGR},
      {FORMAT_R32G32B32A32_SFLOAT, 77, 77, 14, 7, 0, V_SPI_SHADER_32_ABGR},
      {FORMAT_R5G6B5_UNORM_PACK16, 133, 0, 16, 0, 2, V_SPI_SHADER_FP16_ABGR},
      {FORMAT_A1R5G5B5_UNORM_PACK16, 134, 0, 17, 0, 1, V_SPI_SHADER_FP16_ABGR},
   };

   for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
      struct ac_color_format color;

      assert_int_equal(ac_format_image(rows[i].format), rows[i].image);
      assert_int_equal(ac_format_buffer(rows[i].format), rows[i].buffer);
      assert_true(ac_format_color(rows[i].format, &color));
      assert_int_equal(color.format, rows[i].color);
      assert_int_equal(color.number, rows[i].number);
      assert_int_equal(color.swap, rows[i].swap);
      assert_int_equal(color.export_format, rows[i].export);
   }
   assert_int_equal(ac_format_buffer(FORMAT_R32G32B32_SFLOAT), 74);
   assert_int_equal(ac_format_image(FORMAT_R32G32B32_SFLOAT), 0);
   assert_int_equal(ac_format_image(FORMAT_BC7_SRGB_BLOCK), 182);
   assert_int_equal(ac_format_image(FORMAT_R8G8B8_UNORM), 0);
   uint8_t select[4];
   ac_format_swizzle(FORMAT_B8G8R8A8_UNORM, select);
   assert_memory_equal(select, ((uint8_t[]){6, 5, 4, 7}), 4);
   ac_format_swizzle(FORMAT_R16_SFLOAT, select);
   assert_memory_equal(select, ((uint8_t[]){4, 0, 0, 1}), 4);
   assert_int_equal(ac_format_depth(FORMAT_D16_UNORM), 1);
   assert_int_equal(ac_format_of_aspect(FORMAT_D32_SFLOAT_S8_UINT, true), FORMAT_R8_UINT);
}

static void
test_descriptors(void **state)
{
   /* size: a list of checks */
   static const uint8_t xyzw[4] = {4, 5, 6, 7};
   uint32_t words[8];

   ac_buffer_descriptor(ac_raw_buffer_word3(AMD_GFX10_3), UINT64_C(0x801234567890), 100, words);
   assert_int_equal(words[0], 0x34567890);
   assert_int_equal(words[1], 0x8012);
   assert_int_equal(words[2], 100);
   assert_int_equal(G_SQ_BUF_RSRC_WORD3_OOB_SELECT(words[3]), 3);
   /* Elements of 12 bytes at 0, 24, 48, 72, 96: those that end within the buffer. */
   static const struct {
      uint32_t size_B, elements;
   } buffers[] = {{0, 0},  {11, 0}, {12, 1},  {24, 1},  {35, 1}, {36, 2},
                  {83, 3}, {84, 4}, {100, 4}, {107, 4}, {108, 5}};
   for (unsigned i = 0; i < ARRAY_SIZE(buffers); i++) {
      ac_typed_buffer_descriptor(
         AMD_GFX10_3,
         &(struct ac_typed_buffer){
            .va = 0x1000, .size_B = buffers[i].size_B, .stride_B = 24, .element_B = 12, .format = 74, .select = xyzw},
         words);
      assert_int_equal(words[2], buffers[i].elements);
   }
   assert_int_equal(G_SQ_BUF_RSRC_WORD1_STRIDE(words[1]), 24);
   assert_int_equal(G_SQ_BUF_RSRC_WORD3_FORMAT(AMD_GFX10_3, words[3]), 74);

   struct ac_surface surface;
   assert_true(ac_surface_init(&surface, &(struct ac_surface_desc){.gen = AMD_GFX10_3,
                                                                   .gb_addr_config = NAVI21_GB_ADDR_CONFIG,
                                                                   .width_px = 1023,
                                                                   .height_px = 517,
                                                                   .slices = 6,
                                                                   .levels = 4,
                                                                   .element_B = 4,
                                                                   .block_width_px = 1,
                                                                   .block_height_px = 1,
                                                                   .samples = 1}));
   ac_image_descriptor(AMD_GFX10_3,
                       &(struct ac_image_view){.surface = &surface,
                                               .va = UINT64_C(0x123456789a00),
                                               .type = AC_VIEW_2D_ARRAY,
                                               .format = 56,
                                               .select = {4, 5, 6, 7},
                                               .width_px = 1023,
                                               .height_px = 517,
                                               .depth_px = 1,
                                               .base_level = 1,
                                               .last_level = 2,
                                               .base_layer = 2,
                                               .last_layer = 5},
                       words);
   assert_int_equal(words[0], 0x3456789a);
   assert_int_equal(G_SQ_IMG_RSRC_WORD1_BASE_ADDRESS_HI(words[1]), 0x12);
   assert_int_equal(G_SQ_IMG_RSRC_WORD1_WIDTH_LO(words[1]) | G_SQ_IMG_RSRC_WORD2_WIDTH_HI(words[2]) << 2, 1022);
   assert_int_equal(G_SQ_IMG_RSRC_WORD2_HEIGHT(words[2]), 516);
   assert_int_equal(G_SQ_IMG_RSRC_WORD3_BASE_LEVEL(words[3]), 1);
   assert_int_equal(G_SQ_IMG_RSRC_WORD3_LAST_LEVEL(words[3]), 2);
   assert_int_equal(G_SQ_IMG_RSRC_WORD3_TYPE(words[3]), 13);
   assert_int_equal(G_SQ_IMG_RSRC_WORD4_DEPTH(words[4]), 5);
   assert_int_equal(G_SQ_IMG_RSRC_WORD4_BASE_ARRAY(words[4]), 2);
   assert_int_equal(G_SQ_IMG_RSRC_WORD5_MAX_MIP(AMD_GFX10_3, words[5]), 3);

   ac_sampler_descriptor(
      AMD_GFX10_3,
      &(struct ac_sampler){
         .clamp_x = 2, .min_linear = true, .mip_filter = 2, .min_lod = 0.5f, .max_lod = 1000, .lod_bias = -1.5f},
      words);
   assert_int_equal(G_SQ_IMG_SAMP_WORD1_MIN_LOD(words[1]), 128);
   assert_int_equal(G_SQ_IMG_SAMP_WORD1_MAX_LOD(words[1]), 15 * 256);
   assert_int_equal(G_SQ_IMG_SAMP_WORD2_LOD_BIAS(words[2]), 0x3fff & -384);
   assert_int_equal(G_SQ_IMG_SAMP_WORD2_XY_MIN_FILTER(words[2]), 1);
   assert_int_equal(G_SQ_IMG_SAMP_WORD2_XY_MAG_FILTER(words[2]), 0);
}

static void
test_layers_and_borders(void **state)
{
   struct ac_surface surface;
   uint32_t words[8];

   /* One layer of a linear array: the address counts, DEPTH would be a pitch. Tiled: BASE_ARRAY. */
   for (unsigned tiled = 0; tiled < 2; tiled++) {
      assert_true(ac_surface_init(&surface, &(struct ac_surface_desc){.gen = AMD_GFX10_3,
                                                                      .gb_addr_config = NAVI21_GB_ADDR_CONFIG,
                                                                      .width_px = 100,
                                                                      .height_px = 30,
                                                                      .slices = 6,
                                                                      .levels = 1,
                                                                      .element_B = 4,
                                                                      .block_width_px = 1,
                                                                      .block_height_px = 1,
                                                                      .samples = 1,
                                                                      .depth_stencil = tiled}));
      ac_image_descriptor(AMD_GFX10_3,
                          &(struct ac_image_view){.surface = &surface,
                                                  .va = 0x100000,
                                                  .type = AC_VIEW_2D,
                                                  .format = 56,
                                                  .select = {4, 5, 6, 7},
                                                  .width_px = 100,
                                                  .height_px = 30,
                                                  .depth_px = 1,
                                                  .base_layer = 3,
                                                  .last_layer = 3},
                          words);
      assert_int_equal(words[0], tiled ? 0x1000 : 0x1000 + 3 * (128 * 4 * 30 / 256)); /* rows of 512 bytes */
      assert_int_equal(G_SQ_IMG_RSRC_WORD4_DEPTH(words[4]), tiled ? 3 : 0);
      assert_int_equal(G_SQ_IMG_RSRC_WORD4_BASE_ARRAY(words[4]), tiled ? 3 : 0);
   }
   static const uint8_t orders[][5] = {{4, 5, 6, 7, 0}, {4, 0, 0, 1, 0}, {4, 0, 0, 5, 1},
                                       {6, 5, 4, 7, 4}, {7, 6, 5, 4, 2}, {5, 6, 7, 4, 3}};
   for (unsigned i = 0; i < sizeof(orders) / sizeof(orders[0]); i++)
      assert_int_equal(ac_border_swizzle(orders[i]), orders[i][4]);
}

static void
test_gpu_info(void **state)
{
   struct ac_gpu_info info;

   assert_false(ac_gpu_info_init(&info, &(struct ac_gpu_source){.family = 1}));
   assert_true(ac_gpu_info_init(
      &info, &(struct ac_gpu_source){.family = 143, .external_rev = 0x28, .gb_addr_config = NAVI21_GB_ADDR_CONFIG}));
   assert_string_equal(info.name, "navi21");
   assert_true(ac_gpu_info_init(
      &info, &(struct ac_gpu_source){.family = 144, .external_rev = 1, .gb_addr_config = chips[2].gb_addr_config}));
   assert_string_equal(info.name, "vangogh");
   /* A chip with a layout of depth buffers that no table has. */
   assert_false(ac_gpu_info_init(&info, &(struct ac_gpu_source){.family = 143, .external_rev = 0x28}));
   assert_int_equal(ac_vgpr_granules(24, 64), 5);
   assert_int_equal(ac_vgpr_granules(25, 32), 3);
}

int
main(void)
{
   const struct CMUnitTest tests[] = {
      cmocka_unit_test(test_surfaces_are_injective),
      cmocka_unit_test(test_linear_levels),
      cmocka_unit_test(test_block_views),
      cmocka_unit_test(test_tiled_addresses),
      cmocka_unit_test(test_formats),
      cmocka_unit_test(test_descriptors),
      cmocka_unit_test(test_gpu_info),
      cmocka_unit_test(test_layers_and_borders),
   };
   return cmocka_run_group_tests(tests, NULL, NULL);
}
