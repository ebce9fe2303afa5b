/* Quads of pixel waves to depth and colour: as values and quad by quad, and as texels and tile by tile. Random
 * exports, formats, covers, rates, states. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <string.h>
#include <cmocka.h>

#include "amd/sim/spi/spi_ps.h"
#include "sim/pool.h"

#include "tile_scene.h"

enum { BINS = 4, PRIMS = 3 };

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
      if (!random_target(t, chip, samples_log2))
         return false;
   }
   return amd_cb_takes_tiles(color) && (pipeline.test_at_raster || random_depth(state, chip, samples_log2));
}

/* The same launch, once for each memory. */
static void
run(unsigned which, uint32_t first, uint32_t count, uint64_t exports_seed)
{
   static struct amd_wave_export exports[2 * AMD_MAX_TARGETS];
   const uint32_t quads_per_wave = pipeline.state.shaders[AMD_STAGE_PS].wave_size / 4u;
   const uint32_t waves = (uint32_t)div_round_up(count, quads_per_wave);
   struct amd_launch l = {.p = &pipeline, .first = first, .count = count, .quads_per_wave = quads_per_wave};
   choose_targets(&pipeline.state.color, which);
   if (!pipeline.test_at_raster)
      choose_depth(&pipeline.state.depth, &areas[2 * pipeline.state.color.count], which);
   assert_true(amd_spi_ps_takes_tiles(&l));
   amd_spi_ps_allocate(&l, waves, which);
   seed = exports_seed;
   for (uint32_t w = 0; w < waves; w++) {
      const struct amd_wave_result result = {.count = random_exports(exports), .exports = exports};
      amd_spi_ps_retire(&l, w, 0, &result);
   }
   amd_spi_ps_commit(&l);
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
         run(0, first, count, exports_seed);
         const uint64_t passed = pipeline.samples_passed;
         run(1, first, count, exports_seed);
         assert_int_equal(pipeline.samples_passed, 2 * passed);
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
   for (unsigned b = 0; b < BINS; b++)
      dynarray_free(&memory.bins[b].quads);
   free(memory.bins);
   struct dynarray *arrays[] = {&memory.prims, &memory.quads, &memory.touched_bins, &memory.exports};
   for (unsigned i = 0; i < ARRAY_SIZE(arrays); i++)
      dynarray_free(arrays[i]);
   return 0;
}

int
main(void)
{
   const struct CMUnitTest tests[] = {cmocka_unit_test_setup_teardown(tiles_are_their_quads, start, end)};
   return cmocka_run_group_tests(tests, NULL, NULL);
}
