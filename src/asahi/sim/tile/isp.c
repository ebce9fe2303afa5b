/* Scan of one draw's primitives in one tile: coverage, hidden surface removal, early tests, quads. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "asahi/sim/tile/tile.h"
#include "sim/texel/compare.h"
#include "util/macros.h"

enum { BLOCK_PX = SIM_RASTER_BLOCK_PX };

struct scan {
   const struct agx_tiles *t;
   struct agx_tile *tile;
   const struct agx_drawn *drawn;
   const struct agx_prim *prim;
   uint32_t index; /* of the primitive */
   bool tags;      /* what passes only writes a tag */
   bool shade;     /* there is a program at all */
};

/* Bits of the 8x8 block at (x, y) that lie in the rectangle. */
static uint64_t
rect_mask(const struct agx_rect *rect, int32_t x, int32_t y)
{
   int32_t x0 = MAX2(rect->x0 - x, 0), x1 = MIN2(rect->x1 - x, BLOCK_PX);
   int32_t y0 = MAX2(rect->y0 - y, 0), y1 = MIN2(rect->y1 - y, BLOCK_PX);
   if (x0 >= x1 || y0 >= y1)
      return 0;
   uint64_t row = (bit_mask((unsigned)x1) & ~bit_mask((unsigned)x0)) * UINT64_C(0x0101010101010101);
   return row & bit_mask((unsigned)y1 * 8) & ~bit_mask((unsigned)y0 * 8);
}

/* Eight pixels of a row, of one sample, without stencil: depth test. Returns which of `mask` pass. */
static unsigned
test_row(const struct scan *s, uint32_t x, uint32_t y, unsigned sample, unsigned mask, float *depth)
{
   const struct agx_prim *prim = s->prim;
   const struct agx_render *r = s->t->render;
   const struct agx_zs_face *face = &s->drawn->face[!prim->front];
   double px = (double)((int32_t)x - prim->origin_x) + 0.5 + r->positions.x16[sample] / 16.0;
   double py = (double)((int32_t)y - prim->origin_y) + 0.5 + r->positions.y16[sample] / 16.0;
   double by = prim->z[1] * py + prim->z[2];
   float z[BLOCK_PX];
   uint8_t outcome[BLOCK_PX];
   for (unsigned i = 0; i < BLOCK_PX; i++) {
      float v = (float)(prim->z[0] * (px + i) + by);
      v = v > prim->z_min ? v : prim->z_min;
      z[i] = v < prim->z_max ? v : prim->z_max;
   }
   if (r->depth_is_16) {
      for (unsigned i = 0; i < BLOCK_PX; i++)
         z[i] = agx_zs_quantize(r, z[i]);
   }
   /* What a function is a set of; the fourth: neither, of NaN. */
   unsigned outcomes = face->depth_func;
   if (outcomes == SIM_COMPARE_ALWAYS || outcomes == SIM_COMPARE_NOT_EQUAL)
      outcomes |= 8;
   for (unsigned i = 0; i < BLOCK_PX; i++) {
      unsigned less = z[i] < depth[i], equal = z[i] == depth[i], greater = z[i] > depth[i];
      outcome[i] = (uint8_t)(less | equal << 1 | greater << 2 | !(less | equal | greater) << 3);
   }
   unsigned passed = 0;
   for (unsigned i = 0; i < BLOCK_PX; i++)
      passed |= (unsigned)((outcomes & outcome[i]) != 0) << i;
   passed &= mask;
   if (face->depth_write) {
      for (unsigned i = 0; i < BLOCK_PX; i++)
         depth[i] = passed >> i & 1 ? z[i] : depth[i];
   }
   return passed;
}

/* Early tests of a block; masks: by sample, what is covered, then what passes. */
static void
test_block(const struct scan *s, uint32_t x, uint32_t y, uint64_t *masks)
{
   const struct agx_tiles *t = s->t;
   for (unsigned sample = 0; sample < t->render->samples; sample++) {
      uint64_t passed = 0;
      for (unsigned row = 0; row < BLOCK_PX; row++) {
         unsigned mask = (unsigned)(masks[sample] >> row * 8) & 0xff;
         if (!mask)
            continue;
         if (!s->drawn->stencil) {
            float *depth = &s->tile->depth[sample * t->pixels + agx_tile_pixel(t, s->tile, x, y + row)];
            passed |= (uint64_t)test_row(s, x, y + row, sample, mask, depth) << row * 8;
            continue;
         }
         for (unsigned left = mask; left; left &= left - 1) {
            unsigned i = (unsigned)__builtin_ctz(left);
            if (agx_zs_test(t, s->tile, s->drawn, s->prim, x + i, y + row, (uint8_t)(1u << sample), NULL, -1))
               passed |= UINT64_C(1) << (row * 8 + i);
         }
      }
      masks[sample] = passed;
      s->tile->passed += (unsigned)__builtin_popcountll(passed);
   }
}

static void
tag_block(const struct scan *s, uint32_t x, uint32_t y, const uint64_t *masks)
{
   const struct agx_tiles *t = s->t;
   for (unsigned sample = 0; sample < t->render->samples; sample++) {
      uint32_t *tags = &s->tile->tags[sample * t->pixels + agx_tile_pixel(t, s->tile, x, y)];
      for (unsigned row = 0; row < BLOCK_PX; row++, tags += t->row_px) {
         unsigned mask = (unsigned)(masks[sample] >> row * 8) & 0xff;
         for (unsigned i = 0; mask && i < BLOCK_PX; i++)
            tags[i] = mask >> i & 1 ? s->index + 1 : tags[i];
      }
      s->tile->has_tags |= masks[sample] != 0;
   }
}

static void
emit_quads(const struct scan *s, uint32_t x, uint32_t y, uint64_t all, const uint64_t *masks)
{
   for (unsigned q = 0; q < 16; q++) {
      unsigned bit = q / 4 * 16 + q % 4 * 2;
      if (!(all >> bit & 0x303))
         continue;
      struct agx_quad quad = {.prim = s->index, .x = (uint16_t)(x + q % 4 * 2), .y = (uint16_t)(y + q / 4 * 2)};
      for (unsigned sample = 0; sample < s->t->render->samples; sample++) {
         unsigned four = (unsigned)(masks[sample] >> bit);
         quad.cover[0] |= (uint8_t)((four & 1) << sample);
         quad.cover[1] |= (uint8_t)((four >> 1 & 1) << sample);
         quad.cover[2] |= (uint8_t)((four >> 8 & 1) << sample);
         quad.cover[3] |= (uint8_t)((four >> 9 & 1) << sample);
      }
      dynarray_append(&s->tile->quads, struct agx_quad, quad);
   }
}

static void
scan_block(const struct scan *s, const struct agx_rect *area, int32_t x, int32_t y)
{
   const struct agx_render *r = s->t->render;
   uint64_t masks[SIM_RASTER_MAX_SAMPLES];
   static const struct sim_raster_samples middle = {.count = 1};
   uint64_t all = sim_raster_block(&s->prim->poly, s->prim->whole_pixels ? &middle : &r->positions, x, y, masks);
   uint64_t inside = all ? rect_mask(area, x, y) : 0;
   if (!(all & inside))
      return;
   for (unsigned i = 0; i < r->samples; i++)
      masks[i] = masks[s->prim->whole_pixels ? 0 : i] & inside;
   if (s->drawn->test == AGX_TEST_EARLY)
      test_block(s, (uint32_t)x, (uint32_t)y, masks);
   all = 0;
   for (unsigned i = 0; i < r->samples; i++)
      all |= masks[i];
   if (!all || !s->shade)
      return;
   if (s->tags)
      tag_block(s, (uint32_t)x, (uint32_t)y, masks);
   else
      emit_quads(s, (uint32_t)x, (uint32_t)y, all, masks);
}

static void
scan_prim(const struct scan *s)
{
   const struct agx_tile *tile = s->tile;
   const struct agx_rect area = {MAX2(s->prim->area.x0, tile->x0), MAX2(s->prim->area.y0, tile->y0),
                                 MIN2(s->prim->area.x1, tile->x1), MIN2(s->prim->area.y1, tile->y1)};
   for (int32_t y = area.y0 & ~(BLOCK_PX - 1); y < area.y1; y += BLOCK_PX) {
      for (int32_t x = area.x0 & ~(BLOCK_PX - 1); x < area.x1; x += BLOCK_PX)
         scan_block(s, &area, x, y);
   }
}

void
agx_isp_scan(const struct agx_tiles *t, struct agx_tile *tile, uint32_t draw)
{
   const struct dynarray *list = &t->render->bins[tile->bin].prims;
   uint32_t end = (uint32_t)dynarray_count(list, uint32_t);
   struct scan s = {.t = t, .tile = tile, .drawn = dynarray_at(&t->render->draws, struct agx_drawn, draw)};
   s.shade = s.drawn->fragment != NULL;
   s.tags = s.drawn->hides;
   tile->passed = 0;
   for (; tile->cursor < end; tile->cursor++) {
      s.index = *dynarray_at(list, uint32_t, tile->cursor);
      s.prim = dynarray_at(&t->render->prims, struct agx_prim, s.index);
      if (s.prim->draw != draw)
         return;
      scan_prim(&s);
   }
}

static int
by_prim(const void *a, const void *b)
{
   const struct agx_quad *qa = a, *qb = b;
   if (qa->prim != qb->prim)
      return qa->prim < qb->prim ? -1 : 1; /* primitives of later draws have larger numbers */
   return qa->y != qb->y ? (int)qa->y - (int)qb->y : (int)qa->x - (int)qb->x;
}

/* The quads of 2x2 pixels: one for each primitive that some sample of it shows. */
static void
flush_quad(const struct agx_tiles *t, struct agx_tile *tile, uint32_t x, uint32_t y)
{
   struct agx_quad found[4 * AGX_MAX_SAMPLES];
   unsigned count = 0;
   for (unsigned i = 0; i < 4; i++) {
      uint32_t at = agx_tile_pixel(t, tile, x + (i & 1), y + (i >> 1));
      for (unsigned s = 0; s < t->render->samples; s++) {
         uint32_t *tag = &tile->tags[s * t->pixels + at];
         if (!*tag)
            continue;
         unsigned q = 0;
         while (q < count && found[q].prim != *tag - 1)
            q++;
         if (q == count)
            found[count++] = (struct agx_quad){.prim = *tag - 1, .x = (uint16_t)x, .y = (uint16_t)y};
         found[q].cover[i] |= (uint8_t)(1u << s);
         *tag = 0;
      }
   }
   if (count)
      memcpy(dynarray_grow(&tile->quads, count * sizeof(*found)), found, count * sizeof(*found));
}

void
agx_isp_flush(const struct agx_tiles *t, struct agx_tile *tile)
{
   if (!tile->has_tags)
      return;
   tile->has_tags = false;
   for (uint32_t y = tile->y0; y < tile->y1; y += 2) {
      for (uint32_t x = tile->x0; x < tile->x1; x += 2)
         flush_quad(t, tile, x, y);
   }
   qsort(dynarray_at(&tile->quads, struct agx_quad, tile->quads_waiting),
         dynarray_count(&tile->quads, struct agx_quad) - tile->quads_waiting, sizeof(struct agx_quad), by_prim);
}
