/* What must hold for any words given to the decoder. */
#ifndef INDIUM_TESTS_ISA_TRY_H
#define INDIUM_TESTS_ISA_TRY_H

#include "amd/hw/isa.h"

/* Decodes and prints one instruction. Decoding must not look after the words it counts, and encoding must give the
 * first of them back: or the process ends. Returns their number; 0: no instruction. */
unsigned isa_try_words(enum amd_gen gen, const uint32_t *words, unsigned available_dw, bool wave64, char *text,
                       size_t text_B);

#endif
