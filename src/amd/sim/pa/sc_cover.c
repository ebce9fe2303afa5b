/* Coverage of blocks where samples are not those of sim_raster_block(): conservative rasterisation. */
#include "amd/sim/draw/pipeline.h"

uint64_t
amd_sc_cover(const struct amd_sample_state *samples, const struct amd_prim *prim, int32_t x, int32_t y,
             uint64_t masks[SIM_RASTER_MAX_SAMPLES])
{
   static const struct sim_raster_samples centre = {.count = 1};
   uint64_t all = sim_raster_block(&prim->poly, &centre, x, y, masks);
   for (unsigned s = 1; s < samples->positions.count; s++)
      masks[s] = all;
   return all;
}
