/* v_fma_mix and v_mad_mix: single precision, of which each source and the result may be half precision. */
#include "amd/sim/wave/exec_lanes.h"

/* Denormals in the low 16 bits, as zeros. */
static inline v8u
flush_half(v8u v)
{
   const v8u is_denormal = (v8u)((v & 0x7c00) == 0);
   return v & ~(is_denormal & 0x3ff);
}

static bool
is_mad(const struct code *c)
{
   return c->in.op == AMD_OP_v_mad_mix_f32 || c->in.op == AMD_OP_v_mad_mixlo_f16 ||
          c->in.op == AMD_OP_v_mad_mixhi_f16;
}

/* WAVE_FLUSH_*. Those of v_mad_mix are flushed whatever MODE says (observed: ACO of Mesa 25, aco_optimizer.cpp). */
static unsigned
flushed_halves(const struct wave *w, const struct code *c)
{
   return is_mad(c) ? WAVE_FLUSH_SOURCES | WAVE_FLUSH_RESULTS : wave_float_flushed(w->state.mode);
}

/* Single precision, or with op_sel_hi the half that op_sel names; neg_hi is abs. */
static inline v8u
read_operand(const struct amd_inst *in, unsigned i, v8u v, bool flush)
{
   const uint32_t shift = in->op_sel >> i & 1 ? 16 : 0, keep = in->neg_hi >> i & 1 ? 0x7fffffff : UINT32_MAX,
                  flip = in->neg >> i & 1 ? 0x80000000 : 0;
   if (in->op_sel_hi >> i & 1)
      v = (v8u)lanes_from_half(flush ? flush_half(v >> shift & 0xffff) : v >> shift);
   return (v & keep) ^ flip;
}

/* Returns from or to. */
static const uint32_t *
take_source(const struct amd_inst *in, unsigned i, const uint32_t *from, bool flush, uint32_t *to)
{
   if (!((in->op_sel_hi | in->neg_hi | in->neg) >> i & 1))
      return from;
   for (int l = 0; l < HALF; l += 8)
      lanes_store(to + l, read_operand(in, i, lanes_load(from + l), flush));
   return to;
}

static const uint32_t *
take_scalar(const struct amd_inst *in, unsigned i, uint32_t value, bool flush, uint32_t *to)
{
   const v8u v = read_operand(in, i, (v8u){0} + value, flush);
   for (int l = 0; l < HALF; l += 8)
      lanes_store(to + l, v);
   return to;
}

/* The result as one half of a register. */
static void
pack_half(bool high, bool flush, const uint32_t *old, const uint32_t *result, uint32_t *to)
{
   const uint32_t kept = high ? 0xffff : 0xffff0000, shift = high ? 16 : 0;
   for (int l = 0; l < HALF; l += 8) {
      const v8u half = lanes_to_half((v8f)lanes_load(result + l));
      lanes_store(to + l, (lanes_load(old + l) & kept) | (flush ? flush_half(half) : half) << shift);
   }
}

static void
run_half(struct wave *w, const struct code *c, unsigned half, unsigned flushed)
{
   struct wave_state *s = &w->state;
   const bool high = c->in.op == AMD_OP_v_fma_mixhi_f16 || c->in.op == AMD_OP_v_mad_mixhi_f16;
   _Alignas(64) uint32_t lanes[3][HALF], moved[HALF], result[HALF];
   const uint32_t *sources[3];
   uint32_t off = 0;
   for (unsigned i = 0; i < 3; i++) {
      if (c->src[i].kind != SOURCE_VGPR) {
         sources[i] = take_scalar(&c->in, i, (uint32_t)exec_scalar(w, c, i), flushed & WAVE_FLUSH_SOURCES, lanes[i]);
         continue;
      }
      const uint32_t *from = lanes_of(s, c->src[i].reg, half);
      if (i == 0 && c->words.moves) {
         off = lanes_move(c, half, s->exec_bits[half], from, moved);
         from = moved;
      }
      sources[i] = take_source(&c->in, i, from, flushed & WAVE_FLUSH_SOURCES, lanes[i]);
   }
   uint32_t *dst = lanes_of(s, c->in.dst, half);
   const bool whole = !off && s->exec_bits[half] == UINT32_MAX;
   uint32_t *to = whole ? dst : result;
   struct lanes x;
   x.code = c;
   x.more = false;
   x.a = sources[0];
   x.b = sources[1];
   x.c = sources[2];
   x.d = c->info->dst.type == AMD_TYPE_F16 ? result : to;
   c->kernel(&x);
   if (c->in.clamp)
      lanes_scale_and_clamp(c, s->mode, x.d);
   if (c->info->dst.type == AMD_TYPE_F16)
      pack_half(high, flushed & WAVE_FLUSH_RESULTS, dst, result, to);
   if (whole)
      return;
   if (off)
      lanes_write_some(dst, result, s->exec_bits[half] & ~off);
   else
      lanes_write(s, half, dst, result);
}

/* Of an fma where nothing is moved, clamped or flushed; lanes: NULL for a scalar. */
struct mix_source {
   const uint32_t *lanes;
   v8u value;
   bool changed;
};

static inline struct mix_source
source(struct wave *w, const struct code *c, unsigned i)
{
   struct mix_source s = {.changed = (c->in.op_sel_hi | c->in.neg_hi | c->in.neg) >> i & 1};
   if (c->src[i].kind == SOURCE_VGPR)
      s.lanes = state_vgpr(&w->state, c->src[i].reg);
   else
      s.value = read_operand(&c->in, i, (v8u){0} + (uint32_t)exec_scalar(w, c, i), false);
   return s;
}

static inline v8u
source_at(const struct mix_source *s, const struct code *c, unsigned i, unsigned l)
{
   if (!s->lanes)
      return s->value;
   const v8u v = lanes_load(s->lanes + l);
   return s->changed ? read_operand(&c->in, i, v, false) : v;
}

static void
run_fma(struct wave *w, const struct code *c)
{
   struct wave_state *s = &w->state;
   const bool high = c->in.op == AMD_OP_v_fma_mixhi_f16, half = c->info->dst.type == AMD_TYPE_F16;
   const uint32_t kept = high ? 0xffff : 0xffff0000, shift = high ? 16 : 0;
   uint32_t *dst = state_vgpr(s, c->in.dst);
   const struct mix_source a = source(w, c, 0), b = source(w, c, 1), added = source(w, c, 2);
   for (unsigned l = 0; l < s->lanes; l += 8) {
      const v8u old = lanes_load(dst + l), mask = lanes_load(&s->exec_mask[l / HALF][l % HALF]);
      v8u result = lanes_fma(source_at(&a, c, 0, l), source_at(&b, c, 1, l), source_at(&added, c, 2, l));
      result = half ? (old & kept) | lanes_to_half((v8f)result) << shift : result;
      lanes_store(dst + l, (result & mask) | (old & ~mask));
   }
}

enum step
WIDE(exec_mix)(struct wave *w, const struct code *c)
{
   const unsigned flushed = flushed_halves(w, c);
   const bool fma = !flushed && !c->in.clamp && !c->words.moves && c->vgpr_end <= w->state.first_shared;
   for (unsigned half = 0; half < w->state.halves; half++) {
      exec_update_mask(&w->state, half);
      if (w->state.exec_bits[half] && !fma)
         run_half(w, c, half, flushed);
   }
   if (fma)
      run_fma(w, c);
   return STEP_NEXT;
}
