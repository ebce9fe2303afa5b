/* What the last vertex stage exports, as the vertices that primitive assembly takes. */
#include <string.h>

#include "amd/sim/spi/spi_private.h"

enum {
   TARGET_POS0 = 12,
   TARGET_POS4 = 16,
   TARGET_PARAM0 = 32,
};

uint32_t
amd_spi_add_vertices(struct amd_pipeline *p, uint32_t count)
{
   struct dynarray *data = &p->memory->vertex_data;
   size_t vertex_B = (size_t)p->vertex_floats * 4;
   uint32_t first = (uint32_t)(data->size_B / vertex_B);
   if (count)
      memset(dynarray_grow(data, count * vertex_B), 0, count * vertex_B);
   return first;
}

/* Where in the vertex an export target goes, or -1: position vectors beyond the first are packed densely. */
static int
export_place(const struct amd_pipeline *p, unsigned target)
{
   const struct amd_geometry_state *g = &p->state.geometry;
   if (target >= TARGET_PARAM0)
      return target - TARGET_PARAM0 < g->param_count ? (int)(AMD_VERTEX_PARAM + 4 * (target - TARGET_PARAM0)) : -1;
   if (target < TARGET_POS0 || target > TARGET_POS4)
      return -1;
   unsigned n = target - TARGET_POS0;
   if (!n)
      return AMD_VERTEX_POS;
   if (g->misc_vec && !--n)
      return AMD_VERTEX_MISC;
   if (g->ccdist0 && n && !--n)
      return AMD_VERTEX_DIST;
   if (g->ccdist1 && n && !--n)
      return AMD_VERTEX_DIST + 4;
   return -1;
}

void
amd_spi_store_export(struct amd_pipeline *p, const struct amd_wave_export *export, uint32_t first)
{
   int place = export_place(p, export->target);
   if (place < 0)
      return;
   float *data = (float *)p->memory->vertex_data.data + (size_t)first * p->vertex_floats + (unsigned)place;
   for (uint64_t lanes = export->exec; lanes; lanes &= lanes - 1) {
      unsigned lane = (unsigned)__builtin_ctzll(lanes);
      for (unsigned c = 0; c < 4; c++) {
         if (export->en >> c & 1)
            memcpy(&data[(size_t)lane * p->vertex_floats + c], &export->value[c][lane], 4);
      }
   }
}
