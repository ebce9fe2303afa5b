/* The model of one GPU: what amd_sim.c sets up and amd_sim_run.c runs jobs on. */
#ifndef INDIUM_AMD_SIM_PRIVATE_H
#define INDIUM_AMD_SIM_PRIVATE_H

#include <pthread.h>
#include <stdatomic.h>

#include "amd/sim/amd_sim.h"
#include "amd/sim/base/const_engine.h"
#include "amd/sim/base/dump.h"
#include "amd/sim/base/gds.h"
#include "amd/sim/check/order_check.h"
#include "amd/sim/cp/cp.h"
#include "amd/sim/draw/draw.h"
#include "amd/sim/report.h"
#include "amd/sim/wave/wave.h"
#include "sim/waves/pool.h"
#include "sim/waves/race.h"
#include "sim/waves/race_lds.h"

struct amd_sim {
   const struct amd_chip *chip;
   struct amd_model *model;
   struct sim_pool *pool;
   struct amd_wave_engine *engine;
   struct sim_races *races;
   struct sim_lds_races *lds_races;
   struct amd_dump *dump;
   struct amd_report *report;
   struct amd_order_check *order_check;
   struct amd_reorder reorder;
   struct amd_caches *caches;
   pthread_mutex_t lock;
   pthread_cond_t ring_free;
   struct amd_ring *rings;         /* by amd_ring_slot() */
   bool ring_busy[AMD_RING_SLOTS]; /* a job is on it, perhaps waiting for memory */
   struct amd_counters counters[AMD_RING_SLOTS];
   struct amd_gds gds;
   struct amd_const_engine const_engine;
   struct amd_draw_memory *draw_memory;
   bool stats_on;
   bool reference;      /* of amd_sim_set_reference() */
   atomic_uint waiting; /* jobs */
   uint64_t clock;      /* 0: the host's */
   uint64_t limit;      /* of waves of a job; 0: none */
   unsigned wait_limit_ms;
   struct amd_sim_waits waits;
};

#endif
