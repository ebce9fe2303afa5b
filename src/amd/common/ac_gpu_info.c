#include "amd/common/ac_gpu_info.h"

#include <string.h>

#include "amd/common/ac_descriptor.h"
#include "amd/hw/chips.h"
#include "amd/hw/descriptors.h"
#include "amd/hw/registers.h"
#include "amd/hw/swizzle.h"
#include "util/macros.h"

static const struct ac_gpu_traits traits[AMD_GEN_COUNT] = {AC_GPU_TRAITS_ROWS};

/* The tiled layouts that depth buffers must have. */
static bool
has_layouts(enum amd_gen gen, uint32_t gb_addr_config)
{
   return amd_swizzle_find(gen, gb_addr_config, V_SW_64KB_Z_X, 2, 0);
}

static uint32_t
byte_word3(enum amd_gen gen)
{
   static const uint8_t select[4] = {V_SQ_SEL_X, V_SQ_SEL_0, V_SQ_SEL_0, V_SQ_SEL_0};

   return ac_buffer_word3(gen, V_GFX10_FORMAT_8_UINT, select);
}

bool
ac_gpu_info_init(struct ac_gpu_info *info, const struct ac_gpu_source *source)
{
   const struct amd_chip *chip = amd_chip_by_revision(source->family, source->external_rev);

   memset(info, 0, sizeof(*info));
   if (!chip || !traits[chip->gen].has_driver || !has_layouts(chip->gen, source->gb_addr_config))
      return false;

   info->gen = chip->gen;
   info->traits = traits[chip->gen];
   info->name = chip->name;
   info->num_se = source->num_se;
   info->num_cu = source->num_cu;
   info->num_rb = source->num_rb;
   info->enabled_rb_mask = source->enabled_rb_mask;
   info->gb_addr_config = source->gb_addr_config;
   info->address32_hi = source->address32_hi;
   info->clock_kHz = source->clock_kHz;
   info->apu = source->ids_flags & 1;
   info->rolls_lose_scissors = chip->rolls_lose_scissors;
   info->has_etc2 = chip->has_etc2;
   info->low_ls_vgprs = chip->low_ls_vgprs;
   info->out_of_order = chip->out_of_order;
   info->stores_spoil_loads = chip->bad_dcc_loads;
   info->more_vgprs = chip->more_vgprs;
   info->max_tiles_in_wave[2] = info->has_tile_limit ? (info->apu ? 15 : 13) : 0;
   info->max_tiles_in_wave[3] = info->has_tile_limit ? (info->apu ? 7 : 6) : 0;
   info->lds_granularity_B = 512;
   info->raw_buffer_word3 = ac_raw_buffer_word3(chip->gen);
   info->byte_word3 = info->aligned_formats ? byte_word3(chip->gen) : 0;
   info->pops = ac_pops_caps(chip->gfx_target);
   return info->pops != NULL;
}

uint32_t
ac_vgpr_granules(unsigned num_vgprs, unsigned wave_size)
{
   unsigned granule = wave_size == 32 ? 8 : 4;

   return (uint32_t)div_round_up(MAX2(num_vgprs, 1u), granule) - 1;
}
