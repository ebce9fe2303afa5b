/* ail against memcpy: tiling and detiling a 4096 x 4096 image, whole and as a box that starts and ends off the grid,
 * for 1 to 16 bytes an element; and the time of a layout call. Medians; memcpy moves the same bytes in the same
 * process, right before each. Exit status 1 when a target is missed. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <ail/ail.h>

#include "bench.h"
#include "util/format_enum.h"
#include "util/macros.h"

#define SIDE_EL 4096u
#define ROUNDS 9

/* Moves the box ROUNDS times each way and prints a row; returns 1 when below the target. */
static int
bench_box(const struct ail_layout *layout, char *image, char *linear, const struct ail_box *box, const char *what,
          double target)
{
   double copy[2 * ROUNDS], tile[ROUNDS], detile[ROUNDS];
   ptrdiff_t stride_B = (ptrdiff_t)box->width_el * layout->element_B;
   size_t size_B = (size_t)stride_B * box->height_el;
   for (unsigned i = 0; i < ROUNDS; i++) {
      double start = bench_now_s();
      memcpy(image, linear, size_B);
      copy[2 * i] = bench_now_s() - start;
      start = bench_now_s();
      ail_tile(layout, image, box, linear, stride_B, 0);
      tile[i] = bench_now_s() - start;
      start = bench_now_s();
      memcpy(linear, image, size_B);
      copy[2 * i + 1] = bench_now_s() - start;
      start = bench_now_s();
      ail_detile(layout, image, box, linear, stride_B, 0);
      detile[i] = bench_now_s() - start;
   }
   double copy_s = bench_median(copy, 2 * ROUNDS), tile_s = bench_median(tile, ROUNDS),
          detile_s = bench_median(detile, ROUNDS);
   bool good = copy_s / tile_s >= target && copy_s / detile_s >= target;
   printf("%7u  %-14s %8.2f %8.2f %8.2f %9.2f %9.2f %9.2f  %s\n", layout->element_B, what,
          (double)size_B / copy_s / 1e9, (double)size_B / tile_s / 1e9, (double)size_B / detile_s / 1e9,
          copy_s / tile_s, copy_s / detile_s, target, good ? "ok" : "BELOW");
   return !good;
}

static int
bench_moves(void)
{
   static const uint32_t formats[] = {FORMAT_R8_UNORM, FORMAT_R8G8_UNORM, FORMAT_R8G8B8A8_UNORM,
                                      FORMAT_R16G16B16A16_SFLOAT, FORMAT_R32G32B32A32_SFLOAT};
   int below = 0;
   printf("                              GB/s                  of memcpy\n");
   printf("B/elem.  box              memcpy     tile   detile      tile    detile    target\n");
   for (unsigned i = 0; i < ARRAY_SIZE(formats); i++) {
      struct ail_image image = {.format = formats[i],
                                .dimension = AIL_2D,
                                .width_px = SIDE_EL,
                                .height_px = SIDE_EL,
                                .depth_px = 1,
                                .layers = 1,
                                .levels = 1,
                                .samples = 1};
      struct ail_layout layout;
      if (ail_layout_init(&layout, &image))
         return 1;
      char *tiled = aligned_alloc(AIL_PAGE_B, layout.size_B), *linear = aligned_alloc(AIL_PAGE_B, layout.size_B);
      memset(tiled, 1, layout.size_B);
      memset(linear, 2, layout.size_B);
      double target = layout.element_B >= 4 ? 0.5 : 0.25;
      const struct ail_box full = {.width_el = SIDE_EL, .height_el = SIDE_EL, .layers = 1};
      const struct ail_box odd = {
         .x_el = 3, .y_el = 5, .width_el = SIDE_EL - 8, .height_el = SIDE_EL - 16, .layers = 1};
      below |= bench_box(&layout, tiled, linear, &full, "full level", target);
      below |= bench_box(&layout, tiled, linear, &odd, "4088x4080 +3+5", target);
      free(tiled);
      free(linear);
   }
   return below;
}

static int
bench_layout_call(void)
{
   static const struct {
      const char *name;
      uint32_t format, size_px;
      bool compressed;
   } images[] = {
      {"4096x4096 RGBA8, 13 levels", FORMAT_R8G8B8A8_UNORM, 4096, false},
      {"16383x16383 RGBA8, 14 levels, compressed", FORMAT_R8G8B8A8_UNORM, 16383, true},
      {"4095x4095 ASTC 5x5, 12 levels", FORMAT_ASTC_5x5_UNORM_BLOCK, 4095, false},
   };
   int below = 0;
   printf("\nlayout call                                    ns    target\n");
   for (unsigned i = 0; i < ARRAY_SIZE(images); i++) {
      struct ail_image image = {.format = images[i].format,
                                .dimension = AIL_2D,
                                .width_px = images[i].size_px,
                                .height_px = images[i].size_px,
                                .depth_px = 1,
                                .layers = 1,
                                .samples = 1,
                                .levels = log2_floor(images[i].size_px) + 1,
                                .compressed = images[i].compressed};
      struct ail_layout layout;
      double times[ROUNDS];
      uint64_t sum = 0;
      for (unsigned round = 0; round < ROUNDS; round++) {
         double start = bench_now_s();
         for (unsigned n = 0; n < 10000; n++) {
            image.width_px = images[i].size_px - n % 8;
            sum += ail_layout_init(&layout, &image) ? 0 : layout.size_B;
         }
         times[round] = (bench_now_s() - start) / 10000;
      }
      double ns = bench_median(times, ROUNDS) * 1e9;
      printf("%-42s %6.0f %9d  %s\n", images[i].name, ns, 1000, sum && ns < 1000 ? "ok" : "BELOW");
      below |= !sum || ns >= 1000;
   }
   return below;
}

int
main(void)
{
   return bench_moves() | bench_layout_call();
}
