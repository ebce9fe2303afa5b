/* Tiles of a render on their way to memory.
 *
 * Many tiles go together, a batch: the background program runs for all of them, then draw after draw (in the order of
 * the API) is scanned in each tile that it touches (isp.c: coverage, hidden surface removal, depth and stencil). What
 * that leaves to shade waits (pending.c), so that fragments of many draws are one launch (fragment.c); at last
 * end-of-tile programs and depth and stencil stores. Tiles share nothing, so that host threads take them in any
 * order.
 *
 * Hidden surface removal: opaque fragments only leave a tag, the primitive that a sample shows. What the tags show is
 * shaded when the tile meets a draw that is not opaque, and at the end: so a hidden opaque fragment is never shaded.
 */
#ifndef INDIUM_ASAHI_SIM_TILE_TILE_H
#define INDIUM_ASAHI_SIM_TILE_TILE_H

#include "asahi/sim/batch/pipeline.h"

/* Fragments of one primitive. */
struct agx_quad {
   uint32_t prim;
   uint16_t x, y;    /* px of the first pixel, even */
   uint8_t cover[4]; /* samples of pixel (0,0) (1,0) (0,1) (1,1) */
};

struct agx_tile {
   uint32_t bin;    /* of the render, all layers */
   uint32_t cursor; /* in the bin: primitives before it have been scanned */
   uint16_t layer;
   uint16_t x0, y0; /* px */
   uint16_t x1, y1; /* exclusive: within the render */
   uint32_t visits; /* draws that it has met */
   bool has_tags;
   bool due;                           /* agx_pending_run(): what waits is shaded now */
   bool late_reads_zs, late_writes_zs; /* programs of what waits test depth and stencil themselves, and change them */
   /* Samples by [sample][y][x], rows as wide as a tile. */
   float *depth;
   uint8_t *stencil;
   uint32_t *tags;        /* primitive + 1; 0: nothing */
   uint32_t *last_group;  /* of a pixel: see agx_fragments_run() */
   uint8_t *colour;       /* [y][x][sample], sample_size_B each */
   struct dynarray quads; /* struct agx_quad: those that wait, after them what a scan or a flush has just found */
   uint32_t quads_waiting;
   uint64_t passed; /* samples of the draw that is scanned */
};

/* Quads of one draw in one tile, one after the other. */
struct agx_segment {
   uint32_t draw, tile;
   uint32_t first, count;
   uint32_t order;   /* in the batch: older ones of a tile have smaller numbers */
   uint32_t abreast; /* which of the groups of tiles that go side by side */
   bool ordered;     /* fragments of a pixel may follow each other; else they share no sample */
};

/* Which draw of a launch is one of the render. */
struct agx_draw_place {
   uint32_t launch, index;
};

struct agx_tiles {
   struct agx_render *render;
   struct agx_tile *tiles;
   uint32_t count, capacity;
   uint32_t row_px, pixels, places; /* of a tile: its width, width * height, and that times samples */
   uint8_t *memory;                 /* of all tiles */
   struct dynarray segments;        /* struct agx_segment: what waits, by order */
   uint32_t quads_waiting, next_order;
   struct dynarray jobs, coefficients, draws; /* of a launch */
   struct agx_draw_place *places_of_draws;    /* of each draw of the render */
   uint32_t group_stamp;                      /* groups of earlier launches, for last_group */
   uint32_t launches, launches_done;          /* of pixel programs; of other tiles, which share no pixel with these */
   struct agx_program *background, *end_of_tile, *partial_background, *partial_end_of_tile; /* NULL: not read yet */
};

static inline uint32_t
agx_tile_pixel(const struct agx_tiles *t, const struct agx_tile *tile, uint32_t x, uint32_t y)
{
   return (y - tile->y0) * t->row_px + (x - tile->x0);
}

/* tile.c: all layers and tiles. */
bool agx_tiles_run(struct agx_render *render);

/* zs.c: loads or sets what a tile starts with; stores what it ends with. */
bool agx_tile_load_zs(const struct agx_tiles *t, struct agx_tile *tile, struct sim_fault *fault);
bool agx_tile_store_zs(const struct agx_tiles *t, const struct agx_tile *tile, struct sim_fault *fault);
/* To the attachments and back, in a partial render. */
bool agx_tile_spill_zs(const struct agx_tiles *t, struct agx_tile *tile, struct sim_fault *fault);
/* Depth as the attachment's format holds it. */
float agx_zs_quantize(const struct agx_render *render, float z);
/* The primitive's depth at a sample. */
float agx_zs_depth(const struct agx_render *render, const struct agx_prim *prim, uint32_t x, uint32_t y,
                   unsigned sample);
/* Whether a draw's tests look at depth or stencil, and whether they may change one. */
bool agx_zs_reads(const struct agx_drawn *drawn);
bool agx_zs_writes(const struct agx_drawn *drawn);
/* Tests samples `cover` of one pixel, and writes depth and stencil; returns those that pass. depth: the program's,
 * NULL: the primitive's. stencil: the program's reference, < 0: the face's. */
uint8_t agx_zs_test(const struct agx_tiles *t, struct agx_tile *tile, const struct agx_drawn *drawn,
                    const struct agx_prim *prim, uint32_t x, uint32_t y, uint8_t cover, const float *depth,
                    int stencil); /* size: one pixel, and what its program exported */

/* isp.c: scans the primitives of draw number `draw` from tile->cursor on; quads that must be shaded join
 * tile->quads. */
void agx_isp_scan(const struct agx_tiles *t, struct agx_tile *tile, uint32_t draw);
/* What the tags show joins tile->quads, sorted by draw; there are no tags afterwards. */
void agx_isp_flush(const struct agx_tiles *t, struct agx_tile *tile);

/* pending.c: what the tile has found since it was last asked waits, as segments. */
void agx_pending_add(struct agx_tiles *t, uint32_t tile, bool ordered);
/* Shades what waits in tiles that are due; none is afterwards. False after a guest fault. */
bool agx_pending_run(struct agx_tiles *t);
/* The same of all tiles. */
bool agx_pending_run_all(struct agx_tiles *t);
/* Whether more waits than should. */
bool agx_pending_is_much(const struct agx_tiles *t);

/* fragment.c: shades the segments, in their order, as one launch. False after a guest fault. */
bool agx_fragments_run(struct agx_tiles *t, const struct agx_segment *segments, uint32_t count);

void agx_sample_positions(const struct agx_render *render, struct agx_wave_launch *launch);

/* query.c: samples of a draw that passed; results to memory. */
void agx_query_add(struct agx_render *render, const struct agx_drawn *drawn, uint64_t passed);
bool agx_queries_store(const struct agx_render *render);

/* program.c: the background and end-of-tile programs over the first `count` of the tiles in `list`. */
bool agx_background_run(struct agx_tiles *t, const uint32_t *list, uint32_t count, bool partial);
bool agx_end_of_tile_run(struct agx_tiles *t, const uint32_t *list, uint32_t count, bool partial);

/* buffer.c: hooks of ld_tile and st_tile, for launches whose user begins with a struct agx_tiles *. */
bool agx_tile_load(void *user, const struct agx_wave_tile_access *access, uint32_t value[4][AGX_WAVE_LANES],
                   struct sim_fault *fault);
bool agx_tile_store(void *user, const struct agx_wave_tile_access *access, const uint32_t value[4][AGX_WAVE_LANES],
                    struct sim_fault *fault);

#endif
