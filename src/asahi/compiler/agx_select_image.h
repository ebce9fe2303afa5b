/* What textures and images have in common: what names them, and their coordinates. */
#ifndef INDIUM_AGX_SELECT_IMAGE_H
#define INDIUM_AGX_SELECT_IMAGE_H

#include "asahi/compiler/agx_select.h"

#define AGX_NO_DIM 0xff

struct sel_texture {
   struct agx_ref heap, number; /* of the instruction's places */
};

/* By a handle (agx.h). */
struct sel_texture sel_texture(struct sel *c, const struct nir_src *handle);
/* NULL: that of fetches. */
struct agx_ref sel_sampler(struct sel *c, const struct nir_src *handle);
/* enum agx_dim, or AGX_NO_DIM. */
unsigned sel_dim(enum nir_image_dim dim, bool is_array);
/* An integer layer in 16 bits: 65535 if it is not one. */
struct agx_ref sel_layer(struct sel *c, const struct nir_src *coord, unsigned component);
/* From the result of an instruction with the sparse bit: components of the mask, then the code. texel: NULL, nobody
 * wants it. */
void sel_set_sparse(struct sel *c, const struct nir_def *texel, const struct nir_def *code, unsigned mask,
                    struct agx_ref result);
/* The first `count` components, then the sample and the layer (either may be NONE), as the hardware packs them. */
struct agx_ref sel_coordinates(struct sel *c, const struct nir_src *coord, unsigned count, struct agx_ref sample,
                               struct agx_ref layer);

#endif
