/* Liveness: vector values along logical edges, scalar ones along linear edges. Fills live sets and the kill
 * marks of operands and defs. Phi operands count as read at the end of the predecessor, phi results as defined at the
 * block's start. */
#include "amd/compiler/aco_ir.h"

static bool
is_phi(const struct aco_instr *instr)
{
   return instr->op == ACO_P_PHI || instr->op == ACO_P_LINEAR_PHI;
}

struct state {
   struct aco_program *program;
   struct live_sets *sets;
   bitset_word *vector; /* those in VGPRs */
   bitset_word *local;  /* where the walk is, of all temps; empty between blocks */
};

/* What successors read, each class along its own edges. */
static void
join_successors(struct state *s, const struct aco_block *block)
{
   for (unsigned i = 0; i < block->linear_succs.count; i++)
      live_add(s->sets, live_in(s->sets, block->linear_succs.at[i]->index), s->vector, true);
   for (unsigned i = 0; i < block->logical_succs.count; i++)
      live_add(s->sets, live_in(s->sets, block->logical_succs.at[i]->index), s->vector, false);
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
            live_insert(s->sets, s->program->arena, live_out(s->sets, preds->at[k]->index), phi->ops[k].value);
      }
   }
}

/* From the end of a block to its start. */
static void
walk_block(struct state *s, const struct aco_block *block)
{
   for (unsigned i = block->count; i-- > 0;) {
      const struct aco_instr *instr = block->instrs[i];
      for (unsigned k = 0; k < instr->num_defs; k++)
         live_clear(s->sets, instr->defs[k].temp);
      for (unsigned k = 0; k < instr->num_ops && !is_phi(instr); k++) {
         if (instr->ops[k].kind == ACO_OP_TEMP)
            live_set(s->sets, instr->ops[k].value);
      }
   }
}

static void
mark_block(struct state *s, struct aco_block *block)
{
   live_for_each(t, s->sets, live_out(s->sets, block->index))
      bitset_set(s->local, t);
   for (unsigned i = block->count; i-- > 0;) {
      struct aco_instr *instr = block->instrs[i];
      for (unsigned k = 0; k < instr->num_defs; k++) {
         struct aco_def *def = &instr->defs[k];
         if (!def->temp)
            continue;
         def->kill = !bitset_test(s->local, def->temp);
         bitset_clear(s->local, def->temp);
      }
      if (is_phi(instr))
         continue;
      for (unsigned k = 0; k < instr->num_ops; k++) {
         struct aco_operand *op = &instr->ops[k];
         if (op->kind == ACO_OP_TEMP)
            op->kill = !bitset_test(s->local, op->value);
      }
      for (unsigned k = 0; k < instr->num_ops; k++) {
         struct aco_operand *op = &instr->ops[k];
         if (op->kind != ACO_OP_TEMP)
            continue;
         op->first_kill = op->kill && !bitset_test(s->local, op->value);
         bitset_set(s->local, op->value);
      }
   }
   live_for_each(t, s->sets, live_in(s->sets, block->index))
      bitset_clear(s->local, t);
}

/* Which temps cross the border of a block. */
static void
number_temps(struct state *s)
{
   struct aco_program *program = s->program;
   live_sets_begin(s->sets, program->arena, program->num_temps);
   for (unsigned b = 0; b < program->num_blocks; b++) {
      const struct aco_block *block = program->blocks[b];
      for (unsigned i = 0; i < block->count; i++) {
         const struct aco_instr *instr = block->instrs[i];
         for (unsigned k = 0; k < instr->num_ops; k++) {
            if (instr->ops[k].kind == ACO_OP_TEMP && is_phi(instr))
               live_sets_pass(s->sets, instr->ops[k].value);
            else if (instr->ops[k].kind == ACO_OP_TEMP)
               live_sets_read(s->sets, b, instr->ops[k].value);
         }
         for (unsigned k = 0; k < instr->num_defs; k++)
            live_sets_make(s->sets, b, instr->defs[k].temp);
      }
   }
   live_sets_number(s->sets, program->arena, program->num_blocks);
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
         live_add(s->sets, live_out(s->sets, b), NULL, false); /* operands of phis */
         join_successors(s, block);
         live_store(s->sets, program->arena, live_out(s->sets, b));
         walk_block(s, block);
         if (!live_move(s->sets, program->arena, live_in(s->sets, b)))
            continue;
         again |= wake(waits, &block->linear_preds, b);
         again |= wake(waits, &block->logical_preds, b);
      }
   }
}

void
aco_liveness(struct aco_program *program)
{
   struct state s = {.program = program, .sets = &program->live};
   number_temps(&s);
   s.vector = arena_array(program->arena, bitset_word, BITSET_WORDS(s.sets->count));
   s.local = arena_array(program->arena, bitset_word, BITSET_WORDS(program->num_temps));
   for (uint32_t n = 1; n < s.sets->count; n++) {
      if (aco_rc_is_v(program->temp_rc[s.sets->value[n]]))
         bitset_set(s.vector, n);
   }
   for (unsigned b = 0; b < program->num_blocks; b++)
      add_phi_operands(&s, program->blocks[b]);
   spread(&s);
   for (unsigned b = 0; b < program->num_blocks; b++)
      mark_block(&s, program->blocks[b]);
}

void
aco_pressure(const struct aco_program *program, unsigned *sgprs, unsigned *vgprs)
{
   *sgprs = *vgprs = 0;
   for (unsigned b = 0; b < program->num_blocks; b++) {
      const struct aco_block *block = program->blocks[b];
      unsigned now[2] = {0};
      live_for_each(t, &program->live, live_out(&program->live, b))
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
