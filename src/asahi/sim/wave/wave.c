/* Simd-groups as the rounds (sim/waves/rounds.h) run them: how they start, step and end. */
#include "asahi/sim/wave/wave.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "asahi/sim/wave/exec.h"
#include "asahi/sim/wave/wave_helper.h"
#include "asahi/sim/wave/wave_loop.h"
#include "asahi/sim/wave/wave_trace.h"
#include "asahi/sim/wave/wave_watch.h"
#include "sim/waves/race.h"
#include "sim/waves/timeline.h"
#include "util/within_memory.h"

#define RESIDENT_WAVES 256
#define DEFAULT_BUDGET (UINT64_C(1) << 27)

static const struct sim_wave_model model;

struct agx_wave_engine *
agx_wave_engine_create(struct sim_pool *pool)
{
   struct agx_wave_engine *engine = calloc(1, sizeof(*engine));
   if (!engine)
      return NULL;
   sim_rounds_init(&engine->rounds, &model, pool);
   agx_wave_engine_set_budget(engine, 0);
   agx_wave_engine_set_limit(engine, UINT64_MAX);
   if (!pool || agx_wave_engine_set_cores(engine, &(uint64_t){1}, 1, 1))
      return engine;
   agx_wave_engine_destroy(engine);
   return NULL;
}

void
agx_wave_engine_destroy(struct agx_wave_engine *engine)
{
   sim_rounds_free(&engine->rounds);
   sim_timeline_destroy(engine->timeline);
   wave_helpers_destroy(engine->helpers);
   wave_cache_destroy(engine->cache);
   wave_programs_free(engine);
   dynarray_free(&engine->draws);
   free(engine);
}

bool
agx_wave_engine_set_cores(struct agx_wave_engine *engine, const uint64_t *core_masks, uint32_t clusters,
                          uint32_t cores_per_cluster)
{
   struct wave_helpers *helpers = wave_helpers_create(core_masks, clusters, cores_per_cluster);
   if (!helpers)
      return false;
   wave_helpers_destroy(engine->helpers);
   engine->helpers = helpers;
   return true;
}

void
agx_wave_engine_set_clusters(struct agx_wave_engine *engine, bool clusters)
{
   engine->clusters = clusters;
}

void
agx_wave_engine_set_budget(struct agx_wave_engine *engine, uint64_t budget)
{
   engine->rounds.budget = budget ? budget : DEFAULT_BUDGET;
}

void
agx_wave_engine_set_limit(struct agx_wave_engine *engine, uint64_t waves)
{
   engine->waves_left = waves;
}

void
agx_wave_engine_set_schedule(struct agx_wave_engine *engine, const struct sim_schedule *schedule)
{
   engine->rounds.schedule = *schedule;
}

void
agx_wave_engine_set_reference(struct agx_wave_engine *engine, bool reference)
{
   engine->reference = reference;
}

void
agx_wave_engine_set_textures(struct agx_wave_engine *engine, struct agx_tex_cache *textures)
{
   engine->textures = textures;
}

bool
agx_wave_engine_set_trace(struct agx_wave_engine *engine, struct sim_trace *trace)
{
   sim_timeline_destroy(engine->timeline);
   engine->timeline = trace ? sim_timeline_create(trace, AGX_STAGES) : NULL;
   return engine->timeline || !trace;
}

uint64_t
agx_wave_instructions(const struct agx_wave_engine *engine)
{
   return engine->rounds.instructions;
}

static void
free_wave(struct sim_wave *base)
{
   struct wave *w = (struct wave *)base;
   free(w->stack);
   free(w->outputs);
   dynarray_free(&w->accesses);
   dynarray_free(&w->written);
}

static void
free_group(struct sim_group *base)
{
   free(((struct group *)base)->local);
}

/* The struct is large: what an earlier wave left in it is cleared field by field. */
void
wave_reset(struct wave *w, struct agx_wave_engine *engine, const struct group *group)
{
   w->engine = engine;
   w->launch = engine->launch;
   wave_set_draw(w, 0);
   w->local = group->local;
   w->tlb_size_B = 0;
   w->waits_for = w->released = w->entered = 0;
   w->accesses.size_B = w->written.size_B = 0;
   w->helps = NULL;
   w->outputs_done = false;
   w->tests_queued = 0;
   w->reads_issued = w->writes_issued = 0;
   memset(w->tested, 0, sizeof(w->tested));
   memset(w->killed, 0, sizeof(w->killed));
   memset(w->has_output, 0, sizeof(w->has_output));
   if (w->program->stage == AGX_STAGE_VERTEX && !w->outputs)
      w->outputs = need_malloc("a wave's results", AGX_WAVE_OUTPUTS * sizeof(*w->outputs));
}

static void
start_wave(struct wave *w, struct agx_wave_engine *engine, const struct group *group)
{
   const struct agx_wave_launch *launch = engine->launch;
   struct agx_wave_start start = {0};
   wave_reset(w, engine, group);
   if (engine->bindings)
      start.lanes = 1;
   else if (w->program->stage == AGX_STAGE_COMPUTE)
      wave_start_compute(w, &start);
   if (launch->start)
      launch->start(launch->user, group->base.index, w->base.index, &start);
   if (start.draw)
      wave_set_draw(w, start.draw);
   w->fragments = start.fragments;
   memcpy(w->live, start.fragments.samples, sizeof(w->live));
   state_start(&w->state, &start, engine->bindings ? w->program->preamble_registers : w->program->registers);
   w->base.state = start.lanes ? SIM_WAVE_RUN : SIM_WAVE_END;
   wave_stack_start(w);
   w->start_time = w->end_time = sim_wave_time(&w->base);
}

static void
start_group(struct sim_rounds *rounds, struct sim_group *base, uint32_t slot)
{
   struct agx_wave_engine *engine = (struct agx_wave_engine *)rounds;
   struct group *group = (struct group *)base;
   uint32_t local_B = wave_first_draw(engine)->program->threadgroup_B; /* of many draws: pixels have none */
   (void)slot;
   if (local_B > group->local_capacity_B) {
      group->local = need_realloc("a group's memory", group->local, local_B + 16);
      group->local_capacity_B = local_B;
   }
   if (local_B)
      state_fill_garbage((uint32_t *)(void *)group->local, local_B / 4);
   for (uint32_t i = 0; i < base->wave_count; i++)
      start_wave((struct wave *)sim_group_wave(base, i), engine, group);
}

static void
admit_group(struct sim_rounds *rounds, struct sim_group *base)
{
   (void)rounds;
   for (uint32_t i = 0; i < base->wave_count; i++)
      ((struct wave *)sim_group_wave(base, i))->clear = 0;
}

static void
update_wave(struct sim_wave *base)
{
   (void)base;
}

static void
end_round(struct sim_rounds *rounds)
{
   const struct agx_wave_engine *engine = (const struct agx_wave_engine *)rounds;
   wave_stack_serve(rounds);
   if (wave_is_of_pixels(engine))
      wave_order_advance(rounds);
}

static void
retire_group(struct sim_rounds *rounds, struct sim_group *group)
{
   const struct agx_wave_launch *launch = ((const struct agx_wave_engine *)rounds)->launch;
   for (uint32_t i = 0; i < group->wave_count; i++) {
      struct wave *w = (struct wave *)sim_group_wave(group, i);
      wave_stack_retire((struct agx_wave_engine *)rounds, w);
      if (launch->races)
         wave_race_retire(w);
      wave_trace_retire((const struct agx_wave_engine *)rounds, w);
      if (!launch->retire)
         continue;
      const struct agx_wave_result result = {.instructions = w->base.instructions,
                                             .outputs = (const uint32_t(*)[LANES])w->outputs,
                                             .has_output = w->has_output,
                                             .samples = w->live,
                                             .registers = &w->state};
      if (w->base.instructions)
         launch->retire(launch->user, group->index, i, &result);
   }
}

static const struct sim_wave_model model = {
   .wave_B = sizeof(struct wave),
   .group_B = sizeof(struct group),
   .start = start_group,
   .run = exec_run,
   .admit = admit_group,
   .update = update_wave,
   .land = wave_land,
   .end_round = end_round,
   .wakes = wave_order_wakes,
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

static bool
run_launch(struct agx_wave_engine *engine, const struct agx_wave_launch *launch, struct sim_fault *fault)
{
   struct sim_va program = launch->draw_count ? launch->draws->program->code : launch->program->code;
   if (!launch->waves_per_group || launch->waves_per_group > AGX_WAVE_MAX_PER_GROUP)
      return sim_fault_set(fault, SIM_FAULT_STATE, program, "launch of %u simd-groups a group",
                           launch->waves_per_group);
   const uint64_t waves = (uint64_t)launch->group_count * launch->waves_per_group;
   if (waves > engine->waves_left)
      return sim_fault_set(fault, SIM_FAULT_HANG, program, "%" PRIu64 " simd-groups, where %" PRIu64 " more may run",
                           waves, engine->waves_left);
   engine->waves_left -= waves;
   engine->launch = launch;
   if (!wave_draws_begin(engine, fault))
      return false;
   if (!sim_rounds_begin(&engine->rounds, launch->group_count, launch->waves_per_group, RESIDENT_WAVES))
      return sim_fault_set(fault, SIM_FAULT_EXHAUSTED, program, "out of host memory for simd-groups");
   wave_stack_begin(engine);
   wave_cache_begin(engine);
   if (launch->races)
      wave_race_begin(engine);
   bool ok = wave_stack_end(engine, sim_rounds_run(&engine->rounds, fault), fault);
   wave_trace_end_launch(engine);
   if (!ok)
      wave_draws_name(engine, fault);
   return ok;
}

bool
agx_wave_run(struct agx_wave_engine *engine, const struct agx_wave_launch *launch, struct sim_fault *fault)
{
   engine->bindings = NULL;
   return run_launch(engine, launch, fault);
}

bool
agx_wave_run_preamble(struct agx_wave_engine *engine, const struct sim_vm *vm, struct agx_program *program,
                      bool soft_faults, const char *name, struct sim_fault *fault)
{
   const struct agx_wave_launch launch = {
      .program = program, .name = name, .vm = vm, .soft_faults = soft_faults, .group_count = 1, .waves_per_group = 1};
   engine->bindings = program;
   bool ok = run_launch(engine, &launch, fault);
   engine->bindings = NULL;
   return ok;
}
