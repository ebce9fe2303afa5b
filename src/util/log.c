#include "util/log.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

void
log_error(const char *format, ...)
{
   char line[1280]; /* a fault of the model and where it was */
   va_list args;
   va_start(args, format);
   vsnprintf(line, sizeof(line), format, args);
   va_end(args);
   fprintf(stderr, "indium: %s\n", line);
}

static unsigned
find_word(const struct debug_words *words, const char *name, size_t length)
{
   unsigned word = 0;
   while (word < words->count && (strlen(words->names[word]) != length || memcmp(words->names[word], name, length)))
      word++;
   return word;
}

static void
report_unknown(struct debug_words *words, const char *name, size_t length)
{
   char known[256] = "";
   if (!length || atomic_flag_test_and_set(&words->reported))
      return;
   for (unsigned i = 0; i < words->count; i++)
      snprintf(known + strlen(known), sizeof(known) - strlen(known), "%s%s", i ? ", " : "", words->names[i]);
   log_error("%s: there is no \"%.*s\"; there are: %s", words->variable, (int)length, name, known);
}

bool
debug_word(struct debug_words *words, unsigned word)
{
   const char *list = getenv(words->variable);
   bool named = false;
   while (list && *list) {
      size_t length = strcspn(list, ",");
      unsigned item = find_word(words, list, length);
      if (item == words->count && !memchr(list, ':', length))
         report_unknown(words, list, length);
      named |= item == word;
      list += length + (list[length] == ',');
   }
   return named;
}

bool
debug_flag(enum debug_flag flag)
{
   static const char *const names[DEBUG_FLAG_COUNT] = {
      [DEBUG_NIR] = "nir", [DEBUG_ASM] = "asm", [DEBUG_VALIDATE] = "validate"};
   static struct debug_words words = {"INDIUM_DEBUG", names, DEBUG_FLAG_COUNT, ATOMIC_FLAG_INIT};
   return debug_word(&words, flag);
}

bool
debug_any(void)
{
   return getenv("INDIUM_DEBUG") != NULL;
}

bool
debug_named(const char *kind, void (*each_name)(const char *name), const char *name)
{
   const char *list = getenv("INDIUM_DEBUG");
   size_t kind_length = strlen(kind);
   bool named = false;
   while (list && *list) {
      char word[64];
      size_t length = strcspn(list, ",");
      snprintf(word, sizeof(word), "%.*s", (int)length, list);
      if (!strncmp(word, kind, kind_length) && word[kind_length] == ':') {
         if (each_name)
            each_name(word + kind_length + 1);
         named |= name && !strcmp(word + kind_length + 1, name);
      }
      list += length + (list[length] == ',');
   }
   return named;
}
