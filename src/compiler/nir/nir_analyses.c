/* Numbering, predecessors and dominance. Each function computes from the structure whatever it needs; all are linear
 * but for dominance, whose iteration ends after as many rounds as loops nest. */
#include "compiler/nir/nir_cf.h"

#include "util/macros.h"

void
nir_index_blocks(struct nir_shader *shader)
{
   uint32_t index = 0;
   unsigned depth = 0;
   const struct nir_cf_node *around = NULL;
   nir_foreach_block(block, shader) {
      /* The depth changes only where the surrounding node does. */
      if (block->cf.parent != around) {
         around = block->cf.parent;
         depth = 0;
         for (const struct nir_cf_node *node = around; node; node = node->parent)
            depth += node->type == NIR_CF_LOOP;
      }
      block->loop_depth = (uint8_t)MIN2(depth, 255u);
      block->index = index++;
   }
   shader->num_blocks = index;
   shader->end_block->index = index;
}

void
nir_index_instrs(struct nir_shader *shader)
{
   uint32_t index = 0;
   nir_foreach_block(block, shader) {
      nir_foreach_instr(instr, block)
         instr->index = index++;
   }
   shader->num_instrs = index;
}

void
nir_index_defs(struct nir_shader *shader)
{
   uint32_t index = 0;
   nir_foreach_block(block, shader) {
      nir_foreach_instr(instr, block) {
         struct nir_def *def = nir_instr_def(instr);
         if (def)
            def->index = index++;
      }
   }
   shader->num_defs = index;
   shader->next_index = MAX2(shader->next_index, index);
}

static void
add_pred(struct nir_shader *shader, struct nir_block *block, struct nir_block *pred)
{
   block->preds = arena_room(shader->arena, block->preds, sizeof(*block->preds), block->num_preds, &block->max_preds);
   block->preds[block->num_preds++] = pred;
}

void
nir_compute_preds(struct nir_shader *shader)
{
   nir_foreach_block(block, shader)
      block->num_preds = 0;
   shader->end_block->num_preds = 0;
   nir_foreach_block(block, shader) {
      nir_block_successors(shader, block, block->succ);
      for (unsigned i = 0; i < 2 && block->succ[i]; i++)
         add_pred(shader, block->succ[i], block);
   }
}

static struct nir_block *
intersect(struct nir_block *a, struct nir_block *b)
{
   while (a != b) {
      while (a->index > b->index)
         a = a->idom;
      while (b->index > a->index)
         b = b->idom;
   }
   return a;
}

/* True if the immediate dominator changed. */
static bool
update_idom(struct nir_block *block)
{
   struct nir_block *idom = NULL;
   for (uint32_t i = 0; i < block->num_preds; i++) {
      struct nir_block *pred = block->preds[i];
      if (!pred->idom)
         continue; /* not reached so far */
      idom = idom ? intersect(pred, idom) : pred;
   }
   bool changed = block->idom != idom;
   block->idom = idom;
   return changed;
}

/* Intervals of a walk of the dominator tree: dominators stand before the blocks they dominate, so sizes add up
 * backwards and positions forwards. */
static void
number_tree(struct nir_shader *shader)
{
   uint32_t count = shader->num_blocks + 1;
   struct nir_block **order = arena_array(shader->arena, struct nir_block *, count);
   nir_foreach_block(block, shader)
      order[block->index] = block;
   order[count - 1] = shader->end_block;
   for (uint32_t i = 0; i < count; i++)
      order[i]->dom_post = 1; /* size of the subtree */
   for (uint32_t i = count; i-- > 1;) {
      if (order[i]->idom)
         order[i]->idom->dom_post += order[i]->dom_post;
   }
   uint32_t unreachable = order[0]->dom_post;
   order[0]->dom_pre = 0;
   uint32_t *next = arena_array(shader->arena, uint32_t, count);
   next[0] = 1;
   for (uint32_t i = 1; i < count; i++) {
      uint32_t *position = order[i]->idom ? &next[order[i]->idom->index] : &unreachable;
      order[i]->dom_pre = *position;
      *position += order[i]->dom_post;
      next[i] = order[i]->dom_pre + 1;
   }
   for (uint32_t i = 0; i < count; i++)
      order[i]->dom_post += order[i]->dom_pre - 1;
}

void
nir_compute_dominance(struct nir_shader *shader)
{
   nir_index_blocks(shader);
   nir_compute_preds(shader);
   struct nir_block *start = nir_first_block(shader);
   nir_foreach_block(block, shader)
      block->idom = NULL;
   shader->end_block->idom = NULL;
   start->idom = start; /* while the iteration runs */
   bool changed = true;
   while (changed) {
      changed = false;
      for (struct nir_block *block = nir_next_block(start); block; block = nir_next_block(block))
         changed |= update_idom(block);
   }
   update_idom(shader->end_block);
   start->idom = NULL;
   number_tree(shader);
}

bool
nir_block_dominates(const struct nir_block *a, const struct nir_block *b)
{
   return a->dom_pre <= b->dom_pre && a->dom_post >= b->dom_post;
}
