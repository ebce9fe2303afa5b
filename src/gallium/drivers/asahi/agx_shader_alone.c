#include "gallium/drivers/asahi/agx_shader_alone.h"

#include "asahi/hw/chips.h"
#include "gallium/auxiliary/aux_shader_alone.h"
#include "gallium/drivers/asahi/agx_program.h"

bool
agx_shader_alone_compile(struct arena *arena, const struct agx_chip *chip, struct nir_shader *nir,
                         const char *print_ir, struct agx_output *out, const char **error)
{
   struct agx_screen *screen = arena_new(arena, struct agx_screen);
   struct agx_arguments arguments;

   screen->chip = chip;
   screen->gen = chip->num_clusters > 1 ? AGX_G13X : AGX_G13; /* code knows no other difference */
   agx_init_descriptor_write(screen);
   agx_init_limits(&screen->base.caps);
   struct agx_shader_options options = agx_shader_options(screen, aux_shader_alone_layout(nir, &screen->base.caps));
   if (nir->stage != NIR_STAGE_COMPUTE) {
      *error = "only compute shaders are compiled alone: others depend on their pipeline";
      return false;
   }
   options.agx.validate = true;
   options.agx.listing = true;
   options.agx.print_ir = print_ir;
   return agx_shader_try_compile(arena, nir, &options, &arguments, out, error);
}
