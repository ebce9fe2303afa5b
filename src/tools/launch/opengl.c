#include "tools/launch/opengl.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "tools/base/command.h"
#include "tools/launch/peers.h"

const struct opengl opengl_table[] = {
   {"zink", NULL}, {"zink-25", "mesa25"}, {"zink-26", "mesa26"}, {"zink-sid", "mesa-sid"}, {0},
};

static const struct opengl *
opengl_by_name(const char *name)
{
   const struct opengl *row = opengl_table;
   while (row->name && strcmp(row->name, name))
      row++;
   return row->name ? row : NULL;
}

/* One process cannot have the libraries of two releases. */
static bool
shares_release(const struct driver *driver, const struct opengl *row)
{
   const char *own = driver->peer ? driver->peer : "", *other = row->peer ? row->peer : "";
   return !strcmp(own, other);
}

/* Its devices have no node, by which Zink chooses. */
static bool
draws_on_cpu(const struct driver *driver)
{
   return !driver->chip;
}

/* This tree's driver, and one that a manifest names, fit every release. 0 or an exit status. */
static int
check_driver(const struct driver *driver, const struct opengl *row)
{
   if (!driver || !driver->manifest)
      return 0;
   if (draws_on_cpu(driver))
      return usage_error("run", "--gl %s: Zink takes no driver that draws on the processor: %s", row->name,
                         driver->name);
   if (driver->gl)
      return usage_error("run", "--gl %s: %s is an OpenGL driver itself: name a Vulkan driver", row->name,
                         driver->name);
   return shares_release(driver, row)
             ? 0
             : usage_error("run", "--gl %s: driver %s is of another release of Mesa", row->name, driver->name);
}

int
find_opengl(const char *name, const struct driver *driver, char root[PATH_MAX])
{
   const struct opengl *row = opengl_by_name(name);
   char path[PATH_MAX];
   if (!row)
      return usage_error("run", "--gl takes " OPENGL_NAMES ", not \"%s\"", name);
   int status = check_driver(driver, row);
   status = status ? status : find_release("--gl", row->name, row->peer, root);
   if (status)
      return status;
   if (snprintf(path, PATH_MAX, "%s" PEER_LIBRARIES "/dri/zink_dri.so", root) >= PATH_MAX)
      return usage_error("run", "--gl %s: %s: its path is too long", row->name, root);
   return access(path, R_OK) ? usage_error("run", "--gl %s: cannot read %s: %s (the package libgl1-mesa-dri has it)",
                                           row->name, path, strerror(errno))
                             : 0;
}

void
set_opengl_environment(void)
{
   setenv("MESA_LOADER_DRIVER_OVERRIDE", "zink", 1);
   unsetenv("LIBGL_ALWAYS_SOFTWARE"); /* takes the processor's driver before the override is read */
}
