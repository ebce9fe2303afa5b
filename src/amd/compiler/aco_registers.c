/* Which registers an allocated instruction reads and writes, also those that it does not name. */
#include "amd/compiler/aco_ir.h"

static void
add_range(bitset_word *regs, unsigned first, unsigned size)
{
   for (unsigned reg = first; reg < first + size && reg < ACO_NUM_REGS; reg++)
      bitset_set(regs, reg);
}

static unsigned
operand_size(const struct amd_op_info *info, const struct aco_operand *op, unsigned place)
{
   unsigned size = MAX2(aco_rc_size_dw(op->rc), 1);
   if (op->kind == ACO_OP_FIXED && !op->rc && place < ARRAY_SIZE(info->src))
      size = MAX2(size, info->src[place].size_dw);
   return size;
}

void
aco_add_reads(const struct aco_program *program, const struct aco_instr *instr, bitset_word *regs)
{
   const struct amd_op_info *info = aco_info(program, instr->op);
   for (unsigned i = 0; i < instr->num_ops; i++) {
      const struct aco_operand *op = &instr->ops[i];
      if (op->kind == ACO_OP_TEMP || op->kind == ACO_OP_FIXED)
         add_range(regs, op->reg, operand_size(info, op, i));
   }
   if (info->flags & AMD_FLAG_READS_VCC)
      add_range(regs, AMD_VCC_LO, 2);
   if (info->flags & AMD_FLAG_READS_EXEC)
      add_range(regs, AMD_EXEC_LO, 2);
   if (info->flags & AMD_FLAG_READS_M0)
      add_range(regs, AMD_M0, 1);
   if (instr->dual)
      aco_add_reads(program, instr->dual, regs);
}

void
aco_add_writes(const struct aco_program *program, const struct aco_instr *instr, bitset_word *regs)
{
   const struct amd_op_info *info = aco_info(program, instr->op);
   for (unsigned i = 0; i < instr->num_defs; i++)
      add_range(regs, instr->defs[i].reg, MAX2(aco_rc_size_dw(instr->defs[i].rc), 1));
   if (info->flags & AMD_FLAG_WRITES_VCC)
      add_range(regs, AMD_VCC_LO, 2);
   if (info->flags & AMD_FLAG_WRITES_EXEC)
      add_range(regs, AMD_EXEC_LO, 2);
   if (instr->op == AMD_OP_v_swap_b32)
      add_range(regs, instr->ops[0].reg, 1);
   if (instr->dual)
      aco_add_writes(program, instr->dual, regs);
}
