/* Synchronisation objects of every driver: kernel syncobjs. */
#ifndef INDIUM_AUX_SYNC_H
#define INDIUM_AUX_SYNC_H

#include <stdbool.h>
#include <stdint.h>

#include "gallium/include/pipe/p_defines.h"
#include "gallium/include/pipe/p_handle.h"
#include "gallium/include/pipe/p_screen.h"

struct aux_sync {
   uint32_t syncobj;
};
PIPE_HANDLE(aux, sync)

/* error: 0 or a negative errno of the winsys. */
enum pipe_result aux_result_of_errno(int error);

/* Fills in the functions of the screen, which begins with struct aux_screen. */
void aux_init_sync(struct pipe_screen *screen);

#endif
