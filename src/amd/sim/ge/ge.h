/* Geometry engine: a draw's indices to batches of vertices and primitives, patches to domain points. */
#ifndef INDIUM_AMD_SIM_GE_H
#define INDIUM_AMD_SIM_GE_H

#include "amd/sim/batch/pipeline.h"

/* ge.c: before the draw's first batch. False after a fault. */
bool amd_ge_start(struct amd_pipeline *p);
/* The next batch: in memory->vertices_in, prims_in and corners, or with tessellation in the three of patches. False:
 * none is left, or after a fault (*ok is false). */
bool amd_ge_next(struct amd_pipeline *p, bool *ok);

/* ge_tess.c: the next patches of the batch whose hull waves run at once: p->patches. What their waves do not write in
 * the ring of factors is poison. False: none is left, or after a fault (*ok is false). */
bool amd_ge_next_patches(struct amd_pipeline *p, bool *ok);
/* After the hull waves: the patches' factors. False after a fault. */
bool amd_ge_read_factors(struct amd_pipeline *p);
/* The next of the patches' domain points and primitives, all of one threadgroup, in memory->vertices_in, prims_in and
 * corners. False: none is left. */
bool amd_ge_next_points(struct amd_pipeline *p);

#endif
