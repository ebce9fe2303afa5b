/* Instructions of simd-groups of the modelled AGX GPU a second: a long loop of arithmetic on 1 and on 2 host threads.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "asahi/hw/isa.h"
#include "asahi/sim/wave/wave.h"
#include "bench.h"
#include "sim/waves/pool.h"

#define CODE_VA 0x1100000000ull

static const char *const begin[] = {
   "mov r1, thread_in_grid_x", "u32_to_f r2, r1, rte", "ldimm r3, 1065353216", "fadd r4, r2, r3",
   "fmul r5, r2, 0.5",         "fadd r6, r2, r5",      "ldimm r8, 0",          "ldimm r0l, 0",
};
static const char *const body[] = {
   "ffma r2, r3, r4, r2",
   "fmul r5, r2, r3",
   "fadd r6, r5, r4",
   "iadd r7, r6, r1",
   "xor r9, r7, r5",
   "shl r10, r9, 3",
   "csel r11, r6, r5, r6, r5, fgt",
   "hadd r12l, r12h, r4l",
};

static unsigned
assemble(uint8_t *code, unsigned at_B, const char *text)
{
   struct agx_inst in;
   if (!agx_isa_parse(text, &in) || !agx_isa_encode(&in, code + at_B)) {
      fprintf(stderr, "no instruction: %s\n", text);
      exit(1);
   }
   return at_B + in.size_B;
}

static void
build(uint8_t *code)
{
   char text[64];
   unsigned at_B = 0;
   for (unsigned i = 0; i < sizeof(begin) / sizeof(begin[0]); i++)
      at_B = assemble(code, at_B, begin[i]);
   unsigned top_B = at_B;
   for (unsigned i = 0; i < 64; i++)
      at_B = assemble(code, at_B, body[i % 8]);
   at_B = assemble(code, at_B, "iadd r8, r8, 1");
   at_B = assemble(code, at_B, "while r8, u4, 1, ult");
   snprintf(text, sizeof(text), "jmp_any -%u", at_B - top_B);
   at_B = assemble(code, at_B, text);
   at_B = assemble(code, at_B, "pop_exec 1");
   assemble(code, at_B, "stop");
}

static double
measure(unsigned threads)
{
   struct sim_vm *vm = sim_vm_create();
   uint8_t *code = aligned_alloc(16384, 65536);
   memset(code, 0, 65536);
   build(code);
   sim_vm_map(vm, sim_va(CODE_VA), 65536, code, SIM_READ | SIM_EXECUTE);
   struct sim_pool *pool = sim_pool_create(threads);
   struct agx_wave_engine *engine = agx_wave_engine_create(pool);
   struct agx_program *program = calloc(1, sizeof(*program));
   *program = (struct agx_program){.stage = AGX_STAGE_COMPUTE,
                                   .code = sim_va(CODE_VA),
                                   .registers = 64,
                                   .uniform_halves = 64,
                                   .uniforms[8] = 2000};
   struct agx_wave_launch launch = {.program = program, .vm = vm};
   agx_wave_set_grid(&launch, (uint32_t[]){32 * 32, 1, 1}, (uint32_t[]){32, 1, 1});
   double rates[5];
   for (unsigned run = 0; run < 5; run++) {
      struct sim_fault fault = {0};
      uint64_t before = agx_wave_instructions(engine);
      double start_s = bench_now_s();
      if (!agx_wave_run(engine, &launch, &fault)) {
         fprintf(stderr, "%s\n", fault.message);
         exit(1);
      }
      double seconds = bench_now_s() - start_s;
      rates[run] = (double)(agx_wave_instructions(engine) - before) / seconds;
   }
   double median = bench_median(rates, 5);
   agx_wave_engine_destroy(engine);
   sim_pool_destroy(pool);
   sim_vm_destroy(vm);
   free(program);
   free(code);
   return median;
}

int
main(void)
{
   double one = measure(1), two = measure(2);
   printf("simd-group instructions of AGX a second, 1 thread: %.1f M\n", one * 1e-6);
   printf("simd-group instructions of AGX a second, 2 threads: %.1f M (%.2f times)\n", two * 1e-6, two / one);
   return 0;
}
