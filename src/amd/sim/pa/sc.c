/* Scan conversion: coverage of primitives per bin of the screen, early depth tests, quads. */
#include <string.h>

#include "amd/sim/draw/pipeline.h"
#include "util/macros.h"
#include "util/within_memory.h"

enum { BLOCK_PX = SIM_RASTER_BLOCK_PX };

struct bin_task {
   struct amd_pipeline *p;
   struct amd_bin *bin;
   int32_t x0, y0; /* px */
   bool tests;     /* depth or stencil, or samples count */
   uint64_t samples_passed;
   struct amd_htile_memo htile;
};

/* Early depth: what is left of the pixels' samples. */
static void
test_pixels(struct bin_task *t, const struct amd_prim *prim, struct amd_pixels *px)
{
   static const struct amd_db_export nothing = {NULL, NULL};
   const struct amd_draw_state *state = &t->p->state;
   if (t->p->test_at_raster) {
      amd_db_test(state, &t->htile, prim, &nothing, px);
      t->samples_passed += amd_cover_count(px->cover);
   } else if (state->depth.early_reject) {
      amd_db_reject(state, &t->htile, prim, px);
   }
}

/* False if nothing is left of the quad. */
static bool
test_quad(struct bin_task *t, const struct amd_prim *prim, struct amd_quad *quad)
{
   if (!t->tests) {
      for (unsigned i = 0; i < 4 && amd_quad_is_coarse(quad); i++)
         quad->cover[i] = quad->part[i][0] | quad->part[i][1] | quad->part[i][2] | quad->part[i][3];
      return amd_cover_word(quad->cover);
   }
   if (!amd_quad_is_coarse(quad)) {
      struct amd_pixels px = {quad->x, quad->y, {0}};
      memcpy(px.cover, quad->cover, 4);
      if (amd_cover_word(px.cover))
         test_pixels(t, prim, &px);
      memcpy(quad->cover, px.cover, 4);
      return amd_cover_word(px.cover);
   }
   for (unsigned i = 0; i < 4; i++) {
      struct amd_pixels px = amd_quad_parts(quad, i);
      if (amd_cover_word(px.cover))
         test_pixels(t, prim, &px);
      for (unsigned k = 0; k < AMD_COARSE_PIXELS; k++)
         if (amd_quad_has_part(quad, k))
            quad->part[i][k] = px.cover[amd_quad_part_place(quad, i, k)];
      quad->cover[i] = (uint8_t)amd_any_sample(px.cover);
   }
   return amd_cover_word(quad->cover);
}

/* The part of a quad that one run of the pixel shader is for. False: nothing. */
static bool
take_iteration(const struct amd_sample_state *samples, struct amd_quad *quad, unsigned iteration)
{
   unsigned mask = 0, any = 0;
   for (unsigned s = iteration; s < samples->positions.count; s += samples->iterations)
      mask |= 1u << s;
   for (unsigned i = 0; i < 4; i++) {
      quad->cover[i] &= (uint8_t)mask;
      any |= quad->cover[i];
   }
   quad->iteration = (uint8_t)iteration;
   return any;
}

/* One quad per run of the pixel shader, from a primitive's quads behind the first ones of the bin: all of them for
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
fill_cover(struct block_cover *cover, const struct amd_sample_state *samples, const uint64_t *masks)
{
   for (unsigned y = 0; y < BLOCK_PX; y++) {
      uint64_t row = 0;
      for (unsigned s = 0; s < samples->positions.count; s++)
         row |= spread_bits(masks[s] >> y * BLOCK_PX) << s;
      memcpy(cover->at[y], &row, sizeof(row));
   }
}

static void
set_coarse_pixel(struct amd_quad *quad, unsigned i, const struct amd_sample_state *samples,
                 const struct block_cover *cover, unsigned x, unsigned y)
{
   for (unsigned k = 0; k < AMD_COARSE_PIXELS; k++) {
      unsigned px = x + (k & 1), py = y + (k >> 1);
      if (!amd_quad_has_part(quad, k))
         continue;
      unsigned part = cover->at[py][px] & samples->mask[(py & 1) * 2 + (px & 1)];
      quad->raster[i] |= (uint8_t)part;
      quad->part[i][k] = (uint8_t)(samples->folded ? part != 0 : part);
   }
}

static void
emit_coarse_quads(struct bin_task *t, uint32_t index, const struct amd_prim *prim, struct amd_shading_rate rate,
                  int32_t x, int32_t y, const struct block_cover *cover)
{
   const unsigned wide = 1u << rate.x_log2, high = 1u << rate.y_log2;
   for (unsigned qy = 0; qy < BLOCK_PX; qy += 2 * high) {
      for (unsigned qx = 0; qx < BLOCK_PX; qx += 2 * wide) {
         struct amd_quad quad = {
            .prim = index, .x = (uint16_t)(x + (int)qx), .y = (uint16_t)(y + (int)qy), .rate = rate};
         for (unsigned i = 0; i < 4; i++)
            set_coarse_pixel(&quad, i, &t->p->state.samples, cover, qx + amd_quad_dx(&quad, i),
                             qy + amd_quad_dy(&quad, i));
         if (test_quad(t, prim, &quad) && (t->p->shade || !t->p->test_at_raster))
            dynarray_append(&t->bin->quads, struct amd_quad, quad);
      }
   }
}

static void
emit_quads(struct bin_task *t, uint32_t index, const struct amd_prim *prim, int32_t x, int32_t y, uint64_t all,
           const struct block_cover *cover)
{
   const struct amd_sample_state *samples = &t->p->state.samples;
   const uint32_t left = amd_cover_word(samples->mask);
   struct dynarray *quads = &t->bin->quads;
   struct amd_quad *quad = dynarray_grow(quads, 16 * sizeof(*quad)), *first = quad;
   for (unsigned q = 0; q < 16; q++) {
      unsigned qx = q % 4 * 2, qy = q / 4 * 2;
      if (!(all >> (qy * BLOCK_PX + qx) & 0x303))
         continue;
      *quad = (struct amd_quad){.prim = index, .x = (uint16_t)(x + (int)qx), .y = (uint16_t)(y + (int)qy)};
      memcpy(quad->raster, &cover->at[qy][qx], 2);
      memcpy(quad->raster + 2, &cover->at[qy + 1][qx], 2);
      uint32_t word = amd_cover_word(quad->raster) & left;
      memcpy(quad->raster, &word, 4);
      for (unsigned i = 0; i < 4 && samples->folded; i++)
         word = (word & ~(0xffu << 8 * i)) | (uint32_t)(quad->raster[i] != 0) << 8 * i;
      memcpy(quad->cover, &word, 4);
      quad += test_quad(t, prim, quad) && (t->p->shade || !t->p->test_at_raster);
   }
   quads->size_B -= (size_t)(16 - (quad - first)) * sizeof(*quad);
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
emit_block(struct bin_task *t, uint32_t index, const struct amd_prim *prim, int32_t x, int32_t y, uint64_t all,
           const uint64_t *masks)
{
   struct block_cover cover;
   fill_cover(&cover, &t->p->state.samples, masks);
   struct amd_shading_rate rate = block_rate(t->p, prim, x, y);
   if (rate.x_log2 | rate.y_log2)
      emit_coarse_quads(t, index, prim, rate, x, y, &cover);
   else
      emit_quads(t, index, prim, x, y, all, &cover);
}

static void
raster_prim(struct bin_task *t, uint32_t index)
{
   const struct amd_prim *prim = dynarray_at(&t->p->memory->prims, struct amd_prim, index);
   const struct sim_raster_samples *samples = &t->p->state.samples.positions;
   int32_t x0 = MAX2(prim->area.x0, t->x0) & ~(BLOCK_PX - 1), x1 = MIN2(prim->area.x1, t->x0 + AMD_BIN_PX);
   int32_t y0 = MAX2(prim->area.y0, t->y0) & ~(BLOCK_PX - 1), y1 = MIN2(prim->area.y1, t->y0 + AMD_BIN_PX);
   if (x1 - x0 > 2 * BLOCK_PX && !sim_raster_may_cover(&prim->poly, t->x0, t->y0, AMD_BIN_PX))
      return;
   for (int32_t y = y0; y < y1; y += BLOCK_PX) {
      for (int32_t x = x0; x < x1; x += BLOCK_PX) {
         uint64_t masks[SIM_RASTER_MAX_SAMPLES];
         uint64_t all = sim_raster_block(&prim->poly, samples, x, y, masks);
         if (!all)
            continue;
         uint64_t inside = amd_rect_mask(&prim->area, x, y);
         if (t->p->state.stipple.enable || t->p->state.clip_rects.enable)
            inside &= amd_sc_mask(&t->p->state, prim, x, y);
         if (inside != UINT64_MAX) {
            for (unsigned s = 0; s < samples->count; s++)
               masks[s] &= inside;
            all &= inside;
         }
         if (all)
            emit_block(t, index, prim, x, y, all, masks);
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
   dynarray_for_each(uint32_t, index, &t.bin->prims) {
      uint32_t first = (uint32_t)dynarray_count(&t.bin->quads, struct amd_quad);
      raster_prim(&t, *index);
      split_quads(&t, first);
   }
   __atomic_fetch_add(&p->samples_passed, t.samples_passed, __ATOMIC_RELAXED);
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

void
amd_sc_run(struct amd_pipeline *p, uint32_t first, uint32_t end)
{
   struct amd_draw_memory *m = p->memory;
   size_bins(p, first, end);
   fill_bins(p, first, end);
   sim_pool_run(p->gpu->pool, (unsigned)dynarray_count(&m->touched_bins, uint32_t), raster_bin, p);
   m->quads.size_B = 0;
   dynarray_for_each(uint32_t, number, &m->touched_bins) {
      struct amd_bin *bin = &m->bins[*number];
      bin->first_quad = (uint32_t)dynarray_count(&m->quads, struct amd_quad);
      if (bin->quads.size_B)
         memcpy(dynarray_grow(&m->quads, bin->quads.size_B), bin->quads.data, bin->quads.size_B);
   }
}
