#include "native_engine.h"

#include <stdlib.h>
#include <string.h>

#include "amd/sim/cp/dispatch.h"
#include "sim/waves/pool.h"

native_shader native_shaders[NATIVE_MAX_SHADERS];

struct amd_wave_engine {
   struct sim_pool *pool;
   uint64_t waves_left;
};

struct run {
   const struct amd_wave_launch *launch;
   native_shader shader;
   struct group {
      uint32_t count;
      struct amd_wave_export exports[8];
   } *groups;
};

struct amd_wave_engine *
amd_wave_engine_create(struct sim_pool *pool)
{
   struct amd_wave_engine *engine = calloc(1, sizeof(*engine));
   engine->pool = pool;
   return engine;
}

void
amd_wave_engine_destroy(struct amd_wave_engine *engine)
{
   free(engine);
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
      return sim_fault_set(fault, SIM_FAULT_HANG, va, "%s: too many", what);
   engine->waves_left -= waves;
   return true;
}

void
amd_wave_engine_set_lds_races(struct amd_wave_engine *engine, struct sim_lds_races *races)
{
   /* there is no LDS */
}

void
amd_wave_engine_set_report(struct amd_wave_engine *engine, struct amd_report *report)
{
   /* there are no instructions */
}

static void
run_group(void *data, unsigned task)
{
   struct run *run = data;
   struct amd_wave_start *start = calloc(1, sizeof(*start));
   struct amd_wave_export *exports = calloc(AMD_WAVE_MAX_EXPORTS, sizeof(*exports));
   uint32_t count = 0;
   run->launch->start(run->launch->user, task, 0, 0, start);
   if (start->exec)
      run->shader(start, exports, &count);
   run->groups[task].count = count;
   memcpy(run->groups[task].exports, exports, count * sizeof(*exports));
   free(exports);
   free(start);
}

bool
amd_wave_run(struct amd_wave_engine *engine, const struct amd_wave_launch *launch, struct sim_fault *fault)
{
   uint64_t number = launch->program.va / 256;
   if (!number || number >= NATIVE_MAX_SHADERS || !native_shaders[number])
      return sim_fault_set(fault, SIM_FAULT_INSTRUCTION, launch->program, "no native shader");
   struct run run = {.launch = launch, .shader = native_shaders[number]};
   run.groups = calloc(launch->group_count, sizeof(*run.groups));
   sim_pool_run(engine->pool, launch->group_count, run_group, &run);
   for (uint32_t i = 0; i < launch->group_count; i++) {
      const struct amd_wave_result result = {.count = run.groups[i].count, .exports = run.groups[i].exports};
      launch->retire(launch->user, i, 0, &result);
   }
   free(run.groups);
   return true;
}

enum amd_waves_alike
amd_wave_alike(const struct amd_wave_engine *engine, const struct amd_wave_launch *launch, unsigned user_sgprs)
{
   return AMD_WAVES_DIFFER;
}

void
amd_wave_engine_set_reference(struct amd_wave_engine *engine, bool reference)
{
}

void
amd_wave_engine_set_trace(struct amd_wave_engine *engine, struct sim_trace *trace)
{
}

void
amd_wave_engine_set_budget(struct amd_wave_engine *engine, uint64_t budget)
{
}

void
amd_wave_engine_set_schedule(struct amd_wave_engine *engine, const struct sim_schedule *schedule)
{
}

/* It runs in order: nothing is ever added. */
bool
amd_wave_overlaps(const struct amd_wave_engine *engine)
{
   return false;
}

bool
amd_wave_add(struct amd_wave_engine *engine, const struct amd_wave_launch *launch, struct sim_fault *fault)
{
   abort();
}

uint64_t
amd_wave_lead(struct amd_wave_engine *engine)
{
   abort();
}

bool
amd_wave_continue(struct amd_wave_engine *engine, uint64_t *rounds, bool *ended, struct sim_fault *fault)
{
   abort();
}

void
amd_wave_forget(struct amd_wave_engine *engine)
{
   /* nothing is there */
}

uint64_t
amd_wave_instructions(const struct amd_wave_engine *engine)
{
   return 0;
}

bool
amd_sim_dispatch(struct amd_wave_engine *engine, const struct sim_vm *vm, const struct amd_dispatch *dispatch,
                 struct sim_fault *fault)
{
   return true;
}

void
native_export(struct amd_wave_export *exports, uint32_t *count, unsigned target, uint64_t exec, bool last,
              float values[AMD_WAVE_MAX_LANES][4])
{
   struct amd_wave_export *e = &exports[(*count)++];
   *e = (struct amd_wave_export){.target = (uint8_t)target, .en = 15, .done = last, .vm = last, .exec = exec};
   for (unsigned lane = 0; lane < AMD_WAVE_MAX_LANES; lane++) {
      for (unsigned c = 0; c < 4; c++)
         memcpy(&e->value[c][lane], &values[lane][c], 4);
   }
}

float
native_interp(const struct amd_wave_start *start, unsigned attr, unsigned chan, unsigned lane, float i, float j)
{
   unsigned prim = start->params.quad_prim[lane / 4];
   const float *p = &start->params.data[((prim * start->params.attr_count + attr) * 4 + chan) * 3];
   return p[0] + i * p[1] + j * p[2];
}
