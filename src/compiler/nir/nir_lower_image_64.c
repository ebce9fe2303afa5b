/* Storage images of one 64-bit integer as images of two of 32 bits, for drivers to which they are that. Atomics stay.
 */
#include "compiler/nir/nir_builder.h"
#include "compiler/nir/nir_passes.h"

static struct nir_def *
wide_texel(struct nir_builder *b, const struct nir_intrinsic_instr *load)
{
   struct nir_def *halves =
      nir_image_deref_load(b, 4, 32, load->src[0].def, load->src[1].def, load->src[2].def, load->src[3].def,
                           .image_dim = nir_intrinsic_image_dim(load), .image_array = nir_intrinsic_image_array(load),
                           .format = nir_intrinsic_format(load), .access = nir_intrinsic_access(load));
   struct nir_def *zero = nir_imm_intN(b, 0, 64);
   struct nir_def *w = nir_u2u64(b, nir_channel(b, halves, 3)); /* 1; of a null descriptor 0 */
   struct nir_def *texel[4] = {nir_pack_64_2x32(b, nir_channels(b, halves, 3)), zero, zero, w};
   return nir_vec(b, texel, load->def.num_components);
}

static struct nir_def *
halves_of(struct nir_builder *b, struct nir_def *texel)
{
   struct nir_def *zero = nir_imm_int(b, 0), *words = nir_unpack_64_2x32(b, nir_channel(b, texel, 0));
   struct nir_def *halves[4] = {nir_channel(b, words, 0), nir_channel(b, words, 1), zero, zero};
   return nir_vec(b, halves, 4);
}

static bool
lower(struct nir_shader *shader, struct nir_intrinsic_instr *intr)
{
   struct nir_builder b = nir_builder_at(shader, nir_before_instr(&intr->instr));
   if (intr->op == NIR_INTRINSIC_image_deref_store && intr->src[3].def->bit_size == 64) {
      nir_src_rewrite(&intr->src[3], halves_of(&b, intr->src[3].def));
      return true;
   }
   if (intr->op != NIR_INTRINSIC_image_deref_load || intr->def.bit_size != 64)
      return false;
   nir_def_replace(&intr->def, wide_texel(&b, intr));
   nir_instr_remove(&intr->instr);
   return true;
}

bool
nir_lower_image_64(struct nir_shader *shader)
{
   bool progress = false;
   nir_foreach_block(block, shader) {
      nir_foreach_instr_safe(instr, block) {
         if (instr->type == NIR_INSTR_INTRINSIC)
            progress |= lower(shader, nir_as_intrinsic(instr));
      }
   }
   return progress;
}
