/* The generations whose column of the table is filled, by LLVM's name of the chip that is their witness. */
#ifndef INDIUM_TESTS_AMD_HW_ISA_CPU_H
#define INDIUM_TESTS_AMD_HW_ISA_CPU_H

#include <stdbool.h>
#include <string.h>

#include "amd/hw/gen.h"

static bool
gen_of_cpu(const char *cpu, enum amd_gen *gen)
{
   static const struct {
      const char *cpu;
      enum amd_gen gen;
   } cpus[] = {{"gfx900", AMD_GFX9},
               {"gfx1010", AMD_GFX10},
               {"gfx1030", AMD_GFX10_3},
               {"gfx1100", AMD_GFX11},
               {"gfx1150", AMD_GFX11_5}};
   for (unsigned i = 0; i < sizeof(cpus) / sizeof(cpus[0]); i++) {
      *gen = cpus[i].gen;
      if (!strcmp(cpus[i].cpu, cpu))
         return true;
   }
   return false;
}

#endif
