/* Vertex and index buffers. */
#include <string.h>

#include "gallium/drivers/asahi/agx_context.h"
#include "gallium/drivers/asahi/program/agx_program.h"
#include "gallium/drivers/asahi/resource/agx_resource.h"
#include "util/macros.h"

static void
set_vertex_buffers(struct pipe_context *pipe, unsigned first, unsigned count,
                   const struct pipe_vertex_buffer *buffers)
{
   struct agx_context *ctx = agx_context(pipe);

   for (unsigned i = 0; i < count; i++) {
      const bool bound = buffers[i].buffer != NULL;

      ctx->graphics.vertex_buffers[first + i].va =
         bound ? agx_resource(buffers[i].buffer)->va + buffers[i].offset_B : 0;
      ctx->graphics.vertex_buffers[first + i].size_B = bound ? (uint32_t)MIN2(buffers[i].size_B, UINT32_MAX) : 0;
   }
   ctx->dirty |= AGX_BIT(VERTEX_TABLE);
}

static void
set_index_buffer(struct pipe_context *pipe, struct pipe_resource *buffer, uint64_t offset_B, uint64_t size_B,
                 unsigned index_size_B)
{
   struct agx_context *ctx = agx_context(pipe);
   uint8_t size_log2 = (uint8_t)log2_floor(index_size_B);

   ctx->graphics.index_buffer.va = agx_read_va(agx_resource(buffer)) + offset_B;
   ctx->graphics.index_buffer.size_B = size_B;
   ctx->graphics.index_buffer.pads = ctx->base.robust_indices;
   if (ctx->graphics.index_buffer.size_log2 != size_log2 && ctx->graphics.gfx->primitive_restart)
      ctx->dirty |= AGX_BIT(VERTEX_SHADER); /* has the restart index */
   ctx->graphics.index_buffer.size_log2 = size_log2;
}

static struct agx_table_attribute
table_attribute(const struct agx_context *ctx, const struct agx_attribute *attribute)
{
   uint64_t va = ctx->graphics.vertex_buffers[attribute->binding].va;
   uint32_t size_B = ctx->graphics.vertex_buffers[attribute->binding].size_B;
   uint32_t stride_B = ctx->graphics.gfx->vertex_strides_B[attribute->binding];

   struct agx_table_attribute to = {.address_hi = agx_read_nowhere_hi(agx_screen(ctx->base.screen)),
                                    .stride_B = stride_B};
   if (va && size_B >= (uint64_t)attribute->offset_B + attribute->element_B) {
      va += attribute->offset_B;
      to.address_lo = (uint32_t)va;
      to.address_hi = (uint32_t)(va >> 32);
      to.last_index = stride_B ? (size_B - attribute->offset_B - attribute->element_B) / stride_B : UINT32_MAX;
   }
   return to;
}

void
agx_upload_vertex_table(struct agx_context *ctx)
{
   const struct agx_graphics_program *program = ctx->programs[PIPE_BIND_GRAPHICS]->graphics;
   struct agx_table_attribute attributes[PIPE_MAX_VERTEX_ATTRIBUTES];

   for (unsigned i = 0; i < program->num_attributes; i++)
      attributes[i] = table_attribute(ctx, &program->attributes[i]);
   agx_table_upload(ctx, PIPE_BIND_GRAPHICS, AGX_TABLE_VERTEX, (const uint32_t *)attributes,
                    AGX_TABLE_ATTRIBUTE_DW * program->num_attributes);
}

void
agx_init_vertex(struct agx_context *ctx)
{
   ctx->base.set_vertex_buffers = set_vertex_buffers;
   ctx->base.set_index_buffer = set_index_buffer;
}
