#include <stdarg.h>
#include <stdio.h>

#include "asahi/sim/wave/wave_private.h"

enum step
wave_fault(struct wave *w, const struct code *code, enum sim_fault_kind kind, struct sim_va va, const char *format,
           ...)
{
   char text[256] = "?", message[640], number[24] = "";
   const char *name = w->launch->draw_count ? number : w->launch->name ? w->launch->name : "";
   va_list args;
   va_start(args, format);
   vsnprintf(message, sizeof(message), format, args);
   va_end(args);
   if (code->in.size_B)
      agx_isa_print(&code->in, text, sizeof(text));
   if (w->launch->draw_count)
      snprintf(number, sizeof(number), "draw %u", w->draw->number);
   sim_fault_set(&w->base.fault, kind, va, "%s [%s%s%s, group %u, wave %u, pc 0x%llx: %.120s]", message,
                 agx_stage_names[w->engine->bindings ? AGX_STAGE_PREAMBLE : w->program->stage], *name ? " " : "",
                 name, w->base.group->index, w->base.index, (unsigned long long)wave_va(w, code).va, text);
   return STEP_FAULT;
}
