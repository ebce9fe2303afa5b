/* The environment of programs that this process starts: the device is there for them, too. */
#ifndef INDIUM_DRM_SHIM_ENVIRONMENT_H
#define INDIUM_DRM_SHIM_ENVIRONMENT_H

#include <stddef.h>

/* Bytes that shim_environment_keep() may need. */
size_t shim_environment_room_B(char *const *variables);

/* The variables (NULL: none), with LD_PRELOAD naming the shim and with the INDIUM_* that this process had when it
 * began, where they lack; or the same pointer, if nothing lacks, if LD_PRELOAD is there and empty, or if this process
 * got the shim in another way. room is for the result. Neither takes a lock nor allocates: fork(2) or vfork(2) may
 * have been called. */
char *const *shim_environment_keep(char *const *variables, void *room);

#endif
