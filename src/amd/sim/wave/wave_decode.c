#include "amd/sim/wave/wave_private.h"

/* VOP3 instructions on 16 bits whose OP_SEL the manual's table of encodings does not mention, and LLVM 19 neither
 * reads nor writes. Mesa's ACO sets it from GFX10 on and its results depend on it: observed with RADV 22.3.6. */
static bool
has_hidden_op_sel(enum amd_op op)
{
   switch ((int)op) {
   case AMD_OP_v_mul_lo_u16:
   case AMD_OP_v_lshlrev_b16:
   case AMD_OP_v_lshrrev_b16:
   case AMD_OP_v_ashrrev_i16:
   case AMD_OP_v_max_u16:
   case AMD_OP_v_max_i16:
   case AMD_OP_v_min_u16:
   case AMD_OP_v_min_i16:
      return true;
   default: /* others: OP_SEL where the table says */
      return false;
   }
}

/* The instruction with other bits in its first dword. */
static unsigned
decode_as(enum amd_gen gen, const uint32_t *words, uint32_t available_dw, uint32_t first, struct amd_inst *in)
{
   const uint32_t changed[3] = {first, words[1], available_dw > 2 ? words[2] : 0};
   return amd_isa_decode(gen, changed, available_dw < 3 ? available_dw : 3, in);
}

/* v_cmpx as VOP3 names EXEC as its destination; LLVM up to 15 leaves the field 0 from GFX10 on, and hardware takes
 * that too: observed with radeonsi 22.3.6. */
static unsigned
decode_cmpx(enum amd_gen gen, const uint32_t *words, uint32_t available_dw, struct amd_inst *in)
{
   if (words[0] & 0xff)
      return 0;
   const unsigned length = decode_as(gen, words, available_dw, words[0] | AMD_EXEC_LO, in);
   return length && amd_isa_op_info(gen, in->op)->flags & AMD_FLAG_WRITES_EXEC ? length : 0;
}

/* Mesa 26 on GFX11: v_fmac_f16 with halves of its sources, and with its result as the third one. */
static unsigned
decode_accumulating(enum amd_gen gen, const uint32_t *words, uint32_t available_dw, struct amd_inst *in)
{
   const uint32_t op_sel = words[0] >> 11 & 15, third = words[1] >> 18 & 511;
   const uint32_t changed[3] = {words[0] & ~(15u << 11), words[1] & ~(511u << 18), available_dw > 2 ? words[2] : 0};
   const unsigned length = amd_isa_decode(gen, changed, available_dw < 3 ? available_dw : 3, in);
   if (!length || in->op != AMD_OP_v_fmac_f16 || op_sel > 3 || third != in->dst)
      return 0;
   in->op_sel = (uint8_t)op_sel;
   return length;
}

/* GFX11: scratch without a VGPR as address, whose field says nothing: Mesa 26 has other numbers than 0 there. */
static unsigned
decode_scratch(enum amd_gen gen, const uint32_t *words, uint32_t available_dw, struct amd_inst *in)
{
   const uint32_t changed[2] = {words[0], words[1] & ~0xffu};
   bool scratch = words[0] >> 26 == 0x37 && (words[0] >> 16 & 3) == 1, by_vgpr = words[1] >> 23 & 1;
   return amd_traits[gen].scratch_in_registers && scratch && !by_vgpr ? amd_isa_decode(gen, changed, 2, in) : 0;
}

unsigned
wave_decode(enum amd_gen gen, const uint32_t *words, uint32_t available_dw, struct amd_inst *in)
{
   unsigned length = amd_isa_decode(gen, words, available_dw, in);
   if (length || available_dw < 2)
      return length;
   length = decode_scratch(gen, words, available_dw, in);
   if (length || words[0] >> 26 != 0x35)
      return length;
   length = decode_cmpx(gen, words, available_dw, in);
   if (length)
      return length;
   const uint32_t op_sel = words[0] >> 11 & 15;
   length = op_sel & 4 ? 0 : decode_as(gen, words, available_dw, words[0] & ~(15u << 11), in);
   if (!length)
      return decode_accumulating(gen, words, available_dw, in);
   if (!length || !has_hidden_op_sel((enum amd_op)in->op))
      return 0;
   in->op_sel = (uint8_t)op_sel;
   return length;
}
