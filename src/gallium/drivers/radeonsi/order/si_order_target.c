/* What a colour target needs (si_order_color.c), by its format and the state of blending. */
#include <stddef.h>

#include "amd/common/ac_format.h"
#include "gallium/drivers/radeonsi/cs/si_mutant.h"
#include "gallium/drivers/radeonsi/order/si_order.h"
#include "util/format.h"

static bool
has_alpha(const struct format_info *info)
{
   for (unsigned i = 0; i < info->component_count; i++) {
      if (info->components[i].name == FORMAT_A)
         return true;
   }
   return false;
}

unsigned
si_order_target_need(const struct si_order_blending *blending, unsigned target, bool commutative_add)
{
   const struct format_info *info = blending->formats[target] ? format_info(blending->formats[target]) : NULL;
   struct ac_color_format color;

   if (!info || !ac_format_color(blending->formats[target], &color))
      return 0;
   /* Logic operations leave out sRGB as they do floats. */
   struct si_order_color order = {
      .blend = &blending->targets[target],
      .logic_op_enable = blending->logic_op_enable,
      .logic_op = blending->logic_op,
      .is_float = color.is_float || (blending->logic_op_enable && info->components[0].numeric == FORMAT_SRGB),
      .is_integer = color.is_integer,
      .is_signed = info->components[0].numeric == FORMAT_SNORM,
      .has_alpha = has_alpha(info),
      .commutative_add = commutative_add,
   };

   si_mutate_struct(MUTANT_si_order_color, 0, &order);
   return si_order_color_need(&order);
}

unsigned
si_order_gfx_need(const struct pipe_graphics_state *gfx, unsigned target, bool commutative_add)
{
   const struct pipe_blend_equation *e = &gfx->blend[target];
   struct si_order_blending blending = {.logic_op_enable = gfx->logic_op_enable, .logic_op = gfx->logic_op};

   blending.formats[target] = gfx->targets.color_formats[target];
   blending.targets[target] = (struct si_order_blend){
      .enable = pipe_is_blended(gfx, target),
      .src_rgb = (enum pipe_blend_factor)e->src_rgb,
      .dst_rgb = (enum pipe_blend_factor)e->dst_rgb,
      .src_alpha = (enum pipe_blend_factor)e->src_alpha,
      .dst_alpha = (enum pipe_blend_factor)e->dst_alpha,
      .op_rgb = (enum pipe_blend_op)e->op_rgb,
      .op_alpha = (enum pipe_blend_op)e->op_alpha,
      .write_mask = (uint8_t)pipe_color_mask(gfx, target),
   };
   return si_order_target_need(&blending, target, commutative_add);
}
