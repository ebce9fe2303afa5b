#include "gallium/drivers/radeonsi/cs/si_queue_scratch.h"

#include <stdlib.h>
#include <string.h>

#include "amd/hw/pm4.h"
#include "amd/hw/registers.h"
#include "gallium/drivers/radeonsi/si_abi.h"
#include "util/macros.h"

void
si_scratch_compute_registers(const struct si_screen *screen, unsigned sgpr, struct si_pm4 *regs, uint32_t wave_B,
                             uint64_t va)
{
   const bool base = screen->info.has_scratch_base;
   const uint32_t first = base ? R_COMPUTE_DISPATCH_SCRATCH_BASE_LO : R_COMPUTE_USER_DATA_0 + 4 * sgpr;

   si_pm4_reg(regs, R_COMPUTE_TMPRING_SIZE, si_scratch_ring_size(screen, wave_B));
   si_pm4_reg(regs, first, (uint32_t)(base ? va >> 8 : va));
   /* Bits 63:48 of the address are STRIDE and flags of a V#. */
   si_pm4_reg(regs, first + 4, base ? (uint32_t)(va >> 40) & 0xff : (uint32_t)(va >> 32) & 0xffff);
}

/* ---- queues ---- */

static void
free_buffer(struct si_queue_buffer *buffer)
{
   amdgpu_ws_bo_destroy(buffer->memory);
   amdgpu_ws_bo_destroy(buffer->stream);
   free(buffer);
}

static bool
write_stream(struct si_queue_buffer *buffer, const struct si_screen *screen)
{
   struct si_pm4 regs = {0};
   uint32_t *dw = amdgpu_ws_bo_map(buffer->stream);

   if (!dw)
      return false;
   si_scratch_compute_registers(screen, SI_SGPR_CS_SCRATCH_ADDRESS, &regs, buffer->wave_B, buffer->memory->va);
   memcpy(dw, regs.dw, regs.count_dw * 4);
   while (regs.count_dw % 8)
      dw[regs.count_dw++] = PKT3_NOP_PAD;
   buffer->ib = (struct amdgpu_ws_ib){.va = buffer->stream->va, .size_dw = regs.count_dw};
   return true;
}

static struct si_queue_buffer *
create_buffer(struct si_screen *screen, uint32_t wave_B)
{
   struct si_queue_buffer *buffer = calloc(1, sizeof(*buffer));
   const uint64_t size_B = (uint64_t)wave_B * si_scratch_waves(&screen->info, wave_B);

   if (!buffer)
      return NULL;
   buffer->wave_B = wave_B;
   buffer->memory = amdgpu_ws_bo_create(screen->ws, size_B, 65536, AMDGPU_WS_VRAM, 0);
   buffer->stream =
      amdgpu_ws_bo_create(screen->ws, 4096, 4096, AMDGPU_WS_GTT, AMDGPU_WS_BO_CPU_ACCESS | AMDGPU_WS_BO_READ_ONLY);
   if (!buffer->memory || !buffer->stream || !write_stream(buffer, screen)) {
      free_buffer(buffer);
      return NULL;
   }
   return buffer;
}

const struct amdgpu_ws_ib *
si_queue_scratch_get(struct si_queue_scratch *queue, struct si_screen *screen, uint32_t wave_B)
{
   if (!queue->newest || queue->newest->wave_B < wave_B) {
      struct si_queue_buffer *buffer = create_buffer(screen, wave_B);

      if (!buffer)
         return NULL;
      buffer->older = queue->newest;
      queue->newest = buffer;
   }
   return &queue->newest->ib;
}

void
si_queue_scratch_finish(struct si_queue_scratch *queue)
{
   while (queue->newest) {
      struct si_queue_buffer *buffer = queue->newest;

      queue->newest = buffer->older;
      free_buffer(buffer);
   }
}
