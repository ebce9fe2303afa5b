/* Removes what nobody reads: from the end to the start, so that what only the removed read goes too; around loops,
 * again until nothing changes. */
#include "asahi/compiler/agx_ir.h"

/* Whether it does more than make its results. */
static bool
has_effect(const struct agx_instr *instr)
{
   if (agx_is_pseudo(instr))
      return !instr->num_dsts || instr->op == AGX_P_PRELOAD;
   if (!instr->num_dsts || instr->dsts[0].kind != AGX_SSA)
      return true;
   const enum agx_class class = agx_isa_op_info(instr->op).class;
   return class == AGX_CLASS_FLOW || class == AGX_CLASS_HELPER || class == AGX_CLASS_SYNC ||
          instr->op == AGX_OP_ATOMIC || instr->op == AGX_OP_LATOMIC;
}

static bool
is_read(const struct agx_instr *instr, const uint32_t *readers)
{
   for (unsigned k = 0; k < instr->num_dsts; k++) {
      if (instr->dsts[k].kind == AGX_SSA && readers[instr->dsts[k].value])
         return true;
   }
   return false;
}

/* Parts of a split that nobody reads are skipped; an atomic that nobody reads has no result. */
static void
drop_results(struct agx_instr *instr, const uint32_t *readers)
{
   for (unsigned k = 0; k < instr->num_dsts; k++) {
      struct agx_ref *dst = &instr->dsts[k];
      if (dst->kind != AGX_SSA || readers[dst->value])
         continue;
      if (instr->op == AGX_P_SPLIT)
         *dst = agx_undef(dst->size, dst->count);
      else if (instr->op == AGX_OP_ATOMIC || instr->op == AGX_OP_LATOMIC)
         *dst = agx_none();
   }
}

static void
count_readers(const struct agx_ir *ir, uint32_t *readers)
{
   for (unsigned b = 0; b < ir->num_blocks; b++) {
      for (unsigned i = 0; i < ir->blocks[b]->count; i++) {
         const struct agx_instr *instr = ir->blocks[b]->instrs[i];
         for (unsigned k = 0; k < instr->num_srcs; k++) {
            if (instr->srcs[k].kind == AGX_SSA)
               readers[instr->srcs[k].value]++;
         }
      }
   }
}

static bool
clean_block(struct agx_block *block, uint32_t *readers)
{
   unsigned kept = block->count;
   for (unsigned i = block->count; i-- > 0;) {
      struct agx_instr *instr = block->instrs[i];
      if (has_effect(instr) || is_read(instr, readers)) {
         block->instrs[--kept] = instr;
         drop_results(instr, readers);
         continue;
      }
      for (unsigned k = 0; k < instr->num_srcs; k++) {
         if (instr->srcs[k].kind == AGX_SSA)
            readers[instr->srcs[k].value]--;
      }
   }
   for (unsigned i = kept; i < block->count; i++)
      block->instrs[i - kept] = block->instrs[i];
   block->count -= kept;
   return kept;
}

void
agx_dead_code(struct agx_ir *ir)
{
   uint32_t *readers = arena_array(ir->arena, uint32_t, ir->num_values);
   count_readers(ir, readers);
   bool removed = true;
   while (removed) {
      removed = false;
      for (unsigned b = ir->num_blocks; b-- > 0;)
         removed |= clean_block(ir->blocks[b], readers);
   }
}
