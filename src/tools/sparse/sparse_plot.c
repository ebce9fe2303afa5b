/* Folios as squares of 16x16 pages, then the levels with the numbers of their pages. */
#include <inttypes.h>
#include <stdlib.h>

#include "tools/base/canvas.h"
#include "tools/layout/layout.h"
#include "tools/sparse/sparse.h"
#include "util/macros.h"

#define LEFT 20.0
#define FOLIO 192.0
#define FOLIO_STEP 212.0
#define MAX_FOLIOS 16u
#define PANEL 220.0
#define PANEL_STEP 240.0
#define MAX_PANELS 8u
#define SIDE 16u /* pages of a folio on the paper */

static const uint32_t ink = 0x202020, faint = 0x909090, unused_colour = 0xf2f2f2, absent_colour = 0xffffff;

static const uint32_t level_colours[8] = {0x8ecae6, 0xffd166, 0x95d5b2, 0xf4a6a0,
                                          0xc9b6e4, 0xf7c59f, 0xa3c4f3, 0xd0d38f};

struct plot {
   struct canvas canvas;
   const struct ail_layout *layout;
   const struct sparse_page *pages;
   const uint32_t *words; /* NULL: no table */
};

/* With a table, pages without memory are white. */
static bool
has_memory(const struct plot *p, uint32_t layer, uint32_t page)
{
   return !p->words || ail_sparse_unpack(p->words[ail_sparse_word_index(p->layout, layer, page)], NULL);
}

static uint32_t
colour_of(const struct plot *p, uint32_t layer, uint32_t page)
{
   if (p->pages[page].unused)
      return unused_colour;
   return has_memory(p, layer, page) ? level_colours[p->pages[page].level % 8] : absent_colour;
}

static void
draw_page(struct plot *p, double x, double y, double width, double height, uint32_t layer, uint32_t page)
{
   /* size: a rectangle and its page */
   canvas_rectangle(&p->canvas, x, y, width, height, colour_of(p, layer, page), CANVAS_NONE);
   if (p->pages[page].in_tail)
      canvas_hatch(&p->canvas, x, y, width, height, faint);
   canvas_rectangle(&p->canvas, x, y, width, height, CANVAS_NONE, faint);
}

static void
draw_folio(struct plot *p, uint32_t index, double x, double y)
{
   uint32_t per_layer = p->layout->folios_per_layer, layer = index / per_layer, folio = index % per_layer;
   uint32_t pages = sparse_pages_per_layer(p->layout), first = folio * AIL_FOLIO_PAGES;
   uint32_t count = MIN2(pages - first, AIL_FOLIO_PAGES);
   double cell = FOLIO / SIDE;
   canvas_hatch(&p->canvas, x, y, FOLIO, FOLIO, faint);
   for (uint32_t i = 0; i < count; i++)
      draw_page(p, x + i % SIDE * cell, y + i / SIDE * cell, cell, cell, layer, first + i);
   canvas_rectangle(&p->canvas, x, y, FOLIO, FOLIO, CANVAS_NONE, ink);
   canvas_text(&p->canvas, x, y + FOLIO + 12, 0, ink, "folio %u: layer %u, pages %u to %u", index, layer, first,
               first + count - 1);
   canvas_text(&p->canvas, x, y + FOLIO + 24, 0, faint, "words %u to %u, then counters", index * AIL_FOLIO_WORDS,
               index * AIL_FOLIO_WORDS + AIL_FOLIO_PAGES - 1);
}

static double
draw_folios(struct plot *p, double y)
{
   uint32_t all = p->layout->folios_per_layer * p->layout->layer_count, shown = MIN2(all, MAX_FOLIOS);
   canvas_text(&p->canvas, LEFT, y, 0, ink, "folios: 256 pages in rows of 16, hatched: no page, or the tail%s",
               p->words ? "; white: no memory" : "");
   y += 12;
   for (uint32_t i = 0; i < shown; i++)
      draw_folio(p, i, LEFT + i % 4 * FOLIO_STEP, y + i / 4 * (FOLIO + 42));
   y += (double)div_round_up(shown, 4) * (FOLIO + 42);
   if (all > shown)
      canvas_text(&p->canvas, LEFT, y, 0, faint, "and %u more", all - shown);
   return y + 20;
}

/* The pages of layer 0's level, where they are in the picture. */
static void
draw_level(struct plot *p, uint32_t level, double x, double y)
{
   const struct ail_level *l = &p->layout->levels[level];
   unsigned area_log2 = 14 - log2_floor(p->layout->element_B);
   uint32_t w = 1u << (area_log2 + 1) / 2, h = 1u << area_log2 / 2;
   double columns = (double)div_round_up(l->width_el, w), rows = (double)div_round_up(l->height_el, h);
   double scale = PANEL / MAX2(columns * w, rows * h), page_w = scale * w, page_h = scale * h;
   for (uint32_t page = 0; page < sparse_pages_per_layer(p->layout); page++) {
      const struct sparse_page *at = &p->pages[page];
      if (at->unused || at->in_tail || at->level != level)
         continue;
      draw_page(p, x + at->tile_x * page_w, y + at->tile_y * page_h, page_w, page_h, 0, page);
      if (page_w >= 26 && page_h >= 14)
         canvas_text(&p->canvas, x + (at->tile_x + 1) * page_w - 3, y + (at->tile_y + 1) * page_h - 3, 1, ink, "%u",
                     page);
   }
   canvas_rectangle(&p->canvas, x, y, scale * l->width_el, scale * l->height_el, CANVAS_NONE, ink);
   canvas_text(&p->canvas, x, y + PANEL + 12, 0, ink, "level %u: %ux%u el, %.0fx%.0f pages", level, l->width_el,
               l->height_el, columns, rows);
}

static double
draw_levels(struct plot *p, double y)
{
   uint32_t count = MIN2(MIN2(p->layout->mip_tail_first_level, p->layout->image.levels), MAX_PANELS);
   if (!count)
      return y;
   canvas_text(&p->canvas, LEFT, y, 0, ink, "levels of layer 0 as pictures, with the numbers of their pages");
   y += 12;
   for (uint32_t i = 0; i < count; i++)
      draw_level(p, i, LEFT + i % 4 * PANEL_STEP, y + i / 4 * (PANEL + 30));
   return y + (double)div_round_up(count, 4) * (PANEL + 30);
}

bool
sparse_plot(const struct ail_layout *layout, const uint32_t *words, const char *path)
{
   const struct ail_image *i = &layout->image;
   struct sparse_page *pages = calloc(sparse_pages_per_layer(layout), sizeof(*pages));
   struct plot p = {.canvas.width = 2 * LEFT + 4 * PANEL_STEP, .layout = layout, .pages = pages, .words = words};
   if (!pages)
      return false;
   sparse_find_pages(layout, pages);
   canvas_text(&p.canvas, LEFT, 20, 0, ink, "%s %ux%u, %s, levels: %u, layers: %u, samples: %u",
               ail_format_name(i->format), i->width_px, i->height_px, layout_tiling_name(i->tiling), i->levels,
               layout->layer_count, i->samples);
   canvas_text(&p.canvas, LEFT, 34, 0, ink, "%u pages of 16384 B a layer, a table of %" PRIu64 " B",
               sparse_pages_per_layer(layout), layout->sparse_table_size_B);
   p.canvas.height = draw_levels(&p, draw_folios(&p, 58)) + 10;
   bool good = canvas_write(&p.canvas, path);
   canvas_free(&p.canvas);
   free(pages);
   return good;
}
