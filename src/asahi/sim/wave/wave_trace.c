#include "asahi/sim/wave/wave_trace.h"

#include <stdio.h>

#include "sim/waves/timeline.h"

static void
trace_wave(const struct agx_wave_engine *engine, const struct wave *w, bool ended, uint64_t end)
{
   enum agx_stage stage = engine->bindings ? AGX_STAGE_PREAMBLE : w->program->stage;
   char name[64], draw[24] = "", args[160];
   if (w->launch->draw_count)
      snprintf(draw, sizeof(draw), "\"draw\":%u,", w->draw->number);
   snprintf(name, sizeof(name), "simd group %u", w->base.group->index);
   snprintf(args, sizeof(args), "\"launch\":%u,%s\"group\":%u,\"wave\":%u,\"instructions\":%llu%s",
            engine->timeline->launch, draw, w->base.group->index, w->base.index,
            (unsigned long long)w->base.instructions, ended ? "" : ",\"unfinished\":true");
   sim_timeline_name(engine->timeline, stage, agx_stage_names[stage]);
   sim_timeline_wave(engine->timeline, stage, name, w->start_time, end > w->start_time ? end : w->start_time + 1,
                     args);
}

void
wave_trace_retire(const struct agx_wave_engine *engine, const struct wave *w)
{
   if (engine->timeline && w->base.instructions)
      trace_wave(engine, w, true, w->end_time);
}

/* Those that are still there after a fault, up to the end of the round. */
void
wave_trace_end_launch(const struct agx_wave_engine *engine)
{
   const struct sim_rounds *r = &engine->rounds;
   if (!engine->timeline)
      return;
   for (uint32_t g = r->first; g < r->end; g++) {
      const struct sim_group *group = sim_rounds_group(r, g);
      for (uint32_t i = 0; i < group->wave_count && !group->starting; i++) {
         const struct wave *w = (const struct wave *)sim_group_wave(group, i);
         if (w->base.instructions)
            trace_wave(engine, w, group->done, (r->round + 1) * SIM_ROUND_TIME + SIM_ROUND_TIME - 1);
      }
   }
   sim_timeline_end_launch(engine->timeline);
}
