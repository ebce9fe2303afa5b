/* Scratch memory of programs. */
#include "gallium/drivers/radeonsi/base/si_scratch.h"

#include <stdlib.h>

#include "amd/compiler/aco_target.h"
#include "amd/hw/registers.h"
#include "util/macros.h"

/* The size of each part of a scratch buffer. */
static uint64_t
scratch_part_B(const struct si_scratch *scratch)
{
   return (uint64_t)scratch->wave_B * scratch->waves;
}

uint32_t
si_scratch_waves(const struct ac_gpu_info *info, uint32_t wave_B)
{
   uint32_t affordable = MAX2((128u << 20) / wave_B, info->num_cu);
   uint32_t waves = MIN2(info->num_cu * info->simds_per_cu * aco_target(info->gen)->max_waves, affordable);

   return MAX2(waves / MAX2(info->num_se, 1u), 1u) * MAX2(info->num_se, 1u);
}

static const struct si_scratch *
grow_scratch(struct si_screen *screen, uint32_t wave_B)
{
   struct si_scratch *scratch = calloc(1, sizeof(*scratch));
   const unsigned num_parts = screen->info.has_mesh ? SI_SCRATCH_PARTS : SI_SCRATCH_TASKS;

   if (!scratch)
      return NULL;
   scratch->wave_B = wave_B;
   scratch->waves = si_scratch_waves(&screen->info, wave_B);
   scratch->bo = amdgpu_ws_bo_create(screen->ws, scratch_part_B(scratch) * num_parts, 65536, AMDGPU_WS_VRAM, 0);
   if (!scratch->bo) {
      free(scratch);
      return NULL;
   }
   scratch->older = screen->scratch;
   screen->scratch = scratch;
   return scratch;
}

uint32_t
si_scratch_max_wave_B(const struct si_screen *screen)
{
   return G_SPI_TMPRING_SIZE_WAVESIZE(screen->info.gen, UINT32_MAX) * screen->info.scratch_granularity_B;
}

const struct si_scratch *
si_scratch_get(struct si_screen *screen, uint32_t lane_B, unsigned wave_size)
{
   uint32_t wave_B = (uint32_t)align_up((uint64_t)lane_B * wave_size, screen->info.scratch_granularity_B);
   const struct si_scratch *scratch;

   pthread_mutex_lock(&screen->scratch_lock);
   scratch = screen->scratch;
   if (!scratch || scratch->wave_B < wave_B)
      scratch = grow_scratch(screen, scratch ? MAX2(wave_B, MIN2(2 * scratch->wave_B, si_scratch_max_wave_B(screen)))
                                             : wave_B);
   pthread_mutex_unlock(&screen->scratch_lock);
   return scratch;
}

uint32_t
si_scratch_ring_size(const struct si_screen *screen, uint32_t wave_B)
{
   /* With registers of their own, engines have a part of the buffer each. Source: radeonsi. */
   uint32_t parts = screen->info.has_scratch_base ? screen->info.num_se : 1;

   return S_SPI_TMPRING_SIZE_WAVES(si_scratch_waves(&screen->info, wave_B) / parts) |
          S_SPI_TMPRING_SIZE_WAVESIZE(screen->info.gen, wave_B / screen->info.scratch_granularity_B);
}

uint64_t
si_scratch_va(const struct si_scratch *scratch, enum si_scratch_part part)
{
   return scratch->bo->va + part * scratch_part_B(scratch);
}
