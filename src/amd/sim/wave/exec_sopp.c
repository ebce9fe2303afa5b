/* Scalar instructions that steer a wave: branches, waits, messages, the end. */
#include "amd/sim/wave/exec_salu_private.h"
#include "amd/sim/wave/wave_float.h"
#include "util/macros.h"

enum { MESSAGE_DEALLOC_VGPRS = 3, MESSAGE_ORDERED_PS_DONE = 7 };

static enum step
branch(struct wave *w, const struct code *c, bool taken)
{
   return taken ? exec_jump(w, c, (int64_t)c->next_dw + (int16_t)c->in.simm16) : STEP_NEXT;
}

static enum step
s_branch(struct wave *w, const struct code *c)
{
   return branch(w, c, true);
}

static enum step
s_cbranch_scc0(struct wave *w, const struct code *c)
{
   return branch(w, c, !w->state.scc);
}

static enum step
s_cbranch_scc1(struct wave *w, const struct code *c)
{
   return branch(w, c, w->state.scc);
}

static enum step
s_cbranch_vccz(struct wave *w, const struct code *c)
{
   return branch(w, c, !state_read_mask(&w->state, AMD_VCC_LO));
}

static enum step
s_cbranch_vccnz(struct wave *w, const struct code *c)
{
   return branch(w, c, state_read_mask(&w->state, AMD_VCC_LO));
}

static enum step
s_cbranch_execz(struct wave *w, const struct code *c)
{
   return branch(w, c, !state_exec(&w->state));
}

static enum step
s_cbranch_execnz(struct wave *w, const struct code *c)
{
   return branch(w, c, state_exec(&w->state));
}

static bool
all_done(struct wave *w)
{
   bool ok = true;
   for (unsigned i = 0; i < COUNTER_COUNT; i++)
      ok &= wave_wait(w, (enum counter)i, 0);
   return ok;
}

static enum step
s_endpgm_ordered_ps_done(struct wave *w, const struct code *c)
{
   if (!all_done(w))
      return STEP_AGAIN;
   return wave_pops_send_done(w, c) == STEP_NEXT ? STEP_END : STEP_FAULT;
}

/* Only an exit of its packer ends a long sleep of a wave that polls; any other just lets others run. */
static enum step
s_sleep(struct wave *w, const struct code *c)
{
   if (w->pops.polled && !wave_pops_wakes(&w->engine->pops, w))
      w->base.spin_end = w->base.instructions + SPIN_INSTRUCTIONS;
   return wave_pops_sleeps(w, c) ? STEP_SLEEP : STEP_YIELD;
}

/* What the other messages do is their receiver's, when the wave retires. */
static enum step
s_sendmsg(struct wave *w, const struct code *c)
{
   if (w->program->traits->gives_vgprs_back && c->in.simm16 == MESSAGE_DEALLOC_VGPRS)
      return STEP_NEXT; /* others may start earlier, which no wave can tell */
   if ((c->in.simm16 & 15) == MESSAGE_ORDERED_PS_DONE && !w->program->traits->ordered_by_exports)
      return wave_pops_send_done(w, c);
   if (dynarray_count(&w->messages, struct amd_wave_message) == AMD_WAVE_MAX_MESSAGES)
      return wave_fault(w, c, SIM_FAULT_INSTRUCTION, sim_va(0), "more than %d messages", AMD_WAVE_MAX_MESSAGES);
   const struct amd_wave_message message = {.simm16 = c->in.simm16,
                                            .m0 = w->state.sgpr[AMD_M0],
                                            .exec = state_exec(&w->state),
                                            .exports = w->export_count,
                                            .barriers = w->barriers};
   dynarray_append(&w->messages, struct amd_wave_message, message);
   return STEP_NEXT;
}

static enum step
s_barrier(struct wave *w, const struct code *c)
{
   w->barriers++;
   return STEP_BARRIER;
}

static enum step
s_waitcnt(struct wave *w, const struct code *c)
{
   enum amd_gen gen = w->program->gen;
   bool ok = wave_wait(w, COUNTER_VM, amd_isa_wait_left(gen, AMD_WAIT_VM, c->in.simm16));
   ok &= wave_wait(w, COUNTER_EXP, amd_isa_wait_left(gen, AMD_WAIT_EXP, c->in.simm16));
   ok &= wave_wait(w, COUNTER_LGKM, amd_isa_wait_left(gen, AMD_WAIT_LGKM, c->in.simm16));
   return ok ? STEP_NEXT : STEP_AGAIN;
}

static enum step
set_mode(struct wave *w, uint32_t mode)
{
   w->state.mode = mode;
   wave_float_mode(mode);
   return STEP_NEXT;
}

static enum step
s_round_mode(struct wave *w, const struct code *c)
{
   return set_mode(w, (w->state.mode & ~15u) | (c->in.simm16 & 15u));
}

static enum step
s_denorm_mode(struct wave *w, const struct code *c)
{
   return set_mode(w, (w->state.mode & ~0xf0u) | (c->in.simm16 & 15u) << 4);
}

/* Timing, priority, prefetch and clauses change nothing in the model. */
static enum step
nothing(struct wave *w, const struct code *c)
{
   return STEP_NEXT;
}

static const scalar_fn handlers[] = {
   [AMD_OP_s_branch] = s_branch,
   [AMD_OP_s_cbranch_scc0] = s_cbranch_scc0,
   [AMD_OP_s_cbranch_scc1] = s_cbranch_scc1,
   [AMD_OP_s_cbranch_vccz] = s_cbranch_vccz,
   [AMD_OP_s_cbranch_vccnz] = s_cbranch_vccnz,
   [AMD_OP_s_cbranch_execz] = s_cbranch_execz,
   [AMD_OP_s_cbranch_execnz] = s_cbranch_execnz,
   [AMD_OP_s_endpgm] = wave_pops_end,
   [AMD_OP_s_wait_event] = wave_pops_wait_event,
   [AMD_OP_s_endpgm_ordered_ps_done] = s_endpgm_ordered_ps_done,
   [AMD_OP_s_sleep] = s_sleep,
   [AMD_OP_s_sendmsg] = s_sendmsg,
   [AMD_OP_s_barrier] = s_barrier,
   [AMD_OP_s_waitcnt] = s_waitcnt,
   [AMD_OP_s_round_mode] = s_round_mode,
   [AMD_OP_s_denorm_mode] = s_denorm_mode,
   [AMD_OP_s_nop] = nothing,
   [AMD_OP_s_setprio] = nothing,
   [AMD_OP_s_clause] = nothing,
   [AMD_OP_s_delay_alu] = nothing,
   [AMD_OP_s_singleuse_vdst] = nothing,
   [AMD_OP_s_inst_prefetch] = nothing,
   [AMD_OP_s_waitcnt_depctr] = nothing,
   [AMD_OP_s_icache_inv] = nothing,
   [AMD_OP_s_wakeup] = nothing,
};

bool
exec_sopp_bind(struct code *c)
{
   return scalar_bind(c, handlers, ARRAY_SIZE(handlers));
}
