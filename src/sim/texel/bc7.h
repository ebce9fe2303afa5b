/* BC7 texels. Source: Khronos Data Format Specification 1.3, chapter 20 (BPTC). */
#ifndef INDIUM_SIM_BC7_H
#define INDIUM_SIM_BC7_H

/* Texel number texel (y * 4 + x) of a 16-byte block. The reserved mode gives 0 0 0 0. */
void sim_bc7_decode(const void *block, unsigned texel, float color[4]);
/* All 16 texels at once, row by row, in little more time than one. */
void sim_bc7_decode_all(const void *block, float color[16][4]);

#endif
