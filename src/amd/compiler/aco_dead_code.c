/* Removes instructions whose results nobody reads. Linear: counts uses, then follows operands of what it removes. */
#include "amd/compiler/aco_ir.h"

static bool
is_dead(const struct aco_program *program, const struct aco_instr *instr, const uint32_t *uses)
{
   if (!instr->num_defs || !aco_is_removable(program, instr))
      return false;
   for (unsigned i = 0; i < instr->num_defs; i++) {
      if (instr->defs[i].temp && uses[instr->defs[i].temp])
         return false;
   }
   return true;
}

/* Nobody reads SCC of these any more, so a comparison without results goes too. */
static bool
is_dead_compare(const struct aco_program *program, const struct aco_instr *instr)
{
   return !instr->num_defs && !aco_is_pseudo(instr) && !instr->uses_scc && !instr->side_effects &&
          (aco_flags(program, instr) & (AMD_FLAG_WRITES_SCC | AMD_FLAG_BARRIER | AMD_FLAG_BRANCH)) ==
             AMD_FLAG_WRITES_SCC;
}

/* True if an instruction that stays, or the block's end, reads the SCC that `writer` writes. */
static bool
scc_is_read(const struct aco_program *program, const struct aco_block *block, unsigned writer)
{
   for (unsigned i = writer + 1; i < block->count; i++) {
      if (block->instrs[i]->index == UINT32_MAX)
         continue; /* gone already */
      uint32_t flags = aco_flags(program, block->instrs[i]);
      if (flags & AMD_FLAG_READS_SCC)
         return true;
      if (flags & AMD_FLAG_WRITES_SCC)
         return false;
   }
   return block->term == ACO_TERM_SCC0 || block->term == ACO_TERM_SCC1;
}

/* When the last reader of SCC goes, so does the need for its writer's SCC. */
static void
release_scc(const struct aco_program *program, struct aco_block *block, unsigned reader)
{
   for (unsigned i = reader; i-- > 0;) {
      if (block->instrs[i]->index != UINT32_MAX && aco_flags(program, block->instrs[i]) & AMD_FLAG_WRITES_SCC) {
         block->instrs[i]->uses_scc = scc_is_read(program, block, i);
         return;
      }
   }
}

static void
drop(const struct aco_program *program, struct aco_block *block, unsigned at, uint32_t *uses)
{
   struct aco_instr *instr = block->instrs[at];
   for (unsigned i = 0; i < instr->num_ops; i++) {
      if (instr->ops[i].kind == ACO_OP_TEMP)
         uses[instr->ops[i].value]--;
   }
   instr->index = UINT32_MAX;
   if (aco_flags(program, instr) & AMD_FLAG_READS_SCC)
      release_scc(program, block, at);
}

void
aco_dead_code(struct aco_program *program)
{
   uint32_t *uses = arena_array(program->arena, uint32_t, program->num_temps);
   for (unsigned b = 0; b < program->num_blocks; b++) {
      struct aco_block *block = program->blocks[b];
      for (unsigned i = 0; i < block->count; i++) {
         block->instrs[i]->index = 0;
         for (unsigned k = 0; k < block->instrs[i]->num_ops; k++) {
            if (block->instrs[i]->ops[k].kind == ACO_OP_TEMP)
               uses[block->instrs[i]->ops[k].value]++;
         }
      }
   }
   /* Loop phis may keep each other alive: that costs a register, not correctness. */
   for (unsigned b = program->num_blocks; b-- > 0;) {
      struct aco_block *block = program->blocks[b];
      for (unsigned i = block->count; i-- > 0;) {
         if (is_dead(program, block->instrs[i], uses) || is_dead_compare(program, block->instrs[i]))
            drop(program, block, i, uses);
      }
      unsigned kept = 0;
      for (unsigned i = 0; i < block->count; i++) {
         struct aco_instr *instr = block->instrs[i];
         if (instr->index == UINT32_MAX)
            continue;
         for (unsigned k = 0; k < instr->num_defs && instr->op == ACO_P_SPLIT_VECTOR; k++) {
            if (instr->defs[k].temp && !uses[instr->defs[k].temp])
               instr->defs[k].temp = 0;
         }
         block->instrs[kept++] = instr;
      }
      block->count = kept;
   }
}
