/* Formats by number: those of descriptors, and those of memory and tile instructions. */
#ifndef INDIUM_ASAHI_SIM_FORMATS_H
#define INDIUM_ASAHI_SIM_FORMATS_H

#include "asahi/hw/isa.h"
#include "asahi/hw/records.h"
#include "sim/texel/texel.h"

/* size_B 0: there is no such format. srgb: 8-bit components but alpha are sRGB. */
struct sim_texel_format agx_pixel_format(enum agx_channels channels, enum agx_texture_type type, bool srgb);

/* Floats (32-bit bits) lose what the format's smaller floats do not hold, so that nothing is left to round. */
void agx_format_round_to_zero(const struct sim_texel_format *format, uint32_t value[4]);

/* Bytes of one component of a memory or tile format; of all where they are packed in one word. */
unsigned agx_format_B(enum agx_format format);
bool agx_format_is_packed(enum agx_format format);

/* Components of a format of memory or tiles, from and to registers: floats (32-bit bits) of f16, norm and packed
 * formats, the integer itself (not sign-extended) of i8, i16 and i32. Not packed: `components` of them follow each
 * other; packed: 4 (missing alpha is 1). Packing: integers keep their low bits. */
void agx_format_unpack(enum agx_format format, unsigned components, const void *bytes, uint32_t value[4]);
void agx_format_pack(enum agx_format format, unsigned components, const uint32_t value[4], void *bytes);

#endif
