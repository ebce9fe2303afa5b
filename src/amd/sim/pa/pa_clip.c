/* Clipping of polygons and lines in homogeneous coordinates. */
#include <string.h>

#include "amd/sim/draw/pipeline.h"

enum {
   PLANE_W,
   PLANE_NEAR,
   PLANE_FAR,
   PLANE_LEFT, /* edges of what the rasteriser can take, not of the viewport */
   PLANE_RIGHT,
   PLANE_TOP,
   PLANE_BOTTOM,
   PLANE_DIST0, /* and seven more */
};

/* Smallest w: beyond, positions do not fit the guard band anyway. */
static const double min_w = 1e-30;
/* Room for wide lines and points. */
enum { MARGIN_PX = 128 };

static uint32_t
active_planes(const struct amd_pipeline *p)
{
   const struct amd_clip_state *c = &p->state.clip;
   uint32_t planes = 1u << PLANE_W | 1u << PLANE_LEFT | 1u << PLANE_RIGHT | 1u << PLANE_TOP | 1u << PLANE_BOTTOM;
   if (c->clip_disable)
      return planes;
   planes |= (uint32_t)p->state.geometry.clip_mask << PLANE_DIST0;
   return planes | (uint32_t)c->zclip_near << PLANE_NEAR | (uint32_t)c->zclip_far << PLANE_FAR;
}

/* Not negative on the side that stays. */
static inline double
distance(const struct amd_pipeline *p, const struct amd_viewport *vp, unsigned plane, const struct amd_clip_vertex *v)
{
   switch (plane) {
   case PLANE_W:
      return v->w - min_w;
   case PLANE_NEAR:
      return p->state.clip.dx_space ? v->z : v->z + v->w;
   case PLANE_FAR:
      return v->w - v->z;
   case PLANE_LEFT:
      return v->x * (double)vp->scale[0] + v->w * ((double)vp->offset[0] - (SIM_RASTER_MIN_PX + MARGIN_PX));
   case PLANE_RIGHT:
      return v->w * ((SIM_RASTER_MAX_PX - MARGIN_PX) - (double)vp->offset[0]) - v->x * (double)vp->scale[0];
   case PLANE_TOP:
      return v->y * (double)vp->scale[1] + v->w * ((double)vp->offset[1] - (SIM_RASTER_MIN_PX + MARGIN_PX));
   case PLANE_BOTTOM:
      return v->w * ((SIM_RASTER_MAX_PX - MARGIN_PX) - (double)vp->offset[1]) - v->y * (double)vp->scale[1];
   default: /* others: the distances of the shader */
      return (double)v->dist[plane - PLANE_DIST0];
   }
}

bool
amd_clip_needed(const struct amd_pipeline *p, const struct amd_viewport *viewport, const struct amd_clip_vertex *v,
                unsigned count)
{
   for (uint32_t planes = active_planes(p); planes; planes &= planes - 1) {
      unsigned plane = (unsigned)__builtin_ctz(planes);
      for (unsigned i = 0; i < count; i++) {
         if (!(distance(p, viewport, plane, &v[i]) >= 0.0)) /* NaN too */
            return true;
      }
   }
   return false;
}

static struct amd_clip_vertex
between(const struct amd_clip_vertex *a, const struct amd_clip_vertex *b, double t)
{
   struct amd_clip_vertex v = {
      .x = a->x + (b->x - a->x) * t, .y = a->y + (b->y - a->y) * t, .z = a->z + (b->z - a->z) * t,
      .w = a->w + (b->w - a->w) * t};
   for (unsigned i = 0; i < 8; i++)
      v.dist[i] = a->dist[i] + (b->dist[i] - a->dist[i]) * (float)t;
   return v;
}

static unsigned
clip_by_plane(const struct amd_pipeline *p, const struct amd_viewport *viewport, unsigned plane,
              const struct amd_clip_vertex *in, unsigned count, struct amd_clip_vertex *out)
{
   unsigned n = 0;
   for (unsigned i = 0; i < count; i++) {
      const struct amd_clip_vertex *a = &in[i], *b = &in[i + 1 == count ? 0 : i + 1];
      double da = distance(p, viewport, plane, a), db = distance(p, viewport, plane, b);
      if (da >= 0.0)
         out[n++] = *a;
      bool segment_end = count == 2 && i == 1; /* a line has one edge */
      if (!segment_end && ((da >= 0.0 && db < 0.0) || (da < 0.0 && db >= 0.0))) {
         /* From the inner to the outer end, so that both polygons at an edge get the same point. */
         out[n++] = da >= 0.0 ? between(a, b, da / (da - db)) : between(b, a, db / (db - da));
         if (plane >= PLANE_DIST0)
            out[n - 1].dist[plane - PLANE_DIST0] = 0.0f;
      }
   }
   return n;
}

unsigned
amd_clip_polygon(const struct amd_pipeline *p, const struct amd_viewport *viewport,
                 struct amd_clip_vertex vertices[AMD_CLIP_MAX_VERTICES], unsigned count)
{
   struct amd_clip_vertex other[AMD_CLIP_MAX_VERTICES];
   unsigned least = count < 3 ? count : 3;
   for (uint32_t planes = active_planes(p); planes && count >= least; planes &= planes - 1) {
      count = clip_by_plane(p, viewport, (unsigned)__builtin_ctz(planes), vertices, count, other);
      memcpy(vertices, other, count * sizeof(*vertices));
   }
   return count >= least ? count : 0;
}
