#include "amd/sim/tex/tex_plain.h"

#include <math.h>
#include <string.h>

#include "amd/hw/descriptors.h"
#include "amd/sim/tex/tex_coord.h"
#include "amd/sim/tex/tex_lanes.h"
#include "amd/sim/tex/tex_lod.h"
#include "sim/wide.h"
#include "util/macros.h"

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

/* The texel that holds each coordinate, or the first of two around it and the second one's weight. */
static void
choose(int n, bool linear, float weights, const float *u, int *first, float *part)
{
   for (int l = 0; l < n && !linear; l++)
      first[l] = floor_of(u[l]);
   for (int l = 0; l < n && linear; l++) {
      float at = floorf((u[l] - 0.5f) * weights + 0.5f) / weights;
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

/* Along one axis. Returns the lanes that read the border: first and second texel. */
static void
place_axis(const struct tex_plain *t, unsigned axis, bool linear, uint32_t size, uint64_t lanes, int (*at)[N],
           float *part, uint64_t border[2])
{
   /* size: one axis: what it reads, and three results */
   const struct amd_tex_request *r = t->request;
   const struct sim_sampler *s = &t->sampler->filter;
   const int n = lane_count(t);
   float u[N];
   if (s->wrap[axis] == SIM_WRAP_EDGE && !linear && !r->has_offset) {
      choose_clamped(n, r->coord.f[axis], s->unnormalized ? 1.0f : (float)size, size, at[0]);
      border[0] = border[1] = 0;
      return;
   }
   scale(n, s->wrap[axis], !s->unnormalized, r->coord.f[axis], (float)size, u);
   choose(n, linear, s->weights, u, at[0], part);
   for (int l = 0; l < n && r->has_offset; l++)
      at[0][l] += r->offset[axis][l];
   for (int l = 0; l < n && linear; l++)
      at[1][l] = at[0][l] + 1;
   border[0] = wrap(n, s->wrap[axis], lanes, (int)size, at[0]);
   border[1] = linear ? wrap(n, s->wrap[axis], lanes, (int)size, at[1]) : 0;
}

static void
place(const struct tex_plain *t, const struct tex_level *level, bool linear, uint64_t lanes, struct places *p)
{
   uint64_t x[2], y[2];
   place_axis(t, 0, linear, level->width, lanes, p->x, p->fx, x);
   place_axis(t, 1, linear, level->height, lanes, p->y, p->fy, y);
   for (unsigned i = 0; i < 4; i++)
      p->border[i] = x[i & 1] | y[i >> 1];
}

static void
find_slices(const struct tex_plain *t, const struct amd_surface *surface, uint64_t lanes, struct lane_pixels *to)
{
   const struct tex_image *image = t->image;
   const int n = lane_count(t);
   const struct amd_surface_pixel slice = amd_surface_slice(surface, image->base_array);
   for (int l = 0; l < n; l++) {
      to->block_B[l] = (uint32_t)slice.block_B;
      to->in_block_B[l] = slice.in_block_B;
   }
   for (uint64_t left = t->request->dim == TEX_DIM_2D_ARRAY ? lanes : 0; left; left &= left - 1) {
      const unsigned l = (unsigned)__builtin_ctzll(left);
      const struct amd_surface_pixel own =
         amd_surface_slice(surface, tex_layer_slice(image, t->request->coord.f[2][l]));
      to->block_B[l] = (uint32_t)own.block_B;
      to->in_block_B[l] = own.in_block_B;
   }
}

static void
mix(int n, const uint32_t *a, const uint32_t *b, const float *part, uint32_t *to)
{
   for (int l = 0; l < n; l++) {
      float first = bits_float(a[l]), second = bits_float(b[l]);
      to[l] = float_bits(first + (second - first) * part[l]);
   }
}

/* To the first of the square, where other lanes get anything. */
static void
sample_level(const struct tex_plain *t, unsigned number, bool linear, uint64_t lanes, struct texels square[4])
{
   const struct tex_level *level = tex_image_level(t->image, number, t->fault);
   const int n = lane_count(t);
   struct places p;
   struct lane_pixels slices;
   if (!level) {
      memset(square, 0, sizeof(*square));
      *t->bad = true;
      return;
   }
   linear &= !t->image->is_int;
   place(t, level, linear, lanes, &p);
   find_slices(t, &level->surface, lanes, &slices);
   fetch(t, level, lanes, &p, &slices, linear ? 4 : 1, square);
   for (unsigned k = 0; k < 4; k++) {
      uint32_t *result = square[0].component[k];
      if (linear) {
         mix(n, result, square[1].component[k], p.fx, result);
         mix(n, square[2].component[k], square[3].component[k], p.fx, square[2].component[k]);
         mix(n, result, square[2].component[k], p.fy, result);
      }
   }
}

/* Levels of the lanes, and how they are filtered: as sim_sample() does. */
struct levels {
   uint8_t first[N];
   bool linear[N];
   float between[N];
   uint64_t two; /* lanes that need the next level, too */
};

static void
choose_levels(const struct tex_plain *t, uint64_t lanes, struct levels *c)
{
   const struct sim_sampler *s = &t->sampler->filter;
   const float top = (float)(t->image->last_level - t->image->base_level);
   c->two = 0;
   for (; lanes; lanes &= lanes - 1) {
      const unsigned l = (unsigned)__builtin_ctzll(lanes);
      const struct sim_mip_choice choice = sim_choose_level(s, top, t->lod[l]);
      c->linear[l] = choice.linear;
      c->first[l] = (uint8_t)choice.first;
      c->between[l] = choice.between;
      c->two |= (uint64_t)(choice.between != 0.0f && !t->image->is_int) << l;
   }
}

/* The lanes that share the first one's level and filter. */
static uint64_t
alike(const struct levels *c, uint64_t lanes)
{
   const unsigned first = (unsigned)__builtin_ctzll(lanes);
   uint64_t same = 0;
   for (uint64_t left = lanes; left; left &= left - 1) {
      const unsigned l = (unsigned)__builtin_ctzll(left);
      same |= (uint64_t)(c->first[l] == c->first[first] && c->linear[l] == c->linear[first]) << l;
   }
   return same;
}

static void
sample_levels(const struct tex_plain *t, uint64_t lanes, struct texels *near)
{
   struct levels c;
   struct texels square[4], far = {{{0}}};
   memset(near, 0, sizeof(*near));
   choose_levels(t, lanes, &c);
   for (uint64_t left = lanes, same; left; left &= ~same) {
      const unsigned l = (unsigned)__builtin_ctzll(left), level = t->image->base_level + c.first[l];
      same = alike(&c, left);
      sample_level(t, level, c.linear[l], same, square);
      for (unsigned k = 0; k < 4; k++)
         put_lanes(t, same, square[0].component[k], near->component[k]);
      if (!(same & c.two))
         continue;
      sample_level(t, level + 1, c.linear[l], same & c.two, square);
      for (unsigned k = 0; k < 4; k++)
         put_lanes(t, same & c.two, square[0].component[k], far.component[k]);
   }
   for (unsigned k = 0; k < 4 && c.two; k++) {
      uint32_t mixed[N];
      mix(lane_count(t), near->component[k], far.component[k], c.between, mixed);
      put_lanes(t, c.two, mixed, near->component[k]);
   }
}

void
WIDE(tex_plain_sample)(const struct tex_plain *t, uint32_t result[4][AMD_TEX_LANES])
{
   const uint64_t lanes = t->request->exec & UINT64_MAX >> (N - t->request->lanes);
   struct texels texels[4];
   if (t->lod)
      sample_levels(t, lanes, texels);
   else
      sample_level(t, t->image->base_level, t->sampler->filter.mag_linear, lanes, texels);
   select_components(t, lanes, &texels[0], result);
}
