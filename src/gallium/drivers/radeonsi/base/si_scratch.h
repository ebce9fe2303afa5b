#ifndef INDIUM_SI_SCRATCH_H
#define INDIUM_SI_SCRATCH_H

#include "gallium/drivers/radeonsi/si_screen.h"

/* Scratch memory of the pipelines of the graphics queue: programs raise the size when they are created, and what was
 * recorded before keeps the old buffer, which lives as long as the screen. */
enum si_scratch_part {
   SI_SCRATCH_GRAPHICS,
   SI_SCRATCH_COMPUTE,
   SI_SCRATCH_TASKS, /* on a compute ring, beside both; the last one, as chips without mesh shaders have none */
   SI_SCRATCH_PARTS,
};

struct si_scratch {
   struct amdgpu_ws_bo *bo;
   uint32_t wave_B; /* multiple of the granularity */
   uint32_t waves;  /* as many as wave_B allows */
   struct si_scratch *older;
};

/* How many waves may use scratch at once: as many as the GPU holds unless that takes too much memory; a multiple of
 * the shader engines. */
uint32_t si_scratch_waves(const struct ac_gpu_info *info, uint32_t wave_B);

/* The most that a wave can have. */
uint32_t si_scratch_max_wave_B(const struct si_screen *screen);

/* The scratch buffer, large enough for lane_B bytes a lane in waves of wave_size, no more than a wave can
 * have; NULL when out of memory. */
const struct si_scratch *si_scratch_get(struct si_screen *screen, uint32_t lane_B, unsigned wave_size);

/* TMPRING_SIZE of the ring and the address of its part of the buffer. */
uint32_t si_scratch_ring_size(const struct si_screen *screen, uint32_t wave_B);
uint64_t si_scratch_va(const struct si_scratch *scratch, enum si_scratch_part part);

#endif
