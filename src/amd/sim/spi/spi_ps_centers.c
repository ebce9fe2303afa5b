#include "amd/sim/spi/spi_ps_centers.h"

#include "sim/texel/numeric.h"
#include "sim/wide.h"

static inline float
evaluate(const float plane[3], float x, float y)
{
   return x * plane[0] + y * plane[1] + plane[2];
}

void
WIDE(amd_centers)(const struct amd_centers *planes, float x, float y, const float *dx, const float *dy,
                  unsigned count, uint32_t *i, uint32_t *j)
{
   const struct amd_centers p = *planes;
   WIDE_LOOP
   for (unsigned lane = 0; lane < count; lane++) {
      const float at_x = x + dx[lane], at_y = y + dy[lane], w = 1.0f / evaluate(p.one_w, at_x, at_y);
      i[lane] = float_bits(evaluate(p.i_w, at_x, at_y) * w);
      j[lane] = float_bits(evaluate(p.j_w, at_x, at_y) * w);
   }
}
