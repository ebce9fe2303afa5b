/* Vector instructions of the modelled GPU a second: a long loop of wave32 arithmetic on 1 and on 2 host threads. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "amd/sim/cp/dispatch.h"
#include "asm.h"
#include "bench.h"
#include "sim/waves/pool.h"

static struct assembly program;

static void
build(void)
{
   struct amd_inst loops = inst(AMD_OP_s_movk_i32, 4, NONE, NONE, NONE);
   loops.simm16 = 2000;
   for (unsigned i = 1; i < 10; i++)
      assemble(&program, inst(AMD_OP_v_cvt_f32_u32, V(i), V(0), NONE, NONE));
   assemble(&program, loops);
   unsigned top = program.count;
   for (unsigned i = 0; i < 8; i++) {
      assemble(&program, inst(AMD_OP_v_fma_f32, V(1), V(2), V(3), V(1)));
      assemble(&program, inst(AMD_OP_v_mul_f32, V(4), V(1), V(2), NONE));
      assemble(&program, inst(AMD_OP_v_add_f32, V(5), V(4), V(3), NONE));
      assemble(&program, inst(AMD_OP_v_add_nc_u32, V(6), V(5), V(0), NONE));
      assemble(&program, inst(AMD_OP_v_xor_b32, V(7), V(6), V(4), NONE));
      assemble(&program, inst(AMD_OP_v_lshlrev_b32, V(8), I(3), V(7), NONE));
      assemble(&program, inst(AMD_OP_v_max_f32, V(9), V(5), V(4), NONE));
      assemble(&program, inst(AMD_OP_v_cndmask_b32, V(9), V(9), V(8), AMD_VCC_LO));
   }
   assemble(&program, inst(AMD_OP_s_sub_i32, 4, 4, I(1), NONE));
   assemble(&program, inst(AMD_OP_s_cmp_lg_u32, NONE, 4, I(0), NONE));
   struct amd_inst branch = inst(AMD_OP_s_cbranch_scc1, NONE, NONE, NONE, NONE);
   branch.simm16 = (uint16_t)(top - program.count - 1);
   assemble(&program, branch);
   assemble(&program, inst(AMD_OP_s_endpgm, NONE, NONE, NONE, NONE));
}

static double
measure(unsigned threads)
{
   struct sim_vm *vm = sim_vm_create();
   void *code = aligned_alloc(4096, 65536);
   memset(code, 0, 65536);
   memcpy(code, program.words, program.count * 4);
   sim_vm_map(vm, sim_va(0x100000000), 65536, code, SIM_READ | SIM_EXECUTE);
   struct sim_pool *pool = sim_pool_create(threads);
   struct amd_wave_engine *engine = amd_wave_engine_create(pool);
   struct amd_dispatch d = {.chip = amd_chip_by_name("navi21"),
                            .program = sim_va(0x100000000),
                            .rsrc1 = 1 | 0xf0 << 12,
                            .num_thread = {32, 1, 1},
                            .dim = {32, 1, 1},
                            .initiator = 1 | 1 << 15};
   double rates[5];
   for (unsigned run = 0; run < 5; run++) {
      struct sim_fault fault = {0};
      uint64_t before = amd_wave_instructions(engine);
      double start_s = bench_now_s();
      if (!amd_sim_dispatch(engine, vm, &d, &fault)) {
         fprintf(stderr, "%s\n", fault.message);
         exit(1);
      }
      double seconds = bench_now_s() - start_s;
      rates[run] = (double)(amd_wave_instructions(engine) - before) / seconds;
   }
   double median = bench_median(rates, 5);
   amd_wave_engine_destroy(engine);
   sim_pool_destroy(pool);
   sim_vm_destroy(vm);
   free(code);
   return median;
}

int
main(void)
{
   build();
   double one = measure(1), two = measure(2);
   printf("wave32 instructions a second, 1 thread: %.1f M\n", one * 1e-6);
   printf("wave32 instructions a second, 2 threads: %.1f M (%.2f times)\n", two * 1e-6, two / one);
   return 0;
}
