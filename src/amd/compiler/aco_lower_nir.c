/* Last changes of nir before selection: what the instruction set lacks, loop values through phis, divergence. */
#include "amd/compiler/aco_ir.h"
#include "compiler/nir/nir_passes.h"

void
aco_lower_nir(struct nir_shader *nir, bool contract)
{
   static const struct nir_lower_options options = {
      .idiv32 = true, .int64_div = true, .fdiv = true, .fpow = true,
   };
   if (nir_lower_alu_ops(nir, &options)) {
      nir_opt_constant_folding(nir);
      nir_opt_copy_prop(nir);
      nir_opt_dce(nir);
   }
   if (contract && nir_opt_algebraic_late(nir)) {
      nir_opt_copy_prop(nir);
      nir_opt_dce(nir);
   }
   nir_lower_to_lcssa(nir);
   nir_divergence_analysis(nir);
}
