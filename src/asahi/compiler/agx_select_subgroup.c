/* Selection of operations between threads, and of barriers. What is left after agx_lower_nir_subgroup.c is on 16 and
 * 32 bits. */
#include "asahi/compiler/agx_select.h"

static const struct {
   uint8_t nir, op;
} reductions[] = {
   {NIR_OP_iand, AGX_SUBGROUP_OP_AND},  {NIR_OP_fadd, AGX_SUBGROUP_OP_FADD}, {NIR_OP_ior, AGX_SUBGROUP_OP_OR},
   {NIR_OP_fmul, AGX_SUBGROUP_OP_FMUL}, {NIR_OP_ixor, AGX_SUBGROUP_OP_XOR},  {NIR_OP_fmin, AGX_SUBGROUP_OP_FMIN},
   {NIR_OP_fmax, AGX_SUBGROUP_OP_FMAX}, {NIR_OP_iadd, AGX_SUBGROUP_OP_IADD}, {NIR_OP_imin, AGX_SUBGROUP_OP_SMIN},
   {NIR_OP_imax, AGX_SUBGROUP_OP_SMAX}, {NIR_OP_umin, AGX_SUBGROUP_OP_UMIN}, {NIR_OP_umax, AGX_SUBGROUP_OP_UMAX},
};

static bool
reduce(struct sel *c, struct nir_intrinsic_instr *intr, bool quad, bool prefix)
{
   const enum nir_op op = (enum nir_op)nir_intrinsic_reduction_op(intr);
   for (unsigned n = 0; n < ARRAY_SIZE(reductions); n++) {
      if (reductions[n].nir != op)
         continue;
      for (unsigned i = 0; i < intr->def.num_components; i++) {
         const struct agx_ref x = sel_src(c, &intr->src[0], i);
         sel_set(c, &intr->def, i, quad ? agx_quad(&c->b, x.size, x) : agx_simd(&c->b, x.size, x));
         c->b.last->mod.subgroup_op = reductions[n].op;
         c->b.last->mod.prefix = prefix;
      }
      return true;
   }
   return false;
}

/* Of threads whose number in the group is a constant combination of the own. */
static void
shuffle(struct sel *c, struct nir_intrinsic_instr *intr, unsigned op, bool simd, struct agx_ref index)
{
   for (unsigned i = 0; i < intr->def.num_components; i++) {
      const struct agx_ref x = sel_src(c, &intr->src[0], i);
      sel_set(c, &intr->def, i, agx_shuffle(&c->b, x.size, x, index));
      c->b.last->mod.shuffle_op = op;
      c->b.last->mod.scope = simd;
   }
}

static bool
const_shuffle(struct sel *c, struct nir_intrinsic_instr *intr, unsigned op, bool simd)
{
   if (!nir_src_is_const(intr->src[1]))
      return false;
   shuffle(c, intr, op, simd, agx_imm((uint32_t)nir_src_comp_as_uint(intr->src[1], 0) & (simd ? 31 : 3)));
   return true;
}

static void
ballot(struct sel *c, struct nir_intrinsic_instr *intr)
{
   const bool known = nir_src_is_const(intr->src[0]);
   struct agx_ref result;
   if (known && nir_src_comp_as_uint(intr->src[0], 0)) { /* all that run: has a row of its own */
      result = agx_ballot(&c->b, 32);
   } else if (known) {
      result = sel_copy(c, sel_imm(c, 32, 0));
   } else {
      result = agx_icmp_ballot(&c->b, 32, sel_src(c, &intr->src[0], 0), agx_imm(0));
      c->b.last->mod.icond = AGX_ICOND_INE;
      c->b.last->mod.scope = 1;
   }
   sel_set(c, &intr->def, 0, result);
   for (unsigned i = 1; i < intr->def.num_components; i++)
      sel_set(c, &intr->def, i, sel_copy(c, sel_imm(c, 32, 0)));
}

static void
elect(struct sel *c, struct nir_intrinsic_instr *intr)
{
   const struct agx_ref place = agx_ir_value(c->ir, 16, 1);
   agx_mfsr_to(&c->b, place)->mod.sr = AGX_SR_ACTIVE_THREAD_INDEX_IN_SIMDGROUP;
   sel_set(c, &intr->def, 0, sel_icsel(c, 16, AGX_ICOND_IEQ, place, agx_imm(0), agx_imm(1), agx_imm(0)));
}

bool
sel_subgroup(struct sel *c, struct nir_intrinsic_instr *intr)
{
   c->out->fs.disables_tri_merging |= nir_intrinsic_infos[intr->op].flags & NIR_INTRINSIC_FLAG_SUBGROUP;
   switch ((int)intr->op) {
   case NIR_INTRINSIC_elect:
      elect(c, intr);
      return true;
   case NIR_INTRINSIC_ballot:
      ballot(c, intr);
      return true;
   case NIR_INTRINSIC_reduce:
      return reduce(c, intr, nir_intrinsic_cluster_size(intr) == 4, false);
   case NIR_INTRINSIC_exclusive_scan:
      return reduce(c, intr, false, true);
   case NIR_INTRINSIC_shuffle_xor:
      return const_shuffle(c, intr, AGX_SHUFFLE_OP_XOR, true);
   case NIR_INTRINSIC_shuffle_up:
      return const_shuffle(c, intr, AGX_SHUFFLE_OP_UP, true);
   case NIR_INTRINSIC_shuffle_down:
      return const_shuffle(c, intr, AGX_SHUFFLE_OP_DOWN, true);
   case NIR_INTRINSIC_quad_broadcast:
      return const_shuffle(c, intr, AGX_SHUFFLE_OP_NONE, false);
   case NIR_INTRINSIC_quad_swap_horizontal:
      shuffle(c, intr, AGX_SHUFFLE_OP_XOR, false, agx_imm(1));
      return true;
   case NIR_INTRINSIC_quad_swap_vertical:
      shuffle(c, intr, AGX_SHUFFLE_OP_XOR, false, agx_imm(2));
      return true;
   case NIR_INTRINSIC_quad_swap_diagonal:
      shuffle(c, intr, AGX_SHUFFLE_OP_XOR, false, agx_imm(3));
      return true;
   default: /* others: lowered, or nothing between threads */
      return false;
   }
}

/* ---- barriers ---- */

static void
fixed(struct sel *c, unsigned op)
{
   agx_build_pseudo(&c->b, op, 0, 0);
}

static bool
has_images(const struct nir_shader *nir)
{
   nir_foreach_block(block, nir) {
      nir_foreach_instr(instr, block) {
         if (instr->type == NIR_INSTR_INTRINSIC && (nir_as_intrinsic(instr)->op == NIR_INTRINSIC_image_load_agx ||
                                                    nir_as_intrinsic(instr)->op == NIR_INTRINSIC_image_store_agx))
            return true;
      }
   }
   return false;
}

static void
fence_device(struct sel *c)
{
   static const uint16_t ops[] = {AGX_OP_UNKNOWN_BARRIER_1, AGX_OP_MEMORY_BARRIER_2, AGX_OP_DEVICE_BARRIER_2,
                                  AGX_OP_UNKNOWN_BARRIER_2, AGX_OP_MEMORY_BARRIER_3, AGX_OP_DEVICE_BARRIER_1};
   for (unsigned i = 0; i < ARRAY_SIZE(ops); i++)
      fixed(c, ops[i]);
}

void
sel_fence_pixels(struct sel *c)
{
   fixed(c, AGX_OP_MEMORY_BARRIER);
   fence_device(c);
   if (!has_images(c->nir))
      return;
   fixed(c, AGX_OP_IMAGE_BARRIER_1);
   fixed(c, AGX_OP_IMAGE_BARRIER_2);
   fixed(c, AGX_OP_FLUSH_MEMORY_TO_TEXTURE);
   fixed(c, AGX_OP_IMAGE_BARRIER_3);
}

/* The sequences of Mesa's driver; what each single instruction does is not known. */
bool
sel_barrier(struct sel *c, struct nir_intrinsic_instr *intr)
{
   if (intr->op != NIR_INTRINSIC_barrier)
      return false;
   const uint32_t modes = nir_intrinsic_memory_modes(intr);
   const enum nir_scope scope = nir_intrinsic_memory_scope(intr);
   const bool memory = modes & (NIR_VAR_SSBO | NIR_VAR_UNIFORM | NIR_VAR_UBO) && scope > NIR_SCOPE_SUBGROUP;
   const bool images = modes & NIR_VAR_UNIFORM && scope > NIR_SCOPE_SUBGROUP;
   const bool execution = nir_intrinsic_execution_scope(intr) > NIR_SCOPE_SUBGROUP;
   if (memory)
      fixed(c, AGX_OP_MEMORY_BARRIER);
   if (images) {
      fixed(c, AGX_OP_IMAGE_BARRIER_1);
      fixed(c, AGX_OP_IMAGE_BARRIER_2);
   }
   if (memory && scope > NIR_SCOPE_WORKGROUP)
      fence_device(c);
   if (execution)
      fixed(c, AGX_OP_BARRIER);
   if (images) {
      fixed(c, AGX_OP_IMAGE_BARRIER_3);
      fixed(c, AGX_OP_IMAGE_BARRIER_4);
   }
   return true;
}
