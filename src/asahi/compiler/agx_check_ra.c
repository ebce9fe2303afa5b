/* The proof of an allocation, independent of the allocator: which half of which value each register half holds is
 * followed along the logical edges, and every read must find what it names. */
#include "asahi/compiler/agx_ir.h"

#include <string.h>

/* What a register half holds: a content; 0: nothing that is known, on some way. */
struct state {
   uint32_t half[AGX_REGISTERS];
   bool reached;
};

/* Halves of values, numbered so that those are one content that are the same by definition: a vector's and its
 * parts', a copy's and its source's. */
struct contents {
   uint32_t *first; /* by value: where its halves stand in `of` */
   uint32_t *of;
   uint8_t *defs; /* by value, up to 2, but for moves of the value itself */
};

static uint32_t
content(const struct contents *c, uint32_t value, unsigned half)
{
   return c->of[c->first[value] + half];
}

/* Halves of dst from `to` on are those of src from `from` on. */
static void
make_same(struct contents *c, const struct agx_ref *dst, unsigned to, const struct agx_ref *src, unsigned from,
          unsigned halves)
{
   for (unsigned h = 0; h < halves && dst->kind == AGX_SSA && src->kind == AGX_SSA; h++)
      c->of[c->first[dst->value] + to + h] = content(c, src->value, from + h);
}

static bool
moves_value(const struct agx_instr *instr, unsigned k)
{
   return instr->op == AGX_P_COPY && instr->srcs[k].kind == AGX_SSA && instr->srcs[k].value == instr->dsts[k].value;
}

static void
count_definitions(struct contents *c, const struct agx_instr *instr)
{
   for (unsigned k = 0; k < instr->num_dsts; k++) {
      const struct agx_ref *dst = &instr->dsts[k];
      if (dst->kind == AGX_SSA && !moves_value(instr, k) && c->defs[dst->value] < 2)
         c->defs[dst->value]++;
   }
}

static void
learn_contents(struct contents *c, const struct agx_instr *instr)
{
   unsigned at = 0;
   for (unsigned k = 0; k < instr->num_srcs && instr->op == AGX_P_COLLECT; k++) {
      make_same(c, &instr->dsts[0], at, &instr->srcs[k], 0, agx_halves(&instr->srcs[k]));
      at += agx_halves(&instr->srcs[k]);
   }
   for (unsigned k = 0; k < instr->num_dsts && instr->op == AGX_P_SPLIT; k++) {
      make_same(c, &instr->dsts[k], 0, &instr->srcs[0], at, agx_halves(&instr->dsts[k]));
      at += agx_halves(&instr->dsts[k]);
   }
   for (unsigned k = 0; k < instr->num_dsts && instr->op == AGX_P_COPY; k++) {
      if (!moves_value(instr, k) && c->defs[instr->dsts[k].value] == 1)
         make_same(c, &instr->dsts[k], 0, &instr->srcs[k], 0, agx_halves(&instr->dsts[k]));
   }
}

static void
for_each_instr(struct agx_ir *ir, struct contents *c, void (*visit)(struct contents *, const struct agx_instr *))
{
   for (unsigned b = 0; b < ir->num_blocks; b++) {
      for (unsigned i = 0; i < ir->blocks[b]->count; i++)
         visit(c, ir->blocks[b]->instrs[i]);
   }
}

/* Definitions come before what reads them, but for phis, which are contents of their own. */
static struct contents
number_contents(struct agx_ir *ir)
{
   struct contents c = {.first = arena_array(ir->arena, uint32_t, ir->num_values),
                        .defs = arena_array(ir->arena, uint8_t, ir->num_values)};
   uint32_t halves = 1;
   for (uint32_t v = 1; v < ir->num_values; v++) {
      c.first[v] = halves;
      halves += agx_value_halves(ir, v);
   }
   c.of = arena_array(ir->arena, uint32_t, halves);
   for (uint32_t i = 1; i < halves; i++)
      c.of[i] = i;
   for_each_instr(ir, &c, count_definitions);
   for_each_instr(ir, &c, learn_contents);
   return c;
}

static void
put(const struct contents *c, struct state *state, const struct agx_ref *dst)
{
   for (unsigned h = 0; dst->kind == AGX_SSA && h < agx_halves(dst); h++)
      state->half[dst->reg + h] = content(c, dst->value, h);
}

static bool
holds(const struct contents *c, const struct state *state, const struct agx_ref *src)
{
   for (unsigned h = 0; src->kind == AGX_SSA && h < agx_halves(src); h++) {
      if (src->reg + h >= AGX_REGISTERS || state->half[src->reg + h] != content(c, src->value, h))
         return false;
   }
   return true;
}

/* Two results in one register, that are not the same. */
static bool
collide(const struct contents *c, const struct agx_ref *a, const struct agx_ref *b)
{
   if (a->kind != AGX_SSA || b->kind != AGX_SSA)
      return false;
   for (unsigned h = a->reg; h < a->reg + agx_halves(a); h++) {
      if (h >= b->reg && h < b->reg + agx_halves(b) &&
          content(c, a->value, h - a->reg) != content(c, b->value, h - b->reg))
         return true;
   }
   return false;
}

static const char *
fault_of_result(const struct agx_ir *ir, const struct agx_ref *dst)
{
   if (dst->kind != AGX_SSA)
      return NULL;
   if (dst->reg + agx_halves(dst) > ir->registers_max_h)
      return "a result lies outside of the registers";
   if (dst->reg % agx_alignment(dst->size))
      return "a result is not aligned";
   if (dst->reg + agx_halves(dst) > ir->used_registers_h)
      return "a result lies beyond the registers that are counted";
   return ir->has_flow && !dst->reg ? "a result lies in the nesting counter" : NULL;
}

/* A part changes nothing in registers of others; what they hold may be a value there. */
static bool
takes_others(const struct agx_ir *ir, const struct contents *c, const struct state *state, const struct agx_ref *dst)
{
   for (unsigned h = 0; dst->kind == AGX_SSA && h < agx_halves(dst); h++) {
      if (dst->reg + h < ir->options->first_register_h && state->half[dst->reg + h] != content(c, dst->value, h))
         return true;
   }
   return false;
}

static const char *
fault_of_instr(const struct agx_ir *ir, const struct contents *c, const struct state *state,
               const struct agx_instr *instr)
{
   for (unsigned k = 0; k < instr->num_srcs && instr->op != AGX_P_PHI; k++) {
      if (!holds(c, state, &instr->srcs[k]))
         return "a source's register does not hold its value";
   }
   for (unsigned k = 0; k < instr->num_dsts; k++) {
      const char *fault = fault_of_result(ir, &instr->dsts[k]);
      if (fault)
         return fault;
      if (instr->op != AGX_P_PRELOAD && takes_others(ir, c, state, &instr->dsts[k]))
         return "a result lies in a register that is not the part's";
      for (unsigned i = 0; i < k; i++) {
         if (collide(c, &instr->dsts[i], &instr->dsts[k]))
            return "two results share a register";
      }
      if (instr->op == AGX_P_COPY && !moves_value(instr, k) && c->defs[instr->dsts[k].value] > 1)
         return "a move changes the value";
   }
   for (unsigned k = 1; k < instr->num_srcs && instr->op == AGX_P_LEAVE; k += 2) {
      if (instr->srcs[k].value + agx_halves(&instr->srcs[k]) > ir->used_registers_h)
         return "what is left lies beyond the registers that are counted";
   }
   if (instr->op == AGX_P_PRELOAD && instr->dsts[0].reg != instr->srcs[0].value)
      return "what stands in a register at entry is looked for elsewhere";
   return NULL;
}

static const char *
walk_block(struct agx_ir *ir, const struct contents *c, const struct agx_block *block, struct state *state,
           bool check)
{
   for (unsigned i = 0; i < block->count; i++) {
      const struct agx_instr *instr = block->instrs[i];
      const char *fault = check ? fault_of_instr(ir, c, state, instr) : NULL;
      if (fault)
         return agx_fault_text(ir, block, instr, fault);
      for (unsigned k = 0; k < instr->num_dsts && instr->op != AGX_P_PHI; k++)
         put(c, state, &instr->dsts[k]);
   }
   return NULL;
}

/* What arrives over an edge: results of phis instead of their sources. */
static const char *
cross_edge(struct agx_ir *ir, const struct contents *c, const struct agx_block *block, unsigned edge,
           struct state *state, bool check)
{
   const struct state before = *state;
   for (unsigned i = 0; i < block->count; i++) {
      const struct agx_instr *phi = block->instrs[i];
      if (phi->op != AGX_P_PHI)
         continue;
      const struct agx_ref *src = &phi->srcs[edge];
      if (check && (!holds(c, &before, src) || (src->kind == AGX_SSA && src->reg != phi->dsts[0].reg)))
         return agx_fault_text(ir, block, phi, "a source does not arrive in the register of the phi");
      put(c, state, &phi->dsts[0]);
   }
   return NULL;
}

/* Whether something is known less. */
static bool
join(struct state *into, const struct state *from)
{
   if (!into->reached) {
      *into = *from;
      into->reached = true;
      return true;
   }
   bool changed = false;
   for (unsigned h = 0; h < AGX_REGISTERS; h++) {
      if (into->half[h] && into->half[h] != from->half[h]) {
         into->half[h] = 0;
         changed = true;
      }
   }
   return changed;
}

/* Joins what the block ends with into the states of its successors; those that change wait. *again: one of them comes
 * in another pass. check: instructions and edges, too. */
static const char *
flow_from(struct agx_ir *ir, const struct contents *c, struct state *in, const struct agx_block *block, bool check,
          bool *waits, bool *again)
{
   /* size: one step of a search: state and results */
   struct state state = in[block->index];
   const char *fault = walk_block(ir, c, block, &state, check);
   for (unsigned s = 0; s < block->succs.count && !fault; s++) {
      const struct agx_block *succ = block->succs.at[s];
      struct state crossed = state;
      unsigned edge = 0;
      while (succ->preds.at[edge] != block)
         edge++;
      fault = cross_edge(ir, c, succ, edge, &crossed, check);
      if (join(&in[succ->index], &crossed)) {
         waits[succ->index] = true;
         *again |= succ->index <= block->index;
      }
   }
   return fault;
}

const char *
agx_check_ra(struct agx_ir *ir)
{
   const char *fault = agx_check_form(ir);
   if (fault)
      return fault;
   struct state *in = arena_array(ir->arena, struct state, ir->num_blocks);
   bool *waits = arena_array(ir->arena, bool, ir->num_blocks);
   const struct contents contents = number_contents(ir);
   in[0].reached = waits[0] = true;
   bool again = true;
   while (again) {
      again = false;
      for (unsigned b = 0; b < ir->num_blocks; b++) {
         if (!waits[b])
            continue;
         waits[b] = false;
         flow_from(ir, &contents, in, ir->blocks[b], false, waits, &again);
      }
   }
   for (unsigned b = 0; b < ir->num_blocks && !fault; b++) {
      if (in[b].reached)
         fault = flow_from(ir, &contents, in, ir->blocks[b], true, waits, &again);
   }
   return fault;
}
