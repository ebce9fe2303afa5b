/* Words of the text form that the printer and the parser share. Grammar: docs/ir.md. */
#ifndef INDIUM_NIR_TEXT_H
#define INDIUM_NIR_TEXT_H

#include "compiler/nir/nir.h"

/* A list of words; entries may be NULL. */
struct nir_words {
   const char *const *words;
   unsigned count;
};

extern const struct nir_words nir_stage_words, nir_base_words, nir_dim_words, nir_mode_words, nir_interp_words,
   nir_tex_op_words, nir_tex_src_words, nir_depth_layout_words, nir_slot_words;

/* Position of the word, or -1. */
int nir_word_find(const struct nir_words *words, const char *text, size_t length);

/* The words that a constant operand takes its values from, NULL if it is a plain number. */
const struct nir_words *nir_index_words(enum nir_index index);

/* Fields of nir_shader_info in the text. */
struct nir_info_field {
   const char *name;
   uint16_t offset_B, size_B, count;
   uint64_t most; /* the largest value, if it is less than what fits */
};
extern const struct nir_info_field nir_info_fields[];
extern const unsigned nir_info_field_count;

/* Attributes of a variable: unsigned or signed numbers, flags (size 1), words. */
struct nir_variable_field {
   const char *name;
   uint16_t offset_B, size_B;
   bool is_flag;
   const struct nir_words *words;
   int32_t absent; /* not printed */
};
extern const struct nir_variable_field nir_variable_fields[];
extern const unsigned nir_variable_field_count;

/* Reads and writes a field of 1, 2, 4 or 8 bytes. */
uint64_t nir_field_get(const void *object, unsigned offset_B, unsigned size_B);
void nir_field_set(void *object, unsigned offset_B, unsigned size_B, uint64_t value);

#endif
