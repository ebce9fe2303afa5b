/* Transform feedback of a vertex shader: it runs once more, as compute, for each corner of each primitive. */
#include "compiler/nir/nir_cf.h"
#include "gallium/drivers/asahi/assembly/agx_assembly.h"
#include "gallium/drivers/asahi/assembly/agx_nir_assembly.h"

struct values {
   struct nir_def *of[NIR_SLOT_COUNT][4]; /* NULL: not written */
};

/* Outputs are stored once, at the end of the shader (nir_lower_io_to_temporaries). */
static bool
take_store(struct values *values, struct nir_builder *b, struct nir_intrinsic_instr *store)
{
   if (!nir_src_is_const(store->src[1]))
      return false;
   unsigned slot = nir_intrinsic_slot(store) + (unsigned)nir_src_comp_as_uint(store->src[1], 0);

   b->cursor = nir_before_instr(&store->instr);
   for (unsigned i = 0; i < store->src[0].def->num_components; i++) {
      if (nir_intrinsic_write_mask(store) >> i & 1)
         values->of[slot][nir_intrinsic_component(store) + i] = nir_channel(b, store->src[0].def, i);
   }
   nir_instr_remove(&store->instr);
   return true;
}

static bool
take_outputs(struct nir_shader *shader, struct values *values)
{
   struct nir_builder b = {.shader = shader};

   nir_foreach_block(block, shader) {
      nir_foreach_instr_safe(instr, block) {
         if (instr->type == NIR_INSTR_INTRINSIC && nir_as_intrinsic(instr)->op == NIR_INTRINSIC_store_output &&
             !take_store(values, &b, nir_as_intrinsic(instr)))
            return false;
      }
   }
   return true;
}

/* ---- what the draw stores ---- */

enum effect { EFFECT_NONE, EFFECT_STORE, EFFECT_SEEN };

static enum effect
effect_of(const struct nir_intrinsic_instr *instr)
{
   switch ((int)instr->op) {
   case NIR_INTRINSIC_store_ssbo:
   case NIR_INTRINSIC_store_global:
   case NIR_INTRINSIC_image_deref_store:
      return EFFECT_STORE;
   case NIR_INTRINSIC_ssbo_atomic:
   case NIR_INTRINSIC_ssbo_atomic_swap:
   case NIR_INTRINSIC_global_atomic:
   case NIR_INTRINSIC_global_atomic_swap:
   case NIR_INTRINSIC_image_deref_atomic:
   case NIR_INTRINSIC_image_deref_atomic_swap:
      return list_is_empty(&instr->def.uses) ? EFFECT_STORE : EFFECT_SEEN;
   case NIR_INTRINSIC_load_ssbo:
   case NIR_INTRINSIC_load_global:
   case NIR_INTRINSIC_image_deref_load:
      return nir_intrinsic_access(instr) & NIR_ACCESS_NON_WRITEABLE ? EFFECT_NONE : EFFECT_SEEN;
   default: /* others: touch no memory that is written */
      return EFFECT_NONE;
   }
}

/* The draw runs the shader, too, and stores what it stores. That must not happen twice, unless what is captured may
 * depend on it. */
static void
drop_stores(struct nir_shader *shader)
{
   for (unsigned drop = 0; drop < 2; drop++) {
      nir_foreach_block(block, shader) {
         nir_foreach_instr_safe(instr, block) {
            enum effect effect =
               instr->type == NIR_INSTR_INTRINSIC ? effect_of(nir_as_intrinsic(instr)) : EFFECT_NONE;

            if (effect == EFFECT_SEEN)
               return;
            if (drop && effect == EFFECT_STORE)
               nir_instr_remove(instr);
         }
      }
   }
}

/* ---- what is captured ---- */

/* As many neighbours as have a value, from a component on; returns their number, at least 1. */
static unsigned
store_some(struct nir_builder *b, const struct nir_xfb_output *out, struct nir_def *const *values, unsigned first,
           struct nir_def *vertex)
{
   struct nir_def *address =
      nir_pack_64_2x32(b, agx_nir_arg(b, AGX_TABLE_ASSEMBLY,
                                      (unsigned)offsetof(struct agx_assembly, xfb_va) / 4 + 2u * out->buffer, 2));
   struct nir_def *stride = nir_imm_int(b, b->shader->info.xfb.stride_B[out->buffer]);
   unsigned count = 0;

   while (first + count < out->count && values[first + count])
      count++;
   if (!count)
      return 1;
   address = nir_iadd(b, address, nir_umul_2x32_64(b, vertex, stride));
   nir_store_global(b, nir_vec(b, &values[first], count),
                    nir_iadd(b, address, nir_imm_int64(b, out->offset_B + 4 * (int64_t)first)),
                    .write_mask = (1u << count) - 1, .align_mul = 4);
   return count;
}

static void
store_vertex(struct nir_builder *b, const struct values *values, struct nir_def *vertex)
{
   const struct nir_xfb *xfb = &b->shader->info.xfb;

   for (unsigned i = 0; i < xfb->num_outputs; i++) {
      const struct nir_xfb_output *out = &xfb->outputs[i];

      for (unsigned first = 0; first < out->count;)
         first += store_some(b, out, &values->of[out->slot][out->component], first, vertex);
   }
}

bool
agx_nir_capture(struct nir_shader *shader, const char **error)
{
   struct values values = {0};
   struct nir_builder b;

   if (!take_outputs(shader, &values)) {
      *error = "outputs of a vertex shader that are indexed at run time";
      return false;
   }
   drop_stores(shader);
   shader->stage = NIR_STAGE_COMPUTE;
   shader->info.workgroup_size[0] = AGX_ASSEMBLY_GROUP;
   shader->info.workgroup_size[1] = shader->info.workgroup_size[2] = 1;
   b = nir_builder_at(shader, nir_before_block(nir_first_block(shader)));
   struct nir_def *vertex = nir_channel(&b, nir_load_global_invocation_id(&b), 0);
   struct nir_if *inside = agx_nir_enclose(&b, nir_ult(&b, vertex, agx_nir_assembly(&b, captured, 1)));
   struct nir_def *corners = agx_nir_assembly(&b, corners, 1), *primitives = agx_nir_assembly(&b, primitives, 1);
   struct nir_def *primitive = nir_udiv(&b, vertex, corners), *instance = nir_udiv(&b, primitive, primitives);
   struct nir_def *corner = nir_isub(&b, vertex, nir_imul(&b, primitive, corners));
   struct nir_def *in_instance = nir_isub(&b, primitive, nir_imul(&b, instance, primitives));

   agx_nir_replace_vertex(shader, agx_nir_vertex_index(&b, agx_nir_corner_position(&b, in_instance, corner)),
                          instance);
   b.cursor = nir_after_block(nir_cf_list_last(&inside->then_list));
   store_vertex(&b, &values, vertex);
   return true;
}
