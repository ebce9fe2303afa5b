/* Finished waves as spans of a timeline (sim/waves/timeline.h): a process for each packer, or stage. */
#include <stdio.h>

#include "amd/sim/wave/wave_private.h"
#include "amd/sim/wave/wave_watch.h"
#include "sim/waves/timeline.h"
#include "sim/waves/trace.h"
#include "util/macros.h"

struct sim_timeline *
wave_trace_create(struct sim_trace *out)
{
   return sim_timeline_create(out, AMD_STAGES + AMD_POPS_MAX_PACKERS);
}

static uint32_t
process_of(struct sim_timeline *t, const struct wave *w)
{
   const struct amd_pops_wave *info = w->pops.info;
   uint32_t process = info ? AMD_STAGES + info->packer : (uint32_t)w->launch->stage;
   char name[48];
   if (info) {
      uint32_t log2 = w->launch->pops->packers.per_se_log2;
      snprintf(name, sizeof(name), "SE %u packer %u", info->packer >> log2, info->packer & ((1u << log2) - 1));
   }
   sim_timeline_name(t, process, info ? name : amd_stage_infos[w->launch->stage].waves);
   return process;
}

/* end: of what has not ended yet. */
static void
trace_wave(struct sim_timeline *t, const struct wave *w, bool ended, uint64_t end)
{
   const struct wave_times *time = &w->times;
   uint32_t process = process_of(t, w);
   char name[64], args[160];
   snprintf(name, sizeof(name), "wave %u", w->base.group->index);
   int used = snprintf(args, sizeof(args), "\"launch\":%u,\"group\":%u,\"wave\":%u,\"instructions\":%llu%s",
                       w->run->traced, w->base.group->index, w->base.index, (unsigned long long)w->base.instructions,
                       ended ? "" : ",\"unfinished\":true");
   if (w->pops.info && used > 0)
      snprintf(args + used, sizeof(args) - (size_t)used, ",\"id\":%u,\"overlap\":%u",
               (w->engine->pops.base[w->pops.info->packer] + w->pops.number) & AMD_POPS_ID_MASK, w->pops.overlap);
   uint32_t row = sim_timeline_wave(t, process, name, time->start, end, args);
   if (time->poll)
      sim_trace_span(t->out, process, row, "wait", "wait", time->poll,
                     time->enter ? MAX2(time->enter, time->poll) : end, "");
   uint64_t enter = time->enter ? time->enter : time->start;
   if (time->sent)
      sim_trace_span(t->out, process, row, "section", "section", enter, time->sent, "");
   else if (time->enter && !ended)
      sim_trace_span(t->out, process, row, "section", "section", enter, end, "");
   if (time->export)
      sim_trace_instant(t->out, process, row, "export", "export", time->export);
}

void
wave_trace_retire(struct sim_timeline *t, const struct wave *w)
{
   if (w->base.instructions)
      trace_wave(t, w, true, MAX2(w->times.end, w->times.start + 1));
}

/* After a fault: those that are still there, up to the end of the round. */
static void
trace_residents(struct sim_timeline *t, const struct sim_rounds *r)
{
   for (uint32_t g = r->first; g < r->end; g++) {
      const struct sim_group *group = sim_rounds_group(r, g);
      for (uint32_t i = 0; i < group->wave_count && !group->starting; i++) {
         const struct wave *w = (const struct wave *)sim_group_wave(group, i);
         if (w->base.instructions && !group->done)
            trace_wave(t, w, false, (r->round + 1) * SIM_ROUND_TIME + SIM_ROUND_TIME - 1);
         else
            wave_trace_retire(t, w);
      }
   }
}

void
wave_trace_round(struct sim_timeline *t, const struct sim_rounds *r)
{
   sim_trace_counter(t->out, AMD_STAGE_PS, "queued stores", r->round * SIM_ROUND_TIME, sim_rounds_queued(r));
}

void
wave_trace_end_launch(struct sim_timeline *t, const struct sim_rounds *r, bool ok)
{
   if (!ok)
      trace_residents(t, r);
   sim_trace_flush(t->out);
}

void
wave_trace_destroy(struct sim_timeline *t)
{
   sim_timeline_destroy(t);
}
