/* indium gpus: the chips that the shim can show. */
#include <stdio.h>

#include "amd/hw/chips.h"
#include "tools/indium.h"

static const char usage[] =
   "usage: indium gpus\n\n"
   "Lists the chips for indium run --gpu: name, LLVM target, PCI id, compute units, video memory.\n";

int
command_gpus(int argc, char **argv)
{
   if (wants_help(argc, argv)) {
      fputs(usage, stdout);
      return 0;
   }
   if (argc > 1)
      return usage_error("gpus", "takes no arguments");
   for (unsigned i = 0; i < amd_chip_count; i++) {
      const struct amd_chip *chip = &amd_chips[i];
      printf("%-8s %-8s %04x:%04x %3u CUs %6llu MiB\n", chip->name, chip->gfx_target, AMD_PCI_VENDOR, chip->device_id,
             chip->num_cu_active, (unsigned long long)(chip->vram_B >> 20));
   }
   return 0;
}
