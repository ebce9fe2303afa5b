#include "sim/vm/fault.h"

#include <stdarg.h>
#include <stdio.h>

bool
sim_fault_set(struct sim_fault *fault, enum sim_fault_kind kind, struct sim_va va, const char *format, ...)
{
   if (fault->kind != SIM_FAULT_NONE)
      return false;
   va_list args;
   va_start(args, format);
   vsnprintf(fault->message, sizeof(fault->message), format, args);
   va_end(args);
   fault->va = va;
   fault->kind = kind;
   return false;
}
