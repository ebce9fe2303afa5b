/* Order-independent transparency with fragment shader interlock: thousands of translucent triangles, blended in the
 * shader with integers, in the order of submission (or, with --kbuffer, sorted by depth in a few layers per pixel).
 * The result is exact, so --check compares every pixel with the CPU. --unordered leaves the interlock out and shows
 * what it is for. --textured samples a texture, which is under way when the ordered part begins. Runs on any Vulkan
 * device with VK_EXT_fragment_shader_interlock; --unordered runs without. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "oit.h"
#include "vkx.h"

enum interlock { PIXEL, SAMPLE, UNORDERED, INTERLOCKS };

static const uint32_t vertex_code[] = {
#include "oit.vert.inc"
};
static const uint32_t clear_code[] = {
#include "oit_clear.comp.inc"
};
static const uint32_t resolve_code[] = {
#include "oit_resolve.comp.inc"
};
static const uint32_t blend_pixel[] = {
#include "oit_blend_PIXEL.frag.inc"
};
static const uint32_t blend_sample[] = {
#include "oit_blend_SAMPLE.frag.inc"
};
static const uint32_t blend_unordered[] = {
#include "oit_blend_UNORDERED.frag.inc"
};
static const uint32_t kbuffer_pixel[] = {
#include "oit_kbuffer_PIXEL.frag.inc"
};
static const uint32_t kbuffer_sample[] = {
#include "oit_kbuffer_SAMPLE.frag.inc"
};
static const uint32_t kbuffer_unordered[] = {
#include "oit_kbuffer_UNORDERED.frag.inc"
};
static const uint32_t textured_pixel[] = {
#include "oit_textured_PIXEL.frag.inc"
};
static const uint32_t textured_sample[] = {
#include "oit_textured_SAMPLE.frag.inc"
};
static const uint32_t textured_unordered[] = {
#include "oit_textured_UNORDERED.frag.inc"
};
static const uint32_t textured_kbuffer_pixel[] = {
#include "oit_textured_kbuffer_PIXEL.frag.inc"
};
static const uint32_t textured_kbuffer_sample[] = {
#include "oit_textured_kbuffer_SAMPLE.frag.inc"
};
static const uint32_t textured_kbuffer_unordered[] = {
#include "oit_textured_kbuffer_UNORDERED.frag.inc"
};
static const struct {
   const uint32_t *code;
   size_t size;
} fragment_codes[4][INTERLOCKS] = {
   /* by k-buffer + 2 * textured */
   {{blend_pixel, sizeof(blend_pixel)},
    {blend_sample, sizeof(blend_sample)},
    {blend_unordered, sizeof(blend_unordered)}},
   {{kbuffer_pixel, sizeof(kbuffer_pixel)},
    {kbuffer_sample, sizeof(kbuffer_sample)},
    {kbuffer_unordered, sizeof(kbuffer_unordered)}},
   {{textured_pixel, sizeof(textured_pixel)},
    {textured_sample, sizeof(textured_sample)},
    {textured_unordered, sizeof(textured_unordered)}},
   {{textured_kbuffer_pixel, sizeof(textured_kbuffer_pixel)},
    {textured_kbuffer_sample, sizeof(textured_kbuffer_sample)},
    {textured_kbuffer_unordered, sizeof(textured_kbuffer_unordered)}},
};

struct oit {
   struct oit_setup setup;
   enum interlock interlock;
   struct vkx vkx;
   struct vkx_buffer vertices, words, picture;
   struct vkx_image texture;
   VkSampler sampler;
   VkDescriptorSetLayout set_layout;
   VkDescriptorPool descriptor_pool;
   VkDescriptorSet set;
   VkPipelineLayout layout;
   VkPipeline clear, draw, resolve;
   VkRenderPass pass;
   VkFramebuffer framebuffer;
};

static bool
has_flag(int argc, char **argv, const char *name)
{
   for (int i = 1; i < argc; i++) {
      if (!strcmp(argv[i], name))
         return true;
   }
   return false;
}

static uint32_t
number(int argc, char **argv, const char *name, const char *otherwise, uint32_t max)
{
   const char *text = vkx_option(argc, argv, name, otherwise);
   char *end;
   unsigned long value = strtoul(text, &end, 10);

   if (*end || !value || value > max) {
      fprintf(stderr, "%s: \"%s\" is not a number from 1 to %u\n", name, text, max);
      exit(2);
   }
   return (uint32_t)value;
}

static void
usage(void)
{
   fprintf(stderr, "usage: oit [--samples 1|2|4|8] [--interlock pixel|sample] [--kbuffer] [--textured]\n"
                   "           [--unordered] [--check] [--out FILE.png] [--width N] [--height N]\n"
                   "           [--triangles N]\n");
   exit(2);
}

static struct oit
parse(int argc, char **argv)
{
   static const char *const known[] = {"--samples",   "--interlock", "--out",      "--width",     "--height",
                                       "--triangles", "--kbuffer",   "--textured", "--unordered", "--check"};
   enum { KNOWN = sizeof(known) / sizeof(known[0]), WITH_VALUE = 6 };
   const char *interlock = vkx_option(argc, argv, "--interlock", "pixel");
   bool by_sample = !strcmp(interlock, "sample");
   struct oit oit = {
      .setup = {.width = number(argc, argv, "--width", "1280", 2048),
                .height = number(argc, argv, "--height", "720", 2048),
                .samples = number(argc, argv, "--samples", "1", 8),
                .triangles = number(argc, argv, "--triangles", "10000", 1000000),
                .kbuffer = has_flag(argc, argv, "--kbuffer"),
                .textured = has_flag(argc, argv, "--textured")},
      .interlock = has_flag(argc, argv, "--unordered") ? UNORDERED
                   : by_sample                         ? SAMPLE
                                                       : PIXEL,
   };

   for (int i = 1; i < argc; i++) {
      unsigned k = 0;

      while (k < KNOWN && strcmp(argv[i], known[k]))
         k++;
      if (k == KNOWN || (k < WITH_VALUE && ++i >= argc))
         usage();
   }
   if (oit.setup.samples & (oit.setup.samples - 1) || (!by_sample && strcmp(interlock, "pixel")))
      usage();
   oit.setup.history = oit.setup.samples > 1 && !by_sample;
   return oit;
}

static void
create_device(struct oit *oit)
{
   const VkPhysicalDeviceFragmentShaderInterlockFeaturesEXT interlock = {
      .sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_FRAGMENT_SHADER_INTERLOCK_FEATURES_EXT,
      .fragmentShaderSampleInterlock = oit->interlock == SAMPLE,
      .fragmentShaderPixelInterlock = oit->interlock == PIXEL,
   };
   bool ordered = oit->interlock != UNORDERED;

   oit->vkx = vkx_create_with("oit", ordered ? VK_EXT_FRAGMENT_SHADER_INTERLOCK_EXTENSION_NAME : NULL,
                              ordered ? &interlock : NULL);
   if (!(oit->vkx.properties.limits.framebufferNoAttachmentsSampleCounts & oit->setup.samples)) {
      fprintf(stderr, "%s does not draw with %u samples\n", oit->vkx.properties.deviceName, oit->setup.samples);
      exit(1);
   }
}

static void
create_buffers(struct oit *oit, const struct oit_vertex *vertices)
{
   const struct oit_setup *setup = &oit->setup;
   VkDeviceSize pixels = (VkDeviceSize)setup->width * setup->height;
   VkDeviceSize words_of_sample = setup->kbuffer ? 1 + 2 * OIT_LAYERS : 1;
   VkDeviceSize words_size = pixels * (setup->samples * words_of_sample + setup->history) * 4;
   VkDeviceSize vertices_size = (VkDeviceSize)setup->triangles * 3 * sizeof(*vertices);

   if (words_size > oit->vkx.properties.limits.maxStorageBufferRange) {
      fprintf(stderr, "%s has no storage buffers of %llu bytes\n", oit->vkx.properties.deviceName,
              (unsigned long long)words_size);
      exit(1);
   }
   oit->vertices = vkx_buffer_create(&oit->vkx, vertices_size, VK_BUFFER_USAGE_VERTEX_BUFFER_BIT, true);
   memcpy(oit->vertices.map, vertices, vertices_size);
   oit->words = vkx_buffer_create(&oit->vkx, words_size, VK_BUFFER_USAGE_STORAGE_BUFFER_BIT, false);
   oit->picture = vkx_buffer_create(&oit->vkx, pixels * 8, VK_BUFFER_USAGE_STORAGE_BUFFER_BIT, true);
}

static void
create_texture(struct oit *oit)
{
   const VkExtent2D size = {OIT_TEXELS, OIT_TEXELS};
   const VkBufferImageCopy copy = {.imageSubresource = {VK_IMAGE_ASPECT_COLOR_BIT, 0, 0, 1},
                                   .imageExtent = {size.width, size.height, 1}};
   const VkSamplerCreateInfo sampler = {.sType = VK_STRUCTURE_TYPE_SAMPLER_CREATE_INFO}; /* nearest, repeats */
   struct vkx_buffer texels =
      vkx_buffer_create(&oit->vkx, OIT_TEXELS * OIT_TEXELS * 4, VK_BUFFER_USAGE_TRANSFER_SRC_BIT, true);

   for (uint32_t i = 0; i < OIT_TEXELS * OIT_TEXELS; i++)
      ((uint32_t *)texels.map)[i] = oit_texel(i % OIT_TEXELS, i / OIT_TEXELS);
   oit->texture =
      vkx_image_create(&oit->vkx, VK_FORMAT_R8G8B8A8_UINT, size, 1, VK_SAMPLE_COUNT_1_BIT,
                       VK_IMAGE_USAGE_SAMPLED_BIT | VK_IMAGE_USAGE_TRANSFER_DST_BIT, VK_IMAGE_ASPECT_COLOR_BIT);
   vkx_check(vkCreateSampler(oit->vkx.device, &sampler, NULL, &oit->sampler), "vkCreateSampler");
   VkCommandBuffer cmd = vkx_begin(&oit->vkx);
   vkx_image_barrier(cmd, oit->texture.image, VK_IMAGE_ASPECT_COLOR_BIT, 0, 1, VK_IMAGE_LAYOUT_UNDEFINED,
                     VK_IMAGE_LAYOUT_TRANSFER_DST_OPTIMAL, VK_PIPELINE_STAGE_TOP_OF_PIPE_BIT, 0,
                     VK_PIPELINE_STAGE_TRANSFER_BIT, VK_ACCESS_TRANSFER_WRITE_BIT);
   vkCmdCopyBufferToImage(cmd, texels.buffer, oit->texture.image, VK_IMAGE_LAYOUT_TRANSFER_DST_OPTIMAL, 1, &copy);
   vkx_image_barrier(cmd, oit->texture.image, VK_IMAGE_ASPECT_COLOR_BIT, 0, 1, VK_IMAGE_LAYOUT_TRANSFER_DST_OPTIMAL,
                     VK_IMAGE_LAYOUT_SHADER_READ_ONLY_OPTIMAL, VK_PIPELINE_STAGE_TRANSFER_BIT,
                     VK_ACCESS_TRANSFER_WRITE_BIT, VK_PIPELINE_STAGE_FRAGMENT_SHADER_BIT, VK_ACCESS_SHADER_READ_BIT);
   vkx_submit_and_wait(&oit->vkx, cmd);
   vkx_buffer_destroy(&oit->vkx, &texels);
}

static void
create_set(struct oit *oit)
{
   const VkDescriptorType types[3] = {VK_DESCRIPTOR_TYPE_STORAGE_BUFFER, VK_DESCRIPTOR_TYPE_STORAGE_BUFFER,
                                      VK_DESCRIPTOR_TYPE_COMBINED_IMAGE_SAMPLER};
   const VkShaderStageFlags stages = VK_SHADER_STAGE_FRAGMENT_BIT | VK_SHADER_STAGE_COMPUTE_BIT;
   const VkDescriptorPoolSize sizes[2] = {{VK_DESCRIPTOR_TYPE_STORAGE_BUFFER, 2},
                                          {VK_DESCRIPTOR_TYPE_COMBINED_IMAGE_SAMPLER, 1}};
   const VkDescriptorPoolCreateInfo pool_info = {
      .sType = VK_STRUCTURE_TYPE_DESCRIPTOR_POOL_CREATE_INFO, .maxSets = 1, .poolSizeCount = 2, .pPoolSizes = sizes};

   oit->set_layout = vkx_set_layout_create(&oit->vkx, 2 + oit->setup.textured, types, stages);
   oit->layout = vkx_pipeline_layout_create(&oit->vkx, oit->set_layout, stages, 8);
   vkx_check(vkCreateDescriptorPool(oit->vkx.device, &pool_info, NULL, &oit->descriptor_pool),
             "vkCreateDescriptorPool");
   const VkDescriptorSetAllocateInfo set_info = {.sType = VK_STRUCTURE_TYPE_DESCRIPTOR_SET_ALLOCATE_INFO,
                                                 .descriptorPool = oit->descriptor_pool,
                                                 .descriptorSetCount = 1,
                                                 .pSetLayouts = &oit->set_layout};
   vkx_check(vkAllocateDescriptorSets(oit->vkx.device, &set_info, &oit->set), "vkAllocateDescriptorSets");
   const VkDescriptorBufferInfo buffers[2] = {{oit->words.buffer, 0, VK_WHOLE_SIZE},
                                              {oit->picture.buffer, 0, VK_WHOLE_SIZE}};
   const VkDescriptorImageInfo texture = {oit->sampler, oit->texture.view, VK_IMAGE_LAYOUT_SHADER_READ_ONLY_OPTIMAL};
   const VkWriteDescriptorSet writes[2] = {{.sType = VK_STRUCTURE_TYPE_WRITE_DESCRIPTOR_SET,
                                            .dstSet = oit->set,
                                            .descriptorCount = 2,
                                            .descriptorType = VK_DESCRIPTOR_TYPE_STORAGE_BUFFER,
                                            .pBufferInfo = buffers},
                                           {.sType = VK_STRUCTURE_TYPE_WRITE_DESCRIPTOR_SET,
                                            .dstSet = oit->set,
                                            .dstBinding = 2,
                                            .descriptorCount = 1,
                                            .descriptorType = VK_DESCRIPTOR_TYPE_COMBINED_IMAGE_SAMPLER,
                                            .pImageInfo = &texture}};
   vkUpdateDescriptorSets(oit->vkx.device, 1 + oit->setup.textured, writes, 0, NULL);
}

/* Nothing is attached: the shader keeps its picture itself. */
static void
create_pass(struct oit *oit)
{
   const VkSubpassDescription subpass = {.pipelineBindPoint = VK_PIPELINE_BIND_POINT_GRAPHICS};
   const VkRenderPassCreateInfo pass_info = {
      .sType = VK_STRUCTURE_TYPE_RENDER_PASS_CREATE_INFO, .subpassCount = 1, .pSubpasses = &subpass};

   vkx_check(vkCreateRenderPass(oit->vkx.device, &pass_info, NULL, &oit->pass), "vkCreateRenderPass");
   const VkFramebufferCreateInfo info = {.sType = VK_STRUCTURE_TYPE_FRAMEBUFFER_CREATE_INFO,
                                         .renderPass = oit->pass,
                                         .width = oit->setup.width,
                                         .height = oit->setup.height,
                                         .layers = 1};
   vkx_check(vkCreateFramebuffer(oit->vkx.device, &info, NULL, &oit->framebuffer), "vkCreateFramebuffer");
}

static VkSpecializationInfo
specialization(const struct oit *oit, uint32_t values[3])
{
   static const VkSpecializationMapEntry entries[3] = {{0, 0, 4}, {1, 4, 4}, {2, 8, 4}};

   values[0] = oit->setup.samples;
   values[1] = oit->setup.kbuffer ? OIT_LAYERS : 0;
   values[2] = oit->setup.history;
   return (VkSpecializationInfo){3, entries, sizeof(uint32_t[3]), values};
}

static VkPipeline
create_compute(struct oit *oit, const uint32_t *code, size_t size)
{
   uint32_t values[3];
   const VkSpecializationInfo constants = specialization(oit, values);
   const VkComputePipelineCreateInfo info = {
      .sType = VK_STRUCTURE_TYPE_COMPUTE_PIPELINE_CREATE_INFO,
      .stage = {.sType = VK_STRUCTURE_TYPE_PIPELINE_SHADER_STAGE_CREATE_INFO,
                .stage = VK_SHADER_STAGE_COMPUTE_BIT,
                .module = vkx_shader_create(&oit->vkx, code, size),
                .pName = "main",
                .pSpecializationInfo = &constants},
      .layout = oit->layout,
   };
   VkPipeline pipeline;

   vkx_check(vkCreateComputePipelines(oit->vkx.device, VK_NULL_HANDLE, 1, &info, NULL, &pipeline),
             "vkCreateComputePipelines");
   vkDestroyShaderModule(oit->vkx.device, info.stage.module, NULL);
   return pipeline;
}

static const VkVertexInputBindingDescription vertex_binding = {0, sizeof(struct oit_vertex),
                                                               VK_VERTEX_INPUT_RATE_VERTEX};
static const VkVertexInputAttributeDescription vertex_attributes[3] = {
   {0, 0, VK_FORMAT_R32G32_SINT, 0}, {1, 0, VK_FORMAT_R32G32B32A32_UINT, 8}, {2, 0, VK_FORMAT_R32G32B32A32_UINT, 24}};

/* See shaders/oit.vert for the viewport. */
static VkPipeline
create_draw(struct oit *oit)
{
   uint32_t values[3];
   const VkSpecializationInfo constants = specialization(oit, values);
   unsigned kind = oit->setup.kbuffer + 2u * oit->setup.textured;
   const VkPipelineShaderStageCreateInfo stages[2] = {
      {.sType = VK_STRUCTURE_TYPE_PIPELINE_SHADER_STAGE_CREATE_INFO,
       .stage = VK_SHADER_STAGE_VERTEX_BIT,
       .module = vkx_shader_create(&oit->vkx, vertex_code, sizeof(vertex_code)),
       .pName = "main"},
      {.sType = VK_STRUCTURE_TYPE_PIPELINE_SHADER_STAGE_CREATE_INFO,
       .stage = VK_SHADER_STAGE_FRAGMENT_BIT,
       .module = vkx_shader_create(&oit->vkx, fragment_codes[kind][oit->interlock].code,
                                   fragment_codes[kind][oit->interlock].size),
       .pName = "main",
       .pSpecializationInfo = &constants},
   };
   const VkViewport viewport = {-1024, -1024, 4096, 4096, 0, 1};
   const VkRect2D scissor = {{0, 0}, {oit->setup.width, oit->setup.height}};
   const VkGraphicsPipelineCreateInfo info = {
      .sType = VK_STRUCTURE_TYPE_GRAPHICS_PIPELINE_CREATE_INFO,
      .stageCount = 2,
      .pStages = stages,
      .pVertexInputState =
         &(VkPipelineVertexInputStateCreateInfo){.sType = VK_STRUCTURE_TYPE_PIPELINE_VERTEX_INPUT_STATE_CREATE_INFO,
                                                 .vertexBindingDescriptionCount = 1,
                                                 .pVertexBindingDescriptions = &vertex_binding,
                                                 .vertexAttributeDescriptionCount = 3,
                                                 .pVertexAttributeDescriptions = vertex_attributes},
      .pInputAssemblyState = &(
         VkPipelineInputAssemblyStateCreateInfo){.sType = VK_STRUCTURE_TYPE_PIPELINE_INPUT_ASSEMBLY_STATE_CREATE_INFO,
                                                 .topology = VK_PRIMITIVE_TOPOLOGY_TRIANGLE_LIST},
      .pViewportState =
         &(VkPipelineViewportStateCreateInfo){.sType = VK_STRUCTURE_TYPE_PIPELINE_VIEWPORT_STATE_CREATE_INFO,
                                              .viewportCount = 1,
                                              .pViewports = &viewport,
                                              .scissorCount = 1,
                                              .pScissors = &scissor},
      .pRasterizationState =
         &(VkPipelineRasterizationStateCreateInfo){
            .sType = VK_STRUCTURE_TYPE_PIPELINE_RASTERIZATION_STATE_CREATE_INFO, .lineWidth = 1},
      .pMultisampleState =
         &(VkPipelineMultisampleStateCreateInfo){.sType = VK_STRUCTURE_TYPE_PIPELINE_MULTISAMPLE_STATE_CREATE_INFO,
                                                 .rasterizationSamples = (VkSampleCountFlagBits)oit->setup.samples},
      .layout = oit->layout,
      .renderPass = oit->pass,
   };
   VkPipeline pipeline;

   vkx_check(vkCreateGraphicsPipelines(oit->vkx.device, VK_NULL_HANDLE, 1, &info, NULL, &pipeline),
             "vkCreateGraphicsPipelines");
   vkDestroyShaderModule(oit->vkx.device, stages[0].module, NULL);
   vkDestroyShaderModule(oit->vkx.device, stages[1].module, NULL);
   return pipeline;
}

static void
dispatch(struct oit *oit, VkCommandBuffer cmd, VkPipeline pipeline)
{
   vkCmdBindPipeline(cmd, VK_PIPELINE_BIND_POINT_COMPUTE, pipeline);
   vkCmdBindDescriptorSets(cmd, VK_PIPELINE_BIND_POINT_COMPUTE, oit->layout, 0, 1, &oit->set, 0, NULL);
   vkCmdDispatch(cmd, (oit->setup.width * oit->setup.height + 63) / 64, 1, 1);
}

/* Clear, draw, resolve; returns the seconds of the draw's submission. */
static double
render(struct oit *oit)
{
   const VkShaderStageFlags stages = VK_SHADER_STAGE_FRAGMENT_BIT | VK_SHADER_STAGE_COMPUTE_BIT;
   const VkRenderPassBeginInfo begin = {.sType = VK_STRUCTURE_TYPE_RENDER_PASS_BEGIN_INFO,
                                        .renderPass = oit->pass,
                                        .framebuffer = oit->framebuffer,
                                        .renderArea = {{0, 0}, {oit->setup.width, oit->setup.height}}};
   const uint32_t size[2] = {oit->setup.width, oit->setup.height};
   const VkDeviceSize zero = 0;
   VkCommandBuffer cmd = vkx_begin(&oit->vkx);
   double start = vkx_seconds();

   vkCmdPushConstants(cmd, oit->layout, stages, 0, sizeof(size), size);
   dispatch(oit, cmd, oit->clear);
   vkx_memory_barrier(cmd, VK_PIPELINE_STAGE_COMPUTE_SHADER_BIT, VK_ACCESS_SHADER_WRITE_BIT,
                      VK_PIPELINE_STAGE_FRAGMENT_SHADER_BIT, VK_ACCESS_SHADER_READ_BIT | VK_ACCESS_SHADER_WRITE_BIT);
   vkCmdBeginRenderPass(cmd, &begin, VK_SUBPASS_CONTENTS_INLINE);
   vkCmdBindPipeline(cmd, VK_PIPELINE_BIND_POINT_GRAPHICS, oit->draw);
   vkCmdBindDescriptorSets(cmd, VK_PIPELINE_BIND_POINT_GRAPHICS, oit->layout, 0, 1, &oit->set, 0, NULL);
   vkCmdBindVertexBuffers(cmd, 0, 1, &oit->vertices.buffer, &zero);
   vkCmdDraw(cmd, 3 * oit->setup.triangles, 1, 0, 0);
   vkCmdEndRenderPass(cmd);
   vkx_memory_barrier(cmd, VK_PIPELINE_STAGE_FRAGMENT_SHADER_BIT, VK_ACCESS_SHADER_WRITE_BIT,
                      VK_PIPELINE_STAGE_COMPUTE_SHADER_BIT, VK_ACCESS_SHADER_READ_BIT);
   dispatch(oit, cmd, oit->resolve);
   vkx_memory_barrier(cmd, VK_PIPELINE_STAGE_COMPUTE_SHADER_BIT, VK_ACCESS_SHADER_WRITE_BIT,
                      VK_PIPELINE_STAGE_HOST_BIT, VK_ACCESS_HOST_READ_BIT);
   vkx_submit_and_wait(&oit->vkx, cmd);
   return vkx_seconds() - start;
}

static void
write_picture(const struct oit *oit, const char *path)
{
   const uint32_t *words = oit->picture.map;
   uint32_t pixels = oit->setup.width * oit->setup.height, *rgba = malloc((size_t)pixels * 4);

   for (uint32_t i = 0; i < pixels; i++)
      rgba[i] = words[2 * i];
   vkx_write_png(path, oit->setup.width, oit->setup.height, rgba);
   free(rgba);
}

/* How many pixels are not what they must be, in the picture or in any of their words. */
static uint32_t
check(const struct oit *oit, const struct oit_vertex *vertices)
{
   const uint32_t *words = oit->picture.map;
   uint32_t *expected = oit_reference(&oit->setup, vertices), wrong = 0;

   for (uint32_t i = 0; i < oit->setup.width * oit->setup.height; i++)
      wrong += words[2 * i] != expected[2 * i] || words[2 * i + 1] != expected[2 * i + 1];
   free(expected);
   return wrong;
}

static void
create(struct oit *oit, const struct oit_vertex *vertices)
{
   create_device(oit);
   create_buffers(oit, vertices);
   if (oit->setup.textured)
      create_texture(oit);
   create_set(oit);
   create_pass(oit);
   oit->clear = create_compute(oit, clear_code, sizeof(clear_code));
   oit->resolve = create_compute(oit, resolve_code, sizeof(resolve_code));
   oit->draw = create_draw(oit);
}

static void
destroy(struct oit *oit)
{
   VkDevice device = oit->vkx.device;

   vkDestroyPipeline(device, oit->draw, NULL);
   vkDestroyPipeline(device, oit->resolve, NULL);
   vkDestroyPipeline(device, oit->clear, NULL);
   vkDestroyFramebuffer(device, oit->framebuffer, NULL);
   vkDestroyRenderPass(device, oit->pass, NULL);
   vkDestroyPipelineLayout(device, oit->layout, NULL);
   vkDestroyDescriptorPool(device, oit->descriptor_pool, NULL);
   vkDestroyDescriptorSetLayout(device, oit->set_layout, NULL);
   if (oit->setup.textured) {
      vkDestroySampler(device, oit->sampler, NULL);
      vkx_image_destroy(&oit->vkx, &oit->texture);
   }
   vkx_buffer_destroy(&oit->vkx, &oit->picture);
   vkx_buffer_destroy(&oit->vkx, &oit->words);
   vkx_buffer_destroy(&oit->vkx, &oit->vertices);
   vkx_destroy(&oit->vkx);
}

int
main(int argc, char **argv)
{
   static const char *const names[INTERLOCKS] = {"pixel interlock", "sample interlock", "no interlock"};
   struct oit oit = parse(argc, argv);
   struct oit_vertex *vertices = oit_scene(&oit.setup);
   const char *path = vkx_option(argc, argv, "--out", NULL);
   uint32_t wrong = 0;

   create(&oit, vertices);
   double seconds = render(&oit);
   printf("%u triangles, %ux%u, %u sample%s, %s%s%s: %.2f s\n", oit.setup.triangles, oit.setup.width,
          oit.setup.height, oit.setup.samples, oit.setup.samples > 1 ? "s" : "", names[oit.interlock],
          oit.setup.kbuffer ? ", k-buffer" : "", oit.setup.textured ? ", textured" : "", seconds);
   if (path)
      write_picture(&oit, path);
   if (has_flag(argc, argv, "--check")) {
      wrong = check(&oit, vertices);
      printf("%u wrong pixels\n", wrong);
   }
   destroy(&oit);
   free(vertices);
   return wrong ? 1 : 0;
}
