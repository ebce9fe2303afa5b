/* The shim of a chip is that of the vendor in whose table it stands. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include "tools/launch/vendors.h"

static void
test_vendors(void **state)
{
   static const struct {
      const char *chip;
      enum part shim;
      bool records_noop;
   } rows[] = {
      {"navi21", PART_AMDGPU_SHIM, false}, {"gfx1150", PART_AMDGPU_SHIM, false}, {"m1", PART_ASAHI_SHIM, true},
      {"m1max", PART_ASAHI_SHIM, true},    {"m2", PART_ASAHI_SHIM, true},        {"hsw", PART_I915_SHIM, false},
   };
   for (unsigned i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
      const struct vendor *vendor = vendor_of_chip(vendors, rows[i].chip);
      assert_non_null(vendor);
      assert_int_equal(vendor->shim, rows[i].shim);
      assert_int_equal(vendor->records_noop, rows[i].records_noop);
   }
   assert_null(vendor_of_chip(vendors, "m"));
   assert_null(vendor_of_chip(vendors, "m11"));
   assert_null(vendor_of_chip(vendors, ""));
}

int
main(void)
{
   const struct CMUnitTest tests[] = {cmocka_unit_test(test_vendors)};
   return cmocka_run_group_tests(tests, NULL, NULL);
}
