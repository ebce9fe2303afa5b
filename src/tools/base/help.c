/* What --help prints of a subcommand. */
#include <stdarg.h>
#include <string.h>

#include "tools/base/command.h"
#include "util/macros.h"

enum {
   WIDTH = 100,
   MAX_NAME_COLUMNS = 24, /* a longer option has its text below it */
};

int
usage_error(const char *command, const char *message, ...)
{
   va_list args;
   va_start(args, message);
   fprintf(stderr, "indium %s: ", command);
   vfprintf(stderr, message, args);
   va_end(args);
   if (strstr(message, " (see: ")) /* it knows better */
      fprintf(stderr, "\n");
   else
      fprintf(stderr, " (see: indium %s --help)\n", command);
   return 2;
}

void
print_wrapped(const char *text, unsigned indent, unsigned column, unsigned width)
{
   for (bool start = true; *text; start = false) {
      unsigned length = (unsigned)strcspn(text, " \n");
      if (!start && column + 1 + length > width) {
         printf("\n");
         column = 0;
      } else if (!start && column) {
         printf(" ");
         column++;
      }
      unsigned spaces = column < indent ? indent - column : 0;
      printf("%*s%.*s", (int)spaces, "", (int)length, text);
      column += spaces + length;
      text += length;
      for (; *text == ' ' || *text == '\n'; text++) {
         if (*text == '\n') {
            printf("\n");
            column = 0;
         }
      }
   }
   printf("\n");
}

static unsigned
name_columns(const struct option *option)
{
   size_t value = option->value ? strlen(option->value) : 0;
   return 2 + (unsigned)(strlen(option->name) + strlen(before_value(option)) + value + strlen(after_value(option)));
}

bool
next_word(const char **at, const char **word, size_t *length)
{
   *word = *at;
   *length = strcspn(*at, "|");
   *at += *length + ((*at)[*length] == '|');
   return *length > 0;
}

void
print_help(const struct command *command)
{
   for (unsigned i = 0; i < ARRAY_SIZE(command->synopsis) && command->synopsis[i]; i++)
      printf("%s indium %s%s%s\n", i ? "      " : "usage:", command->name, *command->synopsis[i] ? " " : "",
             command->synopsis[i]);
   printf("\n");
   print_wrapped(command->text, 0, 0, WIDTH);
   unsigned indent = 0;
   for (const struct option *option = command->options; option && option->name; option++) {
      unsigned columns = name_columns(option) + 2;
      if (columns <= MAX_NAME_COLUMNS)
         indent = MAX2(indent, columns);
   }
   printf("%s", command->options ? "\n" : "");
   for (const struct option *option = command->options; option && option->name; option++) {
      unsigned columns = name_columns(option);
      printf("  %s%s%s%s", option->name, before_value(option), option->value ? option->value : "",
             after_value(option));
      if (columns + 2 > indent) {
         printf("\n");
         columns = 0;
      }
      print_wrapped(option->text, indent, columns, WIDTH);
   }
}
