/* Checks of the machine IR between passes: every value defined once and before its uses, operands of the class and
 * size that the operation takes, the limits of the constant bus, SCC read behind its writer. */
#include "amd/compiler/aco_ir.h"

#include <stdlib.h>

static const char *
fault(struct aco_program *program, const struct aco_block *block, const struct aco_instr *instr, const char *what)
{
   char *text = NULL;
   size_t size;
   FILE *file = open_memstream(&text, &size);
   fprintf(file, "block %u: ", block->index);
   aco_print_instr(instr, file);
   fprintf(file, ": %s", what);
   fclose(file);
   const char *copy = arena_strdup(program->arena, text);
   free(text);
   return copy;
}

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
      if (op->kind == ACO_OP_CONST &&
          aco_const_operand(op->value, (enum amd_type)info->src[i].type) == AMD_LITERAL) {
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
         unsigned size = info->src[i].cls == AMD_CLASS_MASK ? aco_rc_size_dw(program->lm) : info->src[i].size_dw;
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
   unsigned size = info->dst.cls == AMD_CLASS_MASK ? aco_rc_size_dw(program->lm) : info->dst.size_dw;
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
         return fault(program, block, instr, "reads a temp that does not exist");
      if (!bitset_test(defined, instr->ops[i].value))
         return fault(program, block, instr, "reads a temp before its definition");
   }
   if (phi) {
      const struct aco_edges *preds = instr->op == ACO_P_PHI ? &block->logical_preds : &block->linear_preds;
      if (preds->count != instr->num_ops)
         return fault(program, block, instr, "has not one operand per predecessor");
      for (unsigned i = 0; i < instr->num_ops; i++) {
         if (instr->op == ACO_P_PHI && instr->ops[i].kind != ACO_OP_UNDEF && !aco_is_v(&instr->ops[i]))
            return fault(program, block, instr, "takes something else than a VGPR");
      }
   }
   if (!aco_is_pseudo(instr)) {
      what = aco_encs(program, instr) ? check_classes(program, instr) : "is not in this generation";
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
   return what ? fault(program, block, instr, what) : NULL;
}

const char *
aco_validate(struct aco_program *program)
{
   bitset_word *defined = arena_array(program->arena, bitset_word, BITSET_WORDS(program->num_temps));
   for (unsigned b = 0; b < program->num_blocks; b++) {
      struct aco_block *block = program->blocks[b];
      for (unsigned i = 0; i < block->count; i++) {
         const char *what = check_instr(program, block, i, defined);
         if (what)
            return what;
      }
      if (b && !block->linear_preds.count)
         return arena_printf(program->arena, "no wave comes to block %u", b);
      unsigned wanted = block->term == ACO_TERM_END ? 0 : block->term == ACO_TERM_JUMP ? 1 : 2;
      if (block->linear_succs.count != wanted)
         return arena_printf(program->arena, "block %u has %u linear successors, its end wants %u", b,
                             block->linear_succs.count, wanted);
      if (wanted == 2 && (block->linear_succs.at[0]->linear_preds.count > 1 ||
                          block->linear_succs.at[1]->linear_preds.count > 1))
         return arena_printf(program->arena, "block %u has a critical linear edge", b);
   }
   return NULL;
}
