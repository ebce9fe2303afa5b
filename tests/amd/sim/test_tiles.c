/* Tiles of 8 x 8 pixels against the same pixels as quads, bit for bit, with all the memory around them: places, depth
 * tests, colours, of random states, sizes and covers. */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>
#include <cmocka.h>

#include "amd/hw/chips.h"
#include "amd/hw/registers.h"
#include "amd/hw/swizzle.h"
#include "amd/sim/draw/tiles.h"
#include "amd/sim/rb/tile_wide.h"
#include "amd/sim/surface/formats.h"
#include "sim/numeric.h"
#include "sim/texel4.h"
#include "util/macros.h"

enum { MOST_B = 1 << 18, AROUND_B = 1024, META_B = 1 << 14, MAX_PX = 70, AREAS = 8 };

static uint64_t seed;

static uint32_t
random_below(uint32_t end)
{
   seed = seed * UINT64_C(6364136223846793005) + 1442695040888963407;
   return (uint32_t)((seed >> 33) % end);
}

static float
random_float(void)
{
   static const float odd[] = {NAN, INFINITY, -INFINITY, -0.0f, 1.0f, 0.5f, 1e-40f, 2.0f};
   return random_below(16) ? (float)random_below(4096) / 2048.0f - 0.5f : odd[random_below(ARRAY_SIZE(odd))];
}

static uint64_t
random_cover(void)
{
   uint64_t bits = 0;
   if (!random_below(3))
      return UINT64_MAX;
   for (unsigned i = 0; i < 4; i++)
      bits = bits << 16 | random_below(1 << 16);
   return random_below(4) ? bits : 0;
}

/* Memory that a draw writes, twice: [0] goes by quads, [1] by tiles. Behind it is what nobody may write. */
struct area {
   uint64_t size_B;
   uint8_t *host[2], *written[2];
};

static struct area areas[AREAS];
static unsigned area_count;

/* NULL: too large. fill: of bytes, or 256: depths. */
static struct area *
take_area(uint64_t size_B, const uint8_t *choice, unsigned choices)
{
   if (size_B > MOST_B)
      return NULL;
   struct area *a = &areas[area_count++];
   a->size_B = size_B;
   for (unsigned i = 0; i < 2; i++) {
      a->host[i] = malloc(size_B + AROUND_B);
      a->written[i] = calloc(1, (size_B + AROUND_B) / 128 + 1);
   }
   for (uint64_t i = 0; i < size_B + AROUND_B; i++)
      a->host[0][i] = choices ? choice[random_below(choices)] : (uint8_t)random_below(256);
   memcpy(a->host[1], a->host[0], size_B + AROUND_B);
   return a;
}

static void
compare_and_free(void)
{
   while (area_count) {
      struct area *a = &areas[--area_count];
      assert_memory_equal(a->host[0], a->host[1], a->size_B + AROUND_B);
      assert_memory_equal(a->written[0], a->written[1], (a->size_B + AROUND_B) / 128 + 1);
      for (unsigned i = 0; i < 2; i++) {
         free(a->host[i]);
         free(a->written[i]);
      }
   }
}

/* A surface of a chip, in a random mode, and what it was made from. */
static bool
random_surface(struct amd_surface *surface, struct amd_surface_desc *desc, const struct amd_chip *chip,
               unsigned element_log2, unsigned samples_log2)
{
   struct sim_fault fault = {0};
   *desc = (struct amd_surface_desc){.gen = chip->gen,
                                     .gb_addr_config = chip->gb_addr_config,
                                     .base_256B = 0x200000000 >> 8,
                                     .mode = (uint8_t)random_below(32),
                                     .element_log2 = (uint8_t)element_log2,
                                     .element_B = (uint8_t)(1u << element_log2),
                                     .samples_log2 = (uint8_t)samples_log2,
                                     .levels = (uint8_t)(samples_log2 ? 1 : 1 + random_below(4)),
                                     .texel_px = 1,
                                     .width_px = 8 + random_below(MAX_PX - 8),
                                     .height_px = 8 + random_below(MAX_PX - 8),
                                     .slices = 1 + random_below(2)};
   return amd_surface_init(surface, desc, random_below(desc->levels), &fault);
}

static const struct amd_chip *
random_chip(void)
{
   static const char *const names[] = {"vega10", "navi10", "navi21", "navi31", "gfx1150"};
   return amd_chip_by_name(names[random_below(ARRAY_SIZE(names))]);
}

static void
places_are_those_of_pixels(void **state)
{
   unsigned tiled = 0;
   static struct amd_surface s;
   for (unsigned n = 0; n < 4000; n++) {
      struct amd_surface_desc desc;
      struct amd_surface_tile tile;
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
      if (amd_surface_tile_is_256B(&s))
         assert_true(high_B - low_B == 256 && low_B % 256 == 0);
      tiled += amd_surface_tile_is_256B(&s);
   }
   assert_true(tiled > 50);
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
   static const struct amd_db_export nothing = {NULL, NULL};
   const unsigned samples = amd_tile_samples(&state->samples);
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
random_samples(struct amd_sample_state *s, unsigned samples_log2)
{
   s->folded = !samples_log2 && !random_below(8);
   s->positions.count = s->folded ? 4 : 1u << samples_log2;
   for (unsigned i = 0; i < s->positions.count; i++) {
      s->positions.x16[i] = (int8_t)(random_below(16) - 8);
      s->positions.y16[i] = (int8_t)(random_below(16) - 8);
   }
}

/* Depths that are near those of random_prim(). */
static void
fill_depths(const struct amd_depth_state *d, struct area *a)
{
   for (uint64_t i = 0; i + 4 <= a->size_B && d->z_format_float; i += 4) {
      float f = random_float();
      memcpy(a->host[0] + i, &f, 4);
   }
   memcpy(a->host[1], a->host[0], a->size_B);
}

static bool
random_depth(struct amd_draw_state *state, const struct amd_chip *chip)
{
   static const uint8_t bits[] = {16, 24, 32}, tiles[] = {0, 0, 0, 0, 0, 0xff, 0xf0, 0x0f};
   struct amd_depth_state *d = &state->depth;
   struct amd_surface_desc desc;
   struct sim_fault fault = {0};
   const unsigned samples_log2 = random_below(3) ? 0 : random_below(4);
   d->z_bits = bits[random_below(3)];
   d->z_format_float = d->z_bits == 32;
   d->has_z = d->any = true;
   d->z_enable = random_below(8);
   d->z_write = d->z_enable && random_below(4);
   d->zfunc = (uint8_t)random_below(8);
   d->bounds_enable = !random_below(8);
   d->bounds_max = 0.75f;
   d->viewport_clamp = random_below(2);
   d->clear_z = !random_below(8);
   d->clear_z_value = (float)random_below(5) / 4.0f;
   d->last_slice = 1;
   state->viewports[0].zmax = 1.0f;
   random_samples(&state->samples, samples_log2);
   if (!random_surface(&d->z, &desc, chip, d->z_bits == 16 ? 1 : 2, samples_log2))
      return false;
   struct area *z = take_area(d->z.size_B, NULL, 0), *htile = NULL;
   if (!z)
      return false;
   fill_depths(d, z);
   /* Sparse memory ends early. */
   d->z_run_B = random_below(8) ? d->z.size_B : random_below((uint32_t)d->z.size_B);
   d->htile.enable = desc.levels == 1 && random_below(2) && desc.mode &&
                     amd_meta_init(&d->htile.layout, AMD_META_HTILE, &desc, &d->z, 0, 0x300000000 >> 8,
                                   (struct amd_meta_align){.pipe = chip->gen != AMD_GFX9}, &fault);
   d->htile.samples_log2 = (uint8_t)samples_log2;
   if (d->htile.enable && (htile = take_area(d->htile.layout.size_B, tiles, ARRAY_SIZE(tiles))))
      d->htile.memory.run_B = htile->size_B;
   d->htile.enable &= htile != NULL;
   return true;
}

/* Which of the two memories the draw has; areas in the order that random_depth() takes them. */
static void
choose_depth(struct amd_depth_state *d, unsigned which)
{
   d->z_host = areas[0].host[which];
   d->z_written = areas[0].written[which];
   if (d->htile.enable) {
      d->htile.memory.host = areas[1].host[which];
      d->htile.memory.written = areas[1].written[which];
   }
}

static struct amd_prim
random_prim(void)
{
   return (struct amd_prim){.origin_x = (int32_t)random_below(90) - 10,
                            .origin_y = (int32_t)random_below(90) - 10,
                            .z = {(double)random_float() / 16, (double)random_float() / 16, (double)random_float()},
                            .layer = (uint16_t)random_below(2)};
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
      if (!random_depth(&state, random_chip())) {
         compare_and_free();
         continue;
      }
      for (unsigned i = 0; i < 4; i++) {
         const uint32_t x = random_below(MAX_PX) & ~7u, y = random_below(MAX_PX) & ~7u;
         const struct amd_prim prim = random_prim();
         uint64_t cover[AMD_MAX_SAMPLES] = {0}, left[AMD_MAX_SAMPLES];
         for (unsigned s = 0; s < amd_tile_samples(&state.samples); s++)
            cover[s] = random_cover();
         choose_depth(&state.depth, 0);
         test_by_quads(&state, &memo[0], &prim, x, y, writes, cover, left);
         choose_depth(&state.depth, 1);
         amd_db_test_tile(&state, &memo[1], &prim, x, y, writes, cover);
         assert_memory_equal(left, cover, amd_tile_samples(&state.samples) * sizeof(*left));
      }
      tested++;
      with_htile += state.depth.htile.enable;
      compare_and_free();
   }
   assert_true(tested > 300 && with_htile > 50);
}

static bool
random_target(struct amd_target_state *t, const struct amd_chip *chip, unsigned samples_log2)
{
   static const struct {
      uint8_t format, number;
   } formats[] = {{V_COLOR_8_8_8_8, V_NUMBER_UNORM}, {V_COLOR_8_8_8_8, V_NUMBER_SRGB},
                  {V_COLOR_8, V_NUMBER_UNORM},       {V_COLOR_16_16, V_NUMBER_FLOAT},
                  {V_COLOR_32_32, V_NUMBER_UINT},    {V_COLOR_16_16_16_16, V_NUMBER_FLOAT},
                  {V_COLOR_5_6_5, V_NUMBER_UNORM},   {V_COLOR_32_32_32_32, V_NUMBER_FLOAT}};
   static const uint8_t codes[] = {0, 0x40, 0x80, 0xc0, 0x20, 0xff, 0xff, 0x10}, nibbles[] = {0xff, 0xcc, 0, 0x0c};
   const unsigned f = random_below(2) ? 0 : random_below(ARRAY_SIZE(formats));
   struct amd_surface_desc desc;
   struct sim_fault fault = {0};
   struct amd_color_meta *m = &t->meta;
   t->enable = true;
   t->write_mask = 15;
   t->logic = V_ROP3_COPY & 15;
   t->format = amd_format_color(formats[f].format, formats[f].number);
   for (unsigned i = 0; i < 4; i++)
      t->component[i] = (uint8_t)(t->format.components == 4 ? 3 - i : i);
   t->samples_log2 = (uint8_t)samples_log2;
   t->last_slice = 1;
   if (!random_surface(&t->surface, &desc, chip, log2_floor(t->format.size_B), samples_log2))
      return false;
   struct area *a = take_area(t->surface.size_B, NULL, 0);
   if (!a)
      return false;
   t->run_B = random_below(8) ? a->size_B : random_below((uint32_t)a->size_B);
   const struct amd_meta_align align = {.pipe = chip->gen != AMD_GFX9};
   const unsigned kind = desc.levels == 1 && desc.mode ? random_below(3) : 0;
   m->dcc = kind == 1 &&
            amd_meta_init(&m->dcc_layout, AMD_META_DCC, &desc, &t->surface, 0, 0x300000000 >> 8, align, &fault);
   m->cmask = kind == 2 &&
              amd_meta_init(&m->cmask_layout, AMD_META_CMASK, &desc, &t->surface, 0, 0x300000000 >> 8, align, &fault);
   const uint64_t meta_B = m->dcc ? m->dcc_layout.size_B : m->cmask_layout.size_B;
   a = take_area(m->dcc || m->cmask ? meta_B : 0, m->dcc ? codes : nibbles, m->dcc ? 8 : 4);
   if (!a)
      return false;
   m->dcc_memory.run_B = m->cmask_memory.run_B = a->size_B;
   memset(m->clear, 0x5a, sizeof(m->clear));
   m->tile_at_once = amd_color_meta_is_of_tiles(t);
   return true;
}

static void
choose_targets(struct amd_color_state *color, unsigned which)
{
   for (unsigned i = 0; i < color->count; i++) {
      struct amd_target_state *t = &color->target[i];
      t->host = areas[2 * i].host[which];
      t->written = areas[2 * i].written[which];
      t->meta.dcc_memory.host = t->meta.cmask_memory.host = areas[2 * i + 1].host[which];
      t->meta.dcc_memory.written = t->meta.cmask_memory.written = areas[2 * i + 1].written[which];
   }
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
               tile->words[i][w][q / 4 * 16 + q % 4 * 2 + k / 2 * 8 + k % 2] = colors.texels[i][w][k];
   }
   choose_targets(color, 1);
   amd_cb_write_tile(color, tile, layer);
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
         if (!random_target(&color.target[color.count++], chip, samples_log2))
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

static void
check_wide(const struct tile_wide *wide)
{
   enum { N = 64 };
   const struct sim_texel_format rgba8 = amd_format_color(V_COLOR_8_8_8_8, V_NUMBER_UNORM);
   for (uint32_t half = 0; half < 1 << 16; half += N) {
      uint32_t pairs[N], low[N], high[N];
      for (uint32_t i = 0; i < N; i++)
         pairs[i] = (half + i) | (0xffff - half - i) << 16;
      wide->halves(pairs, N, low, high);
      for (uint32_t i = 0; i < N; i++) {
         assert_int_equal(low[i], float_bits(sim_half_to_float((uint16_t)(half + i))));
         assert_int_equal(high[i], float_bits(sim_half_to_float((uint16_t)(0xffff - half - i))));
      }
   }
   for (unsigned n = 0; n < 20000; n++) {
      uint32_t rgba[4][8], texels[8];
      const uint32_t *const memory[4] = {rgba[0], rgba[1], rgba[2], rgba[3]};
      for (unsigned i = 0; i < 32; i++) {
         /* Around ties, and anything. */
         float tie = ((float)random_below(256) + 0.5f) / 255.0f;
         rgba[i / 8][i % 8] = n % 2 ? float_bits(tie) + random_below(5) - 2 : float_bits(random_float());
      }
      wide->unorm8x4(memory, 8, texels);
      for (unsigned i = 0; i < 8; i++) {
         const uint32_t one[4] = {rgba[0][i], rgba[1][i], rgba[2][i], rgba[3][i]};
         uint32_t expected;
         sim_texel_encode(&rgba8, one, &expected);
         assert_int_equal(texels[i], expected);
      }
   }
}

static void
both_builds_follow_the_rules(void **state)
{
   static const struct tile_wide base = {tile_depths_base, tile_compare_base, tile_halves_base, tile_unorm8x4_base};
   check_wide(&base);
   check_wide(amd_tile_wide());
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
      cmocka_unit_test_setup(places_are_those_of_pixels, start),
      cmocka_unit_test_setup(depth_is_that_of_quads, start),
      cmocka_unit_test_setup(colors_are_those_of_quads, start),
      cmocka_unit_test_setup(both_builds_follow_the_rules, start),
   };
   return cmocka_run_group_tests(tests, NULL, NULL);
}
