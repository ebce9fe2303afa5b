/* GPU page tables against a flat array of the same pages. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "sim/vm/vm.h"

#define PAGE_B UINT64_C(4096)
#define RW (SIM_READ | SIM_WRITE)

static uint32_t
next_random(uint32_t *state)
{
   *state = *state * 1664525 + 1013904223;
   return *state >> 8;
}

static void
refuses(void **state)
{
   static char page[4096];
   struct sim_vm *vm = sim_vm_create();
   assert_false(sim_vm_map(vm, sim_va(0x1001), PAGE_B, page, RW));
   assert_false(sim_vm_map(vm, sim_va(0x1000), 100, page, RW));
   assert_false(sim_vm_map(vm, sim_va(0x1000), 0, page, RW));
   assert_false(sim_vm_map(vm, sim_va(0x1000), PAGE_B, NULL, RW));
   assert_false(sim_vm_map(vm, (struct sim_va){UINT64_C(1) << 50}, PAGE_B, page, RW));
   assert_false(sim_vm_map(vm, sim_va(0x7ffffffff000), 2 * PAGE_B, page, RW));
   assert_true(sim_vm_map(vm, sim_va(0x7ffffffff000), PAGE_B, page, RW));
   assert_true(sim_vm_map(vm, sim_va(0xffffffffff000), PAGE_B, page, RW)); /* the last page: wraps nowhere */
   assert_false(sim_vm_map(vm, sim_va(0x7ffffffff000), PAGE_B, page, RW));
   sim_vm_destroy(vm);
}

static void
rights_and_holes(void **state)
{
   char *memory = calloc(4, PAGE_B);
   struct sim_vm *vm = sim_vm_create();
   struct sim_va va = sim_va(0xffff800100200000), bad = {0};
   uint64_t run_B;
   bool prt;
   assert_true(sim_vm_map(vm, va, 2 * PAGE_B, memory, SIM_READ));
   assert_true(sim_vm_map(vm, sim_va_add(va, 2 * PAGE_B), 2 * PAGE_B, NULL, SIM_PRT));
   assert_true(sim_vm_map(vm, sim_va_add(va, 4 * PAGE_B), 2 * PAGE_B, memory + 2 * PAGE_B, RW));

   assert_ptr_equal(sim_vm_lookup(vm, sim_va_add(va, 5), SIM_READ, &run_B, &prt), memory + 5);
   assert_int_equal(run_B, 2 * PAGE_B - 5);
   assert_false(prt);
   assert_null(sim_vm_lookup(vm, va, SIM_WRITE, &run_B, &prt));
   assert_false(prt);
   assert_null(sim_vm_lookup(vm, sim_va_add(va, 2 * PAGE_B), SIM_READ, &run_B, &prt));
   assert_true(prt);
   assert_null(sim_vm_lookup(vm, sim_va_add(va, -1), SIM_READ, &run_B, &prt));
   /* Bits above 47 do not count. */
   assert_ptr_equal(sim_vm_lookup(vm, sim_va(0x0000800100200000), SIM_READ, NULL, NULL), memory);

   /* A write over the hole and the second buffer; a read of all three. */
   char data[4 * 4096], back[6 * 4096];
   memset(data, 0x5a, sizeof(data));
   assert_true(sim_vm_write(vm, sim_va_add(va, 2 * PAGE_B), data, sizeof(data), &bad));
   assert_true(sim_vm_read(vm, va, back, sizeof(back), &bad));
   for (unsigned i = 0; i < sizeof(back); i++)
      assert_int_equal(back[i], i < 4 * PAGE_B ? 0 : 0x5a);
   assert_false(sim_vm_write(vm, sim_va_add(va, 2 * PAGE_B - 1), data, 2, &bad));
   assert_int_equal(bad.va, va.va + 2 * PAGE_B - 1);
   assert_false(sim_vm_read(vm, va, back, sizeof(back) + 1, &bad));
   assert_int_equal(bad.va, va.va + 6 * PAGE_B);
   sim_vm_destroy(vm);
   free(memory);
}

/* A mapping that fills whole slots of the upper levels, then cut open. */
static void
large(void **state)
{
   char *memory = calloc(1, 1);
   struct sim_vm *vm = sim_vm_create();
   uint64_t size_B = UINT64_C(3) << 36, run_B; /* never touched: only addresses are computed */
   struct sim_va va = sim_va((UINT64_C(1) << 36) - PAGE_B);
   assert_true(sim_vm_map(vm, va, size_B, memory, RW));
   struct sim_va middle = sim_va_add(va, (UINT64_C(1) << 37) + 0x12345);
   assert_ptr_equal(sim_vm_lookup(vm, middle, RW, &run_B, NULL), memory + (UINT64_C(1) << 37) + 0x12345);
   assert_int_equal(run_B, size_B - (UINT64_C(1) << 37) - 0x12345);

   struct sim_va hole = sim_va(middle.va & -PAGE_B);
   sim_vm_unmap(vm, hole, PAGE_B);
   assert_null(sim_vm_lookup(vm, middle, RW, &run_B, NULL));
   assert_ptr_equal(sim_vm_lookup(vm, sim_va_add(hole, -1), RW, &run_B, NULL), memory + (hole.va - va.va) - 1);
   assert_int_equal(run_B, 1);
   assert_ptr_equal(sim_vm_lookup(vm, sim_va_add(hole, PAGE_B), RW, &run_B, NULL),
                    memory + (hole.va - va.va) + PAGE_B);
   assert_int_equal(run_B, va.va + size_B - hole.va - PAGE_B);
   sim_vm_unmap(vm, sim_va(0), UINT64_C(1) << 47);
   assert_null(sim_vm_lookup(vm, va, RW, &run_B, NULL));
   sim_vm_destroy(vm);
   free(memory);
}

static void
random_changes(void **state)
{
   enum { PAGES = 10000, FIRST = 4096 * 4096 - 5000 }; /* across a border of the upper levels */
   static char memory[PAGES + 64];
   static char *expected[PAGES];
   struct sim_vm *vm = sim_vm_create();
   uint32_t seed = 1;
   memset(expected, 0, sizeof(expected));
   for (unsigned step = 0; step < 4000; step++) {
      unsigned first = next_random(&seed) % PAGES, count = 1 + next_random(&seed) % (step % 8 ? 40 : 5000);
      count = first + count > PAGES ? PAGES - first : count;
      bool repeated = next_random(&seed) % 3 == 0;
      unsigned repeat = repeated ? 1u << next_random(&seed) % 6 : 1;
      if (next_random(&seed) % 8) { /* a range that repeats whole */
         first -= (FIRST + first) % repeat <= first ? (FIRST + first) % repeat : 0;
         count -= count > repeat ? count % repeat : 0;
      }
      struct sim_va va = sim_va((FIRST + first) * PAGE_B);
      if (next_random(&seed) & 1) {
         bool is_free = true;
         for (unsigned i = first; i < first + count; i++)
            is_free &= !expected[i];
         char *host = memory + next_random(&seed) % 64;
         bool fits = (FIRST + first) % repeat == 0 && count % repeat == 0;
         bool mapped = repeated ? sim_vm_map_repeated(vm, va, count * PAGE_B, host, repeat * PAGE_B, RW)
                                : sim_vm_map(vm, va, count * PAGE_B, host, RW);
         assert_int_equal(mapped, is_free && (!repeated || fits));
         for (unsigned i = first; mapped && i < first + count; i++)
            expected[i] = host + (repeated ? (i - first) % repeat : i - first) * PAGE_B;
      } else {
         sim_vm_unmap(vm, va, count * PAGE_B);
         memset(expected + first, 0, count * sizeof(expected[0]));
      }
      unsigned probe = next_random(&seed) % PAGES;
      for (unsigned i = probe; i < PAGES && i < probe + 50; i++) {
         uint64_t run_B;
         assert_ptr_equal(sim_vm_lookup(vm, sim_va((FIRST + i) * PAGE_B), RW, &run_B, NULL), expected[i]);
         for (unsigned next = 1; i + next < PAGES && next < run_B / PAGE_B; next++)
            assert_ptr_equal(expected[i + next], expected[i] + next * PAGE_B);
      }
   }
   sim_vm_destroy(vm);
}

int
main(void)
{
   const struct CMUnitTest tests[] = {
      cmocka_unit_test(refuses),
      cmocka_unit_test(rights_and_holes),
      cmocka_unit_test(large),
      cmocka_unit_test(random_changes),
   };
   return cmocka_run_group_tests(tests, NULL, NULL);
}
