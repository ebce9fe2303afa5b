/* The waves of AMD's hardware as the rounds (sim/waves/rounds.h) run them: how they start, step and end. */
#include "amd/sim/wave/wave.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "amd/sim/wave/exec.h"
#include "amd/sim/wave/wave_loop.h"
#include "amd/sim/wave/wave_run.h"
#include "amd/sim/wave/wave_watch.h"
#include "sim/waves/race.h"
#include "util/macros.h"
#include "util/within_memory.h"

#define DEFAULT_BUDGET (UINT64_C(1) << 27)

static const struct sim_wave_model model;

struct amd_wave_engine *
amd_wave_engine_create(struct sim_pool *pool)
{
   struct amd_wave_engine *engine = calloc(1, sizeof(*engine));
   if (!engine)
      return NULL;
   sim_rounds_init(&engine->rounds, &model, pool);
   amd_wave_engine_set_budget(engine, 0);
   amd_wave_engine_set_limit(engine, UINT64_MAX);
   return engine;
}

void
amd_wave_engine_set_budget(struct amd_wave_engine *engine, uint64_t budget)
{
   engine->rounds.budget = budget ? budget : DEFAULT_BUDGET;
}

void
amd_wave_engine_set_schedule(struct amd_wave_engine *engine, const struct sim_schedule *schedule)
{
   engine->rounds.schedule = *schedule;
   for (unsigned i = 0; i < AMD_POPS_MAX_PACKERS; i++) {
      /* Where ids begin is open too: near the wrap, unless in order. */
      bool wraps = schedule->kind == SIM_SCHEDULE_WORST || schedule->kind == SIM_SCHEDULE_SEED;
      uint64_t r = sim_schedule_random(schedule->seed, i, schedule->kind);
      engine->pops.base[i] = wraps ? (AMD_POPS_ID_MASK - (uint32_t)(r & 31)) & AMD_POPS_ID_MASK : 0;
   }
}

void
amd_wave_engine_set_limit(struct amd_wave_engine *engine, uint64_t waves)
{
   engine->waves_left = waves;
}

bool
amd_wave_engine_take(struct amd_wave_engine *engine, uint64_t waves, const char *what, struct sim_va va,
                     struct sim_fault *fault)
{
   if (waves > engine->waves_left)
      return sim_fault_set(fault, SIM_FAULT_HANG, va, "%s %" PRIu64 " waves: the job may have %" PRIu64 " more", what,
                           waves, engine->waves_left);
   engine->waves_left -= waves;
   return true;
}

void
amd_wave_engine_set_report(struct amd_wave_engine *engine, struct amd_report *report)
{
   engine->report = report;
}

void
amd_wave_engine_set_lds_races(struct amd_wave_engine *engine, struct sim_lds_races *races)
{
   engine->lds_races = races;
}

void
amd_wave_engine_set_reference(struct amd_wave_engine *engine, bool reference)
{
   engine->reference = reference;
}

void
amd_wave_engine_set_trace(struct amd_wave_engine *engine, struct sim_trace *trace)
{
   wave_trace_destroy(engine->trace);
   engine->trace = trace ? wave_trace_create(trace) : NULL;
}

static void
free_wave(struct sim_wave *base)
{
   struct wave *w = (struct wave *)base;
   state_free(&w->state);
   free(w->exports);
   dynarray_free(&w->accesses);
   dynarray_free(&w->messages);
   dynarray_free(&w->way_log.operations);
   dynarray_free(&w->way_log.codes);
}

static void
free_group(struct sim_group *base)
{
   free(((struct group *)base)->lds);
   sim_lds_watch_free(&((struct group *)base)->lds_watch);
}

void
amd_wave_engine_destroy(struct amd_wave_engine *engine)
{
   sim_rounds_free(&engine->rounds);
   wave_programs_free(engine);
   wave_trace_destroy(engine->trace);
   if (engine->overlap) {
      engine->overlap->trace = NULL; /* is this one's */
      amd_wave_engine_destroy(engine->overlap);
   }
   free(engine);
}

uint64_t
amd_wave_instructions(const struct amd_wave_engine *engine)
{
   return engine->rounds.instructions + (engine->overlap ? engine->overlap->rounds.instructions : 0);
}

static void
start_wave(struct wave *w, struct amd_wave_engine *engine, struct group *group, uint32_t slot)
{
   const struct wave_run *run = group->run;
   const struct amd_wave_launch *launch = run->launch;
   memset((char *)w + offsetof(struct wave, engine), 0, sizeof(*w) - offsetof(struct wave, engine));
   w->messages.size_B = 0;
   w->engine = engine;
   w->run = run;
   w->launch = launch;
   w->program = run->program;
   w->lds = group->lds;
   if (engine->lds_races && launch->waves_per_group > 1)
      w->lds_watch = &group->lds_watch;
   amd_cache_port_open(&w->cache, launch->caches, &run->packet, launch->stage, group->base.index, w->base.index,
                       launch->wgp_mode);
   struct amd_wave_start start;
   start.exec = 0;
   start.collision_waveid = group->collision_waveid;
   start.order_lost = w->pops.lost;
   start.sgpr_count = start.vgpr_count = start.prim_mask = 0;
   start.flat_scratch = 0;
   start.params = (struct amd_wave_params){0};
   launch->start(launch->user, group->base.index, w->base.index, slot, &start);
   state_start(&w->state, launch, &start);
   wave_way_start(w);
   w->params = start.params;
   w->prim_mask = start.prim_mask;
   w->times.start = w->times.end = sim_wave_time(&w->base);
   w->base.state = start.exec ? SIM_WAVE_RUN : SIM_WAVE_END;
}

/* Of another group now. */
static void
renew_wave(struct wave *w)
{
   w->accesses.size_B = 0;
   w->pops = (struct wave_pops){0};
}

/* Registers and LDS of a group. */
static void
start_group(struct sim_rounds *rounds, struct sim_group *base, uint32_t slot)
{
   struct amd_wave_engine *engine = (struct amd_wave_engine *)rounds;
   struct group *group = (struct group *)base;
   uint32_t lds_B = group->run->launch->lds_size_B;
   if (lds_B > group->lds_capacity_B) {
      group->lds = need_realloc("a group's LDS", group->lds, lds_B + 16);
      group->lds_capacity_B = lds_B;
   }
   if (lds_B)
      state_fill_garbage((uint32_t *)group->lds, lds_B / 4);
   if (engine->lds_races)
      sim_lds_watch_start(&group->lds_watch, lds_B);
   for (uint32_t i = 0; i < base->wave_count; i++) {
      struct wave *w = (struct wave *)sim_group_wave(base, i);
      if (rounds->brief)
         renew_wave(w);
      start_wave(w, engine, group, slot * base->wave_count + i);
   }
}

static struct wave_run *
run_of(struct amd_wave_engine *engine, uint32_t group)
{
   unsigned i = engine->first_run;
   while (engine->runs[i].end <= group)
      i = (i + 1) % AMD_WAVE_MAX_ADDED;
   return &engine->runs[i];
}

static void
admit_group(struct sim_rounds *rounds, struct sim_group *base)
{
   struct amd_wave_engine *engine = (struct amd_wave_engine *)rounds;
   struct group *group = (struct group *)base;
   struct wave_run *run = run_of(engine, base->number);
   base->index = base->number - run->first;
   group->run = run;
   group->collision_waveid = 0;
   for (uint32_t i = 0; i < base->wave_count && !rounds->brief; i++)
      renew_wave((struct wave *)sim_group_wave(base, i));
   if (!run->launch->pops)
      return;
   struct wave *first = (struct wave *)sim_group_wave(base, 0);
   group->collision_waveid =
      wave_pops_admit(&engine->pops, &run->pops, &first->pops, base->index, run->program->traits->pops_in_mode);
}

/* Nothing that has happened in the program before means anything to the next one's places. */
static void
enter_program(struct wave *w)
{
   struct program *program = wave_program(w->engine, w->launch, w->jump_va);
   w->jumps = false;
   w->jump_failed = !program;
   if (!program)
      return;
   w->program = program;
   w->base.next = 0;
   w->base.loop.jumps = w->base.loop.jumps_before = (struct sim_jumps){0};
}

static void
update_wave(struct sim_wave *base)
{
   struct wave *w = (struct wave *)base;
   if (w->jumps)
      enter_program(w);
   amd_cache_port_commit(&w->cache);
   wave_pops_update(&w->engine->pops, w);
}

static void
end_round(struct sim_rounds *rounds)
{
   struct amd_wave_engine *engine = (struct amd_wave_engine *)rounds;
   if (engine->trace)
      wave_trace_round(engine->trace, rounds);
   if (wave_pops_advance(&engine->pops) && rounds->schedule.kind == SIM_SCHEDULE_WORST)
      sim_rounds_forget_spins(rounds);
}

static bool
wakes(const struct sim_wave *base)
{
   const struct wave *w = (const struct wave *)base;
   return wave_pops_wakes(&w->engine->pops, w);
}

static void
tell_results(const struct sim_group *group)
{
   const struct amd_wave_launch *launch = ((const struct group *)group)->run->launch;
   for (uint32_t i = 0; i < group->wave_count && launch->retire; i++) {
      const struct wave *w = (const struct wave *)sim_group_wave(group, i);
      const struct amd_wave_result result = {.count = w->export_count,
                                             .exports = w->exports,
                                             .message_count =
                                                (uint32_t)dynarray_count(&w->messages, struct amd_wave_message),
                                             .messages = w->messages.data,
                                             .instructions = w->base.instructions,
                                             .state = &w->state,
                                             .lds = w->lds};
      launch->retire(launch->user, group->index, i, &result);
   }
}

/* Only what update_wave() would do needs the serial phase. */
static bool
finish_group(struct sim_rounds *rounds, struct sim_group *group)
{
   for (uint32_t i = 0; i < group->wave_count; i++) {
      const struct wave *w = (const struct wave *)sim_group_wave(group, i);
      if (w->jumps || w->pops.info || amd_cache_port_changes(&w->cache))
         return false;
      if (rounds->independent && w->base.loop.read_clock) /* rounds take time */
         return false;
   }
   tell_results(group);
   return true;
}

static void
retire_group(struct sim_rounds *rounds, struct sim_group *group)
{
   struct amd_wave_engine *engine = (struct amd_wave_engine *)rounds;
   const struct amd_wave_launch *launch = ((struct group *)group)->run->launch;
   tell_results(group);
   if (engine->lds_races)
      sim_lds_races_take(engine->lds_races, &((struct group *)group)->lds_watch, group->index);
   for (uint32_t i = 0; i < group->wave_count && launch->races; i++)
      wave_race_retire((struct wave *)sim_group_wave(group, i));
   for (uint32_t i = 0; i < group->wave_count && engine->trace; i++)
      wave_trace_retire(engine->trace, (const struct wave *)sim_group_wave(group, i));
}

static const struct sim_wave_model model = {
   .wave_B = sizeof(struct wave),
   .group_B = sizeof(struct group),
   .start = start_group,
   .run = exec_run,
   .finish = finish_group,
   .admit = admit_group,
   .update = update_wave,
   .land = wave_land,
   .end_round = end_round,
   .wakes = wakes,
   .retire = retire_group,
   .meets_group = wave_meets_group,
   .traffic = wave_traffic,
   .hash = wave_hash,
   .has_other_inputs = wave_has_other_inputs,
   .describe_loop = wave_describe_loop,
   .describe_wait = wave_describe_wait,
   .place_va = wave_place_va,
   .hang = wave_hang,
   .free_wave = free_wave,
   .free_group = free_group,
};

bool
amd_wave_run(struct amd_wave_engine *engine, const struct amd_wave_launch *launch, struct sim_fault *fault)
{
   struct sim_rounds *rounds = &engine->rounds;
   if ((launch->wave_size != 32 && launch->wave_size != 64) || !launch->waves_per_group ||
       launch->waves_per_group > AMD_WAVE_MAX_PER_GROUP)
      return sim_fault_set(fault, SIM_FAULT_STATE, launch->program, "launch of %u waves of %u lanes a group",
                           launch->waves_per_group, launch->wave_size);
   const uint64_t waves = ((uint64_t)launch->group_count + launch->groups_alike) * launch->waves_per_group;
   const uint64_t instructions = rounds->instructions;
   if (!amd_wave_engine_take(engine, waves, "a launch of", launch->program, fault))
      return false;
   engine->ordered_next = launch->ordered.first;
   engine->run_count = 0;
   struct wave_run *run = wave_run_begin(engine, launch, 0, fault);
   if (!run)
      return false;
   rounds->brief = launch->retires_anywhere && !launch->pops && !launch->races && !engine->lds_races &&
                   !engine->trace && !engine->reference;
   rounds->independent = !run->program->meets && !launch->scratch_waves && !engine->report;
   rounds->round = engine->overlap ? MAX2(rounds->round, engine->overlap->rounds.round) : rounds->round;
   uint32_t resident = launch->scratch_waves ? MIN2(AMD_WAVE_RESIDENT, launch->scratch_waves) : AMD_WAVE_RESIDENT;
   if (!sim_rounds_begin(rounds, launch->group_count, launch->waves_per_group, resident))
      return sim_fault_set(fault, SIM_FAULT_EXHAUSTED, launch->program, "out of host memory for waves");
   wave_run_tell_races(run);
   const bool independent = rounds->independent && rounds->brief;
   bool ok = sim_rounds_run(rounds, fault);
   run->program->meets |= independent && !rounds->independent;
   if (launch->groups_alike)
      rounds->instructions += (rounds->instructions - instructions) / launch->group_count * launch->groups_alike;
   if (engine->lds_races)
      sim_lds_races_end_launch(engine->lds_races);
   return wave_run_end(engine, ok, fault);
}
