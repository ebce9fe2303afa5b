/* Tables of registers, packets and descriptors, generated from the text tables of this folder (hw_gen.py). */
#ifndef INDIUM_AMD_REG_TABLE_H
#define INDIUM_AMD_REG_TABLE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "amd/hw/gen.h"

/* Byte offsets of the register spaces; SET_*_REG packets count dwords from these. */
#define AMD_CONFIG_REG_START 0x08000u
#define AMD_CONFIG_REG_END 0x0b000u
#define AMD_SH_REG_START 0x0b000u
#define AMD_SH_REG_END 0x0c000u
#define AMD_CONTEXT_REG_START 0x28000u
#define AMD_CONTEXT_REG_END 0x30000u
#define AMD_UCONFIG_REG_START 0x30000u
#define AMD_UCONFIG_REG_END 0x40000u

struct amd_enum_value {
   uint32_t value;
   const char *name;
};

struct amd_field {
   const char *name;     /* "dropped": may be set to no effect; NULL: must be zero, or not known */
   uint8_t low, high;    /* bits, inclusive */
   uint16_t value_count; /* of values, 0: a number */
   const struct amd_enum_value *values;
};

/* What a dword is in one generation. Fields cover all 32 bits, lowest first. */
struct amd_reg_layout {
   bool exists;       /* else nothing below holds */
   uint32_t offset_B; /* of element 0 */
   uint16_t step_B;
   uint8_t field_count;
   uint32_t known_bits; /* of fields with names; 0 where there is no such dword */
   const struct amd_field *fields;
};

/* A register, an array of equal registers, or a dword of a packet or descriptor. */
struct amd_reg {
   const char *name;   /* of element 0 */
   const char *format; /* printf format of the name of element n > 0, or NULL */
   uint16_t count;
   uint32_t clear; /* context registers: value after CLEAR_STATE */
   struct amd_reg_layout gen[AMD_GEN_COUNT];
};

#define AMD_PM4_MAX_WORDS 18

struct amd_pm4_form {
   uint8_t gens;       /* bit (1 << enum amd_gen) */
   uint8_t word_count; /* payload dwords before the repeated one */
   bool has_rest;      /* further dwords are all like words[word_count] */
   const struct amd_reg *words[AMD_PM4_MAX_WORDS];
};

struct amd_pm4_packet {
   const char *name;
   uint16_t opcode; /* of SDMA: SUB_OP 15:8, OP 7:0 */
   uint8_t gens;    /* bit (1 << enum amd_gen) */
   uint8_t form_count;
   const struct amd_pm4_form *forms;
};

/* The register at a byte offset, or NULL; *index (may be NULL) gets its place in the array. */
const struct amd_reg *amd_reg_find(enum amd_gen gen, uint32_t offset_B, unsigned *index);

/* By the name of any element of an array, or NULL. */
const struct amd_reg *amd_reg_by_name(const char *name, unsigned *index);

/* Register number n of a generation in order of offset, or NULL past the end. */
const struct amd_reg *amd_reg_at(enum amd_gen gen, unsigned n);

/* Writes the name of element index; returns what snprintf returns. */
int amd_reg_name(const struct amd_reg *reg, unsigned index, char *out, size_t out_size_B);

/* The field that owns a bit (every bit has one). The generation must have the dword. */
const struct amd_field *amd_reg_field(enum amd_gen gen, const struct amd_reg *reg, unsigned bit);

/* Bits that no named field owns: all where the generation has no such dword. */
uint32_t amd_reg_unknown_bits(enum amd_gen gen, const struct amd_reg *reg);

/* The name of a field's value, or NULL. */
const char *amd_field_value_name(const struct amd_field *field, uint32_t value);

/* Value of a context register after CLEAR_STATE (0 for those that the table does not list). */
uint32_t amd_reg_clear_value(enum amd_gen gen, uint32_t offset_B);

/* The packet of a type-3 opcode, or NULL. */
const struct amd_pm4_packet *amd_pm4_find(enum amd_gen gen, uint8_t opcode);

/* The packet of SDMA with a header, which its forms count as the first dword; or NULL. */
const struct amd_pm4_packet *amd_sdma_find(enum amd_gen gen, uint32_t header);

/* The form of a packet whose payload has payload_dw dwords, or NULL. */
const struct amd_pm4_form *amd_pm4_form(enum amd_gen gen, const struct amd_pm4_packet *packet, unsigned payload_dw);

/* The description of payload dword i under a form, or NULL. */
const struct amd_reg *amd_pm4_word(const struct amd_pm4_form *form, unsigned i);

/* Descriptor word by name ("SQ_BUF_RSRC_WORD3"), or NULL. */
const struct amd_reg *amd_desc_by_name(const char *name);

#endif
