/* The host's float unit follows a wave's MODE register for single precision. */
#ifndef INDIUM_AMD_SIM_WAVE_FLOAT_H
#define INDIUM_AMD_SIM_WAVE_FLOAT_H

#include "sim/host_float.h"

/* MODE: round of f32 1:0 (as enum sim_round), denormals of f32 5:4 (bit 0 inputs kept, bit 1 results kept). */
static inline void
wave_float_mode(uint32_t mode)
{
   sim_host_float_set((enum sim_round)(mode & 3), mode & 0x10, mode & 0x20);
}

#endif
