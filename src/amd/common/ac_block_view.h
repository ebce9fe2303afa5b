/* A level of a tiled image of compressed blocks as a level of another image, whose texels are the blocks.
 *
 * Hardware derives the length of a slice and the place of a level from the size of level 0 and the number of levels.
 * The sizes that texels see halve downwards, those of compressed blocks do not: 5 texels are 2 blocks, 10 are 3. So
 * the view is of an image of another size, chosen such that its slices are as long and that some level of it is as
 * large; a start of its own and the exclusive or in the base address (tiled modes with _X) put that level where the
 * blocks are. That the base address so moves a level within a tail is what AMD's address library does in
 * ComputeNonBlockCompressedView (doc). */
#ifndef INDIUM_AC_BLOCK_VIEW_H
#define INDIUM_AC_BLOCK_VIEW_H

#include "amd/common/ac_surface.h"

struct ac_block_view {
   struct ac_surface surface;
   uint32_t width_px, height_px, depth_px; /* of level 0: texels, which are blocks */
   unsigned level;
   uint64_t offset_B;    /* added to the image's address */
   uint32_t address_xor; /* then put into its low bits, which are 0 */
};

/* Are the sizes of the level in blocks those of level 0, halved? Then the image itself, of so many texels as it has
 * blocks, shows it, with all layers. */
bool ac_block_view_halves(const struct ac_surface *image, unsigned level);

/* One layer of a level of a two-dimensional image: by itself, on GFX9 with the pitch of all levels; where its pitch
 * is a block wider than that of such an image, as the second level of one twice as large; in the tail, as the level
 * in that place of another tail. */
void ac_block_view_init_layer(struct ac_block_view *view, const struct ac_surface *image, unsigned level,
                              unsigned layer);

/* Of a 3D image without slabs. depth_px: of level 0. False if no image has such slices and level: never up to
 * AC_BLOCK_VIEW_MAX_PX. */
bool ac_block_view_init(struct ac_block_view *view, const struct ac_surface *image, unsigned level,
                        uint32_t depth_px);

/* Width and height up to which all levels of images of 4x4 blocks have views: found by trying sizes. */
#define AC_BLOCK_VIEW_MAX_PX 512

#endif
