/* Programs at the begin and at the end of a tile. They are nir that is built and compiled when a rendering first
 * wants one of its kind, and kept by the screen: a kind is a layout of the tile buffer and what happens to each
 * target. */
#ifndef INDIUM_AGX_TILE_PROGRAMS_H
#define INDIUM_AGX_TILE_PROGRAMS_H

#include "gallium/drivers/asahi/agx_context.h"
#include "gallium/drivers/asahi/base/agx_tile.h"

enum agx_tile_op {
   AGX_TILE_NOTHING,
   AGX_TILE_CLEAR,   /* begin: the colour is in the words of the target */
   AGX_TILE_LOAD,    /* begin: from texture state i */
   AGX_TILE_STORE,   /* end: to texture state i, a PBE */
   AGX_TILE_RESOLVE, /* begin: texture state 0's samples become one; outside of a rectangle as texture state 1 has it
                      */
   AGX_TILE_BLIT,    /* begin: a filtered part of texture state 0, likewise */
};

/* Compared as bytes: zeros first. */
struct agx_tile_key {
   struct agx_tile_layout tile;
   uint8_t ops[PIPE_MAX_COLOR_TARGETS]; /* enum agx_tile_op */
   bool layered;
   /* RESOLVE, BLIT: */
   uint8_t src_samples; /* RESOLVE */
   bool src_3d;         /* BLIT */
   uint8_t resolve;     /* RESOLVE: enum pipe_resolve; the average of integers is sample 0 */
};

/* Words of the argument table STAGE: of target i four for its colour; for RESOLVE and BLIT: */
enum agx_tile_word {
   AGX_TILE_COLORS = 0,
   AGX_TILE_RECT = 0,   /* x0, y0, x1, y1 that come from the source */
   AGX_TILE_ORIGIN = 4, /* RESOLVE: what is added to x and y; BLIT: floats: x, y, z or layer at (0, 0, 0) */
   AGX_TILE_SCALE = 8,  /* BLIT: floats: x, y per pixel, normalized; z per layer; sampler's index */
   AGX_TILE_LAYER = 12, /* RESOLVE: the source's less the target's */
   AGX_TILE_WORDS = 32,
};

struct agx_tile_program;

/* NULL, with a log line, if it cannot be made. */
const struct agx_tile_program *agx_tile_program(struct agx_screen *screen, const struct agx_tile_key *key);

/* What a render command says of a program: its USC list (from the USC base on) and its counts. words: the table;
 * textures: of 24 bytes each. */
struct agx_tile_use {
   uint32_t usc, counts;
};
struct agx_tile_use agx_tile_use(struct agx_context *ctx, const struct agx_tile_program *program,
                                 const uint32_t words[AGX_TILE_WORDS], const uint32_t (*textures)[6],
                                 unsigned texture_count);

bool agx_tile_programs_init(struct agx_screen *screen);
void agx_tile_programs_finish(struct agx_screen *screen);

#endif
