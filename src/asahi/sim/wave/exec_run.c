/* Instruction by instruction, until the wave stops. */
#include "asahi/sim/wave/exec.h"
#include "sim/waves/host_float.h"

static const enum sim_wave_state state_after[] = {
   [STEP_NEXT] = SIM_WAVE_RUN,        [STEP_AGAIN] = SIM_WAVE_COMMIT, [STEP_SLEEP] = SIM_WAVE_SLEEP,
   [STEP_BARRIER] = SIM_WAVE_BARRIER, [STEP_END] = SIM_WAVE_END,      [STEP_FAULT] = SIM_WAVE_END,
};

void
exec_run(struct sim_wave *base)
{
   struct wave *w = (struct wave *)base;
   const struct code *codes = w->code->codes;
   uint64_t end = base->round_start + base->quantum;
   if (base->fault.kind) /* of its private memory */
      return;
   sim_host_float_set(SIM_ROUND_EVEN, false, false);
   while (base->instructions < end) {
      const struct code *c = &codes[base->next];
      base->next = c->next;
      base->instructions++;
      uint32_t exec = w->state.exec;
      enum step step = wave_meets_poison(w, c) && !wave_check_uses(w, c) ? STEP_FAULT : c->run(w, c);
      if (step == STEP_NEXT) {
         if (c->discard_count)
            wave_discard(w, c, exec);
         if (base->queue.operations > SIM_QUEUE_LIMIT)
            break;
         continue;
      }
      if (step == STEP_AGAIN)
         base->next = (uint32_t)(c - codes);
      base->state = state_after[step];
      w->end_time = sim_wave_time(base);
      return;
   }
   base->exhausted = true;
   base->state = base->queue.operations > SIM_QUEUE_LIMIT ? SIM_WAVE_COMMIT : SIM_WAVE_YIELD;
}
