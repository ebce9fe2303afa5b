/* The colours that bytes of DCC stand for. */
#ifndef INDIUM_AMD_SIM_DCC_H
#define INDIUM_AMD_SIM_DCC_H

#include "amd/hw/meta.h"
#include "sim/texel/texel.h"

enum {
   AMD_DCC_BLOCK_B = 256, /* what a byte of DCC stands for */
   AMD_DCC_BYTE_PLAIN = 0xff,
};

/* The texel of a byte that stands for a constant colour; false for all others. */
bool amd_dcc_constant(enum amd_dcc_key key, const struct sim_texel_format *format, bool alpha_on_msb,
                      uint8_t texel[16]);

#endif
