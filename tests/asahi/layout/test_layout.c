/* Descriptions and what ail derives: rules, sizes known from hardware, queries, formats. */
#include "reference.h"

static struct ail_image
image_2d(uint32_t format, uint32_t width_px, uint32_t height_px, uint32_t levels)
{
   return (struct ail_image){.format = format,
                             .dimension = AIL_2D,
                             .width_px = width_px,
                             .height_px = height_px,
                             .depth_px = 1,
                             .layers = 1,
                             .levels = levels,
                             .samples = 1};
}

static struct ail_layout
lay_out(const struct ail_image *image)
{
   struct ail_layout layout;
   assert_int_equal(ail_layout_init(&layout, image), AIL_OK);
   return layout;
}

/* Numbers observed on hardware that the measured rows do not hold. */
static void
test_known(void **state)
{
   struct ail_image image = image_2d(FORMAT_R32_SFLOAT, 63, 63, 6);
   image.dimension = AIL_CUBE;
   image.layers = 6;
   struct ail_layout layout = lay_out(&image);
   static const uint64_t offsets[] = {0, 0x4000, 0x5000, 0x5400, 0x5500};
   for (uint32_t l = 0; l < ARRAY_SIZE(offsets); l++)
      assert_int_equal(ail_level_offset_B(&layout, 0, l), offsets[l]);
   assert_int_equal(ail_layer_stride_B(&layout), 0x8000);
   assert_int_equal(ail_size_B(&layout), 0x30000);
   assert_int_equal(ail_level_offset_B(&layout, 5, 1), 5 * 0x8000 + 0x4000);

   /* Slices of a 3D image hold levels for the depth too, layers of an array do not. */
   image = image_2d(FORMAT_R32_SFLOAT, 32, 16, 4);
   image.layers = 64;
   layout = lay_out(&image);
   assert_int_equal(ail_layer_stride_B(&layout), 0xc00);
   assert_int_equal(ail_size_B(&layout), 0x30000);
   image.dimension = AIL_3D;
   image.layers = 1;
   image.depth_px = 64;
   layout = lay_out(&image);
   assert_int_equal(ail_layer_stride_B(&layout), 0xc80);
   assert_int_equal(ail_size_B(&layout), 0x32000);

   image = image_2d(FORMAT_R8_UNORM, 81946, 1, 1);
   image.dimension = AIL_1D;
   image.tiling = AIL_TILING_LINEAR;
   layout = lay_out(&image);
   assert_int_equal(ail_size_B(&layout), (81946 + 127) / 128 * 128);

   /* One layer of colour is not padded to a page. */
   image = image_2d(FORMAT_R8G8B8A8_UNORM, 1024, 1024, 11);
   layout = lay_out(&image);
   assert_int_equal(ail_size_B(&layout), 0x555680);
   image.writeable = true;
   layout = lay_out(&image);
   assert_int_equal(ail_size_B(&layout), 0x558000);
}

/* One change to a good image, and the rule it breaks. The two tests of rules share the list of rules seen. */
static uint64_t seen;

#define BREAKS(rule, ...)                                                                                            \
   do {                                                                                                              \
      struct ail_image image = good;                                                                                 \
      __VA_ARGS__;                                                                                                   \
      assert_int_equal(ail_layout_init(&layout, &image), rule);                                                      \
      seen |= UINT64_C(1) << (rule);                                                                                 \
   } while (0)

static void
test_rules(void **state)
{
   struct ail_image good = image_2d(FORMAT_R8G8B8A8_UNORM, 64, 64, 1);
   struct ail_layout layout;
   BREAKS(AIL_ERROR_FORMAT_UNKNOWN, image.format = 0);
   BREAKS(AIL_ERROR_FORMAT_UNKNOWN, image.format = 12345678);
   BREAKS(AIL_ERROR_FORMAT_PLANES, image.format = FORMAT_G8_B8R8_2PLANE_420_UNORM);
   BREAKS(AIL_ERROR_FORMAT_PLANES, image.format = FORMAT_G8B8G8R8_422_UNORM);
   BREAKS(AIL_ERROR_BLOCK_SIZE, image.format = FORMAT_R8G8B8_UNORM);
   BREAKS(AIL_ERROR_BLOCK_SIZE, image.format = FORMAT_R32G32B32_SFLOAT; image.tiling = AIL_TILING_LINEAR);
   BREAKS(AIL_ERROR_ELEMENT_SIZE, image.format = FORMAT_R64G64B64A64_SFLOAT; image.samples = 4);
   BREAKS(AIL_ERROR_DIMENSION, image.dimension = (enum ail_dimension)7);
   BREAKS(AIL_ERROR_TILING, image.tiling = (enum ail_tiling)9);
   BREAKS(AIL_ERROR_SIZE_ZERO, image.width_px = 0);
   BREAKS(AIL_ERROR_SIZE_ZERO, image.height_px = 0);
   BREAKS(AIL_ERROR_SIZE_ZERO, image.layers = 0);
   BREAKS(AIL_ERROR_SIZE_LIMIT, image.width_px = 16385);
   BREAKS(AIL_ERROR_SIZE_LIMIT, image.height_px = 0xffffffff);
   BREAKS(AIL_ERROR_SIZE_LIMIT, image.dimension = AIL_3D; image.depth_px = 16385);
   BREAKS(AIL_ERROR_LAYER_LIMIT, image.layers = 16385);
   BREAKS(AIL_ERROR_LAYER_LIMIT, image.layers = 2049; image.tiling = AIL_TILING_LINEAR);
   BREAKS(AIL_ERROR_1D_HEIGHT, image.dimension = AIL_1D);
   BREAKS(AIL_ERROR_DEPTH, image.depth_px = 2);
   BREAKS(AIL_ERROR_3D_LAYERS, image.dimension = AIL_3D; image.layers = 2);
   BREAKS(AIL_ERROR_CUBE_SQUARE, image.dimension = AIL_CUBE; image.layers = 6; image.width_px = 32);
   BREAKS(AIL_ERROR_CUBE_LAYERS, image.dimension = AIL_CUBE; image.layers = 7);
   BREAKS(AIL_ERROR_LEVELS, image.levels = 0);
   BREAKS(AIL_ERROR_LEVELS, image.levels = 8);
   BREAKS(AIL_ERROR_LEVELS, image.levels = 0xffffffff);
   BREAKS(AIL_ERROR_SAMPLES, image.samples = 0);
   BREAKS(AIL_ERROR_SAMPLES, image.samples = 3);
   BREAKS(AIL_ERROR_SAMPLES, image.samples = 8);
   BREAKS(AIL_ERROR_SAMPLES_DIMENSION, image.samples = 4; image.dimension = AIL_3D);
   BREAKS(AIL_ERROR_SAMPLES_BLOCK, image.samples = 2; image.format = FORMAT_BC1_RGB_UNORM_BLOCK);
   BREAKS(AIL_ERROR_ADDRESS_SPACE, image.width_px = image.height_px = image.layers = 16384);
   assert_int_equal(ail_layout_init(NULL, &good), AIL_ERROR_NULL);
   assert_int_equal(ail_layout_init(&layout, NULL), AIL_ERROR_NULL);
   assert_int_equal(ail_can_compress(NULL), AIL_ERROR_NULL);
}

static void
test_rules_of_linear_and_compressed(void **state)
{
   struct ail_image good = image_2d(FORMAT_R8G8B8A8_UNORM, 64, 64, 1);
   struct ail_layout layout;
   good.tiling = AIL_TILING_LINEAR;
   BREAKS(AIL_ERROR_LINEAR_DIMENSION, image.dimension = AIL_3D);
   BREAKS(AIL_ERROR_LINEAR_DIMENSION, image.dimension = AIL_CUBE; image.layers = 6);
   BREAKS(AIL_ERROR_LINEAR_LEVELS, image.levels = 2);
   BREAKS(AIL_ERROR_LINEAR_BLOCK, image.format = FORMAT_ASTC_4x4_UNORM_BLOCK);
   BREAKS(AIL_ERROR_LINEAR_SAMPLES, image.samples = 2);
   BREAKS(AIL_ERROR_SPARSE_LINEAR, image.sparse = true);
   BREAKS(AIL_ERROR_COMPRESSED_TILING, image.compressed = true);
   good.force_stride = true;
   good.stride_B = 256;
   BREAKS(AIL_OK, (void)0);
   BREAKS(AIL_OK, image.tiling = AIL_TILING_AUTO);
   BREAKS(AIL_ERROR_STRIDE_NOT_LINEAR, image.tiling = AIL_TILING_GPU);
   BREAKS(AIL_ERROR_STRIDE_1D, image.dimension = AIL_1D; image.height_px = 1);
   BREAKS(AIL_ERROR_STRIDE_ZERO, image.stride_B = 0);
   BREAKS(AIL_ERROR_STRIDE_ALIGNMENT, image.stride_B = 264);
   BREAKS(AIL_ERROR_STRIDE_SMALL, image.stride_B = 240);
   BREAKS(AIL_ERROR_STRIDE_LIMIT, image.stride_B = (1u << 21) + 16);
   good.force_stride = false;
   good.tiling = AIL_TILING_GPU;
   good.compressed = true;
   BREAKS(AIL_OK, (void)0);
   BREAKS(AIL_ERROR_COMPRESSED_TILING, image.tiling = AIL_TILING_TWIDDLED);
   BREAKS(AIL_ERROR_COMPRESSED_FORMAT, image.format = FORMAT_BC7_UNORM_BLOCK);
   BREAKS(AIL_ERROR_COMPRESSED_FORMAT, image.format = FORMAT_R8G8B8A8_USCALED);
   BREAKS(AIL_ERROR_COMPRESSED_SMALL, image.width_px = 15);
   BREAKS(AIL_ERROR_COMPRESSED_SMALL, image.height_px = 7; image.samples = 4);
   BREAKS(AIL_OK, image.height_px = 8; image.width_px = 8; image.samples = 4);
   BREAKS(AIL_ERROR_COMPRESSED_WRITEABLE, image.writeable = true);
   BREAKS(AIL_ERROR_COMPRESSED_SPARSE, image.sparse = true);
   for (unsigned rule = AIL_ERROR_FORMAT_UNKNOWN; rule <= AIL_ERROR_ADDRESS_SPACE; rule++)
      assert_true(seen >> rule & 1);
}

static void
test_rule_texts(void **state)
{
   for (int error = 0; error < AIL_ERROR_COUNT; error++) {
      const char *text = ail_error_text((enum ail_error)error);
      assert_true(text && strlen(text) > 6);
      for (int other = 0; other < error; other++)
         assert_string_not_equal(text, ail_error_text((enum ail_error)other));
   }
   assert_string_equal(ail_error_text(AIL_ERROR_COUNT), "unknown error");
}

static void
test_queries(void **state)
{
   struct ail_image image = image_2d(FORMAT_R16G16B16A16_SFLOAT, 200, 100, 8);
   struct ail_layout layout = lay_out(&image);
   uint32_t w, h;
   assert_true(ail_tile_size_el(&layout, 0, &w, &h));
   assert_true(w == 64 && h == 32);
   assert_true(ail_tile_size_el(&layout, 2, &w, &h));
   assert_true(w == 32 && h == 32);
   assert_false(ail_tile_size_el(&layout, 8, &w, &h));
   assert_int_equal(ail_row_pitch_B(&layout, 0), 4 * 16384);
   assert_int_equal(ail_row_pitch_B(&layout, 8), AIL_NONE);
   assert_int_equal(ail_level_offset_B(&layout, 1, 0), AIL_NONE);
   assert_int_equal(ail_level_offset_B(&layout, 0, 8), AIL_NONE);
   assert_int_equal(ail_element_offset_B(&layout, 200, 0, 0, 0, 0), AIL_NONE);
   assert_int_equal(ail_element_offset_B(&layout, 0, 100, 0, 0, 0), AIL_NONE);
   assert_int_equal(ail_element_offset_B(&layout, 0, 0, 0, 0, 1), AIL_NONE);
   assert_int_equal(ail_alignment_B(&layout), 16384);
   assert_int_equal(ail_size_B(NULL), AIL_NONE);
   assert_int_equal(ail_element_offset_B(NULL, 0, 0, 0, 0, 0), AIL_NONE);

   image = image_2d(FORMAT_R8G8B8A8_UNORM, 100, 100, 1);
   image.tiling = AIL_TILING_LINEAR;
   layout = lay_out(&image);
   assert_int_equal(ail_row_pitch_B(&layout, 0), 512);
   assert_int_equal(ail_alignment_B(&layout), 128);
   assert_false(ail_tile_size_el(&layout, 0, &w, &h));

   /* Auto. */
   image.tiling = AIL_TILING_AUTO;
   assert_int_equal(lay_out(&image).image.tiling, AIL_TILING_GPU);
   image.sparse = true;
   assert_int_equal(lay_out(&image).image.tiling, AIL_TILING_TWIDDLED);
}

static void
test_views(void **state)
{
   struct ail_image image = image_2d(FORMAT_R8G8B8A8_UNORM, 64, 64, 1);
   struct ail_layout layout = lay_out(&image);
   assert_true(ail_view_compatible(&layout, FORMAT_R8G8B8A8_SRGB));
   assert_true(ail_view_compatible(&layout, FORMAT_R32_UINT));
   assert_false(ail_view_compatible(&layout, FORMAT_R16G16B16A16_UINT));
   assert_false(ail_view_compatible(&layout, 0));
   assert_false(ail_view_compatible(NULL, FORMAT_R32_UINT));
   image.compressed = true;
   layout = lay_out(&image);
   assert_true(ail_view_compatible(&layout, FORMAT_R8G8B8A8_SRGB));
   assert_true(ail_view_compatible(&layout, FORMAT_B8G8R8A8_UNORM));
   assert_false(ail_view_compatible(&layout, FORMAT_R32_UINT));
   assert_false(ail_view_compatible(&layout, FORMAT_R16G16_UNORM));
   image.compressed = false;
   image.format = FORMAT_BC1_RGB_UNORM_BLOCK;
   layout = lay_out(&image);
   assert_true(ail_view_compatible(&layout, FORMAT_BC4_UNORM_BLOCK));
   assert_false(ail_view_compatible(&layout, FORMAT_R32G32_UINT));
   assert_false(ail_view_compatible(&layout, FORMAT_BC7_UNORM_BLOCK));
}

static void
test_formats(void **state)
{
   static const struct {
      const char *name;
      uint32_t format;
      int channels;
   } rows[] = {{"R8_UNORM", FORMAT_R8_UNORM, 0x00},
               {"VK_FORMAT_R8G8B8A8_SRGB", FORMAT_R8G8B8A8_SRGB, 0x28},
               {"Z32_FLOAT", FORMAT_D32_SFLOAT, 0x21},
               {"Z16_UNORM", FORMAT_D16_UNORM, 0x09},
               {"S8_UINT", FORMAT_S8_UINT, 0},
               {"ETC2_RGB8", FORMAT_ETC2_R8G8B8_UNORM_BLOCK, 0x58},
               {"ETC2_RGBA8", FORMAT_ETC2_R8G8B8A8_UNORM_BLOCK, 0x59},
               {"EAC_R11G11_SNORM_BLOCK", FORMAT_EAC_R11G11_SNORM_BLOCK, 0x5c},
               {"R32G32B32A32_FLOAT", FORMAT_R32G32B32A32_SFLOAT, 0x38},
               {"R16_FLOAT", FORMAT_R16_SFLOAT, 0x09},
               {"R11G11B10_FLOAT", FORMAT_B10G11R11_UFLOAT_PACK32, 0x25},
               {"ASTC_4x4", FORMAT_ASTC_4x4_UNORM_BLOCK, 0x60},
               {"ASTC_12x12_SRGB", FORMAT_ASTC_12x12_SRGB_BLOCK, 0x6d},
               {"BC7_UNORM", FORMAT_BC7_UNORM_BLOCK, 0x7b},
               {"ASTC_8x8_SFLOAT_BLOCK", FORMAT_ASTC_8x8_SFLOAT_BLOCK, 0x67},
               {"DXT5_RGBA", FORMAT_BC3_UNORM_BLOCK, 0x76},
               {"BC4_SNORM_BLOCK", FORMAT_BC4_SNORM_BLOCK, 0x77},
               {"BPTC_RGB_UFLOAT", FORMAT_BC6H_UFLOAT_BLOCK, 0x7a},
               {"E5B9G9R9_UFLOAT_PACK32", FORMAT_E5B9G9R9_UFLOAT_PACK32, 0x27},
               {"A2R10G10B10_UNORM_PACK32", FORMAT_A2R10G10B10_UNORM_PACK32, 0x26},
               {"A2R10G10B10_SINT_PACK32", FORMAT_A2R10G10B10_SINT_PACK32, 0x26},
               {"A2R10G10B10_SNORM_PACK32", FORMAT_A2R10G10B10_SNORM_PACK32, -1},
               {"R8_USCALED", FORMAT_R8_USCALED, -1},
               {"R64_UINT", FORMAT_R64_UINT, -1},
               {"X8_D24_UNORM_PACK32", FORMAT_X8_D24_UNORM_PACK32, -1}};
   for (unsigned i = 0; i < ARRAY_SIZE(rows); i++) {
      assert_int_equal(ail_format_by_name(rows[i].name), rows[i].format);
      assert_int_equal(ail_format_channels(rows[i].format), rows[i].channels);
   }
   assert_string_equal(ail_format_name(FORMAT_R8_UNORM), "R8_UNORM");
   static const char *const unknown[] = {"", "R8", "_FLOAT", "ASTC_4x3", "R8_UNORM_", "BC", "VK_FORMAT_"};
   for (unsigned i = 0; i < ARRAY_SIZE(unknown); i++)
      assert_int_equal(ail_format_by_name(unknown[i]), 0);
   assert_int_equal(ail_format_by_name(NULL), 0);
   assert_null(ail_format_name(0));
   assert_int_equal(ail_format_channels(0), -1);
}

int
main(void)
{
   const struct CMUnitTest tests[] = {cmocka_unit_test(test_known),
                                      cmocka_unit_test(test_rules),
                                      cmocka_unit_test(test_rules_of_linear_and_compressed),
                                      cmocka_unit_test(test_rule_texts),
                                      cmocka_unit_test(test_queries),
                                      cmocka_unit_test(test_views),
                                      cmocka_unit_test(test_formats)};
   return cmocka_run_group_tests(tests, NULL, NULL);
}
