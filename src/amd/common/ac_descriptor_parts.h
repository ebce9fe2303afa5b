/* Descriptors of GFX9: formats of two parts, a pitch in every image, no choice of what is out of bounds. */
#ifndef INDIUM_AC_DESCRIPTOR_PARTS_H
#define INDIUM_AC_DESCRIPTOR_PARTS_H

#include "amd/common/ac_descriptor.h"

/* What only GFX9 has, or has elsewhere. */
void ac_image_descriptor_parts(const struct ac_image_view *view, struct amd_sq_img_rsrc *image);

#endif
