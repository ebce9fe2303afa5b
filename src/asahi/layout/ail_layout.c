/* From the description of an image to its layout, and the getters. */
#include "asahi/layout/ail_internal.h"

const uint8_t ail_page_tile_log2[7][2] = {
   {7, 7}, /*  1 B: 128 x 128 */
   {7, 6}, /*  2 B: 128 x 64 */
   {6, 6}, /*  4 B: 64 x 64 */
   {6, 5}, /*  8 B: 64 x 32 */
   {5, 5}, /* 16 B: 32 x 32 */
   {5, 4}, /* 32 B: 32 x 16, samples only */
   {4, 4}, /* 64 B: 16 x 16, samples only */
};

/* Fields that follow from format and description. */
static void
init_image(struct ail_layout *layout, const struct ail_image *image)
{
   const struct format_info *info = format_info(image->format);
   layout->image = *image;
   if (image->tiling == AIL_TILING_AUTO) {
      layout->image.tiling = image->force_stride ? AIL_TILING_LINEAR
                             : image->sparse     ? AIL_TILING_TWIDDLED
                                                 : AIL_TILING_GPU;
   }
   layout->block_width_px = info->block_width_el;
   layout->block_height_px = info->block_height_el;
   layout->block_B = info->block_size_B;
   layout->samples_log2 = (uint8_t)log2_floor(image->samples);
   layout->element_B = (uint8_t)(info->block_size_B << layout->samples_log2);
   layout->layer_count = image->dimension == AIL_3D ? image->depth_px : image->layers;
   layout->allocated_levels = 1;
   if (image->levels > 1) {
      /* Strides of the hardware take the whole chain for granted, of a 3D image down to one slice. */
      uint32_t longest = MAX2(image->width_px, image->height_px);
      if (image->dimension == AIL_3D)
         longest = MAX2(longest, image->depth_px);
      layout->allocated_levels = log2_floor(longest) + 1;
   }
}

static void
init_level_sizes(struct ail_layout *layout)
{
   for (uint32_t l = 0; l < layout->allocated_levels; l++) {
      struct ail_level *level = &layout->levels[l];
      level->width_px = ail_minify(layout->image.width_px, l);
      level->height_px = ail_minify(layout->image.height_px, l);
      level->width_el = level->width_px;
      level->height_el = level->height_px;
      if (layout->block_width_px > 1) {
         level->width_el = (level->width_px + layout->block_width_px - 1) / layout->block_width_px;
         level->height_el = (level->height_px + layout->block_height_px - 1) / layout->block_height_px;
      }
   }
}

static void
init_linear(struct ail_layout *layout)
{
   const struct ail_image *image = &layout->image;
   uint64_t row_B = (uint64_t)image->width_px * layout->block_B;
   layout->stride_B = image->force_stride ? image->stride_B : (uint32_t)align_up(row_B, AIL_CACHE_LINE_B);
   layout->levels[0].size_B = (uint64_t)layout->stride_B * image->height_px;
   layout->levels[0].stride_el = layout->stride_B / layout->block_B;
   layout->chain_size_B = layout->levels[0].size_B;
   layout->layer_stride_B = align_up(layout->chain_size_B, AIL_CACHE_LINE_B);
   layout->alignment_B = AIL_CACHE_LINE_B;
}

/* When layers start on pages: mipmapped arrays (and mipmapped depth and stencil of one layer) over a page, images
 * that shaders write, arrays that are attachments, whatever is twiddled. Sparse images too (assumed): each layer has
 * folios of its own, which map whole pages. */
static bool
has_page_aligned_layers(const struct ail_layout *layout)
{
   const struct ail_image *image = &layout->image;
   bool depth_stencil = ail_is_depth_stencil(format_info(image->format));
   bool mipmapped = image->levels > 1 && layout->chain_size_B > AIL_PAGE_B;
   return image->tiling == AIL_TILING_TWIDDLED || image->sparse || image->writeable ||
          (mipmapped && (layout->layer_count > 1 || depth_stencil)) || (image->renderable && layout->layer_count > 1);
}

static void
init_tiled(struct ail_layout *layout)
{
   if (layout->image.tiling == AIL_TILING_GPU)
      ail_levels_gpu_init(layout);
   else
      ail_levels_twiddled_init(layout);
   layout->page_aligned_layers = has_page_aligned_layers(layout);
   layout->layer_stride_B =
      layout->page_aligned_layers ? align_up(layout->chain_size_B, AIL_PAGE_B) : layout->chain_size_B;
   bool page_tiles = layout->levels[0].size_B >= AIL_PAGE_B;
   layout->alignment_B = layout->page_aligned_layers || page_tiles ? AIL_PAGE_B : AIL_CACHE_LINE_B;
}

enum ail_error
ail_layout_init(struct ail_layout *layout, const struct ail_image *image)
{
   if (!layout || !image)
      return AIL_ERROR_NULL;
   enum ail_error error = ail_check_image(image);
   if (error)
      return error;
   *layout = (struct ail_layout){0};
   init_image(layout, image);
   init_level_sizes(layout);
   if (layout->image.tiling == AIL_TILING_LINEAR)
      init_linear(layout);
   else
      init_tiled(layout);
   layout->metadata_offset_B = layout->layer_stride_B * layout->layer_count;
   layout->size_B = layout->metadata_offset_B;
   if (image->compressed)
      ail_metadata_init(layout);
   if (layout->size_B > AIL_ADDRESS_SPACE_B)
      return AIL_ERROR_ADDRESS_SPACE;
   if (image->sparse)
      ail_sparse_init(layout);
   return AIL_OK;
}

bool
ail_view_compatible(const struct ail_layout *layout, uint32_t format)
{
   const struct format_info *info = format_info(format);
   if (!layout || !info || info->planes > 1 || info->block_size_B != layout->block_B ||
       info->block_width_el != layout->block_width_px || info->block_height_el != layout->block_height_px)
      return false;
   if (!layout->image.compressed)
      return true;
   return ail_format_channels(format) >= 0 &&
          ail_format_channels(format) == ail_format_channels(layout->image.format);
}

uint64_t
ail_size_B(const struct ail_layout *layout)
{
   return layout ? layout->size_B : AIL_NONE;
}

uint32_t
ail_alignment_B(const struct ail_layout *layout)
{
   return layout ? layout->alignment_B : 0;
}

uint64_t
ail_layer_stride_B(const struct ail_layout *layout)
{
   return layout ? layout->layer_stride_B : AIL_NONE;
}

uint64_t
ail_level_offset_B(const struct ail_layout *layout, uint32_t layer, uint32_t level)
{
   if (!layout || layer >= layout->layer_count || level >= layout->allocated_levels)
      return AIL_NONE;
   return layer * layout->layer_stride_B + layout->levels[level].offset_B;
}

uint64_t
ail_row_pitch_B(const struct ail_layout *layout, uint32_t level)
{
   if (!layout || level >= layout->allocated_levels)
      return AIL_NONE;
   if (layout->image.tiling == AIL_TILING_LINEAR)
      return layout->stride_B;
   const struct ail_level *l = &layout->levels[level];
   return ((uint64_t)l->tiles_per_row * layout->element_B) << (l->tile_width_log2_el + l->tile_height_log2_el);
}

bool
ail_tile_size_el(const struct ail_layout *layout, uint32_t level, uint32_t *width_el, uint32_t *height_el)
{
   if (!layout || !width_el || !height_el || level >= layout->allocated_levels ||
       layout->image.tiling == AIL_TILING_LINEAR)
      return false;
   *width_el = 1u << layout->levels[level].tile_width_log2_el;
   *height_el = 1u << layout->levels[level].tile_height_log2_el;
   return true;
}
