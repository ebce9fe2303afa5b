/* Dispatches. */
#include "gallium/drivers/asahi/commands/agx_compute.h"

#include <string.h>

#include "gallium/drivers/asahi/encode/agx_encode_cdm.h"
#include "gallium/drivers/asahi/resource/agx_resource.h"

void
agx_compute_open(struct agx_context *ctx)
{
   if (ctx->compute_open)
      return;
   agx_cs_begin(&ctx->cdm);
   ctx->compute_open = true;
   ctx->compute_busy = false;
}

void
agx_compute_close(struct agx_context *ctx)
{
   if (!ctx->compute_open)
      return;
   agx_compute_barrier(ctx);
   agx_cs_end(&ctx->cdm);
   struct drm_asahi_cmd_compute *command = &agx_add_command(ctx, false)->compute_cmd;

   command->sampler_count = AGX_SAMPLER_HEAP_ENTRIES;
   command->sampler_heap = ctx->screen->samplers.bo->va;
   command->cdm_ctrl_stream_base = ctx->cdm.start_va;
   command->cdm_ctrl_stream_end = ctx->cdm.first_end_va;
   command->ts = ctx->compute_timestamps;
   command->helper = agx_scratch_helper(ctx->screen, ctx->compute_scratch);
   ctx->compute_scratch = NULL;
   memset(&ctx->compute_timestamps, 0, sizeof(ctx->compute_timestamps));
   ctx->compute_open = false;
}

void
agx_compute_barrier(struct agx_context *ctx)
{
   if (!ctx->compute_open || !ctx->compute_busy)
      return;
   agx_cdm_encode_barrier(&ctx->cdm);
   ctx->compute_busy = false;
}

void
agx_compute_launch_stage(struct agx_context *ctx, const struct agx_program *program, enum agx_hw_stage hw,
                         const struct agx_tables *tables, struct agx_launch *launch)
{
   const struct agx_stage_code *code = &program->stages[hw].code;
   char *usc =
      agx_usc_alloc(ctx, AGX_USC_TEXTURE_SIZE_B + AGX_MAX_PUSHES * 8 + code->usc_B, 64, &launch->usc_offset_B);

   if (launch->texture_va) {
      struct agx_usc_texture record = {.count = 1, .buffer = launch->texture_va};

      agx_usc_texture_pack(usc, &record);
      usc += AGX_USC_TEXTURE_SIZE_B;
   }
   usc = agx_usc_push(tables, &code->arguments, usc);
   memcpy(usc, code->usc, code->usc_B);
   launch->counts = code->counts;
   memcpy(launch->workgroup, program->workgroup_size, sizeof(launch->workgroup));
   if (hw == AGX_HW_TESS_CTRL)
      launch->workgroup[0] = program->graphics->tess.vertices;
   agx_compute_open(ctx);
   ctx->compute_scratch = agx_scratch_larger(ctx->compute_scratch, code->scratch);
   agx_cdm_encode_launch(&ctx->cdm, ctx->screen->gen, launch);
   ctx->compute_busy = true;
}

void
agx_compute_launch(struct agx_context *ctx, const struct agx_program *program, const struct agx_tables *tables,
                   struct agx_launch *launch)
{
   agx_compute_launch_stage(ctx, program, AGX_HW_COMPUTE, tables, launch);
}

/* The tables of the bound program; false if it must not run. */
static bool
prepare(struct agx_context *ctx)
{
   const struct agx_program *program = ctx->programs[PIPE_BIND_COMPUTE];

   if (!program || !agx_sets_are_bound(ctx, PIPE_BIND_COMPUTE))
      return false;
   agx_tables_prepare(ctx, PIPE_BIND_COMPUTE, &program->stages[AGX_HW_COMPUTE].code.arguments);
   return true;
}

static const struct agx_program *
bound_program(const struct agx_context *ctx)
{
   return ctx->programs[PIPE_BIND_COMPUTE];
}

static bool
reads(const struct agx_context *ctx, enum agx_table table)
{
   const struct agx_program *program = bound_program(ctx);

   return program && program->stages[AGX_HW_COMPUTE].code.arguments.table_dw[table];
}

static void
upload_base(struct agx_context *ctx, const uint32_t base[3])
{
   if (reads(ctx, AGX_TABLE_STAGE))
      agx_table_upload(ctx, PIPE_BIND_COMPUTE, AGX_TABLE_STAGE, base, 3);
}

static void
dispatch(struct pipe_context *pipe, const uint32_t base[3], const uint32_t groups[3])
{
   struct agx_context *ctx = agx_context(pipe);
   const struct agx_program *program = bound_program(ctx);
   struct agx_launch launch = {0};

   if (!groups[0] || !groups[1] || !groups[2])
      return;
   if (reads(ctx, AGX_TABLE_GRID))
      agx_table_upload(ctx, PIPE_BIND_COMPUTE, AGX_TABLE_GRID, groups, 3);
   upload_base(ctx, base);
   if (!prepare(ctx))
      return;
   if (ctx->statistics.active)
      agx_statistics_dispatch(ctx, groups, program->workgroup_size);
   for (unsigned i = 0; i < 3; i++)
      launch.threads[i] = groups[i] * program->workgroup_size[i];
   agx_compute_launch(ctx, program, &ctx->tables[PIPE_BIND_COMPUTE], &launch);
}

static void
dispatch_indirect(struct pipe_context *pipe, struct pipe_resource *buffer, uint64_t offset_B)
{
   static const uint32_t no_base[3];
   struct agx_context *ctx = agx_context(pipe);
   const struct agx_program *program = bound_program(ctx);
   uint64_t va = agx_read_va(agx_resource(buffer)) + offset_B;
   struct agx_launch launch = {.groups_va = va};

   agx_table_place(ctx, PIPE_BIND_COMPUTE, AGX_TABLE_GRID, va, 3);
   upload_base(ctx, no_base);
   if (!prepare(ctx))
      return;
   if (ctx->statistics.active)
      agx_statistics_dispatch_indirect(ctx, va, program->workgroup_size);
   agx_compute_launch(ctx, program, &ctx->tables[PIPE_BIND_COMPUTE], &launch);
}

void
agx_init_compute(struct agx_context *ctx)
{
   ctx->base.dispatch = dispatch;
   ctx->base.dispatch_indirect = dispatch_indirect;
}
