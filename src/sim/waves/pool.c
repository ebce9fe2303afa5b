#include "sim/waves/pool.h"
#include "sim/waves/host_float.h"
#include "util/within_memory.h"
#include "util/macros.h"
#include "util/thread.h"

#include <pthread.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

/* How often whoever waits looks before it goes to sleep, at least and at most (some 10 us): twice as often as the
 * last time if it met what it waited for, else half as often. A thread that sleeps costs no processor time, one that
 * has to be woken up costs whoever wakes it up some us. */
enum { LEAST_LOOKS = 16, MOST_LOOKS = 512 };

/* A thrifty pool's threads each have so much work, or stay asleep. */
enum { ENOUGH_NS = 30000 };

/* Of pool->state: whether threads may join the run, its number, and how many have joined it and not left. Nobody
 * waits for a thread that has not: one that comes late finds the run closed. */
#define OPEN (1u << 31)
#define RUN_SHIFT 10
#define JOINED ((1u << RUN_SHIFT) - 1)

/* Tasks of a run that one thread begins with: those of the next run with the same numbers mostly touch the same
 * memory, which its core still has. */
struct share {
   _Alignas(64) atomic_uint next;
   unsigned end;
};

struct worker {
   _Alignas(64) struct sim_pool *pool;
   pthread_t thread;
   pthread_cond_t wake;
   atomic_bool asleep; /* changes under the pool's lock */
   unsigned number;    /* of its share, from 1 */
   unsigned looks;     /* next time */
   unsigned seen;      /* state of the newest run that it joined, without `joined` */
};

/* What the tasks of a function cost, as the caller's own have. */
struct cost {
   sim_pool_task run; /* NULL: none has run */
   uint64_t task_ns;
};
enum { COSTS = 16 };

struct sim_pool {
   unsigned threads;
   struct share *shares;   /* one a thread; the caller begins with the first */
   struct worker *workers; /* threads - 1: the caller is one too */
   bool thrifty;
   struct cost costs[COSTS]; /* by function */
   unsigned own_tasks;       /* that the caller took in the run */
   unsigned looks;           /* the caller's, next time */
   pthread_mutex_t lock;
   pthread_cond_t done;
   atomic_bool caller_sleeps; /* waits for `done` */
   atomic_bool quit;
   atomic_bool exhausted; /* a task ran out of memory, and its thread ran no further ones */

   _Alignas(64) atomic_uint state;
   atomic_uint used; /* threads that the run may have; the caller is one */
   sim_pool_task run;
   void *data;
};

static _Thread_local unsigned own_share;

/* Takes tasks [*first, *end): many at first, one at a time at the end, when others are at their last. */
static bool
take_some(struct share *share, unsigned *first, unsigned *end)
{
   unsigned next = atomic_load_explicit(&share->next, memory_order_relaxed), some;
   do {
      if (next >= share->end)
         return false;
      some = (share->end - next) / 4;
      some = some ? some : 1;
   } while (!atomic_compare_exchange_weak_explicit(&share->next, &next, next + some, memory_order_relaxed,
                                                   memory_order_relaxed));
   *first = next;
   *end = next + some;
   return true;
}

/* Those of its own share, then what is left of the others'. */
static void
take_tasks(void *data)
{
   struct sim_pool *pool = data;
   unsigned task, end;
   const unsigned used = pool->used;
   for (unsigned i = 0; i < used; i++) {
      while (take_some(&pool->shares[(own_share + i) % used], &task, &end)) {
         if (!own_share)
            pool->own_tasks += end - task;
         for (; task < end; task++)
            pool->run(pool->data, task);
      }
   }
}

/* Those that run out of memory leave the modes of floats as they were in their midst. */
static void
run_tasks(struct sim_pool *pool)
{
   const uint32_t saved = sim_host_float_save();
   if (within_memory(take_tasks, pool))
      return;
   sim_host_float_restore(saved);
   pool->exhausted = true;
}

static void
pause_cpu(void)
{
#ifdef __x86_64__
   __builtin_ia32_pause();
#endif
}

/* Whether there is a run that the worker may join and has not joined. */
static bool
has_run(const struct worker *w)
{
   const unsigned state = w->pool->state;
   return state & OPEN && (state & ~JOINED) != w->seen && w->number < w->pool->used;
}

static unsigned
next_looks(unsigned looks, bool met)
{
   return met ? MIN2(looks * 2, (unsigned)MOST_LOOKS) : MAX2(looks / 2, (unsigned)LEAST_LOOKS);
}

static void
await_run(struct worker *w)
{
   struct sim_pool *pool = w->pool;
   for (unsigned i = 0; i < w->looks && !has_run(w) && !pool->quit; i++)
      pause_cpu();
   const bool met = has_run(w) || pool->quit;
   w->looks = next_looks(w->looks, met);
   if (met)
      return;
   pthread_mutex_lock(&pool->lock);
   w->asleep = true;
   while (!has_run(w) && !pool->quit)
      pthread_cond_wait(&w->wake, &pool->lock);
   w->asleep = false;
   pthread_mutex_unlock(&pool->lock);
}

/* False: it has been closed meanwhile. */
static bool
join_run(struct worker *w)
{
   unsigned state = w->pool->state;
   while (state & OPEN && (state & ~JOINED) != w->seen && w->number < w->pool->used) {
      if (atomic_compare_exchange_weak(&w->pool->state, &state, state + 1)) {
         w->seen = state & ~JOINED;
         return true;
      }
   }
   return false;
}

static void
leave_run(struct sim_pool *pool)
{
   if ((--pool->state & JOINED) || !pool->caller_sleeps)
      return;
   pthread_mutex_lock(&pool->lock);
   pthread_mutex_unlock(&pool->lock);
   pthread_cond_signal(&pool->done);
}

static void *
worker_main(void *argument)
{
   struct worker *w = argument;
   own_share = w->number;
   while (!w->pool->quit) {
      if (join_run(w)) {
         run_tasks(w->pool);
         leave_run(w->pool);
      }
      await_run(w);
   }
   return NULL;
}

/* Memory of lines of its own; NULL: there is none. */
static void *
allocate(size_t size_B)
{
   void *memory = NULL;
   if (posix_memalign(&memory, 64, size_B))
      return NULL;
   return memset(memory, 0, size_B);
}

/* Fewer threads than asked for are slower, not wrong. */
static void
start_workers(struct sim_pool *pool, unsigned threads)
{
   for (unsigned i = 1; pool->workers && i < threads; i++) {
      struct worker *w = &pool->workers[i - 1];
      w->pool = pool;
      w->number = i;
      w->looks = MOST_LOOKS;
      pthread_cond_init(&w->wake, NULL);
      if (!thread_start(&w->thread, worker_main, w)) {
         pthread_cond_destroy(&w->wake);
         return;
      }
      pool->threads++;
   }
}

struct sim_pool *
sim_pool_create(unsigned threads)
{
   struct sim_pool *pool = allocate(sizeof(*pool));
   if (!pool)
      return NULL;
   pool->shares = allocate(threads * sizeof(*pool->shares));
   if (!pool->shares) {
      free(pool);
      return NULL;
   }
   pool->threads = 1;
   pool->looks = MOST_LOOKS;
   pthread_mutex_init(&pool->lock, NULL);
   pthread_cond_init(&pool->done, NULL);
   pool->workers = allocate(threads * sizeof(*pool->workers));
   start_workers(pool, threads);
   return pool;
}

void
sim_pool_be_thrifty(struct sim_pool *pool)
{
   pool->thrifty = true;
}

void
sim_pool_destroy(struct sim_pool *pool)
{
   if (!pool)
      return;
   pthread_mutex_lock(&pool->lock);
   pool->quit = true;
   pthread_mutex_unlock(&pool->lock);
   for (unsigned i = 0; i + 1 < pool->threads; i++) {
      pthread_cond_signal(&pool->workers[i].wake);
      pthread_join(pool->workers[i].thread, NULL);
      pthread_cond_destroy(&pool->workers[i].wake);
   }
   pthread_mutex_destroy(&pool->lock);
   pthread_cond_destroy(&pool->done);
   free(pool->workers);
   free(pool->shares);
   free(pool);
}

static void
open_run(struct sim_pool *pool)
{
   bool locked = false;
   pool->state = OPEN | ((pool->state & ~OPEN) + (1u << RUN_SHIFT));
   for (unsigned i = 0; i + 1 < pool->used; i++) {
      if (!pool->workers[i].asleep)
         continue;
      if (!locked) { /* once: then each that is about to sleep has seen the run, or waits */
         pthread_mutex_lock(&pool->lock);
         pthread_mutex_unlock(&pool->lock);
         locked = true;
      }
      pthread_cond_signal(&pool->workers[i].wake); /* without the lock, which whoever wakes up takes */
   }
}

static void
close_run(struct sim_pool *pool)
{
   if (!(atomic_fetch_and(&pool->state, ~OPEN) & JOINED))
      return;
   for (unsigned i = 0; i < pool->looks && pool->state & JOINED; i++)
      pause_cpu();
   const bool met = !(pool->state & JOINED);
   pool->looks = next_looks(pool->looks, met);
   if (met)
      return;
   pthread_mutex_lock(&pool->lock);
   pool->caller_sleeps = true;
   while (pool->state & JOINED)
      pthread_cond_wait(&pool->done, &pool->lock);
   pool->caller_sleeps = false;
   pthread_mutex_unlock(&pool->lock);
}

static uint64_t
now_ns(void)
{
   struct timespec t;
   clock_gettime(CLOCK_MONOTONIC, &t);
   return (uint64_t)t.tv_sec * 1000000000 + (uint64_t)t.tv_nsec;
}

static struct cost *
cost_of(struct sim_pool *pool, sim_pool_task run)
{
   struct cost *cost = &pool->costs[((uintptr_t)run >> 4) % COSTS];
   if (cost->run != run)
      *cost = (struct cost){.run = run, .task_ns = ENOUGH_NS};
   return cost;
}

/* How many threads a run gets: what they do does not depend on it. */
static unsigned
threads_for(struct sim_pool *pool, unsigned count, sim_pool_task run)
{
   const unsigned most = MIN2(pool->threads, MAX2(count, 1u));
   if (!pool->thrifty || most == 1)
      return most;
   const uint64_t work_ns = cost_of(pool, run)->task_ns * count;
   return (unsigned)MIN2(most, work_ns / ENOUGH_NS + 1);
}

/* A thread that the host holds up makes its tasks look long: what they cost grows by steps. */
static void
learn(struct sim_pool *pool, sim_pool_task run, uint64_t took_ns)
{
   struct cost *cost = cost_of(pool, run);
   if (pool->own_tasks) {
      const uint64_t task_ns = MIN2(took_ns / pool->own_tasks, cost->task_ns * 4 + 1000);
      cost->task_ns = (cost->task_ns * 3 + task_ns) / 4;
   }
}

static void
divide(struct sim_pool *pool, unsigned count)
{
   const unsigned used = pool->used;
   for (unsigned i = 0, first = 0; i < used; i++, first = pool->shares[i - 1].end) {
      atomic_store_explicit(&pool->shares[i].next, first, memory_order_relaxed);
      pool->shares[i].end = (unsigned)((uint64_t)count * (i + 1) / used);
   }
}

void
sim_pool_run(struct sim_pool *pool, unsigned count, sim_pool_task run, void *data)
{
   const bool learns = pool->thrifty && pool->threads > 1 && count > 1;
   const uint64_t began_ns = learns ? now_ns() : 0;
   pool->run = run;
   pool->data = data;
   pool->used = threads_for(pool, count, run);
   pool->own_tasks = 0;
   divide(pool, count);
   const bool shared = pool->used > 1;
   if (shared)
      open_run(pool);
   run_tasks(pool);
   if (learns)
      learn(pool, run, now_ns() - began_ns);
   if (shared)
      close_run(pool);
   if (atomic_exchange(&pool->exhausted, false))
      out_of_memory("a task of the model", 0);
}
