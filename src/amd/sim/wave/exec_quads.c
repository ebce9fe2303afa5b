/* Parameters, of which each quad has its primitive's, in loops over lanes: v_interp of one operand up to GFX10.3,
 * loads and what computes with them on GFX11. exec_interp.c has what is rare. */
#include "amd/sim/wave/exec_lanes.h"
#include "util/macros.h"

/* Whether all quads of a half are. */
static inline bool
of_one_primitive(const uint8_t prims[HALF / 4])
{
   uint64_t all;
   memcpy(&all, prims, sizeof(all));
   return all == prims[0] * UINT64_C(0x0101010101010101);
}

/* Number `which` of P0, P10 and P20 for every lane. */
static void
take_params(const struct wave *w, const struct code *c, unsigned half, unsigned which, uint32_t *to)
{
   const struct amd_wave_params *p = &w->params;
   const float *first = p->data + (c->in.attr * 4 + c->in.chan) * 3 + which;
   const uint8_t *prims = p->quad_prim + half * (HALF / 4);
   if (of_one_primitive(prims)) {
      lanes_broadcast(to, float_bits(first[(size_t)prims[0] * p->attr_count * 12]));
      return;
   }
   for (unsigned quad = 0; quad < HALF / 4; quad += 2) {
      const float a = first[(size_t)prims[quad] * p->attr_count * 12];
      const float b = first[(size_t)prims[quad + 1] * p->attr_count * 12];
      lanes_store(to + 4 * quad, (v8u)(v8f){a, a, a, a, b, b, b, b});
   }
}

/* A wave whose lanes all are active and have one primitive. False: it is none. */
static bool
run_alike(struct wave *w, const struct code *c)
{
   struct wave_state *s = &w->state;
   const uint8_t *prims = w->params.quad_prim;
   const float *params =
      w->params.data + (size_t)prims[0] * w->params.attr_count * 12 + (c->in.attr * 4 + c->in.chan) * 3;
   const float p0 = params[0], p10 = params[1], p20 = params[2];
   uint32_t *dst = state_vgpr(s, c->in.dst);
   const int n = (int)s->halves * HALF;
   for (unsigned half = 0; half < s->halves; half++, prims += HALF / 4)
      if (s->sgpr[AMD_EXEC_LO + half] != UINT32_MAX || prims[0] != w->params.quad_prim[0] || !of_one_primitive(prims))
         return false;
   if (c->in.op == AMD_OP_v_interp_mov_f32) {
      const uint32_t one = float_bits(params[(c->in.simm16 + 1) % 3]);
      for (int l = 0; l < n; l++)
         dst[l] = one;
      return true;
   }
   const uint32_t *at = state_vgpr(s, c->in.src[0]);
   if (c->in.op == AMD_OP_v_interp_p2_f32) {
      WIDE_LOOP for (int l = 0; l < n; l++) dst[l] =
         float_bits(__builtin_fmaf(p20, bits_float(at[l]), bits_float(dst[l])));
   } else {
      WIDE_LOOP for (int l = 0; l < n; l++) dst[l] = float_bits(__builtin_fmaf(p10, bits_float(at[l]), p0));
   }
   return true;
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

/* GFX11, v_interp_p10 (first) and p2 of single precision without CLAMP: source 0 from lane 1 (P10) or 2 (P20) of each
 * quad, source 2 from lane 0 (P0) or each lane's own. neg: bits of sources. */
static inline void
interpolate(struct wave_state *s, const struct code *c, bool first, uint32_t neg, unsigned begin, unsigned lanes,
            uint32_t *to)
{
   /* size: modifiers of the instruction, and a range of lanes */
   const v8u of_p0 = {0, 0, 0, 0, 4, 4, 4, 4}, which = of_p0 + (first ? 1 : 2);
   const uint32_t *params = state_vgpr(s, c->in.src[0]) + begin, *at = state_vgpr(s, c->in.src[1]) + begin;
   const uint32_t *added = state_vgpr(s, c->in.src[2]) + begin;
   const v8u sign = (v8u){0} + 0x80000000, none = {0};
   const v8u flips[3] = {neg & 1 ? sign : none, neg & 2 ? sign : none, neg & 4 ? sign : none};
   for (unsigned l = 0; l < lanes; l += 8) {
      const v8u from = lanes_load(params + l), own = lanes_load(added + l);
      const v8u factor = wide_pick(from, from, which), base = first ? wide_pick(own, own, of_p0) : own;
      lanes_store(to + l, lanes_fma(factor ^ flips[0], lanes_load(at + l) ^ flips[1], base ^ flips[2]));
   }
}

enum step
WIDE(exec_in_quads)(struct wave *w, const struct code *c)
{
   struct wave_state *s = &w->state;
   const bool first = c->in.op == AMD_OP_v_interp_p10_f32;
   uint32_t *dst = state_vgpr(s, c->in.dst);
   if (state_has_all_lanes(s) && !c->in.neg) {
      if (first)
         interpolate(s, c, true, 0, 0, s->lanes, dst);
      else
         interpolate(s, c, false, 0, 0, s->lanes, dst);
      return STEP_NEXT;
   }
   for (unsigned half = 0; half < s->halves; half++) {
      _Alignas(64) uint32_t result[HALF];
      exec_update_mask(s, half);
      interpolate(s, c, first, c->in.neg, half * HALF, HALF, result);
      lanes_write(s, half, dst + half * HALF, result);
   }
   return STEP_NEXT;
}

/* P0, P10, P20 and 0, twice. */
static inline v8u
quad_params(const float *from)
{
   const uint32_t p0 = float_bits(from[0]), p10 = float_bits(from[1]), p20 = float_bits(from[2]);
   return (v8u){p0, p10, p20, 0, p0, p10, p20, 0};
}

void
WIDE(exec_param_load)(struct wave *w, const struct code *c, uint64_t lanes)
{
   const size_t prim_floats = (size_t)w->params.attr_count * 12;
   const float *first = w->params.data + (c->in.attr * 4 + c->in.chan) * 3;
   const uint8_t *prims = w->params.quad_prim;
   const v8u all = quad_params(first + prims[0] * prim_floats), one_of_each = {0, 1, 2, 3, 8, 9, 10, 11};
   const unsigned count = w->state.lanes;
   uint32_t *dst = state_vgpr(&w->state, c->in.dst);
   const bool alike = of_one_primitive(prims) && (count == 32 || !memcmp(prims, prims + 8, 8));
   if (alike && state_has_all_lanes(&w->state)) {
      for (unsigned l = 0; l < count; l += 8)
         lanes_store(dst + l, all);
      return;
   }
   for (unsigned l = 0; l < count; l += 8, lanes >>= 8) {
      const v8u left = quad_params(first + prims[l / 4] * prim_floats);
      const v8u right = quad_params(first + prims[l / 4 + 1] * prim_floats);
      const v8u both = wide_pick(left, right, one_of_each);
      if (lanes & 1)
         memcpy(dst + l, &both, 16);
      if (lanes & 0x10)
         memcpy(dst + l + 4, (const char *)&both + 16, 16);
   }
}

enum step
WIDE(exec_interp)(struct wave *w, const struct code *c)
{
   if (!exec_check_params(w, c))
      return STEP_FAULT;
   const bool alike = run_alike(w, c);
   for (unsigned half = 0; half < w->state.halves && !alike; half++) {
      exec_update_mask(&w->state, half);
      if (w->state.exec_bits[half])
         run_half(w, c, half);
   }
   return STEP_NEXT;
}
