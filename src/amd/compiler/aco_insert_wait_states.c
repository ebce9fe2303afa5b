/* Wait states of GFX9 (docs/errata.md, "Wait states of GFX9"; sources there): so many instructions must lie between
 * two that touch the same register, or s_nop.
 *  valu-sgpr-vmem    VALU writes an SGPR, vector memory reads it: 5, unless a scalar instruction wrote it since
 *  valu-lane-select  VALU writes an SGPR, v_readlane or v_writelane selects a lane by it: 4
 *  valu-dpp-vgpr     VALU writes a VGPR, VALU reads it by DPP: 2
 *  salu-m0           SALU writes M0, what reads it implicitly follows: 1
 *  vmem-store-data   a store of more than 64 bits, VALU or interpolation overwrites its data: 1
 * The others of the table need what aco does not emit there: writes of EXEC by VALU, s_setreg again (there is one in
 * each wait for waves), v_div_fmas, src_vccz.
 * What may be so at a block's start is what may be so at the end of any block before it. */
#include <string.h>

#include "amd/compiler/aco_ir.h"

#define NUM_REGS 512
#define LONGEST 5 /* later than that, nothing matters */

/* When something happened to a register last, in instructions; 0: long ago. */
struct times {
   uint32_t by_vector[NUM_REGS]; /* written by VALU */
   uint32_t stored[NUM_REGS];    /* VGPRs: data of a large store */
   uint32_t m0_by_scalar;
};

struct wait_states {
   struct aco_program *program;
   uint32_t now;
   struct times times;
   struct times *at_end;  /* by block: as if `now` were LONGEST */
   struct aco_block *out; /* NULL while the times are collected */
};

static unsigned
missing(const struct wait_states *w, uint32_t at, unsigned needed)
{
   return at && w->now - at < needed ? needed - (w->now - at) : 0;
}

static unsigned
missing_of(const struct wait_states *w, const uint32_t *times, unsigned reg, unsigned size_dw, unsigned needed)
{
   unsigned most = 0;
   for (unsigned i = reg; i < reg + size_dw && i < NUM_REGS; i++)
      most = MAX2(most, missing(w, times[i], needed));
   return most;
}

static unsigned
size_dw(aco_rc rc)
{
   return MAX2(aco_rc_size_dw(rc), 1);
}

/* Of VALU's registers, interpolation writes one like any other. */
static bool
is_vector(uint32_t encs)
{
   return encs & (ACO_ENC_VALU | 1u << AMD_ENC_VINTRP);
}

static bool
has_register(const struct aco_operand *op)
{
   return op->kind == ACO_OP_TEMP || op->kind == ACO_OP_FIXED;
}

static unsigned
missing_before(const struct wait_states *w, const struct aco_instr *instr)
{
   const uint32_t encs = aco_encs(w->program, instr);
   unsigned most = 0;
   for (unsigned i = 0; i < instr->num_ops; i++) {
      const struct aco_operand *op = &instr->ops[i];
      unsigned needed = 0;
      if (!has_register(op))
         continue;
      if (encs & ACO_ENC_VMEM && op->reg < AMD_VGPR0)
         needed = 5;
      else if ((instr->op == AMD_OP_v_readlane_b32 || instr->op == AMD_OP_v_writelane_b32) && i == 1)
         needed = 4;
      else if (instr->dpp && !i)
         needed = 2;
      if (needed)
         most = MAX2(most, missing_of(w, w->times.by_vector, op->reg, size_dw(op->rc), needed));
   }
   if (aco_flags(w->program, instr) & AMD_FLAG_READS_M0)
      most = MAX2(most, missing(w, w->times.m0_by_scalar, 1));
   for (unsigned i = 0; i < instr->num_defs && is_vector(encs); i++)
      most = MAX2(most, missing_of(w, w->times.stored, instr->defs[i].reg, size_dw(instr->defs[i].rc), 1));
   if (instr->op == AMD_OP_v_swap_b32) /* writes its operand too */
      most = MAX2(most, missing_of(w, w->times.stored, instr->ops[0].reg, 1, 1));
   return most;
}

static void
note_registers(uint32_t *times, unsigned reg, unsigned size, uint32_t at)
{
   for (unsigned i = reg; i < reg + size && i < NUM_REGS; i++)
      times[i] = at;
}

static void
note(struct wait_states *w, const struct aco_instr *instr)
{
   const uint32_t encs = aco_encs(w->program, instr), flags = aco_flags(w->program, instr);
   const bool vector = is_vector(encs);
   const bool scalar = encs & (ACO_ENC_SALU | 1u << AMD_ENC_SMEM);
   w->now++;
   for (unsigned i = 0; i < instr->num_defs && (vector || scalar); i++) {
      const struct aco_def *def = &instr->defs[i];
      note_registers(w->times.by_vector, def->reg, size_dw(def->rc), vector ? w->now : 0);
      if (scalar && def->reg == AMD_M0)
         w->times.m0_by_scalar = w->now;
   }
   if (instr->op == AMD_OP_v_swap_b32)
      w->times.by_vector[instr->ops[0].reg] = w->now;
   for (unsigned i = 0; i < instr->num_ops && encs & ACO_ENC_VMEM && flags & AMD_FLAG_STORE; i++) {
      const struct aco_operand *op = &instr->ops[i];
      if (has_register(op) && aco_rc_is_v(op->rc) && size_dw(op->rc) > 2)
         note_registers(w->times.stored, op->reg, size_dw(op->rc), w->now);
   }
}

/* ---- blocks ---- */

/* What happened `at`, as if it were LONGEST now. */
static uint32_t
rebased(const struct wait_states *w, uint32_t at)
{
   return at && w->now - at < LONGEST ? LONGEST - (w->now - at) : 0;
}

/* True if *into became later. */
static bool
merge(uint32_t *into, uint32_t from)
{
   const bool later = from > *into;
   *into = MAX2(*into, from);
   return later;
}

static void
begin(struct wait_states *w, const struct aco_block *block)
{
   memset(&w->times, 0, sizeof(w->times));
   w->now = LONGEST;
   for (unsigned p = 0; p < block->linear_preds.count; p++) {
      const struct times *from = &w->at_end[block->linear_preds.at[p]->index];
      for (unsigned i = 0; i < NUM_REGS; i++) {
         merge(&w->times.by_vector[i], from->by_vector[i]);
         merge(&w->times.stored[i], from->stored[i]);
      }
      merge(&w->times.m0_by_scalar, from->m0_by_scalar);
   }
}

static bool
end(struct wait_states *w, const struct aco_block *block)
{
   struct times *to = &w->at_end[block->index];
   bool changed = merge(&to->m0_by_scalar, rebased(w, w->times.m0_by_scalar));
   for (unsigned i = 0; i < NUM_REGS; i++) {
      changed |= merge(&to->by_vector[i], rebased(w, w->times.by_vector[i]));
      changed |= merge(&to->stored[i], rebased(w, w->times.stored[i]));
   }
   return changed;
}

/* True if what comes after must be visited again. */
static bool
visit_block(struct wait_states *w, const struct aco_block *block)
{
   begin(w, block);
   for (unsigned i = 0; i < block->count; i++) {
      struct aco_instr *instr = block->instrs[i];
      const unsigned states = missing_before(w, instr);
      if (states && w->out) {
         struct aco_instr *nop = aco_instr_create(w->program, AMD_OP_s_nop, 0, 0);
         nop->simm16 = (uint16_t)(states - 1);
         aco_block_append(w->program, w->out, nop);
      }
      w->now += states;
      note(w, instr);
      if (w->out)
         aco_block_append(w->program, w->out, instr);
   }
   return end(w, block);
}

void
aco_insert_wait_states(struct aco_program *program)
{
   struct wait_states *w = arena_new(program->arena, struct wait_states);
   w->program = program;
   w->at_end = arena_array(program->arena, struct times, program->num_blocks);
   for (bool again = true; again;) {
      again = false;
      for (unsigned b = 0; b < program->num_blocks; b++)
         again |= visit_block(w, program->blocks[b]);
   }
   for (unsigned b = 0; b < program->num_blocks; b++) {
      struct aco_block out = {0};
      w->out = &out;
      visit_block(w, program->blocks[b]);
      aco_block_take(program->blocks[b], &out);
   }
}
