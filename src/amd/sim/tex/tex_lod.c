#include "amd/sim/tex/tex_lod.h"

#include <math.h>

#include "amd/hw/descriptors.h"
#include "amd/sim/tex/tex_coord.h"
#include "sim/texel/cube.h"
#include "util/macros.h"

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
   sim_cube_direction(own, (struct sim_cube_point){2.0f * c[0] - 3.0f, 2.0f * c[1] - 3.0f, 1.0f}, direction);
   struct sim_cube_point at = sim_cube_project(face, direction);
   c[0] = at.major > 0.0f ? 1.5f + 0.5f * at.s / at.major : INFINITY;
   c[1] = at.major > 0.0f ? 1.5f + 0.5f * at.t / at.major : INFINITY;
}

/* Lanes of a quad on several faces of a cube have no common coordinates: a lane sees all of them on the plane of its
 * own face. This is what the Vulkan specification asks for (16.5.3: the derivatives are those of the direction, seen
 * from the face of the sample); that hardware does it in the same way is assumed. */
static void
cube_gradient(const struct amd_tex_request *r, unsigned lane, struct sim_gradient *g)
{
   unsigned face = tex_cube_face_of_id(r->coord.f[2][lane]), quad = lane & ~3u;
   float first[2], right[2], below[2];
   cube_coordinates_on(face, r, quad, first);
   cube_coordinates_on(face, r, quad + 1, right);
   cube_coordinates_on(face, r, quad + 2, below);
   for (unsigned i = 0; i < 2; i++) {
      g->dx[i] = right[i] - first[i];
      g->dy[i] = below[i] - first[i];
   }
}

static void
gradient_of_quad(const struct amd_tex_request *r, unsigned lane, struct sim_gradient *g)
{
   if (r->dim == TEX_DIM_CUBE) {
      cube_gradient(r, lane, g);
      return;
   }
   for (unsigned i = 0; i < coordinate_count(r->dim); i++) {
      const float *c = &r->coord.f[i][lane & ~3u];
      g->dx[i] = c[1] - c[0];
      g->dy[i] = c[2] - c[0];
   }
}

static struct sim_footprint
footprint_of_gradient(const struct tex_image *image, const struct tex_sampler *sampler, const struct sim_gradient *g,
                      unsigned face)
{
   static const float one[3] = {1.0f, 1.0f, 1.0f};
   const float size[3] = {(float)MAX2(image->desc.width_px >> image->base_level, 1u),
                          (float)MAX2(image->desc.height_px >> image->base_level, 1u),
                          (float)(image->desc.is_3d ? MAX2(image->desc.slices >> image->base_level, 1u) : 1u)};
   bool isotropic = sampler->filter.unnormalized || image->is_int ||
                    (sampler->samp.aniso_override && image->base_level == image->last_level);
   struct sim_footprint f =
      sim_footprint_of(g, sampler->filter.unnormalized ? one : size, isotropic ? 1 : sampler->filter.max_anisotropy);
   if (f.probes > 1 && image->type == V_SQ_RSRC_IMG_CUBE)
      sim_cube_direction(face, (struct sim_cube_point){2.0f * f.step[0], 2.0f * f.step[1], 0.0f}, f.step);
   return f;
}

struct sim_footprint
tex_footprint_of(const struct tex_image *image, const struct tex_sampler *sampler, const struct amd_tex_request *r,
                 unsigned lane)
{
   struct sim_gradient g = {0};
   switch (r->lod_mode) {
   case AMD_TEX_LOD_EXPLICIT:
      return (struct sim_footprint){.lod = r->lod.f[lane], .probes = 1};
   case AMD_TEX_LOD_ZERO:
      return (struct sim_footprint){.probes = 1};
   case AMD_TEX_LOD_GRADIENT:
      for (unsigned i = 0; i < coordinate_count(r->dim); i++) {
         g.dx[i] = r->ddx[i][lane];
         g.dy[i] = r->ddy[i][lane];
      }
      break;
   case AMD_TEX_LOD_IMPLICIT:
   case AMD_TEX_LOD_BIAS:
      gradient_of_quad(r, lane, &g);
      break;
   }
   return footprint_of_gradient(image, sampler, &g,
                                r->dim == TEX_DIM_CUBE ? tex_cube_face_of_id(r->coord.f[2][lane]) : 0);
}
