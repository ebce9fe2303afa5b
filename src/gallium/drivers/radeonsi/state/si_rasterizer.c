/* Culling, polygon mode, clipping of depth, depth bias, lines and points, primitive types. */
#include "amd/hw/registers.h"
#include "gallium/drivers/radeonsi/si_context.h"
#include "gallium/drivers/radeonsi/cs/si_gen_gfx9.h"
#include "gallium/drivers/radeonsi/shader/si_geometry.h"
#include "gallium/drivers/radeonsi/shader/si_program.h"
#include "gallium/drivers/radeonsi/shader/si_tessellation.h"
#include "util/macros.h"

static uint32_t
polygon_type(enum pipe_polygon_mode mode)
{
   switch (mode) {
   case PIPE_POLYGON_FILL:
      return V_X_DRAW_TRIANGLES;
   case PIPE_POLYGON_LINE:
      return V_X_DRAW_LINES;
   case PIPE_POLYGON_POINT:
      return V_X_DRAW_POINTS;
   }
   return V_X_DRAW_TRIANGLES;
}

enum pipe_topology
si_raster_topology(const struct si_context *ctx)
{
   const struct si_program *program = ctx->programs[PIPE_BIND_GRAPHICS];

   return program && program->made ? (enum pipe_topology)(program->made - 1)
                                   : pipe_topology_without_neighbours(ctx->state.gfx->topology);
}

static bool
draws_lines(const struct si_context *ctx)
{
   const enum pipe_topology topology = si_raster_topology(ctx);

   if (topology >= PIPE_TRIANGLE_LIST)
      return ctx->state.gfx->polygon_mode == PIPE_POLYGON_LINE;
   return topology != PIPE_POINT_LIST;
}

enum pipe_line_mode
si_line_mode(const struct si_context *ctx)
{
   return draws_lines(ctx) ? ctx->state.gfx->line_mode : PIPE_LINE_DEFAULT;
}

/* Bresenham lines cover pixels whole: one sample stands for all. */
unsigned
si_raster_samples(const struct si_context *ctx)
{
   return si_line_mode(ctx) == PIPE_LINE_BRESENHAM ? 1 : MAX2(ctx->state.gfx->samples, 1);
}

/* How many samples are rasterised depends on it. */
static void
note_lines(struct si_context *ctx)
{
   const enum pipe_line_mode mode = si_line_mode(ctx);

   if (ctx->last_line_mode == mode)
      return;
   ctx->last_line_mode = mode;
   si_mark_dirty(ctx, SI_ATOM_MSAA);
   si_mark_dirty(ctx, SI_ATOM_OCCLUSION);
}

uint32_t
si_render_override(bool clamps_depth)
{
   return S_DB_RENDER_OVERRIDE_FORCE_HIS_ENABLE0(V_FORCE_DISABLE) |
          S_DB_RENDER_OVERRIDE_FORCE_HIS_ENABLE1(V_FORCE_DISABLE) |
          S_DB_RENDER_OVERRIDE_DISABLE_VIEWPORT_CLAMP(!clamps_depth);
}

void
si_emit_rasterizer(struct si_context *ctx)
{
   const struct pipe_graphics_state *gfx = ctx->state.gfx;
   const uint32_t type = polygon_type(gfx->polygon_mode);
   const bool dual = gfx->polygon_mode != PIPE_POLYGON_FILL;
   struct si_cs *cs = &ctx->cs;
   uint32_t clip = S_PA_CL_CLIP_CNTL_DX_CLIP_SPACE_DEF(!gfx->depth_from_minus_one) |
                   S_PA_CL_CLIP_CNTL_DX_LINEAR_ATTR_CLIP_ENA(1) |
                   S_PA_CL_CLIP_CNTL_DX_RASTERIZATION_KILL(gfx->discard) |
                   S_PA_CL_CLIP_CNTL_ZCLIP_NEAR_DISABLE(!pipe_clips_depth(gfx)) |
                   S_PA_CL_CLIP_CNTL_ZCLIP_FAR_DISABLE(!pipe_clips_depth(gfx));
   /* y points down in the frame buffer: what the hardware calls clockwise looks so on the screen. */
   uint32_t mode = S_PA_SU_SC_MODE_CNTL_CULL_FRONT((gfx->cull & PIPE_CULL_FRONT) != 0) |
                   S_PA_SU_SC_MODE_CNTL_CULL_BACK((gfx->cull & PIPE_CULL_BACK) != 0) |
                   S_PA_SU_SC_MODE_CNTL_FACE(!gfx->front_ccw) |
                   S_PA_SU_SC_MODE_CNTL_POLY_MODE(dual ? V_X_DUAL_MODE : V_X_DISABLE_POLY_MODE) |
                   S_PA_SU_SC_MODE_CNTL_POLYMODE_FRONT_PTYPE(type) | S_PA_SU_SC_MODE_CNTL_POLYMODE_BACK_PTYPE(type) |
                   S_PA_SU_SC_MODE_CNTL_POLY_OFFSET_FRONT_ENABLE(gfx->depth_bias_enable) |
                   S_PA_SU_SC_MODE_CNTL_POLY_OFFSET_BACK_ENABLE(gfx->depth_bias_enable) |
                   S_PA_SU_SC_MODE_CNTL_POLY_OFFSET_PARA_ENABLE(gfx->depth_bias_enable) |
                   S_PA_SU_SC_MODE_CNTL_PROVOKING_VTX_LAST(gfx->provoking_last) |
                   S_PA_SU_SC_MODE_CNTL_KEEP_TOGETHER_ENABLE((dual || si_line_mode(ctx) == PIPE_LINE_RECTANGULAR) &&
                                                             !ctx->screen->info.has_vgt);

   note_lines(ctx);
   si_cs_reserve(cs, 10);
   si_context_regs(cs, {R_PA_CL_CLIP_CNTL, clip}, {R_PA_SU_SC_MODE_CNTL, mode});
   si_cs_context_reg(cs, R_DB_RENDER_OVERRIDE, si_render_override(gfx->depth_clamp || !ctx->base.unrestricted_depth));
   si_cs_context_reg(cs, R_PA_SC_LINE_CNTL,
                     S_PA_SC_LINE_CNTL_PERPENDICULAR_ENDCAP_ENA(si_line_mode(ctx) == PIPE_LINE_RECTANGULAR));
}

static uint32_t
bias_unit(const struct si_context *ctx, enum pipe_bias_unit unit)
{
   const uint32_t of_format = ctx->state.framebuffer.depth_offset_format;

   switch (unit) {
   case PIPE_BIAS_UNIT_FORMAT:
      break;
   case PIPE_BIAS_UNIT_UNORM: /* of 24 bits for floats */
      return G_PA_SU_POLY_OFFSET_DB_FMT_CNTL_POLY_OFFSET_DB_IS_FLOAT_FMT(of_format)
                ? S_PA_SU_POLY_OFFSET_DB_FMT_CNTL_POLY_OFFSET_NEG_NUM_DB_BITS(-24)
                : of_format;
   case PIPE_BIAS_UNIT_ONE:
      return 0;
   }
   return of_format;
}

void
si_emit_depth_bias(struct si_context *ctx)
{
   struct si_cs *cs = &ctx->cs;
   /* The slope unit of the hardware is 1/16. */
   const struct pipe_depth_bias *bias = &ctx->state.gfx->depth_bias;
   float slope = bias->slope * 16;

   si_cs_reserve(cs, 8);
   si_context_regs(cs, {R_PA_SU_POLY_OFFSET_DB_FMT_CNTL, bias_unit(ctx, bias->unit)},
                   {R_PA_SU_POLY_OFFSET_CLAMP, float_bits(bias->clamp)},
                   {R_PA_SU_POLY_OFFSET_FRONT_SCALE, float_bits(slope)},
                   {R_PA_SU_POLY_OFFSET_FRONT_OFFSET, float_bits(bias->constant)},
                   {R_PA_SU_POLY_OFFSET_BACK_SCALE, float_bits(slope)},
                   {R_PA_SU_POLY_OFFSET_BACK_OFFSET, float_bits(bias->constant)});
}

/* When a pattern starts anew: with each line of a list; in strips with each packet, on GFX9 never. Source: RADV. */
static uint32_t
pattern_reset(const struct si_context *ctx)
{
   if (pipe_topology_without_neighbours(ctx->state.gfx->topology) == PIPE_LINE_LIST)
      return 1;
   return ctx->screen->info.has_vgt ? 0 : 2;
}

/* Half widths in 12.4 fixed point. */
void
si_emit_line_width(struct si_context *ctx)
{
   const struct pipe_graphics_state *gfx = ctx->state.gfx;
   struct si_cs *cs = &ctx->cs;
   uint32_t width = (uint32_t)(gfx->line_width_px * 8);

   si_cs_reserve(cs, 6);
   si_cs_context_reg(cs, R_PA_SU_LINE_CNTL, S_PA_SU_LINE_CNTL_WIDTH(MIN2(width, 0xffffu)));
   si_cs_context_reg(cs, R_PA_SC_LINE_STIPPLE,
                     S_PA_SC_LINE_STIPPLE_LINE_PATTERN(gfx->line_stipple.pattern) |
                        S_PA_SC_LINE_STIPPLE_REPEAT_COUNT(MAX2(gfx->line_stipple.factor, 1u) - 1) |
                        S_PA_SC_LINE_STIPPLE_AUTO_RESET_CNTL(pattern_reset(ctx)));
}

void
si_emit_primitive_type(struct si_context *ctx, uint32_t type)
{
   struct si_cs *cs = &ctx->cs;

   si_cs_uconfig_reg_index(cs, R_VGT_PRIMITIVE_TYPE, 1, type);
   if (ctx->screen->ngg)
      si_emit_ngg_output(ctx, type);
}

/* The word of a primitive has a vertex in every 10 bits. */
void
si_emit_provoking(struct si_context *ctx)
{
   static const uint8_t last[] = {[PIPE_POINT_LIST] = 0,    [PIPE_LINE_LIST] = 1,      [PIPE_LINE_STRIP] = 1,
                                  [PIPE_TRIANGLE_LIST] = 2, [PIPE_TRIANGLE_STRIP] = 2, [PIPE_TRIANGLE_FAN] = 2};
   const struct si_program *program = ctx->programs[PIPE_BIND_GRAPHICS];
   const struct pipe_graphics_state *gfx = ctx->state.gfx;

   if (!program->knows_provoking)
      return;
   si_cs_reserve(&ctx->cs, 3);
   si_cs_sh_reg(&ctx->cs, program->last_user_data + 4 * SI_SGPR_VS_PROVOKING,
                gfx->provoking_last ? 10u * last[si_raster_topology(ctx)] : 0);
}

void
si_emit_primitive_groups(struct si_context *ctx, bool byte_count)
{
   const struct ac_gpu_info *info = &ctx->screen->info;
   const struct pipe_graphics_state *gfx = ctx->state.gfx;

   if (info->has_vgt && ctx->programs[PIPE_BIND_GRAPHICS]->tess.on)
      si_cs_uconfig_reg_index(&ctx->cs, R_IA_MULTI_VGT_PARAM(info->gen), 4, si_tess_primitive_groups(ctx));
   else if (info->has_vgt)
      si_cs_uconfig_reg_index(
         &ctx->cs, R_IA_MULTI_VGT_PARAM(info->gen), 4,
         si_gfx9_primitive_groups(info->num_se, gfx->topology, gfx->primitive_restart, byte_count));
}

void
si_emit_topology(struct si_context *ctx)
{
   static const uint8_t types[] = {[PIPE_POINT_LIST] = V_DI_PT_POINTLIST,
                                   [PIPE_LINE_LIST] = V_DI_PT_LINELIST,
                                   [PIPE_LINE_STRIP] = V_DI_PT_LINESTRIP,
                                   [PIPE_TRIANGLE_LIST] = V_DI_PT_TRILIST,
                                   [PIPE_TRIANGLE_STRIP] = V_DI_PT_TRISTRIP,
                                   [PIPE_TRIANGLE_FAN] = V_DI_PT_TRIFAN,
                                   [PIPE_LINE_LIST_ADJACENCY] = V_DI_PT_LINELIST_ADJ,
                                   [PIPE_LINE_STRIP_ADJACENCY] = V_DI_PT_LINESTRIP_ADJ,
                                   [PIPE_TRIANGLE_LIST_ADJACENCY] = V_DI_PT_TRILIST_ADJ,
                                   [PIPE_TRIANGLE_STRIP_ADJACENCY] = V_DI_PT_TRISTRIP_ADJ,
                                   [PIPE_PATCH_LIST] = V_DI_PT_PATCH};
   const struct si_program *program = ctx->programs[PIPE_BIND_GRAPHICS];
   const uint32_t type = program->mesh ? V_DI_PT_POINTLIST : types[ctx->state.gfx->topology];
   struct si_cs *cs = &ctx->cs;

   note_lines(ctx);
   si_cs_reserve(cs, 6 + 6);
   /* The output of a geometry shader is its program's. */
   if (ctx->programs[PIPE_BIND_GRAPHICS]->made)
      si_cs_uconfig_reg_index(cs, R_VGT_PRIMITIVE_TYPE, 1, type);
   else
      si_emit_primitive_type(ctx, type);
   if (ctx->programs[PIPE_BIND_GRAPHICS]->tess.on && ctx->screen->ngg)
      si_emit_ngg_output(ctx, types[si_raster_topology(ctx)]);
   si_emit_primitive_groups(ctx, false);
   /* VGT_MULTI_PRIM_IB_RESET_EN on GFX9: the same place and bit. */
   si_cs_uconfig_reg(cs, R_GE_MULTI_PRIM_IB_RESET_EN,
                     S_GE_MULTI_PRIM_IB_RESET_EN_RESET_EN(ctx->state.gfx->primitive_restart) |
                        S_GE_MULTI_PRIM_IB_RESET_EN_DISABLE_FOR_AUTO_INDEX(ctx->screen->info.ngg_only));
}
