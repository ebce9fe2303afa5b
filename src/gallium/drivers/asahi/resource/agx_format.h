/* Formats as texture and PBE descriptors name them. */
#ifndef INDIUM_AGX_FORMAT_H
#define INDIUM_AGX_FORMAT_H

#include <stdbool.h>
#include <stdint.h>

#include "asahi/hw/records.h"

struct agx_format_codes {
   enum agx_channels channels;
   enum agx_texture_type type;
   bool srgb;
   uint8_t place[4];  /* of R, G, B, A: component in memory, or AGX_CHANNEL_ZERO and _ONE */
   uint8_t stored[4]; /* of the component in memory: which of R, G, B, A */
   uint8_t components;
};

/* False for a format that textures do not have. Depth and stencil formats have one aspect (agx_format_of_aspect()).
 */
bool agx_format_codes(uint32_t format, struct agx_format_codes *codes);

/* The format that holds an aspect of a format: D32_SFLOAT_S8_UINT is D32_SFLOAT and S8_UINT. 0: it has no such
 * aspect. */
uint32_t agx_format_of_aspect(uint32_t format, bool stencil);

/* Integers without a sign that have the same channels: what is in memory, for views of compressed images. 0 if there
 * are none. */
uint32_t agx_format_same_channels(uint32_t format);

/* Three components of 32 bits: AGX_TRIPLE_B. */
bool agx_format_is_triple(uint32_t format);

bool agx_format_is_integer(uint32_t format);

/* 4 bits a component and alpha in the lowest ones, which is where the hardware has red: its opaque black border would
 * have alpha 0. The format that the texels have once they are turned right by AGX_TURN_BITS; 0: any other format. */
#define AGX_TURN_BITS 4
uint32_t agx_format_turned(uint32_t format);

#endif
