/* The model of an Apple GPU, as the kernel driver sees it: commands over a GPU address space. */
#ifndef INDIUM_ASAHI_SIM_AGX_SIM_H
#define INDIUM_ASAHI_SIM_AGX_SIM_H

#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>

#include "asahi/hw/records.h"
#include "sim/vm/fault.h"
#include "sim/waves/schedule.h"
#include "sim/vm/vm.h"

struct agx_chip; /* asahi/hw/chips.h: one row per chip */
struct agx_sim;
struct sim_trace;

/* Places of the clock in a command; of compute the first two. */
enum agx_sim_time {
   AGX_SIM_TIME_START, /* of vertex work, or of compute */
   AGX_SIM_TIME_END,
   AGX_SIM_TIME_FRAGMENT_START,
   AGX_SIM_TIME_FRAGMENT_END,
   AGX_SIM_TIMES,
};

/* One command of a submit: what the kernel hands on to the hardware, unpacked. Its timestamp objects are the
 * kernel's: the caller writes `times_ns` there. */
struct agx_sim_command {
   bool is_render;
   union {
      struct agx_render_command render;
      struct agx_compute_command compute;
   };
   unsigned char bytes[AGX_RENDER_COMMAND_SIZE_B]; /* as it was given, for dumps */
   uint64_t times_ns[AGX_SIM_TIMES];               /* filled in by agx_sim_run() */
};

/* Fills the command from the bytes of a RENDER_COMMAND or COMPUTE_COMMAND. False: they have bits set that nobody
 * knows, as *fault says. */
bool agx_sim_command_read(struct agx_sim_command *command, bool is_render, const void *bytes,
                          struct sim_fault *fault);

/* threads: host threads that run programs, at least 1; results do not depend on it. NULL if memory is out. */
struct agx_sim *agx_sim_create(const struct agx_chip *chip, unsigned threads);
void agx_sim_destroy(struct agx_sim *sim);

/* Writes each record that the model acts on, as text (dump.h); NULL: none. False if there is no memory. */
bool agx_sim_set_dump(struct agx_sim *sim, FILE *out);
/* Writes a timeline of simd groups (sim/waves/trace.h); NULL: none. False if there is no memory. */
bool agx_sim_set_trace(struct agx_sim *sim, struct sim_trace *trace);
/* Reports races of pixel programs (sim/waves/race.h) after each draw; NULL: does not look. False if there is no
 * memory. */
bool agx_sim_set_races(struct agx_sim *sim, FILE *out);
/* How long a simd group may run until it counts as endless (wave/wave.h); 0: the default. */
void agx_sim_set_budget(struct agx_sim *sim, uint64_t budget);
/* How many simd groups each later command may start; 0: any number. */
void agx_sim_set_limit(struct agx_sim *sim, uint64_t waves);
/* The model's fast paths, which it has at first: without them it does the same, more slowly. */
void agx_sim_set_reference(struct agx_sim *sim, bool reference);
/* Of all that starts later; in-order at first. */
void agx_sim_set_schedule(struct agx_sim *sim, const struct sim_schedule *schedule);

/* Whether programs read 0 where nothing is mapped, and what they store there is lost; at first they do. Else that is
 * a fault. */
void agx_sim_set_soft_faults(struct agx_sim *sim, bool on);

/* Runs one command to its end: all its work is visible in memory then. usc_base: of the queue. False after a guest
 * fault, described in *fault. Calls may come from several threads; each runs whole before the next starts. */
bool agx_sim_run(struct agx_sim *sim, struct sim_vm *vm, uint64_t usc_base, struct agx_sim_command *command,
                 struct sim_fault *fault);

#endif
