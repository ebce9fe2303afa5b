/* What the files of draw share. */
#ifndef INDIUM_ASAHI_SIM_DRAW_DRAW_PRIVATE_H
#define INDIUM_ASAHI_SIM_DRAW_DRAW_PRIVATE_H

#include "asahi/sim/batch/pipeline.h"

struct agx_assembler;

/* assemble.c: of the draw that runs; free() releases it. */
struct agx_assembler *agx_assembler_create(struct agx_render *render);
/* The next batch, in render->vertices_in and prims_in. False: none is left, or after a fault (*ok is false). */
bool agx_assemble(struct agx_assembler *assembler, bool *ok);

/* vertex.c: fills render->vertices from vertices_in, and counts what they lack. */
bool agx_vertices_run(struct agx_render *render);

/* vertex.c: false, with a fault that names it, if a word that is used is not in every vertex of the batch. */
bool agx_vertices_check(const struct agx_render *render);

#endif
