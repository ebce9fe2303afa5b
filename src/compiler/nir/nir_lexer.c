#include "compiler/nir/nir_lexer.h"

#include <string.h>

struct nir_lexer_place
nir_lexer_place(const struct nir_lexer *lexer)
{
   return (struct nir_lexer_place){lexer->line, (unsigned)(lexer->start - lexer->line_start) + 1};
}

void
nir_lexer_fail_at(struct nir_lexer *lexer, struct nir_lexer_place place, const char *what)
{
   lexer->error = arena_printf(lexer->arena, "line %u, column %u: %s", place.line, place.column, what);
   longjmp(lexer->fail, 1);
}

void
nir_lexer_fail(struct nir_lexer *lexer, const char *what)
{
   nir_lexer_fail_at(lexer, nir_lexer_place(lexer), what);
}

static bool
is_letter(char c)
{
   return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_';
}

static bool
is_digit(char c)
{
   return c >= '0' && c <= '9';
}

static void
skip_space(struct nir_lexer *lexer)
{
   for (;; lexer->position++) {
      if (*lexer->position == '#')
         lexer->position += strcspn(lexer->position, "\n");
      if (*lexer->position == '\n') {
         lexer->line++;
         lexer->line_start = lexer->position + 1;
      } else if (*lexer->position != ' ' && *lexer->position != '\t' && *lexer->position != '\r') {
         return;
      }
   }
}

static int
hex_digit(char c)
{
   return is_digit(c) ? c - '0' : c >= 'a' && c <= 'f' ? c - 'a' + 10 : c >= 'A' && c <= 'F' ? c - 'A' + 10 : -1;
}

static void
lex_number(struct nir_lexer *lexer)
{
   const char *c = lexer->position;
   bool minus = *c == '-';
   c += minus;
   unsigned base = c[0] == '0' && c[1] == 'x' && hex_digit(c[2]) >= 0 ? 16 : 10;
   c += base == 16 ? 2 : 0;
   uint64_t value = 0;
   for (; (base == 16 && hex_digit(*c) >= 0) || is_digit(*c); c++) {
      if (value > (UINT64_MAX - 15) / base)
         if (value > UINT64_MAX / base || value * base > UINT64_MAX - (uint64_t)hex_digit(*c))
            nir_lexer_fail(lexer, "a number of more than 64 bits");
      value = value * base + (uint64_t)hex_digit(*c);
   }
   lexer->token = NIR_TOKEN_NUMBER;
   lexer->number = minus ? -value : value;
   lexer->position = c;
}

static void
lex_string(struct nir_lexer *lexer)
{
   const char *c = lexer->position + 1;
   char *out = arena_alloc(lexer->arena, strcspn(c, "\n") + 1);
   lexer->string = out;
   for (; *c != '"'; c++) {
      if (!*c || *c == '\n')
         nir_lexer_fail(lexer, "a string without an end");
      if (*c != '\\') {
         *out++ = *c;
      } else if (c[1] == '"' || c[1] == '\\') {
         *out++ = *++c;
      } else if (c[1] == 'x' && hex_digit(c[2]) >= 0 && hex_digit(c[3]) >= 0 && (c[2] != '0' || c[3] != '0')) {
         *out++ = (char)(hex_digit(c[2]) * 16 + hex_digit(c[3]));
         c += 3;
      } else {
         nir_lexer_fail(lexer, "an unknown escape in a string");
      }
   }
   *out = 0;
   lexer->token = NIR_TOKEN_STRING;
   lexer->position = c + 1;
}

void
nir_lexer_next(struct nir_lexer *lexer)
{
   skip_space(lexer);
   const char *c = lexer->start = lexer->position;
   if (!*c) {
      lexer->token = NIR_TOKEN_END;
   } else if (is_letter(*c)) {
      while (is_letter(*lexer->position) || is_digit(*lexer->position))
         lexer->position++;
      lexer->token = NIR_TOKEN_WORD;
   } else if (is_digit(*c) || (*c == '-' && is_digit(c[1]))) {
      lex_number(lexer);
   } else if (*c == '"') {
      lex_string(lexer);
   } else {
      lexer->token = NIR_TOKEN_SIGN;
      lexer->position++;
   }
   lexer->length = (size_t)(lexer->position - lexer->start);
}

void
nir_lexer_start(struct nir_lexer *lexer, struct arena *arena, const char *text)
{
   lexer->arena = arena;
   lexer->position = lexer->line_start = text;
   lexer->line = 1;
   nir_lexer_next(lexer);
}

static bool
nir_lexer_is_sign(const struct nir_lexer *lexer, char sign)
{
   return lexer->token == NIR_TOKEN_SIGN && *lexer->start == sign;
}

bool
nir_lexer_is_word(const struct nir_lexer *lexer, const char *word)
{
   return lexer->token == NIR_TOKEN_WORD && strlen(word) == lexer->length &&
          !memcmp(word, lexer->start, lexer->length);
}

bool
nir_lexer_accept_sign(struct nir_lexer *lexer, char sign)
{
   bool there = nir_lexer_is_sign(lexer, sign);
   if (there)
      nir_lexer_next(lexer);
   return there;
}

bool
nir_lexer_accept_word(struct nir_lexer *lexer, const char *word)
{
   bool there = nir_lexer_is_word(lexer, word);
   if (there)
      nir_lexer_next(lexer);
   return there;
}

void
nir_lexer_expect_sign(struct nir_lexer *lexer, char sign)
{
   if (!nir_lexer_accept_sign(lexer, sign))
      nir_lexer_fail(lexer, arena_printf(lexer->arena, "'%c' expected", sign));
}

uint64_t
nir_lexer_expect_number(struct nir_lexer *lexer, uint64_t max)
{
   if (lexer->token != NIR_TOKEN_NUMBER)
      nir_lexer_fail(lexer, "a number expected");
   if (lexer->number > max)
      nir_lexer_fail(lexer, "the number is too large here");
   uint64_t value = lexer->number;
   nir_lexer_next(lexer);
   return value;
}

int32_t
nir_lexer_expect_int(struct nir_lexer *lexer)
{
   if (lexer->token == NIR_TOKEN_NUMBER && (int64_t)lexer->number < 0 && (int64_t)lexer->number >= INT32_MIN)
      lexer->number &= UINT32_MAX;
   return (int32_t)nir_lexer_expect_number(lexer, UINT32_MAX);
}

unsigned
nir_lexer_expect_word_of(struct nir_lexer *lexer, const struct nir_words *words, const char *what)
{
   int word = lexer->token == NIR_TOKEN_WORD ? nir_word_find(words, lexer->start, lexer->length) : -1;
   if (word < 0)
      nir_lexer_fail(lexer, arena_printf(lexer->arena, "%s expected", what));
   nir_lexer_next(lexer);
   return (unsigned)word;
}

uint32_t
nir_lexer_expect_name(struct nir_lexer *lexer, char letter)
{
   uint64_t value = 0;
   if (lexer->token != NIR_TOKEN_WORD || *lexer->start != letter || lexer->length < 2 || lexer->length > 10)
      nir_lexer_fail(lexer, arena_printf(lexer->arena, "%c and a number expected", letter));
   for (size_t i = 1; i < lexer->length; i++) {
      if (!is_digit(lexer->start[i]))
         nir_lexer_fail(lexer, arena_printf(lexer->arena, "%c and a number expected", letter));
      value = value * 10 + (uint64_t)(lexer->start[i] - '0');
   }
   nir_lexer_next(lexer);
   return (uint32_t)value;
}
