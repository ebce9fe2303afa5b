/* The memory map of an image: bars of bytes from the whole image down to its smallest level, each zooming in where
 * the one above became too narrow to read; then every level as a picture with its tiles in memory order. */
#include <inttypes.h>
#include <stdarg.h>
#include <stdio.h>

#include "tools/base/canvas.h"
#include "tools/layout/layout.h"
#include "util/macros.h"

#define LEFT 20.0
#define BAR_WIDTH 960.0
#define BAR_HEIGHT 24.0
#define BAR_STEP 64.0
#define MIN_SEGMENT 34.0 /* narrower segments are zoomed into */
#define PANEL 220.0
#define PANEL_STEP 240.0
#define MAX_PANELS 8u
#define MAX_SEGMENTS 80u

static const uint32_t ink = 0x202020, faint = 0x909090, metadata_colour = 0xb48ad8, page_colour = 0xf2f2f2;

static const uint32_t level_colours[8] = {0x8ecae6, 0xffd166, 0x95d5b2, 0xf4a6a0,
                                          0xc9b6e4, 0xf7c59f, 0xa3c4f3, 0xd0d38f};

/* A stretch of bytes. */
struct segment {
   uint64_t start_B, end_B;
   double used;     /* share of the bytes that hold elements */
   uint32_t colour; /* CANVAS_NONE: padding */
   char label[40];
};

struct map {
   struct segment segments[MAX_SEGMENTS];
   unsigned count;
};

static void __attribute__((format(printf, 6, 7)))
add_segment(struct map *map, uint64_t start_B, uint64_t end_B, double used, uint32_t colour, const char *format, ...)
{
   /* size: a segment and its label */
   if (start_B == end_B || map->count == MAX_SEGMENTS)
      return;
   struct segment *s = &map->segments[map->count++];
   *s = (struct segment){start_B, end_B, used, colour, ""};
   va_list args;
   va_start(args, format);
   vsnprintf(s->label, sizeof(s->label), format, args);
   va_end(args);
}

static double
level_share(const struct ail_layout *layout, const struct ail_level *l)
{
   return (double)l->width_el * l->height_el * layout->element_B / (double)l->size_B;
}

static double
layer_share(const struct ail_layout *layout)
{
   double used_B = 0;
   for (uint32_t l = 0; l < layout->image.levels; l++)
      used_B += level_share(layout, &layout->levels[l]) * (double)layout->levels[l].size_B;
   return used_B / (double)layout->layer_stride_B;
}

/* Layers and the metadata after them. */
static void
map_image(const struct ail_layout *layout, struct map *map)
{
   uint32_t shown = MIN2(layout->layer_count, 16u);
   double share = layer_share(layout);
   for (uint32_t i = 0; i < shown; i++)
      add_segment(map, i * layout->layer_stride_B, (i + 1) * layout->layer_stride_B, share, level_colours[i % 8],
                  "layer %u", i);
   add_segment(map, shown * layout->layer_stride_B, layout->metadata_offset_B, share, level_colours[7],
               "layers %u to %u", shown, layout->layer_count - 1);
   add_segment(map, layout->metadata_offset_B, layout->size_B, 1, metadata_colour, "metadata");
}

/* Levels of layer 0, gaps between them, the way to the next page. */
static void
map_layer(const struct ail_layout *layout, struct map *map)
{
   uint64_t end_B = 0;
   for (uint32_t i = 0; i < layout->allocated_levels; i++) {
      const struct ail_level *l = &layout->levels[i];
      bool shown = i < layout->image.levels;
      add_segment(map, end_B, l->offset_B, 0, CANVAS_NONE, "pad");
      end_B = l->offset_B + l->size_B;
      add_segment(map, l->offset_B, end_B, shown ? level_share(layout, l) : 0, level_colours[i % 8],
                  shown ? "level %u" : "(%u)", i);
   }
   add_segment(map, end_B, layout->layer_stride_B, 0, CANVAS_NONE, "pad");
}

static void
map_metadata(const struct ail_layout *layout, struct map *map)
{
   uint64_t base_B = layout->metadata_offset_B, end_B = base_B;
   for (uint32_t i = 0; i < layout->allocated_levels && layout->levels[i].metadata_allocated; i++) {
      const struct ail_level *l = &layout->levels[i];
      double tiles = (double)l->metadata_width_tl * l->metadata_height_tl;
      add_segment(map, end_B, base_B + l->metadata_offset_B, 0, CANVAS_NONE, "pad");
      end_B = base_B + l->metadata_offset_B + l->metadata_size_B;
      add_segment(map, base_B + l->metadata_offset_B, end_B, tiles * 8 / (double)l->metadata_size_B,
                  level_colours[i % 8], l->compressed ? "level %u" : "level %u, unused", i);
   }
   add_segment(map, end_B, base_B + layout->metadata_layer_stride_B, 0, CANVAS_NONE, "pad");
}

static double
bar_x(const struct segment *first, uint64_t end_B, uint64_t offset_B)
{
   return LEFT + BAR_WIDTH * (double)(offset_B - first->start_B) / (double)(end_B - first->start_B);
}

static void
draw_segment(struct canvas *canvas, const struct segment *s, double x0, double x1, double y)
{
   double width = x1 - x0, solid = s->colour == CANVAS_NONE ? 0 : width * s->used;
   canvas_rectangle(canvas, x0, y, width, BAR_HEIGHT, page_colour, CANVAS_NONE);
   if (solid > 0)
      canvas_rectangle(canvas, x0, y, solid, BAR_HEIGHT, s->colour, CANVAS_NONE);
   if (width - solid > 1)
      canvas_hatch(canvas, x0 + solid, y, width - solid, BAR_HEIGHT, s->colour == CANVAS_NONE ? faint : s->colour);
   canvas_rectangle(canvas, x0, y, width, BAR_HEIGHT, CANVAS_NONE, ink);
   char text[64];
   int length = snprintf(text, sizeof(text), "%s %.0f%%", s->label, 100 * s->used);
   if (s->colour == CANVAS_NONE || CANVAS_TEXT_WIDTH * length > width - 4)
      length = snprintf(text, sizeof(text), "%s", s->label);
   if (CANVAS_TEXT_WIDTH * length < width - 4)
      canvas_text(canvas, (x0 + x1) / 2, y + BAR_HEIGHT / 2 + 4, 0.5, ink, "%s", text);
}

/* One bar of the segments [first, map->count); returns the segment from which on to zoom, or map->count. */
static unsigned
draw_bar(struct canvas *canvas, const struct map *map, unsigned first, double y)
{
   const struct segment *segments = map->segments;
   uint64_t end_B = segments[map->count - 1].end_B;
   unsigned zoom = map->count;
   double label_end = 0;
   for (unsigned i = first; i < map->count; i++) {
      double x0 = bar_x(&segments[first], end_B, segments[i].start_B);
      double x1 = bar_x(&segments[first], end_B, segments[i].end_B);
      draw_segment(canvas, &segments[i], x0, x1, y);
      char text[24];
      double width = CANVAS_TEXT_WIDTH * snprintf(text, sizeof(text), "%" PRIu64, segments[i].start_B);
      if (x0 >= label_end && x0 + width < LEFT + BAR_WIDTH - 70) {
         canvas_line(canvas, x0, y + BAR_HEIGHT, x0, y + BAR_HEIGHT + 4, ink, 0.5);
         canvas_text(canvas, x0, y + BAR_HEIGHT + 13, 0, ink, "%s", text);
         label_end = x0 + width + 6;
      }
      if (zoom == map->count && x1 - x0 < MIN_SEGMENT)
         zoom = i;
   }
   canvas_text(canvas, LEFT + BAR_WIDTH, y + BAR_HEIGHT + 13, 1, ink, "%" PRIu64, end_B);
   return zoom > first && map->count - zoom >= 2 ? zoom : map->count;
}

/* Bars, each a zoom of the end of the one above; returns the y below. */
static double
draw_bars(struct canvas *canvas, const struct map *map, const char *title, double y)
{
   if (!map->count)
      return y;
   canvas_text(canvas, LEFT, y, 0, ink, "%s", title);
   y += 6;
   for (unsigned first = 0, bars = 0; bars < 8; bars++) {
      unsigned zoom = draw_bar(canvas, map, first, y);
      if (zoom == map->count)
         break;
      uint64_t end_B = map->segments[map->count - 1].end_B;
      double x = bar_x(&map->segments[first], end_B, map->segments[zoom].start_B);
      canvas_line(canvas, x, y + BAR_HEIGHT, LEFT, y + BAR_STEP, faint, 0.5);
      canvas_line(canvas, LEFT + BAR_WIDTH, y + BAR_HEIGHT, LEFT + BAR_WIDTH, y + BAR_STEP, faint, 0.5);
      first = zoom;
      y += BAR_STEP;
   }
   return y + BAR_HEIGHT + 38;
}

/* A path through count x count cells of a square at (x, y) in Morton order. */
static void
draw_morton(struct canvas *canvas, double x, double y, double width, double height, unsigned log2)
{
   double before_x = 0, before_y = 0;
   for (uint32_t code = 0; code < 1u << (2 * log2); code++) {
      uint32_t cx = 0, cy = 0;
      for (unsigned bit = 0; bit < log2; bit++) {
         cx |= (code >> (2 * bit) & 1) << bit;
         cy |= (code >> (2 * bit + 1) & 1) << bit;
      }
      double at_x = x + (cx + 0.5) * width / (1u << log2), at_y = y + (cy + 0.5) * height / (1u << log2);
      if (code)
         canvas_line(canvas, before_x, before_y, at_x, at_y, 0xc0392b, 0.8);
      before_x = at_x, before_y = at_y;
   }
}

/* Cells of a raster with a path through them in memory order, or numbers where there is room. */
static void
draw_raster(struct canvas *canvas, double x, double y, double cell_w, double cell_h, uint32_t columns, uint32_t rows)
{
   /* size: a raster by its coordinates */
   for (uint32_t i = 0; i <= columns; i++)
      canvas_line(canvas, x + i * cell_w, y, x + i * cell_w, y + rows * cell_h, ink, 0.5);
   for (uint32_t i = 0; i <= rows; i++)
      canvas_line(canvas, x, y + i * cell_h, x + columns * cell_w, y + i * cell_h, ink, 0.5);
   bool numbers = cell_w >= 26 && cell_h >= 14;
   for (uint32_t i = 0; i < rows; i++) {
      double middle = y + (i + 0.5) * cell_h, left = x + cell_w / 2, right = x + (columns - 0.5) * cell_w;
      for (uint32_t j = 0; numbers && j < columns; j++)
         canvas_text(canvas, x + (j + 1) * cell_w - 3, y + (i + 1) * cell_h - 3, 1, ink, "%u", i * columns + j);
      if (numbers)
         continue;
      canvas_line(canvas, left, middle, right, middle, 0x2d6a9f, 0.7);
      if (i + 1 < rows)
         canvas_line(canvas, right, middle, left, middle + cell_h, 0x2d6a9f, 0.7);
   }
}

/* What a level takes on the paper, in elements: whole tiles, or whole rows when linear. */
struct extent {
   uint32_t tile_w, tile_h, columns, rows;
};

static struct extent
level_extent(const struct ail_layout *layout, const struct ail_level *l)
{
   if (layout->image.tiling == AIL_TILING_LINEAR)
      return (struct extent){l->stride_el, 1, 1, l->height_el};
   struct extent e = {1u << l->tile_width_log2_el, 1u << l->tile_height_log2_el, l->tiles_per_row, 0};
   e.rows = (l->height_el + e.tile_h - 1) / e.tile_h;
   return e;
}

/* Merges cells until there are at most 32 a side; returns how many make one on the paper. */
static uint32_t
merge_cells(struct extent *e)
{
   uint32_t merged = 1;
   while (e->columns > 32 || e->rows > 32) {
      e->tile_w *= e->columns > 1 ? 2 : 1;
      e->tile_h *= e->rows > 1 ? 2 : 1;
      e->columns = (e->columns + 1) / 2;
      e->rows = (e->rows + 1) / 2;
      merged *= 2;
   }
   return merged;
}

/* What stands below a panel; returns the y below the text. */
static double
draw_caption(struct canvas *canvas, const struct ail_layout *layout, uint32_t index, double x, double y)
{
   const struct ail_level *l = &layout->levels[index];
   bool linear = layout->image.tiling == AIL_TILING_LINEAR;
   struct extent e = level_extent(layout, l);
   uint64_t spare_B = l->size_B - (uint64_t)e.columns * e.rows * e.tile_w * e.tile_h * layout->element_B;
   canvas_text(canvas, x, y, 0, ink, "level %u%s: %ux%u el", index, index < layout->image.levels ? "" : " (reserved)",
               l->width_el, l->height_el);
   y += 12;
   if (linear)
      canvas_text(canvas, x, y, 0, ink, "%u rows of %u B", e.rows, layout->stride_B);
   else
      canvas_text(canvas, x, y, 0, ink, "%ux%u tiles of %ux%u el", e.columns, e.rows, e.tile_w, e.tile_h);
   y += 12;
   canvas_text(canvas, x, y, 0, ink, "%" PRIu64 " B at %" PRIu64, l->size_B, l->offset_B);
   y += 12;
   uint32_t merged = merge_cells(&e);
   if (merged > 1) {
      canvas_text(canvas, x, y, 0, faint, linear ? "a line is %u rows" : "a cell is %u tiles wide and high", merged);
      y += 12;
   }
   if (spare_B) {
      canvas_text(canvas, x, y, 0, 0xc0392b, "and %" PRIu64 " B beyond its tiles", spare_B);
      y += 12;
   }
   return y;
}

/* Returns the y below. */
static double
draw_panel(struct canvas *canvas, const struct ail_layout *layout, uint32_t index, double x, double y)
{
   const struct ail_level *l = &layout->levels[index];
   bool linear = layout->image.tiling == AIL_TILING_LINEAR;
   const struct extent whole = level_extent(layout, l);
   struct extent e = whole;
   merge_cells(&e);
   double scale = PANEL / MAX2(e.tile_w * e.columns, e.tile_h * e.rows);
   double width = scale * e.tile_w * e.columns, height = scale * e.tile_h * e.rows;
   canvas_rectangle(canvas, x, y, width, height, page_colour, CANVAS_NONE);
   canvas_hatch(canvas, x, y, width, height, faint);
   canvas_rectangle(canvas, x, y, scale * l->width_el, scale * l->height_el, level_colours[index % 8], CANVAS_NONE);
   draw_raster(canvas, x, y, scale * e.tile_w, scale * e.tile_h, e.columns, e.rows);
   double tile_w = scale * whole.tile_w, tile_h = scale * whole.tile_h;
   unsigned side_log2 = MIN2(3u, (unsigned)MIN2(l->tile_width_log2_el, l->tile_height_log2_el));
   /* A tile twice as wide as high is two squares side by side. */
   for (double square = 0; !linear && tile_h >= 12 && square < tile_w - 1e-6; square += tile_h)
      draw_morton(canvas, x + square, y, tile_h, tile_h, side_log2);
   return draw_caption(canvas, layout, index, x, y + height + 14);
}

static double
draw_panels(struct canvas *canvas, const struct ail_layout *layout, double y)
{
   uint32_t count = MIN2(layout->allocated_levels, MAX_PANELS);
   canvas_text(canvas, LEFT, y, 0, ink,
               "levels as pictures: tiles in memory order (numbers, or the blue path), the order inside the first "
               "tile (red), hatched: padding");
   y += 12;
   for (uint32_t first = 0; first < count; first += 4) {
      double end = y;
      for (uint32_t i = first; i < MIN2(first + 4, count); i++) {
         double below = draw_panel(canvas, layout, i, LEFT + (i - first) * PANEL_STEP, y);
         end = MAX2(end, below);
      }
      y = end + 16;
   }
   return y;
}

static void
draw_title(struct canvas *canvas, const struct ail_layout *layout)
{
   const struct ail_image *i = &layout->image;
   char size[40];
   if (i->dimension == AIL_3D)
      snprintf(size, sizeof(size), "%ux%ux%u", i->width_px, i->height_px, i->depth_px);
   else
      snprintf(size, sizeof(size), "%ux%u", i->width_px, i->height_px);
   canvas_text(canvas, LEFT, 20, 0, ink, "%s %s, %s%s%s, levels: %u, layers: %u, samples: %u",
               ail_format_name(i->format), size, layout_tiling_name(i->tiling), i->compressed ? ", compressed" : "",
               i->sparse ? ", sparse" : "", i->levels, layout->layer_count, i->samples);
   canvas_text(canvas, LEFT, 34, 0, ink,
               "%" PRIu64 " B, %.1f%% of a layer holds elements. Byte offsets below the bars; hatched: padding, as a "
               "share of each stretch",
               layout->size_B, 100 * layer_share(layout));
}

bool
layout_plot(const struct ail_layout *layout, const char *path)
{
   struct canvas canvas = {.width = 2 * LEFT + BAR_WIDTH};
   struct map image = {0}, layer = {0}, metadata = {0};
   map_image(layout, &image);
   map_layer(layout, &layer);
   if (layout->image.compressed)
      map_metadata(layout, &metadata);
   draw_title(&canvas, layout);
   double y = 60;
   if (image.count > 1)
      y = draw_bars(&canvas, &image, "the image", y);
   bool layered = layout->layer_count > 1;
   y = draw_bars(&canvas, &layer, layered ? "layer 0, levels in memory order" : "levels in memory order", y);
   y = draw_bars(&canvas, &metadata, "metadata of layer 0, 8 bytes for 16x16 samples", y);
   canvas.height = draw_panels(&canvas, layout, y);
   bool good = canvas_write(&canvas, path);
   canvas_free(&canvas);
   return good;
}
