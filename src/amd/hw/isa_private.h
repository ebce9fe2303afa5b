/* What the generated tables and the codec share. */
#ifndef INDIUM_AMD_HW_ISA_PRIVATE_H
#define INDIUM_AMD_HW_ISA_PRIVATE_H

#include "amd/hw/isa.h"
#include "amd/hw/isa_fields.h"

struct isa_field {
   uint8_t name;  /* enum isa_field_name */
   uint8_t lo, width;
   uint8_t shift; /* lowest bit of the member that the field holds */
};

struct isa_format_info {
   uint64_t mask, value; /* constant bits */
   uint8_t size_dw;
   uint8_t field_count;
   struct isa_field fields[26];
};

struct isa_number {
   uint8_t enc; /* enum amd_enc */
   uint16_t opcode;
};

struct isa_op_list {
   const uint16_t *ops; /* op + 1 by opcode, 0: none */
   uint16_t count;
};

#define ISA_DECODE_ORDER_COUNT (AMD_ENC_COUNT - 1)

extern const struct amd_op_info isa_ops[AMD_OP_COUNT];
extern const struct isa_format_info isa_formats[ISA_FORMAT_COUNT];
extern const struct isa_number isa_numbers[AMD_OP_COUNT][AMD_GEN_COUNT][2];
extern const struct isa_op_list isa_op_lists[AMD_GEN_COUNT][AMD_ENC_COUNT];
extern const uint8_t isa_decode_order[ISA_DECODE_ORDER_COUNT];

/* The value of a member of *inst as one field of a format holds it. False if it cannot be held (wrong operand class). */
bool isa_field_get(const struct amd_inst *inst, enum isa_field_name name, uint32_t *value);
/* The reverse. False if the value is not defined. */
bool isa_field_set(struct amd_inst *inst, enum isa_field_name name, unsigned shift, uint32_t value);

#endif
