#include "amd/sim/tex/tex_sample.h"

#include <math.h>

#include "amd/hw/descriptors.h"
#include "sim/cube.h"
#include "util/macros.h"

static const enum sim_wrap wraps[8] = {
   [V_SQ_TEX_WRAP] = SIM_WRAP_REPEAT,
   [V_SQ_TEX_MIRROR] = SIM_WRAP_MIRROR,
   [V_SQ_TEX_CLAMP_LAST_TEXEL] = SIM_WRAP_EDGE,
   [V_SQ_TEX_MIRROR_ONCE_LAST_TEXEL] = SIM_WRAP_MIRROR_ONCE_EDGE,
   [V_SQ_TEX_CLAMP_HALF_BORDER] = SIM_WRAP_HALF_BORDER,
   [V_SQ_TEX_MIRROR_ONCE_HALF_BORDER] = SIM_WRAP_MIRROR_ONCE_HALF_BORDER,
   [V_SQ_TEX_CLAMP_BORDER] = SIM_WRAP_BORDER,
   [V_SQ_TEX_MIRROR_ONCE_BORDER] = SIM_WRAP_MIRROR_ONCE_BORDER,
};

_Static_assert((int)V_SQ_TEX_DEPTH_COMPARE_LESS == SIM_COMPARE_LESS &&
                  (int)V_SQ_TEX_DEPTH_COMPARE_EQUAL == SIM_COMPARE_EQUAL &&
                  (int)V_SQ_TEX_DEPTH_COMPARE_GREATER == SIM_COMPARE_GREATER,
               "functions of samplers are sets of outcomes");

static const enum sim_reduction reductions[4] = {
   [V_SQ_IMG_FILTER_MODE_BLEND] = SIM_REDUCTION_BLEND,
   [V_SQ_IMG_FILTER_MODE_MIN] = SIM_REDUCTION_MIN,
   [V_SQ_IMG_FILTER_MODE_MAX] = SIM_REDUCTION_MAX,
   [3] = SIM_REDUCTION_MAX, /* not defined (assumed) */
};

void
tex_sampler_decode(struct tex_sampler *sampler, enum amd_gen gen, const uint32_t w[4])
{
   unsigned mag = G_SQ_IMG_SAMP_WORD2_XY_MAG_FILTER(w[2]), min = G_SQ_IMG_SAMP_WORD2_XY_MIN_FILTER(w[2]);
   *sampler = (struct tex_sampler){
      .wrap = {wraps[G_SQ_IMG_SAMP_WORD0_CLAMP_X(w[0])], wraps[G_SQ_IMG_SAMP_WORD0_CLAMP_Y(w[0])],
               wraps[G_SQ_IMG_SAMP_WORD0_CLAMP_Z(w[0])]},
      .compare = G_SQ_IMG_SAMP_WORD0_DEPTH_COMPARE_FUNC(w[0]),
      .mag = mag & 1,
      .min = min & 1,
      .max_anisotropy = (uint8_t)((mag | min) & 2 ? 1 << G_SQ_IMG_SAMP_WORD0_MAX_ANISO_RATIO(w[0]) : 1),
      .aniso_override = G_SQ_IMG_SAMP_WORD2_ANISO_OVERRIDE(gen, w[2]),
      .z_filter = G_SQ_IMG_SAMP_WORD2_Z_FILTER(w[2]),
      .mip = G_SQ_IMG_SAMP_WORD2_MIP_FILTER(w[2]),
      .reduction = reductions[G_SQ_IMG_SAMP_WORD0_FILTER_MODE(w[0])],
      .unnormalized = G_SQ_IMG_SAMP_WORD0_FORCE_UNNORMALIZED(w[0]),
      .cube_wrap = !G_SQ_IMG_SAMP_WORD0_DISABLE_CUBE_WRAP(w[0]),
      .min_lod = (float)G_SQ_IMG_SAMP_WORD1_MIN_LOD(w[1]) / 256.0f,
      .max_lod = (float)G_SQ_IMG_SAMP_WORD1_MAX_LOD(w[1]) / 256.0f,
      .lod_bias = (float)sign_extend(G_SQ_IMG_SAMP_WORD2_LOD_BIAS(w[2]), 14) / 256.0f,
   };
}

static inline v4f
as_float(v4u bits)
{
   return (v4f)bits;
}

/* What one sample's fetches share. */
struct fetcher {
   struct tex_image *image;
   const struct tex_sampler *sampler;
   const struct tex_point *point;
   const struct tex_level *level;
   bool *bad;
};

/* Compare mode turns a texel into 0 or 1. */
static v4u
finish_texel(const struct fetcher *f, v4u texel)
{
   if (!f->point->compare)
      return texel;
   float reference = f->point->reference, depth = as_float(texel)[0];
   if (f->image->format.numeric == SIM_UNORM)
      reference = reference < 0.0f ? 0.0f : reference > 1.0f ? 1.0f : reference;
   float one = sim_compare_float(f->sampler->compare, reference, depth) ? 1.0f : 0.0f;
   return (v4u)(v4f){one, 0.0f, 0.0f, 1.0f};
}

static v4u
fetch_cube(const struct fetcher *f, int x, int y)
{
   const struct tex_level *level = f->level;
   int size = (int)level->width;
   unsigned face = f->point->face;
   bool outside_x = (unsigned)x >= (unsigned)size, outside_y = (unsigned)y >= (unsigned)size;
   int inner_x = MIN2(MAX2(x, 0), size - 1), inner_y = MIN2(MAX2(y, 0), size - 1);
   if (!f->sampler->cube_wrap || !(outside_x || outside_y))
      return finish_texel(f, tex_image_texel(f->image, level, (uint32_t)inner_x, (uint32_t)inner_y,
                                             f->point->slice + face, 0, f->bad));
   if (outside_x && outside_y) {
      /* No face has the corner's texel: it is the mean of the three around it. */
      v4u own = fetch_cube(f, inner_x, inner_y), beside = fetch_cube(f, x, inner_y),
          below = fetch_cube(f, inner_x, y);
      return f->image->is_int ? own : (v4u)((as_float(own) + as_float(beside) + as_float(below)) / 3.0f);
   }
   sim_cube_neighbor(&face, &x, &y, size);
   return finish_texel(f,
                       tex_image_texel(f->image, level, (uint32_t)x, (uint32_t)y, f->point->slice + face, 0, f->bad));
}

/* Texel (x, y, z) under the address modes. */
static v4u
fetch(const struct fetcher *f, int x, int y, int z)
{
   const struct tex_level *level = f->level;
   int w = (int)level->width, h = (int)level->height, d = (int)level->depth;
   if (f->image->type == V_SQ_RSRC_IMG_CUBE)
      return fetch_cube(f, x, y);
   x = sim_wrap_texel(f->sampler->wrap[0], x, w);
   y = h == 1 && f->image->desc.height_px == 1 ? 0 : sim_wrap_texel(f->sampler->wrap[1], y, h);
   if (f->image->desc.is_3d)
      z = sim_wrap_texel(f->sampler->wrap[2], z, d);
   if (x < 0 || y < 0 || z < 0)
      return finish_texel(f, f->image->is_int ? f->sampler->border_bits : (v4u)f->sampler->border);
   uint32_t slice = f->image->desc.is_3d ? (uint32_t)z : f->point->slice;
   return finish_texel(f, tex_image_texel(f->image, level, (uint32_t)x, (uint32_t)y, slice, 0, f->bad));
}

static v4f
bilinear(const struct fetcher *f, int x, int y, int z, float fx, float fy)
{
   v4f t00 = as_float(fetch(f, x, y, z)), t10 = as_float(fetch(f, x + 1, y, z));
   enum sim_reduction reduction = f->sampler->reduction;
   if (f->image->desc.height_px == 1)
      return sim_filter(reduction, t00, t10, fx);
   v4f t01 = as_float(fetch(f, x, y + 1, z)), t11 = as_float(fetch(f, x + 1, y + 1, z));
   return sim_filter(reduction, sim_filter(reduction, t00, t10, fx), sim_filter(reduction, t01, t11, fx), fy);
}

/* Bilinear inside of an uncompressed level without wrapping: the common case. */
static inline bool
bilinear_inside(const struct fetcher *f, int x, int y, float fx, float fy, v4f *result)
{
   const struct tex_image *image = f->image;
   const struct tex_level *level = f->level;
   if (x < 0 || y < 0 || x + 1 >= (int)level->width || y + 1 >= (int)level->height || image->compressed ||
       f->point->compare || f->sampler->reduction != SIM_REDUCTION_BLEND || image->type == V_SQ_RSRC_IMG_CUBE)
      return false;
   const struct amd_surface *surface = &level->surface;
   uint64_t at[4] = {
      amd_surface_offset(surface, (uint32_t)x, (uint32_t)y, f->point->slice, 0),
      amd_surface_offset(surface, (uint32_t)x + 1, (uint32_t)y, f->point->slice, 0),
      amd_surface_offset(surface, (uint32_t)x, (uint32_t)y + 1, f->point->slice, 0),
      amd_surface_offset(surface, (uint32_t)x + 1, (uint32_t)y + 1, f->point->slice, 0),
   };
   v4f texels[4];
   for (unsigned i = 0; i < 4; i++) {
      if (at[i] + image->format.size_B > image->run_B) {
         *f->bad = true;
         return false;
      }
      sim_texel_decode(&image->format, tex_image_bytes(image, at[i]), (uint32_t *)&texels[i]);
   }
   v4f top = texels[0] + (texels[1] - texels[0]) * fx, bottom = texels[2] + (texels[3] - texels[2]) * fx;
   *result = top + (bottom - top) * fy;
   return true;
}

static v4u
sample_level(const struct fetcher *f, bool linear)
{
   const struct tex_point *p = f->point;
   const struct tex_sampler *s = f->sampler;
   bool is_3d = f->image->desc.is_3d;
   bool is_cube = f->image->type == V_SQ_RSRC_IMG_CUBE; /* faces do not repeat */
   float u = sim_wrap_coordinate(is_cube ? SIM_WRAP_EDGE : s->wrap[0], !s->unnormalized, p->s, f->level->width);
   float v = sim_wrap_coordinate(is_cube ? SIM_WRAP_EDGE : s->wrap[1], !s->unnormalized, p->t, f->level->height);
   float w = is_3d ? sim_wrap_coordinate(s->wrap[2], !s->unnormalized, p->r, f->level->depth) : 0.0f;
   if (!linear || f->image->is_int)
      return fetch(f, sim_floor(u) + p->offset[0], sim_floor(v) + p->offset[1], sim_floor(w) + p->offset[2]);
   u -= 0.5f;
   v -= 0.5f;
   int x = sim_floor(u), y = sim_floor(v);
   float fx = u - (float)x, fy = v - (float)y;
   x += p->offset[0];
   y += p->offset[1];
   v4f result;
   if (!is_3d) {
      if (!bilinear_inside(f, x, y, fx, fy, &result))
         result = bilinear(f, x, y, 0, fx, fy);
      return (v4u)result;
   }
   w -= 0.5f;
   int z = sim_floor(w);
   float fz = w - (float)z;
   z += p->offset[2];
   return (v4u)sim_filter(s->reduction, bilinear(f, x, y, z, fx, fy), bilinear(f, x, y, z + 1, fx, fy), fz);
}

/* One probe. */
static v4u
sample_point(struct tex_image *image, const struct tex_sampler *sampler, const struct tex_point *point, float lod,
             struct sim_fault *fault, bool *bad)
{
   struct fetcher f = {.image = image, .sampler = sampler, .point = point, .bad = bad};
   bool linear = lod > 0.0f ? sampler->min : sampler->mag;
   float top = (float)(image->last_level - image->base_level);
   float at = sampler->mip == V_SQ_TEX_MIP_FILTER_NONE || !(lod > 0.0f) ? 0.0f : lod > top ? top : lod;
   if (sampler->mip == V_SQ_TEX_MIP_FILTER_POINT)
      at = ceilf(at + 0.5f) - 1.0f > 0.0f ? ceilf(at + 0.5f) - 1.0f : 0.0f;
   unsigned first = (unsigned)at;
   float between = at - (float)first;
   f.level = tex_image_level(image, image->base_level + first, fault);
   if (!f.level) {
      *bad = true;
      return (v4u){0};
   }
   v4u near = sample_level(&f, linear);
   if (between == 0.0f || image->is_int)
      return near;
   f.level = tex_image_level(image, image->base_level + first + 1, fault);
   if (!f.level) {
      *bad = true;
      return near;
   }
   return (v4u)sim_filter(sampler->reduction, as_float(near), as_float(sample_level(&f, linear)), between);
}

/* The point `steps` steps away along the footprint. */
static struct tex_point
move_point(const struct tex_image *image, struct tex_point p, const struct sim_footprint *footprint, float steps)
{
   if (image->type != V_SQ_RSRC_IMG_CUBE) {
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
tex_sample(struct tex_image *image, const struct tex_sampler *sampler, const struct tex_point *point,
           const struct sim_footprint *footprint, float lod, struct sim_fault *fault, bool *bad)
{
   if (footprint->probes == 1)
      return sample_point(image, sampler, point, lod, fault, bad);
   v4f sum = {0};
   for (unsigned i = 0; i < footprint->probes; i++) {
      struct tex_point probe = move_point(image, *point, footprint, (float)i - 0.5f * (float)(footprint->probes - 1));
      v4f texel = as_float(sample_point(image, sampler, &probe, lod, fault, bad));
      sum = i ? sim_filter(sampler->reduction, sum, texel, 1.0f / (float)(i + 1)) : texel;
   }
   return (v4u)sum;
}

void
tex_gather(struct tex_image *image, const struct tex_sampler *sampler, const struct tex_point *point, float lod,
           v4u texels[4], struct sim_fault *fault, bool *bad)
{
   struct fetcher f = {.image = image, .sampler = sampler, .point = point, .bad = bad};
   unsigned levels = image->last_level - image->base_level;
   unsigned number = lod > 0.0f ? (unsigned)MIN2(lod + 0.5f, (float)levels) : 0;
   f.level = tex_image_level(image, image->base_level + number, fault);
   if (!f.level) {
      *bad = true;
      return;
   }
   bool is_cube = image->type == V_SQ_RSRC_IMG_CUBE;
   enum sim_wrap mode_x = is_cube ? SIM_WRAP_EDGE : sampler->wrap[0];
   enum sim_wrap mode_y = is_cube ? SIM_WRAP_EDGE : sampler->wrap[1];
   float u = sim_wrap_coordinate(mode_x, !sampler->unnormalized, point->s, f.level->width);
   float v = sim_wrap_coordinate(mode_y, !sampler->unnormalized, point->t, f.level->height);
   int x = sim_floor(u - 0.5f) + point->offset[0], y = sim_floor(v - 0.5f) + point->offset[1];
   texels[0] = fetch(&f, x, y + 1, 0);
   texels[1] = fetch(&f, x + 1, y + 1, 0);
   texels[2] = fetch(&f, x + 1, y, 0);
   texels[3] = fetch(&f, x, y, 0);
}
