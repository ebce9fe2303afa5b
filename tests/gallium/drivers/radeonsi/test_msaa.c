/* Sample positions as shaders read them, against the table of Vulkan's "Standard Sample Locations". */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include "gallium/drivers/radeonsi/state/si_msaa.h"

static void
test_standard_locations(void **state)
{
   static const float standard[4][8][2] = {
      {{0.5f, 0.5f}},
      {{0.75f, 0.75f}, {0.25f, 0.25f}},
      {{0.375f, 0.125f}, {0.875f, 0.375f}, {0.125f, 0.625f}, {0.625f, 0.875f}},
      {{0.5625f, 0.3125f},
       {0.4375f, 0.6875f},
       {0.8125f, 0.5625f},
       {0.3125f, 0.1875f},
       {0.1875f, 0.8125f},
       {0.0625f, 0.4375f},
       {0.6875f, 0.9375f},
       {0.9375f, 0.0625f}},
   };

   for (unsigned log2 = 0; log2 < 4; log2++) {
      for (unsigned s = 0; s < 1u << log2; s++) {
         float xy[2];

         si_sample_position(1u << log2, s, xy);
         assert_true(xy[0] == standard[log2][s][0] && xy[1] == standard[log2][s][1]);
      }
   }
}

int
main(void)
{
   const struct CMUnitTest tests[] = {cmocka_unit_test(test_standard_locations)};

   return cmocka_run_group_tests(tests, NULL, NULL);
}
