#include <stdarg.h>
#include <stdio.h>

#include "asahi/sim/batch/pipeline.h"

bool
agx_draw_fault(const struct agx_render *render, const char *format, ...)
{
   char text[512];
   va_list args;
   va_start(args, format);
   vsnprintf(text, sizeof(text), format, args);
   va_end(args);
   return sim_fault_set(render->gpu->fault, SIM_FAULT_STATE, render->draw->at, "draw %u of the render: %s",
                        render->draw->number, text);
}
