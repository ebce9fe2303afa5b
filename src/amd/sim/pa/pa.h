/* Primitive assembler and scan converter: clipping, viewport, setup, coverage, early depth. */
#ifndef INDIUM_AMD_SIM_PA_H
#define INDIUM_AMD_SIM_PA_H

#include "amd/sim/batch/pipeline.h"

/* pa.c: sets up prims_out as memory->prims, in order. */
void amd_pa_run(struct amd_pipeline *p);

/* sc.c: quads of primitives [first, end) in memory->quads, or blocks or tiles; bins' first_quad set. */
void amd_sc_run(struct amd_pipeline *p, uint32_t first, uint32_t end);

/* sc_mask.c: where the line pattern stands goes into its register. */
void amd_sc_keep_stipple(const struct amd_pipeline *p);

#endif
