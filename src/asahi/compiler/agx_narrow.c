/* Integers of 32 bits that are proven to fit into 16 become halves, if all that read them take halves there: sums,
 * products, bits, amounts of shifts (all extend a half by zeros). Proven are masks, shifts to the right, places
 * within the workgroup, and sums, products and choices of what is proven.
 *
 * Halves get into the way of pairs, which costs moves, so this is for programs that do not fit into the registers
 * with which most threads run. Floats stay as they are: RelaxedPrecision of arithmetic, which would allow more, is
 * not carried by nir. */
#include "asahi/compiler/agx_ir.h"

struct narrow {
   struct agx_ir *ir;
   uint32_t *most; /* by value: no larger than this, unsigned */
   bool *stays;    /* by value: somebody wants 32 bits */
};

#define HALF_MAX 0xffff

/* ---- proofs ---- */

static uint64_t
most_of(const struct narrow *n, const struct agx_ref *ref)
{
   if (ref->sext || ref->neg || ref->abs)
      return UINT32_MAX;
   if (ref->kind == AGX_IMM)
      return ref->value;
   if (ref->kind == AGX_SSA && ref->size <= 32 && ref->count == 1)
      return n->most[ref->value];
   return ref->kind == AGX_UNIFORM && ref->size == 16 ? HALF_MAX : UINT32_MAX;
}

/* All bits that numbers up to this have. */
static uint64_t
bits_of(uint64_t most)
{
   return most ? UINT64_MAX >> __builtin_clzll(most) : 0;
}

static uint64_t
most_of_sr(unsigned sr)
{
   if (sr >= AGX_SR_THREAD_IN_THREADGROUP_X && sr <= AGX_SR_SIMDGROUP_INDEX_IN_THREADGROUP)
      return HALF_MAX; /* the hardware has 1024 of them */
   return UINT32_MAX;
}

/* Products are of 32 bits at most, and so fit. */
static uint64_t
most_of_result(const struct narrow *n, const struct agx_instr *instr)
{
   const struct agx_ref *src = instr->srcs;
   switch ((int)instr->op) {
   case AGX_OP_IADD:
      return most_of(n, &src[0]) + (most_of(n, &src[1]) << instr->mod.shift);
   case AGX_OP_IMUL:
      return most_of(n, &src[0]) * most_of(n, &src[1]);
   case AGX_OP_IMADD: {
      const uint64_t product = most_of(n, &src[0]) * most_of(n, &src[1]);
      return product > UINT32_MAX ? product : product + (most_of(n, &src[2]) << instr->mod.shift);
   }
   case AGX_OP_AND:
      return MIN2(bits_of(most_of(n, &src[0])), bits_of(most_of(n, &src[1])));
   case AGX_OP_OR:
   case AGX_OP_XOR:
      return bits_of(most_of(n, &src[0]) | most_of(n, &src[1]));
   case AGX_OP_SHR:
      return src[1].kind == AGX_IMM ? most_of(n, &src[0]) >> (src[1].value & 31) : UINT32_MAX;
   case AGX_OP_SHL:
      return src[1].kind == AGX_IMM ? most_of(n, &src[0]) << (src[1].value & 31) : UINT32_MAX;
   case AGX_OP_ICSEL:
   case AGX_OP_FCSEL:
      return MAX2(most_of(n, &src[2]), most_of(n, &src[3]));
   case AGX_OP_LDIMM16:
   case AGX_OP_LDIMM32:
      return instr->mod.imm;
   case AGX_OP_MFSR:
      return most_of_sr(instr->mod.sr);
   default: /* others: anything */
      return UINT32_MAX;
   }
}

static void
prove(struct narrow *n, const struct agx_instr *instr)
{
   for (unsigned k = 0; k < instr->num_dsts; k++) {
      const struct agx_ref *dst = &instr->dsts[k];
      if (dst->kind != AGX_SSA)
         continue;
      const uint64_t most = agx_is_pseudo(instr) || instr->mod.sat ? UINT32_MAX : most_of_result(n, instr);
      n->most[dst->value] = (uint32_t)MIN2(most, dst->size == 16 ? HALF_MAX : UINT32_MAX);
   }
}

/* ---- readers and makers ---- */

static bool
is_sum_or_bits(unsigned op)
{
   return op == AGX_OP_IADD || op == AGX_OP_ISUB || op == AGX_OP_IMUL || op == AGX_OP_IMADD || op == AGX_OP_AND ||
          op == AGX_OP_OR || op == AGX_OP_XOR;
}

static bool
takes_half(const struct agx_instr *instr, unsigned k)
{
   struct agx_ref half = instr->srcs[k];
   half.size = 16;
   if (agx_is_pseudo(instr) || half.sext || half.neg || half.abs || !agx_takes(instr->op, k, &half))
      return false;
   const bool amount = k == 1 && (instr->op == AGX_OP_SHL || instr->op == AGX_OP_SHR);
   return amount || (is_sum_or_bits(instr->op) && !instr->mod.sat);
}

static bool
gives_half(const struct agx_instr *instr)
{
   return (is_sum_or_bits(instr->op) || instr->op == AGX_OP_SHR || instr->op == AGX_OP_SHL ||
           instr->op == AGX_OP_MFSR) &&
          !instr->mod.sat;
}

static bool
is_candidate(const struct narrow *n, const struct agx_ref *ref)
{
   return ref->kind == AGX_SSA && ref->size == 32 && ref->count == 1 && n->most[ref->value] <= HALF_MAX;
}

static void
look_at(struct narrow *n, const struct agx_instr *instr)
{
   for (unsigned k = 0; k < instr->num_srcs; k++) {
      if (is_candidate(n, &instr->srcs[k]) && !takes_half(instr, k))
         n->stays[instr->srcs[k].value] = true;
   }
   for (unsigned k = 0; k < instr->num_dsts; k++) {
      if (is_candidate(n, &instr->dsts[k]) && !gives_half(instr))
         n->stays[instr->dsts[k].value] = true;
   }
}

static void
rewrite(const struct narrow *n, struct agx_ref *ref)
{
   if (is_candidate(n, ref) && !n->stays[ref->value]) {
      ref->size = 16;
      n->ir->values[ref->value].size = 16;
   }
}

static bool
is_comfortable(struct agx_ir *ir)
{
   unsigned all_h = 0;
   for (unsigned v = 1; v < ir->num_values; v++)
      all_h += agx_value_halves(ir, v);
   if (all_h <= agx_comfort_h(ir))
      return true;
   agx_liveness(ir);
   return agx_pressure(ir) <= agx_comfort_h(ir);
}

void
agx_narrow(struct agx_ir *ir)
{
   struct narrow n = {.ir = ir};
   if (is_comfortable(ir))
      return;
   n.most = arena_array(ir->arena, uint32_t, ir->num_values);
   n.stays = arena_array(ir->arena, bool, ir->num_values);
   for (unsigned v = 0; v < ir->num_values; v++)
      n.most[v] = UINT32_MAX; /* sources of phis come later */
   for (unsigned b = 0; b < ir->num_blocks; b++) {
      for (unsigned i = 0; i < ir->blocks[b]->count; i++)
         prove(&n, ir->blocks[b]->instrs[i]);
   }
   for (unsigned b = 0; b < ir->num_blocks; b++) {
      for (unsigned i = 0; i < ir->blocks[b]->count; i++)
         look_at(&n, ir->blocks[b]->instrs[i]);
   }
   for (unsigned b = 0; b < ir->num_blocks; b++) {
      for (unsigned i = 0; i < ir->blocks[b]->count; i++) {
         struct agx_instr *instr = ir->blocks[b]->instrs[i];
         for (unsigned k = 0; k < instr->num_srcs; k++)
            rewrite(&n, &instr->srcs[k]);
         for (unsigned k = 0; k < instr->num_dsts; k++)
            rewrite(&n, &instr->dsts[k]);
      }
   }
}
