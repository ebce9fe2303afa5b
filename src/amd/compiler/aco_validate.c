/* Checks of the machine IR between passes: every value defined once and before its uses, operands of the class and
 * size that the operation takes, the limits of the constant bus, SCC read after its writer. */
#include "amd/compiler/aco_ir.h"

#include <string.h>

static const char *
check_scalar_reads(const struct aco_program *program, const struct aco_instr *instr)
{
   const struct amd_op_info *info = aco_info(program, instr->op);
   const struct aco_operand *seen[4];
   unsigned num_seen = 0, literals = 0;
   uint32_t literal = 0;
   for (unsigned i = 0; i < MIN2(instr->num_ops, 4); i++) {
      const struct aco_operand *op = &instr->ops[i];
      bool scalar = (op->kind == ACO_OP_TEMP && !aco_rc_is_v(op->rc)) || op->kind == ACO_OP_FIXED;
      if (op->kind == ACO_OP_CONST && aco_const_operand(op->value, (enum amd_type)info->src[i].type) == AMD_LITERAL) {
         bool modified = instr->neg || instr->abs || instr->opsel || instr->omod || instr->clamp;
         if (!aco_takes_literal(program, instr->op, i, instr->ops, instr->num_ops) ||
             (modified && !program->target->vop3_literals))
            return "a literal where there is no place for one";
         if (!literals || literal != op->value)
            literals++;
         literal = op->value;
         continue;
      }
      bool known = !scalar;
      for (unsigned k = 0; k < num_seen; k++)
         known |= seen[k]->kind == op->kind && seen[k]->value == op->value && seen[k]->reg == op->reg;
      if (!known)
         seen[num_seen++] = op;
   }
   if (literals > 1)
      return "two literals";
   if (num_seen + literals > aco_constant_bus(program->target, instr->op))
      return "more scalar reads than the constant bus carries";
   return NULL;
}

static const char *
check_classes(const struct aco_program *program, const struct aco_instr *instr)
{
   const struct amd_op_info *info = aco_info(program, instr->op);
   uint32_t encs = aco_encs(program, instr);
   if (encs & ACO_ENC_VALU) {
      for (unsigned i = 0; i + instr->tied < instr->num_ops; i++) {
         const struct aco_operand *op = &instr->ops[i];
         if (op->kind == ACO_OP_NONE)
            return "an operand is missing";
         unsigned size = aco_operand_size_dw(program, &info->src[i]);
         if (op->kind == ACO_OP_TEMP && aco_rc_size_dw(op->rc) != size)
            return "an operand has the wrong size";
      }
      return check_scalar_reads(program, instr);
   }
   if (encs & ACO_ENC_SALU) {
      for (unsigned i = 0; i < instr->num_ops; i++) {
         if (aco_is_v(&instr->ops[i]))
            return "a scalar operation reads a VGPR";
         if (instr->ops[i].kind == ACO_OP_TEMP && info->src[i].size_dw &&
             aco_rc_size_dw(instr->ops[i].rc) != info->src[i].size_dw)
            return "an operand has the wrong size";
      }
   }
   return NULL;
}

/* Null where the instruction adds no constant to an address. */
static const struct aco_offsets *
offsets_of(const struct aco_program *program, const struct aco_instr *instr)
{
   const struct aco_target *target = program->target;
   bool buffer = instr->num_ops && aco_rc_size_dw(instr->ops[0].rc) == 4;
   const struct {
      uint32_t encs;
      const struct aco_offsets *offsets;
   } rows[] = {
      {1u << AMD_ENC_SMEM, buffer ? &target->smem_buffer : &target->smem},
      {1u << AMD_ENC_MUBUF | 1u << AMD_ENC_MTBUF, &target->mubuf},
      {1u << AMD_ENC_FLAT, &target->flat},
      {1u << AMD_ENC_GLOBAL, &target->global},
      {1u << AMD_ENC_SCRATCH, &target->scratch},
      {1u << AMD_ENC_DS, &target->ds},
   };
   for (unsigned i = 0; i < ARRAY_SIZE(rows); i++) {
      if (aco_encs(program, instr) & rows[i].encs)
         return rows[i].offsets;
   }
   return NULL;
}

static const char *
check_offset(const struct aco_program *program, const struct aco_instr *instr)
{
   const struct aco_offsets *offsets = offsets_of(program, instr);
   bool far = offsets && (instr->offset < offsets->min_B || instr->offset > offsets->max_B);
   return far ? "an offset that the instruction cannot have" : NULL;
}

static const char *
check_result(const struct aco_program *program, const struct aco_instr *instr)
{
   if (aco_is_pseudo(instr) || !instr->num_defs || !instr->defs[0].temp)
      return NULL;
   const struct amd_op_info *info = aco_info(program, instr->op);
   bool memory = aco_encs(program, instr) & (1u << AMD_ENC_MIMG);
   bool vector = info->dst.cls == AMD_CLASS_VGPR;
   unsigned size = aco_operand_size_dw(program, &info->dst);
   if (vector != aco_rc_is_v(instr->defs[0].rc))
      return "the result has the wrong kind of register";
   return !memory && size != aco_rc_size_dw(instr->defs[0].rc) ? "the result has the wrong size" : NULL;
}

static const char *
check_scc(const struct aco_program *program, const struct aco_block *block, unsigned at)
{
   for (unsigned i = at; i-- > 0;) {
      if (aco_flags(program, block->instrs[i]) & AMD_FLAG_WRITES_SCC)
         return block->instrs[i]->uses_scc ? NULL : "SCC is read, but its writer does not say so";
   }
   return "SCC is read before it is written";
}

static const char *
check_instr(struct aco_program *program, struct aco_block *block, unsigned at, bitset_word *defined)
{
   struct aco_instr *instr = block->instrs[at];
   const char *what = NULL;
   bool phi = instr->op == ACO_P_PHI || instr->op == ACO_P_LINEAR_PHI;
   for (unsigned i = 0; i < instr->num_ops && !phi; i++) {
      if (instr->ops[i].kind != ACO_OP_TEMP)
         continue;
      if (!instr->ops[i].value || instr->ops[i].value >= program->num_temps)
         return aco_fault_text(program, block, instr, "reads a temp that does not exist");
      if (!bitset_test(defined, instr->ops[i].value))
         return aco_fault_text(program, block, instr, "reads a temp before its definition");
   }
   for (unsigned i = 0; i < instr->num_ops && instr->op == ACO_P_PHI; i++) {
      if (instr->ops[i].kind != ACO_OP_UNDEF && !aco_is_v(&instr->ops[i]))
         return aco_fault_text(program, block, instr, "takes something else than a VGPR");
   }
   if (!aco_is_pseudo(instr)) {
      what = check_classes(program, instr);
      if (!what)
         what = check_offset(program, instr);
      if (!what)
         what = check_result(program, instr);
      if (!what && aco_flags(program, instr) & AMD_FLAG_READS_SCC)
         what = check_scc(program, block, at);
   }
   for (unsigned i = 0; i < instr->num_defs && !what; i++) {
      uint32_t temp = instr->defs[i].temp;
      if (temp && bitset_test(defined, temp))
         what = "defines a temp again";
      else if (temp && program->temp_rc[temp] != instr->defs[i].rc)
         what = "defines a temp of another class";
      else if (temp)
         bitset_set(defined, temp);
   }
   return what ? aco_fault_text(program, block, instr, what) : NULL;
}

/* Operands of phis, by the end of the predecessor that they come from. */
static const char *
check_phis(struct aco_program *program, const uint32_t *block_of)
{
   for (unsigned b = 0; b < program->num_blocks; b++) {
      struct aco_block *block = program->blocks[b];
      for (unsigned i = 0; i < block->count; i++) {
         const struct aco_instr *phi = block->instrs[i];
         if (phi->op != ACO_P_PHI && phi->op != ACO_P_LINEAR_PHI)
            break;
         const struct aco_edges *preds = phi->op == ACO_P_PHI ? &block->logical_preds : &block->linear_preds;
         for (unsigned k = 0; k < phi->num_ops; k++) {
            const struct aco_operand *op = &phi->ops[k];
            if (op->kind == ACO_OP_TEMP && block_of[op->value] > preds->at[k]->index)
               return aco_fault_text(program, block, phi, "takes a value that its predecessor does not have");
         }
      }
   }
   return NULL;
}

const char *
aco_validate(struct aco_program *program)
{
   const char *what = aco_check_form(program);
   const struct aco_block *first = program->blocks[0];
   if (what)
      return what;
   if (!first->count || first->instrs[0]->op != ACO_P_STARTPGM)
      return "the program does not begin with p_startpgm";
   bitset_word *defined = arena_array(program->arena, bitset_word, BITSET_WORDS(program->num_temps));
   uint32_t *block_of = arena_array(program->arena, uint32_t, program->num_temps);
   memset(block_of, 0xff, program->num_temps * sizeof(*block_of));
   for (unsigned b = 0; b < program->num_blocks; b++) {
      struct aco_block *block = program->blocks[b];
      for (unsigned i = 0; i < block->count; i++) {
         what = check_instr(program, block, i, defined);
         if (what)
            return what;
         for (unsigned k = 0; k < block->instrs[i]->num_defs; k++)
            block_of[block->instrs[i]->defs[k].temp] = b;
      }
   }
   return check_phis(program, block_of);
}
