/* Proof of a register allocation, independent of how it was made: follows which value each register holds, over all
 * paths, and compares with what each instruction reads. Scalar registers are followed along linear edges, vector
 * registers along logical edges. A value is a temp and a dword of it. */
#include "amd/compiler/aco_ir.h"

#include <string.h>

#define NUM_REGS 512
#define UNKNOWN 0u
#define CONSTANT 0x80000000u

typedef uint32_t value_t; /* temp * 32 + dword, CONSTANT | bits, or UNKNOWN */

struct checker {
   struct aco_program *program;
   value_t (*out)[NUM_REGS];
   bool *done; /* out is there */
   value_t now[NUM_REGS];
   const char *fault;
};

static value_t
value_of(uint32_t temp, unsigned dword)
{
   return temp * 32 + dword;
}

static value_t
value_of_const(uint32_t value)
{
   return CONSTANT | (value ^ value >> 31);
}

static bool
is_phi(const struct aco_instr *instr)
{
   return instr->op == ACO_P_PHI || instr->op == ACO_P_LINEAR_PHI;
}

static void
report(struct checker *check, const struct aco_block *block, const struct aco_instr *instr, uint32_t temp,
       unsigned reg)
{
   if (check->fault)
      return;
   value_t found = reg < NUM_REGS ? check->now[reg] : UNKNOWN;
   char what[100];
   snprintf(what, sizeof(what), "value %u is not in register %u, which holds value %u", temp, reg, found / 32);
   check->fault = aco_fault_text(check->program, block, instr, what);
}

/* State at the start of a block: what all predecessors known so far agree on. */
static void
meet(struct checker *check, const struct aco_edges *preds, unsigned first, unsigned end)
{
   bool started = false;
   for (unsigned p = 0; p < preds->count; p++) {
      unsigned index = preds->at[p]->index;
      if (!check->done[index])
         continue;
      for (unsigned r = first; r < end; r++) {
         if (!started)
            check->now[r] = check->out[index][r];
         else if (check->now[r] != check->out[index][r])
            check->now[r] = UNKNOWN;
      }
      started = true;
   }
   if (!started)
      memset(&check->now[first], 0, (end - first) * sizeof(value_t));
}

static void
check_phi(struct checker *check, const struct aco_block *block, const struct aco_instr *phi)
{
   const struct aco_edges *preds = phi->op == ACO_P_PHI ? &block->logical_preds : &block->linear_preds;
   for (unsigned i = 0; i < phi->num_ops; i++) {
      const struct aco_operand *op = &phi->ops[i];
      const value_t *out = check->out[preds->at[i]->index];
      for (unsigned k = 0; k < aco_rc_size_dw(phi->defs[0].rc); k++) {
         value_t wanted = op->kind == ACO_OP_CONST ? value_of_const(op->value) : value_of(op->value, k);
         if (op->kind != ACO_OP_UNDEF && out[phi->defs[0].reg + k] != wanted)
            report(check, block, phi, op->value, phi->defs[0].reg + k);
      }
   }
}

static void
check_reads(struct checker *check, const struct aco_block *block, const struct aco_instr *instr)
{
   for (unsigned i = 0; i < instr->num_ops; i++) {
      const struct aco_operand *op = &instr->ops[i];
      if (op->kind != ACO_OP_TEMP)
         continue;
      for (unsigned k = 0; k < aco_rc_size_dw(op->rc); k++) {
         if (op->reg + k >= NUM_REGS || check->now[op->reg + k] != value_of(op->value, k) ||
             amd_is_vgpr(op->reg) != aco_rc_is_v(op->rc))
            report(check, block, instr, op->value, op->reg + k);
      }
   }
   if (instr->tied && instr->defs[0].reg != instr->ops[instr->num_ops - 1].reg)
      report(check, block, instr, instr->defs[0].temp, instr->defs[0].reg);
}

static void
check_alignment(struct checker *check, const struct aco_block *block, const struct aco_instr *instr)
{
   for (unsigned i = 0; i < instr->num_defs; i++) {
      const struct aco_def *def = &instr->defs[i];
      unsigned size = aco_rc_size_dw(def->rc), align = size >= 4 ? 4 : MAX2(size, 1);
      if (def->temp && !aco_rc_is_v(def->rc) && def->reg % align)
         report(check, block, instr, def->temp, def->reg);
   }
}

static void
write_results(struct checker *check, const struct aco_instr *instr)
{
   value_t copied[NUM_REGS];
   unsigned n = 0;
   if (instr->op == ACO_P_PARALLELCOPY) {
      for (unsigned i = 0; i < instr->num_defs; i++) {
         for (unsigned k = 0; k < aco_rc_size_dw(instr->defs[i].rc) && n < NUM_REGS; k++) {
            const struct aco_operand *op = &instr->ops[i];
            copied[n++] = op->kind == ACO_OP_TEMP    ? check->now[op->reg + k]
                          : op->kind == ACO_OP_CONST ? value_of_const(op->value)
                                                     : UNKNOWN;
         }
      }
   }
   n = 0;
   for (unsigned i = 0; i < instr->num_defs; i++) {
      const struct aco_def *def = &instr->defs[i];
      for (unsigned k = 0; k < aco_rc_size_dw(def->rc); k++, n++) {
         if (def->temp)
            check->now[def->reg + k] = value_of(def->temp, k);
         else if (instr->op == ACO_P_PARALLELCOPY)
            check->now[def->reg + k] = copied[n];
      }
   }
}

static void
run_block(struct checker *check, struct aco_block *block, bool verify)
{
   meet(check, &block->linear_preds, 0, AMD_VGPR0);
   meet(check, &block->logical_preds, AMD_VGPR0, NUM_REGS);
   for (unsigned i = 0; i < block->count && is_phi(block->instrs[i]); i++) {
      if (verify)
         check_phi(check, block, block->instrs[i]);
   }
   for (unsigned i = 0; i < block->count; i++) {
      const struct aco_instr *instr = block->instrs[i];
      if (verify && !is_phi(instr)) {
         check_reads(check, block, instr);
         check_alignment(check, block, instr);
      }
      write_results(check, instr);
   }
}

/* Has the successors of a block that changed walked again. Whether one of them comes in another pass. */
static bool
wake(bool *waits, const struct aco_edges *succs, unsigned b)
{
   bool again = false;
   for (unsigned i = 0; i < succs->count; i++) {
      waits[succs->at[i]->index] = true;
      again |= succs->at[i]->index <= b;
   }
   return again;
}

/* Forwards. Edges back make successors wait for another pass; only blocks after a change are walked again. */
static void
spread(struct checker *check)
{
   struct aco_program *program = check->program;
   bool *waits = arena_array(program->arena, bool, program->num_blocks);
   for (unsigned b = 0; b < program->num_blocks; b++)
      waits[b] = true;
   bool again = true;
   while (again) {
      again = false;
      for (unsigned b = 0; b < program->num_blocks; b++) {
         struct aco_block *block = program->blocks[b];
         if (!waits[b])
            continue;
         waits[b] = false;
         run_block(check, block, false);
         if (check->done[b] && !memcmp(check->out[b], check->now, sizeof(check->now)))
            continue;
         memcpy(check->out[b], check->now, sizeof(check->now));
         check->done[b] = true;
         again |= wake(waits, &block->linear_succs, b);
         again |= wake(waits, &block->logical_succs, b);
      }
   }
}

const char *
aco_check_ra(struct aco_program *program)
{
   struct checker *check = arena_new(program->arena, struct checker);
   check->program = program;
   check->out = arena_alloc(program->arena, sizeof(value_t[NUM_REGS]) * program->num_blocks);
   check->done = arena_array(program->arena, bool, program->num_blocks);
   spread(check);
   for (unsigned b = 0; b < program->num_blocks && !check->fault; b++)
      run_block(check, program->blocks[b], true);
   return check->fault;
}
