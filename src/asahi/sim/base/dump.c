#include "asahi/sim/base/dump.h"

#include <errno.h>
#include <inttypes.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#include "util/log.h"

struct agx_dump {
   FILE *out;
   bool failed; /* and was told of */
};

struct agx_dump *
agx_dump_create(FILE *out)
{
   struct agx_dump *dump = calloc(1, sizeof(*dump));
   if (dump)
      dump->out = out;
   return dump;
}

void
agx_dump_destroy(struct agx_dump *dump)
{
   free(dump);
}

static void
look_for_errors(struct agx_dump *dump)
{
   if (dump->failed || !ferror(dump->out))
      return;
   dump->failed = true;
   log_error("the dump of states ends here, its file cannot be written: %s", strerror(errno));
}

void
agx_dump_record(struct agx_dump *dump, const struct agx_record *record, uint64_t va, const void *bytes)
{
   if (!dump)
      return;
   const struct agx_form *form = agx_record_form(record, bytes);
   fprintf(dump->out, "%10" PRIx64 " %s%s%s", va, record->name, *form->name ? " " : "", form->name);
   for (unsigned i = 0; i < form->field_count; i++) {
      char text[128];
      if (agx_field_print(&form->fields[i], bytes, text, sizeof(text)))
         fprintf(dump->out, " %s", text);
   }
   fputc('\n', dump->out);
   look_for_errors(dump);
}

void
agx_dump_line(struct agx_dump *dump, const char *format, ...)
{
   if (!dump)
      return;
   va_list arguments;
   va_start(arguments, format);
   vfprintf(dump->out, format, arguments);
   va_end(arguments);
   fputc('\n', dump->out);
   look_for_errors(dump);
}
