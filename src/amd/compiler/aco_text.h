/* What the printer and the parser of the machine IR's text share. Grammar: docs/aco.md. */
#ifndef INDIUM_ACO_TEXT_H
#define INDIUM_ACO_TEXT_H

#include "amd/compiler/aco_ir.h"
#include "compiler/nir/nir_text.h"

/* Operations that the hardware does not have. Counts of operands and results; -1: any. */
struct aco_pseudo_row {
   const char *name;
   int8_t num_ops, num_defs;
};
extern const struct aco_pseudo_row aco_pseudo_rows[ACO_P_END - ACO_P_FIRST];

extern const struct nir_words aco_term_words;

/* Operations of hardware and pseudo operations: the name, and back; AMD_OP_COUNT: none. */
const char *aco_op_name(unsigned op);
unsigned aco_op_by_name(const char *name);

/* A field that is printed where it is not `absent`; a bool only by its name. */
struct aco_text_field {
   const char *name;
   uint16_t offset_B, size_B;
   bool is_bool, is_hex;
   uint32_t max, absent;
};

/* In the text of an instruction, after the operands. */
extern const struct aco_text_field aco_instr_fields[];
extern const unsigned aco_instr_field_count;

/* In the first lines: what phases after selection read. */
enum aco_header_part {
   ACO_HEADER_PROGRAM,
   ACO_HEADER_OPTIONS,
   ACO_HEADER_ARGS,
};
struct aco_header_field {
   enum aco_header_part part;
   struct aco_text_field field;
};
extern const struct aco_header_field aco_header_fields[];
extern const unsigned aco_header_field_count;

/* v7, s12, vcc, exec, m0, null, and rNUMBER where the numbering of enum amd_operand has nothing of these. */
#define ACO_TEXT_REGS 512
#define ACO_REG_NAME_B 8
void aco_reg_name(uint16_t reg, char name[ACO_REG_NAME_B]);
/* -1: none. */
int aco_reg_by_name(const char *name, size_t length);

#endif
