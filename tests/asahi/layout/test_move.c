/* Tiling and detiling against element by element copies: random images, boxes, strides and alignments, with cached
 * and with streaming stores. Whole buffers are compared, so nothing outside a box changes; buffers end where their
 * last byte is, so that ASan sees a step outside. */
#include "reference.h"

#include "asahi/layout/ail_internal.h"

struct buffer {
   uint8_t *memory, *data; /* data is not aligned */
   size_t size_B;
};

/* size_B bytes after `misalign` others, in an allocation that ends with the last byte. */
static struct buffer
new_buffer(struct random *random, size_t size_B, size_t misalign)
{
   struct buffer b = {.size_B = size_B};
   void *memory = NULL;
   assert_int_equal(posix_memalign(&memory, 64, size_B + misalign), 0);
   b.memory = memory;
   b.data = b.memory + misalign;
   for (size_t i = 0; i < size_B; i++)
      b.data[i] = (uint8_t)random_below(random, 256);
   return b;
}

static uint32_t
misalignment(struct random *random)
{
   static const uint32_t choices[] = {0, 0, 1, 16, 24, 63};
   return choices[random_below(random, ARRAY_SIZE(choices))];
}

struct linear {
   struct buffer buffer;
   ptrdiff_t row_stride_B, layer_stride_B;
   uint8_t *first; /* element (0, 0, 0) of the box */
};

/* Rows of the box with random gaps, upwards or downwards. */
static struct linear
new_linear(struct random *random, const struct ail_layout *layout, const struct ail_box *box)
{
   struct linear linear = {0};
   size_t row_B = (size_t)box->width_el * layout->element_B;
   size_t stride_B = random_below(random, 2) ? align_up(row_B, 64) : row_B + random_below(random, 70);
   size_t layer_B = stride_B * box->height_el + random_below(random, 40);
   size_t size_B =
      box->height_el && box->layers ? layer_B * (box->layers - 1) + stride_B * (box->height_el - 1) + row_B : 0;
   linear.buffer = new_buffer(random, size_B, misalignment(random));
   linear.row_stride_B = (ptrdiff_t)stride_B;
   linear.layer_stride_B = (ptrdiff_t)layer_B;
   linear.first = linear.buffer.data;
   if (random_below(random, 4) == 0 && size_B) {
      linear.first += stride_B * (box->height_el - 1);
      linear.row_stride_B = -linear.row_stride_B;
   }
   return linear;
}

static uint8_t *
linear_element(const struct linear *linear, const struct ail_layout *layout, uint32_t x, uint32_t y, uint32_t layer)
{
   return linear->first + layer * linear->layer_stride_B + y * linear->row_stride_B + (size_t)x * layout->element_B;
}

/* Copies the box sample by sample. */
static void
slow_copy(const struct ref_layout *ref, const struct ail_layout *layout, uint8_t *image, const struct ail_box *box,
          const struct linear *linear, uint8_t *linear_first, bool tile)
{
   /* size: two pieces of memory and how they are laid out */
   for (uint32_t z = 0; z < box->layers; z++) {
      for (uint32_t y = 0; y < box->height_el; y++) {
         for (uint32_t x = 0; x < box->width_el; x++) {
            uint8_t *to = linear_first + (linear_element(linear, layout, x, y, z) - linear->first);
            for (uint32_t s = 0; s < ref->image.samples; s++, to += ref->sample_B) {
               uint8_t *at = image + ref_offset_B(ref, box->x_el + x, box->y_el + y, box->layer + z, box->level, s);
               memcpy(tile ? at : to, tile ? to : at, ref->sample_B);
            }
         }
      }
   }
}

static void
check_box(struct random *random, const struct ail_layout *layout, const struct ref_layout *ref,
          const struct buffer *image)
{
   struct ail_box box = random_box(random, layout);
   size_t stream_min_B = random_below(random, 2) ? 0 : SIZE_MAX;

   uint8_t *expected = malloc(image->size_B);
   struct linear linear = new_linear(random, layout, &box);
   memcpy(expected, image->data, image->size_B);
   slow_copy(ref, layout, expected, &box, &linear, linear.first, true);
   uint8_t *linear_before = malloc(linear.buffer.size_B + 1);
   memcpy(linear_before, linear.buffer.data, linear.buffer.size_B);
   assert_int_equal(ail_move(layout, (char *)image->data, &box, (char *)linear.first, linear.row_stride_B,
                             linear.layer_stride_B, true, stream_min_B),
                    AIL_OK);
   assert_memory_equal(image->data, expected, image->size_B);
   assert_memory_equal(linear.buffer.data, linear_before, linear.buffer.size_B);

   /* Back into a buffer with other bytes: the box as it was, the gaps as they are. */
   struct buffer back = new_buffer(random, linear.buffer.size_B, misalignment(random));
   uint8_t *back_first = back.data + (linear.first - linear.buffer.data);
   memcpy(linear_before, back.data, back.size_B);
   slow_copy(ref, layout, expected, &box, &linear, linear_before + (linear.first - linear.buffer.data), false);
   assert_int_equal(ail_move(layout, (char *)image->data, &box, (char *)back_first, linear.row_stride_B,
                             linear.layer_stride_B, false, stream_min_B),
                    AIL_OK);
   assert_memory_equal(back.data, linear_before, back.size_B);
   assert_memory_equal(image->data, expected, image->size_B);
   for (uint32_t z = 0; z < box.layers; z++) {
      for (uint32_t y = 0; y < box.height_el; y++)
         assert_memory_equal(linear_element(&linear, layout, 0, y, z),
                             back_first + (linear_element(&linear, layout, 0, y, z) - linear.first),
                             (size_t)box.width_el * layout->element_B);
   }
   free(back.memory);
   free(linear.buffer.memory);
   free(linear_before);
   free(expected);
}

static void
check_images(uint64_t seed, unsigned count, uint32_t limit_px, uint64_t limit_B)
{
   struct random random = {seed};
   for (unsigned done = 0; done < count;) {
      struct ail_image image = random_image(&random, limit_px);
      struct ail_layout layout;
      assert_int_equal(ail_layout_init(&layout, &image), AIL_OK);
      if (layout.size_B > limit_B)
         continue;
      struct ref_layout ref = ref_layout(&image);
      struct buffer memory = new_buffer(&random, layout.size_B, misalignment(&random));
      for (unsigned i = 0; i < 4; i++)
         check_box(&random, &layout, &ref, &memory);
      free(memory.memory);
      done++;
   }
}

static void
test_small_boxes(void **state)
{
   check_images(20260303, 1500, 90, 60000);
}

static void
test_large_boxes(void **state)
{
   check_images(20260404, 60, 600, 2000000);
}

/* Whole public calls on an image large enough to stream, each element size, aligned and not. */
static void
test_streaming(void **state)
{
   static const uint32_t formats[] = {FORMAT_R8_UNORM,    FORMAT_R8G8_UNORM,        FORMAT_R32_UINT,
                                      FORMAT_R32G32_UINT, FORMAT_R32G32B32A32_UINT, FORMAT_R64G64B64A64_SFLOAT};
   struct random random = {20260505};
   for (unsigned f = 0; f < ARRAY_SIZE(formats); f++) {
      uint32_t height = (5u << 20) / (600u * format_info(formats[f])->block_size_B);
      struct ail_image image = {.format = formats[f],
                                .dimension = AIL_2D,
                                .tiling = AIL_TILING_GPU,
                                .width_px = 600,
                                .height_px = MIN2(height, 16384u),
                                .depth_px = 1,
                                .layers = 1,
                                .levels = 1,
                                .samples = 1};
      struct ail_layout layout;
      assert_int_equal(ail_layout_init(&layout, &image), AIL_OK);
      struct ref_layout ref = ref_layout(&image);
      struct ail_box box = {.x_el = f % 2 * 3, .y_el = f % 3, .layers = 1};
      box.width_el = 600 - box.x_el;
      box.height_el = image.height_px - box.y_el;
      ptrdiff_t stride_B = (ptrdiff_t)box.width_el * layout.element_B;
      size_t size_B = (size_t)stride_B * box.height_el;
      struct buffer tiled = new_buffer(&random, layout.size_B, 0), linear = new_buffer(&random, size_B, 5);
      uint8_t *back = calloc(1, size_B);
      assert_int_equal(ail_tile(&layout, tiled.data, &box, linear.data, stride_B, 0), AIL_OK);
      for (unsigned i = 0; i < 20000; i++) {
         uint32_t x = random_below(&random, box.width_el), y = random_below(&random, box.height_el);
         assert_memory_equal(tiled.data + ref_offset_B(&ref, box.x_el + x, box.y_el + y, 0, 0, 0),
                             linear.data + y * stride_B + (ptrdiff_t)x * layout.element_B, layout.element_B);
      }
      assert_int_equal(ail_detile(&layout, tiled.data, &box, back, stride_B, 0), AIL_OK);
      assert_memory_equal(back, linear.data, size_B);
      free(back);
      free(tiled.memory);
      free(linear.memory);
   }
}

static void
test_bad_boxes(void **state)
{
   struct ail_image image = {.format = FORMAT_R8_UNORM,
                             .dimension = AIL_2D,
                             .width_px = 20,
                             .height_px = 10,
                             .depth_px = 1,
                             .layers = 2,
                             .levels = 2,
                             .samples = 1};
   struct ail_layout layout;
   assert_int_equal(ail_layout_init(&layout, &image), AIL_OK);
   uint8_t *memory = calloc(1, layout.size_B), byte = 0;
   static const struct ail_box bad[] = {
      {.width_el = 21, .height_el = 1, .layers = 1},
      {.x_el = 20, .width_el = 1, .height_el = 1, .layers = 1},
      {.width_el = 1, .height_el = 11, .layers = 1},
      {.y_el = 11, .width_el = 1, .layers = 1},
      {.width_el = 1, .height_el = 1, .layers = 3},
      {.layer = 2, .width_el = 1, .height_el = 1, .layers = 1},
      {.level = 1, .width_el = 11, .height_el = 1, .layers = 1},
      {.level = 9, .width_el = 1, .height_el = 1, .layers = 1},
      {.x_el = 0xffffffff, .width_el = 2, .height_el = 1, .layers = 1},
      {.x_el = 2, .width_el = 0xffffffff, .height_el = 1, .layers = 1},
   };
   for (unsigned i = 0; i < ARRAY_SIZE(bad); i++) {
      assert_int_equal(ail_tile(&layout, memory, &bad[i], &byte, 0, 0), AIL_ERROR_BOX);
      assert_int_equal(ail_detile(&layout, memory, &bad[i], &byte, 0, 0), AIL_ERROR_BOX);
   }
   const struct ail_box empty = {.x_el = 20, .y_el = 10, .layer = 2};
   assert_int_equal(ail_tile(&layout, memory, &empty, &byte, 0, 0), AIL_OK);
   assert_int_equal(ail_tile(NULL, memory, &empty, &byte, 0, 0), AIL_ERROR_NULL);
   assert_int_equal(ail_tile(&layout, NULL, &empty, &byte, 0, 0), AIL_ERROR_NULL);
   assert_int_equal(ail_tile(&layout, memory, NULL, &byte, 0, 0), AIL_ERROR_NULL);
   assert_int_equal(ail_detile(&layout, memory, &empty, NULL, 0, 0), AIL_ERROR_NULL);
   free(memory);
}

int
main(void)
{
   const struct CMUnitTest tests[] = {
      cmocka_unit_test(test_small_boxes),
      cmocka_unit_test(test_large_boxes),
      cmocka_unit_test(test_streaming),
      cmocka_unit_test(test_bad_boxes),
   };
   return cmocka_run_group_tests(tests, NULL, NULL);
}
