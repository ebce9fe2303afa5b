/* One picture of many states: a grid of cells, each drawn with its own pipeline. Compared with another driver's
 * picture.
 *
 * states [--samples 1|4] [-o FILE.png] */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "render.h"

static const uint32_t vertex_code[] = {
#include "states.vert.inc"
};
static const uint32_t fragment_code[] = {
#include "states.frag.inc"
};

#define CELL_PX 40u
#define COLUMNS 16u
#define ROWS 10u
#define FORMAT_DS VK_FORMAT_D32_SFLOAT_S8_UINT

struct state_vertex {
   float position[4], color[4];
};

/* Shapes in the vertex buffer: a quad (strip), a star of triangles, a perspective quad, a quad beyond near and
 * far. */
static const struct state_vertex vertices[] = {
   {{-0.8f, -0.8f, 0.25f, 1}, {1, 0.2f, 0.1f, 0.9f}},
   {{0.8f, -0.8f, 0.75f, 1}, {0.1f, 0.9f, 0.3f, 0.7f}},
   {{-0.8f, 0.8f, 0.25f, 1}, {0.2f, 0.3f, 1, 0.5f}},
   {{0.8f, 0.8f, 0.75f, 1}, {0.9f, 0.8f, 0.2f, 0.3f}},
   {{-0.9f, -0.7f, 0.5f, 1}, {1, 1, 0, 1}},
   {{0.1f, -0.9f, 0.5f, 1}, {0, 1, 1, 1}},
   {{-0.3f, 0.1f, 0.5f, 1}, {1, 0, 1, 1}},
   {{0.2f, 0.9f, 0.5f, 1}, {1, 1, 1, 1}},
   {{0.9f, 0.3f, 0.5f, 1}, {0.2f, 0.4f, 0.6f, 1}},
   {{0.7f, -0.6f, 0.5f, 1}, {0.6f, 0.2f, 0.1f, 1}},
   {{-0.8f, -0.8f, 0.2f, 1}, {1, 0, 0, 1}},
   {{2.4f, -2.4f, 1.5f, 3}, {0, 1, 0, 1}},
   {{-0.8f, 0.8f, 0.2f, 1}, {0, 0, 1, 1}},
   {{2.4f, 2.4f, 1.5f, 3}, {1, 1, 0, 1}},
   {{-0.9f, -0.9f, -0.5f, 1}, {1, 0.5f, 0, 1}},
   {{0.9f, -0.9f, 0.5f, 1}, {0, 0.5f, 1, 1}},
   {{-0.9f, 0.9f, 0.5f, 1}, {0.5f, 1, 0, 1}},
   {{0.9f, 0.9f, 1.5f, 1}, {0.5f, 0, 1, 1}},
   {{-0.5f, -0.5f, 0.1f, 0.6f}, {1, 1, 1, 1}},
   {{0.9f, -0.4f, 0.1f, -0.4f}, {1, 0, 0, 1}},
   {{0.1f, 0.9f, 0.1f, 0.8f}, {0, 0.2f, 1, 1}},
};
enum shape { QUAD = 0, STAR = 4, PERSPECTIVE = 10, DEEP = 14, BEHIND = 18 };

static const uint16_t indices[] = {0, 1, 2, 0xffff, 3, 4, 5, 2, 1, 0, 5, 4, 3};

/* A cell: what differs from a plain opaque triangle strip. */
struct cell {
   enum shape shape;
   uint32_t vertices, instances;
   VkPrimitiveTopology topology;
   bool indexed, restart;
   int mode; /* specialization constant of the fragment shader */
   VkPipelineRasterizationStateCreateInfo raster;
   VkPipelineDepthStencilStateCreateInfo depth_stencil;
   VkPipelineColorBlendAttachmentState blend;
   bool logic_op_enable;
   VkLogicOp logic_op;
   bool alpha_to_coverage;
   VkSampleMask sample_mask;
   float tint[4];
   bool background; /* draws the opaque quad first */
};

static struct cell cells[COLUMNS * ROWS];
static uint32_t num_cells;

static struct cell *
add_cell(enum shape shape, uint32_t count, VkPrimitiveTopology topology)
{
   struct cell *cell = &cells[num_cells++];
   if (num_cells > COLUMNS * ROWS) {
      fprintf(stderr, "too many cells\n");
      exit(1);
   }
   *cell = (struct cell){
      .shape = shape,
      .vertices = count,
      .instances = 1,
      .topology = topology,
      .raster = {.sType = VK_STRUCTURE_TYPE_PIPELINE_RASTERIZATION_STATE_CREATE_INFO, .lineWidth = 1},
      .depth_stencil = {.sType = VK_STRUCTURE_TYPE_PIPELINE_DEPTH_STENCIL_STATE_CREATE_INFO},
      .blend = {.colorWriteMask = 0xf},
      .sample_mask = UINT32_MAX,
      .tint = {1, 1, 1, 1},
   };
   return cell;
}

static struct cell *
add_quad(bool background)
{
   struct cell *cell = add_cell(QUAD, 4, VK_PRIMITIVE_TOPOLOGY_TRIANGLE_STRIP);
   cell->background = background;
   return cell;
}

static void
add_geometry_cells(void)
{
   static const uint32_t counts[] = {6, 6, 6, 6, 6, 6};
   for (uint32_t topology = 0; topology <= VK_PRIMITIVE_TOPOLOGY_TRIANGLE_FAN; topology++) {
      add_cell(STAR, counts[topology], (VkPrimitiveTopology)topology);
      add_cell(STAR, counts[topology], (VkPrimitiveTopology)topology)->mode = 1;
   }
   struct cell *restart = add_cell(STAR, 13, VK_PRIMITIVE_TOPOLOGY_TRIANGLE_STRIP);
   restart->indexed = restart->restart = true;
   add_cell(STAR, 3, VK_PRIMITIVE_TOPOLOGY_TRIANGLE_LIST)->indexed = true;
   add_cell(STAR, 3, VK_PRIMITIVE_TOPOLOGY_TRIANGLE_LIST)->instances = 3;
   for (int mode = 0; mode <= 6; mode++)
      add_cell(PERSPECTIVE, 4, VK_PRIMITIVE_TOPOLOGY_TRIANGLE_STRIP)->mode = mode;
   add_cell(DEEP, 4, VK_PRIMITIVE_TOPOLOGY_TRIANGLE_STRIP);
   add_cell(BEHIND, 3, VK_PRIMITIVE_TOPOLOGY_TRIANGLE_LIST);
   add_quad(false)->tint[3] = -1; /* clip distance */
   for (uint32_t cull = 0; cull < 4; cull++) {
      for (uint32_t front = 0; front < 2; front++) {
         struct cell *cell = add_cell(STAR, 6, VK_PRIMITIVE_TOPOLOGY_TRIANGLE_STRIP);
         cell->raster.cullMode = cull;
         cell->raster.frontFace = (VkFrontFace)front;
         cell->mode = 4;
      }
   }
}

static void
add_blend_cells(void)
{
   for (uint32_t factor = 0; factor <= VK_BLEND_FACTOR_SRC_ALPHA_SATURATE; factor++) {
      for (unsigned side = 0; side < 2; side++) {
         struct cell *cell = add_quad(true);
         cell->blend.blendEnable = VK_TRUE;
         cell->blend.srcColorBlendFactor = cell->blend.srcAlphaBlendFactor =
            side ? VK_BLEND_FACTOR_ONE : (VkBlendFactor)factor;
         cell->blend.dstColorBlendFactor = cell->blend.dstAlphaBlendFactor =
            side ? (VkBlendFactor)factor : VK_BLEND_FACTOR_ONE_MINUS_SRC_ALPHA;
      }
   }
   for (uint32_t op = 0; op <= VK_BLEND_OP_MAX; op++) {
      struct cell *cell = add_quad(true);
      cell->blend.blendEnable = VK_TRUE;
      cell->blend.srcColorBlendFactor = cell->blend.dstAlphaBlendFactor = VK_BLEND_FACTOR_SRC_ALPHA;
      cell->blend.dstColorBlendFactor = cell->blend.srcAlphaBlendFactor = VK_BLEND_FACTOR_ONE;
      cell->blend.colorBlendOp = (VkBlendOp)op;
      cell->blend.alphaBlendOp = (VkBlendOp)(VK_BLEND_OP_MAX - op);
   }
   for (uint32_t mask = 0; mask < 5; mask++)
      add_quad(true)->blend.colorWriteMask = mask == 4 ? 0 : 1u << mask;
   for (uint32_t op = 0; op <= VK_LOGIC_OP_SET; op++) {
      struct cell *cell = add_quad(true);
      cell->logic_op_enable = true;
      cell->logic_op = (VkLogicOp)op;
   }
   add_quad(true)->alpha_to_coverage = true;
   add_quad(true)->sample_mask = 0x5;
}

static void
add_depth_stencil_cells(void)
{
   for (uint32_t compare = 0; compare <= VK_COMPARE_OP_ALWAYS; compare++) {
      struct cell *cell = add_cell(PERSPECTIVE, 4, VK_PRIMITIVE_TOPOLOGY_TRIANGLE_STRIP);
      cell->background = true;
      cell->depth_stencil.depthTestEnable = cell->depth_stencil.depthWriteEnable = VK_TRUE;
      cell->depth_stencil.depthCompareOp = (VkCompareOp)compare;
   }
   struct cell *biased = add_quad(true);
   biased->depth_stencil.depthTestEnable = VK_TRUE;
   biased->depth_stencil.depthCompareOp = VK_COMPARE_OP_LESS;
   biased->raster.depthBiasEnable = VK_TRUE;
   biased->raster.depthBiasConstantFactor = -2;
   biased->raster.depthBiasSlopeFactor = -1;
   struct cell *exported = add_quad(true);
   exported->mode = 6;
   exported->depth_stencil.depthTestEnable = VK_TRUE;
   exported->depth_stencil.depthCompareOp = VK_COMPARE_OP_LESS;
   for (uint32_t i = 0; i < 8; i++) {
      const VkStencilOpState test = {.failOp = VK_STENCIL_OP_KEEP,
                                     .passOp = (VkStencilOp)i,
                                     .depthFailOp = VK_STENCIL_OP_INVERT,
                                     .compareOp = VK_COMPARE_OP_ALWAYS,
                                     .compareMask = 0xff,
                                     .writeMask = 0xff,
                                     .reference = 0x81};
      struct cell *cell = add_cell(STAR, 6, VK_PRIMITIVE_TOPOLOGY_TRIANGLE_STRIP);
      cell->background = true;
      cell->depth_stencil.stencilTestEnable = VK_TRUE;
      cell->depth_stencil.front = cell->depth_stencil.back = test;
      /* Made visible by a second draw that passes where the stencil value compares with 0x10. */
      cell = add_quad(true);
      cell->depth_stencil.stencilTestEnable = VK_TRUE;
      cell->depth_stencil.front = cell->depth_stencil.back = test;
      cell->depth_stencil.front.compareOp = cell->depth_stencil.back.compareOp = (VkCompareOp)i;
      cell->depth_stencil.front.reference = cell->depth_stencil.back.reference = 0x10;
   }
}

struct states {
   struct vkx vkx;
   VkExtent2D extent;
   VkSampleCountFlagBits samples;
   VkRenderPass pass;
   VkPipelineLayout layout;
};

static VkPipeline
create_pipeline(struct states *states, const struct cell *cell)
{
   /* size: one structure */
   const int mode = cell->mode;
   const VkSpecializationMapEntry entry = {0, 0, sizeof(mode)};
   const VkSpecializationInfo specialization = {1, &entry, sizeof(mode), &mode};
   const VkShaderModule modules[2] = {vkx_shader_create(&states->vkx, vertex_code, sizeof(vertex_code)),
                                      vkx_shader_create(&states->vkx, fragment_code, sizeof(fragment_code))};
   const VkPipelineShaderStageCreateInfo stages[2] = {
      {.sType = VK_STRUCTURE_TYPE_PIPELINE_SHADER_STAGE_CREATE_INFO,
       .stage = VK_SHADER_STAGE_VERTEX_BIT,
       .module = modules[0],
       .pName = "main"},
      {.sType = VK_STRUCTURE_TYPE_PIPELINE_SHADER_STAGE_CREATE_INFO,
       .stage = VK_SHADER_STAGE_FRAGMENT_BIT,
       .module = modules[1],
       .pName = "main",
       .pSpecializationInfo = &specialization},
   };
   const VkVertexInputBindingDescription binding = {0, sizeof(struct state_vertex), VK_VERTEX_INPUT_RATE_VERTEX};
   const VkVertexInputAttributeDescription attributes[2] = {
      {0, 0, VK_FORMAT_R32G32B32A32_SFLOAT, offsetof(struct state_vertex, position)},
      {1, 0, VK_FORMAT_R32G32B32A32_SFLOAT, offsetof(struct state_vertex, color)},
   };
   const VkDynamicState dynamic[2] = {VK_DYNAMIC_STATE_VIEWPORT, VK_DYNAMIC_STATE_SCISSOR};
   const VkGraphicsPipelineCreateInfo info = {
      .sType = VK_STRUCTURE_TYPE_GRAPHICS_PIPELINE_CREATE_INFO,
      .stageCount = 2,
      .pStages = stages,
      .pVertexInputState =
         &(VkPipelineVertexInputStateCreateInfo){.sType = VK_STRUCTURE_TYPE_PIPELINE_VERTEX_INPUT_STATE_CREATE_INFO,
                                                 .vertexBindingDescriptionCount = 1,
                                                 .pVertexBindingDescriptions = &binding,
                                                 .vertexAttributeDescriptionCount = 2,
                                                 .pVertexAttributeDescriptions = attributes},
      .pInputAssemblyState = &(
         VkPipelineInputAssemblyStateCreateInfo){.sType = VK_STRUCTURE_TYPE_PIPELINE_INPUT_ASSEMBLY_STATE_CREATE_INFO,
                                                 .topology = cell->topology,
                                                 .primitiveRestartEnable = cell->restart},
      .pViewportState =
         &(VkPipelineViewportStateCreateInfo){
            .sType = VK_STRUCTURE_TYPE_PIPELINE_VIEWPORT_STATE_CREATE_INFO, .viewportCount = 1, .scissorCount = 1},
      .pRasterizationState = &cell->raster,
      .pMultisampleState =
         &(VkPipelineMultisampleStateCreateInfo){.sType = VK_STRUCTURE_TYPE_PIPELINE_MULTISAMPLE_STATE_CREATE_INFO,
                                                 .rasterizationSamples = states->samples,
                                                 .alphaToCoverageEnable = cell->alpha_to_coverage,
                                                 .pSampleMask = &cell->sample_mask},
      .pDepthStencilState = &cell->depth_stencil,
      .pColorBlendState =
         &(VkPipelineColorBlendStateCreateInfo){.sType = VK_STRUCTURE_TYPE_PIPELINE_COLOR_BLEND_STATE_CREATE_INFO,
                                                .logicOpEnable = cell->logic_op_enable,
                                                .logicOp = cell->logic_op,
                                                .attachmentCount = 1,
                                                .pAttachments = &cell->blend,
                                                .blendConstants = {0.2f, 0.7f, 0.4f, 0.6f}},
      .pDynamicState =
         &(VkPipelineDynamicStateCreateInfo){.sType = VK_STRUCTURE_TYPE_PIPELINE_DYNAMIC_STATE_CREATE_INFO,
                                             .dynamicStateCount = 2,
                                             .pDynamicStates = dynamic},
      .layout = states->layout,
      .renderPass = states->pass,
   };
   VkPipeline pipeline;
   vkx_check(vkCreateGraphicsPipelines(states->vkx.device, VK_NULL_HANDLE, 1, &info, NULL, &pipeline),
             "vkCreateGraphicsPipelines");
   vkDestroyShaderModule(states->vkx.device, modules[0], NULL);
   vkDestroyShaderModule(states->vkx.device, modules[1], NULL);
   return pipeline;
}

static void
draw_cell(struct states *states, VkCommandBuffer cmd, uint32_t index, VkPipeline background, VkPipeline pipeline)
{
   const struct cell *cell = &cells[index];
   const uint32_t x = index % COLUMNS * CELL_PX, y = index / COLUMNS * CELL_PX;
   const VkViewport viewport = {(float)x, (float)y, CELL_PX, CELL_PX, 0, 1};
   const VkRect2D scissor = {{(int32_t)x + 1, (int32_t)y + 1}, {CELL_PX - 2, CELL_PX - 2}};
   const VkShaderStageFlags stage = VK_SHADER_STAGE_VERTEX_BIT;
   vkCmdSetViewport(cmd, 0, 1, &viewport);
   vkCmdSetScissor(cmd, 0, 1, &scissor);
   if (cell->background) {
      const float push[8] = {0.7f, -0.9f, 0.1f, 0, 0.8f, 0.6f, 0.9f, 0.8f};
      vkCmdBindPipeline(cmd, VK_PIPELINE_BIND_POINT_GRAPHICS, background);
      vkCmdPushConstants(cmd, states->layout, stage, 0, sizeof(push), push);
      vkCmdDraw(cmd, 4, 1, QUAD, 0);
   }
   float push[8] = {1, 1, 0, 0};
   memcpy(push + 4, cell->tint, sizeof(cell->tint));
   vkCmdBindPipeline(cmd, VK_PIPELINE_BIND_POINT_GRAPHICS, pipeline);
   vkCmdPushConstants(cmd, states->layout, stage, 0, sizeof(push), push);
   if (cell->indexed)
      vkCmdDrawIndexed(cmd, cell->vertices, cell->instances, cell->restart ? 0 : 7, (int32_t)cell->shape, 0);
   else
      vkCmdDraw(cmd, cell->vertices, cell->instances, cell->shape, 0);
}

/* Colour (multisampled), depth and stencil, and the resolved picture; the attachments of render_pass_create, but with
 * a stencil. */
static VkRenderPass
create_pass(struct vkx *vkx, VkSampleCountFlagBits samples)
{
   const bool resolved = samples != VK_SAMPLE_COUNT_1_BIT;
   const VkAttachmentDescription attachments[3] = {
      {.format = COLOR_FORMAT,
       .samples = samples,
       .loadOp = VK_ATTACHMENT_LOAD_OP_CLEAR,
       .storeOp = VK_ATTACHMENT_STORE_OP_STORE,
       .finalLayout = resolved ? VK_IMAGE_LAYOUT_COLOR_ATTACHMENT_OPTIMAL : VK_IMAGE_LAYOUT_TRANSFER_SRC_OPTIMAL},
      {.format = FORMAT_DS,
       .samples = samples,
       .loadOp = VK_ATTACHMENT_LOAD_OP_CLEAR,
       .storeOp = VK_ATTACHMENT_STORE_OP_DONT_CARE,
       .stencilLoadOp = VK_ATTACHMENT_LOAD_OP_CLEAR,
       .stencilStoreOp = VK_ATTACHMENT_STORE_OP_DONT_CARE,
       .finalLayout = VK_IMAGE_LAYOUT_DEPTH_STENCIL_ATTACHMENT_OPTIMAL},
      {.format = COLOR_FORMAT,
       .samples = VK_SAMPLE_COUNT_1_BIT,
       .loadOp = VK_ATTACHMENT_LOAD_OP_DONT_CARE,
       .storeOp = VK_ATTACHMENT_STORE_OP_STORE,
       .finalLayout = VK_IMAGE_LAYOUT_TRANSFER_SRC_OPTIMAL},
   };
   const VkAttachmentReference refs[3] = {{0, VK_IMAGE_LAYOUT_COLOR_ATTACHMENT_OPTIMAL},
                                          {1, VK_IMAGE_LAYOUT_DEPTH_STENCIL_ATTACHMENT_OPTIMAL},
                                          {2, VK_IMAGE_LAYOUT_COLOR_ATTACHMENT_OPTIMAL}};
   const VkSubpassDescription subpass = {.colorAttachmentCount = 1,
                                         .pColorAttachments = &refs[0],
                                         .pResolveAttachments = resolved ? &refs[2] : NULL,
                                         .pDepthStencilAttachment = &refs[1]};
   const VkSubpassDependency copy = {.srcSubpass = 0,
                                     .dstSubpass = VK_SUBPASS_EXTERNAL,
                                     .srcStageMask = VK_PIPELINE_STAGE_COLOR_ATTACHMENT_OUTPUT_BIT,
                                     .srcAccessMask = VK_ACCESS_COLOR_ATTACHMENT_WRITE_BIT,
                                     .dstStageMask = VK_PIPELINE_STAGE_TRANSFER_BIT,
                                     .dstAccessMask = VK_ACCESS_TRANSFER_READ_BIT};
   const VkRenderPassCreateInfo info = {.sType = VK_STRUCTURE_TYPE_RENDER_PASS_CREATE_INFO,
                                        .attachmentCount = resolved ? 3 : 2,
                                        .pAttachments = attachments,
                                        .subpassCount = 1,
                                        .pSubpasses = &subpass,
                                        .dependencyCount = 1,
                                        .pDependencies = &copy};
   VkRenderPass pass;
   vkx_check(vkCreateRenderPass(vkx->device, &info, NULL, &pass), "vkCreateRenderPass");
   return pass;
}

int
main(int argc, char **argv)
{
   /* size: a list of steps */
   struct states states = {.vkx = vkx_create("states"), .extent = {COLUMNS * CELL_PX, ROWS * CELL_PX}};
   struct vkx *vkx = &states.vkx;
   states.samples = (VkSampleCountFlagBits)atoi(vkx_option(argc, argv, "--samples", "1"));
   add_geometry_cells();
   add_blend_cells();
   add_depth_stencil_cells();
   states.pass = create_pass(vkx, states.samples);
   states.layout = vkx_pipeline_layout_create(vkx, VK_NULL_HANDLE, VK_SHADER_STAGE_VERTEX_BIT, 32);
   const VkImageUsageFlags color_usage = VK_IMAGE_USAGE_COLOR_ATTACHMENT_BIT;
   struct vkx_image picture =
      vkx_image_create(vkx, COLOR_FORMAT, states.extent, 1, VK_SAMPLE_COUNT_1_BIT,
                       color_usage | VK_IMAGE_USAGE_TRANSFER_SRC_BIT, VK_IMAGE_ASPECT_COLOR_BIT);
   struct vkx_image depth =
      vkx_image_create(vkx, FORMAT_DS, states.extent, 1, states.samples, VK_IMAGE_USAGE_DEPTH_STENCIL_ATTACHMENT_BIT,
                       VK_IMAGE_ASPECT_DEPTH_BIT | VK_IMAGE_ASPECT_STENCIL_BIT);
   struct vkx_image color =
      vkx_image_create(vkx, COLOR_FORMAT, states.extent, 1, states.samples, color_usage, VK_IMAGE_ASPECT_COLOR_BIT);
   const bool resolved = states.samples != VK_SAMPLE_COUNT_1_BIT;
   const VkImageView views[3] = {resolved ? color.view : picture.view, depth.view, picture.view};
   VkFramebuffer framebuffer = render_framebuffer_create(vkx, states.pass, resolved ? 3 : 2, views, states.extent);
   struct vkx_buffer vertex_buffer =
      vkx_buffer_create(vkx, sizeof(vertices), VK_BUFFER_USAGE_VERTEX_BUFFER_BIT, true);
   struct vkx_buffer index_buffer = vkx_buffer_create(vkx, sizeof(indices), VK_BUFFER_USAGE_INDEX_BUFFER_BIT, true);
   struct vkx_buffer pixels = vkx_buffer_create(vkx, 4ull * states.extent.width * states.extent.height,
                                                VK_BUFFER_USAGE_TRANSFER_DST_BIT, true);
   memcpy(vertex_buffer.map, vertices, sizeof(vertices));
   memcpy(index_buffer.map, indices, sizeof(indices));

   /* The background writes depth, and 0x10 into the stencil. */
   struct cell background_cell = *add_quad(false);
   num_cells--;
   background_cell.depth_stencil.depthTestEnable = background_cell.depth_stencil.depthWriteEnable = VK_TRUE;
   background_cell.depth_stencil.depthCompareOp = VK_COMPARE_OP_ALWAYS;
   background_cell.depth_stencil.stencilTestEnable = VK_TRUE;
   background_cell.depth_stencil.front = background_cell.depth_stencil.back =
      (VkStencilOpState){.passOp = VK_STENCIL_OP_REPLACE,
                         .compareOp = VK_COMPARE_OP_ALWAYS,
                         .compareMask = 0xff,
                         .writeMask = 0xff,
                         .reference = 0x10};
   VkPipeline background = create_pipeline(&states, &background_cell), pipelines[COLUMNS * ROWS];
   for (uint32_t i = 0; i < num_cells; i++)
      pipelines[i] = create_pipeline(&states, &cells[i]);

   const VkClearValue clears[2] = {{.color = {.float32 = {0.15f, 0.15f, 0.2f, 0.5f}}}, {.depthStencil = {1, 3}}};
   const VkRenderPassBeginInfo begin = {.sType = VK_STRUCTURE_TYPE_RENDER_PASS_BEGIN_INFO,
                                        .renderPass = states.pass,
                                        .framebuffer = framebuffer,
                                        .renderArea = {{0, 0}, states.extent},
                                        .clearValueCount = 2,
                                        .pClearValues = clears};
   VkCommandBuffer cmd = vkx_begin(vkx);
   vkCmdBeginRenderPass(cmd, &begin, VK_SUBPASS_CONTENTS_INLINE);
   vkCmdBindVertexBuffers(cmd, 0, 1, &vertex_buffer.buffer, &(VkDeviceSize){0});
   vkCmdBindIndexBuffer(cmd, index_buffer.buffer, 0, VK_INDEX_TYPE_UINT16);
   for (uint32_t i = 0; i < num_cells; i++)
      draw_cell(&states, cmd, i, background, pipelines[i]);
   vkCmdEndRenderPass(cmd);
   render_read_back(cmd, &picture, &pixels);
   vkx_submit_and_wait(vkx, cmd);
   printf("%u cells\n", num_cells);
   vkx_write_png(vkx_option(argc, argv, "-o", "states.png"), states.extent.width, states.extent.height, pixels.map);

   for (uint32_t i = 0; i < num_cells; i++)
      vkDestroyPipeline(vkx->device, pipelines[i], NULL);
   vkDestroyPipeline(vkx->device, background, NULL);
   vkDestroyPipelineLayout(vkx->device, states.layout, NULL);
   vkDestroyFramebuffer(vkx->device, framebuffer, NULL);
   vkDestroyRenderPass(vkx->device, states.pass, NULL);
   vkx_buffer_destroy(vkx, &vertex_buffer);
   vkx_buffer_destroy(vkx, &index_buffer);
   vkx_buffer_destroy(vkx, &pixels);
   vkx_image_destroy(vkx, &picture);
   vkx_image_destroy(vkx, &depth);
   vkx_image_destroy(vkx, &color);
   vkx_destroy(vkx);
   return 0;
}
