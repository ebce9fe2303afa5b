/* Sparse page tables: words, ranges of boxes against every element's own page, binding and the walk. */
#include "reference.h"

#define MAX_RANGES 20000

static struct ail_layout
random_sparse(struct random *random, uint32_t limit_px, uint64_t limit_B)
{
   struct ail_layout layout;
   for (;;) {
      struct ail_image image = random_image(random, limit_px);
      if (image.tiling == AIL_TILING_LINEAR || image.compressed)
         continue;
      image.sparse = true;
      assert_int_equal(ail_layout_init(&layout, &image), AIL_OK);
      if (layout.size_B <= limit_B)
         return layout;
   }
}

/* The word of a byte of the image, counted folio by folio. */
static uint64_t
word_of(const struct ail_layout *layout, uint64_t offset_B)
{
   uint64_t layer = offset_B / layout->layer_stride_B, page = offset_B % layout->layer_stride_B / 16384;
   uint64_t folios = 0;
   while (folios * 256 * 16384 < layout->layer_stride_B)
      folios++;
   return (layer * folios + page / 256) * 512 + page % 256;
}

static void
test_words(void **state)
{
   struct ail_image image = {.format = FORMAT_R8G8B8A8_UNORM,
                             .dimension = AIL_2D,
                             .width_px = 2048,
                             .height_px = 1025,
                             .depth_px = 1,
                             .layers = 3,
                             .levels = 1,
                             .samples = 1,
                             .sparse = true};
   struct ail_layout layout;
   assert_int_equal(ail_layout_init(&layout, &image), AIL_OK);
   /* Twiddled: 2048 x 2048 x 4 B = 16 MiB a layer, 4 folios of 4 MiB; 2 KiB each. */
   assert_int_equal(layout.layer_stride_B, 16 << 20);
   assert_int_equal(layout.folios_per_layer, 4);
   assert_int_equal(layout.sparse_table_size_B, 3 * 4 * 2048);
   assert_int_equal(ail_sparse_word_index(&layout, 0, 255), 255);
   assert_int_equal(ail_sparse_word_index(&layout, 0, 256), 512);
   assert_int_equal(ail_sparse_word_index(&layout, 2, 300), (2 * 4 + 1) * 512 + 44);
   assert_int_equal(ail_sparse_word_index(&layout, 0, 1024), AIL_NONE);
   assert_int_equal(ail_sparse_word_index(&layout, 3, 0), AIL_NONE);

   uint32_t word;
   uint64_t va;
   assert_int_equal(ail_sparse_pack(0x1234564000, &word), AIL_OK);
   assert_int_equal(word, 0xc0000000 | 0x1234564000 / 16384);
   assert_true(ail_sparse_unpack(word, &va));
   assert_int_equal(va, 0x1234564000);
   assert_true(ail_sparse_unpack(0x80000001, &va));
   assert_int_equal(va, 16384);
   assert_false(ail_sparse_unpack(0x7fffffff, &va));
   assert_int_equal(ail_sparse_pack((UINT64_C(1) << 40) - 16384, &word), AIL_OK);
   assert_int_equal(word, 0xc3ffffff);
   assert_int_equal(ail_sparse_pack(UINT64_C(1) << 40, &word), AIL_ERROR_ADDRESS_LIMIT);
   assert_int_equal(ail_sparse_pack(4096, &word), AIL_ERROR_ADDRESS_ALIGNMENT);
   assert_int_equal(ail_sparse_pack(0, NULL), AIL_ERROR_NULL);
}

/* The ranges of a box are exactly the words of the pages of its elements. */
static void
check_box(struct random *random, const struct ail_layout *layout, struct ail_word_range *ranges)
{
   struct ref_layout ref = ref_layout(&layout->image);
   uint64_t words = layout->sparse_table_size_B / 4;
   struct ail_box box = random_box(random, layout);
   uint8_t *touched = calloc(1, words);
   for (uint32_t z = 0; z < box.layers; z++) {
      for (uint32_t y = 0; y < box.height_el; y++) {
         for (uint32_t x = 0; x < box.width_el; x++)
            touched[word_of(layout, ref_offset_B(&ref, box.x_el + x, box.y_el + y, box.layer + z, box.level, 0))] = 1;
      }
   }
   uint32_t count, fewer;
   assert_int_equal(ail_sparse_box_words(layout, &box, ranges, MAX_RANGES, &count), AIL_OK);
   assert_true(count <= MAX_RANGES);
   uint64_t next = 0;
   for (uint32_t i = 0; i < count; i++) {
      assert_true(ranges[i].words && ranges[i].first_word >= next);
      assert_true(i == 0 || ranges[i].first_word > next);
      for (uint32_t j = 0; j < ranges[i].words; j++)
         assert_int_equal(touched[ranges[i].first_word + j]--, 1);
      next = ranges[i].first_word + ranges[i].words;
   }
   for (uint64_t i = 0; i < words; i++)
      assert_int_equal(touched[i], 0);
   struct ail_word_range first = {0};
   assert_int_equal(ail_sparse_box_words(layout, &box, &first, 1, &fewer), AIL_OK);
   assert_int_equal(fewer, count);
   assert_true(!count || (first.first_word == ranges[0].first_word && first.words == ranges[0].words));
   free(touched);
}

static void
test_boxes(void **state)
{
   struct random random = {20260707};
   struct ail_word_range *ranges = calloc(MAX_RANGES, sizeof(*ranges));
   for (unsigned i = 0; i < 500; i++) {
      struct ail_layout layout = random_sparse(&random, i % 3 ? 200 : 900, 12 << 20);
      for (unsigned n = 0; n < 4; n++)
         check_box(&random, &layout, ranges);
   }
   free(ranges);
}

/* Large images: a whole level is a few ranges of whole folios, found without a look at every page. */
static void
test_whole_level(void **state)
{
   struct ail_image image = {.format = FORMAT_R8G8B8A8_UNORM,
                             .dimension = AIL_2D,
                             .width_px = 16384,
                             .height_px = 16384,
                             .depth_px = 1,
                             .layers = 1,
                             .levels = 15,
                             .samples = 1,
                             .sparse = true};
   for (unsigned i = 0; i < 2; i++) {
      image.tiling = i ? AIL_TILING_GPU : AIL_TILING_TWIDDLED;
      struct ail_layout layout;
      struct ail_word_range ranges[300];
      uint32_t count;
      assert_int_equal(ail_layout_init(&layout, &image), AIL_OK);
      const struct ail_box box = {.width_el = 16384, .height_el = 16384, .layers = 1};
      assert_int_equal(ail_sparse_box_words(&layout, &box, ranges, ARRAY_SIZE(ranges), &count), AIL_OK);
      assert_int_equal(count, 256);
      for (uint32_t f = 0; f < count; f++)
         assert_true(ranges[f].first_word == f * 512 && ranges[f].words == 256);
   }
}

/* Binds the tail and some boxes, then walks from random elements. */
static void
test_walk(void **state)
{
   struct random random = {20260808};
   struct ail_word_range *ranges = calloc(MAX_RANGES, sizeof(*ranges));
   for (unsigned i = 0; i < 60; i++) {
      struct ail_layout layout = random_sparse(&random, 700, 8 << 20);
      uint32_t *table = calloc(1, layout.sparse_table_size_B), count;
      uint64_t *expected = calloc(layout.sparse_table_size_B / 4, sizeof(*expected)), va, at;
      for (unsigned n = 0; n < 6; n++) {
         bool bind = n < 5;
         va = 16384ull * (1 + random_below(&random, 1u << 25));
         uint32_t layer = random_below(&random, layout.layer_count);
         if (n == 2) {
            assert_int_equal(ail_sparse_tail_words(&layout, layer, ranges, MAX_RANGES, &count), AIL_OK);
            uint64_t pages = 0;
            for (uint32_t r = 0; r < count; r++)
               pages += ranges[r].words;
            assert_int_equal(pages * 16384, layout.mip_tail_size_B);
         } else {
            struct ail_box box = random_box(&random, &layout);
            assert_int_equal(ail_sparse_box_words(&layout, &box, ranges, MAX_RANGES, &count), AIL_OK);
         }
         assert_int_equal(ail_sparse_bind(&layout, table, ranges, count, bind, va), AIL_OK);
         at = va;
         for (uint32_t r = 0; r < count; r++) {
            for (uint32_t w = 0; w < ranges[r].words; w++, at += 16384)
               expected[ranges[r].first_word + w] = bind ? at : 0;
         }
      }
      for (unsigned n = 0; n < 300; n++) {
         uint64_t offset = random_below(&random, (uint32_t)layout.layer_stride_B);
         uint32_t layer = random_below(&random, layout.layer_count);
         uint64_t page = expected[word_of(&layout, layer * layout.layer_stride_B + offset)];
         enum ail_error error = ail_sparse_walk(&layout, table, layer, offset, &va);
         assert_int_equal(error, page ? AIL_OK : AIL_ERROR_UNBOUND);
         if (!error)
            assert_int_equal(va, page + offset % 16384);
      }
      assert_int_equal(ail_sparse_walk(&layout, table, 0, layout.layer_stride_B, &va), AIL_ERROR_BOX);
      free(expected);
      free(table);
   }
   free(ranges);
}

/* Levels before the tail are whole pages; the tail is the rest of the layer. */
static void
test_tail(void **state)
{
   struct random random = {20260909};
   for (unsigned i = 0; i < 500; i++) {
      struct ail_layout layout = random_sparse(&random, 2000, UINT64_C(1) << 34);
      for (uint32_t l = 0; l < layout.mip_tail_first_level; l++)
         assert_true(layout.levels[l].offset_B % 16384 == 0 && layout.levels[l].size_B % 16384 == 0);
      if (layout.mip_tail_first_level < layout.allocated_levels)
         assert_int_equal(layout.mip_tail_offset_B + layout.mip_tail_size_B, layout.layer_stride_B);
      else
         assert_int_equal(layout.mip_tail_size_B, 0);
   }
}

static void
test_errors(void **state)
{
   struct ail_image image = {.format = FORMAT_R8_UNORM,
                             .dimension = AIL_2D,
                             .width_px = 300,
                             .height_px = 300,
                             .depth_px = 1,
                             .layers = 1,
                             .levels = 1,
                             .samples = 1,
                             .sparse = true};
   struct ail_layout layout;
   struct ail_word_range range;
   struct ail_box box = {.width_el = 301, .height_el = 1, .layers = 1};
   uint32_t count, table[512] = {0};
   uint64_t va;
   assert_int_equal(ail_layout_init(&layout, &image), AIL_OK);
   assert_int_equal(ail_sparse_box_words(&layout, &box, &range, 1, &count), AIL_ERROR_BOX);
   assert_int_equal(ail_sparse_tail_words(&layout, 1, &range, 1, &count), AIL_ERROR_BOX);
   assert_int_equal(ail_sparse_box_words(&layout, &box, NULL, 1, &count), AIL_ERROR_NULL);
   static const struct ail_word_range bad[] = {{255, 2}, {256, 1}, {512, 1}, {0, 257}, {0, 0xffffffff}};
   for (unsigned i = 0; i < ARRAY_SIZE(bad); i++)
      assert_int_equal(ail_sparse_bind(&layout, table, &bad[i], 1, true, 0), AIL_ERROR_BOX);
   range = (struct ail_word_range){0, 2};
   assert_int_equal(ail_sparse_bind(&layout, table, &range, 1, true, 100), AIL_ERROR_ADDRESS_ALIGNMENT);
   assert_int_equal(ail_sparse_bind(&layout, table, &range, 1, true, (UINT64_C(1) << 40) - 16384),
                    AIL_ERROR_ADDRESS_LIMIT);
   for (unsigned i = 0; i < ARRAY_SIZE(table); i++)
      assert_int_equal(table[i], 0);
   image.sparse = false;
   assert_int_equal(ail_layout_init(&layout, &image), AIL_OK);
   assert_int_equal(ail_sparse_walk(&layout, table, 0, 0, &va), AIL_ERROR_NOT_SPARSE);
   assert_int_equal(ail_sparse_bind(&layout, table, &range, 1, true, 0), AIL_ERROR_NOT_SPARSE);
   assert_int_equal(ail_sparse_word_index(&layout, 0, 0), AIL_NONE);
}

int
main(void)
{
   const struct CMUnitTest tests[] = {cmocka_unit_test(test_words),       cmocka_unit_test(test_boxes),
                                      cmocka_unit_test(test_whole_level), cmocka_unit_test(test_walk),
                                      cmocka_unit_test(test_tail),        cmocka_unit_test(test_errors)};
   return cmocka_run_group_tests(tests, NULL, NULL);
}
