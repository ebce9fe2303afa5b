/* The shader instruction set: one decoded instruction, and pure functions that encode, decode, print and describe it.
 *
 * Facts live in isa_table.txt (one row an opcode, generations are columns), isa_formats.txt (bit fields of each
 * encoding) and the tables of isa/ (operand numbers, text, rules); isa/generate.py turns them into isa_opcodes.h and
 * the code behind this header. Sources: AMD "RDNA 2" ISA document; LLVM 19 MC.
 */
#ifndef INDIUM_AMD_HW_ISA_H
#define INDIUM_AMD_HW_ISA_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "amd/hw/gen.h"
/* From the tables: enum amd_op (AMD_OP_<mnemonic without _e32, _e64>), amd_enc, amd_operand, amd_atomic,
 * amd_wait, amd_hwreg, amd_sdwa_sel, amd_sdwa_unused, amd_dpp_ctrl. */
#include "amd/hw/isa_opcodes.h"

/* Extra dword of a VOP1, VOP2 or VOPC instruction. */
enum amd_modifier {
   AMD_MOD_NONE,
   AMD_MOD_SDWA,
   AMD_MOD_DPP16,
   AMD_MOD_DPP8,
};

static inline uint16_t
amd_sgpr(unsigned index)
{
   return (uint16_t)index;
}
static inline uint16_t
amd_vgpr(unsigned index)
{
   return (uint16_t)(AMD_VGPR0 + index);
}
static inline bool
amd_is_vgpr(uint16_t operand)
{
   return operand >= AMD_VGPR0 && operand < AMD_VGPR0 + 256;
}

/* Operand of the integer constant value in [-16, 64]. */
static inline uint16_t
amd_inline_int(int value)
{
   return (uint16_t)(value >= 0 ? AMD_INT_0 + value : 192 - value);
}

/* Bits of the float constants AMD_FLOAT_0_5 and what follows, as operands of each size. */
#define AMD_INLINE_FLOATS 9
struct amd_inline_float {
   uint16_t f16;
   uint32_t f32;
   uint64_t f64;
};
extern const struct amd_inline_float amd_isa_inline_floats[AMD_INLINE_FLOATS];

/* s_waitcnt: where the immediate holds what may be left of a counter; two fields at most, of no bits where absent. */
struct amd_wait_field {
   uint8_t low, bits, to;
};
extern const struct amd_wait_field amd_isa_wait_fields[AMD_GEN_COUNT][AMD_WAIT_COUNT][2];

static inline unsigned
amd_isa_wait_left(enum amd_gen gen, enum amd_wait counter, unsigned simm16)
{
   const struct amd_wait_field *f = amd_isa_wait_fields[gen][counter];
   return (simm16 >> f[0].low & ((1u << f[0].bits) - 1)) << f[0].to | (simm16 >> f[1].low & ((1u << f[1].bits) - 1))
                                                                         << f[1].to;
}

/* The immediate can say no more; it waits for nothing then. */
static inline unsigned
amd_isa_wait_max(enum amd_gen gen, enum amd_wait counter)
{
   return amd_isa_wait_left(gen, counter, 0xffff);
}

/* left: at most amd_isa_wait_max(). */
static inline uint16_t
amd_isa_waitcnt(enum amd_gen gen, const unsigned left[AMD_WAIT_COUNT])
{
   unsigned simm16 = 0;
   for (unsigned n = 0; n < AMD_WAIT_COUNT; n++)
      for (const struct amd_wait_field *f = amd_isa_wait_fields[gen][n]; f < amd_isa_wait_fields[gen][n] + 2; f++)
         simm16 |= (left[n] >> f->to & ((1u << f->bits) - 1)) << f->low;
   return (uint16_t)simm16;
}

/* The immediate of s_getreg and s_setreg, for bits from first on, and its parts. */
static inline uint16_t
amd_hwreg(enum amd_hwreg id, unsigned first, unsigned bits)
{
   return (uint16_t)((bits - 1) << 11 | first << 6 | id);
}
static inline unsigned
amd_hwreg_id(unsigned simm16)
{
   return simm16 & 63;
}
static inline unsigned
amd_hwreg_first(unsigned simm16)
{
   return simm16 >> 6 & 31;
}
static inline unsigned
amd_hwreg_bits(unsigned simm16)
{
   return (simm16 >> 11) + 1;
}

/* Bit n: the generation has hardware register n. */
extern const uint64_t amd_isa_hwregs[AMD_GEN_COUNT];

/* One instruction. Start from AMD_INST_INIT or amd_inst_init(); unused operands are AMD_OPERAND_NONE.
 *
 * Places of the operands, by encoding (assembler order except where the role is fixed):
 *   SOP*, VOP*    dst, sdst (second result: carry or div_scale), src[0..2] in assembler order. VOP2 with carry or
 *                 condition in VCC name it: sdst or src[2] = AMD_VCC_LO. VOPC and s_cmp: v_cmp has dst = VCC_LO
 *                 in the short form; v_cmpx (writes EXEC) and s_cmp* (writes SCC) have no dst.
 *                 v_fmamk: src0, literal, src1. v_fmaak: src0, src1, literal (literal operands = AMD_LITERAL).
 *                 fmac and dot2c read dst too (AMD_FLAG_READS_DST), it is not repeated in src.
 *   SOPK          dst or (compare, setreg) src[0]; simm16. s_setreg_imm32_b32: literal.
 *   SOPP          simm16 (branches: words relative to the next instruction)
 *   SMEM          dst, src[0] = base SGPR, src[1] = offset SGPR or AMD_NULL, offset (21 bits, signed); probes: what
 *                 they ask for in simm16 (7 bits)
 *   s_set_gpr_idx_on  src[0]; simm16 says which operands are indexed
 *   VINTRP        dst, src[0] = I or J VGPR (v_interp_mov: 0, 1, 2 for P10, P20, P0 in simm16), attr, chan; M0 is
 *                 implicit. By VOP3 too, and there of 16 bits with what was interpolated before in src[2]
 *   DS            dst, src[0] = address, src[1] = data0, src[2] = data1; offset (16 bits; two-offset forms:
 *                 offset0 | offset1 << 8)
 *   MUBUF, MTBUF  dst (load; atomic with glc), src[0] = address VGPR(s), src[1] = T# SGPR, src[2] = soffset,
 *                 src[3] = data VGPR (store, atomic). An address that is not used is encoded as given or 0.
 *   MIMG          dst (load, sample; atomic with glc), src[0] = first address VGPR, src[1] = T#, src[2] = S#,
 *                 src[3] = data (store, atomic). nsa_count > 0: nsa[] holds the addresses after the first, as
 *                 VGPR indices
 *   FLAT, GLOBAL, SCRATCH  dst, src[0] = address VGPR(s) or NONE, src[1] = data, src[2] = SGPR address, NONE or NULL
 *   EXP           src[0..3] = VGPRs (only those of exp_en are read), exp_*
 */
struct amd_inst {
   uint16_t op;      /* enum amd_op */
   uint8_t enc;      /* enum amd_enc */
   uint8_t modifier; /* enum amd_modifier */
   uint8_t size_dw;  /* decode and encode set it */

   uint16_t dst, sdst;
   uint16_t src[4];
   uint32_t literal; /* meaning of AMD_LITERAL */
   uint16_t simm16;

   /* Bit i belongs to src[i]. op_sel bit 3: the destination's high half. */
   uint8_t neg, abs; /* VOP3P: neg is neg_lo */
   uint8_t op_sel, op_sel_hi, neg_hi;
   bool clamp;
   uint8_t omod; /* 0 none, 1 *2, 2 *4, 3 /2 */

   uint16_t dpp_ctrl; /* DPP16 */
   uint8_t row_mask, bank_mask;
   bool bound_ctrl, fetch_inactive;
   uint32_t dpp8; /* eight 3-bit lane selects, lane 0 lowest */

   uint8_t sdwa_dst_sel, sdwa_dst_unused; /* VOPC: no dst_sel; an explicit SGPR result is dst */
   uint8_t sdwa_src_sel[2];
   uint8_t sdwa_sext; /* bit i: src[i] */

   int32_t offset;
   bool glc, dlc, slc, lds, gds, offen, idxen, tfe, lwe, unrm, r128, a16, d16;
   bool da; /* GFX9: an array or cube (which dimensions an image has its descriptor says) */
   uint8_t dmask;
   uint8_t dim;       /* 0 1D, 1 2D, 2 3D, 3 cube, 4 1D array, 5 2D array, 6 2D MSAA, 7 2D MSAA array */
   uint8_t format;    /* MTBUF: unified format, 7 bits; GFX9: layout 3:0, kind of number 6:4 */
   uint8_t nsa_count; /* addresses in nsa[]: encoded in whole dwords, four to a dword */
   uint8_t nsa[12];

   uint8_t attr, chan; /* VINTRP; VOP3 of interpolation */
   bool high;          /* VOP3 of interpolation of 16 bits: the attribute's high half */

   /* VOPD: the operation that runs in parallel with op, on the same literal. Neither sees the other's result. */
   uint16_t dual_op, dual_dst, dual_src[3];

   uint8_t wait_exp, wait_vdst; /* VINTERP: exports, LDSDIR: vector instructions that may be left before it runs */

   uint8_t exp_target, exp_en; /* target: 0-7 MRT, 8 MRTZ, 9 null, 12-16 POS0-4, 20 PRIM, 32-63 PARAM */
   bool exp_done, exp_vm, exp_compr, row_en;
};

#define AMD_INST_INIT                                                                                \
   (struct amd_inst)                                                                                 \
   {                                                                                                 \
      .dst = AMD_OPERAND_NONE, .sdst = AMD_OPERAND_NONE,                                             \
      .src = {AMD_OPERAND_NONE, AMD_OPERAND_NONE, AMD_OPERAND_NONE, AMD_OPERAND_NONE},               \
      .row_mask = 0xf, .bank_mask = 0xf,                                                             \
      .sdwa_dst_sel = AMD_SDWA_DWORD, .sdwa_dst_unused = AMD_SDWA_UNUSED_PRESERVE,                   \
      .sdwa_src_sel = {AMD_SDWA_DWORD, AMD_SDWA_DWORD},                                              \
      .dual_dst = AMD_OPERAND_NONE, .dual_src = {AMD_OPERAND_NONE, AMD_OPERAND_NONE, AMD_OPERAND_NONE}, \
   }

/* The defaults above with op and enc set; VOP3P gets op_sel_hi = all ones except for the mix instructions. */
struct amd_inst amd_inst_init(enum amd_op op, enum amd_enc enc);

enum amd_type {
   AMD_TYPE_NONE,
   AMD_TYPE_B16,
   AMD_TYPE_F16,
   AMD_TYPE_I16,
   AMD_TYPE_U16,
   AMD_TYPE_B32,
   AMD_TYPE_F32,
   AMD_TYPE_I32,
   AMD_TYPE_U32,
   AMD_TYPE_B64,
   AMD_TYPE_F64,
   AMD_TYPE_I64,
   AMD_TYPE_U64,
   AMD_TYPE_V2F16, /* packed */
   AMD_TYPE_V2I16,
   AMD_TYPE_V2U16,
   AMD_TYPE_WIDE,   /* data of size_dw dwords without arithmetic meaning */
   AMD_TYPE_MATRIX, /* size_dw registers in waves of 32 lanes, half as many in waves of 64 */
};

/* Which registers the short encoding of an operand may name. */
enum amd_operand_class {
   AMD_CLASS_NONE,
   AMD_CLASS_VGPR,
   AMD_CLASS_SGPR,    /* SGPR, VCC, EXEC, M0, null */
   AMD_CLASS_SSRC,    /* the same, constants, literal */
   AMD_CLASS_SRC,     /* all: VGPR, SGPR, constants, literal */
   AMD_CLASS_MASK,    /* lane mask: SGPR, one in wave32 and two in wave64 */
   AMD_CLASS_LITERAL, /* always a literal (v_fmamk, v_fmaak) */
   AMD_CLASS_VLANE,   /* SRC of v_readlane: lane select (SGPR, M0 or constant) */
};

struct amd_operand_info {
   uint8_t cls;     /* enum amd_operand_class; VOP3, VOP3P: a VGPR source of VOP1/2/C becomes SRC */
   uint8_t type;    /* enum amd_type */
   uint8_t size_dw; /* masks: as in wave64, 2. Memory data: as without dmask, tfe and d16 */
};

enum amd_op_flag {
   AMD_FLAG_READS_SCC = 1u << 0,
   AMD_FLAG_WRITES_SCC = 1u << 1,
   AMD_FLAG_READS_VCC = 1u << 2, /* implicitly, that is not named in src (v_div_fmas, s_cbranch_vccz) */
   AMD_FLAG_WRITES_VCC = 1u << 3,
   AMD_FLAG_READS_EXEC = 1u << 4, /* vector work, and scalar instructions that read it implicitly */
   AMD_FLAG_WRITES_EXEC = 1u << 5,
   AMD_FLAG_READS_M0 = 1u << 6,
   AMD_FLAG_READS_DST = 1u << 7,
   AMD_FLAG_BRANCH = 1u << 8, /* may change the program counter (with READS_SCC/VCC/EXEC: conditional) */
   AMD_FLAG_END = 1u << 9,    /* ends the program */
   AMD_FLAG_VMCNT = 1u << 10, /* counted until the data are back */
   AMD_FLAG_VSCNT = 1u << 11, /* counted until the store is done; an atomic without return counts here */
   AMD_FLAG_LGKMCNT = 1u << 12,
   AMD_FLAG_EXPCNT = 1u << 13,
   AMD_FLAG_LOAD = 1u << 14,
   AMD_FLAG_STORE = 1u << 15,
   AMD_FLAG_ATOMIC = 1u << 16,   /* with glc (or _rtn) it returns: then VMCNT instead of VSCNT */
   AMD_FLAG_COMMUTES = 1u << 17, /* src0 and src1 may swap; the opcode becomes commuted */
   AMD_FLAG_TRANS = 1u << 18,    /* quarter-rate unit: rcp, rsq, sqrt, log, exp, sin, cos */
   AMD_FLAG_CLAMP = 1u << 19,    /* VOP3, VOP3P, SDWA */
   AMD_FLAG_OMOD = 1u << 20,
   AMD_FLAG_OPSEL = 1u << 21,      /* VOP3 op_sel */
   AMD_FLAG_BARRIER = 1u << 22,    /* orders memory or waves: not to be moved */
   AMD_FLAG_SAMPLE = 1u << 23,     /* has a sampler */
   AMD_FLAG_DERIVATIVE = 1u << 24, /* image instruction with implicit derivatives: needs whole quads */
   AMD_FLAG_D16 = 1u << 26,        /* result is in 16-bit halves (d16 in the name) */
   AMD_FLAG_D16_HI = 1u << 27,
   AMD_FLAG_TWO_OFFSETS = 1u << 28, /* DS: two offsets of 8 bits, in offset_units elements */
};

/* Parts of an image instruction's address, in the order of the address registers. */
enum amd_image_flag {
   AMD_IMAGE_OFFSET = 1u << 0, /* packed texel offsets: x 5:0, y 13:8, z 21:16, signed */
   AMD_IMAGE_BIAS = 1u << 1,
   AMD_IMAGE_COMPARE = 1u << 2,
   AMD_IMAGE_GRADIENT = 1u << 3, /* dx then dy, each in coordinate order */
   AMD_IMAGE_LOD = 1u << 4,      /* after the coordinates (also image_load_mip, image_store_mip) */
   AMD_IMAGE_CLAMP = 1u << 5,    /* after the coordinates */
   AMD_IMAGE_LOD_ZERO = 1u << 6,
   AMD_IMAGE_GATHER = 1u << 7,
   AMD_IMAGE_G16 = 1u << 8,
};

/* An operation in one generation; encs is 0 if it is not there. */
struct amd_op_info {
   uint32_t encs;     /* bit (1 << enum amd_enc) */
   uint8_t modifiers; /* bit (1 << enum amd_modifier) that the short encoding takes */
   struct amd_operand_info dst, sdst, src[4];
   uint32_t flags; /* enum amd_op_flag */
   uint8_t src_count;
   uint8_t mods;         /* bit i: src[i] takes neg and abs (VOP3; VOP3P: neg_lo and neg_hi) */
   uint8_t op_sel;       /* bit i: src[i] takes op_sel (VOP3, VOP3P); bit 3: the result does */
   uint8_t element_B;    /* loads and stores: bytes of one access (DS: at one address; else 1, 2 or 4) */
   bool is_signed;       /* a load extends the sign */
   uint8_t components;   /* of an access with a format, else 0 */
   uint8_t offset_units; /* AMD_FLAG_TWO_OFFSETS: accesses that one unit of an offset stands for */
   uint8_t atomic;       /* enum amd_atomic */
   uint16_t image;       /* enum amd_image_flag */
   uint16_t commuted;    /* the operation with the same result when src0 and src1 are swapped (v_sub_f32 ->
                          * v_subrev_f32), or AMD_OP_COUNT */
};

/* op < AMD_OP_COUNT, gen one whose column is filled. */
const struct amd_op_info *amd_isa_op_info(enum amd_gen gen, enum amd_op op);

/* The mnemonic of the first column. */
const char *amd_isa_op_name(enum amd_op op);

/* By mnemonic (with or without _e32, _e64, _sdwa, _dpp), or AMD_OP_COUNT. */
enum amd_op amd_isa_op_by_name(const char *name);
/* The same of what the generation calls so, else of the first column. */
enum amd_op amd_isa_op_of(enum amd_gen gen, const char *name);

/* Number of the operation in this encoding, or -1. */
int amd_isa_opcode(enum amd_gen gen, enum amd_op op, enum amd_enc enc);

/* The enc with which this instruction can be encoded shortest, looking at operands and modifiers; AMD_ENC_NONE if no
 * encoding fits (operand out of its class, modifier that does not exist). inst->enc is ignored. */
enum amd_enc amd_isa_pick_encoding(enum amd_gen gen, const struct amd_inst *inst);

/* VOPD: the second operation as an instruction of its own. */
struct amd_inst amd_isa_second(const struct amd_inst *inst);

/* MIMG: registers of the address (after packing of 16-bit parts) and of the data (dmask, d16, tfe). */
unsigned amd_isa_image_address_dw(const struct amd_inst *inst);
unsigned amd_isa_image_data_dw(const struct amd_inst *inst);

/* Writes at most AMD_INST_MAX_DW dwords. False if the instruction has no such encoding in gen: unknown op or enc, an
 * operand or a modifier that the fields cannot hold, two literals. */
#define AMD_INST_MAX_DW 5
bool amd_isa_encode(enum amd_gen gen, const struct amd_inst *inst, uint32_t *out, unsigned *size_dw);

/* The size in dwords of the instruction at words, which holds count_dw valid dwords; 0 if unknown or truncated. */
unsigned amd_isa_decode(enum amd_gen gen, const uint32_t *words, unsigned count_dw, struct amd_inst *inst);

/* The same, but bits that hardware ignores may be anything ('~' in isa_formats.txt): what a driver's code is read
 * with. Such an instruction does not encode to the same words again. */
unsigned amd_isa_decode_loosely(enum amd_gen gen, const uint32_t *words, unsigned count_dw, struct amd_inst *inst);

/* Its first two dwords as amd_isa_decode wants them. False: no bit that hardware ignores stands in its way. */
bool amd_isa_clear_ignored(enum amd_gen gen, const uint32_t *words, unsigned count_dw, uint32_t cleared[2]);

/* Which bits of the first two dwords hardware ignores. */
uint64_t amd_isa_ignored_bits(enum amd_gen gen, const uint32_t *words, unsigned count_dw);

/* The text that LLVM's disassembler prints (lane masks depend on wave64), NUL-terminated and cut to size. Returns the
 * full length, as snprintf. */
int amd_isa_print(enum amd_gen gen, const struct amd_inst *inst, bool wave64, char *text, size_t size);

#endif
