#include "agx_random.h"

#include "compiler/nir/nir_builder.h"

/* Nobody writes the input buffer: what is read there at the same place by all can be read once. */
static void
mark_input(struct nir_shader *nir)
{
   nir_foreach_block(block, nir) {
      nir_foreach_instr(instr, block) {
         if (instr->type != NIR_INSTR_INTRINSIC || nir_as_intrinsic(instr)->op != NIR_INTRINSIC_load_ssbo)
            continue;
         struct nir_intrinsic_instr *load = nir_as_intrinsic(instr);
         const struct nir_instr *buffer = load->src[0].def->parent;
         if (buffer->type == NIR_INSTR_INTRINSIC && nir_as_intrinsic(buffer)->op == NIR_INTRINSIC_load_uniform_agx &&
             nir_intrinsic_base(nir_as_intrinsic(buffer)) == AGX_RANDOM_IN_H)
            nir_intrinsic_set_access(load, nir_intrinsic_access(load) | NIR_ACCESS_CAN_REORDER);
      }
   }
}

struct nir_shader *
agx_random_shader(struct arena *arena, const struct nir_random_options *options)
{
   struct nir_random_options own = *options;
   own.descriptors_as_args = true;
   struct nir_shader *nir = nir_random_shader(arena, &own);
   nir_foreach_block(block, nir) {
      nir_foreach_instr_safe(instr, block) {
         if (instr->type != NIR_INSTR_INTRINSIC || nir_as_intrinsic(instr)->op != NIR_INTRINSIC_load_scalar_arg)
            continue;
         struct nir_intrinsic_instr *intr = nir_as_intrinsic(instr);
         struct nir_builder b = nir_builder_at(nir, nir_before_instr(instr));
         const int32_t half = nir_intrinsic_base(intr) ? AGX_RANDOM_OUT_H : AGX_RANDOM_IN_H;
         nir_def_replace(&intr->def, nir_load_uniform_agx(&b, intr->def.num_components, 32, .base = half));
         nir_instr_remove(instr);
      }
   }
   mark_input(nir);
   nir->info.robust_uniform = nir->info.robust_storage = NIR_ROBUST_INSIDE;
   return nir;
}

struct agx_options
agx_test_options(void)
{
   return (struct agx_options){.uniforms_h = AGX_RANDOM_UNIFORMS_H, .validate = true, .no_contract = true};
}
