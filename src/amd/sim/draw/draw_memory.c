/* Buffers of draws: one set of them, or where draws overlap several in turn. */
#include "amd/sim/draw/draw_private.h"

#include <stdlib.h>

#include "util/macros.h"
#include "util/within_memory.h"

static struct amd_draw_memory *
get_memory(struct amd_draw_memory **memory)
{
   if (!*memory)
      *memory = need_calloc("draws", 1, sizeof(**memory));
   return *memory;
}

static struct amd_draw_common *
get_common(struct amd_draw_memory *memory)
{
   if (!memory->common) {
      memory->common = need_calloc("draws", 1, sizeof(*memory->common));
      memory->common->memories[0] = memory;
   }
   return memory->common;
}

struct amd_draw_memory *
amd_draw_memory_take(struct amd_gpu *gpu)
{
   struct amd_draw_common *common = get_common(get_memory(gpu->draw_memory));
   if (amd_wave_overlaps(gpu->engine)) {
      common->newest = (common->newest + 1) % AMD_WAVE_MAX_ADDED;
      *gpu->draw_memory = get_memory(&common->memories[common->newest]);
   }
   struct amd_draw_memory *memory = *gpu->draw_memory;
   memory->common = common;
   if (!memory->pipeline)
      memory->pipeline = need_calloc("a draw", 1, sizeof(*memory->pipeline));
   return memory;
}

static void
free_memory(struct amd_draw_memory *m)
{
   struct dynarray *arrays[] = {&m->vertices_in,   &m->prims_in,          &m->corners,
                                &m->vertex_data,   &m->prims_out,         &m->prims,
                                &m->quads,         &m->touched_bins,      &m->params,
                                &m->wave_params,   &m->patch_vertices_in, &m->patch_prims_in,
                                &m->patch_corners, &m->domain_points,     &m->domain_prims,
                                &m->factors,       &m->exports,           &m->alike,
                                &m->ngg_groups,    &m->ngg_vertices,      &m->ngg_corners,
                                &m->ngg_slots,     &m->pops_waves,        &m->pops_order,
                                &m->pops_place,    &m->other_prims,       &m->prim_starts,
                                &m->prim_order};
   for (unsigned i = 0; i < ARRAY_SIZE(arrays); i++)
      dynarray_free(arrays[i]);
   amd_targets_forget(&m->targets);
   dynarray_free(&m->blocks);
   dynarray_free(&m->opened_tiles);
   dynarray_free(&m->targets.copies);
   for (unsigned i = 0; i < AMD_STREAMS; i++) {
      dynarray_free(&m->gs_vertices[i]);
      dynarray_free(&m->gs_corners[i]);
   }
   dynarray_free(&m->vs_list);
   for (unsigned i = 0; i < ARRAY_SIZE(m->notes); i++)
      dynarray_free(&m->notes[i]);
   for (unsigned i = 0; i < m->setup_count; i++)
      dynarray_free(&m->setup[i]);
   for (unsigned i = 0; i < m->bin_count; i++) {
      dynarray_free(&m->bins[i].prims);
      dynarray_free(&m->bins[i].quads);
      dynarray_free(&m->bins[i].blocks);
      dynarray_free(&m->bins[i].tiles);
   }
   free(m->setup);
   free(m->bins);
   free(m->assembler);
   free(m->launch);
   free(m->pipeline);
   free(m);
}

void
amd_draw_memory_free(struct amd_draw_memory *memory)
{
   struct amd_draw_common *common = memory ? memory->common : NULL;
   for (unsigned i = 0; common && i < AMD_WAVE_MAX_ADDED; i++)
      if (common->memories[i])
         free_memory(common->memories[i]);
   if (!common)
      free(memory);
   else
      amd_pops_memory_free(&common->pops);
   free(common);
}
