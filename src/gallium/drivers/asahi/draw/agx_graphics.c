/* What draws add to the device and to contexts. */
#include "gallium/drivers/asahi/assembly/agx_assembly_programs.h"
#include "gallium/drivers/asahi/draw/agx_clear.h"
#include "gallium/drivers/asahi/program/agx_part.h"
#include "gallium/drivers/asahi/program/agx_shader_separate.h"
#include "gallium/drivers/asahi/base/agx_tile.h"
#include "gallium/drivers/asahi/commands/agx_tile_programs.h"
#include "util/format.h"

void
agx_init_graphics_screen(struct agx_screen *screen)
{
   struct pipe_caps *caps = &screen->base.caps;

   agx_init_shader_separate(screen);
   caps->shader_stages |= NIR_STAGES_GRAPHICS & ~(1u << NIR_STAGE_TASK | 1u << NIR_STAGE_MESH);
   caps->queue_families[0].abilities |= PIPE_CAN_GRAPHICS;
   caps->sample_counts = caps->storage_sample_counts = 1 << 0 | 1 << 1 | 1 << 2;
   caps->logic_op = true;
   caps->dual_source_blend = true;
   caps->depth_clamp = true;
   caps->programs_by_topology = caps->programs_blend = caps->programs_place_colors = true;
   caps->fill_mode_non_solid = true;
   caps->sample_rate_shading = true;
   caps->large_points = true;
   caps->wide_lines = caps->bresenham_lines = true;
   caps->min_line_px = caps->min_point_px = 1;
   caps->max_line_px = 16;
   caps->line_granularity_px = 0.0625f;
   caps->line_subpixel_bits = 8;
   caps->alpha_to_one = true;
   caps->sample_grid_px = 1;
   caps->max_point_px = 511.9375f; /* what other drivers say of the hardware */
   caps->point_granularity_px = 0.0625f;
   caps->multi_viewport = true;
   caps->pipeline_statistics = true;
   caps->fragment_interlock = true;
   caps->fragment_barycentric = true;
   caps->xfb = true;
   caps->xfb_streams = NIR_XFB_STREAMS;
   caps->xfb_keeps_provoking = true;
}

bool
agx_graphics_screen_start(struct agx_screen *screen)
{
   agx_counters_init(screen);
   return agx_assembly_init(screen) && agx_parts_init(screen) && agx_tile_programs_init(screen) &&
          agx_clears_init(screen) && agx_occlusion_init(screen);
}

void
agx_graphics_screen_finish(struct agx_screen *screen)
{
   agx_assembly_finish(screen);
   agx_clears_finish(screen);
   agx_parts_finish(screen);
   agx_tile_programs_finish(screen);
   agx_occlusion_finish(screen);
}

uint32_t
agx_target_features(uint32_t format)
{
   struct agx_tile_format tile;

   if (!agx_tile_format(format, &tile))
      return 0;
   return PIPE_FORMAT_COLOR | PIPE_FORMAT_BLIT_DST | (tile.is_integer ? 0 : PIPE_FORMAT_BLEND);
}

/* What agx_nir_lower_vertex_inputs() converts. */
bool
agx_vertex_format(uint32_t format)
{
   const struct format_info *info = format_info(format);

   if (!info || info->compression || info->planes > 1 || info->block_width_el > 1 || !info->component_count ||
       info->components[0].name > FORMAT_A)
      return false;
   const struct format_component *first = &info->components[0];
   bool is_float = first->numeric == FORMAT_SFLOAT || first->numeric == FORMAT_UFLOAT;

   if (first->numeric == FORMAT_SRGB || first->numeric == FORMAT_FIXED || first->bits > 32 ||
       (is_float && first->numeric == FORMAT_SFLOAT && first->bits < 16))
      return false;
   return info->packed_bits == 0 || info->packed_bits == 16 || info->packed_bits == 32;
}

void
agx_init_graphics(struct agx_context *ctx)
{
   agx_init_state(ctx);
   agx_init_vertex(ctx);
   agx_init_draw(ctx);
   agx_init_rendering(ctx);
   agx_init_clear(ctx);
   agx_init_transfer(ctx);
   agx_init_xfb(ctx);
}

void
agx_graphics_reset(struct agx_context *ctx)
{
   static const struct pipe_graphics_state none = {.line_width_px = 1};

   ctx->graphics.gfx = &none;
   ctx->dirty = AGX_ALL_ATOMS;
}

void
agx_graphics_inherit(struct agx_context *ctx, const struct pipe_inheritance *inheritance)
{
   if (inheritance->in_occlusion_query)
      agx_occlusion_inherit(ctx);
   if (inheritance->in_statistics_query)
      agx_statistics_inherit(ctx);
   if (inheritance->in_rendering)
      agx_inherit_rendering(ctx, inheritance);
}

void
agx_graphics_end(struct agx_context *ctx)
{
   if (ctx->graphics.framebuffer.inherited && ctx->graphics.render.open)
      agx_cs_end(&ctx->vdm);
   ctx->graphics.render.open = false;
}

bool
agx_graphics_execute(struct agx_context *ctx, const struct agx_context *secondary)
{
   if (!ctx->graphics.render.open)
      return false;
   agx_execute_draws(ctx, secondary);
   return true;
}

void
agx_graphics_program_bound(struct agx_context *ctx)
{
   ctx->dirty |= AGX_BIT(PROGRAM);
   agx_find_way(ctx);
}

void
agx_graphics_arguments_changed(struct agx_context *ctx)
{
   ctx->dirty |= AGX_ARGUMENT_ATOMS;
}
