/* Every format in every way that the device says it can be used: sampled, filtered, stored, as a target with and
 * without blending, as depth, as texels of buffers, as a vertex's attribute. What comes out of a use goes into a file
 * (-o), or is compared with one from another device (--against); what only one of them has is left out. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "format_numbers.h"
#include "vkt_draw.h"

#define SHADER(name) static const uint32_t name[]
SHADER(comp_f) = {
#include "format_uses_f.comp.inc"
};
SHADER(comp_i) = {
#include "format_uses_i.comp.inc"
};
SHADER(comp_u) = {
#include "format_uses_u.comp.inc"
};
SHADER(vert_f) = {
#include "format_uses_f.vert.inc"
};
SHADER(vert_i) = {
#include "format_uses_i.vert.inc"
};
SHADER(vert_u) = {
#include "format_uses_u.vert.inc"
};
SHADER(frag_f) = {
#include "format_uses_f.frag.inc"
};
SHADER(frag_i) = {
#include "format_uses_i.frag.inc"
};
SHADER(frag_u) = {
#include "format_uses_u.frag.inc"
};

enum { SIDE = 8, TEXELS = SIDE * SIDE, BUFFER_B = TEXELS * 32, LEFT_OUT = 0x7fffffff };

/* What the compute shader does, and what is made of that. */
enum step { FETCH, FILTER, STORE, LOAD, FETCH_TEXELS, STORE_TEXELS, LOAD_TEXELS };
enum use { SAMPLED, FILTERED, STORED, LOADED, TARGET, BLENDED, DEPTH, TEXEL_BUFFER, STORED_BUFFER, ATTRIBUTE, USES };
static const char *const use_names[USES] = {
   "sampled",  "filtered", "stored", "loaded", "target", "blended", "depth", "texel buffer", "stored texel buffer",
   "attribute"};

static const struct {
   VkFormat wide; /* 32 bits a component */
   struct vkt_code comp, vert, frag;
} kinds[NUMBER_KINDS] = {
   [NUMBER_FLOAT] = {VK_FORMAT_R32G32B32A32_SFLOAT, VKT_CODE(comp_f), VKT_CODE(vert_f), VKT_CODE(frag_f)},
   [NUMBER_SINT] = {VK_FORMAT_R32G32B32A32_SINT, VKT_CODE(comp_i), VKT_CODE(vert_i), VKT_CODE(frag_i)},
   [NUMBER_UINT] = {VK_FORMAT_R32G32B32A32_UINT, VKT_CODE(comp_u), VKT_CODE(vert_u), VKT_CODE(frag_u)},
};

struct row {
   uint32_t format, use;
   uint32_t value[TEXELS][4];
};

static struct vkx *vkx;
static VkDescriptorSetLayout set_layout;
static VkPipelineLayout compute_layout, draw_layout;
static VkPipeline compute[NUMBER_KINDS];
static VkSampler nearest, linear;
static struct vkx_buffer texels, result, values;
static struct vkt_image dummies[NUMBER_KINDS];
static FILE *out, *against;
static struct row expected;
static unsigned compared, left_out;

/* ---- rows ---- */

static bool
next_expected(void)
{
   return fread(&expected, sizeof(expected), 1, against) == 1 || (expected.format = LEFT_OUT, false);
}

static bool
is_near(VkFormat format, float step, uint32_t a_bits, uint32_t b_bits)
{
   float a, b;
   memcpy(&a, &a_bits, 4);
   memcpy(&b, &b_bits, 4);
   if (number_kind(format) != NUMBER_FLOAT)
      return a_bits == b_bits;
   return (isnan(a) && isnan(b)) || a == b || fabsf(a - b) <= step + 0.04f * fabsf(b);
}

static void
compare(const struct row *row)
{
   while (expected.format < row->format || (expected.format == row->format && expected.use < row->use))
      next_expected();
   if (expected.format != row->format || expected.use != row->use) {
      left_out++;
      return;
   }
   /* Where blending rounds in between is up to the device. */
   const VkFormat format = (VkFormat)row->format;
   const float step = number_step(format) * (row->use == BLENDED ? 2 : 1);
   unsigned wrong = 0, first = 0;
   for (unsigned i = TEXELS * 4; i-- > 0;) {
      if (!is_near(format, step, row->value[i / 4][i % 4], expected.value[i / 4][i % 4])) {
         first = i;
         wrong++;
      }
   }
   compared++;
   float values_of[2];
   memcpy(&values_of[0], &row->value[first / 4][first % 4], 4);
   memcpy(&values_of[1], &expected.value[first / 4][first % 4], 4);
   vkt_expect(!wrong, "format %u, %s: %u values, first %u: %08x (%g), not %08x (%g)", row->format,
              use_names[row->use], wrong, first, row->value[first / 4][first % 4], (double)values_of[0],
              expected.value[first / 4][first % 4], (double)values_of[1]);
}

/* What `result` holds is what came out of the use. */
static void
finish_row(VkFormat format, enum use use)
{
   struct row row = {(uint32_t)format, use, {{0}}};
   memcpy(row.value, result.map, sizeof(row.value));
   if (out)
      fwrite(&row, sizeof(row), 1, out);
   else
      compare(&row);
}

/* ---- objects ---- */

static VkBufferView
texel_view(VkFormat format)
{
   const VkBufferViewCreateInfo info = {.sType = VK_STRUCTURE_TYPE_BUFFER_VIEW_CREATE_INFO,
                                        .buffer = texels.buffer,
                                        .format = format,
                                        .range = (VkDeviceSize)TEXELS * number_size_B(format)};
   VkBufferView view;
   vkx_check(vkCreateBufferView(vkx->device, &info, NULL, &view), "vkCreateBufferView");
   return view;
}

struct bindings {
   VkImageView image, stored;
   VkBufferView texels, stored_texels;
   VkSampler sampler;
};

/* One dispatch; what is not used has a wide format. */
static void
use_format(enum number_kind kind, enum step step, struct bindings b)
{
   const VkFormat wide = kinds[kind].wide;
   VkImageView dummy =
      vkt_view_create(vkx, &dummies[kind], VK_IMAGE_VIEW_TYPE_2D, VK_IMAGE_ASPECT_COLOR_BIT, 0, 0, 1);
   VkBufferView wide_texels = texel_view(wide);
   const struct vkt_descriptor descriptors[6] = {
      {VK_DESCRIPTOR_TYPE_COMBINED_IMAGE_SAMPLER, .view = b.image ? b.image : dummy,
       .sampler = b.sampler ? b.sampler : nearest},
      {VK_DESCRIPTOR_TYPE_STORAGE_BUFFER, .buffer = result.buffer},
      {VK_DESCRIPTOR_TYPE_UNIFORM_TEXEL_BUFFER, .texels = b.texels ? b.texels : wide_texels},
      {VK_DESCRIPTOR_TYPE_STORAGE_TEXEL_BUFFER, .texels = b.stored_texels ? b.stored_texels : wide_texels},
      {VK_DESCRIPTOR_TYPE_STORAGE_IMAGE, .view = b.stored ? b.stored : dummy},
      {VK_DESCRIPTOR_TYPE_STORAGE_BUFFER, .buffer = values.buffer}};
   VkDescriptorPool pool = VK_NULL_HANDLE;
   const VkDescriptorSet set = vkt_bindings_create(vkx, &pool, set_layout, 6, descriptors);
   uint32_t number = step;
   VkCommandBuffer cmd = vkx_begin(vkx);
   vkCmdBindPipeline(cmd, VK_PIPELINE_BIND_POINT_COMPUTE, compute[kind]);
   vkCmdBindDescriptorSets(cmd, VK_PIPELINE_BIND_POINT_COMPUTE, compute_layout, 0, 1, &set, 0, NULL);
   vkCmdPushConstants(cmd, compute_layout, VK_SHADER_STAGE_COMPUTE_BIT, 0, 4, &number);
   vkt_barrier(cmd);
   vkCmdDispatch(cmd, 1, 1, 1);
   vkt_barrier(cmd);
   vkx_submit_and_wait(vkx, cmd);
   vkDestroyDescriptorPool(vkx->device, pool, NULL);
   vkDestroyImageView(vkx->device, dummy, NULL);
   vkDestroyBufferView(vkx->device, wide_texels, NULL);
}

static struct vkt_image
create_image(VkFormat format, VkImageUsageFlags usage)
{
   struct vkt_image image = vkt_image_create(
      vkx,
      (VkImageCreateInfo){.imageType = VK_IMAGE_TYPE_2D, .format = format, .extent = {SIDE, SIDE, 1}, .usage = usage},
      false);
   VkCommandBuffer cmd = vkx_begin(vkx);
   vkt_transition(cmd, &image, VK_IMAGE_LAYOUT_UNDEFINED, VK_IMAGE_LAYOUT_GENERAL);
   vkx_submit_and_wait(vkx, cmd);
   return image;
}

static VkImageView
view_of(const struct vkt_image *image)
{
   VkImageAspectFlags aspects = vkt_aspects(image->info.format);
   if (aspects & VK_IMAGE_ASPECT_DEPTH_BIT)
      aspects = VK_IMAGE_ASPECT_DEPTH_BIT;
   return vkt_view_create(vkx, image, VK_IMAGE_VIEW_TYPE_2D, aspects, 0, 0, 1);
}

static void
sample(const struct vkt_image *image, enum step step)
{
   VkImageView view = view_of(image);
   use_format(number_kind(image->info.format), step,
              (struct bindings){.image = view, .sampler = step == FILTER ? linear : nearest});
   vkDestroyImageView(vkx->device, view, NULL);
}

/* ---- uses ---- */

static void
use_textures(VkFormat format, VkFormatFeatureFlags features)
{
   if (!(features & VK_FORMAT_FEATURE_SAMPLED_IMAGE_BIT) || !(features & VK_FORMAT_FEATURE_TRANSFER_DST_BIT))
      return;
   struct vkt_image image = create_image(format, VK_IMAGE_USAGE_SAMPLED_BIT | VK_IMAGE_USAGE_TRANSFER_DST_BIT);
   const VkBufferImageCopy copy = {.imageSubresource = {VK_IMAGE_ASPECT_COLOR_BIT, 0, 0, 1},
                                   .imageExtent = {SIDE, SIDE, 1}};
   number_fill(format, texels.map, BUFFER_B);
   VkCommandBuffer cmd = vkx_begin(vkx);
   vkCmdCopyBufferToImage(cmd, texels.buffer, image.image, VK_IMAGE_LAYOUT_GENERAL, 1, &copy);
   vkt_barrier(cmd);
   vkx_submit_and_wait(vkx, cmd);
   sample(&image, FETCH);
   finish_row(format, SAMPLED);
   if (features & VK_FORMAT_FEATURE_SAMPLED_IMAGE_FILTER_LINEAR_BIT) {
      sample(&image, FILTER);
      finish_row(format, FILTERED);
   }
   vkt_image_destroy(vkx, &image);
}

static void
use_storage(VkFormat format, VkFormatFeatureFlags features)
{
   if (!(features & VK_FORMAT_FEATURE_STORAGE_IMAGE_BIT) || !(features & VK_FORMAT_FEATURE_SAMPLED_IMAGE_BIT))
      return;
   struct vkt_image image = create_image(format, VK_IMAGE_USAGE_STORAGE_BIT | VK_IMAGE_USAGE_SAMPLED_BIT);
   VkImageView view = view_of(&image);
   number_values(format, values.map, TEXELS);
   use_format(number_kind(format), STORE, (struct bindings){.stored = view});
   sample(&image, FETCH);
   finish_row(format, STORED);
   use_format(number_kind(format), LOAD, (struct bindings){.stored = view});
   finish_row(format, LOADED);
   vkDestroyImageView(vkx->device, view, NULL);
   vkt_image_destroy(vkx, &image);
}

/* Draws 64 points whose attribute has a format, into a target of another, `times`. */
static struct vkt_target
draw(VkFormat attribute, VkFormat target_format, VkFormat depth, enum number_kind kind, bool blend)
{
   const VkVertexInputBindingDescription binding = {0, number_size_B(attribute), VK_VERTEX_INPUT_RATE_VERTEX};
   const VkVertexInputAttributeDescription input = {0, 0, attribute, 0};
   const VkPipelineVertexInputStateCreateInfo vertex_input = {
      .sType = VK_STRUCTURE_TYPE_PIPELINE_VERTEX_INPUT_STATE_CREATE_INFO,
      .vertexBindingDescriptionCount = 1,
      .pVertexBindingDescriptions = &binding,
      .vertexAttributeDescriptionCount = 1,
      .pVertexAttributeDescriptions = &input};
   const VkPipelineColorBlendAttachmentState over = {true,
                                                     VK_BLEND_FACTOR_SRC_ALPHA,
                                                     VK_BLEND_FACTOR_ONE_MINUS_SRC_ALPHA,
                                                     VK_BLEND_OP_ADD,
                                                     VK_BLEND_FACTOR_ONE,
                                                     VK_BLEND_FACTOR_ONE_MINUS_SRC_COLOR,
                                                     VK_BLEND_OP_ADD,
                                                     0xf};
   const VkPipelineDepthStencilStateCreateInfo always = {
      .sType = VK_STRUCTURE_TYPE_PIPELINE_DEPTH_STENCIL_STATE_CREATE_INFO,
      .depthTestEnable = true,
      .depthWriteEnable = true,
      .depthCompareOp = VK_COMPARE_OP_ALWAYS};
   struct vkt_target target = vkt_target_create(vkx, target_format, depth, (VkExtent2D){SIDE, SIDE}, 1, 1);
   VkPipeline pipeline = vkt_pipeline_create(vkx, &(struct vkt_pipeline_info){.pass = target.pass,
                                                                              .layout = draw_layout,
                                                                              .vertex = kinds[kind].vert,
                                                                              .fragment = kinds[kind].frag,
                                                                              .points = true,
                                                                              .vertex_input = &vertex_input,
                                                                              .depth_stencil = depth ? &always : NULL,
                                                                              .blend = blend ? &over : NULL});
   const struct vkx_buffer *from = number_size_B(attribute) == 16 ? &values : &texels;
   VkCommandBuffer cmd = vkx_begin(vkx);
   vkt_target_begin(cmd, &target, target.pass, VK_SUBPASS_CONTENTS_INLINE);
   vkCmdBindPipeline(cmd, VK_PIPELINE_BIND_POINT_GRAPHICS, pipeline);
   vkCmdBindVertexBuffers(cmd, 0, 1, &from->buffer, &(VkDeviceSize){0});
   for (unsigned i = 0; i <= blend; i++)
      vkCmdDraw(cmd, TEXELS, 1, 0, 0);
   vkCmdEndRenderPass(cmd);
   vkt_barrier(cmd);
   vkx_submit_and_wait(vkx, cmd);
   vkDestroyPipeline(vkx->device, pipeline, NULL);
   return target;
}

static void
use_targets(VkFormat format, VkFormatFeatureFlags features)
{
   const enum number_kind kind = number_kind(format);
   const bool sampled = features & VK_FORMAT_FEATURE_SAMPLED_IMAGE_BIT;
   for (unsigned blend = 0; blend < 2; blend++) {
      if (!sampled || !(features & (blend ? VK_FORMAT_FEATURE_COLOR_ATTACHMENT_BLEND_BIT
                                          : VK_FORMAT_FEATURE_COLOR_ATTACHMENT_BIT)))
         continue;
      number_values(format, values.map, TEXELS);
      struct vkt_target target = draw(kinds[kind].wide, format, VK_FORMAT_UNDEFINED, kind, blend);
      sample(&target.color, FETCH);
      finish_row(format, blend ? BLENDED : TARGET);
      vkt_target_destroy(vkx, &target);
   }
   if (sampled && features & VK_FORMAT_FEATURE_DEPTH_STENCIL_ATTACHMENT_BIT && format != VK_FORMAT_S8_UINT) {
      number_values(format, values.map, TEXELS);
      struct vkt_target target = draw(kinds[kind].wide, VK_FORMAT_R8G8B8A8_UNORM, format, kind, false);
      sample(&target.depth, FETCH);
      finish_row(format, DEPTH);
      vkt_target_destroy(vkx, &target);
   }
}

static void
use_buffers(VkFormat format, VkFormatFeatureFlags features)
{
   const enum number_kind kind = number_kind(format);
   if (features & VK_FORMAT_FEATURE_UNIFORM_TEXEL_BUFFER_BIT) {
      number_fill(format, texels.map, BUFFER_B);
      VkBufferView view = texel_view(format);
      use_format(kind, FETCH_TEXELS, (struct bindings){.texels = view});
      finish_row(format, TEXEL_BUFFER);
      vkDestroyBufferView(vkx->device, view, NULL);
   }
   if (features & VK_FORMAT_FEATURE_STORAGE_TEXEL_BUFFER_BIT) {
      number_values(format, values.map, TEXELS);
      VkBufferView view = texel_view(format);
      use_format(kind, STORE_TEXELS, (struct bindings){.stored_texels = view});
      use_format(kind, LOAD_TEXELS, (struct bindings){.stored_texels = view});
      finish_row(format, STORED_BUFFER);
      vkDestroyBufferView(vkx->device, view, NULL);
   }
   if (features & VK_FORMAT_FEATURE_VERTEX_BUFFER_BIT) {
      number_fill(format, texels.map, BUFFER_B);
      memcpy(values.map, texels.map, TEXELS * 16);
      struct vkt_target target = draw(format, kinds[kind].wide, VK_FORMAT_UNDEFINED, kind, false);
      sample(&target.color, FETCH);
      finish_row(format, ATTRIBUTE);
      vkt_target_destroy(vkx, &target);
   }
}

static void
create_objects(void)
{
   static const VkDescriptorType types[] = {
      VK_DESCRIPTOR_TYPE_COMBINED_IMAGE_SAMPLER, VK_DESCRIPTOR_TYPE_STORAGE_BUFFER,
      VK_DESCRIPTOR_TYPE_UNIFORM_TEXEL_BUFFER,   VK_DESCRIPTOR_TYPE_STORAGE_TEXEL_BUFFER,
      VK_DESCRIPTOR_TYPE_STORAGE_IMAGE,          VK_DESCRIPTOR_TYPE_STORAGE_BUFFER};
   VkSamplerCreateInfo sampler = {.sType = VK_STRUCTURE_TYPE_SAMPLER_CREATE_INFO};
   const VkPipelineLayoutCreateInfo empty = {.sType = VK_STRUCTURE_TYPE_PIPELINE_LAYOUT_CREATE_INFO};
   set_layout = vkx_set_layout_create(vkx, 6, types, VK_SHADER_STAGE_COMPUTE_BIT);
   compute_layout = vkx_pipeline_layout_create(vkx, set_layout, VK_SHADER_STAGE_COMPUTE_BIT, 4);
   vkx_check(vkCreatePipelineLayout(vkx->device, &empty, NULL, &draw_layout), "vkCreatePipelineLayout");
   vkx_check(vkCreateSampler(vkx->device, &sampler, NULL, &nearest), "vkCreateSampler");
   sampler.magFilter = sampler.minFilter = VK_FILTER_LINEAR;
   vkx_check(vkCreateSampler(vkx->device, &sampler, NULL, &linear), "vkCreateSampler");
   texels = vkt_buffer_create(vkx, BUFFER_B, 0);
   result = vkt_buffer_create(vkx, TEXELS * 16, 0);
   values = vkt_buffer_create(vkx, TEXELS * 16, 0);
   for (unsigned kind = 0; kind < NUMBER_KINDS; kind++) {
      compute[kind] = vkx_compute_pipeline_create(
         vkx, compute_layout, vkx_shader_create(vkx, kinds[kind].comp.words, kinds[kind].comp.size_B));
      dummies[kind] = create_image(kinds[kind].wide, VK_IMAGE_USAGE_SAMPLED_BIT | VK_IMAGE_USAGE_STORAGE_BIT);
   }
}

static void
destroy_objects(void)
{
   for (unsigned kind = 0; kind < NUMBER_KINDS; kind++) {
      vkDestroyPipeline(vkx->device, compute[kind], NULL);
      vkt_image_destroy(vkx, &dummies[kind]);
   }
   vkx_buffer_destroy(vkx, &texels);
   vkx_buffer_destroy(vkx, &result);
   vkx_buffer_destroy(vkx, &values);
   vkDestroySampler(vkx->device, nearest, NULL);
   vkDestroySampler(vkx->device, linear, NULL);
   vkDestroyPipelineLayout(vkx->device, compute_layout, NULL);
   vkDestroyPipelineLayout(vkx->device, draw_layout, NULL);
   vkDestroyDescriptorSetLayout(vkx->device, set_layout, NULL);
}

int
main(int argc, char **argv)
{
   static const char *const names[] = {"-o", "--against", "--first", "--last", NULL};
   vkx_expect_options(argc, argv, names, "format_uses (-o | --against) FILE [--first FORMAT] [--last FORMAT]");
   const int first = atoi(vkx_option(argc, argv, "--first", "1"));
   const int last = atoi(vkx_option(argc, argv, "--last", "156")); /* EAC_R11G11_SNORM */
   const char *to = vkx_option(argc, argv, "-o", NULL), *with = vkx_option(argc, argv, "--against", NULL);
   out = to ? fopen(to, "wb") : NULL;
   against = with ? fopen(with, "rb") : NULL;
   if (!out && !against) {
      fprintf(stderr, "format_uses: no file\n");
      return 2;
   }
   struct vkx device = vkt_create("format_uses");
   vkx = &device;
   create_objects();
   for (VkFormat format = (VkFormat)first; format <= (VkFormat)last; format++) {
      VkFormatProperties properties;
      vkGetPhysicalDeviceFormatProperties(vkx->physical, format, &properties);
      if (!number_size_B(format))
         continue;
      if (format < VK_FORMAT_D16_UNORM || format > VK_FORMAT_D32_SFLOAT_S8_UINT)
         use_textures(format, properties.optimalTilingFeatures);
      use_storage(format, properties.optimalTilingFeatures);
      use_targets(format, properties.optimalTilingFeatures);
      /* RADV offers sRGB in buffers, which the hardware's descriptors have no number for. */
      if (!number_is_srgb(format))
         use_buffers(format, properties.bufferFeatures);
   }
   destroy_objects();
   if (out)
      vkt_expect(!fclose(out), "the file could not be written");
   else
      printf("%u uses compared, %u only here\n", compared, left_out);
   return vkt_finish(vkx);
}
