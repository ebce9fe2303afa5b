/* Custom colours of borders. Samplers of the heap have none, so programs sample twice: with a border of ones and with
 * one of zeros. Where both agree, no border was read. Source: Honeykrisp. */
#include <string.h>

#include "gallium/drivers/asahi/nir/agx_nir.h"

struct nir_def *
agx_nir_sample_again(struct nir_builder *b, const struct nir_tex_instr *tex, struct nir_def *sampler)
{
   struct nir_tex_instr *again = nir_tex_create(b->shader, tex->op);

   again->dim = tex->dim;
   again->is_array = tex->is_array;
   again->gather_component = tex->gather_component;
   again->has_gather_offsets = tex->has_gather_offsets;
   memcpy(again->gather_offsets, tex->gather_offsets, sizeof(tex->gather_offsets));
   again->dest_type = tex->dest_type;
   for (unsigned i = 0; i < tex->num_srcs; i++)
      nir_tex_add_src(again, tex->src[i].type,
                      tex->src[i].type == NIR_TEX_SRC_SAMPLER_HANDLE ? sampler : tex->src[i].src.def);
   nir_def_init(b->shader, &again->instr, &again->def, tex->def.num_components, tex->def.bit_size);
   nir_builder_insert(b, &again->instr);
   return &again->def;
}

/* ones and zeros: a component under the two borders. A filtered one has the border's share of its difference. */
static struct nir_def *
mix(struct nir_builder *b, const struct nir_tex_instr *tex, struct nir_def *ones, struct nir_def *zeros,
    struct nir_def *color)
{
   struct nir_def *same = nir_ieq(b, ones, zeros);

   if (tex->dest_type == NIR_TYPE_FLOAT) {
      color = tex->def.bit_size == 16 ? nir_f2f16(b, color) : color;
      color = tex->op == NIR_TG4 ? color : nir_fadd(b, zeros, nir_fmul(b, nir_fsub(b, ones, zeros), color));
   } else if (tex->def.bit_size == 16) {
      color = nir_u2u16(b, color);
   }
   return nir_bcsel(b, same, zeros, color);
}

void
agx_nir_add_border(struct nir_shader *shader, const struct agx_nir_border *border)
{
   struct nir_tex_instr *tex = border->tex;
   struct nir_builder b = nir_builder_at(shader, nir_before_instr(&tex->instr));
   struct nir_def *sampler = tex->src[nir_tex_src_index(tex, NIR_TEX_SRC_SAMPLER_HANDLE)].src.def;
   struct nir_def *ones = agx_nir_sample_again(&b, tex, sampler), *parts[4];
   struct nir_def *handle[2] = {nir_channel(&b, sampler, 0), nir_channel(&b, border->words, 0)};
   struct nir_if *nif = nir_push_if(&b, nir_ine_imm(&b, nir_channel(&b, border->words, 1), 0));
   struct nir_def *zeros = agx_nir_sample_again(&b, tex, nir_vec(&b, handle, 2));

   for (unsigned i = 0; i < ones->num_components; i++) {
      unsigned from = tex->op == NIR_TG4 ? tex->gather_component : i;

      parts[i] =
         mix(&b, tex, nir_channel(&b, ones, i), nir_channel(&b, zeros, i), nir_channel(&b, border->color, from));
   }
   struct nir_def *mixed = nir_vec(&b, parts, ones->num_components);
   nir_pop_if(&b, nif);
   nir_def_replace(&tex->def, nir_if_phi(&b, mixed, ones));
   nir_instr_remove(&tex->instr);
}
