/* Linked into a test with --wrap=aco_compile: notes each instruction of each program that the test compiles, once, in
 * the file that ACO_RECORD names, for the comparison with LLVM (test_aco_llvm.py). A line: wave size, words, tab, our
 * text. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "amd/compiler/aco.h"
#include "amd/hw/isa.h"
#include "util/arena.h"
#include "util/hash.h"

bool __real_aco_compile(struct arena *arena, const struct aco_stage *stage, const struct aco_options *options,
                        struct aco_output *out, const char **error);
bool __wrap_aco_compile(struct arena *arena, const struct aco_stage *stage, const struct aco_options *options,
                        struct aco_output *out, const char **error);

static FILE *file;
static struct arena lines;
static struct hash_table seen;

static void
finish(void)
{
   fclose(file);
   hash_free(&seen);
   arena_free(&lines);
}

static void
note(const char *line)
{
   size_t size_B = strlen(line);
   if (hash_find(&seen, line, size_B))
      return;
   hash_add(&seen, arena_strdup(&lines, line), size_B, &seen);
   fputs(line, file);
}

static void
record(const struct aco_output *out, enum amd_gen gen)
{
   const char *text = out->listing;
   char line[512];
   for (uint32_t at = 0; at < out->exec_dw;) {
      struct amd_inst inst;
      const char *end = strchr(text, '\n');
      unsigned words = amd_isa_decode(gen, out->code + at, out->exec_dw - at, &inst);
      int length = snprintf(line, sizeof(line), "%u", out->wave_size);
      words = words ? words : 1; /* printed as a number: LLVM will say what it is */
      for (unsigned i = 0; i < words; i++)
         length += snprintf(line + length, sizeof(line) - (size_t)length, " %08x", out->code[at++]);
      snprintf(line + length, sizeof(line) - (size_t)length, "\t%.*s\n", (int)(end - text), text);
      note(line);
      text = end + 1;
   }
}

bool
__wrap_aco_compile(struct arena *arena, const struct aco_stage *stage, const struct aco_options *options,
                   struct aco_output *out, const char **error)
{
   const char *path = getenv("ACO_RECORD");
   if (!path)
      return __real_aco_compile(arena, stage, options, out, error);
   if (!file) {
      file = fopen(path, "w");
      if (!file)
         abort();
      atexit(finish);
   }
   struct aco_options own = *options;
   own.listing = true;
   if (!__real_aco_compile(arena, stage, &own, out, error))
      return false;
   record(out, options->gen);
   return true;
}
