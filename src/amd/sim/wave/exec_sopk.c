/* Scalar instructions with a constant of 16 bits. */
#include "amd/sim/wave/exec_salu_private.h"
#include "util/macros.h"

static uint32_t
constant(const struct code *c)
{
   return (uint32_t)(int16_t)c->in.simm16;
}

static enum step
s_movk_i32(struct wave *w, const struct code *c)
{
   state_write(&w->state, c->in.dst, constant(c));
   return STEP_NEXT;
}

static enum step
s_cmovk_i32(struct wave *w, const struct code *c)
{
   return w->state.scc ? s_movk_i32(w, c) : STEP_NEXT;
}

static enum step
s_cmpk_eq_i32(struct wave *w, const struct code *c)
{
   w->state.scc = (int32_t)w->state.sgpr[c->in.src[0]] == (int32_t)constant(c);
   return STEP_NEXT;
}

static enum step
s_cmpk_lg_i32(struct wave *w, const struct code *c)
{
   w->state.scc = (int32_t)w->state.sgpr[c->in.src[0]] != (int32_t)constant(c);
   return STEP_NEXT;
}

static enum step
s_cmpk_gt_i32(struct wave *w, const struct code *c)
{
   w->state.scc = (int32_t)w->state.sgpr[c->in.src[0]] > (int32_t)constant(c);
   return STEP_NEXT;
}

static enum step
s_cmpk_ge_i32(struct wave *w, const struct code *c)
{
   w->state.scc = (int32_t)w->state.sgpr[c->in.src[0]] >= (int32_t)constant(c);
   return STEP_NEXT;
}

static enum step
s_cmpk_lt_i32(struct wave *w, const struct code *c)
{
   w->state.scc = (int32_t)w->state.sgpr[c->in.src[0]] < (int32_t)constant(c);
   return STEP_NEXT;
}

static enum step
s_cmpk_le_i32(struct wave *w, const struct code *c)
{
   w->state.scc = (int32_t)w->state.sgpr[c->in.src[0]] <= (int32_t)constant(c);
   return STEP_NEXT;
}

static enum step
s_cmpk_eq_u32(struct wave *w, const struct code *c)
{
   w->state.scc = w->state.sgpr[c->in.src[0]] == c->in.simm16;
   return STEP_NEXT;
}

static enum step
s_cmpk_lg_u32(struct wave *w, const struct code *c)
{
   w->state.scc = w->state.sgpr[c->in.src[0]] != c->in.simm16;
   return STEP_NEXT;
}

static enum step
s_cmpk_gt_u32(struct wave *w, const struct code *c)
{
   w->state.scc = w->state.sgpr[c->in.src[0]] > c->in.simm16;
   return STEP_NEXT;
}

static enum step
s_cmpk_ge_u32(struct wave *w, const struct code *c)
{
   w->state.scc = w->state.sgpr[c->in.src[0]] >= c->in.simm16;
   return STEP_NEXT;
}

static enum step
s_cmpk_lt_u32(struct wave *w, const struct code *c)
{
   w->state.scc = w->state.sgpr[c->in.src[0]] < c->in.simm16;
   return STEP_NEXT;
}

static enum step
s_cmpk_le_u32(struct wave *w, const struct code *c)
{
   w->state.scc = w->state.sgpr[c->in.src[0]] <= c->in.simm16;
   return STEP_NEXT;
}

static enum step
s_addk_i32(struct wave *w, const struct code *c)
{
   int32_t r;
   w->state.scc = __builtin_add_overflow((int32_t)w->state.sgpr[c->in.dst], (int32_t)constant(c), &r);
   state_write(&w->state, c->in.dst, (uint32_t)r);
   return STEP_NEXT;
}

static enum step
s_mulk_i32(struct wave *w, const struct code *c)
{
   state_write(&w->state, c->in.dst, w->state.sgpr[c->in.dst] * constant(c));
   return STEP_NEXT;
}

static enum step
s_call_b64(struct wave *w, const struct code *c)
{
   state_write64(&w->state, c->in.dst, exec_next_va(w, c));
   return exec_jump(w, c, (int64_t)c->next_dw + (int32_t)constant(c));
}

static enum step
s_waitcnt_vscnt(struct wave *w, const struct code *c)
{
   return wave_wait(w, COUNTER_VS, c->in.simm16 & 63) ? STEP_NEXT : STEP_AGAIN;
}

static enum step
s_waitcnt_vmcnt(struct wave *w, const struct code *c)
{
   return wave_wait(w, COUNTER_VM, c->in.simm16 & 63) ? STEP_NEXT : STEP_AGAIN;
}

static enum step
s_waitcnt_expcnt(struct wave *w, const struct code *c)
{
   return wave_wait(w, COUNTER_EXP, c->in.simm16 & 7) ? STEP_NEXT : STEP_AGAIN;
}

static enum step
s_waitcnt_lgkmcnt(struct wave *w, const struct code *c)
{
   return wave_wait(w, COUNTER_LGKM, c->in.simm16 & 63) ? STEP_NEXT : STEP_AGAIN;
}

/* For tools: "do nothing" (doc: RDNA 2 ISA, chapter 12.2). */
static enum step
s_version(struct wave *w, const struct code *c)
{
   return STEP_NEXT;
}

static const scalar_fn handlers[] = {
   [AMD_OP_s_movk_i32] = s_movk_i32,
   [AMD_OP_s_cmovk_i32] = s_cmovk_i32,
   [AMD_OP_s_cmpk_eq_i32] = s_cmpk_eq_i32,
   [AMD_OP_s_cmpk_lg_i32] = s_cmpk_lg_i32,
   [AMD_OP_s_cmpk_gt_i32] = s_cmpk_gt_i32,
   [AMD_OP_s_cmpk_ge_i32] = s_cmpk_ge_i32,
   [AMD_OP_s_cmpk_lt_i32] = s_cmpk_lt_i32,
   [AMD_OP_s_cmpk_le_i32] = s_cmpk_le_i32,
   [AMD_OP_s_cmpk_eq_u32] = s_cmpk_eq_u32,
   [AMD_OP_s_cmpk_lg_u32] = s_cmpk_lg_u32,
   [AMD_OP_s_cmpk_gt_u32] = s_cmpk_gt_u32,
   [AMD_OP_s_cmpk_ge_u32] = s_cmpk_ge_u32,
   [AMD_OP_s_cmpk_lt_u32] = s_cmpk_lt_u32,
   [AMD_OP_s_cmpk_le_u32] = s_cmpk_le_u32,
   [AMD_OP_s_addk_i32] = s_addk_i32,
   [AMD_OP_s_mulk_i32] = s_mulk_i32,
   [AMD_OP_s_call_b64] = s_call_b64,
   [AMD_OP_s_waitcnt_vscnt] = s_waitcnt_vscnt,
   [AMD_OP_s_waitcnt_vmcnt] = s_waitcnt_vmcnt,
   [AMD_OP_s_waitcnt_expcnt] = s_waitcnt_expcnt,
   [AMD_OP_s_waitcnt_lgkmcnt] = s_waitcnt_lgkmcnt,
   [AMD_OP_s_version] = s_version,
   [AMD_OP_s_getreg_b32] = exec_hwreg,
   [AMD_OP_s_setreg_b32] = exec_hwreg,
   [AMD_OP_s_setreg_imm32_b32] = exec_hwreg,
};

bool
exec_sopk_bind(struct code *c)
{
   return scalar_bind(c, handlers, ARRAY_SIZE(handlers));
}
