/* Pipelines linked from libraries: vertex formats and colour formats are known to other parts than the shaders, which
 * drivers compile without them. Rectangles in formats of all kinds; their pixels follow from the vertices. */
#include <stdio.h>
#include <string.h>

#include "vkt_draw.h"

static const uint32_t vertex_code[] = {
#include "libraries.vert.inc"
};
static const uint32_t fragment_code[] = {
#include "libraries.frag.inc"
};

enum { SIZE = 16, FIRST = 4, LAST = 12, PARTS = 4 }; /* px */

static struct vkx vkx;
static VkPipelineLayout layout;

/* Places are halves of clip space, colours quarters and eighths: exact in every format here. */
static const struct input {
   VkFormat place, color;
   uint32_t place_B, color_B;
   uint8_t half[4], color_bytes[16]; /* +0.5 in the place's format, (1, 0, 1, 1) or (0.25, 0.5, 0.75, 1) */
   float rgba[4];
} inputs[] = {
   {VK_FORMAT_R32G32_SFLOAT,
    VK_FORMAT_R32G32B32A32_SFLOAT,
    4,
    16,
    {0, 0, 0, 0x3f},
    {0, 0, 0x80, 0x3e, 0, 0, 0, 0x3f, 0, 0, 0x40, 0x3f, 0, 0, 0x80, 0x3f},
    {0.25f, 0.5f, 0.75f, 1}},
   {VK_FORMAT_R16G16_SFLOAT,
    VK_FORMAT_R16G16B16A16_SFLOAT,
    2,
    8,
    {0, 0x38},
    {0, 0x34, 0, 0x38, 0, 0x3a, 0, 0x3c},
    {0.25f, 0.5f, 0.75f, 1}},
   {VK_FORMAT_R16G16_SFLOAT, VK_FORMAT_R8G8B8A8_UNORM, 2, 4, {0, 0x38}, {255, 0, 255, 255}, {1, 0, 1, 1}},
   {VK_FORMAT_R16G16_SFLOAT, VK_FORMAT_B8G8R8A8_UNORM, 2, 4, {0, 0x38}, {255, 0, 0, 255}, {0, 0, 1, 1}},
   {VK_FORMAT_R32G32_SFLOAT,
    VK_FORMAT_A2B10G10R10_UNORM_PACK32,
    4,
    4,
    {0, 0, 0, 0x3f},
    {0xff, 0x03, 0xf0, 0xff},
    {1, 0, 1, 1}},
   {VK_FORMAT_R32G32_SFLOAT, VK_FORMAT_R8G8_SNORM, 4, 2, {0, 0, 0, 0x3f}, {127, 0}, {1, 0, 0, 1}},
};

static const struct output {
   VkFormat format;
   uint32_t size_B;
   bool floats, blends; /* blends: twice one on the other */
} outputs[] = {
   {VK_FORMAT_R32G32B32A32_SFLOAT, 16, true, false},
   {VK_FORMAT_R32G32B32A32_SFLOAT, 16, true, true},
   {VK_FORMAT_R8G8B8A8_UNORM, 4, false, false},
};

/* Of a vertex: two of place, then colour; where both start at multiples of a float's size. */
static uint32_t
stride_B(const struct input *input)
{
   return (2 * input->place_B + input->color_B + 3) & ~3u;
}

static VkPipeline
create(const VkGraphicsPipelineCreateInfo *info, VkGraphicsPipelineLibraryFlagsEXT part)
{
   VkGraphicsPipelineLibraryCreateInfoEXT library = {
      .sType = VK_STRUCTURE_TYPE_GRAPHICS_PIPELINE_LIBRARY_CREATE_INFO_EXT, .flags = part};
   VkGraphicsPipelineCreateInfo more = *info;
   if (part) {
      more.pNext = &library;
      more.flags |= VK_PIPELINE_CREATE_LIBRARY_BIT_KHR;
   }
   VkPipeline pipeline;
   vkx_check(vkCreateGraphicsPipelines(vkx.device, VK_NULL_HANDLE, 1, &more, NULL, &pipeline), "library");
   return pipeline;
}

static VkPipelineShaderStageCreateInfo
stage_of(VkShaderStageFlagBits stage, struct vkt_code code)
{
   return (VkPipelineShaderStageCreateInfo){.sType = VK_STRUCTURE_TYPE_PIPELINE_SHADER_STAGE_CREATE_INFO,
                                            .stage = stage,
                                            .module = vkx_shader_create(&vkx, code.words, code.size_B),
                                            .pName = "main"};
}

/* The four parts, and the pipeline that is linked from them last. */
static void
link_pipeline(VkPipeline list[PARTS + 1], const struct input *input, const struct output *output, VkRenderPass pass)
{
   /* size: one structure a state */
   const VkVertexInputBindingDescription binding = {0, stride_B(input), VK_VERTEX_INPUT_RATE_VERTEX};
   const VkVertexInputAttributeDescription attributes[2] = {{0, 0, input->place, 0},
                                                            {1, 0, input->color, 2 * input->place_B}};
   const VkPipelineVertexInputStateCreateInfo vertices = {
      .sType = VK_STRUCTURE_TYPE_PIPELINE_VERTEX_INPUT_STATE_CREATE_INFO,
      .vertexBindingDescriptionCount = 1,
      .pVertexBindingDescriptions = &binding,
      .vertexAttributeDescriptionCount = 2,
      .pVertexAttributeDescriptions = attributes};
   const VkPipelineInputAssemblyStateCreateInfo assembly = {
      .sType = VK_STRUCTURE_TYPE_PIPELINE_INPUT_ASSEMBLY_STATE_CREATE_INFO,
      .topology = VK_PRIMITIVE_TOPOLOGY_TRIANGLE_STRIP};
   const VkPipelineViewportStateCreateInfo viewport = {
      .sType = VK_STRUCTURE_TYPE_PIPELINE_VIEWPORT_STATE_CREATE_INFO, .viewportCount = 1, .scissorCount = 1};
   const VkPipelineRasterizationStateCreateInfo raster = {
      .sType = VK_STRUCTURE_TYPE_PIPELINE_RASTERIZATION_STATE_CREATE_INFO, .lineWidth = 1};
   const VkPipelineMultisampleStateCreateInfo samples = {.sType =
                                                            VK_STRUCTURE_TYPE_PIPELINE_MULTISAMPLE_STATE_CREATE_INFO,
                                                         .rasterizationSamples = VK_SAMPLE_COUNT_1_BIT};
   const VkPipelineDepthStencilStateCreateInfo depth = {
      .sType = VK_STRUCTURE_TYPE_PIPELINE_DEPTH_STENCIL_STATE_CREATE_INFO};
   const VkPipelineColorBlendAttachmentState attachment = {
      output->blends,      VK_BLEND_FACTOR_ONE, VK_BLEND_FACTOR_ONE, VK_BLEND_OP_ADD,
      VK_BLEND_FACTOR_ONE, VK_BLEND_FACTOR_ONE, VK_BLEND_OP_ADD,     0xf};
   const VkPipelineColorBlendStateCreateInfo blend = {.sType =
                                                         VK_STRUCTURE_TYPE_PIPELINE_COLOR_BLEND_STATE_CREATE_INFO,
                                                      .attachmentCount = 1,
                                                      .pAttachments = &attachment};
   static const VkDynamicState dynamic[2] = {VK_DYNAMIC_STATE_VIEWPORT, VK_DYNAMIC_STATE_SCISSOR};
   const VkPipelineDynamicStateCreateInfo dynamics = {.sType = VK_STRUCTURE_TYPE_PIPELINE_DYNAMIC_STATE_CREATE_INFO,
                                                      .dynamicStateCount = 2,
                                                      .pDynamicStates = dynamic};
   const VkPipelineShaderStageCreateInfo stages[2] = {
      stage_of(VK_SHADER_STAGE_VERTEX_BIT, VKT_CODE(vertex_code)),
      stage_of(VK_SHADER_STAGE_FRAGMENT_BIT, VKT_CODE(fragment_code))};
   VkGraphicsPipelineCreateInfo info = {.sType = VK_STRUCTURE_TYPE_GRAPHICS_PIPELINE_CREATE_INFO,
                                        .pVertexInputState = &vertices,
                                        .pInputAssemblyState = &assembly};
   list[0] = create(&info, VK_GRAPHICS_PIPELINE_LIBRARY_VERTEX_INPUT_INTERFACE_BIT_EXT);
   info = (VkGraphicsPipelineCreateInfo){.sType = VK_STRUCTURE_TYPE_GRAPHICS_PIPELINE_CREATE_INFO,
                                         .stageCount = 1,
                                         .pStages = &stages[0],
                                         .pViewportState = &viewport,
                                         .pRasterizationState = &raster,
                                         .pDynamicState = &dynamics,
                                         .layout = layout,
                                         .renderPass = pass};
   list[1] = create(&info, VK_GRAPHICS_PIPELINE_LIBRARY_PRE_RASTERIZATION_SHADERS_BIT_EXT);
   info = (VkGraphicsPipelineCreateInfo){.sType = VK_STRUCTURE_TYPE_GRAPHICS_PIPELINE_CREATE_INFO,
                                         .stageCount = 1,
                                         .pStages = &stages[1],
                                         .pMultisampleState = &samples,
                                         .pDepthStencilState = &depth,
                                         .layout = layout,
                                         .renderPass = pass};
   list[2] = create(&info, VK_GRAPHICS_PIPELINE_LIBRARY_FRAGMENT_SHADER_BIT_EXT);
   info = (VkGraphicsPipelineCreateInfo){.sType = VK_STRUCTURE_TYPE_GRAPHICS_PIPELINE_CREATE_INFO,
                                         .pMultisampleState = &samples,
                                         .pColorBlendState = &blend,
                                         .renderPass = pass};
   list[3] = create(&info, VK_GRAPHICS_PIPELINE_LIBRARY_FRAGMENT_OUTPUT_INTERFACE_BIT_EXT);
   const VkPipelineLibraryCreateInfoKHR libraries = {
      .sType = VK_STRUCTURE_TYPE_PIPELINE_LIBRARY_CREATE_INFO_KHR, .libraryCount = PARTS, .pLibraries = list};
   info = (VkGraphicsPipelineCreateInfo){
      .sType = VK_STRUCTURE_TYPE_GRAPHICS_PIPELINE_CREATE_INFO, .pNext = &libraries, .layout = layout};
   list[PARTS] = create(&info, 0);
   for (unsigned i = 0; i < 2; i++)
      vkDestroyShaderModule(vkx.device, stages[i].module, NULL);
}

/* Four corners at plus and minus a half. */
static void
fill_vertices(uint8_t *to, const struct input *input)
{
   for (unsigned corner = 0; corner < 4; corner++) {
      for (unsigned axis = 0; axis < 2; axis++, to += input->place_B) {
         memcpy(to, input->half, input->place_B);
         to[input->place_B - 1] |= corner >> axis & 1 ? 0 : 0x80; /* the sign of a float */
      }
      memcpy(to, input->color_bytes, input->color_B);
      to += stride_B(input) - 2 * input->place_B;
   }
}

static bool
is_right(const uint8_t *pixel, const struct output *output, const float rgba[4], bool inside)
{
   bool right = true;
   for (unsigned c = 0; c < 4; c++) {
      float wanted = inside ? rgba[c] * (output->blends ? 2 : 1) : 0, found;
      memcpy(&found, pixel + (output->floats ? 4 * c : 0), 4);
      right &= output->floats ? found == wanted : pixel[c] + 0.5f >= wanted * 255 && pixel[c] - 0.5f <= wanted * 255;
   }
   return right;
}

static void
test(const struct input *input, const struct output *output)
{
   struct vkt_target target = vkt_target_create(&vkx, output->format, VK_FORMAT_UNDEFINED, (VkExtent2D){SIZE, SIZE},
                                                1, VK_SAMPLE_COUNT_1_BIT);
   struct vkx_buffer vertices = vkt_buffer_create(&vkx, 256, 0);
   struct vkx_buffer pixels = vkt_buffer_create(&vkx, SIZE * SIZE * output->size_B, 1);
   VkPipeline list[PARTS + 1];
   fill_vertices(vertices.map, input);
   link_pipeline(list, input, output, target.pass);
   VkCommandBuffer cmd = vkx_begin(&vkx);
   vkt_target_begin(cmd, &target, target.pass, VK_SUBPASS_CONTENTS_INLINE);
   vkCmdBindPipeline(cmd, VK_PIPELINE_BIND_POINT_GRAPHICS, list[PARTS]);
   vkCmdBindVertexBuffers(cmd, 0, 1, &vertices.buffer, &(VkDeviceSize){0});
   vkCmdDraw(cmd, 4, output->blends ? 2 : 1, 0, 0);
   vkCmdEndRenderPass(cmd);
   vkx_submit_and_wait(&vkx, cmd);
   vkt_read(&vkx, &target.color, VK_IMAGE_ASPECT_COLOR_BIT, 0, &pixels);
   unsigned wrong = 0;
   for (unsigned i = 0; i < SIZE * SIZE; i++) {
      bool inside = i % SIZE >= FIRST && i % SIZE < LAST && i / SIZE >= FIRST && i / SIZE < LAST;
      wrong += !is_right((const uint8_t *)pixels.map + i * output->size_B, output, input->rgba, inside);
   }
   vkt_expect(!wrong, "formats %d, %d to %d, blending %d: %u pixels", input->place, input->color, output->format,
              output->blends, wrong);
   for (unsigned i = 0; i <= PARTS; i++)
      vkDestroyPipeline(vkx.device, list[i], NULL);
   vkx_buffer_destroy(&vkx, &vertices);
   vkx_buffer_destroy(&vkx, &pixels);
   vkt_target_destroy(&vkx, &target);
}

int
main(void)
{
   vkt_libraries = true;
   vkx = vkt_create("libraries");
   if (!vkt_has("VK_EXT_graphics_pipeline_library")) {
      vkt_skip("VK_EXT_graphics_pipeline_library");
      vkx_destroy(&vkx);
      return 77;
   }
   const VkPipelineLayoutCreateInfo info = {.sType = VK_STRUCTURE_TYPE_PIPELINE_LAYOUT_CREATE_INFO};
   vkx_check(vkCreatePipelineLayout(vkx.device, &info, NULL, &layout), "layout");
   for (unsigned i = 0; i < sizeof(inputs) / sizeof(inputs[0]); i++)
      for (unsigned o = 0; o < sizeof(outputs) / sizeof(outputs[0]); o++)
         test(&inputs[i], &outputs[o]);
   vkDestroyPipelineLayout(vkx.device, layout, NULL);
   return vkt_finish(&vkx);
}
