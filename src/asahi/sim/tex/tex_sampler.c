#include "asahi/sim/tex/tex_sampler.h"

#include <string.h>

#include "asahi/hw/records.h"
#include "util/macros.h"

static const enum sim_wrap wraps[] = {
   [AGX_WRAP_CLAMP_TO_EDGE] = SIM_WRAP_EDGE,     [AGX_WRAP_REPEAT] = SIM_WRAP_REPEAT,
   [AGX_WRAP_MIRRORED_REPEAT] = SIM_WRAP_MIRROR, [AGX_WRAP_CLAMP_TO_BORDER] = SIM_WRAP_BORDER,
   [AGX_WRAP_CLAMP_GL] = SIM_WRAP_HALF_BORDER,   [AGX_WRAP_MIRRORED_CLAMP_TO_EDGE] = SIM_WRAP_MIRROR_ONCE_EDGE,
};

/* The reference stands to the left. */
static const uint8_t compares[] = {
   [AGX_COMPARE_FUNC_LEQUAL] = SIM_COMPARE_LESS_EQUAL, [AGX_COMPARE_FUNC_GEQUAL] = SIM_COMPARE_GREATER_EQUAL,
   [AGX_COMPARE_FUNC_LESS] = SIM_COMPARE_LESS,         [AGX_COMPARE_FUNC_GREATER] = SIM_COMPARE_GREATER,
   [AGX_COMPARE_FUNC_EQUAL] = SIM_COMPARE_EQUAL,       [AGX_COMPARE_FUNC_NOT_EQUAL] = SIM_COMPARE_NOT_EQUAL,
   [AGX_COMPARE_FUNC_ALWAYS] = SIM_COMPARE_ALWAYS,     [AGX_COMPARE_FUNC_NEVER] = SIM_COMPARE_NEVER,
};

static bool
set_border(struct sim_sampler *sampler, enum agx_border_colour colour, const struct agx_tex_request *r,
           struct sim_fault *fault)
{
   switch (colour) {
   case AGX_BORDER_COLOUR_TRANSPARENT_BLACK:
      return true;
   case AGX_BORDER_COLOUR_OPAQUE_BLACK:
      sampler->border = (v4f){0.0f, 0.0f, 0.0f, 1.0f};
      sampler->border_bits = (v4u){0, 0, 0, 1};
      return true;
   case AGX_BORDER_COLOUR_OPAQUE_WHITE:
      sampler->border = (v4f){1.0f, 1.0f, 1.0f, 1.0f};
      sampler->border_bits = (v4u){1, 1, 1, 1};
      return true;
   case AGX_BORDER_COLOUR_CUSTOM:
      break;
   }
   if (!r->extended_sampler)
      return sim_fault_set(fault, SIM_FAULT_STATE, sim_va(0),
                           "a sampler with a border colour of its own in a state that has no room for it");
   memcpy(&sampler->border, r->sampler + 2, sizeof(sampler->border));
   memcpy(&sampler->border_bits, r->sampler + 2, sizeof(sampler->border_bits));
   return true;
}

bool
tex_sampler_decode(struct sim_sampler *sampler, const struct agx_tex_request *r, struct sim_fault *fault)
{
   struct agx_sampler s;
   agx_sampler_unpack(&s, r->sampler);
   const enum agx_wrap wrap[3] = {s.wrap_s, s.wrap_t, s.wrap_r};
   if (s.magnify > AGX_FILTER_LINEAR || s.minify > AGX_FILTER_LINEAR)
      return sim_fault_set(fault, SIM_FAULT_STATE, sim_va(0), "the model does not have filter %u or %u", s.magnify,
                           s.minify);
   if (s.mip_filter > AGX_MIP_FILTER_LINEAR || s.maximum_anisotropy > 16)
      return sim_fault_set(fault, SIM_FAULT_STATE, sim_va(0), "sampler with mip filter %u, anisotropy %u",
                           s.mip_filter, s.maximum_anisotropy);
   *sampler = (struct sim_sampler){
      .compare = compares[s.compare_func],
      .mag_linear = s.magnify == AGX_FILTER_LINEAR,
      .min_linear = s.minify == AGX_FILTER_LINEAR,
      .mip = s.mip_filter == AGX_MIP_FILTER_NONE      ? SIM_MIP_NONE
             : s.mip_filter == AGX_MIP_FILTER_NEAREST ? SIM_MIP_NEAREST
                                                      : SIM_MIP_LINEAR,
      .max_anisotropy = (uint8_t)s.maximum_anisotropy,
      .unnormalized = s.pixel_coordinates,
      .seamless = !s.seamful_cube_maps,
      .min_lod = s.minimum_lod,
      .max_lod = s.maximum_lod,
   };
   for (unsigned i = 0; i < 3; i++) {
      if (wrap[i] >= ARRAY_SIZE(wraps))
         return sim_fault_set(fault, SIM_FAULT_STATE, sim_va(0), "sampler with wrap mode %u", wrap[i]);
      sampler->wrap[i] = wraps[wrap[i]];
   }
   return set_border(sampler, s.border_colour, r, fault);
}
