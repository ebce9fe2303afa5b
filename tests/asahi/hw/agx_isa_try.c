#include "agx_isa_try.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "asahi/hw/isa.h"

static void
must(bool holds, const char *what, const char *text)
{
   if (holds)
      return;
   fprintf(stderr, "agx_isa_try: %s: %s\n", what, text);
   abort();
}

unsigned
agx_isa_try(const uint8_t *bytes, size_t size_B)
{
   struct agx_inst inst, parsed, shorter;
   uint8_t back[AGX_INST_MAX_B];
   char text[256] = "", again[256];
   const unsigned used_B = agx_isa_decode(bytes, size_B, &inst);
   must(used_B <= size_B, "it is longer than its bytes", text);
   if (!used_B)
      return 0;
   must(agx_isa_print(&inst, text, sizeof(text)) < (int)sizeof(text), "its text is long", text);
   must(agx_isa_encode(&inst, back) == used_B && !memcmp(back, bytes, used_B), "its bytes are others", text);
   must(agx_isa_parse(text, &parsed), "its text is none of an instruction", text);
   agx_isa_print(&parsed, again, sizeof(again));
   must(!strcmp(text, again), "its text means another one", again);
   const unsigned parsed_B = agx_isa_encode(&parsed, back);
   must(parsed_B && parsed_B <= agx_isa_op_info((enum agx_op)inst.op).long_B, "its text has no encoding", text);
   /* Truncated, it is none, or another one that is shorter. */
   for (unsigned n = 0; n < used_B; n++)
      must(agx_isa_decode(bytes, n, &shorter) <= n, "cut off, it is longer than its bytes", text);
   return used_B;
}
