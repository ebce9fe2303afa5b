/* Programs of dispatches and preambles that do one thing wrong each, and the sentence that says it. */
#include "wave_rig.h"

#include <string.h>

static const struct {
   const char *text, *words;
   enum sim_fault_kind kind;
} rows[] = {
   {"jmp_any 2097152\n", "jumps to where the model has no code", SIM_FAULT_INSTRUCTION},
   {"jmp_any 0\n", "", SIM_FAULT_HANG},
   {"mov r1, thread_in_grid_x\nret r1\n", "threads return to 0x0 and 0x1", SIM_FAULT_STATE},
   {"call r1\n", "instruction without a model", SIM_FAULT_INSTRUCTION},
   {"jmp_incomplete 4\n", "instruction without a model", SIM_FAULT_INSTRUCTION},
   {"trap\n", "trap [", SIM_FAULT_INSTRUCTION},
   {"ldimm r0l, 1\nupdate_exec\n", "the program ends, and threads 0xffffffff are not active", SIM_FAULT_STATE},
   {"mov r1, thread_in_grid_x\nstack_adjust r1\n", "the model moves stacks by constants only", SIM_FAULT_INSTRUCTION},
   {"stack_adjust -8\n", "the stack would have -32 bytes", SIM_FAULT_STATE},
   {"stack_adjust 4\nldimm r1, 0\nstack_store r1, 16, i32, x, a\n", "lane 0: byte 16 of a stack of 16 bytes",
    SIM_FAULT_ADDRESS},
   {"ldimm r1, 0\nmov u0, r1\n", "stores a uniform outside of a preamble", SIM_FAULT_STATE},
   {"load ts0, du0, 0, a\n", "stores a texture state outside of a preamble", SIM_FAULT_STATE},
   {"load ss0, du0, 0, a\n", "stores a sampler state outside of a preamble", SIM_FAULT_STATE},
   {"smpi r2, ts0, ss0, r4, 0, 2d, x, auto_lod, a\n", "nothing is bound to texture state 0", SIM_FAULT_STATE},
   {"smpi r2, ts1, ss0, r4, 0, 2d, x, auto_lod, a\n", "nothing is bound to sampler state 0", SIM_FAULT_STATE},
   {"ldimm r6, 40\nsmpi r2, ts1, r6l, r4, 0, 2d, x, auto_lod, a\n", "sampler 12 of a heap of 0", SIM_FAULT_STATE},
   {"imgwblk r2l, ts1, r3, 0, 2d, u8norm\n", "there are no tiles in this stage", SIM_FAULT_STATE},
   {"ld_tile r2, 0, 255, 0, i32, x\n", "there are no tiles in this stage", SIM_FAULT_STATE},
   {"st_var r2, 0\n", "a result of a vertex in another stage", SIM_FAULT_STATE},
   {"iter r2, cf0, cf0\n", "coefficient register 0 of 0", SIM_FAULT_STATE},
   {"mov r2, backfacing\n", "special register without a model in this stage", SIM_FAULT_INSTRUCTION},
   {"mov r2, helper_op\n", "special register without a model in this stage", SIM_FAULT_INSTRUCTION},
   {"ldimm r1, 16777216\nload r2, du0, r1, i32, x, a\n", "read of unmapped address 0x2004000000", SIM_FAULT_ADDRESS},
   {"ldimm r1, 16777216\nstore r1, du0, r1, i32, x, a\n", "write to address 0x2004000000", SIM_FAULT_ADDRESS},
   {"ldimm r1, 16777216\natomic r2, r1, du0, r1, add, a\n", "atomic at unmapped address 0x2004000000",
    SIM_FAULT_ADDRESS},
   {"ldimm r1h, 60000\nlload r2, r1h, 0, i32, x\n", "of 4096 bytes of threadgroup memory", SIM_FAULT_ADDRESS},
   {"load r2, du0, 0, i32, x, a\nmov r3, r2\n", "r2l is used before the wait for its result", SIM_FAULT_POISON},
   {"load r2, du0, 0, i32, x, a\nldimm r2, 0\n", "r2l is written before the wait for its result", SIM_FAULT_POISON},
   {"ldimm r2, 0\nmov r3, ^r2\nmov r4, r2\n", "r2l is used after an instruction that said it was the last one",
    SIM_FAULT_POISON},
   {"pixwait 12, 0\nst_tile r2, 0, 255, 0, i32, x\n", "there are no tiles in this stage", SIM_FAULT_STATE},
   {"sample_mask 255, 255\n", "there are no tiles in this stage", SIM_FAULT_STATE},
};

static const struct {
   const char *text, *words;
} preambles[] = {
   {"ldimm r1, 0\nmov u32, r1\n", "the program has 64 halves of uniforms"},
   {"load ts2, du0, 0, a\n", "the program has no such texture state"},
   {"load ss0, du0, 0, a\n", "the program has no such sampler state"},
   {"mov r2, thread_in_grid_x\n", "special register without a model in this stage"},
   {"mov r20, r1\n", "names a register above the 32 halves allocated"},
};

static void
dispatches(void **state)
{
   struct rig r;
   (void)state;
   rig_open(&r, 1);
   r.program->texture_count = 2;
   r.program->textures_bound[0] = 2;
   agx_wave_engine_set_budget(r.engine, 100000);
   for (unsigned i = 0; i < sizeof(rows) / sizeof(rows[0]); i++)
      rig_expect_fault(&r, rows[i].kind, rows[i].words, rows[i].text, 32, 32);
   rig_close(&r);
}

/* Of chips where atomics must say that other clusters share the memory. */
static void
clusters(void **state)
{
   static const char atomic[] = "ldimm r1, 0\natomic r2, r1, du0, r1, add, coherent1, a\nwait a\n";
   static const char of_all[] = "ldimm r1, 0\natomic r2, r1, du0, r1, add, coherent, a\nwait a\n";
   struct rig r;
   (void)state;
   rig_open(&r, 1);
   assert_true(rig_run(&r, atomic, 32, 32));
   agx_wave_engine_set_clusters(r.engine, true);
   rig_expect_fault(&r, SIM_FAULT_HAZARD, "an atomic that other clusters do not see", atomic, 32, 32);
   assert_true(rig_run(&r, of_all, 32, 32));
   rig_close(&r);
}

static void
before_dispatches(void **state)
{
   struct rig r;
   (void)state;
   rig_open(&r, 1);
   r.program->texture_count = 2;
   r.program->uniform_halves = 64;
   r.program->preamble = sim_va(CODE_VA);
   r.program->preamble_registers = 32;
   for (unsigned i = 0; i < sizeof(preambles) / sizeof(preambles[0]); i++) {
      r.fault = (struct sim_fault){0};
      rig_assemble(&r, 0, preambles[i].text);
      if (agx_wave_run_preamble(r.engine, r.vm, r.program, false, NULL, &r.fault) ||
          !strstr(r.fault.message, preambles[i].words))
         fail_msg("%s: %s", preambles[i].words, r.fault.message);
   }
   rig_close(&r);
}

/* Of images: texture states 0, to write, and 1, to read, are those of a row of bytes, and there is a sampler. */
static void
images(void **state)
{
   static const struct {
      const char *text, *words;
   } bad[] = {
      {"ldimm r6, 0\nimgw r8_r9_r10_r11, ts0, r4, r6l, 1d\n",
       "has a stride of 4 bytes, which is no multiple of 16 [CS"},
      {"smpi r2, ts1, ss0, r4, 0, 2d, x, auto_lod, a\n", "an image instruction of dimension 2 meets a descriptor of"},
      {"ldimm r6, 0\nsmpi r2, ts1, ss0, r4, r6l, 1d, x, auto_lod_bias, a\n", "smpi with a bias or gradients"},
      {"ldimm r6, 1\nimgw r8_r9_r10_r11, ts0, r4, r6l, 1d\n", "an image is written at level 1"},
   };
   struct rig r;
   (void)state;
   rig_open(&r, 1);
   r.program->texture_count = 2;
   r.program->textures_bound[0] = 3;
   r.program->textures[0].words[2] = (uint32_t)(DATA_VA >> 4);
   r.program->textures[0].words[3] = (uint32_t)(DATA_VA >> 4 >> 32);
   r.program->textures[1].words[2] = (uint32_t)(DATA_VA >> 4) << 2;
   r.program->textures[1].words[3] = (uint32_t)(DATA_VA >> 4 >> 30);
   r.program->sampler_count = 4;
   r.program->samplers_bound = 1;
   for (unsigned i = 0; i < sizeof(bad) / sizeof(bad[0]); i++) {
      r.program->textures[0].words[3] |= i ? 12 << 8 : 0; /* a stride of 16 */
      assert_false(rig_run(&r, bad[i].text, 32, 32));
      if (!strstr(r.fault.message, bad[i].words))
         fail_msg("%s: %s", bad[i].words, r.fault.message);
   }
   rig_close(&r);
}

/* Where the program cannot be. */
static void
places(void **state)
{
   struct rig r;
   (void)state;
   rig_open(&r, 1);
   r.program->code = sim_va(DATA_VA);
   rig_expect_fault(&r, SIM_FAULT_ADDRESS, "no executable memory at 0x2000000000", NULL, 32, 32);
   r.code[CODE_B - 2] = 0x38; /* wait a */
   r.program->code = sim_va(CODE_VA + CODE_B - 2);
   rig_expect_fault(&r, SIM_FAULT_ADDRESS, "runs into memory that is unmapped or not executable", NULL, 32, 32);
   r.program->code = sim_va(CODE_VA);
   r.program->registers = 16;
   rig_expect_fault(&r, SIM_FAULT_INSTRUCTION, "names a register above the 16 halves allocated", "mov r8, r1\n", 32,
                    32);
   memset(r.code, 0xff, 16);
   rig_expect_fault(&r, SIM_FAULT_INSTRUCTION, "unknown instruction ffffffffffffffff", NULL, 32, 32);
   rig_close(&r);
}

int
main(void)
{
   const struct CMUnitTest tests[] = {
      cmocka_unit_test(dispatches), cmocka_unit_test(clusters), cmocka_unit_test(before_dispatches),
      cmocka_unit_test(images),     cmocka_unit_test(places),
   };
   return cmocka_run_group_tests(tests, NULL, NULL);
}
