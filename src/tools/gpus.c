/* indium gpus: the chips that the shims can show. */
#include "tools/indium.h"
#include "tools/vendors.h"

static int
run(int argc, char **argv)
{
   int count = parse_options(&command_gpus, argv, NULL);
   if (count)
      return count < 0 ? 2 : usage_error("gpus", "takes no arguments");
   for (const struct vendor *vendor = vendors; vendor->chip_name; vendor++) {
      for (unsigned i = 0; vendor->chip_name(i); i++)
         vendor->print_chip(i);
   }
   return 0;
}

const struct command command_gpus = {
   .name = "gpus",
   .purpose = "the chips that run can show",
   .synopsis = {""},
   .text =
      "Lists the chips for indium run --gpu: of AMD's name, LLVM target, PCI id, compute units, video memory; of "
      "Apple's name, core, SoC, cores.",
   .run = run,
};
