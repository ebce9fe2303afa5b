/* Register allocation on SSA, in one pass over the blocks in order. A value has one place at a time, but may move:
 * when a result finds no hole of its size, the file is packed by a parallel copy before the instruction. A block
 * takes its live values where its first predecessor left them; the other predecessors copy what they have elsewhere,
 * and phi operands, at their ends (vector copies at p_logical_end, under the right EXEC; scalar ones at the very
 * end). The only critical edges, from an if without else to its merge, are first predecessors. */
#include "amd/compiler/aco_ir.h"

#include <string.h>

#define NO_REG 0xffff
#define NUM_REGS 512

struct block_places {
   uint16_t *in, *out; /* in the order of live sets */
};

struct ra {
   struct aco_program *program;
   uint32_t owner[NUM_REGS]; /* temp in each register, 0 free */
   uint16_t *place;          /* by temp */
   uint32_t *group;          /* by temp: the phi result it should share a register with, or 0 */
   uint16_t *group_reg;      /* by phi result: where a member lives */
   uint32_t *vector;         /* by temp: the vector it becomes a part of, or 0 */
   uint8_t *vector_offset;
   uint16_t *vector_reg; /* by vector temp: where its parts gather, NO_REG if open */
   struct block_places *blocks;
   unsigned limit[2];    /* first register after the file: scalar, vector */
   struct aco_block out; /* the instructions of the block so far */
};

static unsigned
align_of(aco_rc rc)
{
   unsigned size = aco_rc_size_dw(rc);
   return aco_rc_is_v(rc) ? 1 : size >= 4 ? 4 : size;
}

static bool
is_phi(const struct aco_instr *instr)
{
   return instr->op == ACO_P_PHI || instr->op == ACO_P_LINEAR_PHI;
}

/* ---- the register file ---- */

static void
occupy(struct ra *ra, uint32_t temp, uint16_t reg)
{
   unsigned size = aco_rc_size_dw(ra->program->temp_rc[temp]);
   for (unsigned i = 0; i < size; i++)
      ra->owner[reg + i] = temp;
   ra->place[temp] = reg;
   if (ra->group[temp])
      ra->group_reg[ra->group[temp]] = reg;
   unsigned *used = amd_is_vgpr(reg) ? &ra->program->used_vgprs : &ra->program->used_sgprs;
   if (amd_is_vgpr(reg) || reg < AMD_VCC_LO)
      *used = MAX2(*used, (amd_is_vgpr(reg) ? reg - AMD_VGPR0 : reg) + size);
}

static void
release(struct ra *ra, uint32_t temp)
{
   unsigned size = aco_rc_size_dw(ra->program->temp_rc[temp]);
   for (unsigned i = 0; i < size; i++) {
      if (ra->owner[ra->place[temp] + i] == temp)
         ra->owner[ra->place[temp] + i] = 0;
   }
}

static bool
is_free(const struct ra *ra, unsigned reg, aco_rc rc)
{
   unsigned size = aco_rc_size_dw(rc), v = aco_rc_is_v(rc);
   bool vcc = !v && reg == AMD_VCC_LO && size <= 2;
   if (reg == NO_REG || (reg >= AMD_VGPR0) != v || reg % align_of(rc) || (reg + size > ra->limit[v] && !vcc))
      return false;
   for (unsigned i = 0; i < size; i++) {
      if (ra->owner[reg + i])
         return false;
   }
   return true;
}

static uint16_t
find_free(const struct ra *ra, aco_rc rc)
{
   unsigned v = aco_rc_is_v(rc), size = aco_rc_size_dw(rc), step = align_of(rc);
   for (unsigned reg = v ? AMD_VGPR0 : 0; reg + size <= ra->limit[v]; reg += step) {
      unsigned i = 0;
      while (i < size && !ra->owner[reg + i])
         i++;
      if (i == size)
         return (uint16_t)reg;
      if (step == 1)
         reg += i; /* after the occupied one */
   }
   return NO_REG;
}

/* ---- wishes ---- */

static uint16_t
create_vector_wish(const struct ra *ra, const struct aco_instr *instr)
{
   aco_rc rc = instr->defs[0].rc;
   unsigned offset = 0;
   for (unsigned i = 0; i < instr->num_ops; i++) {
      const struct aco_operand *op = &instr->ops[i];
      if (op->kind == ACO_OP_TEMP && op->kill && aco_rc_is_v(op->rc) == aco_rc_is_v(rc) && op->reg >= offset &&
          is_free(ra, op->reg - offset, rc))
         return (uint16_t)(op->reg - offset);
      offset += op->kind == ACO_OP_TEMP ? aco_rc_size_dw(op->rc) : 1;
   }
   return NO_REG;
}

static uint16_t
wish(struct ra *ra, const struct aco_instr *instr, unsigned def)
{
   const struct aco_def *d = &instr->defs[def];
   if (instr->tied && def == 0)
      return instr->ops[instr->num_ops - 1].reg;
   uint32_t group = ra->group[d->temp];
   if (group && is_free(ra, ra->group_reg[group], d->rc))
      return ra->group_reg[group];
   if (instr->op == ACO_P_PARALLELCOPY && instr->ops[def].kind == ACO_OP_TEMP &&
       is_free(ra, instr->ops[def].reg, d->rc))
      return instr->ops[def].reg;
   if (instr->op == ACO_P_SPLIT_VECTOR) {
      unsigned offset = 0;
      for (unsigned i = 0; i < def; i++)
         offset += aco_rc_size_dw(instr->defs[i].rc);
      if (is_free(ra, instr->ops[0].reg + offset, d->rc))
         return (uint16_t)(instr->ops[0].reg + offset);
   }
   if (instr->op == ACO_P_CREATE_VECTOR) {
      uint16_t reg = create_vector_wish(ra, instr);
      if (reg != NO_REG)
         return reg;
   }
   uint32_t vector = ra->vector[d->temp];
   if (vector) {
      if (ra->vector_reg[vector] == NO_REG)
         ra->vector_reg[vector] = find_free(ra, ra->program->temp_rc[vector]);
      if (ra->vector_reg[vector] != NO_REG && is_free(ra, ra->vector_reg[vector] + ra->vector_offset[d->temp], d->rc))
         return (uint16_t)(ra->vector_reg[vector] + ra->vector_offset[d->temp]);
   }
   /* Comparisons and carries have a short form with VCC. */
   if (aco_encs(ra->program, instr) & ACO_ENC_VALU && is_free(ra, AMD_VCC_LO, d->rc)) {
      const struct amd_op_info *info = aco_info(ra->program, instr->op);
      if ((def ? info->sdst.cls : info->dst.cls) == AMD_CLASS_MASK)
         return AMD_VCC_LO;
   }
   return NO_REG;
}

/* ---- packing the file ---- */

struct layout {
   uint32_t temps[NUM_REGS];
   unsigned count;
};

static void
add_by_size(const struct ra *ra, struct layout *layout, uint32_t temp)
{
   unsigned size = aco_rc_size_dw(ra->program->temp_rc[temp]), at = layout->count++;
   while (at && aco_rc_size_dw(ra->program->temp_rc[layout->temps[at - 1]]) < size) {
      layout->temps[at] = layout->temps[at - 1];
      at--;
   }
   layout->temps[at] = temp;
}

/* Temps that occupy the file of rc (VCC is not among them), largest first. */
static void
collect(const struct ra *ra, aco_rc rc, struct layout *layout)
{
   unsigned v = aco_rc_is_v(rc);
   uint32_t last = 0;
   for (unsigned reg = v ? AMD_VGPR0 : 0; reg < ra->limit[v]; reg++) {
      if (ra->owner[reg] && ra->owner[reg] != last)
         add_by_size(ra, layout, ra->owner[reg]);
      last = ra->owner[reg];
   }
}

static unsigned
lay_out(const struct ra *ra, const struct layout *layout, unsigned next, uint16_t *regs)
{
   for (unsigned i = 0; i < layout->count; i++) {
      aco_rc rc = ra->program->temp_rc[layout->temps[i]];
      next = (unsigned)align_up(next, align_of(rc));
      regs[i] = (uint16_t)next;
      next += aco_rc_size_dw(rc);
   }
   return next;
}

/* Parallel copy of temps to new places. */
static void
append_moves(struct ra *ra, const struct layout *layout, const uint16_t *regs)
{
   struct aco_program *program = ra->program;
   unsigned moves = 0;
   for (unsigned i = 0; i < layout->count; i++)
      moves += ra->place[layout->temps[i]] != regs[i];
   if (!moves)
      return;
   struct aco_instr *copy = aco_instr_create(program, ACO_P_PARALLELCOPY, moves, moves);
   unsigned k = 0;
   for (unsigned i = 0; i < layout->count; i++) {
      uint32_t temp = layout->temps[i];
      if (ra->place[temp] == regs[i])
         continue;
      copy->ops[k] = aco_op_temp(program, temp);
      copy->ops[k].reg = ra->place[temp];
      copy->defs[k++] = (struct aco_def){.temp = temp, .rc = program->temp_rc[temp], .reg = regs[i]};
   }
   aco_block_append(ra->program, &ra->out, copy);
}

/* Packs the file of the class so that all results of that class fit: values that live on first, then the operands
 * that end here; results may lie over these. */
static bool
make_room(struct ra *ra, struct aco_instr *instr, aco_rc rc)
{
   struct aco_program *program = ra->program;
   unsigned v = aco_rc_is_v(rc), base = v ? AMD_VGPR0 : 0;
   struct layout through = {.count = 0}, ending = {.count = 0}, results = {.count = 0};
   uint16_t regs[NUM_REGS];
   for (unsigned i = 0; i < instr->num_defs; i++) {
      if (!instr->defs[i].temp || aco_rc_is_v(instr->defs[i].rc) != v)
         continue;
      if (ra->place[instr->defs[i].temp] != NO_REG)
         release(ra, instr->defs[i].temp);
      add_by_size(ra, &results, instr->defs[i].temp);
   }
   collect(ra, rc, &through);
   for (unsigned i = 0; i < instr->num_ops; i++) {
      const struct aco_operand *op = &instr->ops[i];
      if (op->kind == ACO_OP_TEMP && op->first_kill && aco_rc_is_v(op->rc) == v && (v || op->reg < AMD_VCC_LO))
         add_by_size(ra, &ending, op->value);
   }
   unsigned end = lay_out(ra, &through, base, regs);
   unsigned ends = lay_out(ra, &ending, end, regs + through.count);
   uint16_t result_regs[NUM_REGS];
   unsigned result_end = lay_out(ra, &results, end, result_regs);
   if (ends > ra->limit[v] || result_end > ra->limit[v])
      return false;
   struct layout all = through;
   for (unsigned i = 0; i < ending.count; i++)
      all.temps[all.count++] = ending.temps[i];
   append_moves(ra, &all, regs);
   for (unsigned i = 0; i < through.count; i++)
      release(ra, through.temps[i]);
   for (unsigned i = 0; i < all.count; i++) {
      if (i < through.count)
         occupy(ra, all.temps[i], regs[i]);
      else
         ra->place[all.temps[i]] = regs[i];
   }
   unsigned *used = v ? &program->used_vgprs : &program->used_sgprs;
   *used = MAX2(*used, ends - base);
   for (unsigned i = 0; i < instr->num_ops; i++) {
      if (instr->ops[i].kind == ACO_OP_TEMP)
         instr->ops[i].reg = ra->place[instr->ops[i].value];
   }
   if (instr->tied && v) {
      occupy(ra, instr->defs[0].temp, instr->ops[instr->num_ops - 1].reg);
      return true;
   }
   for (unsigned i = 0; i < results.count; i++)
      occupy(ra, results.temps[i], result_regs[i]);
   return true;
}

/* ---- one instruction ---- */

static bool
place_results(struct ra *ra, struct aco_instr *instr)
{
   for (unsigned i = 0; i < instr->num_defs; i++) {
      if (instr->defs[i].temp && !instr->defs[i].fixed)
         ra->place[instr->defs[i].temp] = NO_REG;
   }
   for (unsigned i = 0; i < instr->num_defs; i++) {
      struct aco_def *def = &instr->defs[i];
      if (!def->temp)
         continue;
      if (def->fixed) {
         occupy(ra, def->temp, def->reg);
         continue;
      }
      if (ra->place[def->temp] != NO_REG)
         continue; /* make_room placed it */
      uint16_t reg = wish(ra, instr, i);
      if (reg == NO_REG)
         reg = find_free(ra, def->rc);
      if (reg != NO_REG)
         occupy(ra, def->temp, reg);
      else if (!make_room(ra, instr, def->rc))
         return false;
   }
   return true;
}

static bool
allocate_instr(struct ra *ra, struct aco_instr *instr)
{
   for (unsigned i = 0; i < instr->num_ops; i++) {
      if (instr->ops[i].kind == ACO_OP_TEMP)
         instr->ops[i].reg = ra->place[instr->ops[i].value];
   }
   for (unsigned i = 0; i < instr->num_ops; i++) {
      if (instr->ops[i].kind == ACO_OP_TEMP && instr->ops[i].first_kill)
         release(ra, instr->ops[i].value);
   }
   if (!place_results(ra, instr))
      return false;
   for (unsigned i = 0; i < instr->num_defs; i++) {
      struct aco_def *def = &instr->defs[i];
      if (!def->temp)
         continue;
      def->reg = ra->place[def->temp];
      if (def->kill)
         release(ra, def->temp);
   }
   aco_block_append(ra->program, &ra->out, instr);
   return true;
}

/* ---- block borders ---- */

static void
take_from(struct ra *ra, const struct aco_block *block, const struct aco_block *pred, bool vector)
{
   struct aco_program *program = ra->program;
   const struct live_set *in = live_in(&program->live, block->index);
   unsigned n = 0;
   live_for_each(temp, &program->live, live_out(&program->live, pred->index)) {
      uint16_t reg = ra->blocks[pred->index].out[n++];
      if (aco_rc_is_v(program->temp_rc[temp]) == vector && live_test(&program->live, in, temp))
         occupy(ra, temp, reg);
   }
}

static uint16_t
phi_wish(struct ra *ra, const struct aco_block *block, const struct aco_instr *phi)
{
   const struct aco_def *def = &phi->defs[0];
   if (is_free(ra, ra->group_reg[def->temp], def->rc))
      return ra->group_reg[def->temp];
   for (unsigned i = 0; i < phi->num_ops; i++) {
      const struct aco_edges *preds = phi->op == ACO_P_PHI ? &block->logical_preds : &block->linear_preds;
      if (phi->ops[i].kind == ACO_OP_TEMP && preds->at[i]->index < block->index &&
          is_free(ra, ra->place[phi->ops[i].value], def->rc))
         return ra->place[phi->ops[i].value];
   }
   return find_free(ra, def->rc);
}

/* All live values and phis of a class anew, as no instruction has run yet: predecessors copy into any layout. */
static bool
repack_entry(struct ra *ra, const struct aco_block *block, aco_rc rc)
{
   struct layout all = {.count = 0};
   uint16_t regs[NUM_REGS];
   unsigned v = aco_rc_is_v(rc);
   for (unsigned i = 0; i < block->count && is_phi(block->instrs[i]); i++) {
      struct aco_def *def = &block->instrs[i]->defs[0];
      if (aco_rc_is_v(def->rc) != v)
         continue;
      if (ra->place[def->temp] != NO_REG)
         release(ra, def->temp);
      add_by_size(ra, &all, def->temp);
   }
   struct layout live = {.count = 0};
   collect(ra, rc, &live);
   for (unsigned i = 0; i < live.count; i++) {
      release(ra, live.temps[i]);
      add_by_size(ra, &all, live.temps[i]);
   }
   if (lay_out(ra, &all, v ? AMD_VGPR0 : 0, regs) > ra->limit[v])
      return false;
   for (unsigned i = 0; i < all.count; i++)
      occupy(ra, all.temps[i], regs[i]);
   return true;
}

static bool
enter_block(struct ra *ra, struct aco_block *block)
{
   struct aco_program *program = ra->program;
   memset(ra->owner, 0, sizeof(ra->owner));
   if (block->linear_preds.count)
      take_from(ra, block, block->linear_preds.at[0], false);
   if (block->logical_preds.count)
      take_from(ra, block, block->logical_preds.at[0], true);
   for (unsigned i = 0; i < block->count && is_phi(block->instrs[i]); i++)
      ra->place[block->instrs[i]->defs[0].temp] = NO_REG;
   for (unsigned i = 0; i < block->count && is_phi(block->instrs[i]); i++) {
      struct aco_def *def = &block->instrs[i]->defs[0];
      if (ra->place[def->temp] != NO_REG)
         continue;
      uint16_t reg = phi_wish(ra, block, block->instrs[i]);
      if (reg != NO_REG)
         occupy(ra, def->temp, reg);
      else if (!repack_entry(ra, block, def->rc))
         return false;
   }
   for (unsigned i = 0; i < block->count && is_phi(block->instrs[i]); i++) {
      struct aco_def *def = &block->instrs[i]->defs[0];
      def->reg = ra->place[def->temp];
      aco_block_append(ra->program, &ra->out, block->instrs[i]);
   }
   for (unsigned i = 0; i < block->count && is_phi(block->instrs[i]); i++) {
      if (block->instrs[i]->defs[0].kill)
         release(ra, block->instrs[i]->defs[0].temp);
   }
   unsigned n = 0;
   struct block_places *places = &ra->blocks[block->index];
   const struct live_set *in = live_in(&program->live, block->index);
   places->in = arena_array(program->arena, uint16_t, live_count(in) + 1);
   live_for_each(temp, &program->live, in)
      places->in[n++] = ra->place[temp];
   return true;
}

static void
leave_block(struct ra *ra, struct aco_block *block)
{
   struct aco_program *program = ra->program;
   unsigned n = 0;
   const struct live_set *live = live_out(&program->live, block->index);
   uint16_t *out = arena_array(program->arena, uint16_t, live_count(live) + 1);
   live_for_each(temp, &program->live, live)
      out[n++] = ra->place[temp];
   ra->blocks[block->index].out = out;
   aco_block_take(block, &ra->out);
}

/* ---- edges ---- */

struct copies {
   struct aco_operand ops[NUM_REGS];
   struct aco_def defs[NUM_REGS];
   unsigned count;
};

static void
add_copy(struct copies *copies, struct aco_operand from, uint32_t temp, aco_rc rc, uint16_t to)
{
   copies->ops[copies->count] = from;
   copies->defs[copies->count++] = (struct aco_def){.temp = temp, .rc = rc, .reg = to};
}

static void
resolve_edge(struct ra *ra, struct aco_block *pred, struct aco_block *block, unsigned index, bool vector)
{
   struct aco_program *program = ra->program;
   struct copies copies;
   copies.count = 0;
   unsigned n = 0;
   live_for_each(temp, &program->live, live_out(&program->live, pred->index))
      ra->place[temp] = ra->blocks[pred->index].out[n++];
   n = 0;
   live_for_each(temp, &program->live, live_in(&program->live, block->index)) {
      uint16_t in = ra->blocks[block->index].in[n++];
      if (aco_rc_is_v(program->temp_rc[temp]) != vector || ra->place[temp] == in)
         continue;
      struct aco_operand op = aco_op_temp(program, temp);
      op.reg = ra->place[temp];
      add_copy(&copies, op, temp, op.rc, in);
   }
   for (unsigned i = 0; i < block->count && is_phi(block->instrs[i]); i++) {
      struct aco_instr *phi = block->instrs[i];
      if ((phi->op == ACO_P_PHI) != vector || phi->ops[index].kind == ACO_OP_UNDEF)
         continue;
      if (phi->ops[index].kind == ACO_OP_TEMP) {
         phi->ops[index].reg = ra->place[phi->ops[index].value];
         if (phi->ops[index].reg == phi->defs[0].reg)
            continue;
      }
      add_copy(&copies, phi->ops[index], 0, phi->defs[0].rc, phi->defs[0].reg);
   }
   if (!copies.count)
      return;
   if ((vector ? pred->logical_succs.count : pred->linear_succs.count) != 1) {
      aco_fail(program, "copies on the critical edge from block %u to block %u", pred->index, block->index);
      return;
   }
   struct aco_instr *copy = aco_instr_create(program, ACO_P_PARALLELCOPY, copies.count, copies.count);
   memcpy(copy->ops, copies.ops, copies.count * sizeof(*copy->ops));
   memcpy(copy->defs, copies.defs, copies.count * sizeof(*copy->defs));
   aco_block_insert(program, pred, vector ? aco_logical_end(pred) : pred->count, copy);
}

static void
find_wishes(struct ra *ra)
{
   struct aco_program *program = ra->program;
   for (unsigned b = 0; b < program->num_blocks; b++) {
      struct aco_block *block = program->blocks[b];
      for (unsigned i = 0; i < block->count; i++) {
         struct aco_instr *instr = block->instrs[i];
         if (is_phi(instr)) {
            ra->group[instr->defs[0].temp] = instr->defs[0].temp;
            for (unsigned k = 0; k < instr->num_ops; k++) {
               if (instr->ops[k].kind == ACO_OP_TEMP && !ra->group[instr->ops[k].value])
                  ra->group[instr->ops[k].value] = instr->defs[0].temp;
            }
         } else if (instr->op == ACO_P_CREATE_VECTOR) {
            unsigned offset = 0;
            for (unsigned k = 0; k < instr->num_ops; k++) {
               struct aco_operand *op = &instr->ops[k];
               if (op->kind == ACO_OP_TEMP && aco_rc_is_v(op->rc) == aco_rc_is_v(instr->defs[0].rc) &&
                   !ra->vector[op->value]) {
                  ra->vector[op->value] = instr->defs[0].temp;
                  ra->vector_offset[op->value] = (uint8_t)offset;
               }
               offset += op->kind == ACO_OP_TEMP ? aco_rc_size_dw(op->rc) : 1;
            }
         }
      }
   }
}

static struct ra *
create(struct aco_program *program)
{
   struct ra *ra = arena_new(program->arena, struct ra);
   unsigned n = program->num_temps;
   ra->program = program;
   ra->place = arena_array(program->arena, uint16_t, n);
   ra->group = arena_array(program->arena, uint32_t, n);
   ra->group_reg = arena_array(program->arena, uint16_t, n);
   ra->vector = arena_array(program->arena, uint32_t, n);
   ra->vector_offset = arena_array(program->arena, uint8_t, n);
   ra->vector_reg = arena_array(program->arena, uint16_t, n);
   memset(ra->group_reg, 0xff, n * sizeof(uint16_t));
   memset(ra->vector_reg, 0xff, n * sizeof(uint16_t));
   memset(ra->place, 0xff, n * sizeof(uint16_t));
   ra->blocks = arena_array(program->arena, struct block_places, program->num_blocks);
   ra->limit[0] = program->max_sgprs;
   ra->limit[1] = AMD_VGPR0 + program->max_vgprs;
   return ra;
}

/* Where nothing comes from, nothing is live: no lane comes to a block without logical edges. */
static void
check_entries(struct aco_program *program)
{
   for (unsigned b = 0; b < program->num_blocks; b++) {
      bool lanes = program->blocks[b]->logical_preds.count, wave = program->blocks[b]->linear_preds.count;
      live_for_each(temp, &program->live, live_in(&program->live, b)) {
         if (aco_rc_is_v(program->temp_rc[temp]) ? !lanes : !wave)
            aco_fail(program, "value %u is used where the wave may come without it, in block %u", temp, b);
      }
   }
}

void
aco_register_allocation(struct aco_program *program)
{
   struct ra *ra = create(program);
   check_entries(program);
   if (program->error)
      return;
   find_wishes(ra);
   for (unsigned b = 0; b < program->num_blocks; b++) {
      struct aco_block *block = program->blocks[b];
      bool fits = enter_block(ra, block);
      for (unsigned i = 0; i < block->count && fits; i++) {
         if (!is_phi(block->instrs[i]))
            fits = allocate_instr(ra, block->instrs[i]);
      }
      if (!fits) {
         aco_fail(program, "registers do not suffice (%u scalar, %u vector)", program->max_sgprs, program->max_vgprs);
         return;
      }
      leave_block(ra, block);
   }
   for (unsigned b = 0; b < program->num_blocks; b++) {
      struct aco_block *block = program->blocks[b];
      for (unsigned i = 0; i < block->linear_preds.count; i++)
         resolve_edge(ra, block->linear_preds.at[i], block, i, false);
      for (unsigned i = 0; i < block->logical_preds.count; i++)
         resolve_edge(ra, block->logical_preds.at[i], block, i, true);
   }
   program->allocated = true;
}
