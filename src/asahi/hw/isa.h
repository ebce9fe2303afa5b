/* The instruction set of AGX (G13 and G14): one decoded instruction, and pure functions from bytes to it and back,
 * and to text and back.
 *
 * Facts live in isa_table.txt (one row an operation) and isa_formats.txt (bit fields, operands, names of values),
 * with their sources; isa_gen.py turns them into isa_opcodes.h and the tables that the code of isa/ reads.
 */
#ifndef INDIUM_ASAHI_HW_ISA_H
#define INDIUM_ASAHI_HW_ISA_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* From the tables: enum agx_op, agx_class, agx_role, agx_kind, those of modifiers, struct agx_modifiers. */
#include "asahi/hw/isa_opcodes.h"

/* All 0: there is none. */
struct agx_operand {
   int32_t
      value;     /* registers and uniforms: number of the first 16-bit half; AGX_FIMM: the code (agx_isa_minifloat) */
   uint8_t kind; /* enum agx_kind */
   uint8_t size; /* bits of one register or uniform: 16, 32, 64 */
   uint8_t count;       /* registers that follow each other */
   bool cache, discard; /* hints: keep in the register cache, last use */
   bool abs, neg;       /* float sources: abs goes first */
   bool sext;           /* integers: the sign is extended; always of AGX_SIMM, never of AGX_IMM of an index */
};

/* Unused operands and modifiers are 0. */
struct agx_inst {
   uint16_t op;    /* enum agx_op */
   uint8_t size_B; /* decode and encode set it */
   bool long_form; /* in the long form though the short one holds it */
   struct agx_operand dst;
   struct agx_operand src[AGX_SOURCES_MAX]; /* as the text has them: agx_op_info.role says what each is for */
   struct agx_modifiers mod;
};

struct agx_op_info {
   const char *name; /* of the row */
   const char *text; /* as printed, which several rows may share */
   uint8_t class;    /* enum agx_class */
   uint8_t source_count;
   bool has_dst;
   uint8_t short_B, long_B;       /* equal: one form only */
   uint8_t role[AGX_SOURCES_MAX]; /* enum agx_role */
};

#define AGX_INST_MAX_B 12

extern const struct agx_op_info agx_op_infos[AGX_OP_COUNT];

static inline struct agx_op_info
agx_isa_op_info(enum agx_op op)
{
   return agx_op_infos[op];
}

/* By the name of the row, or AGX_OP_COUNT. */
enum agx_op agx_isa_op_by_name(const char *name);

/* Number of the source with this role, or -1. */
int agx_isa_source(enum agx_op op, enum agx_role role);

/* Whether the operand can stand there, whatever the others are; source -1: the result. */
bool agx_isa_takes(enum agx_op op, int source, const struct agx_operand *operand);

/* The size of the instruction at bytes, of which size_B are valid; 0 if they are none or not all of it. */
unsigned agx_isa_decode(const uint8_t *bytes, size_t size_B, struct agx_inst *inst);

/* The size of what it wrote; 0 if the instruction has no encoding: an operand or a modifier that its form does not
 * have or cannot hold, or two that contradict each other. Sets inst->size_B. */
unsigned agx_isa_encode(struct agx_inst *inst, uint8_t bytes[AGX_INST_MAX_B]);

/* The same for an instruction that has an encoding, as somebody made sure: much faster, and what its form does not
 * have goes unseen. */
unsigned agx_isa_encode_known(struct agx_inst *inst, uint8_t bytes[AGX_INST_MAX_B]);

/* The text, NUL-terminated and cut to size; returns the full length, as snprintf. inst: one that decode or encode
 * accepted. */
int agx_isa_print(const struct agx_inst *inst, char *text, size_t size);

/* The instruction whose text this is, in its shortest encoding (isa_formats.txt names the forms of which none but the
 * long one is known). False: there is none. */
bool agx_isa_parse(const char *text, struct agx_inst *inst);

/* What an 8-bit float means: sign, 3 bits of exponent, 4 of mantissa. */
float agx_isa_minifloat(unsigned code);

#endif
