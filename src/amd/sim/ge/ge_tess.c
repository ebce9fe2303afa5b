/* Tessellation of a batch of patches: the factors of HS's threadgroups, and domain points as the next stages' input.
 */
#include <string.h>

#include "amd/sim/cache/cache.h"
#include "amd/sim/ge/ge.h"
#include "amd/sim/ge/tess.h"
#include "util/macros.h"

/* Those of a threadgroup in the ring. */
static bool
touch_factors(struct amd_pipeline *p, uint32_t group, uint32_t *factors, uint32_t size_B, bool write)
{
   struct sim_va bad, va = sim_va_add(p->state.tess.factors, amd_tess_factors_at_B(&p->state.tess, group));
   if (write)
      amd_caches_write(p->gpu->caches, va, size_B);
   if (write ? sim_vm_write(p->gpu->vm, va, factors, size_B, &bad)
             : sim_vm_read(p->gpu->vm, va, factors, size_B, &bad))
      return true;
   return sim_fault_set(p->gpu->fault, write ? SIM_FAULT_STORE : SIM_FAULT_ADDRESS, bad,
                        "the ring of tessellation factors (VGT_TF_MEMORY_BASE) at unmapped address 0x%012llx",
                        (unsigned long long)bad.va);
}

/* Of `patches` of a launch: a threadgroup after the other. */
static uint32_t *
get_factors(struct amd_pipeline *p, uint32_t patches)
{
   p->memory->factors.size_B = 0;
   return dynarray_grow(&p->memory->factors, patches * amd_tess_factor_count(p->state.tess.config.domain) * 4);
}

/* What nobody writes is found again. */
static bool
poison_factors(struct amd_pipeline *p, uint32_t patches)
{
   const struct amd_tess_state *t = &p->state.tess;
   uint32_t count = amd_tess_factor_count(t->config.domain), *factors = get_factors(p, patches);
   bool ok = true;
   for (uint32_t i = 0; i < patches * count; i++)
      factors[i] = AMD_WAVE_GARBAGE;
   for (uint32_t first = 0; first < patches && ok; first += t->patches)
      ok =
         touch_factors(p, first / t->patches, factors, MIN2(patches - first, (uint32_t)t->patches) * count * 4, true);
   return ok;
}

/* From the ring; or a message says that all are 0, or 1. */
static bool
read_group_factors(struct amd_pipeline *p, uint32_t group, uint32_t *factors, uint32_t patches)
{
   unsigned count = amd_tess_factor_count(p->state.tess.config.domain);
   enum amd_tess_told told = p->memory->told_factors[group];
   for (uint32_t i = 0; i < patches * count && told != AMD_TESS_TOLD_NOTHING; i++)
      factors[i] = told == AMD_TESS_TOLD_ONE ? float_bits(1.0f) : 0;
   if (told != AMD_TESS_TOLD_NOTHING)
      return true;
   if (!touch_factors(p, group, factors, patches * count * 4, false))
      return false;
   for (uint32_t i = 0; i < patches * count; i++) {
      if (factors[i] == AMD_WAVE_GARBAGE)
         return sim_fault_set(p->gpu->fault, SIM_FAULT_POISON, p->state.tess.factors,
                              "hull shader ended without tessellation factor %u of patch %u of threadgroup %u",
                              i % count, i / count, group);
   }
   return true;
}

bool
amd_ge_read_factors(struct amd_pipeline *p)
{
   const struct amd_tess_state *t = &p->state.tess;
   const uint32_t patches = p->patches.count;
   uint32_t count = amd_tess_factor_count(t->config.domain), *factors = get_factors(p, patches);
   bool ok = true;
   for (uint32_t first = 0; first < patches && ok; first += t->patches)
      ok = read_group_factors(p, first / t->patches, factors + (size_t)first * count,
                              MIN2(patches - first, (uint32_t)t->patches));
   return ok;
}

/* Points of a patch to vertices_in, its primitives to prims_in. Ids of primitives are the patch's. */
static void
add_patch(struct amd_pipeline *p, uint32_t patch, uint32_t rel_id, const float *factors)
{
   struct amd_draw_memory *m = p->memory;
   const struct amd_tess_config *config = &p->state.tess.config;
   uint32_t id = dynarray_at(&m->patch_prims_in, struct amd_prim_in, patch)->prim_id;
   uint32_t first = (uint32_t)dynarray_count(&m->vertices_in, struct amd_vertex_in);
   m->domain_points.size_B = m->domain_prims.size_B = 0;
   amd_tessellate(config, factors, &m->domain_points, &m->domain_prims);
   dynarray_for_each(struct amd_domain_point, point, &m->domain_points) {
      const struct amd_vertex_in vertex = {.prim_id = id, .u = point->u, .v = point->v, .rel_patch_id = rel_id};
      dynarray_append(&m->vertices_in, struct amd_vertex_in, vertex);
   }
   dynarray_for_each(uint32_t, corner, &m->domain_prims) {
      dynarray_append(&m->corners, uint32_t, first + *corner);
   }
   const struct amd_prim_in prim = {.prim_id = id, .edges = AMD_ALL_EDGES};
   for (size_t i = dynarray_count(&m->domain_prims, uint32_t) / p->prim_in_vertices; i--;)
      dynarray_append(&m->prims_in, struct amd_prim_in, prim);
}

/* Waves after HS have the off-chip buffer's place in an SGPR: they hold points of one threadgroup only. */
bool
amd_ge_next_points(struct amd_pipeline *p)
{
   const struct amd_tess_state *t = &p->state.tess;
   struct amd_draw_memory *m = p->memory;
   struct amd_patches *patches = &p->patches;
   const float *factors = m->factors.data;
   m->vertices_in.size_B = m->prims_in.size_B = m->corners.size_B = 0;
   while (patches->next < patches->count) {
      uint32_t i = patches->next++, rel_id = i % t->patches;
      p->offchip_offset_B = amd_tess_offchip_at_B(t, i / t->patches);
      add_patch(p, patches->first + i, rel_id, factors + (size_t)i * amd_tess_factor_count(t->config.domain));
      if (rel_id + 1 < t->patches && patches->next < patches->count &&
          dynarray_count(&m->prims_in, struct amd_prim_in) < AMD_BATCH_PRIMS)
         continue;
      if (*p->gpu->stats_on)
         p->gpu->counters->stats[AMD_STAT_DS_INVOCATIONS] += dynarray_count(&m->vertices_in, struct amd_vertex_in);
      if (m->prims_in.size_B)
         return true;
      m->vertices_in.size_B = m->corners.size_B = 0;
   }
   return false;
}

bool
amd_ge_next_patches(struct amd_pipeline *p, bool *ok)
{
   const struct amd_tess_state *t = &p->state.tess;
   const uint32_t total = (uint32_t)dynarray_count(&p->memory->patch_prims_in, struct amd_prim_in);
   const uint32_t first = p->patches.first + p->patches.count, group_B = amd_tess_group_factors_B(t);
   uint32_t groups = MIN2(MIN2(t->factors_B / group_B, t->offchip_buffers) * t->parts, (uint32_t)AMD_TESS_MAX_GROUPS);
   if (first == total)
      return false;
   if (!groups) {
      *ok = sim_fault_set(p->gpu->fault, SIM_FAULT_STATE, sim_va(0),
                          "the ring of tessellation factors has %u bytes, a threadgroup needs %u (VGT_TF_RING_SIZE)",
                          t->factors_B, group_B);
      return false;
   }
   p->patches = (struct amd_patches){.first = first, .count = MIN2(groups * t->patches, total - first)};
   *ok = poison_factors(p, p->patches.count);
   return *ok;
}
