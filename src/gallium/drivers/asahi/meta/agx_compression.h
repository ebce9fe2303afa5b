/* Lossless compression of images (which planes have it: agx_image_layout()): what makes their elements lie as they
 * would without, for those who address them by themselves. Tiles of 16x16 samples are compressed when renders store
 * them; every tile says in the metadata whether it is. */
#ifndef INDIUM_AGX_COMPRESSION_H
#define INDIUM_AGX_COMPRESSION_H

#include "gallium/drivers/asahi/agx_context.h"
#include "gallium/drivers/asahi/resource/agx_resource.h"

struct agx_meta_table;

/* Whether tiles of this level may lie otherwise than without compression. */
static inline bool
agx_level_is_compressed(const struct agx_resource *image, enum agx_plane plane, unsigned level)
{
   return image->planes[plane].image.compressed && image->planes[plane].levels[level].compressed;
}

/* A box of a level, in pixels; layers of 3D images are slices. */
struct agx_level_box {
   unsigned level;
   uint32_t x, y, width, height;
   uint32_t layer, layers;
};

/* Decompresses in place all tiles that the box touches, so that dispatches after it may address their elements.
 * overwritten: nothing of what the box holds is wanted. Ordered with dispatches before and after: who reads these
 * tiles from another queue meanwhile may see them in between. */
void agx_decompress(struct agx_context *ctx, const struct agx_resource *image, enum agx_plane plane,
                    const struct agx_level_box *box, bool overwritten);

/* All tiles of the layers of a box, which is the whole level, get one colour: it stands in each of them, once for
 * each of its mode bytes; the rest of the tile stays. texel: of one sample, repeated in 16 bytes. */
void agx_compressed_clear(struct agx_context *ctx, const struct agx_resource *image, enum agx_plane plane,
                          const struct agx_level_box *box, const uint32_t texel[4]);

/* For programs that load texels of a compressed level (AGX_META_LOAD): how they become the bytes that lie in memory,
 * and a texture that shows all layers. */
void agx_compressed_texels(const struct agx_resource *image, enum agx_plane plane, unsigned level,
                           struct agx_meta_table *table, uint32_t texture[6]);

#endif
