/* Tiling and detiling of boxes.
 *
 * The middle of a box goes unit by unit (ail_kernels.h), its edges element by element:
 *
 *    +--------------------------+
 *    |           top            |    units start where x is a multiple of 64 bytes and y of the rows of a unit
 *    +------+-----------+-------+
 *    | left |   units   | right |
 *    +------+-----------+-------+
 *    |          bottom          |
 *    +--------------------------+ */
#include <string.h>

#include "asahi/layout/ail_internal.h"
#include "asahi/layout/ail_kernels.h"

/* A copy that would push everything else out of the second cache goes past the caches. */
#define STREAM_MIN_B ((size_t)4 << 20)
#define BAND_ROWS 8u /* at least the rows of the tallest unit */
#define PREFETCH_UNITS 4

/* One layer of a box. */
struct region {
   char *tiled;  /* first byte of the level */
   char *linear; /* element (x0, y0) */
   ptrdiff_t row_stride_B;
   uint32_t x0, y0, x1, y1; /* el */
   uint32_t tiles_per_row;
   unsigned width_log2, height_log2; /* of a tile, el */
   unsigned element_log2_B;
   bool tile;           /* direction: linear to tiled */
   size_t stream_min_B; /* from this size on past the caches */
};

struct rectangle {
   uint32_t x0, y0, x1, y1;
};

/* Morton bits of the columns of a tile, in elements; the rows have the others. */
static uint32_t
column_mask(unsigned width_log2, unsigned height_log2)
{
   return ail_morton((1u << width_log2) - 1, 0, width_log2, height_log2);
}

static size_t
tile_row_B(const struct region *r, uint32_t y)
{
   return ((size_t)(y >> r->height_log2) * r->tiles_per_row) << (r->width_log2 + r->height_log2 + r->element_log2_B);
}

static uint32_t
row_bits(const struct region *r, uint32_t y)
{
   return ail_morton(0, y & ((1u << r->height_log2) - 1), r->width_log2, r->height_log2);
}

static uint32_t
column_bits(const struct region *r, uint32_t x)
{
   return ail_morton(x & ((1u << r->width_log2) - 1), 0, r->width_log2, r->height_log2);
}

static char *
linear_at(const struct region *r, uint32_t x, uint32_t y, unsigned log2_B)
{
   return r->linear + (ptrdiff_t)(y - r->y0) * r->row_stride_B + ((size_t)(x - r->x0) << log2_B);
}

static inline __attribute__((always_inline)) void
copy_elements(const struct region *r, uint32_t x0, uint32_t y0, uint32_t x1, uint32_t y1, unsigned log2_B, bool tile)
{
   /* size: a rectangle of elements */
   const uint32_t mask = column_mask(r->width_log2, r->height_log2);
   const size_t tile_B = (size_t)1 << (r->width_log2 + r->height_log2 + log2_B), element_B = (size_t)1 << log2_B;
   for (uint32_t y = y0; y < y1; y++) {
      char *row = r->tiled + tile_row_B(r, y) + (x0 >> r->width_log2) * tile_B;
      char *linear = linear_at(r, x0, y, log2_B);
      uint32_t low = row_bits(r, y), x_bits = column_bits(r, x0);
      for (uint32_t x = x0; x < x1; x++) {
         char *tiled = row + ((size_t)(x_bits | low) << log2_B);
         if (tile)
            memcpy(tiled, linear, element_B);
         else
            memcpy(linear, tiled, element_B);
         linear += element_B;
         x_bits = (x_bits - mask) & mask;
         row += x_bits ? 0 : tile_B;
      }
   }
}

/* Where a walk along a row of units stands on the tiled side. */
struct cursor {
   char *row;     /* tile, without the bits of x and y inside it */
   size_t x_bits; /* address bits of x inside the tile */
   size_t mask;   /* those from one unit on */
   size_t tile_B;
};

static inline __attribute__((always_inline)) struct cursor
cursor_at(const struct region *r, uint32_t x, uint32_t y, unsigned log2_B)
{
   const unsigned unit_log2 = ail_unit_width_log2_el(log2_B);
   const size_t tile_B = (size_t)1 << (r->width_log2 + r->height_log2 + log2_B);
   return (struct cursor){
      .row = r->tiled + tile_row_B(r, y) + (x >> r->width_log2) * tile_B,
      .x_bits = (size_t)column_bits(r, x) << log2_B,
      .mask = (size_t)(column_mask(r->width_log2, r->height_log2) & ~column_mask(unit_log2, unit_log2)) << log2_B,
      .tile_B = tile_B,
   };
}

/* The next unit: adds 1 to the number that the bits of x in the mask spell, and carries into the next tile. */
static inline __attribute__((always_inline)) void
cursor_next(struct cursor *c)
{
   c->x_bits = (c->x_bits - c->mask) & c->mask;
   c->row += c->x_bits ? 0 : c->tile_B;
}

/* Fetches the lines of the unit that comes PREFETCH_UNITS later: no hardware prefetcher guesses Morton order. */
static inline __attribute__((always_inline)) void
prefetch_unit(const char *tiled, const char *linear, ptrdiff_t row_stride_B, unsigned log2_B, bool stream)
{
   const unsigned lines = 1u << ail_unit_rows_log2(log2_B);
#pragma GCC unroll 8
   for (unsigned i = 0; i < lines; i++) {
      __builtin_prefetch(tiled + ail_line_offset_B(log2_B, i));
      if (!stream)
         __builtin_prefetch(linear + (ptrdiff_t)i * row_stride_B + PREFETCH_UNITS * AIL_LINE_B, 1);
   }
}

/* Rows [y0, y1) of units, at most BAND_ROWS and in one row of tiles: x outside, y inside, so that neighbouring lines
 * of the tiled side are used together. All of x0, x1 are multiples of the unit's width and y0, y1 of its rows. */
static inline __attribute__((always_inline)) void
copy_band(const struct region *r, const struct rectangle *band, unsigned log2_B, bool tile, bool stream)
{
   const uint32_t rows = 1u << ail_unit_rows_log2(log2_B), width = 1u << ail_unit_width_log2_el(log2_B);
   size_t low_B[BAND_ROWS]; /* address bits of y inside the tile, for each row of units */
   unsigned count = 0;
   for (uint32_t y = band->y0; y < band->y1; y += rows)
      low_B[count++] = (size_t)row_bits(r, y) << log2_B;
   struct cursor c = cursor_at(r, band->x0, band->y0, log2_B), ahead = c;
   for (unsigned i = 0; i < PREFETCH_UNITS; i++)
      cursor_next(&ahead);
   for (uint32_t x = band->x0; x < band->x1; x += width) {
      char *linear = linear_at(r, x, band->y0, log2_B);
      for (unsigned i = 0; i < count; i++) {
         char *tiled = c.row + (c.x_bits | low_B[i]);
         if (tile) {
            ail_tile_unit(log2_B, tiled, linear, r->row_stride_B, stream);
         } else {
            prefetch_unit(ahead.row + (ahead.x_bits | low_B[i]), linear, r->row_stride_B, log2_B, stream);
            ail_detile_unit(log2_B, tiled, linear, r->row_stride_B, stream);
         }
         linear += (ptrdiff_t)rows * r->row_stride_B;
      }
      cursor_next(&c);
      cursor_next(&ahead);
   }
}

static inline __attribute__((always_inline)) void
copy_units(const struct region *r, const struct rectangle *units, unsigned log2_B, bool tile, bool stream)
{
   struct rectangle band = *units;
   for (; band.y0 < units->y1; band.y0 = band.y1) {
      uint32_t band_end = (band.y0 | (BAND_ROWS - 1)) + 1;
      uint32_t tile_end = ((band.y0 >> r->height_log2) + 1) << r->height_log2;
      band.y1 = MIN2(MIN2(band_end, tile_end), units->y1);
      copy_band(r, &band, log2_B, tile, stream);
   }
}

static inline __attribute__((always_inline)) void
copy_region(const struct region *r, unsigned log2_B, bool tile)
{
   const uint32_t width = 1u << ail_unit_width_log2_el(log2_B), rows = 1u << ail_unit_rows_log2(log2_B);
   const struct rectangle units = {(r->x0 + width - 1) & ~(width - 1), (r->y0 + rows - 1) & ~(rows - 1),
                                   r->x1 & ~(width - 1), r->y1 & ~(rows - 1)};
   if (1u << r->width_log2 < width || 1u << r->height_log2 < rows || units.x0 >= units.x1 || units.y0 >= units.y1) {
      copy_elements(r, r->x0, r->y0, r->x1, r->y1, log2_B, tile);
      return;
   }
   copy_elements(r, r->x0, r->y0, r->x1, units.y0, log2_B, tile);
   copy_elements(r, r->x0, units.y0, units.x0, units.y1, log2_B, tile);
   copy_elements(r, units.x1, units.y0, r->x1, units.y1, log2_B, tile);
   copy_elements(r, r->x0, units.y1, r->x1, r->y1, log2_B, tile);
   bool stream = (size_t)(r->x1 - r->x0) * (r->y1 - r->y0) >= r->stream_min_B >> log2_B;
   bool aligned = tile ? (uintptr_t)r->tiled % AIL_LINE_B == 0
                       : (uintptr_t)linear_at(r, units.x0, units.y0, log2_B) % AIL_LINE_B == 0 &&
                            r->row_stride_B % (ptrdiff_t)AIL_LINE_B == 0;
   if (stream && aligned)
      copy_units(r, &units, log2_B, tile, true);
   else
      copy_units(r, &units, log2_B, tile, false);
   if (stream)
      ail_store_fence();
}

static void
copy_linear(const struct region *r, uint32_t stride_B)
{
   size_t row_B = (size_t)(r->x1 - r->x0) << r->element_log2_B;
   for (uint32_t y = r->y0; y < r->y1; y++) {
      char *image = r->tiled + (size_t)y * stride_B + ((size_t)r->x0 << r->element_log2_B);
      char *linear = r->linear + (ptrdiff_t)(y - r->y0) * r->row_stride_B;
      if (r->tile)
         memcpy(image, linear, row_B);
      else
         memcpy(linear, image, row_B);
   }
}

#define REGION(log2_B)                                                                                               \
   case log2_B:                                                                                                      \
      if (r->tile)                                                                                                   \
         copy_region(r, log2_B, true);                                                                               \
      else                                                                                                           \
         copy_region(r, log2_B, false);                                                                              \
      return

static void
copy_tiled(const struct region *r)
{
   switch (r->element_log2_B) {
      REGION(0);
      REGION(1);
      REGION(2);
      REGION(3);
      REGION(4);
      REGION(5);
      REGION(6);
   }
}

enum ail_error
ail_move(const struct ail_layout *layout, char *image, const struct ail_box *box, char *linear,
         ptrdiff_t row_stride_B, ptrdiff_t layer_stride_B, bool tile, size_t stream_min_B)
{
   if (!layout || !image || !box || !linear)
      return AIL_ERROR_NULL;
   if (!ail_box_is_inside(layout, box))
      return AIL_ERROR_BOX;
   if (!box->width_el || !box->height_el)
      return AIL_OK;
   const struct ail_level *level = &layout->levels[box->level];
   struct region r = {
      .row_stride_B = row_stride_B,
      .x0 = box->x_el,
      .y0 = box->y_el,
      .x1 = box->x_el + box->width_el,
      .y1 = box->y_el + box->height_el,
      .tiles_per_row = level->tiles_per_row,
      .width_log2 = level->tile_width_log2_el,
      .height_log2 = level->tile_height_log2_el,
      .element_log2_B = log2_floor(layout->element_B),
      .tile = tile,
      .stream_min_B = stream_min_B,
   };
   for (uint32_t i = 0; i < box->layers; i++) {
      r.tiled = image + (box->layer + i) * layout->layer_stride_B + level->offset_B;
      r.linear = linear + (ptrdiff_t)i * layer_stride_B;
      if (layout->image.tiling == AIL_TILING_LINEAR)
         copy_linear(&r, layout->stride_B);
      else
         copy_tiled(&r);
   }
   return AIL_OK;
}

enum ail_error
ail_tile(const struct ail_layout *layout, void *image, const struct ail_box *box, const void *linear,
         ptrdiff_t row_stride_B, ptrdiff_t layer_stride_B)
{
   /* The linear side is only read. */
   return ail_move(layout, image, box, (char *)(uintptr_t)linear, row_stride_B, layer_stride_B, true, STREAM_MIN_B);
}

enum ail_error
ail_detile(const struct ail_layout *layout, const void *image, const struct ail_box *box, void *linear,
           ptrdiff_t row_stride_B, ptrdiff_t layer_stride_B)
{
   return ail_move(layout, (char *)(uintptr_t)image, box, linear, row_stride_B, layer_stride_B, false, STREAM_MIN_B);
}
