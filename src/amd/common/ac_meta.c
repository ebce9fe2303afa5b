#include "amd/common/ac_meta.h"

#include <string.h>

#include "amd/hw/descriptors.h"
#include "amd/hw/registers.h"
#include "util/macros.h"

static bool
by_pattern(struct ac_meta *meta, enum amd_meta_kind kind, enum amd_gen gen, uint32_t gb_addr_config,
           const struct ac_surface *surface)
{
   const struct amd_meta_pattern *pattern =
      amd_meta_find(gen, gb_addr_config, kind, surface->mode, true, surface->element_log2, surface->samples_log2);

   if (!pattern)
      return false;
   meta->width_log2 = pattern->width_log2;
   meta->height_log2 = pattern->height_log2;
   meta->size_log2 = pattern->size_log2;
   meta->alignment_B = 1u << pattern->size_log2;
   return true;
}

/* GFX9, aligned to pipes and render backends: as many entries, dwords or bytes, as all backends have, 1024 each. They
 * double the shorter side of what one stands for. Source: facts of AMD's address library (gfx9addrlib.cpp:
 * HwlComputeHtileInfo, HwlComputeDccInfo). */
static bool
by_rule(struct ac_meta *meta, enum amd_meta_kind kind, uint32_t gb_addr_config, const struct ac_surface *surface)
{
   unsigned rbs_log2 =
      G_GB_ADDR_CONFIG_NUM_SHADER_ENGINES(gb_addr_config) + G_GB_ADDR_CONFIG_NUM_RB_PER_SE(gb_addr_config);
   unsigned pipes_log2 =
      G_GB_ADDR_CONFIG_NUM_PIPES(gb_addr_config) + G_GB_ADDR_CONFIG_NUM_SHADER_ENGINES(gb_addr_config);
   unsigned entries_log2 = rbs_log2 + 10, bits = 8u - surface->element_log2;

   if (!surface->equation || surface->num_levels > 1 || (surface->samples_log2 && kind == AMD_META_DCC) ||
       surface->slab_log2)
      return false;
   meta->width_log2 = meta->height_log2 = 3;
   meta->size_log2 = (uint8_t)(entries_log2 + 2);
   if (kind == AMD_META_DCC) {
      entries_log2 = MIN2(MAX2(entries_log2, 12u), 19u + surface->element_log2);
      meta->width_log2 = (uint8_t)((bits + 1) / 2);
      meta->height_log2 = (uint8_t)(bits / 2);
      meta->size_log2 = (uint8_t)entries_log2;
   }
   for (unsigned i = 0; i < entries_log2; i++)
      *(meta->height_log2 < meta->width_log2 ? &meta->height_log2 : &meta->width_log2) += 1;
   /* Blocks of DCC may lie between each other in what all pipes and backends have 256 bytes of. */
   unsigned turn_log2 = 8 + pipes_log2 + rbs_log2;

   if (surface->mode < V_SW_64KB_Z_T && pipes_log2 > 1) /* modes without exclusive or */
      turn_log2 += pipes_log2 - 1;
   meta->alignment_B = MAX2(1u << turn_log2, MAX2(1u << meta->size_log2, surface->alignment_B));
   return true;
}

bool
ac_meta_init(struct ac_meta *meta, enum amd_meta_kind kind, enum amd_gen gen, uint32_t gb_addr_config,
             const struct ac_surface *surface, uint32_t width_px, uint32_t height_px, unsigned level)
{
   unsigned end = surface->num_levels > 1 ? surface->first_tail_level : 1;

   memset(meta, 0, sizeof(*meta));
   if (level >= end)
      return false;
   if (surface->epitch_el ? !by_rule(meta, kind, gb_addr_config, surface)
                          : !by_pattern(meta, kind, gen, gb_addr_config, surface))
      return false;
   meta->slice_blocks = end < surface->num_levels;
   for (unsigned i = end; i-- > 0;) {
      uint64_t columns = div_round_up(div_round_up(width_px, UINT64_C(1) << i), UINT64_C(1) << meta->width_log2);
      uint64_t rows = div_round_up(div_round_up(height_px, UINT64_C(1) << i), UINT64_C(1) << meta->height_log2);

      if (i == level) {
         meta->first_block = meta->slice_blocks;
         meta->row_blocks = (uint32_t)columns;
         meta->level_blocks = (uint32_t)(columns * rows);
      }
      meta->slice_blocks += (uint32_t)(columns * rows);
   }
   if (surface->epitch_el && kind == AMD_META_DCC)
      meta->slice_blocks = meta->level_blocks =
         (uint32_t)align_up(meta->level_blocks, meta->alignment_B >> meta->size_log2);
   return true;
}

uint64_t
ac_meta_size_B(const struct ac_meta *meta, uint32_t slices)
{
   return (uint64_t)meta->slice_blocks * slices << meta->size_log2;
}
