/* indium drivers: which drivers run knows, and the version of each that is here. */
#include <stdio.h>
#include <string.h>

#include "tools/launch/driver_table.h"
#include "tools/indium.h"
#include "tools/install_paths.h"
#include "tools/launch/peers.h"

#define PACKAGE "mesa-vulkan-drivers"

/* The system's package, as the Vulkan driver and the OpenGL driver come from one source. */
static bool
system_version(char version[64])
{
   FILE *query = popen("dpkg-query -W -f '${Version}' " PACKAGE " 2>/dev/null", "r");
   bool found = query && fscanf(query, "%63s", version) == 1;
   if (query)
      pclose(query);
   return found;
}

/* A line of the file says package, version and architecture. */
static bool
fetched_version(const char *root, char version[64])
{
   char path[PATH_MAX];
   bool found = false;
   if (snprintf(path, PATH_MAX, "%s/versions", root) >= PATH_MAX)
      return false;
   FILE *file = fopen(path, "r");
   char line[256];
   while (file && !found && fgets(line, sizeof(line), file))
      found = sscanf(line, PACKAGE " %63s", version) == 1;
   if (file)
      fclose(file);
   return found;
}

static void
print_driver(const struct driver *driver)
{
   char root[PATH_MAX], version[64] = "";
   printf("%-14s %-7s ", driver->name, driver->gl ? "OpenGL" : "Vulkan");
   if (!driver->manifest)
      printf("Indium " INDIUM_VERSION "\n");
   else if (!driver->peer)
      printf("Mesa %s, the system's\n", system_version(version) ? version : "unknown");
   else if (look_for_peer(driver->peer, root) && fetched_version(root, version))
      printf("Mesa %s\n", version);
   else
      printf("not here: bin/peers %s\n", driver->peer);
}

static int
drivers_main(int argc, char **argv)
{
   int count = parse_options(&command_drivers, argv, NULL);
   if (count)
      return count < 0 ? 2 : usage_error("drivers", "takes no arguments");
   for (const struct driver *driver = drivers; driver->name; driver++)
      print_driver(driver);
   return 0;
}

const struct command command_drivers = {
   .name = "drivers",
   .purpose = "lists the drivers that run can use",
   .synopsis = {""},
   .text = "Lists the drivers for indium run --driver: name, API, version.",
   .run = drivers_main,
};
