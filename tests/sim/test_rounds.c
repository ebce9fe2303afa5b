/* Rounds of waves that are no vendor's: a model of five instructions, whose waves wait for one of two groups of
 * operations. Counts, orders and reports are known beforehand. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <cmocka.h>

#include "sim/waves/pool.h"
#include "sim/waves/rounds.h"
#include "sim/vm/vm.h"
#include "util/macros.h"

enum op {
   ADD,   /* memory[0] += arg, atomic; the old value goes to the wave */
   STORE, /* memory[1 + wave's number] = old */
   WAIT,  /* until all operations before it have landed */
   BARRIER,
   SHARE, /* counts in what the group shares */
   CHECK, /* that every wave of the group has counted */
   SPIN,  /* until memory[0] is arg */
   JUMP,  /* to arg, for ever */
   STAY,  /* group arg: until the next round */
   END,
};

struct inst {
   enum op op;
   uint32_t arg;
};

struct toy_wave {
   _Alignas(64) struct sim_wave base;
   uint64_t old;
   uint64_t reads, writes;
};

struct toy_group {
   struct sim_group base;
   uint32_t shared;
};

struct toy {
   struct sim_rounds rounds;
   const struct inst *program;
   struct sim_vm *vm;
   struct sim_pool *pool;
   uint64_t *memory;
   uint32_t retired;
   bool in_order; /* groups retired */
};

#define MEMORY_VA 0x10000
enum { MEMORY_B = 65536 };

static struct toy *
toy_of(const struct sim_wave *w)
{
   return (struct toy *)w->rounds;
}

static void
start(struct sim_rounds *rounds, struct sim_group *group, uint32_t slot)
{
   ((struct toy_group *)group)->shared = 0;
   for (uint32_t i = 0; i < group->wave_count; i++) {
      struct toy_wave *w = (struct toy_wave *)sim_group_wave(group, i);
      *w = (struct toy_wave){.base = w->base};
   }
}

static void
step(struct toy_wave *w, const struct inst *inst)
{
   struct sim_wave *b = &w->base;
   struct toy *toy = toy_of(b);
   struct toy_group *group = (struct toy_group *)b->group;
   uint32_t number = b->group->index * b->group->wave_count + b->index;
   switch (inst->op) {
   case ADD:
      sim_queue_atomic(&b->queue, &(struct sim_queued){.va = sim_va(MEMORY_VA), .size_B = 8, .data = {inst->arg}});
      b->queue.issue_seq++;
      w->reads++;
      return;
   case STORE:
      sim_queue_store(&b->queue, b->next, sim_va(MEMORY_VA + 8 * (1 + number)), &w->old, 8);
      b->queue.issue_seq++;
      w->writes++;
      return;
   case WAIT:
      if (b->queue.commit_seq < b->queue.issue_seq) {
         b->next--;
         b->queue.needed_seq = b->queue.issue_seq;
         b->state = SIM_WAVE_COMMIT;
      }
      return;
   case BARRIER:
      b->state = SIM_WAVE_BARRIER;
      return;
   case SHARE:
      group->shared++;
      return;
   case CHECK:
      if (group->shared != b->group->wave_count)
         sim_fault_set(&b->fault, SIM_FAULT_ORDER, sim_va(0), "the barrier let a wave through");
      return;
   case SPIN:
      w->reads++;
      if (toy->memory[0] != inst->arg) {
         sim_loop_jump(&b->loop, b->next, b->next - 1);
         b->next--;
      }
      return;
   case JUMP:
      sim_loop_jump(&b->loop, b->next, inst->arg);
      b->next = inst->arg;
      return;
   case STAY:
      b->state = b->group->index == inst->arg ? SIM_WAVE_YIELD : b->state;
      return;
   case END:
      b->state = SIM_WAVE_END;
      return;
   }
}

static void
run_wave(struct sim_wave *b)
{
   uint64_t end = b->round_start + b->quantum;
   while (b->instructions < end && b->state == SIM_WAVE_RUN && !b->fault.kind) {
      const struct inst *inst = &toy_of(b)->program[b->next++];
      b->instructions++;
      step((struct toy_wave *)b, inst);
   }
   if (b->state != SIM_WAVE_RUN)
      return;
   b->exhausted = true;
   b->state = SIM_WAVE_YIELD;
}

static bool
land(struct sim_wave *b, const struct sim_queued *q, struct sim_fault *fault)
{
   struct toy *toy = toy_of(b);
   struct sim_va bad;
   uint64_t value;
   if (q->kind == SIM_QUEUED_ATOMIC) {
      ((struct toy_wave *)b)->old = toy->memory[0];
      value = toy->memory[0] + q->data[0];
   } else {
      memcpy(&value, sim_queue_payload(&b->queue, q), 8);
   }
   sim_loop_note_write(b->rounds, toy->vm, q->va, &value, 8);
   return sim_vm_write(toy->vm, q->va, &value, 8, &bad);
}

static void
retire(struct sim_rounds *rounds, struct sim_group *group)
{
   struct toy *toy = (struct toy *)rounds;
   toy->in_order &= group->index == toy->retired++;
}

/* Brief launches: on any thread. */
static bool
finish(struct sim_rounds *rounds, struct sim_group *group)
{
   __atomic_fetch_add(&((struct toy *)rounds)->retired, 1, __ATOMIC_RELAXED);
   return true;
}

static struct sim_traffic
traffic(const struct sim_wave *b)
{
   const struct toy_wave *w = (const struct toy_wave *)b;
   return (struct sim_traffic){w->reads, w->writes};
}

static uint64_t
hash(const struct sim_wave *b)
{
   return b->next + 1000 * ((const struct toy_wave *)b)->old;
}

static void
describe_loop(const struct sim_wave *b, char *text, size_t size_B)
{
   struct sim_jumps jumps = sim_loop_jumps(&b->loop);
   snprintf(text, size_B, "from %u to %u", jumps.last, jumps.first);
}

static struct sim_va
place_va(const struct sim_wave *b)
{
   return sim_va(b->next * 2);
}

static void
hang(struct sim_wave *b, const char *message)
{
   sim_fault_set(&b->fault, SIM_FAULT_HANG, sim_va(0), "%s", message);
}

static bool
never(const struct sim_wave *b)
{
   return false;
}

static bool
no_words(const struct sim_wave *b, char *text, size_t size_B)
{
   return false;
}

static void
nothing_of_group(struct sim_rounds *rounds, struct sim_group *group)
{
}

static void
nothing_of_wave(struct sim_wave *b)
{
}

static void
nothing(struct sim_rounds *rounds)
{
}

static void
free_group(struct sim_group *group)
{
}

/* clang-format off */
static const struct sim_wave_model model = {
   .wave_B = sizeof(struct toy_wave), .group_B = sizeof(struct toy_group), .start = start, .run = run_wave,
   .finish = finish, .admit = nothing_of_group, .update = nothing_of_wave, .land = land, .end_round = nothing,
   .wakes = never, .retire = retire, .meets_group = never, .traffic = traffic, .hash = hash,
   .has_other_inputs = never, .describe_loop = describe_loop, .describe_wait = no_words, .place_va = place_va,
   .hang = hang,
   .free_wave = nothing_of_wave, .free_group = free_group
};
/* clang-format on */

static const char *const schedules[] = {"in-order", "round-robin", "worst", "seed=1", "seed=18446744073709551615"};

/* What a launch is known by. */
struct course {
   uint64_t rounds, instructions;
   uint64_t memory[MEMORY_B / 8];
   struct sim_fault fault;
   bool independent; /* every group ended in its first round */
};

static bool brief, independent;
static struct course last;

/* Runs a launch. out: memory afterwards, or NULL. */
static bool
launch(const struct inst *program, const char *schedule, unsigned threads, uint32_t groups, uint32_t waves,
       uint64_t *out, struct sim_fault *fault)
{
   /* size: fields of a launch */
   struct toy toy = {.program = program,
                     .vm = sim_vm_create(),
                     .pool = sim_pool_create(threads),
                     .in_order = true,
                     .memory = aligned_alloc(4096, MEMORY_B)};
   memset(toy.memory, 0, MEMORY_B);
   sim_vm_map(toy.vm, sim_va(MEMORY_VA), MEMORY_B, toy.memory, SIM_READ | SIM_WRITE);
   sim_rounds_init(&toy.rounds, &model, toy.pool);
   toy.rounds.budget = 1 << 22;
   toy.rounds.brief = brief;
   toy.rounds.independent = independent;
   assert_true(sim_schedule_parse(schedule, &toy.rounds.schedule));
   assert_true(sim_rounds_begin(&toy.rounds, groups, waves, 64));
   bool ok = sim_rounds_run(&toy.rounds, fault);
   assert_true(toy.in_order || brief);
   if (ok && toy.rounds.independent == independent)
      assert_int_equal(toy.retired, groups);
   if (out)
      memcpy(out, toy.memory, MEMORY_B);
   last.rounds = toy.rounds.round;
   last.instructions = toy.rounds.instructions;
   memcpy(last.memory, toy.memory, MEMORY_B);
   last.fault = *fault;
   last.independent = toy.rounds.independent;
   sim_rounds_free(&toy.rounds);
   sim_pool_destroy(toy.pool);
   sim_vm_destroy(toy.vm);
   free(toy.memory);
   return ok;
}

/* Each wave draws a number, and all draw different ones; the threads do not matter, the schedule does. */
static void
numbers(void **state)
{
   static const struct inst program[] = {{ADD, 1}, {WAIT, 0}, {STORE, 0}, {END, 0}};
   static uint64_t one[MEMORY_B / 8], three[MEMORY_B / 8];
   enum { GROUPS = 100, WAVES = 3, COUNT = GROUPS * WAVES };
   for (unsigned s = 0; s < ARRAY_SIZE(schedules); s++) {
      struct sim_fault fault = {0};
      bool drawn[COUNT] = {0};
      assert_true(launch(program, schedules[s], 1, GROUPS, WAVES, one, &fault));
      assert_true(launch(program, schedules[s], 3, GROUPS, WAVES, three, &fault));
      assert_memory_equal(one, three, MEMORY_B);
      assert_int_equal(one[0], COUNT);
      bool ascending = true;
      for (unsigned i = 0; i < COUNT; i++) {
         assert_true(one[1 + i] < COUNT && !drawn[one[1 + i]]);
         drawn[one[1 + i]] = true;
         ascending &= one[1 + i] == i;
      }
      assert_int_equal(ascending, s < 2);
   }
}

static void
barriers(void **state)
{
   static const struct inst program[] = {{SHARE, 0}, {ADD, 1}, {BARRIER, 0}, {CHECK, 0}, {END, 0}};
   for (unsigned s = 0; s < ARRAY_SIZE(schedules); s++) {
      struct sim_fault fault = {0};
      assert_true(launch(program, schedules[s], 2, 20, SIM_MAX_WAVES_PER_GROUP, NULL, &fault));
   }
}

/* Waves that wait for what the others add, those of one group and of the next ones. */
static void
waiting(void **state)
{
   static const struct inst program[] = {{ADD, 1}, {SPIN, 4}, {END, 0}};
   static const struct inst in_vain[] = {{ADD, 1}, {SPIN, 5}, {END, 0}};
   for (unsigned s = 0; s < ARRAY_SIZE(schedules); s++) {
      struct sim_fault fault = {0};
      if (!launch(program, schedules[s], 2, 2, 2, NULL, &fault))
         fail_msg("%s: %s", schedules[s], fault.message);
      assert_false(launch(in_vain, schedules[s], 2, 2, 2, NULL, &fault));
      assert_int_equal(fault.kind, SIM_FAULT_HANG);
   }
}

static void
endless_loops(void **state)
{
   static const struct inst idle[] = {{ADD, 1}, {JUMP, 1}}, busy[] = {{ADD, 1}, {JUMP, 0}};
   for (unsigned s = 0; s < ARRAY_SIZE(schedules); s++) {
      struct sim_fault fault = {0};
      assert_false(launch(idle, schedules[s], 2, 2, 2, NULL, &fault));
      assert_int_equal(fault.kind, SIM_FAULT_HANG);
      assert_non_null(strstr(fault.message, "no memory was read since: from 2 to 1"));
      fault = (struct sim_fault){0};
      assert_false(launch(busy, schedules[s], 2, 2, 2, NULL, &fault));
      assert_int_equal(fault.kind, SIM_FAULT_HANG);
      assert_non_null(strstr(fault.message, "more than the budget of 4194304"));
   }
}

/* Groups that have waves only while they run: the same rounds, results and reports. */
static void
brief_launches(void **state)
{
   static const struct inst short_one[] = {{SHARE, 0}, {BARRIER, 0}, {CHECK, 0}, {END, 0}};
   static const struct inst with_stores[] = {{ADD, 1}, {WAIT, 0}, {STORE, 0}, {END, 0}};
   static const struct inst in_vain[] = {{ADD, 1}, {SPIN, 5}, {END, 0}};
   static const struct inst idle[] = {{SHARE, 0}, {JUMP, 1}};
   static const struct inst *const programs[] = {short_one, with_stores, in_vain, idle};
   static struct course usual;
   for (unsigned i = 0; i < ARRAY_SIZE(programs) * ARRAY_SIZE(schedules); i++) {
      const char *schedule = schedules[i / ARRAY_SIZE(programs)];
      const struct inst *program = programs[i % ARRAY_SIZE(programs)];
      for (uint32_t waves = 1; waves < 4; waves += 2) {
         struct sim_fault fault = {0};
         brief = false;
         launch(program, schedule, 3, 100, waves, NULL, &fault);
         usual = last;
         for (unsigned threads = 1; threads < 4; threads += 2) {
            fault = (struct sim_fault){0};
            brief = true;
            launch(program, schedule, threads, 100, waves, NULL, &fault);
            assert_int_equal(last.rounds, usual.rounds);
            assert_int_equal(last.instructions, usual.instructions);
            assert_memory_equal(last.memory, usual.memory, MEMORY_B);
            assert_string_equal(last.fault.message, usual.fault.message);
         }
      }
   }
   brief = false;
}

/* Groups that write nothing need no rounds if each of them ends in its first one; else it is as if that had not been
 * tried. */
static void
independent_launches(void **state)
{
   static const struct inst short_one[] = {{SHARE, 0}, {BARRIER, 0}, {CHECK, 0}, {END, 0}};
   static const struct inst one_stays[] = {{SHARE, 0}, {STAY, 70}, {BARRIER, 0}, {CHECK, 0}, {END, 0}};
   static const struct inst in_vain[] = {{SPIN, 5}, {END, 0}};
   static const struct inst idle[] = {{SHARE, 0}, {JUMP, 1}};
   static const struct inst *const programs[] = {short_one, one_stays, in_vain, idle};
   static struct course usual;
   for (unsigned i = 0; i < ARRAY_SIZE(programs) * ARRAY_SIZE(schedules); i++) {
      const char *schedule = schedules[i / ARRAY_SIZE(programs)];
      const struct inst *program = programs[i % ARRAY_SIZE(programs)];
      if (i >= ARRAY_SIZE(programs) && (program == in_vain || program == idle))
         continue; /* what hangs takes long, and only in order anything is tried */
      for (uint32_t waves = 1; waves < 4; waves += 2) {
         struct sim_fault fault = {0};
         launch(program, schedule, 3, 100, waves, NULL, &fault);
         usual = last;
         for (unsigned threads = 1; threads < 4; threads += 2) {
            fault = (struct sim_fault){0};
            brief = independent = true;
            launch(program, schedule, threads, 100, waves, NULL, &fault);
            brief = independent = false;
            assert_int_equal(last.independent, program == short_one && i < ARRAY_SIZE(programs));
            assert_int_equal(last.rounds, usual.rounds);
            assert_int_equal(last.instructions, usual.instructions);
            assert_string_equal(last.fault.message, usual.fault.message);
         }
      }
   }
}

static void
names_of_schedules(void **state)
{
   static const char *const none[] = {
      "",      "inorder", "in-order ", "seed", "seed=", "seed=x", "seed=1x", "seed=-1", "seed=18446744073709551616",
      "worst2"};
   struct sim_schedule schedule;
   for (unsigned i = 0; i < ARRAY_SIZE(none); i++)
      assert_false(sim_schedule_parse(none[i], &schedule));
   assert_true(sim_schedule_parse("seed=7", &schedule));
   assert_int_equal(schedule.kind, SIM_SCHEDULE_SEED);
   assert_int_equal(schedule.seed, 7);
}

int
main(void)
{
   const struct CMUnitTest tests[] = {
      cmocka_unit_test(numbers),
      cmocka_unit_test(barriers),
      cmocka_unit_test(waiting),
      cmocka_unit_test(endless_loops),
      cmocka_unit_test(brief_launches),
      cmocka_unit_test(independent_launches),
      cmocka_unit_test(names_of_schedules),
   };
   return cmocka_run_group_tests(tests, NULL, NULL);
}
