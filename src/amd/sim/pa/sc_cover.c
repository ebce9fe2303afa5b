/* Coverage of blocks where sim_raster_block() does not say it: conservative rasterisation, and samples that lie
 * elsewhere in each pixel of a quad. */
#include "amd/sim/pa/pa_private.h"
#include "util/macros.h"

const uint64_t amd_places_of_quad[4] = {UINT64_C(0x0055005500550055), UINT64_C(0x00aa00aa00aa00aa),
                                        UINT64_C(0x5500550055005500), UINT64_C(0xaa00aa00aa00aa00)};

static uint64_t
estimate(const struct amd_sample_state *samples, const struct amd_prim *prim, int32_t x, int32_t y, uint64_t *masks)
{
   static const struct sim_raster_samples centre = {.count = 1};
   uint64_t all = sim_raster_block(&prim->poly, &centre, x, y, masks);
   for (unsigned s = 1; s < samples->positions.count; s++)
      masks[s] = all;
   return all;
}

uint64_t
amd_sc_cover(const struct amd_sample_state *samples, const struct amd_prim *prim, int32_t x, int32_t y,
             uint64_t masks[SIM_RASTER_MAX_SAMPLES])
{
   if (prim->estimated)
      return estimate(samples, prim, x, y, masks);
   uint64_t all = 0;
   for (unsigned pixel = 0; pixel < ARRAY_SIZE(amd_places_of_quad); pixel++) {
      uint64_t own[SIM_RASTER_MAX_SAMPLES];
      all |= sim_raster_block(&prim->poly, &samples->pixel[pixel], x, y, own) & amd_places_of_quad[pixel];
      for (unsigned s = 0; s < samples->positions.count; s++)
         masks[s] = (pixel ? masks[s] : 0) | (own[s] & amd_places_of_quad[pixel]);
   }
   return all;
}
