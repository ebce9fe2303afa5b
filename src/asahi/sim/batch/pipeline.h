/* What the stages of a render pass on: plain data. draw/draw.c calls the stages in order; they do not call draw.
 *
 * A draw goes in batches: assemble.c: indices to vertices and primitives; vertex.c: vertex waves; pa: culling,
 * clipping, viewport, setup, and one agx_prim for each polygon, in the parameter storage; bins of 32x32 pixels list
 * them in the order of the API. Then tile/ runs bin after bin. */
#ifndef INDIUM_ASAHI_SIM_BATCH_PIPELINE_H
#define INDIUM_ASAHI_SIM_BATCH_PIPELINE_H

#include "asahi/hw/hw_limits.h"
#include "asahi/sim/base/gpu.h"
#include "asahi/sim/batch/draw_state.h"
#include "asahi/sim/surface/surface.h"
#include "asahi/sim/wave/wave.h"
#include "sim/raster/raster.h"
#include "util/dynarray.h"

enum {
   AGX_BATCH_PRIMS = 16384,
   AGX_BIN_PX = 32,
   AGX_MAX_SAMPLES = 4,
   AGX_PRIM_VERTICES = 3,
   AGX_MAX_QUERIES = 1 << 15,
   AGX_MAX_WORDS = 256, /* of a vertex */
};

struct agx_rect {
   int32_t x0, y0, x1, y1; /* px, x1 and y1 exclusive */
};

/* The outputs of a vertex (UVS): which word, of 32 bits, is what. */
struct agx_vertex_layout {
   uint32_t words;                    /* of a vertex */
   uint32_t user;                     /* first word of the varyings */
   uint32_t user_words;               /* of them, pairs included */
   uint32_t pairs;                    /* first word of the pairs of 16 bits, after those of 32 */
   uint32_t point_size, target, clip; /* 0: there is none */
   uint8_t clip_mask;                 /* of clip distances; they stand one after the other */
};

/* Vertices of the batch that a primitive joins, in the order of the API. */
struct agx_prim_in {
   uint32_t vertex[AGX_PRIM_VERTICES];
   uint32_t number; /* within the instance: gl_PrimitiveID */
   uint8_t last;    /* which of the three is the last one for flat shading */
   bool flipped;    /* every second triangle of a strip: it winds the other way */
};

enum agx_prim_kind {
   AGX_PRIM_POINT,
   AGX_PRIM_LINE,
   AGX_PRIM_TRIANGLE,
};

struct agx_vertex_in {
   uint32_t index, instance;
};

/* One polygon of the parameter storage. */
struct agx_prim {
   struct sim_raster_poly poly;
   struct agx_rect area; /* bounds within the scissor, px; not empty */
   int32_t origin_x, origin_y;
   double z[3];           /* window depth, bias included: z[0] * x + z[1] * y + z[2], x and y in px from the origin */
   float z_min, z_max;    /* depths are clamped to them */
   uint32_t draw;         /* in agx_render.draws */
   uint32_t coefficients; /* in agx_render.coefficients: as many as the draw has registers; from the origin */
   uint16_t layer;
   bool front;
   bool whole_pixels; /* covers all samples of a pixel or none */
};

/* Depth and stencil of one facing. */
struct agx_zs_face {
   uint8_t depth_func, stencil_func; /* enum sim_compare */
   bool depth_write;
   uint8_t reference, read_mask, write_mask;
   uint8_t stencil_fail, depth_fail, depth_pass; /* enum agx_stencil_op */
};

/* When samples are tested against depth and stencil. */
enum agx_test_time {
   AGX_TEST_EARLY, /* before the program */
   AGX_TEST_LATE,  /* by the program: sample_mask, zs_emit */
};

/* What is left of a draw's state after pa. */
struct agx_drawn {
   unsigned number;                    /* of the draw in the render, for reports */
   struct sim_va at;                   /* its record */
   const struct agx_program *fragment; /* NULL: none runs */
   uint32_t coefficient_count;
   uint32_t bound[AGX_COEFFICIENT_WORDS]; /* a bit for each coefficient register that a binding fills */
   enum agx_pass_type pass;
   enum agx_test_time test;
   bool hides; /* its fragments hide others and are hidden, before any program runs */
   bool stencil;
   struct agx_zs_face face[2]; /* front, back */
   enum agx_visibility_mode visibility;
   uint32_t query;
};

/* Of one layer and 32x32 pixels: primitives in order. */
struct agx_bin {
   struct dynarray prims; /* uint32_t: indices of agx_render.prims */
};

/* A polygon's part of what a task of pa makes, before it joins the storage. */
struct agx_setup {
   struct dynarray prims;        /* struct agx_prim; coefficients: index in the task's */
   struct dynarray coefficients; /* struct agx_wave_coefficients */
};

/* A depth or stencil attachment. */
struct agx_zs_surface {
   bool load, store, spills; /* spills: in partial renders */
   struct agx_surface load_from, store_to, spill;
};

struct agx_render {
   const struct agx_gpu *gpu;
   const struct agx_render_command *command;

   /* Of the command, checked. */
   struct agx_cr_ppp_control ppp;
   struct sim_raster_samples positions;
   unsigned samples, samples_log2;
   uint32_t bins_wide, bins_high;
   uint32_t tile_width_px, tile_height_px;
   struct agx_zs_surface depth, stencil;
   bool depth_is_16;
   float background_depth;
   uint8_t background_stencil;

   /* Parameter storage. */
   struct dynarray draws;        /* struct agx_drawn */
   struct dynarray prims;        /* struct agx_prim */
   struct dynarray coefficients; /* struct agx_wave_coefficients */
   struct agx_bin *bins;         /* layer, row, column */

   /* Of the draw and batch that run. */
   const struct agx_draw_state *state;
   const struct agx_draw *draw;
   struct agx_vertex_layout layout;
   enum agx_prim_kind kind;
   const struct agx_program *scanned; /* the pixel program that was looked at last */
   bool scanned_changes_memory;
   struct dynarray vertices_in;       /* struct agx_vertex_in */
   struct dynarray prims_in;          /* struct agx_prim_in */
   struct dynarray vertices;          /* float words of vertices, layout.words each */
   uint32_t unwritten[AGX_MAX_WORDS]; /* how many of the batch's vertices st_var has not written this word of */
   struct agx_setup *setups;          /* one for each task of pa */
   unsigned setup_count;

   uint64_t *queries; /* samples that passed since the render began, and whether they count or only say that; NULL: no
                         query yet */
};

static inline const float *
agx_vertex(const struct agx_render *render, uint32_t vertex)
{
   return (const float *)render->vertices.data + (size_t)vertex * render->layout.words;
}

/* Planes over the screen, from a primitive's origin: value(x, y) = p[0] * x + p[1] * y + p[2]. */
struct agx_prim_planes {
   double lambda[3][3]; /* of what vertex i adds to an attribute, over w */
   double w[3];         /* of vertex i */
   double z[3];         /* of window depth, without bias */
   double point_coord[2][3];
};

/* draw_fault.c: fault of state, with the number of the draw. Returns false. */
bool agx_draw_fault(const struct agx_render *render, const char *format, ...) __attribute__((format(printf, 2, 3)));

#endif
