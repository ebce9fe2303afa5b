/* The pipelines: one line a pass. INDIUM_DEBUG=validate validates after each. */
#include "compiler/nir/nir_passes.h"

#define RUN(...) NIR_PASS(shader, __VA_ARGS__)

/* Arrays of up to so many elements with run-time indices become selections. */
#define MAX_SELECTED_ELEMENTS 16

#define MAX_UNROLLED_INSTRS 400

void
nir_lower_variables(struct nir_shader *shader)
{
   RUN(nir_lower_constant_tables, MAX_SELECTED_ELEMENTS);
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
   RUN(nir_lower_packed_io);
   RUN(nir_lower_io);
   RUN(nir_lower_tex);
   RUN(nir_opt_undef);
   RUN(nir_opt_dce);
   RUN(nir_lower_variable_pointers);
}

void
nir_optimize(struct nir_shader *shader)
{
   RUN(nir_lower_alu_to_scalar);
   RUN(nir_lower_phis_to_scalar);
   for (struct nir_rounds r = {.shader = shader, .most = 10}; nir_next_round(&r);) {
      NIR_ROUND_PASS(&r, nir_opt_copy_prop);
      NIR_ROUND_PASS(&r, nir_remove_phis);
      NIR_ROUND_PASS(&r, nir_opt_algebraic);
      NIR_ROUND_PASS(&r, nir_opt_constant_folding);
      NIR_ROUND_PASS(&r, nir_opt_undef);
      NIR_ROUND_PASS(&r, nir_opt_cse);
      NIR_ROUND_PASS(&r, nir_opt_dead_cf);
      NIR_ROUND_PASS(&r, nir_opt_conditional_discard);
      NIR_ROUND_PASS(&r, nir_opt_loop_unroll, MAX_UNROLLED_INSTRS);
      NIR_ROUND_PASS(&r, nir_opt_peephole_select, 8);
      NIR_PASS(r.shader, nir_opt_dce); /* its changes give the other passes nothing to do */
   }
   if (RUN(nir_opt_load_store_vectorize)) {
      RUN(nir_opt_copy_prop);
      RUN(nir_opt_cse);
      RUN(nir_opt_dce);
   }
}
