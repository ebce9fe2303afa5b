/* ETC2 and EAC texels. Source: Khronos Data Format Specification 1.3, chapters 21 and 22. */
#ifndef INDIUM_SIM_ETC_H
#define INDIUM_SIM_ETC_H

#include <stdbool.h>

#include "sim/texel/texel.h"

/* Texel (x, y), each in [0, 4), of one block. is_signed: EAC of 11 bits. color arrives as 0 0 0 1 and keeps what the
 * format does not hold. */
void sim_etc_decode(enum sim_texel_layout layout, bool is_signed, const void *block, unsigned x, unsigned y,
                    float color[4]);

#endif
