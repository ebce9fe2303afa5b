/* Meta operations: copies, clears, blits, resolves, as dispatches and draws of internal programs that are compiled
 * when the device is created. */
#ifndef INDIUM_SI_META_H
#define INDIUM_SI_META_H

#include "gallium/drivers/radeonsi/si_context.h"
#include "gallium/drivers/radeonsi/draw/si_query.h"

struct arena;
struct nir_shader;

/* Internal compute programs. Each reads a table of dwords (struct si_meta_table) at the address in s0. */
enum si_meta_compute {
   SI_META_COPY_IMAGE,    /* texels between images of equal element size */
   SI_META_COPY_IMAGE_MS, /* the same, all samples */
   SI_META_IMAGE_TO_BUFFER,
   SI_META_BUFFER_TO_IMAGE,
   SI_META_BLIT,
   SI_META_BLIT_3D, /* from a 3D image */
   SI_META_RESOLVE,
   SI_META_CLEAR_IMAGE, /* on rings without draws */
   SI_META_CLEAR_IMAGE_MS,
   SI_META_COPY_QUERIES,
   SI_META_COPY_INDIRECT, /* words, as memory at src[0..1] says for each of y; src[2]: bytes from one to the next */
   SI_META_MERGE_WORDS,   /* dwords of a buffer: some of their bits become others */
   SI_META_EXPAND,        /* a plane onto itself: read compressed, stored as it is */
   SI_META_EXPAND_MS,     /* the same, all samples */
   SI_META_CLEAR_BLOCKS,  /* one texel of each block, whose width and height are src_offset */
   SI_META_COPY_RATES,    /* an image of shading rates into HTILE, where rates are there */
   SI_META_COMPUTE_COUNT,
};

/* Internal graphics programs: a rectangle in one colour, by the export format; or without colour. */
enum si_meta_clear {
   SI_META_CLEAR_FLOAT, /* FP16 */
   SI_META_CLEAR_UINT16,
   SI_META_CLEAR_SINT16,
   SI_META_CLEAR_32, /* 32 bits a component, as they are */
   SI_META_CLEAR_DEPTH,
   SI_META_CLEAR_COUNT,
};

struct si_meta {
   struct pipe_program *compute[SI_META_COMPUTE_COUNT];
   struct pipe_program *clear[SI_META_CLEAR_COUNT]; /* of target 0 */
   /* Of any target, for secondary command buffers, which clear targets at the places that the primary gives them: all
    * are written, and the mask of the framebuffer lets one through. NULL for depth. */
   struct pipe_program *clear_any[SI_META_CLEAR_COUNT];
   struct pipe_sampler *samplers[2]; /* by enum pipe_filter: clamps to the edge */
};

/* What the compute programs read. Images are 2D arrays (3D images as well: their slices lie like layers). */
struct si_meta_table {
   uint32_t src[8]; /* T#, or V# in the first half; the colour of clears */
   uint32_t dst[8];
   uint32_t sampler[4];
   uint32_t size[4];      /* x, y, z of the region; further number by program */
   int32_t src_offset[4]; /* x, y, layer; further number */
   int32_t dst_offset[4];
   uint32_t src_pitch_el[4]; /* buffers: row, slice */
   float scale[4];           /* blit: source per destination texel x, y (normalized), z (normalized, or layers);
                              * 1 / number of samples for resolves */
   float origin[4];          /* blit: source coordinate of the destination origin */
   uint32_t flags[4];        /* [0] enum si_meta_flags */
};

enum si_meta_flags {
   SI_META_TO_SRGB = 1 << 0, /* encode the result */
   SI_META_INTEGER = 1 << 1, /* do not average */
   SI_META_MIN = 1 << 2,     /* resolves: the least sample, not the first or the average; */
   SI_META_MAX = 1 << 3,     /* the greatest */
};

/* Invocations that share a copy of SI_META_COPY_INDIRECT. */
#define SI_META_COPY_LANES_LOG2 8
#define SI_META_COPY_LANES (1 << SI_META_COPY_LANES_LOG2)

/* Width and height of a workgroup of SI_META_EXPAND; of all others 8. DCC compresses up to 16x16 pixels. */
#define SI_META_EXPAND_PX 16

#define SI_META_TABLE_DW (sizeof(struct si_meta_table) / 4)

bool si_meta_create(struct si_screen *screen);
void si_meta_destroy(struct si_screen *screen);

/* Builds the nir of a program in the arena (si_meta_shaders.c). */
struct nir_shader *si_meta_build_compute(struct arena *arena, enum si_meta_compute kind,
                                         const struct ac_gpu_info *info);
struct nir_shader *si_meta_build_clear_vertex(struct arena *arena);
struct nir_shader *si_meta_build_clear_fragment(struct arena *arena, enum si_meta_clear kind, unsigned num_targets);

/* The program that clears targets of an export format (SPI_SHADER_COL_FORMAT). */
enum si_meta_clear si_meta_clear_kind(unsigned export_format);

/* Runs a program over size[0..2] invocations in groups of 8x8x1. The bound compute state is emitted again by the next
 * dispatch. */
void si_meta_dispatch(struct si_context *ctx, enum si_meta_compute kind, const struct si_meta_table *table);

/* The same of any internal program, which finds dw dwords at the address in s0. */
void si_internal_dispatch(struct si_context *ctx, const struct si_program *program, const void *table, unsigned dw,
                          const uint32_t size[3]);

/* The same with further dwords after the table. */
void si_meta_dispatch_words(struct si_context *ctx, enum si_meta_compute kind, const struct si_meta_table *table,
                            unsigned dw);

/* FORMAT of a descriptor for elements of a size in raw bits. */
uint32_t si_meta_raw_format(unsigned element_log2);

/* FORMAT that moves the bits of a plane: texture units that read compressed depth know it by its own. */
uint32_t si_meta_plane_format(const struct si_resource *image, enum si_plane plane);

/* A format without the sRGB curve, which stores do not encode. */
uint32_t si_meta_linear_format(uint32_t format);

/* Fills one half of a table with a plane's descriptor in that format. stores: as si_plane_descriptor(). */
void si_meta_raw_image(const struct si_context *ctx, const struct si_resource *image, enum si_plane plane,
                       unsigned level, bool stores, uint32_t words[8]);

/* Resolves the render area of a multisampled view. All rendering to the source has finished. Colours are averaged
 * unless they are integers. */
void si_meta_resolve_views(struct si_context *ctx, const struct si_image_view *src, const struct si_image_view *dst,
                           const struct pipe_rendering *rendering);

/* The same for one plane of depth and stencil. */
void si_meta_resolve_plane(struct si_context *ctx, enum si_plane plane, enum pipe_resolve mode,
                           const struct pipe_rendering *rendering);

/* Clears layers of a colour image by a dispatch. False if the format has no stores. */
bool si_meta_clear_color(struct si_context *ctx, const struct si_resource *image, uint32_t format,
                         struct si_layers layers, const union pipe_clear_color *color);

/* Stores the colour to one texel of each 256 bytes of layers, as first element. False: as above. */
bool si_meta_clear_blocks(struct si_context *ctx, const struct si_resource *image, uint32_t format,
                          struct si_layers layers, const union pipe_clear_color *color);

void si_meta_copy_queries(struct si_context *ctx, const struct si_query_pool *pool,
                          const struct pipe_query_copy *copy);

/* Fill in the functions of their files. */
void si_init_meta_copy(struct si_context *ctx);
void si_init_meta_clear(struct si_context *ctx);
void si_init_meta_blit(struct si_context *ctx);

#endif
