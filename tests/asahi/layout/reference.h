/* A second, slow implementation of the layouts, written from their description and for reading, not from the library:
 * it steps where the library computes and looks at one bit at a time. And seeded random images. */
#ifndef TESTS_ASAHI_LAYOUT_REFERENCE_H
#define TESTS_ASAHI_LAYOUT_REFERENCE_H

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <cmocka.h>

#include <ail/ail.h>

#include "util/format.h"
#include "util/format_enum.h"
#include "util/macros.h"

struct ref_level {
   uint64_t offset_B, size_B;
   uint32_t width_el, height_el;
   uint32_t tile_width_el, tile_height_el; /* GPU-tiled */
   uint32_t tiles_per_row;                 /* GPU-tiled */
};

struct ref_layout {
   struct ail_image image;
   uint32_t element_B, sample_B, block_width_px, block_height_px;
   uint32_t level_count, layer_count;
   uint64_t layer_stride_B, stride_B;
   struct ref_level levels[16];
};

/* image.tiling is not AUTO, and the image keeps the rules. */
struct ref_layout ref_layout(const struct ail_image *image);

uint64_t ref_offset_B(const struct ref_layout *ref, uint32_t x_el, uint32_t y_el, uint32_t layer, uint32_t level,
                      uint32_t sample);

/* Offset of the metadata of a compression tile from the start of the metadata. */
uint64_t ref_metadata_B(const struct ref_layout *ref, uint32_t x_tl, uint32_t y_tl, uint32_t layer, uint32_t level);

/* Numbers that are the same in every run. */
struct random {
   uint64_t state;
};

uint32_t random_below(struct random *random, uint32_t end);

/* A part of [0, size), often all of it, rarely nothing. */
void random_interval(struct random *random, uint32_t size, uint32_t *start, uint32_t *length);

/* A box of the layout, mostly of a large level. */
struct ail_box random_box(struct random *random, const struct ail_layout *layout);

/* An image that keeps the rules; sides up to about limit_px. */
struct ail_image random_image(struct random *random, uint32_t limit_px);

#endif
