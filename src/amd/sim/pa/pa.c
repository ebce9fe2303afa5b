/* Primitive assembly: culling, viewport, setup of edges and interpolation planes. */
#include "amd/sim/pa/pa_private.h"

#include <math.h>
#include <string.h>

#include "amd/hw/registers.h"
#include "sim/raster/setup.h"
#include "util/macros.h"
#include "util/within_memory.h"

enum { PRIMS_PER_TASK = 512 };

/* One primitive on its way to setup. */
struct setup {
   const struct amd_pipeline *p;
   struct dynarray *out; /* struct amd_prim */
   const struct amd_viewport *viewport;
   struct sim_clip_volume clip;
   struct sim_setup at;  /* on the screen: P0 P1 P2 */
   uint8_t edges;        /* bit i: outlines show vertex i and the edge that it starts */
   bool starts;          /* the next line is the first of a pattern */
   struct amd_prim prim; /* what all its polygons share, but for the origin */
};

/* Lines; others have diamonds. */
static bool
are_rectangles(const struct amd_pipeline *p)
{
   return p->state.samples.log2 || p->state.clip.square_ends;
}

/* In clip space, whatever the vertex shader has divided already. */
static struct sim_clip_vertex
load_vertex(const struct amd_pipeline *p, uint32_t vertex)
{
   const struct amd_clip_state *c = &p->state.clip;
   const float *data = amd_vertex(p, vertex);
   double w = c->w_is_inverse ? 1.0 / (double)data[3] : (double)data[3];
   double xy_by = c->xy_divided ? w : 1.0, z_by = c->z_divided ? w : 1.0;
   struct sim_clip_vertex v = {
      .x = (double)data[0] * xy_by, .y = (double)data[1] * xy_by, .z = (double)data[2] * z_by, .w = w};
   memcpy(v.dist, data + AMD_VERTEX_DIST, sizeof(v.dist));
   for (unsigned mask = c->plane_mask; mask; mask &= mask - 1) {
      unsigned i = (unsigned)__builtin_ctz(mask);
      const float *plane = c->planes[i];
      v.dist[i] =
         (float)(v.x * (double)plane[0] + v.y * (double)plane[1] + v.z * (double)plane[2] + v.w * (double)plane[3]);
   }
   return v;
}

/* Whether a vertex says that it starts an edge of the outline. */
static bool
starts_edge(const struct amd_pipeline *p, uint32_t vertex)
{
   uint32_t bits;
   memcpy(&bits, amd_vertex(p, vertex) + AMD_VERTEX_MISC + 1, 4);
   return !p->state.geometry.use_edge_flag || bits & 1;
}

/* A triangle's provoking vertex goes first, the others keep their order around it; lines keep theirs, and
 * their second one is the third, too. Source: AMD's LLPC and Mesa's RADV, where they make barycentric coordinates of
 * the API: those of lines need no turn, and add I and J. */
static void
choose_corners(struct setup *s, const struct amd_prim_out *in)
{
   unsigned count = amd_prim_vertices(s->p->kind);
   unsigned first = s->p->state.clip.provoking_last && s->p->kind == AMD_PRIM_TRIANGLE ? count - 1 : 0;
   s->prim.provoking = s->p->state.clip.provoking_last && s->p->kind == AMD_PRIM_LINE;
   for (unsigned i = 0; i < AMD_PRIM_VERTICES; i++) {
      unsigned from = (first + MIN2(i, count - 1)) % count;
      s->prim.vertex[i] = in->vertex[from];
      s->edges |= (uint8_t)((in->edges >> from & starts_edge(s->p, in->vertex[from])) << i);
   }
}

/* Layer and viewport from the provoking vertex, or of the primitive. False if the primitive has no place. */
static bool
choose_target(struct setup *s, uint32_t vertex, uint32_t payload)
{
   const struct amd_geometry_state *g = &s->p->state.geometry;
   uint32_t bits = 0;
   memcpy(&bits, amd_vertex(s->p, vertex) + AMD_VERTEX_MISC + 2, 4);
   uint32_t layer = bits & 0x7ff, viewport = bits >> 16 & 15;
   if (g->path == AMD_VERTEX_PATH_NGG && s->p->state.ngg.payload) {
      layer = s->p->gpu->model->traits->payload_layer_first ? payload & 0x1fff : payload >> 17 & 7;
      viewport = payload >> 20 & 15;
   }
   s->prim.layer = g->use_layer ? (uint16_t)layer : 0;
   s->prim.viewport = g->use_viewport ? (uint8_t)viewport : 0;
   uint32_t rate_bits = 0;
   memcpy(&rate_bits, amd_vertex(s->p, vertex) + AMD_VERTEX_MISC + 1, 4);
   s->prim.rate = amd_shading_rate_of(&s->p->state.rate, rate_bits, payload);
   s->viewport = &s->p->state.viewports[s->prim.viewport];
   return s->viewport->scissor.x0 < s->viewport->scissor.x1 && s->viewport->scissor.y0 < s->viewport->scissor.y1;
}

static void
set_viewport(struct setup *s)
{
   const struct amd_viewport *vp = s->viewport;
   double center = (double)s->p->state.clip.pixel_center;
   s->at = (struct sim_setup){
      .subpixel_bits = s->p->state.clip.subpixel_bits,
      .snap_log2 = s->p->state.clip.snap_log2,
      .scale = {(double)vp->scale[0], (double)vp->scale[1], (double)vp->scale[2]},
      .offset = {(double)vp->offset[0] + center, (double)vp->offset[1] + center, (double)vp->offset[2]},
   };
}

static struct sim_clip_volume
clip_volume(const struct amd_draw_state *state, const struct amd_viewport *vp)
{
   const struct amd_clip_state *c = &state->clip;
   struct sim_clip_volume volume = {.scale = {vp->scale[0], vp->scale[1]},
                                    .offset = {vp->offset[0], vp->offset[1]},
                                    .low_px = {c->low_px[0], c->low_px[1]},
                                    .high_px = {c->high_px[0], c->high_px[1]},
                                    .planes = SIM_CLIP_ALWAYS,
                                    .zero_to_one = c->dx_space};
   if (!c->clip_disable)
      volume.planes |= (uint32_t)(state->geometry.clip_mask | (c->planes_cull ? 0 : c->plane_mask))
                          << SIM_CLIP_DIST0 |
                       (uint32_t)c->zclip_near << SIM_CLIP_NEAR | (uint32_t)c->zclip_far << SIM_CLIP_FAR;
   return volume;
}

static bool
cull_by_distance(const struct setup *s, const struct sim_clip_vertex *v, unsigned count)
{
   const struct amd_clip_state *c = &s->p->state.clip;
   for (unsigned mask = s->p->state.geometry.cull_mask | (c->planes_cull ? c->plane_mask : 0); mask;
        mask &= mask - 1) {
      unsigned i = (unsigned)__builtin_ctz(mask), outside = 0;
      for (unsigned k = 0; k < count; k++)
         outside += !(v[k].dist[i] >= 0.0f);
      if (outside == count)
         return true;
   }
   return false;
}

/* From what each vertex adds, over w. */
static void
put_planes(struct setup *s, double plane[3][3], const double z[3], const double w[3])
{
   struct amd_prim *prim = &s->prim;
   double sum[3];
   for (unsigned c = 0; c < 3; c++)
      sum[c] = plane[0][c] + plane[1][c] + plane[2][c];
   prim->i_w = (struct amd_plane){(float)plane[1][0], (float)plane[1][1], (float)plane[1][2]};
   prim->j_w = (struct amd_plane){(float)plane[2][0], (float)plane[2][1], (float)plane[2][2]};
   prim->one_w = (struct amd_plane){(float)sum[0], (float)sum[1], (float)sum[2]};
   prim->i_linear =
      (struct amd_plane){(float)(plane[1][0] * w[1]), (float)(plane[1][1] * w[1]), (float)(plane[1][2] * w[1])};
   prim->j_linear =
      (struct amd_plane){(float)(plane[2][0] * w[2]), (float)(plane[2][1] * w[2]), (float)(plane[2][2] * w[2])};
   prim->z = (struct amd_plane_z){z[0], z[1], z[2]};
   if (s->p->state.clip.no_perspective) {
      prim->i_w = prim->i_linear;
      prim->j_w = prim->j_linear;
      prim->one_w = (struct amd_plane){0.0f, 0.0f, 1.0f};
   }
}

static bool
set_planes(struct setup *s)
{
   double plane[3][3], z[3];
   if (!sim_setup_planes(&s->at, plane, z))
      return false;
   put_planes(s, plane, z, s->at.W);
   return true;
}

/* From vertex i to j, which are set up as the first two: nothing varies across. */
static bool
set_planes_along(struct setup *s, unsigned i, unsigned j, const double w[3])
{
   double across[3][3], plane[3][3] = {{0}}, z[3];
   if (!sim_setup_planes(&s->at, across, z))
      return false;
   for (unsigned c = 0; c < 3; c++) {
      plane[i][c] = across[0][c] + across[2][c];
      plane[j][c] = across[1][c];
   }
   put_planes(s, plane, z, w);
   return true;
}

/* Of a triangle's edge. */
static bool
set_edge_planes(struct setup *s, const struct sim_clip_vertex v[3], unsigned i, unsigned j)
{
   const double w[3] = {v[0].w, v[1].w, v[2].w};
   sim_setup_vertex(&s->at, 0, &v[i]);
   sim_setup_vertex(&s->at, 1, &v[j]);
   return sim_setup_across(&s->at, !are_rectangles(s->p)) && set_planes_along(s, i, j, w);
}

/* Of a triangle's corner: nothing varies. */
static bool
set_corner_planes(struct setup *s, const struct sim_clip_vertex v[3], unsigned i)
{
   double plane[3][3] = {{0}};
   const double w[3] = {v[0].w, v[1].w, v[2].w};
   if (!(w[i] > 0.0))
      return false;
   plane[i][2] = 1.0 / w[i];
   const double z[3] = {0.0, 0.0, sim_setup_depth(&s->at, v[i].z, w[i])};
   put_planes(s, plane, z, w);
   return true;
}

/* What is added to the depth of the whole primitive, outlines too: its planes are set. */
static double
depth_bias(const struct setup *s)
{
   const struct amd_clip_state *c = &s->p->state.clip;
   bool front = s->prim.front;
   if (s->prim.kind == AMD_PRIM_TRIANGLE ? !(front ? c->bias_front : c->bias_back) : !c->bias_other)
      return 0.0;
   unsigned face = front ? 0 : 1;
   double unit = (double)c->bias_unit * (c->bias_float ? sim_setup_float_unit(&s->at, 0) : 1.0);
   const double z[3] = {s->prim.z.a, s->prim.z.b, s->prim.z.c};
   return sim_setup_depth_bias(z, (double)c->bias_offset[face] * unit, (double)c->bias_scale[face],
                               (double)c->bias_clamp);
}

/* Bounds within the scissor; false if empty. */
static bool
set_area(struct setup *s, struct amd_prim *prim)
{
   const struct amd_rect *scissor = &s->viewport->scissor;
   prim->area.x0 = MAX2(prim->poly.min_x_px, scissor->x0);
   prim->area.y0 = MAX2(prim->poly.min_y_px, scissor->y0);
   prim->area.x1 = MIN2(prim->poly.max_x_px + 1, scissor->x1);
   prim->area.y1 = MIN2(prim->poly.max_y_px + 1, scissor->y1);
   return prim->area.x0 < prim->area.x1 && prim->area.y0 < prim->area.y1;
}

/* inner_edges: of sim_raster_estimate(). */
static void
emit_part(struct setup *s, const struct sim_setup_point *at, unsigned count, unsigned inner_edges)
{
   struct amd_prim prim = s->prim;
   int32_t x[4], y[4];
   prim.origin_x = s->at.origin_x;
   prim.origin_y = s->at.origin_y;
   for (unsigned i = 0; i < count; i++)
      x[i] = at[i].x, y[i] = at[i].y;
   if (!(prim.estimated ? sim_raster_estimate(&prim.poly, s->at.subpixel_bits, x, y, count, inner_edges,
                                              s->p->state.samples.estimate == AMD_ESTIMATE_OVER)
                        : sim_raster_setup(&prim.poly, s->at.subpixel_bits, x, y, count)))
      return;
   /* A line that nobody sees has its part of the pattern. */
   if (set_area(s, &prim) || prim.stipple.length > 0.0)
      dynarray_append(s->out, struct amd_prim, prim);
}

static void
emit_polygon(struct setup *s, const struct sim_setup_point *at, unsigned count)
{
   emit_part(s, at, count, 0);
}

/* How far a pixel is along the line: by its longer axis if the line is along one. */
static void
set_stipple(struct setup *s, struct sim_setup_point a, struct sim_setup_point b)
{
   const struct amd_stipple_state *state = &s->p->state.stipple;
   double ax = sim_setup_px(&s->at, a.x), ay = sim_setup_px(&s->at, a.y);
   double dx = sim_setup_px(&s->at, b.x) - ax, dy = sim_setup_px(&s->at, b.y) - ay;
   if (!are_rectangles(s->p) && !state->along)
      *(fabs(dx) >= fabs(dy) ? &dy : &dx) = 0.0;
   double length = hypot(dx, dy);
   s->prim.stipple = (struct amd_prim_stipple){.length = length, .starts = s->starts};
   s->starts = false;
   if (length > 0.0)
      s->prim.stipple.along =
         (struct amd_plane){(float)(dx / length), (float)(dy / length),
                            (float)((dx * (s->at.origin_x - ax) + dy * (s->at.origin_y - ay)) / length)};
}

/* An edge of a polygon, or a line primitive: planes are set. */
static void
clip_and_emit_line(struct setup *s, const struct sim_clip_vertex *a, const struct sim_clip_vertex *b)
{
   struct sim_clip_vertex v[SIM_CLIP_MAX_VERTICES] = {*a, *b};
   if (sim_clip_needed(&s->clip, v, 2) && !sim_clip_polygon(&s->clip, v, 2))
      return;
   struct sim_setup_point corners[4], from = sim_setup_screen(&s->at, &v[0]), to = sim_setup_screen(&s->at, &v[1]);
   if (s->p->state.stipple.enable)
      set_stipple(s, from, to);
   if (!are_rectangles(s->p))
      sim_setup_diamonds(&s->at, (double)s->p->state.clip.line_width, &from, &to);
   if (sim_setup_line(&s->at, from, to, (double)s->p->state.clip.line_width, are_rectangles(s->p), corners))
      emit_polygon(s, corners, 4);
}

/* A square of the given size in px around the point. */
static void
emit_square(struct setup *s, const struct sim_clip_vertex *v, float width_px, float height_px)
{
   if (sim_clip_needed(&s->clip, v, 1))
      return;
   struct sim_setup_point corners[4];
   sim_setup_square(&s->at, sim_setup_screen(&s->at, v), (double)width_px, (double)height_px, corners);
   emit_polygon(s, corners, 4);
}

static float
clamp_size(float size, float min, float max)
{
   return size < min ? min : size > max ? max : size;
}

/* I runs from the left to the right edge of a point, J from the top to the bottom. */
static void
set_point_planes(struct setup *s, const struct sim_clip_vertex *v, float width, float height)
{
   struct sim_setup_point at = sim_setup_screen(&s->at, v);
   double one_w = 1.0 / v->w, left = sim_setup_px(&s->at, at.x) - s->at.origin_x - (double)width / 2.0;
   double top = sim_setup_px(&s->at, at.y) - s->at.origin_y - (double)height / 2.0;
   s->prim.i_linear = (struct amd_plane){1.0f / width, 0.0f, (float)(-left / (double)width)};
   s->prim.j_linear = (struct amd_plane){0.0f, 1.0f / height, (float)(-top / (double)height)};
   s->prim.i_w = (struct amd_plane){(float)(one_w / (double)width), 0.0f, (float)(-left / (double)width * one_w)};
   s->prim.j_w = (struct amd_plane){0.0f, (float)(one_w / (double)height), (float)(-top / (double)height * one_w)};
   s->prim.one_w = (struct amd_plane){0.0f, 0.0f, (float)one_w};
}

/* In px, of the vertex or the register. */
static void
point_size(const struct setup *s, unsigned corner, float *width, float *height)
{
   const struct amd_clip_state *c = &s->p->state.clip;
   *width = c->point_width, *height = c->point_height;
   if (s->p->state.geometry.use_point_size) {
      float size = amd_vertex(s->p, s->prim.vertex[corner])[AMD_VERTEX_MISC];
      *width = *height = clamp_size(size, c->point_min, c->point_max);
   }
}

static void
setup_point(struct setup *s, const struct sim_clip_vertex *v)
{
   float width, height;
   point_size(s, 0, &width, &height);
   if (!(v->w > 0.0) || !(width > 0.0f))
      return;
   sim_setup_origin(&s->at, sim_setup_screen(&s->at, v));
   set_point_planes(s, v, width, height);
   s->prim.z = (struct amd_plane_z){0.0, 0.0, sim_setup_depth(&s->at, v->z, v->w)};
   s->prim.front = true;
   emit_square(s, v, width, height);
}

static void
setup_line(struct setup *s, const struct sim_clip_vertex v[2])
{
   sim_setup_vertex(&s->at, 0, &v[0]);
   sim_setup_vertex(&s->at, 1, &v[1]);
   if (!sim_setup_across(&s->at, !are_rectangles(s->p)))
      return;
   s->prim.front = true;
   if (v[0].w > 0.0) {
      sim_setup_origin(&s->at, sim_setup_screen(&s->at, &v[0]));
   }
   if (!set_planes_along(s, 0, 1, s->at.W))
      return;
   s->prim.z.c += depth_bias(s);
   clip_and_emit_line(s, &v[0], &v[1]);
}

/* Any corner may be the right angle: the rectangle is the bounding box. */
static void
setup_rect(struct setup *s, const struct sim_clip_vertex v[3])
{
   struct sim_setup_point low = {INT32_MAX, INT32_MAX}, high = {INT32_MIN, INT32_MIN};
   for (unsigned i = 0; i < 3; i++) {
      if (!(v[i].w > 0.0))
         return;
      struct sim_setup_point at = sim_setup_screen(&s->at, &v[i]);
      low.x = MIN2(low.x, at.x), high.x = MAX2(high.x, at.x);
      low.y = MIN2(low.y, at.y), high.y = MAX2(high.y, at.y);
      sim_setup_vertex(&s->at, i, &v[i]);
   }
   const int32_t *min = s->clip.low_px, *max = s->clip.high_px, one_px = 1 << s->at.subpixel_bits;
   low.x = MAX2(low.x, min[0] * one_px), low.y = MAX2(low.y, min[1] * one_px);
   high.x = MIN2(high.x, max[0] * one_px), high.y = MIN2(high.y, max[1] * one_px);
   s->prim.front = true;
   sim_setup_origin(&s->at, low);
   if (low.x >= high.x || low.y >= high.y || !set_planes(s))
      return;
   const struct sim_setup_point corners[4] = {low, {high.x, low.y}, high, {low.x, high.y}};
   emit_polygon(s, corners, 4);
}

/* Edges or corners of a triangle in the other fill modes. */
static void
emit_outline(struct setup *s, const struct sim_clip_vertex v[3], unsigned fill, double bias)
{
   for (unsigned i = 0; i < 3; i++) {
      unsigned j = (i + 1) % 3;
      if (!(s->edges >> i & 1))
         continue;
      if (fill == V_X_DRAW_LINES && set_edge_planes(s, v, i, j)) {
         s->prim.z.c += bias;
         clip_and_emit_line(s, &v[i], &v[j]);
      }
      if (fill == V_X_DRAW_POINTS && set_corner_planes(s, v, i)) {
         float width, height;
         point_size(s, i, &width, &height);
         s->prim.z.c += bias;
         if (s->p->state.pixel.takes_sprites && width > 0.0f && height > 0.0f) {
            set_point_planes(s, &v[i], width, height);
            s->prim.sprite = (uint8_t)(i + 1);
         }
         emit_square(s, &v[i], width, height);
      }
   }
}

/* Of a clipped triangle. Its parts share edges as other triangles do. */
static void
emit_estimated(struct setup *s, const struct sim_setup_point *at, unsigned count)
{
   s->prim.estimated = true;
   for (unsigned i = 1; i + 1 < count; i += 2) {
      const struct sim_setup_point corners[4] = {at[0], at[i], at[i + 1], at[MIN2(i + 2, count - 1)]};
      unsigned vertices = i + 2 < count ? 4 : 3, end = i + vertices - 1;
      emit_part(s, corners, vertices, (unsigned)(i > 1) | (unsigned)(end < count) << (vertices - 1));
   }
}

static bool
has_area(const struct sim_setup_point *at, unsigned count)
{
   int64_t area = 0;
   for (unsigned i = 1; i + 1 < count; i++) {
      const int32_t x[3] = {at[0].x, at[i].x, at[i + 1].x}, y[3] = {at[0].y, at[i].y, at[i + 1].y};
      area += sim_raster_area2(x, y);
   }
   return area;
}

static void
setup_triangle(struct setup *s, const struct sim_clip_vertex v[3])
{
   const struct amd_clip_state *c = &s->p->state.clip;
   for (unsigned i = 0; i < 3; i++)
      sim_setup_vertex(&s->at, i, &v[i]);
   double area = sim_setup_area(&s->at);
   s->prim.front = (area > 0.0) == c->cw_is_front;
   bool over = s->p->state.samples.estimate == AMD_ESTIMATE_OVER;
   if (!over && (!(area != 0.0) || (s->prim.front ? c->cull_front : c->cull_back)))
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
   /* Without area, as it lands, it is its provoking vertex, and shows its back (Vulkan 1.3,
    * degenerateTrianglesRasterized; dEQP-VK.rasterization.conservative). */
   bool is_vertex = over && !has_area(at, count);
   s->prim.front &= !is_vertex;
   if (over && (s->prim.front ? c->cull_front : c->cull_back))
      return;
   if (!(is_vertex ? set_corner_planes(s, v, 0) : set_planes(s)))
      return;
   double bias = depth_bias(s);
   unsigned fill = s->prim.front ? c->fill_front : c->fill_back;
   if (fill != V_X_DRAW_TRIANGLES) {
      emit_outline(s, v, fill, bias);
      return;
   }
   s->prim.z.c += bias;
   if (s->p->state.samples.estimate != AMD_ESTIMATE_NONE) {
      emit_estimated(s, at, count);
      return;
   }
   for (unsigned i = 1; i + 1 < count; i++) {
      const struct sim_setup_point corners[3] = {at[0], at[i], at[i + 1]};
      emit_polygon(s, corners, 3);
   }
}

static void
setup_kind(struct setup *s, const struct sim_clip_vertex v[3])
{
   switch (s->p->kind) {
   case AMD_PRIM_TRIANGLE:
      setup_triangle(s, v);
      return;
   case AMD_PRIM_RECT:
      setup_rect(s, v);
      return;
   case AMD_PRIM_LINE:
      setup_line(s, v);
      return;
   case AMD_PRIM_POINT:
      setup_point(s, v);
      return;
   }
}

/* What the clipper lets through, for statistics: its polygons, or a primitive that setup drops (without area, with
 * the wrong face, between samples) if one of its vertices is in the view volume. So Vulkan has it (doc: pipeline
 * statistics queries, CLIPPING_PRIMITIVES). */
static uint32_t
clipped_prims(const struct setup *s, const struct sim_clip_vertex v[3], size_t polygons)
{
   for (unsigned i = 0; i < amd_prim_vertices(s->p->kind) && !polygons; i++)
      polygons = fabs(v[i].x) <= v[i].w && fabs(v[i].y) <= v[i].w && !sim_clip_needed(&s->clip, &v[i], 1);
   return (uint32_t)polygons;
}

/* How many primitives the clipper lets through, if anybody counts them. */
static uint32_t
setup_prim(const struct amd_pipeline *p, struct dynarray *out, const struct amd_prim_out *in, uint32_t number)
{
   const size_t before = dynarray_count(out, struct amd_prim);
   struct setup s = {.p = p, .out = out, .prim.kind = (uint8_t)p->kind, .prim.source = number};
   s.starts = p->state.stipple.each_primitive || (in->starts && !p->state.stipple.continues);
   struct sim_clip_vertex v[3];
   choose_corners(&s, in);
   for (unsigned i = 0; i < 3; i++)
      v[i] = load_vertex(p, s.prim.vertex[i]);
   bool whole = p->state.geometry.path == AMD_VERTEX_PATH_NGG;
   s.prim.thread = whole ? in->thread : s.prim.vertex[s.prim.provoking];
   const bool placed = choose_target(&s, s.prim.vertex[s.prim.provoking], whole ? in->payload : 0);
   if ((!placed && !*p->gpu->stats_on) || cull_by_distance(&s, v, amd_prim_vertices(p->kind)))
      return 0;
   s.clip = clip_volume(&p->state, s.viewport);
   set_viewport(&s);
   if (placed)
      setup_kind(&s, v);
   return *p->gpu->stats_on ? clipped_prims(&s, v, dynarray_count(out, struct amd_prim) - before) : 0;
}

static void
setup_task(void *data, unsigned task)
{
   struct amd_pipeline *p = data;
   size_t count = dynarray_count(&p->memory->prims_out, struct amd_prim_out);
   const struct amd_prim_out *in = p->memory->prims_out.data;
   struct dynarray *out = &p->memory->setup[task];
   uint32_t clipped = 0;
   out->size_B = 0;
   for (size_t i = (size_t)task * PRIMS_PER_TASK; i < MIN2(count, (size_t)(task + 1) * PRIMS_PER_TASK); i++)
      clipped += setup_prim(p, out, &in[i], (uint32_t)i);
   __atomic_fetch_add(&p->clipped_prims, clipped, __ATOMIC_RELAXED);
}

void
amd_pa_run(struct amd_pipeline *p)
{
   struct amd_draw_memory *m = p->memory;
   size_t count = dynarray_count(&m->prims_out, struct amd_prim_out);
   unsigned tasks = (unsigned)div_round_up(count, PRIMS_PER_TASK);
   if (tasks > m->setup_count) {
      m->setup = need_realloc("primitives", m->setup, tasks * sizeof(*m->setup));
      memset(m->setup + m->setup_count, 0, (tasks - m->setup_count) * sizeof(*m->setup));
      m->setup_count = tasks;
   }
   p->clipped_prims = 0;
   sim_pool_run(p->gpu->pool, tasks, setup_task, p);
   m->prims.size_B = 0;
   for (unsigned i = 0; i < tasks; i++) {
      if (m->setup[i].size_B)
         memcpy(dynarray_grow(&m->prims, m->setup[i].size_B), m->setup[i].data, m->setup[i].size_B);
   }
   if (p->state.stipple.enable)
      amd_sc_stipple(p);
   if (*p->gpu->stats_on) {
      p->gpu->counters->stats[AMD_STAT_CLIP_INVOCATIONS] += count;
      p->gpu->counters->stats[AMD_STAT_CLIP_PRIMITIVES] += p->clipped_prims;
   }
}
