/* A render command: its draws go through vertex programs into the bins of the screen's tiles, and at the end tile
 * after tile becomes pixels in memory.
 *
 *   agx_render_begin()   reads the command's state: tiles, samples, depth and stencil surfaces
 *   agx_render_draw()    draw.c: indices to vertices (in batches, each index once), vertex programs; pa: clipping,
 *                        culling, viewports, planes of what varies, bins of 32x32 pixels in the order of draws
 *   agx_render_end()     tile: for each layer and tile the background program, hidden surface removal with depth and
 *                        stencil, pixel programs over the tile buffer, the end-of-tile program
 *
 * Nothing reaches images before the end. Order of tiles, and partial renders (the tile buffer goes out by the partial
 * end-of-tile program and comes back by the partial background program in the middle of a tile's draws), are the
 * schedule's choice; what is in memory afterwards depends on neither, unless a program breaks a rule. */
#ifndef INDIUM_ASAHI_SIM_DRAW_RENDER_H
#define INDIUM_ASAHI_SIM_DRAW_RENDER_H

#include "asahi/hw/records.h"
#include "asahi/sim/base/gpu.h"
#include "asahi/sim/batch/draw_state.h"

struct agx_render;

/* gpu and command must live until the render is freed. NULL after a guest fault (gpu->fault). */
struct agx_render *agx_render_begin(const struct agx_gpu *gpu, const struct agx_render_command *command);

/* Vertex work of one draw; everything of *state and *draw is copied, except the programs and lists that they point
 * to, which must live until agx_render_free(). False after a guest fault. */
bool agx_render_draw(struct agx_render *render, const struct agx_draw_state *state, const struct agx_draw *draw);

/* Pixel work of the whole command. False after a guest fault. */
bool agx_render_end(struct agx_render *render);

/* NULL: nothing. */
void agx_render_free(struct agx_render *render);

#endif
