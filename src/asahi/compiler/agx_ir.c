/* Construction of the machine IR. */
#include "asahi/compiler/agx_builder.h"

#include <string.h>

struct agx_ir *
agx_ir_create(struct arena *arena, const struct agx_options *options)
{
   struct agx_ir *ir = arena_new(arena, struct agx_ir);
   ir->arena = arena;
   ir->options = options;
   ir->num_values = 1;
   ir->values_capacity = 256;
   ir->values = arena_array(arena, struct agx_value, ir->values_capacity);
   ir->blocks_capacity = 16;
   ir->blocks = arena_array(arena, struct agx_block *, ir->blocks_capacity);
   ir->next_uniform_h = options->uniforms_h;
   ir->registers_max_h = options->registers_max_h ? MIN2(options->registers_max_h, AGX_REGISTERS) : AGX_REGISTERS;
   return ir;
}

struct agx_block *
agx_ir_block(struct agx_ir *ir)
{
   ir->blocks = arena_room(ir->arena, ir->blocks, sizeof(*ir->blocks), ir->num_blocks, &ir->blocks_capacity);
   struct agx_block *block = arena_new(ir->arena, struct agx_block);
   block->index = ir->num_blocks;
   ir->blocks[ir->num_blocks++] = block;
   return block;
}

static void
add_edge(struct agx_ir *ir, struct agx_edges *edges, struct agx_block *block)
{
   edges->at = arena_room(ir->arena, edges->at, sizeof(*edges->at), edges->count, &edges->capacity);
   edges->at[edges->count++] = block;
}

void
agx_ir_link(struct agx_ir *ir, struct agx_block *from, struct agx_block *to)
{
   add_edge(ir, &from->succs, to);
   add_edge(ir, &to->preds, from);
}

static void
link_physical(struct agx_ir *ir, struct agx_block *from, struct agx_block *to)
{
   add_edge(ir, &from->physical_succs, to);
   add_edge(ir, &to->physical_preds, from);
}

void
agx_ir_link_physical(struct agx_ir *ir)
{
   struct agx_block **bodies = arena_array(ir->arena, struct agx_block *, ir->num_blocks + 1);
   unsigned depth = 0;
   for (unsigned i = 0; i < ir->num_blocks; i++)
      ir->blocks[i]->physical_preds.count = ir->blocks[i]->physical_succs.count = 0;
   for (unsigned i = 0; i < ir->num_blocks; i++) {
      struct agx_block *block = ir->blocks[i];
      if (i + 1 < ir->num_blocks)
         link_physical(ir, block, ir->blocks[i + 1]);
      for (unsigned k = 0; k < block->count; k++) {
         const struct agx_instr *instr = block->instrs[k];
         if (instr->op == AGX_P_LOOP && i + 1 < ir->num_blocks)
            bodies[depth++] = ir->blocks[i + 1];
         else if (instr->op == AGX_P_NEXT && depth)
            link_physical(ir, block, bodies[--depth]);
         else if (agx_jumps(instr))
            link_physical(ir, block, ir->blocks[instr->mod.target]);
      }
   }
}

struct agx_ref
agx_ir_value(struct agx_ir *ir, unsigned size, unsigned count)
{
   ir->values = arena_room(ir->arena, ir->values, sizeof(*ir->values), ir->num_values, &ir->values_capacity);
   ir->values[ir->num_values] = (struct agx_value){.size = (uint8_t)size, .count = (uint8_t)count};
   return agx_ssa(ir, ir->num_values++);
}

struct agx_instr *
agx_ir_instr(struct agx_ir *ir, unsigned op, unsigned num_dsts, unsigned num_srcs)
{
   struct agx_instr *instr = arena_alloc(ir->arena, sizeof(*instr) + (num_dsts + num_srcs) * sizeof(struct agx_ref));
   instr->op = (uint16_t)op;
   instr->num_dsts = (uint16_t)num_dsts;
   instr->num_srcs = (uint16_t)num_srcs;
   instr->dsts = (struct agx_ref *)(instr + 1);
   instr->srcs = instr->dsts + num_dsts;
   return instr;
}

void
agx_ir_append(struct agx_ir *ir, struct agx_block *block, struct agx_instr *instr)
{
   block->instrs = arena_room(ir->arena, block->instrs, sizeof(*block->instrs), block->count, &block->capacity);
   block->instrs[block->count++] = instr;
}

void
agx_ir_insert(struct agx_ir *ir, struct agx_block *block, unsigned at, struct agx_instr *instr)
{
   agx_ir_append(ir, block, instr);
   memmove(&block->instrs[at + 1], &block->instrs[at], (block->count - 1 - at) * sizeof(*block->instrs));
   block->instrs[at] = instr;
}

void
agx_ir_take(struct agx_block *block, struct agx_block *made)
{
   block->instrs = made->instrs;
   block->count = made->count;
   block->capacity = made->capacity;
   *made = (struct agx_block){0};
}

bool
agx_ends_block(const struct agx_instr *instr)
{
   return instr->op == AGX_OP_IF_ICMP || instr->op == AGX_OP_IF_FCMP || instr->op == AGX_P_LOOP ||
          instr->op == AGX_P_BREAK || instr->op == AGX_P_CONTINUE || instr->op == AGX_P_NEXT;
}

unsigned
agx_ir_end(const struct agx_block *block)
{
   return block->count && agx_ends_block(block->instrs[block->count - 1]) ? block->count - 1 : block->count;
}

unsigned
agx_ir_begin(const struct agx_block *block)
{
   unsigned i = 0;
   while (i < block->count && (agx_is_marker(block->instrs[i]) || block->instrs[i]->op == AGX_P_PHI))
      i++;
   return i;
}

int
agx_ir_take_uniforms(struct agx_ir *ir, unsigned halves)
{
   const unsigned limit = ir->options->uniforms_max_h ? ir->options->uniforms_max_h : AGX_UNIFORMS;
   const unsigned first = (unsigned)align_up(ir->next_uniform_h, halves > 2 ? 4 : halves);
   if (first + halves > limit)
      return -1;
   ir->next_uniform_h = first + halves;
   return (int)first;
}

void
agx_ir_constant(struct agx_ir *ir, unsigned uniform, uint32_t value)
{
   ir->constants =
      arena_room(ir->arena, ir->constants, sizeof(*ir->constants), ir->num_constants, &ir->constants_capacity);
   ir->constants[ir->num_constants++] = (struct agx_constant){.uniform = (uint16_t)uniform, .value = value};
}

void
agx_ir_fail(struct agx_ir *ir, const char *format, ...)
{
   if (ir->error)
      return;
   char text[512];
   va_list args;
   va_start(args, format);
   vsnprintf(text, sizeof(text), format, args);
   va_end(args);
   ir->error = arena_strdup(ir->arena, text);
}

struct agx_ref
agx_build_imm(struct agx_builder *b, unsigned size, uint64_t value)
{
   if (size == 64) {
      const struct agx_ref parts[] = {agx_build_imm(b, 32, (uint32_t)value), agx_build_imm(b, 32, value >> 32)};
      return agx_build_collect(b, 64, 1, parts, 2);
   }
   const struct agx_ref dst = size == 16 ? agx_ldimm16(b, 16) : agx_ldimm32(b, 32);
   b->last->mod.imm = (uint32_t)value & (uint32_t)bit_mask(size);
   return dst;
}

struct agx_ref
agx_build_collect(struct agx_builder *b, unsigned size, unsigned count, const struct agx_ref *parts,
                  unsigned num_parts)
{
   unsigned left = size / 16 * count;
   for (unsigned i = 0; i < num_parts; i++)
      left -= agx_halves(&parts[i]);
   struct agx_instr *instr = agx_build_pseudo(b, AGX_P_COLLECT, 1, num_parts + left);
   instr->dsts[0] = agx_ir_value(b->ir, size, count);
   for (unsigned i = 0; i < num_parts; i++)
      instr->srcs[i] = parts[i];
   for (unsigned i = 0; i < left; i++)
      instr->srcs[num_parts + i] = agx_undef(16, 1);
   return instr->dsts[0];
}

void
agx_build_split(struct agx_builder *b, struct agx_ref vector, unsigned size, struct agx_ref *parts, unsigned count)
{
   struct agx_instr *instr = agx_build_pseudo(b, AGX_P_SPLIT, count, 1);
   instr->srcs[0] = vector;
   for (unsigned i = 0; i < count; i++)
      parts[i] = instr->dsts[i] = agx_ir_value(b->ir, size, 1);
}

struct agx_ref
agx_build_preload(struct agx_builder *b, unsigned half, unsigned size, unsigned count)
{
   struct agx_instr *instr = agx_build_pseudo(b, AGX_P_PRELOAD, 1, 1);
   instr->srcs[0] = agx_reg(half, size, count);
   return instr->dsts[0] = agx_ir_value(b->ir, size, count);
}
