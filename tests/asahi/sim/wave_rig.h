/* Simd-groups without a queue around them: programs from text, in memory that tests look at. */
#ifndef INDIUM_TEST_WAVE_RIG_H
#define INDIUM_TEST_WAVE_RIG_H

#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <setjmp.h>

#include <cmocka.h>

#include "asahi/sim/wave/wave.h"
#include "asahi/sim/wave/wave_state.h"
#include "sim/waves/pool.h"

#define USC_VA 0x1100000000ull
#define CODE_VA (USC_VA + 0x40000)
#define DATA_VA 0x2000000000ull
#define CODE_B 65536u
#define DATA_B (1u << 20)

struct rig {
   struct sim_vm *vm;
   uint8_t *code, *data;
   struct sim_pool *pool;
   struct agx_wave_engine *engine;
   struct agx_program *program; /* compute, 256 halves; u0 and u1: DATA_VA */
   struct sim_fault fault;
   struct agx_wave_registers *left; /* of the last wave that retired */
};

void rig_open(struct rig *rig, unsigned threads);
void rig_close(struct rig *rig);
/* Instructions, one a line; offsets of jumps are bytes. Puts `stop` after them. Returns their size. */
unsigned rig_assemble(struct rig *rig, unsigned at_B, const char *text);
/* Runs the program as threads in groups of up to 1024. */
bool rig_run(struct rig *rig, const char *text, uint32_t threads, uint32_t group);
/* Of that which ends in a fault. */
void rig_expect_fault(struct rig *rig, enum sim_fault_kind kind, const char *words, const char *text,
                      uint32_t threads, uint32_t group);

#endif
