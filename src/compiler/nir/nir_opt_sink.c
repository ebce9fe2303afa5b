#include "compiler/nir/nir_cf.h"
#include "compiler/nir/nir_passes.h"

/* Cheap to hold nowhere, and the same wherever it is executed. */
static bool
is_movable(const struct nir_instr *instr)
{
   if (instr->type == NIR_INSTR_LOAD_CONST || instr->type == NIR_INSTR_UNDEF)
      return true;
   if (instr->type != NIR_INSTR_INTRINSIC)
      return false;
   const struct nir_intrinsic_instr *intrinsic = nir_as_intrinsic(instr);
   const uint8_t wanted = NIR_INTRINSIC_FLAG_REORDER | NIR_INTRINSIC_FLAG_ELIM;
   uint8_t flags = nir_intrinsic_infos[intrinsic->op].flags;
   return (flags & (wanted | NIR_INTRINSIC_FLAG_CONVERGENT)) == wanted && intrinsic->op >= NIR_INTRINSIC_load_ubo &&
          intrinsic->op <= NIR_INTRINSIC_load_barycentric_at_offset;
}

/* Where a use takes place: a phi reads at the end of the predecessor, an if in the block before it. */
static struct nir_block *
block_of_use(const struct nir_src *use)
{
   if (use->parent_if)
      return nir_cf_block_before(&use->parent_if->cf);
   if (use->parent_instr->type == NIR_INSTR_PHI)
      return container_of(use, struct nir_phi_src, src)->pred;
   return use->parent_instr->block;
}

static struct nir_block *
common_dominator(struct nir_block *a, struct nir_block *b)
{
   while (a != b) {
      struct nir_block **later = a->index > b->index ? &a : &b;
      if (!(*later)->idom)
         return NULL; /* code that nothing reaches */
      *later = (*later)->idom;
   }
   return a;
}

static bool
sink(struct nir_instr *instr)
{
   struct nir_block *block = NULL;
   nir_foreach_use(use, nir_instr_def(instr)) {
      block = block ? common_dominator(block, block_of_use(use)) : block_of_use(use);
      if (!block)
         return false;
   }
   while (block && block->loop_depth > instr->block->loop_depth)
      block = block->idom;
   if (!block || block == instr->block || !nir_block_dominates(instr->block, block))
      return false;
   struct list_head *place = nir_cursor_link(nir_before_block(block));
   list_remove(&instr->link);
   list_add_after(&instr->link, place);
   instr->block = block;
   return true;
}

bool
nir_opt_sink(struct nir_shader *shader)
{
   bool progress = false;
   nir_compute_dominance(shader);
   struct nir_block **order = arena_array(shader->arena, struct nir_block *, shader->num_blocks);
   nir_foreach_block(block, shader)
      order[block->index] = block;
   for (uint32_t i = shader->num_blocks; i-- > 0;) { /* users first */
      nir_foreach_instr_reverse_safe(instr, order[i]) {
         if (is_movable(instr))
            progress |= sink(instr);
      }
   }
   return progress;
}
