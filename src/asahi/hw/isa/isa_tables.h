/* The tables that isa_gen.py writes, for the code of this folder. */
#ifndef INDIUM_ASAHI_HW_ISA_TABLES_H
#define INDIUM_ASAHI_HW_ISA_TABLES_H

#include "asahi/hw/isa.h"

/* An instruction as a number, the first byte lowest. */
struct isa_word {
   uint32_t dw[3];
};

/* Bits low.. of the word are bits to.. of an operand, a modifier or a value. */
struct isa_piece {
   uint8_t low, width, to;
   uint8_t shared; /* the bits belong to something else, which must agree */
};

/* One meaning of an operand's bits. Positions of flags are bit + 1, 0: there is none. */
struct isa_case {
   uint8_t kind;         /* enum agx_kind */
   uint32_t mask, value; /* bits that say that it is this one */
   uint32_t written;     /* what it decides; the others a modifier does */
   uint16_t first;       /* pieces of the value */
   uint8_t pieces, bits, shift;
   uint8_t size; /* where no flag says it */
   uint8_t fixed_count;
   uint8_t inverted; /* sext is the flag's reverse */
   uint8_t hint, cache, discard, abs, neg, sext, size32, size64, count, popcount;
};

struct isa_operand_kind {
   uint16_t first;
   uint8_t cases, width;
};

enum isa_how {
   ISA_OPERAND,
   ISA_FLAG, /* prints its name */
   ISA_NUMBER,
   ISA_SIGNED,
   ISA_ENUM,
};

/* An operand or a modifier of a form, in the order of the text. */
struct isa_place {
   const char *name;
   uint16_t first; /* pieces */
   uint8_t pieces, width, shared;
   uint8_t how;       /* enum isa_how */
   uint8_t index;     /* operands: 0 the result, 1 the first source */
   uint8_t role;      /* of a source */
   uint8_t values;    /* operands: their kind; ISA_ENUM: its values */
   uint16_t offset_B; /* of a modifier in struct agx_modifiers */
};

/* What is besides agx_op_info. */
struct isa_row {
   struct isa_word mask, value;
   uint16_t first; /* places */
   uint8_t places, short_B, long_B, length_bit;
   uint8_t shares;    /* some place has bits of another */
   uint8_t long_text; /* text means the long form */
};

struct isa_enum_value {
   uint32_t value;
   const char *text; /* "": nothing is printed */
};

extern const struct isa_piece isa_pieces[];
extern const struct isa_case isa_cases[];
extern const struct isa_operand_kind isa_kinds[];
extern const struct isa_place isa_places[];
extern const struct isa_row isa_rows[];
/* Values of enum n: from isa_enum_first[n] to isa_enum_first[n + 1]. */
extern const struct isa_enum_value isa_enum_values[];
extern const uint16_t isa_enum_first[];
/* Rows by the first byte of a word, from isa_candidate_first[byte] to that of the next. */
extern const uint16_t isa_candidate_first[];
extern const uint8_t isa_candidates[];

/* NULL: not one of the names. */
const char *isa_enum_text(unsigned values, uint32_t value);

/* Whether an operand may be taken for this meaning, and its bits. */
bool isa_case_encode(const struct isa_case *meaning, const struct agx_operand *operand, uint32_t *raw);
/* Whether the bits have this meaning. */
bool isa_case_decode(const struct isa_case *meaning, uint32_t raw, struct agx_operand *operand);

static inline uint32_t
isa_ones(unsigned width)
{
   return width < 32 ? (1u << width) - 1 : UINT32_MAX;
}

static inline uint32_t *
isa_modifier(struct agx_modifiers *mod, const struct isa_place *place)
{
   return (uint32_t *)(void *)((char *)mod + place->offset_B);
}

static inline uint32_t
isa_modifier_value(const struct agx_modifiers *mod, const struct isa_place *place)
{
   return *(const uint32_t *)(const void *)((const char *)mod + place->offset_B);
}

static inline struct agx_operand *
isa_operand(struct agx_inst *inst, const struct isa_place *place)
{
   return place->index ? &inst->src[place->index - 1] : &inst->dst;
}

static inline const struct agx_operand *
isa_operand_value(const struct agx_inst *inst, const struct isa_place *place)
{
   return place->index ? &inst->src[place->index - 1] : &inst->dst;
}

#endif
