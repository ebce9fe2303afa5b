/* Draws whose vertices internal programs and shaders make ahead of the render. */
#ifndef INDIUM_AGX_GEOMETRY_H
#define INDIUM_AGX_GEOMETRY_H

#include "gallium/drivers/asahi/agx_context.h"
#include "gallium/drivers/asahi/assembly/agx_assembly.h"

/* Arguments of the programs for a draw of the bound program, with a new struct agx_assembly. The draw's parameters
 * lie as VkDrawIndirectCommand or VkDrawIndexedIndirectCommand; known: the CPU's copy of them, or NULL. keeps: the
 * render reads what is made, and may be split. */
struct agx_draw_arguments agx_draw_arguments(struct agx_context *ctx, bool indexed, uint64_t parameters_va,
                                             const uint32_t *known, bool keeps);

/* Reads the parameters; unrolls where it must. */
void agx_assemble_draw(struct agx_context *ctx, const struct agx_draw_arguments *draw);

/* Runs a shader of the bound program as compute; later dispatches wait for it. groups_va: where three numbers of
 * workgroups lie. */
void agx_run_ahead(struct agx_context *ctx, enum agx_hw_stage hw, uint64_t groups_va);

/* Runs the shaders ahead of the draw of the bound program, whose tables are prepared, and transform feedback; without
 * such shaders, makes an index buffer of what is drawn of a topology with adjacency.
 * The draw's parameters lie in struct agx_assembly afterwards. */
void agx_geometry_make(struct agx_context *ctx, const struct agx_draw_arguments *draw);

#endif
