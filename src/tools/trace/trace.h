/* Timelines in the Chrome trace format, as `indium run --trace` writes them and Perfetto opens them. */
#ifndef INDIUM_TOOLS_TRACE_H
#define INDIUM_TOOLS_TRACE_H

#include <stdbool.h>
#include <stdint.h>

#include "util/arena.h"
#include "util/dynarray.h"

/* A span of time on a track, or an instant (end == start). */
struct trace_event {
   const char *name, *category; /* category "": none */
   uint32_t track;              /* index into tracks */
   double start, end;           /* in the file's unit of time */
   bool instant;
};

struct trace_track {
   int64_t process, thread;
   const char *process_name, *thread_name; /* NULL: the file has none */
};

struct trace {
   struct arena arena;
   struct dynarray events; /* struct trace_event, by (track, start, longest first) */
   struct dynarray tracks; /* struct trace_track, by (process, thread) */
};

/* Reads a JSON object with "traceEvents" or an array of events; phases X, B and E, i and M. False after one line on
 * stderr that names the file and what is wrong: unreadable, not JSON, an event without its fields. */
bool trace_read(struct trace *trace, const char *path);
void trace_free(struct trace *trace);

/* "PROCESS THREAD", by name or else by number. */
#define TRACE_LABEL 64
void trace_track_label(const struct trace *trace, uint32_t track, char label[TRACE_LABEL]);

/* Keeps the events of tracks whose label holds the text. */
void trace_keep(struct trace *trace, const char *text);

/* Draws tracks as rows over time into FILE.svg or FILE.png; false after a line on stderr. */
bool trace_plot(const struct trace *trace, const char *path);

/* Longest time of any event's end from the first start. */
void trace_extent(const struct trace *trace, double *start, double *end);

#endif
