/* What Honeykrisp submitted for examples/compute runs to the values that the example wants: a prefix sum over four
 * million integers, and a histogram of it. The example's data is not in the recording, as it computes it. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "asahi/hw/chips.h"
#include "asahi/sim/recorded.h"
#include "sim/record/replay.h"

#define COUNT (4u << 20)
#define BINS 256
#define DATA_VA UINT64_C(0x2ffef90000)
#define BINS_VA UINT64_C(0x2ffef70000)

static const char *folder;

/* What runs, and what it has left there. */
struct run {
   struct agx_sim *sim;
   uint32_t data[COUNT], bins[BINS];
};

/* Of the example. */
static uint32_t
input(uint32_t i)
{
   uint32_t x = i * 1664525u + 1013904223u;
   return (x ^ x >> 13) & 0xffff;
}

static bool
run_submit(void *data, struct sim_player *player, struct sim_vm *vm, const struct sim_record *submit,
           struct sim_fault *fault, struct sim_record_error *error)
{
   struct run *run = data;
   struct sim_va bad;
   for (uint32_t i = 0; i < COUNT; i++)
      run->data[i] = input(i);
   assert_true(sim_vm_write(vm, sim_va(DATA_VA), run->data, sizeof(run->data), &bad));
   bool ok = agx_sim_run_recorded(run->sim, vm, submit, fault, error);
   assert_true(sim_vm_read(vm, sim_va(DATA_VA), run->data, sizeof(run->data), &bad));
   assert_true(sim_vm_read(vm, sim_va(BINS_VA), run->bins, sizeof(run->bins), &bad));
   return ok;
}

static void
replay(struct run *run, const char *name)
{
   static const struct sim_record_language no_languages[] = {{0}};
   struct sim_recording recording = {0};
   struct sim_record_error error = {0};
   char path[4096];
   size_t size_B;
   snprintf(path, sizeof(path), "%s/%s", folder, name);
   char *text = sim_recording_load(path, &size_B);
   assert_non_null(text);
   assert_true(sim_recording_read(&recording, text, size_B, no_languages, &error));
   struct sim_replay replay = {.path = path, .recording = &recording, .data = run, .submit = run_submit};
   assert_int_equal(sim_replay_run(&replay, &error), SIM_REPLAY_SAME);
   sim_recording_free(&recording);
   free(text);
}

static void
check(const struct run *run)
{
   uint32_t bins[BINS] = {0}, sum = 0;
   for (uint32_t i = 0; i < COUNT; i++) {
      sum += input(i);
      if (run->data[i] != sum)
         fail_msg("sum %u is %u, not %u", i, run->data[i], sum);
      uint32_t x = sum * 2654435761u;
      bins[(x ^ x >> 15) & 255]++;
   }
   assert_memory_equal(run->bins, bins, sizeof(bins));
}

static void
runs(const char *name, const char *chip, const char *schedule_text)
{
   struct run *run = malloc(sizeof(*run));
   struct sim_schedule schedule;
   assert_non_null(run);
   assert_true(sim_schedule_parse(schedule_text, &schedule));
   run->sim = agx_sim_create(agx_chip_by_name(chip), 2);
   assert_non_null(run->sim);
   agx_sim_set_schedule(run->sim, &schedule);
   replay(run, name);
   check(run);
   agx_sim_destroy(run->sim);
   free(run);
}

static void
in_order(void **state)
{
   runs("compute-submit0.txt", "m1", "in-order");
}

static void
worst(void **state)
{
   runs("compute-submit0.txt", "m1", "worst");
}

static void
seeded(void **state)
{
   runs("compute-submit0.txt", "m1", "seed=1");
}

/* The same, compiled such that everything goes through private memory. */
static void
spilling(void **state)
{
   runs("compute-spill-submit0.txt", "m1", "in-order");
}

int
main(int argc, char **argv)
{
   folder = argv[1];
   const struct CMUnitTest tests[] = {
      cmocka_unit_test(in_order),
      cmocka_unit_test(worst),
      cmocka_unit_test(seeded),
      cmocka_unit_test(spilling),
   };
   return cmocka_run_group_tests(tests, NULL, NULL);
}
