#include "amd/sim/surface/surface.h"

#include <string.h>

#include "amd/hw/descriptors.h"
#include "amd/hw/swizzle.h"
#include "amd/sim/base/model.h"
#include "amd/sim/surface/surface_chain.h"
#include "amd/sim/surface/surface_terms.h"
#include "amd/sim/surface/surface_tile.h"
#include "util/macros.h"

enum { MAX_EQUATION_BITS = 16 };

/* Levels that a mip tail holds: none in blocks of 256 B; blocks with depth hold fewer. */
static unsigned
max_tail_levels(const struct amd_surface *surface)
{
   unsigned log2 = surface->block_log2;
   if (log2 == 8)
      return 0;
   log2 -= surface->slab_log2 ? (log2 - 8) / 3 : 0;
   return log2 <= 11 ? 1 + (1u << (log2 - 9)) : log2 - 4;
}

static uint32_t
level_size_el(uint32_t size_px, unsigned level, unsigned texel_px)
{
   uint32_t px = MAX2(size_px >> level, 1u);
   return (px + texel_px - 1) / texel_px;
}

/* The room of a level: half of that above, rounded up, counted in elements from level 0 on. */
static uint32_t
level_room_el(uint32_t size_px, unsigned level, unsigned texel_px)
{
   uint32_t el = level_size_el(size_px, 0, texel_px);
   return (el >> level) + ((el & (uint32_t)bit_mask(level)) != 0);
}

/* Smallest level first; level 0 ends the slice. */
static void
init_linear(struct amd_surface *surface, const struct amd_surface_desc *desc, unsigned level)
{
   uint64_t offset_B = 0;
   for (unsigned i = desc->levels; i-- > 0;) {
      uint32_t w = level_room_el(desc->width_px, i, desc->texel_px),
               h = level_room_el(desc->height_px, i, desc->texel_px);
      /* The pitch is a multiple of 256 bytes (of elements, for 12-byte ones). */
      uint32_t align_el = desc->element_B == 12 ? 64 : MAX2(256u / desc->element_B, 1u);
      uint32_t pitch_el = (uint32_t)align_up(w, align_el);
      if (i == 0 && desc->pitch_el)
         pitch_el = desc->pitch_el;
      if (i == level) {
         surface->level_offset_B = offset_B;
         surface->pitch_el = pitch_el;
      }
      offset_B += (uint64_t)pitch_el * h * desc->element_B;
   }
   surface->linear = true;
   memset(surface->s, 0, sizeof(surface->s));
   surface->slice_B = align_up(offset_B, 256);
}

void
amd_surface_fill_few_terms(uint32_t *terms, unsigned count, const uint32_t *per_bit)
{
   terms[0] = 0;
   for (unsigned v = 1; v < count; v++)
      terms[v] = terms[v & (v - 1)] ^ per_bit[__builtin_ctz(v)];
}

void
amd_surface_fill_terms(uint32_t low[128], uint32_t high[128], const uint32_t per_bit[16])
{
   amd_surface_fill_few_terms(low, 128, per_bit);
   amd_surface_fill_few_terms(high, 128, per_bit + 7);
}

static void
fill_equation(struct amd_surface *surface, const struct amd_swizzle_equation *equation)
{
   uint32_t x[16] = {0}, y[16] = {0}, z[16] = {0}, s[16] = {0};
   for (unsigned bit = 0; bit < equation->block_log2; bit++) {
      for (unsigned i = 0; i < MAX_EQUATION_BITS; i++) {
         x[i] |= (equation->bits[bit].x >> i & 1u) << bit;
         y[i] |= (equation->bits[bit].y >> i & 1u) << bit;
         z[i] |= (equation->bits[bit].z >> i & 1u) << bit;
         s[i] |= (equation->bits[bit].s >> i & 1u) << bit;
      }
   }
   amd_surface_fill_terms(surface->x_low, surface->x_high, x);
   amd_surface_fill_terms(surface->y_low, surface->y_high, y);
   amd_surface_fill_few_terms(surface->z, 256, z);
   amd_surface_fill_few_terms(surface->s, 16, s);
}

/* Position of a slot of the mip tail, as coordinates to add. */
static void
tail_position(const struct amd_surface *surface, unsigned element_log2, unsigned slot, uint32_t *tail_x,
              uint32_t *tail_y)
{
   /* Of the part of 256 B that starts the slot, by bytes of an element. */
   static const struct {
      uint8_t w, h;
   } thin[5] = {{4, 4}, {4, 3}, {3, 3}, {3, 2}, {2, 2}}, thick[5] = {{3, 2}, {2, 2}, {2, 2}, {2, 1}, {1, 1}};
   unsigned m = max_tail_levels(surface) - 1 - slot;
   uint32_t offset_B = m > 6 ? 16u << m : m * 256;
   uint32_t x = 0, y = 0;
   for (unsigned i = 0; i < 5; i++) {
      x |= (offset_B >> (9 + 2 * i) & 1) << i;
      y |= (offset_B >> (8 + 2 * i) & 1) << i;
   }
   *tail_x = x << (surface->slab_log2 ? thick : thin)[element_log2].w;
   *tail_y = y << (surface->slab_log2 ? thick : thin)[element_log2].h;
}

void
amd_surface_depth_tail(const struct amd_surface *surface, const struct amd_surface_desc *desc, unsigned level,
                       uint32_t *x, uint32_t *y)
{
   *x = *y = 0;
   if (desc->levels > 1 && level >= surface->first_in_tail)
      tail_position(surface, 2, level - surface->first_in_tail, x, y);
}

void
amd_surface_tail_size(const struct amd_surface *surface, uint32_t *w, uint32_t *h, uint32_t *d)
{
   unsigned half = surface->slab_log2 ? surface->block_log2 % 3 : 1;
   *w = 1u << surface->block_w_log2 >> (half == 1);
   *h = 1u << surface->block_h_log2 >> (half == 0);
   if (d)
      *d = 1u << surface->slab_log2 >> (half == 2);
}

static void
init_block(struct amd_surface *surface, const struct amd_surface_desc *desc,
           const struct amd_swizzle_equation *equation)
{
   unsigned n = equation->block_log2 - desc->element_log2 - desc->samples_log2;
   unsigned wide = desc->samples_log2 % 2 == 0;
   surface->block_log2 = equation->block_log2;
   surface->block_w_log2 = (n + wide) / 2;
   surface->block_h_log2 = n - surface->block_w_log2;
   if (equation->thick_log2[2]) {
      surface->block_w_log2 = equation->thick_log2[0];
      surface->block_h_log2 = equation->thick_log2[1];
      surface->slab_log2 = equation->thick_log2[2];
   }
   fill_equation(surface, equation);
}

static void
init_tiled(struct amd_surface *surface, const struct amd_surface_desc *desc, unsigned level)
{
   uint32_t block_w = 1u << surface->block_w_log2, block_h = 1u << surface->block_h_log2, tail_w, tail_h;
   amd_surface_tail_size(surface, &tail_w, &tail_h, NULL);
   if (amd_swizzle_tail_of_32_bits(desc->gen, desc->mode, desc->element_log2)) {
      tail_w /= 2;
      tail_h >>= desc->element_log2 == 0;
   }
   unsigned first_in_tail = desc->levels;
   for (unsigned i = 0; desc->levels > 1 && i < desc->levels; i++) {
      if (level_room_el(desc->width_px, i, desc->texel_px) <= tail_w &&
          level_room_el(desc->height_px, i, desc->texel_px) <= tail_h &&
          desc->levels - i <= max_tail_levels(surface)) {
         first_in_tail = i;
         break;
      }
   }
   surface->first_in_tail = (uint8_t)first_in_tail;
   uint64_t offset_B = first_in_tail < desc->levels ? 1u << surface->block_log2 : 0;
   surface->blocks_per_row = 1;
   for (unsigned i = first_in_tail; i-- > 0;) {
      uint64_t blocks_w = div_round_up(level_room_el(desc->width_px, i, desc->texel_px), block_w);
      uint64_t blocks_h = div_round_up(level_room_el(desc->height_px, i, desc->texel_px), block_h);
      if (i == level) {
         surface->level_offset_B = offset_B;
         surface->blocks_per_row = (uint32_t)blocks_w;
      }
      offset_B += blocks_w * blocks_h << surface->block_log2;
   }
   if (level >= first_in_tail)
      tail_position(surface, desc->element_log2, level - first_in_tail, &surface->tail_x, &surface->tail_y);
   surface->slice_B = offset_B;
}

static bool
has_bank_swizzle(unsigned mode)
{
   return mode >= V_SW_64KB_Z_T;
}

bool
amd_surface_init(struct amd_surface *surface, const struct amd_surface_desc *desc, unsigned level,
                 struct sim_fault *fault)
{
   memset(surface, 0, offsetof(struct amd_surface, x_low));
   surface->element_B = desc->element_B;
   surface->width_el = level_size_el(desc->width_px, level, desc->texel_px);
   surface->height_el = level_size_el(desc->height_px, level, desc->texel_px);
   uint64_t base_256B = desc->base_256B;
   if (level >= desc->levels)
      return sim_fault_set(fault, SIM_FAULT_STATE, sim_va(base_256B << 8), "level %u of a surface with %u levels",
                           level, desc->levels);
   if (desc->mode == V_SW_LINEAR) {
      if (desc->samples_log2)
         return sim_fault_set(fault, SIM_FAULT_STATE, sim_va(base_256B << 8), "linear surface with samples");
      if (amd_traits[desc->gen].mip_chain)
         amd_surface_chain_linear(surface, desc, level);
      else
         init_linear(surface, desc, level);
   } else {
      const struct amd_swizzle_equation *equation = NULL;
      if (desc->element_B != 12)
         equation = desc->is_3d ? amd_swizzle_find_3d(desc->gen, desc->gb_addr_config, desc->mode, desc->element_log2)
                                : amd_swizzle_find(desc->gen, desc->gb_addr_config, desc->mode, desc->element_log2,
                                                   desc->samples_log2);
      if (!equation)
         return sim_fault_set(fault, SIM_FAULT_STATE, sim_va(base_256B << 8),
                              "the model does not have the layout of swizzle mode %u, %u-byte elements, %u samples",
                              desc->mode, desc->element_B, 1u << desc->samples_log2);
      init_block(surface, desc, equation);
      if (amd_traits[desc->gen].mip_chain)
         amd_surface_chain_tiled(surface, desc, level);
      else
         init_tiled(surface, desc, level);
      /* The base holds the swizzle of this surface where the block has address bits above 256 B. */
      uint64_t low = bit_mask(equation->block_log2 - 8);
      if (has_bank_swizzle(desc->mode))
         surface->in_block_xor ^= (uint32_t)(base_256B & low) << 8;
      base_256B &= ~low;
   }
   amd_surface_learn_tiles(surface, 1u << desc->samples_log2);
   surface->base = sim_va(base_256B << 8);
   surface->size_B = surface->slice_B * div_round_up(MAX2(desc->slices, 1u), UINT64_C(1) << surface->slab_log2);
   return true;
}

uint8_t *
amd_surface_map(const struct amd_surface *surface, const struct sim_vm *vm, unsigned access, uint64_t *run_B,
                struct sim_fault *fault)
{
   uint8_t *host = sim_vm_lookup(vm, surface->base, access, run_B, NULL);
   if (!host)
      sim_fault_set(fault, SIM_FAULT_ADDRESS, surface->base, "surface at unmapped address 0x%012lx",
                    (long)surface->base.va);
   return host;
}
