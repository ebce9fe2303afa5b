/* The instruction table of SPIR-V, generated from the Khronos grammar by spirv_table.py. */
#ifndef INDIUM_SPIRV_TABLE_H
#define INDIUM_SPIRV_TABLE_H

#include <stdbool.h>
#include <stdint.h>

#include "compiler/spirv/spirv_kinds.h" /* generated: enum spirv_operand_kind */

enum spirv_quantifier {
   SPIRV_ONE,
   SPIRV_OPTIONAL,
   SPIRV_MANY,
};

struct spirv_operand_info {
   uint8_t kind;       /* enum spirv_operand_kind */
   uint8_t quantifier; /* enum spirv_quantifier */
};

/* Of the fields below: operands are spirv_operand_infos[first_operand ...], capabilities (one of them suffices)
 * spirv_table_capabilities[first_capability ...]. version: major << 8 | minor that has the row;
 * 0 from the start, 0xffff if an extension may bring it. */
struct spirv_op_info {
   uint16_t opcode, version;
   uint16_t first_operand, num_operands;
   uint16_t first_capability, num_capabilities;
   const char *name;
};

struct spirv_enumerant_info {
   uint32_t value;
   uint16_t version;
   uint16_t first_operand, num_operands;
   uint16_t first_capability, num_capabilities;
   const char *name;
};

struct spirv_kind_info {
   uint16_t first, count; /* in spirv_enumerant_infos, ascending values; count 0: not an enumeration */
   bool is_bits;
   const char *name;
};

struct spirv_glsl_info {
   const char *name; /* NULL: no such instruction */
   uint8_t num_operands;
};

extern const struct spirv_operand_info spirv_operand_infos[];
extern const uint32_t spirv_table_capabilities[];
extern const struct spirv_op_info spirv_op_infos[]; /* ascending opcodes */
#define SPIRV_LOW_OPCODES 512                       /* nearly all that modules have */
extern const uint16_t spirv_low_rows[SPIRV_LOW_OPCODES]; /* 1 + the row of the opcode; 0: there is none */
extern const struct spirv_enumerant_info spirv_enumerant_infos[];
extern const struct spirv_kind_info spirv_kind_infos[SPIRV_KIND_COUNT];
extern const struct spirv_glsl_info spirv_glsl_infos[]; /* by instruction number of GLSL.std.450 */
extern const uint32_t spirv_op_count, spirv_glsl_count;

/* NULL if there is none. */
const struct spirv_op_info *spirv_op_info(uint32_t opcode);
const struct spirv_enumerant_info *spirv_enumerant_info(enum spirv_operand_kind kind, uint32_t value);

#endif
