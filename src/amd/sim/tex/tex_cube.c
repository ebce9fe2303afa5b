#include "amd/sim/tex/tex_cube.h"

#include <math.h>

#include "util/macros.h"

/* Directions of s, t and the major axis of each face. */
static const float axes[6][3][3] = {
   {{0, 0, -1}, {0, -1, 0}, {1, 0, 0}}, {{0, 0, 1}, {0, -1, 0}, {-1, 0, 0}},  {{1, 0, 0}, {0, 0, 1}, {0, 1, 0}},
   {{1, 0, 0}, {0, 0, -1}, {0, -1, 0}}, {{1, 0, 0}, {0, -1, 0}, {0, 0, 1}},   {{-1, 0, 0}, {0, -1, 0}, {0, 0, -1}},
};

void
tex_cube_direction(unsigned face, struct tex_cube_point point, float direction[3])
{
   for (unsigned i = 0; i < 3; i++)
      direction[i] = point.s * axes[face][0][i] + point.t * axes[face][1][i] + point.major * axes[face][2][i];
}

static float
dot(const float a[3], const float b[3])
{
   return a[0] * b[0] + a[1] * b[1] + a[2] * b[2];
}

struct tex_cube_point
tex_cube_project(unsigned face, const float direction[3])
{
   return (struct tex_cube_point){dot(direction, axes[face][0]), dot(direction, axes[face][1]),
                                  dot(direction, axes[face][2])};
}

unsigned
tex_cube_face(const float direction[3])
{
   unsigned best = 0;
   for (unsigned f = 1; f < 6; f++)
      best = dot(direction, axes[f][2]) > dot(direction, axes[best][2]) ? f : best;
   return best;
}

int
tex_round_even(float f)
{
   return f == f ? (int)nearbyintf(f < -1e6f ? -1e6f : f > 1e6f ? 1e6f : f) : 0;
}

/* The third coordinate of a cube is face + 8 * layer, also for a negative layer (assumed of GFX9 and later: Mesa
 * clamps the layer for older ones only). */
unsigned
tex_cube_face_of_id(float id)
{
   return MIN2((unsigned)tex_round_even(id) & 7, 5u);
}
