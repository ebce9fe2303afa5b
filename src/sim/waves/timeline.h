/* Finished waves as spans of a timeline (trace.h): a process for each kind of wave, and rows of it such that no two
 * waves collide. Time is that of the rounds: SIM_ROUND_TIME units each, within one an instruction. Serial phases. */
#ifndef INDIUM_SIM_TIMELINE_H
#define INDIUM_SIM_TIMELINE_H

#include <stdbool.h>
#include <stdint.h>

struct sim_trace;

struct sim_timeline {
   struct sim_trace *out;
   uint32_t launch; /* number of the launch */
   struct sim_timeline_process *processes;
   uint32_t process_count;
};

/* NULL: out of memory. The output stays the caller's. */
struct sim_timeline *sim_timeline_create(struct sim_trace *out, uint32_t process_count);
void sim_timeline_destroy(struct sim_timeline *timeline);

/* Gives the process its name, once. */
void sim_timeline_name(struct sim_timeline *timeline, uint32_t process, const char *name);

/* A span, on a row that is free then, which is returned. args: the inside of a JSON object. */
uint32_t sim_timeline_wave(struct sim_timeline *timeline, uint32_t process, const char *name, uint64_t start,
                           uint64_t end, const char *args);

/* After a launch: what was traced is in the file. */
void sim_timeline_end_launch(struct sim_timeline *timeline);

#endif
