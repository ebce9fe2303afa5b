/* How images lie, and why: each row breaks or keeps one rule of docs/drivers/asahi/layouts.md. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "gallium/drivers/asahi/resource/agx_image_layout.h"
#include "util/format_enum.h"
#include "util/macros.h"

#define COLOR PIPE_USAGE_COLOR
#define DEPTH PIPE_USAGE_DEPTH_STENCIL
#define VIEWS(...) true, ARRAY_SIZE(((uint32_t[]){__VA_ARGS__})), (uint32_t[]){__VA_ARGS__}

static const struct row {
   enum agx_layout_reason reason; /* of compression */
   const char *what;
   uint32_t format, usage;
   uint32_t width_px, height_px, levels, samples;
   bool linear, shared, other_views;
   uint32_t num_views;
   const uint32_t *views;
} rows[] = {
   {AGX_WHY_TARGET, "a target", FORMAT_R8G8B8A8_UNORM, COLOR, 64, 64, 1, 1, 0, 0, false, 0, NULL},
   {AGX_WHY_TARGET, "depth", FORMAT_D32_SFLOAT, DEPTH, 64, 64, 1, 1, 0, 0, false, 0, NULL},
   {AGX_WHY_TARGET, "stencil", FORMAT_S8_UINT, DEPTH, 64, 64, 1, 1, 0, 0, false, 0, NULL},
   {AGX_WHY_TARGET, "a target that is also sampled", FORMAT_R16_SFLOAT, COLOR | PIPE_USAGE_SAMPLED, 16, 16, 1, 1, 0,
    0, false, 0, NULL},
   {AGX_WHY_NO_TARGET, "a texture", FORMAT_R8G8B8A8_UNORM, PIPE_USAGE_SAMPLED, 64, 64, 1, 1, 0, 0, false, 0, NULL},
   {AGX_WHY_STORAGE, "stored to", FORMAT_R8G8B8A8_UNORM, COLOR | PIPE_USAGE_STORAGE, 64, 64, 1, 1, 0, 0, false, 0,
    NULL},
   {AGX_WHY_HOST, "copied by the processor", FORMAT_R8G8B8A8_UNORM, COLOR | PIPE_USAGE_HOST_TRANSFER, 64, 64, 1, 1, 0,
    0, false, 0, NULL},
   {AGX_WHY_LINEAR, "linear", FORMAT_R8G8B8A8_UNORM, COLOR, 64, 64, 1, 1, true, 0, false, 0, NULL},
   {AGX_WHY_SHARED, "shared", FORMAT_R8G8B8A8_UNORM, COLOR, 64, 64, 1, 1, 0, true, false, 0, NULL},
   {AGX_WHY_SMALL, "less than a tile high", FORMAT_R8G8B8A8_UNORM, COLOR, 64, 15, 1, 1, 0, 0, false, 0, NULL},
   {AGX_WHY_TARGET, "a tile high, of 2 samples", FORMAT_R8G8B8A8_UNORM, COLOR, 16, 8, 1, 2, 0, 0, false, 0, NULL},
   {AGX_WHY_SMALL, "half a tile wide, of 2 samples", FORMAT_R8G8B8A8_UNORM, COLOR, 8, 16, 1, 2, 0, 0, false, 0, NULL},
   {AGX_WHY_TARGET, "half a tile wide, of 4 samples", FORMAT_R8G8B8A8_UNORM, COLOR, 8, 8, 1, 4, 0, 0, false, 0, NULL},
   {AGX_WHY_VIEWS, "any views", FORMAT_R8G8B8A8_UNORM, COLOR, 64, 64, 1, 1, 0, 0, true, 0, NULL},
   {AGX_WHY_TARGET, "views of the same channels", FORMAT_R8G8B8A8_UNORM, COLOR, 64, 64, 1, 1, 0, 0,
    VIEWS(FORMAT_R8G8B8A8_SRGB, FORMAT_B8G8R8A8_UNORM, FORMAT_R8G8B8A8_UINT)},
   {AGX_WHY_VIEWS, "a view of other channels", FORMAT_R8G8B8A8_UNORM, COLOR, 64, 64, 1, 1, 0, 0,
    VIEWS(FORMAT_R8G8B8A8_SRGB, FORMAT_R32_UINT)},
   {AGX_WHY_CHANNELS, "shared exponents", FORMAT_E5B9G9R9_UFLOAT_PACK32, COLOR, 64, 64, 1, 1, 0, 0, false, 0, NULL},
   {AGX_WHY_CHANNELS, "small floats", FORMAT_B10G11R11_UFLOAT_PACK32, COLOR, 64, 64, 1, 1, 0, 0, false, 0, NULL},
   {AGX_WHY_TARGET, "ten bits", FORMAT_A2B10G10R10_UNORM_PACK32, COLOR, 64, 64, 1, 1, 0, 0, false, 0, NULL},
   {AGX_WHY_TARGET, "levels that halve to whole tiles", FORMAT_R8_UNORM, COLOR, 256, 128, 9, 1, 0, 0, false, 0, NULL},
   /* 33 pixels are 3 tiles, half of them 2, but 16 pixels are 1. */
   {AGX_WHY_LEVELS, "a level of fewer tiles than are allocated", FORMAT_R8_UNORM, COLOR, 33, 64, 2, 1, 0, 0, false, 0,
    NULL},
   {AGX_WHY_TARGET, "the same without levels", FORMAT_R8_UNORM, COLOR, 33, 64, 1, 1, 0, 0, false, 0, NULL},
};

static void
test_rows(void **state)
{
   for (unsigned i = 0; i < ARRAY_SIZE(rows); i++) {
      const struct row *row = &rows[i];
      const struct pipe_image_desc desc = {.type = PIPE_IMAGE_2D,
                                           .format = row->format,
                                           .usage = row->usage,
                                           .linear = row->linear,
                                           .shared = row->shared,
                                           .other_views = row->other_views,
                                           .num_view_formats = row->num_views,
                                           .view_formats = row->views};
      const struct ail_image plane = {.format = row->format,
                                      .dimension = AIL_2D,
                                      .width_px = row->width_px,
                                      .height_px = row->height_px,
                                      .depth_px = 1,
                                      .layers = 1,
                                      .levels = row->levels,
                                      .samples = row->samples};
      const struct agx_image_layout chosen = agx_image_layout(&desc, &plane);

      if (chosen.compression_reason != row->reason || chosen.compressed != (row->reason == AGX_WHY_TARGET))
         fail_msg("%s: %scompressed, because %s", row->what, chosen.compressed ? "" : "not ",
                  agx_layout_reason_text(chosen.compression_reason));
      assert_int_equal(chosen.tiling, row->linear ? AIL_TILING_LINEAR : AIL_TILING_GPU);
   }
}

/* Alpha of 4 bits goes on top, where nobody sees the bits. */
static void
test_stored_formats(void **state)
{
   const struct pipe_image_desc good = {
      .format = FORMAT_B4G4R4A4_UNORM_PACK16, .usage = COLOR | PIPE_USAGE_SAMPLED, .samples = 1};
   struct pipe_image_desc desc = good;

   assert_int_equal(agx_stored_format(&desc), FORMAT_A4B4G4R4_UNORM_PACK16);
   desc.format = FORMAT_R4G4B4A4_UNORM_PACK16;
   assert_int_equal(agx_stored_format(&desc), FORMAT_A4R4G4B4_UNORM_PACK16);
   desc = good;
   desc.other_views = true;
   desc.num_view_formats = 1;
   desc.view_formats = &good.format;
   assert_int_equal(agx_stored_format(&desc), FORMAT_A4B4G4R4_UNORM_PACK16);
   desc.format = FORMAT_R5G5B5A1_UNORM_PACK16;
   assert_int_equal(agx_stored_format(&desc), desc.format);
#define STAYS(...)                                                                                                   \
   do {                                                                                                              \
      desc = good;                                                                                                   \
      __VA_ARGS__;                                                                                                   \
      assert_int_equal(agx_stored_format(&desc), good.format);                                                       \
   } while (0)
   STAYS(desc.linear = true);
   STAYS(desc.shared = true);
   STAYS(desc.has_modifier = true);
   STAYS(desc.other_views = true);
   STAYS(desc.other_views = true; desc.num_view_formats = 2;
         desc.view_formats = ((uint32_t[]){good.format, FORMAT_R16_UINT}));
   STAYS(desc.samples = 4);
   STAYS(desc.usage = COLOR);
#undef STAYS
}

/* What a DRM format modifier wants is so, or not possible; what else is known of the image matters only then. */
static void
test_modifiers(void **state)
{
   const uint64_t apple = UINT64_C(0x0c) << 56, tiled = apple | 1, compressed = apple | 2;
   static const uint32_t words[] = {FORMAT_R32_UINT};
   const struct {
      uint64_t modifier;
      uint32_t format, usage, side_px;
      bool other_views, possible;
   } own[] = {
      {0, FORMAT_R8G8B8A8_UNORM, COLOR, 64, false, true},
      {tiled, FORMAT_R8G8B8A8_UNORM, COLOR, 64, false, true},
      {tiled, FORMAT_R8G8B8A8_UNORM, COLOR | PIPE_USAGE_STORAGE, 64, true, true},
      {compressed, FORMAT_R8G8B8A8_UNORM, COLOR, 64, false, true},
      {compressed, FORMAT_R8G8B8A8_UNORM, PIPE_USAGE_SAMPLED, 64, false, true},
      {compressed, FORMAT_R8G8B8A8_UNORM, COLOR, 15, false, false},
      {compressed, FORMAT_R8G8B8A8_UNORM, COLOR, 64, true, false},
      {compressed, FORMAT_R8G8B8A8_UNORM, COLOR | PIPE_USAGE_STORAGE, 64, false, false},
      {compressed, FORMAT_R8G8B8A8_UNORM, COLOR | PIPE_USAGE_HOST_TRANSFER, 64, false, false},
      {compressed, FORMAT_R5G6B5_UNORM_PACK16, COLOR, 64, false, false},
   };
   for (unsigned i = 0; i < ARRAY_SIZE(own); i++) {
      const struct pipe_image_desc desc = {.type = PIPE_IMAGE_2D,
                                           .format = own[i].format,
                                           .usage = own[i].usage,
                                           .has_modifier = true,
                                           .modifier = own[i].modifier,
                                           .shared = true,
                                           .other_views = own[i].other_views,
                                           .num_view_formats = own[i].other_views,
                                           .view_formats = words};
      const struct ail_image plane = {.format = own[i].format,
                                      .dimension = AIL_2D,
                                      .width_px = own[i].side_px,
                                      .height_px = own[i].side_px,
                                      .depth_px = 1,
                                      .layers = 1,
                                      .levels = 1,
                                      .samples = 1};
      const struct agx_image_layout chosen = agx_image_layout(&desc, &plane);

      assert_int_equal(chosen.tiling, own[i].modifier ? AIL_TILING_GPU : AIL_TILING_LINEAR);
      assert_int_equal(chosen.compressed, own[i].modifier == compressed);
      assert_int_equal(chosen.possible, own[i].possible);
      assert_int_equal(chosen.compression_reason == AGX_WHY_MODIFIER, own[i].possible);
   }
}

/* Every reason has a text of its own. */
static void
test_texts(void **state)
{
   for (unsigned i = 0; i < AGX_LAYOUT_REASONS; i++) {
      assert_non_null(agx_layout_reason_text(i));
      for (unsigned j = 0; j < i; j++)
         assert_string_not_equal(agx_layout_reason_text(i), agx_layout_reason_text(j));
   }
}

int
main(void)
{
   const struct CMUnitTest tests[] = {cmocka_unit_test(test_rows), cmocka_unit_test(test_modifiers),
                                      cmocka_unit_test(test_stored_formats), cmocka_unit_test(test_texts)};
   return cmocka_run_group_tests(tests, NULL, NULL);
}
