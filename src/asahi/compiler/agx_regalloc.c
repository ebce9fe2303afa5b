/* Register allocation of SSA values, block after block in their order.
 *
 * A value gets the lowest free registers at its definition, or those that a vector or phi it goes into would like.
 * Where no room is left in one piece, all live values move together (a parallel copy ahead of the instruction). Where
 * control flow joins, the first predecessor says where values lie, and the others get a parallel copy at their end;
 * phis and their sources lie in the same registers then. Spilling has seen to it that there is enough in total. */
#include "asahi/compiler/agx_regalloc.h"

#include <string.h>

/* A collect's registers, once a part of it has chosen. */
struct vector {
   const struct agx_instr *collect;
   uint16_t base, halves, alignment;
};

/* Where a value would like to be. */
struct wish {
   uint16_t fixed;          /* half + 1 where it is left, 0: anywhere */
   uint16_t vector, offset; /* vector: number + 1, 0 none */
   uint32_t web;            /* representative of the phis that it takes part in; 0 none */
};

struct block_state {
   struct agx_ra_place *in, *out; /* live values at both ends, in the order of values */
   unsigned num_in, num_out;
   bool begun, done;
};

/* So many values that no more of them may share registers. */
#define MANY_HELD (AGX_REGISTERS * 3)

struct ra {
   struct agx_ir *ir;
   struct agx_ra_file file;
   struct wish *wishes;
   struct vector *vectors;
   uint16_t *web_reg;
   struct block_state *states;
   struct agx_block made; /* the block under work */
};

/* ---- wishes ---- */

/* Shortens chains as it follows them: phis of loops in a row make long ones. */
static uint32_t
web_of(struct ra *ra, uint32_t value)
{
   while (ra->wishes[value].web && ra->wishes[value].web != value) {
      ra->wishes[value].web = ra->wishes[ra->wishes[value].web].web;
      value = ra->wishes[value].web;
   }
   return value;
}

static void
join_webs(struct ra *ra, uint32_t a, uint32_t b)
{
   a = web_of(ra, a);
   b = web_of(ra, b);
   ra->wishes[a].web = a;
   ra->wishes[b].web = a;
}

static void
wish_for_vector(struct ra *ra, const struct agx_instr *collect, unsigned number)
{
   const struct agx_ref *dst = &collect->dsts[0];
   ra->vectors[number] = (struct vector){.collect = collect,
                                         .base = AGX_RA_NONE,
                                         .halves = (uint16_t)agx_halves(dst),
                                         .alignment = (uint16_t)agx_alignment(dst->size)};
   unsigned offset = 0;
   for (unsigned k = 0; k < collect->num_srcs; k++) {
      const struct agx_ref *src = &collect->srcs[k];
      if (src->kind == AGX_SSA && !ra->wishes[src->value].vector) {
         ra->wishes[src->value].vector = (uint16_t)(number + 1);
         ra->wishes[src->value].offset = (uint16_t)offset;
      }
      offset += agx_halves(src);
   }
}

/* The program's outputs are best put into their registers from the start. */
static void
wish_for_left(struct ra *ra)
{
   const struct agx_block *last = agx_ir_last(ra->ir);
   const struct agx_instr *leave = last->count ? last->instrs[last->count - 1] : NULL;
   for (unsigned k = 0; leave && leave->op == AGX_P_LEAVE && k < leave->num_srcs; k += 2) {
      if (leave->srcs[k].kind == AGX_SSA && !ra->wishes[leave->srcs[k].value].fixed)
         ra->wishes[leave->srcs[k].value].fixed = (uint16_t)(leave->srcs[k + 1].value + 1);
      ra->file.used_h = MAX2(ra->file.used_h, leave->srcs[k + 1].value + agx_halves(&leave->srcs[k + 1]));
   }
}

/* And a vector, where its parts are. */
static void
wish_for_parts(struct ra *ra, const struct agx_instr *split)
{
   unsigned offset = 0;
   for (unsigned k = 0; k < split->num_dsts && split->srcs[0].kind == AGX_SSA; k++) {
      const struct agx_ref *dst = &split->dsts[k];
      const unsigned fixed = dst->kind == AGX_SSA ? ra->wishes[dst->value].fixed : 0;
      if (fixed > offset && !ra->wishes[split->srcs[0].value].fixed)
         ra->wishes[split->srcs[0].value].fixed = (uint16_t)(fixed - offset);
      offset += agx_halves(dst);
   }
}

static void
collect_wishes(struct ra *ra)
{
   struct agx_ir *ir = ra->ir;
   unsigned vectors = 0;
   for (unsigned b = 0; b < ir->num_blocks; b++) {
      for (unsigned i = 0; i < ir->blocks[b]->count; i++)
         vectors += ir->blocks[b]->instrs[i]->op == AGX_P_COLLECT;
   }
   ra->vectors = arena_array(ir->arena, struct vector, MIN2(vectors, UINT16_MAX - 1) + 1);
   vectors = 0;
   wish_for_left(ra);
   for (unsigned b = 0; b < ir->num_blocks; b++) {
      for (unsigned i = 0; i < ir->blocks[b]->count; i++) {
         const struct agx_instr *instr = ir->blocks[b]->instrs[i];
         if (instr->op == AGX_P_SPLIT)
            wish_for_parts(ra, instr);
         if (instr->op == AGX_P_COLLECT && vectors < UINT16_MAX - 1)
            wish_for_vector(ra, instr, vectors++);
         for (unsigned k = 0; instr->op == AGX_P_PHI && k < instr->num_srcs; k++) {
            if (instr->srcs[k].kind == AGX_SSA)
               join_webs(ra, instr->dsts[0].value, instr->srcs[k].value);
         }
      }
   }
}

/* Where the vector begins if a part of it that is placed already stays, and another one has room at `offset`. */
static unsigned
base_of_parts(const struct ra *ra, const struct vector *vector, unsigned offset, unsigned halves)
{
   unsigned at = 0;
   for (unsigned k = 0; k < vector->collect->num_srcs; k++) {
      const struct agx_ref *src = &vector->collect->srcs[k];
      const unsigned reg = src->kind == AGX_SSA ? ra->file.reg[src->value] : AGX_RA_NONE;
      if (reg != AGX_RA_NONE && reg >= at && !((reg - at) % vector->alignment) &&
          agx_ra_is_free(&ra->file, reg - at + offset, halves))
         return reg - at;
      at += agx_halves(src);
   }
   return AGX_RA_NONE;
}

/* The place in the vector that the value goes into, or none; a vector that nobody chose for yet is placed. */
static unsigned
place_in_vector(struct ra *ra, uint32_t value)
{
   const struct wish *wish = &ra->wishes[value];
   if (!wish->vector)
      return AGX_RA_NONE;
   struct vector *vector = &ra->vectors[wish->vector - 1];
   const unsigned halves = agx_value_halves(ra->ir, value);
   if (vector->base == AGX_RA_NONE)
      vector->base = (uint16_t)base_of_parts(ra, vector, wish->offset, halves);
   if (vector->base == AGX_RA_NONE)
      vector->base = (uint16_t)agx_ra_find(&ra->file, vector->halves, vector->alignment);
   const unsigned reg = vector->base + wish->offset;
   if (vector->base == AGX_RA_NONE || reg % agx_alignment(ra->ir->values[value].size))
      return AGX_RA_NONE;
   return agx_ra_is_free(&ra->file, reg, halves) ? reg : AGX_RA_NONE;
}

static unsigned
place_in_web(struct ra *ra, uint32_t value)
{
   if (!ra->wishes[value].web)
      return AGX_RA_NONE;
   const unsigned reg = ra->web_reg[web_of(ra, value)];
   return reg != AGX_RA_NONE && agx_ra_is_free(&ra->file, reg, agx_value_halves(ra->ir, value)) ? reg : AGX_RA_NONE;
}

static unsigned
fixed_place(const struct ra *ra, uint32_t value)
{
   const unsigned reg = ra->wishes[value].fixed - 1u;
   return ra->wishes[value].fixed && !(reg % agx_alignment(ra->ir->values[value].size)) &&
                agx_ra_is_free(&ra->file, reg, agx_value_halves(ra->ir, value))
             ? reg
             : AGX_RA_NONE;
}

static unsigned
choose_place(struct ra *ra, uint32_t value)
{
   unsigned reg = place_in_web(ra, value);
   if (reg == AGX_RA_NONE)
      reg = fixed_place(ra, value);
   if (reg == AGX_RA_NONE)
      reg = place_in_vector(ra, value);
   /* Two words of a vector may be an address later. */
   const unsigned halves = agx_value_halves(ra->ir, value), alignment = agx_alignment(ra->ir->values[value].size);
   if (reg == AGX_RA_NONE && alignment == 2 && halves >= 4)
      reg = agx_ra_find(&ra->file, halves, 4);
   if (reg == AGX_RA_NONE)
      reg = agx_ra_find(&ra->file, halves, alignment);
   return reg;
}

static void
hold(struct ra *ra, uint32_t value, unsigned reg)
{
   agx_ra_hold(&ra->file, value, reg);
   const uint32_t web = web_of(ra, value);
   if (ra->wishes[value].web && ra->web_reg[web] == AGX_RA_NONE)
      ra->web_reg[web] = (uint16_t)reg;
}

/* ---- parallel copies ---- */

static struct agx_ref
placed(const struct agx_ir *ir, uint32_t value, unsigned reg)
{
   struct agx_ref ref = agx_ssa(ir, value);
   ref.reg = (uint16_t)reg;
   return ref;
}

struct moves {
   struct agx_ref *dsts, *srcs;
   unsigned count;
   BITSET_DECLARE(taken, AGX_REGISTERS); /* on either side of the moves */
};

static struct moves
start_moves(struct ra *ra, unsigned most)
{
   return (struct moves){.dsts = arena_array(ra->ir->arena, struct agx_ref, most + 1),
                         .srcs = arena_array(ra->ir->arena, struct agx_ref, most + 1)};
}

static void
move(struct ra *ra, struct moves *moves, uint32_t value, unsigned from, unsigned to)
{
   for (unsigned h = 0; h < agx_value_halves(ra->ir, value); h++) {
      bitset_set(moves->taken, from + h);
      bitset_set(moves->taken, to + h);
   }
   if (from == to)
      return;
   moves->srcs[moves->count] = placed(ra->ir, value, from);
   moves->dsts[moves->count++] = placed(ra->ir, value, to);
}

/* A pair that circles of moves may pass through: its first half + 1, or 0. More registers than that many halves cost
 * threads. */
#define CHEAP_H 104

/* Where values may begin. */
static unsigned
first_half(const struct ra *ra)
{
   return MAX2(ra->ir->has_flow, ra->ir->options->first_register_h);
}

static unsigned
spare_pair(struct ra *ra, const struct moves *moves)
{
   const unsigned limit = MIN2(MAX2(ra->file.used_h, CHEAP_H), ra->file.limit_h);
   for (unsigned h = MAX2(2 * ra->ir->has_flow, first_half(ra)); h + 2 <= limit; h += 2) {
      if (bitset_test(moves->taken, h) || bitset_test(moves->taken, h + 1))
         continue;
      ra->file.used_h = MAX2(ra->file.used_h, h + 2);
      return h + 1;
   }
   return 0;
}

/* NULL: nothing moves. */
static struct agx_instr *
finish_moves(struct ra *ra, const struct moves *moves)
{
   if (!moves->count)
      return NULL;
   const unsigned spare = moves->count > 1 ? spare_pair(ra, moves) : 0;
   struct agx_instr *copy = agx_ir_instr(ra->ir, AGX_P_COPY, moves->count, moves->count);
   memcpy(copy->dsts, moves->dsts, moves->count * sizeof(*moves->dsts));
   memcpy(copy->srcs, moves->srcs, moves->count * sizeof(*moves->srcs));
   copy->mod.target = spare;
   return copy;
}

/* ---- edges ---- */

static unsigned
place_of(const struct agx_ra_place *places, unsigned count, uint32_t value)
{
   unsigned low = 0;
   while (low < count) {
      const unsigned middle = low + (count - low) / 2;
      if (places[middle].value == value)
         return places[middle].reg;
      if (places[middle].value < value)
         low = middle + 1;
      else
         count = middle;
   }
   return AGX_RA_NONE;
}

static unsigned
edge_number(const struct agx_block *pred, const struct agx_block *succ)
{
   unsigned edge = 0;
   while (succ->preds.at[edge] != pred)
      edge++;
   return edge;
}

/* Values live out of pred go where succ expects them, phis among them. Both ends are known. */
static void
settle_edge(struct ra *ra, struct agx_block *pred, struct agx_block *succ)
{
   const struct block_state *from = &ra->states[pred->index], *to = &ra->states[succ->index];
   struct moves moves = start_moves(ra, to->num_in + succ->count);
   for (unsigned i = 0; i < to->num_in; i++)
      move(ra, &moves, to->in[i].value, place_of(from->out, from->num_out, to->in[i].value), to->in[i].reg);
   const unsigned edge = edge_number(pred, succ);
   for (unsigned i = 0; i < succ->count; i++) {
      struct agx_instr *phi = succ->instrs[i];
      if (phi->op != AGX_P_PHI || phi->srcs[edge].kind != AGX_SSA)
         continue;
      struct agx_ref *src = &phi->srcs[edge];
      move(ra, &moves, src->value, place_of(from->out, from->num_out, src->value), phi->dsts[0].reg);
      src->reg = phi->dsts[0].reg;
   }
   struct agx_instr *copy = finish_moves(ra, &moves);
   if (copy)
      agx_ir_insert(ra->ir, pred, agx_ir_end(pred), copy);
}

static struct agx_ra_place *
snapshot(struct ra *ra, const struct live_set *live, unsigned *count)
{
   *count = live_count(live);
   struct agx_ra_place *places = arena_array(ra->ir->arena, struct agx_ra_place, *count + 1);
   unsigned i = 0;
   live_for_each(v, &ra->ir->live, live)
      places[i++] = (struct agx_ra_place){.value = v, .reg = ra->file.reg[v]};
   return places;
}

/* ---- blocks ---- */

/* Live values and results of phis anew, without gaps: every predecessor can be told. */
static void
repack_start(struct ra *ra, struct agx_block *block)
{
   const struct block_state *state = &ra->states[block->index];
   struct agx_ra_place *all = arena_array(ra->ir->arena, struct agx_ra_place, state->num_in + block->count);
   unsigned count = 0;
   for (unsigned i = 0; i < state->num_in; i++)
      all[count++].value = state->in[i].value;
   for (unsigned i = 0; i < block->count; i++) {
      if (block->instrs[i]->op == AGX_P_PHI)
         all[count++].value = block->instrs[i]->dsts[0].value;
   }
   agx_ra_clear(&ra->file);
   if (agx_ra_pack(&ra->file, first_half(ra), all, count) > ra->file.limit_h) {
      agx_ir_fail(ra->ir, "block %u: %u registers do not hold what is live at its start", block->index,
                  ra->file.limit_h);
      return;
   }
   for (unsigned i = 0; i < count; i++)
      hold(ra, all[i].value, all[i].reg);
}

/* A register that a source of the phi already has, where it is free. */
static unsigned
place_of_source(struct ra *ra, const struct agx_block *block, const struct agx_instr *phi)
{
   for (unsigned k = 0; k < phi->num_srcs; k++) {
      const struct block_state *pred = &ra->states[block->preds.at[k]->index];
      if (!pred->done || phi->srcs[k].kind != AGX_SSA)
         continue;
      const unsigned reg = place_of(pred->out, pred->num_out, phi->srcs[k].value);
      if (reg != AGX_RA_NONE && agx_ra_is_free(&ra->file, reg, agx_halves(&phi->dsts[0])))
         return reg;
   }
   return AGX_RA_NONE;
}

static bool
place_phis(struct ra *ra, struct agx_block *block)
{
   for (unsigned i = 0; i < block->count; i++) {
      struct agx_instr *phi = block->instrs[i];
      if (phi->op != AGX_P_PHI)
         continue;
      unsigned reg = place_of_source(ra, block, phi);
      if (reg == AGX_RA_NONE)
         reg = choose_place(ra, phi->dsts[0].value);
      if (reg == AGX_RA_NONE)
         return false;
      hold(ra, phi->dsts[0].value, reg);
   }
   return true;
}

static void
begin_block(struct ra *ra, struct agx_block *block)
{
   struct block_state *state = &ra->states[block->index];
   const struct block_state *first = NULL;
   for (unsigned k = 0; k < block->preds.count && !first; k++) {
      const struct block_state *pred = &ra->states[block->preds.at[k]->index];
      first = pred->done ? pred : NULL;
   }
   agx_ra_clear(&ra->file);
   const struct live_set *in = live_in(&ra->ir->live, block->index);
   live_for_each(v, &ra->ir->live, in) {
      assert(first && "a value is live where nobody comes from");
      agx_ra_hold(&ra->file, v, place_of(first->out, first->num_out, v));
   }
   state->in = snapshot(ra, in, &state->num_in);
   if (!place_phis(ra, block)) {
      repack_start(ra, block);
      if (ra->ir->error)
         return;
      state->in = snapshot(ra, in, &state->num_in);
   }
   for (unsigned i = 0; i < block->count; i++) {
      struct agx_ref *dst = &block->instrs[i]->dsts[0];
      if (block->instrs[i]->op != AGX_P_PHI)
         continue;
      dst->reg = ra->file.reg[dst->value];
   }
   for (unsigned i = 0; i < block->count; i++) {
      if (block->instrs[i]->op == AGX_P_PHI && block->instrs[i]->dsts[0].kill)
         agx_ra_release(&ra->file, block->instrs[i]->dsts[0].value);
   }
   state->begun = true;
   for (unsigned k = 0; k < block->preds.count; k++) {
      if (ra->states[block->preds.at[k]->index].done)
         settle_edge(ra, block->preds.at[k], block);
   }
}

/* All that is live ahead of the instruction moves together, what lives on first; results come after that, in the
 * place of what dies here. */
static void
repack_at(struct ra *ra, struct agx_instr *instr)
{
   struct agx_ir *ir = ra->ir;
   struct agx_ra_place *all = arena_array(ir->arena, struct agx_ra_place, ra->file.num_held + instr->num_srcs);
   uint16_t *old = arena_array(ir->arena, uint16_t, ra->file.num_held + instr->num_srcs);
   unsigned count = 0, through = 0;
   for (; count < ra->file.num_held; count++) {
      all[count].value = ra->file.held[count];
      old[count] = ra->file.reg[all[count].value];
   }
   through = count;
   for (unsigned k = 0; k < instr->num_srcs; k++) {
      const struct agx_ref *src = &instr->srcs[k];
      unsigned i = through;
      while (i < count && all[i].value != src->value)
         i++;
      if (src->kind == AGX_SSA && src->kill && i == count) {
         old[count] = src->reg;
         all[count++].value = src->value;
      }
   }
   const unsigned end = agx_ra_pack(&ra->file, first_half(ra), all, through);
   struct agx_ra_place results[AGX_REGISTERS];
   unsigned num_results = 0;
   for (unsigned k = 0; k < instr->num_dsts; k++) {
      if (instr->dsts[k].kind == AGX_SSA)
         results[num_results++].value = instr->dsts[k].value;
   }
   const unsigned before = agx_ra_pack(&ra->file, end, all + through, count - through);
   const unsigned after = agx_ra_pack(&ra->file, end, results, num_results);
   if (MAX2(before, after) > ra->file.limit_h) {
      agx_ir_fail(ir, "%u registers do not hold what is live at an instruction", ra->file.limit_h);
      return;
   }
   struct moves moves = start_moves(ra, count);
   agx_ra_clear(&ra->file);
   for (unsigned i = 0; i < count; i++) {
      move(ra, &moves, all[i].value, old[i], all[i].reg);
      ra->file.used_h = MAX2(ra->file.used_h, before);
      if (i < through)
         agx_ra_hold(&ra->file, all[i].value, all[i].reg);
      for (unsigned k = 0; k < instr->num_srcs; k++) {
         if (instr->srcs[k].kind == AGX_SSA && instr->srcs[k].value == all[i].value)
            instr->srcs[k].reg = all[i].reg;
      }
   }
   struct agx_instr *copy = finish_moves(ra, &moves);
   if (copy)
      agx_ir_append(ir, &ra->made, copy);
   for (unsigned i = 0; i < num_results; i++)
      hold(ra, results[i].value, results[i].reg);
}

/* The parts of a vector stay where they are, whether it dies or not. */
static bool
split_in_place(struct ra *ra, const struct agx_instr *split)
{
   const struct agx_ref *vector = &split->srcs[0];
   if (vector->kind != AGX_SSA || ra->file.num_held > MANY_HELD)
      return false;
   unsigned reg = vector->reg;
   for (unsigned k = 0; k < split->num_dsts; k++) {
      if (split->dsts[k].kind == AGX_SSA && reg % agx_alignment(split->dsts[k].size))
         return false;
      reg += agx_halves(&split->dsts[k]);
   }
   reg = vector->reg;
   for (unsigned k = 0; k < split->num_dsts; k++) {
      if (split->dsts[k].kind == AGX_SSA)
         hold(ra, split->dsts[k].value, reg);
      reg += agx_halves(&split->dsts[k]);
   }
   return true;
}

/* How many halves of a collect would not move, were it to begin there; -1: it cannot. Sources that die are free by
 * now; those that live on may stay, and share their registers with it. Of a copy too: a collect of one. */
static int
score_of(const struct ra *ra, const struct agx_instr *collect, unsigned base)
{
   const struct agx_ref *dst = &collect->dsts[0];
   if (base % agx_alignment(dst->size) || base + agx_halves(dst) > ra->file.limit_h)
      return -1;
   int score = 0;
   unsigned reg = base;
   for (unsigned k = 0; k < collect->num_srcs; k++) {
      const struct agx_ref *src = &collect->srcs[k];
      const unsigned halves = agx_halves(src);
      const bool stays = src->kind == AGX_SSA && src->reg == reg && ra->file.num_held <= MANY_HELD;
      if (!stays && !agx_ra_is_free(&ra->file, reg, halves))
         return -1;
      score += stays ? (int)halves : 0;
      reg += halves;
   }
   return score;
}

static bool
place_collect(struct ra *ra, const struct agx_instr *collect)
{
   int best = 0;
   unsigned reg = AGX_RA_NONE, offset = 0;
   for (unsigned k = 0; k < collect->num_srcs; k++) {
      const struct agx_ref *src = &collect->srcs[k];
      if (src->kind == AGX_SSA && src->reg >= offset && score_of(ra, collect, src->reg - offset) > best) {
         reg = src->reg - offset;
         best = score_of(ra, collect, reg);
      }
      offset += agx_halves(src);
   }
   if (reg != AGX_RA_NONE)
      hold(ra, collect->dsts[0].value, reg);
   return reg != AGX_RA_NONE;
}

static bool
place_results(struct ra *ra, struct agx_instr *instr)
{
   if (instr->op == AGX_P_SPLIT && split_in_place(ra, instr))
      return true;
   if ((instr->op == AGX_P_COLLECT || (instr->op == AGX_P_COPY && instr->num_dsts == 1)) && place_collect(ra, instr))
      return true;
   for (unsigned k = 0; k < instr->num_dsts; k++) {
      const uint32_t value = instr->dsts[k].value;
      if (instr->dsts[k].kind != AGX_SSA)
         continue;
      const unsigned reg = instr->op == AGX_P_PRELOAD ? instr->srcs[0].value : choose_place(ra, value);
      if (reg == AGX_RA_NONE) {
         for (unsigned i = 0; i < k; i++)
            agx_ra_release(&ra->file, instr->dsts[i].value);
         return false;
      }
      hold(ra, value, reg);
   }
   return true;
}

static void
allocate(struct ra *ra, struct agx_instr *instr)
{
   for (unsigned k = 0; k < instr->num_srcs; k++) {
      if (instr->srcs[k].kind == AGX_SSA)
         instr->srcs[k].reg = ra->file.reg[instr->srcs[k].value];
   }
   for (unsigned k = 0; k < instr->num_srcs; k++) {
      if (instr->srcs[k].kind == AGX_SSA && instr->srcs[k].kill)
         agx_ra_release(&ra->file, instr->srcs[k].value);
   }
   if (!place_results(ra, instr))
      repack_at(ra, instr);
   for (unsigned k = 0; k < instr->num_dsts; k++) {
      if (instr->dsts[k].kind == AGX_SSA)
         instr->dsts[k].reg = ra->file.reg[instr->dsts[k].value];
   }
   for (unsigned k = 0; k < instr->num_dsts; k++) {
      if (instr->dsts[k].kind == AGX_SSA && instr->dsts[k].kill)
         agx_ra_release(&ra->file, instr->dsts[k].value);
   }
   agx_ir_append(ra->ir, &ra->made, instr);
}

static void
run_block(struct ra *ra, struct agx_block *block)
{
   struct block_state *state = &ra->states[block->index];
   begin_block(ra, block);
   for (unsigned i = 0; i < block->count && !ra->ir->error; i++) {
      struct agx_instr *instr = block->instrs[i];
      if (instr->op == AGX_P_PHI || agx_is_marker(instr))
         agx_ir_append(ra->ir, &ra->made, instr);
      else
         allocate(ra, instr);
   }
   if (ra->ir->error)
      return;
   agx_ir_take(block, &ra->made);
   state->out = snapshot(ra, live_out(&ra->ir->live, block->index), &state->num_out);
   state->done = true;
   for (unsigned k = 0; k < block->succs.count; k++) {
      if (ra->states[block->succs.at[k]->index].begun)
         settle_edge(ra, block, block->succs.at[k]);
   }
}

static bool
has_flow(const struct agx_ir *ir)
{
   for (unsigned b = 0; b < ir->num_blocks; b++) {
      const struct agx_block *block = ir->blocks[b];
      if (block->count && agx_ends_block(block->instrs[block->count - 1]))
         return true;
   }
   return false;
}

void
agx_regalloc(struct agx_ir *ir)
{
   ir->has_flow = has_flow(ir);
   agx_liveness(ir);
   struct ra ra = {.ir = ir, .file = {.ir = ir, .limit_h = ir->registers_max_h}};
   ra.file.reg = arena_array(ir->arena, uint16_t, ir->num_values);
   ra.web_reg = arena_array(ir->arena, uint16_t, ir->num_values);
   memset(ra.file.reg, 0xff, ir->num_values * sizeof(uint16_t));
   memset(ra.web_reg, 0xff, ir->num_values * sizeof(uint16_t));
   ra.wishes = arena_array(ir->arena, struct wish, ir->num_values);
   ra.states = arena_array(ir->arena, struct block_state, ir->num_blocks);
   collect_wishes(&ra);
   for (unsigned b = 0; b < ir->num_blocks && !ir->error; b++)
      run_block(&ra, ir->blocks[b]);
   ir->used_registers_h = MAX2(ra.file.used_h, ir->has_flow);
   ir->allocated = true;
}
