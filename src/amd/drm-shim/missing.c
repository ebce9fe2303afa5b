/* Stand-ins for parts of the model that a tree may not have yet: they fault. The real functions, where linked, win. */
#include <stdlib.h>

#include "amd/sim/dispatch.h"
#include "amd/sim/wave.h"

#define WEAK __attribute__((weak))

WEAK struct amd_wave_engine *
amd_wave_engine_create(struct amd_pool *pool, uint64_t budget)
{
   return calloc(1, 1);
}

WEAK void
amd_wave_engine_destroy(struct amd_wave_engine *engine)
{
   free(engine);
}

WEAK bool
amd_sim_dispatch(struct amd_wave_engine *engine, const struct sim_vm *vm, const struct amd_dispatch *dispatch,
                 struct sim_fault *fault)
{
   return sim_fault_set(fault, SIM_FAULT_INSTRUCTION, sim_va(0), "this build of the model runs no compute shaders");
}

WEAK bool
amd_wave_run(struct amd_wave_engine *engine, const struct amd_wave_launch *launch, struct sim_fault *fault)
{
   return sim_fault_set(fault, SIM_FAULT_INSTRUCTION, sim_va(0), "this build of the model runs no shaders");
}
