/* Scratch memory of dispatches: registers, and memory of queues. */
#ifndef INDIUM_SI_QUEUE_SCRATCH_H
#define INDIUM_SI_QUEUE_SCRATCH_H

#include "gallium/drivers/radeonsi/base/si_scratch.h"
#include "gallium/drivers/radeonsi/cs/si_pm4.h"

/* The registers of dispatches. sgpr: the user SGPR that programs have the address in, where no register has it. */
void si_scratch_compute_registers(const struct si_screen *screen, unsigned sgpr, struct si_pm4 *regs, uint32_t wave_B,
                                  uint64_t va);

/* Queues of compute rings run in parallel, and what is recorded for them may go to any: each queue has memory
 * of its own, which a buffer ahead of the recorded ones sets. Zero: none yet. */
struct si_queue_scratch {
   struct si_queue_buffer {
      struct amdgpu_ws_bo *memory, *stream;
      struct amdgpu_ws_ib ib;
      uint32_t wave_B;
      struct si_queue_buffer *older; /* the GPU may still use it */
   } *newest;
};

/* For waves of so many bytes. NULL when out of memory. */
const struct amdgpu_ws_ib *si_queue_scratch_get(struct si_queue_scratch *queue, struct si_screen *screen,
                                                uint32_t wave_B);
void si_queue_scratch_finish(struct si_queue_scratch *queue);

#endif
