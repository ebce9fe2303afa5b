/* The fixed-function tessellator: factors of a patch to domain points and the primitives between them. */
#ifndef INDIUM_AMD_SIM_TESS_H
#define INDIUM_AMD_SIM_TESS_H

#include <stdbool.h>
#include <stdint.h>

#include "amd/sim/state/draw_state.h"
#include "util/dynarray.h"

/* Where a patch's factors are (amd_tess_factor_count()). Triangles: edges u = 0, v = 0, w = 0, inside.
 * Quads: edges u = 0, v = 0, u = 1, v = 1, inside along u, along v. Isolines: detail (segments of a line), density
 * (lines): the other way round than in the APIs. */
enum { AMD_TESS_MAX_FACTORS = 6 };

struct amd_domain_point {
   float u, v; /* multiples of 2^-16 */
};

/* Appends the patch's points (struct amd_domain_point) and primitives (uint32_t each vertex, counted from the patch's
 * first point). A patch is culled, and appends nothing, if an edge's factor is a NaN or not above 0.
 *
 * Source: Direct3D 11.3 functional specification, "Tessellator": points in 16.16 fixed point, order of points and
 * primitives as its reference has them. That AMD's hardware has the same order is assumed; of VGT_HOS_*_TESS_LEVEL,
 * that they clamp what is not culled; of PART_POW2, that it is PART_INTEGER (so the reference; programs round). */
void amd_tessellate(const struct amd_tess_config *config, const float factors[AMD_TESS_MAX_FACTORS],
                    struct dynarray *points, struct dynarray *prims);

#endif
