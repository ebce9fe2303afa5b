/* Tessellated draws: from the draw's vertices to points and primitives. */
#ifndef INDIUM_AGX_TESSELLATION_H
#define INDIUM_AGX_TESSELLATION_H

#include "gallium/drivers/asahi/agx_context.h"
#include "gallium/drivers/asahi/assembly/agx_assembly.h"

/* Bytes of the heap that a patch of the draw may take, if each primitive takes primitive_B more. */
uint64_t agx_patch_need_B(const struct agx_draw_arguments *draw, uint64_t primitive_B);

/* Runs the vertex, control and evaluation shaders of the bound program (the last one if the draw does not), whose
 * tables are prepared, for a draw that is assembled. */
void agx_tessellate(struct agx_context *ctx, const struct agx_draw_arguments *draw);

#endif
