/* Finished waves as spans of a timeline: a process for each packer (or stage), rows so that no two waves collide.
 * Time is SIM_ROUND_TIME units a round, within it one an instruction. */
#include <stdio.h>
#include <stdlib.h>

#include "amd/sim/wave/wave_private.h"
#include "amd/sim/wave/wave_watch.h"
#include "sim/trace.h"
#include "util/macros.h"

enum { PROCESSES = AMD_STAGES + AMD_POPS_MAX_PACKERS, ROWS = 256 };

struct wave_trace {
   struct sim_trace *out;
   uint32_t launch; /* number of the launch */
   bool named[PROCESSES];
   uint32_t rows[PROCESSES];
   uint64_t row_end[PROCESSES][ROWS];
};

struct wave_trace *
wave_trace_create(struct sim_trace *out)
{
   struct wave_trace *t = calloc(1, sizeof(*t));
   if (t)
      t->out = out;
   return t;
}

/* Waves retire in order of their start but for a few: the first row that is free then. */
static uint32_t
take_row(struct wave_trace *t, uint32_t process, uint64_t start, uint64_t end)
{
   uint32_t row = 0;
   while (row + 1 < ROWS && t->row_end[process][row] > start)
      row++;
   if (row >= t->rows[process]) {
      char name[32];
      snprintf(name, sizeof(name), "wave slot %u", row);
      sim_trace_name_thread(t->out, process, row, name);
      t->rows[process] = row + 1;
   }
   t->row_end[process][row] = end;
   return row;
}

static uint32_t
process_of(struct wave_trace *t, const struct wave *w)
{
   const struct amd_pops_wave *info = w->pops.info;
   uint32_t process = info ? AMD_STAGES + info->packer : (uint32_t)w->launch->stage;
   char name[48];
   if (t->named[process])
      return process;
   t->named[process] = true;
   if (info) {
      uint32_t log2 = w->launch->pops->packers.per_se_log2;
      snprintf(name, sizeof(name), "SE %u packer %u", info->packer >> log2, info->packer & ((1u << log2) - 1));
   }
   sim_trace_name_process(t->out, process, info ? name : amd_stage_infos[w->launch->stage].waves);
   return process;
}

/* end: of what has not ended yet. */
static void
trace_wave(struct wave_trace *t, const struct wave *w, bool ended, uint64_t end)
{
   const struct wave_times *time = &w->times;
   uint32_t process = process_of(t, w), row = take_row(t, process, time->start, end);
   char name[64], args[160];
   snprintf(name, sizeof(name), "wave %u", w->base.group->index);
   int used = snprintf(args, sizeof(args), "\"launch\":%u,\"group\":%u,\"wave\":%u,\"instructions\":%llu%s",
                       t->launch, w->base.group->index, w->base.index, (unsigned long long)w->base.instructions,
                       ended ? "" : ",\"unfinished\":true");
   if (w->pops.info && used > 0)
      snprintf(args + used, sizeof(args) - (size_t)used, ",\"id\":%u,\"overlap\":%u",
               (w->engine->pops.base[w->pops.info->packer] + w->pops.info->seq) & AMD_POPS_ID_MASK, w->pops.overlap);
   sim_trace_span(t->out, process, row, "wave", name, time->start, end, args);
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
wave_trace_retire(struct wave_trace *t, const struct wave *w)
{
   if (w->base.instructions)
      trace_wave(t, w, true, MAX2(w->times.end, w->times.start + 1));
}

/* After a fault: those that are still there, up to the end of the round. */
static void
trace_residents(struct wave_trace *t, const struct sim_rounds *r)
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
wave_trace_round(struct wave_trace *t, const struct sim_rounds *r)
{
   sim_trace_counter(t->out, AMD_STAGE_PS, "queued stores", r->round * SIM_ROUND_TIME, sim_rounds_queued(r));
}

void
wave_trace_end_launch(struct wave_trace *t, const struct sim_rounds *r)
{
   trace_residents(t, r);
   t->launch++;
   sim_trace_flush(t->out);
}

void
wave_trace_destroy(struct wave_trace *t)
{
   free(t);
}
