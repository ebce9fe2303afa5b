#include "plain_abi.h"

#include "compiler/nir/nir_builder.h"
#include "util/macros.h"

enum {
   SGPR_SETS = 0,
   SGPR_PUSH_CONSTANTS = 8,
   SGPR_ATTRIBUTES = 10,
   NUM_SGPRS = 24,
};

static struct aco_args
arguments(void)
{
   return (struct aco_args){.num_user_sgprs = NUM_SGPRS,
                            .base_vertex = 12,
                            .base_instance = 13,
                            .draw_id = 14,
                            .view_index = 15,
                            .num_workgroups = 16,
                            .scratch_address = 20,
                            .sample_positions = 22};
}

struct aco_stage
plain_abi_stage(struct nir_shader *nir)
{
   static const enum aco_hw_stage hw[NIR_STAGES] = {
      [NIR_STAGE_VERTEX] = ACO_HW_VS, [NIR_STAGE_FRAGMENT] = ACO_HW_PS, [NIR_STAGE_COMPUTE] = ACO_HW_CS};
   return (struct aco_stage){.hw = hw[nir->stage], .num_shaders = 1, .shaders = {nir}, .args = arguments()};
}

static struct nir_def *
load_words(struct nir_builder *b, unsigned sgpr, struct nir_def *offset_B, unsigned count)
{
   struct nir_def *address = nir_pack_64_2x32(b, nir_load_scalar_arg(b, 2, .base = (int32_t)sgpr));
   return nir_load_global_constant(b, count, 32, address, offset_B, .access = NIR_ACCESS_CAN_REORDER, .align_mul = 4);
}

static struct nir_def *
descriptor(struct nir_builder *b, uint32_t set, uint32_t binding, struct nir_def *element, uint32_t part_B)
{
   struct nir_def *offset = nir_iadd_imm(b, nir_imul_imm(b, element, 64), 4096 * binding + part_B);
   return load_words(b, SGPR_SETS + 2 * (set & 3), offset, 4);
}

static struct nir_def *
deref_words(struct nir_builder *b, struct nir_def *def, uint32_t part_B)
{
   struct nir_deref_instr *deref = nir_as_deref(def->parent);
   struct nir_def *element = NULL;
   uint32_t stride = 1;
   for (; deref->deref_type == NIR_DEREF_ARRAY; deref = nir_as_deref(deref->parent.def->parent)) {
      struct nir_def *term = nir_imul_imm(b, deref->index.def, stride);
      element = element ? nir_iadd(b, element, term) : term;
      stride *= MAX2(nir_as_deref(deref->parent.def->parent)->type->length, 1u);
   }
   return descriptor(b, deref->var->set, deref->var->binding, element ? element : nir_imm_int(b, 0), part_B);
}

static void
lower_tex(struct nir_builder *b, struct nir_tex_instr *tex)
{
   unsigned count = tex->num_srcs;
   for (unsigned i = 0; i < count; i++) {
      struct nir_tex_src *src = &tex->src[i];
      if (src->type == NIR_TEX_SRC_SAMPLER_DEREF) {
         nir_src_rewrite(&src->src, deref_words(b, src->src.def, 32));
         src->type = NIR_TEX_SRC_SAMPLER_DESC;
      } else if (src->type == NIR_TEX_SRC_TEXTURE_DEREF) {
         struct nir_def *high = deref_words(b, src->src.def, 16);
         nir_src_rewrite(&src->src, deref_words(b, src->src.def, 0));
         src->type = NIR_TEX_SRC_TEXTURE_DESC;
         if (tex->dim == NIR_DIM_BUF)
            continue;
         struct nir_tex_src *more = &tex->src[tex->num_srcs++];
         more->type = NIR_TEX_SRC_TEXTURE_DESC_HI;
         nir_src_init(&more->src, high);
         more->src.parent_instr = &tex->instr;
         list_add_tail(&more->src.use_link, &high->uses);
      }
   }
}

/* Image intrinsics by deref: the same with two descriptor halves in front. */
static bool
image_by_descriptor(enum nir_intrinsic_op op, enum nir_intrinsic_op *by_desc)
{
   switch ((int)op) { /* others: not on images */
   case NIR_INTRINSIC_image_deref_load:
      *by_desc = NIR_INTRINSIC_image_load;
      return true;
   case NIR_INTRINSIC_image_deref_store:
      *by_desc = NIR_INTRINSIC_image_store;
      return true;
   case NIR_INTRINSIC_image_deref_atomic:
      *by_desc = NIR_INTRINSIC_image_atomic;
      return true;
   case NIR_INTRINSIC_image_deref_atomic_swap:
      *by_desc = NIR_INTRINSIC_image_atomic_swap;
      return true;
   case NIR_INTRINSIC_image_deref_size:
      *by_desc = NIR_INTRINSIC_image_size;
      return true;
   case NIR_INTRINSIC_image_deref_samples:
      *by_desc = NIR_INTRINSIC_image_samples;
      return true;
   default:
      return false;
   }
}

static void
lower_image(struct nir_builder *b, struct nir_intrinsic_instr *intr, enum nir_intrinsic_op op)
{
   const struct nir_intrinsic_info *info = &nir_intrinsic_infos[intr->op];
   struct nir_intrinsic_instr *by_desc = nir_intrinsic_create(b->shader, op);
   by_desc->num_components = intr->num_components;
   nir_src_init(&by_desc->src[0], deref_words(b, intr->src[0].def, 0));
   nir_src_init(&by_desc->src[1], deref_words(b, intr->src[0].def, 16));
   for (unsigned i = 1; i < info->num_srcs; i++)
      nir_src_init(&by_desc->src[i + 1], intr->src[i].def);
   for (unsigned i = 0; i < info->num_indices; i++)
      by_desc->index[i] = intr->index[i];
   if (info->has_dest)
      nir_def_init(b->shader, &by_desc->instr, &by_desc->def, intr->def.num_components, intr->def.bit_size);
   nir_builder_insert(b, &by_desc->instr);
   if (info->has_dest)
      nir_def_replace(&intr->def, &by_desc->def);
   nir_instr_remove(&intr->instr);
}

static void
lower_intrinsic(struct nir_builder *b, struct nir_intrinsic_instr *intr)
{
   struct nir_def *value = NULL, *offset, *barycentric;
   enum nir_intrinsic_op by_desc;
   switch ((int)intr->op) {
   case NIR_INTRINSIC_vulkan_resource_index:
      value = descriptor(b, nir_intrinsic_set(intr), nir_intrinsic_binding(intr), intr->src[0].def, 0);
      break;
   case NIR_INTRINSIC_load_push_constant: {
      struct nir_def *address = nir_pack_64_2x32(b, nir_load_scalar_arg(b, 2, .base = SGPR_PUSH_CONSTANTS));
      value =
         nir_load_global_constant(b, intr->def.num_components, intr->def.bit_size, address, intr->src[0].def,
                                  .base = nir_intrinsic_base(intr), .access = NIR_ACCESS_CAN_REORDER, .align_mul = 4);
      break;
   }
   case NIR_INTRINSIC_load_input:
      if (b->shader->stage != NIR_STAGE_VERTEX)
         return;
      offset = nir_iadd_imm(b, intr->src[0].def, nir_intrinsic_slot(intr) - NIR_SLOT_VAR0);
      value = nir_load_texel_buffer(b, 32, load_words(b, SGPR_ATTRIBUTES, nir_imul_imm(b, offset, 16), 4),
                                    nir_load_vertex_id(b), .access = NIR_ACCESS_CAN_REORDER);
      value = nir_channels(b, value, (unsigned)bit_mask(intr->def.num_components) << nir_intrinsic_component(intr));
      break;
   case NIR_INTRINSIC_load_point_coord:
      barycentric = nir_load_barycentric_pixel(b, .interp = NIR_INTERP_SMOOTH);
      value = nir_load_interpolated_input(b, 2, 32, barycentric, nir_imm_int(b, 0), .slot = NIR_SLOT_VAR31);
      break;
   default: /* others: stay */
      if (image_by_descriptor(intr->op, &by_desc))
         lower_image(b, intr, by_desc);
      return;
   }
   nir_def_replace(&intr->def, value);
   nir_instr_remove(&intr->instr);
}

void
plain_abi_lower(struct nir_shader *nir)
{
   nir_foreach_block(block, nir) {
      nir_foreach_instr_safe(instr, block) {
         struct nir_builder b = nir_builder_at(nir, nir_before_instr(instr));
         if (instr->type == NIR_INSTR_TEX)
            lower_tex(&b, nir_as_tex(instr));
         else if (instr->type == NIR_INSTR_INTRINSIC)
            lower_intrinsic(&b, nir_as_intrinsic(instr));
      }
   }
}
