#include "util/log.h"

#include <stdarg.h>
#include <stdatomic.h>
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

static const char *const flag_names[DEBUG_FLAG_COUNT] = {
#define X(constant, name) [DEBUG_##constant] = name,
   DEBUG_FLAGS(X)
#undef X
};

static enum debug_flag
find_flag(const char *name, size_t length)
{
   enum debug_flag flag = 0;
   while (flag < DEBUG_FLAG_COUNT && (strlen(flag_names[flag]) != length || memcmp(flag_names[flag], name, length)))
      flag++;
   return flag;
}

static void
report_unknown(const char *name, size_t length)
{
   static atomic_flag reported = ATOMIC_FLAG_INIT;
   char known[256] = "";
   if (!length || atomic_flag_test_and_set(&reported))
      return;
   for (unsigned i = 0; i < DEBUG_FLAG_COUNT; i++)
      snprintf(known + strlen(known), sizeof(known) - strlen(known), "%s%s", i ? ", " : "", flag_names[i]);
   log_error("INDIUM_DEBUG: there is no \"%.*s\"; there are: %s", (int)length, name, known);
}

bool
debug_flag(enum debug_flag flag)
{
   const char *list = getenv("INDIUM_DEBUG");
   bool named = false;
   while (list && *list) {
      size_t length = strcspn(list, ",");
      enum debug_flag item = find_flag(list, length);
      if (item == DEBUG_FLAG_COUNT)
         report_unknown(list, length);
      named |= item == flag;
      list += length + (list[length] == ',');
   }
   return named;
}
