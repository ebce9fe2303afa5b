/* Programs for the tests: instructions built field by field and encoded by amd/hw. */
#ifndef TEST_ASM_H
#define TEST_ASM_H

#include <assert.h>

#include "amd/hw/isa.h"

struct assembly {
   uint32_t words[4096];
   unsigned count;
};

static inline void
assemble(struct assembly *a, struct amd_inst inst)
{
   unsigned size;
   if (!inst.enc)
      inst.enc = (uint8_t)amd_isa_pick_encoding(AMD_GFX10_3, &inst);
   bool ok = amd_isa_encode(AMD_GFX10_3, &inst, a->words + a->count, &size);
   assert(ok && "the instruction has an encoding");
   a->count += size;
}

static inline struct amd_inst
inst(enum amd_op op, unsigned dst, unsigned src0, unsigned src1, unsigned src2)
{
   struct amd_inst i = amd_inst_init(op, AMD_ENC_NONE);
   i.dst = (uint16_t)dst;
   i.src[0] = (uint16_t)src0;
   i.src[1] = (uint16_t)src1;
   i.src[2] = (uint16_t)src2;
   return i;
}

#define NONE AMD_OPERAND_NONE
#define V(n) amd_vgpr(n)
#define S(n) amd_sgpr(n)
#define I(n) amd_inline_int(n)
#define OP0(name) inst(AMD_OP_##name, NONE, NONE, NONE, NONE)
#define OP1(name, d, a) inst(AMD_OP_##name, d, a, NONE, NONE)
#define OP2(name, d, a, b) inst(AMD_OP_##name, d, a, b, NONE)
#define OP3(name, d, a, b, c) inst(AMD_OP_##name, d, a, b, c)

static inline struct amd_inst
sopp(enum amd_op op, unsigned simm16)
{
   struct amd_inst i = inst(op, NONE, NONE, NONE, NONE);
   i.simm16 = (uint16_t)simm16;
   return i;
}

#define WAIT_VM 0x3f70
#define WAIT_LGKM 0xc07f
#define WAIT_ALL 0x0000

/* global_load/store/atomic with a 64-bit address in S(base) and a 32-bit offset in V(offset). */
static inline struct amd_inst
global_op(enum amd_op op, unsigned dst, unsigned offset, unsigned data, unsigned base)
{
   struct amd_inst i = inst(op, dst, V(offset), data, S(base));
   return i;
}

#endif
