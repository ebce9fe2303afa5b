/* The hardware's format numbers as texel formats. */
#ifndef INDIUM_AMD_SIM_FORMATS_H
#define INDIUM_AMD_SIM_FORMATS_H

#include "sim/texel.h"

/* Unified format number of buffer and image descriptors (GFX10.3). size_B 0: not a format of the model. */
const struct sim_texel_format *amd_format_unified(unsigned format);

/* CB_COLORn_INFO FORMAT and NUMBER_TYPE. size_B 0: not a combination of the model. */
struct sim_texel_format amd_format_color(unsigned color_format, unsigned number_type);

#endif
