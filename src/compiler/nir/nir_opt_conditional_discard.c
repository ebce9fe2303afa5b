#include "compiler/nir/nir_builder.h"
#include "compiler/nir/nir_cf.h"
#include "compiler/nir/nir_passes.h"

/* The discard or demote that is all a branch does, or NULL. */
static struct nir_intrinsic_instr *
lone_discard(const struct nir_block *block)
{
   struct nir_instr *instr = nir_block_first(block);
   bool only_instr = !nir_cf_prev(&block->cf) && !nir_cf_next(&block->cf) && instr && instr == nir_block_last(block);
   if (!only_instr || instr->type != NIR_INSTR_INTRINSIC)
      return NULL;
   struct nir_intrinsic_instr *intrinsic = nir_as_intrinsic(instr);
   return intrinsic->op == NIR_INTRINSIC_discard || intrinsic->op == NIR_INTRINSIC_demote ? intrinsic : NULL;
}

bool
nir_opt_conditional_discard(struct nir_shader *shader)
{
   bool progress = false;
   nir_foreach_block(block, shader) {
      struct nir_cf_node *parent = block->cf.parent;
      struct nir_intrinsic_instr *discard = parent && parent->type == NIR_CF_IF ? lone_discard(block) : NULL;
      if (!discard)
         continue;
      struct nir_if *nif = nir_cf_as_if(parent);
      struct nir_builder b = nir_builder_at(shader, nir_after_block(nir_cf_block_before(parent)));
      bool in_then = block == nir_cf_list_first(&nif->then_list);
      struct nir_def *condition = in_then ? nif->condition.def : nir_inot(&b, nif->condition.def);
      if (discard->op == NIR_INTRINSIC_discard)
         nir_discard_if(&b, condition);
      else
         nir_demote_if(&b, condition);
      nir_instr_remove(&discard->instr);
      progress = true;
   }
   return progress;
}
