#include "amd/common/ac_surface.h"

#include <string.h>

#include "amd/common/ac_surface_mip_chain.h"
#include "amd/common/ac_surface_mode.h"
#include "amd/hw/descriptors.h"
#include "amd/hw/swizzle.h"
#include "util/macros.h"

/* One row a generation. The mode of multisampled colour on GFX9: observed, what RADV takes there. */
static const struct {
   bool mip_chain;
   uint8_t msaa_mode;
} rows[AMD_GEN_COUNT] = {
   [AMD_GFX9] = {.mip_chain = true, .msaa_mode = V_SW_64KB_D_X},
   [AMD_GFX10] = {.msaa_mode = V_SW_64KB_R_X},
   [AMD_GFX10_3] = {.msaa_mode = V_SW_64KB_R_X},
   [AMD_GFX11] = {.msaa_mode = V_SW_64KB_R_X},
   [AMD_GFX11_5] = {.msaa_mode = V_SW_64KB_R_X},
};

static void
level_size(struct ac_surface_level *out, const struct ac_surface_desc *desc, unsigned level)
{
   out->width_el = (uint32_t)div_round_up(MAX2(desc->width_px >> level, 1u), desc->block_width_px);
   out->height_el = (uint32_t)div_round_up(MAX2(desc->height_px >> level, 1u), desc->block_height_px);
}

uint32_t
ac_surface_room_el(uint32_t level_0_el, unsigned level)
{
   return (uint32_t)div_round_up(level_0_el, UINT64_C(1) << level);
}

static void
init_linear(struct ac_surface *surface, const struct ac_surface_desc *desc)
{
   uint32_t pitch_alignment_el = 256u >> surface->element_log2;
   uint64_t offset_B = 0;

   surface->mode = V_SW_LINEAR;
   surface->alignment_B = 256;
   surface->first_tail_level = surface->num_levels;
   if (rows[desc->gen].mip_chain) {
      ac_surface_mip_chain_linear(surface);
      return;
   }
   for (unsigned i = surface->num_levels; i-- > 0;) {
      struct ac_surface_level *level = &surface->levels[i];

      level->pitch_el = (uint32_t)align_up(ac_surface_room_el(surface->levels[0].width_el, i), pitch_alignment_el);
      level->rows_el = ac_surface_room_el(surface->levels[0].height_el, i);
      level->offset_B = offset_B;
      offset_B += (uint64_t)level->pitch_el * level->rows_el << surface->element_log2;
   }
   surface->slice_B = offset_B;
}

/* Levels that a tail holds at most: down to half of the block for the first, then from 2 KiB on in steps of 256 B. */
static unsigned
tail_slots(const struct ac_surface *surface)
{
   unsigned log2 = surface->equation->block_log2;

   if (surface->slab_log2)
      log2 -= (log2 - 8) / 3;
   return log2 <= 11 ? 1 + (1u << (log2 - 9)) : log2 - 4;
}

/* The axis along which half of a block is the tail: 0 width, 1 height, 2 depth. */
static unsigned
halved_axis(const struct ac_surface *surface)
{
   static const uint8_t of_thick[] = {1, 0, 2};

   return surface->slab_log2 ? of_thick[surface->equation->block_log2 % 3] : 0;
}

void
ac_surface_tail_size(const struct ac_surface *surface, uint32_t size_el[3])
{
   const struct amd_swizzle_equation *equation = surface->equation;
   unsigned axis = halved_axis(surface);

   size_el[0] = 1u << surface->block_width_log2 >> (axis == 0);
   size_el[1] = 1u << surface->block_height_log2 >> (axis == 1);
   size_el[2] = 1u << surface->slab_log2 >> (axis == 2);
   if (amd_swizzle_tail_of_32_bits(equation->gen, surface->mode, surface->element_log2)) {
      size_el[0] /= 2;
      size_el[1] /= surface->element_log2 ? 1 : 2;
   }
}

/* Where level number i of a tail lies in its block, as an offset added to its coordinates. The slots halve from half
 * a block down to 2 KiB, then go down in steps of 256 B; address bits 8, 10 .. count down, 9, 11 .. to the right, in
 * units of a 256-byte block, which in thick modes is about a cube. */
static void
place_in_tail(struct ac_surface *surface, struct ac_surface_level *level, unsigned i)
{
   unsigned slot = tail_slots(surface) - 1 - i;
   uint32_t offset_B = slot > 6 ? 16u << slot : slot * 256;
   unsigned n = 8 - surface->element_log2;
   unsigned plane = surface->slab_log2 ? n - (n + 2) / 3 : n, width_log2 = (plane + 1) / 2;
   unsigned x = 0, y = 0;

   for (unsigned bit = 0; bit < 4; bit++) {
      x |= (offset_B >> (9 + 2 * bit) & 1) << bit;
      y |= (offset_B >> (8 + 2 * bit) & 1) << bit;
   }
   level->tail_x_el = (uint16_t)(x << width_log2);
   level->tail_y_el = (uint16_t)(y << (plane - width_log2));
   level->pitch_el = 1u << surface->block_width_log2;
   level->rows_el = 1u << surface->block_height_log2;
}

static void
place_levels(struct ac_surface *surface)
{
   uint32_t tail_el[3];
   uint64_t offset_B;

   ac_surface_tail_size(surface, tail_el);
   surface->first_tail_level = surface->num_levels;
   for (unsigned i = 0; i < surface->num_levels; i++) {
      struct ac_surface_level *level = &surface->levels[i];

      level->pitch_el = ac_surface_room_el(surface->levels[0].width_el, i);
      level->rows_el = ac_surface_room_el(surface->levels[0].height_el, i);
      if (surface->num_levels > 1 && surface->first_tail_level == surface->num_levels &&
          level->pitch_el <= tail_el[0] && level->rows_el <= tail_el[1] &&
          surface->num_levels - i <= tail_slots(surface))
         surface->first_tail_level = (uint8_t)i;
   }
   offset_B = surface->first_tail_level < surface->num_levels ? surface->alignment_B : 0;
   for (unsigned i = surface->num_levels; i-- > 0;) {
      struct ac_surface_level *level = &surface->levels[i];

      if (i >= surface->first_tail_level) {
         place_in_tail(surface, level, i - surface->first_tail_level);
         continue;
      }
      level->pitch_el = (uint32_t)align_up(level->pitch_el, 1u << surface->block_width_log2);
      level->rows_el = (uint32_t)align_up(level->rows_el, 1u << surface->block_height_log2);
      level->offset_B = offset_B;
      offset_B += ((uint64_t)level->pitch_el * level->rows_el << (surface->element_log2 + surface->samples_log2))
                  << surface->slab_log2;
   }
   surface->slice_B = offset_B;
}

static bool
init_tiled(struct ac_surface *surface, const struct ac_surface_desc *desc, uint8_t mode)
{
   const struct amd_swizzle_equation *equation =
      desc->is_3d
         ? amd_swizzle_find_3d(desc->gen, desc->gb_addr_config, mode, surface->element_log2)
         : amd_swizzle_find(desc->gen, desc->gb_addr_config, mode, surface->element_log2, surface->samples_log2);

   if (!equation)
      return false;
   unsigned n = equation->block_log2 - surface->element_log2 - surface->samples_log2;

   surface->mode = mode;
   surface->equation = equation;
   surface->alignment_B = 1u << equation->block_log2;
   surface->slab_log2 = equation->thick_log2[2];
   surface->block_width_log2 = (uint8_t)((n + (surface->samples_log2 % 2 == 0)) / 2);
   surface->block_height_log2 = (uint8_t)(n - surface->block_width_log2);
   if (surface->slab_log2) {
      surface->block_width_log2 = equation->thick_log2[0];
      surface->block_height_log2 = equation->thick_log2[1];
   }
   if (rows[desc->gen].mip_chain)
      ac_surface_mip_chain_tiled(surface);
   else
      place_levels(surface);
   return true;
}

static uint8_t
choose_mode(const struct ac_surface_desc *desc)
{
   if (desc->depth_stencil)
      return desc->tiling == AC_TILING_MODE ? desc->mode : ac_surface_mode(desc);
   if (desc->samples > 1)
      return rows[desc->gen].msaa_mode;
   switch (desc->tiling) {
   case AC_TILING_NONE:
      return V_SW_LINEAR;
   case AC_TILING_BEST:
      return ac_surface_mode(desc);
   case AC_TILING_MODE:
      return desc->mode;
   }
   return V_SW_LINEAR;
}

bool
ac_surface_init(struct ac_surface *surface, const struct ac_surface_desc *desc)
{
   memset(surface, 0, sizeof(*surface));
   if (!is_power_of_two(desc->element_B) || desc->element_B > 16 || !is_power_of_two(desc->samples) ||
       desc->samples > 8)
      return false;
   if (!desc->levels || desc->levels > AC_SURFACE_MAX_LEVELS || (desc->samples > 1 && desc->levels > 1))
      return false;
   surface->element_log2 = (uint8_t)log2_floor(desc->element_B);
   surface->samples_log2 = (uint8_t)log2_floor(desc->samples);
   surface->num_levels = (uint8_t)desc->levels;
   surface->slices = desc->slices;
   for (unsigned i = 0; i < surface->num_levels; i++)
      level_size(&surface->levels[i], desc, i);
   uint8_t mode = choose_mode(desc);
   if (mode == V_SW_LINEAR)
      init_linear(surface, desc);
   else if (!init_tiled(surface, desc, mode))
      return false;
   surface->size_B = surface->slice_B * div_round_up(desc->slices, UINT64_C(1) << surface->slab_log2);
   return true;
}

static uint32_t
offset_in_block_B(const struct amd_swizzle_equation *equation, uint32_t x, uint32_t y, uint32_t z, uint32_t s)
{
   uint32_t offset_B = 0;

   for (unsigned i = 0; i < equation->block_log2; i++) {
      uint32_t terms = (x & equation->bits[i].x) ^ ((y & equation->bits[i].y) << 16);
      uint32_t more = (z & equation->bits[i].z) ^ ((s & equation->bits[i].s) << 16);

      offset_B |= (uint32_t)(__builtin_parity(terms) ^ __builtin_parity(more)) << i;
   }
   return offset_B;
}

uint64_t
ac_surface_offset_B(const struct ac_surface *surface, unsigned level_index, uint32_t x_el, uint32_t y_el,
                    uint32_t slice, uint32_t sample)
{
   const struct ac_surface_level *level = &surface->levels[level_index];
   uint64_t base_B = (slice >> surface->slab_log2) * surface->slice_B + level->offset_B;

   if (!surface->equation)
      return base_B + (((uint64_t)y_el * level->pitch_el + x_el) << surface->element_log2);

   uint32_t x = x_el + level->tail_x_el, y = y_el + level->tail_y_el;
   uint64_t block = (uint64_t)(y >> surface->block_height_log2) * (level->pitch_el >> surface->block_width_log2) +
                    (x >> surface->block_width_log2);
   return base_B + (block << surface->equation->block_log2) +
          (offset_in_block_B(surface->equation, x, y, slice, sample) ^ level->tail_xor_B);
}
