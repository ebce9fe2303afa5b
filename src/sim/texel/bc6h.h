/* BC6H texels. Source: Khronos Data Format Specification 1.3, chapter 20 (BPTC). */
#ifndef INDIUM_SIM_BC6H_H
#define INDIUM_SIM_BC6H_H

#include <stdbool.h>

/* Red, green and blue of texel number texel (y * 4 + x) of a 16-byte block. The reserved modes give 0 0 0. */
void sim_bc6h_decode(bool is_signed, const void *block, unsigned texel, float rgb[3]);

#endif
