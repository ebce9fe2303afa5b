/* After register allocation: copies, vectors and spills become moves and memory instructions; marks and phis go. */
#include "amd/compiler/aco_ir.h"

#include <string.h>

#define MAX_MOVES 512

struct move {
   uint16_t dst;
   struct aco_operand src; /* FIXED register or CONST */
};

struct lower {
   struct aco_program *program;
   struct aco_block out; /* the instructions of the block so far */
   struct move moves[MAX_MOVES];
   unsigned num_moves;
   uint16_t readers[512]; /* pending moves that read a register */
   uint32_t outer_temp;   /* where helpers are left out: the EXEC around, 0 elsewhere, and its register */
   uint16_t outer_reg;
};

static struct aco_instr *
emit(struct lower *l, unsigned op, uint16_t dst, aco_rc rc, unsigned num_ops)
{
   struct aco_instr *instr = aco_instr_create(l->program, op, 1, num_ops);
   instr->defs[0] = (struct aco_def){.reg = dst, .rc = rc, .fixed = true};
   aco_block_append(l->program, &l->out, instr);
   return instr;
}

/* A move; two neighbouring scalar ones become one of 64 bits. */
static void
emit_move(struct lower *l, uint16_t dst, struct aco_operand src)
{
   l->program->out->stats.copies++;
   if (amd_is_vgpr(dst)) {
      emit(l, AMD_OP_v_mov_b32, dst, ACO_V1, 1)->ops[0] = src;
      return;
   }
   struct aco_instr *last = l->out.count ? l->out.instrs[l->out.count - 1] : NULL;
   if (last && last->op == AMD_OP_s_mov_b32 && dst % 2 == 1 && last->defs[0].reg == dst - 1 &&
       last->ops[0].kind == ACO_OP_FIXED && src.kind == ACO_OP_FIXED && src.reg % 2 == 1 &&
       last->ops[0].reg == src.reg - 1 && src.reg < AMD_M0 && dst < AMD_M0) {
      last->op = AMD_OP_s_mov_b64;
      last->defs[0].rc = ACO_S2;
      last->ops[0].rc = ACO_S2;
      return;
   }
   emit(l, AMD_OP_s_mov_b32, dst, ACO_S1, 1)->ops[0] = src;
}

static void
add_move(struct lower *l, uint16_t dst, struct aco_operand src)
{
   if (src.kind == ACO_OP_UNDEF || (src.kind == ACO_OP_FIXED && src.reg == dst))
      return;
   assert(l->num_moves < MAX_MOVES);
   l->moves[l->num_moves++] = (struct move){dst, src};
   if (src.kind == ACO_OP_FIXED)
      l->readers[src.reg & 511]++;
}

static void
finish_move(struct lower *l, unsigned at)
{
   if (l->moves[at].src.kind == ACO_OP_FIXED)
      l->readers[l->moves[at].src.reg & 511]--;
   l->num_moves--;
   memmove(&l->moves[at], &l->moves[at + 1], (l->num_moves - at) * sizeof(struct move));
}

static void
redirect(struct lower *l, uint16_t from, uint16_t to)
{
   for (unsigned i = 0; i < l->num_moves; i++) {
      struct aco_operand *src = &l->moves[i].src;
      if (src->kind == ACO_OP_FIXED && src->reg == from) {
         src->reg = to;
         l->readers[from & 511]--;
         l->readers[to & 511]++;
      }
   }
}

/* All pending moves at once: first those whose place nobody reads any more; what is left are cycles. */
static void
flush_moves(struct lower *l)
{
   while (l->num_moves) {
      bool progress = false;
      for (unsigned i = 0; i < l->num_moves;) {
         if (l->readers[l->moves[i].dst & 511]) {
            i++;
            continue;
         }
         emit_move(l, l->moves[i].dst, l->moves[i].src);
         finish_move(l, i);
         progress = true;
      }
      if (progress || !l->num_moves)
         continue;
      struct move m = l->moves[0];
      finish_move(l, 0);
      if (amd_is_vgpr(m.dst)) {
         struct aco_instr *swap = aco_instr_create(l->program, AMD_OP_v_swap_b32, 1, 1);
         swap->defs[0] = (struct aco_def){.reg = m.dst, .rc = ACO_V1, .fixed = true};
         swap->ops[0] = m.src;
         aco_block_append(l->program, &l->out, swap);
         l->program->out->stats.copies++;
         redirect(l, m.dst, m.src.reg);
      } else {
         emit_move(l, l->program->scratch_sgpr, aco_op_fixed(m.dst));
         redirect(l, m.dst, l->program->scratch_sgpr);
         emit_move(l, m.dst, m.src);
      }
      for (unsigned i = 0; i < l->num_moves;) {
         if (l->moves[i].src.kind == ACO_OP_FIXED && l->moves[i].src.reg == l->moves[i].dst)
            finish_move(l, i);
         else
            i++;
      }
   }
}

static struct aco_operand
dword(const struct aco_operand *op, unsigned i)
{
   if (op->kind == ACO_OP_TEMP || op->kind == ACO_OP_FIXED)
      return aco_op_fixed((uint16_t)(op->reg + i));
   if (op->kind == ACO_OP_CONST && i)
      return aco_op_const((int32_t)op->value < 0 ? UINT32_MAX : 0);
   return *op;
}

static void
mov_mask(struct lower *l, uint16_t dst, uint16_t src)
{
   struct aco_instr *mov =
      emit(l, l->program->wave_size == 32 ? AMD_OP_s_mov_b32 : AMD_OP_s_mov_b64, dst, l->program->lm, 1);
   mov->ops[0] = aco_op_fixed(src);
   mov->ops[0].rc = l->program->lm;
}

static void
add_copies(struct lower *l, const struct aco_instr *instr, bool vector)
{
   for (unsigned i = 0; i < instr->num_defs; i++) {
      for (unsigned k = 0; k < aco_rc_size_dw(instr->defs[i].rc); k++) {
         if (aco_rc_is_v(instr->defs[i].rc) == vector)
            add_move(l, (uint16_t)(instr->defs[i].reg + k), dword(&instr->ops[i], k));
      }
   }
}

/* The allocator moves values of helpers too. */
static void
lower_copies_of_all(struct lower *l, const struct aco_instr *instr)
{
   add_copies(l, instr, true);
   if (l->num_moves) {
      mov_mask(l, l->program->scratch_sgpr, AMD_EXEC_LO);
      mov_mask(l, AMD_EXEC_LO, l->outer_reg);
      flush_moves(l);
      mov_mask(l, AMD_EXEC_LO, l->program->scratch_sgpr);
   }
   add_copies(l, instr, false);
   flush_moves(l);
   for (unsigned i = 0; i < instr->num_defs; i++) {
      if (instr->ops[i].kind == ACO_OP_TEMP && instr->ops[i].value == l->outer_temp)
         l->outer_reg = instr->defs[i].reg;
   }
}

static void
follow_exec(struct lower *l, const struct aco_instr *instr)
{
   if (instr->drops_helpers) {
      l->outer_temp = instr->defs[0].temp;
      l->outer_reg = instr->defs[0].reg;
   } else if (instr->num_defs && instr->defs[0].fixed && instr->defs[0].reg == AMD_EXEC_LO) {
      l->outer_temp = 0;
   }
}

static void
lower_vector(struct lower *l, const struct aco_instr *instr)
{
   unsigned offset = 0;
   switch (instr->op) {
   case ACO_P_PARALLELCOPY:
      if (l->outer_temp) {
         lower_copies_of_all(l, instr);
         return;
      }
      add_copies(l, instr, true);
      add_copies(l, instr, false);
      break;
   case ACO_P_CREATE_VECTOR:
      for (unsigned i = 0; i < instr->num_ops; i++) {
         unsigned size = instr->ops[i].kind == ACO_OP_TEMP ? aco_rc_size_dw(instr->ops[i].rc) : 1;
         for (unsigned k = 0; k < size; k++)
            add_move(l, (uint16_t)(instr->defs[0].reg + offset++), dword(&instr->ops[i], k));
      }
      break;
   case ACO_P_SPLIT_VECTOR:
      for (unsigned i = 0; i < instr->num_defs; i++) {
         for (unsigned k = 0; k < aco_rc_size_dw(instr->defs[i].rc); k++, offset++) {
            if (instr->defs[i].temp)
               add_move(l, (uint16_t)(instr->defs[i].reg + k), dword(&instr->ops[0], offset));
         }
      }
      break;
   }
   flush_moves(l);
}

/* ---- spills ---- */

/* Lane of a reserved VGPR for a scalar slot. They stand after all allocated VGPRs. */
static void
lower_scalar_spill(struct lower *l, const struct aco_instr *instr)
{
   bool reload = instr->op == ACO_P_RELOAD_S;
   unsigned size = aco_rc_size_dw(reload ? instr->defs[0].rc : instr->ops[0].rc), wave = l->program->wave_size;
   for (unsigned i = 0; i < size; i++) {
      unsigned slot = (unsigned)instr->offset + i;
      uint16_t vgpr = amd_vgpr(l->program->spill_first_vgpr + slot / wave);
      if (reload) {
         struct aco_instr *read = emit(l, AMD_OP_v_readlane_b32, (uint16_t)(instr->defs[0].reg + i), ACO_S1, 2);
         read->ops[0] = aco_op_fixed(vgpr);
         read->ops[1] = aco_op_const(slot % wave);
      } else {
         struct aco_instr *write = emit(l, AMD_OP_v_writelane_b32, vgpr, ACO_V1, 2);
         write->ops[0] = dword(&instr->ops[0], i);
         write->ops[1] = aco_op_const(slot % wave);
      }
   }
}

/* By instructions of scratch: all at once, at most four dwords. */
static void
lower_private_spill(struct lower *l, const struct aco_instr *instr)
{
   static const uint16_t ops[2][4] = {{AMD_OP_scratch_store_dword, AMD_OP_scratch_store_dwordx2,
                                       AMD_OP_scratch_store_dwordx3, AMD_OP_scratch_store_dwordx4},
                                      {AMD_OP_scratch_load_dword, AMD_OP_scratch_load_dwordx2,
                                       AMD_OP_scratch_load_dwordx3, AMD_OP_scratch_load_dwordx4}};
   bool reload = instr->op == ACO_P_RELOAD_V;
   unsigned size = aco_rc_size_dw(reload ? instr->defs[0].rc : instr->ops[0].rc);
   for (unsigned i = 0; i < size; i += 4) {
      unsigned n = MIN2(size - i, 4);
      struct aco_instr *access = aco_instr_create(l->program, ops[reload][n - 1], reload, 3);
      access->ops[2] = dword(&instr->ops[reload ? 1 : 2], 0);
      access->offset = instr->offset + 4 * (int)i;
      if (reload) {
         access->defs[0] =
            (struct aco_def){.reg = (uint16_t)(instr->defs[0].reg + i), .rc = aco_rc_v(n), .fixed = true};
      } else {
         access->ops[1] = aco_op_fixed((uint16_t)(instr->ops[0].reg + i));
         access->ops[1].rc = aco_rc_v(n);
      }
      aco_block_append(l->program, &l->out, access);
   }
}

/* One dword after the other: the elements of the swizzled buffer have four bytes. */
static void
lower_vector_spill(struct lower *l, const struct aco_instr *instr)
{
   bool reload = instr->op == ACO_P_RELOAD_V;
   if (l->program->target->scratch_instrs) {
      lower_private_spill(l, instr);
      return;
   }
   unsigned size = aco_rc_size_dw(reload ? instr->defs[0].rc : instr->ops[0].rc);
   for (unsigned i = 0; i < size; i++) {
      struct aco_instr *access =
         aco_instr_create(l->program, reload ? AMD_OP_buffer_load_dword : AMD_OP_buffer_store_dword, reload, 4);
      access->ops[1] = dword(&instr->ops[reload ? 0 : 1], 0);
      access->ops[2] = dword(&instr->ops[reload ? 1 : 2], 0);
      access->offset = instr->offset + 4 * (int)i;
      if (reload)
         access->defs[0] = (struct aco_def){.reg = (uint16_t)(instr->defs[0].reg + i), .rc = ACO_V1, .fixed = true};
      else
         access->ops[3] = dword(&instr->ops[0], i);
      aco_block_append(l->program, &l->out, access);
   }
}

/* s_getpc_b64 gives the address of what follows it; a V# has strides where an address has its sign. */
static void
lower_data_address(struct lower *l, const struct aco_instr *instr)
{
   const uint16_t lo = instr->defs[0].reg, hi = (uint16_t)(lo + 1);
   emit(l, AMD_OP_s_getpc_b64, lo, ACO_S2, 0);
   for (unsigned i = 0; i < 3; i++) {
      static const uint16_t ops[] = {AMD_OP_s_add_u32, AMD_OP_s_addc_u32, AMD_OP_s_and_b32};
      struct aco_instr *made = emit(l, ops[i], i ? hi : lo, ACO_S1, 2);
      made->ops[0] = aco_op_fixed(i ? hi : lo);
      made->ops[0].rc = ACO_S1;
      made->ops[1] = aco_op_const((const uint32_t[]){ACO_TO_DATA, 0, 0xffff}[i]);
      made->to_data = made->uses_scc = i == 0;
   }
}

static void
lower_block(struct lower *l, struct aco_block *block)
{
   l->outer_temp = 0;
   for (unsigned i = 0; i < block->count; i++) {
      struct aco_instr *instr = block->instrs[i];
      follow_exec(l, instr);
      switch (instr->op) {
      case ACO_P_STARTPGM:
      case ACO_P_PHI:
      case ACO_P_LINEAR_PHI:
      case ACO_P_LOGICAL_END:
         break;
      case ACO_P_SPILL_S:
      case ACO_P_RELOAD_S:
         lower_scalar_spill(l, instr);
         break;
      case ACO_P_SPILL_V:
      case ACO_P_RELOAD_V:
         lower_vector_spill(l, instr);
         break;
      case ACO_P_DATA_ADDRESS:
         lower_data_address(l, instr);
         break;
      case ACO_P_PARALLELCOPY:
      case ACO_P_CREATE_VECTOR:
      case ACO_P_SPLIT_VECTOR:
         lower_vector(l, instr);
         break;
      default: /* others: stay, but for plain moves to where the value is already */
         if ((instr->op == AMD_OP_v_mov_b32 || instr->op == AMD_OP_s_mov_b32 || instr->op == AMD_OP_s_mov_b64) &&
             !instr->dpp && instr->ops[0].kind == ACO_OP_TEMP && instr->ops[0].reg == instr->defs[0].reg)
            break;
         aco_block_append(l->program, &l->out, instr);
         break;
      }
   }
   aco_block_take(block, &l->out);
}

void
aco_lower_copies(struct aco_program *program)
{
   struct lower *l = arena_new(program->arena, struct lower);
   l->program = program;
   program->spill_first_vgpr = program->used_vgprs;
   program->used_vgprs += (unsigned)div_round_up(program->spill_s_slots, program->wave_size);
   if (program->used_vgprs > 256) {
      aco_fail(program, "no registers left for spilled scalars");
      return;
   }
   for (unsigned b = 0; b < program->num_blocks; b++)
      lower_block(l, program->blocks[b]);
}
