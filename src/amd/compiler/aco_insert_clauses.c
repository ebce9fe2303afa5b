/* Clauses: s_clause before two and more loads of one kind that follow one another, so that the memory sees them
 * together (RDNA 2 ISA, S_CLAUSE: simm16[5:0] is the number of instructions after it minus 1; 2 to 63 of one type;
 * no other instruction between). Runs after the waits: a wait ends a clause, so no load in one reads what another
 * one returns. GFX10.1 must not have image instructions with addresses in separate registers (NSA) in one
 * (docs/errata.md). */
#include "amd/compiler/aco_ir.h"

#define CLAUSE_MAX 63

enum kind {
   KIND_NONE,
   KIND_SCALAR,
   KIND_BUFFER,
   KIND_IMAGE,
   KIND_GLOBAL,
   KIND_SCRATCH,
};

static enum kind
kind_of(const struct aco_program *program, const struct aco_instr *instr)
{
   uint32_t flags = aco_flags(program, instr), encs = aco_encs(program, instr);
   bool loads = instr->num_defs && instr->defs[0].rc && !(flags & (AMD_FLAG_ATOMIC | AMD_FLAG_VSCNT));
   if (!loads || instr->side_effects)
      return KIND_NONE;
   if (encs & 1u << AMD_ENC_SMEM)
      return flags & AMD_FLAG_LGKMCNT && instr->num_ops ? KIND_SCALAR : KIND_NONE;
   if (!(flags & AMD_FLAG_VMCNT))
      return KIND_NONE;
   if (encs & (1u << AMD_ENC_MUBUF | 1u << AMD_ENC_MTBUF))
      return KIND_BUFFER;
   if (encs & 1u << AMD_ENC_MIMG)
      return program->target->nsa_in_clauses || !aco_is_nsa(program, instr) ? KIND_IMAGE : KIND_NONE;
   if (encs & 1u << AMD_ENC_SCRATCH)
      return KIND_SCRATCH;
   return encs & 1u << AMD_ENC_GLOBAL ? KIND_GLOBAL : KIND_NONE;
}

/* Number of instructions from `at` on that can be one clause; 0 where none can begin. */
static unsigned
clause_length(const struct aco_program *program, const struct aco_block *block, unsigned at)
{
   enum kind kind = kind_of(program, block->instrs[at]);
   unsigned n = 0;
   while (kind != KIND_NONE && n < CLAUSE_MAX && at + n < block->count &&
          kind_of(program, block->instrs[at + n]) == kind)
      n++;
   return n;
}

static void
visit_block(struct aco_program *program, struct aco_block *block)
{
   struct aco_block out = {0};
   for (unsigned i = 0; i < block->count;) {
      unsigned n = clause_length(program, block, i);
      if (n >= 2) {
         struct aco_instr *clause = aco_instr_create(program, AMD_OP_s_clause, 0, 0);
         clause->simm16 = (uint16_t)(n - 1);
         aco_block_append(program, &out, clause);
      }
      for (n = MAX2(n, 1); n; n--)
         aco_block_append(program, &out, block->instrs[i++]);
   }
   aco_block_take(block, &out);
}

void
aco_insert_clauses(struct aco_program *program)
{
   for (unsigned b = 0; b < program->num_blocks && program->target->has_clauses; b++)
      visit_block(program, program->blocks[b]);
}
