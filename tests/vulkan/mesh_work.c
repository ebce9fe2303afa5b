/* Work of task and mesh shaders: workgroups of several waves that meet at barriers while others only export; points
 * and lines in viewports, culled and clipped; many more tasks than their rings have entries, of several draws, behind
 * and in front of barriers, in secondary command buffers, and twice from one command buffer; tasks with private
 * memory and many sets, and behind conditions that secondaries inherit; meshes with private memory, and with more
 * outputs than fit into LDS. Every pixel is known. --quirks radv: mesh shaders behind task shaders may have another
 * number of the draw. */
#include <stdio.h>
#include <string.h>

#include "vkt_draw.h"

static const uint32_t task_code[] = {
#include "mesh_work.task.inc"
};
static const uint32_t private_code[] = {
#include "mesh_work_private.task.inc"
};
static const uint32_t mesh_code[] = {
#include "mesh_work.mesh.inc"
};
static const uint32_t private_mesh_code[] = {
#include "mesh_work_private.mesh.inc"
};
static const uint32_t waves_code[] = {
#include "mesh_work_waves.mesh.inc"
};
static const uint32_t points_code[] = {
#include "mesh_work_points.mesh.inc"
};
static const uint32_t lines_code[] = {
#include "mesh_work_lines.mesh.inc"
};
static const uint32_t large_code[] = {
#include "mesh_large_4096.mesh.inc"
};
static const uint32_t larger_code[] = {
#include "mesh_large_7168.mesh.inc"
};
static const uint32_t large_fragment_code[] = {
#include "mesh_large.frag.inc"
};
static const uint32_t fragment_code[] = {
#include "mesh_work.frag.inc"
};

enum { WIDTH = 128, HEIGHT = 16, SQUARES = 64, THREADS = 96, TASKS_X = WIDTH / 4, TASKS_Y = 8, DRAWS = 2, SETS = 7 };
enum { STAGES = VK_SHADER_STAGE_TASK_BIT_EXT | VK_SHADER_STAGE_MESH_BIT_EXT };

static struct vkx vkx;
static VkDescriptorSetLayout set_layout;
static VkPipelineLayout layout;
static struct vkt_target target;
static struct vkx_buffer pixels, counts, arguments;
static bool any_draw; /* --quirks radv */

struct scene {
   struct vkt_code task, mesh, fragment; /* fragment: none: mesh_work.frag */
   VkPrimitiveTopology topology;
   uint32_t viewports;
};

static VkPipeline
create_pipeline(const struct scene *scene)
{
   const struct vkt_code fragment = scene->fragment.words ? scene->fragment : VKT_CODE(fragment_code);
   return vkt_pipeline_create(&vkx, &(struct vkt_pipeline_info){.pass = target.pass,
                                                                .layout = layout,
                                                                .fragment = fragment,
                                                                .task = scene->task,
                                                                .mesh = scene->mesh,
                                                                .viewports = scene->viewports});
}

static void
bind(VkCommandBuffer cmd, VkPipeline pipeline)
{
   const uint32_t constants[3] = {WIDTH, HEIGHT, THREADS};
   const VkDescriptorSet set = vkt_set_create(&vkx, set_layout, VK_DESCRIPTOR_TYPE_STORAGE_BUFFER, &counts);
   vkCmdBindPipeline(cmd, VK_PIPELINE_BIND_POINT_GRAPHICS, pipeline);
   for (uint32_t i = 0; i < SETS; i++)
      vkCmdBindDescriptorSets(cmd, VK_PIPELINE_BIND_POINT_GRAPHICS, layout, i, 1, &set, 0, NULL);
   vkCmdPushConstants(cmd, layout, STAGES, 0, sizeof(constants), constants);
}

static void
compare(const char *name, uint32_t mask, uint32_t (*expected)(uint32_t x, uint32_t y))
{
   vkt_read(&vkx, &target.color, VK_IMAGE_ASPECT_COLOR_BIT, 0, &pixels);
   const uint32_t *found = pixels.map;
   uint32_t wrong = 0, first = 0;
   for (uint32_t i = WIDTH * HEIGHT; i-- > 0;) {
      if ((found[i] ^ expected(i % WIDTH, i / WIDTH)) & mask)
         wrong++, first = i;
   }
   vkt_expect(!wrong, "%s: %u pixels, the first at (%u, %u) is %08x, not %08x", name, wrong, first % WIDTH,
              first / WIDTH, found[first], expected(first % WIDTH, first / WIDTH));
}

/* ---- waves ---- */

static uint32_t
sum(uint32_t square)
{
   return square * (square + 1) / 2;
}

static uint32_t
in_waves(uint32_t x, uint32_t y)
{
   const uint32_t square = x / 2;
   return (sum(square) & 0xff) | (sum(THREADS - 1 - square) >> 4 & 0xff) << 8 | y / 2 << 16 | 1u << 24;
}

/* A workgroup for each row, or for two of them. */
static void
test_rows(const char *name, const struct scene *scene, uint32_t groups, uint32_t (*expected)(uint32_t x, uint32_t y))
{
   VkPipeline pipeline = create_pipeline(scene);
   VkCommandBuffer cmd = vkx_begin(&vkx);
   vkt_target_begin(cmd, &target, target.pass, VK_SUBPASS_CONTENTS_INLINE);
   bind(cmd, pipeline);
   VKT_PROC(&vkx, vkCmdDrawMeshTasksEXT)(cmd, 1, groups, 1);
   vkCmdEndRenderPass(cmd);
   vkx_submit_and_wait(&vkx, cmd);
   compare(name, UINT32_MAX, expected);
   vkDestroyPipeline(vkx.device, pipeline, NULL);
}

static uint32_t
in_place(uint32_t x, uint32_t y)
{
   return x << 8 | y << 16 | 1u << 24;
}

/* With less memory of its own only primitives fit into LDS, with more neither these nor vertices. */
static void
test_large(void)
{
   const struct vkt_code fragment = VKT_CODE(large_fragment_code);
   test_rows("large vertices", &(struct scene){.mesh = VKT_CODE(large_code), .fragment = fragment}, HEIGHT, in_place);
   test_rows("large outputs", &(struct scene){.mesh = VKT_CODE(larger_code), .fragment = fragment}, HEIGHT, in_place);
}

/* ---- points and lines ---- */

enum { KIND_PX = 32 };

static uint32_t
of_primitive(uint32_t x)
{
   const uint32_t i = x % KIND_PX, viewport = x / KIND_PX;
   return viewport > 1 || i % 2 ? 0 : (100 + i) | (200 - i) << 8 | viewport << 16 | (viewport + 1) << 24;
}

/* In the middle of a viewport of one row. */
static uint32_t
of_points(uint32_t x, uint32_t y)
{
   return y == 0 && x % KIND_PX < 24 ? of_primitive(x) : 0;
}

static uint32_t
of_lines(uint32_t x, uint32_t y)
{
   return y < HEIGHT / 2 ? of_primitive(x) : 0;
}

static void
test_kind(const char *name, struct vkt_code mesh, float height_px, uint32_t (*expected)(uint32_t x, uint32_t y))
{
   const VkViewport viewports[2] = {{0, 0, KIND_PX, height_px, 0, 1}, {KIND_PX, 0, KIND_PX, height_px, 0, 1}};
   const VkRect2D scissors[2] = {{{0, 0}, {WIDTH, HEIGHT}}, {{0, 0}, {WIDTH, HEIGHT}}};
   VkPipeline pipeline = create_pipeline(&(struct scene){.mesh = mesh, .viewports = 2});
   VkCommandBuffer cmd = vkx_begin(&vkx);
   vkt_target_begin(cmd, &target, target.pass, VK_SUBPASS_CONTENTS_INLINE);
   bind(cmd, pipeline);
   vkCmdSetViewport(cmd, 0, 2, viewports);
   vkCmdSetScissor(cmd, 0, 2, scissors);
   VKT_PROC(&vkx, vkCmdDrawMeshTasksEXT)(cmd, 2, 1, 1);
   vkCmdEndRenderPass(cmd);
   vkx_submit_and_wait(&vkx, cmd);
   compare(name, UINT32_MAX, expected);
   vkDestroyPipeline(vkx.device, pipeline, NULL);
}

/* ---- tasks ---- */

static uint32_t
meshes(uint32_t x, uint32_t y)
{
   return (x + y) % 64 * 5 % 4;
}

static uint32_t
of_tasks(uint32_t x, uint32_t y)
{
   const uint32_t mesh = x % 4;
   return mesh < meshes(x / 4, y) ? (mesh + 1) << 8 | (y / TASKS_Y + 1) << 16 | 1u << 24 : 0;
}

/* Direct draws have the number 0. */
static uint32_t
of_first_tasks(uint32_t x, uint32_t y)
{
   return y < TASKS_Y ? of_tasks(x, y) : 0;
}

/* What tasks read is written in front of them, and what they write is read behind them. */
static void
write_counts(VkCommandBuffer cmd)
{
   uint32_t words[4 + 64] = {0};
   for (uint32_t i = 0; i < 64; i++)
      words[4 + i] = i * 5 % 4;
   vkCmdUpdateBuffer(cmd, counts.buffer, 0, sizeof(words), words);
   const VkMemoryBarrier written = {.sType = VK_STRUCTURE_TYPE_MEMORY_BARRIER,
                                    .srcAccessMask = VK_ACCESS_TRANSFER_WRITE_BIT,
                                    .dstAccessMask = VK_ACCESS_SHADER_READ_BIT | VK_ACCESS_SHADER_WRITE_BIT};
   vkCmdPipelineBarrier(cmd, VK_PIPELINE_STAGE_TRANSFER_BIT, VK_PIPELINE_STAGE_TASK_SHADER_BIT_EXT, 0, 1, &written, 0,
                        NULL, 0, NULL);
}

static void
read_counts(VkCommandBuffer cmd)
{
   const VkMemoryBarrier written = {.sType = VK_STRUCTURE_TYPE_MEMORY_BARRIER,
                                    .srcAccessMask = VK_ACCESS_SHADER_WRITE_BIT,
                                    .dstAccessMask = VK_ACCESS_TRANSFER_READ_BIT};
   const VkBufferCopy copy = {0, 1024, 16};
   vkCmdPipelineBarrier(cmd, VK_PIPELINE_STAGE_TASK_SHADER_BIT_EXT, VK_PIPELINE_STAGE_TRANSFER_BIT, 0, 1, &written, 0,
                        NULL, 0, NULL);
   vkCmdCopyBuffer(cmd, counts.buffer, counts.buffer, 1, &copy);
}

static void
draw_tasks(VkCommandBuffer cmd, VkPipeline pipeline, bool indirect)
{
   bind(cmd, pipeline);
   if (indirect)
      VKT_PROC(&vkx, vkCmdDrawMeshTasksIndirectEXT)(cmd, arguments.buffer, 0, DRAWS, 16);
   else
      VKT_PROC(&vkx, vkCmdDrawMeshTasksEXT)(cmd, TASKS_X, TASKS_Y, 1);
}

static void
expect_counts(const char *name, uint32_t rows)
{
   const uint32_t *words = (const uint32_t *)counts.map + 256;
   uint32_t asked = 0;
   for (uint32_t y = 0; y < rows; y++) {
      for (uint32_t x = 0; x < TASKS_X; x++)
         asked += meshes(x, y);
   }
   vkt_expect(words[1] == asked && words[2] == TASKS_X * rows, "%s: %u tasks asked for %u meshes, not %u for %u",
              name, words[2], words[1], TASKS_X * rows, asked);
}

/* Each form twice from one command buffer. */
static void
test_tasks(const char *name, const struct scene *scene, bool indirect, bool secondary)
{
   VkPipeline pipeline = create_pipeline(scene);
   VkCommandBuffer cmd = vkx_begin(&vkx), inner = VK_NULL_HANDLE;
   if (secondary) {
      inner = vkt_secondary_begin(&vkx, &target, 0, false);
      draw_tasks(inner, pipeline, indirect);
      vkx_check(vkEndCommandBuffer(inner), "vkEndCommandBuffer");
   }
   for (uint32_t round = 0; round < 2; round++) {
      write_counts(cmd);
      vkt_target_begin(cmd, &target, target.pass,
                       secondary ? VK_SUBPASS_CONTENTS_SECONDARY_COMMAND_BUFFERS : VK_SUBPASS_CONTENTS_INLINE);
      if (secondary)
         vkCmdExecuteCommands(cmd, 1, &inner);
      else
         draw_tasks(cmd, pipeline, indirect);
      vkCmdEndRenderPass(cmd);
      read_counts(cmd);
   }
   vkx_submit_and_wait(&vkx, cmd);
   compare(name, any_draw ? 0xff00ffff : UINT32_MAX, indirect ? of_tasks : of_first_tasks);
   expect_counts(name, indirect ? HEIGHT : TASKS_Y);
   vkDestroyPipeline(vkx.device, pipeline, NULL);
}

/* ---- conditions ---- */

static VkCommandBuffer
begin_inheriting(void)
{
   static const VkCommandBufferInheritanceConditionalRenderingInfoEXT conditional = {
      .sType = VK_STRUCTURE_TYPE_COMMAND_BUFFER_INHERITANCE_CONDITIONAL_RENDERING_INFO_EXT,
      .conditionalRenderingEnable = VK_TRUE};
   const VkCommandBufferInheritanceInfo inheritance = {
      .sType = VK_STRUCTURE_TYPE_COMMAND_BUFFER_INHERITANCE_INFO, .pNext = &conditional, .renderPass = target.pass};
   const VkCommandBufferBeginInfo begin = {.sType = VK_STRUCTURE_TYPE_COMMAND_BUFFER_BEGIN_INFO,
                                           .flags = VK_COMMAND_BUFFER_USAGE_RENDER_PASS_CONTINUE_BIT,
                                           .pInheritanceInfo = &inheritance};
   const VkCommandBufferAllocateInfo info = {.sType = VK_STRUCTURE_TYPE_COMMAND_BUFFER_ALLOCATE_INFO,
                                             .commandPool = vkx.pool,
                                             .level = VK_COMMAND_BUFFER_LEVEL_SECONDARY,
                                             .commandBufferCount = 1};
   VkCommandBuffer cmd;
   vkx_check(vkAllocateCommandBuffers(vkx.device, &info, &cmd), "vkAllocateCommandBuffers");
   vkx_check(vkBeginCommandBuffer(cmd, &begin), "vkBeginCommandBuffer");
   vkt_set_viewport(cmd, target.extent);
   return cmd;
}

static uint32_t
of_none(uint32_t x, uint32_t y)
{
   return 0;
}

/* A secondary that inherits one, which says by the word whether it runs. words: NULL: the primary has none. */
static void
test_condition(VkPipeline pipeline, const struct vkx_buffer *words, uint32_t word, bool inverted)
{
   const bool runs = !words || (word != 0) != inverted;
   VkCommandBuffer cmd = vkx_begin(&vkx), inner = begin_inheriting();
   char name[64];
   snprintf(name, sizeof(name), "tasks by condition %u%s", word, inverted ? ", inverted" : "");
   draw_tasks(inner, pipeline, inverted);
   vkx_check(vkEndCommandBuffer(inner), "vkEndCommandBuffer");
   write_counts(cmd);
   if (words)
      vkt_begin_condition(&vkx, cmd, words, word, inverted);
   vkt_target_begin(cmd, &target, target.pass, VK_SUBPASS_CONTENTS_SECONDARY_COMMAND_BUFFERS);
   vkCmdExecuteCommands(cmd, 1, &inner);
   vkCmdEndRenderPass(cmd);
   if (words)
      VKT_PROC(&vkx, vkCmdEndConditionalRenderingEXT)(cmd);
   read_counts(cmd);
   vkx_submit_and_wait(&vkx, cmd);
   compare(name, any_draw ? 0xff00ffff : UINT32_MAX, !runs ? of_none : inverted ? of_tasks : of_first_tasks);
   expect_counts(name, !runs ? 0 : inverted ? HEIGHT : TASKS_Y);
}

static void
test_conditions(void)
{
   VkPhysicalDeviceConditionalRenderingFeaturesEXT has = {
      .sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_CONDITIONAL_RENDERING_FEATURES_EXT};
   VkPhysicalDeviceFeatures2 features = {.sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_FEATURES_2, .pNext = &has};
   if (vkt_has("VK_EXT_conditional_rendering"))
      vkGetPhysicalDeviceFeatures2(vkx.physical, &features);
   if (!has.inheritedConditionalRendering)
      return;
   VkPipeline pipeline = create_pipeline(&(struct scene){.task = VKT_CODE(task_code), .mesh = VKT_CODE(mesh_code)});
   struct vkx_buffer words = vkx_buffer_create(&vkx, 8, VK_BUFFER_USAGE_CONDITIONAL_RENDERING_BIT_EXT, true);
   memcpy(words.map, (const uint32_t[2]){0, 1}, 8);
   test_condition(pipeline, NULL, 0, false);
   for (uint32_t i = 0; i < 4; i++)
      test_condition(pipeline, &words, i / 2, i % 2);
   vkx_buffer_destroy(&vkx, &words);
   vkDestroyPipeline(vkx.device, pipeline, NULL);
}

/* As many sets as all drivers with mesh shaders have, each with the same buffer. */
static void
create_layout(void)
{
   const VkPushConstantRange range = {STAGES, 0, 12};
   VkDescriptorSetLayout layouts[SETS];
   for (uint32_t i = 0; i < SETS; i++)
      layouts[i] = set_layout;
   const VkPipelineLayoutCreateInfo info = {.sType = VK_STRUCTURE_TYPE_PIPELINE_LAYOUT_CREATE_INFO,
                                            .setLayoutCount = SETS,
                                            .pSetLayouts = layouts,
                                            .pushConstantRangeCount = 1,
                                            .pPushConstantRanges = &range};
   vkx_check(vkCreatePipelineLayout(vkx.device, &info, NULL, &layout), "vkCreatePipelineLayout");
}

static void
create_objects(void)
{
   static const VkDescriptorType type = VK_DESCRIPTOR_TYPE_STORAGE_BUFFER;
   set_layout = vkx_set_layout_create(&vkx, 1, &type, STAGES);
   create_layout();
   target = vkt_target_create(&vkx, VK_FORMAT_R8G8B8A8_UINT, VK_FORMAT_UNDEFINED, (VkExtent2D){WIDTH, HEIGHT}, 1,
                              VK_SAMPLE_COUNT_1_BIT);
   pixels = vkt_buffer_create(&vkx, 4 * WIDTH * HEIGHT, 1);
   counts = vkt_buffer_create(&vkx, 2048, 0);
   arguments = vkt_buffer_create(&vkx, 16 * DRAWS, 0);
   for (uint32_t i = 0; i < DRAWS; i++)
      memcpy((uint32_t *)arguments.map + 4 * i, (const uint32_t[3]){TASKS_X, TASKS_Y, 1}, 12);
}

static void
destroy_objects(void)
{
   vkt_sets_destroy(&vkx);
   vkx_buffer_destroy(&vkx, &arguments);
   vkx_buffer_destroy(&vkx, &counts);
   vkx_buffer_destroy(&vkx, &pixels);
   vkt_target_destroy(&vkx, &target);
   vkDestroyPipelineLayout(vkx.device, layout, NULL);
   vkDestroyDescriptorSetLayout(vkx.device, set_layout, NULL);
}

int
main(int argc, char **argv)
{
   any_draw = !strcmp(vkx_option(argc, argv, "--quirks", ""), "radv");
   vkt_mesh_shaders = true;
   vkx = vkt_create("mesh_work");
   if (!vkt_has("VK_EXT_mesh_shader") || !vkt_has("VK_KHR_spirv_1_4")) {
      vkt_skip("VK_EXT_mesh_shader");
      vkx_destroy(&vkx);
      return 77;
   }
   create_objects();
   test_rows("barriers of several waves", &(struct scene){.mesh = VKT_CODE(waves_code)}, HEIGHT / 2, in_waves);
   test_large();
   test_kind("points", VKT_CODE(points_code), 1, of_points);
   test_kind("lines", VKT_CODE(lines_code), HEIGHT, of_lines);
   const struct scene plain = {.task = VKT_CODE(task_code), .mesh = VKT_CODE(mesh_code)},
                      private_tasks = {.task = VKT_CODE(private_code), .mesh = VKT_CODE(mesh_code)},
                      private_meshes = {.task = VKT_CODE(task_code), .mesh = VKT_CODE(private_mesh_code)};
   test_tasks("tasks", &plain, false, false);
   test_tasks("tasks of several draws", &plain, true, false);
   test_tasks("tasks of a secondary command buffer", &plain, true, true);
   test_tasks("tasks with private memory", &private_tasks, true, false);
   test_tasks("meshes with private memory", &private_meshes, true, false);
   test_conditions();
   destroy_objects();
   return vkt_finish(&vkx);
}
