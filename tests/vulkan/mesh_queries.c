/* Queries of task and mesh shaders: invocations of both, and primitives of mesh shaders, by direct and indirect
 * draws, some of them in no query, and from a secondary command buffer; results by the host and copied; the same with
 * pipelines from the data of a cache (not with --cached 0: drivers with a mistake keep none). The counts are known.
 */
#include <stdlib.h>
#include <string.h>

#include "vkt_draw.h"

static const uint32_t task_code[] = {
#include "mesh_tasks.task.inc"
};
static const uint32_t mesh_code[] = {
#include "mesh_shapes_128.mesh.inc"
};
static const uint32_t tasked_code[] = {
#include "mesh_shapes_tasks.mesh.inc"
};
static const uint32_t fragment_code[] = {
#include "mesh_shapes.frag.inc"
};

enum { COLUMNS = 20, ROWS = 16, EDGE = 32, TASK_THREADS = 32, PRIMITIVES = 32, THREADS = 128, TASKED_THREADS = 32 };
enum { STATISTICS, GENERATED, POOLS };
enum { QUERIES = 4, STAGES = VK_SHADER_STAGE_TASK_BIT_EXT | VK_SHADER_STAGE_MESH_BIT_EXT };

static struct vkx vkx;
static VkPipelineLayout layout;
static struct vkt_target target;
static VkPipeline pipelines[2]; /* without and with tasks */
static VkQueryPool pools[POOLS];
static struct vkx_buffer arguments, results;

struct counts {
   uint64_t tasks, meshes, primitives; /* the first two: invocations */
};

static void
add(struct counts *counts, bool tasks)
{
   uint32_t groups = tasks ? 0 : COLUMNS * ROWS;
   for (uint32_t i = 0; i < COLUMNS && tasks; i++)
      groups += i % 17;
   counts->tasks += tasks ? COLUMNS * TASK_THREADS : 0;
   counts->meshes += (uint64_t)groups * (tasks ? TASKED_THREADS : THREADS);
   counts->primitives += (uint64_t)groups * PRIMITIVES;
}

/* counts: NULL: of nobody. */
static void
draw(VkCommandBuffer cmd, bool tasks, bool indirect, struct counts *counts)
{
   const uint32_t constants[2] = {COLUMNS, ROWS};
   vkCmdBindPipeline(cmd, VK_PIPELINE_BIND_POINT_GRAPHICS, pipelines[tasks]);
   vkCmdPushConstants(cmd, layout, STAGES, 0, sizeof(constants), constants);
   if (indirect)
      VKT_PROC(&vkx, vkCmdDrawMeshTasksIndirectEXT)(cmd, arguments.buffer, tasks ? 12 : 0, 1, 12);
   else
      VKT_PROC(&vkx, vkCmdDrawMeshTasksEXT)(cmd, COLUMNS, tasks ? 1 : ROWS, 1);
   if (counts)
      add(counts, tasks);
}

/* A query of each pool. */
static void
begin(VkCommandBuffer cmd, uint32_t query)
{
   for (unsigned i = 0; i < POOLS; i++)
      vkCmdBeginQuery(cmd, pools[i], query, 0);
}

static void
end(VkCommandBuffer cmd, uint32_t query)
{
   for (unsigned i = 0; i < POOLS; i++)
      vkCmdEndQuery(cmd, pools[i], query);
}

static void
record_draws(VkCommandBuffer cmd, struct counts counts[QUERIES])
{
   draw(cmd, true, false, NULL);
   begin(cmd, 0);
   draw(cmd, true, false, &counts[0]);
   draw(cmd, false, true, &counts[0]);
   end(cmd, 0);
   draw(cmd, true, true, NULL);
   draw(cmd, false, false, NULL);
   begin(cmd, 1); /* of nothing */
   end(cmd, 1);
   draw(cmd, true, false, NULL);
   begin(cmd, 2);
   draw(cmd, false, false, &counts[2]);
   draw(cmd, true, true, &counts[2]);
   draw(cmd, true, false, &counts[2]);
   end(cmd, 2);
   draw(cmd, true, false, NULL);
}

static VkCommandBuffer
begin_inner(void)
{
   const VkCommandBufferInheritanceInfo inheritance = {
      .sType = VK_STRUCTURE_TYPE_COMMAND_BUFFER_INHERITANCE_INFO,
      .renderPass = target.pass,
      .pipelineStatistics = VK_QUERY_PIPELINE_STATISTIC_TASK_SHADER_INVOCATIONS_BIT_EXT |
                            VK_QUERY_PIPELINE_STATISTIC_MESH_SHADER_INVOCATIONS_BIT_EXT};
   const VkCommandBufferBeginInfo info = {.sType = VK_STRUCTURE_TYPE_COMMAND_BUFFER_BEGIN_INFO,
                                          .flags = VK_COMMAND_BUFFER_USAGE_RENDER_PASS_CONTINUE_BIT,
                                          .pInheritanceInfo = &inheritance};
   const VkCommandBufferAllocateInfo allocate = {.sType = VK_STRUCTURE_TYPE_COMMAND_BUFFER_ALLOCATE_INFO,
                                                 .commandPool = vkx.pool,
                                                 .level = VK_COMMAND_BUFFER_LEVEL_SECONDARY,
                                                 .commandBufferCount = 1};
   VkCommandBuffer cmd;
   vkx_check(vkAllocateCommandBuffers(vkx.device, &allocate, &cmd), "vkAllocateCommandBuffers");
   vkx_check(vkBeginCommandBuffer(cmd, &info), "vkBeginCommandBuffer");
   vkt_set_viewport(cmd, target.extent);
   return cmd;
}

static void
record_secondary(VkCommandBuffer cmd, struct counts *counts)
{
   VkCommandBuffer inner = begin_inner();
   draw(inner, true, false, counts);
   draw(inner, false, false, counts);
   vkx_check(vkEndCommandBuffer(inner), "vkEndCommandBuffer");
   vkCmdBeginQuery(cmd, pools[STATISTICS], 3, 0);
   vkt_target_begin(cmd, &target, target.pass, VK_SUBPASS_CONTENTS_SECONDARY_COMMAND_BUFFERS);
   vkCmdExecuteCommands(cmd, 1, &inner);
   vkCmdEndRenderPass(cmd);
   vkCmdEndQuery(cmd, pools[STATISTICS], 3);
}

static void
copy_results(VkCommandBuffer cmd)
{
   static const uint32_t stride_B[POOLS] = {24, 16}, first_B[POOLS] = {0, 256};
   for (unsigned i = 0; i < POOLS; i++)
      vkCmdCopyQueryPoolResults(cmd, pools[i], 0, 3, results.buffer, first_B[i], stride_B[i],
                                VK_QUERY_RESULT_64_BIT | VK_QUERY_RESULT_WITH_AVAILABILITY_BIT |
                                   VK_QUERY_RESULT_WAIT_BIT);
   vkt_barrier(cmd);
}

static void
expect(const char *name, uint32_t query, const struct counts *found, const struct counts *expected)
{
   vkt_expect(!memcmp(found, expected, sizeof(*found)),
              "%s, query %u: %llu tasks, %llu meshes and %llu primitives, not %llu, %llu and %llu", name, query,
              (unsigned long long)found->tasks, (unsigned long long)found->meshes,
              (unsigned long long)found->primitives, (unsigned long long)expected->tasks,
              (unsigned long long)expected->meshes, (unsigned long long)expected->primitives);
}

static void
compare(const struct counts expected[QUERIES])
{
   const uint64_t *copied = results.map;
   for (uint32_t i = 0; i < QUERIES; i++) {
      struct counts found = {.primitives = expected[i].primitives};
      vkx_check(vkGetQueryPoolResults(vkx.device, pools[STATISTICS], i, 1, 16, &found, 16, VK_QUERY_RESULT_64_BIT),
                "statistics");
      if (i < 3)
         vkx_check(vkGetQueryPoolResults(vkx.device, pools[GENERATED], i, 1, 8, &found.primitives, 8,
                                         VK_QUERY_RESULT_64_BIT),
                   "primitives");
      expect("host", i, &found, &expected[i]);
   }
   for (uint32_t i = 0; i < 3; i++) {
      const struct counts found = {copied[3 * i], copied[3 * i + 1], copied[32 + 2 * i]};
      expect("copied", i, &found, &expected[i]);
      vkt_expect(copied[3 * i + 2] == 1 && copied[33 + 2 * i] == 1, "query %u is available", i);
   }
}

static void
test(void)
{
   struct counts expected[QUERIES] = {{0}};
   VkCommandBuffer cmd = vkx_begin(&vkx);
   for (unsigned i = 0; i < POOLS; i++)
      vkCmdResetQueryPool(cmd, pools[i], 0, QUERIES);
   vkt_target_begin(cmd, &target, target.pass, VK_SUBPASS_CONTENTS_INLINE);
   record_draws(cmd, expected);
   vkCmdEndRenderPass(cmd);
   record_secondary(cmd, &expected[3]);
   copy_results(cmd);
   vkx_submit_and_wait(&vkx, cmd);
   compare(expected);
}

static VkPipeline
create_pipeline(VkPipelineCreateFlags flags, bool tasks)
{
   const struct vkt_code none = {0};
   return vkt_pipeline_create(
      &vkx, &(struct vkt_pipeline_info){.flags = flags,
                                        .pass = target.pass,
                                        .layout = layout,
                                        .fragment = VKT_CODE(fragment_code),
                                        .task = tasks ? VKT_CODE(task_code) : none,
                                        .mesh = tasks ? VKT_CODE(tasked_code) : VKT_CODE(mesh_code)});
}

static VkPipelineCache
create_cache(size_t size_B, const void *data)
{
   const VkPipelineCacheCreateInfo info = {
      .sType = VK_STRUCTURE_TYPE_PIPELINE_CACHE_CREATE_INFO, .initialDataSize = size_B, .pInitialData = data};
   VkPipelineCache cache;
   vkx_check(vkCreatePipelineCache(vkx.device, &info, NULL, &cache), "vkCreatePipelineCache");
   return cache;
}

/* A cache of what the other one has. */
static VkPipelineCache
copy_cache(VkPipelineCache from)
{
   size_t size_B;
   vkx_check(vkGetPipelineCacheData(vkx.device, from, &size_B, NULL), "size of the cache");
   void *data = malloc(size_B);
   vkx_check(vkGetPipelineCacheData(vkx.device, from, &size_B, data), "vkGetPipelineCacheData");
   VkPipelineCache cache = create_cache(size_B, data);
   free(data);
   return cache;
}

static void
create_pipelines(VkPipelineCache cache, VkPipelineCreateFlags flags)
{
   vkt_cache = cache;
   for (unsigned i = 0; i < 2; i++)
      pipelines[i] = create_pipeline(flags, i);
}

static void
destroy_pipelines(void)
{
   for (unsigned i = 0; i < 2; i++)
      vkDestroyPipeline(vkx.device, pipelines[i], NULL);
}

/* Nothing may be compiled. */
static void
test_cached(void)
{
   VkPipelineCache first = create_cache(0, NULL), second;
   destroy_pipelines();
   create_pipelines(first, 0);
   destroy_pipelines();
   second = copy_cache(first);
   create_pipelines(second, VK_PIPELINE_CREATE_FAIL_ON_PIPELINE_COMPILE_REQUIRED_BIT);
   vkt_expect(pipelines[0] && pipelines[1], "pipelines are in the cache");
   if (pipelines[0] && pipelines[1])
      test();
   vkDestroyPipelineCache(vkx.device, first, NULL);
   vkDestroyPipelineCache(vkx.device, second, NULL);
}

static void
create_objects(void)
{
   static const VkQueryPoolCreateInfo infos[POOLS] = {
      {.sType = VK_STRUCTURE_TYPE_QUERY_POOL_CREATE_INFO,
       .queryType = VK_QUERY_TYPE_PIPELINE_STATISTICS,
       .queryCount = QUERIES,
       .pipelineStatistics = VK_QUERY_PIPELINE_STATISTIC_TASK_SHADER_INVOCATIONS_BIT_EXT |
                             VK_QUERY_PIPELINE_STATISTIC_MESH_SHADER_INVOCATIONS_BIT_EXT},
      {.sType = VK_STRUCTURE_TYPE_QUERY_POOL_CREATE_INFO,
       .queryType = VK_QUERY_TYPE_MESH_PRIMITIVES_GENERATED_EXT,
       .queryCount = QUERIES}};
   const VkPushConstantRange range = {STAGES, 0, 8};
   const VkPipelineLayoutCreateInfo info = {.sType = VK_STRUCTURE_TYPE_PIPELINE_LAYOUT_CREATE_INFO,
                                            .pushConstantRangeCount = 1,
                                            .pPushConstantRanges = &range};
   vkx_check(vkCreatePipelineLayout(vkx.device, &info, NULL, &layout), "vkCreatePipelineLayout");
   target = vkt_target_create(&vkx, VK_FORMAT_R8G8B8A8_UINT, VK_FORMAT_UNDEFINED, (VkExtent2D){EDGE, EDGE}, 1,
                              VK_SAMPLE_COUNT_1_BIT);
   create_pipelines(VK_NULL_HANDLE, 0);
   for (unsigned i = 0; i < POOLS; i++)
      vkx_check(vkCreateQueryPool(vkx.device, &infos[i], NULL, &pools[i]), "vkCreateQueryPool");
   arguments = vkt_buffer_create(&vkx, 24, 0);
   memcpy(arguments.map, (const uint32_t[6]){COLUMNS, ROWS, 1, COLUMNS, 1, 1}, 24);
   results = vkt_buffer_create(&vkx, 512, 0);
}

static void
destroy_objects(void)
{
   vkx_buffer_destroy(&vkx, &results);
   vkx_buffer_destroy(&vkx, &arguments);
   for (unsigned i = 0; i < POOLS; i++)
      vkDestroyQueryPool(vkx.device, pools[i], NULL);
   destroy_pipelines();
   vkt_target_destroy(&vkx, &target);
   vkDestroyPipelineLayout(vkx.device, layout, NULL);
}

static bool
has_queries(void)
{
   VkPhysicalDeviceMeshShaderFeaturesEXT has = {.sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_MESH_SHADER_FEATURES_EXT};
   VkPhysicalDeviceFeatures2 features = {.sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_FEATURES_2, .pNext = &has};
   if (vkt_has("VK_EXT_mesh_shader") && vkt_has("VK_KHR_spirv_1_4"))
      vkGetPhysicalDeviceFeatures2(vkx.physical, &features);
   return has.meshShaderQueries && vkt_features.inheritedQueries;
}

int
main(int argc, char **argv)
{
   const bool cached = strcmp(vkx_option(argc, argv, "--cached", "1"), "0") != 0;
   vkt_mesh_shaders = true;
   vkx = vkt_create("mesh_queries");
   if (!has_queries()) {
      vkt_skip("meshShaderQueries");
      vkx_destroy(&vkx);
      return 77;
   }
   create_objects();
   test();
   if (cached && vkt_has("VK_EXT_pipeline_creation_cache_control"))
      test_cached();
   destroy_objects();
   return vkt_finish(&vkx);
}
