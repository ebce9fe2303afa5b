/* The tile buffer: where the colours of a sample lie in it while a tile is rendered, and how large the tile may be.
 * Fragment programs load and store colours there, the background program fills it, the end-of-tile program writes it
 * to memory; all of them go by the same layout, which follows only from the formats and samples of the targets. */
#ifndef INDIUM_AGX_TILE_H
#define INDIUM_AGX_TILE_H

#include <stdbool.h>
#include <stdint.h>

#include "asahi/hw/isa.h"
#include "asahi/hw/records.h"
#include "gallium/include/pipe/p_defines.h"

/* A colour of a format as it lies in the tile: components in the order red, green, blue, alpha. */
struct agx_tile_format {
   enum agx_format format; /* of ld_tile and st_tile */
   enum agx_format block;  /* of imgwblk, which copies bits */
   uint8_t components;
   uint8_t size_B, alignment_B;
   bool packed;                /* has no write mask */
   bool is_integer, is_signed; /* of the colours, not of the words */
   bool is_normalized, is_srgb;
   uint8_t bits;              /* of red */
   uint8_t component_bits[4]; /* by the order above; 0: there is none */
   bool has_alpha;
};

/* False if the format cannot be a colour target. */
bool agx_tile_format(uint32_t format, struct agx_tile_format *out);

/* Of integers: the range of a component. */
void agx_tile_range(const struct agx_tile_format *format, unsigned component, int64_t *min, int64_t *max);

struct agx_tile_target {
   bool used;
   bool spilled;     /* does not fit: programs load and store the image, by texture states */
   uint8_t state;    /* spilled: the state that it is loaded by; the next one is a PBE */
   uint8_t offset_B; /* in the part of a sample */
   struct agx_tile_format format;
};

struct agx_tile_layout {
   unsigned num_targets, num_spilled;
   struct agx_tile_target targets[PIPE_MAX_COLOR_TARGETS];
   uint8_t samples;
   uint8_t sample_size_B; /* a multiple of 8 */
   uint8_t width_px, height_px;
};

#define AGX_TILE_MAX_SAMPLE_B 64
#define AGX_TILE_MAX_B 32767

/* formats: 0 where there is no target. What does not fit is spilled, a target at a time. False if a format cannot be
 * a target. */
bool agx_tile_layout_init(struct agx_tile_layout *layout, const uint32_t *formats, unsigned count, unsigned samples);

/* The USC word that tells a program of this layout. */
struct agx_usc_shared agx_tile_shared(const struct agx_tile_layout *layout);

#endif
