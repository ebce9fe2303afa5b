/* indium trace: what a timeline holds, and a picture of it. */
#include "tools/trace/trace.h"

#include <stdio.h>
#include <string.h>

#include "tools/indium.h"
#include "util/macros.h"

struct kind {
   const char *name;
   unsigned count;
   double total, longest;
};

static struct kind *
find_kind(struct dynarray *kinds, const struct trace_event *event)
{
   const char *name = *event->category ? event->category : event->name;
   dynarray_for_each(struct kind, kind, kinds) {
      if (!strcmp(kind->name, name))
         return kind;
   }
   dynarray_append(kinds, struct kind, (struct kind){.name = name});
   return dynarray_at(kinds, struct kind, dynarray_count(kinds, struct kind) - 1);
}

static void
print_summary(const struct trace *trace)
{
   struct dynarray kinds = {0};
   unsigned tracks = 0;
   uint32_t last = UINT32_MAX;
   double start, end;
   trace_extent(trace, &start, &end);
   dynarray_for_each(struct trace_event, event, &trace->events) {
      tracks += event->track != last;
      last = event->track;
      struct kind *kind = find_kind(&kinds, event);
      double length = event->end - event->start;
      kind->count++;
      kind->total += length;
      kind->longest = MAX2(kind->longest, length);
   }
   printf("%zu events on %u tracks from %g to %g\n", dynarray_count(&trace->events, struct trace_event), tracks,
          start, end);
   printf("%-16s %8s %12s %10s %10s\n", "kind", "count", "total", "mean", "longest");
   dynarray_for_each(struct kind, kind, &kinds)
      printf("%-16s %8u %12g %10.3g %10g\n", kind->name, kind->count, kind->total, kind->total / kind->count,
             kind->longest);
   dynarray_free(&kinds);
}

struct request {
   const char *plot, *only;
};

static int
trace_main(int argc, char **argv)
{
   struct request request = {.only = ""};
   int count = parse_options(&command_trace, argv, &request);
   if (count < 0)
      return 2;
   if (count > 1)
      return usage_error("trace", "one file, not %s too", argv[1]);
   if (!count)
      return usage_error("trace", "name a file");
   struct trace trace = {0};
   bool good = trace_read(&trace, argv[0]);
   if (good) {
      trace_keep(&trace, request.only);
      print_summary(&trace);
   }
   good = good && (!request.plot || trace_plot(&trace, request.plot));
   trace_free(&trace);
   return good ? 0 : 2;
}

static const struct option options[] = {
   {"--only", "TEXT", offsetof(struct request, only),
    "leave out rows whose label does not contain TEXT, for instance packer"},
   {"--plot", "FILE.png|FILE.svg", offsetof(struct request, plot), "draw it"},
   {0},
};

const struct command command_trace = {
   .name = "trace",
   .purpose = "summarises a timeline of waves, draws it",
   .synopsis = {"FILE.json [OPTION]..."},
   .text = "Reads a timeline in the Chrome trace format, such as indium run --trace writes (Perfetto opens it, "
           "too), and prints the number and length of the spans of each kind.",
   .options = options,
   .run = trace_main,
};
