/* Scan conversion: coverage of primitives per bin of the screen, early depth tests, quads. */
#include <string.h>

#include "amd/sim/batch/blocks.h"
#include "amd/sim/batch/tiles.h"
#include "amd/sim/pa/pa_private.h"
#include "amd/sim/rb/rb.h"
#include "util/macros.h"
#include "util/within_memory.h"

enum { BLOCK_PX = SIM_RASTER_BLOCK_PX };

struct bin_task {
   struct amd_pipeline *p;
   struct amd_bin *bin;
   int32_t x0, y0; /* px */
   bool tests;     /* depth or stencil, or samples count */
   uint32_t quads; /* in blocks */
   uint64_t samples_passed, invocations;
   uint64_t unmasked[SIM_RASTER_MAX_SAMPLES]; /* pixels of a block whose samples the mask lets through */
   struct amd_htile_memo htile;
};

/* The part of a quad that one run of the pixel shader is for. False: nothing. */
static bool
take_iteration(const struct amd_sample_state *samples, struct amd_quad *quad, unsigned iteration)
{
   unsigned mask = 0, any = 0;
   if (amd_quad_is_coarse(quad))
      return !iteration; /* all samples at once */
   for (unsigned s = iteration; s < samples->positions.count; s += samples->iterations)
      mask |= 1u << s;
   for (unsigned i = 0; i < 4; i++) {
      quad->cover[i] &= (uint8_t)mask;
      any |= quad->cover[i];
   }
   quad->iteration = (uint8_t)iteration;
   return any;
}

/* One quad per run of the pixel shader, from a primitive's quads after the first ones of the bin: all of them for
 * the first samples, then all for the next (assumed). Those of one place follow each other at a distance, so that
 * ordered ones, which must not share a wave, still fill waves. */
static void
split_quads(struct bin_task *t, uint32_t first)
{
   const struct amd_sample_state *samples = &t->p->state.samples;
   struct dynarray *quads = &t->bin->quads;
   uint32_t count = (uint32_t)dynarray_count(quads, struct amd_quad) - first;
   if (samples->iterations == 1 || !count)
      return;
   dynarray_grow(quads, samples->iterations * count * sizeof(struct amd_quad));
   struct amd_quad *part = dynarray_at(quads, struct amd_quad, first), *whole = part + samples->iterations * count;
   memcpy(whole, part, count * sizeof(*part));
   for (unsigned n = 0; n < samples->iterations; n++) {
      for (uint32_t q = 0; q < count; q++) {
         *part = whole[q];
         part += take_iteration(samples, part, n);
      }
   }
   quads->size_B = (size_t)((char *)part - (char *)quads->data);
}

/* Samples of a block's pixels, row by row. */
struct block_cover {
   uint8_t at[BLOCK_PX][BLOCK_PX];
};

/* Bit i of the eight to byte i, as 0 or 1. */
static inline uint64_t
spread_bits(uint64_t bits)
{
   const uint64_t each = UINT64_C(0x0101010101010101), own_bit = UINT64_C(0x8040201008040201);
   return (((bits & 0xff) * each & own_bit) + ~(each << 7)) >> 7 & each;
}

static void
fill_cover(struct block_cover *cover, unsigned samples, const uint64_t *masks)
{
   for (unsigned y = 0; y < BLOCK_PX; y++) {
      uint64_t row = 0;
      for (unsigned s = 0; s < samples; s++)
         row |= spread_bits(masks[s] >> y * BLOCK_PX) << s;
      memcpy(cover->at[y], &row, sizeof(row));
   }
}

/* What is covered of a block: inside of the primitive, and what tests left of it. */
struct block_quads {
   struct block_cover raster, cover;
   uint64_t all; /* pixels of cover */
};

static void
set_coarse_pixel(struct amd_quad *quad, unsigned i, const struct block_quads *block, unsigned x, unsigned y)
{
   unsigned raster = 0, cover = 0;
   for (unsigned k = 0; k < AMD_COARSE_PIXELS; k++) {
      unsigned px = x + (k & 1), py = y + (k >> 1);
      if (!amd_quad_has_part(quad, k))
         continue;
      raster |= block->raster.at[py][px];
      cover |= block->cover.at[py][px];
      quad->part[i][k] = block->cover.at[py][px];
   }
   quad->raster[i] = (uint8_t)raster;
   quad->cover[i] = (uint8_t)cover;
}

/* Four pixels of 2 x 2 each. part: NULL, or the samples of each one's parts. Returns what each one has. */
static inline uint32_t
set_square_pixels(const struct block_cover *cover, unsigned x, unsigned y, uint8_t (*part)[AMD_COARSE_PIXELS])
{
   uint32_t any = 0;
   for (unsigned half = 0; half < 2; half++) {
      uint32_t above, below;
      memcpy(&above, &cover->at[y + 2 * half][x], 4);
      memcpy(&below, &cover->at[y + 2 * half + 1][x], 4);
      const uint32_t words[2] = {(above & 0xffff) | below << 16, above >> 16 | (below & 0xffff0000)};
      if (part)
         memcpy(part[2 * half], words, sizeof(words));
      for (unsigned i = 0; i < 2; i++) {
         uint32_t samples = words[i] | words[i] >> 16;
         any |= ((samples | samples >> 8) & 0xff) << (16 * half + 8 * i);
      }
   }
   return any;
}

static void
set_coarse_pixels(struct amd_quad *quad, const struct block_quads *block, unsigned x, unsigned y, bool squares)
{
   if (!squares) {
      for (unsigned i = 0; i < 4; i++)
         set_coarse_pixel(quad, i, block, x + amd_quad_dx(quad, i), y + amd_quad_dy(quad, i));
      return;
   }
   const uint32_t raster = set_square_pixels(&block->raster, x, y, NULL),
                  cover = set_square_pixels(&block->cover, x, y, quad->part);
   memcpy(quad->raster, &raster, 4);
   memcpy(quad->cover, &cover, 4);
}

static void
emit_coarse_quads(struct bin_task *t, const struct amd_quad *like, const struct block_quads *block)
{
   const unsigned wide = 2u << like->rate.x_log2, high = 2u << like->rate.y_log2;
   const bool squares = wide == 4 && high == 4;
   struct dynarray *quads = &t->bin->quads;
   struct amd_quad *quad = dynarray_grow(quads, 16 * sizeof(*quad)), *first = quad;
   for (unsigned qy = 0; qy < BLOCK_PX; qy += high) {
      for (unsigned qx = 0; qx < BLOCK_PX; qx += wide) {
         *quad = (struct amd_quad){
            .prim = like->prim, .x = (uint16_t)(like->x + qx), .y = (uint16_t)(like->y + qy), .rate = like->rate};
         set_coarse_pixels(quad, block, qx, qy, squares);
         quad += amd_cover_word(quad->cover) != 0;
      }
   }
   quads->size_B -= (size_t)(16 - (quad - first)) * sizeof(*quad);
}

static void
emit_quads(struct bin_task *t, const struct amd_quad *like, const struct block_quads *block)
{
   struct dynarray *quads = &t->bin->quads;
   struct amd_quad *quad = dynarray_grow(quads, 16 * sizeof(*quad)), *first = quad;
   for (unsigned q = 0; q < 16; q++) {
      unsigned qx = q % 4 * 2, qy = q / 4 * 2;
      if (!(block->all >> (qy * BLOCK_PX + qx) & 0x303))
         continue;
      *quad = (struct amd_quad){
         .prim = like->prim, .x = (uint16_t)(like->x + qx), .y = (uint16_t)(like->y + qy), .rate = like->rate};
      for (unsigned row = 0; row < 2; row++) {
         memcpy(quad->raster + 2 * row, &block->raster.at[qy + row][qx], 2);
         memcpy(quad->cover + 2 * row, &block->cover.at[qy + row][qx], 2);
      }
      quad++;
   }
   quads->size_B -= (size_t)(16 - (quad - first)) * sizeof(*quad);
}

/* Of one sample: pixels that continue, and those inside of the primitive. */
static void
emit_quads_at_once(struct bin_task *t, uint32_t index, int32_t x, int32_t y, uint64_t cover, uint64_t raster)
{
   struct amd_block *block = dynarray_grow(&t->bin->blocks, sizeof(*block));
   amd_block_set(block, index, (uint32_t)x, (uint32_t)y, cover, raster);
   block->first_quad = t->quads;
   t->quads += block->count;
   t->invocations += amd_tile_count(cover);
}

/* Quads of the rate that have some of a block's pixels. */
static unsigned
count_quads(uint64_t pixels, struct amd_shading_rate rate)
{
   const uint64_t columns = rate.x_log2 ? UINT64_C(0x1111111111111111) : UINT64_C(0x5555555555555555),
                  rows = rate.y_log2 ? UINT64_C(0x000000ff000000ff) : UINT64_C(0x00ff00ff00ff00ff);
   pixels |= pixels >> 1;
   pixels |= rate.x_log2 ? pixels >> 2 : 0;
   pixels |= pixels >> BLOCK_PX;
   pixels |= rate.y_log2 ? pixels >> 2 * BLOCK_PX : 0;
   return (unsigned)__builtin_popcountll(pixels & columns & rows);
}

/* A tile in place of quads, where all pixels of the primitive export the same. all: pixels that the masks have. */
static void
emit_tile(struct bin_task *t, const struct amd_quad *like, unsigned samples, const uint64_t *masks, uint64_t all)
{
   struct amd_alike_tile *tile = dynarray_grow(&t->bin->tiles, amd_alike_tile_B(samples));
   tile->prim = like->prim;
   tile->x = like->x;
   tile->y = like->y;
   memcpy(tile->cover, masks, samples * sizeof(*masks));
   t->bin->tile_quads += count_quads(all, like->rate);
   t->invocations += amd_tile_count(all);
}

static uint64_t
unmasked_pixels(const struct amd_sample_state *samples, unsigned sample)
{
   uint64_t pixels = 0;
   for (unsigned i = 0; i < 4; i++)
      pixels |= samples->mask[i] >> sample & 1 ? amd_places_of_quad[i] : 0;
   return pixels;
}

/* Early depth. */
static void
test_block(struct bin_task *t, const struct amd_prim *prim, int32_t x, int32_t y, unsigned samples, uint64_t *left)
{
   amd_db_test_tile(&t->p->state, &t->htile, prim, (uint32_t)x, (uint32_t)y, t->p->test_at_raster, left);
   for (unsigned s = 0; s < samples && t->p->test_at_raster; s++)
      t->samples_passed += amd_tile_count(left[s]);
}

/* A block is a tile of the surface. */
static struct amd_shading_rate
block_rate(const struct amd_pipeline *p, const struct amd_prim *prim, int32_t x, int32_t y)
{
   const struct amd_shading_rate_state *rate = &p->state.rate;
   return rate->by_surface ? amd_shading_rate_at(rate, prim->rate, (uint32_t)x, (uint32_t)y, prim->layer)
                           : prim->rate;
}

static void
note_coarse(struct amd_pipeline *p, const struct amd_quad *quad)
{
   if (p->gpu->model->traits->coarse_8x_hangs && p->state.samples.positions.count == 8 && amd_quad_is_coarse(quad))
      __atomic_store_n(&p->coarse_hangs, 1, __ATOMIC_RELAXED);
}

/* masks: of samples inside of the primitive; they become what is left of them. */
static void
emit_block(struct bin_task *t, uint32_t index, const struct amd_prim *prim, int32_t x, int32_t y, uint64_t *masks)
{
   const struct amd_sample_state *samples = &t->p->state.samples;
   const unsigned of_surfaces = amd_surface_samples(samples);
   struct block_quads block; /* covers are filled when something is left */
   block.all = 0;
   for (unsigned s = 0; s < samples->positions.count; s++) {
      masks[s] &= t->unmasked[s];
      block.all |= masks[s];
   }
   if (!block.all)
      return;
   const uint64_t raster = block.all;
   if (!t->p->by_blocks && !t->p->alike)
      fill_cover(&block.raster, samples->positions.count, masks);
   for (unsigned s = 0; s < of_surfaces && samples->folded; s++)
      masks[s] = block.all;
   if (t->tests)
      test_block(t, prim, x, y, of_surfaces, masks);
   block.all = 0;
   for (unsigned s = 0; s < of_surfaces; s++)
      block.all |= masks[s];
   if (!block.all || (t->p->test_at_raster && !t->p->shade))
      return;
   if (t->p->by_blocks) {
      emit_quads_at_once(t, index, x, y, block.all, raster);
      return;
   }
   const struct amd_quad like = {
      .prim = index, .x = (uint16_t)x, .y = (uint16_t)y, .rate = block_rate(t->p, prim, x, y)};
   note_coarse(t->p, &like);
   if (t->p->alike) {
      emit_tile(t, &like, of_surfaces, masks, block.all);
      return;
   }
   fill_cover(&block.cover, of_surfaces, masks);
   if (amd_quad_is_coarse(&like))
      emit_coarse_quads(t, &like, &block);
   else
      emit_quads(t, &like, &block);
}

/* Whether the primitive has all samples of the bin. */
static bool
fills_bin(const struct bin_task *t, const struct amd_prim *prim)
{
   const struct amd_draw_state *state = &t->p->state;
   const struct amd_rect *area = &prim->area;
   return !t->p->gpu->reference && area->x0 <= t->x0 && area->x1 >= t->x0 + AMD_BIN_PX && area->y0 <= t->y0 &&
          area->y1 >= t->y0 + AMD_BIN_PX && !prim->estimated && !state->stipple.enable && !state->clip_rects.enable &&
          sim_raster_covers(&prim->poly, t->x0, t->y0, AMD_BIN_PX);
}

/* Samples of a block inside of the primitive, of its bounds and of what masks single pixels; the union. */
static uint64_t
cover_block(const struct bin_task *t, const struct amd_prim *prim, int32_t x, int32_t y, uint64_t *masks)
{
   const struct sim_raster_samples *samples = &t->p->state.samples.positions;
   uint64_t all = prim->estimated || t->p->state.samples.by_pixel
                     ? amd_sc_cover(&t->p->state.samples, prim, x, y, masks)
                     : sim_raster_block(&prim->poly, samples, x, y, masks);
   if (!all)
      return 0;
   uint64_t inside = amd_rect_mask(&prim->area, x, y);
   if (t->p->state.stipple.enable || t->p->state.clip_rects.enable)
      inside &= amd_sc_mask(&t->p->state, prim, x, y);
   if (inside != UINT64_MAX) {
      for (unsigned s = 0; s < samples->count; s++)
         masks[s] &= inside;
      all &= inside;
   }
   return all;
}

static void
raster_prim(struct bin_task *t, uint32_t index)
{
   const struct amd_prim *prim = dynarray_at(&t->p->memory->prims, struct amd_prim, index);
   int32_t x0 = MAX2(prim->area.x0, t->x0) & ~(BLOCK_PX - 1), x1 = MIN2(prim->area.x1, t->x0 + AMD_BIN_PX);
   int32_t y0 = MAX2(prim->area.y0, t->y0) & ~(BLOCK_PX - 1), y1 = MIN2(prim->area.y1, t->y0 + AMD_BIN_PX);
   if (x1 - x0 > 2 * BLOCK_PX && !t->p->gpu->reference &&
       !sim_raster_may_cover(&prim->poly, t->x0, t->y0, AMD_BIN_PX))
      return;
   const bool fills = fills_bin(t, prim);
   for (int32_t y = y0; y < y1; y += BLOCK_PX) {
      for (int32_t x = x0; x < x1; x += BLOCK_PX) {
         uint64_t masks[SIM_RASTER_MAX_SAMPLES];
         masks[0] = UINT64_MAX; /* memset() of a word: what reads it soon would wait */
         for (unsigned s = 1; fills && s < t->p->state.samples.positions.count; s++)
            masks[s] = UINT64_MAX;
         uint64_t all = fills ? UINT64_MAX : cover_block(t, prim, x, y, masks);
         if (all && t->p->state.depth.htile.culls &&
             amd_htile_culls(&t->p->state, &t->htile, prim, (uint32_t)x, (uint32_t)y))
            continue;
         if (all)
            emit_block(t, index, prim, x, y, masks);
      }
   }
}

/* Pixels with a covered sample: helper invocations do not count, and coarse pixels do as often as they have pixels
 * (observed: Mesa's results of piglit on GFX10.3 and GFX11, whose driver shades so what a query counts by the pixel).
 */
static void
count_invocations(struct bin_task *t)
{
   dynarray_for_each(struct amd_quad, quad, &t->bin->quads) {
      bool coarse = amd_quad_is_coarse(quad);
      for (unsigned i = 0; i < 4; i++) {
         for (unsigned part = 0; part < AMD_COARSE_PIXELS && coarse; part++)
            t->invocations += quad->part[i][part] != 0;
         t->invocations += !coarse && quad->cover[i];
      }
   }
}

static void
raster_bin(void *data, unsigned task)
{
   struct amd_pipeline *p = data;
   uint32_t number = *dynarray_at(&p->memory->touched_bins, uint32_t, task);
   struct bin_task t = {.p = p,
                        .bin = &p->memory->bins[number],
                        .x0 = (int32_t)(number % p->bins_wide) * AMD_BIN_PX,
                        .y0 = (int32_t)(number / p->bins_wide) * AMD_BIN_PX,
                        .tests = p->test_at_raster ? p->state.depth.any || p->state.depth.count_samples
                                                   : p->state.depth.early_reject};
   for (unsigned s = 0; s < p->state.samples.positions.count; s++)
      t.unmasked[s] = unmasked_pixels(&p->state.samples, s);
   dynarray_for_each(uint32_t, index, &t.bin->prims) {
      uint32_t first = (uint32_t)dynarray_count(&t.bin->quads, struct amd_quad);
      raster_prim(&t, *index);
      split_quads(&t, first);
   }
   amd_htile_close(&p->state.depth, &t.htile);
   if (*p->gpu->stats_on)
      count_invocations(&t);
   __atomic_fetch_add(&p->samples_passed, t.samples_passed, __ATOMIC_RELAXED);
   __atomic_fetch_add(&p->pixel_invocations, t.invocations, __ATOMIC_RELAXED);
}

static void
size_bins(struct amd_pipeline *p, uint32_t first, uint32_t end)
{
   struct amd_draw_memory *m = p->memory;
   int32_t x1 = 1, y1 = 1;
   for (uint32_t i = first; i < end; i++) {
      const struct amd_prim *prim = dynarray_at(&m->prims, struct amd_prim, i);
      x1 = MAX2(x1, prim->area.x1);
      y1 = MAX2(y1, prim->area.y1);
   }
   p->bins_wide = (uint32_t)div_round_up((uint64_t)x1, AMD_BIN_PX);
   p->bins_high = (uint32_t)div_round_up((uint64_t)y1, AMD_BIN_PX);
   unsigned count = p->bins_wide * p->bins_high;
   if (count > m->bin_count) {
      m->bins = need_realloc("bins", m->bins, count * sizeof(*m->bins));
      memset(m->bins + m->bin_count, 0, (count - m->bin_count) * sizeof(*m->bins));
      m->bin_count = count;
   }
}

static void
fill_bins(struct amd_pipeline *p, uint32_t first, uint32_t end)
{
   struct amd_draw_memory *m = p->memory;
   dynarray_for_each(uint32_t, number, &m->touched_bins) {
      m->bins[*number].prims.size_B = 0;
      m->bins[*number].quads.size_B = 0;
      m->bins[*number].blocks.size_B = 0;
      m->bins[*number].tiles.size_B = 0;
      m->bins[*number].tile_quads = 0;
   }
   m->touched_bins.size_B = 0;
   for (uint32_t i = first; i < end; i++) {
      const struct amd_rect *area = &dynarray_at(&m->prims, struct amd_prim, i)->area;
      uint32_t bx0 = (uint32_t)area->x0 / AMD_BIN_PX, bx1 = (uint32_t)(area->x1 - 1) / AMD_BIN_PX;
      uint32_t by0 = (uint32_t)area->y0 / AMD_BIN_PX, by1 = (uint32_t)(area->y1 - 1) / AMD_BIN_PX;
      for (uint32_t by = by0; by <= by1; by++) {
         for (uint32_t bx = bx0; bx <= bx1; bx++) {
            struct amd_bin *bin = &m->bins[by * p->bins_wide + bx];
            if (!bin->prims.size_B)
               dynarray_append(&m->touched_bins, uint32_t, by * p->bins_wide + bx);
            dynarray_append(&bin->prims, uint32_t, i);
         }
      }
   }
}

/* A bin's quads to their place in the list. */
enum { WORTH_THREADS = 4096 /* quads */ };
static void
list_quads(void *data, unsigned task)
{
   struct amd_draw_memory *m = ((struct amd_pipeline *)data)->memory;
   const struct amd_bin *bin = &m->bins[*dynarray_at(&m->touched_bins, uint32_t, task)];
   if (bin->quads.size_B)
      memcpy(dynarray_at(&m->quads, struct amd_quad, bin->first_quad), bin->quads.data, bin->quads.size_B);
}

/* Bins' blocks one after another. */
static void
list_blocks(struct amd_draw_memory *m)
{
   uint32_t quads = 0;
   m->blocks.size_B = 0;
   dynarray_for_each(uint32_t, number, &m->touched_bins) {
      struct amd_bin *bin = &m->bins[*number];
      bin->first_block = (uint32_t)dynarray_count(&m->blocks, struct amd_block);
      if (!bin->blocks.size_B)
         continue;
      struct amd_block *block = dynarray_grow(&m->blocks, bin->blocks.size_B);
      dynarray_for_each(struct amd_block, from, &bin->blocks) {
         *block = *from;
         block++->first_quad += quads;
      }
      quads = block[-1].first_quad + block[-1].count;
   }
}

/* Whether quads go in blocks. Ordered waves take them one by one, and what looks for races asks for each. */
static bool
makes_blocks(const struct amd_pipeline *p, uint32_t first, uint32_t end)
{
   const struct amd_sample_state *samples = &p->state.samples;
   if (samples->positions.count != 1 || samples->iterations != 1 || p->state.pops.enable || p->gpu->races ||
       p->state.rate.by_surface || p->gpu->reference)
      return false;
   for (uint32_t i = first; i < end; i++) {
      const struct amd_shading_rate rate = dynarray_at(&p->memory->prims, struct amd_prim, i)->rate;
      if (rate.x_log2 | rate.y_log2)
         return false;
   }
   return true;
}

void
amd_sc_run(struct amd_pipeline *p, uint32_t first, uint32_t end)
{
   struct amd_draw_memory *m = p->memory;
   p->by_blocks = !p->alike && makes_blocks(p, first, end);
   size_bins(p, first, end);
   fill_bins(p, first, end);
   sim_pool_run(p->gpu->pool, (unsigned)dynarray_count(&m->touched_bins, uint32_t), raster_bin, p);
   m->quads.size_B = 0;
   if (p->by_blocks) {
      list_blocks(m);
      return;
   }
   uint32_t quads = 0;
   const unsigned bins = (unsigned)dynarray_count(&m->touched_bins, uint32_t);
   dynarray_for_each(uint32_t, number, &m->touched_bins) {
      m->bins[*number].first_quad = quads;
      quads += (uint32_t)dynarray_count(&m->bins[*number].quads, struct amd_quad);
   }
   if (quads)
      dynarray_grow(&m->quads, quads * sizeof(struct amd_quad));
   if (quads >= WORTH_THREADS)
      sim_pool_run(p->gpu->pool, bins, list_quads, p);
   for (unsigned i = 0; i < bins && quads < WORTH_THREADS; i++)
      list_quads(p, i);
}
