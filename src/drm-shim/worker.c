#include "drm-shim/worker.h"

#include <pthread.h>
#include <signal.h>
#include <stdint.h>

#include "drm-shim/fence.h"
#include "drm-shim/shim.h"
#include "drm-shim/turns.h"

typedef struct shim_fence *fence_pointer;

void
shim_worker_init(struct shim_worker *worker, const struct shim_worker_calls *calls)
{
   *worker = (struct shim_worker){.calls = calls};
   list_init(&worker->jobs);
}

static void *
run_jobs(void *argument)
{
   struct shim_worker *worker = argument;
   const struct shim_worker_calls *calls = worker->calls;
   shim_lock();
   for (;;) {
      bool idle = list_is_empty(&worker->jobs);
      if (idle && calls->ends(worker))
         break;
      struct shim_job *job = idle ? NULL : list_first(&worker->jobs, struct shim_job, link);
      if (job && (calls->hurries(worker) || (shim_job_is_ready(job) && shim_turns_take(job))))
         calls->run(worker, job);
      else
         shim_sleep(shim_turns_until_ns());
   }
   worker->has_thread = false;
   calls->ended(worker);
   shim_unlock();
   return NULL;
}

/* Signals of the application are not for the shim's threads. */
bool
shim_worker_start(struct shim_worker *worker)
{
   pthread_t id;
   pthread_attr_t attributes;
   sigset_t all, old;
   sigfillset(&all);
   pthread_attr_init(&attributes);
   pthread_attr_setdetachstate(&attributes, PTHREAD_CREATE_DETACHED);
   pthread_sigmask(SIG_SETMASK, &all, &old);
   worker->has_thread = !pthread_create(&id, &attributes, run_jobs, worker);
   pthread_sigmask(SIG_SETMASK, &old, NULL);
   pthread_attr_destroy(&attributes);
   return worker->has_thread;
}

void
shim_worker_forked(struct shim_worker *worker)
{
   list_init(&worker->jobs);
   worker->has_thread = false;
}

void
shim_worker_add(struct shim_worker *worker, struct shim_job *job)
{
   job->worker = worker;
   list_add_tail(&job->link, &worker->jobs);
   shim_turns_add(job);
}

void
shim_worker_remove(struct shim_job *job)
{
   list_remove(&job->link);
   shim_turns_remove(job);
}

void
shim_job_wait_for(struct shim_job *job, struct shim_fence *fence)
{
   if (shim_fence_is_signaled(fence))
      shim_fence_unref(fence);
   else
      dynarray_append(&job->waits, struct shim_fence *, fence);
}

bool
shim_job_is_ready(const struct shim_job *job)
{
   dynarray_for_each(fence_pointer, it, &job->waits)
      if (!shim_fence_is_signaled(*it))
         return false;
   return true;
}

void
shim_job_free_waits(struct shim_job *job)
{
   dynarray_for_each(fence_pointer, it, &job->waits)
      shim_fence_unref(*it);
   dynarray_free(&job->waits);
}
