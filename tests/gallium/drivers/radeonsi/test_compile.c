/* The internal programs go through the real compiler, with its checks on. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <cmocka.h>

#include "fake_gpu.h"
#include "gallium/drivers/radeonsi/si_meta.h"
#include "gallium/drivers/radeonsi/si_program.h"

static void
test_internal_programs(void **state)
{
   struct pipe_screen *screen = fake_screen_create();
   const struct si_meta *meta;

   assert_non_null(screen);
   meta = si_screen(screen)->meta;
   for (unsigned i = 0; i < SI_META_COMPUTE_COUNT; i++) {
      const struct si_program *program = si_program(meta->compute[i]);

      assert_non_null(program);
      assert_int_equal(program->stats[NIR_STAGE_COMPUTE].spilled_vgprs, 0);
      assert_int_equal(program->stats[NIR_STAGE_COMPUTE].scratch_B, 0);
      assert_true(program->stats[NIR_STAGE_COMPUTE].instructions > 10);
   }
   for (unsigned i = 0; i < SI_META_CLEAR_COUNT; i++) {
      assert_non_null(meta->clear[i]);
      assert_true((meta->clear_any[i] != NULL) == (i != SI_META_CLEAR_DEPTH));
   }
   screen->destroy(screen);
   assert_int_equal(fake_num_bos, 0);
}

int
main(void)
{
   const struct CMUnitTest tests[] = {cmocka_unit_test(test_internal_programs)};

   setenv("INDIUM_DEBUG", "validate", 1);
   return cmocka_run_group_tests(tests, NULL, NULL);
}
