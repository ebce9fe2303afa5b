/* What tessellation and geometry shaders make, read by transform feedback: vertices and counts. -o FILE writes them,
 * --against FILE compares them with another device's. Of tessellated triangles any vertex may be the first. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "vkt_draw.h"

enum { BUFFER_B = 8 << 20, VERTICES = 23, PATCHES = 12, INSTANCES = 2, STRIDE_B = 32 };

static const uint32_t vertex_code[] = {
#include "feedback.vert.inc"
};
static const uint32_t control_code[] = {
#include "feedback.tesc.inc"
};

static struct vkx vkx;
static VkPipelineLayout layout;
static VkRenderPass pass;
static VkFramebuffer framebuffer;
static struct vkx_buffer buffers[2], counts;
static VkQueryPool queries;

struct scene {
   const char *name;
   VkPrimitiveTopology topology;
   struct vkt_code evaluation, geometry;
   bool triangles;       /* tessellated: vertices may turn */
   bool streams;         /* a second stream of points */
   VkDeviceSize limit_B; /* of the first buffer; 0: all */
};

#include "feedback_scenes.h"

static VkPipeline
pipeline_of(const struct scene *scene)
{
   const struct vkt_code codes[4] = {VKT_CODE(vertex_code), VKT_CODE(control_code), scene->evaluation,
                                     scene->geometry};
   static const VkShaderStageFlagBits stages[4] = {
      VK_SHADER_STAGE_VERTEX_BIT, VK_SHADER_STAGE_TESSELLATION_CONTROL_BIT,
      VK_SHADER_STAGE_TESSELLATION_EVALUATION_BIT, VK_SHADER_STAGE_GEOMETRY_BIT};
   VkPipelineShaderStageCreateInfo list[4];
   uint32_t count = 0;
   for (uint32_t i = 0; i < 4; i++) {
      if ((i == 1 || i == 2) && !scene->evaluation.words)
         continue;
      if (codes[i].words)
         list[count++] =
            (VkPipelineShaderStageCreateInfo){.sType = VK_STRUCTURE_TYPE_PIPELINE_SHADER_STAGE_CREATE_INFO,
                                              .stage = stages[i],
                                              .module = vkx_shader_create(&vkx, codes[i].words, codes[i].size_B),
                                              .pName = "main"};
   }
   const VkPipelineVertexInputStateCreateInfo input = {.sType =
                                                          VK_STRUCTURE_TYPE_PIPELINE_VERTEX_INPUT_STATE_CREATE_INFO};
   const VkPipelineInputAssemblyStateCreateInfo assembly = {
      .sType = VK_STRUCTURE_TYPE_PIPELINE_INPUT_ASSEMBLY_STATE_CREATE_INFO, .topology = scene->topology};
   const VkPipelineTessellationStateCreateInfo tessellation = {
      .sType = VK_STRUCTURE_TYPE_PIPELINE_TESSELLATION_STATE_CREATE_INFO, .patchControlPoints = 3};
   const VkPipelineRasterizationStateCreateInfo raster = {
      .sType = VK_STRUCTURE_TYPE_PIPELINE_RASTERIZATION_STATE_CREATE_INFO,
      .rasterizerDiscardEnable = VK_TRUE,
      .lineWidth = 1.0f};
   const VkGraphicsPipelineCreateInfo info = {.sType = VK_STRUCTURE_TYPE_GRAPHICS_PIPELINE_CREATE_INFO,
                                              .stageCount = count,
                                              .pStages = list,
                                              .pVertexInputState = &input,
                                              .pInputAssemblyState = &assembly,
                                              .pTessellationState = &tessellation,
                                              .pRasterizationState = &raster,
                                              .layout = layout,
                                              .renderPass = pass};
   VkPipeline pipeline;
   vkx_check(vkCreateGraphicsPipelines(vkx.device, VK_NULL_HANDLE, 1, &info, NULL, &pipeline), scene->name);
   for (uint32_t i = 0; i < count; i++)
      vkDestroyShaderModule(vkx.device, list[i].module, NULL);
   return pipeline;
}

static void
record(VkCommandBuffer cmd, const struct scene *scene, VkPipeline pipeline)
{
   const VkRenderPassBeginInfo begin = {.sType = VK_STRUCTURE_TYPE_RENDER_PASS_BEGIN_INFO,
                                        .renderPass = pass,
                                        .framebuffer = framebuffer,
                                        .renderArea = {{0, 0}, {1, 1}}};
   const VkDeviceSize zero[2] = {0}, sizes[2] = {scene->limit_B ? scene->limit_B : BUFFER_B, BUFFER_B};
   const VkBuffer list[2] = {buffers[0].buffer, buffers[1].buffer};
   uint32_t streams = scene->streams ? 2 : 1;
   PFN_vkCmdBindTransformFeedbackBuffersEXT bind = VKT_PROC(&vkx, vkCmdBindTransformFeedbackBuffersEXT);
   PFN_vkCmdBeginTransformFeedbackEXT begin_feedback = VKT_PROC(&vkx, vkCmdBeginTransformFeedbackEXT);
   PFN_vkCmdEndTransformFeedbackEXT end_feedback = VKT_PROC(&vkx, vkCmdEndTransformFeedbackEXT);
   PFN_vkCmdBeginQueryIndexedEXT begin_query = VKT_PROC(&vkx, vkCmdBeginQueryIndexedEXT);
   PFN_vkCmdEndQueryIndexedEXT end_query = VKT_PROC(&vkx, vkCmdEndQueryIndexedEXT);
   vkCmdResetQueryPool(cmd, queries, 0, 2);
   vkCmdBindPipeline(cmd, VK_PIPELINE_BIND_POINT_GRAPHICS, pipeline);
   bind(cmd, 0, streams, list, zero, sizes);
   vkCmdBeginRenderPass(cmd, &begin, VK_SUBPASS_CONTENTS_INLINE);
   for (uint32_t i = 0; i < streams; i++)
      begin_query(cmd, queries, i, 0, i);
   begin_feedback(cmd, 0, 0, NULL, NULL);
   vkCmdDraw(cmd, scene->evaluation.words ? PATCHES * 3 : VERTICES, INSTANCES, 0, 0);
   end_feedback(cmd, 0, 0, NULL, NULL);
   for (uint32_t i = 0; i < streams; i++)
      end_query(cmd, queries, i, i);
   vkCmdEndRenderPass(cmd);
   vkCmdCopyQueryPoolResults(cmd, queries, 0, streams, counts.buffer, 0, 16,
                             VK_QUERY_RESULT_64_BIT | VK_QUERY_RESULT_WAIT_BIT);
   vkt_barrier(cmd);
}

/* Each triangle begins with its least vertex. */
static void
turn_triangles(uint8_t *data, uint32_t count, uint32_t stride_B)
{
   uint8_t turned[3 * 64];
   for (uint32_t i = 0; i < count; i++, data += 3 * stride_B) {
      uint32_t least = 0;
      for (uint32_t k = 1; k < 3; k++) {
         if (memcmp(data + k * stride_B, data + least * stride_B, stride_B) < 0)
            least = k;
      }
      for (uint32_t k = 0; k < 3; k++)
         memcpy(turned + k * stride_B, data + (least + k) % 3 * stride_B, stride_B);
      memcpy(data, turned, 3 * stride_B);
   }
}

static bool
exchange(FILE *file, bool write, const struct scene *scene, const void *data, size_t size_B)
{
   if (write)
      return fwrite(data, 1, size_B, file) == size_B;
   uint8_t *foreign = malloc(size_B ? size_B : 1);
   bool ok = foreign && fread(foreign, 1, size_B, file) == size_B;
   size_t at = 0;
   while (ok && at < size_B && foreign[at] == ((const uint8_t *)data)[at])
      at++;
   if (ok && at < size_B)
      printf("   %s: %zu bytes, the first other one is %zu\n", scene->name, size_B, at);
   free(foreign);
   return ok && at == size_B;
}

static void
draw_scene(FILE *file, bool write, const struct scene *scene)
{
   VkPipeline pipeline = pipeline_of(scene);
   memset(buffers[0].map, 0x55, BUFFER_B);
   memset(buffers[1].map, 0x55, BUFFER_B);
   memset(counts.map, 0, counts.size);
   VkCommandBuffer cmd = vkx_begin(&vkx);
   record(cmd, scene, pipeline);
   vkx_submit_and_wait(&vkx, cmd);
   vkDestroyPipeline(vkx.device, pipeline, NULL);
   const uint64_t *count = counts.map; /* of each stream: written, needed */
   unsigned per_prim = scene->triangles || (scene->geometry.words && !scene->streams) ? 3 : 1;
   size_t size_B[2] = {count[0] * per_prim * STRIDE_B, count[2] * 16};
   if (strstr(scene->name, "isolines") && !strstr(scene->name, "points"))
      size_B[0] *= 2;
   if (scene->triangles)
      turn_triangles(buffers[0].map, (uint32_t)count[0], STRIDE_B);
   bool fits = vkt_expect(size_B[0] <= BUFFER_B && size_B[1] <= BUFFER_B && count[1] > 0, "%s: counts", scene->name);
   /* What lies after the last primitive stays as it was. */
   for (unsigned i = 0; i < 2 && fits; i++)
      fits = size_B[i] == BUFFER_B || ((uint8_t *)buffers[i].map)[size_B[i]] == 0x55;
   vkt_expect(fits && exchange(file, write, scene, count, 32), "%s: counts %llu %llu, %llu %llu", scene->name,
              (unsigned long long)count[0], (unsigned long long)count[1], (unsigned long long)count[2],
              (unsigned long long)count[3]);
   for (unsigned i = 0; i < 2 && fits; i++)
      vkt_expect(exchange(file, write, scene, buffers[i].map, size_B[i]), "%s: stream %u", scene->name, i);
}

static void
create_target(void)
{
   const VkSubpassDescription subpass = {.pipelineBindPoint = VK_PIPELINE_BIND_POINT_GRAPHICS};
   const VkRenderPassCreateInfo pass_info = {
      .sType = VK_STRUCTURE_TYPE_RENDER_PASS_CREATE_INFO, .subpassCount = 1, .pSubpasses = &subpass};
   vkx_check(vkCreateRenderPass(vkx.device, &pass_info, NULL, &pass), "pass");
   const VkFramebufferCreateInfo framebuffer_info = {
      .sType = VK_STRUCTURE_TYPE_FRAMEBUFFER_CREATE_INFO, .renderPass = pass, .width = 1, .height = 1, .layers = 1};
   vkx_check(vkCreateFramebuffer(vkx.device, &framebuffer_info, NULL, &framebuffer), "framebuffer");
   const VkPipelineLayoutCreateInfo layout_info = {.sType = VK_STRUCTURE_TYPE_PIPELINE_LAYOUT_CREATE_INFO};
   vkx_check(vkCreatePipelineLayout(vkx.device, &layout_info, NULL, &layout), "layout");
   const VkQueryPoolCreateInfo query_info = {.sType = VK_STRUCTURE_TYPE_QUERY_POOL_CREATE_INFO,
                                             .queryType = VK_QUERY_TYPE_TRANSFORM_FEEDBACK_STREAM_EXT,
                                             .queryCount = 2};
   vkx_check(vkCreateQueryPool(vkx.device, &query_info, NULL, &queries), "queries");
   for (unsigned i = 0; i < 2; i++)
      buffers[i] = vkx_buffer_create(&vkx, BUFFER_B, VK_BUFFER_USAGE_TRANSFORM_FEEDBACK_BUFFER_BIT_EXT, true);
   counts = vkx_buffer_create(&vkx, 32, VK_BUFFER_USAGE_TRANSFER_DST_BIT, true);
}

int
main(int argc, char **argv)
{
   const char *out = vkx_option(argc, argv, "-o", NULL), *against = vkx_option(argc, argv, "--against", NULL);
   const VkPhysicalDeviceTransformFeedbackFeaturesEXT features = {
      .sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_TRANSFORM_FEEDBACK_FEATURES_EXT,
      .transformFeedback = VK_TRUE,
      .geometryStreams = VK_TRUE};
   vkx = vkx_create_with("feedback", VK_EXT_TRANSFORM_FEEDBACK_EXTENSION_NAME, &features);
   FILE *file = fopen(out ? out : against, out ? "wb" : "rb");
   if (!file)
      return 2;
   create_target();
   for (unsigned i = 0; i < sizeof(scenes) / sizeof(scenes[0]); i++)
      draw_scene(file, out, &scenes[i]);
   if (fclose(file))
      return 2;
   for (unsigned i = 0; i < 2; i++)
      vkx_buffer_destroy(&vkx, &buffers[i]);
   vkx_buffer_destroy(&vkx, &counts);
   vkDestroyQueryPool(vkx.device, queries, NULL);
   vkDestroyPipelineLayout(vkx.device, layout, NULL);
   vkDestroyFramebuffer(vkx.device, framebuffer, NULL);
   vkDestroyRenderPass(vkx.device, pass, NULL);
   return vkt_finish(&vkx);
}
