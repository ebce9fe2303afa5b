/* Rows of tracks over time: a span is a box with its name, spans inside of it fill the lower half, an instant is a
 * line. */
#include <math.h>
#include <string.h>

#include "tools/base/canvas.h"
#include "tools/trace/trace.h"
#include "util/macros.h"

#define TOP 52.0
#define WIDTH 700.0
#define ROW 20.0
#define HALF 9.0 /* height of what lies inside of a span */
#define MAX_ROWS 100u
#define MAX_NESTED 8u
#define LEGEND_STEP 120.0

static const uint32_t ink = 0x202020, faint = 0xc0c0c0, stripe = 0xf6f6f6;

/* Categories that waves have; others take a colour by their order of appearance. */
static const struct {
   const char *category;
   uint32_t colour;
} known[] = {{"wave", 0xbcd0e8}, {"wait", 0xf2a59d}, {"section", 0x7fc99b}, {"export", 0x404040}};
static const uint32_t others[] = {0xffd166, 0xc9b6e4, 0xf7c59f, 0xa3c4f3, 0xd0d38f, 0x9ad1d4};

struct plot {
   struct canvas canvas;
   const struct trace *trace;
   double left;         /* width of the labels */
   double start, scale; /* of time */
   const char *categories[16];
   unsigned category_count;
};

static uint32_t
category_colour(struct plot *p, const char *category)
{
   unsigned other = 0;
   for (unsigned i = 0; i <= p->category_count && i < ARRAY_SIZE(p->categories); i++) {
      if (i == p->category_count)
         p->categories[p->category_count++] = category;
      const char *name = p->categories[i];
      uint32_t colour = CANVAS_NONE;
      for (unsigned k = 0; k < ARRAY_SIZE(known); k++)
         colour = strcmp(name, known[k].category) ? colour : known[k].colour;
      if (colour == CANVAS_NONE)
         colour = others[other++ % ARRAY_SIZE(others)];
      if (!strcmp(name, category))
         return colour;
   }
   return faint;
}

static double
time_x(const struct plot *p, double time)
{
   return p->left + (time - p->start) * p->scale;
}

/* 1, 2 or 5 times a power of ten: four to ten steps over the length. */
static double
tick_step(double length)
{
   double step = pow(10, floor(log10(length / 8)));
   return length / step > 20 ? step * 5 : length / step > 10 ? step * 2 : step;
}

static void
draw_axis(struct plot *p, double end, double bottom)
{
   double step = tick_step(end - p->start);
   for (double t = ceil(p->start / step) * step; t <= end; t += step) {
      canvas_line(&p->canvas, time_x(p, t), TOP - 4, time_x(p, t), bottom, faint, 0.5);
      canvas_text(&p->canvas, time_x(p, t), TOP - 8, 0.5, ink, "%g", t);
   }
}

static void
draw_span(struct plot *p, const struct trace_event *event, double y, bool inside)
{
   double x0 = time_x(p, event->start), x1 = time_x(p, event->end), height = inside ? HALF : ROW - 2;
   uint32_t colour = category_colour(p, *event->category ? event->category : event->name);
   if (event->instant) {
      canvas_line(&p->canvas, x0, y + 1, x0, y + ROW - 1, colour, 1.5);
      return;
   }
   canvas_rectangle(&p->canvas, x0, y + ROW - 1 - height, MAX2(x1 - x0, 0.5), height, colour, CANVAS_NONE);
   if (CANVAS_TEXT_WIDTH * (double)strlen(event->name) < x1 - x0 - 4 && !inside)
      canvas_text(&p->canvas, x0 + 3, y + 9, 0, ink, "%s", event->name);
}

/* The track's events lie together and begin at *event; *event moves after them. */
static void
draw_row(struct plot *p, size_t *event, double y)
{
   const struct trace_event *events = p->trace->events.data;
   size_t count = dynarray_count(&p->trace->events, struct trace_event);
   uint32_t track = events[*event].track;
   double open[MAX_NESTED];
   unsigned nested = 0;
   for (; *event < count && events[*event].track == track; ++*event) {
      const struct trace_event *e = &events[*event];
      while (nested && open[nested - 1] <= e->start)
         nested--;
      draw_span(p, e, y, nested > 0);
      if (!e->instant && nested < MAX_NESTED)
         open[nested++] = e->end;
   }
   char label[TRACE_LABEL];
   trace_track_label(p->trace, track, label);
   canvas_text(&p->canvas, p->left - 6, y + ROW - 6, 1, ink, "%s", label);
}

/* Rows of the picture; the longest of their labels makes its left margin. */
static unsigned
count_rows(struct plot *p)
{
   unsigned rows = 0;
   uint32_t last = UINT32_MAX;
   dynarray_for_each(struct trace_event, event, &p->trace->events) {
      char label[TRACE_LABEL];
      if (event->track == last)
         continue;
      last = event->track;
      trace_track_label(p->trace, last, label);
      if (rows++ < MAX_ROWS)
         p->left = MAX2(p->left, CANVAS_TEXT_WIDTH * (double)strlen(label) + 14);
   }
   return rows;
}

bool
trace_plot(const struct trace *trace, const char *path)
{
   struct plot p = {.trace = trace, .left = 40};
   double end, y = TOP;
   size_t event = 0;
   unsigned all = count_rows(&p), rows = MIN2(all, MAX_ROWS);
   p.canvas.width = p.left + WIDTH + 20;
   trace_extent(trace, &p.start, &end);
   p.scale = WIDTH / MAX2(end - p.start, 1e-9);
   for (unsigned row = 0; row < rows; row += 2)
      canvas_rectangle(&p.canvas, p.left, TOP + row * ROW, WIDTH, ROW, stripe, CANVAS_NONE);
   if (rows)
      draw_axis(&p, end, TOP + rows * ROW);
   for (unsigned row = 0; row < rows; row++, y += ROW)
      draw_row(&p, &event, y);
   for (unsigned i = 0; i < p.category_count; i++) {
      double x = p.left + i * LEGEND_STEP;
      canvas_rectangle(&p.canvas, x, 12, 12, 10, category_colour(&p, p.categories[i]), CANVAS_NONE);
      canvas_text(&p.canvas, x + 16, 21, 0, ink, "%s", p.categories[i]);
   }
   if (all > rows)
      canvas_text(&p.canvas, p.left, y + 14, 0, ink, "and %u more rows", all - rows);
   p.canvas.height = y + 24;
   bool good = canvas_write(&p.canvas, path);
   canvas_free(&p.canvas);
   return good;
}
