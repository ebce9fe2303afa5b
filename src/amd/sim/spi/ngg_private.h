/* Subgroups of ES-GS waves, between the files that form and run them. */
#ifndef INDIUM_AMD_SIM_NGG_PRIVATE_H
#define INDIUM_AMD_SIM_NGG_PRIVATE_H

#include "amd/sim/draw/pipeline.h"

/* What a subgroup takes in. Vertex v of it is number ngg_vertices[first_vertex + v] of vertices_in; the corners of
 * primitive i of the batch are ngg_corners[i * prim_in_vertices ...], numbers within its subgroup. */
struct ngg_group {
   uint32_t first_vertex, vertex_count; /* ES threads */
   uint32_t first_prim, prim_count;     /* in prims_in */
   uint32_t first_instance, instances;  /* of the geometry shader; GS threads: prim_count * instances */
};

/* ngg_groups.c: the batch's subgroups in memory->ngg_groups. False after a fault. */
bool ngg_form_groups(struct amd_pipeline *p);

#endif
