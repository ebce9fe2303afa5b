#include "drm-shim/turns.h"

#include "drm-shim/shim.h"
#include "util/macros.h"

enum { MOST = 256 }; /* candidates that are told apart */

static struct {
   shim_turns_choose *choose; /* NULL: no turns */
   struct list_head jobs;     /* by shim_job.turn_link, in the order of submission */
   struct shim_job *current;  /* whose turn it is, or NULL */
   struct shim_job *next;     /* of shim_turns_is_over() */
   bool going;                /* jobs are not held back */
   int64_t held_until_ns;
} turns;

void
shim_turns_enable(shim_turns_choose *choose)
{
   turns.choose = choose;
   list_init(&turns.jobs);
}

void
shim_turns_forked(void)
{
   if (turns.choose)
      list_init(&turns.jobs);
   turns.current = turns.next = NULL;
   turns.going = false;
}

void
shim_turns_look(void)
{
   if (turns.choose && !turns.going && !list_is_empty(&turns.jobs)) {
      turns.going = true;
      shim_wake();
   }
}

void
shim_turns_add(struct shim_job *job)
{
   if (!turns.choose)
      return;
   if (list_is_empty(&turns.jobs)) {
      turns.going = false;
      turns.held_until_ns = shim_now_ns() + SHIM_TURNS_HOLD_NS;
   }
   job->begun = job->waits_for_memory = false;
   list_add_tail(&job->turn_link, &turns.jobs);
}

void
shim_turns_remove(struct shim_job *job)
{
   if (!turns.choose)
      return;
   list_remove(&job->turn_link);
   if (turns.current == job)
      turns.current = turns.next = NULL;
   turns.next = turns.next == job ? NULL : turns.next;
   shim_wake();
}

static uint64_t
busy_rings(void)
{
   uint64_t rings = 0;
   list_for_each(struct shim_job, job, &turns.jobs, turn_link)
      rings |= job->begun ? job->rings : 0;
   return rings;
}

static bool
could_run(const struct shim_job *job, uint64_t busy)
{
   if (job->begun)
      return !job->waits_for_memory;
   return list_first(&job->worker->jobs, struct shim_job, link) == job && !(job->rings & busy) &&
          shim_job_is_ready(job);
}

/* Jobs that wait for memory look at it again one after another: the next one after the last. */
static struct shim_job *
next_waiting(const struct shim_job *last)
{
   struct shim_job *first = NULL;
   bool passed = false;
   list_for_each(struct shim_job, job, &turns.jobs, turn_link) {
      if (job->begun && passed)
         return job;
      first = first || !job->begun ? first : job;
      passed |= job == last;
   }
   return first;
}

/* NULL: there is none. */
static struct shim_job *
choose(const struct shim_job *current)
{
   struct shim_job *candidates[MOST];
   const uint64_t busy = busy_rings();
   unsigned count = 0;
   int index = -1;
   if (!turns.going && shim_now_ns() < turns.held_until_ns && !busy)
      return NULL;
   turns.going = true;
   list_for_each(struct shim_job, job, &turns.jobs, turn_link) {
      if (count == MOST || !could_run(job, busy))
         continue;
      index = job == current ? (int)count : index;
      candidates[count++] = job;
   }
   return count ? candidates[turns.choose(count, index)] : next_waiting(current);
}

bool
shim_turns_take(struct shim_job *job)
{
   if (!turns.choose)
      return true;
   if (!turns.current && (turns.current = choose(NULL)))
      shim_wake();
   if (turns.current != job)
      return false;
   job->begun = true;
   return true;
}

int64_t
shim_turns_until_ns(void)
{
   const bool held = turns.choose && !turns.going && !turns.current && !list_is_empty(&turns.jobs);
   return held ? turns.held_until_ns : INT64_MAX;
}

bool
shim_turns_is_over(struct shim_job *job)
{
   turns.next = turns.choose ? choose(job) : job;
   return turns.next && turns.next != job;
}

void
shim_turns_give(struct shim_job *job, bool waits)
{
   if (!turns.choose)
      return;
   job->waits_for_memory = waits;
   if (turns.current == job) {
      turns.current = turns.next && turns.next != job ? turns.next : choose(job);
      turns.next = NULL;
      shim_wake();
   }
   while (turns.current != job) {
      if (!turns.current && (turns.current = choose(NULL)))
         shim_wake();
      else
         shim_sleep(INT64_MAX);
   }
   job->waits_for_memory = false;
}
