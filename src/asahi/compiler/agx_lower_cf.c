/* Structured control flow becomes writes of the nesting counter, r0l: 0 where a thread runs, else how many levels it
 * waits to be popped.
 *
 *    if       a thread that runs not goes one level deeper; one that runs and fails the condition waits one level
 *    loop     pushes one level, that of breaks; two if something continues: 1 waits for the next round, 2 for the
 * end. Where no level is around it, everyone runs and nothing is pushed break    the level of the loop, and those of
 * the ifs between
 *
 * Masks are sufficient; jumps over long bodies save time when no thread runs them. */
#include "asahi/compiler/agx_builder.h"

/* An if or a loop around the block under work. */
struct frame {
   bool is_loop, continues;
   bool drops_else;        /* if: no instruction of its own there */
   bool drops_all;         /* if: neither side has any, or what was made of it needs no end */
   unsigned body;          /* loop: its first block */
   struct agx_instr *jump; /* over the side that begins, to where it ends */
};

struct lower {
   struct agx_ir *ir;
   struct agx_builder b;
   struct frame *frames;
   unsigned depth;
};

/* How long a body is worth a jump over it; memory counts more. */
#define JUMP_COST 32
#define MEMORY_COST 4

static unsigned
levels(const struct frame *frame)
{
   return !frame->is_loop ? 1 : frame->continues ? 2 : 1;
}

static void
pop_exec(struct lower *l, unsigned nest)
{
   agx_pop_exec(&l->b)->mod.nest = nest;
}

/* always: the condition holds for everyone who is asked. */
static struct agx_instr *
always(struct agx_instr *instr, unsigned nest)
{
   instr->mod.nest = nest;
   instr->mod.fcond = AGX_FCOND_FEQ;
   return instr;
}

static unsigned
last_op(const struct agx_block *block)
{
   return block->count ? block->instrs[block->count - 1]->op : AGX_P_END;
}

/* Where the region ends that begins with this block: its else, or its end. */
static unsigned
side_end(const struct agx_ir *ir, unsigned first)
{
   unsigned depth = 0;
   for (unsigned b = first; b < ir->num_blocks; b++) {
      const struct agx_block *block = ir->blocks[b];
      const unsigned op = block->count ? block->instrs[0]->op : AGX_P_END;
      if (b > first && op == AGX_P_ELSE && !depth)
         return b;
      if (b > first && op == AGX_P_ENDIF && !depth--)
         return b;
      depth += last_op(block) == AGX_OP_IF_ICMP || last_op(block) == AGX_OP_IF_FCMP;
   }
   return ir->num_blocks;
}

static unsigned
cost_of(const struct agx_ir *ir, unsigned first, unsigned end)
{
   unsigned cost = 0;
   for (unsigned b = first; b < end; b++) {
      for (unsigned i = 0; i < ir->blocks[b]->count; i++) {
         const struct agx_instr *instr = ir->blocks[b]->instrs[i];
         if (agx_is_marker(instr))
            continue;
         const bool memory = !agx_is_pseudo(instr) && agx_isa_op_info(instr->op).class >= AGX_CLASS_MEMORY;
         cost += memory ? MEMORY_COST : 1;
      }
   }
   return cost;
}

static struct agx_instr *
jump_over(struct lower *l, unsigned cost)
{
   return cost >= JUMP_COST ? agx_jmp_none(&l->b) : NULL;
}

static bool
contains_continue(const struct agx_ir *ir, unsigned body)
{
   unsigned depth = 0;
   for (unsigned b = body; b < ir->num_blocks; b++) {
      const unsigned op = last_op(ir->blocks[b]);
      if (op == AGX_P_CONTINUE && !depth)
         return true;
      if (op == AGX_P_NEXT && !depth--)
         return false;
      depth += op == AGX_P_LOOP;
   }
   return false;
}

/* The only instruction between the blocks, but for their markers; NULL: there are more or none. */
static struct agx_instr *
only_instr(const struct agx_ir *ir, unsigned first, unsigned end)
{
   struct agx_instr *only = NULL;
   unsigned count = 0;
   for (unsigned b = first; b < end; b++) {
      for (unsigned i = 0; i < ir->blocks[b]->count; i++) {
         if (agx_is_marker(ir->blocks[b]->instrs[i]))
            continue;
         only = ir->blocks[b]->instrs[i];
         count++;
      }
   }
   return count == 1 ? only : NULL;
}

static uint32_t *
condition_of(struct agx_instr *instr)
{
   return instr->op == AGX_OP_IF_ICMP || instr->op == AGX_OP_WHILE_ICMP ? &instr->mod.icond : &instr->mod.fcond;
}

/* if (c) break, and nothing else in it, right inside of a loop that nothing continues: the loop runs while not c.
 */
static bool
fuse_break(struct lower *l, struct agx_instr *instr, unsigned then, unsigned other, unsigned end)
{
   const struct frame *loop = l->depth ? &l->frames[l->depth - 1] : NULL;
   if (!loop || !loop->is_loop || loop->continues)
      return false;
   const bool then_breaks = !cost_of(l->ir, other, end);
   struct agx_instr *brk = then_breaks ? only_instr(l->ir, then, other)
                                       : (!cost_of(l->ir, then, other) ? only_instr(l->ir, other, end) : NULL);
   if (!brk || brk->op != AGX_P_BREAK)
      return false;
   struct agx_instr *made = instr->op == AGX_OP_IF_ICMP ? agx_while_icmp(&l->b, instr->srcs[0], instr->srcs[1])
                                                        : agx_while_fcmp(&l->b, instr->srcs[0], instr->srcs[1]);
   made->mod = instr->mod;
   made->mod.nest = 1;
   *condition_of(made) ^= then_breaks ? 8 : 0;
   brk->op = AGX_P_FUSED;
   return true;
}

static void
begin_if(struct lower *l, struct agx_instr *instr, unsigned number)
{
   const unsigned then = number + 1, other = side_end(l->ir, then), end = side_end(l->ir, other);
   const unsigned costs[] = {cost_of(l->ir, then, other), cost_of(l->ir, other, end)};
   struct frame frame = {.drops_else = !costs[0] || !costs[1], .drops_all = !costs[0] && !costs[1]};
   if (fuse_break(l, instr, then, other, end))
      frame.drops_else = frame.drops_all = true;
   else if (!frame.drops_all) {
      instr->mod.nest = 1;
      if (!costs[0])
         *condition_of(instr) ^= 8;
      agx_build(&l->b, instr);
      frame.jump = jump_over(l, costs[0] ? costs[0] : costs[1]);
   }
   l->frames[l->depth++] = frame;
}

static void
begin_else(struct lower *l, unsigned number)
{
   struct frame *frame = &l->frames[l->depth - 1];
   if (frame->drops_else)
      return;
   if (frame->jump)
      frame->jump->mod.target = number;
   always(agx_else_fcmp(&l->b, agx_fimm(0), agx_fimm(0)), 1);
   frame->jump = jump_over(l, cost_of(l->ir, number, side_end(l->ir, number)));
}

static void
end_if(struct lower *l, unsigned number)
{
   const struct frame *frame = &l->frames[--l->depth];
   if (frame->jump)
      frame->jump->mod.target = number;
   if (!frame->drops_all)
      pop_exec(l, 1);
}

static void
begin_loop(struct lower *l, unsigned number)
{
   struct frame frame = {.is_loop = true, .continues = contains_continue(l->ir, number + 1), .body = number + 1};
   if (l->depth)
      always(agx_if_fcmp(&l->b, agx_fimm(0), agx_fimm(0)), levels(&frame));
   l->frames[l->depth++] = frame;
}

/* Threads that run wait for as many levels as lie between, and `more`. Where a pop or an else follows, that takes
 * them out of the mask. */
static void
leave(struct lower *l, unsigned number, bool breaks)
{
   unsigned nest = 0, at = l->depth;
   while (!l->frames[--at].is_loop)
      nest++;
   nest += breaks ? levels(&l->frames[at]) : 1;
   agx_ldimm16_to(&l->b, agx_reg(0, 16, 1))->mod.imm = nest;
   unsigned next = number + 1;
   while (next < l->ir->num_blocks && !l->ir->blocks[next]->count)
      next++;
   const unsigned op = next < l->ir->num_blocks ? l->ir->blocks[next]->instrs[0]->op : AGX_P_END;
   if (op != AGX_P_ENDIF && op != AGX_P_ELSE)
      pop_exec(l, 0);
}

static void
next_round(struct lower *l)
{
   const struct frame *loop = &l->frames[l->depth - 1];
   if (loop->continues)
      always(agx_while_fcmp(&l->b, agx_fimm(0), agx_fimm(0)), 2);
   agx_jmp_any(&l->b)->mod.target = loop->body;
}

static void
lower_instr(struct lower *l, struct agx_instr *instr, unsigned number)
{
   switch (instr->op) {
   case AGX_OP_IF_ICMP:
   case AGX_OP_IF_FCMP:
      begin_if(l, instr, number);
      break;
   case AGX_P_ELSE:
      begin_else(l, number);
      break;
   case AGX_P_ENDIF:
      end_if(l, number);
      break;
   case AGX_P_LOOP:
      begin_loop(l, number);
      break;
   case AGX_P_BREAK:
   case AGX_P_CONTINUE:
      leave(l, number, instr->op == AGX_P_BREAK);
      break;
   case AGX_P_NEXT:
      next_round(l);
      break;
   case AGX_P_FUSED:
      break;
   case AGX_P_ENDLOOP:
      pop_exec(l, levels(&l->frames[--l->depth]));
      break;
   default: /* others: of the hardware, they stay */
      agx_build(&l->b, instr);
      break;
   }
}

/* Pops that follow each other are one: two levels are two levels. */
static void
merge_pops(struct agx_ir *ir)
{
   struct agx_instr *before = NULL;
   for (unsigned b = 0; b < ir->num_blocks; b++) {
      struct agx_block *block = ir->blocks[b];
      unsigned kept = 0;
      if (block->physical_preds.count > 1)
         before = NULL;
      for (unsigned i = 0; i < block->count; i++) {
         struct agx_instr *instr = block->instrs[i];
         const bool pops = instr->op == AGX_OP_POP_EXEC;
         if (pops && before && before->mod.nest + instr->mod.nest <= 3) {
            before->mod.nest += instr->mod.nest;
            continue;
         }
         before = pops ? instr : NULL;
         block->instrs[kept++] = instr;
      }
      block->count = kept;
   }
}

void
agx_lower_cf(struct agx_ir *ir)
{
   struct lower l = {.ir = ir, .frames = arena_array(ir->arena, struct frame, ir->num_blocks + 1)};
   for (unsigned i = 0; i < ir->num_blocks; i++) {
      struct agx_block made = {0};
      l.b = (struct agx_builder){.ir = ir, .block = &made};
      if (!i && ir->has_flow)
         agx_ldimm16_to(&l.b, agx_reg(0, 16, 1));
      for (unsigned k = 0; k < ir->blocks[i]->count; k++)
         lower_instr(&l, ir->blocks[i]->instrs[k], i);
      agx_ir_take(ir->blocks[i], &made);
   }
   agx_ir_link_physical(ir);
   merge_pops(ir);
}
