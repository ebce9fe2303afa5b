/* Jobs: what the model makes of submits. A queue's run in order, on its thread. */
#include <assert.h>
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "asahi/drm-shim/asahi_shim.h"
#include "drm-shim/shim.h"
#include "drm-shim/turns.h"
#include "util/log.h"

/* Submits of a queue that are not done: as many as the kernel's scheduler gives to the firmware (WQ_SIZE, its credits
 * and the length of the ring). The kernel keeps the others in memory and returns; here whoever submits waits. */
#define QUEUE_JOBS 0x500

static const enum agx_sim_time sim_times[ASAHI_TS_COUNT] = {
   [ASAHI_TS_START] = AGX_SIM_TIME_START,
   [ASAHI_TS_END] = AGX_SIM_TIME_END,
   [ASAHI_TS_FRAGMENT_START] = AGX_SIM_TIME_FRAGMENT_START,
   [ASAHI_TS_FRAGMENT_END] = AGX_SIM_TIME_FRAGMENT_END,
};

static void
write_timestamps(const struct asahi_command *command, const uint64_t times_ns[AGX_SIM_TIMES])
{
   for (unsigned i = 0; i < ASAHI_TS_COUNT; i++) {
      const struct asahi_timestamp *timestamp = &command->timestamps[i];
      const struct asahi_object *object = timestamp->object;
      if (object)
         memcpy((char *)object->bo->map + object->offset_B + timestamp->offset_B, &times_ns[sim_times[i]],
                sizeof(times_ns[0]));
   }
}

/* -- the order of commands -- */

/* Which commands of a job have run. */
struct progress {
   const struct asahi_command *commands;
   unsigned count, done_count;
   bool done[ASAHI_MAX_COMMANDS];
};

/* 0, and as none: earlier submits, which are done; N: the first N of the kind in this one. */
static bool
is_passed(const struct progress *progress, bool is_render, unsigned barrier)
{
   unsigned seen = 0;
   if (barrier == DRM_ASAHI_BARRIER_NONE)
      return true;
   for (unsigned i = 0; i < progress->count && seen < barrier; i++) {
      bool counts = progress->commands[i].is_render == is_render;
      if (counts && !progress->done[i])
         return false;
      seen += counts;
   }
   return true;
}

/* The interface promises no order but that of barriers, neither between renders and dispatches nor among themselves:
 * as submitted, and under the schedules that look for what is missing in another order. */
static unsigned
choose_command(const struct asahi_job *job, const struct progress *progress)
{
   const struct sim_schedule *schedule = &asahi_device.schedule;
   unsigned ready[ASAHI_MAX_COMMANDS], count = 0;
   for (unsigned i = 0; i < progress->count; i++) {
      const struct drm_asahi_cmd_header *header = &progress->commands[i].header;
      if (!progress->done[i] && is_passed(progress, true, header->vdm_barrier) &&
          is_passed(progress, false, header->cdm_barrier))
         ready[count++] = i;
   }
   assert(count && "barriers name earlier commands");
   switch (schedule->kind) {
   case SIM_SCHEDULE_IN_ORDER:
   case SIM_SCHEDULE_ROUND_ROBIN:
      return ready[0];
   case SIM_SCHEDULE_SEED:
      return ready[sim_schedule_random(schedule->seed, job->number, progress->done_count) % count];
   case SIM_SCHEDULE_WORST:
      return ready[count - 1];
   }
   return ready[0];
}

/* -- running -- */

/* Of the submit's fence, as the kernel has them: of work that takes too long, and of all else. */
static int
error_of(const struct sim_fault *fault)
{
   return fault->kind == SIM_FAULT_HANG ? -ETIMEDOUT : -EIO;
}

static void
report(const struct asahi_job *job, unsigned index, const struct sim_fault *fault)
{
   const struct asahi_command *command = dynarray_at(&job->commands, struct asahi_command, index);
   log_error("GPU fault: queue %u, submit %llu, command %u, %s: %s", job->queue->id, (unsigned long long)job->number,
             index, command->is_render ? "a render" : "dispatches", fault->message);
}

/* Without the lock. */
static bool
run_command(const struct asahi_job *job, const struct asahi_command *command, struct sim_fault *fault)
{
   struct agx_sim_command work;
   const struct asahi_queue *queue = job->queue;
   const void *bytes = command->is_render ? (const void *)&command->render : (const void *)&command->compute;
   bool ok = agx_sim_command_read(&work, command->is_render, bytes, fault) &&
             agx_sim_run(asahi_device.sim, queue->vm->vm, queue->usc_exec_base, &work, fault);
   write_timestamps(command, work.times_ns);
   return ok;
}

/* Between commands other queues may have theirs. */
static void
let_turn_end(struct asahi_job *job)
{
   shim_lock();
   if (shim_turns_is_over(&job->base))
      shim_turns_give(&job->base, false);
   shim_unlock();
}

/* What is left of a submit after a fault does not run. */
static int
run_commands(struct asahi_job *job, struct sim_fault *fault)
{
   struct progress progress = {.commands = job->commands.data,
                               .count = (unsigned)dynarray_count(&job->commands, struct asahi_command)};
   for (; progress.done_count < progress.count; progress.done_count++) {
      let_turn_end(job);
      unsigned index = choose_command(job, &progress);
      const struct asahi_command *command = &progress.commands[index];
      if (!run_command(job, command, fault)) {
         report(job, index, fault);
         return error_of(fault);
      }
      progress.done[index] = true;
   }
   return 0;
}

void
asahi_job_free(struct asahi_job *job)
{
   shim_job_free_waits(&job->base);
   asahi_commands_free(&job->commands);
   free(job->bytes);
   shim_fence_unref(job->fence);
   asahi_queue_unref(job->queue);
   free(job);
}

static void
run_first(struct shim_worker *worker, struct shim_job *base)
{
   struct asahi_job *job = (struct asahi_job *)base;
   struct sim_fault fault = {0};
   int error = -ECANCELED;
   if (!job->queue->closed && asahi_device.mode == SHIM_MODE_NOOP) {
      asahi_record_submit(job->queue, job->number, job->bytes, job->size_B);
      error = asahi_skip(job->queue, job->number, &job->commands);
   } else if (!job->queue->closed) {
      asahi_record_begin(job);
      shim_unlock();
      error = run_commands(job, &fault);
      shim_lock();
      asahi_record_end(job, error ? &fault : NULL);
   }
   shim_worker_remove(base);
   job->queue->job_count--;
   asahi_vm_job_done(job->queue->vm);
   shim_fence_signal(job->fence, error);
   asahi_job_free(job);
}

/* -- the queue's thread -- */

static struct asahi_queue *
queue_of(const struct shim_worker *worker)
{
   return container_of(worker, struct asahi_queue, worker);
}

static bool
hurries(const struct shim_worker *worker)
{
   return queue_of(worker)->closed;
}

static bool
ends(const struct shim_worker *worker)
{
   return queue_of(worker)->closed;
}

static void
ended(struct shim_worker *worker)
{
   asahi_queue_unref(queue_of(worker));
}

static unsigned
choose_turn(unsigned count, int current)
{
   static uint64_t serial;
   return sim_schedule_choose(&asahi_device.schedule, serial++, count, current);
}

void
asahi_jobs_init(void)
{
   /* A recording has jobs one after another. */
   if (asahi_device.mode == SHIM_MODE_MODEL && asahi_device.schedule.kind != SIM_SCHEDULE_IN_ORDER &&
       !asahi_device.recorder)
      shim_turns_enable(choose_turn);
}

void
asahi_queue_init_worker(struct asahi_queue *queue)
{
   static const struct shim_worker_calls calls = {run_first, hurries, ends, ended};
   shim_worker_init(&queue->worker, &calls);
}

/* The model, made at the first submit that needs it. */
static bool
has_model(void)
{
   if (asahi_device.sim)
      return true;
   asahi_device.sim = agx_sim_create(asahi_device.chip, asahi_device.threads);
   if (!asahi_device.sim || !agx_sim_set_dump(asahi_device.sim, asahi_device.dump) ||
       !agx_sim_set_trace(asahi_device.sim, asahi_device.trace) ||
       !agx_sim_set_races(asahi_device.sim, asahi_device.races ? stderr : NULL)) {
      log_error("%s has no model for lack of memory", asahi_device.chip->name);
      return false;
   }
   agx_sim_set_budget(asahi_device.sim, asahi_device.budget);
   agx_sim_set_schedule(asahi_device.sim, &asahi_device.schedule);
   agx_sim_set_soft_faults(asahi_device.sim, !asahi_device.no_soft_faults);
   agx_sim_set_reference(asahi_device.sim, asahi_device.reference);
   return true;
}

/* A queue whose first job waits for others is not an error: what it waits for may come from whoever submits. */
void
asahi_queue_wait_for_room(struct asahi_queue *queue)
{
   const struct list_head *jobs = &queue->worker.jobs;
   while (queue->job_count >= QUEUE_JOBS && shim_job_is_ready(list_first(jobs, struct shim_job, link))) {
      shim_turns_look();
      shim_sleep(INT64_MAX);
   }
}

bool
asahi_job_prepare(struct asahi_queue *queue)
{
   if (asahi_device.mode == SHIM_MODE_MODEL && !has_model())
      return false;
   if (queue->worker.has_thread)
      return true;
   if (!shim_worker_start(&queue->worker)) {
      log_error("asahi shim: no thread for a queue");
      return false;
   }
   queue->refs++; /* the thread's */
   return true;
}

void
asahi_job_submit(struct asahi_job *job)
{
   job->queue->vm->jobs++;
   job->queue->job_count++;
   shim_worker_add(&job->queue->worker, &job->base);
   shim_wake();
}
