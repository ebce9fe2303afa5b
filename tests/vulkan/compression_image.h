/* The images of compression.c: of all kinds, by two handles of the same memory, and what they should hold. */
#ifndef COMPRESSION_IMAGE_H
#define COMPRESSION_IMAGE_H

#include <stdlib.h>
#include <string.h>

#include "choices.h"
#include "pass_helpers.h"

#define ARRAY_SIZE(a) (sizeof(a) / sizeof((a)[0]))
#define DEPTH_BIT VK_IMAGE_ASPECT_DEPTH_BIT
#define STENCIL_BIT VK_IMAGE_ASPECT_STENCIL_BIT
#define MAX_LEVELS 8
#define MAX_TARGETS 8 /* more than a tile holds, if they have many bytes or samples */

static const struct format {
   VkFormat format;
   uint8_t bits[4]; /* of components; 32: floats */
} formats[] = {
   {VK_FORMAT_R8G8B8A8_UNORM, {8, 8, 8, 8}},
   {VK_FORMAT_R8_UNORM, {8}},
   {VK_FORMAT_R8G8_UNORM, {8, 8}},
   {VK_FORMAT_R16_UNORM, {16}},
   {VK_FORMAT_R16G16B16A16_UNORM, {16, 16, 16, 16}},
   {VK_FORMAT_A2B10G10R10_UNORM_PACK32, {10, 10, 10, 2}},
   {VK_FORMAT_R32_SFLOAT, {32}},
   {VK_FORMAT_R32G32_SFLOAT, {32, 32}},
   {VK_FORMAT_R32G32B32A32_SFLOAT, {32, 32, 32, 32}},
   {VK_FORMAT_D32_SFLOAT, {32}},
   {VK_FORMAT_D16_UNORM, {16}},
   {VK_FORMAT_D32_SFLOAT_S8_UINT, {32}},
};

/* What is chosen of an image. */
enum { FORMAT, SAMPLES, LAYERS, LEVELS, TILES, STORAGE, MUTABLE, WORDS, LIST, IMAGE_CHOICES };

/* What an aspect of an image holds, by level, layer, row, texel. */
struct plane {
   VkImageAspectFlags aspect;
   uint32_t sample_B, texel_B; /* a texel of depth and stencil has all samples; those of colour are equal */
   uint8_t *texels;
   size_t level_B[MAX_LEVELS]; /* where a level begins */
};

/* An image by two handles, and what it should hold. */
struct pair {
   const struct format *format;
   VkImageCreateInfo info;
   VkImage handles[2];
   VkDeviceMemory memory;
   VkBuffer alias; /* all of the memory */
   bool words;     /* views may show the texels as VK_FORMAT_R32_UINT */
   unsigned num_planes;
   struct plane planes[2];
   unsigned chosen[IMAGE_CHOICES];
   unsigned before; /* what wrote to it last */
};

struct box {
   uint32_t level, x, y, width, height, layer, layers;
};

enum { FORMATS = ARRAY_SIZE(formats), MANY_FORMAT = 7 /* R32G32 */, FIRST_DEPTH = 9, LAST_FORMAT = FORMATS - 1 };

static bool radv, large;
static int only_depth;

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

static uint8_t *
texel_at(const struct pair *pair, const struct plane *plane, uint32_t level, uint32_t layer, uint32_t x, uint32_t y)
{
   const uint32_t width = minify(pair->info.extent.width, level), height = minify(pair->info.extent.height, level);
   return plane->texels + plane->level_B[level] + ((size_t)(layer * height + y) * width + x) * plane->texel_B;
}

static VkImage
handle(const struct pair *pair)
{
   const uint32_t which = vkt_random_below(2);
   return pair->handles[radv && (large || pair->info.samples > 1) ? 0 : which]; /* the other shows something else */
}

/* ---- values ---- */

struct value {
   VkClearValue clear; /* what is said, */
   uint8_t texel[16];  /* and what it is in memory */
};

static void
append_bits(uint8_t *texel, unsigned *at, unsigned bits, uint32_t value)
{
   for (unsigned i = 0; i < bits; i++, ++*at)
      texel[*at / 8] |= (uint8_t)((value >> i & 1) << *at % 8);
}

/* Few different ones, so that neighbours are often equal. */
static struct value
choose_value(const struct pair *pair, const struct plane *plane)
{
   struct value value = {0};
   unsigned at = 0;
   if (plane->aspect == STENCIL_BIT) {
      value.texel[0] = (uint8_t)vkt_random_below(256);
      value.clear.depthStencil.stencil = value.texel[0];
      return value;
   }
   for (unsigned i = 0; i < 4 && pair->format->bits[i]; i++) {
      const unsigned bits = pair->format->bits[i];
      const uint32_t most = bits < 32 ? (1u << bits) - 1 : 64;
      const uint32_t n = chance(50) ? vkt_random_below(2) * most : vkt_random_below(most + 1);
      float f = (float)n / (float)most;
      uint32_t word;
      memcpy(&word, &f, 4);
      append_bits(value.texel, &at, bits, bits == 32 ? word : n);
      if (plane->aspect == DEPTH_BIT)
         value.clear.depthStencil.depth = f;
      else
         value.clear.color.float32[i] = f;
   }
   return value;
}

static void
fill_box(const struct pair *pair, const struct plane *plane, const struct box *box, const uint8_t *texel)
{
   for (uint32_t layer = box->layer; layer < box->layer + box->layers; layer++) {
      for (uint32_t y = box->y; y < box->y + box->height; y++) {
         for (uint32_t i = 0; i < box->width * plane->texel_B; i += plane->sample_B)
            memcpy(texel_at(pair, plane, box->level, layer, box->x, y) + i, texel, plane->sample_B);
      }
   }
}

/* ---- places ---- */

static void
choose_range(uint32_t whole, uint32_t *first, uint32_t *size)
{
   *first = chance(40) ? 0 : vkt_random_below(whole);
   *size = chance(40) ? whole - *first : 1 + vkt_random_below(whole - *first);
}

static struct box
choose_box(const struct pair *pair)
{
   struct box box = {.level = vkt_random_below(pair->info.mipLevels)};
   choose_range(minify(pair->info.extent.width, box.level), &box.x, &box.width);
   choose_range(minify(pair->info.extent.height, box.level), &box.y, &box.height);
   choose_range(pair->info.arrayLayers, &box.layer, &box.layers);
   return box;
}

static VkImageSubresourceLayers
layers_of(const struct plane *plane, const struct box *box)
{
   return (VkImageSubresourceLayers){plane->aspect, box->level, box->layer, box->layers};
}

static VkOffset3D
offset_of(const struct box *box)
{
   return (VkOffset3D){(int32_t)box->x, (int32_t)box->y, 0};
}

/* ---- images ---- */

/* MANY: layers that no tile holds when they are targets. TAILS: depth and stencil of which, where planes have tails
 * of different sizes, the first level is in that of stencil alone. SEEN_AS_WORDS: views show the texels as words. */
enum kind { ANY, MANY, TAILS, SEEN_AS_WORDS };

static bool
is_word(const struct format *format)
{
   return format->bits[0] < 32 && format->bits[0] + format->bits[1] + format->bits[2] + format->bits[3] == 32;
}

/* Sets what follows from the choices before it, from the kind and from an image to be alike in format and samples. */
static void
adjust(unsigned now[IMAGE_CHOICES], enum kind kind, const struct pair *like)
{
   if (kind == MANY)
      now[FORMAT] = MANY_FORMAT;
   else if (kind == TAILS)
      now[FORMAT] = LAST_FORMAT;
   else if (only_depth && now[FORMAT] < FIRST_DEPTH)
      now[FORMAT] = FIRST_DEPTH + now[FORMAT] % (FORMATS - FIRST_DEPTH);
   while (kind == SEEN_AS_WORDS && !is_word(&formats[now[FORMAT]]))
      now[FORMAT] = (now[FORMAT] + 1) % FORMATS;
   if (like)
      memcpy(now, like->chosen, (SAMPLES + 1) * sizeof(now[0]));
   const bool color = now[FORMAT] < FIRST_DEPTH;
   if ((color && now[SAMPLES] == 3) || kind == TAILS || kind == SEEN_AS_WORDS)
      now[SAMPLES] = 0;
   if (kind == MANY)
      now[SAMPLES] = 2;
   if (only_depth == 1 && !now[SAMPLES])
      now[SAMPLES] = 1;
   const bool one = !now[SAMPLES];
   now[LAYERS] = kind == MANY || (now[LAYERS] && !large && kind != TAILS);
   now[LEVELS] = one && (now[LEVELS] || kind == TAILS || large);
   now[TILES] &= !large && kind != TAILS;
   if (kind == SEEN_AS_WORDS)
      now[STORAGE] = now[MUTABLE] = now[WORDS] = 1;
   now[STORAGE] &= one && color;
   now[MUTABLE] &= now[STORAGE];
   now[WORDS] &= now[MUTABLE] && is_word(&formats[now[FORMAT]]);
   now[LIST] &= now[MUTABLE] && vkt_has("VK_KHR_image_format_list");
}

/* Whether shaders store to it, and in what formats they may: words (of those whose bits may be any), the image's own
 * alone, or any of that size. */
static void
describe_views(struct pair *pair)
{
   static VkFormat own[1], both[2];
   static const VkImageFormatListCreateInfo list_own = {VK_STRUCTURE_TYPE_IMAGE_FORMAT_LIST_CREATE_INFO, NULL, 1,
                                                        own},
                                            list_both = {VK_STRUCTURE_TYPE_IMAGE_FORMAT_LIST_CREATE_INFO, NULL, 2,
                                                         both};
   pair->words = pair->chosen[WORDS];
   pair->info.usage |= pair->chosen[STORAGE] ? VK_IMAGE_USAGE_STORAGE_BIT : 0;
   pair->info.flags |= pair->chosen[MUTABLE] ? VK_IMAGE_CREATE_MUTABLE_FORMAT_BIT : 0;
   own[0] = both[0] = pair->info.format;
   both[1] = VK_FORMAT_R32_UINT;
   if (pair->chosen[LIST])
      pair->info.pNext = pair->words ? &list_both : &list_own;
}

/* By its choices, of one texel, layer and level. False: the device does not offer it. */
static bool
describe(struct pair *pair)
{
   pair->format = &formats[pair->chosen[FORMAT]];
   pair->info = (VkImageCreateInfo){
      .sType = VK_STRUCTURE_TYPE_IMAGE_CREATE_INFO,
      .flags = VK_IMAGE_CREATE_ALIAS_BIT,
      .imageType = VK_IMAGE_TYPE_2D,
      .format = pair->format->format,
      .extent = {1, 1, 1},
      .mipLevels = 1,
      .arrayLayers = 1,
      .samples = 1u << pair->chosen[SAMPLES],
      .usage = VK_IMAGE_USAGE_TRANSFER_SRC_BIT | VK_IMAGE_USAGE_TRANSFER_DST_BIT |
               (pair->chosen[FORMAT] < FIRST_DEPTH
                   ? VK_IMAGE_USAGE_COLOR_ATTACHMENT_BIT
                   : VK_IMAGE_USAGE_DEPTH_STENCIL_ATTACHMENT_BIT | VK_IMAGE_USAGE_SAMPLED_BIT),
   };
   describe_views(pair);
   VkImageFormatProperties properties;
   return vkGetPhysicalDeviceImageFormatProperties(vkx->physical, pair->info.format, VK_IMAGE_TYPE_2D, 0,
                                                   pair->info.usage, pair->info.flags, &properties) == VK_SUCCESS &&
          properties.sampleCounts & pair->info.samples;
}

/* TILES: levels halve to whole tiles. */
static void
choose_size(struct pair *pair, enum kind kind)
{
   VkImageCreateInfo *info = &pair->info;
   info->extent = (VkExtent3D){8 + vkt_random_below(90), 8 + vkt_random_below(90), 1};
   if (large)
      info->extent = (VkExtent3D){500 + vkt_random_below(400), 500 + vkt_random_below(300), 1};
   else if (kind == TAILS)
      info->extent = (VkExtent3D){65 + vkt_random_below(60), 8 + vkt_random_below(100), 1};
   else if (pair->chosen[TILES])
      info->extent = (VkExtent3D){64, 32u << vkt_random_below(3), 1};
   if (pair->chosen[LEVELS])
      info->mipLevels = kind == TAILS ? 2 : large ? 1 + vkt_random_below(MAX_LEVELS) : 2 + vkt_random_below(3);
   if (pair->chosen[LAYERS])
      info->arrayLayers = kind == MANY ? MAX_TARGETS : 2 + vkt_random_below(MAX_TARGETS - 1);
}

static const struct choice image_table[IMAGE_CHOICES] = {
   [FORMAT] = {"format", FORMATS}, [SAMPLES] = {"samples", 4, .one_in = 2},
   [LAYERS] = {"layers", 2},       [LEVELS] = {"levels", 2},
   [TILES] = {"whole tiles", 2},   [STORAGE] = {"storage", 2},
   [MUTABLE] = {"mutable", 2},     [WORDS] = {"seen as words", 2},
   [LIST] = {"list of formats", 2}};
static struct choices images = {.table = image_table, .count = IMAGE_CHOICES};

/* Of many offered images the one with the most pairs of choices that no image had. */
static void
choose_info(struct pair *pair, enum kind kind, const struct pair *like)
{
   unsigned kept[IMAGE_CHOICES] = {0}, most = 0;
   for (unsigned found = 0; found < (large ? 1 : 16);) { /* large: those of several samples are slow */
      choices_draw(&images, vkt_random());
      adjust(images.now, kind, like);
      memcpy(pair->chosen, images.now, sizeof(pair->chosen));
      if (!describe(pair))
         continue;
      const unsigned count = choices_new_pairs(&images);
      if (!found++ || count > most) {
         most = count;
         memcpy(kept, images.now, sizeof(kept));
      }
   }
   memcpy(images.now, kept, sizeof(kept));
   choices_count(&images);
   memcpy(pair->chosen, kept, sizeof(kept));
   describe(pair);
   choose_size(pair, kind);
}

static void
bind_memory(struct pair *pair)
{
   VkMemoryRequirements requirements;
   vkGetImageMemoryRequirements(vkx->device, pair->handles[0], &requirements);
   const VkMemoryAllocateInfo allocate = {
      .sType = VK_STRUCTURE_TYPE_MEMORY_ALLOCATE_INFO,
      .allocationSize = requirements.size,
      .memoryTypeIndex = (uint32_t)__builtin_ctz(requirements.memoryTypeBits),
   };
   const VkBufferCreateInfo alias = {.sType = VK_STRUCTURE_TYPE_BUFFER_CREATE_INFO,
                                     .size = requirements.size & ~UINT64_C(3),
                                     .usage = VK_BUFFER_USAGE_TRANSFER_DST_BIT};
   vkx_check(vkAllocateMemory(vkx->device, &allocate, NULL, &pair->memory), "vkAllocateMemory");
   vkx_check(vkCreateBuffer(vkx->device, &alias, NULL, &pair->alias), "vkCreateBuffer");
   VkMemoryRequirements unused;
   vkGetBufferMemoryRequirements(vkx->device, pair->alias, &unused);
   vkx_check(vkBindBufferMemory(vkx->device, pair->alias, pair->memory, 0), "vkBindBufferMemory");
   for (unsigned i = 0; i < 2; i++)
      vkx_check(vkBindImageMemory(vkx->device, pair->handles[i], pair->memory, 0), "vkBindImageMemory");
}

static void
add_plane(struct pair *pair, VkImageAspectFlags aspect, uint32_t sample_B)
{
   const uint32_t texel_B = aspect == VK_IMAGE_ASPECT_COLOR_BIT ? sample_B : sample_B * pair->info.samples;
   struct plane *plane = &pair->planes[pair->num_planes++];
   size_t size_B = 0;
   *plane = (struct plane){.aspect = aspect, .sample_B = sample_B, .texel_B = texel_B};
   for (uint32_t level = 0; level < pair->info.mipLevels; level++) {
      plane->level_B[level] = size_B;
      size_B += (size_t)minify(pair->info.extent.width, level) * minify(pair->info.extent.height, level) *
                pair->info.arrayLayers * texel_B;
   }
   plane->texels = calloc(1, size_B);
   if (!plane->texels)
      abort();
}

/* like: of the same format and samples, or NULL. */
static struct pair
create(enum kind kind, const struct pair *like)
{
   struct pair pair = {0};
   choose_info(&pair, kind, like);
   for (unsigned i = 0; i < 2; i++)
      vkx_check(vkCreateImage(vkx->device, &pair.info, NULL, &pair.handles[i]), "vkCreateImage");
   pair.info.pNext = NULL;
   bind_memory(&pair);
   unsigned bits = 0;
   for (unsigned i = 0; i < 4; i++)
      bits += pair.format->bits[i];
   const VkImageAspectFlags aspects = vkt_aspects(pair.info.format);
   add_plane(&pair, aspects & ~(VkImageAspectFlags)STENCIL_BIT, bits / 8);
   if (aspects & STENCIL_BIT)
      add_plane(&pair, STENCIL_BIT, 1);
   return pair;
}

static void
destroy(struct pair *pair)
{
   for (unsigned i = 0; i < 2; i++) {
      vkDestroyImage(vkx->device, pair->handles[i], NULL);
      free(pair->planes[i].texels);
   }
   vkDestroyBuffer(vkx->device, pair->alias, NULL);
   vkFreeMemory(vkx->device, pair->memory, NULL);
}

#endif
