/* Where the model finds samples and metadata of an image, against ail, which is written on its own: seeded random
 * images of every kind, and the sizes of all rows that were measured on hardware. Then compression and page tables on
 * memory. */
#include <stdio.h>

#include "image.h"
#include "asahi/sim/surface/surface.h"

static const char *const *vectors; /* files of measured rows */
static int vector_count;

/* False: the model does not have the format. */
static bool
make_surface(struct agx_surface *surface, const struct ail_layout *layout)
{
   uint32_t words[6];
   image_texture(layout, words);
   struct sim_fault fault = {0};
   bool made = agx_surface_of_texture(surface, words, &fault);
   if (!made)
      assert_non_null(strstr(fault.message, "the model does not have channels"));
   return made;
}

static void
compare_sizes(const struct agx_surface *s, const struct ail_layout *layout)
{
   assert_int_equal(s->levels, layout->allocated_levels);
   assert_int_equal(s->layers, layout->layer_count);
   if (s->layers > 1)
      assert_int_equal(s->layer_stride_B, layout->layer_stride_B);
   for (uint32_t l = 0; l < s->levels; l++)
      assert_int_equal(s->level[l].offset_B, layout->levels[l].offset_B);
   if (s->layout != AGX_LAYOUT_LINEAR)
      assert_int_equal(s->size_B, layout->metadata_offset_B);
   if (s->compressed)
      assert_int_equal(s->metadata_layer_stride_B, layout->metadata_layer_stride_B);
}

static void
compare_element(const struct agx_surface *s, const struct ail_layout *layout, uint32_t x, uint32_t y, uint32_t layer,
                uint32_t level, uint32_t sample)
{
   /* size: an element by its coordinates */
   uint64_t theirs = ail_element_offset_B(layout, x, y, layer, level, sample);
   assert_int_equal(agx_surface_offset_B(s, x, y, layer, level, sample), theirs);
   if (!s->compressed)
      return;
   unsigned part;
   uint32_t tile_w, tile_h;
   ail_compression_tile_px(layout, &tile_w, &tile_h);
   uint64_t metadata = ail_metadata_offset_B(layout, x / tile_w, y / tile_h, layer, level);
   uint64_t ours = agx_surface_metadata_offset_B(s, &(struct agx_surface_place){x, y, layer, level, sample}, &part);
   assert_int_equal(ours == UINT64_MAX ? AIL_NONE : ours + layout->metadata_offset_B, metadata);
   assert_int_equal(s->level[level].compressed, layout->levels[level].compressed);
}

static void
compare_some(struct random *random, const struct agx_surface *s, const struct ail_layout *layout, unsigned points)
{
   for (uint32_t l = 0; l < s->levels; l++) {
      uint32_t w = s->level[l].width_el, h = s->level[l].height_el;
      assert_int_equal(w, layout->levels[l].width_el);
      assert_int_equal(h, layout->levels[l].height_el);
      for (unsigned n = 0; n < points; n++) {
         uint32_t x = n & 1 ? w - 1 : random_below(random, w), y = n & 2 ? h - 1 : random_below(random, h);
         compare_element(s, layout, x, y, random_below(random, s->layers), l,
                         random_below(random, 1u << s->samples_log2));
      }
   }
}

static void
compare_all(const struct agx_surface *s, const struct ail_layout *layout)
{
   for (uint32_t l = 0; l < s->levels; l++) {
      uint32_t samples = 1u << s->samples_log2, w = s->level[l].width_el;
      for (uint32_t layer = 0; layer < s->layers; layer += MAX2(s->layers - 1, 1u)) {
         for (uint32_t i = 0; i < w * s->level[l].height_el * samples; i++)
            compare_element(s, layout, i / samples % w, i / samples / w, layer, l, i % samples);
      }
   }
}

static void
test_random_images(void **state)
{
   struct random random = {20261122};
   unsigned compared = 0, compressed = 0, multisampled = 0;
   for (unsigned i = 0; i < 6000; i++) {
      struct ail_image image = random_image(&random, i % 2 ? 1u << (3 + i / 2 % 6) : 16384);
      struct ail_layout layout;
      struct agx_surface surface;
      assert_int_equal(ail_layout_init(&layout, &image), AIL_OK);
      if (ail_format_channels(image.format) < 0 || layout.stride_B >= 1u << 21 || !make_surface(&surface, &layout))
         continue;
      compare_sizes(&surface, &layout);
      compare_some(&random, &surface, &layout, 12);
      if (layout.size_B < 100000)
         compare_all(&surface, &layout);
      compared++;
      compressed += image.compressed;
      multisampled += image.samples > 1;
   }
   assert_true(compared > 3000 && compressed > 80 && multisampled > 100);
}

/* One row of the measured files: as much of it as it has. */
struct row {
   char format[64];
   struct ail_image image;
   uint64_t metadata_B, size_B;
   bool has_metadata, has_size;
   uint64_t offsets[16];
   unsigned offset_count;
};

static bool
read_row(const char *line, struct row *row)
{
   char text[512], *fields[10] = {text}, *end;
   unsigned count = 1;
   memset(row, 0, sizeof(*row));
   snprintf(text, sizeof(text), "%s", line);
   for (char *c = text; *c && *c != '\n' && count < 10; c++) {
      if (*c == ',') {
         *c = 0;
         fields[count++] = c + 1;
      }
   }
   if (count < 10)
      return false;
   row->image = (struct ail_image){
      .format = ail_format_by_name(fields[0]),
      .dimension = AIL_2D,
      .tiling = AIL_TILING_GPU,
      .width_px = (uint32_t)strtoul(fields[1], NULL, 10),
      .height_px = (uint32_t)strtoul(fields[2], NULL, 10),
      .depth_px = 1,
      .layers = (uint32_t)strtoul(fields[3], NULL, 10),
      .levels = (uint32_t)strtoul(fields[4], NULL, 10),
      .samples = (uint32_t)strtoul(fields[5], NULL, 10),
      .compressed = fields[6][0] == '1',
   };
   row->has_metadata = fields[7][0] != 0;
   row->metadata_B = strtoull(fields[7], NULL, 10);
   row->has_size = fields[8][0] != 0;
   row->size_B = strtoull(fields[8], NULL, 10);
   for (char *c = fields[9]; row->offset_count < 16 && *c >= '0' && *c <= '9'; c = *end == ' ' ? end + 1 : end)
      row->offsets[row->offset_count++] = strtoull(c, &end, 10);
   return row->image.format && row->image.width_px;
}

/* Whether layers begin on pages is the only thing that the model takes from a descriptor, and so from ail here. */
static bool
compare_row(const struct row *row)
{
   struct ail_layout layout;
   struct agx_surface s;
   assert_int_equal(ail_layout_init(&layout, &row->image), AIL_OK);
   if (!make_surface(&s, &layout))
      return false;
   uint64_t size_B = align_up(s.size_B + s.metadata_layer_stride_B * s.layers, 128);
   if (row->has_size)
      assert_int_equal(size_B, row->size_B);
   if (row->has_metadata && row->image.compressed)
      assert_int_equal(s.size_B, row->metadata_B);
   for (unsigned i = 0; i < row->offset_count && i < s.levels; i++)
      assert_int_equal(s.level[i].offset_B, row->offsets[i]);
   return true;
}

static void
test_measured_rows(void **state)
{
   unsigned compared = 0, skipped = 0;
   for (int i = 0; i < vector_count; i++) {
      FILE *file = fopen(vectors[i], "r");
      assert_non_null(file);
      char line[512];
      struct row row;
      while (fgets(line, sizeof(line), file)) {
         if (read_row(line, &row))
            *(compare_row(&row) ? &compared : &skipped) += 1;
      }
      fclose(file);
   }
   assert_true(compared >= 2800);
   assert_int_equal(skipped, 0);
}

static struct ail_layout
compressed_image(uint32_t width, uint32_t height, uint32_t samples)
{
   struct ail_layout layout;
   struct ail_image image = {.format = FORMAT_R8G8B8A8_UNORM,
                             .dimension = AIL_2D,
                             .tiling = AIL_TILING_GPU,
                             .width_px = width,
                             .height_px = height,
                             .depth_px = 1,
                             .layers = 1,
                             .levels = 1,
                             .samples = samples,
                             .compressed = true};
   assert_int_equal(ail_layout_init(&layout, &image), AIL_OK);
   return layout;
}

static uint32_t
read_word(const struct agx_surface *s, const struct sim_vm *vm, uint32_t x, uint32_t y, uint32_t sample)
{
   struct sim_fault fault = {0};
   uint32_t word;
   assert_int_equal(agx_surface_read_bytes(s, vm, &(struct agx_surface_place){.x_px = x, .y_px = y, .sample = sample},
                                           &word, &fault),
                    AGX_SURFACE_DONE);
   return word;
}

/* A picture that has tiles of one colour and others, at every number of samples: what was written is read, ail calls
 * the tiles what they are, and who forgets the compression sees another picture. */
static void
test_compression(void **state)
{
   for (uint32_t samples = 1; samples <= 4; samples *= 2) {
      struct ail_layout layout = compressed_image(70, 45, samples);
      struct image_memory memory;
      struct agx_surface s, plain;
      struct sim_fault fault = {0};
      image_map(&memory, layout.size_B);
      assert_true(make_surface(&s, &layout));
      assert_true(agx_surface_map(&s, memory.vm, SIM_READ | SIM_WRITE, &fault));
      plain = s;
      plain.compressed = false;
      uint32_t picture[64 * 80 * 4];
      for (unsigned i = 0; i < 48 * 80 * samples; i++)
         picture[i] = i / samples % 80 < 40 ? 0xff112233 : i * 0x9e3779b1u;
      assert_int_equal(
         agx_surface_write_rect(&s, memory.vm, &(struct agx_surface_rect){0, 0, 80, 48, .data = picture}, &fault),
         AGX_SURFACE_DONE);
      unsigned different = 0;
      for (unsigned i = 0; i < 45 * 70 * samples; i++) {
         uint32_t x = i / samples % 70, y = i / samples / 70, sample = i % samples;
         uint32_t want = picture[(y * 80 + x) * samples + sample];
         assert_int_equal(read_word(&s, memory.vm, x, y, sample), want);
         different += read_word(&plain, memory.vm, x, y, sample) != want;
      }
      assert_true(different > 500 * samples);
      uint8_t bytes[8];
      enum ail_mode mode;
      ail_metadata_read(&layout, memory.host, 0, 0, 0, 0, bytes, &mode);
      assert_int_equal(mode, AIL_MODE_SOLID);
      ail_metadata_read(&layout, memory.host, samples == 4 ? 7 : 3, 0, 0, 0, bytes, &mode);
      assert_int_equal(mode, AIL_MODE_UNCOMPRESSED);
      image_unmap(&memory);
   }
}

/* One pixel, and a rectangle that covers parts of tiles: the rest of a tile of one colour stays what it was. */
static void
test_parts_of_tiles(void **state)
{
   struct ail_layout layout = compressed_image(64, 64, 1);
   struct image_memory memory;
   struct agx_surface s;
   struct sim_fault fault = {0};
   image_map(&memory, layout.size_B);
   assert_true(make_surface(&s, &layout));
   assert_true(agx_surface_map(&s, memory.vm, SIM_READ | SIM_WRITE, &fault));
   uint32_t blue[64 * 64], red[20 * 10], green = 0xff00ff00;
   for (unsigned i = 0; i < ARRAY_SIZE(blue); i++)
      blue[i] = 0xffff0000;
   for (unsigned i = 0; i < ARRAY_SIZE(red); i++)
      red[i] = 0xff0000ff;
   agx_surface_write_rect(&s, memory.vm, &(struct agx_surface_rect){0, 0, 64, 64, .data = blue}, &fault);
   agx_surface_write(&s, memory.vm, &(struct agx_surface_place){.x_px = 37, .y_px = 50}, &green, &fault);
   agx_surface_write_rect(&s, memory.vm, &(struct agx_surface_rect){10, 12, 20, 10, .data = red}, &fault);
   assert_int_equal(fault.kind, SIM_FAULT_NONE);
   for (uint32_t y = 0; y < 64; y++) {
      for (uint32_t x = 0; x < 64; x++) {
         bool is_red = x >= 10 && x < 30 && y >= 12 && y < 22;
         uint32_t want = x == 37 && y == 50 ? green : is_red ? red[0] : blue[0];
         assert_int_equal(read_word(&s, memory.vm, x, y, 0), want);
      }
   }
   image_unmap(&memory);
}

/* ail binds every second page of the image in its table; what is written comes back from there, and is 0 elsewhere.
 */
static void
test_sparse(void **state)
{
   struct ail_layout layout;
   struct ail_image image = {.format = FORMAT_R8G8B8A8_UNORM,
                             .dimension = AIL_2D,
                             .tiling = AIL_TILING_TWIDDLED,
                             .width_px = 512,
                             .height_px = 256,
                             .depth_px = 1,
                             .layers = 2,
                             .levels = 10,
                             .samples = 1,
                             .sparse = true};
   assert_int_equal(ail_layout_init(&layout, &image), AIL_OK);
   uint64_t table_B = align_up(layout.sparse_table_size_B, 16384), pages = layout.layer_stride_B / 16384 * 2;
   struct image_memory memory;
   image_map(&memory, table_B + pages * 16384);
   for (uint64_t page = 0; page < pages; page += 2) {
      uint64_t index = ail_sparse_word_index(&layout, (uint32_t)(page / (pages / 2)), page % (pages / 2));
      assert_int_equal(ail_sparse_pack(IMAGE_VA + table_B + page * 16384, (uint32_t *)memory.host + index), AIL_OK);
   }
   uint32_t words[6];
   struct sim_fault fault = {0};
   struct agx_texture t;
   struct agx_surface s;
   image_texture(&layout, words);
   agx_texture_unpack(&t, words);
   t.mode = AGX_IMAGE_MODE_SPARSE;
   agx_texture_pack(words, &t);
   assert_true(agx_surface_of_texture(&s, words, &fault) &&
               agx_surface_map(&s, memory.vm, SIM_READ | SIM_WRITE, &fault));
   unsigned absent = 0;
   for (uint32_t i = 0; i < 512 * 256 * 2; i++) {
      uint32_t x = i % 512, y = i / 512 % 256, layer = i / 512 / 256, value = i * 7 + 1, back;
      uint64_t offset_B = ail_element_offset_B(&layout, x, y, layer, 0, 0), va;
      bool there =
         ail_sparse_walk(&layout, memory.host, layer, offset_B - layer * layout.layer_stride_B, &va) == AIL_OK;
      enum agx_surface_access wrote = agx_surface_write(
         &s, memory.vm, &(struct agx_surface_place){.x_px = x, .y_px = y, .layer = layer}, &value, &fault);
      assert_int_equal(wrote, there ? AGX_SURFACE_DONE : AGX_SURFACE_ABSENT);
      assert_int_equal(agx_surface_read_bytes(&s, memory.vm,
                                              &(struct agx_surface_place){.x_px = x, .y_px = y, .layer = layer},
                                              &back, &fault),
                       wrote);
      assert_int_equal(back, there ? value : 0);
      if (there)
         assert_int_equal(*(uint32_t *)((uint8_t *)memory.host + (va - IMAGE_VA)), value);
      absent += !there;
   }
   assert_int_equal(absent, 512 * 256);
   image_unmap(&memory);
}

/* Descriptors that nobody may write. */
static void
test_bad_descriptors(void **state)
{
   struct ail_layout layout = compressed_image(64, 64, 1);
   static const struct {
      const char *says;
      unsigned word, low, bits, value;
   } rows[] = {
      {"interchange", 0, 4, 2, 3},          {"dimension 9", 0, 0, 4, 9}, {"image mode 1", 3, 8, 2, 1},
      {"channels 0x50", 0, 6, 7, 0x50},     {"type 5", 0, 13, 3, 5},     {"swizzle 6", 0, 16, 3, 6},
      {"image levels 3 to 0", 1, 24, 4, 3}, {"extended", 3, 31, 1, 0},
   };
   for (unsigned i = 0; i < ARRAY_SIZE(rows); i++) {
      uint32_t words[6];
      struct agx_surface s;
      struct sim_fault fault = {0};
      image_texture(&layout, words);
      uint32_t mask = ((1u << rows[i].bits) - 1) << rows[i].low;
      words[rows[i].word] = (words[rows[i].word] & ~mask) | rows[i].value << rows[i].low;
      assert_false(agx_surface_of_texture(&s, words, &fault));
      assert_non_null(strstr(fault.message, rows[i].says));
   }
}

/* Without the bit of a chain there is one level, whatever the descriptor says (docs/quirks.md). */
static void
test_no_chain(void **state)
{
   struct ail_layout layout = compressed_image(64, 64, 1);
   uint32_t words[6];
   struct agx_surface s;
   struct agx_texture t;
   struct sim_fault fault = {0};
   image_texture(&layout, words);
   agx_texture_unpack(&t, words);
   t.last_level = 1;
   agx_texture_pack(words, &t);
   assert_true(agx_surface_of_texture(&s, words, &fault));
   assert_int_equal(s.last_level, 0);
}

/* A slice of a 3D image seen as 2D: the levels that its depth has given it are there, where ail has them. */
static void
test_deep_chain(void **state)
{
   struct ail_image image = {.format = FORMAT_R8G8_UINT,
                             .dimension = AIL_3D,
                             .tiling = AIL_TILING_GPU,
                             .width_px = 8,
                             .height_px = 16,
                             .depth_px = 32,
                             .layers = 1,
                             .levels = 6,
                             .samples = 1,
                             .writeable = true};
   struct ail_layout layout;
   uint32_t words[6];
   struct agx_surface s;
   struct agx_texture t;
   struct sim_fault fault = {0};
   assert_int_equal(ail_layout_init(&layout, &image), AIL_OK);
   image_texture(&layout, words);
   agx_texture_unpack(&t, words);
   t.dimension = AGX_TEXTURE_DIMENSION_2D_ARRAY;
   t.layers = 1;
   t.first_level = t.last_level = 5;
   agx_texture_pack(words, &t);
   assert_true(agx_surface_of_texture(&s, words, &fault));
   assert_int_equal(agx_surface_offset_B(&s, 0, 0, 0, 5, 0), ail_element_offset_B(&layout, 0, 0, 0, 5, 0));
}

int
main(int argc, char **argv)
{
   vectors = (const char *const *)argv + 1;
   vector_count = argc - 1;
   const struct CMUnitTest tests[] = {
      cmocka_unit_test(test_random_images), cmocka_unit_test(test_measured_rows),
      cmocka_unit_test(test_compression),   cmocka_unit_test(test_parts_of_tiles),
      cmocka_unit_test(test_sparse),        cmocka_unit_test(test_bad_descriptors),
      cmocka_unit_test(test_no_chain),      cmocka_unit_test(test_deep_chain),
   };
   return cmocka_run_group_tests(tests, NULL, NULL);
}
