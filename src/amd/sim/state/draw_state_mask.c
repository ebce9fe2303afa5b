/* State of what takes single pixels out of primitives: line stipple, clip rectangles. */
#include "amd/hw/registers.h"
#include "amd/sim/state/draw_state_private.h"
#include "util/macros.h"

/* PA_SC_LINE_STIPPLE.AUTO_RESET_CNTL: what starts the pattern anew. Of the names of public drivers. */
enum { RESET_NEVER, RESET_EACH_PRIMITIVE, RESET_EACH_PACKET };

static bool
decode_stipple(struct amd_stipple_state *s, const struct amd_gpu *gpu)
{
   uint32_t value = amd_regs_get(gpu->regs, R_PA_SC_LINE_STIPPLE),
            control = amd_regs_get(gpu->regs, R_PA_SU_LINE_STIPPLE_CNTL),
            place = amd_regs_get(gpu->regs, R_PA_SC_LINE_STIPPLE_STATE);
   unsigned reset = G_PA_SC_LINE_STIPPLE_AUTO_RESET_CNTL(value);
   *s = (struct amd_stipple_state){
      .enable = G_PA_SC_MODE_CNTL_0_LINE_STIPPLE_ENABLE(amd_regs_get(gpu->regs, R_PA_SC_MODE_CNTL_0)),
      .each_primitive = reset == RESET_EACH_PRIMITIVE,
      .continues = reset == RESET_NEVER,
      .msb_first = G_PA_SC_LINE_STIPPLE_PATTERN_BIT_ORDER(value),
      .whole_px = !G_PA_SU_LINE_STIPPLE_CNTL_FRACTIONAL_ACCUM(control),
      .along = G_PA_SU_LINE_STIPPLE_CNTL_EXPAND_FULL_LENGTH(control),
      .pattern = (uint16_t)G_PA_SC_LINE_STIPPLE_LINE_PATTERN(value),
      .repeat = (uint16_t)(G_PA_SC_LINE_STIPPLE_REPEAT_COUNT(value) + 1),
   };
   s->first_px =
      G_PA_SC_LINE_STIPPLE_STATE_CURRENT_PTR(place) * s->repeat + G_PA_SC_LINE_STIPPLE_STATE_CURRENT_COUNT(place);
   return !s->enable || reset <= RESET_EACH_PACKET ||
          sim_fault_set(gpu->fault, SIM_FAULT_STATE, sim_va(0), "line stipple with AUTO_RESET_CNTL %u", reset);
}

static void
decode_clip_rects(struct amd_clip_rects *r, const struct amd_regs *regs)
{
   r->rule = (uint16_t)amd_regs_get(regs, R_PA_SC_CLIPRECT_RULE);
   r->enable = r->rule != 0xffff;
   for (unsigned i = 0; i < ARRAY_SIZE(r->rect); i++) {
      uint32_t tl = amd_regs_get(regs, R_PA_SC_CLIPRECT_0_TL + 8 * i),
               br = amd_regs_get(regs, R_PA_SC_CLIPRECT_0_BR + 8 * i);
      r->rect[i] =
         (struct amd_rect){(int32_t)G_PA_SC_CLIPRECT_0_TL_TL_X(tl), (int32_t)G_PA_SC_CLIPRECT_0_TL_TL_Y(tl),
                           (int32_t)G_PA_SC_CLIPRECT_0_BR_BR_X(br), (int32_t)G_PA_SC_CLIPRECT_0_BR_BR_Y(br)};
   }
}

bool
amd_draw_state_mask(struct amd_draw_state *state, const struct amd_gpu *gpu)
{
   decode_clip_rects(&state->clip_rects, gpu->regs);
   return decode_stipple(&state->stipple, gpu);
}
