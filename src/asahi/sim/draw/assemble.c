/* Index fetch, vertex reuse, primitive assembly with restart. */
#include <string.h>

#include "asahi/sim/draw/draw_private.h"
#include "util/macros.h"
#include "util/within_memory.h"

enum { REUSE_SLOTS = 4096, REUSE_EMPTY = 0xffffffffu, INDICES = 4096 };

struct agx_assembler {
   struct agx_render *render;
   uint32_t instance, prim_id;
   uint32_t next; /* index of the instance that is read next */
   /* Direct-mapped: which vertex of the batch an index became, within the instance. */
   struct {
      uint32_t index, vertex;
   } reuse[REUSE_SLOTS];
   /* The running primitive, strip or fan. */
   uint32_t history[4], first_vertex;
   unsigned seen;
   bool flipped;
   /* Those of the draw's indices that were read last, as 32 bits. */
   uint32_t indices[INDICES];
   uint32_t first, count;
};

static void
forget_vertices(struct agx_assembler *a)
{
   for (unsigned i = 0; i < REUSE_SLOTS; i++)
      a->reuse[i].vertex = REUSE_EMPTY;
}

static uint32_t
vertex_of(struct agx_assembler *a, uint32_t index)
{
   struct dynarray *in = &a->render->vertices_in;
   unsigned slot = index % REUSE_SLOTS;
   if (a->reuse[slot].vertex != REUSE_EMPTY && a->reuse[slot].index == index)
      return a->reuse[slot].vertex;
   uint32_t vertex = (uint32_t)dynarray_count(in, struct agx_vertex_in);
   const struct agx_vertex_in item = {.index = index + a->render->draw->start, .instance = a->instance};
   dynarray_append(in, struct agx_vertex_in, item);
   a->reuse[slot].index = index;
   a->reuse[slot].vertex = vertex;
   return vertex;
}

/* A primitive of `count` vertices, in the order of the API. */
static void
emit(struct agx_assembler *a, uint32_t i0, uint32_t i1, uint32_t i2, unsigned count, bool flipped)
{
   struct agx_render *render = a->render;
   struct agx_prim_in prim = {.number = a->prim_id++, .last = (uint8_t)(count - 1), .flipped = flipped};
   prim.vertex[0] = vertex_of(a, i0);
   prim.vertex[1] = count > 1 ? vertex_of(a, i1) : prim.vertex[0];
   prim.vertex[2] = count > 2 ? vertex_of(a, i2) : prim.vertex[1];
   dynarray_append(&render->prims_in, struct agx_prim_in, prim);
}

static void
strip_vertex(struct agx_assembler *a, uint32_t index)
{
   uint32_t *h = a->history;
   if (a->seen < 2) {
      h[a->seen++] = index;
      return;
   }
   emit(a, h[0], h[1], index, 3, a->flipped);
   a->flipped = !a->flipped;
   h[0] = h[1];
   h[1] = index;
}

static void
fan_vertex(struct agx_assembler *a, uint32_t index)
{
   uint32_t *h = a->history;
   if (a->seen < 2) {
      h[a->seen++] = index;
      return;
   }
   emit(a, h[0], h[1], index, 3, false);
   h[1] = index;
}

static void
list_vertex(struct agx_assembler *a, uint32_t index, unsigned count)
{
   uint32_t *h = a->history;
   h[a->seen++] = index;
   if (a->seen < count)
      return;
   a->seen = 0;
   if (count < 4) {
      emit(a, h[0], h[1], h[2], count, false);
      return;
   }
   emit(a, h[0], h[1], h[3], 3, false);
   a->prim_id--; /* one primitive to the program */
   emit(a, h[1], h[2], h[3], 3, false);
}

static void
quad_strip_vertex(struct agx_assembler *a, uint32_t index)
{
   uint32_t *h = a->history;
   h[a->seen++] = index;
   if (a->seen < 4)
      return;
   emit(a, h[0], h[1], h[3], 3, false);
   a->prim_id--;
   emit(a, h[2], h[0], h[3], 3, false);
   h[0] = h[2];
   h[1] = h[3];
   a->seen = 2;
}

static void
line_strip_vertex(struct agx_assembler *a, uint32_t index)
{
   if (a->seen++)
      emit(a, a->history[0], index, 0, 2, false);
   else
      a->first_vertex = index;
   a->history[0] = index;
}

/* A loop's last line, where it ends. */
static void
end_strip(struct agx_assembler *a)
{
   if (a->render->draw->primitive == AGX_PRIMITIVE_LINE_LOOP && a->seen > 1)
      emit(a, a->history[0], a->first_vertex, 0, 2, false);
   a->seen = 0;
   a->flipped = false;
}

static void
add_vertex(struct agx_assembler *a, uint32_t index)
{
   switch (a->render->draw->primitive) {
   case AGX_PRIMITIVE_POINTS:
      emit(a, index, 0, 0, 1, false);
      break;
   case AGX_PRIMITIVE_LINES:
      list_vertex(a, index, 2);
      break;
   case AGX_PRIMITIVE_LINE_STRIP:
   case AGX_PRIMITIVE_LINE_LOOP:
      line_strip_vertex(a, index);
      break;
   case AGX_PRIMITIVE_TRIANGLES:
      list_vertex(a, index, 3);
      break;
   case AGX_PRIMITIVE_TRIANGLE_STRIP:
      strip_vertex(a, index);
      break;
   case AGX_PRIMITIVE_TRIANGLE_FAN:
      fan_vertex(a, index);
      break;
   case AGX_PRIMITIVE_QUADS:
      list_vertex(a, index, 4);
      break;
   case AGX_PRIMITIVE_QUAD_STRIP:
      quad_strip_vertex(a, index);
      break;
   }
}

static enum agx_prim_kind
kind_of(enum agx_primitive primitive)
{
   switch (primitive) {
   case AGX_PRIMITIVE_POINTS:
      return AGX_PRIM_POINT;
   case AGX_PRIMITIVE_LINES:
   case AGX_PRIMITIVE_LINE_STRIP:
   case AGX_PRIMITIVE_LINE_LOOP:
      return AGX_PRIM_LINE;
   case AGX_PRIMITIVE_TRIANGLES:
   case AGX_PRIMITIVE_TRIANGLE_STRIP:
   case AGX_PRIMITIVE_TRIANGLE_FAN:
   case AGX_PRIMITIVE_QUADS:
   case AGX_PRIMITIVE_QUAD_STRIP:
      break;
   }
   return AGX_PRIM_TRIANGLE;
}

/* Reads so many indices from number `first` on, which the buffer has. */
static bool
load_indices(struct agx_assembler *a, uint64_t first, uint32_t count, void *raw)
{
   const struct agx_draw *draw = a->render->draw;
   unsigned size_B = draw->index_size_B;
   struct sim_va va = sim_va_add(draw->indices, (int64_t)first * size_B), bad;
   if (count && !sim_vm_read(a->render->gpu->vm, va, raw, (uint64_t)count * size_B, &bad))
      return sim_fault_set(a->render->gpu->fault, SIM_FAULT_ADDRESS, bad,
                           "draw %u of the render: index buffer at unmapped address 0x%010lx", draw->number,
                           (unsigned long)bad.va);
   return true;
}

/* Reads the draw's indices from number `first` on. Those beyond the buffer are its last one
 * (docs/drivers/asahi/model.md), or 0 if it has none. */
static bool
read_indices(struct agx_assembler *a, uint32_t first)
{
   const struct agx_draw *draw = a->render->draw;
   unsigned size_B = draw->index_size_B;
   uint64_t in_buffer = draw->index_buffer_end_B / size_B;
   uint32_t left = first < in_buffer ? (uint32_t)MIN2(in_buffer - first, UINT32_MAX) : 0, last = 0;
   a->first = first;
   a->count = MIN2(draw->count - first, INDICES);
   uint32_t readable = MIN2(a->count, left);
   uint8_t *raw = (uint8_t *)(a->indices + readable) - readable * size_B;
   if ((readable < a->count && in_buffer && !load_indices(a, in_buffer - 1, 1, &last)) ||
       !load_indices(a, first, readable, raw))
      return false;
   for (uint32_t i = readable; i < a->count; i++)
      a->indices[i] = last;
   /* Widening in place: the source lies at the end, and is read before it is overwritten. */
   for (uint32_t i = 0; i < readable; i++) {
      uint32_t value = 0;
      memcpy(&value, raw + i * size_B, size_B);
      a->indices[i] = value;
   }
   return true;
}

static bool
is_full(const struct agx_assembler *a)
{
   return a->render->prims_in.size_B >= AGX_BATCH_PRIMS * sizeof(struct agx_prim_in);
}

/* Until the batch is full or the instance ends. False after a fault. */
static bool
assemble_instance(struct agx_assembler *a)
{
   const struct agx_draw *draw = a->render->draw;
   uint32_t restart = a->render->state->restart_index.value;
   for (; a->next < draw->count && !is_full(a); a->next++) {
      uint32_t i = a->next;
      if (draw->indexed && i - a->first >= a->count && !read_indices(a, i))
         return false;
      uint32_t index = draw->indexed ? a->indices[i - a->first] : i;
      if (draw->restart && draw->indexed && index == restart)
         end_strip(a);
      else
         add_vertex(a, index);
   }
   if (a->next < draw->count)
      return true;
   end_strip(a);
   a->instance++;
   a->next = a->prim_id = 0;
   if (a->instance < draw->instances)
      forget_vertices(a);
   return true;
}

struct agx_assembler *
agx_assembler_create(struct agx_render *render)
{
   struct agx_assembler *a = need_calloc("a draw", 1, sizeof(*a));
   a->render = render;
   render->kind = kind_of(render->draw->primitive);
   return a;
}

bool
agx_assemble(struct agx_assembler *a, bool *ok)
{
   struct agx_render *render = a->render;
   render->prims_in.size_B = render->vertices_in.size_B = 0;
   if (a->instance == render->draw->instances)
      return false;
   forget_vertices(a);
   while (*ok && a->instance < render->draw->instances && !is_full(a))
      *ok = assemble_instance(a);
   return *ok && render->prims_in.size_B;
}
