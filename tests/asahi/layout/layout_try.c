#include "layout_try.h"

uint32_t
any_number(struct random *random)
{
   static const uint32_t special[] = {0,     1,        2,          3,          4,         6,     12,
                                      15,    16,       17,         2048,       16383,     16384, 16385,
                                      32768, 1u << 27, 0x7fffffff, 0x80000000, 0xffffffff};
   switch (random_below(random, 4)) {
   case 0:
      return special[random_below(random, ARRAY_SIZE(special))];
   case 1:
      return random_below(random, 1u << (1 + random_below(random, 31)));
   default:
      return 1 + random_below(random, 300);
   }
}

static void
check_levels(const struct ail_layout *layout)
{
   uint64_t end = 0;
   assert_true(layout->allocated_levels >= layout->image.levels && layout->allocated_levels <= AIL_MAX_LEVELS);
   for (uint32_t l = 0; l < layout->allocated_levels; l++) {
      const struct ail_level *level = &layout->levels[l];
      assert_true(level->offset_B >= end && level->size_B && level->offset_B % 128 == 0);
      end = level->offset_B + level->size_B;
      uint64_t last =
         ail_element_offset_B(layout, level->width_el - 1, level->height_el - 1, 0, l, layout->image.samples - 1);
      assert_true(last >= level->offset_B && last + layout->block_B <= end);
   }
   assert_true(end <= layout->chain_size_B && layout->chain_size_B <= layout->layer_stride_B);
   assert_true(layout->layer_stride_B * layout->layer_count == layout->metadata_offset_B);
   assert_true(layout->metadata_offset_B <= layout->size_B && layout->size_B <= AIL_ADDRESS_SPACE_B);
   uint64_t metadata_B = layout->metadata_layer_stride_B * layout->layer_count;
   assert_int_equal(layout->metadata_offset_B + metadata_B, layout->size_B);
   uint64_t last_layer = ail_level_offset_B(layout, layout->layer_count - 1, 0);
   assert_true(last_layer + layout->layer_stride_B == layout->metadata_offset_B);
}

static void
query(struct random *random, const struct ail_layout *layout)
{
   uint32_t a = any_number(random), b = any_number(random), c = any_number(random) % 4, d = any_number(random) % 20;
   uint64_t offset = ail_element_offset_B(layout, a, b, c, d, a % 5);
   assert_true(offset == AIL_NONE || offset + layout->block_B <= layout->metadata_offset_B);
   offset = ail_metadata_offset_B(layout, a, b, c, d);
   assert_true(offset == AIL_NONE || (offset >= layout->metadata_offset_B && offset + 8 <= layout->size_B));
   offset = ail_level_offset_B(layout, c, d);
   assert_true(offset == AIL_NONE || offset < layout->size_B);
   offset = ail_sparse_word_index(layout, c, a);
   assert_true(offset == AIL_NONE || offset < layout->sparse_table_size_B / 4);
   struct ail_box box = {.level = d,
                         .x_el = any_number(random),
                         .y_el = any_number(random),
                         .layer = c,
                         .width_el = a,
                         .height_el = b,
                         .layers = any_number(random) % 3};
   struct ail_word_range ranges[8];
   uint32_t count = 0;
   enum ail_error error = ail_sparse_box_words(layout, &box, ranges, ARRAY_SIZE(ranges), &count);
   assert_true(error == AIL_OK || error == AIL_ERROR_BOX || error == AIL_ERROR_NOT_SPARSE);
   for (uint32_t i = 0; i < MIN2(count, (uint32_t)ARRAY_SIZE(ranges)); i++)
      assert_true((uint64_t)ranges[i].first_word + ranges[i].words <= layout->sparse_table_size_B / 4);
   ail_view_compatible(layout, any_number(random));
}

enum ail_error
layout_try(struct random *random, const struct ail_image *image)
{
   struct ail_layout layout;
   enum ail_error error = ail_layout_init(&layout, image);
   assert_true((unsigned)error < AIL_ERROR_COUNT);
   ail_can_compress(image);
   if (!error) {
      check_levels(&layout);
      query(random, &layout);
   }
   return error;
}
