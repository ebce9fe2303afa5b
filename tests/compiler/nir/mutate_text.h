/* Damaged texts, for parsers. */
#ifndef INDIUM_TEST_MUTATE_TEXT_H
#define INDIUM_TEST_MUTATE_TEXT_H

#include <stddef.h>
#include <stdint.h>

/* A few changes: another digit, another operand or word of the text, a line that is gone or there twice. capacity:
 * bytes that text may have. Continues with the random sequence. */
void mutate_text(char *text, size_t capacity, uint64_t *state);

#endif
