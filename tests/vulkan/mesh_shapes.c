/* Mesh and task shaders: a grid of cells whose squares a mesh shader makes, by workgroups of several sizes, from task
 * shaders with a payload, and by indirect draws. Every pixel's colour follows from its place. */
#include <stdio.h>
#include <string.h>

#include "vkt_draw.h"

static const uint32_t task_code[] = {
#include "mesh_tasks.task.inc"
};
static const uint32_t small_code[] = {
#include "mesh_shapes_32.mesh.inc"
};
static const uint32_t large_code[] = {
#include "mesh_shapes_128.mesh.inc"
};
static const uint32_t tasked_code[] = {
#include "mesh_shapes_tasks.mesh.inc"
};
static const uint32_t fragment_code[] = {
#include "mesh_shapes.frag.inc"
};

enum { COLUMNS = 20, ROWS = 16, CELL_PX = 8, PARTS = 4, WIDTH = COLUMNS * CELL_PX, HEIGHT = ROWS * CELL_PX };

static struct vkx vkx;
static VkPipelineLayout layout;
static struct vkt_target target;

enum draw { DIRECT, INDIRECT, INDIRECT_COUNT };

static VkPipeline
create_pipeline(bool tasks, struct vkt_code mesh)
{
   const struct vkt_code codes[3] = {VKT_CODE(fragment_code), mesh, VKT_CODE(task_code)};
   static const VkShaderStageFlagBits stages[3] = {VK_SHADER_STAGE_FRAGMENT_BIT, VK_SHADER_STAGE_MESH_BIT_EXT,
                                                   VK_SHADER_STAGE_TASK_BIT_EXT};
   static const VkDynamicState dynamic[2] = {VK_DYNAMIC_STATE_VIEWPORT, VK_DYNAMIC_STATE_SCISSOR};
   const uint32_t count = tasks ? 3 : 2;
   VkPipelineShaderStageCreateInfo list[3];
   for (uint32_t i = 0; i < count; i++)
      list[i] = (VkPipelineShaderStageCreateInfo){
         .sType = VK_STRUCTURE_TYPE_PIPELINE_SHADER_STAGE_CREATE_INFO,
         .stage = stages[i],
         .module = vkx_shader_create(&vkx, codes[i].words, codes[i].size_B),
         .pName = "main",
      };
   const VkPipelineViewportStateCreateInfo viewport = {
      .sType = VK_STRUCTURE_TYPE_PIPELINE_VIEWPORT_STATE_CREATE_INFO, .viewportCount = 1, .scissorCount = 1};
   const VkPipelineRasterizationStateCreateInfo raster = {
      .sType = VK_STRUCTURE_TYPE_PIPELINE_RASTERIZATION_STATE_CREATE_INFO, .lineWidth = 1};
   const VkPipelineMultisampleStateCreateInfo samples = {.sType =
                                                            VK_STRUCTURE_TYPE_PIPELINE_MULTISAMPLE_STATE_CREATE_INFO,
                                                         .rasterizationSamples = VK_SAMPLE_COUNT_1_BIT};
   const VkPipelineColorBlendAttachmentState attachment = {.colorWriteMask = 0xf};
   const VkPipelineColorBlendStateCreateInfo blend = {.sType =
                                                         VK_STRUCTURE_TYPE_PIPELINE_COLOR_BLEND_STATE_CREATE_INFO,
                                                      .attachmentCount = 1,
                                                      .pAttachments = &attachment};
   const VkPipelineDynamicStateCreateInfo dynamics = {.sType = VK_STRUCTURE_TYPE_PIPELINE_DYNAMIC_STATE_CREATE_INFO,
                                                      .dynamicStateCount = 2,
                                                      .pDynamicStates = dynamic};
   const VkGraphicsPipelineCreateInfo info = {.sType = VK_STRUCTURE_TYPE_GRAPHICS_PIPELINE_CREATE_INFO,
                                              .stageCount = count,
                                              .pStages = list,
                                              .pViewportState = &viewport,
                                              .pRasterizationState = &raster,
                                              .pMultisampleState = &samples,
                                              .pColorBlendState = &blend,
                                              .pDynamicState = &dynamics,
                                              .layout = layout,
                                              .renderPass = target.pass};
   VkPipeline pipeline;
   vkx_check(vkCreateGraphicsPipelines(vkx.device, VK_NULL_HANDLE, 1, &info, NULL, &pipeline), "mesh pipeline");
   for (uint32_t i = 0; i < count; i++)
      vkDestroyShaderModule(vkx.device, list[i].module, NULL);
   return pipeline;
}

/* Is the row drawn in this column? */
static bool
has_row(bool tasks, uint32_t x, uint32_t y)
{
   bool found = !tasks;
   for (uint32_t i = 0; i < x % 17 && tasks; i++)
      found |= (i * 5 + x) % ROWS == y;
   return found;
}

static uint32_t
expected(bool tasks, uint32_t x_px, uint32_t y_px)
{
   const uint32_t x = x_px / CELL_PX, y = y_px / CELL_PX, size_px = CELL_PX / PARTS;
   const uint32_t sx = x_px % CELL_PX / size_px, sy = y_px % CELL_PX / size_px, square = sy * PARTS + sx;
   if (square % 2 || !has_row(tasks, x, y))
      return 0;
   return (x * 8 + sy * (PARTS + 1) + sx) | square << 8 | (y * 8 + square) << 16 | 1u << 24;
}

static void
record(VkCommandBuffer cmd, VkPipeline pipeline, enum draw draw, bool tasks, const struct vkx_buffer *arguments)
{
   const uint32_t constants[2] = {COLUMNS, ROWS};
   vkt_target_begin(cmd, &target, target.pass, VK_SUBPASS_CONTENTS_INLINE);
   vkCmdBindPipeline(cmd, VK_PIPELINE_BIND_POINT_GRAPHICS, pipeline);
   vkCmdPushConstants(cmd, layout, VK_SHADER_STAGE_MESH_BIT_EXT, 0, sizeof(constants), constants);
   if (draw == DIRECT)
      VKT_PROC(&vkx, vkCmdDrawMeshTasksEXT)(cmd, COLUMNS, tasks ? 1 : ROWS, 1);
   else if (draw == INDIRECT)
      VKT_PROC(&vkx, vkCmdDrawMeshTasksIndirectEXT)(cmd, arguments->buffer, 16, 1, 12);
   else
      VKT_PROC(&vkx, vkCmdDrawMeshTasksIndirectCountEXT)(cmd, arguments->buffer, 16, arguments->buffer, 0, 4, 12);
   vkCmdEndRenderPass(cmd);
}

static void
test(const char *name, bool tasks, struct vkt_code mesh, enum draw draw)
{
   struct vkx_buffer arguments = vkt_buffer_create(&vkx, 64, 0),
                     pixels = vkt_buffer_create(&vkx, 4 * WIDTH * HEIGHT, 1);
   const uint32_t words[] = {1, 0, 0, 0, COLUMNS, tasks ? 1 : ROWS, 1};
   memcpy(arguments.map, words, sizeof(words));
   VkPipeline pipeline = create_pipeline(tasks, mesh);
   VkCommandBuffer cmd = vkx_begin(&vkx);
   record(cmd, pipeline, draw, tasks, &arguments);
   vkx_submit_and_wait(&vkx, cmd);
   vkt_read(&vkx, &target.color, VK_IMAGE_ASPECT_COLOR_BIT, 0, &pixels);
   const uint32_t *found = pixels.map;
   uint32_t wrong = 0, first = 0;
   for (uint32_t i = WIDTH * HEIGHT; i-- > 0;) {
      if (found[i] != expected(tasks, i % WIDTH, i / WIDTH))
         wrong++, first = i;
   }
   vkt_expect(!wrong, "%s: %u pixels, the first at (%u, %u) is %08x, not %08x", name, wrong, first % WIDTH,
              first / WIDTH, found[first], expected(tasks, first % WIDTH, first / WIDTH));
   vkDestroyPipeline(vkx.device, pipeline, NULL);
   vkx_buffer_destroy(&vkx, &arguments);
   vkx_buffer_destroy(&vkx, &pixels);
}

int
main(void)
{
   vkt_mesh_shaders = true;
   vkx = vkt_create("mesh_shapes");
   if (!vkt_has("VK_EXT_mesh_shader") || !vkt_has("VK_KHR_spirv_1_4")) {
      vkt_skip("VK_EXT_mesh_shader");
      vkx_destroy(&vkx);
      return 77;
   }
   const VkPushConstantRange range = {VK_SHADER_STAGE_MESH_BIT_EXT, 0, 8};
   const VkPipelineLayoutCreateInfo info = {.sType = VK_STRUCTURE_TYPE_PIPELINE_LAYOUT_CREATE_INFO,
                                            .pushConstantRangeCount = 1,
                                            .pPushConstantRanges = &range};
   vkx_check(vkCreatePipelineLayout(vkx.device, &info, NULL, &layout), "layout");
   target = vkt_target_create(&vkx, VK_FORMAT_R8G8B8A8_UINT, VK_FORMAT_UNDEFINED, (VkExtent2D){WIDTH, HEIGHT}, 1,
                              VK_SAMPLE_COUNT_1_BIT);
   static const char *const draws[] = {[DIRECT] = "direct", [INDIRECT] = "indirect", [INDIRECT_COUNT] = "counted"};
   for (enum draw draw = DIRECT; draw <= INDIRECT_COUNT; draw++) {
      char name[64];
      snprintf(name, sizeof(name), "small groups, %s", draws[draw]);
      test(name, false, VKT_CODE(small_code), draw);
      snprintf(name, sizeof(name), "large groups, %s", draws[draw]);
      test(name, false, VKT_CODE(large_code), draw);
      snprintf(name, sizeof(name), "tasks, %s", draws[draw]);
      test(name, true, VKT_CODE(tasked_code), draw);
   }
   vkt_target_destroy(&vkx, &target);
   vkDestroyPipelineLayout(vkx.device, layout, NULL);
   return vkt_finish(&vkx);
}
