#include "amd/sim/base/gpu.h"

#include <time.h>

const char *const amd_sim_ring_names[AMD_SIM_RINGS] = {"gfx", "compute", "sdma", "ce"};

uint64_t
amd_gpu_clock(const struct amd_gpu *gpu)
{
   return *gpu->clock ? ++*gpu->clock : amd_sim_timestamp(gpu->chip);
}

uint64_t
amd_sim_timestamp(const struct amd_chip *chip)
{
   struct timespec t;
   clock_gettime(CLOCK_MONOTONIC, &t);
   uint64_t ns = (uint64_t)t.tv_sec * 1000000000u + (uint64_t)t.tv_nsec;
   return (uint64_t)((unsigned __int128)ns * chip->gpu_counter_freq_kHz / 1000000u);
}
