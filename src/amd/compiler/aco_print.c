/* Text of the machine IR, for tests and bug reports. */
#include "amd/compiler/aco_ir.h"

static const char *const pseudo_names[ACO_P_END - ACO_P_FIRST] = {
   "p_startpgm", "p_phi", "p_linear_phi", "p_parallelcopy", "p_create_vector", "p_split_vector",
   "p_logical_end", "p_spill_s", "p_reload_s", "p_spill_v", "p_reload_v",
   "p_await_waves",
};
static const char *const term_names[] = {"end", "jump", "scc0", "scc1", "execz"};

static void
print_reg(uint16_t reg, unsigned size, FILE *file)
{
   if (amd_is_vgpr(reg))
      fprintf(file, size > 1 ? "v[%u:%u]" : "v%u", reg - AMD_VGPR0, reg - AMD_VGPR0 + size - 1);
   else if (reg == AMD_EXEC_LO)
      fprintf(file, "exec");
   else if (reg == AMD_M0)
      fprintf(file, "m0");
   else if (reg == AMD_NULL)
      fprintf(file, "null");
   else if (reg == AMD_VCC_LO)
      fprintf(file, "vcc");
   else
      fprintf(file, size > 1 ? "s[%u:%u]" : "s%u", reg, reg + size - 1);
}

static void
print_operand(const struct aco_operand *op, bool allocated, FILE *file)
{
   switch ((enum aco_operand_kind)op->kind) {
   case ACO_OP_NONE:
      fprintf(file, "_");
      break;
   case ACO_OP_UNDEF:
      fprintf(file, "undef");
      break;
   case ACO_OP_TEMP:
      fprintf(file, "%%%u", op->value);
      if (allocated) {
         fprintf(file, ":");
         print_reg(op->reg, aco_rc_size_dw(op->rc), file);
      }
      break;
   case ACO_OP_CONST:
      fprintf(file, "0x%x", op->value);
      break;
   case ACO_OP_FIXED:
      print_reg(op->reg, MAX2(aco_rc_size_dw(op->rc), 1), file);
      break;
   }
}

static void
print(const struct aco_instr *instr, bool allocated, FILE *file)
{
   for (unsigned i = 0; i < instr->num_defs; i++) {
      const struct aco_def *def = &instr->defs[i];
      fprintf(file, "%s", i ? ", " : "");
      if (def->temp)
         fprintf(file, "%%%u:%c%u", def->temp, aco_rc_is_v(def->rc) ? 'v' : 's', aco_rc_size_dw(def->rc));
      else
         fprintf(file, "_");
      if (def->fixed || (allocated && def->temp)) {
         fprintf(file, ":");
         print_reg(def->reg, MAX2(aco_rc_size_dw(def->rc), 1), file);
      }
   }
   fprintf(file, "%s%s", instr->num_defs ? " = " : "",
           aco_is_pseudo(instr) ? pseudo_names[instr->op - ACO_P_FIRST]
                                : amd_isa_op_name((enum amd_op)instr->op));
   for (unsigned i = 0; i < instr->num_ops; i++) {
      bool source = i < 8; /* copies have more operands than there are bits for modifiers */
      fprintf(file, "%s%s%s", i ? ", " : " ", source && instr->neg >> i & 1 ? "-" : "",
              source && instr->abs >> i & 1 ? "abs " : "");
      print_operand(&instr->ops[i], allocated, file);
   }
   if (instr->offset)
      fprintf(file, " offset:%d", instr->offset);
   if (instr->clamp)
      fprintf(file, " clamp");
   if (instr->uses_scc)
      fprintf(file, " (scc)");
}

void
aco_print_instr(const struct aco_instr *instr, FILE *file)
{
   print(instr, false, file);
}

void
aco_print(const struct aco_program *program, FILE *file)
{
   for (unsigned b = 0; b < program->num_blocks; b++) {
      const struct aco_block *block = program->blocks[b];
      fprintf(file, "block%u:  /* logical", b);
      for (unsigned i = 0; i < block->logical_preds.count; i++)
         fprintf(file, " %u", block->logical_preds.at[i]->index);
      fprintf(file, "; linear");
      for (unsigned i = 0; i < block->linear_preds.count; i++)
         fprintf(file, " %u", block->linear_preds.at[i]->index);
      fprintf(file, " */\n");
      for (unsigned i = 0; i < block->count; i++) {
         fprintf(file, "   ");
         print(block->instrs[i], program->allocated, file);
         fprintf(file, "\n");
      }
      fprintf(file, "   %s", term_names[block->term]);
      for (unsigned i = 0; i < block->linear_succs.count; i++)
         fprintf(file, " block%u", block->linear_succs.at[i]->index);
      fprintf(file, "\n");
   }
}
