#include "amd/common/ac_surface.h"

#include <string.h>

#include "amd/common/ac_surface_beside.h"
#include "amd/hw/descriptors.h"
#include "amd/hw/swizzle.h"
#include "util/macros.h"

#define BLOCK_LOG2 16
#define TAIL_SLOTS 12

/* One row a generation. The mode of multisampled colour on GFX9: observed, what RADV takes there. */
static const struct {
   bool levels_beside;
   uint8_t color_mode;
} rows[AMD_GEN_COUNT] = {
   [AMD_GFX9] = {.levels_beside = true, .color_mode = V_SW_64KB_D_X},
   [AMD_GFX10] = {.color_mode = V_SW_64KB_R_X},
   [AMD_GFX10_3] = {.color_mode = V_SW_64KB_R_X},
   [AMD_GFX11] = {.color_mode = V_SW_64KB_R_X},
   [AMD_GFX11_5] = {.color_mode = V_SW_64KB_R_X},
};

static void
level_size(struct ac_surface_level *out, const struct ac_surface_desc *desc, unsigned level)
{
   out->width_el = (uint32_t)div_round_up(MAX2(desc->width_px >> level, 1u), desc->block_width_px);
   out->height_el = (uint32_t)div_round_up(MAX2(desc->height_px >> level, 1u), desc->block_height_px);
}

/* Room for a level: half of that above, rounded up, in elements. More than the texels need: those halve downwards. */
static uint32_t
level_room_el(uint32_t size_px, uint32_t block_px, unsigned level)
{
   return (uint32_t)div_round_up(div_round_up(size_px, block_px), UINT64_C(1) << level);
}

static void
init_linear(struct ac_surface *surface, const struct ac_surface_desc *desc)
{
   uint32_t pitch_alignment_el = 256u >> surface->element_log2;
   uint64_t offset_B = 0;

   surface->mode = V_SW_LINEAR;
   surface->alignment_B = 256;
   surface->first_tail_level = surface->num_levels;
   if (rows[desc->gen].levels_beside) {
      ac_surface_beside_linear(surface);
      return;
   }
   for (unsigned i = surface->num_levels; i-- > 0;) {
      struct ac_surface_level *level = &surface->levels[i];

      level->pitch_el =
         (uint32_t)align_up(level_room_el(desc->width_px, desc->block_width_px, i), pitch_alignment_el);
      level->rows_el = level_room_el(desc->height_px, desc->block_height_px, i);
      level->offset_B = offset_B;
      offset_B += (uint64_t)level->pitch_el * level->rows_el << surface->element_log2;
   }
   surface->slice_B = offset_B;
}

/* Where level number i of a tail lies in its block, as an offset added to its coordinates. The slots halve from half
 * a block down to 2 KiB, then go down in steps of 256 B; address bits 8, 10 .. count down, 9, 11 .. to the right, in
 * units of a 256-byte block. */
static void
place_in_tail(struct ac_surface *surface, struct ac_surface_level *level, unsigned i)
{
   unsigned slot = TAIL_SLOTS - 1 - i;
   uint32_t offset_B = slot > 6 ? 16u << slot : slot * 256;
   unsigned n = 8 - surface->element_log2, width_log2 = (n + 1) / 2, height_log2 = n - width_log2;
   unsigned x = 0, y = 0;

   for (unsigned bit = 0; bit < 4; bit++) {
      x |= (offset_B >> (9 + 2 * bit) & 1) << bit;
      y |= (offset_B >> (8 + 2 * bit) & 1) << bit;
   }
   level->tail_x_el = (uint16_t)(x << width_log2);
   level->tail_y_el = (uint16_t)(y << height_log2);
   level->pitch_el = 1u << surface->block_width_log2;
   level->rows_el = 1u << surface->block_height_log2;
}

static bool
init_tiled(struct ac_surface *surface, const struct ac_surface_desc *desc)
{
   unsigned n = BLOCK_LOG2 - surface->element_log2 - surface->samples_log2;
   uint32_t block_width, block_height;
   uint64_t offset_B;

   surface->mode = desc->depth_stencil ? V_SW_64KB_Z_X : rows[desc->gen].color_mode;
   surface->alignment_B = 1u << BLOCK_LOG2;
   surface->equation =
      amd_swizzle_find(desc->gen, desc->gb_addr_config, surface->mode, surface->element_log2, surface->samples_log2);
   if (!surface->equation)
      return false;
   surface->block_width_log2 = (uint8_t)((n + (surface->samples_log2 % 2 == 0)) / 2);
   surface->block_height_log2 = (uint8_t)(n - surface->block_width_log2);
   if (rows[desc->gen].levels_beside) {
      ac_surface_beside_tiled(surface);
      return true;
   }
   block_width = 1u << surface->block_width_log2;
   block_height = 1u << surface->block_height_log2;

   uint32_t tail_width = block_width / 2, tail_height = block_height;
   if (amd_swizzle_tail_of_32_bits(desc->gen, surface->mode, surface->element_log2)) {
      tail_width /= 2;
      tail_height /= surface->element_log2 ? 1 : 2;
   }
   surface->first_tail_level = surface->num_levels;
   for (unsigned i = 0; i < surface->num_levels; i++) {
      struct ac_surface_level *level = &surface->levels[i];

      level->pitch_el = level_room_el(desc->width_px, desc->block_width_px, i);
      level->rows_el = level_room_el(desc->height_px, desc->block_height_px, i);
      if (surface->num_levels > 1 && surface->first_tail_level == surface->num_levels &&
          level->pitch_el <= tail_width && level->rows_el <= tail_height && surface->num_levels - i <= TAIL_SLOTS)
         surface->first_tail_level = (uint8_t)i;
   }
   offset_B = surface->first_tail_level < surface->num_levels ? 1u << BLOCK_LOG2 : 0;
   for (unsigned i = surface->num_levels; i-- > 0;) {
      struct ac_surface_level *level = &surface->levels[i];

      if (i >= surface->first_tail_level) {
         place_in_tail(surface, level, i - surface->first_tail_level);
         continue;
      }
      level->pitch_el = (uint32_t)align_up(level->pitch_el, block_width);
      level->rows_el = (uint32_t)align_up(level->rows_el, block_height);
      level->offset_B = offset_B;
      offset_B += (uint64_t)level->pitch_el * level->rows_el << (surface->element_log2 + surface->samples_log2);
   }
   surface->slice_B = offset_B;
   return true;
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
   if (desc->tiled && rows[desc->gen].levels_beside)
      return false;
   if (desc->depth_stencil || desc->samples > 1 || desc->tiled) {
      if (!init_tiled(surface, desc))
         return false;
   } else {
      init_linear(surface, desc);
   }
   surface->size_B = surface->slice_B * desc->slices;
   return true;
}

static uint32_t
offset_in_block_B(const struct amd_swizzle_equation *equation, uint32_t x, uint32_t y, uint32_t z, uint32_t s)
{
   uint32_t offset_B = 0;

   for (unsigned i = 0; i < BLOCK_LOG2; i++) {
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
   uint64_t base_B = slice * surface->slice_B + level->offset_B;

   if (!surface->equation)
      return base_B + (((uint64_t)y_el * level->pitch_el + x_el) << surface->element_log2);

   uint32_t x = x_el + level->tail_x_el, y = y_el + level->tail_y_el;
   uint64_t block = (uint64_t)(y >> surface->block_height_log2) * (level->pitch_el >> surface->block_width_log2) +
                    (x >> surface->block_width_log2);
   return base_B + (block << BLOCK_LOG2) +
          (offset_in_block_B(surface->equation, x, y, slice, sample) ^ level->tail_xor_B);
}
