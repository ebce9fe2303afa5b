/* What the blocks of a draw pass on: plain data. draw/draw.c calls the blocks in order; blocks do not call draw.
 *
 * A draw goes in batches. ge: indices to vertices and primitives; spi: the waves of the stages before the rasteriser;
 * pa: clipping, viewport, setup, one amd_prim per polygon; sc: coverage and early depth per bin of the screen, quads
 * or blocks of them; spi: pixel waves over the quads of all bins in order; db and cb: late depth and colour, again
 * per bin. Where all pixels of a primitive export the same, sc makes tiles, and few quads run. Bins share no pixel
 * and keep the order of primitives, so host threads can run bins in any order. */
#ifndef INDIUM_AMD_SIM_PIPELINE_H
#define INDIUM_AMD_SIM_PIPELINE_H

#include "amd/sim/cache/cache.h"
#include "amd/sim/pops/pops.h"
#include "amd/sim/state/draw_state.h"
#include "amd/sim/state/quad.h"
#include "amd/sim/state/target_memory.h"
#include "amd/sim/wave/wave.h"
#include "util/dynarray.h"

enum {
   AMD_BATCH_PRIMS = 16384,
   AMD_BATCH_QUADS = 1 << 17, /* estimate that ends a rasterised run of primitives */
   AMD_LAUNCH_QUADS = 1 << 15,
   AMD_ALL_EDGES = 7,
   AMD_PRIM_VERTICES = 3,                       /* of one that is rasterised */
   AMD_MAX_ENGINES = 8,                         /* shader engines */
   AMD_DRAW_SURFACES = 4 * AMD_MAX_TARGETS + 4, /* targets, depth, stencil and their metadata, rates */
   /* Floats of a vertex ahead of its parameters: position, misc vector, clip and cull distances. */
   AMD_VERTEX_POS = 0,
   AMD_VERTEX_MISC = 4,
   AMD_VERTEX_DIST = 8,
   AMD_VERTEX_PARAM = 16,
};

/* A draw packet's operands. */
struct amd_draw {
   bool indexed;
   uint32_t count_el; /* vertices or indices */
   uint32_t instances;
   struct sim_va index_va;  /* of the index buffer */
   uint32_t first_index_el; /* the draw starts there in the buffer */
   uint32_t groups[3];      /* of mesh shaders: workgroups; else 0 */
   uint32_t max_indices_el; /* reads of indices from here on, counted from the first, give 0 */
};

struct amd_vertex_in {
   uint32_t index, instance, prim_id;
   /* Of tessellation: prim_id is the patch's. */
   float u, v;
   uint32_t rel_patch_id; /* in the threadgroup */
};

/* An assembled primitive; its vertices are the next prim_in_vertices of memory->corners. */
struct amd_prim_in {
   uint32_t prim_id; /* within the instance */
   uint8_t edges;    /* bit i: vertex i starts an edge that outlines show */
   bool starts;      /* it is the first of its strip or polygon */
};

/* A primitive of the last vertex stage: its vertices' numbers in vertex_data, in the order that keeps the winding,
 * the provoking one first or last as the draw says. */
struct amd_prim_out {
   uint32_t vertex[AMD_PRIM_VERTICES];
   uint8_t edges;    /* of amd_prim_in */
   bool starts;      /* the same */
   uint32_t payload; /* mesh shaders: layer and viewport */
   uint32_t thread;  /* whose parameters are the primitive's, a number in vertex_data */
};

/* value(x, y) = a * x + b * y + c; x and y in px from the primitive's origin. */
struct amd_plane {
   float a, b, c;
};

struct amd_plane_z {
   double a, b, c;
};

/* Where a line is in its pattern. */
struct amd_prim_stipple {
   struct amd_plane along; /* px from where the line starts */
   double start, length;   /* px: of the lines ahead of it, with which it shares the pattern; its own */
   bool starts;            /* there are none */
};

struct amd_prim {
   struct sim_raster_poly poly;
   struct amd_rect area; /* bounds within the scissor, px */
   int32_t origin_x, origin_y;
   struct amd_plane i_w, j_w, one_w; /* perspective: I / W, J / W, 1 / W */
   struct amd_plane i_linear, j_linear;
   struct amd_plane_z z;
   struct amd_prim_stipple stipple;
   uint32_t vertex[AMD_PRIM_VERTICES]; /* P0, P1, P2 */
   uint8_t provoking;                  /* which of them it is: of a line P0 or P1 */
   uint32_t thread;                    /* of amd_prim_out */
   uint32_t source;                    /* number in prims_out */
   uint16_t layer;
   struct amd_shading_rate rate;
   uint8_t viewport;
   uint8_t kind;   /* enum amd_prim_kind */
   bool estimated; /* poly is of sim_raster_estimate(): pixels have all samples or none */
   bool front;
   uint8_t sprite; /* not 0: a corner of a triangle as a point with coordinates in it: number of the vertex + 1 */
};

struct amd_bin {
   struct dynarray prims; /* uint32_t: indices of batch primitives, ascending */
   struct dynarray quads; /* struct amd_quad, or nothing: see struct amd_pipeline */
   struct dynarray blocks;
   uint32_t first_quad, first_block; /* in the batch's lists */
   struct dynarray tiles;            /* in place of quads: struct amd_alike_tile (tiles.h), one after the other */
   uint32_t tile_quads;              /* that they would have been */
};

/* Threadgroups of patches at once: bounds memory. */
enum { AMD_TESS_MAX_GROUPS = 64 };

/* By message: that all factors of a threadgroup are the same. */
enum amd_tess_told {
   AMD_TESS_TOLD_NOTHING,
   AMD_TESS_TOLD_ZERO,
   AMD_TESS_TOLD_ONE,
};

/* Patches of the batch whose hull waves run at once, from `first` on; `next`: the next one whose points come. */
struct amd_patches {
   uint32_t first, count, next;
};

struct amd_pipeline;
struct amd_launch;

/* What all draws share. */
struct amd_draw_common {
   struct amd_draw_memory *memories[AMD_WAVE_MAX_ADDED]; /* that draws take in turn; NULL: none yet */
   unsigned newest;
   struct amd_draw_memory *pending[AMD_WAVE_MAX_ADDED]; /* oldest first */
   unsigned pending_count;
   uint32_t draws;                                   /* so far */
   uint32_t ngg_groups_formed;                       /* since the memory was made */
   uint32_t ring_next_B[AMD_MAX_ENGINES], ring_part; /* spi/ngg_ring.c: where it continues */
   struct amd_pops_memory pops;
};

/* Buffers that live from draw to draw. */
struct amd_draw_memory {
   struct amd_pipeline *pipeline;   /* of the draw that runs */
   struct amd_assembler *assembler; /* ge/ge.c */
   struct amd_targets targets;
   struct dynarray vertices_in, prims_in;
   struct dynarray corners; /* uint32_t: numbers in vertices_in */
   /* Tessellation: the same three of the patches, and those above are of domain points; its output; factors. */
   struct dynarray patch_vertices_in, patch_prims_in, patch_corners, domain_points, domain_prims, factors;
   enum amd_tess_told told_factors[AMD_TESS_MAX_GROUPS]; /* of the threadgroups of a launch */
   struct dynarray gs_vertices[AMD_STREAMS], gs_corners[AMD_STREAMS], vs_list;
   struct dynarray ngg_groups, ngg_vertices, ngg_corners, ngg_slots; /* spi/ngg_*.c */
   struct dynarray vertex_data, prims_out, prims, quads, blocks;
   struct dynarray other_prims, prim_starts, prim_order; /* reorder_prims.c */
   struct dynarray *setup;                               /* struct amd_prim of each task of pa */
   unsigned setup_count;
   struct amd_bin *bins;
   unsigned bin_count;
   struct dynarray touched_bins; /* uint32_t */
   struct dynarray params, wave_params, exports;
   struct dynarray alike;                    /* spi_ps_alike.c */
   struct dynarray notes[AMD_DRAW_SURFACES]; /* of colour, depth, stencil and metadata; zero between draws */
   struct dynarray opened_tiles;             /* of HTILE; zero between draws */
   struct dynarray pops_waves, pops_order, pops_place; /* of the launch: as in struct amd_pops_memory */
   struct amd_launch *launch;                          /* the newest one of pixel waves, while it is pending */
   struct amd_wave_launch wave_launch;
   bool pending;
   bool is_last; /* nothing of the draw comes after it */
   struct amd_draw_common *common;
};

struct amd_pipeline {
   struct amd_draw_state state; /* as amd_draw_state_decode() wants it; the rest is zero when a draw starts */
   struct amd_gpu *gpu;
   const struct amd_draw *draw;
   struct amd_draw_memory *memory;
   uint32_t vertex_floats;                 /* of a vertex in vertex_data */
   uint32_t prim_in_vertices;              /* of a primitive in prims_in */
   enum amd_prim_kind kind;                /* of those in prims_out */
   uint32_t strmout_vertices[AMD_STREAMS]; /* that the draw has written */
   struct amd_patches patches;
   uint32_t offchip_offset_B; /* tessellation: of the threadgroup whose points are in vertices_in */
   uint32_t bins_wide, bins_high;
   double stipple_at;          /* px of the pattern that the lines so far have used */
   bool shade;                 /* pixel shaders run: something consumes what they do */
   bool test_at_raster;        /* the whole depth test runs in sc */
   bool by_blocks;             /* sc makes blocks of quads (blocks.h) and no quads */
   enum amd_waves_alike alike; /* of the primitives that are rasterised: whether bins get tiles in place of quads */
   uint64_t samples_passed, pixel_invocations, clipped_prims;
   uint8_t rates_outside; /* of an image; see amd_note_outside() */
   uint8_t coarse_hangs;  /* a fragment had erratum vrs-8x-hang */
   bool overlaps;         /* its pixel waves continue while later draws run */
   struct amd_cache_packet packet;
   uint32_t index;                   /* of the draw, among all */
   uint64_t done;                    /* up to which draw (order.h) pixel waves had been waited for */
   bool in_races;                    /* the search for races knows the draw */
   uint32_t reorder_window, batches; /* amd_reorder_window(); of prims that it was used for */
};

static inline const float *
amd_vertex(const struct amd_pipeline *p, uint32_t vertex)
{
   return (const float *)p->memory->vertex_data.data + (size_t)vertex * p->vertex_floats;
}

static inline const uint32_t *
amd_corners(const struct amd_pipeline *p, uint32_t prim_in)
{
   return (const uint32_t *)p->memory->corners.data + (size_t)prim_in * p->prim_in_vertices;
}

/* Vertices of a primitive that is rasterised. */
static inline unsigned
amd_prim_vertices(enum amd_prim_kind kind)
{
   return kind == AMD_PRIM_POINT ? 1 : kind == AMD_PRIM_LINE ? 2 : 3;
}

#endif
