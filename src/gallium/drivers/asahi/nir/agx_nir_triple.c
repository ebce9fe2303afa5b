/* Texels of three components, which only uniform texel buffers have. The texture unit has no such texels, so programs
 * that fetch from a buffer ask its descriptor: three words are loaded instead. Honeykrisp does the same. */
#include "gallium/drivers/asahi/nir/agx_nir.h"

/* A component of 32 bits as the fetch has it. */
static struct nir_def *
converted(struct nir_builder *b, const struct nir_tex_instr *tex, struct nir_def *component)
{
   if (tex->def.bit_size != 16)
      return component;
   return tex->dest_type == NIR_TYPE_FLOAT ? nir_f2f16(b, component) : nir_u2u16(b, component);
}

static struct nir_def *
alpha(struct nir_builder *b, const struct nir_tex_instr *tex)
{
   return converted(b, tex, tex->dest_type == NIR_TYPE_FLOAT ? nir_imm_float(b, 1) : nir_imm_int(b, 1));
}

/* The three words of a texel; zeros outside of the buffer. */
static struct nir_def *
load_words(struct nir_builder *b, const struct agx_nir_triple *triple)
{
   struct nir_def *outside = nir_imm_zero(b, 3, 32);
   struct nir_if *inside = nir_push_if(b, nir_ult(b, triple->index, nir_channel(b, triple->size, 0)));
   struct nir_def *offset_B = nir_u2u64(b, nir_imul_imm(b, triple->index, AGX_TRIPLE_B));
   struct nir_def *at = nir_iadd(b, nir_pack_64_2x32(b, triple->address), offset_B);
   struct nir_def *words = nir_load_global(b, 3, 32, at, .align_mul = 4);

   nir_pop_if(b, inside);
   return nir_if_phi(b, words, outside);
}

static struct nir_def *
load_texel(struct nir_builder *b, const struct agx_nir_triple *triple)
{
   const struct nir_tex_instr *tex = triple->tex;
   struct nir_def *words = load_words(b, triple), *parts[4];

   for (unsigned i = 0; i < tex->def.num_components; i++)
      parts[i] = i < 3 ? converted(b, tex, nir_channel(b, words, i)) : alpha(b, tex);
   return nir_vec(b, parts, tex->def.num_components);
}

void
agx_nir_add_triple(struct nir_shader *shader, const struct agx_nir_triple *triple)
{
   struct nir_tex_instr *tex = triple->tex;
   struct nir_builder b = nir_builder_at(shader, nir_before_instr(&tex->instr));
   struct nir_def *texel_B = nir_channel(&b, triple->size, 1);
   struct nir_if *is_triple = nir_push_if(&b, nir_ieq_imm(&b, texel_B, AGX_TRIPLE_B));
   struct nir_def *loaded = load_texel(&b, triple);

   nir_push_else(&b, is_triple);
   struct nir_def *fetched = agx_nir_sample_again(&b, tex, NULL);
   nir_pop_if(&b, is_triple);
   nir_def_replace(&tex->def, nir_if_phi(&b, loaded, fetched));
   nir_instr_remove(&tex->instr);
}
