/* What hardware may compress: images of all kinds of formats are drawn to, cleared, copied, blitted and stored to
 * in parts, at random, through two handles of the same memory and after garbage in it; depth and stencil of several
 * samples also sample by sample, with depth tests. The processor does the same to arrays of its own; both must be
 * equal. compression [--rounds N] [--large 1] [--depth 1] [--seed N] [--quirks radv] Large images are those that
 * drivers think worth it if they have one sample: of one layer, and many levels. --depth 1: depth and stencil of
 * several samples alone; 2: of any. --seed: another sequence of random numbers. After 72 rounds (--depth: 20) all
 * pairs of choices must have occurred. Barriers between operations name equal layouts, which keep the texels. */
#include <stdlib.h>
#include <string.h>

#include "compression_image.h"

static const uint32_t quad_vert[] = {
#include "quad.vert.inc"
};
static const uint32_t depth_samples[] = {
#include "all_samples_depth.comp.inc"
};
static const uint32_t stencil_samples[] = {
#include "all_samples_stencil.comp.inc"
};

#define LOAD VK_ATTACHMENT_LOAD_OP_LOAD
#define CLEAR VK_ATTACHMENT_LOAD_OP_CLEAR
#define BUFFER_B (large ? 64u << 20 : 4u << 20)
#define MAX_OBJECTS 256

/* Of check_samples(); pipelines for depth and for stencil. */
static VkDescriptorSetLayout samples_set_layout;
static VkPipelineLayout samples_layout;
static VkPipeline sample_pipelines[2];

static struct vkx_buffer upload;
static uint32_t uploaded_B;
/* Live until the commands have run. */
static VkImageView views[MAX_OBJECTS];
static VkRenderPass passes[MAX_OBJECTS];
static VkFramebuffer framebuffers[MAX_OBJECTS];
static VkPipeline pipelines[MAX_OBJECTS];
static unsigned num_views, num_passes, num_pipelines;

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
   /* size: fields of a render pass */
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
render(VkCommandBuffer cmd, const struct pair *pair, bool clears)
{
   const struct box box = choose_box(pair);
   const struct box inside = {box.level, box.x, box.y, box.width, box.height, box.layer, box.layers};
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
render_many(VkCommandBuffer cmd, const struct pair *pair, bool clears)
{
   struct box box = choose_box(pair);
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

/* ---- draws ---- */

/* Numbers of depth, and their bits: floats are not negative. */
static bool
passes_test(VkCompareOp op, const uint8_t *texel, const uint8_t *there, uint32_t sample_B)
{
   uint32_t a = 0, b = 0;
   memcpy(&a, texel, sample_B);
   memcpy(&b, there, sample_B);
   return (a < b && op & VK_COMPARE_OP_LESS) || (a == b && op & VK_COMPARE_OP_EQUAL) ||
          (a > b && op & VK_COMPARE_OP_GREATER);
}

/* Some samples of the box: where depth passes, both are replaced. */
static void
draw_samples(const struct pair *pair, const struct box *box, VkCompareOp op, VkSampleMask mask,
             const struct value *depth, const struct value *stencil)
{
   const struct plane *z = &pair->planes[0], *s = &pair->planes[1];
   for (uint32_t i = 0; i < box->width * box->height; i++) {
      const uint32_t x = box->x + i % box->width, y = box->y + i / box->width;
      for (uint32_t n = 0; n < pair->info.samples; n++) {
         uint8_t *at = texel_at(pair, z, box->level, box->layer, x, y) + n * z->sample_B;
         if (!(mask >> n & 1) || !passes_test(op, depth->texel, at, z->sample_B))
            continue;
         memcpy(at, depth->texel, z->sample_B);
         if (pair->num_planes > 1)
            texel_at(pair, s, box->level, box->layer, x, y)[n] = stencil->texel[0];
      }
   }
}

static void
draw(VkCommandBuffer cmd, const struct pair *pair, const struct box *box)
{
   static const VkCompareOp ops[] = {VK_COMPARE_OP_ALWAYS,           VK_COMPARE_OP_LESS,
                                     VK_COMPARE_OP_GREATER,          VK_COMPARE_OP_LESS_OR_EQUAL,
                                     VK_COMPARE_OP_GREATER_OR_EQUAL, VK_COMPARE_OP_EQUAL};
   static const float unused[4];
   const VkCompareOp op = ops[vkt_random_below(ARRAY_SIZE(ops))];
   const bool all = pair->info.samples == 1 || chance(30); /* lavapipe has no mask for one sample */
   const VkSampleMask mask = all ? UINT32_MAX : vkt_random();
   const struct value depth = choose_value(pair, &pair->planes[0]), stencil = choose_value(pair, &pair->planes[1]);
   const VkStencilOpState replace = {
      VK_STENCIL_OP_KEEP, VK_STENCIL_OP_REPLACE, VK_STENCIL_OP_KEEP, VK_COMPARE_OP_ALWAYS, 0xff, 0xff,
      stencil.texel[0]};
   const VkPipelineDepthStencilStateCreateInfo tests = {.sType =
                                                           VK_STRUCTURE_TYPE_PIPELINE_DEPTH_STENCIL_STATE_CREATE_INFO,
                                                        .depthTestEnable = VK_TRUE,
                                                        .depthWriteEnable = VK_TRUE,
                                                        .depthCompareOp = op,
                                                        .stencilTestEnable = pair->num_planes > 1,
                                                        .front = replace,
                                                        .back = replace};
   const struct vkt_pipeline_info info = {.pass = passes[num_passes - 1],
                                          .layout = quad_layout,
                                          .vertex = VKT_CODE(quad_vert),
                                          .samples = pair->info.samples,
                                          .sample_mask = &mask,
                                          .no_color = true,
                                          .depth_stencil = &tests};
   const VkExtent2D size = {minify(pair->info.extent.width, box->level),
                            minify(pair->info.extent.height, box->level)};
   pipelines[num_pipelines] = vkt_pipeline_create(vkx, &info);
   vkCmdBindPipeline(cmd, VK_PIPELINE_BIND_POINT_GRAPHICS, pipelines[num_pipelines++]);
   vkt_set_viewport(cmd, size);
   vkt_draw_quad(cmd, quad_layout, size, box->x, box->y, box->x + box->width, box->y + box->height,
                 depth.clear.depthStencil.depth, unused);
   draw_samples(pair, box, op, mask, &depth, &stencil);
}

/* In one layer; only of depth and stencil. */
static void
render_draws(VkCommandBuffer cmd, const struct pair *pair)
{
   struct box box = choose_box(pair);
   const VkExtent2D size = {minify(pair->info.extent.width, box.level), minify(pair->info.extent.height, box.level)};
   add_view(pair, box.level, box.layer, 1);
   begin_pass(cmd, pair, 1, box.level, 1, LOAD, (VkRect2D){{0, 0}, size}, &(VkClearValue){0});
   for (unsigned n = 1 + vkt_random_below(4); n; n--) {
      choose_range(size.width, &box.x, &box.width);
      choose_range(size.height, &box.y, &box.height);
      draw(cmd, pair, &box);
   }
   vkCmdEndRenderPass(cmd);
}

/* ---- transfers ---- */

static bool
upload_box(VkCommandBuffer cmd, const struct pair *pair)
{
   const struct box box = choose_box(pair);
   const struct plane *plane = &pair->planes[vkt_random_below(pair->num_planes)];
   const uint32_t size_B = box.width * box.height * box.layers * plane->texel_B;
   if (uploaded_B + size_B > BUFFER_B)
      return false;
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
   return true;
}

static bool
overlap(const struct box *a, const struct box *b)
{
   return a->level == b->level && a->layer < b->layer + b->layers && b->layer < a->layer + a->layers;
}

/* Both become as large as the smaller. */
static void
fit_boxes(struct box *src, struct box *dst)
{
   if (src->width < dst->width)
      dst->width = src->width;
   if (src->height < dst->height)
      dst->height = src->height;
   if (src->layers < dst->layers)
      dst->layers = src->layers;
   src->width = dst->width, src->height = dst->height, src->layers = dst->layers;
}

static bool
can_blit(const struct pair *pair)
{
   const VkFormatFeatureFlags both = VK_FORMAT_FEATURE_BLIT_SRC_BIT | VK_FORMAT_FEATURE_BLIT_DST_BIT;
   VkFormatProperties properties;
   vkGetPhysicalDeviceFormatProperties(vkx->physical, pair->info.format, &properties);
   return pair->info.samples == 1 && (properties.optimalTilingFeatures & both) == both;
}

/* Of one size, not within layers of a level. False: none was found. */
static bool
choose_boxes(const struct pair *from, const struct pair *to, struct box *src, struct box *dst)
{
   for (unsigned i = 0; i < 32; i++) {
      *src = choose_box(from), *dst = choose_box(to);
      fit_boxes(src, dst);
      if (from != to || !overlap(src, dst))
         return true;
   }
   return false;
}

static bool
copy_box(VkCommandBuffer cmd, const struct pair *from, const struct pair *to, bool blits)
{
   struct box src, dst;
   if (!choose_boxes(from, to, &src, &dst))
      return false;
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
   if (blits)
      vkCmdBlitImage(cmd, handle(from), GENERAL, handle(to), GENERAL, 1, &blit, VK_FILTER_NEAREST);
   else
      vkCmdCopyImage(cmd, handle(from), GENERAL, handle(to), GENERAL, 1, &copy);
   return true;
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

/* Anything lies in the memory (zeros mean something to all that compress), then all texels are given values: by the
 * transfer, or by renders. */
static void
start_anew(VkCommandBuffer cmd, const struct pair *pair, bool clears)
{
   vkCmdFillBuffer(cmd, pair->alias, 0, VK_WHOLE_SIZE, chance(50) ? 0 : vkt_random());
   vkt_barrier(cmd);
   const struct vkt_image image = {.image = pair->handles[0], .info = pair->info};
   vkt_transition(cmd, &image, VK_IMAGE_LAYOUT_UNDEFINED, GENERAL);
   if (clears) {
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

static uint32_t
unorm16(uint32_t word)
{
   float f;
   memcpy(&f, &word, 4);
   return (uint32_t)(f * 65535 + 0.5f);
}

static VkDescriptorSet
samples_set(VkImageView view, VkDescriptorPool *pool)
{
   const struct vkt_descriptor descriptors[2] = {{VK_DESCRIPTOR_TYPE_SAMPLED_IMAGE, .view = view},
                                                 {VK_DESCRIPTOR_TYPE_STORAGE_BUFFER, .buffer = buffer.buffer}};
   *pool = VK_NULL_HANDLE;
   return vkt_bindings_create(vkx, pool, samples_set_layout, 2, descriptors);
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

/* Of depth and stencil with samples. */
static void
check_samples(const struct pair *pair, const struct plane *plane)
{
   const bool depth = plane->aspect == DEPTH_BIT;
   const uint32_t push[] = {pair->info.extent.width, pair->info.extent.height, pair->info.samples};
   const struct vkt_image image = {.image = handle(pair), .info = pair->info};
   const VkImageView view =
      vkt_view_create(vkx, &image, VK_IMAGE_VIEW_TYPE_2D_ARRAY, plane->aspect, 0, 0, pair->info.arrayLayers);
   VkDescriptorPool pool;
   const VkDescriptorSet set = samples_set(view, &pool);
   VkCommandBuffer cmd = vkx_begin(vkx);
   vkCmdBindPipeline(cmd, VK_PIPELINE_BIND_POINT_COMPUTE, sample_pipelines[!depth]);
   vkCmdBindDescriptorSets(cmd, VK_PIPELINE_BIND_POINT_COMPUTE, samples_layout, 0, 1, &set, 0, NULL);
   vkCmdPushConstants(cmd, samples_layout, VK_SHADER_STAGE_COMPUTE_BIT, 0, sizeof(push), push);
   vkt_barrier(cmd);
   vkCmdDispatch(cmd, (push[0] + 7) / 8, (push[1] + 7) / 8, pair->info.arrayLayers);
   vkt_barrier(cmd);
   vkx_submit_and_wait(vkx, cmd);
   const uint32_t count = push[0] * push[1] * push[2] * pair->info.arrayLayers, *words = buffer.map;
   uint32_t n = 0;
   for (; n < count; n++) {
      uint32_t expected = 0, word = words[n];
      memcpy(&expected, plane->texels + n * plane->sample_B, plane->sample_B);
      if (depth && plane->sample_B == 2)
         word = unorm16(word);
      if (word != expected) {
         break;
      }
   }
   vkt_expect(n == count, "format %d, %u samples, %ux%u: aspect %x, layer %u, texel %u, %u, sample %u",
              pair->info.format, push[2], push[0], push[1], plane->aspect, n / push[2] / push[0] / push[1],
              n / push[2] % push[0], n / push[2] / push[0] % push[1], n % push[2]);
   vkDestroyDescriptorPool(vkx->device, pool, NULL);
   vkDestroyImageView(vkx->device, view, NULL);
}

static void
check(const struct pair *pair)
{
   const bool color = pair->planes[0].aspect == VK_IMAGE_ASPECT_COLOR_BIT;
   for (unsigned n = 0; n < pair->num_planes; n++) {
      if (pair->info.samples == 1)
         check_plane(pair, &pair->planes[n]);
      else if (color)
         check_resolved(pair);
      else
         check_samples(pair, &pair->planes[n]);
   }
}

#include "compression_stores.h"

static void
finish(VkCommandBuffer cmd)
{
   vkx_submit_and_wait(vkx, cmd);
   for (unsigned i = 0; i < num_pipelines; i++)
      vkDestroyPipeline(vkx->device, pipelines[i], NULL);
   for (unsigned i = 0; i < num_passes; i++) {
      vkDestroyFramebuffer(vkx->device, framebuffers[i], NULL);
      vkDestroyRenderPass(vkx->device, passes[i], NULL);
   }
   for (unsigned i = 0; i < num_views; i++)
      vkDestroyImageView(vkx->device, views[i], NULL);
   finish_stores();
   num_passes = num_views = num_pipelines = uploaded_B = 0;
}

/* ---- rounds ---- */

#include "compression_choices.h"

static bool
operate(VkCommandBuffer cmd, const struct pair *pair, const struct pair *from, unsigned operation)
{
   switch (operation) {
   case LOAD_RENDER:
   case CLEAR_RENDER:
      render(cmd, pair, operation == CLEAR_RENDER);
      return true;
   case LOAD_MANY:
   case CLEAR_MANY:
      render_many(cmd, pair, operation == CLEAR_MANY);
      return true;
   case DRAWS:
      render_draws(cmd, pair);
      return true;
   case UPLOAD:
      return upload_box(cmd, pair);
   case CLEAR_LEVEL:
      clear_levels(cmd, pair, false);
      return true;
   case COPY:
   case BLIT:
      return copy_box(cmd, from, pair, operation == BLIT);
   case STORES:
   case TURNS:
      store_box(cmd, pair, operation == TURNS);
      return true;
   default: /* others: moves */
      return move_box(cmd, from, pair);
   }
}

static void
operate_on(VkCommandBuffer cmd, struct pair *pair, const struct pair *other, unsigned operation, bool from_other)
{
   if (!operate(cmd, pair, from_other ? other : pair, operation))
      return;
   set_use(&uses, pair, operation, from_other);
   choices_count(&uses);
   pair->before = operation;
}

static void
start(VkCommandBuffer cmd, struct pair *pair)
{
   const bool clears = chance(50);
   start_anew(cmd, pair, clears);
   pair->before = clears ? START_CLEAR : START_RENDER;
   vkt_barrier(cmd);
   if (can_store(pair) && chance(50))
      operate_on(cmd, pair, NULL, can_turn(pair) && chance(40) ? TURNS : STORES, false);
}

/* Equal layouts are no transition: the texels stay, whatever the layouts are. */
static void
keep(VkCommandBuffer cmd, const struct pair *pair)
{
   const struct vkt_image image = {.image = pair->handles[0], .info = pair->info};
   vkt_transition(cmd, &image, VK_IMAGE_LAYOUT_UNDEFINED, VK_IMAGE_LAYOUT_UNDEFINED);
}

static void
run_round(enum kind kind)
{
   struct pair pairs[2] = {create(kind, NULL)};
   const bool met = uses.pairs[FORMAT][pairs[0].chosen[FORMAT]][FROM_OTHER][1];
   pairs[1] = create(kind, kind != MANY && (chance(60) || !met) ? &pairs[0] : NULL);
   for (unsigned submit = 0; submit < 2; submit++) {
      VkCommandBuffer cmd = vkx_begin(vkx);
      for (unsigned i = 0; i < 2 && (!submit || chance(30)); i++)
         start(cmd, &pairs[i]);
      for (unsigned i = 0; i < 8; i++) {
         const unsigned which = vkt_random_below(2);
         bool from_other;
         const enum operation operation = choose_operation(&pairs[which], &pairs[!which], kind == MANY, &from_other);
         vkt_barrier(cmd);
         keep(cmd, &pairs[which]);
         operate_on(cmd, &pairs[which], &pairs[!which], operation, from_other);
      }
      finish(cmd);
      for (unsigned i = 0; i < 2; i++) {
         check(&pairs[i]);
      }
   }
   destroy(&pairs[0]);
   destroy(&pairs[1]);
}

static void
create_pipelines(void)
{
   const VkDescriptorType types[] = {VK_DESCRIPTOR_TYPE_SAMPLED_IMAGE, VK_DESCRIPTOR_TYPE_STORAGE_BUFFER};
   quad_layout = vkt_quad_layout_create(vkx);
   samples_set_layout = vkx_set_layout_create(vkx, 2, types, VK_SHADER_STAGE_COMPUTE_BIT);
   samples_layout = vkx_pipeline_layout_create(vkx, samples_set_layout, VK_SHADER_STAGE_COMPUTE_BIT, 12);
   sample_pipelines[0] =
      vkx_compute_pipeline_create(vkx, samples_layout, vkx_shader_create(vkx, depth_samples, sizeof(depth_samples)));
   sample_pipelines[1] = vkx_compute_pipeline_create(
      vkx, samples_layout, vkx_shader_create(vkx, stencil_samples, sizeof(stencil_samples)));
}

static void
destroy_pipelines(void)
{
   for (unsigned i = 0; i < 2; i++)
      vkDestroyPipeline(vkx->device, sample_pipelines[i], NULL);
   vkDestroyPipelineLayout(vkx->device, samples_layout, NULL);
   vkDestroyPipelineLayout(vkx->device, quad_layout, NULL);
   vkDestroyDescriptorSetLayout(vkx->device, samples_set_layout, NULL);
}

int
main(int argc, char **argv)
{
   struct vkx device = vkt_create("compression");
   vkx = &device;
   large = atoi(vkx_option(argc, argv, "--large", "0"));
   only_depth = atoi(vkx_option(argc, argv, "--depth", "0"));
   buffer = vkt_buffer_create(vkx, BUFFER_B, 0);
   upload = vkt_buffer_create(vkx, BUFFER_B, 0);
   radv = !strcmp(vkx_option(argc, argv, "--quirks", ""), "radv");
   const char *sequence = vkx_option(argc, argv, "--seed", NULL);
   if (sequence)
      vkt_seed((uint32_t)atoi(sequence));
   create_pipelines();
   create_stores();
   if (!large && !only_depth)
      run_round(MANY);
   for (unsigned i = 0; i < 6 && !large && only_depth != 1; i++)
      run_round(TAILS);
   const int rounds = atoi(vkx_option(argc, argv, "--rounds", "12"));
   for (int i = 0; i < rounds; i++)
      run_round(i % 6 == 5 && !only_depth && !large ? SEEN_AS_WORDS : ANY);
   if (rounds >= (only_depth ? ENOUGH_DEPTH : ENOUGH) && !large)
      expect_pairs();
   destroy_pipelines();
   destroy_stores();
   vkx_buffer_destroy(vkx, &buffer);
   vkx_buffer_destroy(vkx, &upload);
   return vkt_finish(vkx);
}
