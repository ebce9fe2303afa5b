/* Reads one instruction of the text form. */
#include <string.h>

#include "compiler/nir/nir_cf.h"
#include "compiler/nir/nir_parse_internal.h"
#include "util/macros.h"

/* Shape that stands before '='. */
struct shape {
   bool there;
   unsigned bits, components;
   uint32_t index;
};

struct nir_def *
nir_parse_value(struct nir_parser *p)
{
   nir_lexer_expect_sign(&p->lexer, '%');
   uint32_t index = (uint32_t)nir_lexer_expect_number(&p->lexer, NIR_PARSE_MAX_INDEX);
   struct nir_def *def = hash_find(&p->defs, &index, sizeof(index));
   if (!def)
      nir_lexer_fail(&p->lexer, arena_printf(p->lexer.arena, "%%%u is not defined before", index));
   return def;
}

/* Gives the value its shape and number and inserts. */
static void
finish(struct nir_parser *p, struct nir_block *block, const struct shape *shape, struct nir_instr *instr,
       struct nir_def *def)
{
   if (shape->there != !!def)
      nir_lexer_fail(&p->lexer, def ? "the instruction has a result: bits x components %number = expected"
                                    : "the instruction has no result");
   if (def) {
      nir_def_init(p->shader, instr, def, shape->components, shape->bits);
      def->index = shape->index;
      if (hash_find(&p->defs, &def->index, sizeof(def->index)))
         nir_lexer_fail(&p->lexer, "the value is there already");
      hash_add(&p->defs, &def->index, sizeof(def->index), def);
      p->shader->next_index = MAX2(p->shader->next_index, def->index + 1);
   }
   if (nir_block_jump(block))
      nir_lexer_fail(&p->lexer, "an instruction after a jump");
   struct nir_instr *last = nir_block_last(block);
   nir_instr_insert(last ? nir_after_instr(last) : nir_after_block(block), instr);
}

static void
parse_swizzle(struct nir_parser *p, struct nir_alu_src *src)
{
   struct nir_lexer *lexer = &p->lexer;
   if (!nir_lexer_accept_sign(lexer, '.'))
      return;
   if (lexer->token != NIR_TOKEN_WORD || lexer->length > 4)
      nir_lexer_fail(lexer, "up to four components of xyzw expected");
   for (size_t i = 0; i < lexer->length; i++) {
      const char *component = strchr("xyzw", lexer->start[i]);
      if (!component)
         nir_lexer_fail(lexer, "up to four components of xyzw expected");
      src->swizzle[i] = (uint8_t)(component - "xyzw");
   }
   nir_lexer_next(lexer);
}

static void
parse_alu(struct nir_parser *p, struct nir_block *block, const struct shape *shape, enum nir_op op, bool exact)
{
   struct nir_alu_instr *alu = nir_alu_create(p->shader, op);
   alu->exact = exact;
   for (unsigned i = 0; i < nir_op_infos[op].num_srcs; i++) {
      if (i)
         nir_lexer_expect_sign(&p->lexer, ',');
      nir_src_init(&alu->src[i].src, nir_parse_value(p));
      parse_swizzle(p, &alu->src[i]);
   }
   finish(p, block, shape, &alu->instr, &alu->def);
}

static void
parse_const(struct nir_parser *p, struct nir_block *block, const struct shape *shape)
{
   if (!shape->there)
      nir_lexer_fail(&p->lexer, "const has a result");
   struct nir_load_const_instr *load = nir_load_const_create(p->shader, shape->components, shape->bits);
   for (unsigned i = 0; i < shape->components; i++) {
      if (i)
         nir_lexer_expect_sign(&p->lexer, ',');
      load->value[i].u64 = nir_lexer_expect_number(&p->lexer, bit_mask(shape->bits));
   }
   finish(p, block, shape, &load->instr, &load->def);
}

static struct nir_deref_instr *
parent_deref(struct nir_parser *p, struct nir_deref_instr *deref)
{
   struct nir_def *def = nir_parse_value(p);
   if (def->parent->type != NIR_INSTR_DEREF)
      nir_lexer_fail(&p->lexer, "the value is not a deref");
   struct nir_deref_instr *parent = nir_as_deref(def->parent);
   nir_src_init(&deref->parent, def);
   deref->mode = parent->mode;
   return parent;
}

static void
parse_deref_path(struct nir_parser *p, struct nir_deref_instr *deref)
{
   struct nir_lexer *lexer = &p->lexer;
   const struct nir_type *type = parent_deref(p, deref)->type;
   if (deref->deref_type == NIR_DEREF_STRUCT) {
      nir_lexer_expect_sign(lexer, '.');
      deref->field = (uint32_t)nir_lexer_expect_number(lexer, UINT32_MAX);
      if (type->base != NIR_TYPE_STRUCT || deref->field >= type->num_fields)
         nir_lexer_fail(lexer, "the type has no such field");
      deref->type = type->fields[deref->field].type;
      return;
   }
   nir_lexer_expect_sign(lexer, '[');
   nir_src_init(&deref->index, nir_parse_value(p));
   nir_lexer_expect_sign(lexer, ']');
   if (type->base != NIR_TYPE_ARRAY && !(nir_type_is_numeric(type) && (type->columns > 1 || type->components > 1)))
      nir_lexer_fail(lexer, "the type has no elements");
   deref->type = nir_type_element(type);
}

static void
parse_deref(struct nir_parser *p, struct nir_block *block, const struct shape *shape, enum nir_deref_type type)
{
   struct nir_lexer *lexer = &p->lexer;
   struct nir_deref_instr *deref = nir_deref_create(p->shader, type);
   if (type == NIR_DEREF_VAR) {
      uint32_t index = nir_lexer_expect_name(lexer, 'v');
      deref->var = hash_find(&p->variables, &index, sizeof(index));
      if (!deref->var)
         nir_lexer_fail(lexer, "no such variable");
      deref->type = deref->var->type;
      deref->mode = deref->var->mode;
   } else if (type == NIR_DEREF_CAST) {
      nir_src_init(&deref->parent, nir_parse_value(p));
      deref->mode = 1u << nir_lexer_expect_word_of(lexer, &nir_mode_words, "variable mode");
      p->type_fields = 0;
      deref->type = nir_parse_type(p);
   } else {
      parse_deref_path(p, deref);
   }
   finish(p, block, shape, &deref->instr, &deref->def);
}

/* Next token after the current word, on a copy. */
static bool
followed_by(const struct nir_lexer *lexer, char sign)
{
   const char *c = lexer->position;
   while (*c == ' ' || *c == '\t')
      c++;
   return *c == sign;
}

static void
parse_index(struct nir_parser *p, struct nir_intrinsic_instr *instr)
{
   struct nir_lexer *lexer = &p->lexer;
   enum nir_index index = nir_index_from_name(lexer->start, lexer->length);
   if (index == NIR_INDEX_COUNT || !nir_intrinsic_has_index(instr, index))
      nir_lexer_fail(lexer, "the intrinsic has no such constant operand");
   nir_lexer_next(lexer);
   nir_lexer_expect_sign(lexer, '=');
   const struct nir_words *words = nir_index_words(index);
   int32_t value;
   if (index == NIR_INDEX_reduction_op && lexer->token == NIR_TOKEN_WORD) {
      value = (int32_t)nir_op_from_name(lexer->start, lexer->length);
      if (value == NIR_OP_COUNT)
         nir_lexer_fail(lexer, "no such opcode");
      nir_lexer_next(lexer);
   } else if (words && lexer->token == NIR_TOKEN_WORD) {
      value = (int32_t)nir_lexer_expect_word_of(lexer, words, "a known word");
   } else {
      value = nir_lexer_expect_int(lexer);
   }
   *nir_intrinsic_index_slot(instr, index) = value;
}

static void
parse_intrinsic(struct nir_parser *p, struct nir_block *block, const struct shape *shape, enum nir_intrinsic_op op)
{
   struct nir_lexer *lexer = &p->lexer;
   const struct nir_intrinsic_info *info = &nir_intrinsic_infos[op];
   struct nir_intrinsic_instr *instr = nir_intrinsic_create(p->shader, op);
   nir_lexer_expect_sign(lexer, '(');
   for (unsigned i = 0; i < info->num_srcs; i++) {
      if (i)
         nir_lexer_expect_sign(lexer, ',');
      struct nir_def *def = nir_parse_value(p);
      nir_src_init(&instr->src[i], def);
      if (info->src_components[i] == 0 && !instr->num_components)
         instr->num_components = def->num_components;
   }
   nir_lexer_expect_sign(lexer, ')');
   while (lexer->token == NIR_TOKEN_WORD && followed_by(lexer, '='))
      parse_index(p, instr);
   if (info->has_dest && !info->dest_components)
      instr->num_components = (uint8_t)shape->components;
   finish(p, block, shape, &instr->instr, info->has_dest ? &instr->def : NULL);
}

static void
parse_tex_srcs(struct nir_parser *p, struct nir_tex_instr *tex)
{
   struct nir_lexer *lexer = &p->lexer;
   nir_lexer_expect_sign(lexer, '(');
   while (!nir_lexer_accept_sign(lexer, ')')) {
      if (tex->num_srcs)
         nir_lexer_expect_sign(lexer, ',');
      if (tex->num_srcs == NIR_TEX_MAX_SRCS)
         nir_lexer_fail(lexer, "too many sources");
      enum nir_tex_src_type type = nir_lexer_expect_word_of(lexer, &nir_tex_src_words, "texture source");
      nir_lexer_expect_sign(lexer, ':');
      nir_tex_add_src(tex, type, nir_parse_value(p));
   }
}

static void
parse_tex(struct nir_parser *p, struct nir_block *block, const struct shape *shape, enum nir_tex_op op)
{
   struct nir_lexer *lexer = &p->lexer;
   struct nir_tex_instr *tex = nir_tex_create(p->shader, op);
   tex->dim = nir_lexer_expect_word_of(lexer, &nir_dim_words, "dimension");
   tex->dest_type = nir_lexer_expect_word_of(lexer, &nir_base_words, "base type");
   tex->is_array = nir_lexer_accept_word(lexer, "array");
   tex->is_shadow = nir_lexer_accept_word(lexer, "shadow");
   tex->is_sparse = nir_lexer_accept_word(lexer, "sparse");
   if (nir_lexer_accept_word(lexer, "gather")) {
      nir_lexer_expect_sign(lexer, '=');
      tex->gather_component = (uint8_t)nir_lexer_expect_number(lexer, 3);
   }
   if (nir_lexer_accept_word(lexer, "offsets")) {
      tex->has_gather_offsets = true;
      nir_lexer_expect_sign(lexer, '=');
      for (unsigned i = 0; i < 8; i++) {
         nir_lexer_expect_sign(lexer, i ? ',' : '(');
         tex->gather_offsets[i / 2][i % 2] = (int8_t)nir_lexer_expect_int(lexer);
      }
      nir_lexer_expect_sign(lexer, ')');
   }
   parse_tex_srcs(p, tex);
   finish(p, block, shape, &tex->instr, &tex->def);
}

static void
parse_phi(struct nir_parser *p, struct nir_block *block, const struct shape *shape)
{
   struct nir_lexer *lexer = &p->lexer;
   struct nir_phi_instr *phi = nir_phi_create(p->shader);
   finish(p, block, shape, &phi->instr, &phi->def);
   if (lexer->token != NIR_TOKEN_WORD || !followed_by(lexer, ':'))
      return; /* a phi of an unreachable block */
   do {
      struct nir_parse_phi_src src = {.phi = phi, .place = nir_lexer_place(lexer)};
      src.pred = nir_lexer_expect_name(lexer, 'b');
      nir_lexer_expect_sign(lexer, ':');
      nir_lexer_expect_sign(lexer, '%');
      src.def = (uint32_t)nir_lexer_expect_number(lexer, NIR_PARSE_MAX_INDEX);
      dynarray_append(&p->phi_srcs, struct nir_parse_phi_src, src);
   } while (nir_lexer_accept_sign(lexer, ','));
}

static struct shape
parse_shape(struct nir_parser *p)
{
   struct nir_lexer *lexer = &p->lexer;
   struct shape shape = {.there = true};
   shape.bits = (unsigned)nir_lexer_expect_number(lexer, 64);
   if (shape.bits != 1 && shape.bits != 8 && shape.bits != 16 && shape.bits != 32 && shape.bits != 64)
      nir_lexer_fail(lexer, "a value has 1, 8, 16, 32 or 64 bits");
   shape.components = nir_lexer_expect_name(lexer, 'x');
   if (shape.components < 1 || shape.components > NIR_MAX_COMPONENTS)
      nir_lexer_fail(lexer, "a value has 1 to 4 components");
   nir_lexer_expect_sign(lexer, '%');
   shape.index = (uint32_t)nir_lexer_expect_number(lexer, NIR_PARSE_MAX_INDEX);
   nir_lexer_expect_sign(lexer, '=');
   return shape;
}

static bool
parse_jump(struct nir_parser *p, struct nir_block *block, const struct shape *shape)
{
   static const char *const words[] = {"break", "continue", "halt"};
   for (unsigned i = 0; i < ARRAY_SIZE(words); i++) {
      if (nir_lexer_accept_word(&p->lexer, words[i])) {
         if (i != NIR_JUMP_HALT && !nir_cf_loop_around(&block->cf))
            nir_lexer_fail(&p->lexer, "break or continue outside a loop");
         finish(p, block, shape, &nir_jump_create(p->shader, (enum nir_jump_type)i)->instr, NULL);
         return true;
      }
   }
   return false;
}

/* What starts with a word of its own. */
static bool
parse_special(struct nir_parser *p, struct nir_block *block, const struct shape *shape)
{
   static const char *const derefs[] = {"deref_var", "deref_array", "deref_struct", "deref_cast"};
   struct nir_lexer *lexer = &p->lexer;
   for (unsigned i = 0; i < ARRAY_SIZE(derefs); i++) {
      if (nir_lexer_accept_word(lexer, derefs[i])) {
         parse_deref(p, block, shape, (enum nir_deref_type)i);
         return true;
      }
   }
   if (nir_lexer_accept_word(lexer, "const")) {
      parse_const(p, block, shape);
      return true;
   }
   if (nir_lexer_accept_word(lexer, "phi")) {
      parse_phi(p, block, shape);
      return true;
   }
   if (nir_lexer_accept_word(lexer, "undef")) {
      struct nir_undef_instr *undef = nir_undef_create(p->shader, 1, 32);
      finish(p, block, shape, &undef->instr, &undef->def);
      return true;
   }
   return parse_jump(p, block, shape);
}

bool
nir_parse_instr(struct nir_parser *p, struct nir_block *block)
{
   struct nir_lexer *lexer = &p->lexer;
   struct shape shape = {};
   if (lexer->token == NIR_TOKEN_NUMBER)
      shape = parse_shape(p);
   else if (lexer->token != NIR_TOKEN_WORD || nir_lexer_is_word(lexer, "block") || nir_lexer_is_word(lexer, "if") ||
            nir_lexer_is_word(lexer, "loop"))
      return false;
   if (lexer->token != NIR_TOKEN_WORD)
      nir_lexer_fail(lexer, "instruction expected");
   if (parse_special(p, block, &shape))
      return true;
   bool exact = nir_lexer_accept_word(lexer, "exact");
   const char *word = lexer->start;
   size_t length = lexer->token == NIR_TOKEN_WORD ? lexer->length : 0;
   enum nir_op op = nir_op_from_name(word, length);
   if (op != NIR_OP_COUNT) {
      nir_lexer_next(lexer);
      parse_alu(p, block, &shape, op, exact);
      return true;
   }
   enum nir_intrinsic_op intrinsic = nir_intrinsic_from_name(word, length);
   int tex = nir_word_find(&nir_tex_op_words, word, length);
   if (exact || (intrinsic == NIR_INTRINSIC_COUNT && tex < 0))
      nir_lexer_fail(lexer, "no such instruction");
   nir_lexer_next(lexer);
   if (intrinsic != NIR_INTRINSIC_COUNT)
      parse_intrinsic(p, block, &shape, intrinsic);
   else
      parse_tex(p, block, &shape, (enum nir_tex_op)tex);
   return true;
}
