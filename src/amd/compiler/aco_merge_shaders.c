/* Shaders that run in the same waves and ask for different modes of floats. The hardware has one mode a wave, so each
 * shader's code begins with setting its own. What depends on modes in nir is done ahead of the merge: then both ask
 * for what they have in common. */
#include "amd/compiler/aco_ir.h"
#include "compiler/nir/nir_builder.h"
#include "compiler/nir/nir_cf.h"
#include "compiler/nir/nir_passes.h"

/* Bits of nir_float_control for all sizes. */
#define ALL(control) (7u << (control))

static void
settle(struct nir_shader *nir)
{
   NIR_PASS(nir, nir_lower_alu_ops);
   NIR_PASS(nir, nir_flush_signs);
   NIR_PASS(nir, aco_keep_denormals);
   NIR_PASS(nir, nir_opt_constant_folding);
   NIR_PASS(nir, nir_opt_copy_prop);
   NIR_PASS(nir, nir_opt_dce);
   struct nir_builder b = nir_builder_at(nir, nir_before_block(nir_first_block(nir)));
   nir_set_float_mode_amd(&b, .base = nir->info.float_controls);
}

void
aco_merge_shaders(struct nir_shader *first, struct nir_shader *second)
{
   const unsigned a = first->info.float_controls, b = second->info.float_controls, special = ALL(NIR_FLOAT_SPECIAL);
   if (a != b) {
      settle(first);
      settle(second);
      first->info.float_controls = second->info.float_controls =
         (uint16_t)(((a | b) & special) | (a & b & ALL(NIR_FLOAT_TO_ZERO)));
   }
   const bool merged = nir_merge_shaders(first, second);
   assert(merged && "they ask for the same now");
   (void)merged;
}
