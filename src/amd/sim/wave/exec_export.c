/* Exports: each instruction's values and lanes go to the wave's list. A VGPR above the allocated ones is read as VGPR
 * 0
 * ("RDNA 2" ISA, "Out-of-Range Behavior"): RADV exports positions that a shader does not write so. */
#include <string.h>

#include "amd/sim/base/model.h"
#include "amd/sim/wave/exec_private.h"
#include "util/within_memory.h"

enum { TARGET_POS0 = 12, TARGET_POS4 = 16 };

/* Pixel shaders may read the parameters of a vertex once its position is done: what stores them must have been waited
 * for ("RDNA3" ISA, exports; docs/quirks.md). */
static bool
is_too_early(const struct wave *w, const struct amd_inst *in)
{
   const struct sim_pending *pending = &w->state.pending;
   bool position = in->exp_done && in->exp_target >= TARGET_POS0 && in->exp_target <= TARGET_POS4;
   return position && w->ring_store && state_exec(&w->state) &&
          w->ring_store + pending->count[COUNTER_VS] > pending->issued[COUNTER_VS];
}

static enum step
run_export(struct wave *w, const struct code *c)
{
   const struct amd_inst *in = &c->in;
   const struct amd_traits *traits = w->program->traits;
   if (!(traits->export_targets >> in->exp_target & 1))
      return wave_fault(w, c, SIM_FAULT_INSTRUCTION, sim_va(0), "there is no export target %u", in->exp_target);
   if (is_too_early(w, in))
      return wave_fault(w, c, SIM_FAULT_POISON, sim_va(0),
                        "the last position of a vertex while a store of its parameters is under way");
   if (w->export_count == AMD_WAVE_MAX_EXPORTS)
      return wave_fault(w, c, SIM_FAULT_INSTRUCTION, sim_va(0), "more than %d exports", AMD_WAVE_MAX_EXPORTS);
   if (w->export_count == w->export_capacity) {
      uint32_t capacity = w->export_capacity ? w->export_capacity * 2 : 4;
      w->exports = need_realloc("a wave's exports", w->exports, capacity * sizeof(*w->exports));
      w->export_capacity = capacity;
   }
   if (!w->export_count)
      w->times.export = sim_wave_time(&w->base);
   struct amd_wave_export *e = &w->exports[w->export_count++];
   e->target = in->exp_target;
   e->en = in->exp_en;
   e->compr = in->exp_compr;
   e->done = in->exp_done;
   e->vm = in->exp_vm || (in->exp_done && traits->ordered_by_exports);
   e->row_en = in->row_en;
   e->m0 = w->state.sgpr[AMD_M0];
   e->exec = state_exec(&w->state);
   struct sim_operation reading = {.other_count = 1, .lanes = e->exec, .reads = true};
   for (unsigned i = 0, read = 0; i < 4; i++) {
      bool used = in->exp_compr ? i < 2 && in->exp_en >> 2 * i & 3 : in->exp_en >> i & 1;
      if (!used || in->src[i] == AMD_OPERAND_NONE)
         continue;
      unsigned source = (unsigned)in->src[i] - AMD_VGPR0 < w->state.vgpr_count ? in->src[i] : AMD_VGPR0;
      memcpy(e->value[i], state_vgpr(&w->state, source), w->state.lanes * 4);
      if (source == in->src[i])
         *(read ? &reading.others[read - 1] : &reading.reg) = (uint16_t)source;
      read += source == in->src[i];
      reading.count = read > 0;
   }
   wave_outstanding_operation(w, COUNTER_EXP, &reading, true);
   return in->exp_done && traits->ordered_by_exports ? wave_pops_last_export(w, c) : STEP_NEXT;
}

bool
exec_export_bind(struct code *c)
{
   c->run = run_export;
   return true;
}
