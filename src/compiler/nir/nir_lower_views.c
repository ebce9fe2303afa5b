/* Input attachments and the view index, which hardware does not know. */
#include "compiler/nir/nir_builder.h"
#include "compiler/nir/nir_passes.h"
#include "util/macros.h"

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

/* Of a mesh shader: of all primitives that a workgroup may make, by thread after thread. */
static void
store_layers(struct nir_builder *b, struct nir_variable *layers, struct nir_def *view)
{
   const struct nir_shader_info *info = &b->shader->info;
   const uint32_t threads = info->workgroup_size[0] * info->workgroup_size[1] * info->workgroup_size[2];
   struct nir_variable *at = nir_variable_create(b->shader, NIR_VAR_FUNCTION_TEMP, layers->type->element, "at");
   nir_store_var(b, at, nir_load_local_invocation_index(b), 1);
   struct nir_loop *loop = nir_push_loop(b);
   struct nir_def *primitive = nir_load_var(b, at);
   struct nir_if *nif = nir_push_if(b, nir_uge(b, primitive, nir_imm_int(b, info->mesh_primitives)));
   nir_break(b);
   nir_pop_if(b, nif);
   struct nir_deref_instr *layer = nir_build_deref_array(b, nir_build_deref_var(b, layers), primitive);
   nir_build_store_deref_of(b, layer, view, 1, 0);
   nir_store_var(b, at, nir_iadd_imm(b, primitive, threads), 1);
   nir_pop_loop(b, loop);
}

static void
set_layer(struct nir_shader *shader, uint32_t push_offset_B)
{
   const bool mesh = shader->stage == NIR_STAGE_MESH;
   const struct nir_type *type = nir_type_vector(NIR_TYPE_UINT, 32, 1);
   if (mesh)
      type = nir_type_array(shader->arena, type, MAX2(shader->info.mesh_primitives, 1u), 0);
   struct nir_variable *layer = nir_variable_create(shader, NIR_VAR_SHADER_OUT, type, "layer");
   layer->location = NIR_SLOT_LAYER;
   layer->per_vertex = layer->per_primitive = mesh;
   struct nir_builder b = {.shader = shader, .cursor = nir_before_block(nir_first_block(shader))};
   struct nir_def *view = build_view_index(&b, true, push_offset_B);
   if (mesh)
      store_layers(&b, layer, view);
   else
      nir_store_var(&b, layer, view, 1);
}

bool
nir_lower_view_index(struct nir_shader *shader, bool multiview, bool sets_layer, uint32_t push_offset_B)
{
   bool progress = replace_view_index(shader, multiview, push_offset_B);
   if (!multiview || !sets_layer)
      return progress;
   set_layer(shader, push_offset_B);
   return true;
}
