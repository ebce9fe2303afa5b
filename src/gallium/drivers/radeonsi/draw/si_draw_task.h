/* Draws of task shaders. */
#ifndef INDIUM_SI_DRAW_TASK_H
#define INDIUM_SI_DRAW_TASK_H

#include "gallium/drivers/radeonsi/si_context.h"

/* What precedes a packet of tasks in their stream. False: they cannot run. */
bool si_emit_task_state(struct si_context *ctx);

/* Runs the tasks of a draw on the other ring; false if they cannot be drawn. draws: NULL: groups says how many. */
bool si_run_tasks(struct si_context *ctx, const uint32_t groups[3], const struct pipe_indirect_draws *draws);

/* A barrier of the graphics stream. from_tasks: what they wrote is to be seen behind it. */
void si_barrier_tasks(struct si_context *ctx, bool from_tasks);

/* The same at the end of the stream, which the tasks' own ends with. False when out of memory. */
bool si_end_tasks(struct si_context *ctx);

/* The tasks of a secondary stream. */
void si_execute_tasks(struct si_context *ctx, const struct si_context *secondary);

#endif
