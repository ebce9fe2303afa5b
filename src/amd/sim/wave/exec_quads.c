/* v_interp of one operand: each quad has its primitive's parameters. Up to GFX10.3; exec_interp.c has what came
 * later. */
#include "amd/sim/wave/exec_lanes.h"
#include "util/macros.h"

/* Number `which` of P0, P10 and P20 for every lane. */
static void
take_params(const struct wave *w, const struct code *c, unsigned half, unsigned which, float *to)
{
   const struct amd_wave_params *p = &w->params;
   const float *first = p->data + (c->in.attr * 4 + c->in.chan) * 3 + which;
   const uint8_t *prims = p->quad_prim + half * (HALF / 4);
   uint64_t all;
   memcpy(&all, prims, sizeof(all));
   if (all == prims[0] * UINT64_C(0x0101010101010101)) {
      lanes_broadcast((uint32_t *)to, float_bits(first[(size_t)prims[0] * p->attr_count * 12]));
      return;
   }
   for (unsigned quad = 0; quad < HALF / 4; quad += 2) {
      const float a = first[(size_t)prims[quad] * p->attr_count * 12];
      const float b = first[(size_t)prims[quad + 1] * p->attr_count * 12];
      lanes_store((uint32_t *)to + 4 * quad, (v8u)(v8f){a, a, a, a, b, b, b, b});
   }
}

static void
run_half(struct wave *w, const struct code *c, unsigned half)
{
   struct wave_state *s = &w->state;
   const bool second = c->in.op == AMD_OP_v_interp_p2_f32;
   _Alignas(64) float p0[HALF], factor[HALF];
   uint32_t result[HALF], *dst = state_vgpr(s, c->in.dst) + half * HALF;
   if (c->in.op == AMD_OP_v_interp_mov_f32) {
      take_params(w, c, half, (c->in.simm16 + 1) % 3, p0);
      memcpy(result, p0, sizeof(result));
   } else {
      const uint32_t *at = state_vgpr(s, c->in.src[0]) + half * HALF;
      take_params(w, c, half, second ? 2 : 1, factor);
      if (second)
         memcpy(p0, dst, sizeof(p0));
      else
         take_params(w, c, half, 0, p0);
      for (int l = 0; l < HALF; l++)
         result[l] = float_bits(__builtin_fmaf(factor[l], bits_float(at[l]), p0[l]));
   }
   lanes_write(s, half, dst, result);
}

/* GFX11: one lane of each quad for all of them, or each lane (-1); negated or not. */
static void
spread(const uint32_t *from, int lane, bool negated, uint32_t *to)
{
   const uint32_t flip = negated ? 0x80000000 : 0, n = (uint32_t)MAX2(lane, 0);
   const v8u index = {n, n, n, n, n + 4, n + 4, n + 4, n + 4};
   for (unsigned l = 0; l < HALF; l += 8) {
      const v8u own = lanes_load(from + l);
      lanes_store(to + l, (lane < 0 ? own : wide_pick(own, own, index)) ^ flip);
   }
}

enum step
WIDE(exec_in_quads)(struct wave *w, const struct code *c, int lane0, int lane2)
{
   struct wave_state *s = &w->state;
   _Alignas(64) uint32_t first[HALF], second[HALF], third[HALF], result[HALF];
   for (unsigned half = 0; half < s->halves; half++) {
      exec_update_mask(s, half);
      if (!s->exec_bits[half])
         continue;
      spread(state_vgpr(s, c->in.src[0]) + half * HALF, lane0, c->in.neg & 1, first);
      spread(state_vgpr(s, c->in.src[1]) + half * HALF, -1, c->in.neg >> 1 & 1, second);
      spread(state_vgpr(s, c->in.src[2]) + half * HALF, lane2, c->in.neg >> 2 & 1, third);
      struct lanes x = {.a = first, .b = second, .c = third, .d = result, .code = c};
      c->kernel(&x);
      lanes_write(s, half, state_vgpr(s, c->in.dst) + half * HALF, result);
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
