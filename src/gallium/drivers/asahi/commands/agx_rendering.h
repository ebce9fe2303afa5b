/* What renders and transfers by renders have in common. */
#ifndef INDIUM_AGX_RENDERING_H
#define INDIUM_AGX_RENDERING_H

#include "gallium/drivers/asahi/agx_context.h"
#include "gallium/drivers/asahi/commands/agx_tile_programs.h"

/* What a program of tiles reads. */
struct agx_tile_pass {
   uint32_t words[AGX_TILE_WORDS];
   uint32_t textures[PIPE_MAX_COLOR_TARGETS][6];
   unsigned texture_count;
};

/* The same bits without the sRGB curve. */
uint32_t agx_unorm_of_srgb(uint32_t format);

/* A command without draws: only programs of tiles. */
void agx_render_add_pass(struct agx_context *ctx, const struct agx_framebuffer *fb, struct agx_tile_use begin,
                         struct agx_tile_use end);

#endif
