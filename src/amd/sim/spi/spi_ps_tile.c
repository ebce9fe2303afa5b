/* Quads of a tile of 8 x 8 pixels become depth and colour together, where nothing but their covers differs. */
#include <string.h>

#include "amd/hw/registers.h"
#include "amd/sim/spi/spi_ps.h"
#include "sim/texel/texel4.h"
#include "util/macros.h"

/* Quads that follow each other in the list, in a wave and in a tile, row by row. */
struct run {
   const struct amd_quad *quads;
   uint32_t count, wave;
   unsigned lane; /* of the first one's first pixel */
   bool coarse;
};

bool
amd_spi_ps_takes_tiles(const struct amd_launch *l)
{
   const struct amd_draw_state *state = &l->p->state;
   return !l->p->gpu->reference && !l->place && state->pixel.z_format == V_SPI_SHADER_ZERO &&
          !state->depth.alpha_to_mask && amd_cb_takes_tiles(&state->color);
}

static inline unsigned
place_of(const struct amd_quad *quad)
{
   return quad->y % AMD_TILE_PX / 2 * 4 + quad->x % AMD_TILE_PX / 2;
}

static struct run
find_run(const struct amd_launch *l, uint32_t index, uint32_t end)
{
   const struct amd_quad *quad = dynarray_at(&l->p->memory->quads, struct amd_quad, l->first + index), *last = quad;
   struct run run = {.quads = quad,
                     .wave = index / l->quads_per_wave,
                     .lane = index % l->quads_per_wave * 4,
                     .coarse = amd_quad_is_coarse(quad)};
   const uint32_t most = MIN2(MIN2(end - index, l->quads_per_wave - index % l->quads_per_wave), 16u);
   for (run.count = 1; run.count < most; run.count++, last++) {
      const struct amd_quad *next = last + 1;
      if (next->prim != quad->prim || next->rate.x_log2 != quad->rate.x_log2 ||
          next->rate.y_log2 != quad->rate.y_log2 || ((next->x ^ quad->x) | (next->y ^ quad->y)) >= 8 ||
          place_of(next) <= place_of(last))
         break;
   }
   return run;
}

/* Four bytes 0 or 1, a pixel of a square of 2 x 2 each, to their places in the tile. */
static inline uint64_t
tile_bits(uint32_t bytes, unsigned place)
{
   const uint32_t bits = bytes * 0x01020408 >> 24 & 15;
   return (uint64_t)((bits & 3) | (bits & 12) << 6) << (place / 4 * 16 + place % 4 * 2);
}

/* Bytes of pixels that live, of four lanes. */
static inline uint32_t
live_bytes(uint64_t exec)
{
   return ((uint32_t)(exec & 15) * 0x00204081 & 0x01010101) * 0xff;
}

static inline bool
is_square(const struct amd_quad *quad)
{
   return quad->rate.x_log2 == 1 && quad->rate.y_log2 == 1;
}

/* The place of a lane's 2 x 2 pixels. */
static inline unsigned
square_place(const struct amd_quad *quad, unsigned lane)
{
   return place_of(quad) + lane / 2 * 4 + lane % 2;
}

/* Pixels of a quad that have the sample. */
static inline uint64_t
quad_pixels(const struct amd_quad *quad, bool coarse, uint64_t exec, unsigned sample)
{
   uint64_t pixels = 0;
   if (!coarse)
      return tile_bits((amd_cover_word(quad->cover) & live_bytes(exec)) >> sample & 0x01010101, place_of(quad));
   if (is_square(quad) && (~exec & 15) == 0) {
      uint32_t parts[4];
      memcpy(parts, quad->part, sizeof(parts));
      if (!(~(parts[0] & parts[1] & parts[2] & parts[3]) >> sample & 0x01010101))
         return UINT64_C(0x0f0f0f0f) << (place_of(quad) / 4 * 16 + place_of(quad) % 4 * 2);
   }
   for (unsigned i = 0; i < 4; i++) {
      if (!(exec >> i & 1))
         continue;
      if (is_square(quad)) {
         pixels |= tile_bits(amd_cover_word(quad->part[i]) >> sample & 0x01010101, square_place(quad, i));
         continue;
      }
      const struct amd_pixels px = amd_quad_parts(quad, i);
      pixels |= tile_bits(amd_cover_word(px.cover) >> sample & 0x01010101,
                          px.y % AMD_TILE_PX / 2 * 4 + px.x % AMD_TILE_PX / 2);
   }
   return pixels;
}

static bool
find_cover(const struct amd_launch *l, const struct run *run, struct amd_cb_tile *tile)
{
   const uint64_t exec = l->out[run->wave].exec >> run->lane;
   uint64_t any = 0;
   for (unsigned s = 0; s < tile->samples; s++) {
      uint64_t pixels = 0;
      for (uint32_t q = 0; q < run->count; q++)
         pixels |= quad_pixels(&run->quads[q], run->coarse, exec >> 4 * q, s);
      tile->cover[s] = pixels;
      any |= pixels;
   }
   return any;
}

/* Texels of a quad's four lanes to their pixels. */
static inline void
place_quad(uint32_t tile[AMD_TILE_PIXELS], const struct amd_quad *quad, const uint32_t texels[4])
{
   if (!amd_quad_is_coarse(quad)) {
      memcpy(tile + 4 * place_of(quad), texels, 16);
      return;
   }
   for (unsigned i = 0; i < 4 && is_square(quad); i++) {
      const v4u same = v4_splat_bits(texels[i]);
      memcpy(tile + 4 * square_place(quad, i), &same, sizeof(same));
   }
   for (unsigned i = 0; i < 4 && !is_square(quad); i++) {
      const unsigned x = quad->x % AMD_TILE_PX + amd_quad_dx(quad, i),
                     y = quad->y % AMD_TILE_PX + amd_quad_dy(quad, i);
      for (unsigned k = 0; k < AMD_COARSE_PIXELS; k++)
         if (amd_quad_has_part(quad, k))
            tile[amd_tile_lane((y + (k >> 1)) * AMD_TILE_PX + x + (k & 1))] = texels[i];
   }
}

/* Four lanes at a time, of whatever formats. */
static void
encode_lanes(const struct amd_target_state *t, const struct amd_export_lanes *lanes, unsigned count,
             uint32_t texels[4][AMD_WAVE_MAX_LANES])
{
   for (unsigned lane = 0; lane < count; lane += 4) {
      v4u rgba[4], memory[4], words[4];
      amd_spi_ps_read_export(lanes, lane, rgba);
      for (unsigned i = 0; i < t->format.components; i++)
         memory[i] = rgba[t->component[i]];
      sim_texel_encode4(&t->format, memory, words);
      for (unsigned w = 0; 4 * w < t->format.size_B; w++)
         memcpy(&texels[w][lane], &words[w], sizeof(words[w]));
   }
}

void
amd_spi_ps_encode(const struct amd_launch *l, uint32_t wave, unsigned slot, const struct amd_export_lanes *lanes,
                  uint64_t which)
{
   const struct amd_target_state *t = &l->p->state.color.target[l->target[slot]];
   const unsigned count = l->quads_per_wave * 4;
   _Alignas(32) uint32_t texels[4][AMD_WAVE_MAX_LANES];
   uint32_t *to = amd_launch_texels(l, wave, slot);
   const unsigned plain = lanes->compressed ? V_SPI_SHADER_FP16_ABGR : V_SPI_SHADER_32_ABGR;
   const bool whole = lanes->en == 15 && lanes->format == plain, all = which == UINT64_MAX;
   if (whole && amd_cb_encode_lanes(t, lanes->v, lanes->compressed, count, all ? to : texels[0])) {
      if (all)
         return;
   } else {
      encode_lanes(t, lanes, count, texels);
   }
   for (unsigned w = 0; 4 * w < t->format.size_B; w++, to += count) {
      if (all)
         memcpy(to, texels[w], count * 4);
      for (unsigned lane = 0; lane < count && !all; lane++)
         to[lane] = which >> lane & 1 ? texels[w][lane] : to[lane];
   }
}

/* Texels of a target that the shader did not give a colour. */
static void
place_zero(const struct amd_target_state *t, uint32_t words[4][AMD_TILE_PIXELS])
{
   const v4u zero[4] = {{0}};
   v4u texels[4];
   sim_texel_encode4(&t->format, zero, texels);
   for (unsigned w = 0; 4 * w < t->format.size_B; w++)
      for (unsigned i = 0; i < AMD_TILE_PIXELS; i++)
         words[w][i] = texels[w][0];
}

static void
place_texels(const struct amd_launch *l, const struct run *run, struct amd_cb_tile *tile)
{
   const struct amd_color_state *color = &l->p->state.color;
   for (unsigned i = 0; i < color->count; i++) {
      const struct amd_target_state *t = &color->target[i];
      if (!t->enable)
         continue;
      if (!(l->out[run->wave].present >> t->export & 1)) {
         place_zero(t, tile->words[i]);
         continue;
      }
      const uint32_t *texels = amd_launch_texels(l, run->wave, t->export) + run->lane;
      for (unsigned w = 0; 4 * w < t->format.size_B; w++, texels += l->quads_per_wave * 4)
         for (uint32_t q = 0; q < run->count; q++)
            place_quad(tile->words[i][w], &run->quads[q], texels + 4 * q);
   }
}

uint32_t
amd_spi_ps_commit_tile(struct amd_commit *commit, uint32_t index, uint32_t end)
{
   const struct amd_launch *l = commit->l;
   const struct amd_pipeline *p = l->p;
   const struct run run = find_run(l, index, end);
   struct amd_cb_tile tile;
   const struct amd_prim *prim = dynarray_at(&p->memory->prims, struct amd_prim, run.quads->prim);
   tile.x = run.quads->x & ~(AMD_TILE_PX - 1u);
   tile.y = run.quads->y & ~(AMD_TILE_PX - 1u);
   tile.samples = amd_surface_samples(&p->state.samples);
   if (index + run.count < end) {
      const struct amd_quad *next = run.quads + run.count;
      amd_cb_expect_tile(&p->state.color, next->x & ~(AMD_TILE_PX - 1u), next->y & ~(AMD_TILE_PX - 1u), prim->layer);
   }
   if (!find_cover(l, &run, &tile))
      return run.count;
   if (!p->test_at_raster) {
      uint64_t any = 0;
      amd_db_test_tile(&p->state, &commit->htile, prim, tile.x, tile.y, true, tile.cover);
      for (unsigned s = 0; s < tile.samples; s++) {
         commit->samples_passed += amd_tile_count(tile.cover[s]);
         any |= tile.cover[s];
      }
      if (!any)
         return run.count;
   }
   place_texels(l, &run, &tile);
   amd_cb_write_tile(&p->state.color, &tile, prim->layer);
   return run.count;
}
