/* Culling, polygon mode, clipping of depth. */
#include <stdlib.h>

#include "gallium/drivers/asahi/agx_context.h"

static const enum agx_polygon_mode modes[] = {
   [PIPE_POLYGON_FILL] = AGX_POLYGON_MODE_FILL,
   [PIPE_POLYGON_LINE] = AGX_POLYGON_MODE_LINE,
   [PIPE_POLYGON_POINT] = AGX_POLYGON_MODE_POINT,
};

static struct pipe_rasterizer *
rasterizer_create(struct pipe_screen *screen, const struct pipe_rasterizer_desc *desc)
{
   struct agx_rasterizer *state = calloc(1, sizeof(*state));
   /* The provoking vertex, whose field has no zero, is the program's. */
   struct agx_cull cull = {
      .cull_front = desc->cull & PIPE_CULL_FRONT,
      .cull_back = desc->cull & PIPE_CULL_BACK,
      .depth_clip = desc->depth_clip,
      .depth_clamp = !desc->depth_clip,
      .front_face_ccw = desc->front_ccw,
      .rasterizer_discard = desc->discard,
   };
   struct agx_cull_2 cull_2 = {.clamp_w = true, .rasterizer_discard = desc->discard};
   struct agx_front_face face = {.line_width_px = 1.0f / 16, .polygon_mode = modes[desc->polygon_mode]};

   if (!state)
      return NULL;
   agx_cull_pack(&state->cull, &cull);
   agx_cull_2_pack(&state->cull_2, &cull_2);
   agx_front_face_pack(&state->face, &face);
   state->depth_bias = desc->depth_bias;
   state->discard = desc->discard;
   state->front_ccw = desc->front_ccw;
   return agx_rasterizer_handle(state);
}

static void
rasterizer_destroy(struct pipe_screen *screen, struct pipe_rasterizer *state)
{
   free(agx_rasterizer(state));
}

void
agx_init_rasterizer(struct agx_screen *screen)
{
   screen->base.rasterizer_create = rasterizer_create;
   screen->base.rasterizer_destroy = rasterizer_destroy;
}
