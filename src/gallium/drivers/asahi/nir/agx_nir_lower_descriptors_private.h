/* What the files of agx_nir_lower_descriptors() share. */
#ifndef INDIUM_AGX_NIR_LOWER_DESCRIPTORS_PRIVATE_H
#define INDIUM_AGX_NIR_LOWER_DESCRIPTORS_PRIVATE_H

#include "gallium/auxiliary/aux_nir_descriptors.h"
#include "gallium/drivers/asahi/nir/agx_nir.h"
#include "gallium/drivers/asahi/resource/agx_resource.h"

struct lower_descriptors {
   struct aux_nir_descriptors d;
   bool loads_images; /* the shader has a load of a storage image */
   const struct agx_descriptor_rules *rules;
   struct agx_nir_border *borders; /* a list */
   struct agx_nir_triple *triples; /* a list */
};

/* count words of a descriptor, from word `first` on. */
struct nir_def *agx_descriptor_words(const struct aux_descriptor *place, unsigned first, unsigned count);

/* agx_nir_image_descriptor.c: what the descriptor of a texture or storage image says. */

/* How shaders name a descriptor to the texture unit. word: where its record begins. */
struct nir_def *agx_descriptor_handle(struct lower_descriptors *l, const struct aux_descriptor *place, unsigned word);

/* The coordinates of a texel of a buffer in the image that stands for it. If the texel is outside of the buffer, they
 * are outside of the image. */
struct nir_def *agx_texel_coord(struct lower_descriptors *l, const struct aux_descriptor *place,
                                struct nir_def *index);

/* The residency code of a texel of a buffer: 0 if it has memory, or is outside. The hardware has no such query. */
struct nir_def *agx_texel_residency(struct lower_descriptors *l, const struct aux_descriptor *place,
                                    struct nir_def *index);

/* The result of a size query: the sizes of the dimension at a level (lod; NULL: the first), then the layers. */
struct nir_def *agx_image_size(struct lower_descriptors *l, const struct aux_descriptor *place,
                               enum nir_image_dim dim, bool is_array, struct nir_def *lod);
struct nir_def *agx_image_is_null(struct lower_descriptors *l, const struct aux_descriptor *place);
struct nir_def *agx_image_samples_log2(struct lower_descriptors *l, const struct aux_descriptor *place);
struct nir_def *agx_image_samples(struct lower_descriptors *l, const struct aux_descriptor *place);
struct nir_def *agx_image_levels(struct lower_descriptors *l, const struct aux_descriptor *place);

/* The coordinates; if `inside` is false, x is outside of every image. The unit reads garbage from layers that do not
 * exist, and the last level for levels that do not exist; with such an x it reads zero. */
struct nir_def *agx_outside_unless(struct nir_builder *b, struct nir_def *inside, struct nir_def *coord);
/* The coordinates, outside of the image if the layer does not exist. Layers of cubes are faces. */
struct nir_def *agx_check_layer(struct lower_descriptors *l, const struct aux_descriptor *place,
                                enum nir_image_dim dim, bool is_array, struct nir_def *coord);

/* agx_nir_lower_texture.c, agx_nir_lower_storage_image.c: lower one instruction. False with *l->d.error set. */
bool agx_nir_lower_texture(struct lower_descriptors *l, struct nir_tex_instr *tex);
bool agx_nir_lower_storage_image(struct lower_descriptors *l, struct nir_intrinsic_instr *instr);

#endif
