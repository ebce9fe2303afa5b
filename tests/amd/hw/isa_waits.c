/* The immediate of s_waitcnt in every generation, whose instructions need not be in the table.
 *
 * Usage: isa_waits CPU. First a line with the most that each counter can say (vmcnt, expcnt, lgkmcnt); then for each
 * immediate from 0 to 65535 "what is left of each|the immediate that this gives again". */
#include <stdio.h>
#include <string.h>

#include "amd/hw/isa.h"

static const struct {
   const char *cpu;
   enum amd_gen gen;
} cpus[] = {{"gfx900", AMD_GFX9},
            {"gfx1010", AMD_GFX10},
            {"gfx1030", AMD_GFX10_3},
            {"gfx1100", AMD_GFX11},
            {"gfx1150", AMD_GFX11_5}};

int
main(int argc, char **argv)
{
   for (unsigned i = 0; argc == 2 && i < sizeof(cpus) / sizeof(cpus[0]); i++) {
      enum amd_gen gen = cpus[i].gen;
      if (strcmp(argv[1], cpus[i].cpu))
         continue;
      printf("%u %u %u\n", amd_isa_wait_max(gen, AMD_WAIT_VM), amd_isa_wait_max(gen, AMD_WAIT_EXP),
             amd_isa_wait_max(gen, AMD_WAIT_LGKM));
      for (unsigned simm16 = 0; simm16 < 65536; simm16++) {
         unsigned left[AMD_WAIT_COUNT];
         for (unsigned n = 0; n < AMD_WAIT_COUNT; n++)
            left[n] = amd_isa_wait_left(gen, (enum amd_wait)n, simm16);
         printf("%u %u %u|%u\n", left[AMD_WAIT_VM], left[AMD_WAIT_EXP], left[AMD_WAIT_LGKM],
                amd_isa_waitcnt(gen, left));
      }
      return 0;
   }
   return 2;
}
