/* Descriptors of GFX9: formats of two parts, a pitch in every image, no choice of what is out of bounds. */
#ifndef INDIUM_AC_DESCRIPTOR_PARTS_H
#define INDIUM_AC_DESCRIPTOR_PARTS_H

#include "amd/common/ac_descriptor.h"

/* DST_SEL and format of a V#. */
uint32_t ac_buffer_word3_parts(uint32_t format, const uint8_t select[4]);

/* type: V_SQ_RSRC_IMG_*. */
void ac_image_descriptor_parts(const struct ac_image_view *view, uint32_t type,
                               uint32_t words[AC_IMAGE_DESCRIPTOR_DW]);

#endif
