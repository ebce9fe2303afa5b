/* Image views and samplers: descriptor words ready to be copied. */
#include <assert.h>
#include <stdlib.h>

#include "asahi/hw/records.h"
#include "gallium/drivers/asahi/resource/agx_format.h"
#include "gallium/drivers/asahi/resource/agx_resource.h"
#include "gallium/drivers/asahi/agx_screen.h"
#include "util/format.h"
#include "util/macros.h"
#include "util/mutant.h"

static enum agx_texture_dimension
dimension(enum pipe_view_type type, unsigned samples)
{
   static const struct {
      enum agx_texture_dimension plain, ms;
   } of[] = {
      [PIPE_VIEW_1D] = {AGX_TEXTURE_DIMENSION_1D, AGX_TEXTURE_DIMENSION_1D},
      [PIPE_VIEW_2D] = {AGX_TEXTURE_DIMENSION_2D, AGX_TEXTURE_DIMENSION_2D_MS},
      [PIPE_VIEW_3D] = {AGX_TEXTURE_DIMENSION_3D, AGX_TEXTURE_DIMENSION_3D},
      [PIPE_VIEW_CUBE] = {AGX_TEXTURE_DIMENSION_CUBE, AGX_TEXTURE_DIMENSION_CUBE},
      [PIPE_VIEW_1D_ARRAY] = {AGX_TEXTURE_DIMENSION_1D_ARRAY, AGX_TEXTURE_DIMENSION_1D_ARRAY},
      [PIPE_VIEW_2D_ARRAY] = {AGX_TEXTURE_DIMENSION_2D_ARRAY, AGX_TEXTURE_DIMENSION_2D_MS_ARRAY},
      [PIPE_VIEW_CUBE_ARRAY] = {AGX_TEXTURE_DIMENSION_CUBE_ARRAY, AGX_TEXTURE_DIMENSION_CUBE_ARRAY},
   };

   return samples > 1 ? of[type].ms : of[type].plain;
}

static enum agx_layout
layout_of(enum ail_tiling tiling)
{
   return tiling == AIL_TILING_LINEAR     ? AGX_LAYOUT_LINEAR
          : tiling == AIL_TILING_TWIDDLED ? AGX_LAYOUT_TWIDDLED
                                          : AGX_LAYOUT_GPU;
}

/* What the descriptors of a view have in common. */
struct place {
   uint64_t address, metadata; /* of the first layer; metadata: 0 if it is not compressed */
   enum agx_layout layout;
   enum agx_image_mode mode; /* sparse: address is that of the table */
   uint32_t width_px, height_px;
   uint32_t layers; /* as records count them: slices, cubes */
   bool mipmapped, linear_layers;
   uint64_t linear_layer_stride_B;
};

static struct place
place_of(const struct agx_plane_view *view)
{
   const struct agx_resource *image = view->image;
   const struct ail_layout *layout = &image->planes[view->plane];
   bool linear = layout->image.tiling == AIL_TILING_LINEAR;
   struct place place = {
      .address = agx_plane_va(image, view->plane),
      .layout = layout_of(layout->image.tiling),
      .mode = layout->image.sparse ? AGX_IMAGE_MODE_SPARSE : AGX_IMAGE_MODE_NORMAL,
      .width_px = image->desc.width_px,
      .height_px = image->desc.height_px,
      .layers = view->layers,
      .mipmapped = layout->image.levels > 1,
   };

   if (view->type == PIPE_VIEW_3D)
      place.layers = image->desc.depth_px;
   else
      place.address +=
         view->base_layer * (layout->image.sparse ? agx_sparse_layer_B(layout) : layout->layer_stride_B);
   if (layout->image.compressed && !view->plain) {
      uint32_t first = view->type == PIPE_VIEW_3D || mutant("agx-metadata-layer") ? 0 : view->base_layer;

      place.metadata =
         agx_plane_va(image, view->plane) + layout->metadata_offset_B + first * layout->metadata_layer_stride_B;
   }
   if (view->type == PIPE_VIEW_CUBE || view->type == PIPE_VIEW_CUBE_ARRAY)
      place.layers /= 6;
   place.linear_layers = linear && place.layers > 1;
   place.linear_layer_stride_B = layout->layer_stride_B;
   return place;
}

void
agx_plane_texture(const struct agx_plane_view *view, uint32_t words[6])
{
   static const enum agx_channel constants[] = {
      [PIPE_SWIZZLE_0] = AGX_CHANNEL_ZERO, [PIPE_SWIZZLE_1] = AGX_CHANNEL_ONE};
   const struct agx_resource *image = view->image;
   const struct ail_layout *layout = &image->planes[view->plane];
   struct place place = place_of(view);
   struct agx_format_codes codes;
   enum agx_channel select[4];
   bool known = agx_format_codes(view->format, &codes);

   assert(known && "a view's format is one of textures");
   for (unsigned i = 0; i < 4 && known; i++)
      select[i] = view->swizzle[i] <= PIPE_SWIZZLE_A ? codes.place[view->swizzle[i]] : constants[view->swizzle[i]];
   struct agx_texture texture = {
      .dimension = dimension(view->type, image->desc.samples),
      .layout = place.layout,
      .mode = place.mode,
      .channels = codes.channels,
      .type = codes.type,
      .swizzle_r = select[0],
      .swizzle_g = select[1],
      .swizzle_b = select[2],
      .swizzle_a = select[3],
      .width_px = place.width_px,
      .height_px = place.height_px,
      .first_level = view->base_level,
      .last_level = view->base_level + view->levels - 1,
      .samples = image->desc.samples == 4 ? AGX_SAMPLE_COUNT_4 : AGX_SAMPLE_COUNT_2,
      .address = place.address,
      .unk_mipmapped = place.mipmapped,
      .srgb = codes.srgb,
      .srgb_2_channel = codes.srgb && codes.components == 2,
      .compressed = place.metadata != 0,
      .extended = place.linear_layers || place.metadata,
      .layers = place.layers,
   };

   if (place.layout == AGX_LAYOUT_LINEAR) {
      texture.stride_B = layout->stride_B;
      texture.layer_stride_B = place.linear_layer_stride_B;
   } else {
      texture.page_aligned_layers = layout->page_aligned_layers;
      texture.metadata = place.metadata;
   }
   agx_texture_pack(words, &texture);
}

void
agx_plane_pbe(const struct agx_plane_view *view, bool raw, uint32_t words[6])
{
   const struct agx_resource *image = view->image;
   const struct ail_layout *layout = &image->planes[view->plane];
   struct place place = place_of(view);
   struct agx_format_codes codes;
   bool known = agx_format_codes(view->format, &codes);

   assert(known && "a view's format is one of textures");
   struct agx_pbe pbe = {
      .dimension = dimension(view->type, image->desc.samples),
      .layout = place.layout,
      .mode = place.mode,
      .channels = codes.channels,
      .type = codes.type,
      .swizzle_r = codes.stored[0],
      .swizzle_g = codes.stored[1],
      .swizzle_b = codes.stored[2],
      .swizzle_a = codes.stored[3],
      .width_px = place.width_px,
      .height_px = place.height_px,
      .samples = image->desc.samples == 4 ? AGX_SAMPLE_COUNT_4 : AGX_SAMPLE_COUNT_2,
      .unk_mipmapped = place.mipmapped,
      .address = place.address,
      .level = view->base_level,
      .srgb = codes.srgb && !raw,
      .compressed = place.metadata != 0,
      .extended = place.linear_layers || place.metadata,
      .levels = layout->image.levels,
      .layers = place.layers,
   };

   if (place.layout == AGX_LAYOUT_LINEAR) {
      pbe.stride_B = layout->stride_B;
      pbe.layer_stride_B = place.linear_layer_stride_B;
   } else {
      pbe.page_aligned_layers = layout->page_aligned_layers;
      pbe.metadata = place.metadata;
   }
   agx_pbe_pack(words, &pbe);
}

void
agx_level_words(const struct agx_resource *image, enum agx_plane plane, unsigned level, unsigned layer,
                uint32_t words[5])
{
   const struct ail_layout *layout = &image->planes[plane];
   const struct ail_level *l = &layout->levels[level];
   bool sparse = layout->image.sparse;
   uint64_t layer_B = sparse ? agx_sparse_layer_B(layout) : layout->layer_stride_B;
   uint64_t va = agx_plane_va(image, plane) + layer * layer_B + (sparse ? 0 : l->offset_B);
   unsigned element_log2 = log2_floor(layout->element_B);

   words[0] = (uint32_t)va;
   words[1] = (uint32_t)(va >> 32);
   words[2] = (uint32_t)(layer_B / AIL_CACHE_LINE_B);
   if (layout->image.tiling == AIL_TILING_LINEAR)
      words[3] = AGX_TILES_LINEAR | layout->stride_B / 16 | element_log2 << AGX_TILES_ELEMENT;
   else
      words[3] = l->tiles_per_row | (uint32_t)l->tile_width_log2_el << AGX_TILES_WIDTH |
                 (uint32_t)l->tile_height_log2_el << AGX_TILES_HEIGHT | element_log2 << AGX_TILES_ELEMENT |
                 (sparse ? AGX_TILES_SPARSE : 0);
   words[4] = sparse ? (uint32_t)(l->offset_B / AIL_CACHE_LINE_B) : 0;
}

/* Sizes that queries of shaders give. */
static void
size_words(const struct agx_image_view *view, enum pipe_view_type type, uint32_t words[2])
{
   bool cube = type == PIPE_VIEW_CUBE || type == PIPE_VIEW_CUBE_ARRAY;
   uint32_t layers = type == PIPE_VIEW_3D ? agx_level_depth_px(view->image, view->base_level)
                     : cube               ? view->layers / 6
                                          : view->layers;

   words[0] = (view->width_px - 1) | (view->height_px - 1) << 16;
   words[1] = (layers - 1) | view->levels << 16 | (uint32_t)log2_floor(view->samples) << 20 | AGX_LAYERS_NOT_NULL;
}

/* Samples of an image as texels of a linear one, in the order in which they lie in memory: agx_nir_sample. */
static void
samples_pbe(const struct agx_plane_view *view, uint32_t words[6])
{
   const struct ail_layout *layout = &view->image->planes[view->plane];
   const unsigned texel_B = layout->element_B / view->image->desc.samples;
   const uint32_t stride_B = texel_B << AGX_TEXEL_ROW_LOG2;
   const uint32_t rows = (uint32_t)div_round_up(view->layers * layout->layer_stride_B, stride_B);
   struct agx_format_codes codes;
   bool known = agx_format_codes(view->format, &codes);

   assert(known && "a view's format is one of textures");
   struct agx_pbe pbe = {
      .dimension = AGX_TEXTURE_DIMENSION_2D_ARRAY,
      .layout = AGX_LAYOUT_LINEAR,
      .channels = codes.channels,
      .type = codes.type,
      .swizzle_r = codes.stored[0],
      .swizzle_g = codes.stored[1],
      .swizzle_b = codes.stored[2],
      .swizzle_a = codes.stored[3],
      .width_px = 1u << AGX_TEXEL_ROW_LOG2,
      .height_px = MIN2(rows, 1u << AGX_TEXEL_ROW_LOG2),
      .address = place_of(view).address,
      .stride_B = stride_B,
      .extended = true,
      .layers = (uint32_t)div_round_up(rows, 1u << AGX_TEXEL_ROW_LOG2),
      .layer_stride_B = (uint64_t)stride_B << AGX_TEXEL_ROW_LOG2,
   };

   agx_pbe_pack(words, &pbe);
}

static void
fill_storage(struct agx_image_view *view, const struct pipe_image_view_desc *desc, struct agx_plane_view plane)
{
   static const uint8_t identity[4] = {PIPE_SWIZZLE_R, PIPE_SWIZZLE_G, PIPE_SWIZZLE_B, PIPE_SWIZZLE_A};

   for (unsigned i = 0; i < 4; i++)
      plane.swizzle[i] = identity[i];
   if (plane.type == PIPE_VIEW_CUBE || plane.type == PIPE_VIEW_CUBE_ARRAY)
      plane.type = PIPE_VIEW_2D_ARRAY;
   plane.levels = 1;
   agx_plane_texture(&plane, view->storage);
   size_words(view, desc->type, view->storage + AGX_TEXTURE_SIZE);
   if (view->samples > 1)
      samples_pbe(&plane, view->storage + AGX_STORAGE_PBE);
   else
      agx_plane_pbe(&plane, false, view->storage + AGX_STORAGE_PBE);
   agx_level_words(view->image, plane.plane, view->base_level, view->base_layer, view->storage + AGX_STORAGE_ADDRESS);
}

/* What shaders see; sampled views of depth/stencil images show one of the planes. */
static bool
fill_descriptors(struct agx_image_view *view, const struct pipe_image_view_desc *desc)
{
   bool stencil = desc->range.aspects == PIPE_ASPECT_STENCIL;
   struct agx_format_codes codes;
   struct agx_plane_view plane = {
      .image = view->image,
      .plane = stencil ? AGX_PLANE_STENCIL : AGX_PLANE_MAIN,
      .type = desc->type,
      .format = agx_format_of_aspect(view->format, stencil),
      .base_level = view->base_level,
      .levels = view->levels,
      .base_layer = view->base_layer,
      .layers = view->layers,
   };

   for (unsigned i = 0; i < 4; i++)
      plane.swizzle[i] = desc->swizzle[i];
   /* A view of a stencil image that names no single aspect is of a target. */
   if (!view->image->plane_format[plane.plane])
      return true;
   if (!agx_format_codes(plane.format, &codes))
      return false;
   agx_plane_texture(&plane, view->sampled);
   size_words(view, desc->type, view->sampled + AGX_TEXTURE_SIZE);
   if (desc->usage & PIPE_USAGE_STORAGE)
      fill_storage(view, desc, plane);
   return true;
}

static bool
shows_blocks(const struct pipe_image_view_desc *desc)
{
   const struct format_info *own = format_info(agx_resource(desc->image)->desc.format);
   const struct format_info *seen = format_info(desc->format);

   return own->compression && !seen->compression;
}

static bool
init_block_plane(struct agx_resource *blocks, uint32_t format)
{
   const struct ail_image *of = &blocks->planes[AGX_PLANE_MAIN].image;
   struct ail_image ail = {
      .format = format,
      .dimension = of->dimension == AIL_3D ? AIL_3D : AIL_2D,
      .tiling = of->tiling,
      .width_px = blocks->desc.width_px,
      .height_px = blocks->desc.height_px,
      .depth_px = blocks->desc.depth_px,
      .layers = 1,
      .levels = 1,
      .samples = 1,
      .writeable = of->writeable,
   };

   return ail_layout_init(&blocks->planes[AGX_PLANE_MAIN], &ail) == AIL_OK;
}

/* Tiles of the level are those of the image of blocks, or texels would lie elsewhere. */
static bool
has_tiles_of(const struct agx_resource *blocks, const struct ail_level *l)
{
   const struct ail_level *own = &blocks->planes[AGX_PLANE_MAIN].levels[0];

   return own->tile_width_log2_el == l->tile_width_log2_el && own->tile_height_log2_el == l->tile_height_log2_el &&
          (own->tiles_per_row == l->tiles_per_row || l->height_el <= 1u << l->tile_height_log2_el);
}

/* One level and layer of a compressed image, all slices of a 3D one, as an image of another format whose texels are
 * the blocks. Sizes of levels in blocks do not halve as sizes of texels do: where the tiles of a level are those of a
 * larger one, the image has a column or a row more, which lies in the level's padding. */
static bool
image_of_blocks(const struct agx_resource *image, uint32_t format, unsigned level, unsigned layer,
                struct agx_resource *blocks)
{
   const struct ail_layout *layout = &image->planes[AGX_PLANE_MAIN];
   const struct ail_level *l = &layout->levels[level];

   *blocks = *image;
   blocks->va = agx_plane_va(image, AGX_PLANE_MAIN) + layer * layout->layer_stride_B + l->offset_B;
   blocks->plane_offset_B[AGX_PLANE_MAIN] = 0;
   blocks->desc.type = image->desc.type == PIPE_IMAGE_3D ? PIPE_IMAGE_3D : PIPE_IMAGE_2D;
   blocks->desc.format = blocks->plane_format[AGX_PLANE_MAIN] = format;
   blocks->desc.depth_px = agx_level_depth_px(image, level);
   blocks->desc.levels = blocks->desc.layers = 1;
   for (unsigned more = 0; more < 4; more++) {
      blocks->desc.width_px = l->width_el + (more & 1);
      blocks->desc.height_px = l->height_el + (more >> 1);
      if (!init_block_plane(blocks, format))
         return false;
      if (has_tiles_of(blocks, l) || mutant("agx-block-view-size"))
         return true;
   }
   return false;
}

static enum pipe_result
image_view_create(struct pipe_screen *screen, const struct pipe_image_view_desc *desc, struct pipe_image_view **out)
{
   struct agx_image_view *view = calloc(1, sizeof(*view));

   if (!view)
      return PIPE_OUT_OF_HOST_MEMORY;
   view->image = agx_resource(desc->image);
   view->format = view->image->turned_bits ? view->image->desc.format : desc->format;
   view->aspects = desc->range.aspects;
   view->base_level = desc->range.base_level;
   view->base_layer = desc->range.base_layer;
   view->levels = desc->range.levels;
   view->layers = desc->range.layers;
   view->samples = view->image->desc.samples;
   view->width_px = agx_level_width_px(view->image, view->base_level);
   view->height_px = agx_level_height_px(view->image, view->base_level);
   bool ok = true;
   if (shows_blocks(desc)) {
      const struct ail_level *l = &view->image->planes[AGX_PLANE_MAIN].levels[view->base_level];

      view->width_px = l->width_el;
      view->height_px = l->height_el;
      ok = image_of_blocks(view->image, desc->format, view->base_level, view->base_layer, &view->blocks);
      view->image = &view->blocks;
      view->base_level = view->base_layer = 0;
   }
   if (!ok || !fill_descriptors(view, desc)) {
      free(view);
      return PIPE_UNSUPPORTED;
   }
   *out = agx_image_view_handle(view);
   return PIPE_OK;
}

static void
image_view_destroy(struct pipe_screen *screen, struct pipe_image_view *view)
{
   free(agx_image_view(view));
}

static const enum agx_wrap wraps[] = {
   [PIPE_WRAP_REPEAT] = AGX_WRAP_REPEAT,
   [PIPE_WRAP_MIRRORED_REPEAT] = AGX_WRAP_MIRRORED_REPEAT,
   [PIPE_WRAP_CLAMP_TO_EDGE] = AGX_WRAP_CLAMP_TO_EDGE,
   [PIPE_WRAP_CLAMP_TO_BORDER] = AGX_WRAP_CLAMP_TO_BORDER,
   [PIPE_WRAP_MIRROR_CLAMP_TO_EDGE] = AGX_WRAP_MIRRORED_CLAMP_TO_EDGE,
};

static const enum agx_compare_func compares[] = {
   [PIPE_COMPARE_NEVER] = AGX_COMPARE_FUNC_NEVER,
   [PIPE_COMPARE_LESS] = AGX_COMPARE_FUNC_LESS,
   [PIPE_COMPARE_EQUAL] = AGX_COMPARE_FUNC_EQUAL,
   [PIPE_COMPARE_LESS_OR_EQUAL] = AGX_COMPARE_FUNC_LEQUAL,
   [PIPE_COMPARE_GREATER] = AGX_COMPARE_FUNC_GREATER,
   [PIPE_COMPARE_NOT_EQUAL] = AGX_COMPARE_FUNC_NOT_EQUAL,
   [PIPE_COMPARE_GREATER_OR_EQUAL] = AGX_COMPARE_FUNC_GEQUAL,
   [PIPE_COMPARE_ALWAYS] = AGX_COMPARE_FUNC_ALWAYS,
};

static const enum agx_border_colour borders[] = {
   [PIPE_BORDER_FLOAT_TRANSPARENT_BLACK] = AGX_BORDER_COLOUR_TRANSPARENT_BLACK,
   [PIPE_BORDER_INT_TRANSPARENT_BLACK] = AGX_BORDER_COLOUR_TRANSPARENT_BLACK,
   [PIPE_BORDER_FLOAT_OPAQUE_BLACK] = AGX_BORDER_COLOUR_OPAQUE_BLACK,
   [PIPE_BORDER_INT_OPAQUE_BLACK] = AGX_BORDER_COLOUR_OPAQUE_BLACK,
   [PIPE_BORDER_FLOAT_OPAQUE_WHITE] = AGX_BORDER_COLOUR_OPAQUE_WHITE,
   [PIPE_BORDER_INT_OPAQUE_WHITE] = AGX_BORDER_COLOUR_OPAQUE_WHITE,
   [PIPE_BORDER_CUSTOM] = AGX_BORDER_COLOUR_OPAQUE_WHITE, /* and zeros: sampler_create() */
};

static uint32_t
anisotropy(float max)
{
   return max < 2 ? 1 : max < 4 ? 2 : max < 8 ? 4 : max < 16 ? 8 : 16;
}

uint64_t
agx_sampler_words(const struct pipe_sampler_desc *desc)
{
   struct agx_sampler sampler = {
      .minimum_lod = desc->min_lod,
      .maximum_lod = desc->unnormalized ? 0 : desc->max_lod,
      .maximum_anisotropy = anisotropy(desc->max_anisotropy),
      .magnify = desc->mag == PIPE_FILTER_LINEAR ? AGX_FILTER_LINEAR : AGX_FILTER_NEAREST,
      .minify = desc->min == PIPE_FILTER_LINEAR ? AGX_FILTER_LINEAR : AGX_FILTER_NEAREST,
      .mip_filter = desc->unnormalized                ? AGX_MIP_FILTER_NONE
                    : desc->mip == PIPE_FILTER_LINEAR ? AGX_MIP_FILTER_LINEAR
                                                      : AGX_MIP_FILTER_NEAREST,
      .wrap_s = wraps[desc->wrap_u],
      .wrap_t = wraps[desc->wrap_v],
      .wrap_r = wraps[desc->wrap_w],
      .pixel_coordinates = desc->unnormalized,
      .compare_func = desc->compare_enable ? compares[desc->compare] : AGX_COMPARE_FUNC_LEQUAL,
      .compare_enable = desc->compare_enable,
      .border_colour = borders[desc->border],
      .seamful_cube_maps = desc->face_edges,
   };
   uint64_t words;

   agx_sampler_pack(&words, &sampler);
   return words;
}

static enum pipe_result
sampler_create(struct pipe_screen *screen, const struct pipe_sampler_desc *desc, struct pipe_sampler **out)
{
   struct agx_sampler_heap *heap = &agx_screen(screen)->samplers;
   struct agx_pipe_sampler *sampler = calloc(1, sizeof(*sampler));

   if (!sampler)
      return PIPE_OUT_OF_HOST_MEMORY;
   struct pipe_sampler_desc words = *desc;
   /* Comparisons have a border of 0 or 1. */
   if (desc->border == PIPE_BORDER_CUSTOM && desc->compare_enable && desc->custom_border.f[0] < 0.5f)
      words.border = PIPE_BORDER_FLOAT_TRANSPARENT_BLACK;
   sampler->heap_index = agx_sampler_heap_add(heap, agx_sampler_words(&words));
   sampler->lod_bias = desc->lod_bias;
   sampler->has_custom_border = desc->border == PIPE_BORDER_CUSTOM && !desc->compare_enable;
   if (sampler->has_custom_border) {
      words.border = PIPE_BORDER_FLOAT_TRANSPARENT_BLACK;
      sampler->border = desc->custom_border;
      sampler->zeros_index = agx_sampler_heap_add(heap, agx_sampler_words(&words));
   }
   if (sampler->heap_index == UINT32_MAX || sampler->zeros_index == UINT32_MAX) {
      free(sampler);
      return PIPE_OUT_OF_HOST_MEMORY;
   }
   *out = agx_pipe_sampler_handle(sampler);
   return PIPE_OK;
}

static void
sampler_destroy(struct pipe_screen *screen, struct pipe_sampler *sampler)
{
   free(agx_pipe_sampler(sampler));
}

void
agx_init_view(struct agx_screen *screen)
{
   screen->base.image_view_create = image_view_create;
   screen->base.image_view_destroy = image_view_destroy;
   screen->base.sampler_create = sampler_create;
   screen->base.sampler_destroy = sampler_destroy;
}
