#include <stdarg.h>
#include <stdio.h>

#include "amd/sim/wave/wave_private.h"

enum step
wave_fault(struct wave *wave, const struct code *code, enum sim_fault_kind kind, struct sim_va va, const char *format,
           ...)
{
   char text[256] = "?", message[720];
   const struct sim_va pc = sim_va_add(wave->program->va, 4 * (int64_t)code->pc_dw);
   va_list args;
   va_start(args, format);
   vsnprintf(message, sizeof(message), format, args);
   va_end(args);
   if (code->info)
      amd_isa_print(wave->launch->chip->gen, &code->in, wave->state.lanes == 64, text, sizeof(text));
   if (wave->base.fault.kind == SIM_FAULT_NONE)
      wave->base.fault.pc = pc;
   sim_fault_set(&wave->base.fault, kind, va, "%s [%s%s%s, group %u, wave %u, pc 0x%llx: %.90s]", message,
                 amd_stage_infos[wave->launch->stage].name, wave->launch->name ? " " : "",
                 wave->launch->name ? wave->launch->name : "", wave->base.group->index, wave->base.index,
                 (unsigned long long)pc.va, text);
   return STEP_FAULT;
}
