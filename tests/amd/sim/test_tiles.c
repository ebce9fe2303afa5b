/* Tiles of 8 x 8 pixels against the same pixels as quads, bit for bit, with all the memory around them: places, depth
 * tests, colours, of random states, sizes and covers. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <string.h>
#include <cmocka.h>

#include "amd/sim/rb/tile_wide.h"
#include "sim/texel/numeric.h"
#include "sim/texel/texel4.h"

#include "tile_scene.h"

static void
places_are_those_of_pixels(void **state)
{
   unsigned tiled = 0, with_quads = 0;
   static struct amd_surface s;
   for (unsigned n = 0; n < 4000; n++) {
      struct amd_surface_desc desc;
      struct amd_surface_tile tile;
      struct amd_surface_quads quads;
      if (!random_surface(&s, &desc, random_chip(), random_below(5), random_below(4)) || !amd_surface_has_tiles(&s))
         continue;
      const uint32_t x = random_below(9) * 8, y = random_below(9) * 8, slice = random_below(desc.slices);
      const uint64_t inside = amd_surface_tile_inside(&s, x, y);
      amd_surface_find_tile(&s, x, y, slice, UINT64_MAX, &tile);
      uint64_t low_B = UINT64_MAX, high_B = 0;
      for (unsigned i = 0; i < AMD_TILE_PIXELS; i++) {
         assert_int_equal(inside >> i & 1, x + i % 8 < s.width_el && y + i / 8 < s.height_el);
         for (unsigned k = 0; k < 1u << desc.samples_log2; k++) {
            uint64_t at_B = amd_surface_offset(&s, x + i % 8, y + i / 8, slice, k);
            assert_int_equal(tile.base_B + (tile.at_B[i] ^ s.s[k]), at_B);
            assert_true(at_B + s.element_B <= tile.end_B);
            low_B = k ? low_B : MIN2(low_B, at_B);
            high_B = k ? high_B : MAX2(high_B, at_B + s.element_B);
         }
      }
      const uint32_t row_B = amd_surface_tile_row_B(&s);
      if (row_B)
         assert_true(high_B - low_B == row_B && amd_surface_tile_start_B(&s, x, y, slice, 0) == low_B);
      tiled += row_B != 0;
      const unsigned k = random_below(1u << desc.samples_log2);
      if (!amd_surface_find_quads(&s, x, y, slice, k, &quads))
         continue;
      for (unsigned q = 0; q < 16; q++)
         for (unsigned i = 0; i < 4; i++)
            assert_int_equal(quads.start_B + quads.at_B[q] + i / 2 * quads.below_B + i % 2 * s.element_B,
                             amd_surface_offset(&s, x + q % 4 * 2 + i % 2, y + q / 4 * 2 + i / 2, slice, k));
      with_quads++;
   }
   assert_true(tiled > 50 && with_quads > 50);
}

/* The rows of a tile have the bytes of all its samples, and no others. */
static void
rows_have_all_samples(void **state)
{
   unsigned one = 0, several = 0;
   static struct amd_surface s;
   for (unsigned n = 0; n < 4000; n++) {
      struct amd_surface_desc desc;
      uint64_t start_B[16];
      if (!random_surface(&s, &desc, random_chip(), random_below(5), random_below(4)) || !amd_surface_has_tiles(&s))
         continue;
      const uint32_t x = random_below(9) * 8, y = random_below(9) * 8, slice = random_below(desc.slices);
      if (!amd_surface_find_rows(&s, x, y, slice, UINT64_MAX, start_B))
         continue;
      assert_int_equal(s.tile_rows * s.tile_rows_B, AMD_TILE_PIXELS * s.element_B << desc.samples_log2);
      for (unsigned i = 0; i < s.tile_rows; i++)
         for (unsigned k = 0; k < i; k++)
            assert_int_not_equal(start_B[i], start_B[k]);
      for (unsigned i = 0; i < (unsigned)AMD_TILE_PIXELS << desc.samples_log2; i++) {
         const unsigned pixel = i % AMD_TILE_PIXELS;
         const uint64_t at_B = amd_surface_offset(&s, x + pixel % 8, y + pixel / 8, slice, i / AMD_TILE_PIXELS);
         unsigned row = 0;
         while (row < s.tile_rows && at_B - start_B[row] >= s.tile_rows_B)
            row++;
         assert_true(row < s.tile_rows);
      }
      *(s.tile_rows == 1 ? &one : &several) += 1;
   }
   assert_true(one > 50 && several > 50);
}

/* Notes are found in their order, and nothing is left when they are forgotten. */
static void
notes_are_found(void **state)
{
   enum { PAGES = 5 * AMD_NOTE_GROUP + 7 };
   static const struct amd_note_page nothing[PAGES];
   static struct amd_note_page notes[PAGES];
   for (unsigned n = 0; n < 300; n++) {
      bool noted[PAGES] = {false};
      for (unsigned i = random_below(8) * random_below(8); i; i--) {
         const uint64_t at_B = random_below(PAGES * AMD_NOTE_PAGE_B / 4) * UINT64_C(4);
         noted[at_B / AMD_NOTE_PAGE_B] = true;
         amd_note(notes, at_B, 1 + random_below(4));
      }
      for (size_t page = 0, expected = 0; expected < PAGES; page++, expected++) {
         while (expected < PAGES && !noted[expected])
            expected++;
         page = amd_note_next(notes, page, PAGES);
         assert_int_equal(page, expected);
         if (page < PAGES)
            amd_note_forget(notes, page);
      }
      assert_memory_equal(notes, nothing, sizeof(notes));
   }
}

static void
lanes_are_of_quads(void **state)
{
   for (unsigned pixel = 0; pixel < AMD_TILE_PIXELS; pixel++) {
      const unsigned x = pixel % 8, y = pixel / 8, lane = (y / 2 * 4 + x / 2) * 4 + y % 2 * 2 + x % 2;
      assert_int_equal(amd_tile_lane(pixel), lane);
      assert_int_equal(amd_tile_lanes(UINT64_C(1) << pixel), UINT64_C(1) << lane);
      assert_int_equal(amd_tile_rows(UINT64_C(1) << lane), UINT64_C(1) << pixel);
   }
}

static void
quad_cover(const uint64_t *cover, unsigned samples, unsigned q, struct amd_pixels *px)
{
   for (unsigned i = 0; i < 4; i++) {
      px->cover[i] = 0;
      for (unsigned s = 0; s < samples; s++)
         px->cover[i] |= (uint8_t)((cover[s] >> (q / 4 * 16 + q % 4 * 2 + i / 2 * 8 + i % 2) & 1) << s);
   }
}

/* The test of a tile as that of its quads; the cover that is left. */
static void
test_by_quads(const struct amd_draw_state *state, struct amd_htile_memo *memo, const struct amd_prim *prim,
              uint32_t x, uint32_t y, bool writes, const uint64_t *cover, uint64_t *left)
{
   /* size: a tile by its coordinates */
   static const struct amd_db_export nothing = {NULL, NULL};
   const unsigned samples = amd_surface_samples(&state->samples);
   memset(left, 0, AMD_MAX_SAMPLES * sizeof(*left));
   for (unsigned q = 0; q < 16; q++) {
      struct amd_pixels px = {x + q % 4 * 2, y + q / 4 * 2, {0}};
      quad_cover(cover, samples, q, &px);
      if (!amd_cover_word(px.cover))
         continue;
      if (writes)
         amd_db_test(state, memo, prim, &nothing, &px);
      else
         amd_db_reject(state, memo, prim, &px);
      for (unsigned i = 0; i < 4; i++)
         for (unsigned s = 0; s < samples; s++)
            left[s] |= (uint64_t)(px.cover[i] >> s & 1) << (q / 4 * 16 + q % 4 * 2 + i / 2 * 8 + i % 2);
   }
}

static void
depth_is_that_of_quads(void **unused)
{
   static struct amd_draw_state state;
   unsigned tested = 0, with_htile = 0;
   for (unsigned n = 0; n < 3000; n++) {
      struct amd_htile_memo memo[2] = {{0}};
      const bool writes = random_below(4);
      memset(&state, 0, sizeof(state));
      if (!random_depth(&state, random_chip(), random_below(3) ? 0 : random_below(4))) {
         compare_and_free();
         continue;
      }
      for (unsigned i = 0; i < 4; i++) {
         const uint32_t x = random_below(MAX_PX) & ~7u, y = random_below(MAX_PX) & ~7u;
         const struct amd_prim prim = random_prim();
         uint64_t cover[AMD_MAX_SAMPLES] = {0}, left[AMD_MAX_SAMPLES];
         for (unsigned s = 0; s < amd_surface_samples(&state.samples); s++)
            cover[s] = random_cover();
         choose_depth(&state.depth, areas, 0);
         test_by_quads(&state, &memo[0], &prim, x, y, writes, cover, left);
         choose_depth(&state.depth, areas, 1);
         amd_db_test_tile(&state, &memo[1], &prim, x, y, writes, cover);
         assert_memory_equal(left, cover, amd_surface_samples(&state.samples) * sizeof(*left));
      }
      for (unsigned i = 0; i < 2; i++) {
         choose_depth(&state.depth, areas, i);
         amd_htile_close(&state.depth, &memo[i]);
      }
      tested++;
      with_htile += state.depth.htile.enable;
      compare_and_free();
   }
   assert_true(tested > 300 && with_htile > 50);
}

/* Colours of a tile: by quads to the first memory, to the second as a tile. */
static void
write_both(struct amd_color_state *color, struct amd_cb_tile *tile, uint32_t layer)
{
   choose_targets(color, 0);
   for (unsigned q = 0; q < 16; q++) {
      struct amd_pixels px = {tile->x + q % 4 * 2, tile->y + q / 4 * 2, {0}};
      struct amd_cb_colors colors;
      quad_cover(tile->cover, tile->samples, q, &px);
      for (unsigned i = 0; i < color->count; i++)
         for (unsigned c = 0; c < 4; c++)
            colors.rgba[i][c] = (v4u)(v4f){random_float(), random_float(), random_float(), random_float()};
      amd_cb_encode(color, &colors);
      if (amd_cover_word(px.cover))
         amd_cb_write(color, &px, layer, &colors);
      for (unsigned i = 0; i < color->count; i++)
         for (unsigned w = 0; 4 * w < color->target[i].format.size_B; w++)
            for (unsigned k = 0; k < 4; k++)
               tile->words[i][w][4 * q + k] = colors.texels[i][w][k];
   }
   choose_targets(color, 1);
   amd_cb_write_tile(color, tile, layer);
}

/* What HTILE says is clear gets its value in all samples inside of the surface, and nothing else does. */
static void
clear_tiles_are_filled(void **unused)
{
   static struct amd_draw_state state;
   struct amd_depth_state *d = &state.depth;
   unsigned filled = 0;
   for (unsigned n = 0; n < 3000; n++) {
      memset(&state, 0, sizeof(state));
      if (random_depth(&state, random_chip(), random_below(2) ? 0 : random_below(4)) && d->htile.enable &&
          d->z_run_B == d->z.size_B) {
         const uint32_t x = random_below(d->z.width_el) & ~7u, y = random_below(d->z.height_el) & ~7u;
         const uint32_t value =
            d->z_format_float ? float_bits(d->clear_z_value) : sim_unorm_from_float(d->clear_z_value, d->z_bits);
         struct amd_htile_memo memo = {0};
         struct amd_htile_clear clear;
         for (unsigned i = 0; i < 2; i++)
            memset(areas[1].host[i], 0, areas[1].size_B);
         d->z_write = true;
         choose_depth(d, areas, 1);
         assert_true(amd_htile_open(d, &memo, x, y, 0, true, &clear) && !clear.z);
         amd_htile_close(d, &memo);
         for (unsigned i = 0; i < 64u << d->htile.samples_log2; i++) {
            const uint32_t px = x + i % 8, py = y + i / 8 % 8;
            const uint64_t at_B = amd_surface_offset(&d->z, px, py, 0, i / 64);
            if (px >= d->z.width_el || py >= d->z.height_el)
               continue;
            memcpy(areas[0].host[0] + at_B, &value, d->z.element_B);
            amd_note_page(areas[0].written[0], at_B / 4096);
            areas[0].written[0][at_B / 4096].line[at_B / 128 % 32] |= 1u << at_B / 4 % 32;
         }
         assert_memory_equal(areas[0].host[0], areas[0].host[1], areas[0].size_B + AROUND_B);
         assert_memory_equal(areas[0].written[0], areas[0].written[1],
                             areas[0].size_B / 4096 * sizeof(*areas[0].written[0]));
         filled++;
      }
      while (area_count)
         free_area();
   }
   assert_true(filled > 50);
}

static void
colors_are_those_of_quads(void **state)
{
   static struct amd_color_state color;
   unsigned written = 0, with_meta = 0, at_once = 0;
   for (unsigned n = 0; n < 3000; n++) {
      const struct amd_chip *chip = random_chip();
      const unsigned samples_log2 = random_below(3) ? 0 : random_below(4);
      memset(&color, 0, sizeof(color));
      color.mode = V_CB_NORMAL;
      color.gen = chip->gen;
      for (color.count = 0; color.count < 1 + n % 3 / 2;)
         if (!random_target(&color.target[color.count++], chip, samples_log2 - random_below(samples_log2 + 1)))
            break;
      /* Areas are two a target where all went well. */
      bool good = area_count == 2 * color.count && amd_cb_takes_tiles(&color);
      for (unsigned i = 0; i < 4 && good; i++) {
         static struct amd_cb_tile tile;
         tile.x = random_below(MAX_PX) & ~7u;
         tile.y = random_below(MAX_PX) & ~7u;
         tile.samples = 1u << samples_log2;
         for (unsigned s = 0; s < tile.samples; s++)
            tile.cover[s] = random_cover();
         write_both(&color, &tile, random_below(2));
      }
      written += good;
      with_meta += good && (color.target[0].meta.dcc || color.target[0].meta.cmask);
      at_once += good && color.target[0].meta.tile_at_once && color.target[0].meta.dcc;
      compare_and_free();
   }
   assert_true(written > 200 && with_meta > 50 && at_once > 10);
}

/* In some order: R and B from pairs, the others from pairs in reverse. */
static void
check_halves(const struct tile_wide *wide, const uint32_t pairs[64], const uint32_t low[64], const uint32_t high[64],
             const struct sim_texel_format *rgba8)
{
   static const uint8_t to[4] = {16, 0, 8, 24};
   uint32_t reversed[64], texels[64];
   for (unsigned i = 0; i < 64; i++)
      reversed[i] = pairs[63 - i];
   wide->halves_unorm8x4(pairs, reversed, to, 64, texels);
   for (unsigned i = 0; i < 64; i++) {
      const uint32_t one[4] = {high[i], low[63 - i], low[i], high[63 - i]};
      uint32_t expected;
      sim_texel_encode(rgba8, one, &expected);
      assert_int_equal(texels[i], expected);
   }
}

/* Codes of depths around ties, and beyond 0 and 1. */
static void
check_depths(const struct tile_wide *wide)
{
   for (unsigned n = 0; n < 20000; n++) {
      const unsigned bits = n % 2 ? 16 : 24;
      const double max = (double)((1u << bits) - 1), code = (double)random_below(1u << bits);
      const float tie = (float)((code + 0.5) / max),
                  depth = n % 5 ? bits_float(float_bits(tie) + random_below(5) - 2) : random_float();
      const struct tile_plane plane = {.c = (double)depth, .unorm_bits = bits};
      uint32_t z[AMD_TILE_PIXELS];
      wide->depths(&plane, z);
      for (unsigned i = 0; i < AMD_TILE_PIXELS; i += 21)
         assert_int_equal(z[i], sim_unorm_from_float(depth, bits));
   }
}

static void
check_wide(const struct tile_wide *wide)
{
   enum { N = 64 };
   const struct sim_texel_format rgba8 = amd_format_color(V_COLOR_8_8_8_8, V_NUMBER_UNORM),
                                 srgb8 = amd_format_color(V_COLOR_8_8_8_8, V_NUMBER_SRGB);
   for (uint32_t half = 0; half < 1 << 16; half += N) {
      uint32_t pairs[N], low[N], high[N];
      for (uint32_t i = 0; i < N; i++)
         pairs[i] = (half + i) | (0xffff - half - i) << 16;
      wide->halves(pairs, N, low, high);
      for (uint32_t i = 0; i < N; i++) {
         assert_int_equal(low[i], float_bits(sim_half_to_float((uint16_t)(half + i))));
         assert_int_equal(high[i], float_bits(sim_half_to_float((uint16_t)(0xffff - half - i))));
      }
      check_halves(wide, pairs, low, high, &rgba8);
   }
   for (unsigned n = 0; n < 1000; n++) {
      float depths[N], low = INFINITY, high = -INFINITY, least = INFINITY, most = -INFINITY;
      for (unsigned i = 0; i < N; i++) {
         depths[i] = random_float();
         least = fminf(least, depths[i]);
         most = fmaxf(most, depths[i]);
      }
      wide->range((const uint8_t *)depths, &low, &high);
      assert_true(low == least && high == most);
      uint16_t codes[N];
      uint32_t low_code, high_code, least_code = UINT16_MAX, most_code = 0;
      for (unsigned i = 0; i < N; i++) {
         codes[i] = (uint16_t)random_below(1 << 16);
         least_code = MIN2(least_code, codes[i]);
         most_code = MAX2(most_code, codes[i]);
      }
      wide->range16((const uint8_t *)codes, &low_code, &high_code);
      assert_true(low_code == least_code && high_code == most_code);
      uint32_t words[N];
      least_code = UINT32_MAX, most_code = 0;
      for (unsigned i = 0; i < N; i++) {
         words[i] = random_below(1 << 16) << 16 | random_below(1 << 16);
         least_code = MIN2(least_code, words[i] & 0xffffff);
         most_code = MAX2(most_code, words[i] & 0xffffff);
      }
      wide->range24((const uint8_t *)words, &low_code, &high_code);
      assert_true(low_code == least_code && high_code == most_code);
   }
   for (unsigned n = 0; n < 20000; n++) {
      uint32_t rgba[4][8], texels[8];
      const uint32_t *const memory[4] = {rgba[0], rgba[1], rgba[2], rgba[3]};
      for (unsigned i = 0; i < 32; i++) {
         /* Around ties, and anything. */
         float tie = n % 4 < 2 ? ((float)random_below(256) + 0.5f) / 255.0f : sim_srgb_codes->step[random_below(255)];
         rgba[i / 8][i % 8] = n % 2 ? float_bits(tie) + random_below(5) - 2 : float_bits(random_float());
      }
      (n % 3 ? wide->srgb8x4 : wide->unorm8x4)(memory, 8, texels);
      for (unsigned i = 0; i < 8; i++) {
         const uint32_t one[4] = {rgba[0][i], rgba[1][i], rgba[2][i], rgba[3][i]};
         uint32_t expected;
         sim_texel_encode(n % 3 ? &srgb8 : &rgba8, one, &expected);
         assert_int_equal(texels[i], expected);
      }
   }
}

static void
both_builds_follow_the_rules(void **state)
{
   static const struct tile_wide base = {tile_depths_base,   tile_compare_base,         tile_range_base,
                                         tile_range16_base,  tile_range24_base,         tile_halves_base,
                                         tile_unorm8x4_base, tile_halves_unorm8x4_base, tile_srgb8x4_base};
   check_wide(&base);
   check_wide(amd_tile_wide());
   check_depths(&base);
   check_depths(amd_tile_wide());
}

static int
start(void **state)
{
   seed = 20261123;
   return 0;
}

int
main(void)
{
   const struct CMUnitTest tests[] = {
      cmocka_unit_test(rows_have_all_samples),
      cmocka_unit_test(lanes_are_of_quads),
      cmocka_unit_test_setup(notes_are_found, start),
      cmocka_unit_test_setup(places_are_those_of_pixels, start),
      cmocka_unit_test_setup(depth_is_that_of_quads, start),
      cmocka_unit_test_setup(clear_tiles_are_filled, start),
      cmocka_unit_test_setup(colors_are_those_of_quads, start),
      cmocka_unit_test_setup(both_builds_follow_the_rules, start),
   };
   return cmocka_run_group_tests(tests, NULL, NULL);
}
