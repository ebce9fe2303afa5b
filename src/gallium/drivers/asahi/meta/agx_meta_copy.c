/* Copies between buffers and images, and fills. */
#include <string.h>

#include "gallium/drivers/asahi/meta/agx_compression.h"
#include "gallium/drivers/asahi/resource/agx_format.h"
#include "gallium/drivers/asahi/meta/agx_meta.h"
#include "util/format.h"
#include "util/macros.h"

/* Bytes that a dispatch of the programs for buffers goes over: its numbers have 32 bits. */
#define PIECE_B (UINT64_C(1) << 30)

void
agx_meta_fill_layers(struct agx_context *ctx, const struct agx_meta_layers *dst, const uint32_t value[4])
{
   for (uint64_t at = 0; at < dst->size_B; at += PIECE_B) {
      uint32_t words = (uint32_t)(MIN2(dst->size_B - at, PIECE_B) / 4);
      struct agx_meta_table table = {
         .dst = {.va = dst->va + at, .layer_B = dst->stride_B},
         .size = {(uint32_t)div_round_up(words, 4), dst->layers, 1},
         .number = {words},
      };

      memcpy(table.value, value, 16);
      if (words)
         agx_meta_dispatch(ctx, AGX_META_FILL, &table);
   }
}

void
agx_meta_fill(struct agx_context *ctx, uint64_t va, uint64_t size_B, uint32_t value)
{
   const struct agx_meta_layers all = {.va = va, .size_B = size_B, .layers = 1};

   agx_meta_fill_layers(ctx, &all, (const uint32_t[4]){value, value, value, value});
}

static void
copy_piece(struct agx_context *ctx, uint64_t dst_va, uint64_t src_va, uint32_t size_B)
{
   uint32_t words = (dst_va | src_va) % 4 ? 0 : size_B / 4, bytes = size_B - 4 * words;
   struct agx_meta_table table = {.dst.va = dst_va, .src.va = src_va};

   if (words) {
      table.size[0] = (uint32_t)div_round_up(words, 4);
      table.size[1] = table.size[2] = 1;
      table.number[0] = words;
      agx_meta_dispatch(ctx, AGX_META_COPY_WORDS, &table);
   }
   if (bytes) {
      table.dst.va += 4 * words;
      table.src.va += 4 * words;
      table.size[0] = bytes;
      table.size[1] = table.size[2] = 1;
      agx_meta_dispatch(ctx, AGX_META_COPY_BYTES, &table);
   }
}

void
agx_meta_copy(struct agx_context *ctx, uint64_t dst_va, uint64_t src_va, uint64_t size_B)
{
   for (uint64_t at = 0; at < size_B; at += PIECE_B)
      copy_piece(ctx, dst_va + at, src_va + at, (uint32_t)MIN2(size_B - at, PIECE_B));
}

static void
copy_buffer(struct pipe_context *pipe, struct pipe_resource *src, struct pipe_resource *dst,
            const struct pipe_buffer_copy *region)
{
   agx_meta_copy(agx_context(pipe), agx_resource(dst)->va + region->dst_offset_B,
                 agx_resource(src)->va + region->src_offset_B, region->size_B);
}

static void
copy_indirect(struct pipe_context *pipe, const struct pipe_indirect_copies *copies)
{
   const struct agx_meta_table table = {
      .src = {.va = copies->va}, .size = {AGX_META_COPY_LANES, copies->count, 1}, .number = {copies->stride_B}};

   if (copies->count)
      agx_meta_dispatch(agx_context(pipe), AGX_META_COPY_INDIRECT, &table);
}

static void
fill_buffer(struct pipe_context *pipe, struct pipe_resource *dst, uint64_t offset_B, uint64_t size_B, uint32_t value)
{
   agx_meta_fill(agx_context(pipe), agx_resource(dst)->va + offset_B, size_B, value);
}

static void
update_buffer(struct pipe_context *pipe, struct pipe_resource *dst, uint64_t offset_B, uint64_t size_B,
              const void *data)
{
   struct agx_context *ctx = agx_context(pipe);

   for (uint64_t at = 0; at < size_B;) {
      uint32_t piece_B = (uint32_t)MIN2(size_B - at, AUX_CHUNK_B / 2);
      uint64_t va;

      memcpy(agx_upload_alloc(ctx, piece_B, 16, &va), (const char *)data + at, piece_B);
      agx_meta_copy(ctx, agx_resource(dst)->va + offset_B + at, va, piece_B);
      at += piece_B;
   }
}

/* ---- images ---- */

struct agx_meta_side
agx_meta_side(const struct agx_resource *image, enum agx_plane plane, unsigned level, unsigned x_el, unsigned y_el,
              unsigned layer)
{
   const struct ail_layout *layout = &image->planes[plane];
   uint32_t words[5];

   agx_level_words(image, plane, level, 0, words);
   return (struct agx_meta_side){
      .va = words[0] | (uint64_t)words[1] << 32,
      .layer_B = (uint64_t)words[2] * AIL_CACHE_LINE_B,
      .tiles = words[3],
      .row_B = layout->stride_B,
      .x_el = x_el,
      .y_el = y_el,
      .layer = layer,
      .level = words[4],
   };
}

/* Where a region begins in one plane, in elements: texels or compressed blocks. */
static struct agx_meta_side
side_of(const struct agx_resource *image, enum agx_plane plane, const struct pipe_subresource *subresource,
        struct pipe_offset offset)
{
   const struct format_info *info = format_info(image->plane_format[plane]);
   bool is_3d = image->desc.type == PIPE_IMAGE_3D;

   return agx_meta_side(image, plane, subresource->level, (uint32_t)offset.x / info->block_width_el,
                        (uint32_t)offset.y / info->block_height_el,
                        is_3d ? (uint32_t)offset.z : subresource->base_layer);
}

/* Size of a region of an image: 3D images count depth, others layers. */
static void
set_size(struct agx_meta_table *table, const struct agx_resource *image, enum agx_plane plane,
         struct pipe_extent extent, uint32_t layers)
{
   const struct format_info *info = format_info(image->plane_format[plane]);

   table->size[0] = (uint32_t)div_round_up(extent.width, info->block_width_el);
   table->size[1] = (uint32_t)div_round_up(extent.height, info->block_height_el);
   table->size[2] = image->desc.type == PIPE_IMAGE_3D ? extent.depth : layers;
}

static unsigned
element_log2(const struct agx_resource *image, enum agx_plane plane)
{
   return log2_floor(image->planes[plane].element_B);
}

/* Elements of many samples are copied in parts. */
static void
copy_elements(struct agx_context *ctx, struct agx_meta_table *table, unsigned size_log2)
{
   unsigned program_log2 = MIN2(size_log2, AGX_META_SIZES - 1u);

   table->parts_log2 = size_log2 - program_log2;
   table->size[0] <<= table->parts_log2;
   if (table->size[0] && table->size[1] && table->size[2])
      agx_meta_dispatch(ctx, AGX_META_COPY + program_log2, table);
}

/* The pixels of a region in one plane. */
static struct agx_level_box
box_of(const struct agx_resource *image, const struct pipe_subresource *subresource, struct pipe_offset offset,
       struct pipe_extent extent, uint32_t layers)
{
   bool is_3d = image->desc.type == PIPE_IMAGE_3D;

   return (struct agx_level_box){
      .level = subresource->level,
      .x = (uint32_t)offset.x,
      .y = (uint32_t)offset.y,
      .width = extent.width,
      .height = extent.height,
      .layer = is_3d ? (uint32_t)offset.z : subresource->base_layer,
      .layers = layers,
   };
}

/* What is turned in memory comes out as the application knows it, and goes in as it lies. */
static uint32_t
turn_between(const struct agx_resource *src, const struct agx_resource *dst)
{
   return (uint32_t)((src ? src->turned_bits : 0) - (dst ? dst->turned_bits : 0)) & 15;
}

/* From a level of an image, whether it is compressed or not. */
static void
copy_from_image(struct agx_context *ctx, struct agx_meta_table *table, const struct agx_resource *image,
                enum agx_plane plane, unsigned level)
{
   const struct ail_layout *layout = &image->planes[plane];
   uint32_t texture[6];

   if (!agx_level_is_compressed(image, plane, level)) {
      copy_elements(ctx, table, element_log2(image, plane));
      return;
   }
   agx_compressed_texels(image, plane, level, table, texture);
   table->parts_log2 = layout->samples_log2;
   table->size[0] <<= table->parts_log2;
   if (table->size[0] && table->size[1] && table->size[2])
      agx_meta_dispatch_texture(ctx, layout->samples_log2 ? AGX_META_LOAD_SAMPLES : AGX_META_LOAD, table, texture);
}

static void
copy_image_plane(struct agx_context *ctx, struct agx_resource *src, struct agx_resource *dst,
                 const struct pipe_image_copy *region, uint32_t aspect)
{
   /* A region of single aspects on both sides may name planes of different kinds. */
   enum agx_plane from = agx_plane_of_aspect(aspect);
   enum agx_plane to = region->dst.aspects == region->src.aspects ? from : agx_plane_of_aspect(region->dst.aspects);
   struct agx_meta_table table = {
      .dst = side_of(dst, to, &region->dst, region->dst_offset),
      .src = side_of(src, from, &region->src, region->src_offset),
      .number[AGX_META_TURN] = turn_between(src, dst),
   };

   set_size(&table, src, from, region->extent, region->src.layers);
   /* Between a 3D image and an array, depth and layers stand for each other. */
   if (dst->desc.type == PIPE_IMAGE_3D)
      table.size[2] = MAX2(table.size[2], region->extent.depth);
   struct agx_level_box box = box_of(dst, &region->dst, region->dst_offset, region->extent, table.size[2]);

   agx_decompress(ctx, dst, to, &box, true);
   copy_from_image(ctx, &table, src, from, region->src.level);
}

static void
copy_image(struct pipe_context *pipe, struct pipe_resource *src, struct pipe_resource *dst,
           const struct pipe_image_copy *region)
{
   for (uint32_t aspects = region->src.aspects; aspects; aspects &= aspects - 1)
      copy_image_plane(agx_context(pipe), agx_resource(src), agx_resource(dst), region, aspects & -aspects);
}

/* Rows and slices of a region in a buffer. */
static struct agx_meta_side
buffer_side(const struct agx_resource *buffer, const struct agx_resource *image, enum agx_plane plane,
            const struct pipe_buffer_image_copy *region)
{
   const struct format_info *info = format_info(image->plane_format[plane]);
   uint32_t width = region->row_length_px ? region->row_length_px : region->extent.width;
   uint32_t height = region->image_height_px ? region->image_height_px : region->extent.height;
   uint32_t row_B = (uint32_t)div_round_up(width, info->block_width_el) * info->block_size_B;

   return (struct agx_meta_side){
      .va = buffer->va + region->offset_B,
      .layer_B = div_round_up(height, info->block_height_el) * row_B,
      .tiles = AGX_TILES_LINEAR | element_log2(image, plane) << AGX_TILES_ELEMENT,
      .row_B = row_B,
   };
}

static void
copy_buffer_region(struct agx_context *ctx, struct agx_resource *buffer, struct agx_resource *image,
                   const struct pipe_buffer_image_copy *region, bool to_image)
{
   enum agx_plane plane = agx_plane_of_aspect(region->image.aspects);
   struct agx_meta_side in_image = side_of(image, plane, &region->image, region->offset);
   struct agx_meta_side in_buffer = buffer_side(buffer, image, plane, region);
   struct agx_meta_table table = {
      .dst = to_image ? in_image : in_buffer,
      .src = to_image ? in_buffer : in_image,
      .number[AGX_META_TURN] = to_image ? turn_between(NULL, image) : turn_between(image, NULL),
   };

   set_size(&table, image, plane, region->extent, region->image.layers);
   if (to_image) {
      struct agx_level_box box = box_of(image, &region->image, region->offset, region->extent, table.size[2]);

      agx_decompress(ctx, image, plane, &box, true);
      copy_elements(ctx, &table, element_log2(image, plane));
   } else {
      copy_from_image(ctx, &table, image, plane, region->image.level);
   }
}

static void
copy_buffer_to_image(struct pipe_context *pipe, struct pipe_resource *src, struct pipe_resource *dst,
                     const struct pipe_buffer_image_copy *region)
{
   copy_buffer_region(agx_context(pipe), agx_resource(src), agx_resource(dst), region, true);
}

static void
copy_image_to_buffer(struct pipe_context *pipe, struct pipe_resource *src, struct pipe_resource *dst,
                     const struct pipe_buffer_image_copy *region)
{
   copy_buffer_region(agx_context(pipe), agx_resource(dst), agx_resource(src), region, false);
}

/* ---- queries and what is small ---- */

void
agx_meta_limit_draws(struct agx_context *ctx, const struct agx_meta_draws *draws)
{
   struct agx_meta_table table = {.dst.va = draws->dst_va,
                                  .src.va = draws->src_va,
                                  .size = {draws->count, draws->words, 1},
                                  .value = {(uint32_t)draws->count_va, (uint32_t)(draws->count_va >> 32)},
                                  .number = {draws->stride_B, 4 * draws->words, draws->first}};

   agx_meta_dispatch(ctx, AGX_META_LIMIT_DRAWS, &table);
}

void
agx_meta_count(struct agx_context *ctx, const struct agx_meta_count *count)
{
   struct agx_meta_table table = {
      .dst.va = count->dst_va,
      .src.va = count->src_va,
      .size = {count->count, 1, 1},
      .number = {count->stride_B, count->less, count->by, count->times, count->words == 3}};

   agx_meta_dispatch(ctx, AGX_META_COUNT, &table);
}

void
agx_meta_add_statistics(struct agx_context *ctx, uint64_t dst_va, uint64_t src_va)
{
   struct agx_meta_table table = {.dst.va = dst_va, .src.va = src_va, .size = {AGX_NUM_STATISTICS, 1, 1}};

   agx_meta_dispatch(ctx, AGX_META_ADD, &table);
}

void
agx_meta_copy_queries(struct agx_context *ctx, const struct agx_query_pool *pool, const struct pipe_query_copy *copy)
{
   uint32_t value_mask = copy->values;
   bool many = pool->values > 1;
   uint32_t values = many ? (uint32_t)__builtin_popcount(value_mask) : 1, value_B = copy->result_64 ? 8 : 4;
   struct agx_meta_table table = {
      .dst.va = agx_resource(copy->dst)->va + copy->offset_B,
      .src.va = pool->bo->va + (uint64_t)copy->first * pool->slot_B,
      .size = {copy->count, values, 1},
      .number = {pool->slot_B, (uint32_t)copy->stride_B, value_B,
                 copy->with_availability ? values * value_B : UINT32_MAX, copy->partial, AGX_QUERY_VALUES_B},
   };
   uint64_t order = 0;

   if (!copy->count)
      return;
   for (unsigned i = 0; value_mask && many; value_mask &= value_mask - 1, i++)
      order |= (uint64_t)__builtin_ctz(value_mask) << 4 * i;
   table.value[0] = (uint32_t)order;
   table.value[1] = (uint32_t)(order >> 32);
   agx_meta_dispatch(ctx, AGX_META_COPY_QUERIES, &table);
}

void
agx_init_meta_copy(struct agx_context *ctx)
{
   ctx->base.copy_buffer = copy_buffer;
   ctx->base.copy_indirect = copy_indirect;
   ctx->base.fill_buffer = fill_buffer;
   ctx->base.update_buffer = update_buffer;
   ctx->base.copy_image = copy_image;
   ctx->base.copy_buffer_to_image = copy_buffer_to_image;
   ctx->base.copy_image_to_buffer = copy_image_to_buffer;
}
