/* Text to instructions: the rows with the mnemonic, and for each the words that its places can be. */
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "asahi/hw/isa/isa_tables.h"

#define TOKENS_MAX 24
#define TEXT_MAX 192

struct tokens {
   unsigned count;
   char *text[TOKENS_MAX];
};

static char *
trim(char *text)
{
   while (*text == ' ' || *text == '\t')
      text++;
   for (size_t n = strlen(text); n && (text[n - 1] == ' ' || text[n - 1] == '\t'); n--)
      text[n - 1] = 0;
   return text;
}

/* The mnemonic, then what stands between commas; text is written to. */
static bool
split(char *text, struct tokens *tokens)
{
   text = trim(text);
   tokens->count = 0;
   tokens->text[tokens->count++] = text;
   char *rest = text + strcspn(text, " \t");
   if (!*rest)
      return *text;
   *rest++ = 0;
   for (char *comma = rest; comma; rest = comma + 1) {
      comma = strchr(rest, ',');
      if (comma)
         *comma = 0;
      if (tokens->count == TOKENS_MAX)
         return false;
      tokens->text[tokens->count++] = trim(rest);
      if (!comma)
         break;
   }
   return true;
}

static bool
parse_number(const char *text, long long low, long long high, long long *value)
{
   char *end;
   errno = 0;
   *value = strtoll(text, &end, 10);
   return end != text && !*end && !errno && *value >= low && *value <= high &&
          (*text == '-' || (*text >= '0' && *text <= '9'));
}

/* Removes a suffix. */
static bool
take_suffix(char *text, const char *suffix)
{
   size_t have = strlen(text), want = strlen(suffix);
   if (have < want || strcmp(text + have - want, suffix))
      return false;
   text[have - want] = 0;
   return true;
}

/* One register of a list like r1l_r1h: its kind, size and first half. */
static bool
parse_register(char *text, struct agx_operand *o)
{
   o->size = 32;
   if (*text == 'd') {
      o->size = 64;
      text++;
   }
   if (*text != 'r' && *text != 'u')
      return false;
   o->kind = *text++ == 'r' ? AGX_REG : AGX_UNIFORM;
   bool high = o->size == 32 && take_suffix(text, "h");
   if (high || (o->size == 32 && take_suffix(text, "l")))
      o->size = 16;
   long long number;
   if (!parse_number(text, 0, 255, &number))
      return false;
   o->value = (int32_t)number * 2 + high;
   return true;
}

static bool
parse_registers(char *text, struct agx_operand *o)
{
   for (char *next = text; next; text = next + 1) {
      next = strchr(text, '_');
      if (next)
         *next = 0;
      struct agx_operand one = {0};
      if (!parse_register(text, &one))
         return false;
      if (!o->count) {
         o->kind = one.kind;
         o->size = one.size;
         o->value = one.value;
      }
      if (one.kind != o->kind || one.size != o->size || one.value != o->value + o->count * o->size / 16)
         return false;
      o->count++;
      if (!next)
         break;
   }
   return true;
}

/* A float as it is printed. */
static bool
parse_minifloat(const char *text, struct agx_operand *o)
{
   char *end;
   double value = strtod(text, &end);
   if (*end || end == text || !strpbrk(text, "."))
      return false;
   for (unsigned code = 0; code < 256; code++) {
      double its = (double)agx_isa_minifloat(code);
      if (its >= value && its <= value && (code >> 7) == (*text == '-')) {
         *o = (struct agx_operand){.kind = AGX_FIMM, .value = (int32_t)code, .abs = o->abs, .neg = o->neg};
         return true;
      }
   }
   return false;
}

static bool
parse_state(const char *text, struct agx_operand *o)
{
   static const struct {
      const char *prefix;
      enum agx_kind kind;
   } kinds[] = {{"cf", AGX_CF}, {"ts", AGX_TS}, {"ss", AGX_SS}};
   for (unsigned i = 0; i < sizeof(kinds) / sizeof(kinds[0]); i++) {
      long long number;
      if (strncmp(text, kinds[i].prefix, 2) || !parse_number(text + 2, 0, 255, &number))
         continue;
      o->kind = (uint8_t)kinds[i].kind;
      o->value = (int32_t)number;
      return true;
   }
   return false;
}

/* Immediates come back as AGX_IMM; only the place knows whether their sign is extended. */
static bool
parse_operand(const char *token, struct agx_operand *o)
{
   char copy[TEXT_MAX];
   if (strlen(token) >= sizeof(copy))
      return false;
   char *text = strcpy(copy, token);
   *o = (struct agx_operand){0};
   o->discard = *text == '^';
   text += o->discard;
   o->cache = *text == '$';
   text += o->cache;
   o->sext = take_suffix(text, ".sx");
   o->neg = take_suffix(text, ".neg");
   o->abs = take_suffix(text, ".abs");
   long long number;
   if (parse_number(text, INT32_MIN, INT32_MAX, &number)) {
      o->kind = AGX_IMM;
      o->value = (int32_t)number;
      return true;
   }
   return parse_state(text, o) || parse_minifloat(text, o) || parse_registers(text, o);
}

struct search {
   const struct isa_row *row;
   struct tokens tokens;
   struct agx_inst inst;
   const char *want; /* the text, as it was given */
};

static bool try_place(struct search *s, unsigned place, unsigned token);

/* White space between words does not matter. */
static bool
same_text(const char *a, const char *b)
{
   for (;;) {
      while (*a == ' ' || *a == '\t')
         a++;
      while (*b == ' ' || *b == '\t')
         b++;
      if (*a != *b)
         return false;
      if (!*a)
         return true;
      a++;
      b++;
   }
}

static bool
try_operand(struct search *s, const struct isa_place *place, unsigned n, unsigned token)
{
   struct agx_operand *o = isa_operand(&s->inst, place);
   bool last = token == s->tokens.count, nothing = !last && !strcmp(s->tokens.text[token], "_");
   if (place->index == 0 && nothing)
      return try_place(s, n + 1, token + 1);
   if (!last && parse_operand(s->tokens.text[token], o)) {
      struct agx_operand with_sign = *o;
      with_sign.kind = AGX_SIMM;
      with_sign.sext = true;
      bool is_number = o->kind == AGX_IMM;
      if (is_number && agx_isa_takes(s->inst.op, place->index - 1, &with_sign)) {
         struct agx_operand unsigned_one = *o;
         *o = with_sign;
         if (try_place(s, n + 1, token + 1))
            return true;
         *o = unsigned_one;
      }
      if (agx_isa_takes(s->inst.op, place->index - 1, o) && try_place(s, n + 1, token + 1))
         return true;
   }
   *o = (struct agx_operand){0};
   return place->index && agx_isa_takes(s->inst.op, place->index - 1, o) && try_place(s, n + 1, token);
}

static bool
try_enum(struct search *s, const struct isa_place *place, unsigned n, unsigned token)
{
   for (unsigned i = isa_enum_first[place->values]; i < isa_enum_first[place->values + 1]; i++) {
      const struct isa_enum_value *v = &isa_enum_values[i];
      if (*v->text && (token == s->tokens.count || strcmp(v->text, s->tokens.text[token])))
         continue;
      *isa_modifier(&s->inst.mod, place) = v->value;
      if (try_place(s, n + 1, token + (*v->text != 0)))
         return true;
   }
   return false;
}

static bool
try_number(struct search *s, const struct isa_place *place, unsigned n, unsigned token)
{
   long long low = place->how == ISA_SIGNED ? INT32_MIN : 0, high = place->how == ISA_SIGNED ? INT32_MAX : UINT32_MAX;
   long long value;
   if (token == s->tokens.count || !parse_number(s->tokens.text[token], low, high, &value))
      return false;
   *isa_modifier(&s->inst.mod, place) = (uint32_t)value;
   return try_place(s, n + 1, token + 1);
}

static bool
finish(struct search *s)
{
   uint8_t bytes[AGX_INST_MAX_B];
   char text[TEXT_MAX];
   return agx_isa_encode(&s->inst, bytes) && agx_isa_decode(bytes, s->inst.size_B, &s->inst) &&
          agx_isa_print(&s->inst, text, sizeof(text)) < (int)sizeof(text) && same_text(text, s->want);
}

/* Continues with place n of the row at this token. */
static bool
try_place(struct search *s, unsigned n, unsigned token)
{
   if (n == s->row->places)
      return token == s->tokens.count && finish(s);
   const struct isa_place *place = &isa_places[s->row->first + n];
   switch ((enum isa_how)place->how) {
   case ISA_OPERAND:
      return try_operand(s, place, n, token);
   case ISA_ENUM:
      return try_enum(s, place, n, token);
   case ISA_NUMBER:
   case ISA_SIGNED:
      return try_number(s, place, n, token);
   case ISA_FLAG:
      break;
   }
   bool stands = token < s->tokens.count && !strcmp(place->name, s->tokens.text[token]);
   *isa_modifier(&s->inst.mod, place) = stands;
   return try_place(s, n + 1, token + stands);
}

bool
agx_isa_parse(const char *text, struct agx_inst *inst)
{
   char copy[TEXT_MAX];
   struct search s = {.want = text};
   if (strlen(text) >= sizeof(copy) || !split(strcpy(copy, text), &s.tokens))
      return false;
   for (unsigned op = 0; op < AGX_OP_COUNT; op++) {
      s.row = &isa_rows[op];
      if (strcmp(agx_op_infos[op].text, s.tokens.text[0]))
         continue;
      s.inst = (struct agx_inst){.op = (uint16_t)op, .long_form = s.row->long_text};
      if (try_place(&s, 0, 1)) {
         *inst = s.inst;
         return true;
      }
   }
   return false;
}
