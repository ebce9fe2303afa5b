/* v_interp of one operand: each quad has its primitive's parameters. Up to GFX10.3; exec_interp.c has what came
 * later. */
#include "amd/sim/wave/exec_lanes.h"
#include "util/macros.h"

/* Number `which` of P0, P10 and P20 for every lane. */
static void
take_params(const struct wave *w, const struct code *c, unsigned half, unsigned which, uint32_t *to)
{
   const struct amd_wave_params *p = &w->params;
   const float *first = p->data + (c->in.attr * 4 + c->in.chan) * 3 + which;
   const uint8_t *prims = p->quad_prim + half * (HALF / 4);
   uint64_t all;
   memcpy(&all, prims, sizeof(all));
   if (all == prims[0] * UINT64_C(0x0101010101010101)) {
      lanes_broadcast(to, float_bits(first[(size_t)prims[0] * p->attr_count * 12]));
      return;
   }
   for (unsigned quad = 0; quad < HALF / 4; quad += 2) {
      const float a = first[(size_t)prims[quad] * p->attr_count * 12];
      const float b = first[(size_t)prims[quad + 1] * p->attr_count * 12];
      lanes_store(to + 4 * quad, (v8u)(v8f){a, a, a, a, b, b, b, b});
   }
}

static void
run_half(struct wave *w, const struct code *c, unsigned half)
{
   struct wave_state *s = &w->state;
   const bool second = c->in.op == AMD_OP_v_interp_p2_f32;
   const bool whole = s->exec_bits[half] == UINT32_MAX;
   _Alignas(64) uint32_t p0[HALF], factor[HALF], result[HALF];
   uint32_t *dst = state_vgpr(s, c->in.dst) + half * HALF, *to = whole ? dst : result;
   if (c->in.op == AMD_OP_v_interp_mov_f32) {
      take_params(w, c, half, (c->in.simm16 + 1) % 3, to);
   } else {
      const uint32_t *at = state_vgpr(s, c->in.src[0]) + half * HALF, *added = second ? dst : p0;
      take_params(w, c, half, second ? 2 : 1, factor);
      if (!second)
         take_params(w, c, half, 0, p0);
      WIDE_LOOP for (int l = 0; l < HALF; l++) to[l] =
         float_bits(__builtin_fmaf(bits_float(factor[l]), bits_float(at[l]), bits_float(added[l])));
   }
   if (!whole)
      lanes_write(s, half, dst, result);
}

/* GFX11: one lane of each quad for all of them, or each lane (-1); negated or not. */
static const uint32_t *
spread(const uint32_t *from, int lane, bool negated, uint32_t *to)
{
   if (lane < 0 && !negated)
      return from;
   const uint32_t flip = negated ? 0x80000000 : 0, n = (uint32_t)MAX2(lane, 0);
   const v8u index = {n, n, n, n, n + 4, n + 4, n + 4, n + 4};
   for (unsigned l = 0; l < HALF; l += 8) {
      const v8u own = lanes_load(from + l);
      lanes_store(to + l, (lane < 0 ? own : wide_pick(own, own, index)) ^ flip);
   }
   return to;
}

enum step
WIDE(exec_in_quads)(struct wave *w, const struct code *c, int lane0, int lane2)
{
   struct wave_state *s = &w->state;
   _Alignas(64) uint32_t spread_out[3][HALF], result[HALF];
   for (unsigned half = 0; half < s->halves; half++) {
      exec_update_mask(s, half);
      if (!s->exec_bits[half])
         continue;
      const bool whole = s->exec_bits[half] == UINT32_MAX;
      uint32_t *dst = state_vgpr(s, c->in.dst) + half * HALF;
      struct lanes x;
      x.code = c;
      x.a = spread(state_vgpr(s, c->in.src[0]) + half * HALF, lane0, c->in.neg & 1, spread_out[0]);
      x.b = spread(state_vgpr(s, c->in.src[1]) + half * HALF, -1, c->in.neg >> 1 & 1, spread_out[1]);
      x.c = spread(state_vgpr(s, c->in.src[2]) + half * HALF, lane2, c->in.neg >> 2 & 1, spread_out[2]);
      x.d = whole ? dst : result;
      c->kernel(&x);
      if (!whole)
         lanes_write(s, half, dst, result);
   }
   return STEP_NEXT;
}

enum step
WIDE(exec_interp)(struct wave *w, const struct code *c)
{
   if (!exec_check_params(w, c))
      return STEP_FAULT;
   for (unsigned half = 0; half < w->state.halves; half++) {
      exec_update_mask(&w->state, half);
      if (w->state.exec_bits[half])
         run_half(w, c, half);
   }
   return STEP_NEXT;
}
