/* Rounds: the resident groups run in parallel, then their queues commit in order. */
#include "amd/sim/wave.h"

#include <stdlib.h>
#include <string.h>

#include "amd/sim/wave_float.h"
#include "amd/sim/wave_private.h"
#include "util/macros.h"

#define QUANTUM 65536         /* instructions of a wave in a round */
#define QUEUE_LIMIT 8192      /* queued operations after which a wave waits for the serial phase */
#define RESIDENT_WAVES 256
#define DEFAULT_BUDGET (UINT64_C(1) << 25)
#define BATCH_BUDGETS 16      /* resident waves together may run this many budgets without a group ending */
#define GARBAGE 0x7fadbeefu   /* a NaN as a float */

struct amd_wave_engine *
amd_wave_engine_create(struct amd_pool *pool, uint64_t budget)
{
   struct amd_wave_engine *engine = calloc(1, sizeof(*engine));
   if (!engine)
      return NULL;
   engine->pool = pool;
   engine->budget = budget ? budget : DEFAULT_BUDGET;
   return engine;
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
      }
      free(group->waves);
      free(group->lds);
   }
   free(engine->groups);
   engine->groups = NULL;
   engine->group_capacity = engine->group_waves = 0;
}

void
amd_wave_engine_destroy(struct amd_wave_engine *engine)
{
   free_groups(engine);
   wave_programs_free(engine);
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
   if (!engine->groups)
      return false;
   engine->group_capacity = groups;
   engine->group_waves = waves;
   for (uint32_t g = 0; g < groups; g++) {
      void *memory = NULL;
      if (posix_memalign(&memory, 64, waves * sizeof(struct wave)))
         return false;
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
      free(w->vgpr);
      if (posix_memalign(&memory, 64, (size_t)size * 4))
         abort();
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
                        .export_capacity = w->export_capacity};
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
   start.sgpr_count = start.vgpr_count = start.prim_mask = 0;
   start.params = (struct amd_wave_params){0};
   launch->start(launch->user, group->index, index, slot, &start);
   start_registers(w, launch, &start);
   w->params = start.params;
   w->prim_mask = start.prim_mask;
   w->state = start.exec ? WAVE_RUN : WAVE_END;
}

/* Runs a wave until it stops. The control word of the host's float unit belongs to the caller. */
static void
run_wave(struct wave *w, uint64_t budget)
{
   uint64_t end = w->instructions + QUANTUM;
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
         wave_fault(w, c, SIM_FAULT_INSTRUCTION, sim_va(0), "the model has shared VGPRs in plain vector instructions and permutations only");
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
      w->state = step == STEP_AGAIN ? WAVE_COMMIT : step == STEP_BARRIER ? WAVE_BARRIER : WAVE_END;
      return;
   }
   if (w->instructions > budget)
      wave_fault(w, &p->codes[MIN2(w->ip, p->code_count - 1)], SIM_FAULT_HANG, sim_va(0),
                 "still running after %llu instructions", (unsigned long long)w->instructions);
   w->state = w->fault.kind ? WAVE_END : WAVE_COMMIT;
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

static void
run_group(struct amd_wave_engine *engine, struct group *group)
{
   group->ran = 0;
   for (bool again = true; again;) {
      for (uint32_t i = 0; i < group->wave_count; i++) {
         struct wave *w = &group->waves[i];
         if (w->state != WAVE_RUN)
            continue;
         uint64_t before = w->instructions;
         wave_float_mode(w->mode);
         run_wave(w, engine->budget);
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
   uint32_t first; /* group number of groups[0] */
   bool starting;
};

static void
start_group(const struct round *round, uint32_t task)
{
   const struct amd_wave_launch *launch = round->launch;
   struct group *group = &round->engine->groups[task];
   group->index = round->first + task;
   group->wave_count = launch->waves_per_group;
   group->done = false;
   if (launch->lds_size_B > group->lds_capacity_B) {
      free(group->lds);
      group->lds = malloc(launch->lds_size_B + 16);
      if (!group->lds)
         abort();
      group->lds_capacity_B = launch->lds_size_B;
   }
   if (launch->lds_size_B)
      fill_garbage((uint32_t *)group->lds, launch->lds_size_B / 4);
   for (uint32_t i = 0; i < group->wave_count; i++)
      start_wave(&group->waves[i], round->engine, launch, group, i, task * group->wave_count + i, round->program);
}

static void
round_task(void *data, unsigned task, unsigned worker)
{
   const struct round *round = data;
   struct group *group = &round->engine->groups[task];
   if (round->starting)
      start_group(round, task);
   if (group->done)
      return;
   uint32_t saved = wave_float_save();
   run_group(round->engine, group);
   wave_float_restore(saved);
}

/* Commits in (group, wave, program) order. False after a fault; *running: groups that go on; *moved: something ran. */
static bool
serial_phase(struct amd_wave_engine *engine, uint32_t count, uint32_t *running, bool *moved, struct sim_fault *fault)
{
   *running = 0;
   *moved = false;
   for (uint32_t g = 0; g < count; g++) {
      struct group *group = &engine->groups[g];
      bool done = true;
      if (group->done)
         continue;
      engine->instructions += group->ran;
      *moved |= group->ran > 0;
      for (uint32_t i = 0; i < group->wave_count; i++) {
         struct wave *w = &group->waves[i];
         if (w->fault.kind) {
            if (!fault->kind)
               *fault = w->fault;
            return false;
         }
         if (!wave_commit(w, fault))
            return false;
         if (w->state == WAVE_COMMIT)
            w->state = WAVE_RUN;
         done &= w->state == WAVE_END;
      }
      group->done = done;
      *running += !done;
   }
   return true;
}

static void
retire_groups(struct amd_wave_engine *engine, const struct amd_wave_launch *launch, uint32_t count)
{
   for (uint32_t g = 0; g < count && launch->retire; g++) {
      for (uint32_t i = 0; i < launch->waves_per_group; i++) {
         struct wave *w = &engine->groups[g].waves[i];
         struct amd_wave_result result = {w->export_count, w->exports, w->instructions};
         launch->retire(launch->user, engine->groups[g].index, i, &result);
      }
   }
}

/* Runs groups [first, first + count) to their end. */
static bool
run_batch(struct round *round, uint32_t count, struct sim_fault *fault)
{
   struct amd_wave_engine *engine = round->engine;
   round->starting = true;
   uint64_t progress = engine->instructions;
   for (uint32_t running = count, before = count; running; before = running) {
      bool moved;
      amd_pool_run(engine->pool, count, round_task, round);
      round->starting = false;
      engine->rounds++;
      if (!serial_phase(engine, count, &running, &moved, fault))
         return false;
      if (running < before)
         progress = engine->instructions;
      bool endless = engine->instructions - progress > BATCH_BUDGETS * engine->budget;
      if (running && (!moved || endless))
         return sim_fault_set(fault, SIM_FAULT_HANG, round->program->va, "no wave of the launch can go on");
   }
   return true;
}

bool
amd_wave_run(struct amd_wave_engine *engine, const struct amd_wave_launch *launch, struct sim_fault *fault)
{
   if ((launch->wave_size != 32 && launch->wave_size != 64) || !launch->waves_per_group ||
       launch->waves_per_group > AMD_WAVE_MAX_PER_GROUP)
      return sim_fault_set(fault, SIM_FAULT_STATE, launch->program, "launch of %u waves of %u lanes a group",
                           launch->waves_per_group, launch->wave_size);
   struct round round = {engine, launch, wave_program(engine, launch), 0, true};
   if (!round.program)
      return sim_fault_set(fault, SIM_FAULT_ADDRESS, launch->program, "no program at 0x%llx",
                           (unsigned long long)launch->program.va);
   uint32_t window = MAX2(RESIDENT_WAVES / launch->waves_per_group, 1);
   if (launch->scratch_waves)
      window = MAX2(MIN2(window, launch->scratch_waves / launch->waves_per_group), 1);
   window = MIN2(window, MAX2(launch->group_count, 1));
   if (!reserve_groups(engine, window, launch->waves_per_group))
      return sim_fault_set(fault, SIM_FAULT_STATE, launch->program, "out of host memory for waves");
   for (uint32_t first = 0; first < launch->group_count; first += window) {
      uint32_t count = MIN2(window, launch->group_count - first);
      round.first = first;
      if (!run_batch(&round, count, fault))
         return false;
      retire_groups(engine, launch, count);
   }
   return true;
}
