/* Images in memory: what a texture or PBE descriptor says, and where the samples and metadata of each element lie.
 * Strided linear, twiddled, GPU-tiled and compressed images, and sparse ones with their page table.
 *
 * Words: an element is a pixel with its samples, or a block of a compressed format; a layer is an array layer, a face
 * of a cube (6 of them a cube) or a slice of a 3D image. Level numbers are those of the chain: level 0 is as large as
 * the descriptor says. Source of the rules: docs/drivers/asahi/layouts.md. */
#ifndef INDIUM_ASAHI_SIM_SURFACE_H
#define INDIUM_ASAHI_SIM_SURFACE_H

#include <stdbool.h>
#include <stdint.h>

#include "asahi/hw/records.h"
#include "sim/vm/fault.h"
#include "sim/texel/texel.h"
#include "sim/vm/vm.h"

#define AGX_SURFACE_LEVELS 16

struct agx_surface_level {
   uint64_t offset_B; /* inside a layer */
   uint32_t width_px, height_px, slices_px;
   uint32_t width_el, height_el;
   uint32_t tiles_per_row;
   uint8_t tile_width_log2_el, tile_height_log2_el;
   /* Lossless compression: tiles of 16x16 samples, 8 bytes of metadata each. */
   bool has_metadata;
   bool compressed;            /* else what is stored is what it says, whatever the metadata */
   uint64_t metadata_offset_B; /* inside the metadata of a layer */
   uint8_t metadata_width_log2_tl, metadata_height_log2_tl;
};

struct agx_surface {
   /* As the descriptor has it. */
   enum agx_texture_dimension dimension;
   enum agx_layout layout;
   bool compressed, sparse;
   struct sim_va base;     /* first layer, or the table of a sparse image */
   struct sim_va metadata; /* of the first layer */
   uint32_t width_px, height_px;
   uint32_t layers;                  /* all of them: faces too */
   uint32_t first_level, last_level; /* PBE: both are its level */

   struct sim_texel_format format;
   bool is_block; /* format of compressed blocks */
   /* Nobody knows what a texel is: Honeykrisp marks buffers with three components so, loads their texels from memory,
    * and fetches only what is outside (seen). */
   bool no_texels;
   bool is_int, srgb; /* srgb: the format converts, of 8-bit components */
   /* Texture: enum agx_channel of each result. PBE: the component of the data for each of the pixel. */
   uint8_t swizzle[4];
   uint8_t block_width_px, block_height_px;
   uint8_t sample_B; /* or of a block */
   uint8_t samples_log2;

   /* Derived. */
   uint32_t levels; /* that have memory: 1 or the whole chain */
   uint32_t stride_B;
   uint64_t layer_stride_B, metadata_layer_stride_B;
   uint64_t size_B; /* of all layers, without metadata */
   uint32_t folios_per_layer;
   struct agx_surface_level level[AGX_SURFACE_LEVELS];

   /* Host memory from `base` and from `metadata` on, as far as one mapping goes: agx_surface_map(). */
   uint8_t *host, *metadata_host;
   uint64_t run_B, metadata_run_B;

   uint64_t cache_turn; /* of cache/tex_cache.h: it has looked then */
};

/* What six words of a descriptor mean. False after a fault: a value that is unknown, or two that contradict. */
bool agx_surface_of_texture(struct agx_surface *surface, const uint32_t words[6], struct sim_fault *fault);
/* The fault of an access to texels where there are none. Returns false. */
bool agx_surface_no_texels(const struct agx_surface *surface, struct sim_fault *fault);
bool agx_surface_of_pbe(struct agx_surface *surface, const uint32_t words[6], struct sim_fault *fault);

/* What depth and stencil attachments are: no descriptor, but registers of the command. One level, which begins at the
 * address. metadata: 0 if the image is not compressed. */
struct agx_surface_zs {
   enum agx_layout layout; /* AGX_LAYOUT_GPU or AGX_LAYOUT_TWIDDLED */
   enum agx_channels channels;
   enum agx_texture_type type;
   uint32_t width_px, height_px, layers;
   unsigned samples; /* 1, 2 or 4 */
   uint64_t address, metadata;
   uint64_t layer_stride_B, metadata_layer_stride_B; /* 0: by the rules */
};
bool agx_surface_of_zs(struct agx_surface *surface, const struct agx_surface_zs *zs, struct sim_fault *fault);

/* A coordinate's bits at the even places of the result. */
static inline uint32_t
agx_surface_spread(uint32_t bits)
{
   bits = (bits | bits << 8) & 0x00ff00ff;
   bits = (bits | bits << 4) & 0x0f0f0f0f;
   bits = (bits | bits << 2) & 0x33333333;
   return (bits | bits << 1) & 0x55555555;
}

/* The first byte of a sample, counted from the first byte of the image (the address as if it were not sparse). All
 * arguments are inside of the surface. */
static inline uint64_t
agx_surface_offset_B(const struct agx_surface *surface, uint32_t x_el, uint32_t y_el, uint32_t layer, uint32_t level,
                     uint32_t sample)
{
   const struct agx_surface_level *at = &surface->level[level];
   uint64_t start = layer * surface->layer_stride_B + at->offset_B;
   if (surface->layout == AGX_LAYOUT_LINEAR)
      return start + (uint64_t)y_el * surface->stride_B + (uint64_t)x_el * surface->sample_B;
   unsigned w = at->tile_width_log2_el, h = at->tile_height_log2_el;
   uint64_t tile = (uint64_t)(y_el >> h) * at->tiles_per_row + (x_el >> w);
   uint32_t x = x_el & ((1u << w) - 1), y = y_el & ((1u << h) - 1);
   uint32_t square = agx_surface_spread(x & ((1u << h) - 1)) | agx_surface_spread(y) << 1;
   uint64_t element = tile << (w + h) | (uint64_t)(x >> h) << (2 * h) | square;
   return start + (element << surface->samples_log2 | sample) * surface->sample_B;
}

/* One sample of a surface. */
struct agx_surface_place {
   uint32_t x_px, y_px, layer, level, sample;
};

/* The 8 mode bytes of the compression tile that holds the place, counted from `metadata`; and which of the 8 is that
 * of the sample. UINT64_MAX: the level has none. */
uint64_t agx_surface_metadata_offset_B(const struct agx_surface *surface, const struct agx_surface_place *place,
                                       unsigned *mode_byte);

/* Looks up the body for `access` (SIM_READ, SIM_WRITE). Once for many texels; needed before those below. A sparse
 * image's table is read at each texel. False after a fault. */
bool agx_surface_map(struct agx_surface *surface, const struct sim_vm *vm, unsigned access, struct sim_fault *fault);

/* How reads and writes of texels end. */
enum agx_surface_access {
   AGX_SURFACE_DONE,
   AGX_SURFACE_ABSENT, /* sparse: reads give 0, writes are dropped */
   AGX_SURFACE_FAULT,
};

/* Reads one texel into registers, in order R G B A of the format, before any swizzle: compression, blocks and sRGB
 * are taken care of. Pixel coordinates inside of the level. */
enum agx_surface_access agx_surface_read(const struct agx_surface *surface, const struct sim_vm *vm,
                                         const struct agx_surface_place *place, uint32_t value[4],
                                         struct sim_fault *fault);

/* Writes the bytes of one sample, which becomes uncompressed with the tile around it. */
enum agx_surface_access agx_surface_write(const struct agx_surface *surface, const struct sim_vm *vm,
                                          const struct agx_surface_place *place, const void *bytes,
                                          struct sim_fault *fault);

/* The same for reading the bytes of a sample as they are stored in formats that are not blocks. */
enum agx_surface_access agx_surface_read_bytes(const struct agx_surface *surface, const struct sim_vm *vm,
                                               const struct agx_surface_place *place, void *bytes,
                                               struct sim_fault *fault);

/* A rectangle of one level. bytes(x, y, sample) lie at
 * data + ((y - y_px) * width_px + (x - x_px)) << samples_log2 + sample) * sample_B. */
struct agx_surface_rect {
   uint32_t x_px, y_px, width_px, height_px, layer, level;
   const void *data;
};

/* Writes all samples of a rectangle, as the end of a tile does. The part outside of the level is dropped. Compression
 * tiles of one colour are stored as such: who reads them without the compressed bit of a descriptor sees what
 * hardware would show, not the picture. */
enum agx_surface_access agx_surface_write_rect(const struct agx_surface *surface, const struct sim_vm *vm,
                                               const struct agx_surface_rect *rect, struct sim_fault *fault);

#endif
