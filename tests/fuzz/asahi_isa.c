/* The decoder, the printer, the parser and the encoder of AGX's instructions. A first byte above 0x7f: text. */
#include "asahi/hw/isa.h"
#include "fuzz.h"
#include "agx_isa_try.h"

#include <string.h>

static void
try_text(const uint8_t *data, size_t size_B)
{
   char text[256] = "";
   struct agx_inst inst;
   uint8_t bytes[AGX_INST_MAX_B];
   memcpy(text, data, size_B < sizeof(text) - 1 ? size_B : sizeof(text) - 1);
   if (agx_isa_parse(text, &inst))
      agx_isa_try(bytes, agx_isa_encode(&inst, bytes));
}

int
LLVMFuzzerTestOneInput(const uint8_t *data, size_t size_B)
{
   if (size_B && data[0] >= 0x80) {
      try_text(data + 1, size_B - 1);
      return 0;
   }
   for (size_t at = 1; at < size_B;) {
      const unsigned used_B = agx_isa_try(data + at, size_B - at);
      at += used_B ? used_B : 2;
   }
   return 0;
}
