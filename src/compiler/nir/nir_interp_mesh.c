/* Task and mesh shaders in the reference interpreter: all invocations see what one stored, at once. */
#include "compiler/nir/nir_interp_internal.h"

/* NULL: there is no such slot. */
static uint32_t *
component(struct nir_machine *interp, const struct nir_intrinsic_instr *instr, uint32_t lane, unsigned c)
{
   const unsigned first = !nir_intrinsic_infos[instr->op].has_dest; /* source with the number */
   const uint32_t number = nir_interp_value(interp, instr->src[first].def, lane)->u32;
   const uint32_t slot = nir_intrinsic_slot(instr) + nir_interp_value(interp, instr->src[first + 1].def, lane)->u32;
   struct nir_interp_mesh *mesh = interp->result.mesh;
   if (number >= NIR_MAX_MESH_VERTICES || slot >= NIR_SLOT_COUNT || nir_intrinsic_component(instr) + c >= 4)
      return NULL;
   const bool whole = interp->shader->info.primitive_outputs >> nir_intrinsic_slot(instr) & 1;
   return &(whole ? mesh->primitives : mesh->vertices)[number][slot][nir_intrinsic_component(instr) + c];
}

static void
store_output(struct nir_machine *interp, const struct nir_intrinsic_instr *instr, uint32_t lane)
{
   const union nir_const_value *value = nir_interp_value(interp, instr->src[0].def, lane);
   for (unsigned c = 0; c < instr->num_components; c++) {
      uint32_t *to = component(interp, instr, lane, c);
      if (to && nir_intrinsic_write_mask(instr) >> c & 1)
         *to = value[c].u32;
   }
}

static void
load_output(struct nir_machine *interp, const struct nir_intrinsic_instr *instr, uint32_t lane)
{
   union nir_const_value *value = nir_interp_value(interp, &instr->def, lane);
   for (unsigned c = 0; c < instr->num_components; c++) {
      const uint32_t *from = component(interp, instr, lane, c);
      value[c].u64 = from ? *from : 0;
   }
}

static void
launch(struct nir_machine *interp, const struct nir_intrinsic_instr *instr)
{
   struct nir_interp_mesh *mesh = interp->result.mesh;
   mesh->launched = true;
   for (unsigned c = 0; c < 3; c++)
      mesh->workgroups[c] = nir_interp_value(interp, instr->src[0].def, 0)[c].u32;
}

bool
nir_interp_mesh(struct nir_machine *interp, const struct nir_intrinsic_instr *instr, uint32_t lane)
{
   struct nir_interp_mesh *mesh = interp->result.mesh;
   if (!mesh)
      return false;
   switch ((int)instr->op) {
   case NIR_INTRINSIC_store_per_vertex_output:
      store_output(interp, instr, lane);
      return true;
   case NIR_INTRINSIC_load_per_vertex_output:
      load_output(interp, instr, lane);
      return true;
   case NIR_INTRINSIC_set_mesh_outputs:
      if (!lane) {
         mesh->num_vertices = nir_interp_value(interp, instr->src[0].def, 0)->u32;
         mesh->num_primitives = nir_interp_value(interp, instr->src[1].def, 0)->u32;
      }
      return true;
   case NIR_INTRINSIC_launch_mesh_workgroups:
      launch(interp, instr);
      return true;
   default: /* others: not of these stages alone */
      return false;
   }
}
