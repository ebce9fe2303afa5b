/* Liveness: vector values along logical edges, scalar ones along linear edges. Fills live_in, live_out, the kill
 * marks of operands and defs. Phi operands count as read at the end of the predecessor, phi results as defined at the
 * block's start. */
#include "amd/compiler/aco_ir.h"

#include <string.h>

static bool
is_phi(const struct aco_instr *instr)
{
   return instr->op == ACO_P_PHI || instr->op == ACO_P_LINEAR_PHI;
}

struct state {
   struct aco_program *program;
   unsigned words;
   bitset_word *vector; /* temps in VGPRs */
   bitset_word *live;   /* scratch */
};

/* out |= in of the successors, each class along its own edges. */
static void
join_successors(struct state *s, struct aco_block *block, bitset_word *out)
{
   bitset_word *const *live_in = s->program->live_in;
   for (unsigned i = 0; i < block->linear_succs.count; i++) {
      const bitset_word *in = live_in[block->linear_succs.at[i]->index];
      for (unsigned w = 0; w < s->words; w++)
         out[w] |= in[w] & ~s->vector[w];
   }
   for (unsigned i = 0; i < block->logical_succs.count; i++) {
      const bitset_word *in = live_in[block->logical_succs.at[i]->index];
      for (unsigned w = 0; w < s->words; w++)
         out[w] |= in[w] & s->vector[w];
   }
}

/* Phi operands of successors, put into live_out of the predecessor. */
static void
add_phi_operands(struct state *s, struct aco_block *block)
{
   for (unsigned i = 0; i < block->count; i++) {
      struct aco_instr *phi = block->instrs[i];
      if (!is_phi(phi))
         break;
      const struct aco_edges *preds = phi->op == ACO_P_PHI ? &block->logical_preds : &block->linear_preds;
      for (unsigned k = 0; k < phi->num_ops; k++) {
         if (phi->ops[k].kind == ACO_OP_TEMP)
            bitset_set(s->program->live_out[preds->at[k]->index], phi->ops[k].value);
      }
   }
}

static void
walk_block(struct state *s, struct aco_block *block, bool mark)
{
   for (unsigned i = block->count; i-- > 0;) {
      struct aco_instr *instr = block->instrs[i];
      for (unsigned k = 0; k < instr->num_defs; k++) {
         struct aco_def *def = &instr->defs[k];
         if (!def->temp)
            continue;
         if (mark)
            def->kill = !bitset_test(s->live, def->temp);
         bitset_clear(s->live, def->temp);
      }
      if (is_phi(instr))
         continue;
      for (unsigned k = 0; mark && k < instr->num_ops; k++) {
         struct aco_operand *op = &instr->ops[k];
         if (op->kind == ACO_OP_TEMP)
            op->kill = !bitset_test(s->live, op->value);
      }
      for (unsigned k = 0; k < instr->num_ops; k++) {
         struct aco_operand *op = &instr->ops[k];
         if (op->kind != ACO_OP_TEMP)
            continue;
         if (mark)
            op->first_kill = op->kill && !bitset_test(s->live, op->value);
         bitset_set(s->live, op->value);
      }
   }
}

/* Empty sets of all blocks; the memory of the last call, where that is enough. */
static void
take_sets(struct state *s)
{
   struct aco_program *program = s->program;
   const size_t all = (size_t)s->words * 2 * program->num_blocks;
   if (all > program->live_capacity) {
      program->live_capacity = program->live_capacity ? all + all / 4 : all;
      program->live_sets = arena_array(program->arena, bitset_word, program->live_capacity);
   }
   memset(program->live_sets, 0, all * sizeof(*program->live_sets));
   program->live_in = arena_array(program->arena, bitset_word *, program->num_blocks);
   program->live_out = arena_array(program->arena, bitset_word *, program->num_blocks);
   for (unsigned b = 0; b < program->num_blocks; b++) {
      program->live_in[b] = program->live_sets + (size_t)s->words * 2 * b;
      program->live_out[b] = program->live_in[b] + s->words;
   }
}

/* Has the predecessors of a block that changed walked again. Whether one of them comes in another pass. */
static bool
wake(bool *waits, const struct aco_edges *preds, unsigned b)
{
   bool again = false;
   for (unsigned i = 0; i < preds->count; i++) {
      waits[preds->at[i]->index] = true;
      again |= preds->at[i]->index >= b;
   }
   return again;
}

/* Backwards. Edges back make predecessors wait for another pass; only blocks ahead of a change are walked again. */
static void
spread(struct state *s)
{
   struct aco_program *program = s->program;
   bool *waits = arena_array(program->arena, bool, program->num_blocks);
   for (unsigned b = 0; b < program->num_blocks; b++)
      waits[b] = true;
   bool again = true;
   while (again) {
      again = false;
      for (unsigned b = program->num_blocks; b-- > 0;) {
         struct aco_block *block = program->blocks[b];
         if (!waits[b])
            continue;
         waits[b] = false;
         join_successors(s, block, program->live_out[b]);
         memcpy(s->live, program->live_out[b], s->words * sizeof(*s->live));
         walk_block(s, block, false);
         if (!memcmp(program->live_in[b], s->live, s->words * sizeof(*s->live)))
            continue;
         memcpy(program->live_in[b], s->live, s->words * sizeof(*s->live));
         again |= wake(waits, &block->linear_preds, b);
         again |= wake(waits, &block->logical_preds, b);
      }
   }
}

void
aco_liveness(struct aco_program *program)
{
   struct state s = {.program = program, .words = BITSET_WORDS(program->num_temps)};
   program->live_words = s.words;
   s.vector = arena_array(program->arena, bitset_word, s.words);
   s.live = arena_array(program->arena, bitset_word, s.words);
   for (unsigned t = 1; t < program->num_temps; t++) {
      if (aco_rc_is_v(program->temp_rc[t]))
         bitset_set(s.vector, t);
   }
   take_sets(&s);
   for (unsigned b = 0; b < program->num_blocks; b++)
      add_phi_operands(&s, program->blocks[b]);
   spread(&s);
   for (unsigned b = 0; b < program->num_blocks; b++) {
      memcpy(s.live, program->live_out[b], s.words * sizeof(*s.live));
      walk_block(&s, program->blocks[b], true);
   }
}

void
aco_pressure(const struct aco_program *program, unsigned *sgprs, unsigned *vgprs)
{
   *sgprs = *vgprs = 0;
   for (unsigned b = 0; b < program->num_blocks; b++) {
      const struct aco_block *block = program->blocks[b];
      unsigned now[2] = {0};
      bitset_for_each(t, program->live_out[b], program->num_temps)
         now[aco_rc_is_v(program->temp_rc[t])] += aco_rc_size_dw(program->temp_rc[t]);
      *sgprs = MAX2(*sgprs, now[0]);
      *vgprs = MAX2(*vgprs, now[1]);
      for (unsigned i = block->count; i-- > 0;) {
         const struct aco_instr *instr = block->instrs[i];
         unsigned here[2] = {now[0], now[1]};
         for (unsigned k = 0; k < instr->num_defs; k++) {
            const struct aco_def *def = &instr->defs[k];
            if (!def->temp)
               continue;
            if (def->kill)
               here[aco_rc_is_v(def->rc)] += aco_rc_size_dw(def->rc);
            else
               now[aco_rc_is_v(def->rc)] -= aco_rc_size_dw(def->rc);
         }
         *sgprs = MAX2(*sgprs, here[0]);
         *vgprs = MAX2(*vgprs, here[1]);
         for (unsigned k = 0; !is_phi(instr) && k < instr->num_ops; k++) {
            if (instr->ops[k].kind == ACO_OP_TEMP && instr->ops[k].first_kill)
               now[aco_rc_is_v(instr->ops[k].rc)] += aco_rc_size_dw(instr->ops[k].rc);
         }
         *sgprs = MAX2(*sgprs, now[0]);
         *vgprs = MAX2(*vgprs, now[1]);
      }
   }
}
