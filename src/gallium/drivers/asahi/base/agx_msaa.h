/* Where the samples of a pixel lie. */
#ifndef INDIUM_AGX_MSAA_H
#define INDIUM_AGX_MSAA_H

#include <stdint.h>

/* MULTISAMPLE_CONTROL of a render command: a byte for each sample, x in the low four bits, y in the high ones, in
 * 1/16 pixel. Those of the standard of the API; the same numbers that Honeykrisp submits. */
static inline uint32_t
agx_sample_positions(unsigned samples)
{
   return samples == 4 ? 0xeaa26e26u : samples == 2 ? 0x44ccu : 0x88u;
}

#endif
