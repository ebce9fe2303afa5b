/* Out-of-order rasterisation: in which order the primitives of draws are rasterised, tested, shaded and blended.
 *
 * PA_SC_MODE_CNTL_1.OUT_OF_ORDER_PRIMITIVE_ENABLE lets the scan converter take primitives as the shader engines have
 * them ready. The model takes them in an order that the schedule chooses, in which a primitive is overtaken by fewer
 * than 2^OUT_OF_ORDER_WATER_MARK later ones (assumed: nothing public says what the mark counts). Draws take part
 * together as long as no packet between them does more than to name the next one (cp/cp_batch.c).
 *
 *   in-order     as submitted
 *   worst        the youngest first
 *   round-robin  the oldest and the youngest in turn
 *   seed=N       by random numbers
 *
 * Who has it: amd/hw/chips.toml. */
#ifndef INDIUM_AMD_SIM_REORDER_H
#define INDIUM_AMD_SIM_REORDER_H

#include "sim/waves/schedule.h"

struct amd_gpu;

enum { AMD_REORDER_MOST = 128 }; /* primitives, of the largest mark */

struct amd_reorder {
   struct sim_schedule schedule;
   bool forced;   /* whatever the bit and the chip say, by the largest mark */
   uint64_t draw; /* a number of the draw that runs: its random numbers */
};

/* How many primitives, neighbours in the order of submission, may change places in a draw that starts now, with what
 * the registers say. 1: none. */
uint32_t amd_reorder_window(const struct amd_gpu *gpu);

/* Whether the bit is set and the chip heeds it. */
bool amd_reorder_is_let(const struct amd_gpu *gpu);

/* order[i]: which of `count` things comes at place i. salt: of the random numbers. window: at most
 * AMD_REORDER_MOST. */
void amd_reorder_choose(const struct sim_schedule *schedule, uint64_t salt, uint32_t window, uint32_t count,
                        uint32_t *order);

#endif
