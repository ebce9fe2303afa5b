/* The SPIR-V opcodes that are one nir opcode. */
#ifndef INDIUM_SPIRV_ALU_H
#define INDIUM_SPIRV_ALU_H

#include "compiler/spirv/spirv_module.h"

enum spirv_alu_flag {
   SPIRV_ALU_INT = 1 << 0,      /* operands are integers, */
   SPIRV_ALU_UNSIGNED = 1 << 1, /* with signedness 0 */
   SPIRV_ALU_FLOAT = 1 << 2,    /* floats */
   SPIRV_ALU_BOOL = 1 << 3,     /* booleans */
   SPIRV_ALU_COMPARE = 1 << 4,  /* the result is a boolean of as many components; else it has the operands' shape */
   SPIRV_ALU_SWAP = 1 << 5,     /* operands exchanged */
   SPIRV_ALU_NOT = 1 << 6,      /* the result is inverted */
   SPIRV_ALU_SHIFT = 1 << 7,    /* the second operand is a count of any integer size */
   SPIRV_ALU_32 = 1 << 8,       /* 32-bit operands only */
};

struct spirv_alu_row {
   uint16_t opcode, nir; /* SpvOp, enum nir_op */
   uint16_t flags;       /* enum spirv_alu_flag */
};

/* NULL if the opcode is no single nir opcode. */
const struct spirv_alu_row *spirv_alu_row(uint32_t opcode);

#endif
