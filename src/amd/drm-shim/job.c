/* Jobs: each queue has a thread that runs its jobs in order, so that waits never block the submitter. */
#include <errno.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>

#include "amd/drm-shim/amd_shim.h"
#include "amd/sim/listing.h"
#include "drm-shim/shim.h"
#include "drm-shim/turns.h"
#include "util/log.h"

/* Jobs of a queue that are not done: the default of the kernel's module parameter amdgpu.sched_jobs. */
#define SCHED_JOBS 32

void
amd_job_free(struct amd_job *job)
{
   shim_job_free_waits(&job->base);
   dynarray_free(&job->ibs);
   if (job->user_fence)
      shim_bo_unref(&job->user_fence->base);
   shim_fence_unref(job->fence);
   amd_ctx_unref(job->ctx);
   amd_file_unref(job->file);
   free(job);
}

static void
finish(struct amd_job *job)
{
   struct amd_queue *queue = amd_ctx_queue(job->ctx, job->ip, 0, job->ring);
   job->file->busy_ns[job->ip] += (uint64_t)(shim_now_ns() - job->start_ns);
   if (job->user_fence) {
      void *place = (char *)job->user_fence->base.map + job->user_fence_offset_B;
      atomic_store((_Atomic uint64_t *)place, job->seq);
   }
   if (job->ctx->guilty && !queue->lost_seq)
      queue->lost_seq = job->seq;
   shim_worker_remove(&job->base);
   list_remove(&job->file_link);
   shim_fence_signal(job->fence, job->ctx->guilty ? -ECANCELED : 0);
   amd_va_flush(job->file);
   amd_job_free(job);
}

static bool
turn_is_over(void *data)
{
   shim_lock();
   bool over = shim_turns_is_over(data);
   shim_unlock();
   return over;
}

static void
give_turn(void *data, bool waits)
{
   shim_lock();
   shim_turns_give(data, waits);
   shim_unlock();
}

static unsigned
choose_turn(unsigned count, int current)
{
   static uint64_t serial;
   return sim_schedule_choose(&amd_device.schedule, serial++, count, current);
}

void
amd_jobs_init(void)
{
   /* A recording has jobs one after another. */
   if (amd_device.mode == SHIM_MODE_MODEL && amd_device.schedule.kind != SIM_SCHEDULE_IN_ORDER &&
       !amd_device.recorder)
      shim_turns_enable(choose_turn);
}

/* Runs the model; the lock is given up meanwhile. */
static void
run_job(struct amd_job *job)
{
   const struct amd_sim_turns turns = {&job->base, turn_is_over, give_turn};
   struct sim_fault fault = {0};
   amd_va_follow_user_memory(job->file);
   amd_record_begin(job);
   shim_unlock();
   bool ok = amd_sim_run_in_turns(amd_device.sim, job->file->vm, job->ibs.data,
                                  (unsigned)dynarray_count(&job->ibs, struct amd_sim_ib),
                                  amd_device.schedule.kind == SIM_SCHEDULE_IN_ORDER ? NULL : &turns, &fault);
   shim_lock();
   amd_record_end(job, ok ? NULL : &fault);
   if (!ok)
      amd_vm_fault_note(job, &fault);
   if (!ok && !job->ctx->guilty) {
      job->ctx->guilty = true;
      log_error("GPU fault: context %u, %s ring %u, submit %llu: %s; the context is lost", job->ctx->id,
                amd_sim_ring_names[job->ip], job->ring, (unsigned long long)job->seq, fault.message);
   }
}

/* Noop mode: what would run, to the dump of states. */
static void
list(const struct amd_job *job)
{
   dynarray_for_each(struct amd_sim_ib, ib, &job->ibs)
      amd_list_buffer(amd_device.dump, amd_device.chip->gen, job->file->vm, ib);
   if (fflush(amd_device.dump)) /* whatever the program's end is */
      log_error("the listing of packets ends here, its file cannot be written: %s", strerror(errno));
}

static void
run_or_list(struct amd_job *job)
{
   job->start_ns = shim_now_ns();
   if (amd_device.mode == SHIM_MODE_NOOP && amd_device.dump)
      list(job);
   else if (amd_device.mode == SHIM_MODE_MODEL && !job->ctx->guilty)
      run_job(job);
   finish(job);
}

static struct amd_queue *
queue_of(const struct shim_worker *worker)
{
   return container_of(worker, struct amd_queue, worker);
}

static void
run_first(struct shim_worker *worker, struct shim_job *job)
{
   run_or_list((struct amd_job *)job);
}

static bool
hurries(const struct shim_worker *worker)
{
   return queue_of(worker)->ctx->guilty;
}

static bool
ends(const struct shim_worker *worker)
{
   return queue_of(worker)->ctx->closed;
}

static void
ended(struct shim_worker *worker)
{
   amd_ctx_unref(queue_of(worker)->ctx);
}

void
amd_queue_init(struct amd_ctx *ctx, struct amd_queue *queue)
{
   static const struct shim_worker_calls calls = {run_first, hurries, ends, ended};
   queue->ctx = ctx;
   queue->fence_context = shim_fence_new_context();
   shim_worker_init(&queue->worker, &calls);
}

/* The thread has a reference to the context. */
static bool
start_thread(struct amd_ctx *ctx, struct amd_queue *queue)
{
   if (!shim_worker_start(&queue->worker)) {
      log_error("amdgpu shim: no thread for a queue");
      return false;
   }
   ctx->refs++;
   return true;
}

static bool
runs_at_once(const struct amd_job *job)
{
   return amd_device.mode == SHIM_MODE_NOOP && shim_job_is_ready(&job->base) &&
          list_is_empty(&amd_ctx_queue(job->ctx, job->ip, 0, job->ring)->worker.jobs);
}

void
amd_job_wait_for_room(const struct amd_job *job)
{
   const struct amd_queue *queue = amd_ctx_queue(job->ctx, job->ip, 0, job->ring);
   while (amd_device.changing ||
          (!list_is_empty(&queue->worker.jobs) &&
           queue->last_seq - list_first(&queue->worker.jobs, struct amd_job, base.link)->seq + 1 >= SCHED_JOBS)) {
      shim_turns_look();
      shim_sleep(INT64_MAX);
   }
}

bool
amd_job_prepare(struct amd_job *job)
{
   struct amd_queue *queue = amd_ctx_queue(job->ctx, job->ip, 0, job->ring);
   if (amd_va_blocks(job->file))
      list_for_each(struct amd_job, other, &job->file->jobs, file_link)
         shim_job_wait_for(&job->base, shim_fence_ref(other->fence));
   return runs_at_once(job) || queue->worker.has_thread || start_thread(job->ctx, queue);
}

uint64_t
amd_job_submit(struct amd_job *job)
{
   struct amd_queue *queue = amd_ctx_queue(job->ctx, job->ip, 0, job->ring);
   bool at_once = runs_at_once(job);
   uint64_t seq = job->seq = ++queue->last_seq;
   job->number = ++job->file->job_count;
   job->fence->context = queue->fence_context;
   job->fence->seq = seq;
   shim_worker_add(&queue->worker, &job->base);
   list_add_tail(&job->file_link, &job->file->jobs);
   if (at_once) {
      run_or_list(job);
      return seq;
   }
   shim_wake();
   return seq;
}
