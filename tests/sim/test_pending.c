/* Registers of operations under way: what a wait covers, in which order, and which lanes are poison. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <string.h>
#include <cmocka.h>

#include "sim/waves/pending.h"

static struct sim_pending p;
static struct sim_queue q;

static int
reset(void **state)
{
   memset(&p, 0, sizeof(p));
   memset(&q, 0, sizeof(q));
   return 0;
}

static void
add(unsigned counter, struct sim_operation o)
{
   o.lanes = o.lanes ? o.lanes : UINT64_MAX;
   o.count = o.count ? o.count : 1;
   sim_pending_add(&p, counter, &o);
}

static void
in_order(void **state)
{
   for (uint16_t reg = 0; reg < 5; reg++)
      add(0, (struct sim_operation){.reg = reg * 2, .count = 2});
   assert_true(sim_pending_wait(&p, &q, 0, 3));
   for (unsigned reg = 0; reg < 12; reg++)
      assert_int_equal(sim_pending_writes(&p, reg, 1), reg >= 4 && reg < 10);
   assert_true(sim_pending_wait(&p, &q, 1, 0)); /* another counter */
   assert_true(sim_pending_writes(&p, 9, 1));
   assert_true(sim_pending_wait(&p, &q, 0, 0));
   assert_int_equal(p.with_registers, 0);
   assert_int_equal(p.issued[0], 5);
}

/* Two slots to wait for, each as a whole: one wait leaves the other slot's registers poison. */
static void
two_slots(void **state)
{
   add(0, (struct sim_operation){.reg = 1, .unordered = true});
   add(1, (struct sim_operation){.reg = 2, .unordered = true});
   add(0, (struct sim_operation){.reg = 1, .unordered = true}); /* the same register twice */
   assert_true(sim_pending_wait(&p, &q, 0, 1));
   assert_true(sim_pending_writes(&p, 1, 1));
   assert_true(sim_pending_wait(&p, &q, 0, 0));
   assert_false(sim_pending_writes(&p, 1, 1));
   assert_true(sim_pending_writes(&p, 2, 1));
}

/* Of operations that keep their order among others that do not, a wait covers the oldest. */
static void
overtaken(void **state)
{
   add(0, (struct sim_operation){.reg = 1});
   add(0, (struct sim_operation){.reg = 2, .unordered = true});
   add(0, (struct sim_operation){.reg = 3});
   assert_true(sim_pending_wait(&p, &q, 0, 1));
   assert_false(sim_pending_writes(&p, 1, 1));
   assert_true(sim_pending_writes(&p, 2, 1) && sim_pending_writes(&p, 3, 1));
}

static void
lanes_and_kinds(void **state)
{
   add(0, (struct sim_operation){.reg = 300, .lanes = 0xf0});
   add(0, (struct sim_operation){.reg = 301, .reads = true});
   assert_true(sim_pending_writes(&p, 300, 0x18) && !sim_pending_writes(&p, 300, 0x0f));
   assert_true(sim_pending_reads(&p, 301, 1) && !sim_pending_writes(&p, 301, 1) && !sim_pending_reads(&p, 300, 0xff));
}

/* What has not landed is not done: the queue is told how far it must go. */
static void
not_landed(void **state)
{
   add(0, (struct sim_operation){.reg = 1, .seq = 4});
   add(0, (struct sim_operation){.reg = 2, .seq = 7});
   assert_false(sim_pending_wait(&p, &q, 0, 1));
   assert_int_equal(q.needed_seq, 4);
   assert_true(sim_pending_writes(&p, 1, 1));
   q.commit_seq = 4;
   assert_true(sim_pending_wait(&p, &q, 0, 1));
   assert_false(sim_pending_wait(&p, &q, 0, 0));
   assert_int_equal(q.needed_seq, 7);
}

/* An operation has registers of several places, and counts once. */
static void
other_registers(void **state)
{
   add(0, (struct sim_operation){.reg = 300, .others = {310, 0, 320}, .other_count = 2, .reads = true});
   add(0, (struct sim_operation){.reg = 310, .reads = true});
   add(1, (struct sim_operation){.reg = 330, .others = {340}, .other_count = 1});
   for (unsigned reg = 298; reg < 345; reg++) {
      const bool read = reg == 300 || reg / 2 == 155 || reg / 2 == 160;
      assert_int_equal(sim_pending_reads(&p, reg, 1), read);
      assert_int_equal(sim_pending_writes(&p, reg, 1), reg == 330 || reg == 340);
   }
   assert_true(sim_pending_wait(&p, &q, 0, 1));
   for (unsigned reg = 298; reg < 325; reg++)
      assert_int_equal(sim_pending_reads(&p, reg, 1), reg == 310);
   assert_true(sim_pending_wait(&p, &q, 1, 0));
   assert_false(sim_pending_writes(&p, 340, 1));
   assert_int_equal(p.poison.bits[340 / 64], 0);
}

static void
full(void **state)
{
   for (uint16_t reg = 0; reg < SIM_PENDING_MAX + 2; reg++)
      add(3, (struct sim_operation){.reg = reg});
   for (unsigned reg = 0; reg < SIM_PENDING_MAX + 2; reg++)
      assert_int_equal(sim_pending_writes(&p, reg, 1), reg >= 2);
   assert_int_equal(p.count[3], SIM_PENDING_MAX);
}

int
main(void)
{
   const struct CMUnitTest tests[] = {
      cmocka_unit_test_setup(in_order, reset),       cmocka_unit_test_setup(two_slots, reset),
      cmocka_unit_test_setup(overtaken, reset),      cmocka_unit_test_setup(lanes_and_kinds, reset),
      cmocka_unit_test_setup(not_landed, reset),     cmocka_unit_test_setup(full, reset),
      cmocka_unit_test_setup(other_registers, reset)};
   return cmocka_run_group_tests(tests, NULL, NULL);
}
