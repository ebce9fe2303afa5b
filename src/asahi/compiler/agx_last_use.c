/* Marks the last use of registers (discard), which spares writing them back from the register cache.
 *
 * A register that is discarded is gone for the whole group, so what counts is what the group does: liveness of
 * registers along physical edges, jumps in the middle of blocks too. Where some threads wait (inside of ifs and
 * loops), a write does not change the others' values, and so does not end what lived there before. */
#include "asahi/compiler/agx_ir.h"
#include "util/mutant.h"

#include <string.h>

#define WORDS BITSET_WORDS(AGX_REGISTERS)

struct last_use {
   struct agx_ir *ir;
   bitset_word (*in)[WORDS];    /* by block: live at its start */
   bool *divides;               /* by block: threads may wait where it writes registers */
   bool loops;                  /* some jump goes back */
   bitset_word live_out[WORDS]; /* live at the end: the outputs of a part, and what other parts hold */
};

/* Ifs open, pops close; what lies between the target of a jump back and the jump is a loop. */
static void
find_divergence(struct last_use *l)
{
   unsigned depth = 0;
   for (unsigned b = 0; b < l->ir->num_blocks; b++) {
      const struct agx_block *block = l->ir->blocks[b];
      for (unsigned i = 0; i < block->count; i++) {
         const struct agx_instr *instr = block->instrs[i];
         if (instr->op == AGX_OP_IF_ICMP || instr->op == AGX_OP_IF_FCMP)
            depth += instr->mod.nest;
         else if (instr->op == AGX_OP_POP_EXEC)
            depth -= MIN2(depth, instr->mod.nest);
         for (unsigned k = instr->mod.target; instr->op == AGX_OP_JMP_ANY && k <= b; k++)
            l->divides[k] = true;
         l->loops |= agx_jumps(instr) && instr->mod.target <= b;
         l->divides[b] |= depth && instr->num_dsts;
      }
   }
}

static bool
register_of(const struct agx_ref *ref, unsigned *first)
{
   *first = ref->kind == AGX_SSA ? ref->reg : ref->kind == AGX_REG ? ref->value : 0;
   return ref->kind == AGX_SSA || ref->kind == AGX_REG;
}

static bool
is_live(const bitset_word *live, const struct agx_ref *ref, unsigned first)
{
   for (unsigned h = first; h < first + agx_halves(ref); h++) {
      if (bitset_test(live, h))
         return true;
   }
   return false;
}

static void
mark(struct agx_instr *instr, const bitset_word *live)
{
   for (unsigned k = 0; k < instr->num_srcs; k++) {
      struct agx_ref *src = &instr->srcs[k], probe = *src;
      unsigned first;
      src->discard = false;
      if (!register_of(src, &first) || (is_live(live, src, first) && !mutant("agx-last-use-live")))
         continue;
      probe.discard = true;
      probe.count = 1; /* coordinates are named by their first register */
      src->discard = agx_takes(instr->op, k, &probe);
   }
}

static void
step_back(const struct last_use *l, struct agx_instr *instr, bitset_word *live, bool writes_end, bool marks)
{
   unsigned first;
   if (agx_jumps(instr)) {
      for (unsigned w = 0; w < WORDS; w++)
         live[w] |= l->in[instr->mod.target][w];
   }
   for (unsigned k = 0; k < instr->num_dsts && writes_end; k++) {
      if (!register_of(&instr->dsts[k], &first))
         continue;
      for (unsigned h = first; h < first + agx_halves(&instr->dsts[k]); h++)
         bitset_clear(live, h);
   }
   if (marks)
      mark(instr, live);
   for (unsigned k = 0; k < instr->num_srcs; k++) {
      if (!register_of(&instr->srcs[k], &first))
         continue;
      for (unsigned h = first; h < first + agx_halves(&instr->srcs[k]); h++)
         bitset_set(live, h);
   }
}

/* Whether more is live at the start of the block than was known. */
static bool
run_block(struct last_use *l, unsigned number, bool marks)
{
   const struct agx_block *block = l->ir->blocks[number];
   bitset_word live[WORDS] = {0};
   if (number + 1 < l->ir->num_blocks)
      memcpy(live, l->in[number + 1], sizeof(live));
   else
      memcpy(live, l->live_out, sizeof(live));
   for (unsigned i = block->count; i-- > 0;)
      step_back(l, block->instrs[i], live, !l->divides[number], marks);
   const bool changed = memcmp(live, l->in[number], sizeof(live)) != 0;
   memcpy(l->in[number], live, sizeof(live));
   return changed;
}

void
agx_last_use(struct agx_ir *ir)
{
   struct last_use l = {.ir = ir};
   memcpy(l.live_out, ir->left, sizeof(l.live_out));
   for (unsigned h = 0; h < ir->options->first_register_h; h++)
      bitset_set(l.live_out, h);
   l.in = arena_alloc(ir->arena, ir->num_blocks * sizeof(*l.in));
   l.divides = arena_array(ir->arena, bool, ir->num_blocks);
   find_divergence(&l);
   bool changed = l.loops; /* else whoever comes later is known when it is asked */
   while (changed) {
      changed = false;
      for (unsigned b = ir->num_blocks; b-- > 0;)
         changed |= run_block(&l, b, false);
   }
   for (unsigned b = ir->num_blocks; b-- > 0;)
      run_block(&l, b, true);
}
