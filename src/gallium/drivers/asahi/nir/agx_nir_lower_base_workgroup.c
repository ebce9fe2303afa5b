#include "gallium/drivers/asahi/nir/agx_nir.h"

/* How many invocations lie below the first workgroup, or how many workgroups. */
static struct nir_def *
base(struct nir_builder *b, bool of_invocations)
{
   struct nir_def *groups = agx_nir_arg(b, AGX_TABLE_STAGE, AGX_COMPUTE_BASE_WORKGROUP, 3), *parts[3];

   for (unsigned i = 0; i < 3; i++) {
      struct nir_def *group = nir_channel(b, groups, i);

      parts[i] = of_invocations ? nir_imul_imm(b, group, b->shader->info.workgroup_size[i]) : group;
   }
   return nir_vec(b, parts, 3);
}

void
agx_nir_lower_base_workgroup(struct nir_shader *shader)
{
   struct nir_builder b = {.shader = shader};

   nir_foreach_block(block, shader) {
      nir_foreach_instr_safe(instr, block) {
         struct nir_intrinsic_instr *load = instr->type == NIR_INSTR_INTRINSIC ? nir_as_intrinsic(instr) : NULL;
         bool global = load && load->op == NIR_INTRINSIC_load_global_invocation_id;

         if (!global && (!load || load->op != NIR_INTRINSIC_load_workgroup_id))
            continue;
         b.cursor = nir_before_instr(instr);
         struct nir_def *own = global ? nir_load_global_invocation_id(&b) : nir_load_workgroup_id(&b);
         struct nir_def *sum = nir_iadd(&b, own, base(&b, global));

         nir_def_replace(&load->def, sum);
         nir_instr_remove(instr);
      }
   }
}
