#include "sim/texel/cube.h"

#include <math.h>

#include "sim/texel/wrap.h"
#include "util/macros.h"

/* Directions of s, t and the major axis of each face. */
static const float axes[6][3][3] = {{{0, 0, -1}, {0, -1, 0}, {1, 0, 0}}, {{0, 0, 1}, {0, -1, 0}, {-1, 0, 0}},
                                    {{1, 0, 0}, {0, 0, 1}, {0, 1, 0}},   {{1, 0, 0}, {0, 0, -1}, {0, -1, 0}},
                                    {{1, 0, 0}, {0, -1, 0}, {0, 0, 1}},  {{-1, 0, 0}, {0, -1, 0}, {0, 0, -1}}};

void
sim_cube_direction(unsigned face, struct sim_cube_point point, float direction[3])
{
   for (unsigned i = 0; i < 3; i++)
      direction[i] = point.s * axes[face][0][i] + point.t * axes[face][1][i] + point.major * axes[face][2][i];
}

static float
dot(const float a[3], const float b[3])
{
   return a[0] * b[0] + a[1] * b[1] + a[2] * b[2];
}

struct sim_cube_point
sim_cube_project(unsigned face, const float direction[3])
{
   return (struct sim_cube_point){dot(direction, axes[face][0]), dot(direction, axes[face][1]),
                                  dot(direction, axes[face][2])};
}

unsigned
sim_cube_face(const float direction[3])
{
   unsigned best = 0;
   for (unsigned f = 1; f < 6; f++)
      best = dot(direction, axes[f][2]) > dot(direction, axes[best][2]) ? f : best;
   return best;
}

void
sim_cube_neighbor(unsigned *face, int *x, int *y, int size)
{
   /* The point just outside, folded onto the neighbour: its outer coordinate becomes the depth below the edge. */
   float s = ((float)*x + 0.5f) / (float)size * 2.0f - 1.0f, t = ((float)*y + 0.5f) / (float)size * 2.0f - 1.0f;
   float major = 1.0f;
   if (s < -1.0f || s > 1.0f)
      major = 2.0f - fabsf(s), s = s < 0.0f ? -1.0f : 1.0f;
   else if (t < -1.0f || t > 1.0f)
      major = 2.0f - fabsf(t), t = t < 0.0f ? -1.0f : 1.0f;
   float direction[3];
   sim_cube_direction(*face, (struct sim_cube_point){s, t, major}, direction);
   *face = sim_cube_face(direction);
   struct sim_cube_point at = sim_cube_project(*face, direction);
   *x = MIN2(MAX2(sim_floor((at.s + 1.0f) * 0.5f * (float)size), 0), size - 1);
   *y = MIN2(MAX2(sim_floor((at.t + 1.0f) * 0.5f * (float)size), 0), size - 1);
}
