#include "amd/sim/tex/tex_lod.h"

#include <math.h>

#include "amd/hw/descriptors.h"
#include "amd/sim/tex/tex_cube.h"
#include "util/macros.h"

/* Derivatives of the coordinates in both directions of the screen. */
struct gradient {
   float dx[3], dy[3];
};

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

/* Lanes of a quad on several faces of a cube have no common coordinates: a lane sees all of them on the plane of its
 * own face. This is what the Vulkan specification asks for (16.5.3: the derivatives are those of the direction, seen
 * from the face of the sample); that hardware does it in the same way is assumed. */
static void
cube_gradient(const struct amd_tex_request *r, unsigned lane, struct gradient *g)
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
gradient_of_quad(const struct amd_tex_request *r, unsigned lane, struct gradient *g)
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

/* Squares of the derivatives' lengths in texels of the base level. */
static void
squared_lengths(const struct tex_image *image, const struct tex_sampler *sampler, const struct gradient *g, float *xx,
                float *yy)
{
   const float size[3] = {(float)MAX2(image->desc.width_px >> image->base_level, 1u),
                          (float)MAX2(image->desc.height_px >> image->base_level, 1u),
                          (float)(image->desc.is_3d ? MAX2(image->desc.slices >> image->base_level, 1u) : 1u)};
   *xx = *yy = 0.0f;
   for (unsigned i = 0; i < 3; i++) {
      float scale = sampler->unnormalized ? 1.0f : size[i];
      *xx += g->dx[i] * scale * g->dx[i] * scale;
      *yy += g->dy[i] * scale * g->dy[i] * scale;
   }
}

/* A ratio this little above a number of probes comes from rounding. */
#define PROBE_SLACK (1.0f / 64)

/* How many times longer than wide: at most what the sampler allows. */
static float
anisotropy(const struct tex_image *image, const struct tex_sampler *sampler, float longer2, float shorter2)
{
   if (sampler->max_anisotropy == 1 || sampler->unnormalized || image->is_int || !(longer2 > shorter2) ||
       isinf(longer2) || (sampler->aniso_override && image->base_level == image->last_level))
      return 1.0f;
   float max = sampler->max_anisotropy;
   return longer2 < shorter2 * max * max ? sqrtf(longer2 / shorter2) : max;
}

/* The probes lie on the longer derivative; the level is that of its length shared among them. Source: Vulkan 1.3,
 * 16.5.4 and 16.8.2; that hardware does as the specification's example is assumed. */
static struct tex_footprint
footprint_of_gradient(const struct tex_image *image, const struct tex_sampler *sampler, const struct gradient *g,
                      unsigned face)
{
   float xx, yy;
   squared_lengths(image, sampler, g, &xx, &yy);
   float longer2 = xx > yy ? xx : yy, ratio = anisotropy(image, sampler, longer2, xx > yy ? yy : xx);
   struct tex_footprint f = {
      .lod = longer2 > 0.0f ? 0.5f * log2f(longer2) - (ratio > 1.0f ? log2f(ratio) : 0.0f)
                            : longer2 == longer2 ? -128.0f : 0.0f,
      .probes = (unsigned)ceilf(ratio - PROBE_SLACK),
      .face = face,
   };
   if (f.probes == 1)
      return f;
   const float *d = xx > yy ? g->dx : g->dy, part = 1.0f / (float)(f.probes + 1);
   if (image->type == V_SQ_RSRC_IMG_CUBE) {
      tex_cube_direction(face, (struct tex_cube_point){2.0f * d[0] * part, 2.0f * d[1] * part, 0.0f}, f.step);
      return f;
   }
   for (unsigned i = 0; i < 3; i++)
      f.step[i] = d[i] * part;
   return f;
}

struct tex_footprint
tex_footprint_of(const struct tex_image *image, const struct tex_sampler *sampler, const struct amd_tex_request *r,
                 unsigned lane)
{
   struct gradient g = {0};
   switch (r->lod_mode) {
   case AMD_TEX_LOD_EXPLICIT:
      return (struct tex_footprint){.lod = r->lod.f[lane], .probes = 1};
   case AMD_TEX_LOD_ZERO:
      return (struct tex_footprint){.probes = 1};
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
