/* Comparison functions against the operators of C. */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <cmocka.h>

#include "sim/texel/compare.h"
#include "util/macros.h"

static void
operators(void **state)
{
   static const float values[] = {-INFINITY, -1.0f, -0.0f, 0.0f, 1e-45f, 1.0f, INFINITY, NAN};
   for (unsigned i = 0; i < ARRAY_SIZE(values); i++) {
      for (unsigned k = 0; k < ARRAY_SIZE(values); k++) {
         float a = values[i], b = values[k];
         const bool expected[8] = {false, a < b, a == b, a <= b, a > b, a != b, a >= b, true};
         for (unsigned function = 0; function < 8; function++)
            assert_int_equal(sim_compare_float(function, a, b), expected[function]);
      }
   }
   for (uint64_t a = 0; a < 1ull << 33; a += 0x7fffffff) {
      for (uint64_t b = 0; b < 1ull << 33; b += 0x7fffffff) {
         uint32_t x = (uint32_t)a, y = (uint32_t)b;
         const bool expected[8] = {false, x < y, x == y, x <= y, x > y, x != y, x >= y, true};
         for (unsigned function = 0; function < 8; function++)
            assert_int_equal(sim_compare_u32(function, x, y), expected[function]);
      }
   }
}

int
main(void)
{
   const struct CMUnitTest tests[] = {cmocka_unit_test(operators)};
   return cmocka_run_group_tests(tests, NULL, NULL);
}
