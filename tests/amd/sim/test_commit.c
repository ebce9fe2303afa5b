/* Quads of pixel waves to depth and colour: as values and quad by quad, and as texels and tile by tile. Random
 * exports, formats, covers, rates, states. And blocks of quads against their quads: starting registers, depth and
 * colour. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <string.h>
#include <cmocka.h>

#include "amd/sim/spi/spi_ps.h"
#include "amd/sim/spi/spi_ps_centers.h"
#include "sim/texel/numeric.h"
#include "sim/waves/pool.h"

#include "tile_scene.h"

enum { BINS = 4, PRIMS = 3, VERTICES = 5 };

static struct amd_model model;
static struct amd_gpu gpu;
static struct amd_draw_memory memory;
static struct amd_pipeline pipeline;

static uint8_t
random_samples_of(unsigned samples)
{
   return (uint8_t)(random_below(3) ? (1u << samples) - 1 : random_below(1u << samples));
}

static struct amd_quad
random_quad(uint32_t prim, uint32_t x, uint32_t y, struct amd_shading_rate rate)
{
   const unsigned samples = amd_surface_samples(&pipeline.state.samples);
   struct amd_quad quad = {.prim = prim, .x = (uint16_t)x, .y = (uint16_t)y, .rate = rate};
   for (unsigned i = 0; i < 4; i++) {
      quad.cover[i] = amd_quad_is_coarse(&quad) ? 0 : random_samples_of(samples);
      for (unsigned k = 0; k < AMD_COARSE_PIXELS && amd_quad_is_coarse(&quad); k++) {
         quad.part[i][k] = amd_quad_has_part(&quad, k) ? random_samples_of(samples) : 0;
         quad.cover[i] |= quad.part[i][k];
      }
   }
   return quad;
}

/* Quads of a primitive in a bin: of some tiles, of one sometimes twice, as shading by samples has them. */
static void
fill_bin(struct amd_bin *bin, unsigned number, uint32_t prim)
{
   for (unsigned tile = 0; tile < 64; tile++) {
      const uint32_t x = number % 2 * 64 + tile % 8 * 8, y = number / 2 * 64 + tile / 8 * 8;
      const struct amd_shading_rate rate = {(uint8_t)(random_below(3) == 0), (uint8_t)(random_below(3) == 0)};
      const uint32_t wide = 2u << rate.x_log2, high = 2u << rate.y_log2;
      for (unsigned times = random_below(3) * random_below(2); times; times--)
         for (uint32_t i = 0; i < 64; i += wide)
            if (i / 8 % high == 0 && random_below(4))
               dynarray_append(&bin->quads, struct amd_quad, random_quad(prim, x + i % 8, y + i / 8, rate));
   }
}

static void
random_quads(void)
{
   memory.prims.size_B = memory.quads.size_B = memory.touched_bins.size_B = 0;
   for (uint32_t i = 0; i < PRIMS; i++)
      dynarray_append(&memory.prims, struct amd_prim, random_prim());
   for (uint32_t b = 0; b < BINS; b++) {
      struct amd_bin *bin = &memory.bins[b];
      bin->quads.size_B = 0;
      bin->first_quad = (uint32_t)dynarray_count(&memory.quads, struct amd_quad);
      for (uint32_t i = 0; i < PRIMS; i++)
         fill_bin(bin, b, i);
      if (bin->quads.size_B)
         memcpy(dynarray_grow(&memory.quads, bin->quads.size_B), bin->quads.data, bin->quads.size_B);
      dynarray_append(&memory.touched_bins, uint32_t, b);
   }
}

/* What a wave exports: in disorder, of some targets twice or not at all. */
static unsigned
random_exports(struct amd_wave_export *exports)
{
   const struct amd_color_state *color = &pipeline.state.color;
   unsigned count = 0;
   for (unsigned n = 0; n < 2 * color->count; n++) {
      const struct amd_target_state *t = &color->target[n % color->count];
      struct amd_wave_export *e = &exports[count];
      bool halves = t->export_format >= V_SPI_SHADER_FP16_ABGR && t->export_format <= V_SPI_SHADER_SINT16_ABGR;
      if (n < color->count ? !random_below(8) : random_below(8))
         continue;
      *e = (struct amd_wave_export){.target = t->export, .en = random_below(4) ? 15 : (uint8_t)random_below(16)};
      e->compr = halves && !model.traits->halves_by_format;
      for (unsigned i = 0; i < 4 * AMD_WAVE_MAX_LANES; i++)
         e->value[i / AMD_WAVE_MAX_LANES][i % AMD_WAVE_MAX_LANES] =
            halves ? random_below(1 << 16) << 16 | random_below(1 << 16) : float_bits(random_float());
      count++;
   }
   if (count) {
      exports[count - 1].vm = true;
      exports[count - 1].exec = random_below(2) ? UINT64_MAX : random_cover();
   }
   return count;
}

static bool
random_state(const struct amd_chip *chip)
{
   static const uint8_t formats[] = {V_SPI_SHADER_FP16_ABGR, V_SPI_SHADER_FP16_ABGR,    V_SPI_SHADER_32_ABGR,
                                     V_SPI_SHADER_32_AR,     V_SPI_SHADER_UNORM16_ABGR, V_SPI_SHADER_32_GR};
   struct amd_draw_state *state = &pipeline.state;
   struct amd_color_state *color = &state->color;
   const unsigned samples_log2 = random_below(3) ? 0 : random_below(4), targets = 1 + random_below(2);
   color->mode = V_CB_NORMAL;
   color->gen = chip->gen;
   state->shaders[AMD_STAGE_PS].wave_size = random_below(2) ? 32 : 64;
   pipeline.test_at_raster = random_below(2);
   random_samples(&state->samples, samples_log2);
   for (unsigned i = 0; i < targets; i++) {
      struct amd_target_state *t = &color->target[color->count++];
      t->export = (uint8_t)(targets - 1 - i);
      t->export_format = formats[random_below(ARRAY_SIZE(formats))];
      state->pixel.export_mask |= random_below(16) ? 1u << t->export : 0;
      state->pixel.col_format |= (uint32_t)t->export_format << 4 * t->export;
      if (!random_target(t, chip, samples_log2 - random_below(samples_log2 + 1)))
         return false;
   }
   return amd_cb_takes_tiles(color) && (pipeline.test_at_raster || random_depth(state, chip, samples_log2));
}

/* Depth and colour of the launch, whose waves export something. */
static void
commit(struct amd_launch *l, uint32_t waves, bool tiles, uint64_t exports_seed)
{
   static struct amd_wave_export exports[2 * AMD_MAX_TARGETS];
   amd_spi_ps_allocate(l, waves, tiles);
   seed = exports_seed;
   for (uint32_t w = 0; w < waves; w++) {
      const struct amd_wave_result result = {.count = random_exports(exports), .exports = exports};
      amd_spi_ps_retire(l, w, 0, &result);
   }
   amd_spi_ps_commit(l);
}

static void
choose_memory(unsigned which)
{
   choose_targets(&pipeline.state.color, which);
   if (!pipeline.test_at_raster)
      choose_depth(&pipeline.state.depth, &areas[2 * pipeline.state.color.count], which);
}

/* The same launch, once for each memory. */
static void
commit_waves(unsigned which, uint32_t first, uint32_t count, uint64_t exports_seed)
{
   const uint32_t quads_per_wave = pipeline.state.shaders[AMD_STAGE_PS].wave_size / 4u;
   struct amd_launch l = {.p = &pipeline, .first = first, .count = count, .quads_per_wave = quads_per_wave};
   choose_memory(which);
   assert_true(amd_spi_ps_takes_tiles(&l));
   commit(&l, (uint32_t)div_round_up(count, quads_per_wave), which, exports_seed);
}

static void
tiles_are_their_quads(void **unused)
{
   unsigned drawn = 0, late = 0;
   for (unsigned n = 0; n < 600; n++) {
      const struct amd_chip *chip = random_chip();
      model.traits = &amd_traits[chip->gen];
      pipeline = (struct amd_pipeline){.gpu = &gpu, .memory = &memory};
      if (random_state(chip)) {
         random_quads();
         const uint32_t quads = (uint32_t)dynarray_count(&memory.quads, struct amd_quad);
         const uint32_t first = random_below(quads), count = 1 + random_below(quads - first);
         const uint64_t exports_seed = seed;
         commit_waves(0, first, count, exports_seed);
         const uint64_t passed = pipeline.samples_passed;
         commit_waves(1, first, count, exports_seed);
         assert_int_equal(pipeline.samples_passed, 2 * passed);
         drawn++;
         late += !pipeline.test_at_raster;
      }
      compare_and_free();
   }
   assert_true(drawn > 80 && late > 20);
}

/* Blocks of a bin, and their quads, to both lists. */
static void
add_blocks(struct amd_bin *bin, unsigned number)
{
   for (unsigned tile = 0; tile < 64; tile++) {
      const uint32_t x = number % 2 * 64 + tile % 8 * 8, y = number / 2 * 64 + tile / 8 * 8;
      const uint64_t raster = random_below(3) ? UINT64_MAX : random_cover();
      const uint64_t cover = raster & random_cover();
      struct amd_block block = {.first_quad = (uint32_t)dynarray_count(&memory.quads, struct amd_quad)};
      amd_block_set(&block, random_below(PRIMS), x, y, cover, raster);
      if (!cover || !random_below(3))
         continue;
      dynarray_append(&memory.blocks, struct amd_block, block);
      dynarray_append(&bin->blocks, struct amd_block, block);
      for (unsigned q = 0; q < AMD_BLOCK_QUADS; q++) {
         struct amd_quad quad = {.prim = block.prim, .x = (uint16_t)(x + q % 4 * 2), .y = (uint16_t)(y + q / 4 * 2)};
         for (unsigned i = 0; i < 4; i++) {
            quad.cover[i] = cover >> (q / 4 * 16 + q % 4 * 2 + i / 2 * 8 + i % 2) & 1;
            quad.raster[i] = raster >> (q / 4 * 16 + q % 4 * 2 + i / 2 * 8 + i % 2) & 1;
         }
         if (amd_cover_word(quad.cover))
            dynarray_append(&memory.quads, struct amd_quad, quad);
      }
   }
}

static void
random_blocks(void)
{
   memory.prims.size_B = memory.quads.size_B = memory.blocks.size_B = memory.touched_bins.size_B = 0;
   for (uint32_t i = 0; i < PRIMS; i++) {
      struct amd_prim prim = random_prim();
      float *planes[] = {&prim.i_w.a, &prim.j_w.a, &prim.one_w.a, &prim.i_linear.a, &prim.j_linear.a};
      for (unsigned k = 0; k < 3 * ARRAY_SIZE(planes); k++)
         planes[k / 3][k % 3] = random_float();
      for (unsigned k = 0; k < AMD_PRIM_VERTICES; k++)
         prim.vertex[k] = random_below(VERTICES);
      prim.front = random_below(2);
      dynarray_append(&memory.prims, struct amd_prim, prim);
   }
   for (uint32_t b = 0; b < BINS; b++) {
      struct amd_bin *bin = &memory.bins[b];
      bin->blocks.size_B = bin->quads.size_B = 0;
      bin->first_quad = (uint32_t)dynarray_count(&memory.quads, struct amd_quad);
      bin->first_block = (uint32_t)dynarray_count(&memory.blocks, struct amd_block);
      add_blocks(bin, b);
      const uint32_t quads = (uint32_t)dynarray_count(&memory.quads, struct amd_quad) - bin->first_quad;
      if (quads)
         memcpy(dynarray_grow(&bin->quads, quads * sizeof(struct amd_quad)),
                dynarray_at(&memory.quads, struct amd_quad, bin->first_quad), quads * sizeof(struct amd_quad));
      dynarray_append(&memory.touched_bins, uint32_t, b);
   }
}

/* What a shader of one sample reads. */
static void
random_inputs(void)
{
   struct amd_pixel_state *pixel = &pipeline.state.pixel;
   const uint32_t some = random_below(1 << 16) & ~(1u << 7);
   pixel->input_addr = random_below(3) ? 1u << 1 : some;
   pixel->input_ena = random_below(2) ? pixel->input_addr : some;
   pixel->interp_count = pixel->attr_count = (uint8_t)random_below(4);
   for (unsigned i = 0; i < pixel->interp_count; i++)
      pixel->input_cntl[i] = random_below(6);
   pixel->front_face_all_bits = random_below(2);
   pixel->pos_location = (uint8_t)random_below(3);
   pipeline.state.samples.tested_input = random_below(2);
   pipeline.state.samples.iterations = 1;
   pipeline.vertex_floats = AMD_VERTEX_PARAM + 12;
   memory.vertex_data.size_B = 0;
   for (unsigned i = 0; i < VERTICES * pipeline.vertex_floats; i++)
      dynarray_append(&memory.vertex_data, float, random_float());
}

static void
compare_wave(struct amd_launch *quads, struct amd_launch *blocks, uint32_t wave)
{
   static struct amd_wave_start starts[2];
   memset(starts, 0, sizeof(starts));
   amd_spi_ps_start(quads, wave, 0, 0, &starts[0]);
   amd_spi_ps_start(blocks, wave, 0, 0, &starts[1]);
   const struct amd_wave_params a = starts[0].params, b = starts[1].params;
   unsigned prims = 0;
   for (unsigned q = 0; q < ARRAY_SIZE(a.quad_prim); q++)
      prims = MAX2(prims, a.quad_prim[q] + 1u);
   assert_memory_equal(a.quad_prim, b.quad_prim, sizeof(a.quad_prim));
   assert_int_equal(a.attr_count, b.attr_count);
   if (a.attr_count)
      assert_memory_equal(a.data, b.data, prims * a.attr_count * 12 * 4);
   starts[0].params = starts[1].params = (struct amd_wave_params){0};
   assert_memory_equal(&starts[0], &starts[1], sizeof(starts[0]));
}

/* Both begin all their waves and commit, each to its memory. Parameters of quads are kept separate. */
static void
run_both(uint32_t first, uint32_t count, bool tiles, uint64_t exports_seed)
{
   const uint32_t quads_per_wave = pipeline.state.shaders[AMD_STAGE_PS].wave_size / 4u;
   const uint32_t waves = (uint32_t)div_round_up(count, quads_per_wave);
   struct amd_launch quads = {.p = &pipeline, .first = first, .count = count, .quads_per_wave = quads_per_wave};
   struct amd_launch blocks = quads;
   pipeline.by_blocks = false;
   amd_spi_ps_list_prims(&quads, waves);
   struct dynarray params = memory.params, wave_params = memory.wave_params;
   memory.params = memory.wave_params = (struct dynarray){0};
   pipeline.by_blocks = true;
   amd_spi_ps_list_prims(&blocks, waves);
   for (uint32_t w = 0; w < waves; w++)
      compare_wave(&quads, &blocks, w);
   choose_memory(0);
   commit(&quads, waves, false, exports_seed);
   const uint64_t passed = pipeline.samples_passed;
   choose_memory(1);
   commit(&blocks, waves, tiles, exports_seed);
   assert_int_equal(pipeline.samples_passed, 2 * passed);
   struct dynarray *arrays[] = {&params, &wave_params, &memory.params, &memory.wave_params};
   for (unsigned i = 0; i < ARRAY_SIZE(arrays); i++)
      dynarray_free(arrays[i]);
}

/* Each sum and product rounded once, in both builds. */
static void
both_builds_agree(void **unused)
{
   for (unsigned n = 0; n < 2000; n++) {
      struct amd_centers planes;
      float dx[AMD_TILE_PIXELS], dy[AMD_TILE_PIXELS];
      uint32_t i[2][AMD_TILE_PIXELS], j[2][AMD_TILE_PIXELS];
      const float x = (float)random_below(4096), y = (float)random_below(4096);
      const unsigned count = 4 * (1 + random_below(AMD_BLOCK_QUADS));
      for (unsigned k = 0; k < 3; k++) {
         planes.one_w[k] = (float)(1 + random_below(4096)) / 3.0f;
         planes.i_w[k] = (float)random_below(4096) / 7.0f - 300.0f;
         planes.j_w[k] = (float)random_below(4096) / 1234.5f - 1.0f;
      }
      for (unsigned k = 0; k < AMD_TILE_PIXELS; k++) {
         dx[k] = (float)random_below(8) + 0.5f;
         dy[k] = (float)random_below(8) + 0.5f;
      }
      amd_centers_base(&planes, x, y, dx, dy, count, i[0], j[0]);
      amd_spi_ps_centers()(&planes, x, y, dx, dy, count, i[1], j[1]);
      for (unsigned k = 0; k < count; k++) {
         const volatile float px = x + dx[k], py = y + dy[k];
         const volatile float w_x = px * planes.one_w[0], w_y = py * planes.one_w[1], w_sum = w_x + w_y;
         const volatile float i_x = px * planes.i_w[0], i_y = py * planes.i_w[1], i_sum = i_x + i_y;
         const volatile float one_w = w_sum + planes.one_w[2], w = 1.0f / one_w, over_w = i_sum + planes.i_w[2];
         const volatile float expected = over_w * w;
         assert_int_equal(i[0][k], float_bits(expected));
         assert_int_equal(i[1][k], i[0][k]);
         assert_int_equal(j[1][k], j[0][k]);
      }
   }
}

static void
blocks_are_their_quads(void **unused)
{
   unsigned drawn = 0, late = 0;
   for (unsigned n = 0; n < 1200; n++) {
      const struct amd_chip *chip = random_chip();
      model.traits = &amd_traits[chip->gen];
      pipeline = (struct amd_pipeline){.gpu = &gpu, .memory = &memory};
      if (random_state(chip) && pipeline.state.samples.positions.count == 1) {
         random_inputs();
         random_blocks();
         const uint32_t quads = (uint32_t)dynarray_count(&memory.quads, struct amd_quad);
         const uint32_t first = random_below(2) ? 0 : random_below(quads);
         run_both(first, 1 + random_below(quads - first), random_below(4), seed);
         drawn++;
         late += !pipeline.test_at_raster;
      }
      compare_and_free();
   }
   assert_true(drawn > 80 && late > 20);
}

static int
start(void **state)
{
   seed = 20261123;
   gpu = (struct amd_gpu){.model = &model, .pool = sim_pool_create(2)};
   memory.bins = calloc(BINS, sizeof(*memory.bins));
   return 0;
}

static int
end(void **state)
{
   sim_pool_destroy(gpu.pool);
   for (unsigned b = 0; b < BINS; b++) {
      dynarray_free(&memory.bins[b].quads);
      dynarray_free(&memory.bins[b].blocks);
   }
   free(memory.bins);
   struct dynarray *arrays[] = {&memory.prims,        &memory.quads,   &memory.blocks,
                                &memory.touched_bins, &memory.exports, &memory.vertex_data};
   for (unsigned i = 0; i < ARRAY_SIZE(arrays); i++)
      dynarray_free(arrays[i]);
   return 0;
}

int
main(void)
{
   const struct CMUnitTest tests[] = {cmocka_unit_test_setup_teardown(tiles_are_their_quads, start, end),
                                      cmocka_unit_test_setup_teardown(blocks_are_their_quads, start, end),
                                      cmocka_unit_test(both_builds_agree)};
   return cmocka_run_group_tests(tests, NULL, NULL);
}
