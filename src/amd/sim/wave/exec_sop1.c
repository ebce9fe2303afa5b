/* Scalar instructions of one source. */
#include "amd/sim/wave/exec_salu_private.h"
#include "util/macros.h"

static uint64_t
bit_reverse(uint64_t v)
{
   uint64_t r = 0;
   for (unsigned i = 0; i < 64; i++)
      r |= (v >> i & 1) << (63 - i);
   return r;
}

static int32_t
first_sign_change(uint64_t v, unsigned bits)
{
   uint64_t top = v >> (bits - 1) & 1;
   for (unsigned i = 1; i < bits; i++)
      if ((v >> (bits - 1 - i) & 1) != top)
         return (int32_t)i;
   return -1;
}

static enum step
s_mov(struct wave *w, const struct code *c)
{
   return scalar_write(w, c, exec_scalar(w, c, 0));
}

static enum step
s_cmov(struct wave *w, const struct code *c)
{
   return w->state.scc ? scalar_write(w, c, exec_scalar(w, c, 0)) : STEP_NEXT;
}

static enum step
s_not(struct wave *w, const struct code *c)
{
   return scalar_write_test(w, c, ~exec_scalar(w, c, 0));
}

static enum step
s_wqm(struct wave *w, const struct code *c)
{
   return scalar_write_test(w, c, wave_quads(exec_scalar(w, c, 0)));
}

static enum step
s_quadmask(struct wave *w, const struct code *c)
{
   uint64_t a = exec_scalar(w, c, 0);
   uint64_t r = 0;
   for (unsigned i = 0; i < 16; i++)
      r |= (uint64_t)((a >> 4 * i & 15) != 0) << i;
   return scalar_write_test(w, c, r);
}

static enum step
s_brev_b32(struct wave *w, const struct code *c)
{
   return scalar_write(w, c, bit_reverse(exec_scalar(w, c, 0)) >> 32);
}

static enum step
s_brev_b64(struct wave *w, const struct code *c)
{
   return scalar_write(w, c, bit_reverse(exec_scalar(w, c, 0)));
}

static enum step
s_bcnt0_i32_b32(struct wave *w, const struct code *c)
{
   return scalar_write_test(w, c, 32 - (unsigned)__builtin_popcount(scalar_low(w, c, 0)));
}

static enum step
s_bcnt0_i32_b64(struct wave *w, const struct code *c)
{
   return scalar_write_test(w, c, 64 - (unsigned)__builtin_popcountll(exec_scalar(w, c, 0)));
}

static enum step
s_bcnt1_i32(struct wave *w, const struct code *c)
{
   return scalar_write_test(w, c, (unsigned)__builtin_popcountll(exec_scalar(w, c, 0)));
}

static enum step
s_ff0_i32_b32(struct wave *w, const struct code *c)
{
   uint32_t x = scalar_low(w, c, 0);
   return scalar_write(w, c, ~x ? (unsigned)__builtin_ctz(~x) : UINT32_MAX);
}

static enum step
s_ff0_i32_b64(struct wave *w, const struct code *c)
{
   uint64_t a = exec_scalar(w, c, 0);
   return scalar_write(w, c, ~a ? (unsigned)__builtin_ctzll(~a) : UINT32_MAX);
}

static enum step
s_ff1_i32(struct wave *w, const struct code *c)
{
   uint64_t a = exec_scalar(w, c, 0);
   return scalar_write(w, c, a ? (unsigned)__builtin_ctzll(a) : UINT32_MAX);
}

static enum step
s_flbit_i32_b32(struct wave *w, const struct code *c)
{
   uint32_t x = scalar_low(w, c, 0);
   return scalar_write(w, c, x ? (unsigned)__builtin_clz(x) : UINT32_MAX);
}

static enum step
s_flbit_i32_b64(struct wave *w, const struct code *c)
{
   uint64_t a = exec_scalar(w, c, 0);
   return scalar_write(w, c, a ? (unsigned)__builtin_clzll(a) : UINT32_MAX);
}

static enum step
s_flbit_i32(struct wave *w, const struct code *c)
{
   return scalar_write(w, c, (uint32_t)first_sign_change(scalar_low(w, c, 0), 32));
}

static enum step
s_flbit_i32_i64(struct wave *w, const struct code *c)
{
   return scalar_write(w, c, (uint32_t)first_sign_change(exec_scalar(w, c, 0), 64));
}

static enum step
s_sext_i32_i8(struct wave *w, const struct code *c)
{
   return scalar_write(w, c, (uint32_t)(int8_t)scalar_low(w, c, 0));
}

static enum step
s_sext_i32_i16(struct wave *w, const struct code *c)
{
   return scalar_write(w, c, (uint32_t)(int16_t)scalar_low(w, c, 0));
}

static enum step
s_bitset0_b32(struct wave *w, const struct code *c)
{
   return scalar_write(w, c, w->state.sgpr[c->in.dst] & ~(1u << (scalar_low(w, c, 0) & 31)));
}

static enum step
s_bitset0_b64(struct wave *w, const struct code *c)
{
   return scalar_write(w, c, state_read64(&w->state, c->in.dst) & ~(UINT64_C(1) << (scalar_low(w, c, 0) & 63)));
}

static enum step
s_bitset1_b32(struct wave *w, const struct code *c)
{
   return scalar_write(w, c, w->state.sgpr[c->in.dst] | 1u << (scalar_low(w, c, 0) & 31));
}

static enum step
s_bitset1_b64(struct wave *w, const struct code *c)
{
   return scalar_write(w, c, state_read64(&w->state, c->in.dst) | UINT64_C(1) << (scalar_low(w, c, 0) & 63));
}

static enum step
s_getpc_b64(struct wave *w, const struct code *c)
{
   return scalar_write(w, c, exec_next_va(w, c));
}

static enum step
s_setpc_b64(struct wave *w, const struct code *c)
{
   return exec_jump_to_va(w, c, sim_va(exec_scalar(w, c, 0)));
}

static enum step
s_swappc_b64(struct wave *w, const struct code *c)
{
   enum step step = exec_jump_to_va(w, c, sim_va(exec_scalar(w, c, 0)));
   if (step == STEP_NEXT || w->jumps)
      state_write64(&w->state, c->in.dst, exec_next_va(w, c));
   return step;
}

static enum step
s_abs_i32(struct wave *w, const struct code *c)
{
   uint32_t x = scalar_low(w, c, 0);
   return scalar_write_test(w, c, (int32_t)x < 0 ? 0u - x : x);
}

static enum step
s_bitreplicate_b64_b32(struct wave *w, const struct code *c)
{
   uint32_t x = scalar_low(w, c, 0);
   uint64_t r = 0;
   for (unsigned i = 0; i < 32; i++)
      r |= (uint64_t)(x >> i & 1) * 3 << 2 * i;
   return scalar_write(w, c, r);
}

static enum step
s_movrels_b32(struct wave *w, const struct code *c)
{
   return scalar_write(w, c, w->state.sgpr[(c->src[0].reg + w->state.sgpr[AMD_M0]) & 127]);
}

static enum step
s_movrels_b64(struct wave *w, const struct code *c)
{
   return scalar_write(w, c, state_read64(&w->state, (c->src[0].reg + w->state.sgpr[AMD_M0]) & 126));
}

static enum step
s_movreld_b32(struct wave *w, const struct code *c)
{
   state_write(&w->state, (c->in.dst + w->state.sgpr[AMD_M0]) & 127, scalar_low(w, c, 0));
   return STEP_NEXT;
}

static enum step
s_movreld_b64(struct wave *w, const struct code *c)
{
   state_write64(&w->state, (c->in.dst + w->state.sgpr[AMD_M0]) & 126, exec_scalar(w, c, 0));
   return STEP_NEXT;
}

static uint64_t
read_exec(const struct wave *w, const struct code *c)
{
   return c->info->dst.size_dw == 2 ? state_read64(&w->state, AMD_EXEC_LO) : w->state.sgpr[AMD_EXEC_LO];
}

/* SCC: whether any lane is left. dst: what the instruction writes there. */
static enum step
write_exec(struct wave *w, const struct code *c, uint64_t exec, uint64_t dst)
{
   bool wide = c->info->dst.size_dw == 2;
   w->state.sgpr[AMD_EXEC_LO] = (uint32_t)exec;
   if (wide)
      w->state.sgpr[AMD_EXEC_HI] = (uint32_t)(exec >> 32);
   return scalar_write_scc(w, c, dst, (wide ? exec : (uint32_t)exec) != 0);
}

static enum step
s_and_saveexec(struct wave *w, const struct code *c)
{
   uint64_t a = exec_scalar(w, c, 0), e = read_exec(w, c);
   return write_exec(w, c, a & e, e);
}

static enum step
s_or_saveexec(struct wave *w, const struct code *c)
{
   uint64_t a = exec_scalar(w, c, 0), e = read_exec(w, c);
   return write_exec(w, c, a | e, e);
}

static enum step
s_xor_saveexec(struct wave *w, const struct code *c)
{
   uint64_t a = exec_scalar(w, c, 0), e = read_exec(w, c);
   return write_exec(w, c, a ^ e, e);
}

static enum step
s_andn2_saveexec(struct wave *w, const struct code *c)
{
   uint64_t a = exec_scalar(w, c, 0), e = read_exec(w, c);
   return write_exec(w, c, a & ~e, e);
}

static enum step
s_orn2_saveexec(struct wave *w, const struct code *c)
{
   uint64_t a = exec_scalar(w, c, 0), e = read_exec(w, c);
   return write_exec(w, c, a | ~e, e);
}

static enum step
s_nand_saveexec(struct wave *w, const struct code *c)
{
   uint64_t a = exec_scalar(w, c, 0), e = read_exec(w, c);
   return write_exec(w, c, ~(a & e), e);
}

static enum step
s_nor_saveexec(struct wave *w, const struct code *c)
{
   uint64_t a = exec_scalar(w, c, 0), e = read_exec(w, c);
   return write_exec(w, c, ~(a | e), e);
}

static enum step
s_xnor_saveexec(struct wave *w, const struct code *c)
{
   uint64_t a = exec_scalar(w, c, 0), e = read_exec(w, c);
   return write_exec(w, c, ~(a ^ e), e);
}

static enum step
s_andn1_saveexec(struct wave *w, const struct code *c)
{
   uint64_t a = exec_scalar(w, c, 0), e = read_exec(w, c);
   return write_exec(w, c, ~a & e, e);
}

static enum step
s_orn1_saveexec(struct wave *w, const struct code *c)
{
   uint64_t a = exec_scalar(w, c, 0), e = read_exec(w, c);
   return write_exec(w, c, ~a | e, e);
}

static enum step
s_andn1_wrexec(struct wave *w, const struct code *c)
{
   uint64_t a = exec_scalar(w, c, 0), e = read_exec(w, c);
   e = ~a & e;
   return write_exec(w, c, e, e);
}

static enum step
s_andn2_wrexec(struct wave *w, const struct code *c)
{
   uint64_t a = exec_scalar(w, c, 0), e = read_exec(w, c);
   e = a & ~e;
   return write_exec(w, c, e, e);
}

/* GFX11: a message with an answer. Only clocks are asked for. */
static enum step
s_sendmsg_rtn(struct wave *w, const struct code *c)
{
   enum { MESSAGE_GET_REALTIME = 131 };
   if (c->in.simm16 != MESSAGE_GET_REALTIME)
      return wave_fault(w, c, SIM_FAULT_INSTRUCTION, sim_va(0), "message %u without a model", c->in.simm16);
   w->base.loop.read_clock = true;
   uint64_t time = w->launch->time + w->engine->rounds.round * 1024 + w->base.instructions / 16;
   unsigned size_dw = c->info->dst.size_dw;
   if (size_dw == 2)
      state_write64(&w->state, c->in.dst, time);
   else
      state_write(&w->state, c->in.dst, (uint32_t)time);
   wave_outstanding(w, COUNTER_LGKM, c->in.dst, size_dw, false, true);
   return STEP_NEXT;
}

static const scalar_fn handlers[] = {
   [AMD_OP_s_mov_b32] = s_mov,
   [AMD_OP_s_mov_b64] = s_mov,
   [AMD_OP_s_cmov_b32] = s_cmov,
   [AMD_OP_s_cmov_b64] = s_cmov,
   [AMD_OP_s_not_b32] = s_not,
   [AMD_OP_s_not_b64] = s_not,
   [AMD_OP_s_wqm_b32] = s_wqm,
   [AMD_OP_s_wqm_b64] = s_wqm,
   [AMD_OP_s_quadmask_b32] = s_quadmask,
   [AMD_OP_s_quadmask_b64] = s_quadmask,
   [AMD_OP_s_brev_b32] = s_brev_b32,
   [AMD_OP_s_brev_b64] = s_brev_b64,
   [AMD_OP_s_bcnt0_i32_b32] = s_bcnt0_i32_b32,
   [AMD_OP_s_bcnt0_i32_b64] = s_bcnt0_i32_b64,
   [AMD_OP_s_bcnt1_i32_b32] = s_bcnt1_i32,
   [AMD_OP_s_bcnt1_i32_b64] = s_bcnt1_i32,
   [AMD_OP_s_ff0_i32_b32] = s_ff0_i32_b32,
   [AMD_OP_s_ff0_i32_b64] = s_ff0_i32_b64,
   [AMD_OP_s_ff1_i32_b32] = s_ff1_i32,
   [AMD_OP_s_ff1_i32_b64] = s_ff1_i32,
   [AMD_OP_s_flbit_i32_b32] = s_flbit_i32_b32,
   [AMD_OP_s_flbit_i32_b64] = s_flbit_i32_b64,
   [AMD_OP_s_flbit_i32] = s_flbit_i32,
   [AMD_OP_s_flbit_i32_i64] = s_flbit_i32_i64,
   [AMD_OP_s_sext_i32_i8] = s_sext_i32_i8,
   [AMD_OP_s_sext_i32_i16] = s_sext_i32_i16,
   [AMD_OP_s_bitset0_b32] = s_bitset0_b32,
   [AMD_OP_s_bitset0_b64] = s_bitset0_b64,
   [AMD_OP_s_bitset1_b32] = s_bitset1_b32,
   [AMD_OP_s_bitset1_b64] = s_bitset1_b64,
   [AMD_OP_s_getpc_b64] = s_getpc_b64,
   [AMD_OP_s_setpc_b64] = s_setpc_b64,
   [AMD_OP_s_swappc_b64] = s_swappc_b64,
   [AMD_OP_s_abs_i32] = s_abs_i32,
   [AMD_OP_s_bitreplicate_b64_b32] = s_bitreplicate_b64_b32,
   [AMD_OP_s_movrels_b32] = s_movrels_b32,
   [AMD_OP_s_movrels_b64] = s_movrels_b64,
   [AMD_OP_s_movreld_b32] = s_movreld_b32,
   [AMD_OP_s_movreld_b64] = s_movreld_b64,
   [AMD_OP_s_and_saveexec_b32] = s_and_saveexec,
   [AMD_OP_s_and_saveexec_b64] = s_and_saveexec,
   [AMD_OP_s_or_saveexec_b32] = s_or_saveexec,
   [AMD_OP_s_or_saveexec_b64] = s_or_saveexec,
   [AMD_OP_s_xor_saveexec_b32] = s_xor_saveexec,
   [AMD_OP_s_xor_saveexec_b64] = s_xor_saveexec,
   [AMD_OP_s_andn2_saveexec_b32] = s_andn2_saveexec,
   [AMD_OP_s_andn2_saveexec_b64] = s_andn2_saveexec,
   [AMD_OP_s_orn2_saveexec_b32] = s_orn2_saveexec,
   [AMD_OP_s_orn2_saveexec_b64] = s_orn2_saveexec,
   [AMD_OP_s_nand_saveexec_b32] = s_nand_saveexec,
   [AMD_OP_s_nand_saveexec_b64] = s_nand_saveexec,
   [AMD_OP_s_nor_saveexec_b32] = s_nor_saveexec,
   [AMD_OP_s_nor_saveexec_b64] = s_nor_saveexec,
   [AMD_OP_s_xnor_saveexec_b32] = s_xnor_saveexec,
   [AMD_OP_s_xnor_saveexec_b64] = s_xnor_saveexec,
   [AMD_OP_s_andn1_saveexec_b32] = s_andn1_saveexec,
   [AMD_OP_s_andn1_saveexec_b64] = s_andn1_saveexec,
   [AMD_OP_s_orn1_saveexec_b32] = s_orn1_saveexec,
   [AMD_OP_s_orn1_saveexec_b64] = s_orn1_saveexec,
   [AMD_OP_s_andn1_wrexec_b32] = s_andn1_wrexec,
   [AMD_OP_s_andn1_wrexec_b64] = s_andn1_wrexec,
   [AMD_OP_s_andn2_wrexec_b32] = s_andn2_wrexec,
   [AMD_OP_s_andn2_wrexec_b64] = s_andn2_wrexec,
   [AMD_OP_s_sendmsg_rtn_b32] = s_sendmsg_rtn,
   [AMD_OP_s_sendmsg_rtn_b64] = s_sendmsg_rtn,
};

bool
exec_sop1_bind(struct code *c)
{
   return scalar_bind(c, handlers, ARRAY_SIZE(handlers));
}
