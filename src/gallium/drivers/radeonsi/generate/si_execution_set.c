/* Sets of compute programs among which sequences choose. */
#include "gallium/drivers/radeonsi/base/si_scratch.h"
#include "gallium/drivers/radeonsi/cs/si_queue_scratch.h"
#include "gallium/drivers/radeonsi/generate/si_generate.h"
#include "gallium/drivers/radeonsi/shader/si_program.h"

#include <stdlib.h>

#include "util/macros.h"

static void
fill_packets(const struct si_screen *screen, const struct si_program *program, bool graphics_ring,
             uint32_t packets[SI_ENTRY_PACKETS_DW])
{
   struct si_pm4 regs = program->regs;

   if (program->scratch && graphics_ring)
      si_scratch_compute_registers(screen, SI_SGPR_CS_SCRATCH_ADDRESS, &regs, program->scratch->wave_B,
                                   si_scratch_va(program->scratch, SI_SCRATCH_COMPUTE));
   assert(regs.count_dw <= SI_ENTRY_PACKETS_DW && "the registers of compute programs fit into an entry");
   memcpy(packets, regs.dw, 4 * regs.count_dw);
   for (unsigned i = regs.count_dw; i < SI_ENTRY_PACKETS_DW; i++)
      packets[i] = PKT3_NOP_PAD;
}

static void
update(struct pipe_screen *pipe, struct pipe_execution_set *handle, uint32_t index, struct pipe_program *to)
{
   struct si_execution_set *set = si_execution_set(handle);
   const struct si_screen *screen = si_screen(pipe);
   const struct si_program *program = si_program(to);
   struct si_set_entry entry = {.initiator = si_dispatch_initiator(program, true)};

   if (index >= set->count)
      return;
   for (unsigned ring = 0; ring < 2; ring++)
      fill_packets(screen, program, ring, entry.packets[ring]);
   memcpy((struct si_set_entry *)set->bo->map + index, &entry, sizeof(entry));
   if (program->scratch)
      set->scratch_wave_B = MAX2(set->scratch_wave_B, program->scratch->wave_B);
}

static void
destroy(struct pipe_screen *pipe, struct pipe_execution_set *handle)
{
   struct si_execution_set *set = si_execution_set(handle);

   amdgpu_ws_bo_destroy(set->bo);
   free(set);
}

static enum pipe_result
create(struct pipe_screen *pipe, uint32_t count, struct pipe_program *first, struct pipe_execution_set **out)
{
   struct si_execution_set *set = calloc(1, sizeof(*set));

   if (!set)
      return PIPE_OUT_OF_HOST_MEMORY;
   set->count = count;
   set->bo = amdgpu_ws_bo_create(si_screen(pipe)->ws, count * sizeof(struct si_set_entry), 4096, AMDGPU_WS_GTT,
                                 AMDGPU_WS_BO_CPU_ACCESS | AMDGPU_WS_BO_READ_ONLY);
   if (!set->bo || !amdgpu_ws_bo_map(set->bo)) {
      destroy(pipe, si_execution_set_handle(set));
      return PIPE_OUT_OF_DEVICE_MEMORY;
   }
   for (uint32_t i = 0; i < count; i++)
      update(pipe, si_execution_set_handle(set), i, first);
   *out = si_execution_set_handle(set);
   return PIPE_OK;
}

void
si_init_execution_set(struct si_screen *screen)
{
   screen->base.execution_set_create = create;
   screen->base.execution_set_update = update;
   screen->base.execution_set_destroy = destroy;
}
