#include "asahi/sim/tex/tex.h"

#include <string.h>

#include "asahi/sim/cache/tex_cache.h"
#include "asahi/sim/tex/tex_private.h"
#include "sim/texel/numeric.h"

struct agx_tex_operands
agx_tex_operands(const struct agx_modifiers *mod, bool has_offset, bool coords_16)
{
   struct agx_tex_operands operands = {.coords_bits = coords_16 ? 16 : 32, .lod_bits = 16};
   const struct tex_dim *is = tex_dim(mod->dim);
   if (!is)
      return operands;
   operands.coords = is->place;
   if (!mod->query_lod)
      operands.coords += coords_16 ? is->has_layer + is->has_sample : is->has_layer || is->has_sample;
   operands.zs = (uint8_t)((mod->shadow != 0) + has_offset);
   operands.zs_bits = mod->shadow ? 32 : 16;
   enum agx_lod_type lod_type = (enum agx_lod_type)mod->lod_type;
   switch (lod_type) {
   case AGX_LOD_TYPE_AUTO_LOD:
      break;
   case AGX_LOD_TYPE_AUTO_LOD_BIAS:
   case AGX_LOD_TYPE_AUTO_LOD_BIAS_5:
   case AGX_LOD_TYPE_LOD_MIN:
   case AGX_LOD_TYPE_LOD_MIN_6:
      operands.lod = 1;
      break;
   case AGX_LOD_TYPE_AUTO_LOD_BIAS_MIN:
   case AGX_LOD_TYPE_AUTO_LOD_BIAS_MIN_13:
      operands.lod = 2;
      break;
   case AGX_LOD_TYPE_LOD_GRAD:
   case AGX_LOD_TYPE_LOD_GRAD_MIN:
      operands.lod = (uint8_t)(2 * is->place + (lod_type == AGX_LOD_TYPE_LOD_GRAD_MIN));
      operands.lod_bits = 32;
      break;
   }
   return operands;
}

void
tex_layer_sample(const struct tex_dim *dim, bool coords_16, const uint32_t coords[5][AGX_TEX_LANES], unsigned lane,
                 uint32_t *layer, uint32_t *sample)
{
   uint32_t word = dim->has_layer || dim->has_sample ? coords[dim->place][lane] : 0;
   *sample = dim->has_sample ? word & 0xffff : 0;
   *layer = 0;
   if (dim->has_layer && dim->has_sample)
      *layer = coords_16 ? coords[dim->place + 1][lane] & 0xffff : word >> 16;
   else if (dim->has_layer)
      *layer = word & 0xffff;
}

uint32_t
tex_channel(const struct agx_surface *surface, const struct agx_tex_request *r, v4u texel, unsigned c)
{
   unsigned channel = surface->swizzle[c];
   uint32_t value = channel < 4                  ? texel[channel]
                    : channel == AGX_CHANNEL_ONE ? surface->is_int ? 1 : float_bits(1.0f)
                                                 : 0;
   if (!r->dst_16)
      return value;
   return surface->is_int ? value & 0xffff : sim_half_from_float(bits_float(value));
}

void
tex_put(const struct agx_surface *surface, const struct agx_tex_request *r, unsigned lane, v4u texel,
        struct agx_tex_result *result)
{
   for (unsigned c = 0; c < 4; c++)
      result->value[c][lane] = tex_channel(surface, r, texel, c);
}

v4u
tex_garbage(unsigned lane)
{
   return (v4u){0x9e3779b1u * (lane + 1), 0x85ebca6bu * (lane + 3), 0xc2b2ae35u * (lane + 5),
                0x27d4eb2fu * (lane + 7)};
}

bool
agx_tex_run(const struct sim_vm *vm, const struct agx_tex_request *request, struct agx_tex_result *result,
            struct sim_fault *fault)
{
   result->not_resident = 0;
   struct agx_surface *surface = tex_surface(vm, request->texture, false, request->dim, fault);
   if (!surface)
      return false;
   if (surface->no_texels && !request->fetch)
      return agx_surface_no_texels(surface, fault);
   if (request->cache && !agx_tex_cache_look(request->cache, vm, surface, fault))
      return false;
   return (request->fetch ? tex_fetch : tex_sample)(vm, request, surface, result, fault);
}
