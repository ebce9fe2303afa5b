/* Rounds of waves: a wave is resumable state, and many of them are interleaved on host threads such that the bytes
 * that come out are the same for any number of threads.
 *
 * A launch is a list of groups of waves. In the parallel phase of a round the chosen waves (those of a group run by
 * one thread) execute until they block: loads read memory, and nobody writes it; stores and atomics go into the
 * wave's queue (queue.h). A wave stops at a wait that needs a queued operation, at a barrier, at a load that may
 * touch its own queued writes, or after a quantum of instructions. In the serial phase queued operations land in
 * (group, wave, program) order, groups that ended retire, new ones take their place, and the schedule (schedule.h)
 * chooses who runs next.
 *
 * In launches whose order cannot be observed (brief), a group that ends in the parallel phase retires there; the
 * serial phase skips it, and the thread reuses the memory of its registers for the next group.
 *
 * The model defines waves: its struct of a wave starts with struct sim_wave, its struct of a group with struct
 * sim_group, and the functions of struct sim_wave_model run them. Waves have any number of lanes and wait for
 * anything: the rounds see only that they stop. */
#ifndef INDIUM_SIM_ROUNDS_H
#define INDIUM_SIM_ROUNDS_H

#include <stdatomic.h>
#include <stddef.h>

#include "sim/vm/fault.h"
#include "sim/waves/loop.h"
#include "sim/waves/queue.h"
#include "sim/waves/schedule.h"

struct sim_pool;
struct sim_group;
struct sim_rounds;

enum {
   SIM_MAX_WAVES_PER_GROUP = 32,
   SIM_ROUND_TIME = 1000, /* units of time that a round takes */
   SIM_SPARES = 64,
};

enum sim_wave_state {
   SIM_WAVE_RUN,
   SIM_WAVE_YIELD,   /* until the next round */
   SIM_WAVE_COMMIT,  /* until the queued operations up to queue.needed_seq have landed */
   SIM_WAVE_BARRIER, /* until all waves of its group have reached it */
   SIM_WAVE_SLEEP,   /* until the model wakes it */
   SIM_WAVE_END,
};

/* The part of a wave that the rounds use. */
struct sim_wave {
   struct sim_rounds *rounds;
   struct sim_group *group;
   uint32_t index; /* in the group */
   enum sim_wave_state state;
   uint32_t quantum; /* instructions that it may run in this round, 0: none */
   uint32_t spins;   /* consecutive rounds without progress */
   uint32_t next;    /* instruction, as the model counts */
   bool exhausted;   /* this round ended with the quantum or a sleep */
   bool lets;        /* or it made progress and yields to the others */
   uint64_t instructions;
   uint64_t round_start; /* `instructions` at the start of the current or next round */
   uint64_t spin_end;    /* it polled in vain: no progress until `instructions` exceeds this */
   struct sim_queue queue;
   struct sim_loop loop;
   struct sim_fault fault;
};

struct sim_group {
   uint32_t index;  /* in its launch */
   uint32_t number; /* among the groups of all launches in flight */
   uint32_t wave_count;
   uint8_t *waves; /* sim_group_wave() */
   uint32_t wave_B;
   bool starting; /* its waves get their registers in the next parallel phase */
   bool done;     /* all waves ended, all stores landed */
   bool quiet;    /* finish() retired it in a parallel phase: it has no waves any more */
   uint64_t ran;  /* instructions in this round */
};

/* Accesses of memory that a wave has made; what it shares with its group counts too. */
struct sim_traffic {
   uint64_t reads, writes;
};

/* How a model's waves run. */
struct sim_wave_model {
   uint32_t wave_B, group_B; /* wave_B: a multiple of 64 */

   /* Parallel phase: on any host thread. */
   /* Initialises the registers of the group's waves. slot: no other resident group has it. */
   void (*start)(struct sim_rounds *rounds, struct sim_group *group, uint32_t slot);
   /* Runs a wave until it stops (state) or has run its quantum (exhausted), or has a fault. */
   void (*run)(struct sim_wave *wave);
   /* Brief launches: retires a group whose waves have ended with empty queues. False: it must retire in the serial
    * phase. */
   bool (*finish)(struct sim_rounds *rounds, struct sim_group *group);

   /* Serial phase. */
   /* A group gets its slot: sim_wave and sim_group are initialised, index equals number; the model initialises the
    * rest. For brief launches this comes later, right before start(); for independent ones in the parallel phase. */
   void (*admit)(struct sim_rounds *rounds, struct sim_group *group);
   /* A wave has stopped, or operations of it have landed. */
   void (*update)(struct sim_wave *wave);
   /* A queued operation lands. False after a fault. */
   bool (*land)(struct sim_wave *wave, const struct sim_queued *queued, struct sim_fault *fault);
   /* All waves of the round have been looked at. */
   void (*end_round)(struct sim_rounds *rounds);
   bool (*wakes)(const struct sim_wave *wave); /* one in SIM_WAVE_SLEEP */
   void (*retire)(struct sim_rounds *rounds, struct sim_group *group);

   /* Of loops and hangs. */
   bool (*meets_group)(const struct sim_wave *wave); /* its program has barriers */
   struct sim_traffic (*traffic)(const struct sim_wave *wave);
   /* Of all that decides how it continues, apart from memory and what is on its way there: that changes memory or the
    * registers when it arrives. */
   uint64_t (*hash)(const struct sim_wave *wave);
   bool (*has_other_inputs)(const struct sim_wave *wave); /* nor memory nor registers tell how it continues */
   /* Where the wave jumps back and forth, and how the loop would be left; "" if it never jumped back. */
   void (*describe_loop)(const struct sim_wave *wave, char *text, size_t size_B);
   /* What it waits for; true: `text` describes the wait in full. False: with words of the rounds. */
   bool (*describe_wait)(const struct sim_wave *wave, char *text, size_t size_B);
   struct sim_va (*place_va)(const struct sim_wave *wave);   /* of the instruction where it stands */
   void (*hang)(struct sim_wave *wave, const char *message); /* sets its fault, at the next instruction */

   void (*free_wave)(struct sim_wave *wave);
   void (*free_group)(struct sim_group *group);
};

/* The head of a model's engine. */
struct sim_rounds {
   const struct sim_wave_model *model;
   struct sim_pool *pool;
   struct sim_schedule schedule;
   uint64_t budget;              /* of a wave, instructions and SIM_ACCESS_COST for each access of memory */
   uint64_t round, instructions; /* numbers since creation */
   /* The model sets this before a launch begins: the order in which groups retire does not matter, and nothing looks
    * at waves before they start. Then a group has waves only while it runs, in memory that its thread reuses.
    * Only for the schedule in-order. */
   bool brief;
   /* Set likewise, for brief launches: no wave writes anything that another one reads. A group that ends in its first
    * round then needs no rounds. The launch clears this if a group did not: then all groups have run again in rounds,
    * and those that had retired before have retired twice. */
   bool independent;
   /* Of the launch. */
   uint32_t group_count, waves_per_group;
   uint32_t retire_end; /* groups from here on stay resident when they are done */
   /* Groups [first, end) are resident, group g in slot g % window. */
   uint32_t first, end, window;
   uint32_t first_slot;  /* first % window */
   uint32_t idle_rounds; /* since any wave made progress */
   uint32_t ready;       /* waves that could run in this round */
   bool any_long;        /* sim_loop_is_long() holds for a wave, or did */
   bool exclusive;       /* only such a wave runs in this round */
   int64_t lead;         /* instructions in such rounds, less those in others */
   bool watches;         /* some wave polls memory */
   uint8_t impatient;    /* this many rounds delay no stores, because a wave may poll for them: this round and the
                          * next, since the waves ahead of it have had their turn in this one */
   bool asleep;          /* a wave sleeps */
   uint64_t changes;     /* stores and atomics that have changed memory */
   uint32_t *chosen;     /* slots of the groups that the next parallel phase runs */
   uint32_t chosen_count;
   uint8_t *groups;
   uint32_t group_capacity, group_waves;
   struct sim_spare {
      _Atomic(uint8_t *) waves; /* of no group: for the next one that a thread starts */
      _Atomic(struct sim_group *)
         lonely; /* with waves of its own: any group of an independent launch, and then the next */
      atomic_uint_fast64_t instructions; /* of these */
      uint8_t distance[40];
   } spares[SIM_SPARES]; /* by thread */
   atomic_bool meet;     /* some group did not end in its first round */
};

/* rounds: zeroed. The pool stays the caller's. */
void sim_rounds_init(struct sim_rounds *rounds, const struct sim_wave_model *model, struct sim_pool *pool);
void sim_rounds_free(struct sim_rounds *rounds);

/* Begins a launch. max_waves: of resident waves, but at least one group is resident. False: out of host memory. */
bool sim_rounds_begin(struct sim_rounds *rounds, uint32_t group_count, uint32_t waves_per_group, uint32_t max_waves);
/* Runs all its groups to their end. False after a fault: then no more groups retire; those left stay resident.
 */
bool sim_rounds_run(struct sim_rounds *rounds, struct sim_fault *fault);

/* Several launches in flight: sim_rounds_open() begins with no group, sim_rounds_add() appends the groups of one
 * more launch. */
bool sim_rounds_open(struct sim_rounds *rounds, uint32_t waves_per_group, uint32_t max_waves);
void sim_rounds_add(struct sim_rounds *rounds, uint32_t group_count);
/* Runs until the groups with numbers below `end` have retired (no others do), or for *left rounds, and subtracts
 * the rounds from *left. False after a fault. */
bool sim_rounds_run_some(struct sim_rounds *rounds, uint32_t end, uint64_t *left, struct sim_fault *fault);

/* Parallel phase: whether a load of the wave lands late. */
bool sim_rounds_late_load(const struct sim_wave *wave);
/* Serial phase: something other than memory, for which waves may have polled in vain, has changed. */
void sim_rounds_forget_spins(struct sim_rounds *rounds);
/* Stores that wait to land. */
uint64_t sim_rounds_queued(const struct sim_rounds *rounds);

static inline struct sim_wave *
sim_group_wave(const struct sim_group *group, uint32_t index)
{
   return (struct sim_wave *)(group->waves + (size_t)index * group->wave_B);
}

static inline uint32_t
sim_rounds_slot(const struct sim_rounds *r, uint32_t group)
{
   uint32_t slot = r->first_slot + (group - r->first);
   return slot < r->window ? slot : slot - r->window;
}

static inline struct sim_group *
sim_rounds_in_slot(const struct sim_rounds *r, uint32_t slot)
{
   return (struct sim_group *)(r->groups + (size_t)slot * r->model->group_B);
}

/* A resident group. */
static inline struct sim_group *
sim_rounds_group(const struct sim_rounds *r, uint32_t group)
{
   return sim_rounds_in_slot(r, sim_rounds_slot(r, group));
}

/* Time of the instruction that runs. */
static inline uint64_t
sim_wave_time(const struct sim_wave *w)
{
   uint64_t into = w->instructions - w->round_start, last = SIM_ROUND_TIME - 1;
   return (w->rounds->round + 1) * SIM_ROUND_TIME + (into < last ? into : last);
}

#endif
