/* Tokens of the text form. */
#ifndef INDIUM_NIR_LEXER_H
#define INDIUM_NIR_LEXER_H

#include <setjmp.h>
#include <stdbool.h>
#include <stdint.h>

#include "compiler/nir/nir_text.h"

enum nir_token {
   NIR_TOKEN_END,
   NIR_TOKEN_WORD, /* letters, digits, _ ; starts with a letter */
   NIR_TOKEN_NUMBER,
   NIR_TOKEN_STRING,
   NIR_TOKEN_SIGN, /* one character */
};

struct nir_lexer {
   struct arena *arena;
   const char *position;
   const char *line_start;
   unsigned line;
   enum nir_token token;
   const char *start; /* of the token */
   size_t length;
   uint64_t number; /* two's complement if a minus stood before */
   const char *string;
   const char *error;
   jmp_buf fail; /* where nir_lexer_fail() goes */
};

/* Where a token stands, for what can only be judged later. Both count from 1. */
struct nir_lexer_place {
   unsigned line, column;
};

/* Reads the first token. What has a lexer calls it where fail is set. */
void nir_lexer_start(struct nir_lexer *lexer, struct arena *arena, const char *text);
void nir_lexer_next(struct nir_lexer *lexer);
struct nir_lexer_place nir_lexer_place(const struct nir_lexer *lexer);
_Noreturn void nir_lexer_fail_at(struct nir_lexer *lexer, struct nir_lexer_place place, const char *what);
/* At the token. */
_Noreturn void nir_lexer_fail(struct nir_lexer *lexer, const char *what);

bool nir_lexer_is_word(const struct nir_lexer *lexer, const char *word);
/* Skip the token if it is there. */
bool nir_lexer_accept_sign(struct nir_lexer *lexer, char sign);
bool nir_lexer_accept_word(struct nir_lexer *lexer, const char *word);
/* Demand and skip. */
void nir_lexer_expect_sign(struct nir_lexer *lexer, char sign);
uint64_t nir_lexer_expect_number(struct nir_lexer *lexer, uint64_t max);
int32_t nir_lexer_expect_int(struct nir_lexer *lexer); /* any 32-bit pattern */
unsigned nir_lexer_expect_word_of(struct nir_lexer *lexer, const struct nir_words *words, const char *what);
/* A word made of a letter and a number, such as v3. */
uint32_t nir_lexer_expect_name(struct nir_lexer *lexer, char letter);

#endif
