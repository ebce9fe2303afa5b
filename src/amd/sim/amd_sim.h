/* The model of an AMD GPU, as the kernel driver sees it: jobs of indirect buffers over a GPU address space. */
#ifndef INDIUM_AMD_SIM_H
#define INDIUM_AMD_SIM_H

#include <stdio.h>

#include "sim/vm/fault.h"
#include "sim/waves/schedule.h"
#include "sim/vm/vm.h"

struct amd_chip; /* amd/hw/chips.h: one row per chip */
struct amd_sim;
struct sim_trace;

enum amd_sim_ring {
   AMD_SIM_RING_GFX,
   AMD_SIM_RING_COMPUTE,
   AMD_SIM_RING_SDMA,
   AMD_SIM_RING_CE, /* buffers of the graphics ring for its constant engine */
   AMD_SIM_RINGS,
};

/* Of these kinds there are several. */
enum {
   AMD_SIM_COMPUTE_RINGS = 4,
   AMD_SIM_SDMA_RINGS = 4,
};

/* As recordings and dumps call them. */
extern const char *const amd_sim_ring_names[AMD_SIM_RINGS];

struct amd_sim_ib {
   struct sim_va va;
   uint32_t size_dw;
   enum amd_sim_ring ring;
   bool sync_memory; /* the kernel invalidates all caches ahead of it (AMDGPU_IB_FLAG_EMIT_MEM_SYNC) */
   uint8_t index;    /* which of the rings of this kind */
};

/* threads: host threads that run waves, at least 1; results do not depend on it. NULL if the chip is
 * refused (the caller says so) or memory is out. */
struct amd_sim *amd_sim_create(const struct amd_chip *chip, unsigned threads);
void amd_sim_destroy(struct amd_sim *sim);

/* Writes a timeline of waves (sim/waves/trace.h); NULL: none. */
void amd_sim_set_trace(struct amd_sim *sim, struct sim_trace *trace);
/* Reports races of pixel shaders (race.h) after each draw, and those in LDS (race_lds.h) after each launch; NULL:
 * does not look. */
void amd_sim_set_races(struct amd_sim *sim, FILE *out);
uint64_t amd_sim_races(const struct amd_sim *sim); /* found so far */
/* Writes packets and registers (dump.h); NULL: none. False if there is no memory. */
bool amd_sim_set_dump(struct amd_sim *sim, FILE *out);
/* Counts what runs from now on (report.h). False if there is no memory. */
bool amd_sim_count(struct amd_sim *sim);
/* What was counted; nothing if nothing was asked for. */
void amd_sim_write_report(struct amd_sim *sim, FILE *out);
/* How long a wave may run until it counts as endless (wave.h); 0: the default. */
void amd_sim_set_budget(struct amd_sim *sim, uint64_t budget);
/* How many waves a job may have until it counts as endless, and as many times 64 vertices to assemble; 0, at first:
 * any number. */
void amd_sim_set_limit(struct amd_sim *sim, uint64_t waves);
/* How long a packet waits for memory until it counts as never written; 0, at first: 10 s. */
void amd_sim_set_wait(struct amd_sim *sim, unsigned limit_ms);
/* Who is told of packets that wait for memory. */
struct amd_sim_waits {
   void *data;
   /* The memory is not as the packet wants it; called with the lock of the model, again and again. May be NULL.
    * False: the job ends. */
   bool (*waits)(void *data);
   /* It is now, or was so at once; host: the word. Called without the lock. May be NULL. */
   void (*ended)(void *data, const void *host, bool waited);
};
void amd_sim_set_waits(struct amd_sim *sim, const struct amd_sim_waits *waits);
/* Of all waves that start later; in-order at first. */
void amd_sim_set_schedule(struct amd_sim *sim, const struct sim_schedule *schedule);
/* The model's fast paths, which it has at first: without them it does the same, more slowly. */
void amd_sim_set_reference(struct amd_sim *sim, bool reference);

/* Draws are rasterised out of order (reorder.h) whether the driver lets them or not, by the schedule. */
void amd_sim_set_out_of_order(struct amd_sim *sim, bool forced);
/* Tries every draw in so many random orders, too (check/order_check.h), from now on; the report. False if there is no
 * memory. */
bool amd_sim_check_order(struct amd_sim *sim, unsigned orders);
void amd_sim_write_order(struct amd_sim *sim, FILE *out);

/* Runs the buffers in order, at least one, and returns when all their work is visible in memory.
 * False after a guest fault, described in *fault. Calls may come from several threads; each runs whole before the
 * next starts, except that a job which waits on memory (WAIT_REG_MEM) lets one of another ring run. Buffers of
 * several rings are a gang: the rings run in parallel in the same way, each its own buffers in order. So do
 * buffers of the constant engine, which starts when the graphics ring waits for the first time, or ends. */
bool amd_sim_run(struct amd_sim *sim, struct sim_vm *vm, const struct amd_sim_ib *ibs, unsigned count,
                 struct sim_fault *fault);

/* A job that takes turns with those of other rings. */
struct amd_sim_turns {
   void *data;
   bool (*is_over)(void *data);          /* ahead of a packet: another one is to run; called without the lock */
   void (*give)(void *data, bool waits); /* returns when it may continue; waits: for memory */
};

/* The same, in turns, unless the buffers are a gang: that runs whole but for waits. turns: NULL: none. */
bool amd_sim_run_in_turns(struct amd_sim *sim, struct sim_vm *vm, const struct amd_sim_ib *ibs, unsigned count,
                          const struct amd_sim_turns *turns, struct sim_fault *fault);

/* Whether a packet of a job waits on memory: another job, or the host, may have to write it. */
bool amd_sim_is_waiting(const struct amd_sim *sim);

/* Jobs that start later see this clock instead, which continues by one tick at each look: recordings end in the same
 * bytes again. 0: that of the host. */
void amd_sim_set_clock(struct amd_sim *sim, uint64_t clock);

/* The GPU clock now, in ticks of the chip's gpu_counter_freq. */
uint64_t amd_sim_timestamp(const struct amd_chip *chip);

#endif
