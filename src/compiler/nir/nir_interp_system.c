/* System values and driver arguments of the reference interpreter. */
#include <string.h>

#include "compiler/nir/nir_interp_internal.h"

static void
local_id(const struct nir_machine *interp, uint32_t lane, uint32_t id[3])
{
   const uint32_t *size = interp->shader->info.workgroup_size;
   id[0] = lane % size[0];
   id[1] = lane / size[0] % size[1];
   id[2] = lane / size[0] / size[1];
}

static void
subgroup_mask(uint32_t id, enum nir_intrinsic_op op, uint32_t size, uint32_t words[4])
{
   for (uint32_t i = 0; i < size; i++) {
      bool in = op == NIR_INTRINSIC_load_subgroup_eq_mask   ? i == id
                : op == NIR_INTRINSIC_load_subgroup_ge_mask ? i >= id
                : op == NIR_INTRINSIC_load_subgroup_gt_mask ? i > id
                : op == NIR_INTRINSIC_load_subgroup_le_mask ? i <= id
                                                            : i < id;
      words[i / 32] |= (uint32_t)in << (i % 32);
   }
}

static bool
compute_value(const struct nir_machine *interp, enum nir_intrinsic_op op, uint32_t lane, uint32_t words[4])
{
   const struct nir_interp_params *params = interp->params;
   const uint32_t *size = interp->shader->info.workgroup_size;
   uint32_t id[3], subgroup = params->subgroup_size;
   local_id(interp, lane, id);
   switch ((int)op) {
   case NIR_INTRINSIC_load_local_invocation_id:
      memcpy(words, id, sizeof(id));
      return true;
   case NIR_INTRINSIC_load_local_invocation_index:
      words[0] = lane;
      return true;
   case NIR_INTRINSIC_load_workgroup_id:
      memcpy(words, params->workgroup_id, sizeof(id));
      return true;
   case NIR_INTRINSIC_load_num_workgroups:
      memcpy(words, params->num_workgroups, sizeof(id));
      return true;
   case NIR_INTRINSIC_load_workgroup_size:
      memcpy(words, size, sizeof(id));
      return true;
   case NIR_INTRINSIC_load_global_invocation_id:
      for (unsigned i = 0; i < 3; i++)
         words[i] = params->workgroup_id[i] * size[i] + id[i];
      return true;
   case NIR_INTRINSIC_load_subgroup_size:
      words[0] = subgroup;
      return true;
   case NIR_INTRINSIC_load_subgroup_invocation:
      words[0] = lane % subgroup;
      return true;
   case NIR_INTRINSIC_load_subgroup_id:
      words[0] = lane / subgroup;
      return true;
   case NIR_INTRINSIC_load_num_subgroups:
      words[0] = (interp->num_lanes + subgroup - 1) / subgroup;
      return true;
   case NIR_INTRINSIC_load_subgroup_eq_mask:
   case NIR_INTRINSIC_load_subgroup_ge_mask:
   case NIR_INTRINSIC_load_subgroup_gt_mask:
   case NIR_INTRINSIC_load_subgroup_le_mask:
   case NIR_INTRINSIC_load_subgroup_lt_mask:
      subgroup_mask(lane % subgroup, op, subgroup, words);
      return true;
   case NIR_INTRINSIC_load_helper_invocation:
   case NIR_INTRINSIC_is_helper_invocation:
      words[0] = interp->helper[lane];
      return true;
   default: /* others: no system values */
      return false;
   }
}

static bool
section(const struct nir_machine *interp, enum nir_intrinsic_op op, uint32_t lane, uint32_t words[4])
{
   uint32_t layers = interp->params->section_layers ? interp->params->section_layers : 1;
   words[0] = op == NIR_INTRINSIC_load_section_layers ? layers : lane / 4 % layers;
   return op == NIR_INTRINSIC_load_section_layers || op == NIR_INTRINSIC_load_section_layer;
}

static bool
argument(const struct nir_machine *interp, const struct nir_intrinsic_instr *instr, uint32_t lane, uint32_t words[4])
{
   const struct nir_interp_params *params = interp->params;
   uint32_t base = nir_intrinsic_has_base(instr) ? (uint32_t)nir_intrinsic_base(instr) : 0;
   if (instr->op == NIR_INTRINSIC_load_scalar_arg && base < params->num_scalar_args)
      memcpy(words, params->scalar_args[base], 16);
   else if (instr->op == NIR_INTRINSIC_load_vector_arg && base < params->num_vector_args)
      memcpy(words, params->vector_args[lane * params->num_vector_args + base], 16);
   else
      return false;
   return true;
}

bool
nir_interp_system(struct nir_machine *interp, const struct nir_intrinsic_instr *instr)
{
   bool sysval = nir_intrinsic_infos[instr->op].flags & NIR_INTRINSIC_FLAG_SYSVAL;
   if (!sysval && instr->op != NIR_INTRINSIC_load_scalar_arg && instr->op != NIR_INTRINSIC_load_vector_arg &&
       instr->op != NIR_INTRINSIC_is_helper_invocation && instr->op != NIR_INTRINSIC_load_section_layers &&
       instr->op != NIR_INTRINSIC_load_section_layer)
      return false;
   for (uint32_t lane = 0; lane < interp->num_lanes; lane++) {
      if (!nir_lane_active(interp, lane))
         continue;
      uint32_t words[4] = {};
      if (!compute_value(interp, instr->op, lane, words) && !section(interp, instr->op, lane, words)) {
         if (!sysval && !argument(interp, instr, lane, words))
            return false;
         if (sysval && interp->params->sysvals)
            memcpy(words, interp->params->sysvals[lane][instr->op - NIR_INTRINSIC_load_vertex_id], sizeof(words));
      }
      for (unsigned i = 0; i < instr->def.num_components; i++)
         nir_interp_value(interp, &instr->def, lane)[i].u64 = instr->def.bit_size == 1 ? !!words[i] : words[i];
   }
   return true;
}
