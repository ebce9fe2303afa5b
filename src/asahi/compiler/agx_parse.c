/* The machine IR from its text. Grammar: docs/agx.md. What is well formed may still be wrong: validators tell. */
#include "asahi/compiler/agx_text.h"

#include <ctype.h>
#include <stdlib.h>
#include <string.h>

#define BLOCKS_MAX 0x4000
#define VALUES_MAX 0x40000
#define OPERANDS_MAX 512

struct parser {
   struct arena *arena;
   struct agx_ir *ir;
   const char *at; /* in the line */
   unsigned line;
   const char *error;
   struct agx_block *block;
   uint8_t *data; /* words so far */
   unsigned data_capacity;
};

static bool
fail(struct parser *p, const char *what)
{
   if (!p->error)
      p->error = arena_printf(p->arena, "line %u: %s", p->line, what);
   return false;
}

static void
skip_space(struct parser *p)
{
   while (*p->at == ' ' || *p->at == '\t')
      p->at++;
   if (*p->at == ';')
      p->at += strlen(p->at);
}

static bool
accept_text(struct parser *p, const char *text)
{
   skip_space(p);
   const size_t length = strlen(text);
   if (strncmp(p->at, text, length))
      return false;
   p->at += length;
   return true;
}

static bool
take_number(struct parser *p, uint32_t *value)
{
   const bool minus = *p->at == '-';
   if (!isdigit((unsigned char)p->at[minus]))
      return fail(p, "a number is missing");
   char *end;
   const long long number = strtoll(p->at, &end, 10);
   if (number > UINT32_MAX || number < INT32_MIN)
      return fail(p, "a number is too large");
   *value = (uint32_t)number;
   p->at = end;
   return true;
}

/* A word of letters, digits and _; false: there is none. */
static bool
take_word(struct parser *p, char word[64])
{
   skip_space(p);
   unsigned length = 0;
   while (length < 63 && (isalnum((unsigned char)p->at[length]) || p->at[length] == '_'))
      length++;
   memcpy(word, p->at, length);
   word[length] = 0;
   p->at += length;
   return length;
}

/* ---- operands ---- */

static bool
parse_size(struct parser *p, struct agx_ref *ref)
{
   uint32_t size, count = 1, reg;
   if (*p->at++ != ':' || !take_number(p, &size))
      return fail(p, "an operand has no size");
   if (*p->at == 'x') {
      p->at++;
      if (!take_number(p, &count))
         return false;
   }
   if ((size != 16 && size != 32 && size != 64) || !count || count > 16)
      return fail(p, "an operand has a size that there is not");
   ref->size = (uint8_t)size;
   ref->count = (uint8_t)count;
   if (ref->kind == AGX_SSA && *p->at == '@') {
      p->at++;
      if (!take_number(p, &reg))
         return false;
      if (reg + agx_halves(ref) > AGX_REGISTERS)
         return fail(p, "there is no such register");
      ref->reg = (uint16_t)reg;
   }
   return true;
}

static bool
parse_flags(struct parser *p, struct agx_ref *ref)
{
   while (*p->at == '.') {
      p->at++;
      char word[64];
      take_word(p, word);
      unsigned i = 0;
      while (i < agx_text_flag_count && strcmp(agx_text_flags[i].name, word))
         i++;
      if (i == agx_text_flag_count)
         return fail(p, "an operand has a flag that there is not");
      *(bool *)((char *)ref + agx_text_flags[i].offset_B) = true;
   }
   return true;
}

static bool
register_value(struct parser *p, const struct agx_ref *ref)
{
   struct agx_ir *ir = p->ir;
   if (!ref->value || ref->value >= ir->num_values)
      return fail(p, "there is no such value");
   struct agx_value *value = &ir->values[ref->value];
   if (value->size && (value->size != ref->size || value->count != ref->count))
      return fail(p, "a value has two sizes");
   *value = (struct agx_value){.size = ref->size, .count = ref->count};
   return true;
}

static bool
parse_ref(struct parser *p, struct agx_ref *ref)
{
   skip_space(p);
   const struct agx_text_kind *row = agx_text_kinds;
   while (row < agx_text_kinds + agx_text_kind_count && strncmp(p->at, row->prefix, strlen(row->prefix)))
      row++;
   if (row == agx_text_kinds + agx_text_kind_count)
      return fail(p, "an operand is missing");
   p->at += strlen(row->prefix);
   *ref = (struct agx_ref){.kind = row->kind, .sext = row->kind == AGX_SIMM};
   if (row->kind != AGX_NONE && row->kind != AGX_UNDEF && !take_number(p, &ref->value))
      return false;
   if (row->has_size && !parse_size(p, ref))
      return false;
   if (ref->kind == AGX_SSA && !register_value(p, ref))
      return false;
   if (ref->kind == AGX_REG && ref->value + agx_halves(ref) > AGX_REGISTERS)
      return fail(p, "there is no such register");
   return parse_flags(p, ref);
}

static bool
parse_refs(struct parser *p, struct agx_ref *refs, unsigned *count)
{
   do {
      if (*count == OPERANDS_MAX)
         return fail(p, "there are too many operands");
      if (!parse_ref(p, &refs[(*count)++]))
         return false;
   } while (accept_text(p, ","));
   return true;
}

/* ---- instructions ---- */

static bool
parse_fields(struct parser *p, struct agx_instr *instr)
{
   char word[64];
   while (take_word(p, word)) {
      unsigned i = 0;
      while (i < agx_text_field_count && strcmp(agx_text_fields[i].name, word))
         i++;
      if (i == agx_text_field_count)
         return fail(p, "there is no such modifier");
      char *at = (char *)instr + agx_text_fields[i].offset_B;
      if (agx_text_fields[i].is_flag)
         *(bool *)at = true;
      else if (*p->at++ != '=' || !take_number(p, (uint32_t *)at))
         return fail(p, "a modifier has no value");
   }
   skip_space(p);
   return !*p->at || fail(p, "something follows the instruction");
}

static bool
starts_operand(struct parser *p)
{
   skip_space(p);
   const char *at = p->at;
   if (strchr("%#+?", *at) && *at)
      return true;
   if (*at == '_' && !isalnum((unsigned char)at[1]))
      return true;
   for (unsigned i = 0; i < agx_text_kind_count; i++) {
      const char *prefix = agx_text_kinds[i].prefix;
      if (isalpha((unsigned char)*prefix) && !strncmp(at, prefix, strlen(prefix)) &&
          isdigit((unsigned char)at[strlen(prefix)]))
         return true;
   }
   return false;
}

static bool
parse_instr(struct parser *p)
{
   static const struct agx_ref none;
   struct agx_ref refs[2][OPERANDS_MAX];
   unsigned counts[2] = {0};
   char word[64];
   refs[0][0] = none;
   if (!p->block)
      return fail(p, "an instruction stands outside of blocks");
   if (starts_operand(p)) {
      if (!parse_refs(p, refs[0], &counts[0]) || !accept_text(p, "="))
         return fail(p, "results are followed by =");
   }
   const unsigned op = take_word(p, word) ? agx_op_by_name(word) : AGX_P_END;
   if (op == AGX_P_END)
      return fail(p, "there is no such operation");
   if (starts_operand(p) && !parse_refs(p, refs[1], &counts[1]))
      return false;
   struct agx_instr *instr = agx_ir_instr(p->ir, op, counts[0], counts[1]);
   memcpy(instr->dsts, refs[0], counts[0] * sizeof(struct agx_ref));
   memcpy(instr->srcs, refs[1], counts[1] * sizeof(struct agx_ref));
   agx_ir_append(p->ir, p->block, instr);
   return parse_fields(p, instr);
}

/* ---- lines ---- */

static bool
parse_block(struct parser *p)
{
   uint32_t number;
   struct agx_ir *ir = p->ir;
   skip_space(p);
   if (!take_number(p, &number))
      return false;
   if (number != ir->num_blocks || number == BLOCKS_MAX || !accept_text(p, ":"))
      return fail(p, "blocks are numbered one after another");
   p->block = agx_ir_block(ir);
   for (skip_space(p); *p->at; skip_space(p)) {
      if (!take_number(p, &number) || number >= BLOCKS_MAX)
         return fail(p, "a predecessor is no number");
      /* Numbers for now: predecessors may come later. */
      struct agx_edges *preds = &p->block->preds;
      preds->at = arena_room(p->arena, preds->at, sizeof(*preds->at), preds->count, &preds->capacity);
      preds->at[preds->count++] = (struct agx_block *)(uintptr_t)number;
   }
   return true;
}

static bool
link_blocks(struct parser *p)
{
   struct agx_ir *ir = p->ir;
   for (unsigned b = 0; b < ir->num_blocks; b++) {
      struct agx_edges numbers = ir->blocks[b]->preds;
      ir->blocks[b]->preds = (struct agx_edges){0};
      for (unsigned i = 0; i < numbers.count; i++) {
         const uintptr_t number = (uintptr_t)numbers.at[i];
         if (number >= ir->num_blocks)
            return fail(p, "there is no such predecessor");
         agx_ir_link(ir, ir->blocks[number], ir->blocks[b]);
      }
   }
   for (unsigned b = 0; b < ir->num_blocks; b++) {
      for (unsigned i = 0; i < ir->blocks[b]->count; i++) {
         const struct agx_instr *instr = ir->blocks[b]->instrs[i];
         if (agx_jumps(instr) && instr->mod.target >= ir->num_blocks)
            return fail(p, "there is no block that it jumps to");
      }
   }
   agx_ir_link_physical(ir);
   return ir->num_blocks || fail(p, "there are no blocks");
}

static bool
parse_numbers(struct parser *p)
{
   char word[64];
   while (take_word(p, word)) {
      unsigned i = 0;
      uint32_t value;
      while (i < agx_text_header_count && strcmp(agx_text_headers[i].name, word))
         i++;
      if (i == agx_text_header_count || *p->at++ != '=')
         return fail(p, "there is no such number");
      if (!take_number(p, &value))
         return false;
      char *at = (char *)p->ir + agx_text_headers[i].offset_B;
      if (value > (agx_text_headers[i].size_B == 1 ? 1 : 0xfffff))
         return fail(p, "a number is too large");
      if (agx_text_headers[i].size_B == 1)
         *(bool *)at = value;
      else
         *(uint32_t *)at = value;
   }
   struct agx_ir *ir = p->ir;
   if (ir->registers_max_h > AGX_REGISTERS || ir->used_registers_h > AGX_REGISTERS || !ir->num_values ||
       ir->num_values > VALUES_MAX || ir->next_uniform_h > AGX_UNIFORMS || ir->data_h + 4 > AGX_UNIFORMS ||
       ir->data_h % 4)
      return fail(p, "a number is too large");
   ir->values = arena_array(p->arena, struct agx_value, ir->num_values);
   ir->values_capacity = ir->num_values;
   return true;
}

static bool
parse_constant(struct parser *p)
{
   uint32_t uniform, value;
   skip_space(p);
   if (!take_number(p, &uniform))
      return false;
   skip_space(p);
   if (!take_number(p, &value))
      return false;
   if (uniform + 2 > AGX_UNIFORMS || uniform & 1)
      return fail(p, "there is no such uniform");
   agx_ir_constant(p->ir, uniform, value);
   return true;
}

/* A word of the tables of constants. */
static bool
parse_data(struct parser *p)
{
   struct agx_ir *ir = p->ir;
   uint32_t word;
   skip_space(p);
   if (!take_number(p, &word))
      return false;
   unsigned count = ir->data_B / 4;
   p->data = arena_room(p->arena, p->data, sizeof(word), count, &p->data_capacity);
   memcpy(p->data + ir->data_B, &word, sizeof(word));
   ir->data = p->data;
   ir->data_B += sizeof(word);
   return true;
}

static bool
parse_line(struct parser *p, unsigned number)
{
   skip_space(p);
   if (!*p->at)
      return true;
   if (number == 1)
      return parse_numbers(p);
   if (accept_text(p, "constant "))
      return parse_constant(p);
   if (accept_text(p, "data "))
      return parse_data(p);
   return accept_text(p, "block ") ? parse_block(p) : parse_instr(p);
}

/* "agx STAGE [preamble] after PHASE" */
static bool
parse_title(struct parser *p, const char **phase)
{
   char word[64];
   if (!accept_text(p, "agx ") || !take_word(p, word))
      return fail(p, "a program begins with agx STAGE after PHASE");
   unsigned stage = 0;
   while (stage < NIR_STAGES && strcmp(nir_stage_names[stage], word))
      stage++;
   if (stage == NIR_STAGES)
      return fail(p, "there is no such stage");
   p->ir->stage = (enum nir_stage)stage;
   p->ir->is_preamble = accept_text(p, "preamble");
   if (!accept_text(p, "after ") || !take_word(p, word))
      return fail(p, "a program begins with agx STAGE after PHASE");
   *phase = arena_strdup(p->arena, word);
   return true;
}

struct agx_ir *
agx_parse(struct arena *arena, const char **text, const struct agx_options *options, unsigned *line,
          const char **phase, const char **error)
{
   struct parser p = {.arena = arena, .ir = agx_ir_create(arena, options), .line = *line};
   unsigned number = 0; /* of the line in the program, without empty ones */
   while (**text && !p.error) {
      if (number && !strncmp(*text, "agx ", 4))
         break;
      const size_t length = strcspn(*text, "\n");
      char *copy = arena_dup(arena, *text, length + 1);
      copy[length] = 0;
      p.at = copy;
      p.line = ++*line;
      *text += length + ((*text)[length] == '\n');
      skip_space(&p);
      if (*p.at && (number ? parse_line(&p, number) : parse_title(&p, phase)))
         number++;
   }
   if (!number)
      fail(&p, "there is no program");
   if (!p.error)
      link_blocks(&p);
   *error = p.error;
   return p.error ? NULL : p.ir;
}
