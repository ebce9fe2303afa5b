/* Spilling: values that do not fit into registers lie on the stack from their definition on, and each use fills them
 * anew. Constants, uniforms and special registers are made again instead.
 *
 * Where more is live than fits, those go first whose uses, weighed by the loops around them, are few for the
 * registers that they free. What a use fills is live only for that use and is never spilled again; what fills have
 * room to serve for more uses is found at the end (agx_reuse_fills.c). */
#include "asahi/compiler/agx_builder.h"
#include "compiler/backend/spill_candidates.h"

#include <string.h>

/* What the allocator may lose to alignment: the nesting counter, and the starts of three regions. */
#define SLACK 8
#define ROUNDS 16
#define OFFSET_MAX 0xffff
#define WEIGHED_LOOPS 30 /* nested deeper, a use costs no more: sums of costs stay finite */

enum fate {
   STAYS,
   SPILLED,
   MADE_AGAIN,
};

struct spill {
   struct agx_ir *ir;
   unsigned limit_h;
   uint32_t first_fill; /* values from here on are fills */
   uint32_t num_values; /* at the start of the round */
   uint8_t *fate;       /* by value */
   float *cost;
   uint32_t *live;  /* by value: the last block in which choose_in_block() had it live and not spilled + 1 */
   unsigned live_h; /* halves of what is so now */
   struct spill_candidates candidates;
   struct agx_instr **defs;
   uint32_t *slot_B, *arriving_B; /* slots; of phis also one that their sources come in */
   bool any, stuck, fits;
};

static bool
is_made_again(const struct agx_instr *def)
{
   return def->op == AGX_OP_LDIMM16 || def->op == AGX_OP_LDIMM32 || agx_reads_stable_sr(def) ||
          ((def->op == AGX_OP_MOV || def->op == AGX_P_COPY) && def->num_dsts == 1 &&
           def->srcs[0].kind == AGX_UNIFORM);
}

static void
weigh(struct spill *s)
{
   for (unsigned b = 0; b < s->ir->num_blocks; b++) {
      const struct agx_block *block = s->ir->blocks[b];
      float weight = 1;
      for (unsigned d = 0; d < MIN2(block->loop_depth, WEIGHED_LOOPS); d++)
         weight *= 10;
      for (unsigned i = 0; i < block->count; i++) {
         struct agx_instr *instr = block->instrs[i];
         for (unsigned k = 0; k < instr->num_srcs; k++)
            if (instr->srcs[k].kind == AGX_SSA)
               s->cost[instr->srcs[k].value] += weight;
         for (unsigned k = 0; k < instr->num_dsts; k++) {
            if (instr->dsts[k].kind != AGX_SSA)
               continue;
            s->defs[instr->dsts[k].value] = instr;
            s->cost[instr->dsts[k].value] += is_made_again(instr) ? 0 : weight;
         }
      }
   }
   for (unsigned v = 1; v < s->first_fill; v++)
      s->cost[v] /= (float)MAX2(agx_value_halves(s->ir, v), 1);
   spill_candidates_begin(&s->candidates, s->ir->arena, s->cost, s->first_fill);
}

static void
set_loop_depths(struct agx_ir *ir)
{
   unsigned depth = 0;
   for (unsigned b = 0; b < ir->num_blocks; b++) {
      struct agx_block *block = ir->blocks[b];
      const unsigned first = block->count ? block->instrs[0]->op : AGX_P_END;
      depth -= first == AGX_P_ENDLOOP;
      block->loop_depth = (uint8_t)MIN2(depth, UINT8_MAX);
      depth += block->count && block->instrs[block->count - 1]->op == AGX_P_LOOP;
   }
}

static bool
is_operand(const struct agx_instr *instr, uint32_t value)
{
   for (unsigned k = 0; k < instr->num_srcs; k++) {
      if (instr->srcs[k].kind == AGX_SSA && instr->srcs[k].value == value)
         return true;
   }
   for (unsigned k = 0; k < instr->num_dsts; k++) {
      if (instr->dsts[k].kind == AGX_SSA && instr->dsts[k].value == value)
         return true;
   }
   return false;
}

static void
start_living(struct spill *s, const struct agx_block *block, uint32_t value)
{
   if (s->fate[value] || s->live[value] == block->index + 1)
      return;
   s->live[value] = block->index + 1;
   s->live_h += agx_value_halves(s->ir, value);
   if (value < s->first_fill)
      spill_candidates_add(&s->candidates, value);
}

static void
stop_living(struct spill *s, const struct agx_block *block, uint32_t value)
{
   if (s->live[value] != block->index + 1)
      return;
   s->live[value] = 0;
   s->live_h -= agx_value_halves(s->ir, value);
   if (value < s->first_fill)
      spill_candidates_remove(&s->candidates, value);
}

/* The cheapest that may go; 0: none. */
static uint32_t
cheapest(const struct spill *s, const struct agx_instr *instr)
{
   spill_candidates_for_each(v, &s->candidates) {
      if (!instr || !is_operand(instr, v))
         return v;
   }
   return 0;
}

/* instr: what is live around it, whose own operands cannot go; NULL: what is live at the start of a block. */
static void
make_room(struct spill *s, const struct agx_block *block, const struct agx_instr *instr)
{
   while (s->live_h > s->limit_h) {
      const uint32_t best = cheapest(s, instr);
      if (!best) {
         s->stuck = true;
         return;
      }
      stop_living(s, block, best);
      s->fate[best] = is_made_again(s->defs[best]) ? MADE_AGAIN : SPILLED;
      s->any = true;
   }
}

/* Backwards: ahead of an instruction its sources are live, after it its results. */
static void
choose_in_block(struct spill *s, const struct agx_block *block)
{
   spill_candidates_clear(&s->candidates);
   s->live_h = 0;
   live_for_each(v, &s->ir->live, live_out(&s->ir->live, block->index))
      start_living(s, block, v);
   make_room(s, block, NULL);
   for (unsigned i = block->count; i-- > 0;) {
      const struct agx_instr *instr = block->instrs[i];
      for (unsigned k = 0; k < instr->num_dsts; k++) {
         if (instr->dsts[k].kind == AGX_SSA)
            start_living(s, block, instr->dsts[k].value);
      }
      if (instr->op == AGX_P_PHI)
         continue; /* the results of all of them are live together, after this loop */
      make_room(s, block, instr);
      for (unsigned k = 0; k < instr->num_dsts; k++) {
         if (instr->dsts[k].kind == AGX_SSA)
            stop_living(s, block, instr->dsts[k].value);
      }
      for (unsigned k = 0; k < instr->num_srcs; k++) {
         if (instr->srcs[k].kind == AGX_SSA)
            start_living(s, block, instr->srcs[k].value);
      }
      make_room(s, block, instr);
   }
   make_room(s, block, NULL);
}

/* ---- rewriting ---- */

/* slots: by value. */
static uint32_t
slot_of(struct spill *s, uint32_t *slots, uint32_t value)
{
   struct agx_ir *ir = s->ir;
   if (slots[value] == UINT32_MAX) {
      slots[value] = (uint32_t)align_up(ir->scratch_B, 4);
      ir->scratch_B = slots[value] + (uint32_t)align_up(2 * agx_value_halves(ir, value), 4);
      if (ir->scratch_B > OFFSET_MAX)
         agx_ir_fail(ir, "what is spilled does not fit into %u bytes of stack", OFFSET_MAX);
   }
   return slots[value];
}

static void
build_spill(struct spill *s, struct agx_builder *b, struct agx_ref value, uint32_t slot_B)
{
   struct agx_instr *spill = agx_build_pseudo(b, AGX_P_SPILL, 0, 1);
   spill->srcs[0] = value;
   spill->mod.offset = slot_B;
   s->ir->spills++;
}

static struct agx_ref
build_plain_fill(struct spill *s, struct agx_builder *b, struct agx_ref like, uint32_t slot_B)
{
   struct agx_instr *fill = agx_build_pseudo(b, AGX_P_FILL, 1, 0);
   fill->dsts[0] = agx_ir_value(s->ir, like.size, like.count);
   fill->mod.offset = slot_B;
   s->ir->fills++;
   return fill->dsts[0];
}

/* A new value with what the old one holds. */
static struct agx_ref
build_fill(struct spill *s, struct agx_builder *b, struct agx_ref old)
{
   const struct agx_instr *def = s->defs[old.value];
   struct agx_ref ref;
   if (s->fate[old.value] == MADE_AGAIN) {
      struct agx_instr *again = agx_build_pseudo(b, def->op, 1, def->num_srcs);
      ref = again->dsts[0] = agx_ir_value(s->ir, old.size, old.count);
      memcpy(again->srcs, def->srcs, def->num_srcs * sizeof(*again->srcs));
      again->mod = def->mod;
   } else {
      ref = build_plain_fill(s, b, old, slot_of(s, s->slot_B, old.value));
   }
   ref.abs = old.abs;
   ref.neg = old.neg;
   ref.sext = old.sext;
   return ref;
}

/* Each value once, whatever number of sources read it. */
static void
fill_sources(struct spill *s, struct agx_builder *b, struct agx_instr *instr)
{
   for (unsigned k = 0; k < instr->num_srcs; k++) {
      const struct agx_ref old = instr->srcs[k];
      if (old.kind != AGX_SSA || old.value >= s->num_values || !s->fate[old.value])
         continue;
      const struct agx_ref filled = build_fill(s, b, old);
      for (unsigned n = k; n < instr->num_srcs; n++) {
         if (instr->srcs[n].kind == AGX_SSA && instr->srcs[n].value == old.value)
            instr->srcs[n].value = filled.value;
      }
   }
}

static void
spill_results(struct spill *s, struct agx_builder *b, const struct agx_instr *instr)
{
   for (unsigned k = 0; k < instr->num_dsts; k++) {
      const struct agx_ref *dst = &instr->dsts[k];
      if (dst->kind == AGX_SSA && dst->value < s->num_values && s->fate[dst->value] == SPILLED)
         build_spill(s, b, *dst, slot_of(s, s->slot_B, dst->value));
   }
}

/* A phi on the stack: its sources have come into a slot of their own, since others may still read the phi's. */
static void
land_phi(struct spill *s, struct agx_builder *b, const struct agx_instr *phi)
{
   const struct agx_ref *dst = &phi->dsts[0];
   const struct agx_ref arrived = build_plain_fill(s, b, *dst, slot_of(s, s->arriving_B, dst->value));
   build_spill(s, b, arrived, slot_of(s, s->slot_B, dst->value));
}

static bool
is_spilled_phi(const struct spill *s, const struct agx_instr *instr)
{
   return instr->op == AGX_P_PHI && instr->dsts[0].value < s->num_values && s->fate[instr->dsts[0].value] == SPILLED;
}

/* After the last phi land those that are spilled, and after the last preload its results. */
static void
rewrite_block(struct spill *s, struct agx_block *block)
{
   struct agx_block made = {0};
   struct agx_builder b = {.ir = s->ir, .block = &made};
   unsigned begin = agx_ir_begin(block), i = 0;
   for (; i < begin; i++) {
      if (!is_spilled_phi(s, block->instrs[i]))
         agx_build(&b, block->instrs[i]);
   }
   for (unsigned k = 0; k < begin; k++) {
      if (is_spilled_phi(s, block->instrs[k]))
         land_phi(s, &b, block->instrs[k]);
   }
   for (; i < block->count && block->instrs[i]->op == AGX_P_PRELOAD; i++)
      agx_build(&b, block->instrs[i]);
   for (unsigned k = begin; k < i; k++)
      spill_results(s, &b, block->instrs[k]);
   for (; i < block->count; i++) {
      struct agx_instr *instr = block->instrs[i];
      fill_sources(s, &b, instr);
      agx_build(&b, instr);
      spill_results(s, &b, instr);
   }
   agx_ir_take(block, &made);
}

/* Sources of phis are filled at the end of their predecessors; those of phis on the stack go there, one by one. */
static void
rewrite_source(struct spill *s, struct agx_block *pred, struct agx_instr *phi, unsigned k)
{
   const struct agx_ref old = phi->srcs[k];
   const bool goes = old.kind == AGX_SSA && old.value < s->num_values && s->fate[old.value];
   struct agx_block tail = {0};
   struct agx_builder b = {.ir = s->ir, .block = &tail};
   if (old.kind != AGX_SSA)
      return;
   phi->srcs[k] = goes ? build_fill(s, &b, old) : old;
   if (is_spilled_phi(s, phi))
      build_spill(s, &b, phi->srcs[k], slot_of(s, s->arriving_B, phi->dsts[0].value));
   for (unsigned i = 0; i < tail.count; i++)
      agx_ir_insert(s->ir, pred, agx_ir_end(pred), tail.instrs[i]);
}

static void
rewrite_phis(struct spill *s, struct agx_block *block)
{
   const unsigned begin = agx_ir_begin(block);
   for (unsigned i = 0; i < begin; i++) {
      struct agx_instr *phi = block->instrs[i];
      for (unsigned k = 0; phi->op == AGX_P_PHI && k < phi->num_srcs; k++)
         rewrite_source(s, block->preds.at[k], phi, k);
   }
}

/* Whether something had to go. */
static bool
run_round(struct spill *s)
{
   struct agx_ir *ir = s->ir;
   struct arena *arena = ir->arena;
   agx_liveness(ir);
   s->fits = agx_pressure(ir) <= s->limit_h;
   if (s->fits)
      return false;
   s->any = s->stuck = false;
   s->num_values = ir->num_values;
   s->fate = arena_array(arena, uint8_t, s->num_values);
   s->cost = arena_array(arena, float, s->num_values);
   s->defs = arena_array(arena, struct agx_instr *, s->num_values);
   s->slot_B = arena_array(arena, uint32_t, s->num_values);
   s->arriving_B = arena_array(arena, uint32_t, s->num_values);
   memset(s->slot_B, 0xff, s->num_values * sizeof(*s->slot_B));
   memset(s->arriving_B, 0xff, s->num_values * sizeof(*s->arriving_B));
   weigh(s);
   s->live = arena_array(arena, uint32_t, s->num_values);
   for (unsigned b = 0; b < ir->num_blocks; b++)
      choose_in_block(s, ir->blocks[b]);
   for (unsigned b = 0; b < ir->num_blocks; b++)
      rewrite_phis(s, ir->blocks[b]);
   for (unsigned b = 0; b < ir->num_blocks; b++)
      rewrite_block(s, ir->blocks[b]);
   return s->any;
}

void
agx_spill(struct agx_ir *ir)
{
   struct spill s = {.ir = ir, .limit_h = ir->registers_max_h - MIN2(SLACK, ir->registers_max_h)};
   s.first_fill = ir->num_values;
   set_loop_depths(ir);
   unsigned rounds = 0;
   while (rounds < ROUNDS && run_round(&s) && !ir->error)
      rounds++;
   if (!ir->error && (rounds || !s.fits)) {
      agx_dead_code(ir);
      agx_liveness(ir);
      if (ir->fills && agx_pressure(ir) <= s.limit_h && agx_reuse_fills(ir, s.limit_h))
         agx_liveness(ir);
      if (agx_pressure(ir) > s.limit_h)
         agx_ir_fail(ir, "one instruction needs more than %u halves of registers", s.limit_h);
   }
}
