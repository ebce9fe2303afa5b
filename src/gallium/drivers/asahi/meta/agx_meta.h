/* Meta operations: copies, fills and clears as dispatches of internal programs, which are compiled when the device is
 * created. Images are addressed element by element, as they lie in memory: formats do not matter. */
#ifndef INDIUM_AGX_META_H
#define INDIUM_AGX_META_H

#include "gallium/drivers/asahi/agx_context.h"
#include "gallium/drivers/asahi/commands/agx_query.h"
#include "gallium/drivers/asahi/meta/agx_meta_table.h"
#include "gallium/drivers/asahi/resource/agx_resource.h"

struct nir_shader;

/* Elements of 1, 2, 4, 8 and 16 bytes. */
#define AGX_META_SIZES 5

enum agx_meta_program {
   AGX_META_COPY,                                   /* elements, by log2 of their size */
   AGX_META_CLEAR = AGX_META_COPY + AGX_META_SIZES, /* likewise */
   AGX_META_FILL = AGX_META_CLEAR + AGX_META_SIZES, /* words */
   AGX_META_COPY_WORDS,                             /* between buffers */
   AGX_META_COPY_BYTES,
   AGX_META_COPY_INDIRECT, /* words, as memory at src says for each of y; number 0: bytes from one to the next */
   AGX_META_COPY_QUERIES,
   AGX_META_LIMIT_DRAWS,
   AGX_META_COUNT,
   AGX_META_ADD,
   AGX_META_WRITE_TABLE,  /* of a sparse image */
   AGX_META_LOAD,         /* texels of a compressed image */
   AGX_META_LOAD_SAMPLES, /* of one with samples, each by itself */
   AGX_META_DECOMPRESS,   /* a compressed image, a tile a workgroup */
   AGX_META_DECOMPRESS_SAMPLES,
   AGX_META_SOLID, /* the colour of compressed tiles that have one */
   AGX_META_PROGRAMS,
};

/* Invocations that share a copy of AGX_META_COPY_INDIRECT: local_size_x of the program's. */
#define AGX_META_COPY_LANES 256

struct agx_meta {
   struct pipe_program *programs[AGX_META_PROGRAMS];
};

#define AGX_META_TABLE_DW (sizeof(struct agx_meta_table) / 4)

bool agx_meta_create(struct agx_screen *screen);
void agx_meta_destroy(struct agx_screen *screen);

/* Loads of the programs' "images" become what they stand for (agx_meta_table.h). */
void agx_nir_meta(struct nir_shader *shader);

/* Runs a program over size[0..2] invocations. */
void agx_meta_dispatch(struct agx_context *ctx, enum agx_meta_program program, const struct agx_meta_table *table);

/* The same of a program that loads from a texture: its texture state 0. */
void agx_meta_dispatch_texture(struct agx_context *ctx, enum agx_meta_program number,
                               const struct agx_meta_table *table, const uint32_t texture[6]);

/* size_B of each layer, stride_B apart, become the value again and again. Address and sizes: multiples of 4. */
struct agx_meta_layers {
   uint64_t va, size_B, stride_B;
   uint32_t layers;
};
void agx_meta_fill_layers(struct agx_context *ctx, const struct agx_meta_layers *dst, const uint32_t value[4]);
void agx_meta_fill(struct agx_context *ctx, uint64_t va, uint64_t size_B, uint32_t value);
void agx_meta_copy(struct agx_context *ctx, uint64_t dst_va, uint64_t src_va, uint64_t size_B);

/* Parameters of indirect draws, `words` of each, one after another at dst_va: of those whose number is not below the
 * one that lies at count_va no vertex of no instance. */
struct agx_meta_draws {
   uint64_t dst_va, src_va, count_va;
   uint32_t stride_B; /* of src */
   uint32_t words;
   uint32_t first, count; /* numbers of the draws that lie there */
};
void agx_meta_limit_draws(struct agx_context *ctx, const struct agx_meta_draws *draws);

/* Adds to a word, for each of `count` places from src_va on: (first number there - less) / by, or 0 if it is less;
 * times the one after it, or the two; times `times`. */
struct agx_meta_count {
   uint64_t dst_va, src_va;
   uint32_t stride_B, count;
   uint32_t less, by, times;
   uint32_t words; /* 2, 3 */
};
void agx_meta_count(struct agx_context *ctx, const struct agx_meta_count *count);

/* The values of a slot, of 64 bits: those at src_va are added. */
void agx_meta_add_statistics(struct agx_context *ctx, uint64_t dst_va, uint64_t src_va);

/* The box of a level of one plane, from a place on, in elements. */
struct agx_meta_side agx_meta_side(const struct agx_resource *image, enum agx_plane plane, unsigned level,
                                   unsigned x_el, unsigned y_el, unsigned layer);

void agx_meta_copy_queries(struct agx_context *ctx, const struct agx_query_pool *pool,
                           const struct pipe_query_copy *copy);

/* Fill in the functions of their files. */
void agx_init_meta_copy(struct agx_context *ctx);
void agx_init_meta_clear(struct agx_context *ctx);

#endif
