/* Runs the program in `rig.code` as a wave or a group of them and says how it ends. Group fixtures of cmocka make and
 * free the rig. */
#ifndef INDIUM_TESTS_HAZARD_RIG_H
#define INDIUM_TESTS_HAZARD_RIG_H

#include <stdlib.h>
#include <string.h>

#include "amd/hw/chips.h"
#include "amd/sim/wave/wave.h"
#include "sim/waves/pool.h"
#include "util/macros.h"

#define RIG_CODE_VA 0x100000000ull
#define RIG_DATA_VA 0x200000000ull

enum { RIG_SIZE_B = 4096 };

static struct hazard_rig {
   uint8_t *code;
   void *data;
   struct sim_vm *vm;
   struct sim_pool *pool;
   struct amd_wave_engine *engine;
} rig;

/* s[0:1]: data; s2: the wave; s[8:11]: a buffer of it; v0: 4 * lane; other registers: 0. */
static void
hazard_rig_start(void *user, uint32_t group, uint32_t wave, uint32_t slot, struct amd_wave_start *s)
{
   const uint32_t low = (uint32_t)RIG_DATA_VA, high = RIG_DATA_VA >> 32;
   const uint32_t words[12] = {low, high, wave, 0, 0, 0, 0, 0, low, high, RIG_SIZE_B, 0};
   memcpy(s->sgpr, words, sizeof(words));
   s->sgpr_count = ARRAY_SIZE(words);
   s->exec = UINT64_MAX;
   s->vgpr_count = 12;
   memset(s->vgpr, 0, 12 * sizeof(s->vgpr[0]));
   for (uint32_t i = 0; i < 64; i++)
      s->vgpr[0][i] = 4 * i;
}

static inline bool
hazard_rig_run_group(const char *chip, unsigned lanes, unsigned waves, struct sim_fault *fault)
{
   const struct amd_wave_launch launch = {.chip = amd_chip_by_name(chip),
                                          .stage = AMD_STAGE_CS,
                                          .vm = rig.vm,
                                          .program = sim_va(RIG_CODE_VA),
                                          .wave_size = lanes,
                                          .float_mode = 0xf0,
                                          .vgpr_count = 16,
                                          .lds_size_B = 1024,
                                          .waves_per_group = waves,
                                          .group_count = 1,
                                          .start = hazard_rig_start};
   return amd_wave_run(rig.engine, &launch, fault);
}

static inline bool
hazard_rig_run(const char *chip, unsigned lanes, struct sim_fault *fault)
{
   return hazard_rig_run_group(chip, lanes, 1, fault);
}

static inline int
hazard_rig_create(void **state)
{
   rig.vm = sim_vm_create();
   rig.code = aligned_alloc(RIG_SIZE_B, RIG_SIZE_B);
   rig.data = aligned_alloc(RIG_SIZE_B, RIG_SIZE_B);
   memset(rig.code, 0, RIG_SIZE_B);
   memset(rig.data, 0, RIG_SIZE_B);
   sim_vm_map(rig.vm, sim_va(RIG_CODE_VA), RIG_SIZE_B, rig.code, SIM_READ | SIM_EXECUTE);
   sim_vm_map(rig.vm, sim_va(RIG_DATA_VA), RIG_SIZE_B, rig.data, SIM_READ | SIM_WRITE);
   rig.pool = sim_pool_create(1);
   rig.engine = amd_wave_engine_create(rig.pool);
   return 0;
}

static inline int
hazard_rig_destroy(void **state)
{
   amd_wave_engine_destroy(rig.engine);
   sim_pool_destroy(rig.pool);
   sim_vm_destroy(rig.vm);
   free(rig.code);
   free(rig.data);
   return 0;
}

#endif
