/* What compiles a program: registers of the host, values in them, and the parts of a block. */
#ifndef INDIUM_AMD_SIM_JIT_PRIVATE_H
#define INDIUM_AMD_SIM_JIT_PRIVATE_H

#include <stddef.h>

#include "amd/sim/wave/exec_private.h"
#include "amd/sim/wave/jit.h"
#include "sim/host/x86.h"

/* General registers of compiled code. Lanes are computed eight at a time, a strip: its byte of any lane mask, and its
 * words of any VGPR, lie at fixed distances from these. */
static const enum x86_reg JIT_WAVE = X86_R15, JIT_SGPRS = X86_RBX;
static const enum x86_reg JIT_LEFT = X86_R14;  /* instructions that the wave may still run */
static const enum x86_reg JIT_MASKS = X86_R12; /* JIT_SGPRS + number of the strip */
static const enum x86_reg JIT_VGPRS = X86_R13; /* the first VGPR, from the strip on */
static const enum x86_reg JIT_END = X86_RBP;   /* of the strips */

/* Vector registers: values, and of a strip that is not all active the lanes that are off. */
enum { JIT_VALUES = 15, JIT_OFF = 15, JIT_STRIP = 8, JIT_SEGMENT = 64 };

/* SGPRs by operand number. */
struct jit_scalars {
   uint64_t bits[2];
};

/* What a vector register holds of the strip. */
struct jit_value {
   enum { JIT_NOTHING, JIT_VGPR, JIT_SGPR, JIT_MASK, JIT_NUMBER } kind;
   uint32_t key;
   bool dirty;  /* the VGPR in memory is older */
   bool locked; /* the instruction uses it */
   uint32_t age;
};

struct jit_builder {
   struct x86 x86;
   const struct program *program;
   uint32_t lanes, mode;

   /* Values of the strip; partial: some of its lanes are off. */
   struct jit_value values[JIT_VALUES];
   uint32_t now;
   bool partial;

   /* Vector instructions of the segment, whose code comes when it ends. */
   const struct code *segment[JIT_SEGMENT];
   unsigned segment_count;
   struct jit_scalars read;                 /* by lanes, as they are */
   struct jit_scalars masks, masks_written; /* lane masks that it uses; writes */
   struct jit_scalars mask_begins;          /* the first SGPR of each */

   bool scc_is_dead; /* nobody reads what the scalar instruction would make of it */

   /* Labels by instruction, UINT32_MAX: none. */
   uint32_t *labels;
   struct dynarray exits; /* struct jit_exit */
   unsigned leave;        /* label */
};

/* Where code of a block ends for good: the interpreter continues with this instruction. */
struct jit_exit {
   unsigned label;
   uint32_t next;
};

/* ---- jit_values.c ---- */

/* The value of a source, in a vector register that stays as it is until the instruction is done. */
unsigned jit_source(struct jit_builder *b, const struct code *code, unsigned i);
/* The same, or memory. */
struct x86_operand jit_last_source(struct jit_builder *b, const struct code *code, unsigned i);
/* The same of a VGPR, by operand number. */
unsigned jit_vgpr(struct jit_builder *b, unsigned operand);
/* A lane mask, as words of all ones and zeros. */
unsigned jit_mask(struct jit_builder *b, unsigned reg);
/* Vector register for a value in between. */
unsigned jit_temp(struct jit_builder *b);
void jit_drop(struct jit_builder *b, unsigned temp); /* it is of no use any more */
unsigned jit_number(struct jit_builder *b, uint32_t word);
/* The vector register is what the VGPR (the mask) holds from now on. */
void jit_set_vgpr(struct jit_builder *b, unsigned operand, unsigned reg);
void jit_set_mask(struct jit_builder *b, unsigned reg, unsigned value, bool is_value);
/* The instruction is done. */
void jit_unlock(struct jit_builder *b);
/* VGPRs go to memory, and nothing is in vector registers any more. */
void jit_flush(struct jit_builder *b);
void jit_forget(struct jit_builder *b);

/* ---- jit_vector.c, jit_compare.c ---- */

/* Of a strip. */
void jit_emit_vector(struct jit_builder *b, const struct code *code);
bool jit_has_compare(enum amd_op op);
void jit_emit_compare(struct jit_builder *b, const struct code *code);
/* The lane mask that the instruction writes, AMD_OPERAND_NONE: none. */
unsigned jit_mask_written(const struct code *code);

/* ---- jit_segment.c ---- */

/* A vector instruction for which there is code. */
void jit_add_vector(struct jit_builder *b, const struct code *code);
/* A scalar one is about to come: the segment ends, unless it does not matter which of them comes first. */
void jit_before_scalar(struct jit_builder *b, const struct code *code);
void jit_end_segment(struct jit_builder *b);

/* ---- jit_scalar.c ---- */

/* Emits the scalar instruction, or a call of its function. */
void jit_emit_scalar(struct jit_builder *b, const struct code *code);
/* A call of the instruction's function, which returns STEP_NEXT. */
void jit_emit_call(struct jit_builder *b, const struct code *code);
/* Jumps if the branch is taken. */
void jit_emit_branch(struct jit_builder *b, const struct code *code, unsigned label);

/* ---- jit_kind.c ---- */

enum jit_kind {
   JIT_OTHER, /* for the interpreter */
   JIT_NO_EFFECT,
   JIT_VECTOR,
   JIT_CALLED_VECTOR,
   JIT_SCALAR,
   JIT_BRANCH, /* ends a block */
};
enum jit_kind jit_kind_of(const struct program *program, const struct code *code);
/* Index of the instruction that the branch jumps to, UINT32_MAX: out of the program. */
uint32_t jit_target(const struct program *program, const struct code *code);

static inline bool
jit_has_scalar(const struct jit_scalars *set, unsigned reg, unsigned count)
{
   bool has = false;
   for (unsigned i = reg; i < reg + count && i < 128; i++)
      has |= set->bits[i / 64] >> i % 64 & 1;
   return has;
}

static inline void
jit_add_scalars(struct jit_scalars *set, unsigned reg, unsigned count)
{
   for (unsigned i = reg; i < reg + count && i < 128; i++)
      set->bits[i / 64] |= UINT64_C(1) << i % 64;
}

#endif
