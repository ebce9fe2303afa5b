/* All that turns a fragment shader into a program over the tile buffer. */
#include "compiler/nir/nir_passes.h"
#include "gallium/drivers/asahi/nir/agx_nir_graphics.h"

bool
agx_nir_lower_fragment(struct nir_shader *shader, const struct agx_fragment_registers *registers,
                       const struct agx_fragment_key *key, struct agx_fragment_info *info, const char **error)
{
   *info = (struct agx_fragment_info){0};
   agx_nir_lower_interlock(shader);
   struct nir_variable *killed = agx_nir_lower_discards(shader, registers);

   info->writes_memory = agx_nir_lower_helper_writes(shader, killed, key->per_sample);
   if (!agx_nir_lower_fragment_inputs(shader, registers, key, error) ||
       !agx_nir_lower_fragment_outputs(shader, key, killed, info, error))
      return false;
   agx_nir_lower_samples(shader, key);
   nir_lower_vars_to_ssa(shader);
   return true;
}
