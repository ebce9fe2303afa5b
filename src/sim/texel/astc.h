/* ASTC texels of the LDR profile, 2D. Source: Khronos Data Format Specification 1.3, chapter 23. */
#ifndef INDIUM_SIM_ASTC_H
#define INDIUM_SIM_ASTC_H

#include <stdbool.h>

/* Texel (x, y) of a 16-byte block of width x height texels. srgb: components are rounded to 8 bits, as their
 * conversion wants them. Blocks that the profile does not have are magenta. */
void sim_astc_decode(const void *block, unsigned width, unsigned height, bool srgb, unsigned x, unsigned y,
                     float color[4]); /* size: a texel by its coordinates */

#endif
