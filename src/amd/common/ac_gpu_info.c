#include "amd/common/ac_gpu_info.h"

#include <string.h>

#include "amd/common/ac_descriptor.h"
#include "amd/hw/chips.h"
#include "amd/hw/descriptors.h"
#include "amd/hw/swizzle.h"
#include "util/macros.h"

/* Instructions and registers of the generation, and the tiled layouts that depth buffers must have. */
static bool
has_tables(enum amd_gen gen, uint32_t gb_addr_config)
{
   return gen == AMD_GFX10_3 && amd_swizzle_find(gen, gb_addr_config, V_SW_64KB_Z_X, 2, 0);
}

bool
ac_gpu_info_init(struct ac_gpu_info *info, const struct ac_gpu_source *source)
{
   const struct amd_chip *chip = amd_chip_by_revision(source->family, source->external_rev);

   memset(info, 0, sizeof(*info));
   if (!chip || !has_tables(chip->gen, source->gb_addr_config))
      return false;

   info->gen = chip->gen;
   info->name = chip->name;
   info->num_se = source->num_se;
   info->num_cu = source->num_cu;
   info->num_rb = source->num_rb;
   info->enabled_rb_mask = source->enabled_rb_mask;
   info->gb_addr_config = source->gb_addr_config;
   info->address32_hi = source->address32_hi;
   info->clock_kHz = source->clock_kHz;
   info->apu = source->ids_flags & 1;
   info->has_rbplus = chip->gen >= AMD_GFX10_3;
   info->waves_per_simd = chip->gen >= AMD_GFX10_3 ? 16 : chip->gen >= AMD_GFX10 ? 20 : 10;
   info->simds_per_cu = chip->gen >= AMD_GFX10 ? 2 : 4;
   info->lds_granularity_B = 512;
   info->scratch_granularity_B = chip->gen >= AMD_GFX11 ? 256 : 1024;
   info->raw_buffer_word3 = ac_raw_buffer_word3(chip->gen);
   info->pops = ac_pops_caps(chip->gfx_target);
   return info->pops != NULL;
}

uint32_t
ac_vgpr_granules(unsigned num_vgprs, unsigned wave_size)
{
   unsigned granule = wave_size == 32 ? 8 : 4;

   return (uint32_t)div_round_up(MAX2(num_vgprs, 1u), granule) - 1;
}
