#include "compiler/nir/nir_deref.h"
#include "compiler/nir/nir_passes.h"

bool
nir_lower_vars_to_scratch(struct nir_shader *shader)
{
   nir_remove_dead_variables(shader, NIR_VAR_FUNCTION_TEMP);
   /* Those of an earlier time have become offsets: what is new lies after them. */
   return nir_layout_variables(shader, NIR_VAR_FUNCTION_TEMP, &shader->info.scratch_B);
}
