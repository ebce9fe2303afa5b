/* Image and vertex formats. Values are those of VkFormat; the table is generated from the Vulkan registry.
 * Constants: util/format_enum.h. */
#ifndef INDIUM_UTIL_FORMAT_H
#define INDIUM_UTIL_FORMAT_H

#include <stdint.h>

enum format_numeric {
   FORMAT_VOID,
   FORMAT_UNORM,
   FORMAT_SNORM,
   FORMAT_USCALED,
   FORMAT_SSCALED,
   FORMAT_UINT,
   FORMAT_SINT,
   FORMAT_UFLOAT,
   FORMAT_SFLOAT,
   FORMAT_SRGB,
   FORMAT_FIXED, /* S5.10 two's complement (VK_FORMAT_R16G16_SFIXED5_NV) */
};

enum format_component_name {
   FORMAT_R,
   FORMAT_G,
   FORMAT_B,
   FORMAT_A,
   FORMAT_DEPTH,
   FORMAT_STENCIL,
};

struct format_component {
   uint8_t name;    /* enum format_component_name */
   uint8_t numeric; /* enum format_numeric */
   uint8_t bits;    /* 0: inside a compressed block */
   uint8_t shift;   /* lowest bit in the block, little endian */
   uint8_t plane;   /* that has it */
};

#define FORMAT_MAX_PLANES 3

/* One of several planes: an image of its own. */
struct format_plane {
   uint32_t format;
   uint8_t width_divisor, height_divisor; /* texels of the image to one of the plane */
};

struct format_info {
   uint32_t format;         /* enum format */
   const char *name;        /* "R8G8B8A8_UNORM": VkFormat without VK_FORMAT_ */
   const char *compression; /* "BC", "ETC2", "EAC", "ASTC LDR", "ASTC HDR", "PVRTC", or NULL */
   uint8_t block_size_B;
   uint8_t block_width_el, block_height_el; /* texels of a block: 1x1 unless compressed or packed 4:2:2 */
   uint8_t packed_bits;                     /* size of the packed word, 0 for array formats */
   uint8_t planes;
   uint8_t component_count;
   struct format_component components[4]; /* lowest shift first; shifts of planar formats count inside the plane */
   struct format_plane plane[FORMAT_MAX_PLANES]; /* of planar formats */
};

/* The description of a format value, or NULL for an unknown value or UNDEFINED. */
const struct format_info *format_info(uint32_t format);

/* By name, with or without the VK_FORMAT_ prefix, aliases included, or NULL. */
const struct format_info *format_by_name(const char *name);

#endif
