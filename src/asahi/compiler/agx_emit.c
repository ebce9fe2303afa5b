/* Bytes of the code: instructions, jumps to where their blocks begin, the end and what guards the prefetch. */
#include "asahi/compiler/agx_builder.h"

#include <string.h>

#include "asahi/compiler/agx_mutant.h"

/* Vertex results end with a last one, or with the word that there is none. */
static void
end_varyings(struct agx_ir *ir)
{
   for (unsigned b = ir->num_blocks; b-- > 0;) {
      struct agx_block *block = ir->blocks[b];
      for (unsigned i = block->count; i-- > 0;) {
         if (block->instrs[i]->op == AGX_OP_ST_VAR) {
            block->instrs[i]->mod.last = 1;
            return;
         }
      }
   }
   agx_ir_append(ir, ir->blocks[ir->num_blocks - 1], agx_ir_instr(ir, AGX_OP_NO_VAR, 0, 0));
}

#define STACK_STEP_DW 0x7ff8 /* an immediate with a sign holds it */

/* Room on the stack, in words of 32 bits. */
static void
make_stack(struct agx_ir *ir)
{
   for (uint32_t left = (uint32_t)align_up(ir->scratch_B, 16) / 4, step; left; left -= step) {
      step = MIN2(left, STACK_STEP_DW);
      struct agx_instr *adjust = agx_ir_instr(ir, AGX_OP_STACK_ADJUST, 0, 1);
      adjust->srcs[0] = agx_simm((int32_t)step);
      agx_ir_insert(ir, ir->blocks[0], 0, adjust);
   }
}

#define DOORBELL_B 6 /* with the jump over it */

/* A doorbell of a helper program rings even where no thread is active: a jump over it stands ahead of each. */
static void
guard_doorbells(struct agx_ir *ir)
{
   for (unsigned b = 0; b < ir->num_blocks; b++) {
      for (unsigned i = ir->blocks[b]->count; i-- > 0;) {
         if (ir->blocks[b]->instrs[i]->op != AGX_OP_DOORBELL)
            continue;
         struct agx_instr *jump = agx_ir_instr(ir, AGX_OP_JMP_IF_SKIPPING_DOORBELL, 0, 0);
         jump->mod.offset = DOORBELL_B;
         agx_ir_insert(ir, ir->blocks[b], i, jump);
      }
   }
}

static void
end_program(struct agx_ir *ir)
{
   struct agx_builder b = {.ir = ir, .block = ir->blocks[ir->num_blocks - 1]};
   if (ir->stage == NIR_STAGE_VERTEX && !ir->is_preamble)
      end_varyings(ir);
   agx_stop(&b);
}

/* Also fills the blocks' offsets. Jumps go nowhere yet. */
static uint32_t
encode_all(struct agx_ir *ir, uint8_t *code)
{
   uint32_t at = 0;
   for (unsigned b = 0; b < ir->num_blocks; b++) {
      ir->blocks[b]->offset_B = at;
      for (unsigned i = 0; i < ir->blocks[b]->count; i++) {
         struct agx_instr *instr = ir->blocks[b]->instrs[i];
         instr->index = at;
         if (agx_mutate(instr))
            continue;
         const unsigned size_B = agx_encode_known(instr, code + at);
         if (!size_B) {
            agx_ir_fail(ir, "%s", agx_fault_text(ir, ir->blocks[b], instr, "it has no encoding"));
            return 0;
         }
         at += size_B;
      }
   }
   return at;
}

/* Jumps are of one size whatever their offset is. */
static void
encode_jumps(struct agx_ir *ir, uint8_t *code)
{
   for (unsigned b = 0; b < ir->num_blocks; b++) {
      for (unsigned i = 0; i < ir->blocks[b]->count; i++) {
         struct agx_instr *instr = ir->blocks[b]->instrs[i];
         uint8_t bytes[AGX_INST_MAX_B];
         if (!agx_jumps(instr))
            continue;
         instr->mod.offset = ir->blocks[instr->mod.target]->offset_B - instr->index;
         memcpy(code + instr->index, bytes, agx_encode_known(instr, bytes));
      }
   }
}

static unsigned
count_instrs(const struct agx_ir *ir)
{
   unsigned count = 0;
   for (unsigned b = 0; b < ir->num_blocks; b++)
      count += ir->blocks[b]->count;
   return count;
}

const uint8_t *
agx_emit(struct agx_ir *ir, uint32_t *code_B, uint32_t *exec_B)
{
   struct agx_block traps = {0};
   struct agx_builder b = {.ir = ir, .block = &traps};
   make_stack(ir);
   guard_doorbells(ir);
   if (!agx_continues(ir))
      end_program(ir);
   uint8_t *code = arena_alloc(ir->arena, (size_t)(count_instrs(ir) + AGX_TRAPS) * AGX_INST_MAX_B);
   *exec_B = encode_all(ir, code);
   if (ir->error)
      return NULL;
   encode_jumps(ir, code);
   *code_B = *exec_B;
   const struct agx_instr *trap = agx_trap(&b);
   for (unsigned i = 0; i < AGX_TRAPS && !agx_continues(ir); i++)
      *code_B += agx_encode_known(trap, code + *code_B);
   return code;
}
