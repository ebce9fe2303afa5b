/* Queries: occlusion, timestamps, pipeline statistics; all ways to get at results and to reset them. */
#include <string.h>

#include "vkt_draw.h"

static const uint32_t quad_vert[] = {
#include "quad.vert.inc"
};
static const uint32_t quad_frag[] = {
#include "quad.frag.inc"
};
static const uint32_t quad_depth_frag[] = {
#include "quad_depth.frag.inc"
};
static const uint32_t count_comp[] = {
#include "count.comp.inc"
};

#define SIZE 64u
#define ARRAY_SIZE(a) (sizeof(a) / sizeof((a)[0]))

static const float white[4] = {1, 1, 1, 1};
static const VkPipelineDepthStencilStateCreateInfo depth_test = {
   .sType = VK_STRUCTURE_TYPE_PIPELINE_DEPTH_STENCIL_STATE_CREATE_INFO,
   .depthTestEnable = VK_TRUE,
   .depthWriteEnable = VK_TRUE,
   .depthCompareOp = VK_COMPARE_OP_LESS};

struct scene {
   struct vkx *vkx;
   struct vkt_target target;
   VkPipelineLayout layout;
   VkPipeline pipeline;
};

static struct scene
scene_create(struct vkx *vkx, VkSampleCountFlagBits samples)
{
   struct scene scene = {.vkx = vkx, .layout = vkt_quad_layout_create(vkx)};
   scene.target =
      vkt_target_create(vkx, VK_FORMAT_R8G8B8A8_UNORM, VK_FORMAT_D32_SFLOAT, (VkExtent2D){SIZE, SIZE}, 1, samples);
   scene.pipeline = vkt_pipeline_create(vkx, &(struct vkt_pipeline_info){.pass = scene.target.pass,
                                                                         .layout = scene.layout,
                                                                         .vertex = VKT_CODE(quad_vert),
                                                                         .fragment = VKT_CODE(quad_frag),
                                                                         .samples = samples,
                                                                         .depth_stencil = &depth_test});
   return scene;
}

static void
scene_destroy(struct scene *scene)
{
   vkDestroyPipeline(scene->vkx->device, scene->pipeline, NULL);
   vkDestroyPipelineLayout(scene->vkx->device, scene->layout, NULL);
   vkt_target_destroy(scene->vkx, &scene->target);
}

static VkQueryPool
pool_create(struct vkx *vkx, VkQueryType type, uint32_t count, VkQueryPipelineStatisticFlags statistics)
{
   const VkQueryPoolCreateInfo info = {.sType = VK_STRUCTURE_TYPE_QUERY_POOL_CREATE_INFO,
                                       .queryType = type,
                                       .queryCount = count,
                                       .pipelineStatistics = statistics};
   VkQueryPool pool;
   vkx_check(vkCreateQueryPool(vkx->device, &info, NULL, &pool), "vkCreateQueryPool");
   return pool;
}

/* ---- occlusion: each query draws one quad into what the earlier ones left ---- */

static const struct {
   uint32_t x0, y0, x1, y1;
   float depth;
   uint32_t passing_px;
} draws[] = {{0, 0, 32, 64, 0.5f, 32 * 64}, {0, 0, 64, 64, 0.7f, 32 * 64}, {0, 0, 64, 64, 0.9f, 0},
             {3, 5, 10, 9, 0.2f, 28},       {60, 60, 64, 64, 0.6f, 16},    {0, 0, 1, 1, 0.1f, 1},
             {0, 0, 1, 1, 0.3f, 0}};
#define DRAWS ((uint32_t)ARRAY_SIZE(draws))

static void
draw_one(const struct scene *scene, VkCommandBuffer cmd, uint32_t i)
{
   vkt_draw_quad(cmd, scene->layout, scene->target.extent, draws[i].x0, draws[i].y0, draws[i].x1, draws[i].y1,
                 draws[i].depth, white);
}

/* Queries [first, first + DRAWS); the last one of the pool is never begun. */
static void
record_occlusion(const struct scene *scene, VkCommandBuffer cmd, VkQueryPool pool, VkQueryControlFlags flags,
                 uint32_t first)
{
   vkt_target_begin(cmd, &scene->target, scene->target.pass, VK_SUBPASS_CONTENTS_INLINE);
   vkCmdBindPipeline(cmd, VK_PIPELINE_BIND_POINT_GRAPHICS, scene->pipeline);
   for (uint32_t i = 0; i < DRAWS; i++) {
      vkCmdBeginQuery(cmd, pool, first + i, flags);
      draw_one(scene, cmd, i);
      vkCmdEndQuery(cmd, pool, first + i);
   }
   vkCmdEndRenderPass(cmd);
}

static void
expect_counts(const char *what, const uint64_t *got, size_t step, uint32_t samples, bool precise)
{
   for (uint32_t i = 0; i < DRAWS; i++) {
      uint64_t expected = (uint64_t)draws[i].passing_px * samples, value = got[i * step];
      vkt_expect(precise ? value == expected : !value == !expected, "%s: query %u counts %lu samples, not %lu", what,
                 i, (unsigned long)value, (unsigned long)expected);
   }
}

static void
test_occlusion(struct vkx *vkx, VkSampleCountFlagBits samples)
{
   struct scene scene = scene_create(vkx, samples);
   for (uint32_t precise = 0; precise <= (vkt_features.occlusionQueryPrecise ? 1u : 0u); precise++) {
      VkQueryPool pool = pool_create(vkx, VK_QUERY_TYPE_OCCLUSION, DRAWS + 2, 0);
      VkCommandBuffer cmd = vkx_begin(vkx);
      uint64_t results[DRAWS + 2];
      vkCmdResetQueryPool(cmd, pool, 0, DRAWS + 2);
      record_occlusion(&scene, cmd, pool, precise ? VK_QUERY_CONTROL_PRECISE_BIT : 0, 0);
      /* A query around a whole pass, and an empty one. */
      vkCmdBeginQuery(cmd, pool, DRAWS, precise ? VK_QUERY_CONTROL_PRECISE_BIT : 0);
      vkt_target_begin(cmd, &scene.target, scene.target.pass, VK_SUBPASS_CONTENTS_INLINE);
      vkCmdBindPipeline(cmd, VK_PIPELINE_BIND_POINT_GRAPHICS, scene.pipeline);
      draw_one(&scene, cmd, 0);
      draw_one(&scene, cmd, 3);
      vkCmdEndRenderPass(cmd);
      vkCmdEndQuery(cmd, pool, DRAWS);
      vkCmdBeginQuery(cmd, pool, DRAWS + 1, 0);
      vkCmdEndQuery(cmd, pool, DRAWS + 1);
      vkx_submit_and_wait(vkx, cmd);
      vkx_check(vkGetQueryPoolResults(vkx->device, pool, 0, DRAWS + 2, sizeof(results), results, 8,
                                      VK_QUERY_RESULT_64_BIT | VK_QUERY_RESULT_WAIT_BIT),
                "vkGetQueryPoolResults");
      expect_counts(precise ? "precise occlusion" : "occlusion", results, 1, samples, precise);
      uint64_t around = (uint64_t)(draws[0].passing_px + draws[3].passing_px) * samples;
      vkt_expect(precise ? results[DRAWS] == around : results[DRAWS] > 0, "a query around a pass counts %lu",
                 (unsigned long)results[DRAWS]);
      vkt_expect(results[DRAWS + 1] == 0, "an empty query counts %lu", (unsigned long)results[DRAWS + 1]);
      vkDestroyQueryPool(vkx->device, pool, NULL);
   }
   scene_destroy(&scene);
}

/* Alpha decides about samples whether or not colours are written, and whether or not the shader gives depth and a
 * mask of samples. */
static void
test_alpha_to_coverage(struct vkx *vkx)
{
   struct scene scene = scene_create(vkx, VK_SAMPLE_COUNT_4_BIT);
   for (uint32_t kind = 0; kind < 4; kind++) {
      const bool written = kind & 1, depth = kind & 2;
      const VkPipelineColorBlendAttachmentState blend = {.colorWriteMask = written ? 0xf : 0};
      const struct vkt_pipeline_info info = {.pass = scene.target.pass,
                                             .layout = scene.layout,
                                             .vertex = VKT_CODE(quad_vert),
                                             .fragment = VKT_CODE(quad_frag),
                                             .samples = VK_SAMPLE_COUNT_4_BIT,
                                             .depth_stencil = &depth_test,
                                             .alpha_to_coverage = true,
                                             .blend = &blend};
      struct vkt_pipeline_info with_depth = info;
      with_depth.fragment = VKT_CODE(quad_depth_frag);
      VkPipeline pipeline = vkt_pipeline_create(vkx, depth ? &with_depth : &info);
      VkQueryPool pool = pool_create(vkx, VK_QUERY_TYPE_OCCLUSION, 2, 0);
      VkCommandBuffer cmd = vkx_begin(vkx);
      uint64_t results[2];
      vkCmdResetQueryPool(cmd, pool, 0, 2);
      vkt_target_begin(cmd, &scene.target, scene.target.pass, VK_SUBPASS_CONTENTS_INLINE);
      vkCmdBindPipeline(cmd, VK_PIPELINE_BIND_POINT_GRAPHICS, pipeline);
      for (uint32_t alpha = 0; alpha < 2; alpha++) {
         vkCmdBeginQuery(cmd, pool, alpha, 0);
         vkt_draw_quad(cmd, scene.layout, scene.target.extent, 2, 3, 9, 8, alpha ? 0.4f : 0.5f,
                       (float[4]){1, 1, 1, (float)alpha});
         vkCmdEndQuery(cmd, pool, alpha);
      }
      vkCmdEndRenderPass(cmd);
      vkx_submit_and_wait(vkx, cmd);
      vkx_check(vkGetQueryPoolResults(vkx->device, pool, 0, 2, sizeof(results), results, 8,
                                      VK_QUERY_RESULT_64_BIT | VK_QUERY_RESULT_WAIT_BIT),
                "vkGetQueryPoolResults");
      vkt_expect(!results[0] && results[1],
                 "alpha to coverage, colours %s%s: alpha 0 and 1 count %lu and %lu samples",
                 written ? "written" : "masked", depth ? ", depth and mask given" : "", (unsigned long)results[0],
                 (unsigned long)results[1]);
      vkDestroyQueryPool(vkx->device, pool, NULL);
      vkDestroyPipeline(vkx->device, pipeline, NULL);
   }
   scene_destroy(&scene);
}

/* ---- ways to get at results: pool of DRAWS results and one query that is reset, not available ---- */

static const struct access {
   VkQueryResultFlags flags;
   uint32_t first, count, stride_B, offset_B;
} accesses[] = {
   {0, 0, DRAWS, 4, 0},
   {VK_QUERY_RESULT_64_BIT, 0, DRAWS, 8, 16},
   {VK_QUERY_RESULT_WAIT_BIT, 2, 3, 12, 4},
   {VK_QUERY_RESULT_64_BIT | VK_QUERY_RESULT_WAIT_BIT, 1, DRAWS - 1, 24, 8},
   {VK_QUERY_RESULT_WITH_AVAILABILITY_BIT, 0, DRAWS + 1, 8, 0},
   {VK_QUERY_RESULT_64_BIT | VK_QUERY_RESULT_WITH_AVAILABILITY_BIT, 0, DRAWS + 1, 16, 8},
   {VK_QUERY_RESULT_64_BIT | VK_QUERY_RESULT_WITH_AVAILABILITY_BIT, 3, DRAWS - 2, 40, 0},
   {VK_QUERY_RESULT_PARTIAL_BIT | VK_QUERY_RESULT_WITH_AVAILABILITY_BIT, 0, DRAWS, 8, 0},
   {VK_QUERY_RESULT_64_BIT, 0, DRAWS + 1, 8, 0},
};

/* Are the bytes what the access must leave in a buffer of 0xaa? */
static bool
check_access(const struct access *a, const uint8_t *got, size_t size_B, uint32_t samples)
{
   uint8_t expected[1024];
   uint32_t word_B = a->flags & VK_QUERY_RESULT_64_BIT ? 8 : 4;
   memset(expected, 0xaa, sizeof(expected));
   for (uint32_t i = 0; i < a->count; i++) {
      bool available = a->first + i < DRAWS;
      uint64_t values[2] = {available ? (uint64_t)draws[a->first + i].passing_px * samples : 0, available};
      uint8_t *at = expected + a->offset_B + i * a->stride_B;
      if (available)
         memcpy(at, &values[0], word_B);
      if (a->flags & VK_QUERY_RESULT_WITH_AVAILABILITY_BIT)
         memcpy(at + word_B, &values[1], word_B);
   }
   return !memcmp(got, expected, size_B);
}

/* A pool of DRAWS results: some go away, their neighbours stay. */
static void
test_resets(struct vkx *vkx, VkQueryPool pool)
{
   uint32_t words[2] = {77, 77};
   PFN_vkResetQueryPoolEXT reset = VKT_PROC(vkx, vkResetQueryPoolEXT);
   VkCommandBuffer cmd = vkx_begin(vkx);
   vkCmdResetQueryPool(cmd, pool, 2, 1);
   vkx_submit_and_wait(vkx, cmd);
   VkResult result =
      vkGetQueryPoolResults(vkx->device, pool, 2, 1, 8, words, 8, VK_QUERY_RESULT_WITH_AVAILABILITY_BIT);
   vkt_expect(result == VK_NOT_READY && words[0] == 77 && words[1] == 0,
              "a query that was reset in a command buffer");
   result = vkGetQueryPoolResults(vkx->device, pool, 1, 1, 4, words, 4, 0);
   vkt_expect(result == VK_SUCCESS && words[0] == draws[1].passing_px, "its neighbour");
   if (reset && vkt_has("VK_EXT_host_query_reset")) {
      reset(vkx->device, pool, 1, 1);
      result = vkGetQueryPoolResults(vkx->device, pool, 1, 1, 4, words, 4, 0);
      vkt_expect(result == VK_NOT_READY, "a query that the host reset");
      result = vkGetQueryPoolResults(vkx->device, pool, 0, 1, 4, words, 4, 0);
      vkt_expect(result == VK_SUCCESS && words[0] == draws[0].passing_px,
                 "the neighbour of a query that the host reset");
   }
}

static void
test_accesses(struct vkx *vkx)
{
   struct scene scene = scene_create(vkx, VK_SAMPLE_COUNT_1_BIT);
   VkQueryPool pool = pool_create(vkx, VK_QUERY_TYPE_OCCLUSION, DRAWS + 1, 0);
   struct vkx_buffer buffer = vkt_buffer_create(vkx, 1024, 0xaa);
   VkCommandBuffer cmd = vkx_begin(vkx);
   vkCmdResetQueryPool(cmd, pool, 0, DRAWS + 1);
   record_occlusion(&scene, cmd, pool, VK_QUERY_CONTROL_PRECISE_BIT, 0);
   vkx_submit_and_wait(vkx, cmd);
   for (unsigned i = 0; i < ARRAY_SIZE(accesses); i++) {
      const struct access *a = &accesses[i];
      uint8_t host[1024];
      memset(host, 0xaa, sizeof(host));
      VkResult result = vkGetQueryPoolResults(vkx->device, pool, a->first, a->count, sizeof(host) - a->offset_B,
                                              host + a->offset_B, a->stride_B, a->flags);
      VkResult expected = a->first + a->count > DRAWS ? VK_NOT_READY : VK_SUCCESS;
      vkt_expect(result == expected, "access %u: vkGetQueryPoolResults gives %d", i, result);
      vkt_expect(check_access(a, host, sizeof(host), 1), "access %u: results on the host", i);
      memset(buffer.map, 0xaa, 1024);
      cmd = vkx_begin(vkx);
      vkCmdCopyQueryPoolResults(cmd, pool, a->first, a->count, buffer.buffer, a->offset_B, a->stride_B, a->flags);
      vkt_barrier(cmd);
      vkx_submit_and_wait(vkx, cmd);
      vkt_expect(check_access(a, buffer.map, 1024, 1), "access %u: results in a buffer", i);
   }
   /* In the command buffer of the queries, after a reset there. */
   memset(buffer.map, 0xaa, 1024);
   cmd = vkx_begin(vkx);
   vkCmdResetQueryPool(cmd, pool, 0, DRAWS + 1);
   record_occlusion(&scene, cmd, pool, VK_QUERY_CONTROL_PRECISE_BIT, 0);
   vkCmdCopyQueryPoolResults(cmd, pool, 0, DRAWS, buffer.buffer, 0, 8,
                             VK_QUERY_RESULT_64_BIT | VK_QUERY_RESULT_WAIT_BIT);
   vkt_barrier(cmd);
   vkx_submit_and_wait(vkx, cmd);
   expect_counts("copy after the queries", buffer.map, 1, 1, true);

   test_resets(vkx, pool);
   vkDestroyQueryPool(vkx->device, pool, NULL);
   vkx_buffer_destroy(vkx, &buffer);
   scene_destroy(&scene);
}

/* ---- timestamps ---- */

static void
test_timestamps(struct vkx *vkx)
{
   struct scene scene = scene_create(vkx, VK_SAMPLE_COUNT_1_BIT);
   VkQueryPool pool = pool_create(vkx, VK_QUERY_TYPE_TIMESTAMP, 4, 0);
   struct vkx_buffer buffer = vkt_buffer_create(vkx, 64, 0);
   uint64_t ticks[4], *copied = buffer.map;
   VkCommandBuffer cmd = vkx_begin(vkx);
   vkCmdResetQueryPool(cmd, pool, 0, 4);
   vkCmdWriteTimestamp(cmd, VK_PIPELINE_STAGE_TOP_OF_PIPE_BIT, pool, 0);
   vkt_target_begin(cmd, &scene.target, scene.target.pass, VK_SUBPASS_CONTENTS_INLINE);
   vkCmdBindPipeline(cmd, VK_PIPELINE_BIND_POINT_GRAPHICS, scene.pipeline);
   draw_one(&scene, cmd, 0);
   vkCmdWriteTimestamp(cmd, VK_PIPELINE_STAGE_VERTEX_SHADER_BIT, pool, 1);
   vkCmdEndRenderPass(cmd);
   vkCmdWriteTimestamp(cmd, VK_PIPELINE_STAGE_BOTTOM_OF_PIPE_BIT, pool, 2);
   vkCmdCopyQueryPoolResults(cmd, pool, 0, 3, buffer.buffer, 0, 8, VK_QUERY_RESULT_64_BIT | VK_QUERY_RESULT_WAIT_BIT);
   vkt_barrier(cmd);
   vkx_submit_and_wait(vkx, cmd);
   cmd = vkx_begin(vkx);
   PFN_vkCmdWriteTimestamp2KHR write2 = VKT_PROC(vkx, vkCmdWriteTimestamp2KHR);
   if (write2 && vkt_has("VK_KHR_synchronization2"))
      write2(cmd, VK_PIPELINE_STAGE_2_ALL_COMMANDS_BIT, pool, 3);
   else
      vkCmdWriteTimestamp(cmd, VK_PIPELINE_STAGE_ALL_COMMANDS_BIT, pool, 3);
   vkx_submit_and_wait(vkx, cmd);
   VkResult result = vkGetQueryPoolResults(vkx->device, pool, 0, 4, sizeof(ticks), ticks, 8,
                                           VK_QUERY_RESULT_64_BIT | VK_QUERY_RESULT_WAIT_BIT);
   vkt_expect(result == VK_SUCCESS && ticks[0] && ticks[0] <= ticks[2] && ticks[2] <= ticks[3],
              "order of timestamps");
   vkt_expect(!memcmp(copied, ticks, 24), "timestamps in a buffer");
   double seconds = (double)(ticks[3] - ticks[0]) * vkx->properties.limits.timestampPeriod * 1e-9;
   vkt_expect(seconds > 0 && seconds < 60, "%g seconds between timestamps", seconds);
   vkDestroyQueryPool(vkx->device, pool, NULL);
   vkx_buffer_destroy(vkx, &buffer);
   scene_destroy(&scene);
}

/* ---- pipeline statistics of six vertices (two triangles, 256 pixels) and three groups of 32 invocations ---- */

static const struct {
   uint64_t least, most;
} statistics[11] = {{6, 6}, {2, 2}, {4, 6}, {0, 0}, {0, 0}, {2, 2}, {2, 2}, {256, 512}, {0, 0}, {0, 0}, {96, 96}};

enum { COUNTERS = 0x4e7, PARAMETERS_B = 160, GROUPS_B = 192 }; /* bytes: in the buffer */

static const VkQueryPipelineStatisticFlags masks[] = {0x4e7, 0x001, 0x080, 0x400, 0x0c2, 0x405};

struct work {
   VkPipelineLayout layout;
   VkDescriptorSet set;
   VkPipeline triangles, compute;
};

static void
record_draw(const struct scene *scene, const struct work *work, VkCommandBuffer cmd, const struct vkx_buffer *buffer,
            bool indirect)
{
   const struct vkt_quad quad = {-0.5f, -0.5f, 0, 0, {1, 1, 1, 1}, 0.5f};
   vkCmdBindPipeline(cmd, VK_PIPELINE_BIND_POINT_GRAPHICS, work->triangles);
   vkCmdPushConstants(cmd, scene->layout, VKT_QUAD_STAGES, 0, sizeof(quad), &quad);
   vkCmdBindIndexBuffer(cmd, buffer->buffer, 128, VK_INDEX_TYPE_UINT16);
   if (indirect)
      vkCmdDrawIndexedIndirect(cmd, buffer->buffer, PARAMETERS_B, 1, 0);
   else
      vkCmdDrawIndexed(cmd, 6, 1, 0, 0, 0);
}

static void
record_work(const struct scene *scene, const struct work *work, VkCommandBuffer cmd, const struct vkx_buffer *buffer)
{
   vkt_target_begin(cmd, &scene->target, scene->target.pass, VK_SUBPASS_CONTENTS_INLINE);
   record_draw(scene, work, cmd, buffer, false);
   vkCmdEndRenderPass(cmd);
   vkCmdBindPipeline(cmd, VK_PIPELINE_BIND_POINT_COMPUTE, work->compute);
   vkCmdBindDescriptorSets(cmd, VK_PIPELINE_BIND_POINT_COMPUTE, work->layout, 0, 1, &work->set, 0, NULL);
   vkCmdDispatch(cmd, 3, 1, 1);
}

static void
test_mask(const struct scene *scene, const struct work *work, const struct vkx_buffer *buffer,
          VkQueryPipelineStatisticFlags mask)
{
   const VkQueryResultFlags flags = VK_QUERY_RESULT_64_BIT | VK_QUERY_RESULT_WITH_AVAILABILITY_BIT;
   VkQueryPool pool = pool_create(scene->vkx, VK_QUERY_TYPE_PIPELINE_STATISTICS, 2, mask);
   uint32_t count = (uint32_t)__builtin_popcount(mask), at = 0;
   uint64_t host[2][12] = {{0}}, *copied = buffer->map;
   memset(buffer->map, 0, 128);
   VkCommandBuffer cmd = vkx_begin(scene->vkx);
   vkCmdResetQueryPool(cmd, pool, 0, 2);
   vkCmdBeginQuery(cmd, pool, 1, 0);
   vkCmdEndQuery(cmd, pool, 1);
   vkCmdBeginQuery(cmd, pool, 0, 0);
   record_work(scene, work, cmd, buffer);
   vkCmdEndQuery(cmd, pool, 0);
   vkt_barrier(cmd);
   vkCmdCopyQueryPoolResults(cmd, pool, 0, 1, buffer->buffer, 16, 0, flags | VK_QUERY_RESULT_WAIT_BIT);
   vkt_barrier(cmd);
   vkx_submit_and_wait(scene->vkx, cmd);
   VkResult result =
      vkGetQueryPoolResults(scene->vkx->device, pool, 0, 2, sizeof(host), host, sizeof(host[0]), flags);
   vkt_expect(result == VK_SUCCESS && host[0][count] == 1 && host[1][count] == 1, "statistics 0x%x", mask);
   for (unsigned bit = 0; bit < 11; bit++) {
      if (!(mask >> bit & 1))
         continue;
      vkt_expect(host[0][at] >= statistics[bit].least && host[0][at] <= statistics[bit].most,
                 "statistics 0x%x: counter %u is %lu", mask, bit, (unsigned long)host[0][at]);
      vkt_expect(host[1][at] == 0, "statistics 0x%x: counter %u of nothing", mask, bit);
      at++;
   }
   vkt_expect(!memcmp(copied + 2, host[0], (count + 1) * 8), "statistics 0x%x in a buffer", mask);
   vkDestroyQueryPool(scene->vkx->device, pool, NULL);
}

/* ---- the same work in other ways: parameters in memory, draws in a secondary that runs twice ---- */

static const struct {
   const char *name;
   bool indirect, secondary;
} ways[] = {{"in memory", true, false}, {"in a secondary", false, true}, {"in memory, in a secondary", true, true}};

static void
test_way(const struct scene *scene, const struct work *work, const struct vkx_buffer *buffer, unsigned way)
{
   const VkDrawIndexedIndirectCommand parameters = {6, 1, 0, 0, 0};
   const uint32_t groups[3] = {3, 1, 1}, times = ways[way].secondary ? 2 : 1;
   VkQueryPool pool = pool_create(scene->vkx, VK_QUERY_TYPE_PIPELINE_STATISTICS, 1, COUNTERS);
   VkCommandBuffer twice[2], cmd;
   uint64_t values[11];
   memcpy((char *)buffer->map + PARAMETERS_B, &parameters, sizeof(parameters));
   memcpy((char *)buffer->map + GROUPS_B, groups, sizeof(groups));
   twice[0] = twice[1] = vkt_secondary_begin(scene->vkx, &scene->target, 0, true);
   record_draw(scene, work, twice[0], buffer, ways[way].indirect);
   vkx_check(vkEndCommandBuffer(twice[0]), "vkEndCommandBuffer");
   cmd = vkx_begin(scene->vkx);
   vkCmdResetQueryPool(cmd, pool, 0, 1);
   vkCmdBeginQuery(cmd, pool, 0, 0);
   vkt_target_begin(cmd, &scene->target, scene->target.pass,
                    ways[way].secondary ? VK_SUBPASS_CONTENTS_SECONDARY_COMMAND_BUFFERS : VK_SUBPASS_CONTENTS_INLINE);
   if (ways[way].secondary)
      vkCmdExecuteCommands(cmd, 2, twice);
   else
      record_draw(scene, work, cmd, buffer, ways[way].indirect);
   vkCmdEndRenderPass(cmd);
   vkCmdBindPipeline(cmd, VK_PIPELINE_BIND_POINT_COMPUTE, work->compute);
   vkCmdBindDescriptorSets(cmd, VK_PIPELINE_BIND_POINT_COMPUTE, work->layout, 0, 1, &work->set, 0, NULL);
   vkCmdDispatchIndirect(cmd, buffer->buffer, GROUPS_B);
   vkCmdEndQuery(cmd, pool, 0);
   vkx_submit_and_wait(scene->vkx, cmd);
   VkResult result = vkGetQueryPoolResults(scene->vkx->device, pool, 0, 1, sizeof(values), values, sizeof(values),
                                           VK_QUERY_RESULT_64_BIT);
   vkt_expect(result == VK_SUCCESS, "statistics of work %s", ways[way].name);
   for (unsigned bit = 0, at = 0; bit < 11; bit++) {
      if (!(COUNTERS >> bit & 1))
         continue;
      uint64_t value = values[at++], runs = bit == 10 ? 1 : times;
      /* Fragments that a later one hides need not run. */
      vkt_expect(value >= (bit == 7 ? 1 : runs) * statistics[bit].least && value <= runs * statistics[bit].most,
                 "statistics of work %s: counter %u is %lu", ways[way].name, bit, (unsigned long)value);
   }
   vkFreeCommandBuffers(scene->vkx->device, scene->vkx->pool, 1, twice);
   vkDestroyQueryPool(scene->vkx->device, pool, NULL);
}

static void
test_statistics(struct vkx *vkx)
{
   if (!vkt_features.pipelineStatisticsQuery) {
      vkt_skip("pipeline statistics");
      return;
   }
   struct scene scene = scene_create(vkx, VK_SAMPLE_COUNT_1_BIT);
   struct vkx_buffer buffer = vkt_buffer_create(vkx, 256, 0);
   const VkDescriptorType type = VK_DESCRIPTOR_TYPE_STORAGE_BUFFER;
   VkDescriptorSetLayout set_layout = vkx_set_layout_create(vkx, 1, &type, VK_SHADER_STAGE_COMPUTE_BIT);
   struct work work = {
      .layout = vkx_pipeline_layout_create(vkx, set_layout, 0, 0),
      .set = vkt_set_create(vkx, set_layout, type, &buffer),
      .triangles =
         vkt_pipeline_create(vkx, &(struct vkt_pipeline_info){.pass = scene.target.pass,
                                                              .layout = scene.layout,
                                                              .vertex = VKT_CODE(quad_vert),
                                                              .fragment = VKT_CODE(quad_frag),
                                                              .topology = VK_PRIMITIVE_TOPOLOGY_TRIANGLE_LIST}),
   };
   work.compute =
      vkx_compute_pipeline_create(vkx, work.layout, vkx_shader_create(vkx, count_comp, sizeof(count_comp)));
   static const uint16_t indices[6] = {0, 1, 2, 2, 1, 3};
   memcpy((char *)buffer.map + 128, indices, sizeof(indices));
   for (unsigned i = 0; i < ARRAY_SIZE(masks); i++)
      test_mask(&scene, &work, &buffer, masks[i]);
   for (unsigned i = 0; i < ARRAY_SIZE(ways); i++) {
      if (!ways[i].secondary || vkt_features.inheritedQueries)
         test_way(&scene, &work, &buffer, i);
   }
   vkDestroyPipeline(vkx->device, work.compute, NULL);
   vkDestroyPipeline(vkx->device, work.triangles, NULL);
   vkDestroyPipelineLayout(vkx->device, work.layout, NULL);
   vkDestroyDescriptorSetLayout(vkx->device, set_layout, NULL);
   vkt_sets_destroy(vkx);
   vkx_buffer_destroy(vkx, &buffer);
   scene_destroy(&scene);
}

/* ---- what passes the clipper: whatever has a vertex in the view volume, seen or not ---- */

static void
test_clipping(struct vkx *vkx)
{
   static const struct {
      const char *name;
      struct vkt_quad quad; /* its first three vertices, or two, or one */
      VkCullModeFlags cull;
      bool inside;
   } rows[] = {
      {"seen", {-0.5f, -0.5f, 0.5f, 0.5f, {1, 1, 1, 1}, 0.5f}, VK_CULL_MODE_NONE, true},
      {"of the wrong faces", {-0.5f, -0.5f, 0.5f, 0.5f, {1, 1, 1, 1}, 0.5f}, VK_CULL_MODE_FRONT_AND_BACK, true},
      {"without area", {-0.5f, -0.5f, -0.5f, 0.5f, {1, 1, 1, 1}, 0.5f}, VK_CULL_MODE_NONE, true},
      {"at one place", {0.1f, 0.1f, 0.1f, 0.1f, {1, 1, 1, 1}, 0.5f}, VK_CULL_MODE_NONE, true},
      {"partly inside", {-0.5f, -0.5f, 9, 9, {1, 1, 1, 1}, 0.5f}, VK_CULL_MODE_NONE, true},
      {"on the left", {-3, -0.5f, -2, 0.5f, {1, 1, 1, 1}, 0.5f}, VK_CULL_MODE_NONE, false},
      {"too far", {-0.5f, -0.5f, 0.5f, 0.5f, {1, 1, 1, 1}, 2}, VK_CULL_MODE_NONE, false},
   };
   static const VkQueryPipelineStatisticFlags both =
      VK_QUERY_PIPELINE_STATISTIC_CLIPPING_INVOCATIONS_BIT | VK_QUERY_PIPELINE_STATISTIC_CLIPPING_PRIMITIVES_BIT;
   static const VkPrimitiveTopology topologies[] = {VK_PRIMITIVE_TOPOLOGY_LINE_LIST,
                                                    VK_PRIMITIVE_TOPOLOGY_TRIANGLE_LIST};
   if (!vkt_features.pipelineStatisticsQuery)
      return;
   struct scene scene = scene_create(vkx, VK_SAMPLE_COUNT_1_BIT);
   for (unsigned i = 0; i < ARRAY_SIZE(rows) * ARRAY_SIZE(topologies); i++) {
      const unsigned row = i % ARRAY_SIZE(rows), vertices = 2 + i / ARRAY_SIZE(rows);
      const VkPipelineRasterizationStateCreateInfo raster = {
         .sType = VK_STRUCTURE_TYPE_PIPELINE_RASTERIZATION_STATE_CREATE_INFO,
         .cullMode = rows[row].cull,
         .lineWidth = 1};
      VkPipeline pipeline = vkt_pipeline_create(vkx, &(struct vkt_pipeline_info){.pass = scene.target.pass,
                                                                                 .layout = scene.layout,
                                                                                 .vertex = VKT_CODE(quad_vert),
                                                                                 .fragment = VKT_CODE(quad_frag),
                                                                                 .topology = topologies[vertices - 2],
                                                                                 .raster = &raster});
      VkQueryPool pool = pool_create(vkx, VK_QUERY_TYPE_PIPELINE_STATISTICS, 1, both);
      uint64_t counts[2];
      VkCommandBuffer cmd = vkx_begin(vkx);
      vkCmdResetQueryPool(cmd, pool, 0, 1);
      vkt_target_begin(cmd, &scene.target, scene.target.pass, VK_SUBPASS_CONTENTS_INLINE);
      vkCmdBindPipeline(cmd, VK_PIPELINE_BIND_POINT_GRAPHICS, pipeline);
      vkCmdPushConstants(cmd, scene.layout, VKT_QUAD_STAGES, 0, sizeof(rows[row].quad), &rows[row].quad);
      vkCmdBeginQuery(cmd, pool, 0, 0);
      vkCmdDraw(cmd, vertices, 5, 0, 0);
      vkCmdEndQuery(cmd, pool, 0);
      vkCmdEndRenderPass(cmd);
      vkx_submit_and_wait(vkx, cmd);
      vkx_check(vkGetQueryPoolResults(vkx->device, pool, 0, 1, sizeof(counts), counts, sizeof(counts),
                                      VK_QUERY_RESULT_64_BIT | VK_QUERY_RESULT_WAIT_BIT),
                "vkGetQueryPoolResults");
      /* Those outside may count, too. */
      vkt_expect(counts[0] == 5 && (rows[row].inside ? counts[1] >= 5 : counts[1] <= 5),
                 "%u vertices %s: %lu of %lu primitives pass the clipper", vertices, rows[row].name,
                 (unsigned long)counts[1], (unsigned long)counts[0]);
      vkDestroyQueryPool(vkx->device, pool, NULL);
      vkDestroyPipeline(vkx->device, pipeline, NULL);
   }
   scene_destroy(&scene);
}

/* ---- a secondary command buffer runs inside of the queries of its primary ---- */

static void
test_inherited(struct vkx *vkx)
{
   if (!vkt_features.inheritedQueries) {
      vkt_skip("inherited queries");
      return;
   }
   struct scene scene = scene_create(vkx, VK_SAMPLE_COUNT_1_BIT);
   VkQueryPool pool = pool_create(vkx, VK_QUERY_TYPE_OCCLUSION, 2, 0);
   VkCommandBuffer secondary = vkt_secondary_begin(vkx, &scene.target, VK_QUERY_CONTROL_PRECISE_BIT, true), cmd;
   uint64_t counts[2];
   vkCmdBindPipeline(secondary, VK_PIPELINE_BIND_POINT_GRAPHICS, scene.pipeline);
   draw_one(&scene, secondary, 3);
   vkx_check(vkEndCommandBuffer(secondary), "vkEndCommandBuffer");
   cmd = vkx_begin(vkx);
   vkCmdResetQueryPool(cmd, pool, 0, 2);
   vkt_target_begin(cmd, &scene.target, scene.target.pass, VK_SUBPASS_CONTENTS_SECONDARY_COMMAND_BUFFERS);
   vkCmdExecuteCommands(cmd, 1, &secondary);
   vkCmdEndRenderPass(cmd);
   for (uint32_t i = 0; i < 2; i++) {
      vkCmdBeginQuery(cmd, pool, i, VK_QUERY_CONTROL_PRECISE_BIT);
      vkt_target_begin(cmd, &scene.target, scene.target.pass, VK_SUBPASS_CONTENTS_SECONDARY_COMMAND_BUFFERS);
      vkCmdExecuteCommands(cmd, 1, &secondary);
      vkCmdEndRenderPass(cmd);
      vkCmdEndQuery(cmd, pool, i);
   }
   vkx_submit_and_wait(vkx, cmd);
   VkResult result =
      vkGetQueryPoolResults(vkx->device, pool, 0, 2, sizeof(counts), counts, 8, VK_QUERY_RESULT_64_BIT);
   vkt_expect(result == VK_SUCCESS && counts[0] == draws[3].passing_px && counts[1] == counts[0],
              "queries around a secondary command buffer: %lu, %lu", (unsigned long)counts[0],
              (unsigned long)counts[1]);
   vkFreeCommandBuffers(vkx->device, vkx->pool, 1, &secondary);
   vkDestroyQueryPool(vkx->device, pool, NULL);
   scene_destroy(&scene);
}

int
main(int argc, char **argv)
{
   struct vkx vkx = vkt_create("queries");
   test_occlusion(&vkx, VK_SAMPLE_COUNT_1_BIT);
   test_occlusion(&vkx, VK_SAMPLE_COUNT_4_BIT);
   test_alpha_to_coverage(&vkx);
   test_accesses(&vkx);
   test_timestamps(&vkx);
   test_statistics(&vkx);
   test_clipping(&vkx);
   test_inherited(&vkx);
   return vkt_finish(&vkx);
}
