#include "gallium/drivers/asahi/assembly/agx_pad.h"

#include "gallium/drivers/asahi/agx_context.h"
#include "gallium/drivers/asahi/assembly/agx_assembly.h"
#include "gallium/drivers/asahi/assembly/agx_assembly_programs.h"
#include "gallium/drivers/asahi/commands/agx_compute.h"
#include "util/macros.h"

struct agx_padded
agx_pad_indices(struct agx_context *ctx, uint64_t parameters_va, const uint32_t *known)
{
   const struct agx_index_buffer *indices = &ctx->graphics.index_buffer;
   struct agx_draw_arguments draw = {
      .parameters_va = parameters_va,
      .index_va = indices->va,
      .index_count = (uint32_t)MIN2(indices->size_B >> indices->size_log2, UINT32_MAX),
      .index_size_log2 = indices->size_log2,
   };

   agx_upload_alloc(ctx, sizeof(struct agx_assembly), 16, &draw.assembly_va);
   draw.heap_va = agx_assembly_heap(ctx, known ? (uint64_t)known[0] << indices->size_log2 : 0, true);
   if (!draw.heap_va)
      return (struct agx_padded){0};
   agx_compute_barrier(ctx);
   agx_assembly_launch(ctx, AGX_PAD, &draw, sizeof(draw), 0);
   return (struct agx_padded){
      .in_place_va = draw.assembly_va + offsetof(struct agx_assembly, in_place),
      .moved_va = draw.assembly_va + offsetof(struct agx_assembly, draw),
      .indices = {draw.heap_va, ctx->graphics.render.heap_B, indices->size_log2, false},
   };
}
