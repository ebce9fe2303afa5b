/* Compiled programs on the modelled simd-groups. */
#ifndef INDIUM_TESTS_AGX_RUN_H
#define INDIUM_TESTS_AGX_RUN_H

#include "agx_random.h"
#include "asahi/sim/wave/wave.h"

/* The two buffers of agx_random.h, zero at first. */
struct agx_run {
   uint8_t *in, *out;
   uint32_t in_B, out_B;
   struct sim_vm *vm;
   uint8_t *code;
};

struct agx_run agx_run_open(uint32_t in_B, uint32_t out_B, const struct agx_output *program);
void agx_run_close(struct agx_run *run);
/* One workgroup of so many threads, after the preamble. */
bool agx_run(struct agx_run *run, struct agx_wave_engine *engine, const struct agx_output *program, uint32_t threads,
             struct sim_fault *fault);

#endif
