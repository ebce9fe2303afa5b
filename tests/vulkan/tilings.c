/* Images with AMD's DRM format modifiers, without compression: two devices that are told modifier, offsets and
 * pitches see the same texels, which copies and clears of attachments wrote. tilings [--list 1] [--socket FD --side
 * 0|1]: with a socket the two are processes, each with a driver of its own, of which side 0 makes the images; --list
 * prints what is offered instead, and where planes lie. --strict 0: RADV 26 may take images that are placed wrong. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "shared_image.h"

#define ARRAY_SIZE(a) (sizeof(a) / sizeof((a)[0]))
#define MAX_MODIFIERS 64
#define MAX_PLANES 3
#define GENERAL VK_IMAGE_LAYOUT_GENERAL

static const struct format {
   VkFormat format;
   unsigned planes;
   uint32_t texel_B[MAX_PLANES], divisor[MAX_PLANES];
} formats[] = {
   {VK_FORMAT_R8_UNORM, 1, {1}, {1}},
   {VK_FORMAT_R8G8_UNORM, 1, {2}, {1}},
   {VK_FORMAT_B8G8R8A8_UNORM, 1, {4}, {1}},
   {VK_FORMAT_A2B10G10R10_UNORM_PACK32, 1, {4}, {1}},
   {VK_FORMAT_R16G16B16A16_UNORM, 1, {8}, {1}},
   {VK_FORMAT_R32G32B32A32_UINT, 1, {16}, {1}},
   {VK_FORMAT_G8_B8R8_2PLANE_420_UNORM, 2, {1, 2}, {1, 2}},
   {VK_FORMAT_G8_B8_R8_3PLANE_420_UNORM, 3, {1, 1, 1}, {1, 2, 2}},
};
static const VkExtent2D extents[] = {{64, 64}, {300, 200}, {34, 142}};

/* Case `number`, and the image that side 0 made; planes 0: it does not make it. */
struct message {
   uint32_t number, planes;
   uint64_t modifier, offset_B[MAX_PLANES], pitch_B[MAX_PLANES];
};

static struct vkx *devices[2];

/* DCC has planes of its own. */
static bool
is_plain(uint64_t modifier)
{
   return !modifier || (modifier >> 56 == 2 && !(modifier >> 13 & 1));
}

static uint32_t
find_modifiers(struct vkx *vkx, VkFormat format, VkDrmFormatModifierPropertiesEXT plain[MAX_MODIFIERS])
{
   VkDrmFormatModifierPropertiesEXT all[MAX_MODIFIERS];
   VkDrmFormatModifierPropertiesListEXT list = {.sType = VK_STRUCTURE_TYPE_DRM_FORMAT_MODIFIER_PROPERTIES_LIST_EXT,
                                                .drmFormatModifierCount = MAX_MODIFIERS,
                                                .pDrmFormatModifierProperties = all};
   VkFormatProperties2 properties = {.sType = VK_STRUCTURE_TYPE_FORMAT_PROPERTIES_2, .pNext = &list};
   uint32_t count = 0;
   vkGetPhysicalDeviceFormatProperties2(vkx->physical, format, &properties);
   for (uint32_t i = 0; i < list.drmFormatModifierCount; i++) {
      if (is_plain(all[i].drmFormatModifier))
         plain[count++] = all[i];
   }
   return count;
}

static VkResult
create(struct vkx *vkx, const struct format *format, VkExtent2D extent, const void *chain, struct vkt_image *out)
{
   const VkExternalMemoryImageCreateInfo external = {
      .sType = VK_STRUCTURE_TYPE_EXTERNAL_MEMORY_IMAGE_CREATE_INFO, .pNext = chain, .handleTypes = DMA_BUF};
   const VkImageUsageFlags target = format->planes == 1 ? VK_IMAGE_USAGE_COLOR_ATTACHMENT_BIT : 0;
   out->info = (VkImageCreateInfo){.sType = VK_STRUCTURE_TYPE_IMAGE_CREATE_INFO,
                                   .pNext = &external,
                                   .imageType = VK_IMAGE_TYPE_2D,
                                   .format = format->format,
                                   .extent = {extent.width, extent.height, 1},
                                   .mipLevels = 1,
                                   .arrayLayers = 1,
                                   .samples = VK_SAMPLE_COUNT_1_BIT,
                                   .tiling = VK_IMAGE_TILING_DRM_FORMAT_MODIFIER_EXT,
                                   .usage = VK_IMAGE_USAGE_TRANSFER_SRC_BIT | VK_IMAGE_USAGE_TRANSFER_DST_BIT |
                                            VK_IMAGE_USAGE_SAMPLED_BIT | target};
   const VkResult result = vkCreateImage(vkx->device, &out->info, NULL, &out->image);
   out->info.pNext = NULL;
   return result;
}

static struct vkt_image
create_listed(struct vkx *vkx, const struct format *format, VkExtent2D extent, struct message *message)
{
   const VkImageDrmFormatModifierListCreateInfoEXT list = {
      .sType = VK_STRUCTURE_TYPE_IMAGE_DRM_FORMAT_MODIFIER_LIST_CREATE_INFO_EXT,
      .drmFormatModifierCount = 1,
      .pDrmFormatModifiers = &message->modifier};
   struct vkt_image image = {0};
   vkx_check(create(vkx, format, extent, &list, &image), "vkCreateImage");
   message->planes = format->planes;
   for (unsigned i = 0; i < format->planes; i++) {
      const VkImageSubresource plane = {.aspectMask = VK_IMAGE_ASPECT_MEMORY_PLANE_0_BIT_EXT << i};
      VkSubresourceLayout layout;
      vkGetImageSubresourceLayout(vkx->device, image.image, &plane, &layout);
      message->offset_B[i] = layout.offset;
      message->pitch_B[i] = layout.rowPitch;
   }
   return image;
}

static VkResult
create_placed(struct vkx *vkx, const struct format *format, VkExtent2D extent, const struct message *message,
              struct vkt_image *image)
{
   VkSubresourceLayout layouts[MAX_PLANES] = {{0}};
   for (unsigned i = 0; i < message->planes; i++)
      layouts[i] = (VkSubresourceLayout){.offset = message->offset_B[i], .rowPitch = message->pitch_B[i]};
   const VkImageDrmFormatModifierExplicitCreateInfoEXT placed = {
      .sType = VK_STRUCTURE_TYPE_IMAGE_DRM_FORMAT_MODIFIER_EXPLICIT_CREATE_INFO_EXT,
      .drmFormatModifier = message->modifier,
      .drmFormatModifierPlaneCount = message->planes,
      .pPlaneLayouts = layouts};
   return create(vkx, format, extent, &placed, image);
}

/* ---- texels ---- */

static VkBufferImageCopy
plane_copy(const struct format *format, VkExtent2D extent, unsigned plane, uint64_t offset_B)
{
   const uint32_t divisor = format->divisor[plane];
   return (VkBufferImageCopy){
      .bufferOffset = offset_B,
      .imageSubresource = {format->planes > 1 ? VK_IMAGE_ASPECT_PLANE_0_BIT << plane : VK_IMAGE_ASPECT_COLOR_BIT, 0,
                           0, 1},
      .imageExtent = {extent.width / divisor, extent.height / divisor, 1}};
}

/* Copies of all planes, from or to a buffer; their number. *size_B: of its bytes. */
static uint32_t
copies_of(const struct format *format, VkExtent2D extent, VkBufferImageCopy copies[MAX_PLANES], uint64_t *size_B)
{
   *size_B = 0;
   for (unsigned i = 0; i < format->planes; i++) {
      copies[i] = plane_copy(format, extent, i, *size_B);
      const VkExtent3D *part = &copies[i].imageExtent;
      *size_B += ((uint64_t)part->width * part->height * format->texel_B[i] + 15) / 16 * 16;
   }
   return format->planes;
}

/* What an image holds in a turn: random; of one plane only the upper half, below it are ones. */
static void
fill(uint8_t *bytes, const struct format *format, VkExtent2D extent, uint32_t sequence, uint64_t size_B)
{
   const uint64_t half_B = (uint64_t)extent.width * (extent.height / 2) * format->texel_B[0];
   vkt_seed(sequence);
   for (uint64_t i = 0; i < size_B; i++)
      bytes[i] = (uint8_t)vkt_random();
   if (format->planes == 1)
      memset(bytes + half_B, 0xff, size_B - half_B);
}

static void
clear(struct vkx *vkx, VkCommandBuffer cmd, const struct vkt_image *image, VkImageView view)
{
   const bool integers = image->info.format == VK_FORMAT_R32G32B32A32_UINT;
   const VkClearColorValue ones =
      integers ? (VkClearColorValue){.uint32 = {~0u, ~0u, ~0u, ~0u}} : (VkClearColorValue){.float32 = {1, 1, 1, 1}};
   const VkRenderingAttachmentInfo color = {.sType = VK_STRUCTURE_TYPE_RENDERING_ATTACHMENT_INFO,
                                            .imageView = view,
                                            .imageLayout = GENERAL,
                                            .loadOp = VK_ATTACHMENT_LOAD_OP_CLEAR,
                                            .storeOp = VK_ATTACHMENT_STORE_OP_STORE,
                                            .clearValue = {.color = ones}};
   const VkRenderingInfo rendering = {.sType = VK_STRUCTURE_TYPE_RENDERING_INFO,
                                      .renderArea = {{0, 0}, {image->info.extent.width, image->info.extent.height}},
                                      .layerCount = 1,
                                      .colorAttachmentCount = 1,
                                      .pColorAttachments = &color};
   VKT_PROC(vkx, vkCmdBeginRenderingKHR)(cmd, &rendering);
   VKT_PROC(vkx, vkCmdEndRenderingKHR)(cmd);
   vkt_barrier(cmd);
}

static void
write_image(struct vkx *vkx, const struct vkt_image *image, const struct format *format, uint32_t sequence,
            bool first)
{
   const VkExtent2D extent = {image->info.extent.width, image->info.extent.height};
   VkBufferImageCopy copies[MAX_PLANES];
   uint64_t size_B;
   const uint32_t count = copies_of(format, extent, copies, &size_B);
   struct vkx_buffer buffer = vkt_buffer_create(vkx, size_B, 0);
   VkImageView view = VK_NULL_HANDLE;
   fill(buffer.map, format, extent, sequence, size_B);
   VkCommandBuffer cmd = vkx_begin(vkx);
   vkt_transition(cmd, image, first ? VK_IMAGE_LAYOUT_UNDEFINED : GENERAL, GENERAL);
   if (format->planes == 1) {
      view = vkt_view_create(vkx, image, VK_IMAGE_VIEW_TYPE_2D, VK_IMAGE_ASPECT_COLOR_BIT, 0, 0, 1);
      clear(vkx, cmd, image, view);
      copies[0].imageExtent.height /= 2;
   }
   vkCmdCopyBufferToImage(cmd, buffer.buffer, image->image, GENERAL, count, copies);
   vkt_barrier(cmd);
   vkx_submit_and_wait(vkx, cmd);
   vkDestroyImageView(vkx->device, view, NULL);
   vkx_buffer_destroy(vkx, &buffer);
}

static bool
holds(struct vkx *vkx, const struct vkt_image *image, const struct format *format, uint32_t sequence)
{
   const VkExtent2D extent = {image->info.extent.width, image->info.extent.height};
   VkBufferImageCopy copies[MAX_PLANES];
   uint64_t size_B;
   const uint32_t count = copies_of(format, extent, copies, &size_B);
   struct vkx_buffer buffer = vkt_buffer_create(vkx, size_B, 0);
   uint8_t *wanted = malloc(size_B);
   bool same = true;
   fill(wanted, format, extent, sequence, size_B);
   VkCommandBuffer cmd = vkx_begin(vkx);
   vkt_transition(cmd, image, GENERAL, GENERAL);
   vkCmdCopyImageToBuffer(cmd, image->image, GENERAL, buffer.buffer, count, copies);
   vkt_barrier(cmd);
   vkx_submit_and_wait(vkx, cmd);
   for (unsigned i = 0; i < count; i++) {
      const VkExtent3D *part = &copies[i].imageExtent;
      const uint64_t offset_B = copies[i].bufferOffset;
      same &= !memcmp((uint8_t *)buffer.map + offset_B, wanted + offset_B,
                      (size_t)part->width * part->height * format->texel_B[i]);
   }
   free(wanted);
   vkx_buffer_destroy(vkx, &buffer);
   return same;
}

/* ---- two sides ---- */

static const struct format *
format_of(uint32_t number)
{
   return &formats[number / ARRAY_SIZE(extents) % ARRAY_SIZE(formats)];
}

static VkExtent2D
extent_of(uint32_t number)
{
   return extents[number % ARRAY_SIZE(extents)];
}

/* The other side's turn: it sees what was written, and writes. */
static void
turn(struct vkx *vkx, const struct message *message, int fd)
{
   const struct format *format = format_of(message->number);
   struct vkt_image image = {0};
   vkx_check(create_placed(vkx, format, extent_of(message->number), message, &image), "vkCreateImage");
   shared_image_bind(vkx, &image, fd);
   vkt_expect(holds(vkx, &image, format, 2 * message->number), "format %u, 0x%lx, %ux%u: the second sees the first's",
              format->format, (unsigned long)message->modifier, image.info.extent.width, image.info.extent.height);
   write_image(vkx, &image, format, 2 * message->number + 1, false);
   vkt_image_destroy(vkx, &image);
}

/* link: to the process that is the other side; -1: the second device is. False: the other side is gone. */
static bool
own(struct message message, int link)
{
   const struct format *format = format_of(message.number);
   struct vkt_image image = create_listed(devices[0], format, extent_of(message.number), &message);
   bool there = true;
   shared_image_bind(devices[0], &image, -1);
   write_image(devices[0], &image, format, 2 * message.number, true);
   int fd = shared_image_export(devices[0], image.memory);
   if (link >= 0) {
      there = shared_image_send(link, &message, sizeof(message), fd);
      close(fd);
      there = there && shared_image_receive(link, &message, sizeof(message), &fd);
   } else {
      turn(devices[1], &message, fd);
   }
   vkt_expect(!there || holds(devices[0], &image, format, 2 * message.number + 1),
              "format %u, 0x%lx, %ux%u: the first sees the second's", format->format, (unsigned long)message.modifier,
              image.info.extent.width, image.info.extent.height);
   vkt_image_destroy(devices[0], &image);
   return there;
}

static void
own_all(int link)
{
   bool there = true;
   for (uint32_t i = 0; there && i < ARRAY_SIZE(formats) * ARRAY_SIZE(extents); i++) {
      VkDrmFormatModifierPropertiesEXT found[MAX_MODIFIERS];
      const uint32_t count = find_modifiers(devices[0], format_of(i)->format, found);
      vkt_expect(count > 0 && !found[count - 1].drmFormatModifier, "format %u: %u modifiers, the last is linear",
                 format_of(i)->format, count);
      for (uint32_t m = 0; there && m < count; m++) {
         vkt_expect(found[m].drmFormatModifierPlaneCount == format_of(i)->planes, "format %u: %u planes",
                    format_of(i)->format, found[m].drmFormatModifierPlaneCount);
         there = own((struct message){.number = i, .modifier = found[m].drmFormatModifier}, link);
      }
   }
   const struct message end = {.number = UINT32_MAX};
   if (link >= 0 && there)
      shared_image_send(link, &end, sizeof(end), -1);
}

static void
answer_all(int link)
{
   struct message message;
   int fd;
   while (shared_image_receive(link, &message, sizeof(message), &fd) && message.number != UINT32_MAX) {
      turn(devices[0], &message, fd);
      if (!shared_image_send(link, &message, sizeof(message), -1))
         return;
   }
}

/* Places that are none. */
static void
test_misplaced(struct vkx *vkx)
{
   const struct format *nv12 = &formats[6];
   VkDrmFormatModifierPropertiesEXT found[MAX_MODIFIERS];
   const uint32_t count = find_modifiers(vkx, nv12->format, found);
   for (uint32_t m = 0; m < count; m++) {
      struct message right = {.modifier = found[m].drmFormatModifier}, wrong[4];
      struct vkt_image image = create_listed(vkx, nv12, extents[1], &right);
      vkDestroyImage(vkx->device, image.image, NULL);
      for (unsigned i = 0; i < ARRAY_SIZE(wrong); i++)
         wrong[i] = right;
      wrong[0].offset_B[1] += 8;
      wrong[1].pitch_B[1] /= 2;
      wrong[2].planes = 1;
      wrong[3].offset_B[1] = ~0ull << 18;
      for (unsigned i = 0; i < ARRAY_SIZE(wrong); i++) {
         const VkResult result = create_placed(vkx, nv12, extents[1], &wrong[i], &image);
         vkt_expect(result == VK_ERROR_INVALID_DRM_FORMAT_MODIFIER_PLANE_LAYOUT_EXT, "0x%lx, misplaced %u: %d",
                    (unsigned long)right.modifier, i, result);
      }
   }
}

static void
list(struct vkx *vkx)
{
   for (uint32_t i = 0; i < ARRAY_SIZE(formats) * ARRAY_SIZE(extents); i++) {
      VkDrmFormatModifierPropertiesEXT found[MAX_MODIFIERS];
      const uint32_t count = find_modifiers(vkx, format_of(i)->format, found);
      for (uint32_t m = 0; m < count; m++) {
         struct message message = {.modifier = found[m].drmFormatModifier};
         struct vkt_image image = create_listed(vkx, format_of(i), extent_of(i), &message);
         vkDestroyImage(vkx->device, image.image, NULL);
         printf("layout %u 0x%016lx %ux%u:", format_of(i)->format, (unsigned long)message.modifier,
                extent_of(i).width, extent_of(i).height);
         for (uint32_t p = 0; p < message.planes; p++)
            printf(" %lu/%lu", (unsigned long)message.offset_B[p], (unsigned long)message.pitch_B[p]);
         printf("\n");
      }
   }
}

int
main(int argc, char **argv)
{
   vkx_expect_options(argc, argv, (const char *const[]){"--list", "--socket", "--side", "--strict", NULL},
                      "tilings [--list 1] [--socket FD --side 0|1] [--strict 0]");
   const int link = atoi(vkx_option(argc, argv, "--socket", "-1"));
   vkt_samplers = true; /* Y'CbCr */
   struct vkx vkx = vkt_create("tilings"), other;
   devices[0] = &vkx;
   if (!vkt_has("VK_EXT_image_drm_format_modifier")) {
      vkt_skip("modifiers");
      vkt_expect(true, "nothing");
   } else if (atoi(vkx_option(argc, argv, "--list", "0"))) {
      list(&vkx);
   } else if (atoi(vkx_option(argc, argv, "--side", "0"))) {
      answer_all(link);
   } else if (link >= 0) {
      own_all(link);
   } else {
      other = vkt_create_second(&vkx);
      devices[1] = &other;
      own_all(-1);
      if (atoi(vkx_option(argc, argv, "--strict", "1")))
         test_misplaced(&vkx);
      vkDestroyCommandPool(other.device, other.pool, NULL);
      vkDestroyDevice(other.device, NULL);
   }
   return vkt_finish(&vkx);
}
