/* indium gpus: the chips that the shims can show. */
#include <stdio.h>
#include <string.h>

#include "tools/indium.h"
#include "tools/launch/vendors.h"

/* Of the programs of `bin/conformance matrix` that the driver can run, those that it draws right with its defaults.
 */
static const struct {
   const char *chip, *driver;
   unsigned passed, total;
} proven[] = {
#include "tools/proven.h"
   {0},
};

static void
print_proven(const char *chip)
{
   const char *separator = "  ";
   for (unsigned i = 0; proven[i].chip; i++) {
      if (!strcmp(proven[i].chip, chip)) {
         printf("%s%s %u/%u", separator, proven[i].driver, proven[i].passed, proven[i].total);
         separator = ", ";
      }
   }
   printf("\n");
}

static int
gpus_main(int argc, char **argv)
{
   int count = parse_options(&command_gpus, argv, NULL);
   if (count)
      return count < 0 ? 2 : usage_error("gpus", "takes no arguments");
   for (const struct vendor *vendor = vendors; vendor->chip_name; vendor++) {
      for (unsigned i = 0; vendor->chip_name(i); i++)
         vendor->print_chip(i), print_proven(vendor->chip_name(i));
   }
   return 0;
}

const struct command command_gpus = {
   .name = "gpus",
   .purpose = "lists the chips that run can model",
   .synopsis = {""},
   .text = "Lists the chips for indium run --gpu. AMD: name, generation, LLVM target, PCI id, compute units, "
           "video memory, and for each driver how many programs of bin/conformance matrix it draws correctly, of "
           "those that it can run. Apple: name, core, SoC, cores. Intel (noop mode only, as there is no model): "
           "name, PCI id, execution units, product.",
   .run = gpus_main,
};
