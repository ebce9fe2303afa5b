#include "asahi/sim/pa/setup.h"

#include <math.h>

#include "util/macros.h"

struct screen {
   int32_t x256, y256;
};

static struct screen
to_screen(const struct pa_setup *s, const struct sim_clip_vertex *v)
{
   double x = v->x / v->w * (double)s->viewport->scale_x + (double)s->viewport->translate_x;
   double y = v->y / v->w * (double)s->viewport->scale_y + (double)s->viewport->translate_y;
   /* Far outside of the guard band all positions are alike; NaN too. */
   x = fmin(fmax(x, -100000.0), 100000.0);
   y = fmin(fmax(y, -100000.0), 100000.0);
   return (struct screen){(int32_t)nearbyint(x * 256.0), (int32_t)nearbyint(y * 256.0)};
}

static double
window_z(const struct pa_setup *s, double z, double w)
{
   return z / w * (double)s->viewport->scale_z + (double)s->viewport->translate_z;
}

static void
set_homogeneous(struct pa_setup *s, unsigned i, const struct sim_clip_vertex *v)
{
   s->X[i] = v->x * (double)s->viewport->scale_x + v->w * (double)s->viewport->translate_x;
   s->Y[i] = v->y * (double)s->viewport->scale_y + v->w * (double)s->viewport->translate_y;
   s->W[i] = v->w;
   s->Z[i] = v->z;
}

static double
determinant(const struct pa_setup *s)
{
   return s->X[0] * (s->Y[1] * s->W[2] - s->Y[2] * s->W[1]) - s->Y[0] * (s->X[1] * s->W[2] - s->X[2] * s->W[1]) +
          s->W[0] * (s->X[1] * s->Y[2] - s->X[2] * s->Y[1]);
}

static void
set_origin(struct pa_setup *s, struct screen at)
{
   s->prim.origin_x = at.x256 >> 8;
   s->prim.origin_y = at.y256 >> 8;
}

/* Planes of what each vertex adds, over w: the rows of the inverse of the matrix of homogeneous screen positions. */
static bool
set_planes(struct pa_setup *s)
{
   struct agx_prim_planes *p = &s->planes;
   double x[3], y[3];
   for (unsigned i = 0; i < 3; i++) {
      x[i] = s->X[i] - s->prim.origin_x * s->W[i];
      y[i] = s->Y[i] - s->prim.origin_y * s->W[i];
      p->w[i] = s->W[i];
   }
   const double *w = s->W;
   for (unsigned i = 0; i < 3; i++) {
      unsigned j = (i + 1) % 3, k = (i + 2) % 3;
      p->lambda[i][0] = y[j] * w[k] - y[k] * w[j];
      p->lambda[i][1] = w[j] * x[k] - w[k] * x[j];
      p->lambda[i][2] = x[j] * y[k] - x[k] * y[j];
   }
   double det = x[0] * p->lambda[0][0] + y[0] * p->lambda[0][1] + w[0] * p->lambda[0][2];
   if (!(det != 0.0) || !isfinite(1.0 / det))
      return false;
   double z[3] = {0};
   for (unsigned i = 0; i < 3; i++) {
      for (unsigned c = 0; c < 3; c++) {
         p->lambda[i][c] /= det;
         z[c] += p->lambda[i][c] * s->Z[i];
      }
   }
   for (unsigned c = 0; c < 3; c++)
      p->z[c] = s->prim.z[c] = z[c] * (double)s->viewport->scale_z;
   p->z[2] = s->prim.z[2] += (double)s->viewport->translate_z;
   return true;
}

/* The unit of floats follows the largest depth of the primitive (Vulkan 1.3, 28.10.3), and dbias_is_int says 2^-16.
 */
static void
add_depth_bias(struct pa_setup *s)
{
   const struct agx_draw_state *state = s->render->state;
   if (!state->fragment_control.depth_bias_enable && !state->fragment_control_2.depth_bias_enable)
      return;
   double slope = fmax(fabs(s->prim.z[0]), fabs(s->prim.z[1])), unit = ldexp(1.0, -16);
   if (!s->render->command->flag_dbias_is_int) {
      double largest = 0.0;
      int exponent;
      for (unsigned i = 0; i < 3; i++)
         largest = fmax(largest, fabs(window_z(s, s->Z[i], s->W[i])));
      frexp(largest, &exponent);
      unit = largest > 0.0 ? ldexp(1.0, exponent - 1 - 23) : 0.0;
   }
   double bias = (double)state->depth_bias.depth_bias * unit + (double)state->depth_bias.slope_scale * slope;
   double clamp = (double)state->depth_bias.clamp;
   if (clamp > 0.0)
      bias = fmin(bias, clamp);
   else if (clamp < 0.0)
      bias = fmax(bias, clamp);
   s->prim.z[2] += bias;
}

/* Bounds within the scissor; false if empty. */
static bool
set_area(const struct pa_setup *s, struct agx_prim *prim)
{
   prim->area.x0 = MAX2(prim->poly.min_x_px, s->scissor.x0);
   prim->area.y0 = MAX2(prim->poly.min_y_px, s->scissor.y0);
   prim->area.x1 = MIN2(prim->poly.max_x_px + 1, s->scissor.x1);
   prim->area.y1 = MIN2(prim->poly.max_y_px + 1, s->scissor.y1);
   return prim->area.x0 < prim->area.x1 && prim->area.y0 < prim->area.y1;
}

static void
make_coefficients(struct pa_setup *s)
{
   const struct agx_render *r = s->render;
   uint32_t count = dynarray_at(&r->draws, struct agx_drawn, s->prim.draw)->coefficient_count;
   size_t first = dynarray_count(&s->out->coefficients, struct agx_wave_coefficients);
   s->prim.coefficients = (uint32_t)first;
   s->has_coefficients = true;
   struct agx_wave_coefficients *out = dynarray_grow(&s->out->coefficients, count * sizeof(*out));
   for (uint32_t i = 0; i < count; i++)
      out[i] = (struct agx_wave_coefficients){NAN, NAN, NAN}; /* what no binding fills */
   agx_coefficients_set(r, s->in, &s->planes, out);
}

static void
emit_polygon(struct pa_setup *s, const struct screen *at, unsigned count)
{
   struct agx_prim prim = s->prim;
   int32_t x[4], y[4];
   for (unsigned i = 0; i < count; i++)
      x[i] = at[i].x256, y[i] = at[i].y256;
   if (!sim_raster_setup(&prim.poly, x, y, count) || !set_area(s, &prim))
      return;
   if (!s->has_coefficients)
      make_coefficients(s);
   prim.coefficients = s->prim.coefficients;
   dynarray_append(&s->out->prims, struct agx_prim, prim);
}

static double
line_width_px(const struct pa_setup *s)
{
   return (double)s->render->state->front_face.line_width_px;
}

/* A line between two screen points: a rectangle with several samples, else, and where the state says so, a
 * parallelogram along an axis. */
static void
emit_line(struct pa_setup *s, struct screen a, struct screen b)
{
   double width = line_width_px(s) * 128.0, dx = b.x256 - a.x256, dy = b.y256 - a.y256, ox = 0.0, oy = 0.0;
   if (s->render->samples > 1 && !s->prim.whole_pixels) {
      double length = hypot(dx, dy);
      if (length == 0.0)
         return;
      ox = -dy / length * width;
      oy = dx / length * width;
   } else if (fabs(dx) >= fabs(dy)) {
      oy = width;
   } else {
      ox = width;
   }
   int32_t wx = (int32_t)nearbyint(ox), wy = (int32_t)nearbyint(oy);
   const struct screen corners[4] = {
      {a.x256 - wx, a.y256 - wy}, {b.x256 - wx, b.y256 - wy}, {b.x256 + wx, b.y256 + wy}, {a.x256 + wx, a.y256 + wy}};
   emit_polygon(s, corners, 4);
}

/* An edge of a polygon, or a line primitive: planes are set. */
static void
clip_and_emit_line(struct pa_setup *s, const struct sim_clip_vertex *a, const struct sim_clip_vertex *b)
{
   struct sim_clip_vertex v[SIM_CLIP_MAX_VERTICES] = {*a, *b};
   if (sim_clip_needed(&s->clip, v, 2) && !sim_clip_polygon(&s->clip, v, 2))
      return;
   emit_line(s, to_screen(s, &v[0]), to_screen(s, &v[1]));
}

static void
emit_square(struct pa_setup *s, const struct sim_clip_vertex *v, double size_px)
{
   if (sim_clip_needed(&s->clip, v, 1))
      return;
   struct screen at = to_screen(s, v);
   int32_t half = (int32_t)nearbyint(size_px * 128.0);
   const struct screen corners[4] = {{at.x256 - half, at.y256 - half},
                                     {at.x256 + half, at.y256 - half},
                                     {at.x256 + half, at.y256 + half},
                                     {at.x256 - half, at.y256 + half}};
   emit_polygon(s, corners, 4);
}

/* What a vertex says, between what hardware draws (assumed); 1 if it says nothing. */
static double
point_size_px(const struct pa_setup *s, uint32_t vertex)
{
   uint32_t word = s->render->layout.point_size;
   double size = word ? (double)agx_vertex(s->render, vertex)[word] : 1.0;
   return size >= 1.0 ? fmin(size, 511.95) : 1.0;
}

void
pa_setup_point(struct pa_setup *s, const struct sim_clip_vertex v[3])
{
   if (!(v->w > 0.0))
      return;
   double size = point_size_px(s, s->in->vertex[0]), one_w = 1.0 / v->w;
   struct screen at = to_screen(s, v);
   set_origin(s, at);
   struct agx_prim_planes *p = &s->planes;
   *p = (struct agx_prim_planes){.lambda[0][2] = one_w, .w = {v->w, v->w, v->w}};
   p->z[2] = s->prim.z[2] = window_z(s, v->z, v->w);
   double left = at.x256 / 256.0 - s->prim.origin_x - size / 2.0;
   double top = at.y256 / 256.0 - s->prim.origin_y - size / 2.0;
   bool up = s->render->state->front_face_2.object_type == AGX_OBJECT_TYPE_POINT_SPRITE_UV10;
   double down = up ? -1.0 : 1.0;
   p->point_coord[0][0] = 1.0 / size;
   p->point_coord[0][2] = -left / size;
   p->point_coord[1][1] = down / size;
   p->point_coord[1][2] = up ? 1.0 + top / size : -top / size;
   s->prim.front = true;
   set_homogeneous(s, 0, v);
   s->Z[1] = s->Z[2] = s->Z[0];
   s->W[1] = s->W[2] = s->W[0];
   emit_square(s, v, size);
}

void
pa_setup_line(struct pa_setup *s, const struct sim_clip_vertex v[3])
{
   set_homogeneous(s, 0, &v[0]);
   set_homogeneous(s, 1, &v[1]);
   /* A third point across the line with the attributes of the first: nothing varies that way. */
   double dx = s->X[1] * s->W[0] - s->X[0] * s->W[1], dy = s->Y[1] * s->W[0] - s->Y[0] * s->W[1];
   double length = hypot(dx, dy);
   if (!(length > 0.0))
      return;
   s->X[2] = s->X[0] - dy / length * s->W[0];
   s->Y[2] = s->Y[0] + dx / length * s->W[0];
   s->W[2] = s->W[0];
   s->Z[2] = s->Z[0];
   struct agx_prim_in in = *s->in;
   in.vertex[2] = in.vertex[0];
   s->in = &in;
   s->prim.front = true;
   s->prim.whole_pixels = s->render->state->cull.primitive_msaa;
   if (v[0].w > 0.0)
      set_origin(s, to_screen(s, &v[0]));
   if (set_planes(s)) {
      add_depth_bias(s);
      clip_and_emit_line(s, &v[0], &v[1]);
   }
}

/* Edges or corners of a triangle in the other modes. */
static void
emit_outline(struct pa_setup *s, const struct sim_clip_vertex v[3], enum agx_polygon_mode mode)
{
   for (unsigned i = 0; i < 3; i++) {
      if (mode == AGX_POLYGON_MODE_LINE)
         clip_and_emit_line(s, &v[i], &v[(i + 1) % 3]);
      else
         emit_square(s, &v[i], point_size_px(s, s->in->vertex[i]));
   }
}

void
pa_setup_triangle(struct pa_setup *s, const struct sim_clip_vertex v[3])
{
   const struct agx_draw_state *state = s->render->state;
   for (unsigned i = 0; i < 3; i++)
      set_homogeneous(s, i, &v[i]);
   double area = determinant(s);
   bool clockwise = (area > 0.0) != s->in->flipped;
   s->prim.front = clockwise != state->cull.front_face_ccw;
   if (!(area != 0.0) || (s->prim.front ? state->cull.cull_front : state->cull.cull_back))
      return;
   struct sim_clip_vertex clipped[SIM_CLIP_MAX_VERTICES] = {v[0], v[1], v[2]};
   unsigned count = 3;
   if (sim_clip_needed(&s->clip, v, 3))
      count = sim_clip_polygon(&s->clip, clipped, 3);
   if (!count)
      return;
   struct screen at[SIM_CLIP_MAX_VERTICES];
   for (unsigned i = 0; i < count; i++)
      at[i] = to_screen(s, &clipped[i]);
   set_origin(s, at[0]);
   if (!set_planes(s))
      return;
   add_depth_bias(s);
   enum agx_polygon_mode mode = s->prim.front ? state->front_face.polygon_mode : state->back_face.polygon_mode;
   if (mode != AGX_POLYGON_MODE_FILL) {
      emit_outline(s, v, mode);
      return;
   }
   for (unsigned i = 1; i + 1 < count; i++) {
      const struct screen corners[3] = {at[0], at[i], at[i + 1]};
      emit_polygon(s, corners, 3);
   }
}
