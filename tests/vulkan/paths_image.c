#include "paths_image.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* clang-format off */
static const struct paths_format formats[] = {
   {VK_FORMAT_R8_UINT, VK_FORMAT_R8_UINT, 1, 1, 1, 1, {8}, {0}},
   {VK_FORMAT_R8G8_UINT, VK_FORMAT_R8G8_UINT, 2, 1, 1, 2, {8, 8}, {0, 8}},
   {VK_FORMAT_R8G8B8A8_UINT, VK_FORMAT_R8G8B8A8_UINT, 4, 1, 1, 4, {8, 8, 8, 8}, {0, 8, 16, 24}},
   {VK_FORMAT_R16_UINT, VK_FORMAT_R16_UINT, 2, 1, 1, 1, {16}, {0}},
   {VK_FORMAT_R16G16_UINT, VK_FORMAT_R16G16_UINT, 4, 1, 1, 2, {16, 16}, {0, 16}},
   {VK_FORMAT_R16G16B16A16_UINT, VK_FORMAT_R16G16B16A16_UINT, 8, 1, 1, 4, {16, 16, 16, 16}, {0, 16, 32, 48}},
   {VK_FORMAT_R32_UINT, VK_FORMAT_R32_UINT, 4, 1, 1, 1, {32}, {0}},
   {VK_FORMAT_R32G32_UINT, VK_FORMAT_R32G32_UINT, 8, 1, 1, 2, {32, 32}, {0, 32}},
   {VK_FORMAT_R32G32B32A32_UINT, VK_FORMAT_R32G32B32A32_UINT, 16, 1, 1, 4, {32, 32, 32, 32}, {0, 32, 64, 96}},
   {VK_FORMAT_A2B10G10R10_UINT_PACK32, VK_FORMAT_A2B10G10R10_UINT_PACK32, 4, 1, 1, 4, {10, 10, 10, 2},
    {0, 10, 20, 30}},
   /* Nobody looks at numbers of these; the other images of a copy have integers. */
   {VK_FORMAT_B4G4R4A4_UNORM_PACK16, VK_FORMAT_R16_UINT, 2, 1, 1, 1, {16}, {0}},
   {VK_FORMAT_R4G4B4A4_UNORM_PACK16, VK_FORMAT_R8G8_UINT, 2, 1, 1, 1, {16}, {0}},
   {VK_FORMAT_BC1_RGBA_UNORM_BLOCK, VK_FORMAT_R32G32_UINT, 8, 4, 4, 2, {32, 32}, {0, 32}},
   {VK_FORMAT_BC3_UNORM_BLOCK, VK_FORMAT_R32G32B32A32_UINT, 16, 4, 4, 4, {32, 32, 32, 32}, {0, 32, 64, 96}},
   {VK_FORMAT_ETC2_R8G8B8_UNORM_BLOCK, VK_FORMAT_R32G32_UINT, 8, 4, 4, 2, {32, 32}, {0, 32}},
   {VK_FORMAT_ASTC_6x5_UNORM_BLOCK, VK_FORMAT_R32G32B32A32_UINT, 16, 6, 5, 4, {32, 32, 32, 32}, {0, 32, 64, 96}},
   {VK_FORMAT_ASTC_12x12_UNORM_BLOCK, VK_FORMAT_R32G32B32A32_UINT, 16, 12, 12, 4, {32, 32, 32, 32},
    {0, 32, 64, 96}},
};
/* clang-format on */

bool paths_honeykrisp, paths_radv;

bool
is_texels(const struct paths_format *format)
{
   return format->view == format->format;
}

static bool
chance(uint32_t percent)
{
   return vkt_random_below(100) < percent;
}

static uint32_t
minify(uint32_t size, uint32_t level)
{
   return size >> level ? size >> level : 1;
}

static uint32_t
least(uint32_t a, uint32_t b)
{
   return a < b ? a : b;
}

/* ---- sizes ---- */

static uint32_t
elements(uint32_t px, uint32_t block_px)
{
   return (px + block_px - 1) / block_px;
}

uint32_t
level_width(const struct subject *s, uint32_t level)
{
   return elements(minify(s->info.extent.width, level), s->format->block_px);
}

uint32_t
level_height(const struct subject *s, uint32_t level)
{
   return elements(minify(s->info.extent.height, level), s->format->block_height_px);
}

uint32_t
level_layers(const struct subject *s, uint32_t level)
{
   return s->volume ? minify(s->info.extent.depth, level) : s->info.arrayLayers;
}

static uint32_t
element_B(const struct subject *s)
{
   return s->format->sample_B * s->info.samples;
}

static size_t
level_B(const struct subject *s, uint32_t level)
{
   return (size_t)level_width(s, level) * level_height(s, level) * level_layers(s, level) * element_B(s);
}

size_t
box_B(const struct subject *s, const struct box *box)
{
   return (size_t)box->width * box->height * box->layers * element_B(s);
}

/* ---- images ---- */

/* Small ones, and now and then some that have several of the largest tiles. Of blocks some are a little larger than a
 * power of two: halved, they are not in blocks what they are in pixels. */
static uint32_t
choose_side(const struct paths_format *format)
{
   if (format->block_px > 1 && chance(30))
      return (format->block_px << (1 + vkt_random_below(5))) + 1 + vkt_random_below(format->block_px);
   return 1 + vkt_random_below(chance(25) ? 250 : chance(50) ? 70 : 20) * (format->block_px > 1 ? 3 : 1);
}

enum shape { ONE, PLAIN, ARRAY, CUBE, VOLUME, SHAPES };

const struct choice paths_table[PATHS_CHOICES] = {[PATHS_FORMAT] = {"format", ARRAY_SIZE(formats)},
                                                  [PATHS_SHAPE] = {"shape", SHAPES},
                                                  [PATHS_SAMPLES] = {"samples", 3, .one_in = 2},
                                                  [PATHS_LINEAR] = {"linear", 2, .one_in = 3},
                                                  [PATHS_LEVELS] = {"levels", 2},
                                                  [PATHS_TARGET] = {"target", 2},
                                                  [PATHS_VIEWED] = {"viewed", 2},
                                                  [PATHS_STORAGE] = {"storage", 2},
                                                  [PATHS_HOST] = {"host", 2, .one_in = 3},
                                                  [PATHS_WRITER] = {"writer", PATHS_WRITERS, .found = true},
                                                  [PATHS_READER] = {"reader", PATHS_READERS, .found = true}};

/* Sets what follows from the choices before it. */
static void
adjust(unsigned now[PATHS_IMAGE_CHOICES])
{
   const struct paths_format *format = &formats[now[PATHS_FORMAT]];
   const enum shape shape = now[PATHS_SHAPE];
   const bool blocks = format->block_px > 1;
   if (!is_texels(format) || (shape != PLAIN && shape != ARRAY))
      now[PATHS_SAMPLES] = 0;
   const bool one = !now[PATHS_SAMPLES];
   now[PATHS_LINEAR] &= one && !blocks && shape != CUBE && shape != VOLUME;
   now[PATHS_LEVELS] &= one && !now[PATHS_LINEAR] && !(paths_honeykrisp && blocks);
   now[PATHS_TARGET] = is_texels(format) && (!one || now[PATHS_TARGET]);
   now[PATHS_VIEWED] = is_texels(format) || (blocks && now[PATHS_VIEWED]);
   now[PATHS_STORAGE] &= one && now[PATHS_VIEWED];
   now[PATHS_HOST] &= one && !(paths_radv && blocks) && vkt_has("VK_EXT_host_image_copy");
}

static void
describe_usage(struct subject *s, const unsigned chosen[PATHS_IMAGE_CHOICES])
{
   VkImageCreateInfo *info = &s->info;
   info->usage = VK_IMAGE_USAGE_TRANSFER_SRC_BIT | VK_IMAGE_USAGE_TRANSFER_DST_BIT | VK_IMAGE_USAGE_SAMPLED_BIT;
   s->viewed = chosen[PATHS_VIEWED];
   if (chosen[PATHS_TARGET])
      info->usage |= VK_IMAGE_USAGE_COLOR_ATTACHMENT_BIT;
   if (s->viewed && s->format->block_px > 1)
      info->flags |= VK_IMAGE_CREATE_MUTABLE_FORMAT_BIT | VK_IMAGE_CREATE_BLOCK_TEXEL_VIEW_COMPATIBLE_BIT |
                     VK_IMAGE_CREATE_EXTENDED_USAGE_BIT;
   if (chosen[PATHS_STORAGE])
      info->usage |= VK_IMAGE_USAGE_STORAGE_BIT;
   if (chosen[PATHS_HOST])
      info->usage |= VK_IMAGE_USAGE_HOST_TRANSFER_BIT_EXT;
   if (s->volume && chosen[PATHS_TARGET])
      info->flags |= VK_IMAGE_CREATE_2D_ARRAY_COMPATIBLE_BIT;
}

static bool
is_offered(struct vkx *vkx, const VkImageCreateInfo *info)
{
   VkImageFormatProperties got;
   return vkGetPhysicalDeviceImageFormatProperties(vkx->physical, info->format, info->imageType, info->tiling,
                                                   info->usage, info->flags, &got) == VK_SUCCESS &&
          info->mipLevels <= got.maxMipLevels && info->arrayLayers <= got.maxArrayLayers &&
          info->extent.width <= got.maxExtent.width && info->extent.height <= got.maxExtent.height &&
          info->samples & got.sampleCounts;
}

static void
map_rows(struct vkx *vkx, struct subject *s)
{
   const VkImageSubresource whole = {COLOR, 0, 0};
   vkGetImageSubresourceLayout(vkx->device, s->image.image, &whole, &s->rows);
   vkx_check(vkMapMemory(vkx->device, s->image.memory, 0, VK_WHOLE_SIZE, 0, &s->map), "vkMapMemory");
}

bool
subject_describe(struct vkx *vkx, struct subject *s, const unsigned chosen[PATHS_IMAGE_CHOICES])
{
   static const VkSampleCountFlagBits samples[] = {1, 2, 4};
   const enum shape shape = chosen[PATHS_SHAPE];
   unsigned adjusted[PATHS_IMAGE_CHOICES];
   memcpy(adjusted, chosen, sizeof(adjusted));
   adjust(adjusted);
   *s = (struct subject){.format = &formats[chosen[PATHS_FORMAT]], .volume = shape == VOLUME};
   s->info = (VkImageCreateInfo){.flags = shape == CUBE ? VK_IMAGE_CREATE_CUBE_COMPATIBLE_BIT : 0,
                                 .imageType = shape == ONE ? VK_IMAGE_TYPE_1D
                                              : s->volume  ? VK_IMAGE_TYPE_3D
                                                           : VK_IMAGE_TYPE_2D,
                                 .format = s->format->format,
                                 .extent = {2, 1, 1},
                                 .mipLevels = 1 + chosen[PATHS_LEVELS],
                                 .arrayLayers = shape == CUBE ? 6 : 1,
                                 .samples = samples[chosen[PATHS_SAMPLES]],
                                 .tiling = chosen[PATHS_LINEAR] ? VK_IMAGE_TILING_LINEAR : VK_IMAGE_TILING_OPTIMAL};
   describe_usage(s, chosen);
   return !memcmp(adjusted, chosen, sizeof(adjusted)) && is_offered(vkx, &s->info);
}

void
subject_choose(struct vkx *vkx, struct choices *images, uint32_t number)
{
   unsigned kept[PATHS_IMAGE_CHOICES] = {0}, most = 0, found = 0;
   for (uint32_t i = 0; found < 24 || !most; i++) {
      struct subject s;
      choices_draw(images, (uint64_t)number << 16 | i);
      adjust(images->now);
      if (!subject_describe(vkx, &s, images->now))
         continue;
      const unsigned count = 1 + choices_new_pairs(images);
      if (count > most)
         memcpy(kept, images->now, sizeof(kept));
      most = count > most ? count : most;
      found++;
   }
   memcpy(images->now, kept, sizeof(kept));
}

static void
choose_size(struct subject *s, enum shape shape)
{
   VkImageCreateInfo *info = &s->info;
   const uint32_t side = choose_side(s->format);
   info->extent.width = shape == ONE ? 4 * side : side;
   info->extent.height = shape == ONE ? 1 : shape == CUBE ? side : choose_side(s->format);
   info->extent.depth = s->volume ? 1 + vkt_random_below(12) : 1;
   info->arrayLayers = shape == CUBE                    ? 6 + 6 * vkt_random_below(2)
                       : shape == ARRAY || shape == ONE ? 1 + vkt_random_below(5)
                                                        : 1;
}

void
subject_create(struct vkx *vkx, struct subject *s, const unsigned chosen[PATHS_IMAGE_CHOICES])
{
   subject_describe(vkx, s, chosen);
   do
      choose_size(s, chosen[PATHS_SHAPE]);
   while (level_B(s, 0) / s->format->sample_B > PATHS_MAX_SAMPLES || !is_offered(vkx, &s->info) ||
          (chosen[PATHS_LEVELS] && s->info.extent.width == 1 && s->info.extent.height == 1));
   while (chosen[PATHS_LEVELS] && vkt_random_below(2) &&
          (s->info.extent.width >> s->info.mipLevels || s->info.extent.height >> s->info.mipLevels))
      s->info.mipLevels++;
   s->image = vkt_image_create(vkx, s->info, s->info.tiling == VK_IMAGE_TILING_LINEAR);
   if (s->info.tiling == VK_IMAGE_TILING_LINEAR)
      map_rows(vkx, s);
   for (uint32_t i = 0; i < s->info.mipLevels; i++)
      s->levels[i] = calloc(level_B(s, i), 1);
   snprintf(s->text, sizeof(s->text), "format %u %s%s %ux%ux%u, %u levels, %u layers, %u samples%s%s%s%s",
            s->info.format, s->viewed && s->format->block_px > 1 ? "in blocks " : "",
            s->info.imageType == VK_IMAGE_TYPE_1D ? "1D"
            : s->volume                           ? "3D"
                                                  : "2D",
            s->info.extent.width, s->info.extent.height, s->info.extent.depth, s->info.mipLevels, s->info.arrayLayers,
            s->info.samples, s->info.tiling == VK_IMAGE_TILING_LINEAR ? ", linear" : "",
            s->info.usage & VK_IMAGE_USAGE_COLOR_ATTACHMENT_BIT ? ", target" : "",
            s->info.usage & VK_IMAGE_USAGE_STORAGE_BIT ? ", storage" : "",
            s->info.usage & VK_IMAGE_USAGE_HOST_TRANSFER_BIT_EXT ? ", host" : "");
}

void
subject_destroy(struct vkx *vkx, struct subject *s)
{
   vkt_image_destroy(vkx, &s->image);
   for (uint32_t i = 0; i < s->info.mipLevels; i++)
      free(s->levels[i]);
}

/* ---- boxes ---- */

struct box
whole_level(const struct subject *s, uint32_t level)
{
   return (struct box){.level = level,
                       .width = level_width(s, level),
                       .height = level_height(s, level),
                       .layers = level_layers(s, level)};
}

static void
shrink(uint32_t *first, uint32_t *size)
{
   const uint32_t skip = vkt_random_below(*size);
   *first += skip;
   *size = 1 + vkt_random_below(*size - skip);
}

struct box
part_of_box(const struct box *box)
{
   struct box part = *box;
   shrink(&part.x, &part.width);
   shrink(&part.y, &part.height);
   shrink(&part.layer, &part.layers);
   return part;
}

struct box
choose_box(const struct subject *s)
{
   const struct box all = whole_level(s, vkt_random_below(s->info.mipLevels));
   return chance(20) ? all : part_of_box(&all);
}

/* A row of the box in what the image should hold. */
static uint8_t *
row_of(const struct subject *s, const struct box *box, uint32_t row)
{
   const uint32_t y = box->y + row % box->height, layer = box->layer + row / box->height;
   return s->levels[box->level] +
          ((size_t)(layer * level_height(s, box->level) + y) * level_width(s, box->level) + box->x) * element_B(s);
}

void
randomize_box(struct subject *s, const struct box *box)
{
   for (uint32_t row = 0; row < box->height * box->layers; row++) {
      uint8_t *bytes = row_of(s, box, row);
      for (uint32_t i = 0; i < box->width * element_B(s); i++)
         bytes[i] = (uint8_t)(vkt_random() >> 8);
   }
}

void
gather_box(const struct subject *s, const struct box *box, uint8_t *bytes)
{
   const size_t row_B = (size_t)box->width * element_B(s);
   for (uint32_t row = 0; row < box->height * box->layers; row++)
      memcpy(bytes + row * row_B, row_of(s, box, row), row_B);
}

bool
box_is(const struct subject *s, const struct box *box, const uint8_t *bytes)
{
   const size_t row_B = (size_t)box->width * element_B(s);
   for (uint32_t row = 0; row < box->height * box->layers; row++) {
      if (memcmp(bytes + row * row_B, row_of(s, box, row), row_B))
         return false;
   }
   return true;
}

/* ---- numbers ---- */

static uint32_t
mask_of(const struct paths_format *format, unsigned component)
{
   return format->bits[component] == 32 ? UINT32_MAX : (1u << format->bits[component]) - 1;
}

static void
unpack(const struct paths_format *format, const uint8_t *sample, uint32_t numbers[4])
{
   uint32_t words[4] = {0};
   memcpy(words, sample, format->sample_B);
   for (unsigned i = 0; i < 4; i++) {
      numbers[i] = i == 3;
      if (i < format->components)
         numbers[i] = words[format->shift[i] / 32] >> format->shift[i] % 32 & mask_of(format, i);
   }
}

void
unpack_box(const struct subject *s, const struct box *box, uint32_t *numbers)
{
   for (uint32_t row = 0; row < box->height * box->layers; row++) {
      for (uint32_t i = 0; i < box->width * s->info.samples; i++, numbers += 4)
         unpack(s->format, row_of(s, box, row) + i * s->format->sample_B, numbers);
   }
}

bool
box_unpacks_to(const struct subject *s, const struct box *box, const uint32_t *numbers)
{
   uint32_t wanted[4];
   for (uint32_t row = 0; row < box->height * box->layers; row++) {
      for (uint32_t i = 0; i < box->width * s->info.samples; i++, numbers += 4) {
         unpack(s->format, row_of(s, box, row) + i * s->format->sample_B, wanted);
         if (memcmp(wanted, numbers, sizeof(wanted)))
            return false;
      }
   }
   return true;
}

void
choose_color(const struct subject *s, VkClearColorValue *color)
{
   const bool simple = chance(30), ones = chance(50);
   *color = (VkClearColorValue){0};
   for (unsigned i = 0; i < s->format->components; i++)
      color->uint32[i] = (simple ? (ones ? UINT32_MAX : 0) : vkt_random()) & mask_of(s->format, i);
}

void
fill_box(struct subject *s, const struct box *box, const VkClearColorValue *color)
{
   uint32_t words[4] = {0};
   for (unsigned i = 0; i < s->format->components; i++)
      words[s->format->shift[i] / 32] |= color->uint32[i] << s->format->shift[i] % 32;
   for (uint32_t row = 0; row < box->height * box->layers; row++) {
      for (uint32_t i = 0; i < box->width * s->info.samples; i++)
         memcpy(row_of(s, box, row) + i * s->format->sample_B, words, s->format->sample_B);
   }
}

/* ---- copies ---- */

/* Layers of an array, or slices. */
static void
place(const struct subject *s, const struct box *box, VkImageSubresourceLayers *layers, VkOffset3D *offset)
{
   *layers = (VkImageSubresourceLayers){COLOR, box->level, s->volume ? 0 : box->layer, s->volume ? 1 : box->layers};
   *offset = (VkOffset3D){(int32_t)(box->x * s->format->block_px), (int32_t)(box->y * s->format->block_height_px),
                          s->volume ? (int32_t)box->layer : 0};
}

/* Blocks at the edges may be cut. */
static VkExtent3D
box_px(const struct subject *s, const struct box *box)
{
   const uint32_t width = minify(s->info.extent.width, box->level),
                  height = minify(s->info.extent.height, box->level);
   const uint32_t x = box->x * s->format->block_px, y = box->y * s->format->block_height_px;
   return (VkExtent3D){least(box->width * s->format->block_px, width - x),
                       least(box->height * s->format->block_height_px, height - y), s->volume ? box->layers : 1};
}

VkBufferImageCopy
buffer_copy(const struct subject *s, const struct box *box)
{
   VkBufferImageCopy copy = {.imageExtent = box_px(s, box)};
   place(s, box, &copy.imageSubresource, &copy.imageOffset);
   return copy;
}

struct host_rows
host_rows_of(const struct subject *s, const struct box *box)
{
   struct host_rows rows = {.copy = buffer_copy(s, box)};
   const struct box wide = {.width = box->width + vkt_random_below(3), .height = box->height + vkt_random_below(3)};
   const bool strided = box->layers * wide.width * wide.height <= PATHS_MAX_SAMPLES && chance(50);
   const struct box *memory = strided ? &wide : box;
   if (strided) {
      rows.length_px = wide.width * s->format->block_px;
      rows.height_px = wide.height * s->format->block_height_px;
   }
   rows.row_B = (size_t)memory->width * element_B(s);
   rows.layer_B = rows.row_B * memory->height;
   return rows;
}

void
gather_rows(const struct subject *s, const struct box *box, const struct host_rows *rows, uint8_t *bytes)
{
   for (uint32_t row = 0; row < box->height * box->layers; row++)
      memcpy(bytes + row / box->height * rows->layer_B + row % box->height * rows->row_B, row_of(s, box, row),
             (size_t)box->width * element_B(s));
}

/* By the formula of Vulkan, in the first chapter of resources. */
static uint8_t *
mapped_row(const struct subject *s, const struct box *box, uint32_t row)
{
   const uint64_t y = box->y + row % box->height, layer = box->layer + row / box->height;
   return (uint8_t *)s->map + s->rows.offset + layer * s->rows.arrayPitch + y * s->rows.rowPitch +
          (size_t)box->x * element_B(s);
}

void
write_mapped(const struct subject *s, const struct box *box)
{
   for (uint32_t row = 0; row < box->height * box->layers; row++)
      memcpy(mapped_row(s, box, row), row_of(s, box, row), (size_t)box->width * element_B(s));
}

bool
mapped_is(const struct subject *s, const struct box *box)
{
   for (uint32_t row = 0; row < box->height * box->layers; row++) {
      if (memcmp(mapped_row(s, box, row), row_of(s, box, row), (size_t)box->width * element_B(s)))
         return false;
   }
   return true;
}

void
host_as_it_lies(struct vkx *vkx, const struct subject *s, const struct vkt_image *twin, uint32_t level)
{
   const struct box all = whole_level(s, level);
   const VkBufferImageCopy whole = buffer_copy(s, &all);
   VkSubresourceHostMemcpySizeEXT size = {.sType = VK_STRUCTURE_TYPE_SUBRESOURCE_HOST_MEMCPY_SIZE_EXT};
   VkSubresourceLayout2EXT layout = {.sType = VK_STRUCTURE_TYPE_SUBRESOURCE_LAYOUT_2_EXT, .pNext = &size};
   const VkImageSubresource2EXT subresource = {.sType = VK_STRUCTURE_TYPE_IMAGE_SUBRESOURCE_2_EXT,
                                               .imageSubresource = {COLOR, level, 0}};
   VKT_PROC(vkx, vkGetImageSubresourceLayout2EXT)(vkx->device, twin->image, &subresource, &layout);
   const size_t texels_B = level_B(s, level) / (s->volume ? 1 : s->info.arrayLayers);
   vkt_expect(size.size >= texels_B || (paths_honeykrisp && s->volume), "%s: level %u has %lu bytes", s->text, level,
              (unsigned long)size.size);
   void *memory = malloc(size.size * level_layers(s, level));
   const VkImageToMemoryCopyEXT from = {.sType = VK_STRUCTURE_TYPE_IMAGE_TO_MEMORY_COPY_EXT,
                                        .pHostPointer = memory,
                                        .imageSubresource = whole.imageSubresource,
                                        .imageExtent = whole.imageExtent};
   const VkMemoryToImageCopyEXT to = {.sType = VK_STRUCTURE_TYPE_MEMORY_TO_IMAGE_COPY_EXT,
                                      .pHostPointer = memory,
                                      .imageSubresource = whole.imageSubresource,
                                      .imageExtent = whole.imageExtent};
   const VkCopyImageToMemoryInfoEXT out = {.sType = VK_STRUCTURE_TYPE_COPY_IMAGE_TO_MEMORY_INFO_EXT,
                                           .flags = VK_HOST_IMAGE_COPY_MEMCPY_EXT,
                                           .srcImage = twin->image,
                                           .srcImageLayout = GENERAL,
                                           .regionCount = 1,
                                           .pRegions = &from};
   const VkCopyMemoryToImageInfoEXT in = {.sType = VK_STRUCTURE_TYPE_COPY_MEMORY_TO_IMAGE_INFO_EXT,
                                          .flags = VK_HOST_IMAGE_COPY_MEMCPY_EXT,
                                          .dstImage = s->image.image,
                                          .dstImageLayout = GENERAL,
                                          .regionCount = 1,
                                          .pRegions = &to};
   vkx_check(VKT_PROC(vkx, vkCopyImageToMemoryEXT)(vkx->device, &out), "vkCopyImageToMemoryEXT");
   vkx_check(VKT_PROC(vkx, vkCopyMemoryToImageEXT)(vkx->device, &in), "vkCopyMemoryToImageEXT");
   free(memory);
}

struct helper
helper_create(struct vkx *vkx, const struct subject *s, const struct box *box)
{
   const bool one = s->info.imageType == VK_IMAGE_TYPE_1D, linear = chance(50);
   const VkExtent3D margin = {vkt_random_below(9), one ? 0 : vkt_random_below(9), 0};
   VkImageCreateInfo info = {
      .imageType = one ? VK_IMAGE_TYPE_1D : VK_IMAGE_TYPE_2D,
      .format = s->format->view,
      .extent = {box->width + margin.width, box->height + margin.height, 1},
      .mipLevels = 1,
      .arrayLayers = box->layers,
      .samples = VK_SAMPLE_COUNT_1_BIT,
      .tiling = linear ? VK_IMAGE_TILING_LINEAR : VK_IMAGE_TILING_OPTIMAL,
      .usage = VK_IMAGE_USAGE_TRANSFER_SRC_BIT | VK_IMAGE_USAGE_TRANSFER_DST_BIT |
               (chance(50) ? VK_IMAGE_USAGE_COLOR_ATTACHMENT_BIT : 0),
   };
   if (!is_offered(vkx, &info))
      info.tiling = VK_IMAGE_TILING_OPTIMAL;
   const VkImageSubresourceLayers layers = {COLOR, 0, 0, box->layers};
   const VkOffset3D offset = {(int32_t)margin.width, (int32_t)margin.height, 0};
   struct helper helper = {.image = vkt_image_create(vkx, info, false)};
   helper.whole = (VkBufferImageCopy){
      .imageSubresource = layers, .imageOffset = offset, .imageExtent = {box->width, box->height, 1}};
   helper.in.srcSubresource = helper.out.dstSubresource = layers;
   helper.in.srcOffset = helper.out.dstOffset = offset;
   place(s, box, &helper.in.dstSubresource, &helper.in.dstOffset);
   helper.out.srcSubresource = helper.in.dstSubresource;
   helper.out.srcOffset = helper.in.dstOffset;
   /* In texels of the source; layers of an array stand for slices. */
   helper.in.extent = (VkExtent3D){box->width, box->height, s->volume ? box->layers : 1};
   helper.out.extent = box_px(s, box);
   return helper;
}

/* ---- targets ---- */

struct target
target_create(struct vkx *vkx, const struct subject *s, const struct box *box, bool clears)
{
   const VkAttachmentDescription attachment = {.format = s->info.format,
                                               .samples = s->info.samples,
                                               .loadOp =
                                                  clears ? VK_ATTACHMENT_LOAD_OP_CLEAR : VK_ATTACHMENT_LOAD_OP_LOAD,
                                               .storeOp = VK_ATTACHMENT_STORE_OP_STORE,
                                               .initialLayout = GENERAL,
                                               .finalLayout = GENERAL};
   const VkAttachmentReference reference = {0, GENERAL};
   const VkSubpassDescription subpass = {.colorAttachmentCount = 1, .pColorAttachments = &reference};
   const VkRenderPassCreateInfo pass = {.sType = VK_STRUCTURE_TYPE_RENDER_PASS_CREATE_INFO,
                                        .attachmentCount = 1,
                                        .pAttachments = &attachment,
                                        .subpassCount = 1,
                                        .pSubpasses = &subpass};
   const VkImageViewCreateInfo view = {
      .sType = VK_STRUCTURE_TYPE_IMAGE_VIEW_CREATE_INFO,
      .image = s->image.image,
      .viewType = s->info.imageType == VK_IMAGE_TYPE_1D ? VK_IMAGE_VIEW_TYPE_1D_ARRAY : VK_IMAGE_VIEW_TYPE_2D_ARRAY,
      .format = s->info.format,
      .subresourceRange = {COLOR, box->level, 1, box->layer, box->layers}};
   struct target target;
   vkx_check(vkCreateRenderPass(vkx->device, &pass, NULL, &target.pass), "vkCreateRenderPass");
   vkx_check(vkCreateImageView(vkx->device, &view, NULL, &target.view), "vkCreateImageView");
   const VkFramebufferCreateInfo framebuffer = {.sType = VK_STRUCTURE_TYPE_FRAMEBUFFER_CREATE_INFO,
                                                .renderPass = target.pass,
                                                .attachmentCount = 1,
                                                .pAttachments = &target.view,
                                                .width = level_width(s, box->level),
                                                .height = level_height(s, box->level),
                                                .layers = box->layers};
   vkx_check(vkCreateFramebuffer(vkx->device, &framebuffer, NULL, &target.framebuffer), "vkCreateFramebuffer");
   return target;
}

void
target_destroy(struct vkx *vkx, struct target *target)
{
   vkDestroyFramebuffer(vkx->device, target->framebuffer, NULL);
   vkDestroyImageView(vkx->device, target->view, NULL);
   vkDestroyRenderPass(vkx->device, target->pass, NULL);
}
