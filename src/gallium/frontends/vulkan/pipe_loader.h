/* Which driver takes a render node. */
#ifndef INDIUM_PIPE_LOADER_H
#define INDIUM_PIPE_LOADER_H

#include <stdint.h>

struct pipe_screen;

struct loader_driver {
   const char *kernel_name; /* of the nodes that it takes: DRM_IOCTL_VERSION */
   /* From a node to a screen. fd stays the caller's. NULL if the driver does not know the chip or memory runs out. */
   struct pipe_screen *(*open)(int fd);
};

/* The drivers of this library, up to a row without a name. */
extern const struct loader_driver loader_drivers[];

/* Opens every render node that a driver of the table takes. Returns how many. */
uint32_t pipe_loader_probe(const struct loader_driver *drivers, struct pipe_screen *screens[], uint32_t max);

#endif
