/* Programs of real instructions in a stream's memory. */
#ifndef INDIUM_TESTS_PROGRAM_H
#define INDIUM_TESTS_PROGRAM_H

#include <string.h>

#include "amd/hw/isa.h"

struct program {
   uint8_t *at;
   unsigned count_dw;
};

static inline void
add(struct program *p, struct amd_inst inst)
{
   uint32_t words[AMD_INST_MAX_DW];
   unsigned size_dw;
   if (inst.enc == AMD_ENC_NONE)
      inst.enc = (uint8_t)amd_isa_pick_encoding(AMD_GFX10_3, &inst);
   if (!amd_isa_encode(AMD_GFX10_3, &inst, words, &size_dw))
      fail_msg("cannot encode %s", amd_isa_op_name((enum amd_op)inst.op));
   memcpy(p->at + p->count_dw * 4, words, size_dw * 4);
   p->count_dw += size_dw;
}

static inline struct amd_inst
make(const char *name, enum amd_enc enc)
{
   enum amd_op op = amd_isa_op_by_name(name);
   if (op == AMD_OP_COUNT)
      fail_msg("no operation %s", name);
   return amd_inst_init(op, enc);
}

static inline struct amd_inst
move_to_vgpr(unsigned vgpr, unsigned operand)
{
   struct amd_inst i = make("v_mov_b32", AMD_ENC_VOP1);
   i.dst = amd_vgpr(vgpr);
   i.src[0] = (uint16_t)operand;
   return i;
}

static inline struct amd_inst
wait_all(void)
{
   struct amd_inst i = make("s_waitcnt", AMD_ENC_SOPP);
   i.simm16 = 0;
   return i;
}

#endif
