/* Reads the text form back: types, variables and control flow. */
#include <string.h>

#include "compiler/nir/nir_cf.h"
#include "compiler/nir/nir_parse_internal.h"
#include "util/macros.h"

static void
enter(struct nir_parser *p)
{
   if (++p->depth > NIR_PARSE_MAX_DEPTH)
      nir_lexer_fail(&p->lexer, "nested too deeply");
   p->deepest = MAX2(p->deepest, p->depth);
}

/* ---- types ---- */

/* A number inside a word, at *c. */
static unsigned
digits(const char **c, const char *end)
{
   unsigned value = 0;
   while (*c < end && **c >= '0' && **c <= '9' && value < 1000)
      value = value * 10 + (unsigned)(*(*c)++ - '0');
   return value;
}

static const struct nir_type *
numeric_type(struct nir_parser *p, enum nir_base_type base, unsigned bits, unsigned components, unsigned columns)
{
   bool good_bits =
      base == NIR_TYPE_BOOL || bits == 16 || bits == 32 || bits == 64 || (bits == 8 && base != NIR_TYPE_FLOAT);
   if (!good_bits || components < 1 || components > 4 || columns < 1 || columns > 4)
      nir_lexer_fail(&p->lexer, "no such vector or matrix type");
   nir_lexer_next(&p->lexer);
   if (columns == 1)
      return nir_type_vector(base, bits, components);
   if (base != NIR_TYPE_FLOAT || components == 1)
      nir_lexer_fail(&p->lexer, "a matrix has 2 to 4 rows of floats");
   uint32_t stride_B = 0;
   bool row_major = false;
   if (nir_lexer_accept_sign(&p->lexer, '(')) {
      stride_B = (uint32_t)nir_lexer_expect_number(&p->lexer, UINT16_MAX);
      row_major = nir_lexer_accept_word(&p->lexer, "row_major");
      nir_lexer_expect_sign(&p->lexer, ')');
   }
   return nir_type_matrix(p->lexer.arena, bits, components, columns, stride_B, row_major);
}

static const struct nir_type *
word_type(struct nir_parser *p)
{
   const char *c = p->lexer.start, *end = c + p->lexer.length;
   enum nir_base_type base;
   unsigned bits = 1, components = 1, columns = 1;
   if (!strncmp(c, "bool", 4)) {
      base = NIR_TYPE_BOOL;
      c += 4;
   } else {
      base = *c == 'f' ? NIR_TYPE_FLOAT : *c == 'i' ? NIR_TYPE_INT : NIR_TYPE_UINT;
      if (*c != 'f' && *c != 'i' && *c != 'u')
         nir_lexer_fail(&p->lexer, "type expected");
      c++;
      bits = digits(&c, end);
   }
   if (c < end && *c == 'x') {
      c++;
      components = digits(&c, end);
   }
   if (c < end && *c == 'x') {
      c++;
      columns = digits(&c, end);
   }
   if (c != end)
      nir_lexer_fail(&p->lexer, "type expected");
   return numeric_type(p, base, bits, components, columns);
}

static const struct nir_type *
image_type(struct nir_parser *p, enum nir_base_type base)
{
   struct nir_lexer *lexer = &p->lexer;
   nir_lexer_expect_sign(lexer, '(');
   enum nir_image_dim dim = nir_lexer_expect_word_of(lexer, &nir_dim_words, "dimension");
   enum nir_base_type sampled = nir_lexer_expect_word_of(lexer, &nir_base_words, "base type");
   if (sampled < NIR_TYPE_INT || sampled > NIR_TYPE_FLOAT)
      nir_lexer_fail(lexer, "an image holds int, uint or float");
   bool is_array = nir_lexer_accept_word(lexer, "array"), is_shadow = nir_lexer_accept_word(lexer, "shadow");
   nir_lexer_expect_sign(lexer, ')');
   return nir_type_image(lexer->arena, base, dim, is_array, is_shadow, sampled);
}

static void
struct_field(struct nir_parser *p, struct nir_struct_field *field)
{
   struct nir_lexer *lexer = &p->lexer;
   *field = (struct nir_struct_field){.type = nir_parse_type(p), .offset_B = -1, .location = -1};
   if (lexer->token == NIR_TOKEN_STRING) {
      field->name = lexer->string;
      nir_lexer_next(lexer);
   }
   if (nir_lexer_accept_sign(lexer, '@'))
      field->offset_B = (int32_t)nir_lexer_expect_number(lexer, INT32_MAX / 2);
   if (nir_lexer_accept_word(lexer, "access")) {
      nir_lexer_expect_sign(lexer, '=');
      field->access = (uint32_t)nir_lexer_expect_number(lexer, UINT32_MAX);
   }
   if (nir_lexer_accept_word(lexer, "location")) {
      nir_lexer_expect_sign(lexer, '=');
      field->location = (int32_t)nir_lexer_expect_number(lexer, NIR_SLOT_COUNT - 1);
   }
   nir_lexer_expect_sign(lexer, ';');
}

static void
count_fields(struct nir_parser *p, uint64_t count)
{
   p->type_fields += count;
   if (p->type_fields > NIR_PARSE_MAX_FIELDS)
      nir_lexer_fail(&p->lexer, "a type of more than 1073741824 fields");
}

static const struct nir_type *
struct_type(struct nir_parser *p)
{
   struct nir_lexer *lexer = &p->lexer;
   const char *name = NULL;
   if (lexer->token == NIR_TOKEN_STRING) {
      name = lexer->string;
      nir_lexer_next(lexer);
   }
   bool is_block = nir_lexer_accept_word(lexer, "block");
   nir_lexer_expect_sign(lexer, '{');
   uint32_t count = 0, capacity = 0;
   struct nir_struct_field *fields = NULL;
   while (!nir_lexer_accept_sign(lexer, '}')) {
      fields = arena_room(lexer->arena, fields, sizeof(*fields), count, &capacity);
      struct_field(p, &fields[count++]);
      count_fields(p, 1);
   }
   struct nir_type *type = (struct nir_type *)nir_type_struct(lexer->arena, fields, count, name);
   type->is_block = is_block;
   return type;
}

static const struct nir_type *
named_type(struct nir_parser *p)
{
   struct nir_lexer *lexer = &p->lexer;
   const uint32_t number = nir_lexer_expect_name(lexer, 't');
   const struct nir_parse_name *name = hash_find(&p->types, &number, sizeof(number));
   if (!name)
      nir_lexer_fail(lexer, "no type of that name");
   if (p->depth + name->depth > NIR_PARSE_MAX_DEPTH)
      nir_lexer_fail(lexer, "nested too deeply");
   p->deepest = MAX2(p->deepest, p->depth + name->depth);
   count_fields(p, name->fields);
   return name->type;
}

const struct nir_type *
nir_parse_type(struct nir_parser *p)
{
   struct nir_lexer *lexer = &p->lexer;
   const struct nir_type *type;
   enter(p);
   if (nir_lexer_accept_sign(lexer, '[')) {
      const struct nir_type *element = nir_parse_type(p);
      nir_lexer_expect_sign(lexer, ';');
      uint32_t length = (uint32_t)nir_lexer_expect_number(lexer, 1 << 20), stride_B = 0;
      if (nir_lexer_accept_sign(lexer, ';'))
         stride_B = (uint32_t)nir_lexer_expect_number(lexer, 1 << 20);
      nir_lexer_expect_sign(lexer, ']');
      type = nir_type_array(lexer->arena, element, length, stride_B);
   } else if (lexer->token != NIR_TOKEN_WORD) {
      nir_lexer_fail(lexer, "type expected");
   } else if (nir_lexer_accept_word(lexer, "struct")) {
      type = struct_type(p);
   } else if (nir_lexer_accept_word(lexer, "image")) {
      type = image_type(p, NIR_TYPE_IMAGE);
   } else if (nir_lexer_accept_word(lexer, "sampled_image")) {
      type = image_type(p, NIR_TYPE_SAMPLED_IMAGE);
   } else if (nir_lexer_accept_word(lexer, "sampler")) {
      type = nir_type_sampler();
   } else if (nir_lexer_accept_word(lexer, "void")) {
      type = nir_type_void();
   } else if (*lexer->start == 't') {
      type = named_type(p);
   } else {
      type = word_type(p);
   }
   p->depth--;
   return type;
}

/* type tN TYPE */
static void
define_type(struct nir_parser *p)
{
   struct nir_lexer *lexer = &p->lexer;
   struct nir_parse_name *name = arena_new(lexer->arena, struct nir_parse_name);
   name->number = nir_lexer_expect_name(lexer, 't');
   if (hash_find(&p->types, &name->number, sizeof(name->number)))
      nir_lexer_fail(lexer, "the type is there already");
   p->deepest = 0;
   p->type_fields = 0;
   name->type = nir_parse_type(p);
   name->depth = p->deepest;
   name->fields = p->type_fields;
   hash_add(&p->types, &name->number, sizeof(name->number), name);
}

/* ---- header and variables ---- */

static void
parse_info(struct nir_parser *p)
{
   struct nir_lexer *lexer = &p->lexer;
   const struct nir_info_field *field = NULL;
   for (unsigned i = 0; i < nir_info_field_count; i++) {
      if (nir_lexer_is_word(lexer, nir_info_fields[i].name))
         field = &nir_info_fields[i];
   }
   if (!field)
      nir_lexer_fail(lexer, "no such shader info");
   nir_lexer_next(lexer);
   nir_lexer_expect_sign(lexer, '=');
   for (unsigned i = 0; i < field->count; i++) {
      if (i)
         nir_lexer_expect_sign(lexer, ',');
      const uint64_t max = MIN2(bit_mask(field->size_B * 8), field->most);
      nir_field_set(&p->shader->info, field->offset_B + i * field->size_B, field->size_B,
                    nir_lexer_expect_number(lexer, max));
   }
}

/* Numbers with commas between, each at most its limit. */
static void
parse_numbers(struct nir_lexer *lexer, unsigned count, const uint16_t *limits, uint16_t *numbers)
{
   for (unsigned i = 0; i < count; i++) {
      if (i)
         nir_lexer_expect_sign(lexer, ',');
      numbers[i] = (uint16_t)nir_lexer_expect_number(lexer, limits[i]);
   }
}

/* Buffer, stream, bytes of a vertex. */
static void
parse_xfb_buffer(struct nir_parser *p)
{
   static const uint16_t limits[] = {NIR_XFB_BUFFERS - 1, NIR_XFB_STREAMS - 1, NIR_XFB_MAX_STRIDE_B};
   struct nir_xfb *xfb = &p->shader->info.xfb;
   uint16_t n[ARRAY_SIZE(limits)];
   parse_numbers(&p->lexer, ARRAY_SIZE(limits), limits, n);
   xfb->captures = true;
   xfb->buffers |= (uint8_t)(1u << n[0]);
   xfb->streams[n[0]] = (uint8_t)n[1];
   xfb->stride_B[n[0]] = n[2];
}

/* Buffer, slot, first component, number of components, offset in bytes. */
static void
parse_xfb_output(struct nir_parser *p)
{
   static const uint16_t limits[] = {NIR_XFB_BUFFERS - 1, NIR_SLOT_COUNT - 1, 3, 4, NIR_XFB_MAX_STRIDE_B - 4};
   struct nir_xfb *xfb = &p->shader->info.xfb;
   uint16_t n[ARRAY_SIZE(limits)];
   if (xfb->num_outputs == NIR_XFB_MAX_OUTPUTS)
      nir_lexer_fail(&p->lexer, "too many captured outputs");
   parse_numbers(&p->lexer, ARRAY_SIZE(limits), limits, n);
   if (n[2] + n[3] > 4)
      nir_lexer_fail(&p->lexer, "a slot has four components");
   xfb->outputs[xfb->num_outputs++] =
      (struct nir_xfb_output){(uint8_t)n[0], (uint8_t)n[1], (uint8_t)n[2], (uint8_t)n[3], n[4]};
}

static void
parse_initializer(struct nir_parser *p, struct nir_variable *variable)
{
   struct nir_lexer *lexer = &p->lexer;
   /* In 64 bits: nested arrays may not overflow the count of their scalars. */
   uint64_t count = 1;
   const struct nir_type *type = variable->type;
   for (; type->base == NIR_TYPE_ARRAY && count <= NIR_MAX_INITIALIZER; type = type->element)
      count *= type->length;
   if (count > NIR_MAX_INITIALIZER || nir_type_scalars(variable->type) > NIR_MAX_INITIALIZER)
      nir_lexer_fail(lexer, "an initializer of more than 4194304 scalars");
   unsigned scalars = nir_type_scalars(variable->type), capacity = 0;
   union nir_const_value *values = NULL; /* grows with the text */
   nir_lexer_expect_sign(lexer, '=');
   nir_lexer_expect_sign(lexer, '(');
   for (unsigned i = 0; i < scalars; i++) {
      if (i)
         nir_lexer_expect_sign(lexer, ',');
      values = arena_room(lexer->arena, values, sizeof(*values), i, &capacity);
      values[i].u64 = nir_lexer_expect_number(lexer, UINT64_MAX);
   }
   nir_lexer_expect_sign(lexer, ')');
   variable->initializer = values;
}

/* False if the word is not an attribute. */
static bool
parse_variable_field(struct nir_parser *p, struct nir_variable *variable)
{
   struct nir_lexer *lexer = &p->lexer;
   if (nir_lexer_accept_word(lexer, "init")) {
      parse_initializer(p, variable);
      return true;
   }
   for (unsigned i = 0; i < nir_variable_field_count; i++) {
      const struct nir_variable_field *field = &nir_variable_fields[i];
      if (!nir_lexer_accept_word(lexer, field->name))
         continue;
      uint64_t value = 1;
      if (!field->is_flag) {
         nir_lexer_expect_sign(lexer, '=');
         value =
            field->words && lexer->token == NIR_TOKEN_WORD
               ? nir_lexer_expect_word_of(lexer, field->words, "a known word")
               : nir_lexer_expect_number(lexer, field->words ? field->words->count - 1 : bit_mask(field->size_B * 8));
      }
      nir_field_set(variable, field->offset_B, field->size_B, value);
      return true;
   }
   return false;
}

static void
parse_variable(struct nir_parser *p)
{
   struct nir_lexer *lexer = &p->lexer;
   uint32_t index = nir_lexer_expect_name(lexer, 'v');
   uint32_t mode = 1u << nir_lexer_expect_word_of(lexer, &nir_mode_words, "variable mode");
   p->type_fields = 0;
   const struct nir_type *type = nir_parse_type(p);
   const char *name = NULL;
   if (lexer->token == NIR_TOKEN_STRING) {
      name = lexer->string;
      nir_lexer_next(lexer);
   }
   struct nir_variable *variable = nir_variable_create(p->shader, mode, type, name);
   variable->index = index;
   if (hash_find(&p->variables, &index, sizeof(index)))
      nir_lexer_fail(lexer, "the variable is there already");
   hash_add(&p->variables, &variable->index, sizeof(variable->index), variable);
   p->shader->next_index = MAX2(p->shader->next_index, index + 1);
   while (lexer->token == NIR_TOKEN_WORD && parse_variable_field(p, variable))
      ;
}

/* ---- control flow ---- */

static void parse_list(struct nir_parser *p, struct list_head *list);

/* The list starts with an empty block; fills it or appends one. */
static void
parse_block(struct nir_parser *p, struct nir_block *block)
{
   struct nir_lexer *lexer = &p->lexer;
   uint32_t index = nir_lexer_expect_name(lexer, 'b');
   nir_lexer_expect_sign(lexer, ':');
   if (hash_find(&p->blocks, &index, sizeof(index)))
      nir_lexer_fail(lexer, "the block is there already");
   block->index = index;
   hash_add(&p->blocks, &block->index, sizeof(block->index), block);
   while (nir_parse_instr(p, block))
      ;
}

static void
parse_if(struct nir_parser *p, struct nir_block *before)
{
   struct nir_def *condition = nir_parse_value(p);
   struct nir_cursor end = nir_block_last(before) ? nir_after_instr(nir_block_last(before)) : nir_after_block(before);
   struct nir_if *nif = nir_if_insert(p->shader, end, condition);
   nif->flatten = nir_lexer_accept_word(&p->lexer, "flatten");
   nif->dont_flatten = nir_lexer_accept_word(&p->lexer, "dont_flatten");
   nir_lexer_expect_sign(&p->lexer, '{');
   parse_list(p, &nif->then_list);
   if (!nir_lexer_accept_word(&p->lexer, "else"))
      nir_lexer_fail(&p->lexer, "else expected");
   nir_lexer_expect_sign(&p->lexer, '{');
   parse_list(p, &nif->else_list);
}

static void
parse_loop(struct nir_parser *p, struct nir_block *before)
{
   struct nir_cursor end = nir_block_last(before) ? nir_after_instr(nir_block_last(before)) : nir_after_block(before);
   struct nir_loop *loop = nir_loop_insert(p->shader, end);
   loop->unroll = nir_lexer_accept_word(&p->lexer, "unroll");
   loop->dont_unroll = nir_lexer_accept_word(&p->lexer, "dont_unroll");
   nir_lexer_expect_sign(&p->lexer, '{');
   parse_list(p, &loop->body);
}

static void
parse_list(struct nir_parser *p, struct list_head *list)
{
   struct nir_lexer *lexer = &p->lexer;
   enter(p);
   struct nir_block *block = nir_cf_list_last(list);
   for (;;) {
      if (!nir_lexer_accept_word(lexer, "block"))
         nir_lexer_fail(lexer, "block or instruction expected");
      parse_block(p, block);
      if (nir_lexer_accept_sign(lexer, '}'))
         break;
      if (nir_block_jump(block))
         nir_lexer_fail(lexer, "a jump must end the list of its block");
      if (nir_lexer_accept_word(lexer, "if"))
         parse_if(p, block);
      else if (nir_lexer_accept_word(lexer, "loop"))
         parse_loop(p, block);
      else
         nir_lexer_fail(lexer, "instruction, if, loop or } expected");
      block = nir_cf_list_last(list);
   }
   p->depth--;
}

static void
resolve_phis(struct nir_parser *p)
{
   dynarray_for_each(struct nir_parse_phi_src, src, &p->phi_srcs) {
      struct nir_block *pred = hash_find(&p->blocks, &src->pred, sizeof(src->pred));
      struct nir_def *def = hash_find(&p->defs, &src->def, sizeof(src->def));
      if (!pred || !def)
         nir_lexer_fail_at(&p->lexer, src->place, "a phi names a block or value that is not there");
      nir_phi_add_src(p->shader, src->phi, pred, def);
   }
}

static void
parse_shader(struct nir_parser *p)
{
   struct nir_lexer *lexer = &p->lexer;
   if (!nir_lexer_accept_word(lexer, "shader"))
      nir_lexer_fail(lexer, "shader expected");
   enum nir_stage stage = nir_lexer_expect_word_of(lexer, &nir_stage_words, "shader stage");
   p->shader = nir_shader_create(lexer->arena, stage);
   if (lexer->token == NIR_TOKEN_STRING) {
      p->shader->name = lexer->string;
      nir_lexer_next(lexer);
   }
   while (nir_lexer_accept_word(lexer, "info"))
      parse_info(p);
   while (nir_lexer_accept_word(lexer, "xfb_buffer"))
      parse_xfb_buffer(p);
   while (nir_lexer_accept_word(lexer, "xfb_output"))
      parse_xfb_output(p);
   while (nir_lexer_accept_word(lexer, "type"))
      define_type(p);
   while (nir_lexer_accept_word(lexer, "var"))
      parse_variable(p);
   nir_lexer_expect_sign(lexer, '{');
   parse_list(p, &p->shader->body);
   if (lexer->token != NIR_TOKEN_END)
      nir_lexer_fail(lexer, "the text continues after the shader");
   resolve_phis(p);
   lexer->error = nir_validate(p->shader);
}

struct nir_shader *
nir_parse(struct arena *arena, const char *text, const char **error)
{
   struct nir_parser p = {0};
   if (!setjmp(p.lexer.fail)) {
      nir_lexer_start(&p.lexer, arena, text);
      parse_shader(&p);
   }
   hash_free(&p.defs);
   hash_free(&p.blocks);
   hash_free(&p.variables);
   hash_free(&p.types);
   dynarray_free(&p.phi_srcs);
   if (error)
      *error = p.lexer.error;
   return p.lexer.error ? NULL : p.shader;
}
