#ifndef INDIUM_SI_SYNC_H
#define INDIUM_SI_SYNC_H

#include <stdbool.h>
#include <stdint.h>

#include "gallium/include/pipe/p_defines.h"
#include "gallium/include/pipe/p_handle.h"

struct si_sync {
   uint32_t syncobj;
   bool once; /* goes away with the wait for it */
};
PIPE_HANDLE(si, sync)

/* error: 0 or a negative errno of the winsys. */
enum pipe_result si_result_of_errno(int error);

#endif
