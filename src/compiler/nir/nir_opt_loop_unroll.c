/* Unrolls loops whose number of iterations is known: the loop starts with a block that computes the condition of one
 * if, one side of which is just a break, and nothing else leaves the loop or continues it. The number is found by
 * running the condition on constants. */

#include "compiler/nir/nir_cf.h"
#include "compiler/nir/nir_clone.h"
#include "compiler/nir/nir_passes.h"

#define MAX_TRIPS 64
#define MAX_DEPTH 16

/* Scratch by def->index and block->index. It serves all loops of a run: copies are not unrolled in the same run, so
 * no loop that is tried holds values or blocks made after the numbering. */
struct pass {
   struct nir_shader *shader;
   unsigned max_instrs;
   bool indexed;
   union nir_const_value *values, *next;
   bool *known, *next_known;
   struct nir_cloner cloner;
};

struct counted_loop {
   struct nir_loop *loop;
   struct nir_block *header, *break_block, *last;
   struct nir_if *terminator;
   bool break_on; /* the value of the condition that leaves */
   unsigned trips, instrs;
};

/* ---- shape ---- */

static bool
is_only_break(const struct list_head *list)
{
   const struct nir_block *block = nir_cf_list_first(list);
   const struct nir_jump_instr *jump = nir_block_jump(block);
   return list->next == list->prev && jump && jump->jump == NIR_JUMP_BREAK && nir_block_first(block) == &jump->instr;
}

/* Counts instructions; false if a jump of this loop is met, or a halt. */
static bool
measure(const struct nir_cf_node *node, bool inner, unsigned *instrs)
{
   for (; node; node = nir_cf_next(node)) {
      if (node->type == NIR_CF_BLOCK) {
         nir_foreach_instr(instr, nir_cf_as_block(node))
            *instrs += instr->type != NIR_INSTR_LOAD_CONST && instr->type != NIR_INSTR_PHI;
         const struct nir_jump_instr *jump = nir_block_jump(nir_cf_as_block(node));
         if (jump && (!inner || jump->jump == NIR_JUMP_HALT))
            return false;
      } else if (node->type == NIR_CF_IF) {
         const struct nir_if *nif = nir_cf_as_if(node);
         if (!measure(&nir_cf_list_first(&nif->then_list)->cf, inner, instrs) ||
             !measure(&nir_cf_list_first(&nif->else_list)->cf, inner, instrs))
            return false;
      } else if (!measure(&nir_cf_list_first(&nir_cf_as_loop(node)->body)->cf, true, instrs)) {
         return false;
      }
   }
   return true;
}

static bool
has_shape(struct counted_loop *c)
{
   c->header = nir_cf_list_first(&c->loop->body);
   struct nir_cf_node *node = nir_cf_next(&c->header->cf);
   if (!node || node->type != NIR_CF_IF)
      return false;
   c->terminator = nir_cf_as_if(node);
   if (is_only_break(&c->terminator->then_list))
      c->break_on = true;
   else if (!is_only_break(&c->terminator->else_list))
      return false;
   const struct list_head *leave = c->break_on ? &c->terminator->then_list : &c->terminator->else_list;
   const struct list_head *stay = c->break_on ? &c->terminator->else_list : &c->terminator->then_list;
   c->break_block = nir_cf_list_first(leave);
   c->last = nir_cf_list_last(&c->loop->body);
   nir_foreach_instr(instr, c->header)
      c->instrs += instr->type != NIR_INSTR_LOAD_CONST && instr->type != NIR_INSTR_PHI;
   return measure(&nir_cf_list_first(stay)->cf, false, &c->instrs) &&
          measure(&nir_cf_block_after(&c->terminator->cf)->cf, false, &c->instrs);
}

/* ---- counting ---- */

/* Values of the header's scalar phis in the current iteration, by def->index; bit in `known`. */
struct simulation {
   const struct counted_loop *loop;
   union nir_const_value *values;
   bool *known;
};

static bool
evaluate(struct simulation *s, const struct nir_def *def, unsigned component, union nir_const_value *value,
         unsigned depth)
{
   const struct nir_instr *instr = def->parent;
   if (instr->type == NIR_INSTR_LOAD_CONST) {
      *value = nir_as_load_const(instr)->value[component];
      return true;
   }
   if (instr->type == NIR_INSTR_PHI && instr->block == s->loop->header && def->num_components == 1) {
      *value = s->values[def->index];
      return s->known[def->index];
   }
   if (instr->type == NIR_INSTR_PHI && nir_as_phi(instr)->srcs.next == nir_as_phi(instr)->srcs.prev && depth)
      return evaluate(s, list_first(&nir_as_phi(instr)->srcs, struct nir_phi_src, link)->src.def, component, value,
                      depth - 1);
   if (instr->type != NIR_INSTR_ALU || !depth || def->num_components != 1)
      return false;
   const struct nir_alu_instr *alu = nir_as_alu(instr);
   const struct nir_op_info *info = &nir_op_infos[alu->op];
   union nir_const_value src[4] = {};
   const union nir_const_value *srcs[4] = {&src[0], &src[1], &src[2], &src[3]};
   unsigned bits = info->dest_bits ? 0 : def->bit_size;
   if ((info->flags & NIR_OP_FLAG_DERIVATIVE) || info->dest_components)
      return false;
   for (unsigned i = 0; i < info->num_srcs; i++) {
      if (info->src_components[i] || !evaluate(s, alu->src[i].src.def, alu->src[i].swizzle[0], &src[i], depth - 1))
         return false;
      if (!info->src_bits[i])
         bits = alu->src[i].src.def->bit_size;
   }
   nir_eval_alu(alu->op, 1, bits, value, srcs);
   return true;
}

/* The phis at the start of the next iteration (or of the first: from the block before). */
static void
advance(struct simulation *s, const struct nir_block *pred, union nir_const_value *next, bool *next_known)
{
   nir_foreach_instr(instr, s->loop->header) {
      if (instr->type != NIR_INSTR_PHI)
         break;
      const struct nir_phi_instr *phi = nir_as_phi(instr);
      if (phi->def.num_components == 1)
         next_known[phi->def.index] =
            evaluate(s, nir_phi_src_from(phi, pred)->src.def, 0, &next[phi->def.index], MAX_DEPTH);
   }
   nir_foreach_instr(instr, s->loop->header) {
      if (instr->type != NIR_INSTR_PHI)
         break;
      uint32_t index = nir_as_phi(instr)->def.index;
      s->values[index] = next[index];
      s->known[index] = next_known[index];
   }
}

static void
index_values(struct pass *pass)
{
   struct nir_shader *shader = pass->shader;
   if (pass->indexed)
      return;
   nir_index_defs(shader);
   nir_index_blocks(shader);
   pass->values = arena_array(shader->arena, union nir_const_value, shader->num_defs);
   pass->next = arena_array(shader->arena, union nir_const_value, shader->num_defs);
   pass->known = arena_array(shader->arena, bool, shader->num_defs);
   pass->next_known = arena_array(shader->arena, bool, shader->num_defs);
   pass->cloner =
      (struct nir_cloner){.shader = shader, .num_defs = shader->num_defs, .num_blocks = shader->num_blocks};
   pass->cloner.defs = arena_array(shader->arena, struct nir_def *, shader->num_defs);
   pass->cloner.blocks = arena_array(shader->arena, struct nir_block *, shader->num_blocks);
   pass->indexed = true;
}

static bool
count_trips(struct pass *pass, struct counted_loop *c, unsigned max_trips)
{
   struct simulation s = {.loop = c, .values = pass->values, .known = pass->known};
   union nir_const_value *next = pass->next;
   bool *next_known = pass->next_known;
   advance(&s, nir_cf_block_before(&c->loop->cf), next, next_known);
   for (c->trips = 0; c->trips <= max_trips; c->trips++) {
      union nir_const_value condition;
      if (!evaluate(&s, c->terminator->condition.def, 0, &condition, MAX_DEPTH))
         return false;
      if (condition.b == c->break_on)
         return true;
      advance(&s, c->last, next, next_known);
   }
   return false;
}

/* ---- unrolling ---- */

static void
map_phis(struct nir_cloner *cloner, const struct counted_loop *c, const struct nir_block *pred)
{
   /* All at once: a source may be another phi of the header. */
   unsigned count = 0;
   nir_foreach_instr(instr, c->header)
      count += instr->type == NIR_INSTR_PHI;
   struct nir_def **values = arena_array(cloner->shader->arena, struct nir_def *, count);
   unsigned i = 0;
   nir_foreach_instr(instr, c->header) {
      if (instr->type == NIR_INSTR_PHI)
         values[i++] = nir_clone_def(cloner, nir_phi_src_from(nir_as_phi(instr), pred)->src.def);
   }
   i = 0;
   nir_foreach_instr(instr, c->header) {
      if (instr->type == NIR_INSTR_PHI)
         cloner->defs[nir_as_phi(instr)->def.index] = values[i++];
   }
}

/* The header without its phis, which stand for values of the iteration. */
static void
clone_header(struct nir_cloner *cloner, const struct counted_loop *c, struct nir_block *to)
{
   struct nir_block shell = {.index = UINT32_MAX}; /* a view of the rest of the list */
   list_init(&shell.instrs);
   struct list_head *first = c->header->instrs.next;
   while (first != &c->header->instrs && list_entry(first, struct nir_instr, link)->type == NIR_INSTR_PHI)
      first = first->next;
   if (first == &c->header->instrs)
      return;
   struct list_head *last = c->header->instrs.prev;
   shell.instrs.next = first;
   shell.instrs.prev = last;
   last->next = &shell.instrs;
   nir_clone_instrs(cloner, &shell, to);
   last->next = &c->header->instrs;
}

/* Uses after the loop take the values of the last copy of the header. */
static void
replace_outside(struct nir_cloner *cloner, const struct counted_loop *c)
{
   struct nir_block *after = nir_cf_block_after(&c->loop->cf);
   nir_foreach_instr_safe(instr, after) {
      if (instr->type != NIR_INSTR_PHI)
         break;
      struct nir_phi_instr *phi = nir_as_phi(instr);
      nir_def_replace(&phi->def, nir_clone_def(cloner, nir_phi_src_from(phi, c->break_block)->src.def));
      nir_instr_remove(instr);
   }
   nir_foreach_instr(instr, c->header) {
      struct nir_def *def = nir_instr_def(instr);
      if (!def)
         continue;
      nir_foreach_use_safe(use, def) {
         const struct nir_cf_node *node = use->parent_if ? &use->parent_if->cf : &use->parent_instr->block->cf;
         if (!nir_cf_is_inside(node, c->loop))
            nir_src_rewrite(use, nir_clone_def(cloner, def));
      }
   }
}

static void
unroll(struct nir_shader *shader, struct nir_cloner *cloner, struct counted_loop *c)
{
   struct nir_block *at = nir_cf_block_before(&c->loop->cf);
   const struct list_head *stay = c->break_on ? &c->terminator->else_list : &c->terminator->then_list;
   map_phis(cloner, c, at);
   for (unsigned i = 0; i < c->trips; i++) {
      clone_header(cloner, c, at);
      nir_clone_nodes(cloner, &nir_cf_list_first(stay)->cf, &at);
      nir_clone_nodes(cloner, &nir_cf_block_after(&c->terminator->cf)->cf, &at);
      map_phis(cloner, c, c->last);
   }
   clone_header(cloner, c, at);
   replace_outside(cloner, c);
   nir_cf_remove(shader, &c->loop->cf);
}

/* ---- all loops, innermost first ---- */

static bool
try_loop(struct pass *pass, struct nir_loop *loop)
{
   struct counted_loop c = {.loop = loop};
   if (loop->dont_unroll || !has_shape(&c))
      return false;
   index_values(pass);
   if (!count_trips(pass, &c, MAX_TRIPS))
      return false;
   if (c.trips * c.instrs > (loop->unroll ? pass->max_instrs * 8 : pass->max_instrs))
      return false;
   unroll(pass->shader, &pass->cloner, &c);
   return true;
}

static bool
unroll_list(struct pass *pass, struct list_head *list)
{
   bool progress = false;
   struct nir_cf_node *next;
   for (struct nir_cf_node *node = &nir_cf_list_first(list)->cf; node; node = next) {
      next = nir_cf_next(node);
      if (node->type == NIR_CF_IF) {
         progress |= unroll_list(pass, &nir_cf_as_if(node)->then_list);
         progress |= unroll_list(pass, &nir_cf_as_if(node)->else_list);
      } else if (node->type == NIR_CF_LOOP) {
         struct nir_cf_node *following = nir_cf_next(next);
         if (unroll_list(pass, &nir_cf_as_loop(node)->body)) {
            /* Constants of the inner copies settle first; the outer loop has its turn in the next run. */
            progress = true;
         } else if (try_loop(pass, nir_cf_as_loop(node))) {
            progress = true;
            next = following; /* the block after was merged */
         }
      }
   }
   return progress;
}

bool
nir_opt_loop_unroll(struct nir_shader *shader, unsigned max_instrs)
{
   struct pass pass = {.shader = shader, .max_instrs = max_instrs};
   return unroll_list(&pass, &shader->body);
}
