/* Instructions of the host, x86-64 with AVX2 and FMA, as bytes: for code that is made while a model runs.
 *
 * Operands are written in Intel's order. Numbers of registers are those of the encoding. Nothing here fails but for
 * want of memory, which ends in out_of_memory(). Source: Intel 64 and IA-32 Architectures Software Developer's
 * Manual, volume 2. */
#ifndef INDIUM_SIM_X86_H
#define INDIUM_SIM_X86_H

#include <stdbool.h>
#include <stdint.h>

#include "util/dynarray.h"

enum x86_reg {
   X86_RAX,
   X86_RCX,
   X86_RDX,
   X86_RBX,
   X86_RSP,
   X86_RBP,
   X86_RSI,
   X86_RDI,
   X86_R8,
   X86_R9,
   X86_R10,
   X86_R11,
   X86_R12,
   X86_R13,
   X86_R14,
   X86_R15,
};

/* A register (general or vector), or memory: at a register and so many bytes, or a constant of the code. */
struct x86_operand {
   enum { X86_REGISTER, X86_MEMORY, X86_CONSTANT } kind;
   uint8_t reg;
   int32_t offset_B; /* X86_CONSTANT: number of the constant */
};

static inline struct x86_operand
x86_reg(unsigned reg)
{
   return (struct x86_operand){X86_REGISTER, (uint8_t)reg, 0};
}

static inline struct x86_operand
x86_at(enum x86_reg base, int32_t offset_B)
{
   return (struct x86_operand){X86_MEMORY, (uint8_t)base, offset_B};
}

/* Vector instructions: map << 16 | prefix << 12 | opcode. Maps: 1 0F, 2 0F 38, 3 0F 3A; prefixes: 1 66, 2 F3. */
enum x86_vector {
   X86_ADDPS = 0x10058,
   X86_SUBPS = 0x1005c,
   X86_MULPS = 0x10059,
   X86_DIVPS = 0x1005e,
   X86_SQRTPS = 0x10051,
   X86_MAXPS = 0x1005f,
   X86_ANDPS = 0x10054,
   X86_ANDNPS = 0x10055,
   X86_ORPS = 0x10056,
   X86_XORPS = 0x10057,
   X86_CMPPS = 0x100c2,
   X86_LOADPS = 0x10010,
   X86_STOREPS = 0x10011,
   X86_MOVEPS = 0x10028,
   X86_MOVMSKPS = 0x10050,
   X86_CVTDQ2PS = 0x1005b,
   X86_CVTTPS2DQ = 0x1205b,
   X86_ROUNDPS = 0x31008,
   X86_BLENDVPS = 0x3104a,
   X86_FMADD231PS = 0x210b8,
   X86_FMADD213PS = 0x210a8,
   X86_CVTPS2PD = 0x1005a,
   X86_CVTPD2PS = 0x1105a,
   X86_SQRTPD = 0x11051,
   X86_DIVPD = 0x1105e,
   X86_INSERTF128 = 0x31018,
   X86_EXTRACTF128 = 0x31019, /* the register is the source */
   X86_CVTPS2PH = 0x3101d,    /* the same */
   X86_PMOVZXWD = 0x21033,
   X86_PADDD = 0x110fe,
   X86_PSUBD = 0x110fa,
   X86_PMULLD = 0x21040,
   X86_PMULUDQ = 0x110f4,
   X86_PCMPEQW = 0x11075,
   X86_PCMPEQD = 0x11076,
   X86_PCMPGTD = 0x11066,
   X86_PMINSD = 0x21039,
   X86_PMINUD = 0x2103b,
   X86_PMAXSD = 0x2103d,
   X86_PMAXUD = 0x2103f,
   X86_PSLLVD = 0x21047,
   X86_PSRLVD = 0x21045,
   X86_PSRAVD = 0x21046,
   X86_PSHIFTD = 0x11072, /* by an immediate: enum x86_shift */
   X86_PSHIFTQ = 0x11073,
   X86_PBLENDD = 0x31002,
   X86_PBROADCASTD = 0x21058,
   X86_PBROADCASTB = 0x21078,
};

/* What stands in the place of a register of X86_PSHIFTD. */
enum x86_shift { X86_SHIFT_RIGHT = 2, X86_SHIFT_RIGHT_SIGNED = 4, X86_SHIFT_LEFT = 6 };

/* Comparisons of X86_CMPPS that raise nothing: ordered, or true for NaN. */
enum x86_compare {
   X86_EQ = 0,
   X86_UNORDERED = 3,
   X86_NOT_EQ = 4,
   X86_ORDERED = 7,
   X86_EQ_OR_NAN = 8,
   X86_LESS_GREATER = 12,
   X86_LT = 17,
   X86_LE = 18,
   X86_NOT_LT = 21,
   X86_NOT_LE = 22,
   X86_NOT_GE = 25,
   X86_NOT_GT = 26,
   X86_GE = 29,
   X86_GT = 30,
};

/* General instructions of two operands, by the opcode of the form that reads from memory. */
enum x86_op {
   X86_ADD = 0x03,
   X86_OR = 0x0b,
   X86_ADC = 0x13,
   X86_SBB = 0x1b,
   X86_AND = 0x23,
   X86_SUB = 0x2b,
   X86_XOR = 0x33,
   X86_CMP = 0x3b,
   X86_MOV = 0x8b,
   X86_LEA = 0x8d,
   X86_IMUL = 0x0faf,
   X86_MOVZX_BYTE = 0x0fb6,
   X86_CMOVZ = 0x0f44,
   X86_BSF = 0x0fbc,
};

/* Conditions of jumps and of x86_set(). */
enum x86_condition {
   X86_IF_OVERFLOW = 0x0,
   X86_IF_BELOW = 0x2,
   X86_IF_ABOVE_EQ = 0x3,
   X86_IF_ZERO = 0x4,
   X86_IF_NOT_ZERO = 0x5,
   X86_IF_BELOW_EQ = 0x6,
   X86_IF_ABOVE = 0x7,
   X86_IF_LESS = 0xc,
   X86_IF_GREATER_EQ = 0xd,
   X86_IF_LESS_EQ = 0xe,
   X86_IF_GREATER = 0xf,
   X86_ALWAYS = 0x10,
};

struct x86 {
   struct dynarray bytes;
   struct dynarray constants; /* of 32 bytes, that follow the code */
   struct dynarray uses;      /* of constants by the code */
   struct dynarray labels;    /* offsets, -1: not yet known */
   struct dynarray jumps;     /* to labels */
};

/* code: zeroed. */
void x86_free(struct x86 *code);

/* A vector instruction of 8 words. first: the first source, or 0 where there is none. */
void x86_vector(struct x86 *code, enum x86_vector op, unsigned to, unsigned first, struct x86_operand last);
/* The same with a byte: a comparison, a rounding, or for X86_BLENDVPS the mask's register << 4. */
void x86_vector_byte(struct x86 *code, enum x86_vector op, unsigned to, unsigned first, struct x86_operand last,
                     uint8_t byte);
/* to = from, shifted by a number of bits. */
void x86_vector_shift(struct x86 *code, enum x86_vector op, enum x86_shift shift, unsigned to, unsigned from,
                      uint8_t bits);
/* Ahead of calls, and of a return. */
void x86_vector_end(struct x86 *code);

/* Of 32 or 64 bits. */
void x86_op(struct x86 *code, bool wide, enum x86_op op, enum x86_reg to, struct x86_operand from);
void x86_op_number(struct x86 *code, bool wide, enum x86_op op, struct x86_operand to, int32_t number);
void x86_store(struct x86 *code, bool wide, struct x86_operand to, enum x86_reg from);
void x86_store_byte(struct x86 *code, struct x86_operand to, enum x86_reg from);
void x86_store_number(struct x86 *code, bool wide, struct x86_operand to, int32_t number);
void x86_store_byte_number(struct x86 *code, struct x86_operand to, uint8_t number);
void x86_compare_byte(struct x86 *code, struct x86_operand at, uint8_t number);
void x86_load_number(struct x86 *code, enum x86_reg to, uint64_t number);
/* By CL. */
void x86_shift(struct x86 *code, bool wide, enum x86_shift shift, enum x86_reg reg);
void x86_not(struct x86 *code, bool wide, enum x86_reg reg);
/* A byte that is 1 if the condition holds, else 0. */
void x86_set(struct x86 *code, enum x86_condition condition, struct x86_operand byte);
void x86_push(struct x86 *code, enum x86_reg reg);
void x86_pop(struct x86 *code, enum x86_reg reg);
void x86_call(struct x86 *code, enum x86_reg reg);
void x86_jump_to(struct x86 *code, enum x86_reg reg);
void x86_return(struct x86 *code);

/* The same word eight times, aligned to 32 bytes. */
struct x86_operand x86_constant(struct x86 *code, uint32_t word);
/* Eight words. */
struct x86_operand x86_constants(struct x86 *code, const uint32_t words[8]);

/* Labels are numbered. */
unsigned x86_label(struct x86 *code);
void x86_place(struct x86 *code, unsigned label);
void x86_jump(struct x86 *code, enum x86_condition condition, unsigned label);
/* Bytes of the code so far. */
uint32_t x86_here(const struct x86 *code);

/* Resolves jumps and constants, which are appended. All labels have been placed. */
void x86_finish(struct x86 *code);

#endif
