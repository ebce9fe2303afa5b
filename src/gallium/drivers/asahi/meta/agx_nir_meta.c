/* What GLSL has no words for: the "images" of the internal programs (agx_meta_table.h). */
#include <stddef.h>

#include "asahi/compiler/agx.h"
#include "compiler/nir/nir_deref.h"
#include "gallium/drivers/asahi/meta/agx_meta.h"
#include "gallium/drivers/asahi/nir/agx_nir.h"

#define WORD(field) (offsetof(struct agx_meta_table, field) / 4)

static struct nir_def *
load(struct nir_builder *b, size_t word)
{
   return agx_nir_arg(b, AGX_TABLE_PUSH, (unsigned)word, 1);
}

static struct nir_def *
load_address(struct nir_builder *b, size_t word)
{
   return agx_nir_address_arg(b, AGX_TABLE_PUSH, (unsigned)word);
}

/* The address of an element of a side, as the first two components of a texel. */
static struct nir_def *
element_address(struct nir_builder *b, size_t side, struct nir_def *coord)
{
   struct nir_def *place[3], *zero = nir_imm_int(b, 0);
   const struct agx_nir_level level = {.start = load_address(b, side + WORD(dst.va)),
                                       .layer_B = load_address(b, side + WORD(dst.layer_B)),
                                       .tiles = load(b, side + WORD(dst.tiles)),
                                       .row_B = load(b, side + WORD(dst.row_B)),
                                       .level = load(b, side + WORD(dst.level))};

   for (unsigned i = 0; i < 3; i++)
      place[i] = nir_channel(b, coord, i);
   struct nir_def *words = nir_unpack_64_2x32(b, agx_nir_element_address(b, &level, place));

   return nir_vec4(b, nir_channel(b, words, 0), nir_channel(b, words, 1), zero, zero);
}

static struct nir_def *
load_texel(struct nir_builder *b, const struct nir_intrinsic_instr *instr)
{
   struct nir_def *coord = instr->src[1].def, *zero = nir_imm_int(b, 0);
   struct nir_def *handle = nir_vec2(b, nir_imm_int(b, AGX_HANDLE_STATE), zero);
   struct nir_def *place =
      nir_vec4(b, nir_channel(b, coord, 0), nir_channel(b, coord, 1), nir_channel(b, coord, 2), zero);
   struct nir_def *sample = nir_intrinsic_image_dim(instr) == NIR_DIM_MS ? instr->src[2].def : zero;

   return nir_image_load_agx(b, 32, handle, place, sample, zero, .image_dim = nir_intrinsic_image_dim(instr),
                             .image_array = true);
}

/* Of the block that follows, since blocks are split. False if there is none. */
static bool
lower_one(struct nir_shader *shader)
{
   nir_foreach_block(block, shader) {
      nir_foreach_instr(instr, block) {
         struct nir_intrinsic_instr *image = instr->type == NIR_INSTR_INTRINSIC ? nir_as_intrinsic(instr) : NULL;

         if (!image || image->op != NIR_INTRINSIC_image_deref_load)
            continue;
         struct nir_builder b = nir_builder_at(shader, nir_before_instr(instr));
         uint32_t binding = nir_as_deref(image->src[0].def->parent)->var->binding;
         struct nir_def *texel = binding == AGX_META_TEXELS ? load_texel(&b, image)
                                 : binding == AGX_META_SRC_ADDRESSES
                                    ? element_address(&b, WORD(src), image->src[1].def)
                                    : element_address(&b, WORD(dst), image->src[1].def);

         nir_def_replace(&image->def, texel);
         nir_instr_remove(instr);
         return true;
      }
   }
   return false;
}

void
agx_nir_meta(struct nir_shader *shader)
{
   while (lower_one(shader))
      ;
}
