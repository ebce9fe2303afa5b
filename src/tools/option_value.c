#include <string.h>

#include "tools/indium.h"

bool
option_value(const char *name, char **argv, int *i, const char **value)
{
   size_t size_B = strlen(name);
   if (strncmp(argv[*i], name, size_B) || (argv[*i][size_B] && argv[*i][size_B] != '='))
      return false;
   *value = argv[*i][size_B] ? argv[*i] + size_B + 1 : argv[*i + 1];
   if (*value && (!**value || !strncmp(*value, "--", 2)))
      *value = NULL;
   else if (*value && !argv[*i][size_B])
      ++*i;
   return true;
}
