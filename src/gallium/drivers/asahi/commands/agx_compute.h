/* Dispatches of whoever records them. */
#ifndef INDIUM_AGX_COMPUTE_H
#define INDIUM_AGX_COMPUTE_H

#include "gallium/drivers/asahi/program/agx_program.h"

struct agx_launch;

/* Later dispatches of the open stream wait for those before; nothing if none can be running. */
void agx_compute_barrier(struct agx_context *ctx);

/* Writes the USC list and the launch, whose grid the caller has filled in. tables: with all that the program reads.
 */
void agx_compute_launch(struct agx_context *ctx, const struct agx_program *program, const struct agx_tables *tables,
                        struct agx_launch *launch);

/* The same of another stage of a program of draws. */
void agx_compute_launch_stage(struct agx_context *ctx, const struct agx_program *program, enum agx_hw_stage hw,
                              const struct agx_tables *tables, struct agx_launch *launch);

#endif
