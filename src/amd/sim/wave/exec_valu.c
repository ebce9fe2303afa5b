/* Vector instructions: operands of 32 lanes to a kernel, modifiers around it, results under EXEC. */
#include <string.h>

#include "amd/sim/wave/wave_float.h"
#include "amd/sim/wave/exec_private.h"
#include "util/macros.h"

/* Space for operands that are not VGPRs in place. */
struct temps {
   _Alignas(64) uint32_t s[3][2][HALF];
   _Alignas(64) uint32_t d[2][HALF];
   _Alignas(64) uint32_t old[HALF];
};

static void
broadcast(uint32_t *to, uint32_t value)
{
   for (int i = 0; i < HALF; i++)
      to[i] = value;
}

/* A VGPR in the lanes of a half. Both halves have the same of a shared one. */
static inline uint32_t *
wave_half(struct wave *w, unsigned reg, unsigned half)
{
   return state_vgpr(&w->state, reg) + (reg - AMD_VGPR0 < w->state.first_shared ? half * HALF : 0);
}

static const uint32_t *
fetch(struct wave *w, const struct code *c, unsigned i, unsigned dw, unsigned half, struct temps *t)
{
   const struct source *s = &c->src[i];
   if (s->kind == SOURCE_VGPR)
      return wave_half(w, s->reg + dw, half);
   uint64_t value = exec_scalar(w, c, i);
   broadcast(t->s[i][dw], (uint32_t)(value >> 32 * dw));
   return t->s[i][dw];
}

static unsigned
float_bits_of(unsigned type)
{
   if (type == AMD_TYPE_F16 || type == AMD_TYPE_V2F16)
      return 16;
   return type == AMD_TYPE_F32 ? 32 : type == AMD_TYPE_F64 ? 64 : 0;
}

/* Copies an operand so that it may be changed. */
static uint32_t *
own(const uint32_t **place, uint32_t *space)
{
   if (*place != space)
      memcpy(space, *place, HALF * 4);
   *place = space;
   return space;
}

/* GFX9: patterns that cross the rows of a wave of 64 lanes. */
static int
dpp_source_in_wave(unsigned control, int lane)
{
   switch (control) {
   case AMD_DPP_WAVE_SHL:
      return lane < 63 ? lane + 1 : -1;
   case AMD_DPP_WAVE_ROL:
      return (lane + 1) & 63;
   case AMD_DPP_WAVE_SHR:
      return lane - 1;
   case AMD_DPP_WAVE_ROR:
      return (lane - 1) & 63;
   case AMD_DPP_ROW_BCAST15:
      return (lane & ~15) - 1;
   default: /* others: AMD_DPP_ROW_BCAST31 is all that is left */
      return lane < 32 ? -1 : 31;
   }
}

bool
exec_dpp_is_of_wave(const struct amd_inst *in)
{
   return in->modifier == AMD_MOD_DPP16 &&
          ((in->dpp_ctrl >= AMD_DPP_WAVE_SHL && in->dpp_ctrl <= AMD_DPP_WAVE_ROR) ||
           in->dpp_ctrl == AMD_DPP_ROW_BCAST15 || in->dpp_ctrl == AMD_DPP_ROW_BCAST31);
}

int
exec_dpp_source(const struct amd_inst *in, int lane)
{
   int row = lane & ~15, l = lane & 15, n = in->dpp_ctrl & 15, c = in->dpp_ctrl;
   if (in->modifier == AMD_MOD_DPP8)
      return (lane & ~7) + (int)(in->dpp8 >> 3 * (lane & 7) & 7);
   if (c < AMD_DPP_ROW_SHL)
      return (lane & ~3) + (c >> 2 * (lane & 3) & 3);
   if (c < AMD_DPP_ROW_SHR)
      return l + n < 16 ? lane + n : -1;
   if (c < AMD_DPP_ROW_ROR)
      return l - n >= 0 ? lane - n : -1;
   if (c < 0x130)
      return row + ((l - n) & 15);
   if (c == AMD_DPP_ROW_MIRROR)
      return row + 15 - l;
   if (c == AMD_DPP_ROW_HALF_MIRROR)
      return row + (l & 8) + 7 - (l & 7);
   return c < AMD_DPP_ROW_XMASK ? row + n : row + (l ^ n);
}

/* Moves src0 across lanes. Returns the lanes that are not written. whole: src0 of all lanes before the instruction.
 */
static uint32_t
apply_dpp(struct wave *w, const struct code *c, unsigned half, const uint32_t *whole, const uint32_t **place,
          uint32_t *space)
{
   const struct amd_inst *in = &c->in;
   bool of_wave = exec_dpp_is_of_wave(in);
   uint64_t exec = of_wave ? state_exec(&w->state) : w->state.sgpr[AMD_EXEC_LO + half];
   uint32_t off = 0, copy[2 * HALF];
   memcpy(copy, of_wave ? whole : *place, (of_wave ? 2 : 1) * HALF * sizeof(*copy));
   for (int lane = 0; lane < HALF; lane++) {
      int from = of_wave ? dpp_source_in_wave(in->dpp_ctrl, lane + HALF * (int)half) : exec_dpp_source(in, lane);
      bool valid = from >= 0 && (in->fetch_inactive || exec >> from & 1);
      space[lane] = valid ? copy[from] : 0;
      if (in->modifier == AMD_MOD_DPP16) {
         bool keep = !valid && !in->bound_ctrl;
         keep |= !(in->row_mask >> (lane / 16 + 2 * (int)half) & 1) || !(in->bank_mask >> (lane / 4 & 3) & 1);
         off |= (uint32_t)keep << lane;
      }
   }
   *place = space;
   return off;
}

static uint32_t
sdwa_select(uint32_t v, unsigned sel, bool sext)
{
   if (sel == AMD_SDWA_DWORD)
      return v;
   unsigned bits = sel < AMD_SDWA_WORD_0 ? 8 : 16,
            shift = sel < AMD_SDWA_WORD_0 ? 8 * sel : 16 * (sel - AMD_SDWA_WORD_0);
   v = v >> shift & (uint32_t)bit_mask(bits);
   return sext ? (uint32_t)sign_extend(v, bits) : v;
}

static uint32_t
sdwa_insert(uint32_t old, uint32_t v, unsigned sel, unsigned unused)
{
   if (sel == AMD_SDWA_DWORD)
      return v;
   unsigned bits = sel < AMD_SDWA_WORD_0 ? 8 : 16,
            shift = sel < AMD_SDWA_WORD_0 ? 8 * sel : 16 * (sel - AMD_SDWA_WORD_0);
   uint32_t mask = (uint32_t)bit_mask(bits) << shift, part = v << shift & mask;
   if (unused == AMD_SDWA_UNUSED_PRESERVE)
      return (old & ~mask) | part;
   if (unused == AMD_SDWA_UNUSED_SEXT)
      return (uint32_t)sign_extend(part, bits + shift);
   return part;
}

/* Encodings whose OP_SEL names the halves of registers; short ones have it from GFX11 on. */
static bool
takes_halves(const struct amd_inst *in)
{
   return in->enc == AMD_ENC_VOP1 || in->enc == AMD_ENC_VOP2 || in->enc == AMD_ENC_VOPC || in->enc == AMD_ENC_VOP3;
}

/* neg and abs of source i, and its op_sel half for 16-bit operands. */
static void
apply_source_modifiers(const struct code *c, unsigned i, const uint32_t **place, const uint32_t **place_hi,
                       uint32_t (*space)[HALF])
{
   const struct amd_inst *in = &c->in;
   bool neg = in->neg >> i & 1, abs = in->abs >> i & 1;
   unsigned bits = float_bits_of(c->info->src[i].type);
   if (in->modifier == AMD_MOD_SDWA && i < 2 && (in->sdwa_src_sel[i] != AMD_SDWA_DWORD || in->sdwa_sext >> i & 1)) {
      uint32_t *v = own(place, space[0]);
      for (int l = 0; l < HALF; l++)
         v[l] = sdwa_select(v[l], in->sdwa_src_sel[i], in->sdwa_sext >> i & 1);
   }
   if (takes_halves(in) && in->op_sel >> i & 1 && (!c->info->op_sel || c->info->op_sel >> i & 1)) {
      uint32_t *v = own(place, space[0]);
      for (int l = 0; l < HALF; l++)
         v[l] >>= 16;
   }
   if ((!neg && !abs) || (!bits && in->enc == AMD_ENC_VOP3P)) /* dot products of integers: which are signed */
      return;
   if (!bits) /* v_cndmask: as single precision */
      bits = 32;
   uint32_t sign = bits == 16 ? 0x8000 : 0x80000000;
   uint32_t *v = bits == 64 ? own(place_hi, space[1]) : own(place, space[0]);
   for (int l = 0; l < HALF; l++)
      v[l] = (abs ? v[l] & ~sign : v[l]) ^ (neg ? sign : 0);
}

static _Float16
to_half(uint32_t bits)
{
   uint16_t b = (uint16_t)bits;
   _Float16 v;
   memcpy(&v, &b, 2);
   return v;
}

static uint32_t
from_half(_Float16 v)
{
   uint16_t b;
   memcpy(&b, &v, 2);
   return b;
}

/* lanes_scale_and_clamp() of any precision. */
static double
scale_and_clamp(double v, const struct code *c, uint32_t mode)
{
   static const double scales[4] = {1, 2, 4, 0.5};
   const unsigned omod = wave_float_omod(c->in.omod, mode, c->info->dst.type == AMD_TYPE_F32);
   v *= scales[omod];
   if (omod && v == 0)
      v = 0;
   if (!c->in.clamp)
      return v;
   if (v != v)
      return mode & WAVE_DX10_CLAMP ? 0 : v;
   return v < 0 ? 0 : v > 1 ? 1 : v;
}

static void
apply_result_modifiers(struct wave *w, const struct code *c, uint32_t *lo, uint32_t *hi)
{
   const uint32_t mode = w->state.mode;
   unsigned bits = float_bits_of(c->info->dst.type);
   if (!bits || (!c->in.omod && !c->in.clamp))
      return;
   for (int l = 0; l < HALF; l++) {
      if (bits == 32) {
         lo[l] = float_bits((float)scale_and_clamp((double)bits_float(lo[l]), c, mode));
      } else if (bits == 16) {
         lo[l] = from_half((_Float16)scale_and_clamp((double)to_half(lo[l]), c, mode));
      } else {
         uint64_t r = double_bits(scale_and_clamp(bits_double(lo[l] | (uint64_t)hi[l] << 32), c, mode));
         lo[l] = (uint32_t)r;
         hi[l] = (uint32_t)(r >> 32);
      }
   }
}

static void
write_masked(uint32_t *restrict to, const uint32_t *restrict from, const uint32_t *restrict mask, uint32_t bits)
{
   if (bits == UINT32_MAX) {
      memcpy(to, from, HALF * 4);
      return;
   }
   for (int i = 0; i < HALF; i++)
      to[i] = (from[i] & mask[i]) | (to[i] & ~mask[i]);
}

static bool
is_16bit_result(const struct code *c)
{
   unsigned t = c->info->dst.type;
   return (t >= AMD_TYPE_B16 && t <= AMD_TYPE_U16) && c->in.enc != AMD_ENC_VOP3P;
}

/* MODE in which an operation computes: the part for 16 and 64 bits stands next to that for 32. The result decides,
 * but of v_cvt_f64_f32 that is exact (assumed; LLVM's fptrunc and fpext flush as their results' types say). */
static bool
uses_other_mode(const struct code *c)
{
   unsigned s = c->info->src[0].type, t = c->info->dst.type;
   if (t == AMD_TYPE_F32 || c->in.op == AMD_OP_v_cvt_f64_f32)
      return false;
   return s == AMD_TYPE_F64 || t == AMD_TYPE_F64 || s == AMD_TYPE_F16 || t == AMD_TYPE_F16 || s == AMD_TYPE_V2F16;
}

static bool
differs_by_precision(uint32_t mode)
{
   return (mode >> 2 & 0x33) != (mode & 0x33);
}

static void
bind_lanes(struct wave *w, const struct code *c, unsigned half, struct temps *t, struct lanes *x)
{
   const uint32_t **lo[3] = {&x->a, &x->b, &x->c}, **hi[3] = {&x->a_hi, &x->b_hi, &x->c_hi};
   bool vcc = c->info->flags & AMD_FLAG_READS_VCC;
   x->carry_in = vcc ? w->state.sgpr[AMD_VCC_LO + half] : 0;
   for (unsigned i = 0; i < c->info->src_count; i++) {
      if (c->info->src[i].cls == AMD_CLASS_MASK) {
         uint64_t mask = exec_scalar(w, c, i);
         x->carry_in = (uint32_t)(mask >> 32 * half);
         continue;
      }
      *lo[i] = fetch(w, c, i, 0, half, t);
      if (c->info->src[i].size_dw == 2)
         *hi[i] = fetch(w, c, i, 1, half, t);
   }
}

/* Denormals of half precision, copied so that they may be changed. */
static void
flush_halves(const uint32_t **place, uint32_t *space)
{
   uint32_t *v = own(place, space);
   for (int l = 0; l < HALF; l++)
      v[l] = wave_flush_halves(v[l]);
}

/* A class is that of the bits, whatever MODE says. Assumed: LLVM selects it for llvm.is.fpclass, which no mode
 * changes. */
static bool
tells_class(const struct code *c)
{
   return c->in.op == AMD_OP_v_cmp_class_f16 || c->in.op == AMD_OP_v_cmpx_class_f16;
}

/* Sources that are halves, and the result's register where it is one. */
static void
flush_half_sources(const struct code *c, const uint32_t **const places[3], struct temps *t, struct lanes *x)
{
   for (unsigned i = 0; i < c->info->src_count && !tells_class(c); i++)
      if (float_bits_of(c->info->src[i].type) == 16)
         flush_halves(places[i], t->s[i][0]);
   if (c->info->flags & AMD_FLAG_READS_DST && float_bits_of(c->info->dst.type) == 16)
      flush_halves(&x->old, t->old);
}

/* flushed: of half precision, WAVE_FLUSH_* */
static void
run_plain_half(struct wave *w, const struct code *c, unsigned half, const uint32_t *whole, unsigned flushed,
               uint64_t *mask)
{
   struct temps t;
   struct lanes x = {.code = c, .d = t.d[0], .d_hi = t.d[1]};
   const uint32_t **const lo[3] = {&x.a, &x.b, &x.c}, **const hi[3] = {&x.a_hi, &x.b_hi, &x.c_hi};
   x.flushes_halves = flushed & WAVE_FLUSH_RESULTS;
   bind_lanes(w, c, half, &t, &x);
   uint32_t *dst = NULL;
   if (c->info->dst.cls == AMD_CLASS_VGPR) {
      dst = wave_half(w, c->in.dst, half);
      x.old = dst;
   }
   uint32_t off = 0;
   if (!c->plain) {
      if (c->in.modifier == AMD_MOD_DPP16 || c->in.modifier == AMD_MOD_DPP8)
         off = apply_dpp(w, c, half, whole, &x.a, t.s[0][0]);
      for (unsigned i = 0; i < c->info->src_count; i++)
         if (c->info->src[i].cls != AMD_CLASS_MASK)
            apply_source_modifiers(c, i, lo[i], hi[i], t.s[i]);
   }
   if (flushed & WAVE_FLUSH_SOURCES)
      flush_half_sources(c, lo, &t, &x);
   c->kernel(&x);
   *mask |= (uint64_t)(x.mask & ~off) << 32 * half;
   if (!dst)
      return;
   if (!c->plain)
      apply_result_modifiers(w, c, t.d[0], t.d[1]);
   if (flushed & WAVE_FLUSH_RESULTS && c->info->dst.type == AMD_TYPE_F16)
      flush_halves(&(const uint32_t *){t.d[0]}, t.d[0]);
   if (!c->plain) {
      if (c->in.modifier == AMD_MOD_SDWA)
         for (int l = 0; l < HALF; l++)
            t.d[0][l] = sdwa_insert(dst[l], t.d[0][l], c->in.sdwa_dst_sel, c->in.sdwa_dst_unused);
   }
   if (is_16bit_result(c) && c->in.modifier != AMD_MOD_SDWA) {
      bool high = takes_halves(&c->in) && c->in.op_sel >> 3 & 1;
      for (int l = 0; l < HALF && c->clears_high; l++)
         t.d[0][l] &= 0xffff;
      for (int l = 0; l < HALF && !c->clears_high; l++)
         t.d[0][l] = high ? (dst[l] & 0xffff) | t.d[0][l] << 16 : (dst[l] & 0xffff0000) | (t.d[0][l] & 0xffff);
   }
   uint32_t bits = w->state.exec_bits[half] & ~off;
   uint32_t partial[HALF];
   const uint32_t *lanes = w->state.exec_mask[half];
   if (off) {
      for (int l = 0; l < HALF; l++)
         partial[l] = bits >> l & 1 ? UINT32_MAX : 0;
      lanes = partial;
   }
   write_masked(dst, t.d[0], lanes, bits);
   if (c->info->dst.size_dw == 2)
      write_masked(dst + w->state.lanes, t.d[1], lanes, bits);
}

static enum step
run_plain(struct wave *w, const struct code *c)
{
   uint64_t mask = 0;
   uint32_t whole[2 * HALF];
   if (exec_dpp_is_of_wave(&c->in))
      memcpy(whole, state_vgpr(&w->state, c->in.src[0]), sizeof(whole));
   const unsigned flushed = wave_float_flushed(w->state.mode);
   const bool other = uses_other_mode(c) && differs_by_precision(w->state.mode);
   if (other)
      wave_float_mode(wave_float_other_mode(w->state.mode));
   for (unsigned half = 0; half < w->state.halves; half++) {
      exec_update_mask(&w->state, half);
      if (w->state.exec_bits[half])
         run_plain_half(w, c, half, whole, flushed, &mask);
   }
   if (other)
      wave_float_mode(w->state.mode);
   mask &= state_exec(&w->state);
   if (c->info->dst.cls == AMD_CLASS_MASK)
      state_write_mask(&w->state, c->in.dst, mask);
   if (c->info->flags & AMD_FLAG_WRITES_EXEC)
      state_write_mask(&w->state, AMD_EXEC_LO, mask);
   if (c->info->sdst.cls)
      state_write_mask(&w->state, c->in.sdst, mask);
   return STEP_NEXT;
}

/* Packed: the kernel runs on the low halves, then on the high ones. */
static enum step
run_packed(struct wave *w, const struct code *c)
{
   const struct amd_inst *in = &c->in;
   bool is_float = float_bits_of(c->info->src[0].type) == 16;
   unsigned op_sel_hi = in->enc == AMD_ENC_VOP3P ? in->op_sel_hi : 7;
   const unsigned flushed = is_float ? wave_float_flushed(w->state.mode) : 0;
   const bool other = is_float && differs_by_precision(w->state.mode);
   if (other)
      wave_float_mode(wave_float_other_mode(w->state.mode));
   for (unsigned half = 0; half < w->state.halves; half++) {
      exec_update_mask(&w->state, half);
      struct temps t;
      struct lanes x = {.code = c, .d = t.d[0], .d_hi = t.d[1]};
      bind_lanes(w, c, half, &t, &x);
      uint32_t *dst = state_vgpr(&w->state, in->dst) + half * HALF, old[HALF], parts[2][3][HALF];
      const uint32_t *sources[3] = {x.a, x.b, x.c};
      for (unsigned p = 0; p < 2; p++) {
         unsigned sel = p ? op_sel_hi : in->op_sel, neg = p ? in->neg_hi : in->neg;
         for (unsigned i = 0; i < c->info->src_count; i++)
            for (int l = 0; l < HALF; l++)
               parts[p][i][l] =
                  (sources[i][l] >> 16 * (sel >> i & 1) & 0xffff) ^ (is_float && neg >> i & 1 ? 0x8000 : 0);
      }
      for (unsigned p = 0; p < 2; p++) {
         const uint32_t **const places[3] = {&x.a, &x.b, &x.c};
         x.a = parts[p][0], x.b = parts[p][1], x.c = parts[p][2];
         for (int l = 0; l < HALF; l++)
            old[l] = dst[l] >> 16 * p & 0xffff;
         x.old = old;
         if (flushed & WAVE_FLUSH_SOURCES)
            flush_half_sources(c, places, &t, &x);
         x.d = t.d[p];
         c->kernel(&x);
         if (is_float && in->clamp)
            apply_result_modifiers(w, c, t.d[p], NULL);
         if (flushed & WAVE_FLUSH_RESULTS)
            flush_halves(&(const uint32_t *){t.d[p]}, t.d[p]);
      }
      for (int l = 0; l < HALF; l++)
         t.d[0][l] = (t.d[0][l] & 0xffff) | t.d[1][l] << 16;
      write_masked(dst, t.d[0], w->state.exec_mask[half], w->state.exec_bits[half]);
   }
   if (other)
      wave_float_mode(w->state.mode);
   return STEP_NEXT;
}

/* Lane of v_readfirstlane: the lowest active one, 0 if none. */
static unsigned
first_lane(const struct wave *w)
{
   uint64_t exec = state_exec(&w->state);
   return exec ? (unsigned)__builtin_ctzll(exec) : 0;
}

static enum step
run_lane(struct wave *w, const struct code *c)
{
   const struct amd_inst *in = &c->in;
   if (in->op == AMD_OP_v_writelane_b32) {
      unsigned lane = (unsigned)exec_scalar(w, c, 1) & (w->state.lanes - 1);
      state_vgpr(&w->state, in->dst)[lane] = (uint32_t)exec_scalar(w, c, 0);
      return STEP_NEXT;
   }
   unsigned lane =
      in->op == AMD_OP_v_readlane_b32 ? (unsigned)exec_scalar(w, c, 1) & (w->state.lanes - 1) : first_lane(w);
   state_write(&w->state, in->dst,
               amd_is_vgpr(in->src[0]) ? state_vgpr(&w->state, in->src[0])[lane] : (uint32_t)exec_scalar(w, c, 0));
   return STEP_NEXT;
}

/* v_permlane16, v_permlanex16: each lane of a row reads a lane of its row or of the row next to. */
static enum step
run_permlane(struct wave *w, const struct code *c)
{
   const struct amd_inst *in = &c->in;
   uint64_t select = (uint32_t)exec_scalar(w, c, 1) | exec_scalar(w, c, 2) << 32, exec = state_exec(&w->state);
   bool fetch_inactive = in->op_sel & 1, bound = in->op_sel & 2;
   uint32_t *dst = state_vgpr(&w->state, in->dst), from[AMD_WAVE_MAX_LANES];
   memcpy(from, state_vgpr(&w->state, in->src[0]), w->state.lanes * 4);
   for (unsigned l = 0; l < w->state.lanes; l++) {
      unsigned row = (l & ~15u) ^ (in->op == AMD_OP_v_permlanex16_b32 ? 16 : 0);
      unsigned source = row + (unsigned)(select >> 4 * (l & 15) & 15);
      if (!(exec >> l & 1))
         continue;
      if (fetch_inactive || exec >> source & 1)
         dst[l] = from[source];
      else if (bound)
         dst[l] = 0;
   }
   return STEP_NEXT;
}

/* The lanes of the other half, whatever EXEC says of them. Waves of 32 have none ("RDNA 3" ISA, V_PERMLANE64_B32). */
static enum step
run_permlane64(struct wave *w, const struct code *c)
{
   uint64_t exec = state_exec(&w->state);
   uint32_t *dst = state_vgpr(&w->state, c->in.dst), from[AMD_WAVE_MAX_LANES];
   memcpy(from, state_vgpr(&w->state, c->in.src[0]), w->state.lanes * 4);
   for (unsigned l = 0; l < w->state.lanes && w->state.halves == 2; l++)
      if (exec >> l & 1)
         dst[l] = from[l ^ HALF];
   return STEP_NEXT;
}

/* Bits of the mask below each lane: v_mbcnt_lo counts lanes 0-31, v_mbcnt_hi lanes 32-63. */
static enum step
run_mbcnt(struct wave *w, const struct code *c)
{
   bool high = c->in.op == AMD_OP_v_mbcnt_hi_u32_b32;
   for (unsigned half = 0; half < w->state.halves; half++) {
      exec_update_mask(&w->state, half);
      struct temps t;
      struct lanes x = {.code = c};
      bind_lanes(w, c, half, &t, &x);
      for (unsigned l = 0; l < HALF; l++) {
         unsigned lane = half * HALF + l;
         uint64_t below = bit_mask(lane);
         uint32_t mask = high ? (uint32_t)(below >> 32) : (uint32_t)below;
         t.d[0][l] = (uint32_t)__builtin_popcount(x.a[l] & mask) + x.b[l];
      }
      write_masked(state_vgpr(&w->state, c->in.dst) + half * HALF, t.d[0], w->state.exec_mask[half],
                   w->state.exec_bits[half]);
   }
   return STEP_NEXT;
}

/* v_swaprel adds M0 25:16 and 9:0 to the registers' numbers. */
static enum step
run_swap(struct wave *w, const struct code *c)
{
   uint32_t m0 = c->in.op == AMD_OP_v_swaprel_b32 ? w->state.sgpr[AMD_M0] : 0;
   uint32_t first = c->in.dst - AMD_VGPR0 + (m0 >> 16 & 1023), second = c->in.src[0] - AMD_VGPR0 + (m0 & 1023);
   if (MAX2(first, second) >= w->state.vgpr_count)
      return wave_fault(w, c, SIM_FAULT_INSTRUCTION, sim_va(0), "register index %u out of range",
                        MAX2(first, second));
   uint32_t *a = state_vgpr(&w->state, AMD_VGPR0 + first), *b = state_vgpr(&w->state, AMD_VGPR0 + second);
   uint64_t exec = state_exec(&w->state);
   for (unsigned l = 0; l < w->state.lanes; l++) {
      if (exec >> l & 1) {
         uint32_t v = a[l];
         a[l] = b[l];
         b[l] = v;
      }
   }
   return STEP_NEXT;
}

/* The same of halves: op_sel says which. */
static enum step
run_swap_halves(struct wave *w, const struct code *c)
{
   uint32_t *a = state_vgpr(&w->state, c->in.dst), *b = state_vgpr(&w->state, c->in.src[0]);
   unsigned at = 16 * (c->in.op_sel >> 3 & 1), from = 16 * (c->in.op_sel & 1);
   uint64_t exec = state_exec(&w->state);
   for (unsigned l = 0; l < w->state.lanes; l++) {
      if (exec >> l & 1) {
         uint32_t differs = (a[l] >> at ^ b[l] >> from) & 0xffff;
         a[l] ^= differs << at;
         b[l] ^= differs << from;
      }
   }
   return STEP_NEXT;
}

/* VGPR indexed by M0, in the source (movrels), the result (movreld) or both. */
static enum step
run_movrel(struct wave *w, const struct code *c)
{
   uint32_t m0 = w->state.sgpr[AMD_M0];
   bool s = c->in.op != AMD_OP_v_movreld_b32, d = c->in.op != AMD_OP_v_movrels_b32;
   bool two = c->in.op == AMD_OP_v_movrelsd_2_b32;
   uint32_t dst = c->in.dst - AMD_VGPR0 + (d ? (two ? m0 >> 16 & 1023 : m0) : 0);
   uint32_t src = c->in.src[0] - AMD_VGPR0 + (s ? (two ? m0 & 1023 : m0) : 0);
   bool vgpr = amd_is_vgpr(c->in.src[0]);
   if (dst >= w->state.vgpr_count || (vgpr && src >= w->state.vgpr_count))
      return wave_fault(w, c, SIM_FAULT_INSTRUCTION, sim_va(0), "register index %u out of range", MAX2(dst, src));
   uint64_t exec = state_exec(&w->state);
   uint32_t scalar = vgpr ? 0 : (uint32_t)exec_scalar(w, c, 0);
   uint32_t *to = state_vgpr(&w->state, AMD_VGPR0 + dst);
   const uint32_t *from = vgpr ? state_vgpr(&w->state, AMD_VGPR0 + src) : NULL;
   for (unsigned l = 0; l < w->state.lanes; l++)
      if (exec >> l & 1)
         to[l] = from ? from[l] : scalar;
   return STEP_NEXT;
}

static enum step
run_nop(struct wave *w, const struct code *c)
{
   return STEP_NEXT;
}

static bool
is_without_modifiers(const struct code *c)
{
   const struct amd_inst *in = &c->in;
   bool packed = in->enc == AMD_ENC_VOP3P && !in->neg && !in->neg_hi && !in->op_sel && in->op_sel_hi == 7;
   return c->plain || (packed && !in->clamp);
}

static bool
bind(struct code *c)
{
   unsigned op = c->in.op;
   kernel_fn kernel = exec_wide()->kernel((enum amd_op)op);
   c->kernel = kernel ? kernel : exec_division((enum amd_op)op);
   c->run = exec_words_bind(c) ? exec_wide()->words : run_plain;
   switch ((int)op) {
   case AMD_OP_v_nop:
      c->run = run_nop;
      return true;
   case AMD_OP_v_readfirstlane_b32:
   case AMD_OP_v_readlane_b32:
   case AMD_OP_v_writelane_b32:
      c->run = run_lane;
      return true;
   case AMD_OP_v_permlane16_b32:
   case AMD_OP_v_permlanex16_b32:
      c->run = run_permlane;
      return true;
   case AMD_OP_v_permlane64_b32:
      c->run = run_permlane64;
      return true;
   case AMD_OP_v_mbcnt_lo_u32_b32:
   case AMD_OP_v_mbcnt_hi_u32_b32:
      c->run = run_mbcnt;
      return c->plain;
   case AMD_OP_v_dot2_f32_bf16:
   case AMD_OP_v_dot2_bf16_bf16:
      c->run = run_plain;
      return is_without_modifiers(c);
   case AMD_OP_v_swap_b32:
   case AMD_OP_v_swaprel_b32:
      c->run = run_swap;
      return true;
   case AMD_OP_v_swap_b16:
      c->run = run_swap_halves;
      return true;
   case AMD_OP_v_movrels_b32:
   case AMD_OP_v_movreld_b32:
   case AMD_OP_v_movrelsd_b32:
   case AMD_OP_v_movrelsd_2_b32:
      c->run = run_movrel;
      return c->plain;
   case AMD_OP_v_fma_mix_f32:
   case AMD_OP_v_fma_mixlo_f16:
   case AMD_OP_v_fma_mixhi_f16:
   case AMD_OP_v_mad_mix_f32:
   case AMD_OP_v_mad_mixlo_f16:
   case AMD_OP_v_mad_mixhi_f16:
      c->run = exec_wide()->mix;
      exec_moves_bind(c);
      return true;
   case AMD_OP_v_pk_fmac_f16:
      c->run = run_packed;
      return c->plain;
   default: /* others: by their kernel */
      if (c->in.enc == AMD_ENC_VOP3P && c->info->dst.type >= AMD_TYPE_V2F16 && c->info->dst.type <= AMD_TYPE_V2U16)
         c->run = run_packed;
      return c->kernel != NULL;
   }
}

bool
exec_valu_bind(struct code *c)
{
   bool bound = wave_is_product(c->in.op) ? exec_wmma_bind(c) : bind(c);
   c->by_halves = c->run == run_plain || c->run == exec_wide()->words;
   return bound;
}
