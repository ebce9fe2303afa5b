#include "sim/pool.h"
#include "util/within_memory.h"

#include <pthread.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stdlib.h>

/* Rounds of a schedule are short: whoever waits looks this often (some 20 us) before it goes to sleep. */
#define LOOKS 1000

struct sim_pool {
   unsigned threads;
   pthread_t *workers; /* threads - 1: the caller is one too */
   pthread_mutex_t lock;
   pthread_cond_t start, done;
   atomic_uint generation, busy; /* change under the lock, may be looked at without */
   atomic_bool quit;
   atomic_bool exhausted; /* a task ran out of memory, and its thread ran no further ones */

   unsigned count;
   atomic_uint next;
   sim_pool_task run;
   void *data;
};

static void
take_tasks(void *data)
{
   struct sim_pool *pool = data;
   for (;;) {
      unsigned task = atomic_fetch_add_explicit(&pool->next, 1, memory_order_relaxed);
      if (task >= pool->count)
         return;
      pool->run(pool->data, task);
   }
}

static void
run_tasks(struct sim_pool *pool)
{
   if (!within_memory(take_tasks, pool))
      pool->exhausted = true;
}

static void
pause_cpu(void)
{
#ifdef __x86_64__
   __builtin_ia32_pause();
#endif
}

/* Waits for another generation than *seen; false: it is over. */
static bool
await_start(struct sim_pool *pool, unsigned *seen)
{
   for (unsigned i = 0; i < LOOKS && pool->generation == *seen && !pool->quit; i++)
      pause_cpu();
   if (pool->generation == *seen) {
      pthread_mutex_lock(&pool->lock);
      while (pool->generation == *seen && !pool->quit)
         pthread_cond_wait(&pool->start, &pool->lock);
      pthread_mutex_unlock(&pool->lock);
   }
   *seen = pool->generation;
   return !pool->quit;
}

static void *
worker_main(void *argument)
{
   struct sim_pool *pool = argument;
   unsigned seen = 0;
   while (await_start(pool, &seen)) {
      run_tasks(pool);
      pthread_mutex_lock(&pool->lock);
      if (!--pool->busy)
         pthread_cond_signal(&pool->done);
      pthread_mutex_unlock(&pool->lock);
   }
   return NULL;
}

struct sim_pool *
sim_pool_create(unsigned threads)
{
   struct sim_pool *pool = calloc(1, sizeof(*pool));
   if (!pool)
      return NULL;
   pool->threads = 1;
   pthread_mutex_init(&pool->lock, NULL);
   pthread_cond_init(&pool->start, NULL);
   pthread_cond_init(&pool->done, NULL);
   pool->workers = calloc(threads, sizeof(*pool->workers));
   for (unsigned i = 1; pool->workers && i < threads; i++) {
      /* Fewer threads than asked for are slower, not wrong. */
      if (pthread_create(&pool->workers[i - 1], NULL, worker_main, pool))
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
   free(pool);
}

void
sim_pool_run(struct sim_pool *pool, unsigned count, sim_pool_task run, void *data)
{
   pool->run = run;
   pool->data = data;
   pool->count = count;
   atomic_store_explicit(&pool->next, 0, memory_order_relaxed);
   if (count > 1 && pool->threads > 1) {
      pthread_mutex_lock(&pool->lock);
      pool->busy = pool->threads - 1;
      pool->generation++;
      pthread_cond_broadcast(&pool->start);
      pthread_mutex_unlock(&pool->lock);
      run_tasks(pool);
      for (unsigned i = 0; i < LOOKS && pool->busy; i++)
         pause_cpu();
      if (pool->busy) {
         pthread_mutex_lock(&pool->lock);
         while (pool->busy)
            pthread_cond_wait(&pool->done, &pool->lock);
         pthread_mutex_unlock(&pool->lock);
      }
   } else {
      run_tasks(pool);
   }
   if (atomic_exchange(&pool->exhausted, false))
      out_of_memory("a task of the model", 0);
}
