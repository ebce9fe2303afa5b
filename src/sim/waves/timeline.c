#include "sim/waves/timeline.h"

#include <stdio.h>
#include <stdlib.h>

#include "sim/waves/trace.h"

enum { ROWS = 256 };

struct sim_timeline_process {
   bool named;
   uint32_t rows;
   uint64_t row_end[ROWS];
};

struct sim_timeline *
sim_timeline_create(struct sim_trace *out, uint32_t process_count)
{
   struct sim_timeline *t = calloc(1, sizeof(*t));
   if (!t)
      return NULL;
   *t = (struct sim_timeline){
      .out = out, .processes = calloc(process_count, sizeof(*t->processes)), .process_count = process_count};
   if (t->processes)
      return t;
   free(t);
   return NULL;
}

void
sim_timeline_destroy(struct sim_timeline *timeline)
{
   if (timeline)
      free(timeline->processes);
   free(timeline);
}

void
sim_timeline_name(struct sim_timeline *timeline, uint32_t process, const char *name)
{
   if (!timeline->processes[process].named)
      sim_trace_name_process(timeline->out, process, name);
   timeline->processes[process].named = true;
}

/* Waves retire in order of their start but for a few: the first row that is free then. */
static uint32_t
take_row(struct sim_timeline *timeline, uint32_t process, uint64_t start, uint64_t end)
{
   struct sim_timeline_process *p = &timeline->processes[process];
   uint32_t row = 0;
   while (row + 1 < ROWS && p->row_end[row] > start)
      row++;
   if (row >= p->rows) {
      char name[32];
      snprintf(name, sizeof(name), "wave slot %u", row);
      sim_trace_name_thread(timeline->out, process, row, name);
      p->rows = row + 1;
   }
   p->row_end[row] = end;
   return row;
}

uint32_t
sim_timeline_wave(struct sim_timeline *timeline, uint32_t process, const char *name, uint64_t start, uint64_t end,
                  const char *args)
{
   uint32_t row = take_row(timeline, process, start, end);
   sim_trace_span(timeline->out, process, row, "wave", name, start, end, args);
   return row;
}

void
sim_timeline_end_launch(struct sim_timeline *timeline)
{
   timeline->launch++;
   sim_trace_flush(timeline->out);
}
