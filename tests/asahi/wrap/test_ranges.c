/* Address spaces and numbers of the tracer, against an array that has an entry for each page. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <string.h>

#include <cmocka.h>

#include "asahi/wrap/ids.h"
#include "asahi/wrap/ranges.h"

#define PAGES 64
#define PAGE_B UINT64_C(0x4000)
#define ROUNDS 20000

static uint64_t seed = 0x9e3779b97f4a7c15u;

static unsigned
below(unsigned end)
{
   seed ^= seed << 13;
   seed ^= seed >> 7;
   seed ^= seed << 17;
   return (unsigned)(seed % end);
}

/* What a page shows: a memory's page, or nothing. */
struct shown {
   struct agx_wrap_memory *memory;
   uint64_t offset_B;
};

struct both {
   struct agx_wrap_ranges ranges;
   struct shown pages[PAGES];
   uint64_t gone_B;
};

static void
count_gone(void *data, const struct agx_wrap_range *piece)
{
   struct both *both = data;
   both->gone_B += piece->size_B;
   for (uint64_t at_B = 0; at_B < piece->size_B; at_B += PAGE_B) {
      const struct shown *was = &both->pages[(piece->va + at_B) / PAGE_B];
      assert_ptr_equal(was->memory, piece->memory);
      assert_int_equal(was->offset_B, piece->offset_B + (piece->repeat_B ? at_B % piece->repeat_B : at_B));
   }
}

static void
cut(struct both *both, unsigned first, unsigned count)
{
   uint64_t shown_B = 0;
   for (unsigned i = first; i < first + count; i++)
      shown_B += both->pages[i].memory ? PAGE_B : 0;
   both->gone_B = 0;
   agx_wrap_ranges_cut(&both->ranges, first * PAGE_B, (first + count) * PAGE_B, count_gone, both);
   assert_int_equal(both->gone_B, shown_B);
   memset(both->pages + first, 0, count * sizeof(both->pages[0]));
}

static void
check(const struct both *both)
{
   for (unsigned i = 0; i < PAGES; i++) {
      uint64_t va = i * PAGE_B + below(PAGE_B);
      const struct agx_wrap_range *range = agx_wrap_ranges_find(&both->ranges, va);
      assert_true((range != NULL) == (both->pages[i].memory != NULL));
      if (!range)
         continue;
      uint64_t into_B = i * PAGE_B - range->va;
      assert_ptr_equal(range->memory, both->pages[i].memory);
      assert_int_equal(range->offset_B + (range->repeat_B ? into_B % range->repeat_B : into_B),
                       both->pages[i].offset_B);
   }
}

static void
test_ranges(void **unused)
{
   (void)unused;
   static char memories[4];
   struct both both = {0};
   for (unsigned i = 0; i < ROUNDS; i++) {
      unsigned first = below(PAGES), count = 1 + below(PAGES - first);
      cut(&both, first, count);
      if (below(3)) {
         struct agx_wrap_range range = {first * PAGE_B, count * PAGE_B, (void *)&memories[below(4)],
                                        below(100) * PAGE_B, below(3) ? 0 : PAGE_B};
         agx_wrap_ranges_insert(&both.ranges, &range);
         for (unsigned j = 0; j < count; j++)
            both.pages[first + j] = (struct shown){range.memory, range.offset_B + (range.repeat_B ? 0 : j * PAGE_B)};
      }
      check(&both);
   }
   cut(&both, 0, PAGES);
   assert_int_equal(both.ranges.array.size_B, 0);
   dynarray_free(&both.ranges.array);
}

static void
test_ids(void **unused)
{
   (void)unused;
   static char objects[8];
   void *known[PAGES] = {0};
   struct agx_wrap_ids ids = {0};
   for (unsigned i = 0; i < ROUNDS; i++) {
      unsigned at = below(PAGES);
      uint64_t number = at * UINT64_C(0x123456789abcdef);
      assert_ptr_equal(agx_wrap_ids_find(&ids, number), known[at]);
      void *object = below(2) ? &objects[below(8)] : NULL;
      assert_ptr_equal(object ? agx_wrap_ids_set(&ids, number, object) : agx_wrap_ids_remove(&ids, number),
                       known[at]);
      known[at] = object;
   }
   dynarray_free(&ids.array);
}

int
main(void)
{
   const struct CMUnitTest tests[] = {cmocka_unit_test(test_ranges), cmocka_unit_test(test_ids)};
   return cmocka_run_group_tests(tests, NULL, NULL);
}
