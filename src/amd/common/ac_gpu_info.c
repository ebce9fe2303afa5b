#include "amd/common/ac_gpu_info.h"

#include <string.h>

#include "amd/common/ac_descriptor.h"
#include "amd/hw/chips.h"
#include "amd/hw/descriptors.h"
#include "amd/hw/registers.h"
#include "amd/hw/swizzle.h"
#include "util/macros.h"

#define GFX11 \
   .driver = true, .rdna = true, .has_interlock = true, .has_rbplus = true, .has_covered_centroid = true, \
   .has_ngg = true, .ngg_only = true, .ngg_reuse_depth = 30, .always_iterates_256 = true, .has_tile_limit = true, \
   .has_scratch_base = true, .counts_pixel_pipes = true, .num_statistics = 14, .htile = true, .iterates_256 = true, \
   .dcc = true, .fdcc = true, .dcc_one_element = true, .dcc_stores = true, \
   .cb_dcc_control = S_CB_FDCC_CONTROL_DISABLE_CONSTANT_ENCODE_SINGLE(1), \
   .rate_images = true, .simds_per_cu = 2, .scratch_granularity_B = 256

#define GFX10_DCC_CONTROL \
   S_CB_DCC_CONTROL_OVERWRITE_COMBINER_WATERMARK(6) | S_CB_DCC_CONTROL_DISABLE_CONSTANT_ENCODE_REG(1)

/* One row a generation. Sources: ISA documents; what public drivers program. */
static const struct {
   bool driver; /* instructions, registers and operations are all there */
   bool has_interlock, has_rbplus, has_covered_centroid, empty_index_buffer_hangs;
   bool has_vgt, cache_actions, rdna, levels_beside, htile, rates_in_htile, rate_images, dcc, fdcc;
   bool has_ngg, ngg_only, vertex_groups_hang, has_eqaa, has_depth_info, iterates_256, always_iterates_256,
      has_scratch_base, counts_pixel_pipes;
   bool few_planes_4x, plain_d16_4x;
   bool has_tile_limit; /* which: observed, what RADV programs */
   bool overrides_fragments;
   bool dcc_one_element, dcc_stores;
   uint8_t dcc_block; /* this and the next: observed, what RADV programs */
   uint32_t cb_dcc_control;
   uint8_t num_statistics, ngg_reuse_depth; /* the latter: observed, what RADV programs */
   uint8_t simds_per_cu;
   uint16_t scratch_granularity_B;
} rows[AMD_GEN_COUNT] = {
   [AMD_GFX9] = {.driver = true,
                 .has_interlock = true,
                 .has_vgt = true,
                 .levels_beside = true,
                 .htile = true,
                 .plain_d16_4x = true,
                 .dcc = true,
                 .dcc_block = V_MAX_BLOCK_SIZE_64B,
                 .cb_dcc_control = S_CB_DCC_CONTROL_OVERWRITE_COMBINER_MRT_SHARING_DISABLE(1) |
                                   S_CB_DCC_CONTROL_OVERWRITE_COMBINER_WATERMARK(4),
                 .cache_actions = true,
                 .has_eqaa = true,
                 .num_statistics = 11,
                 .simds_per_cu = 4,
                 .scratch_granularity_B = 1024},
   [AMD_GFX10] = {.driver = true,
                  .rdna = true,
                  .has_interlock = true,
                  .htile = true,
                  .iterates_256 = true,
                  .few_planes_4x = true,
                  .dcc = true,
                  .dcc_block = V_MAX_BLOCK_SIZE_128B,
                  .dcc_one_element = true,
                  .dcc_stores = true,
                  .cb_dcc_control = GFX10_DCC_CONTROL,
                  .empty_index_buffer_hangs = true,
                  .has_ngg = true,
                  .vertex_groups_hang = true,
                  .has_eqaa = true,
                  .has_depth_info = true,
                  .num_statistics = 11,
                  .simds_per_cu = 2,
                  .scratch_granularity_B = 1024},
   [AMD_GFX10_3] = {.driver = true,
                    .rdna = true,
                    .has_interlock = true,
                    .has_rbplus = true,
                    .has_covered_centroid = true,
                    .htile = true,
                    .iterates_256 = true,
                    .dcc = true,
                    .dcc_block = V_MAX_BLOCK_SIZE_128B,
                    .dcc_one_element = true,
                    .dcc_stores = true,
                    .cb_dcc_control = GFX10_DCC_CONTROL,
                    .rates_in_htile = true,
                    .has_ngg = true,
                    .ngg_reuse_depth = 30,
                    .has_eqaa = true,
                    .has_depth_info = true,
                    .num_statistics = 11,
                    .simds_per_cu = 2,
                    .scratch_granularity_B = 1024},
   [AMD_GFX11] = {GFX11, .dcc_block = V_MAX_BLOCK_SIZE_128B},
   [AMD_GFX11_5] = {GFX11, .dcc_block = V_MAX_BLOCK_SIZE_256B, .overrides_fragments = true},
};

/* The tiled layouts that depth buffers must have. */
static bool
has_layouts(enum amd_gen gen, uint32_t gb_addr_config)
{
   return amd_swizzle_find(gen, gb_addr_config, V_SW_64KB_Z_X, 2, 0);
}

bool
ac_gpu_info_init(struct ac_gpu_info *info, const struct ac_gpu_source *source)
{
   const struct amd_chip *chip = amd_chip_by_revision(source->family, source->external_rev);

   memset(info, 0, sizeof(*info));
   if (!chip || !rows[chip->gen].driver || !has_layouts(chip->gen, source->gb_addr_config))
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
   info->empty_index_buffer_hangs = rows[chip->gen].empty_index_buffer_hangs;
   info->rolls_lose_scissors = chip->rolls_lose_scissors;
   info->out_of_order = chip->out_of_order;
   info->has_interlock = rows[chip->gen].has_interlock;
   info->has_rbplus = rows[chip->gen].has_rbplus;
   info->has_covered_centroid = rows[chip->gen].has_covered_centroid;
   info->has_vgt = rows[chip->gen].has_vgt;
   info->rdna = rows[chip->gen].rdna;
   info->levels_beside = rows[chip->gen].levels_beside;
   info->htile = rows[chip->gen].htile;
   info->dcc = rows[chip->gen].dcc;
   info->fdcc = rows[chip->gen].fdcc;
   info->overrides_fragments = rows[chip->gen].overrides_fragments;
   info->dcc_one_element = rows[chip->gen].dcc_one_element;
   info->dcc_stores = rows[chip->gen].dcc_stores;
   info->stores_spoil_loads = chip->bad_dcc_loads;
   info->cb_dcc_control = rows[chip->gen].cb_dcc_control;
   info->dcc_block = rows[chip->gen].dcc_block;
   info->rates_in_htile = rows[chip->gen].rates_in_htile;
   info->rate_images = rows[chip->gen].rate_images;
   info->cache_actions = rows[chip->gen].cache_actions;
   info->has_ngg = rows[chip->gen].has_ngg;
   info->ngg_only = rows[chip->gen].ngg_only;
   info->ngg_reuse_depth = rows[chip->gen].ngg_reuse_depth;
   info->vertex_groups_hang = rows[chip->gen].vertex_groups_hang;
   info->has_eqaa = rows[chip->gen].has_eqaa;
   info->has_depth_info = rows[chip->gen].has_depth_info;
   info->iterates_256 = rows[chip->gen].iterates_256;
   info->always_iterates_256 = rows[chip->gen].always_iterates_256;
   info->few_planes_4x = rows[chip->gen].few_planes_4x;
   info->plain_d16_4x = rows[chip->gen].plain_d16_4x;
   info->has_scratch_base = rows[chip->gen].has_scratch_base;
   info->counts_pixel_pipes = rows[chip->gen].counts_pixel_pipes;
   info->max_tiles_in_wave[2] = rows[chip->gen].has_tile_limit ? (info->apu ? 15 : 13) : 0;
   info->max_tiles_in_wave[3] = rows[chip->gen].has_tile_limit ? (info->apu ? 7 : 6) : 0;
   info->num_statistics = rows[chip->gen].num_statistics;
   info->simds_per_cu = rows[chip->gen].simds_per_cu;
   info->lds_granularity_B = 512;
   info->scratch_granularity_B = rows[chip->gen].scratch_granularity_B;
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
