/* LLVM 19's disassembler, from its shared library: a witness of words at millions, without its sources at hand. */
#ifndef INDIUM_TESTS_AMD_HW_ISA_LLVM_H
#define INDIUM_TESTS_AMD_HW_ISA_LLVM_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct isa_llvm;

/* One chip and wave size, or NULL: the library is not installed. */
struct isa_llvm *isa_llvm_create(const char *cpu, bool wave64);

/* NULL: nothing. */
void isa_llvm_destroy(struct isa_llvm *llvm);

/* The text with single blanks, and how many dwords it stands for; 0: LLVM takes no such instruction. Some words end
 * the process. */
unsigned isa_llvm_print(struct isa_llvm *llvm, const uint32_t *words, unsigned count_dw, char *text, size_t text_B);

#endif
