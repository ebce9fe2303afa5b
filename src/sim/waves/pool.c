#include "sim/waves/pool.h"
#include "sim/waves/host_float.h"
#include "util/within_memory.h"
#include "util/thread.h"

#include <pthread.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

/* Runs follow each other at once: whoever waits looks this often (some 100 us) before it goes to sleep. */
#define LOOKS 8000

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

struct sim_pool {
   unsigned threads;
   struct share *shares; /* one a thread; the caller begins with the first */
   atomic_uint numbered; /* workers that have a share */
   pthread_t *workers;   /* threads - 1: the caller is one too */
   pthread_mutex_t lock;
   pthread_cond_t start, done;
   atomic_uint sleepers;      /* workers that wait for `start`; changes under the lock */
   atomic_bool caller_sleeps; /* waits for `done` */
   atomic_bool quit;
   atomic_bool exhausted; /* a task ran out of memory, and its thread ran no further ones */

   _Alignas(64) atomic_uint state;
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
   for (unsigned i = 0; i < pool->threads; i++) {
      while (take_some(&pool->shares[(own_share + i) % pool->threads], &task, &end)) {
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

/* Whether there is a run that the worker has not looked at, whose number without `joined` was `seen`. */
static bool
has_run(const struct sim_pool *pool, unsigned seen)
{
   unsigned state = pool->state;
   return state & OPEN && (state & ~JOINED) != seen;
}

static void
await_run(struct sim_pool *pool, unsigned seen)
{
   for (unsigned i = 0; i < LOOKS && !has_run(pool, seen) && !pool->quit; i++)
      pause_cpu();
   if (has_run(pool, seen) || pool->quit)
      return;
   pthread_mutex_lock(&pool->lock);
   pool->sleepers++;
   while (!has_run(pool, seen) && !pool->quit)
      pthread_cond_wait(&pool->start, &pool->lock);
   pool->sleepers--;
   pthread_mutex_unlock(&pool->lock);
}

/* False: it has been closed meanwhile. */
static bool
join_run(struct sim_pool *pool, unsigned *seen)
{
   unsigned state = pool->state;
   while (state & OPEN && (state & ~JOINED) != *seen) {
      if (atomic_compare_exchange_weak(&pool->state, &state, state + 1)) {
         *seen = state & ~JOINED;
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
   struct sim_pool *pool = argument;
   unsigned seen = 0;
   own_share = ++pool->numbered;
   while (!pool->quit) {
      if (join_run(pool, &seen)) {
         run_tasks(pool);
         leave_run(pool);
      }
      await_run(pool, seen);
   }
   return NULL;
}

struct sim_pool *
sim_pool_create(unsigned threads)
{
   struct sim_pool *pool = NULL;
   if (posix_memalign((void **)&pool, 64, sizeof(*pool)))
      return NULL;
   memset(pool, 0, sizeof(*pool));
   if (posix_memalign((void **)&pool->shares, 64, threads * sizeof(*pool->shares))) {
      free(pool);
      return NULL;
   }
   pool->threads = 1;
   pthread_mutex_init(&pool->lock, NULL);
   pthread_cond_init(&pool->start, NULL);
   pthread_cond_init(&pool->done, NULL);
   pool->workers = calloc(threads, sizeof(*pool->workers));
   for (unsigned i = 1; pool->workers && i < threads; i++) {
      /* Fewer threads than asked for are slower, not wrong. */
      if (!thread_start(&pool->workers[i - 1], worker_main, pool))
         break;
      pool->threads++;
   }
   return pool;
}

void
sim_pool_destroy(struct sim_pool *pool)
{
   if (!pool)
      return;
   pthread_mutex_lock(&pool->lock);
   pool->quit = true;
   pthread_cond_broadcast(&pool->start);
   pthread_mutex_unlock(&pool->lock);
   for (unsigned i = 0; i + 1 < pool->threads; i++)
      pthread_join(pool->workers[i], NULL);
   pthread_mutex_destroy(&pool->lock);
   pthread_cond_destroy(&pool->start);
   pthread_cond_destroy(&pool->done);
   free(pool->workers);
   free(pool->shares);
   free(pool);
}

static void
open_run(struct sim_pool *pool)
{
   pool->state = OPEN | ((pool->state & ~OPEN) + (1u << RUN_SHIFT));
   if (!pool->sleepers)
      return;
   pthread_mutex_lock(&pool->lock);
   pthread_mutex_unlock(&pool->lock);
   pthread_cond_broadcast(&pool->start); /* without the lock, which whoever wakes up takes */
}

static void
close_run(struct sim_pool *pool)
{
   atomic_fetch_and(&pool->state, ~OPEN);
   for (unsigned i = 0; i < LOOKS && pool->state & JOINED; i++)
      pause_cpu();
   if (!(pool->state & JOINED))
      return;
   pthread_mutex_lock(&pool->lock);
   pool->caller_sleeps = true;
   while (pool->state & JOINED)
      pthread_cond_wait(&pool->done, &pool->lock);
   pool->caller_sleeps = false;
   pthread_mutex_unlock(&pool->lock);
}

void
sim_pool_run(struct sim_pool *pool, unsigned count, sim_pool_task run, void *data)
{
   pool->run = run;
   pool->data = data;
   for (unsigned i = 0, first = 0; i < pool->threads; i++, first = pool->shares[i - 1].end) {
      atomic_store_explicit(&pool->shares[i].next, first, memory_order_relaxed);
      pool->shares[i].end = (unsigned)((uint64_t)count * (i + 1) / pool->threads);
   }
   bool shared = count > 1 && pool->threads > 1;
   if (shared)
      open_run(pool);
   run_tasks(pool);
   if (shared)
      close_run(pool);
   if (atomic_exchange(&pool->exhausted, false))
      out_of_memory("a task of the model", 0);
}
