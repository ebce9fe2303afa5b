#include "gallium/drivers/radeonsi/si_htile.h"

#include "amd/common/ac_format.h"
#include "amd/common/ac_htile.h"
#include "amd/hw/meta.h"
#include "gallium/drivers/radeonsi/si_cache.h"
#include "gallium/drivers/radeonsi/si_debug.h"
#include "gallium/drivers/radeonsi/si_meta.h"
#include "util/macros.h"

static bool
level_htile(const struct si_screen *screen, const struct si_resource *image, unsigned level, struct ac_htile *htile)
{
   return ac_htile_init(htile, screen->info.gen, screen->info.gb_addr_config, &image->planes[SI_PLANE_MAIN],
                        image->desc.width_px, image->desc.height_px, level);
}

static bool
wants_htile(const struct si_screen *screen, const struct pipe_image_desc *desc)
{
   return screen->info.htile && !si_debug(SI_DEBUG_NOHTILE) && ac_format_depth(desc->format) && !desc->linear &&
          !desc->shared && desc->usage & PIPE_USAGE_DEPTH_STENCIL && desc->samples == 1 &&
          desc->width_px >= AC_HTILE_TILE_PX && desc->height_px >= AC_HTILE_TILE_PX &&
          (desc->levels == 1 || desc->layers == 1);
}

void
si_htile_init(const struct si_screen *screen, struct si_resource *image, uint64_t *size_B)
{
   struct ac_htile htile;

   if (!wants_htile(screen, &image->desc) || !level_htile(screen, image, 0, &htile))
      return;
   uint32_t alignment_B = 1u << htile.pattern->size_log2;

   image->has_htile = true;
   image->stencil_in_htile = image->plane_format[SI_PLANE_STENCIL] && image->desc.levels == 1;
   image->alignment_B = MAX2(image->alignment_B, alignment_B);
   image->htile_offset_B = align_up(*size_B, alignment_B);
   image->htile_slice_B = ac_htile_size_B(&htile, 1);
   image->clear_depths_offset_B = image->htile_offset_B + ac_htile_size_B(&htile, image->desc.layers);
   *size_B = image->clear_depths_offset_B + 4 * image->desc.levels;
}

uint64_t
si_htile_of_level(const struct si_resource *image, unsigned level)
{
   return image->has_htile && level < image->planes[SI_PLANE_MAIN].first_tail_level
             ? image->va + image->htile_offset_B
             : 0;
}

uint64_t
si_clear_depth_va(const struct si_resource *image, unsigned level)
{
   return image->va + image->clear_depths_offset_B + 4 * level;
}

uint64_t
si_htile_of_plane(const struct si_resource *image, enum si_plane plane)
{
   return image->has_htile && (plane == SI_PLANE_MAIN || image->stencil_in_htile) ? image->va + image->htile_offset_B
                                                                                  : 0;
}

/* All that ran before has ended, and what it wrote can be read. */
static void
finish(struct si_context *ctx)
{
   si_wait_dma(ctx);
   if (ctx->ring == AMDGPU_WS_GFX)
      si_flush_graphics(ctx);
   si_wait_compute(ctx);
   si_invalidate_caches(ctx);
}

/* The bits of `mask` of dwords become those of value. */
static void
write_words(struct si_context *ctx, uint64_t va, uint64_t size_B, uint32_t mask, uint32_t value)
{
   enum { ROW = 256 };
   struct si_meta_table table = {
      .size = {ROW, (uint32_t)(size_B / 4 / ROW), 1}, .src = {~mask, value & mask}, .src_pitch_el = {ROW}};

   if (mask == UINT32_MAX) {
      si_dma_fill(ctx, va, size_B, value);
      return;
   }
   ac_buffer_descriptor(ctx->screen->info.raw_buffer_word3, va, (uint32_t)size_B, table.dst);
   si_meta_dispatch(ctx, SI_META_MERGE_WORDS, &table);
}

static uint32_t
bits_of_aspects(const struct si_resource *image, uint32_t aspects)
{
   uint32_t bits = 0;

   if (!image->stencil_in_htile)
      return aspects & PIPE_ASPECT_DEPTH ? UINT32_MAX : 0;
   bits |= aspects & PIPE_ASPECT_DEPTH ? AC_HTILE_DEPTH_BITS : 0;
   bits |= aspects & PIPE_ASPECT_STENCIL ? AC_HTILE_STENCIL_BITS : 0;
   return bits;
}

/* Tiles of layers of a level. */
static void
write_level(struct si_context *ctx, const struct si_resource *image, unsigned level, unsigned first_layer,
            unsigned layers, uint32_t bits, uint32_t value)
{
   struct ac_htile htile;

   if (!bits || !level_htile(ctx->screen, image, level, &htile))
      return;
   uint64_t va = si_htile_of_level(image, level) + ((uint64_t)htile.first_block << htile.pattern->size_log2);

   /* One level or one layer: either way all in a row. */
   write_words(ctx, va + first_layer * image->htile_slice_B,
               (uint64_t)htile.level_blocks * layers << htile.pattern->size_log2, bits, value);
}

static void
expand(struct si_context *ctx, const struct si_resource *image, enum si_plane plane, unsigned level,
       unsigned first_layer, unsigned layers)
{
   struct si_meta_table table = {
      .size = {(uint32_t)align_up(si_level_width_px(image, level), AC_HTILE_TILE_PX),
               (uint32_t)align_up(si_level_height_px(image, level), AC_HTILE_TILE_PX), layers},
      .src_offset = {0, 0, (int32_t)first_layer},
      .dst_offset = {0, 0, (int32_t)first_layer},
   };

   si_meta_raw_image(ctx, image, plane, level, false, table.src);
   si_meta_raw_image(ctx, image, plane, level, true, table.dst);
   si_meta_dispatch(ctx, SI_META_EXPAND, &table);
}

void
si_htile_make_plain(struct si_context *ctx, const struct si_resource *image, uint32_t aspects, unsigned level,
                    unsigned first_layer, unsigned layers, bool overwritten)
{
   uint32_t bits = bits_of_aspects(image, aspects);

   if (!si_htile_of_level(image, level) || !bits)
      return;
   finish(ctx);
   if (!overwritten) {
      if (aspects & PIPE_ASPECT_DEPTH)
         expand(ctx, image, SI_PLANE_MAIN, level, first_layer, layers);
      if (aspects & PIPE_ASPECT_STENCIL && image->stencil_in_htile)
         expand(ctx, image, SI_PLANE_STENCIL, level, first_layer, layers);
      si_wait_compute(ctx);
   }
   write_level(ctx, image, level, first_layer, layers, bits, ac_htile_plain(image->stencil_in_htile));
   finish(ctx);
}

uint32_t
si_htile_clear(struct si_context *ctx, const struct si_resource *image, unsigned level, uint32_t aspects, float depth,
               uint8_t stencil)
{
   uint32_t done = 0, clear_depth = float_bits(depth);

   if (!si_htile_of_level(image, level))
      return aspects;
   if (depth == 0 || depth == 1)
      done |= aspects & PIPE_ASPECT_DEPTH;
   if (image->stencil_in_htile && stencil == 0)
      done |= aspects & PIPE_ASPECT_STENCIL;
   if (!done)
      return aspects;
   finish(ctx);
   write_level(ctx, image, level, 0, image->desc.layers, bits_of_aspects(image, done),
               ac_htile_clear(image->stencil_in_htile, depth == 1));
   if (done & PIPE_ASPECT_DEPTH)
      si_write_ahead(ctx, si_clear_depth_va(image, level), &clear_depth, 1);
   finish(ctx);
   si_mark_dirty(ctx, SI_ATOM_FRAMEBUFFER);
   return aspects & ~done;
}

/* The block of the tail stands in front. */
static void
discard_level(struct si_context *ctx, const struct si_resource *image, unsigned level, uint32_t bits, uint32_t plain)
{
   struct ac_htile htile;

   if (si_htile_of_level(image, level))
      write_level(ctx, image, level, 0, image->desc.layers, bits, plain);
   else if (level_htile(ctx->screen, image, 0, &htile))
      write_words(ctx, image->va + image->htile_offset_B, UINT64_C(1) << htile.pattern->size_log2, bits, plain);
}

static void
discard_image(struct pipe_context *pipe, struct pipe_resource *handle, const struct pipe_subresource_range *range)
{
   struct si_context *ctx = si_context(pipe);
   const struct si_resource *image = si_resource(handle);
   uint32_t bits = bits_of_aspects(image, range->aspects), plain = ac_htile_plain(image->stencil_in_htile);

   if (!image->has_htile || !bits)
      return;
   finish(ctx);
   /* The block of the tail, too: textures look there. */
   if (range->levels == image->desc.levels)
      write_words(ctx, image->va + image->htile_offset_B + range->base_layer * image->htile_slice_B,
                  range->layers * image->htile_slice_B, bits, plain);
   for (unsigned i = 0; i < range->levels && range->levels < image->desc.levels; i++)
      discard_level(ctx, image, range->base_level + i, bits, plain);
   finish(ctx);
}

void
si_init_htile(struct si_context *ctx)
{
   ctx->base.discard_image = discard_image;
}
