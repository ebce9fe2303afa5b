#include "amd/common/ac_meta.h"

#include <string.h>

#include "amd/hw/descriptors.h"
#include "util/macros.h"

bool
ac_meta_init(struct ac_meta *meta, enum amd_meta_kind kind, enum amd_gen gen, uint32_t gb_addr_config,
             const struct ac_surface *surface, uint32_t width_px, uint32_t height_px, unsigned level)
{
   const struct amd_meta_pattern *pattern =
      amd_meta_find(gen, gb_addr_config, kind, surface->mode, true, surface->element_log2, surface->samples_log2);
   unsigned end = surface->num_levels > 1 ? surface->first_tail_level : 1;

   memset(meta, 0, sizeof(*meta));
   if (!pattern || level >= end)
      return false;
   meta->pattern = pattern;
   meta->slice_blocks = end < surface->num_levels;
   for (unsigned i = end; i-- > 0;) {
      uint64_t columns = div_round_up(div_round_up(width_px, UINT64_C(1) << i), UINT64_C(1) << pattern->width_log2);
      uint64_t rows = div_round_up(div_round_up(height_px, UINT64_C(1) << i), UINT64_C(1) << pattern->height_log2);

      if (i == level) {
         meta->first_block = meta->slice_blocks;
         meta->row_blocks = (uint32_t)columns;
         meta->level_blocks = (uint32_t)(columns * rows);
      }
      meta->slice_blocks += (uint32_t)(columns * rows);
   }
   return true;
}

uint64_t
ac_meta_size_B(const struct ac_meta *meta, uint32_t slices)
{
   return (uint64_t)meta->slice_blocks * slices << meta->pattern->size_log2;
}
