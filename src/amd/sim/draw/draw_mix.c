#include "amd/sim/draw/draw_mix.h"

#include "amd/hw/registers.h"

uint64_t
amd_draw_most_prims(const struct amd_gpu *gpu, const struct amd_draw *draw)
{
   const uint32_t stages = amd_regs_get(gpu->regs, R_VGT_SHADER_STAGES_EN);
   if (draw->groups[0] || stages & (S_VGT_SHADER_STAGES_EN_HS_EN(1) | S_VGT_SHADER_STAGES_EN_GS_EN(1)))
      return UINT32_MAX;
   return (uint64_t)draw->count_el * draw->instances;
}

bool
amd_draws_mix(const struct amd_gpu *gpu, const struct amd_batch_draw *draws, uint32_t count)
{
   uint64_t prims = 0;
   for (uint32_t i = 0; i < count; i++)
      prims += amd_draw_most_prims(gpu, &draws[i].draw);
   return prims <= amd_reorder_window(gpu);
}
