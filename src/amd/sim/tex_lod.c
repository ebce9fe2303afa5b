#include "amd/sim/tex_lod.h"

#include <math.h>

#include "amd/sim/tex_cube.h"
#include "util/macros.h"

/* Derivatives of the coordinates in both directions of the screen. */
struct gradient {
   float dx[3], dy[3];
};

/* Level of detail from derivatives in texels of the base level. */
static float
lod_of_gradient(const struct tex_image *image, const struct tex_sampler *sampler, const struct gradient *g)
{
   const float size[3] = {(float)MAX2(image->desc.width_px >> image->base_level, 1u),
                          (float)MAX2(image->desc.height_px >> image->base_level, 1u),
                          (float)(image->desc.is_3d ? MAX2(image->desc.slices >> image->base_level, 1u) : 1u)};
   float xx = 0.0f, yy = 0.0f;
   for (unsigned i = 0; i < 3; i++) {
      float scale = sampler->unnormalized ? 1.0f : size[i];
      xx += g->dx[i] * scale * g->dx[i] * scale;
      yy += g->dy[i] * scale * g->dy[i] * scale;
   }
   float rho2 = xx > yy ? xx : yy;
   return rho2 > 0.0f ? 0.5f * log2f(rho2) : rho2 == rho2 ? -128.0f : 0.0f;
}

/* The third coordinate of 3D images only is one of place. */
static unsigned
coordinate_count(unsigned dim)
{
   return tex_is_1d(dim) ? 1 : dim == TEX_DIM_3D ? 3 : 2;
}

/* What a lane's face coordinates would be on the plane of another face: infinite if the lane looks away from it. */
static void
cube_coordinates_on(unsigned face, const struct amd_tex_request *r, unsigned lane, float c[2])
{
   c[0] = r->coord.f[0][lane];
   c[1] = r->coord.f[1][lane];
   unsigned own = tex_cube_face_of_id(r->coord.f[2][lane]);
   if (own == face)
      return;
   float direction[3];
   tex_cube_direction(own, (struct tex_cube_point){2.0f * c[0] - 3.0f, 2.0f * c[1] - 3.0f, 1.0f}, direction);
   struct tex_cube_point at = tex_cube_project(face, direction);
   c[0] = at.major > 0.0f ? 1.5f + 0.5f * at.s / at.major : INFINITY;
   c[1] = at.major > 0.0f ? 1.5f + 0.5f * at.t / at.major : INFINITY;
}

/* Lanes of a quad on several faces of a cube have no common coordinates: all are taken onto the plane of the first
 * lane's face. This is what the Vulkan specification asks for (16.5.3: the derivatives are those of the direction,
 * seen from the face of the sample); that hardware does it in the same way is assumed. */
static void
cube_gradient(const struct amd_tex_request *r, unsigned quad, struct gradient *g)
{
   unsigned face = tex_cube_face_of_id(r->coord.f[2][quad]);
   float right[2], below[2];
   cube_coordinates_on(face, r, quad + 1, right);
   cube_coordinates_on(face, r, quad + 2, below);
   for (unsigned i = 0; i < 2; i++) {
      g->dx[i] = right[i] - r->coord.f[i][quad];
      g->dy[i] = below[i] - r->coord.f[i][quad];
   }
}

static void
gradient_of_quad(const struct amd_tex_request *r, unsigned quad, struct gradient *g)
{
   if (r->dim == TEX_DIM_CUBE) {
      cube_gradient(r, quad, g);
      return;
   }
   for (unsigned i = 0; i < coordinate_count(r->dim); i++) {
      const float *c = &r->coord.f[i][quad];
      g->dx[i] = c[1] - c[0];
      g->dy[i] = c[2] - c[0];
   }
}

float
tex_raw_lod(const struct tex_image *image, const struct tex_sampler *sampler, const struct amd_tex_request *r,
            unsigned lane)
{
   struct gradient g = {0};
   switch (r->lod_mode) {
   case AMD_TEX_LOD_EXPLICIT:
      return r->lod.f[lane];
   case AMD_TEX_LOD_ZERO:
      return 0.0f;
   case AMD_TEX_LOD_GRADIENT:
      for (unsigned i = 0; i < coordinate_count(r->dim); i++) {
         g.dx[i] = r->ddx[i][lane];
         g.dy[i] = r->ddy[i][lane];
      }
      break;
   case AMD_TEX_LOD_IMPLICIT:
   case AMD_TEX_LOD_BIAS:
      gradient_of_quad(r, lane & ~3u, &g);
      break;
   }
   return lod_of_gradient(image, sampler, &g);
}
