/* What the printer and the parser of the machine IR's text share. Grammar: docs/agx.md. */
#ifndef INDIUM_AGX_TEXT_H
#define INDIUM_AGX_TEXT_H

#include "asahi/compiler/agx_ir.h"

/* The operation, of the hardware or pseudo; NULL, or AGX_P_END: there is none. */
const char *agx_op_name(unsigned op);
unsigned agx_op_by_name(const char *name);

/* A modifier or a flag of an instruction, printed where it is not 0. */
struct agx_text_field {
   const char *name;
   uint16_t offset_B; /* in struct agx_instr */
   bool is_flag;      /* a bool, else a uint32_t */
};
extern const struct agx_text_field agx_text_fields[];
extern const unsigned agx_text_field_count;

/* Numbers of the first lines, in struct agx_ir; printed where they are not 0. */
struct agx_text_header {
   const char *name;
   uint16_t offset_B;
   uint8_t size_B;
};
extern const struct agx_text_header agx_text_headers[];
extern const unsigned agx_text_header_count;

/* Letters ahead of an operand's number, by its kind. */
struct agx_text_kind {
   uint8_t kind;
   bool has_size;
   char prefix[6];
};
extern const struct agx_text_kind agx_text_kinds[];
extern const unsigned agx_text_kind_count;

struct agx_text_flag {
   const char *name;
   uint16_t offset_B; /* in struct agx_ref: a bool */
};
extern const struct agx_text_flag agx_text_flags[];
extern const unsigned agx_text_flag_count;

#endif
