/* The limits of strided linear images, sentence by sentence from the published layout document of the asahi driver
 * ("Strided linear"): the witness of what ail accepts, the model takes and the driver offers. Nothing of them is used
 * here, so that no two of them can be wrong together. */
#ifndef LINEAR_RULE_H
#define LINEAR_RULE_H

#include <stdbool.h>
#include <stdint.h>

enum linear_rule_type { LINEAR_RULE_1D, LINEAR_RULE_2D, LINEAR_RULE_3D, LINEAR_RULE_CUBE, LINEAR_RULE_TYPES };

struct linear_rule_image {
   enum linear_rule_type type; /* of an image or of an array */
   uint32_t levels, samples;
   bool is_block;   /* format of compressed blocks */
   bool compressed; /* losslessly */
   uint64_t row_B;  /* pixels of a row without padding */
   uint64_t rows;   /* of a layer */
   uint64_t stride_B;
};

/* "Strides must be a multiple of 16 bytes. Strides must be nonzero." And a row does not begin inside of another one,
 * which the document's formula for addresses would allow, and no picture. */
static inline bool
linear_rule_stride(const struct linear_rule_image *image)
{
   return image->stride_B % 16 == 0 && image->stride_B != 0 && (image->rows == 1 || image->stride_B >= image->row_B);
}

/* "Only 1D, 2D, and 2D Array images may be linear. In particular, no 3D or cubemaps." (1D arrays: ail's and
 * Honeykrisp's reading.) "2D images must not be mipmapped. Block-compressed formats and multisampled images are
 * unsupported. Elements of a strided linear image are simply pixels." */
static inline bool
linear_rule_shape(const struct linear_rule_image *image)
{
   return image->type <= LINEAR_RULE_2D && image->levels == 1 && image->samples == 1 && !image->is_block &&
          !image->compressed;
}

/* "address = (y * stride) + (x * bytes per pixel)" */
static inline uint64_t
linear_rule_offset_B(const struct linear_rule_image *image, uint32_t pixel_B, uint32_t x, uint32_t y)
{
   return y * image->stride_B + (uint64_t)x * pixel_B;
}

#endif
