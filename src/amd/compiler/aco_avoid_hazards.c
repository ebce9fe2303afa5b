/* Instruction hazards of GFX10.1 (docs/errata.md; source: LLVM 19, GCNHazardRecognizer.cpp):
 *  vmem-scalar-write   a scalar instruction writes an SGPR (also EXEC) that vector memory or LDS reads, and no vector
 *                      instruction and no wait stands between: s_waitcnt_depctr vm_vsrc(0)
 *  smem-vector-write   a vector instruction writes an SGPR that a scalar load reads, and no scalar instruction and no
 *                      wait stands between: s_mov_b32 null, 0
 *  lds-branch-vmem-war LDS and vector memory with a branch between them: s_waitcnt_vscnt null, 0
 * What may be so at a block's start is what may be so at the end of any block before it. The others of the table need
 * what aco does not emit there: v_cmpx, flat, image instructions of four dwords. branch-offset-3f: aco_emit.c. */
#include <string.h>

#include "amd/compiler/aco_ir.h"

#define DEPCTR_VM_VSRC_0 0xffe3
#define NUM_SCALARS 128 /* SGPRs, VCC, M0, EXEC */

struct hazards {
   uint64_t read_by_vmem[NUM_SCALARS / 64], read_by_smem[NUM_SCALARS / 64];
   /* since the last wait for stores */
   bool lds, vmem, lds_then_branch, vmem_then_branch;
};

struct avoid {
   struct aco_program *program;
   struct hazards *at_end; /* by block */
   struct aco_block *out;  /* NULL while states are collected */
};

static bool
is_any(const struct aco_program *program, const struct aco_instr *instr, uint32_t encs)
{
   return aco_encs(program, instr) & encs;
}

static bool
is_lds(const struct aco_program *program, const struct aco_instr *instr)
{
   return is_any(program, instr, 1u << AMD_ENC_DS);
}

static bool
is_vmem(const struct aco_program *program, const struct aco_instr *instr)
{
   return is_any(program, instr, ACO_ENC_VMEM);
}

static void
add_range(uint64_t *set, unsigned reg, unsigned size)
{
   for (unsigned i = reg; i < reg + size && i < NUM_SCALARS; i++)
      set[i / 64] |= UINT64_C(1) << i % 64;
}

static void
add_reads(const struct aco_program *program, const struct aco_instr *instr, uint64_t *set)
{
   for (unsigned i = 0; i < instr->num_ops; i++) {
      const struct aco_operand *op = &instr->ops[i];
      if (op->kind == ACO_OP_TEMP || op->kind == ACO_OP_FIXED)
         add_range(set, op->reg, op->rc ? aco_rc_size_dw(op->rc) : 1);
   }
   if (aco_flags(program, instr) & AMD_FLAG_READS_M0)
      add_range(set, AMD_M0, 1);
   if (aco_flags(program, instr) & AMD_FLAG_READS_EXEC)
      add_range(set, AMD_EXEC_LO, program->wave_size / 32);
}

/* The pseudo operation, too, is nothing but scalar instructions, with branches (aco_await_waves.c). */
static bool
awaits_waves(const struct aco_instr *instr)
{
   return instr->op == ACO_P_AWAIT_WAVES;
}

static bool
writes_any(const struct aco_program *program, const struct aco_instr *instr, const uint64_t *set)
{
   uint64_t written[NUM_SCALARS / 64] = {0}, both = 0;
   for (unsigned i = 0; i < instr->num_defs; i++)
      add_range(written, instr->defs[i].reg, MAX2(aco_rc_size_dw(instr->defs[i].rc), 1));
   if (aco_flags(program, instr) & AMD_FLAG_WRITES_EXEC)
      add_range(written, AMD_EXEC_LO, 2);
   if (aco_flags(program, instr) & AMD_FLAG_WRITES_VCC)
      add_range(written, AMD_VCC_LO, 2);
   if (awaits_waves(instr))
      add_range(written, program->scratch_sgpr, 2);
   for (unsigned i = 0; i < ARRAY_SIZE(written); i++)
      both |= written[i] & set[i];
   return both;
}

static struct aco_instr *
add_inst(struct avoid *a, enum amd_op op, unsigned num_defs, unsigned num_ops, uint16_t simm16)
{
   if (!a->out)
      return NULL;
   struct aco_instr *instr = aco_instr_create(a->program, op, num_defs, num_ops);
   instr->simm16 = simm16;
   aco_block_append(a->program, a->out, instr);
   return instr;
}

static void
wait_for_stores(struct avoid *a, struct hazards *h)
{
   struct aco_instr *wait = add_inst(a, AMD_OP_s_waitcnt_vscnt, 0, 1, 0);
   if (wait)
      wait->ops[0] = aco_op_fixed(AMD_NULL);
   h->lds = h->vmem = h->lds_then_branch = h->vmem_then_branch = false;
}

/* Instructions that must stand before this one. */
static void
avoid(struct avoid *a, struct hazards *h, const struct aco_instr *instr)
{
   const struct aco_program *program = a->program;
   bool scalar = is_any(program, instr, ACO_ENC_SALU | 1u << AMD_ENC_SMEM) || awaits_waves(instr);
   bool vector = is_any(program, instr, ACO_ENC_VALU);

   if (scalar && writes_any(program, instr, h->read_by_vmem)) {
      add_inst(a, AMD_OP_s_waitcnt_depctr, 0, 0, DEPCTR_VM_VSRC_0);
      memset(h->read_by_vmem, 0, sizeof(h->read_by_vmem));
   }
   if (vector && writes_any(program, instr, h->read_by_smem)) {
      struct aco_instr *move = add_inst(a, AMD_OP_s_mov_b32, 1, 1, 0);
      if (move) {
         move->defs[0] = (struct aco_def){.reg = AMD_NULL, .rc = ACO_S1, .fixed = true};
         move->ops[0] = aco_op_const(0);
      }
      memset(h->read_by_smem, 0, sizeof(h->read_by_smem));
   }
   if ((is_vmem(program, instr) && h->lds_then_branch) || (is_lds(program, instr) && h->vmem_then_branch))
      wait_for_stores(a, h);
}

static void
pass_branch(struct hazards *h)
{
   h->lds_then_branch |= h->lds;
   h->vmem_then_branch |= h->vmem;
}

static void
note(const struct avoid *a, struct hazards *h, const struct aco_instr *instr)
{
   const struct aco_program *program = a->program;

   if (is_any(program, instr, ACO_ENC_VALU))
      memset(h->read_by_vmem, 0, sizeof(h->read_by_vmem));
   if (is_any(program, instr, ACO_ENC_SALU & ~(1u << AMD_ENC_SOPP)) || awaits_waves(instr))
      memset(h->read_by_smem, 0, sizeof(h->read_by_smem));
   if (is_vmem(program, instr) || is_lds(program, instr))
      add_reads(program, instr, h->read_by_vmem);
   if (is_any(program, instr, 1u << AMD_ENC_SMEM))
      add_reads(program, instr, h->read_by_smem);
   h->vmem |= is_vmem(program, instr);
   h->lds |= is_lds(program, instr);
   if (instr->op == AMD_OP_s_waitcnt_vscnt && !instr->simm16)
      h->lds = h->vmem = h->lds_then_branch = h->vmem_then_branch = false;
   if (awaits_waves(instr))
      pass_branch(h);
}

static struct hazards
at_start(const struct avoid *a, const struct aco_block *block)
{
   struct hazards h = {0};
   for (unsigned i = 0; i < block->linear_preds.count; i++) {
      const struct hazards *p = &a->at_end[block->linear_preds.at[i]->index];
      for (unsigned n = 0; n < ARRAY_SIZE(h.read_by_vmem); n++) {
         h.read_by_vmem[n] |= p->read_by_vmem[n];
         h.read_by_smem[n] |= p->read_by_smem[n];
      }
      h.lds |= p->lds;
      h.vmem |= p->vmem;
      h.lds_then_branch |= p->lds_then_branch;
      h.vmem_then_branch |= p->vmem_then_branch;
   }
   pass_branch(&h);
   return h;
}

static struct hazards
visit_block(struct avoid *a, const struct aco_block *block)
{
   struct hazards h = at_start(a, block);
   for (unsigned i = 0; i < block->count; i++) {
      struct aco_instr *instr = block->instrs[i];
      avoid(a, &h, instr);
      note(a, &h, instr);
      if (a->out)
         aco_block_append(a->program, a->out, instr);
   }
   return h;
}

void
aco_avoid_hazards(struct aco_program *program)
{
   struct avoid a = {program, arena_array(program->arena, struct hazards, program->num_blocks), NULL};
   if (program->target->has_wait_states)
      aco_insert_wait_states(program);
   if (program->target->has_forward_hazards)
      aco_avoid_forwards(program);
   if (!program->target->has_hazards)
      return;
   for (bool changed = true; changed;) {
      changed = false;
      for (unsigned b = 0; b < program->num_blocks; b++) {
         struct hazards h = visit_block(&a, program->blocks[b]);
         changed |= memcmp(&h, &a.at_end[b], sizeof(h)) != 0;
         a.at_end[b] = h;
      }
   }
   for (unsigned b = 0; b < program->num_blocks; b++) {
      struct aco_block out = {0};
      a.out = &out;
      visit_block(&a, program->blocks[b]);
      aco_block_take(program->blocks[b], &out);
   }
}
