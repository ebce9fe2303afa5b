/* Which pixels of a primitive are left by line stipple and clip rectangles. */
#include <math.h>

#include "amd/hw/registers.h"
#include "amd/sim/pa/pa_private.h"
#include "util/macros.h"

enum { BLOCK_PX = SIM_RASTER_BLOCK_PX };

uint64_t
amd_rect_mask(const struct amd_rect *rect, int32_t x, int32_t y)
{
   int32_t x0 = MAX2(rect->x0 - x, 0), x1 = MIN2(rect->x1 - x, BLOCK_PX);
   int32_t y0 = MAX2(rect->y0 - y, 0), y1 = MIN2(rect->y1 - y, BLOCK_PX);
   if (x0 >= x1 || y0 >= y1)
      return 0;
   uint64_t row = (bit_mask((unsigned)x1) & ~bit_mask((unsigned)x0)) * UINT64_C(0x0101010101010101);
   return row & bit_mask((unsigned)y1 * 8) & ~bit_mask((unsigned)y0 * 8);
}

/* One after the other: how much of the pattern is used depends on all lines ahead. */
void
amd_sc_stipple(struct amd_pipeline *p)
{
   struct dynarray *prims = &p->memory->prims;
   const struct amd_stipple_state *s = &p->state.stipple;
   uint32_t count = (uint32_t)dynarray_count(prims, struct amd_prim), kept = 0;
   for (uint32_t i = 0; i < count; i++) {
      struct amd_prim *prim = dynarray_at(prims, struct amd_prim, i);
      if (prim->stipple.starts)
         p->stipple_at = 0.0;
      prim->stipple.start = p->stipple_at;
      p->stipple_at += s->whole_px ? nearbyint(prim->stipple.length) : prim->stipple.length;
      if (prim->area.x0 < prim->area.x1 && prim->area.y0 < prim->area.y1)
         *dynarray_at(prims, struct amd_prim, kept++) = *prim;
   }
   prims->size_B = kept * sizeof(struct amd_prim);
}

void
amd_sc_keep_stipple(const struct amd_pipeline *p)
{
   const uint32_t repeat = p->state.stipple.repeat, at = (uint32_t)fmod(floor(p->stipple_at), 16.0 * repeat);
   *amd_regs_slot(p->gpu->regs, R_PA_SC_LINE_STIPPLE_STATE) =
      S_PA_SC_LINE_STIPPLE_STATE_CURRENT_PTR(at / repeat) | S_PA_SC_LINE_STIPPLE_STATE_CURRENT_COUNT(at % repeat);
}

static bool
is_drawn(const struct amd_stipple_state *s, const struct amd_prim *prim, int32_t x, int32_t y)
{
   const struct amd_plane *along = &prim->stipple.along;
   double px = (double)along->a * (x - prim->origin_x + 0.5) + (double)along->b * (y - prim->origin_y + 0.5) +
               (double)along->c;
   double place = floor(prim->stipple.start + fmax(px, 0.0));
   unsigned bit = (unsigned)(fmod(place, 16.0 * s->repeat) / s->repeat);
   return s->pattern >> (s->msb_first ? 15 - bit : bit) & 1;
}

static unsigned
in_rects(const struct amd_clip_rects *r, const uint64_t masks[4], unsigned bit)
{
   unsigned in = 0;
   for (unsigned i = 0; i < ARRAY_SIZE(r->rect); i++)
      in |= (unsigned)(masks[i] >> bit & 1) << i;
   return in;
}

uint64_t
amd_sc_mask(const struct amd_draw_state *state, const struct amd_prim *prim, int32_t x, int32_t y)
{
   const struct amd_clip_rects *r = &state->clip_rects;
   bool stippled = state->stipple.enable && prim->stipple.length > 0.0;
   uint64_t result = 0, masks[4];
   for (unsigned i = 0; i < ARRAY_SIZE(masks); i++)
      masks[i] = amd_rect_mask(&r->rect[i], x, y);
   for (unsigned bit = 0; bit < BLOCK_PX * BLOCK_PX; bit++) {
      bool on = !stippled || is_drawn(&state->stipple, prim, x + (int)(bit % BLOCK_PX), y + (int)(bit / BLOCK_PX));
      on &= !r->enable || (r->rule >> in_rects(r, masks, bit) & 1);
      result |= (uint64_t)on << bit;
   }
   return result;
}
