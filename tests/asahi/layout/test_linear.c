/* Every format, type, number of levels and samples, and a grid of strides: ail accepts a linear image exactly where
 * the published document does (linear_rule.h), and finds its pixels where the document's formula has them. */
#include "linear_rule.h"
#include "reference.h"
#include "util/format.h"

enum { WIDTH = 37, HEIGHT = 5, LAYERS = 12, STRIDES = 14 };

static unsigned accepted, refused;

static bool
has_layout(const struct format_info *info)
{
   return info && info->planes == 1 && (info->compression || info->block_width_el == 1) &&
          (info->block_size_B & (info->block_size_B - 1)) == 0;
}

static void
compare_places(const struct ail_layout *layout, struct linear_rule_image *rule, uint32_t pixel_B)
{
   rule->stride_B = layout->stride_B;
   assert_true(linear_rule_stride(rule));
   for (uint32_t i = 0; i < WIDTH * rule->rows; i++) {
      const uint32_t x = i % WIDTH, y = i / WIDTH;
      for (uint32_t layer = 0; layer < layout->layer_count; layer++)
         assert_int_equal(ail_element_offset_B(layout, x, y, layer, 0, 0) - layer * layout->layer_stride_B,
                          linear_rule_offset_B(rule, pixel_B, x, y));
   }
   assert_true(layout->layer_stride_B >= rule->rows * layout->stride_B);
}

static void
try_image(const struct ail_image *image, struct linear_rule_image *rule, bool stride_matters)
{
   struct ail_layout layout;
   const struct format_info *info = format_info(image->format);
   const bool good = linear_rule_shape(rule) && (!stride_matters || linear_rule_stride(rule));
   const enum ail_error error = ail_layout_init(&layout, image);
   if ((error == AIL_OK) != good)
      fail_msg("%s, type %u, %u levels, %u samples, %scompressed, stride %u: \"%s\"", info->name, image->dimension,
               image->levels, image->samples, image->compressed ? "" : "not ", image->stride_B,
               ail_error_text(error));
   *(good ? &accepted : &refused) += 1;
   if (good)
      compare_places(&layout, rule, info->block_size_B);
}

/* 1D images choose their stride: the shortest one, in cache lines. */
static void
try_strides(struct ail_image *image, struct linear_rule_image *rule)
{
   const uint32_t row_B = (uint32_t)rule->row_B, up_B = (row_B + 15) / 16 * 16;
   const uint32_t strides_B[STRIDES] = {
      0, 4, 8, 15, 16, 17, 24, up_B - 16, up_B, up_B + 8, up_B + 16, 7 * up_B, (1u << 21) - 8, 1u << 21};
   image->force_stride = false;
   image->stride_B = 0;
   try_image(image, rule, false);
   for (unsigned i = 0; i < STRIDES && rule->type != LINEAR_RULE_1D; i++) {
      image->force_stride = true;
      rule->stride_B = image->stride_B = strides_B[i];
      try_image(image, rule, true);
   }
}

static void
try_format(const struct format_info *info)
{
   static const enum ail_dimension types[LINEAR_RULE_TYPES] = {AIL_1D, AIL_2D, AIL_3D, AIL_CUBE};
   for (unsigned n = 0; n < LINEAR_RULE_TYPES * 3 * 2 * 2; n++) {
      const enum linear_rule_type type = n % LINEAR_RULE_TYPES;
      const unsigned rest = n / LINEAR_RULE_TYPES;
      struct linear_rule_image rule = {.type = type,
                                       .levels = 1 + rest / 3 % 2,
                                       .samples = 1u << rest % 3,
                                       .compressed = rest / 6,
                                       .is_block = info->compression != NULL,
                                       .row_B = (uint64_t)WIDTH * info->block_size_B,
                                       .rows = type == LINEAR_RULE_1D     ? 1
                                               : type == LINEAR_RULE_CUBE ? WIDTH
                                                                          : HEIGHT};
      struct ail_image image = {.format = info->format,
                                .dimension = types[type],
                                .tiling = AIL_TILING_LINEAR,
                                .width_px = WIDTH,
                                .height_px = (uint32_t)rule.rows,
                                .depth_px = type == LINEAR_RULE_3D ? LAYERS : 1,
                                .layers = type == LINEAR_RULE_3D ? 1 : LAYERS,
                                .levels = rule.levels,
                                .samples = rule.samples,
                                .compressed = rule.compressed};
      try_strides(&image, &rule);
   }
}

static void
test_limits(void **state)
{
   for (uint32_t format = 1; format < 2000; format++) {
      if (has_layout(format_info(format)))
         try_format(format_info(format));
   }
   print_message("%u images accepted, %u refused\n", accepted, refused);
   assert_true(accepted > 500 && refused > accepted);
}

/* The code of a stride (desc.txt) ends at 2 MiB, of textures and of images that are written alike. */
static void
test_largest_stride(void **state)
{
   struct ail_image image = {.format = FORMAT_R8_UINT,
                             .dimension = AIL_2D,
                             .tiling = AIL_TILING_LINEAR,
                             .width_px = 1,
                             .height_px = 2,
                             .depth_px = 1,
                             .layers = 1,
                             .levels = 1,
                             .samples = 1,
                             .force_stride = true,
                             .stride_B = 1u << 21};
   struct ail_layout layout;
   assert_int_equal(ail_layout_init(&layout, &image), AIL_OK);
   image.stride_B += 16;
   assert_int_equal(ail_layout_init(&layout, &image), AIL_ERROR_STRIDE_LIMIT);
}

int
main(void)
{
   const struct CMUnitTest tests[] = {cmocka_unit_test(test_limits), cmocka_unit_test(test_largest_stride)};
   return cmocka_run_group_tests(tests, NULL, NULL);
}
