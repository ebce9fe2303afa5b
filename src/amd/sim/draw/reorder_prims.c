/* Primitives in the order in which they are rasterised (reorder.h). */
#include "amd/sim/draw/draw_private.h"

/* Where the polygons of each primitive begin: those of one stay together. */
static uint32_t
find_starts(const struct dynarray *prims, struct dynarray *starts)
{
   const uint32_t count = (uint32_t)dynarray_count(prims, struct amd_prim);
   starts->size_B = 0;
   for (uint32_t i = 0; i < count; i++)
      if (!i || dynarray_at(prims, struct amd_prim, i)->source != dynarray_at(prims, struct amd_prim, i - 1)->source)
         dynarray_append(starts, uint32_t, i);
   const uint32_t found = (uint32_t)dynarray_count(starts, uint32_t);
   dynarray_append(starts, uint32_t, count);
   return found;
}

void
amd_reorder_prims(struct amd_pipeline *p)
{
   enum { DRAW_BATCHES_LOG2 = 16 };
   struct amd_draw_memory *m = p->memory;
   const uint32_t count = p->reorder_window > 1 ? find_starts(&m->prims, &m->prim_starts) : 0;
   if (count < 2)
      return;
   const uint32_t *starts = m->prim_starts.data;
   const struct amd_prim *prims = m->prims.data;
   m->prim_order.size_B = m->other_prims.size_B = 0;
   uint32_t *order = dynarray_grow(&m->prim_order, count * sizeof(*order));
   struct amd_prim *out = dynarray_grow(&m->other_prims, m->prims.size_B);
   amd_reorder_choose(&p->gpu->reorder.schedule, (p->gpu->reorder.draw << DRAW_BATCHES_LOG2) + p->batches++,
                      p->reorder_window, count, order);
   for (uint32_t i = 0; i < count; i++)
      for (uint32_t from = starts[order[i]]; from < starts[order[i] + 1]; from++)
         *out++ = prims[from];
   const struct dynarray old = m->prims;
   m->prims = m->other_prims;
   m->other_prims = old;
}
