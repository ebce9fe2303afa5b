/* Operations that differ in one thing each spread over a hash table as random numbers do. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <string.h>

#include <cmocka.h>

#include "../../compiler/probes.h"
#include "asahi/compiler/agx_ir.h"

#define MOST 60000

static uint32_t hashes[MOST], count;

/* a + b << shift, of 32 bits; how: modifiers of a. */
static void
add(uint32_t a, uint32_t b, uint32_t shift, uint32_t how)
{
   struct agx_ref dst = {.kind = AGX_SSA, .size = 32, .count = 1, .value = count};
   struct agx_ref srcs[2] = {{.kind = AGX_SSA, .size = 32, .count = 1, .value = a},
                             {.kind = AGX_SSA, .size = 32, .count = 1, .value = b}};
   srcs[0].abs = how & 1;
   srcs[0].neg = how >> 1 & 1;
   srcs[0].sext = how >> 2 & 1;
   srcs[0].size = how & 8 ? 16 : 32;
   struct agx_instr instr = {.op = AGX_OP_IADD, .num_dsts = 1, .num_srcs = 2, .dsts = &dst, .srcs = srcs};
   instr.exact = how >> 4 & 1;
   instr.mod.shift = (uint8_t)shift;
   assert_true(count < MOST);
   hashes[count++] = agx_instr_hash(&instr);
}

static void
check(const char *what)
{
   const uint64_t probes = count_probes(hashes, count);
   if (probes > 2 * (uint64_t)count)
      fail_msg("%s: %u hashes take %llu probes", what, count, (unsigned long long)probes);
   count = 0;
}

static void
test_operands(void **state)
{
   (void)state;
   for (uint32_t a = 0; a < 200; a++) {
      for (uint32_t b = 0; b < 200; b++)
         add(a, b, 0, 0);
   }
   check("operands");
}

static void
test_modifiers(void **state)
{
   (void)state;
   for (uint32_t a = 0; a < 200; a++) {
      for (uint32_t how = 0; how < 32; how++) {
         for (uint32_t shift = 0; shift < 4; shift++)
            add(a, 7, shift, how);
      }
   }
   check("modifiers");
}

int
main(void)
{
   const struct CMUnitTest tests[] = {cmocka_unit_test(test_operands), cmocka_unit_test(test_modifiers)};
   return cmocka_run_group_tests(tests, NULL, NULL);
}
