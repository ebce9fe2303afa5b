#include "amd/sim/tex/tex_sample.h"

#include <math.h>

#include "amd/hw/descriptors.h"
#include "amd/sim/tex/tex_cube.h"
#include "util/macros.h"

enum { TEXEL_BORDER = -1 };

void
tex_sampler_decode(struct tex_sampler *sampler, enum amd_gen gen, const uint32_t w[4])
{
   unsigned mag = G_SQ_IMG_SAMP_WORD2_XY_MAG_FILTER(w[2]), min = G_SQ_IMG_SAMP_WORD2_XY_MIN_FILTER(w[2]);
   *sampler = (struct tex_sampler){
      .clamp = {G_SQ_IMG_SAMP_WORD0_CLAMP_X(w[0]), G_SQ_IMG_SAMP_WORD0_CLAMP_Y(w[0]),
                G_SQ_IMG_SAMP_WORD0_CLAMP_Z(w[0])},
      .compare = G_SQ_IMG_SAMP_WORD0_DEPTH_COMPARE_FUNC(w[0]),
      .mag = mag & 1,
      .min = min & 1,
      .max_anisotropy = (uint8_t)((mag | min) & 2 ? 1 << G_SQ_IMG_SAMP_WORD0_MAX_ANISO_RATIO(w[0]) : 1),
      .aniso_override = G_SQ_IMG_SAMP_WORD2_ANISO_OVERRIDE(gen, w[2]),
      .z_filter = G_SQ_IMG_SAMP_WORD2_Z_FILTER(w[2]),
      .mip = G_SQ_IMG_SAMP_WORD2_MIP_FILTER(w[2]),
      .reduction = G_SQ_IMG_SAMP_WORD0_FILTER_MODE(w[0]),
      .unnormalized = G_SQ_IMG_SAMP_WORD0_FORCE_UNNORMALIZED(w[0]),
      .cube_wrap = !G_SQ_IMG_SAMP_WORD0_DISABLE_CUBE_WRAP(w[0]),
      .min_lod = (float)G_SQ_IMG_SAMP_WORD1_MIN_LOD(w[1]) / 256.0f,
      .max_lod = (float)G_SQ_IMG_SAMP_WORD1_MAX_LOD(w[1]) / 256.0f,
      .lod_bias = (float)sign_extend(G_SQ_IMG_SAMP_WORD2_LOD_BIAS(w[2]), 14) / 256.0f,
   };
}

/* Texel index under an address mode, or TEXEL_BORDER. */
static inline int
wrap_texel(unsigned mode, int i, int size)
{
   if ((unsigned)i < (unsigned)size)
      return i;
   switch (mode) {
   case V_SQ_TEX_WRAP:
      i %= size;
      return i < 0 ? i + size : i;
   case V_SQ_TEX_MIRROR:
      i %= 2 * size;
      i = i < 0 ? i + 2 * size : i;
      return i < size ? i : 2 * size - 1 - i;
   case V_SQ_TEX_CLAMP_LAST_TEXEL:
      return i < 0 ? 0 : size - 1;
   case V_SQ_TEX_MIRROR_ONCE_LAST_TEXEL:
      i = i < 0 ? -1 - i : i;
      return i < size ? i : size - 1;
   case V_SQ_TEX_MIRROR_ONCE_HALF_BORDER:
   case V_SQ_TEX_MIRROR_ONCE_BORDER:
      i = i < 0 ? -1 - i : i;
      return i < size ? i : TEXEL_BORDER;
   default: /* others: CLAMP_HALF_BORDER, CLAMP_BORDER */
      return TEXEL_BORDER;
   }
}

static inline int
floor_int(float f)
{
   int i = (int)f;
   return i - ((float)i > f);
}

static inline float
to_texels(const struct tex_sampler *sampler, unsigned mode, float coordinate, uint32_t size)
{
   /* Whole turns of a repeating image go first: most footprints then lie inside of it. */
   if (mode == V_SQ_TEX_WRAP && !sampler->unnormalized && coordinate > -4194304.0f && coordinate < 4194304.0f)
      coordinate -= (float)floor_int(coordinate);
   float u = sampler->unnormalized ? coordinate : coordinate * (float)size;
   if (mode == V_SQ_TEX_CLAMP_HALF_BORDER || mode == V_SQ_TEX_MIRROR_ONCE_HALF_BORDER)
      u = u > (float)size ? (float)size : u < -(float)size ? -(float)size : u;
   if (mode == V_SQ_TEX_CLAMP_HALF_BORDER && u < 0.0f)
      u = 0.0f;
   if (!(u > -16777216.0f)) /* NaN too */
      return u == u ? -16777216.0f : 0.0f;
   return u < 16777216.0f ? u : 16777216.0f;
}

static bool
compare_passes(unsigned function, float reference, float texel)
{
   switch (function) {
   case V_SQ_TEX_DEPTH_COMPARE_LESS:
      return reference < texel;
   case V_SQ_TEX_DEPTH_COMPARE_EQUAL:
      return reference == texel;
   case V_SQ_TEX_DEPTH_COMPARE_LESSEQUAL:
      return reference <= texel;
   case V_SQ_TEX_DEPTH_COMPARE_GREATER:
      return reference > texel;
   case V_SQ_TEX_DEPTH_COMPARE_NOTEQUAL:
      return reference != texel;
   case V_SQ_TEX_DEPTH_COMPARE_GREATEREQUAL:
      return reference >= texel;
   case V_SQ_TEX_DEPTH_COMPARE_ALWAYS:
      return true;
   default: /* others: NEVER, the last of three bits */
      return false;
   }
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
   float one = compare_passes(f->sampler->compare, reference, depth) ? 1.0f : 0.0f;
   return (v4u)(v4f){one, 0.0f, 0.0f, 1.0f};
}

static void
cube_neighbor(unsigned *face, int *x, int *y, int size)
{
   /* The point just outside, folded onto the neighbour: its outer coordinate becomes the depth below the edge. */
   float s = ((float)*x + 0.5f) / (float)size * 2.0f - 1.0f, t = ((float)*y + 0.5f) / (float)size * 2.0f - 1.0f;
   float major = 1.0f;
   if (s < -1.0f || s > 1.0f)
      major = 2.0f - fabsf(s), s = s < 0.0f ? -1.0f : 1.0f;
   else if (t < -1.0f || t > 1.0f)
      major = 2.0f - fabsf(t), t = t < 0.0f ? -1.0f : 1.0f;
   float direction[3];
   tex_cube_direction(*face, (struct tex_cube_point){s, t, major}, direction);
   *face = tex_cube_face(direction);
   struct tex_cube_point at = tex_cube_project(*face, direction);
   *x = MIN2(MAX2(floor_int((at.s + 1.0f) * 0.5f * (float)size), 0), size - 1);
   *y = MIN2(MAX2(floor_int((at.t + 1.0f) * 0.5f * (float)size), 0), size - 1);
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
   cube_neighbor(&face, &x, &y, size);
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
   x = wrap_texel(f->sampler->clamp[0], x, w);
   y = h == 1 && f->image->desc.height_px == 1 ? 0 : wrap_texel(f->sampler->clamp[1], y, h);
   if (f->image->desc.is_3d)
      z = wrap_texel(f->sampler->clamp[2], z, d);
   if (x < 0 || y < 0 || z < 0)
      return finish_texel(f, f->image->is_int ? f->sampler->border_bits : (v4u)f->sampler->border);
   uint32_t slice = f->image->desc.is_3d ? (uint32_t)z : f->point->slice;
   return finish_texel(f, tex_image_texel(f->image, level, (uint32_t)x, (uint32_t)y, slice, 0, f->bad));
}

/* Two texels combined: weighted, or the smaller or larger. */
static inline v4f
combine(unsigned reduction, v4f a, v4f b, float weight)
{
   if (reduction == V_SQ_IMG_FILTER_MODE_BLEND)
      return a + (b - a) * weight;
   if (weight == 0.0f)
      return a;
   v4f result;
   for (unsigned i = 0; i < 4; i++)
      result[i] = (reduction == V_SQ_IMG_FILTER_MODE_MIN) == (a[i] < b[i]) ? a[i] : b[i];
   return result;
}

static v4f
bilinear(const struct fetcher *f, int x, int y, int z, float fx, float fy)
{
   v4f t00 = as_float(fetch(f, x, y, z)), t10 = as_float(fetch(f, x + 1, y, z));
   unsigned reduction = f->sampler->reduction;
   if (f->image->desc.height_px == 1)
      return combine(reduction, t00, t10, fx);
   v4f t01 = as_float(fetch(f, x, y + 1, z)), t11 = as_float(fetch(f, x + 1, y + 1, z));
   return combine(reduction, combine(reduction, t00, t10, fx), combine(reduction, t01, t11, fx), fy);
}

/* Bilinear inside of an uncompressed level without wrapping: the common case. */
static inline bool
bilinear_inside(const struct fetcher *f, int x, int y, float fx, float fy, v4f *result)
{
   const struct tex_image *image = f->image;
   const struct tex_level *level = f->level;
   if (x < 0 || y < 0 || x + 1 >= (int)level->width || y + 1 >= (int)level->height || image->compressed ||
       f->point->compare || f->sampler->reduction != V_SQ_IMG_FILTER_MODE_BLEND || image->type == V_SQ_RSRC_IMG_CUBE)
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
   float u = to_texels(s, is_cube ? V_SQ_TEX_CLAMP_LAST_TEXEL : s->clamp[0], p->s, f->level->width);
   float v = to_texels(s, is_cube ? V_SQ_TEX_CLAMP_LAST_TEXEL : s->clamp[1], p->t, f->level->height);
   float w = is_3d ? to_texels(s, s->clamp[2], p->r, f->level->depth) : 0.0f;
   if (!linear || f->image->is_int)
      return fetch(f, floor_int(u) + p->offset[0], floor_int(v) + p->offset[1], floor_int(w) + p->offset[2]);
   u -= 0.5f;
   v -= 0.5f;
   int x = floor_int(u), y = floor_int(v);
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
   int z = floor_int(w);
   float fz = w - (float)z;
   z += p->offset[2];
   return (v4u)combine(s->reduction, bilinear(f, x, y, z, fx, fy), bilinear(f, x, y, z + 1, fx, fy), fz);
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
   return (v4u)combine(sampler->reduction, as_float(near), as_float(sample_level(&f, linear)), between);
}

/* The point `steps` steps away along the footprint. */
static struct tex_point
move_point(const struct tex_image *image, struct tex_point p, const struct tex_footprint *footprint, float steps)
{
   if (image->type != V_SQ_RSRC_IMG_CUBE) {
      p.s += steps * footprint->step[0];
      p.t += steps * footprint->step[1];
      p.r += steps * footprint->step[2];
      return p;
   }
   float direction[3];
   tex_cube_direction(p.face, (struct tex_cube_point){2.0f * p.s - 1.0f, 2.0f * p.t - 1.0f, 1.0f}, direction);
   for (unsigned i = 0; i < 3; i++)
      direction[i] += steps * footprint->step[i];
   p.face = tex_cube_face(direction);
   struct tex_cube_point at = tex_cube_project(p.face, direction);
   p.s = 0.5f + 0.5f * at.s / at.major;
   p.t = 0.5f + 0.5f * at.t / at.major;
   return p;
}

v4u
tex_sample(struct tex_image *image, const struct tex_sampler *sampler, const struct tex_point *point,
           const struct tex_footprint *footprint, float lod, struct sim_fault *fault, bool *bad)
{
   if (footprint->probes == 1)
      return sample_point(image, sampler, point, lod, fault, bad);
   v4f sum = {0};
   for (unsigned i = 0; i < footprint->probes; i++) {
      struct tex_point probe =
         move_point(image, *point, footprint, (float)i - 0.5f * (float)(footprint->probes - 1));
      v4f texel = as_float(sample_point(image, sampler, &probe, lod, fault, bad));
      sum = i ? combine(sampler->reduction, sum, texel, 1.0f / (float)(i + 1)) : texel;
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
   unsigned mode_x = is_cube ? V_SQ_TEX_CLAMP_LAST_TEXEL : sampler->clamp[0];
   unsigned mode_y = is_cube ? V_SQ_TEX_CLAMP_LAST_TEXEL : sampler->clamp[1];
   int x = floor_int(to_texels(sampler, mode_x, point->s, f.level->width) - 0.5f) + point->offset[0];
   int y = floor_int(to_texels(sampler, mode_y, point->t, f.level->height) - 0.5f) + point->offset[1];
   texels[0] = fetch(&f, x, y + 1, 0);
   texels[1] = fetch(&f, x + 1, y + 1, 0);
   texels[2] = fetch(&f, x + 1, y, 0);
   texels[3] = fetch(&f, x, y, 0);
}
