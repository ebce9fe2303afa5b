/* Instruction by instruction, until the wave stops. */
#include "amd/sim/wave/exec_private.h"
#include "amd/sim/wave/jit.h"
#include "amd/sim/wave/wave_float.h"

static const enum sim_wave_state state_after[] = {
   [STEP_NEXT] = SIM_WAVE_RUN,    [STEP_YIELD] = SIM_WAVE_YIELD,  [STEP_LET] = SIM_WAVE_YIELD,
   [STEP_SLEEP] = SIM_WAVE_SLEEP, [STEP_AGAIN] = SIM_WAVE_COMMIT, [STEP_BARRIER] = SIM_WAVE_BARRIER,
   [STEP_END] = SIM_WAVE_END,     [STEP_FAULT] = SIM_WAVE_END,
};

static void
stop(struct wave *w, enum step step)
{
   if (w->notes_way)
      wave_way_noted(w, step == STEP_END);
   w->base.next -= step == STEP_AGAIN;
   w->base.exhausted = step == STEP_YIELD;
   w->base.lets = step == STEP_LET;
   w->times.end = sim_wave_time(&w->base);
   w->base.state = state_after[step];
}

/* jit: NULL, or what runs in the place of the interpreter where it can. */
static void
interpret(struct wave *w, const struct jit *jit)
{
   uint64_t end = w->base.round_start + w->base.quantum;
   const struct program *p = w->program;
   while (w->base.instructions < end) {
      if (jit && jit_block_at(jit, w->base.next) && jit_run(w, jit, end))
         continue;
      if (w->base.next >= p->code_count) {
         wave_fault(w, &p->codes[p->code_count - 1], SIM_FAULT_INSTRUCTION, sim_va(p->va.va), "ran past the end");
         w->base.state = SIM_WAVE_END;
         return;
      }
      const struct code *c = &p->codes[w->base.next++];
      w->base.instructions++;
      if (c->vgpr_end > w->state.vgpr_count) {
         wave_fault(w, c, SIM_FAULT_INSTRUCTION, sim_va(0), "VGPR above the %u allocated", w->state.vgpr_count);
         w->base.state = SIM_WAVE_END;
         return;
      }
      if (c->vgpr_end > w->state.first_shared && !c->by_halves && !exec_is_permute(c)) {
         wave_fault(w, c, SIM_FAULT_INSTRUCTION, sim_va(0),
                    "the model has shared VGPRs in plain vector instructions and permutations only");
         w->base.state = SIM_WAVE_END;
         return;
      }
      bool may_run = !wave_may_meet(w, c) || wave_check_uses(w, c);
      if (w->notes_way && may_run)
         wave_way_note(w, c);
      enum step step = may_run ? c->run(w, c) : STEP_FAULT;
      if (step == STEP_NEXT) {
         if (w->base.queue.operations > SIM_QUEUE_LIMIT)
            break;
         continue;
      }
      stop(w, step);
      return;
   }
   if (w->notes_way)
      wave_way_noted(w, false);
   w->base.exhausted = true;
   w->base.state = w->base.queue.operations > SIM_QUEUE_LIMIT ? SIM_WAVE_COMMIT : SIM_WAVE_YIELD;
}

void
exec_run(struct sim_wave *base)
{
   struct wave *w = (struct wave *)base;
   wave_float_mode(w->state.mode);
   if (w->way) {
      enum step step = wave_way_run(w);
      if (step != STEP_NEXT) {
         stop(w, step);
         return;
      }
   }
   const struct jit *jit = jit_of(w);
   const uint64_t start = w->base.instructions;
   interpret(w, jit);
   if (!jit)
      jit_note_heat(w, w->base.instructions - start);
}
