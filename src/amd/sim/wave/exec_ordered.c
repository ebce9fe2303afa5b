/* What stream output of programs (GFX11) has in GDS besides its memory: registers that waves add to, and a lock that
 * subgroups get in their order. Only the first active lane of a wave counts. Source: "RDNA3" ISA, DS_ADD_GS_REG_RTN;
 * public compilers' use of ds_ordered_count (OFFSET1 bit 0: release, bit 1: done; M0: the ordered number).
 *
 * A wave that does not release waits until all subgroups ahead of its own have released. */
#include "amd/sim/base/gds.h"
#include "amd/sim/wave/exec_private.h"
#include "util/macros.h"

enum { RELEASE = 1 << 8, DONE = 1 << 9, FIRST_WIDE = 8, SPIN = 64 };

static bool
land_register(struct wave *w, const struct code *c, const struct sim_queued *q)
{
   uint64_t old = 0;
   uint32_t *at = w->launch->ordered.regs + q->va.va;
   memcpy(&old, at, q->size_B);
   uint64_t value = c->in.op == AMD_OP_ds_sub_gs_reg_rtn ? old - q->data[0] : old + q->data[0];
   memcpy(at, &value, q->size_B);
   w->base.rounds->changes++;
   wave_return_old(w, q, old);
   return true;
}

/* OFFSET0[5:2]: one of 8 registers of 32 bits, or of 8 of 64 bits after them. */
static enum step
run_register(struct wave *w, const struct code *c)
{
   uint64_t exec = state_exec(&w->state);
   unsigned number = (unsigned)c->in.offset >> 2 & 15;
   bool wide = number >= FIRST_WIDE;
   if (!w->launch->ordered.regs)
      return wave_fault(w, c, SIM_FAULT_INSTRUCTION, sim_va(0), "registers of GS outside of its stage");
   if (exec) {
      unsigned lane = (unsigned)__builtin_ctzll(exec);
      wave_queue_atomic(w, c, sim_va(wide ? 2 * number - FIRST_WIDE : number), wide ? 8 : 4, lane,
                        c->in.dst - AMD_VGPR0 + 1u, state_vgpr(&w->state, c->in.src[1])[lane], 0);
   }
   wave_outstanding(w, COUNTER_EXP, c->in.src[1], 1, false, false);
   wave_outstanding(w, COUNTER_LGKM, c->in.dst, wide ? 2 : 1, true, false);
   return STEP_NEXT;
}

/* The next one's turn. */
static bool
land_release(struct wave *w, const struct code *c, const struct sim_queued *q)
{
   struct amd_wave_engine *engine = w->engine;
   if (engine->ordered_next != (uint32_t)q->data[0]) {
      wave_fault(w, c, SIM_FAULT_HANG, sim_va(0), "number %u releases the lock that number %u has",
                 (unsigned)q->data[0], engine->ordered_next);
      return false;
   }
   engine->ordered_next = (engine->ordered_next + 1) & w->launch->ordered.mask;
   w->base.rounds->changes++;
   wave_return_old(w, q, AMD_WAVE_GARBAGE);
   return true;
}

static enum step
run_count(struct wave *w, const struct code *c)
{
   uint64_t exec = state_exec(&w->state);
   uint32_t offset = (uint32_t)c->in.offset, number = w->state.sgpr[AMD_M0] & w->launch->ordered.mask;
   bool releases = offset & RELEASE, done = offset & DONE;
   if (!w->launch->ordered.mask || releases != done)
      return wave_fault(w, c, SIM_FAULT_INSTRUCTION, sim_va(0),
                        "an ordered count of a wave without a number, or one that is released and not done");
   w->awaits_lock = !releases && w->engine->ordered_next != number;
   if (w->awaits_lock) {
      w->base.spin_end = w->base.instructions + SPIN;
      return STEP_AGAIN;
   }
   w->base.spin_end = 0;
   unsigned lane = exec ? (unsigned)__builtin_ctzll(exec) : 0;
   if (releases)
      wave_queue_atomic(w, c, sim_va(0), 4, lane, exec ? c->in.dst - AMD_VGPR0 + 1u : 0, number, 0);
   else if (exec)
      state_vgpr(&w->state, c->in.dst)[lane] = AMD_WAVE_GARBAGE;
   wave_outstanding(w, COUNTER_EXP, c->in.src[0], 1, false, false);
   wave_outstanding(w, COUNTER_LGKM, c->in.dst, 1, releases, false);
   return STEP_NEXT;
}

bool
exec_ordered_bind(struct code *c)
{
   switch ((int)c->in.op) {
   case AMD_OP_ds_add_gs_reg_rtn:
   case AMD_OP_ds_sub_gs_reg_rtn:
      c->run = run_register;
      c->land = land_register;
      return true;
   case AMD_OP_ds_ordered_count:
      c->run = run_count;
      c->land = land_release;
      return true;
   default: /* others: of memory */
      return false;
   }
}
