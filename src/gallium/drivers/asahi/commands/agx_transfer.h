/* Resolves and blits: renders without draws, whose background program makes the pixels. */
#ifndef INDIUM_AGX_TRANSFER_H
#define INDIUM_AGX_TRANSFER_H

#include "gallium/drivers/asahi/resource/agx_resource.h"
#include "gallium/drivers/asahi/agx_context.h"

/* The render area of a multisampled view, after the rendering. Colours are averaged unless they are integers. */
void agx_resolve_views(struct agx_context *ctx, const struct agx_image_view *src, const struct agx_image_view *dst,
                       const struct pipe_rendering *rendering);

/* The same for depth or stencil. */
void agx_resolve_plane(struct agx_context *ctx, bool stencil, enum pipe_resolve mode,
                       const struct pipe_rendering *rendering);

#endif
