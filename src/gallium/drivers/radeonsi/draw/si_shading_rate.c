/* Variable rate shading: for how many pixels fragment shaders run once. */
#include <stdlib.h>

#include "amd/common/ac_htile.h"
#include "amd/common/ac_meta.h"
#include "amd/hw/descriptors.h"
#include "amd/hw/meta.h"
#include "amd/hw/registers.h"
#include "gallium/drivers/radeonsi/cs/si_cache.h"
#include "gallium/drivers/radeonsi/si_context.h"
#include "gallium/drivers/radeonsi/resource/si_metadata.h"
#include "gallium/drivers/radeonsi/meta/si_meta.h"
#include "gallium/drivers/radeonsi/shader/si_program.h"
#include "util/log.h"
#include "util/macros.h"
#include "util/mutant.h"

/* With a rate of 1x1, which these leave or take. */
static bool
takes_single(enum pipe_rate_op op)
{
   return op == PIPE_RATE_REPLACE || op == PIPE_RATE_MIN;
}

/* What brings no rate stands for 1x1. That is worked out here: the combiners of the hardware are for rates that are
 * there. Modes have the numbers of enum pipe_rate_op: saturated sums of logarithms multiply. Whoever is shaded by
 * sample is shaded at 1x1, whatever came out (SAMPLE_ITER). */
void
si_emit_shading_rate(struct si_context *ctx)
{
   const struct si_program *program = ctx->programs[PIPE_BIND_GRAPHICS];
   const struct si_framebuffer *fb = &ctx->state.framebuffer;
   struct pipe_shading_rate rate = ctx->state.gfx->shading_rate;
   bool has_attachment = fb->inherited ? program->rate_attachment : fb->htile_va || fb->rates;
   struct si_cs *cs = &ctx->cs;

   if (!ctx->screen->info.pops->has_vrs)
      return;
   if (!program->coarse || ctx->state.gfx->sample_locations_enable)
      rate = (struct pipe_shading_rate){0};
   if (!has_attachment) {
      if (takes_single(rate.with_attachment))
         rate = (struct pipe_shading_rate){0};
      rate.with_attachment = PIPE_RATE_KEEP;
   }
   if (!program->writes_rate) {
      if (takes_single(rate.with_primitive))
         rate.width_log2 = rate.height_log2 = 0;
      rate.with_primitive = PIPE_RATE_KEEP;
   }
   si_cs_reserve(cs, 6);
   si_cs_uconfig_reg(cs, R_GE_VRS_RATE,
                     S_GE_VRS_RATE_RATE_X(rate.width_log2) | S_GE_VRS_RATE_RATE_Y(rate.height_log2));
   si_cs_context_reg(cs, R_PA_CL_VRS_CNTL,
                     (program->mesh ? S_PA_CL_VRS_CNTL_PRIMITIVE_RATE_COMBINER_MODE(rate.with_primitive)
                                    : S_PA_CL_VRS_CNTL_VERTEX_RATE_COMBINER_MODE(rate.with_primitive)) |
                        S_PA_CL_VRS_CNTL_HTILE_RATE_COMBINER_MODE(rate.with_attachment) |
                        S_PA_CL_VRS_CNTL_SAMPLE_ITER_COMBINER_MODE(V_SC_VRS_COMB_MODE_OVERRIDE));
}

void
si_emit_rate_image(struct si_context *ctx)
{
   const struct si_image_view *view = ctx->state.framebuffer.rates;
   struct si_cs *cs = &ctx->cs;
   uint64_t va;

   if (!ctx->screen->info.rate_images)
      return;
   si_cs_reserve(cs, 3 + 5);
   si_cs_context_reg(cs, R_PA_SC_VRS_OVERRIDE_CNTL, S_PA_SC_VRS_OVERRIDE_CNTL_VRS_SURFACE_ENABLE(view != NULL));
   if (!view)
      return;
   /* Inside of a block the address is an exclusive or with what depends on the layer. */
   va = si_plane_va(view->image, SI_PLANE_MAIN) +
        ac_surface_offset_B(&view->image->planes[SI_PLANE_MAIN], 0, 0, 0, view->base_layer, 0);
   si_context_regs(cs, {R_PA_SC_VRS_RATE_BASE, (uint32_t)(va >> 8)},
                   {R_PA_SC_VRS_RATE_BASE_EXT, S_PA_SC_VRS_RATE_BASE_EXT_BASE_256B((uint32_t)(va >> 40))},
                   {R_PA_SC_VRS_RATE_SIZE_XY, S_PA_SC_VRS_RATE_SIZE_XY_X_MAX(view->width_px - 1) |
                                                 S_PA_SC_VRS_RATE_SIZE_XY_Y_MAX(view->height_px - 1)});
}

static struct si_rate_buffer *
grow(struct si_screen *screen, uint64_t size_B)
{
   struct si_rate_buffer *buffer = calloc(1, sizeof(*buffer));

   if (!buffer)
      return NULL;
   *buffer = (struct si_rate_buffer){
      .bo = amdgpu_ws_bo_create(screen->ws, size_B, 65536, AMDGPU_WS_VRAM, 0),
      .size_B = size_B,
      .older = screen->rates,
   };
   if (!buffer->bo) {
      free(buffer);
      return NULL;
   }
   screen->rates = buffer;
   return buffer;
}

uint64_t
si_rate_buffer_va(struct si_screen *screen, uint64_t size_B)
{
   struct si_rate_buffer *buffer;

   pthread_mutex_lock(&screen->scratch_lock);
   buffer = screen->rates;
   if (!buffer || buffer->size_B < size_B)
      buffer = grow(screen, buffer ? MAX2(size_B, 2 * buffer->size_B) : size_B);
   pthread_mutex_unlock(&screen->scratch_lock);
   return buffer ? buffer->bo->va : 0;
}

void
si_rate_buffers_destroy(struct si_screen *screen)
{
   while (screen->rates) {
      struct si_rate_buffer *buffer = screen->rates;

      screen->rates = buffer->older;
      amdgpu_ws_bo_destroy(buffer->bo);
      free(buffer);
   }
}

/* A depth buffer of 16 bits that nobody reads: only its HTILE has memory. Source: RADV. */
static struct si_depth_target
absent_depth(const struct si_framebuffer *fb)
{
   return (struct si_depth_target){
      .size_xy =
         S_DB_DEPTH_SIZE_XY_X_MAX(fb->x + fb->width_px - 1) | S_DB_DEPTH_SIZE_XY_Y_MAX(fb->y + fb->height_px - 1),
      .z_info = S_DB_Z_INFO_FORMAT(V_Z_16) | S_DB_Z_INFO_SW_MODE(V_SW_64KB_Z_X),
      .stencil_info = S_DB_STENCIL_INFO_FORMAT(V_STENCIL_INVALID),
   };
}

/* The HTILE of the rendering's depth buffer, or of one that is not there. False: it can have none. */
static bool
htile_of_framebuffer(const struct si_context *ctx, struct ac_meta *htile)
{
   static const struct ac_surface one_level = {.mode = V_SW_64KB_Z_X, .num_levels = 1, .first_tail_level = 1};
   const struct si_framebuffer *fb = &ctx->state.framebuffer;
   const struct ac_gpu_info *info = &ctx->screen->info;
   const struct si_image_view *depth = fb->depth_stencil;

   if (!depth)
      return ac_meta_init(htile, AMD_META_HTILE, info->gen, info->gb_addr_config, &one_level, fb->x + fb->width_px,
                          fb->y + fb->height_px, 0);
   return ac_meta_init(htile, AMD_META_HTILE, info->gen, info->gb_addr_config,
                       &depth->image->planes[depth->has_depth ? SI_PLANE_MAIN : SI_PLANE_STENCIL],
                       depth->image->desc.width_px, depth->image->desc.height_px, depth->base_level);
}

/* Writes the HTILE of the render area anew, all layers alike. DB's metadata was flushed with the draws before; the
 * buffer is that of the rendering before, too. */
static void
copy_rates(struct si_context *ctx, const struct si_image_view *rates, const struct ac_meta *htile)
{
   struct si_framebuffer *fb = &ctx->state.framebuffer;
   const struct si_image_view *depth = fb->depth_stencil;
   uint32_t x = fb->x / AC_HTILE_TILE_PX, y = fb->y / AC_HTILE_TILE_PX;
   uint32_t first = depth ? depth->base_layer : 0, layers = depth ? MAX2(fb->layers, 1) : 1;
   uint64_t size_B = ac_meta_size_B(htile, first + layers);
   struct si_meta_table table = {
      .size = {(uint32_t)div_round_up(fb->x + fb->width_px, AC_HTILE_TILE_PX) - x,
               (uint32_t)div_round_up(fb->y + fb->height_px, AC_HTILE_TILE_PX) - y, layers},
      .src_offset = {(int32_t)x, (int32_t)y, (int32_t)rates->base_layer},
      .dst_offset = {0, 0, (int32_t)first},
      .src_pitch_el = {htile->row_blocks, htile->slice_blocks, htile->first_block},
   };

   fb->htile_va = si_rate_buffer_va(ctx->screen, size_B);
   if (!fb->htile_va) {
      ctx->failed = true;
      return;
   }
   si_meta_raw_image(ctx, rates->image, SI_PLANE_MAIN, rates->base_level, false, table.src);
   ac_buffer_descriptor(ctx->screen->info.raw_buffer_word3, fb->htile_va, (uint32_t)size_B, table.dst);
   si_flush_graphics(ctx);
   if (!mutant("rates-not-copied"))
      si_meta_dispatch(ctx, SI_META_COPY_RATES, &table);
   si_wait_compute(ctx);
}

void
si_set_rates(struct si_context *ctx, const struct si_image_view *view)
{
   struct si_framebuffer *fb = &ctx->state.framebuffer;
   struct ac_meta htile;

   if (ctx->screen->info.rate_images) {
      fb->rates = view;
      return;
   }
   if (!htile_of_framebuffer(ctx, &htile)) {
      log_error("shading rates of an attachment are left out: small levels of depth images have no HTILE");
      return;
   }
   if (!fb->depth_stencil)
      fb->no_depth = absent_depth(fb);
   else
      si_metadata_make_plain(
         ctx, fb->depth_stencil->image, PIPE_ASPECT_DEPTH | PIPE_ASPECT_STENCIL,
         (struct si_layers){fb->depth_stencil->base_level, fb->depth_stencil->base_layer, fb->depth_stencil->layers},
         false);
   copy_rates(ctx, view, &htile);
}
