/* Inputs and outputs of 16 bits as 32: floats keep their value, integers, too. All stages do it, so what one writes
 * the next one reads. */
#include "compiler/nir/nir_builder.h"
#include "compiler/nir/nir_passes.h"

static struct nir_def *
convert(struct nir_builder *b, struct nir_def *x, enum nir_base_type type, unsigned bits)
{
   return type == NIR_TYPE_FLOAT ? nir_f2fN(b, x, bits)
          : type == NIR_TYPE_INT ? nir_i2iN(b, x, bits)
                                 : nir_u2uN(b, x, bits);
}

/* Values of 16 bits that are loaded; NULL: it is no load of them. */
static struct nir_def *
load(struct nir_builder *b, const struct nir_intrinsic_instr *intr)
{
   const unsigned count = intr->num_components;
   switch ((int)intr->op) {
   case NIR_INTRINSIC_load_input:
      return nir_load_input(b, count, 32, intr->src[0].def, .slot = nir_intrinsic_slot(intr),
                            .component = nir_intrinsic_component(intr), .src_type = nir_intrinsic_src_type(intr));
   case NIR_INTRINSIC_load_per_vertex_input:
      return nir_load_per_vertex_input(b, count, 32, intr->src[0].def, intr->src[1].def,
                                       .slot = nir_intrinsic_slot(intr), .component = nir_intrinsic_component(intr),
                                       .src_type = nir_intrinsic_src_type(intr));
   case NIR_INTRINSIC_load_explicit_input:
      return nir_load_explicit_input(b, count, 32, intr->src[0].def, intr->src[1].def,
                                     .slot = nir_intrinsic_slot(intr), .component = nir_intrinsic_component(intr),
                                     .src_type = nir_intrinsic_src_type(intr));
   case NIR_INTRINSIC_load_interpolated_input:
      return nir_load_interpolated_input(b, count, 32, intr->src[0].def, intr->src[1].def,
                                         .slot = nir_intrinsic_slot(intr),
                                         .component = nir_intrinsic_component(intr));
   case NIR_INTRINSIC_load_per_vertex_output:
      return nir_load_per_vertex_output(b, count, 32, intr->src[0].def, intr->src[1].def,
                                        .slot = nir_intrinsic_slot(intr), .component = nir_intrinsic_component(intr),
                                        .src_type = nir_intrinsic_src_type(intr));
   case NIR_INTRINSIC_load_output:
      return nir_load_output(b, count, 32, intr->src[0].def, .slot = nir_intrinsic_slot(intr),
                             .component = nir_intrinsic_component(intr), .src_type = nir_intrinsic_src_type(intr));
   default: /* others: load no inputs */
      return NULL;
   }
}

static bool
widen(struct nir_shader *shader, struct nir_intrinsic_instr *intr)
{
   struct nir_builder b = nir_builder_at(shader, nir_before_instr(&intr->instr));
   if (intr->op == NIR_INTRINSIC_store_output || intr->op == NIR_INTRINSIC_store_per_vertex_output) {
      struct nir_def *value = intr->src[0].def;
      if (value->bit_size != 16)
         return false;
      nir_src_rewrite(&intr->src[0], convert(&b, value, nir_intrinsic_src_type(intr), 32));
      return true;
   }
   if (!nir_intrinsic_infos[intr->op].has_dest || intr->def.bit_size != 16)
      return false;
   struct nir_def *wide = load(&b, intr);
   if (!wide)
      return false;
   const bool interpolated = intr->op == NIR_INTRINSIC_load_interpolated_input;
   nir_def_replace(&intr->def, convert(&b, wide, interpolated ? NIR_TYPE_FLOAT : nir_intrinsic_src_type(intr), 16));
   nir_instr_remove(&intr->instr);
   return true;
}

bool
nir_widen_io(struct nir_shader *shader)
{
   bool progress = false;
   nir_foreach_block(block, shader) {
      nir_foreach_instr_safe(instr, block) {
         if (instr->type == NIR_INSTR_INTRINSIC)
            progress |= widen(shader, nir_as_intrinsic(instr));
      }
   }
   return progress;
}
