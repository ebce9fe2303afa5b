/* Launches that continue while others run: an engine of their own, in whose rounds groups of several launches meet.
 * What runs in parallel with them (vertices, compute) comes between two of their rounds, as a whole. */
#include <stdlib.h>

#include "amd/sim/wave/wave_run.h"
#include "sim/waves/timeline.h"
#include "util/macros.h"
#include "util/within_memory.h"

bool
amd_wave_overlaps(const struct amd_wave_engine *engine)
{
   return engine->rounds.schedule.kind != SIM_SCHEDULE_IN_ORDER;
}

/* What the engine has been told goes for the added launches too. */
static struct amd_wave_engine *
get_overlap(struct amd_wave_engine *engine)
{
   struct amd_wave_engine *overlap = engine->overlap;
   if (!overlap) {
      overlap = amd_wave_engine_create(engine->rounds.pool);
      if (!overlap)
         out_of_memory("overlapping draws", sizeof(*overlap));
      engine->overlap = overlap;
   }
   if (!overlap->run_count)
      amd_wave_engine_set_schedule(overlap, &engine->rounds.schedule);
   overlap->rounds.budget = engine->rounds.budget;
   overlap->report = engine->report;
   overlap->trace = engine->trace;
   overlap->reference = engine->reference;
   return overlap;
}

bool
amd_wave_add(struct amd_wave_engine *engine, const struct amd_wave_launch *launch, struct sim_fault *fault)
{
   struct amd_wave_engine *overlap = get_overlap(engine);
   struct sim_rounds *rounds = &overlap->rounds;
   if (!amd_wave_engine_take(engine, launch->group_count, "a launch of", launch->program, fault))
      return false;
   if (!overlap->run_count && !sim_rounds_open(rounds, 1, AMD_WAVE_RESIDENT))
      return sim_fault_set(fault, SIM_FAULT_EXHAUSTED, launch->program, "out of host memory for waves");
   if (!wave_run_begin(overlap, launch, rounds->group_count, fault))
      return false;
   sim_rounds_add(rounds, launch->group_count);
   return true;
}

uint64_t
amd_wave_lead(struct amd_wave_engine *engine)
{
   const struct sim_schedule *schedule = &engine->rounds.schedule;
   uint64_t random = sim_schedule_random(schedule->seed, ++engine->leads, schedule->kind);
   if (schedule->kind != SIM_SCHEDULE_SEED)
      return 0;
   switch (random & 3) {
   case 0:
      return 0;
   case 1:
      return random >> 8 & 15;
   case 2:
      return random >> 8 & 255;
   default:
      return UINT64_MAX;
   }
}

/* Whose program a fault is of. */
static struct wave_run *
faulty_run(struct amd_wave_engine *overlap)
{
   const struct sim_rounds *r = &overlap->rounds;
   for (uint32_t g = r->first; g < r->end; g++) {
      const struct sim_group *group = sim_rounds_group(r, g);
      if (sim_group_wave(group, 0)->fault.kind)
         return (struct wave_run *)((const struct group *)group)->run;
   }
   return wave_first_run(overlap);
}

bool
amd_wave_continue(struct amd_wave_engine *engine, uint64_t *rounds, bool *ended, struct sim_fault *fault)
{
   struct amd_wave_engine *overlap = engine->overlap;
   struct wave_run *run = wave_first_run(overlap);
   struct sim_rounds *r = &overlap->rounds;
   r->round = MAX2(r->round, engine->rounds.round);
   wave_run_tell_races(run);
   bool ok = sim_rounds_run_some(r, run->end, rounds, fault);
   *ended = ok && r->first == run->end;
   if (!ok)
      *run = *faulty_run(overlap); /* which a report names */
   return (ok && !*ended) || wave_run_end(overlap, ok, fault);
}

void
amd_wave_forget(struct amd_wave_engine *engine)
{
   if (engine->overlap)
      engine->overlap->run_count = 0;
}
