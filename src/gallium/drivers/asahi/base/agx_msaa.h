/* Where the samples of a pixel lie. */
#ifndef INDIUM_AGX_MSAA_H
#define INDIUM_AGX_MSAA_H

#include "gallium/include/pipe/p_state.h"

/* MULTISAMPLE_CONTROL of a render command: a byte for each sample, x in the low four bits, y in the high ones, in
 * 1/16 pixel. Those of the standard of the API; the same numbers that Honeykrisp submits. */
static inline uint32_t
agx_sample_positions(unsigned samples)
{
   return samples == 4 ? 0xeaa26e26u : samples == 2 ? 0x44ccu : 0x88u;
}

static inline bool
agx_has_own_positions(const struct pipe_graphics_state *gfx)
{
   return gfx->sample_locations_enable && gfx->samples > 1 && gfx->sample_locations.samples == gfx->samples;
}

/* The same of draws; all pixels are alike. */
static inline uint32_t
agx_positions(const struct pipe_graphics_state *gfx)
{
   uint32_t word = 0;

   if (!agx_has_own_positions(gfx))
      return agx_sample_positions(gfx->samples);
   for (unsigned i = 0; i < gfx->samples; i++)
      word |= (uint32_t)gfx->sample_locations.at[0][i] << (8 * i);
   return word;
}

#endif
