/* Running shaders: a launch is a list of workgroups of waves. They run in rounds (sim/waves/rounds.h), many at a
 * time on host threads, and give the same bytes for any number of threads. */
#ifndef INDIUM_AMD_SIM_WAVE_H
#define INDIUM_AMD_SIM_WAVE_H

#include "amd/sim/base/stage.h"
#include "sim/vm/fault.h"
#include "sim/waves/schedule.h"
#include "sim/vm/vm.h"

struct amd_caches;
struct amd_chip;
struct amd_gds;
struct sim_pool;
struct amd_pops_launch;
struct sim_lds_races;
struct sim_races;
struct sim_trace;
struct amd_report;
struct amd_wave_engine;
struct wave_state;

#define AMD_WAVE_MAX_LANES 64
#define AMD_WAVE_START_SGPRS 48
#define AMD_WAVE_START_VGPRS 24
#define AMD_WAVE_MAX_EXPORTS 48
#define AMD_WAVE_MAX_MESSAGES 8192
#define AMD_WAVE_GARBAGE 0x7fadbeefu /* in registers that nobody has written: a NaN as a float */
#define AMD_WAVE_MAX_PER_GROUP 32 /* wave32 and 1024 threads */
#define AMD_WAVE_MAX_ADDED 8      /* launches */
#define AMD_WAVE_RESIDENT 256     /* waves */

/* Parameter data in LDS for v_interp: for each primitive, attribute and channel P0, P10 = P1 - P0 and P20 = P2 - P0.
 * data[((prim * attr_count + attr) * 4 + chan) * 3 + (0 P0, 1 P10, 2 P20)]. */
struct amd_wave_params {
   const float *data;
   uint32_t attr_count;
   uint8_t quad_prim[16]; /* which primitive the four lanes of quad i belong to */
};

/* State of a wave before its first instruction. Registers beyond the counts hold garbage. */
struct amd_wave_start {
   uint32_t collision_waveid; /* given to start(): the SGPR of that name, 0 without ordered sections */
   bool order_lost;           /* given to start(): no wave is told of overlap */
   uint64_t exec;             /* 0: the wave is skipped (retire is called with count 0) */
   uint32_t sgpr_count, vgpr_count;
   uint32_t sgpr[AMD_WAVE_START_SGPRS];
   uint32_t vgpr[AMD_WAVE_START_VGPRS][AMD_WAVE_MAX_LANES];
   uint64_t flat_scratch;         /* register of that name */
   struct amd_wave_params params; /* pixel; data stays the caller's until the wave retires */
   uint32_t prim_mask;            /* pixel: what M0 must hold when v_interp runs (PRIM_MASK, also in an SGPR) */
};

/* One export instruction. Lanes outside exec and components outside en are undefined. */
struct amd_wave_export {
   uint8_t target; /* 0-7 MRT, 8 MRTZ, 9 null, 12-16 POS, 20 PRIM, 21-22 dual source, 32-63 PARAM */
   uint8_t en;     /* compr: bits 1:0 are value[0] (two halves: x low, y high), 3:2 value[1] (z, w) */
   bool compr, done, vm;
   bool row_en; /* GFX11: of the row that m0 names */
   uint32_t m0;
   uint64_t exec; /* with vm (GFX11: done) on a pixel shader's last export: the lanes that were not killed */
   uint32_t value[4][AMD_WAVE_MAX_LANES];
};

/* An s_sendmsg. */
struct amd_wave_message {
   uint16_t simm16;
   uint32_t m0;
   uint64_t exec;
   uint32_t exports;  /* export instructions before it */
   uint32_t barriers; /* that the wave has passed */
};

struct amd_wave_result {
   uint32_t count;
   const struct amd_wave_export *exports; /* in program order */
   uint32_t message_count;
   const struct amd_wave_message *messages; /* in program order */
   uint64_t instructions;
   const struct wave_state *state; /* as it left them; of launches that retire anywhere, nothing to look at */
   const uint8_t *lds;             /* of its group */
};

/* The invocation of a lane: its pixel, its samples (0: none), the granularity of the draw's interlock. */
struct amd_wave_pixel {
   uint16_t x, y;
   uint8_t samples, samples_log2;
};

struct amd_wave_launch {
   enum amd_stage stage;
   const char *name; /* for fault reports, such as "PS of draw 12" */
   const struct sim_vm *vm;
   struct amd_caches *caches; /* between the waves and memory; NULL: none */
   bool wgp_mode;             /* the waves of a group are on both compute units of a WGP */
   struct sim_va program;
   uint8_t wave_size;     /* 32 or 64 */
   uint8_t float_mode;    /* RSRC1.FLOAT_MODE */
   bool dx10_clamp, ieee; /* RSRC1 */
   uint16_t vgpr_count;   /* allocated; an instruction that names a VGPR above is a fault */
   uint16_t shared_vgprs; /* of wave64: so many more after them, one storage for lanes l and l + 32 */
   uint32_t lds_size_B;   /* a group's LDS; access beyond: reads 0, writes are dropped (as in hardware) */
   struct amd_gds *gds;   /* NULL: there is none */
   uint32_t waves_per_group;
   uint32_t group_count;
   uint32_t groups_alike; /* so many more, for which these run: they count as these do */
   struct amd_wave_ring { /* of parameters, which must be there before a position is done. size_B 0: there is none */
      struct sim_va base;
      uint64_t size_B;
   } ring;
   struct {
      uint32_t *regs;       /* that waves add to; NULL: there are none */
      uint32_t first, mask; /* of the groups' numbers; mask 0: they have none */
   } ordered;
   uint32_t scratch_waves; /* limit of resident waves with scratch (TMPRING_SIZE.WAVES), 0: none needed */
   const struct amd_chip *chip;
   struct sim_va border;               /* table of border colours, va 0: none */
   const struct amd_pops_launch *pops; /* pixel: groups are its waves, one wave a group. NULL: no ordered sections */
   uint64_t time;                      /* clock for s_memtime and s_memrealtime at the start */

   struct sim_races *races; /* pixel: accesses are compared (race.h); NULL: not */
   struct amd_wave_pixel (*pixel)(const void *user, uint32_t group, unsigned lane); /* for races */

   void *user;
   /* Fills *start (zeroed counts). scratch_slot: below scratch_waves, own to the wave while it lives. Called on any
    * host thread: the result may depend on nothing but the arguments. */
   void (*start)(void *user, uint32_t group, uint32_t wave, uint32_t scratch_slot, struct amd_wave_start *start);
   /* After the wave's end and all its stores: in order of (group, wave), from the thread that called amd_wave_run.
    * May be NULL. */
   bool retires_anywhere; /* or in any order, on any host thread, as soon as the wave has ended */
   void (*retire)(void *user, uint32_t group, uint32_t wave, const struct amd_wave_result *result);
};

/* Which lanes of a launch's waves do the same whatever they start with, so that one may run for all. */
enum amd_waves_alike {
   AMD_WAVES_DIFFER, /* or nobody knows */
   AMD_WAVES_ALIKE_BY_PRIMITIVE,
   AMD_WAVES_ALIKE,
};
/* Of pixel waves, by their program, which has run before; if somebody watches single waves, they differ. user_sgprs:
 * with which all waves start; PRIM_MASK is after them. */
enum amd_waves_alike amd_wave_alike(const struct amd_wave_engine *engine, const struct amd_wave_launch *launch,
                                    unsigned user_sgprs);

/* The pool stays the caller's. */
struct amd_wave_engine *amd_wave_engine_create(struct sim_pool *pool);
void amd_wave_engine_destroy(struct amd_wave_engine *engine);
/* How long a wave may run until it counts as endless: in instructions, accesses of memory counting as several
 * (sim/waves/loop.h). 0: 2^27, as at first. Hardware has a time for whole jobs (10 s with amdgpu); a budget for each
 * wave does not end what is long because it is large. */
void amd_wave_engine_set_budget(struct amd_wave_engine *engine, uint64_t budget);
/* Launches from now on have so many waves altogether; one with more is a fault. */
void amd_wave_engine_set_limit(struct amd_wave_engine *engine, uint64_t waves);
/* Takes from that number, also for other work that takes as long as so many waves; the fault says what. */
bool amd_wave_engine_take(struct amd_wave_engine *engine, uint64_t waves, const char *what, struct sim_va va,
                          struct sim_fault *fault);
/* Looks for races in LDS from now on (race_lds.h), which stays the caller's; NULL: does not. */
void amd_wave_engine_set_lds_races(struct amd_wave_engine *engine, struct sim_lds_races *races);
/* Counts instructions of programs that come later; NULL: does not. */
void amd_wave_engine_set_report(struct amd_wave_engine *engine, struct amd_report *report);
void amd_wave_engine_set_trace(struct amd_wave_engine *engine, struct sim_trace *trace); /* NULL: off */
/* Without fast paths from now on, for comparison: one element at a time, each wave through all rounds and checks. */
void amd_wave_engine_set_reference(struct amd_wave_engine *engine, bool reference);
void amd_wave_engine_set_schedule(struct amd_wave_engine *engine, const struct sim_schedule *schedule);

/* Runs every wave of the launch to its end. False after a guest fault, which names stage, group, wave, address of the
 * instruction and its text; then nothing more retires. Only one caller at a time. */
bool amd_wave_run(struct amd_wave_engine *engine, const struct amd_wave_launch *launch, struct sim_fault *fault);

/* Launches that continue while others run, in all schedules but in-order: waves of one may start before all of
 * another's have ended, but for the window of resident waves. */
bool amd_wave_overlaps(const struct amd_wave_engine *engine);
/* Adds a launch of one wave a group, without scratch. At most AMD_WAVE_MAX_ADDED are there. What they point to stays
 * until they have ended. */
bool amd_wave_add(struct amd_wave_engine *engine, const struct amd_wave_launch *launch, struct sim_fault *fault);
/* So many rounds of the added launches as the schedule wants of them here. */
uint64_t amd_wave_lead(struct amd_wave_engine *engine);
/* Runs them, *rounds at most, which it counts down, until the oldest one has ended: *ended, and it is there no more.
 * False after a guest fault. */
bool amd_wave_continue(struct amd_wave_engine *engine, uint64_t *rounds, bool *ended, struct sim_fault *fault);
/* After one: none is there. */
void amd_wave_forget(struct amd_wave_engine *engine);

/* Instructions run since creation (each counts once a wave): for statistics and the clock. */
uint64_t amd_wave_instructions(const struct amd_wave_engine *engine);

#endif
