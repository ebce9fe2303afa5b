/* Appends instructions to a block. A function for each operation of the ISA is generated (agx_builder_gen.py):
 * agx_fadd(b, 32, x, y) gives a value, agx_load_to(b, dst, base, index) returns the instruction; modifiers are set in
 * b->last after either. */
#ifndef INDIUM_AGX_BUILDER_H
#define INDIUM_AGX_BUILDER_H

#include "asahi/compiler/agx_ir.h"

struct agx_builder {
   struct agx_ir *ir;
   struct agx_block *block;
   struct agx_instr *last;
};

static inline struct agx_instr *
agx_build(struct agx_builder *b, struct agx_instr *instr)
{
   agx_ir_append(b->ir, b->block, instr);
   b->last = instr;
   return instr;
}

#include "asahi/compiler/agx_builder_ops.h" /* generated */

/* A pseudo operation; the caller fills in what it has. */
static inline struct agx_instr *
agx_build_pseudo(struct agx_builder *b, unsigned op, unsigned num_dsts, unsigned num_srcs)
{
   return agx_build(b, agx_ir_instr(b->ir, op, num_dsts, num_srcs));
}

/* A constant of 16 or 32 bits, or of 64 as a collect of two, which the optimiser puts where it is used. */
struct agx_ref agx_build_imm(struct agx_builder *b, unsigned size, uint64_t value);

/* size, count: of the result; the parts fill it, or the rest is undefined. */
struct agx_ref agx_build_collect(struct agx_builder *b, unsigned size, unsigned count, const struct agx_ref *parts,
                                 unsigned num_parts);

/* Cuts a value (or uniforms) into parts[count] of `size` bits. */
void agx_build_split(struct agx_builder *b, struct agx_ref vector, unsigned size, struct agx_ref *parts,
                     unsigned count);

/* What register `half` and those after it hold at entry; to be called before anything else is built. */
struct agx_ref agx_build_preload(struct agx_builder *b, unsigned half, unsigned size, unsigned count);

/* A source that does nothing with its value: fmov and the like. */
static inline struct agx_ref
agx_fimm(unsigned code)
{
   return (struct agx_ref){.kind = AGX_FIMM, .value = code};
}
#define AGX_FIMM_NEG_ZERO 0x80

#endif
