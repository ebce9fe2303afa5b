/* Liveness along logical edges: live sets and the kill marks. Sources of phis count as read at the end of the
 * predecessor, results of phis as defined at the start of the block. */
#include "asahi/compiler/agx_ir.h"

/* From the end of a block to its start. */
static void
walk_block(struct agx_ir *ir, const struct agx_block *block)
{
   for (unsigned i = block->count; i-- > 0;) {
      const struct agx_instr *instr = block->instrs[i];
      for (unsigned k = 0; k < instr->num_dsts; k++) {
         if (instr->dsts[k].kind == AGX_SSA)
            live_clear(&ir->live, instr->dsts[k].value);
      }
      for (unsigned k = 0; k < instr->num_srcs && instr->op != AGX_P_PHI; k++) {
         if (instr->srcs[k].kind == AGX_SSA)
            live_set(&ir->live, instr->srcs[k].value);
      }
   }
}

/* local: of all values, empty between blocks. */
static void
mark_block(const struct agx_ir *ir, const struct agx_block *block, bitset_word *local)
{
   live_for_each(v, &ir->live, live_out(&ir->live, block->index))
      bitset_set(local, v);
   for (unsigned i = block->count; i-- > 0;) {
      struct agx_instr *instr = block->instrs[i];
      for (unsigned k = 0; k < instr->num_dsts; k++) {
         struct agx_ref *dst = &instr->dsts[k];
         if (dst->kind != AGX_SSA)
            continue;
         dst->kill = !bitset_test(local, dst->value);
         bitset_clear(local, dst->value);
      }
      if (instr->op == AGX_P_PHI)
         continue;
      for (unsigned k = 0; k < instr->num_srcs; k++) {
         struct agx_ref *src = &instr->srcs[k];
         src->kill = src->kind == AGX_SSA && !bitset_test(local, src->value);
      }
      for (unsigned k = 0; k < instr->num_srcs; k++) {
         if (instr->srcs[k].kind == AGX_SSA)
            bitset_set(local, instr->srcs[k].value);
      }
   }
   live_for_each(v, &ir->live, live_in(&ir->live, block->index))
      bitset_clear(local, v);
}

/* What successors read, of phis the source of this edge. */
static void
join_successors(struct agx_ir *ir, const struct agx_block *block)
{
   for (unsigned i = 0; i < block->succs.count; i++) {
      const struct agx_block *succ = block->succs.at[i];
      live_add(&ir->live, live_in(&ir->live, succ->index), NULL, false);
      unsigned edge = 0;
      while (succ->preds.at[edge] != block)
         edge++;
      const unsigned begin = agx_ir_begin(succ);
      for (unsigned k = 0; k < begin; k++) {
         const struct agx_instr *phi = succ->instrs[k];
         if (phi->op == AGX_P_PHI && phi->srcs[edge].kind == AGX_SSA)
            live_set(&ir->live, phi->srcs[edge].value);
      }
   }
}

/* Which values cross the border of a block. */
static void
number_values(struct agx_ir *ir)
{
   live_sets_begin(&ir->live, ir->arena, ir->num_values);
   for (unsigned b = 0; b < ir->num_blocks; b++) {
      const struct agx_block *block = ir->blocks[b];
      for (unsigned i = 0; i < block->count; i++) {
         const struct agx_instr *instr = block->instrs[i];
         for (unsigned k = 0; k < instr->num_srcs; k++) {
            if (instr->srcs[k].kind == AGX_SSA && instr->op == AGX_P_PHI)
               live_sets_pass(&ir->live, instr->srcs[k].value);
            else if (instr->srcs[k].kind == AGX_SSA)
               live_sets_read(&ir->live, b, instr->srcs[k].value);
         }
         for (unsigned k = 0; k < instr->num_dsts; k++) {
            if (instr->dsts[k].kind == AGX_SSA)
               live_sets_make(&ir->live, b, instr->dsts[k].value);
         }
      }
   }
   live_sets_number(&ir->live, ir->arena, ir->num_blocks);
}

/* Backwards. Edges back make predecessors wait for another pass; only blocks ahead of a change are walked again. */
static void
spread(struct agx_ir *ir)
{
   bool *waits = arena_array(ir->arena, bool, ir->num_blocks);
   for (unsigned b = 0; b < ir->num_blocks; b++)
      waits[b] = true;
   bool again = true;
   while (again) {
      again = false;
      for (unsigned b = ir->num_blocks; b-- > 0;) {
         struct agx_block *block = ir->blocks[b];
         if (!waits[b])
            continue;
         waits[b] = false;
         join_successors(ir, block);
         live_store(&ir->live, ir->arena, live_out(&ir->live, b));
         walk_block(ir, block);
         if (!live_move(&ir->live, ir->arena, live_in(&ir->live, b)))
            continue;
         for (unsigned i = 0; i < block->preds.count; i++) {
            waits[block->preds.at[i]->index] = true;
            again |= block->preds.at[i]->index >= b;
         }
      }
   }
}

void
agx_liveness(struct agx_ir *ir)
{
   number_values(ir);
   spread(ir);
   bitset_word *local = arena_array(ir->arena, bitset_word, BITSET_WORDS(ir->num_values));
   for (unsigned b = 0; b < ir->num_blocks; b++)
      mark_block(ir, ir->blocks[b], local);
}

unsigned
agx_live_halves(const struct agx_ir *ir, const struct live_set *live)
{
   unsigned halves = 0;
   live_for_each(v, &ir->live, live)
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
      unsigned live = agx_live_halves(ir, live_in(&ir->live, b));
      highest = MAX2(highest, live);
      for (unsigned i = 0; i < block->count; i++) {
         const unsigned peak = agx_live_step(ir, block->instrs[i], &live);
         highest = MAX2(highest, peak);
      }
   }
   return highest;
}
