/* The stages of a draw and what they hand on.
 *
 * A draw goes in batches. ge: indices to vertices and primitives; the vertex path (amd_vertex_paths): the waves of
 * the stages ahead of the rasteriser; pa: clipping, viewport, setup, one amd_prim per polygon; sc: coverage and early
 * depth per bin of the screen, quads or blocks of them; spi_ps: pixel waves over the quads of all bins in order; db
 * and cb: late depth and colour, again per bin. Where all pixels of a primitive export the same, sc makes tiles, and
 * few quads run. Bins share no pixel and keep the order of primitives, so host threads can take bins in any order. */
#ifndef INDIUM_AMD_SIM_PIPELINE_H
#define INDIUM_AMD_SIM_PIPELINE_H

#include "amd/sim/cache/cache.h"
#include "amd/sim/draw/draw.h"
#include "amd/sim/draw/draw_state.h"
#include "amd/sim/draw/layouts.h"
#include "amd/sim/draw/quad.h"
#include "amd/sim/wave/wave.h"
#include "sim/vec4.h"
#include "util/dynarray.h"

enum {
   AMD_BATCH_PRIMS = 16384,
   AMD_BATCH_QUADS = 1 << 17, /* estimate that ends a rasterised run of primitives */
   AMD_LAUNCH_QUADS = 1 << 15,
   AMD_BIN_PX = 64,
   AMD_ALL_EDGES = 7,
   AMD_PRIM_VERTICES = 3,                       /* of one that is rasterised */
   AMD_MAX_ENGINES = 8,                         /* shader engines */
   AMD_MERGED_SGPRS = 8,                        /* of LS-HS and ES-GS, ahead of user data */
   AMD_DRAW_SURFACES = 4 * AMD_MAX_TARGETS + 4, /* targets, depth, stencil and their metadata, rates */
   /* Floats of a vertex ahead of its parameters: position, misc vector, clip and cull distances. */
   AMD_VERTEX_POS = 0,
   AMD_VERTEX_MISC = 4,
   AMD_VERTEX_DIST = 8,
   AMD_VERTEX_PARAM = 16,
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
   struct dynarray tiles;            /* in place of quads: struct amd_alike_tile (tiles.h), one behind the other */
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
   uint32_t ring_next_B[AMD_MAX_ENGINES], ring_part; /* spi/ngg_ring.c: where it goes on */
   struct amd_pops_memory pops;
};

/* Buffers that live from draw to draw. */
struct amd_draw_memory {
   struct amd_pipeline *pipeline;   /* of the draw that runs */
   struct amd_assembler *assembler; /* ge.c */
   struct amd_layouts layouts;
   struct dynarray vertices_in, prims_in;
   struct dynarray corners; /* uint32_t: numbers in vertices_in */
   /* Tessellation: the same three of the patches, while their points are there; its output; factors. */
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
   struct dynarray copies;                   /* target_memory.c */
   struct dynarray pops_waves, pops_order, pops_place; /* of the launch: as in struct amd_pops_memory */
   struct amd_launch *launch;                          /* the newest one of pixel waves, while it is pending */
   struct amd_wave_launch wave_launch;
   bool pending;
   bool is_last; /* nothing of the draw comes behind it */
   struct amd_draw_common *common;
};

struct amd_pipeline {
   struct amd_draw_state state; /* as amd_draw_state_decode() wants it; the rest is zero when a draw starts */
   struct amd_gpu *gpu;
   const struct amd_draw *draw;
   struct amd_draw_memory *memory;
   uint32_t vertex_floats;                 /* of a vertex in vertex_data */
   uint32_t prim_in_vertices;              /* of an assembled primitive */
   enum amd_prim_kind kind;                /* of those in prims_out */
   uint32_t strmout_vertices[AMD_STREAMS]; /* that the draw has written */
   uint32_t offchip_offset_B;              /* tessellation: of the threadgroup whose points are in vertices_in */
   uint32_t bins_wide, bins_high;
   double stipple_at;          /* px of the pattern that the lines so far have used */
   bool shade;                 /* pixel shaders run: something consumes what they do */
   bool test_at_raster;        /* the whole depth test runs in sc */
   bool by_blocks;             /* sc makes blocks of quads (blocks.h) and no quads */
   enum amd_waves_alike alike; /* of the primitives that are rasterised: whether bins get tiles in place of quads */
   uint64_t samples_passed, pixel_invocations, clipped_prims;
   uint8_t rates_outside; /* of an image; see amd_note_outside() */
   uint8_t coarse_hangs;  /* a fragment had erratum vrs-8x-hang */
   bool overlaps;         /* its pixel waves go on while later draws run */
   struct amd_cache_packet packet;
   uint32_t index;                   /* of the draw, among all */
   uint32_t done;                    /* up to which draw (order.h) pixel waves had been waited for */
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

/* draw_memory.c: the draw that comes gets its buffers; another one may still have them (amd_draw_wait_launch()). */
struct amd_draw_memory *amd_draw_memory_take(struct amd_gpu *gpu);
/* pending.c: before a draw uses its memory again: the launch that uses it has ended, and all before it. */
bool amd_draw_wait_launch(struct amd_gpu *gpu, struct amd_draw_memory *memory);
/* The draw's newest launch becomes pending: memory->launch, memory->wave_launch. */
bool amd_draw_add_launch(struct amd_pipeline *p);
/* pending.c: around the waves of a draw, for the search for races. */
void amd_draw_begin_races(struct amd_pipeline *p);
void amd_draw_end_races(struct amd_pipeline *p);
/* draw.c: depth and colour of a launch, when it has ended; what else is to be done when a draw has. */
void amd_draw_commit(struct amd_pipeline *p);
bool amd_draw_end(struct amd_pipeline *p);
/* spi_ps.c: depth and colour of memory->launch. */
void amd_spi_commit_launch(struct amd_pipeline *p);

/* ge.c: assembles the draw and calls amd_pipeline_batch for each batch in memory->vertices_in, prims_in and corners.
 */
bool amd_ge_run(struct amd_pipeline *p);

/* draw.c: shades, rasterises and empties the batch. */
bool amd_pipeline_batch(struct amd_pipeline *p);
/* draw.c: parts of the former: the stages between ge, or the tessellator, and pa; pa and what follows. */
bool amd_pipeline_vertices(struct amd_pipeline *p);
bool amd_pipeline_rasterise(struct amd_pipeline *p);

/* ge_tess.c: a batch of patches. */
bool amd_tess_run(struct amd_pipeline *p);
enum amd_prim_kind amd_tess_kind(const struct amd_tess_state *tess);
/* Bytes of factors of a threadgroup. */
uint32_t amd_tess_group_factors_B(const struct amd_tess_state *tess);
/* Where in their rings a threadgroup of a launch has its factors and its off-chip buffer. */
uint32_t amd_tess_factors_at_B(const struct amd_tess_state *tess, uint32_t group);
uint32_t amd_tess_offchip_at_B(const struct amd_tess_state *tess, uint32_t group);
/* spi_hs.c: runs LS-HS threadgroups of patches [first, first + count), from the start of their rings. */
bool amd_spi_run_patches(struct amd_pipeline *p, uint32_t first, uint32_t count);
/* spi_vs.c: whether a stage has a program, and no more arguments than there can be. */
bool amd_spi_check_stage(const struct amd_pipeline *p, enum amd_stage stage);
/* draw.c: gives a wave its scratch, if its stage has any: in FLAT_SCRATCH, or as an offset in the SGPR. Whether it
 * took that. */
bool amd_draw_start_scratch(const struct amd_pipeline *p, enum amd_stage stage, uint32_t slot, unsigned sgpr,
                            struct amd_wave_start *start);
/* draw.c: what launches of a draw's shaders have in common: one wave a group. */
struct amd_wave_launch amd_draw_launch(const struct amd_pipeline *p, enum amd_stage stage);

/* The stages between ge and pa, by enum amd_vertex_path: from vertices_in, prims_in and corners to vertex_data and
 * prims_out. */
typedef bool (*amd_vertex_path_fn)(struct amd_pipeline *p);
/* spi_vs.c: one vertex shader. */
bool amd_spi_run_vertices(struct amd_pipeline *p);

/* Vertices and primitives of the VS stage. */
struct amd_vs_input {
   const uint32_t *vertices; /* NULL: all of vertices_in */
   uint32_t vertex_count;
   const uint32_t *corners; /* prim_vertices each: places among the vertices */
   uint32_t prim_count, prim_vertices;
   const struct amd_prim_in *prims; /* NULL: with all edges */
   bool copy;                       /* vertices are places in the GSVS ring (dwords) */
   uint8_t stream;
};
/* spi_vs.c: stream output, and what the rasteriser takes to vertex_data and prims_out. */
bool amd_spi_run_vs(struct amd_pipeline *p, const struct amd_vs_input *in);

/* The next primitives of a stream. */
struct amd_strmout_run {
   unsigned stream;
   uint32_t vertices;     /* that are written, from the first on */
   uint32_t first_vertex; /* its index */
   uint32_t offset_dw[AMD_STRMOUT_BUFFERS];
};
/* strmout.c: counts primitives, and takes their place in the buffers. False: the stream is not written. */
bool amd_strmout_begin(struct amd_pipeline *p, unsigned stream, uint32_t prims, uint32_t prim_vertices,
                       struct amd_strmout_run *run);
/* The SGPR of a wave with `lanes` vertices, from the run's vertex `first` on. */
uint32_t amd_strmout_config(const struct amd_strmout_run *run, uint32_t first, uint32_t lanes);
/* The VGPRs of a vertex by its number in vertices_in: those of the VS stage, or of ES from its first one. */
void amd_spi_vertex_args(const struct amd_pipeline *p, uint32_t vertex, uint32_t args[4]);
/* gs.c: a geometry shader that writes the GSVS ring. */
bool amd_spi_run_gs(struct amd_pipeline *p);
/* ngg.c: subgroups of ES-GS waves. */
bool amd_spi_run_ngg(struct amd_pipeline *p);

/* spi_export.c: room for `count` more vertices in vertex_data, all zero; the number of the first. */
uint32_t amd_spi_add_vertices(struct amd_pipeline *p, uint32_t count);
/* Puts what a wave exported into vertex_data: position, misc vector, distances and parameters. Lane l is vertex
 * first + l. */
void amd_spi_store_export(struct amd_pipeline *p, const struct amd_wave_export *export, uint32_t first);

/* pa.c: sets up prims_out as memory->prims, in order. */
void amd_pa_run(struct amd_pipeline *p);
/* reorder_prims.c: puts them into that of rasterisation. */
void amd_reorder_prims(struct amd_pipeline *p);

/* sc_mask.c: gives the lines of memory->prims their places in the pattern, and drops those without pixels. */
void amd_sc_stipple(struct amd_pipeline *p);
/* Where the pattern stands goes into its register. */
void amd_sc_keep_stipple(const struct amd_pipeline *p);
/* Pixels of the block of 8 x 8 at (x, y), bit by bit, that lie in the rectangle. */
uint64_t amd_rect_mask(const struct amd_rect *rect, int32_t x, int32_t y);
/* Pixels of the block of 8 x 8 at (x, y) that line stipple and clip rectangles let through. */
uint64_t amd_sc_mask(const struct amd_draw_state *state, const struct amd_prim *prim, int32_t x, int32_t y);

/* sc_cover.c: of a block, one bit a pixel, the pixels at each place of their quads. */
extern const uint64_t amd_places_of_quad[4];

/* sc_cover.c: sim_raster_block() where that is not all. */
uint64_t amd_sc_cover(const struct amd_sample_state *samples, const struct amd_prim *prim, int32_t x, int32_t y,
                      uint64_t masks[SIM_RASTER_MAX_SAMPLES]);

/* sc.c: quads of primitives [first, end) in memory->quads, bins' first_quad set. */
void amd_sc_run(struct amd_pipeline *p, uint32_t first, uint32_t end);

/* spi_ps.c: shades the quads and hands them to cb. */
bool amd_spi_run_pixels(struct amd_pipeline *p);

/* What shaders export for a quad: NULL where they do not. */
struct amd_db_export {
   const v4f *z;
   const v4u *stencil;
};
/* db.c: tests the samples that the pixels cover and updates the surfaces; those that pass are left. memo: of all that
 * a draw's stage tests in one bin, zero at first. */
void amd_db_test(const struct amd_draw_state *state, struct amd_htile_memo *memo, const struct amd_prim *prim,
                 const struct amd_db_export *export, struct amd_pixels *pixels);
/* Drops the samples whose depth test fails now, without writing. */
void amd_db_reject(const struct amd_draw_state *state, struct amd_htile_memo *memo, const struct amd_prim *prim,
                   struct amd_pixels *pixels);

/* Colours of four pixels. */
struct amd_cb_colors {
   /* [target][component][pixel], amd_color_sources() of them, as 32 bits: float or integer as the target's format
    * needs. */
   v4u rgba[AMD_MAX_TARGETS][4];
   v4u texels[AMD_MAX_TARGETS][4]; /* amd_cb_encode(): words of targets that take colours as they are */
};
/* cb.c: what need not be done again for other pixels of these colours. */
void amd_cb_encode(const struct amd_color_state *color, struct amd_cb_colors *colors);
/* cb.c: writes the pixels' colours. */
void amd_cb_write(const struct amd_color_state *color, const struct amd_pixels *pixels, uint32_t layer,
                  const struct amd_cb_colors *colors);
/* Mode RESOLVE: the mean of target 0's samples goes to target 1. */
void amd_cb_resolve(const struct amd_color_state *color, uint32_t x, uint32_t y, uint32_t layer, unsigned samples);

#endif
