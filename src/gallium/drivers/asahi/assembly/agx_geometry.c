/* Geometry shaders: the hardware has none. Before the render, the vertex shader runs as compute for each vertex of a
 * draw and stores its outputs; the geometry shader runs as compute for each primitive, with room for the most that it
 * may emit; a program puts the primitives that it made side by side, in order. The draw is an indexed one of lists.
 */
#include "gallium/drivers/asahi/assembly/agx_geometry.h"

#include <string.h>

#include "gallium/drivers/asahi/assembly/agx_assembly_programs.h"
#include "gallium/drivers/asahi/assembly/agx_tessellation.h"
#include "gallium/drivers/asahi/commands/agx_compute.h"
#include "gallium/drivers/asahi/encode/agx_encode_cdm.h"
#include "util/macros.h"
#include "util/mutant.h"

/* The buffers and queries of a stream. What is captured is needed whether or not a buffer is bound for it. */
static void
set_stream(struct agx_context *ctx, const struct agx_graphics_program *program, unsigned stream,
           struct agx_draw_arguments *draw)
{
   uint32_t captures = 0;

   draw->stream = stream;
   draw->generated_va = ctx->xfb.streams[stream].generated_va;
   draw->written_va = draw->needed_va = 0;
   draw->xfb_buffers = 0;
   if (!ctx->xfb.targets_va || !program->xfb_buffers)
      return;
   draw->xfb_va = ctx->xfb.targets_va;
   for (unsigned i = 0; i < AGX_XFB_BUFFERS; i++) {
      draw->stride_B[i] = program->xfb_stride_B[i];
      if (program->xfb_streams[i] == stream)
         captures |= 1u << i & program->xfb_buffers;
   }
   draw->xfb_buffers = captures & ctx->xfb.bound;
   if (captures)
      draw->needed_va = ctx->xfb.streams[stream].needed_va;
   if (draw->xfb_buffers)
      draw->written_va = ctx->xfb.streams[stream].written_va;
}

static void
set_geometry(const struct agx_program_geometry *geometry, struct agx_draw_arguments *draw)
{
   draw->emitted_B = geometry->emitted_B;
   draw->shader_invocations = geometry->invocations;
   draw->max_vertices = geometry->max_vertices;
   draw->max_primitives = geometry->max_primitives;
   draw->streams = geometry->streams;
}

static void
set_tess(struct agx_context *ctx, const struct agx_program_tess *tess, struct agx_draw_arguments *draw)
{
   const struct pipe_graphics_state *gfx = ctx->graphics.gfx;

   draw->patch_vertices = MAX2(gfx->patch_vertices, 1u);
   draw->patch_B = tess->patch_B;
   draw->point_B = draw->emitted_B = tess->point_B;
   draw->domain = tess->domain;
   draw->spacing = tess->spacing;
   draw->tess_corners = tess->corners;
   /* With the origin in the lower left v grows upwards, and triangles turn the other way. */
   draw->tess_turns =
      (tess->winding == NIR_TESS_COUNTERCLOCKWISE) != (gfx->lower_left_domain && !mutant("agx-tess-origin"));
   draw->streams = 1;
}

static void
set_ahead(struct agx_context *ctx, const struct agx_graphics_program *program, struct agx_draw_arguments *draw)
{
   const struct agx_program_ahead *ahead = &program->ahead;
   uint32_t captured_B = ahead->num_captured * (uint32_t)sizeof(ahead->captured[0]);

   draw->vertex_B = ahead->vertex_B;
   draw->made_corners = ahead->corners;
   draw->statistics_va = ctx->statistics.active ? ctx->statistics.values_va : 0;
   if (program->tess.corners)
      set_tess(ctx, &program->tess, draw);
   if (program->geometry.corners)
      set_geometry(&program->geometry, draw);
   if (!draw->xfb_va || !captured_B)
      return;
   draw->outputs = ahead->num_captured;
   memcpy(agx_upload_alloc(ctx, captured_B, 16, &draw->outputs_va), ahead->captured, captured_B);
}

/* The most that an invocation of a geometry shader takes of the heap. */
static uint64_t
invocation_B(const struct agx_draw_arguments *draw)
{
   uint64_t made = (uint64_t)draw->streams * draw->max_primitives * draw->made_corners;

   return (uint64_t)draw->max_vertices * draw->emitted_B + 8 * made + 4 * draw->streams;
}

/* The same of a draw. Few patches take as much as they may: of those no more than a part of a large heap is asked. */
static uint64_t
need_B(const struct agx_draw_arguments *draw, uint64_t vertices, uint64_t instances)
{
   static const uint8_t corners[] = {1, 2, 2, 3, 3, 3, 4, 4, 6, 6}, steps[] = {1, 2, 1, 3, 1, 1, 4, 1, 6, 2};
   bool patches = draw->patch_vertices;
   uint64_t step = patches ? draw->patch_vertices : steps[draw->topology];
   uint64_t list_B = draw->unroll ? vertices * (patches ? step : corners[draw->topology]) * 4 : 0;
   uint64_t first_B = list_B + vertices * instances * draw->vertex_B + 256;
   uint64_t primitives = (vertices / step + 1) * instances;
   uint64_t shader_B = draw->shader_invocations * invocation_B(draw);

   if (patches)
      return first_B + MIN2(primitives * agx_patch_need_B(draw, shader_B), UINT64_C(1) << 28);
   return first_B + primitives * shader_B;
}

struct agx_draw_arguments
agx_draw_arguments(struct agx_context *ctx, bool indexed, uint64_t parameters_va, const uint32_t *known, bool keeps)
{
   const struct agx_graphics_program *program = ctx->programs[PIPE_BIND_GRAPHICS]->graphics;
   const struct pipe_graphics_state *gfx = ctx->graphics.gfx;
   struct agx_draw_arguments draw = {
      .parameters_va = parameters_va, .index_size_log2 = AGX_NO_INDICES, .topology = gfx->topology};

   agx_upload_alloc(ctx, sizeof(struct agx_assembly), 16, &draw.assembly_va);
   if (indexed) {
      uint8_t size_log2 = ctx->graphics.index_buffer.size_log2;

      draw.index_va = ctx->graphics.index_buffer.va;
      draw.index_count = (uint32_t)MIN2(ctx->graphics.index_buffer.size_B >> size_log2, UINT32_MAX);
      draw.index_size_log2 = size_log2;
      draw.restart = gfx->primitive_restart;
   }
   draw.restart &= !mutant("agx-restart-missed");
   draw.no_neighbours = agx_has_neighbours(ctx) && !program->ahead.corners;
   draw.provoking_last = gfx->provoking_last && !mutant("agx-adjacency-first");
   draw.unroll = draw.restart || draw.no_neighbours || gfx->topology == PIPE_TRIANGLE_STRIP_ADJACENCY;
   set_stream(ctx, program, 0, &draw);
   if (program->ahead.corners)
      set_ahead(ctx, program, &draw);
   if (draw.unroll || program->ahead.corners)
      draw.heap_va = agx_assembly_heap(ctx, known ? need_B(&draw, known[0], known[1]) : 0, keeps);
   return draw;
}

void
agx_assemble_draw(struct agx_context *ctx, const struct agx_draw_arguments *draw)
{
   agx_compute_barrier(ctx);
   agx_assembly_launch(ctx, AGX_ASSEMBLE, draw, sizeof(*draw), 0);
   if (draw->unroll)
      agx_assembly_launch(ctx, AGX_UNROLL, draw, sizeof(*draw), 0);
}

void
agx_run_ahead(struct agx_context *ctx, enum agx_hw_stage hw, uint64_t groups_va)
{
   const struct agx_program *program = ctx->programs[PIPE_BIND_GRAPHICS];
   struct agx_launch launch = {.groups_va = groups_va};

   agx_tables_prepare(ctx, PIPE_BIND_GRAPHICS, &program->stages[hw].code.arguments);
   agx_compute_launch_stage(ctx, program, hw, &ctx->tables[PIPE_BIND_GRAPHICS], &launch);
   if (!mutant("agx-geometry-barrier"))
      agx_compute_barrier(ctx);
}

/* What was made of a stream: its place, counts, and what is captured. */
static void
finish_stream(struct agx_context *ctx, const struct agx_draw_arguments *all, unsigned stream)
{
   const struct agx_graphics_program *program = ctx->programs[PIPE_BIND_GRAPHICS]->graphics;
   struct agx_draw_arguments draw = *all;

   set_stream(ctx, program, stream, &draw);
   if (program->geometry.corners)
      agx_assembly_launch(ctx, AGX_COMPACT, &draw, sizeof(draw), 0);
   if (draw.generated_va || draw.needed_va || draw.xfb_buffers)
      agx_assembly_launch(ctx, AGX_ROOM, &draw, sizeof(draw), 0);
   if (draw.xfb_buffers)
      agx_assembly_launch(ctx, AGX_STORE, &draw, sizeof(draw),
                          draw.assembly_va + offsetof(struct agx_assembly, capture_groups));
}

static void
run_geometry(struct agx_context *ctx, const struct agx_draw_arguments *draw)
{
   agx_assembly_launch(ctx, AGX_GEOMETRY, draw, sizeof(*draw), 0);
   if (!draw->patch_vertices)
      agx_run_ahead(ctx, AGX_HW_COMPUTE, draw->assembly_va + offsetof(struct agx_assembly, vertex_groups));
   agx_run_ahead(ctx, AGX_HW_GEOMETRY, draw->assembly_va + offsetof(struct agx_assembly, geometry_groups));
}

void
agx_geometry_make(struct agx_context *ctx, const struct agx_draw_arguments *draw)
{
   agx_assemble_draw(ctx, draw);
   if (draw->no_neighbours) {
      agx_assembly_launch(ctx, AGX_LIST, draw, sizeof(*draw), 0);
      return;
   }
   const struct agx_graphics_program *program = ctx->programs[PIPE_BIND_GRAPHICS]->graphics;

   if (program->tess.corners)
      agx_tessellate(ctx, draw);
   if (program->geometry.corners)
      run_geometry(ctx, draw);
   for (unsigned stream = draw->streams; stream-- > 0;)
      finish_stream(ctx, draw, stream);
}
