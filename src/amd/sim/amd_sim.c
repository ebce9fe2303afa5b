/* The model of one GPU: its parts and settings. */
#include "amd/sim/amd_sim_private.h"

#include <stdlib.h>
#include <string.h>

#include "amd/sim/cache/meta_cache.h"
#include "amd/sim/cache/order.h"
#include "amd/sim/chip_limits.h"
#include "amd/sim/sdma/sdma.h"

struct amd_sim *
amd_sim_create(const struct amd_chip *chip, unsigned threads)
{
   if (amd_chip_refused(chip))
      return NULL;
   struct amd_sim *sim = calloc(1, sizeof(*sim));
   if (!sim)
      return NULL;
   sim->chip = chip;
   memset(sim->const_engine.ram, 0xcd, sizeof(sim->const_engine.ram)); /* whatever others left there */
   sim->model = amd_model_create(chip->gen);
   sim->pool = sim_pool_create(threads ? threads : 1);
   sim->rings = calloc(AMD_RING_SLOTS, sizeof(*sim->rings));
   if (sim->pool)
      sim_pool_be_thrifty(sim->pool);
   sim->engine = sim->pool ? amd_wave_engine_create(sim->pool) : NULL;
   sim->caches = amd_caches_create(chip);
   pthread_mutex_init(&sim->lock, NULL);
   pthread_cond_init(&sim->ring_free, NULL);
   if (!sim->model || !sim->pool || !sim->rings || !sim->engine || !sim->caches) {
      amd_sim_destroy(sim);
      return NULL;
   }
   for (unsigned i = 0; i < AMD_RING_SLOTS; i++) {
      amd_cp_clear_state(chip->gen, &sim->rings[i].regs);
      sim->rings[i].num_instances = 1;
   }
   return sim;
}

void
amd_sim_destroy(struct amd_sim *sim)
{
   if (!sim)
      return;
   if (sim->engine)
      amd_wave_engine_destroy(sim->engine);
   sim_races_destroy(sim->races);
   sim_lds_races_destroy(sim->lds_races);
   amd_dump_destroy(sim->dump);
   free(sim->report);
   amd_order_check_destroy(sim->order_check);
   for (unsigned i = 0; sim->rings && i < AMD_RING_SLOTS; i++)
      dynarray_free(&sim->rings[i].batch);
   sim_pool_destroy(sim->pool);
   amd_caches_destroy(sim->caches);
   amd_draw_memory_free(sim->draw_memory);
   pthread_cond_destroy(&sim->ring_free);
   pthread_mutex_destroy(&sim->lock);
   free(sim->rings);
   free(sim->model);
   free(sim);
}

void
amd_sim_set_races(struct amd_sim *sim, FILE *out)
{
   pthread_mutex_lock(&sim->lock);
   sim_races_destroy(sim->races);
   sim->races = out ? sim_races_create(out) : NULL;
   sim_lds_races_destroy(sim->lds_races);
   sim->lds_races = out ? sim_lds_races_create(out) : NULL;
   amd_wave_engine_set_lds_races(sim->engine, sim->lds_races);
   pthread_mutex_unlock(&sim->lock);
}

bool
amd_sim_set_dump(struct amd_sim *sim, FILE *out)
{
   struct amd_dump *dump = out ? amd_dump_create(out) : NULL;

   pthread_mutex_lock(&sim->lock);
   amd_dump_destroy(sim->dump);
   sim->dump = dump;
   pthread_mutex_unlock(&sim->lock);
   return dump || !out;
}

bool
amd_sim_count(struct amd_sim *sim)
{
   pthread_mutex_lock(&sim->lock);
   if (!sim->report)
      sim->report = calloc(1, sizeof(*sim->report));
   amd_wave_engine_set_report(sim->engine, sim->report);
   pthread_mutex_unlock(&sim->lock);
   return sim->report;
}

void
amd_sim_write_report(struct amd_sim *sim, FILE *out)
{
   struct timespec until;
   clock_gettime(CLOCK_REALTIME, &until);
   until.tv_sec++; /* a job may be waiting for a program that is at its end */
   bool locked = !pthread_mutex_timedlock(&sim->lock, &until);
   if (sim->report)
      amd_report_write(sim->report, sim->chip, out);
   if (locked)
      pthread_mutex_unlock(&sim->lock);
}

uint64_t
amd_sim_races(const struct amd_sim *sim)
{
   return (sim->races ? sim_races_count(sim->races) : 0) + (sim->lds_races ? sim_lds_races_count(sim->lds_races) : 0);
}

void
amd_sim_set_trace(struct amd_sim *sim, struct sim_trace *trace)
{
   pthread_mutex_lock(&sim->lock);
   amd_wave_engine_set_trace(sim->engine, trace);
   pthread_mutex_unlock(&sim->lock);
}

void
amd_sim_set_reference(struct amd_sim *sim, bool reference)
{
   pthread_mutex_lock(&sim->lock);
   sim->reference = reference;
   amd_wave_engine_set_reference(sim->engine, reference);
   amd_caches_set_reference(sim->caches, reference);
   pthread_mutex_unlock(&sim->lock);
}

void
amd_sim_set_schedule(struct amd_sim *sim, const struct sim_schedule *schedule)
{
   pthread_mutex_lock(&sim->lock);
   amd_wave_engine_set_schedule(sim->engine, schedule);
   sim->reorder.schedule = *schedule;
   pthread_mutex_unlock(&sim->lock);
}

void
amd_sim_set_out_of_order(struct amd_sim *sim, bool forced)
{
   pthread_mutex_lock(&sim->lock);
   sim->reorder.forced = forced;
   pthread_mutex_unlock(&sim->lock);
}

bool
amd_sim_check_order(struct amd_sim *sim, unsigned orders)
{
   pthread_mutex_lock(&sim->lock);
   if (!sim->order_check)
      sim->order_check = amd_order_check_create(sim->chip, sim->pool, orders);
   pthread_mutex_unlock(&sim->lock);
   return sim->order_check;
}

void
amd_sim_write_order(struct amd_sim *sim, FILE *out)
{
   pthread_mutex_lock(&sim->lock);
   if (sim->order_check)
      amd_order_check_report(sim->order_check, out);
   pthread_mutex_unlock(&sim->lock);
}

void
amd_sim_set_budget(struct amd_sim *sim, uint64_t budget)
{
   pthread_mutex_lock(&sim->lock);
   amd_wave_engine_set_budget(sim->engine, budget);
   pthread_mutex_unlock(&sim->lock);
}

void
amd_sim_set_limit(struct amd_sim *sim, uint64_t waves)
{
   pthread_mutex_lock(&sim->lock);
   sim->limit = waves;
   pthread_mutex_unlock(&sim->lock);
}

void
amd_sim_set_waits(struct amd_sim *sim, const struct amd_sim_waits *waits)
{
   pthread_mutex_lock(&sim->lock);
   sim->waits = *waits;
   pthread_mutex_unlock(&sim->lock);
}

void
amd_sim_set_wait(struct amd_sim *sim, unsigned limit_ms)
{
   pthread_mutex_lock(&sim->lock);
   sim->wait_limit_ms = limit_ms;
   pthread_mutex_unlock(&sim->lock);
}

void
amd_sim_set_clock(struct amd_sim *sim, uint64_t clock)
{
   pthread_mutex_lock(&sim->lock);
   sim->clock = clock;
   pthread_mutex_unlock(&sim->lock);
}
