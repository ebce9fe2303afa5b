/* Rounds: the chosen groups run in parallel, then queues commit in order, groups retire and others start. */
#include "amd/sim/wave/wave.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "amd/sim/wave/wave_float.h"
#include "amd/sim/wave/wave_schedule.h"
#include "amd/sim/wave/wave_watch.h"
#include "sim/race.h"
#include "util/hash.h"
#include "util/macros.h"
#include "util/within_memory.h"

#define QUEUE_LIMIT 8192      /* queued operations after which a wave waits for the serial phase */
#define RESIDENT_WAVES 256
#define DEFAULT_BUDGET (UINT64_C(1) << 27)
#define IDLE_ROUNDS 512       /* of waves that poll in vain, until they count as hung */
#define GARBAGE 0x7fadbeefu   /* a NaN as a float */

struct amd_wave_engine *
amd_wave_engine_create(struct sim_pool *pool)
{
   struct amd_wave_engine *engine = calloc(1, sizeof(*engine));
   if (!engine)
      return NULL;
   engine->pool = pool;
   amd_wave_engine_set_budget(engine, 0);
   return engine;
}

void
amd_wave_engine_set_budget(struct amd_wave_engine *engine, uint64_t budget)
{
   engine->budget = budget ? budget : DEFAULT_BUDGET;
}

void
amd_wave_engine_set_schedule(struct amd_wave_engine *engine, const struct sim_schedule *schedule)
{
   engine->schedule = *schedule;
   for (unsigned i = 0; i < AMD_POPS_MAX_PACKERS; i++) {
      /* Where ids begin is open too: near the wrap, unless in order. */
      bool wraps = schedule->kind == SIM_SCHEDULE_WORST || schedule->kind == SIM_SCHEDULE_SEED;
      uint64_t r = sim_schedule_random(schedule->seed, i, schedule->kind);
      engine->pops.base[i] = wraps ? (AMD_POPS_ID_MASK - (uint32_t)(r & 31)) & AMD_POPS_ID_MASK : 0;
   }
}

void
amd_wave_engine_set_trace(struct amd_wave_engine *engine, struct sim_trace *trace)
{
   wave_trace_destroy(engine->trace);
   engine->trace = trace ? wave_trace_create(trace) : NULL;
}

static void
free_groups(struct amd_wave_engine *engine)
{
   for (uint32_t g = 0; g < engine->group_capacity; g++) {
      struct group *group = &engine->groups[g];
      for (uint32_t i = 0; i < engine->group_waves && group->waves; i++) {
         free(group->waves[i].vgpr);
         free(group->waves[i].queue);
         free(group->waves[i].payload);
         free(group->waves[i].exports);
         dynarray_free(&group->waves[i].accesses);
      }
      free(group->waves);
      free(group->lds);
   }
   free(engine->groups);
   free(engine->chosen);
   engine->groups = NULL;
   engine->chosen = NULL;
   engine->group_capacity = engine->group_waves = 0;
}

void
amd_wave_engine_destroy(struct amd_wave_engine *engine)
{
   free_groups(engine);
   wave_programs_free(engine);
   free(engine->pops.exited);
   wave_trace_destroy(engine->trace);
   free(engine);
}

uint64_t
amd_wave_instructions(const struct amd_wave_engine *engine)
{
   return engine->instructions;
}

static bool
reserve_groups(struct amd_wave_engine *engine, uint32_t groups, uint32_t waves)
{
   if (engine->group_capacity >= groups && engine->group_waves >= waves)
      return true;
   groups = MAX2(groups, engine->group_capacity);
   waves = MAX2(waves, engine->group_waves);
   free_groups(engine);
   engine->groups = calloc(groups, sizeof(*engine->groups));
   engine->chosen = calloc(groups, sizeof(*engine->chosen));
   if (!engine->groups || !engine->chosen) {
      free_groups(engine);
      return false;
   }
   engine->group_capacity = groups;
   engine->group_waves = waves;
   for (uint32_t g = 0; g < groups; g++) {
      void *memory = NULL;
      if (posix_memalign(&memory, 64, waves * sizeof(struct wave))) {
         free_groups(engine);
         return false;
      }
      memset(memory, 0, waves * sizeof(struct wave));
      engine->groups[g].waves = memory;
   }
   return true;
}

static void
fill_garbage(uint32_t *words, size_t count)
{
   for (size_t i = 0; i < count; i++)
      words[i] = GARBAGE;
}

static void
start_registers(struct wave *w, const struct amd_wave_launch *launch, const struct amd_wave_start *start)
{
   fill_garbage(w->sgpr, ARRAY_SIZE(w->sgpr));
   w->sgpr[AMD_NULL] = 0;
   memcpy(w->sgpr, start->sgpr, MIN2(start->sgpr_count, AMD_WAVE_START_SGPRS) * 4);
   w->sgpr[AMD_EXEC_LO] = (uint32_t)start->exec;
   w->sgpr[AMD_EXEC_HI] = w->lanes == 64 ? (uint32_t)(start->exec >> 32) : 0;
   uint32_t shared = w->lanes == 64 ? launch->shared_vgprs : 0;
   uint32_t count = MAX2(launch->vgpr_count, start->vgpr_count) + shared, size = count * w->lanes;
   if (size > w->vgpr_capacity) {
      void *memory = NULL;
      if (posix_memalign(&memory, 64, (size_t)size * 4))
         out_of_memory("a wave's registers", (size_t)size * 4);
      free(w->vgpr);
      w->vgpr = memory;
      w->vgpr_capacity = size;
   }
   w->vgpr_count = count;
   w->first_shared = count - shared;
   fill_garbage(w->vgpr, size);
   for (uint32_t i = 0; i < start->vgpr_count; i++)
      memcpy(w->vgpr + (size_t)i * w->lanes, start->vgpr[i], w->lanes * 4);
}

static void
start_wave(struct wave *w, struct amd_wave_engine *engine, const struct amd_wave_launch *launch, struct group *group,
           uint32_t index, uint32_t slot, struct program *program)
{
   struct wave fresh = {.vgpr = w->vgpr, .vgpr_capacity = w->vgpr_capacity, .queue = w->queue,
                        .queue_capacity = w->queue_capacity, .payload = w->payload,
                        .payload_capacity_B = w->payload_capacity_B, .exports = w->exports,
                        .export_capacity = w->export_capacity, .quantum = w->quantum, .pops = w->pops,
                        .accesses = w->accesses};
   *w = fresh;
   w->engine = engine;
   w->launch = launch;
   w->group = group;
   w->index = index;
   w->program = program;
   w->lanes = launch->wave_size;
   w->halves = launch->wave_size / HALF;
   w->mode = launch->float_mode | (uint32_t)launch->dx10_clamp << 8 | (uint32_t)launch->ieee << 9;
   w->exec_bits[0] = w->exec_bits[1] = 0; /* exec_mask is all zero */
   amd_cache_port_open(&w->cache, launch->caches, launch->stage + 1u, group->index, index, launch->wgp_mode);
   struct amd_wave_start start;
   start.exec = 0;
   start.collision_waveid = group->collision_waveid;
   start.order_lost = engine->pops.lost;
   start.sgpr_count = start.vgpr_count = start.prim_mask = 0;
   start.params = (struct amd_wave_params){0};
   launch->start(launch->user, group->index, index, slot, &start);
   start_registers(w, launch, &start);
   w->params = start.params;
   w->prim_mask = start.prim_mask;
   w->times.start = w->times.end = wave_time(w);
   w->state = start.exec ? WAVE_RUN : WAVE_END;
}

static const enum wave_state state_after[] = {
   [STEP_NEXT] = WAVE_RUN, [STEP_YIELD] = WAVE_YIELD, [STEP_SLEEP] = WAVE_SLEEP, [STEP_AGAIN] = WAVE_COMMIT,
   [STEP_BARRIER] = WAVE_BARRIER, [STEP_END] = WAVE_END, [STEP_FAULT] = WAVE_END,
};

/* Runs a wave until it stops. The control word of the host's float unit belongs to the caller. */
static void
run_wave(struct wave *w)
{
   uint64_t end = w->round_start + w->quantum;
   const struct program *p = w->program;
   while (w->instructions < end) {
      if (w->ip >= p->code_count) {
         wave_fault(w, &p->codes[p->code_count - 1], SIM_FAULT_INSTRUCTION, sim_va(p->va.va), "ran past the end");
         w->state = WAVE_END;
         return;
      }
      const struct code *c = &p->codes[w->ip++];
      w->instructions++;
      if (c->vgpr_end > w->vgpr_count) {
         wave_fault(w, c, SIM_FAULT_INSTRUCTION, sim_va(0), "VGPR above the %u allocated", w->vgpr_count);
         w->state = WAVE_END;
         return;
      }
      if (c->vgpr_end > w->first_shared && !exec_is_valu(c) && !exec_is_permute(c)) {
         wave_fault(w, c, SIM_FAULT_INSTRUCTION, sim_va(0),
                    "the model has shared VGPRs in plain vector instructions and permutations only");
         w->state = WAVE_END;
         return;
      }
      enum step step = w->any_pending && !wave_check_uses(w, c) ? STEP_FAULT : c->run(w, c);
      if (step == STEP_NEXT) {
         if (w->queue_count > QUEUE_LIMIT)
            break;
         continue;
      }
      if (step == STEP_AGAIN)
         w->ip = (uint32_t)(c - p->codes);
      w->exhausted = step == STEP_YIELD;
      w->times.end = wave_time(w);
      w->state = state_after[step];
      return;
   }
   w->exhausted = true;
   w->state = w->queue_count > QUEUE_LIMIT ? WAVE_COMMIT : WAVE_YIELD;
}

/* Releases the barrier if every wave that has not ended stands at it. */
static bool
release_barrier(struct group *group)
{
   bool any = false;
   for (uint32_t i = 0; i < group->wave_count; i++) {
      if (group->waves[i].state != WAVE_BARRIER && group->waves[i].state != WAVE_END)
         return false;
      any |= group->waves[i].state == WAVE_BARRIER;
   }
   for (uint32_t i = 0; i < group->wave_count; i++)
      if (group->waves[i].state == WAVE_BARRIER)
         group->waves[i].state = WAVE_RUN;
   return any;
}

struct group_run {
   struct amd_wave_engine *engine;
   struct group *group;
};

static void
run_group(void *data)
{
   const struct group_run *run = data;
   struct amd_wave_engine *engine = run->engine;
   struct group *group = run->group;
   bool backward = engine->schedule.kind == SIM_SCHEDULE_WORST;
   for (bool again = true; again;) {
      for (uint32_t i = 0; i < group->wave_count; i++) {
         struct wave *w = &group->waves[backward ? group->wave_count - 1 - i : i];
         if (w->state != WAVE_RUN || !w->quantum)
            continue;
         uint64_t before = w->instructions;
         wave_float_mode(w->mode);
         run_wave(w);
         group->ran += w->instructions - before;
         if (w->fault.kind)
            return;
      }
      again = release_barrier(group);
   }
}

struct round {
   struct amd_wave_engine *engine;
   const struct amd_wave_launch *launch;
   struct program *program;
   struct residents residents;
};

/* Registers and LDS of a group, at the start of the first round that runs it. */
static void
start_group(const struct round *round, struct group *group, uint32_t slot)
{
   const struct amd_wave_launch *launch = round->launch;
   if (launch->lds_size_B > group->lds_capacity_B) {
      group->lds = need_realloc("a group's LDS", group->lds, launch->lds_size_B + 16);
      group->lds_capacity_B = launch->lds_size_B;
   }
   if (launch->lds_size_B)
      fill_garbage((uint32_t *)group->lds, launch->lds_size_B / 4);
   for (uint32_t i = 0; i < group->wave_count; i++)
      start_wave(&group->waves[i], round->engine, launch, group, i, slot * group->wave_count + i, round->program);
   group->starting = false;
}

static void
round_task(void *data, unsigned task)
{
   const struct round *round = data;
   uint32_t slot = round->engine->chosen[task];
   struct group *group = &round->engine->groups[slot];
   if (group->starting)
      start_group(round, group, slot);
   struct group_run run = {round->engine, group};
   uint32_t saved = wave_float_save();
   bool ok = within_memory(run_group, &run);
   wave_float_restore(saved);
   if (!ok)
      out_of_memory("a group of waves", 0);
}

/* Takes the next group into its slot. */
static void
admit_group(struct round *round)
{
   struct amd_wave_engine *engine = round->engine;
   uint32_t index = round->residents.next++;
   struct group *group = resident_group(engine, &round->residents, index);
   group->index = index;
   group->wave_count = round->launch->waves_per_group;
   group->starting = true;
   group->done = false;
   group->ran = 0;
   for (uint32_t i = 0; i < group->wave_count; i++) {
      struct wave *w = &group->waves[i];
      w->state = WAVE_RUN;
      w->group = group;
      w->index = i;
      w->quantum = w->spins = w->queue_count = 0;
      w->instructions = w->round_start = 0;
      w->exhausted = false;
      w->accesses.size_B = 0;
      w->fault.kind = SIM_FAULT_NONE;
      w->pops = (struct wave_pops){0};
      w->loop = (struct wave_loop){0};
      w->hazards = (struct wave_hazards){0};
   }
   group->collision_waveid =
      round->launch->pops ? wave_pops_admit(&engine->pops, &group->waves[0].pops, index) : 0;
}

static void
retire_group(const struct round *round, const struct group *group)
{
   const struct amd_wave_launch *launch = round->launch;
   for (uint32_t i = 0; i < launch->waves_per_group && launch->retire; i++) {
      const struct wave *w = &group->waves[i];
      struct amd_wave_result result = {w->export_count, w->exports, w->instructions};
      launch->retire(launch->user, group->index, i, &result);
   }
   for (uint32_t i = 0; i < launch->waves_per_group && launch->races; i++)
      wave_race_retire(&group->waves[i]);
   for (uint32_t i = 0; i < launch->waves_per_group && round->engine->trace; i++)
      wave_trace_retire(round->engine->trace, &group->waves[i]);
}

/* Retires what is done in order and fills free slots, many at a time so that rounds stay wide. Returns whether any
 * group retired. */
static bool
turn_over(struct round *round)
{
   struct residents *r = &round->residents;
   uint32_t before = r->head, count = round->launch->group_count;
   while (r->head < r->next && resident_group(round->engine, r, r->head)->done) {
      retire_group(round, resident_group(round->engine, r, r->head));
      r->head_slot = resident_slot(r, r->head + 1);
      r->head++;
   }
   if (r->next - r->head <= r->window - r->window / 4) {
      while (r->next < count && r->next - r->head < r->window)
         admit_group(round);
   }
   return r->head != before;
}

/* Runs all groups to their end. */
static bool
run_rounds(struct round *round, struct sim_fault *fault)
{
   struct amd_wave_engine *engine = round->engine;
   struct residents *r = &round->residents;
   bool last = false;
   turn_over(round);
   while (r->head < r->next) {
      wave_schedule_choose(engine, r);
      if (!engine->chosen_count && last)
         return wave_schedule_hang(engine, r, fault);
      last = !engine->chosen_count;
      sim_pool_run(engine->pool, engine->chosen_count, round_task, round);
      engine->rounds++;
      if (!wave_schedule_land(engine, r, last, fault))
         return false;
      if (turn_over(round))
         last = false;
      if (engine->idle_rounds > IDLE_ROUNDS)
         return wave_schedule_hang(engine, r, fault);
   }
   return true;
}

/* A report also names the program by its code, as its compiler can: docs/howto-debug.md. Returns false. */
static bool
name_program(const struct program *program, struct sim_fault *fault)
{
   size_t used = strlen(fault->message);
   snprintf(fault->message + used, sizeof(fault->message) - used, "; shader %016" PRIx64 " at 0x%" PRIx64,
            hash_bytes(program->words, program->dw_count * 4), program->va.va);
   return false;
}

bool
amd_wave_run(struct amd_wave_engine *engine, const struct amd_wave_launch *launch, struct sim_fault *fault)
{
   if ((launch->wave_size != 32 && launch->wave_size != 64) || !launch->waves_per_group ||
       launch->waves_per_group > AMD_WAVE_MAX_PER_GROUP)
      return sim_fault_set(fault, SIM_FAULT_STATE, launch->program, "launch of %u waves of %u lanes a group",
                           launch->waves_per_group, launch->wave_size);
   struct round round = {engine, launch, wave_program(engine, launch), {0}};
   if (!round.program)
      return sim_fault_set(fault, SIM_FAULT_ADDRESS, launch->program, "no executable memory at 0x%llx",
                           (unsigned long long)launch->program.va);
   uint32_t window = MAX2(RESIDENT_WAVES / launch->waves_per_group, 1);
   if (launch->scratch_waves)
      window = MAX2(MIN2(window, launch->scratch_waves / launch->waves_per_group), 1);
   window = MIN2(window, MAX2(launch->group_count, 1));
   if (!reserve_groups(engine, window, launch->waves_per_group))
      return sim_fault_set(fault, SIM_FAULT_EXHAUSTED, launch->program, "out of host memory for waves");
   round.residents.window = window;
   engine->idle_rounds = 0;
   engine->watches = engine->any_long = engine->alone = false;
   engine->lead = 0;
   wave_pops_begin(engine, launch->pops, round.program);
   if (launch->races)
      sim_races_begin_launch(launch->races, launch->program, wave_race_print, round.program);
   bool ok = run_rounds(&round, fault);
   if (engine->trace)
      wave_trace_end_launch(engine->trace, engine, &round.residents);
   return (ok && wave_pops_finish(engine, fault)) || name_program(round.program, fault);
}
