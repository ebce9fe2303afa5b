#include "amd/sim/surface/meta.h"

#include <string.h>

#include "amd/sim/model.h"
#include "amd/sim/surface/surface_terms.h"
#include "util/macros.h"

/* Address bits of colour above 256 bytes, without those that tell fragments without bytes of DCC. */
static uint32_t
squeeze(uint32_t address, uint32_t dropped)
{
   uint32_t result = 0;
   for (unsigned bit = 8, to = 0; bit < 18; bit++) {
      if (dropped >> bit & 1)
         continue;
      result |= (address >> bit & 1) << to++;
   }
   return result;
}

/* Patterns that are not public: the place in the surface's block, then the blocks along x and y. Assumed. */
static void
fill_own_pattern(struct amd_meta *meta, const struct amd_surface_desc *desc, const struct amd_surface *surface)
{
   uint32_t x[16] = {0}, y[16] = {0}, z[16] = {0}, s[16] = {0}, dropped = 0;
   for (unsigned i = 0; i < desc->samples_log2; i++)
      dropped |= 1u << i >= meta->key_samples ? surface->s[1u << i] : 0;
   unsigned next = surface->block_log2 - 8u - (unsigned)__builtin_popcount(dropped);
   for (unsigned i = 0; i < 14; i++) {
      x[i] = squeeze(i < 7 ? surface->x_low[1u << i] : surface->x_high[1u << (i - 7)], dropped);
      y[i] = squeeze(i < 7 ? surface->y_low[1u << i] : surface->y_high[1u << (i - 7)], dropped);
      if (i >= surface->block_w_log2 && i < meta->width_log2)
         x[i] |= 1u << next++;
      if (i >= surface->block_h_log2 && i < meta->height_log2)
         y[i] |= 1u << next++;
   }
   for (unsigned i = 0; i < 8; i++)
      z[i] = squeeze(surface->z[1u << i], dropped);
   for (unsigned i = 0; 1u << i < meta->key_samples && i < desc->samples_log2; i++)
      s[i] = squeeze(surface->s[1u << i], dropped);
   amd_surface_fill_terms(meta->x_low, meta->x_high, x);
   amd_surface_fill_terms(meta->y_low, meta->y_high, y);
   amd_surface_fill_few_terms(meta->z, 256, z);
   amd_surface_fill_few_terms(meta->s, 16, s);
}

static void
fill_pattern(struct amd_meta *meta, const struct amd_meta_pattern *pattern)
{
   uint32_t x[16] = {0}, y[16] = {0}, z[16] = {0};
   for (unsigned bit = 0; bit < pattern->bit_count; bit++) {
      for (unsigned i = 0; i < 16; i++) {
         x[i] |= (pattern->bits[bit].x >> i & 1u) << bit;
         y[i] |= (pattern->bits[bit].y >> i & 1u) << bit;
         z[i] |= (pattern->bits[bit].z >> i & 1u) << bit;
      }
   }
   amd_surface_fill_terms(meta->x_low, meta->x_high, x);
   amd_surface_fill_terms(meta->y_low, meta->y_high, y);
   amd_surface_fill_few_terms(meta->z, 256, z);
   memset(meta->s, 0, sizeof(meta->s));
}

/* Levels as those of the surface: the tail's block first, then the smallest. */
static void
place_levels(struct amd_meta *meta, const struct amd_surface_desc *desc, const struct amd_surface *surface,
             unsigned level)
{
   unsigned end = desc->levels > 1 ? surface->first_in_tail : 1;
   uint64_t offset_B = end < desc->levels ? UINT64_C(1) << meta->size_log2 : 0;
   meta->blocks_per_row = 1;
   for (unsigned i = end; i-- > 0;) {
      uint64_t w = div_round_up(div_round_up(desc->width_px, UINT64_C(1) << i), UINT64_C(1) << meta->width_log2);
      uint64_t h = div_round_up(div_round_up(desc->height_px, UINT64_C(1) << i), UINT64_C(1) << meta->height_log2);
      if (i == level) {
         meta->level_offset_B = offset_B;
         meta->blocks_per_row = (uint32_t)w;
      }
      offset_B += w * h << meta->size_log2;
   }
   meta->slice_B = offset_B;
}

/* Generations whose patterns the model does not have. Assumed: tiles of 8x8 pixels row by row, levels one after
 * another; DCC in the order of the colour. */
static void
init_packed(struct amd_meta *meta, enum amd_meta_kind kind, const struct amd_surface_desc *desc,
            const struct amd_surface *surface, unsigned level, uint64_t base_256B)
{
   memset(meta, 0, offsetof(struct amd_meta, x_low));
   meta->packed = true;
   meta->base = sim_va(base_256B << 8);
   meta->halves = kind == AMD_META_CMASK;
   meta->size_log2 = kind == AMD_META_HTILE ? 2 : 0;
   meta->width_log2 = meta->height_log2 = 3;
   if (kind == AMD_META_DCC) {
      meta->key_samples = 1u << (desc->gb_addr_config >> 6 & 3);
      meta->color = surface;
      meta->size_B = surface->size_B >> 8;
      return;
   }
   uint64_t tiles = 0;
   for (unsigned i = 0; i < desc->levels; i++) {
      uint64_t w = div_round_up(MAX2(desc->width_px >> i, 1u), 8),
               h = div_round_up(MAX2(desc->height_px >> i, 1u), 8);
      if (i == level) {
         meta->level_offset_B = tiles << meta->size_log2 >> meta->halves;
         meta->blocks_per_row = (uint32_t)w;
      }
      tiles += align_up(w * h, 2);
   }
   meta->slice_B = tiles << meta->size_log2 >> meta->halves;
   meta->size_B = meta->slice_B * MAX2(desc->slices, 1u);
}

bool
amd_meta_init(struct amd_meta *meta, enum amd_meta_kind kind, const struct amd_surface_desc *desc,
              const struct amd_surface *surface, unsigned level, uint64_t base_256B, bool aligned,
              struct sim_fault *fault)
{
   static const char *const names[] = {
      [AMD_META_HTILE] = "HTILE", [AMD_META_CMASK] = "CMASK", [AMD_META_DCC] = "DCC"};
   if (amd_traits[desc->gen].packed_metadata) {
      init_packed(meta, kind, desc, surface, level, base_256B);
      return true;
   }
   const struct amd_meta_pattern *pattern = amd_meta_find(desc->gen, desc->gb_addr_config, kind, desc->mode, aligned,
                                                          desc->element_log2, desc->samples_log2);
   if (!pattern)
      return sim_fault_set(
         fault, SIM_FAULT_STATE, sim_va(base_256B << 8),
         "the model does not have the layout of %s of swizzle mode %u, %u-byte elements, %u samples, "
         "pipe alignment %u",
         names[kind], desc->mode, 1u << desc->element_log2, 1u << desc->samples_log2, aligned);
   memset(meta, 0, offsetof(struct amd_meta, x_low));
   meta->width_log2 = pattern->width_log2;
   meta->height_log2 = pattern->height_log2;
   meta->size_log2 = pattern->size_log2;
   meta->halves = kind == AMD_META_CMASK;
   if (kind == AMD_META_DCC)
      meta->key_samples =
         1u << (pattern->size_log2 + 8u - desc->element_log2 - pattern->width_log2 - pattern->height_log2);
   if (pattern->bit_count)
      fill_pattern(meta, pattern);
   else
      fill_own_pattern(meta, desc, surface);
   place_levels(meta, desc, surface, level);
   if (kind == AMD_META_HTILE)
      amd_surface_depth_tail(surface, desc, level, &meta->tail_x, &meta->tail_y);
   else
      meta->tail_x = surface->tail_x, meta->tail_y = surface->tail_y;
   /* The low bits of the base are those of the surface's swizzle; metadata takes those that pick pipes. */
   uint64_t low = bit_mask(pattern->size_log2 - 8u), pipes = bit_mask(desc->gb_addr_config & 7);
   meta->in_block_xor = (uint32_t)(base_256B & low & pipes) << 8;
   meta->base = sim_va((base_256B & ~low) << 8);
   meta->size_B = meta->slice_B * MAX2(desc->slices, 1u);
   return true;
}

/* Bits that FMASK has for a sample. */
static unsigned
bits_of_fragment(unsigned samples_log2)
{
   return samples_log2 == 3 ? 4 : samples_log2;
}

unsigned
amd_fmask_fragment(uint32_t bits, unsigned samples_log2, unsigned sample)
{
   unsigned width = bits_of_fragment(samples_log2);
   return bits >> (width * sample) & (uint32_t)bit_mask(width);
}

uint32_t
amd_fmask_identity(unsigned samples_log2)
{
   static const uint32_t identity[] = {0, 0x2, 0xe4, 0x76543210};
   return identity[samples_log2];
}
