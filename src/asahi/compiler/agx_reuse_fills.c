/* What lies on the stack is filled once in a block and not at each use, as long as there are registers for it in
 * between; and what was spilled in the block need not be filled at all then. Spills that nobody fills go. */
#include "asahi/compiler/agx_ir.h"

#include <string.h>

struct reuse {
   struct agx_ir *ir;
   unsigned limit_h, num_slots;
   uint32_t *last;    /* by value: its last reader in this block */
   uint32_t *instead; /* by value: the one that is read for it, or 0 */
   uint32_t *in_slot; /* by slot: value that holds the same, in this block, or 0 */
   uint32_t *readers; /* by slot: fills that are left */
   unsigned *peak_h;  /* by instruction: halves that are live there at most */
   bool changed;
};

static unsigned
slot_of(const struct agx_instr *instr)
{
   return instr->mod.offset / 4; /* slots are aligned to words */
}

static void
look_at_block(struct reuse *r, const struct agx_block *block)
{
   unsigned live_h = agx_live_halves(r->ir, live_in(&r->ir->live, block->index));
   for (unsigned i = 0; i < block->count; i++) {
      const struct agx_instr *instr = block->instrs[i];
      r->peak_h[i] = agx_live_step(r->ir, instr, &live_h);
      for (unsigned k = 0; k < instr->num_srcs && instr->op != AGX_P_PHI; k++) {
         if (instr->srcs[k].kind == AGX_SSA)
            r->last[instr->srcs[k].value] = i;
      }
      for (unsigned k = 0; k < instr->num_dsts; k++) {
         if (instr->dsts[k].kind == AGX_SSA)
            r->last[instr->dsts[k].value] = i;
      }
   }
   live_for_each(v, &r->ir->live, live_out(&r->ir->live, block->index))
      r->last[v] = block->count;
}

/* Whether the value can stay in its registers from its last reader, which does not free them then, up to the
 * instruction; then it does. */
static bool
stays(struct reuse *r, uint32_t value, unsigned at)
{
   const unsigned halves = agx_value_halves(r->ir, value);
   for (unsigned i = r->last[value]; i < at; i++) {
      if (r->peak_h[i] + halves > r->limit_h)
         return false;
   }
   for (unsigned i = r->last[value]; i < at; i++)
      r->peak_h[i] += halves;
   return true;
}

/* Whether the fill is not needed. */
static bool
is_held(struct reuse *r, const struct agx_block *block, const struct agx_instr *fill, unsigned at)
{
   const uint32_t value = fill->dsts[0].value, held = r->in_slot[slot_of(fill)];
   const bool same = held && r->ir->values[held].size == r->ir->values[value].size &&
                     r->ir->values[held].count == r->ir->values[value].count;
   if (!same || live_test(&r->ir->live, live_out(&r->ir->live, block->index), value) || !stays(r, held, at)) {
      r->in_slot[slot_of(fill)] = value;
      return false;
   }
   r->instead[value] = held;
   r->last[held] = MAX2(r->last[held], r->last[value]);
   return true;
}

static void
run_block(struct reuse *r, struct agx_block *block)
{
   unsigned kept = 0;
   memset(r->in_slot, 0, r->num_slots * sizeof(*r->in_slot));
   look_at_block(r, block);
   for (unsigned i = 0; i < block->count; i++) {
      struct agx_instr *instr = block->instrs[i];
      for (unsigned k = 0; k < instr->num_srcs && instr->op != AGX_P_PHI; k++) {
         if (instr->srcs[k].kind == AGX_SSA && r->instead[instr->srcs[k].value])
            instr->srcs[k].value = r->instead[instr->srcs[k].value];
      }
      if (instr->op == AGX_P_FILL && is_held(r, block, instr, i)) {
         r->ir->fills--;
         r->changed = true;
         continue;
      }
      if (instr->op == AGX_P_SPILL)
         r->in_slot[slot_of(instr)] = instr->srcs[0].value;
      else if (instr->op == AGX_P_FILL)
         r->readers[slot_of(instr)]++;
      block->instrs[kept++] = instr;
   }
   block->count = kept;
}

static void
drop_spills(struct reuse *r, struct agx_block *block)
{
   unsigned kept = 0;
   for (unsigned i = 0; i < block->count; i++) {
      if (block->instrs[i]->op == AGX_P_SPILL && !r->readers[slot_of(block->instrs[i])])
         r->ir->spills--;
      else
         block->instrs[kept++] = block->instrs[i];
   }
   block->count = kept;
}

bool
agx_reuse_fills(struct agx_ir *ir, unsigned limit_h)
{
   struct arena *arena = ir->arena;
   struct reuse r = {.ir = ir, .limit_h = limit_h, .num_slots = ir->scratch_B / 4 + 1};
   unsigned longest = 0;
   for (unsigned b = 0; b < ir->num_blocks; b++)
      longest = MAX2(longest, ir->blocks[b]->count);
   r.last = arena_array(arena, uint32_t, ir->num_values);
   r.instead = arena_array(arena, uint32_t, ir->num_values);
   r.in_slot = arena_array(arena, uint32_t, r.num_slots);
   r.readers = arena_array(arena, uint32_t, r.num_slots);
   r.peak_h = arena_array(arena, unsigned, longest);
   for (unsigned b = 0; b < ir->num_blocks; b++)
      run_block(&r, ir->blocks[b]);
   for (unsigned b = 0; b < ir->num_blocks && r.changed; b++)
      drop_spills(&r, ir->blocks[b]);
   return r.changed;
}
