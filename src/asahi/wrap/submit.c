#include <inttypes.h>
#include <string.h>

#include "asahi/lib/agx_decode.h"
#include "asahi/lib/agx_decode_iogpu.h"
#include "asahi/wrap/wrap_private.h"
#include "util/macros.h"

static size_t
read_memory(void *data, uint64_t va, void *out, size_t size_B)
{
   return agx_wrap_space_read(data, va, out, size_B);
}

void
agx_wrap_submit_begin(struct agx_tracer *wrap, const struct agx_wrap_submission *submission)
{
   struct agx_decode decode = {
      .gen = wrap->gen,
      .max_records = wrap->max_records,
      .usc_base = submission->usc_base,
      .data = submission->space,
      .read = read_memory,
      .out = wrap->text,
   };
   if (wrap->text) {
      (submission->is_iogpu ? agx_decode_iogpu : agx_decode_submit)(&decode, submission->commands,
                                                                    submission->size_B);
      fflush(wrap->text);
   }
   wrap->reports += decode.problems;
   if (wrap->recorder)
      sim_recorder_update(wrap->recorder);
}

/* The commands may end within a word. */
void
agx_wrap_submit_taken(struct agx_tracer *wrap, const struct agx_wrap_submission *submission)
{
   FILE *out = wrap->recording;
   if (!wrap->recorder)
      return;
   fprintf(out, "submit %" PRIu64 " %s # %s\n  usc 0x%" PRIx64 "\n", submission->space->id,
           submission->is_iogpu ? "iogpu" : "queue", submission->label, submission->usc_base);
   for (size_t at_B = 0; at_B < submission->size_B; at_B += 4) {
      uint32_t word = 0;
      memcpy(&word, (const char *)submission->commands + at_B, MIN2(submission->size_B - at_B, sizeof(word)));
      fprintf(out, "%s%08x", at_B % 32 ? " " : at_B ? "\n  words " : "  words ", word);
   }
   fputc('\n', out);
   fflush(out); /* whatever the program's end is */
}
