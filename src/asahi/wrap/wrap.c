#include "asahi/wrap/wrap.h"

#include <stdarg.h>
#include <stdlib.h>

#include "asahi/wrap/wrap_private.h"
#include "util/log.h"
#include "util/within_memory.h"

struct agx_tracer *
agx_wrap_create(const struct agx_wrap_settings *settings)
{
   struct agx_tracer *wrap = need_calloc("the tracer", 1, sizeof(*wrap));
   snprintf(wrap->chip, sizeof(wrap->chip), "%s", settings->chip);
   wrap->gen = settings->gen;
   wrap->text = settings->text;
   wrap->recording = settings->recording;
   wrap->max_records = settings->max_records;
   list_init(&wrap->spaces);
   if (wrap->recording && !(wrap->recorder = sim_recorder_create(wrap->recording, "asahi", wrap->chip, NULL, NULL)))
      out_of_memory("the recording", 0);
   return wrap;
}

void
agx_wrap_destroy(struct agx_tracer *wrap)
{
   list_for_each_safe(struct agx_wrap_space, space, &wrap->spaces, link)
      agx_wrap_space_remove(space);
   if (wrap->recorder)
      sim_recorder_destroy(wrap->recorder);
   free(wrap);
}

bool
agx_wrap_records(const struct agx_tracer *wrap)
{
   return wrap->recorder;
}

void
agx_wrap_flush(struct agx_tracer *wrap)
{
   if (wrap->text)
      fflush(wrap->text);
   if (wrap->recording)
      fflush(wrap->recording);
}

bool
agx_wrap_failed(const struct agx_tracer *wrap)
{
   return (wrap->text && ferror(wrap->text)) || (wrap->recording && ferror(wrap->recording));
}

void
agx_wrap_say(struct agx_tracer *wrap, const char *format, ...)
{
   if (!wrap->text)
      return;
   va_list arguments;
   va_start(arguments, format);
   vfprintf(wrap->text, format, arguments);
   va_end(arguments);
   fputc('\n', wrap->text);
}

void
agx_wrap_report(struct agx_tracer *wrap, const char *format, ...)
{
   char message[512];
   va_list arguments;
   va_start(arguments, format);
   vsnprintf(message, sizeof(message), format, arguments);
   va_end(arguments);
   wrap->reports++;
   if (wrap->text)
      fprintf(wrap->text, "# %s\n", message);
   else
      log_error("wrap: %s", message);
}

unsigned
agx_wrap_reports(const struct agx_tracer *wrap)
{
   return wrap->reports;
}
