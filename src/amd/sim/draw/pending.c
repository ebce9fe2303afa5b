/* Draws whose newest pixel waves continue while the command processor and later draws do. Their waves share rounds
 * (wave_overlap.c); DB and CB take what they export draw by draw. */
#include <string.h>

#include "amd/sim/draw/draw_private.h"
#include "sim/waves/race.h"

void
amd_draw_begin_races(struct amd_pipeline *p)
{
   struct sim_races *races = p->gpu->races;
   if (!races || p->in_races)
      return;
   sim_races_begin_draw(races, p->packet.number, p->done);
   if (amd_wave_overlaps(p->gpu->engine))
      sim_races_name_draw(races, p->index);
   p->in_races = true;
}

void
amd_draw_end_races(struct amd_pipeline *p)
{
   if (p->in_races)
      sim_races_end_draw(p->gpu->races);
}

bool
amd_draw_add_launch(struct amd_pipeline *p)
{
   struct amd_draw_memory *m = p->memory;
   struct amd_draw_common *common = m->common;
   if (!amd_wave_add(p->gpu->engine, &m->wave_launch, p->gpu->fault))
      return false;
   common->pending[common->pending_count++] = m;
   m->pending = true;
   return true;
}

/* The oldest one's waves, until they have ended or the rounds are over. */
static bool
run_oldest(struct amd_gpu *gpu, struct amd_draw_common *common, uint64_t *rounds)
{
   struct amd_draw_memory *m = common->pending[0];
   struct amd_pipeline *p = m->pipeline;
   bool ended;
   amd_draw_begin_races(p);
   if (!amd_wave_continue(gpu->engine, rounds, &ended, gpu->fault))
      return false;
   if (!ended)
      return true;
   common->pending_count--;
   memmove(common->pending, common->pending + 1, common->pending_count * sizeof(common->pending[0]));
   m->pending = false;
   amd_draw_commit(p);
   if (!m->is_last)
      return true;
   bool ok = amd_draw_end(p);
   amd_draw_end_races(p);
   return ok;
}

bool
amd_draw_wait_launch(struct amd_gpu *gpu, struct amd_draw_memory *memory)
{
   uint64_t rounds = UINT64_MAX;
   while (memory->pending)
      if (!run_oldest(gpu, memory->common, &rounds))
         return false;
   return true;
}

bool
amd_draws_continue(struct amd_gpu *gpu)
{
   struct amd_draw_common *common = *gpu->draw_memory ? (*gpu->draw_memory)->common : NULL;
   uint64_t rounds = common && common->pending_count ? amd_wave_lead(gpu->engine) : 0;
   while (rounds && common->pending_count)
      if (!run_oldest(gpu, common, &rounds))
         return false;
   return true;
}

bool
amd_draws_wait(struct amd_gpu *gpu)
{
   struct amd_draw_common *common = *gpu->draw_memory ? (*gpu->draw_memory)->common : NULL;
   while (common && common->pending_count)
      if (!amd_draw_wait_launch(gpu, common->pending[0]))
         return false;
   return true;
}

void
amd_draws_forget(struct amd_draw_memory *memory, struct amd_wave_engine *engine)
{
   struct amd_draw_common *common = memory ? memory->common : NULL;
   for (unsigned i = 0; common && i < common->pending_count; i++) {
      struct amd_draw_memory *m = common->pending[i];
      for (unsigned k = 0; k < AMD_DRAW_SURFACES; k++)
         if (m->notes[k].size_B)
            memset(m->notes[k].data, 0, m->notes[k].size_B);
      if (m->opened_tiles.size_B)
         memset(m->opened_tiles.data, 0, m->opened_tiles.size_B);
      m->pending = false;
   }
   if (common)
      common->pending_count = 0;
   amd_wave_forget(engine);
}
