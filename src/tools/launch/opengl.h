/* The OpenGL drivers that draw with a Vulkan driver: Zink, of the system's Mesa and of bin/peers. */
#ifndef INDIUM_TOOLS_OPENGL_H
#define INDIUM_TOOLS_OPENGL_H

#include <limits.h>

#include "tools/launch/driver_table.h"

/* As the option's table shows them, in the order of the rows. */
#define OPENGL_NAMES "zink|zink-25|zink-26|zink-sid"

struct opengl {
   const char *name;
   const char *peer; /* its folder of bin/peers; NULL: it is the system's */
};

/* Up to a row without a name. */
extern const struct opengl opengl_table[];

/* Finds the release of the row `name`, and checks that the Vulkan driver can be loaded into it. driver: NULL for one
 * that a manifest names. root: the driver's release, or empty; becomes the OpenGL driver's. 0, or an exit status
 * after a message. */
int find_opengl(const char *name, const struct driver *driver, char root[PATH_MAX]);

/* Makes Mesa's loaders take Zink for every device and display. */
void set_opengl_environment(void);

#endif
