/* Blending is in the fragment program (agx_nir_lower_fragment_outputs.c); the object of the contract is empty. */
#include <stdlib.h>

#include "gallium/drivers/asahi/agx_context.h"

static struct pipe_blend *
blend_create(struct pipe_screen *screen, const struct pipe_blend_desc *desc)
{
   return agx_blend_handle(calloc(1, sizeof(struct agx_blend)));
}

static void
blend_destroy(struct pipe_screen *screen, struct pipe_blend *blend)
{
   free(agx_blend(blend));
}

void
agx_init_blend(struct agx_screen *screen)
{
   screen->base.blend_create = blend_create;
   screen->base.blend_destroy = blend_destroy;
}
