/* The simd-group engine: programs from text, expectations computed here from what the public descriptions say. */
#include "wave_rig.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "util/macros.h"

static uint32_t *
words(struct rig *r)
{
   return (uint32_t *)(void *)r->data;
}

static void
check(struct rig *r, const char *text, uint32_t threads, uint32_t group)
{
   if (!rig_run(r, text, threads, group))
      fail_msg("%s", r->fault.message);
}

static void
test_store(void **state)
{
   struct rig r;
   (void)state;
   rig_open(&r, 1);
   check(&r,
         "mov r1, thread_in_grid_x\n"
         "imul r2, r1, 3\n"
         "iadd r2, r2, 7\n"
         "store r2, du0, r1, i32, x, a\n",
         100, 64);
   for (unsigned i = 0; i < 128; i++)
      assert_int_equal(words(&r)[i], i < 100 ? i * 3 + 7 : 0);
   rig_close(&r);
}

/* A result is poison until its wait, and stores of other waves are seen once they have landed. */
static void
test_wait(void **state)
{
   struct rig r;
   (void)state;
   rig_open(&r, 1);
   for (unsigned i = 0; i < 64; i++)
      words(&r)[i] = i * 5;
   check(&r,
         "mov r1, thread_in_grid_x\n"
         "load r2, du0, r1, i32, x, a\n"
         "wait a\n"
         "iadd r2, r2, 1\n"
         "store r2, du0, r1, i32, x, a\n",
         64, 64);
   for (unsigned i = 0; i < 64; i++)
      assert_int_equal(words(&r)[i], i * 5 + 1);
   rig_expect_fault(&r, SIM_FAULT_POISON, "r2l is used before the wait",
                    "mov r1, thread_in_grid_x\n"
                    "load r2, du0, r1, i32, x, a\n"
                    "wait b\n"
                    "iadd r3, r2, 1\n",
                    32, 32);
   rig_expect_fault(&r, SIM_FAULT_POISON, "r2l is written before the wait",
                    "mov r1, thread_in_grid_x\n"
                    "load r2_r3, du0, r1, i32, xy, b\n"
                    "ldimm r2, 0\n",
                    32, 32);
   assert_non_null(strstr(r.fault.message, "group 0, wave 0, pc 0x110004000c: ldimm"));
   rig_close(&r);
}

static void
test_last_use(void **state)
{
   struct rig r;
   (void)state;
   rig_open(&r, 1);
   check(&r,
         "ldimm r1, 5\n"
         "iadd r1, ^r1, 1\n" /* the result lives */
         "iadd r2, ^r1, 1\n"
         "ldimm r1, 9\n"
         "iadd r3, r1, 1\n",
         32, 32);
   assert_int_equal(r.left->r[2][0], 7);
   assert_int_equal(r.left->r[3][31], 10);
   rig_expect_fault(&r, SIM_FAULT_POISON, "r1l is used after an instruction that said it was the last one",
                    "ldimm r1, 5\n"
                    "iadd r2, ^r1, 1\n"
                    "iadd r3, r1, 1\n",
                    32, 32);
   /* In threads that did not take part it lives: the other arm has a last use of its own. */
   check(&r,
         "mov r1, thread_in_grid_x\n"
         "ldimm r5, 100\n"
         "ldimm r0l, 0\n"
         "if r1, 16, 1, ult\n"
         "iadd r2, ^r5, 1\n"
         "else 0.0, 0.0, 1, feq\n"
         "iadd r2, ^r5, 2\n"
         "pop_exec 1\n",
         32, 32);
   for (unsigned l = 0; l < 32; l++)
      assert_int_equal(r.left->r[2][l], l < 16 ? 101 : 102);
   rig_close(&r);
}

/* A loop that threads leave after as many turns as their number says. */
static void
test_loop(void **state)
{
   struct rig r;
   (void)state;
   rig_open(&r, 1);
   check(&r,
         "mov r1, thread_in_grid_x\n" /* 0, 4 bytes */
         "ldimm r2, 0\n"              /* 4, 8 */
         "ldimm r0l, 0\n"             /* 12, 4 */
         "if 0.0, 0.0, 1, feq\n"      /* 16, 6: one level deeper */
         "while r2, r1, 1, ult\n"     /* 22, 6 */
         "iadd r2, r2, 1\n"           /* 28, 8 */
         "jmp_any -14\n"              /* 36: to 22 */
         "pop_exec 1\n"
         "store r2, du0, r1, i32, x, a\n",
         32, 32);
   for (unsigned l = 0; l < 32; l++)
      assert_int_equal(words(&r)[l], l);
   rig_close(&r);
}

static void
test_endless(void **state)
{
   struct rig r;
   (void)state;
   rig_open(&r, 1);
   agx_wave_engine_set_budget(r.engine, 100000);
   rig_expect_fault(&r, SIM_FAULT_HANG, "jmp_any", "ldimm r1, 0\njmp_any -6\n", 32, 32);
   rig_expect_fault(&r, SIM_FAULT_HANG, "jmp_any", "iadd r1, r1, 1\njmp_any -8\n", 32, 32);
   rig_close(&r);
}

static void
test_call(void **state)
{
   struct rig r;
   (void)state;
   rig_open(&r, 1);
   /* The function lies before the program's first instruction. */
   r.program->code = sim_va(CODE_VA + 256);
   rig_assemble(&r, 0, "iadd r5, r5, 1\nret r1\n");
   rig_assemble(&r, 256, "ldimm r5, 1\ncall -262\ncall -268\n");
   check(&r, NULL, 32, 32);
   assert_int_equal(r.left->r[5][7], 3);
   assert_int_equal(r.left->r[1][7], 0x40000 + 256 + 18);
   rig_close(&r);
}

/* Threads end one by one. */
static void
test_stop(void **state)
{
   struct rig r;
   (void)state;
   rig_open(&r, 1);
   check(&r,
         "mov r1, thread_in_grid_x\n"
         "ldimm r0l, 0\n"
         "if r1, 8, 1, ult\n"
         "store r1, du0, r1, i32, x, a\n"
         "stop\n"
         "pop_exec 1\n"
         "iadd r2, r1, 100\n"
         "store r2, du0, r1, i32, x, a\n",
         32, 32);
   for (unsigned l = 0; l < 32; l++)
      assert_int_equal(words(&r)[l], l < 8 ? l : l + 100);
   /* Of which none is active where the program ends. */
   rig_expect_fault(&r, SIM_FAULT_STATE, "threads 0xffffff00 are not active",
                    "mov r1, thread_in_grid_x\nldimm r0l, 0\nif r1, 8, 1, ult\nstop\ntrap\n", 32, 32);
   rig_close(&r);
}

/* Which of four lanes is taken all threads of the quad say, active or not: but not those that there are none of. */
static void
test_shuffle(void **state)
{
   static const char *const text = "mov r1, thread_in_grid_x\n"
                                   "iadd r3, r1, 100\n"
                                   "csel r2l, r1, 1, 3, 0, ieq\n" /* 3 in thread 1 */
                                   "ldimm r4, 0\n"
                                   "ldimm r0l, 0\n"
                                   "if r1, 1, 1, ine\n"
                                   "shuffle r4, r3, r2l\n"
                                   "pop_exec 1\n";
   struct rig r;
   (void)state;
   rig_open(&r, 1);
   check(&r, text, 32, 32);
   assert_int_equal(r.left->r[4][0], 103);
   assert_int_equal(r.left->r[4][1], 0);
   assert_int_equal(r.left->r[4][31], 103);
   check(&r, text, 1, 32);
   assert_int_equal(r.left->r[4][0], 100);
   rig_close(&r);
}

/* Four waves add up what each has left in threadgroup memory. */
static void
test_barrier(void **state)
{
   struct rig r;
   (void)state;
   rig_open(&r, 1);
   for (unsigned kind = 0; kind < 4; kind++) {
      struct sim_schedule schedule = {.kind = (enum sim_schedule_kind)kind, .seed = 5};
      agx_wave_engine_set_schedule(r.engine, &schedule);
      memset(r.data, 0, 4096);
      check(&r,
            "mov r1, thread_index_in_threadgroup\n"
            "shl r3l, r1, 2\n"
            "iadd r2, r1, 1\n"
            "lstore r2, r3l, 0, i32, x\n"
            "barrier\n"
            "xor r4, r1, 127\n"
            "shl r3h, r4, 2\n"
            "lload r5, r3h, 0, i32, x\n"
            "mov r6, threadgroup_in_grid_x\n"
            "imadd r5, r6, 200, r5\n"
            "mov r7, thread_in_grid_x\n"
            "store r5, du0, r7, i32, x, a\n",
            256, 128);
      for (unsigned i = 0; i < 256; i++)
         assert_int_equal(words(&r)[i], i / 128 * 200 + (127 - i % 128) + 1);
   }
   rig_close(&r);
}

static void
test_atomics(void **state)
{
   struct rig r;
   (void)state;
   rig_open(&r, 2);
   static const uint32_t last[] = {1024, 0, 0, 0, 0, 0, 1023, 0};
   for (unsigned kind = 0; kind < 4; kind++) {
      struct sim_schedule schedule = {.kind = (enum sim_schedule_kind)kind, .seed = 9};
      agx_wave_engine_set_schedule(r.engine, &schedule);
      memset(r.data, 0, 8192);
      check(&r,
            "mov r1, thread_in_grid_x\n"
            "ldimm r2, 1\n"
            "ldimm r3, 0\n"
            "atomic r4, r2, du0, r3, add, a\n"
            "ldimm r5, 6\n"
            "atomic _, r1, du0, r5, umax, b\n"
            "wait a\n"
            "iadd r4, r4, 16\n"
            "store r1, du0, r4, i32, x, a\n",
            1024, 256);
      for (unsigned i = 0; i < ARRAY_SIZE(last); i++)
         assert_int_equal(words(&r)[i], last[i]);
      uint64_t sum = 0; /* each thread got a place of its own */
      for (unsigned i = 0; i < 1024; i++)
         sum += words(&r)[16 + i];
      assert_int_equal(sum, 1023 * 1024 / 2);
   }
   rig_close(&r);
}

static void
test_soft_faults(void **state)
{
   struct rig r;
   (void)state;
   rig_open(&r, 1);
   rig_expect_fault(&r, SIM_FAULT_ADDRESS, "read of unmapped address 0x2000400000",
                    "ldimm r1, 1048576\nload r2, du0, r1, i32, x, a\n", 1, 32);
   rig_expect_fault(&r, SIM_FAULT_ADDRESS, "0x2000400000", "ldimm r1, 1048576\nstore r1, du0, r1, i32, x, a\n", 1,
                    32);
   rig_close(&r);
}

static void
test_stack(void **state)
{
   struct rig r;
   (void)state;
   rig_open(&r, 1);
   check(&r,
         "stack_adjust 8\n"
         "mov r1, thread_in_grid_x\n"
         "iadd r2, r1, 100\n"
         "stack_store r1, 0, i32, x, a\n"
         "stack_store r2, 28, i32, x, a\n"
         "wait a\n"
         "stack_load r3, 28, i32, x, b\n"
         "stack_load r4, 0, i32, x, b\n"
         "wait b\n"
         "iadd r5, r3, r4\n",
         32, 32);
   for (unsigned l = 0; l < 32; l++)
      assert_int_equal(r.left->r[5][l], 2 * l + 100);
   rig_expect_fault(&r, SIM_FAULT_ADDRESS, "byte 32 of a stack of 32 bytes",
                    "stack_adjust 8\nldimm r1, 0\nstack_store r1, 32, i32, x, a\n", 32, 32);
   rig_close(&r);
}

static void
test_preamble(void **state)
{
   struct rig r;
   (void)state;
   rig_open(&r, 1);
   words(&r)[3] = 0x12345678;
   r.program->preamble = sim_va(CODE_VA + 4096);
   r.program->preamble_registers = 16;
   r.program->texture_count = 4;
   rig_assemble(&r, 4096,
                "load r1, du0, 3, i32, x, a\n"
                "wait a\n"
                "mov u5, r1\n"
                "load ts2, du0, 8, a\n");
   assert_true(agx_wave_run_preamble(r.engine, r.vm, r.program, false, NULL, &r.fault));
   assert_int_equal(r.program->uniforms[10], 0x5678);
   assert_int_equal(r.program->uniforms[11], 0x1234);
   assert_true(agx_program_has_texture(r.program, 2));
   assert_int_equal(r.program->textures[2].words[1], 0x12345678);
   rig_expect_fault(&r, SIM_FAULT_STATE, "outside of a preamble", "ldimm r1, 0\nmov u5, r1\n", 32, 32);
   check(&r, "mov r1, u5\n", 32, 32);
   assert_int_equal(r.left->r[1][9], 0x12345678);
   rig_close(&r);
}

static void
test_bad_programs(void **state)
{
   struct rig r;
   (void)state;
   rig_open(&r, 1);
   rig_expect_fault(&r, SIM_FAULT_INSTRUCTION, "trap", "trap\n", 32, 32);
   r.program->registers = 16;
   rig_expect_fault(&r, SIM_FAULT_INSTRUCTION, "above the 16 halves", "ldimm r8, 0\n", 32, 32);
   r.program->registers = 256;
   r.program->uniform_halves = 64;
   rig_expect_fault(&r, SIM_FAULT_STATE, "half 65 of uniforms", "mov r1, u32\n", 32, 32);
   r.program->uniform_halves = 512;
   r.program->code = sim_va(CODE_VA + CODE_B - 8);
   static const uint8_t iadd[8] = {0x0e, 0x19, 0x48, 0x16};
   memcpy(r.code + CODE_B - 8, iadd, 8);
   rig_expect_fault(&r, SIM_FAULT_ADDRESS, "unmapped or not executable", NULL, 32, 32);
   rig_close(&r);
}

int
main(void)
{
   const struct CMUnitTest tests[] = {
      cmocka_unit_test(test_store),    cmocka_unit_test(test_wait),         cmocka_unit_test(test_last_use),
      cmocka_unit_test(test_loop),     cmocka_unit_test(test_endless),      cmocka_unit_test(test_call),
      cmocka_unit_test(test_stop),     cmocka_unit_test(test_shuffle),      cmocka_unit_test(test_barrier),
      cmocka_unit_test(test_atomics),  cmocka_unit_test(test_soft_faults),  cmocka_unit_test(test_stack),
      cmocka_unit_test(test_preamble), cmocka_unit_test(test_bad_programs),
   };
   return cmocka_run_group_tests(tests, NULL, NULL);
}
