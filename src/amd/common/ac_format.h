/* Translation of formats (values of enum format, that is VkFormat) to what the hardware calls them. */
#ifndef INDIUM_AC_FORMAT_H
#define INDIUM_AC_FORMAT_H

#include <stdbool.h>
#include <stdint.h>

/* Formats that only GFX9 has, in the order of its numbers, above the unified numbers of GFX10 (ac_format_parts()).
 * UNORM comes before SRGB or SNORM. */
enum ac_format {
   AC_FORMAT_ETC2_RGB_UNORM = 512,
   AC_FORMAT_ETC2_RGB_SRGB,
   AC_FORMAT_ETC2_RGBA_UNORM,
   AC_FORMAT_ETC2_RGBA_SRGB,
   AC_FORMAT_EAC_R_UNORM,
   AC_FORMAT_EAC_R_SNORM,
   AC_FORMAT_EAC_RG_UNORM,
   AC_FORMAT_EAC_RG_SNORM,
   AC_FORMAT_ETC2_RGBA1_UNORM,
   AC_FORMAT_ETC2_RGBA1_SRGB,
};

/* FORMAT of an image descriptor on GFX10, or enum ac_format; 0 if there is none. Depth formats: see
 * ac_format_of_aspect. */
uint32_t ac_format_image(uint32_t format);

/* FORMAT of a buffer descriptor on GFX10; 0 if there is none. */
uint32_t ac_format_buffer(uint32_t format);

/* How a vertex attribute is fetched: as a whole; three components of 8 or 16 bits one by one; 64 bits as pairs of 32,
 * two of them at a time. */
struct ac_vertex_part {
   uint32_t format; /* FORMAT of the descriptor (ac_format_buffer) */
   uint8_t select[4];
   uint8_t offset_B, size_B; /* in the attribute */
};
struct ac_vertex_format {
   uint8_t num_parts;   /* 0: there is no such attribute */
   bool has_components; /* each part is one, in memory's order */
   struct ac_vertex_part parts[3];
};
struct ac_vertex_format ac_format_vertex(uint32_t format);

/* DST_SEL values that make hardware components look like r, g, b, a. */
void ac_format_swizzle(uint32_t format, uint8_t select[4]);

/* The one-component colour format that holds the depth (or stencil) plane of a depth/stencil format; other formats
 * are returned as they are, 0 if the plane does not exist. */
uint32_t ac_format_of_aspect(uint32_t format, bool stencil);

struct ac_color_format {
   uint8_t format, number, swap; /* fields of CB_COLOR0_INFO */
   uint8_t export_format;        /* SPI_SHADER_COL_FORMAT nibble that keeps all bits, also when blending */
   uint8_t alpha_export_format;  /* the same with alpha, which blending may read though the target has none */
   bool blendable;               /* integers are not */
   bool is_integer, is_normalized, is_float;
   bool is_int8, is_int10; /* integers that the shader has to clamp */
};

/* False if the format cannot be a colour target. */
bool ac_format_color(uint32_t format, struct ac_color_format *out);

/* FORMAT of DB_Z_INFO, 0 if the format has no depth. */
uint32_t ac_format_depth(uint32_t format);

bool ac_format_has_stencil(uint32_t format);

#endif
