/* What hardware may compress: images of all kinds of formats are drawn to, cleared, copied and blitted in parts, at
 * random, through two handles of the same memory and after garbage in it. The processor does the same to arrays of
 * its own; both must be equal. compression [--rounds N] [--large 1] [--quirks radv]
 * Large images are those that drivers think worth it if they have one sample: of one layer, and many levels. */
#include <stdlib.h>
#include <string.h>

#include "pass_helpers.h"

#define LOAD VK_ATTACHMENT_LOAD_OP_LOAD
#define CLEAR VK_ATTACHMENT_LOAD_OP_CLEAR
#define ARRAY_SIZE(a) (sizeof(a) / sizeof((a)[0]))
#define BUFFER_B (large ? 64u << 20 : 4u << 20)
#define DEPTH_BIT VK_IMAGE_ASPECT_DEPTH_BIT
#define STENCIL_BIT VK_IMAGE_ASPECT_STENCIL_BIT
#define MAX_OBJECTS 256
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
   {VK_FORMAT_R32G32B32A32_SFLOAT, {32, 32, 32, 32}},
   {VK_FORMAT_D32_SFLOAT, {32}},
   {VK_FORMAT_D16_UNORM, {16}},
   {VK_FORMAT_D32_SFLOAT_S8_UINT, {32}},
};

/* What an aspect of an image holds, by level, layer, row, texel. */
struct plane {
   VkImageAspectFlags aspect;
   uint32_t texel_B;
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
   unsigned num_planes;
   struct plane planes[2];
};

struct box {
   uint32_t level, x, y, width, height, layer, layers;
};

enum { MANY_FORMAT = 7 }; /* R32G32 */

static bool radv, large;
static struct vkx_buffer upload;
static uint32_t uploaded_B;
/* Live until the commands have run. */
static VkImageView views[MAX_OBJECTS];
static VkRenderPass passes[MAX_OBJECTS];
static VkFramebuffer framebuffers[MAX_OBJECTS];
static unsigned num_views, num_passes;

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
         for (uint32_t x = box->x; x < box->x + box->width; x++)
            memcpy(texel_at(pair, plane, box->level, layer, x, y), texel, plane->texel_B);
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

/* many: layers that no tile holds when they are targets. */
static bool
choose_info(struct pair *pair, bool many)
{
   static const VkSampleCountFlagBits samples[] = {1, 1, 1, 2, 4};
   VkImageFormatProperties properties;
   pair->format = &formats[many ? MANY_FORMAT : vkt_random_below(ARRAY_SIZE(formats))];
   const VkImageAspectFlags aspects = vkt_aspects(pair->format->format);
   const bool color = aspects == VK_IMAGE_ASPECT_COLOR_BIT;
   pair->info = (VkImageCreateInfo){
      .sType = VK_STRUCTURE_TYPE_IMAGE_CREATE_INFO,
      .flags = VK_IMAGE_CREATE_ALIAS_BIT,
      .imageType = VK_IMAGE_TYPE_2D,
      .format = pair->format->format,
      .extent = {8 + vkt_random_below(90), 8 + vkt_random_below(90), 1},
      .mipLevels = 1,
      .arrayLayers = chance(50) ? 1 : 1 + vkt_random_below(MAX_TARGETS),
      .samples = color ? samples[vkt_random_below(ARRAY_SIZE(samples))] : 1,
      .usage = VK_IMAGE_USAGE_TRANSFER_SRC_BIT | VK_IMAGE_USAGE_TRANSFER_DST_BIT |
               (color ? VK_IMAGE_USAGE_COLOR_ATTACHMENT_BIT : VK_IMAGE_USAGE_DEPTH_STENCIL_ATTACHMENT_BIT),
   };
   if (many) {
      pair->info.arrayLayers = MAX_TARGETS;
      pair->info.samples = 4;
   }
   if (pair->info.samples == 1 && chance(50))
      pair->info.mipLevels = 1 + vkt_random_below(4);
   if (large) {
      pair->info.extent = (VkExtent3D){500 + vkt_random_below(400), 500 + vkt_random_below(300), 1};
      pair->info.mipLevels = pair->info.samples == 1 ? 1 + vkt_random_below(MAX_LEVELS) : 1;
      pair->info.arrayLayers = 1;
   }
   if (pair->info.samples == 1 && color && chance(20))
      pair->info.usage |= VK_IMAGE_USAGE_STORAGE_BIT;
   if (!large && chance(50)) { /* whose levels halve to whole tiles */
      pair->info.extent.width = 64;
      pair->info.extent.height = 32u << vkt_random_below(3);
   }
   return vkGetPhysicalDeviceImageFormatProperties(vkx->physical, pair->info.format, VK_IMAGE_TYPE_2D, 0,
                                                   pair->info.usage, 0, &properties) == VK_SUCCESS &&
          properties.sampleCounts & pair->info.samples;
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
add_plane(struct pair *pair, VkImageAspectFlags aspect, uint32_t texel_B)
{
   struct plane *plane = &pair->planes[pair->num_planes++];
   size_t size_B = 0;
   *plane = (struct plane){.aspect = aspect, .texel_B = texel_B};
   for (uint32_t level = 0; level < pair->info.mipLevels; level++) {
      plane->level_B[level] = size_B;
      size_B += (size_t)minify(pair->info.extent.width, level) * minify(pair->info.extent.height, level) *
                pair->info.arrayLayers * texel_B;
   }
   plane->texels = calloc(1, size_B);
   if (!plane->texels)
      abort();
}

static struct pair
create(bool many)
{
   struct pair pair = {0};
   while (!choose_info(&pair, many)) {
   }
   for (unsigned i = 0; i < 2; i++)
      vkx_check(vkCreateImage(vkx->device, &pair.info, NULL, &pair.handles[i]), "vkCreateImage");
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

/* ---- renders ---- */

static VkImageView
add_view(const struct pair *pair, uint32_t level, uint32_t layer, uint32_t layers)
{
   const struct vkt_image image = {.image = handle(pair), .info = pair->info};
   return views[num_views++] =
             vkt_view_create(vkx, &image, layers > 1 ? VK_IMAGE_VIEW_TYPE_2D_ARRAY : VK_IMAGE_VIEW_TYPE_2D,
                             vkt_aspects(pair->info.format), level, layer, layers);
}

/* Of `count` targets in a level, each of some layers. */
static void
begin_pass(VkCommandBuffer cmd, const struct pair *pair, uint32_t count, uint32_t level, uint32_t layers,
           VkAttachmentLoadOp load, VkRect2D area, const VkClearValue *clears)
{
   const bool color = pair->planes[0].aspect == VK_IMAGE_ASPECT_COLOR_BIT;
   const unsigned first = num_views - count;
   VkAttachmentDescription attachments[MAX_TARGETS];
   VkAttachmentReference refs[MAX_TARGETS];
   for (uint32_t i = 0; i < count; i++) {
      attachments[i] = attachment(pair->info.format, pair->info.samples, load);
      attachments[i].initialLayout = GENERAL;
      refs[i] = (VkAttachmentReference){i, GENERAL};
   }
   const VkSubpassDescription subpass = {.colorAttachmentCount = color ? count : 0,
                                         .pColorAttachments = refs,
                                         .pDepthStencilAttachment = color ? NULL : refs};
   passes[num_passes] = pass_create(count, attachments, 1, &subpass, NULL);
   const VkFramebufferCreateInfo framebuffer = {
      .sType = VK_STRUCTURE_TYPE_FRAMEBUFFER_CREATE_INFO,
      .renderPass = passes[num_passes],
      .attachmentCount = count,
      .pAttachments = &views[first],
      .width = minify(pair->info.extent.width, level),
      .height = minify(pair->info.extent.height, level),
      .layers = layers,
   };
   vkx_check(vkCreateFramebuffer(vkx->device, &framebuffer, NULL, &framebuffers[num_passes]), "vkCreateFramebuffer");
   begin(cmd, passes[num_passes], framebuffers[num_passes], area, count, clears);
   num_passes++;
}

/* A rectangle of a rendering gets a value; the box counts from the image's first layer, base_layer from the view's.
 */
static void
clear_rect(VkCommandBuffer cmd, const struct pair *pair, uint32_t target, const struct box *box, uint32_t base_layer)
{
   const struct plane *plane = &pair->planes[vkt_random_below(pair->num_planes)];
   const struct value value = choose_value(pair, plane);
   const VkClearAttachment clear = {plane->aspect, target, value.clear};
   const VkClearRect rect = {
      {{(int32_t)box->x, (int32_t)box->y}, {box->width, box->height}}, base_layer, box->layers};
   vkCmdClearAttachments(cmd, 1, &clear, 1, &rect);
   fill_box(pair, plane, box, value.texel);
}

/* Clears or loads some layers of a level, and draws a few rectangles. */
static void
render(VkCommandBuffer cmd, const struct pair *pair)
{
   const struct box box = choose_box(pair);
   const struct box inside = {box.level, box.x, box.y, box.width, box.height, box.layer, box.layers};
   const bool clears = chance(50);
   VkClearValue clear = {0};
   for (unsigned i = 0; i < pair->num_planes; i++) {
      const struct value value = choose_value(pair, &pair->planes[i]);
      if (pair->planes[i].aspect == STENCIL_BIT)
         clear.depthStencil.stencil = value.clear.depthStencil.stencil;
      else if (pair->planes[i].aspect == DEPTH_BIT)
         clear.depthStencil.depth = value.clear.depthStencil.depth;
      else
         clear = value.clear;
      if (clears)
         fill_box(pair, &pair->planes[i], &inside, value.texel);
   }
   add_view(pair, box.level, box.layer, box.layers);
   begin_pass(cmd, pair, 1, box.level, box.layers, clears ? CLEAR : LOAD,
              (VkRect2D){{(int32_t)box.x, (int32_t)box.y}, {box.width, box.height}}, &clear);
   for (unsigned n = vkt_random_below(4); n; n--) {
      struct box part = box;
      uint32_t x, y;
      choose_range(box.width, &x, &part.width);
      choose_range(box.height, &y, &part.height);
      part.x += x;
      part.y += y;
      clear_rect(cmd, pair, 0, &part, 0);
   }
   vkCmdEndRenderPass(cmd);
}

/* The layers are targets of one rendering. */
static void
render_many(VkCommandBuffer cmd, const struct pair *pair)
{
   struct box box = choose_box(pair);
   const bool clears = chance(50);
   VkClearValue clear[MAX_TARGETS];
   box.layers = 1;
   for (uint32_t i = 0; i < pair->info.arrayLayers; i++) {
      const struct value value = choose_value(pair, &pair->planes[0]);
      clear[i] = value.clear;
      box.layer = i;
      if (clears)
         fill_box(pair, &pair->planes[0], &box, value.texel);
      add_view(pair, box.level, i, 1);
   }
   begin_pass(cmd, pair, pair->info.arrayLayers, box.level, 1, clears ? CLEAR : LOAD,
              (VkRect2D){{(int32_t)box.x, (int32_t)box.y}, {box.width, box.height}}, clear);
   for (uint32_t i = 0; i < pair->info.arrayLayers; i++) {
      box.layer = i;
      if (chance(50))
         clear_rect(cmd, pair, i, &box, 0);
   }
   vkCmdEndRenderPass(cmd);
}

/* ---- transfers ---- */

static void
upload_box(VkCommandBuffer cmd, const struct pair *pair)
{
   const struct box box = choose_box(pair);
   const struct plane *plane = &pair->planes[vkt_random_below(pair->num_planes)];
   const uint32_t size_B = box.width * box.height * box.layers * plane->texel_B;
   if (uploaded_B + size_B > BUFFER_B)
      return;
   const VkBufferImageCopy copy = {.bufferOffset = uploaded_B,
                                   .imageSubresource = layers_of(plane, &box),
                                   .imageOffset = offset_of(&box),
                                   .imageExtent = {box.width, box.height, 1}};
   uint8_t *at = (uint8_t *)upload.map + uploaded_B;
   for (uint32_t layer = 0; layer < box.layers; layer++) {
      for (uint32_t i = 0; i < box.width * box.height; i++, at += plane->texel_B) {
         memcpy(at, choose_value(pair, plane).texel, plane->texel_B);
         memcpy(texel_at(pair, plane, box.level, box.layer + layer, box.x + i % box.width, box.y + i / box.width), at,
                plane->texel_B);
      }
   }
   uploaded_B = (uploaded_B + size_B + 15) & ~15u;
   vkCmdCopyBufferToImage(cmd, upload.buffer, handle(pair), GENERAL, 1, &copy);
}

static bool
overlap(const struct box *a, const struct box *b)
{
   return a->level == b->level && a->layer < b->layer + b->layers && b->layer < a->layer + a->layers;
}

static bool
can_blit(const struct pair *pair)
{
   const VkFormatFeatureFlags both = VK_FORMAT_FEATURE_BLIT_SRC_BIT | VK_FORMAT_FEATURE_BLIT_DST_BIT;
   VkFormatProperties properties;
   vkGetPhysicalDeviceFormatProperties(vkx->physical, pair->info.format, &properties);
   return pair->info.samples == 1 && (properties.optimalTilingFeatures & both) == both;
}

/* From box to box of the same size, not within layers of a level. */
static void
copy_box(VkCommandBuffer cmd, const struct pair *from, const struct pair *to)
{
   struct box src = choose_box(from), dst = choose_box(to);
   if (src.width < dst.width)
      dst.width = src.width;
   if (src.height < dst.height)
      dst.height = src.height;
   if (src.layers < dst.layers)
      dst.layers = src.layers;
   src.width = dst.width, src.height = dst.height, src.layers = dst.layers;
   if (from == to && overlap(&src, &dst))
      return;
   for (unsigned i = 0; i < from->num_planes; i++) {
      for (uint32_t n = 0; n < dst.width * dst.height * dst.layers; n++) {
         const uint32_t x = n % dst.width, y = n / dst.width % dst.height, layer = n / dst.width / dst.height;
         memcpy(texel_at(to, &to->planes[i], dst.level, dst.layer + layer, dst.x + x, dst.y + y),
                texel_at(from, &from->planes[i], src.level, src.layer + layer, src.x + x, src.y + y),
                to->planes[i].texel_B);
      }
   }
   VkImageSubresourceLayers src_layers = layers_of(&from->planes[0], &src),
                            dst_layers = layers_of(&to->planes[0], &dst);
   src_layers.aspectMask = dst_layers.aspectMask = vkt_aspects(from->info.format);
   const VkOffset3D src_end = {(int32_t)(src.x + src.width), (int32_t)(src.y + src.height), 1};
   const VkOffset3D dst_end = {(int32_t)(dst.x + dst.width), (int32_t)(dst.y + dst.height), 1};
   const VkImageCopy copy = {src_layers, offset_of(&src), dst_layers, offset_of(&dst), {src.width, src.height, 1}};
   const VkImageBlit blit = {src_layers, {offset_of(&src), src_end}, dst_layers, {offset_of(&dst), dst_end}};
   if (can_blit(from) && chance(40))
      vkCmdBlitImage(cmd, handle(from), GENERAL, handle(to), GENERAL, 1, &blit, VK_FILTER_NEAREST);
   else
      vkCmdCopyImage(cmd, handle(from), GENERAL, handle(to), GENERAL, 1, &copy);
}

static void
clear_levels(VkCommandBuffer cmd, const struct pair *pair, bool all)
{
   struct box box = choose_box(pair);
   if (all)
      box.level = 0, box.layer = 0, box.layers = pair->info.arrayLayers;
   const uint32_t levels = all ? pair->info.mipLevels : 1;
   for (unsigned i = 0; i < pair->num_planes; i++) {
      const struct plane *plane = &pair->planes[i];
      const struct value value = choose_value(pair, plane);
      const VkImageSubresourceRange range = {plane->aspect, box.level, levels, box.layer, box.layers};
      for (uint32_t level = box.level; level < box.level + levels; level++) {
         const struct box whole = {
            level,     0,         0, minify(pair->info.extent.width, level), minify(pair->info.extent.height, level),
            box.layer, box.layers};
         fill_box(pair, plane, &whole, value.texel);
      }
      if (plane->aspect == VK_IMAGE_ASPECT_COLOR_BIT)
         vkCmdClearColorImage(cmd, handle(pair), GENERAL, &value.clear.color, 1, &range);
      else
         vkCmdClearDepthStencilImage(cmd, handle(pair), GENERAL, &value.clear.depthStencil, 1, &range);
   }
}

/* Anything lies in the memory, then all texels are given values: by the transfer, or by renders. */
static void
start_anew(VkCommandBuffer cmd, const struct pair *pair)
{
   vkCmdFillBuffer(cmd, pair->alias, 0, VK_WHOLE_SIZE, vkt_random());
   vkt_barrier(cmd);
   const struct vkt_image image = {.image = pair->handles[0], .info = pair->info};
   vkt_transition(cmd, &image, VK_IMAGE_LAYOUT_UNDEFINED, GENERAL);
   if (chance(50)) {
      clear_levels(cmd, pair, true);
      return;
   }
   for (uint32_t level = 0; level < pair->info.mipLevels; level++) {
      const struct box whole = {level,
                                0,
                                0,
                                minify(pair->info.extent.width, level),
                                minify(pair->info.extent.height, level),
                                0,
                                pair->info.arrayLayers};
      VkClearValue clear = {0};
      for (unsigned i = 0; i < pair->num_planes; i++) {
         uint8_t zeros[16] = {0};
         fill_box(pair, &pair->planes[i], &whole, zeros);
      }
      add_view(pair, level, 0, whole.layers);
      begin_pass(cmd, pair, 1, level, whole.layers, CLEAR, (VkRect2D){{0, 0}, {whole.width, whole.height}}, &clear);
      vkCmdEndRenderPass(cmd);
   }
}

/* ---- checks ---- */

/* Of images with samples: all samples of a pixel are equal, and so is their average. */
static void
check_resolved(const struct pair *pair)
{
   VkImageCreateInfo info = pair->info;
   info.flags = 0;
   info.samples = 1;
   struct vkt_image one = vkt_image_create(vkx, info, false);
   const VkImageSubresourceLayers layers = {VK_IMAGE_ASPECT_COLOR_BIT, 0, 0, info.arrayLayers};
   const VkImageResolve region = {.srcSubresource = layers, .dstSubresource = layers, .extent = info.extent};
   VkCommandBuffer cmd = vkx_begin(vkx);
   vkt_transition(cmd, &one, VK_IMAGE_LAYOUT_UNDEFINED, GENERAL);
   vkCmdResolveImage(cmd, handle(pair), GENERAL, one.image, GENERAL, 1, &region);
   vkx_submit_and_wait(vkx, cmd);
   vkt_read(vkx, &one, VK_IMAGE_ASPECT_COLOR_BIT, 0, &buffer);
   vkt_expect(!memcmp(buffer.map, pair->planes[0].texels,
                      (size_t)info.extent.width * info.extent.height * info.arrayLayers * pair->planes[0].texel_B),
              "format %d, %u samples", info.format, pair->info.samples);
   vkt_image_destroy(vkx, &one);
}

static void
check_plane(const struct pair *pair, const struct plane *plane)
{
   for (uint32_t level = 0; level < pair->info.mipLevels; level++) {
      const uint32_t width = minify(pair->info.extent.width, level), height = minify(pair->info.extent.height, level);
      const struct vkt_image image = {.image = handle(pair), .info = pair->info};
      const uint8_t *read = buffer.map, *expected = texel_at(pair, plane, level, 0, 0, 0);
      vkt_read(vkx, &image, plane->aspect, level, &buffer);
      uint32_t n = 0, count = width * height * pair->info.arrayLayers;
      while (n < count && !memcmp(read + n * plane->texel_B, expected + n * plane->texel_B, plane->texel_B))
         n++;
      vkt_expect(n == count, "format %d, %ux%u: aspect %x, level %u, layer %u, texel %u, %u", pair->info.format,
                 pair->info.extent.width, pair->info.extent.height, plane->aspect, level, n / (width * height),
                 n % width, n / width % height);
   }
}

static void
finish(VkCommandBuffer cmd)
{
   vkx_submit_and_wait(vkx, cmd);
   for (unsigned i = 0; i < num_passes; i++) {
      vkDestroyFramebuffer(vkx->device, framebuffers[i], NULL);
      vkDestroyRenderPass(vkx->device, passes[i], NULL);
   }
   for (unsigned i = 0; i < num_views; i++)
      vkDestroyImageView(vkx->device, views[i], NULL);
   num_passes = num_views = uploaded_B = 0;
}

/* ---- rounds ---- */

static bool
can_copy(const struct pair *from, const struct pair *to)
{
   return from->info.format == to->info.format && from->info.samples == to->info.samples;
}

static void
operate(VkCommandBuffer cmd, const struct pair *pair, const struct pair *other)
{
   switch (vkt_random_below(8)) {
   case 0:
   case 1:
      if (pair->planes[0].aspect == VK_IMAGE_ASPECT_COLOR_BIT && chance(50))
         render_many(cmd, pair);
      else
         render(cmd, pair);
      break;
   case 2:
      render(cmd, pair);
      break;
   case 3:
   case 4:
      if (pair->info.samples == 1)
         upload_box(cmd, pair);
      break;
   case 5:
      clear_levels(cmd, pair, false);
      break;
   case 6:
      copy_box(cmd, pair, pair);
      break;
   default:
      copy_box(cmd, can_copy(other, pair) ? other : pair, pair);
      break;
   }
}

static void
run_round(bool many)
{
   struct pair pairs[2] = {create(many), create(many)};
   if (!many && chance(60)) { /* of one format */
      destroy(&pairs[1]);
      do {
         pairs[1] = create(false);
      } while (!can_copy(&pairs[0], &pairs[1]) && (destroy(&pairs[1]), true));
   }
   for (unsigned submit = 0; submit < 2; submit++) {
      VkCommandBuffer cmd = vkx_begin(vkx);
      for (unsigned i = 0; i < 2 && (!submit || chance(30)); i++)
         start_anew(cmd, &pairs[i]);
      for (unsigned i = 0; i < 8; i++) {
         const unsigned which = vkt_random_below(2);
         vkt_barrier(cmd);
         if (many)
            render_many(cmd, &pairs[which]);
         else
            operate(cmd, &pairs[which], &pairs[!which]);
      }
      finish(cmd);
      for (unsigned i = 0; i < 2; i++) {
         for (unsigned n = 0; n < pairs[i].num_planes && pairs[i].info.samples == 1; n++)
            check_plane(&pairs[i], &pairs[i].planes[n]);
         if (pairs[i].info.samples > 1)
            check_resolved(&pairs[i]);
      }
   }
   destroy(&pairs[0]);
   destroy(&pairs[1]);
}

int
main(int argc, char **argv)
{
   struct vkx device = vkt_create("compression");
   vkx = &device;
   large = atoi(vkx_option(argc, argv, "--large", "0"));
   buffer = vkt_buffer_create(vkx, BUFFER_B, 0);
   upload = vkt_buffer_create(vkx, BUFFER_B, 0);
   radv = !strcmp(vkx_option(argc, argv, "--quirks", ""), "radv");
   if (!large)
      run_round(true);
   for (int rounds = atoi(vkx_option(argc, argv, "--rounds", "12")); rounds > 0; rounds--)
      run_round(false);
   vkx_buffer_destroy(vkx, &buffer);
   vkx_buffer_destroy(vkx, &upload);
   return vkt_finish(vkx);
}
