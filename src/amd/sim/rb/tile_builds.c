#include "amd/sim/rb/tile_wide.h"
#include "sim/wide.h"

static const struct tile_wide base = {tile_depths_base,   tile_compare_base,         tile_range_base,
                                      tile_range16_base,  tile_range24_base,         tile_halves_base,
                                      tile_unorm8x4_base, tile_halves_unorm8x4_base, tile_srgb8x4_base};
#if defined(__x86_64__)
static const struct tile_wide avx2 = {tile_depths_avx2,   tile_compare_avx2,         tile_range_avx2,
                                      tile_range16_avx2,  tile_range24_avx2,         tile_halves_avx2,
                                      tile_unorm8x4_avx2, tile_halves_unorm8x4_avx2, tile_srgb8x4_avx2};
#endif

const struct tile_wide *
amd_tile_wide(void)
{
#if defined(__x86_64__)
   if (sim_has_avx2())
      return &avx2;
#endif
   return &base;
}
