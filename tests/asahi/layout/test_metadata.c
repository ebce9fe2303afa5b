/* Compression metadata: places against the slow implementation, mode bytes as observed on hardware. */
#include "reference.h"

static struct ail_image
compressed_image(uint32_t format, uint32_t width_px, uint32_t height_px, uint32_t samples)
{
   return (struct ail_image){.format = format,
                             .dimension = AIL_2D,
                             .width_px = width_px,
                             .height_px = height_px,
                             .depth_px = 1,
                             .layers = 1,
                             .levels = 1,
                             .samples = samples,
                             .compressed = true};
}

/* Every tile of a random image: inside the metadata of its level, no two alike, the same as in the slow way. */
static void
test_places(void **state)
{
   struct random random = {20260606};
   unsigned done = 0;
   while (done < 400) {
      struct ail_image image = random_image(&random, 900);
      struct ail_layout layout;
      if (!image.compressed)
         continue;
      done++;
      assert_int_equal(ail_layout_init(&layout, &image), AIL_OK);
      struct ref_layout ref = ref_layout(&image);
      uint8_t *taken = calloc(1, layout.size_B - layout.metadata_offset_B);
      uint32_t tile_w, tile_h;
      ail_compression_tile_px(&layout, &tile_w, &tile_h);
      assert_int_equal(tile_w * (image.samples == 4 ? 2 : 1), 16);
      assert_int_equal(tile_h * (image.samples >= 2 ? 2 : 1), 16);
      for (uint32_t layer = 0; layer < layout.layer_count; layer++) {
         for (uint32_t l = 0; l < layout.allocated_levels; l++) {
            const struct ail_level *level = &layout.levels[l];
            uint32_t columns = (level->width_px + tile_w - 1) / tile_w;
            uint32_t rows = (level->height_px + tile_h - 1) / tile_h;
            for (uint32_t i = 0; i < columns * rows; i++) {
               uint64_t offset = ail_metadata_offset_B(&layout, i % columns, i / columns, layer, l);
               if (!level->metadata_allocated) {
                  assert_int_equal(offset, AIL_NONE);
                  continue;
               }
               offset -= layout.metadata_offset_B;
               assert_int_equal(offset, ref_metadata_B(&ref, i % columns, i / columns, layer, l));
               assert_true(offset + 8 <= layout.size_B - layout.metadata_offset_B);
               assert_int_equal(taken[offset]++, 0);
            }
            assert_int_equal(ail_metadata_offset_B(&layout, columns, 0, layer, l), AIL_NONE);
            assert_int_equal(ail_metadata_offset_B(&layout, 0, rows, layer, l), AIL_NONE);
         }
      }
      free(taken);
   }
}

/* Levels by their larger side have metadata, by their smaller side are really compressed. */
static void
test_levels(void **state)
{
   struct ail_image image = compressed_image(FORMAT_R8G8B8A8_UNORM, 128, 32, 1);
   image.levels = 8;
   struct ail_layout layout;
   assert_int_equal(ail_layout_init(&layout, &image), AIL_OK);
   for (uint32_t l = 0; l < 8; l++) {
      assert_int_equal(layout.levels[l].metadata_allocated, l <= 3);
      assert_int_equal(layout.levels[l].compressed, l <= 1);
   }
   /* 8 x 2 tiles are 128 bytes, each smaller level fills a cache line. */
   for (uint32_t l = 0; l <= 3; l++)
      assert_int_equal(layout.levels[l].metadata_offset_B, 128 * l);
   assert_int_equal(layout.metadata_layer_stride_B, 512);
}

static void
test_modes(void **state)
{
   static const struct {
      uint32_t format;
      uint8_t uncompressed, solid;
   } rows[] = {
      {FORMAT_R8_UNORM, 0x1f, 0x60},
      {FORMAT_R8G8_UNORM, 0x3f, 0x01},
      {FORMAT_R8G8B8A8_UNORM, 0x7f, 0x03},
      {FORMAT_R16G16B16A16_SFLOAT, 0xff, 0x07},
      {FORMAT_R32G32B32A32_SFLOAT, 0xff, 0x07},
      {FORMAT_S8_UINT, 0x1f, 0x60},
   };
   for (unsigned i = 0; i < ARRAY_SIZE(rows); i++) {
      for (uint32_t samples = 1; samples <= 4; samples *= 2) {
         struct ail_image image = compressed_image(rows[i].format, 70, 50, samples);
         struct ail_layout layout;
         assert_int_equal(ail_layout_init(&layout, &image), AIL_OK);
         assert_int_equal(ail_mode_byte(&layout, AIL_MODE_UNCOMPRESSED), rows[i].uncompressed);
         assert_int_equal(ail_mode_byte(&layout, AIL_MODE_SOLID), rows[i].solid);
         assert_int_equal(ail_mode_byte(&layout, AIL_MODE_OTHER), -1);
      }
   }
}

static void
test_read_write(void **state)
{
   struct ail_image image = compressed_image(FORMAT_R8G8B8A8_UNORM, 100, 60, 1);
   struct ail_layout layout;
   assert_int_equal(ail_layout_init(&layout, &image), AIL_OK);
   uint8_t *memory = calloc(1, layout.size_B), *before = calloc(1, layout.size_B), bytes[8];
   enum ail_mode mode;
   assert_int_equal(ail_metadata_fill(&layout, memory, AIL_MODE_UNCOMPRESSED), AIL_OK);
   for (uint64_t i = 0; i < layout.size_B; i++)
      assert_int_equal(memory[i], i < layout.metadata_offset_B ? 0 : 0x7f);
   memcpy(before, memory, layout.size_B);
   assert_int_equal(ail_metadata_write(&layout, memory, 3, 2, 0, 0, AIL_MODE_SOLID), AIL_OK);
   /* (3, 2) of 8 x 4 tiles: x 011, y 10, woven 0 1 1 0 1 = 13. */
   memset(before + layout.metadata_offset_B + 13 * 8, 0x03, 8);
   assert_memory_equal(memory, before, layout.size_B);
   assert_int_equal(ail_metadata_read(&layout, memory, 3, 2, 0, 0, bytes, &mode), AIL_OK);
   assert_int_equal(mode, AIL_MODE_SOLID);
   assert_memory_equal(bytes, "\3\3\3\3\3\3\3\3", 8);
   assert_int_equal(ail_metadata_read(&layout, memory, 2, 3, 0, 0, NULL, &mode), AIL_OK);
   assert_int_equal(mode, AIL_MODE_UNCOMPRESSED);
   memory[layout.metadata_offset_B + 13 * 8 + 5] = 0x7f;
   assert_int_equal(ail_metadata_read(&layout, memory, 3, 2, 0, 0, bytes, &mode), AIL_OK);
   assert_int_equal(mode, AIL_MODE_OTHER);

   assert_int_equal(ail_metadata_read(&layout, memory, 7, 0, 0, 0, bytes, &mode), AIL_ERROR_NOT_COMPRESSED);
   assert_int_equal(ail_metadata_write(&layout, memory, 0, 4, 0, 0, AIL_MODE_SOLID), AIL_ERROR_NOT_COMPRESSED);
   assert_int_equal(ail_metadata_write(&layout, memory, 0, 0, 1, 0, AIL_MODE_SOLID), AIL_ERROR_NOT_COMPRESSED);
   assert_int_equal(ail_metadata_write(&layout, memory, 0, 0, 0, 0, AIL_MODE_OTHER), AIL_ERROR_MODE);
   assert_int_equal(ail_metadata_fill(&layout, memory, AIL_MODE_OTHER), AIL_ERROR_MODE);
   assert_int_equal(ail_metadata_fill(&layout, NULL, AIL_MODE_SOLID), AIL_ERROR_NULL);
   image.compressed = false;
   assert_int_equal(ail_layout_init(&layout, &image), AIL_OK);
   assert_int_equal(ail_metadata_fill(&layout, memory, AIL_MODE_SOLID), AIL_ERROR_NOT_COMPRESSED);
   assert_int_equal(ail_metadata_offset_B(&layout, 0, 0, 0, 0), AIL_NONE);
   free(before);
   free(memory);
}

int
main(void)
{
   const struct CMUnitTest tests[] = {
      cmocka_unit_test(test_places),
      cmocka_unit_test(test_levels),
      cmocka_unit_test(test_modes),
      cmocka_unit_test(test_read_write),
   };
   return cmocka_run_group_tests(tests, NULL, NULL);
}
