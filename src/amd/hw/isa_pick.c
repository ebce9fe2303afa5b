/* The shortest encoding of an instruction. */
#include "amd/hw/isa_private.h"

enum amd_enc
amd_isa_pick_encoding(enum amd_gen gen, const struct amd_inst *inst)
{
   enum amd_enc best = AMD_ENC_NONE;
   unsigned best_size = AMD_INST_MAX_DW + 1;
   for (unsigned i = 0; i < 2; i++) {
      struct amd_inst try = *inst;
      uint32_t words[AMD_INST_MAX_DW];
      unsigned size_dw;
      try.enc = isa_numbers[inst->op][gen][i].enc;
      if (try.enc != AMD_ENC_NONE && amd_isa_encode(gen, &try, words, &size_dw) && size_dw < best_size) {
         best = (enum amd_enc)try.enc;
         best_size = size_dw;
      }
   }
   return best;
}
