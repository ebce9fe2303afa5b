/* ail: image layouts of Apple AGX GPUs. Where every element, sample and metadata byte of an image lies in memory, the
 * page tables of sparse images, and copies between images and linear memory. Needs no GPU and no other library.
 *
 * Describe an image in struct ail_image, let ail_layout_init fill struct ail_layout, ask it with the getters:
 *
 *    struct ail_image image = {.format = 37, .dimension = AIL_2D, .width_px = 640, .height_px = 480, .depth_px = 1,
 *                              .layers = 1, .levels = 1, .samples = 1};
 *    struct ail_layout layout;
 *    enum ail_error error = ail_layout_init(&layout, &image);
 *    if (error) puts(ail_error_text(error));
 *
 * Units in names: _px pixels of a level, _el elements (a pixel with all its samples, or a compressed block), _sa
 * samples, _tl compression tiles, _B bytes, _va a GPU virtual address. All offsets count from the first byte of the
 * image, or of one layer where the text says so. Nothing here keeps state or allocates; any number of threads may
 * read one layout. No public call asserts on its arguments: it returns an error, or AIL_NONE for "there is no such
 * thing".
 *
 * "Layer" is an array layer, a cube face or a slice of a 3D image: AGX stores all three alike. */
#ifndef AIL_AIL_H
#define AIL_AIL_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

#define AIL_API __attribute__((visibility("default")))

#define AIL_CACHE_LINE_B 128u
#define AIL_PAGE_B 16384u
#define AIL_MAX_LEVELS 16u
#define AIL_MAX_SIZE_PX 16384u             /* width, height, depth, layers: the descriptors hold 14 bits */
#define AIL_MAX_LINEAR_1D_PX (1u << 27)    /* 1D linear images are also texel buffers */
#define AIL_MAX_LINEAR_LAYERS 2048u        /* the linear array descriptor holds 11 bits */
#define AIL_MAX_STRIDE_B (1u << 21)        /* (stride - 16) / 16 in 17 bits, of PBEs stride - 4 in 21 */
#define AIL_FOLIO_PAGES 256u               /* pages that a folio of the sparse page table describes */
#define AIL_FOLIO_WORDS 512u               /* 256 Sparse Block words, then 256 counters */
#define AIL_COMPRESSION_TILE_SA 16u        /* a compression tile is 16 x 16 samples, */
#define AIL_MODE_BYTES 8u                  /* of them it has in the metadata, each for 8 x 4 samples */
#define AIL_ADDRESS_SPACE_B (UINT64_C(1) << 40)
#define AIL_NONE UINT64_MAX

enum ail_error {
   AIL_OK,
   AIL_ERROR_NULL,
   AIL_ERROR_FORMAT_UNKNOWN,
   AIL_ERROR_FORMAT_PLANES,
   AIL_ERROR_BLOCK_SIZE,
   AIL_ERROR_ELEMENT_SIZE,
   AIL_ERROR_DIMENSION,
   AIL_ERROR_TILING,
   AIL_ERROR_SIZE_ZERO,
   AIL_ERROR_SIZE_LIMIT,
   AIL_ERROR_LAYER_LIMIT,
   AIL_ERROR_1D_HEIGHT,
   AIL_ERROR_DEPTH,
   AIL_ERROR_3D_LAYERS,
   AIL_ERROR_CUBE_SQUARE,
   AIL_ERROR_CUBE_LAYERS,
   AIL_ERROR_LEVELS,
   AIL_ERROR_SAMPLES,
   AIL_ERROR_SAMPLES_DIMENSION,
   AIL_ERROR_SAMPLES_BLOCK,
   AIL_ERROR_LINEAR_DIMENSION,
   AIL_ERROR_LINEAR_LEVELS,
   AIL_ERROR_LINEAR_BLOCK,
   AIL_ERROR_LINEAR_SAMPLES,
   AIL_ERROR_STRIDE_NOT_LINEAR,
   AIL_ERROR_STRIDE_1D,
   AIL_ERROR_STRIDE_ZERO,
   AIL_ERROR_STRIDE_ALIGNMENT,
   AIL_ERROR_STRIDE_SMALL,
   AIL_ERROR_STRIDE_LIMIT,
   AIL_ERROR_COMPRESSED_TILING,
   AIL_ERROR_COMPRESSED_FORMAT,
   AIL_ERROR_COMPRESSED_SMALL,
   AIL_ERROR_COMPRESSED_WRITEABLE,
   AIL_ERROR_COMPRESSED_SPARSE,
   AIL_ERROR_SPARSE_LINEAR,
   AIL_ERROR_ADDRESS_SPACE,
   AIL_ERROR_BOX,
   AIL_ERROR_NOT_COMPRESSED,
   AIL_ERROR_NOT_SPARSE,
   AIL_ERROR_MODE,
   AIL_ERROR_ADDRESS_ALIGNMENT,
   AIL_ERROR_ADDRESS_LIMIT,
   AIL_ERROR_UNBOUND,
   AIL_ERROR_COUNT,
};

enum ail_dimension { AIL_1D, AIL_2D, AIL_3D, AIL_CUBE };

enum ail_tiling {
   AIL_TILING_AUTO, /* linear when a stride is forced, twiddled when sparse, else GPU-tiled */
   AIL_TILING_LINEAR,
   AIL_TILING_TWIDDLED,
   AIL_TILING_GPU,
};

/* What the caller says. */
struct ail_image {
   uint32_t format; /* value of VkFormat */
   enum ail_dimension dimension;
   enum ail_tiling tiling;
   uint32_t width_px, height_px; /* height_px is 1 for 1D */
   uint32_t depth_px;            /* 1 for all but 3D */
   uint32_t layers;              /* 1 for 3D, a multiple of 6 for cubes */
   uint32_t levels;              /* that the image shows; a mipmapped image always has memory for the full chain */
   uint32_t samples;             /* 1, 2 or 4 */
   bool compressed;              /* lossless compression; see ail_can_compress */
   bool sparse;                  /* addressed through a sparse page table */
   bool writeable;               /* written by image stores: layers start on pages */
   bool renderable;              /* layers are attachments: layers start on pages when there are several */
   bool force_stride;            /* linear: stride_B is given, a nonzero multiple of 16; otherwise ail chooses */
   uint32_t stride_B;
};

struct ail_level {
   uint64_t offset_B; /* inside a layer; a multiple of 128 */
   uint64_t size_B;   /* without the padding to the next level */
   uint32_t width_px, height_px;
   uint32_t width_el, height_el;
   uint32_t stride_el;     /* GPU and twiddled: width from which the tiles of a row are counted */
   uint32_t tiles_per_row; /* GPU and twiddled */
   uint8_t tile_width_log2_el, tile_height_log2_el;
   /* Compression metadata. */
   bool metadata_allocated; /* the level has metadata */
   bool compressed;         /* and its data may really be compressed */
   uint8_t metadata_width_log2_tl, metadata_height_log2_tl;
   uint32_t metadata_width_tl, metadata_height_tl;
   uint64_t metadata_offset_B; /* inside the metadata of a layer */
   uint64_t metadata_size_B;
};

/* What ail derives. Read it through the getters or directly; never write it. */
struct ail_layout {
   struct ail_image image;                           /* as given, tiling chosen */
   uint8_t block_width_px, block_height_px, block_B; /* of one sample */
   uint8_t element_B;                                /* block_B * samples */
   uint8_t samples_log2;
   bool page_aligned_layers;
   uint32_t layer_count;      /* layers, cube faces or slices */
   uint32_t allocated_levels; /* levels that have memory: at least image.levels */
   uint32_t stride_B;         /* linear: bytes from row to row */
   uint64_t chain_size_B;     /* end of the last level inside a layer */
   uint64_t layer_stride_B;
   uint64_t metadata_offset_B; /* compressed: end of the last layer */
   uint64_t metadata_layer_stride_B;
   uint64_t size_B;      /* everything, metadata included */
   uint32_t alignment_B; /* of the first byte of the image in GPU memory */
   /* Sparse. */
   uint32_t mip_tail_first_level; /* allocated_levels when there is no tail */
   uint64_t mip_tail_offset_B;    /* inside a layer */
   uint64_t mip_tail_size_B;      /* of one layer, a multiple of the page size */
   uint32_t folios_per_layer;
   uint64_t sparse_table_size_B;
   struct ail_level levels[AIL_MAX_LEVELS];
};

/* A box of elements of one level. */
struct ail_box {
   uint32_t level;
   uint32_t x_el, y_el, layer;
   uint32_t width_el, height_el, layers;
};

/* A sentence that names the rule; "unknown error" for other values. */
AIL_API const char *ail_error_text(enum ail_error error);

/* ---- Formats ---- */

/* VkFormat of a name: that of VkFormat with or without VK_FORMAT_, or of a driver's pipe format ("Z32_FLOAT",
 * "R16G16B16A16_FLOAT", "ETC2_RGB8"). 0 when no format is called so. */
AIL_API uint32_t ail_format_by_name(const char *name);

/* Name of a format, or NULL. */
AIL_API const char *ail_format_name(uint32_t format);

/* The 7-bit "channels" code of texture and pixel back-end descriptors, or -1 for a format AGX does not have. */
AIL_API int ail_format_channels(uint32_t format);

/* ---- Layout ---- */

/* Fills *layout, or returns the rule that *image breaks; *layout is then not to be used. */
AIL_API enum ail_error ail_layout_init(struct ail_layout *layout, const struct ail_image *image);

/* AIL_OK when the image (its compressed flag aside) can be compressed, or the rule that forbids it. */
AIL_API enum ail_error ail_can_compress(const struct ail_image *image);

/* True when the image may be read and written through a view of `format`: elements of the same size, and for a
 * compressed image the same channels code, because the compressor looks at channels. */
AIL_API bool ail_view_compatible(const struct ail_layout *layout, uint32_t format);

AIL_API uint64_t ail_size_B(const struct ail_layout *layout);
AIL_API uint32_t ail_alignment_B(const struct ail_layout *layout);
AIL_API uint64_t ail_layer_stride_B(const struct ail_layout *layout);

/* Start of a level of a layer; AIL_NONE when the image has no such level or layer. */
AIL_API uint64_t ail_level_offset_B(const struct ail_layout *layout, uint32_t layer, uint32_t level);

/* Bytes from a row of elements (linear) or of tiles (others) to the next; AIL_NONE without such a level. */
AIL_API uint64_t ail_row_pitch_B(const struct ail_layout *layout, uint32_t level);

/* Tile size of a level; false for linear images and levels that do not exist. */
AIL_API bool ail_tile_size_el(const struct ail_layout *layout, uint32_t level, uint32_t *width_el,
                              uint32_t *height_el);

/* The first byte of a sample of an element; AIL_NONE outside the level. */
AIL_API uint64_t ail_element_offset_B(const struct ail_layout *layout, uint32_t x_el, uint32_t y_el, uint32_t layer,
                                      uint32_t level, uint32_t sample);

/* ---- Data movement ----
 *
 * `image` is the first byte of the whole image, `linear` the element (x_el, y_el, layer) of the box; the linear side
 * has row_stride_B from row to row and layer_stride_B from layer to layer, of any value (also negative or 0) and
 * alignment. An element is element_B bytes: all samples of a pixel lie side by side. Only bytes of the box are read
 * and written. The two sides must not overlap. AIL_ERROR_BOX when the box leaves the level; an empty box is fine. */
AIL_API enum ail_error ail_tile(const struct ail_layout *layout, void *image, const struct ail_box *box,
                                const void *linear, ptrdiff_t row_stride_B, ptrdiff_t layer_stride_B);
AIL_API enum ail_error ail_detile(const struct ail_layout *layout, const void *image, const struct ail_box *box,
                                  void *linear, ptrdiff_t row_stride_B, ptrdiff_t layer_stride_B);

/* ---- Compression metadata ----
 *
 * A compression tile has 8 mode bytes, one for each 8 x 4 samples. */
enum ail_mode {
   AIL_MODE_UNCOMPRESSED, /* all 8 bytes say: stored as it is */
   AIL_MODE_SOLID,        /* all 8 bytes say: one colour */
   AIL_MODE_OTHER,        /* anything else: compressed by the hardware */
};

/* Pixels that one compression tile covers: 16 x 16, less when samples share the tile. */
AIL_API void ail_compression_tile_px(const struct ail_layout *layout, uint32_t *width_px, uint32_t *height_px);

/* Offset of the 8 mode bytes of a compression tile; AIL_NONE when there are none. */
AIL_API uint64_t ail_metadata_offset_B(const struct ail_layout *layout, uint32_t x_tl, uint32_t y_tl, uint32_t layer,
                                       uint32_t level);

/* Mode byte for `mode` in images of this layout, or -1 for AIL_MODE_OTHER and block sizes that have none. */
AIL_API int ail_mode_byte(const struct ail_layout *layout, enum ail_mode mode);

/* Mode bytes of the tile, and what they mean. */
AIL_API enum ail_error ail_metadata_read(const struct ail_layout *layout, const void *image, uint32_t x_tl,
                                         uint32_t y_tl, uint32_t layer, uint32_t level, uint8_t bytes[8],
                                         enum ail_mode *mode);
AIL_API enum ail_error ail_metadata_write(const struct ail_layout *layout, void *image, uint32_t x_tl, uint32_t y_tl,
                                          uint32_t layer, uint32_t level, enum ail_mode mode);

/* Declares the whole image uncompressed or solid: every tile of every level and layer. */
AIL_API enum ail_error ail_metadata_fill(const struct ail_layout *layout, void *image, enum ail_mode mode);

/* ---- Sparse page tables ---- */

struct ail_word_range {
   uint32_t first_word, words;
};

/* Index of the Sparse Block word of a page of a layer; AIL_NONE when the layer or page does not exist. */
AIL_API uint64_t ail_sparse_word_index(const struct ail_layout *layout, uint32_t layer, uint64_t page);

/* The word for a bound page. page_va: a multiple of 16384 below 2^40. The word of an unbound page is 0. */
AIL_API enum ail_error ail_sparse_pack(uint64_t page_va, uint32_t *word);

/* The address in a word; false when the word is not enabled. */
AIL_API bool ail_sparse_unpack(uint32_t word, uint64_t *page_va);

/* The words of all pages that elements of the box lie in, as ranges in ascending order, at most `max` written; *count
 * is the number there are. In GPU-tiled and twiddled images those ranges may be many. */
AIL_API enum ail_error ail_sparse_box_words(const struct ail_layout *layout, const struct ail_box *box,
                                            struct ail_word_range *ranges, uint32_t max, uint32_t *count);

/* The words of the mip tail of a layer, as above. */
AIL_API enum ail_error ail_sparse_tail_words(const struct ail_layout *layout, uint32_t layer,
                                             struct ail_word_range *ranges, uint32_t max, uint32_t *count);

/* Binds the pages of the ranges to consecutive pages from page_va on, or unbinds them when bind is false. */
AIL_API enum ail_error ail_sparse_bind(const struct ail_layout *layout, uint32_t *table,
                                       const struct ail_word_range *ranges, uint32_t count, bool bind,
                                       uint64_t page_va);

/* Walks the table as the hardware does: from a byte of a layer to the GPU address. AIL_ERROR_UNBOUND where the page
 * is not bound, AIL_ERROR_BOX outside the layer. */
AIL_API enum ail_error ail_sparse_walk(const struct ail_layout *layout, const uint32_t *table, uint32_t layer,
                                       uint64_t offset_B, uint64_t *va);

#ifdef __cplusplus
}
#endif

#endif
