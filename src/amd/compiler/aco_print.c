/* Text of the machine IR that aco_parse() reads back. Grammar: docs/aco.md. */
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "amd/compiler/aco_text.h"
#include "amd/hw/chips.h"

static void
print_class(aco_rc rc, FILE *file)
{
   if (rc)
      fprintf(file, ":%c%u", aco_rc_is_v(rc) ? 'v' : 's', aco_rc_size_dw(rc));
}

static void
print_reg(char before, uint16_t reg, FILE *file)
{
   char name[ACO_REG_NAME_B];
   aco_reg_name(reg, name);
   fprintf(file, "%.*s%s", before != 0, &before, name);
}

static void
print_operand(const struct aco_program *program, const struct aco_operand *op, FILE *file)
{
   switch ((enum aco_operand_kind)op->kind) {
   case ACO_OP_NONE:
      fprintf(file, "_");
      break;
   case ACO_OP_UNDEF:
      fprintf(file, "undef");
      print_class(op->rc, file);
      break;
   case ACO_OP_TEMP:
      fprintf(file, "%%%u", op->value);
      /* After register allocation, what defines it may be gone. */
      if (program->allocated || op->value >= program->num_temps || program->temp_rc[op->value] != op->rc)
         print_class(op->rc, file);
      if (program->allocated)
         print_reg('@', op->reg, file);
      break;
   case ACO_OP_CONST:
      fprintf(file, "0x%x", op->value);
      break;
   case ACO_OP_FIXED:
      print_reg(0, op->reg, file);
      print_class(op->rc, file);
      break;
   }
}

static void
print_def(const struct aco_program *program, const struct aco_def *def, FILE *file)
{
   if (def->temp)
      fprintf(file, "%%%u", def->temp);
   else
      fprintf(file, "_");
   print_class(def->rc, file);
   if (def->fixed || (program->allocated && (def->temp || def->reg)))
      print_reg(def->fixed ? '!' : '@', def->reg, file);
}

static void
print_field(const struct aco_text_field *field, const void *object, FILE *file)
{
   uint32_t value = (uint32_t)nir_field_get(object, field->offset_B, field->size_B);
   if (value == field->absent)
      return;
   fprintf(file, " %s", field->name);
   if (!field->is_bool)
      fprintf(file, field->is_hex ? "=0x%" PRIx32 : "=%" PRId32, value);
}

void
aco_print_instr(const struct aco_program *program, const struct aco_instr *instr, FILE *file)
{
   for (unsigned i = 0; i < instr->num_defs; i++) {
      fprintf(file, "%s", i ? ", " : "");
      print_def(program, &instr->defs[i], file);
   }
   fprintf(file, "%s%s", instr->num_defs ? " = " : "", aco_op_name(instr->op));
   for (unsigned i = 0; i < instr->num_ops; i++) {
      fprintf(file, "%s", i ? ", " : " ");
      print_operand(program, &instr->ops[i], file);
   }
   for (unsigned i = 0; i < aco_instr_field_count; i++)
      print_field(&aco_instr_fields[i], instr, file);
   if (instr->dual) {
      fprintf(file, " dual ");
      aco_print_instr(program, instr->dual, file);
   }
}

const char *
aco_fault_text(struct aco_program *program, const struct aco_block *block, const struct aco_instr *instr,
               const char *what)
{
   char *text = NULL;
   size_t size;
   FILE *file = open_memstream(&text, &size);
   fprintf(file, "block %u: ", block->index);
   aco_print_instr(program, instr, file);
   fprintf(file, ": %s", what);
   fclose(file);
   const char *copy = arena_strdup(program->arena, text);
   free(text);
   return copy;
}

static void
print_header(const struct aco_program *program, const char *phase, FILE *file)
{
   const char *target = "";
   for (unsigned i = amd_chip_count; i-- > 0;) {
      if (amd_chips[i].gen == program->gen)
         target = amd_chips[i].gfx_target;
   }
   fprintf(file, "aco %s %s after %s\n  ", target, nir_stage_words.words[program->stage], phase);
   const void *const parts[] = {
      [ACO_HEADER_PROGRAM] = program, [ACO_HEADER_OPTIONS] = program->options, [ACO_HEADER_ARGS] = program->args};
   for (unsigned i = 0; i < aco_header_field_count; i++)
      print_field(&aco_header_fields[i].field, parts[aco_header_fields[i].part], file);
   fprintf(file, "\n");
   for (uint32_t at_B = 0; at_B < program->data_B; at_B += 4) {
      uint32_t word;
      memcpy(&word, program->data + at_B, 4);
      fprintf(file, at_B % 32 ? " 0x%08x" : at_B ? "\ndata 0x%08x" : "data 0x%08x", word);
   }
   if (program->data_B)
      fprintf(file, "\n");
}

static void
print_edges(const char *what, const struct aco_edges *edges, FILE *file)
{
   fprintf(file, "%s", what);
   for (unsigned i = 0; i < edges->count; i++)
      fprintf(file, " %u", edges->at[i]->index);
}

void
aco_print(const struct aco_program *program, const char *phase, FILE *file)
{
   print_header(program, phase, file);
   for (unsigned b = 0; b < program->num_blocks; b++) {
      const struct aco_block *block = program->blocks[b];
      fprintf(file, "block %u:", b);
      print_edges(" logical", &block->logical_preds, file);
      print_edges(", linear", &block->linear_preds, file);
      fprintf(file, block->loop_depth ? ", depth %u\n" : "\n", block->loop_depth);
      for (unsigned i = 0; i < block->count; i++) {
         fprintf(file, "   ");
         aco_print_instr(program, block->instrs[i], file);
         fprintf(file, "\n");
      }
      fprintf(file, "   %s", aco_term_words.words[block->term]);
      print_edges("", &block->linear_succs, file);
      fprintf(file, "\n");
   }
}
