/* Geometry engine: batches of primitives, index fetch with restart. */
#include <stdlib.h>
#include <string.h>

#include "amd/hw/registers.h"
#include "amd/sim/cache/order.h"
#include "amd/sim/ge/ge_private.h"
#include "util/macros.h"
#include "util/within_memory.h"

/* As many primitives as make about as many as a batch has. */
static uint32_t
batch_prims(const struct amd_pipeline *p)
{
   const struct amd_ngg_state *n = &p->state.ngg;
   bool amplifies = p->state.geometry.path != AMD_VERTEX_PATH_VS && n->gs && !p->state.tess.enabled;
   uint32_t most = MAX2((uint32_t)n->amplification, n->max_vert_out) * MAX2(n->instances, 1u);
   return amplifies ? MAX2(AMD_BATCH_PRIMS / MAX2(most, 1), 16) : AMD_BATCH_PRIMS;
}

static enum amd_prim_kind
tess_kind(const struct amd_tess_state *tess)
{
   static const enum amd_prim_kind kinds[] = {[1] = AMD_PRIM_POINT, [2] = AMD_PRIM_LINE, [3] = AMD_PRIM_TRIANGLE};
   return kinds[amd_tess_prim_vertices(tess->config.topology)];
}

static bool
kind_of(struct amd_pipeline *p)
{
   if ((p->state.geometry.prim_type == V_DI_PT_PATCH) != p->state.tess.enabled)
      return sim_fault_set(p->gpu->fault, SIM_FAULT_STATE, sim_va(0),
                           "primitive type %u %s a hull shader: patches are for the tessellator",
                           p->state.geometry.prim_type, p->state.tess.enabled ? "with" : "without");
   switch (p->state.geometry.prim_type) {
   case V_DI_PT_PATCH:
      p->kind = tess_kind(&p->state.tess);
      return true;
   case V_DI_PT_POINTLIST:
      p->kind = AMD_PRIM_POINT;
      return true;
   case V_DI_PT_LINELIST:
   case V_DI_PT_LINESTRIP:
   case V_DI_PT_LINELOOP:
   case V_DI_PT_LINELIST_ADJ:
   case V_DI_PT_LINESTRIP_ADJ:
      p->kind = AMD_PRIM_LINE;
      return true;
   case V_DI_PT_TRILIST:
   case V_DI_PT_TRISTRIP:
   case V_DI_PT_TRIFAN:
   case V_DI_PT_TRILIST_ADJ:
   case V_DI_PT_TRISTRIP_ADJ:
   case V_DI_PT_QUADLIST:
   case V_DI_PT_QUADSTRIP:
   case V_DI_PT_POLYGON:
      p->kind = AMD_PRIM_TRIANGLE;
      return true;
   case V_DI_PT_RECTLIST:
      p->kind = AMD_PRIM_RECT;
      return true;
   default:
      return sim_fault_set(p->gpu->fault, SIM_FAULT_STATE, sim_va(0), "the model does not have primitive type %u",
                           p->state.geometry.prim_type);
   }
}

/* Reads the draw's indices from number `first` on; those beyond the buffer are 0. */
static bool
read_indices(struct amd_assembler *a, uint32_t first)
{
   struct amd_pipeline *p = a->p;
   const struct amd_draw *draw = p->draw;
   unsigned size_B = p->state.geometry.index_size_B;
   uint32_t left = first < draw->max_indices_el ? draw->max_indices_el - first : 0;
   a->first = first;
   a->count = MIN2(draw->count_el - first, INDICES);
   uint32_t readable = MIN2(a->count, left);
   memset(a->indices + readable, 0, (a->count - readable) * sizeof(a->indices[0]));
   struct sim_va va = sim_va_add(draw->index_va, ((int64_t)draw->first_index_el + first) * size_B), bad;
   uint8_t *raw = (uint8_t *)(a->indices + readable) - readable * size_B;
   if (readable && !sim_vm_read(p->gpu->vm, va, raw, (uint64_t)readable * size_B, &bad))
      return sim_fault_set(p->gpu->fault, SIM_FAULT_ADDRESS, bad, "index buffer at unmapped address 0x%012lx",
                           (long)bad.va);
   /* Widening in place: the source lies at the end, and is read before it is overwritten. */
   for (uint32_t i = 0; i < readable; i++) {
      uint32_t value = 0;
      memcpy(&value, raw + i * size_B, size_B);
      a->indices[i] = value;
   }
   return true;
}

static bool
may_read_indices(const struct amd_pipeline *p)
{
   const struct amd_draw *draw = p->draw;
   unsigned size_B = p->state.geometry.index_size_B;
   struct sim_va bad, first = sim_va_add(draw->index_va, (int64_t)draw->first_index_el * size_B);
   if (!size_B)
      return sim_fault_set(p->gpu->fault, SIM_FAULT_STATE, sim_va(0), "VGT_INDEX_TYPE is reserved");
   uint64_t readable_B = (uint64_t)MIN2(draw->count_el, draw->max_indices_el) * size_B;
   uint64_t tag = amd_order_check(p->gpu->caches, p->gpu->slot, AMD_ENGINE_ME, first, readable_B, &bad);
   return !tag || amd_order_fault(p->gpu->caches, tag, bad, "index read", p->gpu->fault);
}

static void
start_instance(struct amd_assembler *a, uint32_t instance)
{
   a->instance = instance;
   a->next = 0;
   a->seen = 0;
   a->flipped = false;
   a->starts = true;
   a->prim_id = 0;
}

static bool
is_full(const struct amd_assembler *a)
{
   return a->prims->size_B >= a->batch_B;
}

/* Until the batch is full or the instance ends. False after a fault. */
static bool
assemble_instance(struct amd_assembler *a)
{
   const struct amd_geometry_state *g = &a->p->state.geometry;
   const struct amd_draw *draw = a->p->draw;
   bool indexed = draw->indexed;
   for (; a->next < draw->count_el && !is_full(a); a->next++) {
      uint32_t i = a->next;
      if (indexed && i - a->first >= a->count && !read_indices(a, i))
         return false;
      uint32_t index = indexed ? a->indices[i - a->first] : i;
      if (indexed && g->restart && index == g->restart_index)
         ge_end_primitive(a);
      else
         ge_add_vertex(a, index);
   }
   if (a->next < draw->count_el)
      return true;
   ge_end_primitive(a);
   if (*a->p->gpu->stats_on) {
      a->p->gpu->counters->stats[AMD_STAT_IA_VERTICES] += draw->count_el;
      a->p->gpu->counters->stats[AMD_STAT_IA_PRIMITIVES] += a->prim_id;
   }
   start_instance(a, a->instance + 1);
   return true;
}

static uint32_t
prim_vertices(const struct amd_pipeline *p)
{
   unsigned type = p->state.geometry.prim_type;
   bool adjacent = type >= V_DI_PT_LINELIST_ADJ && type <= V_DI_PT_TRISTRIP_ADJ && p->state.geometry.adjacency;
   return p->state.tess.enabled ? p->state.tess.in_vertices : amd_prim_vertices(p->kind) * (adjacent ? 2 : 1);
}

/* Vertices that are named again and again, and instances of nothing, make no waves but take their time. */
static bool
may_assemble(const struct amd_pipeline *p)
{
   const uint64_t instances = p->draw->instances, waves = instances * p->draw->count_el / 64 + instances / 64;
   return amd_wave_engine_take(p->gpu->engine, waves, "vertices to assemble, the work of", sim_va(0), p->gpu->fault);
}

bool
amd_ge_start(struct amd_pipeline *p)
{
   struct amd_draw_memory *m = p->memory;
   const bool tess = p->state.tess.enabled;
   if (!kind_of(p) || !may_assemble(p))
      return false;
   if (p->draw->indexed && !may_read_indices(p))
      return false;
   if (!m->assembler)
      m->assembler = need_calloc("draws", 1, sizeof(*m->assembler));
   struct amd_assembler *a = m->assembler;
   a->p = p;
   a->vertices = tess ? &m->patch_vertices_in : &m->vertices_in;
   a->prims = tess ? &m->patch_prims_in : &m->prims_in;
   a->corners = tess ? &m->patch_corners : &m->corners;
   a->prim_vertices = prim_vertices(p);
   p->prim_in_vertices = tess ? amd_tess_prim_vertices(p->state.tess.config.topology) : a->prim_vertices;
   a->batch_B = batch_prims(p) * sizeof(struct amd_prim_in);
   a->first = a->count = 0;
   start_instance(a, 0);
   return true;
}

bool
amd_ge_next(struct amd_pipeline *p, bool *ok)
{
   struct amd_assembler *a = p->memory->assembler;
   a->vertices->size_B = a->prims->size_B = a->corners->size_B = 0;
   a->batch++; /* vertices of the last one are not used again */
   p->patches = (struct amd_patches){0};
   while (*ok && a->instance < p->draw->instances && !is_full(a))
      *ok = assemble_instance(a);
   return *ok && a->prims->size_B;
}
