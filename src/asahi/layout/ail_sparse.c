/* Sparse page tables: folios, Sparse Block words, the words that a box touches, and the walk.
 *
 *    layer 0             layer 1
 *    folio 0   folio 1   folio 0   folio 1       a folio: 256 words for 256 pages of a layer, 256 counters
 *
 *    31      30        29..26   25..0
 *    enabled unknown=1 0        page address >> 14 */
#include "asahi/layout/ail_internal.h"

#define PAGE_LOG2 14
#define WORD_ENABLED (1u << 31)
#define WORD_UNKNOWN (1u << 30) /* set by macOS whenever a page is enabled */
#define WORD_ADDRESS ((1u << 26) - 1)

void
ail_sparse_init(struct ail_layout *layout)
{
   uint64_t folio_B = (uint64_t)AIL_FOLIO_PAGES * AIL_PAGE_B;
   layout->folios_per_layer = (uint32_t)div_round_up(layout->layer_stride_B, folio_B);
   layout->sparse_table_size_B = (uint64_t)layout->folios_per_layer * layout->layer_count * AIL_FOLIO_WORDS * 4;
   uint32_t first = layout->mip_tail_first_level;
   if (first < layout->allocated_levels) {
      layout->mip_tail_offset_B = layout->levels[first].offset_B;
      layout->mip_tail_size_B = align_up(layout->chain_size_B - layout->mip_tail_offset_B, AIL_PAGE_B);
   }
}

uint64_t
ail_sparse_word_index(const struct ail_layout *layout, uint32_t layer, uint64_t page)
{
   if (!layout || !layout->image.sparse || layer >= layout->layer_count ||
       page >= layout->layer_stride_B >> PAGE_LOG2)
      return AIL_NONE;
   uint64_t folio = (uint64_t)layer * layout->folios_per_layer + page / AIL_FOLIO_PAGES;
   return folio * AIL_FOLIO_WORDS + page % AIL_FOLIO_PAGES;
}

enum ail_error
ail_sparse_pack(uint64_t page_va, uint32_t *word)
{
   if (!word)
      return AIL_ERROR_NULL;
   if (page_va % AIL_PAGE_B)
      return AIL_ERROR_ADDRESS_ALIGNMENT;
   if (page_va >> PAGE_LOG2 > WORD_ADDRESS)
      return AIL_ERROR_ADDRESS_LIMIT;
   *word = WORD_ENABLED | WORD_UNKNOWN | (uint32_t)(page_va >> PAGE_LOG2);
   return AIL_OK;
}

bool
ail_sparse_unpack(uint32_t word, uint64_t *page_va)
{
   if (!(word & WORD_ENABLED))
      return false;
   if (page_va)
      *page_va = (uint64_t)(word & WORD_ADDRESS) << PAGE_LOG2;
   return true;
}

/* Collects bytes of one layer, in ascending order, into ranges of words. */
struct collector {
   const struct ail_layout *layout;
   uint32_t layer;
   uint64_t next_page; /* pages below are in the ranges already */
   struct ail_word_range *ranges, last;
   uint32_t max, count;
};

static void
flush_range(struct collector *c)
{
   if (!c->last.words)
      return;
   if (c->count < c->max)
      c->ranges[c->count] = c->last;
   c->count++;
   c->last.words = 0;
}

static void
collect_bytes(struct collector *c, uint64_t first_B, uint64_t end_B)
{
   uint64_t page = MAX2(first_B >> PAGE_LOG2, c->next_page), end = (end_B + AIL_PAGE_B - 1) >> PAGE_LOG2;
   while (page < end) {
      uint32_t word = (uint32_t)ail_sparse_word_index(c->layout, c->layer, page);
      uint32_t words = (uint32_t)MIN2(end - page, AIL_FOLIO_PAGES - page % AIL_FOLIO_PAGES);
      if (!c->last.words || c->last.first_word + c->last.words != word) {
         flush_range(c);
         c->last.first_word = word;
      }
      c->last.words += words;
      page += words;
   }
   c->next_page = MAX2(c->next_page, end);
}

/* A rectangle of elements [x0, x1) x [y0, y1). */
struct rectangle {
   uint32_t x0, y0, x1, y1;
};

/* The Morton block of `bits` address bits at (x, y) and first_B: splits it along its highest address bit until it
 * lies inside or outside the rectangle or is at most a page. x takes the even address bits, y the odd ones. */
static void
collect_block(struct collector *c, const struct rectangle *r, uint32_t x, uint32_t y, unsigned bits, uint64_t first_B)
{
   uint32_t width = 1u << ((bits + 1) / 2), height = 1u << (bits / 2);
   uint64_t size_B = (uint64_t)c->layout->element_B << bits;
   if (x >= r->x1 || y >= r->y1 || x + width <= r->x0 || y + height <= r->y0)
      return;
   bool inside = x >= r->x0 && y >= r->y0 && x + width <= r->x1 && y + height <= r->y1;
   if (inside || size_B <= AIL_PAGE_B) {
      collect_bytes(c, first_B, first_B + size_B);
      return;
   }
   bool split_x = bits % 2;
   collect_block(c, r, x, y, bits - 1, first_B);
   collect_block(c, r, split_x ? x + width / 2 : x, split_x ? y : y + height / 2, bits - 1, first_B + size_B / 2);
}

/* Every tile row of the box: its tiles are neighbours in memory. Tiles up to a page are taken whole. */
static void
collect_box(struct collector *c, const struct ail_box *box)
{
   const struct ail_level *level = &c->layout->levels[box->level];
   unsigned w = level->tile_width_log2_el, h = level->tile_height_log2_el;
   uint64_t tile_B = (uint64_t)c->layout->element_B << (w + h);
   uint32_t x_end = box->x_el + box->width_el, y_end = box->y_el + box->height_el;
   uint32_t first = box->x_el >> w, last = (x_end - 1) >> w;
   for (uint32_t row = box->y_el >> h; row <= (y_end - 1) >> h; row++) {
      uint64_t row_B = level->offset_B + (uint64_t)row * level->tiles_per_row * tile_B;
      if (tile_B <= AIL_PAGE_B) {
         collect_bytes(c, row_B + first * tile_B, row_B + (last + 1) * tile_B);
         continue;
      }
      for (uint32_t tile = first; tile <= last; tile++) {
         uint32_t x = tile << w, y = row << h;
         const struct rectangle part = {MAX2(box->x_el, x) - x, MAX2(box->y_el, y) - y, x_end - x, y_end - y};
         collect_block(c, &part, 0, 0, w + h, row_B + tile * tile_B);
      }
   }
}

enum ail_error
ail_sparse_box_words(const struct ail_layout *layout, const struct ail_box *box, struct ail_word_range *ranges,
                     uint32_t max, uint32_t *count)
{
   if (!layout || !box || !count || (max && !ranges))
      return AIL_ERROR_NULL;
   if (!layout->image.sparse)
      return AIL_ERROR_NOT_SPARSE;
   if (!ail_box_is_inside(layout, box))
      return AIL_ERROR_BOX;
   struct collector c = {.layout = layout, .ranges = ranges, .max = max};
   for (uint32_t i = 0; i < box->layers && box->width_el && box->height_el; i++) {
      c.layer = box->layer + i;
      c.next_page = 0;
      collect_box(&c, box);
   }
   flush_range(&c);
   *count = c.count;
   return AIL_OK;
}

enum ail_error
ail_sparse_tail_words(const struct ail_layout *layout, uint32_t layer, struct ail_word_range *ranges, uint32_t max,
                      uint32_t *count)
{
   if (!layout || !count || (max && !ranges))
      return AIL_ERROR_NULL;
   if (!layout->image.sparse)
      return AIL_ERROR_NOT_SPARSE;
   if (layer >= layout->layer_count)
      return AIL_ERROR_BOX;
   struct collector c = {.layout = layout, .layer = layer, .ranges = ranges, .max = max};
   collect_bytes(&c, layout->mip_tail_offset_B, layout->mip_tail_offset_B + layout->mip_tail_size_B);
   flush_range(&c);
   *count = c.count;
   return AIL_OK;
}

enum ail_error
ail_sparse_bind(const struct ail_layout *layout, uint32_t *table, const struct ail_word_range *ranges, uint32_t count,
                bool bind, uint64_t page_va)
{
   if (!layout || !table || (count && !ranges))
      return AIL_ERROR_NULL;
   if (!layout->image.sparse)
      return AIL_ERROR_NOT_SPARSE;
   /* First every check, then every write. */
   uint64_t words = layout->sparse_table_size_B / 4, pages = 0;
   for (uint32_t i = 0; i < count; i++) {
      if (ranges[i].first_word % AIL_FOLIO_WORDS + (uint64_t)ranges[i].words > AIL_FOLIO_PAGES ||
          ranges[i].first_word >= words)
         return AIL_ERROR_BOX;
      pages += ranges[i].words;
   }
   uint32_t word = 0;
   if (bind && pages) {
      enum ail_error error = ail_sparse_pack(page_va, &word);
      if (!error && page_va / AIL_PAGE_B + pages - 1 > WORD_ADDRESS)
         error = AIL_ERROR_ADDRESS_LIMIT;
      if (error)
         return error;
   }
   for (uint32_t i = 0; i < count; i++) {
      for (uint32_t j = 0; j < ranges[i].words; j++)
         table[ranges[i].first_word + j] = bind ? word++ : 0;
   }
   return AIL_OK;
}

enum ail_error
ail_sparse_walk(const struct ail_layout *layout, const uint32_t *table, uint32_t layer, uint64_t offset_B,
                uint64_t *va)
{
   if (!layout || !table || !va)
      return AIL_ERROR_NULL;
   if (!layout->image.sparse)
      return AIL_ERROR_NOT_SPARSE;
   uint64_t word = ail_sparse_word_index(layout, layer, offset_B >> PAGE_LOG2);
   uint64_t page_va;
   if (word == AIL_NONE)
      return AIL_ERROR_BOX;
   if (!ail_sparse_unpack(table[word], &page_va))
      return AIL_ERROR_UNBOUND;
   *va = page_va + offset_B % AIL_PAGE_B;
   return AIL_OK;
}
