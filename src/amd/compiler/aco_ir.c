/* Construction of the machine IR. */
#include "amd/compiler/aco_ir.h"

#include <string.h>

struct aco_program *
aco_program_create(struct arena *arena)
{
   struct aco_program *program = arena_new(arena, struct aco_program);
   program->arena = arena;
   program->temps_capacity = 1024;
   program->temp_rc = arena_array(arena, aco_rc, program->temps_capacity);
   program->num_temps = 1;
   program->blocks_capacity = 32;
   program->blocks = arena_array(arena, struct aco_block *, program->blocks_capacity);
   return program;
}

struct aco_block *
aco_block_create(struct aco_program *program)
{
   program->blocks = arena_room(program->arena, program->blocks, sizeof(*program->blocks), program->num_blocks,
                                &program->blocks_capacity);
   struct aco_block *block = arena_new(program->arena, struct aco_block);
   block->index = program->num_blocks;
   program->blocks[program->num_blocks++] = block;
   return block;
}

void
aco_edges_add(struct aco_program *program, struct aco_edges *edges, struct aco_block *block)
{
   edges->at = arena_room(program->arena, edges->at, sizeof(*edges->at), edges->count, &edges->capacity);
   edges->at[edges->count++] = block;
}

void
aco_link_linear(struct aco_program *program, struct aco_block *from, struct aco_block *to)
{
   aco_edges_add(program, &from->linear_succs, to);
   aco_edges_add(program, &to->linear_preds, from);
}

void
aco_link_logical(struct aco_program *program, struct aco_block *from, struct aco_block *to)
{
   aco_edges_add(program, &from->logical_succs, to);
   aco_edges_add(program, &to->logical_preds, from);
}

uint32_t
aco_temp(struct aco_program *program, aco_rc rc)
{
   program->temp_rc = arena_room(program->arena, program->temp_rc, sizeof(*program->temp_rc), program->num_temps,
                                 &program->temps_capacity);
   program->temp_rc[program->num_temps] = rc;
   return program->num_temps++;
}

struct aco_instr *
aco_instr_create(struct aco_program *program, unsigned op, unsigned num_defs, unsigned num_ops)
{
   struct aco_instr *instr = arena_alloc(program->arena, sizeof(*instr) + num_ops * sizeof(struct aco_operand) +
                                                            num_defs * sizeof(struct aco_def));
   instr->op = (uint16_t)op;
   instr->num_defs = (uint16_t)num_defs;
   instr->num_ops = (uint16_t)num_ops;
   instr->ops = (struct aco_operand *)(instr + 1);
   instr->defs = (struct aco_def *)(instr->ops + num_ops);
   instr->row_mask = instr->bank_mask = 0xf;
   return instr;
}

void
aco_block_append(struct aco_program *program, struct aco_block *block, struct aco_instr *instr)
{
   block->instrs = arena_room(program->arena, block->instrs, sizeof(*block->instrs), block->count, &block->capacity);
   block->instrs[block->count++] = instr;
}

void
aco_block_take(struct aco_block *block, struct aco_block *made)
{
   block->instrs = made->instrs;
   block->count = made->count;
   block->capacity = made->capacity;
   *made = (struct aco_block){0};
}

void
aco_block_insert(struct aco_program *program, struct aco_block *block, unsigned at, struct aco_instr *instr)
{
   aco_block_append(program, block, instr);
   memmove(&block->instrs[at + 1], &block->instrs[at], (block->count - 1 - at) * sizeof(*block->instrs));
   block->instrs[at] = instr;
}

unsigned
aco_logical_end(const struct aco_block *block)
{
   for (unsigned i = block->count; i-- > 0;) {
      if (block->instrs[i]->op == ACO_P_LOGICAL_END)
         return i;
   }
   return block->count;
}

void
aco_fail(struct aco_program *program, const char *format, ...)
{
   if (program->error)
      return;
   char text[512];
   va_list args;
   va_start(args, format);
   vsnprintf(text, sizeof(text), format, args);
   va_end(args);
   program->error = arena_strdup(program->arena, text);
}

uint16_t
aco_const_operand(uint32_t value, enum amd_type type)
{
   bool is_16 = type == AMD_TYPE_B16 || type == AMD_TYPE_F16 || type == AMD_TYPE_I16 || type == AMD_TYPE_U16;
   int32_t number = is_16 ? (int16_t)value : (int32_t)value;
   if (number >= -16 && number <= 64)
      return amd_inline_int(number);
   if (type == AMD_TYPE_F16) {
      for (unsigned i = 0; i < AMD_INLINE_FLOATS; i++) {
         if (amd_isa_inline_floats[i].f16 == (value & 0xffff))
            return (uint16_t)(AMD_FLOAT_0_5 + i);
      }
   } else if (type == AMD_TYPE_F32 || type == AMD_TYPE_B32 || type == AMD_TYPE_I32 || type == AMD_TYPE_U32) {
      for (unsigned i = 0; i < AMD_INLINE_FLOATS; i++) {
         if (amd_isa_inline_floats[i].f32 == value)
            return (uint16_t)(AMD_FLOAT_0_5 + i);
      }
   }
   return AMD_LITERAL;
}

bool
aco_takes_literal(const struct aco_program *program, unsigned op, unsigned place, const struct aco_operand *ops,
                  unsigned count)
{
   const struct amd_op_info *info = aco_info(program, op);
   if (program->target->vop3_literals || info->src[place].cls == AMD_CLASS_LITERAL)
      return true;
   /* VCC in short forms, wherever they are allocated */
   bool masks = info->dst.cls == AMD_CLASS_MASK || info->sdst.cls == AMD_CLASS_MASK;
   for (unsigned i = 0; i < count; i++)
      masks |= info->src[i].cls == AMD_CLASS_MASK;
   if (!(info->encs & (1u << AMD_ENC_VOP1 | 1u << AMD_ENC_VOP2)) || masks)
      return false;
   return place ? info->flags & AMD_FLAG_COMMUTES && aco_is_v(&ops[0]) : count < 2 || aco_is_v(&ops[1]);
}

bool
aco_is_removable(const struct aco_program *program, const struct aco_instr *instr)
{
   if (instr->side_effects || instr->uses_scc)
      return false;
   if (aco_is_pseudo(instr))
      return instr->op != ACO_P_STARTPGM && instr->op != ACO_P_LOGICAL_END && instr->op != ACO_P_SPILL_S &&
             instr->op != ACO_P_SPILL_V;
   uint32_t flags = aco_flags(program, instr);
   if (flags &
       (AMD_FLAG_STORE | AMD_FLAG_ATOMIC | AMD_FLAG_EXPCNT | AMD_FLAG_BARRIER | AMD_FLAG_BRANCH | AMD_FLAG_END))
      return false;
   for (unsigned i = 0; i < instr->num_defs; i++) {
      if (instr->defs[i].fixed)
         return false;
   }
   return true;
}
