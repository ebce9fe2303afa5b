/* From the coordinates of all lanes to their texels in a level. For files that are built twice (sim/wide.h). Internal
 * to the texture unit. */
#ifndef INDIUM_AMD_SIM_TEX_PLACES_H
#define INDIUM_AMD_SIM_TEX_PLACES_H

#include <math.h>

#include "amd/sim/tex/tex_coord.h"
#include "amd/sim/tex/tex_lanes.h"

/* Where the lanes sample, of one probe. */
struct points {
   const float *at[3];             /* by lane; NULL: the image does not have the axis */
   _Alignas(64) uint32_t slice[N]; /* of 2D images and faces of cubes */
   float face[2][N];               /* cubes: coordinates on the face */
};

static inline int
floor_of(float f)
{
   int i = (int)f;
   return i - ((float)i > f);
}

/* In texels: sim_wrap_coordinate(). */
static void
scale(int n, enum sim_wrap mode, bool normalized, const float *from, float size, float *to)
{
   const bool repeat = mode == SIM_WRAP_REPEAT && normalized;
   const float by = normalized ? size : 1.0f;
   for (int l = 0; l < n && repeat; l++) {
      float c = from[l], turn = c > -4194304.0f && c < 4194304.0f ? c : 0.0f;
      to[l] = (c - (float)floor_of(turn)) * by;
   }
   for (int l = 0; l < n && !repeat; l++)
      to[l] = from[l] * by;
   for (int l = 0; l < n; l++) {
      float u = to[l] > -16777216.0f ? to[l] : to[l] == to[l] ? -16777216.0f : 0.0f;
      to[l] = u < 16777216.0f ? u : 16777216.0f;
   }
}

/* The texel that holds each coordinate, or the first of two around it and the second one's weight, a multiple of
 * 1 / weights if that is not 0. */
static void
choose(int n, bool linear, float weights, const float *u, int *first, float *part)
{
   for (int l = 0; l < n && !linear; l++)
      first[l] = floor_of(u[l]);
   for (int l = 0; l < n && linear; l++) {
      float at = weights ? floorf((u[l] - 0.5f) * weights + 0.5f) / weights : u[l] - 0.5f;
      int i = floor_of(at);
      part[l] = at - (float)i;
      first[l] = i;
   }
}

/* All of that where coordinates are clamped to the edge, the nearest texel is meant and nothing is added: NaN is 0.
 */
static void
choose_clamped(int n, const float *from, float by, uint32_t size, int *to)
{
   const float last = (float)(size - 1);
   for (int l = 0; l < n; l++) {
      float u = from[l] * by;
      u = u > 0.0f ? u : 0.0f;
      u = u < last ? u : last;
      to[l] = (int)u;
   }
}

/* Under the address mode. Returns the lanes that read the border. */
static uint64_t
wrap(int n, enum sim_wrap mode, uint64_t lanes, int size, int *i)
{
   uint64_t border = 0;
   uint32_t outside = 0;
   if (mode == SIM_WRAP_EDGE) {
      for (int l = 0; l < n; l++)
         i[l] = i[l] < 0 ? 0 : i[l] < size ? i[l] : size - 1;
      return 0;
   }
   for (int l = 0; l < n; l++)
      outside |= (uint32_t)i[l] >= (uint32_t)size;
   for (uint64_t left = outside ? lanes : 0; left; left &= left - 1) {
      const unsigned l = (unsigned)__builtin_ctzll(left);
      int at = sim_wrap_texel(mode, i[l], size);
      border |= (uint64_t)(at < 0) << l;
      i[l] = MAX2(at, 0);
   }
   return border;
}

/* How a filter looks at a level. */
struct view {
   const struct tex_plain *t;
   uint32_t size[3]; /* px */
   bool linear;      /* two texels along each axis */
   unsigned count;   /* of texels in a slice: 1, 2 side by side or 4 */
   float weights;    /* choose() */
   uint64_t lanes;
};

/* Lanes with a texel outside. */
static uint64_t
find_outside(const struct view *v, uint32_t size, int (*at)[N])
{
   const int n = lane_count(v->t);
   uint32_t outside[N];
   for (int l = 0; l < n; l++)
      outside[l] = 0 - (uint32_t)((uint32_t)at[0][l] >= size || (v->linear && (uint32_t)at[1][l] >= size));
   return lanes_with_sign(n, outside) & v->lanes;
}

/* Along one axis. Returns the lanes whose texels are on several faces. */
static uint64_t
place_axis(const struct view *v, unsigned axis, const float *from, struct places *p)
{
   const struct amd_tex_request *r = v->t->request;
   const struct sim_sampler *s = &v->t->sampler->filter;
   const bool is_cube = tex_image_kind(v->t->image) == SIM_IMAGE_CUBE, seamless = is_cube && s->seamless;
   const enum sim_wrap mode = is_cube ? SIM_WRAP_EDGE : s->wrap[axis];
   const int n = lane_count(v->t), size = (int)v->size[axis];
   int(*at)[N] = p->at[axis];
   float u[N];
   if (mode == SIM_WRAP_EDGE && !v->linear && !r->has_offset && !seamless) {
      choose_clamped(n, from, s->unnormalized ? 1.0f : (float)size, v->size[axis], at[0]);
      return 0;
   }
   scale(n, mode, !s->unnormalized, from, (float)size, u);
   choose(n, v->linear, v->weights, u, at[0], p->part[axis]);
   for (int l = 0; l < n && r->has_offset; l++)
      at[0][l] += r->offset[axis][l];
   for (int l = 0; l < n && v->linear; l++)
      at[1][l] = at[0][l] + 1;
   const uint64_t others = seamless ? find_outside(v, v->size[axis], at) : 0;
   for (unsigned i = 0; i < (v->linear ? 2 : 1); i++)
      p->outside[axis][i] = wrap(n, mode, v->lanes, size, at[i]);
   return others;
}

/* Returns the lanes whose texels are on several faces of a cube: these have no places. */
static uint64_t
place(const struct view *v, const struct points *points, struct places *p)
{
   uint64_t others = 0;
   for (unsigned axis = 0; axis < 3; axis++) {
      p->outside[axis][0] = p->outside[axis][1] = 0;
      if (points->at[axis])
         others |= place_axis(v, axis, points->at[axis], p);
      else if (axis == 1)
         memset(p->at[axis], 0, sizeof(p->at[axis]));
   }
   p->sample = NULL;
   return others;
}

/* The square of a 3D image's texel number `near` along z; of others there is one. */
static void
take_slice(const struct points *points, unsigned near, struct places *p)
{
   const bool is_3d = points->at[2];
   for (unsigned i = 0; i < 4; i++)
      p->border[i] = p->outside[0][i & 1] | p->outside[1][i >> 1] | p->outside[2][near];
   memcpy(p->slice, is_3d ? (const void *)p->at[2][near] : points->slice, sizeof(p->slice));
}

/* tex_round_even(): the sum of what fits in 24 bits has no fraction. */
static inline int
round_even(float f)
{
   const float inside = f > -1e6f ? f < 1e6f ? f : 1e6f : f == f ? -1e6f : 0.0f, whole = 0x1.8p23f;
   return (int)((inside + whole) - whole);
}

/* Slices of an array's layers: tex_layer_slice(). */
static void
find_layers(const struct tex_plain *t, const float *layers, uint32_t *slice)
{
   const int n = lane_count(t), last = (int)(t->image->last_array - t->image->base_array);
   for (int l = 0; l < n; l++) {
      const int layer = layers ? round_even(layers[l]) : 0;
      slice[l] = t->image->base_array + (uint32_t)(layer < 0 ? 0 : layer > last ? last : layer);
   }
}

/* Of cubes: the third coordinate is the face + 8 * the layer, and those on the face run from 1 to 2. */
static void
find_faces(const struct tex_plain *t, struct points *p)
{
   const float(*c)[N] = t->request->coord.f;
   const int n = lane_count(t), last = (int)(t->image->last_array - t->image->base_array + 1) / 6 - 1;
   for (int l = 0; l < n; l++) {
      const int id = round_even(c[2][l]), layer = id >> 3, face = id & 7;
      const int cube = layer > last ? last : layer;
      p->slice[l] = t->image->base_array + 6 * (uint32_t)(cube < 0 ? 0 : cube) + (uint32_t)(face < 5 ? face : 5);
      p->face[0][l] = c[0][l] - 1.0f;
      p->face[1][l] = c[1][l] - 1.0f;
   }
}

static void
find_points(const struct tex_plain *t, struct points *p)
{
   const float(*c)[N] = t->request->coord.f;
   const enum sim_image_kind kind = tex_image_kind(t->image);
   const uint8_t dim = t->request->dim;
   p->at[0] = c[0];
   p->at[1] = kind == SIM_IMAGE_1D ? NULL : c[1];
   p->at[2] = kind == SIM_IMAGE_3D ? c[2] : NULL;
   if (kind == SIM_IMAGE_CUBE) {
      find_faces(t, p);
      p->at[0] = p->face[0];
      p->at[1] = p->face[1];
   } else {
      find_layers(t, dim == TEX_DIM_1D_ARRAY ? c[1] : dim == TEX_DIM_2D_ARRAY ? c[2] : NULL, p->slice);
   }
}

#endif
