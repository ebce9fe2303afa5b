/* Each allocation of a draw fails once: the draw ends in a fault, and the next one is right. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <cmocka.h>

#include "../../util/fail_alloc.h"
#include "shaded.h"

static void
set_triangle(struct stream *s)
{
   set_vertex(s, 0, 0, 0, 0, 0);
   set_vertex(s, 1, 40, 0, 1, 0);
   set_vertex(s, 2, 0, 40, 0, 1);
}

static void
expect_triangle(const struct stream *s)
{
   for (unsigned y = 0; y < H; y++) {
      for (unsigned x = 0; x < W; x++)
         assert_int_equal(s->memory[TARGET_B + (y * W + x) * 4 + 3], x + y < 39 ? 255 : 0);
   }
}

static void
draw_runs_out_of_memory(void **state)
{
   for (unsigned threads = 1; threads <= 3; threads += 2) {
      bool failed = true;
      long n = 0;
      for (; failed; n += threads) {
         struct stream s = open_stream(threads, false);
         set_triangle(&s);
         draw_auto(&s, V_DI_PT_TRILIST, 3);
         uint32_t count_dw = s.count_dw;
         fail_countdown = n;
         bool ok = stream_run(&s);
         failed = fail_countdown < 0;
         fail_countdown = -1;
         assert_true(ok == !failed);
         if (failed) {
            assert_non_null(strstr(s.fault.message, "out of host memory"));
            assert_int_equal(s.fault.kind, SIM_FAULT_EXHAUSTED);
            s.count_dw = count_dw;
            if (!stream_run(&s))
               fail_msg("after allocation %ld failed: %s", n, s.fault.message);
         }
         expect_triangle(&s);
         stream_destroy(&s);
      }
      assert_true(n > 20);
   }
}

int
main(void)
{
   const struct CMUnitTest tests[] = {cmocka_unit_test(draw_runs_out_of_memory)};
   return cmocka_run_group_tests(tests, NULL, NULL);
}
