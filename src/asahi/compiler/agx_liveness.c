/* Liveness along logical edges: live_in, live_out and the kill marks. Sources of phis count as read at the end of the
 * predecessor, results of phis as defined at the start of the block. */
#include "asahi/compiler/agx_ir.h"

#include <string.h>

static void
walk_block(const struct agx_block *block, bitset_word *live)
{
   for (unsigned i = block->count; i-- > 0;) {
      struct agx_instr *instr = block->instrs[i];
      for (unsigned k = 0; k < instr->num_dsts; k++) {
         struct agx_ref *dst = &instr->dsts[k];
         if (dst->kind != AGX_SSA)
            continue;
         dst->kill = !bitset_test(live, dst->value);
         bitset_clear(live, dst->value);
      }
      if (instr->op == AGX_P_PHI)
         continue;
      for (unsigned k = 0; k < instr->num_srcs; k++) {
         struct agx_ref *src = &instr->srcs[k];
         src->kill = src->kind == AGX_SSA && !bitset_test(live, src->value);
      }
      for (unsigned k = 0; k < instr->num_srcs; k++) {
         if (instr->srcs[k].kind == AGX_SSA)
            bitset_set(live, instr->srcs[k].value);
      }
   }
}

/* What successors read, of phis the source of this edge. */
static void
join_successors(const struct agx_block *block, unsigned words)
{
   for (unsigned i = 0; i < block->succs.count; i++) {
      const struct agx_block *succ = block->succs.at[i];
      for (unsigned w = 0; w < words; w++)
         block->live_out[w] |= succ->live_in[w];
      unsigned edge = 0;
      while (succ->preds.at[edge] != block)
         edge++;
      for (unsigned k = 0; k < agx_ir_begin(succ); k++) {
         const struct agx_instr *phi = succ->instrs[k];
         if (phi->op == AGX_P_PHI && phi->srcs[edge].kind == AGX_SSA)
            bitset_set(block->live_out, phi->srcs[edge].value);
      }
   }
}

/* Empty sets of all blocks, and one more; the memory of the last call, where that is enough. */
static bitset_word *
take_sets(struct agx_ir *ir, unsigned words)
{
   const size_t all = (size_t)words * (2 * (size_t)ir->num_blocks + 1);
   if (all > ir->live_capacity) {
      ir->live_capacity = ir->live_capacity ? all + all / 4 : all;
      ir->live_sets = arena_array(ir->arena, bitset_word, ir->live_capacity);
   }
   memset(ir->live_sets, 0, all * sizeof(*ir->live_sets));
   for (unsigned b = 0; b < ir->num_blocks; b++) {
      ir->blocks[b]->live_in = ir->live_sets + (size_t)words * 2 * b;
      ir->blocks[b]->live_out = ir->blocks[b]->live_in + words;
   }
   return ir->live_sets + (size_t)words * 2 * ir->num_blocks;
}

void
agx_liveness(struct agx_ir *ir)
{
   const unsigned words = BITSET_WORDS(ir->num_values);
   bitset_word *live = take_sets(ir, words);
   bool *waits = arena_array(ir->arena, bool, ir->num_blocks);
   for (unsigned b = 0; b < ir->num_blocks; b++)
      waits[b] = true;
   /* Backwards. Edges back make predecessors wait for another pass; only blocks ahead of a change are walked again.
    */
   bool again = true;
   while (again) {
      again = false;
      for (unsigned b = ir->num_blocks; b-- > 0;) {
         struct agx_block *block = ir->blocks[b];
         if (!waits[b])
            continue;
         waits[b] = false;
         join_successors(block, words);
         memcpy(live, block->live_out, words * sizeof(*live));
         walk_block(block, live);
         if (!memcmp(live, block->live_in, words * sizeof(*live)))
            continue;
         memcpy(block->live_in, live, words * sizeof(*live));
         for (unsigned i = 0; i < block->preds.count; i++) {
            waits[block->preds.at[i]->index] = true;
            again |= block->preds.at[i]->index >= b;
         }
      }
   }
}

unsigned
agx_live_halves(const struct agx_ir *ir, const bitset_word *live)
{
   unsigned halves = 0;
   bitset_for_each(v, live, ir->num_values)
      halves += agx_value_halves(ir, v);
   return halves;
}

/* The first source of the instruction with that value. */
static bool
is_first(const struct agx_instr *instr, unsigned k)
{
   for (unsigned i = 0; i < k; i++) {
      if (instr->srcs[i].kind == AGX_SSA && instr->srcs[i].value == instr->srcs[k].value)
         return false;
   }
   return true;
}

unsigned
agx_live_step(const struct agx_ir *ir, const struct agx_instr *instr, unsigned *live)
{
   for (unsigned k = 0; k < instr->num_srcs && instr->op != AGX_P_PHI; k++)
      *live -= instr->srcs[k].kill && is_first(instr, k) ? agx_value_halves(ir, instr->srcs[k].value) : 0;
   unsigned dead = 0;
   for (unsigned k = 0; k < instr->num_dsts; k++) {
      const struct agx_ref *dst = &instr->dsts[k];
      const unsigned halves = dst->kind == AGX_SSA ? agx_value_halves(ir, dst->value) : 0;
      *live += halves;
      dead += dst->kill ? halves : 0;
   }
   const unsigned peak = *live;
   *live -= dead;
   return peak;
}

unsigned
agx_pressure(const struct agx_ir *ir)
{
   unsigned highest = 0;
   for (unsigned b = 0; b < ir->num_blocks; b++) {
      const struct agx_block *block = ir->blocks[b];
      unsigned live = agx_live_halves(ir, block->live_in);
      highest = MAX2(highest, live);
      for (unsigned i = 0; i < block->count; i++) {
         const unsigned peak = agx_live_step(ir, block->instrs[i], &live);
         highest = MAX2(highest, peak);
      }
   }
   return highest;
}
