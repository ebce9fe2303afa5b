#include "compiler/nir/nir_deref.h"
#include "compiler/nir/nir_passes.h"

bool
nir_lower_shared(struct nir_shader *shader)
{
   shader->info.shared_B = 0;
   return nir_layout_variables(shader, NIR_VAR_SHARED, &shader->info.shared_B);
}
