/* Input attachments and the view index, which hardware does not know. */
#include "compiler/nir/nir_builder.h"
#include "compiler/nir/nir_passes.h"

static void
lower_input_attachment(struct nir_builder *b, struct nir_tex_instr *tex, bool multiview)
{
   struct nir_src *coord = &tex->src[nir_tex_src_index(tex, NIR_TEX_SRC_COORD)].src;
   b->cursor = nir_before_instr(&tex->instr);
   struct nir_def *pixel = nir_f2i32(b, nir_load_frag_coord(b));
   struct nir_def *parts[3] = {
      nir_iadd(b, nir_channel(b, coord->def, 0), nir_channel(b, pixel, 0)),
      nir_iadd(b, nir_channel(b, coord->def, 1), nir_channel(b, pixel, 1)),
      multiview ? nir_load_view_index(b) : nir_load_layer_id(b),
   };
   nir_src_rewrite(coord, nir_vec(b, parts, 3));
   tex->dim = tex->dim == NIR_DIM_SUBPASS ? NIR_DIM_2D : NIR_DIM_MS;
   tex->is_array = true;
}

bool
nir_lower_input_attachments(struct nir_shader *shader, bool multiview)
{
   bool progress = false;
   struct nir_builder b = {.shader = shader};
   nir_foreach_block(block, shader) {
      nir_foreach_instr_safe(instr, block) {
         if (instr->type != NIR_INSTR_TEX)
            continue;
         struct nir_tex_instr *tex = nir_as_tex(instr);
         if (tex->dim != NIR_DIM_SUBPASS && tex->dim != NIR_DIM_SUBPASS_MS)
            continue;
         lower_input_attachment(&b, tex, multiview);
         progress = true;
      }
   }
   return progress;
}

static struct nir_def *
build_view_index(struct nir_builder *b, bool multiview, uint32_t push_offset_B)
{
   return multiview ? nir_load_push_constant(b, 1, 32, nir_imm_int(b, (int32_t)push_offset_B), .align_mul = 4)
                    : nir_imm_int(b, 0);
}

static bool
replace_view_index(struct nir_shader *shader, bool multiview, uint32_t push_offset_B)
{
   bool progress = false;
   struct nir_builder b = {.shader = shader};
   nir_foreach_block(block, shader) {
      nir_foreach_instr_safe(instr, block) {
         if (instr->type != NIR_INSTR_INTRINSIC || nir_as_intrinsic(instr)->op != NIR_INTRINSIC_load_view_index)
            continue;
         b.cursor = nir_before_instr(instr);
         nir_def_replace(&nir_as_intrinsic(instr)->def, build_view_index(&b, multiview, push_offset_B));
         nir_instr_remove(instr);
         progress = true;
      }
   }
   return progress;
}

bool
nir_lower_view_index_to_device(struct nir_shader *shader)
{
   return replace_view_index(shader, false, 0);
}

bool
nir_lower_view_index(struct nir_shader *shader, bool multiview, bool sets_layer, uint32_t push_offset_B)
{
   bool progress = replace_view_index(shader, multiview, push_offset_B);
   if (!multiview || !sets_layer)
      return progress;
   struct nir_builder b = {.shader = shader};
   const struct nir_type *uint_type = nir_type_vector(NIR_TYPE_UINT, 32, 1);
   struct nir_variable *layer = nir_variable_create(shader, NIR_VAR_SHADER_OUT, uint_type, "layer");
   layer->location = NIR_SLOT_LAYER;
   b.cursor = nir_before_block(nir_first_block(shader));
   nir_store_var(&b, layer, build_view_index(&b, multiview, push_offset_B), 1);
   return true;
}
