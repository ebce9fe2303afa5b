/* Transform feedback of geometry shaders: what invocations emit, in order, and queries, of all topologies, with
 * restarts and instances; against what the CPU unrolls. */
#include "pass_helpers.h"

static const uint32_t vertex_code[] = {
#include "emitted.vert.inc"
};
static const uint32_t points_code[] = {
#include "emitted_points.geom.inc"
};
static const uint32_t lines_code[] = {
#include "emitted_lines.geom.inc"
};
static const uint32_t triangles_code[] = {
#include "emitted_triangles.geom.inc"
};
static const uint32_t lines_adjacency_code[] = {
#include "emitted_lines_adjacency.geom.inc"
};
static const uint32_t triangles_adjacency_code[] = {
#include "emitted_triangles_adjacency.geom.inc"
};

enum { BUFFERS = 2, BUFFER_B = 1 << 18, GUARD = 0xcd, VERTICES = 83, INSTANCES = 2, INVOCATIONS = 2, MAX = 8192 };
static const uint32_t streams_code[] = {
#include "emitted_streams.geom.inc"
};

static const uint32_t bare_code[] = {
#include "emitted_bare.geom.inc"
};

static const uint32_t bindings[BUFFERS] = {0, 2}, strides_B[BUFFERS] = {24, 8};

static struct vkt_target target;
static struct vkx_buffer buffers[BUFFERS], counters, indices, seen; /* seen: the greatest vertex that was shaded */
static VkQueryPool captured, generated;
static bool preserves_provoking, provokes_last; /* the device; pipelines */
static bool own_counters; /* of buffers that do not stop when another one is full (docs/found.md) */
static PFN_vkCmdBindTransformFeedbackBuffersEXT bind;
static PFN_vkCmdBeginTransformFeedbackEXT begin_xfb;
static PFN_vkCmdEndTransformFeedbackEXT end_xfb;

/* Corners of a primitive, vertices from one to the next, and what is made of them. */
static const struct topology {
   uint32_t corners, step, made;
   struct vkt_code geometry;
} topologies[] = {
   {1, 1, 1, VKT_CODE(points_code)},
   {2, 2, 2, VKT_CODE(lines_code)},
   {2, 1, 2, VKT_CODE(lines_code)},
   {3, 3, 3, VKT_CODE(triangles_code)},
   {3, 1, 3, VKT_CODE(triangles_code)},
   {3, 1, 3, VKT_CODE(triangles_code)},
   {4, 4, 3, VKT_CODE(lines_adjacency_code)},
   {4, 1, 3, VKT_CODE(lines_adjacency_code)},
   {6, 6, 2, VKT_CODE(triangles_adjacency_code)},
   {6, 2, 2, VKT_CODE(triangles_adjacency_code)},
};

/* ---- what is expected ---- */

struct vertex {
   uint32_t made[4], hash;
   float later;
};

static struct vertex expected[MAX];
static uint32_t num_expected;

/* Corner k of primitive p of n of a run. Source: the specification's figures of topologies. */
static uint32_t
corner(uint32_t topology, uint32_t p, uint32_t k, uint32_t n)
{
   const uint32_t odd = p % 2, first = topologies[topology].step * p;
   const uint32_t beyond = 2 * p + (p + 1 == n ? 5 : 6);
   const uint32_t even_corners[] = {2 * p, p ? 2 * p - 2 : 1, 2 * p + 2, beyond, 2 * p + 4, 2 * p + 3};
   const uint32_t odd_corners[] = {2 * p, 2 * p + 3, 2 * p + 4, beyond, 2 * p + 2, 2 * p - 2};
   if (topology == VK_PRIMITIVE_TOPOLOGY_TRIANGLE_STRIP)
      return k == 0 ? p : k == 1 ? p + 1 + odd : p + 2 - odd;
   if (topology == VK_PRIMITIVE_TOPOLOGY_TRIANGLE_FAN)
      return k == 2 ? 0 : p + 1 + k;
   if (topology == VK_PRIMITIVE_TOPOLOGY_TRIANGLE_STRIP_WITH_ADJACENCY)
      return odd ? odd_corners[k] : even_corners[k];
   return first + k;
}

/* The primitives of one strip. */
static void
expect_strip(const struct vertex *strip, uint32_t count, uint32_t made)
{
   for (uint32_t p = 0; p + made <= count; p++) {
      static const uint8_t odd[2][3] = {{0, 2, 1}, {1, 0, 2}};
      for (uint32_t k = 0; k < made; k++)
         expected[num_expected++] = strip[p + (made == 3 && p % 2 ? odd[provokes_last][k] : k)];
   }
}

static void
expect_invocation(uint32_t primitive, uint32_t invocation, const uint32_t *numbers, const struct topology *topology)
{
   const uint32_t vertices = (primitive * 7 + invocation * 3) % 11;
   struct vertex strip[5];
   uint32_t hash = 0, count = 0;
   for (uint32_t i = 0; i < topology->corners; i++)
      hash = hash * 31 + numbers[i];
   for (uint32_t i = 0; i < vertices; i++) {
      strip[count++] = (struct vertex){{primitive, invocation, i, numbers[0]}, hash, (float)i * 0.5f};
      if (i % 5 == 4 || i + 1 == vertices) {
         expect_strip(strip, count, topology->made);
         count = 0;
      }
   }
}

static void
expect_run(uint32_t number, const uint32_t *run, uint32_t count, uint32_t *primitive)
{
   const struct topology *topology = &topologies[number];
   const uint32_t n = count < topology->corners ? 0 : (count - topology->corners) / topology->step + 1;
   for (uint32_t p = 0; p < n; p++, (*primitive)++) {
      uint32_t numbers[6];
      for (uint32_t k = 0; k < topology->corners; k++)
         numbers[k] = run[corner(number, p, k, n)];
      for (uint32_t i = 0; i < INVOCATIONS; i++)
         expect_invocation(*primitive, i, numbers, topology);
   }
}

static void
expect_draw(uint32_t topology, bool indexed)
{
   uint32_t run[VERTICES];
   for (uint32_t instance = 0; instance < INSTANCES; instance++) {
      uint32_t count = 0, primitive = 0;
      for (uint32_t i = 0; i < VERTICES; i++) {
         const uint32_t index = indexed ? ((const uint32_t *)indices.map)[i] : i;
         if (index != UINT32_MAX) {
            run[count++] = index + 1000 * instance;
            continue;
         }
         expect_run(topology, run, count, &primitive);
         count = 0;
      }
      expect_run(topology, run, count, &primitive);
   }
}

/* Any vertex of a triangle may be the first where a device does not preserve the provoking one. */
static void
turn_triangle(const char *got, struct vertex *want)
{
   for (unsigned turn = 0; turn < 3; turn++) {
      const struct vertex turned[3] = {want[turn], want[(turn + 1) % 3], want[(turn + 2) % 3]};
      if (memcmp(got, turned[0].made, 16) == 0) {
         memcpy(want, turned, sizeof(turned));
         return;
      }
   }
}

static void
check_buffers(uint32_t fit, uint32_t made, const char *what)
{
   static uint8_t want[BUFFERS][BUFFER_B];
   memset(want, GUARD, sizeof(want));
   for (uint32_t i = 0; made == 3 && i + 2 < fit && !preserves_provoking; i += 3)
      turn_triangle((const char *)buffers[0].map + 24 * i, &expected[i]);
   for (uint32_t i = 0; i < fit; i++) {
      memcpy(want[0] + 24 * i, expected[i].made, 16);
      memcpy(want[0] + 24 * i + 20, &expected[i].hash, 4);
      memcpy(want[1] + 8 * i + 4, &expected[i].later, 4);
   }
   for (unsigned b = 0; b < BUFFERS; b++) {
      uint32_t at = 0;
      while (at < BUFFER_B && want[b][at] == ((const uint8_t *)buffers[b].map)[at])
         at++;
      vkt_expect(at == BUFFER_B, "%s: buffer %u, byte %u (vertex %u of %u)", what, bindings[b], at, at / strides_B[b],
                 fit);
   }
}

/* ---- drawing ---- */

static VkPipeline
pipeline_of(uint32_t topology, struct vkt_code geometry, bool restart, bool discard)
{
   const VkPipelineRasterizationProvokingVertexStateCreateInfoEXT provoking = {
      .sType = VK_STRUCTURE_TYPE_PIPELINE_RASTERIZATION_PROVOKING_VERTEX_STATE_CREATE_INFO_EXT,
      .provokingVertexMode = VK_PROVOKING_VERTEX_MODE_LAST_VERTEX_EXT};
   const VkPipelineRasterizationStateCreateInfo raster = {
      .sType = VK_STRUCTURE_TYPE_PIPELINE_RASTERIZATION_STATE_CREATE_INFO,
      .pNext = provokes_last ? &provoking : NULL,
      .rasterizerDiscardEnable = discard,
      .lineWidth = 1};
   return vkt_pipeline_create(vkx, &(struct vkt_pipeline_info){.pass = target.pass,
                                                               .layout = quad_layout,
                                                               .vertex = VKT_CODE(vertex_code),
                                                               .geometry = geometry,
                                                               .topology = (VkPrimitiveTopology)topology,
                                                               .points = topology == 0,
                                                               .restart = restart,
                                                               .raster = &raster});
}

static VkPipeline
pipeline_create(uint32_t topology, bool restart, bool discard)
{
   return pipeline_of(topology, topologies[topology].geometry, restart, discard);
}

static void
bind_pipeline(VkCommandBuffer cmd, VkPipeline pipeline)
{
   const uint64_t seen_va = vkt_address(vkx, &seen);
   vkCmdBindPipeline(cmd, VK_PIPELINE_BIND_POINT_GRAPHICS, pipeline);
   vkCmdPushConstants(cmd, quad_layout, VKT_QUAD_STAGES, 0, sizeof(seen_va), &seen_va);
}

static void
record_draw(VkCommandBuffer cmd, bool indexed)
{
   if (indexed)
      vkCmdDrawIndexed(cmd, VERTICES, INSTANCES, 0, 0, 0);
   else
      vkCmdDraw(cmd, VERTICES, INSTANCES, 0, 0);
}

static void
check_query(VkQueryPool pool, unsigned count, const uint64_t *want, const char *what)
{
   uint64_t got[2] = {0};
   vkx_check(vkGetQueryPoolResults(vkx->device, pool, 0, 1, sizeof(got), got, 8 * count,
                                   VK_QUERY_RESULT_64_BIT | VK_QUERY_RESULT_WAIT_BIT),
             "vkGetQueryPoolResults");
   for (unsigned i = 0; i < count; i++)
      vkt_expect(got[i] == want[i], "%s: value %u of the query is %llu, not %llu", what, i,
                 (unsigned long long)got[i], (unsigned long long)want[i]);
}

/* Draws twice, the second time where the counters say. limit: of vertices in the second buffer. */
static void
draw_twice(uint32_t topology, bool indexed, VkPipeline pipeline, uint32_t limit)
{
   const VkBuffer of[3] = {counters.buffer, VK_NULL_HANDLE, counters.buffer};
   const VkDeviceSize offsets[3] = {0, 0, 4}, none = 0, sizes[BUFFERS] = {VK_WHOLE_SIZE, limit * 8};
   const VkClearAttachment clear = {VK_IMAGE_ASPECT_COLOR_BIT, 0, clear_color(BYTES(1, 2, 3, 4))};
   const VkClearRect rect = {{{1, 1}, {4, 4}}, 0, 1};
   VkCommandBuffer cmd = vkx_begin(vkx);
   vkCmdResetQueryPool(cmd, captured, 0, 1);
   if (generated)
      vkCmdResetQueryPool(cmd, generated, 0, 1);
   vkt_target_begin(cmd, &target, target.pass, VK_SUBPASS_CONTENTS_INLINE);
   bind_pipeline(cmd, pipeline);
   vkCmdBindIndexBuffer(cmd, indices.buffer, 0, VK_INDEX_TYPE_UINT32);
   for (unsigned b = 0; b < BUFFERS; b++)
      bind(cmd, bindings[b], 1, &buffers[b].buffer, &none, &sizes[b]);
   vkCmdBeginQuery(cmd, captured, 0, 0);
   if (generated)
      vkCmdBeginQuery(cmd, generated, 0, 0);
   begin_xfb(cmd, 0, 0, NULL, NULL);
   record_draw(cmd, indexed);
   vkCmdClearAttachments(cmd, 1, &clear, 1, &rect); /* counts nowhere */
   record_draw(cmd, indexed);
   end_xfb(cmd, 0, 3, of, offsets);
   vkCmdEndQuery(cmd, captured, 0);
   if (generated)
      vkCmdEndQuery(cmd, generated, 0);
   vkCmdEndRenderPass(cmd);
   vkx_memory_barrier(cmd, VK_PIPELINE_STAGE_TRANSFORM_FEEDBACK_BIT_EXT,
                      VK_ACCESS_TRANSFORM_FEEDBACK_WRITE_BIT_EXT | VK_ACCESS_TRANSFORM_FEEDBACK_COUNTER_WRITE_BIT_EXT,
                      VK_PIPELINE_STAGE_HOST_BIT, VK_ACCESS_HOST_READ_BIT);
   vkx_submit_and_wait(vkx, cmd);
}

static void
test(uint32_t topology, bool indexed, bool discard, uint32_t limit)
{
   char what[64];
   const uint32_t made = topologies[topology].made;
   VkPipeline pipeline = pipeline_create(topology, indexed, discard);
   snprintf(what, sizeof(what), "topology %u%s, room for %u", topology, indexed ? " with restarts" : "", limit);
   for (unsigned b = 0; b < BUFFERS; b++)
      memset(buffers[b].map, GUARD, BUFFER_B);
   *(uint32_t *)seen.map = 0;
   draw_twice(topology, indexed, pipeline, limit);
   /* A restart is no vertex. Those of no whole primitive need not be shaded. */
   const uint32_t greatest = *(const uint32_t *)seen.map, last = indexed ? 60 : VERTICES - 1;
   vkt_expect(greatest <= last && greatest + 5 >= last, "%s: the greatest vertex is %u of %u", what, greatest, last);
   num_expected = 0;
   expect_draw(topology, indexed);
   expect_draw(topology, indexed);
   const uint32_t fit = (limit < num_expected ? limit : num_expected) / made * made;
   const uint64_t counts[2] = {fit / made, num_expected / made};
   check_buffers(fit, made, what);
   check_query(captured, 2, counts, what);
   if (generated)
      check_query(generated, 1, counts + 1, what);
   for (unsigned b = 0; b < BUFFERS; b++) {
      const uint32_t filled = !own_counters ? fit : b && limit < num_expected ? limit : num_expected;
      vkt_expect(((const uint32_t *)counters.map)[b] == filled * strides_B[b], "%s: counter %u is %u, not %u", what,
                 b, ((const uint32_t *)counters.map)[b], filled * strides_B[b]);
   }
   vkDestroyPipeline(vkx->device, pipeline, NULL);
}

/* More than a driver may have memory for at once: two draws in a pass, with much of nothing captured. */
static void
test_many(bool indirect)
{
   enum { POINTS = 40000 };
   const VkDrawIndirectCommand parameters = {POINTS, 1, 0, 0};
   VkPipeline pipeline = pipeline_create(VK_PRIMITIVE_TOPOLOGY_POINT_LIST, false, true);
   const VkDeviceSize none = 0;
   uint64_t made = 0;
   for (uint32_t i = 0; i < POINTS; i++)
      made += i * 7 % 11 + (i * 7 + 3) % 11;
   memcpy(indices.map, &parameters, sizeof(parameters));
   VkCommandBuffer cmd = vkx_begin(vkx);
   vkCmdResetQueryPool(cmd, captured, 0, 1);
   vkt_target_begin(cmd, &target, target.pass, VK_SUBPASS_CONTENTS_INLINE);
   bind_pipeline(cmd, pipeline);
   for (unsigned b = 0; b < BUFFERS; b++)
      bind(cmd, bindings[b], 1, &buffers[b].buffer, &none, NULL);
   vkCmdBeginQuery(cmd, captured, 0, 0);
   begin_xfb(cmd, 0, 0, NULL, NULL);
   for (unsigned i = 0; i < 2; i++) {
      if (indirect)
         vkCmdDrawIndirect(cmd, indices.buffer, 0, 1, 0);
      else
         vkCmdDraw(cmd, POINTS, 1, 0, 0);
   }
   end_xfb(cmd, 0, 0, NULL, NULL);
   vkCmdEndQuery(cmd, captured, 0);
   vkCmdEndRenderPass(cmd);
   vkx_submit_and_wait(vkx, cmd);
   check_query(captured, 2, (const uint64_t[]){BUFFER_B / 24, 2 * made}, indirect ? "many, indirect" : "many");
   vkDestroyPipeline(vkx->device, pipeline, NULL);
}

static void
record_many(VkCommandBuffer cmd, VkPipeline pipeline, uint32_t points, uint32_t query)
{
   const VkDeviceSize none = 0;
   bind_pipeline(cmd, pipeline);
   for (unsigned b = 0; b < BUFFERS; b++)
      bind(cmd, bindings[b], 1, &buffers[b].buffer, &none, NULL);
   vkCmdBeginQuery(cmd, captured, query, 0);
   begin_xfb(cmd, 0, 0, NULL, NULL);
   vkCmdDraw(cmd, points, 1, 0, 0);
   end_xfb(cmd, 0, 0, NULL, NULL);
   vkCmdEndQuery(cmd, captured, query);
}

/* As much in two secondaries of a pass. */
static void
test_many_secondaries(void)
{
   enum { POINTS = 40000 };
   VkPipeline pipeline = pipeline_create(VK_PRIMITIVE_TOPOLOGY_POINT_LIST, false, true);
   VkCommandBuffer secondaries[2], cmd = vkx_begin(vkx);
   uint64_t made = 0, got[4] = {0};
   for (uint32_t i = 0; i < POINTS; i++)
      made += i * 7 % 11 + (i * 7 + 3) % 11;
   vkCmdResetQueryPool(cmd, captured, 0, 2);
   vkt_target_begin(cmd, &target, target.pass, VK_SUBPASS_CONTENTS_SECONDARY_COMMAND_BUFFERS);
   for (unsigned i = 0; i < 2; i++) {
      secondaries[i] = vkt_secondary_begin(vkx, &target, 0, false);
      record_many(secondaries[i], pipeline, POINTS, i);
      vkx_check(vkEndCommandBuffer(secondaries[i]), "vkEndCommandBuffer");
   }
   vkCmdExecuteCommands(cmd, 2, secondaries);
   vkCmdEndRenderPass(cmd);
   vkx_submit_and_wait(vkx, cmd);
   vkx_check(vkGetQueryPoolResults(vkx->device, captured, 0, 2, sizeof(got), got, 16,
                                   VK_QUERY_RESULT_64_BIT | VK_QUERY_RESULT_WAIT_BIT),
             "vkGetQueryPoolResults");
   for (unsigned i = 0; i < 2; i++)
      vkt_expect(got[2 * i + 1] == made, "many, secondary %u: %llu points, not %llu", i,
                 (unsigned long long)got[2 * i + 1], (unsigned long long)made);
   vkFreeCommandBuffers(vkx->device, vkx->pool, 2, secondaries);
   vkDestroyPipeline(vkx->device, pipeline, NULL);
}

/* What is in buffers of two streams, and how many points each has written and needed. limit: of the second one. */
static void
expect_streams(uint8_t *low, uint8_t *high, uint32_t limit, uint64_t counts[2][2])
{
   uint64_t points[2] = {0};
   for (uint32_t p = 0; p < VERTICES * INSTANCES; p++) {
      const uint32_t id = p % VERTICES, number = id + 1000 * (p / VERTICES);
      for (uint32_t i = 0; i < id * 7 % 11; i++) {
         const uint32_t is_high = number * 16 + i, is_low[2] = {number, i};
         if ((i + id) % 3)
            memcpy(low + 24 * points[0]++, is_low, 8);
         else if (points[1]++ < limit)
            memcpy(high + 8 * (points[1] - 1) + 4, &is_high, 4);
      }
   }
   for (unsigned b = 0; b < BUFFERS; b++) {
      counts[b][0] = b && points[b] > limit ? limit : points[b];
      counts[b][1] = points[b];
   }
}

static void
test_streams(uint32_t limit)
{ /* 0: the second stream has no buffer */
   static uint8_t want[BUFFERS][BUFFER_B];
   const VkDeviceSize none = 0, sizes[BUFFERS] = {VK_WHOLE_SIZE, limit * 8};
   VkPipeline pipeline = pipeline_of(0, VKT_CODE(streams_code), false, true);
   PFN_vkCmdBeginQueryIndexedEXT begin = VKT_PROC(vkx, vkCmdBeginQueryIndexedEXT);
   PFN_vkCmdEndQueryIndexedEXT end = VKT_PROC(vkx, vkCmdEndQueryIndexedEXT);
   uint64_t counts[2][2], got[2][2] = {0};
   VkCommandBuffer cmd = vkx_begin(vkx);
   vkCmdResetQueryPool(cmd, captured, 0, 2);
   vkt_target_begin(cmd, &target, target.pass, VK_SUBPASS_CONTENTS_INLINE);
   bind_pipeline(cmd, pipeline);
   for (unsigned b = 0; b < BUFFERS; b++) {
      memset(buffers[b].map, GUARD, BUFFER_B);
      if (sizes[b])
         bind(cmd, bindings[b], 1, &buffers[b].buffer, &none, &sizes[b]);
      begin(cmd, captured, b, 0, 2 * b);
   }
   begin_xfb(cmd, 0, 0, NULL, NULL);
   vkCmdDraw(cmd, VERTICES, INSTANCES, 0, 0);
   end_xfb(cmd, 0, 0, NULL, NULL);
   for (unsigned b = 0; b < BUFFERS; b++)
      end(cmd, captured, b, 2 * b);
   vkCmdEndRenderPass(cmd);
   vkx_submit_and_wait(vkx, cmd);
   memset(want, GUARD, sizeof(want));
   expect_streams(want[0], want[1], limit, counts);
   for (unsigned b = 0; b < BUFFERS; b++)
      vkt_expect(memcmp(want[b], buffers[b].map, BUFFER_B) == 0, "stream %u, room for %u: another buffer", 2 * b,
                 limit);
   vkx_check(vkGetQueryPoolResults(vkx->device, captured, 0, 2, sizeof(got), got, 16,
                                   VK_QUERY_RESULT_64_BIT | VK_QUERY_RESULT_WAIT_BIT),
             "vkGetQueryPoolResults");
   for (unsigned i = 0; i < 4; i++)
      vkt_expect(got[i / 2][i % 2] == counts[i / 2][i % 2], "stream %u: value %u of the query is %llu, not %llu",
                 i & 2, i & 1, (unsigned long long)got[i / 2][i % 2], (unsigned long long)counts[i / 2][i % 2]);
   vkDestroyPipeline(vkx->device, pipeline, NULL);
}

/* Nothing is captured, and nothing of the vertices is read: they count. */
static void
test_bare(unsigned streams)
{
   VkPipeline pipeline = pipeline_of(0, VKT_CODE(bare_code), false, true);
   PFN_vkCmdBeginQueryIndexedEXT begin = VKT_PROC(vkx, vkCmdBeginQueryIndexedEXT);
   PFN_vkCmdEndQueryIndexedEXT end = VKT_PROC(vkx, vkCmdEndQueryIndexedEXT);
   uint64_t counts[2][2], got[2] = {0};
   static uint8_t buffer[BUFFERS][BUFFER_B];
   VkCommandBuffer cmd = vkx_begin(vkx);
   vkCmdResetQueryPool(cmd, generated, 0, 2);
   vkt_target_begin(cmd, &target, target.pass, VK_SUBPASS_CONTENTS_INLINE);
   bind_pipeline(cmd, pipeline);
   for (unsigned s = 0; s < streams; s++)
      begin(cmd, generated, s, 0, 2 * s);
   vkCmdDraw(cmd, VERTICES, INSTANCES, 0, 0);
   for (unsigned s = 0; s < streams; s++)
      end(cmd, generated, s, 2 * s);
   vkCmdEndRenderPass(cmd);
   vkx_submit_and_wait(vkx, cmd);
   expect_streams(buffer[0], buffer[1], 0, counts);
   vkx_check(vkGetQueryPoolResults(vkx->device, generated, 0, streams, sizeof(got), got, 8,
                                   VK_QUERY_RESULT_64_BIT | VK_QUERY_RESULT_WAIT_BIT),
             "vkGetQueryPoolResults");
   for (unsigned s = 0; s < streams; s++)
      vkt_expect(got[s] == counts[s][1], "bare stream %u: %llu points, not %llu", 2 * s, (unsigned long long)got[s],
                 (unsigned long long)counts[s][1]);
   vkDestroyPipeline(vkx->device, pipeline, NULL);
}

static VkQueryPool
pool_create(VkQueryType type)
{
   const VkQueryPoolCreateInfo info = {
      .sType = VK_STRUCTURE_TYPE_QUERY_POOL_CREATE_INFO, .queryType = type, .queryCount = 2};
   VkQueryPool pool;
   vkx_check(vkCreateQueryPool(vkx->device, &info, NULL, &pool), "vkCreateQueryPool");
   return pool;
}

static void
start(void)
{
   const VkBufferUsageFlags usage =
      VK_BUFFER_USAGE_TRANSFORM_FEEDBACK_BUFFER_BIT_EXT | VK_BUFFER_USAGE_TRANSFORM_FEEDBACK_COUNTER_BUFFER_BIT_EXT;
   bind = VKT_PROC(vkx, vkCmdBindTransformFeedbackBuffersEXT);
   begin_xfb = VKT_PROC(vkx, vkCmdBeginTransformFeedbackEXT);
   end_xfb = VKT_PROC(vkx, vkCmdEndTransformFeedbackEXT);
   quad_layout = vkt_quad_layout_create(vkx);
   target = vkt_target_create(vkx, RGBA8, VK_FORMAT_UNDEFINED, extent, 1, VK_SAMPLE_COUNT_1_BIT);
   for (unsigned b = 0; b < BUFFERS; b++)
      buffers[b] = vkx_buffer_create(vkx, BUFFER_B, usage, true);
   counters = vkx_buffer_create(vkx, 64, usage, true);
   indices = vkt_buffer_create(vkx, 4 * VERTICES, 0);
   seen = vkt_addressed_create(vkx, 4, 0);
   for (uint32_t i = 0; i < VERTICES; i++)
      ((uint32_t *)indices.map)[i] = i % 37 == 20 || i % 41 == 3 ? UINT32_MAX : i * 7 % 61;
   captured = pool_create(VK_QUERY_TYPE_TRANSFORM_FEEDBACK_STREAM_EXT);
   if (vkt_has("VK_EXT_primitives_generated_query"))
      generated = pool_create(VK_QUERY_TYPE_PRIMITIVES_GENERATED_EXT);
}

static void
finish(void)
{
   vkDestroyQueryPool(vkx->device, captured, NULL);
   vkDestroyQueryPool(vkx->device, generated, NULL);
   for (unsigned b = 0; b < BUFFERS; b++)
      vkx_buffer_destroy(vkx, &buffers[b]);
   vkx_buffer_destroy(vkx, &counters);
   vkx_buffer_destroy(vkx, &indices);
   vkx_buffer_destroy(vkx, &seen);
   vkt_target_destroy(vkx, &target);
   vkDestroyPipelineLayout(vkx->device, quad_layout, NULL);
}

/* --turned yes: of a driver whose triangles may start at any vertex, whatever it says (RADV: odd ones of strips). */
int
main(int argc, char **argv)
{
   struct vkx device = vkt_create("emitted");
   VkPhysicalDeviceProvokingVertexFeaturesEXT provoking = {
      .sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_PROVOKING_VERTEX_FEATURES_EXT};
   VkPhysicalDeviceTransformFeedbackFeaturesEXT streams = {
      .sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_TRANSFORM_FEEDBACK_FEATURES_EXT, .pNext = &provoking};
   VkPhysicalDevicePrimitivesGeneratedQueryFeaturesEXT many = {
      .sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_PRIMITIVES_GENERATED_QUERY_FEATURES_EXT, .pNext = &streams};
   VkPhysicalDeviceFeatures2 features = {.sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_FEATURES_2, .pNext = &many};
   vkx = &device;
   own_counters = !strcmp(vkx_option(argc, argv, "--quirks", ""), "radv");
   vkGetPhysicalDeviceFeatures2(vkx->physical, &features);
   preserves_provoking =
      provoking.transformFeedbackPreservesProvokingVertex && !vkx_option(argc, argv, "--turned", NULL);
   if (!vkt_has("VK_EXT_transform_feedback") || !features.features.geometryShader) {
      vkt_skip("VK_EXT_transform_feedback, geometryShader");
      return vkt_finish(vkx);
   }
   start();
   for (uint32_t topology = 0; topology < 10; topology++) {
      const bool strip = topologies[topology].step < topologies[topology].corners;
      test(topology, false, topology % 2, 8192);
      test(topology, false, true, 100);
      if (strip)
         test(topology, true, false, 8192);
   }
   provokes_last = preserves_provoking;
   if (provokes_last)
      test(VK_PRIMITIVE_TOPOLOGY_TRIANGLE_LIST, false, false, 8192);
   provokes_last = false;
   test_many_secondaries();
   test_many(false);
   test_many(true);
   if (generated && streams.geometryStreams)
      test_bare(1 + many.primitivesGeneratedQueryWithNonZeroStreams);
   static const uint32_t limits[] = {40, 8192, 0};
   for (unsigned i = 0; i < 3 && streams.geometryStreams; i++)
      test_streams(limits[i]);
   finish();
   return vkt_finish(vkx);
}
