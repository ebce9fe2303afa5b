#include "amd/compiler/aco_mutant.h"

#include "util/mutant_row.h"

static bool
is_wait(const struct aco_instr *instr)
{
   return instr->op == AMD_OP_s_waitcnt || instr->op == AMD_OP_s_waitcnt_vscnt;
}

uint32_t
aco_mutant_context(const struct aco_program *program, const struct aco_block *block, unsigned number)
{
   unsigned next = number;

   if (program->stage != NIR_STAGE_FRAGMENT)
      return 0;
   if (!program->out->ps.ordered)
      return ACO_MUTANT_FRAGMENT;
   while (next < block->count && is_wait(block->instrs[next]))
      next++;
   const bool exits = next > number && next < block->count &&
                      (block->instrs[next]->op == AMD_OP_s_sendmsg || block->instrs[next]->exp_done);
   return ACO_MUTANT_FRAGMENT | ACO_MUTANT_ORDERED | (exits ? ACO_MUTANT_EXIT : 0);
}

void
aco_mutate(enum amd_gen gen, uint32_t context, struct amd_inst *inst)
{
   const uint32_t flags = amd_isa_op_info(gen, (enum amd_op)inst->op)->flags;
   if (!(flags & AMD_FLAG_ATOMIC))
      context |= (flags & AMD_FLAG_LOAD ? ACO_MUTANT_LOAD : 0) | (flags & AMD_FLAG_STORE ? ACO_MUTANT_STORE : 0);
   const struct mutant_object object = {inst->op, gen, context, 0, inst};
   if (mutate(aco_rows, num_aco_rows, &object))
      *inst = amd_inst_init(AMD_OP_s_nop, AMD_ENC_SOPP);
}
