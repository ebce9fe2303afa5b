/* What the phases rely on. agx_check_form(): structure, edges and operands, while control flow is structured;
 * agx_validate(): that and SSA, before register allocation; agx_check_lowered(): everything has an encoding. */
#include "asahi/compiler/agx_ir.h"

struct check {
   struct agx_ir *ir;
   const struct agx_block **block_of; /* by value: where it is defined */
   uint32_t *index_of;                /* and as which instruction */
   const char *fault;
};

static void
fail(struct check *c, const struct agx_block *block, const struct agx_instr *instr, const char *what)
{
   if (!c->fault)
      c->fault = agx_fault_text(c->ir, block, instr, what);
}

/* ---- edges ---- */

static bool
has_edge(const struct agx_edges *edges, const struct agx_block *block)
{
   for (unsigned i = 0; i < edges->count; i++) {
      if (edges->at[i] == block)
         return true;
   }
   return false;
}

static void
check_edges(struct check *c, const struct agx_block *block)
{
   const bool branches = block->count && (block->instrs[block->count - 1]->op == AGX_OP_IF_ICMP ||
                                          block->instrs[block->count - 1]->op == AGX_OP_IF_FCMP);
   const bool reached = block->preds.count || !block->index;
   if (!reached && block->succs.count)
      fail(c, block, NULL, "nobody reaches it, and it leads somewhere");
   if (block->succs.count > 2 || (reached && branches != (block->succs.count == 2)))
      fail(c, block, NULL, "an if has two successors, and nothing else has");
   if (reached && !block->succs.count && block->index + 1 < c->ir->num_blocks)
      fail(c, block, NULL, "it leads nowhere");
   for (unsigned i = 0; i < block->succs.count; i++) {
      const struct agx_block *succ = block->succs.at[i];
      if (!has_edge(&succ->preds, block))
         fail(c, block, NULL, "a successor does not know it");
      if (block->succs.count > 1 && succ->preds.count > 1)
         fail(c, block, NULL, "an edge goes from two successors to two predecessors");
   }
}

/* ---- structure ---- */

static void
check_place(struct check *c, const struct agx_block *block, unsigned i)
{
   const struct agx_instr *instr = block->instrs[i];
   if (agx_ends_block(instr) && i + 1 != block->count)
      fail(c, block, instr, "it is not the last of its block");
   if (agx_is_marker(instr) && i)
      fail(c, block, instr, "it is not the first of its block");
   const struct agx_instr *before = i ? block->instrs[i - 1] : NULL;
   if (instr->op == AGX_P_PHI && before && !agx_is_marker(before) && before->op != AGX_P_PHI)
      fail(c, block, instr, "it is after others");
   if (instr->op == AGX_P_PRELOAD && (block->index || (i && block->instrs[i - 1]->op != AGX_P_PRELOAD)))
      fail(c, block, instr, "it is not at the start");
   if (instr->op == AGX_P_LEAVE && (block != agx_ir_last(c->ir) || i + 1 != block->count))
      fail(c, block, instr, "it is not the last of the program");
   if (!block->preds.count && block->index && !agx_is_marker(instr) && !agx_ends_block(instr))
      fail(c, block, instr, "nobody gets here");
}

/* What opens and closes: 'i' if, 'e' after its else, 'l' loop. */
static void
check_structure(struct check *c)
{
   char *open = arena_alloc(c->ir->arena, c->ir->num_blocks + 1);
   unsigned depth = 0;
   for (unsigned b = 0; b < c->ir->num_blocks && !c->fault; b++) {
      const struct agx_block *block = c->ir->blocks[b];
      for (unsigned i = 0; i < block->count; i++) {
         const unsigned op = block->instrs[i]->op;
         const char top = depth ? open[depth - 1] : 0;
         if (op == AGX_OP_IF_ICMP || op == AGX_OP_IF_FCMP)
            open[depth++] = 'i';
         else if (op == AGX_P_LOOP)
            open[depth++] = 'l';
         else if (op == AGX_P_ELSE && top == 'i')
            open[depth - 1] = 'e';
         else if (op == AGX_P_ENDIF && top == 'e')
            depth--;
         else if (op == AGX_P_NEXT && top == 'l')
            open[depth - 1] = 'n';
         else if (op == AGX_P_ENDLOOP && top == 'n')
            depth--;
         else if (op == AGX_P_ELSE || op == AGX_P_ENDIF || op == AGX_P_NEXT || op == AGX_P_ENDLOOP)
            fail(c, block, block->instrs[i], "nothing is open that it continues");
      }
   }
   if (depth)
      fail(c, c->ir->blocks[c->ir->num_blocks - 1], NULL, "something is open at the end");
}

/* ---- operands ---- */

/* Pairs of a value and its place. */
static bool
is_leave_form(const struct agx_instr *instr)
{
   bool fits = !instr->num_dsts && instr->num_srcs % 2 == 0;
   for (unsigned k = 1; k < instr->num_srcs; k += 2)
      fits &= instr->srcs[k].kind == AGX_REG && agx_halves(&instr->srcs[k]) == agx_halves(&instr->srcs[k - 1]);
   return fits;
}

static bool
is_pseudo_form(const struct agx_ir *ir, const struct agx_block *block, const struct agx_instr *instr)
{
   unsigned dsts = 0, srcs = 0;
   for (unsigned k = 0; k < instr->num_dsts; k++)
      dsts += agx_halves(&instr->dsts[k]);
   for (unsigned k = 0; k < instr->num_srcs; k++)
      srcs += agx_halves(&instr->srcs[k]);
   switch ((enum agx_pseudo)instr->op) {
   case AGX_P_PHI:
      return instr->num_dsts == 1 && instr->num_srcs == block->preds.count && srcs == dsts * instr->num_srcs;
   case AGX_P_COPY:
      return instr->num_dsts == instr->num_srcs;
   case AGX_P_COLLECT:
      return instr->num_dsts == 1 && srcs == dsts;
   case AGX_P_SPLIT:
      return instr->num_srcs == 1 && srcs >= dsts;
   case AGX_P_PRELOAD:
      return instr->num_srcs == 1 && instr->num_dsts == 1 && instr->srcs[0].kind == AGX_REG && srcs == dsts;
   case AGX_P_LEAVE:
      return is_leave_form(instr);
   case AGX_P_SPILL:
      return instr->num_srcs == 1 && !instr->num_dsts;
   case AGX_P_FILL:
      return !instr->num_srcs && instr->num_dsts == 1;
   case AGX_P_ELSE:
   case AGX_P_ENDIF:
   case AGX_P_LOOP:
   case AGX_P_BREAK:
   case AGX_P_CONTINUE:
   case AGX_P_NEXT:
   case AGX_P_ENDLOOP:
      return !instr->num_srcs && !instr->num_dsts;
   case AGX_P_FUSED:
   case AGX_P_END:
      break;
   }
   return false;
}

static void
check_ref(struct check *c, const struct agx_block *block, const struct agx_instr *instr, const struct agx_ref *ref)
{
   if (ref->kind != AGX_SSA)
      return;
   const struct agx_ir *ir = c->ir;
   if (!ref->value || ref->value >= ir->num_values)
      fail(c, block, instr, "there is no such value");
   else if (ref->size != ir->values[ref->value].size || ref->count != ir->values[ref->value].count)
      fail(c, block, instr, "a value has another size");
   else if (ref->size != 16 && ref->size != 32 && ref->size != 64)
      fail(c, block, instr, "a value has a size that there is not");
}

/* The instruction as if each value lay in the lowest registers: has it an encoding? */
static bool
has_encoding(struct check *c, const struct agx_instr *instr)
{
   struct agx_ref refs[AGX_SOURCES_MAX + 1];
   struct agx_instr probe = *instr;
   if (instr->num_srcs > AGX_SOURCES_MAX || instr->num_dsts > 1)
      return false;
   for (unsigned k = 0; k < instr->num_srcs; k++) {
      refs[k] = instr->srcs[k];
      refs[k].reg = c->ir->allocated ? refs[k].reg : 0;
   }
   probe.srcs = refs;
   struct agx_ref dst = instr->num_dsts ? instr->dsts[0] : agx_none();
   dst.reg = c->ir->allocated ? dst.reg : 0;
   probe.dsts = &dst;
   uint8_t bytes[AGX_INST_MAX_B];
   return agx_encode(&probe, bytes) != 0;
}

static void
check_instr(struct check *c, const struct agx_block *block, unsigned i)
{
   const struct agx_instr *instr = block->instrs[i];
   check_place(c, block, i);
   for (unsigned k = 0; k < instr->num_dsts; k++)
      check_ref(c, block, instr, &instr->dsts[k]);
   for (unsigned k = 0; k < instr->num_srcs; k++)
      check_ref(c, block, instr, &instr->srcs[k]);
   if (c->fault)
      return;
   if (agx_is_pseudo(instr) ? !is_pseudo_form(c->ir, block, instr) : !has_encoding(c, instr))
      fail(c, block, instr, agx_is_pseudo(instr) ? "its operands do not fit together" : "it has no encoding");
   for (unsigned k = 0; k < instr->num_srcs && instr->op == AGX_P_PHI; k++) {
      if (instr->srcs[k].kind != AGX_SSA && instr->srcs[k].kind != AGX_UNDEF)
         fail(c, block, instr, "a source of a phi is no value");
   }
}

/* ---- SSA ---- */

static void
find_definitions(struct check *c)
{
   for (unsigned b = 0; b < c->ir->num_blocks; b++) {
      const struct agx_block *block = c->ir->blocks[b];
      for (unsigned i = 0; i < block->count; i++) {
         const struct agx_instr *instr = block->instrs[i];
         for (unsigned k = 0; k < instr->num_dsts; k++) {
            if (instr->dsts[k].kind != AGX_SSA)
               continue;
            if (c->block_of[instr->dsts[k].value])
               fail(c, block, instr, "a value is defined twice");
            c->block_of[instr->dsts[k].value] = block;
            c->index_of[instr->dsts[k].value] = i;
         }
      }
   }
}

/* Defined before its use in the same block. Over blocks: what is live at the start of the program is undefined. */
static void
check_uses(struct check *c, const struct agx_block *block)
{
   for (unsigned i = 0; i < block->count; i++) {
      const struct agx_instr *instr = block->instrs[i];
      for (unsigned k = 0; k < instr->num_srcs; k++) {
         const struct agx_ref *src = &instr->srcs[k];
         if (src->kind != AGX_SSA)
            continue;
         if (!c->block_of[src->value] ||
             (instr->op != AGX_P_PHI && c->block_of[src->value] == block && c->index_of[src->value] >= i))
            fail(c, block, instr, "a value is read that is not defined");
      }
   }
}

const char *
agx_check_form(struct agx_ir *ir)
{
   struct check c = {.ir = ir};
   for (unsigned b = 0; b < ir->num_blocks && !c.fault; b++) {
      check_edges(&c, ir->blocks[b]);
      for (unsigned i = 0; i < ir->blocks[b]->count && !c.fault; i++)
         check_instr(&c, ir->blocks[b], i);
   }
   if (!c.fault)
      check_structure(&c);
   return c.fault;
}

const char *
agx_validate(struct agx_ir *ir)
{
   struct check c = {.ir = ir, .fault = agx_check_form(ir)};
   c.block_of = arena_array(ir->arena, const struct agx_block *, ir->num_values);
   c.index_of = arena_array(ir->arena, uint32_t, ir->num_values);
   if (!c.fault)
      find_definitions(&c);
   for (unsigned b = 0; b < ir->num_blocks && !c.fault; b++)
      check_uses(&c, ir->blocks[b]);
   if (c.fault)
      return c.fault;
   agx_liveness(ir);
   live_for_each(v, &ir->live, live_in(&ir->live, 0))
      return arena_printf(ir->arena, "value %u is not defined on some way to where it is read", v);
   return NULL;
}

const char *
agx_check_lowered(struct agx_ir *ir)
{
   struct check c = {.ir = ir};
   for (unsigned b = 0; b < ir->num_blocks; b++) {
      const struct agx_block *block = ir->blocks[b];
      for (unsigned i = 0; i < block->count; i++) {
         const struct agx_instr *instr = block->instrs[i];
         if (!has_encoding(&c, instr))
            fail(&c, block, instr, "it has no encoding");
      }
   }
   return c.fault;
}
