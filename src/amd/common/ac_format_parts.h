/* A format of a descriptor as two numbers (GFX9): a layout of bits, in one order for buffers and images, and a kind
 * of number. The driver speaks of formats by the unified numbers of GFX10 (V_GFX10_FORMAT_*). */
#ifndef INDIUM_AC_FORMAT_PARTS_H
#define INDIUM_AC_FORMAT_PARTS_H

#include <stdint.h>

struct ac_format_parts {
   uint8_t data, number; /* DATA_FORMAT, NUM_FORMAT */
};

/* data 0: there is none. */
struct ac_format_parts ac_format_parts(uint32_t unified);

#endif
