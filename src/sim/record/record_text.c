#include "sim/record/record_text.h"

#include <inttypes.h>

#include "util/hash.h"

/* Words in lines; "WORD*COUNT" stands for equal ones. */
static void
print_words(FILE *out, const uint32_t *words, uint64_t count)
{
   unsigned column = 0;
   for (uint64_t i = 0, same; i < count; i += same) {
      for (same = 1; i + same < count && words[i + same] == words[i];)
         same++;
      fprintf(out, "%s%08" PRIx32, column ? " " : "  ", words[i]);
      if (same > 1)
         fprintf(out, "*%" PRIu64, same);
      column = (column + 1) % 8;
      if (!column)
         fputc('\n', out);
   }
   if (column)
      fputc('\n', out);
}

static void
print_map(FILE *out, const struct sim_record *record)
{
   char letters[sizeof(SIM_RECORD_ACCESS)] = "-", *letter = letters;
   for (unsigned i = 0; SIM_RECORD_ACCESS[i]; i++)
      if (record->access >> i & 1)
         *letter++ = SIM_RECORD_ACCESS[i];
   fprintf(out, "map %" PRIu64 " 0x%" PRIx64 " 0x%" PRIx64 " %s", record->space, record->va.va, record->size_B,
           letters);
   if (record->memory)
      fprintf(out, " %" PRIu64 " 0x%" PRIx64, record->memory, record->offset_B);
   fputc('\n', out);
}

void
sim_record_print_head(FILE *out, const char *driver, const char *chip, const char *schedule, const char *option)
{
   fprintf(out, SIM_RECORD_FIRST_LINE "\ndevice %s %s\n", driver, chip);
   if (schedule)
      fprintf(out, "schedule %s\n", schedule);
   if (option)
      fprintf(out, "option %s\n", option);
}

void
sim_record_print(FILE *out, const struct sim_record *record)
{
   switch (record->kind) {
   case SIM_RECORD_MEMORY:
      fprintf(out, "memory %" PRIu64 " 0x%" PRIx64 "\n", record->memory, record->size_B);
      return;
   case SIM_RECORD_FREE:
      fprintf(out, "free %" PRIu64 "\n", record->memory);
      return;
   case SIM_RECORD_MAP:
      print_map(out, record);
      return;
   case SIM_RECORD_UNMAP:
      fprintf(out, "unmap %" PRIu64 " 0x%" PRIx64 " 0x%" PRIx64 "\n", record->space, record->va.va, record->size_B);
      return;
   case SIM_RECORD_WRITE:
   case SIM_RECORD_EXPECT:
      fprintf(out, "%s %" PRIu64 " 0x%" PRIx64 "\n", record->kind == SIM_RECORD_WRITE ? "write" : "expect",
              record->memory, record->offset_B);
      print_words(out, record->words.data, dynarray_count(&record->words, uint32_t));
      return;
   case SIM_RECORD_SUBMIT:
      fprintf(out, "submit %" PRIu64 " %s\n", record->space, record->text);
      dynarray_for_each(const struct sim_record_line, line, &record->lines)
         fprintf(out, "  %s\n", line->text);
      return;
   case SIM_RECORD_WAITED:
      fprintf(out, "waited\n");
      return;
   case SIM_RECORD_WROTE:
      fprintf(out, "wrote %016" PRIx64 "\n", record->hash);
      return;
   case SIM_RECORD_FAULT:
      fprintf(out, "fault %s\n", record->text);
      return;
   }
}

uint64_t
sim_record_hash(uint64_t hash, uint64_t memory, uint64_t offset_B, const uint32_t *words, uint64_t count)
{
   uint64_t all[] = {hash, memory, offset_B, hash_bytes(words, count * 4)};
   return hash_bytes(all, sizeof(all));
}
