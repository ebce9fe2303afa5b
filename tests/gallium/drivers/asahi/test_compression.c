/* Which images are compressed: each row breaks or keeps one rule of docs/drivers/asahi/driver.md. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "gallium/drivers/asahi/agx_compression.h"
#include "util/format_enum.h"
#include "util/macros.h"

#define COLOR PIPE_USAGE_COLOR
#define DEPTH PIPE_USAGE_DEPTH_STENCIL
#define VIEWS(...) true, ARRAY_SIZE(((uint32_t[]){__VA_ARGS__})), (uint32_t[]){__VA_ARGS__}

static const struct row {
   bool compressed;
   const char *what;
   uint32_t format, usage;
   uint32_t width_px, height_px, levels, samples;
   bool linear, shared, other_views;
   uint32_t num_views;
   const uint32_t *views;
} rows[] = {
   {true, "a target", FORMAT_R8G8B8A8_UNORM, COLOR, 64, 64, 1, 1, 0, 0, false, 0, NULL},
   {true, "depth", FORMAT_D32_SFLOAT, DEPTH, 64, 64, 1, 1, 0, 0, false, 0, NULL},
   {true, "stencil", FORMAT_S8_UINT, DEPTH, 64, 64, 1, 1, 0, 0, false, 0, NULL},
   {true, "a target that is also sampled", FORMAT_R16_SFLOAT, COLOR | PIPE_USAGE_SAMPLED, 16, 16, 1, 1, 0, 0, false,
    0, NULL},
   {false, "a texture", FORMAT_R8G8B8A8_UNORM, PIPE_USAGE_SAMPLED, 64, 64, 1, 1, 0, 0, false, 0, NULL},
   {false, "stored to", FORMAT_R8G8B8A8_UNORM, COLOR | PIPE_USAGE_STORAGE, 64, 64, 1, 1, 0, 0, false, 0, NULL},
   {false, "linear", FORMAT_R8G8B8A8_UNORM, COLOR, 64, 64, 1, 1, true, 0, false, 0, NULL},
   {false, "shared", FORMAT_R8G8B8A8_UNORM, COLOR, 64, 64, 1, 1, 0, true, false, 0, NULL},
   {false, "less than a tile high", FORMAT_R8G8B8A8_UNORM, COLOR, 64, 15, 1, 1, 0, 0, false, 0, NULL},
   {true, "a tile high, of 2 samples", FORMAT_R8G8B8A8_UNORM, COLOR, 16, 8, 1, 2, 0, 0, false, 0, NULL},
   {false, "half a tile wide, of 2 samples", FORMAT_R8G8B8A8_UNORM, COLOR, 8, 16, 1, 2, 0, 0, false, 0, NULL},
   {true, "half a tile wide, of 4 samples", FORMAT_R8G8B8A8_UNORM, COLOR, 8, 8, 1, 4, 0, 0, false, 0, NULL},
   {false, "any views", FORMAT_R8G8B8A8_UNORM, COLOR, 64, 64, 1, 1, 0, 0, true, 0, NULL},
   {true, "views of the same channels", FORMAT_R8G8B8A8_UNORM, COLOR, 64, 64, 1, 1, 0, 0,
    VIEWS(FORMAT_R8G8B8A8_SRGB, FORMAT_B8G8R8A8_UNORM, FORMAT_R8G8B8A8_UINT)},
   {false, "a view of other channels", FORMAT_R8G8B8A8_UNORM, COLOR, 64, 64, 1, 1, 0, 0,
    VIEWS(FORMAT_R8G8B8A8_SRGB, FORMAT_R32_UINT)},
   {false, "shared exponents", FORMAT_E5B9G9R9_UFLOAT_PACK32, COLOR, 64, 64, 1, 1, 0, 0, false, 0, NULL},
   {false, "small floats", FORMAT_B10G11R11_UFLOAT_PACK32, COLOR, 64, 64, 1, 1, 0, 0, false, 0, NULL},
   {true, "ten bits", FORMAT_A2B10G10R10_UNORM_PACK32, COLOR, 64, 64, 1, 1, 0, 0, false, 0, NULL},
   {true, "levels that halve to whole tiles", FORMAT_R8_UNORM, COLOR, 256, 128, 9, 1, 0, 0, false, 0, NULL},
   /* 33 pixels are 3 tiles, half of them 2, but 16 pixels are 1. */
   {false, "a level of fewer tiles than are allocated", FORMAT_R8_UNORM, COLOR, 33, 64, 2, 1, 0, 0, false, 0, NULL},
   {true, "the same without levels", FORMAT_R8_UNORM, COLOR, 33, 64, 1, 1, 0, 0, false, 0, NULL},
};

static void
test_rows(void **state)
{
   for (unsigned i = 0; i < ARRAY_SIZE(rows); i++) {
      const struct row *row = &rows[i];
      const struct pipe_image_desc desc = {.type = PIPE_IMAGE_2D,
                                           .format = row->format,
                                           .usage = row->usage,
                                           .shared = row->shared,
                                           .other_views = row->other_views,
                                           .num_view_formats = row->num_views,
                                           .view_formats = row->views};
      const struct ail_image plane = {.format = row->format,
                                      .dimension = AIL_2D,
                                      .tiling = row->linear ? AIL_TILING_LINEAR : AIL_TILING_GPU,
                                      .width_px = row->width_px,
                                      .height_px = row->height_px,
                                      .depth_px = 1,
                                      .layers = 1,
                                      .levels = row->levels,
                                      .samples = row->samples};
      if (agx_compresses(&desc, &plane) != row->compressed)
         fail_msg("%s: %scompressed", row->what, row->compressed ? "not " : "");
   }
}

int
main(void)
{
   const struct CMUnitTest tests[] = {cmocka_unit_test(test_rows)};
   return cmocka_run_group_tests(tests, NULL, NULL);
}
