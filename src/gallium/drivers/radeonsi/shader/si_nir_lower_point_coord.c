#include "compiler/nir/nir_builder.h"
#include "gallium/drivers/radeonsi/shader/si_nir.h"

/* A location that no input variable of the shader has. */
static int
free_slot(const struct nir_shader *shader)
{
   for (int slot = NIR_SLOT_VAR31; slot >= NIR_SLOT_VAR0; slot--) {
      bool used = false;

      nir_foreach_variable(var, shader) {
         int last = var->location + (int)nir_type_slots(var->type) - 1;

         used |= var->mode == NIR_VAR_SHADER_IN && var->location <= slot && slot <= last;
      }
      if (!used)
         return slot;
   }
   return -1;
}

int
si_nir_lower_point_coord(struct nir_shader *shader)
{
   struct nir_builder b = {.shader = shader};
   int slot = -1;

   nir_foreach_block(block, shader) {
      nir_foreach_instr_safe(instr, block) {
         if (instr->type != NIR_INSTR_INTRINSIC || nir_as_intrinsic(instr)->op != NIR_INTRINSIC_load_point_coord)
            continue;
         if (slot < 0)
            slot = free_slot(shader);
         if (slot < 0)
            return -1;
         b.cursor = nir_before_instr(instr);
         struct nir_def *barycentric = nir_load_barycentric_pixel(&b, .interp = NIR_INTERP_SMOOTH);
         struct nir_def *coord =
            nir_load_interpolated_input(&b, 2, 32, barycentric, nir_imm_int(&b, 0), .slot = (uint32_t)slot);
         nir_def_replace(&nir_as_intrinsic(instr)->def, coord);
         nir_instr_remove(instr);
      }
   }
   return slot;
}
