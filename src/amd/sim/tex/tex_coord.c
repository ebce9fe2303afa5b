#include "amd/sim/tex/tex_coord.h"

#include <math.h>

#include "util/macros.h"

int
tex_round_even(float f)
{
   return f == f ? (int)nearbyintf(f < -1e6f ? -1e6f : f > 1e6f ? 1e6f : f) : 0;
}

uint32_t
tex_layer_slice(const struct tex_image *image, float layer)
{
   int last = (int)(image->last_array - image->base_array), i = tex_round_even(layer);
   return image->base_array + (uint32_t)(i < 0 ? 0 : i > last ? last : i);
}

/* The third coordinate of a cube is face + 8 * layer, also for a negative layer (assumed of GFX9 and later: Mesa
 * clamps the layer for older ones only). */
unsigned
tex_cube_face_of_id(float id)
{
   return MIN2((unsigned)tex_round_even(id) & 7, 5u);
}
