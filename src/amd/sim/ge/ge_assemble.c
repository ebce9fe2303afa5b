/* Vertex reuse, and primitive assembly by topology. */
#include <assert.h>

#include "amd/hw/registers.h"
#include "amd/sim/ge/ge_private.h"
#include "util/macros.h"

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

void
ge_end_primitive(struct amd_assembler *a)
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

void
ge_add_vertex(struct amd_assembler *a, uint32_t index)
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
