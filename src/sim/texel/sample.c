#include "sim/texel/sample.h"

#include <math.h>

#include "sim/texel/cube.h"
#include "util/macros.h"

static inline v4f
as_float(v4u bits)
{
   return (v4f)bits;
}

/* What one sample's fetches share. */
struct fetcher {
   struct sim_image *image;
   const struct sim_sampler *sampler;
   const struct sim_sample_point *point;
   unsigned level;
   uint32_t width, height, depth; /* of the level */
};

static void
set_level(struct fetcher *f, unsigned level)
{
   f->level = level;
   f->width = MAX2(f->image->width >> level, 1u);
   f->height = MAX2(f->image->height >> level, 1u);
   f->depth = MAX2(f->image->depth >> level, 1u);
}

/* Compare mode turns a texel into 0 or 1. */
static v4u
finish_texel(const struct fetcher *f, v4u texel)
{
   if (!f->point->compare)
      return texel;
   float reference = f->point->reference, depth = as_float(texel)[0];
   if (f->image->clamps_reference)
      reference = reference < 0.0f ? 0.0f : reference > 1.0f ? 1.0f : reference;
   float one = sim_compare_float(f->sampler->compare, reference, depth) ? 1.0f : 0.0f;
   return (v4u)(v4f){one, 0.0f, 0.0f, 1.0f};
}

static v4u
texel_inside(const struct fetcher *f, int x, int y, uint32_t slice)
{
   return finish_texel(f, f->image->texel(f->image, f->level, (uint32_t)x, (uint32_t)y, slice));
}

static v4u
fetch_cube(const struct fetcher *f, int x, int y)
{
   int size = (int)f->width;
   unsigned face = f->point->face;
   bool outside_x = (unsigned)x >= (unsigned)size, outside_y = (unsigned)y >= (unsigned)size;
   int inner_x = MIN2(MAX2(x, 0), size - 1), inner_y = MIN2(MAX2(y, 0), size - 1);
   if (!f->sampler->seamless || !(outside_x || outside_y))
      return texel_inside(f, inner_x, inner_y, f->point->slice + face);
   if (outside_x && outside_y) {
      /* No face has the corner's texel: it is the mean of the three around it. */
      v4u own = fetch_cube(f, inner_x, inner_y), neighbour = fetch_cube(f, x, inner_y),
          below = fetch_cube(f, inner_x, y);
      return f->image->is_int ? own : (v4u)((as_float(own) + as_float(neighbour) + as_float(below)) / 3.0f);
   }
   sim_cube_neighbor(&face, &x, &y, size);
   return texel_inside(f, x, y, f->point->slice + face);
}

/* Texel (x, y, z) under the address modes. */
static v4u
fetch(const struct fetcher *f, int x, int y, int z)
{
   enum sim_image_kind kind = f->image->kind;
   if (kind == SIM_IMAGE_CUBE)
      return fetch_cube(f, x, y);
   x = sim_wrap_texel(f->sampler->wrap[0], x, (int)f->width);
   y = kind == SIM_IMAGE_1D ? 0 : sim_wrap_texel(f->sampler->wrap[1], y, (int)f->height);
   if (kind == SIM_IMAGE_3D)
      z = sim_wrap_texel(f->sampler->wrap[2], z, (int)f->depth);
   if (x < 0 || y < 0 || z < 0)
      return finish_texel(f, f->image->is_int ? f->sampler->border_bits : (v4u)f->sampler->border);
   return texel_inside(f, x, y, kind == SIM_IMAGE_3D ? (uint32_t)z : f->point->slice);
}

/* Two texels, or what became of several. */
static inline v4u
combine(const struct fetcher *f, v4u a, v4u b, float weight)
{
   const enum sim_reduction reduction = f->sampler->reduction;
   if (f->image->is_int)
      return sim_filter_integers(reduction, f->image->is_signed, a, b, weight);
   return (v4u)sim_filter(reduction, as_float(a), as_float(b), weight);
}

static v4u
bilinear(const struct fetcher *f, int x, int y, int z, float fx, float fy)
{
   v4u top = combine(f, fetch(f, x, y, z), fetch(f, x + 1, y, z), fx);
   if (f->image->kind == SIM_IMAGE_1D)
      return top;
   v4u bottom = combine(f, fetch(f, x, y + 1, z), fetch(f, x + 1, y + 1, z), fx);
   return combine(f, top, bottom, fy);
}

/* Bilinear inside of a level without wrapping: the common case. */
static inline bool
bilinear_inside(const struct fetcher *f, int x, int y, float fx, float fy, v4f *result)
{
   struct sim_image *image = f->image;
   v4f texels[4];
   if (x < 0 || y < 0 || x + 1 >= (int)f->width || y + 1 >= (int)f->height || !image->square || f->point->compare ||
       f->sampler->reduction != SIM_REDUCTION_BLEND || image->kind == SIM_IMAGE_CUBE ||
       !image->square(image, f->level, (uint32_t)x, (uint32_t)y, f->point->slice, texels))
      return false;
   v4f top = texels[0] + (texels[1] - texels[0]) * fx, bottom = texels[2] + (texels[3] - texels[2]) * fx;
   *result = sim_filtered(top + (bottom - top) * fy);
   return true;
}

/* The nearest number that the sampler's fractions can tell. */
static inline float
to_weights(const struct sim_sampler *sampler, float x)
{
   const float weights = (float)sampler->weights;
   return sampler->weights ? floorf(x * weights + 0.5f) / weights : x;
}

static v4u
sample_level(const struct fetcher *f, bool linear)
{
   const struct sim_sample_point *p = f->point;
   const struct sim_sampler *s = f->sampler;
   bool is_3d = f->image->kind == SIM_IMAGE_3D;
   bool is_cube = f->image->kind == SIM_IMAGE_CUBE; /* faces do not repeat */
   float u =
      sim_wrap_coordinate(is_cube ? SIM_WRAP_EDGE : s->wrap[0], !s->unnormalized, p->s, p->offset[0], f->width);
   float v =
      sim_wrap_coordinate(is_cube ? SIM_WRAP_EDGE : s->wrap[1], !s->unnormalized, p->t, p->offset[1], f->height);
   float w = is_3d ? sim_wrap_coordinate(s->wrap[2], !s->unnormalized, p->r, p->offset[2], f->depth) : 0.0f;
   if (!linear || (f->image->is_int && s->reduction == SIM_REDUCTION_BLEND))
      return fetch(f, sim_wrap_nearest(s->wrap[0], u, p->offset[0], f->width),
                   sim_wrap_nearest(s->wrap[1], v, p->offset[1], f->height),
                   is_3d ? sim_wrap_nearest(s->wrap[2], w, p->offset[2], f->depth) : 0);
   u = to_weights(s, u - 0.5f);
   v = to_weights(s, v - 0.5f);
   int x = sim_floor(u), y = sim_floor(v);
   float fx = u - (float)x, fy = v - (float)y;
   x += p->offset[0];
   y += p->offset[1];
   v4f result;
   if (!is_3d)
      return bilinear_inside(f, x, y, fx, fy, &result) ? (v4u)result : bilinear(f, x, y, 0, fx, fy);
   w = to_weights(s, w - 0.5f);
   int z = sim_floor(w);
   float fz = w - (float)z;
   z += p->offset[2];
   return combine(f, bilinear(f, x, y, z, fx, fy), bilinear(f, x, y, z + 1, fx, fy), fz);
}

struct sim_mip_choice
sim_choose_level(const struct sim_sampler *sampler, float top, float lod)
{
   lod = lod > 0.0f ? to_weights(sampler, lod) : lod;
   float at = sampler->mip == SIM_MIP_NONE || !(lod > 0.0f) ? 0.0f : lod > top ? top : lod;
   if (sampler->mip == SIM_MIP_NEAREST)
      at = ceilf(at + 0.5f) - 1.0f > 0.0f ? ceilf(at + 0.5f) - 1.0f : 0.0f;
   unsigned first = (unsigned)at;
   return (struct sim_mip_choice){lod > 0.0f ? sampler->min_linear : sampler->mag_linear, first, at - (float)first};
}

/* One probe. */
static v4u
sample_point(struct sim_image *image, const struct sim_sampler *sampler, const struct sim_sample_point *point,
             float lod)
{
   struct fetcher f = {.image = image, .sampler = sampler, .point = point};
   const float top = (float)(image->last_level - image->base_level);
   const struct sim_mip_choice choice = sim_choose_level(sampler, top, lod);
   set_level(&f, image->base_level + choice.first);
   v4u near = sample_level(&f, choice.linear);
   if (choice.between == 0.0f || (image->is_int && sampler->reduction == SIM_REDUCTION_BLEND))
      return near;
   set_level(&f, image->base_level + choice.first + 1);
   return combine(&f, near, sample_level(&f, choice.linear), choice.between);
}

/* The point `steps` steps away along the footprint. */
static struct sim_sample_point
move_point(const struct sim_image *image, struct sim_sample_point p, const struct sim_footprint *footprint,
           float steps)
{
   if (image->kind != SIM_IMAGE_CUBE) {
      p.s += steps * footprint->step[0];
      p.t += steps * footprint->step[1];
      p.r += steps * footprint->step[2];
      return p;
   }
   float direction[3];
   sim_cube_direction(p.face, (struct sim_cube_point){2.0f * p.s - 1.0f, 2.0f * p.t - 1.0f, 1.0f}, direction);
   for (unsigned i = 0; i < 3; i++)
      direction[i] += steps * footprint->step[i];
   p.face = sim_cube_face(direction);
   struct sim_cube_point at = sim_cube_project(p.face, direction);
   p.s = 0.5f + 0.5f * at.s / at.major;
   p.t = 0.5f + 0.5f * at.t / at.major;
   return p;
}

v4u
sim_sample(struct sim_image *image, const struct sim_sampler *sampler, const struct sim_sample_point *point,
           const struct sim_footprint *footprint, float lod)
{
   if (footprint->probes == 1)
      return sample_point(image, sampler, point, lod);
   v4f sum = {0};
   for (unsigned i = 0; i < footprint->probes; i++) {
      float steps = (float)i - 0.5f * (float)(footprint->probes - 1);
      struct sim_sample_point probe = move_point(image, *point, footprint, steps);
      v4f texel = as_float(sample_point(image, sampler, &probe, lod));
      sum = i ? sim_filter(sampler->reduction, sum, texel, 1.0f / (float)(i + 1)) : texel;
   }
   return (v4u)sum;
}

void
sim_gather(struct sim_image *image, const struct sim_sampler *sampler, const struct sim_sample_point *point,
           float lod, v4u texels[4])
{
   struct fetcher f = {.image = image, .sampler = sampler, .point = point};
   unsigned levels = image->last_level - image->base_level;
   set_level(&f, image->base_level + (lod > 0.0f ? (unsigned)MIN2(lod + 0.5f, (float)levels) : 0));
   bool is_cube = image->kind == SIM_IMAGE_CUBE;
   enum sim_wrap mode_x = is_cube ? SIM_WRAP_EDGE : sampler->wrap[0];
   enum sim_wrap mode_y = is_cube ? SIM_WRAP_EDGE : sampler->wrap[1];
   float u = sim_wrap_coordinate(mode_x, !sampler->unnormalized, point->s, point->offset[0], f.width);
   float v = sim_wrap_coordinate(mode_y, !sampler->unnormalized, point->t, point->offset[1], f.height);
   int x = sim_floor(u - 0.5f) + point->offset[0], y = sim_floor(v - 0.5f) + point->offset[1];
   texels[0] = fetch(&f, x, y + 1, 0);
   texels[1] = fetch(&f, x + 1, y + 1, 0);
   texels[2] = fetch(&f, x + 1, y, 0);
   texels[3] = fetch(&f, x, y, 0);
}
