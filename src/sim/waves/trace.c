#include "sim/waves/trace.h"

#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "util/dynarray.h"
#include "util/log.h"

enum { FLUSH_B = 1 << 20 };

static const char closing[] = "\n]}\n";

/* Events are collected, and written together with the closing brackets in one call: whenever the process ends, the
 * file is whole. */
struct sim_trace {
   int file;
   bool failed; /* said so, and writes no more */
   bool any;
   uint64_t end;         /* where the next event goes: the closing brackets stand there */
   struct dynarray text; /* since then */
   pid_t owner;          /* a forked child does not write the file */
};

static void add_text(struct sim_trace *trace, const char *format, ...) __attribute__((format(printf, 2, 3)));

static void
add_text(struct sim_trace *t, const char *format, ...)
{
   char line[512];
   va_list args;
   va_start(args, format);
   int size_B = vsnprintf(line, sizeof(line), format, args);
   va_end(args);
   if (size_B > 0 && (size_t)size_B < sizeof(line))
      memcpy(dynarray_grow(&t->text, (size_t)size_B), line, (size_t)size_B);
}

struct sim_trace *
sim_trace_open(const char *path)
{
   int file = open(path, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0666);
   if (file < 0)
      return NULL;
   struct sim_trace *t = calloc(1, sizeof(*t));
   if (!t) {
      close(file);
      errno = ENOMEM;
      return NULL;
   }
   t->file = file;
   t->owner = getpid();
   add_text(t, "{\"displayTimeUnit\": \"ns\", \"traceEvents\": [");
   sim_trace_flush(t);
   return t;
}

void
sim_trace_close(struct sim_trace *t)
{
   if (!t)
      return;
   sim_trace_flush(t);
   close(t->file);
   dynarray_free(&t->text);
   free(t);
}

/* The brackets of the last flush are overwritten by the next event. */
void
sim_trace_flush(struct sim_trace *t)
{
   size_t events_B = t->text.size_B, done_B = 0;
   memcpy(dynarray_grow(&t->text, sizeof(closing) - 1), closing, sizeof(closing) - 1);
   while (!t->failed && t->owner == getpid() && done_B < t->text.size_B) {
      ssize_t size_B =
         pwrite(t->file, (const char *)t->text.data + done_B, t->text.size_B - done_B, (off_t)(t->end + done_B));
      if (size_B < 0 && errno == EINTR)
         continue;
      if (size_B <= 0) {
         log_error("the timeline ends here, its file cannot be written: %s", strerror(errno));
         t->failed = true;
         break;
      }
      done_B += (size_t)size_B;
   }
   t->end += events_B;
   t->text.size_B = 0;
}

bool
sim_trace_failed(const struct sim_trace *t)
{
   return t->failed;
}

static void
begin(struct sim_trace *t, char phase, uint32_t process, uint32_t thread, const char *name)
{
   if (t->text.size_B > FLUSH_B)
      sim_trace_flush(t);
   add_text(t, "%s\n{\"ph\":\"%c\",\"pid\":%" PRIu32 ",\"tid\":%" PRIu32 ",\"name\":\"%s\"", t->any ? "," : "", phase,
            process, thread, name);
   t->any = true;
}

void
sim_trace_name_process(struct sim_trace *t, uint32_t process, const char *name)
{
   begin(t, 'M', process, 0, "process_name");
   add_text(t, ",\"args\":{\"name\":\"%s\"}}", name);
}

void
sim_trace_name_thread(struct sim_trace *t, uint32_t process, uint32_t thread, const char *name)
{
   begin(t, 'M', process, thread, "thread_name");
   add_text(t, ",\"args\":{\"name\":\"%s\"}}", name);
}

void
sim_trace_span(struct sim_trace *t, uint32_t process, uint32_t thread, const char *category, const char *name,
               uint64_t start, uint64_t end, const char *args)
{
   begin(t, 'X', process, thread, name);
   add_text(t, ",\"cat\":\"%s\",\"ts\":%" PRIu64 ",\"dur\":%" PRIu64, category, start, end > start ? end - start : 0);
   if (*args)
      add_text(t, ",\"args\":{%s}", args);
   add_text(t, "}");
}

void
sim_trace_instant(struct sim_trace *t, uint32_t process, uint32_t thread, const char *category, const char *name,
                  uint64_t time)
{
   begin(t, 'i', process, thread, name);
   add_text(t, ",\"cat\":\"%s\",\"ts\":%" PRIu64 ",\"s\":\"t\"}", category, time);
}

void
sim_trace_counter(struct sim_trace *t, uint32_t process, const char *name, uint64_t time, uint64_t value)
{
   begin(t, 'C', process, 0, name);
   add_text(t, ",\"ts\":%" PRIu64 ",\"args\":{\"value\":%" PRIu64 "}}", time, value);
}
