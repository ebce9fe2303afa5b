/* Reads the text of aco_print(). Values are as their definitions say, kills and the other direction of the edges are
 * derived; whether all of it makes sense is for the checks of aco_compile_text() to say. */
#include "amd/compiler/aco_text.h"
#include "amd/hw/chips.h"
#include "compiler/nir/nir_lexer.h"

#include <string.h>

#define MAX_OPERANDS 256
#define MAX_CLASS_DW 16
#define MAX_DEPTH 255

/* A number that stands for something further down, perhaps. */
struct reference {
   struct aco_operand *op;  /* a value, */
   struct aco_edges *edges; /* or a block */
   uint32_t number;
   struct nir_lexer_place place;
};

struct parser {
   struct nir_lexer lexer;
   struct aco_program *program;
   struct aco_options *options;
   struct aco_args *args;
   struct reference *references;
   unsigned num_references, references_capacity;
   /* of the instruction being read */
   struct aco_def defs[MAX_OPERANDS];
   struct aco_operand ops[MAX_OPERANDS];
   struct nir_lexer_place places[MAX_OPERANDS];
};

static void
expect_word(struct parser *p, const char *word)
{
   if (!nir_lexer_accept_word(&p->lexer, word))
      nir_lexer_fail(&p->lexer, arena_printf(p->lexer.arena, "%s expected", word));
}

static void
refer(struct parser *p, struct reference reference)
{
   p->references =
      arena_room(p->lexer.arena, p->references, sizeof(*p->references), p->num_references, &p->references_capacity);
   p->references[p->num_references++] = reference;
}

/* ---- fields ---- */

static uint32_t
field_value(struct parser *p, const struct aco_text_field *field)
{
   if (field->is_bool)
      return 1;
   nir_lexer_expect_sign(&p->lexer, '=');
   return field->max == UINT32_MAX ? (uint32_t)nir_lexer_expect_int(&p->lexer)
                                   : (uint32_t)nir_lexer_expect_number(&p->lexer, field->max);
}

static bool
accept_instr_field(struct parser *p, struct aco_instr *instr)
{
   for (unsigned i = 0; i < aco_instr_field_count; i++) {
      const struct aco_text_field *field = &aco_instr_fields[i];
      if (nir_lexer_accept_word(&p->lexer, field->name)) {
         nir_field_set(instr, field->offset_B, field->size_B, field_value(p, field));
         return true;
      }
   }
   return false;
}

static bool
accept_header_field(struct parser *p)
{
   void *const parts[] = {
      [ACO_HEADER_PROGRAM] = p->program, [ACO_HEADER_OPTIONS] = p->options, [ACO_HEADER_ARGS] = p->args};
   for (unsigned i = 0; i < aco_header_field_count; i++) {
      const struct aco_text_field *field = &aco_header_fields[i].field;
      if (nir_lexer_accept_word(&p->lexer, field->name)) {
         nir_field_set(parts[aco_header_fields[i].part], field->offset_B, field->size_B, field_value(p, field));
         return true;
      }
   }
   return false;
}

/* ---- operands and results ---- */

/* ":v2", or 0. */
static aco_rc
accept_class(struct parser *p)
{
   struct nir_lexer *lexer = &p->lexer;
   if (!nir_lexer_accept_sign(lexer, ':'))
      return 0;
   struct nir_lexer_place place = nir_lexer_place(lexer);
   bool vector = lexer->token == NIR_TOKEN_WORD && *lexer->start == 'v';
   uint32_t size_dw = nir_lexer_expect_name(lexer, vector ? 'v' : 's');
   if (!size_dw || size_dw > MAX_CLASS_DW)
      nir_lexer_fail_at(lexer, place, "a class has 1 to 16 registers");
   return vector ? aco_rc_v(size_dw) : aco_rc_s(size_dw);
}

static int
current_reg(const struct parser *p)
{
   return p->lexer.token == NIR_TOKEN_WORD ? aco_reg_by_name(p->lexer.start, p->lexer.length) : -1;
}

static uint16_t
expect_reg(struct parser *p, aco_rc rc)
{
   int reg = current_reg(p);
   if (reg < 0)
      nir_lexer_fail(&p->lexer, "register expected");
   if ((unsigned)reg + aco_rc_size_dw(rc) > ACO_TEXT_REGS)
      nir_lexer_fail(&p->lexer, "there are no registers after v255");
   nir_lexer_next(&p->lexer);
   return (uint16_t)reg;
}

/* "%5"; the class of a value that nothing has defined yet is 0. */
static uint32_t
expect_temp(struct parser *p)
{
   struct nir_lexer_place place = nir_lexer_place(&p->lexer);
   nir_lexer_expect_sign(&p->lexer, '%');
   uint32_t temp = (uint32_t)nir_lexer_expect_number(&p->lexer, UINT32_MAX);
   if (!temp || temp >= p->program->num_temps)
      nir_lexer_fail_at(&p->lexer, place, "values count from 1 to below num_temps");
   return temp;
}

static struct aco_operand
parse_operand(struct parser *p)
{
   struct nir_lexer *lexer = &p->lexer;
   struct aco_operand op = {0};
   if (nir_lexer_accept_word(lexer, "_"))
      return op;
   if (nir_lexer_accept_word(lexer, "undef")) {
      op.kind = ACO_OP_UNDEF;
      op.rc = accept_class(p);
   } else if (lexer->token == NIR_TOKEN_NUMBER) {
      op = aco_op_const((uint32_t)nir_lexer_expect_int(lexer));
   } else if (lexer->token == NIR_TOKEN_WORD) {
      const struct nir_lexer_place place = nir_lexer_place(lexer);
      op = aco_op_fixed(expect_reg(p, 0));
      op.rc = accept_class(p);
      if (op.reg + aco_rc_size_dw(op.rc) > ACO_TEXT_REGS)
         nir_lexer_fail_at(lexer, place, "there are no registers after v255");
   } else {
      op = (struct aco_operand){.kind = ACO_OP_TEMP, .value = expect_temp(p)};
      op.rc = accept_class(p);
      if (p->program->allocated) {
         nir_lexer_expect_sign(lexer, '@');
         op.reg = expect_reg(p, op.rc);
      }
   }
   return op;
}

static struct aco_def
parse_def(struct parser *p)
{
   struct nir_lexer *lexer = &p->lexer;
   const struct nir_lexer_place place = nir_lexer_place(lexer);
   struct aco_def def = {0};
   if (!nir_lexer_accept_word(lexer, "_"))
      def.temp = expect_temp(p);
   def.rc = accept_class(p);
   aco_rc *known = &p->program->temp_rc[def.temp];
   if (def.temp && (!def.rc || (*known && *known != def.rc)))
      nir_lexer_fail_at(lexer, place, "a value has one class");
   if (def.temp)
      *known = def.rc;
   def.fixed = nir_lexer_accept_sign(lexer, '!');
   bool placed = !def.fixed && nir_lexer_accept_sign(lexer, '@');
   if (def.fixed || placed)
      def.reg = expect_reg(p, def.rc);
   else if (p->program->allocated && def.temp)
      nir_lexer_fail(lexer, "@ and the value's register expected");
   return def;
}

/* ---- instructions ---- */

static unsigned
parse_defs(struct parser *p)
{
   struct nir_lexer *lexer = &p->lexer;
   unsigned count = 0;
   do {
      if (count == MAX_OPERANDS)
         nir_lexer_fail(lexer, "more than 256 results");
      p->defs[count++] = parse_def(p);
   } while (nir_lexer_accept_sign(lexer, ','));
   nir_lexer_expect_sign(lexer, '=');
   return count;
}

static bool
is_operand(const struct parser *p)
{
   const struct nir_lexer *lexer = &p->lexer;
   return lexer->token == NIR_TOKEN_NUMBER || (lexer->token == NIR_TOKEN_SIGN && *lexer->start == '%') ||
          nir_lexer_is_word(lexer, "_") || nir_lexer_is_word(lexer, "undef") || current_reg(p) >= 0;
}

/* An instruction ends with its line: what begins the next one could be an operand. */
static unsigned
parse_operands(struct parser *p, unsigned line)
{
   unsigned count = 0;
   if (p->lexer.line != line || !is_operand(p))
      return 0;
   do {
      if (count == MAX_OPERANDS)
         nir_lexer_fail(&p->lexer, "more than 256 operands");
      p->places[count] = nir_lexer_place(&p->lexer);
      p->ops[count++] = parse_operand(p);
   } while (nir_lexer_accept_sign(&p->lexer, ','));
   return count;
}

static unsigned
parse_op(struct parser *p)
{
   struct nir_lexer *lexer = &p->lexer;
   char *name = arena_dup(lexer->arena, lexer->start, lexer->length + 1);
   name[lexer->length] = 0;
   unsigned op = lexer->token == NIR_TOKEN_WORD ? aco_op_by_name(name) : (unsigned)AMD_OP_COUNT;
   if (op == AMD_OP_COUNT)
      nir_lexer_fail(lexer, "operation or end of the block expected");
   nir_lexer_next(lexer);
   return op;
}

static struct aco_instr *
parse_instr(struct parser *p)
{
   struct nir_lexer *lexer = &p->lexer;
   bool results = (lexer->token == NIR_TOKEN_SIGN && *lexer->start == '%') || nir_lexer_is_word(lexer, "_");
   unsigned num_defs = results ? parse_defs(p) : 0, line = lexer->line, op = parse_op(p);
   unsigned num_ops = parse_operands(p, line);
   struct aco_instr *instr = aco_instr_create(p->program, op, num_defs, num_ops);
   memcpy(instr->defs, p->defs, num_defs * sizeof(*p->defs));
   memcpy(instr->ops, p->ops, num_ops * sizeof(*p->ops));
   for (unsigned i = 0; i < num_ops; i++) {
      struct aco_operand *op = &instr->ops[i];
      if (op->kind == ACO_OP_TEMP && !op->rc)
         refer(p, (struct reference){.op = op, .number = op->value, .place = p->places[i]});
   }
   while (accept_instr_field(p, instr))
      ;
   return instr;
}

static struct aco_instr *
parse_instrs(struct parser *p)
{
   struct aco_instr *instr = parse_instr(p);
   if (nir_lexer_accept_word(&p->lexer, "dual")) {
      instr->dual = parse_instr(p);
      p->program->has_pairs = true;
   }
   return instr;
}

/* ---- blocks ---- */

static void
parse_edges(struct parser *p, struct aco_edges *edges)
{
   while (p->lexer.token == NIR_TOKEN_NUMBER) {
      struct reference block = {.edges = edges, .place = nir_lexer_place(&p->lexer)};
      block.number = (uint32_t)nir_lexer_expect_number(&p->lexer, UINT32_MAX);
      refer(p, block);
   }
}

static void
parse_block(struct parser *p)
{
   struct nir_lexer *lexer = &p->lexer;
   if (lexer->token != NIR_TOKEN_NUMBER || lexer->number != p->program->num_blocks)
      nir_lexer_fail(lexer, "blocks count from 0 on");
   nir_lexer_next(lexer);
   struct aco_block *block = aco_block_create(p->program);
   nir_lexer_expect_sign(lexer, ':');
   expect_word(p, "logical");
   parse_edges(p, &block->logical_preds);
   nir_lexer_expect_sign(lexer, ',');
   expect_word(p, "linear");
   parse_edges(p, &block->linear_preds);
   if (nir_lexer_accept_sign(lexer, ',')) {
      expect_word(p, "depth");
      block->loop_depth = (uint8_t)nir_lexer_expect_number(lexer, MAX_DEPTH);
   }
   for (int term = -1; term < 0;) {
      term = lexer->token == NIR_TOKEN_WORD ? nir_word_find(&aco_term_words, lexer->start, lexer->length) : -1;
      if (term < 0)
         aco_block_append(p->program, block, parse_instrs(p));
      else
         block->term = (enum aco_term)term;
   }
   nir_lexer_next(lexer);
   parse_edges(p, &block->linear_succs);
}

static void
resolve(struct parser *p)
{
   struct aco_program *program = p->program;
   for (struct reference *ref = p->references; ref < p->references + p->num_references; ref++) {
      if (ref->op) {
         ref->op->rc = program->temp_rc[ref->number];
         if (!ref->op->rc)
            nir_lexer_fail_at(&p->lexer, ref->place, "nothing defines this value");
         if (ref->op->reg + aco_rc_size_dw(ref->op->rc) > ACO_TEXT_REGS)
            nir_lexer_fail_at(&p->lexer, ref->place, "there are no registers after v255");
      } else if (ref->number >= program->num_blocks) {
         nir_lexer_fail_at(&p->lexer, ref->place, "there is no such block");
      } else {
         aco_edges_add(program, ref->edges, program->blocks[ref->number]);
      }
   }
   for (unsigned b = 0; b < program->num_blocks; b++) {
      struct aco_edges *preds = &program->blocks[b]->logical_preds;
      for (unsigned i = 0; i < preds->count; i++)
         aco_edges_add(program, &preds->at[i]->logical_succs, program->blocks[b]);
   }
}

/* ---- the whole ---- */

static void
parse_target(struct parser *p)
{
   struct nir_lexer *lexer = &p->lexer;
   for (unsigned i = 0; i < amd_chip_count && !p->program->target; i++) {
      if (!nir_lexer_is_word(lexer, amd_chips[i].gfx_target) || !aco_target(amd_chips[i].gen)->compiles)
         continue;
      p->program->gen = p->options->gen = amd_chips[i].gen;
      p->program->target = aco_target(amd_chips[i].gen);
   }
   if (!p->program->target)
      nir_lexer_fail(lexer, "a target that the compiler has expected, such as gfx1030");
   nir_lexer_next(lexer);
}

/* "data 0x... 0x..." */
static void
parse_data(struct parser *p)
{
   struct aco_program *program = p->program;
   uint8_t *data = NULL;
   unsigned count = 0, capacity = 0;
   while (nir_lexer_accept_word(&p->lexer, "data")) {
      while (p->lexer.token == NIR_TOKEN_NUMBER) {
         data = arena_room(p->lexer.arena, data, 4, count, &capacity);
         uint32_t word = (uint32_t)nir_lexer_expect_number(&p->lexer, UINT32_MAX);
         memcpy(data + 4 * (size_t)count++, &word, 4);
      }
   }
   program->data = data;
   program->data_B = 4 * count;
}

/* Returns the phase's name. */
static char *
parse_header(struct parser *p)
{
   struct nir_lexer *lexer = &p->lexer;
   struct aco_program *program = p->program;
   expect_word(p, "aco");
   parse_target(p);
   program->stage = nir_lexer_expect_word_of(lexer, &nir_stage_words, "shader stage");
   expect_word(p, "after");
   if (lexer->token != NIR_TOKEN_WORD)
      nir_lexer_fail(lexer, "phase expected");
   char *phase = arena_dup(lexer->arena, lexer->start, lexer->length + 1);
   phase[lexer->length] = 0;
   nir_lexer_next(lexer);
   while (accept_header_field(p))
      ;
   if (program->wave_size != 64 && (program->wave_size != 32 || !program->target->has_wave32))
      nir_lexer_fail(lexer, "wave_size must be 64, or 32 where there are such waves");
   if (!program->num_temps || program->scratch_offset_temp >= program->num_temps)
      nir_lexer_fail(lexer, "num_temps must be above all values");
   program->scratch_sgpr = (uint16_t)(program->target->sgprs - 2);
   program->max_sgprs = MIN2(program->max_sgprs ? program->max_sgprs : UINT32_MAX, program->scratch_sgpr);
   program->max_vgprs = program->max_vgprs ? program->max_vgprs : 256;
   p->options->wave_size = program->wave_size;
   program->lm = aco_rc_s(program->wave_size / 32);
   program->temps_capacity = program->num_temps;
   program->temp_rc = arena_array(lexer->arena, aco_rc, program->num_temps);
   return phase;
}

struct aco_program *
aco_parse(struct arena *arena, const char *text, const struct aco_options *options, const char **phase,
          const char **error)
{
   struct parser *p = arena_new(arena, struct parser);
   p->options = arena_dup(arena, options, sizeof(*options));
   p->args = arena_new(arena, struct aco_args);
   memset(p->args, ACO_NO_REG, sizeof(*p->args));
   p->args->num_user_sgprs = 0;
   p->options->no_optimise = false;
   p->program = aco_program_create(arena);
   p->program->num_temps = 0;
   p->program->options = p->options;
   p->program->args = p->args;
   if (!setjmp(p->lexer.fail)) {
      nir_lexer_start(&p->lexer, arena, text);
      *phase = parse_header(p);
      parse_data(p);
      while (nir_lexer_accept_word(&p->lexer, "block"))
         parse_block(p);
      if (p->lexer.token != NIR_TOKEN_END || !p->program->num_blocks)
         nir_lexer_fail(&p->lexer, "block expected");
      resolve(p);
   }
   *error = p->lexer.error;
   return *error ? NULL : p->program;
}
