/* Text of immediates that have names: hardware registers, messages, counters, swizzles, formats. */
#ifndef INDIUM_AMD_HW_ISA_PRINT_NAMES_H
#define INDIUM_AMD_HW_ISA_PRINT_NAMES_H

#include "amd/hw/isa.h"

void isa_print_hwreg(unsigned simm16, char *text, size_t size);
void isa_print_literal32(uint32_t literal, char *text, size_t size);
/* False if the operation prints nothing for this immediate. */
bool isa_print_simm16(enum amd_op op, unsigned simm16, char *text, size_t size);
/* " offset:..." or nothing. */
void isa_print_swizzle(unsigned offset, char *text, size_t size);
/* " format:..." of a unified buffer format of GFX10; false if nothing is printed. */
bool isa_print_buffer_format(unsigned format, char *text, size_t size);

#endif
