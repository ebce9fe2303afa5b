#include "compiler/nir/nir_cf.h"

/* ---- walking ---- */

struct nir_block *
nir_cf_list_first(const struct list_head *list)
{
   return nir_cf_as_block(list_first(list, struct nir_cf_node, link));
}

struct nir_block *
nir_cf_list_last(const struct list_head *list)
{
   return nir_cf_as_block(list_last(list, struct nir_cf_node, link));
}

struct nir_cf_node *
nir_cf_next(const struct nir_cf_node *node)
{
   return node->link.next == node->list ? NULL : list_entry(node->link.next, struct nir_cf_node, link);
}

struct nir_cf_node *
nir_cf_prev(const struct nir_cf_node *node)
{
   return node->link.prev == node->list ? NULL : list_entry(node->link.prev, struct nir_cf_node, link);
}

struct nir_block *
nir_cf_block_after(const struct nir_cf_node *if_or_loop)
{
   return nir_cf_as_block(nir_cf_next(if_or_loop));
}

struct nir_block *
nir_cf_block_before(const struct nir_cf_node *if_or_loop)
{
   return nir_cf_as_block(nir_cf_prev(if_or_loop));
}

struct nir_loop *
nir_cf_loop_around(const struct nir_cf_node *node)
{
   for (node = node->parent; node; node = node->parent) {
      if (node->type == NIR_CF_LOOP)
         return nir_cf_as_loop(node);
   }
   return NULL;
}

struct nir_block *
nir_first_block(const struct nir_shader *shader)
{
   return nir_cf_list_first(&shader->body);
}

struct nir_block *
nir_next_block(const struct nir_block *block)
{
   struct nir_cf_node *next = nir_cf_next(&block->cf);
   if (next) {
      if (next->type == NIR_CF_IF)
         return nir_cf_list_first(&nir_cf_as_if(next)->then_list);
      return next->type == NIR_CF_LOOP ? nir_cf_list_first(&nir_cf_as_loop(next)->body) : nir_cf_as_block(next);
   }
   struct nir_cf_node *parent = block->cf.parent;
   if (!parent)
      return NULL;
   if (parent->type == NIR_CF_IF && block->cf.list == &nir_cf_as_if(parent)->then_list)
      return nir_cf_list_first(&nir_cf_as_if(parent)->else_list);
   return nir_cf_block_after(parent);
}

struct nir_instr *
nir_block_first(const struct nir_block *block)
{
   return list_is_empty(&block->instrs) ? NULL : list_first(&block->instrs, struct nir_instr, link);
}

struct nir_instr *
nir_block_last(const struct nir_block *block)
{
   return list_is_empty(&block->instrs) ? NULL : list_last(&block->instrs, struct nir_instr, link);
}

struct nir_jump_instr *
nir_block_jump(const struct nir_block *block)
{
   struct nir_instr *last = nir_block_last(block);
   return last && last->type == NIR_INSTR_JUMP ? nir_as_jump(last) : NULL;
}

struct nir_phi_src *
nir_phi_src_from(const struct nir_phi_instr *phi, const struct nir_block *pred)
{
   nir_foreach_phi_src(src, phi) {
      if (src->pred == pred)
         return src;
   }
   return NULL;
}

void
nir_block_successors(const struct nir_shader *shader, const struct nir_block *block, struct nir_block *succ[2])
{
   succ[0] = succ[1] = NULL;
   const struct nir_jump_instr *jump = nir_block_jump(block);
   if (jump) {
      const struct nir_loop *loop = nir_cf_loop_around(&block->cf);
      assert((jump->jump == NIR_JUMP_HALT || loop) && "break or continue outside a loop");
      succ[0] = jump->jump == NIR_JUMP_HALT    ? shader->end_block
                : jump->jump == NIR_JUMP_BREAK ? nir_cf_block_after(&loop->cf)
                                               : nir_cf_list_first(&loop->body);
      return;
   }
   const struct nir_cf_node *next = nir_cf_next(&block->cf), *parent = block->cf.parent;
   if (next && next->type == NIR_CF_IF) {
      succ[0] = nir_cf_list_first(&nir_cf_as_if(next)->then_list);
      succ[1] = nir_cf_list_first(&nir_cf_as_if(next)->else_list);
   } else if (next) {
      succ[0] = next->type == NIR_CF_LOOP ? nir_cf_list_first(&nir_cf_as_loop(next)->body) : nir_cf_as_block(next);
   } else if (!parent) {
      succ[0] = shader->end_block;
   } else {
      succ[0] =
         parent->type == NIR_CF_LOOP ? nir_cf_list_first(&nir_cf_as_loop(parent)->body) : nir_cf_block_after(parent);
   }
}

/* ---- editing ---- */

struct nir_block *
nir_block_create(struct nir_shader *shader)
{
   struct nir_block *block = arena_new(shader->arena, struct nir_block);
   block->cf.type = NIR_CF_BLOCK;
   list_init(&block->instrs);
   block->index = UINT32_MAX;
   return block;
}

void
nir_cf_link(struct nir_cf_node *node, struct nir_cf_node *parent, struct list_head *list, struct list_head *after)
{
   node->parent = parent;
   node->list = list;
   list_add_after(&node->link, after);
}

/* Renames a predecessor in the phis of the block. */
static void
nir_block_replace_pred(struct nir_block *block, struct nir_block *from, struct nir_block *to)
{
   nir_foreach_instr(instr, block) {
      if (instr->type != NIR_INSTR_PHI)
         break;
      struct nir_phi_src *src = nir_phi_src_from(nir_as_phi(instr), from);
      if (src)
         src->pred = to;
   }
}

/* Removes a predecessor from the phis of the block. */
static void
nir_block_remove_pred(struct nir_block *block, struct nir_block *pred)
{
   nir_foreach_instr(instr, block) {
      if (instr->type != NIR_INSTR_PHI)
         break;
      struct nir_phi_src *src = nir_phi_src_from(nir_as_phi(instr), pred);
      if (src) {
         nir_src_unlink(&src->src);
         list_remove(&src->link);
      }
   }
}

static void
replace_pred_of_successors(struct nir_shader *shader, struct nir_block *block, struct nir_block *to)
{
   struct nir_block *succ[2];
   nir_block_successors(shader, block, succ);
   for (unsigned i = 0; i < 2 && succ[i]; i++)
      nir_block_replace_pred(succ[i], block, to);
}

/* Moves the instructions after `after` (a list node of `from`) to the end of `to`. */
static void
move_instrs(struct nir_block *from, struct list_head *after, struct nir_block *to)
{
   while (after->next != &from->instrs) {
      struct nir_instr *instr = list_entry(after->next, struct nir_instr, link);
      list_remove(&instr->link);
      instr->block = to;
      list_add_tail(&instr->link, &to->instrs);
   }
}

struct nir_block *
nir_block_split(struct nir_shader *shader, struct nir_cursor cursor)
{
   struct nir_block *first = cursor.block, *second = nir_block_create(shader);
   if (cursor.option == NIR_CURSOR_BEFORE_INSTR || cursor.option == NIR_CURSOR_AFTER_INSTR)
      first = cursor.instr->block;
   replace_pred_of_successors(shader, first, second);
   move_instrs(first, nir_cursor_link(cursor), second);
   nir_cf_link(&second->cf, first->cf.parent, first->cf.list, &first->cf.link);
   return second;
}

void
nir_block_merge(struct nir_shader *shader, struct nir_block *first, struct nir_block *second)
{
   assert(nir_cf_next(&first->cf) == &second->cf && !nir_block_jump(first));
   assert(!nir_block_first(second) || nir_block_first(second)->type != NIR_INSTR_PHI);
   replace_pred_of_successors(shader, second, first);
   move_instrs(second, &second->instrs, first);
   list_remove(&second->cf.link);
}

struct nir_if *
nir_if_insert(struct nir_shader *shader, struct nir_cursor cursor, struct nir_def *condition)
{
   struct nir_block *second = nir_block_split(shader, cursor);
   struct nir_if *nif = arena_new(shader->arena, struct nir_if);
   nif->cf.type = NIR_CF_IF;
   list_init(&nif->then_list);
   list_init(&nif->else_list);
   nif->condition.parent_if = nif;
   nir_src_init(&nif->condition, condition);
   list_add_tail(&nif->condition.use_link, &condition->uses);
   nir_cf_link(&nir_block_create(shader)->cf, &nif->cf, &nif->then_list, &nif->then_list);
   nir_cf_link(&nir_block_create(shader)->cf, &nif->cf, &nif->else_list, &nif->else_list);
   nir_cf_link(&nif->cf, second->cf.parent, second->cf.list, second->cf.link.prev);
   return nif;
}

struct nir_loop *
nir_loop_insert(struct nir_shader *shader, struct nir_cursor cursor)
{
   struct nir_block *second = nir_block_split(shader, cursor);
   struct nir_loop *loop = arena_new(shader->arena, struct nir_loop);
   loop->cf.type = NIR_CF_LOOP;
   list_init(&loop->body);
   nir_cf_link(&nir_block_create(shader)->cf, &loop->cf, &loop->body, &loop->body);
   nir_cf_link(&loop->cf, second->cf.parent, second->cf.list, second->cf.link.prev);
   return loop;
}

/* ---- removal ---- */

static void visit_blocks(struct nir_shader *shader, struct nir_cf_node *node,
                         void (*visit)(struct nir_shader *, struct nir_block *));

static void
visit_list(struct nir_shader *shader, struct list_head *list, void (*visit)(struct nir_shader *, struct nir_block *))
{
   nir_foreach_cf(node, list)
      visit_blocks(shader, node, visit);
}

static void
visit_blocks(struct nir_shader *shader, struct nir_cf_node *node,
             void (*visit)(struct nir_shader *, struct nir_block *))
{
   switch (node->type) {
   case NIR_CF_BLOCK:
      visit(shader, nir_cf_as_block(node));
      break;
   case NIR_CF_IF:
      visit_list(shader, &nir_cf_as_if(node)->then_list, visit);
      visit_list(shader, &nir_cf_as_if(node)->else_list, visit);
      break;
   case NIR_CF_LOOP:
      visit_list(shader, &nir_cf_as_loop(node)->body, visit);
      break;
   }
}

static bool
unlink_src(struct nir_src *src, void *data)
{
   nir_src_unlink(src);
   return true;
}

static void
forget_block(struct nir_shader *shader, struct nir_block *block)
{
   struct nir_block *succ[2];
   nir_block_successors(shader, block, succ);
   for (unsigned i = 0; i < 2 && succ[i]; i++)
      nir_block_remove_pred(succ[i], block);
}

static void
unlink_uses(struct nir_shader *shader, struct nir_block *block)
{
   nir_foreach_instr(instr, block)
      nir_foreach_src(instr, unlink_src, NULL);
   struct nir_cf_node *next = nir_cf_next(&block->cf);
   if (next && next->type == NIR_CF_IF)
      nir_src_unlink(&nir_cf_as_if(next)->condition);
}

/* What is still used outside is used by code that cannot run with this value either. */
static void
drop_instr(struct nir_shader *shader, struct nir_instr *instr)
{
   struct nir_def *def = nir_instr_def(instr);
   if (def && !list_is_empty(&def->uses)) {
      struct nir_undef_instr *undef = nir_undef_create(shader, def->num_components, def->bit_size);
      nir_instr_insert(nir_before_block(nir_first_block(shader)), &undef->instr);
      nir_def_replace(def, &undef->def);
   }
   list_remove(&instr->link);
   instr->block = NULL;
}

static void
drop_instrs(struct nir_shader *shader, struct nir_block *block)
{
   nir_foreach_instr_safe(instr, block)
      drop_instr(shader, instr);
}

/* Removes one node of a list with everything inside; the caller keeps the list well formed. */
static void
remove_node(struct nir_shader *shader, struct nir_cf_node *node)
{
   visit_blocks(shader, node, forget_block);
   if (node->type == NIR_CF_IF)
      nir_src_unlink(&nir_cf_as_if(node)->condition);
   visit_blocks(shader, node, unlink_uses);
   visit_blocks(shader, node, drop_instrs);
   list_remove(&node->link);
}

void
nir_cf_remove_after(struct nir_shader *shader, struct nir_block *block, struct nir_instr *instr)
{
   if (!instr || nir_block_jump(block) != nir_as_jump(instr))
      forget_block(shader, block);
   struct list_head *keep = instr ? &instr->link : &block->instrs;
   for (struct list_head *node = keep->next; node != &block->instrs; node = node->next)
      nir_foreach_src(list_entry(node, struct nir_instr, link), unlink_src, NULL);
   /* Uses first, so that values are replaced only if somebody outside needs them. */
   for (struct nir_cf_node *node = nir_cf_next(&block->cf); node; node = nir_cf_next(node)) {
      visit_blocks(shader, node, forget_block);
      visit_blocks(shader, node, unlink_uses);
      if (node->type == NIR_CF_IF)
         nir_src_unlink(&nir_cf_as_if(node)->condition);
   }
   while (keep->next != &block->instrs)
      drop_instr(shader, list_entry(keep->next, struct nir_instr, link));
   struct nir_cf_node *node;
   while ((node = nir_cf_next(&block->cf))) {
      visit_blocks(shader, node, drop_instrs);
      list_remove(&node->link);
   }
}

void
nir_cf_remove(struct nir_shader *shader, struct nir_cf_node *if_or_loop)
{
   struct nir_block *before = nir_cf_block_before(if_or_loop), *after = nir_cf_block_after(if_or_loop);
   remove_node(shader, if_or_loop);
   nir_block_merge(shader, before, after);
}

void
nir_cf_inline_list(struct nir_shader *shader, struct nir_cf_node *if_or_loop, struct list_head *list)
{
   struct nir_block *before = nir_cf_block_before(if_or_loop), *after = nir_cf_block_after(if_or_loop);
   struct nir_block *first = nir_cf_list_first(list), *last = nir_cf_list_last(list);
   struct list_head *position = &before->cf.link;
   while (!list_is_empty(list)) {
      struct nir_cf_node *node = list_first(list, struct nir_cf_node, link);
      list_remove(&node->link);
      nir_cf_link(node, before->cf.parent, before->cf.list, position);
      position = &node->link;
   }
   nir_cf_link(&nir_block_create(shader)->cf, if_or_loop, list, list); /* keeps the removed node well formed */
   remove_node(shader, if_or_loop);
   if (nir_block_jump(last))
      nir_cf_remove_after(shader, last, &nir_block_jump(last)->instr);
   else
      nir_block_merge(shader, last, after);
   nir_block_merge(shader, before, first);
}

bool
nir_cf_is_inside(const struct nir_cf_node *node, const struct nir_loop *loop)
{
   while (node && node != &loop->cf)
      node = node->parent;
   return node;
}
