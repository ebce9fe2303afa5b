/* smpi: texels by integer coordinates. The sampler's wrap modes and its mip filter count (reported: drivers bind a
 * sampler with a border, and the nearest level, for it); its limits of the level do not (that sampler has a maximum
 * of 0.25). What drivers must keep inside themselves: level, layer and sample. */
#include <string.h>

#include "asahi/sim/tex/tex_private.h"
#include "asahi/sim/tex/tex_sampler.h"
#include "sim/texel/wrap.h"
#include "util/macros.h"

struct fetch {
   const struct agx_tex_request *request;
   const struct tex_dim *dim;
   struct agx_surface *surface;
   const struct sim_sampler *sampler;
};

static bool
check(const struct agx_tex_request *r, const struct agx_surface *surface, struct sim_fault *fault)
{
   bool has_lod = r->lod_type == AGX_LOD_TYPE_LOD_MIN || r->lod_type == AGX_LOD_TYPE_LOD_MIN_6;
   if (!has_lod && r->lod_type != AGX_LOD_TYPE_AUTO_LOD)
      return sim_fault_set(fault, SIM_FAULT_INSTRUCTION, surface->base, "smpi with a bias or gradients");
   if (r->shadow || r->gather || r->query_lod || surface->dimension == AGX_TEXTURE_DIMENSION_CUBE ||
       surface->dimension == AGX_TEXTURE_DIMENSION_CUBE_ARRAY)
      return sim_fault_set(fault, SIM_FAULT_INSTRUCTION, surface->base,
                           "smpi that compares, gathers, asks for the level or meets a cube");
   return true;
}

/* Wrapped coordinates; false: the border. */
static bool
place(const struct fetch *f, const struct agx_surface_level *level, unsigned lane, uint32_t at[3])
{
   const struct agx_tex_request *r = f->request;
   const uint32_t sizes[3] = {level->width_px, level->height_px, level->slices_px};
   for (unsigned i = 0; i < f->dim->place; i++) {
      int coordinate = r->coords_16 ? (int16_t)r->coords[i][lane] : (int)r->coords[i][lane];
      if (r->has_offset)
         coordinate = (int)((uint32_t)coordinate + (uint32_t)tex_offset(r, i, lane));
      int texel = sim_wrap_texel(f->sampler->wrap[i], coordinate, (int)sizes[i]);
      if (texel == SIM_TEXEL_BORDER)
         return false;
      at[i] = (uint32_t)texel;
   }
   return true;
}

static uint32_t
level_of(const struct fetch *f, unsigned lane)
{
   const struct agx_surface *s = f->surface;
   uint32_t lod = f->request->lod_type == AGX_LOD_TYPE_AUTO_LOD || f->sampler->mip == SIM_MIP_NONE
                     ? 0
                     : f->request->lod[0][lane] & 0xffff;
   return MIN2(s->first_level + lod, s->last_level);
}

bool
tex_fetch(const struct sim_vm *vm, const struct agx_tex_request *r, struct agx_surface *s,
          struct agx_tex_result *result, struct sim_fault *fault)
{
   struct sim_sampler sampler;
   struct fetch f = {.request = r, .dim = tex_dim(r->dim), .surface = s, .sampler = &sampler};
   if (!check(r, s, fault) || !tex_sampler_decode(&sampler, r, fault))
      return false;
   bool is_3d = s->dimension == AGX_TEXTURE_DIMENSION_3D;
   for (uint32_t lanes = r->exec; lanes; lanes &= lanes - 1) {
      unsigned lane = (unsigned)__builtin_ctz(lanes);
      uint32_t at[3] = {0}, layer, sample, level = level_of(&f, lane);
      v4u texel;
      tex_layer_sample(f.dim, r->coords_16, r->coords, lane, &layer, &sample);
      if (!place(&f, &s->level[level], lane, at)) {
         texel = s->is_int ? sampler.border_bits : (v4u)sampler.border;
      } else if ((!is_3d && layer >= s->layers) || sample >> s->samples_log2) {
         texel = tex_garbage(lane);
      } else if (s->no_texels) {
         return agx_surface_no_texels(s, fault);
      } else {
         const struct agx_surface_place place = {
            .x_px = at[0], .y_px = at[1], .layer = is_3d ? at[2] : layer, .level = level, .sample = sample};
         enum agx_surface_access access = agx_surface_read(s, vm, &place, (uint32_t *)&texel, fault);
         if (access == AGX_SURFACE_FAULT)
            return false;
         result->not_resident |= access == AGX_SURFACE_ABSENT ? 1u << lane : 0;
      }
      tex_put(s, r, lane, texel, result);
   }
   return true;
}

unsigned
agx_tex_fetch_places(const struct sim_vm *vm, const struct agx_tex_request *r, uint64_t va[AGX_TEX_LANES])
{
   struct sim_fault fault = {0};
   struct sim_sampler sampler;
   struct agx_surface *s = tex_surface(vm, r->texture, false, r->dim, &fault);
   struct fetch f = {.request = r, .dim = tex_dim(r->dim), .surface = s, .sampler = &sampler};
   if (!s || s->sparse || s->is_block || !check(r, s, &fault) || !tex_sampler_decode(&sampler, r, &fault))
      return 0;
   for (unsigned lane = 0; lane < AGX_TEX_LANES; lane++) {
      uint32_t at[3] = {0}, layer, sample, level = level_of(&f, lane);
      tex_layer_sample(f.dim, r->coords_16, r->coords, lane, &layer, &sample);
      layer = s->dimension == AGX_TEXTURE_DIMENSION_3D ? 0 : layer;
      va[lane] = 0;
      if (r->exec >> lane & 1 && place(&f, &s->level[level], lane, at) && layer < s->layers &&
          !(sample >> s->samples_log2))
         va[lane] = s->base.va + agx_surface_offset_B(s, at[0], at[1], at[2] + layer, level, sample);
   }
   return s->sample_B;
}
