/* Viewports, scissors and depth bias: records of the stream, and entries of the render's arrays that they name. */
#include <string.h>

#include "gallium/drivers/asahi/agx_context.h"
#include "asahi/hw/hw_limits.h"
#include "util/log.h"
#include "util/macros.h"

#define TILE_PX 32 /* of region clips */

struct rect {
   uint32_t x0, y0, x1, y1;
};

unsigned
agx_viewport_count(const struct agx_context *ctx)
{
   unsigned count = MIN2(ctx->graphics.gfx->viewports.count, ctx->graphics.gfx->scissors.count);

   return MAX2(count, 1u);
}

/* What lies in [low, high) of an interval. */
static void
clamp_axis(int64_t first, int64_t last, uint32_t *low, uint32_t *high)
{
   int64_t from = MAX2(first, (int64_t)*low), to = MIN2(last, (int64_t)*high);

   *low = (uint32_t)MIN2(from, (int64_t)*high);
   *high = (uint32_t)MAX2(to, (int64_t)*low);
}

static void
clamp_to_viewport(float origin, float extent, uint32_t *low, uint32_t *high)
{
   float first = MIN2(origin, origin + extent), last = MAX2(origin, origin + extent);

   first = MIN2(MAX2(first, 0.0f), 65536.0f);
   last = MIN2(MAX2(last, 0.0f), 65536.0f);
   clamp_axis((int64_t)first, (int64_t)__builtin_ceilf(last), low, high);
}

/* The pixels that a viewport's primitives may cover: of the target, the render area, the scissor, the viewport. */
static struct rect
visible_rect(const struct agx_context *ctx, unsigned i)
{
   const struct pipe_scissor *s = &ctx->graphics.gfx->scissors.of[i];
   const struct pipe_viewport *v = &ctx->graphics.gfx->viewports.of[i];
   const struct pipe_rendering *area = &ctx->graphics.render.info;
   const struct agx_framebuffer *fb = &ctx->graphics.framebuffer;
   struct rect r = {0, 0, fb->inherited ? AGX_MAX_PX : fb->width_px, fb->inherited ? AGX_MAX_PX : fb->height_px};

   if (!fb->inherited) {
      clamp_axis(area->x, (int64_t)area->x + area->width, &r.x0, &r.x1);
      clamp_axis(area->y, (int64_t)area->y + area->height, &r.y0, &r.y1);
   }
   clamp_axis(s->x, (int64_t)s->x + s->width, &r.x0, &r.x1);
   clamp_axis(s->y, (int64_t)s->y + s->height, &r.y0, &r.y1);
   clamp_to_viewport(v->x, v->width, &r.x0, &r.x1);
   clamp_to_viewport(v->y, v->height, &r.y0, &r.y1);
   return r;
}

char *
agx_emit_region_clips(struct agx_context *ctx, char *out)
{
   for (unsigned i = 0; i < agx_viewport_count(ctx); i++, out += AGX_REGION_CLIP_SIZE_B) {
      struct rect r = visible_rect(ctx, i);
      struct agx_region_clip clip = {
         .enable = true,
         .min_x_tl = MIN2(r.x0 / TILE_PX, 511u),
         .min_y_tl = MIN2(r.y0 / TILE_PX, 511u),
         .max_x_tl = (uint32_t)MAX2(div_round_up(r.x1, TILE_PX), 1u),
         .max_y_tl = (uint32_t)MAX2(div_round_up(r.y1, TILE_PX), 1u),
      };

      agx_region_clip_pack(out, &clip);
   }
   return out;
}

char *
agx_emit_viewports(struct agx_context *ctx, char *out)
{
   struct agx_viewport_control control = {0};

   agx_viewport_control_pack(out, &control);
   out += AGX_VIEWPORT_CONTROL_SIZE_B;
   for (unsigned i = 0; i < agx_viewport_count(ctx); i++, out += AGX_VIEWPORT_SIZE_B) {
      const struct pipe_viewport *v = &ctx->graphics.gfx->viewports.of[i];
      struct agx_viewport record = {
         .translate_x = v->x + v->width / 2,
         .scale_x = v->width / 2,
         .translate_y = v->y + v->height / 2,
         .scale_y = v->height / 2,
         .translate_z = v->min_depth,
         .scale_z = v->max_depth - v->min_depth,
      };

      agx_viewport_pack(out, &record);
   }
   return out;
}

void *
agx_array_append(struct agx_context *ctx, struct agx_array *array, unsigned element_B, unsigned count)
{
   if (array->count + count > array->max) {
      uint32_t max = MAX2(array->max * 2, 16u + count);
      uint64_t va;

      if (max * element_B > AUX_CHUNK_B) {
         log_error("a render has more than %u scissors or depth biases", array->count);
         ctx->failed = true;
         array->count = 0;
         max = array->max;
      } else {
         char *map = agx_upload_alloc(ctx, max * element_B, 16, &va);

         if (array->count)
            memcpy(map, array->map, (size_t)array->count * element_B);
         array->map = map;
         array->va = va;
         array->max = max;
      }
   }
   array->count += count;
   return array->map + (size_t)(array->count - count) * element_B;
}

/* Entry by entry the same as the newest ones: these will do. */
void
agx_prepare_scissors(struct agx_context *ctx)
{
   struct agx_array *array = &ctx->graphics.render.scissors;
   unsigned count = agx_viewport_count(ctx);
   char entries[PIPE_MAX_VIEWPORTS * AGX_SCISSOR_SIZE_B];

   for (unsigned i = 0; i < count; i++) {
      const struct pipe_viewport *v = &ctx->graphics.gfx->viewports.of[i];
      struct rect r = visible_rect(ctx, i);
      struct agx_scissor scissor = {
         .min_x = r.x0,
         .min_y = r.y0,
         .max_x = r.x1,
         .max_y = r.y1,
         .min_z = MIN2(v->min_depth, v->max_depth),
         .max_z = MAX2(v->min_depth, v->max_depth),
      };

      agx_scissor_pack(entries + i * AGX_SCISSOR_SIZE_B, &scissor);
   }
   size_t size_B = count * AGX_SCISSOR_SIZE_B;

   if (array->count >= count && !memcmp(array->map + (array->count - count) * AGX_SCISSOR_SIZE_B, entries, size_B)) {
      ctx->graphics.render.scissor = array->count - count;
      return;
   }
   memcpy(agx_array_append(ctx, array, AGX_SCISSOR_SIZE_B, count), entries, size_B);
   ctx->graphics.render.scissor = array->count - count;
}

void
agx_prepare_bias(struct agx_context *ctx)
{
   struct agx_render *render = &ctx->graphics.render;
   const struct pipe_depth_bias *from = &ctx->graphics.gfx->depth_bias;
   struct agx_depth_bias bias = {0};

   if (ctx->graphics.gfx->depth_bias_enable)
      bias = (struct agx_depth_bias){.depth_bias = from->constant, .slope_scale = from->slope, .clamp = from->clamp};

   if (!render->bias_dirty && render->biases.count)
      return;
   render->bias_dirty = false;
   agx_depth_bias_pack(agx_array_append(ctx, &render->biases, AGX_DEPTH_BIAS_SIZE_B, 1), &bias);
   render->bias = render->biases.count - 1;
}
