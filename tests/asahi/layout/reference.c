/* The slow implementation. The numbers are those of the description: pages of 16 KiB, cache lines of 128 bytes. */
#include "reference.h"

static uint32_t
ceil_divide(uint32_t a, uint32_t b)
{
   uint32_t result = 0;
   for (uint64_t covered = 0; covered < a; covered += b)
      result++;
   return result;
}

static uint32_t
power_of_two_from(uint32_t value)
{
   uint32_t power = 1;
   while (power < value)
      power *= 2;
   return power;
}

static uint32_t
halve(uint32_t value, uint32_t times)
{
   while (times--)
      value = value > 1 ? value / 2 : 1;
   return value;
}

static uint64_t
round_up(uint64_t value, uint64_t unit)
{
   return value % unit ? value + unit - value % unit : value;
}

/* The tile of large levels: the n x n or 2n x n elements that fill a page. */
static void
page_tile(uint32_t element_B, uint32_t *width, uint32_t *height)
{
   *width = *height = 1;
   while (*width * *height * element_B < 16384) {
      if (*width == *height)
         *width *= 2;
      else
         *height *= 2;
   }
}

/* Tiles of large level l. Walks down the chain and notes whether a halving dropped a column or a row. */
static uint64_t
tiles_of_level(uint32_t columns, uint32_t rows, uint32_t l, bool *dropped_column)
{
   uint64_t tiles = (uint64_t)columns * rows;
   uint32_t c = columns, r = rows;
   bool column = false, row = false;
   for (uint32_t i = 0; i < l; i++) {
      column |= c % 2;
      row |= r % 2;
      c /= 2;
      r /= 2;
      tiles /= 4;
   }
   *dropped_column = column;
   return tiles + (column ? r : 0) + (row ? c : 0) + (column && row ? 1 : 0);
}

static uint64_t
gpu_levels(struct ref_layout *ref)
{
   uint32_t tw, th, bw = ref->block_width_px, bh = ref->block_height_px;
   page_tile(ref->element_B, &tw, &th);
   uint32_t w = ref->levels[0].width_el, h = ref->levels[0].height_el;
   bool blocks = bw > 1;
   uint64_t end = 0;
   bool small = false;
   uint32_t small_w = 0, small_h = 0;
   for (uint32_t l = 0; l < ref->level_count; l++) {
      struct ref_level *level = &ref->levels[l];
      /* Block images are halved as if every block was full. */
      bool large = ceil_divide(halve(w * bw, l), bw) >= tw && ceil_divide(halve(h * bh, l), bh) >= th && !small;
      if (large) {
         bool dropped_column;
         level->tile_width_el = tw;
         level->tile_height_el = th;
         level->size_B = 16384 * tiles_of_level(ceil_divide(w, tw), ceil_divide(h, th), l, &dropped_column);
         level->tiles_per_row = ceil_divide(level->width_el + (blocks && dropped_column ? 1 : 0), tw);
      } else {
         if (!small) {
            small_w = blocks ? halve(power_of_two_from(w), l) : power_of_two_from(halve(w, l));
            small_h = blocks ? halve(power_of_two_from(h), l) : power_of_two_from(halve(h, l));
         }
         small = true;
         uint32_t minor = blocks ? MIN2(small_w, small_h) : MIN2(halve(w, l), halve(h, l));
         level->tile_width_el = level->tile_height_el = power_of_two_from(minor);
         level->size_B = (uint64_t)small_w * small_h * ref->element_B;
         level->tiles_per_row = ceil_divide(level->width_el, level->tile_width_el);
         small_w = halve(small_w, 1);
         small_h = halve(small_h, 1);
      }
      level->offset_B = end;
      end = round_up(end + level->size_B, 128);
   }
   return end;
}

static uint64_t
twiddled_levels(struct ref_layout *ref)
{
   uint64_t end = 0;
   for (uint32_t l = 0; l < ref->level_count; l++) {
      struct ref_level *level = &ref->levels[l];
      level->offset_B = end;
      level->size_B = (uint64_t)halve(power_of_two_from(ref->levels[0].width_el), l) *
                      halve(power_of_two_from(ref->levels[0].height_el), l) * ref->element_B;
      end = round_up(end + level->size_B, 128);
   }
   return end;
}

struct ref_layout
ref_layout(const struct ail_image *image)
{
   const struct format_info *info = format_info(image->format);
   struct ref_layout ref = {.image = *image,
                            .sample_B = info->block_size_B,
                            .element_B = info->block_size_B * image->samples,
                            .block_width_px = info->block_width_el,
                            .block_height_px = info->block_height_el};
   bool depth = image->dimension == AIL_3D, depth_stencil = info->components[0].name >= FORMAT_DEPTH;
   ref.layer_count = depth ? image->depth_px : image->layers;
   ref.level_count = 1;
   uint32_t longest = MAX2(MAX2(image->width_px, image->height_px), depth ? image->depth_px : 1);
   while (image->levels > 1 && longest >> ref.level_count)
      ref.level_count++;
   for (uint32_t l = 0; l < ref.level_count; l++) {
      ref.levels[l].width_el = ceil_divide(halve(image->width_px, l), ref.block_width_px);
      ref.levels[l].height_el = ceil_divide(halve(image->height_px, l), ref.block_height_px);
   }
   if (image->tiling == AIL_TILING_LINEAR) {
      ref.stride_B = image->force_stride ? image->stride_B : round_up((uint64_t)image->width_px * ref.element_B, 128);
      ref.levels[0].size_B = ref.stride_B * image->height_px;
      ref.layer_stride_B = round_up(ref.levels[0].size_B, 128);
      return ref;
   }
   uint64_t end = image->tiling == AIL_TILING_GPU ? gpu_levels(&ref) : twiddled_levels(&ref);
   bool pages = image->levels > 1 && end > 16384;
   if (ref.layer_count == 1 && !depth_stencil)
      pages = false;
   if (image->tiling == AIL_TILING_TWIDDLED || image->writeable || image->sparse ||
       (image->renderable && ref.layer_count > 1))
      pages = true;
   ref.layer_stride_B = pages ? round_up(end, 16384) : end;
   return ref;
}

/* Takes bits of x and y in turn, x first, as long as the axis has bits. */
static uint64_t
interleave(uint32_t x, uint32_t y, uint32_t width, uint32_t height)
{
   uint64_t code = 0, bit = 1;
   for (uint32_t i = 1; i < width || i < height; i *= 2) {
      if (i < width) {
         code += x & i ? bit : 0;
         bit *= 2;
      }
      if (i < height) {
         code += y & i ? bit : 0;
         bit *= 2;
      }
   }
   return code;
}

uint64_t
ref_offset_B(const struct ref_layout *ref, uint32_t x_el, uint32_t y_el, uint32_t layer, uint32_t level,
             uint32_t sample)
{
   const struct ref_level *l = &ref->levels[level];
   uint64_t base = layer * ref->layer_stride_B + l->offset_B + sample * ref->sample_B;
   if (ref->image.tiling == AIL_TILING_LINEAR)
      return base + y_el * ref->stride_B + (uint64_t)x_el * ref->element_B;
   if (ref->image.tiling == AIL_TILING_TWIDDLED) {
      uint32_t width = power_of_two_from(l->width_el), height = power_of_two_from(l->height_el);
      if (ref->block_width_px > 1) {
         width = halve(power_of_two_from(ref->levels[0].width_el), level);
         height = halve(power_of_two_from(ref->levels[0].height_el), level);
      }
      return base + interleave(x_el, y_el, width, height) * ref->element_B;
   }
   uint32_t tw = l->tile_width_el, th = l->tile_height_el;
   uint64_t tile = (uint64_t)(y_el / th) * l->tiles_per_row + x_el / tw;
   return base + (tile * tw * th + interleave(x_el % tw, y_el % th, tw, th)) * ref->element_B;
}

uint64_t
ref_metadata_B(const struct ref_layout *ref, uint32_t x_tl, uint32_t y_tl, uint32_t layer, uint32_t level)
{
   uint32_t w = (uint32_t)round_up(ref->image.width_px * (ref->image.samples == 4 ? 2 : 1), 16);
   uint32_t h = (uint32_t)round_up(ref->image.height_px * (ref->image.samples > 1 ? 2 : 1), 16);
   uint32_t longest = MAX2(w, h);
   uint64_t before = 0, layer_B = 0, in_level = 0;
   for (uint32_t l = 0; l < ref->level_count && halve(longest, l) >= 16; l++) {
      uint32_t columns = power_of_two_from(ceil_divide(w, 16)), rows = power_of_two_from(ceil_divide(h, 16));
      if (l == level) {
         before = layer_B;
         in_level = 8 * interleave(x_tl, y_tl, columns, rows);
      }
      layer_B += round_up(8ull * columns * rows, 128);
      w = ceil_divide(w, 2);
      h = ceil_divide(h, 2);
   }
   return layer * layer_B + before + in_level;
}

uint32_t
random_below(struct random *random, uint32_t end)
{
   random->state ^= random->state << 13;
   random->state ^= random->state >> 7;
   random->state ^= random->state << 17;
   return (uint32_t)((random->state >> 16) % end);
}

void
random_interval(struct random *random, uint32_t size, uint32_t *start, uint32_t *length)
{
   *start = random_below(random, size);
   *length = 1 + random_below(random, size - *start);
   if (random_below(random, 3) == 0) {
      *start = 0;
      *length = size;
   } else if (random_below(random, 20) == 0) {
      *length = 0;
   }
}

struct ail_box
random_box(struct random *random, const struct ail_layout *layout)
{
   struct ail_box box = {.level = random_below(random, layout->allocated_levels)};
   uint32_t limit = random_below(random, 6);
   box.level = MIN2(box.level, limit);
   const struct ail_level *level = &layout->levels[box.level];
   random_interval(random, level->width_el, &box.x_el, &box.width_el);
   random_interval(random, level->height_el, &box.y_el, &box.height_el);
   random_interval(random, layout->layer_count, &box.layer, &box.layers);
   return box;
}

/* From 1 to the limit: often tiny, often near a power of two, which is where rules change. */
static uint32_t
random_side(struct random *random, uint32_t limit_px)
{
   uint32_t kind = random_below(random, 4);
   uint32_t side = 1 + random_below(random, kind == 0 ? MIN2(limit_px, 20u) : limit_px);
   if (kind == 1)
      side = (1u << random_below(random, log2_floor(limit_px) + 1)) + random_below(random, 3) - 1;
   return MIN2(MAX2(side, 1u), limit_px);
}

struct ail_image
random_image(struct random *random, uint32_t limit_px)
{
   static const uint32_t formats[] = {
      FORMAT_R8_UNORM,
      FORMAT_R8G8_UNORM,
      FORMAT_R8G8B8A8_UNORM,
      FORMAT_R16G16B16A16_SFLOAT,
      FORMAT_R32G32B32A32_SFLOAT,
      FORMAT_R64G64B64A64_SFLOAT,
      FORMAT_S8_UINT,
      FORMAT_D32_SFLOAT,
      FORMAT_D16_UNORM,
      FORMAT_BC1_RGB_UNORM_BLOCK,
      FORMAT_BC7_SRGB_BLOCK,
      FORMAT_ETC2_R8G8B8_UNORM_BLOCK,
      FORMAT_EAC_R11G11_UNORM_BLOCK,
      FORMAT_ASTC_5x4_UNORM_BLOCK,
      FORMAT_ASTC_12x12_SRGB_BLOCK,
      FORMAT_ASTC_10x6_UNORM_BLOCK,
   };
   struct ail_image image = {.format = formats[random_below(random, ARRAY_SIZE(formats))],
                             .depth_px = 1,
                             .layers = 1,
                             .levels = 1,
                             .samples = 1};
   image.dimension = (enum ail_dimension)random_below(random, 4);
   image.tiling = AIL_TILING_LINEAR + random_below(random, 3);
   image.width_px = random_side(random, limit_px);
   image.height_px = image.dimension == AIL_1D     ? 1
                     : image.dimension == AIL_CUBE ? image.width_px
                                                   : random_side(random, limit_px);
   if (image.dimension == AIL_3D)
      image.depth_px = random_side(random, 12);
   else
      image.layers = (1 + random_below(random, 3)) * (image.dimension == AIL_CUBE ? 6 : 1);
   const struct format_info *info = format_info(image.format);
   if (image.tiling == AIL_TILING_LINEAR) {
      if (info->compression)
         image.format = FORMAT_R8G8_UNORM;
      image.dimension = image.height_px == 1 ? AIL_1D : AIL_2D;
      image.depth_px = 1;
      image.force_stride = image.dimension == AIL_2D && random_below(random, 2);
      uint32_t row_B = image.width_px * format_info(image.format)->block_size_B;
      image.stride_B = image.force_stride ? (uint32_t)align_up(row_B, 16) + 16 * random_below(random, 5) : 0;
      return image;
   }
   if (image.dimension == AIL_2D && !info->compression && random_below(random, 3) == 0) {
      uint32_t samples = 2u << random_below(random, 2);
      image.samples = MIN2(samples, 64u / info->block_size_B);
   }
   uint32_t longest = MAX2(MAX2(image.width_px, image.height_px), image.depth_px);
   if (random_below(random, 3))
      image.levels = 1 + random_below(random, log2_floor(longest) + 1);
   image.sparse = random_below(random, 4) == 0;
   image.writeable = random_below(random, 4) == 0;
   image.renderable = random_below(random, 4) == 0;
   image.compressed = true;
   image.compressed = ail_can_compress(&image) == AIL_OK && random_below(random, 2);
   return image;
}
