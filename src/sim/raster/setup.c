#include "sim/raster/setup.h"

#include <math.h>

struct sim_setup_point
sim_setup_screen(const struct sim_setup *s, const struct sim_clip_vertex *v)
{
   double x = fmin(fmax(v->x / v->w * s->scale[0] + s->offset[0], -100000.0), 100000.0);
   double y = fmin(fmax(v->y / v->w * s->scale[1] + s->offset[1], -100000.0), 100000.0);
   double steps_per_px = 1 << (s->subpixel_bits - s->snap_log2);
   int32_t step = 1 << s->snap_log2;
   return (struct sim_setup_point){(int32_t)nearbyint(x * steps_per_px) * step,
                                   (int32_t)nearbyint(y * steps_per_px) * step};
}

double
sim_setup_depth(const struct sim_setup *s, double z, double w)
{
   return z / w * s->scale[2] + s->offset[2];
}

void
sim_setup_origin(struct sim_setup *s, struct sim_setup_point at)
{
   s->origin_x = at.x >> s->subpixel_bits;
   s->origin_y = at.y >> s->subpixel_bits;
}

void
sim_setup_vertex(struct sim_setup *s, unsigned i, const struct sim_clip_vertex *v)
{
   s->X[i] = v->x * s->scale[0] + v->w * s->offset[0];
   s->Y[i] = v->y * s->scale[1] + v->w * s->offset[1];
   s->W[i] = v->w;
   s->Z[i] = v->z;
}

bool
sim_setup_across(struct sim_setup *s, bool by_axis)
{
   double dx = s->X[1] * s->W[0] - s->X[0] * s->W[1], dy = s->Y[1] * s->W[0] - s->Y[0] * s->W[1];
   if (by_axis)
      *(fabs(dx) >= fabs(dy) ? &dy : &dx) = 0.0;
   double length = hypot(dx, dy);
   if (!(length > 0.0))
      return false;
   s->X[2] = s->X[0] - dy / length * s->W[0];
   s->Y[2] = s->Y[0] + dx / length * s->W[0];
   s->W[2] = s->W[0];
   s->Z[2] = s->Z[0];
   return true;
}

double
sim_setup_area(const struct sim_setup *s)
{
   return s->X[0] * (s->Y[1] * s->W[2] - s->Y[2] * s->W[1]) - s->Y[0] * (s->X[1] * s->W[2] - s->X[2] * s->W[1]) +
          s->W[0] * (s->X[1] * s->Y[2] - s->X[2] * s->Y[1]);
}

/* The rows of the inverse of the matrix of homogeneous screen positions. */
bool
sim_setup_planes(const struct sim_setup *s, double lambda[3][3], double depth[3])
{
   const double *w = s->W;
   double x[3], y[3], z[3] = {0};
   for (unsigned i = 0; i < 3; i++) {
      x[i] = s->X[i] - s->origin_x * w[i];
      y[i] = s->Y[i] - s->origin_y * w[i];
   }
   for (unsigned i = 0; i < 3; i++) {
      unsigned j = (i + 1) % 3, k = (i + 2) % 3;
      lambda[i][0] = y[j] * w[k] - y[k] * w[j];
      lambda[i][1] = w[j] * x[k] - w[k] * x[j];
      lambda[i][2] = x[j] * y[k] - x[k] * y[j];
   }
   double det = x[0] * lambda[0][0] + y[0] * lambda[0][1] + w[0] * lambda[0][2];
   if (!(det != 0.0) || !isfinite(1.0 / det))
      return false;
   for (unsigned i = 0; i < 3; i++) {
      for (unsigned c = 0; c < 3; c++) {
         lambda[i][c] /= det;
         z[c] += lambda[i][c] * s->Z[i];
      }
   }
   for (unsigned c = 0; c < 3; c++)
      depth[c] = z[c] * s->scale[2];
   depth[2] += s->offset[2];
   return true;
}

double
sim_setup_float_unit(const struct sim_setup *s, int bits)
{
   double largest = 0.0;
   int exponent;
   for (unsigned i = 0; i < 3; i++)
      largest = fmax(largest, fabs(sim_setup_depth(s, s->Z[i], s->W[i])));
   frexp(largest, &exponent);
   return largest > 0.0 ? ldexp(1.0, exponent - 1 - bits) : 0.0;
}

double
sim_setup_depth_bias(const double depth[3], double constant, double slope_scale, double clamp)
{
   double bias = constant + slope_scale * fmax(fabs(depth[0]), fabs(depth[1]));
   return clamp > 0.0 ? fmin(bias, clamp) : clamp < 0.0 ? fmax(bias, clamp) : bias;
}

bool
sim_setup_line(const struct sim_setup *s, struct sim_setup_point a, struct sim_setup_point b, double width_px,
               bool rectangle, struct sim_setup_point corners[4])
{
   double half = width_px * (1 << s->subpixel_bits) / 2.0, dx = b.x - a.x, dy = b.y - a.y, ox = 0.0, oy = 0.0;
   if (rectangle) {
      double length = hypot(dx, dy);
      if (length == 0.0)
         return false;
      ox = -dy / length * half;
      oy = dx / length * half;
   } else if (fabs(dx) >= fabs(dy)) {
      oy = half;
   } else {
      ox = half;
   }
   int32_t x = (int32_t)nearbyint(ox), y = (int32_t)nearbyint(oy);
   corners[0] = (struct sim_setup_point){a.x - x, a.y - y};
   corners[1] = (struct sim_setup_point){b.x - x, b.y - y};
   corners[2] = (struct sim_setup_point){b.x + x, b.y + y};
   corners[3] = (struct sim_setup_point){a.x + x, a.y + y};
   return true;
}

/* From the centre of its pixel, in px. */
static double
from_centre(double px)
{
   return px - floor(px) - 0.5;
}

void
sim_setup_diamonds(const struct sim_setup *s, double width_px, struct sim_setup_point *a, struct sim_setup_point *b)
{
   double run = b->x - a->x, rise = b->y - a->y;
   bool along_x = fabs(run) >= fabs(rise);
   if (run == 0.0 && rise == 0.0)
      return;
   double shift_px = width_px > 1.0 ? (width_px - 1.0) / 2.0 : 0.0;
   struct sim_setup_point *ends[2] = {a, b};
   for (unsigned i = 0; i < 2; i++) {
      struct sim_setup_point *end = ends[i];
      double x_px = sim_setup_px(s, end->x), y_px = sim_setup_px(s, end->y);
      double dx = from_centre(x_px - (along_x ? 0.0 : shift_px)), dy = from_centre(y_px - (along_x ? shift_px : 0.0));
      if (fabs(dx) + fabs(dy) >= 0.5)
         continue;
      int32_t centre = (int32_t)nearbyint((floor(along_x ? x_px : y_px) + 0.5) * (1 << s->subpixel_bits));
      /* Coverage begins with the centre at the lower end and stops ahead of the one at the upper end. */
      centre += (along_x ? run : rise) < 0.0;
      if (along_x) {
         end->y += (int32_t)nearbyint((centre - end->x) * rise / run);
         end->x = centre;
      } else {
         end->x += (int32_t)nearbyint((centre - end->y) * run / rise);
         end->y = centre;
      }
   }
}

void
sim_setup_square(const struct sim_setup *s, struct sim_setup_point at, double width_px, double height_px,
                 struct sim_setup_point corners[4])
{
   double half_px = (1 << s->subpixel_bits) / 2.0;
   int32_t w = (int32_t)nearbyint(width_px * half_px), h = (int32_t)nearbyint(height_px * half_px);
   corners[0] = (struct sim_setup_point){at.x - w, at.y - h};
   corners[1] = (struct sim_setup_point){at.x + w, at.y - h};
   corners[2] = (struct sim_setup_point){at.x + w, at.y + h};
   corners[3] = (struct sim_setup_point){at.x - w, at.y + h};
}
