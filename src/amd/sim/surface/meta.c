#include "amd/sim/surface/meta.h"

#include <string.h>

#include "amd/hw/registers.h"
#include "amd/sim/base/model.h"
#include "amd/sim/surface/meta_rule.h"
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
   uint64_t first = end < desc->levels ? 1 : 0;
   meta->blocks_per_row = 1;
   for (unsigned i = end; i-- > 0;) {
      uint64_t w = div_round_up(div_round_up(desc->width_px, UINT64_C(1) << i), UINT64_C(1) << meta->width_log2);
      uint64_t h = div_round_up(div_round_up(desc->height_px, UINT64_C(1) << i), UINT64_C(1) << meta->height_log2);
      if (i == level) {
         meta->level_block = first;
         meta->blocks_per_row = w;
      }
      first += w * h;
   }
   meta->blocks_per_slice = first;
   meta->size_B = (first << meta->size_log2) * MAX2(desc->slices, 1u);
}

/* From the table; NULL after a fault. */
static const struct amd_meta_pattern *
init_pattern(struct amd_meta *meta, const struct amd_meta_desc *from, struct sim_fault *fault)
{
   const struct amd_surface_desc *desc = from->desc;
   const struct amd_surface *surface = from->surface;
   const enum amd_meta_kind kind = from->kind;
   static const char *const names[] = {
      [AMD_META_HTILE] = "HTILE", [AMD_META_CMASK] = "CMASK", [AMD_META_DCC] = "DCC"};
   const struct amd_meta_pattern *pattern = amd_meta_find(desc->gen, desc->gb_addr_config, kind, desc->mode,
                                                          from->align.pipe, desc->element_log2, desc->samples_log2);
   if (!pattern) {
      sim_fault_set(fault, SIM_FAULT_STATE, surface->base,
                    "the model does not have the layout of %s of swizzle mode %u, %u-byte elements, %u samples, "
                    "pipe alignment %u",
                    names[kind], desc->mode, 1u << desc->element_log2, 1u << desc->samples_log2, from->align.pipe);
      return NULL;
   }
   meta->width_log2 = pattern->width_log2;
   meta->height_log2 = pattern->height_log2;
   meta->size_log2 = pattern->size_log2;
   meta->halves = kind == AMD_META_CMASK;
   meta->pipes = (uint32_t)bit_mask(G_GB_ADDR_CONFIG_NUM_PIPES(desc->gb_addr_config));
   if (kind == AMD_META_DCC)
      meta->key_samples =
         1u << (pattern->size_log2 + 8u - desc->element_log2 - pattern->width_log2 - pattern->height_log2);
   if (pattern->bit_count)
      fill_pattern(meta, pattern);
   else
      fill_own_pattern(meta, desc, surface);
   place_levels(meta, desc, surface, from->level);
   if (kind == AMD_META_HTILE)
      amd_surface_depth_tail(surface, desc, from->level, &meta->start_x, &meta->start_y);
   else
      meta->start_x = surface->tail_x, meta->start_y = surface->tail_y;
   return pattern;
}

bool
amd_meta_has_level(const struct amd_surface_desc *desc, const struct amd_surface *surface, unsigned level)
{
   return desc->levels <= 1 || !amd_traits[desc->gen].tail_meta_is_first || level <= surface->first_in_tail;
}

bool
amd_meta_init(struct amd_meta *meta, const struct amd_meta_desc *from, struct sim_fault *fault)
{
   memset(meta, 0, offsetof(struct amd_meta, x_low));
   /* The low bits of the base are those of the surface's swizzle; metadata takes those that pick pipes. */
   uint64_t low;
   if (amd_traits[from->desc->gen].meta_by_rule) {
      amd_meta_rule_init(meta, from->kind, from->desc, from->level, from->align);
      low = bit_mask(amd_meta_data_block_log2(from->desc->mode) - 8);
   } else {
      const struct amd_meta_pattern *pattern = init_pattern(meta, from, fault);
      if (!pattern)
         return false;
      low = bit_mask(pattern->size_log2 - 8u);
   }
   meta->in_block_xor = (uint32_t)(from->base_256B & low & meta->pipes) << 8;
   meta->base = sim_va((from->base_256B & ~low) << 8);
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
