/* Choices of a test's random programs, by the random numbers of schedules: each is a draw of its own. */
#ifndef INDIUM_TESTS_AMD_SIM_CHANCE_H
#define INDIUM_TESTS_AMD_SIM_CHANCE_H

#include <stdint.h>

#include "sim/waves/schedule.h"

static uint64_t seed;

/* From 0 to below - 1. */
static inline uint32_t
chance(uint32_t below)
{
   seed += 1;
   return (uint32_t)(sim_schedule_random(seed, 0, 0) % below);
}

#endif
