#include "asahi/sim/agx_sim.h"

#include <pthread.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "asahi/hw/chips.h"
#include "asahi/hw/record_table.h"
#include "asahi/hw/traits_model.h"
#include "asahi/sim/cache/tex_cache.h"
#include "asahi/sim/cp/cdm.h"
#include "asahi/sim/cp/vdm.h"
#include "asahi/sim/base/dump.h"
#include "asahi/sim/base/gpu.h"
#include "asahi/sim/wave/wave.h"
#include "sim/waves/pool.h"
#include "sim/waves/race.h"
#include "util/within_memory.h"

struct agx_sim {
   const struct agx_chip *chip;
   struct sim_pool *pool;
   struct agx_wave_engine *engine;
   struct agx_tex_cache *textures;
   struct agx_dump *dump;
   struct sim_races *races;
   struct sim_schedule schedule;
   bool hard_faults; /* no soft ones */
   pthread_mutex_t lock;
   uint64_t limit; /* of simd groups of a command; 0: none */
   unsigned command_count;
};

static bool
has_clusters(const struct agx_chip *chip)
{
   static const struct agx_model_traits traits[AGX_GEN_COUNT] = {AGX_MODEL_TRAITS_ROWS};
   return traits[chip->gen].cluster_coherency || chip->num_dies > 1;
}

struct agx_sim *
agx_sim_create(const struct agx_chip *chip, unsigned threads)
{
   struct agx_sim *sim = calloc(1, sizeof(*sim));
   if (!sim)
      return NULL;
   sim->chip = chip;
   pthread_mutex_init(&sim->lock, NULL);
   sim->pool = sim_pool_create(threads ? threads : 1);
   if (sim->pool)
      sim_pool_be_thrifty(sim->pool);
   sim->engine = sim->pool ? agx_wave_engine_create(sim->pool) : NULL;
   sim->textures = agx_tex_cache_create();
   if (!sim->engine || !sim->textures ||
       !agx_wave_engine_set_cores(sim->engine, chip->core_masks, chip->num_clusters, chip->num_cores_per_cluster)) {
      agx_sim_destroy(sim);
      return NULL;
   }
   agx_wave_engine_set_clusters(sim->engine, has_clusters(chip));
   agx_wave_engine_set_textures(sim->engine, sim->textures);
   return sim;
}

void
agx_sim_destroy(struct agx_sim *sim)
{
   if (!sim)
      return;
   if (sim->engine)
      agx_wave_engine_destroy(sim->engine);
   agx_tex_cache_destroy(sim->textures);
   agx_dump_destroy(sim->dump);
   sim_races_destroy(sim->races);
   if (sim->pool)
      sim_pool_destroy(sim->pool);
   pthread_mutex_destroy(&sim->lock);
   free(sim);
}

bool
agx_sim_set_dump(struct agx_sim *sim, FILE *out)
{
   struct agx_dump *dump = out ? agx_dump_create(out) : NULL;
   pthread_mutex_lock(&sim->lock);
   agx_dump_destroy(sim->dump);
   sim->dump = dump;
   pthread_mutex_unlock(&sim->lock);
   return dump || !out;
}

bool
agx_sim_set_races(struct agx_sim *sim, FILE *out)
{
   struct sim_races *races = out ? sim_races_create(out) : NULL;
   pthread_mutex_lock(&sim->lock);
   sim_races_destroy(sim->races);
   sim->races = races;
   pthread_mutex_unlock(&sim->lock);
   return races || !out;
}

bool
agx_sim_set_trace(struct agx_sim *sim, struct sim_trace *trace)
{
   pthread_mutex_lock(&sim->lock);
   bool ok = agx_wave_engine_set_trace(sim->engine, trace);
   pthread_mutex_unlock(&sim->lock);
   return ok;
}

void
agx_sim_set_budget(struct agx_sim *sim, uint64_t budget)
{
   pthread_mutex_lock(&sim->lock);
   agx_wave_engine_set_budget(sim->engine, budget);
   pthread_mutex_unlock(&sim->lock);
}

void
agx_sim_set_limit(struct agx_sim *sim, uint64_t waves)
{
   pthread_mutex_lock(&sim->lock);
   sim->limit = waves;
   pthread_mutex_unlock(&sim->lock);
}

void
agx_sim_set_schedule(struct agx_sim *sim, const struct sim_schedule *schedule)
{
   pthread_mutex_lock(&sim->lock);
   sim->schedule = *schedule;
   agx_wave_engine_set_schedule(sim->engine, schedule);
   pthread_mutex_unlock(&sim->lock);
}

void
agx_sim_set_reference(struct agx_sim *sim, bool reference)
{
   pthread_mutex_lock(&sim->lock);
   agx_wave_engine_set_reference(sim->engine, reference);
   pthread_mutex_unlock(&sim->lock);
}

void
agx_sim_set_soft_faults(struct agx_sim *sim, bool on)
{
   pthread_mutex_lock(&sim->lock);
   sim->hard_faults = !on;
   pthread_mutex_unlock(&sim->lock);
}

static bool
check_record(enum agx_record_id id, const void *bytes, struct sim_fault *fault)
{
   char message[256];
   if (!agx_record_fault(agx_record(id), bytes, 0, message, sizeof(message)))
      return true;
   return sim_fault_set(fault, SIM_FAULT_PACKET, sim_va(0), "command: %s", message);
}

/* Fields that are records themselves, too. */
static bool
check_command(enum agx_record_id id, const void *bytes, struct sim_fault *fault)
{
   const struct agx_form *form = agx_record_form(agx_record(id), bytes);
   if (!check_record(id, bytes, fault))
      return false;
   for (unsigned i = 0; i < form->field_count; i++) {
      const struct agx_field *field = &form->fields[i];
      if (field->record && !check_record(field->record->id, (const char *)bytes + field->low / 8, fault))
         return false;
   }
   return true;
}

bool
agx_sim_command_read(struct agx_sim_command *command, bool is_render, const void *bytes, struct sim_fault *fault)
{
   *command = (struct agx_sim_command){.is_render = is_render};
   memcpy(command->bytes, bytes, is_render ? AGX_RENDER_COMMAND_SIZE_B : AGX_COMPUTE_COMMAND_SIZE_B);
   if (is_render)
      agx_render_command_unpack(&command->render, bytes);
   else
      agx_compute_command_unpack(&command->compute, bytes);
   return check_command(is_render ? AGX_RECORD_RENDER_COMMAND : AGX_RECORD_COMPUTE_COMMAND, bytes, fault);
}

struct job {
   struct agx_sim *sim;
   struct agx_gpu gpu;
   struct agx_sim_command *command;
   bool ok;
};

/* That which the kernel tells of the GPU, too. */
static void
take_time(struct job *job, enum agx_sim_time time)
{
   struct timespec t;
   clock_gettime(CLOCK_MONOTONIC, &t);
   job->command->times_ns[time] = (uint64_t)t.tv_sec * 1000000000u + (uint64_t)t.tv_nsec;
}

static void
vertices_done(void *data)
{
   take_time(data, AGX_SIM_TIME_END);
   take_time(data, AGX_SIM_TIME_FRAGMENT_START);
}

static void
run_job(void *data)
{
   struct job *job = data;
   const struct agx_sim_command *command = job->command;
   agx_tex_cache_begin(job->sim->textures, job->sim->command_count);
   if (!command->is_render) /* assumed: docs/caches.md */
      agx_tex_cache_invalidate(job->sim->textures);
   agx_dump_line(job->gpu.dump, "command %u", job->sim->command_count++);
   agx_dump_record(job->gpu.dump,
                   agx_record(command->is_render ? AGX_RECORD_RENDER_COMMAND : AGX_RECORD_COMPUTE_COMMAND), 0,
                   command->bytes);
   take_time(job, AGX_SIM_TIME_START);
   if (command->is_render) {
      job->ok = agx_vdm_run(&job->gpu, &command->render, vertices_done, job);
      take_time(job, AGX_SIM_TIME_FRAGMENT_END);
   } else {
      job->ok = agx_cdm_run(&job->gpu, &command->compute);
      take_time(job, AGX_SIM_TIME_END);
   }
}

bool
agx_sim_run(struct agx_sim *sim, struct sim_vm *vm, uint64_t usc_base, struct agx_sim_command *command,
            struct sim_fault *fault)
{
   pthread_mutex_lock(&sim->lock);
   struct job job = {
      .sim = sim,
      .gpu =
         {
            .chip = sim->chip,
            .vm = vm,
            .pool = sim->pool,
            .engine = sim->engine,
            .textures = sim->textures,
            .fault = fault,
            .usc_base = sim_va(usc_base),
            .sampler_heap = sim_va(command->is_render ? command->render.sampler_heap : command->compute.sampler_heap),
            .sampler_heap_count = command->is_render ? command->render.sampler_count : command->compute.sampler_count,
            .soft_faults = !sim->hard_faults,
            .schedule = sim->schedule,
            .dump = sim->dump,
            .races = sim->races,
         },
      .command = command,
   };
   agx_wave_engine_set_limit(sim->engine, sim->limit ? sim->limit : UINT64_MAX);
   if (!within_memory(run_job, &job))
      job.ok = sim_fault_set(fault, SIM_FAULT_EXHAUSTED, sim_va(0), "the model ran out of host memory");
   pthread_mutex_unlock(&sim->lock);
   return job.ok;
}
