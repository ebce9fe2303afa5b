/* Machine code, up to where it ends. */
#include <inttypes.h>

#include "asahi/hw/isa.h"
#include "asahi/lib/agx_decode_private.h"

#define MAX_INSTRUCTIONS (1u << 16)

void
show_program(struct walk *walk, uint64_t va)
{
   for (unsigned i = 0; i < MAX_INSTRUCTIONS; i++) {
      uint8_t bytes[AGX_INST_MAX_B];
      struct agx_inst inst;
      /* What lies after the last instruction may be unmapped. */
      size_t count_B = sizeof(bytes);
      while (count_B && walk->decode->read(walk->decode->data, va, bytes, count_B) != count_B)
         count_B -= 2;
      unsigned size_B = agx_isa_decode(bytes, count_B, &inst);
      if (!size_B) {
         problem(walk, va, count_B ? "no instruction" : "a program: no memory");
         return;
      }
      if (walk->decode->out) {
         char text[256];
         agx_isa_print(&inst, text, sizeof(text));
         fprintf(walk->decode->out, "%10" PRIx64 " %*s%s\n", va, (int)walk->depth * 2, "", text);
      }
      if (inst.op == AGX_OP_STOP)
         return;
      va += size_B;
   }
   problem(walk, va, "a program of more than %u instructions", MAX_INSTRUCTIONS);
}
