/* The chip rows against numbers printed on the boxes and ranges of the kernel's revision ids. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "amd/hw/chips.h"

static void
compute_units(void **state)
{
   static const struct {
      const char *name;
      enum amd_gen gen;
      unsigned cus;
   } rows[] = {{"vega10", AMD_GFX9, 64},   {"raven", AMD_GFX9, 10},     {"renoir", AMD_GFX9, 7},
               {"navi10", AMD_GFX10, 40},  {"navi21", AMD_GFX10_3, 60}, {"vangogh", AMD_GFX10_3, 8},
               {"navi31", AMD_GFX11, 96},  {"phoenix", AMD_GFX11, 12},  {"gfx1150", AMD_GFX11_5, 16},
               {"krackan", AMD_GFX11_5, 8}};
   assert_int_equal(amd_chip_count, sizeof(rows) / sizeof(rows[0]));
   for (unsigned i = 0; i < amd_chip_count; i++) {
      const struct amd_chip *chip = amd_chip_by_name(rows[i].name);
      assert_non_null(chip);
      assert_int_equal(chip->num_cu_active, rows[i].cus);
      assert_int_equal(chip->gen, rows[i].gen);
   }
   assert_null(amd_chip_by_name("navi48"));
}

static void
revisions(void **state)
{
   assert_string_equal(amd_chip_by_revision(142, 0x02)->name, "raven");
   assert_string_equal(amd_chip_by_revision(142, 0xa1)->name, "renoir");
   assert_null(amd_chip_by_revision(142, 0x81)); /* Raven2 has no row */
   assert_string_equal(amd_chip_by_revision(143, 0x28)->name, "navi21");
   assert_null(amd_chip_by_revision(143, 0x32)); /* Navi 22 */
   assert_null(amd_chip_by_revision(130, 1));
}

/* GB_ADDR_CONFIG.NUM_PKRS[10:8] and NUM_PIPES[2:0] are log2; Navi 21 has 16 pipes and 16 packers. */
static void
address_config(void **state)
{
   uint32_t config = amd_chip_by_name("navi21")->gb_addr_config;
   assert_int_equal(1 << (config & 7), 16);
   assert_int_equal(1 << (config >> 8 & 7), 16);
}

int
main(void)
{
   const struct CMUnitTest tests[] = {
      cmocka_unit_test(compute_units),
      cmocka_unit_test(revisions),
      cmocka_unit_test(address_config),
   };
   return cmocka_run_group_tests(tests, NULL, NULL);
}
