/* Ifs of constant conditions, ifs that do nothing, unreachable code, loops that run once. */
#include "compiler/nir/nir_cf.h"
#include "compiler/nir/nir_passes.h"

static bool opt_list(struct nir_shader *shader, struct list_head *list);

static bool
has_phi(const struct nir_block *block)
{
   return nir_block_first(block) && nir_block_first(block)->type == NIR_INSTR_PHI;
}

/* Phis after an if of which only one branch stays: the value from there. If that branch ends in a jump, the other
 * branch's values reach nothing, and the block is removed with the phis. */
static void
resolve_phis(struct nir_block *after, const struct nir_block *pred)
{
   nir_foreach_instr_safe(instr, after) {
      if (instr->type != NIR_INSTR_PHI)
         break;
      struct nir_phi_instr *phi = nir_as_phi(instr);
      struct nir_phi_src *src = nir_phi_src_from(phi, pred);
      if (!src)
         continue;
      nir_def_replace(&phi->def, src->src.def);
      nir_instr_remove(instr);
   }
}

static bool
opt_constant_if(struct nir_shader *shader, struct nir_if *nif)
{
   if (!nir_src_is_const(nif->condition))
      return false;
   bool taken = nir_src_comp_as_uint(nif->condition, 0);
   struct list_head *list = taken ? &nif->then_list : &nif->else_list;
   resolve_phis(nir_cf_block_after(&nif->cf), nir_cf_list_last(list));
   nir_cf_inline_list(shader, &nif->cf, list);
   return true;
}

static bool
is_empty(const struct list_head *list)
{
   return list->next == list->prev && !nir_block_first(nir_cf_list_first(list));
}

static bool
opt_empty_if(struct nir_shader *shader, struct nir_if *nif)
{
   if (!is_empty(&nif->then_list) || !is_empty(&nif->else_list) || has_phi(nir_cf_block_after(&nif->cf)))
      return false;
   nir_cf_remove(shader, &nif->cf);
   return true;
}

/* True if a jump inside the list (not in nested loops) is of the kind. */
static bool
list_jumps(const struct list_head *list, enum nir_jump_type kind)
{
   nir_foreach_cf(node, list) {
      if (node->type == NIR_CF_BLOCK) {
         const struct nir_jump_instr *jump = nir_block_jump(nir_cf_as_block(node));
         if (jump && jump->jump == kind)
            return true;
      } else if (node->type == NIR_CF_IF && (list_jumps(&nir_cf_as_if(node)->then_list, kind) ||
                                             list_jumps(&nir_cf_as_if(node)->else_list, kind))) {
         return true;
      }
   }
   return false;
}

/* A loop whose only way on is a break at its end. */
static bool
opt_single_trip(struct nir_shader *shader, struct nir_loop *loop)
{
   struct nir_block *last = nir_cf_list_last(&loop->body), *first = nir_cf_list_first(&loop->body);
   struct nir_jump_instr *jump = nir_block_jump(last);
   if (!jump || jump->jump != NIR_JUMP_BREAK || list_jumps(&loop->body, NIR_JUMP_CONTINUE))
      return false;
   /* Other breaks would have to jump over the rest. */
   list_remove(&jump->instr.link);
   bool others = list_jumps(&loop->body, NIR_JUMP_BREAK);
   list_add_tail(&jump->instr.link, &last->instrs);
   if (others)
      return false;
   resolve_phis(first, nir_cf_block_before(&loop->cf));
   resolve_phis(nir_cf_block_after(&loop->cf), last);
   nir_instr_remove(&jump->instr);
   nir_cf_inline_list(shader, &loop->cf, &loop->body);
   return true;
}

/* Both branches of an if end in jumps, or a loop has no break: nothing after is reached. */
static bool
ends_flow(const struct nir_cf_node *node)
{
   if (node->type == NIR_CF_LOOP)
      return !list_jumps(&nir_cf_as_loop(node)->body, NIR_JUMP_BREAK);
   return nir_block_jump(nir_cf_list_last(&nir_cf_as_if(node)->then_list)) &&
          nir_block_jump(nir_cf_list_last(&nir_cf_as_if(node)->else_list));
}

static bool
opt_unreachable(struct nir_shader *shader, struct nir_cf_node *node)
{
   struct nir_block *after = nir_cf_block_after(node);
   if (!ends_flow(node) || (!nir_cf_next(&after->cf) && !nir_block_first(after)))
      return false;
   nir_cf_remove_after(shader, after, NULL);
   /* The empty block stays: a list ends with a block. Its place in the phis of its new successor is a value that
    * never arrives. */
   struct nir_block *succ[2];
   nir_block_successors(shader, after, succ);
   nir_foreach_instr(instr, succ[0]) {
      if (instr->type != NIR_INSTR_PHI)
         break;
      struct nir_phi_instr *phi = nir_as_phi(instr);
      if (nir_phi_src_from(phi, after))
         continue;
      struct nir_undef_instr *undef = nir_undef_create(shader, phi->def.num_components, phi->def.bit_size);
      nir_instr_insert(nir_before_block(nir_first_block(shader)), &undef->instr);
      nir_phi_add_src(shader, phi, after, &undef->def);
   }
   return true;
}

static bool
opt_node(struct nir_shader *shader, struct nir_cf_node *node)
{
   if (node->type == NIR_CF_IF) {
      struct nir_if *nif = nir_cf_as_if(node);
      return opt_constant_if(shader, nif) || opt_empty_if(shader, nif) || opt_unreachable(shader, node);
   }
   return opt_single_trip(shader, nir_cf_as_loop(node)) || opt_unreachable(shader, node);
}

static bool
opt_list(struct nir_shader *shader, struct list_head *list)
{
   bool progress = false;
   struct nir_cf_node *node = &nir_cf_list_first(list)->cf;
   while (node) {
      if (node->type == NIR_CF_BLOCK) {
         node = nir_cf_next(node);
         continue;
      }
      if (node->type == NIR_CF_IF) {
         progress |= opt_list(shader, &nir_cf_as_if(node)->then_list);
         progress |= opt_list(shader, &nir_cf_as_if(node)->else_list);
      } else {
         progress |= opt_list(shader, &nir_cf_as_loop(node)->body);
      }
      struct nir_cf_node *before = nir_cf_prev(node);
      if (opt_node(shader, node)) {
         progress = true;
         node = before; /* nodes may have moved in */
      }
      node = nir_cf_next(node);
   }
   return progress;
}

bool
nir_opt_dead_cf(struct nir_shader *shader)
{
   return opt_list(shader, &shader->body);
}
