/* Images with DRM format modifiers: what a device offers, and that two devices that are told modifier, offset and
 * pitch see the same texels. modifiers [--socket FD --side 0|1] [--strict 0]: with a socket the two are processes,
 * each with a driver of its own; side 0 makes the images. --strict 0: nothing is asked that Honeykrisp 26 does
 * otherwise (storage to compressed images, compressed R5G6B5, modifiers that nobody knows). */
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "shared_image.h"

#define ARRAY_SIZE(a) (sizeof(a) / sizeof((a)[0]))
#define MAX_MODIFIERS 16
#define TILING VK_IMAGE_TILING_DRM_FORMAT_MODIFIER_EXT
#define TRANSFER (VK_IMAGE_USAGE_TRANSFER_SRC_BIT | VK_IMAGE_USAGE_TRANSFER_DST_BIT)
#define USAGE (TRANSFER | VK_IMAGE_USAGE_COLOR_ATTACHMENT_BIT)
#define COLOR VK_IMAGE_ASPECT_COLOR_BIT
#define GENERAL VK_IMAGE_LAYOUT_GENERAL

/* The kernel's drm_fourcc.h. */
#define LINEAR 0ull
#define GPU_TILED (0x0cull << 56 | 1)
#define COMPRESSED (0x0cull << 56 | 2)

static const uint64_t modifiers[] = {COMPRESSED, GPU_TILED, LINEAR};
static const char *const names[] = {"compressed", "GPU-tiled", "linear"};
static const struct format {
   VkFormat format;
   uint32_t texel_B;
   bool compresses;
} formats[] = {
   {VK_FORMAT_R8_UNORM, 1, true},
   {VK_FORMAT_R8G8_UNORM, 2, true},
   {VK_FORMAT_R5G6B5_UNORM_PACK16, 2, false},
   {VK_FORMAT_R8G8B8A8_UNORM, 4, true},
   {VK_FORMAT_B8G8R8A8_SRGB, 4, true},
   {VK_FORMAT_A2B10G10R10_UNORM_PACK32, 4, true},
   {VK_FORMAT_R16G16B16A16_UNORM, 8, true},
   {VK_FORMAT_R32G32B32A32_UINT, 16, true},
};
static const VkExtent2D extents[] = {{64, 64}, {100, 60}, {300, 200}, {17, 16}, {33, 140}};

static struct vkx *devices[2];
static bool strict = true;

/* ---- what is offered ---- */

/* Features with a modifier; 0: it is not in the list. */
static VkFormatFeatureFlags
features_of(struct vkx *vkx, VkFormat format, uint64_t modifier, uint32_t *planes)
{
   VkDrmFormatModifierPropertiesEXT found[MAX_MODIFIERS];
   VkDrmFormatModifierPropertiesListEXT list = {.sType = VK_STRUCTURE_TYPE_DRM_FORMAT_MODIFIER_PROPERTIES_LIST_EXT};
   VkFormatProperties2 properties = {.sType = VK_STRUCTURE_TYPE_FORMAT_PROPERTIES_2, .pNext = &list};
   VkFormatFeatureFlags features = 0;
   vkGetPhysicalDeviceFormatProperties2(vkx->physical, format, &properties);
   const uint32_t count = list.drmFormatModifierCount;
   vkt_expect(count <= MAX_MODIFIERS, "format %u: %u modifiers", format, count);
   list.pDrmFormatModifierProperties = found;
   vkGetPhysicalDeviceFormatProperties2(vkx->physical, format, &properties);
   vkt_expect(list.drmFormatModifierCount == count, "format %u: %u modifiers, then %u", format, count,
              list.drmFormatModifierCount);
   for (uint32_t i = 0; i < list.drmFormatModifierCount; i++) {
      if (found[i].drmFormatModifier != modifier)
         continue;
      features = found[i].drmFormatModifierTilingFeatures;
      *planes = found[i].drmFormatModifierPlaneCount;
   }
   return features;
}

static VkResult
image_properties(struct vkx *vkx, VkFormat format, uint64_t modifier, VkImageType type, VkImageUsageFlags usage,
                 VkImageCreateFlags flags, VkImageFormatProperties *out)
{
   /* size: fields of an image */
   const VkPhysicalDeviceExternalImageFormatInfo external = {
      .sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_EXTERNAL_IMAGE_FORMAT_INFO, .handleType = DMA_BUF};
   const VkPhysicalDeviceImageDrmFormatModifierInfoEXT named = {
      .sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_IMAGE_DRM_FORMAT_MODIFIER_INFO_EXT,
      .pNext = &external,
      .drmFormatModifier = modifier};
   const VkPhysicalDeviceImageFormatInfo2 info = {.sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_IMAGE_FORMAT_INFO_2,
                                                  .pNext = &named,
                                                  .format = format,
                                                  .type = type,
                                                  .tiling = TILING,
                                                  .usage = usage,
                                                  .flags = flags};
   VkImageFormatProperties2 properties = {.sType = VK_STRUCTURE_TYPE_IMAGE_FORMAT_PROPERTIES_2};
   VkResult result = vkGetPhysicalDeviceImageFormatProperties2(vkx->physical, &info, &properties);
   *out = properties.imageFormatProperties;
   return result;
}

static void
test_properties(struct vkx *vkx, const struct format *format, unsigned m)
{
   const VkImageCreateFlags mutable = VK_IMAGE_CREATE_MUTABLE_FORMAT_BIT;
   VkImageFormatProperties got;
   uint32_t planes = 0;
   const VkFormatFeatureFlags features = features_of(vkx, format->format, modifiers[m], &planes);
   const bool compressed = modifiers[m] == COMPRESSED, offered = !compressed || format->compresses;
   vkt_expect(!strict || ((features != 0) == offered && planes == offered), "format %u, %s: features 0x%x, %u planes",
              format->format, names[m], features, planes);
   if (!offered)
      return;
   vkt_expect(!strict || !compressed || !(features & VK_FORMAT_FEATURE_STORAGE_IMAGE_BIT),
              "format %u: compressed storage", format->format);
   VkResult result = image_properties(vkx, format->format, modifiers[m], VK_IMAGE_TYPE_2D, USAGE, 0, &got);
   vkt_expect(result == VK_SUCCESS && got.maxExtent.width >= 4096 && got.maxMipLevels && got.maxArrayLayers,
              "format %u, %s: images of 2D: %d", format->format, names[m], result);
   result = image_properties(vkx, format->format, modifiers[m], VK_IMAGE_TYPE_2D, USAGE | VK_IMAGE_USAGE_STORAGE_BIT,
                             0, &got);
   vkt_expect((result == VK_SUCCESS) == !!(features & VK_FORMAT_FEATURE_STORAGE_IMAGE_BIT),
              "format %u, %s: storage: %d", format->format, names[m], result);
   if (!strict)
      return;
   /* Views of channels that the compressor has not seen. */
   result = image_properties(vkx, format->format, modifiers[m], VK_IMAGE_TYPE_2D, USAGE, mutable, &got);
   vkt_expect((result == VK_SUCCESS) == !compressed, "format %u, %s: any views: %d", format->format, names[m],
              result);
   result = image_properties(vkx, format->format, modifiers[m], VK_IMAGE_TYPE_3D, USAGE, 0, &got);
   vkt_expect(result == VK_ERROR_FORMAT_NOT_SUPPORTED, "format %u, %s: images of 3D: %d", format->format, names[m],
              result);
}

/* Formats that DRM has no code for, and modifiers that are nobody's. */
static void
test_refused(struct vkx *vkx)
{
   static const VkFormat none[] = {VK_FORMAT_E5B9G9R9_UFLOAT_PACK32, VK_FORMAT_B10G11R11_UFLOAT_PACK32};
   VkImageFormatProperties got;
   uint32_t planes;
   for (unsigned i = 0; i < ARRAY_SIZE(none); i++) {
      for (unsigned m = 0; m < ARRAY_SIZE(modifiers); m++)
         vkt_expect(!features_of(vkx, none[i], modifiers[m], &planes), "format %u, %s", none[i], names[m]);
   }
   VkResult result =
      image_properties(vkx, VK_FORMAT_R8G8B8A8_UNORM, 0x0cull << 56 | 77, VK_IMAGE_TYPE_2D, USAGE, 0, &got);
   vkt_expect(!strict || result == VK_ERROR_FORMAT_NOT_SUPPORTED, "an unknown modifier: %d", result);
}

/* ---- images ---- */

/* What the owner of an image tells the other one, besides the file. */
struct message {
   uint32_t number; /* of the case */
   bool skipped;
   uint64_t offset_B, pitch_B;
};

static struct vkt_image
describe(const struct format *format, VkExtent2D extent, const void *chain)
{
   return (struct vkt_image){.info = {.sType = VK_STRUCTURE_TYPE_IMAGE_CREATE_INFO,
                                      .pNext = chain,
                                      .imageType = VK_IMAGE_TYPE_2D,
                                      .format = format->format,
                                      .extent = {extent.width, extent.height, 1},
                                      .mipLevels = 1,
                                      .arrayLayers = 1,
                                      .samples = VK_SAMPLE_COUNT_1_BIT,
                                      .tiling = TILING,
                                      .usage = USAGE}};
}

static const VkExternalMemoryImageCreateInfo external = {.sType = VK_STRUCTURE_TYPE_EXTERNAL_MEMORY_IMAGE_CREATE_INFO,
                                                         .handleTypes = DMA_BUF};

/* The new image's modifier and its only plane must be as they should. */
static struct vkt_image
create(struct vkx *vkx, const struct format *format, VkExtent2D extent, unsigned m, struct message *message)
{
   const VkImageDrmFormatModifierListCreateInfoEXT list = {
      .sType = VK_STRUCTURE_TYPE_IMAGE_DRM_FORMAT_MODIFIER_LIST_CREATE_INFO_EXT,
      .pNext = &external,
      .drmFormatModifierCount = 1,
      .pDrmFormatModifiers = &modifiers[m]};
   struct vkt_image shared = describe(format, extent, &list);
   VkImageDrmFormatModifierPropertiesEXT named = {.sType = VK_STRUCTURE_TYPE_IMAGE_DRM_FORMAT_MODIFIER_PROPERTIES_EXT,
                                                  .drmFormatModifier = ~0ull};
   VkSubresourceLayout plane;
   vkx_check(vkCreateImage(vkx->device, &shared.info, NULL, &shared.image), "vkCreateImage");
   shared_image_bind(vkx, &shared, -1);
   VKT_PROC(vkx, vkGetImageDrmFormatModifierPropertiesEXT)(vkx->device, shared.image, &named);
   vkt_expect(named.drmFormatModifier == modifiers[m], "format %u, %s: is 0x%lx", format->format, names[m],
              (unsigned long)named.drmFormatModifier);
   const VkImageSubresource memory_plane = {.aspectMask = VK_IMAGE_ASPECT_MEMORY_PLANE_0_BIT_EXT};
   vkGetImageSubresourceLayout(vkx->device, shared.image, &memory_plane, &plane);
   const uint64_t row_B = (uint64_t)extent.width * format->texel_B;
   vkt_expect(modifiers[m] == LINEAR ? plane.rowPitch >= row_B && plane.rowPitch % 16 == 0 : plane.rowPitch == row_B,
              "format %u, %s, %u px: a pitch of %lu", format->format, names[m], extent.width,
              (unsigned long)plane.rowPitch);
   message->offset_B = plane.offset;
   message->pitch_B = plane.rowPitch;
   return shared;
}

static VkResult
create_placed(struct vkx *vkx, const struct format *format, VkExtent2D extent, uint64_t modifier, uint32_t planes,
              uint64_t offset_B, uint64_t pitch_B, struct vkt_image *out)
{
   /* size: fields of an image */
   const VkSubresourceLayout layouts[2] = {{.offset = offset_B, .rowPitch = pitch_B}};
   const VkImageDrmFormatModifierExplicitCreateInfoEXT placed = {
      .sType = VK_STRUCTURE_TYPE_IMAGE_DRM_FORMAT_MODIFIER_EXPLICIT_CREATE_INFO_EXT,
      .pNext = &external,
      .drmFormatModifier = modifier,
      .drmFormatModifierPlaneCount = planes,
      .pPlaneLayouts = layouts};
   *out = describe(format, extent, &placed);
   VkResult result = vkCreateImage(vkx->device, &out->info, NULL, &out->image);
   out->info.pNext = NULL;
   return result;
}

/* Places that are none. */
static void
test_misplaced(struct vkx *vkx)
{
   static const struct {
      unsigned modifier;
      uint32_t planes;
      uint64_t offset_B, pitch_B;
      const char *what;
   } rows[] = {
      {0, 1, 0, 408, "rows of a compressed image"},
      {1, 1, 0, 0, "no rows of a tiled image"},
      {1, 1, 8, 400, "a tiled image between elements"},
      {2, 1, 0, 408, "half of 16 bytes after a row"},
      {2, 1, 0, 384, "rows that overlap"},
      {2, 1, 0, 0, "no pitch"},
      {2, 1, 0, 1ull << 40, "endless rows"},
      {1, 2, 0, 400, "two planes"},
      {2, 1, ~0ull << 7, 512, "beyond all memory"},
   };
   struct vkt_image shared;
   for (unsigned i = 0; i < ARRAY_SIZE(rows); i++) {
      VkResult result = create_placed(vkx, &formats[3], extents[1], modifiers[rows[i].modifier], rows[i].planes,
                                      rows[i].offset_B, rows[i].pitch_B, &shared);
      vkt_expect(result == VK_ERROR_INVALID_DRM_FORMAT_MODIFIER_PLANE_LAYOUT_EXT, "%s: %d", rows[i].what, result);
   }
}

/* ---- texels ---- */

/* What an image holds when a case begins, and after the other one's turn: ones, and random bytes in a part. */
static void
fill(uint8_t *texels, const struct format *format, VkExtent2D extent, const VkRect2D *part, bool all)
{
   const uint32_t row_B = extent.width * format->texel_B;
   if (all)
      memset(texels, 0xff, (size_t)row_B * extent.height);
   for (uint32_t y = 0; y < part->extent.height; y++) {
      uint8_t *row =
         texels + (part->offset.y + (int32_t)y) * (int32_t)row_B + part->offset.x * (int32_t)format->texel_B;
      for (uint32_t i = 0; i < part->extent.width * format->texel_B; i++)
         row[i] = (uint8_t)vkt_random();
   }
}

static VkRect2D
choose_part(VkExtent2D extent)
{
   const uint32_t x = vkt_random_below(extent.width), y = vkt_random_below(extent.height);
   return (VkRect2D){{(int32_t)x, (int32_t)y},
                     {1 + vkt_random_below(extent.width - x), 1 + vkt_random_below(extent.height - y)}};
}

static void
write_image(struct vkx *vkx, const struct vkt_image *image, const struct format *format, const uint8_t *texels,
            const VkRect2D *part, bool all)
{
   const VkExtent3D extent = image->info.extent;
   const bool integers = format->format == VK_FORMAT_R32G32B32A32_UINT;
   const VkClearColorValue ones =
      integers ? (VkClearColorValue){.uint32 = {~0u, ~0u, ~0u, ~0u}} : (VkClearColorValue){.float32 = {1, 1, 1, 1}};
   const VkImageSubresourceRange range = {COLOR, 0, 1, 0, 1};
   const VkBufferImageCopy copy = {
      .bufferOffset = ((uint64_t)part->offset.y * extent.width + (uint64_t)part->offset.x) * format->texel_B,
      .bufferRowLength = extent.width,
      .bufferImageHeight = extent.height,
      .imageSubresource = {COLOR, 0, 0, 1},
      .imageOffset = {part->offset.x, part->offset.y, 0},
      .imageExtent = {part->extent.width, part->extent.height, 1}};
   struct vkx_buffer buffer = vkt_buffer_create(vkx, (VkDeviceSize)extent.width * extent.height * format->texel_B, 0);
   memcpy(buffer.map, texels, (size_t)extent.width * extent.height * format->texel_B);
   VkCommandBuffer cmd = vkx_begin(vkx);
   vkt_transition(cmd, image, all ? VK_IMAGE_LAYOUT_UNDEFINED : GENERAL, GENERAL);
   if (all)
      vkCmdClearColorImage(cmd, image->image, GENERAL, &ones, 1, &range);
   vkt_barrier(cmd);
   vkCmdCopyBufferToImage(cmd, buffer.buffer, image->image, GENERAL, 1, &copy);
   vkt_barrier(cmd);
   vkx_submit_and_wait(vkx, cmd);
   vkx_buffer_destroy(vkx, &buffer);
}

static bool
holds(struct vkx *vkx, const struct vkt_image *image, const struct format *format, const uint8_t *texels)
{
   const size_t size_B = (size_t)image->info.extent.width * image->info.extent.height * format->texel_B;
   const VkBufferImageCopy copy = {.imageSubresource = {COLOR, 0, 0, 1}, .imageExtent = image->info.extent};
   struct vkx_buffer buffer = vkt_buffer_create(vkx, size_B, 0x55);
   VkCommandBuffer cmd = vkx_begin(vkx);
   vkt_transition(cmd, image, GENERAL, GENERAL);
   vkCmdCopyImageToBuffer(cmd, image->image, GENERAL, buffer.buffer, 1, &copy);
   vkt_barrier(cmd);
   vkx_submit_and_wait(vkx, cmd);
   const bool same = !memcmp(buffer.map, texels, size_B);
   vkx_buffer_destroy(vkx, &buffer);
   return same;
}

/* ---- in memory ---- */

static VkBufferImageCopy
whole(const struct vkt_image *image)
{
   return (VkBufferImageCopy){.imageSubresource = {COLOR, 0, 0, 1}, .imageExtent = image->info.extent};
}

static const uint8_t *
map(struct vkx *vkx, const struct vkt_image *image)
{
   void *bytes;
   vkx_check(vkMapMemory(vkx->device, image->memory, 0, VK_WHOLE_SIZE, 0, &bytes), "vkMapMemory");
   return bytes;
}

/* Rows lie where the pitch and the offset that were named say. */
static void
test_rows(struct vkx *vkx)
{
   enum { WIDTH = 100, HEIGHT = 60, OFFSET_B = 256, PITCH_B = 432, SIZE_B = WIDTH * HEIGHT * 4 };
   struct vkx_buffer buffer = vkt_buffer_create(vkx, SIZE_B, 0);
   struct vkt_image image;
   vkx_check(create_placed(vkx, &formats[3], extents[1], LINEAR, 1, OFFSET_B, PITCH_B, &image), "vkCreateImage");
   shared_image_bind(vkx, &image, -1);
   for (uint32_t i = 0; i < SIZE_B; i++)
      ((uint8_t *)buffer.map)[i] = (uint8_t)vkt_random();
   VkCommandBuffer cmd = vkx_begin(vkx);
   vkt_transition(cmd, &image, VK_IMAGE_LAYOUT_UNDEFINED, GENERAL);
   const VkBufferImageCopy copy = whole(&image);
   vkCmdCopyBufferToImage(cmd, buffer.buffer, image.image, GENERAL, 1, &copy);
   vkt_barrier(cmd);
   vkx_submit_and_wait(vkx, cmd);
   const uint8_t *bytes = map(vkx, &image);
   bool same = true;
   for (uint32_t y = 0; y < HEIGHT; y++)
      same &= !memcmp(bytes + OFFSET_B + y * PITCH_B, (uint8_t *)buffer.map + 4 * WIDTH * y, 4 * WIDTH);
   vkt_expect(same, "a linear image has its rows where it was told");
   vkt_image_destroy(vkx, &image);
   vkx_buffer_destroy(vkx, &buffer);
}

/* A tile is a page whose texels are in Morton order: docs/drivers/asahi/layouts.md. */
static void
test_tile(struct vkx *vkx)
{
   enum { SIDE = 64, SIZE_B = SIDE * SIDE * 4 };
   struct vkx_buffer buffer = vkt_buffer_create(vkx, SIZE_B, 0);
   struct message message;
   struct vkt_image image = create(vkx, &formats[3], extents[0], 1, &message);
   for (uint32_t i = 0; i < SIZE_B / 4; i++)
      ((uint32_t *)buffer.map)[i] = i;
   VkCommandBuffer cmd = vkx_begin(vkx);
   vkt_transition(cmd, &image, VK_IMAGE_LAYOUT_UNDEFINED, GENERAL);
   const VkBufferImageCopy copy = whole(&image);
   vkCmdCopyBufferToImage(cmd, buffer.buffer, image.image, GENERAL, 1, &copy);
   vkt_barrier(cmd);
   vkx_submit_and_wait(vkx, cmd);
   const uint8_t *bytes = map(vkx, &image) + message.offset_B;
   bool same = true;
   for (uint32_t i = 0; i < SIDE * SIDE; i++) {
      uint32_t at = 0, texel;
      for (unsigned bit = 0; bit < 6; bit++)
         at |= (i >> bit & 1) << 2 * bit | (i / SIDE >> bit & 1) << (2 * bit + 1);
      memcpy(&texel, bytes + 4 * at, 4);
      same &= texel == i;
   }
   vkt_expect(same, "a GPU-tiled image of one tile lies in Morton order");
   vkt_image_destroy(vkx, &image);
   vkx_buffer_destroy(vkx, &buffer);
}

/* A clear leaves the mode of one colour in the metadata, the colour eight times in each tile, and nothing else. */
static void
test_clear(struct vkx *vkx)
{
   enum { TEXELS = 64 * 64, TILES = TEXELS / 256 };
   const VkClearColorValue red = {.float32 = {1, 0, 0, 1}};
   const VkImageSubresourceRange range = {COLOR, 0, 1, 0, 1};
   struct message message;
   struct vkt_image image = create(vkx, &formats[3], extents[0], 0, &message);
   uint8_t *bytes = (uint8_t *)map(vkx, &image) + message.offset_B;
   memset(bytes, 0x5a, 4 * TEXELS + 8 * TILES);
   VkCommandBuffer cmd = vkx_begin(vkx);
   vkt_transition(cmd, &image, VK_IMAGE_LAYOUT_PREINITIALIZED, GENERAL);
   vkCmdClearColorImage(cmd, image.image, GENERAL, &red, 1, &range);
   vkt_barrier(cmd);
   vkx_submit_and_wait(vkx, cmd);
   bool same = true;
   for (uint32_t i = 0; i < TEXELS; i++)
      same &= ((uint32_t *)bytes)[i] == (i % 256 < 8 ? 0xff0000ff : 0x5a5a5a5a);
   vkt_expect(same, "the colour eight times in each tile, and nothing else");
   same = true;
   for (uint32_t i = 0; i < 8 * TILES; i++)
      same &= bytes[4 * TEXELS + i] == 0x03;
   vkt_expect(same, "the metadata says that tiles have one colour");
   vkt_image_destroy(vkx, &image);
}

/* ---- two sides ---- */

/* A case's picture and the one after the other side's turn: both sides know them. */
struct pictures {
   const struct format *format;
   VkExtent2D extent;
   unsigned modifier;
   VkRect2D parts[2];
   bool all; /* the other side clears it too */
   uint8_t *before, *after;
};

enum { CASES = ARRAY_SIZE(formats) * ARRAY_SIZE(extents) * ARRAY_SIZE(modifiers) };

static struct pictures
pictures_of(uint32_t number)
{
   struct pictures p = {.modifier = number % ARRAY_SIZE(modifiers),
                        .extent = extents[number / ARRAY_SIZE(modifiers) % ARRAY_SIZE(extents)],
                        .format = &formats[number / ARRAY_SIZE(modifiers) / ARRAY_SIZE(extents)]};
   const size_t size_B = (size_t)p.extent.width * p.extent.height * p.format->texel_B;
   vkt_seed(number);
   p.before = malloc(size_B);
   p.after = malloc(size_B);
   p.parts[0] = choose_part(p.extent);
   p.parts[1] = choose_part(p.extent);
   p.all = vkt_random_below(2);
   fill(p.before, p.format, p.extent, &p.parts[0], true);
   memcpy(p.after, p.before, size_B);
   fill(p.after, p.format, p.extent, &p.parts[1], p.all);
   return p;
}

static bool
skips(struct vkx *vkx, const struct pictures *p)
{
   uint32_t planes;
   return !features_of(vkx, p->format->format, modifiers[p->modifier], &planes);
}

/* The other side's turn: it sees what was written, and writes. */
static void
turn(struct vkx *vkx, const struct pictures *p, const struct message *message, int fd)
{
   struct vkt_image shared;
   vkx_check(create_placed(vkx, p->format, p->extent, modifiers[p->modifier], 1, message->offset_B, message->pitch_B,
                           &shared),
             "vkCreateImage");
   shared_image_bind(vkx, &shared, fd);
   vkt_expect(holds(vkx, &shared, p->format, p->before), "format %u, %s, %ux%u: the second sees what the first wrote",
              p->format->format, names[p->modifier], p->extent.width, p->extent.height);
   write_image(vkx, &shared, p->format, p->after, &p->parts[1], p->all);
   vkt_image_destroy(vkx, &shared);
}

/* link: to the process that is the other side; -1: the second device is. False: the other side is gone. */
static bool
own(uint32_t number, int link)
{
   struct pictures p = pictures_of(number);
   struct message message = {.number = number, .skipped = skips(devices[0], &p)};
   struct vkt_image shared = {0};
   bool there = true;
   int fd = -1;
   if (!message.skipped) {
      shared = create(devices[0], p.format, p.extent, p.modifier, &message);
      write_image(devices[0], &shared, p.format, p.before, &p.parts[0], true);
      fd = shared_image_export(devices[0], shared.memory);
   }
   if (link >= 0) {
      shared_image_send(link, &message, sizeof(message), fd);
      close(fd);
      there = shared_image_receive(link, &message, sizeof(message), &fd);
   } else if (!message.skipped) {
      turn(devices[1], &p, &message, fd);
   }
   if (!message.skipped)
      vkt_expect(holds(devices[0], &shared, p.format, p.after),
                 "format %u, %s, %ux%u: the first sees what the second wrote", p.format->format, names[p.modifier],
                 p.extent.width, p.extent.height);
   if (shared.image)
      vkt_image_destroy(devices[0], &shared);
   free(p.before);
   free(p.after);
   return there;
}

static bool
answer(int link)
{
   struct message message;
   int fd;
   if (!shared_image_receive(link, &message, sizeof(message), &fd))
      return false;
   struct pictures p = pictures_of(message.number);
   message.skipped |= skips(devices[0], &p);
   if (!message.skipped)
      turn(devices[0], &p, &message, fd);
   else if (fd >= 0)
      close(fd);
   shared_image_send(link, &message, sizeof(message), -1);
   free(p.before);
   free(p.after);
   return true;
}

int
main(int argc, char **argv)
{
   vkx_expect_options(argc, argv, (const char *const[]){"--socket", "--side", "--strict", NULL},
                      "modifiers [--socket FD --side 0|1] [--strict 0]");
   const int link = atoi(vkx_option(argc, argv, "--socket", "-1"));
   const bool second = atoi(vkx_option(argc, argv, "--side", "0"));
   strict = atoi(vkx_option(argc, argv, "--strict", "1"));
   struct vkx vkx = vkt_create("modifiers"), other;
   if (!vkt_has("VK_EXT_image_drm_format_modifier")) {
      vkt_skip("modifiers");
      vkt_expect(true, "nothing");
      return vkt_finish(&vkx);
   }
   devices[0] = &vkx;
   for (unsigned i = 0; i < ARRAY_SIZE(formats) * ARRAY_SIZE(modifiers) && !second; i++)
      test_properties(&vkx, &formats[i / ARRAY_SIZE(modifiers)], i % ARRAY_SIZE(modifiers));
   test_refused(&vkx);
   if (strict) {
      test_misplaced(&vkx);
      test_rows(&vkx);
      test_tile(&vkx);
      test_clear(&vkx);
   }
   if (link < 0) {
      other = vkt_create_second(&vkx);
      devices[1] = &other;
   }
   for (uint32_t i = 0; i < CASES; i++) {
      if (second ? !answer(link) : !own(i, link))
         break;
   }
   if (link < 0) {
      vkDestroyCommandPool(other.device, other.pool, NULL);
      vkDestroyDevice(other.device, NULL);
   }
   return vkt_finish(&vkx);
}
