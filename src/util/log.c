#include "util/log.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

void
log_error(const char *format, ...)
{
   char line[1024];
   va_list args;
   va_start(args, format);
   vsnprintf(line, sizeof(line), format, args);
   va_end(args);
   fprintf(stderr, "indium: %s\n", line);
}

bool
debug_flag(const char *name)
{
   const char *list = getenv("INDIUM_DEBUG");
   size_t length = strlen(name);
   while (list && *list) {
      size_t item = strcspn(list, ",");
      if (item == length && !memcmp(list, name, length))
         return true;
      list += item + (list[item] == ',');
   }
   return false;
}
