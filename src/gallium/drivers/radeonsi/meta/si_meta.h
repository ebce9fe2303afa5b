/* Meta operations: copies, clears, blits, resolves, as dispatches and draws of internal programs that are compiled
 * when the device is created. */
#ifndef INDIUM_SI_META_H
#define INDIUM_SI_META_H

#include "gallium/drivers/radeonsi/si_context.h"
#include "gallium/drivers/radeonsi/draw/si_query.h"
#include "gallium/drivers/radeonsi/meta/si_meta_table.h"

struct arena;
struct nir_shader;

/* Internal compute programs. Each reads a table of dwords (struct si_meta_table). */
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

#define SI_META_TABLE_DW (sizeof(struct si_meta_table) / 4)

bool si_meta_create(struct si_screen *screen);
void si_meta_destroy(struct si_screen *screen);

/* The nir of a program in the arena; NULL and a line in the log if its SPIR-V is wrong. */
struct nir_shader *si_meta_build_compute(struct arena *arena, enum si_meta_compute kind,
                                         const struct ac_gpu_info *info);
/* Where it finds what it reads: the words of the table as push constants and as a set. NULL: it has them in s0. */
const struct pipe_pipeline_layout *si_meta_layout(struct arena *arena, enum si_meta_compute kind);

/* Those that are no GLSL (si_meta_shaders.c). */
struct nir_shader *si_meta_build_copy_rates(struct arena *arena, const struct ac_gpu_info *info);
struct nir_shader *si_meta_build_clear_vertex(struct arena *arena);
struct nir_shader *si_meta_build_clear_fragment(struct arena *arena, enum si_meta_clear kind, unsigned num_targets);

/* The program that clears targets of an export format (SPI_SHADER_COL_FORMAT). */
enum si_meta_clear si_meta_clear_kind(unsigned export_format);

/* Runs a program over size[0..2] invocations in groups of 8x8x1. The bound compute state is emitted again by the next
 * dispatch. */
void si_meta_dispatch(struct si_context *ctx, enum si_meta_compute kind, const struct si_meta_table *table);

/* The same of any internal program, whose push constants and set 0 are dw dwords. */
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
