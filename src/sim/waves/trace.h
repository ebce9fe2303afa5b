/* Timelines in the Chrome trace format, which Perfetto opens. The file is whole at all times, and up to date after
 * sim_trace_flush(). The child of a fork(2) writes nothing. The caller gives names and args: no quotes in them. */
#ifndef INDIUM_SIM_TRACE_H
#define INDIUM_SIM_TRACE_H

#include <stdbool.h>
#include <stdint.h>

struct sim_trace;

/* NULL if the file cannot be written (errno). If it fails later, a line on stderr says so, once. */
struct sim_trace *sim_trace_open(const char *path);
void sim_trace_close(struct sim_trace *trace);

/* Names of a process (a group of rows) and of a thread (a row) in it. */
void sim_trace_name_process(struct sim_trace *trace, uint32_t process, const char *name);
void sim_trace_name_thread(struct sim_trace *trace, uint32_t process, uint32_t thread, const char *name);

/* A span [start, end) or an instant on a row; times in any one unit. category: "wave", "wait", "section", "export".
 * args: the inside of a JSON object, or "". */
void sim_trace_span(struct sim_trace *trace, uint32_t process, uint32_t thread, const char *category,
                    const char *name, uint64_t start, uint64_t end, const char *args);
/* size: the fields of a span */
void sim_trace_instant(struct sim_trace *trace, uint32_t process, uint32_t thread, const char *category,
                       const char *name, uint64_t time);
/* A value that changes over time. */
void sim_trace_counter(struct sim_trace *trace, uint32_t process, const char *name, uint64_t time, uint64_t value);

void sim_trace_flush(struct sim_trace *trace);
/* Whether events were lost because the file could not be written, as a line on stderr said. */
bool sim_trace_failed(const struct sim_trace *trace);

#endif
