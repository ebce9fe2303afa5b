/* Streams of draws. */
#ifndef INDIUM_ASAHI_SIM_CP_VDM_H
#define INDIUM_ASAHI_SIM_CP_VDM_H

#include "asahi/hw/records.h"
#include "asahi/sim/base/gpu.h"

/* Runs the render command: its stream, draw by draw, then all pixels. vertices_done: called between the two. False
 * after a guest fault. */
bool agx_vdm_run(const struct agx_gpu *gpu, const struct agx_render_command *command,
                 void (*vertices_done)(void *data), void *data);

#endif
