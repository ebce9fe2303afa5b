/* Parameters of pixels: v_interp up to GFX10.3, which reads them where it computes; loads of a quad's P0, P10 and P20
 * into its lanes, and what computes with these, on GFX11 ("RDNA 3.5" ISA, 12.2; "RDNA 3" ISA, 16.13). */
#include <string.h>

#include "amd/sim/wave/exec_private.h"
#include "amd/sim/wave/wave_float.h"
#include "util/macros.h"

enum { ROUND_TO_ZERO = 3 };

bool
exec_check_params(struct wave *w, const struct code *c)
{
   const struct amd_wave_params *p = &w->params;
   if (!p->data || c->in.attr >= p->attr_count) {
      wave_fault(w, c, SIM_FAULT_STATE, sim_va(0), "attribute %u of %u", c->in.attr, p->data ? p->attr_count : 0);
      return false;
   }
   if (w->state.sgpr[AMD_M0] != w->prim_mask) {
      wave_fault(w, c, SIM_FAULT_STATE, sim_va(0), "M0 is 0x%x and not PRIM_MASK 0x%x", w->state.sgpr[AMD_M0],
                 w->prim_mask);
      return false;
   }
   return true;
}

/* P0, P10, P20 of the primitive that a lane's quad belongs to. */
static const float *
params_of(const struct wave *w, const struct code *c, unsigned lane)
{
   const struct amd_wave_params *p = &w->params;
   return p->data + (((size_t)p->quad_prim[lane / 4] * p->attr_count + c->in.attr) * 4 + c->in.chan) * 3;
}

/* One of two halves of a parameter: P0, P10 or P20. */
static float
half_param(const struct code *c, const float *params, unsigned i)
{
   return bits_float(wave_from_half_bits(float_bits(params[i]) >> (c->in.high ? 16 : 0), false));
}

/* VOP3 up to GFX10.3: products and sums are of 32 bits ("RDNA 2" ISA, V_INTERP_P1LL_F16 and its neighbours). P1LV has
 * P0 in one half or the other of its third source; the legacy form of GFX9 is that of GFX8, and differs in nothing
 * here. */
static enum step
run_interp_halves(struct wave *w, const struct code *c)
{
   const struct amd_inst *in = &c->in;
   if (!exec_check_params(w, c))
      return STEP_FAULT;
   uint64_t exec = state_exec(&w->state);
   uint32_t *dst = state_vgpr(&w->state, in->dst);
   bool first = in->op == AMD_OP_v_interp_p1ll_f16 || in->op == AMD_OP_v_interp_p1lv_f16;
   const uint32_t *bary = state_vgpr(&w->state, in->src[0]);
   const uint32_t *added = in->src[2] == AMD_OPERAND_NONE ? NULL : state_vgpr(&w->state, in->src[2]);
   for (unsigned l = 0; l < w->state.lanes; l++) {
      const float *v = params_of(w, c, l);
      if (!(exec >> l & 1))
         continue;
      if (first) {
         float p0 =
            added ? bits_float(wave_from_half_bits(added[l] >> (in->high ? 16 : 0), false)) : half_param(c, v, 0);
         dst[l] = float_bits(__builtin_fmaf(half_param(c, v, 1), bits_float(bary[l]), p0));
         continue;
      }
      float result = __builtin_fmaf(half_param(c, v, 2), bits_float(bary[l]), bits_float(added[l]));
      dst[l] = (c->clears_high ? 0 : dst[l] & 0xffff0000) | wave_half_bits(float_bits(result), false);
   }
   return STEP_NEXT;
}

/* Writes whole quads, and may be done ahead of exports that are under way or after them. */
static enum step
load_is_pending(struct wave *w, const struct code *c, uint64_t lanes)
{
   const struct sim_operation operation = {.reg = c->in.dst, .count = lanes ? 1 : 0, .lanes = lanes};
   wave_outstanding_operation(w, COUNTER_EXP, &operation, true);
   return STEP_NEXT;
}

static enum step
run_param_load(struct wave *w, const struct code *c)
{
   if (!exec_check_params(w, c))
      return STEP_FAULT;
   uint64_t lanes = wave_quads(state_exec(&w->state));
   exec_wide()->param_load(w, c, lanes);
   return load_is_pending(w, c, lanes);
}

/* M0: address in bytes 15:0, type 18:16. */
static bool
read_lds(const struct wave *w, uint32_t m0, uint32_t *value)
{
   static const struct {
      uint8_t size_B;
      bool sign;
   } types[8] = {{1, false}, {2, false}, {4, false}, {0, false}, {1, true}, {2, true}};
   uint32_t at_B = m0 & 0xffff, type = m0 >> 16 & 7, size_B = types[type].size_B;
   *value = 0;
   if (!size_B || at_B % 4)
      return false;
   if (at_B + size_B <= w->launch->lds_size_B)
      memcpy(value, w->lds + at_B, size_B);
   if (types[type].sign)
      *value = (uint32_t)sign_extend(*value, 8 * size_B);
   return true;
}

static enum step
run_direct_load(struct wave *w, const struct code *c)
{
   uint64_t lanes = wave_quads(state_exec(&w->state));
   uint32_t *dst = state_vgpr(&w->state, c->in.dst), value;
   if (!read_lds(w, w->state.sgpr[AMD_M0], &value))
      return wave_fault(w, c, SIM_FAULT_STATE, sim_va(0),
                        "M0 0x%x has no type of data, or its address is not of a dword", w->state.sgpr[AMD_M0]);
   for (unsigned l = 0; l < w->state.lanes; l++)
      dst[l] = lanes >> l & 1 ? value : dst[l];
   return load_is_pending(w, c, lanes);
}

/* Which lane of its quad each lane reads, or -1: its own. */
struct quad_lanes {
   int src0, src2;
};

static uint32_t
take_source(const struct code *c, unsigned i, uint32_t bits)
{
   bool half = c->info->src[i].type == AMD_TYPE_F16;
   if (half)
      bits = wave_from_half_bits(bits >> (c->in.op_sel >> i & 1 ? 16 : 0), false);
   return bits ^ (c->in.neg >> i & 1 ? 0x80000000 : 0);
}

static void
gather(const struct wave *w, const struct code *c, unsigned i, int lane, unsigned first, uint32_t to[HALF])
{
   const uint32_t *from = w->state.vgpr + (size_t)(c->in.src[i] - AMD_VGPR0) * w->state.lanes + first;
   for (int l = 0; l < HALF; l++)
      to[l] = take_source(c, i, from[lane < 0 ? l : (l & ~3) + lane]);
}

static uint32_t
put_result(const struct wave *w, const struct code *c, uint32_t old, uint32_t bits)
{
   float value = bits_float(bits);
   bool dx10_clamp = w->state.mode >> 8 & 1;
   if (c->in.clamp)
      value = value != value ? (dx10_clamp ? 0.0f : value) : value < 0.0f ? 0.0f : value > 1.0f ? 1.0f : value;
   if (c->info->dst.type != AMD_TYPE_F16)
      return float_bits(value);
   uint32_t half = wave_half_bits(float_bits(value), false);
   return c->in.op_sel & 8 ? (old & 0xffff) | half << 16 : (old & 0xffff0000) | half;
}

static enum step
run_in_quads(struct wave *w, const struct code *c, struct quad_lanes read)
{
   uint64_t exec = state_exec(&w->state);
   for (unsigned first = 0; first < w->state.lanes; first += HALF) {
      _Alignas(64) uint32_t a[HALF], b[HALF], s[HALF], d[HALF];
      struct lanes x = {.code = c, .a = a, .b = b, .c = s, .d = d};
      uint32_t *dst = state_vgpr(&w->state, c->in.dst) + first, bits = (uint32_t)(exec >> first);
      if (!bits)
         continue;
      gather(w, c, 0, read.src0, first, a);
      gather(w, c, 1, -1, first, b);
      gather(w, c, 2, read.src2, first, s);
      c->kernel(&x);
      for (int l = 0; l < HALF; l++)
         dst[l] = bits >> l & 1 ? put_result(w, c, dst[l], d[l]) : dst[l];
   }
   return STEP_NEXT;
}

static enum step
run_p10(struct wave *w, const struct code *c)
{
   return run_in_quads(w, c, (struct quad_lanes){1, 0});
}

static enum step
run_p2(struct wave *w, const struct code *c)
{
   return run_in_quads(w, c, (struct quad_lanes){2, -1});
}

static enum step
run_to_zero(struct wave *w, const struct code *c)
{
   wave_float_mode((w->state.mode & ~3u) | ROUND_TO_ZERO);
   enum step step = c->in.op == AMD_OP_v_interp_p10_rtz_f16_f32 ? run_p10(w, c) : run_p2(w, c);
   wave_float_mode(w->state.mode);
   return step;
}

bool
exec_interp_bind(struct code *c)
{
   const bool halves = c->info->dst.type == AMD_TYPE_F16 || c->info->src[0].type == AMD_TYPE_F16;
   const bool in_quads = !halves && !c->in.clamp;
   c->kernel = exec_wide()->kernel(AMD_OP_v_fma_f32);
   switch ((int)c->in.op) {
   case AMD_OP_v_interp_p1_f32:
   case AMD_OP_v_interp_p2_f32:
   case AMD_OP_v_interp_mov_f32:
      c->run = exec_wide()->interp;
      return c->plain;
   case AMD_OP_v_interp_p1ll_f16:
   case AMD_OP_v_interp_p1lv_f16:
   case AMD_OP_v_interp_p2_f16:
   case AMD_OP_v_interp_p2_legacy_f16:
      c->run = run_interp_halves;
      return c->plain;
   case AMD_OP_lds_param_load:
      c->run = run_param_load;
      return true;
   case AMD_OP_lds_direct_load:
      c->run = run_direct_load;
      return true;
   case AMD_OP_v_interp_p10_f32:
   case AMD_OP_v_interp_p10_f16_f32:
      c->run = in_quads ? exec_wide()->in_quads : run_p10;
      return true;
   case AMD_OP_v_interp_p2_inreg_f32:
   case AMD_OP_v_interp_p2_f16_f32:
      c->run = in_quads ? exec_wide()->in_quads : run_p2;
      return true;
   case AMD_OP_v_interp_p10_rtz_f16_f32:
   case AMD_OP_v_interp_p2_rtz_f16_f32:
      c->run = run_to_zero;
      return true;
   default: /* others: no interpolation */
      return false;
   }
}
