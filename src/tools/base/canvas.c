/* Shapes, and their two writers. */
#include "tools/base/canvas.h"

#include <errno.h>
#include <math.h>
#include <png.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "util/macros.h"

#define HATCH_STEP 5.0

void
canvas_rectangle(struct canvas *canvas, double x, double y, double width, double height, uint32_t fill,
                 uint32_t outline)
{
   dynarray_append(&canvas->shapes, struct canvas_shape,
                   (struct canvas_shape){.kind = CANVAS_RECTANGLE,
                                         .x = x,
                                         .y = y,
                                         .x1 = x + width,
                                         .y1 = y + height,
                                         .fill = fill,
                                         .outline = outline,
                                         .line_width = 0.5});
}

void
canvas_hatch(struct canvas *canvas, double x, double y, double width, double height, uint32_t colour)
{
   dynarray_append(
      &canvas->shapes, struct canvas_shape,
      (struct canvas_shape){
         .kind = CANVAS_HATCH, .x = x, .y = y, .x1 = x + width, .y1 = y + height, .fill = colour, .line_width = 0.7});
}

void
canvas_line(struct canvas *canvas, double x0, double y0, double x1, double y1, uint32_t colour, double width)
{
   dynarray_append(
      &canvas->shapes, struct canvas_shape,
      (struct canvas_shape){
         .kind = CANVAS_LINE, .x = x0, .y = y0, .x1 = x1, .y1 = y1, .fill = colour, .line_width = width});
}

void
canvas_text(struct canvas *canvas, double x, double y, double anchor, uint32_t colour, const char *format, ...)
{
   char text[256];
   va_list args;
   va_start(args, format);
   vsnprintf(text, sizeof(text), format, args);
   va_end(args);
   x -= anchor * CANVAS_TEXT_WIDTH * (double)strlen(text);
   dynarray_append(
      &canvas->shapes, struct canvas_shape,
      (struct canvas_shape){
         .kind = CANVAS_TEXT, .x = x, .y = y, .fill = colour, .text = arena_strdup(&canvas->arena, text)});
}

void
canvas_free(struct canvas *canvas)
{
   dynarray_free(&canvas->shapes);
   arena_free(&canvas->arena);
}

/* A pattern for each colour of hatched rectangles. */
static void
svg_patterns(FILE *out, const struct canvas *canvas)
{
   uint32_t known[32];
   unsigned count = 0;
   dynarray_for_each(struct canvas_shape, s, &canvas->shapes) {
      unsigned i = 0;
      while (i < count && known[i] != s->fill)
         i++;
      if (s->kind != CANVAS_HATCH || i < count || count == ARRAY_SIZE(known))
         continue;
      known[count++] = s->fill;
      fprintf(out,
              "<pattern id=\"h%06x\" width=\"5\" height=\"5\" patternUnits=\"userSpaceOnUse\">"
              "<path d=\"M-1 1L1 -1M0 5L5 0M4 6L6 4\" stroke=\"#%06x\" stroke-width=\"0.7\"/></pattern>\n",
              s->fill, s->fill);
   }
}

static void
svg_rectangle(FILE *out, const struct canvas_shape *s)
{
   fprintf(out, "<rect x=\"%.2f\" y=\"%.2f\" width=\"%.2f\" height=\"%.2f\"", s->x, s->y, s->x1 - s->x, s->y1 - s->y);
   if (s->fill == CANVAS_NONE)
      fprintf(out, " fill=\"none\"");
   else
      fprintf(out, " fill=\"#%06x\"", s->fill);
   if (s->outline != CANVAS_NONE)
      fprintf(out, " stroke=\"#%06x\" stroke-width=\"%.2f\"", s->outline, s->line_width);
   fprintf(out, "/>\n");
}

/* What XML reads as markup is escaped. The font has ASCII only. */
static void
svg_text(FILE *out, const struct canvas_shape *s)
{
   fprintf(out, "<text x=\"%.2f\" y=\"%.2f\" textLength=\"%.0f\" fill=\"#%06x\">", s->x, s->y,
           CANVAS_TEXT_WIDTH * (double)strlen(s->text), s->fill);
   for (const char *c = s->text; *c; c++) {
      if (*c == '<' || *c == '&')
         fputs(*c == '<' ? "&lt;" : "&amp;", out);
      else
         fputc(*c < ' ' || *c > '~' ? '?' : *c, out);
   }
   fputs("</text>\n", out);
}

static bool
write_svg(const struct canvas *canvas, const char *path)
{
   FILE *out = fopen(path, "w");
   if (!out)
      return false;
   fprintf(out,
           "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"%.0f\" height=\"%.0f\" viewBox=\"0 0 %.0f %.0f\" "
           "font-family=\"monospace\" font-size=\"10\" xml:space=\"preserve\">\n"
           "<rect width=\"100%%\" height=\"100%%\" fill=\"#ffffff\"/>\n",
           canvas->width, canvas->height, canvas->width, canvas->height);
   svg_patterns(out, canvas);
   dynarray_for_each(struct canvas_shape, s, &canvas->shapes) {
      switch (s->kind) {
      case CANVAS_RECTANGLE:
         svg_rectangle(out, s);
         break;
      case CANVAS_HATCH:
         fprintf(out, "<rect x=\"%.2f\" y=\"%.2f\" width=\"%.2f\" height=\"%.2f\" fill=\"url(#h%06x)\"/>\n", s->x,
                 s->y, s->x1 - s->x, s->y1 - s->y, s->fill);
         break;
      case CANVAS_LINE:
         fprintf(out, "<path d=\"M%.2f %.2fL%.2f %.2f\" stroke=\"#%06x\" stroke-width=\"%.2f\"/>\n", s->x, s->y,
                 s->x1, s->y1, s->fill, s->line_width);
         break;
      case CANVAS_TEXT:
         svg_text(out, s);
         break;
      }
   }
   fprintf(out, "</svg>\n");
   bool failed = ferror(out);
   return !fclose(out) && !failed;
}

struct raster {
   int width, height;
   uint8_t *rgb;
};

static void
raster_box(const struct raster *r, int x0, int y0, int x1, int y1, uint32_t colour)
{
   for (int y = MAX2(y0, 0); y < MIN2(y1, r->height); y++) {
      for (int x = MAX2(x0, 0); x < MIN2(x1, r->width); x++) {
         uint8_t *pixel = r->rgb + 3 * ((size_t)y * (size_t)r->width + (size_t)x);
         pixel[0] = (uint8_t)(colour >> 16);
         pixel[1] = (uint8_t)(colour >> 8);
         pixel[2] = (uint8_t)colour;
      }
   }
}

static int
to_pixel(double unit)
{
   return (int)lround(unit * CANVAS_SCALE);
}

static void
raster_line(const struct raster *r, double x0, double y0, double x1, double y1, uint32_t colour, double width)
{
   /* size: coordinates and colour */
   int size = MAX2(1, to_pixel(width));
   int steps = to_pixel(MAX2(fabs(x1 - x0), fabs(y1 - y0)));
   for (int i = 0; i <= steps; i++) {
      double t = steps ? (double)i / steps : 0;
      int x = to_pixel(x0 + t * (x1 - x0)) - size / 2, y = to_pixel(y0 + t * (y1 - y0)) - size / 2;
      raster_box(r, x, y, x + size, y + size, colour);
   }
}

/* Diagonals x + y = k HATCH_STEP, cut at the rectangle; the same grid for all rectangles of a picture. */
static void
raster_hatch(const struct raster *r, const struct canvas_shape *s)
{
   for (double k = ceil((s->x + s->y) / HATCH_STEP) * HATCH_STEP; k < s->x1 + s->y1; k += HATCH_STEP) {
      double x0 = MAX2(s->x, k - s->y1), x1 = MIN2(s->x1, k - s->y);
      raster_line(r, x0, k - x0, x1, k - x1, s->fill, s->line_width);
   }
}

static void
raster_rectangle(const struct raster *r, const struct canvas_shape *s)
{
   int x0 = to_pixel(s->x), y0 = to_pixel(s->y), x1 = to_pixel(s->x1), y1 = to_pixel(s->y1);
   if (s->fill != CANVAS_NONE)
      raster_box(r, x0, y0, MAX2(x1, x0 + 1), MAX2(y1, y0 + 1), s->fill);
   if (s->outline == CANVAS_NONE)
      return;
   raster_box(r, x0, y0, x1 + 1, y0 + 1, s->outline);
   raster_box(r, x0, y1, x1 + 1, y1 + 1, s->outline);
   raster_box(r, x0, y0, x0 + 1, y1 + 1, s->outline);
   raster_box(r, x1, y0, x1 + 1, y1 + 1, s->outline);
}

static void
raster_text(const struct raster *r, const struct canvas_shape *s)
{
   int x = to_pixel(s->x), top = to_pixel(s->y) - 7 * CANVAS_SCALE;
   for (const char *c = s->text; *c; c++, x += (int)CANVAS_TEXT_WIDTH * CANVAS_SCALE) {
      for (int row = 0; row < 7; row++) {
         uint8_t bits = canvas_font_row(*c, (unsigned)row);
         for (int column = 0; column < 5; column++) {
            int px = x + column * CANVAS_SCALE, py = top + row * CANVAS_SCALE;
            if (bits >> (4 - column) & 1)
               raster_box(r, px, py, px + CANVAS_SCALE, py + CANVAS_SCALE, s->fill);
         }
      }
   }
}

static bool
write_png(const struct canvas *canvas, const char *path)
{
   struct raster r = {.width = to_pixel(canvas->width), .height = to_pixel(canvas->height)};
   size_t size_B = 3 * (size_t)r.width * (size_t)r.height;
   r.rgb = malloc(size_B);
   if (!r.rgb)
      return false;
   memset(r.rgb, 0xff, size_B);
   dynarray_for_each(struct canvas_shape, s, &canvas->shapes) {
      switch (s->kind) {
      case CANVAS_RECTANGLE:
         raster_rectangle(&r, s);
         break;
      case CANVAS_HATCH:
         raster_hatch(&r, s);
         break;
      case CANVAS_LINE:
         raster_line(&r, s->x, s->y, s->x1, s->y1, s->fill, s->line_width);
         break;
      case CANVAS_TEXT:
         raster_text(&r, s);
         break;
      }
   }
   png_image image = {.version = PNG_IMAGE_VERSION,
                      .width = (uint32_t)r.width,
                      .height = (uint32_t)r.height,
                      .format = PNG_FORMAT_RGB};
   errno = 0;
   /* png_image_write_to_file() would remove what it cannot write: a link, say. */
   FILE *out = fopen(path, "wb");
   bool good = out && png_image_write_to_stdio(&image, out, 0, r.rgb, 0, NULL);
   good &= !out || !fclose(out);
   free(r.rgb);
   return good;
}

bool
canvas_write(const struct canvas *canvas, const char *path)
{
   const char *suffix = strrchr(path, '.');
   bool svg = suffix && !strcmp(suffix, ".svg"), png = suffix && !strcmp(suffix, ".png");
   if (!svg && !png) {
      fprintf(stderr, "indium: %s: a picture is named FILE.svg or FILE.png\n", path);
      return false;
   }
   if (svg ? write_svg(canvas, path) : write_png(canvas, path))
      return true;
   fprintf(stderr, "indium: %s: %s\n", path, errno ? strerror(errno) : "cannot be written");
   return false;
}
