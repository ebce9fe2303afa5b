#include "amd/sim/surface/surface_chain.h"

#include <string.h>

#include "util/macros.h"

/* Blocks along x, y and z. */
enum axis { X, Y, Z };

struct plane {
   uint32_t size[3]; /* of level 0 */
   enum axis along;  /* where level 1 is not: the longest side */
};

static uint32_t
half(uint32_t n)
{
   return n / 2 + n % 2;
}

/* Level 1 lies below level 0 unless that is higher than wide; only blocks with depth go the third way. */
static enum axis
longest(const uint32_t size[3], bool thick)
{
   enum axis axis = size[X] < size[Y] ? Y : X;
   return thick && size[axis] < size[Z] ? Z : axis;
}

/* Whether level i + 1 is in the tail if level i has this size. */
static bool
ends(const struct amd_surface *surface, const uint32_t size[3])
{
   if (!surface->slab_log2)
      return size[X] == 1 && size[Y] <= 2;
   unsigned halved = surface->block_log2 % 3;
   static const uint8_t most[3][3] = {{2, 1, 2}, {1, 2, 2}, {2, 2, 1}};
   return size[X] <= most[halved][X] && size[Y] <= most[halved][Y] && size[Z] <= most[halved][Z];
}

/* Block of a level, or where the tail is: then the slot in it, else -1. */
static int
find_level(const struct amd_surface *surface, const struct plane *plane, unsigned level, uint32_t at[3])
{
   uint32_t size[3];
   memcpy(size, plane->size, sizeof(size));
   for (unsigned i = 1; i <= level; i++) {
      /* Levels 1 and 3 come after the level before on one axis, all others on another. */
      enum axis axis = plane->along == Y ? X : Y;
      if (i != 1 && i != 3)
         axis = plane->along;
      at[axis] += size[axis];
      if (ends(surface, size))
         return (int)(level - i);
      for (unsigned k = 0; k < 3; k++)
         size[k] = half(size[k]);
   }
   return -1;
}

/* Where a slot of the tail starts. */
static uint32_t
tail_offset_B(unsigned block_log2, unsigned slot)
{
   static const uint16_t starts_256B[] = {128, 64, 32, 16, 8, 6, 5, 4, 3, 2, 1, 0};
   unsigned i = slot + 16 - block_log2;
   return starts_256B[MIN2(i, ARRAY_SIZE(starts_256B) - 1)] * 256u;
}

void
amd_surface_chain_tiled(struct amd_surface *surface, const struct amd_surface_desc *desc, unsigned level)
{
   uint32_t w = (uint32_t)div_round_up(desc->width_px, desc->texel_px),
            h = (uint32_t)div_round_up(desc->height_px, desc->texel_px), tail_w, tail_h, tail_d;
   uint32_t depth = desc->is_3d ? MAX2(desc->slices, 1u) : 1;
   bool thick = surface->slab_log2;
   struct plane plane = {{(uint32_t)div_round_up(w, 1u << surface->block_w_log2),
                          (uint32_t)div_round_up(h, 1u << surface->block_h_log2),
                          (uint32_t)div_round_up(depth, 1u << surface->slab_log2)},
                         X};
   plane.along = longest(plane.size, thick);
   uint32_t all_w = plane.size[X], all_h = plane.size[Y], at[3] = {0};
   amd_surface_tail_size(surface, &tail_w, &tail_h, &tail_d);
   int slot = -1;
   if (desc->levels > 1 && w <= tail_w && h <= tail_h && (!thick || depth <= tail_d)) {
      slot = (int)level;
   } else if (desc->levels > 1) {
      slot = find_level(surface, &plane, level, at);
      /* Room for level 1 and what is next to it: two blocks if there are levels from the third on. */
      uint32_t unused[3] = {0}, *across = plane.along == Y ? &all_w : &all_h;
      uint32_t more = half(*across);
      bool third = desc->levels > 3 && find_level(surface, &plane, 2, unused) < 0;
      *across += more == 1 && third ? 2 : more;
   }
   if (desc->pitch_el && (desc->levels == 1 || plane.along == Y))
      all_w = MAX2(desc->pitch_el >> surface->block_w_log2, 1u);
   else if (desc->pitch_el)
      all_h = MAX2(desc->pitch_el >> surface->block_h_log2, 1u);
   surface->blocks_per_row = all_w;
   surface->slice_B = (uint64_t)all_w * all_h << surface->block_log2;
   surface->level_offset_B = at[Z] * surface->slice_B + (((uint64_t)at[Y] * all_w + at[X]) << surface->block_log2);
   if (slot >= 0)
      surface->in_block_xor = tail_offset_B(surface->block_log2, (unsigned)slot);
}

void
amd_surface_chain_linear(struct amd_surface *surface, const struct amd_surface_desc *desc, unsigned level)
{
   uint32_t w = (uint32_t)div_round_up(desc->width_px, desc->texel_px),
            h = (uint32_t)div_round_up(desc->height_px, desc->texel_px);
   uint32_t align_el = desc->element_B == 12 ? 64 : MAX2(256u / desc->element_B, 1u);
   uint64_t rows = 0;
   surface->pitch_el = desc->levels == 1 && desc->pitch_el ? desc->pitch_el : (uint32_t)align_up(w, align_el);
   uint64_t row_B = (uint64_t)surface->pitch_el * desc->element_B;
   for (unsigned i = 0; i < desc->levels; i++) {
      if (i == level)
         surface->level_offset_B = rows * row_B;
      rows += h;
      h = MAX2(half(h), 1u);
   }
   surface->linear = true;
   memset(surface->s, 0, sizeof(surface->s));
   surface->slice_B = rows * row_B;
}
