/* Draws: none yet. The queues of this driver run dispatches and transfers. */
#include "gallium/drivers/asahi/agx_program.h"
#include "util/log.h"

void
agx_init_graphics_screen(struct agx_screen *screen)
{
}

bool
agx_graphics_screen_start(struct agx_screen *screen)
{
   return true;
}

void
agx_graphics_screen_finish(struct agx_screen *screen)
{
}

uint32_t
agx_target_features(uint32_t format)
{
   return 0;
}

bool
agx_vertex_format(uint32_t format)
{
   return false;
}

void
agx_init_graphics(struct agx_context *ctx)
{
}

void
agx_graphics_reset(struct agx_context *ctx)
{
}

void
agx_graphics_inherit(struct agx_context *ctx, const struct pipe_inheritance *inheritance)
{
}

void
agx_graphics_end(struct agx_context *ctx)
{
}

bool
agx_graphics_execute(struct agx_context *ctx, const struct agx_context *secondary)
{
   return false;
}

void
agx_graphics_program_bound(struct agx_context *ctx)
{
}

void
agx_graphics_arguments_changed(struct agx_context *ctx)
{
}

enum pipe_result
agx_graphics_program_create(struct pipe_screen *screen, struct nir_shader *const shaders[NIR_STAGES],
                            const struct pipe_graphics_options *options, struct pipe_program **program)
{
   log_error("asahi: there are no draws yet");
   return PIPE_INVALID_SHADER;
}

void
agx_graphics_program_finish(struct agx_screen *screen, struct agx_program *program)
{
}
