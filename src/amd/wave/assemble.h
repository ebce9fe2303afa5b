/* One line of assembly, as amd_isa_print() and LLVM's disassembler write it, to an instruction; "a :: b" is a
 * pair. */
#ifndef INDIUM_AMD_WAVE_ASSEMBLE_H
#define INDIUM_AMD_WAVE_ASSEMBLE_H

#include "amd/hw/isa.h"

struct assembler {
   enum amd_gen gen;
   bool wave64;
   char label[32]; /* of a branch, whose simm16 is still 0; "": it has a number */
   char error[128];
};

/* False with an error. Without _e32 or _e64 the shortest encoding is taken. */
bool assemble(struct assembler *a, const char *line, struct amd_inst *inst);

#endif
