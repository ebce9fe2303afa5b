/* Geometry engine: index fetch, vertex reuse, primitive assembly with restart. */
#include <assert.h>
#include <stdlib.h>
#include <string.h>

#include "amd/hw/registers.h"
#include "amd/sim/cache/order.h"
#include "amd/sim/ge/ge.h"
#include "util/macros.h"
#include "util/within_memory.h"

enum { REUSE_SLOTS = 4096, INDICES = 4096 };

struct amd_assembler {
   struct amd_pipeline *p;
   struct dynarray *vertices, *prims, *corners; /* of the batch: memory->vertices_in, or patch_vertices_in, ... */
   uint32_t prim_vertices;                      /* of a primitive of the batch */
   size_t batch_B;                              /* of primitives that fill a batch */
   uint32_t instance, prim_id;
   uint32_t next; /* index of the instance that is read next */
   /* Direct-mapped: which batch vertex an index of an instance became, of the batch with that number. */
   struct {
      uint64_t batch;
      uint32_t index, instance, vertex;
   } reuse[REUSE_SLOTS];
   uint64_t batch; /* never 0 */
   /* The running strip, fan, loop, quad, polygon or patch. */
   uint32_t history[AMD_PRIM_IN_VERTICES];
   unsigned seen;
   bool flipped, starts; /* the next primitive: turned around; the first of its strip */
   /* Those of the draw's indices that were read last, as 32 bits. */
   uint32_t indices[INDICES];
   uint32_t first, count;
};

/* The batch vertex of an index. */
static uint32_t
vertex_of(struct amd_assembler *a, uint32_t index)
{
   const struct amd_geometry_state *g = &a->p->state.geometry;
   struct dynarray *in = a->vertices;
   unsigned slot = index % REUSE_SLOTS;
   if (!g->primitive_id && a->reuse[slot].batch == a->batch && a->reuse[slot].index == index &&
       a->reuse[slot].instance == a->instance)
      return a->reuse[slot].vertex;
   uint32_t vertex = (uint32_t)dynarray_count(in, struct amd_vertex_in);
   uint32_t value = index + g->index_offset;
   value = MAX2(value, g->min_index);
   value = MIN2(value, g->max_index);
   const struct amd_vertex_in item = {.index = value, .instance = a->instance, .prim_id = a->prim_id};
   dynarray_append(in, struct amd_vertex_in, item);
   a->reuse[slot].batch = a->batch;
   a->reuse[slot].index = index;
   a->reuse[slot].instance = a->instance;
   a->reuse[slot].vertex = vertex;
   return vertex;
}

/* As many primitives as make about as many as a batch has. */
static uint32_t
batch_prims(const struct amd_pipeline *p)
{
   const struct amd_ngg_state *n = &p->state.ngg;
   bool amplifies = p->state.geometry.path != AMD_VERTEX_PATH_VS && n->gs && !p->state.tess.enabled;
   uint32_t most = MAX2((uint32_t)n->amplification, n->max_vert_out) * MAX2(n->instances, 1u);
   return amplifies ? MAX2(AMD_BATCH_PRIMS / MAX2(most, 1), 16) : AMD_BATCH_PRIMS;
}

/* prim_vertices indices in the order that keeps the winding, the provoking vertex first or last as the draw says. */
static void
emit_part(struct amd_assembler *a, const uint32_t *indices, uint8_t edges)
{
   const struct amd_prim_in prim = {.prim_id = a->prim_id, .edges = edges, .starts = a->starts};
   a->starts = false;
   for (unsigned i = 0; i < a->prim_vertices; i++) {
      uint32_t vertex = vertex_of(a, indices[i]);
      dynarray_append(a->corners, uint32_t, vertex);
   }
   dynarray_append(a->prims, struct amd_prim_in, prim);
}

static void
emit(struct amd_assembler *a, const uint32_t *indices)
{
   /* Outlines of triangles start anew, in strips too. */
   a->starts |= a->p->kind == AMD_PRIM_TRIANGLE;
   emit_part(a, indices, AMD_ALL_EDGES);
   a->prim_id++;
}

/* A quad around its corners, the provoking one first or last: two triangles, which both have that one. The edge
 * between them is none of the outline. The two have one number (assumed). */
static void
emit_quad(struct amd_assembler *a, const uint32_t v[4])
{
   a->starts = true;
   if (a->p->state.clip.provoking_last) {
      emit_part(a, (const uint32_t[3]){v[0], v[1], v[3]}, 1 << 0 | 1 << 2);
      emit_part(a, (const uint32_t[3]){v[1], v[2], v[3]}, 1 << 0 | 1 << 1);
   } else {
      emit_part(a, (const uint32_t[3]){v[0], v[1], v[2]}, 1 << 0 | 1 << 1);
      emit_part(a, (const uint32_t[3]){v[0], v[2], v[3]}, 1 << 1 | 1 << 2);
   }
   a->prim_id++;
}

static void
quad_vertex(struct amd_assembler *a, uint32_t index)
{
   a->history[a->seen++] = index;
   if (a->seen < 4)
      return;
   a->seen = 0;
   emit_quad(a, a->history);
}

static void
quad_strip_vertex(struct amd_assembler *a, uint32_t index)
{
   const uint32_t *v = a->history;
   a->history[a->seen++] = index;
   if (a->seen < 4)
      return;
   emit_quad(a, a->p->state.clip.provoking_last ? (const uint32_t[4]){v[2], v[0], v[1], v[3]}
                                                : (const uint32_t[4]){v[0], v[1], v[3], v[2]});
   a->history[0] = v[2];
   a->history[1] = v[3];
   a->seen = 2;
}

/* A polygon's triangles wait until it is known whether another follows: the last one has the edge that closes it. The
 * first vertex provokes all of them, either way. */
static void
polygon_part(struct amd_assembler *a, bool closes)
{
   bool opens = a->seen == 3, last = a->p->state.clip.provoking_last;
   const uint32_t *v = a->history;
   a->starts = opens;
   uint8_t edges = (uint8_t)(opens << 0 | 1 << 1 | closes << 2); /* of (0, 1, 2) */
   if (last)                                                     /* (1, 2, 0) */
      edges = (uint8_t)(edges >> 1 | (edges & 1) << 2);
   emit_part(a, last ? (const uint32_t[3]){v[1], v[2], v[0]} : v, edges);
}

static void
polygon_vertex(struct amd_assembler *a, uint32_t index)
{
   if (a->seen < 3) {
      a->history[a->seen++] = index;
      return;
   }
   polygon_part(a, false);
   a->history[1] = a->history[2];
   a->history[2] = index;
   a->seen = 4;
}

static void
strip_vertex(struct amd_assembler *a, uint32_t index, bool fan)
{
   bool last = a->p->state.clip.provoking_last;
   if (a->seen < 2) {
      a->history[a->seen++] = index;
      return;
   }
   if (fan) {
      /* Vulkan's fan: the provoking vertex is the middle one (first) or the newest. */
      emit(a, last ? (const uint32_t[3]){a->history[0], a->history[1], index}
                   : (const uint32_t[3]){a->history[1], index, a->history[0]});
   } else if (!a->flipped) {
      emit(a, (const uint32_t[3]){a->history[0], a->history[1], index});
   } else {
      emit(a, last ? (const uint32_t[3]){a->history[1], a->history[0], index}
                   : (const uint32_t[3]){a->history[0], index, a->history[1]});
   }
   a->flipped = !a->flipped;
   if (!fan)
      a->history[0] = a->history[1];
   a->history[1] = index;
}

static void
list_vertex(struct amd_assembler *a, uint32_t index)
{
   a->history[a->seen++] = index;
   if (a->seen < a->prim_vertices)
      return;
   a->seen = 0;
   emit(a, a->history);
}

static void
line_strip_vertex(struct amd_assembler *a, uint32_t index)
{
   if (a->seen++)
      emit(a, (const uint32_t[2]){a->history[0], index});
   a->history[0] = index;
}

static void
line_loop_vertex(struct amd_assembler *a, uint32_t index)
{
   if (a->seen)
      emit(a, (const uint32_t[2]){a->history[1], index});
   else
      a->history[0] = index;
   a->history[1] = index;
   a->seen = MIN2(a->seen + 1, 2u);
}

/* A primitive and its neighbours: v holds them in the order of a list with adjacency. Without a geometry shader the
 * neighbours do not count. */
static void
emit_adjacent(struct amd_assembler *a, const uint32_t *v, bool line)
{
   if (a->p->state.geometry.adjacency)
      emit(a, v);
   else
      emit(a, line ? (const uint32_t[3]){v[1], v[2]} : (const uint32_t[3]){v[0], v[2], v[4]});
}

static void
list_adjacent_vertex(struct amd_assembler *a, uint32_t index, bool line)
{
   a->history[a->seen++] = index;
   if (a->seen < (line ? 4u : 6u))
      return;
   a->seen = 0;
   emit_adjacent(a, a->history, line);
}

static void
line_strip_adjacent_vertex(struct amd_assembler *a, uint32_t index)
{
   a->history[a->seen++] = index;
   if (a->seen < 4)
      return;
   emit_adjacent(a, a->history, true);
   memmove(a->history, a->history + 1, 3 * sizeof(a->history[0]));
   a->seen = 3;
}

static uint32_t
strip_history(const struct amd_assembler *a, unsigned number)
{
   return a->history[number % AMD_PRIM_IN_VERTICES];
}

/* Triangle i of a strip with adjacency has vertices 2i, 2i + 2, 2i + 4; every other one is turned, and keeps its
 * provoking vertex. Source: Vulkan, "Triangle Strips With Adjacency". On GFX9 geometry shaders get them as if that
 * were the first one (observed: Mesa's comment where it turns them back, and which tests of piglit fail on hardware
 * since it no longer does: docs/conformance.md). */
static void
emit_strip_adjacent(struct amd_assembler *a, unsigned i, bool is_last)
{
   bool by_first = a->p->state.geometry.adjacency && a->p->gpu->model->traits->adjacency_by_first;
   uint32_t v[3], before = strip_history(a, i ? 2 * i - 2 : 1), outer = strip_history(a, 2 * i + 3);
   uint32_t next = strip_history(a, 2 * i + (is_last ? 5 : 6));
   for (unsigned k = 0; k < 3; k++)
      v[k] = strip_history(a, 2 * (i + k));
   if (i % 2 == 0)
      emit_adjacent(a, (const uint32_t[6]){v[0], before, v[1], next, v[2], outer}, false);
   else if (a->p->state.clip.provoking_last && !by_first)
      emit_adjacent(a, (const uint32_t[6]){v[1], before, v[0], outer, v[2], next}, false);
   else
      emit_adjacent(a, (const uint32_t[6]){v[0], outer, v[2], next, v[1], before}, false);
}

/* The neighbour of a triangle's newest edge comes with the triangle after it. */
static void
strip_adjacent_vertex(struct amd_assembler *a, uint32_t index)
{
   a->history[a->seen++ % AMD_PRIM_IN_VERTICES] = index;
   if (a->seen >= 8 && a->seen % 2 == 0)
      emit_strip_adjacent(a, (a->seen - 8) / 2, false);
}

/* A strip, loop or polygon ends, by the restart index or with its instance. */
static void
end_primitive(struct amd_assembler *a)
{
   unsigned type = a->p->state.geometry.prim_type;
   if (type == V_DI_PT_LINELOOP && a->seen > 1)
      emit(a, (const uint32_t[2]){a->history[1], a->history[0]});
   if (type == V_DI_PT_POLYGON && a->seen > 2) {
      polygon_part(a, true);
      a->prim_id++;
   }
   if (type == V_DI_PT_TRISTRIP_ADJ && a->seen >= 6)
      emit_strip_adjacent(a, (a->seen - 6) / 2, true);
   a->seen = 0;
   a->flipped = false;
   a->starts = true;
}

static void
add_vertex(struct amd_assembler *a, uint32_t index)
{
   switch (a->p->state.geometry.prim_type) {
   case V_DI_PT_POINTLIST:
   case V_DI_PT_LINELIST:
   case V_DI_PT_TRILIST:
   case V_DI_PT_RECTLIST:
   case V_DI_PT_PATCH:
      list_vertex(a, index);
      return;
   case V_DI_PT_LINESTRIP:
      line_strip_vertex(a, index);
      return;
   case V_DI_PT_LINELIST_ADJ:
   case V_DI_PT_TRILIST_ADJ:
      list_adjacent_vertex(a, index, a->p->state.geometry.prim_type == V_DI_PT_LINELIST_ADJ);
      return;
   case V_DI_PT_LINESTRIP_ADJ:
      line_strip_adjacent_vertex(a, index);
      return;
   case V_DI_PT_TRISTRIP_ADJ:
      strip_adjacent_vertex(a, index);
      return;
   case V_DI_PT_TRISTRIP:
      strip_vertex(a, index, false);
      return;
   case V_DI_PT_TRIFAN:
      strip_vertex(a, index, true);
      return;
   case V_DI_PT_LINELOOP:
      line_loop_vertex(a, index);
      return;
   case V_DI_PT_QUADLIST:
      quad_vertex(a, index);
      return;
   case V_DI_PT_QUADSTRIP:
      quad_strip_vertex(a, index);
      return;
   case V_DI_PT_POLYGON:
      polygon_vertex(a, index);
      return;
   }
   assert(!"refused by kind_of()");
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
         end_primitive(a);
      else
         add_vertex(a, index);
   }
   if (a->next < draw->count_el)
      return true;
   end_primitive(a);
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
