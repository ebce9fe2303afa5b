/* VOPD: two operations of one instruction, which read their sources before either writes its result. */
#include <string.h>

#include "amd/sim/wave/exec_private.h"

static enum step
run_dual(struct wave *w, const struct code *c)
{
   uint32_t *first = state_vgpr(&w->state, c->in.dst);
   uint32_t before[AMD_WAVE_MAX_LANES], after[AMD_WAVE_MAX_LANES];
   const size_t size_B = w->state.lanes * sizeof(*first);
   memcpy(before, first, size_B);
   enum step step = c->run_first(w, c);
   if (step != STEP_NEXT)
      return step;
   memcpy(after, first, size_B);
   memcpy(first, before, size_B);
   step = c->second->run(w, c->second);
   memcpy(first, after, size_B);
   return step;
}

/* Waves of 64 lanes have no such instruction. Source: RDNA 3 ISA, section "Dual Issue VALU". */
static enum step
run_in_wave64(struct wave *w, const struct code *c)
{
   return wave_fault(w, c, SIM_FAULT_INSTRUCTION, sim_va(0), "two operations at once in a wave of 64 lanes");
}

bool
exec_dual_bind(struct code *c, unsigned lanes)
{
   if (!exec_valu_bind(c) || !exec_valu_bind(c->second))
      return false;
   c->run_first = c->run;
   c->by_halves = false;
   c->run = lanes == 32 ? run_dual : run_in_wave64;
   return true;
}
