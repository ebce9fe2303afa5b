/* Selection: control flow. Where lanes may part, EXEC narrows and the wave runs through all that some lane needs;
 * where nir knows the condition uniform, the wave branches.
 *
 * if over lanes:   B0: saved = EXEC, EXEC &= c ; execz -> skip_then     (skip blocks keep linear edges uncritical)
 *                  then ... -> inv ; skip_then -> inv
 *                  inv: EXEC = saved & ~c ; execz -> skip_else          (scalar work only)
 *                  else ... -> merge ; skip_else -> merge
 *                  merge: EXEC = saved, without lanes that left a loop meanwhile
 * loop over lanes: a lane that breaks or continues leaves `live` or `iterating`; at the end EXEC = live, repeat while
 *                  some are left.
 *
 * A lane that a loop discards ends there: after the loop its copies of values are stale, so it is not active again.
 * When no lane is left after such a place, the wave runs on to the end of the region, at the top level to the end of
 * the shader.
 *
 * After a loop that nobody leaves, nothing is selected until another path arrives: such a path must not see edges
 * from where no wave comes, on which no value would be live.
 */
#include "amd/compiler/aco_select.h"

#include <string.h>

static void
logical_end(struct isel *c)
{
   isel_emit(c, ACO_P_LOGICAL_END, 0, 0);
}

static void
set_exec(struct isel *c, struct aco_operand mask)
{
   struct aco_instr *instr = isel_emit(c, ISEL_LM(c, s_mov), 1, 1);
   instr->ops[0] = mask;
   isel_fixed_result(instr, AMD_EXEC_LO);
}

static void
set_exec2(struct isel *c, unsigned op, struct aco_operand a, struct aco_operand b)
{
   struct aco_instr *instr = isel_emit(c, op, 1, 2);
   instr->ops[0] = a;
   instr->ops[1] = b;
   isel_fixed_result(instr, AMD_EXEC_LO);
}

static struct aco_block *
new_block(struct isel *c)
{
   struct aco_block *block = aco_block_create(c->program);
   block->loop_depth = (uint8_t)MIN2(c->loop_depth, UINT8_MAX);
   return block;
}

static size_t
masks_size_B(const struct isel *c)
{
   return sizeof(*c->masks) + c->masked_depth * sizeof(c->masks->loops[0]);
}

static struct isel_masks *
copy_masks(struct isel *c)
{
   struct isel_masks *copy = arena_alloc(c->program->arena, masks_size_B(c));
   memcpy(copy, c->masks, masks_size_B(c));
   return copy;
}

/* The mask at a place of the list, as phis number them. */
static struct aco_operand *
mask_at(struct isel_masks *masks, unsigned index)
{
   return (struct aco_operand *)masks + index;
}

static void
add_pending(struct isel *c, struct isel_pending **list, struct aco_block *from, struct isel_masks *masks)
{
   struct isel_pending *edge = arena_new(c->program->arena, struct isel_pending);
   edge->from = from;
   edge->masks = masks;
   while (*list)
      list = &(*list)->next;
   *list = edge;
}

/* ---- masks over linear edges ---- */

static bool
same_operand(const struct aco_operand *a, const struct aco_operand *b)
{
   return a->kind == b->kind && a->value == b->value && a->reg == b->reg;
}

/* The current (empty) block gets the pending edges, at least one, as linear predecessors; masks that differ: phis. */
static void
join(struct isel *c, struct isel_pending *edges)
{
   unsigned count = 0;
   for (struct isel_pending *edge = edges; edge; edge = edge->next) {
      aco_link_linear(c->program, edge->from, c->block);
      count++;
   }
   memcpy(c->masks, edges->masks, masks_size_B(c));
   for (unsigned i = 0; i < 2 + 2 * c->masked_depth; i++) {
      struct aco_operand *now = mask_at(c->masks, i);
      bool differ = false;
      for (struct isel_pending *edge = edges->next; edge; edge = edge->next)
         differ |= !same_operand(mask_at(edge->masks, i), now);
      if (!differ)
         continue;
      struct aco_instr *phi = isel_emit(c, ACO_P_LINEAR_PHI, 1, count);
      unsigned k = 0;
      for (struct isel_pending *edge = edges; edge; edge = edge->next)
         phi->ops[k++] = *mask_at(edge->masks, i);
      phi->defs[0] = (struct aco_def){.temp = aco_temp(c->program, c->program->lm), .rc = c->program->lm};
      *now = isel_result(c, phi, 0);
   }
}

/* ---- what lies ahead ---- */

static bool
list_has(struct list_head *list, bool (*test)(struct nir_instr *instr))
{
   nir_foreach_cf(node, list) {
      if (node->type == NIR_CF_BLOCK) {
         nir_foreach_instr(instr, nir_cf_as_block(node)) {
            if (test(instr))
               return true;
         }
      } else if (node->type == NIR_CF_IF) {
         if (list_has(&nir_cf_as_if(node)->then_list, test) || list_has(&nir_cf_as_if(node)->else_list, test))
            return true;
      } else if (list_has(&nir_cf_as_loop(node)->body, test)) {
         return true;
      }
   }
   return false;
}

static bool
is_demote(struct nir_instr *instr)
{
   if (instr->type != NIR_INSTR_INTRINSIC)
      return false;
   enum nir_intrinsic_op op = nir_as_intrinsic(instr)->op;
   return op == NIR_INTRINSIC_demote || op == NIR_INTRINSIC_demote_if || op == NIR_INTRINSIC_discard ||
          op == NIR_INTRINSIC_discard_if;
}

static bool
is_discard(struct nir_instr *instr)
{
   if (instr->type != NIR_INSTR_INTRINSIC)
      return false;
   enum nir_intrinsic_op op = nir_as_intrinsic(instr)->op;
   return op == NIR_INTRINSIC_discard || op == NIR_INTRINSIC_discard_if;
}

static bool
is_section_exit(struct nir_instr *instr)
{
   return instr->type == NIR_INSTR_INTRINSIC && nir_as_intrinsic(instr)->op == NIR_INTRINSIC_ordered_ps_done_amd;
}

/* Lanes may end in the list for good: by a discard in one of its loops. */
static bool
list_ends_lanes(struct list_head *list)
{
   nir_foreach_cf(node, list) {
      if (node->type == NIR_CF_IF) {
         if (list_ends_lanes(&nir_cf_as_if(node)->then_list) || list_ends_lanes(&nir_cf_as_if(node)->else_list))
            return true;
      } else if (node->type == NIR_CF_LOOP && list_has(&nir_cf_as_loop(node)->body, is_discard)) {
         return true;
      }
   }
   return false;
}

bool
isel_ends_lanes(struct nir_shader *nir)
{
   return list_ends_lanes(&nir->body);
}

/* Breaks and continues of the loop around the list. divergent_only: those that only some lanes may take. */
static bool
list_jumps(struct list_head *list, bool divergent_only, bool divergent)
{
   nir_foreach_cf(node, list) {
      if (node->type == NIR_CF_BLOCK) {
         struct nir_block *block = nir_cf_as_block(node);
         if (!list_is_empty(&block->instrs)) {
            struct nir_instr *last = list_last(&block->instrs, struct nir_instr, link);
            if (last->type == NIR_INSTR_JUMP && (!divergent_only || divergent))
               return true;
         }
      } else if (node->type == NIR_CF_IF) {
         struct nir_if *nif = nir_cf_as_if(node);
         bool inner = divergent || nif->condition.def->divergent;
         if (list_jumps(&nif->then_list, divergent_only, inner) || list_jumps(&nif->else_list, divergent_only, inner))
            return true;
      }
   }
   return false;
}

/* ---- jumps ---- */

/* Ends a straight piece of code that another block follows on linear edges; logical edges are the caller's. */
static void
close_block(struct isel *c, struct isel_pending **to)
{
   c->block->term = ACO_TERM_JUMP;
   add_pending(c, to, c->block, copy_masks(c));
}

static void
drop_lanes(struct isel *c, struct aco_operand *mask)
{
   *mask = isel_s2(c, ISEL_LM(c, s_andn2), c->program->lm, *mask, isel_exec(c));
}

static void
visit_jump(struct isel *c, const struct nir_jump_instr *jump)
{
   struct isel_loop *loop = c->loop;
   if (jump->jump == NIR_JUMP_HALT) {
      aco_fail(c->program, "a halt (SPIR-V gives discards)");
      return;
   }
   bool is_break = jump->jump == NIR_JUMP_BREAK;
   if (is_break)
      aco_edges_add(c->program, &loop->logical_breaks, c->block);
   else
      aco_edges_add(c->program, &loop->logical_continues, c->block);
   c->no_lane = true;
   if (!loop->masked) {
      logical_end(c);
      close_block(c, is_break ? &loop->breaks : &loop->continues);
      c->dead = true;
      return;
   }
   struct aco_operand *live = &c->masks->loops[loop->slot].live, *iterating = &c->masks->loops[loop->slot].iterating;
   bool same = same_operand(live, iterating);
   if (is_break) {
      drop_lanes(c, live);
      if (same)
         *iterating = *live;
      else
         drop_lanes(c, iterating);
   } else {
      drop_lanes(c, iterating);
   }
   logical_end(c);
}

/* ---- if ---- */

static void
visit_uniform_if(struct isel *c, struct nir_if *nif)
{
   isel_bool_to_scc(c, &nif->condition, 0);
   isel_use_scc(c);
   logical_end(c);
   struct aco_block *head = c->block;
   head->term = ACO_TERM_SCC0;
   struct isel_masks *masks = copy_masks(c);
   struct isel_pending *out = NULL;
   struct aco_block *logical[2];
   unsigned num_logical = 0;
   for (unsigned i = 0; i < 2; i++) {
      c->block = new_block(c);
      memcpy(c->masks, masks, masks_size_B(c));
      aco_link_linear(c->program, head, c->block);
      aco_link_logical(c->program, head, c->block);
      isel_cf_list(c, i ? &nif->else_list : &nif->then_list);
      assert(c->dead == c->no_lane && "lanes left a uniform if one by one");
      if (!c->dead) {
         logical_end(c);
         logical[num_logical++] = c->block;
         close_block(c, &out);
      }
      c->dead = c->no_lane = false;
   }
   c->dead = c->no_lane = !num_logical;
   if (c->dead)
      return;
   c->block = new_block(c);
   join(c, out);
   for (unsigned i = 0; i < num_logical; i++)
      aco_link_logical(c->program, logical[i], c->block);
   c->uniform_join = true;
}

/* The lanes that neither left the loop around nor ended. */
static struct aco_operand
remaining_lanes(const struct isel *c)
{
   return c->masked_depth ? c->masks->loops[c->masked_depth - 1].iterating : c->masks->alive;
}

/* After an if in which lanes may have left: when none is active, runs on to the end of the region. */
static void
skip_if_none(struct isel *c)
{
   if (!c->region)
      return;
   logical_end(c);
   struct aco_block *merge = c->block;
   merge->term = ACO_TERM_EXECZ;
   struct aco_block *rest = new_block(c);
   aco_link_linear(c->program, merge, rest);
   aco_link_logical(c->program, merge, rest);
   add_pending(c, &c->region->skips, merge, copy_masks(c)); /* its second successor follows at the region's end */
   c->block = rest;
}

/* The blocks, one per place, over which lanes of a region run to its end, after the region's code. */
static void
close_region(struct isel *c, struct isel_region *region, struct isel_pending **out)
{
   for (struct isel_pending *edge = region->skips; edge; edge = edge->next) {
      struct aco_block *skip = new_block(c);
      aco_link_linear(c->program, edge->from, skip);
      skip->term = ACO_TERM_JUMP;
      add_pending(c, out, skip, edge->masks);
   }
}

/* One side of an if over lanes, in its own region. Returns the last block if lanes reach it; linear edges in *out. */
static struct aco_block *
visit_side(struct isel *c, struct nir_if *nif, struct list_head *list, struct isel_pending **out)
{
   struct isel_region region = {0}, *outer = c->region;
   const struct nir_cf_node *scope = c->scope;
   c->region = &region;
   c->scope = &nif->cf;
   c->divergence_depth++;
   isel_cf_list(c, list);
   c->divergence_depth--;
   struct aco_block *last = NULL;
   if (!c->no_lane) {
      logical_end(c);
      last = c->block;
   }
   if (!c->dead)
      close_block(c, out);
   c->dead = c->no_lane = false;
   close_region(c, &region, out);
   c->region = outer;
   c->scope = scope;
   return last;
}

static bool
is_empty_list(struct list_head *list)
{
   struct nir_cf_node *first = list_first(list, struct nir_cf_node, link);
   return first->link.next == list && list_is_empty(&nir_cf_as_block(first)->instrs);
}

static bool
merge_has_phis(const struct nir_if *nif)
{
   const struct nir_block *next = nir_cf_as_block(list_entry(nif->cf.link.next, struct nir_cf_node, link));
   return !list_is_empty(&next->instrs) && list_first(&next->instrs, struct nir_instr, link)->type == NIR_INSTR_PHI;
}

static void
visit_lane_if(struct isel *c, struct nir_if *nif, bool jumps)
{
   struct aco_program *program = c->program;
   struct aco_operand cond = isel_bool_mask(c, &nif->condition, 0);
   logical_end(c);
   struct aco_operand saved = isel_s1(c, ISEL_LM(c, s_and_saveexec), program->lm, cond);
   struct aco_block *head = c->block, *logical[3];
   unsigned num_logical = 0;
   head->term = ACO_TERM_EXECZ;
   struct isel_pending *edges = NULL;
   bool has_else = !is_empty_list(&nif->else_list) || merge_has_phis(nif);
   for (unsigned side = 0; side < (has_else ? 2 : 1); side++) {
      struct aco_block *from = c->block;
      struct isel_masks *masks = copy_masks(c);
      c->block = new_block(c);
      aco_link_linear(program, from, c->block);
      aco_link_logical(program, head, c->block);
      edges = NULL;
      struct aco_block *last = visit_side(c, nif, side ? &nif->else_list : &nif->then_list, &edges);
      if (last)
         logical[num_logical++] = last;
      struct aco_block *skip = new_block(c);
      aco_link_linear(program, from, skip);
      skip->term = ACO_TERM_JUMP;
      add_pending(c, &edges, skip, masks);
      c->block = new_block(c);
      if (side == 0 && has_else) {
         join(c, edges);
         set_exec2(c, ISEL_LM(c, s_andn2), saved, cond);
         c->block->term = ACO_TERM_EXECZ;
      }
   }
   if (!has_else)
      logical[num_logical++] = head;
   /* A critical edge comes first: its values need no copies (see aco_regalloc.c). */
   for (unsigned i = num_logical; i-- > 0;)
      aco_link_logical(program, logical[i], c->block);
   join(c, edges);
   c->no_lane = !num_logical;
   if (c->no_lane && !jumps) { /* all lanes are in loops for ever: the edges show a wave without any */
      isel_emit(c, AMD_OP_s_endpgm, 0, 0);
      c->block->term = ACO_TERM_END;
      c->dead = true;
      return;
   }
   if (jumps)
      set_exec2(c, ISEL_LM(c, s_and), saved, remaining_lanes(c));
   else
      set_exec(c, saved);
   if (jumps && !c->no_lane) {
      c->phi_block = c->block;
      skip_if_none(c);
   }
   c->uniform_join = false;
}

static void
visit_if(struct isel *c, struct nir_if *nif)
{
   bool jumps = list_jumps(&nif->then_list, false, true) || list_jumps(&nif->else_list, false, true);
   bool ends = list_ends_lanes(&nif->then_list) || list_ends_lanes(&nif->else_list);
   bool lane_jumps = ends || (jumps && c->loop && c->loop->masked);
   if (nif->condition.def->divergent || lane_jumps)
      visit_lane_if(c, nif, lane_jumps);
   else
      visit_uniform_if(c, nif);
}

/* ---- loops ---- */

/* Phi at a loop header for one mask; the edges back are filled by finish_mask_phis. */
static void
mask_phi(struct isel *c, unsigned index, struct aco_instr **phis)
{
   struct aco_operand *mask = mask_at(c->masks, index);
   if (mask->kind == ACO_OP_NONE)
      return;
   struct aco_instr *phi = aco_instr_create(c->program, ACO_P_LINEAR_PHI, 1, 8);
   phi->num_ops = 1;
   phi->ops[0] = *mask;
   phi->defs[0] = (struct aco_def){.temp = aco_temp(c->program, c->program->lm), .rc = c->program->lm};
   aco_block_append(c->program, c->block, phi);
   *mask = isel_result(c, phi, 0);
   phis[index] = phi;
}

static void
finish_mask_phis(struct isel *c, struct aco_block *header, struct aco_instr **phis, struct isel_pending *back)
{
   unsigned count = header->linear_preds.count;
   for (unsigned i = 0; i < 2 + 2 * c->masked_depth; i++) {
      if (!phis[i])
         continue;
      struct aco_instr *phi = phis[i];
      if (count > 8) { /* the operands stand before the defs: a phi with more operands is made anew */
         struct aco_instr *bigger = aco_instr_create(c->program, ACO_P_LINEAR_PHI, 1, count);
         bigger->ops[0] = phi->ops[0];
         bigger->defs[0] = phi->defs[0];
         for (unsigned k = 0; k < header->count; k++) {
            if (header->instrs[k] == phi)
               header->instrs[k] = bigger;
         }
         phi = bigger;
      }
      phi->num_ops = (uint16_t)count;
      unsigned k = 1;
      for (struct isel_pending *edge = back; edge; edge = edge->next)
         phi->ops[k++] = *mask_at(edge->masks, i);
   }
}

static void
enter_loop(struct isel *c, struct isel_loop *loop, struct nir_loop *nloop, struct aco_instr **phis)
{
   struct aco_block *before = c->block;
   bool ends = list_has(&nloop->body, is_discard);
   if (loop->masked) {
      loop->slot = c->masked_depth++;
      /* A copy: EXEC at entry. */
      c->masks->loops[loop->slot].live = isel_op1(c, ISEL_LM(c, s_mov), c->program->lm, isel_exec(c));
   }
   logical_end(c);
   before->term = ACO_TERM_JUMP;
   c->loop_depth++;
   c->block = new_block(c);
   loop->header = c->block;
   aco_link_linear(c->program, before, c->block);
   aco_link_logical(c->program, before, c->block);
   c->uniform_join = !loop->masked;
   if (list_has(&nloop->body, is_demote) || ends)
      mask_phi(c, 0, phis);
   if (ends)
      mask_phi(c, 1, phis);
   unsigned outer = loop->masked ? loop->slot : c->masked_depth;
   for (unsigned i = 0; ends && i < 2 * outer; i++)
      mask_phi(c, 2 + i, phis);
   if (loop->masked) {
      mask_phi(c, 2 + 2 * loop->slot, phis);
      c->masks->loops[loop->slot].iterating = c->masks->loops[loop->slot].live;
   }
}

/* The end of the body of a loop over lanes: repeat while lanes are live. Leaves the exit block current. */
static void
finish_lane_loop(struct isel *c, struct isel_loop *loop, struct isel_pending *ends, struct aco_operand saved,
                 bool lanes_end, struct aco_instr **phis)
{
   struct aco_program *program = c->program;
   struct aco_block *latch = NULL, *back = NULL;
   c->dead = !ends || (c->no_lane && !lanes_end); /* nobody leaves */
   if (ends) {
      c->block = latch = back = new_block(c);
      join(c, ends);
      set_exec(c, c->masks->loops[loop->slot].live);
   }
   if (!c->dead) {
      latch->term = ACO_TERM_EXECZ;
      back = new_block(c);
      aco_link_linear(program, latch, back);
   }
   if (back) {
      back->term = ACO_TERM_JUMP;
      aco_link_linear(program, back, loop->header);
   }
   struct isel_pending edge = {.from = back, .masks = c->masks};
   finish_mask_phis(c, loop->header, phis, back ? &edge : NULL);
   c->loop_depth--;
   c->masked_depth--;
   if (c->dead)
      return;
   c->block = new_block(c); /* exit */
   aco_link_linear(program, latch, c->block);
   if (lanes_end)
      set_exec2(c, ISEL_LM(c, s_and), saved, remaining_lanes(c));
   else
      set_exec(c, saved);
}

static void
finish_uniform_loop(struct isel *c, struct isel_loop *loop, struct isel_pending *ends, struct aco_instr **phis)
{
   struct isel_pending *back = loop->continues;
   if (ends) {
      ends->next = back;
      back = ends;
   }
   for (struct isel_pending *edge = back; edge; edge = edge->next)
      aco_link_linear(c->program, edge->from, loop->header);
   finish_mask_phis(c, loop->header, phis, back);
   c->loop_depth--;
   c->dead = !loop->breaks;
   if (c->dead)
      return;
   c->block = new_block(c);
   join(c, loop->breaks);
}

/* The body in its region; returns the linear edges from its end. */
static struct isel_pending *
visit_body(struct isel *c, struct isel_loop *loop)
{
   struct isel_region region = {0}, *outer = c->region;
   const struct nir_cf_node *scope = c->scope;
   struct isel_pending *edges = NULL;
   c->region = loop->masked ? &region : c->region;
   c->loop = loop;
   c->divergence_depth += loop->masked;
   if (loop->masked)
      c->scope = &loop->nir->cf;
   isel_cf_list(c, &loop->nir->body);
   c->divergence_depth -= loop->masked;
   if (!c->no_lane) {
      logical_end(c);
      aco_edges_add(c->program, &loop->logical_continues, c->block);
   }
   if (!c->dead)
      close_block(c, &edges);
   if (loop->masked)
      close_region(c, &region, &edges);
   c->loop = loop->parent;
   c->scope = scope;
   c->region = outer;
   return edges;
}

static void
visit_loop(struct isel *c, struct nir_loop *nloop)
{
   struct isel_loop loop = {.nir = nloop, .parent = c->loop};
   struct aco_instr **phis = arena_array(c->program->arena, struct aco_instr *, 4 + 2 * c->masked_depth);
   bool ends = list_has(&nloop->body, is_discard);
   loop.masked = nloop->divergent || ends || list_jumps(&nloop->body, true, false);
   struct aco_operand saved = {0};
   if (loop.masked)
      saved = isel_op1(c, ISEL_LM(c, s_mov), c->program->lm, isel_exec(c));
   enter_loop(c, &loop, nloop, phis);
   struct isel_pending *edges = visit_body(c, &loop);
   c->no_lane = !loop.logical_breaks.count;
   if (loop.masked)
      finish_lane_loop(c, &loop, edges, saved, ends, phis);
   else
      finish_uniform_loop(c, &loop, edges, phis);
   for (unsigned i = 0; i < loop.logical_continues.count; i++)
      aco_link_logical(c->program, loop.logical_continues.at[i], loop.header);
   for (unsigned i = 0; i < loop.logical_breaks.count; i++)
      aco_link_logical(c->program, loop.logical_breaks.at[i], c->block);
   c->uniform_join = !loop.masked;
   if (ends && !c->no_lane) {
      c->phi_block = c->block;
      skip_if_none(c);
   }
}

/* ---- the whole shader ---- */

/* The end of the shader for waves without lanes; skips: edges that lead there and nowhere else. */
static void
finish_skips(struct isel *c, struct isel_pending *edges, struct isel_pending *skips, bool in_section)
{
   struct isel_region region = {edges};
   close_region(c, &region, &skips);
   if (!skips)
      return;
   c->block = new_block(c);
   join(c, skips);
   isel_finish_empty(c, in_section);
}

void
isel_body(struct isel *c)
{
   struct isel_region region = {0};
   struct isel_pending *end = NULL;
   c->region = 1u << c->nir->stage & NIR_STAGES_PRE_RASTER ? NULL : &region;
   isel_cf_list(c, &c->nir->body);
   c->region = NULL;
   if (c->program->error)
      return;
   if (!c->no_lane)
      isel_finish(c);
   else if (!c->dead)
      close_block(c, &end);
   finish_skips(c, region.skips, end, !c->left_section && list_has(&c->nir->body, is_section_exit));
   finish_skips(c, c->unleft, NULL, true);
   if (c->ngg.head)
      isel_end_exports(c);
}

/* ---- lists ---- */

static void
visit_block(struct isel *c, struct nir_block *block)
{
   c->place = block->cf.parent;
   nir_foreach_instr(instr, block) {
      if (instr->type == NIR_INSTR_JUMP) {
         isel_end_phis(c, block);
         visit_jump(c, nir_as_jump(instr));
      } else {
         isel_instr(c, instr);
      }
      if (c->program->error)
         return;
   }
   if (!c->no_lane)
      isel_end_phis(c, block);
   c->phi_block = NULL;
   c->uniform_join = false;
   c->block_of[block->index] = c->block;
}

void
isel_cf_list(struct isel *c, struct list_head *list)
{
   nir_foreach_cf(node, list) {
      if (c->no_lane || c->program->error)
         return;
      switch (node->type) {
      case NIR_CF_BLOCK:
         visit_block(c, nir_cf_as_block(node));
         break;
      case NIR_CF_IF:
         visit_if(c, nir_cf_as_if(node));
         break;
      case NIR_CF_LOOP:
         visit_loop(c, nir_cf_as_loop(node));
         break;
      }
   }
}
