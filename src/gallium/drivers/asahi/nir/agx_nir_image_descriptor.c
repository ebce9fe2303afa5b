/* What the descriptors of textures and storage images say (agx_resource.h), as nir. */
#include "gallium/drivers/asahi/nir/agx_nir_lower_descriptors_private.h"

struct nir_def *
agx_descriptor_handle(struct lower_descriptors *l, const struct aux_descriptor *place, unsigned word)
{
   struct nir_builder *b = &l->d.b;
   struct nir_def *parts[2] = {
      nir_imm_int(b, AGX_SET_UNIFORM(place->set)),
      nir_iadd_imm(b, place->offset_B, 4 * word),
   };

   return nir_vec(b, parts, 2);
}

struct nir_def *
agx_texel_coord(struct lower_descriptors *l, const struct aux_descriptor *place, struct nir_def *index)
{
   struct nir_builder *b = &l->d.b;
   struct nir_def *inside = nir_ult(b, index, agx_descriptor_words(place, AGX_TEXTURE_SIZE, 1));
   struct nir_def *at = nir_bcsel(b, inside, index, nir_imm_int(b, -1)), *zero = nir_imm_int(b, 0);
   struct nir_def *parts[4] = {nir_iand_imm(b, at, (1 << AGX_TEXEL_ROW_LOG2) - 1),
                               nir_ushr_imm(b, at, AGX_TEXEL_ROW_LOG2), zero, zero};

   return nir_vec(b, parts, 4);
}

struct nir_def *
agx_texel_residency(struct lower_descriptors *l, const struct aux_descriptor *place, struct nir_def *index)
{
   struct nir_builder *b = &l->d.b;
   struct nir_def *words = agx_descriptor_words(place, AGX_TEXTURE_SOFTWARE, 4), *zero = nir_imm_int(b, 0);
   struct nir_def *is_sparse = nir_ine_imm(b, nir_channel(b, words, 1), 0);
   struct nir_def *asks = nir_iand(b, is_sparse, nir_ult(b, index, nir_channel(b, words, 2)));
   struct nir_def *place_B = nir_iand_imm(b, nir_imul(b, index, nir_channel(b, words, 3)), ~3u);
   struct nir_def *at = nir_iadd(b, nir_pack_64_2x32(b, nir_channels(b, words, 3)), nir_u2u64(b, place_B));
   struct nir_def *there = nir_load_global(b, 1, 32, nir_bcsel(b, asks, at, nir_imm_int64(b, 0)), .align_mul = 4);

   return nir_bcsel(b, nir_iand(b, asks, nir_ieq_imm(b, there, 0)), nir_imm_int(b, 1), zero);
}

struct nir_def *
agx_image_is_null(struct lower_descriptors *l, const struct aux_descriptor *place)
{
   return nir_ige(&l->d.b, agx_descriptor_words(place, AGX_TEXTURE_LAYERS, 1), nir_imm_int(&l->d.b, 0));
}

static struct nir_def *
minify(struct nir_builder *b, struct nir_def *size, struct nir_def *lod)
{
   return lod ? nir_umax(b, nir_ushr(b, size, lod), nir_imm_int(b, 1)) : size;
}

struct nir_def *
agx_image_size(struct lower_descriptors *l, const struct aux_descriptor *place, enum nir_image_dim dim, bool is_array,
               struct nir_def *lod)
{
   struct nir_builder *b = &l->d.b;
   struct nir_def *words = agx_descriptor_words(place, AGX_TEXTURE_SIZE, 2), *xy = nir_channel(b, words, 0),
                  *parts[3];
   struct nir_def *z = nir_iadd_imm(b, nir_iand_imm(b, nir_channel(b, words, 1), 0xffff), 1);
   struct nir_def *is_null = agx_image_is_null(l, place);
   unsigned count = 0;

   if (dim == NIR_DIM_BUF)
      return xy;
   parts[count++] = minify(b, nir_iadd_imm(b, nir_iand_imm(b, xy, 0xffff), 1), lod);
   if (dim != NIR_DIM_1D)
      parts[count++] = minify(b, nir_iadd_imm(b, nir_ushr_imm(b, xy, 16), 1), lod);
   if (dim == NIR_DIM_3D)
      parts[count++] = minify(b, z, lod);
   else if (is_array)
      parts[count++] = z;
   for (unsigned i = 0; i < count; i++)
      parts[i] = nir_bcsel(b, is_null, nir_imm_int(b, 0), parts[i]);
   return nir_vec(b, parts, count);
}

struct nir_def *
agx_image_samples_log2(struct lower_descriptors *l, const struct aux_descriptor *place)
{
   struct nir_builder *b = &l->d.b;

   return nir_iand_imm(b, nir_ushr_imm(b, agx_descriptor_words(place, AGX_TEXTURE_LAYERS, 1), 20), 15);
}

struct nir_def *
agx_image_samples(struct lower_descriptors *l, const struct aux_descriptor *place)
{
   struct nir_builder *b = &l->d.b;
   struct nir_def *not_null = nir_ushr_imm(b, agx_descriptor_words(place, AGX_TEXTURE_LAYERS, 1), 31);

   return nir_ishl(b, not_null, agx_image_samples_log2(l, place));
}

struct nir_def *
agx_image_levels(struct lower_descriptors *l, const struct aux_descriptor *place)
{
   struct nir_builder *b = &l->d.b;

   return nir_iand_imm(b, nir_ushr_imm(b, agx_descriptor_words(place, AGX_TEXTURE_LAYERS, 1), 16), 15);
}

struct nir_def *
agx_outside_unless(struct nir_builder *b, struct nir_def *inside, struct nir_def *coord)
{
   struct nir_def *parts[NIR_MAX_COMPONENTS];

   for (unsigned i = 0; i < coord->num_components; i++)
      parts[i] = nir_channel(b, coord, i);
   parts[0] = nir_bcsel(b, inside, parts[0], nir_imm_intN(b, -1, coord->bit_size));
   return nir_vec(b, parts, coord->num_components);
}

struct nir_def *
agx_check_layer(struct lower_descriptors *l, const struct aux_descriptor *place, enum nir_image_dim dim,
                bool is_array, struct nir_def *coord)
{
   struct nir_builder *b = &l->d.b;

   if (dim != NIR_DIM_CUBE && !is_array)
      return coord;
   struct nir_def *layers =
      nir_iadd_imm(b, nir_iand_imm(b, agx_descriptor_words(place, AGX_TEXTURE_LAYERS, 1), 0xffff), 1);
   struct nir_def *layer = nir_u2uN(b, nir_channel(b, coord, dim == NIR_DIM_1D ? 1 : 2), 32);

   if (dim == NIR_DIM_CUBE)
      layers = is_array ? nir_imul_imm(b, layers, 6) : nir_imm_int(b, 6);
   return agx_outside_unless(b, nir_ult(b, layer, layers), coord);
}
