/* Texel formats without vendor words, and their conversion to and from shader registers.
 *
 * A register value is 32 bits: the bits of a float for UNORM, SNORM, USCALED, SSCALED, FLOAT and SRGB, else an
 * integer. Components are in memory order X Y Z W; the caller applies its swizzle. */
#ifndef INDIUM_SIM_TEXEL_H
#define INDIUM_SIM_TEXEL_H

#include <stdbool.h>
#include <stdint.h>

enum sim_numeric {
   SIM_UNORM,
   SIM_SNORM,
   SIM_USCALED,
   SIM_SSCALED,
   SIM_UINT,
   SIM_SINT,
   SIM_FLOAT,
   SIM_SRGB, /* X Y Z sRGB, W UNORM; 8-bit components */
};

enum sim_texel_layout {
   SIM_TEXEL_PLAIN,
   SIM_TEXEL_SHARED_EXPONENT,
   SIM_TEXEL_BC1, /* blocks from here on, of 4x4 texels but for the last */
   SIM_TEXEL_BC2,
   SIM_TEXEL_BC3,
   SIM_TEXEL_BC4,
   SIM_TEXEL_BC5,
   SIM_TEXEL_BC6H,
   SIM_TEXEL_BC7,
   SIM_TEXEL_ETC2_RGB,
   SIM_TEXEL_ETC2_PUNCH, /* with one bit of alpha */
   SIM_TEXEL_ETC2_RGBA,
   SIM_TEXEL_EAC_R,
   SIM_TEXEL_EAC_RG,
   SIM_TEXEL_ASTC, /* LDR; blocks of several sizes */
};

struct sim_texel_format {
   uint8_t size_B; /* of a texel or block; 0: not a format */
   uint8_t layout; /* enum sim_texel_layout */
   uint8_t numeric;
   uint8_t components;
   uint8_t bits[4];  /* FLOAT: 32, 16, 11 or 10 */
   uint8_t shift[4]; /* lowest bit in the texel, little endian; no component crosses a 32-bit word */
   uint8_t fast;     /* private: set by sim_texel_plain */
   uint8_t block_width, block_height;
};

/* Format of `components` fields packed from bit 0 upwards, of bits[i] bits each. */
struct sim_texel_format sim_texel_plain(enum sim_numeric numeric, unsigned components, const uint8_t bits[4]);

/* Block compressed or shared exponent format. BC6H: SIM_FLOAT is signed, SIM_UNORM unsigned. */
struct sim_texel_format sim_texel_packed(enum sim_texel_layout layout, enum sim_numeric numeric);

/* numeric: SIM_UNORM or SIM_SRGB. */
struct sim_texel_format sim_texel_astc(enum sim_numeric numeric, unsigned block_width, unsigned block_height);

static inline bool
sim_numeric_is_int(unsigned numeric)
{
   return numeric == SIM_UINT || numeric == SIM_SINT;
}

/* Reads one texel of size_B bytes (no alignment needed). Missing components are 0, 0, 0, 1. Not for BC layouts. */
void sim_texel_decode(const struct sim_texel_format *format, const void *texel, uint32_t value[4]);

/* Writes one texel; components beyond the format are ignored. Not for BC layouts. */
void sim_texel_encode(const struct sim_texel_format *format, const uint32_t value[4], void *texel);

/* One texel of a compressed block, x and y inside of it. */
void sim_texel_decode_block(const struct sim_texel_format *format, const void *block, unsigned x, unsigned y,
                            uint32_t value[4]);

#endif
