/* The shim of a chip is that of the vendor in whose table it stands. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include "tools/vendors.h"

static const char *
second_name(unsigned i)
{
   static const char *const names[] = {"m1", "m2", NULL};
   return names[i];
}

static void
test_vendors(void **state)
{
   const struct vendor rows[] = {vendors[0], {.chip_name = second_name}, {0}};

   assert_ptr_equal(vendor_of_chip(rows, "navi21"), &rows[0]);
   assert_ptr_equal(vendor_of_chip(rows, "gfx1150"), &rows[0]);
   assert_ptr_equal(vendor_of_chip(rows, "m2"), &rows[1]);
   assert_null(vendor_of_chip(rows, "m3"));
   assert_null(vendor_of_chip(vendors, "m2"));
   assert_int_equal(vendors[0].shim, PART_AMDGPU_SHIM);
}

int
main(void)
{
   const struct CMUnitTest tests[] = {cmocka_unit_test(test_vendors)};
   return cmocka_run_group_tests(tests, NULL, NULL);
}
