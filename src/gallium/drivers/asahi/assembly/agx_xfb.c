/* Transform feedback: the hardware has none. Before the render of a draw, one internal program reads the draw's
 * parameters, another one goes over indices with restarts, a third one finds out how many primitives fit into the
 * buffers; then the vertex shader runs as compute and stores what is captured. All of it is in the order of draws. */
#include "gallium/drivers/asahi/assembly/agx_xfb.h"

#include <string.h>

#include "gallium/drivers/asahi/assembly/agx_assembly.h"
#include "gallium/drivers/asahi/assembly/agx_assembly_programs.h"
#include "gallium/drivers/asahi/assembly/agx_geometry.h"
#include "gallium/drivers/asahi/commands/agx_compute.h"
#include "gallium/drivers/asahi/encode/agx_encode_cdm.h"
#include "gallium/drivers/asahi/meta/agx_meta.h"
#include "util/macros.h"
#include "util/mutant.h"

static_assert(AGX_XFB_BUFFERS == PIPE_MAX_XFB_BUFFERS, "as many as the contract has");

static void
set_counts(struct agx_context *ctx)
{
   ctx->xfb.counts = ctx->xfb.targets_va || ctx->xfb.streams[0].generated_va;
}

static void
set_xfb_buffers(struct pipe_context *pipe, unsigned first, unsigned count, const struct pipe_xfb_buffer *buffers)
{
   struct agx_context *ctx = agx_context(pipe);

   for (unsigned i = 0; i < count; i++) {
      ctx->xfb.buffers[first + i].va = agx_resource(buffers[i].buffer)->va + buffers[i].offset_B;
      ctx->xfb.buffers[first + i].size_B = (uint32_t)MIN2(buffers[i].size_B, UINT32_MAX & ~3u);
      ctx->xfb.bound |= 1u << (first + i);
   }
}

static uint64_t
used_va(const struct agx_context *ctx, unsigned i)
{
   return ctx->xfb.targets_va + i * sizeof(struct agx_xfb_target) + offsetof(struct agx_xfb_target, used_B);
}

static uint64_t
counter_va(const struct pipe_xfb_counters *counters, unsigned i)
{
   return counters->of[i].buffer ? agx_resource(counters->of[i].buffer)->va + counters->of[i].offset_B : 0;
}

/* The commands may run more than once: how much is used is written by them. */
static void
begin_xfb(struct pipe_context *pipe, const struct pipe_xfb_counters *counters)
{
   struct agx_context *ctx = agx_context(pipe);
   struct agx_xfb_target targets[AGX_XFB_BUFFERS] = {0};

   for (unsigned i = 0; i < AGX_XFB_BUFFERS; i++)
      targets[i] = (struct agx_xfb_target){.va = ctx->xfb.buffers[i].va, .size_B = ctx->xfb.buffers[i].size_B};
   memcpy(agx_upload_alloc(ctx, sizeof(targets), 16, &ctx->xfb.targets_va), targets, sizeof(targets));
   agx_compute_barrier(ctx);
   for (uint32_t bound = ctx->xfb.bound; bound; bound &= bound - 1) {
      unsigned i = (unsigned)__builtin_ctz(bound);
      uint64_t from = counter_va(counters, i);

      if (from && !mutant("agx-counter-unread"))
         agx_meta_copy(ctx, used_va(ctx, i), from, 4);
      else
         agx_meta_fill(ctx, used_va(ctx, i), 4, 0);
   }
   agx_compute_barrier(ctx);
   set_counts(ctx);
}

static void
end_xfb(struct pipe_context *pipe, const struct pipe_xfb_counters *counters)
{
   struct agx_context *ctx = agx_context(pipe);

   agx_compute_barrier(ctx);
   for (uint32_t bound = ctx->xfb.bound; bound; bound &= bound - 1) {
      unsigned i = (unsigned)__builtin_ctz(bound);
      uint64_t to = counter_va(counters, i);

      if (to && !mutant("agx-counter-kept"))
         agx_meta_copy(ctx, to, used_va(ctx, i), 4);
   }
   agx_compute_barrier(ctx);
   ctx->xfb.targets_va = 0;
   set_counts(ctx);
}

/* ---- queries ---- */

static void
set_query_stream(struct pipe_context *pipe, unsigned stream)
{
   agx_context(pipe)->xfb.query_stream = stream;
}

void
agx_xfb_query(struct agx_context *ctx, enum pipe_query_type type, uint64_t values_va)
{
   unsigned stream = ctx->xfb.query_stream;

   if (type == PIPE_QUERY_GENERATED) {
      ctx->xfb.streams[stream].generated_va = values_va;
   } else {
      ctx->xfb.streams[stream].written_va = values_va;
      ctx->xfb.streams[stream].needed_va = values_va ? values_va + 8 : 0;
   }
   set_counts(ctx);
}

/* ---- draws ---- */

static void
capture(struct agx_context *ctx, const struct agx_program *program, uint64_t assembly_va)
{
   const struct agx_arguments *arguments = &program->stages[AGX_HW_COMPUTE].code.arguments;
   struct agx_launch launch = {.groups_va = assembly_va + offsetof(struct agx_assembly, capture_groups)};

   agx_table_place(ctx, PIPE_BIND_GRAPHICS, AGX_TABLE_ASSEMBLY, assembly_va, sizeof(struct agx_assembly) / 4);
   agx_tables_prepare(ctx, PIPE_BIND_GRAPHICS, arguments);
   agx_compute_launch(ctx, program, &ctx->tables[PIPE_BIND_GRAPHICS], &launch);
   agx_compute_barrier(ctx);
}

void
agx_xfb_draw(struct agx_context *ctx, bool indexed, uint64_t parameters_va, const uint32_t *known)
{
   const struct agx_program *program = ctx->programs[PIPE_BIND_GRAPHICS];
   const struct agx_draw_arguments draw = agx_draw_arguments(ctx, indexed, parameters_va, known, false);

   if (ctx->failed || (!draw.xfb_va && !draw.generated_va))
      return;
   agx_assemble_draw(ctx, &draw);
   agx_assembly_launch(ctx, AGX_ROOM, &draw, sizeof(draw), 0);
   if (draw.xfb_buffers)
      capture(ctx, program, draw.assembly_va);
}

uint64_t
agx_xfb_byte_count(struct agx_context *ctx, const struct pipe_byte_count *count)
{
   struct agx_byte_count_arguments arguments = {
      .counter_va = agx_read_va(agx_resource(count->buffer)) + count->offset_B,
      .offset_B = count->counter_offset_B,
      .stride_B = count->stride_B,
      .instances = count->instances,
      .first_instance = count->first_instance,
   };

   agx_upload_alloc(ctx, 16, 16, &arguments.parameters_va);
   agx_assembly_launch(ctx, AGX_BYTE_COUNT, &arguments, sizeof(arguments), 0);
   return arguments.parameters_va;
}

void
agx_init_xfb(struct agx_context *ctx)
{
   ctx->base.set_xfb_buffers = set_xfb_buffers;
   ctx->base.begin_xfb = begin_xfb;
   ctx->base.end_xfb = end_xfb;
   ctx->base.set_query_stream = set_query_stream;
}
