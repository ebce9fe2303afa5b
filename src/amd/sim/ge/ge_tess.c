/* Tessellation of a batch of patches: HS's threadgroups, their factors, and domain points as the next stages' input.
 */
#include <string.h>

#include "amd/sim/cache/cache.h"
#include "amd/sim/draw/pipeline.h"
#include "amd/sim/ge/tess.h"
#include "util/macros.h"

/* Threadgroups at once: bounds memory. */
enum { MAX_GROUPS = 64 };

enum amd_prim_kind
amd_tess_kind(const struct amd_tess_state *tess)
{
   static const enum amd_prim_kind kinds[] = {[1] = AMD_PRIM_POINT, [2] = AMD_PRIM_LINE, [3] = AMD_PRIM_TRIANGLE};
   return kinds[amd_tess_prim_vertices(tess->config.topology)];
}

uint32_t
amd_tess_group_factors_B(const struct amd_tess_state *tess)
{
   return tess->patches * amd_tess_factor_count(tess->config.domain) * 4;
}

static bool
touch_factors(struct amd_pipeline *p, uint32_t *factors, uint32_t size_B, bool write)
{
   struct sim_va bad, va = p->state.tess.factors;
   if (write)
      amd_caches_write(p->gpu->caches, va, size_B);
   if (write ? sim_vm_write(p->gpu->vm, va, factors, size_B, &bad)
             : sim_vm_read(p->gpu->vm, va, factors, size_B, &bad))
      return true;
   return sim_fault_set(p->gpu->fault, SIM_FAULT_ADDRESS, bad,
                        "the ring of tessellation factors (VGT_TF_MEMORY_BASE) at unmapped address 0x%012llx",
                        (unsigned long long)bad.va);
}

static uint32_t *
get_factors(struct amd_pipeline *p, uint32_t size_B)
{
   p->memory->factors.size_B = 0;
   return dynarray_grow(&p->memory->factors, size_B);
}

/* What nobody writes is found again. */
static bool
poison_factors(struct amd_pipeline *p, uint32_t size_B)
{
   uint32_t *factors = get_factors(p, size_B);
   for (uint32_t i = 0; i < size_B / 4; i++)
      factors[i] = AMD_WAVE_GARBAGE;
   return touch_factors(p, factors, size_B, true);
}

static bool
read_factors(struct amd_pipeline *p, uint32_t patches)
{
   unsigned count = amd_tess_factor_count(p->state.tess.config.domain);
   uint32_t size_B = patches * count * 4, *factors = get_factors(p, size_B);
   if (!touch_factors(p, factors, size_B, false))
      return false;
   for (uint32_t i = 0; i < size_B / 4; i++) {
      if (factors[i] == AMD_WAVE_GARBAGE)
         return sim_fault_set(p->gpu->fault, SIM_FAULT_POISON, sim_va_add(p->state.tess.factors, i * 4),
                              "hull shader ended without tessellation factor %u of patch %u of the launch", i % count,
                              i / count);
   }
   return true;
}

/* The arrays between ge and the next stage hold patches, or what becomes of them. */
static void
swap_inputs(struct amd_pipeline *p)
{
   struct amd_draw_memory *m = p->memory;
   struct dynarray *now[] = {&m->vertices_in, &m->prims_in, &m->corners};
   struct dynarray *other[] = {&m->patch_vertices_in, &m->patch_prims_in, &m->patch_corners};
   for (unsigned i = 0; i < ARRAY_SIZE(now); i++) {
      struct dynarray kept = *now[i];
      *now[i] = *other[i];
      *other[i] = kept;
   }
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

/* The next stages; the screen, once there is enough for it. */
static bool
run_points(struct amd_pipeline *p)
{
   struct amd_draw_memory *m = p->memory;
   bool ok = true;
   if (*p->gpu->stats_on)
      p->gpu->counters->stats[AMD_STAT_DS_INVOCATIONS] += dynarray_count(&m->vertices_in, struct amd_vertex_in);
   if (m->prims_in.size_B)
      ok = amd_pipeline_vertices(p);
   if (ok && dynarray_count(&m->prims_out, struct amd_prim_out) >= AMD_BATCH_PRIMS)
      ok = amd_pipeline_rasterise(p);
   m->vertices_in.size_B = m->prims_in.size_B = m->corners.size_B = 0;
   return ok;
}

/* Waves behind HS have the off-chip buffer's place in an SGPR: they hold points of one threadgroup only. */
static bool
run_groups(struct amd_pipeline *p, uint32_t first, uint32_t count)
{
   const struct amd_tess_state *t = &p->state.tess;
   const float *factors = p->memory->factors.data;
   bool ok = true;
   p->prim_in_vertices = amd_tess_prim_vertices(t->config.topology);
   swap_inputs(p);
   for (uint32_t i = 0; i < count && ok; i++) {
      uint32_t rel_id = i % t->patches;
      p->offchip_offset_B = i / t->patches * t->offchip_buffer_B;
      add_patch(p, first + i, rel_id, factors + (size_t)i * amd_tess_factor_count(t->config.domain));
      if (rel_id + 1 == t->patches || i + 1 == count ||
          dynarray_count(&p->memory->prims_in, struct amd_prim_in) >= AMD_BATCH_PRIMS)
         ok = run_points(p);
   }
   swap_inputs(p);
   p->prim_in_vertices = t->in_vertices;
   return ok;
}

bool
amd_tess_run(struct amd_pipeline *p)
{
   const struct amd_tess_state *t = &p->state.tess;
   uint32_t total = (uint32_t)dynarray_count(&p->memory->prims_in, struct amd_prim_in);
   uint32_t group_B = amd_tess_group_factors_B(t);
   uint32_t groups = MIN2(MIN2(t->factors_B / group_B, t->offchip_buffers), (uint32_t)MAX_GROUPS);
   if (!groups)
      return sim_fault_set(p->gpu->fault, SIM_FAULT_STATE, sim_va(0),
                           "the ring of tessellation factors has %u bytes, a threadgroup needs %u (VGT_TF_RING_SIZE)",
                           t->factors_B, group_B);
   for (uint32_t first = 0, count; first < total; first += count) {
      count = MIN2(groups * t->patches, total - first);
      if (!poison_factors(p, count * group_B / t->patches) || !amd_spi_run_patches(p, first, count) ||
          !read_factors(p, count) || !run_groups(p, first, count))
         return false;
   }
   return true;
}
