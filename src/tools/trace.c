/* indium trace: what a timeline holds, and a picture of it. */
#include "tools/trace.h"

#include <stdio.h>
#include <string.h>

#include "tools/indium.h"
#include "util/macros.h"

static const char usage[] =
   "usage: indium trace FILE.json [--only TEXT] [--plot FILE.png|FILE.svg]\n\n"
   "Reads a timeline in the Chrome trace format, such as `indium run --trace` writes (Perfetto opens it too), and\n"
   "prints how many spans of each kind it has and how long they are.\n\n"
   "  --only TEXT   leave out rows whose label lacks TEXT, for instance packer\n"
   "  --plot FILE   draw it\n";

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

int
command_trace(int argc, char **argv)
{
   const char *file = NULL, *plot = NULL, *only = "";
   if (wants_help(argc, argv)) {
      fputs(usage, stdout);
      return 0;
   }
   for (int i = 1; i < argc; i++) {
      if (option_value("--plot", argv, &i, &plot)) {
         if (!plot)
            return usage_error("trace", "--plot needs a file");
         continue;
      }
      if (option_value("--only", argv, &i, &only)) {
         if (!only)
            return usage_error("trace", "--only needs a text");
         continue;
      }
      if (argv[i][0] == '-')
         return usage_error("trace", "there is no option %s", argv[i]);
      if (file)
         return usage_error("trace", "one file, not %s too", argv[i]);
      file = argv[i];
   }
   if (!file)
      return usage_error("trace", "name a file");
   struct trace trace = {0};
   bool good = trace_read(&trace, file);
   if (good) {
      trace_keep(&trace, only);
      print_summary(&trace);
   }
   good = good && (!plot || trace_plot(&trace, plot));
   trace_free(&trace);
   return good ? 0 : 2;
}
