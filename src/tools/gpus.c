/* indium gpus: the chips that the shim can show. */
#include <stdio.h>

#include "amd/hw/chips.h"
#include "tools/indium.h"

static int
run(int argc, char **argv)
{
   int count = parse_options(&command_gpus, argv, NULL);
   if (count)
      return count < 0 ? 2 : usage_error("gpus", "takes no arguments");
   for (unsigned i = 0; i < amd_chip_count; i++) {
      const struct amd_chip *chip = &amd_chips[i];
      printf("%-8s %-8s %04x:%04x %3u CUs %6llu MiB\n", chip->name, chip->gfx_target, AMD_PCI_VENDOR, chip->device_id,
             chip->num_cu_active, (unsigned long long)(chip->vram_B >> 20));
   }
   return 0;
}

const struct command command_gpus = {
   .name = "gpus",
   .purpose = "the chips that run can show",
   .synopsis = {""},
   .text = "Lists the chips for indium run --gpu: name, LLVM target, PCI id, compute units, video memory.",
   .run = run,
};
