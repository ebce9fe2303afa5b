/* The hardware's format numbers as texel formats. */
#ifndef INDIUM_AMD_SIM_FORMATS_H
#define INDIUM_AMD_SIM_FORMATS_H

#include "amd/hw/descriptors.h"
#include "sim/texel/texel.h"

/* Unified numbers, as GFX10 has them, of what descriptors and typed buffer instructions name. 0: not a format. */
unsigned amd_format_of_image(enum amd_gen gen, const struct amd_sq_img_rsrc *rsrc);
/* formats_gfx11.c: the same of a number of GFX11. */
unsigned amd_format_from_gfx11(unsigned format);
/* Whether it is that of a descriptor without an image. */
bool amd_format_image_is_null(const struct amd_sq_img_rsrc *rsrc);
unsigned amd_format_of_buffer(enum amd_gen gen, const struct amd_sq_buf_rsrc *rsrc);
unsigned amd_format_of_instruction(enum amd_gen gen, unsigned field);

/* Unified format number of buffer and image descriptors (GFX10.3). size_B 0: not a format of the model. */
const struct sim_texel_format *amd_format_unified(unsigned format);

/* Single texels of it. size 0: not a format. */
unsigned amd_format_size_B(unsigned format);
bool amd_format_is_integer(unsigned format);
/* Log2 of the bytes of depth next to which an image of stencil lies, where its format tells (GFX9); else own_log2. */
uint8_t amd_format_depth_log2(const struct amd_sq_img_rsrc *rsrc, uint8_t own_log2);
bool amd_format_is_signed_integer(unsigned format);
/* Components before DST_SEL: missing ones are 0, 0, 0, 1 (1.0 or 1 by format kind). */
void amd_format_unpack(unsigned format, const void *texel, uint32_t value[4]);
void amd_format_pack(unsigned format, const uint32_t value[4], void *texel);

/* CB_COLORn_INFO FORMAT and NUMBER_TYPE. size_B 0: not a combination of the model. */
struct sim_texel_format amd_format_color(unsigned color_format, unsigned number_type);

#endif
