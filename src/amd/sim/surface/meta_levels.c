#include "amd/sim/surface/meta_levels.h"

#include "util/macros.h"

enum axis { X, Y, Z };

/* Levels of the tail from 32 pixels on, from the first one's place. */
static const uint8_t small_levels[][2] = {{0, 0},   {32, 0}, {0, 32},  {16, 32}, {32, 32},
                                          {48, 32}, {0, 48}, {16, 48}, {32, 48}, {48, 48}};

/* Adds where a level of the tail starts; slot 0: the largest. */
static void
add_tail(const struct amd_meta *meta, unsigned slot, bool thick, uint32_t at[3])
{
   uint32_t height = 1u << meta->height_log2, w = 1u << meta->width_log2, h = height / 2, d = 1u << meta->depth_log2;
   uint32_t least = MIN2(MAX2(height / 4, thick ? 32u : 64u), thick ? 128u : 256u);
   unsigned i = 0;
   for (; i < slot && w > 32; i++) {
      if (w > least)
         at[i % 2 ? X : Y] += i % 2 ? w : h;
      else if (thick)
         at[Z] += d;
      else if (w * 2 == least)
         at[X] -= least, at[Y] += least;
      else
         at[X] += least;
      w /= 2;
      h = w;
      d = thick ? w : d;
   }
   unsigned more = MIN2(slot - i, (unsigned)ARRAY_SIZE(small_levels) - 1);
   at[X] += small_levels[more][X];
   at[Y] += small_levels[more][Y];
}

static bool
in_tail(const struct amd_meta *meta, const uint32_t size[3], bool thick)
{
   return size[X] <= 1u << meta->width_log2 && size[Y] <= 1u << meta->height_log2 >> 1 &&
          (!thick || size[Z] <= 1u << meta->depth_log2);
}

void
amd_meta_levels_place(struct amd_meta *meta, const struct amd_surface_desc *desc, unsigned level, bool thick)
{
   const unsigned block_log2[3] = {meta->width_log2, meta->height_log2, meta->depth_log2};
   uint32_t size[3] = {desc->width_px, desc->height_px, MAX2(desc->slices, 1u)}, blocks[3], at[3] = {0};
   for (enum axis axis = X; axis <= Z; axis++)
      blocks[axis] = (uint32_t)div_round_up(size[axis], UINT64_C(1) << block_log2[axis]);
   enum axis along = blocks[X] >= blocks[Y] ? X : Y;
   along = thick && blocks[Z] > blocks[X] && blocks[Z] > blocks[Y] ? Z : along;
   enum axis across = along == Y ? X : Y;
   if (desc->levels > 1 && !in_tail(meta, size, thick)) {
      /* Room for level 1, and for what is next to it. */
      bool third = blocks[across] < 3 && blocks[along] > (along == Y ? 2u : 4u) && desc->levels > 3;
      blocks[across] += third ? 2 : blocks[across] / 2 + blocks[across] % 2;
   }
   for (unsigned i = 0; desc->levels > 1 && i <= level; i++) {
      if (in_tail(meta, size, thick)) {
         add_tail(meta, level - i, thick, at);
         break;
      }
      for (enum axis axis = X; axis <= Z; axis++)
         size[axis] = (uint32_t)align_up(size[axis], UINT64_C(1) << block_log2[axis]);
      enum axis next = i >= 3 || i % 2 ? along : across;
      if (i < level)
         at[next] += size[next];
      for (enum axis axis = X; axis <= Z; axis++)
         size[axis] = MAX2(size[axis] / 2, 1u);
   }
   meta->start_x = at[X];
   meta->start_y = at[Y];
   meta->start_z = at[Z];
   meta->blocks_per_row = blocks[X];
   meta->blocks_per_slice = (uint64_t)blocks[X] * blocks[Y];
   /* The last block may be spread over what others would share. */
   meta->size_B =
      align_up(meta->blocks_per_slice * blocks[Z] << (meta->size_log2 + meta->gap), UINT64_C(256) << meta->gap);
}
