/* The instruction set of AGX: what must hold for any bytes. */
#ifndef INDIUM_TEST_AGX_ISA_TRY_H
#define INDIUM_TEST_AGX_ISA_TRY_H

#include <stddef.h>
#include <stdint.h>

/* The size of the instruction there, 0: none. What decode takes encode gives back, and its text means an instruction
 * with the same text. Aborts if not. */
unsigned agx_isa_try(const uint8_t *bytes, size_t size_B);

#endif
