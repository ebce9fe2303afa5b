/* A command stream: PM4 dwords written straight into indirect buffers that jump to each other.
 *
 * The writer reserves dwords, stores them at cs->cur and moves it. When memory runs out the stream continues writing
 * into a spare chunk over and over and si_cs_end() reports it, so that writers need no checks. */
#ifndef INDIUM_SI_CS_H
#define INDIUM_SI_CS_H

#include <assert.h>
#include <stdbool.h>
#include <string.h>

#include "amd/hw/pm4.h"
#include "amd/hw/reg_table.h"
#include "gallium/auxiliary/aux_chunk.h"

/* Dwords at the end of a chunk for padding (a buffer's size is a multiple of 8) and the jump. */
#define SI_CS_TAIL_DW 16

struct si_cs {
   uint32_t *start, *cur, *end;    /* of `last`; end: start of the tail */
   struct aux_chunk *first, *last; /* used_B: packets without the padding and the jump */
   struct aux_chunk_pool *pool;
   uint32_t *jump_control; /* the last dword of the jump into `last`; NULL in the first chunk */
   uint32_t *back_control; /* of the jump that si_cs_split was given; NULL: there is none to `last` */
   uint32_t first_size_dw; /* of the first buffer, after si_cs_end() */
   bool out_of_memory;
   bool is_sdma;         /* its buffers do not jump: each is submitted (si_cs_buffer_dw) */
   uint32_t spare[2048]; /* written when there is no memory */
};

/* Largest reservation. */
#define SI_CS_MAX_RESERVE_DW 2048

void si_cs_init(struct si_cs *cs, struct aux_chunk_pool *pool);

/* Gives the chunks back. */
void si_cs_reset(struct si_cs *cs);

/* Starts an empty stream. False when out of memory. */
bool si_cs_begin(struct si_cs *cs);

/* Pads the last buffer. False if memory ran out since the start. */
bool si_cs_end(struct si_cs *cs);

/* Size of a chunk of an ended stream without jumps. */
uint32_t si_cs_buffer_dw(const struct aux_chunk *chunk);

/* Appends the packets of a chunk of an ended stream. Where they lie now; NULL when out of memory. */
uint32_t *si_cs_append(struct si_cs *cs, const struct aux_chunk *chunk);

/* Takes the next chunk; for si_cs_reserve(). */
void si_cs_grow(struct si_cs *cs);

/* Of a jump's packet. */
#define SI_JUMP_DW 4

/* The same after a jump elsewhere. back: SI_JUMP_DW dwords in the newest chunk that become a jump to the next one. */
void si_cs_split(struct si_cs *cs, uint32_t *back);

/* Room for n dwords at cs->cur; n <= SI_CS_MAX_RESERVE_DW. */
static inline void
si_cs_reserve(struct si_cs *cs, unsigned n)
{
   if (__builtin_expect((size_t)(cs->end - cs->cur) < n, 0))
      si_cs_grow(cs);
}

/* The functions below store into reserved room. */

static inline void
si_cs_emit(struct si_cs *cs, uint32_t value)
{
   *cs->cur++ = value;
}

static inline void
si_cs_emit_array(struct si_cs *cs, const uint32_t *values, unsigned n)
{
   memcpy(cs->cur, values, n * 4);
   cs->cur += n;
}

/* Size of a packet, by its header. */
static inline unsigned
si_packet_dw(uint32_t header)
{
   return header == PKT3_NOP_PAD ? 1 : 2 + G_PKT3_COUNT(header);
}

/* A packet by the fields that amd/hw/pm4.txt gives it: si_packet(cs, draw_index_auto, .count_el = 3, ...). */
#define si_packet(cs, name, ...) \
   ((cs)->cur = amd_pm4_##name##_pack((cs)->cur, &(const struct amd_pm4_##name){__VA_ARGS__}))

/* One of the packets that are like each other. */
#define si_packet_of(cs, opcode, name, ...) \
   ((cs)->cur = amd_pm4_##name##_pack((cs)->cur, opcode, &(const struct amd_pm4_##name){__VA_ARGS__}))

/* Start of a packet that sets n registers; opcode: of a SET_*_REG packet, start: of its registers. */
static inline void
si_cs_set_regs(struct si_cs *cs, uint32_t opcode, uint32_t start, uint32_t reg, unsigned n)
{
   cs->cur =
      amd_pm4_set_reg_pack(cs->cur, opcode, &(const struct amd_pm4_set_reg){.reg_offset = (reg - start) / 4}, n);
}

/* Start of a run of n registers; reg: byte offset. 2 + n dwords. */
static inline void
si_cs_context_regs(struct si_cs *cs, uint32_t reg, unsigned n)
{
   si_cs_set_regs(cs, PKT3_SET_CONTEXT_REG, AMD_CONTEXT_REG_START, reg, n);
}

/* A register and its value; reg: byte offset. */
struct si_reg {
   uint32_t reg, value;
};

static inline void
si_cs_emit_values(struct si_cs *cs, const struct si_reg *regs, unsigned n)
{
   for (unsigned i = 0; i < n; i++) {
      assert(regs[i].reg == regs[0].reg + 4 * i && "registers that follow each other");
      si_cs_emit(cs, regs[i].value);
   }
}

/* Values of registers that follow each other, by name, after the start of their run: si_values(cs, {R_A, a},
 * {R_B, b}). In a run of several viewports, those of the first name the values of all. */
#define si_values(cs, ...) \
   si_cs_emit_values(cs, (const struct si_reg[]){__VA_ARGS__}, \
                     sizeof((const struct si_reg[]){__VA_ARGS__}) / sizeof(struct si_reg))

static inline void
si_cs_context_run(struct si_cs *cs, const struct si_reg *regs, unsigned n)
{
   si_cs_context_regs(cs, regs[0].reg, n);
   si_cs_emit_values(cs, regs, n);
}

/* Registers that follow each other, by name: si_context_regs(cs, {R_A, a}, {R_B, b}). */
#define si_context_regs(cs, ...) \
   si_cs_context_run(cs, (const struct si_reg[]){__VA_ARGS__}, \
                     sizeof((const struct si_reg[]){__VA_ARGS__}) / sizeof(struct si_reg))

static inline void
si_cs_context_reg(struct si_cs *cs, uint32_t reg, uint32_t value)
{
   si_cs_context_regs(cs, reg, 1);
   si_cs_emit(cs, value);
}

static inline void
si_cs_sh_regs(struct si_cs *cs, uint32_t reg, unsigned n)
{
   si_cs_set_regs(cs, PKT3_SET_SH_REG, AMD_SH_REG_START, reg, n);
}

static inline void
si_cs_sh_run(struct si_cs *cs, const struct si_reg *regs, unsigned n)
{
   si_cs_sh_regs(cs, regs[0].reg, n);
   si_cs_emit_values(cs, regs, n);
}

#define si_sh_regs(cs, ...) \
   si_cs_sh_run(cs, (const struct si_reg[]){__VA_ARGS__}, \
                sizeof((const struct si_reg[]){__VA_ARGS__}) / sizeof(struct si_reg))

/* A block of user SGPRs of base/user_data.txt; s0: the register of the program's first user SGPR:
 * si_user_data(cs, vs_draw, s0, .draw_id = 3, ...). */
#define si_user_data(cs, block, s0, ...) \
   ((cs)->cur = si_user_##block##_pack((cs)->cur, s0, &(const struct si_user_##block){__VA_ARGS__}))

/* An address in two user SGPRs. */
static inline void
si_cs_sh_address(struct si_cs *cs, uint32_t reg, uint64_t va)
{
   si_sh_regs(cs, {reg, (uint32_t)va}, {reg + 4, (uint32_t)(va >> 32)});
}

static inline void
si_cs_sh_reg(struct si_cs *cs, uint32_t reg, uint32_t value)
{
   si_cs_sh_regs(cs, reg, 1);
   si_cs_emit(cs, value);
}

static inline void
si_cs_uconfig_reg(struct si_cs *cs, uint32_t reg, uint32_t value)
{
   si_cs_set_regs(cs, PKT3_SET_UCONFIG_REG, AMD_UCONFIG_REG_START, reg, 1);
   si_cs_emit(cs, value);
}

/* index: what the register is to the command processor (1 primitive type, 2 index type). */
static inline void
si_cs_uconfig_reg_index(struct si_cs *cs, uint32_t reg, unsigned index, uint32_t value)
{
   const struct amd_pm4_set_reg packet = {.reg_offset = (reg - AMD_UCONFIG_REG_START) / 4, .index = index};

   cs->cur = amd_pm4_set_reg_pack(cs->cur, PKT3_SET_UCONFIG_REG_INDEX, &packet, 1);
   si_cs_emit(cs, value);
}

#endif
