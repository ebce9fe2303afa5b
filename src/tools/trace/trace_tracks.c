/* Tracks by their names. */
#include <stdio.h>
#include <string.h>

#include "tools/trace/trace.h"

void
trace_track_label(const struct trace *trace, uint32_t track, char label[TRACE_LABEL])
{
   const struct trace_track *t = dynarray_at(&trace->tracks, struct trace_track, track);
   const char *process = NULL;
   char process_number[24], thread_number[24];
   dynarray_for_each(struct trace_track, other, &trace->tracks)
      process = other->process == t->process && other->process_name ? other->process_name : process;
   snprintf(process_number, sizeof(process_number), "%lld", (long long)t->process);
   snprintf(thread_number, sizeof(thread_number), "%lld", (long long)t->thread);
   snprintf(label, TRACE_LABEL, "%s %s", process ? process : process_number,
            t->thread_name ? t->thread_name : thread_number);
}

void
trace_keep(struct trace *trace, const char *text)
{
   struct trace_event *events = trace->events.data;
   size_t count = dynarray_count(&trace->events, struct trace_event), kept = 0;
   uint32_t track = UINT32_MAX;
   bool wanted = false;
   for (size_t i = 0; i < count; i++) {
      if (events[i].track != track) {
         char label[TRACE_LABEL];
         track = events[i].track;
         trace_track_label(trace, track, label);
         wanted = strstr(label, text);
      }
      if (wanted)
         events[kept++] = events[i];
   }
   trace->events.size_B = kept * sizeof(*events);
}
