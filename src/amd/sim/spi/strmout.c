/* Stream output by waves of the VS stage: which primitives there is room for, and where. */
#include "amd/sim/spi/spi_private.h"
#include "util/macros.h"

/* All buffers of a stream take a primitive, or none does. */
static uint32_t
fitting(const struct amd_pipeline *p, unsigned stream, uint32_t prims, uint32_t prim_vertices)
{
   const struct amd_strmout_state *s = &p->state.strmout;
   const uint32_t *filled_dw = p->gpu->counters->strmout_filled_dw;
   if (!s->buffers[stream])
      return 0;
   for (unsigned i = 0; i < AMD_STRMOUT_BUFFERS; i++) {
      uint32_t left_dw = s->size_dw[i] > filled_dw[i] ? s->size_dw[i] - filled_dw[i] : 0;
      uint32_t prim_dw = s->stride_dw[i] * prim_vertices;
      if (s->buffers[stream] >> i & 1 && prim_dw)
         prims = MIN2(prims, left_dw / prim_dw);
   }
   return prims;
}

bool
amd_strmout_begin(struct amd_pipeline *p, unsigned stream, uint32_t prims, uint32_t prim_vertices,
                  struct amd_strmout_run *run)
{
   const struct amd_strmout_state *s = &p->state.strmout;
   struct amd_counters *counters = p->gpu->counters;
   bool enabled = s->streams >> stream & 1;
   *run = (struct amd_strmout_run){.stream = stream};
   if (enabled || s->count_needed)
      counters->prims_needed[stream] += prims;
   if (!enabled)
      return false;
   uint32_t written = fitting(p, stream, prims, prim_vertices), vertices = written * prim_vertices;
   counters->prims_written[stream] += written;
   run->vertices = vertices;
   run->first_vertex = p->strmout_vertices[stream];
   for (unsigned i = 0; i < AMD_STRMOUT_BUFFERS; i++) {
      if (!(s->buffers[stream] >> i & 1))
         continue;
      /* Programs add the index times the stride. */
      run->offset_dw[i] = counters->strmout_filled_dw[i] - run->first_vertex * s->stride_dw[i];
      counters->strmout_filled_dw[i] += vertices * s->stride_dw[i];
   }
   p->strmout_vertices[stream] += vertices;
   return true;
}

/* Vertices 22:16 that the wave may write, stream 25:24. */
uint32_t
amd_strmout_config(const struct amd_strmout_run *run, uint32_t first, uint32_t lanes)
{
   uint32_t vertices = run->vertices > first ? MIN2(run->vertices - first, lanes) : 0;
   return vertices << 16 | run->stream << 24;
}
