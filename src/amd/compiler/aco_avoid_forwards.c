/* Hazards of GFX11 (docs/errata.md): what lies between register files and pipelines is not always forwarded.
 *  valu-trans-use          VALU reads what a transcendental wrote lately: s_waitcnt_depctr va_vdst(0)
 *  valu-partial-forwarding VALU reads registers written lately on both sides of a scalar write of EXEC: va_vdst(0)
 *  valu-mask-write         an SGPR that was a lane mask of VALU, then written by SALU, is read: sa_sdst(0)
 *  wmma-chain              a matrix product takes what the one right before it has made as A or B: v_nop
 *  lds-direct-vmem         LDSDIR writes a VGPR that memory instructions may still use: vm_vsrc(0)
 * LDSDIR waits for VALU itself (lds-direct-valu): its wait_vdst stays 0. aco emits no v_cmpx (vcmpx-permlane).
 * What may be so at a block's start is what may be so at the end of any block before it; the states only get
 * stricter. */
#include <string.h>

#include "amd/compiler/aco_ir.h"

#define DEPCTR_NONE 0xffff
#define DEPCTR_SA_SDST_0 0xfffe
#define DEPCTR_VM_VSRC_0 0xffe3
#define DEPCTR_VA_VDST_0 0x0fff

#define NUM_SCALARS 128 /* SGPRs, VCC, M0, EXEC */
#define NUM_VGPRS 256

/* Vector instructions after which a write is no longer young. LLVM 19, GCNHazardRecognizer.cpp: of the partial one's
 * distances the longest. */
enum { TRANS_AGE = 6, PARTIAL_AGE = 8 };

struct forwards {
   /* By VGPR, counted down by vector instructions from the ages above: 0 is old. */
   uint8_t trans[NUM_VGPRS], written[NUM_VGPRS];
   uint8_t execs[NUM_VGPRS]; /* scalar writes of EXEC since `written`, a bit for each possible number */
   uint64_t end;             /* from here on, these are 0 */
   uint64_t masks[NUM_SCALARS / 64], masks_written[NUM_SCALARS / 64];
   uint64_t memory[NUM_VGPRS / 64];  /* read or written by memory instructions */
   uint64_t product[NUM_VGPRS / 64]; /* written by the last vector instruction, which was a matrix product */
};

struct avoid {
   struct aco_program *program;
   struct forwards *at_end; /* by block */
   struct aco_block *out;   /* NULL while states are collected */
};

static bool
is_any(const struct aco_program *program, const struct aco_instr *instr, uint32_t encs)
{
   return aco_encs(program, instr) & encs;
}

static void
add_range(uint64_t *set, unsigned reg, unsigned size, unsigned end)
{
   for (unsigned i = reg; i < reg + size && i < end; i++)
      set[i / 64] |= UINT64_C(1) << i % 64;
}

static bool
meets(const uint64_t *a, const uint64_t *b)
{
   return (a[0] & b[0]) | (a[1] & b[1]);
}

/* Registers that an instruction names. */
struct uses {
   uint64_t scalars[NUM_SCALARS / 64], results[NUM_SCALARS / 64], masks[NUM_SCALARS / 64];
   uint64_t vread[NUM_VGPRS / 64], vwritten[NUM_VGPRS / 64];
   bool literal;
};

static void
add_operand(struct uses *u, const struct aco_program *program, const struct aco_instr *instr, unsigned place)
{
   const struct amd_op_info *info = aco_info(program, instr->op);
   const struct aco_operand *op = &instr->ops[place];
   bool in_place = place < ARRAY_SIZE(info->src);
   unsigned size = MAX2(aco_rc_size_dw(op->rc), 1);
   if (op->kind == ACO_OP_CONST && in_place)
      u->literal |= aco_const_operand(op->value, (enum amd_type)info->src[place].type) == AMD_LITERAL;
   if (op->kind != ACO_OP_TEMP && op->kind != ACO_OP_FIXED)
      return;
   if (in_place)
      size = MAX2(size, aco_operand_size_dw(program, &info->src[place]));
   if (amd_is_vgpr(op->reg))
      add_range(u->vread, op->reg - AMD_VGPR0, size, NUM_VGPRS);
   else if (in_place && info->src[place].cls == AMD_CLASS_MASK)
      add_range(u->masks, op->reg, 2, NUM_SCALARS);
   else
      add_range(u->scalars, op->reg, size, NUM_SCALARS);
}

static void
add_uses(const struct aco_program *program, const struct aco_instr *instr, struct uses *u)
{
   const struct amd_op_info *info = aco_info(program, instr->op);
   for (unsigned i = 0; i < instr->num_ops; i++)
      add_operand(u, program, instr, i);
   if (info->flags & AMD_FLAG_READS_VCC)
      add_range(u->masks, AMD_VCC_LO, 2, NUM_SCALARS);
   for (unsigned i = 0; i < instr->num_defs; i++) {
      unsigned reg = instr->defs[i].reg, size = MAX2(aco_rc_size_dw(instr->defs[i].rc), 1);
      if (amd_is_vgpr((uint16_t)reg))
         add_range(u->vwritten, reg - AMD_VGPR0, size, NUM_VGPRS);
      else
         add_range(u->results, reg, size, NUM_SCALARS);
   }
   if (info->flags & AMD_FLAG_WRITES_EXEC)
      add_range(u->results, AMD_EXEC_LO, 2, NUM_SCALARS);
   for (unsigned i = 0; i < NUM_VGPRS / 64 && instr->op == AMD_OP_v_swap_b32; i++)
      u->vread[i] = u->vwritten[i] |= u->vread[i];
   if (instr->dual)
      add_uses(program, instr->dual, u);
}

static struct uses
uses_of(const struct aco_program *program, const struct aco_instr *instr)
{
   struct uses u = {.literal = false};
   add_uses(program, instr, &u);
   return u;
}

static bool
has(const uint64_t *set, unsigned reg)
{
   return set[reg / 64] >> reg % 64 & 1;
}

/* ---- what an instruction runs into ---- */

static bool
reads_young(const struct forwards *f, const struct uses *u, bool wave64)
{
   unsigned execs = 0, young = 0;
   bitset_for_each(v, u->vread, f->end) {
      if (f->trans[v])
         return true;
      if (f->written[v] && wave64) {
         execs |= f->execs[v];
         young++;
      }
   }
   return young > 1 && (execs & (execs - 1) || execs & 0x80);
}

static unsigned
needs(const struct aco_program *program, const struct forwards *f, const struct aco_instr *instr,
      const struct uses *u)
{
   bool vector = is_any(program, instr, ACO_ENC_VALU), scalar = is_any(program, instr, ACO_ENC_SALU);
   unsigned depctr = DEPCTR_NONE;
   if (vector && reads_young(f, u, program->wave_size == 64))
      depctr &= DEPCTR_VA_VDST_0;
   if ((vector || scalar) && (meets(f->masks_written, u->scalars) || meets(f->masks_written, u->masks)))
      depctr &= DEPCTR_SA_SDST_0;
   for (unsigned i = 0; i < NUM_VGPRS / 64 && is_any(program, instr, 1u << AMD_ENC_LDSDIR); i++)
      depctr &= f->memory[i] & u->vwritten[i] ? DEPCTR_VM_VSRC_0 : DEPCTR_NONE;
   return depctr;
}

static bool
is_product(const struct aco_program *program, const struct aco_instr *instr)
{
   return is_any(program, instr, 1u << AMD_ENC_VOP3P) && aco_info(program, instr->op)->dst.type == AMD_TYPE_MATRIX;
}

/* A and B are the first two operands. */
static bool
is_chained(const struct aco_program *program, const struct forwards *f, const struct aco_instr *instr)
{
   uint64_t factors[NUM_VGPRS / 64] = {0}, both = 0;
   for (unsigned i = 0; i < 2 && is_product(program, instr); i++)
      add_range(factors, instr->ops[i].reg - AMD_VGPR0, aco_rc_size_dw(instr->ops[i].rc), NUM_VGPRS);
   for (unsigned i = 0; i < NUM_VGPRS / 64; i++)
      both |= factors[i] & f->product[i];
   return both;
}

/* ---- the state after an instruction ---- */

static void
clear_vectors(struct forwards *f)
{
   memset(f->trans, 0, sizeof(f->trans));
   memset(f->written, 0, sizeof(f->written));
   memset(f->execs, 0, sizeof(f->execs));
   f->end = 0;
}

static void
clear_masks(struct forwards *f)
{
   memset(f->masks, 0, sizeof(f->masks));
   memset(f->masks_written, 0, sizeof(f->masks_written));
}

static void
note_wait(struct forwards *f, unsigned depctr)
{
   if (!(depctr & ~DEPCTR_VA_VDST_0 & 0xffff))
      clear_vectors(f);
   if (!(depctr & ~DEPCTR_SA_SDST_0 & 0xffff))
      clear_masks(f);
   if (!(depctr & ~DEPCTR_VM_VSRC_0 & 0xffff))
      memset(f->memory, 0, sizeof(f->memory));
}

static void
note_vector(struct forwards *f, const struct aco_program *program, const struct aco_instr *instr,
            const struct uses *u)
{
   bool trans = aco_flags(program, instr) & AMD_FLAG_TRANS && program->target->trans_use_hazard;
   const bool product = is_product(program, instr);
   for (unsigned i = 0; i < NUM_VGPRS / 64; i++)
      f->product[i] = product ? u->vwritten[i] : 0;
   for (unsigned v = 0; v < f->end; v++) {
      f->trans[v] -= f->trans[v] != 0;
      f->written[v] -= f->written[v] != 0;
      f->execs[v] = f->written[v] ? f->execs[v] : 0;
   }
   bitset_for_each(v, u->vwritten, NUM_VGPRS) {
      f->trans[v] = trans ? TRANS_AGE : 0;
      f->written[v] = PARTIAL_AGE;
      f->execs[v] = 1;
      f->end = MAX2(f->end, v + UINT64_C(1));
   }
   if (program->wave_size == 64) {
      bool other = u->literal;
      for (unsigned i = 0; i < NUM_SCALARS / 64; i++)
         other |= u->scalars[i] & ~f->masks[i] & (i ? bit_mask(AMD_VCC_HI + 1 - 64) : UINT64_MAX);
      if (other)
         clear_masks(f);
      for (unsigned i = 0; i < NUM_SCALARS / 64; i++)
         f->masks[i] |= u->masks[i];
   }
   memset(f->memory, 0, sizeof(f->memory));
}

static void
note_scalar(struct forwards *f, const struct uses *u)
{
   for (unsigned i = 0; i < NUM_SCALARS / 64; i++)
      f->masks_written[i] |= u->results[i] & f->masks[i];
   if (!has(u->results, AMD_EXEC_LO) && !has(u->results, AMD_EXEC_HI))
      return;
   for (unsigned v = 0; v < f->end; v++)
      f->execs[v] = (uint8_t)(f->execs[v] << 1 | (f->execs[v] & 0x80)); /* the last bit: so many or more */
}

static void
note(struct forwards *f, const struct aco_program *program, const struct aco_instr *instr, const struct uses *u)
{
   bool memory = is_any(program, instr, ACO_ENC_VMEM | 1u << AMD_ENC_DS);
   bool exports = is_any(program, instr, 1u << AMD_ENC_EXP);
   if (is_any(program, instr, ACO_ENC_VALU))
      note_vector(f, program, instr, u);
   if (is_any(program, instr, ACO_ENC_SALU))
      note_scalar(f, u);
   if (memory || exports) /* they wait for vector instructions themselves */
      clear_vectors(f);
   for (unsigned i = 0; i < NUM_VGPRS / 64; i++)
      f->memory[i] = exports ? 0 : f->memory[i] | (memory ? u->vread[i] | u->vwritten[i] : 0);
}

/* ---- over the program ---- */

static void
merge(struct forwards *into, const struct forwards *from)
{
   into->end = MAX2(into->end, from->end);
   for (unsigned v = 0; v < into->end; v++) {
      into->trans[v] = MAX2(into->trans[v], from->trans[v]);
      into->written[v] = MAX2(into->written[v], from->written[v]);
      into->execs[v] |= from->execs[v];
   }
   for (unsigned i = 0; i < NUM_SCALARS / 64; i++) {
      into->masks[i] |= from->masks[i];
      into->masks_written[i] |= from->masks_written[i];
   }
   for (unsigned i = 0; i < NUM_VGPRS / 64; i++) {
      into->memory[i] |= from->memory[i];
      into->product[i] |= from->product[i];
   }
}

static struct forwards
visit_block(struct avoid *a, const struct aco_block *block)
{
   struct forwards f = {.trans = {0}};
   for (unsigned i = 0; i < block->linear_preds.count; i++)
      merge(&f, &a->at_end[block->linear_preds.at[i]->index]);
   for (unsigned i = 0; i < block->count; i++) {
      struct aco_instr *instr = block->instrs[i];
      if (aco_is_pseudo(instr)) {
         aco_fail(a->program, "ordered sections are not compiled for this generation: hazards in them");
         break;
      }
      struct uses u = uses_of(a->program, instr);
      unsigned depctr = needs(a->program, &f, instr, &u);
      note_wait(&f, depctr);
      if (a->out && is_chained(a->program, &f, instr))
         aco_block_append(a->program, a->out, aco_instr_create(a->program, AMD_OP_v_nop, 0, 0));
      note(&f, a->program, instr, &u);
      if (a->out && depctr != DEPCTR_NONE) {
         struct aco_instr *wait = aco_instr_create(a->program, AMD_OP_s_waitcnt_depctr, 0, 0);
         wait->simm16 = (uint16_t)depctr;
         aco_block_append(a->program, a->out, wait);
      }
      if (a->out)
         aco_block_append(a->program, a->out, instr);
   }
   return f;
}

void
aco_avoid_forwards(struct aco_program *program)
{
   struct avoid a = {program, arena_array(program->arena, struct forwards, program->num_blocks), NULL};
   for (bool changed = true; changed;) {
      changed = false;
      for (unsigned b = 0; b < program->num_blocks; b++) {
         struct forwards f = visit_block(&a, program->blocks[b]);
         merge(&f, &a.at_end[b]);
         changed |= memcmp(&f, &a.at_end[b], sizeof(f)) != 0;
         a.at_end[b] = f;
      }
   }
   for (unsigned b = 0; b < program->num_blocks; b++) {
      struct aco_block out = {0};
      a.out = &out;
      visit_block(&a, program->blocks[b]);
      aco_block_take(program->blocks[b], &out);
   }
}
