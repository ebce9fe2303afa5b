/* After register allocation: sections that run with all lanes (aco_select_reduce.c) keep what the lanes hold that
 * are elsewhere. The allocator counts on EXEC for those: a register that is free for the active lanes may hold a
 * value of others. So each register that a section writes is saved in front of it, and given back to the other lanes
 * after.
 *
 *    s_or_saveexec      all lanes
 *    save = register    (put in here)
 *    ...
 *    s_not exec         the other lanes
 *    register = save    (put in here)
 *    s_mov exec         back to the active lanes */
#include "amd/compiler/aco_ir.h"

struct section {
   struct aco_program *program;
   unsigned first_save;   /* VGPR */
   uint16_t written[256]; /* register numbers */
   unsigned count;
};

static void
note(struct section *s, uint16_t reg)
{
   /* What stands after the allocated registers are lanes that hold spilled scalars. */
   if (!amd_is_vgpr(reg) || reg >= amd_vgpr(s->program->spill_first_vgpr))
      return;
   for (unsigned i = 0; i < s->count; i++) {
      if (s->written[i] == reg)
         return;
   }
   s->written[s->count++] = reg;
}

static void
note_results(struct section *s, const struct aco_instr *instr)
{
   for (unsigned k = 0; k < instr->num_defs; k++) {
      for (unsigned dw = 0; dw < aco_rc_size_dw(instr->defs[k].rc); dw++)
         note(s, (uint16_t)(instr->defs[k].reg + dw));
   }
   for (unsigned k = 0; k < instr->num_ops && instr->op == AMD_OP_v_swap_b32; k++)
      note(s, instr->ops[k].reg);
}

static void
insert_moves(struct section *s, struct aco_block *block, unsigned at, bool back)
{
   for (unsigned i = 0; i < s->count; i++) {
      uint16_t save = amd_vgpr(s->first_save + i);
      struct aco_instr *move = aco_instr_create(s->program, AMD_OP_v_mov_b32, 1, 1);
      move->ops[0] = aco_op_fixed(back ? save : s->written[i]);
      move->defs[0] = (struct aco_def){.reg = back ? s->written[i] : save, .rc = ACO_V1, .fixed = true};
      aco_block_insert(s->program, block, at + i, move);
   }
}

void
aco_preserve_lanes(struct aco_program *program)
{
   if (!program->preserves_lanes)
      return;
   struct section *s = arena_new(program->arena, struct section);
   unsigned most = 0;
   s->program = program;
   s->first_save = program->used_vgprs;
   for (unsigned b = 0; b < program->num_blocks; b++) {
      struct aco_block *block = program->blocks[b];
      for (unsigned i = 0; i < block->count; i++) {
         if (!block->instrs[i]->preserves_lanes)
            continue;
         s->count = 0;
         unsigned end = i + 1;
         while (!block->instrs[end]->preserves_lanes)
            note_results(s, block->instrs[end++]);
         most = MAX2(most, s->count);
         if (s->first_save + most > 256) {
            aco_fail(program, "no registers left to keep those of lanes that are elsewhere");
            return;
         }
         insert_moves(s, block, end + 1, true);
         insert_moves(s, block, i + 1, false);
         i = end + 2 * s->count;
      }
   }
   program->used_vgprs += most;
}
