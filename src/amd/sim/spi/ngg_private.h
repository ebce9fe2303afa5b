/* Subgroups of ES-GS waves, between the files that form and run them. */
#ifndef INDIUM_AMD_SIM_NGG_PRIVATE_H
#define INDIUM_AMD_SIM_NGG_PRIVATE_H

#include "amd/sim/draw/pipeline.h"
#include "util/macros.h"

/* What a subgroup takes in. Vertex v of it is number ngg_vertices[first_vertex + v] of vertices_in; the corners of
 * primitive i of the batch are ngg_corners[i * prim_in_vertices ...], numbers within its subgroup. */
struct ngg_group {
   uint32_t first_vertex, vertex_count; /* ES threads */
   uint32_t first_prim, prim_count;     /* in prims_in */
   uint32_t first_instance, instances;  /* of the geometry shader; GS threads: prim_count * instances */
};

static inline uint32_t
ngg_gs_threads(const struct ngg_group *g)
{
   return g->prim_count * g->instances;
}

/* Of `count` threads of the subgroup, those in a wave. */
static inline uint32_t
ngg_in_wave(uint32_t count, uint32_t wave, uint32_t wave_size)
{
   uint32_t first = wave * wave_size;
   return count > first ? MIN2(count - first, wave_size) : 0;
}

/* ngg.c: VGPRs of the GS and ES threads in a wave. */
void ngg_start_vgprs(const struct amd_pipeline *p, const struct ngg_group *g, uint32_t wave,
                     struct amd_wave_start *s);
/* ngg_groups.c: the batch's subgroups in memory->ngg_groups. False after a fault. */
bool ngg_form_groups(struct amd_pipeline *p);

#endif
