/* Selection of control flow: the structure of nir as agx_ir.h has it. */
#include "asahi/compiler/agx_select.h"

static void
add_edge(struct sel *c, struct agx_edges *edges, struct agx_block *block)
{
   edges->at = arena_room(c->ir->arena, edges->at, sizeof(*edges->at), edges->count, &edges->capacity);
   edges->at[edges->count++] = block;
}

static void
enter(struct sel *c, struct agx_block *block, bool reached)
{
   c->b.block = block;
   c->dead = !reached;
}

static void
select_if(struct sel *c, struct nir_if *nif)
{
   const struct sel_condition cond = sel_condition(c, &nif->condition, 0);
   if (cond.is_float) {
      agx_if_fcmp(&c->b, cond.a, cond.b);
      c->b.last->mod.fcond = cond.code;
   } else {
      agx_if_icmp(&c->b, cond.a, cond.b);
      c->b.last->mod.icond = cond.code;
   }
   struct agx_block *before = c->b.block, *ends[2];
   bool reached[2];
   struct list_head *const sides[] = {&nif->then_list, &nif->else_list};
   for (unsigned i = 0; i < 2; i++) {
      struct agx_block *block = agx_ir_block(c->ir);
      agx_ir_link(c->ir, before, block);
      enter(c, block, true);
      if (i)
         agx_build_pseudo(&c->b, AGX_P_ELSE, 0, 0);
      sel_cf_list(c, sides[i]);
      ends[i] = c->b.block;
      reached[i] = !c->dead;
   }
   struct agx_block *after = agx_ir_block(c->ir);
   for (unsigned i = 0; i < 2; i++) {
      if (reached[i])
         agx_ir_link(c->ir, ends[i], after);
   }
   enter(c, after, reached[0] || reached[1]);
   agx_build_pseudo(&c->b, AGX_P_ENDIF, 0, 0);
}

static void
select_loop(struct sel *c, struct nir_loop *nir)
{
   struct sel_loop loop = {.parent = c->loop};
   agx_build_pseudo(&c->b, AGX_P_LOOP, 0, 0);
   loop.body = agx_ir_block(c->ir);
   agx_ir_link(c->ir, c->b.block, loop.body);
   enter(c, loop.body, true);
   c->loop = &loop;
   c->out->stats.loops++;
   sel_cf_list(c, &nir->body);
   agx_build_pseudo(&c->b, AGX_P_NEXT, 0, 0);
   if (!c->dead)
      agx_ir_link(c->ir, c->b.block, loop.body);
   c->loop = loop.parent;
   struct agx_block *after = agx_ir_block(c->ir);
   for (unsigned i = 0; i < loop.breaks.count; i++)
      agx_ir_link(c->ir, loop.breaks.at[i], after);
   enter(c, after, loop.breaks.count > 0);
   agx_build_pseudo(&c->b, AGX_P_ENDLOOP, 0, 0);
}

static void
select_jump(struct sel *c, const struct nir_jump_instr *jump)
{
   switch (jump->jump) {
   case NIR_JUMP_BREAK:
      agx_build_pseudo(&c->b, AGX_P_BREAK, 0, 0);
      add_edge(c, &c->loop->breaks, c->b.block);
      break;
   case NIR_JUMP_CONTINUE:
      agx_build_pseudo(&c->b, AGX_P_CONTINUE, 0, 0);
      agx_ir_link(c->ir, c->b.block, c->loop->body);
      break;
   case NIR_JUMP_HALT:
      agx_ir_fail(c->ir, "an invocation ends in the middle");
      break;
   }
}

void
sel_cf_list(struct sel *c, struct list_head *list)
{
   nir_foreach_cf(node, list) {
      if (c->dead || c->ir->error)
         return;
      switch (node->type) {
      case NIR_CF_BLOCK: {
         struct nir_block *block = nir_cf_as_block(node);
         sel_block(c, block);
         c->block_of[block->index] = c->b.block;
         if (!list_is_empty(&block->instrs)) {
            const struct nir_instr *last = list_entry(block->instrs.prev, struct nir_instr, link);
            if (last->type == NIR_INSTR_JUMP) {
               select_jump(c, nir_as_jump(last));
               enter(c, agx_ir_block(c->ir), false);
            }
         }
         break;
      }
      case NIR_CF_IF:
         select_if(c, nir_cf_as_if(node));
         break;
      case NIR_CF_LOOP:
         select_loop(c, nir_cf_as_loop(node));
         break;
      }
   }
}
