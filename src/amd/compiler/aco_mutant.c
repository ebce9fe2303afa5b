#include "amd/compiler/aco_mutant.h"

#include "util/mutant_row.h"

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
