#include "gallium/drivers/radeonsi/resource/si_metadata.h"

#include "gallium/drivers/radeonsi/cs/si_cache.h"
#include "gallium/drivers/radeonsi/cs/si_sdma.h"
#include "gallium/drivers/radeonsi/cs/si_mutant.h"
#include "gallium/drivers/radeonsi/resource/si_dcc.h"
#include "gallium/drivers/radeonsi/resource/si_htile.h"
#include "gallium/drivers/radeonsi/meta/si_meta.h"
#include "util/macros.h"
#include "util/mutant.h"

static bool
level_metadata(const struct si_screen *screen, const struct si_resource *image, unsigned level, struct ac_meta *meta)
{
   return ac_meta_init(meta, image->metadata, screen->info.gen, screen->info.gb_addr_config,
                       &image->planes[SI_PLANE_MAIN], image->desc.width_px, image->desc.height_px, level);
}

bool
si_metadata_init(const struct si_screen *screen, struct si_resource *image, enum amd_meta_kind kind, uint64_t *size_B)
{
   struct ac_meta meta;

   image->metadata = kind;
   if (!level_metadata(screen, image, 0, &meta))
      return false;
   image->has_metadata = true;
   image->alignment_B = MAX2(image->alignment_B, meta.alignment_B);
   image->metadata_offset_B = align_up(*size_B, meta.alignment_B);
   image->metadata_slice_B = ac_meta_size_B(&meta, 1);
   *size_B = image->metadata_offset_B + align_up(ac_meta_size_B(&meta, image->desc.layers), meta.alignment_B);
   return true;
}

uint64_t
si_metadata_va(const struct si_resource *image)
{
   return image->has_metadata ? image->va + image->metadata_offset_B : 0;
}

uint64_t
si_metadata_of_level(const struct si_resource *image, unsigned level)
{
   return level < image->planes[SI_PLANE_MAIN].first_tail_level ? si_metadata_va(image) : 0;
}

void
si_metadata_finish(struct si_context *ctx)
{
   if (mutant("metadata-at-once"))
      return;
   si_wait_dma(ctx);
   if (si_is_sdma(ctx))
      return;
   if (ctx->ring == AMDGPU_WS_GFX)
      si_flush_graphics(ctx);
   si_wait_compute(ctx);
   si_invalidate_caches(ctx);
}

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
   /* SDMA has no masks, and the other aspect may not be its own: whoever acquires this one writes the words. */
   if (si_is_sdma(ctx))
      return;
   ac_buffer_descriptor(ctx->screen->info.raw_buffer_word3, va, (uint32_t)size_B, table.dst);
   si_meta_dispatch(ctx, SI_META_MERGE_WORDS, &table);
}

void
si_metadata_write(struct si_context *ctx, const struct si_resource *image, struct si_layers layers, uint32_t mask,
                  uint32_t value)
{
   struct ac_meta meta;

   if (!mask || !level_metadata(ctx->screen, image, layers.level, &meta))
      return;
   uint64_t va = si_metadata_va(image) + ((uint64_t)meta.first_block << meta.size_log2);

   /* One level or one layer: either way all in a row. */
   write_words(ctx, va + layers.first * image->metadata_slice_B,
               (uint64_t)meta.level_blocks * layers.count << meta.size_log2, mask, value);
}

static uint32_t
bits_of_aspects(const struct si_resource *image, uint32_t aspects)
{
   if (image->metadata == AMD_META_HTILE)
      return si_htile_bits(image, aspects);
   return aspects & PIPE_ASPECT_COLOR ? UINT32_MAX : 0;
}

static uint32_t
plain(const struct si_resource *image)
{
   return image->metadata == AMD_META_HTILE ? si_htile_plain(image) : SI_DCC_PLAIN;
}

/* Workgroups of the program hold whole blocks of what is compressed. */
static void
expand(struct si_context *ctx, const struct si_resource *image, enum si_plane plane, struct si_layers layers)
{
   struct si_meta_table table = {
      .size = {(uint32_t)align_up(si_level_width_px(image, layers.level), SI_META_EXPAND_PX),
               (uint32_t)align_up(si_level_height_px(image, layers.level), SI_META_EXPAND_PX), layers.count,
               image->desc.samples},
      .src_offset = {0, 0, (int32_t)layers.first},
      .dst_offset = {0, 0, (int32_t)layers.first},
   };

   si_mutate_struct(MUTANT_si_meta_table, SI_MUTANT_EXPAND, &table);
   si_meta_raw_image(ctx, image, plane, layers.level, false, table.src);
   si_meta_raw_image(ctx, image, plane, layers.level, true, table.dst);
   si_meta_dispatch(ctx, image->desc.samples > 1 ? SI_META_EXPAND_MS : SI_META_EXPAND, &table);
}

void
si_metadata_make_plain(struct si_context *ctx, const struct si_resource *image, uint32_t aspects,
                       struct si_layers layers, bool overwritten)
{
   uint32_t bits = bits_of_aspects(image, aspects);

   if (!si_metadata_of_level(image, layers.level) || !bits || mutant("never-plain"))
      return;
   si_metadata_finish(ctx);
   if (!overwritten && !mutant("not-expanded")) {
      if (aspects & (PIPE_ASPECT_COLOR | PIPE_ASPECT_DEPTH))
         expand(ctx, image, SI_PLANE_MAIN, layers);
      if (aspects & PIPE_ASPECT_STENCIL && image->stencil_in_htile)
         expand(ctx, image, SI_PLANE_STENCIL, layers);
      si_wait_compute(ctx);
   }
   si_metadata_write(ctx, image, layers, bits, plain(image));
   si_metadata_finish(ctx);
}

/* The block of the tail stands in front. */
static void
discard_level(struct si_context *ctx, const struct si_resource *image, unsigned level, uint32_t bits)
{
   struct ac_meta meta;

   if (si_metadata_of_level(image, level))
      si_metadata_write(ctx, image, (struct si_layers){level, 0, image->desc.layers}, bits, plain(image));
   else if (level_metadata(ctx->screen, image, 0, &meta))
      write_words(ctx, si_metadata_va(image), UINT64_C(1) << meta.size_log2, bits, plain(image));
}

static void
discard_range(struct si_context *ctx, const struct si_resource *image, const struct pipe_subresource_range *range)
{
   uint32_t bits = bits_of_aspects(image, range->aspects);

   /* The block of the tail, too: textures look there. */
   if (range->levels == image->desc.levels)
      write_words(ctx, si_metadata_va(image) + range->base_layer * image->metadata_slice_B,
                  range->layers * image->metadata_slice_B, bits, plain(image));
   for (unsigned i = 0; i < range->levels && range->levels < image->desc.levels; i++)
      discard_level(ctx, image, range->base_level + i, bits);
}

/* Whether a transfer queue, which cannot write the words of a single aspect, hands that over. */
static bool
is_from_sdma(const struct si_context *ctx, const struct pipe_image_barrier *barrier)
{
   const struct si_resource *image = si_resource(barrier->image);

   return barrier->src_family == AMDGPU_WS_SDMA && barrier->dst_family == (uint32_t)ctx->ring && !si_is_sdma(ctx) &&
          image->metadata == AMD_META_HTILE && image->stencil_in_htile;
}

/* An image that changes between queues of the device is discarded by the one that acquires it. */
static bool
is_discarded(const struct si_context *ctx, const struct pipe_image_barrier *barrier)
{
   const struct si_resource *image = si_resource(barrier->image);
   bool releases = barrier->src_family == (uint32_t)ctx->ring && barrier->dst_family != barrier->src_family &&
                   barrier->dst_family < AMDGPU_WS_RINGS;

   return ((barrier->discard && !releases) || is_from_sdma(ctx, barrier)) && image->has_metadata &&
          bits_of_aspects(image, barrier->range.aspects) && !mutant("not-discarded");
}

/* Is the image of barrier i among those before? Parts of it may share words. */
static bool
is_repeated(const struct si_context *ctx, const struct pipe_barrier *barrier, uint32_t i)
{
   for (uint32_t j = 0; j < i; j++) {
      if (barrier->images[j].image == barrier->images[i].image && is_discarded(ctx, &barrier->images[j]))
         return true;
   }
   return false;
}

/* No draw has come since the caches of the render backends were flushed. */
static void
finish_discards(struct si_context *ctx)
{
   if (mutant("metadata-at-once"))
      return;
   si_wait_dma(ctx);
   if (si_is_sdma(ctx))
      return;
   si_wait_compute(ctx);
   si_invalidate_caches(ctx);
}

bool
si_metadata_discard(struct si_context *ctx, const struct pipe_barrier *barrier)
{
   bool any = false;

   for (uint32_t i = 0; i < barrier->num_images; i++) {
      const struct pipe_image_barrier *change = &barrier->images[i];

      if (!is_discarded(ctx, change))
         continue;
      if (!any)
         si_metadata_finish(ctx);
      else if (is_repeated(ctx, barrier, i))
         finish_discards(ctx);
      discard_range(ctx, si_resource(change->image), &change->range);
      any = true;
   }
   if (any)
      finish_discards(ctx);
   return any;
}

void
si_metadata_hand_over(struct si_context *ctx, const struct pipe_barrier *barrier)
{
   for (uint32_t i = 0; i < barrier->num_images; i++) {
      const struct pipe_image_barrier *change = &barrier->images[i];
      const struct pipe_subresource_range *range = &change->range;

      if (change->dst_family != AMDGPU_WS_SDMA || change->src_family != (uint32_t)ctx->ring || change->discard)
         continue;
      for (unsigned level = 0; level < range->levels; level++)
         si_metadata_make_plain(ctx, si_resource(change->image), range->aspects,
                                (struct si_layers){range->base_level + level, range->base_layer, range->layers},
                                false);
   }
}
