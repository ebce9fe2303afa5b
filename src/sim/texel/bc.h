/* Block compressed texels (BC1 to BC7). Source: Khronos Data Format Specification 1.3, chapters 18 to 20. */
#ifndef INDIUM_SIM_BC_H
#define INDIUM_SIM_BC_H

#include <stdbool.h>

#include "sim/texel/texel.h"

/* Texel (x, y), each in [0, 4), of one block. is_signed: BC4, BC5 and BC6H. color arrives as 0 0 0 1 and keeps what
 * the format does not hold. */
void sim_bc_decode(enum sim_texel_layout layout, bool is_signed, const void *block, unsigned x, unsigned y,
                   float color[4]);

#endif
