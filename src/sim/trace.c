#include "sim/trace.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>

struct sim_trace {
   FILE *file;
   bool any;
   long end; /* where the next event goes: the closing brackets stand there */
};

struct sim_trace *
sim_trace_open(const char *path)
{
   struct sim_trace *t = calloc(1, sizeof(*t));
   if (!t)
      return NULL;
   t->file = fopen(path, "w");
   if (!t->file) {
      free(t);
      return NULL;
   }
   fputs("{\"displayTimeUnit\": \"ns\", \"traceEvents\": [", t->file);
   t->end = ftell(t->file);
   sim_trace_flush(t);
   return t;
}

void
sim_trace_close(struct sim_trace *t)
{
   if (!t)
      return;
   sim_trace_flush(t);
   fclose(t->file);
   free(t);
}

/* The brackets of the last flush are overwritten by the next event. */
void
sim_trace_flush(struct sim_trace *t)
{
   t->end = ftell(t->file);
   fputs("\n]}\n", t->file);
   fflush(t->file);
   fseek(t->file, t->end, SEEK_SET);
}

static void
begin(struct sim_trace *t, char phase, uint32_t process, uint32_t thread, const char *name)
{
   fprintf(t->file, "%s\n{\"ph\":\"%c\",\"pid\":%" PRIu32 ",\"tid\":%" PRIu32 ",\"name\":\"%s\"", t->any ? "," : "",
           phase, process, thread, name);
   t->any = true;
}

void
sim_trace_name_process(struct sim_trace *t, uint32_t process, const char *name)
{
   begin(t, 'M', process, 0, "process_name");
   fprintf(t->file, ",\"args\":{\"name\":\"%s\"}}", name);
}

void
sim_trace_name_thread(struct sim_trace *t, uint32_t process, uint32_t thread, const char *name)
{
   begin(t, 'M', process, thread, "thread_name");
   fprintf(t->file, ",\"args\":{\"name\":\"%s\"}}", name);
}

void
sim_trace_span(struct sim_trace *t, uint32_t process, uint32_t thread, const char *category, const char *name,
               uint64_t start, uint64_t end, const char *args)
{
   begin(t, 'X', process, thread, name);
   fprintf(t->file, ",\"cat\":\"%s\",\"ts\":%" PRIu64 ",\"dur\":%" PRIu64 ",\"args\":{%s}}", category, start,
           end > start ? end - start : 0, args);
}

void
sim_trace_instant(struct sim_trace *t, uint32_t process, uint32_t thread, const char *category, const char *name,
                  uint64_t time)
{
   begin(t, 'i', process, thread, name);
   fprintf(t->file, ",\"cat\":\"%s\",\"ts\":%" PRIu64 ",\"s\":\"t\"}", category, time);
}

void
sim_trace_counter(struct sim_trace *t, uint32_t process, const char *name, uint64_t time, uint64_t value)
{
   begin(t, 'C', process, 0, name);
   fprintf(t->file, ",\"ts\":%" PRIu64 ",\"args\":{\"value\":%" PRIu64 "}}", time, value);
}
