/* Parallel copies, collects and splits become moves, and swaps where registers go in circles, and so does what a
 * part leaves; phis and preloads
 * disappear; spills become accesses to the stack.
 *
 * A move is of one half, or of two where both places are aligned pairs. Those whose place nobody reads any more go
 * first. What is left then are circles; one of both sizes is cut into halves, and then a swap takes a step of it. */
#include "asahi/compiler/agx_builder.h"

#include <string.h>

struct move {
   uint16_t dst, src; /* src only if from a register */
   uint8_t halves;
   bool from_register;
   struct agx_ref other; /* uniform or immediate */
};

struct moves {
   unsigned count;
   BITSET_DECLARE(written, AGX_REGISTERS); /* by some move; others there would write the same */
   unsigned spare;                         /* 1 + a pair that nobody needs here; 0: there is none */
   struct move at[2 * AGX_REGISTERS];      /* last, and only those that there are: it is large */
};

static void
start(struct moves *moves, unsigned spare)
{
   memset(moves, 0, offsetof(struct moves, at));
   moves->spare = spare;
}

static void
add_register(struct moves *moves, unsigned dst, unsigned src, unsigned halves)
{
   while (halves) {
      const bool done[] = {bitset_test(moves->written, dst), halves < 2 || bitset_test(moves->written, dst + 1)};
      const unsigned step = halves >= 2 && !(dst & 1) && !(src & 1) && !done[0] && !done[1] ? 2 : 1;
      if (dst != src && !done[0])
         moves->at[moves->count++] =
            (struct move){.dst = (uint16_t)dst, .src = (uint16_t)src, .halves = (uint8_t)step, .from_register = true};
      for (unsigned h = dst; h < dst + step; h++)
         bitset_set(moves->written, h);
      dst += step;
      src += step;
      halves -= step;
   }
}

static void
add_other(struct moves *moves, unsigned dst, const struct agx_ref *src, unsigned halves)
{
   for (unsigned done = 0; done < halves;) {
      const bool pair =
         halves - done >= 2 && !((dst + done) & 1) && (src->kind != AGX_UNIFORM || !((src->value + done) & 1));
      const unsigned step = pair ? 2 : 1;
      struct agx_ref part = *src;
      if (src->kind == AGX_UNIFORM)
         part = agx_uniform(src->value + done, 16 * step, 1);
      moves->at[moves->count++] =
         (struct move){.dst = (uint16_t)(dst + done), .halves = (uint8_t)step, .other = part};
      done += step;
   }
}

static void
add_move(struct moves *moves, unsigned dst, const struct agx_ref *src, unsigned halves)
{
   if (src->kind == AGX_SSA)
      add_register(moves, dst, src->reg, halves);
   else if (src->kind != AGX_UNDEF)
      add_other(moves, dst, src, halves);
}

static bool
overlaps(unsigned a, unsigned a_halves, unsigned b, unsigned b_halves)
{
   return a < b + b_halves && b < a + a_halves;
}

/* Whether another move still reads the place that this one writes. */
static bool
is_blocked(const struct moves *moves, unsigned number)
{
   const struct move *m = &moves->at[number];
   for (unsigned i = 0; i < moves->count; i++) {
      const struct move *other = &moves->at[i];
      if (i != number && other->from_register && overlaps(m->dst, m->halves, other->src, other->halves))
         return true;
   }
   return false;
}

static void
emit_move(struct agx_builder *b, const struct move *m)
{
   const struct agx_ref dst = agx_reg(m->dst, 16u * m->halves, 1);
   if (m->from_register) {
      agx_mov_to(b, dst, agx_reg(m->src, 16u * m->halves, 1));
   } else if (m->other.kind == AGX_IMM) {
      (m->halves == 2 ? agx_ldimm32_to(b, dst) : agx_ldimm16_to(b, dst))->mod.imm = m->other.value;
   } else {
      agx_mov_to(b, dst, m->other);
   }
}

static void
emit_swap(struct agx_builder *b, unsigned x, unsigned y, unsigned halves)
{
   const struct agx_ref rx = agx_reg(x, 16 * halves, 1), ry = agx_reg(y, 16 * halves, 1);
   agx_xor_to(b, rx, rx, ry);
   agx_xor_to(b, ry, rx, ry);
   agx_xor_to(b, rx, rx, ry);
}

static bool
emit_unblocked(struct agx_builder *b, struct moves *moves)
{
   for (unsigned i = 0; i < moves->count; i++) {
      if (is_blocked(moves, i))
         continue;
      emit_move(b, &moves->at[i]);
      moves->at[i] = moves->at[--moves->count];
      return true;
   }
   return false;
}

/* All are in circles. Whether there was a pair to cut. */
static bool
cut_mixed_pairs(struct moves *moves)
{
   const unsigned count = moves->count;
   for (unsigned i = 0; i < count; i++) {
      bool mixed = false;
      for (unsigned k = 0; k < count; k++)
         mixed |= moves->at[k].halves == 1 && moves->at[i].halves == 2 &&
                  (overlaps(moves->at[k].src, 1, moves->at[i].dst, 2) ||
                   overlaps(moves->at[k].dst, 1, moves->at[i].src, 2));
      if (!mixed)
         continue;
      struct move *m = &moves->at[i];
      m->halves = 1;
      moves->at[moves->count] = *m;
      moves->at[moves->count].dst++;
      moves->at[moves->count++].src++;
      return true;
   }
   return false;
}

/* Opens a circle: what lies in the place of the first move waits in the spare pair. */
static void
step_aside(struct agx_builder *b, struct moves *moves)
{
   const struct move m = moves->at[0];
   const uint16_t spare = (uint16_t)(moves->spare - 1);
   emit_move(b, &(struct move){.dst = spare, .src = m.dst, .halves = m.halves, .from_register = true});
   for (unsigned i = 0; i < moves->count; i++) {
      if (moves->at[i].from_register && moves->at[i].src == m.dst)
         moves->at[i].src = spare;
   }
}

/* One step of a circle: the first move is done, and whoever wanted what lay in its place finds it where it read. */
static void
swap_first(struct agx_builder *b, struct moves *moves)
{
   const struct move m = moves->at[0];
   emit_swap(b, m.dst, m.src, m.halves);
   moves->at[0] = moves->at[--moves->count];
   for (unsigned i = 0; i < moves->count; i++) {
      struct move *other = &moves->at[i];
      if (!other->from_register)
         continue;
      if (other->src == m.dst)
         other->src = m.src;
      else if (other->src == m.src)
         other->src = m.dst;
   }
   for (unsigned i = moves->count; i-- > 0;) {
      if (moves->at[i].from_register && moves->at[i].src == moves->at[i].dst)
         moves->at[i] = moves->at[--moves->count];
   }
}

static void
emit_moves(struct agx_builder *b, struct moves *moves)
{
   while (moves->count) {
      if (emit_unblocked(b, moves) || cut_mixed_pairs(moves))
         continue;
      if (moves->spare)
         step_aside(b, moves);
      else
         swap_first(b, moves);
   }
}

static void
lower_vector(struct agx_builder *b, const struct agx_instr *instr)
{
   struct moves moves;
   const bool splits = instr->op == AGX_P_SPLIT;
   unsigned offset = 0;
   const unsigned count = splits ? instr->num_dsts : instr->num_srcs;
   start(&moves, 0);
   for (unsigned k = 0; k < count; k++) {
      const struct agx_ref *part = splits ? &instr->dsts[k] : &instr->srcs[k];
      if (splits && part->kind == AGX_SSA) {
         struct agx_ref src = instr->srcs[0];
         src.reg = (uint16_t)(src.reg + offset);
         src.value += src.kind == AGX_UNIFORM ? offset : 0;
         add_move(&moves, part->reg, &src, agx_halves(part));
      } else if (!splits) {
         add_move(&moves, instr->dsts[0].reg + offset, part, agx_halves(part));
      }
      offset += agx_halves(part);
   }
   emit_moves(b, &moves);
}

static void
lower_copy(struct agx_builder *b, const struct agx_instr *instr)
{
   struct moves moves;
   start(&moves, instr->mod.target);
   for (unsigned k = 0; k < instr->num_dsts; k++)
      add_move(&moves, instr->dsts[k].reg, &instr->srcs[k], agx_halves(&instr->dsts[k]));
   emit_moves(b, &moves);
}

static void
lower_leave(struct agx_builder *b, const struct agx_instr *instr)
{
   struct moves moves;
   start(&moves, 0);
   for (unsigned k = 0; k < instr->num_srcs; k += 2) {
      const struct agx_ref *place = &instr->srcs[k + 1];
      add_move(&moves, place->value, &instr->srcs[k], agx_halves(place));
      for (unsigned h = place->value; h < place->value + agx_halves(place); h++)
         bitset_set(b->ir->left, h);
   }
   emit_moves(b, &moves);
}

/* Pieces of at most four components. The stack's offset counts bytes (reported). */
static void
lower_stack(struct agx_builder *b, const struct agx_instr *instr)
{
   const bool fills = instr->op == AGX_P_FILL;
   const struct agx_ref *value = fills ? &instr->dsts[0] : &instr->srcs[0];
   const unsigned halves = agx_halves(value), step = halves & 1 || value->reg & 1 ? 1 : 2;
   for (unsigned done = 0; done < halves;) {
      const unsigned count = MIN2((halves - done) / step, 4);
      const struct agx_ref data = agx_reg(value->reg + done, 16 * step, count);
      const struct agx_ref offset = agx_imm(instr->mod.offset + 2 * done);
      struct agx_instr *access = fills ? agx_stack_load_to(b, data, offset) : agx_stack_store(b, data, offset);
      access->mod.format = step == 2 ? AGX_FORMAT_I32 : AGX_FORMAT_I16;
      access->mod.mask = (1u << count) - 1;
      done += count * step;
   }
}

static void
lower_instr(struct agx_builder *b, struct agx_instr *instr)
{
   switch (instr->op) {
   case AGX_P_PHI:
   case AGX_P_PRELOAD:
      break;
   case AGX_P_COPY:
      lower_copy(b, instr);
      break;
   case AGX_P_LEAVE:
      lower_leave(b, instr);
      break;
   case AGX_P_COLLECT:
   case AGX_P_SPLIT:
      lower_vector(b, instr);
      break;
   case AGX_P_SPILL:
   case AGX_P_FILL:
      lower_stack(b, instr);
      break;
   default: /* others: of the hardware, or of control flow: they stay */
      agx_build(b, instr);
      break;
   }
}

void
agx_lower_copies(struct agx_ir *ir)
{
   for (unsigned i = 0; i < ir->num_blocks; i++) {
      struct agx_block made = {0};
      struct agx_builder b = {.ir = ir, .block = &made};
      for (unsigned k = 0; k < ir->blocks[i]->count; k++)
         lower_instr(&b, ir->blocks[i]->instrs[k]);
      agx_ir_take(ir->blocks[i], &made);
   }
}
