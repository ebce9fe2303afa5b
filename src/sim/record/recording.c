#include "sim/record/recording.h"

#include <errno.h>
#include <inttypes.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "sim/record/record_text.h"
#include "sim/vm/vm.h"
#include "util/macros.h"
#include "util/read_file.h"
#include "util/within_memory.h"

#define PAGE_B 4096
#define BLANKS " \t\r"
#define MAX_MEMORIES (1u << 20)
#define MAX_MEMORY_B (UINT64_C(1) << 36)
#define MAX_BLOCK_WORDS (UINT64_C(1) << 26)

struct reader {
   struct sim_recording *recording;
   const struct sim_record_language *languages;
   struct sim_record_error *error;
   unsigned line;
   struct dynarray sizes; /* uint64_t, by number of memory; 0: there is none */
   struct sim_record *last;
   const struct sim_record_language *language; /* of the last one; NULL: it is neutral */
   uint64_t padded;                            /* words that it must have; 0: any */
};

bool
sim_record_fail(struct sim_record_error *error, unsigned line, const char *format, ...)
{
   va_list args;
   va_start(args, format);
   error->line = line;
   vsnprintf(error->message, sizeof(error->message), format, args);
   va_end(args);
   return false;
}

int
sim_record_report(const char *path, const struct sim_record_error *error)
{
   if (error->line)
      fprintf(stderr, "indium: %s:%u: %s\n", path, error->line, error->message);
   else
      fprintf(stderr, "indium: %s: %s\n", path, error->message);
   return 2;
}

char *
sim_recording_load(const char *path, size_t *size_B)
{
   char *text = read_file(path, SIZE_MAX, size_B);
   if (!text)
      fprintf(stderr, "indium: cannot read %s: %s\n", path, strerror(errno));
   return text;
}

#define FAIL(reader, ...) sim_record_fail((reader)->error, (reader)->line, __VA_ARGS__)

char *
sim_record_word(char **at)
{
   char *word = *at + strspn(*at, BLANKS);
   *at = word + strcspn(word, BLANKS);
   if (**at)
      *(*at)++ = 0;
   return *word ? word : NULL;
}

bool
sim_record_number(const char *text, uint64_t largest, uint64_t *number)
{
   bool hex = !strncmp(text, "0x", 2);
   const char *digits = hex ? text + 2 : text;
   char *end;
   if (!*digits || strspn(digits, hex ? "0123456789abcdefABCDEF" : "0123456789") != strlen(digits))
      return false;
   errno = 0;
   *number = strtoull(digits, &end, hex ? 16 : 10);
   return !errno && *number <= largest;
}

const char *
sim_record_repeat(char *text, struct dynarray *words)
{
   char *star = strchr(text, '*');
   uint64_t count = 1;
   if (star)
      *star = 0;
   size_t digits = strspn(text, "0123456789abcdefABCDEF");
   if (!digits || digits > 8 || text[digits])
      return "not a word of up to eight hexadecimal digits";
   if (star && (!sim_record_number(star + 1, MAX_BLOCK_WORDS, &count) || !count))
      return "not a count of words";
   if (count > MAX_BLOCK_WORDS - dynarray_count(words, uint32_t))
      return "more words than a block may have";
   uint32_t word = (uint32_t)strtoul(text, NULL, 16);
   uint32_t *place = dynarray_grow(words, count * 4);
   for (uint64_t i = 0; i < count; i++)
      place[i] = word;
   return NULL;
}

/* The copy of a line is cut into its words. */
static bool
read_submit_line(char *at, const char *name, uint64_t *number, struct dynarray *words)
{
   const char *kind = sim_record_word(&at);
   bool is_number = kind && !strcmp(kind, name), ok = is_number || (kind && !strcmp(kind, "words"));
   for (char *word; ok && (word = sim_record_word(&at));)
      ok = is_number ? sim_record_number(word, UINT64_MAX, number) : !sim_record_repeat(word, words);
   return ok;
}

bool
sim_record_read_words(const struct sim_record *submit, const char *name, uint64_t *number, struct dynarray *words,
                      struct sim_record_error *error)
{
   dynarray_for_each(const struct sim_record_line, line, &submit->lines) {
      char *copy = strcpy(need_malloc("a line of a recording", strlen(line->text) + 1), line->text);
      bool ok = read_submit_line(copy, name, number, words);
      free(copy);
      if (!ok)
         return sim_record_fail(error, line->number, "neither \"%s ADDRESS\" nor \"words WORD...\"", name);
   }
   return true;
}

/* The next word as a number. what: of the message. */
static bool
read_number(struct reader *reader, char **at, const char *what, uint64_t largest, uint64_t *number)
{
   char *word = sim_record_word(at);
   if (!word)
      return FAIL(reader, "%s is missing", what);
   return sim_record_number(word, largest, number) ||
          FAIL(reader, "%s is not a number of at most 0x%" PRIx64 ": \"%s\"", what, largest, word);
}

static bool
is_pages(struct reader *reader, const char *what, uint64_t number)
{
   return number % PAGE_B == 0 || FAIL(reader, "%s is not a multiple of 0x%x", what, PAGE_B);
}

static uint64_t
memory_B(const struct reader *reader, uint64_t memory)
{
   return memory < dynarray_count(&reader->sizes, uint64_t) ? *dynarray_at(&reader->sizes, uint64_t, memory) : 0;
}

static void
set_memory(struct reader *reader, uint64_t memory, uint64_t size_B)
{
   while (dynarray_count(&reader->sizes, uint64_t) <= memory)
      dynarray_append(&reader->sizes, uint64_t, 0);
   *dynarray_at(&reader->sizes, uint64_t, memory) = size_B;
}

static bool
take_memory(struct reader *reader, char **at, uint64_t *memory)
{
   return read_number(reader, at, "the memory", MAX_MEMORIES, memory) &&
          (memory_B(reader, *memory) || FAIL(reader, "there is no memory %" PRIu64, *memory));
}

static bool
read_memory(struct reader *reader, struct sim_record *record, char **at)
{
   if (!read_number(reader, at, "the memory", MAX_MEMORIES, &record->memory) ||
       !read_number(reader, at, "its size", MAX_MEMORY_B, &record->size_B) ||
       !is_pages(reader, "its size", record->size_B))
      return false;
   if (!record->memory || !record->size_B)
      return FAIL(reader, "neither number nor size of a memory may be zero");
   if (memory_B(reader, record->memory))
      return FAIL(reader, "there is a memory %" PRIu64 " already", record->memory);
   set_memory(reader, record->memory, record->size_B);
   return true;
}

static bool
read_free(struct reader *reader, struct sim_record *record, char **at)
{
   if (!take_memory(reader, at, &record->memory))
      return false;
   set_memory(reader, record->memory, 0);
   return true;
}

static bool
take_range(struct reader *reader, struct sim_record *record, char **at)
{
   if (!read_number(reader, at, "the address space", UINT32_MAX, &record->space) ||
       !read_number(reader, at, "the address", UINT64_MAX, &record->va.va) ||
       !is_pages(reader, "the address", record->va.va) ||
       !read_number(reader, at, "the size", UINT64_MAX, &record->size_B) ||
       !is_pages(reader, "the size", record->size_B))
      return false;
   uint64_t last = record->va.va + (record->size_B - 1);
   bool canonical = sim_va(record->va.va).va == record->va.va && sim_va(last).va == last && last >= record->va.va;
   return (record->size_B && canonical) || FAIL(reader, "not a range of addresses of 48 bits, sign-extended");
}

static bool
read_map(struct reader *reader, struct sim_record *record, char **at)
{
   if (!take_range(reader, record, at))
      return false;
   const char *access = sim_record_word(at), *letter = NULL;
   for (const char *it = access; it && *it && strcmp(access, "-"); it++) {
      letter = strchr(SIM_RECORD_ACCESS, *it);
      if (!letter)
         return FAIL(reader, "an access is of the letters \"" SIM_RECORD_ACCESS "\", not \"%s\"", access);
      record->access |= 1u << (letter - SIM_RECORD_ACCESS);
   }
   if (!access)
      return FAIL(reader, "the access is missing");
   if (!**at)
      return (record->access & SIM_PRT) || FAIL(reader, "only holes (p) have no memory");
   if (!take_memory(reader, at, &record->memory) ||
       !read_number(reader, at, "the offset", UINT64_MAX, &record->offset_B) ||
       !is_pages(reader, "the offset", record->offset_B))
      return false;
   uint64_t size_B = memory_B(reader, record->memory);
   return (record->offset_B <= size_B && record->size_B <= size_B - record->offset_B) ||
          FAIL(reader, "memory %" PRIu64 " has only 0x%" PRIx64 " bytes", record->memory, size_B);
}

static bool
read_unmap(struct reader *reader, struct sim_record *record, char **at)
{
   return take_range(reader, record, at);
}

static bool
read_block(struct reader *reader, struct sim_record *record, char **at)
{
   if (!take_memory(reader, at, &record->memory) ||
       !read_number(reader, at, "the offset", memory_B(reader, record->memory), &record->offset_B))
      return false;
   if (record->offset_B % 4)
      return FAIL(reader, "the offset is not a multiple of 4");
   reader->padded = 0;
   return !reader->language || !**at ||
          read_number(reader, at, "the count of words", MAX_BLOCK_WORDS, &reader->padded);
}

static bool
read_submit(struct reader *reader, struct sim_record *record, char **at)
{
   if (!read_number(reader, at, "the address space", UINT32_MAX, &record->space))
      return false;
   record->text = *at;
   *at += strlen(*at);
   return true;
}

static bool
is_after_submit(struct reader *reader)
{
   bool waited = false;
   for (size_t i = dynarray_count(&reader->recording->records, struct sim_record) - 1; i-- > 0;) {
      enum sim_record_kind kind = dynarray_at(&reader->recording->records, struct sim_record, i)->kind;
      if (kind == SIM_RECORD_SUBMIT)
         return true;
      if (kind == SIM_RECORD_WRITE && !waited)
         break;
      waited |= kind == SIM_RECORD_WAITED;
   }
   return FAIL(reader, "this stands after a submission, with no write between");
}

static bool
read_expect(struct reader *reader, struct sim_record *record, char **at)
{
   return is_after_submit(reader) && read_block(reader, record, at);
}

static bool
read_waited(struct reader *reader, struct sim_record *record, char **at)
{
   for (size_t i = dynarray_count(&reader->recording->records, struct sim_record) - 1; i-- > 0;) {
      enum sim_record_kind kind = dynarray_at(&reader->recording->records, struct sim_record, i)->kind;
      if (kind == SIM_RECORD_SUBMIT)
         return true;
      if (kind == SIM_RECORD_WROTE || kind == SIM_RECORD_FAULT || kind == SIM_RECORD_EXPECT)
         break;
   }
   return FAIL(reader, "this stands after a submission, ahead of what it left");
}

static bool
read_wrote(struct reader *reader, struct sim_record *record, char **at)
{
   char *word = sim_record_word(at), *end;
   if (!is_after_submit(reader))
      return false;
   if (!word || strlen(word) != 16 || strspn(word, "0123456789abcdef") != 16)
      return FAIL(reader, "a hash has 16 hexadecimal digits");
   record->hash = strtoull(word, &end, 16);
   return true;
}

static bool
read_fault(struct reader *reader, struct sim_record *record, char **at)
{
   record->text = *at + strspn(*at, BLANKS);
   *at += strlen(*at);
   return is_after_submit(reader);
}

static const struct {
   const char *name;
   bool (*read)(struct reader *reader, struct sim_record *record, char **at);
} directives[] = {
   [SIM_RECORD_MEMORY] = {"memory", read_memory}, [SIM_RECORD_FREE] = {"free", read_free},
   [SIM_RECORD_MAP] = {"map", read_map},          [SIM_RECORD_UNMAP] = {"unmap", read_unmap},
   [SIM_RECORD_WRITE] = {"write", read_block},    [SIM_RECORD_EXPECT] = {"expect", read_expect},
   [SIM_RECORD_SUBMIT] = {"submit", read_submit}, [SIM_RECORD_WROTE] = {"wrote", read_wrote},
   [SIM_RECORD_WAITED] = {"waited", read_waited}, [SIM_RECORD_FAULT] = {"fault", read_fault},
};

static bool
has_words(const struct sim_record *record)
{
   return record->kind == SIM_RECORD_WRITE || record->kind == SIM_RECORD_EXPECT;
}

/* What can be said of a block at its end only. */
static bool
end_record(struct reader *reader)
{
   struct sim_record *record = reader->last;
   if (!record || !has_words(record))
      return true;
   if (reader->language && !reader->language->read(reader->recording, record, reader->error))
      return false;
   uint64_t count = dynarray_count(&record->words, uint32_t);
   if (reader->padded && count > reader->padded)
      return sim_record_fail(reader->error, record->line, "%" PRIu64 " words, and room for %" PRIu64, count,
                             reader->padded);
   uint64_t size_B = memory_B(reader, record->memory), all = MAX2(count, reader->padded);
   if (all * 4 > size_B - record->offset_B)
      return sim_record_fail(reader->error, record->line, "the words go past the end of memory %" PRIu64,
                             record->memory);
   for (; count < reader->padded; count++)
      dynarray_append(&record->words, uint32_t, reader->language->padding);
   return true;
}

static const struct sim_record_language *
find_language(const struct sim_record_language *languages, const char *directive)
{
   for (; languages->directive; languages++)
      if (!strcmp(languages->directive, directive))
         return languages;
   return NULL;
}

static bool
ends(const struct reader *reader, const char *at)
{
   at += strspn(at, BLANKS);
   return !*at || FAIL(reader, "too many words: \"%.40s\"", at);
}

static bool
read_directive(struct reader *reader, char *text)
{
   char *at = text, *word = sim_record_word(&at);
   unsigned kind = 0;
   if (!end_record(reader))
      return false;
   reader->last = NULL;
   if (!strcmp(word, "schedule") || !strcmp(word, "option")) {
      char **setting = *word == 's' ? &reader->recording->schedule : &reader->recording->option;
      *setting = sim_record_word(&at);
      return *setting ? ends(reader, at) : FAIL(reader, "the %s is missing", word);
   }
   while (kind < ARRAY_SIZE(directives) && strcmp(directives[kind].name, word))
      kind++;
   reader->language = kind == ARRAY_SIZE(directives) ? find_language(reader->languages, word) : NULL;
   if (reader->language)
      kind = SIM_RECORD_WRITE;
   if (kind == ARRAY_SIZE(directives))
      return FAIL(reader, "there is no directive \"%.40s\"", word);
   struct sim_record *record = dynarray_grow(&reader->recording->records, sizeof(*record));
   *record = (struct sim_record){.kind = (enum sim_record_kind)kind, .line = reader->line, .directive = word};
   if (!directives[kind].read(reader, record, &at))
      return false;
   reader->last = record;
   return ends(reader, at);
}

static bool
read_indented(struct reader *reader, char *text)
{
   struct sim_record *record = reader->last;
   struct sim_record_line line = {reader->line, text};
   if (record && (record->kind == SIM_RECORD_SUBMIT || reader->language)) {
      dynarray_append(&record->lines, struct sim_record_line, line);
      return true;
   }
   if (!record || !has_words(record))
      return FAIL(reader, "indented, and nothing above that it could belong to");
   for (char *word; (word = sim_record_word(&text));) {
      const char *wrong = sim_record_repeat(word, &record->words);
      if (wrong)
         return FAIL(reader, "%s: \"%.40s\"", wrong, word);
   }
   return true;
}

/* The first two lines that say something. */
static bool
read_head(struct reader *reader, char *text, bool *is_first)
{
   struct sim_recording *recording = reader->recording;
   if (*is_first) {
      *is_first = false;
      return !strcmp(text, SIM_RECORD_FIRST_LINE) ||
             FAIL(reader, "not a recording: the first line is not \"" SIM_RECORD_FIRST_LINE "\"");
   }
   char *word = sim_record_word(&text);
   recording->driver = sim_record_word(&text);
   recording->chip = sim_record_word(&text);
   return (!strcmp(word, "device") && recording->chip && !sim_record_word(&text)) ||
          FAIL(reader, "the second line is \"device DRIVER CHIP\"");
}

static bool
read_line(struct reader *reader, char *text, bool *is_first)
{
   /* Messages of faults have all characters. */
   char *comment = strncmp(text, "fault ", 6) ? strchr(text, '#') : NULL;
   if (comment)
      *comment = 0;
   for (size_t size_B = strlen(text); size_B && strchr(BLANKS, text[size_B - 1]);)
      text[--size_B] = 0;
   char *start = text + strspn(text, BLANKS);
   if (!*start)
      return true;
   if (!reader->recording->chip)
      return read_head(reader, start, is_first);
   return start > text ? read_indented(reader, start) : read_directive(reader, text);
}

bool
sim_recording_read(struct sim_recording *recording, char *text, size_t size_B,
                   const struct sim_record_language *languages, struct sim_record_error *error)
{
   struct reader reader = {.recording = recording, .languages = languages, .error = error};
   bool is_first = true, ok = true;
   for (char *end; ok && size_B; text = end + 1) {
      reader.line++;
      end = memchr(text, '\n', size_B);
      end = end ? end : text + size_B;
      ok = !memchr(text, 0, (size_t)(end - text)) || FAIL(&reader, "a byte of zero");
      size_B -= MIN2((size_t)(end - text) + 1, size_B);
      *end = 0;
      ok = ok && read_line(&reader, text, &is_first);
   }
   ok = ok && end_record(&reader);
   if (ok && !recording->chip)
      ok = sim_record_fail(error, 0, "not a recording: it ends ahead of its second line");
   dynarray_free(&reader.sizes);
   return ok;
}

void
sim_recording_free(struct sim_recording *recording)
{
   dynarray_for_each(struct sim_record, record, &recording->records) {
      dynarray_free(&record->words);
      dynarray_free(&record->lines);
   }
   dynarray_free(&recording->records);
}
