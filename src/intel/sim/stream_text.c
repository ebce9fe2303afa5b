#include "intel/sim/stream_text.h"

#include <inttypes.h>

#define WORDS_A_LINE 8
#define NO_NAME "_"

void
intel_stream_print_head(FILE *out, const char *chip)
{
   fprintf(out, INTEL_STREAM_FIRST_LINE "\nchip %s\n", chip);
}

void
intel_stream_print_packet(FILE *out, uint64_t va, const struct intel_words *packet)
{
   const char *name = packet->packet == INTEL_PACKET_NONE ? NULL : intel_packets[packet->packet].name;
   fprintf(out, "  packet %" PRIx64 " %s", va, name ? name : NO_NAME);
   for (unsigned i = 0; i < packet->count; i++)
      fprintf(out, " %08x", packet->words[i]);
   fputc('\n', out);
}

void
intel_stream_print_words(FILE *out, uint64_t va, const uint32_t *words, unsigned count)
{
   for (unsigned i = 0; i < count; i++) {
      if (i % WORDS_A_LINE == 0)
         fprintf(out, "%s  words %" PRIx64, i ? "\n" : "", va + 4 * (uint64_t)i);
      fprintf(out, " %08x", words[i]);
   }
   fputc('\n', out);
}
