/* Submits: order, splitting, waits for points that nobody has submitted, a lost device. */
#include <errno.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <cmocka.h>

#include "fake_gpu.h"
#include "gallium/drivers/radeonsi/si_context.h"

struct fixture {
   struct pipe_screen *screen;
   struct pipe_queue *queue;
   struct pipe_sync *sync;
   struct pipe_context *ctx;
};

static int
setup(void **state)
{
   struct fixture *f = calloc(1, sizeof(*f));

   f->screen = fake_screen_create();
   if (!f->screen ||
       f->screen->queue_create(f->screen, &(struct pipe_queue_desc){.priority = PIPE_PRIORITY_MEDIUM}, &f->queue) ||
       f->screen->sync_create(f->screen, false, &f->sync))
      return -1;
   f->ctx = f->screen->context_create(f->screen, 0);
   fake_num_submits = 0;
   *state = f;
   return f->ctx->begin(f->ctx, NULL, true) || f->ctx->end(f->ctx) ? -1 : 0;
}

static int
teardown(void **state)
{
   struct fixture *f = *state;

   f->ctx->destroy(f->ctx);
   f->screen->sync_destroy(f->screen, f->sync);
   f->screen->queue_destroy(f->screen, f->queue);
   f->screen->destroy(f->screen);
   free(f);
   return 0;
}

static enum pipe_result
submit(struct fixture *f, unsigned contexts, unsigned waits)
{
   struct pipe_context *list[200] = {NULL};
   struct pipe_sync_point wait = {.sync = f->sync, .point = 5}, signal = {.sync = f->sync, .point = 6};

   for (unsigned i = 0; i < contexts; i++)
      list[i] = f->ctx;
   return f->screen->queue_submit(f->queue, &(struct pipe_submit){.num_waits = waits,
                                                                  .num_signals = 1,
                                                                  .num_contexts = contexts,
                                                                  .waits = &wait,
                                                                  .signals = &signal,
                                                                  .contexts = list});
}

static void
test_many_contexts(void **state)
{
   struct fixture *f = *state;

   assert_int_equal(submit(f, 0, 0), PIPE_OK);
   assert_int_equal(fake_num_submits, 1);
   assert_int_equal(fake_num_ibs[0], 1);
   /* 110 contexts in pieces of 47; the first waits, the last signals the caller's and the queue's own object. */
   assert_int_equal(submit(f, 110, 1), PIPE_OK);
   assert_int_equal(fake_num_submits, 4);
   assert_int_equal(fake_num_ibs[1], 48);
   assert_int_equal(fake_num_ibs[3], 17);
   assert_int_equal(fake_num_waits[1], 1);
   assert_int_equal(fake_num_waits[2], 0);
   assert_int_equal(fake_num_signals[2], 0);
   assert_int_equal(fake_num_signals[3], 2);
   assert_int_equal(f->screen->queue_wait_idle(f->queue), PIPE_OK);
}

/* Two preambles, then two buffers a context, which no submit parts. */
static void
test_many_tasks(void **state)
{
   struct fixture *f = *state;
   struct si_context *ctx = si_context(f->ctx);

   assert_true(si_cs_begin(&ctx->task_cs));
   ctx->tasks.started = true;
   assert_int_equal(submit(f, 50, 0), PIPE_OK);
   assert_int_equal(fake_num_submits, 3);
   assert_int_equal(fake_num_ibs[0], 48);
   assert_int_equal(fake_num_ibs[1], 48);
   assert_int_equal(fake_num_ibs[2], 10);
   assert_int_equal(f->screen->queue_wait_idle(f->queue), PIPE_OK);
}

static void
test_wait_before_signal(void **state)
{
   struct fixture *f = *state;

   fake_not_submitted = true;
   assert_int_equal(submit(f, 1, 1), PIPE_OK);
   assert_int_equal(submit(f, 2, 0), PIPE_OK); /* stays after the first */
   assert_int_equal(fake_num_submits, 0);
   fake_not_submitted = false;
   assert_int_equal(f->screen->queue_wait_idle(f->queue), PIPE_OK);
   assert_int_equal(fake_num_submits, 2);
   assert_int_equal(fake_num_ibs[0], 2);
   assert_int_equal(fake_num_ibs[1], 3);
}

static void
test_lost_device(void **state)
{
   struct fixture *f = *state;

   assert_false(f->screen->queue_lost(f->queue));
   fake_lost = true;
   assert_true(f->screen->queue_lost(f->queue));
   assert_int_equal(f->screen->queue_wait_idle(f->queue), PIPE_DEVICE_LOST);
   fake_lost = false;
}

/* What a failed submit would have signaled is signaled all the same: another queue may wait for it. */
static void
test_failed_submit(void **state)
{
   struct fixture *f = *state;

   fake_num_cpu_signals = 0;
   fake_submit_error = -ECANCELED;
   assert_int_equal(submit(f, 1, 0), PIPE_DEVICE_LOST);
   assert_int_equal(fake_num_cpu_signals, 2);
   fake_not_submitted = true;
   assert_int_equal(submit(f, 1, 1), PIPE_OK);
   assert_int_equal(fake_num_cpu_signals, 2);
   fake_not_submitted = false;
   assert_int_equal(f->screen->queue_wait_idle(f->queue), PIPE_DEVICE_LOST);
   assert_int_equal(fake_num_cpu_signals, 4);
   assert_true(f->screen->queue_lost(f->queue));
   fake_submit_error = 0;
   assert_int_equal(submit(f, 1, 0), PIPE_DEVICE_LOST);
}

int
main(void)
{
   const struct CMUnitTest tests[] = {
      cmocka_unit_test_setup_teardown(test_many_contexts, setup, teardown),
      cmocka_unit_test_setup_teardown(test_many_tasks, setup, teardown),
      cmocka_unit_test_setup_teardown(test_wait_before_signal, setup, teardown),
      cmocka_unit_test_setup_teardown(test_lost_device, setup, teardown),
      cmocka_unit_test_setup_teardown(test_failed_submit, setup, teardown),
   };
   return cmocka_run_group_tests(tests, NULL, NULL);
}
