/* smpf: the level of detail, and what the filter of sim/texel/sample.h needs to know. Level, probes of an anisotropic
 * footprint and weights follow the specification of Vulkan, exactly: how hardware rounds them is not known. */
#include <math.h>
#include <string.h>

#include "asahi/sim/tex/tex_private.h"
#include "asahi/sim/tex/tex_sampler.h"
#include "sim/texel/cube.h"
#include "sim/texel/numeric.h"
#include "util/macros.h"

struct sampling {
   struct sim_image image; /* first: what the filter calls back with */
   const struct agx_tex_request *request;
   const struct tex_dim *dim;
   struct agx_surface *surface;
   const struct sim_vm *vm;
   struct sim_sampler sampler;
   float place[3][AGX_TEX_LANES]; /* coordinates as 32-bit floats, of all lanes */
   /* The footprint of the quad that was asked for last, as this face of a cube sees it. */
   unsigned quad, quad_face;
   struct sim_footprint of_quad;
   struct sim_fault *fault;
   bool bad, absent;
};

static v4u
texel(struct sim_image *image, unsigned level, uint32_t x, uint32_t y, uint32_t slice)
{
   struct sampling *t = container_of(image, struct sampling, image);
   v4u value = {0};
   const struct agx_surface_place place = {.x_px = x, .y_px = y, .layer = slice, .level = level};
   enum agx_surface_access access = agx_surface_read(t->surface, t->vm, &place, (uint32_t *)&value, t->fault);
   t->bad |= access == AGX_SURFACE_FAULT;
   t->absent |= access == AGX_SURFACE_ABSENT;
   return value;
}

/* Of plain bytes in one mapping. */
static bool
square(struct sim_image *image, unsigned level, uint32_t x, uint32_t y, uint32_t slice, v4f texels[4])
{
   struct sampling *t = container_of(image, struct sampling, image);
   const struct agx_surface *s = t->surface;
   for (unsigned i = 0; i < 4; i++) {
      uint64_t offset_B = agx_surface_offset_B(s, x + (i & 1), y + (i >> 1), slice, level, 0);
      if (offset_B + s->sample_B > s->run_B)
         return false;
      sim_texel_decode(&s->format, s->host + offset_B, (uint32_t *)&texels[i]);
   }
   return true;
}

static float
number(uint32_t bits, bool is_half)
{
   return is_half ? sim_half_to_float((uint16_t)bits) : bits_float(bits);
}

static void
prepare(struct sampling *t)
{
   const struct agx_surface *s = t->surface;
   enum agx_texture_dimension d = s->dimension;
   t->image = (struct sim_image){
      .kind = t->dim->is_cube                 ? SIM_IMAGE_CUBE
              : d == AGX_TEXTURE_DIMENSION_3D ? SIM_IMAGE_3D
              : t->dim->place == 1            ? SIM_IMAGE_1D
                                              : SIM_IMAGE_2D,
      .is_int = s->is_int,
      .is_signed = s->format.numeric == SIM_SINT,
      .clamps_reference = s->format.numeric == SIM_UNORM,
      .width = s->width_px,
      .height = s->height_px,
      .depth = d == AGX_TEXTURE_DIMENSION_3D ? s->layers : 1,
      .base_level = s->first_level,
      .last_level = s->last_level,
      .texel = texel,
      .square = s->compressed || s->sparse || s->is_block ? NULL : square,
   };
   for (unsigned i = 0; i < t->dim->place; i++) {
      for (unsigned lane = 0; lane < AGX_TEX_LANES; lane++)
         t->place[i][lane] = number(t->request->coords[i][lane], t->request->coords_16);
   }
}

static unsigned
face_of(const struct sampling *t, unsigned lane)
{
   const float direction[3] = {t->place[0][lane], t->place[1][lane], t->place[2][lane]};
   return t->dim->is_cube ? sim_cube_face(direction) : 0;
}

/* Where a lane's direction meets the plane of a face, in [0, 1] on the face itself. Infinite: it looks away. */
static void
on_face(const struct sampling *t, unsigned face, unsigned lane, float at[2])
{
   const float direction[3] = {t->place[0][lane], t->place[1][lane], t->place[2][lane]};
   struct sim_cube_point p = sim_cube_project(face, direction);
   at[0] = p.major > 0.0f ? 0.5f + 0.5f * p.s / p.major : INFINITY;
   at[1] = p.major > 0.0f ? 0.5f + 0.5f * p.t / p.major : INFINITY;
}

/* Of the coordinates over the quad; on a cube, as the lane's own face sees them (Vulkan, 16.5.3). */
static void
quad_gradient(const struct sampling *t, unsigned face, unsigned lane, struct sim_gradient *g)
{
   unsigned quad = lane & ~3u;
   if (t->dim->is_cube) {
      float first[2], right[2], below[2];
      on_face(t, face, quad, first);
      on_face(t, face, quad + 1, right);
      on_face(t, face, quad + 2, below);
      for (unsigned i = 0; i < 2; i++) {
         g->dx[i] = right[i] - first[i];
         g->dy[i] = below[i] - first[i];
      }
      return;
   }
   for (unsigned i = 0; i < t->dim->place; i++) {
      g->dx[i] = t->place[i][quad + 1] - t->place[i][quad];
      g->dy[i] = t->place[i][quad + 2] - t->place[i][quad];
   }
}

/* Derivatives of a direction become those of the coordinates on its face. */
static void
gradient_on_face(const struct sampling *t, unsigned face, unsigned lane, struct sim_gradient *g)
{
   const float direction[3] = {t->place[0][lane], t->place[1][lane], t->place[2][lane]};
   struct sim_cube_point at = sim_cube_project(face, direction);
   float *both[2] = {g->dx, g->dy}, scale = 0.5f / (at.major * at.major);
   for (unsigned i = 0; i < 2; i++) {
      struct sim_cube_point d = sim_cube_project(face, both[i]);
      both[i][0] = scale * (d.s * at.major - at.s * d.major);
      both[i][1] = scale * (d.t * at.major - at.t * d.major);
      both[i][2] = 0.0f;
   }
}

static void
given_gradient(const struct sampling *t, unsigned face, unsigned lane, struct sim_gradient *g)
{
   for (unsigned i = 0; i < t->dim->place; i++) {
      g->dx[i] = bits_float(t->request->lod[2 * i][lane]);
      g->dy[i] = bits_float(t->request->lod[2 * i + 1][lane]);
   }
   if (t->dim->is_cube)
      gradient_on_face(t, face, lane, g);
}

static struct sim_footprint
footprint_of_gradient(const struct sampling *t, unsigned face, const struct sim_gradient *g)
{
   unsigned level = t->surface->first_level;
   const struct agx_surface_level *first = &t->surface->level[level];
   float size[3] = {(float)first->width_px, (float)first->height_px, (float)first->slices_px};
   if (t->sampler.unnormalized)
      size[0] = size[1] = size[2] = 1.0f;
   struct sim_footprint f =
      sim_footprint_of(g, size, t->image.is_int || t->sampler.unnormalized ? 1 : t->sampler.max_anisotropy);
   if (f.probes > 1 && t->dim->is_cube)
      sim_cube_direction(face, (struct sim_cube_point){2.0f * f.step[0], 2.0f * f.step[1], 0.0f}, f.step);
   return f;
}

/* Level, with its bias, and probes. *minimum: what the instruction asks for at least. */
static struct sim_footprint
footprint_of(struct sampling *t, unsigned face, unsigned lane, float *minimum)
{
   const struct agx_tex_request *r = t->request;
   struct sim_gradient g = {0};
   struct sim_footprint f;
   *minimum = 0.0f;
   switch ((enum agx_lod_type)r->lod_type) {
   case AGX_LOD_TYPE_LOD_MIN:
   case AGX_LOD_TYPE_LOD_MIN_6:
      return (struct sim_footprint){.lod = number(r->lod[0][lane], true), .probes = 1};
   case AGX_LOD_TYPE_LOD_GRAD:
   case AGX_LOD_TYPE_LOD_GRAD_MIN:
      given_gradient(t, face, lane, &g);
      if (r->lod_type == AGX_LOD_TYPE_LOD_GRAD_MIN)
         *minimum = number(r->lod[2 * t->dim->place][lane], true);
      return footprint_of_gradient(t, face, &g);
   case AGX_LOD_TYPE_AUTO_LOD:
   case AGX_LOD_TYPE_AUTO_LOD_BIAS:
   case AGX_LOD_TYPE_AUTO_LOD_BIAS_5:
   case AGX_LOD_TYPE_AUTO_LOD_BIAS_MIN:
   case AGX_LOD_TYPE_AUTO_LOD_BIAS_MIN_13:
      break;
   }
   if (t->quad != lane / 4 || t->quad_face != face) {
      quad_gradient(t, face, lane, &g);
      t->of_quad = footprint_of_gradient(t, face, &g);
      t->quad = lane / 4;
      t->quad_face = face;
   }
   f = t->of_quad;
   f.lod += r->lod_type != AGX_LOD_TYPE_AUTO_LOD ? number(r->lod[0][lane], true) : 0.0f;
   if (r->lod_type == AGX_LOD_TYPE_AUTO_LOD_BIAS_MIN || r->lod_type == AGX_LOD_TYPE_AUTO_LOD_BIAS_MIN_13)
      *minimum = number(r->lod[1][lane], true);
   return f;
}

static float
clamp_lod(const struct sampling *t, float lod, float minimum)
{
   float low = MAX2(t->sampler.min_lod, minimum);
   lod = lod < t->sampler.max_lod ? lod : t->sampler.max_lod;
   return lod > low ? lod : low;
}

/* The level that would be used, counted from the view's first, and the one before limits. */
static void
put_lod(const struct sampling *t, unsigned lane, float lod, float minimum, struct agx_tex_result *result)
{
   float top = (float)(t->image.last_level - t->image.base_level), clamped = clamp_lod(t, lod, minimum);
   clamped = clamped < 0.0f ? 0.0f : clamped > top ? top : clamped;
   if (t->sampler.mip == SIM_MIP_NEAREST)
      clamped = floorf(clamped + 0.5f);
   else if (t->sampler.mip == SIM_MIP_NONE)
      clamped = 0.0f;
   const float both[4] = {clamped, lod, 0.0f, 0.0f};
   for (unsigned c = 0; c < 4; c++)
      result->value[c][lane] = t->request->dst_16 ? sim_half_from_float(both[c]) : float_bits(both[c]);
}

static void
make_point(const struct sampling *t, unsigned face, unsigned lane, uint32_t layer, struct sim_sample_point *p)
{
   *p = (struct sim_sample_point){.s = t->place[0][lane],
                                  .t = t->dim->place > 1 ? t->place[1][lane] : 0.0f,
                                  .r = t->dim->place > 2 ? t->place[2][lane] : 0.0f,
                                  .slice = layer * (t->dim->is_cube ? 6 : 1),
                                  .face = face,
                                  .compare = t->request->shadow};
   if (t->dim->is_cube) {
      float at[2];
      on_face(t, face, lane, at);
      p->s = at[0];
      p->t = at[1];
   }
   if (t->request->shadow)
      p->reference = bits_float(t->request->zs[0][lane]);
   for (unsigned i = 0; t->request->has_offset && i < t->dim->place; i++)
      p->offset[i] = tex_offset(t->request, i, lane);
}

static void
put_gather(struct sampling *t, unsigned lane, const struct sim_sample_point *point, struct agx_tex_result *result)
{
   v4u texels[4] = {{0}};
   sim_gather(&t->image, &t->sampler, point, 0.0f, texels);
   unsigned component = t->request->gather >> 1;
   for (unsigned i = 0; i < 4; i++)
      result->value[i][lane] = tex_channel(t->surface, t->request, texels[i], component);
}

static void
sample_lane(struct sampling *t, unsigned lane, struct agx_tex_result *result)
{
   struct sim_sample_point point;
   unsigned face = face_of(t, lane);
   uint32_t layer = 0, sample;
   float minimum = 0.0f;
   struct sim_footprint footprint = {.probes = 1};
   if (!t->request->gather)
      footprint = footprint_of(t, face, lane, &minimum);
   if (t->request->query_lod) {
      put_lod(t, lane, footprint.lod, minimum, result);
      return;
   }
   tex_layer_sample(t->dim, t->request->coords_16, t->request->coords, lane, &layer, &sample);
   make_point(t, face, lane, layer, &point);
   if (point.slice >= t->surface->layers) {
      tex_put(t->surface, t->request, lane, tex_garbage(lane), result);
      return;
   }
   if (t->request->gather) {
      put_gather(t, lane, &point, result);
      return;
   }
   float lod = t->sampler.unnormalized ? 0.0f : clamp_lod(t, footprint.lod, minimum);
   v4u value = sim_sample(&t->image, &t->sampler, &point, &footprint, lod);
   tex_put(t->surface, t->request, lane, value, result);
}

bool
tex_sample(const struct sim_vm *vm, const struct agx_tex_request *r, struct agx_surface *surface,
           struct agx_tex_result *result, struct sim_fault *fault)
{
   struct sampling t = {
      .request = r, .dim = tex_dim(r->dim), .surface = surface, .vm = vm, .fault = fault, .quad = ~0u};
   if (!tex_sampler_decode(&t.sampler, r, fault))
      return false;
   if (surface->samples_log2 || t.dim->has_sample)
      return sim_fault_set(fault, SIM_FAULT_INSTRUCTION, surface->base, "smpf of an image with samples");
   prepare(&t);
   for (uint32_t lanes = r->exec; lanes; lanes &= lanes - 1) {
      unsigned lane = (unsigned)__builtin_ctz(lanes);
      t.absent = false;
      sample_lane(&t, lane, result);
      result->not_resident |= t.absent ? 1u << lane : 0;
      if (t.bad)
         return false;
   }
   return true;
}
