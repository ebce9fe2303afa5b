/* Addresses against the slow implementation, and what must hold for any layout: no two elements share a byte,
 * elements lie inside their level, levels and layers do not overlap, no cache line holds two levels. */
#include "reference.h"

static void
compare_levels(const struct ail_layout *layout, const struct ref_layout *ref)
{
   assert_int_equal(layout->allocated_levels, ref->level_count);
   assert_int_equal(layout->layer_count, ref->layer_count);
   assert_int_equal(layout->layer_stride_B, ref->layer_stride_B);
   for (uint32_t l = 0; l < ref->level_count; l++) {
      assert_int_equal(layout->levels[l].offset_B, ref->levels[l].offset_B);
      assert_int_equal(layout->levels[l].size_B, ref->levels[l].size_B);
      assert_int_equal(layout->levels[l].width_el, ref->levels[l].width_el);
      assert_int_equal(layout->levels[l].height_el, ref->levels[l].height_el);
   }
}

static void
check_ranges(const struct ail_layout *layout)
{
   uint64_t line = 0;
   for (uint32_t l = 0; l < layout->allocated_levels; l++) {
      const struct ail_level *level = &layout->levels[l];
      assert_true(level->size_B > 0);
      assert_int_equal(level->offset_B % 128, 0);
      assert_true(level->offset_B / 128 >= line);
      line = (level->offset_B + level->size_B + 127) / 128;
   }
   assert_true(line * 128 <= layout->layer_stride_B || layout->image.tiling == AIL_TILING_LINEAR);
   assert_true(layout->layer_stride_B * layout->layer_count <= layout->size_B);
   assert_true(layout->layer_stride_B % (layout->page_aligned_layers ? 16384 : 128) == 0);
}

static void
check_element(const struct ail_layout *layout, const struct ref_layout *ref, uint32_t x, uint32_t y, uint32_t layer,
              uint32_t l, uint32_t sample)
{
   /* size: an element by its coordinates */
   uint64_t offset = ail_element_offset_B(layout, x, y, layer, l, sample);
   assert_int_equal(offset, ref_offset_B(ref, x, y, layer, l, sample));
   uint64_t start = ail_level_offset_B(layout, layer, l);
   assert_true(offset >= start && offset + ref->sample_B <= start + layout->levels[l].size_B);
}

static void
check_all_elements(const struct ail_layout *layout, const struct ref_layout *ref)
{
   uint8_t *taken = calloc(1, layout->size_B);
   for (uint32_t layer = 0; layer < layout->layer_count; layer++) {
      for (uint32_t l = 0; l < layout->allocated_levels; l++) {
         const struct ail_level *level = &layout->levels[l];
         for (uint32_t i = 0; i < level->width_el * level->height_el * layout->image.samples; i++) {
            uint32_t sample = i % layout->image.samples, x = i / layout->image.samples % level->width_el;
            uint32_t y = i / layout->image.samples / level->width_el;
            check_element(layout, ref, x, y, layer, l, sample);
            uint64_t offset = ail_element_offset_B(layout, x, y, layer, l, sample);
            for (uint32_t b = 0; b < ref->sample_B; b++)
               assert_int_equal(taken[offset + b]++, 0);
         }
      }
   }
   free(taken);
}

static void
test_small_images(void **state)
{
   struct random random = {20260101};
   unsigned checked = 0;
   for (unsigned i = 0; i < 4000; i++) {
      struct ail_image image = random_image(&random, 1u << (3 + i % 6));
      struct ail_layout layout;
      assert_int_equal(ail_layout_init(&layout, &image), AIL_OK);
      struct ref_layout ref = ref_layout(&image);
      compare_levels(&layout, &ref);
      check_ranges(&layout);
      if (layout.size_B > 200000)
         continue;
      check_all_elements(&layout, &ref);
      checked++;
   }
   assert_true(checked > 2000);
}

static void
test_large_images(void **state)
{
   struct random random = {20260202};
   for (unsigned i = 0; i < 3000; i++) {
      struct ail_image image = random_image(&random, 16384);
      struct ail_layout layout;
      assert_int_equal(ail_layout_init(&layout, &image), AIL_OK);
      struct ref_layout ref = ref_layout(&image);
      compare_levels(&layout, &ref);
      check_ranges(&layout);
      for (uint32_t l = 0; l < layout.allocated_levels; l++) {
         const struct ail_level *level = &layout.levels[l];
         uint32_t layer = random_below(&random, layout.layer_count), sample = random_below(&random, image.samples);
         check_element(&layout, &ref, level->width_el - 1, level->height_el - 1, layer, l, sample);
         check_element(&layout, &ref, level->width_el - 1, 0, layer, l, sample);
         check_element(&layout, &ref, 0, level->height_el - 1, layer, l, sample);
         for (unsigned n = 0; n < 8; n++)
            check_element(&layout, &ref, random_below(&random, level->width_el),
                          random_below(&random, level->height_el), layer, l, sample);
      }
   }
}

/* Every size around the places where a block-compressed or plain chain changes from large to small levels: the last
 * element of each level lies inside it. */
static void
test_last_elements(void **state)
{
   static const uint32_t formats[] = {FORMAT_R8_UNORM,        FORMAT_R8G8_UNORM,          FORMAT_R32_UINT,
                                      FORMAT_R32G32_UINT,     FORMAT_R32G32B32A32_UINT,   FORMAT_BC1_RGB_UNORM_BLOCK,
                                      FORMAT_BC7_UNORM_BLOCK, FORMAT_ASTC_6x5_UNORM_BLOCK};
   for (unsigned f = 0; f < ARRAY_SIZE(formats); f++) {
      for (uint32_t width = 1; width <= 1100; width += width < 140 ? 1 : 3) {
         for (uint32_t height = 1; height <= 1100; height += height < 40 ? 7 : 97) {
            struct ail_image image = {.format = formats[f],
                                      .dimension = AIL_2D,
                                      .width_px = width,
                                      .depth_px = 1,
                                      .height_px = height,
                                      .layers = 1,
                                      .samples = 1,
                                      .levels = log2_floor(MAX2(width, height)) + 1};
            struct ail_layout layout;
            assert_int_equal(ail_layout_init(&layout, &image), AIL_OK);
            for (uint32_t l = 0; l < layout.allocated_levels; l++) {
               const struct ail_level *level = &layout.levels[l];
               uint64_t corner = ail_element_offset_B(&layout, level->width_el - 1, level->height_el - 1, 0, l, 0);
               uint64_t right = ail_element_offset_B(&layout, level->width_el - 1, 0, 0, l, 0);
               uint64_t end = level->offset_B + level->size_B;
               assert_true(corner + layout.element_B <= end && right + layout.element_B <= end);
            }
         }
      }
   }
}

int
main(void)
{
   const struct CMUnitTest tests[] = {cmocka_unit_test(test_small_images), cmocka_unit_test(test_large_images),
                                      cmocka_unit_test(test_last_elements)};
   return cmocka_run_group_tests(tests, NULL, NULL);
}
