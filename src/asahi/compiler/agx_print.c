/* The text of the machine IR. Grammar: docs/agx.md. */
#include "asahi/compiler/agx_text.h"

#include <string.h>
#include <stdlib.h>

static void
print_ref(const struct agx_ir *ir, const struct agx_ref *ref, FILE *file)
{
   const struct agx_text_kind *row = agx_text_kinds;
   while (row->kind != ref->kind)
      row++;
   fputs(row->prefix, file);
   if (ref->kind == AGX_SIMM)
      fprintf(file, "%d", (int32_t)ref->value);
   else if (ref->kind != AGX_NONE && ref->kind != AGX_UNDEF)
      fprintf(file, "%u", ref->value);
   if (row->has_size)
      fprintf(file, ":%u", ref->size);
   if (row->has_size && ref->count != 1)
      fprintf(file, "x%u", ref->count);
   if (ref->kind == AGX_SSA && ir->allocated)
      fprintf(file, "@%u", ref->reg);
   for (unsigned i = 0; i < agx_text_flag_count; i++) {
      if (*((const bool *)((const char *)ref + agx_text_flags[i].offset_B)) && ref->kind != AGX_SIMM)
         fprintf(file, ".%s", agx_text_flags[i].name);
   }
}

static void
print_refs(const struct agx_ir *ir, const struct agx_ref *refs, unsigned count, FILE *file)
{
   for (unsigned i = 0; i < count; i++) {
      fputs(i ? ", " : "", file);
      print_ref(ir, &refs[i], file);
   }
}

static void
print_instr(const struct agx_ir *ir, const struct agx_instr *instr, FILE *file)
{
   print_refs(ir, instr->dsts, instr->num_dsts, file);
   fprintf(file, "%s%s%s", instr->num_dsts ? " = " : "", agx_op_name(instr->op), instr->num_srcs ? " " : "");
   print_refs(ir, instr->srcs, instr->num_srcs, file);
   for (unsigned i = 0; i < agx_text_field_count; i++) {
      const struct agx_text_field *field = &agx_text_fields[i];
      const char *at = (const char *)instr + field->offset_B;
      if (field->is_flag && *(const bool *)at)
         fprintf(file, " %s", field->name);
      else if (!field->is_flag && *(const uint32_t *)at)
         fprintf(file, " %s=%u", field->name, *(const uint32_t *)at);
   }
}

static unsigned
number_of(const struct agx_ir *ir, const struct agx_text_header *header)
{
   const char *at = (const char *)ir + header->offset_B;
   return header->size_B == 1 ? *(const bool *)at : *(const uint32_t *)at;
}

static void
print_block(const struct agx_ir *ir, const struct agx_block *block, FILE *file)
{
   fprintf(file, "block %u:", block->index);
   for (unsigned i = 0; i < block->preds.count; i++)
      fprintf(file, " %u", block->preds.at[i]->index);
   fputc('\n', file);
   for (unsigned i = 0; i < block->count; i++) {
      fputs("   ", file);
      print_instr(ir, block->instrs[i], file);
      fputc('\n', file);
   }
}

void
agx_print(const struct agx_ir *ir, const char *phase, FILE *file)
{
   fprintf(file, "agx %s%s after %s\n  ", nir_stage_names[ir->stage], ir->is_preamble ? " preamble" : "", phase);
   for (unsigned i = 0; i < agx_text_header_count; i++) {
      if (number_of(ir, &agx_text_headers[i]))
         fprintf(file, " %s=%u", agx_text_headers[i].name, number_of(ir, &agx_text_headers[i]));
   }
   fputc('\n', file);
   for (unsigned i = 0; i < ir->num_constants; i++)
      fprintf(file, "constant %u %u\n", ir->constants[i].uniform, ir->constants[i].value);
   for (uint32_t at_B = 0; at_B < ir->data_B; at_B += 4) {
      uint32_t word;
      memcpy(&word, ir->data + at_B, 4);
      fprintf(file, "data %u\n", word);
   }
   for (unsigned b = 0; b < ir->num_blocks; b++)
      print_block(ir, ir->blocks[b], file);
}

const char *
agx_fault_text(struct agx_ir *ir, const struct agx_block *block, const struct agx_instr *instr, const char *what)
{
   char *text = NULL;
   size_t size;
   FILE *file = open_memstream(&text, &size);
   fprintf(file, "%sblock %u: ", ir->is_preamble ? "preamble: " : "", block->index);
   if (instr)
      print_instr(ir, instr, file);
   fprintf(file, "%s%s", instr ? ": " : "", what);
   fclose(file);
   const char *copy = arena_strdup(ir->arena, text);
   free(text);
   return copy;
}
