#include <errno.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

#include "intel/sim/stream_text.h"

struct reader {
   struct intel_stream *stream;
   unsigned line;
   char *at; /* in the line */
   char *error;
};

static bool __attribute__((format(printf, 2, 3)))
fail(struct reader *reader, const char *format, ...)
{
   va_list list;
   int used = snprintf(reader->error, 160, "line %u: ", reader->line);
   va_start(list, format);
   vsnprintf(reader->error + used, 160 - (size_t)used, format, list);
   va_end(list);
   return false;
}

/* The next word of the line, cut off; NULL at its end. */
static char *
next(struct reader *reader)
{
   char *word = reader->at + strspn(reader->at, " \t\r");
   if (!*word)
      return NULL;
   char *end = word + strcspn(word, " \t\r");
   reader->at = *end ? end + 1 : end;
   *end = 0;
   return word;
}

static bool
number(struct reader *reader, const char *what, int base, uint64_t most, uint64_t *value)
{
   const char *word = next(reader);
   char *end;
   if (!word)
      return fail(reader, "%s is missing", what);
   errno = 0;
   *value = strtoull(word, &end, base);
   bool digits =
      base == 16 ? word[strspn(word, "0123456789abcdefABCDEF")] == 0 : word[strspn(word, "0123456789")] == 0;
   if (!digits || *end || errno || *value > most)
      return fail(reader, "\"%.20s\" is no %s", word, what);
   return true;
}

static struct intel_submit *
last_submit(const struct reader *reader)
{
   const struct dynarray *submits = &reader->stream->submits;
   size_t count = dynarray_count(submits, struct intel_submit);
   return count ? dynarray_at(submits, struct intel_submit, count - 1) : NULL;
}

/* The rest of the line. */
static bool
read_words(struct reader *reader, struct intel_submit *submit, uint64_t va, struct intel_run *run)
{
   uint64_t word;
   *run = (struct intel_run){.va = va, .first = (uint32_t)dynarray_count(&submit->words, uint32_t)};
   while (reader->at[strspn(reader->at, " \t\r")]) {
      if (!number(reader, "word", 16, UINT32_MAX, &word))
         return false;
      dynarray_append(&submit->words, uint32_t, (uint32_t)word);
      run->count++;
   }
   if (!run->count)
      return fail(reader, "words are missing");
   dynarray_append(&submit->runs, struct intel_run, *run);
   return true;
}

/* What stands there for people is what the words say. */
static bool
check_packet(struct reader *reader, const struct intel_submit *submit, const struct intel_run *run, const char *name)
{
   uint32_t header = *dynarray_at(&submit->words, uint32_t, run->first);
   enum intel_packet packet = intel_packet_find(reader->stream->chip->gen, header);
   const char *real = packet == INTEL_PACKET_NONE ? NULL : intel_packets[packet].name;
   unsigned count = intel_command_length_dw(header);
   if (strcmp(name, real ? real : "_"))
      return fail(reader, "%08x begins %s, not %.40s", header, real ? real : "a packet without a name (_)", name);
   return count == run->count || fail(reader, "%08x begins a packet of %u words, not %u", header, count, run->count);
}

static bool
read_memory(struct reader *reader, bool is_packet)
{
   struct intel_submit *submit = last_submit(reader);
   struct intel_run run;
   uint64_t va;
   if (!submit)
      return fail(reader, "a submit must come first");
   if (!number(reader, "address", 16, UINT64_MAX >> 16, &va))
      return false;
   if (va % 4)
      return fail(reader, "the address is not a multiple of 4");
   const char *name = is_packet ? next(reader) : NULL;
   if (is_packet && !name)
      return fail(reader, "the packet's name is missing");
   return read_words(reader, submit, va, &run) && (!is_packet || check_packet(reader, submit, &run, name));
}

static bool
read_submit(struct reader *reader)
{
   uint64_t id, context, va;
   const char *word;
   if (!reader->stream->chip)
      return fail(reader, "the chip must come first");
   if (!number(reader, "number", 10, UINT32_MAX, &id))
      return false;
   if (!(word = next(reader)) || strcmp(word, "context"))
      return fail(reader, "\"context\" is missing");
   if (!number(reader, "context", 10, UINT32_MAX, &context))
      return false;
   const char *engine = next(reader);
   if (!engine)
      return fail(reader, "the engine is missing");
   if (!number(reader, "address", 16, UINT64_MAX >> 16, &va))
      return false;
   struct intel_submit submit = {.line = reader->line,
                                 .number = (unsigned)id,
                                 .context = (unsigned)context,
                                 .is_render = !strcmp(engine, "render"),
                                 .va = va};
   dynarray_append(&reader->stream->submits, struct intel_submit, submit);
   return true;
}

static bool
read_chip(struct reader *reader)
{
   const char *name = next(reader);
   if (reader->stream->chip)
      return fail(reader, "there is a chip already");
   reader->stream->chip = name ? intel_chip_by_name(name) : NULL;
   return reader->stream->chip || fail(reader, "no chip is called \"%.40s\"", name ? name : "");
}

static bool
read_line(struct reader *reader)
{
   const char *word = next(reader);
   if (!word)
      return true;
   if (!strcmp(word, "unknown")) /* the reader of the packets comes to the same */
      return true;
   bool is_packet = !strcmp(word, "packet"), is_submit = !strcmp(word, "submit");
   if (is_packet || !strcmp(word, "words"))
      return read_memory(reader, is_packet);
   if (!is_submit && strcmp(word, "chip"))
      return fail(reader, "\"%.40s\" is none of chip, submit, packet, words, unknown", word);
   if (!(is_submit ? read_submit(reader) : read_chip(reader)))
      return false;
   return !next(reader) || fail(reader, "there is more in the line than belongs there");
}

static int
by_va(const void *a, const void *b)
{
   const struct intel_run *left = a, *right = b;
   return left->va < right->va ? -1 : left->va > right->va;
}

/* A word stands once, or several times alike: batches may be run again within one. */
static bool
sort_runs(struct reader *reader, struct intel_submit *submit)
{
   size_t count = dynarray_count(&submit->runs, struct intel_run);
   if (count)
      qsort(submit->runs.data, count, sizeof(struct intel_run), by_va);
   struct intel_run *runs = submit->runs.data;
   const uint32_t *words = submit->words.data;
   size_t kept = 0;
   for (size_t i = 0; i < count; i++) {
      struct intel_run *last = kept ? &runs[kept - 1] : NULL, run = runs[i];
      uint64_t end = last ? last->va + 4 * (uint64_t)last->count : 0;
      if (!last || run.va >= end) {
         runs[kept++] = run;
         continue;
      }
      uint32_t skip = (uint32_t)((run.va - last->va) / 4);
      bool inside = run.count <= last->count - skip;
      if (!inside || memcmp(words + last->first + skip, words + run.first, run.count * 4)) {
         reader->line = submit->line;
         return fail(reader, "of the submit, 0x%llx stands twice, and differs", (unsigned long long)run.va);
      }
   }
   submit->runs.size_B = kept * sizeof(struct intel_run);
   return true;
}

bool
intel_stream_read(struct intel_stream *stream, char *text, size_t size_B, char error[160])
{
   struct reader reader = {.stream = stream, .error = error};
   char *end = text + size_B;
   *stream = (struct intel_stream){0};
   for (char *line = text; line < end;) {
      char *stop = memchr(line, '\n', (size_t)(end - line));
      char *after = stop ? stop + 1 : end;
      *(stop ? stop : end) = 0;
      reader.line++;
      line[strcspn(line, "#")] = 0;
      reader.at = line;
      bool first = reader.line == 1;
      if (first && strncmp(line, INTEL_STREAM_FIRST_LINE, strlen(INTEL_STREAM_FIRST_LINE)))
         return fail(&reader,
                     "\"" INTEL_STREAM_FIRST_LINE "\" is missing: indium run --dump-state writes such a file");
      if (!first && !read_line(&reader))
         return false;
      line = after;
   }
   if (!stream->chip)
      return fail(&reader, "the file ends without a chip");
   dynarray_for_each(struct intel_submit, submit, &stream->submits)
      if (!sort_runs(&reader, submit))
         return false;
   return true;
}

void
intel_stream_free(struct intel_stream *stream)
{
   dynarray_for_each(struct intel_submit, submit, &stream->submits) {
      dynarray_free(&submit->runs);
      dynarray_free(&submit->words);
   }
   dynarray_free(&stream->submits);
}

/* The run that has the address, or NULL. */
static const struct intel_run *
find_run(const struct intel_submit *submit, uint64_t va)
{
   const struct intel_run *runs = submit->runs.data;
   size_t low = 0, high = dynarray_count(&submit->runs, struct intel_run);
   while (low < high) {
      size_t middle = (low + high) / 2;
      if (runs[middle].va + 4 * (uint64_t)runs[middle].count <= va)
         low = middle + 1;
      else
         high = middle;
   }
   return low < dynarray_count(&submit->runs, struct intel_run) && runs[low].va <= va ? &runs[low] : NULL;
}

static bool
read_submit_memory(void *data, uint64_t va, void *bytes, uint32_t size_B)
{
   const struct intel_submit *submit = data;
   if (va % 4)
      return false;
   for (uint32_t done_B = 0; done_B < size_B; done_B += 4) {
      const struct intel_run *run = find_run(submit, va + done_B);
      if (!run)
         return false;
      uint32_t index = run->first + (uint32_t)((va + done_B - run->va) / 4);
      memcpy((char *)bytes + done_B, dynarray_at(&submit->words, uint32_t, index), 4);
   }
   return true;
}

struct intel_memory
intel_submit_memory(const struct intel_submit *submit)
{
   return (struct intel_memory){read_submit_memory, (void *)submit};
}
