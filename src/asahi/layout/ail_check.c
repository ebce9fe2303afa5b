/* The rules that an image description keeps. */
#include "asahi/layout/ail_internal.h"

static enum ail_error
check_size(const struct ail_image *image, bool linear)
{
   bool linear_1d = linear && image->dimension == AIL_1D;
   if (!image->width_px || !image->height_px || !image->depth_px || !image->layers)
      return AIL_ERROR_SIZE_ZERO;
   if (image->width_px > (linear_1d ? AIL_MAX_LINEAR_1D_PX : AIL_MAX_SIZE_PX))
      return AIL_ERROR_SIZE_LIMIT;
   if (image->height_px > AIL_MAX_SIZE_PX || image->depth_px > AIL_MAX_SIZE_PX)
      return AIL_ERROR_SIZE_LIMIT;
   if (image->layers > (linear ? AIL_MAX_LINEAR_LAYERS : AIL_MAX_SIZE_PX))
      return AIL_ERROR_LAYER_LIMIT;
   return AIL_OK;
}

static enum ail_error
check_dimension(const struct ail_image *image)
{
   if ((unsigned)image->dimension > AIL_CUBE)
      return AIL_ERROR_DIMENSION;
   if (image->dimension == AIL_1D && image->height_px != 1)
      return AIL_ERROR_1D_HEIGHT;
   if (image->dimension != AIL_3D && image->depth_px != 1)
      return AIL_ERROR_DEPTH;
   if (image->dimension == AIL_3D && image->layers != 1)
      return AIL_ERROR_3D_LAYERS;
   if (image->dimension == AIL_CUBE && image->width_px != image->height_px)
      return AIL_ERROR_CUBE_SQUARE;
   if (image->dimension == AIL_CUBE && image->layers % 6)
      return AIL_ERROR_CUBE_LAYERS;
   return AIL_OK;
}

static enum ail_error
check_samples(const struct ail_image *image, const struct format_info *info)
{
   if (image->samples != 1 && image->samples != 2 && image->samples != 4)
      return AIL_ERROR_SAMPLES;
   if (info->block_size_B * image->samples > 64)
      return AIL_ERROR_ELEMENT_SIZE;
   if (image->samples == 1)
      return AIL_OK;
   if (image->dimension != AIL_2D)
      return AIL_ERROR_SAMPLES_DIMENSION;
   return info->compression ? AIL_ERROR_SAMPLES_BLOCK : AIL_OK;
}

static enum ail_error
check_levels(const struct ail_image *image)
{
   uint32_t longest = MAX2(image->width_px, image->height_px);
   if (image->dimension == AIL_3D)
      longest = MAX2(longest, image->depth_px);
   return image->levels == 0 || image->levels > log2_floor(longest) + 1 ? AIL_ERROR_LEVELS : AIL_OK;
}

static enum ail_error
check_linear(const struct ail_image *image, const struct format_info *info)
{
   if (image->dimension != AIL_1D && image->dimension != AIL_2D)
      return AIL_ERROR_LINEAR_DIMENSION;
   if (image->levels != 1)
      return AIL_ERROR_LINEAR_LEVELS;
   if (info->compression)
      return AIL_ERROR_LINEAR_BLOCK;
   if (image->samples != 1)
      return AIL_ERROR_LINEAR_SAMPLES;
   if (image->sparse)
      return AIL_ERROR_SPARSE_LINEAR;
   if (!image->force_stride)
      return AIL_OK;
   if (image->dimension == AIL_1D)
      return AIL_ERROR_STRIDE_1D;
   if (image->stride_B == 0)
      return AIL_ERROR_STRIDE_ZERO;
   if (image->stride_B % 16)
      return AIL_ERROR_STRIDE_ALIGNMENT;
   if (image->stride_B < (uint64_t)image->width_px * info->block_size_B)
      return AIL_ERROR_STRIDE_SMALL;
   return image->stride_B > AIL_MAX_STRIDE_B ? AIL_ERROR_STRIDE_LIMIT : AIL_OK;
}

static enum ail_error
check_compressed(const struct ail_image *image, const struct format_info *info)
{
   int channels = ail_format_channels(image->format);
   if (image->tiling != AIL_TILING_GPU && image->tiling != AIL_TILING_AUTO)
      return AIL_ERROR_COMPRESSED_TILING;
   if (image->sparse)
      return AIL_ERROR_COMPRESSED_SPARSE;
   if (image->writeable)
      return AIL_ERROR_COMPRESSED_WRITEABLE;
   if (info->compression || (channels < 0 && !ail_is_depth_stencil(info)))
      return AIL_ERROR_COMPRESSED_FORMAT;
   uint32_t width_sa = image->width_px * (image->samples == 4 ? 2 : 1);
   uint32_t height_sa = image->height_px * (image->samples >= 2 ? 2 : 1);
   return width_sa < AIL_COMPRESSION_TILE_SA || height_sa < AIL_COMPRESSION_TILE_SA ? AIL_ERROR_COMPRESSED_SMALL
                                                                                    : AIL_OK;
}

static enum ail_error
check_format(const struct format_info *info)
{
   if (!info)
      return AIL_ERROR_FORMAT_UNKNOWN;
   if (info->planes > 1 || (!info->compression && info->block_width_el > 1))
      return AIL_ERROR_FORMAT_PLANES;
   return is_power_of_two(info->block_size_B) ? AIL_OK : AIL_ERROR_BLOCK_SIZE;
}

enum ail_error
ail_check_image(const struct ail_image *image)
{
   const struct format_info *info = format_info(image->format);
   if ((unsigned)image->tiling > AIL_TILING_GPU)
      return AIL_ERROR_TILING;
   bool linear = image->tiling == AIL_TILING_LINEAR || (image->tiling == AIL_TILING_AUTO && image->force_stride);
   enum ail_error error;
   if ((error = check_format(info)) || (error = check_dimension(image)) || (error = check_size(image, linear)) ||
       (error = check_levels(image)) || (error = check_samples(image, info)))
      return error;
   if (linear) {
      if ((error = check_linear(image, info)))
         return error;
   } else if (image->force_stride) {
      return AIL_ERROR_STRIDE_NOT_LINEAR;
   }
   if (linear && image->compressed)
      return AIL_ERROR_COMPRESSED_TILING;
   return image->compressed ? check_compressed(image, info) : AIL_OK;
}

enum ail_error
ail_can_compress(const struct ail_image *image)
{
   if (!image)
      return AIL_ERROR_NULL;
   struct ail_image compressed = *image;
   compressed.compressed = true;
   return ail_check_image(&compressed);
}
