/* Vertex and index buffers. */
#include "amd/hw/descriptors.h"
#include "gallium/drivers/radeonsi/si_context.h"
#include "gallium/drivers/radeonsi/shader/si_program.h"
#include "util/macros.h"

static void
set_vertex_buffers(struct pipe_context *pipe, unsigned first, unsigned count,
                   const struct pipe_vertex_buffer *buffers)
{
   struct si_context *ctx = si_context(pipe);

   for (unsigned i = 0; i < count; i++) {
      const bool bound = buffers[i].buffer != NULL;

      ctx->state.vertex_buffers[first + i].va = bound ? si_resource(buffers[i].buffer)->va + buffers[i].offset_B : 0;
      ctx->state.vertex_buffers[first + i].size_B = bound ? (uint32_t)MIN2(buffers[i].size_B, UINT32_MAX) : 0;
   }
   si_mark_dirty(ctx, SI_ATOM_VERTEX_BUFFERS);
}

/* Indices of fewer bits are compared with as many low ones. */
static void
emit_restart_index(struct si_context *ctx, uint32_t index)
{
   si_cs_reserve(&ctx->cs, 3);
   si_cs_context_reg(&ctx->cs, R_VGT_MULTI_PRIM_IB_RESET_INDX, index);
   ctx->own_restart_index = index != UINT32_MAX;
}

static void
set_restart_index(struct pipe_context *pipe, uint32_t index)
{
   emit_restart_index(si_context(pipe), index);
}

void
si_leave_restart_index(struct si_context *ctx)
{
   if (ctx->own_restart_index)
      emit_restart_index(ctx, UINT32_MAX);
}

static void
set_index_buffer(struct pipe_context *pipe, struct pipe_resource *buffer, uint64_t offset_B, uint64_t size_B,
                 unsigned index_size_B)
{
   struct si_context *ctx = si_context(pipe);
   uint8_t size_log2 = index_size_B == 4 ? 2 : index_size_B == 2 ? 1 : 0;

   ctx->state.index_buffer.va = si_resource(buffer)->va + offset_B;
   ctx->state.index_buffer.size_B = size_B;
   if (ctx->state.index_buffer.size_log2 != size_log2)
      si_mark_dirty(ctx, SI_ATOM_INDEX_TYPE);
   ctx->state.index_buffer.size_log2 = size_log2;
   si_leave_restart_index(ctx);
}

void
si_emit_index_type(struct si_context *ctx)
{
   static const uint8_t types[] = {V_VGT_INDEX_8, V_VGT_INDEX_16, V_VGT_INDEX_32};

   si_cs_reserve(&ctx->cs, 3);
   si_cs_uconfig_reg_index(&ctx->cs, R_VGT_INDEX_TYPE, 2, types[ctx->state.index_buffer.size_log2]);
}

/* Element i of the table is the V# of attribute i; see ac_typed_buffer_descriptor(). */
static inline void
fill_attribute(const struct si_context *ctx, const struct si_attribute *attribute, uint32_t words[4])
{
   uint64_t va = ctx->state.vertex_buffers[attribute->binding].va;
   uint32_t size_B = ctx->state.vertex_buffers[attribute->binding].size_B;
   uint32_t stride_B = ctx->state.gfx->vertex_strides_B[attribute->binding];
   uint32_t oob = V_OOB_SELECT_RAW;

   if (!va || size_B < (uint64_t)attribute->offset_B + attribute->element_B) {
      words[0] = words[1] = words[2] = words[3] = 0;
      return;
   }
   va += attribute->offset_B;
   size_B -= attribute->offset_B;
   if (stride_B) {
      size_B = (size_B - attribute->element_B) / stride_B + 1;
      oob = V_OOB_SELECT_STRUCTURED; /* elements may be longer than the stride */
   }
   words[0] = (uint32_t)va;
   words[1] = S_SQ_BUF_RSRC_WORD1_BASE_ADDRESS_HI(va >> 32) | S_SQ_BUF_RSRC_WORD1_STRIDE(stride_B);
   words[2] = size_B;
   /* Raw is all ones; a generation without the field has zeros there. */
   words[3] = attribute->word3 | (S_SQ_BUF_RSRC_WORD3_OOB_SELECT(oob) & ctx->screen->info.raw_buffer_word3);
}

void
si_fill_vertex_table(const struct si_context *ctx, uint32_t *words)
{
   const struct si_program *program = ctx->programs[PIPE_BIND_GRAPHICS];

   for (unsigned i = 0; i < program->num_attributes; i++)
      fill_attribute(ctx, &program->attributes[i], words + 4 * i);
}

void
si_emit_vertex_buffers(struct si_context *ctx)
{
   const struct si_program *program = ctx->programs[PIPE_BIND_GRAPHICS];
   uint64_t va;

   if (!program->num_attributes)
      return;
   si_fill_vertex_table(ctx, si_upload_alloc(ctx, program->num_attributes * 4, 4, &va));
   si_cs_reserve(&ctx->cs, 3);
   si_cs_sh_reg(&ctx->cs, program->vertex_user_data + 4 * SI_SGPR_VS_VERTEX_TABLE, (uint32_t)va);
}

void
si_init_vertex(struct si_context *ctx)
{
   ctx->base.set_vertex_buffers = set_vertex_buffers;
   ctx->base.set_index_buffer = set_index_buffer;
   ctx->base.set_restart_index = set_restart_index;
}
