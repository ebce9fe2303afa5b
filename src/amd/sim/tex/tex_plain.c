#include "amd/sim/tex/tex_plain.h"

#include <math.h>
#include <string.h>

#include "amd/hw/descriptors.h"
#include "amd/sim/tex/tex_fetch.h"
#include "amd/sim/tex/tex_lod.h"
#include "amd/sim/tex/tex_places.h"
#include "sim/wide.h"
#include "util/macros.h"

/* Two numbers of each lane: sim_filter(). */
static void
combine(const struct tex_plain *t, const uint32_t *a, const uint32_t *b, const float *part, uint32_t *to)
{
   const enum sim_reduction reduction = t->sampler->filter.reduction;
   const int n = lane_count(t);
   for (int l = 0; l < n && reduction == SIM_REDUCTION_BLEND; l++) {
      float first = bits_float(a[l]), second = bits_float(b[l]);
      const float blend = first + (second - first) * part[l];
      to[l] = blend == blend ? float_bits(blend) : SIM_FILTERED_NAN;
   }
   for (int l = 0; l < n && reduction != SIM_REDUCTION_BLEND; l++) {
      const bool less = bits_float(a[l]) < bits_float(b[l]);
      to[l] = part[l] == 0.0f || less == (reduction == SIM_REDUCTION_MIN) ? a[l] : b[l];
   }
}

/* Comparisons turn a texel into 0 or 1. */
static void
compare(const struct tex_plain *t, struct texels *texels)
{
   const unsigned function = t->sampler->filter.compare;
   const uint32_t less = 0u - (function & 1), equal = 0u - (function >> 1 & 1), greater = 0u - (function >> 2 & 1);
   const uint32_t neither = 0u - (uint32_t)(function == SIM_COMPARE_ALWAYS || function == SIM_COMPARE_NOT_EQUAL);
   const bool clamps = t->image->clamps_reference;
   const int n = lane_count(t);
   for (int l = 0; l < n; l++) {
      const float given = t->request->zcompare[l], depth = bits_float(texels->component[0][l]);
      const float clamped = given < 0.0f ? 0.0f : given > 1.0f ? 1.0f : given, reference = clamps ? clamped : given;
      const uint32_t holds = reference < depth    ? less
                             : reference == depth ? equal
                             : reference > depth  ? greater
                                                  : neither;
      texels->component[0][l] = holds & float_bits(1.0f);
      texels->component[1][l] = texels->component[2][l] = 0;
      texels->component[3][l] = float_bits(1.0f);
   }
}

/* Of one slice: texels as fetch() has them. */
static void
fetch_slice(const struct view *v, const struct tex_level *level, const struct points *points, unsigned near,
            struct places *p, struct texels square[4])
{
   take_slice(points, near, p);
   fetch(v->t, level, v->lanes, p, v->count, square);
   for (unsigned i = 0; i < v->count && v->t->request->compare; i++)
      compare(v->t, &square[i]);
}

/* To the first of them. */
static void
combine_square(const struct view *v, const struct points *points, const struct places *p, struct texels square[4])
{
   for (unsigned k = 0; k < 4 && v->linear; k++) {
      uint32_t *result = square[0].component[k], *below = square[2].component[k];
      combine(v->t, result, square[1].component[k], p->part[0], result);
      if (!points->at[1])
         continue;
      combine(v->t, below, square[3].component[k], p->part[0], below);
      combine(v->t, result, below, p->part[1], result);
   }
}

/* The level, and the lanes that have all of their texels in one face; others are noted. NULL: there are none. */
static const struct tex_level *
look_at(struct view *v, unsigned number, const struct points *points, struct places *p)
{
   const struct tex_level *level = tex_image_level(v->t->image, number, v->t->fault);
   if (!level) {
      *v->t->bad = true;
      return NULL;
   }
   v->size[0] = level->width;
   v->size[1] = level->height;
   v->size[2] = level->depth;
   const uint64_t others = place(v, points, p);
   *v->t->others |= others;
   v->lanes &= ~others;
   return v->lanes ? level : NULL;
}

/* To the first of the square, where other lanes get anything. */
static void
sample_level(const struct tex_plain *t, const struct points *points, unsigned number, bool linear, uint64_t lanes,
             struct texels square[4])
{
   struct view v = {
      .t = t, .linear = linear && !t->image->is_int, .weights = t->sampler->filter.weights, .lanes = lanes};
   v.count = !v.linear ? 1 : points->at[1] ? 4 : 2;
   struct places p;
   const struct tex_level *level = look_at(&v, number, points, &p);
   if (!level) {
      memset(square, 0, sizeof(*square));
      return;
   }
   fetch_slice(&v, level, points, 0, &p, square);
   combine_square(&v, points, &p, square);
   if (points->at[2] && v.linear) {
      struct texels next[4];
      fetch_slice(&v, level, points, 1, &p, next);
      combine_square(&v, points, &p, next);
      for (unsigned k = 0; k < 4; k++)
         combine(t, square[0].component[k], next[0].component[k], p.part[2], square[0].component[k]);
   }
}

/* Levels of the lanes, and how they are filtered: as sim_sample() does. Lanes that are not active are as the first
 * one that is. */
struct levels {
   _Alignas(64) uint32_t first[N], linear[N];
   float between[N];
   uint64_t two; /* lanes that need the next level, too */
};

/* Those of the footprints: with biases, and clamped to what the sampler, the view and the instruction allow. */
static void
limit_lods(const struct tex_plain *t, float lod[N])
{
   const struct amd_tex_request *r = t->request;
   const struct sim_sampler *s = &t->sampler->filter;
   const float view = t->image->min_lod - (float)t->image->base_level, low = s->min_lod > view ? s->min_lod : view;
   const bool is_base = r->kind == AMD_TEX_GATHER4 && r->lod_mode == AMD_TEX_LOD_ZERO; /* of a gather */
   const int n = lane_count(t);
   for (int l = 0; l < n; l++)
      lod[l] = is_base ? 0.0f : lod[l] + t->sampler->lod_bias;
   for (int l = 0; l < n && r->lod_mode == AMD_TEX_LOD_BIAS; l++)
      lod[l] += r->bias[l];
   for (int l = 0; l < n; l++) {
      const float least = r->has_lod_clamp && r->lod_clamp[l] > low ? r->lod_clamp[l] : low;
      const float most = lod[l] < s->max_lod ? lod[l] : s->max_lod;
      lod[l] = s->unnormalized ? 0.0f : most > least ? most : least;
   }
}

/* sim_choose_level() */
static void
choose_levels(const struct tex_plain *t, uint64_t lanes, struct levels *c)
{
   const struct sim_sampler *s = &t->sampler->filter;
   const float top = (float)(t->image->last_level - t->image->base_level), weights = s->weights;
   const float *lod = t->footprints->lod, other = lod[__builtin_ctzll(lanes)];
   const bool no_mip = s->mip == SIM_MIP_NONE, is_nearest = s->mip == SIM_MIP_NEAREST;
   const int n = lane_count(t);
   uint32_t active[N], two[N];
   for (int l = 0; l < n; l++)
      active[l] = (uint32_t)(lanes >> (l & HALF)) >> (l & (HALF - 1)) & 1;
   for (int l = 0; l < n; l++) {
      const float given = active[l] ? lod[l] : other;
      const float level = given > 0.0f ? floorf(given * weights + 0.5f) / weights : given;
      const float clamped = no_mip || !(level > 0.0f) ? 0.0f : level > top ? top : level;
      const float above = ceilf(clamped + 0.5f) - 1.0f, whole = above > 0.0f ? above : 0.0f;
      const float at = is_nearest ? whole : clamped;
      c->first[l] = (uint32_t)(int)at;
      c->between[l] = at - (float)(int)at;
      c->linear[l] = level > 0.0f ? s->min_linear : s->mag_linear;
      two[l] = 0 - (uint32_t)(c->between[l] != 0.0f);
   }
   c->two = t->image->is_int ? 0 : lanes_with_sign(n, two) & lanes;
}

/* The lanes that share the first one's level and filter. */
static uint64_t
alike(int n, const struct levels *c, uint64_t lanes)
{
   const uint32_t first = c->first[__builtin_ctzll(lanes)], linear = c->linear[__builtin_ctzll(lanes)];
   uint32_t same[N];
   for (int l = 0; l < n; l++)
      same[l] = 0 - (uint32_t)(c->first[l] == first && c->linear[l] == linear);
   return lanes_with_sign(n, same) & lanes;
}

static void
sample_levels(const struct tex_plain *t, const struct points *points, const struct levels *c, uint64_t lanes,
              struct texels *near)
{
   struct texels square[4], far = {{{0}}};
   memset(near, 0, sizeof(*near));
   for (uint64_t left = lanes, same; left; left &= ~same) {
      const unsigned l = (unsigned)__builtin_ctzll(left), level = t->image->base_level + c->first[l];
      same = alike(lane_count(t), c, left);
      sample_level(t, points, level, c->linear[l], same, square);
      for (unsigned k = 0; k < 4; k++)
         put_lanes(t, same, square[0].component[k], near->component[k]);
      if (!(same & c->two))
         continue;
      sample_level(t, points, level + 1, c->linear[l], same & c->two, square);
      for (unsigned k = 0; k < 4; k++)
         put_lanes(t, same & c->two, square[0].component[k], far.component[k]);
   }
   for (unsigned k = 0; k < 4 && c->two & lanes; k++) {
      uint32_t mixed[N];
      combine(t, near->component[k], far.component[k], c->between, mixed);
      put_lanes(t, c->two & lanes, mixed, near->component[k]);
   }
}

/* The points of a probe. Returns the lanes that have it. */
static uint64_t
move_points(const struct tex_plain *t, const struct points *from, unsigned probe, float (*moved)[N],
            struct points *to)
{
   const struct tex_footprints *f = t->footprints;
   const int n = lane_count(t);
   uint32_t has[N];
   *to = *from;
   for (unsigned axis = 0; axis < 3 && from->at[axis]; axis++) {
      for (int l = 0; l < n; l++) {
         const float steps = (float)(int)probe - 0.5f * (float)((int)f->probes[l] - 1);
         moved[axis][l] = from->at[axis][l] + steps * f->step[axis][l];
      }
      to->at[axis] = moved[axis];
   }
   for (int l = 0; l < n; l++)
      has[l] = 0 - (uint32_t)(f->probes[l] > probe);
   return lanes_with_sign(n, has);
}

/* The mean, the least or the largest of the lanes' probes. */
static void
sample_probes(const struct tex_plain *t, const struct points *points, const struct levels *c, uint64_t lanes,
              struct texels *sum)
{
   struct texels texels;
   struct points to;
   float moved[3][N], part[N];
   uint64_t some = lanes;
   for (unsigned probe = 0; (some = lanes & move_points(t, points, probe, moved, &to)); probe++) {
      sample_levels(t, &to, c, some, probe ? &texels : sum);
      for (int l = 0; l < N; l++)
         part[l] = 1.0f / (float)((int)probe + 1);
      for (unsigned k = 0; k < 4 && probe; k++) {
         combine(t, sum->component[k], texels.component[k], part, texels.component[k]);
         put_lanes(t, some, texels.component[k], sum->component[k]);
      }
   }
}

/* The level that a lane gathers from, counted from the base level. */
static unsigned
gathered_level(const struct tex_plain *t, unsigned lane)
{
   const float lod = t->footprints ? t->footprints->lod[lane] : 0.0f;
   const float top = (float)(t->image->last_level - t->image->base_level);
   return lod > 0.0f ? (unsigned)MIN2(lod + 0.5f, top) : 0;
}

/* The four texels around each lane, each one's component to one of the result. */
static void
put_square(const struct tex_plain *t, uint64_t lanes, const struct texels square[4], uint32_t result[4][N])
{
   static const uint8_t order[4] = {2, 3, 1, 0};
   const unsigned component = t->request->dmask ? __builtin_ctz(t->request->dmask) & 3 : 0;
   const unsigned select = t->image->dst_sel[component];
   for (unsigned i = 0; i < 4; i++)
      put_component(t, lanes, select, &square[order[i]], result[i]);
}

static void
gather(const struct tex_plain *t, const struct points *points, uint64_t lanes, uint32_t result[4][N])
{
   for (uint64_t left = lanes, same; left; left &= ~same) {
      const unsigned number = gathered_level(t, (unsigned)__builtin_ctzll(left));
      struct view v = {.t = t, .linear = true, .count = 4};
      struct places p;
      struct texels square[4];
      same = 0;
      for (uint64_t some = left; some; some &= some - 1)
         same |= (uint64_t)(gathered_level(t, (unsigned)__builtin_ctzll(some)) == number) << __builtin_ctzll(some);
      v.lanes = same;
      const struct tex_level *level = look_at(&v, t->image->base_level + number, points, &p);
      if (!level)
         continue;
      fetch_slice(&v, level, points, 0, &p, square);
      put_square(t, v.lanes, square, result);
   }
}

void
WIDE(tex_plain_sample)(const struct tex_plain *t, uint32_t result[4][AMD_TEX_LANES])
{
   const uint64_t lanes = t->request->exec & UINT64_MAX >> (N - t->request->lanes);
   struct points points;
   struct texels texels[4];
   struct levels levels;
   find_points(t, &points);
   if (t->footprints)
      limit_lods(t, t->footprints->lod);
   if (t->request->kind == AMD_TEX_GATHER4) {
      gather(t, &points, lanes, result);
      return;
   }
   if (t->footprints)
      choose_levels(t, lanes, &levels);
   if (t->footprints && t->footprints->are_probes)
      sample_probes(t, &points, &levels, lanes, texels);
   else if (t->footprints)
      sample_levels(t, &points, &levels, lanes, texels);
   else
      sample_level(t, &points, t->image->base_level, t->sampler->filter.mag_linear, lanes, texels);
   select_components(t, lanes, &texels[0], result);
}
