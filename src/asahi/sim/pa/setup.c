#include "asahi/sim/pa/setup.h"

#include <math.h>
#include <string.h>

#include "util/macros.h"

/* Of what each vertex adds, over w, and of depth. */
static bool
set_planes(struct pa_setup *s)
{
   struct agx_prim_planes *p = &s->planes;
   if (!sim_setup_planes(&s->at, p->lambda, p->z))
      return false;
   memcpy(p->w, s->at.W, sizeof(p->w));
   memcpy(s->prim.z, p->z, sizeof(p->z));
   return true;
}

/* In units of the largest depth's last place (24 bits); dbias_is_int says 2^-16. */
static void
add_depth_bias(struct pa_setup *s)
{
   const struct agx_draw_state *state = s->render->state;
   if (!state->fragment_control.depth_bias_enable && !state->fragment_control_2.depth_bias_enable)
      return;
   double unit = s->render->command->flag_dbias_is_int ? ldexp(1.0, -16) : sim_setup_float_unit(&s->at, 23);
   s->prim.z[2] += sim_setup_depth_bias(s->prim.z, (double)state->depth_bias.depth_bias * unit,
                                        (double)state->depth_bias.slope_scale, (double)state->depth_bias.clamp);
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
emit_polygon(struct pa_setup *s, const struct sim_setup_point *at, unsigned count)
{
   struct agx_prim prim = s->prim;
   int32_t x[4], y[4];
   prim.origin_x = s->at.origin_x;
   prim.origin_y = s->at.origin_y;
   for (unsigned i = 0; i < count; i++)
      x[i] = at[i].x, y[i] = at[i].y;
   if (!sim_raster_setup(&prim.poly, s->at.subpixel_bits, x, y, count) || !set_area(s, &prim))
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

/* An edge of a polygon, or a line primitive: planes are set. A rectangle with several samples, else, and where the
 * state says so, along an axis. */
static void
clip_and_emit_line(struct pa_setup *s, const struct sim_clip_vertex *a, const struct sim_clip_vertex *b)
{
   struct sim_clip_vertex v[SIM_CLIP_MAX_VERTICES] = {*a, *b};
   if (sim_clip_needed(&s->clip, v, 2) && !sim_clip_polygon(&s->clip, v, 2))
      return;
   struct sim_setup_point corners[4];
   if (sim_setup_line(&s->at, sim_setup_screen(&s->at, &v[0]), sim_setup_screen(&s->at, &v[1]), line_width_px(s),
                      s->render->samples > 1 && !s->prim.whole_pixels, corners))
      emit_polygon(s, corners, 4);
}

static void
emit_square(struct pa_setup *s, const struct sim_clip_vertex *v, double size_px)
{
   if (sim_clip_needed(&s->clip, v, 1))
      return;
   struct sim_setup_point corners[4];
   sim_setup_square(&s->at, sim_setup_screen(&s->at, v), size_px, size_px, corners);
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
   struct sim_setup_point at = sim_setup_screen(&s->at, v);
   sim_setup_origin(&s->at, at);
   struct agx_prim_planes *p = &s->planes;
   *p = (struct agx_prim_planes){.lambda[0][2] = one_w, .w = {v->w, v->w, v->w}};
   p->z[2] = s->prim.z[2] = sim_setup_depth(&s->at, v->z, v->w);
   double left = sim_setup_px(&s->at, at.x) - s->at.origin_x - size / 2.0;
   double top = sim_setup_px(&s->at, at.y) - s->at.origin_y - size / 2.0;
   bool up = s->render->state->front_face_2.object_type == AGX_OBJECT_TYPE_POINT_SPRITE_UV10;
   double down = up ? -1.0 : 1.0;
   p->point_coord[0][0] = 1.0 / size;
   p->point_coord[0][2] = -left / size;
   p->point_coord[1][1] = down / size;
   p->point_coord[1][2] = up ? 1.0 + top / size : -top / size;
   s->prim.front = true;
   emit_square(s, v, size);
}

void
pa_setup_line(struct pa_setup *s, const struct sim_clip_vertex v[3])
{
   sim_setup_vertex(&s->at, 0, &v[0]);
   sim_setup_vertex(&s->at, 1, &v[1]);
   if (!sim_setup_across(&s->at, false))
      return;
   struct agx_prim_in in = *s->in;
   in.vertex[2] = in.vertex[0];
   s->in = &in;
   s->prim.front = true;
   s->prim.whole_pixels = s->render->state->cull.primitive_msaa;
   if (v[0].w > 0.0)
      sim_setup_origin(&s->at, sim_setup_screen(&s->at, &v[0]));
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
      sim_setup_vertex(&s->at, i, &v[i]);
   double area = sim_setup_area(&s->at);
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
   struct sim_setup_point at[SIM_CLIP_MAX_VERTICES];
   for (unsigned i = 0; i < count; i++)
      at[i] = sim_setup_screen(&s->at, &clipped[i]);
   sim_setup_origin(&s->at, at[0]);
   if (!set_planes(s))
      return;
   add_depth_bias(s);
   enum agx_polygon_mode mode = s->prim.front ? state->front_face.polygon_mode : state->back_face.polygon_mode;
   if (mode != AGX_POLYGON_MODE_FILL) {
      emit_outline(s, v, mode);
      return;
   }
   for (unsigned i = 1; i + 1 < count; i++) {
      const struct sim_setup_point corners[3] = {at[0], at[i], at[i + 1]};
      emit_polygon(s, corners, 3);
   }
}
