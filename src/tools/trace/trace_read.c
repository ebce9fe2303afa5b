#include <json-c/json.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "tools/trace/trace.h"
#include "tools/trace/trace_json.h"

struct reader {
   struct trace *trace;
   const char *path;
   struct dynarray open; /* struct trace_event: spans begun by B and not ended */
};

static bool
fault(const struct reader *r, size_t index, const char *what)
{
   fprintf(stderr, "indium trace: %s: event %zu %s\n", r->path, index, what);
   return false;
}

static struct trace_track *
find_track(struct reader *r, struct json_object *event)
{
   struct json_object *value;
   int64_t process = json_object_object_get_ex(event, "pid", &value) ? json_object_get_int64(value) : 0;
   int64_t thread = json_object_object_get_ex(event, "tid", &value) ? json_object_get_int64(value) : 0;
   dynarray_for_each(struct trace_track, track, &r->trace->tracks) {
      if (track->process == process && track->thread == thread)
         return track;
   }
   dynarray_append(&r->trace->tracks, struct trace_track, (struct trace_track){.process = process, .thread = thread});
   return dynarray_at(&r->trace->tracks, struct trace_track,
                      dynarray_count(&r->trace->tracks, struct trace_track) - 1);
}

static const char *
copy_string(struct reader *r, struct json_object *event, const char *key)
{
   struct json_object *value = json_object_object_get(event, key);
   if (!value)
      return "";
   return arena_strdup(&r->trace->arena, json_object_get_string(value));
}

/* M: the name of a process (all of its tracks) or of a thread. */
static void
read_metadata(struct reader *r, struct json_object *event, const char *name)
{
   struct json_object *args = json_object_object_get(event, "args");
   if (!json_object_is_type(args, json_type_object))
      return;
   const char *given = copy_string(r, args, "name");
   struct trace_track *track = find_track(r, event);
   if (!strcmp(name, "thread_name"))
      track->thread_name = given;
   if (!strcmp(name, "process_name"))
      track->process_name = given;
}

/* False if there is no number under the key. */
static bool
read_number(struct json_object *event, const char *key, double *number)
{
   struct json_object *value;
   if (!json_object_object_get_ex(event, key, &value) ||
       (!json_object_is_type(value, json_type_double) && !json_object_is_type(value, json_type_int)))
      return false;
   *number = json_object_get_double(value);
   return isfinite(*number);
}

static bool
end_span(struct reader *r, size_t index, uint32_t track, double time)
{
   struct trace_event *open = r->open.data;
   for (size_t i = dynarray_count(&r->open, struct trace_event); i-- > 0;) {
      if (open[i].track != track)
         continue;
      open[i].end = time;
      dynarray_append(&r->trace->events, struct trace_event, open[i]);
      memmove(&open[i], &open[i + 1], (dynarray_count(&r->open, struct trace_event) - i - 1) * sizeof(*open));
      r->open.size_B -= sizeof(*open);
      return true;
   }
   return fault(r, index, "ends a span that nothing began");
}

static bool
read_event(void *reader, struct json_object *json, size_t index)
{
   struct reader *r = reader;
   struct json_object *value = NULL;
   if (!json_object_is_type(json, json_type_object) || !json_object_object_get_ex(json, "ph", &value) || !value)
      return fault(r, index, "has no phase (\"ph\")");
   char phase = json_object_get_string(value)[0];
   const char *name = copy_string(r, json, "name");
   if (phase == 'M') {
      read_metadata(r, json, name);
      return true;
   }
   struct trace_event event = {.name = name, .category = copy_string(r, json, "cat")};
   double length;
   if (!read_number(json, "ts", &event.start))
      return fault(r, index, "has no time (\"ts\")");
   event.track = (uint32_t)(find_track(r, json) - dynarray_begin(&r->trace->tracks, struct trace_track));
   event.end = event.start;
   switch (phase) {
   case 'X':
      if (!read_number(json, "dur", &length) || length < 0)
         return fault(r, index, "is a span without its length (\"dur\")");
      event.end += length;
      if (!isfinite(event.end))
         return fault(r, index, "ends after all numbers");
      break;
   case 'i':
   case 'I':
      event.instant = true;
      break;
   case 'B':
      dynarray_append(&r->open, struct trace_event, event);
      return true;
   case 'E':
      return end_span(r, index, event.track, event.start);
   default: /* flows, counters: nothing that a row shows */
      return true;
   }
   dynarray_append(&r->trace->events, struct trace_event, event);
   return true;
}

static int
compare_numbers(double a, double b)
{
   return (a > b) - (a < b);
}

static int
compare_tracks(const void *a, const void *b)
{
   const struct trace_track *x = a, *y = b;
   return x->process != y->process ? (x->process > y->process) - (x->process < y->process)
                                   : (x->thread > y->thread) - (x->thread < y->thread);
}

static int
compare_events(const void *a, const void *b)
{
   const struct trace_event *x = a, *y = b;
   if (x->track != y->track)
      return x->track < y->track ? -1 : 1;
   return x->start != y->start ? compare_numbers(x->start, y->start) : compare_numbers(y->end, x->end);
}

/* Tracks by number, events by track and time. */
static void
sort(struct trace *trace)
{
   size_t count = dynarray_count(&trace->tracks, struct trace_track);
   const struct trace_track *before = arena_dup(&trace->arena, trace->tracks.data, trace->tracks.size_B);
   uint32_t *moved = arena_array(&trace->arena, uint32_t, count);
   if (count)
      qsort(trace->tracks.data, count, sizeof(struct trace_track), compare_tracks);
   for (size_t i = 0; i < count; i++) {
      const struct trace_track *at = bsearch(&before[i], trace->tracks.data, count, sizeof(*before), compare_tracks);
      moved[i] = (uint32_t)(at - dynarray_begin(&trace->tracks, struct trace_track));
   }
   dynarray_for_each(struct trace_event, event, &trace->events)
      event->track = moved[event->track];
   if (trace->events.size_B)
      qsort(trace->events.data, dynarray_count(&trace->events, struct trace_event), sizeof(struct trace_event),
            compare_events);
}

bool
trace_read(struct trace *trace, const char *path)
{
   struct reader r = {.trace = trace, .path = path};
   size_t count = 0;
   bool good = trace_json_events(path, read_event, &r, &count);
   if (good && r.open.size_B)
      good = fault(&r, count, "is missing: a span never ends");
   dynarray_free(&r.open);
   sort(trace);
   return good;
}

void
trace_free(struct trace *trace)
{
   dynarray_free(&trace->events);
   dynarray_free(&trace->tracks);
   arena_free(&trace->arena);
}

void
trace_extent(const struct trace *trace, double *start, double *end)
{
   *start = *end = 0;
   bool first = true;
   dynarray_for_each(struct trace_event, event, &trace->events) {
      *start = first || event->start < *start ? event->start : *start;
      *end = first || event->end > *end ? event->end : *end;
      first = false;
   }
}
