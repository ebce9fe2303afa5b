#include "isa_try.h"

#include <stdio.h>
#include <stdlib.h>

unsigned
isa_try_words(enum amd_gen gen, const uint32_t *words, unsigned available_dw, bool wave64, char *text, size_t text_B)
{
   struct amd_inst inst;
   uint32_t again[AMD_INST_MAX_DW];
   unsigned size = amd_isa_decode(gen, words, available_dw, &inst), size_again;
   if (!size)
      return 0;
   if (size > 1 && amd_isa_decode(gen, words, size - 1, &inst)) {
      fprintf(stderr, "%08x decodes without its last dword\n", words[0]);
      abort();
   }
   amd_isa_decode(gen, words, size, &inst);
   amd_isa_print(gen, &inst, wave64, text, text_B);
   /* Long forms and SDWA may name more scalars than the constant bus takes, where that is one also operations that
    * read VCC: such are decoded only. GFX9 has two places for the register of a scalar access. */
   bool fits = inst.enc != AMD_ENC_VOP3 && inst.enc != AMD_ENC_VOP3P && inst.modifier != AMD_MOD_SDWA &&
               !(gen == AMD_GFX9 && (inst.enc == AMD_ENC_VOP2 || inst.enc == AMD_ENC_SMEM));
   if (fits && (!amd_isa_encode(gen, &inst, again, &size_again) || size_again != size || again[0] != words[0])) {
      fprintf(stderr, "%08x is not what its decoded form encodes to: %s\n", words[0], text);
      abort();
   }
   return size;
}
