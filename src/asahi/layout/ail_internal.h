/* What the files of ail share. Nothing here is public. */
#ifndef AIL_INTERNAL_H
#define AIL_INTERNAL_H

#include <ail/ail.h>

#include "util/format.h"
#include "util/macros.h"

/* log2 of the tile that fills one 16 KiB page, by log2 of the element size: x, y. */
extern const uint8_t ail_page_tile_log2[7][2];

static inline uint32_t
ail_minify(uint32_t size, uint32_t level)
{
   return MAX2(size >> level, 1u);
}

static inline uint32_t
ail_next_power_of_two(uint32_t value)
{
   return 1u << log2_ceil(value);
}

static inline bool
ail_is_depth_stencil(const struct format_info *info)
{
   return info->components[0].name >= FORMAT_DEPTH;
}

/* Morton code of (x, y) with x_bits and y_bits bits, x first; the bits the longer axis has more go on top. */
uint32_t ail_morton(uint32_t x, uint32_t y, unsigned x_bits, unsigned y_bits);

/* True for a box inside the level it names; an empty box counts. */
bool ail_box_is_inside(const struct ail_layout *layout, const struct ail_box *box);

/* ail_tile and ail_detile; copies of stream_min_B bytes and more use streaming stores where they can. */
enum ail_error ail_move(const struct ail_layout *layout, char *image, const struct ail_box *box, char *linear,
                        ptrdiff_t row_stride_B, ptrdiff_t layer_stride_B, bool tile, size_t stream_min_B);
/* size: two pieces of memory and how they are laid out */

/* AIL_OK, or the rule that the image breaks. */
enum ail_error ail_check_image(const struct ail_image *image);

/* Steps of ail_layout_init, in this order: levels[].offset_B, size_B, stride_el, tiles_per_row, tile sizes,
 * chain_size_B, mip_tail_first_level of a GPU-tiled or twiddled image; */
void ail_levels_gpu_init(struct ail_layout *layout);
void ail_levels_twiddled_init(struct ail_layout *layout);
/* metadata of a compressed image, after layer_stride_B; adds it to size_B; */
void ail_metadata_init(struct ail_layout *layout);
/* mip tail, folios and table size of a sparse image. */
void ail_sparse_init(struct ail_layout *layout);

#endif
