#include <stdlib.h>

#include "gallium/drivers/asahi/agx_context.h"

static const enum agx_stencil_op ops[] = {
   [PIPE_STENCIL_KEEP] = AGX_STENCIL_OP_KEEP,
   [PIPE_STENCIL_ZERO] = AGX_STENCIL_OP_ZERO,
   [PIPE_STENCIL_REPLACE] = AGX_STENCIL_OP_REPLACE,
   [PIPE_STENCIL_INCREMENT_CLAMP] = AGX_STENCIL_OP_INCR_SAT,
   [PIPE_STENCIL_DECREMENT_CLAMP] = AGX_STENCIL_OP_DECR_SAT,
   [PIPE_STENCIL_INVERT] = AGX_STENCIL_OP_INVERT,
   [PIPE_STENCIL_INCREMENT_WRAP] = AGX_STENCIL_OP_INCR_WRAP,
   [PIPE_STENCIL_DECREMENT_WRAP] = AGX_STENCIL_OP_DECR_WRAP,
};

/* enum pipe_compare has the numbers of the hardware's functions. */
static uint32_t
stencil_word(const struct pipe_depth_stencil_desc *desc, const struct pipe_stencil_face *face)
{
   struct agx_front_stencil record = {
      .depth_pass = desc->stencil_test ? ops[face->pass] : AGX_STENCIL_OP_KEEP,
      .depth_fail = desc->stencil_test ? ops[face->depth_fail] : AGX_STENCIL_OP_KEEP,
      .stencil_fail = desc->stencil_test ? ops[face->fail] : AGX_STENCIL_OP_KEEP,
      .compare = desc->stencil_test ? (enum agx_zs_func)face->compare : AGX_ZS_FUNC_ALWAYS,
   };
   uint32_t word;

   agx_front_stencil_pack(&word, &record);
   return word;
}

static bool
keeps(const struct pipe_stencil_face *face)
{
   return face->fail == PIPE_STENCIL_KEEP && face->depth_fail == PIPE_STENCIL_KEEP && face->pass == PIPE_STENCIL_KEEP;
}

static struct pipe_depth_stencil *
depth_stencil_create(struct pipe_screen *screen, const struct pipe_depth_stencil_desc *desc)
{
   struct agx_depth_stencil *state = calloc(1, sizeof(*state));
   struct agx_front_face face = {
      .line_width_px = 1.0f / 16, /* the field's zero: agx_encode_ppp.c adds the width */
      .disable_depth_write = !desc->depth_test || !desc->depth_write,
      .depth_function = desc->depth_test ? (enum agx_zs_func)desc->depth_compare : AGX_ZS_FUNC_ALWAYS,
   };

   if (!state)
      return NULL;
   agx_front_face_pack(&state->face, &face);
   state->stencil[0] = stencil_word(desc, &desc->front);
   state->stencil[1] = stencil_word(desc, &desc->back);
   state->stencil_test = desc->stencil_test;
   state->writes_depth = !face.disable_depth_write;
   state->writes_stencil = desc->stencil_test && !(keeps(&desc->front) && keeps(&desc->back));
   return agx_depth_stencil_handle(state);
}

static void
depth_stencil_destroy(struct pipe_screen *screen, struct pipe_depth_stencil *state)
{
   free(agx_depth_stencil(state));
}

void
agx_init_depth_stencil(struct agx_screen *screen)
{
   screen->base.depth_stencil_create = depth_stencil_create;
   screen->base.depth_stencil_destroy = depth_stencil_destroy;
}
