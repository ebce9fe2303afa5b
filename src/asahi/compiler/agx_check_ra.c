/* The proof of an allocation, independent of the allocator: which half of which value each register half holds is
 * followed along the logical edges, and every read must find what it names. */
#include "asahi/compiler/agx_ir.h"

#include <string.h>

/* What a register half holds: value << 5 | half of the value; 0: nothing that is known, on some way. */
struct state {
   uint32_t half[AGX_REGISTERS];
   bool reached;
};

static uint32_t
content(uint32_t value, unsigned half)
{
   return value << 5 | half;
}

static void
put(struct state *state, const struct agx_ref *dst)
{
   for (unsigned h = 0; dst->kind == AGX_SSA && h < agx_halves(dst); h++)
      state->half[dst->reg + h] = content(dst->value, h);
}

static bool
holds(const struct state *state, const struct agx_ref *src)
{
   for (unsigned h = 0; src->kind == AGX_SSA && h < agx_halves(src); h++) {
      if (src->reg + h >= AGX_REGISTERS || state->half[src->reg + h] != content(src->value, h))
         return false;
   }
   return true;
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

static const char *
fault_of_instr(const struct agx_ir *ir, const uint8_t *defs, const struct state *state, const struct agx_instr *instr)
{
   for (unsigned k = 0; k < instr->num_srcs && instr->op != AGX_P_PHI; k++) {
      if (!holds(state, &instr->srcs[k]))
         return "a source's register does not hold its value";
   }
   for (unsigned k = 0; k < instr->num_dsts; k++) {
      const char *fault = fault_of_result(ir, &instr->dsts[k]);
      if (fault)
         return fault;
      for (unsigned i = 0; i < k; i++) {
         const struct agx_ref *a = &instr->dsts[i], *b = &instr->dsts[k];
         if (a->kind == AGX_SSA && b->kind == AGX_SSA && a->reg < b->reg + agx_halves(b) &&
             b->reg < a->reg + agx_halves(a))
            return "two results share a register";
      }
      if (instr->op == AGX_P_COPY && defs[instr->dsts[k].value] > 1 &&
          (instr->srcs[k].kind != AGX_SSA || instr->dsts[k].value != instr->srcs[k].value))
         return "a move changes the value";
   }
   if (instr->op == AGX_P_PRELOAD && instr->dsts[0].reg != instr->srcs[0].value)
      return "what stands in a register at entry is looked for elsewhere";
   return NULL;
}

static const char *
walk_block(struct agx_ir *ir, const uint8_t *defs, const struct agx_block *block, struct state *state)
{
   for (unsigned i = 0; i < block->count; i++) {
      const struct agx_instr *instr = block->instrs[i];
      const char *fault = defs ? fault_of_instr(ir, defs, state, instr) : NULL;
      if (fault)
         return agx_fault_text(ir, block, instr, fault);
      for (unsigned k = 0; k < instr->num_dsts && instr->op != AGX_P_PHI; k++)
         put(state, &instr->dsts[k]);
   }
   return NULL;
}

/* What arrives over an edge: results of phis instead of their sources. */
static const char *
cross_edge(struct agx_ir *ir, const struct agx_block *block, unsigned edge, struct state *state, bool check)
{
   const struct state before = *state;
   for (unsigned i = 0; i < block->count; i++) {
      const struct agx_instr *phi = block->instrs[i];
      if (phi->op != AGX_P_PHI)
         continue;
      const struct agx_ref *src = &phi->srcs[edge];
      if (check && (!holds(&before, src) || (src->kind == AGX_SSA && src->reg != phi->dsts[0].reg)))
         return agx_fault_text(ir, block, phi, "a source does not arrive in the register of the phi");
      put(state, &phi->dsts[0]);
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

/* By value, up to 2, but for moves of the value itself: who is defined once may be a copy of something else. */
static const uint8_t *
count_definitions(const struct agx_ir *ir)
{
   uint8_t *defs = arena_array(ir->arena, uint8_t, ir->num_values);
   for (unsigned b = 0; b < ir->num_blocks; b++) {
      for (unsigned i = 0; i < ir->blocks[b]->count; i++) {
         const struct agx_instr *instr = ir->blocks[b]->instrs[i];
         for (unsigned k = 0; k < instr->num_dsts; k++) {
            const bool moves = instr->op == AGX_P_COPY && instr->srcs[k].kind == AGX_SSA &&
                               instr->srcs[k].value == instr->dsts[k].value;
            if (instr->dsts[k].kind == AGX_SSA && !moves && defs[instr->dsts[k].value] < 2)
               defs[instr->dsts[k].value]++;
         }
      }
   }
   return defs;
}

/* defs: by value, and everything is checked; NULL: the states only grow. */
static const char *
flow(struct agx_ir *ir, const uint8_t *defs, struct state *in, bool *changed)
{
   for (unsigned b = 0; b < ir->num_blocks; b++) {
      struct agx_block *block = ir->blocks[b];
      if (!in[b].reached)
         continue;
      struct state state = in[b];
      const char *fault = walk_block(ir, defs, block, &state);
      for (unsigned s = 0; s < block->succs.count && !fault; s++) {
         const struct agx_block *succ = block->succs.at[s];
         struct state crossed = state;
         unsigned edge = 0;
         while (succ->preds.at[edge] != block)
            edge++;
         fault = cross_edge(ir, succ, edge, &crossed, defs);
         *changed |= join(&in[succ->index], &crossed);
      }
      if (fault)
         return fault;
   }
   return NULL;
}

const char *
agx_check_ra(struct agx_ir *ir)
{
   const char *fault = agx_check_form(ir);
   if (fault)
      return fault;
   struct state *in = arena_array(ir->arena, struct state, ir->num_blocks);
   in[0].reached = true;
   bool changed = true;
   while (changed) {
      changed = false;
      flow(ir, NULL, in, &changed);
   }
   return flow(ir, count_definitions(ir), in, &changed);
}
