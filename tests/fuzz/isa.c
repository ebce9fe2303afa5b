/* The decoder, the printer and the encoder of AMD's instructions: a byte for the generation, then words. */
#include <string.h>

#include "fuzz.h"
#include "isa_try.h"

int
LLVMFuzzerTestOneInput(const uint8_t *data, size_t size_B)
{
   if (!size_B)
      return 0;
   enum amd_gen gen = data[0] % AMD_GEN_COUNT;
   for (size_t at = 1; at + 4 <= size_B;) {
      uint32_t words[AMD_INST_MAX_DW] = {0};
      char text[256];
      unsigned available_dw = (unsigned)((size_B - at) / 4);
      if (available_dw > AMD_INST_MAX_DW)
         available_dw = AMD_INST_MAX_DW;
      memcpy(words, data + at, available_dw * 4);
      unsigned size_dw = isa_try_words(gen, words, available_dw, data[0] & 0x80, text, sizeof(text));
      at += size_dw ? size_dw * 4 : 4;
   }
   return 0;
}
