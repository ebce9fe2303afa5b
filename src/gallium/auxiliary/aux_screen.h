/* What the files of this folder need to know of a driver's device. A driver's screen begins with it. */
#ifndef INDIUM_AUX_SCREEN_H
#define INDIUM_AUX_SCREEN_H

#include "gallium/include/pipe/p_screen.h"

struct aux_screen {
   struct pipe_screen base;
   int drm_fd;                                  /* what syncobjs belong to */
   uint64_t heap_used_B[PIPE_MAX_MEMORY_HEAPS]; /* aux_heap.h; changed atomically */
};

static inline struct aux_screen *
aux_screen(const struct pipe_screen *screen)
{
   return (struct aux_screen *)screen;
}

#endif
