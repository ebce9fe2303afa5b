/* Helper programs: who gives simd-groups their private memory, takes it back, and what is wrong with those that do it
 * badly. The memory's book: how many pieces are out at 0, how often there was none at 4, the core's number at 8; the
 * words of the pieces from 16 on, 16 bytes each. Each core has a book of 1024 bytes. */
#include "wave_rig.h"

#include <stdio.h>
#include <string.h>

#define HELPER_AT_B 32768u
#define BOOK_AT_B 0x4000u
#define BOOK_B 1024u
#define BLOCKS_AT_B 0x40000u
#define BLOCK_B 1024u
#define OTHER_AT_B 0xc0000u
#define CHUNK_B 8192u /* of the data: what is not above */

/* An address in registers that are 0 above: dr4 is the book, dr2 the helper's argument. */
#define BEGIN                                                                                                        \
   "ldimm r0l, 0\nmov r2, helper_arg_l\nmov r3, helper_arg_h\nmov r4, core_index\nldimm r5, 0\n"                     \
   "imul r4, r4, 128\nimul r4, r4, 8\niadd dr4, dr2, dr4\nmov r8, core_index\nstore r8, dr4, 2, i32, x, a\n"

struct bench {
   struct rig rig;
   char text[4096];
};

/* What the helper does in its loop, with r6 the operation and r7 the number that are out. Jumps are by the rest's
 * size. */
static const char *const alloc = "load r10_r11_r12_r13, dr8, 0, i32, xyzw, a\n"
                                 "wait a\n"
                                 "map r10, 0, 0\nmap r11, 0, 1\nmap r12, 0, 2\nmap r13, 0, 3\n"
                                 "iadd r7, r7, 1\nstore r7, dr4, 0, i32, x, a\n";
static const char *const release = "unmap r10, 0, 0\nunmap r11, 0, 1\nunmap r12, 0, 2\nunmap r13, 0, 3\n"
                                   "store r10_r11_r12_r13, dr8, 0, i32, xyzw, a\n"
                                   "store r7, dr4, 0, i32, x, a\n";
#define RING(n) "jmp_if_skipping_doorbell 6\ndoorbell " #n "\n"
static const char *const done = RING(48);
static const char *const nothing = RING(49);

/* pieces: how many a core has. */
static void
put_helper(struct bench *b, unsigned pieces, const char *on_alloc, const char *after_alloc, const char *on_free,
           const char *after_free)
{
   char loop[3072], head[512];
   snprintf(loop, sizeof(loop),
            "doorbell 32\n"
            "mov r6, helper_op\n"
            "load r7, dr4, 0, i32, x, a\nwait a\n"
            "if r6, 0, 1, ieq\n" /* asked for memory */
            "if r7, %u, 1, ult\n"
            "mov r8, r7\nldimm r9, 0\nimul r8, r8, 16\niadd r8, r8, 16\niadd dr8, dr4, dr8\n"
            "%s%s"
            "else 0.0, 0.0, 1, feq\n"
            "load r10, dr4, 1, i32, x, a\nwait a\niadd r10, r10, 1\nstore r10, dr4, 1, i32, x, a\n"
            "%s"
            "pop_exec 1\n"
            "else 0.0, 0.0, 1, feq\n"
            "if r6, 1, 1, ieq\n" /* memory comes back */
            "isub r7, r7, 1\n"
            "mov r8, r7\nldimm r9, 0\nimul r8, r8, 16\niadd r8, r8, 16\niadd dr8, dr4, dr8\n"
            "%s%s"
            "else 0.0, 0.0, 1, feq\n"
            "ldimm r0l, 3\nupdate_exec\n" /* the end: out of two branches and the loop */
            "pop_exec 1\npop_exec 1\n",
            pieces, on_alloc, after_alloc, nothing, on_free, after_free);
   unsigned begin_B = rig_assemble(&b->rig, HELPER_AT_B, BEGIN);
   unsigned loop_B = rig_assemble(&b->rig, HELPER_AT_B + begin_B, loop);
   snprintf(head, sizeof(head), "jmp_any -%u\npop_exec 1\n", loop_B);
   rig_assemble(&b->rig, HELPER_AT_B + begin_B + loop_B, head);
}

static uint32_t *
book(struct bench *b, unsigned core)
{
   return (uint32_t *)(void *)(b->rig.data + BOOK_AT_B + core * BOOK_B);
}

static uint64_t
block_va(unsigned core, unsigned piece)
{
   return DATA_VA + BLOCKS_AT_B + (uint64_t)(core * 8 + piece) * 4 * BLOCK_B;
}

/* A piece has one block of 32 bytes a thread. */
static void
write_books(struct bench *b)
{
   for (unsigned core = 0; core < 8; core++) {
      memset(book(b, core), 0, BOOK_B);
      for (unsigned piece = 0; piece < 8; piece++)
         book(b, core)[4 + 4 * piece] = (uint32_t)(block_va(core, piece) >> 8) | 1;
   }
}

static void
open_bench(struct bench *b, unsigned pieces)
{
   rig_open(&b->rig, 2);
   b->rig.program->helper =
      (struct agx_helper){.binary = (uint32_t)(CODE_VA + HELPER_AT_B - USC_VA) | 1, .data = DATA_VA + BOOK_AT_B};
   write_books(b);
   put_helper(b, pieces, alloc, done, release, done);
}

/* Each thread puts its number on the stack, and back from there to memory. */
static const char *const through_stack = "ldimm r0l, 0\n"
                                         "stack_adjust 8\n"
                                         "mov r1, thread_in_grid_x\n"
                                         "stack_store r1, 28, i32, x, a\nwait a\n"
                                         "stack_load r2, 28, i32, x, b\nwait b\n"
                                         "store r2, du0, r1, i32, x, a\n"
                                         "mov r3, core_index\n"
                                         "ldimm r4, 512\niadd r1, r1, r4\n"
                                         "store r3, du0, r1, i32, x, a\n";

static void
expect(struct bench *b, enum sim_fault_kind kind, const char *words)
{
   write_books(b);
   rig_expect_fault(&b->rig, kind, words, through_stack, 512, 32);
}

static void
gives_and_takes(void **state)
{
   static const char *const schedules[] = {"in-order", "round-robin", "worst", "seed=3"};
   static const unsigned ids[] = {0, 1, 2, 4, 6};
   static const uint64_t masks[] = {7, 5}; /* two clusters of three cores, one of which is missing */
   struct bench b;
   (void)state;
   open_bench(&b, 2);
   assert_true(agx_wave_engine_set_cores(b.rig.engine, masks, 2, 3));
   for (unsigned s = 0; s < 4; s++) {
      struct sim_schedule schedule;
      uint32_t refused = 0, seen = 0;
      assert_true(sim_schedule_parse(schedules[s], &schedule));
      agx_wave_engine_set_schedule(b.rig.engine, &schedule);
      memset(b.rig.data, 0, BOOK_AT_B);
      write_books(&b);
      if (!rig_run(&b.rig, through_stack, 512, 32))
         fail_msg("%s: %s", schedules[s], b.rig.fault.message);
      const uint32_t *left = (const uint32_t *)(void *)b.rig.data;
      for (uint32_t i = 0; i < 512; i++) {
         assert_int_equal(left[i], i);
         seen |= 1u << left[512 + i];
      }
      assert_int_equal(seen, 0x57);
      for (unsigned i = 0; i < sizeof(ids) / sizeof(ids[0]); i++) {
         assert_int_equal(book(&b, ids[i])[0], 0);
         assert_int_equal(book(&b, ids[i])[2], ids[i]);
         refused += book(&b, ids[i])[1];
      }
      assert_true(refused); /* 16 simd-groups, of which 10 find memory at once */
   }
   rig_close(&b.rig);
}

/* What the stack held is in the block, the words of the threads side by side. */
static void
leaves_memory(void **state)
{
   struct bench b;
   (void)state;
   open_bench(&b, 1);
   assert_true(rig_run(&b.rig, through_stack, 32, 32));
   const uint32_t *block = (const uint32_t *)(const void *)(b.rig.data + (block_va(0, 0) - DATA_VA));
   for (unsigned l = 0; l < 32; l++)
      assert_int_equal(block[7 * 32 + l], l);
   rig_close(&b.rig);
}

/* A preamble has private memory if the command says so. */
static void
preamble(void **state)
{
   struct bench b;
   (void)state;
   open_bench(&b, 1);
   struct agx_program *p = b.rig.program;
   rig_assemble(&b.rig, 4096, "stack_adjust 8\nldimm r1, 5\nstack_store r1, 0, i32, x, a\nwait a\n");
   p->preamble = sim_va(CODE_VA + 4096);
   p->preamble_registers = 16;
   assert_false(agx_wave_run_preamble(b.rig.engine, b.rig.vm, p, false, NULL, &b.rig.fault));
   assert_non_null(strstr(b.rig.fault.message, "a stack, and the program has no private memory"));
   p->helper.cfg = 1 << 16;
   b.rig.fault = (struct sim_fault){0};
   assert_true(agx_wave_run_preamble(b.rig.engine, b.rig.vm, p, false, NULL, &b.rig.fault));
   rig_close(&b.rig);
}

/* Helpers that do it wrong. */
static void
bad_helpers(void **state)
{
   static const struct {
      const char *on_alloc, *after_alloc, *on_free, *after_free, *words;
   } rows[] = {
      {"", RING(48), "", "", "gives memory, and has mapped none"},
      {NULL, NULL, NULL, RING(49), "does not take private memory back"},
      {NULL, NULL, "", RING(48), "takes memory back, and leaves it mapped"},
      {NULL, "", NULL, NULL, "leaves operation 0 without an answer"},
      {NULL, RING(48) RING(48), NULL, NULL, "answers, and nothing is asked"},
      {NULL, RING(50), NULL, NULL, "a doorbell whose meaning nobody knows"},
      {"map r10, 0, 4\n", "", NULL, NULL, "block 4 of target 0"},
      {"map r10, 1, 0\n", "", NULL, NULL, "block 0 of target 1"},
      {"map r10, 0, 0\nmap r10, 0, 0\n", "", NULL, NULL, "block 0 a second time"},
      {"unmap r10, 0, 0\n", "", NULL, NULL, "where none comes back"},
      {NULL, RING(48) "map r10, 0, 0\n", NULL, NULL, "where none is asked for"},
      {"ldimm r10, 0\nmap r10, 0, 0\n", RING(48), NULL, NULL, "a word that says no size"},
      {"ldimm r10, 536872971\nmap r10, 0, 0\n", RING(48), NULL, NULL, "which is no multiple of its size"},
      {"ldimm r10, 1048577\nmap r10, 0, 0\n", RING(48), NULL, NULL, "not all of it is mapped"},
      {"ldimm r10, 255\nmap r10, 0, 0\n", RING(48), NULL, NULL, "a word that says no size"},
      {"ldimm r10, 536872961\nmap r10, 0, 0\nldimm r10, 536872964\nmap r10, 0, 1\n", RING(48), NULL, NULL,
       "a word that does not say that it is there"},
      {"ldimm r10, 536872961\nmap r10, 0, 0\nldimm r10, 536872965\nmap r10, 0, 2\n", RING(48), NULL, NULL,
       "after one that is not there"},
      {"ldimm r10, 536872961\nmap r10, 0, 0\n", RING(48), NULL, NULL, "which another simd-group has"},
      {"stop\n", "", NULL, NULL, "ends where it is asked for memory"},
      {"stack_adjust 8\n", "", NULL, NULL, "a stack, and the program has no private memory"},
      {"jmp_any 0\n", "", NULL, NULL, "comes to no doorbell"},
      {"mov r16, r10\n", "", NULL, NULL, "above the 32 halves"},
      {"mov r10, thread_in_grid_x\n", "", NULL, NULL, "thread_in_grid_x"},
   };
   struct bench b;
   (void)state;
   open_bench(&b, 8);
   for (unsigned i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
      put_helper(&b, 8, rows[i].on_alloc ? rows[i].on_alloc : alloc, rows[i].after_alloc ? rows[i].after_alloc : done,
                 rows[i].on_free ? rows[i].on_free : release, rows[i].after_free ? rows[i].after_free : done);
      expect(&b,
             strstr(rows[i].words, "no doorbell") ? SIM_FAULT_HANG
             : strstr(rows[i].words, "target") || strstr(rows[i].words, "nobody") ||
                   strstr(rows[i].words, "halves") || strstr(rows[i].words, "grid")
                ? SIM_FAULT_INSTRUCTION
                : SIM_FAULT_STATE,
             rows[i].words);
   }
   rig_close(&b.rig);
}

/* Programs that are no helpers, and what else can be wrong. */
static void
bad_programs(void **state)
{
   struct bench b;
   (void)state;
   open_bench(&b, 0);
   expect(&b, SIM_FAULT_STATE, "has no private memory, and nobody else has any");
   put_helper(&b, 8, alloc, done, release, done);
   rig_expect_fault(&b.rig, SIM_FAULT_STATE, "the stack would have 64 bytes, of 32", "stack_adjust 16\n", 32, 32);
   rig_expect_fault(&b.rig, SIM_FAULT_INSTRUCTION, "a doorbell, which only helper programs have", "doorbell 32\n", 32,
                    32);
   rig_assemble(&b.rig, HELPER_AT_B, "ldimm r0l, 0\n");
   expect(&b, SIM_FAULT_STATE, "ends before it is asked");
   rig_assemble(&b.rig, HELPER_AT_B, "ldimm r0l, 1\nupdate_exec\ndoorbell 32\n");
   expect(&b, SIM_FAULT_STATE, "rings, and no thread is active");
   rig_assemble(&b.rig, HELPER_AT_B, "mov r1, u0\n");
   expect(&b, SIM_FAULT_STATE, "names half 1 of uniforms, and has none");
   b.rig.program->helper.binary = 0x70000001;
   expect(&b, SIM_FAULT_ADDRESS, "where the helper program is");
   rig_close(&b.rig);
}

int
main(void)
{
   const struct CMUnitTest tests[] = {
      cmocka_unit_test(gives_and_takes), cmocka_unit_test(leaves_memory), cmocka_unit_test(preamble),
      cmocka_unit_test(bad_helpers),     cmocka_unit_test(bad_programs),
   };
   return cmocka_run_group_tests(tests, NULL, NULL);
}
