/* The machine IR: SSA values in scalar or vector registers over two control flow graphs.
 *
 * Vector values exist per lane: they are live along the logical edges (what one lane does). Scalar values, lane masks
 * among them, exist once a wave: they are live along the linear edges (what the wave does). Between p_logical_end and
 * the end of a block, and in blocks without logical edges, only scalar work happens.
 *
 * An instruction of the hardware has its operands in the places of struct amd_inst (src[0..3]); an MIMG instruction
 * may have further address operands after them. A tied operand (register equal to the first result's) stands last.
 * SCC is not a value: an instruction that reads it follows its writer in the same block with no other writer between;
 * the writer has uses_scc set. VCC is an ordinary pair of registers; EXEC and M0 are fixed. */
#ifndef INDIUM_ACO_IR_H
#define INDIUM_ACO_IR_H

#include <assert.h>
#include <stdarg.h>
#include <stdio.h>

#include "amd/compiler/aco.h"
#include "amd/hw/isa.h"
#include "util/arena.h"
#include "amd/compiler/aco_target.h"
#include "compiler/backend/live_sets.h"
#include "util/bitset.h"
#include "util/macros.h"

/* Register class: size in dwords, bit 7 for vector registers. 0: none. */
typedef uint8_t aco_rc;
#define ACO_RC_V 0x80
#define ACO_S1 ((aco_rc)1)
#define ACO_S2 ((aco_rc)2)
#define ACO_S4 ((aco_rc)4)
#define ACO_S8 ((aco_rc)8)
#define ACO_V1 ((aco_rc)(ACO_RC_V | 1))
#define ACO_V2 ((aco_rc)(ACO_RC_V | 2))

static inline unsigned
aco_rc_size_dw(aco_rc rc)
{
   return rc & 0x1f;
}
static inline bool
aco_rc_is_v(aco_rc rc)
{
   return rc & ACO_RC_V;
}
static inline aco_rc
aco_rc_s(unsigned size_dw)
{
   return (aco_rc)size_dw;
}
static inline aco_rc
aco_rc_v(unsigned size_dw)
{
   return (aco_rc)(ACO_RC_V | size_dw);
}

/* Operations that the hardware does not have. */
enum aco_pseudo {
   ACO_P_FIRST = 0x4000,
   ACO_P_STARTPGM = ACO_P_FIRST, /* defines the registers that are set at entry */
   ACO_P_PHI,                    /* vector: one operand per logical predecessor */
   ACO_P_LINEAR_PHI,             /* scalar: one operand per linear predecessor */
   ACO_P_PARALLELCOPY,           /* def[i] = operand[i], all at once */
   ACO_P_CREATE_VECTOR,          /* def = operands one after another */
   ACO_P_SPLIT_VECTOR,           /* operand cut into the defs (a def without temp skips its dwords) */
   ACO_P_LOGICAL_END,
   ACO_P_SPILL_S, /* operand 0 into scalar spill slot `offset` (dwords): lanes of reserved VGPRs */
   ACO_P_RELOAD_S,
   ACO_P_SPILL_V,      /* operand 0 into scratch at `offset` (bytes); operands 1, 2: scratch V#, soffset */
   ACO_P_RELOAD_V,     /* operands 0, 1: scratch V#, soffset */
   ACO_P_DATA_ADDRESS, /* def: where aco_program.data will be, 48 bits */
   ACO_P_AWAIT_WAVES,  /* operand 0: COLLISION_WAVEID; def: a register to work in; see aco_await_waves() */
   ACO_P_END,
};

enum aco_operand_kind {
   ACO_OP_NONE,
   ACO_OP_UNDEF,
   ACO_OP_TEMP,
   ACO_OP_CONST, /* 32 bits; in a 64-bit place the sign-extended integer, which is an inline constant */
   ACO_OP_FIXED, /* a register that is not allocated: EXEC, M0, null, or any after allocation */
};

struct aco_operand {
   uint32_t value; /* temp or constant */
   uint16_t reg;   /* enum amd_operand numbering: FIXED, or TEMP after allocation */
   uint8_t kind;
   aco_rc rc;       /* TEMP, UNDEF */
   bool kill;       /* last use in this block's path: set by aco_liveness(); set on each operand of the temp */
   bool first_kill; /* the first operand of the instruction with that temp and kill */
};

struct aco_def {
   uint32_t temp; /* 0: no value (fixed register only, or dead part of a split) */
   uint16_t reg;
   aco_rc rc;
   bool fixed; /* reg is prescribed */
   bool kill;  /* never read */
};

/* In place of a distance that is known when all code is there: no inline constant. */
#define ACO_TO_DATA 0x7ffffffc

struct aco_instr {
   uint16_t op; /* enum amd_op or aco_pseudo */
   uint16_t num_ops, num_defs;
   struct aco_operand *ops;
   struct aco_def *defs;
   struct aco_instr *dual; /* VOPD: the second operation; has this one's op, operands and results, nothing else */

   uint8_t neg, abs, opsel;  /* bit per operand; VOP3P: neg is neg_lo, opsel: halves for the low result */
   uint8_t neg_hi, opsel_hi; /* VOP3P */
   uint8_t omod;
   bool clamp, vop3p;
   bool uses_scc;     /* the SCC it writes is read */
   bool side_effects; /* not to be removed or reordered with others that have side effects */
   bool exact;        /* no transform that changes float results */
   bool tied;         /* the last operand and the first def share a register */

   bool dpp, bound_ctrl, fetch_inactive;
   uint8_t row_mask, bank_mask;
   uint16_t dpp_ctrl;

   bool glc, dlc, slc, gds, offen, idxen, unrm, d16;
   bool tfe; /* the last dword of the result is a status; lanes without memory keep what it and the others had */
   uint8_t dmask, dim;
   int32_t offset; /* memory offset, spill slot */
   uint16_t simm16;
   uint8_t attr, chan;
   uint8_t exp_target, exp_en;
   bool exp_done, exp_vm, exp_compr, exp_row; /* exp_row: the lanes are those of the row that M0 names */
   bool drops_helpers;   /* narrows EXEC to lanes that are no helpers, until its next write; result: EXEC before */
   bool preserves_lanes; /* start and end of a section with all lanes, see aco_preserve_lanes.c */
   bool reorder;         /* memory: read-only data, may move across stores and barriers */
   bool to_data;         /* the constant is the distance from the end of the last s_getpc_b64 to aco_program.data */
   uint32_t index;       /* scratch of the running pass */
};

/* How a block ends. Conditional: goes to linear_succs[1] when the condition holds, else to linear_succs[0]. */
enum aco_term {
   ACO_TERM_END,
   ACO_TERM_JUMP,
   ACO_TERM_SCC0,
   ACO_TERM_SCC1,
   ACO_TERM_EXECZ,
};

struct aco_block;
struct aco_edges {
   struct aco_block **at;
   unsigned count, capacity;
};

struct aco_block {
   uint32_t index; /* order of emission; forward edges go up */
   struct aco_instr **instrs;
   uint32_t count, capacity;
   struct aco_edges logical_preds, logical_succs, linear_preds, linear_succs;
   enum aco_term term;
   uint8_t loop_depth;
   uint32_t offset_dw; /* emission */
};

struct aco_program {
   struct arena *arena;
   const struct aco_options *options;
   const struct aco_args *args;
   struct aco_output *out;
   enum aco_hw_stage hw;
   enum nir_stage stage; /* of the last shader, as texts name it */
   bool exports_emitted; /* GS: what a geometry shader has emitted (aco_stage.merged) */
   enum amd_gen gen;
   const struct aco_target *target;
   unsigned wave_size;
   aco_rc lm; /* class of a lane mask */

   struct aco_block **blocks;
   unsigned num_blocks, blocks_capacity;

   aco_rc *temp_rc; /* by temp; 0 is no temp */
   uint32_t num_temps, temps_capacity;

   /* scratch memory and spilling */
   uint32_t scratch_B; /* per lane, for load/store_scratch and spills */
   uint32_t scratch_offset_temp;
   const uint8_t *data; /* constants that stand after the code; whole dwords */
   uint32_t data_B;
   uint32_t lds_B; /* the shader's own and what shuffles take after it */
   unsigned spill_s_slots, spill_v_slots;
   unsigned spill_first_vgpr;     /* the reserved VGPRs for scalar slots, after the allocated ones */
   unsigned max_sgprs, max_vgprs; /* limits of allocation */
   uint16_t scratch_sgpr; /* two that are never allocated: circles of copies, long branches, waiting for waves */
   unsigned used_sgprs, used_vgprs; /* highest used + 1 */
   unsigned first_user_sgpr;        /* where the user SGPRs begin */
   bool preserves_lanes;            /* some instruction does */

   struct live_sets live; /* aco_liveness() */

   bool allocated;    /* registers are in the operands */
   bool has_pairs;    /* instructions may be paired (VOPD) */
   const char *error; /* first failure, or NULL */
};

/* ---- construction ---- */

struct aco_program *aco_program_create(struct arena *arena);
struct aco_block *aco_block_create(struct aco_program *program); /* appended */
void aco_link_linear(struct aco_program *program, struct aco_block *from, struct aco_block *to);
void aco_link_logical(struct aco_program *program, struct aco_block *from, struct aco_block *to);
uint32_t aco_temp(struct aco_program *program, aco_rc rc);
struct aco_instr *aco_instr_create(struct aco_program *program, unsigned op, unsigned num_defs, unsigned num_ops);
void aco_block_append(struct aco_program *program, struct aco_block *block, struct aco_instr *instr);
/* Passes that rewrite a block append to another one: block gets its instructions, and it is empty again. */
void aco_block_take(struct aco_block *block, struct aco_block *made);
void aco_edges_add(struct aco_program *program, struct aco_edges *edges, struct aco_block *block);
/* before position `at` */
void aco_block_insert(struct aco_program *program, struct aco_block *block, unsigned at, struct aco_instr *instr);
/* Index of p_logical_end in the block, or count. */
unsigned aco_logical_end(const struct aco_block *block);

/* Records the first failure, with printf formatting. */
void aco_fail(struct aco_program *program, const char *format, ...) __attribute__((format(printf, 2, 3)));

static inline struct aco_operand
aco_op_temp(const struct aco_program *program, uint32_t temp)
{
   return (struct aco_operand){.value = temp, .kind = ACO_OP_TEMP, .rc = program->temp_rc[temp]};
}

static inline struct aco_operand
aco_op_const(uint32_t value)
{
   return (struct aco_operand){.value = value, .kind = ACO_OP_CONST};
}

static inline struct aco_operand
aco_op_fixed(uint16_t reg)
{
   return (struct aco_operand){.reg = reg, .kind = ACO_OP_FIXED};
}

static inline bool
aco_is_v(const struct aco_operand *op)
{
   return op->kind == ACO_OP_TEMP && aco_rc_is_v(op->rc);
}
static inline bool
aco_is_pseudo(const struct aco_instr *instr)
{
   return instr->op >= ACO_P_FIRST;
}

/* The hardware operation as the program's generation has it. */
static inline const struct amd_op_info *
aco_info(const struct aco_program *program, unsigned op)
{
   return amd_isa_op_info(program->gen, (enum amd_op)op);
}

/* Registers of an operand or result, in dwords, as the table has them and waves of this program. */
static inline unsigned
aco_operand_size_dw(const struct aco_program *program, const struct amd_operand_info *operand)
{
   if (operand->cls == AMD_CLASS_MASK)
      return aco_rc_size_dw(program->lm);
   return operand->type == AMD_TYPE_MATRIX ? operand->size_dw * 32u / program->wave_size : operand->size_dw;
}

/* Flags of the hardware operation; of pseudo operations those that change SCC have that flag. */
static inline uint32_t
aco_flags(const struct aco_program *program, const struct aco_instr *instr)
{
   if (aco_is_pseudo(instr))
      return instr->op == ACO_P_AWAIT_WAVES || instr->op == ACO_P_DATA_ADDRESS ? AMD_FLAG_WRITES_SCC : 0;
   return aco_info(program, instr->op)->flags;
}

/* Encodings of the operation that are written in the program's generation, as bits. */
static inline uint32_t
aco_encs(const struct aco_program *program, const struct aco_instr *instr)
{
   uint32_t encs = aco_is_pseudo(instr) ? 0 : aco_info(program, instr->op)->encs;
   return encs & 1u << AMD_ENC_VINTRP ? 1u << AMD_ENC_VINTRP : encs; /* by VOP3 it would be longer */
}

#define ACO_ENC_SALU                                                                                                 \
   (1u << AMD_ENC_SOP1 | 1u << AMD_ENC_SOP2 | 1u << AMD_ENC_SOPK | 1u << AMD_ENC_SOPC | 1u << AMD_ENC_SOPP)
#define ACO_ENC_VALU                                                                                                 \
   (1u << AMD_ENC_VOP1 | 1u << AMD_ENC_VOP2 | 1u << AMD_ENC_VOPC | 1u << AMD_ENC_VOP3 | 1u << AMD_ENC_VOP3P |        \
    1u << AMD_ENC_VINTERP)
#define ACO_ENC_PAIR (1u << AMD_ENC_VOPD | 1u << AMD_ENC_VOPDY)
#define ACO_ENC_VMEM                                                                                                 \
   (1u << AMD_ENC_MUBUF | 1u << AMD_ENC_MTBUF | 1u << AMD_ENC_MIMG | 1u << AMD_ENC_FLAT | 1u << AMD_ENC_GLOBAL |     \
    1u << AMD_ENC_SCRATCH)

/* Registers of an allocated instruction, also those that it does not name: adds them to a set of ACO_NUM_REGS bits.
 */
#define ACO_NUM_REGS 512
void aco_add_reads(const struct aco_program *program, const struct aco_instr *instr, bitset_word *regs);
void aco_add_writes(const struct aco_program *program, const struct aco_instr *instr, bitset_word *regs);

/* Whether a vector instruction takes a literal as this operand. Without vop3_literals: short forms only. */
bool aco_takes_literal(const struct aco_program *program, unsigned op, unsigned place, const struct aco_operand *ops,
                       unsigned count);

/* 128..208 and 240..248 numbering of a constant in a place of this type, or AMD_LITERAL. */
uint16_t aco_const_operand(uint32_t value, enum amd_type type);

/* Whether an instruction has no effect but its results. */
bool aco_is_removable(const struct aco_program *program, const struct aco_instr *instr);

/* The instructions of ACO_P_AWAIT_WAVES, at most ACO_AWAIT_WAVES_MAX; returns how many. They touch the operand's
 * register, the def's, the scratch SGPRs and SCC, and have branches among themselves only. */
#define ACO_AWAIT_WAVES_MAX 17 /* one for a mistake (util/mutant.h) */
unsigned aco_await_waves(const struct aco_program *program, const struct aco_instr *instr, struct amd_inst *insts);

/* ---- passes; the result of each is a valid program, or it records an error ---- */

/* Ordered sections become entry, exit and, with layers, a loop (aco_may_loop_over_layers()). NULL, or how a path
 * would go wrong through the section: only looked for with options->validate. */
const char *aco_lower_interlock(struct nir_shader *nir, const struct aco_options *options);
/* contract: a * b + c may round once. */
bool aco_keep_denormals(struct nir_shader *nir);
/* MODE's fields of floats, as a shader asks for them (nir_shader_info.float_controls), from what it would be else. */
uint8_t aco_float_mode(uint8_t mode, unsigned asked);
void aco_lower_nir(const struct aco_target *target, struct nir_shader *nir, bool contract);
void aco_lower_geometry(struct nir_shader *nir); /* aco_lower_merged.c: what its threads start with */
/* What threads of tessellation shaders start with, the memory of patches and their factors. */
void aco_lower_tessellation(const struct aco_program *program, struct nir_shader *nir);
/* SGPRs of stream output after the user's of a VS; an evaluation shader has one in any case. */
static inline unsigned
aco_stream_output_sgprs(uint8_t buffers, bool evaluates)
{
   return buffers ? 2 + (unsigned)__builtin_popcount(buffers) : evaluates;
}
/* Whether a hardware stage may run the shaders of a stage; others are refused with a sentence. */
bool aco_has_stage(enum aco_hw_stage hw, enum nir_stage stage);
bool aco_select(struct aco_program *program, struct nir_shader *nir);
void aco_optimise(struct aco_program *program);
void aco_dead_code(struct aco_program *program);
void aco_schedule(struct aco_program *program);
void aco_liveness(struct aco_program *program);
/* Highest number of live SGPRs and VGPRs at any point; needs liveness. */
void aco_pressure(const struct aco_program *program, unsigned *sgprs, unsigned *vgprs);
void aco_spill(struct aco_program *program);
void aco_register_allocation(struct aco_program *program);
void aco_lower_copies(struct aco_program *program);
void aco_preserve_lanes(struct aco_program *program);
void aco_insert_waits(struct aco_program *program);
void aco_insert_clauses(struct aco_program *program);
void aco_pair(struct aco_program *program);
void aco_insert_wait_states(struct aco_program *program);
void aco_avoid_forwards(struct aco_program *program); /* hazards of GFX11 */
void aco_avoid_hazards(struct aco_program *program);  /* those of all, with these two */
void aco_insert_delays(struct aco_program *program);
void aco_emit(struct aco_program *program);

/* ---- checks and text; a check returns NULL, or what is wrong ---- */

/* What every phase relies on, before register allocation and after it: counts and sizes of operands, edges. */
const char *aco_check_form(struct aco_program *program);
/* That, and no pseudo operations but the wait for waves. */
const char *aco_check_lowered(struct aco_program *program);
/* That form and SSA; before register allocation. */
const char *aco_validate(struct aco_program *program);
/* Which read does not get its value. Independent of the allocator: follows values through the registers. */
const char *aco_check_ra(struct aco_program *program);

/* The whole program as text, left by that phase. */
void aco_print(const struct aco_program *program, const char *phase, FILE *file);
void aco_print_instr(const struct aco_program *program, const struct aco_instr *instr, FILE *file);
/* "block 3: INSTRUCTION: what", in the program's arena. */
const char *aco_fault_text(struct aco_program *program, const struct aco_block *block, const struct aco_instr *instr,
                           const char *what);
/* The program of such a text and the name of the phase; NULL with *error and its place. What is well formed may still
 * be wrong. The options are for what the text does not say. */
struct aco_program *aco_parse(struct arena *arena, const char *text, const struct aco_options *options,
                              const char **phase, const char **error);

/* Fills the hardware form of an allocated instruction; false if it has none. */
/* An image instruction whose address registers do not stand in a row. After register allocation. */
bool aco_is_nsa(const struct aco_program *program, const struct aco_instr *instr);
bool aco_hw_instr(const struct aco_program *program, const struct aco_instr *instr, struct amd_inst *inst);

#endif
