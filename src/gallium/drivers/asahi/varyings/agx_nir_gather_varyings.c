/* What the two sides of an interface say of it (agx_varyings.h). */
#include "compiler/nir/nir.h"
#include "gallium/drivers/asahi/varyings/agx_varyings.h"
#include "util/half.h"
#include "util/macros.h"

/* ---- the vertex program ---- */

/* Whether the constant is the extension of one of 16 bits. */
static bool
constant_fits(uint32_t bits, enum nir_base_type type)
{
   if (type == NIR_TYPE_FLOAT)
      return float_bits(half_to_float(half_from_float(bits_float(bits)))) == bits;
   return type == NIR_TYPE_INT ? (int32_t)bits == (int16_t)bits : bits == (uint16_t)bits;
}

/* Whether 16 bits hold the component as exactly as 32: it has been made from 16. */
static bool
is_exact_in_half(const struct nir_def *def, unsigned component, enum nir_base_type type)
{
   static const enum nir_op extensions[] = {
      [NIR_TYPE_FLOAT] = NIR_OP_f2f32, [NIR_TYPE_INT] = NIR_OP_i2i32, [NIR_TYPE_UINT] = NIR_OP_u2u32};

   if (def->bit_size == 16)
      return true;
   while (def->parent->type == NIR_INSTR_ALU) {
      const struct nir_alu_instr *alu = nir_as_alu(def->parent);
      bool is_vector = alu->op == NIR_OP_vec2 || alu->op == NIR_OP_vec3 || alu->op == NIR_OP_vec4;
      const struct nir_alu_src *src = &alu->src[is_vector ? component : 0];

      if (alu->op == extensions[type])
         return src->src.def->bit_size == 16;
      if (!is_vector && alu->op != NIR_OP_mov)
         return false;
      component = src->swizzle[is_vector ? 0 : component];
      def = src->src.def;
   }
   return def->parent->type == NIR_INSTR_LOAD_CONST && def->bit_size == 32 &&
          constant_fits(nir_as_load_const(def->parent)->value[component].u32, type);
}

static void
gather_output(struct agx_vertex_outputs *outputs, const struct nir_intrinsic_instr *store)
{
   unsigned slot = nir_intrinsic_slot(store), first = nir_intrinsic_component(store);

   for (uint32_t mask = nir_intrinsic_write_mask(store); mask; mask &= mask - 1) {
      unsigned i = (unsigned)__builtin_ctz(mask);
      uint8_t bit = (uint8_t)(1u << (first + i));

      outputs->components.slot[slot] |= bit;
      outputs->half.slot[slot] &= (uint8_t)~bit;
      if (nir_intrinsic_relaxed(store) ||
          is_exact_in_half(store->src[0].def, i, (enum nir_base_type)nir_intrinsic_src_type(store)))
         outputs->half.slot[slot] |= bit;
   }
}

void
agx_nir_gather_vertex_outputs(struct nir_shader *vertex, struct agx_vertex_outputs *outputs)
{
   *outputs = (struct agx_vertex_outputs){.clip_distances = vertex->info.clip_distances,
                                          .cull_distances = vertex->info.cull_distances};
   nir_foreach_block(block, vertex) {
      nir_foreach_instr(instr, block) {
         if (instr->type == NIR_INSTR_INTRINSIC && nir_as_intrinsic(instr)->op == NIR_INTRINSIC_store_output)
            gather_output(outputs, nir_as_intrinsic(instr));
      }
   }
   outputs->components.slot[AGX_SLOT_PLACE] = outputs->components.slot[AGX_SLOT_CORNER] = 15; /* a position always */
}

/* ---- the fragment program ---- */

/* Whether the use, of arithmetic, takes the component. */
static bool
takes_component(const struct nir_src *use, unsigned component)
{
   const struct nir_alu_src *src = container_of(use, struct nir_alu_src, src);
   const struct nir_alu_instr *alu = nir_as_alu(use->parent_instr);
   unsigned count = nir_op_infos[alu->op].src_components[src - alu->src];

   for (unsigned i = 0; i < (count ? count : alu->def.num_components); i++) {
      if (src->swizzle[i] == component)
         return true;
   }
   return false;
}

static bool
uses_component(const struct nir_def *def, unsigned component)
{
   nir_foreach_use(use, def) {
      if (!use->parent_instr || use->parent_instr->type != NIR_INSTR_ALU || takes_component(use, component))
         return true;
   }
   return false;
}

static unsigned
used_components(const struct nir_def *def)
{
   unsigned mask = 0;

   for (unsigned i = 0; i < def->num_components; i++)
      mask |= (unsigned)uses_component(def, i) << i;
   return mask;
}

bool
agx_nir_is_read_in_half(const struct nir_def *def, unsigned component)
{
   nir_foreach_use(use, def) {
      if (!use->parent_instr || use->parent_instr->type != NIR_INSTR_ALU)
         return false;
      enum nir_op op = nir_as_alu(use->parent_instr)->op;

      if (takes_component(use, component) && op != NIR_OP_f2f16)
         return false;
   }
   return true;
}

/* Flat values lose nothing if the rounding is done for the vertex instead. Others would: two large values may cancel
 * each other, and what is left of them in 32 bits is lost in 16. */
static uint8_t
half_components(const struct nir_intrinsic_instr *load, enum nir_interp interp)
{
   uint8_t mask = 0;

   for (unsigned i = 0; i < load->def.num_components; i++) {
      if (load->def.bit_size == 16 || nir_intrinsic_relaxed(load) ||
          (interp == NIR_INTERP_FLAT && agx_nir_is_read_in_half(&load->def, i)))
         mask |= (uint8_t)(1u << i);
   }
   return (uint8_t)(mask << nir_intrinsic_component(load));
}

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
   uint8_t all = (uint8_t)(used_components(&load->def) << nir_intrinsic_component(load));
   uint8_t half = half_components(load, interp) & all, before = reads->components.slot[slot];

   if (!all)
      return;
   if (before && reads->interp[slot] != interp)
      reads->error = "a location of the fragment shader's inputs has components that are interpolated differently";
   reads->interp[slot] = (uint8_t)interp;
   reads->half.slot[slot] = (uint8_t)((reads->half.slot[slot] & ~(all & ~half)) | (half & ~before));
   reads->components.slot[slot] |= all;
}

static void
gather_per_vertex(struct agx_fragment_reads *reads, const struct nir_intrinsic_instr *load)
{
   unsigned slot = nir_intrinsic_slot(load);

   gather_input(reads, load, 1, NIR_INTERP_FLAT);
   if (!nir_src_is_const(load->src[0]) || nir_src_comp_as_uint(load->src[0], 0) >= 3)
      reads->error = "a vertex of the primitive that is no number below 3";
   if (reads->error)
      return;
   slot += (unsigned)nir_src_comp_as_uint(load->src[1], 0);
   reads->per_vertex.slot[slot] |= (uint8_t)(used_components(&load->def) << nir_intrinsic_component(load));
   reads->vertices = true;
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
   case NIR_INTRINSIC_load_per_vertex_input:
      gather_per_vertex(reads, load);
      break;
   case NIR_INTRINSIC_load_barycentric_coord:
      reads->barycentric_coord = true;
      break;
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
