/* Programs, descriptor sets, dynamic buffers and push constants, as bound. */
#include <string.h>

#include "gallium/drivers/asahi/program/agx_program.h"
#include "gallium/drivers/asahi/resource/agx_resource.h"
#include "util/macros.h"

static void
bind_program(struct pipe_context *pipe, enum pipe_bind_point point, struct pipe_program *program)
{
   struct agx_context *ctx = agx_context(pipe);

   if (ctx->programs[point] == agx_program(program))
      return;
   ctx->programs[point] = agx_program(program);
   if (point == PIPE_BIND_GRAPHICS)
      agx_graphics_program_bound(ctx);
}

static void
set_address(struct agx_context *ctx, enum pipe_bind_point point, unsigned index, uint64_t va)
{
   struct agx_descriptors *descriptors = &ctx->descriptors[point];

   if (va)
      descriptors->sets[index] = va;
   descriptors->bound_sets |= 1u << index;
   agx_table_forget(ctx, point, AGX_TABLE_SETS);
   if (point == PIPE_BIND_GRAPHICS)
      agx_graphics_arguments_changed(ctx);
}

static void
bind_descriptor_set(struct pipe_context *pipe, enum pipe_bind_point point, unsigned index,
                    const struct pipe_descriptor_set *set, const struct pipe_dynamic_buffers *dynamic)
{
   struct agx_context *ctx = agx_context(pipe);
   struct agx_descriptors *descriptors = &ctx->descriptors[point];

   set_address(ctx, point, index, set->buffer ? agx_resource(set->buffer)->va + set->offset_B : 0);
   for (unsigned i = 0; i < dynamic->count; i++) {
      const struct pipe_dynamic_buffer *buffer = &dynamic->buffers[i];

      agx_buffer_descriptor(buffer->buffer, buffer->offset_B, buffer->size_B,
                            descriptors->dynamic[dynamic->first + i]);
   }
   if (dynamic->count) {
      descriptors->num_dynamic = MAX2(descriptors->num_dynamic, dynamic->first + dynamic->count);
      agx_table_forget(ctx, point, AGX_TABLE_DYNAMIC);
   }
}

static void
push_descriptor_set(struct pipe_context *pipe, enum pipe_bind_point point, unsigned index, const void *words,
                    uint32_t size_B)
{
   struct agx_context *ctx = agx_context(pipe);
   uint64_t va;

   memcpy(agx_upload_alloc(ctx, MAX2(size_B, 4u), 64, &va), words, size_B);
   set_address(ctx, point, index, va);
}

static void
push_constants(struct pipe_context *pipe, uint32_t offset_B, uint32_t size_B, const void *data)
{
   struct agx_context *ctx = agx_context(pipe);

   memcpy((char *)ctx->push_constants + offset_B, data, size_B);
   for (unsigned point = 0; point < PIPE_BIND_POINTS; point++)
      agx_table_forget(ctx, point, AGX_TABLE_PUSH);
   agx_graphics_arguments_changed(ctx);
}

void
agx_init_descriptors(struct agx_context *ctx)
{
   ctx->base.bind_program = bind_program;
   ctx->base.bind_descriptor_set = bind_descriptor_set;
   ctx->base.push_descriptor_set = push_descriptor_set;
   ctx->base.push_constants = push_constants;
}
