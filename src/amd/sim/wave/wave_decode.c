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

/* Mesa 26 on GFX11: v_fmac_f16 with halves of its sources, and with its result as the third one. */
static bool
has_halves_to_add_to(const struct amd_inst *in, const uint32_t *words, uint32_t op_sel)
{
   return in->op == AMD_OP_v_fmac_f16 && op_sel <= 3 && (words[1] >> 18 & 511) == in->dst;
}

/* Long forms whose OP_SEL the tables lack. known: without the bits that hardware ignores. */
static unsigned
decode_op_sel(enum amd_gen gen, const uint32_t *words, uint32_t *known, uint32_t available_dw, struct amd_inst *in)
{
   const uint32_t op_sel = known[0] >> 11 & 15;
   known[0] &= ~(15u << 11);
   const unsigned length = amd_isa_decode(gen, known, available_dw, in);
   bool hidden = length && !(op_sel & 4) && has_hidden_op_sel((enum amd_op)in->op);
   if (!hidden && !(length && has_halves_to_add_to(in, words, op_sel)))
      return 0;
   in->op_sel = (uint8_t)op_sel;
   return length;
}

unsigned
wave_decode(enum amd_gen gen, const uint32_t *words, uint32_t available_dw, struct amd_inst *in, bool *passed_over)
{
   unsigned length = amd_isa_decode(gen, words, available_dw, in);
   *passed_over = false;
   if (length || !available_dw)
      return length;
   uint32_t known[AMD_INST_MAX_DW] = {0};
   available_dw = MIN2(available_dw, AMD_INST_MAX_DW);
   memcpy(known, words, available_dw * sizeof(*words));
   *passed_over = amd_isa_clear_ignored(gen, words, available_dw, known);
   if (*passed_over)
      length = amd_isa_decode(gen, known, available_dw, in);
   if (length || available_dw < 2 || known[0] >> 26 != 0x35)
      return length;
   return decode_op_sel(gen, words, known, available_dw, in);
}
