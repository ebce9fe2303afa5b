/* The machine IR: SSA values in one file of registers, over the control flow of one thread.
 *
 * An instruction of the hardware has the operands of its row of the ISA table, in the same places (srcs[i] is source
 * i of agx_op_info, agx_isa_source() finds one by its role); its result is dsts[0]. Operands that the form leaves out
 * are AGX_NONE. Modifiers are those of the ISA; `group` is chosen by agx_waits.c.
 *
 * A value has `count` components of 16, 32 or 64 bits; it lies in registers that follow each other. What an
 * instruction takes as a vector (data of stores, coordinates, gradients, a comparison with an offset after it) is
 * one value; collects make it and splits split it. A vector of 32-bit components whose last ones have 16 bits
 * (coordinates with a layer) is a collect of all of them into a value of 32-bit components, filled up with AGX_UNDEF.
 * Booleans are 16-bit values, 0 or 1.
 *
 * Values exist per thread, and threads that do not run a block keep their registers, so liveness follows the logical
 * edges: what one thread does. The group runs all blocks in their order, whatever its threads do: physical edges,
 * which only hints about the last use of a register must follow.
 *
 * Control flow is structured, and no logical edge goes from a block with two successors to one with two predecessors
 * (an if has both sides, empty ones too). agx_lower_cf.c makes the nesting counter of it:
 *
 *    block: ... if_icmp/if_fcmp (last; mod.nest 0)   logical successors: then, else
 *    then:  ...                                      logical successor: endif. Physical: else
 *    else:  AGX_P_ELSE ...
 *    endif: AGX_P_ENDIF, phis ...                    phis stand first; AGX_P_ELSE, ENDIF, ENDLOOP before them
 *
 *    block: ... AGX_P_LOOP (last)                    logical successor: body
 *    body:  phis ...                                 logical predecessors: block, then each AGX_P_CONTINUE,
 * AGX_P_NEXT
 *           ... AGX_P_BREAK, AGX_P_CONTINUE          last of their blocks; logical successor: after, body
 *    last:  ... AGX_P_NEXT (last)                    back to the body
 *    after: AGX_P_ENDLOOP, phis ...                 logical predecessors: the blocks of the AGX_P_BREAKs
 *
 * Physical edges: each block to the next, AGX_P_NEXT's block to the body, and jumps to their targets. A block that no
 * thread reaches (after a break) has no logical predecessors, no logical successors, and no instructions but these
 * markers. */
#ifndef INDIUM_AGX_IR_H
#define INDIUM_AGX_IR_H

#include <assert.h>
#include <stdarg.h>
#include <stdio.h>

#include "asahi/compiler/agx.h"
#include "asahi/hw/isa.h"
#include "compiler/backend/live_sets.h"
#include "util/arena.h"
#include "util/bitset.h"
#include "util/macros.h"

/* Operations that the hardware does not have. */
enum agx_pseudo {
   AGX_P_FIRST = 0x4000,
   AGX_P_PHI = AGX_P_FIRST, /* a source per logical predecessor */
   AGX_P_COPY,    /* dsts[i] = srcs[i], all at once; sources: values, uniforms. mod.target: 1 + a spare pair */
   AGX_P_COLLECT, /* dst = sources one after another, in halves */
   AGX_P_SPLIT,   /* source (a value or uniforms) cut into the dsts, of any sizes (AGX_UNDEF skips its halves) */
   AGX_P_PRELOAD, /* first of the first block: dst is what register srcs[0] (AGX_REG) holds at entry */
   AGX_P_LEAVE,   /* last of a part: srcs[2 i] into register srcs[2 i + 1] (AGX_REG), all at once */
   AGX_P_ELSE,
   AGX_P_ENDIF,
   AGX_P_LOOP,
   AGX_P_BREAK,
   AGX_P_CONTINUE,
   AGX_P_NEXT,
   AGX_P_ENDLOOP,
   AGX_P_FUSED, /* a break that the condition ahead of it does: agx_lower_cf.c only */
   AGX_P_SPILL, /* srcs[0] to the stack slot mod.offset (bytes) */
   AGX_P_FILL,  /* dst from it */
   AGX_P_END,
};

/* Kinds of operands besides enum agx_kind. */
#define AGX_SSA 0x40
#define AGX_UNDEF 0x41 /* any bits of that size */

/* An operand. Kinds of the ISA as in struct agx_operand; AGX_IMM in a place of ANY instruction before the optimiser
 * is refused unless the place takes it: agx_build_imm() makes a value, and the optimiser folds it. */
struct agx_ref {
   uint32_t value; /* AGX_SSA: number of the value; else as in struct agx_operand */
   uint16_t reg;   /* AGX_SSA after register allocation: first half */
   uint8_t kind, size, count;
   bool abs, neg, sext;
   bool cache, discard; /* hints of the encoding, agx_last_use.c */
   bool kill;           /* the thread does not read the value after this (a result: never); agx_liveness() */
};

struct agx_instr {
   uint16_t op; /* enum agx_op or agx_pseudo */
   uint16_t num_dsts, num_srcs;
   bool long_form;
   bool exact; /* no transform that changes the result's bits */
   struct agx_ref *dsts, *srcs;
   struct agx_modifiers mod;
   uint32_t index; /* scratch of the running phase */
};

struct agx_block;
struct agx_edges {
   struct agx_block **at;
   unsigned count, capacity;
};

struct agx_block {
   uint32_t index; /* order of emission */
   struct agx_instr **instrs;
   uint32_t count, capacity;
   struct agx_edges preds, succs;                   /* logical */
   struct agx_edges physical_preds, physical_succs; /* agx_ir_link_physical() makes them */
   uint8_t loop_depth;
   uint32_t offset_B; /* emission */
};

struct agx_value {
   uint8_t size, count;
};

#define AGX_ADDRESS_H 4 /* uniforms of an address */

/* One program: the main one of a shader, or its preamble. */
struct agx_ir {
   struct arena *arena;
   const struct agx_options *options;
   struct agx_output *out; /* flags of stages, constants: shared between both programs */
   enum nir_stage stage;
   bool is_preamble;

   struct agx_block **blocks;
   unsigned num_blocks, blocks_capacity;

   struct agx_value *values; /* by number; 0 is no value */
   uint32_t num_values, values_capacity;
   struct live_sets live; /* along logical edges: agx_liveness() */

   unsigned next_uniform_h;        /* the first that nobody took */
   struct agx_constant *constants; /* what the driver uploads: of the main program */
   unsigned num_constants, constants_capacity;
   const uint8_t *data; /* tables of constants, of the main program, as in struct agx_output */
   uint32_t data_B, data_h;
   uint32_t scratch_B; /* a thread: the shader's own, then spills */
   unsigned registers_max_h, used_registers_h;
   BITSET_DECLARE(left, AGX_REGISTERS); /* halves that AGX_P_LEAVE has filled; agx_lower_copies() */
   bool allocated;                      /* values have registers */
   bool has_flow;                       /* r0l counts nesting and holds no values; agx_regalloc() */
   uint32_t spills, fills;

   const char *error; /* first failure */
};

struct agx_ir *agx_ir_create(struct arena *arena, const struct agx_options *options);
struct agx_block *agx_ir_block(struct agx_ir *ir); /* after all others */
/* Logical edge. */
void agx_ir_link(struct agx_ir *ir, struct agx_block *from, struct agx_block *to);
/* Makes the physical edges anew, from the order of blocks and the markers in them. */
void agx_ir_link_physical(struct agx_ir *ir);
/* A new value as an operand. */
struct agx_ref agx_ir_value(struct agx_ir *ir, unsigned size, unsigned count);
struct agx_instr *agx_ir_instr(struct agx_ir *ir, unsigned op, unsigned num_dsts, unsigned num_srcs);
void agx_ir_append(struct agx_ir *ir, struct agx_block *block, struct agx_instr *instr);
void agx_ir_insert(struct agx_ir *ir, struct agx_block *block, unsigned at, struct agx_instr *instr);
/* Phases that rewrite a block append to another one: block gets its instructions, and it is empty again. */
void agx_ir_take(struct agx_block *block, struct agx_block *made);
/* An instruction that only stands last in a block: if, AGX_P_LOOP, BREAK, CONTINUE, NEXT. */
bool agx_ends_block(const struct agx_instr *instr);
/* Where instructions go that a block ends with: before its control flow. */
unsigned agx_ir_end(const struct agx_block *block);
/* The first that is no phi and no marker. */
unsigned agx_ir_begin(const struct agx_block *block);
/* `halves` uniforms beyond those taken, aligned to their size (at most 4); -1: there are no more. */
int agx_ir_take_uniforms(struct agx_ir *ir, unsigned halves);
/* A constant in a uniform that was taken for it. */
void agx_ir_constant(struct agx_ir *ir, unsigned uniform, uint32_t value);
/* Records the first failure, with printf formatting. */
void agx_ir_fail(struct agx_ir *ir, const char *format, ...) __attribute__((format(printf, 2, 3)));

static inline struct agx_ref
agx_none(void)
{
   return (struct agx_ref){0};
}
static inline struct agx_ref
agx_ssa(const struct agx_ir *ir, uint32_t value)
{
   return (struct agx_ref){
      .kind = AGX_SSA, .value = value, .size = ir->values[value].size, .count = ir->values[value].count};
}
static inline struct agx_ref
agx_undef(unsigned size, unsigned count)
{
   return (struct agx_ref){.kind = AGX_UNDEF, .size = (uint8_t)size, .count = (uint8_t)count};
}
static inline struct agx_ref
agx_imm(uint32_t value)
{
   return (struct agx_ref){.kind = AGX_IMM, .value = value};
}
/* An offset of memory instructions: its sign is extended. */
static inline struct agx_ref
agx_simm(int32_t value)
{
   return (struct agx_ref){.kind = AGX_SIMM, .value = (uint32_t)value, .sext = true};
}
/* half: number of the first half. */
static inline struct agx_ref
agx_uniform(unsigned half, unsigned size, unsigned count)
{
   return (struct agx_ref){.kind = AGX_UNIFORM, .value = half, .size = (uint8_t)size, .count = (uint8_t)count};
}
static inline struct agx_ref
agx_reg(unsigned half, unsigned size, unsigned count)
{
   return (struct agx_ref){.kind = AGX_REG, .value = half, .size = (uint8_t)size, .count = (uint8_t)count};
}
/* AGX_TS, AGX_SS, AGX_CF. */
static inline struct agx_ref
agx_state(unsigned kind, unsigned number)
{
   return (struct agx_ref){.kind = (uint8_t)kind, .value = number};
}

static inline struct agx_ref
agx_neg(struct agx_ref ref)
{
   ref.neg = !ref.neg;
   return ref;
}
static inline struct agx_ref
agx_abs(struct agx_ref ref)
{
   ref.abs = true;
   ref.neg = false;
   return ref;
}
/* An integer whose sign is extended. */
static inline struct agx_ref
agx_sext(struct agx_ref ref)
{
   ref.sext = true;
   return ref;
}

static inline unsigned
agx_halves(const struct agx_ref *ref)
{
   return ref->size / 16u * ref->count;
}
static inline unsigned
agx_value_halves(const struct agx_ir *ir, uint32_t value)
{
   return ir->values[value].size / 16u * ir->values[value].count;
}
/* Where its register may begin: multiples of so many halves. */
static inline unsigned
agx_alignment(unsigned size)
{
   return size / 16u;
}
static inline bool
agx_is_pseudo(const struct agx_instr *instr)
{
   return instr->op >= AGX_P_FIRST;
}
/* After agx_lower_cf(): mod.target is the number of a block. */
static inline bool
agx_jumps(const struct agx_instr *instr)
{
   return instr->op == AGX_OP_JMP_NONE || instr->op == AGX_OP_JMP_ANY;
}
/* A special register that is the same wherever a thread reads it: none of who else runs, or is covered. */
static inline bool
agx_reads_stable_sr(const struct agx_instr *instr)
{
   const unsigned sr = instr->mod.sr;
   return instr->op == AGX_OP_MFSR && (sr < AGX_SR_ACTIVE_THREAD_INDEX_IN_QUADGROUP || sr == AGX_SR_BACKFACING ||
                                       (sr >= AGX_SR_THREAD_IN_GRID_X && sr <= AGX_SR_THREAD_IN_GRID_Z));
}
static inline bool
agx_is_marker(const struct agx_instr *instr)
{
   return instr->op == AGX_P_ELSE || instr->op == AGX_P_ENDIF || instr->op == AGX_P_ENDLOOP;
}

/* A part of a program, that others follow. */
static inline bool
agx_continues(const struct agx_ir *ir)
{
   return ir->options->continues && !ir->is_preamble;
}

/* The last block of the program, where parts leave what others take. */
static inline struct agx_block *
agx_ir_last(const struct agx_ir *ir)
{
   return ir->blocks[ir->num_blocks - 1];
}

/* ---- phases (agx_compile.c); the result of each is a valid program, or it records an error ---- */

/* The front half: what the passes of nir leave is what selection takes. Selection fills the main program and, where
 * something is computed once a draw, the preamble; without that it has no blocks. */
void agx_lower_nir(struct nir_shader *nir, const struct agx_options *options);
bool agx_select(struct agx_ir *main, struct agx_ir *preamble, struct nir_shader *nir);
void agx_optimise(struct agx_ir *ir);
void agx_cse(struct agx_ir *ir);
/* Where it looks for the same operation: of all that two of them have in common. */
uint32_t agx_instr_hash(const struct agx_instr *instr);
void agx_dead_code(struct agx_ir *ir);
/* Whether the operand can stand there, whatever the others are. */
bool agx_takes(unsigned op, unsigned source, const struct agx_ref *ref);
void agx_liveness(struct agx_ir *ir);
unsigned agx_live_halves(const struct agx_ir *ir, const struct live_set *live);
/* *live: halves ahead of the instruction, then after it. Returns how many with its results, dead ones too. */
unsigned agx_live_step(const struct agx_ir *ir, const struct agx_instr *instr, unsigned *live);
/* Highest number of halves that are live at any point, with the results of the instruction there; needs liveness. */
unsigned agx_pressure(const struct agx_ir *ir);
/* Halves that may be live where as many threads run as there can be. */
#define AGX_SLACK_H 8 /* what the allocator may lose to alignment */
static inline unsigned
agx_comfort_h(const struct agx_ir *ir)
{
   const unsigned most = MIN2(104, ir->registers_max_h); /* agx_max_threads() */
   return most - MIN2(AGX_SLACK_H, most);
}
void agx_narrow(struct agx_ir *ir);
void agx_schedule(struct agx_ir *ir);
void agx_spill(struct agx_ir *ir);
/* Part of spilling: no more than limit_h halves are live after it, either. Needs liveness; true: changed it. */
bool agx_reuse_fills(struct agx_ir *ir, unsigned limit_h);
void agx_regalloc(struct agx_ir *ir);
void agx_lower_copies(struct agx_ir *ir);
void agx_lower_cf(struct agx_ir *ir);
void agx_waits(struct agx_ir *ir);
void agx_last_use(struct agx_ir *ir);
/* The code with padding, in the arena; its size without in *exec_B. */
#define AGX_TRAPS 8 /* of the padding */
const uint8_t *agx_emit(struct agx_ir *ir, uint32_t *code_B, uint32_t *exec_B);

/* Text of code, an instruction a line, in the arena. */
const char *agx_listing(struct arena *arena, const uint8_t *code, uint32_t code_B);

/* Fills what the output says of the program, after emission. */
void agx_statistics(const struct agx_ir *ir);

/* The hardware form of an allocated instruction and its bytes; returns their number, 0 if it has none. */
unsigned agx_encode(const struct agx_instr *instr, uint8_t bytes[AGX_INST_MAX_B]);
/* The same for one that agx_check_lowered() accepts. */
unsigned agx_encode_known(const struct agx_instr *instr, uint8_t bytes[AGX_INST_MAX_B]);

/* ---- checks; NULL, or what is wrong ---- */

/* Forms of operands, edges, structure: until control flow is lowered. */
const char *agx_check_form(struct agx_ir *ir);
/* That and SSA; before register allocation. */
const char *agx_validate(struct agx_ir *ir);
/* That form, and which read does not get its value. Independent of the allocator: follows values through the
 * registers. */
const char *agx_check_ra(struct agx_ir *ir);
/* Only instructions of the hardware, all encodable. */
const char *agx_check_lowered(struct agx_ir *ir);
/* "block 3: INSTRUCTION: what", in the program's arena. */
const char *agx_fault_text(struct agx_ir *ir, const struct agx_block *block, const struct agx_instr *instr,
                           const char *what);

/* ---- text ---- */

/* The whole program as text, left by that phase. */
void agx_print(const struct agx_ir *ir, const char *phase, FILE *file);
/* The next program of the text, which moves on, as *line does, and the name of the phase that left it; NULL with
 * *error, which names the line. */
struct agx_ir *agx_parse(struct arena *arena, const char **text, const struct agx_options *options, unsigned *line,
                         const char **phase, const char **error);

#endif
