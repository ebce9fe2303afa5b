/* The sentence of each rule. */
#include "asahi/layout/ail_internal.h"

static const char *const sentences[AIL_ERROR_COUNT] = {
   [AIL_OK] = "no error",
   [AIL_ERROR_NULL] = "a required pointer is null",
   [AIL_ERROR_FORMAT_UNKNOWN] = "the format is not known",
   [AIL_ERROR_FORMAT_PLANES] = "planar and chroma-subsampled formats have no layout; lay out each plane by itself",
   [AIL_ERROR_BLOCK_SIZE] = "the hardware stores only blocks whose size in bytes is a power of two",
   [AIL_ERROR_ELEMENT_SIZE] = "an element (a block with all its samples) has at most 64 bytes",
   [AIL_ERROR_DIMENSION] = "the dimension is none of 1D, 2D, 3D and cube",
   [AIL_ERROR_TILING] = "the tiling is none of auto, linear, twiddled and GPU",
   [AIL_ERROR_SIZE_ZERO] = "width, height, depth and layers are at least 1",
   [AIL_ERROR_SIZE_LIMIT] = "width, height and depth are at most 16384 (2^27 texels for 1D linear images)",
   [AIL_ERROR_LAYER_LIMIT] = "an image has at most 16384 layers, a linear one 2048",
   [AIL_ERROR_1D_HEIGHT] = "a 1D image has height 1",
   [AIL_ERROR_DEPTH] = "only 3D images have a depth other than 1",
   [AIL_ERROR_3D_LAYERS] = "a 3D image has 1 layer",
   [AIL_ERROR_CUBE_SQUARE] = "the faces of a cube are square",
   [AIL_ERROR_CUBE_LAYERS] = "the layers of a cube image are a multiple of 6",
   [AIL_ERROR_LEVELS] = "an image has from 1 level to floor(log2(its largest side)) + 1",
   [AIL_ERROR_SAMPLES] = "an image has 1, 2 or 4 samples",
   [AIL_ERROR_SAMPLES_DIMENSION] = "only 2D images are multisampled",
   [AIL_ERROR_SAMPLES_BLOCK] = "block-compressed formats are not multisampled",
   [AIL_ERROR_LINEAR_DIMENSION] = "only 1D and 2D images and their arrays are linear, no 3D images and no cubes",
   [AIL_ERROR_LINEAR_LEVELS] = "linear images have no mipmaps",
   [AIL_ERROR_LINEAR_BLOCK] = "block-compressed formats are not linear",
   [AIL_ERROR_LINEAR_SAMPLES] = "multisampled images are not linear",
   [AIL_ERROR_STRIDE_NOT_LINEAR] = "only linear images have a forced stride",
   [AIL_ERROR_STRIDE_1D] = "1D images choose their stride themselves",
   [AIL_ERROR_STRIDE_ZERO] = "a linear stride is not zero",
   [AIL_ERROR_STRIDE_ALIGNMENT] = "a linear stride is a multiple of 16 bytes",
   [AIL_ERROR_STRIDE_SMALL] = "a linear stride is not shorter than a row",
   [AIL_ERROR_STRIDE_LIMIT] = "a linear stride is at most 2 MiB",
   [AIL_ERROR_COMPRESSED_TILING] = "compressed images are GPU-tiled",
   [AIL_ERROR_COMPRESSED_FORMAT] = "only formats that the pixel back end writes, depth and stencil are compressed",
   [AIL_ERROR_COMPRESSED_SMALL] = "compressed images are at least 16 x 16 samples",
   [AIL_ERROR_COMPRESSED_WRITEABLE] = "images that shaders write are not compressed",
   [AIL_ERROR_COMPRESSED_SPARSE] = "sparse images are not compressed: the page table has no room for metadata",
   [AIL_ERROR_SPARSE_LINEAR] = "linear images are not sparse",
   [AIL_ERROR_ADDRESS_SPACE] = "GPU addresses have 40 bits: an image is at most 2^40 bytes",
   [AIL_ERROR_BOX] = "the box is not inside its level",
   [AIL_ERROR_NOT_COMPRESSED] = "the image or this level of it has no compression metadata",
   [AIL_ERROR_NOT_SPARSE] = "the image is not sparse",
   [AIL_ERROR_MODE] = "there is no mode byte for this mode and format",
   [AIL_ERROR_ADDRESS_ALIGNMENT] = "a page address is a multiple of 16384",
   [AIL_ERROR_ADDRESS_LIMIT] = "a page address is below 2^40",
   [AIL_ERROR_UNBOUND] = "the page is not bound",
};

const char *
ail_error_text(enum ail_error error)
{
   return (unsigned)error < AIL_ERROR_COUNT ? sentences[error] : "unknown error";
}
