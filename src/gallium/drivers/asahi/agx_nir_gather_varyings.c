/* What the two sides of an interface say of it (agx_varyings.h). */
#include "gallium/drivers/asahi/agx_varyings.h"
#include "util/macros.h"

/* ---- the vertex program ---- */

void
agx_nir_gather_vertex_leaves(struct nir_shader *vertex, struct agx_vertex_leaves *leaves)
{
   *leaves = (struct agx_vertex_leaves){.clip_distances = vertex->info.clip_distances,
                                        .cull_distances = vertex->info.cull_distances};
   nir_foreach_block(block, vertex) {
      nir_foreach_instr(instr, block) {
         const struct nir_intrinsic_instr *store = nir_as_intrinsic(instr);

         if (instr->type == NIR_INSTR_INTRINSIC && store->op == NIR_INTRINSIC_store_output)
            leaves->components.slot[nir_intrinsic_slot(store)] |=
               (uint8_t)(nir_intrinsic_write_mask(store) << nir_intrinsic_component(store));
      }
   }
}

/* ---- the fragment program ---- */

static void
gather_input(struct agx_fragment_reads *reads, const struct nir_intrinsic_instr *load, unsigned offset_src,
             enum nir_interp interp)
{
   unsigned slot = nir_intrinsic_slot(load);

   if (!nir_src_is_const(load->src[offset_src])) {
      reads->error = "fragment inputs that are indexed at run time are not supported";
      return;
   }
   slot += (unsigned)nir_src_comp_as_uint(load->src[offset_src], 0);
   if (slot == NIR_SLOT_PRIMITIVE_ID)
      reads->primitive_id = true;
   if (reads->components.slot[slot] && reads->interp[slot] != interp)
      reads->error = "a location of the fragment shader's inputs has components that are interpolated differently";
   reads->interp[slot] = (uint8_t)interp;
   reads->components.slot[slot] |= (uint8_t)(((1u << load->def.num_components) - 1) << nir_intrinsic_component(load));
}

static bool
uses_component(const struct nir_def *def, unsigned component)
{
   nir_foreach_use(use, def) {
      if (!use->parent_instr || use->parent_instr->type != NIR_INSTR_ALU)
         return true;
      const struct nir_alu_src *src = container_of(use, struct nir_alu_src, src);
      const struct nir_alu_instr *alu = nir_as_alu(use->parent_instr);
      unsigned count = nir_op_infos[alu->op].src_components[src - alu->src];

      for (unsigned i = 0; i < (count ? count : alu->def.num_components); i++) {
         if (src->swizzle[i] == component)
            return true;
      }
   }
   return false;
}

static void
gather_read(struct agx_fragment_reads *reads, const struct nir_intrinsic_instr *load)
{
   switch ((int)load->op) {
   case NIR_INTRINSIC_load_input:
      gather_input(reads, load, 0, NIR_INTERP_FLAT);
      break;
   case NIR_INTRINSIC_load_interpolated_input: {
      const struct nir_intrinsic_instr *barycentric = nir_as_intrinsic(load->src[0].def->parent);

      gather_input(reads, load, 1, (enum nir_interp)nir_intrinsic_interp(barycentric));
      break;
   }
   case NIR_INTRINSIC_load_frag_coord:
      reads->frag_coord_z |= uses_component(&load->def, 2);
      break;
   case NIR_INTRINSIC_load_point_coord:
      reads->point_coord = true;
      break;
   case NIR_INTRINSIC_load_primitive_id:
      reads->primitive_id = true;
      break;
   default: /* others: read nothing that comes from vertices */
      break;
   }
}

void
agx_nir_gather_fragment_reads(struct nir_shader *fragment, struct agx_fragment_reads *reads)
{
   *reads = (struct agx_fragment_reads){0};
   nir_foreach_block(block, fragment) {
      nir_foreach_instr(instr, block) {
         if (instr->type == NIR_INSTR_INTRINSIC)
            gather_read(reads, nir_as_intrinsic(instr));
      }
   }
}
