/* The pipelines: one line a pass. INDIUM_DEBUG=validate validates after each. */
#include "compiler/nir/nir_passes.h"

#define RUN(...) NIR_PASS(shader, __VA_ARGS__)

/* Arrays of up to so many elements with run-time indices become selections. */
#define MAX_SELECTED_ELEMENTS 16

#define MAX_UNROLLED_INSTRS 400

void
nir_lower_variables(struct nir_shader *shader)
{
   RUN(nir_lower_initializers);
   RUN(nir_lower_interp_derefs);
   RUN(nir_lower_io_to_temporaries);
   RUN(nir_lower_copies);
   RUN(nir_opt_constant_folding); /* indices */
   RUN(nir_opt_copy_prop);
   RUN(nir_lower_vars_to_ssa);
   if (RUN(nir_lower_indirect_derefs, MAX_SELECTED_ELEMENTS))
      RUN(nir_lower_vars_to_ssa);
   RUN(nir_remove_phis);
   RUN(nir_opt_copy_prop);
   RUN(nir_opt_dce);
   RUN(nir_lower_vars_to_scratch);
   RUN(nir_lower_shared);
   RUN(nir_lower_explicit_io);
   RUN(nir_opt_undef);
   RUN(nir_propagate_invariant);
   RUN(nir_lower_io);
   RUN(nir_lower_tex);
   RUN(nir_opt_undef);
   RUN(nir_opt_dce);
}

void
nir_optimize(struct nir_shader *shader)
{
   RUN(nir_lower_alu_to_scalar);
   RUN(nir_lower_phis_to_scalar);
   for (unsigned round = 0; round < 10; round++) {
      bool progress = RUN(nir_opt_copy_prop);
      progress |= RUN(nir_remove_phis);
      progress |= RUN(nir_opt_algebraic);
      progress |= RUN(nir_opt_constant_folding);
      progress |= RUN(nir_opt_undef);
      progress |= RUN(nir_opt_cse);
      progress |= RUN(nir_opt_dead_cf);
      progress |= RUN(nir_opt_conditional_discard);
      progress |= RUN(nir_opt_loop_unroll, MAX_UNROLLED_INSTRS);
      progress |= RUN(nir_opt_peephole_select, 8);
      progress |= RUN(nir_opt_dce);
      if (!progress)
         break;
   }
   if (RUN(nir_opt_load_store_vectorize)) {
      RUN(nir_opt_copy_prop);
      RUN(nir_opt_cse);
      RUN(nir_opt_dce);
   }
}
