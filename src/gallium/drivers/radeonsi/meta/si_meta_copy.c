/* Copies between buffers and images. Buffers and linear images are copied by the command processor, row by row; tiled
 * images by compute shaders, on transfer queues all by SDMA. Also results of queries. */
#include <assert.h>
#include <string.h>

#include "amd/common/ac_format.h"
#include "gallium/drivers/radeonsi/cs/si_sdma.h"
#include "gallium/drivers/radeonsi/meta/si_meta.h"
#include "gallium/drivers/radeonsi/resource/si_metadata.h"
#include "util/format.h"
#include "util/macros.h"

static void
copy_buffer(struct pipe_context *pipe, struct pipe_resource *src, struct pipe_resource *dst,
            const struct pipe_buffer_copy *region)
{
   si_dma_copy(si_context(pipe), si_resource(dst)->va + region->dst_offset_B,
               si_resource(src)->va + region->src_offset_B, region->size_B);
}

static void
copy_indirect(struct pipe_context *pipe, const struct pipe_indirect_copies *copies)
{
   const uint32_t most = 1 << 18; /* of one dispatch: groups along y, of 8 each, are 65,535 at most */

   for (uint32_t first = 0; first < copies->count; first += most) {
      const uint64_t va = copies->va + (uint64_t)first * copies->stride_B;
      const struct si_meta_table table = {.src = {(uint32_t)va, (uint32_t)(va >> 32), copies->stride_B},
                                          .size = {SI_META_COPY_LANES, MIN2(copies->count - first, most), 1, 0}};

      si_meta_dispatch(si_context(pipe), SI_META_COPY_INDIRECT, &table);
   }
}

static void
fill_buffer(struct pipe_context *pipe, struct pipe_resource *dst, uint64_t offset_B, uint64_t size_B, uint32_t value)
{
   si_dma_fill(si_context(pipe), si_resource(dst)->va + offset_B, size_B, value);
}

static void
update_buffer(struct pipe_context *pipe, struct pipe_resource *dst, uint64_t offset_B, uint64_t size_B,
              const void *data)
{
   struct si_context *ctx = si_context(pipe);

   for (uint64_t at = 0; at < size_B;) {
      uint32_t piece_B = (uint32_t)MIN2(size_B - at, AUX_CHUNK_B / 2);
      uint64_t va;

      memcpy(si_upload_alloc(ctx, piece_B / 4, 4, &va), (const char *)data + at, piece_B);
      si_dma_copy(ctx, si_resource(dst)->va + offset_B + at, va, piece_B);
      at += piece_B;
   }
}

static const uint8_t identity[4] = {V_SQ_SEL_X, V_SQ_SEL_Y, V_SQ_SEL_Z, V_SQ_SEL_W};

/* A box of elements (texels or compressed blocks) in one plane and level of an image. */
struct box {
   const struct si_resource *image;
   const struct ac_surface *surface;
   enum si_plane plane;
   unsigned level;
   uint32_t x_el, y_el, slice;
};

static struct box
box_of(const struct si_resource *image, const struct pipe_subresource *subresource, struct pipe_offset offset)
{
   enum si_plane plane = si_plane_of_aspect(subresource->aspects);
   const struct format_info *info = format_info(image->plane_format[plane]);
   bool is_3d = image->desc.type == PIPE_IMAGE_3D;

   return (struct box){
      .image = image,
      .surface = &image->planes[plane],
      .plane = plane,
      .level = subresource->level,
      .x_el = (uint32_t)offset.x / info->block_width_el,
      .y_el = (uint32_t)offset.y / info->block_height_el,
      .slice = is_3d ? (uint32_t)offset.z : subresource->base_layer,
   };
}

struct extent_el {
   uint32_t width, height, slices;
};

/* Of a region of an image: 3D images count depth, others layers. */
static struct extent_el
extent_of(const struct si_resource *image, enum si_plane plane, struct pipe_extent extent, uint32_t layers)
{
   const struct format_info *info = format_info(image->plane_format[plane]);

   return (struct extent_el){
      .width = (uint32_t)div_round_up(extent.width, info->block_width_el),
      .height = (uint32_t)div_round_up(extent.height, info->block_height_el),
      .slices = image->desc.type == PIPE_IMAGE_3D ? extent.depth : layers,
   };
}

static uint64_t
slice_va(const struct box *box, uint32_t slice)
{
   return si_plane_va(box->image, box->plane) +
          ac_surface_offset_B(box->surface, box->level, box->x_el, box->y_el, box->slice + slice, 0);
}

static uint64_t
pitch_B(const struct box *box)
{
   return (uint64_t)box->surface->levels[box->level].pitch_el << box->surface->element_log2;
}

/* Where rows begin. */
struct rows {
   uint64_t va, pitch_B;
};

static struct rows
rows_of(const struct box *box, uint32_t slice)
{
   return (struct rows){slice_va(box, slice), pitch_B(box)};
}

/* Between two places; a run of whole rows goes in one piece. */
static void
copy_rows(struct si_context *ctx, struct rows dst, struct rows src, uint64_t row_B, uint32_t rows)
{
   if (dst.pitch_B == row_B && src.pitch_B == row_B) {
      si_dma_copy(ctx, dst.va, src.va, row_B * rows);
      return;
   }
   for (uint32_t row = 0; row < rows; row++)
      si_dma_copy(ctx, dst.va + row * dst.pitch_B, src.va + row * src.pitch_B, row_B);
}

static bool
is_compressed(const struct box *box)
{
   return format_info(box->image->plane_format[box->plane])->compression;
}

/* A descriptor shows one slice of the box. */
static bool
is_single(const struct box *box)
{
   return is_compressed(box) && !si_blocks_have_layers(box->image, box->level);
}

/* The same, without its first slices. */
static struct box
skip_slices(const struct box *from, uint32_t slices)
{
   struct box box = *from;

   box.slice += slices;
   return box;
}

/* The descriptor of a box's level in a format of its elements' size; offset: where the box begins in it. */
static void
describe_box(const struct si_context *ctx, struct box box, uint32_t format, bool stores, uint32_t words[8],
             int32_t offset[3])
{
   const struct si_resource *image = box.image;
   unsigned level = box.level, layer = box.slice;
   struct si_resource blocks;

   if (is_compressed(&box)) {
      bool ok = si_image_of_blocks(image, image->desc.format, &level, &layer, &blocks);

      assert(ok && "images whose levels have no views of blocks are too large to be created");
      image = &blocks;
   }
   const struct si_plane_view view = {.image = image,
                                      .plane = box.plane,
                                      .level = level,
                                      .format = format,
                                      .select = {V_SQ_SEL_X, V_SQ_SEL_Y, V_SQ_SEL_Z, V_SQ_SEL_W},
                                      .stores = stores};

   si_plane_descriptor(ctx->screen->info.gen, &view, words);
   offset[0] = (int32_t)box.x_el;
   offset[1] = (int32_t)box.y_el;
   offset[2] = (int32_t)layer;
}

static uint32_t
aspect_of(const struct box *box)
{
   if (box->image->metadata == AMD_META_DCC)
      return PIPE_ASPECT_COLOR;
   return box->plane == SI_PLANE_STENCIL ? PIPE_ASPECT_STENCIL : PIPE_ASPECT_DEPTH;
}

static struct si_layers
layers_of(const struct box *box, const struct extent_el *extent)
{
   return (struct si_layers){box->level, box->slice, extent->slices};
}

/* Before stores to the box. */
static void
open_box(struct si_context *ctx, const struct box *box, const struct extent_el *extent)
{
   const struct si_resource *image = box->image;
   bool whole = extent->width == si_level_width_px(image, box->level) &&
                extent->height == si_level_height_px(image, box->level);

   si_metadata_make_plain(ctx, image, aspect_of(box), layers_of(box, extent), whole);
}

/* Where rows and slices of a region lie in a buffer. */
struct buffer_rows {
   uint64_t va, row_B, slice_B;
};

static struct buffer_rows
buffer_rows(const struct si_resource *buffer, const struct si_resource *image, enum si_plane plane,
            const struct pipe_buffer_image_copy *region)
{
   const struct format_info *info = format_info(image->plane_format[plane]);
   uint32_t width = region->row_length_px ? region->row_length_px : region->extent.width;
   uint32_t height = region->image_height_px ? region->image_height_px : region->extent.height;
   struct buffer_rows rows = {.va = buffer->va + region->offset_B};

   rows.row_B = div_round_up(width, info->block_width_el) * info->block_size_B;
   rows.slice_B = div_round_up(height, info->block_height_el) * rows.row_B;
   return rows;
}

/* ---- by SDMA ---- */

static struct si_sdma_tiled
tiled_place(const struct box *box, uint32_t slice)
{
   return (struct si_sdma_tiled){si_plane_va(box->image, box->plane),
                                 box->surface,
                                 box->image->desc.type == PIPE_IMAGE_3D,
                                 box->level,
                                 box->x_el,
                                 box->y_el,
                                 box->slice + slice};
}

static struct si_sdma_rows
sdma_rows(struct rows rows)
{
   return (struct si_sdma_rows){rows.va, rows.pitch_B};
}

static uint64_t
sample_va(const struct box *box, uint32_t slice, uint32_t x, uint32_t y, uint32_t sample)
{
   return si_plane_va(box->image, box->plane) +
          ac_surface_offset_B(box->surface, box->level, box->x_el + x, box->y_el + y, box->slice + slice, sample);
}

/* The packets know no samples: each is copied for itself, those that lie one after another in one piece. */
static void
copy_samples(struct si_context *ctx, const struct box *src, const struct box *dst, const struct extent_el *extent)
{
   const uint32_t element_B = 1u << src->surface->element_log2, samples = 1u << src->surface->samples_log2;
   const uint64_t count = (uint64_t)extent->slices * extent->height * extent->width * samples;
   uint64_t from = 0, to = 0, size_B = 0;

   for (uint64_t i = 0; i < count; i++) {
      const uint32_t x = (uint32_t)(i / samples % extent->width);
      const uint32_t y = (uint32_t)(i / samples / extent->width % extent->height);
      const uint32_t slice = (uint32_t)(i / samples / extent->width / extent->height);
      const uint64_t next_from = sample_va(src, slice, x, y, (uint32_t)(i % samples));
      const uint64_t next_to = sample_va(dst, slice, x, y, (uint32_t)(i % samples));

      if (size_B && (next_from != from + size_B || next_to != to + size_B)) {
         si_dma_copy(ctx, to, from, size_B);
         size_B = 0;
      }
      from = size_B ? from : next_from;
      to = size_B ? to : next_to;
      size_B += element_B;
   }
   si_dma_copy(ctx, to, from, size_B);
}

static void
sdma_copy_image(struct si_context *ctx, const struct box *src, const struct box *dst, const struct extent_el *extent)
{
   if (src->surface->samples_log2) {
      copy_samples(ctx, src, dst, extent);
      return;
   }
   for (uint32_t slice = 0; slice < extent->slices; slice++) {
      const struct si_sdma_tiled from = tiled_place(src, slice), to = tiled_place(dst, slice);
      struct si_sdma_rows rows;

      if (src->surface->equation && dst->surface->equation) {
         si_sdma_copy_tiled(ctx, &to, &from, extent->width, extent->height);
         continue;
      }
      rows = sdma_rows(rows_of(src->surface->equation ? dst : src, slice));
      si_sdma_copy_rows(ctx, src->surface->equation ? &from : &to, &rows, extent->width, extent->height,
                        dst->surface->equation);
   }
}

static void
sdma_copy_buffer(struct si_context *ctx, const struct box *box, const struct buffer_rows *rows,
                 const struct extent_el *extent, bool to_image)
{
   for (uint32_t slice = 0; slice < extent->slices; slice++) {
      const struct si_sdma_tiled tiled = tiled_place(box, slice);
      const struct si_sdma_rows linear = {rows->va + slice * rows->slice_B, rows->row_B};

      si_sdma_copy_rows(ctx, &tiled, &linear, extent->width, extent->height, to_image);
   }
}

/* ---- by dispatches ---- */

static void
copy_tiled_image(struct si_context *ctx, const struct box *src, const struct box *dst, const struct extent_el *extent)
{
   bool single = is_single(src) || is_single(dst);
   uint32_t format = si_meta_plane_format(src->image, src->plane);
   unsigned samples = 1u << src->surface->samples_log2;

   open_box(ctx, dst, extent);
   for (uint32_t slice = 0; slice < (single ? extent->slices : 1); slice++) {
      struct si_meta_table table = {.size = {extent->width, extent->height, single ? 1 : extent->slices, samples}};

      describe_box(ctx, skip_slices(src, slice), format, false, table.src, table.src_offset);
      describe_box(ctx, skip_slices(dst, slice), format, true, table.dst, table.dst_offset);
      si_meta_dispatch(ctx, samples > 1 ? SI_META_COPY_IMAGE_MS : SI_META_COPY_IMAGE, &table);
   }
}

static void
copy_image_plane(struct si_context *ctx, struct si_resource *src, struct si_resource *dst,
                 const struct pipe_image_copy *region, uint32_t aspect)
{
   struct pipe_subresource src_sub = region->src, dst_sub = region->dst;

   /* A region of one aspect on both sides may name planes of different kinds. */
   src_sub.aspects = aspect;
   dst_sub.aspects = region->dst.aspects == region->src.aspects ? aspect : region->dst.aspects;
   struct box from = box_of(src, &src_sub, region->src_offset), to = box_of(dst, &dst_sub, region->dst_offset);
   struct extent_el extent = extent_of(src, from.plane, region->extent, src_sub.layers);

   /* Between a 3D image and an array, depth and layers stand for each other. */
   extent.slices = MAX2(extent.slices, dst->desc.type == PIPE_IMAGE_3D ? region->extent.depth : 1);
   if (from.surface->equation || to.surface->equation) {
      if (si_is_sdma(ctx))
         sdma_copy_image(ctx, &from, &to, &extent);
      else
         copy_tiled_image(ctx, &from, &to, &extent);
      return;
   }
   for (uint32_t slice = 0; slice < extent.slices; slice++)
      copy_rows(ctx, rows_of(&to, slice), rows_of(&from, slice), (uint64_t)extent.width << from.surface->element_log2,
                extent.height);
}

static void
copy_image(struct pipe_context *pipe, struct pipe_resource *src, struct pipe_resource *dst,
           const struct pipe_image_copy *region)
{
   for (uint32_t aspects = region->src.aspects; aspects; aspects &= aspects - 1)
      copy_image_plane(si_context(pipe), si_resource(src), si_resource(dst), region, aspects & -aspects);
}

static void
copy_tiled_buffer(struct si_context *ctx, const struct box *box, const struct buffer_rows *rows,
                  const struct extent_el *extent, bool to_image)
{
   uint32_t format = si_meta_plane_format(box->image, box->plane);
   bool plain = to_image;
   uint32_t element_B = 1u << box->surface->element_log2, slices = is_single(box) ? 1 : extent->slices;
   struct ac_typed_buffer buffer = {.size_B = (uint32_t)MIN2(rows->slice_B * slices, UINT32_MAX),
                                    .stride_B = element_B,
                                    .element_B = element_B,
                                    .select = identity};

   /* Packed 16 bits are no format of buffers. */
   if (!to_image && !ac_format_buffer(box->image->desc.format) && box->image->has_metadata &&
       box->image->metadata == AMD_META_DCC) {
      si_metadata_make_plain(ctx, box->image, PIPE_ASPECT_COLOR, layers_of(box, extent), false);
      plain = true;
   }
   if (plain && box->image->metadata == AMD_META_DCC)
      format = si_meta_raw_format(box->surface->element_log2);
   buffer.format = format;
   if (to_image)
      open_box(ctx, box, extent);
   for (uint32_t slice = 0; slice < extent->slices; slice += slices) {
      struct si_meta_table table = {
         .size = {extent->width, extent->height, slices, 1},
         .src_pitch_el = {(uint32_t)(rows->row_B / element_B), (uint32_t)(rows->slice_B / element_B)},
      };

      buffer.va = rows->va + slice * rows->slice_B;
      describe_box(ctx, skip_slices(box, slice), format, plain, to_image ? table.dst : table.src,
                   to_image ? table.dst_offset : table.src_offset);
      ac_typed_buffer_descriptor(ctx->screen->info.gen, &buffer, to_image ? table.src : table.dst);
      si_meta_dispatch(ctx, to_image ? SI_META_BUFFER_TO_IMAGE : SI_META_IMAGE_TO_BUFFER, &table);
   }
}

static void
copy_buffer_region(struct si_context *ctx, struct si_resource *buffer, struct si_resource *image,
                   const struct pipe_buffer_image_copy *region, bool to_image)
{
   struct box box = box_of(image, &region->image, region->offset);
   struct extent_el extent = extent_of(image, box.plane, region->extent, region->image.layers);
   struct buffer_rows rows = buffer_rows(buffer, image, box.plane, region);
   uint64_t row_B = (uint64_t)extent.width << box.surface->element_log2;

   if (box.surface->equation) {
      if (si_is_sdma(ctx))
         sdma_copy_buffer(ctx, &box, &rows, &extent, to_image);
      else
         copy_tiled_buffer(ctx, &box, &rows, &extent, to_image);
      return;
   }
   for (uint32_t slice = 0; slice < extent.slices; slice++) {
      struct rows in_image = rows_of(&box, slice), in_buffer = {rows.va + slice * rows.slice_B, rows.row_B};

      if (to_image)
         copy_rows(ctx, in_image, in_buffer, row_B, extent.height);
      else
         copy_rows(ctx, in_buffer, in_image, row_B, extent.height);
   }
}

static void
copy_buffer_to_image(struct pipe_context *pipe, struct pipe_resource *src, struct pipe_resource *dst,
                     const struct pipe_buffer_image_copy *region)
{
   copy_buffer_region(si_context(pipe), si_resource(src), si_resource(dst), region, true);
}

static void
copy_image_to_buffer(struct pipe_context *pipe, struct pipe_resource *src, struct pipe_resource *dst,
                     const struct pipe_buffer_image_copy *region)
{
   copy_buffer_region(si_context(pipe), si_resource(dst), si_resource(src), region, false);
}

void
si_meta_copy_queries(struct si_context *ctx, const struct si_query_pool *pool, const struct pipe_query_copy *copy)
{
   uint32_t value_mask = copy->values;
   bool statistics = pool->num_values;
   uint32_t values = statistics ? (uint32_t)__builtin_popcount(value_mask) : 1, result_B = copy->result_64 ? 8 : 4;
   uint32_t last_B = (values + copy->with_availability) * result_B;
   struct {
      struct si_meta_table table;
      uint32_t order[PIPE_STATISTICS];
   } in = {
      .table =
         {
            .size = {copy->count, values, 1, statistics ? 1 : pool->pairs},
            .src_pitch_el = {pool->slot_B, pool->pair_step_B, pool->end_offset_B, pool->available_offset_B},
            .dst_offset = {(int32_t)copy->stride_B, (int32_t)result_B,
                           copy->with_availability ? (int32_t)(values * result_B) : -1, copy->partial},
         },
   };

   if (!copy->count)
      return;
   ac_buffer_descriptor(ctx->screen->info.raw_buffer_word3, pool->bo->va + (uint64_t)copy->first * pool->slot_B,
                        copy->count * pool->slot_B, in.table.src);
   ac_buffer_descriptor(ctx->screen->info.raw_buffer_word3, si_resource(copy->dst)->va + copy->offset_B,
                        (uint32_t)((copy->count - 1) * copy->stride_B + last_B), in.table.dst);
   for (unsigned i = 0; value_mask && statistics; value_mask &= value_mask - 1)
      in.order[i++] = pool->order[__builtin_ctz(value_mask)];
   si_meta_dispatch_words(ctx, SI_META_COPY_QUERIES, &in.table, sizeof(in) / 4);
}

void
si_init_meta_copy(struct si_context *ctx)
{
   ctx->base.copy_buffer = copy_buffer;
   ctx->base.copy_indirect = copy_indirect;
   ctx->base.fill_buffer = fill_buffer;
   ctx->base.update_buffer = update_buffer;
   ctx->base.copy_image = copy_image;
   ctx->base.copy_buffer_to_image = copy_buffer_to_image;
   ctx->base.copy_image_to_buffer = copy_image_to_buffer;
}
