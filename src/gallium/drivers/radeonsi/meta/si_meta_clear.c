/* Clears: rectangles drawn in one colour, one depth, one stencil value. */
#include <math.h>

#include "amd/common/ac_format.h"
#include "amd/hw/registers.h"
#include "gallium/drivers/radeonsi/resource/si_dcc.h"
#include "gallium/drivers/radeonsi/resource/si_htile.h"
#include "gallium/drivers/radeonsi/meta/si_meta.h"
#include "gallium/drivers/radeonsi/shader/si_program.h"
#include "gallium/drivers/radeonsi/resource/si_target.h"
#include "util/format_enum.h"
#include "util/log.h"
#include "util/macros.h"

/* Half the size of the viewport: a power of two, so that pixel coordinates survive the way through clip space. */
#define HALF_PX 8192.0f

/* The context's graphics state while a clear borrows it. */
struct saved {
   struct si_program *program;
   unsigned occlusion_queries;
   struct si_graphics_state state;
};

struct clear {
   struct si_context *ctx;
   struct pipe_graphics_state gfx;
   struct saved saved;
   struct si_image_view target; /* one layer of the attachment */
};

static void
borrow(struct clear *c, struct pipe_program *program, unsigned samples)
{
   struct si_context *ctx = c->ctx;

   si_pause_statistics(ctx);
   c->saved.program = ctx->programs[PIPE_BIND_GRAPHICS];
   c->saved.occlusion_queries = ctx->occlusion_queries;
   c->saved.state = ctx->state;

   ctx->programs[PIPE_BIND_GRAPHICS] = si_program(program);
   ctx->occlusion_queries = 0;
   c->gfx = (struct pipe_graphics_state){
      .topology = PIPE_TRIANGLE_LIST,
      .viewports = {1, {{0, 0, 2 * HALF_PX, 2 * HALF_PX, 0, 1}}},
      .scissors = {1, {{0, 0, 16384, 16384}}},
      .line_width_px = 1,
      .samples = (uint8_t)samples,
      .sample_mask = UINT32_MAX,
      .color_write_mask = UINT32_MAX,
   };
   ctx->state.gfx = &c->gfx;
   ctx->state.is_clear = true;
   ctx->state.framebuffer.color_mask = 0;
   ctx->state.framebuffer.num_colors = 0;
   ctx->state.framebuffer.depth_stencil = NULL;
   ctx->state.framebuffer.rates = NULL;
   ctx->state.framebuffer.htile_va = 0;
   ctx->state.framebuffer.has_depth = ctx->state.framebuffer.has_stencil = false;
}

static void
give_back(struct clear *c)
{
   struct si_context *ctx = c->ctx;

   si_resume_statistics(ctx);
   ctx->state = c->saved.state;
   ctx->programs[PIPE_BIND_GRAPHICS] = c->saved.program;
   ctx->occlusion_queries = c->saved.occlusion_queries;
   si_forget_state(ctx);
}

/* All state for the target, then one rectangle; layer: counted from the target's first. */
static void
draw_rect(struct clear *c, const uint32_t *color, float depth, const struct pipe_clear_rect *rect, uint32_t layer)
{
   struct si_context *ctx = c->ctx;
   const struct si_program *program = ctx->programs[PIPE_BIND_GRAPHICS];
   struct si_cs *cs = &ctx->cs;

   ctx->dirty = SI_ALL_ATOMS & ~(1u << SI_ATOM_DESCRIPTORS | 1u << SI_ATOM_PUSH_CONSTANTS | 1u << SI_ATOM_INDEX_TYPE);
   si_emit_dirty(ctx);
   si_cs_reserve(cs, 6 + 6 + 2 + 8 + 3);
   si_emit_primitive_type(ctx, V_DI_PT_RECTLIST);
   if (color)
      si_user_data(cs, clear_ps_color, program->user_data[ACO_HW_PS],
                   .color = {color[0], color[1], color[2], color[3]});
   si_packet(cs, num_instances, .count = 1);
   si_user_data(cs, clear_vs_rect, program->vertex_user_data,
                .corners = {(float)rect->x / HALF_PX - 1, (float)rect->y / HALF_PX - 1,
                            (float)(rect->x + rect->width) / HALF_PX - 1,
                            (float)(rect->y + rect->height) / HALF_PX - 1},
                .depth = depth, .layer = layer);
   uint32_t *packet = cs->cur;
   si_packet(cs, draw_index_auto, .count_el = 3,
             .initiator = S_VGT_DRAW_INITIATOR_SOURCE_SELECT(V_DI_SRC_SEL_AUTO_INDEX));
   *packet |= ctx->predicate;
}

enum si_meta_clear
si_meta_clear_kind(unsigned export_format)
{
   switch (export_format) {
   case V_SPI_SHADER_FP16_ABGR:
      return SI_META_CLEAR_FLOAT;
   case V_SPI_SHADER_UINT16_ABGR:
      return SI_META_CLEAR_UINT16;
   case V_SPI_SHADER_SINT16_ABGR:
      return SI_META_CLEAR_SINT16;
   default: /* others: 32 bits a channel; the driver exports 16-bit norms as FP16 */
      return SI_META_CLEAR_32;
   }
}

/* What becomes of an image, or of a part of it. */
struct image_clear {
   const struct si_resource *image;
   uint32_t format, aspects;
   struct pipe_clear_value value;
};

/* One layer (3D: slice) of a colour image. False if the format cannot be drawn to. */
static bool
clear_color_layer(struct si_context *ctx, const struct image_clear *clear, unsigned level, unsigned layer,
                  const struct pipe_clear_rect *rect)
{
   const struct si_resource *image = clear->image;
   struct clear c = {.ctx = ctx};

   if (!si_color_target_init(&ctx->screen->info, &c.target.color, image, clear->format,
                             (struct si_layers){level, layer, 1}))
      return false;
   c.target.has_color = true;
   borrow(&c, ctx->screen->meta->clear[si_meta_clear_kind(c.target.color.export_format)], image->desc.samples);
   ctx->state.framebuffer.num_colors = 1;
   ctx->state.framebuffer.colors[0] = &c.target;
   ctx->state.framebuffer.color_mask = 0xf;
   draw_rect(&c, clear->value.color.u, 0, rect, 0);
   give_back(&c);
   return true;
}

/* Tests that pass and write everywhere. */
static void
set_depth_state(struct clear *c, uint8_t stencil)
{
   struct pipe_graphics_state *gfx = &c->gfx;

   gfx->depth_test = gfx->depth_write = gfx->stencil_test = true;
   gfx->depth_compare = PIPE_COMPARE_ALWAYS;
   for (unsigned face = 0; face < 2; face++) {
      gfx->stencil[face] = (struct pipe_stencil_face){.pass = PIPE_STENCIL_REPLACE, .compare = PIPE_COMPARE_ALWAYS};
      gfx->stencil_reference[face] = stencil;
      gfx->stencil_compare_mask[face] = gfx->stencil_write_mask[face] = 0xff;
   }
}

static void
clear_depth_layer(struct si_context *ctx, const struct image_clear *clear, unsigned level, unsigned layer,
                  const struct pipe_clear_rect *rect)
{
   const struct si_resource *image = clear->image;
   struct clear c = {.ctx = ctx};

   si_depth_target_init(&ctx->screen->info, &c.target.depth, image, (struct si_layers){level, layer, 1});
   borrow(&c, ctx->screen->meta->clear[SI_META_CLEAR_DEPTH], image->desc.samples);
   ctx->state.framebuffer.depth_stencil = &c.target;
   ctx->state.framebuffer.htile_va = c.saved.state.framebuffer.htile_va; /* it knows bounds of the depth */
   ctx->state.framebuffer.has_depth = clear->aspects & PIPE_ASPECT_DEPTH && ac_format_depth(image->desc.format);
   ctx->state.framebuffer.has_stencil = clear->aspects & PIPE_ASPECT_STENCIL && image->plane_format[SI_PLANE_STENCIL];
   set_depth_state(&c, clear->value.stencil);
   draw_rect(&c, NULL, clear->value.depth, rect, 0);
   give_back(&c);
}

/* In a secondary command buffer: the targets are those of the primary, at their places. */
static void
clear_inherited(struct si_context *ctx, uint32_t attachment, uint32_t aspects, const struct pipe_clear_value *value,
                const struct pipe_clear_rect *rect)
{
   const struct si_framebuffer fb = ctx->state.framebuffer;
   const struct si_meta *meta = ctx->screen->meta;
   struct clear c = {.ctx = ctx};
   bool is_depth = attachment == UINT32_MAX;

   if (!is_depth && !(fb.color_mask >> (4 * attachment) & 0xf))
      return;
   borrow(&c,
          is_depth ? meta->clear[SI_META_CLEAR_DEPTH]
                   : meta->clear_any[si_meta_clear_kind(fb.export_formats[attachment])],
          fb.samples);
   if (is_depth) {
      ctx->state.framebuffer.has_depth = aspects & PIPE_ASPECT_DEPTH && fb.has_depth;
      ctx->state.framebuffer.has_stencil = aspects & PIPE_ASPECT_STENCIL && fb.has_stencil;
      set_depth_state(&c, value->stencil);
   } else {
      ctx->state.framebuffer.color_mask = 0xfu << (4 * attachment);
   }
   for (unsigned layer = 0; layer < rect->layers; layer++)
      draw_rect(&c, is_depth ? NULL : value->color.u, value->depth, rect, rect->base_layer + layer);
   give_back(&c);
}

static bool
covers(const struct si_image_view *view, const struct pipe_clear_rect *rect)
{
   return !rect->x && !rect->y && rect->width >= view->width_px && rect->height >= view->height_px;
}

static bool
covers_layers(const struct si_image_view *view, const struct pipe_clear_rect *rect)
{
   return !(view->base_layer + rect->base_layer) && rect->layers == view->image->desc.layers;
}

static uint32_t
attached_aspects(const struct si_framebuffer *fb)
{
   return (fb->has_depth ? PIPE_ASPECT_DEPTH : 0) | (fb->has_stencil ? PIPE_ASPECT_STENCIL : 0);
}

static void
clear_attachment(struct pipe_context *pipe, uint32_t attachment, uint32_t aspects,
                 const struct pipe_clear_value *value, const struct pipe_clear_rect *rect)
{
   struct si_context *ctx = si_context(pipe);
   bool is_depth = attachment == UINT32_MAX;
   const struct si_image_view *view =
      is_depth ? ctx->state.framebuffer.depth_stencil : ctx->state.framebuffer.colors[attachment];

   if (is_depth)
      aspects &= attached_aspects(&ctx->state.framebuffer);
   if (is_depth && !aspects)
      return;
   if (ctx->state.framebuffer.inherited)
      clear_inherited(ctx, attachment, aspects, value, rect);
   /* What depends on a condition is drawn. */
   if (!ctx->predicate && !is_depth && view && covers(view, rect) &&
       si_dcc_clear(ctx, view->image, view->format,
                    (struct si_layers){view->base_level, view->base_layer + rect->base_layer, rect->layers},
                    &value->color))
      return;
   if (!ctx->predicate && is_depth && view && !ctx->state.framebuffer.htile_va && covers(view, rect) &&
       covers_layers(view, rect)) {
      aspects = si_htile_clear(ctx, view->image, view->base_level, aspects, value->depth, value->stencil);
      if (!aspects)
         return;
   }
   if (!view)
      return;
   const struct image_clear clear = {view->image, view->format, aspects, *value};

   for (unsigned layer = 0; layer < rect->layers; layer++) {
      unsigned at = view->base_layer + rect->base_layer + layer;

      if (is_depth)
         clear_depth_layer(ctx, &clear, view->base_level, at, rect);
      else
         clear_color_layer(ctx, &clear, view->base_level, at, rect);
   }
}

/* The texel of E5B9G9R9, as the Vulkan specification's section "Shared exponent" rounds it. */
static uint32_t
shared_exponent(const float rgb[3])
{
   const float largest = 65408.0f; /* 511 / 512 * 2^16 */
   float c[3], most = 0;
   int exponent;

   for (unsigned i = 0; i < 3; i++) {
      c[i] = rgb[i] > 0 ? MIN2(rgb[i], largest) : 0;
      most = MAX2(most, c[i]);
   }
   frexpf(most, &exponent); /* most < 2^exponent */
   exponent = most > 0 ? MAX2(exponent, -15) : -15;
   if (floorf(ldexpf(most, 9 - exponent) + 0.5f) == 512)
      exponent++;
   uint32_t word = (uint32_t)(exponent + 15) << 27;
   for (unsigned i = 0; i < 3; i++)
      word |= (uint32_t)floorf(ldexpf(c[i], 9 - exponent) + 0.5f) << (9 * i);
   return word;
}

/* By draws. False if the format cannot be drawn to. */
static bool
draw_layers(struct si_context *ctx, const struct image_clear *clear, struct si_layers layers)
{
   struct pipe_clear_rect rect = {.width = si_level_width_px(clear->image, layers.level),
                                  .height = si_level_height_px(clear->image, layers.level)};
   struct si_framebuffer before = ctx->state.framebuffer;
   const uint32_t predicate = ctx->predicate;
   bool ok = true;

   ctx->predicate = 0;

   ctx->state.framebuffer = (struct si_framebuffer){.width_px = rect.width, .height_px = rect.height};
   for (unsigned layer = layers.first; layer < layers.first + layers.count && ok; layer++) {
      if (clear->aspects & PIPE_ASPECT_COLOR)
         ok = clear_color_layer(ctx, clear, layers.level, layer, &rect);
      else
         clear_depth_layer(ctx, clear, layers.level, layer, &rect);
   }
   ctx->state.framebuffer = before;
   ctx->predicate = predicate;
   return ok;
}

static void
clear_image(struct pipe_context *pipe, struct pipe_resource *dst, const struct pipe_clear_value *value,
            const struct pipe_subresource_range *range)
{
   struct si_context *ctx = si_context(pipe);
   const struct si_resource *image = si_resource(dst);
   struct image_clear clear = {image, image->desc.format, range->aspects, *value};

   /* No target; the value has 64 bits by the first two of its words. */
   if (clear.format == FORMAT_R64_UINT || clear.format == FORMAT_R64_SINT)
      clear.format = FORMAT_R32G32_UINT;
   /* No target of every generation. */
   if (clear.format == FORMAT_E5B9G9R9_UFLOAT_PACK32 && range->aspects & PIPE_ASPECT_COLOR) {
      clear.value.color = (union pipe_clear_color){.u = {shared_exponent(value->color.f)}};
      clear.format = FORMAT_R32_UINT;
   }
   for (unsigned level = range->base_level; level < range->base_level + range->levels; level++) {
      if (range->aspects & PIPE_ASPECT_COLOR &&
          si_dcc_clear(ctx, image, clear.format, (struct si_layers){level, range->base_layer, range->layers},
                       &clear.value.color))
         continue;
      clear.aspects = range->aspects;
      if (!range->base_layer && range->layers == image->desc.layers)
         clear.aspects = si_htile_clear(ctx, image, level, range->aspects, value->depth, value->stencil);
      if (!clear.aspects)
         continue;
      bool is_3d = image->desc.type == PIPE_IMAGE_3D;
      const struct si_layers layers = {level, is_3d ? 0 : range->base_layer,
                                       is_3d ? si_level_depth_px(image, level) : range->layers};
      bool ok = ctx->ring == AMDGPU_WS_GFX
                   ? draw_layers(ctx, &clear, layers)
                   : si_meta_clear_color(ctx, image, clear.format, layers, &clear.value.color);

      if (!ok) {
         log_error("clears of images of format %u are not supported", image->desc.format);
         ctx->failed = true;
      }
   }
}

void
si_init_meta_clear(struct si_context *ctx)
{
   ctx->base.clear_attachment = clear_attachment;
   ctx->base.clear_image = clear_image;
}
