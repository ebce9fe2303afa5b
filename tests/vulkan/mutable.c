/* Images that are written through views of another format: cleared, drawn to, resolved, stored to, at random levels
 * and layers. What a view writes has the view's format, whatever the image's is; what it does not cover stays.
 * mutable [--seed N] [--count N] */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "choices.h"
#include "pass_helpers.h"

static const uint32_t quad_vert[] = {
#include "quad.vert.inc"
};
static const uint32_t quad_frag[] = {
#include "quad.frag.inc"
};
static const uint32_t uint_frag[] = {
#include "quad_uint.frag.inc"
};
static const uint32_t int_frag[] = {
#include "quad_int.frag.inc"
};
static const uint32_t store_float[] = {
#include "store_float.comp.inc"
};
static const uint32_t store_uint[] = {
#include "store_uint.comp.inc"
};
static const uint32_t store_int[] = {
#include "store_int.comp.inc"
};

enum { LEVELS = 2, LAYERS = 3, MAX_B = 16, ENOUGH = 100 /* rounds for all pairs of choices */ };

enum type { UNORM, SNORM, UINT, SINT, SFLOAT, SRGB };

/* clang-format off */
static const struct texels {
   VkFormat format;
   enum type type;
   uint8_t size_B, components;
   uint8_t bits[4], shift[4]; /* of red, green, blue, alpha */
} formats[] = {
   {VK_FORMAT_R8_UNORM, UNORM, 1, 1, {8}, {0}},
   {VK_FORMAT_R8_SNORM, SNORM, 1, 1, {8}, {0}},
   {VK_FORMAT_R8_UINT, UINT, 1, 1, {8}, {0}},
   {VK_FORMAT_R8_SINT, SINT, 1, 1, {8}, {0}},
   {VK_FORMAT_R8G8_UNORM, UNORM, 2, 2, {8, 8}, {0, 8}},
   {VK_FORMAT_R8G8_SNORM, SNORM, 2, 2, {8, 8}, {0, 8}},
   {VK_FORMAT_R8G8_UINT, UINT, 2, 2, {8, 8}, {0, 8}},
   {VK_FORMAT_R8G8_SINT, SINT, 2, 2, {8, 8}, {0, 8}},
   {VK_FORMAT_R16_UNORM, UNORM, 2, 1, {16}, {0}},
   {VK_FORMAT_R16_SNORM, SNORM, 2, 1, {16}, {0}},
   {VK_FORMAT_R16_UINT, UINT, 2, 1, {16}, {0}},
   {VK_FORMAT_R16_SINT, SINT, 2, 1, {16}, {0}},
   {VK_FORMAT_R16_SFLOAT, SFLOAT, 2, 1, {16}, {0}},
   {VK_FORMAT_R8G8B8A8_UNORM, UNORM, 4, 4, {8, 8, 8, 8}, {0, 8, 16, 24}},
   {VK_FORMAT_R8G8B8A8_SNORM, SNORM, 4, 4, {8, 8, 8, 8}, {0, 8, 16, 24}},
   {VK_FORMAT_R8G8B8A8_UINT, UINT, 4, 4, {8, 8, 8, 8}, {0, 8, 16, 24}},
   {VK_FORMAT_R8G8B8A8_SINT, SINT, 4, 4, {8, 8, 8, 8}, {0, 8, 16, 24}},
   {VK_FORMAT_R8G8B8A8_SRGB, SRGB, 4, 4, {8, 8, 8, 8}, {0, 8, 16, 24}},
   {VK_FORMAT_B8G8R8A8_UNORM, UNORM, 4, 4, {8, 8, 8, 8}, {16, 8, 0, 24}},
   {VK_FORMAT_B8G8R8A8_SRGB, SRGB, 4, 4, {8, 8, 8, 8}, {16, 8, 0, 24}},
   {VK_FORMAT_A2B10G10R10_UNORM_PACK32, UNORM, 4, 4, {10, 10, 10, 2}, {0, 10, 20, 30}},
   {VK_FORMAT_A2B10G10R10_UINT_PACK32, UINT, 4, 4, {10, 10, 10, 2}, {0, 10, 20, 30}},
   {VK_FORMAT_R16G16_UNORM, UNORM, 4, 2, {16, 16}, {0, 16}},
   {VK_FORMAT_R16G16_SNORM, SNORM, 4, 2, {16, 16}, {0, 16}},
   {VK_FORMAT_R16G16_UINT, UINT, 4, 2, {16, 16}, {0, 16}},
   {VK_FORMAT_R16G16_SINT, SINT, 4, 2, {16, 16}, {0, 16}},
   {VK_FORMAT_R16G16_SFLOAT, SFLOAT, 4, 2, {16, 16}, {0, 16}},
   {VK_FORMAT_R32_UINT, UINT, 4, 1, {32}, {0}},
   {VK_FORMAT_R32_SINT, SINT, 4, 1, {32}, {0}},
   {VK_FORMAT_R32_SFLOAT, SFLOAT, 4, 1, {32}, {0}},
   {VK_FORMAT_R16G16B16A16_UNORM, UNORM, 8, 4, {16, 16, 16, 16}, {0, 16, 32, 48}},
   {VK_FORMAT_R16G16B16A16_SNORM, SNORM, 8, 4, {16, 16, 16, 16}, {0, 16, 32, 48}},
   {VK_FORMAT_R16G16B16A16_UINT, UINT, 8, 4, {16, 16, 16, 16}, {0, 16, 32, 48}},
   {VK_FORMAT_R16G16B16A16_SINT, SINT, 8, 4, {16, 16, 16, 16}, {0, 16, 32, 48}},
   {VK_FORMAT_R16G16B16A16_SFLOAT, SFLOAT, 8, 4, {16, 16, 16, 16}, {0, 16, 32, 48}},
   {VK_FORMAT_R32G32_UINT, UINT, 8, 2, {32, 32}, {0, 32}},
   {VK_FORMAT_R32G32_SINT, SINT, 8, 2, {32, 32}, {0, 32}},
   {VK_FORMAT_R32G32_SFLOAT, SFLOAT, 8, 2, {32, 32}, {0, 32}},
   {VK_FORMAT_R32G32B32A32_UINT, UINT, 16, 4, {32, 32, 32, 32}, {0, 32, 64, 96}},
   {VK_FORMAT_R32G32B32A32_SINT, SINT, 16, 4, {32, 32, 32, 32}, {0, 32, 64, 96}},
   {VK_FORMAT_R32G32B32A32_SFLOAT, SFLOAT, 16, 4, {32, 32, 32, 32}, {0, 32, 64, 96}},
};
/* clang-format on */
#define FORMATS (sizeof(formats) / sizeof(formats[0]))

enum { WRITER, STORAGE, LISTED, LEVEL, LAYER, INTEGERS, VIEW_INTEGERS, WHOLE, CHOICES };
enum { STORES = 4 };

static const struct choice table[CHOICES] = {
   [WRITER] = {"writer", STORES + 1, .found = true},
   [STORAGE] = {"storage image", 2, .found = true},
   [LISTED] = {"list of formats", 2, .found = true},
   [LEVEL] = {"level", LEVELS, .found = true},
   [LAYER] = {"layer", LAYERS, .found = true},
   [INTEGERS] = {"image of integers", 2, .found = true},
   [VIEW_INTEGERS] = {"view of integers", 2, .found = true},
   [WHOLE] = {"whole level", 2, .found = true},
};
static const struct choices_never never[] = {{WRITER, STORES, STORAGE, 0}};
static struct choices pairs = {.table = table, .count = CHOICES, .never = never, .never_count = 1};

/* ---- numbers ---- */

static bool
is_integer(const struct texels *format)
{
   return format->type == UINT || format->type == SINT;
}

static uint32_t
mask_of(unsigned bits)
{
   return bits == 32 ? UINT32_MAX : (1u << bits) - 1;
}

/* Of a number that a half has exactly. */
static uint32_t
half_of(float value)
{
   uint32_t word;
   memcpy(&word, &value, 4);
   return value == 0 ? word >> 16 & 0x8000
                     : (word >> 16 & 0x8000) | (((word >> 23 & 0xff) - 112) << 10) | (word >> 13 & 0x3ff);
}

static uint32_t
encode_float(const struct texels *format, unsigned component, float value)
{
   const unsigned bits = format->bits[component];
   uint32_t word;
   memcpy(&word, &value, 4);
   if (format->type == SFLOAT)
      return bits == 32 ? word : half_of(value);
   if (format->type == SNORM)
      return (uint32_t)lrintf(value * (float)mask_of(bits - 1)) & mask_of(bits);
   if (format->type == SRGB && component < 3 && value > 0 && value < 1)
      value = 1.055f * powf(value, 1 / 2.4f) - 0.055f;
   return (uint32_t)lrintf(value * (float)mask_of(bits));
}

static uint32_t
field_of(const struct texels *format, unsigned component, const uint8_t *texel)
{
   uint32_t words[MAX_B / 4] = {0};
   memcpy(words, texel, format->size_B);
   return words[format->shift[component] / 32] >> format->shift[component] % 32 & mask_of(format->bits[component]);
}

static void
set_field(const struct texels *format, unsigned component, uint8_t *texel, uint32_t field)
{
   uint32_t words[MAX_B / 4] = {0};
   memcpy(words, texel, format->size_B);
   words[format->shift[component] / 32] |= field << format->shift[component] % 32;
   memcpy(texel, words, format->size_B);
}

/* Numbers that every format of the type has exactly, and half of their sums too, or nearly. */
static VkClearColorValue
choose_color(const struct texels *format)
{
   static const float normal[] = {0, 1}, with_sign[] = {0, 1, -1}, any[] = {0, 1, -1, 2, 0.5f, -256};
   VkClearColorValue color = {0};
   for (unsigned i = 0; i < format->components; i++) {
      if (format->type == SFLOAT)
         color.float32[i] = any[vkt_random_below(6)];
      else if (format->type == SNORM)
         color.float32[i] = with_sign[vkt_random_below(3)];
      else if (!is_integer(format))
         color.float32[i] = normal[vkt_random_below(2)];
      else if (format->type == UINT)
         color.uint32[i] = vkt_random() & mask_of(format->bits[i]);
      else
         color.int32[i] = (int32_t)(vkt_random() << (32 - format->bits[i])) >> (32 - format->bits[i]);
   }
   return color;
}

static uint32_t
encode(const struct texels *format, unsigned component, const VkClearColorValue *color)
{
   return is_integer(format) ? color->uint32[component] & mask_of(format->bits[component])
                             : encode_float(format, component, color->float32[component]);
}

/* The texel is the colour, or what two samples of it and of another resolve to: half of the sum, or one of them if
 * they are integers. */
static bool
is_color(const struct texels *format, const uint8_t *texel, const VkClearColorValue *a, const VkClearColorValue *b)
{
   for (unsigned i = 0; i < format->components; i++) {
      const uint32_t field = field_of(format, i, texel), mask = mask_of(format->bits[i]);
      if (is_integer(format)) {
         if (field != encode(format, i, a) && field != encode(format, i, b))
            return false;
         continue;
      }
      const float middle = (a->float32[i] + b->float32[i]) / 2;
      const uint32_t wanted = encode_float(format, i, middle), above = (field - wanted) & mask;
      const bool exact = format->type == SFLOAT || middle == a->float32[i];
      if (above && (exact || (above != 1 && above != mask)))
         return false;
   }
   return true;
}

/* ---- images and views ---- */

static uint8_t *before; /* the level and layer, as they were */
static VkDescriptorSetLayout set_layout;
static VkPipelineLayout store_layout;
static VkPipeline stores[3];

struct round {
   const struct texels *image_format, *view_format;
   struct vkt_image image;
   uint32_t level, layer, size; /* px */
   VkImageView view;
   VkRect2D area;
   char text[128];
};

static VkImageCreateInfo
image_info(const struct texels *format, VkSampleCountFlagBits samples, VkImageUsageFlags usage)
{
   return (VkImageCreateInfo){.flags = VK_IMAGE_CREATE_MUTABLE_FORMAT_BIT,
                              .imageType = VK_IMAGE_TYPE_2D,
                              .format = format->format,
                              .extent = {SIZE, SIZE, 1},
                              .mipLevels = samples > 1 ? 1 : LEVELS,
                              .arrayLayers = samples > 1 ? 1 : LAYERS,
                              .samples = samples,
                              .usage = usage | VK_IMAGE_USAGE_TRANSFER_SRC_BIT | VK_IMAGE_USAGE_TRANSFER_DST_BIT};
}

static bool
is_offered(const struct texels *format, VkSampleCountFlagBits samples, VkImageUsageFlags usage)
{
   const VkImageCreateInfo info = image_info(format, samples, usage);
   VkImageFormatProperties got;
   return vkGetPhysicalDeviceImageFormatProperties(vkx->physical, info.format, info.imageType, info.tiling,
                                                   info.usage, info.flags, &got) == VK_SUCCESS &&
          got.sampleCounts & samples;
}

static VkImageView
create_view(const struct vkt_image *image, const struct texels *format, uint32_t level, uint32_t layer)
{
   const VkImageViewCreateInfo info = {.sType = VK_STRUCTURE_TYPE_IMAGE_VIEW_CREATE_INFO,
                                       .image = image->image,
                                       .viewType = VK_IMAGE_VIEW_TYPE_2D,
                                       .format = format->format,
                                       .subresourceRange = {VK_IMAGE_ASPECT_COLOR_BIT, level, 1, layer, 1}};
   VkImageView view;
   vkx_check(vkCreateImageView(vkx->device, &info, NULL, &view), "vkCreateImageView");
   return view;
}

static VkBufferImageCopy
whole_copy(const struct round *r)
{
   return (VkBufferImageCopy){.imageSubresource = {VK_IMAGE_ASPECT_COLOR_BIT, r->level, r->layer, 1},
                              .imageExtent = {r->size, r->size, 1}};
}

/* Texels that the view's format knows, each in one way only. */
static void
upload(const struct round *r)
{
   const struct texels *format = r->view_format;
   const VkBufferImageCopy copy = whole_copy(r);
   for (uint32_t i = 0; i < r->size * r->size; i++) {
      uint8_t *texel = before + i * format->size_B;
      const VkClearColorValue color = choose_color(format);
      memset(texel, 0, format->size_B);
      for (unsigned c = 0; c < format->components; c++)
         set_field(format, c, texel, encode(format, c, &color));
   }
   memcpy(buffer.map, before, r->size * r->size * format->size_B);
   VkCommandBuffer cmd = vkx_begin(vkx);
   vkt_transition(cmd, &r->image, VK_IMAGE_LAYOUT_UNDEFINED, GENERAL);
   vkCmdCopyBufferToImage(cmd, buffer.buffer, r->image.image, GENERAL, 1, &copy);
   vkt_barrier(cmd);
   vkx_submit_and_wait(vkx, cmd);
}

/* Of the area the colour, or what both resolve to. */
static void
check(const struct round *r, const char *what, const VkClearColorValue *a, const VkClearColorValue *b)
{
   const struct texels *format = r->view_format;
   const VkBufferImageCopy copy = whole_copy(r);
   VkCommandBuffer cmd = vkx_begin(vkx);
   vkt_barrier(cmd);
   vkCmdCopyImageToBuffer(cmd, r->image.image, GENERAL, buffer.buffer, 1, &copy);
   vkt_barrier(cmd);
   vkx_submit_and_wait(vkx, cmd);
   unsigned wrong_inside = 0, wrong_outside = 0;
   for (uint32_t i = 0; i < r->size * r->size; i++) {
      const uint8_t *texel = (const uint8_t *)buffer.map + i * format->size_B;
      const uint32_t x = i % r->size - (uint32_t)r->area.offset.x, y = i / r->size - (uint32_t)r->area.offset.y;
      if (x < r->area.extent.width && y < r->area.extent.height)
         wrong_inside += !is_color(format, texel, a, b);
      else
         wrong_outside += memcmp(texel, before + i * format->size_B, format->size_B) != 0;
   }
   vkt_expect(!wrong_inside, "%s, %s: %u texels of the area", r->text, what, wrong_inside);
   vkt_expect(!wrong_outside, "%s, %s: %u texels next to the area", r->text, what, wrong_outside);
}

/* ---- passes ---- */

/* To the view, or to one of several samples that is resolved to it. */
struct target {
   struct vkt_image samples;
   VkImageView views[2];
   VkRenderPass pass;
   VkFramebuffer framebuffer;
   uint32_t count;
};

static struct target
target_create(const struct round *r, VkAttachmentLoadOp load, const struct texels *samples_format,
              VkSampleCountFlagBits samples)
{
   struct target t = {.count = samples > 1 ? 2 : 1};
   const VkAttachmentReference refs[2] = {{0, GENERAL}, {1, GENERAL}};
   const VkSubpassDescription subpass = {
      .colorAttachmentCount = 1, .pColorAttachments = &refs[0], .pResolveAttachments = samples > 1 ? &refs[1] : NULL};
   const VkAttachmentDescription attachments[2] = {
      attachment(r->view_format->format, samples, load),
      attachment(r->view_format->format, 1, VK_ATTACHMENT_LOAD_OP_DONT_CARE)};
   t.pass = pass_create(t.count, attachments, 1, &subpass, NULL);
   t.views[t.count - 1] = r->view;
   if (samples > 1) {
      VkImageCreateInfo info = image_info(samples_format, samples, VK_IMAGE_USAGE_COLOR_ATTACHMENT_BIT);
      info.extent.width = info.extent.height = r->size;
      t.samples = vkt_image_create(vkx, info, false);
      t.views[0] = create_view(&t.samples, r->view_format, 0, 0);
   }
   const VkFramebufferCreateInfo info = {.sType = VK_STRUCTURE_TYPE_FRAMEBUFFER_CREATE_INFO,
                                         .renderPass = t.pass,
                                         .attachmentCount = t.count,
                                         .pAttachments = t.views,
                                         .width = r->size,
                                         .height = r->size,
                                         .layers = 1};
   vkx_check(vkCreateFramebuffer(vkx->device, &info, NULL, &t.framebuffer), "vkCreateFramebuffer");
   return t;
}

static void
target_destroy(const struct target *t)
{
   vkDestroyFramebuffer(vkx->device, t->framebuffer, NULL);
   vkDestroyRenderPass(vkx->device, t->pass, NULL);
   if (t->count == 2)
      destroy_images(1, (struct vkt_image *)&t->samples, 1, t->views);
}

static VkPipeline
pipeline_create(const struct round *r, const struct target *t, VkSampleCountFlagBits samples,
                const VkSampleMask *mask)
{
   const enum type type = r->view_format->type;
   return vkt_pipeline_create(vkx, &(struct vkt_pipeline_info){.pass = t->pass,
                                                               .layout = quad_layout,
                                                               .samples = samples,
                                                               .sample_mask = mask,
                                                               .vertex = VKT_CODE(quad_vert),
                                                               .fragment = type == UINT   ? VKT_CODE(uint_frag)
                                                                           : type == SINT ? VKT_CODE(int_frag)
                                                                                          : VKT_CODE(quad_frag)});
}

static void
draw(VkCommandBuffer cmd, const struct round *r, VkPipeline pipeline, const VkClearColorValue *color)
{
   const VkExtent2D size = {r->size, r->size};
   vkCmdBindPipeline(cmd, VK_PIPELINE_BIND_POINT_GRAPHICS, pipeline);
   vkt_set_viewport(cmd, size);
   vkt_draw_quad(cmd, quad_layout, size, (uint32_t)r->area.offset.x, (uint32_t)r->area.offset.y,
                 (uint32_t)r->area.offset.x + r->area.extent.width,
                 (uint32_t)r->area.offset.y + r->area.extent.height, 0, color->float32);
}

/* ---- ways to write ---- */

static void
clear_at_load(const struct round *r)
{
   struct target t = target_create(r, VK_ATTACHMENT_LOAD_OP_CLEAR, NULL, 1);
   const VkClearValue value = {.color = choose_color(r->view_format)};
   VkCommandBuffer cmd = vkx_begin(vkx);
   begin(cmd, t.pass, t.framebuffer, r->area, 1, &value);
   vkCmdEndRenderPass(cmd);
   vkx_submit_and_wait(vkx, cmd);
   check(r, "a clear at the begin", &value.color, &value.color);
   target_destroy(&t);
}

static void
clear_attachment(const struct round *r)
{
   struct target t = target_create(r, VK_ATTACHMENT_LOAD_OP_LOAD, NULL, 1);
   const VkClearAttachment clear = {VK_IMAGE_ASPECT_COLOR_BIT, 0, {.color = choose_color(r->view_format)}};
   const VkClearRect rect = {r->area, 0, 1};
   VkCommandBuffer cmd = vkx_begin(vkx);
   begin(cmd, t.pass, t.framebuffer, (VkRect2D){{0, 0}, {r->size, r->size}}, 0, NULL);
   vkCmdClearAttachments(cmd, 1, &clear, 1, &rect);
   vkCmdEndRenderPass(cmd);
   vkx_submit_and_wait(vkx, cmd);
   check(r, "a clear of an attachment", &clear.clearValue.color, &clear.clearValue.color);
   target_destroy(&t);
}

static void
draw_rectangle(const struct round *r)
{
   struct target t = target_create(r, VK_ATTACHMENT_LOAD_OP_LOAD, NULL, 1);
   VkPipeline pipeline = pipeline_create(r, &t, 1, NULL);
   const VkClearColorValue color = choose_color(r->view_format);
   VkCommandBuffer cmd = vkx_begin(vkx);
   begin(cmd, t.pass, t.framebuffer, (VkRect2D){{0, 0}, {r->size, r->size}}, 0, NULL);
   draw(cmd, r, pipeline, &color);
   vkCmdEndRenderPass(cmd);
   vkx_submit_and_wait(vkx, cmd);
   check(r, "a draw", &color, &color);
   vkDestroyPipeline(vkx->device, pipeline, NULL);
   target_destroy(&t);
}

/* Half of the samples have the clear's colour, the others are drawn. */
static void
resolve(const struct round *r)
{
   const VkSampleCountFlagBits samples = vkt_random_below(2) ? VK_SAMPLE_COUNT_4_BIT : VK_SAMPLE_COUNT_2_BIT;
   const struct texels *format = vkt_random_below(2) ? r->view_format : r->image_format;
   const VkSampleMask mask = samples == VK_SAMPLE_COUNT_4_BIT ? 0x6 : 0x2;
   if (!is_offered(format, samples, VK_IMAGE_USAGE_COLOR_ATTACHMENT_BIT) ||
       !is_offered(r->view_format, samples, VK_IMAGE_USAGE_COLOR_ATTACHMENT_BIT))
      return;
   struct target t = target_create(r, VK_ATTACHMENT_LOAD_OP_CLEAR, format, samples);
   VkPipeline pipeline = pipeline_create(r, &t, samples, &mask);
   const VkClearValue value = {.color = choose_color(r->view_format)};
   const VkClearColorValue color = choose_color(r->view_format);
   char what[64];
   snprintf(what, sizeof(what), "a resolve of %u samples of format %u", samples, format->format);
   VkCommandBuffer cmd = vkx_begin(vkx);
   begin(cmd, t.pass, t.framebuffer, r->area, 1, &value);
   draw(cmd, r, pipeline, &color);
   vkCmdEndRenderPass(cmd);
   vkx_submit_and_wait(vkx, cmd);
   check(r, what, &value.color, &color);
   vkDestroyPipeline(vkx->device, pipeline, NULL);
   target_destroy(&t);
}

struct push {
   int32_t x, y;
   uint32_t width, height;
   VkClearColorValue color;
};

static void
store(const struct round *r)
{
   const enum type type = r->view_format->type;
   const struct vkt_descriptor image = {VK_DESCRIPTOR_TYPE_STORAGE_IMAGE, .view = r->view};
   const struct push push = {r->area.offset.x, r->area.offset.y, r->area.extent.width, r->area.extent.height,
                             choose_color(r->view_format)};
   VkDescriptorPool pool = VK_NULL_HANDLE;
   const VkDescriptorSet set = vkt_bindings_create(vkx, &pool, set_layout, 1, &image);
   VkCommandBuffer cmd = vkx_begin(vkx);
   vkCmdBindPipeline(cmd, VK_PIPELINE_BIND_POINT_COMPUTE, stores[type == UINT ? 1 : type == SINT ? 2 : 0]);
   vkCmdBindDescriptorSets(cmd, VK_PIPELINE_BIND_POINT_COMPUTE, store_layout, 0, 1, &set, 0, NULL);
   vkCmdPushConstants(cmd, store_layout, VK_SHADER_STAGE_COMPUTE_BIT, 0, sizeof(push), &push);
   vkCmdDispatch(cmd, SIZE * SIZE / 64, 1, 1);
   vkx_submit_and_wait(vkx, cmd);
   check(r, "stores", &push.color, &push.color);
   vkDestroyDescriptorPool(vkx->device, pool, NULL);
}

/* ---- rounds ---- */

static bool
has_features(const struct texels *format, VkFormatFeatureFlags features)
{
   VkFormatProperties properties;
   vkGetPhysicalDeviceFormatProperties(vkx->physical, format->format, &properties);
   return (properties.optimalTilingFeatures & features) == features;
}

static VkRect2D
choose_area(uint32_t size)
{
   const uint32_t x = vkt_random_below(size), y = vkt_random_below(size);
   if (!vkt_random_below(4))
      return (VkRect2D){{0, 0}, {size, size}};
   return (VkRect2D){{(int32_t)x, (int32_t)y}, {1 + vkt_random_below(size - x), 1 + vkt_random_below(size - y)}};
}

static const struct texels *
choose_view_format(const struct texels *image)
{
   const struct texels *view;
   do
      view = &formats[vkt_random_below(FORMATS)];
   while (view->size_B != image->size_B);
   return view;
}

static void
count_choices(const struct round *r, const unsigned chosen[CHOICES])
{
   memcpy(pairs.now, chosen, CHOICES * sizeof(chosen[0]));
   pairs.now[LEVEL] = r->level;
   pairs.now[LAYER] = r->layer;
   pairs.now[INTEGERS] = is_integer(r->image_format);
   pairs.now[VIEW_INTEGERS] = is_integer(r->view_format);
   pairs.now[WHOLE] = r->area.extent.width == r->size && r->area.extent.height == r->size;
   choices_count(&pairs);
}

static void
round_of(uint32_t number)
{
   static void (*const writers[])(const struct round *r) = {clear_at_load, clear_attachment, draw_rectangle, resolve,
                                                            store};
   const VkFormatFeatureFlags target = VK_FORMAT_FEATURE_COLOR_ATTACHMENT_BIT;
   vkt_seed(number);
   struct round r = {.image_format = &formats[vkt_random_below(FORMATS)]};
   r.view_format = choose_view_format(r.image_format);
   const bool stores = vkt_random_below(2), listed = vkt_random_below(2);
   const VkImageUsageFlags usage =
      VK_IMAGE_USAGE_COLOR_ATTACHMENT_BIT | (stores ? VK_IMAGE_USAGE_STORAGE_BIT : VK_IMAGE_USAGE_SAMPLED_BIT);
   const VkFormatFeatureFlags features = target | (stores ? VK_FORMAT_FEATURE_STORAGE_IMAGE_BIT : 0);
   r.level = vkt_random_below(LEVELS);
   r.layer = vkt_random_below(LAYERS);
   r.size = SIZE >> r.level;
   if (!is_offered(r.image_format, 1, usage) || !has_features(r.view_format, features))
      return;
   const VkFormat list[2] = {r.image_format->format, r.view_format->format};
   const VkImageFormatListCreateInfo known = {
      .sType = VK_STRUCTURE_TYPE_IMAGE_FORMAT_LIST_CREATE_INFO, .viewFormatCount = 2, .pViewFormats = list};
   VkImageCreateInfo info = image_info(r.image_format, 1, usage);
   info.pNext = listed && vkt_has("VK_KHR_image_format_list") ? &known : NULL;
   r.image = vkt_image_create(vkx, info, false);
   r.view = create_view(&r.image, r.view_format, r.level, r.layer);
   snprintf(r.text, sizeof(r.text), "round %u: format %u as %u, level %u, layer %u%s", number, r.image_format->format,
            r.view_format->format, r.level, r.layer, stores ? ", storage" : "");
   for (unsigned i = 0; i < 3; i++) {
      const uint32_t writer = vkt_random_below(stores ? STORES + 1 : STORES);
      r.area = choose_area(r.size);
      count_choices(&r, (const unsigned[CHOICES]){[WRITER] = writer, [STORAGE] = stores, [LISTED] = listed});
      upload(&r);
      writers[writer](&r);
   }
   destroy_images(1, &r.image, 1, &r.view);
}

static void
create_stores(void)
{
   const struct vkt_code codes[3] = {VKT_CODE(store_float), VKT_CODE(store_uint), VKT_CODE(store_int)};
   const VkDescriptorType type = VK_DESCRIPTOR_TYPE_STORAGE_IMAGE;
   set_layout = vkx_set_layout_create(vkx, 1, &type, VK_SHADER_STAGE_COMPUTE_BIT);
   store_layout = vkx_pipeline_layout_create(vkx, set_layout, VK_SHADER_STAGE_COMPUTE_BIT, sizeof(struct push));
   for (unsigned i = 0; i < 3; i++)
      stores[i] =
         vkx_compute_pipeline_create(vkx, store_layout, vkx_shader_create(vkx, codes[i].words, codes[i].size_B));
}

int
main(int argc, char **argv)
{
   const uint32_t first = (uint32_t)atoi(vkx_option(argc, argv, "--seed", "1"));
   const uint32_t count = (uint32_t)atoi(vkx_option(argc, argv, "--count", "100"));
   struct vkx device = vkt_create("mutable");
   vkx = &device;
   before = malloc(SIZE * SIZE * MAX_B);
   buffer = vkt_buffer_create(vkx, SIZE * SIZE * MAX_B, 0);
   quad_layout = vkt_quad_layout_create(vkx);
   create_stores();
   for (uint32_t i = 0; i < count; i++)
      round_of(first + i);
   const unsigned missing = choices_missing(&pairs, stdout);
   vkt_expect(count < ENOUGH || !missing, "%u pairs of choices that no round had", missing);
   for (unsigned i = 0; i < 3; i++)
      vkDestroyPipeline(vkx->device, stores[i], NULL);
   vkDestroyPipelineLayout(vkx->device, store_layout, NULL);
   vkDestroyDescriptorSetLayout(vkx->device, set_layout, NULL);
   vkDestroyPipelineLayout(vkx->device, quad_layout, NULL);
   vkx_buffer_destroy(vkx, &buffer);
   free(before);
   return vkt_finish(vkx);
}
