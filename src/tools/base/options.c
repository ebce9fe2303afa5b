/* The arguments of a subcommand, read by its table. */
#include <string.h>

#include "tools/base/command.h"

static const struct option *
find_option(const struct command *command, const char *argument)
{
   for (const struct option *option = command->options; option && option->name; option++) {
      size_t size_B = strlen(option->name);
      if (strncmp(argument, option->name, size_B))
         continue;
      if (is_attached(option) || !argument[size_B] || (option->value && argument[size_B] == '='))
         return option;
   }
   return NULL;
}

/* The value of argv[*i], NULL where it is missing: the end, nothing after '=', another option. *i is left at the
 * last argument of the option. */
static const char *
option_value(const struct option *option, char **argv, int *i)
{
   size_t size_B = strlen(option->name);
   bool same = argv[*i][size_B];
   const char *value = same ? argv[*i] + size_B + 1 : argv[*i + 1];
   if (!value || !*value || !strncmp(value, "--", 2))
      return NULL;
   *i += !same;
   return value;
}

int
parse_options(const struct command *command, char **argv, void *request)
{
   int count = 0, i = 1;
   for (; argv[i] && strcmp(argv[i], "--") && (!command->runs_program || argv[i][0] == '-'); i++) {
      const struct option *option = find_option(command, argv[i]);
      if (argv[i][0] == '-' && !option) {
         usage_error(command->name, "there is no option %s", argv[i]);
         return -1;
      }
      if (!option || is_attached(option)) {
         argv[count++] = argv[i];
      } else if (is_optional(option) && !strchr(argv[i], '=')) {
         const char *value = "";
         memcpy((char *)request + option->offset, &value, sizeof(value));
      } else if (option->value) {
         const char *value = option_value(option, argv, &i);
         if (!value) {
            usage_error(command->name, "%s needs a value", option->name);
            return -1;
         }
         memcpy((char *)request + option->offset, &value, sizeof(value));
      } else {
         *(bool *)((char *)request + option->offset) = true;
      }
   }
   if (argv[i] && !strcmp(argv[i], "--"))
      i++;
   while (argv[i])
      argv[count++] = argv[i++];
   argv[count] = NULL;
   return count;
}

unsigned
append_options(const struct command *command, const void *request, const char **arguments, unsigned used)
{
   for (const struct option *option = command->options; option->name; option++) {
      const void *value = (const char *)request + option->offset;
      if (option->value ? *(const char *const *)value != NULL : *(const bool *)value)
         arguments[used++] = option->name;
      if (option->value && *(const char *const *)value)
         arguments[used++] = *(const char *const *)value;
   }
   return used;
}
