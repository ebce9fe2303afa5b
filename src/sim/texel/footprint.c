#include "sim/texel/footprint.h"

#include <math.h>

/* Squares of the derivatives' lengths in texels. */
static void
squared_lengths(const struct sim_gradient *g, const float size[3], float *xx, float *yy)
{
   *xx = *yy = 0.0f;
   for (unsigned i = 0; i < 3; i++) {
      *xx += g->dx[i] * size[i] * g->dx[i] * size[i];
      *yy += g->dy[i] * size[i] * g->dy[i] * size[i];
   }
}

/* A ratio this little above a number of probes comes from rounding. */
#define PROBE_SLACK (1.0f / 64)

/* How many times longer than wide. */
static float
anisotropy(float longer2, float shorter2, float max)
{
   if (max <= 1.0f || !(longer2 > shorter2) || isinf(longer2))
      return 1.0f;
   return longer2 < shorter2 * max * max ? sqrtf(longer2 / shorter2) : max;
}

/* The probes lie on the longer derivative; the level is that of its length shared among them. Source: Vulkan 1.3,
 * 16.5.4 and 16.8.2; that hardware does as the specification's example is assumed. */
struct sim_footprint
sim_footprint_of(const struct sim_gradient *g, const float size[3], unsigned max_anisotropy)
{
   float xx, yy;
   squared_lengths(g, size, &xx, &yy);
   float longer2 = xx > yy ? xx : yy, ratio = anisotropy(longer2, xx > yy ? yy : xx, (float)max_anisotropy);
   struct sim_footprint f = {
      .lod = longer2 > 0.0f       ? 0.5f * log2f(longer2) - (ratio > 1.0f ? log2f(ratio) : 0.0f)
             : longer2 == longer2 ? -128.0f
                                  : 0.0f,
      .probes = (unsigned)ceilf(ratio - PROBE_SLACK),
   };
   const float *d = xx > yy ? g->dx : g->dy, part = 1.0f / (float)(f.probes + 1);
   for (unsigned i = 0; i < 3 && f.probes > 1; i++)
      f.step[i] = d[i] * part;
   return f;
}
