/* Subgroups of ES-GS waves, between the files that form and run them. */
#ifndef INDIUM_AMD_SIM_NGG_PRIVATE_H
#define INDIUM_AMD_SIM_NGG_PRIVATE_H

#include "amd/sim/spi/spi_private.h"
#include "util/macros.h"

/* What a subgroup takes in. Vertex v of it is number ngg_vertices[first_vertex + v] of vertices_in; the corners of
 * primitive i of the batch are ngg_corners[i * prim_in_vertices ...], numbers within its subgroup. */
struct ngg_group {
   uint32_t first_vertex, vertex_count; /* ES threads */
   uint32_t first_prim, prim_count;     /* in prims_in */
   uint32_t first_instance, instances;  /* of the geometry shader; GS threads: prim_count * instances */
   uint32_t id;                         /* where its part of a ring lies */
   uint32_t ring_B;                     /* of parameters: offset in the attribute ring */
};

enum {
   NGG_MAX_OUT = 1 << 11, /* what the fields of GS_ALLOC_REQ hold */
   NGG_RING_UNIT_B = 512,
   NGG_MAX_WAVE_ID = 2047, /* VGT_GS_MAX_WAVE_ID as kernels set it */
};

/* What the subgroup that retires has given out so far. */
struct ngg_output {
   bool allocated;
   uint32_t vertices, prims;
   uint32_t first_vertex; /* in vertex_data */
   uint32_t prim[NGG_MAX_OUT], payload[NGG_MAX_OUT];
   bool prim_done[NGG_MAX_OUT], vertex_done[NGG_MAX_OUT];
};

struct ngg_run {
   struct amd_pipeline *p;
   uint32_t waves_per_group;
   uint32_t first_group; /* of the launch */
   bool ok;
   struct ngg_output out;
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

/* ngg.c */
const struct ngg_group *ngg_group_at(const struct amd_pipeline *p, uint32_t group);
/* What a subgroup may give out. */
uint32_t ngg_max_vertices(const struct amd_pipeline *p, const struct ngg_group *group);
uint32_t ngg_max_prims(const struct amd_pipeline *p, const struct ngg_group *group);
uint32_t ngg_wave_count(const struct amd_pipeline *p, const struct ngg_group *group);

/* ngg_ring.c: places for the parameters of subgroups from `first` on; how many have one, which may run at once. 0
 * after a fault. */
uint32_t ngg_ring_place(struct amd_pipeline *p, uint32_t first);
/* ngg_ring.c: takes the parameters of a subgroup that has ended to vertex_data. */
bool ngg_ring_read(const struct amd_pipeline *p, const struct ngg_group *group, const struct ngg_output *out);

/* ngg_output.c: of struct amd_wave_launch; user: struct ngg_run. */
void ngg_retire(void *user, uint32_t group, uint32_t wave, const struct amd_wave_result *result);

#endif
