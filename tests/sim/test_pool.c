/* The pool of host threads: every task runs once, whatever threads come to it, and runs follow each other at once. */
#include <setjmp.h>
#include <stdarg.h>
#include <stdatomic.h>
#include <stddef.h>
#include <string.h>
#include <time.h>
#include <cmocka.h>

#include "sim/waves/pool.h"
#include "util/within_memory.h"

enum { TASKS = 1000, RUNS = 3000 };

struct work {
   struct sim_pool *pool;
   unsigned count, fails; /* the task that runs out of memory, from 1 */
   unsigned ran[TASKS];   /* of one task: no other thread writes it */
};

static void
task(void *data, unsigned number)
{
   struct work *work = data;
   work->ran[number]++;
   if (number + 1 == work->fails)
      out_of_memory("a test", 1);
}

static void
count_job(void *data)
{
   struct work *work = data;
   sim_pool_run(work->pool, work->count, task, work);
}

static void
each_once(unsigned threads)
{
   struct work work = {.pool = sim_pool_create(threads)};
   unsigned want[TASKS] = {0};
   for (unsigned i = 0; i < RUNS; i++) {
      work.count = i % 7 ? i % 5 : i % TASKS;
      assert_true(within_memory(count_job, &work));
      for (unsigned n = 0; n < work.count; n++)
         want[n]++;
      if (i % 1000 == 500)
         nanosleep(&(struct timespec){.tv_nsec = 1000000}, NULL); /* threads go to sleep */
   }
   assert_memory_equal(work.ran, want, sizeof(want));
   sim_pool_destroy(work.pool);
}

static void
one_thread(void **state)
{
   each_once(1);
}

static void
many_threads(void **state)
{
   each_once(2);
   each_once(7);
}

/* Long and short tasks in turn, so that a thrifty pool has some threads, all, or one. */
static void
long_task(void *data, unsigned number)
{
   const struct timespec some = {.tv_nsec = 50000};
   if (((struct work *)data)->count < 10)
      nanosleep(&some, NULL);
   task(data, number);
}

static void
mixed_job(void *data)
{
   struct work *work = data;
   sim_pool_run(work->pool, work->count, work->count % 2 ? long_task : task, work);
}

static void
thrifty(void **state)
{
   struct work work = {.pool = sim_pool_create(5)};
   unsigned want[TASKS] = {0};
   sim_pool_be_thrifty(work.pool);
   for (unsigned i = 0; i < RUNS / 3; i++) {
      work.count = i % 7 ? i % 9 : i % TASKS;
      assert_true(within_memory(mixed_job, &work));
      for (unsigned n = 0; n < work.count; n++)
         want[n]++;
   }
   assert_memory_equal(work.ran, want, sizeof(want));
   sim_pool_destroy(work.pool);
}

/* Whichever thread it was: the caller hears of it, and the next run is as any other. */
static void
exhausted(void **state)
{
   struct work work = {.pool = sim_pool_create(3), .count = TASKS};
   for (unsigned i = 0; i < 100; i++) {
      work.fails = 1 + i * 7 % TASKS;
      assert_false(within_memory(count_job, &work));
      work.fails = 0;
      memset(work.ran, 0, sizeof(work.ran));
      assert_true(within_memory(count_job, &work));
      for (unsigned n = 0; n < TASKS; n++)
         assert_int_equal(work.ran[n], 1);
   }
   sim_pool_destroy(work.pool);
}

int
main(void)
{
   const struct CMUnitTest tests[] = {
      cmocka_unit_test(one_thread),
      cmocka_unit_test(many_threads),
      cmocka_unit_test(thrifty),
      cmocka_unit_test(exhausted),
   };
   return cmocka_run_group_tests(tests, NULL, NULL);
}
