/* Jobs: a submit's buffers run by ring, and rings let each other run where packets wait for memory. */
#include "amd/sim/amd_sim_private.h"

#include <time.h>

#include "amd/sim/cache/meta_cache.h"
#include "amd/sim/cache/order.h"
#include "amd/sim/sdma/sdma.h"
#include "util/thread.h"
#include "util/within_memory.h"

struct job {
   struct amd_sim *sim;
   struct sim_vm *vm;
   const struct amd_sim_ib *ibs; /* of the submit */
   unsigned count;
   enum amd_sim_ring ring; /* whose buffers run */
   unsigned slot;
   struct sim_fault fault;
   struct amd_gpu *gpu;
   struct sim_fault *first_fault; /* of the submit's parts: ends them all */
   bool *gang_failed;
   bool ok;
   const struct amd_sim_turns *turns; /* NULL: none */
   struct gang {
      unsigned parts, waiting; /* that have not ended */
   } *gang;
};

/* A packet waits for memory: another ring, or the host, may have to write it. */
static bool
let_others_run(void *data)
{
   const struct job *job = data;
   struct amd_sim *sim = job->sim;
   if (sim->waits.waits && !sim->waits.waits(sim->waits.data))
      return false;
   job->gang->waiting++;
   sim->waiting++;
   pthread_mutex_unlock(&sim->lock);
   nanosleep(&(struct timespec){.tv_nsec = 50000}, NULL);
   pthread_mutex_lock(&sim->lock);
   /* All parts wait still: none of them runs while another job has the turn. */
   if (job->turns && job->gang->waiting == job->gang->parts) {
      pthread_mutex_unlock(&sim->lock);
      job->turns->give(job->turns->data, true);
      pthread_mutex_lock(&sim->lock);
   }
   amd_caches_job_start(sim->caches, job->vm); /* another one's was there, perhaps */
   sim->waiting--;
   job->gang->waiting--;
   return !*job->gang_failed;
}

/* Ahead of a packet. False after a fault. */
static bool
let_turns_end(void *data)
{
   const struct job *job = data;
   struct amd_sim *sim = job->sim;
   pthread_mutex_unlock(&sim->lock);
   const bool over = job->turns->is_over(job->turns->data);
   pthread_mutex_lock(&sim->lock);
   if (!over)
      return true;
   if (!amd_draws_wait(job->gpu))
      return false;
   pthread_mutex_unlock(&sim->lock);
   job->turns->give(job->turns->data, false);
   pthread_mutex_lock(&sim->lock);
   amd_caches_job_start(sim->caches, job->vm);
   return true;
}

static void
tell_end_of_wait(void *data, const void *host, bool waited)
{
   const struct job *job = data;
   struct amd_sim *sim = job->sim;
   pthread_mutex_unlock(&sim->lock);
   sim->waits.ended(sim->waits.data, host, waited);
   pthread_mutex_lock(&sim->lock);
}

bool
amd_sim_is_waiting(const struct amd_sim *sim)
{
   return sim->waiting;
}

static unsigned
slot_of(const struct amd_sim_ib *ib)
{
   return amd_ring_slot(ib->ring, ib->index);
}

static void
run_job(void *data)
{
   struct job *job = data;
   struct amd_sim *sim = job->sim;
   const struct amd_sim_ib *ibs = job->ibs;
   struct amd_ring *ring = &sim->rings[job->slot];
   struct amd_gpu gpu = {
      .chip = sim->chip,
      .model = sim->model,
      .vm = job->vm,
      .pool = sim->pool,
      .fault = &job->fault,
      .regs = &ring->regs,
      .counters = &sim->counters[job->slot],
      .ring = job->ring,
      .slot = job->slot,
      .engine = sim->engine,
      .races = sim->races,
      .dump = sim->dump,
      .report = sim->report,
      .reorder = sim->reorder,
      .order_check = sim->order_check,
      .caches = sim->caches,
      .gds = &sim->gds,
      .const_engine = &sim->const_engine,
      .stats_on = &sim->stats_on,
      .reference = sim->reference,
      .draw_memory = &sim->draw_memory,
      .clock = &sim->clock,
      .wait_limit_ms = sim->wait_limit_ms,
      .wait_ended = sim->waits.ended ? tell_end_of_wait : NULL,
      .job = job,
   };
   bool (*const pause)(void *) = job->turns && job->gang->parts == 1 ? let_turns_end : NULL;
   job->gpu = &gpu;
   amd_caches_job_start(sim->caches, job->vm);
   amd_wave_engine_set_limit(sim->engine, sim->limit ? sim->limit : UINT64_MAX);
   for (unsigned i = 0; job->ok && i < job->count; i++) {
      if (slot_of(&ibs[i]) != job->slot)
         continue;
      struct amd_cp cp = {.gpu = &gpu, .ring = ring, .wait = let_others_run, .pause = pause, .wait_data = job};
      if (job->ring != AMD_SIM_RING_CE && (ibs[i].sync_memory || sim->model->traits->ib_invalidates))
         amd_caches_invalidate(sim->caches, AMD_CACHE_ALL);
      struct amd_sdma sdma = {.gpu = &gpu, .wait = let_others_run, .pause = pause, .wait_data = job};
      job->ok = ibs[i].ring == AMD_SIM_RING_SDMA ? amd_sdma_run(&sdma, ibs[i].va, ibs[i].size_dw)
                                                 : amd_cp_run(&cp, ibs[i].va, ibs[i].size_dw);
   }
   job->ok = job->ok && amd_draws_wait(&gpu);
}

static void
end_job(void *data)
{
   const struct job *job = data;
   job->sim->rings[job->slot].batch.size_B = 0;
   if (!job->ok)
      amd_draws_forget(job->sim->draw_memory, job->sim->engine);
   amd_order_idle(job->sim->caches, job->slot);
   /* The kernel's packet at its end flushes CB and DB and invalidates metadata. */
   amd_meta_invalidate(job->sim->caches, 1u << AMD_META_CACHE_TEX);
   if (job->ring == AMD_SIM_RING_GFX)
      amd_meta_invalidate(job->sim->caches, 1u << AMD_META_CACHE_CB | 1u << AMD_META_CACHE_DB);
   amd_caches_job_end(job->sim->caches);
}

/* A job of one ring, or one ring's part of a gang; with the lock. */
static void
run_and_end(struct job *job)
{
   if (job->ring == AMD_SIM_RING_CE && !job->sim->chip->ce_ram_B)
      job->ok =
         sim_fault_set(&job->fault, SIM_FAULT_PACKET, sim_va(0), "%s has no constant engine", job->sim->chip->name);
   bool in_memory = within_memory(run_job, job);
   job->ok &= in_memory;
   in_memory &= within_memory(end_job, job);
   if (!in_memory)
      job->ok = sim_fault_set(&job->fault, SIM_FAULT_EXHAUSTED, sim_va(0), "the model ran out of host memory");
   if (!job->ok && !*job->gang_failed)
      *job->first_fault = job->fault;
   *job->gang_failed |= !job->ok;
   job->gang->parts--;
   job->sim->const_engine.running &= ~(1u << job->ring);
}

static void *
run_follower(void *data)
{
   struct job *job = data;
   pthread_mutex_lock(&job->sim->lock);
   run_and_end(job);
   pthread_mutex_unlock(&job->sim->lock);
   return NULL;
}

/* The parts take turns where packets wait for memory. */
static bool
run_gang(struct job *parts, unsigned count)
{
   struct amd_sim *sim = parts[0].sim;
   pthread_t threads[AMD_RING_SLOTS];
   unsigned started = 0;
   while (started + 1 < count && thread_start(&threads[started], run_follower, &parts[started]))
      started++;
   struct job *leader = &parts[count - 1];
   if (started + 1 < count) {
      sim_fault_set(leader->first_fault, SIM_FAULT_EXHAUSTED, sim_va(0), "no thread for a gang's ring");
      *leader->gang_failed = true;
   } else {
      run_and_end(leader);
   }
   pthread_mutex_unlock(&sim->lock);
   for (unsigned i = 0; i < started; i++)
      pthread_join(threads[i], NULL);
   pthread_mutex_lock(&sim->lock);
   return !*leader->gang_failed;
}

static bool
any_busy(const struct amd_sim *sim, unsigned rings)
{
   bool busy = false;
   for (unsigned i = 0; i < AMD_RING_SLOTS; i++)
      busy |= sim->ring_busy[i] && rings >> i & 1;
   return busy;
}

static void
set_busy(struct amd_sim *sim, unsigned rings, bool busy)
{
   for (unsigned i = 0; i < AMD_RING_SLOTS; i++)
      if (rings >> i & 1)
         sim->ring_busy[i] = busy;
}

static void
swap(struct job *a, struct job *b)
{
   const struct job first = *a;
   *a = *b;
   *b = first;
}

/* One part a ring, in the order of the rings' last buffers: the leader's is the last one, and runs first. The
 * constant engine does not lead the draw engine: so a wait for it that is missing shows. Returns how many. */
static unsigned
split(struct job parts[AMD_RING_SLOTS], const struct job *submit)
{
   unsigned count = 0, seen = 0;
   for (unsigned i = submit->count; i-- > 0; seen |= 1u << slot_of(&submit->ibs[i])) {
      if (seen >> slot_of(&submit->ibs[i]) & 1)
         continue;
      parts[count] = *submit;
      parts[count].ring = submit->ibs[i].ring;
      parts[count].slot = slot_of(&submit->ibs[i]);
      count++;
   }
   for (unsigned i = 0; i < count / 2; i++)
      swap(&parts[i], &parts[count - 1 - i]);
   if (count > 1 && parts[count - 1].ring == AMD_SIM_RING_CE)
      swap(&parts[count - 2], &parts[count - 1]);
   return count;
}

bool
amd_sim_run(struct amd_sim *sim, struct sim_vm *vm, const struct amd_sim_ib *ibs, unsigned count,
            struct sim_fault *fault)
{
   return amd_sim_run_in_turns(sim, vm, ibs, count, NULL, fault);
}

bool
amd_sim_run_in_turns(struct amd_sim *sim, struct sim_vm *vm, const struct amd_sim_ib *ibs, unsigned count,
                     const struct amd_sim_turns *turns, struct sim_fault *fault)
{
   bool failed = false;
   struct gang gang = {0};
   const struct job submit = {.sim = sim,
                              .vm = vm,
                              .ibs = ibs,
                              .count = count,
                              .first_fault = fault,
                              .gang_failed = &failed,
                              .ok = true,
                              .turns = turns,
                              .gang = &gang};
   struct job parts[AMD_RING_SLOTS];
   unsigned rings = 0, engines = 0, part_count = split(parts, &submit);
   for (unsigned i = 0; i < part_count; i++)
      rings |= 1u << parts[i].slot, engines |= 1u << parts[i].ring;
   engines &= 1u << AMD_SIM_RING_GFX | 1u << AMD_SIM_RING_CE;
   if (engines) /* of one ring */
      rings |= 1u << amd_ring_slot(AMD_SIM_RING_GFX, 0) | 1u << amd_ring_slot(AMD_SIM_RING_CE, 0);
   pthread_mutex_lock(&sim->lock);
   while (any_busy(sim, rings))
      pthread_cond_wait(&sim->ring_free, &sim->lock);
   set_busy(sim, rings, true);
   if (engines) {
      sim->const_engine.running = engines;
      sim->const_engine.waiting = 0;
   }
   gang.parts = part_count;
   bool ok = run_gang(parts, part_count);
   set_busy(sim, rings, false);
   pthread_cond_broadcast(&sim->ring_free);
   pthread_mutex_unlock(&sim->lock);
   return ok;
}
