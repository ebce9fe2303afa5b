/* What the files of draw share. */
#ifndef INDIUM_AMD_SIM_DRAW_PRIVATE_H
#define INDIUM_AMD_SIM_DRAW_PRIVATE_H

#include "amd/sim/draw/draw.h"

/* draw_memory.c: the draw that comes gets its buffers; another one may still have them (amd_draw_wait_launch()). */
struct amd_draw_memory *amd_draw_memory_take(struct amd_gpu *gpu);

/* pending.c: before a draw uses its memory again: the launch that uses it has ended, and all before it. */
bool amd_draw_wait_launch(struct amd_gpu *gpu, struct amd_draw_memory *memory);
/* The draw's newest launch becomes pending: memory->launch, memory->wave_launch. */
bool amd_draw_add_launch(struct amd_pipeline *p);
/* Around the waves of a draw, for the search for races. */
void amd_draw_begin_races(struct amd_pipeline *p);
void amd_draw_end_races(struct amd_pipeline *p);

/* draw.c: depth and colour of a launch, when it has ended; what else is to be done when a draw has. */
void amd_draw_commit(struct amd_pipeline *p);
bool amd_draw_end(struct amd_pipeline *p);

/* written.c: lines of the targets that shader caches hold become stale: depth and colour reach memory past those
 * caches. */
void amd_written_announce(struct amd_pipeline *p);
/* Before the draw's first batch: what its blocks read and write of targets is noted from now on. */
void amd_written_start(struct amd_pipeline *p);
/* When the draw has ended: what it has written is CB's and DB's until it is flushed. False after a fault. */
bool amd_written_mark(struct amd_pipeline *p);

/* reorder_prims.c: puts memory->prims into the order of rasterisation. */
void amd_reorder_prims(struct amd_pipeline *p);

#endif
