#include "uav_space.h"

#include "intel/hw/uav_caps.h"
#include "intel/sim/uav_needs.h"

static unsigned
take_bits(unsigned *index, unsigned bits)
{
   unsigned value = *index & ((1u << bits) - 1);
   *index >>= bits;
   return value;
}

static bool
is_draw(const struct uav_draw *draw)
{
   bool of_shader = draw->stores >> INTEL_PS & 1 || draw->kills || draw->omask || draw->alpha_to_coverage ||
                    draw->computed_depth || draw->computed_stencil || draw->early_tests || draw->writes_colour;
   return (draw->pixel_shader || !of_shader) && (draw->depth_test || !draw->depth_write) &&
          (draw->stencil_test || !draw->stencil_write) && (draw->target || !draw->masked) &&
          !(draw->early_tests && (draw->computed_depth || draw->computed_stencil)) &&
          (!draw->computed_stencil || intel_uav_caps[draw->gen].computes_stencil);
}

bool
uav_draw(enum intel_gen gen, unsigned index, struct uav_draw *draw)
{
   *draw = (struct uav_draw){.gen = gen, .stores = take_bits(&index, INTEL_STAGES)};
   bool *const properties[] = {
      &draw->pixel_shader,   &draw->kills,         &draw->omask,         &draw->alpha_to_coverage,
      &draw->computed_depth, &draw->early_tests,   &draw->writes_colour, &draw->computed_stencil,
      &draw->target,         &draw->masked,        &draw->depth_test,    &draw->depth_write,
      &draw->stencil_test,   &draw->stencil_write, &draw->counted,       &draw->hiz_follows,
   };
   for (unsigned i = 0; i < sizeof(properties) / sizeof(*properties); i++)
      *properties[i] = take_bits(&index, 1);
   return is_draw(draw);
}

unsigned
uav_draw_needs(const struct uav_draw *draw)
{
   /* With early tests samples are counted, and depth and stencil are written, ahead of the shader. */
   bool chooses = draw->kills || draw->omask || draw->alpha_to_coverage ||
                  (draw->computed_depth && draw->depth_test) || (draw->computed_stencil && draw->stencil_test);
   bool late = chooses && !draw->early_tests;
   return (draw->stores >> INTEL_PS & 1 ? UAV_NEED_STORES : 0) | (late && draw->counted ? UAV_NEED_COUNT : 0) |
          (draw->writes_colour && draw->target && !draw->masked ? UAV_NEED_TARGET : 0) |
          (late && (draw->depth_write || draw->stencil_write) ? UAV_NEED_DEPTH : 0);
}

struct intel_uav_input
uav_draw_input(const struct uav_draw *draw)
{
   struct intel_uav_input input = {
      .gen = draw->gen,
      .pixel_shader = draw->pixel_shader,
      .kills = draw->kills,
      .writes_mask = draw->omask,
      .computed_depth = draw->computed_depth ? INTEL_DEPTH_ON : INTEL_DEPTH_OFF,
      .computes_stencil = draw->computed_stencil,
      .early_tests = draw->early_tests,
      .color_writes = draw->writes_colour && draw->target && !draw->masked,
      .alpha_to_coverage = draw->alpha_to_coverage,
      .depth_test = draw->depth_test,
      .depth_write = draw->depth_write,
      .stencil_test = draw->stencil_test,
      .stencil_write = draw->stencil_write,
      .occlusion_query = draw->counted,
      .hz_op_follows = draw->hiz_follows,
   };
   for (unsigned i = 0; i < INTEL_STAGES; i++)
      input.side_effects[i] = draw->stores >> i & 1;
   return input;
}
