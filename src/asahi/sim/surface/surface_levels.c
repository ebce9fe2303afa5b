/* Where levels, layers and metadata of a surface begin. Units: elements of level 0 unless a name says otherwise. */
#include "asahi/sim/surface/surface_private.h"
#include "util/macros.h"

static uint32_t
minify(uint32_t size, unsigned level)
{
   return MAX2(size >> level, 1u);
}

static uint32_t
blocks(uint32_t size_px, unsigned block_px)
{
   return (size_px + block_px - 1) / block_px;
}

static uint32_t
power_of_two(uint32_t size)
{
   return 1u << log2_ceil(size);
}

/* A level's memory before it is rounded to a cache line. */
struct chain {
   uint32_t width, height;    /* level 0 */
   unsigned element_log2;     /* bytes of an element with its samples */
   unsigned tile_w, tile_h;   /* log2 of the tile of a page */
   uint32_t columns, rows;    /* of such tiles */
   unsigned first_small;      /* level from which tiles are smaller than a page */
   uint32_t small_w, small_h; /* room of that level */
};

static void
set_tiles(struct agx_surface_level *level, unsigned width_log2, unsigned height_log2, uint32_t stride_el)
{
   level->tile_width_log2_el = (uint8_t)width_log2;
   level->tile_height_log2_el = (uint8_t)height_log2;
   level->tiles_per_row = (stride_el + (1u << width_log2) - 1) >> width_log2;
}

static struct chain
chain_of(const struct agx_surface *s)
{
   struct chain c = {.width = blocks(s->width_px, s->block_width_px),
                     .height = blocks(s->height_px, s->block_height_px),
                     .element_log2 = log2_floor(s->sample_B) + s->samples_log2};
   unsigned area_log2 = 14 - c.element_log2;
   c.tile_w = (area_log2 + 1) / 2;
   c.tile_h = area_log2 / 2;
   c.columns = (c.width + (1u << c.tile_w) - 1) >> c.tile_w;
   c.rows = (c.height + (1u << c.tile_h) - 1) >> c.tile_h;
   uint32_t w_px = c.width * s->block_width_px, h_px = c.height * s->block_height_px;
   while (blocks(w_px, s->block_width_px) >> c.tile_w && blocks(h_px, s->block_height_px) >> c.tile_h) {
      w_px = minify(w_px, 1);
      h_px = minify(h_px, 1);
      c.first_small++;
   }
   if (s->is_block) {
      c.small_w = minify(power_of_two(c.width), c.first_small);
      c.small_h = minify(power_of_two(c.height), c.first_small);
   } else {
      c.small_w = power_of_two(minify(c.width, c.first_small));
      c.small_h = power_of_two(minify(c.height, c.first_small));
   }
   return c;
}

/* Bytes of a level that is made of pages: each halving of an odd number of tiles drops a column, a row and their
 * corner, which the level gets back. */
static uint64_t
lay_out_large(const struct agx_surface *s, const struct chain *c, struct agx_surface_level *level, unsigned l)
{
   uint32_t odd = (1u << l) - 1;
   bool column = c->columns & odd, row = c->rows & odd;
   uint64_t tiles = (uint64_t)c->columns * c->rows >> 2 * l;
   tiles += (column ? c->rows >> l : 0) + (row ? c->columns >> l : 0) + (column && row);
   set_tiles(level, c->tile_w, c->tile_h, level->width_el + (s->is_block && column));
   return tiles * SURFACE_PAGE_B;
}

static uint64_t
lay_out_small(const struct agx_surface *s, const struct chain *c, struct agx_surface_level *level, unsigned l)
{
   uint32_t w = minify(c->small_w, l - c->first_small), h = minify(c->small_h, l - c->first_small);
   uint32_t side = s->is_block ? MIN2(w, h) : minify(MIN2(c->width, c->height), l);
   set_tiles(level, log2_ceil(side), log2_ceil(side), level->width_el);
   return (uint64_t)w * h << c->element_log2;
}

static uint64_t
lay_out_twiddled(const struct agx_surface *s, const struct chain *c, struct agx_surface_level *level, unsigned l)
{
   uint32_t room_w = minify(power_of_two(c->width), l), room_h = minify(power_of_two(c->height), l);
   uint32_t w = s->is_block ? room_w : power_of_two(minify(c->width, l));
   uint32_t h = s->is_block ? room_h : power_of_two(minify(c->height, l));
   unsigned side = log2_ceil(MIN2(w, h));
   set_tiles(level, side, side, w);
   return (uint64_t)room_w * room_h << c->element_log2;
}

/* Metadata halves rounding up, in samples; each level is a power of two of tiles both ways. */
static void
lay_out_metadata(struct agx_surface *s)
{
   uint32_t width_sa = s->width_px << (s->samples_log2 == 2), height_sa = s->height_px << (s->samples_log2 > 0);
   uint32_t x = (uint32_t)align_up(width_sa, SURFACE_TILE_SA), y = (uint32_t)align_up(height_sa, SURFACE_TILE_SA);
   uint32_t longer = MAX2(x, y);
   for (unsigned l = 0; l < s->levels && minify(longer, l) >= SURFACE_TILE_SA; l++) {
      struct agx_surface_level *level = &s->level[l];
      level->has_metadata = true;
      level->compressed = minify(MIN2(width_sa, height_sa), l) >= SURFACE_TILE_SA;
      level->metadata_offset_B = s->metadata_layer_stride_B;
      level->metadata_width_log2_tl = (uint8_t)(MAX2(log2_ceil(x), 4u) - 4);
      level->metadata_height_log2_tl = (uint8_t)(MAX2(log2_ceil(y), 4u) - 4);
      uint64_t size_B = UINT64_C(8) << (level->metadata_width_log2_tl + level->metadata_height_log2_tl);
      s->metadata_layer_stride_B += align_up(size_B, SURFACE_LINE_B);
      x = (x + 1) / 2;
      y = (y + 1) / 2;
   }
}

static void
lay_out_tiled(struct agx_surface *s, bool page_aligned)
{
   struct chain chain = chain_of(s);
   uint64_t end_B = 0;
   for (unsigned l = 0; l < s->levels; l++) {
      struct agx_surface_level *level = &s->level[l];
      level->offset_B = end_B;
      end_B += s->layout == AGX_LAYOUT_TWIDDLED ? lay_out_twiddled(s, &chain, level, l)
               : l < chain.first_small          ? lay_out_large(s, &chain, level, l)
                                                : lay_out_small(s, &chain, level, l);
      end_B = align_up(end_B, SURFACE_LINE_B);
   }
   s->layer_stride_B = page_aligned || s->layout == AGX_LAYOUT_TWIDDLED ? align_up(end_B, SURFACE_PAGE_B) : end_B;
}

void
surface_lay_out(struct agx_surface *s, bool mipmapped, bool page_aligned)
{
   bool is_3d = s->dimension == AGX_TEXTURE_DIMENSION_3D;
   uint32_t longest = MAX2(MAX2(s->width_px, s->height_px), is_3d ? s->layers : 1);
   /* Where a level lies does not depend on the chain's length: Honeykrisp copies slices of 3D images by views of 2D
    * with more levels than width and height have. */
   s->levels = mipmapped ? MAX2(log2_floor(longest), s->last_level) + 1 : 1;
   for (unsigned l = 0; l < s->levels; l++) {
      struct agx_surface_level *level = &s->level[l];
      level->width_px = minify(s->width_px, l);
      level->height_px = minify(s->height_px, l);
      level->slices_px = is_3d ? minify(s->layers, l) : 1;
      level->width_el = blocks(level->width_px, s->block_width_px);
      level->height_el = blocks(level->height_px, s->block_height_px);
   }
   if (s->layout != AGX_LAYOUT_LINEAR) {
      lay_out_tiled(s, page_aligned);
      if (s->compressed)
         lay_out_metadata(s);
   }
   s->size_B = s->layer_stride_B * s->layers;
   uint64_t folio_B = (uint64_t)SURFACE_FOLIO_PAGES * SURFACE_PAGE_B;
   s->folios_per_layer = (uint32_t)((s->layer_stride_B + folio_B - 1) / folio_B);
}
