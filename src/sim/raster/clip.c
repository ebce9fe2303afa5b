#include "sim/raster/clip.h"

#include <string.h>

/* Smallest w: beyond, positions do not fit the guard band anyway. */
static const double min_w = 1e-30;
/* Room for wide lines and points. */
enum { MARGIN_PX = 128 };

/* Not negative on the side that stays. */
static inline double
distance(const struct sim_clip_volume *c, unsigned plane, const struct sim_clip_vertex *v)
{
   switch (plane) {
   case SIM_CLIP_W:
      return v->w - min_w;
   case SIM_CLIP_NEAR:
      return c->zero_to_one ? v->z : v->z + v->w;
   case SIM_CLIP_FAR:
      return v->w - v->z;
   case SIM_CLIP_LEFT:
      return v->x * (double)c->scale[0] + v->w * ((double)c->offset[0] - (c->low_px[0] + MARGIN_PX));
   case SIM_CLIP_RIGHT:
      return v->w * ((c->high_px[0] - MARGIN_PX) - (double)c->offset[0]) - v->x * (double)c->scale[0];
   case SIM_CLIP_TOP:
      return v->y * (double)c->scale[1] + v->w * ((double)c->offset[1] - (c->low_px[1] + MARGIN_PX));
   case SIM_CLIP_BOTTOM:
      return v->w * ((c->high_px[1] - MARGIN_PX) - (double)c->offset[1]) - v->y * (double)c->scale[1];
   default: /* others: the distances of the shader */
      return (double)v->dist[plane - SIM_CLIP_DIST0];
   }
}

bool
sim_clip_needed(const struct sim_clip_volume *c, const struct sim_clip_vertex *v, unsigned count)
{
   for (uint32_t planes = c->planes; planes; planes &= planes - 1) {
      unsigned plane = (unsigned)__builtin_ctz(planes);
      for (unsigned i = 0; i < count; i++) {
         if (!(distance(c, plane, &v[i]) >= 0.0)) /* NaN too */
            return true;
      }
   }
   return false;
}

static struct sim_clip_vertex
between(const struct sim_clip_vertex *a, const struct sim_clip_vertex *b, double t)
{
   struct sim_clip_vertex v = {.x = a->x + (b->x - a->x) * t,
                               .y = a->y + (b->y - a->y) * t,
                               .z = a->z + (b->z - a->z) * t,
                               .w = a->w + (b->w - a->w) * t};
   for (unsigned i = 0; i < SIM_CLIP_DISTANCES; i++)
      v.dist[i] = a->dist[i] + (b->dist[i] - a->dist[i]) * (float)t;
   return v;
}

static unsigned
clip_by_plane(const struct sim_clip_volume *c, unsigned plane, const struct sim_clip_vertex *in, unsigned count,
              struct sim_clip_vertex *out)
{
   unsigned n = 0;
   for (unsigned i = 0; i < count; i++) {
      const struct sim_clip_vertex *a = &in[i], *b = &in[i + 1 == count ? 0 : i + 1];
      double da = distance(c, plane, a), db = distance(c, plane, b);
      if (da >= 0.0)
         out[n++] = *a;
      bool segment_end = count == 2 && i == 1; /* a line has one edge */
      if (!segment_end && ((da >= 0.0 && db < 0.0) || (da < 0.0 && db >= 0.0))) {
         /* From the inner to the outer end, so that both polygons at an edge get the same point. */
         out[n++] = da >= 0.0 ? between(a, b, da / (da - db)) : between(b, a, db / (db - da));
         if (plane >= SIM_CLIP_DIST0)
            out[n - 1].dist[plane - SIM_CLIP_DIST0] = 0.0f;
      }
   }
   return n;
}

unsigned
sim_clip_polygon(const struct sim_clip_volume *c, struct sim_clip_vertex vertices[SIM_CLIP_MAX_VERTICES],
                 unsigned count)
{
   struct sim_clip_vertex other[SIM_CLIP_MAX_VERTICES];
   unsigned least = count < 3 ? count : 3;
   for (uint32_t planes = c->planes; planes && count >= least; planes &= planes - 1) {
      count = clip_by_plane(c, (unsigned)__builtin_ctz(planes), vertices, count, other);
      memcpy(vertices, other, count * sizeof(*vertices));
   }
   return count >= least ? count : 0;
}
