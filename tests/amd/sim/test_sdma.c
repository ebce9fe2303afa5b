/* Packets of transfer rings: what they leave in memory, computed here by plain loops; what is refused; hazards. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <cmocka.h>

#include "amd/hw/descriptors.h"
#include "amd/hw/sdma.h"
#include "stream.h"
#include "util/macros.h"

enum { DATA_B = 4 << 20 };

static const uint64_t data_va = UINT64_C(0x100000000) + DATA_B;

static void
put(struct stream *s, unsigned count, const uint32_t *words)
{
   for (unsigned i = 0; i < count; i++)
      emit(s, words[i]);
}
#define PUT(s, ...) put(s, sizeof((const uint32_t[]){__VA_ARGS__}) / 4, (const uint32_t[]){__VA_ARGS__})
#define VA(offset_B) (uint32_t)(data_va + (offset_B)), (uint32_t)((data_va + (offset_B)) >> 32)

static bool
sdma_run(struct stream *s)
{
   return stream_run_on(s, AMD_SIM_RING_SDMA);
}

static void
must_run(struct stream *s)
{
   if (!sdma_run(s))
      fail_msg("%s", s->fault.message);
}

static uint8_t *
data(struct stream *s, unsigned offset_B)
{
   return (uint8_t *)s->memory + DATA_B + offset_B;
}

static uint32_t
word(struct stream *s, unsigned offset_B)
{
   uint32_t value;
   memcpy(&value, data(s, offset_B), 4);
   return value;
}

static void
linear_packets(void **state)
{
   struct stream s = stream_create(1);
   for (unsigned i = 0; i < 200; i++)
      data(&s, 0)[i] = (uint8_t)(i * 7 + 1);
   PUT(&s, SDMA_COPY_LINEAR, 99, 0, VA(3), VA(1001));
   PUT(&s, SDMA_CONSTANT_FILL | S_SDMA_CONSTANT_FILL_HEADER_FILL_SIZE(2), VA(2000), 0x12345678, 15);
   PUT(&s, SDMA_WRITE, VA(3000), 1, 0xaa, 0xbb);
   PUT(&s, SDMA_NOP | S_SDMA_NOP_HEADER_COUNT_dw(2), 0xffffffff, 0xffffffff);
   PUT(&s, SDMA_FENCE, VA(3100), 77);
   PUT(&s, SDMA_POLL_REGMEM | S_SDMA_POLL_REGMEM_HEADER_FUNCTION(3) | S_SDMA_POLL_REGMEM_HEADER_MEMORY(1), VA(3100),
       77, UINT32_MAX, 10 | 0xfffu << 16);
   PUT(&s, SDMA_TIMESTAMP, VA(3200));
   uint64_t before = amd_sim_timestamp(amd_chip_by_name("navi21")), time;
   must_run(&s);
   assert_memory_equal(data(&s, 1001), data(&s, 3), 100);
   assert_int_equal(data(&s, 1000)[0] | data(&s, 1101)[0], 0);
   for (unsigned i = 0; i < 4; i++)
      assert_int_equal(word(&s, 2000 + 4 * i), 0x12345678);
   assert_int_equal(word(&s, 2016), 0);
   assert_int_equal(word(&s, 3000), 0xaa);
   assert_int_equal(word(&s, 3004), 0xbb);
   assert_int_equal(word(&s, 3100), 77);
   memcpy(&time, data(&s, 3200), 8);
   assert_true(time >= before && time <= amd_sim_timestamp(amd_chip_by_name("navi21")));
   stream_destroy(&s);
}

static void
atomics(void **state)
{
   static const struct {
      uint32_t op, old, operand, compare, result;
   } rows[] = {
      {7, 5, 9, 0, 9},           {8, 5, 9, 5, 9},           {8, 5, 9, 6, 5},
      {15, 0xffffffff, 2, 0, 1}, {16, 1, 2, 0, 0xffffffff}, {17, 0xfffffffe, 1, 0, 0xfffffffe},
      {18, 0xfffffffe, 1, 0, 1}, {19, 0xfffffffe, 1, 0, 1}, {20, 0xfffffffe, 1, 0, 0xfffffffe},
      {21, 12, 10, 0, 8},        {22, 12, 10, 0, 14},       {23, 12, 10, 0, 6},
      {24, 4, 5, 0, 5},          {24, 5, 5, 0, 0},          {25, 0, 5, 0, 5},
      {25, 3, 5, 0, 2},          {0x4f, 3, 4, 0, 7},
   };
   struct stream s = stream_create(1);
   for (unsigned i = 0; i < ARRAY_SIZE(rows); i++) {
      memcpy(data(&s, 0), &rows[i].old, 4);
      PUT(&s, SDMA_ATOMIC | S_SDMA_ATOMIC_HEADER_ATOMIC(rows[i].op), VA(0), rows[i].operand, 0, rows[i].compare, 0,
          0);
      must_run(&s);
      if (word(&s, 0) != rows[i].result)
         fail_msg("row %u: %x", i, word(&s, 0));
   }
   /* 64 bits carry over. */
   memset(data(&s, 0), 0xff, 4);
   memset(data(&s, 4), 0, 4);
   PUT(&s, SDMA_ATOMIC | S_SDMA_ATOMIC_HEADER_ATOMIC(47), VA(0), 1, 0, 0, 0, 0);
   must_run(&s);
   assert_int_equal(word(&s, 0), 0);
   assert_int_equal(word(&s, 4), 1);
   stream_destroy(&s);
}

/* A box of 5x3x2 elements of 4 bytes, from pitch 20, slices of 200 to pitch 8, slices of 40. */
static void
linear_window(void **state)
{
   struct stream s = stream_create(1);
   for (unsigned i = 0; i < 1000; i++)
      memcpy(data(&s, i * 4), &i, 4);
   PUT(&s, SDMA_COPY_LINEAR_WINDOW | S_SDMA_COPY_LINEAR_WINDOW_HEADER_ELEMENT_LOG2_B(2), VA(0), 3 | 2 << 16,
       1 | 19 << 13, 199, VA(8192), 1 | 1 << 16, 1 | 7 << 13, 39, 4 | 2 << 16, 1);
   must_run(&s);
   for (unsigned z = 0; z < 4; z++) {
      for (unsigned y = 0; y < 5; y++) {
         for (unsigned x = 0; x < 8; x++) {
            bool inside = x >= 1 && x < 6 && y >= 1 && y < 4 && z >= 1 && z < 3;
            uint32_t from = z * 200 + (y + 1) * 20 + x + 2;
            assert_int_equal(word(&s, 8192 + (z * 40 + y * 8 + x) * 4), inside ? from : 0);
         }
      }
   }
   stream_destroy(&s);
}

enum { WIDTH = 70, HEIGHT = 50, TILED_B = 65536, OTHER_B = 3 * 65536, BACK_B = 5 * 65536 };

static void
tiled_window(struct stream *s, unsigned tiled_B, unsigned linear_B, unsigned mode, unsigned x, unsigned y, unsigned w,
             unsigned h, bool detile)
{
   /* size: a rectangle and two buffers */
   PUT(s, SDMA_COPY_TILED_WINDOW | S_SDMA_COPY_TILED_WINDOW_HEADER_DETILE(detile), VA(tiled_B), x | y << 16,
       (WIDTH - 1) << 16, HEIGHT - 1,
       S_SDMA_COPY_TILED_WINDOW_TILED_INFO_ELEMENT_LOG2_B(2) | S_SDMA_COPY_TILED_WINDOW_TILED_INFO_SW_MODE(mode) |
          S_SDMA_COPY_TILED_WINDOW_TILED_INFO_DIMENSION(V_SDMA_DIMENSION_2D),
       VA(linear_B), 0, (WIDTH - 1) << 16, WIDTH * HEIGHT - 1, (w - 1) | (h - 1) << 16, 0);
}

/* Into a tiled surface, on to another one, a part of it out again: the texels of the part, whatever the tiling. The
 * surface holds each texel once. */
static void
tiled_windows(void **state)
{
   static const unsigned modes[] = {5 /* 4 KiB, S */, 9 /* 64 KiB, S */, 27 /* 64 KiB, R_X */, 24 /* 64 KiB, Z_X */};
   for (unsigned m = 0; m < ARRAY_SIZE(modes); m++) {
      struct stream s = stream_create(1);
      uint8_t seen[WIDTH * HEIGHT + 1] = {0};
      unsigned moved = 0;
      for (uint32_t i = 0; i < WIDTH * HEIGHT; i++) {
         uint32_t value = i + 1;
         memcpy(data(&s, i * 4), &value, 4);
      }
      tiled_window(&s, TILED_B, 0, modes[m], 0, 0, WIDTH, HEIGHT, false);
      PUT(&s, SDMA_NOP);
      const uint32_t info = 2 | modes[m] << 3 | V_SDMA_DIMENSION_2D << 9;
      PUT(&s, SDMA_COPY_TILED_TO_TILED, VA(TILED_B), 0, (WIDTH - 1) << 16, HEIGHT - 1, info, VA(OTHER_B), 0,
          (WIDTH - 1) << 16, HEIGHT - 1, info, (WIDTH - 1) | (HEIGHT - 1) << 16, 0);
      PUT(&s, SDMA_NOP);
      tiled_window(&s, OTHER_B, BACK_B, modes[m], 9, 7, 33, 21, true);
      must_run(&s);
      for (unsigned i = 0; i < TILED_B / 4; i++) {
         uint32_t value = word(&s, TILED_B + i * 4), at = MIN2(value, WIDTH * HEIGHT);
         assert_true(value == at && (!value || !seen[at]));
         seen[at] = value != 0;
         moved += value && value != i + 1;
      }
      for (unsigned i = 1; i <= WIDTH * HEIGHT; i++)
         assert_true(seen[i]);
      assert_true(moved > WIDTH * HEIGHT / 2);
      for (unsigned y = 0; y < 21; y++)
         for (unsigned x = 0; x < WIDTH; x++)
            assert_int_equal(word(&s, BACK_B + (y * WIDTH + x) * 4), x < 33 ? (y + 7) * WIDTH + x + 9 + 1 : 0);
      stream_destroy(&s);
   }
}

/* ---- metadata: a byte of DCC for 256 bytes; of GFX10.3, 0x40 is black with alpha 1 ---- */

enum { META_B = 7 * 65536, META_SIZE_B = 65536, R_X = 27, BLACK = 0xff000000 };

static const uint32_t rgba8 = S_SDMA_COPY_TILED_WINDOW_META_CONFIG_DATA_FORMAT(V_COLOR_8_8_8_8) |
                              S_SDMA_COPY_TILED_WINDOW_META_CONFIG_ALPHA_IS_ON_MSB(1) |
                              S_SDMA_COPY_TILED_WINDOW_META_CONFIG_PIPE_ALIGNED(1);

/* The window of a compressed surface: the packet before gets three dwords more. */
static void
compressed_window(struct stream *s, unsigned linear_B, unsigned w, unsigned h, bool detile, bool write_compress)
{
   uint32_t *header = (uint32_t *)s->memory + s->count_dw;
   tiled_window(s, TILED_B, linear_B, R_X, detile ? 0 : 9, detile ? 0 : 7, w, h, detile);
   *header |= S_SDMA_COPY_TILED_WINDOW_HEADER_COMPRESSED(1);
   PUT(s, VA(META_B), rgba8 | S_SDMA_COPY_TILED_WINDOW_META_CONFIG_WRITE_COMPRESS(write_compress));
   PUT(s, SDMA_NOP);
}

static uint32_t
in_window(unsigned x, unsigned y)
{
   return x >= 9 && x < 9 + 33 && y >= 7 && y < 7 + 21 ? (y - 7) * WIDTH + x - 9 + 1 : BLACK;
}

/* Reads see what metadata says; writes make their blocks plain, if they may, and leave others alone. */
static void
compressed_windows(void **state)
{
   struct stream s = stream_create(1);
   unsigned untouched = 0;
   for (uint32_t i = 1; i <= WIDTH * HEIGHT; i++)
      memcpy(data(&s, (i - 1) * 4), &i, 4);
   memset(data(&s, TILED_B), 0xab, 65536);
   memset(data(&s, META_B), 0x40, META_SIZE_B);
   compressed_window(&s, 0, 33, 21, false, false);
   compressed_window(&s, BACK_B, WIDTH, HEIGHT, true, false);
   must_run(&s);
   for (unsigned i = 0; i < WIDTH * HEIGHT; i++)
      assert_int_equal(word(&s, BACK_B + i * 4), BLACK);
   memset(data(&s, TILED_B), 0xab, 65536);
   compressed_window(&s, 0, 33, 21, false, true);
   compressed_window(&s, BACK_B, WIDTH, HEIGHT, true, false);
   const uint32_t info = 2 | R_X << 3 | V_SDMA_DIMENSION_2D << 9;
   PUT(&s, SDMA_COPY_TILED_TO_TILED | 1u << 19 | 1u << 31, VA(TILED_B), 0, (WIDTH - 1) << 16, HEIGHT - 1, info,
       VA(OTHER_B), 0, (WIDTH - 1) << 16, HEIGHT - 1, info, (WIDTH - 1) | (HEIGHT - 1) << 16, 0, VA(META_B), rgba8);
   PUT(&s, SDMA_NOP);
   tiled_window(&s, OTHER_B, BACK_B + 65536, R_X, 0, 0, WIDTH, HEIGHT, true);
   must_run(&s);
   for (unsigned i = 0; i < WIDTH * HEIGHT; i++) {
      assert_int_equal(word(&s, BACK_B + i * 4), in_window(i % WIDTH, i / WIDTH));
      assert_int_equal(word(&s, BACK_B + 65536 + i * 4), in_window(i % WIDTH, i / WIDTH));
   }
   for (unsigned i = 0; i < 65536; i += 4)
      untouched += word(&s, TILED_B + i) == 0xabababab;
   assert_in_range(untouched, 65536 / 8, 65536 / 4 - 33 * 21);
   stream_destroy(&s);
}

static void
hazards(void **state)
{
   enum { NOTHING, NOP, FENCE, WAITS };
   for (unsigned wait = 0; wait < WAITS; wait++) {
      struct stream s = stream_create(1);
      PUT(&s, SDMA_COPY_LINEAR, 63, 0, VA(0), VA(4096));
      if (wait == NOP)
         PUT(&s, SDMA_NOP);
      if (wait == FENCE)
         PUT(&s, SDMA_FENCE, VA(16384), 1);
      PUT(&s, SDMA_COPY_LINEAR, 63, 0, VA(4096 + 32), VA(8192));
      assert_int_equal(sdma_run(&s), wait != NOTHING);
      if (wait == NOTHING) {
         assert_int_equal(s.fault.kind, SIM_FAULT_HAZARD);
         assert_non_null(strstr(s.fault.message, "NOP or FENCE of SDMA"));
      }
      stream_destroy(&s);
   }
}

/* How many bytes one packet copies or fills: bits of COUNT. Source: amdgpu_dma_limits_query() of IGT's tests. */
static void
counts(void **state)
{
   static const struct {
      const char *chip;
      unsigned bits;
   } rows[] = {
      {"vega10", 22}, {"raven", 22}, {"navi10", 22}, {"navi21", 30}, {"vangogh", 30}, {"navi31", 30}, {"gfx1150", 30},
   };
   enum { LONG_B = (4 << 20) + 64, COPY_B = 8 << 20, FILL_B = 16 << 20 };
   static const uint32_t fill = SDMA_CONSTANT_FILL | S_SDMA_CONSTANT_FILL_HEADER_FILL_SIZE(2);
   for (unsigned i = 0; i < ARRAY_SIZE(rows); i++) {
      struct stream s = stream_create_on(rows[i].chip, 1);
      const uint32_t most = (uint32_t)((1ull << rows[i].bits) - 1), more = most + 1;
      memset(data(&s, LONG_B - 4), 0xab, 4);
      PUT(&s, SDMA_COPY_LINEAR, LONG_B - 1, 0, VA(0), VA(COPY_B));
      PUT(&s, fill, VA(FILL_B), 0x12345678, LONG_B - 1);
      assert_int_equal(sdma_run(&s), rows[i].bits == 30);
      assert_int_equal(word(&s, COPY_B + LONG_B - 4), rows[i].bits == 30 ? 0xabababab : 0);
      assert_int_equal(word(&s, FILL_B + LONG_B - 4), rows[i].bits == 30 ? 0x12345678 : 0);
      assert_int_equal(word(&s, FILL_B + LONG_B), 0);
      /* All that the field holds is known, and no bit more. */
      for (unsigned j = 0; j < 4; j++) {
         if (j / 2)
            PUT(&s, SDMA_COPY_LINEAR, j % 2 ? more : most, 0, VA(DATA_B), VA(1ull << 40));
         else
            PUT(&s, fill, VA(1ull << 40), 0, j % 2 ? more : most);
         assert_false(sdma_run(&s));
         assert_non_null(strstr(s.fault.message, j % 2 ? "(COUNT)" : "unmapped"));
      }
      stream_destroy(&s);
   }
}

static void
bad_packets_are_named(void **state)
{
   static const struct {
      uint32_t words[17];
      unsigned count;
      const char *says;
   } rows[] = {
      {{0xc0000000}, 1, "dword 0 (HEADER)"},
      {{0x00000c00}, 1, "unknown SDMA header"},
      {{0x0000000e}, 1, "unknown SDMA header"}, /* SRBM_WRITE: not for programs */
      {{SDMA_COPY_LINEAR, 3, 0, 0, 0}, 5, "past the end"},
      {{SDMA_COPY_LINEAR, 3, 1 << 16, 0, 0, 0, 0}, 7, "dword 2 (PARAMETER)"},
      {{SDMA_COPY_LINEAR, 3, 0, 0, 0, 0, 0}, 7, "unmapped"},
      {{SDMA_WRITE, (uint32_t)data_va, data_va >> 32, 3, 0}, 5, "past the end"},
      {{SDMA_CONSTANT_FILL, (uint32_t)data_va, data_va >> 32, 0, 3}, 5, "FILL_SIZE 0"},
      {{SDMA_POLL_REGMEM, (uint32_t)data_va, data_va >> 32, 0, 0, 0xfffu << 16}, 6, "register"},
      {{SDMA_ATOMIC | 99u << 25, (uint32_t)data_va, data_va >> 32, 0, 0, 0, 0, 0}, 8, "operation 99"},
      {{SDMA_COPY_TILED_WINDOW | 1 << 19, 0, 0, 0, 0, 0, 2 | 27 << 3 | 1 << 9, 0, 0, 0, 0, 0, 0, 0},
       14,
       "past the end"},
      {{SDMA_COPY_TILED_WINDOW | 1 << 19, 0, 0, 0, 0, 0, 2 | 27 << 3 | 1 << 9, 0, 0, 0, 0, 0, 0, 0, 0, 0,
        1 << 12 | 10},
       17,
       "SURFACE_TYPE 1"},
      {{SDMA_COPY_TILED_WINDOW | 1 << 19, 0, 0, 0, 0, 0, 2 | 27 << 3 | 1 << 9, 0, 0, 0, 0, 0, 0, 0, 0, 0, 12},
       17,
       "DATA_FORMAT 12"},
      {{SDMA_COPY_TILED_WINDOW, 0, 0, 0, 0, 0, 2 | 9 << 3, 0, 0, 0, 0, 0, 0, 0}, 14, "DIMENSION 0"},
   };
   struct stream s = stream_create(1);
   for (unsigned i = 0; i < ARRAY_SIZE(rows); i++) {
      put(&s, rows[i].count, rows[i].words);
      assert_false(sdma_run(&s));
      if (!strstr(s.fault.message, rows[i].says))
         fail_msg("row %u: '%s' does not say '%s'", i, s.fault.message, rows[i].says);
   }
   stream_destroy(&s);
}

int
main(void)
{
   const struct CMUnitTest tests[] = {
      cmocka_unit_test(linear_packets), cmocka_unit_test(atomics),
      cmocka_unit_test(linear_window),  cmocka_unit_test(tiled_windows),
      cmocka_unit_test(hazards),        cmocka_unit_test(bad_packets_are_named),
      cmocka_unit_test(counts),         cmocka_unit_test(compressed_windows),
   };
   return cmocka_run_group_tests(tests, NULL, NULL);
}
