/* Tessellation: the hardware has none. Before the render, the vertex shader runs as compute for each vertex of a draw
 * and stores its outputs; the control shader runs as a workgroup for each patch and stores what it makes of it, and
 * its factors. A program counts what each patch is divided into, another one makes points and lists of their numbers.
 * The evaluation shader is the draw's vertex shader, or runs as compute for what follows it. */
#include "gallium/drivers/asahi/assembly/agx_tessellation.h"

#include "gallium/drivers/asahi/assembly/agx_assembly_programs.h"
#include "gallium/drivers/asahi/assembly/agx_geometry.h"
#include "gallium/drivers/asahi/program/agx_program.h"

/* The most points and primitives of a patch, with all factors 64. */
static const struct {
   uint32_t points, primitives;
} most[] = {
   [NIR_TESS_TRIANGLES] = {3169, 6144},
   [NIR_TESS_QUADS] = {65 * 65, 2 * 64 * 64},
   [NIR_TESS_ISOLINES] = {64 * 65, 64 * 64},
};

uint64_t
agx_patch_need_B(const struct agx_draw_arguments *draw, uint64_t primitive_B)
{
   uint64_t points = most[draw->domain].points;
   uint64_t primitives = draw->tess_corners == 1 ? points : most[draw->domain].primitives;

   return draw->patch_B + AGX_PATCH_B + points * (AGX_POINT_B + draw->point_B) +
          primitives * (4 * draw->tess_corners + primitive_B);
}

void
agx_tessellate(struct agx_context *ctx, const struct agx_draw_arguments *draw)
{
   uint64_t patch_groups_va = draw->assembly_va + offsetof(struct agx_assembly, patch_groups);

   agx_assembly_launch(ctx, AGX_PATCHES, draw, sizeof(*draw), 0);
   agx_run_ahead(ctx, AGX_HW_COMPUTE, draw->assembly_va + offsetof(struct agx_assembly, vertex_groups));
   agx_run_ahead(ctx, AGX_HW_TESS_CTRL, patch_groups_va);
   agx_assembly_launch(ctx, AGX_DIVIDE, draw, sizeof(*draw), 0);
   agx_assembly_launch(ctx, AGX_TESSELLATE, draw, sizeof(*draw), patch_groups_va);
   if (draw->point_B)
      agx_run_ahead(ctx, AGX_HW_TESS_EVAL, draw->assembly_va + offsetof(struct agx_assembly, point_groups));
}
