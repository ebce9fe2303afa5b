/* Block compressed texels (BC1 to BC5, BC7). Source: Khronos Data Format Specification 1.3, chapters 18 to 20. */
#ifndef INDIUM_SIM_BC_H
#define INDIUM_SIM_BC_H

#include <stdbool.h>

#include "sim/texel.h"

/* True if the layout has a decoder here. */
static inline bool
sim_bc_supported(enum sim_texel_layout layout)
{
   return (layout >= SIM_TEXEL_BC1 && layout <= SIM_TEXEL_BC5) || layout == SIM_TEXEL_BC7;
}

/* Texel (x, y), each in [0, 4), of one block. is_signed concerns BC4 and BC5. color arrives as 0 0 0 1 and keeps what
 * the format does not hold. Precondition: sim_bc_supported(layout). */
void sim_bc_decode(enum sim_texel_layout layout, bool is_signed, const void *block, unsigned x, unsigned y,
                   float color[4]);

#endif
